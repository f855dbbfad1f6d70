/* tests/property/test_step_interior.c - what lies between the points of a step is not missed: a
 * forcing far faster than the length of the run lets expect, and corners of functions that nothing
 * declares. */
#include <math.h>

#include "harness.h"

static int forced(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + 1e3 * (y[0] - cos(50.0 * t));
    return 0;
}

static double forced_solution(double t)
{
    double a = 1e6 / (1e6 + 2500.0), b = 5e4 / (1e6 + 2500.0);
    return a * cos(50.0 * t) + b * sin(50.0 * t);
}

/* The run is 1e9 long, and takes its steps as long as the forcing lets it. */
static void test_aliased_forcing(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "bdf", "radau", "rodas", "limex"};
    const double t_end = 1e9, y0 = 1.0;
    daedal_system sys = {.n = 1, .residual = forced};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        daedal_options opt = defaults_with(1e-4, 1e-7);
        assert_int_equal(daedal_options_set(&opt, "method", methods[k]), DAEDAL_OK);
        daedal_solver *s = started(&sys, &opt, 0.0, &y0, NULL);
        assert_int_equal(daedal_solver_set_stop_time(s, t_end), DAEDAL_OK);
        for (int i = 0; i < 200; i++) {
            assert_true(daedal_solver_step(s, t_end) >= 0);
            const daedal_state *now = daedal_solver_state(s);
            if (now->t > 0.02)
                assert_true(fabs(now->y[0] - forced_solution(now->t)) < 1e-2);
        }
        assert_true(daedal_solver_state(s)->t < 1e3);
        daedal_solver_free(s);
    }
}

typedef struct corners {
    double frequency;
} corners;

static int cornered(double t, const double *y, const double *yp, double *r, void *user)
{
    const corners *c = user;
    (void)y;
    r[0] = yp[0] - fabs(cos(c->frequency * t + 0.3));
    return 0;
}

/* The integral of |cos| from -pi/2 to x. */
static double integral(double x)
{
    double pi = acos(-1.0), turned = x + 0.5 * pi, k = floor(turned / pi);
    return 2.0 * k + 1.0 - cos(turned - k * pi);
}

/* Thirty corners and a hundred, each of which an error estimate may miss by chance. */
static void test_corners_of_functions(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "radau", "rodas", "limex", "dopri"};
    const double t_end = 100.0, y0 = 0.0;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (double tol = 1e-4; tol > 0.9e-8; tol *= 0.01)
            for (double w = 1.0; w < 4.0; w += 2.0) {
                corners c = {w};
                daedal_system sys = {.n = 1, .residual = cornered, .user = &c};
                daedal_options opt = defaults_with(tol, 1e-3 * tol);
                assert_int_equal(daedal_options_set(&opt, "method", methods[k]), DAEDAL_OK);
                daedal_solver *s = started(&sys, &opt, 0.0, &y0, NULL);
                expect_status(s, daedal_solver_advance(s, t_end), DAEDAL_OK);
                double y = (integral(w * t_end + 0.3) - integral(0.3)) / w;
                double off = fabs(daedal_solver_state(s)->y[0] - y) / (tol * y);
                if (off > 400.0) /* errors of a hundred corners add up */
                    fail_msg("%s, rtol %g, frequency %g: off by %g tolerances", methods[k], tol, w,
                             off);
                daedal_solver_free(s);
            }
}

typedef struct pulse {
    double rate, steepness;
} pulse;

/* y follows a smooth pulse in the middle of the run, and x sums it up. */
static int pulsed(double t, const double *y, const double *yp, double *r, void *user)
{
    const pulse *p = user;
    double s = p->steepness * (t - 5.0);
    r[0] = yp[0] + p->rate * (y[0] - exp(-s * s));
    r[1] = yp[1] - y[0] + 0.1 * y[1];
    return 0;
}

/* A smooth pulse is seen by F inside a step too; it must not be mistaken for something missed,
 * which costs short steps behind it.  x is the integral of the pulse times exp(-0.1 (T - t)). */
static void test_smooth_pulses(void **state)
{
    (void)state;
    const double t_end = 30.0, y0[2] = {0.0, 0.0}, tol = 1e-6, pi = acos(-1.0);
    for (double rate = 1.0; rate < 2e2; rate *= 10.0) {
        pulse p = {rate, 0.9};
        daedal_system sys = {.n = 2, .residual = pulsed, .user = &p};
        daedal_options opt = defaults_with(tol, tol);
        assert_int_equal(daedal_options_set(&opt, "method", "radau"), DAEDAL_OK);
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        expect_status(s, daedal_solver_advance(s, t_end), DAEDAL_OK);
        double shift = 0.05 / p.steepness, lag = 1.0 - 0.1 / rate;
        double exact = exp(-2.5 + shift * shift) * sqrt(pi) / (p.steepness * lag);
        assert_true(fabs(daedal_solver_state(s)->y[1] - exact) < 10.0 * tol);
        assert_true(daedal_solver_stats(s)->steps < 30);
        daedal_solver_free(s);
    }
}

typedef struct trial {
    const char *method;
    double tol;
    int points;
} trial;

/* The largest error at output points, in tolerances for a solution of about `size`. */
static double error_of_trial(const trial *x, daedal_residual_fn *f, double t_end, double size,
                             double (*truth)(double t))
{
    const double y0 = 0.0;
    double worst = 0.0;
    daedal_system sys = {.n = 1, .residual = f};
    daedal_options opt = defaults_with(x->tol, x->tol);
    assert_int_equal(daedal_options_set(&opt, "method", x->method), DAEDAL_OK);
    daedal_solver *s = started(&sys, &opt, 0.0, &y0, NULL);
    for (int k = 1; k <= x->points; k++) {
        double t = t_end * k / x->points;
        expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
        worst = fmax(worst, fabs(daedal_solver_state(s)->y[0] - truth(t)));
    }
    daedal_solver_free(s);
    return worst / (x->tol * (1.0 + size));
}

static void try_all(daedal_residual_fn *f, double t_end, double size, double (*truth)(double t))
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodas", "limex", "dopri"};
    static const int points[] = {1, 7, 200};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (double tol = 1e-4; tol > 0.9e-8; tol *= 0.01)
            for (int k = 0; k < 3; k++) {
                trial x = {methods[m], tol, points[k]};
                double error = error_of_trial(&x, f, t_end, size, truth);
                if (error > 100.0)
                    fail_msg("%s, rtol %g, %d points: off by %g tolerances", x.method, tol,
                             points[k], error);
            }
}

static const double RATE = 0.01, WIDTH = 0.1, CENTRE = 5.3;

static int awakened(double t, const double *y, const double *yp, double *r, void *user)
{
    double s = (t - CENTRE) / WIDTH;
    (void)user;
    r[0] = yp[0] + RATE * y[0] - exp(-s * s);
    return 0;
}

static double awakened_truth(double t)
{
    double shift = 0.5 * RATE * WIDTH, middle = CENTRE + shift * WIDTH;
    double part = erf((t - middle) / WIDTH) + erf(middle / WIDTH);
    return 0.5 * sqrt(acos(-1.0)) * WIDTH * exp(-RATE * (t - CENTRE) + shift * shift) * part;
}

/* Before the pulse the solution rests, and nothing limits the steps. */
static void test_pulse_after_rest(void **state)
{
    (void)state;
    try_all(awakened, 20.0, 0.2, awakened_truth);
    try_all(awakened, 100.0, 0.2, awakened_truth);
}

/* Oxygen and ozone under the light of the sun, with rates of the size of those in the stratosphere.
 */
static int daylight(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double sun = sin(acos(-1.0) / 43200.0 * t), oxygen = 3.7e16;
    double ozone_light = sun > 0.0 ? exp(-22.62 / sun) : 0.0;
    double oxygen_light = sun > 0.0 ? exp(-7.6 / sun) : 0.0;
    double made = 1.63e-16 * y[0] * oxygen, lost = 4.66e-16 * y[0] * y[1];
    r[0] = yp[0] + made + lost - 2e-6 * oxygen_light * oxygen - ozone_light * y[1];
    r[1] = yp[1] - made + lost + ozone_light * y[1];
    return 0;
}

/* After a step was taken again the next one does not ask for the same size at once.  The light
 * begins so suddenly that many steps are taken again: half of all attempts without that. */
static void test_growth_after_refusals(void **state)
{
    (void)state;
    const double y0[] = {1e6, 1e12}, yp0[] = {0.0, 0.0}, ozone = 2.72398283e12;
    daedal_system sys = {.n = 2, .residual = daylight};
    int64_t steps = 0, rejected = 0;
    for (int k = 2; k <= 8; k++) {
        const double rtol = pow(10.0, -k), t_end = 302400.0;
        daedal_options opt = defaults_with(rtol, rtol);
        assert_int_equal(daedal_options_set(&opt, "method", "radau"), DAEDAL_OK);
        assert_int_equal(daedal_options_set(&opt, "start", "states"), DAEDAL_OK);
        daedal_solver *s = started(&sys, &opt, 0.0, y0, yp0);
        expect_status(s, daedal_solver_advance(s, t_end), DAEDAL_OK);
        assert_true(fabs(daedal_solver_state(s)->y[1] - ozone) <= fmax(rtol, 1e-7) * ozone);
        steps += daedal_solver_stats(s)->steps;
        rejected += daedal_solver_stats(s)->rejected_error;
        daedal_solver_free(s);
    }
    if (100 * rejected > 45 * steps)
        fail_msg("%d attempts rejected in %d steps", (int)rejected, (int)steps);
}

/* +-1 with this period, which nothing declares. */
static double PERIOD;

static int switched(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)y, (void)user;
    double turns = t / PERIOD;
    r[0] = yp[0] - (turns - floor(turns) < 0.5 ? 1.0 : -1.0);
    return 0;
}

static double switched_truth(double t)
{
    double turns = t / PERIOD, part = turns - floor(turns);
    return PERIOD * fmin(part, 1.0 - part);
}

/* Between two jumps y' is constant, and steps grow until they are longer than the period.  A method
 * may be led astray where jumps happen to fall between all the places at which it evaluates F, but
 * not more often than in one run of fifty.  The errors of jumps that are seen add up. */
static void test_square_waves(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "bdf", "radau", "rodas", "limex", "dopri"};
    const double t_end = 10.0;
    int runs = 0, off = 0;
    for (int n = 7; n < 50; n += 6)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
            for (double tol = 1e-4; tol > 0.9e-8; tol *= 0.01) {
                PERIOD = t_end / (n + 0.3);
                trial x = {methods[k], tol, 1};
                double error = error_of_trial(&x, switched, t_end, 0.5 * PERIOD, switched_truth);
                off += error > 1000.0;
                runs++;
            }
    assert_in_range(off, 0, runs / 50);
}

static const double BEGUN = 5.37, FOR = 0.1; /* a rectangular pulse, a hundredth of the run long */

static double pulse_at(double t)
{
    return t > BEGUN && t < BEGUN + FOR ? 1.0 : 0.0;
}

static double summed_pulse(double t)
{
    return fmin(fmax(t - BEGUN, 0.0), FOR);
}

static int struck(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)y, (void)user;
    r[0] = yp[0] - pulse_at(t);
    return 0;
}

/* The output time tells how long the run is. */
static void test_short_pulse_after_rest(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "bdf", "radau", "rodas", "limex", "dopri"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (double tol = 1e-4; tol > 0.9e-8; tol *= 0.01) {
            trial x = {methods[k], tol, 1};
            double off = error_of_trial(&x, struck, 10.0, FOR, summed_pulse);
            if (off > 100.0)
                fail_msg("%s, rtol %g: off by %g tolerances", x.method, tol, off);
        }
}

/* x + y = 0: the multiplier z is of index two. */
static int struck_index2(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - pulse_at(t);
    r[1] = yp[1] - y[2];
    r[2] = y[0] + y[1];
    return 0;
}

static void test_pulse_of_index2(void **state)
{
    (void)state;
    const double y0[3] = {0.0, 0.0, 0.0}, t_end = 10.0;
    daedal_system sys = {.n = 3, .residual = struck_index2};
    for (double tol = 1e-4; tol > 0.9e-8; tol *= 0.01) {
        daedal_options opt = defaults_with(tol, tol);
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        expect_status(s, daedal_solver_advance(s, t_end), DAEDAL_OK);
        assert_true(fabs(daedal_solver_state(s)->y[0] - FOR) < 1000.0 * tol);
        daedal_solver_free(s);
    }
}

/* A point on a circle, of index three: the force along it jumps at this time. */
static double JUMP;

static int pushed(double t, const double *y, const double *yp, double *r, void *user)
{
    double force = t < JUMP ? 1.5 : -1.0;
    (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0] + force * y[1];
    r[3] = yp[3] + y[4] * y[1] - force * y[0];
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return 0;
}

static void test_force_of_index3_that_jumps(void **state)
{
    (void)state;
    const double y0[5] = {1.0, 0.0, 0.0, 0.0, 0.0};
    daedal_system sys = {.n = 5, .residual = pushed};
    for (double tol = 1e-4; tol > 0.9e-8; tol *= 0.1)
        for (JUMP = 0.3; JUMP < 0.9; JUMP += 0.04) {
            daedal_options opt = defaults_with(tol, tol);
            daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
            expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
            double since = 1.0 - JUMP, speed = 1.5 * JUMP - since;
            double angle = 0.75 * JUMP * JUMP + 1.5 * JUMP * since - 0.5 * since * since;
            const double *y = daedal_solver_state(s)->y;
            double off = fmax(fabs(y[1] - sin(angle)), fabs(y[3] - speed * cos(angle)));
            if (off > 100.0 * tol)
                fail_msg("rtol %g, jump at %g: off by %g tolerances", tol, JUMP, off / tol);
            daedal_solver_free(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_square_waves),
                                       cmocka_unit_test(test_short_pulse_after_rest),
                                       cmocka_unit_test(test_pulse_of_index2),
                                       cmocka_unit_test(test_force_of_index3_that_jumps),
                                       cmocka_unit_test(test_aliased_forcing),
                                       cmocka_unit_test(test_smooth_pulses),
                                       cmocka_unit_test(test_pulse_after_rest),
                                       cmocka_unit_test(test_growth_after_refusals),
                                       cmocka_unit_test(test_corners_of_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
