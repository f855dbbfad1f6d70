/* integ/one_step.h - what one-step methods share around their formulas.
 *
 * Responsibility: the size of a first step, a step fitted to a limit, bounds, and y' made
 * continuous between steps.
 * Depends on: integ/method.h, linalg/vector.h.                                   */
#ifndef DAEDAL_INTEG_ONE_STEP_H
#define DAEDAL_INTEG_ONE_STEP_H

#include "integ/method.h"

/* 1 / (rtol |y| + atol), as asked for: without the law that BDF needs. */
void one_step_weigh(const integ_context *in, const double *y, double *inverse_weight);

/* How bold a method is with its first step: which share of the steps before a restart it tries,
 * else which part of the time in which y would change by its own size.           */
typedef struct one_step_courage {
    double share, part;
} one_step_courage;

/* With its sign.  inverse_weight is that of from->y. */
double one_step_first(const integ_context *in, const integ_begin *from,
                      const double *inverse_weight, one_step_courage rule);

/* h, but not past the limit, and without leaving a sliver before it. */
double one_step_fit(const integ_context *in, double h, double left);

/* Put y back inside its bounds, if it is outside by less than a tolerance; false: by more.
 * `work` has n entries. */
bool one_step_keep_bounds(const integ_context *in, double *y, const double *inverse_weight,
                          double *work);
/* An error that does not shrink with h is not one of the step: y itself violates algebraic
 * equations, by roundoff or by what extrapolation left.  The step restores them, so it is taken;
 * but not at a start, where the fault is the user's and should be named.         */
typedef struct one_step_errors {
    int32_t stalls;
    double first, last; /* of the attempts */
    double h_first;
} one_step_errors;

/* Note the error of a rejected attempt; true: take the step after all. */
bool one_step_has_stalled(one_step_errors *e, double error, double h, bool first_step);
#endif
