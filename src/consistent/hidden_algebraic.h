/* consistent/hidden_algebraic.h - starts where dF/dy' hides algebraic relations.
 *
 * Responsibility: a way (start_iteration.h) for systems whose dF/dy' is singular although
 * every variable's derivative occurs.  Dense, for n up to HIDDEN_ALGEBRAIC_LARGEST.
 * Depends on: consistent/start_iteration.h, linalg/svd.h.                               */
#ifndef DAEDAL_CONSISTENT_HIDDEN_ALGEBRAIC_H
#define DAEDAL_CONSISTENT_HIDDEN_ALGEBRAIC_H

#include "consistent/start_iteration.h"
#include "linalg/svd.h"

enum { HIDDEN_ALGEBRAIC_LARGEST = 1000 };

typedef struct hidden_algebraic {
    int32_t n, rank;      /* of dF/dy'                                                 */
    svd e;                /* of dF/dy' with rows and columns scaled                    */
    double *row, *column; /* the scaling                                          */
    double *jv;           /* dF/dy times the null vectors of dF/dy', then the square block */
    double *small;        /* right-hand side of the square block                       */
    int32_t *pivot;
    bool is_singular; /* the square block                                          */
    block mem;
} hidden_algebraic;

bool hidden_algebraic_create(hidden_algebraic *h, int32_t n, const daedal_allocator *a);
void hidden_algebraic_free(hidden_algebraic *h); /* safe on a zeroed struct */

start_way hidden_algebraic_way(hidden_algebraic *h);

/* Whether the square block is regular and the rank of dF/dy' clear, so that nothing else is
 * hidden. */
bool hidden_algebraic_is_all(hidden_algebraic *h, const iteration_matrix *m);
#endif
