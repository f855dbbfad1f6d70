/* tests/conformance/c211_failure_modes.c - eight ways to fail, each told apart: C211, after [BCP96]
 * sections 5.3 and 5.4.                                                          */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "harness.h"

/* ---- what is wrong ------------------------------------------------------------------------------
 */

static int follows_cosine(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)yp;
    (void)user;
    r[0] = y[0] - cos(t);
    return DAEDAL_CALL_OK;
}

/* x' = z, x = sin t */
static int index_two(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = y[0] - sin(t);
    return DAEDAL_CALL_OK;
}

/* x' = v, v' = z, x = sin t */
static int index_three(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = y[0] - sin(t);
    return DAEDAL_CALL_OK;
}

/* x' = z, and x jumps at t = 1: z has an impulse there */
static int jumping(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = y[0] - (t < 1.0 ? 0.0 : 1.0);
    return DAEDAL_CALL_OK;
}

static int square_law(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] + y[0] - 0.1 * y[1];
    r[1] = y[1] - y[0] * y[0];
    return DAEDAL_CALL_OK;
}

/* With a wrong sign in its last entry. */
static int wrong_sign(double t, const double *y, const double *yp, double c, double *values,
                      void *user)
{
    (void)t;
    (void)yp;
    (void)user;
    values[0] = c + 1.0;
    values[1] = -2.0 * y[0];
    values[2] = -0.1;
    values[3] = -1.0;
    return DAEDAL_CALL_OK;
}

/* The second equation is the first one twice. */
static int repeated(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] + y[0] + y[1];
    r[1] = 2.0 * r[0];
    return DAEDAL_CALL_OK;
}

/* An oscillation of 1e-9 beside an absolute tolerance of 1e-6. */
static int tiny(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] - 1e5 * y[1];
    r[1] = yp[1] + 1e5 * y[0];
    return DAEDAL_CALL_OK;
}

/* 3 z - z^3 = t ends at t = 2; another branch goes on, far away. */
static int folding(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = 3.0 * y[1] - y[1] * y[1] * y[1] - t;
    return DAEDAL_CALL_OK;
}

/* ---- how it is told
 * ------------------------------------------------------------------------------- */

typedef struct failure {
    const char *what;
    daedal_system sys;
    const char *options;
    double y0[3], t_end;
    daedal_cause cause, other; /* another name that is right as well, or NONE */
    const char *word;          /* in message or hint                          */
} failure;

static const failure FAILURES[] = {
    {"inconsistent start",
     {.n = 1, .residual = follows_cosine},
     "method=bdf start=given",
     {3.0},
     1.0,
     DAEDAL_CAUSE_INCONSISTENT_START,
     DAEDAL_CAUSE_NONE,
     ""},
    {"index 2",
     {.n = 2, .residual = index_two},
     "method=rodas",
     {0.0, 1.0},
     1.0,
     DAEDAL_CAUSE_HIGH_INDEX,
     DAEDAL_CAUSE_NONE,
     "2"},
    {"index 3",
     {.n = 3, .residual = index_three},
     "method=bdf",
     {0.0, 1.0, 0.0},
     1.0,
     DAEDAL_CAUSE_HIGH_INDEX,
     DAEDAL_CAUSE_NONE,
     "3"},
    {"discontinuity",
     {.n = 2, .residual = jumping},
     "method=radau",
     {0.0, 0.0},
     2.0,
     DAEDAL_CAUSE_DISCONTINUITY,
     DAEDAL_CAUSE_NONE,
     "jump"},
    {"wrong Jacobian",
     {.n = 2, .residual = square_law, .jacobian = wrong_sign},
     "method=bdf",
     {1.0, 1.0},
     2.0,
     DAEDAL_CAUSE_WRONG_JACOBIAN,
     DAEDAL_CAUSE_NONE,
     ""},
    {"singular matrix",
     {.n = 2, .residual = repeated},
     "method=bdf",
     {1.0, 0.0},
     1.0,
     DAEDAL_CAUSE_REDUNDANT_EQUATIONS,
     DAEDAL_CAUSE_UNDETERMINED_VARIABLE,
     ""},
    {"bad scaling",
     {.n = 2, .residual = tiny},
     "method=bdf rtol=1e-6 atol=1e-6",
     {1e-9, 0.0},
     1e-4,
     DAEDAL_CAUSE_BAD_SCALING,
     DAEDAL_CAUSE_NONE,
     ""},
    {"branch jump",
     {.n = 2, .residual = folding},
     "method=bdf",
     {0.0, 0.0},
     3.0,
     DAEDAL_CAUSE_IMPASSE,
     DAEDAL_CAUSE_BRANCH_JUMP,
     ""},
};

/* The cause of the failure, or of the last warning of a run that went through. */
static daedal_cause told(const failure *f, char *text, size_t size)
{
    static const double SLOPES[3] = {0};
    daedal_options opt = options_of(f->options);
    daedal_solver *s;
    daedal_diagnosis why;
    daedal_cause cause;
    daedal_status status = daedal_solver_create(&s, &f->sys, &opt, &why);
    if (status >= 0)
        status = daedal_solver_start(s, 0.0, f->y0, strstr(f->options, "given") ? SLOPES : NULL);
    if (status >= 0)
        status = daedal_solver_advance(s, f->t_end);
    if (s)
        why = *daedal_solver_diagnosis(s);
    cause = why.cause;
    snprintf(text, size, "%s %s", why.message, why.hint);
    daedal_solver_free(s);
    return cause;
}

static void c211_failure_modes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(FAILURES); i++) {
        const failure *f = &FAILURES[i];
        char text[1000];
        daedal_cause cause = told(f, text, sizeof text);
        if (cause != f->cause && (f->other == DAEDAL_CAUSE_NONE || cause != f->other))
            fail_msg("%s: told as %s: %s", f->what, daedal_cause_name(cause), text);
        if (!strstr(text, f->word))
            fail_msg("%s: no '%s' in: %s", f->what, f->word, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c211_failure_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
