/* tests/fault/test_no_allocation.c - after create, start, one step and one output
 * point nothing is allocated: not by steps, output, interpolation, events, breakpoints.  KLU's own
 * growth is the declared exception and counted.                                        */
#include <math.h>

#include "harness.h"
#include "samples.h"

typedef struct course {
    const char *name;
    sample (*make)(void);
    const char *solver, *method, *hold;
    double breakpoint; /* 0: none */
} course;

static const course courses[] = {
    {"dense", sample_robertson, "dense", "bdf", "project", 0.0},
    {"dense, classic", sample_robertson, "dense", "bdf_classic", "project", 0.0},
    {"lapack", sample_robertson_jacobian, "lapack", "bdf", "project", 0.0},
    {"band", sample_chain, "band", "bdf", "project", 0.0},
    {"klu", sample_chain, "klu", "bdf", "project", 0.0},
    {"klu, classic", sample_chain_jacobian, "klu", "bdf_classic", "project", 0.0},
    {"gmres", sample_chain, "gmres", "bdf", "project", 0.0},
    {"gmres, classic", sample_chain_jacobian, "gmres", "bdf_classic", "project", 0.0},
    {"gmres, radau", sample_chain_jacobian, "gmres", "radau", "project", 0.0},
    {"gmres, rodas", sample_chain, "gmres", "rodas", "project", 0.0},
    {"gmres, mass form, breakpoint", sample_mass, "gmres", "bdf", "project", 1.0},
    {"mass form", sample_mass, "auto", "bdf", "project", 0.0},
    {"mass form, Jacobian", sample_mass_jacobian, "auto", "bdf", "project", 0.0},
    {"events", sample_decay_events, "auto", "bdf", "project", 0.0},
    {"projection", sample_pendulum, "auto", "bdf", "project", 0.0},
    {"rodas", sample_chain, "klu", "rodas", "project", 0.0},
    {"rodas, mass form, breakpoint", sample_mass, "auto", "rodas", "project", 1.0},
    {"dopri", sample_decay_events, "auto", "dopri", "project", 0.0},
    {"limex", sample_robertson_jacobian, "dense", "limex", "project", 0.0},
    {"multipliers", sample_pendulum, "auto", "bdf", "ggl", 0.0},
    {"dummy derivatives", sample_pendulum, "klu", "bdf", "dummy", 0.0},
    {"breakpoint", sample_decay_events, "auto", "bdf", "project", 1.0},
    {"breakpoint, algebraic", sample_mass, "auto", "bdf", "project", 1.0},
    {"dense, radau", sample_robertson, "dense", "radau", "project", 0.0},
    {"lapack, radau", sample_robertson_jacobian, "lapack", "radau", "project", 0.0},
    {"band, radau", sample_chain, "band", "radau", "project", 0.0},
    {"klu, radau", sample_chain_jacobian, "klu", "radau", "project", 0.0},
    {"mass form, radau", sample_mass, "auto", "radau", "project", 0.0},
    {"events, radau", sample_decay_events, "auto", "radau", "project", 0.0},
    {"breakpoint, radau", sample_mass, "auto", "radau", "project", 1.0},
};

/* Steps, outputs and values in between, to the end. */
static void go_on(daedal_solver *s, const sample *what)
{
    double y[CHAIN_N], yp[CHAIN_N];
    for (int i = 2; i <= 10; i++) {
        daedal_status status;
        double t = 0.1 * i * what->t_end;
        while ((status = daedal_solver_advance(s, t)) == DAEDAL_EVENT)
            continue;
        expect_status(s, status, DAEDAL_OK);
        expect_status(s, daedal_solver_interpolate(s, t, y, yp), DAEDAL_OK);
    }
    double t_end = 1.5 * what->t_end;
    while (daedal_solver_state(s)->t < t_end)
        assert_true(daedal_solver_step(s, t_end) >= 0);
}

static void run_course(const course *c)
{
    ledger own, sparse;
    ledger_open(&own);
    ledger_open(&sparse);
    ledger_take_over_suitesparse(&sparse);
    sample what = c->make();
    daedal_options opt = defaults_with(1e-4, 1e-8);
    opt.allocator = &own.allocator;
    opt.breakpoints = (daedal_doubles){&c->breakpoint, c->breakpoint > 0.0};
    assert_int_equal(daedal_options_set(&opt, "linear_solver", c->solver), DAEDAL_OK);
    assert_int_equal(daedal_options_set(&opt, "method", c->method), DAEDAL_OK);
    assert_int_equal(daedal_options_set(&opt, "constraint_method", c->hold), DAEDAL_OK);
    daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
    expect_status(s, daedal_solver_step(s, what.t_end), DAEDAL_OK);
    daedal_status status;
    while ((status = daedal_solver_advance(s, 0.1 * what.t_end)) == DAEDAL_EVENT)
        continue;
    expect_status(s, status, DAEDAL_OK);
    int64_t growth = daedal_solver_stats(s)->solver_reallocations;
    own.closed = sparse.closed = true;
    go_on(s, &what);
    own.closed = sparse.closed = false;
    growth = daedal_solver_stats(s)->solver_reallocations - growth;
    if (own.forbidden > 0 || (growth == 0 && sparse.forbidden > 0))
        fail_msg("%s: %ld allocations, %ld of KLU with %d growths declared", c->name, own.forbidden,
                 sparse.forbidden, (int)growth);
    daedal_solver_free(s);
    ledger_leave_suitesparse();
    ledger_expect_empty(&own);
    ledger_expect_empty(&sparse);
}

static void test_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(courses); i++)
        if (courses[i].breakpoint == 0.0)
            run_course(&courses[i]);
}

/* Passing a breakpoint is still inside one call of advance. */
static void test_breakpoints(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(courses); i++)
        if (courses[i].breakpoint > 0.0)
            run_course(&courses[i]);
}

/* x' = -x, and a 2 x 2 block for u and v whose large entries change places when the user says
 * so: the old pivots become useless, KLU must pivot anew.                       */
static int swinging(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    const bool *swapped = user;
    double a = *swapped ? 1e-9 : 1.0, b = *swapped ? 1.0 : 1e-9;
    r[0] = yp[0] + y[0];
    r[1] = a * y[1] + b * y[2] - 1.0;
    r[2] = b * y[1] + a * y[2] - y[0];
    return 0;
}

static void test_growth_is_counted(void **state)
{
    (void)state;
    static const double y0[] = {1.0, 1.0, 1.0};
    bool swapped = false;
    ledger sparse;
    ledger_open(&sparse);
    ledger_take_over_suitesparse(&sparse);
    daedal_system sys = {.n = 3, .residual = swinging, .user = &swapped};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    assert_int_equal(daedal_options_set(&opt, "linear_solver", "klu"), DAEDAL_OK);
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 0.5), DAEDAL_OK);
    int64_t growth = daedal_solver_stats(s)->solver_reallocations;
    sparse.closed = true;
    swapped = true;
    expect_status(s, daedal_solver_restart(s, NULL, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[1], exp(-1.0), 1e-5); /* it was 1 before */
    growth = daedal_solver_stats(s)->solver_reallocations - growth;
    assert_true(sparse.forbidden > 0 && growth > 0);
    daedal_solver_free(s);
    ledger_leave_suitesparse();
    ledger_expect_empty(&sparse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_breakpoints),
        cmocka_unit_test(test_growth_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
