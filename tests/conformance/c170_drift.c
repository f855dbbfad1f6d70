/* tests/conformance/c170_drift.c - the pendulum of [HW96] VII.2 with its force eliminated and
 * nothing projected drifts off its constraints: linearly in the velocities, quadratically in
 * the positions, C170.  The figures of the seed are those of DOPRI5; Theorem 2.1 says the
 * exponents of any method.                                                       */
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

/* The largest violations up to t. */
static void drift_until(double t, double *place, double *speed)
{
    const double start[4] = {1.0, 0.0, 0.0, 0.0};
    const daedal_system sys = {.n = 4, .rhs = falling};
    daedal_solver *s = start_solver(&sys, "method=bdf rtol=1e-6 atol=1e-6", 0.0, start, NULL);
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
    drift_until(20.0, &place[0], &speed[0]);
    drift_until(160.0, &place[1], &speed[1]);
    print_message("exponents of the drift: speed %.2f, place %.2f\n",
                  log(speed[1] / speed[0]) / log(8.0), log(place[1] / place[0]) / log(8.0));
    expect_near(log(speed[1] / speed[0]) / log(8.0), 1.0, 0.25);
    expect_near(log(place[1] / place[0]) / log(8.0), 2.0, 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c170_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
