/* hybrid/mode_search.c - see discrete.h: the mode that follows an event, pre and the states held
 * (docs/theory/hybrid.md).  Read it from the end: discrete_settle, iterate_once, solve_mode.
 *
 * At first all violated relations change at once.  If that cycles, or leads to equations without
 * a solution, relations change one at a time from the mode before the event: first the one with
 * the least index, which never cycles in networks of switches [Murty], then the most violated
 * one, then one chosen at random.  After that modes are tried one by one, those with the fewest
 * changes first.  If none is consistent, the relations contradict the equations.      */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "compile/compiled.h"
#include "hybrid/discrete.h"

enum {
    FLIPS_MAX = 12,    /* relations that a trial changes                     */
    TRIALS_MAX = 4096, /* modes that are tried for one event, of each kind   */
    TRIAL_PASSES = 6,  /* for each of them                                   */
};

static const struct {
    relation_choice choice;
    int passes;
} STAGES[] = {
    {CHOOSE_ALL, 12}, {CHOOSE_FIRST, 40}, {CHOOSE_MOST_VIOLATED, 20}, {CHOOSE_RANDOM, 40}};

bool discrete_prepare_search(discrete_part *m)
{
    size_t n = m->flat->n_relations + 1, n_system = (size_t)m->reduced->n_system;
    model_search *s = m->search = arena_take(m->mem, 1, sizeof *s);
    if (!s)
        return false;
    s->before_event = arena_take(m->mem, n, sizeof *s->before_event);
    s->last_pass = arena_take(m->mem, n, sizeof *s->last_pass);
    s->has_changed = arena_take(m->mem, n, sizeof *s->has_changed);
    s->is_fixed = arena_take(m->mem, n, sizeof *s->is_fixed);
    s->triggers_only = arena_take(m->mem, n, sizeof *s->triggers_only);
    s->candidate = arena_take(m->mem, n, sizeof *s->candidate);
    s->difference = arena_take(m->mem, n, sizeof *s->difference);
    s->values = arena_take(m->mem, 2 * n_system, sizeof *s->values);
    s->held = arena_take(m->mem, n_system, sizeof *s->held);
    s->snapshot = arena_take(m->mem, m->values->place.n, sizeof *s->snapshot);
    s->seen = arena_take(m->mem, m->values->place.n, sizeof *s->seen);
    return !m->mem->failed;
}

/* Relations that e reads are not only triggers; false: no memory. */
static bool exclude_read(discrete_part *m, expr_walker *w, expr e)
{
    const expr_graph *g = &m->flat->graph;
    bool fine = expr_depends(w, e, EXPR_ALL);
    for (size_t q = 0; q < w->n_found && fine; q++) {
        uint32_t symbol = expr_index(g, w->found[q]);
        if (flat_kind(symbol) == FLAT_RELATION)
            m->search->triggers_only[flat_number(symbol)] = false;
    }
    return fine;
}

/* A relation that an ordinary discrete variable, an equation or a relation reads is not only a
 * trigger.  The conditions of when-clauses are hidden variables. */
bool discrete_find_triggers(discrete_part *m)
{
    const flat_model *f = m->flat;
    bool *triggers = m->search->triggers_only;
    expr_walker w;
    expr_walker_create(&w, &f->graph);
    for (size_t k = 0; k < f->n_relations; k++)
        triggers[k] = m->relation[k].kind == RELATION_STATE &&
                      !m->compiled->is_read[m->values->place.relation + k];
    bool fine = true;
    for (size_t i = 0; i < m->n_assigned && fine; i++)
        if (!f->variables[m->assigned[i]].hidden)
            fine = exclude_read(m, &w, m->item_value[i]);
    for (size_t k = 0; k < f->n_relations && fine; k++)
        fine =
            exclude_read(m, &w, f->relations[k].left) && exclude_read(m, &w, f->relations[k].right);
    expr_walker_free(&w);
    return fine;
}

/* ---- the mode before the event ---- */

static void save_before_event(discrete_part *m)
{
    model_search *s = m->search;
    size_t bytes = m->flat->n_relations * sizeof(double);
    size_t n = (size_t)m->reduced->n_system;
    memcpy(s->before_event, m->values->x + m->values->place.relation, bytes);
    memcpy(s->last_pass, s->before_event, bytes);
    memset(s->has_changed, 0, m->flat->n_relations * sizeof *s->has_changed);
    memcpy(s->values, m->values->x + m->values->place.y, 2 * n * sizeof(double));
    memcpy(s->held, s->values, n * sizeof(double));
    s->random = RANDOM_SEED;
    s->must_solve = s->is_impulsive = s->no_impulses = false;
}

static void note_changes(discrete_part *m)
{
    model_search *s = m->search;
    for (size_t k = 0; k < m->flat->n_relations; k++) {
        double now = m->values->x[m->values->place.relation + k];
        s->has_changed[k] = s->has_changed[k] || now != s->last_pass[k];
        s->last_pass[k] = now;
    }
}

/* The value of relation k from which the search begins. */
static double first_value(const discrete_part *m, size_t k)
{
    const model_relation *r = &m->relation[k];
    return r->stopped && !r->has_jumped ? (double)r->new_value : m->search->before_event[k];
}

static void restore_before_event(discrete_part *m)
{
    model_search *s = m->search;
    size_t n = (size_t)m->reduced->n_system;
    for (uint32_t k = 0; k < (uint32_t)m->flat->n_relations; k++)
        if (m->relation[k].kind != RELATION_TIME)
            values_set(m->values, m->values->place.relation + k, first_value(m, k));
    memcpy(m->values->x + m->values->place.y, s->values, 2 * n * sizeof(double));
    memcpy(s->held, s->values, n * sizeof(double));
    s->must_solve = true;
    s->is_impulsive = false;
}

/* ---- one mode ---- */

/* y for the next solution: algebraic values of the last one, or of the event after an implicit
 * step, whose values may be huge; states as they are held. */
static void put_guess(discrete_part *m)
{
    const model_search *s = m->search;
    double *y = m->values->x + m->values->place.y;
    for (int32_t j = 0; j < m->reduced->n_system; j++)
        if (m->reduced->differential[j])
            y[j] = s->held[j];
        else if (s->is_impulsive)
            y[j] = s->values[j];
}

/* Whether the value y of state j is the one that is held, up to the tolerances of the run. */
static bool stays_at(const discrete_part *m, int32_t j, double y)
{
    const double nominal = 1e-3; /* as in the absolute tolerance of a model */
    double held = m->search->held[j];
    return fabs(y - held) <= m->rtol * fmax(fabs(held), nominal);
}

static bool states_have_stayed(const discrete_part *m, const double *y)
{
    for (int32_t j = 0; j < m->reduced->n_system; j++)
        if (m->reduced->differential[j] && !stays_at(m, j, y[j]))
            return false;
    return true;
}

/* A mode in which constraints bind the states has a solution without an impulse if the states
 * satisfy the constraints already.  The implicit step moves all states a little, and discrete
 * values that are computed from them would not settle. */
static bool solve_bound_states(discrete_part *m)
{
    daedal_diagnosis first = *m->why;
    m->search->is_impulsive = true; /* the values of the event are the guesses */
    put_guess(m);
    m->search->is_impulsive = false;
    const double *y = m->values->x + m->values->place.y;
    if (discrete_solve_equations(m) == DAEDAL_OK && states_have_stayed(m, y)) {
        memcpy(m->search->held, m->values->x + m->values->place.y,
               (size_t)m->reduced->n_system * sizeof(double));
        return true;
    }
    *m->why = first;
    put_guess(m);
    implicit_step_take(m, m->search->held);
    return false;
}

/* Whether the implicit step has left the states where they are held, but for its length. */
static bool step_has_no_jump(discrete_part *m)
{
    if (states_have_stayed(m, m->values->x + m->values->place.y))
        return true;
    const double *y = implicit_step_states(m, m->search->held);
    return y && states_have_stayed(m, y);
}

/* Solve the equations with the states held; where that is not possible, by an implicit step. */
daedal_status discrete_solve_mode(discrete_part *m)
{
    model_search *s = m->search;
    put_guess(m);
    s->is_impulsive = false;
    daedal_status status = discrete_solve_held(m);
    if (status >= 0 || !failure_is(status, NUMERIC_FAILURE) || s->no_impulses)
        return status;
    if (s->is_free)
        return discrete_solve_equations(m);
    if (!implicit_step_take(m, s->held))
        return status;
    if (step_has_no_jump(m) && solve_bound_states(m))
        return DAEDAL_OK;
    s->is_impulsive = true;
    discrete_note_solved(m);
    return DAEDAL_OK;
}

static void warn_jump(const discrete_part *m)
{
    char message[240];
    snprintf(
        message, sizeof message,
        "at t = %.10g states jump, and the factors of derivatives change with them so much that "
        "the values behind the jump are not as accurate as asked for",
        m->values->x[0]);
    log_warning(m->log, DAEDAL_CAUSE_DISCONTINUITY, m->values->x[0], message);
}

/* States that the impulse moves by more than their tolerances become those behind it. */
static void move_states(discrete_part *m)
{
    const model_search *s = m->search;
    double *y = m->values->x + m->values->place.y, *behind = m->values->x + m->values->place.yp;
    bool settled = false;
    if (!implicit_step_jump(m, s->held, behind, &settled))
        return; /* the restart moves them as if the factors of y' stayed as they are */
    if (!settled)
        warn_jump(m);
    for (int32_t j = 0; j < m->reduced->n; j++)
        if (m->reduced->differential[j] && !stays_at(m, j, behind[j]))
            y[j] = behind[j];
}

/* The mode forces an impulse: the states move, and are held where they are then. */
static daedal_status take_impulse(discrete_part *m)
{
    model_search *s = m->search;
    int answer = discrete_compare_operands(m, s->difference);
    put_guess(m);
    move_states(m);
    if (answer == 0)
        answer = discrete_compare_operands(m, s->difference);
    s->is_impulsive = false;
    TRY(discrete_solve_equations(m));
    memcpy(s->held, m->values->x + m->values->place.y,
           (size_t)m->reduced->n_system * sizeof(double));
    if (answer == 0)
        answer = discrete_mark_jumps(m, s->difference, 10.0 * m->rtol);
    return answer ? compiled_fail_call(m->compiled, answer) : DAEDAL_OK;
}

/* One pass: the discrete part, then the equations if it has changed what they read. */
static daedal_status iterate_once(discrete_part *m, bool *settled)
{
    model_search *s = m->search;
    delays_advance(m);
    int answer = discrete_settle_values(m, false);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    note_changes(m);
    bool must_solve = s->must_solve || discrete_affects_equations(m);
    s->must_solve = false;
    *settled = !must_solve && !s->is_impulsive && !s->has_not_settled;
    if (must_solve)
        return discrete_solve_mode(m);
    return s->is_impulsive && !s->has_not_settled ? take_impulse(m) : DAEDAL_OK;
}

static daedal_status iterate(discrete_part *m, int passes, bool *settled)
{
    *settled = false;
    for (int k = 0; k < passes && !*settled; k++)
        TRY(iterate_once(m, settled));
    return DAEDAL_OK;
}

/* ---- one mode after the other ---- */

/* The relations that are changed from their first values: n numbers in `flip`, which are places in
 * `candidate`. */
typedef struct mode_trial {
    uint32_t n_candidates;
    uint32_t flip[FLIPS_MAX];
    uint32_t n;
    int trials;
    bool contradicts; /* in some mode the equations have a solution, which contradicts it */
} mode_trial;

/* The relations that have changed in this event, or all. */
static void collect_candidates(const discrete_part *m, mode_trial *t, bool all)
{
    model_search *s = m->search;
    t->n_candidates = 0;
    for (uint32_t k = 0; k < m->flat->n_relations; k++)
        if ((all || s->has_changed[k]) && m->relation[k].kind == RELATION_STATE)
            s->candidate[t->n_candidates++] = k;
}

static void set_fixed(discrete_part *m, const mode_trial *t, bool fixed)
{
    for (uint32_t i = 0; i < t->n_candidates; i++)
        m->search->is_fixed[m->search->candidate[i]] = fixed;
}

static const mode_violation NO_SOLUTION = {HUGE_VAL, HUGE_VAL, false};

static void keep_least(mode_violation *least, mode_violation found)
{
    least->relative = fmin(least->relative, found.relative);
    least->noticed = fmin(least->noticed, found.noticed);
}

/* Solve with the candidates fixed, and measure how far they are violated. */
static daedal_status try_mode(discrete_part *m, const mode_trial *t, mode_violation *violation)
{
    bool settled = false;
    restore_before_event(m);
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t k = m->search->candidate[t->flip[i]];
        values_set(m->values, m->values->place.relation + k, 1.0 - first_value(m, k));
    }
    set_fixed(m, t, true);
    daedal_status status = iterate(m, TRIAL_PASSES, &settled);
    set_fixed(m, t, false);
    TRY(status);
    int answer = discrete_measure_relations(m, violation);
    if (!settled)
        *violation = NO_SOLUTION;
    return answer ? compiled_fail_call(m->compiled, answer) : DAEDAL_OK;
}

bool discrete_next_set(uint32_t *set, uint32_t n, uint32_t of)
{
    for (uint32_t i = n; i-- > 0;) {
        if (set[i] + n - i >= of)
            continue;
        set[i]++;
        for (uint32_t j = i + 1; j < n; j++)
            set[j] = set[j - 1] + 1;
        return true;
    }
    return false;
}

/* Whether the mode agrees with its relations, or contradicts them by no more than is accepted;
 * those that stopped the integrator have their new values then. */
static bool is_admissible(const discrete_part *m, const mode_trial *t, mode_violation violation)
{
    if (violation.relative == 0.0)
        return true;
    for (uint32_t i = 0; i < t->n; i++)
        if (m->relation[m->search->candidate[t->flip[i]]].stopped)
            return false;
    return violation.noticed <= m->search->accepts && !violation.at_equality;
}

static daedal_status try_modes(discrete_part *m, mode_trial *t, bool *settled)
{
    t->trials = 0;
    for (t->n = 0; t->n <= FLIPS_MAX && t->n <= t->n_candidates; t->n++) {
        for (uint32_t i = 0; i < t->n; i++)
            t->flip[i] = i;
        do {
            mode_violation violation = NO_SOLUTION;
            daedal_status status = try_mode(m, t, &violation);
            if (status < 0 && !failure_is(status, NUMERIC_FAILURE))
                return status;
            *settled = status == DAEDAL_OK && is_admissible(m, t, violation);
            t->contradicts =
                t->contradicts || (status == DAEDAL_OK && isfinite(violation.relative));
            if (status >= 0)
                keep_least(&m->search->least, violation);
            if (*settled || ++t->trials >= TRIALS_MAX)
                return DAEDAL_OK;
        } while (discrete_next_set(t->flip, t->n, t->n_candidates));
    }
    return DAEDAL_OK;
}

/* ---- failures ---- */

static void add_text(char *list, size_t size, const char *text)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", text);
}

/* The discrete variables that one more evaluation changes. */
static daedal_status fail_loop(discrete_part *m)
{
    enum { NAMES_MAX = 8 };
    char list[256] = "";
    int n = 0;
    int answer = program_run(m->compiled, m->assigns, 0.0, NULL, NULL);
    for (size_t k = 0; answer == 0 && k < m->n_assigned && n < NAMES_MAX; k++) {
        uint32_t v = m->assigned[k];
        double now = m->values->x[m->values->place.discrete + (uint32_t)m->reduced->discrete_of[v]];
        if (m->assigns->out[k] != now && !m->flat->variables[v].hidden && ++n)
            add_text(list, sizeof list, variable_text(m->reduced, v));
    }
    fail(m->why, DAEDAL_ERR_CALLBACK,
         "the discrete equations have no solution at t = %.10g: %s changes whenever the equations "
         "are evaluated",
         m->values->x[0], n ? list : "a relation");
    hint(m->why, "break the loop with pre(), or with two limits instead of one (hysteresis)");
    m->why->t = m->values->x[0];
    set_cause(m->why, DAEDAL_CAUSE_CONTRADICTION);
    return DAEDAL_ERR_CALLBACK;
}

/* The relations of this kind that have changed, at most NAMES_MAX of them. */
static bool list_changed(discrete_part *m, bool of_time, char *list, size_t size)
{
    enum { NAMES_MAX = 3 };
    char text[160];
    int n = 0;
    for (uint32_t k = 0; k < m->flat->n_relations; k++) {
        if (!m->search->has_changed[k] || (m->relation[k].kind == RELATION_TIME) != of_time)
            continue;
        if (n++ < NAMES_MAX)
            add_text(list, size, compiled_relation_text(m->compiled, k, text, sizeof text));
    }
    if (n > NAMES_MAX)
        add_text(list, size, "and others");
    return n > 0;
}

/* A relation that is compared as equal contradicts the equations since its last event. */
static double time_of_contradiction(const discrete_part *m)
{
    double t = m->values->x[0];
    for (size_t k = 0; k < m->flat->n_relations; k++)
        if (m->relation[k].is_pinned)
            t = fmin(t, m->relation[k].last_event);
    return t;
}

static daedal_status fail_contradiction(discrete_part *m)
{
    char list[400] = "";
    double t = time_of_contradiction(m);
    if (!list_changed(m, false, list, sizeof list))
        list_changed(m, true, list, sizeof list);
    fail(m->why, DAEDAL_ERR_CALLBACK,
         "at t = %.10g no values of the relations are consistent with the equations: "
         "whichever value is assumed, the equations contradict it or have no solution (%s)",
         t, list);
    hint(m->why, "a relation that switches off what makes it true needs two limits (hysteresis) or "
                 "pre()");
    m->why->t = t;
    set_cause(m->why, DAEDAL_CAUSE_CONTRADICTION);
    return DAEDAL_ERR_CALLBACK;
}

/* True if the relations that still change are all within their hysteresis: both values are
 * admissible there. */
static bool holds_within_hysteresis(discrete_part *m)
{
    mode_violation violation = NO_SOLUTION;
    bool changed = false;
    return discrete_assign(m, &changed) == 0 && !changed && !discrete_affects_equations(m) &&
           !m->search->is_impulsive && discrete_measure_relations(m, &violation) == 0 &&
           violation.relative == 0.0;
}

/* The last resort, for equations that an implicit step cannot solve either. */
static bool iterate_freely(discrete_part *m)
{
    bool settled = false;
    restore_before_event(m);
    m->search->is_free = true;
    daedal_status status = iterate(m, STAGES[0].passes, &settled);
    settled = status >= 0 && (settled || holds_within_hysteresis(m));
    m->search->is_free = false;
    return settled;
}

static bool has_changed(const discrete_part *m)
{
    for (size_t k = 0; k < m->flat->n_relations; k++)
        if (m->search->has_changed[k])
            return true;
    return false;
}

static daedal_status search(discrete_part *m, daedal_status status)
{
    daedal_diagnosis first = *m->why;
    mode_trial t = {0};
    bool settled = false;
    m->search->least = NO_SOLUTION;
    for (int kind = 0; kind < 4 && !settled; kind++) {
        if (kind == 2 && m->search->defers_impulses && m->search->least.relative <= m->rtol)
            return fail_contradiction(m);
        uint32_t before = kind % 2 == 0 ? 0 : t.n_candidates;
        collect_candidates(m, &t, kind % 2 == 1);
        m->search->no_impulses = kind < 2;
        if (t.n_candidates > before)
            TRY(try_modes(m, &t, &settled));
    }
    m->search->no_impulses = false;
    if (settled || (status < 0 && iterate_freely(m)))
        return DAEDAL_OK;
    if (m->search->has_not_settled && (m->has_loops || !has_changed(m)))
        return fail_loop(m);
    if (status >= 0 || t.contradicts)
        return fail_contradiction(m);
    *m->why = first;
    return status;
}

/* ---- the mode after the event ---- */

/* Fix or release the relations that only trigger when-clauses. */
static void fix_triggers(discrete_part *m, bool fixed)
{
    for (uint32_t k = 0; k < m->flat->n_relations; k++)
        if (m->search->triggers_only[k])
            m->search->is_fixed[k] = fixed;
}

/* when f > 1.2 then m = 1, where f falls below 1.2 with the new m: the condition was true at the
 * beginning of the round, and what it triggers is not taken back.  In the next round it is compared
 * again. */
static bool iterate_as_triggered(discrete_part *m)
{
    bool settled = false, changed = false;
    restore_before_event(m);
    if (discrete_update_relations(m, false, &changed) != 0)
        return false;
    fix_triggers(m, true);
    daedal_status status = iterate(m, STAGES[0].passes, &settled);
    fix_triggers(m, false);
    return status >= 0 && settled;
}

/* The first stage, in which a loop of discrete Reals and equations is solved, if there is one. */
static daedal_status iterate_first(discrete_part *m, bool *settled)
{
    enum { PASSES_WITHOUT_LOOP = 4 };
    TRY(iterate(m, PASSES_WITHOUT_LOOP, settled));
    if (*settled)
        return DAEDAL_OK;
    TRY(discrete_solve_loop(m, &m->search->in_loop));
    return iterate(m, STAGES[0].passes - PASSES_WITHOUT_LOOP, settled);
}

daedal_status discrete_settle(discrete_part *m)
{
    bool settled = false;
    daedal_status status = DAEDAL_OK;
    save_before_event(m);
    for (size_t k = 0; k < sizeof STAGES / sizeof *STAGES && !settled; k++) {
        if (status < 0)
            restore_before_event(m);
        m->search->choice = STAGES[k].choice;
        status = k == 0 ? iterate_first(m, &settled) : iterate(m, STAGES[k].passes, &settled);
        settled = settled || (status >= 0 && holds_within_hysteresis(m));
        m->search->in_loop = false;
        if (status < 0 && !failure_is(status, NUMERIC_FAILURE))
            break;
    }
    m->search->choice = CHOOSE_ALL;
    if (settled || (status < 0 && !failure_is(status, NUMERIC_FAILURE)))
        return status;
    return iterate_as_triggered(m) ? DAEDAL_OK : search(m, status);
}
