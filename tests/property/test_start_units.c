/* tests/property/test_start_units.c - a start costs about the same calls of F in all units.
 *
 * Two reactions with an equilibrium and a balance, index 1, as a function without Jacobian.
 * Variable j is counted in units of 2^variable_unit[j], equation i in 2^equation_unit[i]: powers of
 * two, so that rounding is the same.  In units that differ by many orders of magnitude the matrix
 * of the start is badly conditioned, which must not be taken for a higher index. */
#include <math.h>

#include "daedal.h"

#include "harness.h"

enum { N = 4, A_FEW = 12 }; /* of iterations; the index is looked for in at least 16 calls */

typedef struct units {
    int variable[N], equation[N];
} units;

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const units *u = user;
    double x[N], slope[N], f[N];
    (void)t;
    for (int j = 0; j < N; j++) {
        x[j] = ldexp(y[j], u->variable[j]);
        slope[j] = ldexp(yp[j], u->variable[j]);
    }
    f[0] = slope[0] + 0.5 * x[0] - 0.25 * x[1] * x[2];
    f[1] = slope[1] - 0.5 * x[0] + x[1] * x[3];
    f[2] = x[2] * (1.0 + x[3]) - 0.75 * x[0];
    f[3] = x[3] + x[2] + x[0] - 2.0;
    for (int i = 0; i < N; i++)
        r[i] = ldexp(f[i], u->equation[i]);
    return DAEDAL_CALL_OK;
}

/* Calls of F up to the end of the start, which brings the algebraic variables to *z. */
static int64_t calls_of_start(const units *u, double *z)
{
    static const double start[N] = {1.0, 0.5, 0.4, 0.6};
    double y[N], yp[N] = {0.0}, atol[N];
    for (int j = 0; j < N; j++) {
        y[j] = ldexp(start[j], -u->variable[j]);
        atol[j] = ldexp(1e-6, -u->variable[j]);
    }
    daedal_options options;
    daedal_options_defaults(&options);
    options.rtol = 1e-6;
    options.atol_each = (daedal_doubles){atol, N};
    const daedal_system system = {.n = N, .residual = residual, .user = (void *)u};
    daedal_solver *solver = NULL;
    assert_int_equal(daedal_solver_create(&solver, &system, &options, NULL), DAEDAL_OK);
    assert_int_equal(daedal_solver_start(solver, 0.0, y, yp), DAEDAL_OK);
    for (int k = 0; k < 2; k++)
        z[k] = ldexp(daedal_solver_state(solver)->y[2 + k], u->variable[2 + k]);
    assert_int_equal(daedal_solver_structure(solver)->index, 1);
    int64_t calls = daedal_solver_stats(solver)->residuals;
    daedal_solver_free(solver);
    return calls;
}

static void test_units(void **state)
{
    static const units unit = {{0}, {0}};
    static const units others[] = {{{0, 0, -20, 0}, {0, 0, 0, 0}},
                                   {{0, 4, -30, 0}, {0, 0, 30, 0}},
                                   {{20, -20, 0, -20}, {0, 0, 0, -20}},
                                   {{-24, 0, 24, 0}, {10, -10, 0, 24}}};
    double z[2], same[2];
    (void)state;
    int64_t calls = calls_of_start(&unit, z);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        assert_true(calls_of_start(&others[k], same) <= calls + A_FEW);
        assert_true(fabs(same[0] - z[0]) < 1e-9 && fabs(same[1] - z[1]) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
