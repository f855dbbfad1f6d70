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

/* Move each colour at this point and note in m->watch which rows answer without an entry; the
 * values of the Jacobian stay as they are.  A daedal_answer.                              */
int difference_jacobian_look(iteration_matrix *m, const matrix_point *at);

/* A column of the colouring: of dF/dy the first n, of dF/dy' the others. */
typedef struct difference_column {
    int32_t number, which, j; /* which: 0 of y, 1 of y'; j: the variable */
    int32_t first, end;       /* its entries in part[which]              */
} difference_column;

static inline difference_column difference_column_of(const iteration_matrix *m, int32_t number)
{
    int32_t n = m->ev->n, which = number >= n, j = number - which * n;
    const int32_t *start = m->part[which].view.start;
    return (difference_column){number, which, j, start[j], start[j + 1]};
}

/* The increment of one variable, [BCP96] (5.2.17). */
double difference_jacobian_increment(double y, double hyp, double weight);
#endif
