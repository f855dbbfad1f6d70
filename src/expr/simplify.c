/* expr/simplify.c - the makers of expr/expression.h: folding and normal forms.
 *
 * Every rule there is.  c, d are constants, v(c) their values.  "exact": the same bits in
 * all cases but the sign of a zero or of a NaN; "roundoff": one rounding less or elsewhere;
 * "hides": the result can be finite where the operand is NaN or infinite.
 *
 *   op(c), op(c,d)        -> its value, if that is finite                  exact
 *   x + 0, x - 0, x*1, x/1, x^1 -> x;  0 - x, x*(-1), x/(-1) -> -x         exact
 *   x + (-c) -> x - c, x - (-c) -> x + c                                   exact
 *   x + (-y) -> x - y, (-x) + y -> y - x, x - (-y) -> x + y                exact
 *   (-x) - y -> -(x + y), -(-x) -> x, -(x - y) -> y - x                    exact
 *   x + (-c)*y -> x - c*y, x - (-c)*y -> x + c*y  (c > 0)                  exact
 *   x + x -> 2*x                                                           exact
 *   x - x -> 0, 0*x -> 0, 0/x -> 0                    hides; not if x contains a call
 *   (-x)*y -> -(x*y), (-x)*(-y) -> x*y, the same for /                     exact
 *   -(c*x) -> (-c)*x, -(c/x) -> (-c)/x, c*(-x) -> (-c)*x                   exact
 *   c*(d*x) -> (c*d)*x, if c*d is a normal number                          roundoff
 *   x/c -> (1/c)*x for powers of two                                       exact
 *   x^0 -> 1 (as C's pow), x^2, x^3, x^4 -> products, x^(1/2) -> sqrt      roundoff
 *   x^(-1) -> 1/x, x^(-2) -> 1/(x*x)                                       roundoff
 *   abs(-x), abs(abs(x)) -> abs(x), cos(-x) -> cos(x)                      exact
 *   min(x,x), max(x,x) -> x                                                exact
 *   not not x -> x, x and x, x or x -> x, and/or with a constant           exact for Booleans
 *   x and f(..) -> if x then f(..) else false, likewise or: calls are lazy exact
 *   if c then x else y -> x or y; if not b then x else y -> if b then y else x  exact
 *   if b then x else x -> x                                      not if b contains a call
 *
 * Live constants: x*1, x*(-1) and x/c for powers of two stay as they are; an exponent that has a
 * form of its own, a truth and a value that is not a normal number are frozen.
 *
 * Operands of + * min max are ordered: constants last in sums, first in products, else by
 * id.  Not done, because an error would vanish or a value change: x/x, 0/0, (x + c) + d,
 * relations of equal operands, constants with results that are not finite.  0/x is done because
 * a capacitance of 0/x would else count as a coefficient of a derivative, and the index be wrong.
 */
#include <float.h>
#include <math.h>

#include "expr/kernels.h"
#include "expr/node_build.h"

double kernel_apply(expr_op op, double x, double y)
{
    switch (op) {
#define K2(name, formula)                                                                          \
    case EXPR_##name:                                                                              \
        return formula;
        KERNEL_LIST(K2, K2)
#undef K2
    default:
        return (double)NAN;
    }
}

static bool is_op(const expr_graph *g, expr e, expr_op op)
{
    return g->node[e].op == op;
}

static expr first(const expr_graph *g, expr e)
{
    return g->node[e].a;
}

static expr second(const expr_graph *g, expr e)
{
    return g->node[e].b;
}

/* c*x with c < 0 */
static bool is_negative_multiple(const expr_graph *g, expr e)
{
    return is_op(g, e, EXPR_MUL) && expr_is_constant(g, first(g, e)) &&
           expr_value_now(g, first(g, e)) < 0.0;
}

static bool is_negative(const expr_graph *g, expr e)
{
    return expr_is_constant(g, e) && expr_value_now(g, e) < 0.0;
}

/* Without effect on anything but its value. */
static bool can_vanish(const expr_graph *g, expr e)
{
    return !expr_has(g, e, EXPR_HAS_CALL);
}

static expr ordered(expr_graph *g, expr_op op, expr a, expr b)
{
    return a <= b ? node_intern(g, op, a, b, 0) : node_intern(g, op, b, a, 0);
}

static bool is_commutative(expr_op op)
{
    return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_MIN || op == EXPR_MAX;
}

static bool is_logical(expr_op op)
{
    return op >= EXPR_LT && op <= EXPR_NOT;
}

/* The constant `value` of an operation on constants (b may be 0).  Truths of live constants are
 * frozen: they choose what the model is. */
static expr folded(expr_graph *g, expr_op op, expr a, expr b, double value)
{
    if (!expr_is_live(g, a) && !expr_is_live(g, b))
        return expr_constant(g, value);
    expr formula = is_commutative(op) ? ordered(g, op, a, b) : node_intern(g, op, a, b, 0);
    if (!is_logical(op))
        return expr_live_constant(g, value, formula);
    node_freeze(g, formula, value);
    return expr_constant(g, value);
}

static expr negative_constant(expr_graph *g, expr c)
{
    expr formula = expr_live_formula(g, c);
    if (formula && is_op(g, formula, EXPR_NEG))
        return first(g, formula);
    return folded(g, EXPR_NEG, c, 0, -expr_value_now(g, c));
}

/* -(c*x) and -c, whose sign can be had for nothing. */
static expr flipped(expr_graph *g, expr e)
{
    if (expr_is_constant(g, e))
        return negative_constant(g, e);
    return expr_mul(g, negative_constant(g, first(g, e)), second(g, e));
}

/* ---- sums --------------------------------------------------------------------- */

static expr make_neg(expr_graph *g, expr a)
{
    if (expr_is_constant(g, a))
        return negative_constant(g, a);
    if (is_op(g, a, EXPR_NEG))
        return first(g, a);
    if (is_op(g, a, EXPR_SUB))
        return expr_sub(g, second(g, a), first(g, a));
    if (is_op(g, a, EXPR_MUL) && expr_is_constant(g, first(g, a)))
        return flipped(g, a);
    if (is_op(g, a, EXPR_DIV) && expr_is_constant(g, first(g, a)))
        return expr_div(g, flipped(g, first(g, a)), second(g, a));
    return node_intern(g, EXPR_NEG, a, 0, 0);
}

static expr make_add(expr_graph *g, expr a, expr b)
{
    if (expr_is_constant(g, a)) {
        expr t = a;
        a = b;
        b = t;
    }
    if (expr_is_value(g, b, 0.0))
        return a;
    if (is_negative(g, b) || is_negative_multiple(g, b))
        return expr_sub(g, a, flipped(g, b));
    if (is_op(g, b, EXPR_NEG))
        return expr_sub(g, a, first(g, b));
    if (is_op(g, a, EXPR_NEG))
        return expr_sub(g, b, first(g, a));
    if (is_negative_multiple(g, a))
        return expr_sub(g, b, flipped(g, a));
    if (a == b)
        return expr_mul(g, expr_constant(g, 2.0), a);
    return expr_is_constant(g, b) ? node_intern(g, EXPR_ADD, a, b, 0) : ordered(g, EXPR_ADD, a, b);
}

static expr make_sub(expr_graph *g, expr a, expr b)
{
    if (a == b && can_vanish(g, a))
        return expr_constant(g, 0.0);
    if (expr_is_value(g, b, 0.0))
        return a;
    if (expr_is_value(g, a, 0.0))
        return make_neg(g, b);
    if (is_negative(g, b) || is_negative_multiple(g, b))
        return expr_add(g, a, flipped(g, b));
    if (is_op(g, b, EXPR_NEG))
        return expr_add(g, a, first(g, b));
    if (is_op(g, a, EXPR_NEG))
        return expr_neg(g, expr_add(g, first(g, a), b));
    return node_intern(g, EXPR_SUB, a, b, 0);
}

/* ---- products ----------------------------------------------------------------- */

static expr make_multiple(expr_graph *g, expr c, expr x)
{
    double value = expr_value_now(g, c);
    bool is_live = expr_is_live(g, c);
    if (value == 0.0 && can_vanish(g, x))
        return c;
    if (value == 1.0 && !is_live)
        return x;
    if (is_op(g, x, EXPR_NEG))
        return expr_mul(g, negative_constant(g, c), first(g, x));
    if (is_op(g, x, EXPR_MUL) && expr_is_constant(g, first(g, x))) {
        double product = value * expr_value_now(g, first(g, x));
        if (isnormal(product))
            return expr_mul(g, folded(g, EXPR_MUL, c, first(g, x), product), second(g, x));
    } else if (value == -1.0 && !is_live) {
        return make_neg(g, x);
    }
    return node_intern(g, EXPR_MUL, c, x, 0);
}

static expr make_mul(expr_graph *g, expr a, expr b)
{
    if (expr_is_constant(g, a))
        return make_multiple(g, a, b);
    if (expr_is_constant(g, b))
        return make_multiple(g, b, a);
    bool flip = is_op(g, a, EXPR_NEG) != is_op(g, b, EXPR_NEG);
    a = is_op(g, a, EXPR_NEG) ? first(g, a) : a;
    b = is_op(g, b, EXPR_NEG) ? first(g, b) : b;
    expr product = ordered(g, EXPR_MUL, a, b);
    return flip ? expr_neg(g, product) : product;
}

static bool is_power_of_two(double c)
{
    int exponent;
    return isnormal(c) && isnormal(1.0 / c) && fabs(frexp(c, &exponent)) == 0.5;
}

static expr make_div(expr_graph *g, expr a, expr b)
{
    if (expr_is_value(g, a, 0.0) && !expr_is_constant(g, b) && can_vanish(g, b))
        return a;
    if (expr_is_constant(g, b) && !expr_is_live(g, b) && is_power_of_two(expr_value_now(g, b)))
        return expr_mul(g, expr_constant(g, 1.0 / expr_value_now(g, b)), a);
    bool flip = is_op(g, a, EXPR_NEG) != is_op(g, b, EXPR_NEG);
    a = is_op(g, a, EXPR_NEG) ? first(g, a) : a;
    b = is_op(g, b, EXPR_NEG) ? first(g, b) : b;
    expr quotient = node_intern(g, EXPR_DIV, a, b, 0);
    return flip ? expr_neg(g, quotient) : quotient;
}

static bool has_own_form(double exponent)
{
    return exponent == 0.5 || (exponent == floor(exponent) && fabs(exponent) <= 4.0);
}

static expr make_pow(expr_graph *g, expr a, expr b)
{
    double e = expr_is_constant(g, b) ? expr_value_now(g, b) : (double)NAN;
    if (has_own_form(e))
        b = expr_settled(g, b);
    if (e == 0.0 && can_vanish(g, a))
        return expr_constant(g, 1.0);
    if (e == 1.0)
        return a;
    if (e == 2.0)
        return expr_mul(g, a, a);
    if (e == 3.0)
        return expr_mul(g, expr_mul(g, a, a), a);
    if (e == 4.0)
        return expr_mul(g, expr_mul(g, a, a), expr_mul(g, a, a));
    if (e == -1.0)
        return expr_div(g, expr_constant(g, 1.0), a);
    if (e == -2.0)
        return expr_div(g, expr_constant(g, 1.0), expr_mul(g, a, a));
    if (e == 0.5)
        return expr_make1(g, EXPR_SQRT, a);
    return node_intern(g, EXPR_POW, a, b, 0);
}

/* ---- logic -------------------------------------------------------------------- */

/* and (stop = 0), or (stop = 1): the second operand matters unless the first is stop. */
static expr make_logic(expr_graph *g, expr_op op, expr a, expr b)
{
    bool stop = op == EXPR_OR;
    if (a == b)
        return a;
    if (expr_is_constant(g, a))
        return (expr_value(g, a) != 0.0) == stop ? expr_constant(g, stop) : b;
    if (expr_is_constant(g, b) && (expr_value(g, b) != 0.0) != stop)
        return a;
    if (expr_is_constant(g, b) && can_vanish(g, a))
        return expr_constant(g, stop);
    if (expr_has(g, b, EXPR_HAS_CALL))
        return stop ? expr_if(g, a, expr_constant(g, 1.0), b)
                    : expr_if(g, a, b, expr_constant(g, 0.0));
    return node_intern(g, op, a, b, 0);
}

expr expr_if(expr_graph *g, expr condition, expr yes, expr no)
{
    if (!condition || !yes || !no)
        return EXPR_NONE;
    if (expr_is_constant(g, condition))
        return expr_value(g, condition) != 0.0 ? yes : no;
    if (yes == no && can_vanish(g, condition))
        return yes;
    if (is_op(g, condition, EXPR_NOT))
        return expr_if(g, first(g, condition), no, yes);
    return node_intern(g, EXPR_IF, condition, yes, no);
}

/* ---- by operation --------------------------------------------------------------- */

expr expr_make1(expr_graph *g, expr_op op, expr a)
{
    if (!a)
        return EXPR_NONE;
    if (expr_is_constant(g, a)) {
        double value = kernel_apply(op, expr_value_now(g, a), 0.0);
        if (op == EXPR_NEG)
            return negative_constant(g, a);
        if (isfinite(value))
            return folded(g, op, a, 0, value);
    }
    switch (op) {
    case EXPR_NEG:
        return make_neg(g, a);
    case EXPR_ABS:
        if (is_op(g, a, EXPR_ABS))
            return a;
        return node_intern(g, op, is_op(g, a, EXPR_NEG) ? first(g, a) : a, 0, 0);
    case EXPR_COS:
        return node_intern(g, op, is_op(g, a, EXPR_NEG) ? first(g, a) : a, 0, 0);
    case EXPR_NOT:
        return is_op(g, a, EXPR_NOT) ? first(g, a) : node_intern(g, op, a, 0, 0);
    default:
        return node_intern(g, op, a, 0, 0);
    }
}

expr expr_make2(expr_graph *g, expr_op op, expr a, expr b)
{
    if (!a || !b)
        return EXPR_NONE;
    if (expr_is_constant(g, a) && expr_is_constant(g, b)) {
        double value = kernel_apply(op, expr_value_now(g, a), expr_value_now(g, b));
        return isfinite(value) ? folded(g, op, a, b, value) : node_intern(g, op, a, b, 0);
    }
    switch (op) {
    case EXPR_ADD:
        return make_add(g, a, b);
    case EXPR_SUB:
        return make_sub(g, a, b);
    case EXPR_MUL:
        return make_mul(g, a, b);
    case EXPR_DIV:
        return make_div(g, a, b);
    case EXPR_POW:
        return make_pow(g, a, b);
    case EXPR_MIN:
    case EXPR_MAX:
        return a == b ? a : ordered(g, op, a, b);
    case EXPR_AND:
    case EXPR_OR:
        return make_logic(g, op, a, b);
    default:
        return node_intern(g, op, a, b, 0);
    }
}
