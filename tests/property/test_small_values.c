/* tests/property/test_small_values.c - variables that are far smaller than their absolute
 * tolerance.
 *
 * Robertson's y[1] is 1e-13 at the end.  Where atol is 1e-7, a difference Jacobian that moves it by
 * its tolerance would see the term 3e7 y[1]^2 a million times too steep.
 *
 * Where y[0] is below zero, y[0]' = -4.8e-4 y[0]^2 leads to minus infinity by the time 1/(4.8e-4
 * |y[0]|): an error of atol = 1e-7 is enough for that before 1e11, so there the bounds of the
 * variables are declared, as a user has to; smaller errors have no time to grow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "harness.h"

static int robertson(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + 0.04 * y[0] - 1e4 * y[1] * y[2];
    r[1] = yp[1] - 0.04 * y[0] + 1e4 * y[1] * y[2] + 3e7 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return DAEDAL_CALL_OK;
}

static void robertson_below_its_tolerance(void **state)
{
    (void)state;
    const char *const methods[] = {"auto", "bdf", "radau", "rodas", "limex"};
    const double reference = 2.0833403e-8, y0[] = {1.0, 0.0, 0.0}, zero[3] = {0.0};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (double atol = 1e-7; atol > 1e-11; atol /= 10.0) {
            daedal_system sys = {.n = 3, .residual = robertson};
            if (atol > 5e-8)
                sys.lower = (daedal_doubles){zero, 3};
            daedal_options options = defaults_with(1e-6, atol);
            assert_int_equal(daedal_options_set(&options, "method", methods[m]), DAEDAL_OK);
            daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
            expect_status(s, daedal_solver_advance(s, 1e11), DAEDAL_OK);
            expect_near(daedal_solver_state(s)->y[0], reference, 1e-8 + 3.0 * atol);
            assert_true(daedal_solver_stats(s)->residuals < 20000);
            daedal_solver_free(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(robertson_below_its_tolerance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
