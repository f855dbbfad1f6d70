/* expr/derive_rules.c - see derive_rules.h.
 *
 * The rules reuse the value where they can: d exp(x) = exp(x) dx, d sqrt(x) = dx/(2 sqrt(x)),
 * d(x/y) = (dx - (x/y) dy)/y.  Checked by tests/property/test_expr_derive.c.       */
#include "expr/derive_rules.h"

static const double LN_10 = 2.302585092994045684;

uint32_t derive_operands(const expr_graph *g, expr e, const expr **operands)
{
    if (expr_op_of(g, e) == EXPR_OUTPUT)
        e = g->node[e].a;
    return expr_operands(g, e, operands);
}

bool derive_is_smooth(expr_op op)
{
    switch (op) {
    case EXPR_CONST:
    case EXPR_SIGN:
    case EXPR_FLOOR:
    case EXPR_CEIL:
    case EXPR_INTEGER:
    case EXPR_IDIV:
        return false;
    default:
        return op < EXPR_LT || op > EXPR_NOT;
    }
}

expr derive_choice(expr_graph *g, expr e, expr branch[2])
{
    const expr_node n = g->node[e];
    if (n.op == EXPR_IF) {
        branch[0] = n.b;
        branch[1] = n.c;
        return n.a;
    }
    branch[0] = n.a;
    branch[1] = n.b;
    return expr_make2(g, n.op == EXPR_MIN ? EXPR_LT : EXPR_GT, n.a, n.b);
}

static expr one(expr_graph *g)
{
    return expr_constant(g, 1.0);
}

static expr square(expr_graph *g, expr a)
{
    return expr_mul(g, a, a);
}

/* A power's logarithm exists where the base is positive; elsewhere the exponent is not
 * varied (0^y = 0 for all y > 0).                                                */
static expr chain_pow(expr_graph *g, const expr_node *n, expr e, uint32_t k, expr w)
{
    if (k == 0) {
        expr lower = expr_pow(g, n->a, expr_sub(g, n->b, one(g)));
        return expr_mul(g, w, expr_mul(g, n->b, lower));
    }
    expr zero = expr_constant(g, 0.0);
    expr slope = expr_mul(g, e, expr_make1(g, EXPR_LOG, n->a));
    return expr_if(g, expr_make2(g, EXPR_GT, n->a, zero), expr_mul(g, w, slope), zero);
}

static expr chain_binary(expr_graph *g, const expr_node *n, expr e, uint32_t k, expr w)
{
    switch ((expr_op)n->op) {
    case EXPR_ADD:
        return w;
    case EXPR_SUB:
        return k == 0 ? w : expr_neg(g, w);
    case EXPR_MUL:
        return expr_mul(g, w, k == 0 ? n->b : n->a);
    case EXPR_DIV:
        if (k == 0)
            return expr_div(g, w, n->b);
        return expr_neg(g, expr_div(g, expr_mul(g, w, e), n->b));
    case EXPR_POW:
        return chain_pow(g, n, e, k, w);
    case EXPR_ATAN2: {
        expr radius = expr_add(g, square(g, n->a), square(g, n->b));
        expr slope = expr_div(g, k == 0 ? n->b : n->a, radius);
        return k == 0 ? expr_mul(g, w, slope) : expr_neg(g, expr_mul(g, w, slope));
    }
    case EXPR_MOD:
    case EXPR_REM: {
        if (k == 0)
            return w;
        expr ratio = n->op == EXPR_REM ? expr_make2(g, EXPR_IDIV, n->a, n->b)
                                       : expr_make1(g, EXPR_FLOOR, expr_div(g, n->a, n->b));
        return expr_neg(g, expr_mul(g, w, ratio));
    }
    default:
        return expr_constant(g, 0.0);
    }
}

static expr chain_trigonometric(expr_graph *g, expr_op op, expr a, expr e, expr w)
{
    switch (op) {
    case EXPR_SIN:
        return expr_mul(g, w, expr_make1(g, EXPR_COS, a));
    case EXPR_COS:
        return expr_neg(g, expr_mul(g, w, expr_make1(g, EXPR_SIN, a)));
    case EXPR_TAN:
        return expr_mul(g, w, expr_add(g, one(g), square(g, e)));
    case EXPR_ASIN:
    case EXPR_ACOS: {
        expr root = expr_make1(g, EXPR_SQRT, expr_sub(g, one(g), square(g, a)));
        return expr_div(g, op == EXPR_ASIN ? w : expr_neg(g, w), root);
    }
    default: /* atan */
        return expr_div(g, w, expr_add(g, one(g), square(g, a)));
    }
}

static expr chain_unary(expr_graph *g, expr_op op, expr a, expr e, expr w)
{
    switch (op) {
    case EXPR_NEG:
        return expr_neg(g, w);
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN:
    case EXPR_ASIN:
    case EXPR_ACOS:
    case EXPR_ATAN:
        return chain_trigonometric(g, op, a, e, w);
    case EXPR_SINH:
        return expr_mul(g, w, expr_make1(g, EXPR_COSH, a));
    case EXPR_COSH:
        return expr_mul(g, w, expr_make1(g, EXPR_SINH, a));
    case EXPR_TANH:
        return expr_mul(g, w, expr_sub(g, one(g), square(g, e)));
    case EXPR_EXP:
        return expr_mul(g, w, e);
    case EXPR_LOG:
        return expr_div(g, w, a);
    case EXPR_LOG10:
        return expr_div(g, w, expr_mul(g, expr_constant(g, LN_10), a));
    case EXPR_SQRT:
        return expr_div(g, expr_mul(g, expr_constant(g, 0.5), w), e);
    case EXPR_ABS:
        return expr_mul(g, w, expr_make1(g, EXPR_SIGN, a));
    default:
        return expr_constant(g, 0.0);
    }
}

expr derive_chain(expr_graph *g, expr e, uint32_t k, expr w)
{
    const expr_node n = g->node[e]; /* a copy: the array moves */
    const expr *operands;
    if (expr_operands(g, e, &operands) == 1)
        return chain_unary(g, (expr_op)n.op, n.a, e, w);
    return chain_binary(g, &n, e, k, w);
}
