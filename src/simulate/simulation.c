/* simulate/simulation.c - see simulation.h: from the start to the stop time, event by event.  Read
 * it from the end: simulation_run, simulation_begin, simulation_advance, advance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "initial/start_problem.h"
#include "simulate/invariant_watch.h"
#include "simulate/model_sensitivity.h"
#include "simulate/simulation.h"
#include "solver/held_restart.h"

static const double OVERSHOOT = 1e-10; /* of the span: finds events at the stop time      */
static const double MOVED = 1e-9;      /* relative: a start value that differs was moved  */

void simulation_read_solver(simulation *m)
{
    m->values->x[0] = daedal_solver_state(m->discrete->solver)->t;
    discrete_read_state(m->discrete);
}

daedal_status simulation_evaluate(simulation *m, double t, double *row)
{
    double *x = m->values->x, now = x[0];
    daedal_status status = daedal_solver_evaluate(m->discrete->solver, t, x + m->values->place.y,
                                                  x + m->values->place.yp);
    if (status == DAEDAL_OK) {
        x[0] = t;
        inputs_refresh(m->discrete);
        delays_refresh(m->discrete);
        status = compiled_compute(m->compiled);
        driver_fill_row(m->driver, row);
    } else {
        *m->why = *daedal_solver_diagnosis(m->discrete->solver);
    }
    x[0] = now;
    discrete_read_state(m->discrete);
    daedal_status restored = compiled_compute(m->compiled);
    return status == DAEDAL_OK ? restored : status;
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
    bool jumped = false; /* or otherwise helped */
    simulation_read_solver(m);
    if (failure_is(status, NUMERIC_FAILURE) && m->values->x[0] >= d->request->t_stop) {
        m->values->x[0] = m->discrete->t_end;
        return DAEDAL_OK;
    }
    TRY(delays_check(m->discrete));
    daedal_diagnosis why = *daedal_solver_diagnosis(m->discrete->solver);
    if (failure_is(status, STEP_FAILURE | DOMAIN_FAILURE))
        TRY(driver_resolve_divisors(d, &jumped));
    if (!jumped && failure_is(status, STEP_FAILURE | DOMAIN_FAILURE))
        TRY(driver_jump_at_corner(d, &jumped));
    if (!jumped && failure_is(status, STEP_FAILURE))
        TRY(driver_pass_threshold(d, &jumped));
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
        return driver_handle_event(d);
    return is_due(d) ? emit_point(d) : DAEDAL_OK;
}

/* Integrate to the next output point, event, stop time or the goal, or by one step. */
static daedal_status advance(driver *d)
{
    simulation *m = d->m;
    double t_timed = d->goal.t_timed, limit = fmin(t_timed, m->discrete->t_end);
    double goal = fmin(d->goal.t, limit), target = fmin(driver_next_point(d), goal);
    TRY(set_limit(m, limit));
    driver_limit_steps(d, solver_step_end(m->discrete->solver));
    daedal_status status = d->request->every_step || d->goal.single
                               ? daedal_solver_step(m->discrete->solver, target)
                               : daedal_solver_advance(m->discrete->solver, target);
    if (status < 0 || status == DAEDAL_STOPPED)
        return handle_failure(d, status);
    simulation_read_solver(m);
    if (!isnan(d->t_branch_end))
        return driver_leave_branch(d);
    if (status == DAEDAL_EVENT)
        return d->is_pinned ? compare_pinned(d) : driver_handle_state_event(d);
    if (status == DAEDAL_OK) /* behind a corner the solver may stand a unit of roundoff later */
        m->values->x[0] = fmin(m->values->x[0], target);
    if (m->values->x[0] >= t_timed)
        return driver_handle_time_event(d);
    bool due = is_due(d);
    if (due || m->values->x[0] >= d->goal.t)
        TRY(discrete_check_asserts(m->discrete, false));
    return due ? emit_point(d) : DAEDAL_OK;
}

/* The time of the next event at a known time is found once for each mode. */
static void look_ahead(driver *d)
{
    const simulation *m = d->m;
    run_goal *goal = &d->goal;
    if (goal->timed_version == m->values->version && m->values->x[0] < goal->t_timed)
        return;
    goal->t_timed = discrete_next_time_event(m->discrete);
    goal->timed_version = m->values->version;
}

/* ---- the start ---- */

static void collect_moved(const driver *d, simulation_outcome *outcome)
{
    simulation *m = d->m;
    for (int32_t i = 0; i < d->task->shown.n && outcome->moved; i++) {
        uint32_t v = d->task->shown.variable[i];
        const flat_variable *var = &m->flat->variables[v];
        if (m->reduced->unknown_of[v] < 0 || !var->has_start || var->fixed ||
            start_is_overridden(m->start, v))
            continue;
        double start = start_written(m->start, v), value = driver_shown(d, i);
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

/* Sensitivities need both parts of the Jacobian in each step. */
static void give_parts(discrete_part *m)
{
    daedal_system sys;
    discrete_describe_system(m, &sys);
    jacobian_parts parts = {discrete_jacobian_parts, m, sys.pattern, sys.jacobian};
    if (sys.jacobian)
        solver_give_parts(m->solver, &parts);
}

static daedal_status start_run(driver *d, simulation_outcome *outcome)
{
    simulation *m = d->m;
    daedal_system sys;
    discrete_describe_system(m->discrete, &sys);
    if (d->task->spread && !perturb(d, &sys))
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for a run");
    const parameter_tapes *tapes = m->sensitivities ? &m->sensitivities->tapes : NULL;
    discrete_describe_parameters(tapes, &sys);
    if (start_foresee_report(m->start) < 0)
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for the start");
    TRY(daedal_solver_create(&m->discrete->solver, &sys, d->opt, m->why));
    solver_rely_on(m->discrete->solver, &sys);
    TRY(model_sensitivity_give_start(m));
    solver_set_after_step(m->discrete->solver, driver_after_step, d);
    solver_show_slopes(m->discrete->solver, m->compiled->shows_slopes);
    solver_set_silent_events(m->discrete->solver, discrete_count_silent(m->discrete));
    corners_begin(m->corners);
    corner_functions corners = {.n_of_time = m->corners->of_time.n,
                                .n_of_states = m->corners->of_states.n,
                                .of_time = corners_of_time,
                                .changes_at_events = m->corners->changes_at_events,
                                .is_incomplete = m->corners->is_incomplete,
                                .of_states = corners_of_states,
                                .scale_of_time = m->corners->of_time.scale,
                                .scale_of_states = m->corners->of_states.scale,
                                .band = corners_band(m->corners),
                                .user = m->corners};
    daedal_status status = solver_set_corners(m->discrete->solver, &corners);
    if (status < 0)
        return fail(m->why, status, "out of memory for a run");
    TRY(inputs_check_span(m->discrete));
    m->discrete->options = d->opt;
    m->hooks = (discrete_hooks){solver_restart_held,
                                solver_restart_same,
                                solver_renew_events,
                                solver_values_inside,
                                solver_step_end,
                                start_satisfy_after_reinit,
                                m->start,
                                tapes,
                                m->sensitivities ? &m->sensitivities->rounds.observer : NULL};
    m->discrete->hooks = &m->hooks;
    double span = d->request->t_stop - d->request->t_start;
    m->discrete->t_end =
        d->request->t_stop + (m->discrete->n_events > 0 && span > 0.0 ? OVERSHOOT * span : 0.0);
    if (span > 0.0)
        daedal_solver_set_stop_time(m->discrete->solver, m->discrete->t_end);
    TRY(start_initialize(m->start));
    TRY(model_sensitivity_check_starts(m));
    solver_keep_sensitivities(m->discrete->solver);
    give_parts(m->discrete);
    solver_forget_factors(m->discrete->solver);
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
    TRY(invariants_begin(m));
    if (d->task->values)
        driver_fill_row(d, d->task->values);
    return DAEDAL_OK;
}

/* ---- the whole ---- */

static void lay_out(void *object, layout *l)
{
    driver *d = object;
    d->atol = layout_take(l, (size_t)d->m->reduced->n_system, sizeof(double));
    size_t parts = d->request->derivatives ? 2 : 1;
    d->row = layout_take(l, parts * (size_t)d->task->shown.n, sizeof(double));
    d->times = layout_take(l, (size_t)d->request->times.n, sizeof(double));
    d->y_first = layout_take(l, (size_t)d->m->reduced->n_system, sizeof(double));
    d->effect = layout_take(l, 2 * (size_t)d->m->reduced->n, sizeof(double));
    if (d->task->spread) {
        d->spread = layout_take(l, (size_t)d->m->reduced->n_system, sizeof(double));
        d->y = layout_take(l, (size_t)d->m->reduced->n_system, sizeof(double));
    }
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
    outcome->n_invariants = d->m->invariants->n_equations + d->m->invariants->n_variables;
    outcome->invariants = d->m->invariants->at;
    outcome->lacks_derivatives = model_sensitivity_has_gaps(d->m);
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

bool simulation_create(simulation *m, model *from)
{
    *m = (simulation){.model = from,
                      .reduced = from->reduced,
                      .compiled = from->compiled,
                      .discrete = from->discrete,
                      .start = from->start,
                      .values = from->compiled ? from->compiled->values : NULL,
                      .flat = from->flat,
                      .allocator = from->allocator,
                      .mem = from->mem,
                      .why = from->why,
                      .log = from->log};
    return !m->start || (singularity_build(m) && invariants_create(m) &&
                         corners_build(m->discrete, &m->corners));
    /* without start the model cannot be run */
}

void simulation_free(simulation *m)
{
    if (m->watch)
        program_free(m->allocator, &m->watch->leading);
    invariants_free(m);
    if (m->corners)
        corners_free(m->allocator, m->corners);
}

/* ---- call by call ---- */

/* The arrays of the caller may be gone before the run ends. */
static void keep_request(driver *d)
{
    size_t n = (size_t)d->asked.times.n;
    if (n > 0)
        memcpy(d->times, d->asked.times.at, n * sizeof(double));
    d->asked.times.at = d->times;
    if (d->asked.options) {
        d->theirs = *d->asked.options;
        d->asked.options = &d->theirs;
    }
}

static driver *make_driver(simulation *m, const simulation_task *task)
{
    driver *d = memory_take(m->allocator, sizeof *d);
    if (!d)
        return NULL;
    *d = (driver){.m = m,
                  .given = *task,
                  .asked = *task->request,
                  .t_event = -HUGE_VAL,
                  .t_branch_end = NAN,
                  .t_repeated = NAN,
                  .pole = {.t_passed = -HUGE_VAL, .t_limit = NAN},
                  .t_threshold = NAN};
    d->task = &d->given;
    d->request = d->given.request = &d->asked;
    d->opt = &d->own;
    m->driver = d;
    if (!block_create(&d->mem, m->allocator, lay_out, d))
        return NULL;
    keep_request(d);
    return d;
}

/* What the analysis of the model leaves to the solver has an index of one at most. */
static bool has_higher_index(const simulation *m)
{
    return solver_found_index(m->discrete->solver) > 1;
}

/* The threads that share the work of tapes during this run. */
static daedal_status make_crew(simulation *m, int32_t threads)
{
    if (threads > 1)
        m->crew = crew_create(threads, m->allocator);
    if (threads > 1 && !m->crew)
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for %d threads", (int)threads);
    m->model->compiled->crew = m->crew;
    return DAEDAL_OK;
}

static void dismiss_crew(simulation *m)
{
    m->model->compiled->crew = NULL;
    crew_free(m->crew);
    m->crew = NULL;
}

daedal_status simulation_begin(simulation *m, const simulation_task *task,
                               simulation_outcome *outcome)
{
    TRY(reduced_check_runnable(m->reduced));
    diagnosis_clear(m->why);
    m->discrete->t_start = task->request->t_start;
    m->discrete->t_stop = task->request->t_stop;
    m->run++;
    TRY(model_sensitivity_prepare(m, task));
    TRY(invariants_prepare(m, task));
    m->has_begun = false;
    m->discrete->t_start = task->request->t_start;
    m->discrete->t_stop = task->request->t_stop;
    driver *d = make_driver(m, task);
    if (!d)
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory for a run");
    driver_set_options(d);
    TRY(make_crew(m, d->opt->threads));
    daedal_status status = start_run(d, outcome);
    if (status == DAEDAL_OK && task->is_moved && has_higher_index(m))
        status = fail(m->why, DAEDAL_ERR_INDEX, "the index is another one with these parameters");
    m->has_begun = status == DAEDAL_OK;
    if (status == DAEDAL_OK && !d->task->start_only && is_due(d))
        status = emit_point(d);
    return blame_functions(m, status);
}

/* The values that the caller has written take effect at once, together. */
daedal_status simulation_take_inputs(simulation *m)
{
    driver *d = m->driver;
    if (!inputs_are_written(m->discrete))
        return DAEDAL_OK;
    TRY(driver_emit(d, DAEDAL_ROW_BEFORE_EVENT));
    TRY(discrete_event(m->discrete));
    TRY(driver_satisfy_constraints(d, false));
    singularity_begin(m);
    return driver_emit(d, DAEDAL_ROW_AFTER_EVENT);
}

bool simulation_has_ended(const simulation *m)
{
    return m->values->x[0] >= m->driver->request->t_stop || m->discrete->terminated;
}

double simulation_time(const simulation *m)
{
    return driver_time(m->driver);
}

daedal_status simulation_advance(simulation *m, double t, bool single)
{
    driver *d = m->driver;
    daedal_status status = DAEDAL_OK;
    d->goal.t = t;
    d->goal.single = single;
    d->goal.met_event = false;
    d->goal.is_exact = isfinite(t) && inputs_are_free(m->discrete);
    double end = fmin(t, m->discrete->t_end);
    bool stop = false;
    status = simulation_take_inputs(m);
    while (m->values->x[0] < end && !m->discrete->terminated && !d->stopped && !stop &&
           status == DAEDAL_OK) {
        look_ahead(d);
        status = advance(d);
        stop = single || (d->goal.met_event && d->request->stop_at_events);
    }
    if (status == DAEDAL_OK && d->stopped)
        status = DAEDAL_STOPPED;
    if (status == DAEDAL_OK && d->goal.met_event && d->request->stop_at_events)
        status = DAEDAL_EVENT;
    return blame_functions(m, status);
}

daedal_status simulation_finish(simulation *m)
{
    driver *d = m->driver;
    if (simulation_has_ended(m)) /* an event at the stop time may be seen behind it only */
        RETURN_UNLESS_OK(simulation_advance(m, HUGE_VAL, false));
    driver_warn_lost_digits(d);
    if (!m->discrete->uses_terminal || m->discrete->terminated)
        return DAEDAL_OK;
    values_set(m->values, m->values->place.terminal, 1.0);
    daedal_status status = discrete_event(m->discrete);
    if (status == DAEDAL_OK)
        status = driver_emit(d, DAEDAL_ROW_AFTER_EVENT);
    return blame_functions(m, status);
}

void simulation_end(simulation *m, simulation_outcome *outcome)
{
    driver *d = m->driver;
    if (!d)
        return;
    if (d->mem.p)
        report(d, outcome);
    daedal_solver_free(m->discrete->solver);
    m->discrete->solver = NULL;
    dismiss_crew(m);
    model_sensitivity_free(m);
    perturbed_free(&d->perturbed);
    block_free(&d->mem);
    memory_give(m->allocator, d, sizeof *d);
    m->driver = NULL;
}

/* ---- in one go ---- */

static void warn_of_inputs(const simulation *m)
{
    char text[300];
    for (size_t k = 0; k < m->flat->n_inputs && m->discrete; k++) {
        if (inputs_has_value(m->discrete, k))
            continue;
        snprintf(text, sizeof text, "the input %.200s has no value: its start value is used",
                 variable_text(m->reduced, m->flat->inputs[k].variable));
        log_warning(m->log, DAEDAL_CAUSE_NONE, m->discrete->t_start, text);
    }
}

daedal_status simulation_run(simulation *m, const simulation_task *task,
                             simulation_outcome *outcome)
{
    daedal_simulation request = *task->request;
    simulation_task whole = *task;
    request.stop_at_events = 0;
    whole.request = &request;
    daedal_status status = simulation_begin(m, &whole, outcome);
    warn_of_inputs(m);
    if (status == DAEDAL_OK && !task->start_only) {
        status = simulation_advance(m, HUGE_VAL, false);
        if (status == DAEDAL_OK)
            status = simulation_finish(m);
    }
    if (status >= 0)
        diagnosis_clear(m->why);
    simulation_end(m, outcome);
    return status;
}
