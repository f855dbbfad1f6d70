/* reduce/derivative_array.h - what equations and their derivatives together determine.
 *
 * Responsibility: along a path x(t) the Jacobians A = dF/dx' and B = dF/dx have Taylor
 * coefficients A_k, B_k.  The equations F = 0 and their derivatives, j in all, linearized:
 *     sum over c of (c A_{r-c+1} + B_{r-c}) dx_c = -B_r dx_0,   r = 0 .. j - 1, c = 1 .. j
 * with the Taylor coefficients x_c of x ([BCP96] (2.4.22)).  What they determine are the index,
 * degrees of freedom, and whether there is a solution for every right-hand side (section 2.4).
 * Depends on: linalg/rank.h.                                                    */
#ifndef DAEDAL_REDUCE_DERIVATIVE_ARRAY_H
#define DAEDAL_REDUCE_DERIVATIVE_ARRAY_H

#include "linalg/rank.h"

typedef struct derivative_array {
    int32_t n, order; /* coefficients 0 .. order are known           */
    double *a, *b;    /* A_0, A_1, ... and B_0, B_1, ...: n x n by rows */
    block mem;
} derivative_array;

/* Both zero.  false: out of memory; derivative_array_free in any case. */
bool derivative_array_create(derivative_array *d, int32_t n, int32_t order,
                             const daedal_allocator *a);
void derivative_array_free(derivative_array *d);

static inline double *derivative_array_at(const derivative_array *d, double *of, int32_t k)
{
    return of + (size_t)k * (size_t)d->n * (size_t)d->n;
}

typedef struct array_ranks {
    int32_t rank, corank; /* of the matrix of dx_1 .. dx_j                             */
    bool one_full;        /* dx_1 is determined by dx_0                                */
    bool full_rows;       /* with the columns of dx_0 no row depends on others         */
    int32_t freedom;      /* how many of dx_0 are not determined                       */
    bool clear;           /* no singular value near the limit                          */
} array_ranks;

/* With j <= order + 1 rows of blocks.  false: out of memory. */
bool derivative_array_ranks(const derivative_array *d, int32_t j, array_ranks *ranks,
                            const daedal_allocator *a);

typedef enum array_verdict {
    ARRAY_SOLVABLE,
    ARRAY_NOT_SOLVABLE, /* rows depend on one another: for some right-hand sides there is no
                           solution, and others do not determine one             */
    ARRAY_TOO_SHORT,    /* more derivatives may decide                           */
    ARRAY_UNCLEAR,      /* a rank is not clear                                   */
    ARRAY_NO_MEMORY
} array_verdict;

typedef struct array_finding {
    int32_t index, freedom;
    int32_t blocks; /* rows of blocks that were needed */
} array_finding;

array_verdict derivative_array_judge(const derivative_array *d, array_finding *found,
                                     const daedal_allocator *a);
#endif
