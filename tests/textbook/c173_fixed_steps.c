/* tests/textbook/c173_fixed_steps.c - drift and projection at fixed steps: C173, C174 ([HW96]
 * VII.2).  The pendulum of length 1 with its index lowered to 1, by stiffly accurate Runge-Kutta
 * methods (Gauss methods would keep the length of the rod by themselves).         */
#include <math.h>
#include <string.h>

#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"

enum { N = 5 };
static const pendulum SWINGING = {1.0, 0.5, 1};

/* The length of the rod, and its derivative. */
static double length_error(const double *y)
{
    return y[0] * y[0] + y[1] * y[1] - 1.0;
}

static double speed_error(const double *y)
{
    return y[0] * y[2] + y[1] * y[3];
}

static void begin(const trial_problem *p, double *y, double *yp)
{
    const double start[N] = {1.0, 0.0, 0.0, 0.5, 0.25};
    double r[N], zero[N] = {0.0};
    memcpy(y, start, sizeof start);
    p->sys.residual(0.0, y, zero, r, p->sys.user);
    for (int i = 0; i < N; i++)
        yp[i] = i < 4 ? -r[i] : 0.0;
}

/* [HW96] VII (2.10), (2.11) with the identity as mass: the nearest place on the circle, then the
 * nearest velocity along it.                                                      */
static void project(double *y)
{
    for (int k = 0; k < 5; k++) {
        double off = 0.5 * length_error(y) / (y[0] * y[0] + y[1] * y[1]);
        y[0] -= off * y[0];
        y[1] -= off * y[1];
    }
    double off = speed_error(y) / (y[0] * y[0] + y[1] * y[1]);
    y[2] -= off * y[0];
    y[3] -= off * y[1];
    y[4] = y[2] * y[2] + y[3] * y[3] - y[1]; /* index 1: the force follows */
}

/* From 0 to t1 in equal steps; *drift: the largest error of the rod on the way. */
static void swing(const tableau *m, double t1, int32_t steps, bool projected, double *y,
                  double *drift)
{
    trial_problem p = problem_pendulum(&SWINGING);
    double yp[N], h = t1 / steps;
    begin(&p, y, yp);
    *drift = 0.0;
    for (int32_t i = 0; i < steps; i++) {
        assert_true(rk_step(m, &p.sys, i * h, h, y, yp));
        if (projected)
            project(y);
        *drift = fmax(*drift, fabs(length_error(y)));
        if (projected)
            assert_true(fabs(length_error(y)) < 1e-12 && fabs(speed_error(y)) < 1e-12);
    }
}

typedef struct method_row {
    const char *name;
    double order;
} method_row;

static const method_row ROWS[] = {{"radau2", 3.0}, {"lobatto3c", 4.0}, {"radau3", 5.0}};

/* C173: |g| <= h^p (A t + B t^2), Theorem 2.1. */
static void c173_drift(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(ROWS); k++) {
        tableau m = tableau_of(ROWS[k].name);
        double y[N], coarse, fine, late;
        int32_t steps = k < 2 ? 100 : 40;
        swing(&m, 4.0, steps, false, y, &coarse);
        swing(&m, 4.0, 2 * steps, false, y, &fine);
        swing(&m, 16.0, 4 * steps, false, y, &late);
        double growth = log(late / coarse) / log(4.0);
        print_message("%-10s order %.2f, exponent of time %.2f\n", m.name,
                      order_between(coarse, fine), growth);
        expect_order(m.name, "drift", order_between(coarse, fine), ROWS[k].order, 0.3);
        assert_true(growth > 0.7 && growth < 2.2);
    }
}

/* C174: after projection the rod is exact, and no order is lost in places, velocities, force. */
static void c174_projection(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(ROWS); k++) {
        tableau m = tableau_of(ROWS[k].name);
        double y[3][N], drift, error[2] = {0.0, 0.0};
        int32_t steps = 40;
        for (int i = 0; i < 2; i++)
            swing(&m, 2.0, steps << i, true, y[i], &drift);
        swing(&m, 2.0, steps << 4, true, y[2], &drift);
        for (int v = 0; v < N; v++)
            for (int i = 0; i < 2; i++)
                error[i] = fmax(error[i], fabs(y[i][v] - y[2][v]));
        expect_order(m.name, "projected", order_between(error[0], error[1]), ROWS[k].order, 0.35);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c173_drift),
        cmocka_unit_test(c174_projection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
