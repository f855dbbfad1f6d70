/* boundary/piecewise.h - a solution as polynomials on intervals.
 *
 * Responsibility: y and y' kept at the Chebyshev points of each interval, and their values anywhere
 * by the barycentric formula.  Polynomials of degree 7, as those of all methods, are kept exactly.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_BOUNDARY_PIECEWISE_H
#define DAEDAL_BOUNDARY_PIECEWISE_H

#include "base/memory.h"

enum { PIECEWISE_NODES = 8 };

typedef struct piecewise {
    int32_t n, n_intervals;
    double *t;      /* n_intervals + 1                                  */
    double *values; /* by interval and node: y, then y'                 */
    block mem;
} piecewise;

/* false: out of memory; piecewise_free in any case. */
bool piecewise_create(piecewise *p, int32_t n, int32_t n_intervals, const daedal_allocator *a);
void piecewise_free(piecewise *p);
/* The nodes of interval i, from p->t. */
double piecewise_node(const piecewise *p, int32_t i, int32_t k);
/* Where y of node k in interval i stands; y' follows. */
double *piecewise_values(const piecewise *p, int32_t i, int32_t k);
void piecewise_at(const piecewise *p, double t, double *y, double *yp);
#endif
