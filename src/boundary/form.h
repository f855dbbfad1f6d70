/* boundary/form.h - whether a system can be solved by collocation, and in which form.
 *
 * Responsibility: differential and algebraic unknowns, the constraints of an index of two in
 * Hessenberg's form, and derivatives of F for collocation.h, from the run of a solver that was
 * started at the guess.
 * Depends on: boundary/collocation.h, solver/run.h.                              */
#ifndef DAEDAL_BOUNDARY_FORM_H
#define DAEDAL_BOUNDARY_FORM_H

#include "boundary/collocation.h"
#include "solver/run.h"

typedef struct bvp_form {
    collocation_problem problem;
    bool serves;        /* collocation solves it                                      */
    const char *reason; /* in words, why or why not                                   */
    daedal_stats stats;
    evaluator ev;
    iteration_matrix parts;
    const daedal_linsolver *solver;
    double *y, *yp, *share_y, *share_yp, *inverse_weight;
    int32_t *place, *x_of, *z_of, *constraint_of, *slope_row_of, *pushed_of;
    bool *has_slope, *has_algebraic; /* by row of F: y' or z occurs                     */
    int64_t iterations;
    block mem;
} bvp_form;

/* DAEDAL_OK also where it does not serve; the conditions are for the caller to set. form_free in
 * any case.                                                                      */
daedal_status form_create(bvp_form *f, daedal_solver *solver, daedal_diagnosis *why);
void form_free(bvp_form *f);
#endif
