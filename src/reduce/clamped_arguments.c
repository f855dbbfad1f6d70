/* reduce/clamped_arguments.c - see reduced.h: arguments of roots and logarithms that are limited.
 *
 * With d = max(0, -h), sqrt(d) has a value for every h, but Newton's iteration and the predictor of
 * a step move d by itself, below zero by roundoff or more, where sqrt has none.  Such variables are
 * replaced by their definitions in the equations that need them inside of a function with a limited
 * domain.                                                                         */
#include "reduce/reduced.h"

#include <math.h>

#include "expr/walk.h"

enum { ROUNDS_MAX = 4 }; /* definitions inside definitions */

typedef struct clamped {
    reduced_model *m;
    expr *definition; /* by variable; EXPR_NONE: none that limits it */
    bool *is_wanted;  /* by variable: to be replaced in the present equation */
    uint32_t *wanted; /* n_wanted such variables */
    size_t n_wanted;
    uint32_t own;    /* the variable that the present equation defines */
    bool is_limited; /* answer of visit_factors in `defines` */
    expr_substituter substituter;
    expr_walker outer, inner;
} clamped;

static bool has_relation(clamped *c, expr e)
{
    const expr_graph *g = &c->m->flat->graph;
    expr_walker_forget(&c->inner);
    if (!expr_depends(&c->inner, e, EXPR_ALL))
        return true;
    for (size_t k = 0; k < c->inner.n_found; k++)
        if (flat_kind(expr_index(g, c->inner.found[k])) == FLAT_RELATION)
            return true;
    return false;
}

/* Whether the value is limited, whatever the operands are.  A branch that is chosen at events is
 * not: it is kept a little beyond its limit. */
static bool limits(clamped *c, expr e)
{
    const expr_graph *g = &c->m->flat->graph;
    const expr *operand;
    expr_op op = expr_op_of(g, e);
    if (op != EXPR_IF)
        return op == EXPR_MAX || op == EXPR_MIN || op == EXPR_ABS;
    expr_operands(g, e, &operand);
    return !has_relation(c, operand[0]);
}

static bool has_limited_domain(expr_graph *g, expr e)
{
    const expr *operand;
    switch (expr_op_of(g, e)) {
    case EXPR_SQRT:
    case EXPR_LOG:
    case EXPR_LOG10:
    case EXPR_ASIN:
    case EXPR_ACOS:
        return true;
    case EXPR_POW:
        expr_operands(g, e, &operand);
        return !expr_is_constant(g, operand[1]) ||
               expr_value(g, operand[1]) != floor(expr_value(g, operand[1]));
    default:
        return false;
    }
}

/* Calls visit for the variables that are factors of the expression: its sign is theirs. */
static void visit_factors(clamped *c, expr e, void (*visit)(clamped *c, uint32_t v))
{
    enum { FACTORS_MAX = 32 };
    const expr_graph *g = &c->m->flat->graph;
    expr stack[FACTORS_MAX];
    size_t n = 0;
    stack[n++] = e;
    while (n > 0) {
        const expr *operand;
        uint32_t v = 0;
        e = stack[--n];
        if (flat_is_value(g, e, &v))
            visit(c, v);
        expr_op op = expr_op_of(g, e);
        if (op != EXPR_MUL && op != EXPR_DIV && op != EXPR_NEG)
            continue;
        uint32_t count = expr_operands(g, e, &operand);
        for (uint32_t k = 0; k < count && n < FACTORS_MAX; k++)
            stack[n++] = operand[k];
    }
}

static void note_limited(clamped *c, uint32_t v)
{
    c->is_limited = c->is_limited || c->definition[v] != EXPR_NONE;
}

/* Whether the expression is limited, itself or by a factor, and contains neither v nor derivatives.
 */
static bool defines(clamped *c, expr e, uint32_t v)
{
    const expr_graph *g = &c->m->flat->graph;
    c->is_limited = limits(c, e);
    visit_factors(c, e, note_limited);
    expr_walker_forget(&c->inner);
    if (!c->is_limited || !expr_depends(&c->inner, e, EXPR_ALL))
        return false;
    for (size_t k = 0; k < c->inner.n_found; k++) {
        uint32_t symbol = expr_index(g, c->inner.found[k]);
        if (flat_kind(symbol) == FLAT_DER ||
            (flat_kind(symbol) == FLAT_VALUE && flat_number(symbol) == v))
            return false;
    }
    return true;
}

static void define(clamped *c, expr side, expr other)
{
    uint32_t v = 0;
    if (flat_is_value(&c->m->flat->graph, side, &v) && c->m->unknown_of[v] >= 0 &&
        c->definition[v] == EXPR_NONE && defines(c, other, v))
        c->definition[v] = other;
}

static expr image_of(void *user, uint32_t symbol)
{
    const clamped *c = user;
    uint32_t v = flat_number(symbol);
    return flat_kind(symbol) == FLAT_VALUE && c->is_wanted[v] ? c->definition[v] : EXPR_NONE;
}

/* Marks a variable to be replaced, but not the one that the equation defines itself. */
static void want(clamped *c, uint32_t v)
{
    if (c->definition[v] == EXPR_NONE || v == c->own || c->is_wanted[v])
        return;
    c->wanted[c->n_wanted++] = v;
    c->is_wanted[v] = true;
}

static void mark_side(clamped *c, expr side)
{
    expr_graph *g = &c->m->flat->graph;
    expr_walker_forget(&c->outer);
    if (!expr_walk(&c->outer, side, EXPR_ALL))
        return;
    for (size_t k = 0; k < c->outer.n_found; k++) {
        const expr *operand;
        if (!has_limited_domain(g, c->outer.found[k]))
            continue;
        expr_operands(g, c->outer.found[k], &operand);
        visit_factors(c, operand[0], want);
    }
}

static void unmark(clamped *c)
{
    while (c->n_wanted > 0)
        c->is_wanted[c->wanted[--c->n_wanted]] = false;
}

static bool rewrite(clamped *c, flat_equation *e)
{
    const expr_graph *g = &c->m->flat->graph;
    c->own = UINT32_MAX; /* no variable */
    if (!flat_is_value(g, e->left, &c->own))
        flat_is_value(g, e->right, &c->own);
    for (int round = 0; round < ROUNDS_MAX; round++) {
        mark_side(c, e->left);
        mark_side(c, e->right);
        if (c->n_wanted == 0)
            return true;
        expr sides[2] = {e->left, e->right};
        bool fine = expr_substitute_few(&c->substituter, sides, 2, image_of, c);
        unmark(c);
        if (!fine)
            return false;
        e->left = sides[0];
        e->right = sides[1];
    }
    return true;
}

bool reduced_inline_clamped(reduced_model *m)
{
    flat_model *f = m->flat;
    clamped c = {.m = m};
    bool any = false, fine = true;
    c.definition = arena_take(m->scratch, f->n_variables + 1, sizeof *c.definition);
    c.is_wanted = arena_take(m->scratch, f->n_variables + 1, sizeof *c.is_wanted);
    c.wanted = arena_take(m->scratch, f->n_variables + 1, sizeof *c.wanted);
    if (m->scratch->failed)
        return false;
    expr_walker_create(&c.outer, &f->graph);
    expr_walker_create(&c.inner, &f->graph);
    expr_substituter_create(&c.substituter, &f->graph);
    for (int round = 0; round < ROUNDS_MAX; round++)
        for (size_t i = 0; i < f->n_equations; i++) {
            define(&c, f->equations[i].left, f->equations[i].right);
            define(&c, f->equations[i].right, f->equations[i].left);
        }
    for (size_t v = 0; v < f->n_variables && !any; v++)
        any = c.definition[v] != EXPR_NONE;
    for (size_t i = 0; i < f->n_equations && any && fine; i++)
        fine = rewrite(&c, &f->equations[i]);
    expr_substituter_free(&c.substituter);
    expr_walker_free(&c.outer);
    expr_walker_free(&c.inner);
    return fine;
}
