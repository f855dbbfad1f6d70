/* bench/report.h - the tables: one per problem, and one of all problems and the targets.
 * Depends on: bench/measure.h, curve.h.                                           */
#ifndef DAEDAL_BENCH_REPORT_H
#define DAEDAL_BENCH_REPORT_H

#include <stdio.h>

#include "curve.h"
#include "measure.h"
#include "peak_memory.h"

/* All that was measured on one problem. */
typedef struct problem_result {
    const problem *p;
    callback_costs costs;
    int n;
    comparison at[RTOLS_MAX];
    curve_ratio work; /* residuals + factorizations, daedal / IDA at equal digits */
    curve_ratio time; /* seconds, daedal / IDA at equal digits                    */
} problem_result;

void report_definitions(const bench_options *options);
void report_problem_head(const problem_result *r);
void report_row(const problem *p, const comparison *c);
void report_problem_foot(const problem_result *r);
/* `large` is left out of all means; its p is NULL if it was not run. */
void report_summary(const problem_result *results, int n, const problem_result *large);
void report_memory(const problem *p, const footprint *ida, const footprint *daedal);

void csv_head(FILE *file);
void csv_row(FILE *file, const problem *p, const comparison *c);
#endif
