/* tests/conformance/c152_krylov.c - Newton-Krylov: C153 to C157 (C152: tests/unit/test_gmres.c). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "newton/inexact_solve.h"
#include "reaction_grid.h"

/* The largest |y - z| over the largest |z|. */
static double distance(const double *y, const double *z, int32_t n)
{
    double most = 0.0, size = 0.0;
    for (int32_t i = 0; i < n; i++) {
        most = fmax(most, fabs(y[i] - z[i]));
        size = fmax(size, fabs(z[i]));
    }
    return most / size;
}

enum { N_MAX = 1600 };

/* ---- C153: an incomplete iteration, and one with restarts, converge too ---------------- */

static void c153_incomplete_and_restarted(void **state)
{
    (void)state;
    static const char *const variants[] = {"krylov_keep=2", "krylov_length=2 krylov_restarts=20",
                                           "krylov_length=4 krylov_keep=2 krylov_restarts=20"};
    static double complete[N_MAX], other[N_MAX];
    reaction_grid *g = reaction_grid_make(false, 12);
    daedal_system sys = reaction_grid_system(g, true, false);
    solve_to(&sys, "method=bdf linear_solver=gmres rtol=1e-5", 0.0, g->y0, 1.0, complete);
    for (size_t k = 0; k < COUNT(variants); k++) {
        char options[200];
        snprintf(options, sizeof options, "method=bdf linear_solver=gmres rtol=1e-5 %s",
                 variants[k]);
        daedal_solver *s = start_solver(&sys, options, 0.0, g->y0, NULL);
        expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
        memcpy(other, daedal_solver_state(s)->y, (size_t)g->n * sizeof(double));
        assert_int_equal(daedal_solver_stats(s)->direct_fallbacks, 0);
        daedal_solver_free(s);
        assert_true(distance(other, complete, g->n) < 1e-5);
    }
    reaction_grid_free(g);
}

/* ---- C154: a difference with sigma = 1 and ||v|| = 1 is the product but for O(tol) ------ */

static void c154_difference_is_product(void **state)
{
    (void)state;
    reaction_grid *g = reaction_grid_make(false, 8);
    daedal_system sys = reaction_grid_system(g, true, true);
    static double v[N_MAX], exact[N_MAX], here[N_MAX], moved[N_MAX], y[N_MAX], yp[N_MAX];
    const double tol = 1e-4, c = 10.0;
    double state_of_v = 0.0, most = 0.0, size = 0.0, zero[N_MAX] = {0.0};
    for (int32_t i = 0; i < g->n; i++) {
        state_of_v = fmod(state_of_v + 0.618033988749895, 1.0);
        double weight = tol * (fabs(g->y0[i]) + 1.0);
        v[i] = weight * (state_of_v < 0.5 ? -1.0 : 1.0); /* ||v|| = 1 */
        y[i] = g->y0[i] + v[i];
        yp[i] = c * v[i];
    }
    sys.residual(0.0, g->y0, zero, here, g);
    sys.residual(0.0, y, yp, moved, g);
    sys.jacobian_product(0.0, g->y0, zero, c, v, exact, g);
    for (int32_t i = 0; i < g->n; i++) {
        most = fmax(most, fabs(moved[i] - here[i] - exact[i]));
        size = fmax(size, fabs(exact[i]));
    }
    assert_true(most <= 10.0 * tol * size);
    reaction_grid_free(g);
}

/* ---- C155: scaled equations, the same steps ------------------------------------------- */

static void c155_scaling_invariance(void **state)
{
    (void)state;
    static const char *const preconditioners[] = {"diagonal", "ilu", "ilut"};
    static double plain[N_MAX];
    for (size_t k = 0; k < COUNT(preconditioners); k++) {
        char options[100];
        int64_t steps = 0, iterations = 0;
        snprintf(options, sizeof options,
                 "method=bdf linear_solver=gmres preconditioner=%s rtol=1e-4", preconditioners[k]);
        for (int scaled = 0; scaled < 2; scaled++) {
            reaction_grid *g = reaction_grid_make(false, 10);
            for (int32_t i = 0; i < g->n && scaled; i++)
                g->row_scale[i] = ldexp(1.0, (i * 7) % 41 - 20); /* 1e-6 .. 1e6, exact */
            daedal_system sys = reaction_grid_system(g, true, true);
            daedal_solver *s = start_solver(&sys, options, 0.0, g->y0, NULL);
            expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
            const daedal_stats *st = daedal_solver_stats(s);
            if (scaled) {
                assert_int_equal(st->steps, steps);
                assert_int_equal(st->krylov_iterations, iterations);
                assert_true(distance(daedal_solver_state(s)->y, plain, g->n) < 1e-9);
            } else {
                memcpy(plain, daedal_solver_state(s)->y, (size_t)g->n * sizeof(double));
                steps = st->steps;
                iterations = st->krylov_iterations;
            }
            daedal_solver_free(s);
            reaction_grid_free(g);
        }
    }
}

/* ---- C156: heat on 40 x 40, against the band solver ------------------------------------ */

static void c156_heat_against_band(void **state)
{
    (void)state;
    static const char *const preconditioners[] = {"diagonal", "ilu", "ilut", "lu"};
    static double direct[N_MAX];
    reaction_grid *g = reaction_grid_make(true, 40);
    daedal_system sys = reaction_grid_system(g, true, false);
    daedal_solver *s =
        start_solver(&sys, "method=bdf linear_solver=band rtol=1e-5", 0.0, g->y0, NULL);
    expect_status(s, daedal_solver_advance(s, 0.1), DAEDAL_OK);
    memcpy(direct, daedal_solver_state(s)->y, (size_t)g->n * sizeof(double));
    double steps = (double)daedal_solver_stats(s)->steps;
    daedal_solver_free(s);
    for (size_t k = 0; k < COUNT(preconditioners); k++) {
        char options[100];
        snprintf(options, sizeof options,
                 "method=bdf linear_solver=gmres preconditioner=%s rtol=1e-5", preconditioners[k]);
        s = start_solver(&sys, options, 0.0, g->y0, NULL);
        expect_status(s, daedal_solver_advance(s, 0.1), DAEDAL_OK);
        double far = distance(daedal_solver_state(s)->y, direct, g->n);
        double more = (double)daedal_solver_stats(s)->steps / steps;
        if (!(far <= 1e-4 && more <= 1.2))
            fail_msg("%s: off by %g, %g of the steps", preconditioners[k], far, more);
        daedal_solver_free(s);
    }
    reaction_grid_free(g);
}

/* ---- C157: the tolerance is 0.05 of Newton's, and an option ---------------------------- */

static void c157_tolerance(void **state)
{
    (void)state;
    daedal_options opt;
    daedal_options_defaults(&opt);
    assert_true(opt.krylov_tolerance == 0.05);
    reaction_grid *g = reaction_grid_make(false, 10);
    daedal_system sys = reaction_grid_system(g, true, false);
    double each[3];
    static const char *const tolerances[] = {"1e-4", "0.05", "0.5"};
    for (int k = 0; k < 3; k++) {
        char options[120];
        snprintf(options, sizeof options,
                 "method=bdf linear_solver=gmres preconditioner=diagonal krylov_tolerance=%s",
                 tolerances[k]);
        daedal_solver *s = start_solver(&sys, options, 0.0, g->y0, NULL);
        expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
        const daedal_stats *st = daedal_solver_stats(s);
        each[k] = (double)st->krylov_iterations / (double)st->iterations;
        daedal_solver_free(s);
    }
    assert_true(each[0] > each[1] && each[1] > each[2]);
    reaction_grid_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c153_incomplete_and_restarted),
        cmocka_unit_test(c154_difference_is_product),
        cmocka_unit_test(c155_scaling_invariance),
        cmocka_unit_test(c156_heat_against_band),
        cmocka_unit_test(c157_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
