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

void access_warn(const daedal_model *handle, double t, const char *message)
{
    log_warning(handle->now->simulation.log, DAEDAL_CAUSE_NONE, t, message);
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

/* Room for the values of parameters as they were. */
typedef struct kept_values {
    flat_variable *before;
    double *value;
} kept_values;

static bool set_parameters(daedal_model *d, const uint32_t *parameters, const double *values,
                           int32_t n, kept_values *kept)
{
    if (model_set_parameters(&d->model, parameters, values, n, kept->before) != DAEDAL_OK)
        return false;
    for (int32_t k = 0; k < n; k++)
        kept->value[k] = kept->before[k].is_set ? kept->before[k].set_to : (double)NAN;
    return true;
}

bool access_start(const daedal_model *handle, const daedal_simulation *how,
                  const uint32_t *parameters, const double *values, int32_t n, double *x)
{
    const daedal_allocator *a = &handle->allocator;
    daedal_model *d = handle->now;
    size_t room = (size_t)n + 1;
    kept_values kept = {memory_take_array(a, room, sizeof *kept.before),
                        memory_take_array(a, room, sizeof *kept.value)};
    bool known = kept.before && kept.value;
    for (int32_t k = 0; k < n; k++)
        known = known && isfinite(values[k]);
    bool is_set = known && n > 0 && set_parameters(d, parameters, values, n, &kept);
    known = (is_set || (known && n == 0)) && start(d, how, x);
    if (is_set)
        model_set_parameters(&d->model, parameters, kept.value, n, kept.before);
    memory_give(a, kept.before, room * sizeof *kept.before);
    memory_give(a, kept.value, room * sizeof *kept.value);
    return known;
}
