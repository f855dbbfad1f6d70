/* linalg/min_norm.h - the shortest solution of sparse equations with fewer rows than columns.
 *
 * Responsibility: u with A u = b and least |u|, from
 *     [ I  A' ] [ u  ]   [ 0 ]
 *     [ A  0  ] [ mu ] = [ b ]
 * by a sparse factorization.  A is a part of a larger matrix: some rows, some columns.  Where its
 * rows may depend on one another, -d in place of the 0 makes the matrix regular: the solution then
 * minimises |u|^2 + |A u - b|^2 / d.
 * Depends on: base/, linalg/linsolver.h.                                        */
#ifndef DAEDAL_LINALG_MIN_NORM_H
#define DAEDAL_LINALG_MIN_NORM_H

#include "linalg/linsolver.h"

typedef struct min_norm {
    int32_t n_rows, n_cols;
    pattern pattern; /* of the matrix above                                          */
    int32_t
        *entry; /* by its entries: number of the entry in the larger matrix; -1: of I, -2: of -d */
    double *matrix;
    double damping; /* d */
    const daedal_linsolver *solver;
    void *factors;
    block mem;
} min_norm;

/* Which part of the larger matrix: new numbers of its rows and columns, -1 where they are not
 * in it; every column has an entry.                                              */
typedef struct min_norm_part {
    const daedal_pattern *whole;
    const int32_t *row_at, *col_at;
    int32_t n_rows, n_cols;
    double damping; /* 0: none */
} min_norm_part;

/* false: out of memory; min_norm_free in any case. */
bool min_norm_create(min_norm *s, const min_norm_part *part, const daedal_allocator *a);
void min_norm_free(min_norm *s);

/* A_ij = row_scale[i] * values * col_scale[j], with the values of the larger matrix and the
 * numbers of the part.  DAEDAL_ERR_SINGULAR: rows depend on one another, and nothing is damped. */
daedal_status min_norm_factor(min_norm *s, const double *values, const double *row_scale,
                              const double *col_scale);

/* b has n_rows + n_cols entries: on entry b stands behind n_cols places, on return u in front. */
void min_norm_solve(min_norm *s, double *b);
#endif
