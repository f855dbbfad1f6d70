/* adjoint/jump_watch.h - jumps of a model that are no events.
 *
 * Responsibility: a comparison inside noEvent may choose between different values.  The time at
 * which it does so depends on parameters, which no derivative shows: such a jump along the run is
 * found and told.  A comparison that changes twice in a step is not seen.
 * Depends on: adjoint/solution_record.h, hybrid/discrete.h.                       */
#ifndef DAEDAL_ADJOINT_JUMP_WATCH_H
#define DAEDAL_ADJOINT_JUMP_WATCH_H

#include "adjoint/solution_record.h"
#include "compile/parameter_tapes.h"

typedef struct jump_watch {
    const compiled_model *of;
    program *operands; /* a and b of each comparison; NULL: there are none     */
    program *values;   /* of the equations, then of the terms of a functional  */
    size_t n;          /* comparisons                                          */
    size_t n_equations, n_values;
    double *before;  /* n: a - b at the end of the last step                 */
    double *now;     /* n                                                    */
    double *size;    /* n_values: in the step that is looked at               */
    double *side[2]; /* n_values: on both sides of a change                  */
    double *y, *yp, *zero;
    bool has_before;
    double t_jump;       /* of the first jump, NAN: none                         */
    bool is_of_equation; /* not of a term                                        */
    arena mem;
} jump_watch;

/* DAEDAL_OK or DAEDAL_ERR_MEMORY; jump_watch_free in any case. */
daedal_status jump_watch_create(jump_watch *w, const compiled_model *of, expressions terms);
void jump_watch_free(jump_watch *w);
/* After a step was recorded. */
void jump_watch_step(jump_watch *w, solution_record *record);
#endif
