/* api/model_runs.c - see model_handle.h: whole runs of a model, and their outcome. */
#include <math.h>
#include <stdio.h>

#include "api/model_handle.h"
#include "base/choices.h"
#include "base/status.h"
#include "verify/checked_model.h"

daedal_status model_check_times(const daedal_simulation *s, daedal_diagnosis *why)
{
    if (!isfinite(s->t_start) || !isfinite(s->t_stop))
        return fail(why, DAEDAL_ERR_ARGUMENT, "the start or the stop time is not finite");
    if (s->t_stop < s->t_start)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the stop time %.10g lies before the start time %.10g", s->t_stop, s->t_start);
    if (s->times.n < 0 || (s->times.n > 0 && !s->times.at) || s->intervals < 0)
        return fail(why, DAEDAL_ERR_ARGUMENT, "the output points are not given properly");
    for (int32_t k = 0; k < s->times.n; k++)
        if (!isfinite(s->times.at[k]) || (k > 0 && s->times.at[k] < s->times.at[k - 1]))
            return fail(why, DAEDAL_ERR_ARGUMENT, "output times must be finite and ascending");
    return DAEDAL_OK;
}

static const char *reason_of(const model *m, int32_t constraint_method)
{
    daedal_reduction reduction = m->compiled ? m->compiled->reduction : DAEDAL_REDUCE_AUTO;
    if (m->reduced->n_constraints == 0)
        return "index at most one";
    if (reduction == DAEDAL_REDUCE_BAUMGARTE)
        return "index lowered, constraints approached";
    if (reduction == DAEDAL_REDUCE_DIFFERENTIATE)
        return "index lowered, constraints not held";
    if (!m->reduced->differentiated && constraint_method == CONSTRAINTS_PROJECT)
        return "index at most one, invariants held by projection";
    switch (constraint_method) {
    case CONSTRAINTS_DUMMY:
        return "index lowered, constraints determine dummy derivatives";
    case CONSTRAINTS_GGL:
        return "index lowered, constraints held by multipliers";
    default:
        return "index lowered, constraints held by projection";
    }
}

/* Why this reduction and why this method. */
static void explain_method(daedal_model *d)
{
    const simulation_outcome *o = &d->outcome;
    const char *why = o->method_reason ? o->method_reason : "";
    snprintf(d->reason, sizeof d->reason, "%s%s%s", reason_of(&d->model, o->constraint_method),
             *why ? "; " : "", why);
}

/* The names of the solver are gone with it; a model without unknowns has none to tell of. */
static void name_limiters(daedal_model *d)
{
    simulation_outcome *o = &d->outcome;
    const start_problem *s = d->model.start;
    if (!s || s->reduced->n == 0)
        o->n_limiting_variables = o->n_limiting_equations = 0;
    for (int32_t k = 0; k < o->n_limiting_variables; k++)
        o->limiting_variables[k].name = s->compiled->variable_name[o->limiting_variables[k].number];
    for (int32_t k = 0; k < o->n_limiting_equations; k++)
        o->limiting_equations[k].name = s->compiled->equation_name[o->limiting_equations[k].number];
}

void model_report(daedal_model *d, daedal_status status, daedal_outcome *outcome)
{
    simulation_outcome *o = &d->outcome;
    explain_method(d);
    name_limiters(d);
    for (int32_t k = 0; k < o->n_moved; k++)
        d->moved_names[k] = intern_text(&d->front.names, d->flat->variables[o->moved[k]].name);
    *outcome = (daedal_outcome){.status = status,
                                .t = o->t,
                                .stats = o->stats,
                                .n_limiting_variables = o->n_limiting_variables,
                                .limiting_variables = o->limiting_variables,
                                .n_limiting_equations = o->n_limiting_equations,
                                .limiting_equations = o->limiting_equations,
                                .constraint_residual = o->constraint_residual,
                                .lacks_derivatives = o->lacks_derivatives,
                                .n_invariants = o->n_invariants,
                                .invariants = o->invariants,
                                .method = o->method ? o->method : "",
                                .method_reason = d->reason,
                                .n_moved = o->n_moved,
                                .moved_names = d->moved_names,
                                .moved_from = o->moved_from,
                                .moved_to = o->moved_to,
                                .n_warnings = d->model.log->kept->n,
                                .warnings = d->model.log->kept->at,
                                .diagnosis = *d->model.why};
    const start_problem *s = d->model.start;
    if (!s)
        return;
    outcome->n_open = s->n_open;
    outcome->open_names = s->open_name;
    outcome->open_kept = s->open_kept;
    outcome->open_instead = s->open_instead;
    const daedal_diagnosis *why = &outcome->diagnosis;
    if (why->equation >= 0 && why->equation < s->reduced->n)
        outcome->blamed_equation = s->compiled->equation_name[why->equation];
    if (why->variable >= 0 && why->variable < s->reduced->n)
        outcome->blamed_variable = s->compiled->variable_name[why->variable];
}

void model_clear_outcome(daedal_model *d, double t_start)
{
    simulation_outcome *o = &d->outcome;
    o->n_moved = 0;
    o->stats = (daedal_stats){0};
    o->n_limiting_variables = o->n_limiting_equations = 0;
    o->constraint_residual = 0.0;
    o->lacks_derivatives = false;
    o->n_invariants = 0;
    o->invariants = NULL;
    o->t = t_start;
    diagnosis_clear(d->model.why);
}

daedal_status model_check_idle(const daedal_model *d)
{
    if (!d->simulation.driver)
        return DAEDAL_OK;
    return fail(d->model.why, DAEDAL_ERR_CALL_SEQUENCE,
                "a run of the model is under way: call daedal_model_end first");
}

static daedal_status refuse(const daedal_model *d, daedal_status status, daedal_outcome *outcome)
{
    *outcome = (daedal_outcome){.status = status, .diagnosis = *d->model.why};
    return status;
}

static daedal_status run(daedal_model *d, const simulation_task *task)
{
    simulation_task whole = *task;
    model_clear_outcome(d, task->request->t_start);
    whole.shown = (shown_variables){d->shown, d->info.n_variables};
    whole.is_moved = d->has_moved;
    return simulation_run(&d->simulation, &whole, &d->outcome);
}

/* Where the start fails with parameters that were set, the equations may be others with them. */
static daedal_status drive(daedal_model *handle, const simulation_task *task,
                           daedal_outcome *outcome)
{
    daedal_model *d = handle->now;
    daedal_status status = model_check_idle(d);
    if (status != DAEDAL_OK)
        return refuse(d, status, outcome);
    model_clear_outcome(d, task->request->t_start);
    status = model_check_times(task->request, d->model.why);
    if (status == DAEDAL_OK)
        status = run(d, task);
    if (status < 0 && !d->simulation.has_begun && model_refresh(handle)) {
        d = handle->now;
        status = run(d, task);
    }
    model_report(d, status, outcome);
    return status;
}

/* The run itself, reported as ever, and the runs that it is compared with.  What these leave in the
 * diagnosis of the model is not shown.                                             */
static daedal_status drive_and_verify(daedal_model *handle, const simulation_task *task,
                                      daedal_outcome *outcome)
{
    checked_model c = {0};
    daedal_status status = model_check_idle(handle->now);
    if (status == DAEDAL_OK && handle->now->has_moved)
        status = model_rebuild(handle, NULL, 0);
    daedal_model *d = handle->now;
    if (status != DAEDAL_OK)
        return refuse(d, status, outcome);
    simulation_task whole = *task;
    whole.shown = (shown_variables){d->shown, d->info.n_variables};
    bool fine = checked_create(&c, &d->simulation, &whole, &d->info);
    status = drive(handle, fine ? &c.task : task, outcome);
    if (status >= 0 && fine && !c.is_stopped) {
        daedal_status checked = checked_verify(&c, &d->outcome, &d->verification);
        if (checked != DAEDAL_OK)
            verdict_unknown(&d->verification, checked);
        outcome->verification = &d->verification;
    }
    checked_free(&c);
    return status;
}

daedal_status daedal_model_simulate(daedal_model *handle, const daedal_simulation *how,
                                    daedal_outcome *outcome)
{
    daedal_outcome unwanted;
    if (!handle || !how)
        return DAEDAL_ERR_ARGUMENT;
    simulation_task task = {.request = how};
    return (how->verify ? drive_and_verify : drive)(handle, &task, outcome ? outcome : &unwanted);
}

daedal_status daedal_model_start(daedal_model *handle, const daedal_simulation *how, double *values,
                                 daedal_outcome *outcome)
{
    daedal_outcome unwanted;
    if (!handle || !how)
        return DAEDAL_ERR_ARGUMENT;
    simulation_task task = {.request = how, .start_only = true, .values = values};
    return drive(handle, &task, outcome ? outcome : &unwanted);
}
