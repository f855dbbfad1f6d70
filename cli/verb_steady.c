/* cli/verb_steady.c - daedal steady MODEL: where all derivatives are zero, and whether it is
 * stable.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "messages.h"
#include "output/decimal_text.h"
#include "output/json_writer.h"
#include "poles.h"
#include "verbs.h"

typedef struct steady_task {
    job j;
    daedal_steady_state *state; /* or NULL */
    daedal_status status;
    daedal_diagnosis why;
    char open[600], vague[200]; /* warnings, or "" */
} steady_task;

static int prepare(steady_task *t, const arguments *a)
{
    int code = poles_check_file(a);
    if (code == CLI_SOLVED)
        code = job_load(&t->j, a, false);
    if (code != CLI_SOLVED)
        return code;
    daedal_simulation *plan = &t->j.plan;
    const daedal_model_info *info = t->j.source.info;
    double stop = !isnan(a->t_stop) ? a->t_stop : info->stop_time;
    plan->t_stop = t->j.monitor.t_stop = stop > plan->t_start ? stop : plan->t_start + 1.0;
    plan->row = NULL;
    plan->verify = 0;
    return CLI_SOLVED;
}

static const double VAGUE = 1e-7; /* an uncertainty that is told */

/* What the equations leave open, in words. */
static void name_open(steady_task *t)
{
    enum { LISTED_MOST = 8 };
    const daedal_steady_state *s = t->state;
    size_t used = 0;
    if (s->n_open == 0)
        return;
    used = (size_t)snprintf(t->open, sizeof t->open,
                            "the equations leave %d value%s open at standstill, among ",
                            (int)s->n_open, s->n_open == 1 ? "" : "s");
    for (int32_t k = 0; k < s->n_names && k < LISTED_MOST && used < sizeof t->open; k++)
        used += (size_t)snprintf(t->open + used, sizeof t->open - used, "%s%.60s", k ? ", " : "",
                                 s->open[k]);
    if (used < sizeof t->open)
        snprintf(t->open + used, sizeof t->open - used, "%s: they stay near their start values",
                 s->n_names > LISTED_MOST ? ", ..." : "");
}

static void search(steady_task *t)
{
    daedal_model *m = t->j.source.model;
    t->status = daedal_model_steady(m, &t->j.plan, &t->state);
    monitor_clear_line(&t->j.monitor);
    t->why = *daedal_model_diagnosis(m);
    if (t->state)
        name_open(t);
    if (t->state && t->state->uncertainty > VAGUE)
        snprintf(t->vague, sizeof t->vague,
                 "the values are known to %.0e only: solutions nearly coincide, or rounding hides "
                 "the equations",
                 t->state->uncertainty);
}

/* ---- results ---- */

static const char *stability_word(daedal_stability s)
{
    return s == DAEDAL_STABLE ? "stable" : s == DAEDAL_UNSTABLE ? "unstable" : "undecided";
}

static const char *stability_text(daedal_stability s)
{
    return s == DAEDAL_STABLE     ? "stable: all eigenvalues have negative real parts"
           : s == DAEDAL_UNSTABLE ? "unstable: an eigenvalue has a positive real part"
                                  : "undecided: the largest real part of an eigenvalue is zero";
}

static void print_values(const steady_task *t)
{
    const selection *s = &t->j.rows.columns;
    char number[DECIMAL_TEXT_SIZE];
    for (int32_t k = 0; k < s->n; k++) {
        daedal_model_variable v = selection_describe(s, t->j.source.info, k);
        if (s->variables[k] >= t->j.source.info->n_variables)
            continue; /* a derivative: it is zero */
        decimal_shortest(number, t->state->values[s->variables[k]]);
        printf("%-24s %s%s%s\n", v.name, number, v.unit && v.unit[0] ? " " : "",
               v.unit ? v.unit : "");
    }
}

static void print_text(const steady_task *t)
{
    const daedal_steady_state *s = t->state;
    print_values(t);
    if (s->t_integrated > t->j.plan.t_start)
        printf("found from the values at t = %g\n", s->t_integrated);
    printf("%s\n", stability_text(s->stability));
    poles_print(s->system);
}

static void values_member(json_writer *w, const steady_task *t)
{
    const selection *s = &t->j.rows.columns;
    json_key(w, "values");
    json_open_object(w);
    for (int32_t k = 0; k < s->n; k++)
        if (s->variables[k] < t->j.source.info->n_variables)
            json_number_member(w, selection_name(s, t->j.source.info, k),
                               t->state->values[s->variables[k]]);
    json_close(w);
}

static void write_json(sink *to, const steady_task *t)
{
    json_writer w = json_to(to, JSON_PRETTY);
    json_open_object(&w);
    json_string_member(&w, "status", t->state ? "solved" : "failed");
    json_number_member(&w, "t", t->j.plan.t_start);
    if (t->state) {
        values_member(&w, t);
        json_string_member(&w, "stability", stability_word(t->state->stability));
        json_integer_member(&w, "open", t->state->n_open);
        json_number_member(&w, "t_integrated", t->state->t_integrated);
        poles_json(&w, t->state->system);
    }
    json_key(&w, "warnings");
    json_open_array(&w);
    if (t->open[0])
        json_string(&w, t->open);
    if (t->vague[0])
        json_string(&w, t->vague);
    json_close(&w);
    poles_diagnosis_json(&w, t->state ? NULL : &t->why);
    json_close(&w);
}

static int finish(steady_task *t)
{
    const arguments *a = t->j.args;
    char title[300];
    int code = CLI_SOLVED;
    if (!t->state) {
        print_diagnosis(&t->why);
        code = t->j.monitor.stop_cause ? CLI_FAILED : exit_status(t->status);
        return code ? code : CLI_FAILED;
    }
    if (t->open[0] && !a->quiet)
        print_warning("%s", t->open);
    if (t->vague[0] && !a->quiet)
        print_warning("%s", t->vague);
    if (!a->json && !a->quiet)
        print_text(t);
    snprintf(title, sizeof title, "%.200s: eigenvalues at standstill", t->j.source.info->name);
    return a->plot ? poles_draw(t->state->system, a, title) : CLI_SOLVED;
}

static void write_task(sink *to, const void *task)
{
    write_json(to, task);
}

int verb_steady(const arguments *a)
{
    steady_task t = {.status = DAEDAL_OK};
    int code = prepare(&t, a);
    if (code == CLI_SOLVED) {
        search(&t);
        code = finish(&t);
    }
    if (t.state && a->output && code == CLI_SOLVED)
        code = poles_write_file(write_task, &t, a->output);
    if (a->json) {
        sink to = sink_to_stream(stdout);
        write_json(&to, &t);
    }
    daedal_steady_state_free(t.state);
    if (t.j.args)
        job_free(&t.j);
    return code;
}
