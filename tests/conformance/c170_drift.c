/* tests/conformance/c170_drift.c - the pendulum of [HW96] VII.2 with its force eliminated and
 * nothing projected drifts off its constraints: linearly in the velocities, quadratically in
 * the positions, C170; what projection on each of them gains, C172.  The figures of the seed are
 * those of DOPRI5, which `dopri` with order_max = 5 and without calibration is; Theorem 2.1 says
 * the exponents of any method. */
#include <math.h>

#include "driving.h"
#include "harness.h"

static int falling(double t, const double *y, double *f, void *user)
{
    (void)t;
    (void)user;
    double force = (y[2] * y[2] + y[3] * y[3] - y[1]) / (y[0] * y[0] + y[1] * y[1]);
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -force * y[0];
    f[3] = -force * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static double place_error(const double *y)
{
    return y[0] * y[0] + y[1] * y[1] - 1.0;
}

static double speed_error(const double *y)
{
    return y[0] * y[2] + y[1] * y[3];
}

static const char *const DOPRI5 =
    "method=dopri order_max=5 calibrate_tolerance=no rtol=1e-6 atol=1e-6";

/* The largest violations up to t. */
static void drift_until(double t, const char *options, double *place, double *speed)
{
    const double start[4] = {1.0, 0.0, 0.0, 0.0};
    const daedal_system sys = {.n = 4, .rhs = falling};
    daedal_solver *s = start_solver(&sys, options, 0.0, start, NULL);
    *place = *speed = 0.0;
    for (double at = 0.5; at <= t; at += 0.5) {
        expect_status(s, daedal_solver_advance(s, at), DAEDAL_OK);
        *place = fmax(*place, fabs(place_error(daedal_solver_state(s)->y)));
        *speed = fmax(*speed, fabs(speed_error(daedal_solver_state(s)->y)));
    }
    daedal_solver_free(s);
}

static void c170_drift(void **state)
{
    (void)state;
    double place[2], speed[2];
    const char *multistep = "method=bdf rtol=1e-6 atol=1e-6";
    drift_until(20.0, multistep, &place[0], &speed[0]);
    drift_until(160.0, multistep, &place[1], &speed[1]);
    print_message("exponents of the drift: speed %.2f, place %.2f\n",
                  log(speed[1] / speed[0]) / log(8.0), log(place[1] / place[0]) / log(8.0));
    expect_near(log(speed[1] / speed[0]) / log(8.0), 1.0, 0.25);
    expect_near(log(place[1] / place[0]) / log(8.0), 2.0, 0.25);
}

/* [HW96] figure VII.2.1, within a factor of two. */
static void c170_printed_drift(void **state)
{
    (void)state;
    static const double printed[][3] = {{10.0, 1.2e-5, 1.0e-4},
                                        {20.0, 2.05e-5, 4.2e-4},
                                        {40.0, 3.6e-5, 1.55e-3},
                                        {80.0, 7.0e-5, 5.8e-3}};
    for (size_t i = 0; i < COUNT(printed); i++) {
        double place, speed;
        drift_until(printed[i][0], DOPRI5, &place, &speed);
        print_message("t = %g: speed %.3g (%.3g), place %.3g (%.3g)\n", printed[i][0], speed,
                      printed[i][1], place, printed[i][2]);
        assert_true(speed > 0.5 * printed[i][1] && speed < 2.0 * printed[i][1]);
        assert_true(place > 0.5 * printed[i][2] && place < 2.0 * printed[i][2]);
    }
}

/* ---- C172: which constraints are worth projecting on ---- */

/* phi'' = -cos(phi), x = cos(phi), y = sin(phi): the same pendulum without constraints. */
static int turning(double t, const double *y, double *f, void *user)
{
    (void)t;
    (void)user;
    f[0] = y[1];
    f[1] = -cos(y[0]);
    return DAEDAL_CALL_OK;
}

typedef struct kept {
    bool place, speed;
} kept;

static int constraints(double t, const double *y, double *g, void *user)
{
    const kept *k = user;
    int n = 0;
    (void)t;
    if (k->place)
        g[n++] = place_error(y);
    if (k->speed)
        g[n++] = speed_error(y);
    return DAEDAL_CALL_OK;
}

/* Positions meet their constraint, then velocities theirs: no entry of a level in another. */
static int slopes(double t, const double *y, double *values, void *user)
{
    const kept *k = user;
    int n = 0;
    (void)t;
    if (k->place) {
        values[n++] = 2.0 * y[0];
        values[n++] = 2.0 * y[1];
    }
    if (k->speed) {
        values[n++] = y[0];
        values[n++] = y[1];
    }
    return DAEDAL_CALL_OK;
}

static int falling_kept(double t, const double *y, double *f, void *user)
{
    (void)user;
    return falling(t, y, f, NULL);
}

static daedal_system pendulum_with(kept *k)
{
    static const int32_t both_start[] = {0, 1, 2, 3, 4}, both_row[] = {0, 0, 1, 1};
    static const int32_t place_start[] = {0, 1, 2, 2, 2}, speed_start[] = {0, 0, 0, 1, 2};
    static const int32_t one_row[] = {0, 0}, levels[] = {-2, -1};
    static daedal_pattern entries;
    int32_t n = k->place + k->speed;
    entries = (daedal_pattern){
        .n_rows = n,
        .n_cols = 4,
        .start = n == 2     ? both_start
                 : k->place ? place_start
                            : speed_start,
        .row = n == 2 ? both_row : one_row,
    };
    daedal_system sys = {.n = 4, .rhs = falling_kept, .user = k};
    if (n > 0) {
        sys.n_constraints = n;
        sys.constraints = constraints;
        sys.constraint_jacobian = slopes;
        sys.constraint_pattern = &entries;
        sys.constraint_level = (daedal_ints){levels, n};
    }
    return sys;
}

/* The largest error of x, y, u, v for t in [90, 100). */
static double late_error(kept k, const char *tolerance)
{
    const double start[4] = {1.0, 0.0, 0.0, 0.0}, start_angle[2] = {0.0, 0.0};
    const daedal_system exact = {.n = 2, .rhs = turning};
    daedal_system sys = pendulum_with(&k);
    daedal_solver *s = start_solver(&sys, tolerance, 0.0, start, NULL);
    daedal_solver *e = start_solver(&exact, "rtol=1e-12 atol=1e-12", 0.0, start_angle, NULL);
    double worst = 0.0;
    for (double at = 90.0; at < 100.0; at += 0.25) {
        expect_status(s, daedal_solver_advance(s, at), DAEDAL_OK);
        expect_status(e, daedal_solver_advance(e, at), DAEDAL_OK);
        const double *y = daedal_solver_state(s)->y, *a = daedal_solver_state(e)->y;
        const double truth[4] = {cos(a[0]), sin(a[0]), -a[1] * sin(a[0]), a[1] * cos(a[0])};
        for (int i = 0; i < 4; i++)
            worst = fmax(worst, fabs(y[i] - truth[i]));
    }
    daedal_solver_free(s);
    daedal_solver_free(e);
    return worst;
}

/* [HW96] figure VII.2.2: velocities are worth it, positions alone are not.  There, with DOPRI5
 * at 1e-6, projecting velocities gains a factor of 20; the errors of BDF are those of its
 * phase rather than of its drift, so that the gain is smaller, and scatters: the mean counts. */
static void c172_which_projection(void **state)
{
    (void)state;
    static const char *const tolerances[] = {"rtol=1e-4 atol=1e-4", "rtol=1e-5 atol=1e-5",
                                             "rtol=1e-6 atol=1e-6", "rtol=1e-7 atol=1e-7"};
    double gain = 1.0, loss = 1.0, rest = 1.0, share = 1.0 / COUNT(tolerances);
    for (size_t i = 0; i < COUNT(tolerances); i++) {
        double none = late_error((kept){false, false}, tolerances[i]);
        double place = late_error((kept){true, false}, tolerances[i]);
        double speed = late_error((kept){false, true}, tolerances[i]);
        double both = late_error((kept){true, true}, tolerances[i]);
        print_message("%s, t = 90 .. 100: none %.2g, place %.2g, speed %.2g, both %.2g\n",
                      tolerances[i], none, place, speed, both);
        gain *= pow(none / speed, share);
        loss *= pow(place / none, share);
        rest *= pow(both / speed, share);
    }
    assert_true(gain >= 3.0);
    assert_true(loss >= 0.8);
    assert_true(rest > 0.5 && rest < 1.5);
}

/* The figures as printed: 6.4e-2 without projection, 7.6e-2 on positions, 3.1e-3 on
 * velocities, 2.8e-3 on both. */
static void c172_printed_errors(void **state)
{
    (void)state;
    double none = late_error((kept){false, false}, DOPRI5);
    double place = late_error((kept){true, false}, DOPRI5);
    double speed = late_error((kept){false, true}, DOPRI5);
    double both = late_error((kept){true, true}, DOPRI5);
    print_message("none %.2g, place %.2g, speed %.2g, both %.2g\n", none, place, speed, both);
    assert_true(none > 3.2e-2 && none < 12.8e-2);
    assert_true(place >= 0.8 * none && place < 2.0 * 7.6e-2);
    assert_true(speed <= 0.1 * none);
    assert_true(both / speed > 0.7 && both / speed < 1.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c170_drift),
        cmocka_unit_test(c170_printed_drift),
        cmocka_unit_test(c172_which_projection),
        cmocka_unit_test(c172_printed_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
