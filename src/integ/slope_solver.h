/* integ/slope_solver.h - y' from t and y, for explicit methods.
 *
 * Responsibility: solve F(t, y, y') = 0 for y' by y' := y' - K^-1 F with K = dF/dy' of an earlier
 * point.  Where F is linear in y' and K constant, one call of F is enough; by how much an iteration
 * reduces the error is measured at the end of many steps, so that a K that varies, or an F that is
 * not linear, costs iterations, and never accuracy.
 * Depends on: integ/method.h, newton/modified_newton.h.                          */
#ifndef DAEDAL_INTEG_SLOPE_SOLVER_H
#define DAEDAL_INTEG_SLOPE_SOLVER_H

#include "integ/method.h"
#include "newton/modified_newton.h"

typedef struct slope_solver {
    integ_context in;
    bool is_certain;   /* M y' = f with a constant M: nothing to measure                   */
    bool is_ready;     /* there is a K                                                     */
    bool is_single;    /* it has one entry in each row and column, K_ij = 1/scale_j        */
    bool is_diagonal;  /* and its row is j, in a residual                                  */
    int32_t *equation; /* n: its row                                                       */
    double *scale;     /* n */
    double rate;       /* the error after an iteration over that before; 1: unknown        */
    double *residual, *zeros, *ones; /* n */
    block mem;
} slope_solver;

/* false: out of memory; slope_free in any case. */
bool slope_create(slope_solver *s, const integ_context *context);
void slope_free(slope_solver *s);
/* The same set-up. */
void slope_copy(slope_solver *s, const slope_solver *from);
/* F may have changed: measure again. */
void slope_forget(slope_solver *s);
/* The patterns may have changed, too. */
void slope_renew(slope_solver *s);

/* Whether one call of F is not enough. */
bool slope_is_iterated(const slope_solver *s);

/* Another K.  NEWTON_SINGULAR: the equations do not determine y'. */
newton_outcome slope_prepare(slope_solver *s, const matrix_point *at);

/* Where y' is wanted, and how exactly. */
typedef struct slope_point {
    double t;
    const double *y;
    const double *inverse_weight;
    double h;     /* with which y' will be multiplied                                    */
    bool measure; /* iterate at least twice                                              */
} slope_point;

/* y' from a guess, which may be yp.  NEWTON_SLOW: no convergence, a new K may help. */
newton_outcome slope_find(slope_solver *s, const slope_point *at, const double *guess, double *yp);
#endif
