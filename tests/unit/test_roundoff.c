/* tests/unit/test_roundoff.c - where terms of very different size meet: small differences
 * must still be seen, and a start that is exact to roundoff is a start.         */
#include <float.h>
#include <math.h>

#include "driving.h"
#include "harness.h"
#include "samples.h"

/* Robertson by differences: y1 stays below 4e-5 beside the 1 of the balance, and is far
 * smaller in the first steps.                                                   */
static void test_robertson_by_differences(void **state)
{
    (void)state;
    static const char *const methods[] = {"bdf", "bdf_classic"};
    static const double tolerances[][2] = {
        {1e-3, 1e-6}, {1e-4, 1e-8}, {1e-6, 1e-9}, {1e-6, 1e-12}, {1e-8, 1e-12}};
    for (size_t m = 0; m < COUNT(methods); m++)
        for (size_t k = 0; k < COUNT(tolerances); k++) {
            sample what = sample_robertson();
            daedal_options opt = defaults_with(tolerances[k][0], tolerances[k][1]);
            assert_int_equal(daedal_options_set(&opt, "method", methods[m]), DAEDAL_OK);
            daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
            expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_OK);
            expect_near(daedal_solver_state(s)->y[0], 0.71582706881, 20.0 * tolerances[k][0]);
            daedal_solver_free(s);
        }
}

/* Consistent starts anywhere on the way, with and without the Jacobian. */
static void test_starts(void **state)
{
    (void)state;
    static const double values[][3] = {
        {1.0, 0.0, 0.0}, {0.9, 1e-4, 0.1}, {0.5, 2e-5, 0.4}, {0.1, 1e-6, 0.9}, {0.0, 0.0, 0.5}};
    static const double tolerances[] = {1e-3, 1e-6, 1e-9, 1e-12};
    for (size_t i = 0; i < COUNT(values); i++)
        for (size_t k = 0; k < COUNT(tolerances); k++)
            for (int given = 0; given < 2; given++) {
                sample what = given ? sample_robertson_jacobian() : sample_robertson();
                daedal_options opt = defaults_with(tolerances[k], 1e-4 * tolerances[k]);
                daedal_solver *s = started(&what.sys, &opt, 0.0, values[i], NULL);
                const daedal_state *now = daedal_solver_state(s);
                double sum = now->y[0] + now->y[1] + now->y[2];
                expect_near(sum, 1.0, 1e-15);
                daedal_solver_free(s);
            }
}

/* The same by masks: y0 held, the rest guessed. */
static void test_masked_starts(void **state)
{
    (void)state;
    static const int32_t y_mask[] = {DAEDAL_FIXED, DAEDAL_GUESS, DAEDAL_FREE};
    static const int32_t yp_mask[] = {DAEDAL_FREE, DAEDAL_FREE, DAEDAL_GUESS};
    static const double zero[] = {0.0, 0.0, 0.0};
    static const double tolerances[] = {1e-3, 1e-4, 1e-6, 1e-8};
    for (size_t k = 0; k < COUNT(tolerances); k++) {
        sample what = sample_robertson();
        daedal_options opt = defaults_with(tolerances[k], 1e-4 * tolerances[k]);
        daedal_solver *s = solver_of(&what.sys, &opt);
        expect_status(s,
                      daedal_solver_start_masked(s, 0.0, what.y0, zero, (daedal_ints){y_mask, 3},
                                                 (daedal_ints){yp_mask, 3}),
                      DAEDAL_OK);
        expect_near(daedal_solver_state(s)->yp[0], -0.04, 1e-3);
        daedal_solver_free(s);
    }
}

/* A second start of a chain that stands at zero; the boundary value drives it. */
static void test_chain_starts(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-3, 1e-6, 1e-9, 1e-12};
    for (size_t k = 0; k < COUNT(tolerances); k++) {
        sample what = sample_chain();
        daedal_options opt = defaults_with(tolerances[k], 1e-4 * tolerances[k]);
        daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
        expect_near(daedal_solver_state(s)->yp[0], 100.0, 1e-9);
        expect_status(s, daedal_solver_start(s, 0.0, what.y0, NULL), DAEDAL_OK);
        expect_status(s, daedal_solver_advance(s, 0.1), DAEDAL_OK);
        daedal_solver_free(s);
    }
}

/* y'' = 10^6 - y, near 10^6: a step cannot know y better than its roundoff, and the weights reckon
 * with that, by the terms of y' alone in the first equation.                     */
static int far_oscillator(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0] - 1e6;
    return 0;
}

static void test_noise_of_slopes(void **state)
{
    (void)state;
    const double y0[] = {1e6 + 1.0, 0.0}, roundoff = DBL_EPSILON * 1e6;
    daedal_system sys = {.n = 2, .residual = far_oscillator};
    kernel k;
    kernel_open(&k, &sys, "method=bdf calibrate_tolerance=yes rtol=1e-9", 0.0, y0, NULL);
    for (int i = 0; i < 30; i++)
        assert_int_equal(k.run.method->step(k.run.integrator, 1.0), DAEDAL_OK);
    assert_true(k.run.tolerances.noise[0] > 0.3 * roundoff &&
                k.run.tolerances.noise[0] < 100.0 * roundoff);
    kernel_close(&k);
}

/* x' = f, f = K (g - x) with x near 1: the difference loses digits, so that f has fewer than its
 * tolerance asks for, and the more the shorter the step.  No step size helps, so this must not
 * shorten the steps, nor stop them from growing after a restart.                 */
static int lost_difference(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *k = user;
    r[0] = yp[0] - y[1];
    r[1] = y[1] - *k * (1.0 + 0.01 * sin(t) - y[0]);
    return 0;
}

static void test_algebraic_noise(void **state)
{
    (void)state;
    enum { RESTARTS = 10, STEPS_EACH = 26 };
    for (double k = 1e8; k < 5e11; k *= 10.0) {
        const double y0[] = {1.0 - 0.01 / k, 0.01};
        daedal_system sys = {.n = 2, .residual = lost_difference, .user = &k};
        daedal_options opt = defaults_with(1e-6, 1e-9);
        assert_int_equal(daedal_options_set(&opt, "method", "radau"), DAEDAL_OK);
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        for (int i = 1; i <= RESTARTS; i++) {
            double t = 0.1 * i;
            expect_status(s, daedal_solver_set_stop_time(s, t), DAEDAL_OK);
            expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
            expect_near(daedal_solver_state(s)->y[0], 1.0 + 0.01 * sin(t), 1e-9);
            expect_near(daedal_solver_state(s)->y[1], 0.01 * cos(t), 1e-8);
            expect_status(s, daedal_solver_restart(s, NULL, NULL), DAEDAL_OK);
        }
        assert_true(daedal_solver_stats(s)->steps <= STEPS_EACH * RESTARTS);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_robertson_by_differences),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_masked_starts),
        cmocka_unit_test(test_chain_starts),
        cmocka_unit_test(test_noise_of_slopes),
        cmocka_unit_test(test_algebraic_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
