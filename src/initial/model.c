/* initial/model.c - see model.h.  Read `build` first. */
#include "initial/model.h"

#include <math.h>

#include "expr/live.h"
#include "reduce/repairs.h"

/* What all parts share; it is created first. */
typedef struct model_shared {
    arena mem, scratch;
    daedal_diagnosis why;
    expr_walker walker;
    message_log log;
    warning_list warnings;
} model_shared;

static reduced_model reduced_of(const model *m, const model_setup *setup)
{
    return (reduced_model){.flat = m->flat,
                           .allocator = m->allocator,
                           .mem = m->mem,
                           .scratch = &m->shared->scratch,
                           .why = m->why,
                           .walker = m->walker,
                           .setup = setup ? *setup : (model_setup){0}};
}

static compiled_model compiled_of(const model *m)
{
    return (compiled_model){.reduced = m->reduced,
                            .flat = m->flat,
                            .allocator = m->allocator,
                            .mem = m->mem,
                            .why = m->why};
}

static discrete_part discrete_of(const model *m)
{
    return (discrete_part){.reduced = m->reduced,
                           .compiled = m->compiled,
                           .values = m->compiled->values,
                           .flat = m->flat,
                           .allocator = m->allocator,
                           .mem = m->mem,
                           .why = m->why,
                           .log = m->log};
}

static start_problem start_of(const model *m)
{
    return (start_problem){.reduced = m->reduced,
                           .compiled = m->compiled,
                           .discrete = m->discrete,
                           .values = m->compiled->values,
                           .flat = m->flat,
                           .allocator = m->allocator,
                           .mem = m->mem,
                           .why = m->why,
                           .log = m->log};
}

/* The values at the start may show a higher index than the structure. */
static void check_index(model *m)
{
    int32_t lowered = 0, index = start_check_index(m->start);
    for (int32_t k = 0; k < m->reduced->n_constraints; k++)
        if (-m->reduced->constraint[k].level > lowered)
            lowered = -m->reduced->constraint[k].level;
    if (index >= 0)
        reduced_raise_index(m->reduced, index, index + lowered);
}

static daedal_status build(model *m, const model_setup *setup)
{
    m->reduced = arena_take(m->mem, 1, sizeof *m->reduced);
    if (!m->reduced)
        return DAEDAL_ERR_MEMORY;
    *m->reduced = reduced_of(m, setup);
    TRY(reduced_build(m->reduced));
    if (m->reduced->index_left > 1)
        return DAEDAL_OK;
    compiled_model *compiled = arena_take(m->mem, 1, sizeof *compiled);
    discrete_part *discrete = arena_take(m->mem, 1, sizeof *discrete);
    start_problem *start = arena_take(m->mem, 1, sizeof *start);
    if (m->mem->failed)
        return DAEDAL_ERR_MEMORY;
    m->compiled = compiled;
    *compiled = compiled_of(m);
    TRY(compiled_build(compiled));
    m->discrete = discrete;
    *discrete = discrete_of(m);
    TRY(discrete_build(discrete));
    m->start = start;
    *start = start_of(m);
    TRY(start_build(start));
    check_index(m);
    return DAEDAL_OK;
}

daedal_status model_create(model *m, flat_model *flat, const model_setup *setup)
{
    const daedal_allocator *a = setup ? setup->allocator : NULL;
    *m = (model){.flat = flat, .allocator = a};
    model_shared *s = m->shared = memory_take(a, sizeof *s);
    if (!s)
        return DAEDAL_ERR_MEMORY;
    arena_create(&s->mem, a, 0);
    arena_create(&s->scratch, a, 0);
    expr_walker_create(&s->walker, &flat->graph);
    diagnosis_clear(&s->why);
    m->mem = &s->mem;
    m->why = &s->why;
    m->walker = &s->walker;
    s->log.kept = &s->warnings;
    m->log = &s->log;
    daedal_status status = build(m, setup);
    if (status == DAEDAL_ERR_MEMORY)
        fail(m->why, status, "out of memory for the model");
    return status;
}

void model_rest(model *m)
{
    expr_graph_rest(&m->flat->graph);
    expr_walker_free(m->walker);
}

void model_free(model *m)
{
    if (!m->shared)
        return;
    if (m->start)
        start_free(m->start);
    if (m->discrete)
        discrete_free(m->discrete);
    if (m->compiled)
        compiled_free(m->compiled);
    model_shared *s = m->shared;
    expr_walker_free(&s->walker);
    arena_free(&s->scratch);
    arena_free(&s->mem);
    memory_give(m->allocator, s, sizeof *s);
    *m = (model){0};
}

/* ---- parameters ---- */

static double value_of_parameter(void *user, uint32_t symbol)
{
    const model *m = user;
    const flat_variable *v = &m->flat->variables[flat_number(symbol)];
    return v->is_set ? v->set_to : expr_value_now(&m->flat->graph, v->binding);
}

static int call_function(void *user, uint32_t function, const double *args, double *outputs)
{
    const model *m = user;
    return flat_call(m->flat->functions, function, args, outputs);
}

/* Equations that were rewritten because of numbers are right for these numbers only, and the
 * simplified equations of homotopy are a second model. */
static bool rests_on_numbers(const model *m)
{
    return !m->start || m->reduced->repairs->n_repairs > 0 || m->flat->has_homotopy;
}

static double value_wanted(void *user, uint32_t symbol)
{
    const model *m = user;
    const flat_variable *v = &m->flat->variables[flat_number(symbol)];
    if (!v->is_wanted)
        return value_of_parameter(user, symbol);
    return isnan(v->wanted) ? expr_value_now(&m->flat->graph, v->binding) : v->wanted;
}

static expr_live_outcome update(model *m, double (*value)(void *user, uint32_t symbol))
{
    expr_source from = {value, call_function, m};
    return expr_live_update(&m->flat->graph, &from);
}

daedal_status model_want_parameter(model *m, uint32_t variable, double value)
{
    flat_variable *v = &m->flat->variables[variable], before = *v;
    if (v->binding == EXPR_NONE || rests_on_numbers(m))
        return DAEDAL_ERR_STRUCTURE;
    v->is_wanted = true;
    v->wanted = value;
    expr_live_outcome outcome = update(m, value_wanted);
    bool fits = outcome == EXPR_LIVE_FOLLOWED && discrete_keeps_samples(m->discrete);
    if (outcome == EXPR_LIVE_FOLLOWED && update(m, value_of_parameter) != EXPR_LIVE_FOLLOWED)
        outcome = EXPR_LIVE_NO_MEMORY;
    if (!fits)
        *v = before;
    if (outcome == EXPR_LIVE_NO_MEMORY)
        return DAEDAL_ERR_MEMORY;
    return fits ? DAEDAL_OK : DAEDAL_ERR_STRUCTURE;
}

daedal_status model_take_parameters(void *self)
{
    model *m = self;
    for (uint32_t k = 0; k < m->flat->n_variables; k++) {
        flat_variable *v = &m->flat->variables[k];
        if (!v->is_wanted)
            continue;
        v->is_set = !isnan(v->wanted);
        v->set_to = v->wanted;
        v->is_wanted = false;
    }
    if (update(m, value_of_parameter) != EXPR_LIVE_FOLLOWED)
        return fail(m->why, DAEDAL_ERR_MEMORY, "out of memory");
    compiled_follow_parameters(m->compiled);
    return DAEDAL_OK;
}

daedal_status model_set_parameters(model *m, const uint32_t *variables, const double *values,
                                   int32_t n, flat_variable *before)
{
    flat_variable *all = m->flat->variables;
    for (int32_t k = 0; k < n; k++)
        if (all[variables[k]].binding == EXPR_NONE)
            return DAEDAL_ERR_STRUCTURE;
    if (rests_on_numbers(m))
        return DAEDAL_ERR_STRUCTURE;
    for (int32_t k = 0; k < n; k++) {
        before[k] = all[variables[k]];
        all[variables[k]].is_set = !isnan(values[k]);
        all[variables[k]].set_to = values[k];
    }
    expr_live_outcome outcome = update(m, value_of_parameter);
    if (outcome != EXPR_LIVE_FOLLOWED) {
        for (int32_t k = n; k-- > 0;)
            all[variables[k]] = before[k];
        return outcome == EXPR_LIVE_REBUILD ? DAEDAL_ERR_STRUCTURE : DAEDAL_ERR_MEMORY;
    }
    compiled_follow_parameters(m->compiled);
    return DAEDAL_OK;
}

daedal_status model_set_parameter(model *m, uint32_t variable, double value)
{
    flat_variable before;
    return model_set_parameters(m, &variable, &value, 1, &before);
}

static daedal_tuning tuning_of(const model *m, const flat_variable *v, unsigned flags)
{
    if (!v->is_parameter || v->variability != FLAT_CONSTANT)
        return DAEDAL_TUNING_NONE;
    if (v->is_final)
        return DAEDAL_TUNING_FINAL;
    if (v->binding == EXPR_NONE || rests_on_numbers(m) || (flags & EXPR_LIVE_EXACT))
        return DAEDAL_TUNING_STRUCTURE;
    return flags & EXPR_LIVE_DECIDES ? DAEDAL_TUNING_CONDITIONAL : DAEDAL_TUNING_LIVE;
}

daedal_status model_tunings(const model *m, const uint32_t *variables, int32_t n,
                            daedal_tuning *tunings)
{
    const expr_graph *g = &m->flat->graph;
    size_t count = g->n;
    unsigned char *flags = memory_take_array(m->allocator, count, 1);
    if (!flags)
        return DAEDAL_ERR_MEMORY;
    expr_live_decisions(g, flags);
    for (int32_t k = 0; k < n; k++) {
        const flat_variable *v = &m->flat->variables[variables[k]];
        bool follows = v->binding != EXPR_NONE && expr_is_live(g, v->value);
        unsigned none = v->binding == EXPR_NONE ? 0 : EXPR_LIVE_EXACT; /* the value 0 decides */
        tunings[k] = tuning_of(m, v, follows ? flags[expr_live_formula(g, v->value)] : none);
    }
    memory_give(m->allocator, flags, count);
    return DAEDAL_OK;
}

const char *model_message(const model *m)
{
    return m->why ? m->why->message : "";
}
