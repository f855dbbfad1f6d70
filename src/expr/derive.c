/* expr/derive.c - see derive.h: gradients by symbolic reverse mode.
 *
 * A reverse sweep through an if would multiply adjoints that are 0 by factors that are NaN
 * in the branch not taken.  So a sweep stops at ifs (and min, max): the gradient of
 *     if c then a else b     is, variable by variable,     if c then da else db,
 * with da and db from sweeps of their own, made once for every if and kept.  The cost stays
 * proportional to the size of what is swept, whereas forward mode is quadratic in long sums
 * with an if.                                                                   */
#include "expr/derive.h"

#include <math.h>
#include <stdlib.h>

#include "expr/buffer.h"
#include "expr/derive_rules.h"

typedef enum activity { UNKNOWN, IDLE, ACTIVE } activity;

/* Entries [first, first + n) of the pool. */
typedef struct span {
    size_t first, n;
} span;

typedef struct per_node {
    uint32_t stamp; /* of the sweep that set adjoint                             */
    expr adjoint;
    uint32_t list; /* of a choice: 1 + the number of its gradient, or 0          */
    uint8_t active;
} per_node;

typedef struct entries {
    expr_entry *p;
    size_t n, capacity;
} entries;

typedef struct ids {
    expr *p;
    size_t n, capacity;
} ids;

struct expr_deriver {
    expr_graph *g;
    expr_selection select;
    per_node *at; /* by id */
    size_t n_at;
    span *lists; /* gradients of choices, in `pool` */
    size_t n_lists, lists_capacity;
    entries pool, result, branch;
    ids stack, order, vars, choices;
    uint32_t now;
    expr culprit, broken_culprit;
    expr_outcome outcome, broken; /* why some choice has no gradient              */
};

#define DONE ((uint32_t)1 << 31)

static bool stop(expr_deriver *d, expr_outcome outcome, expr culprit)
{
    if (d->outcome == EXPR_OK) {
        d->outcome = outcome;
        d->culprit = culprit;
    }
    return false;
}

static bool push(expr_deriver *d, ids *list, expr e)
{
    expr *p = buffer_enlarge(d->g->allocator, list->p, &list->capacity, list->n + 1, sizeof *p);
    if (!p)
        return stop(d, EXPR_NO_MEMORY, 0);
    list->p = p;
    list->p[list->n++] = e;
    return true;
}

static bool append(expr_deriver *d, entries *list, uint32_t variable, expr derivative)
{
    if (!derivative)
        return stop(d, EXPR_NO_MEMORY, 0);
    if (expr_is_value(d->g, derivative, 0.0))
        return true;
    expr_entry *p =
        buffer_enlarge(d->g->allocator, list->p, &list->capacity, list->n + 1, sizeof *p);
    if (!p)
        return stop(d, EXPR_NO_MEMORY, 0);
    list->p = p;
    list->p[list->n++] = (expr_entry){variable, derivative};
    return true;
}

expr_deriver *expr_deriver_create(expr_graph *g, const expr_selection *selection)
{
    expr_deriver *d = memory_take(g->allocator, sizeof *d);
    if (!d)
        return NULL;
    d->g = g;
    d->select = *selection;
    return d;
}

void expr_deriver_free(expr_deriver *d)
{
    if (!d)
        return;
    const daedal_allocator *a = d->g->allocator;
    entries *const lists[] = {&d->pool, &d->result, &d->branch};
    ids *const stacks[] = {&d->stack, &d->order, &d->vars, &d->choices};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        buffer_free(a, lists[k]->p, lists[k]->capacity, sizeof *lists[k]->p);
    for (size_t k = 0; k < sizeof stacks / sizeof *stacks; k++)
        buffer_free(a, stacks[k]->p, stacks[k]->capacity, sizeof *stacks[k]->p);
    buffer_free(a, d->at, d->n_at, sizeof *d->at);
    buffer_free(a, d->lists, d->lists_capacity, sizeof *d->lists);
    memory_give(a, d, sizeof *d);
}

/* ---- which nodes have selected variables below them ------------------------------ */

/* The operands a derivative passes through: not the condition of an if. */
static uint32_t smooth_operands(const expr_graph *g, expr e, const expr **operands)
{
    uint32_t n = derive_operands(g, e, operands);
    if (expr_op_of(g, e) == EXPR_IF) {
        *operands += 1;
        n -= 1;
    }
    return n;
}

static activity judge(const expr_deriver *d, expr e)
{
    const expr_graph *g = d->g;
    const expr *operands;
    if (expr_is_variable(g, e))
        return d->select.wants(d->select.user, expr_index(g, e)) ? ACTIVE : IDLE;
    uint32_t n = smooth_operands(g, e, &operands);
    for (uint32_t k = 0; k < n; k++)
        if (d->at[operands[k]].active == ACTIVE)
            return ACTIVE;
    return IDLE;
}

static bool classify_later(expr_deriver *d, expr e)
{
    const expr *operands;
    uint32_t n = smooth_operands(d->g, e, &operands);
    if (!derive_is_smooth(expr_op_of(d->g, e)) || !expr_has(d->g, e, EXPR_HAS_VARIABLE)) {
        d->at[e].active = IDLE;
        return true;
    }
    if (!push(d, &d->stack, e | DONE))
        return false;
    for (uint32_t k = n; k-- > 0;)
        if (d->at[operands[k]].active == UNKNOWN && !push(d, &d->stack, operands[k]))
            return false;
    return true;
}

/* Settle everything below root; new active choices are listed, operands first. */
static bool classify(expr_deriver *d, expr root)
{
    d->choices.n = d->stack.n = 0;
    if (!push(d, &d->stack, root))
        return false;
    while (d->stack.n) {
        expr item = d->stack.p[--d->stack.n], e = item & ~DONE;
        if (d->at[e].active != UNKNOWN)
            continue;
        if (!(item & DONE)) {
            if (!classify_later(d, e))
                return false;
            continue;
        }
        d->at[e].active = (uint8_t)judge(d, e);
        if (d->at[e].active == ACTIVE && derive_is_choice(expr_op_of(d->g, e)) &&
            !push(d, &d->choices, e))
            return false;
    }
    return true;
}

/* ---- one reverse sweep ------------------------------------------------------------ */

static bool enter(expr_deriver *d, expr e)
{
    const expr *operands;
    uint32_t n = derive_operands(d->g, e, &operands);
    d->at[e].stamp = d->now;
    d->at[e].adjoint = EXPR_NONE;
    if (expr_is_variable(d->g, e))
        return true;
    if (derive_is_choice(expr_op_of(d->g, e)))
        return push(d, &d->order, e);
    if (!push(d, &d->stack, e | DONE))
        return false;
    for (uint32_t k = n; k-- > 0;) {
        const per_node *o = &d->at[operands[k]];
        if (o->active == ACTIVE && o->stamp != d->now && !push(d, &d->stack, operands[k]))
            return false;
    }
    return true;
}

/* The active nodes from root down to variables and choices, operands first. */
static bool collect(expr_deriver *d, expr root)
{
    d->order.n = d->stack.n = d->vars.n = 0;
    d->now++;
    if (!push(d, &d->stack, root))
        return false;
    while (d->stack.n) {
        expr e = d->stack.p[--d->stack.n];
        if (e & DONE) {
            if (!push(d, &d->order, e & ~DONE))
                return false;
        } else if (d->at[e].stamp != d->now && !enter(d, e)) {
            return false;
        }
    }
    return true;
}

static bool contribute(expr_deriver *d, expr to, expr amount)
{
    per_node *n = &d->at[to];
    if (n->stamp != d->now) { /* a variable that only a choice contains */
        n->stamp = d->now;
        n->adjoint = EXPR_NONE;
    }
    if (!n->adjoint && expr_is_variable(d->g, to) && !push(d, &d->vars, to))
        return false;
    n->adjoint = n->adjoint ? expr_add(d->g, n->adjoint, amount) : amount;
    return n->adjoint || stop(d, EXPR_NO_MEMORY, 0);
}

/* w*e, pushed into branches that are 0, so that w = inf does not spoil them. */
static expr scale(expr_graph *g, expr w, expr e, int depth)
{
    const expr_node n = g->node[e];
    bool push_in =
        n.op == EXPR_IF && depth > 0 && (expr_is_value(g, n.b, 0.0) || expr_is_value(g, n.c, 0.0));
    if (!push_in)
        return expr_mul(g, w, e);
    return expr_if(g, n.a, scale(g, w, n.b, depth - 1), scale(g, w, n.c, depth - 1));
}

static bool pass_choice(expr_deriver *d, expr e, expr w)
{
    enum { DEPTH = 4 };
    if (!d->at[e].list)
        return stop(d, d->broken, d->broken_culprit);
    const span list = d->lists[d->at[e].list - 1];
    for (size_t k = 0; k < list.n; k++) {
        expr_entry entry = d->pool.p[list.first + k];
        expr amount = scale(d->g, w, entry.derivative, DEPTH);
        if (!contribute(d, expr_variable(d->g, entry.variable), amount))
            return false;
    }
    return true;
}

static bool pass_call(expr_deriver *d, expr e, expr w)
{
    const expr *operands;
    uint32_t n = derive_operands(d->g, e, &operands);
    for (uint32_t k = 0; k < n; k++) {
        derive_operands(d->g, e, &operands); /* the pool moves */
        expr operand = operands[k];
        if (d->at[operand].active != ACTIVE)
            continue;
        expr slope = derive_partial(d->g, &d->select.partials, e, k);
        if (!slope)
            return stop(d, d->g->failed ? EXPR_NO_MEMORY : EXPR_NOT_DIFFERENTIABLE, e);
        if (!contribute(d, operand, expr_mul(d->g, w, slope)))
            return false;
    }
    return true;
}

static bool pass(expr_deriver *d, expr e)
{
    expr w = d->at[e].adjoint;
    expr_op op = expr_op_of(d->g, e);
    if (!w || expr_is_value(d->g, w, 0.0))
        return true;
    if (derive_is_choice(op))
        return pass_choice(d, e, w);
    if (op == EXPR_CALL || op == EXPR_OUTPUT)
        return pass_call(d, e, w);
    const expr *operands;
    uint32_t n = expr_operands(d->g, e, &operands);
    const expr operand[2] = {operands[0], n > 1 ? operands[1] : EXPR_NONE};
    for (uint32_t k = 0; k < n; k++)
        if (d->at[operand[k]].active == ACTIVE &&
            !contribute(d, operand[k], derive_chain(d->g, e, k, w)))
            return false;
    return true;
}

static int by_variable(const void *x, const void *y)
{
    uint32_t a = ((const expr_entry *)x)->variable, b = ((const expr_entry *)y)->variable;
    return (a > b) - (a < b);
}

static bool sweep(expr_deriver *d, expr root, entries *result)
{
    result->n = 0;
    if (d->at[root].active != ACTIVE)
        return true;
    if (!collect(d, root) || !contribute(d, root, expr_constant(d->g, 1.0)))
        return false;
    for (size_t k = d->order.n; k-- > 0;)
        if (!pass(d, d->order.p[k]))
            return false;
    for (size_t k = 0; k < d->vars.n; k++) {
        expr v = d->vars.p[k];
        if (!append(d, result, expr_index(d->g, v), d->at[v].adjoint))
            return false;
    }
    if (result->n > 1)
        qsort(result->p, result->n, sizeof *result->p, by_variable);
    return true;
}

/* ---- choices ---------------------------------------------------------------------- */

/* Merge the gradients in `result` and `branch` into the pool. */
static bool join(expr_deriver *d, expr condition)
{
    const expr zero = expr_constant(d->g, 0.0);
    const entries *yes = &d->result, *no = &d->branch;
    size_t i = 0, j = 0;
    while (i < yes->n || j < no->n) {
        bool has_yes = j >= no->n || (i < yes->n && yes->p[i].variable <= no->p[j].variable);
        bool has_no = i >= yes->n || (j < no->n && no->p[j].variable <= yes->p[i].variable);
        uint32_t variable = has_yes ? yes->p[i].variable : no->p[j].variable;
        expr d_yes = has_yes ? yes->p[i++].derivative : zero;
        expr d_no = has_no ? no->p[j++].derivative : zero;
        if (!append(d, &d->pool, variable, expr_if(d->g, condition, d_yes, d_no)))
            return false;
    }
    return true;
}

static bool settle_choice(expr_deriver *d, expr e)
{
    expr branch[2];
    expr condition = derive_choice(d->g, e, branch);
    if (!sweep(d, branch[0], &d->result) || !sweep(d, branch[1], &d->branch))
        return false;
    span *lists = buffer_enlarge(d->g->allocator, d->lists, &d->lists_capacity, d->n_lists + 1,
                                 sizeof *lists);
    if (!lists)
        return stop(d, EXPR_NO_MEMORY, 0);
    d->lists = lists;
    size_t first = d->pool.n;
    if (!join(d, condition))
        return false;
    d->lists[d->n_lists] = (span){first, d->pool.n - first};
    d->at[e].list = (uint32_t)++d->n_lists;
    return true;
}

static bool derive(expr_deriver *d, expr e)
{
    per_node *at = buffer_reserve(d->g->allocator, d->at, &d->n_at, (size_t)e + 1, sizeof *at);
    if (!at)
        return stop(d, EXPR_NO_MEMORY, 0);
    d->at = at;
    if (!classify(d, e))
        return false;
    for (size_t k = 0; k < d->choices.n; k++)
        if (!settle_choice(d, d->choices.p[k])) {
            d->broken = d->outcome; /* told when a sweep gets there */
            d->broken_culprit = d->culprit;
            d->outcome = EXPR_OK;
        }
    return sweep(d, e, &d->result);
}

expr_outcome expr_gradient_of(expr_deriver *d, expr e, expr_gradient *gradient, expr *culprit)
{
    d->outcome = e ? EXPR_OK : EXPR_NO_MEMORY;
    d->culprit = EXPR_NONE;
    *gradient = (expr_gradient){NULL, 0};
    if (e && derive(d, e))
        *gradient = (expr_gradient){d->result.p, d->result.n};
    if (culprit)
        *culprit = d->culprit;
    return d->outcome;
}
