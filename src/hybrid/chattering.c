/* hybrid/chattering.c - see discrete.h: relations that change without end
 * (docs/theory/hybrid.md).
 *
 * A relation that stops the integrator again and again gets a wider band, and keeps its value for
 * a while after each of its events: the run goes on, and what would slide along a threshold
 * zigzags about it in steps that nobody sees.  The log says so once.            */
#include <math.h>
#include <stdio.h>

#include "compile/compiled.h"
#include "hybrid/discrete.h"

enum { EVENTS_MAX = 100, CROWD_MAX = 20 };

static const double CLOSE = 1e-9;                    /* of the span: events nearly coincide */
static const double WIDER = 10.0, WIDEST = 1e4;      /* 1e-10 to 1e-6 of the scale           */
static const double FIRST_REST = 1e-8;               /* of the span                          */
static const double LONGEST_REST = 1.0 / EVENTS_MAX; /* of the interval of output            */

bool relation_is_resting(const model_relation *r, double t)
{
    return r->rest > 0.0 && t < r->last + r->rest;
}

static void tell(discrete_part *m, size_t k)
{
    char text[200], message[400];
    if (!m->log->write || m->relation[k].told)
        return;
    m->relation[k].told = true;
    snprintf(message, sizeof message,
             "%s keeps changing near t = %.10g: from now on it is given some room and some rest",
             compiled_relation_text(m->compiled, k, text, sizeof text), m->values->x[0]);
    log_warning(m->log, message);
}

static void calm(discrete_part *m, model_relation *r, double interval)
{
    double span = m->t_stop - m->t_start;
    r->wider = fmin(fmax(r->wider, 1.0) * WIDER, WIDEST);
    r->rest = fmin(fmax(r->rest * WIDER, FIRST_REST * span), LONGEST_REST * interval);
    r->events = r->crowd = 0;
    r->since = m->values->x[0];
}

void discrete_watch_chattering(discrete_part *m, double interval)
{
    double t = m->values->x[0], span = m->t_stop - m->t_start;
    for (size_t k = 0; k < m->n_memories; k++) {
        model_relation *r = &m->relation[k];
        if (!r->triggered)
            continue;
        if (t - r->since > interval) {
            r->since = t;
            r->events = 0;
        }
        r->events++;
        r->crowd = t - r->last < CLOSE * span ? r->crowd + 1 : 0;
        r->last = t;
        if (r->events <= EVENTS_MAX && r->crowd <= CROWD_MAX)
            continue;
        tell(m, k);
        calm(m, r, interval);
    }
}
