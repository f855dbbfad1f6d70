/* tests/property/test_radau_output.c - what a user of the method radau sees: output points,
 * event times and restarts as accurate as asked for, variables without y' resolved, systems of
 * index 2 and 3 integrated as they are, a user's own linear solver.               */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "harness.h"

/* y1' = w y2 q, y2' = -w y1 q, q = (1 + y1^2 + y2^2) / 2: sin wt, cos wt; z = y1 y2; and
 * y1 - 1/2 is an event.                                                          */
static const double W = 3.0;

static int wheel(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    double q = 0.5 * (1.0 + y[0] * y[0] + y[1] * y[1]);
    r[0] = yp[0] - W * y[1] * q;
    r[1] = yp[1] + W * y[0] * q;
    r[2] = y[2] - y[0] * y[1];
    return DAEDAL_CALL_OK;
}

static int crossing(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.5;
    return DAEDAL_CALL_OK;
}

static const double wheel_y0[] = {0.0, 1.0, 0.0};

/* Largest error at n output points over ten seconds, in tolerances. */
static double error_at_points(double rtol, int n, int64_t *steps)
{
    char options[96];
    daedal_system sys = {.n = 3, .residual = wheel};
    snprintf(options, sizeof options, "method=radau rtol=%g atol=%g", rtol, rtol);
    daedal_solver *s = start_solver(&sys, options, 0.0, wheel_y0, NULL);
    double worst = 0.0;
    for (int i = 1; i <= n; i++) {
        double t = 10.0 * i / n;
        expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
        assert_string_equal(daedal_solver_diagnosis(s)->message, "");
        assert_true(daedal_solver_state(s)->t == t);
        const double *y = daedal_solver_state(s)->y;
        worst = fmax(worst, fabs(y[0] - sin(W * t)));
        worst = fmax(worst, fabs(y[2] - 0.5 * sin(2.0 * W * t)));
    }
    *steps = daedal_solver_stats(s)->steps;
    daedal_solver_free(s);
    return worst / rtol;
}

static void test_output_points(void **state)
{
    (void)state;
    static const double rtols[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
    static const int points[] = {1, 7, 40, 400};
    for (size_t i = 0; i < COUNT(rtols); i++)
        for (size_t k = 0; k < COUNT(points); k++) {
            int64_t steps;
            double error = error_at_points(rtols[i], points[k], &steps);
            if (error > 60.0)
                fail_msg("rtol %g, %d points: off by %.1f tolerances", rtols[i], points[k], error);
            if (rtols[i] >= 1e-5) /* rough points are hit, not all of them */
                assert_true(steps < 200);
        }
}

/* sin wt = 1/2 at wt = pi/6, 5 pi/6 and so on; with a restart after every other event. */
static void check_events(double rtol, bool restart)
{
    char options[96];
    const double pi = 3.14159265358979323846;
    daedal_system sys = {.n = 3, .residual = wheel, .n_events = 1, .events = crossing};
    snprintf(options, sizeof options, "method=radau rtol=%g atol=%g", rtol, rtol);
    daedal_solver *s = start_solver(&sys, options, 0.0, wheel_y0, NULL);
    int count = 0;
    while (daedal_solver_state(s)->t < 10.0) {
        daedal_status status = daedal_solver_advance(s, 10.0);
        if (status != DAEDAL_EVENT)
            break;
        double when = (2.0 * pi * (count / 2) + (count % 2 ? 5.0 * pi / 6.0 : pi / 6.0)) / W;
        if (!(fabs(daedal_solver_state(s)->t - when) < 30.0 * rtol))
            fail_msg("rtol %g, event %d at %.12g, not %.12g", rtol, count,
                     daedal_solver_state(s)->t, when);
        assert_int_equal(daedal_solver_state(s)->event[0], count % 2 ? -1 : 1);
        count++;
        if (restart && count % 2)
            expect_status(s, daedal_solver_restart(s, NULL, NULL), DAEDAL_OK);
    }
    assert_int_equal(count, 10);
    expect_near(daedal_solver_state(s)->y[0], sin(30.0), 50.0 * rtol);
    daedal_solver_free(s);
}

static void test_events(void **state)
{
    (void)state;
    for (double rtol = 1e-3; rtol > 1e-11; rtol *= 0.1) {
        check_events(rtol, false);
        check_events(rtol, true);
    }
}

/* z = sin 20t has no dynamics, and y none of interest: steps must follow z all the same, or
 * its events are lost.                                                            */
static int signal(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + 0.1 * y[0];
    r[1] = y[1] - sin(20.0 * t);
    return DAEDAL_CALL_OK;
}

static int of_signal(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[1] - 0.3;
    return DAEDAL_CALL_OK;
}

static void test_algebraic_variables_are_followed(void **state)
{
    (void)state;
    static const double y0[] = {1.0, 0.0};
    daedal_system sys = {.n = 2, .residual = signal, .n_events = 1, .events = of_signal};
    daedal_solver *s = start_solver(&sys, "method=radau rtol=1e-6 atol=1e-6", 0.0, y0, NULL);
    int count = 0;
    while (daedal_solver_advance(s, 10.0) == DAEDAL_EVENT) {
        expect_near(sin(20.0 * daedal_solver_state(s)->t), 0.3,
                    1e-3); /* 1e-4 with most roundings */
        count++;
    }
    expect_near(daedal_solver_state(s)->t, 10.0, 0.0);
    assert_int_equal(count, 64); /* 31.8 periods, the last one up and down */
    daedal_solver_free(s);
}

/* A pendulum in Cartesian coordinates with the constraint on positions (index 3) or on
 * velocities (index 2): x, y, u, v, lambda; g = 9.81.                             */
static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    const int *level = user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = *level == 3 ? y[0] * y[0] + y[1] * y[1] - 1.0 : y[0] * y[2] + y[1] * y[3];
    return DAEDAL_CALL_OK;
}

static void test_high_index_as_it_is(void **state)
{
    (void)state;
    static const int32_t index3[] = {1, 1, 2, 2, 3}, index2[] = {1, 1, 1, 1, 2};
    static const double y0[] = {1.0, 0.0, 0.0, 0.0, 0.0}, yp0[] = {0.0, 0.0, 0.0, -9.81, 0.0};
    /* at t = 10, by Runge-Kutta in long double with two step sizes that agree to 1e-15 */
    static const double end[] = {0.275087462576116, -0.961419205099125};
    static const double rtols[] = {1e-4, 1e-6, 1e-8};
    for (int level = 2; level <= 3; level++)
        for (size_t k = 0; k < COUNT(rtols); k++) {
            char options[96];
            daedal_system sys = {.n = 5,
                                 .residual = pendulum,
                                 .variable_index = {level == 3 ? index3 : index2, 5},
                                 .user = &level};
            snprintf(options, sizeof options, "method=radau start=given rtol=%g atol=%g", rtols[k],
                     rtols[k]);
            daedal_solver *s = start_solver(&sys, options, 0.0, y0, yp0);
            expect_status(s, daedal_solver_advance(s, 10.0), DAEDAL_OK);
            const double *y = daedal_solver_state(s)->y;
            double error = fmax(fabs(y[0] - end[0]), fabs(y[1] - end[1]));
            if (!(error < 300.0 * rtols[k]) || daedal_solver_stats(s)->steps > 1000)
                fail_msg("index %d, rtol %g: error %.3g in %d steps", level, rtols[k], error,
                         (int)daedal_solver_stats(s)->steps);
            daedal_solver_free(s);
        }
}

/* A restart with a jump: the steps before were long, what follows is a transient of 1e-3.  It
 * must be seen, at the points asked for.                                          */
static int jumping(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *target = user;
    r[0] = yp[0] + 1e3 * (y[0] - *target);
    r[1] = yp[1] - cos(t);
    r[2] = y[2] - y[0] * y[1];
    return DAEDAL_CALL_OK;
}

static void check_transient(double rtol, double dt)
{
    static const double y0[] = {0.0, 0.0, 0.0};
    char options[96];
    double target = 0.0;
    daedal_system sys = {.n = 3, .residual = jumping, .user = &target};
    snprintf(options, sizeof options, "method=radau rtol=%g atol=%g", rtol, rtol);
    daedal_solver *s = start_solver(&sys, options, 0.0, y0, NULL);
    for (int k = 1; k <= 4; k++) {
        expect_status(s, daedal_solver_advance(s, k), DAEDAL_OK);
        double before = daedal_solver_state(s)->y[0];
        target = k % 2;
        expect_status(s, daedal_solver_restart(s, NULL, NULL), DAEDAL_OK);
        for (int i = 1; i <= 20; i++) {
            expect_status(s, daedal_solver_advance(s, k + i * dt), DAEDAL_OK);
            double wanted = target + (before - target) * exp(-1e3 * i * dt);
            expect_near(daedal_solver_state(s)->y[0], wanted, 5.0 * rtol);
        }
    }
    assert_true(daedal_solver_stats(s)->steps < 200);
    daedal_solver_free(s);
}

static void test_transients_after_restarts(void **state)
{
    (void)state;
    for (double rtol = 1e-3; rtol > 1e-10; rtol *= 0.1)
        for (double dt = 1e-4; dt < 0.02; dt *= 10.0)
            check_transient(rtol, dt);
}

/* x' = -lambda (x - s(t)) + s'(t) beside a slow variable and z = 10 x: where h lambda is some
 * hundreds, x has the order of the error estimate only, and z ten times its error.  */
static int follower(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *lambda = user;
    r[0] = yp[0] + *lambda * (y[0] - sin(2.0 * t)) - 2.0 * cos(2.0 * t);
    r[1] = yp[1] - cos(t) + y[1] - sin(t);
    r[2] = y[2] - 10.0 * y[0];
    return DAEDAL_CALL_OK;
}

static void test_stiff_components(void **state)
{
    (void)state;
    static const double y0[] = {0.0, 0.0, 0.0};
    for (double rtol = 1e-4; rtol > 1e-11; rtol *= 0.1)
        for (double lambda = 30.0; lambda < 1e7; lambda *= 3.0) {
            char options[96];
            daedal_system sys = {.n = 3, .residual = follower, .user = &lambda};
            snprintf(options, sizeof options, "method=radau rtol=%g atol=%g", rtol, rtol);
            daedal_solver *s = start_solver(&sys, options, 0.0, y0, NULL);
            for (int k = 1; k <= 50; k++) {
                expect_status(s, daedal_solver_advance(s, 0.13 * k), DAEDAL_OK);
                double x = sin(0.26 * k);
                const double *y = daedal_solver_state(s)->y;
                expect_near(y[0], x, 50.0 * rtol);
                expect_near(y[2], 10.0 * x, 500.0 * rtol);
            }
            assert_true(daedal_solver_stats(s)->steps < 200);
            daedal_solver_free(s);
        }
}

/* Complex matrices by a real solver that is not one of ours. */
static void test_own_linear_solver(void **state)
{
    (void)state;
    daedal_linsolver own = *daedal_linsolver_dense();
    daedal_system sys = {.n = 3, .residual = wheel};
    daedal_options opt = options_of("method=radau rtol=1e-8 atol=1e-8");
    opt.linsolver = &own;
    daedal_solver *s = started(&sys, &opt, 0.0, wheel_y0, NULL);
    expect_status(s, daedal_solver_advance(s, 10.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], sin(30.0), 3e-7);
    daedal_solver_free(s);
}

/* A start that violates an algebraic equation is named, not mended by the way. */
static void test_inconsistent_start(void **state)
{
    (void)state;
    static const double y0[] = {0.0, 1.0, 0.5}, yp0[] = {3.0, 0.0, 0.0};
    daedal_system sys = {.n = 3, .residual = wheel};
    daedal_solver *s = start_solver(&sys, "method=radau start=given", 0.0, y0, yp0);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_ERR_INCONSISTENT);
    assert_int_equal(daedal_solver_diagnosis(s)->variable, 2);
    daedal_solver_free(s);
}

/* min_step, max_step and bounds are kept. */
static void test_limits(void **state)
{
    (void)state;
    daedal_system sys = {.n = 3, .residual = wheel};
    daedal_solver *s = start_solver(&sys, "method=radau max_step=0.01", 0.0, wheel_y0, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    assert_in_range(daedal_solver_stats(s)->steps, 100, 110);
    daedal_solver_free(s);
    s = start_solver(&sys, "method=radau rtol=1e-10 atol=1e-10 min_step=3 first_step=3", 0.0,
                     wheel_y0, NULL);
    expect_status(s, daedal_solver_advance(s, 30.0), DAEDAL_ERR_STEP_TOO_SMALL);
    daedal_solver_free(s);
    s = start_solver(&sys, "method=radau order_max=5 rtol=1e-11 atol=1e-11", 0.0, wheel_y0, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    assert_int_equal(daedal_solver_stats(s)->order_last, 5);
    daedal_solver_free(s);
    s = start_solver(&sys, "method=radau order_max=1 rtol=1e-2 atol=1e-2", 0.0, wheel_y0, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    assert_int_equal(daedal_solver_stats(s)->order_last, 1);
    expect_near(daedal_solver_state(s)->y[0], sin(3.0), 0.1);
    daedal_solver_free(s);
}

/* A step that cannot be taken again with its end elsewhere stays as it was. */
static int wheel_until_stuck(double t, const double *y, const double *yp, double *r, void *user)
{
    const bool *stuck = user;
    return *stuck ? DAEDAL_CALL_RETRY : wheel(t, y, yp, r, NULL);
}

static void test_shortened_in_vain(void **state)
{
    (void)state;
    bool stuck = false, done = true;
    double y[3], yp[3], inside[3], again[3];
    kernel k;
    daedal_system sys = {.n = 3, .residual = wheel_until_stuck, .user = &stuck};
    kernel_open(&k, &sys, "method=radau rtol=1e-6", 0.0, wheel_y0, NULL);
    const method *radau = k.run.method;
    for (int i = 0; i < 5; i++)
        assert_int_equal(radau->step(k.run.integrator, 1.0), DAEDAL_OK);
    integ_view before = radau->view(k.run.integrator);
    double middle = 0.5 * (before.t + before.t_before);
    memcpy(y, before.y, sizeof y);
    memcpy(yp, before.yp, sizeof yp);
    radau->interpolate(k.run.integrator, middle, inside, NULL);
    stuck = true;
    assert_int_equal(radau->shorten_step(k.run.integrator, middle, &done), DAEDAL_OK);
    assert_false(done);
    stuck = false;
    integ_view after = radau->view(k.run.integrator);
    assert_true(after.t == before.t && after.t_before == before.t_before);
    assert_memory_equal(after.y, y, sizeof y);
    assert_memory_equal(after.yp, yp, sizeof yp);
    radau->interpolate(k.run.integrator, middle, again, NULL);
    assert_memory_equal(again, inside, sizeof inside);
    assert_int_equal(radau->step(k.run.integrator, 1.0), DAEDAL_OK);
    after = radau->view(k.run.integrator);
    expect_near(after.y[0], sin(W * after.t), 1e-5);
    kernel_close(&k);
}

/* A force keeps x = exp(-(t / w)^2): beside a constant load it grows a thousandfold and more within
 * some steps, and the hidden constraints hold.  Nothing runs away there. */
static int pulse(double t, const double *y, const double *yp, double *r, void *user)
{
    double z = t / *(double *)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2] + 10.0;
    r[2] = y[0] - exp(-z * z);
    return DAEDAL_CALL_OK;
}

static void test_forces_may_grow_suddenly(void **state)
{
    static const double widths[] = {0.3, 1e-2, 5e-3, 2e-3, 1e-3};
    static const char *const methods[] = {"auto", "radau"};
    (void)state;
    for (size_t k = 0; k < 2 * COUNT(widths); k++) {
        double w = widths[k / 2], begin = -20.0 * w, y0[3] = {0.0, 0.0, 10.0};
        char options[96];
        snprintf(options, sizeof options, "method=%s rtol=1e-5 atol=1e-7 max_step=%g",
                 methods[k % 2], w / 8.0);
        daedal_system sys = {.n = 3, .residual = pulse, .user = &w};
        daedal_solver *s = start_solver(&sys, options, begin, y0, NULL);
        for (int i = 1; i <= 40; i++) {
            double t = begin + i * w, z = t / w, x = exp(-z * z);
            expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
            expect_near(daedal_solver_state(s)->y[2], 10.0 + (4.0 * z * z - 2.0) * x / (w * w),
                        1e-3 * (10.0 + 2.0 / (w * w)));
        }
        daedal_solver_free(s);
    }
}

/* [BCP96] (3.1.13), on which difference methods are unstable, in a unit of y. */
typedef struct unstable_case {
    double eta, unit, tol;
    bool single;
} unstable_case;

static int unstable(double t, const double *y, const double *yp, double *r, void *user)
{
    const unstable_case *of = user;
    r[0] = (y[0] + of->eta * t * y[1]) / of->unit - sin(t) - 0.5;
    r[1] = (yp[0] + of->eta * t * yp[1] + (1.0 + of->eta) * y[1]) / of->unit;
    return DAEDAL_CALL_OK;
}

static void of_unstable(const unstable_case *of, double t, double *y)
{
    y[0] = of->unit * (sin(t) + 0.5 + of->eta * t * cos(t));
    y[1] = of->unit * -cos(t);
}

static void unstable_run(unstable_case of)
{
    const double allowed = 1e3, t_end = 3.0;
    double y[2];
    daedal_system sys = {.n = 2, .residual = unstable, .user = &of};
    daedal_options opt = defaults_with(of.tol, of.tol * of.unit);
    assert_int_equal(daedal_options_set(&opt, "method", "radau"), DAEDAL_OK);
    of_unstable(&of, 0.0, y);
    daedal_solver *s = started(&sys, &opt, 0.0, y, NULL);
    const daedal_state *now = daedal_solver_state(s);
    daedal_status status = DAEDAL_OK;
    while (status == DAEDAL_OK && now->t < t_end) {
        status = of.single ? daedal_solver_step(s, t_end) : daedal_solver_advance(s, t_end);
        of_unstable(&of, now->t, y);
        for (int j = 0; j < 2; j++)
            expect_near(now->y[j], y[j], allowed * of.tol * (of.unit + fabs(y[j])));
    }
    assert_true(status >= 0 || daedal_solver_diagnosis(s)->message[0] != '\0');
    daedal_solver_free(s);
}

/* Step by step and in one go, in any unit, what is shown is a state of the solution at its time. */
static void test_states_of_unstable_systems(void **state)
{
    static const double etas[] = {-2.0, -1.0, -0.25, 2.0}, units[] = {1e-6, 1.0, 1e6};
    (void)state;
    for (size_t k = 0; k < COUNT(etas) * COUNT(units); k++)
        for (double tol = 1e-4; tol > 1e-7; tol *= 1e-2)
            for (int single = 0; single < 2; single++)
                unstable_run((unstable_case){etas[k % 4], units[k / 4], tol, single});
}

/* ---- multipliers ---- */

/* A double pendulum of index 3: places, velocities, two multipliers; lengths 1 and 0.8, masses 1
 * and 0.5. */
static int double_pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    const double g = 9.81, dx = y[2] - y[0], dz = y[3] - y[1];
    for (int i = 0; i < 4; i++)
        r[i] = yp[i] - y[4 + i];
    r[4] = yp[4] + y[8] * y[0] - y[9] * dx;
    r[5] = yp[5] + g + y[8] * y[1] - y[9] * dz;
    r[6] = 0.5 * yp[6] + y[9] * dx;
    r[7] = 0.5 * (yp[7] + g) + y[9] * dz;
    r[8] = y[0] * y[0] + y[1] * y[1] - 1.0;
    r[9] = dx * dx + dz * dz - 0.64;
    return DAEDAL_CALL_OK;
}

/* After two seconds: the reduced equations by two methods, which agree to 4e-10. */
static const double double_pendulum_end[] = {
    -0.5144411021, -0.8575257153, -0.1446003042, -1.5669041645, 4.3491125328,
    -2.6090905550, -0.7973612261, -5.2922506704, 45.6215730439, 27.4779119172};

/* The iteration error of Newton's method in the stages reaches velocities and multipliers
 * multiplied by 1/h and 1/h^2.  A single run may be accurate by chance; the mean of many tells. */
static void test_multipliers(void **state)
{
    (void)state;
    enum { RUNS = 17, N = 10 };
    static const double y0[N] = {1.0, 0.0, 1.0, 0.8};
    daedal_system sys = {.n = N, .residual = double_pendulum};
    double digits_lost = 0.0;
    for (int k = 0; k < RUNS; k++) {
        double rtol = pow(10.0, -5.0 - 3.0 * k / (RUNS - 1.0)), y[N], worst = 0.0;
        char options[96];
        snprintf(options, sizeof options, "method=radau rtol=%g atol=%g", rtol, 1e-3 * rtol);
        solve_to(&sys, options, 0.0, y0, 2.0, y);
        for (int i = 0; i < N; i++)
            worst = fmax(worst, fabs(y[i] - double_pendulum_end[i]) / fabs(double_pendulum_end[i]));
        digits_lost += log10(worst / rtol) / RUNS;
    }
    if (!(digits_lost < 1.05))
        fail_msg("off by %.1f tolerances in the geometric mean", pow(10.0, digits_lost));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_points),
        cmocka_unit_test(test_forces_may_grow_suddenly),
        cmocka_unit_test(test_states_of_unstable_systems),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_algebraic_variables_are_followed),
        cmocka_unit_test(test_high_index_as_it_is),
        cmocka_unit_test(test_multipliers),
        cmocka_unit_test(test_transients_after_restarts),
        cmocka_unit_test(test_stiff_components),
        cmocka_unit_test(test_own_linear_solver),
        cmocka_unit_test(test_inconsistent_start),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_shortened_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
