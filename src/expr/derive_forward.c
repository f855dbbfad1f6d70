/* expr/derive_forward.c - see derive.h: derivatives in one direction, by forward mode.
 *
 * One derivative for every node, operands first, kept for the next expression.    */
#include <math.h>

#include "expr/buffer.h"
#include "expr/derive_rules.h"

struct expr_differ {
    expr_graph *g;
    expr_direction direction;
    expr *derivative; /* by id; EXPR_NONE: not known yet */
    size_t n_known;
    expr *settled; /* what stands in `derivative`, for forgetting it */
    size_t n_settled, settled_capacity;
    expr *stack;
    size_t n_stack, stack_capacity;
    expr culprit;
    expr_outcome outcome;
};

expr_differ *expr_differ_create(expr_graph *g, const expr_direction *direction)
{
    expr_differ *d = memory_take(g->allocator, sizeof *d);
    if (!d)
        return NULL;
    d->g = g;
    d->direction = *direction;
    return d;
}

void expr_differ_free(expr_differ *d)
{
    if (!d)
        return;
    const daedal_allocator *a = d->g->allocator;
    buffer_free(a, d->derivative, d->n_known, sizeof *d->derivative);
    buffer_free(a, d->settled, d->settled_capacity, sizeof *d->settled);
    buffer_free(a, d->stack, d->stack_capacity, sizeof *d->stack);
    memory_give(a, d, sizeof *d);
}

void expr_differ_forget(expr_differ *d)
{
    while (d->n_settled)
        d->derivative[d->settled[--d->n_settled]] = EXPR_NONE;
}

static bool stop(expr_differ *d, expr_outcome outcome, expr culprit)
{
    d->outcome = outcome;
    d->culprit = culprit;
    return false;
}

static bool push(expr_differ *d, expr e)
{
    expr *stack = buffer_enlarge(d->g->allocator, d->stack, &d->stack_capacity, d->n_stack + 1,
                                 sizeof *stack);
    if (!stack)
        return stop(d, EXPR_NO_MEMORY, 0);
    d->stack = stack;
    d->stack[d->n_stack++] = e;
    return true;
}

/* Sum of chain-rule terms; the zeros among them cost nothing and spoil nothing. */
static expr add_term(expr_graph *g, expr sum, expr term)
{
    return expr_is_value(g, sum, 0.0) ? term : expr_add(g, sum, term);
}

static expr of_operation(expr_differ *d, expr e)
{
    const expr *operands;
    uint32_t n = expr_operands(d->g, e, &operands);
    const expr operand[2] = {operands[0], n > 1 ? operands[1] : EXPR_NONE};
    expr sum = expr_constant(d->g, 0.0);
    for (uint32_t k = 0; k < n && sum; k++) {
        expr slope = d->derivative[operand[k]];
        if (!expr_is_value(d->g, slope, 0.0))
            sum = add_term(d->g, sum, derive_chain(d->g, e, k, slope));
    }
    return sum;
}

static expr of_call(expr_differ *d, expr e)
{
    const expr *operands;
    uint32_t n = derive_operands(d->g, e, &operands);
    expr sum = expr_constant(d->g, 0.0);
    for (uint32_t k = 0; k < n && sum; k++) {
        derive_operands(d->g, e, &operands); /* the pool moves */
        expr slope = d->derivative[operands[k]];
        if (expr_is_value(d->g, slope, 0.0))
            continue;
        expr factor = derive_partial(d->g, &d->direction.partials, e, k);
        if (!factor) {
            stop(d, d->g->failed ? EXPR_NO_MEMORY : EXPR_NOT_DIFFERENTIABLE, e);
            return EXPR_NONE;
        }
        sum = add_term(d->g, sum, expr_mul(d->g, factor, slope));
    }
    return sum;
}

static expr of_variable(expr_differ *d, expr e)
{
    expr slope = d->direction.variable(d->direction.user, d->g, expr_index(d->g, e));
    return slope ? slope : expr_constant(d->g, 0.0);
}

static expr of_choice(expr_differ *d, expr e)
{
    expr branch[2];
    expr condition = derive_choice(d->g, e, branch);
    return expr_if(d->g, condition, d->derivative[branch[0]], d->derivative[branch[1]]);
}

/* What a live constant, or the variable of a parameter, is computed from; EXPR_NONE: neither. */
static expr source_of(const expr_differ *d, expr e)
{
    if (!d->direction.binding)
        return EXPR_NONE;
    if (expr_is_live(d->g, e))
        return expr_live_formula(d->g, e);
    return expr_is_variable(d->g, e) ? d->direction.binding(d->direction.user, expr_index(d->g, e))
                                     : EXPR_NONE;
}

/* Whether its derivative can be anything but 0. */
static bool passes(const expr_differ *d, expr e)
{
    unsigned flags = EXPR_HAS_VARIABLE | (d->direction.binding ? EXPR_HAS_LIVE : 0u);
    return expr_has(d->g, e, flags) && derive_is_smooth(expr_op_of(d->g, e));
}

static bool settle(expr_differ *d, expr e)
{
    expr_op op = expr_op_of(d->g, e);
    expr source = source_of(d, e);
    expr result, *settled = buffer_enlarge(d->g->allocator, d->settled, &d->settled_capacity,
                                           d->n_settled + 1, sizeof *settled);
    if (!settled)
        return stop(d, EXPR_NO_MEMORY, 0);
    d->settled = settled;
    d->settled[d->n_settled++] = e;
    if (source)
        result = d->derivative[source];
    else if (!passes(d, e))
        result = expr_constant(d->g, 0.0);
    else if (op == EXPR_VAR)
        result = of_variable(d, e);
    else if (derive_is_choice(op))
        result = of_choice(d, e);
    else if (op == EXPR_CALL || op == EXPR_OUTPUT)
        result = of_call(d, e);
    else
        result = of_operation(d, e);
    d->derivative[e] = result;
    return result || (d->outcome != EXPR_OK ? false : stop(d, EXPR_NO_MEMORY, 0));
}

/* Push the operands without derivative; none: it is this one's turn. */
static bool push_unknown(expr_differ *d, expr e, bool *ready)
{
    const expr *operands;
    expr source = source_of(d, e);
    uint32_t n = derive_operands(d->g, e, &operands);
    uint32_t first = expr_op_of(d->g, e) == EXPR_IF ? 1 : 0;
    *ready = true;
    if (source) {
        *ready = d->derivative[source] != EXPR_NONE;
        return *ready || push(d, source);
    }
    for (uint32_t k = n; passes(d, e) && k-- > first;)
        if (!d->derivative[operands[k]]) {
            *ready = false;
            if (!push(d, operands[k]))
                return false;
        }
    return true;
}

static bool differentiate(expr_differ *d, expr e)
{
    /* the binding of a parameter may have been made after what reads it */
    size_t most = d->direction.binding ? d->g->n : (size_t)e + 1;
    expr *known = buffer_reserve(d->g->allocator, d->derivative, &d->n_known, most, sizeof *known);
    d->n_stack = 0;
    if (!known)
        return stop(d, EXPR_NO_MEMORY, 0);
    d->derivative = known;
    if (!push(d, e))
        return false;
    while (d->n_stack) {
        expr top = d->stack[d->n_stack - 1];
        bool ready = true;
        if (!d->derivative[top] && !push_unknown(d, top, &ready))
            return false;
        if (!ready)
            continue;
        d->n_stack--;
        if (!d->derivative[top] && !settle(d, top))
            return false;
    }
    return true;
}

expr_outcome expr_differ_of(expr_differ *d, expr e, expr *derivative, expr *culprit)
{
    d->outcome = e ? EXPR_OK : EXPR_NO_MEMORY;
    d->culprit = EXPR_NONE;
    *derivative = e && differentiate(d, e) ? d->derivative[e] : EXPR_NONE;
    if (culprit)
        *culprit = d->culprit;
    return d->outcome;
}
