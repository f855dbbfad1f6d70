/* adjoint/event_passage.h - the events of a model, passed backward.
 *
 * Responsibility: from the derivatives of the functional by unknowns and discrete variables behind
 * an event to those before it, and what the event adds to the gradient
 * (docs/theory/sensitivities.md). Discrete variables that are numbers are parameters of the
 * equations between events: they follow the parameters of the caller in all arrays by parameter.
 * Depends on: adjoint/backward_run.h, adjoint/event_trace.h, adjoint/event_slopes.h. */
#ifndef DAEDAL_ADJOINT_EVENT_PASSAGE_H
#define DAEDAL_ADJOINT_EVENT_PASSAGE_H

#include "adjoint/backward_run.h"
#include "adjoint/event_slopes.h"
#include "adjoint/event_trace.h"

typedef struct event_passage {
    event_trace *trace;
    const uint32_t *variable;     /* of parameters, then of discrete variables                    */
    int32_t n_own, n_all;         /* parameters of the caller; with the discrete variables        */
    const parameter_tapes *tapes; /* by all of these                                             */
    daedal_diagnosis *why;

    event_slopes causes;  /* relations, roundings, start and interval of samples               */
    event_slopes actions; /* new values: of reinit, then of `assigned`                         */
    size_t n_assigned;
    int32_t *assigned; /* by assignment of a number: its place among all parameters         */
    int32_t *place;    /* by discrete variable: its place among all parameters, or -1       */
    bool is_ready;     /* the derivatives are there                                         */

    /* of the event that is passed: derivatives of the functional */
    double by_time;       /* by its time                                                     */
    double *by_y;         /* n: by unknowns at this instant, which moves                     */
    double *by_pre_y;     /* n: by pre of unknowns                                           */
    double *by_all;       /* n_all: by parameters and discrete variables                     */
    double *by_pre;       /* n_all: by pre of discrete variables                             */
    double *cause_by_y;   /* n: derivative of what determines the time                       */
    double *cause_by_all; /* n_all                                                           */
    double *lambda, *eta; /* n each                                                          */
    double *share;        /* by reinit: derivative by the value that it sets                 */
    int32_t *moved;       /* n: states that follow from constraints                          */
    double *f_by_t;       /* n                                                               */
    block mem;
} event_passage;

/* trace, variable, n_own, n_all, tapes and why are set by the caller; event_passage_free in any
 * case.                                                                          */
daedal_status event_passage_create(event_passage *e);
void event_passage_free(event_passage *e);

event_passage_fn event_passage_go;
#endif
