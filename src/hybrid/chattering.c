/* hybrid/chattering.c - see discrete.h: relations that change again and again
 * (docs/theory/hybrid.md).
 *
 * A chattering relation gets a larger hysteresis and a dead time, in which it keeps its value
 * after each of its events.  The run then makes progress: a solution that would slide along the
 * threshold crosses it repeatedly, at distances below the tolerance.  A warning says so once for
 * each relation.                                                                */
#include <math.h>
#include <stdio.h>

#include "compile/compiled.h"
#include "hybrid/discrete.h"

enum {
    EVENTS_MAX = 25,       /* of a relation that chatters, within an interval of output */
    CLOSE_EVENTS_MAX = 40, /* consecutive events between which the operands hardly move */
};

/* Chosen so that the hysteresis grows from 1e-10 to at most 1e-6 of the scale, the default rtol,
 * and that dead times alone cannot allow more than EVENTS_MAX events between two output points. */
static const double CLOSE = 10.0;      /* bands: operands that move by less hardly move */
static const double COINCIDING = 1e-9; /* of the span: events at this distance coincide */
static const double NEAR = 1e-3;       /* of the scale: what swings further does not chatter */
static const double GROWTH = 10.0, HYSTERESIS_FACTOR_MAX = 1e4;
static const double FIRST_DEAD_TIME = 1e-8;               /* of the span                */
static const double LONGEST_DEAD_TIME = 1.0 / EVENTS_MAX; /* of the interval of output  */
/* Of the span: output that is coarser must not make a sliding solution coarser. */
static const double LONGEST_INTERVAL = 1.0 / 500.0;

bool relation_in_dead_time(const model_relation *r, double t)
{
    return r->dead_time > 0.0 && t < r->last_event + r->dead_time;
}

void discrete_note_step(discrete_part *m, bool has_event)
{
    for (size_t k = 0; k < m->n_memories; k++) {
        model_relation *r = &m->relation[k];
        r->excursion = has_event ? r->excursion : fmax(r->excursion, r->reach);
        r->reach = 0.0;
    }
}

/* Between the last event of relation k, or the beginning of the step, and this event.  The step may
 * have been cut since its length was noted: then points nearer to the event are inside. */
static void note_midway(discrete_part *m, int32_t e, double h)
{
    enum { TRIES = 6 };
    size_t k = (size_t)m->event_relation[e];
    model_relation *r = &m->relation[k];
    double t = m->values->x[0], *y = m->search->values, *yp = y + m->reduced->n_system;
    double middle = 0.5 * (t + fmax(r->last_event, t - h));
    daedal_status status = daedal_solver_interpolate(m->solver, middle, y, yp);
    for (int tries = 0; tries < TRIES && status != DAEDAL_OK; tries++) {
        middle = 0.5 * (middle + t);
        status = daedal_solver_interpolate(m->solver, middle, y, yp);
    }
    if (status != DAEDAL_OK || program_run(m->compiled, m->events, middle, y, yp) != 0)
        return;
    double room = discrete_event_function(m, k, m->events->out + 2 * (size_t)e);
    r->excursion = fmax(r->excursion, room - r->eps);
}

/* The step that ends at this event may be the only one between two events of another relation. */
static void note_others(discrete_part *m)
{
    const daedal_state *s = daedal_solver_state(m->solver);
    if (program_run(m->compiled, m->events, m->values->x[0], s->y, s->yp) != 0)
        return;
    for (int32_t e = 0; e < m->n_relation_events; e++) {
        model_relation *r = &m->relation[m->event_relation[e]];
        double room = discrete_event_function(m, (size_t)m->event_relation[e],
                                              m->events->out + 2 * (size_t)e);
        if (!r->stopped)
            r->excursion = fmax(r->excursion, room - r->eps);
    }
}

void discrete_note_excursions(discrete_part *m, double h)
{
    note_others(m);
    for (int32_t e = 0; e < m->n_relation_events; e++)
        if (m->relation[m->event_relation[e]].stopped)
            note_midway(m, e, h);
}

static void warn_chattering(discrete_part *m, size_t k)
{
    char text[200], message[400];
    if (m->relation[k].is_reported)
        return;
    m->relation[k].is_reported = true;
    snprintf(message, sizeof message,
             "chattering: %s keeps changing near t = %.10g; hysteresis and a dead time are applied "
             "to it from now on",
             compiled_relation_text(m->compiled, k, text, sizeof text), m->values->x[0]);
    log_warning(m->log, DAEDAL_CAUSE_CHATTERING, m->values->x[0], message);
}

static void widen_hysteresis(discrete_part *m, model_relation *r, double interval)
{
    double span = m->t_stop - m->t_start;
    r->hysteresis_factor = fmin(fmax(r->hysteresis_factor, 1.0) * GROWTH, HYSTERESIS_FACTOR_MAX);
    r->dead_time =
        fmin(fmax(r->dead_time * GROWTH, FIRST_DEAD_TIME * span), LONGEST_DEAD_TIME * interval);
    r->n_events = r->close_events = 0;
    r->count_start = m->values->x[0];
}

/* In a dead time the operands swing beyond the threshold, on the side of the steeper slope more
 * than on the other, so that the mean of a solution that slides along would drift.  With a
 * hysteresis of half the way from one turn to the other they turn at the same distance on both
 * sides.         */
static void balance_swings(const discrete_part *m, model_relation *r, double interval)
{
    bool is_short = m->values->x[0] - r->last_event < interval;
    if (r->dead_time > 0.0 && is_short && isfinite(r->left_limit - r->turn))
        r->swing = fmax(r->swing, 0.5 * fabs(r->left_limit - r->turn));
    r->turn = r->left_limit;
}

/* A relation begins to chatter if its operands stay within a few bands of each other from event to
 * event, or if the events nearly coincide.  Once it has a dead time, the number of events in an
 * interval of output counts. */
static bool is_chattering(const model_relation *r)
{
    return r->dead_time > 0.0 ? r->n_events > EVENTS_MAX : r->close_events > CLOSE_EVENTS_MAX;
}

/* It has left the threshold for good: its operands are far apart, and it was quiet for long. */
static bool has_left(const model_relation *r, double t)
{
    return r->dead_time > 0.0 && r->excursion > 100.0 * r->eps &&
           t - r->last_event > 100.0 * r->dead_time;
}

void discrete_watch_chattering(discrete_part *m, double interval)
{
    double t = m->values->x[0], span = m->t_stop - m->t_start;
    interval = fmin(interval, LONGEST_INTERVAL * span);
    for (size_t k = 0; k < m->n_memories; k++) {
        model_relation *r = &m->relation[k];
        if (!r->stopped)
            continue;
        if (t - r->count_start > interval) {
            r->count_start = t;
            r->n_events = 0;
        }
        if (has_left(r, t))
            r->dead_time = r->hysteresis_factor = r->swing = 0.0;
        r->n_events++;
        double size = k < m->flat->n_relations ? r->scale : 1.0; /* a rounding moves by one */
        bool coincides = t - r->last_event < COINCIDING * span && r->excursion <= NEAR * size;
        bool close = r->excursion <= CLOSE * r->eps || coincides;
        r->close_events = close ? r->close_events + 1 : 0;
        balance_swings(m, r, interval);
        r->last_event = t;
        if (!is_chattering(r))
            continue;
        warn_chattering(m, k);
        widen_hysteresis(m, r, interval);
    }
}
