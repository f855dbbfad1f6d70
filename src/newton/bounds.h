/* newton/bounds.h - the bounds of the variables.
 *
 * Responsibility: what lower and upper bounds of a system mean for a value of y.
 * Depends on: daedal.h, linalg/vector.h.                                        */
#ifndef DAEDAL_NEWTON_BOUNDS_H
#define DAEDAL_NEWTON_BOUNDS_H

#include <math.h>
#include <stdbool.h>

#include "linalg/vector.h"

static inline bool bounds_are_given(const daedal_system *sys)
{
    return sys->lower.at || sys->upper.at;
}

/* y_i, or the bound it has passed. */
static inline double bounds_inside(const daedal_system *sys, int32_t i, double y)
{
    if (sys->lower.at)
        y = fmax(y, sys->lower.at[i]);
    return sys->upper.at ? fmin(y, sys->upper.at[i]) : y;
}

/* What brings y inside, entry by entry; false: nothing is outside, `way` need not be set. */
bool bounds_way_back(const daedal_system *sys, const vector_space *space, const double *y,
                     double *way);

/* Put y back if it is outside by less than a tolerance; false: by more.  `work` has n entries. */
bool bounds_keep(const daedal_system *sys, double *y, const double *inverse_weight, double *work);
#endif
