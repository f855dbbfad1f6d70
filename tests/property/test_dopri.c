/* tests/property/test_dopri.c - the explicit Runge-Kutta pairs: measured orders of steps and of
 * dense output on every form a system can have, exactness on polynomials, linear invariants,
 * continuity, errors against the tolerance, what it refuses, and that stiffness is told.      */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "harness.h"

typedef struct known {
    const char *name;
    daedal_system sys;
    void (*exact)(double t, double *y);
} known;

/* y0' = -2 t y0^2 with y0 = 1/(1 + t^2); y1 = cos t. */
static int ode(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[1] = yp[0] + 2.0 * t * y[0] * y[0];
    r[0] = -3.0 * (yp[1] + sin(t) + 3.0 * (y[1] * y[1] * y[1] - pow(cos(t), 3.0)) * y[0]);
    return 0;
}

static int right_side(double t, const double *y, double *f, void *user)
{
    (void)user;
    f[0] = -2.0 * t * y[0] * y[0];
    f[1] = -sin(t) - 3.0 * (y[1] * y[1] * y[1] - pow(cos(t), 3.0)) * y[0];
    return 0;
}

static void exact_ode(double t, double *y)
{
    y[0] = 1.0 / (1.0 + t * t);
    y[1] = cos(t);
}

/* Both y' in both equations, with factors that vary: y0 = cos t, y1 = e^-t. */
static int moving_mass(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double c = cos(t), e = exp(-t);
    r[0] = (2.0 + y[1] * sin(t)) * yp[0] + y[0] * yp[1] + (2.0 + e * sin(t)) * sin(t) + c * e +
           y[0] - c;
    r[1] = yp[1] * (2.0 + cos(y[0])) + 0.5 * yp[0] + e * (2.0 + cos(c)) + 0.5 * sin(t) +
           (y[1] - e) * 2.0;
    return 0;
}

static void exact_moving_mass(double t, double *y)
{
    y[0] = cos(t);
    y[1] = exp(-t);
}

/* Not linear in y': y0'^3 + y0' = ..., y0 = sin t; y1 = e^-t. */
static int implicit(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double c = cos(t);
    r[0] = yp[0] * yp[0] * yp[0] + yp[0] - c * c * c - c + y[0] - sin(t);
    r[1] = yp[1] + y[1];
    return 0;
}

static void exact_implicit(double t, double *y)
{
    y[0] = sin(t);
    y[1] = exp(-t);
}

static const known systems[] = {
    {"residual", {.n = 2, .residual = ode}, exact_ode},
    {"right-hand side", {.n = 2, .rhs = right_side}, exact_ode},
    {"M(t, y)", {.n = 2, .residual = moving_mass}, exact_moving_mass},
    {"not linear in y'", {.n = 2, .residual = implicit}, exact_implicit},
};

/* The pair of order 8 is taken unless the order is limited. */
typedef struct pair {
    const char *options;
    int steps;
    double order, between;
} pair;

static const pair pairs[] = {{"order_max=5 rtol=1e-2 atol=1e-2", 16, 5.0, 4.0},
                             {"rtol=1e-5 atol=1e-5", 14, 8.0, 7.0}};

static double distance(const known *k, double t, const double *got)
{
    double y[2];
    k->exact(t, y);
    return fmax(fabs(got[0] - y[0]), fabs(got[1] - y[1]));
}

static const char *const tolerances[] = {"rtol=1e-3 atol=1e-3", "rtol=1e-6 atol=1e-6",
                                         "rtol=1e-9 atol=1e-9"};

/* Largest error at the ends of equal steps over [0.2, 1.8], and inside them. */
static void errors_of(const known *k, const pair *p, int steps, double *at_end, double *inside)
{
    char options[200];
    double y0[2], got[2], h = 1.6 / steps;
    snprintf(options, sizeof options,
             "method=dopri %s first_step=%.17g max_step=%.17g min_step=%.17g", p->options, h, h, h);
    k->exact(0.2, y0);
    daedal_solver *s = start_solver(&k->sys, options, 0.2, y0, NULL);
    *at_end = *inside = 0.0;
    for (int i = 1; i <= steps; i++) {
        expect_status(s, daedal_solver_step(s, 0.2 + i * h), DAEDAL_OK);
        *at_end = fmax(*at_end, distance(k, 0.2 + i * h, daedal_solver_state(s)->y));
        for (double share = 0.2; share < 1.0; share += 0.2) {
            double t = 0.2 + (i - share) * h;
            expect_status(s, daedal_solver_interpolate(s, t, got, NULL), DAEDAL_OK);
            *inside = fmax(*inside, distance(k, t, got));
        }
    }
    assert_int_equal(daedal_solver_stats(s)->steps, steps);
    daedal_solver_free(s);
}

/* Where F is y' - f: elsewhere the accuracy of y' goes with the tolerance. */
static void test_orders(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (size_t p = 0; p < COUNT(pairs); p++) {
            double coarse, fine, inside_coarse, inside_fine;
            errors_of(&systems[i], &pairs[p], pairs[p].steps, &coarse, &inside_coarse);
            errors_of(&systems[i], &pairs[p], 2 * pairs[p].steps, &fine, &inside_fine);
            double order = log2(coarse / fine), between = log2(inside_coarse / inside_fine);
            print_message("%-16s order %.2f (errors %.1e, %.1e), inside %.2f (%.1e, %.1e)\n",
                          systems[i].name, order, coarse, fine, between, inside_coarse,
                          inside_fine);
            assert_true(order > pairs[p].order - 0.7);
            assert_true(between > pairs[p].between - 0.3);
        }
}

/* At nine points between the steps, and at the end; forward and backward. */
static void check_tolerance(const known *k, const char *tolerance, double from, double to)
{
    char options[80];
    double y[2];
    snprintf(options, sizeof options, "method=dopri %s", tolerance);
    daedal_options asked = options_of(options);
    k->exact(from, y);
    daedal_solver *s = start_solver(&k->sys, options, from, y, NULL);
    for (int i = 1; i <= 10; i++) {
        double t = from + 0.1 * i * (to - from);
        expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
        double off = distance(k, t, daedal_solver_state(s)->y);
        if (!(off <= 5.0 * asked.rtol))
            fail_msg("%s, %s: y(%g) is off by %.1e", k->name, tolerance, t, off);
    }
    daedal_solver_free(s);
}

static void test_tolerance(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++)
        for (size_t k = 0; k < COUNT(tolerances); k++) {
            check_tolerance(&systems[i], tolerances[k], 0.2, 1.8);
            check_tolerance(&systems[i], tolerances[k], 1.2, 0.4);
        }
}

/* One step along t^k, at its end and inside, up to the degrees that the orders promise. */
static int power(double t, const double *y, double *f, void *user)
{
    (void)y;
    int degree = *(const int *)user;
    f[0] = degree * pow(t, degree - 1);
    return 0;
}

static void check_polynomial(const char *options, int degree, bool inside)
{
    const double zero = 0.0;
    daedal_system sys = {.n = 1, .rhs = power, .user = &degree};
    daedal_solver *s = start_solver(&sys, options, 0.0, &zero, NULL);
    double y, t = inside ? 0.37 : 1.0;
    expect_status(s, daedal_solver_step(s, 1.0), DAEDAL_OK);
    assert_true(daedal_solver_state(s)->t == 1.0);
    expect_status(s, daedal_solver_interpolate(s, t, &y, NULL), DAEDAL_OK);
    expect_near(y, pow(t, degree), 1e-14);
    daedal_solver_free(s);
}

static void test_polynomials(void **state)
{
    (void)state;
    for (int degree = 1; degree <= 8; degree++) {
        check_polynomial("method=dopri rtol=1 atol=1 first_step=1", degree, false);
        if (degree <= 7)
            check_polynomial("method=dopri rtol=1 atol=1 first_step=1", degree, true);
        if (degree <= 5)
            check_polynomial("method=dopri rtol=1 atol=1 first_step=1 order_max=5", degree, false);
        if (degree <= 4)
            check_polynomial("method=dopri rtol=1 atol=1 first_step=1 order_max=5", degree, true);
    }
}

/* Three substances that turn into one another: their sum stays, whatever the tolerance. */
static int reaction(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    double a = 0.7 * y[0] * y[1], b = 1.3 * y[1] * y[2], c = 0.4 * y[2];
    f[0] = c - a;
    f[1] = a - b;
    f[2] = b - c;
    return 0;
}

static void test_linear_invariant(void **state)
{
    (void)state;
    const double y0[] = {1.0, 0.5, 0.25};
    daedal_system sys = {.n = 3, .rhs = reaction};
    daedal_solver *s = start_solver(&sys, "method=dopri rtol=1e-2", 0.0, y0, NULL);
    for (int i = 1; i <= 40; i++) {
        expect_status(s, daedal_solver_advance(s, 0.7 * i), DAEDAL_OK);
        const double *y = daedal_solver_state(s)->y;
        expect_near(y[0] + y[1] + y[2], 1.75, 1e-14);
    }
    daedal_solver_free(s);
}

/* y and y' are continuous from step to step. */
static void test_continuous(void **state)
{
    (void)state;
    double y0[2];
    exact_ode(0.2, y0);
    expect_continuous(&systems[0].sys, "method=dopri rtol=1e-6", 0.2, y0, 2.0);
    expect_continuous(&systems[0].sys, "method=dopri rtol=1e-6 order_max=5", 0.2, y0, 2.0);
}

/* ---- what it does not take ---- */

static int algebraic(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[1];
    r[1] = y[1] - 2.0 * y[0];
    return 0;
}

/* An algebraic relation in combinations of equations that all contain derivatives. */
static int hidden(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + yp[1] + y[0];
    r[1] = 2.0 * yp[0] + 2.0 * yp[1] + y[1] + y[0];
    return 0;
}

static void expect_refusal(daedal_residual_fn *residual, const char *word)
{
    const double y0[] = {1.0, 2.0};
    daedal_system sys = {.n = 2, .residual = residual};
    daedal_options opt = options_of("method=dopri");
    daedal_solver *s = NULL;
    assert_int_equal(daedal_solver_create(&s, &sys, &opt, NULL), DAEDAL_OK);
    daedal_status status = daedal_solver_start(s, 0.0, y0, NULL);
    if (status == DAEDAL_OK)
        status = daedal_solver_advance(s, 1.0);
    assert_true(status < 0);
    assert_non_null(strstr(daedal_solver_diagnosis(s)->message, word));
    assert_non_null(strstr(daedal_solver_diagnosis(s)->hint, "radau"));
    daedal_solver_free(s);
}

static void test_refusals(void **state)
{
    (void)state;
    expect_refusal(algebraic, "y[1] is an algebraic variable");
    expect_refusal(hidden, "dopri");
}

/* y' is infinite right behind the start: the error of the first step is the same at each size. */
static int logarithm(double t, const double *y, double *f, void *user)
{
    (void)y, (void)user;
    f[0] = t > 0.0 ? 1.0 / t : 0.0;
    return 0;
}

static void test_infinite_at_start(void **state)
{
    (void)state;
    const double y0[] = {0.0};
    daedal_system sys = {.n = 1, .rhs = logarithm};
    daedal_solver *s = start_solver(&sys, "method=dopri", 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_ERR_INCONSISTENT);
    expect_text(daedal_solver_diagnosis(s)->message, "first step");
    daedal_solver_free(s);
}

static int stiff(double t, const double *y, double *f, void *user)
{
    (void)user;
    f[0] = -2000.0 * (y[0] - cos(t));
    return 0;
}

static void note_stiffness(daedal_log_level level, const char *message, void *user)
{
    int *count = user;
    if (level == DAEDAL_LOG_WARNING && strstr(message, "stiff"))
        ++*count;
}

/* How often a run from `from` to `to` says that the equations are stiff; its end into y. */
static int warnings_of(const daedal_system *sys, double from, double to, double *y)
{
    int count = 0;
    daedal_options opt = options_of("method=dopri rtol=1e-4 atol=1e-4");
    daedal_solver *s = NULL;
    opt.log = note_stiffness;
    opt.callback_user = &count;
    assert_int_equal(daedal_solver_create(&s, sys, &opt, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_start(s, from, y, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, to), DAEDAL_OK);
    memcpy(y, daedal_solver_state(s)->y, (size_t)sys->n * sizeof *y);
    daedal_solver_free(s);
    return count;
}

/* It goes on, is right, and says once what is wrong. */
static void test_stiffness_is_told(void **state)
{
    (void)state;
    double y = 0.0, l = 2000.0, exact = (l * l * cos(1.0) + l * sin(1.0)) / (l * l + 1.0);
    daedal_system sys = {.n = 1, .rhs = stiff};
    assert_int_equal(warnings_of(&sys, 0.0, 1.0, &y), 1);
    expect_near(y, exact, 5e-4);
}

static void test_calm_is_not_called_stiff(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++) {
        double y[2];
        systems[i].exact(0.2, y);
        assert_int_equal(warnings_of(&systems[i].sys, 0.2, 1.8, y), 0);
    }
}

/* A copy goes on as the original does, bit for bit, also between its steps. */
enum { CELLS = 60 };

/* A pulse in a nerve by the equations of FitzHugh and Nagumo, with diffusion. */
static int nerve(double t, const double *y, double *f, void *user)
{
    const double diffusion = 10.0;
    const double *w = y + CELLS;
    (void)t;
    (void)user;
    for (int i = 0; i < CELLS; i++) {
        double left = y[i > 0 ? i - 1 : i + 1], right = y[i < CELLS - 1 ? i + 1 : i - 1], v = y[i];
        f[i] = diffusion * (left - 2.0 * v + right) + 5.0 * v * (1.0 - v) * (v - 0.15) - 5.0 * w[i];
        f[CELLS + i] = 0.1 * (0.3 * v - w[i]);
    }
    return 0;
}

/* Where stability limits the steps, they stay as long as it allows: few attempts fail, and few
 * steps look as if they had missed something. */
static void test_steps_at_the_stability_limit(void **state)
{
    (void)state;
    daedal_system sys = {.n = 2 * CELLS, .rhs = nerve};
    for (int k = 2; k <= 7; k++) {
        double y0[2 * CELLS] = {0.0};
        for (int i = 0; i < CELLS; i++)
            y0[i] = exp(-0.02 * i * i);
        daedal_options opt = defaults_with(pow(10.0, -k), pow(10.0, -k - 2));
        assert_int_equal(daedal_options_set(&opt, "method", "dopri"), DAEDAL_OK);
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        expect_status(s, daedal_solver_advance(s, 20.0), DAEDAL_OK);
        const daedal_stats *stats = daedal_solver_stats(s);
        if (5 * stats->rejected_error > stats->steps)
            fail_msg("rtol 1e-%d: %d attempts rejected in %d steps", k, (int)stats->rejected_error,
                     (int)stats->steps);
        daedal_solver_free(s);
    }
}

static void test_clone(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++) {
        double y0[2], a[2], b[2];
        systems[i].exact(0.2, y0);
        daedal_solver *copy = NULL,
                      *s = start_solver(&systems[i].sys, "method=dopri rtol=1e-8", 0.2, y0, NULL);
        expect_status(s, daedal_solver_advance(s, 0.8), DAEDAL_OK);
        assert_int_equal(daedal_solver_clone(&copy, s), DAEDAL_OK);
        for (int k = 1; k <= 7; k++) {
            expect_status(s, daedal_solver_advance(s, 0.8 + 0.1 * k), DAEDAL_OK);
            memcpy(a, daedal_solver_state(s)->y, sizeof a);
            expect_status(copy, daedal_solver_advance(copy, 0.8 + 0.1 * k), DAEDAL_OK);
            memcpy(b, daedal_solver_state(copy)->y, sizeof b);
            assert_memory_equal(a, b, sizeof a);
        }
        daedal_solver_free(copy);
        daedal_solver_free(s);
    }
}

static int oscillator(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1];
    f[1] = -y[0];
    return 0;
}

static double steps_of_oscillator(double tol)
{
    const double y0[] = {0.0, 1.0};
    daedal_system sys = {.n = 2, .rhs = oscillator};
    daedal_options opt = defaults_with(tol, tol);
    assert_int_equal(daedal_options_set(&opt, "method", "dopri"), DAEDAL_OK);
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 20.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], sin(20.0), 10.0 * tol);
    double steps = (double)daedal_solver_stats(s)->steps;
    daedal_solver_free(s);
    return steps;
}

/* Steps aim at a part of the tolerance, but not of one that is near roundoff: from 1e-11 to 1e-13
 * they become shorter by less than the factor 10^(2/8) of their order. */
static void test_near_roundoff(void **state)
{
    (void)state;
    assert_true(steps_of_oscillator(1e-13) < 1.6 * steps_of_oscillator(1e-11));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_linear_invariant),
        cmocka_unit_test(test_continuous),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_infinite_at_start),
        cmocka_unit_test(test_stiffness_is_told),
        cmocka_unit_test(test_calm_is_not_called_stiff),
        cmocka_unit_test(test_steps_at_the_stability_limit),
        cmocka_unit_test(test_clone),
        cmocka_unit_test(test_near_roundoff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
