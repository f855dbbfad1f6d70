/* hybrid/event_iteration.c - see discrete.h: the event iteration (docs/theory/hybrid.md).
 *
 * With the values before the event (pre) fixed, assignments, relations and equations are made
 * consistent; then reinit acts; then pre takes the new values.  This is repeated until pre does
 * not change any more.                                             */
#include <math.h>
#include <string.h>

#include "compile/compiled.h"
#include "hybrid/discrete.h"

enum { SWEEPS_MAX = 30, ROUNDS_MAX = 100 };

/* ---- assignments ---- */

int discrete_assign(discrete_part *m, bool hidden_only, bool *changed)
{
    bool again = m->n_assigned > 0;
    for (int sweep = 0; sweep < SWEEPS_MAX && again; sweep++) {
        again = false;
        int answer = program_run(m->compiled, m->assigns, 0.0, NULL, NULL);
        if (answer != 0)
            return answer;
        for (size_t k = 0; k < m->n_assigned; k++) {
            uint32_t v = m->assigned[k];
            if (hidden_only && !m->flat->variables[v].hidden)
                continue;
            uint32_t slot = m->values->place.discrete + (uint32_t)m->reduced->discrete_of[v];
            again |= values_set(m->values, slot, m->assigns->out[k]);
        }
        *changed |= again;
        again = again && m->has_loops;
    }
    return 0;
}

bool discrete_update_pre(discrete_part *m)
{
    const value_places *at = &m->values->place;
    bool changed = false;
    for (uint32_t k = 0; k < (uint32_t)m->reduced->n_discrete; k++)
        changed |= values_set(m->values, at->pre + k, m->values->x[at->discrete + k]);
    return changed;
}

void discrete_update_pre_of_states(discrete_part *m)
{
    for (uint32_t j = 0; j < (uint32_t)m->reduced->n_system; j++)
        values_set(m->values, m->values->place.pre_y + j, m->values->x[m->values->place.y + j]);
}

/* ---- the equations ---- */

void discrete_read_state(discrete_part *m)
{
    const daedal_state *s = daedal_solver_state(m->solver);
    size_t bytes = (size_t)m->reduced->n_system * sizeof(double);
    memcpy(m->values->x + m->values->place.y, s->y, bytes);
    memcpy(m->values->x + m->values->place.yp, s->yp, bytes);
    delays_refresh(m);
}

daedal_status discrete_solve_equations(discrete_part *m)
{
    daedal_solver_set_stop_time(m->solver, m->t_end); /* time events limit steps, not the restart */
    daedal_status status =
        daedal_solver_restart(m->solver, m->values->x + m->values->place.y, NULL);
    m->restarted = true;
    if (status == DAEDAL_OK) {
        discrete_read_state(m);
        discrete_note_solved(m);
        return status;
    }
    *m->why = *daedal_solver_diagnosis(m->solver);
    compiled_explain(m->compiled, m->why);
    return status;
}

void discrete_note_solved(discrete_part *m)
{
    memcpy(m->old, m->values->x, m->values->place.n * sizeof(double));
}

bool discrete_affects_equations(const discrete_part *m)
{
    for (uint32_t k = m->values->place.discrete; k < m->values->place.n; k++)
        if (m->compiled->is_read[k] && m->values->x[k] != m->old[k])
            return true;
    return false;
}

int discrete_settle_values(discrete_part *m, bool ignore_hysteresis)
{
    bool changed = true;
    for (int sweep = 0; sweep < SWEEPS_MAX && changed; sweep++) {
        changed = false;
        int answer = discrete_assign(m, false, &changed);
        if (answer == 0)
            answer = discrete_update_relations(m, ignore_hysteresis, &changed);
        if (answer != 0)
            return answer;
        m->search->has_not_settled = changed;
        if (m->search->choice !=
            CHOOSE_ALL) /* solve the equations before the next relation changes */
            return discrete_assign(m, false, &changed);
    }
    return 0;
}

/* ---- actions ---- */

static daedal_status reinitialize(discrete_part *m, bool *any)
{
    const flat_model *f = m->flat;
    *any = false;
    if (f->n_reinits == 0)
        return DAEDAL_OK;
    int answer = program_run(m->compiled, m->actions, 0.0, NULL, NULL);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    for (size_t k = 0; k < f->n_reinits; k++) {
        const double *out = m->actions->out + 2 * k;
        value_origin at = m->compiled->origin[f->reinits[k].variable];
        if (out[0] == 0.0 || at.slot < 0)
            continue;
        *any = true;
        m->values->x[at.slot] = out[1] * at.factor;
    }
    return *any ? discrete_solve_equations(m) : DAEDAL_OK;
}

/* ---- the iteration ---- */

/* Which discrete variable the last round has changed again, if any. */
static daedal_status fail_unsettled(discrete_part *m)
{
    const double *now = m->values->x + m->values->place.discrete;
    const double *pre = m->values->x + m->values->place.pre;
    for (int32_t k = 0; k < m->reduced->n_discrete; k++)
        if (now[k] != pre[k]) {
            fail(m->why, DAEDAL_ERR_CALLBACK,
                 "the event iteration at t = %.10g does not converge: %s keeps changing",
                 m->values->x[0], variable_text(m->reduced, m->reduced->discrete_variable[k]));
            m->why->t = m->values->x[0];
            return DAEDAL_ERR_CALLBACK;
        }
    return DAEDAL_OK;
}

/* A sample is true for one instant.  It becomes false again without triggering when-clauses. */
int discrete_end_samples(discrete_part *m)
{
    bool changed = false;
    for (uint32_t k = 0; k < (uint32_t)m->flat->n_samples; k++)
        changed |= values_set(m->values, m->values->place.sample + k, 0.0);
    if (!changed)
        return 0;
    discrete_update_pre(m);
    int answer = discrete_assign(m, true, &changed);
    discrete_update_pre(m);
    return answer;
}

daedal_status discrete_iterate(discrete_part *m)
{
    for (int round = 0; round < ROUNDS_MAX; round++) {
        bool any = false;
        TRY(discrete_settle(m));
        TRY(reinitialize(m, &any));
        TRY(discrete_check_asserts(m, true));
        if (round == ROUNDS_MAX - 1)
            TRY(fail_unsettled(m));
        if (!discrete_update_pre(m) && !any)
            return DAEDAL_OK;
    }
    return DAEDAL_OK;
}

daedal_status discrete_event(discrete_part *m)
{
    m->restarted = false;
    delays_truncate(m, m->values->x[0]);
    discrete_note_solved(m);
    discrete_update_pre(m);
    discrete_update_pre_of_states(m);
    discrete_mark_samples(m);
    int answer = discrete_note_left_limits(m);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    TRY(discrete_iterate(m));
    answer = discrete_end_samples(m);
    for (size_t k = 0; k < m->n_memories; k++)
        m->relation[k].triggered = false;
    discrete_set_hysteresis(m);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    delays_continue(m);
    return delays_check(m);
}
