/* consistent/held_states.h - a start of index one without entries of matrices.
 *
 * Responsibility: find the algebraic y and the y' of the other variables, which stay as they are,
 * from F = 0, by Newton's iteration whose linear systems GMRES solves with the preconditioner of a
 * short step ([BHP98]).  For systems that are spread over ranks.
 * Depends on: newton/iteration_matrix.h.                                           */
#ifndef DAEDAL_CONSISTENT_HELD_STATES_H
#define DAEDAL_CONSISTENT_HELD_STATES_H

#include "newton/iteration_matrix.h"

typedef struct held_states {
    iteration_matrix *matrix;
    double t, scale;              /* scale: a time in which y may change                  */
    double *y, *yp;               /* guesses, which become the solution                   */
    const bool *is_held;          /* n: y stays and y' is found; else y is found and y' stays */
    const double *inverse_weight; /* n                                                    */
    double *trial_y, *trial_yp, *residual, *weight; /* n each: work space                 */
    daedal_diagnosis *why;
} held_states;

/* DAEDAL_OK, DAEDAL_STOPPED, DAEDAL_ERR_START, or what a callback that fails leads to. */
daedal_status start_with_states_held(const held_states *s);
#endif
