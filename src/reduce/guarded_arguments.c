/* reduce/guarded_arguments.c - see reduced.h: roots that a relation with events guards.
 *
 * In q = if h > 0 then sqrt(h) else 0 the branch is kept until the event, which lies a little
 * beyond h = 0, and the integrator tries points far beyond.  There the root has no value.  Inside
 * the branch sqrt(h) is therefore replaced by sqrt(max(h, 0)), which is the same wherever the
 * branch holds.  So is a power with a positive exponent that is no integer, and an argument that is
 * the difference of the two sides of the relation times a constant with the right sign.     */
#include "reduce/reduced.h"

#include <math.h>

#include "base/number_map.h"
#include "base/random.h"
#include "expr/evaluate.h"
#include "expr/walk.h"

enum { GUARDS_MAX = 8, OPERANDS_MAX = 3 };

/* left - right of a relation is positive (or zero), or negative, as the sign says. */
typedef struct guard {
    expr difference;
    double sign;
} guard;

typedef struct guards {
    guard of[GUARDS_MAX];
    size_t n;
} guards;

typedef struct guarded {
    reduced_model *m;
    const expr *assigned; /* by variable: the value of a discrete variable, or EXPR_NONE */
    expr_walker outer, inner;
    const guard *now; /* the guard of the branch that is rebuilt */
    uint64_t point;   /* of the values at which expressions are compared */
    bool failed;
} guarded;

typedef expr rebuild_fn(guarded *c, expr e);

/* ---- is the argument guarded ---- */

static double value_at_point(void *user, uint32_t index)
{
    uint64_t state = ((const guarded *)user)->point + 7919u * (uint64_t)index;
    random_next(&state);
    random_next(&state);
    return random_uniform(&state, 0.5, 1.5);
}

/* argument / difference at a generic point; NaN if it has no value there. */
static double ratio_at(guarded *c, expr argument, uint64_t point)
{
    const expr_graph *g = &c->m->flat->graph;
    expr_source from = {value_at_point, NULL, c};
    double above = NAN, below = NAN;
    c->point = point;
    if (expr_evaluate(g, argument, &from, &above) != 0 ||
        expr_evaluate(g, c->now->difference, &from, &below) != 0 || below == 0.0)
        return NAN;
    return above / below;
}

static bool is_guarded(guarded *c, expr argument)
{
    enum { POINTS = 3 };
    const double same = 1e-9;
    double first = ratio_at(c, argument, RANDOM_SEED);
    if (!isfinite(first) || !(first * c->now->sign > 0.0))
        return false;
    for (uint64_t k = 1; k < POINTS; k++)
        if (!(fabs(ratio_at(c, argument, RANDOM_SEED + k) - first) <= same * fabs(first)))
            return false;
    return true;
}

static bool is_root(expr_graph *g, expr e)
{
    const expr *operand;
    expr_op op = expr_op_of(g, e);
    if (op != EXPR_POW)
        return op == EXPR_SQRT;
    expr_operands(g, e, &operand);
    if (!expr_is_constant(g, operand[1]))
        return false;
    double power = expr_value(g, operand[1]);
    return power > 0.0 && power != floor(power);
}

static expr clamp_root(guarded *c, expr e)
{
    expr_graph *g = &c->m->flat->graph;
    const expr *operand;
    if (!is_root(g, e))
        return e;
    expr_operands(g, e, &operand);
    expr clamped[2] = {operand[0], expr_op_of(g, e) == EXPR_POW ? operand[1] : EXPR_NONE};
    if (!is_guarded(c, clamped[0]))
        return e;
    clamped[0] = expr_make2(g, EXPR_MAX, clamped[0], expr_constant(g, 0.0));
    return expr_remake(g, g, e, clamped);
}

/* ---- rebuilding ---- */

static expr image_of(const number_map *image, expr e)
{
    uint32_t other = EXPR_NONE;
    return number_map_find(image, e, &other) ? other : e;
}

/* e with the images of its operands.  Calls of functions stay as they are. */
static expr with_images(guarded *c, const number_map *image, expr e)
{
    expr_graph *g = &c->m->flat->graph;
    const expr *operand;
    expr own[OPERANDS_MAX];
    uint32_t n = expr_operands(g, e, &operand);
    bool changed = false;
    if (expr_op_of(g, e) == EXPR_CALL || n > OPERANDS_MAX)
        return e;
    for (uint32_t k = 0; k < n; k++) {
        own[k] = image_of(image, operand[k]);
        changed |= own[k] != operand[k];
    }
    return changed ? expr_remake(g, g, e, own) : e;
}

static expr rebuild(guarded *c, expr_walker *w, expr root, rebuild_fn *visit)
{
    number_map image = {0};
    expr_walker_forget(w);
    c->failed = c->failed || !expr_walk(w, root, EXPR_ALL);
    for (size_t k = 0; k < w->n_found && !c->failed; k++) {
        expr e = w->found[k], made = visit(c, with_images(c, &image, e));
        if (made != e)
            c->failed = c->failed || !number_map_put(&image, c->m->mem, e, made);
    }
    return image_of(&image, root);
}

/* ---- what holds in a branch ---- */

static void add_relation(const guarded *c, uint32_t number, bool holds, guards *list)
{
    const flat_relation *r = &c->m->flat->relations[number];
    bool above = r->op == EXPR_GT || r->op == EXPR_GE;
    if (list->n < GUARDS_MAX)
        list->of[list->n++] =
            (guard){expr_sub(&c->m->flat->graph, r->left, r->right), above == holds ? 1.0 : -1.0};
}

/* The relations that are known where the condition is true, or false. */
static void collect_guards(const guarded *c, expr condition, bool holds, guards *list)
{
    const expr_graph *g = &c->m->flat->graph;
    expr stack[GUARDS_MAX];
    bool value[GUARDS_MAX];
    size_t n = 0;
    stack[n] = condition;
    value[n++] = holds;
    for (int k = 0; k < 2 * GUARDS_MAX && n > 0; k++) {
        const expr *operand;
        uint32_t v = 0;
        expr e = stack[--n];
        bool is = value[n];
        expr_op op = expr_op_of(g, e);
        uint32_t count = expr_operands(g, e, &operand);
        if (op == EXPR_VAR && flat_kind(expr_index(g, e)) == FLAT_RELATION)
            add_relation(c, flat_number(expr_index(g, e)), is, list);
        else if (flat_is_value(g, e, &v) && c->assigned[v] != EXPR_NONE)
            stack[n] = c->assigned[v], value[n++] = is;
        else if (op == EXPR_NOT)
            stack[n] = operand[0], value[n++] = !is;
        for (uint32_t q = 0; op == (is ? EXPR_AND : EXPR_OR) && q < count && n < GUARDS_MAX; q++)
            stack[n] = operand[q], value[n++] = is;
    }
}

static expr clamp_branch(guarded *c, expr condition, bool holds, expr branch)
{
    guards list = {.n = 0};
    collect_guards(c, condition, holds, &list);
    for (size_t k = 0; k < list.n; k++) {
        c->now = &list.of[k];
        branch = rebuild(c, &c->inner, branch, clamp_root);
    }
    return branch;
}

static bool contains_root(guarded *c, expr e)
{
    bool found = false;
    expr_walker_forget(&c->inner);
    c->failed = c->failed || !expr_walk(&c->inner, e, EXPR_ALL);
    for (size_t k = 0; k < c->inner.n_found && !found; k++)
        found = is_root(&c->m->flat->graph, c->inner.found[k]);
    return found;
}

static expr clamp_branches(guarded *c, expr e)
{
    expr_graph *g = &c->m->flat->graph;
    const expr *operand;
    if (expr_op_of(g, e) != EXPR_IF)
        return e;
    expr_operands(g, e, &operand);
    expr own[OPERANDS_MAX] = {operand[0], operand[1], operand[2]};
    if (contains_root(c, own[1]))
        own[1] = clamp_branch(c, own[0], true, own[1]);
    if (contains_root(c, own[2]))
        own[2] = clamp_branch(c, own[0], false, own[2]);
    return expr_if(g, own[0], own[1], own[2]);
}

bool reduced_clamp_guarded(reduced_model *m)
{
    flat_model *f = m->flat;
    expr *assigned = arena_take(m->scratch, f->n_variables + 1, sizeof *assigned);
    guarded c = {.m = m, .assigned = assigned};
    if (m->scratch->failed)
        return false;
    for (size_t k = 0; k < f->n_assignments; k++)
        assigned[f->assignments[k].variable] = f->assignments[k].value;
    expr_walker_create(&c.outer, &f->graph);
    expr_walker_create(&c.inner, &f->graph);
    for (size_t i = 0; i < f->n_equations && f->n_relations > 0 && !c.failed; i++) {
        expr *side[2] = {&f->equations[i].left, &f->equations[i].right};
        for (int k = 0; k < 2; k++)
            if (expr_has(&f->graph, *side[k], EXPR_HAS_IF) && contains_root(&c, *side[k]))
                *side[k] = rebuild(&c, &c.outer, *side[k], clamp_branches);
    }
    expr_walker_free(&c.outer);
    expr_walker_free(&c.inner);
    return !c.failed && !f->graph.failed;
}
