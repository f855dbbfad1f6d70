/* newton/stage_matrix.h - the matrices of the transformed stages of a Runge-Kutta method.
 *
 * Responsibility: factor gamma K + J and (alpha_k + i beta_k) K + J, K = dF/dy' and J = dF/dy
 * as the iteration matrix keeps them, and solve with each.  The real one is the iteration
 * matrix itself.  Where factorizations are expensive, or there are none, the complex systems are
 * solved by GMRES with the real matrix, or its preconditioner, as the preconditioner of them all.
 * Depends on: newton/iteration_matrix.h, linalg/complex_solver.h, krylov/gmres.h.  */
#ifndef DAEDAL_NEWTON_STAGE_MATRIX_H
#define DAEDAL_NEWTON_STAGE_MATRIX_H

#include "krylov/gmres.h"
#include "linalg/complex_solver.h"
#include "newton/iteration_matrix.h"

enum { STAGE_PAIRS_MAX = 3 };

/* What is to be factored, the eigenvalues divided by the step size. */
typedef struct stage_shifts {
    double gamma;
    int32_t n_pairs;
    double alpha[STAGE_PAIRS_MAX], beta[STAGE_PAIRS_MAX];
} stage_shifts;

typedef struct stage_matrix {
    iteration_matrix *matrix; /* borrowed */
    const complex_solver *solver;
    int32_t n_pairs; /* that there is room for */
    void *pair[STAGE_PAIRS_MAX];
    double *re, *im; /* values of the complex matrix under way */
    gmres *space;    /* instead of complex factors, or NULL    */
    stage_shifts shifts;
    int32_t solving; /* the pair under way                     */
    double *both;    /* 2 n: a right-hand side                 */
    double *slope;   /* 2 n: a direction of y', without entries of the matrix */
    const daedal_allocator *allocator;
    block mem;
} stage_matrix;

/* All or nothing.  may_iterate: complex systems may be solved by GMRES where factors are expensive;
 * they are in any case where the real ones are.                                  */
daedal_status stage_matrix_create(stage_matrix *m, iteration_matrix *matrix, int32_t n_pairs,
                                  bool may_iterate, const daedal_allocator *a);
void stage_matrix_free(stage_matrix *m);

/* The complex factors of another one for the same matrices; false: factor instead. */
bool stage_matrix_copy(stage_matrix *m, const stage_matrix *from);

/* DAEDAL_OK, DAEDAL_ERR_SINGULAR or DAEDAL_ERR_MEMORY. */
daedal_status stage_matrix_factor(stage_matrix *m, const stage_shifts *shifts);

/* The complex ones alone, not counted: for a copy whose real matrix is factored already. */
daedal_status stage_matrix_factor_pairs(stage_matrix *m, const stage_shifts *shifts);

/* Whether some of the solves are by GMRES. */
bool stage_matrix_is_inexact(const stage_matrix *m);

/* Solve with the k-th complex matrix, by GMRES to two digits: Newton's iteration loses nothing by
 * that.                                                                          */
void stage_matrix_solve_pair(stage_matrix *m, int32_t k, const double *inverse_weight, double *re,
                             double *im);
#endif
