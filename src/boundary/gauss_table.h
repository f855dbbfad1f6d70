/* boundary/gauss_table.h - collocation at the Gauss points.
 *
 * Responsibility: the nodes c, the weights b and the coefficients a of the s-stage Gauss method on
 * [0, 1], and the weights that give the collocation polynomial anywhere.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_BOUNDARY_GAUSS_TABLE_H
#define DAEDAL_BOUNDARY_GAUSS_TABLE_H

#include <stdint.h>

enum { GAUSS_STAGES_MAX = 7 };

typedef struct gauss_table {
    int32_t s;
    double c[GAUSS_STAGES_MAX], b[GAUSS_STAGES_MAX];
    double a[GAUSS_STAGES_MAX][GAUSS_STAGES_MAX];
    double basis[GAUSS_STAGES_MAX][GAUSS_STAGES_MAX]; /* of l_j, in powers of theta - 1/2 */
    double at_start[GAUSS_STAGES_MAX];                /* l_j(0)                           */
    double at_end[GAUSS_STAGES_MAX];                  /* l_j(1)                           */
    double value_error;    /* max over [0, 1] of |(theta - c_1) ... (theta - c_s)| / s!       */
    double integral_error; /* the same of the integral of this product from 0              */
} gauss_table;

/* 1 <= s <= GAUSS_STAGES_MAX */
void gauss_create(gauss_table *g, int32_t s);
/* w_j = l_j(theta), the Lagrange polynomials of the nodes. */
void gauss_values(const gauss_table *g, double theta, double *w);
/* w_j = integral of l_j from 0 to theta. */
void gauss_integrals(const gauss_table *g, double theta, double *w);
/* The derivative number s - 1 of the polynomial through values v_j is sum_j w_j v_j. */
void gauss_leading(const gauss_table *g, double *w);
#endif
