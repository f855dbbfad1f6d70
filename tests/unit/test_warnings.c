/* tests/unit/test_warnings.c - what warnings and messages of runs of functions say: names, numbers
 * and what to do.                                                                     */
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "solver/run.h"

static int stiff(double t, const double *y, double *f, void *user)
{
    (void)user;
    f[0] = -2000.0 * (y[0] - cos(t));
    return 0;
}

/* An explicit method tells of stiffness, once, and what would do better. */
static void test_stiffness(void **state)
{
    (void)state;
    daedal_system sys = {.n = 1, .rhs = stiff};
    daedal_solver *s =
        start_solver(&sys, "method=dopri rtol=1e-4 atol=1e-4", 0.0, (double[]){0.0}, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    expect_text(solver_last_warning(s)->message, "stability limits the steps of method dopri");
    expect_text(solver_last_warning(s)->hint, "method = auto, radau or bdf");
    daedal_solver_free(s);
}

static int fall(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 1.0;
    return 0;
}

static int floor_and_ceiling(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = 5.0 - y[0];
    g[1] = y[0];
    return 0;
}

/* A ball that keeps half of its speed: the event that accumulates is named, with factor and time.
 */
static void test_accumulation(void **state)
{
    (void)state;
    static const char *const names[] = {"the ceiling", "the floor"};
    static const int32_t falling[] = {-1, -1};
    daedal_system sys = {.n = 2,
                         .residual = fall,
                         .n_events = 2,
                         .events = floor_and_ceiling,
                         .event_direction = {falling, 2},
                         .event_names = names};
    daedal_solver *s = start_solver(&sys, "method=radau", 0.0, (double[]){0.5, 0.0}, NULL);
    for (int k = 0; k < 40 && !solver_last_warning(s)->message[0]; k++) {
        if (daedal_solver_advance(s, 10.0) != DAEDAL_EVENT)
            break;
        const double *y = daedal_solver_state(s)->y;
        assert_int_equal(daedal_solver_state(s)->event[1], -1);
        expect_status(s, daedal_solver_restart(s, (double[]){0.0, -0.5 * y[1]}, NULL), DAEDAL_OK);
    }
    const daedal_diagnosis *told = solver_last_warning(s);
    expect_text(told->message, "events accumulate at t = 3");
    expect_text(told->message, "the floor has happened");
    expect_text(told->message, "shrink by the factor 0.5");
    expect_text(told->hint, "stop there");
    expect_near(told->t, 3.0, 1e-3);
    daedal_solver_free(s);
}

/* Equations that repeat one another: some are named, the others counted, and what that means is
 * told. */
enum { MANY = 9 };

static int repeated(double t, const double *y, const double *yp, double *r, void *user)
{
    double sum = 0.0;
    (void)t, (void)user;
    for (int i = 0; i < MANY; i++)
        sum += yp[i] + (1.0 + i) * y[i];
    for (int i = 0; i < MANY; i++)
        r[i] = sum;
    return 0;
}

static void test_repeated_equations(void **state)
{
    (void)state;
    double y0[MANY] = {0.0};
    daedal_system sys = {.n = MANY, .residual = repeated};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_solver *s = solver_of(&sys, &opt);
    assert_true(daedal_solver_start(s, 0.0, y0, NULL) < 0);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    expect_text(why->message, "the system at t = 0 is singular");
    expect_text(why->message, "depend on one another and leave undetermined y[");
    const char *rest = strstr(strstr(why->message, "undetermined"), " and ");
    int more = 0; /* than four that are named */
    assert_non_null(rest);
    assert_int_equal(sscanf(rest, " and %d more", &more), 1);
    assert_int_equal(more, MANY - 4);
    expect_text(why->hint, "an equation repeats another or follows from others");
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stiffness),
                                       cmocka_unit_test(test_accumulation),
                                       cmocka_unit_test(test_repeated_equations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
