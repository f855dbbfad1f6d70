/* expr/rounding.c - see rounding.h. */
#include "expr/rounding.h"

#include <float.h>
#include <math.h>

#include "expr/node_build.h"
#include "expr/walk.h"

typedef struct analysis {
    const expr_graph *g;
    const expr_source *from;
    double *value, *error; /* by id */
} analysis;

/* Operations whose results are exact, or jump: a jump is not what rounding does to them. */
static bool is_exact(expr_op op)
{
    return op == EXPR_NEG || op == EXPR_SIGN || (op >= EXPR_FLOOR && op <= EXPR_IDIV) ||
           (op >= EXPR_LT && op <= EXPR_NOT);
}

/* What the error of one operand does to the result. */
static double effect(double moved, double value)
{
    double by = fabs(moved - value);
    return isfinite(by) ? by : fabs(value);
}

static void analyse_operation(const analysis *a, expr e, expr_op op)
{
    const expr *operands;
    uint32_t n = expr_operands(a->g, e, &operands);
    double x = a->value[operands[0]], y = n > 1 ? a->value[operands[1]] : 0.0;
    double dx = a->error[operands[0]], dy = n > 1 ? a->error[operands[1]] : 0.0;
    double value = kernel_apply(op, x, y), error = 0.5 * DBL_EPSILON * fabs(value);
    a->value[e] = value;
    if (is_exact(op))
        error = op == EXPR_NEG ? dx : 0.0;
    else if (op == EXPR_ADD || op == EXPR_SUB)
        error += dx + dy;
    else
        error += effect(dx > 0.0 ? kernel_apply(op, x + dx, y) : value, value) +
                 effect(dy > 0.0 ? kernel_apply(op, x, y + dy) : value, value);
    a->error[e] = error;
}

/* Calls are taken as exact up to the rounding of their results. */
static void analyse(const analysis *a, expr e)
{
    const expr_node *n = &a->g->node[e];
    switch (n->op) {
    case EXPR_CONST:
        a->value[e] = expr_value_now(a->g, e);
        a->error[e] = 0.0;
        return;
    case EXPR_VAR:
        a->value[e] = a->from->variable(a->from->user, n->a);
        a->error[e] = 0.0;
        return;
    case EXPR_IF: {
        expr chosen = a->value[n->a] != 0.0 ? n->b : n->c;
        a->value[e] = a->value[chosen];
        a->error[e] = a->error[chosen];
        return;
    }
    case EXPR_CALL:
    case EXPR_OUTPUT:
        if (expr_evaluate(a->g, e, a->from, &a->value[e]) != 0)
            a->value[e] = (double)NAN;
        a->error[e] = 0.5 * DBL_EPSILON * fabs(a->value[e]);
        return;
    default:
        analyse_operation(a, e, (expr_op)n->op);
    }
}

bool expr_rounding_errors(const expr_graph *g, const expr *roots, size_t n, const expr_source *from,
                          double *error)
{
    size_t size = g->n;
    double *room = memory_take_array(g->allocator, 2 * size, sizeof *room);
    analysis a = {g, from, room, room + size};
    expr_walker w;
    expr_walker_create(&w, g);
    bool fine = room != NULL;
    for (size_t k = 0; k < n && fine; k++) {
        fine = roots[k] != EXPR_NONE && expr_walk(&w, roots[k], EXPR_ALL);
        for (size_t i = 0; i < w.n_found && fine; i++)
            analyse(&a, w.found[i]);
        error[k] = fine ? a.error[roots[k]] : 0.0;
    }
    expr_walker_free(&w);
    memory_give(g->allocator, room, 2 * size * sizeof *room);
    return fine;
}
