/* api/model_rebuild.c - see model_handle.h: a model that is read again because a parameter decides
 * what its equations are.
 *
 * The text is that which the handle was made of, the options those of then; parameters are changed
 * to what was set since.  What else was set before a run (start values, inputs) is brought along.
 * The numbers of variables stay if the variables are the same; else they begin behind all earlier
 * ones, so that an old number is refused and never taken for another variable.            */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/model_handle.h"
#include "base/status.h"

/* ---- settings ---- */

/* The value of this name becomes another one, or is added: there is room.  NAN: it is removed. */
static void put_setting(model_settings *s, const char *name, double value)
{
    int32_t k = 0;
    while (k < s->n && strcmp(s->at[k].name, name) != 0)
        k++;
    if (isnan(value)) {
        if (k < s->n)
            s->at[k] = s->at[--s->n];
        return;
    }
    if (k == s->n)
        s->at[s->n++].name = arena_text(&s->mem, name, strlen(name));
    s->at[k].value = value;
}

static const char *name_of(const daedal_model *d, uint32_t variable)
{
    return intern_text(&d->front.names, d->flat->variables[variable].name);
}

/* All that was set: with the last reading, since then, and now. */
static bool list_settings(const daedal_model *handle, const daedal_setting *changed,
                          int32_t n_changed, model_settings *to)
{
    const daedal_model *d = handle->now;
    size_t n = d->flat->n_variables, room = (size_t)handle->settings.n + (size_t)n_changed + 1;
    for (size_t v = 0; v < n; v++)
        room += d->flat->variables[v].is_set;
    arena_create(&to->mem, &handle->allocator, 0);
    to->at = arena_take(&to->mem, room, sizeof *to->at);
    for (int32_t k = 0; k < handle->settings.n && !to->mem.failed; k++)
        put_setting(to, handle->settings.at[k].name, handle->settings.at[k].value);
    for (uint32_t v = 0; v < n && !to->mem.failed; v++)
        if (d->flat->variables[v].is_set)
            put_setting(to, name_of(d, v), d->flat->variables[v].set_to);
    for (int32_t k = 0; k < n_changed && !to->mem.failed; k++)
        put_setting(to, changed[k].name, changed[k].value);
    return !to->mem.failed;
}

/* Those of the options first, as far as they were not set again. */
static bool list_parameters(const daedal_model_options *first, model_settings *set,
                            daedal_setting **all, int32_t *n)
{
    *n = 0;
    *all = arena_take(&set->mem, (size_t)first->n_parameters + (size_t)set->n + 1, sizeof **all);
    for (int32_t k = 0; k < first->n_parameters && *all; k++) {
        bool again = false;
        for (int32_t i = 0; i < set->n && !again; i++)
            again = strcmp(first->parameters[k].name, set->at[i].name) == 0;
        if (!again)
            (*all)[(*n)++] = first->parameters[k];
    }
    for (int32_t i = 0; i < set->n && *all; i++)
        (*all)[(*n)++] = set->at[i];
    return *all != NULL;
}

/* ---- what is brought along ---- */

/* The variable of the same name among those that are shown, or -1; `near` is tried first. */
static int32_t same_variable(const daedal_model *d, const char *name, int32_t near)
{
    if (near < d->info.n_variables && strcmp(d->variables[near].name, name) == 0)
        return near;
    for (int32_t k = 0; k < d->info.n_variables; k++)
        if (strcmp(d->variables[k].name, name) == 0)
            return k;
    return -1;
}

static daedal_status bring_starts(daedal_model *to, const daedal_model *from, const char **lost)
{
    for (int32_t k = 0; k < from->info.n_variables && from->model.start; k++) {
        uint32_t v = from->shown[k];
        if (!start_is_overridden(from->model.start, v))
            continue;
        int32_t same = same_variable(to, from->variables[k].name, k);
        daedal_status status = same >= 0 && to->model.start
                                   ? start_override(to->model.start, to->shown[same],
                                                    start_written(from->model.start, v))
                                   : DAEDAL_ERR_ARGUMENT;
        *lost = from->variables[k].name;
        if (status != DAEDAL_OK)
            return status;
    }
    return DAEDAL_OK;
}

static bool is_same_input(const daedal_model *a, size_t i, const daedal_model *b, size_t k)
{
    return k < b->flat->n_inputs && strcmp(name_of(a, a->flat->inputs[i].variable),
                                           name_of(b, b->flat->inputs[k].variable)) == 0;
}

static bool bring_input(daedal_model *to, size_t i, const daedal_model *from, size_t k,
                        bool is_copy)
{
    if (is_copy)
        return inputs_duplicate(to->model.discrete, i, from->model.discrete, k);
    inputs_bring(to->model.discrete, i, from->model.discrete, k);
    return true;
}

/* An input that exists no more needs no value.  false: out of memory. */
static bool bring_inputs(daedal_model *to, const daedal_model *from, bool is_copy)
{
    size_t n = from->flat->n_inputs;
    if (!to->model.discrete || !from->model.discrete)
        return true;
    for (size_t i = 0; i < to->flat->n_inputs; i++) {
        size_t k = is_same_input(to, i, from, i) ? i : 0;
        while (k < n && !is_same_input(to, i, from, k))
            k++;
        if (k < n && !bring_input(to, i, from, k, is_copy))
            return false;
    }
    return true;
}

static bool has_same_variables(const daedal_model *a, const daedal_model *b)
{
    bool same = a->info.n_variables == b->info.n_variables;
    for (int32_t k = 0; k < a->info.n_variables && same; k++)
        same = strcmp(a->variables[k].name, b->variables[k].name) == 0;
    return same;
}

static daedal_status number_variables(daedal_model *to, const daedal_model *from)
{
    int64_t behind = (int64_t)from->first_number + 2 * (int64_t)from->info.n_variables;
    to->first_number = from->first_number;
    if (!has_same_variables(to, from)) {
        if (behind + 2 * (int64_t)to->info.n_variables > INT32_MAX)
            return DAEDAL_ERR_ARGUMENT;
        to->first_number = (int32_t)behind;
    }
    to->info.first_number = to->first_number;
    return DAEDAL_OK;
}

/* is_copy: the other model goes on. */
static daedal_status bring_along(daedal_model *to, const daedal_model *from, bool is_copy,
                                 daedal_diagnosis *why)
{
    const char *lost = NULL;
    daedal_status status = number_variables(to, from);
    if (status != DAEDAL_OK)
        return fail(why, status, "the variables have changed too often: read the model again");
    status = bring_starts(to, from, &lost);
    if (status == DAEDAL_ERR_MEMORY)
        return fail(why, status, "out of memory");
    if (status != DAEDAL_OK)
        return fail(why, status,
                    "a start value of %s was set, which it cannot have with the new parameters: "
                    "take it back first, by setting NAN",
                    lost);
    if (!bring_inputs(to, from, is_copy))
        return fail(why, DAEDAL_ERR_MEMORY, "out of memory");
    to->simulation.run = from->simulation.run; /* states of earlier runs stay apart */
    return DAEDAL_OK;
}

/* ---- reading again ---- */

static daedal_status read_again(daedal_model *handle, model_settings *set, daedal_model **made)
{
    enum { MESSAGE = 480 };
    const source *text = handle->front.sources.source[0];
    text_source from = {NULL, text->name, text->text, text->length};
    daedal_model_options o = handle->options;
    daedal_setting *all;
    char message[MESSAGE];
    if (!list_parameters(&handle->options, set, &all, &o.n_parameters))
        return fail(handle->now->model.why, DAEDAL_ERR_MEMORY, "out of memory");
    o.parameters = all;
    o.allocator = &handle->allocator;
    o.why = handle->now->model.why;
    return model_make(made, &from, &o, message, sizeof message);
}

daedal_status model_rebuild(daedal_model *handle, const daedal_setting *changed, int32_t n)
{
    daedal_model *before = handle->now, *made = NULL;
    model_settings set = {.n = 0};
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (list_settings(handle, changed, n, &set))
        status = read_again(handle, &set, &made);
    else
        fail(before->model.why, status, "out of memory");
    if (status == DAEDAL_OK)
        status = bring_along(made, before, false, before->model.why);
    if (status != DAEDAL_OK) {
        daedal_model_free(made);
        arena_free(&set.mem);
        return status;
    }
    arena_free(&handle->settings.mem);
    handle->settings = set;
    handle->now = made;
    if (before != handle)
        daedal_model_free(before);
    return DAEDAL_OK;
}

bool model_refresh(daedal_model *handle)
{
    daedal_model *d = handle->now;
    if (!d->has_moved)
        return false;
    daedal_diagnosis first = *d->model.why;
    daedal_status status = model_rebuild(handle, NULL, 0);
    if (status != DAEDAL_OK)
        *d->model.why = first;
    return status == DAEDAL_OK;
}

/* ---- twins ---- */

daedal_status model_twin(daedal_model *handle, daedal_model **twin)
{
    daedal_diagnosis *why = handle->now->model.why;
    model_settings set = {.n = 0};
    *twin = NULL;
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (list_settings(handle, NULL, 0, &set))
        status = read_again(handle, &set, twin);
    else
        fail(why, status, "out of memory");
    if (status == DAEDAL_OK)
        status = bring_along(*twin, handle->now, true, why);
    arena_free(&set.mem);
    if (status != DAEDAL_OK) {
        daedal_model_free(*twin);
        *twin = NULL;
    }
    return status;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_settings(const daedal_setting *a, const daedal_setting *b, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        if (!same_text(a[k].name, b[k].name) || a[k].value != b[k].value)
            return false;
    return true;
}

static bool same_options(const daedal_model_options *a, const daedal_model_options *b)
{
    bool same = a->n_parameters == b->n_parameters && a->n_starts == b->n_starts &&
                a->n_inputs == b->n_inputs && a->reduction == b->reduction &&
                a->levels == b->levels && a->baumgarte == b->baumgarte &&
                same_text(a->model_name, b->model_name);
    for (int32_t k = 0; k < a->n_inputs && same; k++)
        same = same_text(a->inputs[k].name, b->inputs[k].name) &&
               same_text(a->inputs[k].expression, b->inputs[k].expression);
    return same && same_settings(a->parameters, b->parameters, a->n_parameters) &&
           same_settings(a->starts, b->starts, a->n_starts);
}

bool model_is_twin(const daedal_model *a, const daedal_model *b)
{
    const source *x = a->front.sources.source[0], *y = b->front.sources.source[0];
    return x->length == y->length && memcmp(x->text, y->text, x->length) == 0 &&
           same_options(&a->options, &b->options) && a->settings.n == b->settings.n &&
           same_settings(a->settings.at, b->settings.at, a->settings.n) &&
           has_same_variables(a->now, b->now);
}
