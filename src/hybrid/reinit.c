/* hybrid/reinit.c - see discrete.h: states that jump at an event (docs/theory/hybrid.md).
 *
 * A state takes its new value, and the other states stay.  Where constraints bind states to each
 * other, those without a reinit follow; where the new values themselves contradict a constraint, an
 * impulse makes them consistent.  A variable that is no state is brought to its value by the one
 * state on which it depends.                                                        */
#include <math.h>
#include <string.h>

#include "compile/compiled.h"
#include "hybrid/discrete.h"

enum { CORRECTIONS_MAX = 20 };
static const double MOVED_BY_REINIT = 1e-13; /* of the scale of a relation, above rounding errors */
static const double MOVED_BY_SOLVING = 10.0; /* of rtol: the projection moves states by less      */
static const double TRIAL_CHANGE = 1e-4;     /* of a state, to see what depends on it             */
static const double DEPENDS = 1e-9;          /* relative: a change below is due to rounding       */
static const double REACHED = 1e-10;         /* relative: a variable has its new value            */

/* ---- states ---- */

/* The state that a variable is or stands for, or -1. */
static int32_t state_of(const discrete_part *m, uint32_t variable)
{
    int32_t j = m->compiled->origin[variable].slot - (int32_t)m->values->place.y;
    return j >= 0 && j < m->reduced->n && m->reduced->differential[j] ? j : -1;
}

static bool acts(const discrete_part *m, size_t k)
{
    return m->actions->out[2 * k] != 0.0;
}

/* Sets the states that are to jump, with a mark for each; *any: some reinit acts. */
static void set_states(discrete_part *m, bool *any)
{
    const flat_model *f = m->flat;
    memset(m->search->reinit->is_set, 0,
           (size_t)m->reduced->n_system * sizeof *m->search->reinit->is_set);
    for (size_t k = 0; k < f->n_reinits; k++) {
        int32_t j = state_of(m, f->reinits[k].variable);
        m->search->reinit->target[k] = m->actions->out[2 * k + 1];
        m->search->reinit->acts[k] = acts(m, k);
        m->search->reinit->fired[k] = m->search->reinit->fired[k] || acts(m, k);
        *any = *any || acts(m, k);
        if (!acts(m, k) || j < 0)
            continue;
        m->search->reinit->is_set[j] = true;
        m->values->x[m->values->place.y + (uint32_t)j] =
            m->search->reinit->target[k] / m->compiled->origin[f->reinits[k].variable].factor;
    }
}

/* ---- variables that are no states ---- */

/* With state j at `value`, solve the equations and read the variable of reinit k. */
static daedal_status value_with(discrete_part *m, size_t k, int32_t j, double value, double *result)
{
    if (j >= 0)
        m->values->x[m->values->place.y + (uint32_t)j] = value;
    TRY(discrete_solve_held(m));
    TRY(compiled_compute(m->compiled));
    *result = origin_value(m->compiled->origin[m->flat->reinits[k].variable], m->values->x);
    return DAEDAL_OK;
}

static daedal_status fail_reinit(discrete_part *m, size_t k, const char *why)
{
    fail(m->why, DAEDAL_ERR_STRUCTURE, "reinit(%s, %.6g) at t = %.10g is not possible: %s",
         variable_text(m->reduced, m->flat->reinits[k].variable), m->search->reinit->target[k],
         m->values->x[0], why);
    hint(m->why, "apply reinit to the state itself");
    m->why->t = m->values->x[0];
    return DAEDAL_ERR_STRUCTURE;
}

/* The one state on which the variable of reinit k depends, and its slope. */
static daedal_status find_state(discrete_part *m, size_t k, int32_t *state, double *slope)
{
    double *y = m->values->x + m->values->place.y, first = 0.0, moved = 0.0;
    int n = 0;
    TRY(value_with(m, k, -1, 0.0, &first));
    for (int32_t j = 0; j < m->reduced->n; j++) {
        if (!m->reduced->differential[j])
            continue;
        double before = y[j];
        double change = TRIAL_CHANGE * fmax(fabs(before), fmax(m->compiled->nominal[j], 1e-3));
        daedal_status status = value_with(m, k, j, before + change, &moved);
        TRY(value_with(m, k, j, before, &first));
        if (status < 0 || fabs(moved - first) <= DEPENDS * fmax(fabs(moved), fabs(first)))
            continue;
        *state = j;
        *slope = (moved - first) / change;
        n++;
    }
    if (n == 0)
        return fail_reinit(m, k, "no state determines this variable");
    return n == 1 ? DAEDAL_OK : fail_reinit(m, k, "it is no state and depends on several states");
}

/* Newton's method with the slope of the last secant. */
static daedal_status lead_state(discrete_part *m, size_t k)
{
    double slope = 0.0, value = 0.0, target = m->search->reinit->target[k];
    int32_t j = -1;
    TRY(find_state(m, k, &j, &slope));
    if (m->search->reinit->is_set[j])
        return fail_reinit(m, k, "the state on which it depends has a reinit of its own");
    double z = m->values->x[m->values->place.y + (uint32_t)j];
    TRY(value_with(m, k, j, z, &value));
    for (int i = 0; i < CORRECTIONS_MAX; i++) {
        if (fabs(value - target) <= REACHED * fmax(fabs(value), fabs(target)))
            return DAEDAL_OK;
        double next = z + (target - value) / slope, before = value;
        TRY(value_with(m, k, j, next, &value));
        if (value != before)
            slope = (value - before) / (next - z);
        z = next;
    }
    return fail_reinit(m, k, "the equations do not reach this value");
}

static daedal_status lead_others(discrete_part *m)
{
    for (size_t k = 0; k < m->flat->n_reinits; k++)
        if (m->search->reinit->acts[k] && state_of(m, m->flat->reinits[k].variable) < 0)
            TRY(lead_state(m, k));
    return DAEDAL_OK;
}

/* ---- all of them ---- */

bool discrete_prepare_reinit(discrete_part *m)
{
    size_t n = m->flat->n_reinits + 1;
    reinit_work *w = m->search->reinit = arena_take(m->mem, 1, sizeof *w);
    if (!w)
        return false;
    w->target = arena_take(m->mem, n, sizeof *w->target);
    w->acts = arena_take(m->mem, n, sizeof *w->acts);
    w->fired = arena_take(m->mem, n, sizeof *w->fired);
    w->is_set = arena_take(m->mem, (size_t)m->reduced->n_system, sizeof *w->is_set);
    return !m->mem->failed;
}

daedal_status discrete_reinitialize(discrete_part *m, bool *any)
{
    double *difference = m->search->difference;
    *any = false;
    if (m->flat->n_reinits == 0)
        return DAEDAL_OK;
    int answer = program_run(m->compiled, m->actions, 0.0, NULL, NULL);
    if (answer == 0)
        answer = discrete_compare_operands(m, difference);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    set_states(m, any);
    if (!*any)
        return DAEDAL_OK;
    answer = discrete_mark_jumps(m, difference, MOVED_BY_REINIT);
    if (m->reduced->n_constraints && m->hooks->satisfy)
        TRY(m->hooks->satisfy(m->hooks->start, m->search->reinit->is_set));
    TRY(discrete_solve_equations(m));
    TRY(lead_others(m));
    if (answer == 0)
        answer = discrete_mark_jumps(m, difference, MOVED_BY_SOLVING * m->rtol);
    return answer ? compiled_fail_call(m->compiled, answer) : DAEDAL_OK;
}
