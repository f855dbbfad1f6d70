/* tests/property/test_clone_and_direction.c - results are identical to the last bit for clones,
 * second starts and two simultaneous runs; and integration forward and backward in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "seeded.h"

/* A chain of masses with friction, in a ring so that no order of the unknowns is a band, and
 * an algebraic energy at the end; one event per crossing of the first mass.       */
enum { MASSES = 12, N = 2 * MASSES + 1, STEPS = 150 };

typedef struct chain {
    double stiffness[MASSES], friction;
} chain;

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const chain *c = user;
    double energy = 0.0;
    for (int i = 0; i < MASSES; i++) {
        const double *x = y, *v = y + MASSES;
        int left = (i + MASSES - 1) % MASSES, right = (i + 1) % MASSES;
        double force = c->stiffness[left] * (x[left] - x[i]) + c->stiffness[i] * (x[right] - x[i]);
        r[i] = yp[i] - v[i];
        r[MASSES + i] = yp[MASSES + i] - force + c->friction * v[i] + x[i] * x[i] * x[i] -
                        (i == 0 ? 0.1 * sin(t) : 0.0);
        energy += 0.5 * v[i] * v[i];
    }
    r[N - 1] = y[N - 1] - energy;
    return DAEDAL_CALL_OK;
}

static int crossing(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t;
    (void)yp;
    (void)user;
    g[0] = y[0];
    return DAEDAL_CALL_OK;
}

static chain CHAIN;
static double Y0[N];

static daedal_system chain_system(uint32_t seed)
{
    seeded random = seeded_begin(seed);
    for (int i = 0; i < MASSES; i++)
        CHAIN.stiffness[i] = seeded_ratio(&random, 1.0, 1e3);
    CHAIN.friction = 0.3;
    seeded_fill(&random, Y0, N, 0.5);
    return (daedal_system){
        .n = N, .residual = residual, .n_events = 1, .events = crossing, .user = &CHAIN};
}

static const char *const OPTIONS[] = {
    "method=bdf rtol=1e-5",
    "method=bdf_classic rtol=1e-5",
    "method=bdf linear_solver=dense",
    "method=bdf linear_solver=lapack",
    "method=bdf linear_solver=band",
    "method=bdf linear_solver=klu",
    "method=bdf linear_solver=gmres",
    "method=bdf linear_solver=gmres preconditioner=diagonal rtol=1e-4",
    "method=radau linear_solver=gmres rtol=1e-5",
    "method=rodas linear_solver=gmres rtol=1e-3",
    "method=bdf_classic linear_solver=klu rtol=1e-4",
    "method=bdf error_test=filtered rtol=1e-4",
    "method=radau rtol=1e-5",
    "method=radau linear_solver=dense rtol=1e-9",
    "method=radau linear_solver=lapack rtol=1e-9",
    "method=radau linear_solver=band rtol=1e-7",
    "method=radau linear_solver=klu rtol=1e-7",
    "method=rodas rtol=1e-3",
    "method=limex rtol=1e-4",
    "method=auto rtol=1e-4",
    "method=radau linear_solver=dense rtol=1e-3",
    "method=limex linear_solver=klu rtol=1e-5",
};
enum { CASES = sizeof OPTIONS / sizeof *OPTIONS };

/* Values inside steps may cost further steps beside the run.  Those of rodas and limex, and those
 * with GMRES, begin with the matrices at hand, so that they agree within the tolerance only. */
static bool may_look_inside(const char *options)
{
    return !strstr(options, "gmres") && (strstr(options, "radau") || strstr(options, "bdf"));
}

/* Everything that can be seen must be the same, bit for bit. */
static void expect_equal(daedal_solver *a, daedal_solver *b, const char *options, int step)
{
    const daedal_state *x = daedal_solver_state(a), *y = daedal_solver_state(b);
    bool same = x->t == y->t && memcmp(x->y, y->y, N * sizeof(double)) == 0 &&
                memcmp(x->yp, y->yp, N * sizeof(double)) == 0 && x->event[0] == y->event[0];
    if (!same)
        fail_msg("%s: step %d differs, t = %.17g and %.17g", options, step, x->t, y->t);
    double t = x->t - 0.3 * daedal_solver_stats(a)->h_last, u[N], v[N], up[N], vp[N];
    daedal_status left = daedal_solver_interpolate(a, t, u, up);
    assert_int_equal(daedal_solver_interpolate(b, t, v, vp), left);
    if (left == DAEDAL_OK && (memcmp(u, v, sizeof u) != 0 || memcmp(up, vp, sizeof up) != 0))
        fail_msg("%s: step %d is interpolated differently", options, step);
    if (!may_look_inside(options))
        return;
    left = daedal_solver_evaluate(a, t, u, up);
    assert_int_equal(daedal_solver_evaluate(b, t, v, vp), left);
    if (left == DAEDAL_OK && (memcmp(u, v, sizeof u) != 0 || memcmp(up, vp, sizeof up) != 0))
        fail_msg("%s: step %d is evaluated differently", options, step);
}

static void expect_equal_counts(daedal_solver *a, daedal_solver *b, const char *options)
{
    daedal_stats x = *daedal_solver_stats(a), y = *daedal_solver_stats(b);
    bool same = x.steps == y.steps && x.residuals == y.residuals && x.jacobians == y.jacobians &&
                x.factorizations == y.factorizations && x.iterations == y.iterations &&
                x.rejected_error == y.rejected_error && x.events == y.events;
    if (!same)
        fail_msg("%s: residuals %d and %d, factorizations %d and %d", options, (int)x.residuals,
                 (int)y.residuals, (int)x.factorizations, (int)y.factorizations);
}

static void step_both(daedal_solver *a, daedal_solver *b, int steps, const char *options)
{
    for (int i = 0; i < steps; i++) {
        daedal_status left = daedal_solver_step(a, 50.0), right = daedal_solver_step(b, 50.0);
        assert_true(left == DAEDAL_OK || left == DAEDAL_EVENT);
        assert_int_equal(left, right);
        expect_equal(a, b, options, i);
    }
}

/* ---- the same bits
 * ------------------------------------------------------------------------------------- */

static void test_two_runs_are_identical(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; c++) {
        daedal_system sys = chain_system((uint32_t)c);
        daedal_solver *a = start_solver(&sys, OPTIONS[c], 0.0, Y0, NULL);
        daedal_solver *b = start_solver(&sys, OPTIONS[c], 0.0, Y0, NULL);
        step_both(a, b, STEPS, OPTIONS[c]);
        expect_equal_counts(a, b, OPTIONS[c]);
        daedal_solver_free(a);
        daedal_solver_free(b);
    }
}

/* Cloned after some steps, at whatever point the run stands (events among them). */
static void test_clone_continues_like_the_original(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; c++)
        for (int before = 0; before < 60; before += 11) {
            daedal_system sys = chain_system((uint32_t)c);
            daedal_solver *a = start_solver(&sys, OPTIONS[c], 0.0, Y0, NULL), *b;
            for (int i = 0; i < before; i++)
                assert_true(daedal_solver_step(a, 50.0) >= 0);
            double t = daedal_solver_state(a)->t - 0.6 * daedal_solver_stats(a)->h_last;
            double y[N], yp[N]; /* what this leaves in a solver is not a part of its state */
            bool looks = before % 2 == 1 && may_look_inside(OPTIONS[c]);
            if (looks)
                daedal_solver_evaluate(a, t, y, yp);
            assert_int_equal(daedal_solver_clone(&b, a), DAEDAL_OK);
            expect_equal(a, b, OPTIONS[c], before);
            step_both(a, b, 60, OPTIONS[c]);
            if (!looks) /* which the clone has to find again */
                expect_equal_counts(a, b, OPTIONS[c]);
            daedal_solver_free(a); /* the clone stands alone */
            assert_true(daedal_solver_step(b, 50.0) >= 0);
            daedal_solver_free(b);
        }
}

/* Nothing that the clone does is felt by the original. */
static void test_clone_is_independent(void **state)
{
    (void)state;
    daedal_system sys = chain_system(3);
    daedal_solver *a = start_solver(&sys, OPTIONS[0], 0.0, Y0, NULL), *b, *c;
    for (int i = 0; i < 20; i++)
        assert_true(daedal_solver_step(a, 50.0) >= 0);
    assert_int_equal(daedal_solver_clone(&b, a), DAEDAL_OK);
    assert_int_equal(daedal_solver_clone(&c, a), DAEDAL_OK);
    for (int i = 0; i < 50; i++)
        assert_true(daedal_solver_step(c, 50.0) >= 0);
    step_both(a, b, 40, OPTIONS[0]);
    daedal_solver_free(a);
    daedal_solver_free(b);
    daedal_solver_free(c);
}

/* A second start leaves no trace of the first run. */
static void test_second_start_repeats_the_first(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; c++) {
        daedal_system sys = chain_system((uint32_t)c);
        daedal_solver *a = start_solver(&sys, OPTIONS[c], 0.0, Y0, NULL);
        daedal_solver *b = start_solver(&sys, OPTIONS[c], 0.0, Y0, NULL);
        for (int i = 0; i < 70; i++)
            assert_true(daedal_solver_step(b, 50.0) >= 0);
        assert_int_equal(daedal_solver_start(b, 0.0, Y0, NULL), DAEDAL_OK);
        step_both(a, b, STEPS, OPTIONS[c]);
        daedal_solver_free(a);
        daedal_solver_free(b);
    }
}

/* ---- there and back
 * ------------------------------------------------------------------------------------- */

/* A conservative pendulum with its energy as an algebraic variable. */
static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + sin(y[0]);
    r[2] = y[2] - 0.5 * y[1] * y[1] + cos(y[0]);
    return DAEDAL_CALL_OK;
}

static void test_there_and_back(void **state)
{
    (void)state;
    const double tolerances[] = {1e-4, 1e-6, 1e-8};
    for (uint32_t seed = 1; seed <= 20; seed++)
        for (int i = 0; i < 3; i++) {
            seeded random = seeded_begin(seed);
            double t0 = seeded_uniform(&random, -5.0, 5.0), tol = tolerances[i];
            double t1 = t0 + seeded_sign(&random) * seeded_uniform(&random, 1.0, 4.0);
            double y0[3], there[3], back[3];
            seeded_fill(&random, y0, 3, 1.0);
            char options[64];
            snprintf(options, sizeof options, "rtol=%.1e atol=%.1e", tol, tol);
            daedal_system sys = {.n = 3, .residual = pendulum};
            solve_to(&sys, options, t0, y0, t1, there);
            solve_to(&sys, options, t1, there, t0, back);
            for (int j = 0; j < 2; j++)
                seeded_require(&random, fabs(back[j] - y0[j]) <= 100.0 * tol,
                               "tol %.0e: y[%d] came back as %.12g, left as %.12g", tol, j, back[j],
                               y0[j]);
        }
}

/* Time reversed by hand: with t -> -t and y' -> -y' a run backward does the same steps. */
static int reversed(double t, const double *y, const double *yp, double *r, void *user)
{
    double turned[3] = {-yp[0], -yp[1], -yp[2]};
    return pendulum(-t, y, turned, r, user);
}

static void test_backward_is_forward_reversed(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        seeded random = seeded_begin(seed);
        double y0[3];
        seeded_fill(&random, y0, 3, 1.0);
        daedal_system forward = {.n = 3, .residual = pendulum};
        daedal_system backward = {.n = 3, .residual = reversed};
        static const char *const ways[] = {"method=bdf_classic rtol=1e-6", "rtol=1e-6",
                                           "method=radau rtol=1e-6"};
        const char *options = ways[seed % 3];
        daedal_solver *a = start_solver(&forward, options, 0.0, y0, NULL);
        daedal_solver *b = start_solver(&backward, options, 0.0, y0, NULL);
        for (int i = 0; i < 100; i++) {
            assert_int_equal(daedal_solver_step(a, 20.0), DAEDAL_OK);
            assert_int_equal(daedal_solver_step(b, -20.0), DAEDAL_OK);
            const daedal_state *x = daedal_solver_state(a), *y = daedal_solver_state(b);
            seeded_require(&random, fabs(x->t + y->t) <= 1e-6 * fabs(x->t),
                           "step %d ends at %.17g forward, %.17g backward", i, x->t, y->t);
            for (int j = 0; j < 3; j++)
                seeded_require(&random, fabs(x->y[j] - y->y[j]) <= 1e-6,
                               "step %d: y[%d] is %.12g forward, %.12g backward", i, j, x->y[j],
                               y->y[j]);
        }
        daedal_solver_free(a);
        daedal_solver_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_runs_are_identical),
        cmocka_unit_test(test_clone_continues_like_the_original),
        cmocka_unit_test(test_clone_is_independent),
        cmocka_unit_test(test_second_start_repeats_the_first),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_backward_is_forward_reversed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
