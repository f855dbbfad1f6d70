/* simulate/event_sensitivity.c - see model_sensitivity.h: sensitivities across events.
 *
 * An event happens at the time T(p) with g(T, y(T), p) = 0, so that
 *     dT/dp = -(dg/dy s + dg/dp) / (dg/dt + dg/dy y').
 * There the states have the total derivative D = s + y' dT/dp.  Behind it, with y+ = R(T, y, p) by
 * reinit or y+ = y, it is D+ = dR/dy D + dR/dt dT/dp + dR/dp (event_rounds.c), and
 * s+ = D+ - y'+ dT/dp: the saltation of the literature.  All are differences along one direction; g
 * is the difference of the operands of the relation that has changed, or the argument of a
 * rounding, and its derivative in time is found along the dense output of the step before the
 * event. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "simulate/model_sensitivity.h"
#include "solver/held_restart.h"

static const double JUMP = 1e-6; /* relative: a state that has no reinit, but has moved */

static daedal_status value_of(simulation *m, size_t k, double *g)
{
    int answer = discrete_memory_value(m->discrete, k, g);
    return answer == 0 ? DAEDAL_OK : compiled_fail_call(m->compiled, answer);
}

/* ---- its derivatives ---- */

/* What remembers the relation or rounding of an event, as a quantity. */
typedef struct event_memory {
    simulation *m;
    size_t k;
} event_memory;

static int value_at(double t, const double *y, const double *yp, double *g, void *user)
{
    const event_memory *of = user;
    const model_values *values = of->m->values;
    size_t bytes = (size_t)of->m->reduced->n_system * sizeof(double);
    values->x[0] = t;
    memcpy(values->x + values->place.y, y, bytes);
    memcpy(values->x + values->place.yp, yp, bytes);
    return discrete_memory_value(of->m->discrete, of->k, g);
}

static daedal_status slope_in_time(simulation *m, size_t k, double *slope)
{
    model_sensitivities *s = m->sensitivities;
    double t = s->kept[0];
    event_memory of = {m, k};
    bool is_known = solver_slope_in_step(m->discrete->solver, t, value_at, &of, slope);
    memcpy(m->values->x, s->kept, m->values->place.n * sizeof(double));
    if (is_known && *slope != 0.0)
        return DAEDAL_OK;
    return fail(m->why, DAEDAL_ERR_STRUCTURE,
                is_known ? "the relation that changes at t = %.10g has the slope 0: the time of "
                           "the event has no derivatives by parameters"
                         : "the derivative of the time of the event at t = %.10g by parameters is "
                           "not known",
                t);
}

/* Set x to kept values moved by a step, times the size of the parameter, along derivatives of y, y'
 * and the numbers that are held. */
static void move_values(simulation *m, int32_t i, double step, const double *slope,
                        const double *slope_yp)
{
    const model_sensitivities *s = m->sensitivities;
    double h = step * s->size[i];
    uint32_t y = m->values->place.y, yp = m->values->place.yp;
    for (uint32_t j = 0; j < (uint32_t)m->reduced->n; j++) {
        m->values->x[y + j] = s->kept[y + j] + h * slope[j];
        m->values->x[yp + j] = s->kept[yp + j] + h * slope_yp[j];
    }
    event_rounds_move_held(s, s->kept, i, step);
}

static daedal_status slope_by_parameter(simulation *m, size_t k, int32_t i, double *slope)
{
    model_sensitivities *s = m->sensitivities;
    flat_variable before = m->flat->variables[s->variable[i]];
    const double *v, *w;
    double g[2] = {0.0, 0.0};
    daedal_status status = daedal_solver_sensitivity(m->discrete->solver, i, &v, &w);
    if (status != DAEDAL_OK)
        return simulation_explain_failure(m, status, daedal_solver_diagnosis(m->discrete->solver));
    double step = model_sensitivity_step(s, i, v);
    for (int side = 0; side < 2 && status == DAEDAL_OK; side++) {
        double h = side ? -step : step;
        move_values(m, i, h, v, w);
        status = model_sensitivity_move(s, i, h);
        if (status == DAEDAL_OK)
            status = value_of(m, k, &g[side]);
    }
    model_sensitivity_put_back(s, i, &before);
    memcpy(m->values->x, s->kept, m->values->place.n * sizeof(double));
    m->values->version++;
    *slope = (g[0] - g[1]) / (2.0 * step * s->size[i]);
    return status;
}

/* ---- times of sample() ---- */

/* The sample that is due, or SIZE_MAX; ticks of clocks are taken for given. */
static size_t sample_due(const simulation *m)
{
    const double slack = 1e-12;
    double t = m->values->x[0];
    for (size_t k = 0; k < m->flat->n_samples; k++) {
        const model_sample *s = &m->discrete->sample[k];
        double at = s->start + (double)s->k * s->interval;
        if (m->flat->samples[k].parts == 0 && fabs(at - t) <= slack * fmax(1.0, fabs(t)))
            return k;
    }
    return SIZE_MAX;
}

/* Of start + number interval. */
static daedal_status slope_of_sample(simulation *m, size_t k, int32_t i, double *slope)
{
    model_sensitivities *s = m->sensitivities;
    program *times = m->discrete->samples_program;
    flat_variable before = m->flat->variables[s->variable[i]];
    double step = cbrt(DBL_EPSILON), at[2] = {0.0, 0.0};
    daedal_status status = DAEDAL_OK;
    for (int side = 0; side < 2 && status == DAEDAL_OK; side++) {
        status = model_sensitivity_move(s, i, side ? -step : step);
        if (status == DAEDAL_OK && program_run(m->compiled, times, 0.0, NULL, NULL) != 0)
            status = fail(m->why, DAEDAL_ERR_CALLBACK, "a sample has no time");
        at[side] = times->out[2 * k] + (double)m->discrete->sample[k].k * times->out[2 * k + 1];
    }
    model_sensitivity_put_back(s, i, &before);
    *slope = (at[0] - at[1]) / (2.0 * step * s->size[i]);
    return status;
}

daedal_status model_sensitivity_before_event(driver *d)
{
    simulation *m = d->m;
    model_sensitivities *s = m->sensitivities;
    if (!s)
        return DAEDAL_OK;
    size_t n = (size_t)m->reduced->n_system;
    const double *yp = s->kept + m->values->place.yp, *v;
    double in_time = 1.0;
    memcpy(s->kept, m->values->x, m->values->place.n * sizeof(double));
    memset(m->discrete->search->reinit->fired, 0, m->flat->n_reinits * sizeof(bool));
    size_t k = discrete_memory_of_event(m->discrete);
    size_t sample = k == SIZE_MAX ? sample_due(m) : SIZE_MAX;
    if (k != SIZE_MAX)
        TRY(slope_in_time(m, k, &in_time));
    for (int32_t i = 0; i < s->n; i++) {
        double by_parameter = 0.0;
        if (k != SIZE_MAX)
            TRY(slope_by_parameter(m, k, i, &by_parameter));
        s->time[i] = -by_parameter / in_time;
        if (sample != SIZE_MAX)
            TRY(slope_of_sample(m, sample, i, &s->time[i]));
        TRY(daedal_solver_sensitivity(m->discrete->solver, i, &v, NULL));
        for (size_t j = 0; j < n; j++)
            s->total[(size_t)i * n + j] = v[j] + yp[j] * s->time[i];
    }
    event_rounds_enter(s);
    const daedal_simulation *q = d->request;
    if (q->event_time && !d->stopped)
        d->stopped = q->event_time(s->kept[0], s->time, q->row_user) == DAEDAL_CALL_STOP;
    return DAEDAL_OK;
}

/* ---- behind it ---- */

static bool is_reset(const simulation *m, int32_t j)
{
    for (size_t k = 0; k < m->flat->n_reinits; k++)
        if (m->discrete->search->reinit->fired[k] &&
            m->compiled->origin[m->flat->reinits[k].variable].slot ==
                (int32_t)m->values->place.y + j)
            return true;
    return false;
}

/* States that move without a reinit follow from constraints, or from an impulse, whose derivative
 * is not known. */
static daedal_status follow_jumps(simulation *m)
{
    model_sensitivities *s = m->sensitivities;
    int32_t *moved = s->rounds.moved, n = 0;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        uint32_t slot = m->values->place.y + (uint32_t)j;
        double from = s->kept[slot], to = m->values->x[slot];
        double usual = m->compiled->nominal[j] > 0.0 ? m->compiled->nominal[j] : 1.0;
        double size = fmax(fmax(fabs(from), fabs(to)), usual);
        if (m->reduced->differential[j] && !is_reset(m, j) && fabs(to - from) > JUMP * size)
            moved[n++] = j;
    }
    if (n == 0 || event_rounds_follow_constraints(s, moved, n))
        return DAEDAL_OK;
    return fail(m->why, DAEDAL_ERR_STRUCTURE,
                "%s jumps at t = %.10g without a reinit of its own: its sensitivities "
                "behind the jump are not known",
                m->compiled->variable_name[moved[0]], s->kept[0]);
}

/* Assignments that depend on one another carry derivatives that are not kept; and algebraic
 * variables have none where the equations do not determine them. */
static void warn_of_rounds(simulation *m)
{
    model_sensitivities *s = m->sensitivities;
    const event_rounds *e = &s->rounds;
    char text[300];
    if (e->is_unresolved && !s->has_gaps) {
        s->has_gaps = true;
        log_warning(m->log, DAEDAL_CAUSE_NONE, s->kept[0],
                    "sensitivities may be wrong: those of algebraic and discrete variables at an "
                    "event are not known");
    }
    for (int32_t k = 0; k < e->n_held && !s->is_told; k++) {
        uint32_t v = m->reduced->discrete_variable[e->held[k]];
        if (!e->is_differing[k] || m->flat->variables[v].type != FLAT_REAL)
            continue;
        s->is_told = s->has_gaps = true;
        snprintf(text, sizeof text,
                 "sensitivities do not follow the discrete variable %.200s: its values are taken "
                 "for given",
                 variable_text(m->reduced, v));
        log_warning(m->log, DAEDAL_CAUSE_NONE, s->kept[0], text);
    }
}

daedal_status model_sensitivity_after_event(driver *d)
{
    simulation *m = d->m;
    model_sensitivities *s = m->sensitivities;
    if (!s)
        return DAEDAL_OK;
    s->rounds.is_open = false;
    TRY(s->rounds.status);
    warn_of_rounds(m);
    if (!m->discrete->restarted && event_rounds_matter(s))
        TRY(discrete_solve_equations(m->discrete));
    if (!m->discrete->restarted)
        return DAEDAL_OK;
    size_t n = (size_t)m->reduced->n_system;
    const double *yp = m->values->x + m->values->place.yp;
    TRY(follow_jumps(m));
    for (int32_t i = 0; i < s->n; i++) {
        double *total = s->total + (size_t)i * n;
        for (size_t j = 0; j < n; j++)
            total[j] -= yp[j] * s->time[i];
        if (daedal_solver_set_sensitivity(m->discrete->solver, i, total) != DAEDAL_OK)
            return fail(m->why, DAEDAL_ERR_STRUCTURE,
                        "the sensitivities behind the event at t = %.10g are not known",
                        s->kept[0]);
    }
    return DAEDAL_OK;
}
