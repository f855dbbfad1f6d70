/* cli/job.h - one run of one model, from the command line to the report.
 *
 * Responsibility: what `solve`, `plot` and `init` share: the model, the time span, the options,
 * the destination of rows, and the outcome.
 * Depends on: load.h, recorder.h, monitor.h.                                    */
#ifndef DAEDAL_CLI_JOB_H
#define DAEDAL_CLI_JOB_H

#include "load.h"
#include "monitor.h"
#include "recorder.h"
#include "view.h"

/* Conditions at the stop time (finals.h). */
typedef struct job_finals {
    daedal_final *at;
    int32_t n;
    bool is_found;
    daedal_model_bvp_report found;
} job_finals;

typedef struct job {
    const arguments *args;
    loaded source;
    daedal_options options;
    daedal_simulation plan;
    double *times; /* output times of the plan, if they are owned here          */
    recorder rows;
    FILE *page;        /* --plot=FILE.html, or NULL                                 */
    const char *path;  /* of the page                                               */
    result_set others; /* `daedal plot`: result files that are drawn beside the run  */
    job_finals finals;
    selection conserved; /* what --conserved names */
    run_monitor monitor;
    bool ran;               /* simulate or start was called, so outcome is filled in */
    daedal_cause refused;   /* cause of a refusal before that                      */
    daedal_outcome outcome; /* its status is what the program reports              */
    double began;           /* clock at the beginning                              */
    double seconds;         /* duration of the whole job                           */
} job;

/* Each returns an exit status and prints a message if it is not CLI_SOLVED; job_free() must follow
 * in any case.  job_load also sets the time span, the options and the columns.  */
int job_load(job *j, const arguments *a, bool needs_stop);
int job_open_outputs(job *j);
int job_run(job *j);
/* The outcome as a word ("solved", "failed", "stopped") and as an exit status. */
const char *job_status_word(const job *j);
int job_exit_status(const job *j);
/* Print on stderr why the run ended early. */
void job_explain(const job *j);
/* Print the start values that had to change, at most `most` of them. */
void job_print_moved(const job *j, int most);
void job_free(job *j);

/* ---- reports.c ---- */

void report_json(job *j);
void report_stats(job *j);
/* Write the members start_moved, start_open and diagnosis of an object. */
struct json_writer;
void report_moved_json(struct json_writer *w, const job *j);
void report_open_json(struct json_writer *w, const job *j);
void report_diagnosis_json(struct json_writer *w, const job *j);
void report_warnings_json(struct json_writer *w, const job *j);
/* ---- comparison.c: --verify ---- */

/* Whether other runs disagree, or none succeeded. */
bool comparison_has_failed(const job *j);
/* Print on stderr what came out. */
void comparison_print(const job *j);
/* Write the member `verify` of an object. */
void comparison_json(struct json_writer *w, const job *j);
/* The text under a plot. */
void report_footer(const job *j, char *text, size_t size);
#endif
