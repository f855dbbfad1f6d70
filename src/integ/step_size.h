/* integ/step_size.h - sizes of steps that do not depend on the method's formulas.
 *
 * Responsibility: the size of a first step, and a step fitted to the limits that options and the
 * next stop set.
 * Depends on: integ/method.h, linalg/vector.h.                                   */
#ifndef DAEDAL_INTEG_STEP_SIZE_H
#define DAEDAL_INTEG_STEP_SIZE_H

#include <math.h>

#include "integ/method.h"

/* How large the first step of a method is: a share of the step before a restart or, if there is
 * none, a part of the time in which y would change by its own size. */
typedef struct step_courage {
    double share, part;
} step_courage;

/* The first step size, with its sign. inverse_weight belongs to from->y.  It is at least the time
 * in which y would change by half a tolerance.  At a restart the steps before tell more than
 * ||y'||, which is useless where a variable is near zero. */
double step_first(const integ_context *in, const integ_begin *from, const double *inverse_weight,
                  step_courage rule);

/* h within min_step and max_step, but not past what is left before the limit; before every attempt,
 * hence here.                                                                    */
static inline double step_fit(const daedal_options *options, step_arrival how, double h,
                              double left)
{
    double size = fabs(h);
    if (size < options->min_step)
        size = options->min_step;
    if (options->max_step > 0.0 && size > options->max_step)
        size = options->max_step;
    if (size * (1.0 + how.stretch) >= fabs(left))
        return left;
    return how.ahead * size > fabs(left) ? 0.5 * left : copysign(size, h);
}

/* x limited to low .. high. */
static inline double step_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}
#endif
