/* integ/radau_table.h - the coefficients of the Radau IIA methods with 1, 3, 5 and 7 stages.
 *
 * Responsibility: nodes, the inverse of the Runge-Kutta matrix, its eigenvalues and the
 * transformation to them, the basis of the collocation polynomial.  No vectors.
 *
 * Nodes c_1 < .. < c_s = 1 are the zeros of P_s(2x-1) - P_{s-1}(2x-1).  The inverse of A has
 * one real eigenvalue gamma and (s-1)/2 pairs alpha +- i beta; with T = [v, Re v_1, Im v_1, ..],
 * v_k an eigenvector of alpha_k - i beta_k,
 *     T^-1 A^-1 T = diag(gamma, [alpha -beta; beta alpha], ...)
 * ([HW96] IV.8; property test: tests/property/test_radau_table.c).
 * Depends on: libc.                                                             */
#ifndef DAEDAL_INTEG_RADAU_TABLE_H
#define DAEDAL_INTEG_RADAU_TABLE_H

#include <stdint.h>

enum {
    RADAU_STAGES_MAX = 7,
    RADAU_SIZES = 4 /* numbers of stages there are: 1, 3, 5, 7 */
};

typedef struct radau_table {
    int32_t stages;
    double gamma;
    const double *node;           /* s                                       */
    const double *weight;         /* s: of the quadrature, the last row of A */
    const double *alpha, *beta;   /* (s-1)/2                                 */
    const double *a_inverse;      /* s x s, by rows, like the next two       */
    const double *t, *t_inverse;  /*                                         */
    const double *slope_at_start; /* s: l_j'(0), see radau_basis             */
    const double *basis_scale;    /* s: 1 / (c_j prod_{k != j} (c_j - c_k))  */
    const double *bend;           /* see radau_bend                          */
    int32_t bend_degree;
    double wave_scale; /* 1 / prod (-c_j)                          */
} radau_table;

/* By 2 pairs + 1 stages. */
extern const radau_table radau_tables[RADAU_SIZES];
static inline const radau_table *radau_table_of(int32_t pairs)
{
    return &radau_tables[pairs];
}

/* The polynomial through (0, 0), (c_j, Z_j) is sum_j l_j(x) Z_j; the values and, if slope is
 * not NULL, the derivatives of l_j at x.                                        */
void radau_basis(const radau_table *tab, double x, double *value, double *slope);

/* B(x) with B(0) = B(1) = B'(1) = 0, B'(0) = 1, and B'(c_i) = 0: what a wrong slope at the
 * start of a step adds to the collocation polynomial without changing a stage derivative.
 * (One stage: the cubic with these values at 0 and 1.)                           */
double radau_bend(const radau_table *tab, double x, double *slope);

/* D(x) = x prod (x - c_i) / prod (-c_i): D(0) = D(c_i) = 0, D'(0) = 1, D'(1) = -s.  The error
 * of a polynomial through given values at 0 and the nodes is a multiple of it.  */
double radau_wave(const radau_table *tab, double x, double *slope);

/* The largest |B| and |D| in 0 .. 1. */
double radau_bend_height(const radau_table *tab);
double radau_wave_height(const radau_table *tab);
#endif
