/* tests/unit/test_mixed.c - hybrid/mode_search.c and hybrid/chattering.c: relations and
 * equations that depend on one another, and relations that change without end.            */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

typedef struct outcome {
    double last[4];
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
    memcpy(o->last, values, sizeof o->last);
    return DAEDAL_CALL_OK;
}

static void keep_message(daedal_log_level level, const char *message, void *user)
{
    outcome *o = user;
    o->warnings += level == DAEDAL_LOG_WARNING;
    strncpy(o->message, message, sizeof o->message - 1);
}

/* All models here show at least four values. */
static outcome run_text(const char *text, double t_stop)
{
    daedal_model *m;
    char message[400];
    outcome o = {.warnings = 0};
    if (daedal_model_parse(&m, "text", text, strlen(text), NULL, message, sizeof message) != 0)
        fail_msg("%s", message);
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
        cmocka_unit_test(test_no_answer),
        cmocka_unit_test(test_chattering),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
