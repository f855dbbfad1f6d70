/* consistent/algebraic_correction.h - algebraic variables inside a step, and where F jumps.
 *
 * Responsibility: between the steps of some methods algebraic variables are known to fewer digits
 * than the others.  The equations determine them, and y', from the differential variables: an
 * iteration or two of Newton at an output point.  The same iteration finds them where a value from
 * outside jumps that F does not multiply with an unknown.  The matrix of the run is not changed.
 * Depends on: newton/iteration_matrix.h.                                         */
#ifndef DAEDAL_CONSISTENT_ALGEBRAIC_CORRECTION_H
#define DAEDAL_CONSISTENT_ALGEBRAIC_CORRECTION_H

#include "newton/iteration_matrix.h"

typedef struct algebraic_correction {
    iteration_matrix matrix; /* of its own: that of the run stays as it is                     */
    const bool *is_differential;
    double *share_y, *share_yp; /* columns of the matrix: dF/dy or dF/dy'                       */
    double *step, *y, *yp;
    bool has_factors;
    block mem;
} algebraic_correction;

/* For a system with this matrix.  false: out of memory; algebraic_correction_free in any case. */
bool algebraic_correction_create(algebraic_correction *x, const iteration_matrix *of,
                                 const bool *is_differential, const daedal_allocator *a);
void algebraic_correction_free(algebraic_correction *x);

/* Make x equal to another one of the same set-up. */
void algebraic_correction_copy(algebraic_correction *x, const algebraic_correction *from);

/* A point inside a step of size h. */
typedef struct algebraic_point {
    double t, h;
    const double *inverse_weight;
    bool may_move_far; /* if no other solution is near: the differential y are accurate */
} algebraic_point;

/* Correct algebraic y and differential y'.  Where the equations do not determine them, or the
 * iteration does not converge because they are too far off (*far), they stay as they were.
 * DAEDAL_OK or DAEDAL_STOPPED.                                                    */
daedal_status algebraic_correction_apply(algebraic_correction *x, const algebraic_point *at,
                                         double *y, double *yp, bool *far);

/* After a jump of F that has left its derivatives as they were: algebraic y and differential y' as
 * a start would find them, with the factors at hand as long as these contract; h is the time in
 * which y varies.  *done: they were found; else y and yp are as before.  A daedal_answer other
 * than RETRY.                                                                    */
int algebraic_correction_jump(algebraic_correction *x, const algebraic_point *at, double *y,
                              double *yp, bool *done);

/* Estimate y' of the algebraic variables by a step of size h, which is tiny: 0 where that fails. A
 * daedal_answer other than RETRY.                                                */
int algebraic_correction_slopes(algebraic_correction *x, double t, double h, const double *y,
                                double *yp);
#endif
