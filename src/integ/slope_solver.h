/* integ/slope_solver.h - y' from t and y, for explicit methods.
 *
 * Responsibility: solve F(t, y, y') = 0 for y' by y' := y' - K^-1 F with K = dF/dy' of an earlier
 * point.  Where F is linear in y' and K constant, one call of F is enough; by how much an iteration
 * reduces the error is measured at the end of many steps, so that a K that varies, or an F that is
 * not linear, costs iterations, and never accuracy.
 * Depends on: integ/method.h, linalg/vector.h, newton/modified_newton.h. */
#ifndef DAEDAL_INTEG_SLOPE_SOLVER_H
#define DAEDAL_INTEG_SLOPE_SOLVER_H

#include <float.h>
#include <math.h>

#include "integ/method.h"
#include "linalg/vector.h"
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
    int32_t n_even;                  /* elements of scale and residual */
    block mem;
} slope_solver;

/* false: out of memory; slope_free in any case. */
bool slope_create(slope_solver *s, const integ_context *context);
void slope_free(slope_solver *s);
/* Copy a solver with the same set-up. */
void slope_copy(slope_solver *s, const slope_solver *from);
/* Forget what is known of the convergence, because F may have changed. */
void slope_forget(slope_solver *s);
/* Forget the patterns too. */
void slope_renew(slope_solver *s);

/* Whether one call of F is not enough. */
static inline bool slope_is_iterated(const slope_solver *s)
{
    const double noticed = 1e-2; /* rate */
    return !s->is_certain && s->rate > noticed && s->rate < 1.0;
}

/* Evaluate K again.  NEWTON_SINGULAR means that the equations do not determine y'. */
newton_outcome slope_prepare(slope_solver *s, const matrix_point *at);

/* The point at which y' is wanted, and the accuracy. */
typedef struct slope_point {
    double t;
    const double *y;
    const double *inverse_weight;
    double h;     /* with which y' will be multiplied                                    */
    bool measure; /* iterate at least twice                                              */
} slope_point;

static const double SLOPE_ACCURACY = 1e-4; /* of h y', in tolerances */

/* The largest change of y' by one iteration that shows that it was enough, for steps of size h.  It
 * is a sum of squares in tolerances, which saves a root; a negative answer means that one iteration
 * is never enough. */
static inline double slope_enough(const slope_solver *s, double h, bool measure)
{
    const double constant = 1e-5; /* rate of a K that does not vary */
    if (s->is_certain)
        return DBL_MAX;
    if (measure || !(s->rate < constant))
        return -1.0;
    double error = h * s->rate;
    return fmin(SLOPE_ACCURACY * SLOPE_ACCURACY * s->in.ev->n / (error * error), DBL_MAX);
}

/* Set yp = from - K^-1 F where K is diagonal; yp may be `from`.  The answer is the sum of the
 * squares of the change, in tolerances.  All vectors have an even length; an element of K^-1 beyond
 * n is zero. */
static inline double slope_correct_diagonal(const slope_solver *s, const double *w,
                                            const double *from, double *yp)
{
    const double *r = s->residual, *scale = s->scale;
    vector_pair sum = vector_pair_of(0.0);
    for (int32_t j = 0; j < s->n_even; j += 2) {
        vector_pair by = (vector_pair){r[j], r[j + 1]} * *(const vector_pair *)(scale + j);
        vector_pair in_tolerances = by * *(const vector_pair *)(w + j);
        *(vector_pair *)(yp + j) = *(const vector_pair *)(from + j) - by;
        sum += in_tolerances * in_tolerances;
    }
    return sum[0] + sum[1];
}

/* The part of slope_find for a K that is not diagonal, and for vectors of any length. */
newton_outcome slope_find_otherwise(slope_solver *s, const slope_point *at, const double *guess,
                                    double *yp);
/* Iterate further after an iteration that changed y' by so much, until two in a row show that y'
 * is found. */
newton_outcome slope_iterate_on(slope_solver *s, const slope_point *at, double moved, double *yp);
/* Decide what follows an iteration that was not enough, or where F has no value, from the answer of
 * F and the change. */
newton_outcome slope_conclude(slope_solver *s, const slope_point *at, int answer, double moved,
                              double *yp);

/* Compute y' from a guess, which may be yp; both and at->inverse_weight have an even length.
 * NEWTON_SLOW means that the iteration does not converge; a new K may help.  `enough` is
 * slope_enough() of `at`.  With a diagonal K a finite sum shows that F is finite.  This is called
 * for every stage and therefore stands here; the copies leave `at` in registers otherwise. */
static inline newton_outcome slope_find_within(slope_solver *s, const slope_point *at,
                                               double enough, const double *guess, double *yp)
{
    if (s->is_diagonal) {
        double moved = HUGE_VAL;
        int answer = evaluator_residual_unseen(s->in.ev, at->t, at->y, guess, s->residual);
        if (answer == DAEDAL_CALL_OK)
            moved = slope_correct_diagonal(s, at->inverse_weight, guess, yp);
        if (moved <= enough)
            return NEWTON_DONE;
        slope_point copy = *at;
        return slope_conclude(s, &copy, answer, moved, yp);
    }
    slope_point copy = *at;
    return slope_find_otherwise(s, &copy, guess, yp);
}

/* The same for one point alone. */
static inline newton_outcome slope_find(slope_solver *s, const slope_point *at, const double *guess,
                                        double *yp)
{
    return slope_find_within(s, at, slope_enough(s, at->h, at->measure), guess, yp);
}
#endif
