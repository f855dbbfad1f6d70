/* tests/unit/test_delay.c - hybrid/delays.c: the accuracy of a delay, jumps that travel,
 * memory that does not grow with the run.                                       */
#include <math.h>
#include <string.h>

#include "harness.h"

typedef struct outcome {
    double last[8];
    int after; /* rows behind events */
} outcome;

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    outcome *o = user;
    (void)t;
    o->after += kind == DAEDAL_ROW_AFTER_EVENT;
    memcpy(o->last, values, sizeof o->last);
    return DAEDAL_CALL_OK;
}

/* Run the text up to t_stop; all models here show at least eight values. */
static daedal_stats run_text(const char *text, double t_stop, double rtol, ledger *books,
                             outcome *o)
{
    daedal_model *m;
    char message[400];
    daedal_model_options how = {.allocator = books ? &books->allocator : NULL};
    *o = (outcome){.after = 0};
    if (daedal_model_parse(&m, "text", text, strlen(text), &how, message, sizeof message) != 0)
        fail_msg("%s", message);
    daedal_options opt = defaults_with(rtol, 1e-3 * rtol);
    daedal_simulation s = {
        .t_stop = t_stop, .intervals = 1, .options = &opt, .row = keep_row, .row_user = o};
    daedal_outcome done;
    if (daedal_model_simulate(m, &s, &done) != DAEDAL_OK)
        fail_msg("%s", done.diagnosis.message);
    if (books)
        o->last[7] = (double)books->bytes;
    daedal_model_free(m);
    return done.stats;
}

#define FILL "parameter Real p1 = 1, p2 = 1, p3 = 1, p4 = 1, p5 = 1, p6 = 1, p7 = 1;"

/* x' = -x(t - 1): polynomials from unit to unit. */
static void test_accuracy_follows_tolerance(void **state)
{
    static const char text[] =
        "model M Real x(start = 1, fixed = true); " FILL " equation der(x) = -delay(x, 1); end M;";
    static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
    (void)state;
    outcome o;
    for (size_t k = 0; k < COUNT(tolerances); k++) {
        run_text(text, 5.0, tolerances[k], NULL, &o);
        expect_near(o.last[0], 19.0 / 120.0, 10.0 * tolerances[k]);
    }
}

/* A nonlinear e: the polynomials must be as good as the steps. */
static void test_delayed_expression(void **state)
{
    static const char text[] = "model M Real x(start = 0, fixed = true); Real y; " FILL
                               " equation der(x) = 1; y = delay(sin(3*x)*exp(-x/5), 0.7); end M;";
    (void)state;
    outcome o;
    run_text(text, 10.0, 1e-6, NULL, &o);
    expect_near(o.last[1], sin(27.9) * exp(-9.3 / 5), 1e-5);
}

/* Each jump of u comes out twice; nothing else is an event. */
static void test_jumps_travel_once(void **state)
{
    static const char text[] =
        "model M Real u, y, z; " FILL
        " equation u = if time < 0.3 then 0 else 1; y = delay(u, 0.5); z = delay(y, 0.25); end M;";
    (void)state;
    outcome o;
    run_text(text, 1.0, 1e-6, NULL, &o);
    assert_int_equal(o.after, 2);
    expect_near(o.last[1], 1.0, 0.0);
    expect_near(o.last[2], 0.0, 0.0);
    run_text(text, 1.1, 1e-6, NULL, &o);
    assert_int_equal(o.after, 3);
    expect_near(o.last[2], 1.0, 0.0);
}

/* What changes at events alone does not limit the step. */
static void test_discrete_input_costs_nothing(void **state)
{
    static const char text[] =
        "model M Real x(start = 0, fixed = true), y; discrete Real n(start = 0, fixed = "
        "true); " FILL " equation der(x) = 1; when x > 3 then n = pre(n) + 1; end when;"
        " y = delay(n, 1e-4); end M;";
    (void)state;
    outcome o;
    daedal_stats stats = run_text(text, 10.0, 1e-6, NULL, &o);
    assert_true(stats.steps < 200);
    expect_near(o.last[1], 1.0, 0.0);
}

/* Ten times as long a run, no more memory. */
static void test_memory_is_bounded(void **state)
{
    static const char text[] = "model M Real x(start = 1, fixed = true); " FILL
                               " equation der(x) = cos(20*delay(x, 0.05)); end M;";
    (void)state;
    outcome shorter, longer;
    ledger books;
    ledger_open(&books);
    run_text(text, 20.0, 1e-6, &books, &shorter);
    run_text(text, 200.0, 1e-6, &books, &longer);
    ledger_expect_empty(&books);
    assert_true(longer.last[7] <= 1.5 * shorter.last[7]);
}

static void test_out_of_memory(void **state)
{
    static const char text[] = "model M Real x(start = 1, fixed = true), y; " FILL
                               " equation der(x) = -delay(x, 0.1); y = delay(x, x/9, 1); end M;";
    (void)state;
    bool refused = true;
    for (long k = 1; refused; k += 7) {
        ledger books;
        daedal_model *m;
        ledger_open(&books);
        books.refuse = k;
        daedal_model_options how = {.allocator = &books.allocator};
        daedal_simulation s = {.t_stop = 1.0};
        daedal_status status = daedal_model_parse(&m, "text", text, strlen(text), &how, NULL, 0);
        if (status == DAEDAL_OK)
            status = daedal_model_simulate(m, &s, NULL);
        refused = books.taken >= k;
        daedal_model_free(m);
        ledger_expect_empty(&books);
        assert_true(status == DAEDAL_OK || (refused && status < 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accuracy_follows_tolerance),
        cmocka_unit_test(test_delayed_expression),
        cmocka_unit_test(test_jumps_travel_once),
        cmocka_unit_test(test_discrete_input_costs_nothing),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
