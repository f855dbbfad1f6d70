/* bench/measure.c - two codes on one problem, timed side by side.
 * Depends on: bench/measure.h, ida_peer.h, daedal_peer.h.                          */
#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include "daedal_peer.h"
#include "ida_peer.h"

/* Repeat until so many seconds were spent on both codes together, within limits. */
#define SECONDS_ENOUGH 0.3
enum { REPEATS_MIN = 3, REPEATS_MAX = 100 };

/* A call of a callback in a loop long enough for the clock. */
typedef struct timed_call {
    const problem *p;
    daedal_jacobian_fn *jacobian; /* NULL: the residual */
    double *out;
} timed_call;

static double seconds_of(const timed_call *c, int count)
{
    const problem *p = c->p;
    const double began = seconds_now();
    for (int i = 0; i < count; i++) {
        if (c->jacobian)
            c->jacobian(p->t_end, p->reference, p->yp0, 1.0, c->out, p->user);
        else
            p->residual(p->t_end, p->reference, p->yp0, c->out, p->user);
    }
    return seconds_now() - began;
}

/* The best of a few batches, each at least half a millisecond long. */
static double cost_of(const timed_call *c)
{
    int count = 1;
    while (seconds_of(c, count) < 5e-4)
        count *= 2;
    double best = seconds_of(c, count);
    for (int i = 0; i < 10; i++)
        best = fmin(best, seconds_of(c, count));
    return best / count;
}

static size_t value_count(const problem *p)
{
    const daedal_pattern *pattern = p->peer_pattern ? p->peer_pattern : p->pattern;
    return pattern ? (size_t)pattern->start[p->n] : (size_t)p->n * (size_t)p->n;
}

callback_costs measure_callbacks(const problem *p)
{
    callback_costs costs = {0};
    daedal_jacobian_fn *known = ida_peer_jacobian(p);
    const size_t values = known ? value_count(p) : 0;
    const size_t size = values > (size_t)p->n ? values : (size_t)p->n;
    double *out = calloc(size, sizeof *out);
    if (!out)
        return costs;
    costs.residual = cost_of(&(timed_call){p, NULL, out});
    if (known)
        costs.ida_jacobian = cost_of(&(timed_call){p, known, out});
    if (p->jacobian)
        costs.daedal_jacobian = cost_of(&(timed_call){p, p->jacobian, out});
    free(out);
    return costs;
}

comparison measure_pair(const problem *p, double rtol, const callback_costs *costs,
                        const bench_options *options)
{
    comparison c = {.rtol = rtol};
    run ida, daedal;
    double spent = 0.0;
    for (int i = 0; i < REPEATS_MAX; i++) {
        ida_peer_run(p, rtol, &ida, NULL);
        daedal_peer_run(p, rtol, options->method, &daedal, NULL);
        spent += ida.seconds + daedal.seconds;
        if (i == 0) {
            c.ida = ida;
            c.daedal = daedal;
        }
        run_keep_faster(&c.ida, &ida);
        run_keep_faster(&c.daedal, &daedal);
        const bool enough = spent > SECONDS_ENOUGH && i + 1 >= REPEATS_MIN;
        if (options->quick || enough || spent > 10.0 * SECONDS_ENOUGH)
            break;
    }
    c.ida_callbacks = (double)c.ida.residual_calls * costs->residual +
                      (double)c.ida.jacobian_calls * costs->ida_jacobian;
    c.daedal_callbacks = (double)c.daedal.residual_calls * costs->residual +
                         (double)c.daedal.jacobian_calls * costs->daedal_jacobian;
    return c;
}
