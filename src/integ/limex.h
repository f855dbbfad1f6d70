/* integ/limex.h - the state of an extrapolation run.
 *
 * The linearly implicit Euler method with n_j = 1, 2, 3 ... steps of h = H/n_j, extrapolated to
 * h = 0 ([BCP96] 4.6; [DN87]).  A step of size h from (t_k, y_k) with slope z_k solves
 *     (K/h + J) D = -F(t_k + h, y_k, z_k) + K z_k,   y_k + D,   z = D/h
 * with K = dF/dy', J = dF/dy at the beginning of the large step H: scheme 1 of [BCP96] after
 * (4.6.4), and the same for F(t, y, y') = 0.  docs/theory/limex.md.
 *   limex.c              making, beginning, interpolating
 *   limex_step.c         one accepted step: columns, order and size
 * Depends on: integ/method.h.                                                    */
#ifndef DAEDAL_INTEG_LIMEX_H
#define DAEDAL_INTEG_LIMEX_H

#include "integ/method.h"
#include "integ/substeps.h"

enum {
    LIMEX_ROWS = 8, /* of the extrapolation table at most      */
    LIMEX_KNOTS = 4 /* that the interpolant passes through     */
};

/* A mesh point that the interpolant passes through, with its slope. */
typedef struct limex_knot {
    double t;
    double *y, *yp;
} limex_knot;

typedef struct limex {
    integ_context in;
    int32_t n, rows_max;

    double t, h, h_last;
    int32_t least;  /* rows that are aimed at                                    */
    int32_t target; /* row in which the next step should end                     */
    int32_t order_last;
    int64_t steps_done; /* since begin                                            */
    bool parts_are_here;
    int32_t worst;
    double error;                /* of the row under way                               */
    double size[LIMEX_ROWS + 1]; /* by row: the next step, if it should end there */
    double work[LIMEX_ROWS + 1]; /* by row: what a step to there costs            */

    limex_knot knot[LIMEX_KNOTS]; /* the last ones, the newest first                        */
    int32_t n_knots;
    double *row_y[LIMEX_ROWS], *row_yp[LIMEX_ROWS]; /* T_j,1 .. T_j,j of the last row       */
    double *row_first[LIMEX_ROWS]; /* the same of the slopes of the first small steps     */
    double *y, *z, *z_first, *rhs, *residual;
    double *inverse_weight;
    substeps beside; /* for output points */
    block mem;
} limex;

daedal_status limex_step(void *self, double t_limit);
#endif
