/* simulate/event_handling.c - see simulation.h: what a run does where an event was located, and
 * where events come without end.                                                          */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "simulate/model_sensitivity.h"
#include "simulate/simulation.h"

static const double CLOSE_EVENTS = 1e-12; /* of the span: no progress, the event resolution  */
enum { CLOSE_EVENTS_MAX = 100000 };

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

/* ---- constraints that jump ---- */

/* The state that differs most from `before`, for its size, or -1. */
static int32_t find_moved(const simulation *m, const double *before)
{
    const double *y = m->values->x + m->values->place.y;
    double most = 0.0;
    int32_t which = -1;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        double size = fmax(fabs(y[j]), fabs(before[j]));
        if (!m->reduced->differential[j] || !(fabs(y[j] - before[j]) > most * size))
            continue;
        most = fabs(y[j] - before[j]) / size;
        which = j;
    }
    return which;
}

/* Once in a run: a signal that switches would fill the log. */
static void warn_jump(driver *d, const double *before)
{
    const simulation *m = d->m;
    char message[400];
    int32_t j = find_moved(m, before);
    if (j < 0 || d->jump_is_told || inputs_told_impulse(m->discrete))
        return;
    d->jump_is_told = true;
    snprintf(
        message, sizeof message,
        "at t = %.10g a constraint jumps, and %.90s with it, from %.6g to %.6g: its derivative is "
        "an impulse there, which integrals of it may lack",
        m->values->x[0], m->compiled->variable_name[j], before[j],
        m->values->x[m->values->place.y + (size_t)j]);
    log_warning(m->log, DAEDAL_CAUSE_DISCONTINUITY, m->values->x[0], message);
}

static daedal_status move_states(simulation *m, bool *none)
{
    TRY(m->hooks.satisfy(m->hooks.start, none));
    TRY(discrete_solve_equations(m->discrete));
    return m->flat->n_relations > 0 ? discrete_event(m->discrete) : DAEDAL_OK; /* of such states */
}

daedal_status driver_satisfy_constraints(driver *d, bool is_told)
{
    const double far = 1e-4; /* relative; a restart leaves far less where it succeeds */
    simulation *m = d->m;
    size_t n = (size_t)m->reduced->n_system;
    if (compiled_constraint_residual(m->compiled) <= far)
        return DAEDAL_OK;
    bool *none = memory_take_array(m->allocator, n, sizeof *none);
    double *before = memory_take_array(m->allocator, n, sizeof *before);
    daedal_status status =
        none && before ? DAEDAL_OK : fail(m->why, DAEDAL_ERR_MEMORY, "out of memory at an event");
    if (status == DAEDAL_OK) {
        memcpy(before, m->values->x + m->values->place.y, n * sizeof *before);
        status = move_states(m, none);
    }
    if (status == DAEDAL_OK && is_told)
        warn_jump(d, before);
    memory_give(m->allocator, none, n * sizeof *none);
    memory_give(m->allocator, before, n * sizeof *before);
    TRY(status);
    if (compiled_constraint_residual(m->compiled) <= far)
        return DAEDAL_OK;
    fail(m->why, DAEDAL_ERR_START,
         "at t = %.10g the states do not satisfy the constraints any more, and could not be moved "
         "onto them",
         m->values->x[0]);
    set_cause(m->why, DAEDAL_CAUSE_DISCONTINUITY);
    return DAEDAL_ERR_START;
}

daedal_status driver_end_event(driver *d, daedal_row_kind row)
{
    d->events++;
    d->goal.met_event = true;
    TRY(model_sensitivity_before_event(d));
    TRY(discrete_event(d->m->discrete));
    TRY(driver_satisfy_constraints(d, true));
    TRY(model_sensitivity_after_event(d));
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

daedal_status driver_emit_until(driver *d, double t)
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
    TRY(driver_emit_until(d, t));
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

daedal_status driver_handle_event(driver *d)
{
    simulation *m = d->m;
    bool met = driver_pass_points(d, m->values->x[0]);
    TRY(driver_emit(d, DAEDAL_ROW_BEFORE_EVENT));
    TRY(driver_end_event(d, met && d->request->no_event_rows ? DAEDAL_ROW_POINT
                                                             : DAEDAL_ROW_AFTER_EVENT));
    return m->discrete->search->accumulation->is_found ? pass_accumulation(d) : DAEDAL_OK;
}

daedal_status driver_handle_state_event(driver *d)
{
    mark_triggered(d->m);
    discrete_watch_chattering(d->m->discrete, driver_output_interval(d));
    return driver_handle_event(d);
}

daedal_status driver_handle_time_event(driver *d)
{
    watch_timed_events(d);
    return driver_handle_event(d);
}
