/* tests/textbook/c116_extrapolation_expansions.c - expansions of the error that extrapolation
 * rests on: in h^2 for index 2, perturbed for stiff systems: C116, C117.           */
#include <math.h>

#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"

/* ---- C116 ------------------------------------------------------------------------------ */

/* y' = f0(y) + f_z(y) z on the circle g(y) = (|y|^2 - 1)/2 = 0. */
static void base_slope(const double *y, double *f)
{
    f[0] = -y[1] + 0.3;
    f[1] = y[0] + 0.2 * y[0] * y[1];
}

static void multiplier_direction(const double *y, double *f)
{
    f[0] = y[0];
    f[1] = 2.0 * y[1];
}

/* The angle of the solution, z from the derivative of the constraint. */
static void angle_slope(double t, const double *angle, double *slope, void *user)
{
    const double y[] = {cos(angle[0]), sin(angle[0])};
    double f0[2], fz[2];
    (void)t;
    (void)user;
    base_slope(y, f0);
    multiplier_direction(y, fz);
    double z = -(y[0] * f0[0] + y[1] * f0[1]) / (y[0] * fz[0] + y[1] * fz[1]);
    slope[0] = -y[1] * (f0[0] + z * fz[0]) + y[0] * (f0[1] + z * fz[1]);
}

/* y_next = y_from + h (f0(y_at) + f_z(y_at) z) with z such that g(y_next) = 0. */
static void half_explicit(const double *from, const double *at, double h, double *next)
{
    double f0[2], fz[2], z = 0.0;
    base_slope(at, f0);
    multiplier_direction(at, fz);
    for (int i = 0; i < 30; i++) {
        for (int v = 0; v < 2; v++)
            next[v] = from[v] + h * (f0[v] + z * fz[v]);
        double g = 0.5 * (next[0] * next[0] + next[1] * next[1] - 1.0);
        z -= g / (h * (next[0] * fz[0] + next[1] * fz[1]));
    }
}

/* Gragg's method with the constraint taken at the new point ([BCP96] end of 4.6): a step of Euler,
 * then explicit midpoints; n is even.                                              */
static void explicit_midpoint(double h, int32_t n, double *y)
{
    double before[] = {y[0], y[1]}, next[2];
    half_explicit(before, before, h, y);
    for (int32_t i = 1; i < n; i++) {
        half_explicit(before, y, 2.0 * h, next);
        for (int v = 0; v < 2; v++) {
            before[v] = y[v];
            y[v] = next[v];
        }
    }
}

enum { COLUMNS = 3 };

/* Errors of T_11, T_22, T_33 for n = 2, 4, 6 after one large step, extrapolated in h^2. */
static void midpoint_errors(double H, double *error)
{
    double table[COLUMNS][2], angle = 0.4;
    const double y0[] = {cos(angle), sin(angle)};
    reference_ode(angle_slope, NULL, 1, 0.0, H, &angle);
    for (int32_t j = 0; j < COLUMNS; j++) {
        int32_t n = 2 * (j + 1);
        table[j][0] = y0[0];
        table[j][1] = y0[1];
        explicit_midpoint(H / n, n, table[j]);
        for (int32_t k = j - 1; k >= 0; k--) {
            double ratio = (double)n / (2 * (k + 1));
            for (int v = 0; v < 2; v++)
                table[k][v] =
                    table[k + 1][v] + (table[k + 1][v] - table[k][v]) / (ratio * ratio - 1.0);
        }
        error[j] = hypot(table[0][0] - cos(angle), table[0][1] - sin(angle));
    }
}

/* Two orders with every column: local errors H^3, H^5, H^7. */
static void c116_expansion_in_squares(void **state)
{
    (void)state;
    double coarse[COLUMNS], fine[COLUMNS];
    midpoint_errors(0.16, coarse);
    midpoint_errors(0.08, fine);
    for (int32_t j = 0; j < COLUMNS; j++) {
        print_message("T_%d%d: error %.1e, exponent %.2f\n", j + 1, j + 1, fine[j],
                      order_between(coarse[j], fine[j]));
        expect_order("explicit midpoint, index 2", "y", order_between(coarse[j], fine[j]),
                     2 * j + 3, j < 2 ? 0.15 : 0.45);
    }
}

/* ---- C117 ------------------------------------------------------------------------------ */

/* [BCP96] (4.6.3) with g_z = -1, f_z = 1, nu = -z''(0)/2 = -1: beside smooth terms z has
 * h eps (1 + h/eps)^-n nu and y has -h eps^2 (1 + h/eps)^-n nu.  Here the smooth terms are
 * z: h eps,  y: h t^2/2 + h^2 t/6 + h eps t - h eps^2, and there are no others.      */
static void c117_perturbed_expansion(void **state)
{
    (void)state;
    const double h = 0.05;
    tableau euler = tableau_of("implicit_euler");
    const double values[] = {0.05, 0.02, 0.005, 0.0}; /* h/eps >= 1 */
    for (size_t i = 0; i < COUNT(values); i++) {
        double eps = values[i], y[] = {0.0, 0.0}, factor = 1.0;
        daedal_system sys = problem_stiff_pair(&eps).sys;
        for (int n = 1; n <= 8; n++) {
            double t = n * h;
            assert_true(rk_step(&euler, &sys, t - h, h, y, NULL));
            factor = eps > 0.0 ? factor / (1.0 + h / eps) : 0.0;
            double smooth = h * t * t / 2.0 + h * h * t / 6.0 + h * eps * t - h * eps * eps;
            expect_near(y[1] - t * t - h * eps, -h * eps * factor, 1e-15);
            expect_near(y[0] - t * t * t / 3.0 - smooth, h * eps * eps * factor, 1e-15);
        }
    }
}

/* What it does to the table: z of T_22 (steps 1, 2) is exact for eps = 0, not for eps > 0. */
static void c117_extrapolated_perturbation(void **state)
{
    (void)state;
    const double H = 0.1;
    tableau euler = tableau_of("implicit_euler");
    for (int stiff = 0; stiff <= 1; stiff++) {
        double eps = stiff ? 0.02 : 0.0, one[] = {0.0, 0.0}, two[] = {0.0, 0.0};
        daedal_system sys = problem_stiff_pair(&eps).sys;
        rk_run(&euler, &sys, 0.0, H, 1, one);
        rk_run(&euler, &sys, 0.0, H, 2, two);
        double found = 2.0 * two[1] - one[1] - H * H;
        double left =
            stiff ? H * eps * (1.0 / (1.0 + H / eps) - pow(1.0 + 0.5 * H / eps, -2)) : 0.0;
        expect_near(found, left, 1e-15);
        assert_true(!stiff || fabs(found) > 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c116_expansion_in_squares),
        cmocka_unit_test(c117_perturbed_expansion),
        cmocka_unit_test(c117_extrapolated_perturbation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
