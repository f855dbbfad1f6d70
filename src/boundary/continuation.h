/* boundary/continuation.h - a problem solved by collocation, if need be along a parameter.
 *
 * Responsibility: the whole way from a guess to a solution with its condition: directly, or for
 * values of a parameter from an easy one to the one that is asked for, in steps that grow and
 * shrink with Newton's iteration; and the words where it ends.
 * Depends on: boundary/adaptive.h, conditioning.h, solution.h.                   */
#ifndef DAEDAL_BOUNDARY_CONTINUATION_H
#define DAEDAL_BOUNDARY_CONTINUATION_H

#include "boundary/conditioning.h"
#include "boundary/solution.h"

typedef struct continuation_task {
    const collocation_problem *problem;
    int32_t stages;
    adaptive_settings settings;
    collocation_guess_fn *guess;
    void *user;
    double *parameter; /* or NULL */
    double from;
    daedal_diagnosis *why;
} continuation_task;

/* *result: on success alone. */
daedal_status continuation_solve(const continuation_task *task, bvp_result **result);
#endif
