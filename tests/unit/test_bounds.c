/* tests/unit/test_bounds.c - bounds on y hold at every accepted step and at output points,
 * on problems that leave them without.                                          */
#include <math.h>

#include "integ/method.h"

#include "harness.h"
#include "samples.h"

/* y' = -2 sqrt(y): y = (1 - t)^2 until it is empty at t = 1, then 0; F has no value below. */
static int outflow(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + 2.0 * sqrt(y[0]);
    return 0;
}

/* Fast decay into a slow chain, and a product that only grows to one. */
static int kinetics(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + 1e3 * y[0];
    r[1] = yp[1] - 1e3 * y[0] + 10.0 * y[1];
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return 0;
}

typedef struct course {
    daedal_residual_fn *residual;
    int32_t n;
    double y0[3], t_end, rtol, atol;
    bool with_upper;
} course;

static const course courses[] = {
    {outflow, 1, {1.0}, 0.999, 1e-3, 1e-3, false},
    {outflow, 1, {1.0}, 0.999, 1e-6, 1e-9, false},
    {kinetics, 3, {1.0, 0.0, 0.0}, 10.0, 1e-1, 1e-2, true},
    {kinetics, 3, {1.0, 0.0, 0.0}, 10.0, 1e-2, 1e-3, true},
    {kinetics, 3, {1.0, 0.0, 0.0}, 10.0, 1e-4, 1e-6, true},
};

/* The least and largest value of all accepted steps. */
static void walk(const course *c, bool bounded, double *least, double *most)
{
    static const double zeros[] = {0.0, 0.0, 0.0}, ones[] = {1.0, 1.0, 1.0};
    daedal_system sys = {.n = c->n, .residual = c->residual};
    daedal_options opt = defaults_with(c->rtol, c->atol);
    opt.calibrate_tolerance = 0;
    opt.method = METHOD_BDF; /* which leaves the bounds, if nothing holds it */
    if (bounded)
        sys.lower = (daedal_doubles){zeros, c->n};
    if (bounded && c->with_upper)
        sys.upper = (daedal_doubles){ones, c->n};
    daedal_solver *s = started(&sys, &opt, 0.0, c->y0, NULL);
    *least = INFINITY;
    *most = -INFINITY;
    while (daedal_solver_state(s)->t < c->t_end) {
        expect_status(s, daedal_solver_step(s, c->t_end), DAEDAL_OK);
        for (int32_t i = 0; i < c->n; i++) {
            *least = fmin(*least, daedal_solver_state(s)->y[i]);
            *most = fmax(*most, daedal_solver_state(s)->y[i]);
        }
    }
    daedal_solver_free(s);
}

static void test_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(courses); i++) {
        double least, most;
        walk(&courses[i], true, &least, &most);
        assert_true(least >= 0.0);
        if (courses[i].with_upper)
            assert_true(most <= 1.0);
    }
}

/* The loose kinetics does leave its bounds when nothing holds it: the test can fail. */
static void test_needed(void **state)
{
    (void)state;
    double least, most;
    walk(&courses[2], false, &least, &most);
    assert_true(least < 0.0 || most > 1.0);
}

/* Interpolated output obeys too, or at least stays within the tolerance. */
static void test_output(void **state)
{
    (void)state;
    const course *c = &courses[3];
    static const double zeros[] = {0.0, 0.0, 0.0};
    daedal_system sys = {.n = c->n, .residual = c->residual, .lower = {zeros, c->n}};
    daedal_options opt = defaults_with(c->rtol, c->atol);
    daedal_solver *s = started(&sys, &opt, 0.0, c->y0, NULL);
    for (int k = 1; k <= 200; k++) {
        expect_status(s, daedal_solver_advance(s, 0.01 * k), DAEDAL_OK);
        for (int32_t i = 0; i < c->n; i++)
            assert_true(daedal_solver_state(s)->y[i] >= 0.0);
    }
    daedal_solver_free(s);
}

/* A tank that is refilled: general bounds, right solution.  y = 2 + sin t in [1, 3]. */
static int tank(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - cos(t) + 50.0 * (y[0] - 2.0 - sin(t));
    return 0;
}

static void test_general(void **state)
{
    (void)state;
    static const double low[] = {1.0}, high[] = {3.0}, y0[] = {2.0};
    daedal_system sys = {.n = 1, .residual = tank, .lower = {low, 1}, .upper = {high, 1}};
    daedal_options opt = defaults_with(1e-3, 1e-3);
    opt.method = METHOD_BDF;
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    while (daedal_solver_state(s)->t < 20.0) {
        expect_status(s, daedal_solver_step(s, 20.0), DAEDAL_OK);
        const daedal_state *now = daedal_solver_state(s);
        assert_true(now->y[0] >= 1.0 && now->y[0] <= 3.0);
        expect_near(now->y[0], 2.0 + sin(now->t), 1e-2);
    }
    daedal_solver_free(s);
}

/* The start keeps them: 0 = y^2 - 4 has one root inside. */
static int two_roots(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)yp, (void)user;
    r[0] = y[0] * y[0] - 4.0;
    return 0;
}

static void test_start(void **state)
{
    (void)state;
    static const double low[] = {0.0}, y0[] = {0.1};
    daedal_system sys = {.n = 1, .residual = two_roots, .lower = {low, 1}};
    daedal_solver *s = started(&sys, NULL, 0.0, y0, NULL);
    expect_near(daedal_solver_state(s)->y[0], 2.0, 1e-9);
    daedal_solver_free(s);
}

/* Newton's first correction leads far out of the bounds, to another root: sin y = 0 from 4.6 with
 * y in [2, 6].  F is not called outside on the way.                                  */
typedef struct reach {
    double least, most;
} reach;

static int many_roots(double t, const double *y, const double *yp, double *r, void *user)
{
    reach *seen = user;
    (void)t, (void)yp;
    seen->least = fmin(seen->least, y[0]);
    seen->most = fmax(seen->most, y[0]);
    r[0] = sin(y[0]);
    return 0;
}

static void test_start_stays_inside(void **state)
{
    (void)state;
    static const double low[] = {2.0}, high[] = {6.0}, guesses[] = {4.6, 4.62, 4.5};
    for (size_t k = 0; k < COUNT(guesses); k++) {
        reach seen = {INFINITY, -INFINITY};
        daedal_system sys = {.n = 1, .residual = many_roots, .user = &seen};
        sys.lower = (daedal_doubles){low, 1};
        sys.upper = (daedal_doubles){high, 1};
        daedal_solver *s = started(&sys, NULL, 0.0, &guesses[k], NULL);
        expect_near(daedal_solver_state(s)->y[0], acos(-1.0), 1e-9);
        assert_true(seen.least >= 2.0 && seen.most <= 6.0);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),   cmocka_unit_test(test_needed),
        cmocka_unit_test(test_output), cmocka_unit_test(test_general),
        cmocka_unit_test(test_start),  cmocka_unit_test(test_start_stays_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
