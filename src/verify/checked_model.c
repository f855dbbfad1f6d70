/* verify/checked_model.c - see checked_model.h. */
#include "verify/checked_model.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

static void lay_out(void *object, layout *l)
{
    checked_model *c = object;
    size_t n = (size_t)c->n + 1;
    c->which = layout_take(l, n, sizeof *c->which);
    c->name = layout_take(l, n, sizeof *c->name);
    c->is_discrete = layout_take(l, n, sizeof *c->is_discrete);
    c->atol = layout_take(l, n, sizeof *c->atol);
    c->spread = layout_take(l, (size_t)c->task.shown.n + 1, sizeof *c->spread);
}

/* ---- the run in question ---- */

static int observe(daedal_row_kind kind, double t, const double *values, void *user)
{
    checked_model *c = user;
    recorded_add(c->into, kind, t, values, c->which);
    return DAEDAL_CALL_OK;
}

static int watch_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    checked_model *c = user;
    int answer = c->asked->row(kind, t, values, c->asked->row_user);
    c->is_stopped = c->is_stopped || answer == DAEDAL_CALL_STOP;
    return answer;
}

static int watch_progress(const daedal_progress *where, void *user)
{
    checked_model *c = user;
    const daedal_options *theirs = c->asked->options;
    c->is_too_long = c->steps_most > 0 && where->steps > c->steps_most;
    if (theirs && theirs->progress &&
        theirs->progress(where, theirs->callback_user) == DAEDAL_CALL_STOP)
        c->is_stopped = true;
    return c->is_stopped || c->is_too_long ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

static void watch_log(daedal_log_level level, const char *message, void *user)
{
    const checked_model *c = user;
    c->asked->options->log(level, message, c->asked->options->callback_user);
}

/* The options that the run has; where none are given, those of the experiment (run_options.c). */
static void take_options(checked_model *c)
{
    const flat_experiment *e = &c->m->flat->experiment;
    daedal_options_defaults(&c->options);
    if (c->asked->options) {
        c->options = *c->asked->options;
    } else if (e->has_tolerance && e->tolerance > 0.0 && e->tolerance < 1.0) {
        c->options.rtol = e->tolerance;
        c->options.atol = daedal_default_atol(e->tolerance);
    }
    c->options.progress = watch_progress;
    c->options.log = c->options.log ? watch_log : NULL;
    c->options.callback_user = c;
}

static void choose_variables(checked_model *c, const daedal_model_info *info)
{
    bool scaled = !c->asked->options || c->asked->scale_atol;
    c->n = 0;
    for (int32_t i = 0; i < info->n_variables; i++) {
        if (info->variables[i].is_constant)
            continue;
        double nominal = fabs(c->m->flat->variables[c->task.shown.variable[i]].nominal);
        c->which[c->n] = i;
        c->is_discrete[c->n] = info->variables[i].type != DAEDAL_REAL;
        c->name[c->n] = info->variables[i].name;
        c->atol[c->n++] = c->options.atol * (scaled && nominal > 0.0 ? nominal : 1.0);
    }
}

bool checked_create(checked_model *c, simulation *m, const simulation_task *task,
                    const daedal_model_info *info)
{
    *c = (checked_model){.m = m,
                         .allocator = m->allocator,
                         .task = *task,
                         .asked = task->request,
                         .n = info->n_variables};
    if (!block_create(&c->mem, m->allocator, lay_out, c))
        return false;
    take_options(c);
    choose_variables(c, info);
    recorded_create(&c->rows, c->n, m->allocator);
    c->into = &c->rows;
    c->request = *c->asked;
    c->request.options = &c->options;
    c->request.scale_atol = !c->asked->options || c->asked->scale_atol;
    c->request.row = c->asked->row ? watch_row : NULL;
    c->request.row_user = c;
    c->task.request = &c->request;
    c->task.observe = observe;
    c->task.observe_user = c;
    return true;
}

void checked_free(checked_model *c)
{
    memory_give(c->allocator, c->time, (size_t)c->rows.n_rows * sizeof *c->time);
    recorded_free(&c->rows);
    block_free(&c->mem);
}

/* ---- runs for comparison ---- */

/* Their output points are those of the run in question, and its steps.  They have events of their
 * own.                                                                           */
static bool take_times(checked_model *c)
{
    double *at = memory_take_array(c->allocator, (size_t)c->rows.n_rows, sizeof *at);
    c->time = at;
    for (int32_t k = 0; at && k < c->rows.n_rows; k++)
        if (!recorded_is_of_event(&c->rows, k) &&
            (c->n_times == 0 || c->rows.t[k] > at[c->n_times - 1]))
            at[c->n_times++] = c->rows.t[k];
    return at != NULL;
}

static void set_spread(checked_model *c, const double *tolerance)
{
    memset(c->spread, 0, (size_t)c->task.shown.n * sizeof *c->spread);
    for (int32_t i = 0; i < c->n; i++)
        c->spread[c->which[i]] = tolerance[i];
}

static daedal_status run_again(const comparison_run *how, recorded_run *into, daedal_diagnosis *why,
                               void *user)
{
    checked_model *c = user;
    daedal_simulation request = {.t_start = c->asked->t_start,
                                 .t_stop = c->asked->t_stop,
                                 .times = {c->time, c->n_times},
                                 .scale_atol = c->request.scale_atol};
    daedal_options options = c->options;
    simulation_task task = {.request = &request,
                            .shown = c->task.shown,
                            .observe = observe,
                            .observe_user = c,
                            .spread = how->tolerance ? c->spread : NULL,
                            .spread_number = how->number};
    simulation_outcome outcome = {0};
    options.method = how->method;
    options.rtol *= how->tighter;
    options.atol *= how->tighter;
    options.log = NULL;
    request.options = &options;
    if (how->tolerance)
        set_spread(c, how->tolerance);
    c->into = into;
    c->is_too_long = false;
    daedal_status status = simulation_run(c->m, &task, &outcome);
    *why = *c->m->why;
    if (c->is_stopped)
        why->status = DAEDAL_STOPPED;
    else if (c->is_too_long)
        status = fail(why, DAEDAL_ERR_STEP_LIMIT, "it takes more than %lld steps",
                      (long long)c->steps_most);
    return status;
}

daedal_status checked_verify(checked_model *c, const simulation_outcome *of,
                             daedal_verification *out)
{
    warning_list *kept = c->m->log->kept;
    verified_solution s = {.rows = &c->rows,
                           .names = c->name,
                           .method = of->method,
                           .rtol = c->options.rtol,
                           .atol = c->options.atol,
                           .atol_each = c->atol,
                           .is_discrete = c->is_discrete,
                           .run = run_again,
                           .user = c,
                           .allocator = c->allocator};
    *out = (daedal_verification){.verdict = DAEDAL_VERDICT_NONE};
    if (c->is_stopped)
        return DAEDAL_STOPPED;
    if (c->rows.has_failed || !take_times(c))
        return DAEDAL_ERR_MEMORY;
    c->steps_most = comparison_steps_most(of->stats.steps);
    c->m->log->kept = NULL; /* warnings of the other runs are none of this one */
    daedal_status status = verdict_find(&s, out);
    c->m->log->kept = kept;
    for (int32_t k = 0; k < out->n_worst; k++)
        out->worst[k].variable = c->which[out->worst[k].variable];
    return status;
}
