/* index/derivative_array.h - what equations and their derivatives together determine.
 *
 * Responsibility: along a path x(t) the Jacobians A = dF/dx' and B = dF/dx have Taylor
 * coefficients A_k, B_k.  The equations F = 0 and their derivatives, j in all, linearized:
 *     sum over c of (c A_{r-c+1} + B_{r-c}) dx_c = -B_r dx_0,   r = 0 .. j - 1, c = 1 .. j
 * with the Taylor coefficients x_c of x ([BCP96] (2.4.22)).  What they determine are the index,
 * degrees of freedom, and whether there is a solution for every right-hand side (section 2.4).
 * The coefficients come from elsewhere: of expressions they are exact (reduce/system_array.h), of
 * functions they are found by differences (index/sampled_array.h) and known to some doubt only.
 * Depends on: linalg/rank.h.                                                    */
#ifndef DAEDAL_INDEX_DERIVATIVE_ARRAY_H
#define DAEDAL_INDEX_DERIVATIVE_ARRAY_H

#include "linalg/rank.h"

typedef struct derivative_array {
    int32_t n, order; /* coefficients 0 .. order are known           */
    double *a, *b;    /* A_0, A_1, ... and B_0, B_1, ...: n x n by rows */
    double *doubt;    /* relative, about A_k and B_k; 0: they are exact */
    block mem;
} derivative_array;

/* All zero.  false: out of memory; derivative_array_free in any case. */
bool derivative_array_create(derivative_array *d, int32_t n, int32_t order,
                             const daedal_allocator *a);
void derivative_array_free(derivative_array *d);

static inline double *derivative_array_at(const derivative_array *d, double *of, int32_t k)
{
    return of + (size_t)k * (size_t)d->n * (size_t)d->n;
}

/* An entry of the array: of Taylor coefficient r of an equation by coefficient c of an unknown,
 * where the coefficients of the entries of A and B stand `stride` apart.         */
static inline double derivative_array_entry(const double *a, const double *b, size_t stride,
                                            int32_t r, int32_t c)
{
    double v = c <= r ? b[(size_t)(r - c) * stride] : 0.0;
    return c > 0 && c <= r + 1 ? v + c * a[(size_t)(r - c + 1) * stride] : v;
}

typedef struct array_ranks {
    int32_t rank, corank; /* of the matrix of dx_1 .. dx_j                             */
    bool one_full;        /* dx_1 is determined by dx_0                                */
    bool full_rows;       /* with the columns of dx_0 no row depends on others         */
    int32_t freedom;      /* how many of dx_0 are not determined                       */
    bool clear;           /* no pivot near the limit                                   */
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
