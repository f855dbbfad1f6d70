/* adjoint/model_access.c - see model_access.h. */
#include "adjoint/model_access.h"

#include <math.h>
#include <string.h>

#include "api/model_handle.h"
#include "hybrid/discrete.h"

daedal_solver *access_solver(const daedal_model *handle)
{
    return handle->now->simulation.discrete->solver;
}

const compiled_model *access_equations(const daedal_model *handle)
{
    return handle->now->model.compiled;
}

const daedal_allocator *access_allocator(const daedal_model *handle)
{
    return &handle->allocator;
}

bool access_variable(const daedal_model *handle, int32_t number, uint32_t *variable)
{
    const daedal_model *d = handle->now;
    int32_t place = number - d->first_number;
    if (number < d->first_number || place >= d->info.n_variables)
        return false;
    *variable = d->shown[place];
    return true;
}

discrete_part *access_discrete(const daedal_model *handle)
{
    return handle->now->model.discrete;
}

void access_observe(const daedal_model *handle, const event_observer *observer)
{
    handle->now->simulation.hooks.observer = observer;
}

/* ---- starts ---- */

static bool is_live(const flat_model *flat, uint32_t v)
{
    const flat_variable *of = &flat->variables[v];
    return of->is_parameter && of->variability == FLAT_CONSTANT && of->binding != EXPR_NONE &&
           expr_is_live(&flat->graph, of->value);
}

static bool start(daedal_model *d, const daedal_simulation *how, double *x)
{
    simulation *m = &d->simulation;
    simulation_task task = {
        .request = how, .shown = {d->shown, d->info.n_variables}, .start_only = true};
    simulation_outcome outcome = {0};
    message_log heard = *m->log;
    int32_t warnings = heard.kept ? heard.kept->n : 0;
    m->log->write = NULL;
    daedal_status status = simulation_run(m, &task, &outcome);
    *m->log = heard;
    if (heard.kept)
        heard.kept->n = warnings;
    if (status == DAEDAL_OK)
        memcpy(x, m->values->x, m->values->place.n * sizeof(double));
    return status == DAEDAL_OK;
}

double access_parameter(const daedal_model *handle, uint32_t variable)
{
    const flat_model *flat = handle->now->flat;
    return is_live(flat, variable) ? expr_value_now(&flat->graph, flat->variables[variable].value)
                                   : (double)NAN;
}

bool access_start(const daedal_model *handle, const daedal_simulation *how,
                  const uint32_t *parameters, const double *values, int32_t n, double *x)
{
    daedal_model *d = handle->now;
    int32_t done = 0;
    flat_variable *before = memory_take_array(&handle->allocator, (size_t)n + 1, sizeof *before);
    bool known = before != NULL;
    for (; known && done < n; done += known) {
        before[done] = d->flat->variables[parameters[done]];
        known = isfinite(values[done]) &&
                model_set_parameter(&d->model, parameters[done], values[done]) == DAEDAL_OK;
    }
    known = known && start(d, how, x);
    while (done-- > 0)
        model_set_parameter(&d->model, parameters[done],
                            before[done].is_set ? before[done].set_to : (double)NAN);
    memory_give(&handle->allocator, before, ((size_t)n + 1) * sizeof *before);
    return known;
}
