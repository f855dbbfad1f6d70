/* integ/constraint_conflict.h - detect constraints that contradict the differential equations.
 *
 * Responsibility: the corrections by projection are summed with sign over a number of steps and
 * compared with the distance that the variables themselves have moved.  Corrections of step errors
 * add up to less; a constraint that contradicts the equations moves a variable back in every step,
 * so that it stays where it is. Depends on: base/memory.h. */
#ifndef DAEDAL_INTEG_CONSTRAINT_CONFLICT_H
#define DAEDAL_INTEG_CONSTRAINT_CONFLICT_H

#include "base/memory.h"

typedef struct constraint_conflict {
    int32_t n, count;
    double *sum;    /* n: of the corrections                                          */
    double *base;   /* n: y when they began                                      */
    double *reach;  /* n: how far y has been from there                          */
    double *weight; /* n: the largest meanwhile; y may pass through zero         */
} constraint_conflict;

void constraint_conflict_lay_out(constraint_conflict *u, int32_t n, layout *l);
void constraint_conflict_begin(constraint_conflict *u, const double *y);

/* Note the correction of variable j in the step that ends at y_j. */
void constraint_conflict_note(constraint_conflict *u, int32_t j, double y, double move,
                              double weight);

/* Complete a step.  The answer is a variable that the constraints keep in its place, or -1. */
int32_t constraint_conflict_found(constraint_conflict *u, const double *y);
#endif
