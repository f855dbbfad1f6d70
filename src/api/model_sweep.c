/* api/model_sweep.c - see model_handle.h: many runs of a model, on copies of it.
 *
 * Each thread has a copy of the model, takes the next run that no other thread has taken, sets its
 * values, simulates, and delivers the results under a lock.  A run depends on its values alone, so
 * that it does not matter which thread it falls to.  A value that decides what the equations are
 * makes the copy be read again, after which variables may have other numbers: they are found by
 * their names.
 */
#include "api/parameter_sweep.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

/* ---- the task ---- */

static daedal_status check_numbers(daedal_model *d, daedal_ints numbers, int32_t above,
                                   const char *what)
{
    if (numbers.n < 0 || (numbers.n > 0 && !numbers.at))
        return fail(d->model.why, DAEDAL_ERR_ARGUMENT, "the list of %s is not given properly",
                    what);
    for (int32_t k = 0; k < numbers.n; k++)
        if (numbers.at[k] < d->first_number || numbers.at[k] - d->first_number >= above)
            return fail(d->model.why, DAEDAL_ERR_ARGUMENT,
                        "%d in the list of %s is no number of a variable: daedal_model_find gives "
                        "those that are",
                        (int)numbers.at[k], what);
    return DAEDAL_OK;
}

static daedal_status check_values(daedal_model *d, const daedal_sweep *s)
{
    if (s->n_runs < 0 || s->threads < 0 || !s->receive)
        return fail(d->model.why, DAEDAL_ERR_ARGUMENT,
                    "the number of runs or of threads is negative, or `receive` is NULL");
    if (s->n_runs > 0 && s->varied.n > 0 && !s->values)
        return fail(d->model.why, DAEDAL_ERR_ARGUMENT, "the values are not given");
    return DAEDAL_OK;
}

static daedal_status check_points(daedal_model *d, const daedal_simulation *how)
{
    if (!how)
        return fail(d->model.why, DAEDAL_ERR_ARGUMENT, "the simulation is not given");
    TRY(model_check_times(how, d->model.why));
    if (how->every_step)
        return fail(d->model.why, DAEDAL_ERR_ARGUMENT,
                    "the runs of a sweep need common output points, not `every_step`");
    for (int32_t k = 1; k < how->times.n; k++)
        if (how->times.at[k] == how->times.at[k - 1])
            return fail(d->model.why, DAEDAL_ERR_ARGUMENT, "the output time %.10g is given twice",
                        how->times.at[k]);
    return DAEDAL_OK;
}

static daedal_status check_sweep(daedal_model *handle, const daedal_sweep *s)
{
    daedal_model *d = handle->now;
    TRY(model_check_idle(d));
    diagnosis_clear(d->model.why);
    TRY(check_values(d, s));
    TRY(check_numbers(d, s->varied, d->info.n_variables, "what varies"));
    TRY(check_numbers(d, s->kept, 2 * d->info.n_variables, "what is kept"));
    return check_points(d, s->simulation);
}

/* ---- memory ---- */

static void lay_out(void *object, layout *l)
{
    sweep_state *s = object;
    size_t n_varied = (size_t)s->sweep->varied.n, n_kept = (size_t)s->sweep->kept.n;
    s->varied = layout_take(l, n_varied + 1, sizeof *s->varied);
    s->kept = layout_take(l, n_kept + 1, sizeof *s->kept);
    s->times = layout_take(l, (size_t)s->n_points, sizeof *s->times);
    s->workers = layout_take(l, (size_t)s->n_workers, sizeof *s->workers);
    for (int32_t k = 0; k < s->n_workers; k++) {
        sweep_worker w = {.shared = s,
                          .varied = layout_take(l, n_varied + 1, sizeof *w.varied),
                          .kept = layout_take(l, n_kept + 1, sizeof *w.kept),
                          .is_set = layout_take(l, n_varied + 1, sizeof *w.is_set),
                          .results =
                              layout_take(l, n_kept * (size_t)s->n_points + 1, sizeof *w.results)};
        if (l->base)
            s->workers[k] = w;
    }
}

static named_variable name_of(const daedal_model *d, int32_t number)
{
    int32_t n = d->info.n_variables, place = number - d->first_number;
    return (named_variable){d->variables[place < n ? place : place - n].name, place >= n};
}

static void fill_times(sweep_state *s)
{
    const daedal_simulation *how = s->sweep->simulation;
    for (int32_t k = 0; k < s->n_points; k++)
        s->times[k] = how->times.n > 0 ? how->times.at[k]
                                       : how->t_start + (how->t_stop - how->t_start) *
                                                            ((double)k / (s->n_points - 1));
}

/* Without options the runs have those that daedal_model_simulate has then. */
static void set_options(sweep_state *s)
{
    const daedal_simulation *how = s->sweep->simulation;
    double tolerance = s->model->now->info.tolerance;
    daedal_options_defaults(&s->options);
    if (how->options) {
        s->options = *how->options;
    } else if (tolerance > 0.0 && tolerance < 1.0) {
        s->options.rtol = tolerance;
        s->options.atol = daedal_default_atol(tolerance);
    }
    s->options.log = NULL;
}

static daedal_status create(sweep_state *s, daedal_model *handle, const daedal_sweep *sweep)
{
    const daedal_simulation *how = sweep->simulation;
    const daedal_model *d = handle->now;
    s->sweep = sweep;
    s->model = handle;
    s->n_points = how->times.n > 0 ? how->times.n : (how->intervals > 0 ? how->intervals : 1) + 1;
    s->n_workers = sweep->threads > 1 ? sweep->threads : 1;
    if (s->n_workers > sweep->n_runs)
        s->n_workers = sweep->n_runs > 0 ? (int32_t)sweep->n_runs : 1;
    atomic_init(&s->next, 0);
    atomic_init(&s->is_stopped, false);
    s->crew = crew_create(s->n_workers, &handle->allocator);
    if (!s->crew || !block_create(&s->mem, &handle->allocator, lay_out, s))
        return fail(d->model.why, DAEDAL_ERR_MEMORY, "out of memory for a sweep");
    for (int32_t k = 0; k < sweep->varied.n; k++)
        s->varied[k] = name_of(d, sweep->varied.at[k]);
    for (int32_t k = 0; k < sweep->kept.n; k++)
        s->kept[k] = name_of(d, sweep->kept.at[k]);
    fill_times(s);
    set_options(s);
    return DAEDAL_OK;
}

/* ---- numbers ---- */

static int32_t find_place(const daedal_model *d, const char *name, int32_t near)
{
    if (near >= 0 && near < d->info.n_variables && strcmp(d->variables[near].name, name) == 0)
        return near;
    for (int32_t k = 0; k < d->info.n_variables; k++)
        if (strcmp(d->variables[k].name, name) == 0)
            return k;
    return -1;
}

/* Find the variables again after the model was read again. */
static void find_numbers(sweep_worker *w)
{
    const sweep_state *s = w->shared;
    const daedal_model *d = w->model->now;
    int32_t n = d->info.n_variables;
    w->first_number = d->first_number;
    for (int32_t k = 0; k < s->sweep->varied.n; k++) {
        int32_t place = find_place(d, s->varied[k].name, w->varied[k]);
        w->varied[k] = place < 0 ? -1 : place + d->first_number;
    }
    for (int32_t k = 0; k < s->sweep->kept.n; k++) {
        int32_t place = find_place(d, s->kept[k].name, w->kept[k]);
        w->kept[k] = place >= 0 && s->kept[k].is_slope ? place + n : place;
    }
}

static void follow_numbers(sweep_worker *w)
{
    if (w->model->now->first_number != w->first_number)
        find_numbers(w);
}

/* ---- one run ---- */

/* Rows come in the order of time; that of an output point is nearest to it. */
static int take_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    sweep_worker *w = user;
    const sweep_state *s = w->shared;
    int32_t n = s->sweep->kept.n, p = w->point;
    (void)kind;
    follow_numbers(w);
    while (p + 1 < s->n_points && fabs(s->times[p + 1] - t) <= fabs(s->times[p] - t))
        p++;
    w->point = p;
    for (int32_t k = 0; k < n; k++)
        w->results[(int64_t)p * n + k] = w->kept[k] >= 0 ? values[w->kept[k]] : (double)NAN;
    return DAEDAL_CALL_OK;
}

static int watch(const daedal_progress *where, void *user)
{
    sweep_worker *w = user;
    sweep_state *s = w->shared;
    const daedal_options *theirs = s->sweep->simulation->options;
    if (theirs && theirs->progress &&
        theirs->progress(where, theirs->callback_user) != DAEDAL_CALL_OK)
        atomic_store(&s->is_stopped, true);
    w->is_interrupted = atomic_load(&s->is_stopped);
    return w->is_interrupted ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

static daedal_status set_value(sweep_worker *w, int32_t k, double value)
{
    if (w->varied[k] < 0)
        return fail(w->model->now->model.why, DAEDAL_ERR_ARGUMENT,
                    "%s cannot be set: with the other values the model has no such variable",
                    w->shared->varied[k].name);
    daedal_status status = daedal_model_set(w->model, w->varied[k], value);
    follow_numbers(w);
    w->is_set[k] = status == DAEDAL_OK;
    return status;
}

/* A value may be admissible together with others that are still to be set: what is refused is tried
 * again as long as others are accepted.                                           */
static daedal_status set_values(sweep_worker *w, const double *values)
{
    int32_t n = w->shared->sweep->varied.n, left = n, before;
    daedal_status status;
    memset(w->is_set, 0, (size_t)n * sizeof *w->is_set);
    do {
        before = left;
        left = 0;
        status = DAEDAL_OK;
        for (int32_t k = 0; k < n; k++) {
            if (w->is_set[k] || set_value(w, k, values[k]) == DAEDAL_OK)
                continue;
            status = w->model->now->model.why->status;
            left++;
        }
    } while (left > 0 && left < before);
    return status;
}

static void clear_results(sweep_worker *w)
{
    size_t n = (size_t)w->shared->sweep->kept.n * (size_t)w->shared->n_points;
    for (size_t i = 0; i < n; i++)
        w->results[i] = NAN;
}

void sweep_run_one(sweep_worker *w, const double *values, daedal_outcome *outcome)
{
    w->point = 0;
    w->is_interrupted = false;
    clear_results(w);
    daedal_status status = set_values(w, values);
    if (status != DAEDAL_OK)
        *outcome =
            (daedal_outcome){.status = status, .t = NAN, .diagnosis = *w->model->now->model.why};
    else
        status = daedal_model_simulate(w->model, &w->simulation, outcome);
    if (status < 0)
        clear_results(w);
}

void sweep_deliver(sweep_worker *w, int64_t number, const double *results,
                   const daedal_outcome *outcome)
{
    sweep_state *s = w->shared;
    daedal_sweep_run run = {.number = number,
                            .values = s->sweep->values + number * s->sweep->varied.n,
                            .results = results,
                            .outcome = outcome};
    crew_lock(s->crew);
    if (!atomic_load(&s->is_stopped) && s->sweep->receive(&run, s->sweep->user) != DAEDAL_CALL_OK)
        atomic_store(&s->is_stopped, true);
    crew_unlock(s->crew);
}

static bool is_claimed(sweep_state *s, int64_t run)
{
    if (!s->sweep->claim)
        return true;
    crew_lock(s->crew);
    bool claimed = s->sweep->claim(run, s->sweep->user) != 0;
    crew_unlock(s->crew);
    return claimed;
}

int64_t sweep_next_run(sweep_state *s)
{
    while (!atomic_load(&s->is_stopped)) {
        int64_t i = atomic_fetch_add(&s->next, 1);
        if (i >= s->sweep->n_runs)
            return -1;
        if ((!s->sweep->skip || !s->sweep->skip[i]) && is_claimed(s, i))
            return i;
    }
    return -1;
}

bool sweep_is_interrupted(sweep_worker *w)
{
    const daedal_progress nowhere = {.t = NAN};
    return watch(&nowhere, w) != DAEDAL_CALL_OK;
}

static void work(void *user, int32_t member)
{
    sweep_state *s = user;
    sweep_worker *w = &s->workers[member];
    int64_t i;
    if (w->lanes)
        sweep_lanes_work(w);
    while ((i = sweep_next_run(s)) >= 0) {
        daedal_outcome outcome;
        sweep_run_one(w, s->sweep->values + i * s->sweep->varied.n, &outcome);
        if (!w->is_interrupted)
            sweep_deliver(w, i, w->results, &outcome);
    }
}

/* ---- all runs ---- */

static daedal_status prepare_worker(sweep_worker *w)
{
    sweep_state *s = w->shared;
    TRY(model_twin(s->model, &w->model));
    for (int32_t k = 0; k < s->sweep->varied.n; k++)
        w->varied[k] = s->sweep->varied.at[k] - s->model->now->first_number;
    for (int32_t k = 0; k < s->sweep->kept.n; k++)
        w->kept[k] = -1;
    find_numbers(w);
    w->options = s->options;
    w->options.progress = watch;
    w->options.callback_user = w;
    w->simulation = *s->sweep->simulation;
    w->simulation.scale_atol |= !w->simulation.options;
    w->simulation.options = &w->options;
    w->simulation.no_event_rows = 1;
    w->simulation.verify = 0;
    w->simulation.row = take_row;
    w->simulation.row_user = w;
    w->simulation.parameters = (daedal_ints){NULL, 0};
    w->simulation.sensitivity = NULL;
    w->simulation.derivatives = 0;
    for (int32_t k = 0; k < s->sweep->kept.n; k++)
        w->simulation.derivatives |= s->kept[k].is_slope;
    return DAEDAL_OK;
}

static daedal_status run_all(sweep_state *s)
{
    for (int32_t k = 0; k < s->n_workers; k++)
        TRY(prepare_worker(&s->workers[k]));
    TRY(sweep_lanes_create(s));
    crew_run(s->crew, work, s);
    return atomic_load(&s->is_stopped) ? DAEDAL_STOPPED : DAEDAL_OK;
}

daedal_status daedal_model_sweep(daedal_model *handle, const daedal_sweep *sweep)
{
    sweep_state s = {.sweep = NULL};
    if (!handle || !sweep)
        return DAEDAL_ERR_ARGUMENT;
    TRY(check_sweep(handle, sweep));
    daedal_status status = create(&s, handle, sweep);
    if (status == DAEDAL_OK)
        status = run_all(&s);
    for (int32_t k = 0; s.workers && k < s.n_workers; k++) {
        sweep_lanes_free(&s.workers[k]);
        daedal_model_free(s.workers[k].model);
    }
    block_free(&s.mem);
    crew_free(s.crew);
    return status;
}
