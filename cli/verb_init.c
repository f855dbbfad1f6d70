/* cli/verb_init.c - daedal init MODEL: finds consistent initial values and prints them. */
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "job.h"
#include "messages.h"
#include "output/decimal_text.h"
#include "output/json_writer.h"
#include "start_impulses.h"
#include "verbs.h"

/* The guess of a variable that moved, or NULL. */
static const double *guess_of(const daedal_outcome *o, const char *name)
{
    for (int32_t i = 0; i < o->n_moved; i++)
        if (strcmp(o->moved_names[i], name) == 0)
            return &o->moved_from[i];
    return NULL;
}

/* An impulse of weight w is w delta, and "3 delta + 1 delta'" has one of its derivatives. */
static void print_impulse(const start_impulses *impulses, const char *name)
{
    bool any = false;
    for (int32_t k = 0; k < impulses->order; k++) {
        double weight = start_impulses_weight(impulses, name, k);
        if (weight == 0.0)
            continue;
        printf(any ? " + %.6g delta" : "   (impulse %.6g delta", weight);
        for (int32_t i = 0; i < k; i++)
            putchar('\'');
        any = true;
    }
    if (any)
        putchar(')');
}

static void print_values(const job *j, const double *values, const start_impulses *impulses)
{
    const selection *s = &j->rows.columns;
    char number[DECIMAL_TEXT_SIZE];
    for (int32_t k = 0; k < s->n; k++) {
        daedal_model_variable v = selection_describe(s, j->source.info, k);
        const double *guess = guess_of(&j->outcome, v.name);
        decimal_shortest(number, values[s->variables[k]]);
        printf("%-24s %s", v.name, number);
        if (v.unit && v.unit[0])
            printf(" %s", v.unit);
        if (guess)
            printf("   (moved from %.6g by %+.6g)", *guess, values[s->variables[k]] - *guess);
        print_impulse(impulses, v.name);
        putchar('\n');
    }
}

/* Print the names, "x, y", of the open values that were kept, or of those that were moved. */
static int list_open(const daedal_outcome *o, int32_t kept)
{
    enum { LISTED_MOST = 8 };
    int n = 0;
    for (int32_t i = 0; i < o->n_open; i++)
        if (o->open_kept[i] == kept && ++n <= LISTED_MOST)
            printf("%s%s", n > 1 ? ", " : "", o->open_names[i]);
    if (n > LISTED_MOST)
        printf(" and %d more", n - LISTED_MOST);
    return n;
}

static void print_instead(const daedal_outcome *o)
{
    enum { LISTED_MOST = 8 };
    int n = 0;
    for (int32_t i = 0; i < o->n_open; i++)
        if (o->open_instead[i] && ++n <= LISTED_MOST)
            printf("%s%s instead of %s", n > 1 ? "; " : "could be fixed: ", o->open_instead[i],
                   o->open_names[i]);
    if (n > 0)
        putchar('\n');
}

/* Print the degrees of freedom that no condition fixes, and how their values were chosen. */
static void print_open(const daedal_outcome *o)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < o->n_open; i++)
        kept += o->open_kept[i];
    if (o->n_open == 0)
        return;
    printf("%d degree%s of freedom left open", (int)o->n_open, o->n_open == 1 ? "" : "s");
    if (kept) {
        printf(": ");
        list_open(o, 1);
        printf(kept == 1 ? " kept at its start value" : " kept at their start values");
    }
    if (kept < o->n_open) {
        printf(kept ? "; " : ": ");
        list_open(o, 0);
        printf(" moved as little as possible: fix %s to choose",
               o->n_open - kept == 1 ? "it" : "them");
    }
    putchar('\n');
    print_instead(o);
}

static void print_json(const job *j, const double *values, const start_impulses *impulses)
{
    const selection *s = &j->rows.columns;
    sink to = sink_to_stream(stdout);
    json_writer w = json_to(&to, JSON_PRETTY);
    json_open_object(&w);
    json_key(&w, "status");
    json_string(&w, job_status_word(j));
    json_key(&w, "t");
    json_number(&w, j->ran ? j->plan.t_start : j->outcome.t);
    json_key(&w, "values");
    json_open_object(&w);
    for (int32_t k = 0; j->ran && j->outcome.status >= 0 && k < s->n; k++) {
        json_key(&w, selection_name(s, j->source.info, k));
        json_number(&w, values[s->variables[k]]);
    }
    json_close(&w);
    report_moved_json(&w, j);
    start_impulses_json(impulses, &w);
    report_open_json(&w, j);
    report_diagnosis_json(&w, j);
    report_warnings_json(&w, j);
    json_close(&w);
}

static int find_start(job *j, double *values)
{
    j->outcome.status = daedal_model_start(j->source.model, &j->plan, values, &j->outcome);
    j->ran = true;
    monitor_clear_line(&j->monitor);
    if (j->outcome.status >= 0 && j->args->output)
        recorder_row(DAEDAL_ROW_POINT, j->plan.t_start, values, &j->rows);
    if (j->args->output && !recorder_close(&j->rows)) {
        print_diagnosis(&j->rows.why);
        return CLI_FAILED;
    }
    job_explain(j);
    return job_exit_status(j);
}

/* `daedal init` reports every failure of the solver as a missing start. */
static int start_status(int code)
{
    return code == CLI_FAILED ? CLI_NO_START : code;
}

int verb_init(const arguments *a)
{
    job j;
    double *values = NULL;
    start_impulses impulses = {0};
    int code = job_load(&j, a, false);
    if (code == CLI_SOLVED && a->output && !recorder_to_file(&j.rows, a->output))
        code = CLI_USAGE;
    if (code == CLI_SOLVED) {
        size_t n = (size_t)j.source.info->n_variables;
        values = must_resize(NULL, 2 * n + 1, sizeof *values); /* derivatives behind values */
        code = start_status(find_start(&j, values));
    }
    if (code == CLI_SOLVED)
        start_impulses_find(&impulses, &j);
    if (code == CLI_SOLVED && !a->json && !a->quiet && !a->output) {
        print_values(&j, values, &impulses);
        print_open(&j.outcome);
    }
    if (a->json)
        print_json(&j, values, &impulses);
    if (a->stats)
        report_stats(&j);
    free(values);
    start_impulses_free(&impulses);
    job_free(&j);
    return code;
}
