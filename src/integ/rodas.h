/* integ/rodas.h - the state of a Rosenbrock run, for a few digits.
 *
 * A step solves no nonlinear equations: one matrix, one solution for each stage
 * (docs/theory/rodas.md).  F(t, y, y') = 0 is seen as y' = z, 0 = F(t, y, z), to which the
 * method is applied, and z eliminated, with K = dF/dy', J = dF/dy:
 *     Z_i = z + sum_j a_ij V_j,   S_i = sum_j c_ij U_j / h
 *     (K/(h g) + J) U_i = -F(t_i, Y_i, Z_i) + K (Z_i + S_i) - d_i h F_t
 *     V_i = U_i/(h g) - Z_i - S_i
 *   rodas.c              making, beginning, interpolating
 *   rodas_step.c         one accepted step
 *   rodas_table.c        coefficients
 * Depends on: integ/method.h, integ/rodas_table.h.                               */
#ifndef DAEDAL_INTEG_RODAS_H
#define DAEDAL_INTEG_RODAS_H

#include "integ/method.h"
#include "integ/rodas_table.h"
#include "integ/substeps.h"

typedef struct rodas {
    integ_context in;
    const rodas_table *tab;
    int32_t n;

    double t, t_before;
    double h, h_last;             /* signed: of the next and of the last step     */
    double error, error_accepted; /* of the attempt, of the last step             */
    int64_t steps_done;           /* since begin                                            */
    bool parts_are_here;          /* F, dF/dy, dF/dy' and dF/dt are those at (t, y)        */
    int32_t worst;

    double *y, *yp; /* at t; yp is z                                              */
    double *y_before, *yp_before;
    double *y_new, *yp_new;
    double *u[RODAS_STAGES_MAX], *v[RODAS_STAGES_MAX];
    double *here;      /* F(t, y, yp)                                               */
    double *in_time;   /* dF/dt                                                     */
    double *sum, *rhs; /* S_i; the right-hand side of a stage                      */
    double *dense[RODAS_DENSE_MAX];
    double *slope_start, *slope_end; /* y' less the slope of the interpolant       */
    bool dense_known;
    double *inverse_weight;
    substeps beside; /* for output points */
    block mem;
} rodas;

daedal_status rodas_step(void *self, double t_limit);
#endif
