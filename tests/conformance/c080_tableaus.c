/* tests/conformance/c080_tableaus.c - what the coefficients of Runge-Kutta methods promise: C080,
 * C081, C098, C099, C104.                                                         */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "integ/radau_table.h"
#include "small_dense.h"
#include "tableau.h"

/* ---- C080, C081 ------------------------------------------------------------------------- */

enum { NO = ORDER_NONE, ALL = ORDER_INFINITE };

/* [BCP96] tables 4.2.1, 4.3.1 and more: r, k_I and k_a of index 1, 2, 3. */
static const struct {
    const char *name;
    double r;
    int32_t stage, algebraic[3];
} ROWS[] = {
    {"sirk22", 0.0, 2, {ALL, 2, 2}},          {"sdirk4", 0.0, 1, {ALL, 1, NO}},
    {"extrapolation7", 0.0, 1, {ALL, 3, NO}}, {"lobatto3c", 0.0, 2, {ALL, 2, 2}},
    {"midpoint", -1.0, 1, {1, 1, NO}},        {"gauss2", 1.0, 2, {2, 2, 2}},
    {"radau2", 0.0, 2, {ALL, 2, 2}},          {"radau3", 0.0, 3, {ALL, 3, 3}},
    {"sirk23", -0.7320508, 2, {2, 2, 2}},     {"sirk3", 0.0, 3, {ALL, 3, 3}},
};

static const char *order_text(int32_t order)
{
    static const char *const DIGITS[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    return order == NO ? "-" : order == ALL ? "inf" : DIGITS[order];
}

static void c080_diagnostics(void **state)
{
    (void)state;
    print_message("%-16s %9s %4s %5s %5s %5s\n", "", "r", "k_I", "k_a1", "k_a2", "k_a3");
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        tableau m = tableau_of(ROWS[i].name);
        int32_t k[3];
        for (int32_t j = 0; j < 3; j++)
            k[j] = tableau_algebraic_order(&m, j + 1);
        print_message("%-16s %9.6f %4s %5s %5s %5s\n", m.name, tableau_stability(&m),
                      order_text(tableau_stage_order(&m)), order_text(k[0]), order_text(k[1]),
                      order_text(k[2]));
        expect_near(tableau_stability(&m), ROWS[i].r, 1e-7);
        assert_int_equal(tableau_stage_order(&m), ROWS[i].stage);
        assert_memory_equal(k, ROWS[i].algebraic, sizeof k);
    }
    tableau sirk3 = tableau_of("sirk3"); /* lambda = 0.4358665215 is what its trace is a third of */
    expect_near((sirk3.a[0][0] + sirk3.a[1][1] + sirk3.a[2][2]) / 3.0, 0.4358665215, 1e-10);
    expect_near(sirk3.c[0], 0.181222, 1e-6);
    expect_near(sirk3.c[2], 2.741576, 1e-6);
}

/* Order 3 for ordinary differential equations: b(1) = 1, b c = 1/2, b c^2 = 1/3, b A c = 1/6. */
static void c081_transformed_sirk(void **state)
{
    (void)state;
    tableau m = tableau_of("sirk3_transformed");
    expect_near(tableau_stability(&m), 0.0, 1e-12);
    assert_int_equal(tableau_stage_order(&m), 2);
    assert_int_equal(tableau_quadrature_order(&m), 4); /* nodes 1/4, 1/2, 3/4 are symmetric */
    assert_int_equal(tableau_algebraic_order(&m, 2), 2);
    double nested = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            nested += m.b[i] * m.a[i][j] * m.c[j];
    expect_near(nested, 1.0 / 6.0, 1e-14);
    /* one threefold eigenvalue: (A - l)^3 = 0 */
    double a[9], square[9], cube[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[3 * i + j] = m.a[i][j] - (i == j ? 0.435866521508459 : 0.0);
    small_multiply(3, a, a, square);
    small_multiply(3, square, a, cube);
    for (int i = 0; i < 9; i++)
        expect_near(cube[i], 0.0, 1e-12);
}

/* ---- C098, C099 -------------------------------------------------------------------------- */

/* The derivative at c_m of the polynomial that is 1 at c_j and 0 at 0 and at the other nodes. */
static double lagrange_slope(const tableau *m, int32_t at, int32_t j)
{
    double points[STAGES_MAX + 1] = {0.0}, slope = 0.0;
    memcpy(points + 1, m->c, sizeof m->c);
    for (int32_t k = 0; k <= m->stages; k++) {
        if (k == j + 1)
            continue;
        double term = 1.0 / (points[j + 1] - points[k]);
        for (int32_t l = 0; l <= m->stages; l++)
            if (l != k && l != j + 1)
                term *= (points[at + 1] - points[l]) / (points[j + 1] - points[l]);
        slope += term;
    }
    return slope;
}

/* Collocation at the Radau nodes is Radau IIA, and A^-1 has the slopes of the Lagrange polynomials
 * as its entries; those of the node 0 are minus its row sums.                      */
static void c098_collocation_from_nodes(void **state)
{
    (void)state;
    const double radau2[2][2] = {{5.0 / 12, -1.0 / 12}, {3.0 / 4, 1.0 / 4}};
    tableau two = tableau_of("radau2");
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            expect_near(two.a[i][j], radau2[i][j], 1e-14);
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        const radau_table *tab = radau_table_of(which);
        tableau m = tableau_collocation("radau", tab->stages, tab->node);
        double inverse[STAGES_MAX * STAGES_MAX], basis[STAGES_MAX], slope[STAGES_MAX];
        assert_true(tableau_inverse(&m, inverse));
        /* the library's coefficients; A from powers loses digits with every stage */
        double slack = tab->stages <= 3 ? 1e-14 : 1e-9;
        radau_basis(tab, 0.0, basis, slope);
        for (int32_t i = 0; i < m.stages; i++) {
            for (int32_t j = 0; j < m.stages; j++) {
                double exact = tab->a_inverse[i * m.stages + j], size = 1.0 + fabs(exact);
                expect_near(lagrange_slope(&m, i, j), exact, 1e-13 * size);
                expect_near(inverse[i * m.stages + j], exact, 5.0 * slack * size);
            }
            expect_near(m.b[i], m.a[m.stages - 1][i], slack); /* stiffly accurate */
        }
    }
}

/* v_m0: with all slopes of 1, the sum of the Lagrange polynomials, they add up to 0. */
static void c098_slope_of_the_first_node(void **state)
{
    (void)state;
    const radau_table *tab = radau_table_of(1);
    tableau m = tableau_of("radau3");
    for (int32_t i = 0; i < 3; i++) {
        double sum = 0.0, first = 0.0; /* of the polynomial that is 1 at 0 */
        expect_near(tab->node[i], m.c[i], 1e-15);
        for (int32_t j = 0; j < 3; j++)
            sum += tab->a_inverse[3 * i + j];
        for (int32_t k = 0; k < 3; k++) {
            double term = -1.0 / m.c[k];
            for (int32_t l = 0; l < 3; l++)
                if (l != k)
                    term *= (m.c[i] - m.c[l]) / -m.c[l];
            first += term;
        }
        expect_near(first, -sum, 1e-13);
    }
}

static void c099_simplifying_conditions(void **state)
{
    (void)state;
    const char *const collocation[] = {"implicit_euler", "midpoint", "gauss2", "radau2",
                                       "radau3",         "sirk22",   "sirk23", "sirk3"};
    for (size_t i = 0; i < COUNT(collocation); i++) {
        tableau m = tableau_of(collocation[i]);
        assert_true(tableau_quadrature_order(&m) >= m.stages);
        assert_true(tableau_collocation_order(&m) >= m.stages);
    }
    /* B(q) and C(q) imply A1(q), for every method with nonsingular A */
    int32_t tried = 0;
    for (int32_t i = 0; i < tableau_count(); i++) {
        tableau m = tableau_of(tableau_name(i));
        if (isnan(tableau_stability(&m)))
            continue;
        assert_true(tableau_algebraic_order(&m, 1) >= tableau_stage_order(&m));
        tried++;
    }
    assert_true(tried >= 12);
}

/* ---- C104 ---------------------------------------------------------------------------------- */

static void c104_symmetry(void **state)
{
    (void)state;
    const struct {
        const char *name;
        bool symmetric;
    } rows[] = {{"midpoint", true},  {"trapezoid", true}, {"gauss2", true},
                {"lobatto3a", true}, {"radau2", false},   {"radau3", false},
                {"sirk22", false},   {"sdirk4", false},   {"implicit_euler", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        tableau m = tableau_of(rows[i].name);
        assert_int_equal(tableau_symmetric(&m), rows[i].symmetric);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c080_diagnostics),
        cmocka_unit_test(c081_transformed_sirk),
        cmocka_unit_test(c098_collocation_from_nodes),
        cmocka_unit_test(c098_slope_of_the_first_node),
        cmocka_unit_test(c099_simplifying_conditions),
        cmocka_unit_test(c104_symmetry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
