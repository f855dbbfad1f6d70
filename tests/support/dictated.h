/* support/dictated.h - the integrators of the library with dictated steps and orders.
 *
 * Responsibility: the formulas of the library without its error tests and its choice of step and
 * order, so that what textbooks state for fixed steps can be measured on them.  Newton's method is
 * the library's own, with a tolerance near roundoff and a new matrix for every step.
 * Depends on: driving.h, fixed_step.h, integ/.                                   */
#ifndef DAEDAL_SUPPORT_DICTATED_H
#define DAEDAL_SUPPORT_DICTATED_H

#include "driving.h"
#include "fixed_step.h"

/* method: a value of the option `method`.  order: of BDF the number of steps, of radau 1, 5, 9 or
 * 13, of limex the row of the extrapolation table in which every step ends, 2 .. 8; rodas: 5.
 * tolerance: of BDF and radau, for Newton's method and for the distance from the constraints; 0: as
 * near to roundoff as Newton's method comes.                                      */
typedef struct dictated {
    const char *method;
    int32_t order;
    double tolerance;
} dictated;

/* A run on a problem.  BDF takes systems of any index: it is started on y' = 0, because a run
 * refuses what its error test cannot judge, and meets the system afterwards.      */
typedef struct dictated_run {
    dictated how;
    const trial_problem *problem;
    bool disguised;
    kernel kn;
} dictated_run;

/* From the values on the mesh before point `first`: `order` of them for BDF, else the last one. */
void dictated_open(dictated_run *d, const dictated *how, const trial_problem *p, const mesh *g,
                   int32_t first);
/* One step to t; y at its end. */
const double *dictated_step(dictated_run *d, double t);
void dictated_close(dictated_run *d);

/* All points of the mesh from `first`. */
void dictated_fill(const dictated *how, const trial_problem *p, mesh *g, int32_t first);

/* |y - exact| at the end of the problem, from exact values; ratio as in mesh_open. */
void dictated_error(const dictated *how, const trial_problem *p, int32_t steps, double ratio,
                    double *error);
#endif
