/* tests/property/test_events_property.c - events against polynomials with known roots.
 *
 * The solution is y = t, which every method reproduces to roundoff with steps of any length;
 * g are polynomials of y, so that their roots in time are known.                  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "driving.h"
#include "seeded.h"

enum { FUNCTIONS = 3, ROOTS_MAX = 4, SEEDS = 200 };

/* g_i = sign_i (y - root_i0) (y - root_i1) ...; wide: scaled by this. */
typedef struct polynomials {
    int32_t n, count[FUNCTIONS];
    double root[FUNCTIONS][ROOTS_MAX], scale[FUNCTIONS];
} polynomials;

typedef struct crossing {
    double t;
    int32_t function, direction;
} crossing;

static int clock_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)y;
    (void)user;
    r[0] = yp[0] - 1.0;
    return DAEDAL_CALL_OK;
}

static int evaluate(double t, const double *y, const double *yp, double *g, void *user)
{
    const polynomials *p = user;
    (void)t;
    (void)yp;
    for (int32_t i = 0; i < p->n; i++) {
        g[i] = p->scale[i];
        for (int32_t k = 0; k < p->count[i]; k++)
            g[i] *= y[0] - p->root[i][k];
    }
    return DAEDAL_CALL_OK;
}

static int by_time(const void *a, const void *b)
{
    double x = ((const crossing *)a)->t, y = ((const crossing *)b)->t;
    return (x > y) - (x < y);
}

/* Roots in direction * (0.5 .. 9.5), those of one function at least `gap` apart. */
static void draw_roots(seeded *random, polynomials *p, double gap, double direction)
{
    p->n = FUNCTIONS;
    for (int32_t i = 0; i < p->n; i++) {
        p->scale[i] = seeded_sign(random) * seeded_ratio(random, 1e-3, 1e3);
        p->count[i] = seeded_int(random, 1, ROOTS_MAX);
        double width = 9.0 / p->count[i];
        for (int32_t k = 0; k < p->count[i]; k++) {
            double free = fmax(width - gap, 0.0);
            double at = 0.5 + k * width + seeded_uniform(random, 0.0, free);
            p->root[i][k] = direction * at;
        }
    }
}

/* What must be reported, in order. */
static int list_crossings(const polynomials *p, double direction, crossing *out)
{
    int count = 0;
    for (int32_t i = 0; i < p->n; i++)
        for (int32_t k = 0; k < p->count[i]; k++) {
            /* sign just after the root in the direction of the run */
            double after = p->scale[i];
            for (int32_t j = 0; j < p->count[i]; j++)
                after *= j == k ? direction : p->root[i][k] - p->root[i][j];
            out[count++] = (crossing){direction * p->root[i][k], i, after > 0.0 ? 1 : -1};
        }
    qsort(out, (size_t)count, sizeof *out, by_time);
    for (int c = 0; c < count; c++)
        out[c].t *= direction;
    return count;
}

static daedal_solver *start_clock(polynomials *p, const char *options, daedal_ints directions)
{
    daedal_system sys = {.n = 1,
                         .residual = clock_residual,
                         .n_events = p->n,
                         .events = evaluate,
                         .event_direction = directions,
                         .user = p};
    double y0 = 0.0;
    return start_solver(&sys, options, 0.0, &y0, NULL);
}

static void check_crossing(const seeded *random, daedal_solver *s, const crossing *wanted)
{
    const daedal_state *at = daedal_solver_state(s);
    seeded_require(random, fabs(at->t - wanted->t) <= 1e-12 * fabs(wanted->t),
                   "function %d: root %.17g found at %.17g", (int)wanted->function, wanted->t,
                   at->t);
    for (int32_t i = 0; i < at->n_events; i++) {
        int32_t fired = i == wanted->function ? wanted->direction : 0;
        seeded_require(random, at->event[i] == fired, "at t = %.17g event[%d] is %d, not %d", at->t,
                       (int)i, (int)at->event[i], (int)fired);
    }
    seeded_require(random, fabs(at->y[0] - at->t) <= 1e-12 * fabs(at->t),
                   "the state stands at %.17g, not at %.17g", at->y[0], at->t);
}

/* Go to 10 and compare every event with the list. */
static void expect_all(const seeded *random, daedal_solver *s, const crossing *list, int count,
                       double t_end)
{
    for (int c = 0; c < count; c++) {
        daedal_status status = daedal_solver_advance(s, t_end);
        seeded_require(random, status == DAEDAL_EVENT, "%s instead of the root at %.17g",
                       daedal_status_name(status), list[c].t);
        check_crossing(random, s, &list[c]);
    }
    daedal_status status = daedal_solver_advance(s, t_end);
    seeded_require(random, status == DAEDAL_OK, "%s at t = %.17g after the last root",
                   daedal_status_name(status), daedal_solver_state(s)->t);
    seeded_require(random, daedal_solver_stats(s)->events == count, "%d events counted, not %d",
                   (int)daedal_solver_stats(s)->events, count);
}

/* Steps so small that every function changes sign at most once in each. */
static void test_all_roots_in_order(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        seeded random = seeded_begin(seed);
        double direction = seeded_sign(&random);
        polynomials p;
        crossing list[FUNCTIONS * ROOTS_MAX];
        draw_roots(&random, &p, 0.3, direction);
        int count = list_crossings(&p, direction, list);
        static const char *const ways[] = {"method=bdf_classic first_step=0.05 max_step=0.3",
                                           "first_step=0.05 max_step=0.3",
                                           "method=radau first_step=0.05 max_step=0.3"};
        const char *options = ways[seed % 3];
        daedal_solver *s = start_clock(&p, options, (daedal_ints){0});
        expect_all(&random, s, list, count, direction * 10.0);
        daedal_solver_free(s);
    }
}

/* Only the wanted directions are reported. */
static void test_directions(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        seeded random = seeded_begin(seed);
        polynomials p;
        crossing all[FUNCTIONS * ROOTS_MAX], wanted[FUNCTIONS * ROOTS_MAX];
        draw_roots(&random, &p, 0.3, 1.0);
        int32_t directions[FUNCTIONS];
        for (int i = 0; i < FUNCTIONS; i++)
            directions[i] = seeded_int(&random, -1, 1);
        int count = list_crossings(&p, 1.0, all), kept = 0;
        for (int c = 0; c < count; c++) {
            int32_t only = directions[all[c].function];
            if (only == 0 || only == all[c].direction)
                wanted[kept++] = all[c];
        }
        daedal_solver *s =
            start_clock(&p, "first_step=0.05 max_step=0.3", (daedal_ints){directions, FUNCTIONS});
        expect_all(&random, s, wanted, kept, 10.0);
        daedal_solver_free(s);
    }
}

/* A pair of close roots of a parabola inside one long step: found by looking into the step,
 * wherever it lies.  The steps are 1, 2, 4, 8.                                    */
static void test_pairs_inside_a_step(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        seeded random = seeded_begin(seed);
        double gap = seeded_ratio(&random, 1e-4, 0.5);
        double at = seeded_uniform(&random, 0.1, 9.0), sign = seeded_sign(&random);
        polynomials p = {.n = 1, .count = {2}, .root = {{at, at + gap}}, .scale = {sign}};
        crossing list[2] = {{at, 0, sign > 0.0 ? -1 : 1}, {at + gap, 0, sign > 0.0 ? 1 : -1}};
        daedal_solver *s = start_clock(
            &p, seed % 2 ? "first_step=1" : "method=bdf_classic first_step=1", (daedal_ints){0});
        expect_all(&random, s, list, 2, 15.0);
        daedal_solver_free(s);
    }
}

/* A root at the start is no event; later ones of the same function are. */
static void test_root_at_the_start(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        seeded random = seeded_begin(seed);
        polynomials p = {.n = 1, .count = {3}, .scale = {seeded_sign(&random)}};
        crossing list[3];
        p.root[0][0] = 0.0;
        p.root[0][1] = seeded_uniform(&random, 0.6, 4.0);
        p.root[0][2] = seeded_uniform(&random, 5.0, 9.0);
        int count = list_crossings(&p, 1.0, list);
        daedal_solver *s = start_clock(&p, "first_step=0.05 max_step=0.3", (daedal_ints){0});
        expect_all(&random, s, list + 1, count - 1, 10.0);
        daedal_solver_free(s);
    }
}

/* ---- zero for a while ------------------------------------------------------------------------ */

typedef struct plateau {
    double from, to, back; /* zero in from .. to; one more root at `back`           */
    double before, after;  /* signs                                                 */
} plateau;

static int flat(double t, const double *y, const double *yp, double *g, void *user)
{
    const plateau *p = user;
    (void)t;
    (void)yp;
    if (y[0] < p->from)
        g[0] = p->before * (p->from - y[0]);
    else if (y[0] <= p->to)
        g[0] = 0.0;
    else
        g[0] = p->after * (y[0] - p->to) * (p->back - y[0]);
    return DAEDAL_CALL_OK;
}

/* Reported once on reaching zero, quiet there and on leaving, awake afterwards. */
static void test_zero_for_a_while(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        seeded random = seeded_begin(seed);
        plateau p = {.from = seeded_uniform(&random, 0.5, 2.0),
                     .before = seeded_sign(&random),
                     .after = seeded_sign(&random)};
        p.to = p.from + seeded_uniform(&random, 0.7, 3.0);
        p.back = p.to + seeded_uniform(&random, 0.7, 3.0);
        crossing list[2] = {{p.from, 0, p.before > 0.0 ? -1 : 1},
                            {p.back, 0, p.after > 0.0 ? -1 : 1}};
        daedal_system sys = {
            .n = 1, .residual = clock_residual, .n_events = 1, .events = flat, .user = &p};
        double y0 = 0.0;
        daedal_solver *s = start_solver(&sys, "first_step=0.05 max_step=0.3", 0.0, &y0, NULL);
        expect_all(&random, s, list, 2, 10.0);
        daedal_solver_free(s);
    }
}

/* ---- events and output points ------------------------------------------------------------------
 */

/* Output points between the roots, or restarts at them, change nothing. */
static void test_outputs_and_restarts_between(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        seeded random = seeded_begin(seed);
        polynomials p;
        crossing list[FUNCTIONS * ROOTS_MAX];
        draw_roots(&random, &p, 0.3, 1.0);
        int count = list_crossings(&p, 1.0, list), seen = 0;
        daedal_solver *s = start_clock(&p, "first_step=0.05 max_step=0.3", (daedal_ints){0});
        for (double t = 0.0; t < 10.0;) {
            t = fmin(10.0, t + seeded_uniform(&random, 0.05, 1.0));
            daedal_status status;
            while ((status = daedal_solver_advance(s, t)) == DAEDAL_EVENT) {
                seeded_require(&random, seen < count, "one event too many");
                check_crossing(&random, s, &list[seen++]);
                if (seeded_sign(&random) > 0.0)
                    assert_int_equal(daedal_solver_restart(s, NULL, NULL), DAEDAL_OK);
            }
            assert_int_equal(status, DAEDAL_OK);
            assert_true(daedal_solver_state(s)->t == t);
        }
        seeded_require(&random, seen == count, "%d of %d events seen", seen, count);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_roots_in_order),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_pairs_inside_a_step),
        cmocka_unit_test(test_root_at_the_start),
        cmocka_unit_test(test_zero_for_a_while),
        cmocka_unit_test(test_outputs_and_restarts_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
