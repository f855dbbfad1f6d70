/* hybrid/model_events.c - see hybrid.h: the event iteration (docs/theory/hybrid.md).
 *
 * With the values before the event (pre) fixed, assignments, relations and equations are
 * brought to agree; then reinit acts; then the new values become the old ones, and all is
 * repeated until they are the same.                                             */
#include <math.h>
#include <string.h>

#include "compile/model.h"
#include "hybrid/hybrid.h"

enum { SWEEPS_MAX = 30, ROUNDS_MAX = 100 };

bool model_set(model *m, uint32_t slot, double value)
{
    if (m->x[slot] == value || (isnan(value) && isnan(m->x[slot])))
        return false;
    m->x[slot] = value;
    m->version++;
    return true;
}

daedal_status model_give_up(model *m, int answer)
{
    fail(&m->why, answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : DAEDAL_ERR_CALLBACK,
         "a function called by the model failed at t = %.10g", m->x[0]);
    return m->why.status;
}

/* ---- assignments ---- */

int model_assign(model *m, bool hidden_only, bool *changed)
{
    bool again = m->n_assigned > 0;
    for (int sweep = 0; sweep < SWEEPS_MAX && again; sweep++) {
        again = false;
        int answer = program_run(m, &m->assigns, 0.0, NULL, NULL);
        if (answer != 0)
            return answer;
        for (size_t k = 0; k < m->n_assigned; k++) {
            uint32_t v = m->assigned[k];
            if (hidden_only && !m->flat->variables[v].hidden)
                continue;
            uint32_t slot = m->place.discrete + (uint32_t)m->discrete_of[v];
            again |= model_set(m, slot, m->assigns.out[k]);
        }
        *changed |= again;
        again = again && m->has_loops;
    }
    return 0;
}

bool model_take_over(model *m)
{
    bool changed = false;
    for (uint32_t k = 0; k < (uint32_t)m->n_discrete; k++)
        changed |= model_set(m, m->place.pre + k, m->x[m->place.discrete + k]);
    return changed;
}

void model_keep_pre_of_states(model *m)
{
    for (uint32_t j = 0; j < (uint32_t)m->n_system; j++)
        model_set(m, m->place.pre_y + j, m->x[m->place.y + j]);
}

/* ---- the equations ---- */

void model_read_state(model *m)
{
    const daedal_state *s = daedal_solver_state(m->solver);
    size_t bytes = (size_t)m->n_system * sizeof(double);
    memcpy(m->x + m->place.y, s->y, bytes);
    memcpy(m->x + m->place.yp, s->yp, bytes);
    model_refresh_delays(m);
}

daedal_status model_solve_equations(model *m)
{
    daedal_solver_set_stop_time(m->solver, m->t_end); /* time events are for the steps only */
    daedal_status status = daedal_solver_restart(m->solver, m->x + m->place.y, NULL);
    m->restarted = true;
    if (status == DAEDAL_OK) {
        model_read_state(m);
        model_note_solved(m);
        return status;
    }
    m->why = *daedal_solver_diagnosis(m->solver);
    model_explain(m, &m->why);
    return status;
}

void model_note_solved(model *m)
{
    memcpy(m->old, m->x, m->place.n * sizeof(double));
}

bool model_equations_see(const model *m)
{
    for (uint32_t k = m->place.discrete; k < m->place.n; k++)
        if (m->is_read[k] && m->x[k] != m->old[k])
            return true;
    return false;
}

int model_settle_discrete(model *m, bool literal)
{
    bool changed = true;
    for (int sweep = 0; sweep < SWEEPS_MAX && changed; sweep++) {
        changed = false;
        int answer = model_assign(m, false, &changed);
        if (answer == 0)
            answer = model_update_relations(m, literal, &changed);
        if (answer != 0)
            return answer;
        m->search.restless = changed;
        if (m->search.choice != CHOOSE_ALL) /* the equations have a say before the next relation */
            return model_assign(m, false, &changed);
    }
    return 0;
}

/* ---- actions ---- */

static daedal_status reinitialize(model *m, bool *any)
{
    const flat_model *f = m->flat;
    *any = false;
    if (f->n_reinits == 0)
        return DAEDAL_OK;
    int answer = program_run(m, &m->actions, 0.0, NULL, NULL);
    if (answer != 0)
        return model_give_up(m, answer);
    for (size_t k = 0; k < f->n_reinits; k++) {
        const double *out = m->actions.out + 2 * k;
        model_origin at = m->origin[f->reinits[k].variable];
        if (out[0] == 0.0 || at.slot < 0)
            continue;
        double value = out[1] * at.factor;
        *any = true;
        m->x[at.slot] = value;
    }
    return *any ? model_solve_equations(m) : DAEDAL_OK;
}

/* ---- the iteration ---- */

static daedal_status report_restless(model *m)
{
    for (int32_t k = 0; k < m->n_discrete; k++)
        if (m->x[m->place.discrete + (uint32_t)k] != m->x[m->place.pre + (uint32_t)k]) {
            fail(&m->why, DAEDAL_ERR_CALLBACK,
                 "the event iteration at t = %.10g does not settle: %s keeps changing", m->x[0],
                 model_name(m, m->discrete_variable[k]));
            m->why.t = m->x[0];
            return DAEDAL_ERR_CALLBACK;
        }
    return DAEDAL_OK;
}

/* Samples are due for one instant: their conditions fall again without firing. */
int model_end_samples(model *m)
{
    bool changed = false;
    for (uint32_t k = 0; k < (uint32_t)m->flat->n_samples; k++)
        changed |= model_set(m, m->place.sample + k, 0.0);
    if (!changed)
        return 0;
    model_take_over(m);
    int answer = model_assign(m, true, &changed);
    model_take_over(m);
    return answer;
}

daedal_status model_iterate(model *m)
{
    for (int round = 0; round < ROUNDS_MAX; round++) {
        bool any = false;
        TRY(model_settle(m));
        TRY(reinitialize(m, &any));
        TRY(model_check_asserts(m, true));
        if (!model_take_over(m) && !any)
            return DAEDAL_OK;
    }
    return report_restless(m);
}

daedal_status model_event(model *m)
{
    m->restarted = false;
    model_cut_delays(m, m->x[0]);
    model_note_solved(m);
    model_take_over(m);
    model_keep_pre_of_states(m);
    model_mark_samples(m);
    int answer = model_note_left_limits(m);
    if (answer != 0)
        return model_give_up(m, answer);
    TRY(model_iterate(m));
    answer = model_end_samples(m);
    for (size_t k = 0; k < m->n_memories; k++)
        m->relation[k].triggered = false;
    model_set_bands(m);
    if (answer != 0)
        return model_give_up(m, answer);
    model_go_on_delays(m);
    return model_check_delays(m);
}
