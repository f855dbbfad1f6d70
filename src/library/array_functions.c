/* library/array_functions.c - see flattener.h: functions of the language that make, join and
 * reduce arrays.                                                                 */
#include "flatten/flattener.h"

#include <string.h>

typedef struct array_function {
    const char *name;
    value (*call)(flattener *f, const ast_expr *call, const struct array_function *a);
    int op;
} array_function;

static value argument(flattener *f, const ast_expr *call, const char *names)
{
    const ast_expr *arg[4];
    return builtin_args(f, call, names, 1, arg) ? eval(f, arg[0]) : bad_value;
}

static bool matrix_needed(flattener *f, value v, int dims, source_at at)
{
    if (is_bad(v))
        return false;
    if (v.type.n_dims != dims || v.type.base == T_RECORD)
        return fl_error(f, at, "%s needs %d dimensions here", type_text(f, v.type), dims).n;
    return true;
}

/* ---- reductions ---- */

/* f(array) or f(e for i in r); everything in it. */
static value reduced(flattener *f, const ast_expr *call)
{
    if (call->n == 1 && call->arg[0].value->kind == AST_ITERATED) {
        ast_expr *item[1] = {call->arg[0].value};
        ast_expr list = {.kind = AST_ARRAY, .n = 1, .at = call->at, .end = call->end, .item = item};
        return eval(f, &list);
    }
    return argument(f, call, "A");
}

static value call_fold(flattener *f, const ast_expr *call, const array_function *a)
{
    value v = reduced(f, call);
    if (is_bad(v))
        return v;
    if (!value_is_numeric(v))
        return fl_error(f, call->at, "%s() of %s", a->name, type_text(f, v.type));
    expr total = fl_constant(f, a->op == EXPR_ADD ? 0.0 : 1.0);
    for (size_t i = 0; i < v.n; i++)
        total = i ? expr_make2(f->g, (expr_op)a->op, total, v.e[i]) : v.e[i];
    return value_scalar(f, (base_type)v.type.base, total);
}

/* min and max of two scalars (or elementwise), or of an array; on Booleans and, or. */
static value call_extreme(flattener *f, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[2];
    expr_op op = (expr_op)a->op;
    if (call->n == 2 && builtin_args(f, call, "x y", 2, arg)) {
        value x = eval(f, arg[0]), y = eval(f, arg[1]);
        if (is_bad(x) || is_bad(y) || (value_is_numeric(x) && value_is_numeric(y)))
            return value_map2(f, x, y, op, call->at);
        value both[2] = {x, y};
        value stack = value_stack(f, both, 2, call->at);
        return is_bad(stack) || stack.n != 2
                   ? bad_value
                   : (value){.type = x.type,
                             .n = 1,
                             .e = value_scalar(f, T_REAL, expr_make2(f->g, op, x.e[0], y.e[0])).e};
    }
    value v = reduced(f, call);
    if (is_bad(v))
        return v;
    if (v.n == 0 || v.type.base == T_RECORD || v.type.base == T_STRING)
        return fl_error(f, call->at, "%s() of %s", a->name, type_text(f, v.type));
    value r = value_new(f, type_element(v.type));
    for (size_t i = 0; !is_bad(r) && i < v.n; i++)
        r.e[0] = i ? expr_make2(f->g, op, r.e[0], v.e[i]) : v.e[0];
    return r;
}

/* ---- sizes ---- */

static value call_size(flattener *f, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[2];
    int64_t k = 0;
    (void)a;
    if (!builtin_args(f, call, "A i", 1, arg))
        return bad_value;
    value v = eval(f, arg[0]);
    if (is_bad(v))
        return v;
    if (arg[1]) {
        if (!eval_integer(f, arg[1], &k, "the number of a dimension"))
            return bad_value;
        if (k < 1 || k > v.type.n_dims)
            return fl_error(f, arg[1]->at, "%s has no dimension %lld", type_text(f, v.type),
                            (long long)k);
        return value_number(f, T_INTEGER, v.type.dim[k - 1]);
    }
    type t = type_scalar(T_INTEGER);
    t.n_dims = 1;
    t.dim[0] = v.type.n_dims;
    value r = value_new(f, t);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = fl_constant(f, v.type.dim[i]);
    return r;
}

static value call_ndims(flattener *f, const ast_expr *call, const array_function *a)
{
    value v = argument(f, call, "A");
    (void)a;
    return is_bad(v) ? v : value_number(f, T_INTEGER, v.type.n_dims);
}

/* ---- making ---- */

/* Sizes from argument number `from` on. */
static type sizes_of(flattener *f, const ast_expr *call, int32_t from, type element)
{
    int32_t dims[MOST_DIMS];
    double total = 1.0;
    if (call->n - from > MOST_DIMS || call->n == from)
        return fl_error(f, call->at, "1 to %d sizes are needed", MOST_DIMS).type;
    for (int32_t i = from; i < call->n; i++) {
        int64_t n = 0;
        if (!eval_integer(f, call->arg[i].value, &n, "a size"))
            return type_scalar(T_BAD);
        total *= n < 0 ? 0.0 : (double)n;
        if (n < 0 || n > ELEMENTS_MAX || total > ELEMENTS_MAX)
            return fl_error(f, call->arg[i].at, "an array cannot have size %lld", (long long)n)
                .type;
        dims[i - from] = (int32_t)n;
    }
    return type_array(element, call->n - from, dims);
}

static value call_filled(flattener *f, const ast_expr *call, const array_function *a)
{
    type t = sizes_of(f, call, 0, type_scalar(T_INTEGER));
    value v = t.base == T_BAD ? bad_value : value_new(f, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = fl_constant(f, a->op);
    return v;
}

static value call_fill(flattener *f, const ast_expr *call, const array_function *a)
{
    (void)a;
    if (call->n < 2)
        return fl_error(f, call->at, "fill() needs a value and sizes");
    value one = eval(f, call->arg[0].value);
    type t = is_bad(one) ? one.type : sizes_of(f, call, 1, one.type);
    value v = t.base == T_BAD ? bad_value : value_new(f, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = one.e[i % one.n];
    return v;
}

static value call_identity(flattener *f, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg;
    int64_t n = 0;
    (void)a;
    if (!builtin_args(f, call, "n", 1, &arg) || !eval_integer(f, arg, &n, "a size"))
        return bad_value;
    if (n < 0 || n > 5000)
        return fl_error(f, call->at, "identity() of size %lld", (long long)n);
    type t = type_array(type_scalar(T_INTEGER), 2, (int32_t[]){(int32_t)n, (int32_t)n});
    value v = value_new(f, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = fl_constant(f, i % ((size_t)n + 1) == 0);
    return v;
}

static value call_diagonal(flattener *f, const ast_expr *call, const array_function *a)
{
    value d = argument(f, call, "v");
    (void)a;
    if (!matrix_needed(f, d, 1, call->at))
        return bad_value;
    type t = type_array(d.type, 1, d.type.dim);
    value v = value_new(f, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = i % (d.n + 1) == 0 ? d.e[i / (d.n + 1)] : fl_constant(f, 0.0);
    return v;
}

static value call_linspace(flattener *f, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[3];
    int64_t n = 0;
    (void)a;
    if (!builtin_args(f, call, "x1 x2 n", 3, arg) || !eval_integer(f, arg[2], &n, "a size"))
        return bad_value;
    value from = eval_scalar(f, arg[0], T_REAL, "x1"), to = eval_scalar(f, arg[1], T_REAL, "x2");
    if (is_bad(from) || is_bad(to) || n < 2 || n > ELEMENTS_MAX)
        return is_bad(from) || is_bad(to) ? bad_value
                                          : fl_error(f, call->at, "linspace() needs 2 points");
    value v = value_new(f, type_array(type_scalar(T_REAL), 1, (int32_t[]){(int32_t)n}));
    expr step = expr_div(f->g, expr_sub(f->g, to.e[0], from.e[0]), fl_constant(f, (double)n - 1));
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = expr_add(f->g, from.e[0], expr_mul(f->g, fl_constant(f, (double)i), step));
    return v;
}

static value call_array(flattener *f, const ast_expr *call, const array_function *a)
{
    value *v = arena_take(f->mem, (size_t)call->n + 1, sizeof *v);
    (void)a;
    for (int32_t i = 0; v && i < call->n; i++) {
        v[i] = eval(f, call->arg[i].value);
        if (is_bad(v[i]))
            return bad_value;
    }
    return v ? value_stack(f, v, (size_t)call->n, call->at) : bad_value;
}

/* ---- shapes ---- */

static value transposed(flattener *f, value v)
{
    type t = v.type;
    t.dim[0] = v.type.dim[1];
    t.dim[1] = v.type.dim[0];
    value r = value_new(f, t);
    for (int32_t i = 0; !is_bad(r) && i < t.dim[0]; i++)
        for (int32_t j = 0; j < t.dim[1]; j++)
            r.e[i * t.dim[1] + j] = v.e[j * t.dim[0] + i];
    return r;
}

static value call_transpose(flattener *f, const ast_expr *call, const array_function *a)
{
    value v = argument(f, call, "A");
    (void)a;
    return matrix_needed(f, v, 2, call->at) ? transposed(f, v) : bad_value;
}

static value call_symmetric(flattener *f, const ast_expr *call, const array_function *a)
{
    value v = argument(f, call, "A");
    (void)a;
    if (!matrix_needed(f, v, 2, call->at))
        return bad_value;
    if (v.type.dim[0] != v.type.dim[1])
        return fl_error(f, call->at, "symmetric() of %s", type_text(f, v.type));
    value r = transposed(f, v);
    int32_t n = v.type.dim[0];
    for (int32_t i = 0; !is_bad(r) && i < n; i++)
        for (int32_t j = i; j < n; j++)
            r.e[i * n + j] = v.e[i * n + j];
    return r;
}

static value call_scalar(flattener *f, const ast_expr *call, const array_function *a)
{
    value v = argument(f, call, "A");
    (void)a;
    if (!is_bad(v) && type_count(v.type) != 1)
        return fl_error(f, call->at, "scalar() of %s", type_text(f, v.type));
    v.type.n_dims = 0;
    return v;
}

static value call_vector(flattener *f, const ast_expr *call, const array_function *a)
{
    value v = argument(f, call, "A");
    (void)a;
    int long_ones = 0;
    for (int i = 0; i < v.type.n_dims; i++)
        long_ones += v.type.dim[i] != 1;
    if (!is_bad(v) && long_ones > 1)
        return fl_error(f, call->at, "vector() of %s", type_text(f, v.type));
    v.type.dim[0] = (int32_t)type_count(v.type);
    v.type.n_dims = 1;
    return v;
}

static value call_matrix(flattener *f, const ast_expr *call, const array_function *a)
{
    value v = argument(f, call, "A");
    (void)a;
    for (int i = 2; i < v.type.n_dims; i++)
        if (v.type.dim[i] != 1)
            return fl_error(f, call->at, "matrix() of %s", type_text(f, v.type));
    while (v.type.n_dims < 2)
        v.type.dim[v.type.n_dims++] = 1;
    v.type.n_dims = 2;
    return v;
}

static value call_promote(flattener *f, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[2];
    int64_t n = 0;
    (void)a;
    if (!builtin_args(f, call, "A n", 2, arg) || !eval_integer(f, arg[1], &n, "dimensions"))
        return bad_value;
    value v = eval(f, arg[0]);
    if (!is_bad(v) && (n < v.type.n_dims || n > MOST_DIMS))
        return fl_error(f, call->at, "promote() to %lld dimensions", (long long)n);
    while (v.type.n_dims < n)
        v.type.dim[v.type.n_dims++] = 1;
    return v;
}

/* Joins two arrays along dimension k (from 0). */
static value join(flattener *f, value x, value y, int k, source_at at)
{
    type t = x.type;
    bool fits = x.type.n_dims == y.type.n_dims && k < x.type.n_dims;
    for (int i = 0; fits && i < x.type.n_dims; i++)
        fits = i == k || x.type.dim[i] == y.type.dim[i];
    if (!fits)
        return fl_error(f, at, "cat() cannot join %s and %s", type_text(f, x.type),
                        type_text(f, y.type));
    if (t.dim[k] > ELEMENTS_MAX - y.type.dim[k]) /* empty arrays can have any sizes */
        return fl_error(f, at, "the array has more than %d elements", ELEMENTS_MAX);
    t.dim[k] += y.type.dim[k];
    t.base = x.type.base == T_INTEGER ? y.type.base : x.type.base;
    value r = value_new(f, t);
    size_t outer = 1, inner_x, inner_y;
    for (int i = 0; i < k; i++)
        outer *= (size_t)t.dim[i];
    inner_x = outer ? x.n / outer : 0;
    inner_y = outer ? y.n / outer : 0;
    for (size_t i = 0; !is_bad(r) && i < outer; i++) {
        expr *to = r.e + i * (inner_x + inner_y);
        memcpy(to, x.e + i * inner_x, inner_x * sizeof *to);
        memcpy(to + inner_x, y.e + i * inner_y, inner_y * sizeof *to);
    }
    return r;
}

static value call_cat(flattener *f, const ast_expr *call, const array_function *a)
{
    int64_t k = 0;
    (void)a;
    if (call->n < 2)
        return fl_error(f, call->at, "cat() needs a dimension and arrays");
    if (!eval_integer(f, call->arg[0].value, &k, "the dimension of cat()"))
        return bad_value;
    if (k < 1 || k > MOST_DIMS)
        return fl_error(f, call->at, "cat() along dimension %lld", (long long)k);
    value v = eval(f, call->arg[1].value);
    for (int32_t i = 2; i < call->n && !is_bad(v); i++) {
        value next = eval(f, call->arg[i].value);
        v = is_bad(next) ? next : join(f, v, next, (int)k - 1, call->at);
    }
    return v;
}

/* ---- products ---- */

static bool three(flattener *f, value v, source_at at)
{
    if (!matrix_needed(f, v, 1, at))
        return false;
    return v.n == 3 || fl_error(f, at, "a vector of 3 is needed, not %s", type_text(f, v.type)).n;
}

static value call_cross(flattener *f, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[2];
    expr_graph *g = f->g;
    (void)a;
    if (!builtin_args(f, call, "x y", 2, arg))
        return bad_value;
    value x = eval(f, arg[0]), y = eval(f, arg[1]);
    if (!three(f, x, call->at) || !three(f, y, call->at))
        return bad_value;
    value r = value_new(f, x.type);
    r.type.base = T_REAL;
    for (int i = 0; r.e && i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        r.e[i] = expr_sub(g, expr_mul(g, x.e[j], y.e[k]), expr_mul(g, x.e[k], y.e[j]));
    }
    return r;
}

static value call_skew(flattener *f, const ast_expr *call, const array_function *a)
{
    value x = argument(f, call, "x");
    (void)a;
    if (!three(f, x, call->at))
        return bad_value;
    value r = value_new(f, type_array(type_scalar(T_REAL), 2, (int32_t[]){3, 3}));
    static const int place[3] = {7, 2, 3}, against[3] = {5, 6, 1};
    for (int i = 0; !is_bad(r) && i < 3; i++) {
        r.e[4 * i] = fl_constant(f, 0.0);
        r.e[place[i]] = x.e[i];
        r.e[against[i]] = expr_neg(f->g, x.e[i]);
    }
    return r;
}

static value call_outer(flattener *f, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[2];
    (void)a;
    if (!builtin_args(f, call, "v1 v2", 2, arg))
        return bad_value;
    value x = eval(f, arg[0]), y = eval(f, arg[1]);
    if (!matrix_needed(f, x, 1, call->at) || !matrix_needed(f, y, 1, call->at))
        return bad_value;
    type t = type_array(type_scalar(T_REAL), 2, (int32_t[]){x.type.dim[0], y.type.dim[0]});
    value r = value_new(f, t);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_mul(f->g, x.e[i / y.n], y.e[i % y.n]);
    return r;
}

bool array_call(flattener *f, const ast_expr *call, const char *name, value *result)
{
    static const array_function table[] = {
        {"sum", call_fold, EXPR_ADD},     {"product", call_fold, EXPR_MUL},
        {"min", call_extreme, EXPR_MIN},  {"max", call_extreme, EXPR_MAX},
        {"size", call_size, 0},           {"ndims", call_ndims, 0},
        {"zeros", call_filled, 0},        {"ones", call_filled, 1},
        {"fill", call_fill, 0},           {"identity", call_identity, 0},
        {"diagonal", call_diagonal, 0},   {"linspace", call_linspace, 0},
        {"array", call_array, 0},         {"transpose", call_transpose, 0},
        {"symmetric", call_symmetric, 0}, {"scalar", call_scalar, 0},
        {"vector", call_vector, 0},       {"matrix", call_matrix, 0},
        {"promote", call_promote, 0},     {"cat", call_cat, 0},
        {"cross", call_cross, 0},         {"skew", call_skew, 0},
        {"outerProduct", call_outer, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i].name) == 0) {
            *result = table[i].call(f, call, &table[i]);
            return true;
        }
    return false;
}
