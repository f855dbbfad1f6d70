/* cli/verb_linearize.c - daedal linearize MODEL: matrices, eigenvalues and modes at a point. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "messages.h"
#include "output/json_writer.h"
#include "poles.h"
#include "verbs.h"

enum { NOTES_MOST = 4, NOTE_SIZE = 500 };

typedef struct linearize_task {
    job j;
    double t;
    int32_t *inputs, *outputs; /* NULL: those that are declared */
    int32_t n_inputs, n_outputs;
    daedal_linear_system *system; /* or NULL */
    daedal_status status;
    daedal_diagnosis why;
    char notes[NOTES_MOST][NOTE_SIZE]; /* warnings */
    int n_notes;
} linearize_task;

/* ---- arguments ---- */

static int find_numbers(linearize_task *t, const char *text, int32_t **numbers, int32_t *n)
{
    name_list names;
    if (!text)
        return CLI_SOLVED;
    if (!names_read(&names, text)) {
        names_free(&names);
        return CLI_USAGE;
    }
    int code = CLI_SOLVED;
    *numbers = must_resize(NULL, names.n + 1, sizeof **numbers);
    for (size_t k = 0; k < names.n && code == CLI_SOLVED; k++) {
        int32_t number = daedal_model_find(t->j.source.model, names.at[k]);
        if (number < 0)
            code = print_diagnosis(daedal_model_diagnosis(t->j.source.model));
        (*numbers)[(*n)++] = number;
    }
    names_free(&names);
    return code;
}

static int prepare(linearize_task *t, const arguments *a)
{
    int code = poles_check_file(a);
    if (code != CLI_SOLVED)
        return code;
    code = job_load(&t->j, a, false);
    if (code != CLI_SOLVED)
        return code;
    daedal_simulation *plan = &t->j.plan;
    t->t = isnan(a->t_stop) ? plan->t_start : a->t_stop;
    if (t->t < plan->t_start)
        return print_error("-t %g lies before the start time %g", t->t, plan->t_start);
    plan->t_stop = t->j.monitor.t_stop = t->t;
    plan->row = NULL;
    plan->verify = 0;
    code = find_numbers(t, a->linearize.in, &t->inputs, &t->n_inputs);
    return code ? code : find_numbers(t, a->linearize.out, &t->outputs, &t->n_outputs);
}

/* ---- the run ---- */

static void note(linearize_task *t, const char *format, double x, const char *text)
{
    if (t->n_notes < NOTES_MOST)
        snprintf(t->notes[t->n_notes++], NOTE_SIZE, format, x, text);
}

static void note_event(linearize_task *t)
{
    const daedal_model_event *e = daedal_model_last_event(t->j.source.model);
    if (!e || !(e->t == t->system->t) || t->system->t == t->j.plan.t_start)
        return;
    const char *what = e->n_relations > 0 ? e->relations[0] : e->n_whens > 0 ? e->whens[0] : "";
    note(t, "there is an event at t = %g (%s): the model is linearised with the values after it",
         e->t, what);
}

static void note_motion(linearize_task *t)
{
    const daedal_linear_system *s = t->system;
    if (s->is_equilibrium || s->is_linear || s->n == 0)
        return;
    if (isfinite(s->distance))
        note(
            t,
            "the model does not stand still at t = %g: %s is moving.  The eigenvalues are those of "
            "frozen coefficients, and say nothing certain of stability; `daedal steady` finds "
            "points where nothing moves",
            s->t, s->moving);
    else
        note(
            t,
            "the model does not stand still at t = %g and has no such point nearby: %s is moving.  "
            "The eigenvalues are those of frozen coefficients, and say nothing certain of "
            "stability",
            s->t, s->moving);
}

static void note_structure(linearize_task *t)
{
    const daedal_pencil_structure *p = t->system->pencil;
    const double near = 1e3; /* ratio of what is one and what is zero */
    if (!p->is_regular)
        note(
            t,
            "with coefficients frozen at t = %g the linearised equations are singular: they do not "
            "determine all variables, and the eigenvalues say nothing of the model%s",
            t->system->t, "");
    else if (p->kept < near * p->dropped)
        note(t,
             "the number of finite eigenvalues is not certain: a singular value of %.1e was taken "
             "for "
             "one that is not zero%s",
             p->kept, "");
}

static void linearize_here(linearize_task *t)
{
    const arguments *a = t->j.args;
    daedal_ints inputs = {t->inputs, t->n_inputs}, outputs = {t->outputs, t->n_outputs};
    t->status = daedal_model_linearize(t->j.source.model, a->linearize.in ? &inputs : NULL,
                                       a->linearize.out ? &outputs : NULL, &t->system);
    if (t->status < 0)
        return;
    note_event(t);
    note_motion(t);
    note_structure(t);
}

/* A run that terminate() ends earlier is linearised where it ended. */
static void run(linearize_task *t)
{
    daedal_model *m = t->j.source.model;
    t->status = daedal_model_begin(m, &t->j.plan);
    bool begun = t->status >= 0;
    if (begun && t->t > t->j.plan.t_start)
        t->status = daedal_model_advance(m, t->t);
    monitor_clear_line(&t->j.monitor);
    if (t->status >= 0 && t->status != DAEDAL_STOPPED)
        linearize_here(t);
    t->why = *daedal_model_diagnosis(m);
    if (begun)
        daedal_model_end(m, NULL);
}

/* ---- JSON ---- */

static void names_member(json_writer *w, const char *name, const char *const *at, int32_t n)
{
    json_key(w, name);
    json_open_flat_array(w);
    for (int32_t k = 0; k < n; k++)
        json_string(w, at[k]);
    json_close(w);
}

/* Rows of a matrix by columns. */
static void matrix_member(json_writer *w, const char *name, const double *x, int32_t rows,
                          int32_t cols)
{
    json_key(w, name);
    json_open_array(w);
    for (int32_t i = 0; i < rows; i++) {
        json_open_flat_array(w);
        for (int32_t j = 0; j < cols; j++)
            json_number(w, x[(size_t)j * (size_t)rows + (size_t)i]);
        json_close(w);
    }
    json_close(w);
}

static void values_member(json_writer *w, const daedal_linear_system *s)
{
    json_key(w, "values");
    json_open_object(w);
    for (int32_t k = 0; k < s->n; k++)
        json_number_member(w, s->variables[k], s->values[k]);
    json_close(w);
}

static void system_members(json_writer *w, const daedal_linear_system *s)
{
    json_key(w, "linear");
    json_boolean(w, s->is_linear);
    json_key(w, "equilibrium");
    json_boolean(w, s->is_equilibrium);
    poles_json(w, s);
    names_member(w, "variables", s->variables, s->n);
    names_member(w, "equations", s->equations, s->n);
    names_member(w, "inputs", s->inputs, s->n_inputs);
    names_member(w, "outputs", s->outputs, s->n_outputs);
    matrix_member(w, "E", s->e, s->n, s->n);
    matrix_member(w, "A", s->a, s->n, s->n);
    matrix_member(w, "B", s->b, s->n, s->n_inputs);
    matrix_member(w, "C", s->c, s->n_outputs, s->n);
    matrix_member(w, "D", s->d, s->n_outputs, s->n_inputs);
    values_member(w, s);
}

static void write_json(sink *to, const linearize_task *t)
{
    json_writer w = json_to(to, JSON_PRETTY);
    json_open_object(&w);
    json_string_member(&w, "status", t->system ? "solved" : "failed");
    json_number_member(&w, "t", t->system ? t->system->t : t->t);
    if (t->system)
        system_members(&w, t->system);
    json_key(&w, "warnings");
    json_open_array(&w);
    for (int k = 0; k < t->n_notes; k++)
        json_string(&w, t->notes[k]);
    json_close(&w);
    poles_diagnosis_json(&w, t->system ? NULL : &t->why);
    json_close(&w);
}

static void write_task(sink *to, const void *task)
{
    write_json(to, task);
}

/* ---- the whole ---- */

static void tell(const linearize_task *t)
{
    const arguments *a = t->j.args;
    for (int k = 0; k < t->n_notes && !a->quiet; k++)
        print_warning("%s", t->notes[k]);
    if (a->json || a->quiet)
        return;
    printf("%s at t = %g\n", t->j.source.info->name, t->system->t);
    poles_print(t->system);
}

static int finish(linearize_task *t)
{
    const arguments *a = t->j.args;
    char title[300];
    int code = CLI_SOLVED;
    if (!t->system) {
        print_diagnosis(&t->why);
        code = t->j.monitor.stop_cause ? CLI_FAILED : exit_status(t->status);
        return code ? code : CLI_FAILED;
    }
    tell(t);
    if (a->output)
        code = poles_write_file(write_task, t, a->output);
    snprintf(title, sizeof title, "%.200s: eigenvalues at t = %g", t->j.source.info->name,
             t->system->t);
    if (code == CLI_SOLVED && a->plot)
        code = poles_draw(t->system, a, title);
    return code;
}

int verb_linearize(const arguments *a)
{
    linearize_task t = {.status = DAEDAL_OK, .t = NAN};
    int code = prepare(&t, a);
    if (code == CLI_SOLVED) {
        run(&t);
        code = finish(&t);
    }
    if (a->json) {
        sink to = sink_to_stream(stdout);
        write_json(&to, &t);
    }
    daedal_linear_system_free(t.system);
    free(t.inputs);
    free(t.outputs);
    if (t.j.args)
        job_free(&t.j);
    return code;
}
