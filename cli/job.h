/* cli/job.h - one run of one model, from the command line to the report.
 *
 * Responsibility: what `solve`, `plot` and `init` share: the model, the span of time, the options,
 * where rows go, and the outcome.
 * Depends on: load.h, recorder.h, watch.h.                                      */
#ifndef DAEDAL_CLI_JOB_H
#define DAEDAL_CLI_JOB_H

#include "load.h"
#include "recorder.h"
#include "watch.h"

typedef struct job {
    const arguments *args;
    loaded source;
    daedal_options options;
    daedal_simulation plan;
    double *times;    /* of the plan, if they are ours                             */
    recorder rows;    /* created once the model is loaded                          */
    FILE *page;       /* --plot=FILE.html, or NULL                                 */
    const char *path; /* of the page                                               */
    watch eye;
    bool ran;               /* simulate or start was called: outcome is filled in  */
    daedal_outcome outcome; /* status is what the program reports                   */
    double began;           /* clock */
    double seconds;         /* the whole job */
} job;

/* Each returns an exit status, after a complaint if it is not CLI_SOLVED; in any case
 * job_free() follows.  job_load sets the span, the options and the columns, too. */
int job_load(job *j, const arguments *a, bool needs_stop);
int job_open_outputs(job *j);
int job_run(job *j);
/* Map the outcome to words and an exit status. */
const char *job_status_word(const job *j);
int job_exit_status(const job *j);
/* Print on stderr why the run ended early. */
void job_explain(const job *j);
/* Print what moved at the start. */
void job_print_moved(const job *j, int most);
void job_free(job *j);

/* ---- reports.c ---- */

void report_json(job *j);
void report_stats(job *j);
/* The members start_moved, start_open and diagnosis of an object. */
struct json_writer;
void report_moved_json(struct json_writer *w, const job *j);
void report_open_json(struct json_writer *w, const job *j);
void report_diagnosis_json(struct json_writer *w, const job *j);
/* One or two lines under a plot. */
void report_footer(const job *j, char *text, size_t size);
#endif
