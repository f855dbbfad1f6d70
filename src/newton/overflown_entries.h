/* newton/overflown_entries.h - entries of a given Jacobian that are NaN where F is constant.
 *
 * Responsibility: the derivative of 1/(1 + exp(-x)) is computed as 0 times infinity where exp
 * overflows, although it is 0.  Such an entry becomes 0, if F confirms it.
 * Depends on: newton/iteration_matrix.h.                                         */
#ifndef DAEDAL_NEWTON_OVERFLOWN_ENTRIES_H
#define DAEDAL_NEWTON_OVERFLOWN_ENTRIES_H

#include "newton/iteration_matrix.h"

/* `values` is dF/dy + c dF/dy' in the order of m->pattern.  Entries that are NaN become 0 where
 * F does not depend on the variable around the point; others stay NaN.  A daedal_answer.  */
int overflown_entries_mend(iteration_matrix *m, const matrix_point *at, double c, double *values);
#endif
