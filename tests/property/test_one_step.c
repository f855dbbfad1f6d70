/* tests/property/test_one_step.c - the one-step methods on every form a system can have: measured
 * orders of the Rosenbrock method and its interpolant; of all, errors against the tolerance and
 * continuity from step to step.                                                  */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "harness.h"

/* A system with a known solution. */
typedef struct known {
    const char *name;
    daedal_system sys;
    void (*exact)(double t, double *y);
    int n_differential; /* they come first */
} known;

/* y0' = -2 t y0^2 (y0 = 1/(1 + t^2)), y1' = y0 - y1^3 + ... with y1 = cos t */
static int ode(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + 2.0 * t * y[0] * y[0];
    r[1] = yp[1] + sin(t) + 3.0 * (y[1] * y[1] * y[1] - pow(cos(t), 3.0)) * y[0];
    return 0;
}

static void exact_ode(double t, double *y)
{
    y[0] = 1.0 / (1.0 + t * t);
    y[1] = cos(t);
}

/* index 1: y0' = -y0 y1, y0^2 + y1 e^(-t) = 1 + ..., with y0 = e^-(t^2/2), y1 = t */
static int algebraic(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0] * y[1];
    r[1] = exp(y[1] - t) + y[0] * y[0] - 1.0 - exp(-t * t);
    return 0;
}

static void exact_algebraic(double t, double *y)
{
    y[0] = exp(-0.5 * t * t);
    y[1] = t;
}

/* Not linear in y': (y0')^3 + y0' = ..., with y0 = sin t; y1 = (y0')^2 y0 algebraic */
static int implicit(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double slope = cos(t);
    r[0] = yp[0] * yp[0] * yp[0] + yp[0] - slope * slope * slope - slope + y[1] -
           slope * slope * sin(t) + y[0] - sin(t);
    r[1] = y[1] - yp[0] * yp[0] * y[0];
    return 0;
}

static void exact_implicit(double t, double *y)
{
    y[0] = sin(t);
    y[1] = cos(t) * cos(t) * sin(t);
}

/* M(t, y) y' = f: (2 + y1 sin t) y0' + y0 y1' = f0, y1' cos(y0) = f1 with y0 = cos t, y1 = e^-t */
static int moving_mass(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double c = cos(t), e = exp(-t);
    r[0] = (2.0 + y[1] * sin(t)) * yp[0] + y[0] * yp[1] + (2.0 + e * sin(t)) * sin(t) + c * e +
           y[0] - c;
    r[1] = yp[1] * cos(y[0]) + e * cos(c) + (y[1] - e) * 2.0;
    return 0;
}

static void exact_moving_mass(double t, double *y)
{
    y[0] = cos(t);
    y[1] = exp(-t);
}

/* dF/dy + c dF/dy' by central differences: a method of order 5 wants more digits of it than the
 * increments that go with a tolerance of 1e-2 give.                               */
static int slopes(double t, const double *y, const double *yp, double c, double *values, void *user)
{
    daedal_residual_fn *residual = ((const known *)user)->sys.residual;
    const double by = 1e-5;
    for (int j = 0; j < 4; j++) {
        double z[2][4], r[2][2];
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 4; k++)
                z[side][k] = (k < 2 ? y[k] : yp[k - 2]) + (k == j ? (1 - 2 * side) * by : 0.0);
            residual(t, z[side], z[side] + 2, r[side], NULL);
        }
        for (int i = 0; i < 2; i++)
            values[2 * (j % 2) + i] += (j < 2 ? 1.0 : c) * (r[0][i] - r[1][i]) / (2.0 * by);
    }
    return 0;
}

static const known systems[] = {
    {"ordinary", {.n = 2, .residual = ode}, exact_ode, 2},
    {"index 1", {.n = 2, .residual = algebraic}, exact_algebraic, 1},
    {"implicit in y'", {.n = 2, .residual = implicit}, exact_implicit, 1},
    {"M(t, y)", {.n = 2, .residual = moving_mass}, exact_moving_mass, 2},
};

enum { STEPS = 16 };

/* Largest error at the end of `steps` equal steps over [0.2, 1.8], and inside them. */
static void errors_of(const known *k, int steps, double *at_end, double *inside)
{
    char options[160];
    double y0[2], y[2], h = 1.6 / steps;
    snprintf(options, sizeof options,
             "method=rodas rtol=1e-2 atol=1e-2 first_step=%.17g max_step=%.17g min_step=%.17g", h,
             h, h);
    k->exact(0.2, y0);
    daedal_system sys = k->sys;
    sys.jacobian = slopes;
    sys.user = (void *)k;
    daedal_solver *s = start_solver(&sys, options, 0.2, y0, NULL);
    *inside = 0.0;
    for (int i = 1; i <= steps; i++) {
        expect_status(s, daedal_solver_step(s, 0.2 + i * h), DAEDAL_OK);
        double got[2], t = 0.2 + (i - 0.4) * h;
        expect_status(s, daedal_solver_interpolate(s, t, got, NULL), DAEDAL_OK);
        k->exact(t, y);
        *inside = fmax(*inside, fmax(fabs(got[0] - y[0]), fabs(got[1] - y[1])));
    }
    assert_int_equal(daedal_solver_stats(s)->steps, steps);
    k->exact(1.8, y);
    const double *last = daedal_solver_state(s)->y;
    *at_end = fmax(fabs(last[0] - y[0]), fabs(last[1] - y[1]));
    daedal_solver_free(s);
}

static void test_orders(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++) {
        double coarse, fine, inside_coarse, inside_fine;
        errors_of(&systems[i], STEPS, &coarse, &inside_coarse);
        errors_of(&systems[i], 2 * STEPS, &fine, &inside_fine);
        double order = log2(coarse / fine), between = log2(inside_coarse / inside_fine);
        print_message("%-16s order %.2f (errors %.1e, %.1e), between mesh points %.2f\n",
                      systems[i].name, order, coarse, fine, between);
        assert_true(order > 4.5);
        assert_true(between > 3.7);
    }
}

static const char *const methods[] = {"rodas", "limex", "radau"};

/* y and y' are continuous from step to step. */
static void test_continuous(void **state)
{
    (void)state;
    char options[80];
    double y0[2];
    exact_ode(0.2, y0);
    for (size_t m = 0; m < COUNT(methods); m++) {
        snprintf(options, sizeof options, "method=%s rtol=1e-4", methods[m]);
        expect_continuous(&systems[0].sys, options, 0.2, y0, 2.0);
    }
}

/* z = y^2 beside y' = -y.  Its slope at the start is a bad guess, which must not be seen in the
 * first step.                                                                          */
static int square(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = y[1] - y[0] * y[0];
    return 0;
}

static void test_slope_guessed(void **state)
{
    (void)state;
    const double y0[] = {1.0, 1.0}, yp0[] = {-1.0, 10.0};
    daedal_system sys = {.n = 2, .residual = square};
    for (size_t m = 0; m < COUNT(methods); m++) {
        char options[100];
        double y[2];
        snprintf(options, sizeof options, "method=%s rtol=1e-5 start=given first_step=0.02",
                 methods[m]);
        daedal_solver *s = start_solver(&sys, options, 0.0, y0, yp0);
        expect_status(s, daedal_solver_step(s, 1.0), DAEDAL_OK);
        for (int k = 1; k < 8; k++) {
            double t = 0.125 * k * daedal_solver_state(s)->t;
            expect_status(s, daedal_solver_interpolate(s, t, y, NULL), DAEDAL_OK);
            expect_near(y[1], exp(-2.0 * t), 1e-4);
        }
        daedal_solver_free(s);
    }
}

/* At the end, and at nine points on the way, which are interpolated: algebraic variables with
 * slopes that converge later.                                                    */
static void check_tolerance(const known *k, const char *how, double rtol)
{
    char options[80];
    double y[2], most = strcmp(how, "limex") == 0 ? 100.0 : 20.0; /* its steps are long */
    snprintf(options, sizeof options, "method=%s rtol=%g atol=%g", how, rtol, rtol);
    k->exact(0.2, y);
    daedal_solver *s = start_solver(&k->sys, options, 0.2, y, NULL);
    for (int i = 1; i <= 10; i++) {
        double t = 0.2 + 0.16 * i;
        expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
        k->exact(t, y);
        for (int j = 0; j < (i < 10 ? k->n_differential : 2); j++)
            if (!(fabs(daedal_solver_state(s)->y[j] - y[j]) <= most * rtol))
                fail_msg("%s, %s, rtol %g: y[%d](%g) is off by %.1e", how, k->name, rtol, j, t,
                         daedal_solver_state(s)->y[j] - y[j]);
    }
    daedal_solver_free(s);
}

/* The error at the end agrees with the tolerance within an order of magnitude. */
static void test_tolerance(void **state)
{
    (void)state;
    for (double rtol = 1e-2; rtol > 0.5e-8; rtol *= 0.1)
        for (size_t i = 0; i < COUNT(systems); i++)
            for (size_t m = 0; m < 2; m++) /* radau has a test of its own */
                check_tolerance(&systems[i], methods[m], rtol);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_continuous),
        cmocka_unit_test(test_slope_guessed),
        cmocka_unit_test(test_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
