/* tests/conformance/c073_impulses.c - C073: the impulse of an inconsistent start has the weight
 * that implicit Euler approaches, and jumps contain impulses and derivatives of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "driving.h"

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g within %.1e", found, wanted, tolerance);
}

/* y2' = y1, 0 = y2 - g with g = 1 + sin t: with y2(0) = a, y1 = (g(0) - a) delta + g'. */
static int differentiator(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[1] - y[0];
    r[1] = y[1] - 1.0 - sin(t);
    return DAEDAL_CALL_OK;
}

/* After one step of implicit Euler h y1 is the weight, whatever h. */
static void c073_weight(void **state)
{
    (void)state;
    daedal_system sys = {.n = 2, .residual = differentiator};
    const double starts[] = {1.0, 0.25, -3.0, 1.0 + 1e-3};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        double y0[] = {0.0, starts[k]}, w[4], a = starts[k];
        int32_t order = -1;
        daedal_solver *s = start_solver(&sys, "method=radau", 0.0, y0, NULL);
        assert_near(daedal_solver_state(s)->y[1], 1.0, 1e-12);
        assert_int_equal(daedal_solver_impulses(s, 2, w, &order), DAEDAL_OK);
        assert_int_equal(order, a == 1.0 ? 0 : 1);
        assert_near(w[0], 1.0 - a, 1e-9 * fabs(1.0 - a));
        assert_true(w[1] == 0.0 && w[2] == 0.0 && w[3] == 0.0);
        for (double h = 1e-2; h > 1e-7; h /= 10.0)
            assert_near(h * ((1.0 + sin(h) - a) / h), w[0], 2.0 * h);
        assert_int_equal(daedal_solver_advance(s, 0.1), DAEDAL_OK);
        assert_int_equal(daedal_solver_impulses(s, 2, w, &order), DAEDAL_ERR_CALL_SEQUENCE);
        daedal_solver_free(s);
    }
}

/* A rod: the velocity across it is taken away by an impulse of the force. */
static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static void impact_on_a_rod(void **state)
{
    (void)state;
    daedal_system sys = {.n = 5, .residual = pendulum};
    double y0[] = {0.6, -0.8, 1.0, 1.0, 0.0}, w[10];
    int32_t order = -1;
    daedal_solver *s = start_solver(&sys, "method=radau", 0.0, y0, NULL);
    assert_int_equal(daedal_solver_impulses(s, 2, w, &order), DAEDAL_OK);
    assert_int_equal(order, 1);
    for (int j = 0; j < 4; j++)
        assert_near(w[j], 0.0, 1e-9);
    assert_near(w[4], -0.2, 1e-7); /* of the velocity (1, 1), -0.2 (0.6, -0.8) is lost */
    daedal_solver_free(s);
}

/* E = N, A = I with N y = (y2, y3, 0): y1 = y2' and y2 = y3'. A jump of y3 by 2 makes 2 delta in y2
 * and 2 delta' in y1; a jump of y1 alone makes nothing, and one of y2 an impulse in y1.    */
static void derivatives_of_impulses(void **state)
{
    (void)state;
    const double e[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const daedal_pencil chain = {3, 3, e, a};
    const double jumps[3][3] = {{5.0, 0.0, 0.0}, {0.0, 3.0, 0.0}, {0.0, 0.0, 2.0}};
    const double wanted[3][6] = {{0}, {3.0, 0.0, 0.0}, {0.0, 2.0, 0.0, 2.0, 0.0, 0.0}};
    daedal_diagnosis why;
    double w[6];
    int32_t order;
    for (int32_t k = 0; k < 3; k++) {
        assert_int_equal(daedal_pencil_impulses(&chain, jumps[k], 2, w, &order, &why), DAEDAL_OK);
        assert_int_equal(order, k);
        for (int i = 0; i < 6; i++)
            assert_near(w[i], wanted[k][i], 1e-12);
    }
    assert_int_equal(daedal_pencil_impulses(&chain, jumps[2], 1, w, &order, &why),
                     DAEDAL_ERR_STRUCTURE);
    assert_int_equal(order, -1);
    assert_non_null(strstr(why.message, "other directions"));
    assert_int_equal(daedal_pencil_impulses(NULL, jumps[2], 1, w, &order, &why),
                     DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_pencil_impulses(&chain, NULL, 1, w, &order, &why), DAEDAL_ERR_ARGUMENT);
    const double bad[3] = {0.0, NAN, 0.0};
    assert_int_equal(daedal_pencil_impulses(&chain, bad, 1, w, &order, NULL), DAEDAL_ERR_ARGUMENT);
    /* y' = 0: a state that nothing moves cannot jump */
    const double one = 1.0, zero = 0.0;
    assert_int_equal(
        daedal_pencil_impulses(&(daedal_pencil){1, 1, &one, &zero}, &one, 2, w, &order, NULL),
        DAEDAL_ERR_STRUCTURE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c073_weight),
        cmocka_unit_test(impact_on_a_rod),
        cmocka_unit_test(derivatives_of_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
