/* hybrid/accumulation.c - see discrete.h: events that come ever faster (docs/theory/hybrid.md).
 *
 * The impacts of a ball that loses speed come at intervals T, q T, q^2 T, ..., so that infinitely
 * many of them happen before T / (1 - q) has passed.  Of each relation the intervals between
 * changes to the same value are compared.  Where they have shrunk by similar factors for some time
 * and its operands hardly leave the band any more, the limits of time and states follow from the
 * last three events by Aitken's rule.                                                          */
#include <math.h>
#include <string.h>

#include "hybrid/discrete.h"

enum { SHRINKING_MIN = 6 };             /* intervals in a row                             */
static const double RATIO_MAX = 0.98;   /* of two intervals                               */
static const double RATIO_CHANGE = 0.2; /* relative, from one ratio to the next           */
static const double BANDS = 100.0;      /* operands that move by less are lost soon       */
static const double COINCIDING = 1e-11; /* of the span: the remaining events coincide     */
static const double MUCH_FASTER = 0.1;  /* of the interval of the relation that is followed */
static const double AGAIN = 10.0;       /* excursions: it has not left the limit in between */
static const double SOON = 1e-3;        /* of the span: after the limit */

bool discrete_prepare_accumulation(discrete_part *m)
{
    size_t n = (size_t)m->reduced->n_system;
    event_accumulation *a = m->search->accumulation = arena_take(m->mem, 1, sizeof *a);
    for (int k = 0; k < 3 && a; k++)
        a->y[k] = arena_take(m->mem, n, sizeof(double));
    return !m->mem->failed;
}

void discrete_begin_accumulation(discrete_part *m)
{
    event_accumulation *a = m->search->accumulation;
    a->relation = a->passed = SIZE_MAX;
    a->n = 0;
    a->is_found = false;
}

/* The states after this event, as the newest of three. */
static void keep_state(discrete_part *m, event_accumulation *a)
{
    double *oldest = a->y[0];
    a->y[0] = a->y[1];
    a->y[1] = a->y[2];
    a->y[2] = oldest;
    memcpy(oldest, m->values->x + m->values->place.y,
           (size_t)m->reduced->n_system * sizeof(double));
    a->n++;
}

/* Whether reinit or an impulse has moved operands in this event. */
static bool has_jump(const discrete_part *m)
{
    for (size_t k = 0; k < m->flat->n_relations; k++)
        if (m->relation[k].has_jumped)
            return true;
    return false;
}

/* One relation is followed, until it stops shrinking or another one is much faster.  One at whose
 * events states jump goes before others, as the impacts of a ball before its turning points.  */
static void follow(discrete_part *m, size_t k, const interval_record *at)
{
    event_accumulation *a = m->search->accumulation;
    const model_relation *r = &m->relation[k];
    bool same = a->relation == k && a->value == r->new_value;
    bool goes_on =
        a->relation != SIZE_MAX && m->relation[a->relation].change_to[a->value].shrinking > 0;
    bool jumps = has_jump(m);
    bool is_better = at->interval <= MUCH_FASTER * a->interval || (jumps && !a->jumps);
    if (!same && goes_on && !is_better)
        return;
    if (!same)
        a->n = 0;
    a->relation = k;
    a->value = r->new_value;
    a->interval = at->interval;
    a->jumps = jumps;
    keep_state(m, a);
}

static void judge(discrete_part *m, size_t k, const interval_record *at)
{
    event_accumulation *a = m->search->accumulation;
    const model_relation *r = &m->relation[k];
    if (a->relation != k || a->value != r->new_value || a->n < 3)
        return;
    double rest = at->interval * at->ratio / (1.0 - at->ratio);
    double next_excursion = at->excursion * at->ratio; /* at most */
    if (next_excursion > BANDS * r->eps && rest > COINCIDING * (m->t_stop - m->t_start))
        return;
    a->is_found = true;
    a->t_limit = m->values->x[0] + rest;
}

/* A relation that chatters without a jump slides along its threshold: its intervals are those of
 * its dead time and hysteresis, which say nothing about where the events would accumulate.     */
static bool slides(const discrete_part *m, size_t k)
{
    return m->relation[k].dead_time > 0.0 && !has_jump(m);
}

/* Relation k has changed to its new value: how long after the last time. */
static void note_interval(discrete_part *m, size_t k, interval_record *at)
{
    double interval = m->values->x[0] - at->t, before = at->ratio;
    bool known = at->interval > 0.0;
    at->ratio = known ? interval / at->interval : 1.0;
    bool shrinks = known && at->ratio > 0.0 && at->ratio < RATIO_MAX && !slides(m, k);
    bool steady = fabs(at->ratio - before) <= RATIO_CHANGE * before;
    at->shrinking = !shrinks ? 0 : at->shrinking == 0 || steady ? at->shrinking + 1 : 1;
    at->interval = at->has_time ? interval : 0.0;
    at->t = m->values->x[0];
    at->has_time = true;
    if (at->shrinking < SHRINKING_MIN - 3)
        return;
    follow(m, k, at);
    if (at->shrinking >= SHRINKING_MIN)
        judge(m, k, at);
}

static void note_change(discrete_part *m, size_t k)
{
    event_accumulation *a = m->search->accumulation;
    model_relation *r = &m->relation[k];
    interval_record *at = &r->change_to[r->new_value];
    for (int value = 0; value < 2; value++)
        r->change_to[value].excursion = fmax(r->change_to[value].excursion, r->excursion);
    /* what the limit leaves of the states may drift over the threshold, much later */
    bool is_soon = m->values->x[0] - a->t_limit <= SOON * (m->t_stop - m->t_start);
    if (a->passed == k && is_soon && at->excursion <= AGAIN * BANDS * r->eps)
        a->is_found = a->is_repeated = true;
    else
        note_interval(m, k, at);
    at->excursion = 0.0;
}

void discrete_watch_accumulation(discrete_part *m)
{
    for (size_t k = 0; k < m->n_memories; k++) {
        if (m->relation[k].stopped && k < m->flat->n_relations)
            note_change(m, k);
        if (m->relation[k].stopped)
            m->relation[k].excursion = 0.0;
    }
}

/* Aitken's rule; values that do not converge stay. */
static double limit_of(double a, double b, double c)
{
    double first = b - a, second = c - b;
    return fabs(second) < fabs(first) ? c + second * second / (first - second) : c;
}

void discrete_put_limit(discrete_part *m)
{
    event_accumulation *a = m->search->accumulation;
    double *y = m->values->x + m->values->place.y;
    for (int32_t j = 0; j < m->reduced->n; j++)
        y[j] = limit_of(a->y[0][j], a->y[1][j], a->y[2][j]);
    m->values->x[0] = a->t_limit;
    a->passed = a->relation;
    a->is_found = false;
    a->n = 0;
    for (int value = 0; value < 2; value++)
        m->relation[a->passed].change_to[value] = (interval_record){.shrinking = 0};
}
