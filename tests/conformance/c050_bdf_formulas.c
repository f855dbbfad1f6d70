/* tests/conformance/c050_bdf_formulas.c - coefficients of BDF and of other linear multistep
 * methods: C050, C051, C068, C069, C070, C215.                                          */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "fixed_step.h"
#include "harness.h"
#include "integ/bdf_grid.h"
#include "order_problems.h"
#include "small_dense.h"

/* ---- C050, C051 ------------------------------------------------------------------------ */

/* h y' = sum_i alpha_i y_{n-i}, numerators over one denominator ([HW96] III.1). */
static const struct {
    int denominator, numerator[7];
} BDF[] = {
    {1, {1, -1}},
    {2, {3, -4, 1}},
    {6, {11, -18, 9, -2}},
    {12, {25, -48, 36, -16, 3}},
    {60, {137, -300, 300, -200, 75, -12}},
    {60, {147, -360, 450, -400, 225, -72, 10}},
};

static void alphas(int32_t k, double *alpha)
{
    double times[BDF_STEPS_MAX + 1];
    for (int32_t i = 0; i <= k; i++)
        times[i] = -i;
    bdf_weights(times, k, alpha);
}

static void c050_coefficients(void **state)
{
    (void)state;
    for (int32_t k = 1; k <= 6; k++) {
        double alpha[BDF_STEPS_MAX + 1], sum = 0.0, error = 0.0;
        alphas(k, alpha);
        for (int32_t i = 0; i <= k; i++) {
            expect_near(alpha[i], (double)BDF[k - 1].numerator[i] / BDF[k - 1].denominator, 1e-13);
            sum += alpha[i];
            error += alpha[i] * pow(-i, k + 1);
        }
        expect_near(sum, 0.0, 1e-13);
        /* of t^(k+1) at 0: sum - h y' = -(k+1)!/(k+1) */
        expect_near(error / tgamma(k + 2.0), -1.0 / (k + 1), 1e-12);
    }
}

/* The library's own: a run of equal steps. */
static void c050_coefficients_of_the_library(void **state)
{
    (void)state;
    const double leading[] = {1.0, 3.0 / 2, 11.0 / 6, 25.0 / 12, 137.0 / 60, 147.0 / 60};
    const double h = 0.25;
    double psi[BDF_DIFFERENCES];
    for (int32_t i = 0; i < BDF_DIFFERENCES; i++)
        psi[i] = (i + 1) * h;
    for (int32_t k = 1; k <= BDF_ORDER_MAX; k++)
        for (int fixed = 0; fixed <= 1; fixed++) {
            bdf_grid g;
            bdf_grid_set(&g, psi, h, k, fixed == 1);
            expect_near(g.leading, leading[k - 1], 1e-14);
            expect_near(g.c * h, leading[k - 1], 1e-14);
            expect_near(bdf_grid_error_constant(&g, k), 1.0 / (k + 1), 1e-14);
        }
}

/* The roots of sum_i alpha_i z^(k-i), all at once (Durand, Kerner). */
static void roots_of(int32_t k, const double *alpha, double complex *root)
{
    for (int32_t i = 0; i < k; i++)
        root[i] = cpow(0.4 + 0.9 * I, i);
    for (int sweep = 0; sweep < 2000; sweep++)
        for (int32_t i = 0; i < k; i++) {
            double complex value = alpha[0];
            double complex others = alpha[0];
            for (int32_t j = 1; j <= k; j++)
                value = value * root[i] + alpha[j];
            for (int32_t j = 0; j < k; j++)
                if (j != i)
                    others *= root[i] - root[j];
            root[i] -= value / others;
        }
}

static void c051_stable_up_to_six(void **state)
{
    (void)state;
    for (int32_t k = 1; k <= 7; k++) {
        double alpha[BDF_STEPS_MAX + 1], largest = 0.0, nearest = INFINITY;
        double complex root[BDF_STEPS_MAX];
        alphas(k, alpha);
        roots_of(k, alpha, root);
        int32_t principal = 0;
        for (int32_t i = 0; i < k; i++)
            if (cabs(root[i] - 1.0) < cabs(root[principal] - 1.0))
                principal = i;
        for (int32_t i = 0; i < k; i++)
            if (i != principal) {
                largest = fmax(largest, cabs(root[i]));
                nearest = fmin(nearest, cabs(root[i] - 1.0));
            }
        expect_near(cabs(root[principal] - 1.0), 0.0, 1e-10);
        assert_true(nearest > 0.1); /* the principal root is simple */
        if (k <= 6)
            assert_true(largest < 1.0);
        else
            assert_true(largest > 1.01);
    }
}

/* ---- C068 ---------------------------------------------------------------------------------- */

static int alternating(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)yp;
    r[0] = y[0] - *(const double *)user;
    return DAEDAL_CALL_OK;
}

/* x = 0 with the residual disturbed by (-1)^n / 2: the midpoint rule adds all disturbances up. */
static void c068_midpoint_adds_disturbances(void **state)
{
    (void)state;
    double w, x = 0.0;
    daedal_system sys = {.n = 1, .residual = alternating, .user = &w};
    tableau midpoint = tableau_of("midpoint"), euler = tableau_of("implicit_euler");
    double x_euler = 0.0;
    for (int n = 1; n <= 100; n++) {
        double sign = n % 2 == 0 ? 1.0 : -1.0;
        w = 0.5 * sign;
        assert_true(rk_step(&midpoint, &sys, 0.1 * n, 0.1, &x, NULL));
        assert_true(rk_step(&euler, &sys, 0.1 * n, 0.1, &x_euler, NULL));
        expect_near(x, n * sign, 1e-10);
        expect_near(x_euler, w, 1e-12);
    }
    expect_near(x, 100.0, 1e-10);
}

/* ---- C069 ---------------------------------------------------------------------------------- */

/* A formula (1/h) sum a_j x_{n-j} = sum b_j x'_{n-j} on the points 0, -s_1, -s_2, .., h = s_1. */
typedef struct formula {
    const char *name;
    int32_t k;
    double a[6], b[6];
} formula;

static void points(int32_t k, bool even, double *s)
{
    const double uneven[] = {0.0, 0.8, 1.9, 2.6, 3.1, 4.4};
    for (int32_t j = 0; j <= k; j++)
        s[j] = even ? -j : -uneven[j];
}

static formula bdf_formula(int32_t k, bool even)
{
    formula f = {.name = "BDF", .k = k, .b = {1.0}};
    double s[6];
    points(k, even, s);
    bdf_weights(s, k, f.a);
    for (int32_t j = 0; j <= k; j++)
        f.a[j] *= -s[1];
    return f;
}

/* (3.4.24): order q for ordinary differential equations and for (3.4.21); (3.4.25): for (3.4.20).
 */
static bool satisfies(const formula *f, bool even, int32_t q, bool strong)
{
    double s[6];
    points(f->k, even, s);
    for (int32_t r = 1; r <= q; r++) {
        double left = 0.0, right = 0.0, zeroth = 0.0;
        for (int32_t j = 0; j <= f->k; j++) {
            zeroth += f->a[j];
            left += f->a[j] * pow(s[j], r);
            right += -s[1] * f->b[j] * pow(s[j], r - 1);
        }
        bool separately = fabs(left) < 1e-11 && fabs(right) < 1e-11;
        bool together = fabs(left - r * right) < 1e-11;
        if (fabs(zeroth) > 1e-11 || (strong && r > 1 ? !separately : !together))
            return false;
    }
    return true;
}

/* Adams-Moulton formulas of order 2 .. 4 with equal steps ([HW96] III.1). */
static const formula ADAMS[] = {
    {"trapezoid", 1, {1.0, -1.0}, {0.5, 0.5}},
    {"Adams-Moulton 3", 2, {1.0, -1.0}, {5.0 / 12, 8.0 / 12, -1.0 / 12}},
    {"Adams-Moulton 4", 3, {1.0, -1.0}, {9.0 / 24, 19.0 / 24, -5.0 / 24, 1.0 / 24}},
};

static void c069_order_conditions(void **state)
{
    (void)state;
    for (int32_t k = 1; k <= 5; k++)
        for (int even = 0; even <= 1; even++) {
            formula f = bdf_formula(k, even == 1);
            assert_true(satisfies(&f, even == 1, k, false));
            assert_true(satisfies(&f, even == 1, k, true));
            assert_false(satisfies(&f, even == 1, k + 1, false));
        }
    for (int32_t i = 0; i < (int32_t)COUNT(ADAMS); i++) {
        assert_true(satisfies(&ADAMS[i], true, i + 2, false));
        assert_false(satisfies(&ADAMS[i], true, i + 3, false));
        assert_true(satisfies(&ADAMS[i], true, 1, true));
        assert_false(satisfies(&ADAMS[i], true, 2, true));
    }
}

/* ---- C215: orders of consistency on any grid --------------------------------------------------
 */

/* The largest q up to MOST with (3.4.23), (3.4.24): order for ordinary differential equations and
 * of (3.4.21); with (3.4.25) in its place: of (3.4.20), Theorems 3.4.2 and 3.4.3.         */
enum { MOST = 8 };

static int32_t consistency(const formula *f, bool even, bool strong)
{
    int32_t q = 0;
    while (q < MOST && satisfies(f, even, q + 1, strong))
        q++;
    return q;
}

/* The order of the one-leg method with these coefficients, scaled to sum b = 1: (3.4.28), (3.4.29)
 * about its point sum b_j t_{n-j}.  For q > 1 the sums vanish one by one, as in (3.4.25).    */
static int32_t one_leg_consistency(const formula *f, bool even)
{
    double s[6], at = 0.0, sum = 0.0, scale = 0.0;
    points(f->k, even, s);
    for (int32_t j = 0; j <= f->k; j++) {
        scale += f->b[j];
        sum += f->a[j];
    }
    for (int32_t j = 0; j <= f->k; j++)
        at += f->b[j] / scale * s[j];
    for (int32_t r = 1; r <= MOST; r++) {
        double left = 0.0, right = 0.0;
        for (int32_t j = 0; j <= f->k; j++) {
            left += f->a[j] / scale * pow(s[j] - at, r);
            right += f->b[j] / scale * pow(s[j] - at, r - 1);
        }
        double wanted_left = r == 1 ? -s[1] : 0.0, wanted_right = r == 1 ? 1.0 : 0.0;
        if (fabs(sum) > 1e-11 || fabs(left - wanted_left) > 1e-10 ||
            fabs(right - wanted_right) > 1e-10)
            return r - 1;
    }
    return MOST;
}

static void c215_orders_on_any_grid(void **state)
{
    (void)state;
    static const formula MIDPOINT = {"one-leg midpoint", 1, {1.0, -1.0}, {0.5, 0.5}};
    print_message("%-18s %5s %9s %9s %8s\n", "", "ODE", "(3.4.20)", "(3.4.21)", "one-leg");
    for (int32_t k = 1; k <= 5; k++)
        for (int even = 0; even <= 1; even++) {
            formula f = bdf_formula(k, even == 1);
            print_message(
                "%s %d, %s steps %5d %9d %9d %8d\n", f.name, (int)k, even ? "equal " : "uneven",
                (int)consistency(&f, even == 1, false), (int)consistency(&f, even == 1, true),
                (int)consistency(&f, even == 1, false), (int)one_leg_consistency(&f, even == 1));
            assert_int_equal(consistency(&f, even == 1, false), k);
            assert_int_equal(consistency(&f, even == 1, true), k);
            assert_int_equal(one_leg_consistency(&f, even == 1), k);
        }
    for (int32_t i = 0; i < (int32_t)COUNT(ADAMS); i++) {
        assert_int_equal(consistency(&ADAMS[i], true, false), i + 2);
        assert_int_equal(consistency(&ADAMS[i], true, true), 1);
    }
    assert_int_equal(one_leg_consistency(&MIDPOINT, true),
                     2); /* consistent, and not stable: C068 */
    assert_int_equal(one_leg_consistency(&MIDPOINT, false), 2);
    assert_int_equal(consistency(&MIDPOINT, true, true), 1);
}

/* ---- C069, the other half ----------------------------------------------------------------------
 */

/* One step of the trapezoid rule for a transferable system ([BCP96] 3.4): the unknowns are x_n and
 * y_n = P x'; (3.4.17), or (3.4.19) with the derivative of P.                     */
typedef struct projected_step {
    double t, h, x[2], y[2];
    bool with_derivative;
} projected_step;

static double first_row(double t, const double *v) /* of P = [1 -t; 0 0] */
{
    return v[0] - t * v[1];
}

static void projected_trapezoid(const double *unknown, double *r, void *user)
{
    const projected_step *s = user;
    const double *x = unknown, *y = unknown + 2;
    double tn = s->t + s->h, difference, slopes;
    if (s->with_derivative) {
        /* P_n P_{n-1} = P_{n-1}, and P_n P' = P' = [0 -1; 0 0] */
        difference = (first_row(tn, x) - first_row(s->t, s->x)) / s->h;
        slopes = 0.5 * (-x[1] + first_row(tn, y) - s->x[1] + first_row(s->t, s->y));
    } else {
        const double change[] = {(x[0] - s->x[0]) / s->h, (x[1] - s->x[1]) / s->h};
        const double mean[] = {0.5 * (y[0] + s->y[0]), 0.5 * (y[1] + s->y[1])};
        difference = first_row(tn, change);
        slopes = first_row(tn, mean);
    }
    r[0] = difference - slopes - tn * y[1]; /* - Q_n y_n, Q = [0 t; 0 1] */
    r[1] = -y[1];
    problem_coupled().sys.residual(tn, x, y, r + 2, NULL);
}

static double projected_error(bool with_derivative, int32_t steps)
{
    const double size[] = {1.0, 1.0, 1.0, 1.0};
    double z[] = {1.0, 0.0, -1.0, 0.0}; /* x(0), and P x' = x1' - t x2' = -1 at t = 0 */
    double h = 1.0 / steps, right[2];
    for (int32_t i = 0; i < steps; i++) {
        projected_step s = {i * h, h, {z[0], z[1]}, {z[2], z[3]}, with_derivative};
        assert_true(small_newton(4, projected_trapezoid, &s, size, z));
    }
    problem_coupled().exact(1.0, right, NULL);
    return fabs(z[0] - right[0]);
}

static void c069_trapezoid_with_projectors(void **state)
{
    (void)state;
    static const double PLAIN[] = {1.26e-2, 6.3e-3, 3.2e-3, 1.6e-3};
    static const double DERIVED[] = {7.67e-5, 1.92e-5, 4.79e-6, 1.20e-6};
    for (int i = 0; i < 4; i++) {
        expect_about("(3.4.17)", projected_error(false, 20 << i), PLAIN[i], 0.03);
        expect_about("(3.4.19)", projected_error(true, 20 << i), DERIVED[i], 0.01);
    }
    expect_order("(3.4.17)", "x",
                 order_between(projected_error(false, 80), projected_error(false, 160)), 1.0, 0.05);
    expect_order("(3.4.19)", "x",
                 order_between(projected_error(true, 80), projected_error(true, 160)), 2.0, 0.05);
}

/* ---- C070 ---------------------------------------------------------------------------------- */

/* x' = f(x, y) by the formula, 0 = g at t_n alone ([BCP96] (3.4.8)). */
typedef struct multistep_point {
    const formula *f;
    double t, h, past; /* past: the sum over j >= 1 */
} multistep_point;

static void multistep_residual(const double *z, double *r, void *user)
{
    const multistep_point *at = user;
    double slope = -z[0] + 0.5 * z[1];
    r[0] = at->f->a[0] * z[0] + at->past - at->h * at->f->b[0] * slope;
    r[1] = z[1] + z[0] * z[0] - sin(at->t);
}

static void multistep_error(const formula *f, int32_t steps, double *error)
{
    const double size[] = {1.0, 1.0};
    trial_problem p = problem_semi_explicit();
    mesh g = mesh_open(2, 0.0, 1.0, steps, 1.0);
    mesh_begin(&g, &p, f->k);
    for (int32_t n = f->k; n <= steps; n++) {
        multistep_point at = {f, g.times[n], 1.0 / steps, 0.0};
        for (int32_t j = 1; j <= f->k; j++) {
            const double *z = mesh_at(&g, n - j);
            at.past += f->a[j] * z[0] - at.h * f->b[j] * (-z[0] + 0.5 * z[1]);
        }
        memcpy(mesh_at(&g, n), mesh_at(&g, n - 1), 2 * sizeof(double));
        assert_true(small_newton(2, multistep_residual, &at, size, mesh_at(&g, n)));
    }
    double right[2];
    p.exact(1.0, right, NULL);
    for (int v = 0; v < 2; v++)
        error[v] = fabs(mesh_at(&g, steps)[v] - right[v]);
    mesh_close(&g);
}

static void c070_any_multistep_method_on_semi_explicit_index_one(void **state)
{
    (void)state;
    formula formulas[COUNT(ADAMS) + 4];
    int32_t order[COUNT(formulas)];
    for (int32_t i = 0; i < (int32_t)COUNT(formulas); i++) {
        bool adams = i < (int32_t)COUNT(ADAMS);
        formulas[i] = adams ? ADAMS[i] : bdf_formula(i - (int32_t)COUNT(ADAMS) + 1, true);
        order[i] = adams ? i + 2 : formulas[i].k;
    }
    for (size_t i = 0; i < COUNT(formulas); i++) {
        double coarse[2], fine[2];
        multistep_error(&formulas[i], 80, coarse);
        multistep_error(&formulas[i], 160, fine);
        for (int v = 0; v < 2; v++)
            expect_order(formulas[i].name, v == 0 ? "x" : "y", order_between(coarse[v], fine[v]),
                         order[i], 0.15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c050_coefficients),
        cmocka_unit_test(c050_coefficients_of_the_library),
        cmocka_unit_test(c051_stable_up_to_six),
        cmocka_unit_test(c068_midpoint_adds_disturbances),
        cmocka_unit_test(c069_order_conditions),
        cmocka_unit_test(c069_trapezoid_with_projectors),
        cmocka_unit_test(c215_orders_on_any_grid),
        cmocka_unit_test(c070_any_multistep_method_on_semi_explicit_index_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
