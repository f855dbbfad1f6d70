/* boundary/conditioning.h - how a boundary value problem answers to disturbances.
 *
 * Responsibility: the two condition numbers of a solution, and which boundary conditions depend on
 * each other, in words.
 * Depends on: boundary/collocation.h.                                            */
#ifndef DAEDAL_BOUNDARY_CONDITIONING_H
#define DAEDAL_BOUNDARY_CONDITIONING_H

#include "boundary/collocation.h"

typedef struct bvp_condition {
    double of_conditions; /* max over t of the norm of dy(t)/dr                            */
    double of_equations;  /* the same of the integral of Green's function                  */
} bvp_condition;

/* At the solution u.  DAEDAL_OK, DAEDAL_ERR_SINGULAR, DAEDAL_ERR_MEMORY, or a callback failed. */
daedal_status condition_find(collocation *c, bvp_condition *found);

/* ---- dependence.c ---- */

/* Whether the conditions fit the degrees of freedom of the equations, linearised at `at`, whose
 * problem has `given` conditions or any other.  DAEDAL_OK: nothing is wrong with them; else what is
 * wrong is said in *why.                                                          */
daedal_status dependence_explain(const collocation *at, boundary_conditions *given,
                                 daedal_diagnosis *why);
#endif
