/* adjoint/event_slopes.h - derivatives of what a model evaluates at events.
 *
 * Responsibility: relations, arguments of roundings, times of samples, new values of reinit and of
 * discrete variables: their derivatives by unknowns, discrete variables and parameters, exact, and
 * by time, by differences, since data may be in them.
 * Depends on: hybrid/discrete.h, compile/parameter_tapes.h.                       */
#ifndef DAEDAL_ADJOINT_EVENT_SLOPES_H
#define DAEDAL_ADJOINT_EVENT_SLOPES_H

#include "compile/parameter_tapes.h"
#include "hybrid/discrete.h"

/* A list of expressions. */
typedef struct event_slopes {
    const compiled_model *of;
    size_t n;
    size_t *start;  /* n + 1: of the entries of each                                     */
    uint32_t *slot; /* by entry: the value by which it is differentiated                 */
    program *entries, *values;
    double *in_time; /* n: by time, with all other values as they are                     */
    parameter_tapes by_p;
    arena mem;
} event_slopes;

/* DAEDAL_OK, DAEDAL_ERR_MEMORY, or DAEDAL_ERR_STRUCTURE: a function cannot be differentiated.
 * event_slopes_free in any case.                                                 */
daedal_status event_slopes_create(event_slopes *s, const compiled_model *of, expressions list,
                                  const uint32_t *parameters, int32_t n_parameters);
void event_slopes_free(event_slopes *s);

/* All of them at the values of the model; h: a step in time.  A daedal_answer. */
int event_slopes_evaluate(event_slopes *s, double h);
/* The derivative of expression k by parameter i. */
double event_slopes_by_parameter(const event_slopes *s, size_t k, int32_t i);
#endif
