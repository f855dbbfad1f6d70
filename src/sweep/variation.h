/* sweep/variation.h - the values that a parameter takes in a sweep.
 *
 * Responsibility: lists and ranges, whose values are counted, and distributions, which are sampled.
 * Each is a function of a number u between 0 and 1, so that every sampling plan serves all of them.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_SWEEP_VARIATION_H
#define DAEDAL_SWEEP_VARIATION_H

#include <stdbool.h>
#include <stdint.h>

typedef enum variation_kind {
    VARY_LIST,       /* the values themselves                                      */
    VARY_RANGE,      /* n values from a to b at equal distances                    */
    VARY_LOG_RANGE,  /* n values from a to b with equal ratios                     */
    VARY_UNIFORM,    /* between a and b                                            */
    VARY_LOGUNIFORM, /* the logarithm is uniform between those of a and b          */
    VARY_NORMAL,     /* mean a, standard deviation b                               */
    VARY_LOGNORMAL   /* median a; b is the standard deviation of the logarithm     */
} variation_kind;

typedef struct variation {
    variation_kind kind;
    double a, b;
    int64_t n;          /* of a list or a range; 0: a distribution */
    const double *list; /* borrowed */
} variation;

/* NULL if the numbers make sense, else what is wrong, in words ("the standard deviation must be
 * positive").                                                                   */
const char *variation_check(const variation *v);

/* Value k of a list or a range, 0 <= k < n. */
double variation_at(const variation *v, int64_t k);
/* The value for 0 < u < 1: the quantile of a distribution, or one of the n values. */
double variation_sample(const variation *v, double u);
#endif
