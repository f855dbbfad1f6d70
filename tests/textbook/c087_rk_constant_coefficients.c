/* tests/textbook/c087_rk_constant_coefficients.c - Runge-Kutta methods on linear systems with
 * constant coefficients: C087, C088, C089, C090, C097.                            */
#include <math.h>

#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"

/* Methods with |r| < 1, their order for ordinary differential equations, and the constant
 * coefficient order for index 1, 2, 3 where the item states it (else 0: the formula alone). */
static const struct {
    const char *name;
    int32_t k_d, stated[3];
} ROWS[] = {
    {"implicit_euler", 1, {0, 0, 0}}, {"sirk22", 2, {0, 2, 0}}, {"sdirk4", 4, {0, 1, 0}},
    {"extrapolation7", 3, {0, 0, 0}}, {"radau2", 3, {0, 0, 0}}, {"lobatto3c", 4, {0, 2, 1}},
    {"radau3", 5, {0, 3, 2}},         {"sirk23", 3, {0, 0, 0}}, {"sirk3", 3, {0, 0, 0}},
};

/* ---- C087 ------------------------------------------------------------------------------ */

static void c087_constant_coefficient_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        tableau m = tableau_of(ROWS[i].name);
        for (int32_t index = 1; index <= 3; index++) {
            int32_t promised = tableau_constant_order(&m, ROWS[i].k_d, index);
            if (ROWS[i].stated[index - 1] > 0)
                assert_int_equal(promised, ROWS[i].stated[index - 1]);
            trial_problem p = problem_chain(index);
            int32_t steps = promised >= 4 ? 10 : 100;
            double coarse[4], fine[4];
            rk_error(&m, &p, steps, coarse);
            rk_error(&m, &p, 2 * steps, fine);
            double order = INFINITY;
            for (int32_t v = 0; v <= index; v++)
                if (fine[v] > 1e-12)
                    order = fmin(order, order_between(coarse[v], fine[v]));
            print_message("%-16s index %d: promised %d, measured %.2f\n", m.name, index, promised,
                          order);
            if (promised > 0)
                expect_order(m.name, "all variables", order, promised, 0.2);
        }
    }
}

/* ---- C088 ------------------------------------------------------------------------------ */

/* The exponent of [BCP96] (4.2.20): min over j of k_a,j - j + 2. */
static void c088_local_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        tableau m = tableau_of(ROWS[i].name);
        for (int32_t index = 1; index <= 3; index++) {
            int32_t exponent = ORDER_INFINITE;
            for (int32_t j = 1; j <= index; j++) {
                int32_t k = tableau_algebraic_order(&m, j);
                if (k == ORDER_NONE)
                    exponent = 0; /* the theorem says nothing */
                else if (k - j + 2 < exponent)
                    exponent = k - j + 2;
            }
            if (exponent == 0)
                continue;
            trial_problem p = problem_chain(index);
            double error[2];
            for (int half = 0; half < 2; half++) {
                double h = 0.01 / (1 + half), y[4], right[4];
                p.exact(0.3, y, p.sys.user);
                p.exact(0.3 + h, right, p.sys.user);
                assert_true(rk_step(&m, &p.sys, 0.3, h, y, NULL));
                error[half] = fabs(y[index - 1] - right[index - 1]);
            }
            if (exponent > 90)
                expect_near(error[0], 0.0, 1e-14);
            else
                expect_order(m.name, "local error", order_between(error[0], error[1]), exponent,
                             0.15);
        }
    }
}

/* ---- C089, C090 ------------------------------------------------------------------------- */

/* b^T A^-2 e */
static double amplification(const tableau *m)
{
    double inverse[STAGES_MAX * STAGES_MAX], once[STAGES_MAX] = {0}, sum = 0.0;
    int32_t s = m->stages;
    assert_true(tableau_inverse(m, inverse));
    for (int32_t i = 0; i < s; i++)
        for (int32_t j = 0; j < s; j++)
            once[i] += inverse[i * s + j];
    for (int32_t i = 0; i < s; i++)
        for (int32_t j = 0; j < s; j++)
            sum += m->b[i] * inverse[i * s + j] * once[j];
    return sum;
}

/* An error d of y_1 enters y_2 of the next step as b^T A^-2 e d / h ([BCP96] (4.2.26)); the sign is
 * that of y_2 = +y_1' here.                                                        */
static void c089_error_propagation(void **state)
{
    (void)state;
    const double d = 1e-3;
    trial_problem p = problem_canonical(2);
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        tableau m = tableau_of(ROWS[i].name);
        for (double h = 0.1; h > 5e-4; h *= 0.1) {
            double right[] = {sin(0.4), cos(0.4)}, wrong[] = {sin(0.4) + d, cos(0.4)};
            assert_true(rk_step(&m, &p.sys, 0.4, h, right, NULL));
            assert_true(rk_step(&m, &p.sys, 0.4, h, wrong, NULL));
            double expected = -amplification(&m) * d / h;
            expect_near(wrong[1] - right[1], expected, 1e-8 * fabs(expected) + 1e-10 / h);
        }
    }
    tableau euler = tableau_of("implicit_euler");
    expect_near(amplification(&euler), 1.0, 1e-14);
}

/* y = sin t.  r = 0: the error is that of the last step alone.  |r| < 1: at most 1/(1-|r|) times
 * the largest of one step.                                                         */
static void c090_errors_do_not_accumulate(void **state)
{
    (void)state;
    trial_problem p = problem_canonical(1);
    const char *const names[] = {"sirk3_transformed", "sirk23"};
    for (size_t i = 0; i < COUNT(names); i++) {
        tableau m = tableau_of(names[i]);
        double r = tableau_stability(&m), h = 0.05, y = 0.0, largest = 0.0;
        for (int32_t n = 0; n < 20; n++) {
            double one = sin(n * h);
            assert_true(rk_step(&m, &p.sys, n * h, h, &one, NULL));
            assert_true(rk_step(&m, &p.sys, n * h, h, &y, NULL));
            double local = one - sin((n + 1) * h), global = y - sin((n + 1) * h);
            largest = fmax(largest, fabs(local));
            if (fabs(r) < 1e-10)
                expect_near(global, local, 1e-15);
            assert_true(fabs(global) <= largest / (1.0 - fabs(r)) + 1e-15);
        }
        assert_true(largest > 1e-7);
    }
}

/* r = -1 and +1: disturbances of one sign (after (-1)^n) add up. */
static void c090_disturbances_grow_linearly(void **state)
{
    (void)state;
    const double d = 1e-6;
    const struct {
        const char *name;
        double sign, grown; /* of the disturbance from step to step; in units of d after 100 */
    } rows[] = {{"midpoint", -1.0, 100.0}, {"gauss2", 1.0, 100.0}, {"sirk22", 1.0, 1.0}};
    trial_problem p = problem_canonical(1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        tableau m = tableau_of(rows[i].name);
        double clean = 0.0, disturbed = 0.0, now = d;
        for (int32_t n = 0; n < 100; n++, now *= rows[i].sign) {
            assert_true(rk_step(&m, &p.sys, 0.01 * n, 0.01, &clean, NULL));
            assert_true(rk_step(&m, &p.sys, 0.01 * n, 0.01, &disturbed, NULL));
            disturbed += now;
        }
        expect_about(m.name, fabs(disturbed - clean), rows[i].grown * d, 1e-6);
    }
}

/* ---- C097 ------------------------------------------------------------------------------ */

/* Methods with a singular A begin with y': exact on y = sin t, and an error of y' stays. */
static void c097_singular_methods(void **state)
{
    (void)state;
    const char *const names[] = {"trapezoid", "lobatto3a"};
    const double d = 1e-3;
    trial_problem p = problem_canonical(1);
    for (size_t i = 0; i < COUNT(names); i++) {
        tableau m = tableau_of(names[i]);
        assert_true(isnan(tableau_stability(&m)));
        double h = 0.05, y = 0.0, slope = 1.0, other = 0.0, other_slope = 1.0 + d;
        for (int32_t n = 0; n < 100; n++) {
            assert_true(rk_step(&m, &p.sys, n * h, h, &y, &slope));
            assert_true(rk_step(&m, &p.sys, n * h, h, &other, &other_slope));
            expect_near(y, sin((n + 1) * h), 1e-14);
            expect_near(other, y, 1e-14); /* not seen in y */
            expect_about("error of y'", fabs(other_slope - slope), d, 1e-8);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c087_constant_coefficient_order),
        cmocka_unit_test(c088_local_error),
        cmocka_unit_test(c089_error_propagation),
        cmocka_unit_test(c090_errors_do_not_accumulate),
        cmocka_unit_test(c090_disturbances_grow_linearly),
        cmocka_unit_test(c097_singular_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
