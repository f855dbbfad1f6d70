/* adjoint/event_trace.h - what happened at the events of a run of a model.
 *
 * Responsibility: copies of all values of the model before an event, in each round of the event
 * iteration and behind it, so that the event can be passed backward.  Events that change nothing
 * are left out.  Between two events everything but time and unknowns is as behind the first one:
 * the mode.
 * Depends on: hybrid/discrete.h.                                                 */
#ifndef DAEDAL_ADJOINT_EVENT_TRACE_H
#define DAEDAL_ADJOINT_EVENT_TRACE_H

#include "hybrid/discrete.h"

typedef struct event_round {
    double *settled; /* all values, before reinit acts */
    double *ended;   /* after it                       */
    bool *acts;      /* by reinit                      */
} event_round;

typedef struct recorded_event {
    double t;
    double h;      /* length of the step before it                                          */
    size_t memory; /* discrete_memory_of_event: what determines its time; SIZE_MAX: nothing */
    double *before, *after;
    event_round *rounds;
    int32_t n_rounds;
} recorded_event;

typedef struct event_trace {
    discrete_part *of;
    event_observer observer;
    void (*before_event)(void *user); /* called first at each event */
    void *user;
    recorded_event now;
    size_t room_rounds;
    double *first; /* the values at the start of the run */
    recorded_event *events;
    size_t n, room;
    arena mem;
} event_trace;

void event_trace_create(event_trace *t, discrete_part *of);
void event_trace_free(event_trace *t);

/* At the start of the run.  false: out of memory. */
bool event_trace_begin(event_trace *t);
/* Behind an event: whether it changed anything, and then it is kept.  t->mem.failed: out of memory.
 */
bool event_trace_keep(event_trace *t);

/* All that changes at events is as it was behind event number k - 1, or at the start. */
void event_trace_enter(void *trace, size_t k);
/* All values become these. */
void event_trace_put(const event_trace *t, const double *x);
#endif
