/* index/dense_pencil.h - the index of the pencil lambda E + A of a system at one point.
 *
 * Responsibility: the k from which on the rank of M^k stays, M = (c E + A)^-1 E, E = dF/dy',
 * A = dF/dy; dense, for systems of at most PENCIL_ROWS_MAX equations.
 * Depends on: base/, linalg/svd.h.                             */
#ifndef DAEDAL_INDEX_DENSE_PENCIL_H
#define DAEDAL_INDEX_DENSE_PENCIL_H

#include "base/pattern.h"
#include "linalg/svd.h"

enum { PENCIL_ROWS_MAX = 300 };

typedef struct dense_pencil {
    int32_t n;
    double *e, *a; /* E and A, by columns */
    double *m, *power, *product;
    pattern pattern;
    svd s;
    block mem;
} dense_pencil;

/* false: out of memory; dense_pencil_free in any case. */
bool dense_pencil_create(dense_pencil *p, int32_t n, const daedal_allocator *a);
void dense_pencil_free(dense_pencil *p);

/* The index of the local pencil; -1: it cannot be told.  *freedom: the rank that stays, the
 * number of finite eigenvalues.                                                  */
int32_t dense_pencil_index(dense_pencil *p, const daedal_allocator *a, int32_t *freedom);
#endif
