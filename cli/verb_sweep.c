/* cli/verb_sweep.c - daedal sweep MODEL: many runs with other parameters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "job.h"
#include "messages.h"
#include "output/json_writer.h"
#include "output/result_file.h"
#include "sweep_plots.h"
#include "verbs.h"

enum { FAN_INTERVALS = 100, MOST_THREADS = 1024 };
static const double LOG_DECADES = 6.0; /* of the span, on a logarithmic axis */

typedef struct sweep_job {
    const arguments *args;
    arguments for_job; /* the same without a plot */
    job job;           /* the model, the span of time, the options */
    sweep_runs runs;
    sweep_results results;
    daedal_status status; /* of daedal_model_sweep */
    double seconds;
} sweep_job;

/* ---- the plan ---- */

/* Without -n and --at: the stop time, or for quantiles a curve. */
static void plan_points(sweep_job *s)
{
    const arguments *a = s->args;
    daedal_simulation *plan = &s->job.plan;
    bool given = !isnan(a->intervals) || a->n_times > 0;
    if (!given) {
        free(s->job.times);
        s->job.times = NULL;
        plan->times = (daedal_doubles){NULL, 0};
        plan->intervals = FAN_INTERVALS;
    }
    int32_t n = !given && s->results.n_levels == 0 ? 1
                : plan->times.n > 0                ? plan->times.n
                                                   : plan->intervals + 1;
    if (plan->times.n == 0) {
        double span = plan->t_stop - plan->t_start;
        s->job.times = must_resize(NULL, (size_t)n, sizeof *s->job.times);
        bool log_time = !given && a->plot && a->log_axes && strchr(a->log_axes, 'x');
        for (int32_t k = 0; k + 1 < n; k++) {
            double share = (double)k / (n - 1);
            s->job.times[k] =
                plan->t_start + span * (log_time ? pow(10.0, LOG_DECADES * (share - 1.0)) : share);
        }
        s->job.times[n - 1] = plan->t_stop;
        plan->times = (daedal_doubles){s->job.times, n};
    }
}

static int plan_threads(const arguments *a, int32_t *threads)
{
    double n = isnan(a->sweep.threads) ? 1 : a->sweep.threads;
    if (!(n >= 1 && n <= MOST_THREADS && n == floor(n)))
        return print_error("-j needs a whole number from 1 to %d, not %g", MOST_THREADS, n);
    *threads = (int32_t)n;
    return CLI_SOLVED;
}

static int plan_sweep(sweep_job *s, daedal_sweep *sweep)
{
    const arguments *a = s->args;
    sweep_results *r = &s->results;
    int code = plan_threads(a, &sweep->threads);
    if (a->sweep.quantiles && !a->plot && !(a->output && result_format_of(a->output) == RESULT_NPZ))
        return print_error("--quantiles needs -o FILE.npz or --plot");
    if (code == CLI_SOLVED)
        code = sweep_read_levels(r, a->sweep.quantiles      ? a->sweep.quantiles
                                    : a->plot && !a->x_name ? "5,50,95"
                                                            : NULL);
    if (code == CLI_SOLVED)
        code = sweep_runs_plan(&s->runs, a, &s->job.source);
    if (code == CLI_SOLVED && a->plot)
        code = sweep_plot_check(a, &s->runs);
    if (code != CLI_SOLVED)
        return code;
    plan_points(s);
    r->runs = &s->runs;
    r->columns = &s->job.rows.columns;
    r->info = s->job.source.info;
    r->times = s->job.plan.times.at;
    r->n_points = s->job.plan.times.n;
    r->monitor = &s->job.monitor;
    code = sweep_share_plan(&r->share, a->sweep.share, a->sweep.part);
    if (code == CLI_SOLVED)
        code = r->share.is_shared ? sweep_results_share(r, a->output)
               : a->sweep.resume  ? sweep_results_resume(r, a->output)
                                  : sweep_results_open(r, a->output);
    sweep->skip = r->share.is_shared ? NULL : r->done;
    sweep->claim = r->share.is_shared ? sweep_claim : NULL;
    sweep->n_runs = s->runs.n_runs;
    sweep->varied = (daedal_ints){s->runs.numbers, s->runs.n_varied};
    sweep->values = s->runs.values;
    sweep->simulation = &s->job.plan;
    sweep->one_by_one = a->sweep.one_by_one;
    sweep->receive = sweep_receive;
    sweep->user = r;
    return code;
}

/* ---- the runs ---- */

static int watch(const daedal_progress *where, void *user)
{
    (void)where;
    return monitor_stop_cause(user) ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

static int run_sweep(sweep_job *s, daedal_sweep *sweep)
{
    const arguments *a = s->args;
    const selection *columns = &s->job.rows.columns;
    int32_t *kept = must_resize(NULL, (size_t)columns->n + 1, sizeof *kept);
    for (int32_t k = 0; k < columns->n; k++)
        kept[k] = columns->variables[k] + s->job.source.info->first_number;
    sweep->kept = (daedal_ints){kept, columns->n};
    s->job.options.progress = watch;
    s->job.options.callback_user = &s->job.monitor;
    console_catch_interrupt();
    s->status = daedal_model_sweep(s->job.source.model, sweep);
    free(kept);
    monitor_clear_line(&s->job.monitor);
    s->job.monitor.stop_cause = monitor_stop_cause(&s->job.monitor);
    s->seconds = console_seconds() - s->job.began;
    if (s->status < 0) {
        print_diagnosis(daedal_model_diagnosis(s->job.source.model));
        return exit_status(s->status);
    }
    sweep_results_complete(&s->results);
    bool draws = a->plot && s->results.is_complete;
    int drawn = draws ? sweep_plot_draw(&s->results, a) : CLI_SOLVED;
    int code = sweep_results_close(&s->results, a->output, !a->quiet && !a->json && !a->plot);
    return code ? code : drawn;
}

/* ---- the report ---- */

/* "k1 = 0.3, k2 = 1e4", the first of them. */
static void name_run(const sweep_runs *r, int64_t i, char *text, size_t size)
{
    enum { MOST = 6 };
    size_t n = 0;
    text[0] = '\0';
    for (int32_t j = 0; j < r->n_varied && j < MOST && n < size; j++)
        n += (size_t)snprintf(text + n, size - n, "%s%s = %.6g", j ? ", " : "", r->names[j],
                              r->values[i * r->n_varied + j]);
    if (r->n_varied > MOST && n < size)
        snprintf(text + n, size - n, ", ...");
}

static void print_causes(const sweep_count *c)
{
    const char *before = " (";
    for (int k = 0; k < SWEEP_CAUSES; k++) {
        if (c->by_cause[k] == 0)
            continue;
        fprintf(stderr, "%s%s %lld", before, k ? daedal_cause_name((daedal_cause)k) : "other cause",
                (long long)c->by_cause[k]);
        before = ", ";
    }
    fputs(before[0] == ',' ? ")" : "", stderr);
}

static void print_first_failure(const sweep_job *s)
{
    const sweep_count *c = &s->results.count;
    char values[400];
    name_run(&s->runs, c->first_failed, values, sizeof values);
    print_error("run %lld (%s): %s", (long long)c->first_failed, values,
                c->why.message[0] ? c->why.message : daedal_status_text(c->why.status));
    if (c->why.hint[0])
        fprintf(stderr, "  hint: %s\n", c->why.hint);
}

static void print_count(const sweep_job *s)
{
    const sweep_count *c = &s->results.count;
    fflush(stdout);
    fprintf(stderr, "%lld run%s: %lld solved, %lld failed", (long long)c->done,
            c->done == 1 ? "" : "s", (long long)(c->done - c->failed), (long long)c->failed);
    print_causes(c);
    fputc('\n', stderr);
    if (c->with_warnings > 0)
        print_warning("%lld runs gave warnings; run %lld: %s", (long long)c->with_warnings,
                      (long long)c->first_warned, c->warning);
}

/* Of a file that other processes complete or have completed. */
static void print_own_count(const sweep_job *s)
{
    const sweep_results *r = &s->results;
    if (r->share.size == 1)
        fprintf(stderr, "%lld of %lld runs were carried out by this process; %lld are done\n",
                (long long)r->count.done, (long long)s->runs.n_runs, (long long)r->n_done_by_all);
}

static int report(const sweep_job *s)
{
    const sweep_count *c = &s->results.count;
    const char *stopped = s->job.monitor.stop_cause;
    bool is_own = !s->results.is_complete;
    if (!s->args->quiet && is_own)
        print_own_count(s);
    else if (!s->args->quiet)
        print_count(s);
    if (c->first_failed >= 0)
        print_first_failure(s);
    if (s->status == DAEDAL_STOPPED && stopped)
        print_error("stopped by %s after %lld of %lld runs%s",
                    strcmp(stopped, "timeout") == 0 ? "--timeout" : "Ctrl-C", (long long)c->done,
                    (long long)s->runs.n_runs,
                    s->results.is_csv ? "" : "; the same command with --resume goes on");
    else if (c->done > 0 && c->failed == c->done)
        print_error("all %lld runs failed", (long long)c->done);
    bool complete = s->status == DAEDAL_OK && (c->failed < c->done || (is_own && c->done == 0));
    return complete ? CLI_SOLVED : CLI_FAILED;
}

static void report_failure_json(json_writer *w, const sweep_job *s)
{
    const sweep_count *c = &s->results.count;
    json_key(w, "first_failure");
    if (c->first_failed < 0) {
        json_null(w);
        return;
    }
    json_open_object(w);
    json_integer_member(w, "run", c->first_failed);
    json_key(w, "values");
    json_open_object(w);
    for (int32_t j = 0; j < s->runs.n_varied; j++)
        json_number_member(w, s->runs.names[j],
                           s->runs.values[c->first_failed * s->runs.n_varied + j]);
    json_close(w);
    json_string_member(w, "cause", c->why.cause ? daedal_cause_name(c->why.cause) : NULL);
    json_string_member(w, "message", c->why.message);
    json_string_member(w, "hint", c->why.hint);
    json_close(w);
}

static void report_sweep_json(const sweep_job *s, int code)
{
    const sweep_count *c = &s->results.count;
    sink to = sink_to_stream(stdout);
    json_writer w = json_to(&to, JSON_PRETTY);
    json_open_object(&w);
    json_string_member(&w, "status",
                       s->status == DAEDAL_STOPPED ? "stopped"
                       : code == CLI_SOLVED        ? "solved"
                                                   : "failed");
    json_integer_member(&w, "runs", s->runs.n_runs);
    json_integer_member(&w, "done", c->done);
    json_integer_member(&w, "failed", c->failed);
    json_key(&w, "causes");
    json_open_object(&w);
    for (int k = 0; k < SWEEP_CAUSES; k++)
        if (c->by_cause[k] > 0)
            json_integer_member(&w, daedal_cause_name((daedal_cause)k), c->by_cause[k]);
    json_close(&w);
    report_failure_json(&w, s);
    json_string_member(&w, "message", code == CLI_SOLVED ? NULL : last_error());
    json_number_member(&w, "wall_seconds", s->seconds);
    json_close(&w);
}

int verb_sweep(const arguments *a)
{
    sweep_job s = {.status = DAEDAL_OK};
    daedal_sweep sweep = {.n_runs = 0};
    s.args = a;
    s.for_job = *a;
    s.for_job.plot = false;
    s.for_job.x_name = s.for_job.log_axes = NULL;
    int code = job_load(&s.job, &s.for_job, true);
    s.results.count.first_failed = -1;
    if (code == CLI_SOLVED)
        code = plan_sweep(&s, &sweep);
    if (code == CLI_SOLVED) {
        code = run_sweep(&s, &sweep);
        int told = s.status >= 0 ? report(&s) : code;
        code = code ? code : told;
    }
    if (a->json)
        report_sweep_json(&s, code);
    sweep_results_free(&s.results);
    sweep_runs_free(&s.runs);
    job_free(&s.job);
    return code;
}
