/* symbolic/event_symbols.c - see context.h: comparisons and roundings that generate events. */
#include "symbolic/context.h"

static bool is_relation(expr_op op)
{
    return op == EXPR_LT || op == EXPR_LE || op == EXPR_GT || op == EXPR_GE;
}

expr event_relation(context *in, expr_op op, value a, value b, source_at at)
{
    expr plain = expr_make2(in->g, op, a.e[0], b.e[0]);
    bool is_real = a.type.base == T_REAL || b.type.base == T_REAL;
    if (in->without_events || in->frame || !is_real || !is_relation(op) || plain == EXPR_NONE ||
        !is_relation(expr_op_of(in->g, plain)) || !expr_has(in->g, plain, EXPR_HAS_VARIABLE))
        return plain;
    const expr *operand;
    expr_operands(in->g, plain, &operand);
    flat_relation r = {.op = expr_op_of(in->g, plain),
                       .left = operand[0],
                       .right = operand[1],
                       .as_written = plain,
                       .at = at};
    uint32_t number = flat_add_relation(in->build, plain, r);
    return number == FLAT_NONE ? plain : expr_variable(in->g, flat_symbol(FLAT_RELATION, number));
}

expr event_floor(context *in, expr u, source_at at)
{
    expr plain = expr_make1(in->g, EXPR_FLOOR, u);
    if (in->without_events || in->frame || plain == EXPR_NONE ||
        expr_op_of(in->g, plain) != EXPR_FLOOR || !expr_has(in->g, plain, EXPR_HAS_VARIABLE))
        return plain;
    uint32_t number = flat_add_rounding(in->build, (flat_rounding){.of = u, .at = at});
    return number == FLAT_NONE ? plain : expr_variable(in->g, flat_symbol(FLAT_ROUNDING, number));
}
