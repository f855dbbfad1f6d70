/* tests/conformance/c052_bdf_constant_coefficients.c - BDF on linear systems of higher index: C052,
 * C053, C054, C056, C057, C058, C073.                                             */
#include <float.h>
#include <math.h>

#include "driving.h"
#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"

/* ---- C052 ------------------------------------------------------------------------------ */

/* From wrong values at the points 0 .. k-1 the variable at depth j is right from point (j+1) k on,
 * and not before: the last of index nu after (nu-1) k + 1 computed steps.         */
static void c052_wrong_starts_are_forgotten(void **state)
{
    (void)state;
    const double h = 0.01;
    for (int32_t k = 1; k <= 3; k++)
        for (int32_t index = 2; index <= 4; index++) {
            trial_problem p = problem_canonical(index);
            int32_t last = index * k + 4;
            mesh g = mesh_open(index, 0.0, h * last, last, 1.0);
            mesh_begin(&g, &p, k);
            for (int32_t i = 0; i < k * index; i++)
                g.y[i] += 1.0 + 0.3 * i;
            bdf_run(&g, &p.sys, k, k);
            for (int32_t i = k; i <= last; i++) {
                double right[TRIAL_MAX];
                p.exact(g.times[i], right, p.sys.user);
                for (int32_t j = 0; j < index; j++) {
                    double error = fabs(mesh_at(&g, i)[j] - right[j]);
                    if (i >= (j + 1) * k)
                        expect_near(error, 0.0, 20.0 * pow(h, k));
                    else if (i == (j + 1) * k - 1)
                        assert_true(error > 0.1);
                }
            }
            mesh_close(&g);
        }
}

/* ---- C053 ------------------------------------------------------------------------------ */

static void c053_order_k_in_all_components(void **state)
{
    (void)state;
    static const double X2[] = {1.00, 2.00, 2.99, 4.01}, X3[] = {1.00, 1.99, 3.01, 3.94};
    trial_problem p = problem_canonical(3);
    for (int32_t k = 1; k <= 4; k++) {
        double coarse[3], fine[3];
        bdf_error(k, &p, 64, 1.0, coarse);
        bdf_error(k, &p, 128, 1.0, fine);
        expect_near(fine[0], 0.0, 1e-15);
        expect_order("BDF", "x2", order_between(coarse[1], fine[1]), X2[k - 1], 0.05);
        expect_order("BDF", "x3", order_between(coarse[2], fine[2]), X3[k - 1], 0.15);
    }
}

/* Roundoff of size u in g is differenced twice: errors of the size u/h^2 remain, here 120 times
 * that (the coefficients of order 5 have the sum of squares 68), and three times as much if sin is
 * off by a unit in the last place.                                                */
static void c053_roundoff_floor(void **state)
{
    (void)state;
    trial_problem p = problem_canonical(3);
    for (int32_t steps = 512; steps <= 2048; steps *= 2) {
        mesh g = mesh_open(3, 0.0, 1.0, steps, 1.0);
        mesh_begin(&g, &p, 5);
        bdf_run(&g, &p.sys, 5, 5);
        double largest = 0.0, floor = 0.5 * DBL_EPSILON * steps * steps;
        for (int32_t i = steps / 2; i <= steps; i++)
            largest = fmax(largest, fabs(mesh_at(&g, i)[2] + sin(g.times[i])));
        assert_true(largest > floor && largest < 1000.0 * floor);
        mesh_close(&g);
    }
}

/* ---- C054, C056 ------------------------------------------------------------------------- */

/* Errors of y' and y'' = x2, x3 at the end of steps h_1, h_2, .. from exact values at t0 = 1. */
static void errors_after(const double *h, int32_t steps, double *error)
{
    trial_problem p = problem_canonical(3);
    mesh g = mesh_open(3, 1.0, 2.0, steps, 1.0);
    for (int32_t i = 1; i <= steps; i++)
        g.times[i] = g.times[i - 1] + h[i - 1];
    mesh_begin(&g, &p, 1);
    bdf_run(&g, &p.sys, 1, 1);
    double right[3];
    p.exact(g.times[steps], right, p.sys.user);
    for (int v = 0; v < 3; v++)
        error[v] = mesh_at(&g, steps)[v] - right[v];
    mesh_close(&g);
}

static void c054_first_step_from_exact_values(void **state)
{
    (void)state;
    for (double h = 1e-2; h > 5e-5; h *= 0.1) {
        double error[3];
        errors_after(&h, 1, error);
        expect_about("error of y2", fabs(error[1]), 0.5 * h * sin(1.0), h + 1e-4);
        expect_near(fabs(error[2]), 0.4207, 1.0 * h + 5e-5);
    }
}

/* (h_n/h_{n+1} - 1) g''/2; g'' = -sin 1. */
static void c056_step_change(void **state)
{
    (void)state;
    const double h = 1e-4, bend = -sin(1.0);
    const struct {
        double ratio, error;
    } rows[] = {{1.0, 0.0}, {2.0, 0.5}, {10.0, 4.5}, {0.5, -0.25}, {100.0, 49.5}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const double steps[] = {h, h, h, h / rows[i].ratio};
        double error[3];
        errors_after(steps, 4, error);
        expect_near(error[2], rows[i].error * bend, 0.01 * (0.1 + fabs(rows[i].error)));
    }
}

/* ---- C057 ------------------------------------------------------------------------------ */

/* Largest errors over the second half of [0, 1], steps 1, 1.5, 1, 1.5 .. */
static void alternating_errors(int32_t k, int32_t steps, double *largest)
{
    trial_problem p = problem_canonical(3);
    mesh g = mesh_open(3, 0.0, 1.0, steps, 1.5);
    mesh_begin(&g, &p, k);
    bdf_run(&g, &p.sys, k, k);
    largest[0] = largest[1] = largest[2] = 0.0;
    for (int32_t i = steps / 2; i <= steps; i++) {
        double right[3];
        p.exact(g.times[i], right, p.sys.user);
        for (int v = 0; v < 3; v++)
            largest[v] = fmax(largest[v], fabs(mesh_at(&g, i)[v] - right[v]));
    }
    mesh_close(&g);
}

/* Order min(k, k - index + 2) ([BCP96] after Theorem 3.1.1). */
static void c057_changing_steps_cost_an_order(void **state)
{
    (void)state;
    for (int32_t k = 1; k <= 5; k++) {
        double coarse[3], fine[3];
        alternating_errors(k, 64, coarse);
        alternating_errors(k, 128, fine);
        expect_order("BDF", "x2", order_between(coarse[1], fine[1]), k, 0.15);
        expect_order("BDF", "x3", order_between(coarse[2], fine[2]), k - 1, k < 5 ? 0.15 : 0.3);
        if (k == 1)
            expect_near(fine[2], 0.20, 0.02);
    }
}

/* ---- C058 ------------------------------------------------------------------------------ */

/* [BCP96] (3.1.13) with g = 0. */
static int rotating(double t, const double *y, const double *yp, double *r, void *user)
{
    double eta = *(const double *)user;
    r[0] = y[0] + eta * t * y[1];
    r[1] = yp[0] + eta * t * yp[1] + (1.0 + eta) * y[1];
    return DAEDAL_CALL_OK;
}

static void c058_unstable_index_two(void **state)
{
    (void)state;
    const struct {
        double eta, growth; /* in 50 steps */
    } rows[] = {{-0.6, 6.4e8}, {-0.45, 4.4e-5}, {-6.0, 9.1e3}, {2.0, 1.6e-9}};
    tableau euler = tableau_of("implicit_euler");
    for (size_t i = 0; i < COUNT(rows); i++) {
        double eta = rows[i].eta;
        daedal_system sys = {.n = 2, .residual = rotating, .user = &eta};
        double y[] = {-eta, 1.0}; /* at t = 1 */
        rk_run(&euler, &sys, 1.0, 2.0, 50, y);
        expect_about("growth", fabs(y[1]), rows[i].growth, 0.03);
        expect_about("growth", y[1], pow(eta / (1.0 + eta), 50), 1e-5);
    }
}

static void c058_singular_for_every_step(void **state)
{
    (void)state;
    double eta = -1.0;
    daedal_system sys = {.n = 2, .residual = rotating, .user = &eta};
    tableau euler = tableau_of("implicit_euler");
    for (double h = 0.1; h > 1e-6; h *= 0.1) {
        double y[] = {1.0, 1.0};
        assert_false(rk_step(&euler, &sys, 1.0, h, y, NULL));
    }
    const double y0[] = {0.0, 0.0}, yp0[] = {0.0, 0.0};
    daedal_solver *s = start_solver(&sys, "start=given method=bdf", 1.0, y0, yp0);
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_ERR_SINGULAR);
    daedal_solver_free(s);
    s = start_solver(&sys, "start=given", 1.0, y0, yp0); /* auto finds a way (C183) */
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_OK);
    daedal_solver_free(s);
}

/* ---- C073 ------------------------------------------------------------------------------ */

/* y2' = y1, y2 = g from y2(0) = a: h y1 of the first step is the weight of the impulse. */
static void c073_impulse_of_an_inconsistent_start(void **state)
{
    (void)state;
    const double a = -0.7;
    trial_problem p = problem_canonical(2);
    tableau euler = tableau_of("implicit_euler");
    for (double h = 1e-2; h > 5e-6; h *= 0.1) {
        double y[] = {a, 0.0};
        assert_true(rk_step(&euler, &p.sys, 0.0, h, y, NULL));
        expect_near(h * y[1], sin(0.0) - a, 1.01 * h);
        assert_true(rk_step(&euler, &p.sys, h, h, y, NULL));
        expect_near(y[1], cos(2.0 * h), h); /* and nothing of it is left */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c052_wrong_starts_are_forgotten),
        cmocka_unit_test(c053_order_k_in_all_components),
        cmocka_unit_test(c053_roundoff_floor),
        cmocka_unit_test(c054_first_step_from_exact_values),
        cmocka_unit_test(c056_step_change),
        cmocka_unit_test(c057_changing_steps_cost_an_order),
        cmocka_unit_test(c058_unstable_index_two),
        cmocka_unit_test(c058_singular_for_every_step),
        cmocka_unit_test(c073_impulse_of_an_inconsistent_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
