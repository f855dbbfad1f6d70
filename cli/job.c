/* cli/job.c - see job.h. */
#include "job.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "draw.h"
#include "finals.h"
#include "messages.h"

static const double DEFAULT_INTERVALS = 500;
static const double MOST_INTERVALS = 1e7; /* from an experiment's Interval */

/* ---- the span of time and the output points ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The times of --at, sorted; all must lie inside the run. */
static int plan_times(job *j)
{
    const arguments *a = j->args;
    size_t n = (size_t)a->n_times;
    double start = j->plan.t_start;
    j->times = must_resize(NULL, n, sizeof *j->times);
    memcpy(j->times, a->times, n * sizeof *j->times);
    qsort(j->times, n, sizeof *j->times, ascending);
    if (isnan(j->plan.t_stop))
        j->plan.t_stop = fmax(start, j->times[n - 1]);
    for (size_t k = 0; k < n; k++)
        if (j->times[k] < start || j->times[k] > j->plan.t_stop)
            return print_error("--at %g lies outside the run from %g to %g", j->times[k], start,
                               j->plan.t_stop);
    j->plan.times = (daedal_doubles){j->times, a->n_times};
    j->plan.no_event_rows = 1;
    return CLI_SOLVED;
}

/* Output points from the experiment's Interval; the last interval may be shorter. */
static void plan_interval(job *j, double interval)
{
    double length = fabs(j->plan.t_stop - j->plan.t_start), count = length / fabs(interval);
    if (!(count <= MOST_INTERVALS) || count < 1) {
        j->plan.intervals = (int32_t)DEFAULT_INTERVALS;
    } else if (fabs(count - round(count)) <= 1e-6 * count) {
        j->plan.intervals = (int32_t)round(count);
    } else {
        int32_t n = (int32_t)floor(count) + 1; /* points at the ends of whole intervals */
        double step = j->plan.t_stop > j->plan.t_start ? fabs(interval) : -fabs(interval);
        j->times = must_resize(NULL, (size_t)n + 1, sizeof *j->times);
        for (int32_t k = 0; k < n; k++)
            j->times[k] = j->plan.t_start + k * step;
        j->times[n] = j->plan.t_stop;
        j->plan.times = (daedal_doubles){j->times, n + 1};
    }
}

static int plan_span(job *j, bool needs_stop)
{
    const arguments *a = j->args;
    const daedal_model_info *info = j->source.info;
    daedal_simulation *plan = &j->plan;
    plan->t_start = !isnan(a->t_start)        ? a->t_start
                    : isnan(info->start_time) ? 0
                                              : info->start_time;
    plan->t_stop = !isnan(a->t_stop) || a->n_times ? a->t_stop : info->stop_time;
    if (a->n_times)
        return plan_times(j);
    if (!needs_stop)
        plan->t_stop = plan->t_start;
    else if (isnan(plan->t_stop))
        return print_error("%s has no stop time: give -t STOP, or add annotation(experiment("
                           "StopTime = ...)) to the model",
                           a->words[0]);
    else if (plan->t_stop < plan->t_start)
        return print_error("the stop time %g lies before the start time %g", plan->t_stop,
                           plan->t_start);
    /* points at equal distances leave out the beginning of a logarithmic axis */
    bool log_time = a->plot && a->log_axes && strchr(a->log_axes, 'x') && !a->x_name;
    plan->every_step = a->every_step || (log_time && isnan(a->intervals) && !a->profile);
    if (!isnan(a->intervals))
        plan->intervals = (int32_t)a->intervals;
    else if (!plan->every_step)
        plan_interval(j, isnan(info->interval) || info->interval == 0
                             ? (plan->t_stop - plan->t_start) / DEFAULT_INTERVALS
                             : info->interval);
    return CLI_SOLVED;
}

/* ---- options and columns ---- */

static void plan_options(job *j)
{
    const arguments *a = j->args;
    j->options = options_for_model(a, j->source.info);
    j->plan.scale_atol = !a->atol_given;
    j->options.progress = monitor_progress;
    j->options.log = monitor_log;
    j->options.callback_user = &j->monitor;
    j->plan.options = &j->options;
    j->plan.row = recorder_row;
    j->plan.row_user = &j->rows;
    j->plan.verify = a->verify;
    j->plan.derivatives = j->rows.columns.n_slopes > 0;
    j->monitor.t_start = j->plan.t_start;
    j->monitor.t_stop = j->plan.t_stop;
}

/* Reject impossible tolerances before files are opened. */
static int check_tolerances(job *j)
{
    double rtol = j->options.rtol;
    j->refused = DAEDAL_CAUSE_TOLERANCE_TOO_SMALL; /* unless they are possible */
    if (rtol == 0 && j->options.atol == 0)
        return print_error("rtol = 0 needs an absolute tolerance; set --atol");
    if (rtol < DBL_EPSILON && !j->args->atol_given)
        return print_error("rtol = %g is below the precision of numbers; set --atol, or use "
                           "rtol >= %.2g",
                           rtol, DBL_EPSILON);
    j->refused = DAEDAL_CAUSE_NONE;
    return CLI_SOLVED;
}

/* Constants are written to .mat files only, whose layout stores each of them once. */
static bool wants_constants(const arguments *a)
{
    return a->output && result_format_of(a->output) == RESULT_MAT;
}

static int read_conserved(job *j)
{
    const char *names = j->args->constraints.conserved;
    if (!names)
        return CLI_SOLVED;
    int code = selection_read(&j->conserved, j->source.info, names, false);
    if (code == CLI_SOLVED && j->conserved.n_slopes > 0)
        return print_error("--conserved takes variables, not derivatives");
    j->plan.conserved = (daedal_ints){j->conserved.variables, j->conserved.n};
    return code;
}

int job_load(job *j, const arguments *a, bool needs_stop)
{
    memset(j, 0, sizeof *j);
    j->args = a;
    j->began = console_seconds();
    j->outcome.t = NAN;
    recorder_create(&j->rows);
    monitor_begin(&j->monitor, a, j->began);
    int code = load(&j->source, a);
    if (code == CLI_SOLVED) {
        j->rows.info = j->source.info;
        code = plan_span(j, needs_stop);
    }
    if (code == CLI_SOLVED)
        code = input_files_feed(&a->inputs, j->source.model, &j->plan);
    if (code == CLI_SOLVED)
        code = selection_read(&j->rows.columns, j->source.info, a->vars, wants_constants(a));
    const char *drawn[] = {a->x_name, a->profile, a->map};
    for (size_t k = 0; k < sizeof drawn / sizeof *drawn && code == CLI_SOLVED; k++)
        if (drawn[k])
            code = selection_add(&j->rows.columns, j->source.info, drawn[k]);
    if (code == CLI_SOLVED)
        code = read_conserved(j);
    if (code == CLI_SOLVED)
        code = finals_find(j);
    if (code == CLI_SOLVED)
        code = results_read(&j->others, a);
    if (code != CLI_SOLVED)
        return code;
    plan_options(j);
    return check_tolerances(j);
}

/* ---- outputs ---- */

int job_open_outputs(job *j)
{
    const arguments *a = j->args;
    j->rows.keeps_rows = a->plot;
    j->path = a->plot_file;
    if (a->plot_file && !(j->page = draw_open_page(a->plot_file)))
        return CLI_USAGE;
    if (a->output)
        return recorder_to_file(&j->rows, a->output) ? CLI_SOLVED : CLI_USAGE;
    if (!a->json && !a->plot && !a->quiet)
        recorder_to_stdout(&j->rows);
    return CLI_SOLVED;
}

/* ---- the run ---- */

static bool cannot_write(const job *j)
{
    return j->rows.failed;
}

/* If writing failed and stopped the run, the outcome reports the failure to write. */
static void take_write_failure(job *j)
{
    j->outcome.status = j->rows.why.status;
    j->outcome.diagnosis = j->rows.why;
    j->outcome.diagnosis.t = j->outcome.t;
}

int job_run(job *j)
{
    console_catch_interrupt();
    daedal_status st = j->finals.n > 0
                           ? finals_run(j)
                           : daedal_model_simulate(j->source.model, &j->plan, &j->outcome);
    j->ran = true;
    j->outcome.status = st;
    monitor_clear_line(&j->monitor);
    if (!recorder_close(&j->rows))
        take_write_failure(j);
    j->seconds = console_seconds() - j->began;
    return job_exit_status(j);
}

const char *job_status_word(const job *j)
{
    if (!j->ran || j->outcome.status < 0)
        return "failed";
    return j->outcome.status == DAEDAL_STOPPED ? "stopped" : "solved";
}

int job_exit_status(const job *j)
{
    if (j->monitor.stop_cause || cannot_write(j) || comparison_has_failed(j))
        return CLI_FAILED;
    return exit_status(j->outcome.status);
}

static void explain_stop(const job *j)
{
    const char *cause = strcmp(j->monitor.stop_cause, "timeout") == 0 ? "--timeout" : "Ctrl-C";
    if (j->outcome.verification) {
        print_error("the run is complete, but its verification was stopped by %s", cause);
        return;
    }
    print_error("stopped by %s at t = %g of %g", cause, j->outcome.t, j->plan.t_stop);
}

void job_explain(const job *j)
{
    const daedal_diagnosis *why = &j->outcome.diagnosis;
    if (!j->ran)
        return;
    if (j->monitor.stop_cause)
        explain_stop(j);
    else if (j->outcome.status < 0 && !why->message[0])
        print_error("%s", daedal_status_text(j->outcome.status));
    else if (j->outcome.status < 0)
        print_diagnosis(why);
    else if (j->outcome.status == DAEDAL_STOPPED && !j->args->quiet)
        fprintf(stderr, "note: the model ended the run at t = %g%s%s\n", j->outcome.t,
                why->message[0] ? ": " : "", why->message);
}

void job_print_moved(const job *j, int most)
{
    const daedal_outcome *o = &j->outcome;
    for (int32_t i = 0; i < o->n_moved && i < most; i++)
        fprintf(stderr, "start: %s moved from %.6g to %.6g\n", o->moved_names[i], o->moved_from[i],
                o->moved_to[i]);
    if (o->n_moved > most)
        fprintf(stderr, "start: %d more moved; `daedal init` lists them\n",
                (int)(o->n_moved - most));
}

void job_free(job *j)
{
    recorder_free(&j->rows);
    if (j->page)
        fclose(j->page);
    free(j->times);
    free(j->finals.at);
    selection_free(&j->conserved);
    results_free(&j->others);
    load_free(&j->source);
}
