/* integ/limiters.h - which variables and equations limit the step size.
 *
 * Responsibility: counters by variable (largest share in the error of accepted steps, largest
 * error of rejected ones, largest correction where Newton's iteration failed) and by equation
 * (largest residual where it failed).
 * Invariant: the counts of accepted steps sum up to daedal_stats.steps, except for steps whose
 * error was largest in a multiplier of constraint_method; those of failures to at most the failures
 * of the statistics.  Nothing is allocated.
 * Depends on: newton/modified_newton.h.                                          */
#ifndef DAEDAL_INTEG_LIMITERS_H
#define DAEDAL_INTEG_LIMITERS_H

#include "newton/modified_newton.h"

typedef struct limiters {
    int32_t n;
    int64_t *steps, *rejected_error, *rejected_newton; /* n each, by variable              */
    int64_t *equation_newton;                          /* n, by equation                   */
} limiters;

/* Count one in a list of n.  Numbers outside it are none of the user's variables or equations; an
 * instance beside the run has no counters (NULL).                                */
static inline void limiters_count(const limiters *l, int64_t *list, int32_t i)
{
    if (i >= 0 && i < l->n)
        list[i]++;
}

/* The last correction of an iteration that failed, by which the variable and the equation are
 * found.                                                                         */
typedef struct limiters_correction {
    const iteration_matrix *matrix; /* that it was computed with                         */
    const double *correction, *inverse_weight;
} limiters_correction;

void limiters_count_newton(limiters *l, newton_outcome why, const limiters_correction *last);
/* List the `most` variables or equations with the largest counts, the largest first.  The answer
 * is their number. */
int32_t limiters_rank_variables(const limiters *l, daedal_limiter *list, int32_t most);
int32_t limiters_rank_equations(const limiters *l, daedal_limiter *list, int32_t most);
#endif
