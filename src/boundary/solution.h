/* boundary/solution.h - the solution that a caller gets.
 *
 * Depends on: boundary/piecewise.h, boundary/adaptive.h.                         */
#ifndef DAEDAL_BOUNDARY_SOLUTION_H
#define DAEDAL_BOUNDARY_SOLUTION_H

#include "base/status.h"
#include "boundary/adaptive.h"
#include "boundary/piecewise.h"

/* `shown` is first: what the caller has points to the whole. */
typedef struct bvp_result {
    daedal_bvp_solution shown;
    piecewise path;
    double *mesh_y;
    daedal_allocator allocator;
    block mem;
} bvp_result;

/* Room for a path of this many intervals; NULL: out of memory.  The times of the path, its values
 * and mesh_y are for the caller to fill in.                                      */
bvp_result *result_create(int32_t n, int32_t n_intervals, const daedal_allocator *a);
/* The solution of a collocation. */
bvp_result *result_of_collocation(const collocation *c);

/* Whether shooting may solve what collocation did not: unless that has shown why there is no
 * solution, or not only one. */
static inline bool shooting_may_help(daedal_status failure, const daedal_diagnosis *why)
{
    return failure_is(failure, NUMERIC_FAILURE) && why->cause != DAEDAL_CAUSE_NO_SOLUTION &&
           why->cause != DAEDAL_CAUSE_REDUNDANT_EQUATIONS;
}
#endif
