/* hybrid/reinit.c - see discrete.h: states that jump at an event (docs/theory/hybrid.md).
 *
 * A state takes its new value, and the other states stay.  Where constraints bind states to each
 * other, those without a reinit follow; where the new values themselves contradict a constraint, an
 * impulse makes them consistent.  A variable that is no state is brought to its value by the one
 * state on which it depends.  A variable that is no state here, but should be one by its
 * stateSelect, keeps its value where one other state can follow instead. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
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

/* Two reinit give the same variable different values at the same time: the model is wrong. */
static daedal_status fail_two_values(discrete_part *m, size_t k)
{
    const flat_reinit *r = m->flat->reinits;
    const double *target = m->search->reinit->target;
    size_t other = 0;
    while (other < k && !(m->search->reinit->acts[other] && target[other] != target[k] &&
                          state_of(m, r[other].variable) == state_of(m, r[k].variable)))
        other++;
    const char *name = variable_text(m->reduced, r[k].variable);
    fail(m->why, DAEDAL_ERR_STRUCTURE,
         "at t = %.10g reinit(%s, %.6g) and reinit(%s, %.6g) act at the same time, so that the new "
         "value of %s is not unique",
         m->values->x[0], variable_text(m->reduced, r[other].variable), target[other], name,
         target[k], name);
    hint(m->why, "join the two 'when' clauses by 'elsewhen', in the order of their importance");
    m->why->t = m->values->x[0];
    set_cause(m->why, DAEDAL_CAUSE_CONTRADICTION);
    return DAEDAL_ERR_STRUCTURE;
}

static bool differ(double a, double b)
{
    const double roundoff = 1e-9;
    return fabs(a - b) > roundoff * fmax(fabs(a), fabs(b));
}

/* Two events that are as near as their times are known: which comes last is up to rounding. */
static void warn_of_two_values(discrete_part *m, size_t k, int32_t state)
{
    const reinit_work *w = m->search->reinit;
    const flat_reinit *r = m->flat->reinits;
    double t = m->values->x[0];
    char text[256];
    for (size_t i = 0; i < m->flat->n_reinits; i++) {
        bool is_other = i != k && !w->acts[i] && state_of(m, r[i].variable) == state;
        bool is_near = fabs(t - w->t_acted[i]) <= m->rtol * fabs(t);
        if (!is_other || !is_near || !differ(w->value_set[i], w->target[k]))
            continue;
        snprintf(text, sizeof text,
                 "reinit(%s, %.6g) and reinit(%s, %.6g) act at practically the same time t = "
                 "%.10g: the later one decides",
                 variable_text(m->reduced, r[i].variable), w->value_set[i],
                 variable_text(m->reduced, r[k].variable), w->target[k], t);
        log_warning(m->log, DAEDAL_CAUSE_CONTRADICTION, t, text);
        return;
    }
}

/* Sets the states that are to jump, with a mark for each; *any: some reinit acts. */
static daedal_status set_states(discrete_part *m, bool *any)
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
        double *y = m->values->x + m->values->place.y + j;
        double to =
            m->search->reinit->target[k] / m->compiled->origin[f->reinits[k].variable].factor;
        if (m->search->reinit->is_set[j] && differ(*y, to))
            return fail_two_values(m, k);
        m->search->reinit->is_set[j] = true;
        *y = to;
        warn_of_two_values(m, k, j);
        m->search->reinit->t_acted[k] = m->values->x[0];
        m->search->reinit->value_set[k] = m->search->reinit->target[k];
    }
    return DAEDAL_OK;
}

/* ---- variables that are no states ---- */

/* A variable that shall have a value, and who says so. */
typedef struct led_variable {
    uint32_t number;
    double target;
    bool by_reinit; /* else its stateSelect                                    */
    bool is_bound;  /* constraints take other states along with the one that moves */
} led_variable;

static daedal_status satisfy(discrete_part *m)
{
    bool needed = m->reduced->n_constraints && m->hooks->satisfy;
    return needed ? m->hooks->satisfy(m->hooks->start, m->search->reinit->is_set) : DAEDAL_OK;
}

/* With state j at `value`, solve the equations and read the variable. */
static daedal_status value_with(discrete_part *m, const led_variable *v, int32_t j, double value,
                                double *result)
{
    daedal_status status = DAEDAL_OK;
    if (j >= 0)
        m->values->x[m->values->place.y + (uint32_t)j] = value;
    if (v->is_bound) {
        m->search->reinit->is_set[j] = true;
        status = satisfy(m);
        m->search->reinit->is_set[j] = false;
    }
    if (status == DAEDAL_OK)
        status = discrete_solve_held(m);
    TRY(status);
    TRY(compiled_compute(m->compiled));
    *result = origin_value(m->compiled->origin[v->number], m->values->x);
    return DAEDAL_OK;
}

static daedal_status fail_reinit(discrete_part *m, const led_variable *v, const char *why)
{
    fail(m->why, DAEDAL_ERR_STRUCTURE, "reinit(%s, %.6g) at t = %.10g is not possible: %s",
         variable_text(m->reduced, v->number), v->target, m->values->x[0], why);
    hint(m->why, "apply reinit to the state itself");
    m->why->t = m->values->x[0];
    return DAEDAL_ERR_STRUCTURE;
}

static double trial_change(const discrete_part *m, int32_t j)
{
    double size = fabs(m->values->x[m->values->place.y + (uint32_t)j]);
    return TRIAL_CHANGE * fmax(size, fmax(m->compiled->nominal[j], NOMINAL_LEAST));
}

/* Of the states on which the variable depends: how many there are, the last one and its slope.
 * Where stateSelect asks, those that a reinit has set do not count. */
static daedal_status find_states(discrete_part *m, const led_variable *v, int32_t *state,
                                 double *slope, int *n)
{
    double *y = m->values->x + m->values->place.y, first = 0.0, moved = 0.0;
    bool *matters = m->search->reinit->matters;
    memset(matters, 0, (size_t)m->reduced->n_system * sizeof *matters);
    TRY(value_with(m, v, -1, 0.0, &first));
    for (int32_t j = 0; j < m->reduced->n; j++) {
        if (!m->reduced->differential[j] || (!v->by_reinit && m->search->reinit->is_set[j]))
            continue;
        double before = y[j];
        double change = trial_change(m, j);
        daedal_status status = value_with(m, v, j, before + change, &moved);
        TRY(value_with(m, v, j, before, &first));
        if (status < 0 || fabs(moved - first) <= DEPENDS * fmax(fabs(moved), fabs(first)))
            continue;
        *state = j;
        *slope = (moved - first) / change;
        matters[j] = true;
        (*n)++;
    }
    return DAEDAL_OK;
}

/* Newton's method with the slope of the last secant.  *reached: the variable has its value. */
static daedal_status lead_state(discrete_part *m, const led_variable *v, int32_t j, double slope,
                                bool *reached)
{
    double value = 0.0, z = m->values->x[m->values->place.y + (uint32_t)j];
    TRY(value_with(m, v, j, z, &value));
    for (int i = 0; i < CORRECTIONS_MAX; i++) {
        *reached = fabs(value - v->target) <= REACHED * fmax(fabs(value), fabs(v->target));
        if (*reached)
            return DAEDAL_OK;
        double next = z + (v->target - value) / slope, before = value;
        TRY(value_with(m, v, j, next, &value));
        if (value != before)
            slope = (value - before) / (next - z);
        z = next;
    }
    return DAEDAL_OK;
}

static daedal_status lead_reinit(discrete_part *m, size_t k)
{
    led_variable v = {m->flat->reinits[k].variable, m->search->reinit->target[k], true, false};
    double slope = 0.0;
    int32_t j = -1;
    int n = 0;
    bool reached = false;
    TRY(find_states(m, &v, &j, &slope, &n));
    if (n == 0)
        return fail_reinit(m, &v, "no state determines this variable");
    if (n > 1)
        return fail_reinit(m, &v, "it is no state and depends on several states");
    if (m->search->reinit->is_set[j])
        return fail_reinit(m, &v, "the state on which it depends has a reinit of its own");
    TRY(lead_state(m, &v, j, slope, &reached));
    return reached ? DAEDAL_OK : fail_reinit(m, &v, "the equations do not reach this value");
}

static daedal_status lead_others(discrete_part *m)
{
    for (size_t k = 0; k < m->flat->n_reinits; k++)
        if (m->search->reinit->acts[k] && state_of(m, m->flat->reinits[k].variable) < 0)
            TRY(lead_reinit(m, k));
    return DAEDAL_OK;
}

/* ---- variables that should be states ---- */

/* A variable is preferred as a state, but its derivative does not occur in the equations. */
static bool is_preferred(const discrete_part *m, uint32_t v)
{
    const flat_variable *variable = &m->flat->variables[v];
    return variable->select >= FLAT_PREFER && variable->variability == FLAT_CONTINUOUS &&
           m->compiled->origin[v].slot >= 0 && state_of(m, v) < 0;
}

static daedal_status note_preferred(discrete_part *m)
{
    reinit_work *w = m->search->reinit;
    if (w->n_preferred)
        TRY(compiled_compute(m->compiled));
    for (size_t k = 0; k < w->n_preferred; k++)
        w->kept[k] = origin_value(m->compiled->origin[w->preferred[k]], m->values->x);
    return DAEDAL_OK;
}

/* Whether constraints take all states on which the variable depends along with state j. */
static daedal_status find_bound(discrete_part *m, led_variable *v, int32_t j, double *slope)
{
    const reinit_work *w = m->search->reinit;
    double *y = m->values->x + m->values->place.y, change = trial_change(m, j);
    double now = origin_value(m->compiled->origin[v->number], m->values->x), moved = 0.0;
    v->is_bound = true;
    TRY(value_with(m, v, j, y[j] + change, &moved));
    *slope = (moved - now) / change;
    for (int32_t i = 0; i < m->reduced->n; i++)
        if (w->matters[i] && fabs(y[i] - w->before[i]) <= DEPENDS * fabs(change))
            v->is_bound = false;
    memcpy(y, w->before, (size_t)m->reduced->n_system * sizeof *y);
    return DAEDAL_OK;
}

/* The free state on which the variable depends follows, and counts as set from now on.  Where there
 * is none, or where there are several that move apart, the variable jumps. */
static daedal_status keep_value(discrete_part *m, led_variable v, bool *moved)
{
    reinit_work *w = m->search->reinit;
    double *y = m->values->x + m->values->place.y, slope = 0.0;
    double now = origin_value(m->compiled->origin[v.number], m->values->x);
    bool stays = fabs(now - v.target) <= MOVED_BY_SOLVING * m->rtol * fabs(v.target);
    bool reached = false;
    int32_t j = -1;
    int n = 0;
    if (!isfinite(v.target) || !isfinite(now) || stays)
        return DAEDAL_OK;
    memcpy(w->before, y, (size_t)m->reduced->n_system * sizeof *y);
    TRY(find_states(m, &v, &j, &slope, &n));
    memcpy(y, w->before, (size_t)m->reduced->n_system * sizeof *y);
    daedal_status status = n > 1 ? find_bound(m, &v, j, &slope) : DAEDAL_OK;
    if (status == DAEDAL_OK && (n == 1 || v.is_bound))
        status = lead_state(m, &v, j, slope, &reached);
    if (!failure_is(status, NUMERIC_FAILURE))
        TRY(status);
    *moved = *moved || reached;
    if (reached) {
        w->is_set[j] = true;
        return DAEDAL_OK;
    }
    diagnosis_clear(m->why);
    memcpy(y, w->before, (size_t)m->reduced->n_system * sizeof *y);
    v.is_bound = false;
    return value_with(m, &v, -1, 0.0, &now);
}

static daedal_status keep_preferred(discrete_part *m)
{
    const reinit_work *w = m->search->reinit;
    bool moved = false;
    if (w->n_preferred)
        TRY(compiled_compute(m->compiled));
    for (size_t k = 0; k < w->n_preferred; k++)
        TRY(keep_value(m, (led_variable){w->preferred[k], w->kept[k], false, false}, &moved));
    if (!moved)
        return DAEDAL_OK;
    TRY(satisfy(m));
    return discrete_solve_equations(m);
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
    w->t_acted = arena_take(m->mem, n, sizeof *w->t_acted);
    w->value_set = arena_take(m->mem, n, sizeof *w->value_set);
    for (uint32_t v = 0; v < m->flat->n_variables && m->flat->n_reinits; v++)
        w->n_preferred += is_preferred(m, v);
    w->matters = arena_take(m->mem, (size_t)m->reduced->n_system, sizeof *w->matters);
    w->before = arena_take(m->mem, (size_t)m->reduced->n_system, sizeof *w->before);
    w->preferred = arena_take(m->mem, w->n_preferred + 1, sizeof *w->preferred);
    w->kept = arena_take(m->mem, w->n_preferred + 1, sizeof *w->kept);
    if (m->mem->failed)
        return false;
    for (size_t i = 0; i < n; i++)
        w->t_acted[i] = NAN;
    size_t k = 0;
    for (uint32_t v = 0; v < m->flat->n_variables && k < w->n_preferred; v++)
        if (is_preferred(m, v))
            w->preferred[k++] = v;
    return true;
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
    TRY(note_preferred(m));
    TRY(set_states(m, any));
    if (!*any)
        return DAEDAL_OK;
    answer = discrete_mark_jumps(m, difference, MOVED_BY_REINIT);
    TRY(satisfy(m));
    TRY(discrete_solve_equations(m));
    TRY(lead_others(m));
    TRY(keep_preferred(m));
    if (answer == 0)
        answer = discrete_mark_jumps(m, difference, MOVED_BY_SOLVING * m->rtol);
    return answer ? compiled_fail_call(m->compiled, answer) : DAEDAL_OK;
}
