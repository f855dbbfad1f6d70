/* boundary/solution.h - the solution that a caller gets.
 *
 * Depends on: boundary/piecewise.h, boundary/adaptive.h.                         */
#ifndef DAEDAL_BOUNDARY_SOLUTION_H
#define DAEDAL_BOUNDARY_SOLUTION_H

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
#endif
