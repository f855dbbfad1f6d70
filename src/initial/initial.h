/* initial/initial.h - the start of a model.
 *
 * Responsibility: from start values, initial equations and the discrete part to values that
 * satisfy the equations and all their needed derivatives.
 * Depends on: compile/model.h, hybrid/, linalg/, graph/, expr/.                   */
#ifndef DAEDAL_INITIAL_INITIAL_H
#define DAEDAL_INITIAL_INITIAL_H

#include "compile/model.h"

/* model_initial.c */
daedal_status model_compile_initial(model *m);
daedal_status model_prepare_values(model *m); /* start values, before any equation */
daedal_status model_initialize(model *m);
/* From the values in x: equations, initial equations and the discrete part agree. */
daedal_status model_settle_start(model *m);
bool model_is_known(model *m, expr e);   /* reads no unknown */
double model_evaluate(model *m, expr e); /* at x; EXPR_NONE: 0; NAN: has no value */

/* model_forward.c: solve what can be solved equation by equation, in x: a first guess. */
void model_forward(model *m);
/* Solve one equation for what stands in x[slot]; false: no solution, it stays as it was. */
bool model_solve_one(model *m, expr residual, uint32_t slot);

/* model_start.c: the full start-value problem, with initial equations: into x. */
daedal_status model_solve_start(model *m);

/* start_homotopy.c: guesses in x and m->start from the way along homotopy(actual, simplified);
 * m->why says nothing if there is none.                                          */
daedal_status model_follow_homotopy(model *m);
void model_free_twin(model *m);

/* start_levels.c: y in x onto the constraints, by as little as possible. */
daedal_status model_meet_constraints(model *m);
#endif
