/* flatten/type_names.c - see flattener.h: classes, enumerations, records, type names. */
#include "flatten/flattener.h"

#include <string.h>

enum { TYPE_COST = 4 }; /* stack of a definition inside another, in nested expressions */

/* ---- classes by name ---- */

static void class_add(flattener *f, int32_t name, const ast_class *c)
{
    if (name == INTERN_NONE || !ids_grow(f) || f->scope->class_of[name])
        return;
    const ast_class **list = context_push(f->in, f->scope->class, f->scope->n_classes,
                                          &f->scope->class_capacity, sizeof *list);
    if (!list)
        return;
    f->scope->class = list;
    f->scope->class[f->scope->n_classes++] = c;
    f->scope->class_of[name] = (uint32_t)f->scope->n_classes;
}

void classes_collect(flattener *f, const ast_class *c, const char *inside)
{
    const char *full = context_name(f->in, c->name);
    class_add(f, c->name, c);
    if (*inside) {
        full = context_text(f->in, "%s.%s", inside, full);
        class_add(f, full ? context_intern(f->in, full) : INTERN_NONE, c);
    }
    for (const ast_element *e = c->elements; e && full; e = e->next)
        if (e->kind == AST_NESTED)
            classes_collect(f, e->nested, full);
}

const ast_class *class_named(const flattener *f, int32_t name)
{
    bool known = name != INTERN_NONE && (size_t)name < f->scope->n_ids && f->scope->class_of[name];
    return known ? f->scope->class[f->scope->class_of[name] - 1] : NULL;
}

const ast_class *class_find(flattener *f, const ast_expr *ref)
{
    int32_t name = ast_flat_name(ref, f->in->names);
    const ast_class *c = class_named(f, name);
    if (c || name == INTERN_NONE)
        return c;
    return library_class(f, context_name(f->in, name));
}

bool class_is_external_object(const flattener *f, const ast_class *c)
{
    for (const ast_element *e = c->elements; e; e = e->next)
        if (e->kind == AST_EXTENDS && ast_simple_name(e->type) != INTERN_NONE &&
            strcmp(context_name(f->in, ast_simple_name(e->type)), "ExternalObject") == 0)
            return true;
    return false;
}

/* ---- enumerations ---- */

int32_t enumeration_of_class(flattener *f, const ast_class *c)
{
    int32_t known = enumeration_named(f->in, c->name);
    if (known >= 0)
        return known;
    flat_enumeration e = {.name = c->name};
    for (const ast_literal *l = c->literals; l; l = l->next)
        e.n++;
    e.literals = arena_take(&f->in->c->mem, (size_t)e.n + 1, sizeof *e.literals);
    if (!e.literals)
        return -1;
    e.n = 0;
    for (const ast_literal *l = c->literals; l; l = l->next)
        e.literals[e.n++] = l->name;
    return (int32_t)flat_add_enumeration(f->in->build, e);
}

/* ---- records ---- */

static int32_t count_members(const ast_class *c)
{
    int32_t n = 0;
    for (const ast_element *e = c->elements; e; e = e->next)
        n += e->kind == AST_COMPONENT;
    return n;
}

typedef struct member_search {
    const ast_class *c;
    bool is_found;
} member_search;

static void find_member(void *user, const ast_expr *e)
{
    member_search *s = user;
    for (const ast_element *x = s->c->elements; x && e->kind == AST_REF; x = x->next)
        s->is_found = s->is_found || (x->kind == AST_COMPONENT && x->name == e->part[0].name);
    ast_visit(e, find_member, s);
}

/* The sizes with ':' in place of those that depend on other members of the record. */
static ast_list sizes_outside(flattener *f, const ast_class *c, const ast_list *dims)
{
    ast_list l = {arena_take(&f->in->c->mem, (size_t)dims->n + 1, sizeof *l.item), dims->n};
    ast_expr *colon = arena_take(&f->in->c->mem, 1, sizeof *colon);
    for (int32_t i = 0; l.item && i < dims->n; i++) {
        member_search s = {.c = c};
        find_member(&s, dims->item[i]);
        if (s.is_found && colon)
            *colon = (ast_expr){.kind = AST_COLON, .at = dims->item[i]->at};
        l.item[i] = s.is_found ? colon : dims->item[i];
    }
    return l.item && colon ? l : (ast_list){0};
}

/* The type of a member; sizes that the value decides are 0. */
static void member_type(flattener *f, member *m, const ast_class *c, const ast_element *e)
{
    bool is_open = false;
    ast_element outside = *e;
    outside.dims = sizes_outside(f, c, &e->dims);
    outside.type_dims = sizes_outside(f, c, &e->type_dims);
    m->type = type_of_element(f, &outside, &m->layers, &is_open);
    for (int i = 0; is_open && i < m->type.n_dims; i++)
        if (m->type.dim[i] < 0) {
            m->type.dim[i] = 0;
            m->open_dims |= 1U << i;
        }
}

static bool record_fill(flattener *f, record *r, const ast_class *c)
{
    for (const ast_element *e = c->elements; e; e = e->next) {
        if (e->kind == AST_EXTENDS)
            return context_error(f->in, e->at, "'extends' in a record is not supported").n;
        if (e->kind != AST_COMPONENT)
            continue;
        member *m = &r->member[r->n];
        m->name = e->name;
        m->element = e;
        member_type(f, m, c, e);
        if (m->type.base == T_BAD)
            return false;
        bool has_open = m->type.base == T_RECORD && f->in->record[m->type.info].is_open;
        r->is_open = r->is_open || m->open_dims || has_open;
        m->offset = r->leaves;
        r->leaves += type_leaves(f->in, m->type);
        r->n++;
        if (r->leaves > ELEMENTS_MAX)
            return context_error(f->in, e->at, "record '%s' has more than %d elements",
                                 context_name(f->in, c->name), ELEMENTS_MAX)
                .n;
    }
    return true;
}

static void type_enter(flattener *f)
{
    f->type_depth++;
    f->depth += TYPE_COST;
}

static void type_leave(flattener *f)
{
    f->type_depth--;
    f->depth -= TYPE_COST;
}

int32_t record_of_class(flattener *f, const ast_class *c, source_at at)
{
    for (size_t i = 0; i < f->in->n_records; i++)
        if (f->in->record[i].class == c)
            return (int32_t)i;
    if (f->type_depth >= TYPE_DEPTH_MAX || f->depth >= DEPTH_MAX) {
        context_error(f->in, at,
                      "record '%s' contains itself, or its definition is nested more "
                      "than %d deep",
                      context_name(f->in, c->name), TYPE_DEPTH_MAX);
        return -1;
    }
    record r = {.name = c->name, .class = c};
    r.member = arena_take(&f->in->c->mem, (size_t)count_members(c) + 1, sizeof *r.member);
    type_enter(f);
    bool ok = r.member && record_fill(f, &r, c);
    type_leave(f);
    return ok ? record_add(f->in, r) : -1;
}

/* ---- type names ---- */

static type builtin_type(const flattener *f, const ast_expr *ref)
{
    static const struct {
        const char *name;
        base_type base;
    } rows[] = {{"Real", T_REAL},
                {"Integer", T_INTEGER},
                {"Boolean", T_BOOLEAN},
                {"String", T_STRING},
                {"Clock", T_CLOCK}};
    int32_t name = ast_simple_name(ref);
    for (size_t i = 0; name != INTERN_NONE && i < sizeof rows / sizeof *rows; i++)
        if (!ref->part[0].quoted && strcmp(context_name(f->in, name), rows[i].name) == 0)
            return type_scalar(rows[i].base);
    return type_scalar(T_BAD);
}

static const layer *layer_on(flattener *f, const ast_mod *mods, const layer *next)
{
    if (!mods)
        return next;
    layer *l = arena_take(&f->in->c->mem, 1, sizeof *l);
    if (l)
        *l = (layer){.mods = mods, .next = next};
    return l;
}

static type unsupported_type(flattener *f, const ast_expr *ref, const char *text)
{
    return name_unknown(f, ref->at, "type", text).type;
}

static type alias_type(flattener *f, const ast_class *c, const layer **layers)
{
    bool is_open = false;
    const layer *inner = NULL;
    if (f->type_depth >= TYPE_DEPTH_MAX || f->depth >= DEPTH_MAX)
        return context_error(f->in, c->at,
                             "type '%s' is defined by itself, or its definition is "
                             "nested more than %d deep",
                             context_name(f->in, c->name), TYPE_DEPTH_MAX)
            .type;
    type_enter(f);
    type t = type_sized(f, type_resolve(f, c->base, &inner), &c->dims, &is_open);
    type_leave(f);
    *layers = layer_on(f, c->mods, inner);
    return t;
}

static type class_type(flattener *f, const ast_class *c, const ast_expr *ref, const layer **layers)
{
    type t = type_scalar(T_BAD);
    if (c->form == AST_ENUMERATION) {
        t.info = enumeration_of_class(f, c);
        t.base = t.info < 0 ? T_BAD : T_ENUM;
    } else if (c->form == AST_ALIAS && c->kind != AST_FUNCTION_CLASS) {
        t = alias_type(f, c, layers);
    } else if (class_is_external_object(f, c)) {
        t.base = T_OBJECT;
    } else if (c->kind == AST_FUNCTION_CLASS) {
        t.base = T_FUNCTION;
    } else if (c->kind == AST_RECORD) {
        t.info = record_of_class(f, c, ref->at);
        t.base = t.info < 0 ? T_BAD : T_RECORD;
    } else {
        context_error(f->in, ref->at, "'%s' is a %s: only records can be parts of a flat model",
                      context_name(f->in, c->name), ast_class_kind_text(c->kind));
    }
    return t;
}

type type_resolve(flattener *f, const ast_expr *ref, const layer **layers)
{
    *layers = NULL;
    type t = builtin_type(f, ref);
    if (t.base != T_BAD)
        return t;
    const ast_class *c = class_find(f, ref);
    if (c)
        return class_type(f, c, ref, layers);
    int32_t name = ast_flat_name(ref, f->in->names);
    t.info = enumeration_named(f->in, name);
    if (t.info >= 0) {
        t.base = T_ENUM;
        return t;
    }
    return unsupported_type(f, ref, name == INTERN_NONE ? "?" : context_name(f->in, name));
}

/* The size that an enumeration or Boolean gives as dimension, or -1. */
static int32_t size_of_type(flattener *f, const ast_expr *e)
{
    if (e->kind != AST_REF)
        return -1;
    const ast_class *c = class_find(f, e);
    if (c && c->form == AST_ENUMERATION) {
        int32_t k = enumeration_of_class(f, c);
        return k < 0 ? -1 : f->in->m->enumerations[k].n;
    }
    return builtin_type(f, e).base == T_BOOLEAN ? 2 : -1;
}

static bool size_eval(flattener *f, const ast_expr *e, int32_t *size)
{
    *size = size_of_type(f, e);
    int64_t n = *size;
    if (*size < 0 && !evaluate_integer(f->in, e, &n, "the size of an array"))
        return false;
    if (n < 0 || n > ELEMENTS_MAX) {
        context_error(f->in, e->at, "an array cannot have size %lld", (long long)n);
        return false;
    }
    *size = (int32_t)n;
    return true;
}

type type_sized(flattener *f, type t, const ast_list *dims, bool *is_open)
{
    int32_t size[MOST_DIMS];
    if (t.base == T_BAD || dims->n == 0)
        return t;
    if (dims->n + t.n_dims > MOST_DIMS)
        return context_error(f->in, dims->item[0]->at, "an array can have at most %d dimensions",
                             MOST_DIMS)
            .type;
    double total = (double)type_leaves(f->in, t);
    for (int32_t i = 0; i < dims->n; i++) {
        size[i] = -1;
        if (dims->item[i]->kind == AST_COLON)
            *is_open = true;
        else if (!size_eval(f, dims->item[i], &size[i]))
            return type_scalar(T_BAD);
        total *= size[i] > 0 ? size[i] : 1;
    }
    if (total > ELEMENTS_MAX)
        return context_error(f->in, dims->item[0]->at, "the array has more than %d elements",
                             ELEMENTS_MAX)
            .type;
    return type_array(t, dims->n, size);
}

type type_of_element(flattener *f, const ast_element *e, const layer **layers, bool *is_open)
{
    type t = type_resolve(f, e->type, layers);
    t = type_sized(f, t, &e->type_dims, is_open);
    *layers = layer_on(f, e->mods, *layers);
    return type_sized(f, t, &e->dims, is_open);
}
