/* pencil/staircase_form.h - unitary reduction of a pencil lambda E - A to a staircase.
 *
 * Responsibility: P and Q with P'P = I, Q'Q = I such that
 *
 *     P' (lambda E - A) Q = [ lambda E11 - A11   lambda E12 - A12 ]
 *                           [         0          lambda E22 - A22 ]
 *
 * where E22 has full column rank, and the first part has all infinite eigenvalues and all right
 * minimal indices, with the numbers of both in the widths of its steps.
 * Invariant: what a rank decision calls zero is exactly zero afterwards.
 * Depends on: linalg/full_svd.h.                                                  */
#ifndef DAEDAL_PENCIL_STAIRCASE_FORM_H
#define DAEDAL_PENCIL_STAIRCASE_FORM_H

#include "linalg/full_svd.h"

/* rows x cols, by columns. */
typedef struct matrix_pair {
    int32_t rows, cols;
    const double *e, *a;
} matrix_pair;

/* Step k deflates nullity[k] columns and rank[k] rows. */
typedef struct staircase_form {
    int32_t rows, cols;
    double *e, *a; /* transformed, rows x cols                                          */
    double *p, *q; /* rows x rows, cols x cols                                          */
    int32_t n_steps, *nullity, *rank;
    int32_t i, j; /* where E22 begins                                                  */
    double tolerance, size_e, size_a; /* singular values of E below tolerance * size_e are zero */
    double kept;    /* the smallest singular value that was taken for one, relative; or 1 */
    double dropped; /* the largest that was taken for zero; or 0                          */
    full_svd s;
    double *turned;
    block mem;
} staircase_form;

/* DAEDAL_OK; DAEDAL_ERR_MEMORY; DAEDAL_ERR_SINGULAR: singular values do not converge.
 * staircase_form_free in any case.                                                */
daedal_status staircase_form_create(staircase_form *f, const matrix_pair *from, double tolerance,
                                    const daedal_allocator *a);
void staircase_form_free(staircase_form *f);
#endif
