/* newton/central_jacobian.h - more digits for a Jacobian by differences.
 *
 * Responsibility: entries of m->dy and m->dyp by central differences, where these are more accurate
 * than the one-sided ones that stand there.  Newton's iteration does not need it; derivatives of a
 * solution do.
 * Depends on: newton/difference_jacobian.h.                                  */
#ifndef DAEDAL_NEWTON_CENTRAL_JACOBIAN_H
#define DAEDAL_NEWTON_CENTRAL_JACOBIAN_H

#include "newton/iteration_matrix.h"

/* After matrix_evaluate at the same point; nothing where no differences are taken.  A
 * daedal_answer.
 */
int central_jacobian_refine(iteration_matrix *m, const matrix_point *at);
#endif
