/* linalg/least_squares.h - minimum-norm least squares of dense, possibly
 * rank-deficient systems (LAPACK dgelsy).
 *
 * Depends on: base/, LAPACK.                                                    */
#ifndef DAEDAL_LINALG_LEAST_SQUARES_H
#define DAEDAL_LINALG_LEAST_SQUARES_H

#include "base/memory.h"

typedef struct least_squares {
    int32_t rows, cols, rank; /* rank of the last matrix solved */
    double
        tolerance; /* singular values below this, of the largest, are noise: rounding by default */
    int32_t n_work;
    int32_t *pivot;
    double *work;
    block mem;
} least_squares;

bool least_squares_create(least_squares *ls, int32_t rows, int32_t cols, const daedal_allocator *a);
/* For up to `count` right sides at a time. */
bool least_squares_create_many(least_squares *ls, int32_t rows, int32_t cols, int32_t count,
                               const daedal_allocator *a);
void least_squares_free(least_squares *ls);

/* x = the shortest minimiser of |a x - b|.  a is rows x cols by columns, b has
 * max(rows, cols) entries; a is destroyed, b becomes x.                         */
void least_squares_solve(least_squares *ls, double *a, double *b);

/* The same for `count` right sides, max(rows, cols) entries each. */
void least_squares_solve_many(least_squares *ls, double *a, double *b, int32_t count);
#endif
