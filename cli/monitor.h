/* cli/monitor.h - supervision of a run: the progress line, Ctrl-C and --timeout.
 *
 * Depends on: console.h.                                                        */
#ifndef DAEDAL_CLI_MONITOR_H
#define DAEDAL_CLI_MONITOR_H

#include "arguments.h"

typedef struct run_monitor {
    double t_start, t_stop;
    double began;           /* clock, seconds                                       */
    double deadline;        /* clock, INFINITY: none                                */
    double next;            /* clock: when to draw again, INFINITY: never           */
    bool drawn;             /* the progress line is on the screen                   */
    bool quiet;             /* no warnings                                          */
    const char *stop_cause; /* "interrupted" or "timeout" if the run was stopped, else NULL */
} run_monitor;

void monitor_begin(run_monitor *m, const arguments *a, double began);
/* The callbacks progress and log of daedal_options, with the monitor as callback_user. */
daedal_progress_fn monitor_progress;
daedal_log_fn monitor_log;
/* The line of a sweep, if it is due: `done` of n runs, of which some failed. */
void monitor_show_runs(run_monitor *m, int64_t done, int64_t n, int64_t n_failed);
/* Whether Ctrl-C or the deadline asks for an end; may be called by several threads at once. */
const char *monitor_stop_cause(const run_monitor *m); /* "interrupted", "timeout", or NULL */
/* Remove the progress line from the screen. */
void monitor_clear_line(run_monitor *m);
#endif
