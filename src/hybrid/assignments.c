/* hybrid/assignments.c - see discrete.h: the discrete assignments.
 *
 * Assignments that read one another are sorted, and the expression of an earlier one is
 * substituted in those that read it, so that one run of one tape computes them all.  Assignments
 * in an algebraic loop read the old values, and the tape runs until nothing changes. */
#include <math.h>
#include <string.h>

#include "compile/compiled.h"
#include "expr/buffer.h"
#include "graph/components.h"
#include "hybrid/discrete.h"

typedef struct items {
    int32_t n;
    uint32_t *variable;
    expr *value;
    int32_t *of;   /* by discrete variable: its item, or -1 */
    bool *in_loop; /* by item: it belongs to an algebraic loop */
} items;

static bool collect_items(discrete_part *m, items *it)
{
    const flat_model *f = m->flat;
    size_t most = f->n_assignments + (size_t)m->reduced->n_discrete + 1;
    it->variable = arena_take(m->mem, most, sizeof *it->variable);
    it->value = arena_take(m->mem, most, sizeof *it->value);
    it->in_loop = arena_take(m->mem, most, sizeof *it->in_loop);
    it->of = arena_take(m->mem, (size_t)m->reduced->n_discrete + 1, sizeof *it->of);
    if (m->mem->failed)
        return false;
    for (int32_t k = 0; k < m->reduced->n_discrete; k++)
        it->of[k] = -1;
    for (size_t k = 0; k < f->n_assignments; k++) {
        if (m->reduced->discrete_of[f->assignments[k].variable] < 0)
            continue;
        it->variable[it->n] = f->assignments[k].variable;
        it->value[it->n++] = f->assignments[k].value;
    }
    for (int32_t k = 0; k < m->reduced->n_discrete; k++) {
        const flat_variable *v = &f->variables[m->reduced->discrete_variable[k]];
        if (v->variability != FLAT_PARAMETER || v->value == EXPR_NONE)
            continue;
        it->variable[it->n] = m->reduced->discrete_variable[k];
        it->value[it->n++] = v->value;
    }
    for (int32_t i = 0; i < it->n; i++)
        it->of[m->reduced->discrete_of[it->variable[i]]] = i;
    return true;
}

/* The item whose result a symbol is, or -1. */
static int32_t item_of(const discrete_part *m, const items *it, uint32_t symbol)
{
    if (flat_kind(symbol) != FLAT_VALUE)
        return -1;
    int32_t k = m->reduced->discrete_of[flat_number(symbol)];
    return k < 0 ? -1 : it->of[k];
}

/* The incidence of items: row i is the item that reads, column j the item whose result is read. */
typedef struct reading {
    const discrete_part *m;
    const items *it;
} reading;

static equations_place result_of(void *user, uint32_t symbol)
{
    const reading *r = user;
    return (equations_place){item_of(r->m, r->it, symbol), 0};
}

/* Rows in the order of items; the diagonal is always there. */
static bool reads_pattern(discrete_part *m, const items *it, pattern *p)
{
    reading r = {m, it};
    expr_graph *g = &m->flat->graph;
    expr *rows = arena_take(m->mem, (size_t)it->n + 1, sizeof *rows);
    if (!rows)
        return false;
    for (int32_t i = 0; i < it->n; i++) { /* a call of both, which nothing simplifies */
        expr own = expr_variable(g, flat_symbol(FLAT_VALUE, it->variable[i]));
        const expr both[2] = {it->value[i], own};
        rows[i] = expr_call(g, (expr_function){UINT32_MAX, 1, 0}, both, 2);
    }
    equations e = {g, rows, it->n, it->n, EXPR_ALL, result_of, &r};
    incidence s = {0};
    bool fine = !g->failed && incidence_create(&s, &e, m->allocator);
    if (fine)
        fine = pattern_copy(p, &s.pattern.view, m->allocator);
    incidence_free(&s);
    return fine;
}

static bool find_loops(discrete_part *m, items *it)
{
    pattern p = {0};
    matching diagonal = {0};
    components blocks = {0};
    bool fine = reads_pattern(m, it, &p) && matching_create(&diagonal, it->n, it->n, m->allocator);
    for (int32_t i = 0; i < it->n && fine; i++)
        matching_join(&diagonal, i, i);
    fine = fine && components_create(&blocks, &p.view, &diagonal, m->allocator);
    for (int32_t b = 0; b < blocks.n_blocks && fine; b++)
        for (int32_t k = blocks.start[b]; k < blocks.start[b + 1]; k++)
            it->in_loop[blocks.row[k]] = blocks.start[b + 1] - blocks.start[b] > 1;
    if (fine)
        components_free(&blocks);
    matching_free(&diagonal);
    pattern_free(&p);
    return fine;
}

/* ---- substituting results in the expressions that read them ---- */

typedef struct inliner {
    discrete_part *m;
    const items *it;
    expr *image; /* by id; EXPR_NONE: not yet */
    uint32_t n;
    expr *stack, *operands;
    size_t n_stack, stack_capacity, operand_capacity;
    bool *open; /* by item: its expression is being rebuilt (it reads itself) */
} inliner;

static bool push(inliner *in, expr e)
{
    expr *grown = buffer_reserve(in->m->allocator, in->stack, &in->stack_capacity, in->n_stack + 1,
                                 sizeof *grown);
    if (!grown)
        return false;
    in->stack = grown;
    in->stack[in->n_stack++] = e;
    return true;
}

/* The item whose expression replaces this node, or -1. */
static int32_t replaced_by(const inliner *in, expr e)
{
    const expr_graph *g = &in->m->flat->graph;
    if (!expr_is_variable(g, e))
        return -1;
    int32_t i = item_of(in->m, in->it, expr_index(g, e));
    return i >= 0 && !in->it->in_loop[i] && in->it->value[i] < in->n &&
                   !(expr_is_variable(g, in->it->value[i]) && in->it->value[i] == e)
               ? i
               : -1;
}

/* Push the operands of e that have no image yet; true: all of them have one. */
static bool is_ready(inliner *in, expr e, bool *failed)
{
    const expr *operands;
    size_t before = in->n_stack;
    int32_t i = replaced_by(in, e);
    if (i >= 0 && !in->image[in->it->value[i]] && !in->open[i]) {
        in->open[i] = true;
        *failed = !push(in, in->it->value[i]);
        return false;
    }
    uint32_t n = expr_operands(&in->m->flat->graph, e, &operands);
    for (uint32_t k = 0; k < n && !*failed; k++)
        if (!in->image[operands[k]])
            *failed = !push(in, operands[k]);
    return in->n_stack == before && !*failed;
}

static expr rebuilt(inliner *in, expr e)
{
    expr_graph *g = &in->m->flat->graph;
    int32_t i = replaced_by(in, e);
    if (i >= 0)
        return in->image[in->it->value[i]] ? in->image[in->it->value[i]] : e;
    const expr *operands;
    uint32_t n = expr_operands(g, e, &operands);
    expr *room =
        buffer_reserve(in->m->allocator, in->operands, &in->operand_capacity, n + 1u, sizeof *room);
    if (!room)
        return EXPR_NONE;
    in->operands = room;
    bool changed = false;
    for (uint32_t k = 0; k < n; k++) {
        room[k] = in->image[operands[k]];
        changed = changed || room[k] != operands[k];
    }
    return changed ? expr_remake(g, g, e, room) : e;
}

static bool inline_root(inliner *in, expr root)
{
    bool failed = !push(in, root);
    while (in->n_stack > 0 && !failed) {
        expr e = in->stack[in->n_stack - 1];
        if (!in->image[e] && !is_ready(in, e, &failed))
            continue;
        in->n_stack--;
        if (!in->image[e])
            in->image[e] = rebuilt(in, e);
        failed = failed || !in->image[e];
    }
    return !failed;
}

static bool inline_items(discrete_part *m, items *it)
{
    inliner in = {.m = m, .it = it, .n = m->flat->graph.n};
    in.image = memory_take_array(m->allocator, in.n, sizeof *in.image);
    in.open = memory_take_array(m->allocator, (size_t)it->n, sizeof *in.open);
    expr *done = arena_take(m->mem, (size_t)it->n + 1, sizeof *done);
    bool fine = in.image && in.open && done;
    for (int32_t i = 0; i < it->n && fine; i++) {
        fine = inline_root(&in, it->value[i]);
        done[i] = in.image[it->value[i]];
    }
    if (fine)
        it->value = done;
    memory_give(m->allocator, in.image, in.n * sizeof *in.image);
    memory_give(m->allocator, in.open, (size_t)it->n * sizeof *in.open);
    buffer_free(m->allocator, in.stack, in.stack_capacity, sizeof *in.stack);
    buffer_free(m->allocator, in.operands, in.operand_capacity, sizeof *in.operands);
    return fine && !m->flat->graph.failed;
}

/* ---- what happens at events ---- */

static bool compile_actions(discrete_part *m)
{
    flat_model *f = m->flat;
    expr_graph *g = &f->graph;
    size_t n = 2 * (f->n_reinits + f->n_asserts) + f->n_terminates, k = 0;
    expr *roots = arena_take(m->mem, n + 1, sizeof *roots);
    m->warned = arena_take(m->mem, f->n_asserts + 1, sizeof *m->warned);
    if (!roots || !m->warned)
        return false;
    for (size_t i = 0; i < f->n_reinits; i++) {
        roots[k++] = f->reinits[i].fires;
        roots[k++] = f->reinits[i].value;
    }
    for (size_t i = 0; i < f->n_asserts; i++) {
        expr guard = f->asserts[i].guard;
        roots[k++] = guard ? guard : expr_constant(g, 1.0);
        roots[k++] = f->asserts[i].condition;
    }
    for (size_t i = 0; i < f->n_terminates; i++)
        roots[k++] = f->terminates[i].fires;
    return !g->failed && (n == 0 || program_create(m->compiled, &m->actions, roots, n));
}

static bool compile_assigns(discrete_part *m)
{
    items it = {0};
    if (!collect_items(m, &it))
        return false;
    m->assigned = it.variable;
    m->item_value = it.value;
    m->n_assigned = (size_t)it.n;
    if (it.n == 0)
        return true;
    if (!find_loops(m, &it))
        return false;
    for (int32_t i = 0; i < it.n; i++)
        m->has_loops = m->has_loops || it.in_loop[i];
    return inline_items(m, &it) && program_create(m->compiled, &m->assigns, it.value, (size_t)it.n);
}

daedal_status discrete_build(discrete_part *m)
{
    m->old = arena_take(m->mem, m->values->place.n, sizeof *m->old);
    bool fine = m->old && inputs_build(m) && delays_build(m) && compile_assigns(m) &&
                discrete_add_relations(m) && discrete_find_triggers(m) &&
                discrete_prepare_reinit(m) && discrete_prepare_accumulation(m) &&
                compile_actions(m);
    return fine ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

void discrete_free(discrete_part *m)
{
    program **all[] = {&m->events, &m->assigns, &m->relations, &m->actions, &m->samples_program};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        program_free(m->allocator, all[k]);
    delays_free(m);
    inputs_free(m);
    implicit_step_free(m);
}
