/* cli/verb_fit.c - daedal fit MODEL --data FILE -p NAME: parameters from measured data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "draw.h"
#include "fit_data.h"
#include "load.h"
#include "messages.h"
#include "monitor.h"
#include "output/json_writer.h"
#include "output/result_file.h"
#include "verbs.h"
#include "view.h"

/* From this sum of squares for each degree of freedom on, the data contradict their deviations. */
static const double MISFIT_TOLD = 3.0;

typedef struct fitting {
    const arguments *args;
    loaded source;
    fit_data data;
    daedal_options options;
    run_monitor monitor; /* of the runs: Ctrl-C, --timeout, warnings */
    double next_line;    /* clock: when the next line of progress is due */
    bool is_drawn;       /* a line of progress is on the screen */
    daedal_fit_result *result;
} fitting;

/* ---- the search ---- */

static int tell_progress(int32_t start, int32_t iteration, double sum, const double *values,
                         void *user)
{
    fitting *f = user;
    double now = console_seconds();
    if (now >= f->next_line) {
        fprintf(stderr, "\rsearch %d, iteration %d: sum of squares %.6g, %s = %.6g   ",
                (int)start + 1, (int)iteration, sum, f->data.flags->unknowns[0].name, values[0]);
        fflush(stderr);
        f->is_drawn = true;
        f->next_line = now + 0.1;
    }
    return console_interrupted() ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

static void clear_line(fitting *f)
{
    if (f->is_drawn)
        fputs(console_is_terminal(stderr) ? "\r\033[K" : "\n", stderr);
    f->is_drawn = false;
}

static void choose_options(fitting *f)
{
    f->options = options_for_model(f->args, f->source.info);
    f->options.progress = monitor_progress;
    f->options.callback_user = &f->monitor;
}

static double start_time(const fitting *f)
{
    double said = f->source.info->start_time;
    return !isnan(f->args->t_start) ? f->args->t_start : isnan(said) ? 0.0 : said;
}

static int search(fitting *f)
{
    const fit_flags *flags = &f->args->fit;
    daedal_diagnosis why = {0};
    daedal_fit request = {.unknowns = f->data.unknowns,
                          .n_unknowns = flags->n_unknowns,
                          .experiments = f->data.experiments,
                          .n_experiments = f->data.n_experiments,
                          .t_start = start_time(f),
                          .options = &f->options,
                          .scale_atol = !f->args->atol_given,
                          .starts = isnan(flags->starts) ? 1 : (int32_t)flags->starts,
                          .seed = isnan(flags->seed) ? 1 : (uint64_t)flags->seed,
                          .confidence = isnan(flags->confidence) ? 0 : flags->confidence,
                          .progress = tell_progress,
                          .progress_user = f};
    bool shows = f->args->progress || (!f->args->quiet && console_is_terminal(stderr));
    f->next_line = shows ? console_seconds() + (f->args->progress ? 0.0 : 1.0) : INFINITY;
    console_catch_interrupt();
    daedal_status status = daedal_model_fit(f->source.model, &request, &f->result, &why);
    clear_line(f);
    if (f->result)
        return status == DAEDAL_OK && f->result->has_converged ? CLI_SOLVED : CLI_FAILED;
    if (status == DAEDAL_STOPPED)
        print_error("stopped before the first iteration was complete");
    else
        print_diagnosis(&why);
    return status == DAEDAL_STOPPED ? CLI_FAILED : exit_status(status);
}

/* ---- text ---- */

static const char *interval_note(const daedal_estimate *e)
{
    switch (e->determination) {
    case DAEDAL_AT_BOUND:
        return "  at its bound";
    case DAEDAL_UNDETERMINED:
        return "  not determined";
    case DAEDAL_DETERMINED:
        break;
    }
    return e->low < 0.0 && e->high > 0.0 ? "  hardly determined: the interval contains 0" : "";
}

static int name_width(const daedal_fit_result *r)
{
    size_t width = 9;
    for (int32_t i = 0; i < r->n_unknowns; i++)
        width = strlen(r->estimates[i].name) > width ? strlen(r->estimates[i].name) : width;
    for (int32_t i = 0; i < r->n_measured; i++)
        width = strlen(r->measured[i].name) > width ? strlen(r->measured[i].name) : width;
    return (int)width;
}

static void print_estimates(const fitting *f, int width)
{
    const daedal_fit_result *r = f->result;
    double confidence = isnan(f->args->fit.confidence) ? 0.95 : f->args->fit.confidence;
    printf("%-*s  %12s  %12s  %g %% interval\n", width, "unknown", "value", "deviation",
           100.0 * confidence);
    for (int32_t i = 0; i < r->n_unknowns; i++) {
        const daedal_estimate *e = &r->estimates[i];
        printf("%-*s  %12.6g  %12.3g  ", width, e->name, e->value, e->deviation);
        if (e->determination == DAEDAL_DETERMINED && !isnan(e->low))
            printf("%.6g .. %.6g", e->low, e->high);
        printf("%s\n", interval_note(e));
    }
}

static void print_correlation(const daedal_fit_result *r, int width)
{
    enum { SHOWN_MOST = 12 };
    int32_t n = r->n_unknowns;
    if (n < 2 || n > SHOWN_MOST)
        return;
    printf("\n%-*s", width, "correlation");
    for (int32_t j = 0; j < n; j++)
        printf("  %9.9s", r->estimates[j].name);
    putchar('\n');
    for (int32_t i = 0; i < n; i++) {
        printf("%-*s", width + (width < 11 ? 11 - width : 0), r->estimates[i].name);
        for (int32_t j = 0; j <= i; j++)
            if (isnan(r->correlation[j * n + i]))
                printf("  %9s", "-");
            else
                printf("  %9.3f", r->correlation[j * n + i]);
        putchar('\n');
    }
}

static void print_measured(const daedal_fit_result *r, int width)
{
    printf("\n%-*s  %8s  %12s  %12s\n", width, "measured", "values", "deviation", "misfit");
    for (int32_t i = 0; i < r->n_measured; i++)
        printf("%-*s  %8d  %12.4g  %12.4g\n", width, r->measured[i].name, (int)r->measured[i].n,
               r->measured[i].deviation, r->measured[i].misfit);
}

static void print_text(const fitting *f)
{
    const daedal_fit_result *r = f->result;
    int width = name_width(r);
    printf("%s after %d iteration%s and %lld runs: %s\n\n",
           r->has_converged ? "converged" : "not converged", (int)r->iterations,
           r->iterations == 1 ? "" : "s", (long long)r->runs, r->message);
    print_estimates(f, width);
    print_correlation(r, width);
    print_measured(r, width);
    if (r->n_starts > 1)
        printf("\n%d of %d searches ended here%s\n", (int)r->n_same, (int)r->n_starts,
               r->n_failed ? "; at the first point of some there was no run" : "");
}

static void print_warnings(const fitting *f)
{
    const daedal_fit_result *r = f->result;
    int missing = 0;
    for (int32_t k = 0; k < f->data.n_experiments; k++)
        missing += f->data.own[k].n_missing;
    if (missing > 0)
        print_warning("%d measured value%s missing (NaN) and left out", missing,
                      missing == 1 ? " is" : "s are");
    for (int32_t k = 0; k < r->n_undetermined; k++)
        if (strchr(r->undetermined[k], ','))
            print_warning("the data do not determine %s separately; fix one of them, or measure "
                          "something else",
                          r->undetermined[k]);
        else
            print_warning("the data do not depend on %s", r->undetermined[k]);
    if (f->args->fit.n_deviations > 0 && r->sum > MISFIT_TOLD * r->degrees_of_freedom)
        print_warning("the residuals are %.2g times as large as --sigma says: the model does not "
                      "explain the data, or the errors are larger",
                      sqrt(r->sum / r->degrees_of_freedom));
    if (!r->has_converged)
        print_error("the fit has not converged: %s; the values are the best that were seen",
                    r->message);
}

/* ---- JSON ---- */

static void estimates_json(json_writer *w, const daedal_fit_result *r)
{
    static const char *const words[] = {"determined", "at_bound", "undetermined"};
    json_key(w, "estimates");
    json_open_array(w);
    for (int32_t i = 0; i < r->n_unknowns; i++) {
        const daedal_estimate *e = &r->estimates[i];
        json_open_object(w);
        json_string_member(w, "name", e->name);
        json_number_member(w, "value", e->value);
        json_number_member(w, "deviation", e->deviation);
        json_number_member(w, "low", e->low);
        json_number_member(w, "high", e->high);
        json_string_member(w, "determination", words[e->determination]);
        json_close(w);
    }
    json_close(w);
}

static void matrix_json(json_writer *w, const daedal_fit_result *r)
{
    json_key(w, "correlation");
    json_open_array(w);
    for (int32_t i = 0; i < r->n_unknowns; i++) {
        json_open_flat_array(w);
        for (int32_t j = 0; j < r->n_unknowns; j++)
            json_number(w, r->correlation[j * r->n_unknowns + i]);
        json_close(w);
    }
    json_close(w);
    json_key(w, "undetermined");
    json_open_array(w);
    for (int32_t k = 0; k < r->n_undetermined; k++)
        json_string(w, r->undetermined[k]);
    json_close(w);
}

static void measured_json(json_writer *w, const daedal_fit_result *r)
{
    json_key(w, "measured");
    json_open_array(w);
    for (int32_t i = 0; i < r->n_measured; i++) {
        json_open_object(w);
        json_string_member(w, "name", r->measured[i].name);
        json_integer_member(w, "values", r->measured[i].n);
        json_number_member(w, "deviation", r->measured[i].deviation);
        json_number_member(w, "misfit", r->measured[i].misfit);
        json_close(w);
    }
    json_close(w);
}

static void print_json(const fitting *f)
{
    const daedal_fit_result *r = f->result;
    sink to = sink_to_stream(stdout);
    json_writer w = json_to(&to, JSON_PRETTY);
    json_open_object(&w);
    json_string_member(&w, "status", r && r->has_converged ? "converged" : "failed");
    json_string_member(&w, "message", r ? r->message : last_error());
    if (r) {
        json_integer_member(&w, "iterations", r->iterations);
        json_integer_member(&w, "runs", r->runs);
        json_integer_member(&w, "searches", r->n_starts);
        json_integer_member(&w, "searches_that_ended_here", r->n_same);
        json_integer_member(&w, "values", r->n_values);
        json_integer_member(&w, "degrees_of_freedom", r->degrees_of_freedom);
        json_number_member(&w, "sum_of_squares", r->sum);
        estimates_json(&w, r);
        matrix_json(&w, r);
        measured_json(&w, r);
    }
    json_close(&w);
}

/* ---- the data beside the model: files and plots ---- */

/* "y", "y measured", "y residual" of every measured variable of an experiment. */
static bool add_columns(trajectory *tr, const fitting *f, const daedal_experiment *x,
                        daedal_diagnosis *why)
{
    static const char *const kinds[] = {"", " measured", " residual"};
    char name[600];
    for (int32_t j = 0; j < x->measured.n; j++)
        for (int k = 0; k < 3; k++) {
            const daedal_model_variable *v =
                &f->data.info->variables[x->measured.at[j] - f->data.info->first_number];
            snprintf(name, sizeof name, "%s%s", v->name, kinds[k]);
            column c = {.name = name, .unit = v->unit, .kind = COLUMN_REAL};
            if (trajectory_add_stored(tr, &c, why) < 0)
                return false;
        }
    return true;
}

static bool fill_table(trajectory *tr, const fitting *f, int32_t k, daedal_diagnosis *why)
{
    const daedal_experiment *x = &f->data.experiments[k];
    const double *predicted = f->result->predicted[k];
    size_t rows = (size_t)x->times.n, columns = (size_t)x->measured.n;
    bool fine = add_columns(tr, f, x, why);
    double *row = must_resize(NULL, 3 * columns + 1, sizeof *row);
    for (size_t i = 0; i < rows && fine; i++) {
        for (size_t j = 0; j < columns; j++) {
            row[3 * j] = predicted[j * rows + i];
            row[3 * j + 1] = x->values[j * rows + i];
            row[3 * j + 2] = x->values[j * rows + i] - predicted[j * rows + i];
        }
        fine = trajectory_append(tr, x->times.at[i], row, why) >= 0;
    }
    free(row);
    return fine;
}

/* FILE.csv for one experiment; FILE-2.csv and so on for the others. */
static void numbered_path(char *to, size_t size, const char *path, int32_t k)
{
    const char *dot = strrchr(path, '.');
    if (k == 0)
        snprintf(to, size, "%s", path);
    else
        snprintf(to, size, "%.*s-%d%s", (int)(dot - path), path, (int)k + 1, dot);
}

static int write_file(const trajectory *tr, const char *path)
{
    result_file file;
    daedal_diagnosis why = {0};
    daedal_status status = result_file_open(&file, path, &why);
    if (status < 0)
        return print_diagnosis(&why);
    status = result_file_begin(&file, tr, &why);
    for (size_t i = 0; i < tr->n_rows && status >= 0 && result_file_streams(&file); i++)
        status =
            result_file_row(&file, tr, trajectory_time(tr, i), trajectory_row(tr, i) + 1, &why);
    daedal_status closed = result_file_close(&file, tr, status < 0 ? NULL : &why);
    return status < 0 || closed < 0 ? (print_diagnosis(&why), CLI_FAILED) : CLI_SOLVED;
}

static int draw(const fitting *f, const trajectory *tr)
{
    view_source source = {tr, f->data.info->name};
    view_request v = {f->args, &source, 1, f->data.info->name, "model, measured values, residuals"};
    return f->args->plot_file ? view_page(&v, NULL, f->args->plot_file) : view_here(&v);
}

/* The first experiment is drawn; all are written. */
static int show_data(const fitting *f)
{
    const arguments *a = f->args;
    int code = CLI_SOLVED;
    for (int32_t k = 0; k < f->data.n_experiments && code == CLI_SOLVED; k++) {
        trajectory tr;
        daedal_diagnosis why = {0};
        char path[4096];
        trajectory_create(&tr, NULL, 0);
        if (!fill_table(&tr, f, k, &why))
            code = print_diagnosis(&why);
        if (code == CLI_SOLVED && a->output) {
            numbered_path(path, sizeof path, a->output, k);
            code = write_file(&tr, path);
        }
        if (code == CLI_SOLVED && a->plot && k == 0)
            code = draw(f, &tr);
        trajectory_free(&tr);
    }
    return code;
}

/* ---- the verb ---- */

/* Files that cannot be written are known before time is spent. */
static int check_outputs(const arguments *a)
{
    if (a->output && result_format_of(a->output) == RESULT_UNKNOWN)
        return print_error("-o %s: the name must end in .csv, .npz, .mat or .json", a->output);
    if (a->plot_file && !draw_is_plot_file(a->plot_file))
        return draw_refuse_file(a->plot_file);
    return CLI_SOLVED;
}

static int report(fitting *f, int code)
{
    const arguments *a = f->args;
    if (a->json)
        print_json(f);
    if (!f->result)
        return code;
    if (!a->json && !a->quiet)
        print_text(f);
    if (!a->quiet)
        print_warnings(f);
    int shown = show_data(f);
    return code ? code : shown;
}

int verb_fit(const arguments *a)
{
    fitting f = {.args = a};
    int code = check_outputs(a);
    if (code == CLI_SOLVED)
        code = load(&f.source, a);
    if (code == CLI_SOLVED) {
        monitor_begin(&f.monitor, a, console_seconds());
        f.monitor.next = INFINITY; /* a run is short: the search tells its own progress */
        choose_options(&f);
        code = fit_data_read(&f.data, f.source.model, &a->fit);
    }
    if (code == CLI_SOLVED)
        code = search(&f);
    code = report(&f, code);
    daedal_fit_result_free(f.result);
    fit_data_free(&f.data);
    load_free(&f.source);
    return code;
}
