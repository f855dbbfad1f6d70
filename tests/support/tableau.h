/* support/tableau.h - Runge-Kutta methods by their coefficients, and what these promise.
 *
 * Responsibility: the tableaus that the textbook tables of differential-algebraic equations are
 * about, each one line in tableau.c; order conditions, stability constant, symmetry.
 * Depends on: cmocka, small_dense.h.                                            */
#ifndef DAEDAL_SUPPORT_TABLEAU_H
#define DAEDAL_SUPPORT_TABLEAU_H

#include <stdbool.h>
#include <stdint.h>

enum { STAGES_MAX = 7 };

typedef struct tableau {
    const char *name;
    int32_t stages;
    double c[STAGES_MAX], a[STAGES_MAX][STAGES_MAX], b[STAGES_MAX];
} tableau;

/* By name; the test fails if there is none. */
tableau tableau_of(const char *name);
int32_t tableau_count(void);
const char *tableau_name(int32_t i);

/* The method that collocates at these nodes: a_ij and b_j are the integrals of the Lagrange
 * polynomials of the nodes from 0 to c_i and to 1.                               */
tableau tableau_collocation(const char *name, int32_t stages, const double *nodes);

/* A^-1 by rows; false if A is singular. */
bool tableau_inverse(const tableau *m, double *inverse);

enum {
    ORDER_NONE = -1,    /* not even the conditions before the first order hold */
    ORDER_INFINITE = 99 /* every condition that was tried holds                */
};

/* Largest q with B(q), with C(q), with both: [BCP96] (4.3.8). */
int32_t tableau_quadrature_order(const tableau *m);
int32_t tableau_collocation_order(const tableau *m);
int32_t tableau_stage_order(const tableau *m);

/* r = 1 - b^T A^-1 e, [BCP96] (4.2.25); NAN if A is singular. */
double tableau_stability(const tableau *m);

/* k_a,j of [BCP96] Proposition 4.2.1: the order conditions of constant coefficients of index
 * j.  Its second line is to end with (i-j+2), as for j = 1, 2.                   */
int32_t tableau_algebraic_order(const tableau *m, int32_t index);

/* min over i <= index of (k_d, k_a,i - index + 2): [BCP96] Theorem 4.2.2, k_d being the order for
 * ordinary differential equations.  ORDER_NONE if a k_a,i is.                     */
int32_t tableau_constant_order(const tableau *m, int32_t k_d, int32_t index);

/* a_{s+1-i,s+1-j} + a_ij = b_j: its own adjoint. */
bool tableau_symmetric(const tableau *m);
#endif
