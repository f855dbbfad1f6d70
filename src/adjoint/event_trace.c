/* adjoint/event_trace.c - see event_trace.h. */
#include "adjoint/event_trace.h"

#include <string.h>

static size_t width_of(const event_trace *t)
{
    return t->of->values->place.n;
}

static double *copy_values(event_trace *t)
{
    return arena_copy(&t->mem, t->of->values->x, width_of(t), width_of(t), sizeof(double));
}

static void begin(void *user)
{
    event_trace *t = user;
    t->before_event(t->user);
    t->now.t = t->of->values->x[0];
    t->now.h = daedal_solver_stats(t->of->solver)->h_last;
    t->now.memory = discrete_memory_of_event(t->of);
    t->now.before = copy_values(t);
    t->now.rounds = NULL;
    t->now.n_rounds = 0;
    t->room_rounds = 0;
}

static void begin_round(void *user, int number)
{
    event_trace *t = user;
    event_round *grown =
        arena_grow(&t->mem, t->now.rounds, &t->room_rounds, (size_t)number + 1, sizeof *grown);
    if (!grown)
        return;
    t->now.rounds = grown;
    t->now.n_rounds = number + 1;
    grown[number] = (event_round){.settled = copy_values(t)};
}

static void end_round(void *user)
{
    event_trace *t = user;
    size_t n = t->of->flat->n_reinits;
    if (t->mem.failed)
        return;
    event_round *r = &t->now.rounds[t->now.n_rounds - 1];
    r->ended = copy_values(t);
    r->acts = arena_copy(&t->mem, t->of->search->reinit->acts, n, n + 1, sizeof(bool));
}

void event_trace_create(event_trace *t, discrete_part *of)
{
    *t = (event_trace){.of = of, .observer = {begin, begin_round, end_round, t}};
    arena_create(&t->mem, of->allocator, 0);
}

void event_trace_free(event_trace *t)
{
    if (t->of)
        arena_free(&t->mem);
    *t = (event_trace){0};
}

bool event_trace_begin(event_trace *t)
{
    t->first = copy_values(t);
    t->n = 0;
    return !t->mem.failed;
}

/* Values before the event of this instant do not count. */
static bool has_changed(const event_trace *t)
{
    const value_places *at = &t->of->values->place;
    const double *x = t->of->values->x, *before = t->now.before;
    if (t->of->restarted)
        return true;
    for (uint32_t k = at->discrete; k < at->n; k++)
        if (x[k] != before[k] && (k < at->pre || k >= at->relation))
            return true;
    return false;
}

bool event_trace_keep(event_trace *t)
{
    if (t->mem.failed || !has_changed(t))
        return false;
    recorded_event *grown = arena_grow(&t->mem, t->events, &t->room, t->n + 1, sizeof *grown);
    t->now.after = copy_values(t);
    if (t->mem.failed)
        return false;
    t->events = grown;
    grown[t->n++] = t->now;
    return true;
}

void event_trace_enter(void *trace, size_t k)
{
    const event_trace *t = trace;
    const double *from = k > 0 ? t->events[k - 1].after : t->first;
    size_t first = t->of->values->place.discrete;
    memcpy(t->of->values->x + first, from + first, (width_of(t) - first) * sizeof *from);
    t->of->values->version++;
}

void event_trace_put(const event_trace *t, const double *x)
{
    memcpy(t->of->values->x, x, width_of(t) * sizeof *x);
    t->of->values->version++;
}
