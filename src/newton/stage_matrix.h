/* newton/stage_matrix.h - the matrices of the transformed stages of a Runge-Kutta method.
 *
 * Responsibility: factor gamma K + J and (alpha_k + i beta_k) K + J, K = dF/dy' and J = dF/dy
 * as the iteration matrix keeps them, and solve with each.  The real one is the iteration
 * matrix itself.
 * Depends on: newton/iteration_matrix.h, linalg/complex_solver.h.            */
#ifndef DAEDAL_NEWTON_STAGE_MATRIX_H
#define DAEDAL_NEWTON_STAGE_MATRIX_H

#include "linalg/complex_solver.h"
#include "newton/iteration_matrix.h"

enum { STAGE_PAIRS_MAX = 3 };

typedef struct stage_matrix {
    iteration_matrix *matrix; /* borrowed */
    const complex_solver *solver;
    int32_t n_pairs; /* that there is room for */
    void *pair[STAGE_PAIRS_MAX];
    double *re, *im; /* values of the complex matrix under way */
    block mem;
} stage_matrix;

/* What is to be factored, the eigenvalues divided by the step size. */
typedef struct stage_shifts {
    double gamma;
    int32_t n_pairs;
    double alpha[STAGE_PAIRS_MAX], beta[STAGE_PAIRS_MAX];
} stage_shifts;

/* All or nothing. */
daedal_status stage_matrix_create(stage_matrix *m, iteration_matrix *matrix, int32_t n_pairs,
                                  const daedal_allocator *a);
void stage_matrix_free(stage_matrix *m);

/* The complex factors of another one for the same matrices; false: factor instead. */
bool stage_matrix_copy(stage_matrix *m, const stage_matrix *from);

/* DAEDAL_OK, DAEDAL_ERR_SINGULAR or DAEDAL_ERR_MEMORY. */
daedal_status stage_matrix_factor(stage_matrix *m, const stage_shifts *shifts);

/* The complex ones alone, not counted: for a copy whose real matrix is factored already. */
daedal_status stage_matrix_factor_pairs(stage_matrix *m, const stage_shifts *shifts);

/* Solve with the k-th complex matrix. */
void stage_matrix_solve_pair(stage_matrix *m, int32_t k, double *re, double *im);
#endif
