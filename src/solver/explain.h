/* solver/explain.h - failures in the modeller's words.
 *
 * Responsibility: add to a recorded failure which variable or equation is to blame and
 * what to try; compare a given Jacobian with differences.
 * Depends on: newton/, linalg/, base/.                                       */
#ifndef DAEDAL_SOLVER_EXPLAIN_H
#define DAEDAL_SOLVER_EXPLAIN_H

#include "newton/iteration_matrix.h"

typedef struct explain_point {
    evaluator *ev;
    iteration_matrix *matrix;
    daedal_diagnosis *why;
    const daedal_allocator *allocator;
    double t;
    const double *y, *yp, *inverse_weight;
    double h;
} explain_point;

/* Complete the diagnosis of a failed step; `worst` is the variable with the largest
 * error, or -1.                                                                 */
void explain_failure(const explain_point *at, int32_t worst);

/* DAEDAL_OK, or DAEDAL_ERR_JACOBIAN with the worst entries named.  Differences below `gross`, a
 * share of the largest entry of the row, do not count; 0: all do.                      */
daedal_status explain_wrong_jacobian(const explain_point *at, double gross);
#endif
