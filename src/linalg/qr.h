/* linalg/qr.h - A P = Q R with column pivoting, of dense matrices (LAPACK dgeqp3).
 *
 * Responsibility: rank, and the turning of vectors by Q'.
 * Depends on: base/, LAPACK.                                                    */
#ifndef DAEDAL_LINALG_QR_H
#define DAEDAL_LINALG_QR_H

#include "base/memory.h"

typedef struct qr {
    int32_t rows, cols, n_work;
    int32_t *pivot;
    double *tau, *work;
    block mem;
} qr;

/* For matrices of this size, and up to n_right vectors to turn at a time. */
bool qr_create(qr *f, int32_t rows, int32_t cols, int32_t n_right, const daedal_allocator *a);
void qr_free(qr *f);

/* Factor a, by columns, in place; how many pivots exceed the tolerance times the first. */
int32_t qr_factor(qr *f, double *a, double tolerance);

/* b = Q' b for n_right columns of `rows` entries, a being the factored matrix.    */
void qr_turn(qr *f, const double *a, double *b, int32_t n_right);
#endif
