/* consistent/start_iteration.h - damped Newton shared by the ways of starting.
 *
 * Responsibility: the iteration, line search and bounds; how a correction is found
 * is the caller's business.
 * Depends on: consistent/start_correction.h.                                               */
#ifndef DAEDAL_CONSISTENT_START_ITERATION_H
#define DAEDAL_CONSISTENT_START_ITERATION_H

#include "consistent/start_correction.h"

/* A way to solve F + dF/dy dy + dF/dy' dyp = 0 for the entries that may move. */
typedef struct start_way {
    /* Prepare for the parts just evaluated in p->matrix. */
    daedal_status (*prepare)(void *self, const start_problem *p);
    /* Correction (dy, dyp) for the residual r; r may be overwritten. */
    void (*correct)(void *self, const start_problem *p, double *r, double *dy, double *dyp);
    void *self;
} start_way;

daedal_status start_iterate(const start_problem *p, const start_way *way);
#endif
