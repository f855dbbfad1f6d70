/* linalg/svd.h - singular value decomposition of dense matrices (LAPACK).
 *
 * Depends on: base/, LAPACK.                                                    */
#ifndef DAEDAL_LINALG_SVD_H
#define DAEDAL_LINALG_SVD_H

#include "base/memory.h"

/* A = U diag(s) Vt, everything n x n by columns, s descending. */
typedef struct svd {
    int32_t n, n_work;
    double *a, *u, *s, *vt, *work;
    int32_t *counters;
    int32_t *row, *column; /* n each: those that are not zero first */
    block mem;
} svd;

bool svd_create(svd *d, int32_t n, const daedal_allocator *a);
void svd_free(svd *d);

/* Decompose the matrix in d->a, which is destroyed; false if it does not converge. */
bool svd_decompose(svd *d);

/* out = U' x, n x n. */
void svd_turn(const svd *d, const double *x, double *out);

/* How many of `count` singular values, descending, are more than noise. */
int32_t svd_rank(const double *s, int32_t count, double noise);

/* The same for noise of a relative size, or -1 where that is not clear: a value is so near the
 * noise that it may be either.                                                   */
int32_t svd_clear_rank(const double *s, int32_t count, double relative_noise);
#endif
