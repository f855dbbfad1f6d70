/* linalg/complex_solver.h - linear solvers for complex matrices.
 *
 * Responsibility: the complex counterpart of each real solver: the implicit Runge-Kutta
 * methods factor J + (alpha + i beta) K beside J + c K, both with one pattern.  Real and
 * imaginary parts travel in arrays of their own; a solver packs them as it likes.
 *
 *     dense          own kernel, in linsolver_dense.c
 *     lapack, band   the z-routines, in linsolver_lapack.c and linsolver_band.c
 *     klu            klu_z, in linsolver_klu.c
 *     a user's own   the real matrix [X -Y; Y X] of twice the size, complex_doubled.c
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_COMPLEX_SOLVER_H
#define DAEDAL_LINALG_COMPLEX_SOLVER_H

#include "base/pattern.h"

typedef struct complex_solver {
    /* All or nothing.  real: the solver whose counterpart this is; factors: what it has made for
     * the same pattern, whose order and pivots are taken over where they serve.  Outlives this;
     * or NULL.                                                                    */
    daedal_status (*create)(void **self, const daedal_linsolver *real, void *factors,
                            const daedal_pattern *pattern, const daedal_allocator *allocator);
    /* DAEDAL_OK, DAEDAL_ERR_SINGULAR or DAEDAL_ERR_MEMORY; values in the order of the pattern. */
    daedal_status (*factor)(void *self, const double *re, const double *im);
    void (*solve)(void *self, double *re, double *im); /* overwrites the right-hand side */
    int64_t (*reallocations)(void *self); /* times memory grew after create; may be NULL      */
    void (*destroy)(void *self);
    /* Factors, and what the next ones depend on; NULL: cannot, factor again. */
    void (*copy)(void *self, const void *from);
} complex_solver;

/* The counterpart of a real solver. */
const complex_solver *complex_solver_of(const daedal_linsolver *real);

/* Pairs of doubles from two arrays, and back. */
static inline void complex_pack(const double *re, const double *im, int32_t n, double *pairs)
{
    for (int32_t i = 0; i < n; i++) {
        pairs[2 * i] = re[i];
        pairs[2 * i + 1] = im[i];
    }
}

static inline void complex_unpack(const double *pairs, int32_t n, double *re, double *im)
{
    for (int32_t i = 0; i < n; i++) {
        re[i] = pairs[2 * i];
        im[i] = pairs[2 * i + 1];
    }
}

extern const complex_solver complex_dense, complex_lapack, complex_band, complex_klu,
    complex_doubled;
#endif
