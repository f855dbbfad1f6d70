/* adjoint/end_values.h - where the adjoint equations begin.
 *
 * With A = dF/dy', B = dF/dy at the end of the run and the gradient b of the end term by y: the
 * part of b that acts on algebraic variables is taken to the equations that determine them,
 *     b = A' lambda + B' eta,  A' eta = 0.
 * lambda is where the adjoint equations begin, and -eta' dF/dp is a part of the gradient.
 * Equations of index two in Hessenberg's form, with unknowns Z that have no derivatives, equations
 * C without derivatives that do not contain Z, and the gradient g of the integrand: b = A' lambda +
 * B' eta outside Z,  eta = 0 outside C,  B' lambda = g in Z, since the adjoint equations have a
 * constraint as well, which lambda satisfies. Depends on: adjoint/coefficients.h. */
#ifndef DAEDAL_ADJOINT_END_VALUES_H
#define DAEDAL_ADJOINT_END_VALUES_H

#include "adjoint/coefficients.h"

typedef struct end_values {
    const coefficients *of; /* evaluated at the end */
    double span;            /* of the run */
    const double *weight;   /* n: 1 / what is small in lambda */
    double *lambda, *eta;   /* n each */
    double *work, *slack;   /* n each */
    double *values;         /* of the matrix */
    pattern transposed;
    int32_t *at;        /* where an entry of the pattern stands in the transposed one */
    bool *is_algebraic; /* n: an unknown of Z      */
    bool *is_bare;      /* n: an equation of C     */
    block mem;
} end_values;

bool end_values_create(end_values *e, const coefficients *of);
void end_values_free(end_values *e);

/* DAEDAL_OK, DAEDAL_ERR_MEMORY, or DAEDAL_ERR_INDEX: there are no such values, the index is above
 * one.                                                                           */
daedal_status end_values_find(end_values *e, const double *b);

/* Whether the coefficients have Hessenberg's form of index two: Z and C are marked then. */
bool end_values_are_hessenberg(end_values *e);
/* The same for that form; b counts outside Z only, g in Z only. */
daedal_status end_values_find_hessenberg(end_values *e, const double *b, const double *g);
#endif
