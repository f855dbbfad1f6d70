/* symbolic/arithmetic.c - see value.h: operators on values and conditions. */
#include "symbolic/context.h"

#include <string.h>

enum {
    TEXT_MAX = 1 << 20, /* bytes of a text that was joined */
    TEXT_WORK = 64,     /* bytes of a text that cost one unit of work */
    MATRIX_POWER_MAX = 1000
};

static base_type joined_base(value a, value b)
{
    return a.type.base == T_INTEGER && b.type.base == T_INTEGER ? T_INTEGER : T_REAL;
}

static value elementwise(context *in, expr_op op, value a, value b, base_type base)
{
    bool wide = a.type.n_dims > 0;
    type t = wide ? a.type : b.type;
    t.base = (uint8_t)base;
    value r = value_new(in, t);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_make2(in->g, op, a.e[a.type.n_dims ? i : 0], b.e[b.type.n_dims ? i : 0]);
    return r;
}

/* What else may have been meant, behind a message. */
static const char *other_operation(ast_op op, value a, value b)
{
    bool one_text = (a.type.base == T_STRING) != (b.type.base == T_STRING);
    if (op == AST_ADD && one_text)
        return ": a number becomes a text with String(x)";
    if (a.type.n_dims == 0 && b.type.n_dims == 0)
        return "";
    return op == AST_MUL   ? ": element by element it is written .*"
           : op == AST_DIV ? ": element by element it is written ./"
           : op == AST_POW ? ": element by element it is written .^"
                           : "";
}

static value sizes_differ(context *in, ast_op op, value a, value b, source_at at)
{
    return context_error(in, at, "'%s' cannot join %s and %s%s", ast_op_text(op),
                         type_text(in, a.type), type_text(in, b.type), other_operation(op, a, b));
}

static expr dot(context *in, const expr *a, size_t step_a, const expr *b, size_t step_b, size_t n)
{
    expr sum = expr_constant(in->g, 0.0);
    for (size_t i = 0; i < n; i++)
        sum = expr_add(in->g, sum, expr_mul(in->g, a[i * step_a], b[i * step_b]));
    return sum;
}

/* Vectors and matrices; a vector on the left is a row, on the right a column. */
static value matrix_product(context *in, value a, value b, source_at at)
{
    if (a.type.n_dims > 2 || b.type.n_dims > 2)
        return sizes_differ(in, AST_MUL, a, b, at);
    size_t rows = a.type.n_dims == 2 ? (size_t)a.type.dim[0] : 1;
    size_t inner = (size_t)a.type.dim[a.type.n_dims - 1];
    size_t columns = b.type.n_dims == 2 ? (size_t)b.type.dim[1] : 1;
    if (inner != (size_t)b.type.dim[0])
        return sizes_differ(in, AST_MUL, a, b, at);
    type t = type_scalar(joined_base(a, b));
    if (a.type.n_dims == 2)
        t.dim[t.n_dims++] = (int32_t)rows;
    if (b.type.n_dims == 2)
        t.dim[t.n_dims++] = (int32_t)columns;
    value r = value_new(in, t);
    if (is_bad(r) || !context_work(in, rows * columns * inner))
        return bad_value;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            r.e[i * columns + j] = dot(in, a.e + i * inner, 1, b.e + j, columns, inner);
    return r;
}

static value matrix_power(context *in, value a, value b, source_at at)
{
    int64_t power = 0;
    if (a.type.n_dims != 2 || a.type.dim[0] != a.type.dim[1] || !value_integer(in, b, &power) ||
        power < 0 || power > MATRIX_POWER_MAX)
        return sizes_differ(in, AST_POW, a, b, at);
    value r = value_new(in, a.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_constant(in->g, i % ((size_t)a.type.dim[0] + 1) == 0);
    for (int64_t k = 0; k < power && !is_bad(r); k++)
        r = matrix_product(in, r, a, at);
    return r;
}

static value join_texts(context *in, value a, value b, source_at at)
{
    if (a.type.n_dims || b.type.n_dims || !value_is_constant(in, a) || !value_is_constant(in, b))
        return context_error(in, at, "a String must be constant, except in messages");
    const char *left = context_name(in, (int32_t)expr_value(in->g, a.e[0]));
    const char *right = context_name(in, (int32_t)expr_value(in->g, b.e[0]));
    size_t length = strlen(left) + strlen(right);
    if (length > TEXT_MAX)
        return context_error(in, at, "the text has more than %d bytes", TEXT_MAX);
    return context_work(in, length / TEXT_WORK)
               ? value_text(in, context_text(in, "%s%s", left, right))
               : bad_value;
}

expr_op value_operation(ast_op op)
{
    switch (op) {
    case AST_ADD:
    case AST_EL_ADD:
        return EXPR_ADD;
    case AST_SUB:
    case AST_EL_SUB:
        return EXPR_SUB;
    case AST_MUL:
    case AST_EL_MUL:
        return EXPR_MUL;
    case AST_DIV:
    case AST_EL_DIV:
        return EXPR_DIV;
    case AST_POW:
    case AST_EL_POW:
        return EXPR_POW;
    default:
        return EXPR_N_OPS;
    }
}

static bool is_elementwise(ast_op op)
{
    return op == AST_EL_ADD || op == AST_EL_SUB || op == AST_EL_MUL || op == AST_EL_DIV ||
           op == AST_EL_POW;
}

value value_arith(context *in, ast_op op, value a, value b, source_at at)
{
    if (is_bad(a) || is_bad(b))
        return bad_value;
    if (op == AST_ADD && a.type.base == T_STRING && b.type.base == T_STRING)
        return join_texts(in, a, b, at);
    if (!value_is_numeric(a) || !value_is_numeric(b))
        return sizes_differ(in, op, a, b, at);
    bool scalar_a = a.type.n_dims == 0, scalar_b = b.type.n_dims == 0;
    base_type base = value_operation(op) >= EXPR_DIV ? T_REAL : joined_base(a, b);
    bool plain = (scalar_a && scalar_b) || (is_elementwise(op) && (scalar_a || scalar_b)) ||
                 (op == AST_MUL && (scalar_a || scalar_b)) || (op == AST_DIV && scalar_b);
    if (plain)
        return elementwise(in, value_operation(op), a, b, base);
    if (op == AST_MUL)
        return matrix_product(in, a, b, at);
    if (op == AST_POW && scalar_b)
        return matrix_power(in, a, b, at);
    if (op == AST_DIV || op == AST_POW || !type_same_sizes(a.type, b.type))
        return sizes_differ(in, op, a, b, at);
    return elementwise(in, value_operation(op), a, b, base);
}

value value_negate(context *in, value a, source_at at)
{
    if (is_bad(a))
        return a;
    if (!value_is_numeric(a))
        return context_error(in, at, "'-' does not apply to %s", type_text(in, a.type));
    return value_map(in, a, EXPR_NEG, (base_type)a.type.base);
}

value value_map(context *in, value a, expr_op op, base_type result)
{
    if (is_bad(a))
        return a;
    type t = a.type;
    t.base = (uint8_t)result;
    value r = value_new(in, t);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_make1(in->g, op, a.e[i]);
    return r;
}

value value_map2(context *in, value a, value b, expr_op op, source_at at)
{
    if (is_bad(a) || is_bad(b))
        return bad_value;
    bool fits = !a.type.n_dims || !b.type.n_dims || type_same_sizes(a.type, b.type);
    if (!fits || !value_is_numeric(a) || !value_is_numeric(b))
        return context_error(in, at, "'%s' cannot join %s and %s", expr_op_text(op),
                             type_text(in, a.type), type_text(in, b.type));
    return elementwise(in, op, a, b, joined_base(a, b));
}

/* Brings two alternatives to one type. */
static bool join_types(context *in, value *a, value *b, source_at at)
{
    if (a->type.base == T_INTEGER && b->type.base == T_REAL)
        a->type.base = T_REAL;
    if (b->type.base == T_INTEGER && a->type.base == T_REAL)
        b->type.base = T_REAL;
    if (a->n == 0 && b->n > 0 && a->type.n_dims == 1 && b->type.n_dims == 1)
        a->type.base = b->type.base;
    value same = value_convert(in, *b, a->type, at, "the other alternative");
    *b = same;
    return !is_bad(same);
}

value value_if(context *in, expr condition, value yes, value no, source_at at)
{
    if (is_bad(yes) || is_bad(no) || !join_types(in, &yes, &no, at))
        return bad_value;
    value r = value_new(in, yes.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_if(in->g, condition, yes.e[i], no.e[i]);
    return r;
}

/* ---- conditions ---- */

expr condition_and(context *in, expr a, expr b)
{
    if (a == EXPR_NONE || b == EXPR_NONE)
        return a == EXPR_NONE ? b : a;
    return expr_make2(in->g, EXPR_AND, a, b);
}

expr condition_not(context *in, expr a)
{
    return expr_make1(in->g, EXPR_NOT, a);
}
