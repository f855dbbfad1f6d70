/* tests/property/test_bdf_interpolant.c - between mesh points the solution is C1: y and y' of
 * neighbouring steps meet in the accepted values.
 *
 * Measured through the public calls on real runs of both methods, in both directions of
 * time.                                                                           */
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

enum { N = 3, RUNS = 24 };

/* A random smooth system: a nonlinear oscillator that drives an algebraic variable. */
typedef struct model {
    double frequency, damping, bend, drive;
} model;

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const model *m = user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + m->damping * y[1] + m->frequency * sin(y[0]) - m->drive * cos(t);
    r[2] = y[2] + m->bend * y[2] * y[2] * y[2] - y[0] * y[1];
    return DAEDAL_CALL_OK;
}

typedef struct mesh_point {
    double t, y[N], yp[N], size, slope_size;
} mesh_point;

static void read_point(daedal_solver *s, mesh_point *p)
{
    const daedal_state *at = daedal_solver_state(s);
    p->t = at->t;
    memcpy(p->y, at->y, sizeof p->y);
    memcpy(p->yp, at->yp, sizeof p->yp);
    p->size = p->slope_size = 1e-3;
    for (int i = 0; i < N; i++) {
        p->size = fmax(p->size, fabs(p->y[i]));
        p->slope_size = fmax(p->slope_size, fabs(p->yp[i]));
    }
}

static daedal_solver *start_model(seeded *random, model *m, double *direction)
{
    *m = (model){seeded_uniform(random, 0.5, 20.0), seeded_uniform(random, 0.0, 1.0),
                 seeded_uniform(random, 0.0, 2.0), seeded_uniform(random, 0.0, 2.0)};
    *direction = seeded_sign(random);
    char options[96];
    snprintf(options, sizeof options, "method=%s rtol=%.3g atol=%.3g",
             seeded_sign(random) > 0.0 ? "bdf" : "bdf_classic", seeded_ratio(random, 1e-8, 1e-2),
             seeded_ratio(random, 1e-10, 1e-4));
    daedal_system sys = {.n = N, .residual = residual, .user = m};
    double y0[N];
    seeded_fill(random, y0, N, 1.5);
    return start_solver(&sys, options, 0.0, y0, NULL);
}

/* The interpolant of the last step, at its left end, against what was accepted there.  The
 * divided differences of short steps after long ones lose some digits.            */
static void check_left_end(const seeded *random, daedal_solver *s, const mesh_point *left,
                           const mesh_point *right)
{
    double y[N], yp[N], h = right->t - left->t;
    seeded_require(random, daedal_solver_interpolate(s, left->t, y, yp) == DAEDAL_OK,
                   "no value at the left end, t = %.17g", left->t);
    double size = fmax(left->size, right->size), slope = fmax(left->slope_size, right->slope_size);
    for (int i = 0; i < N; i++) {
        seeded_require(random, fabs(y[i] - left->y[i]) <= 1e-12 * size,
                       "y[%d] jumps by %.3e at t = %.17g", i, y[i] - left->y[i], left->t);
        seeded_require(random, fabs(yp[i] - left->yp[i]) <= 1e-11 * (slope + size / fabs(h)),
                       "y'[%d] jumps by %.3e at t = %.17g", i, yp[i] - left->yp[i], left->t);
    }
}

/* Close to the right end, and at it. */
static void check_right_end(const seeded *random, daedal_solver *s, const mesh_point *left,
                            const mesh_point *right)
{
    double y[N], yp[N], h = right->t - left->t, t = right->t - 1e-6 * h;
    assert_int_equal(daedal_solver_interpolate(s, t, y, yp), DAEDAL_OK);
    for (int i = 0; i < N; i++) {
        double drop = right->y[i] - (right->t - t) * right->yp[i];
        seeded_require(random, fabs(y[i] - drop) <= 1e-10 * (right->size + left->size),
                       "y[%d] is %.17g before t = %.17g, not %.17g", i, y[i], right->t, drop);
        double scale = right->slope_size + left->slope_size + right->size / fabs(h);
        seeded_require(random, fabs(yp[i] - right->yp[i]) <= 1e-4 * scale,
                       "y'[%d] is %.17g before t = %.17g, not %.17g", i, yp[i], right->t,
                       right->yp[i]);
    }
    assert_int_equal(daedal_solver_interpolate(s, right->t, y, yp), DAEDAL_OK);
    assert_memory_equal(y, right->y, sizeof y);
    assert_memory_equal(yp, right->yp, sizeof yp);
}

/* y' returned is the derivative of the y returned. */
static void check_slope(const seeded *random, daedal_solver *s, const mesh_point *left,
                        const mesh_point *right)
{
    double h = right->t - left->t, d = 1e-4 * h;
    double size = fmax(left->size, right->size), slope = fmax(left->slope_size, right->slope_size);
    for (int j = 1; j <= 3; j++) {
        double t = left->t + 0.25 * j * h, y[N], yp[N], before[N], after[N];
        assert_int_equal(daedal_solver_interpolate(s, t, y, yp), DAEDAL_OK);
        assert_int_equal(daedal_solver_interpolate(s, t - d, before, NULL), DAEDAL_OK);
        assert_int_equal(daedal_solver_interpolate(s, t + d, after, NULL), DAEDAL_OK);
        for (int i = 0; i < N; i++) {
            double found = (after[i] - before[i]) / (2.0 * d);
            seeded_require(random, fabs(found - yp[i]) <= 1e-6 * (slope + size / fabs(h)),
                           "y'[%d] is %.12g at t = %.17g, the slope of y %.12g", i, yp[i], t,
                           found);
        }
    }
}

static void test_c1_at_mesh_points(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        seeded random = seeded_begin(seed);
        model m;
        double direction;
        daedal_solver *s = start_model(&random, &m, &direction);
        mesh_point left, right;
        for (int step = 0; step < 150; step++) {
            read_point(s, &left);
            assert_int_equal(daedal_solver_step(s, direction * 20.0), DAEDAL_OK);
            read_point(s, &right);
            if (right.t == direction * 20.0)
                break;
            if (step > 0) /* before the first step y' of algebraic variables is not known */
                check_left_end(&random, s, &left, &right);
            check_right_end(&random, s, &left, &right);
            check_slope(&random, s, &left, &right);
        }
        daedal_solver_free(s);
    }
}

/* Outside the last step the interpolant has no value. */
static void test_refuses_other_times(void **state)
{
    (void)state;
    seeded random = seeded_begin(77);
    model m;
    double direction, y[N];
    daedal_solver *s = start_model(&random, &m, &direction);
    mesh_point left, right;
    for (int step = 0; step < 5; step++) {
        read_point(s, &left);
        assert_int_equal(daedal_solver_step(s, direction * 20.0), DAEDAL_OK);
    }
    read_point(s, &right);
    double h = right.t - left.t;
    assert_int_equal(daedal_solver_interpolate(s, left.t - 0.1 * h, y, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_interpolate(s, right.t + 0.1 * h, y, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_interpolate(s, NAN, y, NULL), DAEDAL_ERR_ARGUMENT);
    daedal_solver_free(s);
}

/* ---- degree k ------------------------------------------------------------------------------ */

/* p in powers of (t - start)/h. */
typedef struct polynomial {
    double c[BDF_ORDER_MAX + 1], start, h;
    int32_t degree;
} polynomial;

static double value(double t, const void *user)
{
    const polynomial *p = user;
    double v = 0.0, s = (t - p->start) / p->h;
    for (int32_t i = p->degree; i >= 0; i--)
        v = v * s + p->c[i];
    return v;
}

static double slope_of(double t, const polynomial *p)
{
    double v = 0.0, s = (t - p->start) / p->h;
    for (int32_t i = p->degree; i >= 1; i--)
        v = v * s + i * p->c[i];
    return v / p->h;
}

static int polynomial_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)y;
    r[0] = yp[0] - slope_of(t, user);
    return DAEDAL_CALL_OK;
}

/* One step of order k = degree from a random past of p; the interpolant over it. */
static void check_degree(uint32_t seed, int32_t degree, bool classic)
{
    seeded random = seeded_begin(seed);
    double times[BDF_ORDER_MAX + 2], size = 1.0;
    polynomial p = {.degree = degree, .start = seeded_uniform(&random, -5.0, 5.0)};
    p.h = seeded_sign(&random) * seeded_ratio(&random, 1e-3, 1e3);
    seeded_fill(&random, p.c, BDF_ORDER_MAX + 1, 1.0);
    times[0] = p.start;
    for (int32_t i = 1; i <= degree + 1; i++)
        times[i] = times[i - 1] - p.h * seeded_ratio(&random, 0.5, 2.0);
    for (int32_t i = 0; i <= degree; i++)
        size = fmax(size, fabs(value(times[i], &p)));
    kernel k;
    daedal_system sys = {.n = 1, .residual = polynomial_residual, .user = &p};
    double y0 = value(p.start, &p), yp0 = slope_of(p.start, &p);
    kernel_open(&k, &sys, classic ? "method=bdf_classic rtol=1 start=given" : "rtol=1 start=given",
                p.start, &y0, &yp0);
    history past = {times, degree + 1, degree, p.h};
    kernel_remember(&k, &past, value, &p);
    assert_int_equal(bdf_step(k.b, p.start + 1e6 * p.h), DAEDAL_OK);
    for (int j = 0; j <= 10; j++) {
        double t = p.start + 0.1 * j * p.h, y, yp;
        bdf_interpolate(k.b, t, &y, &yp);
        seeded_require(&random, fabs(y - value(t, &p)) <= 1e-11 * size,
                       "degree %d, share %d/10: y is off by %.3e", degree, j, y - value(t, &p));
        seeded_require(&random, fabs(p.h * (yp - slope_of(t, &p))) <= 1e-10 * size,
                       "degree %d, share %d/10: h y' is off by %.3e", degree, j,
                       p.h * (yp - slope_of(t, &p)));
    }
    kernel_close(&k);
}

static void test_reproduces_degree_k(void **state)
{
    (void)state;
    for (int classic = 0; classic <= 1; classic++)
        for (int32_t degree = 1; degree <= (classic ? 5 : 6); degree++)
            for (uint32_t seed = 1; seed <= 50; seed++)
                check_degree(seed, degree, classic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_c1_at_mesh_points),
        cmocka_unit_test(test_refuses_other_times),
        cmocka_unit_test(test_reproduces_degree_k),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
