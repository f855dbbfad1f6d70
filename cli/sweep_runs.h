/* cli/sweep_runs.h - the runs of `daedal sweep`: what varies, and its values in each run.
 *
 * Depends on: load.h, sweep/sampling_plan.h.                                    */
#ifndef DAEDAL_CLI_SWEEP_RUNS_H
#define DAEDAL_CLI_SWEEP_RUNS_H

#include "load.h"

typedef struct sweep_runs {
    int32_t n_varied;
    char **names;     /* owned */
    int32_t *numbers; /* for daedal_model_set */
    int64_t n_runs;
    double *values; /* n_runs rows of n_varied */
} sweep_runs;

/* An exit status, with a message if it is not CLI_SOLVED.  Free it in any case. */
int sweep_runs_plan(sweep_runs *r, const arguments *a, const loaded *source);
void sweep_runs_free(sweep_runs *r);
#endif
