/* tests/unit/test_mixed.c - hybrid/mode_search.c and hybrid/chattering.c: relations and
 * equations that depend on one another, and relations that change without end.            */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

enum { VALUES = 20 };

typedef struct outcome {
    double last[VALUES];
    int n_last;
    int warnings;
    char message[512]; /* the last one */
    char why[512];     /* of a failure */
    daedal_status status;
    int64_t events;
} outcome;

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    outcome *o = user;
    (void)kind;
    (void)t;
    memcpy(o->last, values, (size_t)o->n_last * sizeof *o->last);
    return DAEDAL_CALL_OK;
}

static void keep_message(daedal_log_level level, const char *message, void *user)
{
    outcome *o = user;
    o->warnings += level == DAEDAL_LOG_WARNING;
    strncpy(o->message, message, sizeof o->message - 1);
}

static outcome run_text(const char *text, double t_stop)
{
    daedal_model *m;
    char message[400];
    outcome o = {.warnings = 0};
    if (daedal_model_parse(&m, "text", text, strlen(text), NULL, message, sizeof message) != 0)
        fail_msg("%s", message);
    int32_t shown = daedal_model_describe(m)->n_variables;
    o.n_last = shown < VALUES ? shown : VALUES;
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.log = keep_message;
    opt.callback_user = &o;
    daedal_simulation s = {
        .t_stop = t_stop, .intervals = 100, .options = &opt, .row = keep_row, .row_user = &o};
    daedal_outcome done;
    o.status = daedal_model_simulate(m, &s, &done);
    o.events = done.stats.events;
    snprintf(o.why, sizeof o.why, "%s", done.diagnosis.message);
    daedal_model_free(m);
    return o;
}

#define SWITCH "Real p = if time < 1 then 0 else 1;"

/* Changing both relations at once alternates between two wrong answers. */
static void test_one_at_a_time(void **state)
{
    static const char text[] = "model M Real a, b, c; " SWITCH " equation"
                               " a = if b > 0 then 1 - 2*p else 1;"
                               " b = if a > 0 then 1 - 2*p else 1;"
                               " c^3 + c = a; end M;";
    (void)state;
    outcome o = run_text(text, 2.0);
    assert_int_equal(o.status, DAEDAL_OK);
    assert_int_equal(o.warnings, 0);
    expect_near(o.last[0] * o.last[1], -1.0, 0.0);
}

/* Two relations must change together: between them the equation for x is 0 x = 1. */
static void test_all_assignments(void **state)
{
    static const char text[] =
        "model M Real x(start = -1), z(start = -1), s; Boolean b1, b2; " SWITCH " equation"
        " b1 = x > 0; z^3 + z = if b1 then 2 else -2; b2 = z > 0;"
        " s = if b1 and not b2 or b2 and not b1 then 0 else 1;"
        " s*x = 2*p - 1 + (1 - s); end M;";
    (void)state;
    outcome o = run_text(text, 2.0);
    assert_int_equal(o.status, DAEDAL_OK);
    assert_int_equal(o.warnings, 0);
    expect_near(o.last[0], 1.0, 1e-9);
}

/* The same backward.  w^3 - w = g: g is 0 before the event and in the mode behind it, and other on
 * the way, where w = -1 would be lost.  v may have either sign, and keeps that before the event. */
static void test_begins_before_the_event(void **state)
{
    static const char text[] =
        "model M Real x(start = 1), w(start = -1), v(start = 1), z(start = 1), s, g;"
        " Boolean b1, b2;"
        " Real p = if time < 1 then 1 else 0; equation"
        " b1 = x > 0; z^3 + z = if b1 then 2 else -2; b2 = z > 0;"
        " s = if b1 and not b2 or b2 and not b1 then 0 else 1;"
        " s*x = 2*p - 1 + (1 - s); g = if b1 then 3 - 3*p else 0; w^3 - w = g;"
        " v = if v > 0 or time < 0.5 then 1 else -1; end M;";
    (void)state;
    outcome o = run_text(text, 2.0);
    assert_int_equal(o.status, DAEDAL_OK);
    assert_int_equal(o.warnings, 0);
    expect_near(o.last[0], -1.0, 1e-9);
    expect_near(o.last[1], -1.0, 1e-9);
    expect_near(o.last[2], 1.0, 1e-9);
}

/* More pairs of relations than there may be for all modes to be tried. */
static void test_many_pairs(void **state)
{
    static const char text[] = "model M Real a[9], b[9]; " SWITCH " equation for i in 1:9 loop"
                               " a[i] = if b[i] > 0 then 1 - 2*p else 1;"
                               " b[i] = if a[i] > 0 then 1 - 2*p else 1; end for; end M;";
    (void)state;
    outcome o = run_text(text, 2.0);
    assert_int_equal(o.status, DAEDAL_OK);
    assert_int_equal(o.warnings, 0);
    for (int k = 0; k < 9; k++)
        expect_near(o.last[k] * o.last[9 + k], -1.0, 0.0);
}

static void test_no_answer(void **state)
{
    static const char text[] = "model M Real a, b, c; " SWITCH " equation"
                               " a = if b > 0 then 1 - 2*p else 1;"
                               " b = if a > 0 then 1 else 2*(1 - p) - 1;"
                               " c = time; end M;";
    (void)state;
    outcome o = run_text(text, 2.0);
    assert_int_equal(o.status, DAEDAL_ERR_CALLBACK);
    expect_text(o.why, "at t = 1 no values of the relations are consistent");
}

/* It slides along x = 0; the run ends, within some events for each interval of output. */
static void test_chattering(void **state)
{
    static const char text[] = "model M Real x(start = 1, fixed = true), y, z, u; equation"
                               " der(x) = if x > 0 then -1 else 1;"
                               " y = 1; z = 1; u = 1; end M;";
    (void)state;
    outcome o = run_text(text, 3.0);
    assert_int_equal(o.status, DAEDAL_OK);
    assert_int_equal(o.warnings, 1);
    expect_text(o.message, "x > 0 in line 1 keeps changing near t = 1.0");
    expect_near(o.last[0], 0.0, 1e-3);
    assert_true(o.events < 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_all_assignments),
        cmocka_unit_test(test_begins_before_the_event),
        cmocka_unit_test(test_many_pairs),
        cmocka_unit_test(test_no_answer),
        cmocka_unit_test(test_chattering),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
