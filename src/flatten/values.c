/* flatten/values.c - see flattener.h: types, values, arithmetic on them. */
#include "flatten/flattener.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- types ---- */

type type_scalar(base_type base)
{
    return (type){.base = (uint8_t)base, .info = -1};
}

base_type type_base_of(flat_type t)
{
    static const base_type bases[] = {[FLAT_REAL] = T_REAL,
                                      [FLAT_INTEGER] = T_INTEGER,
                                      [FLAT_BOOLEAN] = T_BOOLEAN,
                                      [FLAT_ENUM] = T_ENUM,
                                      [FLAT_STRING] = T_STRING};
    return bases[t];
}

flat_type type_flat_of(type t)
{
    static const flat_type types[] = {[T_REAL] = FLAT_REAL,
                                      [T_INTEGER] = FLAT_INTEGER,
                                      [T_BOOLEAN] = FLAT_BOOLEAN,
                                      [T_ENUM] = FLAT_ENUM,
                                      [T_STRING] = FLAT_STRING};
    return types[t.base];
}

type type_array(type element, int32_t n, const int32_t *dims)
{
    type t = element;
    if (n + element.n_dims > MOST_DIMS)
        return type_scalar(T_BAD);
    t.n_dims = (uint8_t)(n + element.n_dims);
    memmove(t.dim + n, element.dim, element.n_dims * sizeof *t.dim);
    memcpy(t.dim, dims, (size_t)n * sizeof *dims);
    return t;
}

type type_element(type t)
{
    t.n_dims = 0;
    return t;
}

size_t type_count(type t)
{
    size_t n = 1;
    for (int i = 0; i < t.n_dims; i++)
        n *= (size_t)t.dim[i];
    return n;
}

size_t type_leaves(const flattener *f, type t)
{
    return type_count(t) * (t.base == T_RECORD ? f->record[t.info].leaves : 1);
}

bool type_same_sizes(type a, type b)
{
    return a.n_dims == b.n_dims && memcmp(a.dim, b.dim, a.n_dims * sizeof *a.dim) == 0;
}

static const char *base_text(const flattener *f, type t)
{
    static const char *const texts[] = {
        [T_BAD] = "?",         [T_REAL] = "Real",         [T_INTEGER] = "Integer",
        [T_STRING] = "String", [T_FUNCTION] = "function", [T_BOOLEAN] = "Boolean"};
    if (t.base == T_ENUM)
        return fl_name(f, f->m->enumerations[t.info].name);
    if (t.base == T_RECORD)
        return f->record[t.info].name == INTERN_NONE ? "record"
                                                     : fl_name(f, f->record[t.info].name);
    return texts[t.base];
}

char *type_text(flattener *f, type t)
{
    char sizes[100] = "";
    int n = 0;
    for (int i = 0; i < t.n_dims; i++)
        n += t.dim[i] < 0 ? snprintf(sizes + n, sizeof sizes - (size_t)n, "%s:", i ? "," : "[")
                          : snprintf(sizes + n, sizeof sizes - (size_t)n, "%s%d", i ? "," : "[",
                                     (int)t.dim[i]);
    return fl_text(f, "%s%s%s", base_text(f, t), sizes, n ? "]" : "");
}

/* ---- making ---- */

value value_new(flattener *f, type t)
{
    value v = {.type = t, .n = type_leaves(f, t)};
    if (!fl_work(f, v.n))
        return bad_value;
    v.e = arena_take(f->mem, v.n ? v.n : 1, sizeof *v.e);
    return v.e ? v : bad_value;
}

value type_zero(flattener *f, type t)
{
    value v = value_new(f, t);
    double zero = t.base == T_ENUM ? 1.0 : t.base == T_STRING ? fl_intern(f, "") : 0.0;
    if (is_bad(v) || t.base != T_RECORD) {
        for (size_t i = 0; i < v.n; i++)
            v.e[i] = fl_constant(f, zero);
        return v;
    }
    size_t leaves = f->record[t.info].leaves;
    for (int32_t i = 0; i < f->record[t.info].n; i++) {
        member m = f->record[t.info].member[i];
        value one = type_zero(f, m.type);
        if (is_bad(one))
            return one;
        for (size_t k = 0; k < type_count(t); k++)
            memcpy(v.e + k * leaves + m.offset, one.e, one.n * sizeof *one.e);
    }
    return v;
}

value value_scalar(flattener *f, base_type base, expr e)
{
    value v = value_new(f, type_scalar(base));
    if (!is_bad(v))
        v.e[0] = e;
    return v;
}

value value_number(flattener *f, base_type base, double number)
{
    return value_scalar(f, base, fl_constant(f, number));
}

value value_text(flattener *f, const char *text)
{
    return value_number(f, T_STRING, fl_intern(f, text));
}

bool value_is_constant(const flattener *f, value v)
{
    for (size_t i = 0; i < v.n; i++)
        if (!expr_is_constant(f->g, v.e[i]))
            return false;
    return true;
}

bool value_integer(const flattener *f, value v, int64_t *number)
{
    if (is_bad(v) || v.n != 1 || v.type.n_dims > 0 || !expr_is_constant(f->g, v.e[0]))
        return false;
    double x = expr_value(f->g, v.e[0]);
    if (!(fabs(x) < 9e15) || x != floor(x))
        return false;
    *number = (int64_t)x;
    return true;
}

bool value_is_numeric(value v)
{
    return v.type.base == T_REAL || v.type.base == T_INTEGER;
}

/* ---- conversion ---- */

static bool same_base(type a, type b)
{
    return a.base == b.base && (a.base != T_ENUM || a.info == b.info);
}

static const member *find_member(const record *r, int32_t name)
{
    for (int32_t i = 0; i < r->n; i++)
        if (r->member[i].name == name)
            return &r->member[i];
    return NULL;
}

static value element_at(const flattener *f, value v, size_t k)
{
    type t = type_element(v.type);
    size_t leaves = type_leaves(f, t);
    return (value){.type = t, .n = leaves, .e = v.e + k * leaves};
}

/* One record as another one that has (at least) the same members. */
static value convert_record(flattener *f, value v, type to, source_at at, const char *what)
{
    const record *target = &f->record[to.info];
    value result = value_new(f, to);
    for (int32_t i = 0; !is_bad(result) && i < f->record[to.info].n; i++) {
        member m = target->member[i];
        if (!find_member(&f->record[v.type.info], m.name) && f->record[v.type.info].n == target->n)
            m.name = f->record[v.type.info].member[i].name;
        value part = value_convert(f, value_member(f, v, m.name, at), m.type, at, what);
        if (is_bad(part))
            return part;
        memcpy(result.e + m.offset, part.e, part.n * sizeof *part.e);
        target = &f->record[to.info];
    }
    return result;
}

static value convert_records(flattener *f, value v, type to, source_at at, const char *what)
{
    if (v.type.info == to.info)
        return v;
    value result = value_new(f, to);
    size_t leaves = type_leaves(f, type_element(to));
    for (size_t k = 0; !is_bad(result) && k < type_count(to); k++) {
        value one = convert_record(f, element_at(f, v, k), type_element(to), at, what);
        if (is_bad(one))
            return one;
        memcpy(result.e + k * leaves, one.e, leaves * sizeof *one.e);
    }
    return result;
}

value value_convert(flattener *f, value v, type to, source_at at, const char *what)
{
    if (is_bad(v) || to.base == T_BAD)
        return bad_value;
    bool fits = type_same_sizes(v.type, to);
    if (fits && v.type.base == T_RECORD && to.base == T_RECORD)
        return convert_records(f, v, to, at, what);
    bool numbers = to.base == T_REAL && v.type.base == T_INTEGER;
    if (fits && (numbers || same_base(v.type, to))) {
        v.type = to;
        return v;
    }
    if (v.n == 0 && type_leaves(f, to) == 0) { /* {} has no type */
        v.type = to;
        return v;
    }
    return fl_error(f, at, "%s is %s, not %s", what, type_text(f, v.type), type_text(f, to));
}

/* ---- arithmetic ---- */

static base_type joined_base(value a, value b)
{
    return a.type.base == T_INTEGER && b.type.base == T_INTEGER ? T_INTEGER : T_REAL;
}

static value elementwise(flattener *f, expr_op op, value a, value b, base_type base)
{
    bool wide = a.type.n_dims > 0;
    type t = wide ? a.type : b.type;
    t.base = (uint8_t)base;
    value r = value_new(f, t);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_make2(f->g, op, a.e[a.type.n_dims ? i : 0], b.e[b.type.n_dims ? i : 0]);
    return r;
}

static value sizes_differ(flattener *f, ast_op op, value a, value b, source_at at)
{
    return fl_error(f, at, "'%s' cannot join %s and %s", ast_op_text(op), type_text(f, a.type),
                    type_text(f, b.type));
}

static expr dot(flattener *f, const expr *a, size_t step_a, const expr *b, size_t step_b, size_t n)
{
    expr sum = fl_constant(f, 0.0);
    for (size_t i = 0; i < n; i++)
        sum = expr_add(f->g, sum, expr_mul(f->g, a[i * step_a], b[i * step_b]));
    return sum;
}

/* Vectors and matrices; a vector on the left is a row, on the right a column. */
static value matrix_product(flattener *f, value a, value b, source_at at)
{
    if (a.type.n_dims > 2 || b.type.n_dims > 2)
        return sizes_differ(f, AST_MUL, a, b, at);
    size_t rows = a.type.n_dims == 2 ? (size_t)a.type.dim[0] : 1;
    size_t inner = (size_t)a.type.dim[a.type.n_dims - 1];
    size_t columns = b.type.n_dims == 2 ? (size_t)b.type.dim[1] : 1;
    if (inner != (size_t)b.type.dim[0])
        return sizes_differ(f, AST_MUL, a, b, at);
    type t = type_scalar(joined_base(a, b));
    if (a.type.n_dims == 2)
        t.dim[t.n_dims++] = (int32_t)rows;
    if (b.type.n_dims == 2)
        t.dim[t.n_dims++] = (int32_t)columns;
    value r = value_new(f, t);
    if (is_bad(r) || !fl_work(f, rows * columns * inner))
        return bad_value;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            r.e[i * columns + j] = dot(f, a.e + i * inner, 1, b.e + j, columns, inner);
    return r;
}

static value matrix_power(flattener *f, value a, value b, source_at at)
{
    int64_t power = 0;
    if (a.type.n_dims != 2 || a.type.dim[0] != a.type.dim[1] || !value_integer(f, b, &power) ||
        power < 0 || power > 1000)
        return sizes_differ(f, AST_POW, a, b, at);
    value r = value_new(f, a.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = fl_constant(f, i % ((size_t)a.type.dim[0] + 1) == 0);
    for (int64_t k = 0; k < power && !is_bad(r); k++)
        r = matrix_product(f, r, a, at);
    return r;
}

static value join_texts(flattener *f, value a, value b, source_at at)
{
    if (a.type.n_dims || b.type.n_dims || !value_is_constant(f, a) || !value_is_constant(f, b))
        return fl_error(f, at, "texts are known only in messages and parameters");
    const char *left = fl_name(f, (int32_t)expr_value(f->g, a.e[0]));
    const char *right = fl_name(f, (int32_t)expr_value(f->g, b.e[0]));
    size_t length = strlen(left) + strlen(right);
    if (length > TEXT_MAX)
        return fl_error(f, at, "the text has more than %d bytes", TEXT_MAX);
    return fl_work(f, length / 64) ? value_text(f, fl_text(f, "%s%s", left, right)) : bad_value;
}

static expr_op arith_op(ast_op op)
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
    default:
        return EXPR_POW;
    }
}

static bool is_elementwise(ast_op op)
{
    return op == AST_EL_ADD || op == AST_EL_SUB || op == AST_EL_MUL || op == AST_EL_DIV ||
           op == AST_EL_POW;
}

value value_arith(flattener *f, ast_op op, value a, value b, source_at at)
{
    if (is_bad(a) || is_bad(b))
        return bad_value;
    if (op == AST_ADD && a.type.base == T_STRING && b.type.base == T_STRING)
        return join_texts(f, a, b, at);
    if (!value_is_numeric(a) || !value_is_numeric(b))
        return sizes_differ(f, op, a, b, at);
    bool scalar_a = a.type.n_dims == 0, scalar_b = b.type.n_dims == 0;
    base_type base = arith_op(op) >= EXPR_DIV ? T_REAL : joined_base(a, b);
    bool plain = (scalar_a && scalar_b) || (is_elementwise(op) && (scalar_a || scalar_b)) ||
                 (op == AST_MUL && (scalar_a || scalar_b)) || (op == AST_DIV && scalar_b);
    if (plain)
        return elementwise(f, arith_op(op), a, b, base);
    if (op == AST_MUL)
        return matrix_product(f, a, b, at);
    if (op == AST_POW && scalar_b)
        return matrix_power(f, a, b, at);
    if (op == AST_DIV || op == AST_POW || !type_same_sizes(a.type, b.type))
        return sizes_differ(f, op, a, b, at);
    return elementwise(f, arith_op(op), a, b, base);
}

value value_negate(flattener *f, value a, source_at at)
{
    if (is_bad(a))
        return a;
    if (!value_is_numeric(a))
        return fl_error(f, at, "'-' does not apply to %s", type_text(f, a.type));
    return value_map(f, a, EXPR_NEG, (base_type)a.type.base);
}

value value_map(flattener *f, value a, expr_op op, base_type result)
{
    if (is_bad(a))
        return a;
    type t = a.type;
    t.base = (uint8_t)result;
    value r = value_new(f, t);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_make1(f->g, op, a.e[i]);
    return r;
}

value value_map2(flattener *f, value a, value b, expr_op op, source_at at)
{
    if (is_bad(a) || is_bad(b))
        return bad_value;
    bool fits = !a.type.n_dims || !b.type.n_dims || type_same_sizes(a.type, b.type);
    if (!fits || !value_is_numeric(a) || !value_is_numeric(b))
        return fl_error(f, at, "'%s' cannot join %s and %s", expr_op_text(op), type_text(f, a.type),
                        type_text(f, b.type));
    return elementwise(f, op, a, b, joined_base(a, b));
}

/* Brings two alternatives to one type. */
static bool join_types(flattener *f, value *a, value *b, source_at at)
{
    if (a->type.base == T_INTEGER && b->type.base == T_REAL)
        a->type.base = T_REAL;
    if (b->type.base == T_INTEGER && a->type.base == T_REAL)
        b->type.base = T_REAL;
    if (a->n == 0 && b->n > 0 && a->type.n_dims == 1 && b->type.n_dims == 1)
        a->type.base = b->type.base;
    value same = value_convert(f, *b, a->type, at, "the other alternative");
    *b = same;
    return !is_bad(same);
}

value value_if(flattener *f, expr condition, value yes, value no, source_at at)
{
    if (is_bad(yes) || is_bad(no) || !join_types(f, &yes, &no, at))
        return bad_value;
    value r = value_new(f, yes.type);
    for (size_t i = 0; !is_bad(r) && i < r.n; i++)
        r.e[i] = expr_if(f->g, condition, yes.e[i], no.e[i]);
    return r;
}

/* ---- parts ---- */

static value no_member(flattener *f, const record *r, int32_t name, source_at at)
{
    return fl_error(f, at, "'%s' has no member '%s'",
                    r->name == INTERN_NONE ? "the record" : fl_name(f, r->name), fl_name(f, name));
}

value value_member(flattener *f, value v, int32_t name, source_at at)
{
    if (is_bad(v))
        return v;
    if (v.type.base != T_RECORD)
        return fl_error(f, at, "%s has no members, so '.%s' means nothing", type_text(f, v.type),
                        fl_name(f, name));
    const record *r = &f->record[v.type.info];
    const member *m = find_member(r, name);
    if (!m)
        return no_member(f, r, name, at);
    type t = type_array(m->type, v.type.n_dims, v.type.dim);
    if (t.base == T_BAD)
        return fl_error(f, at, "an array can have at most %d dimensions", MOST_DIMS);
    size_t leaves = r->leaves, inner = type_leaves(f, m->type), offset = m->offset;
    if (v.type.n_dims == 0)
        return (value){.type = t, .n = inner, .e = v.e + offset};
    value result = value_new(f, t);
    for (size_t k = 0; !is_bad(result) && k < type_count(v.type); k++)
        memcpy(result.e + k * inner, v.e + k * leaves + offset, inner * sizeof *v.e);
    return result;
}

static base_type stacked_base(const value *v, size_t n)
{
    base_type base = n ? (base_type)v[0].type.base : T_REAL;
    for (size_t i = 0; i < n; i++)
        if (v[i].type.base == T_REAL && base == T_INTEGER)
            base = T_REAL;
    return base;
}

value value_stack(flattener *f, const value *v, size_t n, source_at at)
{
    type t = n ? v[0].type : type_scalar(T_REAL);
    if (n && is_bad(v[0]))
        return v[0];
    t.base = (uint8_t)stacked_base(v, n);
    const int32_t count = (int32_t)n;
    type whole = type_array(t, 1, &count);
    if (whole.base == T_BAD)
        return fl_error(f, at, "an array can have at most %d dimensions", MOST_DIMS);
    value r = value_new(f, whole);
    size_t leaves = type_leaves(f, t);
    for (size_t i = 0; !is_bad(r) && i < n; i++) {
        value one = value_convert(f, v[i], t, at, "an element of the array");
        if (is_bad(one))
            return one;
        memcpy(r.e + i * leaves, one.e, leaves * sizeof *one.e);
    }
    return r;
}

/* ---- subscripts ---- */

typedef struct indexing {
    flattener *f;
    const subscript *subs;
    int32_t n;
    const int32_t *dim;
} indexing;

static bool one_index(flattener *f, const subscript *s, expr e, int32_t size, size_t *k)
{
    double x = expr_value(f->g, e) + (s->value.type.base == T_BOOLEAN);
    if (!(x >= 1.0 && x <= size)) {
        fl_error(f, s->at, "subscript %.17g is outside 1 .. %d", x, (int)size);
        return false;
    }
    *k = (size_t)x - 1;
    return true;
}

/* Number of scalars the subscripts from number k on select. */
static size_t selected(const indexing *x, int32_t k, size_t leaves)
{
    size_t n = leaves;
    for (; k < x->n; k++)
        if (x->subs[k].is_colon)
            n *= (size_t)x->dim[k];
        else if (x->subs[k].value.type.n_dims > 0)
            n *= x->subs[k].value.n;
    return n;
}

static size_t stride_at(const indexing *x, int32_t k, size_t leaves)
{
    for (int32_t i = k + 1; i < x->n; i++)
        leaves *= (size_t)x->dim[i];
    return leaves;
}

static bool gather(const indexing *x, int32_t k, const expr *from, expr *to, size_t leaves);

/* A subscript that is only known at run time: choose among all. */
static bool choose(const indexing *x, int32_t k, const expr *from, expr *to, size_t leaves)
{
    expr_graph *g = x->f->g;
    size_t stride = stride_at(x, k, leaves), n = selected(x, k + 1, leaves);
    bool is_boolean = x->subs[k].value.type.base == T_BOOLEAN;
    expr *one = arena_take(x->f->mem, n ? n : 1, sizeof *one);
    if (!one)
        return false;
    for (size_t i = (size_t)x->dim[k]; i-- > 0;) {
        if (!gather(x, k + 1, from + i * stride, one, leaves))
            return false;
        expr here = expr_make2(g, EXPR_EQ, x->subs[k].value.e[0],
                               expr_constant(g, (double)i + !is_boolean));
        for (size_t j = 0; j < n; j++)
            to[j] = i + 1 == (size_t)x->dim[k] ? one[j] : expr_if(g, here, one[j], to[j]);
    }
    return true;
}

static bool gather(const indexing *x, int32_t k, const expr *from, expr *to, size_t leaves)
{
    if (k == x->n) {
        memcpy(to, from, leaves * sizeof *to);
        return true;
    }
    const subscript *s = &x->subs[k];
    size_t stride = stride_at(x, k, leaves), n = selected(x, k + 1, leaves);
    if (s->is_colon) {
        for (size_t i = 0; i < (size_t)x->dim[k]; i++)
            if (!gather(x, k + 1, from + i * stride, to + i * n, leaves))
                return false;
        return true;
    }
    if (s->value.type.n_dims == 0 && !expr_is_constant(x->f->g, s->value.e[0]))
        return choose(x, k, from, to, leaves);
    for (size_t i = 0; i < s->value.n; i++) {
        size_t index = 0;
        if (!one_index(x->f, s, s->value.e[i], x->dim[k], &index) ||
            !gather(x, k + 1, from + index * stride, to + i * n, leaves))
            return false;
    }
    return true;
}

static bool subscript_fits(flattener *f, const subscript *s)
{
    if (s->is_colon)
        return true;
    base_type base = (base_type)s->value.type.base;
    bool fits = base == T_INTEGER || base == T_ENUM || base == T_BOOLEAN;
    if (!fits || s->value.type.n_dims > 1)
        return fl_error(f, s->at, "a subscript is %s, not an Integer", type_text(f, s->value.type))
            .n;
    if (s->value.type.n_dims == 1 && !value_is_constant(f, s->value))
        return fl_error(f, s->at, "a vector of subscripts must be constant").n;
    return true;
}

value value_index(flattener *f, value v, const subscript *subs, int32_t n)
{
    if (is_bad(v) || n == 0)
        return v;
    if (n > v.type.n_dims)
        return fl_error(f, subs[0].at, "%d subscripts on %s", (int)n, type_text(f, v.type));
    type rest = type_element(v.type);
    rest = type_array(rest, v.type.n_dims - n, v.type.dim + n);
    int32_t dims[MOST_DIMS];
    int32_t n_dims = 0;
    for (int32_t k = 0; k < n; k++) {
        if (is_bad(subs[k].value) && !subs[k].is_colon)
            return subs[k].value;
        if (!subscript_fits(f, &subs[k]))
            return bad_value;
        if (subs[k].is_colon)
            dims[n_dims++] = v.type.dim[k];
        else if (subs[k].value.type.n_dims > 0)
            dims[n_dims++] = (int32_t)subs[k].value.n;
    }
    value r = value_new(f, type_array(rest, n_dims, dims));
    indexing x = {.f = f, .subs = subs, .n = n, .dim = v.type.dim};
    return !is_bad(r) && gather(&x, 0, v.e, r.e, type_leaves(f, rest)) ? r : bad_value;
}
