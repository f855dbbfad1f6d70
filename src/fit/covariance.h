/* fit/covariance.h - what least squares say of the accuracy of their unknowns.
 *
 * Responsibility: the inverse of J'J, and which directions of the unknowns J does not see.  The
 * columns of J are scaled to length one, and R of J P = Q R is decomposed into singular values: a
 * direction whose singular value is not more than the errors of J is undetermined, and so is every
 * unknown that takes part in it.
 * Depends on: linalg/qr.h, linalg/svd.h.                                         */
#ifndef DAEDAL_FIT_COVARIANCE_H
#define DAEDAL_FIT_COVARIANCE_H

#include "linalg/qr.h"
#include "linalg/svd.h"

typedef struct covariance {
    int32_t m, n;
    double *matrix;        /* n x n: (J'J)^-1 on the directions that are determined          */
    bool *is_undetermined; /* n                                                              */
    int32_t n_directions;
    double *direction; /* n x n: the first n_directions columns are those that J does not see, in
                          unknowns that are scaled by `length`                               */
    double *length;    /* n: of the columns of J                                             */
    double *copy;      /* larger of m and n, x n                                             */
    qr factors;
    svd values;
    block mem;
} covariance;

bool covariance_create(covariance *c, int32_t m, int32_t n, const daedal_allocator *a);
void covariance_free(covariance *c);

/* From J, m x n by columns, whose relative error is `noise`; unknowns that are held (is_held) have
 * zero rows and columns.  false: the decomposition does not converge.             */
bool covariance_find(covariance *c, const double *jacobian, const bool *is_held, double noise);

/* How the unknowns follow the value of row i: (J'J)^-1 J_i', n values; their product with J_i, the
 * leverage of the row, is the share of its error that the unknowns absorb.          */
double covariance_follow(const covariance *c, const double *jacobian, int32_t i, double *out);

/* Whether an unknown takes part in an undetermined direction. */
bool covariance_takes_part(const covariance *c, int32_t direction, int32_t j);
#endif
