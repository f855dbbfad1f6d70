/* integ/undone.h - do constraints take back what the equations do?
 *
 * Responsibility: the moves that constraints make, summed with sign over a number of steps and
 * compared with how far the variables themselves have come meanwhile.  Errors of steps add up to
 * less; a constraint that contradicts the equations moves a variable back and back, and it comes
 * nowhere.
 * Depends on: base/memory.h.                                                     */
#ifndef DAEDAL_INTEG_UNDONE_H
#define DAEDAL_INTEG_UNDONE_H

#include "base/memory.h"

typedef struct undone {
    int32_t n, count;
    double *sum;    /* n: of the moves                                           */
    double *base;   /* n: y when they began                                      */
    double *reach;  /* n: how far y has been from there                          */
    double *weight; /* n: the largest meanwhile; y may pass through zero         */
} undone;

void undone_lay_out(undone *u, int32_t n, layout *l);
void undone_begin(undone *u, const double *y);

/* In the step that ends at y_j. */
void undone_note(undone *u, int32_t j, double y, double move, double weight);

/* A step is complete: a variable that the constraints hold back, or -1. */
int32_t undone_by_now(undone *u, const double *y);
#endif
