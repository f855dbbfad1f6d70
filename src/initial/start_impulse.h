/* initial/start_impulse.h - how constraints change the start values of states.
 *
 * Responsibility: the jump of the states that an impulse of the constraints makes.
 * Depends on: initial/start_problem.h, linalg/linsolver.h.                                */
#ifndef DAEDAL_INITIAL_START_IMPULSE_H
#define DAEDAL_INITIAL_START_IMPULSE_H

#include "initial/start_problem.h"
#include "linalg/linsolver.h"

typedef struct start_impulse {
    start_problem *m;
    const daedal_linsolver *solver;
    void *factors;
    double *matrix;
    double *z; /* by row: what is to be removed; then by unknown: how it moves */
    block mem;
} start_impulse;

/* false: out of memory; start_impulse_free in any case. */
bool start_impulse_create(start_impulse *p, start_problem *m);
void start_impulse_free(start_impulse *p);

/* For constraints of the highest level, `which` of length n with the residuals r: the jump that
 * takes them to zero, to first order, into z.  false: there is none.              */
bool start_impulse_find(start_impulse *p, const int32_t *which, const double *r, int32_t n);
#endif
