/* reduce/reduced.c - see reduced.h: the outline, from the flat model to the reduced system.  Read
 * build first.                                                           */
#include "reduce/reduced.h"
#include "reduce/repairs.h"

/* ---- unknowns and discrete variables ---- */

static bool is_unknown(const flat_variable *v)
{
    return v->variability == FLAT_CONTINUOUS && v->value == EXPR_NONE && flat_is_computed(v->type);
}

static bool is_discrete(const flat_variable *v)
{
    return (v->variability == FLAT_DISCRETE || v->variability == FLAT_PARAMETER) &&
           flat_is_computed(v->type);
}

static bool list_variables(reduced_model *m)
{
    const flat_model *f = m->flat;
    size_t n = f->n_variables + 1;
    m->unknown_of = arena_take(m->mem, n, sizeof *m->unknown_of);
    m->unknown = arena_take(m->mem, n, sizeof *m->unknown);
    m->discrete_of = arena_take(m->mem, n, sizeof *m->discrete_of);
    m->discrete_variable = arena_take(m->mem, n, sizeof *m->discrete_variable);
    m->column = arena_take(m->mem, n, sizeof *m->column);
    if (m->mem->failed)
        return false;
    for (uint32_t v = 0; v < f->n_variables; v++) {
        m->unknown_of[v] = m->discrete_of[v] = m->column[v] = -1;
        if (is_unknown(&f->variables[v])) {
            m->unknown_of[v] = m->n_unknowns;
            m->unknown[m->n_unknowns++] = v;
        } else if (is_discrete(&f->variables[v])) {
            m->discrete_of[v] = m->n_discrete;
            m->discrete_variable[m->n_discrete++] = v;
        }
    }
    return true;
}

/* ---- inputs and variables without equations ---- */

/* Inputs of the whole model without a binding keep their start values. */
static bool bind_inputs(reduced_model *m)
{
    flat_model *f = m->flat;
    sources *say = &f->from->sources;
    size_t n_inputs = 0;
    for (int32_t j = 0; j < m->n_unknowns; j++)
        n_inputs += f->variables[m->unknown[j]].is_input;
    if (n_inputs == 0 || f->n_equations + n_inputs != (size_t)m->n_unknowns)
        return true;
    flat_equation *all =
        arena_copy(m->mem, f->equations, f->n_equations, (size_t)m->n_unknowns, sizeof *all);
    if (!all)
        return false;
    f->equations = all;
    for (int32_t j = 0; j < m->n_unknowns; j++) {
        const flat_variable *v = &f->variables[m->unknown[j]];
        if (!v->is_input)
            continue;
        expr symbol = expr_variable(&f->graph, flat_symbol(FLAT_VALUE, m->unknown[j]));
        expr start = v->start ? v->start : expr_constant(&f->graph, 0.0);
        all[f->n_equations++] =
            (flat_equation){.left = symbol, .right = start, .at = v->at, .end = v->at};
        source_warning(say, v->at, "the input %s is not bound; it keeps its start value",
                       variable_text(m, m->unknown[j]));
    }
    return true;
}

/* Discrete variables without an assignment keep their start values, too. */
static bool warn_undetermined(reduced_model *m)
{
    const flat_model *f = m->flat;
    bool *assigned = arena_take(m->scratch, f->n_variables + 1, sizeof *assigned);
    if (!assigned)
        return false;
    for (size_t k = 0; k < f->n_assignments; k++)
        assigned[f->assignments[k].variable] = true;
    for (int32_t k = 0; k < m->n_discrete; k++) {
        uint32_t v = m->discrete_variable[k];
        const flat_variable *var = &f->variables[v];
        if (!assigned[v] && !var->hidden && var->variability == FLAT_DISCRETE)
            source_warning(&f->from->sources, var->at,
                           "no equation determines %s; it keeps its start value",
                           variable_text(m, v));
    }
    return true;
}

/* ---- the outline ---- */

static bool take_parts(reduced_model *m)
{
    m->aliases = arena_take(m->mem, 1, sizeof *m->aliases);
    m->report = arena_take(m->mem, 1, sizeof *m->report);
    m->repairs = arena_take(m->mem, 1, sizeof *m->repairs);
    if (m->mem->failed)
        return false;
    m->repairs->measured_freedom = -1;
    return true;
}

static daedal_status build(reduced_model *m)
{
    equations system;
    if (!take_parts(m) || !list_variables(m) || !bind_inputs(m) || !warn_undetermined(m) ||
        !reduced_clamp_guarded(m) || !reduced_inline_clamped(m) ||
        !reduced_set_redundant_aside(m) || !reduced_as_written(m, &system))
        return DAEDAL_ERR_MEMORY;
    TRY(reduced_lower_system(m, &system));
    m->report->n_combined = m->repairs->n_repairs;
    if (m->index_left > 1)
        return DAEDAL_OK;
    TRY(reduced_eliminate_explicit(m));
    return reduced_hold_invariants(m) ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

daedal_status reduced_build(reduced_model *m)
{
    daedal_status status = build(m);
    arena_free(m->scratch);
    return status;
}

void reduced_raise_index(reduced_model *m, int32_t index_left, int32_t index)
{
    m->index_left = index_left > m->index_left ? index_left : m->index_left;
    m->report->index = index > m->report->index ? index : m->report->index;
}

/* ---- models that cannot be run ---- */

/* True if the numeric index or its degrees of freedom contradict the system that would be
 * integrated. */
static bool contradicts_numbers(const reduced_model *m)
{
    const numeric_index_result *j = &m->repairs->numeric_index;
    if (m->repairs->unrepairable)
        return true;
    if (j->verdict == NUMERIC_INDEX_UNKNOWN ||
        (j->verdict == NUMERIC_INDEX_SOLVABLE && !j->on_solution))
        return false;
    return j->verdict != NUMERIC_INDEX_SOLVABLE || j->freedom != m->report->states;
}

daedal_status reduced_check_runnable(reduced_model *m)
{
    if (m->repairs->is_contradicted && !reduced_find_numeric_index(m))
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory");
    if (m->repairs->is_contradicted && contradicts_numbers(m))
        return reduced_report_contradiction(m);
    if (m->index_left <= 1)
        return DAEDAL_OK;
    fail(m->why, DAEDAL_ERR_STRUCTURE,
         "the index is %d, and no combination of equations was found that reduces it",
         (int)m->report->index);
    hint(m->why, "differentiate the constraints by hand until the index is one");
    set_cause(m->why, DAEDAL_CAUSE_HIGH_INDEX);
    return DAEDAL_ERR_STRUCTURE;
}
