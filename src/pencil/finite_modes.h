/* pencil/finite_modes.h - the finite eigenvalues of a pencil, and what takes part in them.
 *
 * Depends on: pencil/canonical_form.h, LAPACK.                                      */
#ifndef DAEDAL_PENCIL_FINITE_MODES_H
#define DAEDAL_PENCIL_FINITE_MODES_H

#include "pencil/canonical_form.h"

/* Ordered by falling real part; of two conjugates the one with the positive imaginary part is
 * first. participation: n x columns by rows, the share of each variable in each mode, sums of 1;
 * NULL: the pencil is singular.                                                              */
typedef struct finite_modes {
    int32_t n;
    double *real, *imaginary, *participation;
} finite_modes;

/* DAEDAL_OK, DAEDAL_ERR_MEMORY, or DAEDAL_ERR_SINGULAR: the QZ iteration does not converge. `given`
 * is the pencil of k as given; results live in the arena.                             */
daedal_status finite_modes_find(finite_modes *m, const kronecker *k, const matrix_pair *given,
                                arena *mem);
#endif
