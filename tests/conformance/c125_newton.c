/* tests/conformance/c125_newton.c - the corrector iteration of the classical baseline and
 * its Jacobian: C125, C126, C127, C142, C147.                                     */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "driving.h"
#include "nonlinear/differences.h"

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g within %.1e", found, wanted, tolerance);
}

/* ---- one scalar equation, solved by newton_solve alone ----------------------------- */

/* F = s_yp y' - s_y y - shift; the Jacobian given is the true one divided by 1 - bias, so
 * that the iteration contracts by exactly `bias`.                                 */
typedef struct scalar {
    double s_yp, s_y, shift, bias;
} scalar;

static int scalar_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const scalar *q = user;
    (void)t;
    r[0] = q->s_yp * yp[0] - q->s_y * y[0] - q->shift;
    return DAEDAL_CALL_OK;
}

static int scalar_jacobian(double t, const double *y, const double *yp, double c, double *values,
                           void *user)
{
    const scalar *q = user;
    (void)t;
    (void)y;
    (void)yp;
    values[0] = (c * q->s_yp - q->s_y) / (1.0 - q->bias);
    return DAEDAL_CALL_OK;
}

/* A step with y0 = y0' = 0 and c as asked, at tolerance weights of one over w. */
static newton_outcome solve_scalar(kernel *k, double c, double w)
{
    static const double zero = 0.0;
    newton_step st = {.t = 0.0,
                      .h = 1.0 / c,
                      .c = c,
                      .y_pred = &zero,
                      .yp_pred = &zero,
                      .inverse_weight = &w,
                      .noise = &zero,
                      .y = k->b->y_new,
                      .yp = k->b->yp_new,
                      .e = k->b->e};
    return newton_solve(&k->b->newton, &st);
}

static void open_scalar(kernel *k, scalar *q)
{
    daedal_system sys = {
        .n = 1, .residual = scalar_residual, .jacobian = scalar_jacobian, .user = q};
    double y0 = 0.0, yp0 = 0.0;
    kernel_open(k, &sys, "method=bdf_classic start=given", 0.0, &y0, &yp0);
    assert_ptr_equal(k->b->newton.rules, &newton_rules_classic);
}

/* ---- C125 ------------------------------------------------------------------------------ */

/* Old factors at c_f, wanted c: with corrections scaled by 2 c_f/(c + c_f) the iteration
 * contracts by |c_f - c|/(c + c_f) at lambda = 0 and at lambda -> -inf, by less between. */
static double contraction(double lambda, double ratio)
{
    scalar q = {.s_yp = 1.0, .s_y = lambda, .shift = 1.0};
    kernel k;
    open_scalar(&k, &q);
    assert_int_equal(solve_scalar(&k, 10.0, 1e6), NEWTON_DONE); /* factors at c_f = 10 */
    int64_t factored = k.run.stats.factorizations;
    assert_int_equal(solve_scalar(&k, 10.0 * ratio, 1e4 / k.b->e[0]), NEWTON_DONE);
    assert_int_equal(k.run.stats.factorizations, factored);
    double rate = k.b->newton.rate;
    kernel_close(&k);
    return rate;
}

static void c125_contraction_with_old_factors(void **state)
{
    (void)state;
    const double ratios[] = {0.65, 0.8, 0.95, 1.05, 1.25, 1.6};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        double wanted = fabs(1.0 - ratios[i]) / (1.0 + ratios[i]);
        assert_near(contraction(0.0, ratios[i]), wanted, 1e-10);
        assert_near(contraction(-1e9, ratios[i]), wanted, 1e-6);
        assert_true(contraction(-10.0, ratios[i]) < 0.6 * wanted);
    }
}

static bool refactors(double ratio)
{
    scalar q = {.s_yp = 1.0, .s_y = -1.0, .shift = 1.0};
    kernel k;
    open_scalar(&k, &q);
    assert_int_equal(solve_scalar(&k, 10.0, 1e6), NEWTON_DONE);
    int64_t factored = k.run.stats.factorizations, evaluated = k.run.stats.jacobians;
    assert_int_equal(solve_scalar(&k, 10.0 * ratio, 1e3), NEWTON_DONE);
    bool does = k.run.stats.factorizations > factored;
    assert_int_equal(k.run.stats.jacobians > evaluated, does); /* DASSL evaluates with it */
    kernel_close(&k);
    return does;
}

static void c125_refactors_outside_the_window(void **state)
{
    (void)state;
    assert_true(refactors(0.599));
    assert_false(refactors(0.601));
    assert_false(refactors(1.0));
    assert_false(refactors(1.666));
    assert_true(refactors(1.667));
}

/* ---- C126 ------------------------------------------------------------------------------ */

/* Iterations that a contraction by `rate` takes when the first correction has norm `first`;
 * negative if they did not converge.                                              */
static int64_t iterations_for(double rate, double first)
{
    scalar q = {.s_yp = 1.0, .s_y = -1.0, .shift = 1.0, .bias = rate};
    kernel k;
    open_scalar(&k, &q);
    double c = 3.0, delta = (1.0 - rate) * q.shift / (c + 1.0);
    newton_outcome outcome = solve_scalar(&k, c, first / delta);
    int64_t count = k.run.stats.iterations;
    assert_true(outcome == NEWTON_DONE || outcome == NEWTON_SLOW);
    if (outcome == NEWTON_DONE && count > 1)
        assert_near(k.b->newton.rate, rate, 1e-9);
    kernel_close(&k);
    return outcome == NEWTON_DONE ? count : -count;
}

/* rate/(1 - rate) ||delta_m|| <= 0.33 after m + 1 iterations; at most 4; a rate above 0.9
 * fails at once; an unknown rate counts as 100 in the first test.                 */
static void c126_convergence_constants(void **state)
{
    (void)state;
    assert_int_equal(iterations_for(0.5, 0.0032), 1);
    assert_int_equal(iterations_for(0.5, 0.0034), 2);
    assert_int_equal(iterations_for(0.5, 0.65), 2);  /* delta_1 = 0.325 */
    assert_int_equal(iterations_for(0.5, 0.67), 3);  /* delta_1 = 0.335, delta_2 = 0.1675 */
    assert_int_equal(iterations_for(0.5, 1.31), 3);  /* delta_2 = 0.3275 */
    assert_int_equal(iterations_for(0.5, 1.33), 4);  /* delta_2 = 0.3325 */
    assert_int_equal(iterations_for(0.5, 2.63), 4);  /* delta_3 = 0.32875 */
    assert_int_equal(iterations_for(0.5, 2.65), -4); /* four were allowed */
    assert_int_equal(iterations_for(0.89, 1e3), -4);
    assert_int_equal(iterations_for(0.91, 1e3), -2);
    assert_int_equal(iterations_for(-1.5, 1e3), -2);
}

/* The attempts of one step, by the times at which F was called. */
typedef struct attempts {
    double t[64];
    int count;
} attempts;

static int stubborn_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    attempts *a = user;
    (void)yp;
    if (t > 0.0 && a->count < 64 && (a->count == 0 || a->t[a->count - 1] != t))
        a->t[a->count++] = t;
    r[0] = y[0] - 5.0;
    return DAEDAL_CALL_OK;
}

static int stubborn_jacobian(double t, const double *y, const double *yp, double c, double *values,
                             void *user)
{
    (void)t;
    (void)y;
    (void)yp;
    (void)c;
    (void)user;
    values[0] = -1.0; /* the wrong sign: the iteration diverges at every h */
    return DAEDAL_CALL_OK;
}

/* Corrector failures with a current matrix quarter the step; the tenth ends the run:
 * "give up after 10 consecutive failures" (inventory 5.12; in DASSL NCF < 10 goes on). */
static void c126_quarters_the_step_ten_times(void **state)
{
    (void)state;
    attempts a = {.count = 0};
    daedal_system sys = {
        .n = 1, .residual = stubborn_residual, .jacobian = stubborn_jacobian, .user = &a};
    double y0 = 0.0, yp0 = 0.0;
    daedal_solver *s =
        start_solver(&sys, "method=bdf_classic start=given first_step=0.5", 0.0, &y0, &yp0);
    assert_int_equal(daedal_solver_advance(s, 4.0), DAEDAL_ERR_NEWTON);
    assert_near(a.t[0], 0.5, 0.0);
    for (int i = 1; i < a.count; i++)
        assert_near(a.t[i] / a.t[i - 1], 0.25, 1e-15);
    assert_int_equal(daedal_solver_stats(s)->rejected_newton, 10);
    assert_int_equal(a.count, 10);
    daedal_solver_free(s);
}

/* ---- C127 ------------------------------------------------------------------------------ */

static void c127_difference_increment(void **state)
{
    (void)state;
    const double u = sqrt(DBL_EPSILON);
    assert_near(differences_increment(0.0, 0.0, 3e-5), 3e-5 * u, 0.0);
    const struct {
        double y, hyp, weight, size;
    } rows[] = {
        {2.0, 1.0, 1e-3, 2.0},  {2.0, -1.0, 1e-3, -2.0}, {-2.0, 1.0, 1e-3, 2.0},
        {0.1, 3.0, 1e-3, 3.0},  {0.1, -3.0, 1e-3, -3.0}, {1e-9, 1e-8, 1e-3, 1e-3},
        {0.0, -1e-8, 0.5, -0.5}, {-4.0, 0.0, 0.5, 4.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_near(differences_increment(rows[i].y, rows[i].hyp, rows[i].weight),
                    rows[i].size * u, 1e-15 * u);
}

enum { BAND_N = 40, LOWER = 2, UPPER = 1 };

static double band_row(const double *y, int i)
{
    double sum = -9.0 * y[i];
    for (int j = i - LOWER; j <= i + UPPER; j++)
        if (j >= 0 && j < BAND_N)
            sum += y[j] * (1.0 + 0.01 * i) + 0.1 * y[j] * y[j];
    return sum;
}

static int band_rhs(double t, const double *y, double *f, void *user)
{
    (void)t;
    (void)user;
    for (int i = 0; i < BAND_N; i++)
        f[i] = band_row(y, i);
    return DAEDAL_CALL_OK;
}

static int band_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    for (int i = 0; i < BAND_N; i++)
        r[i] = yp[i] - band_row(y, i);
    return DAEDAL_CALL_OK;
}

/* Calls of F per Jacobian in a run of the system; the first, which may try larger
 * increments, is left out.                                                        */
static double calls_per_jacobian(const daedal_system *sys)
{
    double y0[BAND_N];
    for (int i = 0; i < BAND_N; i++)
        y0[i] = 1.0 + 0.01 * i;
    daedal_solver *s = start_solver(sys, "method=bdf_classic rtol=1e-5", 0.0, y0, NULL);
    assert_int_equal(daedal_solver_advance(s, 0.01), DAEDAL_OK);
    daedal_stats before = *daedal_solver_stats(s);
    assert_int_equal(daedal_solver_advance(s, 2.0), DAEDAL_OK);
    daedal_stats after = *daedal_solver_stats(s);
    daedal_solver_free(s);
    assert_true(after.jacobians > before.jacobians);
    return (double)(after.jacobian_residuals - before.jacobian_residuals) /
           (double)(after.jacobians - before.jacobians);
}

/* ml + mu + 1 evaluations for dF/dy of a band.  The fully implicit form keeps dF/dy' apart
 * and needs one more for its diagonal; in mass form M is given.                   */
static void c127_band_grouping(void **state)
{
    (void)state;
    daedal_system mass_form = {.n = BAND_N, .rhs = band_rhs};
    daedal_system implicit = {.n = BAND_N, .residual = band_residual};
    assert_near(calls_per_jacobian(&mass_form), LOWER + UPPER + 1, 0.0);
    assert_near(calls_per_jacobian(&implicit), LOWER + UPPER + 2, 0.0);
}

/* ---- C142 ------------------------------------------------------------------------------ */

/* A stiff exchange between two variables of very different sizes; y2 follows y1 1e-12. */
static int scaled_badly(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    const double *lambda = user;
    double flow = *lambda * (y[0] - 1e12 * y[1]);
    r[0] = yp[0] + y[0];
    r[1] = 1e12 * yp[1] - flow;
    return DAEDAL_CALL_OK;
}

static int scaled_badly_jacobian(double t, const double *y, const double *yp, double c, double *v,
                                 void *user)
{
    (void)t;
    (void)y;
    (void)yp;
    const double *lambda = user;
    v[0] = c + 1.0;
    v[1] = -*lambda;
    v[3] = 1e12 * (c + *lambda);
    return DAEDAL_CALL_OK;
}

static daedal_stats exchange(double ratio, const char *options, bool analytic)
{
    double lambda = 1e6, y0[2] = {1.0, 1e-12 * ratio};
    daedal_system sys = {.n = 2,
                         .residual = scaled_badly,
                         .jacobian = analytic ? scaled_badly_jacobian : NULL,
                         .user = &lambda};
    daedal_solver *s = start_solver(&sys, options, 0.0, y0, NULL);
    daedal_solver_advance(s, 1.0);
    daedal_stats stats = *daedal_solver_stats(s);
    assert_near(daedal_solver_state(s)->t, 1.0, 0.0);
    daedal_solver_free(s);
    return stats;
}

/* The increment of y2 must be seen in lambda (y1 - 1e12 y2): sized by y2 it is.  The
 * equation is the seed's lambda (y1 - y2), y1/y2 = 1e12, in units in which the run can
 * be right; the seed's remedies (larger ATOL, analytic Jacobian) do no worse, and the
 * ratio of corrector to error test failures that diagnoses the trouble is readable.  */
static void c142_badly_scaled_difference(void **state)
{
    (void)state;
    daedal_stats differenced = exchange(1.0, "rtol=1e-5 atol=1e-20", false);
    daedal_stats analytic = exchange(1.0, "rtol=1e-5 atol=1e-20", true);
    daedal_stats raised = exchange(1.0, "rtol=1e-5 atol=1e-6", false);
    assert_true(analytic.rejected_newton <= 2);
    assert_true(differenced.rejected_newton <= 2);
    assert_true(raised.rejected_newton <= 2);
    assert_true(differenced.steps <= analytic.steps + analytic.steps / 4 + 10);
}
