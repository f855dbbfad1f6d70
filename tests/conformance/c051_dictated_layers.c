/* tests/conformance/c051_dictated_layers.c - what the texts state of the first steps and of
 * perturbed systems, on the methods of the library with dictated steps: C051, C052, C054, C056,
 * C070, C071, C072, C073, C087, C099, C102, C104, C215.  The same statements for textbook methods
 * that the library does not have: c050_bdf_formulas.c, c052_bdf_constant_coefficients.c,
 * c071_perturbed_systems.c, c080_tableaus.c, tests/textbook.                       */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "dictated.h"
#include "harness.h"
#include "integ/bdf_grid.h"
#include "integ/radau_table.h"
#include "order_problems.h"
#include "tableau.h"

static const char *const BDF_METHODS[] = {"bdf", "bdf_classic"};
enum { BDF_KINDS = 2 };

/* ---- C051: the formula behind a step ---------------------------------------------------- */

static int slope_is_zero(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)y;
    (void)user;
    r[0] = yp[0];
    return DAEDAL_CALL_OK;
}

static void zero(double t, double *y, void *user)
{
    (void)t;
    (void)user;
    y[0] = 0.0;
}

/* The value y_k of a step of y' = 0 from y_j = 1 at one of the k old points and 0 at the others is
 * -alpha_j / alpha_k, the coefficient of the recursion.                             */
static double recursion_weight(const char *name, int32_t k, int32_t j)
{
    trial_problem p = {.sys = {.n = 1, .residual = slope_is_zero}, .t_end = 1.0, .exact = zero};
    mesh g = mesh_open(1, 0.0, 1.0, k, 1.0);
    mesh_begin(&g, &p, k);
    mesh_at(&g, j)[0] = 1.0;
    dictated_fill(&(dictated){name, k, 0.0}, &p, &g, k);
    double weight = mesh_at(&g, k)[0];
    mesh_close(&g);
    return weight;
}

/* The root of largest modulus besides 1 of z^k - sum of w_j z^j, by the iteration of all roots at
 * once (Weierstrass).                                                             */
static double second_root(const double *weight, int32_t k)
{
    double complex root[BDF_ORDER_MAX];
    double largest = 0.0;
    int32_t principal = 0;
    for (int32_t i = 0; i < k; i++)
        root[i] = cpow(0.4 + 0.9 * I, i);
    for (int round = 0; round < 500; round++)
        for (int32_t i = 0; i < k; i++) {
            double complex value = 1.0, others = 1.0;
            for (int32_t j = k - 1; j >= 0; j--)
                value = value * root[i] - weight[j];
            for (int32_t j = 0; j < k; j++)
                others *= j == i ? 1.0 : root[i] - root[j];
            root[i] -= value / others;
        }
    for (int32_t i = 1; i < k; i++)
        if (cabs(root[i] - 1.0) < cabs(root[principal] - 1.0))
            principal = i;
    expect_near(cabs(root[principal] - 1.0), 0.0, 1e-8);
    for (int32_t i = 0; i < k; i++)
        if (i != principal)
            largest = fmax(largest, cabs(root[i]));
    return largest;
}

static void c051_orders_of_the_library_are_zero_stable(void **state)
{
    (void)state;
    for (int kind = 0; kind < BDF_KINDS; kind++)
        for (int32_t k = 1; k <= (kind == 0 ? 6 : 5); k++) {
            double weight[BDF_ORDER_MAX], sum = 0.0;
            for (int32_t j = 0; j < k; j++) {
                weight[j] = recursion_weight(BDF_METHODS[kind], k, j);
                sum += weight[j];
            }
            expect_near(sum, 1.0, 1e-9);
            assert_true(second_root(weight, k) < 0.9); /* 0.863 at order 6 */
        }
}

/* y' = 1 and y' = 0 from the same values: their difference is h/a_0. */
static int slope_is_given(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)y;
    r[0] = yp[0] - *(const double *)user;
    return DAEDAL_CALL_OK;
}

/* The coefficients a_j of (1/h) sum a_j y_{n-j} = y'_n, as a step of bdf on an uneven mesh has
 * them. */
static void formula_of_a_step(int32_t k, const double *times, double *a)
{
    double slope = 0.0;
    trial_problem p = {.sys = {.n = 1, .residual = slope_is_given, .user = &slope},
                       .t_end = times[k],
                       .exact = zero};
    mesh g = mesh_open(1, times[0], times[k], k, 1.0);
    memcpy(g.times, times, (size_t)(k + 1) * sizeof *times);
    for (int32_t j = 0; j <= k; j++) { /* a_0 first, then the response to each old value */
        slope = j == 0 ? 1.0 : 0.0;
        memset(g.y, 0, (size_t)(k + 1) * sizeof *g.y);
        if (j > 0)
            mesh_at(&g, k - j)[0] = 1.0;
        dictated_fill(&(dictated){"bdf", k, 0.0}, &p, &g, k);
        double value = mesh_at(&g, k)[0];
        a[j] = j == 0 ? (times[k] - times[k - 1]) / value : -a[0] * value;
    }
    mesh_close(&g);
}

/* Theorems 3.4.2 to 3.4.4 for b = (1, 0, ..): sum a_j (t_{n-j} - t_n)^r is 0, but h for r = 1. */
static void c215_steps_of_the_library_on_uneven_meshes(void **state)
{
    (void)state;
    static const double TIMES[] = {0.0, 0.11, 0.18, 0.31, 0.40, 0.55};
    for (int32_t k = 1; k <= 5; k++) {
        double a[BDF_ORDER_MAX + 1], h = TIMES[k] - TIMES[k - 1];
        formula_of_a_step(k, TIMES, a);
        for (int32_t r = 0; r <= k; r++) {
            double sum = 0.0;
            for (int32_t j = 0; j <= k; j++)
                sum += a[j] * pow((TIMES[k - j] - TIMES[k]) / h, r);
            expect_near(sum, r == 1 ? 1.0 : 0.0, 1e-8);
        }
    }
}

/* ---- C052, C054, C056: the first steps at higher index -----------------------------------------
 */

static void c052_wrong_starts_are_forgotten(void **state)
{
    (void)state;
    const double h = 0.01;
    for (int kind = 0; kind < BDF_KINDS; kind++)
        for (int32_t k = 1; k <= 3; k++)
            for (int32_t index = 2; index <= 3; index++) {
                trial_problem p = problem_canonical(index);
                int32_t last = index * k + 4;
                mesh g = mesh_open(index, 0.0, h * last, last, 1.0);
                mesh_begin(&g, &p, k);
                for (int32_t i = 0; i < k * index; i++)
                    g.y[i] += 1.0 + 0.3 * i;
                dictated_fill(&(dictated){BDF_METHODS[kind], k, 1e-8}, &p, &g, k);
                for (int32_t i = k; i <= last; i++) {
                    double right[TRIAL_MAX];
                    p.exact(g.times[i], right, p.sys.user);
                    for (int32_t j = 0; j < index; j++) {
                        double error = fabs(mesh_at(&g, i)[j] - right[j]);
                        /* beside what Newton's method leaves of derivatives of the size h^-j */
                        if (i >= (j + 1) * k)
                            expect_near(error, 0.0, 20.0 * pow(h, k) + 1e-3 * j);
                        else if (i == (j + 1) * k - 1)
                            assert_true(error > 0.1);
                    }
                }
                mesh_close(&g);
            }
}

/* Errors of x1, x2, x3 at the end of steps h_1, h_2, .. of order 1 from exact values at t0 = 1. */
static void errors_after(const dictated *how, const double *h, int32_t steps, double *error)
{
    trial_problem p = problem_canonical(3);
    double right[3];
    mesh g = mesh_open(3, 1.0, 2.0, steps, 1.0);
    for (int32_t i = 1; i <= steps; i++)
        g.times[i] = g.times[i - 1] + h[i - 1];
    mesh_begin(&g, &p, 1);
    dictated_fill(how, &p, &g, 1);
    p.exact(g.times[steps], right, p.sys.user);
    for (int v = 0; v < 3; v++)
        error[v] = mesh_at(&g, steps)[v] - right[v];
    mesh_close(&g);
}

/* Three methods whose first order is implicit Euler. */
static const dictated EULER[] = {{"bdf", 1, 0.0}, {"bdf_classic", 1, 0.0}, {"radau", 1, 0.0}};

static void c054_first_step_from_exact_values(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(EULER); m++)
        for (double h = 1e-2; h > 5e-5; h *= 0.1) {
            double error[3];
            errors_after(&EULER[m], &h, 1, error);
            expect_about("error of y2", fabs(error[1]), 0.5 * h * sin(1.0), h + 1e-3);
            expect_near(fabs(error[2]), 0.4207, 1.0 * h + 5e-4);
        }
}

/* (h_n/h_{n+1} - 1) g''/2; g'' = -sin 1.  Fixed leading coefficients are variable ones at order 1.
 */
static void c056_step_change(void **state)
{
    (void)state;
    const double h = 1e-3, bend = -sin(1.0);
    const struct {
        double ratio, error;
    } rows[] = {{1.0, 0.0}, {2.0, 0.5}, {10.0, 4.5}, {0.5, -0.25}, {100.0, 49.5}};
    for (int kind = 0; kind < BDF_KINDS; kind++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            const double steps[] = {h, h, h, h / rows[i].ratio};
            double error[3];
            errors_after(&EULER[kind], steps, 4, error);
            expect_near(error[2], rows[i].error * bend, 0.02 * (0.1 + fabs(rows[i].error)));
        }
}

/* ---- C070: semi-explicit index 1 ----------------------------------------------------------------
 */

static void c070_order_of_differential_equations(void **state)
{
    (void)state;
    trial_problem p = problem_semi_explicit();
    for (int kind = 0; kind < BDF_KINDS; kind++)
        for (int32_t k = 1; k <= 5; k++) {
            dictated how = {BDF_METHODS[kind], k, 0.0};
            double coarse[2], fine[2];
            dictated_error(&how, &p, 80, 1.0, coarse);
            dictated_error(&how, &p, 160, 1.0, fine);
            expect_order(how.method, "x", order_between(coarse[0], fine[0]), k, 0.25);
            expect_order(how.method, "y", order_between(coarse[1], fine[1]), k, 0.25);
        }
}

/* ---- C071, C072, C073: near a differential-algebraic system
 * -------------------------------------- */

/* eps y' = -(y - cos t) */
static int relaxing(double t, const double *y, const double *yp, double *r, void *user)
{
    r[0] = *(const double *)user * yp[0] + y[0] - cos(t);
    return DAEDAL_CALL_OK;
}

static void reduced_solution(double t, double *y, void *user)
{
    (void)user;
    y[0] = cos(t);
}

/* From y(0) = 2 the layer falls by 1/(1 + h/eps) in each step. */
static void c071_singular_perturbation(void **state)
{
    (void)state;
    enum { STEPS = 12 };
    const double h = 0.05;
    double left[2];
    for (int i = 0; i < 2; i++) {
        double eps = 1e-3 / (1 << i), factor = 1.0;
        trial_problem p = {.sys = {.n = 1, .residual = relaxing, .user = &eps},
                           .t_end = STEPS * h,
                           .exact = reduced_solution};
        mesh layer = mesh_open(1, 0.0, STEPS * h, STEPS, 1.0);
        mesh smooth = mesh_open(1, 0.0, STEPS * h, STEPS, 1.0);
        mesh_at(&layer, 0)[0] = 2.0;
        mesh_at(&smooth, 0)[0] = 1.0;
        dictated_fill(&EULER[0], &p, &layer, 1);
        dictated_fill(&EULER[0], &p, &smooth, 1);
        for (int32_t n = 1; n <= STEPS; n++) {
            double y = mesh_at(&layer, n)[0];
            factor /= 1.0 + h / eps;
            expect_near(y - mesh_at(&smooth, n)[0], factor, 1e-10 + 1e-6 * factor);
            assert_true(fabs(y - cos(layer.times[n])) <= factor + eps);
        }
        left[i] = fabs(mesh_at(&layer, STEPS)[0] - cos(STEPS * h));
        mesh_close(&layer);
        mesh_close(&smooth);
    }
    expect_order("distance to the reduced solution", "eps", order_between(left[0], left[1]), 1.0,
                 0.05);
}

/* A circle x' = (x2, -x1) - g_x^T mu, eps mu = g = (|x|^2 - 1)/2 ([BCP96] (3.3.15), the sign as the
 * decay of mu demands).                                                            */
static int held_circle(double t, const double *y, const double *yp, double *r, void *user)
{
    double g = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1.0);
    (void)t;
    r[0] = yp[0] - y[1] + y[0] * y[2];
    r[1] = yp[1] + y[0] + y[1] * y[2];
    r[2] = *(const double *)user * y[2] - g;
    return DAEDAL_CALL_OK;
}

static void circle(double t, double *y, void *user)
{
    (void)user;
    y[0] = cos(t);
    y[1] = -sin(t);
    y[2] = 0.0;
}

static double violation(double eps, double h)
{
    int32_t steps = (int32_t)lround(5.0 / h);
    trial_problem p = {
        .sys = {.n = 3, .residual = held_circle, .user = &eps}, .t_end = 5.0, .exact = circle};
    mesh g = mesh_open(3, 0.0, 5.0, steps, 1.0);
    mesh_begin(&g, &p, 1);
    dictated_fill(&EULER[0], &p, &g, 1);
    const double *y = mesh_at(&g, steps);
    double violated = fabs(0.5 * (y[0] * y[0] + y[1] * y[1] - 1.0));
    mesh_close(&g);
    return violated;
}

static void c072_partial_regularization(void **state)
{
    (void)state;
    const double h = 0.05;
    for (double eps = 1e-2; eps > 1e-4; eps *= 0.25) {
        double g = violation(eps, h);
        assert_true(g <= eps * (1.0 + 1.0 / h));
        expect_about("halved eps", violation(0.5 * eps, h), 0.5 * g, 0.02);
    }
}

/* y2' = y1, y2 = g from y2(0) = a: h y1 of the first step is the weight of the impulse. */
static void c073_impulse_of_an_inconsistent_start(void **state)
{
    (void)state;
    const double a = -0.7;
    trial_problem p = problem_canonical(2);
    for (size_t m = 0; m < COUNT(EULER); m++)
        for (double h = 1e-2; h > 5e-5; h *= 0.1) {
            mesh g = mesh_open(2, 0.0, 2.0 * h, 2, 1.0);
            mesh_begin(&g, &p, 1);
            mesh_at(&g, 0)[0] = a;
            dictated_fill(&EULER[m], &p, &g, 1);
            expect_near(h * mesh_at(&g, 1)[1], -a, 1.01 * h);
            expect_near(mesh_at(&g, 2)[1], cos(2.0 * h), h); /* and nothing of it is left */
            mesh_close(&g);
        }
}

/* ---- C087, C099, C102, C104: Radau IIA as the library has it
 * ------------------------------------- */

/* k_c of [BCP96] Theorem 4.2.2 for the tableau of the library, measured on its steps. */
static void c087_constant_coefficient_orders(void **state)
{
    (void)state;
    static const struct {
        int32_t order, index, stated, steps;
    } ROWS[] = {{5, 1, 5, 10}, {5, 2, 3, 20}, {5, 3, 2, 20}, {1, 2, 1, 40}};
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        const radau_table *tab = radau_table_of((ROWS[i].order - 1) / 4);
        tableau m = tableau_collocation("radau", tab->stages, tab->node);
        trial_problem p = problem_chain(ROWS[i].index);
        double coarse[TRIAL_MAX], fine[TRIAL_MAX];
        int32_t last = ROWS[i].index - 1, x = ROWS[i].index;
        dictated how = {"radau", ROWS[i].order, 0.0};
        assert_int_equal(tableau_constant_order(&m, ROWS[i].order, ROWS[i].index), ROWS[i].stated);
        dictated_error(&how, &p, ROWS[i].steps, 1.0, coarse);
        dictated_error(&how, &p, 2 * ROWS[i].steps, 1.0, fine);
        if (ROWS[i].index == 1) /* the algebraic variable is exact, x has the order */
            expect_order("radau", "x", order_between(coarse[x], fine[x]), ROWS[i].stated, 0.2);
        else
            expect_order("radau", "last of the chain", order_between(coarse[last], fine[last]),
                         ROWS[i].stated, 0.2);
    }
}

static void c099_c104_tables_of_the_library(void **state)
{
    (void)state;
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        const radau_table *tab = radau_table_of(which);
        if (tab->stages > 5) /* conditions of order 13 are below the roundoff of the comparison */
            continue;
        tableau m = tableau_collocation("radau", tab->stages, tab->node);
        assert_true(tableau_quadrature_order(&m) >= 2 * m.stages - 1);
        assert_true(tableau_collocation_order(&m) >= m.stages);
        assert_true(tableau_algebraic_order(&m, 1) >= tableau_stage_order(&m));
        assert_false(tableau_symmetric(&m));
    }
}

/* x~' = -x~, y~ = sin t with x = x~ + eta t y~, y = y~: [BCP96] section 4.3. */
static int coupled(double t, const double *y, const double *yp, double *r, void *user)
{
    double eta = *(const double *)user;
    r[0] = yp[0] - eta * (y[1] + t * yp[1]) + y[0] - eta * t * y[1];
    r[1] = y[1] - sin(t);
    return DAEDAL_CALL_OK;
}

static void uncoupled(double t, double *y, void *user)
{
    y[0] = exp(-t) + *(const double *)user * t * sin(t);
    y[1] = sin(t);
}

/* However strong the coupling, the order stays that of the method; methods with |r| = 1 have errors
 * of 1e-3 to 6e-2 here (tests/textbook/c082_rk_index_one.c).                         */
static void c102_strong_coupling(void **state)
{
    (void)state;
    for (double eta = 1.0; eta < 60.0; eta += 49.0) {
        double coarse[2], fine[2];
        trial_problem p = {
            .sys = {.n = 2, .residual = coupled, .user = &eta}, .t_end = 5.0, .exact = uncoupled};
        dictated how = {"radau", 5, 1e-8};
        dictated_error(&how, &p, 25, 1.0, coarse);
        dictated_error(&how, &p, 50, 1.0, fine);
        assert_true(fine[0] < 1e-6 * eta);
        expect_order("radau", "x", order_between(coarse[0], fine[0]), 5.0, 0.3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c051_orders_of_the_library_are_zero_stable),
        cmocka_unit_test(c215_steps_of_the_library_on_uneven_meshes),
        cmocka_unit_test(c052_wrong_starts_are_forgotten),
        cmocka_unit_test(c054_first_step_from_exact_values),
        cmocka_unit_test(c056_step_change),
        cmocka_unit_test(c070_order_of_differential_equations),
        cmocka_unit_test(c071_singular_perturbation),
        cmocka_unit_test(c072_partial_regularization),
        cmocka_unit_test(c073_impulse_of_an_inconsistent_start),
        cmocka_unit_test(c087_constant_coefficient_orders),
        cmocka_unit_test(c099_c104_tables_of_the_library),
        cmocka_unit_test(c102_strong_coupling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
