/* cli/start_impulses.c - see start_impulses.h. */
#include "start_impulses.h"

#include <stdlib.h>
#include <string.h>

#include "messages.h"

/* The equations at the start, once more: without rows, messages and warnings. */
static daedal_linear_system *linearise_start(const job *j)
{
    daedal_linear_system *system = NULL;
    daedal_model *model = j->source.model;
    daedal_simulation plan = j->plan;
    daedal_options quiet = *plan.options;
    daedal_ints none = {0};
    quiet.log = NULL;
    quiet.progress = NULL;
    plan.options = &quiet;
    plan.row = NULL;
    plan.verify = 0;
    if (daedal_model_begin(model, &plan) < 0 ||
        daedal_model_linearize(model, &none, &none, &system) < 0)
        return NULL;
    return system;
}

static double jump_of(const daedal_outcome *o, const char *name)
{
    for (int32_t i = 0; i < o->n_moved; i++)
        if (strcmp(o->moved_names[i], name) == 0)
            return o->moved_to[i] - o->moved_from[i];
    return 0.0;
}

void start_impulses_find(start_impulses *s, const job *j)
{
    const daedal_outcome *o = &j->outcome;
    *s = (start_impulses){0};
    if (o->n_moved == 0)
        return;
    s->system = linearise_start(j);
    if (!s->system)
        return;
    s->n = s->system->n;
    size_t n = (size_t)s->n;
    double *jump = must_resize(NULL, n + 1, sizeof *jump);
    s->weights = must_resize(NULL, n * IMPULSE_ORDERS + 1, sizeof *s->weights);
    for (int32_t k = 0; k < s->n; k++)
        jump[k] = jump_of(o, s->system->variables[k]);
    daedal_pencil pencil = {s->n, s->n, s->system->e, s->system->a};
    if (daedal_pencil_impulses(&pencil, jump, IMPULSE_ORDERS, s->weights, &s->order, NULL) < 0)
        s->order = 0;
    free(jump);
}

void start_impulses_free(start_impulses *s)
{
    daedal_linear_system_free(s->system);
    free(s->weights);
}

double start_impulses_weight(const start_impulses *s, const char *name, int32_t order)
{
    for (int32_t k = 0; k < s->n && order < s->order; k++)
        if (strcmp(s->system->variables[k], name) == 0)
            return s->weights[(size_t)order * (size_t)s->n + (size_t)k];
    return 0.0;
}

static bool has_any(const start_impulses *s, int32_t k)
{
    for (int32_t m = 0; m < s->order; m++)
        if (s->weights[(size_t)m * (size_t)s->n + (size_t)k] != 0.0)
            return true;
    return false;
}

void start_impulses_json(const start_impulses *s, json_writer *w)
{
    json_key(w, "impulses");
    json_open_object(w);
    for (int32_t k = 0; k < s->n; k++) {
        if (!has_any(s, k))
            continue;
        json_key(w, s->system->variables[k]);
        json_open_flat_array(w);
        for (int32_t m = 0; m < s->order; m++)
            json_number(w, s->weights[(size_t)m * (size_t)s->n + (size_t)k]);
        json_close(w);
    }
    json_close(w);
}
