/* symbolic/value.c - see value.h: values made and converted. */
#include "symbolic/context.h"

#include <math.h>
#include <string.h>

/* ---- making ---- */

value value_new(context *in, type t)
{
    value v = {.type = t, .n = type_leaves(in, t)};
    if (!context_work(in, v.n))
        return bad_value;
    v.e = arena_take(in->mem, v.n ? v.n : 1, sizeof *v.e);
    return v.e ? v : bad_value;
}

value value_zero(context *in, type t)
{
    value v = value_new(in, t);
    double zero = t.base == T_ENUM ? 1.0 : t.base == T_STRING ? context_intern(in, "") : 0.0;
    if (is_bad(v) || t.base != T_RECORD) {
        for (size_t i = 0; i < v.n; i++)
            v.e[i] = expr_constant(in->g, zero);
        return v;
    }
    size_t leaves = in->record[t.info].leaves;
    for (int32_t i = 0; i < in->record[t.info].n; i++) {
        member m = in->record[t.info].member[i];
        value one = value_zero(in, m.type);
        if (is_bad(one))
            return one;
        for (size_t k = 0; k < type_count(t); k++)
            memcpy(v.e + k * leaves + m.offset, one.e, one.n * sizeof *one.e);
    }
    return v;
}

value value_scalar(context *in, base_type base, expr e)
{
    value v = value_new(in, type_scalar(base));
    if (!is_bad(v))
        v.e[0] = e;
    return v;
}

value value_number(context *in, base_type base, double number)
{
    return value_scalar(in, base, expr_constant(in->g, number));
}

value value_text(context *in, const char *text)
{
    return value_number(in, T_STRING, context_intern(in, text));
}

bool value_is_constant(const context *in, value v)
{
    for (size_t i = 0; i < v.n; i++)
        if (!expr_is_constant(in->g, v.e[i]))
            return false;
    return true;
}

bool value_integer(const context *in, value v, int64_t *number)
{
    if (is_bad(v) || v.n != 1 || v.type.n_dims > 0 || !expr_is_constant(in->g, v.e[0]))
        return false;
    double x = expr_value(in->g, v.e[0]);
    if (!(fabs(x) < INTEGER_LIMIT) || x != floor(x))
        return false;
    *number = (int64_t)x;
    return true;
}

bool value_is_numeric(value v)
{
    return v.type.base == T_REAL || v.type.base == T_INTEGER;
}

/* ---- conversion ---- */

static bool same_base(const context *in, type a, type b)
{
    return a.base == b.base && (a.base != T_ENUM || enumerations_agree(in, a.info, b.info));
}

/* One record as another one that has (at least) the same members. */
static value convert_record(context *in, value v, type to, source_at at, const char *what)
{
    const record *target = &in->record[to.info];
    value result = value_new(in, to);
    for (int32_t i = 0; !is_bad(result) && i < in->record[to.info].n; i++) {
        member m = target->member[i];
        if (!record_member(&in->record[v.type.info], m.name) &&
            in->record[v.type.info].n == target->n)
            m.name = in->record[v.type.info].member[i].name;
        value part = value_convert(in, value_member(in, v, m.name, at), m.type, at, what);
        if (is_bad(part))
            return part;
        memcpy(result.e + m.offset, part.e, part.n * sizeof *part.e);
        target = &in->record[to.info];
    }
    return result;
}

static value convert_records(context *in, value v, type to, source_at at, const char *what)
{
    if (v.type.info == to.info)
        return v;
    value result = value_new(in, to);
    size_t leaves = type_leaves(in, type_element(to));
    for (size_t k = 0; !is_bad(result) && k < type_count(to); k++) {
        value one = convert_record(in, value_element(in, v, k), type_element(to), at, what);
        if (is_bad(one))
            return one;
        memcpy(result.e + k * leaves, one.e, leaves * sizeof *one.e);
    }
    return result;
}

value value_convert(context *in, value v, type to, source_at at, const char *what)
{
    if (is_bad(v) || to.base == T_BAD)
        return bad_value;
    to = type_opened(in, to, v.type);
    bool fits = type_same_sizes(v.type, to);
    if (fits && v.type.base == T_RECORD && to.base == T_RECORD)
        return convert_records(in, v, to, at, what);
    bool numbers = to.base == T_REAL && v.type.base == T_INTEGER;
    if (fits && (numbers || same_base(in, v.type, to))) {
        v.type = to;
        return v;
    }
    if (v.n == 0 && type_leaves(in, to) == 0) { /* {} has no type */
        v.type = to;
        return v;
    }
    bool is_row = v.type.n_dims == 2 && to.n_dims == 1 && v.type.dim[0] == 1;
    return context_error(
        in, at, "%s is %s, not %s%s", what, type_text(in, v.type), type_text(in, to),
        is_row ? ": [1, 2, 3] is a matrix with one row, a vector is {1, 2, 3}" : "");
}
