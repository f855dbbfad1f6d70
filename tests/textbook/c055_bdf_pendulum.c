/* tests/textbook/c055_bdf_pendulum.c - BDF on index 1 and on the pendulum of index 2 and 3:
 * C055, C059, C060, C061, C062, C063, C064 (its other half is in c065_drag.c).     */
#include <math.h>
#include <string.h>

#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"

/* ---- C055 ------------------------------------------------------------------------------ */

static void c055_first_step_of_index_three(void **state)
{
    (void)state;
    static const double FORCE[] = {0.51004, 0.50501, 0.50250};
    trial_problem p = problem_pendulum(&PENDULUM_RISING);
    tableau euler = tableau_of("implicit_euler");
    for (int i = 0; i < 3; i++) {
        double h = 0.01 / (1 << i), y[] = {1.0, 0.0, 0.0, 1.0, 1.0}, right[5];
        assert_true(rk_step(&euler, &p.sys, 0.0, h, y, NULL));
        expect_near(y[4], FORCE[i], 1e-5);
        assert_true(rk_step(&euler, &p.sys, h, h, y, NULL));
        p.exact(2.0 * h, right, p.sys.user);
        expect_near(y[4], right[4], 5.0 * h);
    }
}

/* ---- C059, C060 ------------------------------------------------------------------------- */

static void c059_uniform_index_one(void **state)
{
    (void)state;
    trial_problem p = problem_coupled();
    for (int32_t k = 1; k <= 5; k++) {
        double coarse[2], fine[2];
        bdf_error(k, &p, 40, 1.0, coarse);
        bdf_error(k, &p, 80, 1.0, fine);
        expect_order("BDF", "x", order_between(coarse[0], fine[0]), k, 0.15);
        expect_near(fine[1], 0.0, 1e-15);
    }
}

/* The iteration of every step is left at a distance of h^left/10; 0: at roundoff. */
static double implicit_error(int32_t k, int32_t steps, int32_t left)
{
    trial_problem p = problem_implicit();
    mesh g = mesh_open(2, 0.0, 1.0, steps, 1.0);
    mesh_begin(&g, &p, k);
    for (int32_t i = k; i <= steps; i++) {
        memcpy(mesh_at(&g, i), mesh_at(&g, i - 1), 2 * sizeof(double));
        assert_true(bdf_advance(&g, &p.sys, k, i));
        mesh_at(&g, i)[0] += left > 0 ? 0.1 * pow(1.0 / steps, left) : 0.0;
    }
    double error = fabs(mesh_at(&g, steps)[0] - exp(-1.0));
    mesh_close(&g);
    return error;
}

static void c060_nonlinear_implicit_index_one(void **state)
{
    (void)state;
    for (int32_t k = 1; k <= 5; k++) {
        double order = order_between(implicit_error(k, 80, 0), implicit_error(k, 160, 0));
        expect_order("BDF", "y1", order, k, 0.15);
        order = order_between(implicit_error(k, 80, k + 1), implicit_error(k, 160, k + 1));
        expect_order("BDF, iterated to h^(k+1)", "y1", order, k, 0.15);
        order = order_between(implicit_error(k, 80, k), implicit_error(k, 160, k));
        expect_order("BDF, iterated to h^k", "y1", order, k - 1, 0.15);
    }
}

/* ---- C061, C062 ------------------------------------------------------------------------- */

static void c061_order_k_on_index_two_and_three(void **state)
{
    (void)state;
    static const struct {
        const pendulum *which;
        double x[5], force[5];
    } rows[] = {
        /* the force at k = 3: its leading error coefficient nearly vanishes at t = 1 */
        {&PENDULUM_VELOCITY, {1.01, 1.96, 2.96, 3.98, 4.88}, {1.0, 2.0, NAN, 4.0, 5.1}},
        {&PENDULUM_POSITION, {0.99, 1.97, 3.01, 3.94, 4.92}, {NAN, NAN, NAN, NAN, NAN}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        trial_problem p = problem_pendulum(rows[i].which);
        for (int32_t k = 1; k <= 5; k++) {
            double coarse[5], fine[5];
            bdf_error(k, &p, 40, 1.0, coarse);
            bdf_error(k, &p, 80, 1.0, fine);
            expect_order("BDF", "x",
                         order_between(largest_error(coarse, 4), largest_error(fine, 4)),
                         rows[i].x[k - 1], 0.02);
            if (!isnan(rows[i].force[k - 1]))
                expect_order("BDF", "force", order_between(coarse[4], fine[4]),
                             rows[i].force[k - 1], 0.2);
        }
    }
}

/* Exact starts: index 2 has no layer, the first computed force is as good as the others. */
static void c061_no_layer_after_accurate_starts(void **state)
{
    (void)state;
    trial_problem p = problem_pendulum(&PENDULUM_VELOCITY);
    for (int32_t k = 1; k <= 4; k++) {
        double error[2];
        for (int i = 0; i < 2; i++) {
            /* from t0 = 1/2: all derivatives are there */
            double h = 0.02 / (1 + i), right[5];
            mesh g = mesh_open(5, 0.5, 0.5 + k * h, k, 1.0);
            mesh_begin(&g, &p, k);
            bdf_run(&g, &p.sys, k, k);
            p.exact(g.times[k], right, p.sys.user);
            error[i] = fabs(mesh_at(&g, k)[4] - right[4]);
            mesh_close(&g);
        }
        expect_order("first step", "force", order_between(error[0], error[1]), k, 0.2);
    }
}

static void c062_changing_steps_of_index_two(void **state)
{
    (void)state;
    trial_problem p = problem_pendulum(&PENDULUM_VELOCITY);
    for (int32_t k = 1; k <= 5; k++) {
        double coarse[5], fine[5];
        bdf_error(k, &p, 80, 1.5, coarse);
        bdf_error(k, &p, 160, 1.5, fine);
        expect_order("BDF", "x", order_between(largest_error(coarse, 4), largest_error(fine, 4)), k,
                     0.15);
        if (k != 3)
            expect_order("BDF", "force", order_between(coarse[4], fine[4]), k, 0.3);
    }
}

/* ---- C063, C064 ------------------------------------------------------------------------- */

/* BDF2 on index 3 at t = 1 from exact values at 0 and h moved radially by `moved`. */
static void two_step(const pendulum *which, int32_t steps, double moved, double *error)
{
    trial_problem p = problem_pendulum(which);
    mesh g = mesh_open(5, 0.0, 1.0, steps, 1.0);
    mesh_begin(&g, &p, 2);
    for (int i = 0; i < 2; i++)
        for (int v = 0; v < 2; v++)
            mesh_at(&g, i)[v] *= 1.0 + moved;
    bdf_run(&g, &p.sys, 2, 2);
    double right[5];
    p.exact(1.0, right, p.sys.user);
    for (int v = 0; v < 5; v++)
        error[v] = fabs(mesh_at(&g, steps)[v] - right[v]);
    mesh_close(&g);
}

static void c063_table_6_2_1(void **state)
{
    (void)state;
    static const double TRUTH[] = {0.1349949261, 0.9908462897, -1.710951582, 0.2331035448,
                                   3.972538869};
    static const double ERROR[3][5] = {{2.6e-3, 4.8e-5, 2.7e-4, 2.5e-3, 1.9e-4},
                                       {6.5e-4, 1.2e-5, 6.6e-5, 6.2e-4, 4.7e-5},
                                       {1.6e-4, 3.0e-6, 1.7e-5, 1.6e-4, 1.2e-5}};
    trial_problem p = problem_pendulum(&PENDULUM_RISING);
    double right[5];
    p.exact(1.0, right, p.sys.user);
    for (int v = 0; v < 5; v++)
        expect_near(right[v] / TRUTH[v], 1.0, 1e-9);
    for (int i = 0; i < 3; i++) {
        double error[5];
        two_step(&PENDULUM_RISING, 100 << i, 0.0, error);
        for (int v = 0; v < 5; v++)
            expect_about("table 6.2.1", error[v] / fabs(TRUTH[v]), ERROR[i][v], 0.05);
    }
}

/* Theorem 3.2.3 asks for starts with |F3| = O(h^4); the pendulum, linear in its multiplier,
 * forgives more.                                                                  */
static void c064_pendulum_forgives_rough_starts(void **state)
{
    (void)state;
    for (int power = 2; power <= 4; power++) {
        double coarse[5], fine[5];
        two_step(&PENDULUM_POSITION, 160, pow(1.0 / 160, power), coarse);
        two_step(&PENDULUM_POSITION, 320, pow(1.0 / 320, power), fine);
        expect_order("BDF2", "x", order_between(coarse[0], fine[0]), 2.0, 0.15);
        expect_order("BDF2", "force", order_between(coarse[4], fine[4]), 2.0, 0.15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c055_first_step_of_index_three),
        cmocka_unit_test(c059_uniform_index_one),
        cmocka_unit_test(c060_nonlinear_implicit_index_one),
        cmocka_unit_test(c061_order_k_on_index_two_and_three),
        cmocka_unit_test(c061_no_layer_after_accurate_starts),
        cmocka_unit_test(c062_changing_steps_of_index_two),
        cmocka_unit_test(c063_table_6_2_1),
        cmocka_unit_test(c064_pendulum_forgives_rough_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
