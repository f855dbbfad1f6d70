/* cli/watch.h - an eye on a run: the progress line, Ctrl-C and --timeout.
 *
 * Depends on: console.h.                                                        */
#ifndef DAEDAL_CLI_WATCH_H
#define DAEDAL_CLI_WATCH_H

#include "arguments.h"

typedef struct watch {
    double t_start, t_stop;
    double began;    /* clock, seconds                                       */
    double deadline; /* clock, INFINITY: none                                */
    double next;     /* clock: when to draw again, INFINITY: never           */
    bool drawn;      /* the line stands on the screen                        */
    bool quiet;      /* no warnings                                          */
    const char *why; /* the run was stopped: "interrupted", "timeout"; else NULL */
} watch;

void watch_begin(watch *w, const arguments *a, double began);
/* For daedal_options: progress, log, and the watch as callback_user. */
daedal_progress_fn watch_progress;
daedal_log_fn watch_log;
/* Take the line off the screen. */
void watch_end(watch *w);
#endif
