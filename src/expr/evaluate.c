/* expr/evaluate.c - see evaluate.h.
 *
 * A stack of expressions whose values are wanted and a hash table of known values: an
 * expression stays on the stack until its operands are known; of an if only the condition
 * and then the branch it chooses are ever wanted.                                 */
#include "expr/evaluate.h"

#include <math.h>

#include "expr/buffer.h"
#include "expr/node_build.h"

typedef struct known {
    expr e;
    uint32_t outputs; /* of a call: where they stand in `outputs` */
    double value;
} known;

typedef struct evaluation {
    const expr_graph *g;
    const expr_source *from;
    known *table; /* open addressing, at most half full */
    size_t n_slots, n_known;
    expr *stack;
    size_t n_stack, stack_capacity;
    double *outputs, *args;
    size_t n_outputs, outputs_capacity, args_capacity;
    int answer;
} evaluation;

static void release(evaluation *ev)
{
    const daedal_allocator *a = ev->g->allocator;
    memory_give(a, ev->table, ev->n_slots * sizeof *ev->table);
    buffer_free(a, ev->stack, ev->stack_capacity, sizeof *ev->stack);
    buffer_free(a, ev->outputs, ev->outputs_capacity, sizeof *ev->outputs);
    buffer_free(a, ev->args, ev->args_capacity, sizeof *ev->args);
}

static bool give_up(evaluation *ev, int answer)
{
    ev->answer = answer;
    return false;
}

static known *find(const evaluation *ev, expr e)
{
    size_t k = (e * UINT32_C(2654435769)) & (ev->n_slots - 1);
    while (ev->table[k].e && ev->table[k].e != e)
        k = (k + 1) & (ev->n_slots - 1);
    return &ev->table[k];
}

static bool widen(evaluation *ev)
{
    known *old = ev->table;
    size_t n_old = ev->n_slots;
    known *table = memory_take_array(ev->g->allocator, n_old ? 2 * n_old : 64, sizeof *table);
    if (!table)
        return give_up(ev, EXPR_EVALUATE_MEMORY);
    ev->table = table;
    ev->n_slots = n_old ? 2 * n_old : 64;
    for (size_t k = 0; k < n_old; k++)
        if (old[k].e)
            *find(ev, old[k].e) = old[k];
    memory_give(ev->g->allocator, old, n_old * sizeof *old);
    return true;
}

static bool learn(evaluation *ev, expr e, double value, uint32_t outputs)
{
    if (2 * (ev->n_known + 1) > ev->n_slots && !widen(ev))
        return false;
    *find(ev, e) = (known){e, outputs, value};
    ev->n_known++;
    return true;
}

/* Constants and variables need no table. */
static bool value_of(const evaluation *ev, expr e, double *value)
{
    const expr_node *n = &ev->g->node[e];
    if (n->op == EXPR_CONST) {
        *value = expr_value_now(ev->g, e);
    } else if (n->op == EXPR_VAR) {
        *value = ev->from->variable(ev->from->user, n->a);
    } else {
        const known *k = find(ev, e);
        *value = k->value;
        return k->e == e;
    }
    return true;
}

static bool want(evaluation *ev, expr e)
{
    expr *stack = buffer_enlarge(ev->g->allocator, ev->stack, &ev->stack_capacity, ev->n_stack + 1,
                                 sizeof *stack);
    if (!stack)
        return give_up(ev, EXPR_EVALUATE_MEMORY);
    ev->stack = stack;
    ev->stack[ev->n_stack++] = e;
    return true;
}

/* Whether all operands are known; their values are then in ev->args.  Unknown ones become wanted.
 */
static bool operands_known(evaluation *ev, expr e, bool *all)
{
    const expr *operands;
    uint32_t n = expr_operands(ev->g, e, &operands);
    double *args =
        buffer_reserve(ev->g->allocator, ev->args, &ev->args_capacity, (size_t)n + 2, sizeof *args);
    if (!args)
        return give_up(ev, EXPR_EVALUATE_MEMORY);
    ev->args = args;
    *all = true;
    for (uint32_t k = n; k-- > 0;)
        if (!value_of(ev, operands[k], &args[k])) {
            *all = false;
            if (!want(ev, operands[k]))
                return false;
        }
    return true;
}

static bool call(evaluation *ev, expr e)
{
    expr_function f = expr_function_of(ev->g, e);
    double *outputs = buffer_reserve(ev->g->allocator, ev->outputs, &ev->outputs_capacity,
                                     ev->n_outputs + f.n_outputs, sizeof *outputs);
    if (!outputs)
        return give_up(ev, EXPR_EVALUATE_MEMORY);
    ev->outputs = outputs;
    double *mine = outputs + ev->n_outputs;
    for (uint32_t k = 0; k < f.n_outputs; k++)
        mine[k] = (double)NAN;
    int answer = ev->from->call ? ev->from->call(ev->from->user, f.id, ev->args, mine) : 0;
    if (answer)
        return give_up(ev, answer);
    uint32_t at = (uint32_t)ev->n_outputs;
    ev->n_outputs += f.n_outputs;
    return learn(ev, e, mine[0], at);
}

static bool compute(evaluation *ev, expr e)
{
    const expr_node *n = &ev->g->node[e];
    bool all;
    if (!operands_known(ev, e, &all))
        return false;
    if (!all)
        return true;
    ev->n_stack--;
    if (n->op == EXPR_CALL)
        return call(ev, e);
    if (n->op == EXPR_OUTPUT)
        return learn(ev, e, ev->outputs[find(ev, n->a)->outputs + n->b], 0);
    return learn(ev, e, kernel_apply((expr_op)n->op, ev->args[0], ev->args[1]), 0);
}

/* The branch that the known condition of an if chooses. */
static expr chosen(const evaluation *ev, const expr_node *n)
{
    double condition;
    value_of(ev, n->a, &condition);
    return condition != 0.0 ? n->b : n->c;
}

static bool compute_if(evaluation *ev, expr e)
{
    const expr_node *n = &ev->g->node[e];
    double value;
    if (!value_of(ev, n->a, &value))
        return want(ev, n->a);
    expr branch = chosen(ev, n);
    if (!value_of(ev, branch, &value))
        return want(ev, branch);
    ev->n_stack--;
    return learn(ev, e, value, 0);
}

static bool evaluate(evaluation *ev, expr e)
{
    if (!widen(ev) || !want(ev, e))
        return false;
    while (ev->n_stack) {
        double value;
        expr top = ev->stack[ev->n_stack - 1];
        if (value_of(ev, top, &value))
            ev->n_stack--;
        else if (!(expr_op_of(ev->g, top) == EXPR_IF ? compute_if(ev, top) : compute(ev, top)))
            return false;
    }
    return true;
}

int expr_evaluate(const expr_graph *g, expr e, const expr_source *from, double *value)
{
    evaluation ev = {.g = g, .from = from};
    if (evaluate(&ev, e))
        value_of(&ev, e, value);
    release(&ev);
    return ev.answer;
}

/* An operand of e whose value is not finite and reaches e, or EXPR_NONE. */
static expr spoilt_operand(const evaluation *ev, expr e)
{
    const expr_node *node = &ev->g->node[e];
    const expr *operands;
    uint32_t n = expr_operands(ev->g, e, &operands);
    double value;
    if (node->op == EXPR_IF) {
        expr branch = chosen(ev, node);
        return value_of(ev, branch, &value) && !isfinite(value) ? branch : EXPR_NONE;
    }
    for (uint32_t k = 0; k < n; k++)
        if (value_of(ev, operands[k], &value) && !isfinite(value))
            return operands[k];
    return EXPR_NONE;
}

expr expr_blame(const expr_graph *g, expr e, const expr_source *from, double *value)
{
    evaluation ev = {.g = g, .from = from};
    expr culprit = EXPR_NONE;
    if (evaluate(&ev, e) && value_of(&ev, e, value) && !isfinite(*value)) {
        for (expr next = e; next; next = spoilt_operand(&ev, next))
            culprit = next;
        value_of(&ev, culprit, value);
    }
    release(&ev);
    return culprit;
}
