/* linalg/full_svd.h - singular values and all vectors of dense rectangular matrices (LAPACK).
 *
 * Responsibility: A = U diag(s) Vt with U and Vt square; matrices without rows or columns too.
 * Depends on: base/, LAPACK.                                                    */
#ifndef DAEDAL_LINALG_FULL_SVD_H
#define DAEDAL_LINALG_FULL_SVD_H

#include "base/memory.h"

typedef struct full_svd {
    int32_t rows_most, cols_most, n_work;
    double *a, *u, *vt, *s, *work;
    int32_t *counters;
    block mem;
} full_svd;

/* For matrices of at most this size.  false: out of memory; full_svd_free in any case. */
bool full_svd_create(full_svd *d, int32_t rows_most, int32_t cols_most, const daedal_allocator *a);
void full_svd_free(full_svd *d);

/* Decompose the matrix in d->a, by columns, which is destroyed: u is rows x rows, vt cols x cols, s
 * descending.  false: it does not converge.                                       */
bool full_svd_decompose(full_svd *d, int32_t rows, int32_t cols);
#endif
