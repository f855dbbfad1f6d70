/* tests/fault/test_bad_functions.c - functions that cannot be integrated as given: both methods
 * recognise and report each of them, with the time and the variable; none ends in a false success,
 * and none runs without end.                                                     */
#include <math.h>
#include <string.h>

#include "harness.h"

static int chatters(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + (y[0] > 0.0 ? 1.0 : -1.0);
    return DAEDAL_CALL_OK;
}

static int switches(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = y[1] - (y[0] > 0.5 ? -1.0 : 1.0);
    return DAEDAL_CALL_OK;
}

static int staircase(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = y[1] - floor(10.0 * t);
    return DAEDAL_CALL_OK;
}

static int noisy(double t, const double *y, const double *yp, double *r, void *user)
{
    int *calls = user;
    (void)t;
    ++*calls;
    r[0] = yp[0] + y[0] + 1e-3 * (double)((*calls * 7919) % 1000) / 1000.0;
    return DAEDAL_CALL_OK;
}

static int refuses(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0];
    return t > 0.5 ? DAEDAL_CALL_RETRY : DAEDAL_CALL_OK;
}

static int refuses_always(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    r[0] = 0.0;
    return DAEDAL_CALL_RETRY;
}

static int root(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)y, (void)user;
    r[0] = yp[0] - sqrt(0.5 - t);
    return DAEDAL_CALL_OK;
}

/* Singular for every c. */
static int twice(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)user;
    r[0] = yp[0] + yp[1] - 1.0;
    r[1] = 2.0 * yp[0] + 2.0 * yp[1] - 2.0;
    return DAEDAL_CALL_OK;
}

/* Singular for every c, with all variables in equations. */
static int follows(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = y[0] + y[1] - 1.0;
    r[2] = (y[0] + y[1] - 1.0) * (3.0 + y[2] * y[2]);
    return DAEDAL_CALL_OK;
}

/* Index 4: a chain of derivatives. */
static int chain(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[1] + y[0];
    r[1] = yp[2] + y[1];
    r[2] = yp[3] + y[2];
    r[3] = y[3] - sin(t);
    return DAEDAL_CALL_OK;
}

typedef struct row {
    const char *name;
    daedal_residual_fn *residual;
    int32_t n;
    double y0[4], yp0[4];
    daedal_status status; /* ERR_NEWTON: or another that says that a step failed    */
    double t;             /* where, within 0.05                                     */
    const char *part;     /* of the message, by either                              */
    int32_t equation;
} row;

static const row ROWS[] = {
    {"jump in y",
     chatters,
     1,
     {1.0},
     {-1.0},
     DAEDAL_ERR_NEWTON,
     1.0,
     "equation 0 jumps there in y[0]",
     0},
    {"jump behind a variable",
     switches,
     2,
     {0.0, 1.0},
     {1.0, 0.0},
     DAEDAL_ERR_NEWTON,
     0.5,
     "equation 1 jumps there in y[0]",
     1},
    {"noise",
     noisy,
     1,
     {1.0},
     {-1.0},
     DAEDAL_ERR_START,
     0.0,
     "equation 0 differs between two calls",
     0},
    {"RETRY from a time on",
     refuses,
     1,
     {1.0},
     {-1.0},
     DAEDAL_ERR_RETRY,
     0.5,
     "kept asking for a smaller step near t = 0.5",
     -1},
    {"RETRY always",
     refuses_always,
     1,
     {1.0},
     {-1.0},
     DAEDAL_ERR_RETRY,
     0.0,
     "kept asking for a smaller step near t = 0",
     -1},
    {"NaN from a time on",
     root,
     1,
     {1.0},
     {0.7},
     DAEDAL_ERR_NOT_FINITE,
     0.5,
     "equation 0 near t = 0.5",
     0},
    {"repeated equation",
     twice,
     2,
     {1.0, 1.0},
     {0.5, 0.5},
     DAEDAL_ERR_SINGULAR,
     0.0,
     "equation 0, equation 1 depend on one another and leave undetermined y[0], y[1]",
     0},
    {"equation that follows",
     follows,
     3,
     {0.5, 0.5, 0.3},
     {0.3, 0.0, 0.0},
     DAEDAL_ERR_SINGULAR,
     0.0,
     "depend on one another at the start",
     -1},
    {"index 4",
     chain,
     4,
     {0.0, 0.0, 0.0, 0.0},
     {0.0},
     DAEDAL_ERR_INDEX,
     0.0,
     "is 4 (grade A): differentiate along equation 3 -> y[3] -> y[2] -> y[1] -> y[0]",
     3},
};

static daedal_status run(daedal_solver *s, const row *w)
{
    daedal_status status = daedal_solver_start(s, 0.0, w->y0, w->yp0);
    return status < 0 ? status : daedal_solver_advance(s, 2.0);
}

static void check(daedal_solver *s, const row *w)
{
    daedal_status status = run(s, w);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    bool stuck = status == DAEDAL_ERR_NEWTON || status == DAEDAL_ERR_ERROR_TEST ||
                 status == DAEDAL_ERR_STEP_TOO_SMALL;
    bool expected = status == w->status || (stuck && w->status == DAEDAL_ERR_NEWTON);
    if (!expected || !strstr(why->message, w->part) || fabs(why->t - w->t) > 0.05 ||
        why->equation != w->equation)
        fail_msg("%s: %s at t = %g, equation %d: %s", w->name, daedal_status_name(status), why->t,
                 (int)why->equation, why->message);
}

static void names_what_is_wrong(void **state)
{
    (void)state;
    const char *const methods[] = {"bdf", "radau"};
    for (size_t k = 0; k < COUNT(ROWS); k++)
        for (int m = 0; m < 2; m++) {
            int calls = 0;
            daedal_system sys = {.n = ROWS[k].n, .residual = ROWS[k].residual, .user = &calls};
            daedal_options options = defaults_with(1e-6, 1e-9);
            assert_int_equal(daedal_options_set(&options, "method", methods[m]), DAEDAL_OK);
            daedal_solver *s = solver_of(&sys, &options);
            check(s, &ROWS[k]);
            daedal_solver_free(s);
        }
}

/* A jump in time that bdf cannot pass is named as one. */
static void names_a_jump_in_time(void **state)
{
    (void)state;
    const row w = {"jump in t",
                   staircase,
                   2,
                   {0.0, 0.0},
                   {0.0, 0.0},
                   DAEDAL_ERR_ERROR_TEST,
                   0.1,
                   "equation 1 jumps there in time",
                   1};
    daedal_system sys = {.n = 2, .residual = staircase};
    daedal_options options = defaults_with(1e-6, 1e-9);
    assert_int_equal(daedal_options_set(&options, "method", "bdf"), DAEDAL_OK);
    daedal_solver *s = solver_of(&sys, &options);
    check(s, &w);
    expect_text(daedal_solver_diagnosis(s)->hint, "event");
    daedal_solver_free(s);
}

/* ---- an index that changes on the way ------------------------------------------------------ */

static int caught(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = t < 0.5 ? y[1] - 1.0 : y[0] - 0.5; /* index 1, then 2 */
    return DAEDAL_CALL_OK;
}

static void goes_on_with_another_index(void **state)
{
    (void)state;
    const double y0[] = {0.0, 1.0};
    daedal_system sys = {.n = 2, .residual = caught};
    daedal_options options = defaults_with(1e-6, 1e-9);
    daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], 0.5, 1e-6);
    expect_near(daedal_solver_state(s)->y[1], 0.0, 1e-3);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(names_a_jump_in_time),
        cmocka_unit_test(goes_on_with_another_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
