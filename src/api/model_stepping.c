/* api/model_stepping.c - see model_handle.h: runs of a model that the caller drives. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/model_handle.h"
#include "base/status.h"
#include "base/suggest.h"

static daedal_diagnosis *clear(daedal_model *d)
{
    diagnosis_clear(d->model.why);
    return d->model.why;
}

/* ---- names ---- */

static const char *name_at(const void *list, size_t i)
{
    return ((const daedal_model_variable *)list)[i].name;
}

static int32_t number_of(const daedal_model *d, const char *name, size_t length)
{
    for (int32_t k = 0; k < d->info.n_variables; k++)
        if (strncmp(d->variables[k].name, name, length) == 0 && !d->variables[k].name[length])
            return k;
    return -1;
}

static int32_t fail_unknown(daedal_model *d, const char *name)
{
    const char *nearest = suggest(name, name_at, d->variables, (size_t)d->info.n_variables);
    fail(d->model.why, DAEDAL_ERR_ARGUMENT, "%s has no variable %s%s%s%s", d->info.name, name,
         nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    return -1;
}

static value_origin slope_origin(const daedal_model *d, uint32_t v)
{
    return d->model.compiled ? compiled_slope_origin(d->model.compiled, v)
                             : (value_origin){-1, NAN};
}

static int32_t find_slope(daedal_model *d, const char *name, size_t length)
{
    const size_t before = strlen("der(");
    int32_t k = number_of(d, name + before, length - before - 1);
    if (k < 0)
        return fail_unknown(d, name);
    if (slope_origin(d, d->shown[k]).slot >= 0)
        return d->info.n_variables + k;
    fail(d->model.why, DAEDAL_ERR_ARGUMENT, "%s is not computed: %s is no state", name,
         d->variables[k].name);
    return -1;
}

int32_t daedal_model_find(daedal_model *handle, const char *name)
{
    if (!handle || !name)
        return -1;
    daedal_model *d = handle->now;
    clear(d);
    size_t length = strlen(name);
    int32_t k = number_of(d, name, length);
    bool slope = length > 5 && strncmp(name, "der(", 4) == 0 && name[length - 1] == ')';
    if (k < 0)
        k = slope ? find_slope(d, name, length) : fail_unknown(d, name);
    return k < 0 ? k : d->first_number + k;
}

/* ---- the run ---- */

static bool is_running(const daedal_model *d)
{
    return d->simulation.driver != NULL;
}

static daedal_status fail_not_begun(daedal_model *d)
{
    return fail(d->model.why, DAEDAL_ERR_CALL_SEQUENCE,
                "no run of the model is under way: call daedal_model_begin first");
}

static daedal_status fail_after_failure(daedal_model *d)
{
    return fail(d->model.why, DAEDAL_ERR_CALL_SEQUENCE, "the run has failed before: %.400s",
                d->stepping.why.message);
}

/* A run has begun and has not failed. */
static daedal_status check_under_way(daedal_model *d)
{
    if (!is_running(d))
        return fail_not_begun(d);
    return d->stepping.failed < 0 ? fail_after_failure(d) : DAEDAL_OK;
}

static daedal_status begin(daedal_model *d, const daedal_simulation *how)
{
    simulation_task task = {
        .request = how, .shown = {d->shown, d->info.n_variables}, .is_moved = d->has_moved};
    d->stepping.failed = DAEDAL_OK;
    d->stepping.is_computed = d->stepping.is_finished = false;
    if (d->model.discrete)
        d->model.discrete->search->parameters = (parameter_source){0};
    daedal_status status = simulation_begin(&d->simulation, &task, &d->outcome);
    if (status < 0)
        simulation_end(&d->simulation, &d->outcome);
    return status;
}

daedal_status daedal_model_begin(daedal_model *handle, const daedal_simulation *how)
{
    if (!handle || !how)
        return DAEDAL_ERR_ARGUMENT;
    TRY(model_check_idle(handle->now));
    model_clear_outcome(handle->now, how->t_start);
    TRY(model_check_times(how, handle->now->model.why));
    daedal_status status = begin(handle->now, how);
    return status < 0 && model_refresh(handle) ? begin(handle->now, how) : status;
}

static daedal_status check_advance(daedal_model *d, double t)
{
    daedal_diagnosis *why = d->model.why;
    TRY(check_under_way(d));
    double now = simulation_time(&d->simulation);
    clear(d);
    if (isnan(t))
        return fail(why, DAEDAL_ERR_ARGUMENT, "the time to advance to is NaN");
    if (t < now)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the time %.10g lies behind the run, which has come to t = %.10g", t, now);
    return DAEDAL_OK;
}

static daedal_status note_failure(daedal_model *d, daedal_status status)
{
    if (status < 0) {
        d->stepping.failed = status;
        d->stepping.why = *d->model.why;
    }
    return status;
}

static daedal_status advance(daedal_model *d, double t, bool single)
{
    TRY(check_advance(d, t));
    d->stepping.is_computed = false;
    double t_stop = d->simulation.driver->request->t_stop;
    daedal_status status = simulation_advance(&d->simulation, fmin(t, t_stop), single);
    note_failure(d, status);
    bool ended = simulation_has_ended(&d->simulation) && t > simulation_time(&d->simulation);
    return status == DAEDAL_OK && ended ? DAEDAL_AT_STOP_TIME : status;
}

daedal_status daedal_model_advance(daedal_model *handle, double t)
{
    return handle ? advance(handle->now, t, false) : DAEDAL_ERR_ARGUMENT;
}

daedal_status daedal_model_step(daedal_model *handle, double t_limit)
{
    return handle ? advance(handle->now, t_limit, true) : DAEDAL_ERR_ARGUMENT;
}

daedal_status daedal_model_evaluate(daedal_model *handle, double t, double *values)
{
    if (!handle || !values)
        return DAEDAL_ERR_ARGUMENT;
    daedal_model *d = handle->now;
    TRY(check_under_way(d));
    d->stepping.is_computed = false;
    return simulation_evaluate(&d->simulation, t, values);
}

daedal_status daedal_model_set_options(daedal_model *handle, const daedal_options *options)
{
    if (!handle)
        return DAEDAL_ERR_ARGUMENT;
    daedal_model *d = handle->now;
    TRY(check_under_way(d));
    clear(d);
    d->stepping.is_computed = false;
    return simulation_set_options(&d->simulation, options);
}

double daedal_model_time(const daedal_model *handle)
{
    return handle && is_running(handle->now) ? simulation_time(&handle->now->simulation)
                                             : (double)NAN;
}

daedal_status daedal_model_end(daedal_model *handle, daedal_outcome *outcome)
{
    daedal_outcome unwanted;
    if (!handle)
        return DAEDAL_ERR_ARGUMENT;
    handle = handle->now;
    if (!is_running(handle))
        return fail_not_begun(handle);
    daedal_status status = handle->stepping.failed;
    if (status == DAEDAL_OK) {
        handle->simulation.driver->asked.stop_at_events = 0;
        status = simulation_finish(&handle->simulation);
    }
    if (status >= 0)
        clear(handle);
    else if (handle->stepping.failed < 0)
        *handle->model.why = handle->stepping.why;
    simulation_end(&handle->simulation, &handle->outcome);
    if (handle->model.discrete->search->parameters.is_waiting)
        model_take_parameters(&handle->model); /* for the runs that follow */
    model_report(handle, status, outcome ? outcome : &unwanted);
    return status;
}

const daedal_diagnosis *daedal_model_diagnosis(const daedal_model *handle)
{
    return handle ? handle->now->model.why : NULL;
}

/* What was written shows at once. */
static daedal_status take_inputs(daedal_model *d)
{
    if (d->stepping.failed < 0 || !inputs_are_written(d->model.discrete))
        return DAEDAL_OK;
    d->stepping.is_computed = false;
    return note_failure(d, simulation_take_inputs(&d->simulation));
}

/* ---- saved states ---- */

/* A parameter and the value that was set; NAN: that of the text. */
typedef struct kept_parameter {
    uint32_t variable;
    double value;
} kept_parameter;

struct daedal_model_state {
    const daedal_model *handle, *of; /* of: handle->now when it was saved                  */
    daedal_allocator allocator;
    saved_state *saved;
    kept_parameter *parameters; /* all that were set, by ascending number                   */
    size_t n_parameters;
};

static bool save_parameters(const daedal_model *d, daedal_model_state *to)
{
    size_t n = 0;
    for (size_t v = 0; v < d->flat->n_variables; v++)
        n += d->flat->variables[v].is_set;
    to->parameters = memory_take_array(&to->allocator, n + 1, sizeof *to->parameters);
    to->n_parameters = to->parameters ? n : 0;
    n = 0;
    for (uint32_t v = 0; v < d->flat->n_variables && to->parameters; v++)
        if (d->flat->variables[v].is_set)
            to->parameters[n++] = (kept_parameter){v, d->flat->variables[v].set_to};
    return to->parameters != NULL;
}

static daedal_status restore_parameters(daedal_model *d, const daedal_model_state *from)
{
    size_t k = 0;
    bool any = false;
    for (uint32_t i = 0; i < d->flat->n_variables; i++) {
        flat_variable *v = &d->flat->variables[i];
        double now = v->is_set ? v->set_to : (double)NAN, then = NAN;
        if (k < from->n_parameters && from->parameters[k].variable == i)
            then = from->parameters[k++].value;
        v->is_wanted = !(now == then || (isnan(now) && isnan(then)));
        v->wanted = then;
        any = any || v->is_wanted;
    }
    d->model.discrete->search->parameters = (parameter_source){0};
    d->has_moved = d->has_moved || any;
    return any ? model_take_parameters(&d->model) : DAEDAL_OK;
}

static daedal_status save(daedal_model *d, daedal_model_state *to)
{
    if (!save_parameters(d, to))
        return fail(d->model.why, DAEDAL_ERR_MEMORY, "out of memory for the state of a run");
    return simulation_save(&d->simulation, &to->saved);
}

daedal_status daedal_model_save(daedal_model *handle, daedal_model_state **state)
{
    if (!handle || !state)
        return DAEDAL_ERR_ARGUMENT;
    daedal_model *d = handle->now;
    *state = NULL;
    TRY(check_under_way(d));
    if (d->model.discrete->search->parameters.is_waiting)
        TRY(take_inputs(d));
    daedal_model_state *made = memory_take(&d->allocator, sizeof *made);
    if (!made)
        return fail(d->model.why, DAEDAL_ERR_MEMORY, "out of memory for the state of a run");
    *made = (daedal_model_state){.handle = handle, .of = d, .allocator = d->allocator};
    daedal_status status = save(d, made);
    if (status == DAEDAL_OK)
        *state = made;
    else
        daedal_model_state_free(made);
    return status;
}

/* It may be that of a twin, whose run is the same. */
static daedal_status check_state(daedal_model *handle, const daedal_model_state *state)
{
    daedal_diagnosis *why = handle->now->model.why;
    if (state->of != state->handle->now)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the state is that of the model before it was read again");
    if (handle != state->handle && !model_is_twin(handle, state->handle))
        return fail(why, DAEDAL_ERR_ARGUMENT, "the state is that of another model");
    return DAEDAL_OK;
}

daedal_status daedal_model_restore(daedal_model *handle, const daedal_model_state *state)
{
    if (!handle || !state)
        return DAEDAL_ERR_ARGUMENT;
    daedal_model *d = handle->now;
    if (!is_running(d))
        return fail_not_begun(d);
    clear(d);
    TRY(check_state(handle, state));
    daedal_status status = simulation_restore(&d->simulation, state->saved);
    if (status == DAEDAL_OK)
        status = restore_parameters(d, state);
    if (status == DAEDAL_OK) {
        d->stepping.failed = DAEDAL_OK; /* the state is one from before a failure */
        d->stepping.is_computed = false;
    }
    return status == DAEDAL_ERR_MEMORY ? note_failure(d, status) : status;
}

void daedal_model_state_free(daedal_model_state *state)
{
    if (!state)
        return;
    daedal_allocator a = state->allocator;
    saved_state_free(state->saved);
    memory_give(&a, state->parameters, (state->n_parameters + 1) * sizeof *state->parameters);
    memory_give(&a, state, sizeof *state);
}

/* ---- values ---- */

/* The place of a number in the description, or behind it that of a derivative; negative: none. */
static int32_t place_of(const daedal_model *d, int32_t number)
{
    return number < d->first_number ? -1 : number - d->first_number;
}

static bool is_place(const daedal_model *d, int32_t place)
{
    int32_t n = d->info.n_variables;
    return place >= 0 &&
           (place < n || (place < 2 * n && slope_origin(d, d->shown[place - n]).slot >= 0));
}

static daedal_status fail_number(daedal_model *d, int32_t number)
{
    bool is_old = number >= 0 && number < d->first_number;
    return fail(d->model.why, DAEDAL_ERR_ARGUMENT,
                is_old ? "%d is a number from before a parameter changed the variables: "
                         "daedal_model_find gives the present ones"
                       : "%d is no number of a variable: daedal_model_find gives those that are",
                (int)number);
}

/* Variables that nothing else reads are computed when the first of them is asked for.  That one of
 * them has no value is no fault of the others.                                     */
static daedal_status read_computed(daedal_model *d, value_origin from, double *value)
{
    const compiled_model *c = d->model.compiled;
    daedal_status status = d->stepping.is_computed ? DAEDAL_OK : compiled_compute(c);
    d->stepping.is_computed = status == DAEDAL_OK;
    *value = origin_value(from, c->values->x);
    if (status == DAEDAL_OK)
        return status;
    if (status == DAEDAL_ERR_NOT_FINITE && isfinite(*value))
        return clear(d)->status;
    return status;
}

daedal_status daedal_model_get(daedal_model *handle, int32_t number, double *value)
{
    if (!handle || !value)
        return DAEDAL_ERR_ARGUMENT;
    daedal_model *d = handle->now;
    int32_t n = d->info.n_variables, place = place_of(d, number);
    if (!is_place(d, place))
        return fail_number(d, number);
    const compiled_model *c = d->model.compiled;
    if (!c)
        return fail_not_begun(d);
    if (is_running(d))
        TRY(take_inputs(d));
    value_origin from =
        place < n ? c->origin[d->shown[place]] : slope_origin(d, d->shown[place - n]);
    if (from.slot >= 0 && !is_running(d))
        return fail_not_begun(d);
    if (from.slot >= (int32_t)c->values->place.n)
        return read_computed(d, from, value);
    *value = origin_value(from, c->values->x);
    return DAEDAL_OK;
}

static daedal_status fail_set(daedal_model *d, int32_t number, const char *reason)
{
    return fail(d->model.why, DAEDAL_ERR_ARGUMENT, "%s cannot be set: %s",
                d->variables[number].name, reason);
}

/* The number of a variable among the inputs of the whole model, or -1. */
static int32_t input_of(const daedal_model *d, int32_t number)
{
    const flat_model *f = d->flat;
    for (size_t k = 0; k < f->n_inputs; k++)
        if (f->inputs[k].variable == d->shown[number])
            return (int32_t)k;
    return -1;
}

/* A value that is NAN takes another one back. */
static daedal_status check_type(daedal_model *d, int32_t place, double *value)
{
    const flat_variable *v = &d->flat->variables[d->shown[place]];
    if (isnan(*value))
        return DAEDAL_OK;
    if (v->type == FLAT_BOOLEAN)
        *value = *value != 0.0;
    if (v->type != FLAT_REAL && *value != floor(*value))
        return fail_set(d, place, "the value is not a whole number");
    if (v->type == FLAT_ENUM && v->enumeration >= 0 &&
        !(*value >= 1.0 && *value <= d->flat->enumerations[v->enumeration].n))
        return fail_set(d, place, "the value is none of its enumeration");
    return DAEDAL_OK;
}

static daedal_status set_input(daedal_model *d, int32_t number, int32_t k, double value)
{
    if (inputs_has_signal(d->model.discrete, (size_t)k))
        return fail_set(d, number, "it follows data (daedal_model_feed)");
    TRY(check_type(d, number, &value));
    inputs_write(d->model.discrete, (size_t)k, value);
    return DAEDAL_OK;
}

/* The value in the text is that of the reading, unless the parameter was set for it. */
static bool was_read_with(const daedal_model *handle, int32_t place)
{
    for (int32_t k = 0; k < handle->settings.n; k++)
        if (strcmp(handle->settings.at[k].name, handle->now->variables[place].name) == 0)
            return true;
    return false;
}

/* In a run it takes effect with the next call, as a new value of an input does. */
static daedal_status want_parameter(daedal_model *d, int32_t place, double value)
{
    uint32_t v = d->shown[place];
    if (d->stepping.failed < 0)
        return fail_after_failure(d);
    daedal_status status = model_want_parameter(&d->model, v, value);
    if (status == DAEDAL_ERR_MEMORY)
        return fail(d->model.why, status, "out of memory");
    if (status != DAEDAL_OK)
        return fail_set(d, place,
                        "it is a structural parameter, or this value makes it one, and a run has "
                        "begun: set it before daedal_model_begin");
    parameter_source *p = &d->model.discrete->search->parameters;
    p->take = model_take_parameters;
    p->user = &d->model;
    p->is_waiting = d->has_moved = true;
    return DAEDAL_OK;
}

static daedal_status check_parameter(daedal_model *d, int32_t place, double *value)
{
    if (d->flat->variables[d->shown[place]].is_final)
        return fail_set(d, place, "it is final, so that it follows from others");
    if (isinf(*value))
        return fail_set(d, place, "the value is infinite");
    return check_type(d, place, value);
}

static daedal_status set_parameter(daedal_model *handle, int32_t place, double value)
{
    daedal_model *d = handle->now;
    TRY(check_parameter(d, place, &value));
    if (is_running(d))
        return want_parameter(d, place, value);
    bool goes_back = isnan(value) && was_read_with(handle, place);
    daedal_status status =
        goes_back ? DAEDAL_ERR_STRUCTURE : model_set_parameter(&d->model, d->shown[place], value);
    if (status == DAEDAL_ERR_STRUCTURE)
        return model_rebuild(handle, &(daedal_setting){d->variables[place].name, value}, 1);
    d->has_moved = d->has_moved || status == DAEDAL_OK;
    return status == DAEDAL_OK ? status : fail(d->model.why, status, "out of memory");
}

static daedal_status set_start(daedal_model *d, int32_t place, double value)
{
    if (is_running(d))
        return fail_set(d, place, "it is computed; its start value is set before the run");
    if (isinf(value))
        return fail_set(d, place, "the value is infinite");
    daedal_status status = d->model.start ? start_override(d->model.start, d->shown[place], value)
                                          : DAEDAL_ERR_ARGUMENT;
    if (status == DAEDAL_ERR_MEMORY)
        return fail(d->model.why, status, "out of memory");
    return status == DAEDAL_OK
               ? status
               : fail_set(d, place, "it has no start value, since others determine it");
}

daedal_status daedal_model_set(daedal_model *handle, int32_t number, double value)
{
    if (!handle)
        return DAEDAL_ERR_ARGUMENT;
    daedal_model *d = handle->now;
    int32_t place = place_of(d, number);
    clear(d);
    if (place < 0 || place >= d->info.n_variables)
        return is_place(d, place)
                   ? fail(d->model.why, DAEDAL_ERR_ARGUMENT, "a derivative cannot be set")
                   : fail_number(d, number);
    const flat_variable *v = &d->flat->variables[d->shown[place]];
    int32_t input = d->model.discrete ? input_of(d, place) : -1;
    if (input >= 0 && !isfinite(value) && (is_running(d) || !isnan(value)))
        return fail_set(d, place, "the value is not finite");
    if (input >= 0)
        return set_input(d, place, input, value);
    if (v->variability == FLAT_CONSTANT || v->variability == FLAT_PARAMETER)
        return set_parameter(handle, place, value);
    return set_start(d, place, value);
}

static bool is_parameter(const daedal_model *d, int32_t place)
{
    flat_variability v = d->flat->variables[d->shown[place]].variability;
    return v == FLAT_CONSTANT || v == FLAT_PARAMETER;
}

/* The settings with values of the right types, into `to`. */
static daedal_status check_settings(daedal_model *d, const daedal_setting *settings, int32_t n,
                                    daedal_setting *to)
{
    for (int32_t k = 0; k < n; k++) {
        const char *name = settings[k].name ? settings[k].name : "";
        int32_t place = place_of(d, daedal_model_find(d, name));
        to[k] = settings[k];
        if (place < 0 || place >= d->info.n_variables || !is_parameter(d, place))
            return fail(d->model.why, DAEDAL_ERR_ARGUMENT, "the model has no parameter %.100s",
                        name);
        TRY(check_parameter(d, place, &to[k].value));
    }
    return DAEDAL_OK;
}

daedal_status daedal_model_set_parameters(daedal_model *handle, const daedal_setting *settings,
                                          int32_t n)
{
    if (!handle || n < 0 || (n > 0 && !settings))
        return DAEDAL_ERR_ARGUMENT;
    daedal_model *d = handle->now;
    size_t bytes = (size_t)n * sizeof(daedal_setting);
    clear(d);
    TRY(model_check_idle(d));
    if (n == 0)
        return DAEDAL_OK;
    daedal_setting *checked = memory_take_array(&handle->allocator, (size_t)n, sizeof *checked);
    if (!checked)
        return fail(d->model.why, DAEDAL_ERR_MEMORY, "out of memory");
    daedal_status status = check_settings(d, settings, n, checked);
    if (status == DAEDAL_OK)
        status = model_rebuild(handle, checked, n);
    memory_give(&handle->allocator, checked, bytes);
    return status;
}

static daedal_status check_signal(daedal_model *d, int32_t number, const daedal_signal *s)
{
    daedal_diagnosis *why = d->model.why;
    const char *name = d->variables[number].name;
    if (s->times.n < 1 || s->times.n != s->values.n || !s->times.at || !s->values.at)
        return fail(why, DAEDAL_ERR_ARGUMENT, "the data of %s have %d times and %d values", name,
                    (int)s->times.n, (int)s->values.n);
    for (int32_t i = 0; i < s->times.n; i++) {
        const double *t = s->times.at + i;
        bool back = i > 0 && !(t[0] >= t[-1]), thrice = i > 1 && t[0] == t[-1] && t[0] == t[-2];
        if (isfinite(*t) && isfinite(s->values.at[i]) && !back && !thrice)
            continue;
        return fail(why, DAEDAL_ERR_ARGUMENT, "row %d of the data of %s: t = %.10g, value %.10g%s",
                    (int)i + 1, name, *t, s->values.at[i],
                    back     ? "; the times must ascend"
                    : thrice ? "; the time occurs more than twice"
                             : "; numbers must be finite");
    }
    return DAEDAL_OK;
}

daedal_status daedal_model_feed(daedal_model *handle, int32_t number, const daedal_signal *signal)
{
    if (!handle)
        return DAEDAL_ERR_ARGUMENT;
    daedal_model *d = handle->now;
    int32_t place = place_of(d, number);
    TRY(model_check_idle(d));
    clear(d);
    if (place < 0 || place >= d->info.n_variables)
        return fail_number(d, number);
    int32_t input = d->model.discrete ? input_of(d, place) : -1;
    if (input < 0)
        return fail_set(d, place, "it is no input of the model, or has a value in it");
    if (!signal) {
        inputs_forget_signal(d->model.discrete, (size_t)input);
        return DAEDAL_OK;
    }
    TRY(check_signal(d, place, signal));
    if (inputs_use_signal(d->model.discrete, (size_t)input, signal))
        return DAEDAL_OK;
    return fail(d->model.why, DAEDAL_ERR_MEMORY, "out of memory for the data of an input");
}

/* ---- events ---- */

static const char *keep(daedal_model *d, const char *text)
{
    return arena_text(&d->front.mem, text, strlen(text));
}

/* Texts are made once, and only for those who ask. */
static bool make_texts(daedal_model *d)
{
    model_stepping *s = &d->stepping;
    const flat_model *f = d->flat;
    const event_record *r = d->model.discrete->search->record;
    size_t n = f->n_relations + f->n_roundings;
    char text[256];
    s->relation_text = arena_take(&d->front.mem, n + 1, sizeof *s->relation_text);
    s->relations = arena_take(&d->front.mem, n + 1, sizeof *s->relations);
    s->when_text = arena_take(&d->front.mem, r->n_whens + 1, sizeof *s->when_text);
    s->whens = arena_take(&d->front.mem, r->n_whens + 1, sizeof *s->whens);
    s->when_lines = arena_take(&d->front.mem, r->n_whens + 1, sizeof *s->when_lines);
    for (size_t k = 0; k < n && !d->front.mem.failed; k++) {
        size_t memory = k < f->n_relations ? k : f->n_relations + 2 * (k - f->n_relations);
        compiled_relation_text(d->model.compiled, memory, text, sizeof text);
        s->relation_text[k] = keep(d, text);
    }
    for (size_t k = 0; k < r->n_whens && !d->front.mem.failed; k++) {
        const flat_assignment *a = &f->assignments[r->when[k]];
        s->when_text[k] = keep(d, flat_quote(f, a->at, a->end, text, sizeof text));
    }
    return !d->front.mem.failed;
}

static void list_event(daedal_model *d)
{
    model_stepping *s = &d->stepping;
    const flat_model *f = d->flat;
    const event_record *r = d->model.discrete->search->record;
    s->event = (daedal_model_event){
        .t = r->t, .relations = s->relations, .whens = s->whens, .when_lines = s->when_lines};
    for (size_t k = 0; k < f->n_relations + f->n_roundings && !isnan(r->t); k++)
        if (r->has_changed[k])
            s->relations[s->event.n_relations++] = s->relation_text[k];
    for (size_t k = 0; k < r->n_whens && !isnan(r->t); k++) {
        if (!r->fired[k])
            continue;
        const flat_assignment *a = &f->assignments[r->when[k]];
        s->when_lines[s->event.n_whens] = (int32_t)sources_place(&d->front.sources, a->at).line;
        s->whens[s->event.n_whens++] = s->when_text[k];
    }
}

const daedal_model_event *daedal_model_last_event(daedal_model *handle)
{
    if (!handle || !is_running(handle->now))
        return NULL;
    handle = handle->now;
    if (!handle->stepping.relations && !make_texts(handle)) {
        handle->stepping.relations = NULL;
        return NULL;
    }
    list_event(handle);
    return &handle->stepping.event;
}
