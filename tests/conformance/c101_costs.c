/* tests/conformance/c101_costs.c - what Runge-Kutta methods cost: C101, C103.       */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"
#include "small_dense.h"

/* ---- C101 ------------------------------------------------------------------------------ */

/* A step of a method whose A has the one eigenvalue l, with one matrix E/h + l B of size n, E =
 * dF/dy', B = dF/dy at the beginning of the step.  The simplified Newton iteration for the
 * increments K, (I x E/h + A x B) dK = -R, falls apart after dK = T dW: A T = T (l I + N), N the
 * lower shift, because the columns t_{i+1} = (A - l) t_i end with 0 after s of them ([BCP96] 4.4:
 * singly implicit methods can be implemented efficiently). */
typedef struct economical {
    const tableau *m;
    const daedal_system *sys;
    double l, T[STAGES_MAX * STAGES_MAX], T_inverse[STAGES_MAX * STAGES_MAX];
    double B[TRIAL_MAX * TRIAL_MAX], lu[TRIAL_MAX * TRIAL_MAX];
    int32_t pivot[TRIAL_MAX];
    int64_t factorizations;
} economical;

static economical economical_open(const tableau *m, const daedal_system *sys)
{
    economical e = {.m = m, .sys = sys};
    int32_t s = m->stages;
    for (int32_t i = 0; i < s; i++)
        e.l += m->a[i][i] / s;
    double t[STAGES_MAX], next[STAGES_MAX];
    for (int32_t i = 0; i < s; i++)
        t[i] = 1.0 + 0.37 * i; /* any vector with a full chain */
    for (int32_t k = 0; k < s; k++) {
        for (int32_t i = 0; i < s; i++) {
            e.T[i * s + k] = t[i];
            next[i] = -e.l * t[i];
            for (int32_t j = 0; j < s; j++)
                next[i] += m->a[i][j] * t[j];
        }
        memcpy(t, next, sizeof t);
    }
    for (int32_t i = 0; i < s; i++)
        expect_near(t[i], 0.0, 1e-9); /* one eigenvalue indeed */
    assert_true(small_invert(s, e.T, e.T_inverse));
    return e;
}

/* dF/dy (c = 0) or c dF/dy' by central differences. */
static void part_of_jacobian(const daedal_system *sys, double t, const double *y, double c,
                             double *matrix)
{
    const double width = 1e-6;
    double zero[TRIAL_MAX] = {0}, moved[TRIAL_MAX], r[2][TRIAL_MAX];
    int32_t n = sys->n;
    for (int32_t j = 0; j < n; j++) {
        for (int side = 0; side < 2; side++) {
            memcpy(moved, c > 0.0 ? zero : y, (size_t)n * sizeof *y);
            moved[j] += side == 0 ? width : -width;
            sys->residual(t, c > 0.0 ? y : moved, c > 0.0 ? moved : zero, r[side], sys->user);
        }
        for (int32_t i = 0; i < n; i++)
            matrix[i * n + j] = (c > 0.0 ? c : 1.0) * (r[0][i] - r[1][i]) / (2.0 * width);
    }
}

static void economical_factor(economical *e, double t, double h, const double *y)
{
    int32_t n = e->sys->n;
    part_of_jacobian(e->sys, t, y, 0.0, e->B);
    part_of_jacobian(e->sys, t, y, 1.0 / h, e->lu);
    for (int32_t i = 0; i < n * n; i++)
        e->lu[i] += e->l * e->B[i];
    assert_true(small_factor(n, e->lu, e->pivot));
    e->factorizations++;
}

/* R, stage after stage. */
static void residuals(const economical *e, double t, double h, const double *y, const double *K,
                      double *R)
{
    int32_t n = e->sys->n, s = e->m->stages;
    for (int32_t i = 0; i < s; i++) {
        double Y[TRIAL_MAX], slope[TRIAL_MAX];
        for (int32_t v = 0; v < n; v++) {
            Y[v] = y[v];
            slope[v] = K[i * n + v] / h;
            for (int32_t j = 0; j < s; j++)
                Y[v] += e->m->a[i][j] * K[j * n + v];
        }
        e->sys->residual(t + e->m->c[i] * h, Y, slope, R + i * n, e->sys->user);
    }
}

/* out = (M x I) in */
static void mix(const double *M, int32_t s, int32_t n, const double *in, double *out)
{
    for (int32_t i = 0; i < s; i++)
        for (int32_t v = 0; v < n; v++) {
            out[i * n + v] = 0.0;
            for (int32_t j = 0; j < s; j++)
                out[i * n + v] += M[i * s + j] * in[j * n + v];
        }
}

/* K += dK; the largest entry of dK. */
static double iterate(const economical *e, double t, double h, const double *y, double *K)
{
    int32_t n = e->sys->n, s = e->m->stages;
    double R[SMALL_MAX], W[SMALL_MAX], dK[SMALL_MAX], coupled[TRIAL_MAX];
    residuals(e, t, h, y, K, R);
    mix(e->T_inverse, s, n, R, W);
    for (int32_t i = 0; i < s; i++) {
        if (i > 0)
            small_apply(n, e->B, W + (i - 1) * n, coupled);
        for (int32_t v = 0; v < n; v++)
            W[i * n + v] = -W[i * n + v] - (i > 0 ? coupled[v] : 0.0);
        small_backsolve(n, e->lu, e->pivot, W + i * n);
    }
    mix(e->T, s, n, W, dK);
    for (int32_t i = 0; i < s * n; i++)
        K[i] += dK[i];
    return largest_error(dK, s * n);
}

static void economical_step(economical *e, double t, double h, double *y)
{
    int32_t n = e->sys->n, iterations = 0;
    double K[SMALL_MAX] = {0};
    economical_factor(e, t, h, y);
    while (iterate(e, t, h, y, K) > 1e-12)
        assert_true(++iterations < 60);
    for (int32_t i = 0; i < e->m->stages; i++)
        for (int32_t v = 0; v < n; v++)
            y[v] += e->m->b[i] * K[i * n + v];
}

/* One factorization of size n in a step, and the same result as with all stages in one matrix. */
static void c101_one_matrix_per_step(void **state)
{
    (void)state;
    enum { STEPS = 20 };
    const char *const names[] = {"sdirk4", "sirk22", "sirk23", "sirk3", "sirk3_transformed"};
    /* E is constant: the matrix of the beginning serves all stages */
    const trial_problem problems[] = {problem_semi_explicit(),
                                      problem_pendulum(&PENDULUM_VELOCITY)};
    for (size_t i = 0; i < COUNT(names); i++)
        for (size_t p = 0; p < COUNT(problems); p++) {
            tableau m = tableau_of(names[i]);
            const daedal_system *sys = &problems[p].sys;
            economical e = economical_open(&m, sys);
            double cheap[TRIAL_MAX], full[TRIAL_MAX];
            problems[p].exact(0.0, cheap, sys->user);
            memcpy(full, cheap, sizeof full);
            for (int32_t n = 0; n < STEPS; n++)
                economical_step(&e, (double)n / STEPS, 1.0 / STEPS, cheap);
            rk_run(&m, sys, 0.0, 1.0, STEPS, full);
            for (int32_t v = 0; v < sys->n; v++)
                expect_near(cheap[v], full[v], 1e-9);
            assert_int_equal(e.factorizations, STEPS);
        }
}

/* ---- C103 ------------------------------------------------------------------------------ */

/* Two gas volumes and the flow between them, q + q^3 = p2 - p1; the demand jumps every unit time.
 */
static int gas(double t, const double *y, const double *yp, double *r, void *user)
{
    double demand = 0.4 + 0.3 * fabs(fmod(floor(t), 3.0) - 1.0);
    (void)user;
    r[0] = yp[0] - (y[2] - demand);
    r[1] = yp[1] - (4.0 * (1.5 - y[1]) - y[2]);
    r[2] = y[2] + y[2] * y[2] * y[2] - (y[1] - y[0]);
    return DAEDAL_CALL_OK;
}

static int64_t steps_of(const char *name, double tol, double *y)
{
    enum { JUMPS = 29 };
    double breakpoints[JUMPS];
    const double y0[] = {0.5, 1.4, 0.6};
    char text[96];
    for (int i = 0; i < JUMPS; i++)
        breakpoints[i] = i + 1;
    snprintf(text, sizeof text, "method=%s rtol=%g atol=%g", name, tol, tol);
    daedal_options opt = options_of(text);
    opt.breakpoints = (daedal_doubles){breakpoints, JUMPS};
    daedal_system sys = {.n = 3, .residual = gas};
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, JUMPS + 1.0), DAEDAL_OK);
    memcpy(y, daedal_solver_state(s)->y, 3 * sizeof *y);
    int64_t steps = daedal_solver_stats(s)->steps;
    daedal_solver_free(s);
    return steps;
}

/* One-step methods begin again at full order, BDF at order 1. */
static void c103_restarts(void **state)
{
    (void)state;
    const char *const one_step[] = {"radau", "rodas"};
    for (double tol = 1e-4; tol > 5e-8; tol *= 0.1) {
        double right[3], y[3];
        int64_t gated = steps_of("bdf", tol, y), classic = steps_of("bdf_classic", tol, y);
        steps_of("bdf", 1e-11, right);
        for (size_t i = 0; i < COUNT(one_step); i++) {
            int64_t steps = steps_of(one_step[i], tol, y);
            print_message("rtol %.0e: %s %ld steps, bdf %ld, bdf_classic %ld\n", tol, one_step[i],
                          (long)steps, (long)gated, (long)classic);
            assert_true(3 * steps < 2 * gated && 3 * steps < 2 * classic);
            for (int v = 0; v < 3; v++)
                expect_near(y[v], right[v], 100.0 * tol);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c101_one_matrix_per_step),
        cmocka_unit_test(c103_restarts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
