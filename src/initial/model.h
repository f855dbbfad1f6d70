/* initial/model.h - a model that can be started: its parts, from the equations to the start.
 *
 * Responsibility: the outline of how a flat model becomes one that can be run, and the lifetime of
 * its parts.  Each part belongs to the folder that defines it and points to the parts before it.
 * Depends on: reduce/, compile/, hybrid/, initial/start_problem.h.               */
#ifndef DAEDAL_INITIAL_MODEL_H
#define DAEDAL_INITIAL_MODEL_H

#include "initial/start_problem.h"

typedef struct model {
    struct model_shared *shared; /* what the next pointers point to */
    flat_model *flat;
    const daedal_allocator *allocator;
    arena *mem; /* of all parts */
    daedal_diagnosis *why;
    expr_walker *walker;
    message_log *log;
    reduced_model *reduced;
    /* NULL if the index could not be reduced: */
    compiled_model *compiled;
    discrete_part *discrete;
    start_problem *start;
} model;

/* DAEDAL_OK; DAEDAL_ERR_STRUCTURE with errors in the sources of the compilation and in
 * *m->why; DAEDAL_ERR_MEMORY.  setup may be NULL.  model_free in any case.      */
daedal_status model_create(model *m, flat_model *flat, const model_setup *setup);
/* Gives memory back that only building needs; what needs it later takes it again. */
void model_rest(model *m);
void model_free(model *m);

/* A new value of a parameter, for the runs that follow; other parameters follow that depend on it.
 * NAN: again the value in the text.  DAEDAL_ERR_STRUCTURE: the value decides what the equations
 * are, nothing was changed, and the model must be read again with it.               */
daedal_status model_set_parameter(model *m, uint32_t variable, double value);
/* Several at once; `before` has room for n, and receives what they were.         */
daedal_status model_set_parameters(model *m, const uint32_t *variables, const double *values,
                                   int32_t n, flat_variable *before);

/* The same in a run: the value is checked, together with others that are wanted, and all take
 * effect in model_take_parameters (self is the model), at an event.               */
daedal_status model_want_parameter(model *m, uint32_t variable, double value);
daedal_status model_take_parameters(void *self);

/* What a new value of a parameter means, by variable, n of them.  DAEDAL_OK or DAEDAL_ERR_MEMORY.
 */
daedal_status model_tunings(const model *m, const uint32_t *variables, int32_t n,
                            daedal_tuning *tunings);

/* The last message of model_create and of the functions called since. */
const char *model_message(const model *m);
#endif
