/* hybrid/event_iteration.c - see discrete.h: what happens at an event, in the order of
 * docs/theory/hybrid.md.  Read it from the end: discrete_event, discrete_iterate, run_rounds.
 *
 * With the values before the event (pre) fixed, assignments, relations and equations are made
 * consistent, the states held (mode_search.c); then reinit acts; then pre takes the new values.
 * This is repeated until pre does not change any more.                             */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compile/compiled.h"
#include "hybrid/discrete.h"

enum { SWEEPS_MAX = 30, ROUNDS_MAX = 100 };

/* ---- assignments ---- */

/* Values that solve a loop with the equations would leave it again by their rounding errors. */
static bool is_rounding(const discrete_part *m, uint32_t slot, double value)
{
    const double rounding = 1e-10;
    double now = m->values->x[slot];
    return m->search->in_loop && value != now && isfinite(value) && isfinite(now) &&
           fabs(value - now) <= rounding * fmax(fabs(now), NOMINAL_LEAST);
}

int discrete_assign(discrete_part *m, bool *changed)
{
    bool again = m->n_assigned > 0;
    for (int sweep = 0; sweep < SWEEPS_MAX && again; sweep++) {
        again = false;
        int answer = program_run(m->compiled, m->assigns, 0.0, NULL, NULL);
        if (answer != 0)
            return answer;
        for (size_t k = 0; k < m->n_assigned; k++) {
            uint32_t v = m->assigned[k];
            uint32_t slot = m->values->place.discrete + (uint32_t)m->reduced->discrete_of[v];
            if (!is_rounding(m, slot, m->assigns->out[k]))
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
    const value_places *at = &m->values->place;
    for (uint32_t j = 0; j < at->relation - at->pre_y; j++)
        values_set(m->values, at->pre_y + j, m->values->x[at->y + j]);
}

/* ---- the equations ---- */

void discrete_read_state(discrete_part *m)
{
    const daedal_state *s = daedal_solver_state(m->solver);
    size_t bytes = (size_t)m->reduced->n_system * sizeof(double);
    memcpy(m->values->x + m->values->place.y, s->y, bytes);
    memcpy(m->values->x + m->values->place.yp, s->yp, bytes);
    inputs_refresh(m);
    delays_refresh(m);
}

typedef daedal_status restart_fn(daedal_solver *solver, const double *y);

static daedal_status restart_freely(daedal_solver *solver, const double *y)
{
    return daedal_solver_restart(solver, y, NULL);
}

static daedal_status solve_by(discrete_part *m, restart_fn *restart)
{
    daedal_solver_set_stop_time(m->solver, m->t_end); /* time events limit steps, not the restart */
    daedal_status status = restart(m->solver, m->values->x + m->values->place.y);
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

daedal_status discrete_solve_equations(discrete_part *m)
{
    return solve_by(m, restart_freely);
}

/* Whether nothing that the equations read has changed but inputs that their derivatives do not
 * contain. */
static bool only_inputs_changed(const discrete_part *m)
{
    const value_places *at = &m->values->place;
    const bool *is_read = m->compiled->is_read, *shapes = m->compiled->shapes;
    uint32_t first = at->input,
             behind = at->input + flat_input_number((uint32_t)m->flat->n_inputs, 0);
    bool any = false;
    if (m->search->parameters.is_taken)
        return false;
    for (uint32_t k = at->discrete; k < at->n; k++) {
        if (!is_read[k] || m->values->x[k] == m->old[k])
            continue;
        if (k < first || k >= behind || shapes[k])
            return false;
        any = true;
    }
    return any;
}

/* A new value of an input leaves the matrices as they are. */
static daedal_status solve_new_inputs(discrete_part *m, bool *done)
{
    *done = false;
    if (!only_inputs_changed(m))
        return DAEDAL_OK;
    daedal_status status =
        m->hooks->restart_same(m->solver, m->values->x + m->values->place.y, done);
    if (*done) {
        m->restarted = true;
        discrete_read_state(m);
        discrete_note_solved(m);
    }
    return status;
}

/* The solver judges the matrix as it is; with rows and columns scaled it may be regular, and then a
 * restart moves no state. */
daedal_status discrete_solve_held(discrete_part *m)
{
    const double singular = 1e12; /* growth: the matrix is singular up to rounding */
    int32_t most = -1;
    bool done;
    daedal_status status = solve_new_inputs(m, &done);
    if (done || status != DAEDAL_OK)
        return status;
    status = solve_by(m, m->hooks->restart_held);
    bool doubtful = status == DAEDAL_ERR_SINGULAR && m->compiled->jacobian->exists;
    if (doubtful && compiled_leading_growth(m->compiled, &most) < singular)
        return discrete_solve_equations(m);
    return status;
}

void discrete_note_solved(discrete_part *m)
{
    memcpy(m->old, m->values->x, m->values->place.n * sizeof(double));
    m->search->parameters.is_taken = false;
}

bool discrete_affects_equations(const discrete_part *m)
{
    if (m->search->parameters.is_taken)
        return true;
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
        int answer = discrete_assign(m, &changed);
        if (answer == 0)
            answer = discrete_update_relations(m, ignore_hysteresis, &changed);
        if (answer != 0)
            return answer;
        m->search->has_not_settled = changed;
        if (m->search->choice !=
            CHOOSE_ALL) /* solve the equations before the next relation changes */
            return discrete_assign(m, &changed);
    }
    return 0;
}

/* ---- the iteration ---- */

/* Adds ", name" to a list. */
static void list_name(char *list, size_t size, const char *name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

static daedal_status fail_unsettled(discrete_part *m)
{
    enum { NAMES_MAX = 6 };
    const double *now = m->values->x + m->values->place.discrete;
    const double *before = m->search->seen + m->values->place.discrete;
    const double *pre = m->values->x + m->values->place.pre;
    char list[200] = "";
    int n = 0;
    for (int32_t k = 0; k < m->reduced->n_discrete && n < NAMES_MAX; k++) {
        uint32_t v = m->reduced->discrete_variable[k];
        if ((now[k] != pre[k] || now[k] != before[k]) && !m->flat->variables[v].hidden && ++n)
            list_name(list, sizeof list, variable_text(m->reduced, v));
    }
    for (size_t k = 0; k < m->flat->n_reinits && n < NAMES_MAX; k++)
        if (m->search->reinit->acts[k] && ++n)
            list_name(list, sizeof list, variable_text(m->reduced, m->flat->reinits[k].variable));
    fail(m->why, DAEDAL_ERR_CALLBACK, "the event iteration at t = %.10g does not converge: %s %s",
         m->values->x[0], n ? list : "a condition of a when-clause",
         n > 1 ? "keep changing" : "keeps changing");
    hint(m->why,
         "let the values change in a when clause that what it changes does not trigger again");
    m->why->t = m->values->x[0];
    set_cause(m->why, DAEDAL_CAUSE_EVENT_ITERATION);
    return DAEDAL_ERR_CALLBACK;
}

/* True if everything discrete is as in an earlier round, so that the rounds would repeat.  The
 * round that is remembered is replaced at powers of two. */
static bool has_returned(discrete_part *m, int round)
{
    const value_places *at = &m->values->place;
    double *seen = m->search->seen;
    size_t bytes = (at->sample - at->discrete) * sizeof(double);
    bool same = round > 0 && memcmp(m->values->x + at->discrete, seen + at->discrete, bytes) == 0;
    if ((round & (round + 1)) == 0)
        memcpy(seen + at->discrete, m->values->x + at->discrete, bytes);
    return same;
}

/* pre := value, which may move operands: x > pre(target) is another relation then, however little
 * the target has moved.  *changed: anything is another. */
static daedal_status end_round(discrete_part *m, bool *changed)
{
    double *before = m->search->difference;
    discrete_note_fired(m);
    bool compares = m->relations && m->flat->n_relations > 0;
    int answer = compares ? discrete_compare_operands(m, before) : 0;
    *changed = discrete_update_pre(m);
    if (answer == 0 && compares && *changed)
        answer = discrete_mark_stepped(m, before);
    return answer ? compiled_fail_call(m->compiled, answer) : DAEDAL_OK;
}

static const event_observer *observer_of(const discrete_part *m)
{
    return m->hooks ? m->hooks->observer : NULL;
}

/* Rounds until nothing changes.  *settled: that was reached. */
static daedal_status run_rounds(discrete_part *m, bool *settled)
{
    const event_observer *observer = observer_of(m);
    *settled = false;
    for (int round = 0; round < ROUNDS_MAX && !*settled; round++) {
        bool any = false;
        TRY(discrete_settle(m));
        if (observer)
            observer->round(observer->user, round);
        TRY(discrete_reinitialize(m, &any));
        if (observer)
            observer->end_round(observer->user);
        TRY(discrete_check_asserts(m, true));
        bool returned = has_returned(m, round) && !any;
        if (round == ROUNDS_MAX - 1 || returned)
            return DAEDAL_OK;
        bool changed = false;
        TRY(end_round(m, &changed));
        *settled = !changed && !any;
    }
    return DAEDAL_OK;
}

/* Whether a condition of a when-clause has become true since pre took the values of this event. */
static bool any_condition_rises(const discrete_part *m)
{
    const value_places *at = &m->values->place;
    for (size_t k = 0; k < m->n_assigned; k++) {
        uint32_t v = m->assigned[k], place = (uint32_t)m->reduced->discrete_of[v];
        if (m->flat->variables[v].is_when &&
            m->values->x[at->discrete + place] > m->values->x[at->pre + place])
            return true;
    }
    return false;
}

/* A sample is true for one instant.  It becomes false again, and with it what is assigned from it.
 * When-clauses fire only if this makes their condition true: when not sample(...).             */
daedal_status discrete_end_samples(discrete_part *m)
{
    bool changed = false, settled = false;
    for (uint32_t k = 0; k < (uint32_t)m->flat->n_samples; k++)
        changed |= values_set(m->values, m->values->place.sample + k, 0.0);
    if (!changed)
        return DAEDAL_OK;
    discrete_update_pre(m);
    int answer = discrete_assign(m, &changed);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    if (any_condition_rises(m)) {
        TRY(run_rounds(m, &settled));
        return settled ? DAEDAL_OK : fail_unsettled(m);
    }
    discrete_update_pre(m);
    return discrete_affects_equations(m) ? discrete_settle(m) : DAEDAL_OK;
}

/* Back to the beginning of the event, where x and the solver agreed. */
static daedal_status undo_rounds(discrete_part *m)
{
    memcpy(m->values->x, m->search->snapshot, m->values->place.n * sizeof(double));
    m->values->version++;
    for (size_t k = 0; k < m->flat->n_relations; k++)
        m->relation[k].has_jumped = false;
    discrete_begin_record(m);
    return discrete_solve_equations(m);
}

/* Whether a contradiction is no larger than the errors of algebraic variables: currents change over
 * where the values between two steps are equal, and the equations say so a moment later. */
static bool may_be_an_error(const discrete_part *m)
{
    return m->why->cause == DAEDAL_CAUSE_CONTRADICTION && m->search->least.noticed <= m->rtol;
}

/* If the rounds do not end, or contradict the equations by less than the accuracy of the run,
 * relations whose operands are equal within it are compared as equal. */
static daedal_status iterate_within_errors(discrete_part *m, bool *settled)
{
    daedal_status status = DAEDAL_OK;
    const double of_rtol[] = {0.0, 1e-3, 1.0, 100.0, 1000.0}; /* operands that differ by so much */
    const double of_long_steps =
        1e-6; /* what the last attempt allows algebraic variables at least */
    size_t first = m->search->at_limit ? 2 : 0;
    for (size_t k = first; k < sizeof of_rtol / sizeof *of_rtol && !*settled; k++) {
        if (k > first)
            TRY(undo_rounds(m));
        bool is_last = k + 1 == sizeof of_rtol / sizeof *of_rtol;
        m->search->equality = fmax(of_rtol[k] * m->rtol, is_last ? of_long_steps : 0.0);
        status = run_rounds(m, settled);
        if (status < 0 && (is_last || !may_be_an_error(m)))
            return status;
    }
    return *settled ? DAEDAL_OK : fail_unsettled(m);
}

/* Where equal operands lead to equations without a solution, the mode is taken that its relations
 * contradict least, by less than the accuracy of the run. */
static daedal_status accept_errors(discrete_part *m)
{
    bool settled = false;
    TRY(undo_rounds(m));
    m->search->equality = 0.0;
    m->search->accepts = m->rtol;
    daedal_status status = run_rounds(m, &settled);
    return status < 0 || settled ? status : fail_unsettled(m);
}

/* A mode that the errors of the run explain goes before one in which states jump. */
daedal_status discrete_iterate(discrete_part *m)
{
    bool settled = false;
    memcpy(m->search->snapshot, m->values->x, m->values->place.n * sizeof(double));
    m->search->accepts = 0.0;
    m->search->defers_impulses = true;
    daedal_status status = iterate_within_errors(m, &settled);
    m->search->defers_impulses = false;
    if (settled || !may_be_an_error(m))
        return status;
    TRY(undo_rounds(m));
    status = iterate_within_errors(m, &settled);
    return settled || !may_be_an_error(m) ? status : accept_errors(m);
}

static daedal_status begin_event(discrete_part *m)
{
    m->restarted = false;
    m->search->nothing = 0.0;
    delays_truncate(m, m->values->x[0]);
    discrete_note_solved(m);
    discrete_update_pre(m);
    discrete_update_pre_of_states(m);
    discrete_mark_samples(m);
    int answer = discrete_note_left_limits(m);
    TRY(inputs_take(m));
    return answer ? compiled_fail_call(m->compiled, answer) : DAEDAL_OK;
}

static daedal_status end_event(discrete_part *m)
{
    TRY(discrete_end_samples(m));
    discrete_end_record(m);
    discrete_watch_accumulation(m);
    int answer = discrete_set_bands(m);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    delays_continue(m);
    return delays_check(m);
}

daedal_status discrete_event(discrete_part *m)
{
    if (observer_of(m))
        observer_of(m)->begin(observer_of(m)->user);
    TRY(begin_event(m));
    discrete_begin_record(m);
    TRY(discrete_iterate(m));
    return end_event(m);
}

/* x is compared with its values before the event, in what the equations read. */
static bool has_same_mode(const discrete_part *m, const double *before)
{
    for (uint32_t k = m->values->place.discrete; k < m->values->place.n; k++)
        if (m->compiled->is_read[k] && m->values->x[k] != before[k])
            return false;
    return true;
}

daedal_status discrete_limit_event(discrete_part *m, bool *same_mode)
{
    m->search->at_limit = true;
    daedal_status status = discrete_event(m);
    m->search->at_limit = false;
    *same_mode = has_same_mode(m, m->search->snapshot);
    return status;
}
