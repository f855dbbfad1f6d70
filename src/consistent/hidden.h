/* consistent/hidden.h - starts where dF/dy' hides algebraic relations.
 *
 * Responsibility: a way (start_newton.h) for systems whose dF/dy' is singular although
 * every variable's derivative occurs.  Dense, for n up to HIDDEN_LARGEST.
 * Depends on: consistent/start_newton.h, linalg/svd.h.                               */
#ifndef DAEDAL_CONSISTENT_HIDDEN_H
#define DAEDAL_CONSISTENT_HIDDEN_H

#include "consistent/start_newton.h"
#include "linalg/svd.h"

enum { HIDDEN_LARGEST = 1000 };

typedef struct hidden {
    int32_t n, rank;      /* of dF/dy'                                                 */
    svd e;                /* of dF/dy' with rows and columns scaled                    */
    double *row, *column; /* the scaling                                          */
    double *jv;           /* dF/dy times the null vectors of dF/dy', then the square block */
    double *small;        /* right-hand side of the square block                       */
    int32_t *pivot;
    bool is_singular; /* the square block                                          */
    block mem;
} hidden;

bool hidden_create(hidden *h, int32_t n, const daedal_allocator *a);
void hidden_free(hidden *h); /* safe on a zeroed struct */

start_way hidden_way(hidden *h);

/* Is the square block regular, and the rank of dF/dy' clear?  Then nothing else is hidden. */
bool hidden_is_all(hidden *h, const iteration_matrix *m);
#endif
