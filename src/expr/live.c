/* expr/live.c - see live.h.
 *
 * A formula stands on constants made before it, so one pass in the order of ids is enough.  The
 * values are written as they are computed, since later formulas read them, and put back if the
 * graph cannot follow. */
#include "expr/live.h"

#include <math.h>
#include <string.h>

#include "expr/node_build.h"

/* Most formulas are one variable or one operation on constants: these need no evaluation with its
 * own memory.  NaN also where the value cannot be computed; false: no memory. */
static bool formula_value(const expr_graph *g, expr formula, const expr_source *from, double *value)
{
    const expr_node *n = &g->node[formula];
    const expr *x;
    uint32_t count = expr_operands(g, formula, &x);
    *value = (double)NAN;
    if (n->op == EXPR_VAR) {
        *value = from->variable(from->user, n->a);
        return true;
    }
    bool is_plain = n->op != EXPR_CALL && n->op != EXPR_OUTPUT && n->op != EXPR_IF;
    for (uint32_t k = 0; k < count && is_plain; k++)
        is_plain = expr_is_constant(g, x[k]);
    if (!is_plain) {
        int answer = expr_evaluate(g, formula, from, value);
        *value = answer == 0 ? *value : (double)NAN;
        return answer != EXPR_EVALUATE_MEMORY;
    }
    double second = count > 1 ? expr_value_now(g, x[1]) : 0.0;
    *value = kernel_apply((expr_op)n->op, expr_value_now(g, x[0]), second);
    return true;
}

/* Computes the live constants until one cannot follow; how many did. */
static size_t follow(expr_graph *g, const expr_source *from, expr_live_outcome *outcome)
{
    for (size_t k = 0; k < g->n_live; k++) {
        double value;
        if (!formula_value(g, expr_live_formula(g, g->live[k]), from, &value))
            *outcome = EXPR_LIVE_NO_MEMORY;
        else if (!isnormal(value))
            *outcome = EXPR_LIVE_REBUILD;
        if (*outcome != EXPR_LIVE_FOLLOWED)
            return k;
        node_set_value(g, g->live[k], value);
    }
    return g->n_live;
}

static expr_live_outcome check_frozen(const expr_graph *g, const expr_source *from)
{
    for (size_t k = 0; k < g->n_frozen; k++) {
        double value, before = g->frozen[k].value;
        if (!formula_value(g, g->frozen[k].formula, from, &value))
            return EXPR_LIVE_NO_MEMORY;
        if (value != before && !(isnan(value) && isnan(before)))
            return EXPR_LIVE_REBUILD;
    }
    return EXPR_LIVE_FOLLOWED;
}

expr_live_outcome expr_live_update(expr_graph *g, const expr_source *from)
{
    double *old = memory_take_array(g->allocator, g->n_live + 1, sizeof *old);
    expr_live_outcome outcome = EXPR_LIVE_FOLLOWED;
    if (!old)
        return EXPR_LIVE_NO_MEMORY;
    for (size_t k = 0; k < g->n_live; k++)
        old[k] = expr_value_now(g, g->live[k]);
    size_t n = follow(g, from, &outcome);
    if (outcome == EXPR_LIVE_FOLLOWED)
        outcome = check_frozen(g, from);
    for (size_t k = 0; k < n && outcome != EXPR_LIVE_FOLLOWED; k++)
        node_set_value(g, g->live[k], old[k]);
    if (outcome == EXPR_LIVE_FOLLOWED)
        g->live_version++;
    memory_give(g->allocator, old, (g->n_live + 1) * sizeof *old);
    return outcome;
}

static bool is_step(expr_op op)
{
    return (op >= EXPR_LT && op <= EXPR_NOT) || (op >= EXPR_FLOOR && op <= EXPR_IDIV) ||
           op == EXPR_SIGN;
}

/* Operands, and the formulas of live constants, were made before: one pass downwards is enough. */
void expr_live_decisions(const expr_graph *g, unsigned char *flags)
{
    memset(flags, 0, g->n);
    for (size_t k = 0; k < g->n_frozen; k++)
        flags[g->frozen[k].formula] = EXPR_LIVE_EXACT;
    for (expr e = g->n; e-- > 1;) {
        if (!flags[e])
            continue;
        const expr *x;
        uint32_t count = expr_operands(g, e, &x);
        unsigned char passed = is_step(expr_op_of(g, e)) ? EXPR_LIVE_DECIDES : flags[e];
        for (uint32_t k = 0; k < count; k++)
            flags[x[k]] |= passed;
        if (expr_is_live(g, e))
            flags[expr_live_formula(g, e)] |= flags[e];
    }
}
