/* simulate/start_sensitivity.c - see model_sensitivity.h: derivatives of the start.
 *
 * They are differences of order four of the start itself, with a parameter moved in all constants
 * of the model, or a start value moved and kept: one way for whatever the language can say.  Where
 * the start takes the states as they are written, and no parameter stands in their start values,
 * nothing has to be solved.                                                        */
#include <math.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "simulate/model_sensitivity.h"

static const double START_STEP = 1e-3; /* of a parameter, with an error of its fourth power */

/* ---- start values in the place of parameters ---- */

void model_sensitivity_choose_start(model_sensitivities *s, int32_t i)
{
    const simulation *m = s->of;
    uint32_t v = s->variable[i];
    double nominal = m->flat->variables[v].nominal;
    s->value[i] = start_written(m->start, v);
    s->size[i] = fmax(fabs(s->value[i]), nominal > 0.0 ? nominal : 0.0);
    if (s->size[i] == 0.0)
        s->size[i] = 1.0;
    s->written[i] = start_is_overridden(m->start, v) ? s->value[i] : NAN;
}

/* Once a run has begun, start values are past. */
daedal_status model_sensitivity_move_start(model_sensitivities *s, int32_t i, double step)
{
    const simulation *m = s->of;
    if (!s->is_starting)
        return DAEDAL_OK;
    daedal_status status =
        start_override(m->start, s->variable[i], s->value[i] + step * s->size[i]);
    if (status == DAEDAL_OK)
        return status;
    return fail(m->why, status,
                status == DAEDAL_ERR_MEMORY
                    ? "out of memory"
                    : "%s has no start value to differentiate by, since others determine it",
                variable_text(m->reduced, s->variable[i]));
}

void model_sensitivity_put_back_start(model_sensitivities *s, int32_t i)
{
    if (s->is_starting)
        start_override(s->of->start, s->variable[i], s->written[i]);
}

daedal_status model_sensitivity_check_starts(simulation *m)
{
    const model_sensitivities *s = m->sensitivities;
    const double little = 1e-9;
    for (int32_t i = 0; s && i < s->n; i++) {
        if (!s->is_start[i])
            continue;
        value_origin from = m->compiled->origin[s->variable[i]];
        double now = from.slot >= 0 ? from.factor * m->values->x[from.slot] : NAN;
        if (fabs(now - s->value[i]) <= little * s->size[i])
            continue;
        const char *name = variable_text(m->reduced, s->variable[i]);
        fail(m->why, DAEDAL_ERR_ARGUMENT,
             "the start does not keep the start value %.10g of %s, by which it is to be "
             "differentiated: it becomes %.10g",
             s->value[i], name, now);
        hint(m->why, "fix it: fixed = true in the model, or -y on the command line");
        return DAEDAL_ERR_ARGUMENT;
    }
    return DAEDAL_OK;
}

/* ---- whether states depend on a parameter ---- */

/* The start value of unknown j is written as a number. */
static bool is_plain(const simulation *m, int32_t j)
{
    expr start = m->start->start_of[j];
    return start == EXPR_NONE || start_is_overridden(m->start, m->start->start_from[j]) ||
           (expr_is_constant(&m->flat->graph, start) && !expr_is_live(&m->flat->graph, start));
}

/* What a run takes for given behind its start: parameters with fixed = false, and discrete Reals,
 * which equations may read from the start on.                                       */
static bool is_taken_for_given(const flat_variable *v)
{
    return v->variability == FLAT_PARAMETER ||
           (v->variability == FLAT_DISCRETE && v->type == FLAT_REAL);
}

/* Nothing but states with plain start values decides on the start. */
static bool has_plain_starts(const simulation *m)
{
    const start_problem *st = m->start;
    bool plain = st && st->n_initial_rows == 0 && st->n_rules == 0 && st->n_free == 0 &&
                 m->reduced->n_constraints == 0;
    for (size_t v = 0; v < m->flat->n_variables && plain; v++)
        plain = !is_taken_for_given(&m->flat->variables[v]);
    for (int32_t j = 0; j < m->reduced->n_system && plain; j++)
        plain =
            j < m->reduced->n && m->reduced->differential[j] ? is_plain(m, j) : !st->start_fixed[j];
    return plain;
}

/* And it is certain that it keeps them. */
static bool keeps_states(const simulation *m)
{
    bool kept = true;
    for (int32_t j = 0; j < m->reduced->n; j++)
        kept = kept && (!m->reduced->differential[j] || m->start->start_fixed[j]);
    return kept;
}

/* The start with a moved parameter has the states as they are written. */
static bool states_are_as_written(const simulation *m)
{
    const double *y = m->values->x + m->values->place.y;
    bool same = true;
    for (int32_t j = 0; j < m->reduced->n; j++)
        same = same && (!m->reduced->differential[j] || y[j] == m->start->start[j]);
    return same;
}

/* ---- differences ---- */

static double *start_of(const model_sensitivities *s, int32_t i)
{
    return s->start + (size_t)i * (size_t)s->of->reduced->n_system;
}

/* Start values with a moved parameter, times `share`, added. */
static daedal_status add_start(model_sensitivities *s, const simulation_task *task, int32_t i,
                               double step, double share)
{
    simulation *m = s->of;
    simulation_outcome outcome = {0};
    const double *y = m->values->x + m->values->place.y;
    double *to = start_of(s, i);
    TRY(model_sensitivity_move(s, i, step));
    TRY(simulation_run(m, task, &outcome));
    for (int32_t j = 0; j < m->reduced->n_system; j++)
        to[j] += share / (s->size[i] * START_STEP) * y[j];
    for (int32_t k = 0; k < s->rounds.n_held; k++)
        s->rounds.start[i * s->rounds.n_held + k] +=
            share / (s->size[i] * START_STEP) *
            m->values->x[m->values->place.discrete + s->rounds.held[k]];
    return DAEDAL_OK;
}

static daedal_status differentiate_by(model_sensitivities *s, const simulation_task *task,
                                      int32_t i, bool plain)
{
    static const double steps[] = {1.0, -1.0, 2.0, -2.0};
    static const double shares[] = {2.0 / 3.0, -2.0 / 3.0, -1.0 / 12.0, 1.0 / 12.0};
    simulation *m = s->of;
    flat_variable before = m->flat->variables[s->variable[i]];
    daedal_status status = DAEDAL_OK;
    plain = plain && !s->is_start[i];
    bool done = plain && keeps_states(m);
    for (int k = 0; k < 4 && status == DAEDAL_OK && !done; k++) {
        status = add_start(s, task, i, steps[k] * START_STEP, shares[k]);
        done = k == 0 && plain && status == DAEDAL_OK && states_are_as_written(m);
        if (done)
            memset(start_of(s, i), 0, (size_t)m->reduced->n_system * sizeof(double));
    }
    model_sensitivity_put_back(s, i, &before);
    return status;
}

daedal_status model_sensitivity_differentiate_start(model_sensitivities *s,
                                                    const simulation_task *given)
{
    simulation *m = s->of;
    daedal_simulation request = *given->request;
    request.parameters = (daedal_ints){0};
    request.row = NULL;
    simulation_task task = {.request = &request, .shown = given->shown, .start_only = true};
    message_log heard = *m->log;
    int32_t warnings = heard.kept ? heard.kept->n : 0;
    daedal_status status = DAEDAL_OK;
    bool plain = has_plain_starts(m);
    m->log->write = NULL;
    s->is_starting = true;
    for (int32_t i = 0; i < s->n && status == DAEDAL_OK; i++)
        status = differentiate_by(s, &task, i, plain);
    s->is_starting = false;
    *m->log = heard;
    if (heard.kept)
        heard.kept->n = warnings;
    return status;
}
