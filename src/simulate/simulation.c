/* simulate/simulation.c - see simulation.h: from the start to the stop time, event by event.  Read
 * it from the end: simulation_run, run, run_loop, advance.                                       */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "initial/start_problem.h"
#include "simulate/simulation.h"
#include "solver/held_restart.h"

static const double OVERSHOOT = 1e-10;    /* of the span: finds events at the stop time      */
static const double CLOSE_EVENTS = 1e-12; /* of the span: no progress, the event resolution  */
static const double MOVED = 1e-9;         /* relative: a start value that differs was moved  */
enum { CLOSE_EVENTS_MAX = 100000 };

/* ---- events ---- */

void simulation_read_solver(simulation *m)
{
    m->values->x[0] = daedal_solver_state(m->discrete->solver)->t;
    discrete_read_state(m->discrete);
}

static void mark_triggered(simulation *m)
{
    const daedal_state *s = daedal_solver_state(m->discrete->solver);
    for (int32_t e = 0; e < m->discrete->n_relation_events; e++)
        if (s->event[e])
            m->discrete->relation[m->discrete->event_relation[e]].stopped = true;
    discrete_note_step(m->discrete, true);
    discrete_note_excursions(m->discrete, daedal_solver_stats(m->discrete->solver)->h_last);
}

/* Fail after too many events without progress in time. */
static daedal_status check_event_progress(driver *d)
{
    simulation *m = d->m;
    double span = d->request->t_stop - d->request->t_start;
    d->n_close_events =
        m->values->x[0] - d->t_event <= CLOSE_EVENTS * span ? d->n_close_events + 1 : 0;
    d->t_event = m->values->x[0];
    if (d->n_close_events < CLOSE_EVENTS_MAX)
        return DAEDAL_OK;
    fail(m->why, DAEDAL_ERR_STEP_TOO_SMALL,
         "event chattering: %d events without progress in time at t = %.10g", (int)CLOSE_EVENTS_MAX,
         m->values->x[0]);
    hint(m->why, "give the relation that switches a hysteresis: two limits instead of one");
    set_cause(m->why, DAEDAL_CAUSE_CHATTERING);
    m->why->t = m->values->x[0];
    return DAEDAL_ERR_STEP_TOO_SMALL;
}

daedal_status driver_end_event(driver *d, daedal_row_kind row)
{
    d->events++;
    TRY(discrete_event(d->m->discrete));
    singularity_begin(d->m);
    TRY(driver_emit(d, row));
    return check_event_progress(d);
}

/* ---- events that accumulate ---- */

static daedal_status fail_accumulation(simulation *m)
{
    const event_accumulation *a = m->discrete->search->accumulation;
    size_t k = a->is_repeated ? a->passed : a->relation;
    char text[200];
    fail(m->why, DAEDAL_ERR_STEP_TOO_SMALL,
         "events accumulate at t = %.10g: %s changes infinitely often before that time, and the "
         "model does not say how the solution continues",
         a->t_limit, compiled_relation_text(m->compiled, k, text, sizeof text));
    hint(m->why,
         "describe what holds then, for example rest: a Boolean that becomes true where the "
         "motion has become small, and equations for it");
    m->why->t = a->t_limit;
    set_cause(m->why, DAEDAL_CAUSE_EVENT_ACCUMULATION);
    return DAEDAL_ERR_STEP_TOO_SMALL;
}

static void warn_accumulation(simulation *m)
{
    const event_accumulation *a = m->discrete->search->accumulation;
    char text[200], message[400];
    snprintf(
        message, sizeof message,
        "events accumulate at t = %.10g: %s changes infinitely often before that time; the run "
        "continues from the limit of the states",
        a->t_limit, compiled_relation_text(m->compiled, a->relation, text, sizeof text));
    log_warning(m->log, DAEDAL_CAUSE_EVENT_ACCUMULATION, a->t_limit, message);
}

/* Output points before the limit are so near to it that its values hold there. */
static daedal_status emit_until(driver *d, double t)
{
    for (double at = driver_next_point(d); at < t; at = driver_next_point(d)) {
        d->m->values->x[0] = at;
        driver_pass_points(d, at);
        TRY(driver_emit(d, DAEDAL_ROW_POINT));
    }
    d->m->values->x[0] = t;
    return DAEDAL_OK;
}

/* The run continues from the limit if the model has other equations there. */
static daedal_status pass_accumulation(driver *d)
{
    simulation *m = d->m;
    const event_accumulation *a = m->discrete->search->accumulation;
    double *y = m->values->x + m->values->place.y, t = a->t_limit;
    bool same_mode = false;
    if (a->is_repeated || m->discrete->delays || t >= d->request->t_stop)
        return a->is_repeated || m->discrete->delays ? fail_accumulation(m) : DAEDAL_OK;
    discrete_put_limit(m->discrete);
    TRY(emit_until(d, t));
    daedal_status status = daedal_solver_start(m->discrete->solver, t, y, NULL);
    if (status < 0)
        return simulation_explain_failure(m, status, daedal_solver_diagnosis(m->discrete->solver));
    simulation_read_solver(m);
    TRY(driver_emit(d, DAEDAL_ROW_BEFORE_EVENT));
    d->events++;
    TRY(discrete_limit_event(m->discrete, &same_mode));
    TRY(driver_emit(d, DAEDAL_ROW_AFTER_EVENT));
    if (same_mode)
        return fail_accumulation(m);
    warn_accumulation(m);
    return DAEDAL_OK;
}

/* The relation of time whose operands are nearest to each other, or SIZE_MAX. */
static size_t nearest_of_time(simulation *m)
{
    double *difference = m->discrete->search->difference;
    size_t nearest = SIZE_MAX;
    if (discrete_compare_operands(m->discrete, difference) != 0)
        return SIZE_MAX;
    for (size_t k = 0; k < m->flat->n_relations; k++)
        if (m->discrete->relation[k].kind == RELATION_TIME &&
            (nearest == SIZE_MAX || fabs(difference[k]) < fabs(difference[nearest])))
            nearest = k;
    return nearest;
}

static void warn_timed_accumulation(simulation *m, double t_limit)
{
    char text[200] = "an event at a known time", message[400];
    size_t k = nearest_of_time(m);
    if (k != SIZE_MAX)
        compiled_relation_text(m->compiled, k, text, sizeof text);
    snprintf(message, sizeof message,
             "events accumulate at t = %.10g: %s happens infinitely often before that time; the "
             "run goes on as if they ended there",
             t_limit, text);
    log_warning(m->log, DAEDAL_CAUSE_EVENT_ACCUMULATION, t_limit, message);
}

/* Times of events that the model computes may come ever nearer, as those of impacts do. */
static void watch_timed_events(driver *d)
{
    enum { OFTEN = 10 };
    const double alike = 0.02, largest = 0.98, soon = 1e-6; /* of the ratio; of the span */
    timed_events *e = &d->timed, last = *e;
    double t = d->m->values->x[0];
    e->interval = t - last.t;
    e->t = t;
    e->ratio = last.interval > 0.0 ? e->interval / last.interval : 1.0;
    bool shrinks =
        e->ratio > 0.0 && e->ratio < largest && fabs(e->ratio - last.ratio) <= alike * last.ratio;
    e->shrinking = shrinks ? last.shrinking + 1 : 0;
    double rest = e->interval * e->ratio / (1.0 - e->ratio);
    if (e->shrinking < OFTEN || rest > soon * (d->request->t_stop - d->request->t_start) ||
        e->is_reported)
        return;
    e->is_reported = true;
    warn_timed_accumulation(d->m, t + rest);
}

static daedal_status handle_event(driver *d)
{
    simulation *m = d->m;
    bool met = driver_pass_points(d, m->values->x[0]);
    TRY(driver_emit(d, DAEDAL_ROW_BEFORE_EVENT));
    TRY(driver_end_event(d, met && d->request->no_event_rows ? DAEDAL_ROW_POINT
                                                             : DAEDAL_ROW_AFTER_EVENT));
    return m->discrete->search->accumulation->is_found ? pass_accumulation(d) : DAEDAL_OK;
}

/* ---- the loop ---- */

/* No step goes beyond `limit`; a solver that has done so already is restarted. */
static daedal_status set_limit(simulation *m, double limit)
{
    if (daedal_solver_set_stop_time(m->discrete->solver, limit) == DAEDAL_OK)
        return DAEDAL_OK;
    daedal_status status = daedal_solver_restart(m->discrete->solver, NULL, NULL);
    delays_truncate(m->discrete, m->values->x[0]);
    if (status == DAEDAL_OK)
        status = daedal_solver_set_stop_time(m->discrete->solver, limit);
    return status == DAEDAL_OK ? status
                               : simulation_explain_failure(
                                     m, status, daedal_solver_diagnosis(m->discrete->solver));
}

static bool is_due(driver *d)
{
    return driver_pass_points(d, d->m->values->x[0]) || d->request->every_step;
}

static daedal_status emit_point(driver *d)
{
    return driver_emit(d, d->request->every_step ? DAEDAL_ROW_STEP : DAEDAL_ROW_POINT);
}

/* After a failure the run continues if the solution can leave a corner.  Behind the stop time,
 * where the run only looks for events, it ends.                                         */
static daedal_status handle_failure(driver *d, daedal_status status)
{
    simulation *m = d->m;
    bool jumped = false;
    simulation_read_solver(m);
    if (failure_is(status, STEP_FAILURE) && m->values->x[0] >= d->request->t_stop) {
        m->values->x[0] = m->discrete->t_end;
        return DAEDAL_OK;
    }
    TRY(delays_check(m->discrete));
    daedal_diagnosis why = *daedal_solver_diagnosis(m->discrete->solver);
    if (failure_is(status, STEP_FAILURE | DOMAIN_FAILURE))
        TRY(driver_jump_at_corner(d, &jumped));
    if (jumped)
        return DAEDAL_OK;
    return status < 0 ? simulation_explain_failure(m, status, &why) : status;
}

/* A relation seems to contradict the equations that it has chosen.  With these solved anew it is
 * seen whether it does; then an event follows, in which it is compared as equal. */
static daedal_status compare_pinned(driver *d)
{
    d->is_pinned = false;
    TRY(discrete_solve_equations(d->m->discrete));
    if (discrete_find_pinned(d->m->discrete))
        return handle_event(d);
    return is_due(d) ? emit_point(d) : DAEDAL_OK;
}

/* Integrate to the next output point, event or stop time, or (every_step) by one step. */
static daedal_status advance(driver *d, double t_timed)
{
    simulation *m = d->m;
    double limit = fmin(t_timed, m->discrete->t_end), target = fmin(driver_next_point(d), limit);
    TRY(set_limit(m, limit));
    daedal_status status = d->request->every_step
                               ? daedal_solver_step(m->discrete->solver, limit)
                               : daedal_solver_advance(m->discrete->solver, target);
    if (status < 0 || status == DAEDAL_STOPPED)
        return handle_failure(d, status);
    simulation_read_solver(m);
    if (!isnan(d->t_branch_end))
        return driver_leave_branch(d);
    if (status == DAEDAL_EVENT && d->is_pinned)
        return compare_pinned(d);
    if (status == DAEDAL_EVENT) {
        mark_triggered(m);
        discrete_watch_chattering(m->discrete, driver_output_interval(d));
        return handle_event(d);
    }
    if (m->values->x[0] >= t_timed) {
        watch_timed_events(d);
        return handle_event(d);
    }
    if (!is_due(d))
        return DAEDAL_OK;
    TRY(discrete_check_asserts(m->discrete, false));
    return emit_point(d);
}

static daedal_status finish(driver *d)
{
    simulation *m = d->m;
    if (!m->discrete->uses_terminal || m->discrete->terminated)
        return DAEDAL_OK;
    values_set(m->values, m->values->place.terminal, 1.0);
    TRY(discrete_event(m->discrete));
    TRY(driver_emit(d, DAEDAL_ROW_AFTER_EVENT));
    return DAEDAL_OK;
}

static daedal_status run_loop(driver *d)
{
    simulation *m = d->m;
    double t_timed = discrete_next_time_event(m->discrete);
    while (m->values->x[0] < m->discrete->t_end && !d->stopped && !m->discrete->terminated) {
        uint64_t before = m->values->version;
        RETURN_UNLESS_OK(advance(d, t_timed));
        if (m->values->version != before || m->values->x[0] >= t_timed)
            t_timed = discrete_next_time_event(m->discrete);
    }
    if (d->stopped)
        return DAEDAL_STOPPED;
    driver_warn_lost_digits(d);
    return finish(d);
}

/* ---- the start ---- */

static void collect_moved(const driver *d, simulation_outcome *outcome)
{
    simulation *m = d->m;
    for (int32_t i = 0; i < d->task->shown.n && outcome->moved; i++) {
        uint32_t v = d->task->shown.variable[i];
        const flat_variable *var = &m->flat->variables[v];
        if (m->reduced->unknown_of[v] < 0 || !var->has_start || var->fixed)
            continue;
        double start = compiled_evaluate(m->compiled, var->start), value = driver_shown(d, i);
        if (fabs(value - start) <= MOVED * fmax(fabs(value), fabs(start)))
            continue;
        outcome->moved[outcome->n_moved] = v;
        outcome->moved_from[outcome->n_moved] = start;
        outcome->moved_to[outcome->n_moved++] = value;
    }
}

/* The size of a perturbation of an unknown is that of a variable it stands for. */
static bool perturb(driver *d, daedal_system *sys)
{
    const simulation *m = d->m;
    perturbation by = {.size = d->spread,
                       .t_start = d->request->t_start,
                       .span = d->request->t_stop - d->request->t_start,
                       .number = d->task->spread_number};
    for (int32_t i = 0; i < d->task->shown.n; i++) {
        value_origin from = m->compiled->origin[d->task->shown.variable[i]];
        int32_t j = from.slot - (int32_t)m->values->place.y;
        if (from.slot >= 0 && j >= 0 && j < m->reduced->n && from.factor != 0.0)
            d->spread[j] = fmax(d->spread[j], d->task->spread[i] / fabs(from.factor));
    }
    return perturbed_create(&d->perturbed, sys, &by, m->allocator);
}

static daedal_status start_run(driver *d, simulation_outcome *outcome)
{
    simulation *m = d->m;
    daedal_system sys;
    discrete_describe_system(m->discrete, &sys);
    if (d->task->spread && !perturb(d, &sys))
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for a run");
    daedal_status status = daedal_solver_create(&m->discrete->solver, &sys, d->opt, m->why);
    TRY(status);
    solver_set_after_step(m->discrete->solver, driver_after_step, d);
    solver_set_silent_events(m->discrete->solver, discrete_count_silent(m->discrete));
    corners_begin(m->corners);
    corner_functions corners = {.n_of_time = m->corners->of_time.n,
                                .n_of_states = m->corners->of_states.n,
                                .of_time = corners_of_time,
                                .of_states = corners_of_states,
                                .scale_of_time = m->corners->of_time.scale,
                                .scale_of_states = m->corners->of_states.scale,
                                .band = corners_band(m->corners),
                                .user = m->corners};
    status = solver_set_corners(m->discrete->solver, &corners);
    if (status < 0)
        return fail(m->why, status, "out of memory for a run");
    m->discrete->options = d->opt;
    m->hooks =
        (discrete_hooks){solver_restart_held, solver_renew_events,        solver_values_inside,
                         solver_step_end,     start_satisfy_after_reinit, m->start};
    m->discrete->hooks = &m->hooks;
    double span = d->request->t_stop - d->request->t_start;
    m->discrete->t_end =
        d->request->t_stop + (m->discrete->n_events > 0 && span > 0.0 ? OVERSHOOT * span : 0.0);
    if (span > 0.0)
        daedal_solver_set_stop_time(m->discrete->solver, m->discrete->t_end);
    TRY(start_initialize(m->start));
    int32_t most = -1;
    m->growth_start = compiled_leading_growth(m->compiled, &most);
    simulation_warn_singular_start(m);
    singularity_begin(m);
    for (int32_t k = 0; k < m->watch->n; k++)
        m->watch->is_reported[k] = false;
    TRY(compiled_compute(m->compiled));
    memcpy(d->y_first, m->values->x + m->values->place.y,
           (size_t)m->reduced->n_system * sizeof(double));
    collect_moved(d, outcome);
    TRY(discrete_check_asserts(m->discrete, false));
    if (d->task->values)
        driver_fill_row(d, d->task->values);
    return DAEDAL_OK;
}

/* ---- the whole ---- */

static void lay_out(void *object, layout *l)
{
    driver *d = object;
    d->atol = layout_take(l, (size_t)d->m->reduced->n_system, sizeof(double));
    d->row = layout_take(l, (size_t)d->task->shown.n, sizeof(double));
    d->y_first = layout_take(l, (size_t)d->m->reduced->n_system, sizeof(double));
    d->effect = layout_take(l, 2 * (size_t)d->m->reduced->n, sizeof(double));
    if (d->task->spread) {
        d->spread = layout_take(l, (size_t)d->m->reduced->n_system, sizeof(double));
        d->y = layout_take(l, (size_t)d->m->reduced->n_system, sizeof(double));
    }
}

static daedal_status run(driver *d, simulation_outcome *outcome)
{
    TRY(start_run(d, outcome));
    if (d->task->start_only)
        return DAEDAL_OK;
    if (is_due(d))
        TRY(emit_point(d));
    return d->m->discrete->terminated ? DAEDAL_OK : run_loop(d);
}

/* A call that ran out of memory or did not end is the cause behind the failure. */
static daedal_status blame_functions(simulation *m, daedal_status status)
{
    const char *endless = flat_calls_endless(m->flat);
    if (status < 0 && flat_calls_out_of_memory(m->flat))
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory in a function of the model");
    if (status < 0 && endless)
        hint(m->why, "a call of function '%s' was stopped because it did not end", endless);
    return status;
}

static void report(const driver *d, simulation_outcome *outcome)
{
    const daedal_solver *solver = d->m->discrete->solver;
    outcome->t = driver_time(d);
    outcome->constraint_residual = d->largest_residual;
    if (solver) {
        outcome->n_limiting_variables =
            daedal_solver_limiting_variables(solver, outcome->limiting_variables, LIMITERS_SHOWN);
        outcome->n_limiting_equations =
            daedal_solver_limiting_equations(solver, outcome->limiting_equations, LIMITERS_SHOWN);
        const daedal_structure *s = daedal_solver_structure(solver);
        outcome->stats = *daedal_solver_stats(solver);
        outcome->method = s->method;
        outcome->method_reason = d->method_reason ? d->method_reason : s->method_reason;
        outcome->constraint_method = s->constraint_method;
    }
    outcome->stats.events = d->events; /* time events included */
}

bool simulation_create(simulation *m, const model *from)
{
    *m = (simulation){.reduced = from->reduced,
                      .compiled = from->compiled,
                      .discrete = from->discrete,
                      .start = from->start,
                      .values = from->compiled ? from->compiled->values : NULL,
                      .flat = from->flat,
                      .allocator = from->allocator,
                      .mem = from->mem,
                      .why = from->why,
                      .log = from->log};
    return !m->start || (singularity_build(m) && corners_build(m->discrete, &m->corners));
    /* without start the model cannot be run */
}

void simulation_free(simulation *m)
{
    if (m->watch)
        program_free(m->allocator, &m->watch->leading);
    if (m->corners)
        corners_free(m->allocator, m->corners);
}

daedal_status simulation_run(simulation *m, const simulation_task *task,
                             simulation_outcome *outcome)
{
    TRY(reduced_check_runnable(m->reduced));
    daedal_options opt;
    driver d = {.m = m,
                .task = task,
                .request = task->request,
                .opt = &opt,
                .t_event = -HUGE_VAL,
                .t_branch_end = NAN,
                .t_repeated = NAN};
    diagnosis_clear(m->why);
    m->discrete->t_start = task->request->t_start;
    m->discrete->t_stop = task->request->t_stop;
    if (!block_create(&d.mem, m->allocator, lay_out, &d))
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for a run");
    driver_set_options(&d);
    daedal_status status = blame_functions(m, run(&d, outcome));
    if (status >= 0)
        diagnosis_clear(m->why);
    report(&d, outcome);
    daedal_solver_free(m->discrete->solver);
    m->discrete->solver = NULL;
    perturbed_free(&d.perturbed);
    block_free(&d.mem);
    return status;
}
