/* verify/run_comparison.h - two runs of the same problem, compared row by row.
 *
 * Responsibility: the difference of two recorded runs in units of the tolerance, where a difference
 * that disappears when time is shifted by the error of an event time is none.
 * A tolerance is rtol times the largest |value| of either run, plus the absolute tolerance.  An
 * event at which something jumps is matched with the nearest one of the other run; how far they are
 * apart is the error of the event time.  From that event on, time may be shifted by as much; never
 * by more than a hundred tolerances of the time span, or a small part of the time between events.
 * Depends on: recorded_run.h.                                                    */
#ifndef DAEDAL_VERIFY_RUN_COMPARISON_H
#define DAEDAL_VERIFY_RUN_COMPARISON_H

#include "verify/recorded_run.h"

/* From how many tolerances on two solutions disagree. */
#define TOLERANCES_MOST 100.0

typedef struct run_comparison {
    const recorded_run *a, *b;
    const bool *is_discrete; /* n, or NULL                                       */
    double *tolerance;       /* n                                                       */
    double *shift;           /* by row of b: error of the event times so far            */
    double span, shift_most;
    double event_shift, t_event_shift; /* the largest error of an event time, and where */
    int32_t n_events[2];               /* with jumps, of either run                         */
    int32_t n_unmatched;               /* of both, without a counterpart                    */
    block mem;
} run_comparison;

typedef struct comparison_setup {
    const recorded_run *a, *b;
    double rtol;
    const double *atol;      /* n */
    const double *tolerance; /* n: instead of rtol and atol, or NULL              */
    const bool *is_discrete; /* n: compared at events too; or NULL: none is       */
    const daedal_allocator *allocator;
} comparison_setup;

/* false: out of memory.  comparison_free in any case. */
bool comparison_create(run_comparison *c, const comparison_setup *setup);
void comparison_free(run_comparison *c);

/* Errors of all variables at row k of a, in tolerances, into error (n).  false: the other run has
 * no values there. */
bool comparison_row(const run_comparison *c, int32_t k, double *error);
#endif
