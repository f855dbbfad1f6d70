/* newton/difference_jacobian.h - Jacobians by one-sided differences, coloured.
 *
 * Responsibility: fill m->dy and m->dyp from m->colours.n_colours calls.
 * Depends on: newton/iteration_matrix.h.                                     */
#ifndef DAEDAL_NEWTON_DIFFERENCE_JACOBIAN_H
#define DAEDAL_NEWTON_DIFFERENCE_JACOBIAN_H

#include "newton/iteration_matrix.h"

enum difference_of { DIFFERENCE_RESIDUAL, DIFFERENCE_MASS_PRODUCT };

/* A daedal_answer.  Adds to the values, which the caller has zeroed. */
int difference_jacobian_evaluate(iteration_matrix *m, const matrix_point *at,
                                 enum difference_of what);

/* The increment of one variable, [BCP96] (5.2.17). */
double difference_jacobian_increment(double y, double hyp, double weight);
#endif
