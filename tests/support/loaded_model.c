/* support/loaded_model.c - see loaded_model.h. */
#include "loaded_model.h"

#include "flatten/flatten.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static void *room(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    assert_non_null(p);
    return p;
}

static void complain(const loaded_model *l, const char *name)
{
    char text[500] = "not a model";
    const sources *s = &l->front.sources;
    if (s->n_messages)
        source_format(s, &s->message[0], text, sizeof text);
    fail_msg("%s: %s", name, text);
}

static void build(loaded_model *l, const ast_file *file, const char *name)
{
    l->flat = file ? flatten(&l->front, file, NULL, 0) : NULL;
    if (!l->flat)
        complain(l, name);
    if (model_create(&l->m, l->flat, NULL) != DAEDAL_OK)
        fail_msg("%s: %s", name, model_message(&l->m));
    assert_true(simulation_create(&l->s, &l->m));
    l->shown = room(l->flat->n_variables, sizeof *l->shown);
    l->last = room(l->flat->n_variables, sizeof *l->last);
    for (uint32_t v = 0; v < l->flat->n_variables; v++)
        l->shown[v] = v;
}

void loaded_model_open(loaded_model *l, const char *name)
{
    char path[512];
    *l = (loaded_model){0};
    snprintf(path, sizeof path, "%s/%s.mo", DAEDAL_TEST_MODELS, name);
    assert_true(compilation_create(&l->front, NULL, 0));
    build(l, parse_file(&l->front, path), name);
}

void loaded_model_open_text(loaded_model *l, const char *text)
{
    *l = (loaded_model){0};
    assert_true(compilation_create(&l->front, NULL, 0));
    build(l, parse_text(&l->front, "text", text, strlen(text)), "text");
}

void loaded_model_close(loaded_model *l)
{
    simulation_free(&l->s);
    model_free(&l->m);
    flat_free(l->flat);
    compilation_free(&l->front);
    free(l->shown);
    free(l->last);
}

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    loaded_model *l = user;
    (void)kind, (void)t;
    memcpy(l->last, values, l->flat->n_variables * sizeof *values);
    return DAEDAL_CALL_OK;
}

static void run(loaded_model *l, const daedal_simulation *how, bool start_only)
{
    size_t n = l->flat->n_variables;
    simulation_task task = {
        .request = how, .shown = {l->shown, (int32_t)n}, .start_only = start_only};
    simulation_outcome outcome = {.moved = room(n, sizeof(uint32_t)),
                                  .moved_from = room(n, sizeof(double)),
                                  .moved_to = room(n, sizeof(double))};
    daedal_status status = simulation_run(&l->s, &task, &outcome);
    free(outcome.moved);
    free(outcome.moved_from);
    free(outcome.moved_to);
    if (status != DAEDAL_OK)
        fail_msg("%s: %s", daedal_status_name(status), model_message(&l->m));
}

void loaded_model_start(loaded_model *l)
{
    const flat_experiment *e = &l->flat->experiment;
    daedal_simulation how = {.t_start = e->start, .t_stop = e->start + 1.0};
    run(l, &how, true);
}

void loaded_model_run(loaded_model *l, double t_stop, const daedal_options *opt)
{
    daedal_simulation how = {.t_stop = t_stop,
                             .intervals = 1,
                             .options = opt,
                             .scale_atol = true,
                             .row = keep_row,
                             .row_user = l};
    run(l, &how, false);
}

uint32_t loaded_model_variable(const loaded_model *l, const char *name)
{
    for (uint32_t v = 0; v < l->flat->n_variables; v++)
        if (strcmp(variable_text(l->m.reduced, v), name) == 0)
            return v;
    fail_msg("no variable %s", name);
    return 0;
}
