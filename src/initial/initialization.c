/* initial/initialization.c - see start_problem.h: the start of a run (docs/theory/hybrid.md).
 *
 * First initial() is true, relations have no hysteresis, and pre values are start values unless an
 * initial equation determines them; discrete values and equations are made consistent.  Then
 * pre := value, initial() is false, samples due at the start become true, and the event iteration
 * follows.                                                                          */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "initial/start_problem.h"
#include "initial/start_rows.h"

enum { PASSES_MAX = 40, HOPS_MAX = 100 };
static const double FIXED_START_TOLERANCE =
    100.0; /* of rtol: the equations hold to a multiple of it */

/* ---- start values ---- */

/* Of the variables that are copies of one unknown, the one with the highest priority gives the
 * start value. */
static int start_priority(const flat_variable *v)
{
    return v->fixed * 4 + v->has_start * 2 + (v->start != EXPR_NONE);
}

bool start_is_overridden(const start_problem *m, uint32_t variable)
{
    return m->override && !isnan(m->override[variable]);
}

double start_written(const start_problem *m, uint32_t variable)
{
    return start_is_overridden(m, variable)
               ? m->override[variable]
               : compiled_evaluate(m->compiled, m->flat->variables[variable].start);
}

static void choose_starts(start_problem *m)
{
    enum { OVERRIDDEN = 16 };
    memset(m->start_priority, 0, (size_t)m->reduced->n_system * sizeof *m->start_priority);
    for (int32_t u = 0; u < m->reduced->n_unknowns; u++) {
        alias to = m->reduced->aliases->of[u];
        uint32_t number = m->reduced->unknown[u];
        const flat_variable *v = &m->flat->variables[number];
        if (to.root == ALIAS_CONSTANT)
            continue;
        int32_t j = m->reduced->column[m->reduced->unknown[to.root]];
        if (j < 0) /* computed */
            continue;
        bool given = start_is_overridden(m, number);
        int priority = 2 * start_priority(v) + (to.root == u); /* the root if they are equal */
        priority += given ? OVERRIDDEN : 0;
        if (priority <= m->start_priority[j])
            continue;
        m->start_priority[j] = priority;
        m->start_of[j] = v->start;
        m->start_from[j] = number;
        m->start_factor[j] = to.factor;
        m->start_fixed[j] = v->fixed || given;
        m->start_given[j] = v->has_start || given;
    }
}

static bool list_starts(start_problem *m)
{
    size_t n = (size_t)m->reduced->n_system;
    m->start = arena_take(m->mem, n, sizeof *m->start);
    m->start_of = arena_take(m->mem, n, sizeof *m->start_of);
    m->start_factor = arena_take(m->mem, n, sizeof *m->start_factor);
    m->start_from = arena_take(m->mem, n, sizeof *m->start_from);
    m->start_fixed = arena_take(m->mem, n, sizeof *m->start_fixed);
    m->start_given = arena_take(m->mem, n, sizeof *m->start_given);
    m->start_priority = arena_take(m->mem, n, sizeof *m->start_priority);
    m->given_by_initial_equation = arena_take(m->mem, n, sizeof *m->given_by_initial_equation);
    if (m->mem->failed)
        return false;
    choose_starts(m);
    return true;
}

/* Discrete variables have no copies; an unknown needs one that is solved for. */
static bool has_start(const start_problem *m, uint32_t variable)
{
    int32_t u = m->reduced->unknown_of[variable];
    if (u < 0)
        return m->reduced->discrete_of[variable] >= 0;
    alias to = m->reduced->aliases->of[u];
    return to.root != ALIAS_CONSTANT && m->reduced->column[m->reduced->unknown[to.root]] >= 0;
}

daedal_status start_override(start_problem *m, uint32_t variable, double value)
{
    size_t n = m->flat->n_variables;
    if (!has_start(m, variable))
        return DAEDAL_ERR_ARGUMENT;
    if (!m->override) {
        m->override = arena_take(m->mem, n + 1, sizeof *m->override);
        for (size_t v = 0; v < n && m->override; v++)
            m->override[v] = NAN;
    }
    if (!m->override)
        return DAEDAL_ERR_MEMORY;
    m->override[variable] = value;
    choose_starts(m);
    start_rows_free(m); /* their weights depend on what is fixed */
    return DAEDAL_OK;
}

static daedal_status fail_start_value(start_problem *m, uint32_t v, double value)
{
    return fail(m->why, DAEDAL_ERR_START, "the start value of %s is %g",
                variable_text(m->reduced, v), value);
}

static daedal_status set_discrete_starts(start_problem *m)
{
    for (int32_t k = 0; k < m->reduced->n_discrete; k++) {
        uint32_t v = m->reduced->discrete_variable[k];
        const flat_variable *var = &m->flat->variables[v];
        double value = start_written(m, v);
        if (var->start == EXPR_NONE && var->type == FLAT_ENUM && !start_is_overridden(m, v))
            value = 1.0;
        if (isnan(value))
            return fail_start_value(m, v, value);
        values_set(m->values, m->values->place.discrete + (uint32_t)k, value);
        values_set(m->values, m->values->place.pre + (uint32_t)k, value);
    }
    return DAEDAL_OK;
}

/* A guess may be computed from parameters that the start has yet to find. */
static bool start_may_wait(const start_problem *m, int32_t j)
{
    const flat_variable *v = &m->flat->variables[m->start_from[j]];
    bool computed = v->start != EXPR_NONE && expr_has(&m->flat->graph, v->start, EXPR_HAS_VARIABLE);
    bool open = false;
    for (int32_t k = 0; computed && !m->start_fixed[j] && k < m->reduced->n_discrete && !open;
         k++) {
        const flat_variable *p = &m->flat->variables[m->reduced->discrete_variable[k]];
        open = p->variability == FLAT_PARAMETER && p->value == EXPR_NONE && !p->fixed;
    }
    return open;
}

static daedal_status evaluate_starts(start_problem *m)
{
    for (int32_t j = 0; j < m->reduced->n; j++) {
        m->start[j] = m->start_factor[j] * start_written(m, m->start_from[j]);
        if (!isfinite(m->start[j]) && start_may_wait(m, j))
            m->start[j] = 0.0;
        if (!isfinite(m->start[j]))
            return fail_start_value(m, m->reduced->variable[j], m->start[j]);
    }
    return DAEDAL_OK;
}

static daedal_status set_starts(start_problem *m)
{
    TRY(evaluate_starts(m));
    double *y = m->values->x + m->values->place.y, *yp = m->values->x + m->values->place.yp;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        y[j] = m->start[j];
        yp[j] = 0.0;
    }
    return DAEDAL_OK;
}

/* ---- initial equations ---- */

#define NOT_ASSIGNED UINT32_MAX

/* The slot whose value the initial equation `side = e` determines, or -1.  v = e determines pre(u)
 * if v := w and w := pre(u). */
static int32_t target_of(const start_problem *m, const uint32_t *item_of, expr side)
{
    const expr_graph *g = &m->flat->graph;
    for (int hops = 0; hops < HOPS_MAX; hops++) {
        if (!expr_is_variable(g, side))
            return -1;
        uint32_t symbol = expr_index(g, side), v = flat_number(symbol);
        flat_symbol_kind kind = flat_kind(symbol);
        if ((kind != FLAT_VALUE && kind != FLAT_PRE) || m->reduced->discrete_of[v] < 0)
            return -1;
        uint32_t k = (uint32_t)m->reduced->discrete_of[v];
        if (kind == FLAT_PRE)
            return (int32_t)(m->values->place.pre + k);
        uint32_t item = item_of[v];
        if (item == NOT_ASSIGNED) /* a parameter, or a variable without assignment */
            return (int32_t)(m->values->place.discrete + k);
        expr value = m->discrete->item_value[item];
        bool copies = expr_is_variable(g, value) &&
                      m->reduced->discrete_of[flat_number(expr_index(g, value))] >= 0;
        flat_symbol_kind from = copies ? flat_kind(expr_index(g, value)) : FLAT_TIME;
        if (from != FLAT_PRE && from != FLAT_VALUE)
            return (int32_t)(m->values->place.pre + k);
        side = value;
    }
    return -1;
}

typedef struct initials {
    expr *roots;       /* of the rules */
    bool *taken;       /* by slot */
    uint32_t *item_of; /* by variable: its assignment, or NOT_ASSIGNED */
} initials;

static void number_assignments(const start_problem *m, initials *in)
{
    for (size_t v = 0; v < m->flat->n_variables; v++)
        in->item_of[v] = NOT_ASSIGNED;
    for (size_t i = 0; i < m->discrete->n_assigned; i++)
        in->item_of[m->discrete->assigned[i]] = (uint32_t)i;
}

static const flat_variable *parameter_at(const start_problem *m, int32_t slot)
{
    int32_t k = slot - (int32_t)m->values->place.discrete;
    if (k < 0 || k >= m->reduced->n_discrete)
        return NULL;
    const flat_variable *v = &m->flat->variables[m->reduced->discrete_variable[k]];
    return v->variability == FLAT_PARAMETER ? v : NULL;
}

/* Add side = other as a rule, if side is a discrete value without one. */
static bool add_rule(start_problem *m, initials *in, expr side, expr other)
{
    int32_t slot = target_of(m, in->item_of, side);
    if (slot < 0 || in->taken[slot])
        return false;
    const flat_variable *parameter = parameter_at(m, slot);
    bool late = parameter && !compiled_is_known(m->compiled, other);
    if (late && parameter->type == FLAT_REAL)
        return false; /* to be found together with the unknowns */
    in->taken[slot] = true;
    in->roots[m->n_rules] = other;
    m->rule[m->n_rules] = (initial_rule){(uint32_t)slot, m->n_rules, late};
    m->has_late_rules |= late;
    m->n_rules++;
    return true;
}

static void add_row(start_problem *m, uint32_t number)
{
    const flat_initial *i = &m->flat->initials[number];
    m->initial_of[m->n_initial_rows] = number;
    m->initial_row[m->n_initial_rows++] = expr_sub(&m->flat->graph, i->left, i->right);
}

static void collect_free_parameters(start_problem *m, const initials *in)
{
    for (int32_t k = 0; k < m->reduced->n_discrete; k++) {
        const flat_variable *v = &m->flat->variables[m->reduced->discrete_variable[k]];
        if (v->variability == FLAT_PARAMETER && v->value == EXPR_NONE && !v->fixed &&
            v->type == FLAT_REAL && !in->taken[m->values->place.discrete + (uint32_t)k])
            m->free_parameter[m->n_free++] = m->reduced->discrete_variable[k];
    }
}

static bool sort_initials(start_problem *m, initials *in)
{
    flat_model *f = m->flat;
    for (uint32_t k = 0; k < f->n_initials; k++) {
        const flat_initial *i = &f->initials[k];
        if (!add_rule(m, in, i->left, i->right) && !add_rule(m, in, i->right, i->left))
            add_row(m, k);
    }
    collect_free_parameters(m, in);
    return !f->graph.failed;
}

/* Mark the values that initial equations read. */
static bool mark_read(start_problem *m)
{
    expr_walker w;
    expr_walker_create(&w, &m->flat->graph);
    bool fine = true;
    for (size_t i = 0; i < m->n_initial_rows && fine; i++) {
        fine = expr_depends(&w, m->initial_row[i], EXPR_ALL);
        for (size_t k = 0; k < w.n_found && fine; k++) {
            int32_t slot = compiled_slot(m->compiled, expr_index(&m->flat->graph, w.found[k]));
            if (slot >= 0)
                m->is_read[slot] = true;
        }
    }
    expr_walker_free(&w);
    return fine;
}

daedal_status start_build(start_problem *m)
{
    size_t n = m->flat->n_initials + 1;
    initials in = {0};
    m->initial_row = arena_take(m->mem, n, sizeof *m->initial_row);
    m->initial_of = arena_take(m->mem, n, sizeof *m->initial_of);
    m->rule = arena_take(m->mem, n, sizeof *m->rule);
    m->free_parameter =
        arena_take(m->mem, (size_t)m->reduced->n_discrete + 1, sizeof *m->free_parameter);
    size_t most = 2 * (size_t)m->reduced->n_system + (size_t)m->reduced->n_discrete;
    m->open_name = arena_take(m->mem, most, sizeof *m->open_name);
    m->open_instead = arena_take(m->mem, most, sizeof *m->open_instead);
    m->open_kept = arena_take(m->mem, most, sizeof *m->open_kept);
    m->is_read = arena_take(m->mem, m->values->place.n, sizeof *m->is_read);
    in.roots = arena_take(m->mem, n, sizeof *in.roots);
    in.taken = arena_take(m->mem, m->values->place.n, sizeof *in.taken);
    in.item_of = arena_take(m->mem, m->flat->n_variables + 1, sizeof *in.item_of);
    if (m->mem->failed || !list_starts(m))
        return DAEDAL_ERR_MEMORY;
    number_assignments(m, &in);
    bool fine = sort_initials(m, &in) && mark_read(m) && start_find_slopes(m);
    if (fine && m->n_rules)
        fine = program_create(m->compiled, &m->rules_program, in.roots, m->n_rules);
    return fine ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

void start_free(start_problem *m)
{
    program_free(m->allocator, &m->rules_program);
    start_rows_free(m);
    start_free_homotopy(m);
}

/* ---- the two parts of the start ---- */

/* Evaluate rules, assignments and relations until none changes. */
static int settle_at_start(start_problem *m, bool solved)
{
    bool changed = true;
    for (int pass = 0; pass < PASSES_MAX && changed; pass++) {
        changed = false;
        int answer = program_run(m->compiled, m->rules_program, 0.0, NULL, NULL);
        for (size_t k = 0; k < m->n_rules && answer == 0; k++)
            if (solved || !m->rule[k].late)
                changed |=
                    values_set(m->values, m->rule[k].slot, m->rules_program->out[m->rule[k].root]);
        if (answer == 0)
            answer = discrete_settle_values(m->discrete, true);
        if (answer != 0)
            return answer;
    }
    return 0;
}

/* The relations and discrete variables that the equations read and that have changed since they
 * were solved: "x > 1", b. */
static void list_restless(const start_problem *m, char *list, size_t size)
{
    enum { NAMES_MAX = 4 };
    const double *now = m->values->x, *before = m->discrete->old;
    const value_places *at = &m->values->place;
    char text[160];
    int n = 0;
    for (uint32_t k = 0; k < m->flat->n_relations && n < NAMES_MAX; k++)
        if (now[at->relation + k] != before[at->relation + k]) {
            size_t used = strlen(list);
            snprintf(list + used, size - used, "%s%s", n++ ? ", " : "",
                     compiled_relation_text(m->compiled, k, text, sizeof text));
        }
    for (int32_t k = 0; k < m->reduced->n_discrete && n < NAMES_MAX; k++) {
        uint32_t v = m->reduced->discrete_variable[k];
        size_t used = strlen(list);
        if (now[at->discrete + (uint32_t)k] != before[at->discrete + (uint32_t)k] &&
            !m->flat->variables[v].hidden)
            snprintf(list + used, size - used, "%s%s", n++ ? ", " : "",
                     variable_text(m->reduced, v));
    }
}

/* Every solution of the equations asks for another mode.  Values of delay() that change alone are
 * left to settle_delays. */
static daedal_status fail_restless(start_problem *m)
{
    char list[400] = "";
    list_restless(m, list, sizeof list);
    if (!*list)
        return DAEDAL_OK;
    fail(m->why, DAEDAL_ERR_START,
         "the start at t = %.10g does not settle: whenever the equations are solved with the "
         "values of %s, their solution changes these",
         m->values->x[0], list);
    hint(m->why, "look for start values, initial equations and conditions that contradict each "
                 "other");
    m->why->t = m->values->x[0];
    set_cause(m->why, DAEDAL_CAUSE_EVENT_ITERATION);
    return DAEDAL_ERR_START;
}

/* True if something that the equations of the start read has changed since they were solved. */
static bool mode_has_changed(const start_problem *m)
{
    for (uint32_t k = m->values->place.discrete; k < m->values->place.n; k++)
        if (m->is_read[k] && m->values->x[k] != m->discrete->old[k])
            return true;
    return discrete_affects_equations(m->discrete);
}

/* Where the passes do not end, operands that differ by less than the solutions are accurate count
 * as equal: a velocity of 1e-14 has no sign. */
daedal_status start_settle(start_problem *m)
{
    const double of_rtol = 1e-3; /* as the absolute tolerance of a run */
    bool solved = false, changed;
    for (int pass = 0; pass < PASSES_MAX; pass++) {
        m->discrete->search->nothing = pass < PASSES_MAX / 2 ? 0.0 : of_rtol * m->discrete->rtol;
        int answer = settle_at_start(m, pass > 0);
        if (answer == 0)
            answer = delays_start(m->discrete, &changed);
        if (answer == 0 && m->discrete->delays)
            answer = settle_at_start(m, pass > 0);
        if (answer != 0)
            return compiled_fail_call(m->compiled, answer);
        if (solved && !mode_has_changed(m))
            return DAEDAL_OK;
        if (solved && pass == PASSES_MAX - 1)
            return fail_restless(m);
        daedal_status status = start_solve(m, solved);
        if (solved && failure_is(status, NUMERIC_FAILURE))
            status = start_solve(m, false);
        if (status < 0 && m->has_late_rules && pass == 0)
            continue; /* the default values of those parameters may be at fault */
        TRY(status);
        solved = true;
        discrete_note_solved(m->discrete);
    }
    return DAEDAL_OK;
}

/* At the start delays have the present values of what they delay.  Those that depend on one another
 * in a ring take as many passes as they are. */
static daedal_status settle_delays(start_problem *m)
{
    for (size_t pass = 0; pass < PASSES_MAX + 2 * m->flat->n_delays; pass++) {
        bool changed = false;
        int answer = delays_start(m->discrete, &changed);
        if (answer != 0)
            return compiled_fail_call(m->compiled, answer);
        if (!changed && !discrete_affects_equations(m->discrete))
            return DAEDAL_OK;
        TRY(discrete_iterate(m->discrete));
    }
    fail(m->why, DAEDAL_ERR_START,
         "the values of delay() at t = %.10g do not settle: before the start a delay has the "
         "value of its argument there, which depends on the delay itself",
         m->values->x[0]);
    m->why->t = m->values->x[0];
    return DAEDAL_ERR_START;
}

static daedal_status first_event(start_problem *m)
{
    values_set(m->values, m->values->place.initial, 0.0);
    discrete_update_pre(m->discrete);
    discrete_update_pre_of_states(m->discrete);
    TRY(discrete_begin_samples(m->discrete));
    discrete_mark_samples(m->discrete);
    int answer = discrete_note_left_limits(m->discrete);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    TRY(discrete_iterate(m->discrete));
    TRY(discrete_end_samples(m->discrete));
    return settle_delays(m);
}

static void reset_values(start_problem *m)
{
    memset(m->values->x, 0, m->values->place.n * sizeof(double));
    memset(m->discrete->warned, 0, m->flat->n_asserts * sizeof *m->discrete->warned);
    m->values->version++;
    m->n_open = 0;
    delays_forget(m->discrete);
    compiled_forget(m->compiled);
    m->discrete->terminated = false;
    m->discrete->search->choice = CHOOSE_ALL;
    discrete_begin_accumulation(m->discrete);
    m->discrete->search->record->t = NAN;
    for (size_t k = 0; k < m->discrete->n_memories; k++)
        m->discrete->relation[k] =
            (model_relation){.kind = m->discrete->relation[k].kind,
                             .reads_mode = m->discrete->relation[k].reads_mode,
                             .reads_algebraic = m->discrete->relation[k].reads_algebraic,
                             .may_rest = m->discrete->relation[k].may_rest,
                             .nominal = m->discrete->relation[k].nominal};
    /* never zero, so that a relation that begins with equal operands can change */
    discrete_set_hysteresis(m->discrete);
}

daedal_status start_prepare_values(start_problem *m)
{
    reset_values(m);
    m->values->x[0] = m->discrete->t_start;
    values_set(m->values, m->values->place.initial, 1.0);
    values_set(m->values, m->values->place.homotopy, 1.0);
    inputs_begin(m->discrete);
    TRY(set_discrete_starts(m));
    bool changed = false;
    int answer = discrete_assign(m->discrete, &changed);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    return set_starts(m);
}

/* A fixed value that the equations contradict is an error.  Copies and constant variables have
 * start values of their own, which are checked here, too. */
static daedal_status check_fixed(start_problem *m)
{
    for (int32_t u = 0; u < m->reduced->n_unknowns; u++) {
        const flat_variable *v = &m->flat->variables[m->reduced->unknown[u]];
        bool fixed = v->fixed || start_is_overridden(m, m->reduced->unknown[u]);
        if (!fixed || v->type != FLAT_REAL)
            continue;
        double start = start_written(m, m->reduced->unknown[u]);
        double value = origin_value(m->compiled->origin[m->reduced->unknown[u]], m->values->x);
        double size = fmax(fabs(start), fabs(value));
        size = fmax(size, v->nominal > 0.0 ? v->nominal : 1.0);
        if (fabs(value - start) <= FIXED_START_TOLERANCE * m->discrete->rtol * size)
            continue;
        fail(m->why, DAEDAL_ERR_START,
             "the start value of %s is fixed at %.10g, but the equations require %.10g",
             variable_text(m->reduced, m->reduced->unknown[u]), start, value);
        m->why->t = m->values->x[0];
        return DAEDAL_ERR_START;
    }
    return DAEDAL_OK;
}

/* Start values that depend on parameters of the start are evaluated anew; true: some changed. */
static bool renew_starts(start_problem *m)
{
    bool changed = false;
    for (int32_t j = 0; j < m->reduced->n; j++) {
        if (m->start_of[j] == EXPR_NONE || m->given_by_initial_equation[j] ||
            start_is_overridden(m, m->start_from[j]) ||
            !expr_has(&m->flat->graph, m->start_of[j], EXPR_HAS_VARIABLE))
            continue;
        double now = m->start_factor[j] * compiled_evaluate(m->compiled, m->start_of[j]);
        if (isfinite(now) && fabs(now - m->start[j]) > m->discrete->rtol * fabs(now)) {
            m->start[j] = m->values->x[m->values->place.y + (uint32_t)j] = now;
            changed = true;
        }
    }
    return changed;
}

static daedal_status settle_with_starts(start_problem *m)
{
    enum { RENEWALS_MAX = 5 };
    TRY(start_settle(m));
    for (int pass = 0; pass < RENEWALS_MAX && m->flat->n_initials > 0 && renew_starts(m); pass++)
        TRY(start_settle(m));
    return DAEDAL_OK;
}

/* True if the mode that was found is a start although its equations bind states: they determine
 * everything, the relations agree with them, and no fixed value has moved.  A diode onto a
 * capacitor conducts a current that only the derivative of the source tells. */
static bool is_start_of_bound_states(start_problem *m)
{
    if (!discrete_relations_are_true(m->discrete) || !start_is_determined(m))
        return false;
    bool fixed_stay = check_fixed(m) == DAEDAL_OK;
    diagnosis_clear(m->why);
    return fixed_stay;
}

/* A mode in which the equations are singular is used only if there is no other, or only others that
 * contradict a relation whose operands they make equal. */
static daedal_status settle_in_some_mode(start_problem *m)
{
    bool found = false;
    daedal_status status = settle_with_starts(m);
    if (failure_is(status, NUMERIC_FAILURE))
        return start_search_modes(m, status, true, &found);
    if (status < 0 || !start_is_singular(m))
        return status;
    bool is_start = is_start_of_bound_states(m);
    TRY(start_search_modes(m, DAEDAL_OK, !is_start, &found));
    if (found || (!is_start && !start_is_singular(m))) /* the first event may move states */
        return DAEDAL_OK;
    TRY(start_prepare_values(m));
    return settle_with_starts(m);
}

/* If the model uses homotopy(), solve by continuation, which also selects the intended one of
 * several solutions.  If that fails, solve as if there were no homotopy(). */
static daedal_status solve_initial(start_problem *m)
{
    TRY(start_prepare_values(m));
    if (!m->flat->has_homotopy)
        return settle_in_some_mode(m);
    daedal_status status = start_follow_homotopy(m);
    if (status == DAEDAL_OK)
        status = start_settle(m);
    if (status == DAEDAL_OK)
        return evaluate_starts(m); /* the continuation has used them as guesses */
    if (status == DAEDAL_ERR_MEMORY || status == DAEDAL_STOPPED)
        return status;
    diagnosis_clear(m->why);
    start_rows_free(m); /* their weights depend on the guesses */
    TRY(start_prepare_values(m));
    return settle_in_some_mode(m);
}

static daedal_status find_start(start_problem *m)
{
    TRY(solve_initial(m));
    TRY(check_fixed(m));
    TRY(start_rows_report(m));
    TRY(discrete_check_asserts(m->discrete, true)); /* while initial() is true */
    TRY(first_event(m));
    int answer = discrete_set_bands(m->discrete);
    if (answer != 0)
        return compiled_fail_call(m->compiled, answer);
    return delays_begin(m->discrete);
}

/* Any numeric failure here means that no start was found. */
daedal_status start_initialize(start_problem *m)
{
    daedal_status status = find_start(m);
    if (status == DAEDAL_ERR_MEMORY)
        return fail(m->why, status, "out of memory for the start");
    return failure_is(status, NUMERIC_FAILURE) ? (m->why->status = DAEDAL_ERR_START) : status;
}
