/* tests/conformance/c120_dassl_kernel.c - coefficients, corrector and step rules of the
 * classical baseline: C120 to C124 and C128 to C130.
 *
 * Formulas: the inventory, section 5, of [BCP96] chapter 5.  The same theorems on random
 * grids stand in tests/property/test_bdf_grid.c.                                  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "driving.h"
#include "linalg/vector.h"

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g within %.1e", found, wanted, tolerance);
}

/* ---- C120: coefficients at constant step ---------------------------------------- */

static void c120_coefficients_at_constant_step(void **state)
{
    (void)state;
    for (int32_t k = 1; k <= 5; k++)
        for (int flc = 0; flc <= 1; flc++) {
            double h = 0.125, psi[BDF_DIFFERENCES], harmonic = 0.0;
            for (int32_t i = 0; i < BDF_DIFFERENCES; i++)
                psi[i] = (i + 1) * h;
            bdf_grid g;
            bdf_grid_set(&g, psi, h, k, flc);
            for (int32_t i = 1; i <= k + 2; i++) {
                assert_near(g.psi[i - 1], i * h, 1e-15);
                assert_near(g.alpha[i - 1], 1.0 / i, 1e-15);
                assert_near(g.beta[i - 1], 1.0, 1e-15);
                assert_near(g.sigma[i - 1], 1.0 / i, 1e-15);
                assert_near(g.gamma[i - 1], harmonic / h, 1e-13);
                harmonic += 1.0 / i;
            }
            double alpha_s = 0.0;
            for (int32_t j = 1; j <= k; j++)
                alpha_s -= 1.0 / j;
            assert_near(g.gamma[k], -alpha_s / h, 1e-13); /* gamma_{k+1} */
            assert_near(g.leading, -alpha_s, 1e-15);      /* also alpha_0 = alpha_s */
            assert_near(g.c, -alpha_s / h, 1e-13);
            assert_near(bdf_grid_error_constant(&g, k), 1.0 / (k + 1), 1e-15);
        }
}

/* After a change of step the two methods differ: alpha_s against alpha_0, and M is the
 * larger of the interpolation error and the true error constant.                 */
static void c120_coefficients_after_doubling(void **state)
{
    (void)state;
    double psi[BDF_DIFFERENCES] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    bdf_grid flc, variable;
    bdf_grid_set(&flc, psi, 2.0, 2, true);
    bdf_grid_set(&variable, psi, 2.0, 2, false);
    assert_near(flc.leading, 1.5, 1e-15);
    assert_near(variable.leading, 1.0 + 2.0 / 3.0, 1e-15); /* 1 + h/(h + h_old) */
    /* alpha_3 = 2/4; alpha_3 + alpha_s - alpha_0 = 1/2 - 3/2 + 5/3 = 2/3 */
    assert_near(bdf_grid_error_constant(&flc, 2), 2.0 / 3.0, 1e-15);
    assert_near(flc.beta[1], 2.0, 1e-15);
    assert_near(flc.beta[2], 2.0 * 3.0 / 2.0, 1e-15);
    assert_near(flc.sigma[2], 8.0 * 2.0 / (2.0 * 3.0 * 4.0), 1e-15);
}

/* ---- C121 to C124: monomials on an uneven grid ------------------------------------ */

typedef struct power {
    int32_t k;
    double excess; /* F = y' - k t^(k-1) - excess: makes y - y0 differ from 0 */
} power;

static double monomial(double t, const void *user)
{
    return pow(t, ((const power *)user)->k);
}

static double monomial_slope(double t, const power *p)
{
    return p->k * pow(t, p->k - 1);
}

static int monomial_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const power *p = user;
    (void)y;
    r[0] = yp[0] - monomial_slope(t, p) - p->excess;
    return DAEDAL_CALL_OK;
}

static const double UNEVEN[] = {2.0, 1.7, 1.6, 1.1, 0.9, 0.5};
static const double STEPS[] = {0.4, 0.1, 0.25, 0.3, 0.2, 0.05, 0.15};
enum { N_STEPS = sizeof STEPS / sizeof *STEPS };

static void open_monomial(kernel *kn, power *p)
{
    daedal_system sys = {.n = 1, .residual = monomial_residual, .user = p};
    double y0 = monomial(2.0, p), yp0 = monomial_slope(2.0, p);
    kernel_open(kn, &sys, "method=bdf_classic rtol=1 atol=1e6 start=given", 2.0, &y0, &yp0);
    history past = {UNEVEN, p->k + 1, p->k, STEPS[0]};
    kernel_remember(kn, &past, monomial, p);
    kn->b->yp[0] = yp0;
}

/* One step of the given size at the order of the monomial. */
static void step_by(kernel *kn, const power *p, double h)
{
    kn->b->k = p->k;
    kn->b->h = h;
    assert_int_equal(bdf_step(kn->b, 100.0), DAEDAL_OK);
    assert_near(kn->b->h_last, h, 0.0);
}

/* Steps of all sizes at all orders: a check after each, the i-th of STEPS. */
typedef void check_fn(kernel *kn, power *p, int i);

static void step_and_check(check_fn *check)
{
    for (int32_t k = 1; k <= 5; k++) {
        power p = {k, 0.0};
        kernel kn;
        open_monomial(&kn, &p);
        for (int i = 0; i < N_STEPS; i++)
            check(&kn, &p, i);
        kernel_close(&kn);
    }
}

static void expect_monomial(const kernel *kn, const power *p, double y, double yp)
{
    double t = kn->b->t, size = monomial(t, p);
    assert_near(y, size, 1e-12 * size);
    assert_near(yp, monomial_slope(t, p), 1e-11 * size);
}

static void check_predictor(kernel *kn, power *p, int i)
{
    step_by(kn, p, STEPS[i]);
    expect_monomial(kn, p, kn->b->y_pred[0], kn->b->yp_pred[0]);
}

static void c121_predictor_exact_for_monomials(void **state)
{
    (void)state;
    step_and_check(check_predictor);
}

static void check_corrector(kernel *kn, power *p, int i)
{
    step_by(kn, p, STEPS[i]);
    expect_monomial(kn, p, kn->b->y[0], kn->b->yp[0]);
}

static void c122_corrector_exact_for_monomials(void **state)
{
    (void)state;
    step_and_check(check_corrector);
}

/* The corrector equation alpha_s (y - y0) + h (y' - y0') = 0 with y != y0, and the last
 * difference of the new history.                                                 */
static void check_last_difference(kernel *kn, power *p, int i)
{
    p->excess = 0.3 + i;
    step_by(kn, p, STEPS[i]);
    double change = kn->b->y[0] - kn->b->y_pred[0], sum = 0.0, size = fabs(kn->b->y[0]);
    for (int32_t j = 1; j <= p->k; j++)
        sum += 1.0 / j;
    assert_true(fabs(change) > 1e-3);
    assert_near(kn->b->history.phi[p->k + 1][0], change, 1e-12 * size);
    double left = -sum * change + STEPS[i] * (kn->b->yp[0] - kn->b->yp_pred[0]);
    assert_near(left, 0.0, 1e-12 * size);
}

static void c123_last_difference_is_y_minus_prediction(void **state)
{
    (void)state;
    step_and_check(check_last_difference);
}

/* The interpolant reproduces degree k and is continuous at mesh points.  DASSL's
 * derivative jumps there; ours must not: the library promises y' too (inventory 5.07
 * calls that desirable), so both sides must give the accepted y'.                 */
static void check_interpolant(kernel *kn, power *p, int i)
{
    step_by(kn, p, STEPS[i]);
    for (int j = 0; j <= 8; j++) {
        double t = kn->b->t - j / 8.0 * STEPS[i], y, yp, size = monomial(kn->b->t, p);
        bdf_interpolate(kn->b, t, &y, &yp);
        assert_near(y, monomial(t, p), 1e-12 * size);
        assert_near(yp, monomial_slope(t, p), 1e-11 * size / STEPS[i]);
    }
}

static void c124_interpolant_reproduces_degree_k(void **state)
{
    (void)state;
    step_and_check(check_interpolant);
}

static void check_mesh_points(kernel *kn, power *p, int i)
{
    double y_left = kn->b->y[0], yp_left = kn->b->yp[0], y, yp;
    p->excess = 0.3 + i; /* not a polynomial of degree k any more */
    step_by(kn, p, STEPS[i]);
    double size = 1.0 + fabs(kn->b->y[0]);
    bdf_interpolate(kn->b, kn->b->t_before, &y, &yp);
    assert_near(y, y_left, 1e-12 * size);
    assert_near(yp, yp_left, 1e-11 * size / STEPS[i]);
    bdf_interpolate(kn->b, kn->b->t - 1e-13, &y, &yp);
    assert_near(y, kn->b->y[0], 1e-10 * size);
    assert_near(yp, kn->b->yp[0], 1e-9 * size / STEPS[i]);
}

static void c124_interpolant_continuous_at_mesh_points(void **state)
{
    (void)state;
    step_and_check(check_mesh_points);
}

/* ---- C128: step rules ---------------------------------------------------------------- */

/* E with (2 E + 1e-4)^(-1/(k+1)) = r. */
static double estimate_for(double r, int32_t k)
{
    return 0.5 * (pow(r, -(k + 1)) - 1e-4);
}

static void c128_step_after_success(void **state)
{
    (void)state;
    const struct {
        double r, factor;
    } rows[] = {{3.0, 2.0},  {2.0001, 2.0}, {1.99, 1.0}, {1.5, 1.0}, {1.0001, 1.0},
                {0.95, 0.9}, {0.9, 0.9},    {0.7, 0.7},  {0.5, 0.5}, {0.2, 0.5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int32_t k = 1; k <= 5; k++) {
            bdf b = {.k = k, .k_last = k, .h = 0.1, .order_max = 5, .pacing = {.equal_steps = 1}};
            b.seen = (bdf_assessment){.est = estimate_for(rows[i].r, k), .suggested = k};
            bdf_strategy_classic.choose_next(&b);
            assert_near(b.h, 0.1 * rows[i].factor, 1e-12);
            assert_int_equal(b.k, k);
        }
}

static void c128_initial_phase(void **state)
{
    (void)state;
    bdf b = {.k = 2, .k_last = 1, .h = 0.1, .order_max = 5, .pacing = {.starting = true}};
    b.seen = (bdf_assessment){.est = 0.4, .suggested = 2};
    bdf_strategy_classic.choose_next(&b); /* raise and double while it lasts */
    assert_true(b.pacing.starting);
    assert_int_equal(b.k, 3);
    assert_near(b.h, 0.2, 1e-15);
    b.seen = (bdf_assessment){.est = 0.4, .est_lower = estimate_for(0.7, 2), .suggested = 2};
    bdf_strategy_classic.choose_next(&b); /* a lower order is better: it ends */
    assert_false(b.pacing.starting);
    assert_int_equal(b.k, 2);
    assert_near(b.h, 0.2 * 0.7, 1e-12);
}

static void c128_step_after_failed_error_test(void **state)
{
    (void)state;
    const struct {
        int32_t failures, suggested;
        double r, factor;
        int32_t order;
    } rows[] = {
        {1, 4, 2.0, 0.9, 4},  {1, 4, 0.8, 0.72, 4}, {1, 4, 0.1, 0.25, 4}, {1, 3, 0.6, 0.54, 3},
        {2, 4, 0.8, 0.25, 4}, {2, 3, 2.0, 0.25, 3}, {3, 4, 0.8, 0.25, 1}, {4, 1, 2.0, 0.25, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bdf b = {.strategy = &bdf_strategy_classic, .k = 4, .h = 0.1, .order_max = 5};
        double est = estimate_for(rows[i].r, rows[i].suggested);
        b.seen = (bdf_assessment){.suggested = rows[i].suggested};
        *(rows[i].suggested < 4 ? &b.seen.est_lower : &b.seen.est) = est;
        b.h *= bdf_retreat(&b, rows[i].failures);
        assert_near(b.h, 0.1 * rows[i].factor, 1e-12);
        assert_int_equal(b.k, rows[i].order);
    }
}

/* ---- C129: the first and the smallest step ------------------------------------------- */

static int growth(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    const double *rate = user;
    r[0] = yp[0] - *rate * y[0];
    return DAEDAL_CALL_OK;
}

static double first_step_of(double rate, const char *options, double t_out)
{
    daedal_system sys = {.n = 1, .residual = growth, .user = &rate};
    double y0 = 1.0, h;
    kernel kn;
    kernel_open(&kn, &sys, options, 3.0, &y0, NULL);
    kernel_begin(&kn, t_out);
    h = kn.b->h;
    kernel_close(&kn);
    return h;
}

static void c129_first_step(void **state)
{
    (void)state;
    const char *classic = "method=bdf_classic rtol=1e-4 atol=1e-5"; /* w = 1.1e-4 at y = 1 */
    assert_near(first_step_of(0.0, classic, 5.0), 1e-3 * 2.0, 1e-15);
    assert_near(first_step_of(0.0, classic, 1.0), -1e-3 * 2.0, 1e-15);
    assert_near(first_step_of(1.0, classic, 5.0), 0.5 * 1.1e-4, 1e-12);
    assert_near(first_step_of(-4.0, classic, 1.0), -0.125 * 1.1e-4, 1e-12);
    assert_near(first_step_of(1e-9, classic, 5.0), 1e-3 * 2.0, 1e-15);
    assert_near(first_step_of(1.0, "method=bdf_classic first_step=0.3", 5.0), 0.3, 0.0);
    assert_near(first_step_of(1.0, "method=bdf_classic first_step=0.3", 1.0), -0.3, 0.0);
    /* the same rule in the weights of the default method */
    double f = weights_factor(1e-4);
    assert_near(first_step_of(1.0, "rtol=1e-4 atol=1e-5", 5.0), 0.5 * f * 1.1e-4, 1e-12);
}

typedef struct jump {
    double at, smallest; /* F jumps at this time; the smallest |t - at| > 0 seen  */
} jump;

/* No step over the jump passes the error test, so that h shrinks to its limit. */
static int jumping(double t, const double *y, const double *yp, double *r, void *user)
{
    jump *j = user;
    (void)yp;
    double after = t - j->at;
    if (after > 0.0)
        j->smallest = fmin(j->smallest, after);
    r[0] = y[0] - (after > 0.0 ? 1e3 : 1.0);
    return DAEDAL_CALL_OK;
}

/* h_min = 4 u max(|t|, |t_out|), [BCP96] p. 129.  A step of ours knows no output time and
 * takes 4 u |t|; here t and t_out agree to six digits, so that both readings do: the run
 * ends by the error test, with steps down to that limit and none below.           */
static void c129_smallest_step(void **state)
{
    (void)state;
    const double at = 8e6, h_min = 4.0 * DBL_EPSILON * at, ulp = DBL_EPSILON * at;
    for (int m = 1; m <= 2; m++) {
        jump j = {.at = at, .smallest = INFINITY};
        daedal_system sys = {.n = 1, .residual = jumping, .user = &j};
        double y0 = 1.0;
        daedal_solver *s = start_solver(
            &sys, m == 1 ? "method=bdf max_step=1e-3" : "method=bdf_classic max_step=1e-3",
            at - 0.1, &y0, NULL);
        daedal_solver_set_stop_time(s, at);
        assert_int_equal(daedal_solver_advance(s, at), DAEDAL_OK);
        daedal_solver_set_stop_time(s, NAN);
        assert_int_equal(daedal_solver_advance(s, at + 1.0), DAEDAL_ERR_ERROR_TEST);
        assert_true(j.smallest >= h_min - ulp);
        assert_true(j.smallest <= 4.0 * h_min + ulp);
        assert_true(daedal_solver_state(s)->t == at);
        daedal_solver_free(s);
    }
}

/* ---- C130: the norm -------------------------------------------------------------------- */

static void c130_weighted_root_mean_square(void **state)
{
    (void)state;
    for (int32_t n = 1; n <= 9; n++) {
        double v[9], inverse[9], sum = 0.0;
        for (int32_t i = 0; i < n; i++) {
            v[i] = 0.1 * (i + 1) * (i % 2 ? -1.0 : 1.0);
            inverse[i] = 1.0 / (1e-3 + 0.1 * i);
            sum += v[i] * v[i] * inverse[i] * inverse[i];
        }
        assert_near(vector_wrms(v, inverse, n), sqrt(sum / n), 1e-13 * sqrt(sum / n));
    }
    double one[5] = {1, 1, 1, 1, 1};
    assert_near(vector_wrms(one, one, 5), 1.0, 1e-15); /* hence the 1/N */
}

static int decay(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    for (int i = 0; i < 3; i++)
        r[i] = yp[i] + y[i];
    return DAEDAL_CALL_OK;
}

/* WT_i = RTOL_i |y_i| + ATOL_i at the start of the step, per variable. */
static void c130_vector_tolerances(void **state)
{
    (void)state;
    const double rtol[] = {1e-3, 1e-5, 0.0}, atol[] = {0.0, 1e-4, 1e-2}, y0[] = {4.0, -2.0, 7.0};
    daedal_system sys = {.n = 3, .residual = decay};
    daedal_options opt = options_of("method=bdf_classic");
    opt.rtol_each = (daedal_doubles){rtol, 3};
    opt.atol_each = (daedal_doubles){atol, 3};
    run r;
    assert_int_equal(run_create(&r, &sys, &opt), DAEDAL_OK);
    run_start_values from = {0.0, y0, NULL, NULL, NULL};
    assert_int_equal(run_start(&r, &from), DAEDAL_OK);
    for (int step = 0; step < 20; step++) {
        double y[3];
        memcpy(y, r.y, sizeof y);
        assert_int_equal(run_step(&r, 10.0), DAEDAL_OK);
        const bdf *b = r.integrator;
        for (int i = 0; i < 3; i++) {
            double weight = rtol[i] * fabs(y[i]) + atol[i];
            assert_near(b->inverse_weight[i] * weight, 1.0, 1e-14);
        }
    }
    run_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c120_coefficients_at_constant_step),
        cmocka_unit_test(c120_coefficients_after_doubling),
        cmocka_unit_test(c121_predictor_exact_for_monomials),
        cmocka_unit_test(c122_corrector_exact_for_monomials),
        cmocka_unit_test(c123_last_difference_is_y_minus_prediction),
        cmocka_unit_test(c124_interpolant_reproduces_degree_k),
        cmocka_unit_test(c124_interpolant_continuous_at_mesh_points),
        cmocka_unit_test(c128_step_after_success),
        cmocka_unit_test(c128_initial_phase),
        cmocka_unit_test(c128_step_after_failed_error_test),
        cmocka_unit_test(c129_first_step),
        cmocka_unit_test(c129_smallest_step),
        cmocka_unit_test(c130_weighted_root_mean_square),
        cmocka_unit_test(c130_vector_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
