/* reduce/reduction_steps.c - see reduced.h: from the equations as written to a system of index one
 * at most.
 *
 * Aliases and constants are eliminated (alias.h), the rest is analysed (analysis.h); where numbers
 * contradict the structure, equations are rewritten (repairs.h) and analysed again; then equations
 * are differentiated as the offsets require (lowering.c).                        */
#include <string.h>

#include "reduce/reduced.h"
#include "reduce/repairs.h"

/* ---- symbols as unknowns ---- */

static equations_place place_of(void *user, uint32_t symbol)
{
    const reduced_model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    if (kind != FLAT_VALUE && kind != FLAT_DER)
        return (equations_place){EQUATIONS_KNOWN, 0};
    int32_t unknown = m->unknown_of[flat_number(symbol)];
    return (equations_place){unknown, kind == FLAT_DER};
}

static uint32_t symbol_of(void *user, int32_t unknown, int32_t order)
{
    const reduced_model *m = user;
    return flat_symbol(order > 0 ? FLAT_DER : FLAT_VALUE, m->unknown[unknown]);
}

/* pre(x) follows x; constants that were left as symbols become their values. */
static expr image_of_known(void *user, uint32_t symbol)
{
    reduced_model *m = user;
    expr_graph *g = &m->flat->graph;
    uint32_t v = flat_number(symbol);
    if (flat_kind(symbol) == FLAT_VALUE && m->flat->variables[v].variability == FLAT_CONSTANT)
        return m->flat->variables[v].value;
    if (flat_kind(symbol) != FLAT_PRE || m->unknown_of[v] < 0)
        return EXPR_NONE;
    alias to = alias_resolve(m->aliases->of, m->unknown_of[v]);
    if (to.root == ALIAS_CONSTANT)
        return to.factor < 0.0 ? expr_neg(g, to.constant) : to.constant;
    if (to.root == m->unknown_of[v])
        return EXPR_NONE;
    expr root = expr_variable(g, flat_symbol(FLAT_PRE, m->unknown[to.root]));
    return to.factor < 0.0 ? expr_neg(g, root) : root;
}

bool reduced_as_written(const reduced_model *m, equations *system)
{
    flat_model *f = m->flat;
    *system = (equations){.g = &f->graph,
                          .n = (int32_t)f->n_equations,
                          .n_unknowns = m->n_unknowns,
                          .parts = EXPR_INCIDENCE,
                          .place = place_of,
                          .user = (void *)(uintptr_t)m};
    system->residual = arena_take(m->scratch, f->n_equations + 1, sizeof *system->residual);
    if (!system->residual)
        return false;
    for (size_t i = 0; i < f->n_equations; i++)
        system->residual[i] = expr_sub(&f->graph, f->equations[i].left, f->equations[i].right);
    return !f->graph.failed;
}

/* ---- aliases ---- */

/* Of two equal variables the one with the larger preference represents both. */
static int32_t preference_of(const reduced_model *m, const analysis *a, int32_t unknown)
{
    const flat_variable *v = &m->flat->variables[m->unknown[unknown]];
    const daedal_pattern *p = &a->incidence.pattern.view;
    int32_t differentiated = 0;
    for (int32_t q = p->start[unknown]; q < p->start[unknown + 1]; q++)
        differentiated |= a->incidence.order[q] > 0;
    return differentiated * 64 + (int32_t)v->select * 8 + v->fixed * 4 + v->has_start * 2 +
           !v->hidden;
}

static bool eliminate(reduced_model *m, equations *system, const analysis *a)
{
    exprs others = reduced_list_others(m);
    int32_t *preference = arena_take(m->scratch, (size_t)m->n_unknowns + 1, sizeof *preference);
    expr *values = arena_take(m->scratch, others.n + 1, sizeof *values);
    if (m->scratch->failed)
        return false;
    for (int32_t j = 0; j < m->n_unknowns; j++)
        preference[j] = preference_of(m, a, j);
    for (size_t k = 0; k < others.n; k++)
        values[k] = *others.at[k];
    alias_task task = {.system = system,
                       .preference = preference,
                       .symbol = symbol_of,
                       .others = values,
                       .n_others = others.n,
                       .other_image = image_of_known,
                       .mem = m->mem};
    if (!alias_eliminate(m->aliases, &task))
        return false;
    for (size_t k = 0; k < others.n; k++)
        *others.at[k] = values[k];
    return true;
}

/* The incidence of the equations as written is without fault: it is their numbers. */
static daedal_status fail_equation(reduced_model *m, int32_t i, const char *what)
{
    const flat_equation *e = &m->flat->equations[i];
    char quoted[256];
    flat_quote(m->flat, e->at, e->end, quoted, sizeof quoted);
    source_error(&m->flat->from->sources, e->at, "%s", what);
    fail(m->why, DAEDAL_ERR_STRUCTURE, "%s: %s", what, quoted);
    hint(m->why, "remove this equation, and add the one that is missing");
    set_cause(m->why, DAEDAL_CAUSE_REDUNDANT_EQUATIONS);
    return DAEDAL_ERR_STRUCTURE;
}

/* ---- the reduced system ---- */

static bool set_reduced_system(reduced_model *m, const equations *system)
{
    size_t n = (size_t)m->aliases->n_kept + 1;
    m->variable = arena_take(m->mem, (size_t)m->n_unknowns + 1, sizeof *m->variable);
    m->equation = arena_take(m->mem, n, sizeof *m->equation);
    m->residual = arena_take(m->mem, n, sizeof *m->residual);
    if (m->mem->failed)
        return false;
    for (int32_t j = 0; j < m->n_unknowns; j++)
        if (m->aliases->of[j].root == j) {
            m->column[m->unknown[j]] = m->n;
            m->variable[m->n++] = m->unknown[j];
        }
    for (int32_t i = 0; i < m->aliases->n_kept; i++) {
        m->equation[i] = (uint32_t)m->aliases->kept[i];
        m->residual[i] = system->residual[m->aliases->kept[i]];
    }
    m->n_rows = m->aliases->n_kept;
    m->n_system = m->n > 0 ? m->n : 1;
    return true;
}

static equations_place place_of_reduced(void *user, uint32_t symbol)
{
    const reduced_model *m = user;
    flat_symbol_kind kind = flat_kind(symbol);
    if (kind != FLAT_VALUE && kind != FLAT_DER)
        return (equations_place){EQUATIONS_KNOWN, 0};
    return (equations_place){m->column[flat_number(symbol)], kind == FLAT_DER};
}

static bool keep_order(reduced_model *m, const components *from)
{
    size_t n = (size_t)m->n + 1, blocks = (size_t)from->n_blocks + 1;
    model_order *to = &m->order;
    to->row = arena_take(m->mem, n, sizeof *to->row);
    to->column = arena_take(m->mem, n, sizeof *to->column);
    to->start = arena_take(m->mem, blocks, sizeof *to->start);
    if (m->mem->failed)
        return false;
    memcpy(to->start, from->start, blocks * sizeof *to->start);
    memcpy(to->row, from->row, (size_t)m->n * sizeof *to->row);
    memcpy(to->column, from->col, (size_t)m->n * sizeof *to->column);
    to->n_blocks = from->n_blocks;
    return true;
}

static void mark_differential(reduced_model *m, const analysis *a)
{
    const daedal_pattern *p = &a->incidence.pattern.view;
    for (int32_t j = 0; j < m->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            m->differential[j] = m->differential[j] || a->incidence.order[q] > 0;
}

static daedal_status fail_structure(reduced_model *m, const analysis *a)
{
    if (m->repairs->n_repairs > 0) /* the rows differ from the equations in the text */
        return reduced_is_repairable(m) ? reduced_report_singular(m, a) : DAEDAL_ERR_STRUCTURE;
    if (m->aliases->idle >= 0)
        return fail_equation(m, m->aliases->idle,
                             "this equation is redundant: it follows from other equations, so "
                             "that another unknown is undetermined");
    reduced_report_imbalance(m, a);
    set_cause(m->why, DAEDAL_CAUSE_REDUNDANT_EQUATIONS);
    return DAEDAL_ERR_STRUCTURE;
}

static equations reduced_system(reduced_model *m)
{
    return (equations){.g = &m->flat->graph,
                       .residual = m->residual,
                       .n = m->n_rows,
                       .n_unknowns = m->n,
                       .parts = EXPR_INCIDENCE,
                       .place = place_of_reduced,
                       .user = m};
}

/* The structure of the current system; the caller frees *a. */
static daedal_status analyze_reduced(reduced_model *m, analysis *a)
{
    equations system = reduced_system(m);
    daedal_status status = analysis_create(a, &system, m->allocator);
    if (status == DAEDAL_ERR_STRUCTURE)
        return fail_structure(m, a);
    m->differential = arena_take(m->mem, (size_t)m->n_system, sizeof *m->differential);
    if (status == DAEDAL_OK && (!m->differential || (m->n > 0 && !keep_order(m, &a->order))))
        status = DAEDAL_ERR_MEMORY;
    if (status == DAEDAL_OK) {
        mark_differential(m, a);
        m->index_left = a->index;
    }
    return status;
}

/* Analyse and repair until numbers do not contradict the structure.  Every round rewrites an
 * equation and removes a degree of freedom that does not exist. */
static daedal_status analyze_and_repair(reduced_model *m, analysis *a)
{
    daedal_status status = analyze_reduced(m, a);
    bool changed = true;
    if (status == DAEDAL_OK && !reduced_save_unrepaired(m))
        return DAEDAL_ERR_MEMORY;
    for (int32_t round = 0; round <= m->n && status == DAEDAL_OK && changed; round++) {
        equations system = reduced_system(m);
        status = reduced_repair(m, &system, a, &changed);
        if (status == DAEDAL_OK && changed) {
            analysis_free(a);
            status = analyze_reduced(m, a);
        }
    }
    if (status == DAEDAL_ERR_STRUCTURE && m->repairs->unrepairable) {
        reduced_restore_unrepaired(m);
        analysis_free(a);
        status = analyze_reduced(m, a);
    }
    return status;
}

static daedal_status analyze_and_lower(reduced_model *m)
{
    analysis a, again;
    daedal_status status = analyze_and_repair(m, &a);
    if (status == DAEDAL_OK) {
        m->report->blocks = a.order.n_blocks;
        m->report->largest_block = a.order.largest;
        m->report->states = (int32_t)a.offsets.degrees_of_freedom;
        if (m->repairs->measured_freedom >= 0)
            m->report->states = m->repairs->measured_freedom;
        if (m->repairs->n_repairs > 0 ||
            m->repairs->measured_freedom >= 0) /* the structural number is too large */
            m->report->degrees_of_freedom = m->report->states;
        if (m->repairs->n_repairs > 0 && !reduced_note_repaired_indices(m, &a))
            status = DAEDAL_ERR_MEMORY;
    }
    if (status == DAEDAL_OK && a.differentiated > 0) {
        status = reduced_lower_index(m, &a.offsets);
        m->n_rows = m->n;
        if (status == DAEDAL_OK) {
            status = analyze_reduced(m, &again);
            analysis_free(&again);
        }
    }
    analysis_free(&a);
    return status;
}

/* True if the equation defines the variable as an abbreviation, v = e or e = v. */
static bool defines(const reduced_model *m, int32_t row, int32_t col)
{
    const flat_equation *e = &m->flat->equations[row];
    const expr_graph *g = &m->flat->graph;
    uint32_t symbol = flat_symbol(FLAT_VALUE, m->unknown[col]);
    if (m->flat->variables[m->unknown[col]].has_start)
        return false; /* it is an unknown in its own right */
    return (expr_is_variable(g, e->left) && expr_index(g, e->left) == symbol) ||
           (expr_is_variable(g, e->right) && expr_index(g, e->right) == symbol);
}

/* The index without variables that abbreviate an expression, v = e: an ODE with such definitions is
 * an ODE.                                                   */
static int32_t index_of(const reduced_model *m, const analysis *a)
{
    const components *o = &a->order;
    int32_t raised = 0, algebraic = 0;
    for (int32_t b = 0; b < o->n_blocks; b++)
        for (int32_t k = o->start[b]; k < o->start[b + 1]; k++) {
            bool alone = o->start[b + 1] - o->start[b] == 1;
            int32_t c = a->offsets.c[o->row[k]], d = a->offsets.d[o->col[k]];
            raised = c > raised ? c : raised;
            if (d == 0 && !(alone && defines(m, o->row[k], o->col[k])))
                algebraic = 1;
        }
    return raised + (raised > 0 ? a->index > raised : algebraic);
}

static void report_written(reduced_model *m, const analysis *a)
{
    daedal_model_structure *r = m->report;
    r->equations = (int32_t)m->flat->n_equations;
    r->unknowns = m->n_unknowns;
    r->structural_index = a->index;
    r->index = index_of(m, a);
    r->degrees_of_freedom = (int32_t)a->offsets.degrees_of_freedom;
    r->n_differentiated = a->differentiated;
}

daedal_status reduced_lower_system(reduced_model *m, equations *system)
{
    analysis a;
    daedal_status status = analysis_create(&a, system, m->allocator);
    if (status == DAEDAL_OK) {
        report_written(m, &a);
        status = reduced_note_indices(m, &a) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
    } else if (status == DAEDAL_ERR_STRUCTURE)
        status = reduced_report_imbalance(m, &a);
    if (status == DAEDAL_OK && !eliminate(m, system, &a))
        status = DAEDAL_ERR_MEMORY;
    analysis_free(&a);
    TRY(status);
    if (m->aliases->empty >= 0)
        return fail_equation(m, m->aliases->empty,
                             "this equation contradicts the others: together they require two "
                             "different numbers to be equal");
    m->report->aliases = m->aliases->removed;
    if (!set_reduced_system(m, system))
        return DAEDAL_ERR_MEMORY;
    return analyze_and_lower(m);
}
