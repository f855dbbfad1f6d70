/* boundary/model_bvp.c - daedal_model_bvp_solve: final conditions of a model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adjoint/model_access.h"
#include "base/status.h"
#include "boundary/final_search.h"
#include "boundary/model_path.h"
#include "boundary/parameter_path.h"

daedal_status search_set_starts(const final_search *s, bool as_written)
{
    for (int32_t k = 0; k < s->n; k++) {
        daedal_status status =
            daedal_model_set(s->handle, s->number[k], as_written ? (double)NAN : s->value[k]);
        if (status < 0 && !as_written) {
            *s->why = *daedal_model_diagnosis(s->handle);
            return status;
        }
    }
    return DAEDAL_OK;
}

/* ---- what is open ---- */

static void list_names(const char *const *names, int32_t n, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < n && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : "", names[k]);
}

static daedal_status check_count(const final_search *s, const daedal_outcome *start)
{
    char names[300];
    int32_t finals = s->bvp->n_finals, open = start->n_open;
    list_names(start->open_names, open, names, sizeof names);
    if (finals == open)
        return DAEDAL_OK;
    if (open == 0)
        fail(s->why, DAEDAL_ERR_STRUCTURE,
             "there are %d final conditions, but fixed values and initial equations determine all "
             "start values",
             (int)finals);
    else
        fail(s->why, DAEDAL_ERR_STRUCTURE,
             "there are %d final conditions, %d too %s: %d start value%s open, as %s", (int)finals,
             (int)(finals > open ? finals - open : open - finals), finals > open ? "many" : "few",
             (int)open, open == 1 ? " is" : "s are", names);
    hint(s->why, finals > open ? "leave out final conditions, or take fixed = true from a variable"
                               : "give a final condition for each, or fix their start values");
    set_cause(s->why, finals > open ? DAEDAL_CAUSE_REDUNDANT_EQUATIONS
                                    : DAEDAL_CAUSE_UNDETERMINED_VARIABLE);
    return DAEDAL_ERR_STRUCTURE;
}

static daedal_status check_finals(const final_search *s)
{
    const daedal_model_info *info = daedal_model_describe(s->handle);
    for (int32_t k = 0; k < s->bvp->n_finals; k++) {
        const daedal_final *f = &s->bvp->finals[k];
        int32_t at = f->number - info->first_number;
        if (at < 0 || at >= info->n_variables || info->variables[at].is_constant)
            return fail(s->why, DAEDAL_ERR_ARGUMENT,
                        "final condition %d is not one of a variable of the model", (int)k + 1);
        if (!isfinite(f->value))
            return fail(s->why, DAEDAL_ERR_ARGUMENT, "the final value of %s is not finite",
                        info->variables[at].name);
        for (int32_t j = 0; j < k; j++)
            if (s->bvp->finals[j].number == f->number) {
                fail(s->why, DAEDAL_ERR_STRUCTURE,
                     "there are two final conditions for %s, which %s", info->variables[at].name,
                     s->bvp->finals[j].value == f->value ? "repeat each other"
                                                         : "contradict each other");
                set_cause(s->why, DAEDAL_CAUSE_REDUNDANT_EQUATIONS);
                return DAEDAL_ERR_STRUCTURE;
            }
    }
    return DAEDAL_OK;
}

/* Numbers, names and guesses of the open start values. */
static daedal_status find_open(final_search *s)
{
    const daedal_model_info *info = daedal_model_describe(s->handle);
    daedal_simulation how = *s->how;
    daedal_outcome start;
    how.derivatives = 0;
    double *values = path_keep(s->handle, (size_t)info->n_variables, sizeof *values);
    size_t n = (size_t)s->bvp->n_finals;
    s->number = path_keep(s->handle, n, sizeof *s->number);
    s->name = path_keep(s->handle, n, sizeof *s->name);
    s->final_name = path_keep(s->handle, n, sizeof *s->final_name);
    s->value = path_keep(s->handle, n, sizeof *s->value);
    s->before = path_keep(s->handle, n, sizeof *s->before);
    s->guess = path_keep(s->handle, n, sizeof *s->guess);
    if (!values || !s->number || !s->name || !s->final_name || !s->value || !s->before || !s->guess)
        return fail(s->why, DAEDAL_ERR_MEMORY, "out of memory for boundary values");
    daedal_status status = daedal_model_start(s->handle, &how, values, &start);
    if (status < 0) {
        *s->why = start.diagnosis;
        return status;
    }
    TRY(check_count(s, &start));
    s->n = start.n_open;
    for (int32_t k = 0; k < s->n; k++) {
        s->number[k] = daedal_model_find(s->handle, start.open_names[k]);
        if (s->number[k] < 0 || s->number[k] - info->first_number >= info->n_variables)
            return fail(s->why, DAEDAL_ERR_STRUCTURE,
                        "the start of %s is open, but it is no variable that can be set",
                        start.open_names[k]);
        s->name[k] = info->variables[s->number[k] - info->first_number].name;
        s->value[k] = values[s->number[k] - info->first_number];
        s->final_name[k] = info->variables[s->bvp->finals[k].number - info->first_number].name;
    }
    return DAEDAL_OK;
}

/* ---- one value of the parameter ---- */

static bool collocates(const final_search *s)
{
    return s->bvp->method == DAEDAL_BVP_COLLOCATION ||
           (s->bvp->method == DAEDAL_BVP_AUTO && !path_obstacle(s->handle));
}

/* Newton's iteration of collocation begins with the guess at all times, that of shooting with runs
 * of the model: where one fails, the other may not. */
static daedal_status shoot_instead(final_search *s, daedal_status failure)
{
    daedal_diagnosis first = *s->why;
    size_t bytes = (size_t)s->n * sizeof(double);
    if (s->bvp->method != DAEDAL_BVP_AUTO || !shooting_may_help(failure, &first))
        return failure;
    if (s->result)
        daedal_bvp_solution_free(&s->result->shown);
    s->result = NULL;
    memcpy(s->value, s->guess, bytes);
    diagnosis_clear(s->why);
    daedal_model_end(s->handle, NULL);
    if (model_shoot(s) == DAEDAL_OK)
        return DAEDAL_OK;
    *s->why = first;
    return failure;
}

/* From the start values that are there, which stay if it fails. */
static daedal_status solve_once(final_search *s)
{
    size_t bytes = (size_t)s->n * sizeof(double);
    diagnosis_clear(s->why);
    memcpy(s->guess, s->value, bytes);
    daedal_status status = collocates(s) ? model_collocate(s) : model_shoot(s);
    if (status != DAEDAL_OK && collocates(s))
        status = shoot_instead(s, status);
    if (status != DAEDAL_OK)
        memcpy(s->value, s->guess, bytes);
    return status;
}

/* ---- along a parameter ---- */

/* A parameter of the model, by its number; -1: no path was followed. */
typedef struct followed_parameter {
    final_search *search;
    int32_t number, steps;
} followed_parameter;

static daedal_status solve_at(void *self, double value)
{
    const followed_parameter *p = self;
    final_search *s = p->search;
    daedal_model_end(s->handle, NULL);
    daedal_status status = daedal_model_set(s->handle, p->number, value);
    if (status < 0) {
        *s->why = *daedal_model_diagnosis(s->handle);
        return status;
    }
    return solve_once(s);
}

static daedal_status solve(final_search *s, followed_parameter *p)
{
    const daedal_setting *from = s->bvp->from;
    daedal_status status = solve_once(s);
    if (status >= 0 || !from || !path_may_go_on(status))
        return status;
    p->number = daedal_model_find(s->handle, from->name);
    const daedal_model_info *info = daedal_model_describe(s->handle);
    int32_t at = p->number - info->first_number;
    if (p->number < 0 || at >= info->n_variables || !info->variables[at].is_parameter)
        return fail(s->why, DAEDAL_ERR_ARGUMENT, "%s is no parameter to continue in", from->name);
    char name[200];
    snprintf(name, sizeof name, "%.190s =", from->name);
    parameter_path path = {.from = from->value,
                           .to = info->variables[at].value,
                           .name = name,
                           .least = 1e-4,
                           .self = p,
                           .solve_at = solve_at};
    status = parameter_path_follow(&path, s->why);
    p->steps = path.steps;
    return status;
}

/* ---- the whole ---- */

static daedal_status check(const final_search *s)
{
    if (!(s->how->t_start < s->how->t_stop))
        return fail(s->why, DAEDAL_ERR_ARGUMENT, "the problem goes from t = %g to t = %g",
                    s->how->t_start, s->how->t_stop);
    if (s->bvp->n_finals <= 0 || !s->bvp->finals)
        return fail(s->why, DAEDAL_ERR_ARGUMENT, "there are no final conditions");
    if (s->bvp->stages < 0 || s->bvp->stages > GAUSS_STAGES_MAX || s->bvp->intervals_most < 0)
        return fail(s->why, DAEDAL_ERR_ARGUMENT, "stages = %d is not between 1 and %d",
                    (int)s->bvp->stages, GAUSS_STAGES_MAX);
    if (s->how->parameters.n > 0 || s->how->verify)
        return fail(s->why, DAEDAL_ERR_ARGUMENT,
                    "final conditions go neither with sensitivities nor with verification");
    const char *obstacle = path_obstacle(s->handle);
    if (s->bvp->method == DAEDAL_BVP_COLLOCATION && obstacle)
        return fail(s->why, DAEDAL_ERR_ARGUMENT, "collocation does not apply to the model: %s",
                    obstacle);
    return check_finals(s);
}

static const char *why_shooting(const final_search *s)
{
    const char *obstacle = path_obstacle(s->handle);
    if (s->bvp->method == DAEDAL_BVP_SHOOTING)
        return "asked for";
    return obstacle ? obstacle : "collocation did not converge";
}

static void fill_report(const final_search *s, const followed_parameter *p,
                        daedal_model_bvp_report *to)
{
    *to = (daedal_model_bvp_report){.n_found = s->n,
                                    .found_names = s->name,
                                    .found_values = s->value,
                                    .method = "shooting",
                                    .method_reason = why_shooting(s),
                                    .error = NAN,
                                    .condition = s->condition,
                                    .equation_condition = NAN,
                                    .continuation_steps = p->steps,
                                    .iterations = s->iterations};
    if (!s->result)
        return;
    const daedal_bvp_solution *of = &s->result->shown;
    to->method = of->method;
    to->method_reason = of->method_reason;
    to->error = of->error;
    to->condition = of->condition;
    to->equation_condition = of->equation_condition;
    to->intervals = of->intervals;
    to->meshes = s->meshes;
}

/* The rows of the solution, and the outcome of a run. */
static daedal_status finish(final_search *s, daedal_outcome *outcome)
{
    if (!s->result) {
        daedal_status status = search_set_starts(s, false);
        return status < 0 ? status : daedal_model_simulate(s->handle, s->how, outcome);
    }
    double residual;
    daedal_status status = path_emit(s->handle, s->how, &s->result->path, &residual);
    daedal_model_end(s->handle, outcome);
    outcome->status = status;
    outcome->t = s->how->t_stop;
    outcome->method = "collocation";
    outcome->method_reason = s->result->shown.method_reason;
    outcome->constraint_residual = residual;
    outcome->stats = s->stats;
    outcome->stats.steps = s->result->shown.intervals;
    outcome->stats.iterations = outcome->stats.factorizations = s->iterations;
    return status;
}

daedal_status daedal_model_bvp_solve(daedal_model *handle, const daedal_simulation *how,
                                     const daedal_model_bvp *bvp, daedal_model_bvp_report *report,
                                     daedal_outcome *outcome)
{
    daedal_outcome unwanted;
    daedal_diagnosis why;
    if (!handle || !how || !bvp)
        return DAEDAL_ERR_ARGUMENT;
    final_search s = {.handle = handle, .how = how, .bvp = bvp, .why = &why};
    followed_parameter along = {.search = &s, .number = -1};
    daedal_outcome *out = outcome ? outcome : &unwanted;
    *out = (daedal_outcome){.t = how->t_start};
    diagnosis_clear(&why);
    daedal_status status = check(&s);
    if (status == DAEDAL_OK)
        status = find_open(&s);
    if (status == DAEDAL_OK)
        status = solve(&s, &along);
    if (status == DAEDAL_OK) {
        if (report)
            fill_report(&s, &along, report);
        status = finish(&s, out);
    } else {
        daedal_model_end(handle, NULL);
        out->status = status;
        out->diagnosis = why;
        out->method = out->method_reason = "";
    }
    search_set_starts(&s, true);
    if (along.number >= 0)
        daedal_model_set(handle, along.number, (double)NAN);
    if (s.result)
        daedal_bvp_solution_free(&s.result->shown);
    return status;
}
