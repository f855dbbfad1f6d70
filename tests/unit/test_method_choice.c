/* tests/unit/test_method_choice.c - which method for which system: decision 020 as a table. */
#include "solver/method_choice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "modelling.h"
#include "solver/run.h"

typedef struct row {
    choice_facts facts;
    int32_t method;
} row;

static const row ROWS[] = {
    {{.n = 3, .index = 1, .rtol = 1e-6}, METHOD_RADAU},
    {{.n = 3, .index = 3, .rtol = 1e-3}, METHOD_RADAU},
    {{.n = 24, .index = 2, .rtol = 1e-6}, METHOD_RADAU},
    {{.n = 160, .index = 2, .rtol = 1e-6, .entries = 9000}, METHOD_BDF},
    {{.n = 160, .index = 2, .rtol = 1e-6, .entries = 900}, METHOD_RADAU},
    {{.n = 3, .rtol = 1e-6, .is_explicit = true, .stiffness = 20.0}, METHOD_DOPRI},
    {{.n = 3, .rtol = 1e-6, .is_explicit = true, .stiffness = 200.0}, METHOD_DOPRI},
    {{.n = 3, .rtol = 1e-2, .is_explicit = true, .stiffness = 200.0}, METHOD_RADAU},
    {{.n = 3, .rtol = 1e-6, .is_explicit = true, .stiffness = 500.0}, METHOD_RADAU},
    {{.n = 3, .rtol = 1e-6, .is_explicit = true, .stiffness = 500.0, .activity = 0.5},
     METHOD_DOPRI},
    {{.n = 3, .rtol = 1e-6, .is_explicit = true, .stiffness = 1e4, .activity = 0.5}, METHOD_RADAU},
    {{.n = 3, .rtol = 1e-6, .is_explicit = true, .is_nonsmooth = true}, METHOD_BDF},
    {{.n = 3, .index = 1, .rtol = 1e-6, .is_explicit = true}, METHOD_RADAU},
    {{.n = 160, .index = 3, .rtol = 1e-6}, METHOD_RADAU},
    {{.n = 3, .rtol = 1e-6, .is_nonsmooth = true}, METHOD_BDF},
    {{.n = 3, .rtol = 1e-6, .asks_for_bdf = true}, METHOD_BDF},
    {{.n = 40000, .rtol = 1e-6, .factor_price = 0.6, .jacobian_price = 3}, METHOD_RADAU},
    {{.n = 1024, .rtol = 1e-4, .factor_price = 8.5, .jacobian_price = 6}, METHOD_RODAS},
    {{.n = 1024, .rtol = 1e-4, .factor_price = 8.5, .jacobian_price = 60}, METHOD_BDF},
    {{.n = 1024, .rtol = 1e-7, .factor_price = 8.5, .jacobian_price = 6}, METHOD_BDF},
    {{.n = 1024, .rtol = 1e-10, .factor_price = 8.5, .jacobian_price = 6}, METHOD_RADAU},
};

static void test_table(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(ROWS); k++) {
        method_choice got = method_for(&ROWS[k].facts);
        if (got.method != ROWS[k].method)
            fail_msg("row %d: method %d, not %d", (int)k, (int)got.method, (int)ROWS[k].method);
        assert_non_null(got.reason);
    }
}

/* The names of the option, the numbers and the table of methods go together. */
static void test_names(void **state)
{
    (void)state;
    daedal_options opt;
    daedal_options_defaults(&opt);
    assert_ptr_equal(method_choose(METHOD_AUTO), &method_bdf);
    for (int32_t k = METHOD_BDF; k < METHOD_COUNT; k++) {
        assert_int_equal(daedal_options_set(&opt, "method", method_choose(k)->name), DAEDAL_OK);
        assert_int_equal(opt.method, k);
    }
    const daedal_option_info *info;
    for (int32_t i = 0; (info = daedal_option_describe(i)); i++)
        if (strcmp(info->name, "method") == 0)
            assert_true(info->high == METHOD_COUNT - 1);
}

/* Each of two is tried once; BDF not where it cannot take the index. */
static void test_after_failure(void **state)
{
    (void)state;
    assert_int_equal(method_after(METHOD_RADAU, 1u << METHOD_RADAU, 1).method, METHOD_BDF);
    assert_int_equal(method_after(METHOD_BDF, 1u << METHOD_BDF, 2).method, METHOD_RADAU);
    assert_int_equal(method_after(METHOD_RODAS, 1u << METHOD_RODAS, 1).method, METHOD_RADAU);
    assert_int_equal(method_after(METHOD_RADAU, 1u << METHOD_RADAU, 3).method, -1);
    uint32_t both = 1u << METHOD_RADAU | 1u << METHOD_BDF;
    assert_int_equal(method_after(METHOD_BDF, both, 1).method, -1);
}

static int decay(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    return 0;
}

static int of_time(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)y, (void)user;
    r[0] = yp[0] - cos(t);
    return 0;
}

static int level(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.5;
    return 0;
}

/* A run reports the method and the reason for it. */
static void test_told(void **state)
{
    (void)state;
    const double y0[] = {1.0};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_system sys = {.n = 1, .residual = decay};
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    assert_string_equal(daedal_solver_structure(s)->method, "dopri");
    expect_text(daedal_solver_structure(s)->method_reason, "not stiff");
    daedal_solver_free(s);
    sys.n_events = 1;
    sys.events = level;
    s = started(&sys, &opt, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_EVENT);
    assert_string_equal(daedal_solver_structure(s)->method, "radau");
    daedal_solver_free(s);
}

/* A right-hand side that does not depend on y is not stiff. */
static void test_of_time(void **state)
{
    (void)state;
    const double y0[] = {1.0};
    daedal_system sys = {.n = 1, .residual = of_time};
    daedal_solver *s = started(&sys, NULL, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    assert_string_equal(daedal_solver_structure(s)->method, "dopri");
    expect_near(daedal_solver_state(s)->y[0], 1.0 + sin(1.0), 1e-5);
    daedal_solver_free(s);
}

/* In whichever equation of a model a value is chosen without an event. */
static void test_chosen_values(void **state)
{
    (void)state;
    static const char *const right[] = {"-x", "noEvent(if x > 0.5 then -x else -2*x)"};
    for (int kink = 0; kink < 4; kink++) { /* 0: nowhere */
        trial t;
        char equations[300];
        snprintf(equations, sizeof equations, "der(x) = %s; der(y) = x + %s; der(z) = y + %s;",
                 right[kink == 1], right[kink == 2], right[kink == 3]);
        trial_open(&t, "Real x(start = 1), y(start = 1), z(start = 1);", equations);
        trial_run(&t, 0.0, 1.0, "rtol=1e-6");
        assert_string_equal(t.outcome.method, kink ? "bdf" : "dopri");
        trial_close(&t);
    }
}

/* A least step that no method can take with these tolerances: each is tried, once. */
static void test_changed(void **state)
{
    (void)state;
    const double y0[] = {1.0};
    daedal_options opt = defaults_with(1e-12, 1e-14);
    opt.min_step = opt.first_step = 20.0;
    daedal_system sys = {.n = 1, .residual = decay};
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    assert_int_equal(daedal_solver_advance(s, 100.0), DAEDAL_ERR_STEP_TOO_SMALL);
    assert_string_equal(daedal_solver_structure(s)->method, "bdf");
    expect_text(daedal_solver_structure(s)->method_reason, "could not go on");
    daedal_solver_free(s);
}

/* Without memory for another method the run is over; for the first one it may come later. */
static void test_no_memory_for_another(void **state)
{
    (void)state;
    const double y0[] = {1.0};
    int over = 0;
    daedal_status status = DAEDAL_ERR_MEMORY;
    for (long k = 1; status == DAEDAL_ERR_MEMORY; k++) {
        ledger books;
        ledger_open(&books);
        daedal_options opt = defaults_with(1e-12, 1e-14);
        opt.min_step = opt.first_step = 20.0;
        opt.allocator = &books.allocator;
        daedal_system sys = {.n = 1, .residual = decay};
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        books.refuse = books.taken + k;
        status = daedal_solver_advance(s, 100.0);
        books.refuse = 0;
        daedal_status again = daedal_solver_advance(s, 100.0);
        over += again == DAEDAL_ERR_CALL_SEQUENCE;
        assert_true(again == DAEDAL_ERR_CALL_SEQUENCE || again == DAEDAL_ERR_STEP_TOO_SMALL);
        daedal_solver_free(s);
        ledger_expect_empty(&books);
    }
    assert_int_equal(status, DAEDAL_ERR_STEP_TOO_SMALL);
    assert_true(over > 0);
}

/* Whose fault is a failure?  A start that was made consistent here is not the user's. */
static void test_blamed(void **state)
{
    (void)state;
    static run r;
    r.asked.start = START_STATES;
    assert_true(run_may_be_the_method(&r, DAEDAL_ERR_INCONSISTENT));
    assert_true(run_may_be_the_method(&r, DAEDAL_ERR_NEWTON));
    assert_false(run_may_be_the_method(&r, DAEDAL_ERR_CALLBACK));
    r.asked.start = START_GIVEN;
    assert_false(run_may_be_the_method(&r, DAEDAL_ERR_INCONSISTENT));
    assert_true(run_may_be_the_method(&r, DAEDAL_ERR_NEWTON));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),         cmocka_unit_test(test_names),
        cmocka_unit_test(test_after_failure), cmocka_unit_test(test_told),
        cmocka_unit_test(test_changed),       cmocka_unit_test(test_blamed),
        cmocka_unit_test(test_chosen_values), cmocka_unit_test(test_no_memory_for_another),
        cmocka_unit_test(test_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
