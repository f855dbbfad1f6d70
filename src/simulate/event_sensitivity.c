/* simulate/event_sensitivity.c - see model_sensitivity.h: sensitivities across events.
 *
 * An event happens at the time T(p) with g(T, y(T), p) = 0, so that
 *     dT/dp = -(dg/dy s + dg/dp) / (dg/dt + dg/dy y').
 * There the states have the total derivative D = s + y' dT/dp.  Behind it, with y+ = R(T, y, p) by
 * reinit or y+ = y, it is D+ = dR/dy D + dR/dt dT/dp + dR/dp, and s+ = D+ - y'+ dT/dp: the
 * saltation of the literature.  All are differences along one direction; g is the difference of
 * the operands of the relation that has changed, or the argument of a rounding, and its derivative
 * in time is found along the dense output of the step before the event. */
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

/* Set x to kept values moved by a step along y and y' slopes, times the size of the parameter. */
static void move_values(simulation *m, double step, const double *slope, const double *slope_yp)
{
    const model_sensitivities *s = m->sensitivities;
    uint32_t y = m->values->place.y, yp = m->values->place.yp;
    for (uint32_t j = 0; j < (uint32_t)m->reduced->n; j++) {
        m->values->x[y + j] = s->kept[y + j] + step * slope[j];
        m->values->x[yp + j] = s->kept[yp + j] + step * slope_yp[j];
    }
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
        move_values(m, h * s->size[i], v, w);
        status = model_sensitivity_move(s, i, h);
        if (status == DAEDAL_OK)
            status = value_of(m, k, &g[side]);
    }
    model_sensitivity_put_back(s, i, &before);
    memcpy(m->values->x, s->kept, m->values->place.n * sizeof(double));
    *slope = (g[0] - g[1]) / (2.0 * step * s->size[i]);
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
    if (k != SIZE_MAX)
        TRY(slope_in_time(m, k, &in_time));
    for (int32_t i = 0; i < s->n; i++) {
        double by_parameter = 0.0;
        if (k != SIZE_MAX)
            TRY(slope_by_parameter(m, k, i, &by_parameter));
        s->time[i] = -by_parameter / in_time;
        TRY(daedal_solver_sensitivity(m->discrete->solver, i, &v, NULL));
        for (size_t j = 0; j < n; j++)
            s->total[(size_t)i * n + j] = v[j] + yp[j] * s->time[i];
    }
    const daedal_simulation *q = d->request;
    if (q->event_time && !d->stopped)
        d->stopped = q->event_time(s->kept[0], s->time, q->row_user) == DAEDAL_CALL_STOP;
    return DAEDAL_OK;
}

/* ---- behind it ---- */

/* The new value of a state by reinit k: its derivative along the total derivative before. */
static daedal_status slope_of_reinit(simulation *m, size_t k, int32_t i, double *slope)
{
    model_sensitivities *s = m->sensitivities;
    flat_variable before = m->flat->variables[s->variable[i]];
    const double *total = s->total + (size_t)i * (size_t)m->reduced->n_system;
    uint32_t y = m->values->place.y, pre_y = m->values->place.pre_y;
    double step = model_sensitivity_step(s, i, total), value[2] = {0.0, 0.0};
    daedal_status status = DAEDAL_OK;
    for (int side = 0; side < 2 && status == DAEDAL_OK; side++) {
        double h = side ? -step : step, *x = m->values->x;
        for (uint32_t j = 0; j < (uint32_t)m->reduced->n; j++)
            x[pre_y + j] = x[y + j] = s->kept[y + j] + h * s->size[i] * total[j];
        x[0] = s->kept[0] + h * s->size[i] * s->time[i];
        status = model_sensitivity_move(s, i, h);
        m->values->version++;
        if (status == DAEDAL_OK &&
            program_run(m->compiled, m->discrete->actions, 0.0, NULL, NULL) != 0)
            status = fail(m->why, DAEDAL_ERR_CALLBACK, "a reinit could not be evaluated again");
        value[side] = m->discrete->actions->out[2 * k + 1];
    }
    model_sensitivity_put_back(s, i, &before);
    *slope = (value[0] - value[1]) / (2.0 * step * s->size[i]);
    return status;
}

static daedal_status apply_reinits(simulation *m, int32_t i)
{
    model_sensitivities *s = m->sensitivities;
    size_t n = (size_t)m->reduced->n_system;
    daedal_status status = DAEDAL_OK;
    memcpy(s->x, m->values->x, m->values->place.n * sizeof(double));
    double *next = s->row[0]; /* by reinit */
    for (size_t k = 0; k < m->flat->n_reinits && status == DAEDAL_OK; k++)
        if (m->discrete->search->reinit->fired[k])
            status = slope_of_reinit(m, k, i, &next[k]);
    memcpy(m->values->x, s->x, m->values->place.n * sizeof(double));
    m->values->version++;
    for (size_t k = 0; k < m->flat->n_reinits && status == DAEDAL_OK; k++) {
        value_origin to = m->compiled->origin[m->flat->reinits[k].variable];
        int32_t j = to.slot - (int32_t)m->values->place.y;
        if (m->discrete->search->reinit->fired[k] && j >= 0 && j < m->reduced->n)
            s->total[(size_t)i * n + (size_t)j] = next[k] / to.factor;
    }
    return status;
}

static bool is_reset(const simulation *m, int32_t j)
{
    for (size_t k = 0; k < m->flat->n_reinits; k++)
        if (m->discrete->search->reinit->fired[k] &&
            m->compiled->origin[m->flat->reinits[k].variable].slot ==
                (int32_t)m->values->place.y + j)
            return true;
    return false;
}

/* A state that moves without a reinit follows from an impulse, whose derivative is not known. */
static daedal_status check_jumps(const simulation *m)
{
    const model_sensitivities *s = m->sensitivities;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        uint32_t slot = m->values->place.y + (uint32_t)j;
        double from = s->kept[slot], to = m->values->x[slot];
        double usual = m->compiled->nominal[j] > 0.0 ? m->compiled->nominal[j] : 1.0;
        double size = fmax(fmax(fabs(from), fabs(to)), usual);
        if (m->reduced->differential[j] && !is_reset(m, j) && fabs(to - from) > JUMP * size)
            return fail(m->why, DAEDAL_ERR_STRUCTURE,
                        "%s jumps at t = %.10g without a reinit of its own: its sensitivities "
                        "behind the jump are not known",
                        m->compiled->variable_name[j], s->kept[0]);
    }
    return DAEDAL_OK;
}

/* ---- discrete variables ---- */

/* What the value of an assignment reads, but for conditions and other discrete variables. */
static void classify(const simulation *m, const expr_walker *w, bool *depends, bool *on_time)
{
    const expr_graph *g = &m->flat->graph;
    for (size_t k = 0; k < w->n_found; k++) {
        expr e = w->found[k];
        if (expr_is_constant(g, e)) {
            *depends = *depends || expr_is_live(g, e);
        } else if (expr_is_variable(g, e)) {
            uint32_t symbol = expr_index(g, e);
            flat_symbol_kind kind = flat_kind(symbol);
            *on_time = *on_time || kind == FLAT_TIME;
            if (kind == FLAT_VALUE || kind == FLAT_PRE || kind == FLAT_DER)
                *depends = *depends ||
                           m->flat->variables[flat_number(symbol)].variability == FLAT_CONTINUOUS;
        }
    }
}

bool model_sensitivity_look_at_discrete(simulation *m)
{
    model_sensitivities *s = m->sensitivities;
    expr_walker w;
    expr_walker_create(&w, &m->flat->graph);
    for (size_t k = 0; k < m->discrete->n_assigned; k++) {
        bool depends = false;
        for (size_t a = 0; a < m->flat->n_assignments && !w.failed; a++)
            if (m->flat->assignments[a].variable == m->discrete->assigned[k]) {
                expr_walker_forget(&w);
                if (expr_walk(&w, m->flat->assignments[a].value, EXPR_INCIDENCE))
                    classify(m, &w, &depends, &s->reads_time[k]);
            }
        s->is_followed[k] = !depends;
    }
    bool fine = !w.failed;
    expr_walker_free(&w);
    return fine;
}

static bool moves_with_parameters(const model_sensitivities *s)
{
    bool moves = false;
    for (int32_t i = 0; i < s->n; i++)
        moves = moves || s->time[i] != 0.0;
    return moves;
}

/* Whether a number that the event has assigned has derivatives that are not kept. */
static bool is_gap(const simulation *m, size_t k, bool moves)
{
    const model_sensitivities *s = m->sensitivities;
    uint32_t v = m->discrete->assigned[k];
    int32_t slot = m->compiled->origin[v].slot;
    bool counts = !s->is_followed[k] || (s->reads_time[k] && moves);
    return counts && slot >= 0 && s->kept[slot] != m->values->x[slot] &&
           m->flat->variables[v].type == FLAT_REAL;
}

/* Values that are assigned at events carry derivatives of their own, which are not kept.  Of
 * clocked equations some variables have no name that the user knows: another one is told if there
 * is. */
static void warn_of_discrete(simulation *m)
{
    model_sensitivities *s = m->sensitivities;
    bool moves = moves_with_parameters(s), any = false;
    int64_t named = -1;
    char text[300];
    for (size_t k = 0; k < m->discrete->n_assigned && !s->is_told && named < 0; k++) {
        bool is_gap_here = is_gap(m, k, moves);
        any = any || is_gap_here;
        if (is_gap_here && !m->flat->variables[m->discrete->assigned[k]].hidden)
            named = (int64_t)k;
    }
    if (!any)
        return;
    s->is_told = s->has_gaps = true;
    if (named >= 0)
        snprintf(text, sizeof text,
                 "sensitivities do not follow the discrete variable %.200s: its values are taken "
                 "for given",
                 variable_text(m->reduced, m->discrete->assigned[named]));
    else
        snprintf(text, sizeof text,
                 "sensitivities do not follow the variables of clocked equations: their values are "
                 "taken for given");
    log_warning(m->log, DAEDAL_CAUSE_NONE, s->kept[0], text);
}

daedal_status model_sensitivity_after_event(driver *d)
{
    simulation *m = d->m;
    model_sensitivities *s = m->sensitivities;
    if (!s || !m->discrete->restarted)
        return DAEDAL_OK;
    size_t n = (size_t)m->reduced->n_system;
    const double *yp = m->values->x + m->values->place.yp;
    TRY(check_jumps(m));
    warn_of_discrete(m);
    for (int32_t i = 0; i < s->n; i++) {
        double *total = s->total + (size_t)i * n;
        TRY(apply_reinits(m, i));
        for (size_t j = 0; j < n; j++)
            total[j] -= yp[j] * s->time[i];
        if (daedal_solver_set_sensitivity(m->discrete->solver, i, total) != DAEDAL_OK)
            return fail(m->why, DAEDAL_ERR_STRUCTURE,
                        "the sensitivities behind the event at t = %.10g are not known",
                        s->kept[0]);
    }
    return DAEDAL_OK;
}
