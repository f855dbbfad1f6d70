/* tests/conformance/c160_equal_blocks.c - C160: the matrix of states and sensitivities has equal
 * blocks on its diagonal ([BCP96] section 7.5).
 *
 * In an iteration for both together that keeps the diagonal alone, an iterate of s is as good as
 * the iterate of y before it (textbook/c160_block_diagonal_newton).  The library solves for s after
 * y, with the block at the new y.  So s belongs to y itself, nothing of the iteration is left in
 * it, and one factorization serves all parameters.                                */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "driving.h"

enum { MOST = 8 };

/* y' = -p y^2; further parameters are added to p. */
static int decay(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = user;
    double sum = 0.0;
    (void)t;
    for (int i = 0; i < MOST; i++)
        sum += p[i];
    r[0] = yp[0] + sum * y[0] * y[0];
    return DAEDAL_CALL_OK;
}

static int decay_jacobian(double t, const double *y, const double *yp, double c, double *v,
                          void *user)
{
    const double *p = user;
    double sum = 0.0;
    (void)t, (void)yp;
    for (int i = 0; i < MOST; i++)
        sum += p[i];
    v[0] = c + 2.0 * sum * y[0];
    return DAEDAL_CALL_OK;
}

static int by_parameters(double t, const double *y, const double *yp, double *dp, void *user)
{
    (void)t, (void)yp, (void)user;
    for (int i = 0; i < MOST; i++)
        dp[i] = y[0] * y[0];
    return DAEDAL_CALL_OK;
}

typedef struct case_of_decay {
    double p[MOST], *places[MOST];
    daedal_system sys;
} case_of_decay;

static void describe(case_of_decay *d)
{
    *d = (case_of_decay){.p = {1.3}};
    for (int i = 0; i < MOST; i++)
        d->places[i] = &d->p[i];
    d->sys = (daedal_system){.n = 1,
                             .residual = decay,
                             .jacobian = decay_jacobian,
                             .n_parameters = MOST,
                             .parameters = d->places,
                             .parameter_derivative = by_parameters,
                             .user = d->p};
}

/* The first step is one of implicit Euler, S = s + h (2 p y s + y^2) = 0 from s = 0. */
static void s_belongs_to_y(void **state)
{
    (void)state;
    const double y0[] = {1.0};
    for (int k = 1; k <= 4; k++) {
        char options[120];
        case_of_decay d;
        describe(&d);
        snprintf(options, sizeof options,
                 "method=bdf order_max=1 first_step=%g rtol=1e-2 atol=1e-1", 0.02 * k);
        daedal_solver *s = start_solver(&d.sys, options, 0.0, y0, NULL);
        assert_true(daedal_solver_step(s, 10.0) >= 0);
        const daedal_state *now = daedal_solver_state(s);
        double h = now->t;
        assert_true(h > 1e-3 && daedal_solver_stats(s)->steps == 1);
        double y = now->y[0], exact_y = (sqrt(1.0 + 4.0 * h * 1.3) - 1.0) / (2.0 * h * 1.3);
        double of_y = -h * y * y / (1.0 + 2.0 * h * 1.3 * y);
        double exact = -h * exact_y * exact_y / (1.0 + 2.0 * h * 1.3 * exact_y);
        for (int32_t i = 0; i < MOST; i++) {
            const double *found;
            assert_int_equal(daedal_solver_sensitivity(s, i, &found, NULL), DAEDAL_OK);
            assert_true(fabs(found[0] - of_y) <= 1e-13);
            assert_true(fabs(found[0] - exact) <= fabs(y - exact_y) + 1e-13);
        }
        daedal_solver_free(s);
    }
}

/* As many factorizations with eight parameters as with one: their blocks are equal. */
static void one_block_serves_all(void **state)
{
    (void)state;
    const double y0[] = {1.0};
    int64_t factorizations[2], steps[2];
    for (int k = 0; k < 2; k++) {
        case_of_decay d;
        describe(&d);
        d.sys.n_parameters = k == 0 ? 1 : MOST;
        daedal_solver *s = start_solver(&d.sys, "method=bdf rtol=1e-6", 0.0, y0, NULL);
        assert_int_equal(daedal_solver_advance(s, 5.0), DAEDAL_OK);
        const daedal_stats *stats = daedal_solver_sensitivity_stats(s);
        factorizations[k] = stats->factorizations;
        steps[k] = stats->steps;
        daedal_solver_free(s);
    }
    assert_true(steps[0] > 0 && steps[1] == steps[0]);
    assert_true(factorizations[0] > 0 && factorizations[1] == factorizations[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(s_belongs_to_y),
                                       cmocka_unit_test(one_block_serves_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
