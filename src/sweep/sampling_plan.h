/* sweep/sampling_plan.h - which values the parameters take in which run of a sweep.
 *
 * Responsibility: the table of values, a row for each run: all combinations (a grid), or samples,
 * that is random ones, a Latin hypercube, or Sobol's sequence.  A row depends on the seed and on
 * its number alone, so that it does not matter which thread runs it, and when. Depends on:
 * sweep/variation.h.                                                */
#ifndef DAEDAL_SWEEP_SAMPLING_PLAN_H
#define DAEDAL_SWEEP_SAMPLING_PLAN_H

#include "base/memory.h"
#include "sweep/variation.h"

typedef enum sampling_kind { SAMPLING_RANDOM, SAMPLING_LATIN, SAMPLING_SOBOL } sampling_kind;

enum { SOBOL_DIMENSIONS = 32 }; /* parameters that Sobol's sequence can vary */

typedef struct sampling_plan {
    const variation *varied;
    int32_t n_varied;
    sampling_kind kind; /* of samples */
    int64_t n_runs;     /* samples; of a grid: sampling_grid_size */
    uint64_t seed;
} sampling_plan;

/* The number of combinations; -1: more than INT64_MAX.  All are lists or ranges. */
int64_t sampling_grid_size(const sampling_plan *p);
/* Fill n_runs rows of n_varied values.  In a grid the last parameter changes from run to run. */
void sampling_grid(const sampling_plan *p, double *values);
/* false: out of memory. */
bool sampling_samples(const sampling_plan *p, double *values, const daedal_allocator *allocator);
#endif
