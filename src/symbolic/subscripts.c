/* symbolic/subscripts.c - see value.h: members, elements and subscripts of values. */
#include "symbolic/context.h"

#include <string.h>

static value no_member(context *in, const record *r, int32_t name, source_at at)
{
    return context_error(in, at, "'%s' has no member '%s'",
                         r->name == INTERN_NONE ? "the record" : context_name(in, r->name),
                         context_name(in, name));
}

value value_member(context *in, value v, int32_t name, source_at at)
{
    if (is_bad(v))
        return v;
    if (v.type.base != T_RECORD)
        return context_error(in, at, "%s has no members, so '.%s' cannot follow",
                             type_text(in, v.type), context_name(in, name));
    const record *r = &in->record[v.type.info];
    const member *m = record_member(r, name);
    if (!m)
        return no_member(in, r, name, at);
    type t = type_array(m->type, v.type.n_dims, v.type.dim);
    if (t.base == T_BAD)
        return context_error(in, at, "an array can have at most %d dimensions", MOST_DIMS);
    size_t leaves = r->leaves, inner = type_leaves(in, m->type), offset = m->offset;
    if (v.type.n_dims == 0)
        return (value){.type = t, .n = inner, .e = v.e + offset};
    value result = value_new(in, t);
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

value value_stack(context *in, const value *v, size_t n, source_at at)
{
    type t = n ? v[0].type : type_scalar(T_REAL);
    if (n && is_bad(v[0]))
        return v[0];
    t.base = (uint8_t)stacked_base(v, n);
    const int32_t count = (int32_t)n;
    type whole = type_array(t, 1, &count);
    if (whole.base == T_BAD)
        return context_error(in, at, "an array can have at most %d dimensions", MOST_DIMS);
    value r = value_new(in, whole);
    size_t leaves = type_leaves(in, t);
    for (size_t i = 0; !is_bad(r) && i < n; i++) {
        value one = value_convert(in, v[i], t, at, "an element of the array");
        if (is_bad(one))
            return one;
        memcpy(r.e + i * leaves, one.e, leaves * sizeof *one.e);
    }
    return r;
}

/* ---- subscripts ---- */

typedef struct indexing {
    context *in;
    const subscript *subs;
    int32_t n;
    const int32_t *dim;
} indexing;

static bool one_index(context *in, const subscript *s, expr e, int32_t size, size_t *k)
{
    double x = expr_value(in->g, e) + (s->value.type.base == T_BOOLEAN);
    if (!(x >= 1.0 && x <= size)) {
        context_error(in, s->at, "subscript %.17g is outside 1 .. %d%s", x, (int)size,
                      x == 0.0 ? ": subscripts begin with 1" : "");
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
    expr_graph *g = x->in->g;
    size_t stride = stride_at(x, k, leaves), n = selected(x, k + 1, leaves);
    bool is_boolean = x->subs[k].value.type.base == T_BOOLEAN;
    expr *one = arena_take(x->in->mem, n ? n : 1, sizeof *one);
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
    if (s->value.type.n_dims == 0 && !expr_is_constant(x->in->g, s->value.e[0]))
        return choose(x, k, from, to, leaves);
    for (size_t i = 0; i < s->value.n; i++) {
        size_t index = 0;
        if (!one_index(x->in, s, s->value.e[i], x->dim[k], &index) ||
            !gather(x, k + 1, from + index * stride, to + i * n, leaves))
            return false;
    }
    return true;
}

static bool subscript_fits(context *in, const subscript *s)
{
    if (s->is_colon)
        return true;
    base_type base = (base_type)s->value.type.base;
    bool fits = base == T_INTEGER || base == T_ENUM || base == T_BOOLEAN;
    if (!fits || s->value.type.n_dims > 1)
        return context_error(in, s->at, "a subscript is %s, not an Integer",
                             type_text(in, s->value.type))
            .n;
    if (s->value.type.n_dims == 1 && !value_is_constant(in, s->value))
        return context_error(in, s->at, "a vector of subscripts must be constant").n;
    return true;
}

value value_index(context *in, value v, const subscript *subs, int32_t n)
{
    if (is_bad(v) || n == 0)
        return v;
    if (n > v.type.n_dims)
        return context_error(in, subs[0].at, "%d subscripts are too many for %s", (int)n,
                             type_text(in, v.type));
    type rest = type_element(v.type);
    rest = type_array(rest, v.type.n_dims - n, v.type.dim + n);
    int32_t dims[MOST_DIMS];
    int32_t n_dims = 0;
    for (int32_t k = 0; k < n; k++) {
        if (is_bad(subs[k].value) && !subs[k].is_colon)
            return subs[k].value;
        if (!subscript_fits(in, &subs[k]))
            return bad_value;
        if (subs[k].is_colon)
            dims[n_dims++] = v.type.dim[k];
        else if (subs[k].value.type.n_dims > 0)
            dims[n_dims++] = (int32_t)subs[k].value.n;
    }
    value r = value_new(in, type_array(rest, n_dims, dims));
    indexing x = {.in = in, .subs = subs, .n = n, .dim = v.type.dim};
    return !is_bad(r) && gather(&x, 0, v.e, r.e, type_leaves(in, rest)) ? r : bad_value;
}

value value_element(const context *in, value v, size_t k)
{
    type t = type_element(v.type);
    size_t leaves = type_leaves(in, t);
    return (value){.type = t, .n = leaves, .e = v.e + k * leaves};
}
