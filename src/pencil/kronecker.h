/* pencil/kronecker.h - the Kronecker structure of a pencil lambda E - A, square or not.
 *
 * Responsibility: infinite blocks, minimal indices, the finite part, the characteristic values r,
 * a, s, d, u, v [KM06]; the scaling in which ranks are decided. Depends on:
 * pencil/staircase_form.h, linalg/curtis_reid.h.                           */
#ifndef DAEDAL_PENCIL_KRONECKER_H
#define DAEDAL_PENCIL_KRONECKER_H

#include "base/arena.h"
#include "pencil/staircase_form.h"

/* Block sizes or minimal indices. */
typedef struct block_sizes {
    int32_t n, *at;
} block_sizes;

typedef struct characteristic_values {
    int32_t r, a, s, d, u, v;
} characteristic_values;

/* E and A in even units: rows and columns are multiplied by powers of two, E also by 1 / tau. */
typedef struct even_pencil {
    int32_t rows, cols;
    double *e, *a, *row, *column, tau;
} even_pencil;

typedef struct kronecker {
    even_pencil even;
    staircase_form form;     /* of the even pencil                                      */
    block_sizes infinite;    /* descending                                              */
    block_sizes right, left; /* minimal indices, ascending                              */
    characteristic_values values;
    int32_t n_finite, n_infinite;
    double *finite_e, *finite_a; /* n_finite x n_finite by columns, even; E is regular      */
    double kept, dropped;        /* as in the staircase, over all rank decisions            */
    arena mem;
} kronecker;

/* DAEDAL_OK; DAEDAL_ERR_MEMORY; DAEDAL_ERR_SINGULAR: singular values do not converge.
 * kronecker_free in any case.  All entries are finite.                                 */
daedal_status kronecker_create(kronecker *k, const matrix_pair *from, double tolerance,
                               const daedal_allocator *a);
void kronecker_free(kronecker *k);
bool kronecker_is_regular(const kronecker *k);

/* even_pencil.c: false: out of memory. */
bool even_pencil_create(even_pencil *to, const matrix_pair *from, arena *mem);
/* characteristic_values.c */
daedal_status characteristic_values_of(const matrix_pair *from, double tolerance,
                                       characteristic_values *to, const daedal_allocator *a);
#endif
