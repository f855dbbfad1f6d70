/* cli/sweep_results.h - the results of `daedal sweep`: one file, and what to tell at the end.
 *
 * Responsibility: the arrays t (points), y (runs, points, variables), names, units, parameters
 * (runs, what varies), parameter_names, done, status, cause, t_end (runs), cause_names, and if they
 * are asked for levels and quantiles (levels, points, variables).  y is written as runs come in and
 * may be larger than memory.  A table in CSV is made of a temporary file of the same kind at the
 * end. Depends on: output/array_file.h, selection.h, sweep_runs.h.                    */
#ifndef DAEDAL_CLI_SWEEP_RESULTS_H
#define DAEDAL_CLI_SWEEP_RESULTS_H

#include "monitor.h"
#include "output/array_file.h"
#include "selection.h"
#include "sweep_runs.h"
#include "sweep_share.h"

enum sweep_array {
    SWEEP_T,
    SWEEP_NAMES,
    SWEEP_UNITS,
    SWEEP_PARAMETER_NAMES,
    SWEEP_CAUSE_NAMES,
    SWEEP_LEVELS,
    SWEEP_QUANTILES,
    SWEEP_DONE,
    SWEEP_STATUS,
    SWEEP_CAUSE,
    SWEEP_T_END,
    SWEEP_PARAMETERS,
    SWEEP_Y,
    SWEEP_ARRAYS
};

#define X(name, value, word, text) +1
enum { SWEEP_CAUSES = 0 DAEDAL_CAUSE_LIST(X) };
#undef X

/* Rows of y that wait to be written: those of runs first .. first + n - 1, where `is_there`. */
typedef struct sweep_window {
    int64_t first, n;
    double *rows;
    bool *is_there;
} sweep_window;

/* What became of the runs. */
typedef struct sweep_count {
    int64_t done, failed, with_warnings;
    int64_t by_cause[SWEEP_CAUSES];
    int64_t first_failed; /* -1: none */
    daedal_diagnosis why; /* of that one */
    int64_t first_warned; /* -1: none */
    char warning[256];
} sweep_count;

typedef struct sweep_results {
    const sweep_runs *runs;
    const selection *columns;
    const daedal_model_info *info;
    const double *times;
    int32_t n_points;
    double *levels; /* between 0 and 1, ascending */
    int32_t n_levels;
    array_file file;
    file_array arrays[SWEEP_ARRAYS];
    bool is_open, is_csv, is_complete;
    unsigned char *done; /* by run */
    int32_t *status, *cause;
    double *t_end;
    sweep_window window;
    sweep_count count;
    sweep_share share;     /* planned by the caller; not shared if it is zero */
    int64_t n_done_by_all; /* of a shared file, when this process had no more to do */
    run_monitor *monitor;
    double saved; /* clock at the last time that everything was in the file */
} sweep_results;

/* Read --quantiles; an exit status. */
int sweep_read_levels(sweep_results *r, const char *text);
/* Everything up to n_levels, and the monitor, was set.  path NULL: stdout, or nothing if there is
 * nobody to read it.  An exit status.                                              */
int sweep_results_open(sweep_results *r, const char *path);
/* The same with the file of a sweep that was stopped, if there is one: it must be of the same runs.
 * `done` then says which of them need not be repeated.                              */
int sweep_results_resume(sweep_results *r, const char *path);
/* The same with a file that several processes write; the first of them creates it. */
int sweep_results_share(sweep_results *r, const char *path);
daedal_sweep_fn sweep_receive; /* with the results as user */
daedal_claim_fn sweep_claim;   /* likewise, where the file is shared */
/* Write what is missing, and the quantiles; then is_complete, unless the file is shared and others
 * have runs to do, or have completed it.                                             */
void sweep_results_complete(sweep_results *r);
/* After that: close the file; `to` gets the table if the file is CSV.  An exit status. */
int sweep_results_close(sweep_results *r, const char *path, bool to_stdout);
void sweep_results_free(sweep_results *r);
#endif
