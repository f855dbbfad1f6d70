/* compile/model_compile.c - see model.h: places of values, tapes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compile/model.h"
#include "hybrid/hybrid.h"
#include "initial/initial.h"

enum { LEVEL_DISCRETE = 1, LEVEL_CONTINUOUS = 3 };

/* ---- places ---- */

static void set_places(model *m)
{
    const flat_model *f = m->flat;
    model_places *p = &m->place;
    uint32_t n = (uint32_t)m->n_system, d = (uint32_t)m->n_discrete;
    p->y = 1;
    p->yp = p->y + n;
    p->discrete = p->yp + n;
    p->pre = p->discrete + d;
    p->pre_y = p->pre + d;
    p->relation = p->pre_y + n;
    p->rounding = p->relation + (uint32_t)f->n_relations;
    p->sample = p->rounding + (uint32_t)f->n_roundings;
    p->delay = p->sample + (uint32_t)f->n_samples;
    p->initial = p->delay + (uint32_t)f->n_delays;
    p->terminal = p->initial + 1;
    p->homotopy = p->terminal + 1;
    p->n = p->homotopy + 1;
}

static int32_t offset(uint32_t base, int32_t number)
{
    return number < 0 ? -1 : (int32_t)base + number;
}

int32_t model_slot(const model *m, uint32_t symbol)
{
    const model_places *p = &m->place;
    uint32_t v = flat_number(symbol);
    switch (flat_kind(symbol)) {
    case FLAT_VALUE:
        return m->column[v] >= 0 ? offset(p->y, m->column[v])
                                 : offset(p->discrete, m->discrete_of[v]);
    case FLAT_DER:
        return offset(p->yp, m->column[v]);
    case FLAT_PRE:
        return m->column[v] >= 0 ? offset(p->pre_y, m->column[v])
                                 : offset(p->pre, m->discrete_of[v]);
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
    }
    return -1;
}

static uint32_t place_on_tape(void *user, uint32_t symbol)
{
    int32_t slot = model_slot(user, symbol);
    return slot < 0 ? 0 : (uint32_t)slot;
}

static uint32_t level_on_tape(void *user, uint32_t symbol)
{
    const model *m = user;
    int32_t slot = model_slot(m, symbol);
    bool continuous = slot < (int32_t)m->place.discrete || flat_kind(symbol) == FLAT_DELAY;
    return continuous ? LEVEL_CONTINUOUS : LEVEL_DISCRETE;
}

/* ---- programs ---- */

bool program_create(model *m, program *p, const expr *roots, size_t n)
{
    return program_create_into(m, p, roots, n, (program_places){NULL, n});
}

bool program_create_into(model *m, program *p, const expr *roots, size_t n, program_places to)
{
    tape_setup setup = {.g = &m->flat->graph,
                        .roots = roots,
                        .n_roots = n,
                        .target = to.target,
                        .inputs = {m->place.n, place_on_tape, level_on_tape, m},
                        .allocator = m->allocator};
    p->n_out = to.n_out;
    if (tape_create(&p->tape, &setup) != DAEDAL_OK)
        return false;
    p->n_work = tape_measure(p->tape).work;
    p->work = memory_take_array(m->allocator, p->n_work, sizeof(double));
    p->out = memory_take_array(m->allocator, p->n_out, sizeof(double));
    if (!p->work || !p->out)
        return false;
    tape_prepare(p->tape, p->work);
    return true;
}

void program_free(model *m, program *p)
{
    memory_give(m->allocator, p->work, p->n_work * sizeof(double));
    memory_give(m->allocator, p->out, p->n_out * sizeof(double));
    tape_free(p->tape);
    *p = (program){0};
}

int program_run(model *m, program *p, double t, const double *y, const double *yp)
{
    if (!p->tape)
        return DAEDAL_CALL_OK;
    size_t n = (size_t)m->n_system, first = m->place.discrete;
    uint32_t level = LEVEL_CONTINUOUS;
    if (p->version != m->version) {
        memcpy(p->work + first, m->x + first, (m->place.n - first) * sizeof(double));
        p->version = m->version;
        level = 0;
    }
    if (y) {
        p->work[0] = t;
        memcpy(p->work + m->place.y, y, n * sizeof(double));
        memcpy(p->work + m->place.yp, yp, n * sizeof(double));
    } else {
        memcpy(p->work, m->x, first * sizeof(double));
    }
    if (m->delays) {
        double *values = p->work + m->place.delay;
        int answer = model_fill_delays(m, y ? t : m->x[0], y, yp, values);
        if (answer != DAEDAL_CALL_OK)
            return answer;
    }
    tape_calls calls = {flat_call, m->flat->functions};
    return tape_run(p->tape, p->work, p->out, level, &calls);
}

/* ---- names ---- */

static const char *derivative_text(model *m, uint32_t variable)
{
    char text[160];
    snprintf(text, sizeof text, "the derivative of %s", model_name(m, variable));
    return arena_text(&m->mem, text, strlen(text));
}

const char *model_equation_text(model *m, uint32_t number)
{
    if (number & EQUATION_OF_DERIVATIVE)
        return derivative_text(m, number & ~EQUATION_OF_DERIVATIVE);
    const flat_equation *e = &m->flat->equations[number];
    char quoted[88], text[128];
    flat_quote(m->flat, e->at, e->end, quoted, sizeof quoted);
    source_place at = sources_place(&m->flat->from->sources, e->at);
    int length =
        snprintf(text, sizeof text, "equation \"%s\" (line %u)", quoted, (unsigned)at.line);
    return length > 0 ? arena_text(&m->mem, text, strlen(text)) : NULL;
}

static bool name_everything(model *m)
{
    size_t n = (size_t)m->n_system;
    m->variable_name = arena_take(&m->mem, n, sizeof *m->variable_name);
    m->equation_name = arena_take(&m->mem, n, sizeof *m->equation_name);
    if (m->mem.failed)
        return false;
    m->variable_name[0] = m->equation_name[0] = "nothing";
    for (int32_t j = 0; j < m->n; j++) {
        m->variable_name[j] = model_name(m, m->variable[j]);
        m->equation_name[j] = model_equation_text(m, m->equation[j]);
    }
    return !m->mem.failed;
}

/* ---- where shown values come from ---- */

/* By variable: where it is computed, or -1. */
static int32_t *computed_slots(model *m)
{
    int32_t *slot = arena_take(&m->mem, m->flat->n_variables + 1, sizeof *slot);
    for (size_t v = 0; v < m->flat->n_variables && slot; v++)
        slot[v] = -1;
    for (int32_t k = 0; k < m->n_computed && slot; k++)
        slot[m->computed[k].variable] = (int32_t)m->place.n + k;
    return slot;
}

static model_origin origin_of(const model *m, uint32_t v, const int32_t *computed)
{
    const flat_model *f = m->flat;
    const flat_variable *var = &f->variables[v];
    if (m->unknown_of[v] >= 0) {
        alias to = m->aliases.of[m->unknown_of[v]];
        if (to.root == ALIAS_CONSTANT)
            return (model_origin){-1, to.value};
        uint32_t root = m->unknown[to.root];
        if (computed[root] >= 0)
            return (model_origin){computed[root], to.value};
        return (model_origin){model_slot(m, flat_symbol(FLAT_VALUE, root)), to.value};
    }
    if (m->discrete_of[v] >= 0)
        return (model_origin){model_slot(m, flat_symbol(FLAT_VALUE, v)), 1.0};
    bool known = var->value != EXPR_NONE && expr_is_constant(&f->graph, var->value);
    return (model_origin){-1, known ? expr_value(&f->graph, var->value) : (double)NAN};
}

/* Which values that change at events the equations read. */
static bool mark_read(model *m)
{
    expr_walker w;
    expr_walker_create(&w, &m->flat->graph);
    bool fine = true;
    for (int32_t i = 0; i < m->n && fine; i++) {
        fine = expr_depends(&w, m->residual[i], EXPR_ALL);
        for (size_t k = 0; k < w.n_found && fine; k++) {
            int32_t slot = model_slot(m, expr_index(&m->flat->graph, w.found[k]));
            if (slot >= 0)
                m->is_read[slot] = true;
        }
    }
    expr_walker_free(&w);
    return fine;
}

static bool make_room(model *m)
{
    m->x = arena_take(&m->mem, m->place.n + (uint32_t)m->n_computed, sizeof *m->x);
    m->old = arena_take(&m->mem, m->place.n, sizeof *m->old);
    m->is_read = arena_take(&m->mem, m->place.n, sizeof *m->is_read);
    m->bad.x = arena_take(&m->mem, 2 * (size_t)m->n_system, sizeof *m->bad.x);
    m->row_size = arena_take(&m->mem, (size_t)m->n_system, sizeof *m->row_size);
    m->jacobian_at = arena_take(&m->mem, 2 * (size_t)m->n_system + 1, sizeof *m->jacobian_at);
    m->origin = arena_take(&m->mem, m->flat->n_variables + 1, sizeof *m->origin);
    const int32_t *computed = computed_slots(m);
    if (m->mem.failed)
        return false;
    for (uint32_t v = 0; v < m->flat->n_variables; v++)
        m->origin[v] = origin_of(m, v, computed);
    return true;
}

daedal_status model_compile(model *m)
{
    set_places(m);
    if (!make_room(m) || !name_everything(m) || !mark_read(m) || !model_compile_computed(m) ||
        !model_compile_constraints(m) ||
        !program_create(m, &m->residuals, m->residual, (size_t)m->n))
        return DAEDAL_ERR_MEMORY;
    TRY(model_compile_jacobian(m));
    TRY(model_compile_hybrid(m));
    return model_compile_initial(m);
}
