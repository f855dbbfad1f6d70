/* model/model_start.c - see model.h: unknowns and slopes that satisfy the equations, fixed
 * values and initial equations.
 *
 * Without initial equations the states keep their start values, and the solver's own start
 * finds the rest.                                                               */
#include <math.h>
#include <string.h>

#include "model/model.h"
#include "model/start_rows.h"

/* Is every condition the start value of a state? */
static bool is_plain(const model *m)
{
    if (m->n_initial_rows || m->n_free)
        return false;
    for (int32_t j = 0; j < m->n; j++)
        if (m->start_fixed[j] && !m->differential[j])
            return false;
    return true;
}

static daedal_status hand_over(model *m)
{
    daedal_status status =
        daedal_solver_start(m->solver, m->x[0], m->x + m->place.y, m->x + m->place.yp);
    if (status == DAEDAL_OK) {
        model_read_state(m);
        return status;
    }
    m->why = *daedal_solver_diagnosis(m->solver);
    model_explain(m, &m->why);
    return status;
}

/* unknown = something known: true, with the place of the unknown and the value. */
static bool states_value(model *m, expr side, expr other, uint32_t *slot, double *value)
{
    const expr_graph *g = &m->flat->graph;
    if (!expr_is_variable(g, side) || flat_kind(expr_index(g, side)) != FLAT_VALUE)
        return false;
    int32_t at = model_slot(m, expr_index(g, side));
    if (at < (int32_t)m->place.y || at >= (int32_t)m->place.yp || !model_is_known(m, other))
        return false;
    *slot = (uint32_t)at;
    *value = model_evaluate(m, other);
    return isfinite(*value);
}

/* Initial equations that say what a value is are better guesses than start values. */
static void adopt_initials(model *m)
{
    for (size_t k = 0; k < m->n_initial_rows; k++) {
        const flat_initial *i = &m->flat->initials[m->initial_of[k]];
        uint32_t slot = 0;
        double value = 0.0;
        if (!states_value(m, i->left, i->right, &slot, &value) &&
            !states_value(m, i->right, i->left, &slot, &value))
            continue;
        uint32_t j = slot - m->place.y;
        if (!m->start_fixed[j]) {
            m->start[j] = m->x[slot] = value;
            m->start_said[j] = true;
        }
    }
}

/* Guesses and relations that agree, so that no branch is taken whose condition is false. */
static daedal_status guess_forward(model *m)
{
    enum { PASSES_MAX = 5 };
    uint64_t before = m->version + 1;
    for (int pass = 0; pass < PASSES_MAX && m->version != before; pass++) {
        before = m->version;
        model_forward(m);
        int answer = model_settle_discrete(m, true);
        if (answer != 0)
            return model_give_up(m, answer);
    }
    return DAEDAL_OK;
}

static daedal_status solve_start(model *m)
{
    adopt_initials(m);
    for (int32_t j = 0; j < m->n; j++) /* what the last pass found is the best guess */
        if (m->differential[j])
            m->x[m->place.y + (uint32_t)j] = m->start[j];
    TRY(guess_forward(m));
    if (m->n_constraints) {
        TRY(model_meet_constraints(m));
        TRY(guess_forward(m)); /* what follows from the states as they are now */
    }
    for (int32_t j = 0; j < m->n; j++)
        if (m->start_fixed[j])
            m->x[m->place.y + (uint32_t)j] = m->start[j];
    if (!is_plain(m))
        TRY(start_rows_solve(m));
    return hand_over(m);
}

daedal_status model_solve_start(model *m)
{
    daedal_status status = solve_start(m);
    return status < 0 && status != DAEDAL_ERR_MEMORY ? start_rows_explain(m, status) : status;
}
