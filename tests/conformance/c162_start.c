/* tests/conformance/c162_start.c - consistent starts, problems 1 and 2 of [BHP98]: C162,
 * C163.
 *
 *     u' = -u + v,   0 = v^3 + v - u                                              */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "driving.h"

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g within %.1e", found, wanted, tolerance);
}

static int cubic(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] * y[1] * y[1] + y[1] - y[0];
    return DAEDAL_CALL_OK;
}

static const daedal_system SYSTEM = {.n = 2, .residual = cubic};

/* ---- C162: u given ---------------------------------------------------------------------- */

static void c162_states_given(void **state)
{
    (void)state;
    const double guesses[] = {1.0, 0.0, 0.5, 50.0, -50.0, 1e4};
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
        const double y0[] = {2.0, guesses[i]};
        daedal_solver *s = start_solver(&SYSTEM, "start=states", 0.0, y0, NULL);
        const daedal_state *at = daedal_solver_state(s);
        assert_near(at->t, 0.0, 0.0); /* exactly at t0 */
        assert_near(at->y[0], 2.0, 0.0);
        assert_near(at->y[1], 1.0, 1e-12);
        assert_near(at->yp[0], -1.0, 1e-12);
        assert_near(at->yp[1], 0.0, 0.0);
        int32_t count;
        const daedal_moved *moved = daedal_solver_moved(s, &count);
        assert_int_equal(count, i == 0 ? 0 : 1); /* yp0 was not given, so cannot move */
        if (i > 0) {
            assert_int_equal(moved[0].variable, 1);
            assert_int_equal(moved[0].is_derivative, 0);
            assert_near(moved[0].from, guesses[i], 0.0);
            assert_near(moved[0].to, 1.0, 1e-12);
        }
        daedal_solver_free(s);
    }
}

/* h u' = -u + v: the artificial step h of [BHP98] is a unit of time here. */
static int in_units(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *h = user;
    (void)t;
    r[0] = *h * yp[0] + y[0] - y[1];
    r[1] = y[1] * y[1] * y[1] + y[1] - y[0];
    return DAEDAL_CALL_OK;
}

static int in_units_jacobian(double t, const double *y, const double *yp, double c, double *v,
                             void *user)
{
    const double *h = user;
    (void)t;
    (void)yp;
    v[0] = c * *h + 1.0;
    v[1] = -1.0;
    v[2] = -1.0;
    v[3] = 3.0 * y[1] * y[1] + 1.0;
    return DAEDAL_CALL_OK;
}

/* Newton iterations (each evaluates its Jacobian) of the start. */
static int64_t iterations_in_units(double h)
{
    const double y0[] = {2.0, 3.0};
    daedal_system sys = {.n = 2, .residual = in_units, .jacobian = in_units_jacobian, .user = &h};
    daedal_solver *s = start_solver(&sys, "", 0.0, y0, NULL);
    assert_near(daedal_solver_state(s)->y[1], 1.0, 1e-12);
    assert_near(h * daedal_solver_state(s)->yp[0], -1.0, 1e-12);
    int64_t count = daedal_solver_stats(s)->jacobians;
    daedal_solver_free(s);
    return count;
}

/* u' grows like 1/h, and with it the digits that the stopping rule asks of v: some more
 * iterations at roundoff level, but no slower ones.                               */
static void c162_rate_does_not_depend_on_h(void **state)
{
    (void)state;
    int64_t first = iterations_in_units(1e-2);
    assert_in_range(first, 3, 15);
    for (int i = 3; i <= 8; i++)
        assert_in_range(iterations_in_units(pow(10.0, -i)), first - 1, 2 * first);
}

/* atan needs the line search: from 50 the full Newton step goes ever further away. */
static int flat(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] + y[0] - y[1];
    r[1] = atan(y[1] - 1.0) - (y[0] - 2.0);
    return DAEDAL_CALL_OK;
}

static void c162_line_search(void **state)
{
    (void)state;
    daedal_system sys = {.n = 2, .residual = flat};
    const double guesses[] = {2.5, 10.0, 50.0, -50.0};
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
        const double y0[] = {2.0, guesses[i]};
        daedal_solver *s = start_solver(&sys, "", 0.0, y0, NULL);
        assert_near(daedal_solver_state(s)->y[1], 1.0, 1e-10);
        assert_near(daedal_solver_state(s)->yp[0], -1.0, 1e-10);
        daedal_solver_free(s);
    }
}

/* The run that follows stays on the constraint. */
static void c162_run_follows(void **state)
{
    (void)state;
    const double y0[] = {2.0, 50.0};
    daedal_solver *s = start_solver(&SYSTEM, "rtol=1e-8 atol=1e-10", 0.0, y0, NULL);
    assert_int_equal(daedal_solver_advance(s, 1.0), DAEDAL_OK);
    const double *y = daedal_solver_state(s)->y;
    /* v' = -v^3/(1 + 3 v^2) by separation: ln v^3 - 1/(2 v^2) = -t - 1/2 at v(0) = 1 */
    assert_near(3.0 * log(y[1]) - 0.5 / (y[1] * y[1]), -1.5, 1e-6);
    assert_near(y[1] * y[1] * y[1] + y[1], y[0], 1e-7);
    daedal_solver_free(s);
}

/* ---- C163: u' = v' = 0 -------------------------------------------------------------------- */

/* u = v and v^3 = 0: a threefold root with singular dF/dy, so that v is determined by F to
 * the cube root of roundoff only, and less by differences.  What is held, y' = 0, must not
 * move whatever the way the start is found.                                       */
static void c163_steady_state(void **state)
{
    (void)state;
    const double starts[][2] = {{2.0, 1.0}, {2.0, 50.0}, {-3.0, 0.1}, {0.0, 0.0}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        for (int given = 0; given <= 1; given++) {
            const double zero[] = {0.0, 0.0};
            daedal_solver *s =
                start_solver(&SYSTEM, "start=derivatives", 0.0, starts[i], given ? zero : NULL);
            const daedal_state *at = daedal_solver_state(s);
            for (int j = 0; j < 2; j++) {
                assert_near(at->yp[j], 0.0, 0.0);
                assert_near(at->y[j], 0.0, 1e-3);
            }
            assert_near(at->y[0] - at->y[1], 0.0, 1e-9);
            assert_int_equal(daedal_solver_diagnosis(s)->status, DAEDAL_OK);
            daedal_solver_free(s);
        }
}

/* Another slope: u' = -1 makes u = 2, v = 1 the solution. */
static void c163_given_slopes(void **state)
{
    (void)state;
    const double y0[] = {3.0, 3.0}, yp0[] = {-1.0, 0.0};
    daedal_solver *s = start_solver(&SYSTEM, "start=derivatives", 0.0, y0, yp0);
    assert_near(daedal_solver_state(s)->y[0], 2.0, 1e-12);
    assert_near(daedal_solver_state(s)->y[1], 1.0, 1e-12);
    assert_near(daedal_solver_state(s)->yp[0], -1.0, 0.0);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c162_states_given), cmocka_unit_test(c162_rate_does_not_depend_on_h),
        cmocka_unit_test(c162_line_search),  cmocka_unit_test(c162_run_follows),
        cmocka_unit_test(c163_steady_state), cmocka_unit_test(c163_given_slopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
