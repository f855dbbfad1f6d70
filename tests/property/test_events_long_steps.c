/* tests/property/test_events_long_steps.c - no event is skipped, however long the steps are.
 *
 * The solutions are so simple that steps go over many events at once: y = t, a ball in flight,
 * exponentials.  Every method must report what is known to happen.                */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "driving.h"
#include "seeded.h"

static const char *const METHODS[] = {"bdf", "radau", "rodas", "dopri", "limex"};
static const double TOLERANCES[] = {1e-3, 1e-5, 1e-7, 1e-9};
enum { EXACT = 4 /* of the methods: those whose y = t is exact to roundoff */ };

#define COUNT(array) (sizeof(array) / sizeof *(array))

static daedal_solver *begin(const daedal_system *sys, size_t which, double rtol, const double *y0)
{
    char text[100];
    snprintf(text, sizeof text, "method=%s rtol=%g atol=%g", METHODS[which], rtol, 1e-3 * rtol);
    return start_solver(sys, text, 0.0, y0, NULL);
}

/* ---- bouncing balls ---- */

typedef struct ball {
    double gravity, restitution, height;
    bool keep; /* the height that was reached, not zero, after a bounce */
} ball;

static int fly(double t, const double *y, const double *yp, double *r, void *user)
{
    const ball *b = user;
    (void)t;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + b->gravity;
    return DAEDAL_CALL_OK;
}

static int ground(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return DAEDAL_CALL_OK;
}

/* The next fall; a rise from a height that is negative by roundoff is no bounce. */
static daedal_status next_bounce(daedal_solver *s, double t_end)
{
    daedal_status status;
    do
        status = daedal_solver_advance(s, t_end);
    while (status == DAEDAL_EVENT && daedal_solver_state(s)->event[0] > 0);
    return status;
}

static void bounce(const seeded *random, ball *b, int count, size_t which, double rtol)
{
    daedal_system sys = {.n = 2, .residual = fly, .n_events = 1, .events = ground, .user = b};
    const double y0[] = {b->height, 0.0};
    daedal_solver *s = begin(&sys, which, rtol, y0);
    double hit = sqrt(2.0 * b->height / b->gravity), speed = b->gravity * hit;
    double t_end = hit + 2.0 * speed / b->gravity / (1.0 - b->restitution) + 1.0;
    for (int k = 0; k < count; k++) {
        daedal_status status = next_bounce(s, t_end);
        const daedal_state *at = daedal_solver_state(s);
        double flight = 2.0 * speed / b->gravity;
        seeded_require(random, status == DAEDAL_EVENT && fabs(at->t - hit) < 0.01 * flight,
                       "%s, rtol %g: bounce %d at %.12g, not %.12g", METHODS[which], rtol, k, at->t,
                       hit);
        speed *= b->restitution;
        hit += 2.0 * speed / b->gravity;
        const double up[] = {b->keep ? at->y[0] : 0.0, -b->restitution * at->y[1]};
        assert_int_equal(daedal_solver_restart(s, up, NULL), DAEDAL_OK);
    }
    daedal_solver_free(s);
}

static void test_balls(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++)
        for (size_t m = 0; m < COUNT(METHODS); m++)
            for (size_t k = 0; k < COUNT(TOLERANCES); k++) {
                seeded random = seeded_begin(seed);
                ball b = {.gravity = seeded_ratio(&random, 1.0, 20.0),
                          .restitution = seeded_uniform(&random, 0.5, 0.99),
                          .height = seeded_ratio(&random, 0.1, 10.0),
                          .keep = seed % 2 == 0};
                int count = (int)fmin(30.0, log(1e-3) / log(b.restitution));
                bounce(&random, &b, count, m, TOLERANCES[k]);
            }
}

/* A ball that hardly bounces back: flights shrink by three digits each, the steps before a restart
 * are a thousand flights long.                                                    */
static void test_short_flights(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(METHODS); m++) {
        seeded random = seeded_begin(1);
        ball b = {.gravity = 9.81, .restitution = 1e-3, .height = 1.0};
        bounce(&random, &b, 3, m, 1e-9);
    }
}

static void test_thousand_bounces(void **state)
{
    (void)state;
    seeded random = seeded_begin(1);
    ball b = {.gravity = 9.81, .restitution = 0.999, .height = 1.0};
    for (size_t m = 1; m <= 2; m++)
        bounce(&random, &b, 2000, m, 1e-6);
}

/* ---- functions of y = t ---- */

enum { ROOTS_MAX = 500 };

typedef struct crossings {
    int n;
    double t[ROOTS_MAX];
    int32_t direction[ROOTS_MAX];
} crossings;

static int clock_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)user;
    r[0] = yp[0] - 1.0;
    return DAEDAL_CALL_OK;
}

static void expect_crossings(const seeded *random, const daedal_system *sys, const crossings *all,
                             size_t which, double rtol)
{
    double y0 = 0.0;
    daedal_solver *s = begin(sys, which, rtol, &y0);
    const daedal_state *at = daedal_solver_state(s);
    for (int k = 0; k < all->n; k++) {
        daedal_status status = daedal_solver_advance(s, 10.0);
        seeded_require(random, status == DAEDAL_EVENT && fabs(at->t - all->t[k]) < 1e-8,
                       "%s, rtol %g: %s at %.12g instead of the root at %.12g", METHODS[which],
                       rtol, daedal_status_name(status), at->t, all->t[k]);
        seeded_require(random, at->event[0] == all->direction[k], "%s: direction %d at %.12g",
                       METHODS[which], (int)at->event[0], at->t);
        if (random->seed % 2)
            assert_int_equal(daedal_solver_restart(s, NULL, NULL), DAEDAL_OK);
    }
    daedal_status status = daedal_solver_advance(s, 10.0);
    seeded_require(random, status == DAEDAL_OK, "%s: one more event at %.12g", METHODS[which],
                   at->t);
    daedal_solver_free(s);
}

typedef struct polynomial {
    int32_t n;
    double root[6], sign;
} polynomial;

static int factors(double t, const double *y, const double *yp, double *g, void *user)
{
    const polynomial *p = user;
    (void)t, (void)yp;
    g[0] = p->sign;
    for (int32_t k = 0; k < p->n; k++)
        g[0] *= y[0] - p->root[k];
    return DAEDAL_CALL_OK;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Up to six roots anywhere, no two closer than 0.001. */
static void draw_polynomial(seeded *random, polynomial *p, crossings *all)
{
    bool apart = false;
    p->sign = seeded_sign(random);
    p->n = seeded_int(random, 1, 6);
    while (!apart) {
        for (int32_t k = 0; k < p->n; k++)
            p->root[k] = seeded_uniform(random, 0.1, 9.9);
        qsort(p->root, (size_t)p->n, sizeof *p->root, by_size);
        apart = true;
        for (int32_t k = 1; k < p->n; k++)
            apart = apart && p->root[k] - p->root[k - 1] > 1e-3;
    }
    all->n = p->n;
    for (int32_t k = 0; k < p->n; k++) {
        all->t[k] = p->root[k];
        all->direction[k] = (p->n - k) % 2 == (p->sign > 0.0) ? 1 : -1;
    }
}

static void test_polynomials(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 150; seed++)
        for (size_t m = 0; m < EXACT; m++) {
            seeded random = seeded_begin(seed);
            polynomial p;
            crossings all;
            draw_polynomial(&random, &p, &all);
            daedal_system sys = {
                .n = 1, .residual = clock_residual, .n_events = 1, .events = factors, .user = &p};
            expect_crossings(&random, &sys, &all, m, TOLERANCES[seed % 4]);
        }
}

typedef struct pulses {
    double rate, phase, level;
} pulses;

static int pulse(double t, const double *y, const double *yp, double *g, void *user)
{
    const pulses *p = user;
    (void)t, (void)yp;
    g[0] = sin(p->rate * y[0] + p->phase) - p->level;
    return DAEDAL_CALL_OK;
}

/* Up at asin(level), down at pi - asin(level), and again every 2 pi. */
static void list_pulses(const pulses *p, crossings *all)
{
    const double pi = acos(-1.0), up = asin(p->level);
    all->n = 0;
    for (int k = -2; k < ROOTS_MAX; k++)
        for (int32_t down = 0; down < 2; down++) {
            double t = (2.0 * pi * k + (down ? pi - up : up) - p->phase) / p->rate;
            if (t <= 0.0 || t >= 10.0 || all->n == ROOTS_MAX)
                continue;
            all->direction[all->n] = down ? -1 : 1;
            all->t[all->n++] = t;
        }
}

/* Functions that turn up to 30 times in a step. */
static void test_pulse_trains(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 60; seed++)
        for (size_t m = 0; m < 2; m++) {
            seeded random = seeded_begin(seed);
            pulses p = {.rate = seeded_ratio(&random, 1.0, 60.0),
                        .phase = seeded_uniform(&random, 0.1, 6.0),
                        .level = seeded_uniform(&random, -0.9, 0.9)};
            crossings all;
            list_pulses(&p, &all);
            daedal_system sys = {
                .n = 1, .residual = clock_residual, .n_events = 1, .events = pulse, .user = &p};
            expect_crossings(&random, &sys, &all, m, TOLERANCES[seed % 4]);
        }
}

/* ---- what it costs ---- */

/* One that no number of points resolves, and that never changes its sign. */
static int too_fast(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)yp, (void)user, (void)t;
    g[0] = 1.05 + sin(1e7 * y[0]);
    return DAEDAL_CALL_OK;
}

static int exponential(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    return DAEDAL_CALL_OK;
}

static int halves(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.5;
    return DAEDAL_CALL_OK;
}

static void test_cost(void **state)
{
    (void)state;
    const double y0 = 1.0;
    for (size_t m = 0; m < COUNT(METHODS); m++) {
        daedal_system sys = {.n = 1, .residual = exponential, .n_events = 1, .events = halves};
        daedal_solver *s = begin(&sys, m, 1e-6, &y0);
        assert_int_equal(daedal_solver_advance(s, 10.0), DAEDAL_EVENT);
        assert_int_equal(daedal_solver_advance(s, 10.0), DAEDAL_OK);
        const daedal_stats *cost = daedal_solver_stats(s);
        assert_true(cost->event_calls <= 6 * cost->steps + 60);
        daedal_solver_free(s);
        sys.events = too_fast;
        s = begin(&sys, m, 1e-6, &y0);
        assert_int_equal(daedal_solver_advance(s, 10.0), DAEDAL_OK);
        cost = daedal_solver_stats(s);
        assert_true(cost->event_calls <= 2000 * cost->steps);
        daedal_solver_free(s);
    }
}

/* ---- a relation that is taken back ---- */

/* y rises to 1, then falls; the relation "y < 1" has a band, as those of models have. */
typedef struct relation {
    double rate, side;
} relation;

static int slide(double t, const double *y, const double *yp, double *r, void *user)
{
    const relation *x = user;
    (void)t, (void)y;
    r[0] = yp[0] - x->rate;
    return DAEDAL_CALL_OK;
}

static int stays(double t, const double *y, const double *yp, double *g, void *user)
{
    const relation *x = user;
    (void)t, (void)yp;
    g[0] = x->side * (1.0 - y[0]) + 1e-10;
    return DAEDAL_CALL_OK;
}

static void test_taken_back(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(METHODS); m++) {
        relation x = {1.0, 1.0};
        daedal_system sys = {.n = 1, .residual = slide, .n_events = 1, .events = stays, .user = &x};
        const double y0 = 0.0, limit = 1.0;
        daedal_solver *s = begin(&sys, m, 1e-6, &y0);
        assert_int_equal(daedal_solver_advance(s, 10.0), DAEDAL_EVENT);
        double t = daedal_solver_state(s)->t;
        x = (relation){-1.0, -1.0};
        assert_int_equal(daedal_solver_restart(s, &limit, NULL), DAEDAL_OK);
        assert_int_equal(daedal_solver_advance(s, 10.0), DAEDAL_EVENT);
        assert_true(daedal_solver_state(s)->t - t < 1e-9);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_short_flights),
        cmocka_unit_test(test_thousand_bounces),
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_pulse_trains),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
