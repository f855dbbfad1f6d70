/* symbolic/types.c - see value.h: types, records, enumerations. */
#include "symbolic/context.h"

#include <stdio.h>
#include <string.h>

type type_scalar(base_type base)
{
    return (type){.base = (uint8_t)base, .info = -1};
}

base_type type_base_of(flat_type t)
{
    static const base_type bases[] = {
        [FLAT_REAL] = T_REAL,  [FLAT_INTEGER] = T_INTEGER, [FLAT_BOOLEAN] = T_BOOLEAN,
        [FLAT_ENUM] = T_ENUM,  [FLAT_STRING] = T_STRING,   [FLAT_OBJECT] = T_OBJECT,
        [FLAT_CLOCK] = T_CLOCK};
    return bases[t];
}

flat_type type_flat_of(type t)
{
    static const flat_type types[] = {
        [T_REAL] = FLAT_REAL,  [T_INTEGER] = FLAT_INTEGER, [T_BOOLEAN] = FLAT_BOOLEAN,
        [T_ENUM] = FLAT_ENUM,  [T_STRING] = FLAT_STRING,   [T_OBJECT] = FLAT_OBJECT,
        [T_CLOCK] = FLAT_CLOCK};
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

size_t type_leaves(const context *in, type t)
{
    return type_count(t) * (t.base == T_RECORD ? in->record[t.info].leaves : 1);
}

bool type_same_sizes(type a, type b)
{
    return a.n_dims == b.n_dims && memcmp(a.dim, b.dim, a.n_dims * sizeof *a.dim) == 0;
}

static const char *base_text(const context *in, type t)
{
    static const char *const texts[] = {[T_BAD] = "?",
                                        [T_REAL] = "Real",
                                        [T_INTEGER] = "Integer",
                                        [T_STRING] = "String",
                                        [T_FUNCTION] = "function",
                                        [T_BOOLEAN] = "Boolean",
                                        [T_OBJECT] = "external object",
                                        [T_CLOCK] = "Clock"};
    if (t.base == T_ENUM)
        return context_name(in, in->m->enumerations[t.info].name);
    if (t.base == T_RECORD)
        return in->record[t.info].name == INTERN_NONE ? "record"
                                                      : context_name(in, in->record[t.info].name);
    return texts[t.base];
}

char *type_text(context *in, type t)
{
    char sizes[100] = "";
    int n = 0;
    for (int i = 0; i < t.n_dims; i++)
        n += t.dim[i] < 0 ? snprintf(sizes + n, sizeof sizes - (size_t)n, "%s:", i ? "," : "[")
                          : snprintf(sizes + n, sizeof sizes - (size_t)n, "%s%d", i ? "," : "[",
                                     (int)t.dim[i]);
    return context_text(in, "%s%s%s", base_text(in, t), sizes, n ? "]" : "");
}

const member *record_member(const record *r, int32_t name)
{
    for (int32_t i = 0; i < r->n; i++)
        if (r->member[i].name == name)
            return &r->member[i];
    return NULL;
}

int32_t record_add(context *in, record r)
{
    record *list = context_push(in, in->record, in->n_records, &in->record_capacity, sizeof *list);
    if (!list)
        return -1;
    in->record = list;
    in->record[in->n_records] = r;
    return (int32_t)in->n_records++;
}

static bool same_type(type a, type b)
{
    return a.base == b.base && a.info == b.info && type_same_sizes(a, b);
}

static bool has_types(const record *r, const type *types)
{
    for (int32_t i = 0; i < r->n; i++)
        if (!same_type(r->member[i].type, types[i]))
            return false;
    return true;
}

int32_t record_variant(context *in, int32_t of, const type *types)
{
    record r = in->record[of];
    for (size_t i = 0; i < in->n_records; i++)
        if (in->record[i].is_variant && in->record[i].class == r.class &&
            has_types(&in->record[i], types))
            return (int32_t)i;
    r.member = arena_copy(&in->c->mem, r.member, (size_t)r.n, (size_t)r.n, sizeof *r.member);
    r.is_variant = true;
    r.is_open = false;
    r.leaves = 0;
    for (int32_t i = 0; r.member && i < r.n; i++) {
        r.member[i].type = types[i];
        r.member[i].open_dims = 0;
        r.member[i].offset = r.leaves;
        r.leaves += type_leaves(in, types[i]);
    }
    return r.member ? record_add(in, r) : -1;
}

/* The type of a member with the sizes of a value for it. */
static type member_opened(context *in, const member *m, type from)
{
    type t = m->type;
    for (int i = 0; i < t.n_dims && t.n_dims == from.n_dims; i++)
        if (m->open_dims >> i & 1)
            t.dim[i] = from.dim[i];
    return type_opened(in, t, from);
}

type type_opened(context *in, type to, type from)
{
    if (to.base != T_RECORD || from.base != T_RECORD || to.info == from.info ||
        !in->record[to.info].is_open)
        return to;
    int32_t n = in->record[to.info].n;
    type *types = arena_take(in->mem, (size_t)n + 1, sizeof *types);
    for (int32_t i = 0; types && i < n; i++) {
        const member m = in->record[to.info].member[i];
        const member *given = record_member(&in->record[from.info], m.name);
        types[i] = given ? member_opened(in, &m, given->type) : m.type;
    }
    int32_t k = types ? record_variant(in, to.info, types) : -1;
    to.info = k < 0 ? to.info : k;
    return to;
}

int32_t enumeration_named(const context *in, int32_t name)
{
    for (size_t i = 0; i < in->m->n_enumerations; i++)
        if (in->m->enumerations[i].name == name)
            return (int32_t)i;
    return -1;
}

bool enumerations_agree(const context *in, int32_t a, int32_t b)
{
    const flat_enumeration *x = &in->m->enumerations[a], *y = &in->m->enumerations[b];
    return a == b ||
           (x->n == y->n && memcmp(x->literals, y->literals, (size_t)x->n * sizeof(int32_t)) == 0);
}
