/* boundary/shooting.h - a boundary value problem by multiple shooting.
 *
 * Responsibility: initial value problems on segments, whose starts Newton's iteration moves until
 * the segments meet and the conditions hold.  Derivatives are the sensitivities of the solver.
 * Whatever the solver integrates can be solved, of any index; a segment is short enough that
 * nothing grows by much in it.
 * Depends on: boundary/solution.h, daedal.h.                                     */
#ifndef DAEDAL_BOUNDARY_SHOOTING_H
#define DAEDAL_BOUNDARY_SHOOTING_H

#include "boundary/solution.h"

typedef struct shooting_task {
    const daedal_system *sys;
    const daedal_options *options;
    boundary_conditions *conditions;
    const bool *is_differential; /* n: whose start values are sought               */
    bool has_high_index;         /* above two                                      */
    collocation_guess_fn *guess;
    void *user;
    int32_t segments, segments_most; /* at first                                   */
    daedal_diagnosis *why;
} shooting_task;

/* *result: on success alone. */
daedal_status shooting_solve(const shooting_task *task, bvp_result **result);
#endif
