/* bench/measure.h - two codes on one problem, timed side by side.
 *
 * Times are compared as ratios within one process: the codes take turns (A, B, A, B,
 * ...) and the fastest repeat of each counts, so that a temporary load of the machine
 * affects both codes or none.
 * Depends on: bench/peer.h.                                                       */
#ifndef DAEDAL_BENCH_MEASURE_H
#define DAEDAL_BENCH_MEASURE_H

#include "peer.h"

enum { RTOLS_MAX = 16 };

typedef struct bench_options {
    const char *pattern; /* part of a problem's name; NULL: a whole collection */
    double rtol[RTOLS_MAX];
    int n_rtol;
    const char *method;
    const char *csv; /* file name or NULL */
    int collection;  /* PROBLEM_MAIN or PROBLEM_HELD_OUT */
    bool quick;      /* one repeat: counts and digits, no serious times */
} bench_options;

/* Seconds of one call, measured apart from any integration. */
typedef struct callback_costs {
    double residual, ida_jacobian, daedal_jacobian;
} callback_costs;

/* Both codes at one tolerance. */
typedef struct comparison {
    double rtol;
    run ida, daedal;
    double ida_callbacks, daedal_callbacks; /* seconds: calls times their cost */
} comparison;

callback_costs measure_callbacks(const problem *p);
comparison measure_pair(const problem *p, double rtol, const callback_costs *costs,
                        const bench_options *options);
#endif
