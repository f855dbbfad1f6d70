/* tests/conformance/c150_roots.c - events: C150, C151. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "driving.h"

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g within %.1e", found, wanted, tolerance);
}

static const char *const METHODS[] = {"method=bdf rtol=1e-7 atol=1e-7",
                                      "method=bdf_classic rtol=1e-7 atol=1e-7"};
static const double G = 9.81, TOL = 1e-7;

/* ---- C150 ------------------------------------------------------------------------------ */

static int free_fall(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + G;
    return DAEDAL_CALL_OK;
}

static int height(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t;
    (void)yp;
    (void)user;
    g[0] = y[0];
    return DAEDAL_CALL_OK;
}

/* Falls from 1, hits at sqrt(2/g), is thrown back with half of its speed: every flight
 * takes speed/g * 2.                                                              */
static void c150_free_fall_and_restart(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        daedal_system sys = {.n = 2, .residual = free_fall, .n_events = 1, .events = height};
        const double y0[] = {1.0, 0.0};
        daedal_solver *s = start_solver(&sys, METHODS[m], 0.0, y0, NULL);
        const daedal_state *at = daedal_solver_state(s);
        double hit = sqrt(2.0 / G), speed = G * hit;
        for (int bounce = 0; bounce < 4; bounce++) {
            assert_int_equal(daedal_solver_advance(s, 10.0), DAEDAL_EVENT);
            assert_int_equal(at->event[0], -1);
            assert_near(at->t, hit, 10.0 * TOL);
            assert_near(at->y[0], 0.0, 1e-12);
            assert_near(at->y[1], -speed, 100.0 * TOL);
            speed *= 0.5;
            hit += 2.0 * speed / G;
            const double thrown[] = {0.0, speed};
            assert_int_equal(daedal_solver_restart(s, thrown, NULL), DAEDAL_OK);
        }
        assert_int_equal(daedal_solver_stats(s)->events, 4);
        assert_int_equal(daedal_solver_stats(s)->restarts, 4);
        daedal_solver_free(s);
    }
}

/* The solution is linear in t, so that the steps are as long as allowed and the functions,
 * which depend on t only through y, all change sign in one of them.               */
static int clock_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)y;
    (void)user;
    r[0] = yp[0] - 1.0;
    return DAEDAL_CALL_OK;
}

static int alarms(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t;
    (void)yp;
    (void)user;
    g[0] = y[0] - 5.5;
    g[1] = 5.25 - y[0];
    g[2] = (y[0] - 5.75) * (y[0] + 1.0);
    g[3] = y[0] - 5.5; /* together with the first */
    return DAEDAL_CALL_OK;
}

static void c150_roots_of_one_step_in_order(void **state)
{
    (void)state;
    const double when[] = {5.25, 5.5, 5.75};
    const int fired[3][4] = {{0, -1, 0, 0}, {1, 0, 0, 1}, {0, 0, 1, 0}};
    for (int m = 0; m < 2; m++) {
        daedal_system sys = {.n = 1, .residual = clock_residual, .n_events = 4, .events = alarms};
        double y0 = 0.0;
        daedal_solver *s = start_solver(
            &sys, m == 0 ? "first_step=5" : "method=bdf_classic first_step=5", 0.0, &y0, NULL);
        const daedal_state *at = daedal_solver_state(s);
        int64_t steps = 0;
        for (int i = 0; i < 3; i++) {
            assert_int_equal(daedal_solver_advance(s, 20.0), DAEDAL_EVENT);
            assert_near(at->t, when[i], 1e-12);
            for (int e = 0; e < 4; e++)
                assert_int_equal(at->event[e], fired[i][e]);
            if (i == 0)
                steps = daedal_solver_stats(s)->steps;
            assert_int_equal(daedal_solver_stats(s)->steps, steps); /* all in one step */
        }
        assert_int_equal(daedal_solver_advance(s, 20.0), DAEDAL_OK);
        assert_near(at->y[0], 20.0, 1e-10);
        daedal_solver_free(s);
    }
}

/* ---- C151 ------------------------------------------------------------------------------ */

/* Two roots 0.3 apart. */
static int pair(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t;
    (void)yp;
    (void)user;
    g[0] = (y[0] - 7.0) * (y[0] - 7.3);
    return DAEDAL_CALL_OK;
}

static int count_pair(const char *options)
{
    daedal_system sys = {.n = 1, .residual = clock_residual, .n_events = 1, .events = pair};
    double y0 = 0.0;
    daedal_solver *s = start_solver(&sys, options, 0.0, &y0, NULL);
    const daedal_state *at = daedal_solver_state(s);
    int found = 0;
    daedal_status status;
    while ((status = daedal_solver_advance(s, 30.0)) == DAEDAL_EVENT) {
        assert_near(at->t, found == 0 ? 7.0 : 7.3, 1e-11);
        assert_int_equal(at->event[0], found == 0 ? -1 : 1);
        found++;
    }
    assert_int_equal(status, DAEDAL_OK);
    daedal_solver_free(s);
    return found;
}

/* The step from 5 to 15 contains both.  The ends alone do not see them, as documented for
 * DASRT; a bound on the step, or looking inside the step, does.                   */
static void c151_even_pair_in_one_step(void **state)
{
    (void)state;
    assert_int_equal(count_pair("first_step=5 event_samples=0"), 0);
    assert_int_equal(count_pair("first_step=0.1 event_samples=0 max_step=0.1"), 2);
    assert_int_equal(count_pair("first_step=5"), 2);
    assert_int_equal(count_pair("method=bdf_classic first_step=5 event_samples=0"), 0);
    assert_int_equal(count_pair("method=bdf_classic first_step=0.1 event_samples=0 max_step=0.1"),
                     2);
    assert_int_equal(count_pair("method=bdf_classic first_step=5"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c150_free_fall_and_restart),
        cmocka_unit_test(c150_roots_of_one_step_in_order),
        cmocka_unit_test(c151_even_pair_in_one_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
