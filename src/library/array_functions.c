/* library/array_functions.c - see library.h: functions of the language that make, join and reduce
 * arrays. */
#include "library/array_functions.h"

#include <float.h>
#include <string.h>

typedef struct array_function {
    const char *name;
    value (*call)(context *in, const ast_expr *call, const struct array_function *a);
    int op;
} array_function;

static value argument(context *in, const ast_expr *call, const char *names)
{
    const ast_expr *arg[4];
    return builtin_args(in, call, names, 1, arg) ? evaluate(in, arg[0]) : bad_value;
}

static bool matrix_needed(context *in, value v, int dims, source_at at)
{
    if (is_bad(v))
        return false;
    if (v.type.n_dims != dims || v.type.base == T_RECORD)
        return context_error(in, at, "%s is not an array of %d dimensions, which is needed here",
                             type_text(in, v.type), dims)
            .n;
    return true;
}

/* ---- reductions ---- */

/* The elements that a reduction f(array) or f(e for i in r) combines. */
static value reduced(context *in, const ast_expr *call)
{
    if (call->n == 1 && call->arg[0].value->kind == AST_ITERATED) {
        ast_expr *item[1] = {call->arg[0].value};
        ast_expr list = {.kind = AST_ARRAY, .n = 1, .at = call->at, .end = call->end, .item = item};
        return evaluate(in, &list);
    }
    return argument(in, call, "A");
}

/* The iterators of f(e for i in r, j in s); 0 for f(array). */
static int iterators_of(const ast_expr *call)
{
    const ast_expr *x = call->arg[0].value;
    return call->n == 1 && x->kind == AST_ITERATED ? (int)x->n : 0;
}

static value call_fold(context *in, const ast_expr *call, const array_function *a)
{
    value v = reduced(in, call);
    if (is_bad(v))
        return v;
    if (!value_is_numeric(v))
        return context_error(in, call->at, "%s() does not apply to %s", a->name,
                             type_text(in, v.type));
    int n_iterators = iterators_of(call);
    type t = type_element(v.type);
    if (n_iterators > 0 && v.type.n_dims > n_iterators) /* sum(x[:, i] for i in r) is a vector */
        t = type_array(t, v.type.n_dims - n_iterators, v.type.dim + n_iterators);
    value total = value_new(in, t);
    for (size_t k = 0; k < total.n; k++) {
        total.e[k] = v.n ? v.e[k] : expr_constant(in->g, a->op == EXPR_ADD ? 0.0 : 1.0);
        for (size_t i = k + total.n; i < v.n; i += total.n)
            total.e[k] = expr_make2(in->g, (expr_op)a->op, total.e[k], v.e[i]);
    }
    return total;
}

/* min() of no numbers is the greatest number, max() the least: what changes nothing when others
 * follow.  bad_value with a message for other types. */
static value extreme_of_none(context *in, value v, const char *name, bool is_min, source_at at)
{
    double greatest = v.type.base == T_INTEGER ? INT32_MAX : DBL_MAX;
    if (!value_is_numeric(v))
        return context_error(in, at, "%s() does not apply to %s", name, type_text(in, v.type));
    return value_number(in, (base_type)v.type.base, is_min ? greatest : -greatest);
}

/* min and max of two scalars (or elementwise), or of an array; on Booleans they are `and` and
 * `or`. */
static value call_extreme(context *in, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[2];
    expr_op op = (expr_op)a->op;
    if (call->n == 2 && builtin_args(in, call, "x y", 2, arg)) {
        value x = evaluate(in, arg[0]), y = evaluate(in, arg[1]);
        if (is_bad(x) || is_bad(y) || (value_is_numeric(x) && value_is_numeric(y)))
            return value_map2(in, x, y, op, call->at);
        value both[2] = {x, y};
        value stack = value_stack(in, both, 2, call->at);
        return is_bad(stack) || stack.n != 2
                   ? bad_value
                   : (value){.type = x.type,
                             .n = 1,
                             .e =
                                 value_scalar(in, T_REAL, expr_make2(in->g, op, x.e[0], y.e[0])).e};
    }
    value v = reduced(in, call);
    if (is_bad(v))
        return v;
    if (v.type.base == T_RECORD || v.type.base == T_STRING)
        return context_error(in, call->at, "%s() does not apply to %s", a->name,
                             type_text(in, v.type));
    if (v.type.n_dims == 0)
        return context_error(in, call->at, "%s() needs an array, or two arguments", a->name);
    if (v.n == 0)
        return extreme_of_none(in, v, a->name, op == EXPR_MIN, call->at);
    value r = value_new(in, type_element(v.type));
    for (size_t i = 0; !is_bad(r) && i < v.n; i++)
        r.e[0] = i ? expr_make2(in->g, op, r.e[0], v.e[i]) : v.e[0];
    return r;
}

/* ---- sizes ---- */

static value call_size(context *in, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[2];
    int64_t k = 0;
    (void)a;
    if (!builtin_args(in, call, "A i", 1, arg))
        return bad_value;
    bool sizes_only = in->sizes_only;
    in->sizes_only = true;
    value v = evaluate(in, arg[0]);
    in->sizes_only = sizes_only;
    if (is_bad(v))
        return v;
    if (arg[1]) {
        if (!evaluate_integer(in, arg[1], &k, "the number of a dimension"))
            return bad_value;
        if (k < 1 || k > v.type.n_dims)
            return context_error(in, arg[1]->at, "%s has no dimension %lld", type_text(in, v.type),
                                 (long long)k);
        return value_number(in, T_INTEGER, v.type.dim[k - 1]);
    }
    type t = type_scalar(T_INTEGER);
    t.n_dims = 1;
    t.dim[0] = v.type.n_dims;
    value r = value_new(in, t);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_constant(in->g, v.type.dim[i]);
    return r;
}

static value call_ndims(context *in, const ast_expr *call, const array_function *a)
{
    value v = argument(in, call, "A");
    (void)a;
    return is_bad(v) ? v : value_number(in, T_INTEGER, v.type.n_dims);
}

/* ---- making ---- */

/* Sizes from argument number `from` on. */
static type sizes_of(context *in, const ast_expr *call, int32_t from, type element)
{
    int32_t dims[MOST_DIMS];
    double total = 1.0;
    if (call->n - from > MOST_DIMS || call->n == from)
        return context_error(in, call->at, "1 to %d sizes are needed", MOST_DIMS).type;
    for (int32_t i = from; i < call->n; i++) {
        int64_t n = 0;
        if (!evaluate_integer(in, call->arg[i].value, &n, "a size"))
            return type_scalar(T_BAD);
        total *= n < 0 ? 0.0 : (double)n;
        if (n < 0 || n > ELEMENTS_MAX || total > ELEMENTS_MAX)
            return context_error(in, call->arg[i].at, "an array cannot have size %lld",
                                 (long long)n)
                .type;
        dims[i - from] = (int32_t)n;
    }
    return type_array(element, call->n - from, dims);
}

static value call_filled(context *in, const ast_expr *call, const array_function *a)
{
    type t = sizes_of(in, call, 0, type_scalar(T_INTEGER));
    value v = t.base == T_BAD ? bad_value : value_new(in, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = expr_constant(in->g, a->op);
    return v;
}

static value call_fill(context *in, const ast_expr *call, const array_function *a)
{
    (void)a;
    if (call->n < 2)
        return context_error(in, call->at, "fill() needs a value and sizes");
    value one = evaluate(in, call->arg[0].value);
    type t = is_bad(one) ? one.type : sizes_of(in, call, 1, one.type);
    value v = t.base == T_BAD ? bad_value : value_new(in, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = one.e[i % one.n];
    return v;
}

static value call_identity(context *in, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg;
    int64_t n = 0;
    (void)a;
    if (!builtin_args(in, call, "n", 1, &arg) || !evaluate_integer(in, arg, &n, "a size"))
        return bad_value;
    enum { IDENTITY_MAX = 5000 }; /* rows: the matrix is stored in full */
    if (n < 0 || n > IDENTITY_MAX)
        return context_error(in, call->at, "identity() cannot have size %lld", (long long)n);
    type t = type_array(type_scalar(T_INTEGER), 2, (int32_t[]){(int32_t)n, (int32_t)n});
    value v = value_new(in, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = expr_constant(in->g, i % ((size_t)n + 1) == 0);
    return v;
}

static value call_diagonal(context *in, const ast_expr *call, const array_function *a)
{
    value d = argument(in, call, "v");
    (void)a;
    if (!matrix_needed(in, d, 1, call->at))
        return bad_value;
    type t = type_array(d.type, 1, d.type.dim);
    value v = value_new(in, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = i % (d.n + 1) == 0 ? d.e[i / (d.n + 1)] : expr_constant(in->g, 0.0);
    return v;
}

static value call_linspace(context *in, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[3];
    int64_t n = 0;
    (void)a;
    if (!builtin_args(in, call, "x1 x2 n", 3, arg) || !evaluate_integer(in, arg[2], &n, "a size"))
        return bad_value;
    value from = evaluate_scalar(in, arg[0], T_REAL, "x1"),
          to = evaluate_scalar(in, arg[1], T_REAL, "x2");
    if (is_bad(from) || is_bad(to) || n < 2 || n > ELEMENTS_MAX)
        return is_bad(from) || is_bad(to)
                   ? bad_value
                   : context_error(in, call->at, "linspace() needs at least 2 points");
    value v = value_new(in, type_array(type_scalar(T_REAL), 1, (int32_t[]){(int32_t)n}));
    expr step =
        expr_div(in->g, expr_sub(in->g, to.e[0], from.e[0]), expr_constant(in->g, (double)n - 1));
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = expr_add(in->g, from.e[0], expr_mul(in->g, expr_constant(in->g, (double)i), step));
    return v;
}

static value call_array(context *in, const ast_expr *call, const array_function *a)
{
    value *v = arena_take(in->mem, (size_t)call->n + 1, sizeof *v);
    (void)a;
    for (int32_t i = 0; v && i < call->n; i++) {
        v[i] = evaluate(in, call->arg[i].value);
        if (is_bad(v[i]))
            return bad_value;
    }
    return v ? value_stack(in, v, (size_t)call->n, call->at) : bad_value;
}

/* ---- shapes ---- */

/* The first two dimensions exchanged; of more dimensions, blocks of the others move. */
static value transposed(context *in, value v)
{
    type t = v.type;
    t.dim[0] = v.type.dim[1];
    t.dim[1] = v.type.dim[0];
    value r = value_new(in, t);
    size_t rows = (size_t)t.dim[0], columns = (size_t)t.dim[1];
    size_t inner = rows > 0 && columns > 0 ? v.n / (rows * columns) : 0;
    for (size_t i = 0; !is_bad(r) && i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            for (size_t k = 0; k < inner; k++)
                r.e[(i * columns + j) * inner + k] = v.e[(j * rows + i) * inner + k];
    return r;
}

static value call_transpose(context *in, const ast_expr *call, const array_function *a)
{
    value v = argument(in, call, "A");
    (void)a;
    int dims = v.type.n_dims > 2 ? v.type.n_dims : 2;
    return matrix_needed(in, v, dims, call->at) ? transposed(in, v) : bad_value;
}

static value call_symmetric(context *in, const ast_expr *call, const array_function *a)
{
    value v = argument(in, call, "A");
    (void)a;
    if (!matrix_needed(in, v, 2, call->at))
        return bad_value;
    if (v.type.dim[0] != v.type.dim[1])
        return context_error(in, call->at, "symmetric() needs a square matrix, not %s",
                             type_text(in, v.type));
    value r = transposed(in, v);
    int32_t n = v.type.dim[0];
    for (int32_t i = 0; !is_bad(r) && i < n; i++)
        for (int32_t j = i; j < n; j++)
            r.e[i * n + j] = v.e[i * n + j];
    return r;
}

static value call_scalar(context *in, const ast_expr *call, const array_function *a)
{
    value v = argument(in, call, "A");
    (void)a;
    if (!is_bad(v) && type_count(v.type) != 1)
        return context_error(in, call->at, "scalar() needs an array with one element, not %s",
                             type_text(in, v.type));
    v.type.n_dims = 0;
    return v;
}

static value call_vector(context *in, const ast_expr *call, const array_function *a)
{
    value v = argument(in, call, "A");
    (void)a;
    int long_ones = 0;
    for (int i = 0; i < v.type.n_dims; i++)
        long_ones += v.type.dim[i] != 1;
    if (!is_bad(v) && long_ones > 1)
        return context_error(in, call->at,
                             "vector() needs an array with at most one size other than 1, not %s",
                             type_text(in, v.type));
    v.type.dim[0] = (int32_t)type_count(v.type);
    v.type.n_dims = 1;
    return v;
}

static value call_matrix(context *in, const ast_expr *call, const array_function *a)
{
    value v = argument(in, call, "A");
    (void)a;
    for (int i = 2; i < v.type.n_dims; i++)
        if (v.type.dim[i] != 1)
            return context_error(
                in, call->at, "matrix() needs an array whose sizes beyond the second are 1, not %s",
                type_text(in, v.type));
    while (v.type.n_dims < 2)
        v.type.dim[v.type.n_dims++] = 1;
    v.type.n_dims = 2;
    return v;
}

static value call_promote(context *in, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[2];
    int64_t n = 0;
    (void)a;
    if (!builtin_args(in, call, "A n", 2, arg) || !evaluate_integer(in, arg[1], &n, "dimensions"))
        return bad_value;
    value v = evaluate(in, arg[0]);
    if (!is_bad(v) && (n < v.type.n_dims || n > MOST_DIMS))
        return context_error(in, call->at, "promote() cannot make %lld dimensions of this array",
                             (long long)n);
    while (v.type.n_dims < n)
        v.type.dim[v.type.n_dims++] = 1;
    return v;
}

/* Joins two arrays along dimension k (from 0). */
static value join(context *in, value x, value y, int k, source_at at)
{
    type t = x.type;
    bool fits = x.type.n_dims == y.type.n_dims && k < x.type.n_dims;
    for (int i = 0; fits && i < x.type.n_dims; i++)
        fits = i == k || x.type.dim[i] == y.type.dim[i];
    if (!fits)
        return context_error(in, at, "cat() cannot join %s and %s", type_text(in, x.type),
                             type_text(in, y.type));
    if (t.dim[k] > ELEMENTS_MAX - y.type.dim[k]) /* empty arrays can have any sizes */
        return context_error(in, at, "the array has more than %d elements", ELEMENTS_MAX);
    t.dim[k] += y.type.dim[k];
    t.base = x.type.base == T_INTEGER ? y.type.base : x.type.base;
    value r = value_new(in, t);
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

static value call_cat(context *in, const ast_expr *call, const array_function *a)
{
    int64_t k = 0;
    (void)a;
    if (call->n < 2)
        return context_error(in, call->at, "cat() needs a dimension and arrays");
    if (!evaluate_integer(in, call->arg[0].value, &k, "the dimension of cat()"))
        return bad_value;
    if (k < 1 || k > MOST_DIMS)
        return context_error(in, call->at, "cat() cannot join along dimension %lld", (long long)k);
    value v = evaluate(in, call->arg[1].value);
    for (int32_t i = 2; i < call->n && !is_bad(v); i++) {
        value next = evaluate(in, call->arg[i].value);
        v = is_bad(next) ? next : join(in, v, next, (int)k - 1, call->at);
    }
    return v;
}

/* ---- products ---- */

static bool three(context *in, value v, source_at at)
{
    if (!matrix_needed(in, v, 1, at))
        return false;
    return v.n == 3 || context_error(in, at, "a vector with 3 elements is needed, not %s",
                                     type_text(in, v.type))
                           .n;
}

static value call_cross(context *in, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[2];
    expr_graph *g = in->g;
    (void)a;
    if (!builtin_args(in, call, "x y", 2, arg))
        return bad_value;
    value x = evaluate(in, arg[0]), y = evaluate(in, arg[1]);
    if (!three(in, x, call->at) || !three(in, y, call->at))
        return bad_value;
    value r = value_new(in, x.type);
    r.type.base = T_REAL;
    for (int i = 0; r.e && i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        r.e[i] = expr_sub(g, expr_mul(g, x.e[j], y.e[k]), expr_mul(g, x.e[k], y.e[j]));
    }
    return r;
}

static value call_skew(context *in, const ast_expr *call, const array_function *a)
{
    value x = argument(in, call, "x");
    (void)a;
    if (!three(in, x, call->at))
        return bad_value;
    value r = value_new(in, type_array(type_scalar(T_REAL), 2, (int32_t[]){3, 3}));
    static const int place[3] = {7, 2, 3}, against[3] = {5, 6, 1};
    for (int i = 0; !is_bad(r) && i < 3; i++) {
        r.e[4 * i] = expr_constant(in->g, 0.0);
        r.e[place[i]] = x.e[i];
        r.e[against[i]] = expr_neg(in->g, x.e[i]);
    }
    return r;
}

static value call_outer(context *in, const ast_expr *call, const array_function *a)
{
    const ast_expr *arg[2];
    (void)a;
    if (!builtin_args(in, call, "v1 v2", 2, arg))
        return bad_value;
    value x = evaluate(in, arg[0]), y = evaluate(in, arg[1]);
    if (!matrix_needed(in, x, 1, call->at) || !matrix_needed(in, y, 1, call->at))
        return bad_value;
    type t = type_array(type_scalar(T_REAL), 2, (int32_t[]){x.type.dim[0], y.type.dim[0]});
    value r = value_new(in, t);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_mul(in->g, x.e[i / y.n], y.e[i % y.n]);
    return r;
}

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

const char *array_name(size_t k)
{
    return k < sizeof table / sizeof *table ? table[k].name : NULL;
}

bool array_call(context *in, const ast_expr *call, const char *name, value *result)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i].name) == 0) {
            *result = table[i].call(in, call, &table[i]);
            return true;
        }
    return false;
}
