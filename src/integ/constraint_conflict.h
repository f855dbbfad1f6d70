/* integ/constraint_conflict.h - do constraints take back what the equations do?
 *
 * Responsibility: the moves that constraints make, summed with sign over a number of steps and
 * compared with how far the variables themselves have come meanwhile.  Errors of steps add up to
 * less; a constraint that contradicts the equations moves a variable back and back, and it comes
 * nowhere.
 * Depends on: base/memory.h.                                                     */
#ifndef DAEDAL_INTEG_CONSTRAINT_CONFLICT_H
#define DAEDAL_INTEG_CONSTRAINT_CONFLICT_H

#include "base/memory.h"

typedef struct constraint_conflict {
    int32_t n, count;
    double *sum;    /* n: of the moves                                           */
    double *base;   /* n: y when they began                                      */
    double *reach;  /* n: how far y has been from there                          */
    double *weight; /* n: the largest meanwhile; y may pass through zero         */
} constraint_conflict;

void constraint_conflict_lay_out(constraint_conflict *u, int32_t n, layout *l);
void constraint_conflict_begin(constraint_conflict *u, const double *y);

/* In the step that ends at y_j. */
void constraint_conflict_note(constraint_conflict *u, int32_t j, double y, double move,
                              double weight);

/* A step is complete: a variable that the constraints hold back, or -1. */
int32_t constraint_conflict_found(constraint_conflict *u, const double *y);
#endif
