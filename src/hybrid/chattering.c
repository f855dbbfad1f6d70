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
    EVENTS_MAX = 100,      /* of one relation within an interval of output */
    CLOSE_EVENTS_MAX = 20, /* consecutive events that nearly coincide      */
};

/* Chosen so that the hysteresis grows from 1e-10 to at most 1e-6 of the scale, the default rtol,
 * and that dead times alone cannot allow more than EVENTS_MAX events between two output points. */
static const double CLOSE = 1e-9; /* of the span: events at this distance nearly coincide */
static const double GROWTH = 10.0, HYSTERESIS_FACTOR_MAX = 1e4;
static const double FIRST_DEAD_TIME = 1e-8;               /* of the span                */
static const double LONGEST_DEAD_TIME = 1.0 / EVENTS_MAX; /* of the interval of output  */

bool relation_in_dead_time(const model_relation *r, double t)
{
    return r->dead_time > 0.0 && t < r->last_event + r->dead_time;
}

static void warn_chattering(discrete_part *m, size_t k)
{
    char text[200], message[400];
    if (!m->log->write || m->relation[k].is_reported)
        return;
    m->relation[k].is_reported = true;
    snprintf(message, sizeof message,
             "chattering: %s keeps changing near t = %.10g; hysteresis and a dead time are applied "
             "to it from now on",
             compiled_relation_text(m->compiled, k, text, sizeof text), m->values->x[0]);
    log_warning(m->log, message);
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

void discrete_watch_chattering(discrete_part *m, double interval)
{
    double t = m->values->x[0], span = m->t_stop - m->t_start;
    for (size_t k = 0; k < m->n_memories; k++) {
        model_relation *r = &m->relation[k];
        if (!r->stopped)
            continue;
        if (t - r->count_start > interval) {
            r->count_start = t;
            r->n_events = 0;
        }
        r->n_events++;
        r->close_events = t - r->last_event < CLOSE * span ? r->close_events + 1 : 0;
        r->last_event = t;
        if (r->n_events <= EVENTS_MAX && r->close_events <= CLOSE_EVENTS_MAX)
            continue;
        warn_chattering(m, k);
        widen_hysteresis(m, r, interval);
    }
}
