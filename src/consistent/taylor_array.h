/* consistent/taylor_array.h - the derivative array from the user's Taylor coefficients.
 *
 * Responsibility: values of a fine difference array and the Taylor coefficients of dF/dy and dF/dy'
 * where the system has a function for Taylor coefficients of F, in place of differences in time.
 * Depends on: consistent/difference_array.h.                                        */
#ifndef DAEDAL_CONSISTENT_TAYLOR_ARRAY_H
#define DAEDAL_CONSISTENT_TAYLOR_ARRAY_H

#include "consistent/difference_array.h"

static inline bool taylor_array_is_given(const difference_array *x)
{
    return x->is_fine && !x->ignores_taylor && x->p->matrix->ev->sys->taylor;
}

/* Derivatives of F into x->best (level by level), and what they are uncertain by into x->noise; the
 * sizes of terms are those measured last.  A daedal_answer.                         */
int taylor_array_values(difference_array *x, const double *unknown);

/* x->e and x->a, by differences with respect to the coefficients.  A daedal_answer. */
int taylor_array_parts(difference_array *x, const double *unknown);
#endif
