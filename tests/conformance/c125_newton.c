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
#include "newton/difference_jacobian.h"

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
    assert_int_equal(solve_scalar(&k, 10.0 * ratio, 0.05 / k.b->e[0]), NEWTON_DONE);
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
    assert_int_equal(solve_scalar(&k, 10.0 * ratio, 0.5), NEWTON_DONE);
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
typedef struct step_attempts {
    double t[64];
    int count;
} step_attempts;

static int stubborn_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    step_attempts *a = user;
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
    step_attempts a = {.count = 0};
    daedal_system sys = {
        .n = 1, .residual = stubborn_residual, .jacobian = stubborn_jacobian, .user = &a};
    double y0 = 0.0, yp0 = 0.0;
    daedal_solver *s =
        start_solver(&sys, "method=bdf_classic start=given first_step=0.5", 0.0, &y0, &yp0);
    assert_int_equal(daedal_solver_advance(s, 4.0), DAEDAL_ERR_NEWTON);
    assert_near(a.t[0], 0.5, 0.0);
    assert_int_equal(daedal_solver_stats(s)->rejected_newton, 10);
    for (int i = 1; i < 10; i++) /* what follows looks for the reason */
        assert_near(a.t[i] / a.t[i - 1], 0.25, 1e-15);
    assert_non_null(strstr(daedal_solver_diagnosis(s)->message,
                           "d(equation 0)/d(y[0]) is given as -1, found 1"));
    daedal_solver_free(s);
}

/* ---- C127 ------------------------------------------------------------------------------ */

static void c127_difference_increment(void **state)
{
    (void)state;
    const double u = sqrt(DBL_EPSILON);
    assert_near(difference_jacobian_increment(0.0, 0.0, 3e-5), 3e-5 * u, 0.0);
    const struct {
        double y, hyp, weight, size;
    } rows[] = {
        {2.0, 1.0, 1e-3, 2.0},   {2.0, -1.0, 1e-3, -2.0}, {-2.0, 1.0, 1e-3, 2.0},
        {0.1, 3.0, 1e-3, 3.0},   {0.1, -3.0, 1e-3, -3.0}, {1e-9, 1e-8, 1e-3, 1e-3},
        {0.0, -1e-8, 0.5, -0.5}, {-4.0, 0.0, 0.5, 4.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_near(difference_jacobian_increment(rows[i].y, rows[i].hyp, rows[i].weight),
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

/* A term lambda (y1 - y2) with y1/y2 = 1e12: the second equation holds y2 at 1e-12 y1, but
 * an increment sized by y2 drowns in y1.                                          */
static const double STIFF = 1e4, TINY = 1e-12;

static int scaled_badly(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    double difference = y[0] - y[1];
    r[0] = yp[0] + y[0];
    r[1] = yp[1] + y[1] - STIFF * (difference - (1.0 - TINY) * y[0]);
    return DAEDAL_CALL_OK;
}

static int scaled_badly_jacobian(double t, const double *y, const double *yp, double c, double *v,
                                 void *user)
{
    (void)t;
    (void)y;
    (void)yp;
    (void)user;
    v[0] = c + 1.0;
    v[1] = -STIFF * TINY;
    v[3] = c + 1.0 + STIFF;
    return DAEDAL_CALL_OK;
}

static daedal_stats exchange(const char *options, bool analytic)
{
    double y0[2] = {1.0, TINY};
    daedal_system sys = {
        .n = 2, .residual = scaled_badly, .jacobian = analytic ? scaled_badly_jacobian : NULL};
    daedal_solver *s = start_solver(&sys, options, 0.0, y0, NULL);
    daedal_solver_advance(s, 1.0);
    daedal_stats stats = *daedal_solver_stats(s);
    assert_near(daedal_solver_state(s)->t, 1.0, 0.0);
    assert_near(daedal_solver_state(s)->y[0], exp(-1.0), 1e-2);
    daedal_solver_free(s);
    return stats;
}

/* The remedies of [BCP96] p. 134 cure it: a given Jacobian, or a larger ATOL for y2.  By
 * differences alone the run may suffer; then corrector failures must outnumber error test
 * failures in the statistics, which is the diagnosis.                             */
static void c142_badly_scaled_difference(void **state)
{
    (void)state;
    for (int m = 1; m <= 2; m++) {
        bool classic = m == 2;
        const char *tight = classic ? "method=bdf_classic rtol=1e-3 atol=1e-14"
                                    : "method=bdf rtol=1e-3 atol=1e-14 calibrate_tolerance=no";
        const char *loose = classic ? "method=bdf_classic rtol=1e-3 atol=1e-6"
                                    : "method=bdf rtol=1e-3 atol=1e-6 calibrate_tolerance=no";
        daedal_stats differenced = exchange(tight, false);
        daedal_stats analytic = exchange(tight, true), raised = exchange(loose, false);
        assert_true(analytic.rejected_newton <= analytic.steps / 10 + 1);
        assert_true(raised.rejected_newton <= raised.steps / 10 + 1);
        assert_true(analytic.steps < 200 && raised.steps < 200);
        if (differenced.steps > 2 * analytic.steps)
            assert_true(differenced.rejected_newton > differenced.rejected_error);
    }
}

/* ---- C147 ------------------------------------------------------------------------------ */

static int oscillator(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 4.0 * y[0] + 0.5 * y[1] - sin(t);
    r[2] = y[2] - y[0] - 2.0 * y[1];
    return DAEDAL_CALL_OK;
}

static int oscillator_jacobian(double t, const double *y, const double *yp, double c, double *v,
                               void *user)
{
    (void)t;
    (void)y;
    (void)yp;
    (void)user;
    const double columns[9] = {c, 4.0, -1.0, -1.0, c + 0.5, -2.0, 0.0, 0.0, 1.0};
    memcpy(v, columns, sizeof columns);
    return DAEDAL_CALL_OK;
}

/* A linear problem with its exact Jacobian at constant step and order. */
static daedal_solver *start_linear(const char *options)
{
    daedal_system sys = {.n = 3, .residual = oscillator, .jacobian = oscillator_jacobian};
    const double y0[] = {1.0, 0.0, 1.0};
    daedal_solver *s = start_solver(&sys, options, 0.0, y0, NULL);
    for (int i = 0; i < 20; i++) /* order and step settle, the rate is measured */
        assert_int_equal(daedal_solver_step(s, 100.0), DAEDAL_OK);
    return s;
}

static void c147_one_iteration_on_linear_problems(void **state)
{
    (void)state;
    enum { STEPS = 200 };
    daedal_solver *s = start_linear(
        "method=bdf_classic order_max=2 first_step=0.01 max_step=0.01 rtol=1e-3 atol=1e-2");
    const daedal_stats *now = daedal_solver_stats(s);
    daedal_stats before = *now;
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(daedal_solver_step(s, 100.0), DAEDAL_OK);
    assert_near(now->h_last, 0.01, 0.0);
    assert_int_equal(now->iterations - before.iterations, STEPS);
    assert_int_equal(now->residuals - before.residuals, STEPS);
    assert_int_equal(now->factorizations - before.factorizations, 0);
    assert_int_equal(now->jacobians - before.jacobians, 0);
    daedal_solver_free(s);
}

/* The method bdf measures the rate anew after twenty single iterations. */
static void c147_one_iteration_with_measured_rates(void **state)
{
    (void)state;
    enum { STEPS = 210 };
    daedal_solver *s =
        start_linear("method=bdf order_max=2 first_step=0.01 max_step=0.01 rtol=1e-3 atol=1e-2");
    const daedal_stats *now = daedal_solver_stats(s);
    daedal_stats before = *now;
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(daedal_solver_step(s, 100.0), DAEDAL_OK);
    assert_near(now->h_last, 0.01, 0.0);
    assert_int_equal(now->iterations - before.iterations, STEPS + STEPS / 21);
    assert_int_equal(now->factorizations - before.factorizations, 0);
    assert_int_equal(now->jacobians - before.jacobians, 0);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c125_contraction_with_old_factors),
        cmocka_unit_test(c125_refactors_outside_the_window),
        cmocka_unit_test(c126_convergence_constants),
        cmocka_unit_test(c126_quarters_the_step_ten_times),
        cmocka_unit_test(c127_difference_increment),
        cmocka_unit_test(c127_band_grouping),
        cmocka_unit_test(c142_badly_scaled_difference),
        cmocka_unit_test(c147_one_iteration_on_linear_problems),
        cmocka_unit_test(c147_one_iteration_with_measured_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
