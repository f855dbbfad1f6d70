/* tests/property/test_constrained_sensitivities.c - derivatives by parameters of a system whose
 * steps are moved onto a constraint that contains a parameter, and of the times of its events,
 * beside their formulas.                                                                 */
#include <math.h>
#include <string.h>

#include "driving.h"
#include "harness.h"

/* x' = p v, v' = -p x on the circle of radius a: x = a cos pt, v = -a sin pt; an event at x = 0.3.
 */
static double rate, radius;
static double *const PLACES[] = {&rate, &radius};
static const double LEVEL = 0.3;

static int turn(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - rate * y[1];
    r[1] = yp[1] + rate * y[0];
    return 0;
}

/* The call of a function of the constraint that is answered by RETRY, from 1; 0: none. */
static long calls, retried;

static int answer(void)
{
    return ++calls == retried ? DAEDAL_CALL_RETRY : DAEDAL_CALL_OK;
}

static int circle(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = y[0] * y[0] + y[1] * y[1] - radius * radius;
    return answer();
}

static int circle_slopes(double t, const double *y, double *values, void *user)
{
    (void)t, (void)user;
    values[0] = 2.0 * y[0];
    values[1] = 2.0 * y[1];
    return answer();
}

static int circle_by_parameters(double t, const double *y, double *values, void *user)
{
    (void)t, (void)y, (void)user;
    values[0] = 0.0;
    values[1] = -2.0 * radius;
    return answer();
}

static int level(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - LEVEL;
    return 0;
}

static const int32_t START[] = {0, 1, 2}, ROW[] = {0, 0};
static const daedal_pattern PATTERN = {1, 2, START, ROW};

static daedal_system system_with(bool derivative, bool parameters)
{
    daedal_system sys = {.n = 2,
                         .residual = turn,
                         .n_events = 1,
                         .events = level,
                         .n_constraints = 1,
                         .constraints = circle,
                         .constraint_jacobian = circle_slopes,
                         .constraint_pattern = &PATTERN};
    if (parameters) {
        sys.n_parameters = 2;
        sys.parameters = PLACES;
        sys.constraint_parameter_derivative = derivative ? circle_by_parameters : NULL;
    }
    return sys;
}

static void check_values(daedal_solver *s, double tol)
{
    const daedal_state *now = daedal_solver_state(s);
    double x = cos(rate * now->t), v = -sin(rate * now->t), t = now->t;
    const double by_rate[] = {radius * t * v, -radius * t * x}, by_radius[] = {x, v};
    const double *found;
    expect_near(now->y[0], radius * x, tol);
    expect_near(now->y[1], radius * v, tol);
    expect_near(now->y[0] * now->y[0] + now->y[1] * now->y[1], radius * radius, 1e-9);
    assert_int_equal(daedal_solver_sensitivity(s, 0, &found, NULL), DAEDAL_OK);
    for (int i = 0; i < 2; i++)
        expect_near(found[i], by_rate[i], tol * (1.0 + t));
    assert_int_equal(daedal_solver_sensitivity(s, 1, &found, NULL), DAEDAL_OK);
    for (int i = 0; i < 2; i++)
        expect_near(found[i], by_radius[i], tol * (1.0 + t));
}

static void check_event(daedal_solver *s, double tol)
{
    double share = LEVEL / radius, root = acos(share) / rate, by[2];
    const daedal_state *now = daedal_solver_state(s);
    if (now->t > root + 1.0 / rate)
        return;
    expect_near(now->t, root, tol);
    assert_int_equal(daedal_solver_event_sensitivity(s, 0, by), DAEDAL_OK);
    expect_near(by[0], -root / rate, 10.0 * tol);
    expect_near(by[1], share / radius / sqrt(1.0 - share * share) / rate, 10.0 * tol);
}

static const struct {
    const char *options;
    double tol;
} METHODS[] = {{"method=bdf rtol=1e-7", 1e-4},
               {"method=radau rtol=1e-7", 1e-4},
               {"method=bdf rtol=1e-6 constraint_method=project", 1e-3}};

static void test_derivatives(void **state)
{
    (void)state;
    const double values[][2] = {{2.0, 1.5}, {0.7, 0.8}};
    for (size_t k = 0; k < COUNT(METHODS); k++)
        for (int way = 0; way < 4; way++) {
            rate = values[way % 2][0];
            radius = values[way % 2][1];
            daedal_system sys = system_with(way / 2, true);
            daedal_options opt = options_of(METHODS[k].options);
            opt.atol = 1e-9;
            daedal_solver *s = solver_of(&sys, &opt);
            const double y0[] = {radius, 0.0}, by_radius[] = {1.0, 0.0};
            assert_int_equal(daedal_solver_set_sensitivity(s, 1, by_radius), DAEDAL_OK);
            expect_status(s, daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
            int events = 0;
            for (int q = 1; q <= 8; q++) {
                daedal_status status;
                while ((status = daedal_solver_advance(s, 0.5 * q)) == DAEDAL_EVENT) {
                    check_event(s, METHODS[k].tol);
                    events++;
                }
                expect_status(s, status, DAEDAL_OK);
                check_values(s, METHODS[k].tol);
                double by[2]; /* there is no event here */
                assert_true(daedal_solver_event_sensitivity(s, 0, by) < 0);
            }
            assert_true(events > 0);
            while (daedal_solver_advance(s, 40.0) != DAEDAL_EVENT)
                assert_true(daedal_solver_state(s)->t < 40.0);
            double by[2]; /* nor behind a restart, nor another event */
            assert_true(daedal_solver_event_sensitivity(s, 1, by) < 0);
            assert_true(daedal_solver_event_sensitivity(s, 0, by) == DAEDAL_OK);
            expect_status(s, daedal_solver_restart(s, daedal_solver_state(s)->y, NULL), DAEDAL_OK);
            assert_true(daedal_solver_event_sensitivity(s, 0, by) < 0);
            daedal_solver_free(s);
        }
}

/* Events inside steps, with every way to keep the constraint: the times are right, and so is what
 * follows.                                                                       */
static void test_events(void **state)
{
    (void)state;
    static const char *const ways[] = {"method=radau constraint_method=ggl rtol=1e-7",
                                       "method=bdf constraint_method=ggl rtol=1e-7",
                                       "method=radau constraint_method=project rtol=1e-7",
                                       "method=radau constraint_method=dummy rtol=1e-7",
                                       "method=dopri constraint_method=project rtol=1e-7",
                                       "method=rodas constraint_method=project rtol=1e-7",
                                       "method=limex constraint_method=project rtol=1e-7",
                                       "method=limex constraint_method=ggl rtol=1e-7"};
    rate = 2.0;
    radius = 1.5;
    for (size_t k = 0; k < COUNT(ways); k++) {
        daedal_system sys = system_with(false, false);
        daedal_options opt = options_of(ways[k]);
        opt.atol = 1e-9;
        const double y0[] = {radius, 0.0}, turned = 2.0 * acos(-1.0);
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        int events = 0;
        daedal_status status;
        while ((status = daedal_solver_advance(s, 6.0)) == DAEDAL_EVENT) {
            const daedal_state *now = daedal_solver_state(s);
            double angle = fmod(rate * now->t, turned), first = acos(LEVEL / radius);
            expect_near(angle, events % 2 ? turned - first : first, 1e-4);
            assert_int_equal(now->event[0], events % 2 ? 1 : -1);
            events++;
        }
        expect_status(s, status, DAEDAL_OK);
        assert_int_equal(events, 4);
        expect_near(daedal_solver_state(s)->y[0], radius * cos(rate * 6.0), 1e-4);
        daedal_solver_free(s);
    }
}

/* A function of the constraint that once has no value: the run fails, or all values are right. */
static void test_retries(void **state)
{
    (void)state;
    rate = 2.0;
    radius = 1.5;
    for (size_t k = 0; k < COUNT(METHODS); k++) {
        bool reached = true;
        for (long which = 1; reached; which += 1 + which / 30) {
            daedal_system sys = system_with(true, true);
            daedal_options opt = options_of(METHODS[k].options);
            opt.atol = 1e-9;
            daedal_solver *s = solver_of(&sys, &opt);
            const double y0[] = {radius, 0.0}, by_radius[] = {1.0, 0.0}, *found;
            assert_int_equal(daedal_solver_set_sensitivity(s, 1, by_radius), DAEDAL_OK);
            calls = 0;
            retried = which;
            daedal_status status = daedal_solver_start(s, 0.0, y0, NULL);
            while (status >= 0 && daedal_solver_state(s)->t < 1.0)
                status = daedal_solver_advance(s, 1.0);
            if (status >= 0 && daedal_solver_sensitivity(s, 0, &found, NULL) == DAEDAL_OK)
                check_values(s, METHODS[k].tol);
            reached = calls >= which;
            daedal_solver_free(s);
        }
    }
    retried = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_derivatives),
                                       cmocka_unit_test(test_events),
                                       cmocka_unit_test(test_retries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
