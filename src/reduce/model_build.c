/* reduce/model_build.c - see model.h: the outline, from a flat model to one that can be run.  Read
 * `build` first.                                                                 */
#include "compile/model.h"
#include "hybrid/hybrid.h"
#include "initial/initial.h"
#include "initial/start_rows.h"
#include "reduce/model_repair.h"
#include "simulate/simulate.h"

/* ---- which variables take part ---- */

static bool is_unknown(const flat_variable *v)
{
    return v->variability == FLAT_CONTINUOUS && v->value == EXPR_NONE && v->type != FLAT_STRING;
}

static bool is_discrete(const flat_variable *v)
{
    return (v->variability == FLAT_DISCRETE || v->variability == FLAT_PARAMETER) &&
           v->type != FLAT_STRING;
}

static bool list_variables(model *m)
{
    const flat_model *f = m->flat;
    size_t n = f->n_variables + 1;
    m->unknown_of = arena_take(&m->mem, n, sizeof *m->unknown_of);
    m->unknown = arena_take(&m->mem, n, sizeof *m->unknown);
    m->discrete_of = arena_take(&m->mem, n, sizeof *m->discrete_of);
    m->discrete_variable = arena_take(&m->mem, n, sizeof *m->discrete_variable);
    m->column = arena_take(&m->mem, n, sizeof *m->column);
    if (m->mem.failed)
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

/* ---- what the text leaves open ---- */

/* Inputs of the whole model that nothing determines keep their start values. */
static bool bind_inputs(model *m)
{
    flat_model *f = m->flat;
    sources *say = &f->from->sources;
    size_t n_inputs = 0;
    for (int32_t j = 0; j < m->n_unknowns; j++)
        n_inputs += f->variables[m->unknown[j]].is_input;
    if (n_inputs == 0 || f->n_equations + n_inputs != (size_t)m->n_unknowns)
        return true;
    flat_equation *all =
        arena_copy(&m->mem, f->equations, f->n_equations, (size_t)m->n_unknowns, sizeof *all);
    if (!all)
        return false;
    f->equations = all;
    for (int32_t j = 0; j < m->n_unknowns; j++) {
        const flat_variable *v = &f->variables[m->unknown[j]];
        if (!v->is_input)
            continue;
        expr symbol = expr_variable(&f->graph, flat_symbol(FLAT_VALUE, m->unknown[j]));
        expr start = v->start ? v->start : expr_constant(&f->graph, 0.0);
        all[f->n_equations++] = (flat_equation){symbol, start, v->at, v->at};
        source_warning(say, v->at, "the input %s is not bound; it keeps its start value",
                       model_name(m, m->unknown[j]));
    }
    return true;
}

/* Discrete variables that nothing determines keep their start values too. */
static bool warn_of_idle(model *m)
{
    const flat_model *f = m->flat;
    bool *assigned = arena_take(&m->mem, f->n_variables + 1, sizeof *assigned);
    if (!assigned)
        return false;
    for (size_t k = 0; k < f->n_assignments; k++)
        assigned[f->assignments[k].variable] = true;
    for (int32_t k = 0; k < m->n_discrete; k++) {
        uint32_t v = m->discrete_variable[k];
        const flat_variable *var = &f->variables[v];
        if (!assigned[v] && !var->hidden && var->variability == FLAT_DISCRETE)
            source_warning(&f->from->sources, var->at,
                           "nothing determines %s; it keeps its start value", model_name(m, v));
    }
    return true;
}

/* ---- the outline ---- */

static daedal_status build(model *m)
{
    if (!list_variables(m) || !bind_inputs(m) || !warn_of_idle(m))
        return DAEDAL_ERR_MEMORY;
    equations system;
    if (!model_write_out(m, &system))
        return DAEDAL_ERR_MEMORY;
    TRY(model_reduce(m, &system));
    if (m->index_left <= 1) {
        TRY(model_take_out_explicit(m));
        TRY(model_compile(m));
        TRY(model_check_index(m));
        if (!model_compile_watch(m))
            return DAEDAL_ERR_MEMORY;
    }
    m->report.n_combined = m->n_repairs;
    return DAEDAL_OK;
}

daedal_status model_create(model *m, flat_model *flat, const model_setup *setup)
{
    *m = (model){.flat = flat, .version = 1, .measured_freedom = -1};
    if (setup) {
        m->allocator = setup->allocator;
        m->reduction = setup->reduction;
        m->levels = setup->levels;
        m->baumgarte = setup->baumgarte;
    }
    arena_create(&m->mem, m->allocator, 0);
    expr_walker_create(&m->walker, &flat->graph);
    diagnosis_clear(&m->why);
    daedal_status status = build(m);
    if (status == DAEDAL_ERR_MEMORY)
        fail(&m->why, status, "out of memory for the model");
    return status;
}

void model_free(model *m)
{
    program *all[] = {&m->residuals,
                      &m->jacobian,
                      &m->events,
                      &m->assigns,
                      &m->relations,
                      &m->actions,
                      &m->samples_program,
                      &m->rules_program,
                      &m->computed_program,
                      &m->constraint_slopes,
                      &m->constraints_program,
                      &m->held.values,
                      &m->held.slopes,
                      &m->watch.leading};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        program_free(m, all[k]);
    model_free_delays(m);
    start_rows_free(m);
    model_free_twin(m);
    expr_walker_free(&m->walker);
    pattern_free(&m->pattern);
    pattern_free(&m->slope_pattern);
    pattern_free(&m->constraint_pattern);
    pattern_free(&m->held.pattern);
    arena_free(&m->mem);
}

/* ---- can it be run? ---- */

/* Where the structure misled: does what will be integrated agree with what numbers say? */
static bool is_doubtful(const model *m)
{
    const model_judgement *j = &m->judgement;
    if (m->unrepairable)
        return true;
    if (j->verdict == JUDGED_UNKNOWN || (j->verdict == JUDGED_SOLVABLE && !j->on_solution))
        return false;
    return j->verdict != JUDGED_SOLVABLE || j->freedom != m->report.states;
}

daedal_status model_check_runnable(model *m)
{
    if (m->misled && !model_judge(m))
        return fail(&m->why, DAEDAL_ERR_MEMORY, "out of memory");
    if (m->misled && is_doubtful(m))
        return model_complain_misled(m);
    if (m->index_left <= 1)
        return DAEDAL_OK;
    fail(&m->why, DAEDAL_ERR_STRUCTURE,
         "index %d, and no combination of equations was found that lowers it",
         (int)m->report.index);
    hint(&m->why, "differentiate the constraints by hand until the index is one");
    return DAEDAL_ERR_STRUCTURE;
}
