/* pencil/canonical_form.h - the finite part of a regular pencil, decoupled from the infinite one.
 *
 * Responsibility: matrices that bring lambda E - A to diag(lambda I - J, lambda N - I), by a
 * unitary staircase and the equations that decouple its diagonal blocks; vectors of the whole
 * pencil from those of its finite part. Depends on: pencil/kronecker.h. */
#ifndef DAEDAL_PENCIL_CANONICAL_FORM_H
#define DAEDAL_PENCIL_CANONICAL_FORM_H

#include "pencil/kronecker.h"

/* With the staircase of k: [I S; 0 I] and [I T; 0 I] decouple it; both n_infinite x n_finite. */
typedef struct decoupling {
    const kronecker *k;
    double *s, *t;
    double residual; /* of the equations of S and T, relative */
    block mem;
} decoupling;

/* Of a regular pencil.  false: out of memory; decoupling_free in any case. */
bool decoupling_create(decoupling *d, const kronecker *k, const daedal_allocator *a);
void decoupling_free(decoupling *d);

/* A right vector of the pencil as given, from one of its finite part; both real. */
void decoupling_right(const decoupling *d, const double *finite, double *vector);
/* The same for a left vector. */
void decoupling_left(const decoupling *d, const double *finite, double *vector);

/* Four n x n matrices by columns: left E right = e = diag(I, N), left A right = a = diag(J, I).
 * DAEDAL_ERR_MEMORY is the only failure.                                             */
typedef struct canonical_matrices {
    double *left, *right, *e, *a;
} canonical_matrices;
daedal_status canonical_form(const decoupling *d, const canonical_matrices *to);
#endif
