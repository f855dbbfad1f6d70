/* tests/property/test_bdf_order.c - measured convergence: order k on given grids, and the
 * error at the end against the tolerance as a user sees it.                       */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "driving.h"

/* ---- given grids: order k ------------------------------------------------------------------ */

/* y' = 2 cos t - y, y = cos t + sin t; linear, so that one iteration solves a step. */
static double exact(double t, const void *user)
{
    (void)user;
    return cos(t) + sin(t);
}

static int relaxation(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0] - 2.0 * cos(t);
    return DAEDAL_CALL_OK;
}

static int relaxation_jacobian(double t, const double *y, const double *yp, double c, double *v,
                               void *user)
{
    (void)t;
    (void)y;
    (void)yp;
    (void)user;
    v[0] = c + 1.0;
    return DAEDAL_CALL_OK;
}

/* A wavy grid has steps h (1 + wave sin i). */
static double step_of(double h, double wave, int i)
{
    return h * (1.0 + wave * sin(2.0 * i));
}

/* Largest error in n steps of order k from an exact past: the engine of the method, with order
 * and step dictated.                                                              */
static double error_after(bool classic, int32_t k, int n, double wave)
{
    daedal_system sys = {.n = 1, .residual = relaxation, .jacobian = relaxation_jacobian};
    double y0 = 1.0, yp0 = 1.0, h = 3.0 / n, times[BDF_ORDER_MAX + 1] = {0.0};
    kernel kn;
    kernel_open(&kn, &sys,
                classic ? "method=bdf_classic start=given rtol=1 atol=1"
                        : "method=bdf start=given rtol=1 atol=1",
                0.0, &y0, &yp0);
    for (int i = 1; i <= k; i++)
        times[i] = times[i - 1] - step_of(h, wave, -i);
    history past = {times, k + 1, k, h};
    kernel_remember(&kn, &past, exact, NULL);
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        kn.b->k = k;
        kn.b->h = step_of(h, wave, i);
        newton_reset(&kn.b->newton); /* factors of this c: the linear step is exact */
        assert_int_equal(bdf_step(kn.b, 100.0), DAEDAL_OK);
        assert_int_equal(kn.b->k_last, k);
        largest = fmax(largest, fabs(kn.b->y[0] - exact(kn.b->t, NULL)));
    }
    assert_int_equal(kn.run.stats.rejected_error, 0);
    kernel_close(&kn);
    return largest;
}

static void check_order(double wave, double slack)
{
    for (int classic = 0; classic <= 1; classic++)
        for (int32_t k = 1; k <= (classic ? 5 : 6); k++) {
            int n = k >= 5 ? 60 : 120;
            double coarse = error_after(classic, k, n, wave);
            double fine = error_after(classic, k, 2 * n, wave);
            double order = log2(coarse / fine);
            if (!(fabs(order - k) < slack))
                fail_msg("%s, order %d measured as %.3f (errors %.3e, %.3e)",
                         classic ? "bdf_classic" : "bdf", (int)k, order, coarse, fine);
        }
}

static void test_order_at_constant_steps(void **state)
{
    (void)state;
    check_order(0.0, 0.25);
}

static void test_order_on_wavy_grids(void **state)
{
    (void)state;
    check_order(0.2, 0.4);
}

/* The same through the public interface: step and order held by options, tolerances so loose
 * that no step is ever refused.                                                   */
static double public_error(const char *name, int32_t k, int n)
{
    char options[160];
    double h = 3.0 / n, y0 = 1.0;
    snprintf(options, sizeof options,
             "method=%s order_max=%d rtol=1 atol=1e4 first_step=%.17g max_step=%.17g", name, (int)k,
             h, h);
    daedal_system sys = {.n = 1, .residual = relaxation, .jacobian = relaxation_jacobian};
    daedal_solver *s = start_solver(&sys, options, 0.0, &y0, NULL);
    assert_int_equal(daedal_solver_advance(s, 3.0), DAEDAL_OK);
    assert_in_range(daedal_solver_stats(s)->steps, n, n + 1);
    assert_int_equal(daedal_solver_stats(s)->rejected_error, 0);
    double error = fabs(daedal_solver_state(s)->y[0] - exact(3.0, NULL));
    daedal_solver_free(s);
    return error;
}

/* The start at order 1 costs h^2, which the decay e^-3 dampens but does not remove: orders 1
 * and 2 are seen, higher ones are not.                                            */
static void test_order_by_options(void **state)
{
    (void)state;
    const char *methods[] = {"bdf", "bdf_classic"};
    for (int m = 0; m < 2; m++)
        for (int32_t k = 1; k <= 2; k++) {
            double order =
                log2(public_error(methods[m], k, 100) / public_error(methods[m], k, 200));
            if (!(fabs(order - k) < 0.3))
                fail_msg("%s, order %d measured as %.3f", methods[m], (int)k, order);
        }
}

/* ---- tolerances --------------------------------------------------------------------------------
 */

/* Smooth problems with known solutions at t_end. */
static int driven(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 4.0 * y[0] - 3.0 * sin(t); /* y0 = sin t + cos 2t */
    return DAEDAL_CALL_OK;
}

static int growing(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - cos(t) * y[0]; /* exp(sin t) */
    r[1] = y[1] - y[0] * y[0] + y[2];
    r[2] = y[2] - y[0]; /* two algebraic variables */
    return DAEDAL_CALL_OK;
}

static int stiff(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + 1e5 * (y[0] - cos(t)) + sin(t);
    r[1] = yp[1] + y[1] * y[1]; /* 1/(1 + t) */
    return DAEDAL_CALL_OK;
}

typedef struct smooth_problem {
    const char *name;
    daedal_residual_fn *residual;
    int32_t n;
    double y0[3], t_end;
} smooth_problem;

static const smooth_problem PROBLEMS[] = {
    {"driven oscillator", driven, 2, {1.0, 1.0}, 10.0},
    {"index 1", growing, 3, {1.0, 0.0, 1.0}, 10.0},
    {"stiff", stiff, 2, {1.0, 1.0}, 5.0},
};

static void solution(const smooth_problem *p, double *y)
{
    double t = p->t_end;
    if (p->residual == driven) {
        y[0] = sin(t) + cos(2.0 * t);
        y[1] = cos(t) - 2.0 * sin(2.0 * t);
    } else if (p->residual == growing) {
        y[0] = y[2] = exp(sin(t));
        y[1] = y[0] * y[0] - y[0];
    } else {
        y[0] = cos(t);
        y[1] = 1.0 / (1.0 + t);
    }
}

/* Weighted error at the end in units of the tolerance, and its largest entry. */
static double end_error(const smooth_problem *p, const char *name, double tol, double *in_tol)
{
    char options[96];
    snprintf(options, sizeof options, "method=%s rtol=%.3g atol=%.3g", name, tol, tol);
    daedal_system sys = {.n = p->n, .residual = p->residual};
    double y[3], wanted[3], sum = 0.0, largest = 0.0;
    solve_to(&sys, options, 0.0, p->y0, p->t_end, y);
    solution(p, wanted);
    for (int32_t i = 0; i < p->n; i++) {
        double e = fabs(y[i] - wanted[i]), w = tol * fabs(wanted[i]) + tol;
        sum += e * e / (w * w);
        largest = fmax(largest, e);
    }
    *in_tol = sqrt(sum / p->n);
    return largest;
}

/* The error stays below `limit` tolerances and falls with the tolerance: over each span of
 * `decades`, and by four decades in all.  Luck at a loose tolerance is forgiven where the
 * tighter one is met ten times over.                                              */
static void check_decades(const smooth_problem *p, const char *name, double limit, int decades)
{
    enum { ALL = 8 };
    double error[ALL], in_tol;
    for (int i = 0; i < ALL; i++) {
        double tol = pow(10.0, -2 - i);
        error[i] = end_error(p, name, tol, &in_tol);
        if (!(in_tol <= limit))
            fail_msg("%s by %s: error %.1f tolerances at %.0e", p->name, name, in_tol, tol);
        if (i >= decades && !(error[i] <= fmax(error[i - decades], 0.1 * tol)))
            fail_msg("%s by %s: error %.3e at %.0e, larger than %.3e before", p->name, name,
                     error[i], tol, error[i - decades]);
    }
    assert_true(error[ALL - 1] <= 1e-4 * error[0]);
}

static void test_error_follows_tolerance(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PROBLEMS / sizeof *PROBLEMS; i++)
        check_decades(&PROBLEMS[i], "bdf", 30.0, 1);
}

/* The baseline has no tolerance law: its errors are larger and fall less evenly. */
static void test_error_follows_tolerance_in_the_baseline(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof PROBLEMS / sizeof *PROBLEMS; i++)
        check_decades(&PROBLEMS[i], "bdf_classic", 1000.0, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_at_constant_steps),
        cmocka_unit_test(test_order_on_wavy_grids),
        cmocka_unit_test(test_order_by_options),
        cmocka_unit_test(test_error_follows_tolerance),
        cmocka_unit_test(test_error_follows_tolerance_in_the_baseline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
