/* tests/property/test_radau_table.c - the coefficients by the theorems that define them: order
 * conditions, exactness on polynomials, the transformation to eigenvalues.        */
#include "integ/radau_table.h"

#include <float.h>
#include <math.h>

#include "harness.h"

enum { S = RADAU_STAGES_MAX };

/* A = (A^-1)^-1 by elimination with pivots. */
static void invert(int32_t s, const double *m, double out[S][S])
{
    double w[S][2 * S] = {{0}};
    for (int32_t i = 0; i < s; i++) {
        for (int32_t j = 0; j < s; j++)
            w[i][j] = m[i * s + j];
        w[i][s + i] = 1.0;
    }
    for (int32_t k = 0; k < s; k++) {
        int32_t p = k;
        for (int32_t i = k; i < s; i++)
            p = fabs(w[i][k]) > fabs(w[p][k]) ? i : p;
        for (int32_t j = 0; j < 2 * s; j++) {
            double x = w[k][j];
            w[k][j] = w[p][j];
            w[p][j] = x;
        }
        for (int32_t i = 0; i < s; i++) {
            double factor = i == k ? 0.0 : w[i][k] / w[k][k];
            for (int32_t j = 0; j < 2 * s; j++)
                w[i][j] -= factor * w[k][j];
        }
    }
    for (int32_t i = 0; i < s; i++)
        for (int32_t j = 0; j < s; j++)
            out[i][j] = w[i][s + j] / w[i][i];
}

static double power(double x, int k)
{
    double p = 1.0;
    while (k-- > 0)
        p *= x;
    return p;
}

/* B(2s-1): sum b_i c_i^(k-1) = 1/k; the last row of A is b, for c_s = 1. */
static void test_quadrature_has_order_2s_minus_1(void **state)
{
    (void)state;
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        const radau_table *tab = radau_table_of(which);
        double a[S][S];
        int32_t s = tab->stages;
        assert_int_equal(s, 2 * which + 1);
        invert(s, tab->a_inverse, a);
        assert_true(tab->node[s - 1] == 1.0);
        for (int32_t i = 0; i < s; i++)
            expect_near(tab->weight[i], a[s - 1][i], 1e-14);
        for (int k = 1; k <= 2 * s; k++) {
            double sum = 0.0;
            for (int32_t i = 0; i < s; i++)
                sum += a[s - 1][i] * power(tab->node[i], k - 1);
            if (k < 2 * s)
                expect_near(sum, 1.0 / k, 1e-14);
            else
                assert_true(fabs(sum - 1.0 / k) > 1e-9); /* and not more */
        }
    }
}

/* C(s): sum_j a_ij c_j^(k-1) = c_i^k / k. */
static void test_stages_have_order_s(void **state)
{
    (void)state;
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        const radau_table *tab = radau_table_of(which);
        double a[S][S];
        invert(tab->stages, tab->a_inverse, a);
        for (int32_t i = 0; i < tab->stages; i++)
            for (int k = 1; k <= tab->stages; k++) {
                double sum = 0.0;
                for (int32_t j = 0; j < tab->stages; j++)
                    sum += a[i][j] * power(tab->node[j], k - 1);
                expect_near(sum, power(tab->node[i], k) / k, 1e-14);
            }
    }
}

static double entry(const double *m, int32_t s, int32_t i, int32_t j)
{
    return m[i * s + j];
}

/* (T^-1 A^-1 T)_ij as the header says it is. */
static double block_entry(const radau_table *tab, int32_t i, int32_t j)
{
    if (i == 0 || j == 0)
        return i == j ? tab->gamma : 0.0;
    int32_t pair = (i - 1) / 2;
    if (pair != (j - 1) / 2)
        return 0.0;
    return i == j ? tab->alpha[pair] : i > j ? tab->beta[pair] : -tab->beta[pair];
}

static void test_transformation(void **state)
{
    (void)state;
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        const radau_table *tab = radau_table_of(which);
        int32_t s = tab->stages;
        double half[S][S], size = 0.0;
        for (int32_t i = 0; i < s; i++)
            for (int32_t j = 0; j < s; j++) {
                half[i][j] = 0.0;
                for (int32_t k = 0; k < s; k++)
                    half[i][j] += entry(tab->a_inverse, s, i, k) * entry(tab->t, s, k, j);
            }
        for (int32_t i = 0; i < s * s; i++)
            size = fmax(size, fabs(tab->t_inverse[i]));
        for (int32_t i = 0; i < s; i++)
            for (int32_t j = 0; j < s; j++) {
                double block = 0.0, unit = 0.0;
                for (int32_t k = 0; k < s; k++) {
                    block += entry(tab->t_inverse, s, i, k) * half[k][j];
                    unit += entry(tab->t_inverse, s, i, k) * entry(tab->t, s, k, j);
                }
                expect_near(block, block_entry(tab, i, j), 50.0 * size * DBL_EPSILON);
                expect_near(unit, i == j, 10.0 * size * DBL_EPSILON);
            }
    }
}

/* sum_j l_j(x) c_j^k = x^k for k = 1 .. s, and so for the slopes. */
static void test_basis_is_exact_on_polynomials(void **state)
{
    (void)state;
    static const double points[] = {-0.3, 0.0, 0.1, 0.5, 0.77, 1.0, 1.6};
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        const radau_table *tab = radau_table_of(which);
        for (size_t p = 0; p < COUNT(points); p++) {
            double value[S], slope[S], x = points[p];
            radau_basis(tab, x, value, slope);
            for (int k = 1; k <= tab->stages; k++) {
                double y = 0.0, yp = 0.0, size = 0.0;
                for (int32_t j = 0; j < tab->stages; j++) {
                    y += value[j] * power(tab->node[j], k);
                    yp += slope[j] * power(tab->node[j], k);
                    size = fmax(size, fabs(slope[j]));
                }
                expect_near(y, power(x, k), 1e-14 * fmax(1.0, size));
                expect_near(yp, k * power(x, k - 1), 1e-14 * fmax(1.0, size));
            }
            for (int32_t j = 0; j < tab->stages && x == 0.0; j++)
                expect_near(slope[j], tab->slope_at_start[j], 1e-12);
        }
    }
}

/* Row i of A^-1 is the slope of the basis at c_i. */
static void test_a_inverse_is_the_slope_at_the_nodes(void **state)
{
    (void)state;
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        const radau_table *tab = radau_table_of(which);
        for (int32_t i = 0; i < tab->stages; i++) {
            double value[S], slope[S];
            radau_basis(tab, tab->node[i], value, slope);
            for (int32_t j = 0; j < tab->stages; j++) {
                expect_near(value[j], i == j, 1e-14);
                expect_near(slope[j], entry(tab->a_inverse, tab->stages, i, j), 1e-12);
            }
        }
    }
}

static void test_bend(void **state)
{
    (void)state;
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        const radau_table *tab = radau_table_of(which);
        double slope;
        expect_near(radau_bend(tab, 0.0, &slope), 0.0, 0.0);
        expect_near(slope, 1.0, 0.0);
        expect_near(radau_bend(tab, 1.0, &slope), 0.0, 1e-12);
        expect_near(slope, 0.0, 1e-11);
        for (int32_t i = 0; i < tab->stages && which > 0; i++) {
            radau_bend(tab, tab->node[i], &slope);
            expect_near(slope, 0.0, 1e-11);
        }
        double d = 1e-6, up = radau_bend(tab, 0.3 + d, &slope), down;
        down = radau_bend(tab, 0.3 - d, &slope);
        radau_bend(tab, 0.3, &slope);
        expect_near((up - down) / (2.0 * d), slope, 1e-8);
    }
}

static void test_wave(void **state)
{
    (void)state;
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        const radau_table *tab = radau_table_of(which);
        double slope, most_bend = 0.0, most_wave = 0.0;
        radau_wave(tab, 0.0, &slope);
        expect_near(slope, 1.0, 1e-12);
        for (int32_t i = 0; i < tab->stages; i++)
            expect_near(radau_wave(tab, tab->node[i], &slope), 0.0, 1e-12);
        expect_near(slope, -tab->stages, 1e-10);
        for (int k = 0; k <= 1000; k++) {
            most_bend = fmax(most_bend, fabs(radau_bend(tab, 0.001 * k, &slope)));
            most_wave = fmax(most_wave, fabs(radau_wave(tab, 0.001 * k, &slope)));
        }
        expect_near(most_bend, radau_bend_height(tab), 2e-4);
        expect_near(most_wave, radau_wave_height(tab), 2e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quadrature_has_order_2s_minus_1),
        cmocka_unit_test(test_stages_have_order_s),
        cmocka_unit_test(test_transformation),
        cmocka_unit_test(test_basis_is_exact_on_polynomials),
        cmocka_unit_test(test_a_inverse_is_the_slope_at_the_nodes),
        cmocka_unit_test(test_bend),
        cmocka_unit_test(test_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
