/* compile/compiled.c - see compiled.h: places of values, tapes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number_map.h"
#include "compile/compiled.h"

/* ---- places ---- */

/* Whether an expression reads pre(x) of an unknown as written. */
static bool reads_pre_of_unknowns(const compiled_model *m)
{
    const expr_graph *g = &m->flat->graph;
    for (expr e = 1; e < g->n; e++)
        if (expr_is_variable(g, e) && flat_kind(expr_index(g, e)) == FLAT_PRE &&
            m->reduced->unknown_of[flat_number(expr_index(g, e))] >= 0)
            return true;
    return false;
}

static void set_places(compiled_model *m)
{
    const flat_model *f = m->flat;
    value_places *p = &m->values->place;
    uint32_t n = (uint32_t)m->reduced->n_system, d = (uint32_t)m->reduced->n_discrete;
    p->y = 1;
    p->yp = p->y + n;
    p->discrete = p->yp + n;
    p->pre = p->discrete + d;
    p->pre_y = p->pre + d;
    p->relation = p->pre_y + (reads_pre_of_unknowns(m) ? n : 0);
    p->rounding = p->relation + (uint32_t)f->n_relations;
    p->sample = p->rounding + (uint32_t)f->n_roundings;
    p->delay = p->sample + (uint32_t)f->n_samples;
    p->input = p->delay + (uint32_t)f->n_delays;
    p->initial = p->input + FLAT_INPUT_ORDERS * (uint32_t)f->n_inputs;
    p->terminal = p->initial + 1;
    p->homotopy = p->terminal + 1;
    p->n = p->homotopy + 1;
}

static int32_t offset(uint32_t base, int32_t number)
{
    return number < 0 ? -1 : (int32_t)base + number;
}

int32_t compiled_slot(const compiled_model *m, uint32_t symbol)
{
    const value_places *p = &m->values->place;
    uint32_t v = flat_number(symbol);
    switch (flat_kind(symbol)) {
    case FLAT_VALUE:
        return m->reduced->column[v] >= 0 ? offset(p->y, m->reduced->column[v])
                                          : offset(p->discrete, m->reduced->discrete_of[v]);
    case FLAT_DER:
        return offset(p->yp, m->reduced->column[v]);
    case FLAT_PRE:
        return m->reduced->column[v] >= 0 ? offset(p->pre_y, m->reduced->column[v])
                                          : offset(p->pre, m->reduced->discrete_of[v]);
    case FLAT_TIME:
        return 0;
    case FLAT_RELATION:
        return (int32_t)(p->relation + v);
    case FLAT_ROUNDING:
        return (int32_t)(p->rounding + v);
    case FLAT_SAMPLE:
        return (int32_t)(p->sample + v);
    case FLAT_DELAY:
        return (int32_t)(p->delay + v);
    case FLAT_INITIAL:
        return (int32_t)p->initial;
    case FLAT_TERMINAL:
        return (int32_t)p->terminal;
    case FLAT_HOMOTOPY:
        return (int32_t)p->homotopy;
    case FLAT_INPUT:
        return (int32_t)(p->input + v);
    }
    return -1;
}

/* ---- names ---- */

/* The equations of a loop have the same text, which is made once. */
static const char *text_of_row(compiled_model *m, int32_t row, number_map *first)
{
    uint32_t equation = m->reduced->equation[row], same;
    if (equation & EQUATION_OF_DERIVATIVE)
        return equation_text(m->reduced, equation);
    const flat_equation *e = &m->flat->equations[equation];
    uint64_t key = ((uint64_t)e->at << 32 | e->end) + 1;
    if (number_map_find(first, key, &same))
        return m->equation_name[same];
    if (!number_map_put(first, m->mem, key, (uint32_t)row))
        return NULL;
    return equation_text(m->reduced, equation);
}

static bool name_everything(compiled_model *m)
{
    number_map first = {0};
    size_t n = (size_t)m->reduced->n_system;
    m->variable_name = arena_take(m->mem, n, sizeof *m->variable_name);
    m->equation_name = arena_take(m->mem, n, sizeof *m->equation_name);
    if (m->mem->failed)
        return false;
    m->variable_name[0] = m->equation_name[0] = "nothing";
    for (int32_t j = 0; j < m->reduced->n; j++) {
        m->variable_name[j] = variable_text(m->reduced, m->reduced->variable[j]);
        m->equation_name[j] = text_of_row(m, j, &first);
    }
    return !m->mem->failed;
}

/* ---- the values of the variables of the text ---- */

/* By variable: its slot among the computed values, or -1. */
static int32_t *computed_slots(compiled_model *m)
{
    int32_t *slot = arena_take(m->mem, m->flat->n_variables + 1, sizeof *slot);
    for (size_t v = 0; v < m->flat->n_variables && slot; v++)
        slot[v] = -1;
    for (int32_t k = 0; k < m->reduced->n_computed && slot; k++)
        slot[m->reduced->computed[k].variable] = (int32_t)m->values->place.n + k;
    return slot;
}

/* Of a constant, a parameter or an unknown that is constant. */
value_origin compiled_slope_origin(const compiled_model *m, uint32_t variable)
{
    const reduced_model *r = m->reduced;
    int32_t u = r->unknown_of[variable];
    if (u < 0)
        return (value_origin){-1, NAN};
    alias to = r->aliases->of[u];
    int32_t j = to.root == ALIAS_CONSTANT ? -1 : r->column[r->unknown[to.root]];
    if (j < 0 || !r->differential[j])
        return (value_origin){-1, NAN};
    return (value_origin){offset(m->values->place.yp, j), to.factor};
}

static value_origin constant_origin(const compiled_model *m, uint32_t v)
{
    const flat_model *f = m->flat;
    const flat_variable *var = &f->variables[v];
    if (m->reduced->unknown_of[v] >= 0)
        return (value_origin){
            -1, alias_constant(&f->graph, m->reduced->aliases->of[m->reduced->unknown_of[v]])};
    bool known = var->value != EXPR_NONE && expr_is_constant(&f->graph, var->value);
    return (value_origin){-1, known ? expr_value_now(&f->graph, var->value) : (double)NAN};
}

void compiled_follow_parameters(compiled_model *m)
{
    for (uint32_t v = 0; v < m->flat->n_variables; v++)
        if (m->origin[v].slot < 0)
            m->origin[v] = constant_origin(m, v);
}

static value_origin origin_of(const compiled_model *m, uint32_t v, const int32_t *computed)
{
    if (m->reduced->unknown_of[v] >= 0) {
        alias to = m->reduced->aliases->of[m->reduced->unknown_of[v]];
        if (to.root == ALIAS_CONSTANT)
            return constant_origin(m, v);
        uint32_t root = m->reduced->unknown[to.root];
        if (computed[root] >= 0)
            return (value_origin){computed[root], to.factor};
        return (value_origin){compiled_slot(m, flat_symbol(FLAT_VALUE, root)), to.factor};
    }
    if (m->reduced->discrete_of[v] >= 0)
        return (value_origin){compiled_slot(m, flat_symbol(FLAT_VALUE, v)), 1.0};
    return constant_origin(m, v);
}

/* Mark the values that the equations read, and inputs that constraints read.  A relation in a
 * constraint alone is not marked: where it makes a state jump, the run says so.     */
static bool mark_read(compiled_model *m)
{
    const reduced_model *r = m->reduced;
    expr_walker w;
    expr_walker_create(&w, &m->flat->graph);
    bool fine = true;
    for (int32_t i = 0; i < r->n + r->n_constraints && fine; i++) {
        expr e = i < r->n ? r->residual[i] : r->constraint[i - r->n].value;
        fine = expr_depends(&w, e, EXPR_ALL);
        for (size_t k = 0; k < w.n_found && fine; k++) {
            uint32_t symbol = expr_index(&m->flat->graph, w.found[k]);
            int32_t slot = compiled_slot(m, symbol);
            if (slot >= 0 && (i < r->n || flat_kind(symbol) == FLAT_INPUT))
                m->is_read[slot] = true;
        }
    }
    expr_walker_free(&w);
    return fine;
}

/* Mark the inputs that derivatives of the equations or constraints read. */
static bool mark_shaping(compiled_model *m)
{
    const reduced_model *r = m->reduced;
    const compiled_jacobian *jac = m->jacobian;
    size_t n = jac->n_roots + (size_t)r->n_constraints;
    expr_walker w;
    if (m->flat->n_inputs == 0)
        return true;
    if (!jac->exists)
        memcpy(m->shapes, m->is_read, m->values->place.n * sizeof *m->shapes);
    expr_walker_create(&w, &m->flat->graph);
    bool fine = true;
    for (size_t i = 0; i < n && fine; i++) {
        expr e = i < jac->n_roots ? jac->root[i] : r->constraint[i - jac->n_roots].value;
        fine = expr_depends(&w, e, EXPR_ALL);
        for (size_t k = 0; k < w.n_found && fine; k++) {
            uint32_t symbol = expr_index(&m->flat->graph, w.found[k]);
            if (flat_kind(symbol) == FLAT_INPUT)
                m->shapes[compiled_slot(m, symbol)] = true;
        }
    }
    expr_walker_free(&w);
    return fine;
}

/* The expressions of a model one after the other; EXPR_NONE: there are no more. */
static expr expression_of(const reduced_model *r, int32_t i)
{
    int32_t behind = r->n + r->n_constraints;
    if (i < r->n)
        return r->residual[i];
    if (i < behind)
        return r->constraint[i - r->n].value;
    return i < behind + r->n_computed ? r->computed[i - behind].value : EXPR_NONE;
}

/* Mark the inputs whose derivatives are contained in equations, constraints or computed values. */
static bool mark_slopes(compiled_model *m)
{
    expr_walker w;
    if (m->flat->n_inputs == 0)
        return true;
    expr_walker_create(&w, &m->flat->graph);
    bool fine = true;
    for (int32_t i = 0; fine && expression_of(m->reduced, i) != EXPR_NONE; i++) {
        fine = expr_depends(&w, expression_of(m->reduced, i), EXPR_ALL);
        for (size_t k = 0; k < w.n_found && fine; k++) {
            uint32_t symbol = expr_index(&m->flat->graph, w.found[k]), n = flat_number(symbol);
            if (flat_kind(symbol) == FLAT_INPUT && n % FLAT_INPUT_ORDERS > 0)
                m->slope_is_read[n / FLAT_INPUT_ORDERS] = true;
        }
    }
    expr_walker_free(&w);
    return fine;
}

/* By unknown: the largest nominal value of the variables that it stands for; 0: none is given. */
static void choose_nominals(compiled_model *m)
{
    const reduced_model *r = m->reduced;
    for (int32_t u = 0; u < r->n_unknowns; u++) {
        alias to = r->aliases->of[u];
        int32_t j = to.root == ALIAS_CONSTANT ? -1 : r->column[r->unknown[to.root]];
        if (j >= 0)
            m->nominal[j] = fmax(m->nominal[j], fabs(m->flat->variables[r->unknown[u]].nominal));
    }
}

static bool take_parts(compiled_model *m)
{
    m->values = arena_take(m->mem, 1, sizeof *m->values);
    m->delayed = arena_take(m->mem, 1, sizeof *m->delayed);
    m->signals = arena_take(m->mem, 1, sizeof *m->signals);
    m->bad = arena_take(m->mem, 1, sizeof *m->bad);
    m->constraints = arena_take(m->mem, 1, sizeof *m->constraints);
    m->jacobian = arena_take(m->mem, 1, sizeof *m->jacobian);
    return !m->mem->failed;
}

static bool make_room(compiled_model *m)
{
    size_t n = (size_t)m->reduced->n_system, slots = m->values->place.n;
    m->values->version = 1;
    m->values->x = arena_take(m->mem, slots + (size_t)m->reduced->n_computed, sizeof(double));
    m->is_read = arena_take(m->mem, slots, sizeof *m->is_read);
    m->shapes = arena_take(m->mem, slots, sizeof *m->shapes);
    m->slope_is_read = arena_take(m->mem, m->flat->n_inputs + 1, sizeof *m->slope_is_read);
    m->bad->x = arena_take(m->mem, 2 * n, sizeof *m->bad->x);
    m->row_size = arena_take(m->mem, n, sizeof *m->row_size);
    m->nominal = arena_take(m->mem, n, sizeof *m->nominal);
    m->jacobian->at = arena_take(m->mem, 2 * n + 1, sizeof *m->jacobian->at);
    m->origin = arena_take(m->mem, m->flat->n_variables + 1, sizeof *m->origin);
    const int32_t *computed = computed_slots(m);
    if (m->mem->failed)
        return false;
    for (uint32_t v = 0; v < m->flat->n_variables; v++)
        m->origin[v] = origin_of(m, v, computed);
    choose_nominals(m);
    return true;
}

daedal_status compiled_build(compiled_model *m)
{
    m->reduction = m->reduced->setup.reduction;
    if (!take_parts(m))
        return DAEDAL_ERR_MEMORY;
    set_places(m);
    if (!make_room(m) || !name_everything(m) || !mark_read(m) || !mark_slopes(m) ||
        !compiled_add_computed(m) || !compiled_add_constraints(m) ||
        !program_create(m, &m->residuals, m->reduced->residual, (size_t)m->reduced->n))
        return DAEDAL_ERR_MEMORY;
    daedal_status status = compiled_add_jacobian(m);
    return status == DAEDAL_OK && !mark_shaping(m) ? DAEDAL_ERR_MEMORY : status;
}

void compiled_copy_state(const compiled_model *m, state_copy *s)
{
    compiled_jacobian *j = m->jacobian;
    size_t n = (size_t)m->reduced->n_system;
    size_t values = m->values->place.n + (size_t)m->reduced->n_computed;
    state_copy_bytes(s, m->values->x, values * sizeof(double));
    STATE_COPY(s, m->bad->known);
    STATE_COPY(s, m->bad->t);
    state_copy_bytes(s, m->bad->x, 2 * n * sizeof(double));
    STATE_COPY(s, j->known);
    STATE_COPY(s, j->count);
    state_copy_bytes(s, j->at, (2 * n + 1) * sizeof(double));
    size_t bytes = j->exists ? (size_t)pattern_nnz(&j->pattern.view) * sizeof(double) : 0;
    state_copy_bytes(s, j->dy, bytes);
    state_copy_bytes(s, j->dyp, bytes);
}

void compiled_free(compiled_model *m)
{
    program_free(m->allocator, &m->residuals);
    program_free(m->allocator, &m->computed_program);
    if (m->jacobian) {
        program_free(m->allocator, &m->jacobian->program);
        pattern_free(&m->jacobian->pattern);
        pattern_free(&m->jacobian->dyp_pattern);
    }
    if (m->constraints) {
        program_free(m->allocator, &m->constraints->values);
        program_free(m->allocator, &m->constraints->slopes);
        program_free(m->allocator, &m->constraints->held.values);
        program_free(m->allocator, &m->constraints->held.slopes);
        pattern_free(&m->constraints->pattern);
        pattern_free(&m->constraints->held.pattern);
    }
}
