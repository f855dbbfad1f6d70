/* flatten/references.c - see flattener.h: finds what a reference means.
 *
 * The order of search: iterators and the locals of a function, declared names, enumeration
 * literals, names of which only the parts are declared (x for x[1], x[2]; c for c.re, c.im: a
 * `group`), and names with subscripts inside the quotes ('x[\'i\']'). */
#include "flatten/execute.h"

#include <ctype.h>
#include <string.h>

bool ids_grow(flattener *f)
{
    size_t n = f->in->names->n;
    if (n <= f->scope->n_ids)
        return true;
    size_t room = f->scope->n_ids;
    uint32_t **tables[] = {&f->scope->component_of, &f->scope->variable_of, &f->scope->class_of};
    for (int i = 0; i < 3; i++) {
        room = f->scope->n_ids;
        uint32_t *table = arena_grow(&f->in->c->mem, *tables[i], &room, n, sizeof *table);
        if (!table)
            return false;
        *tables[i] = table;
    }
    f->scope->n_ids = room;
    return true;
}

/* ---- the nearest name ---- */

enum { NEAR_MAX = 64 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b), row[NEAR_MAX + 1];
    if (na > NEAR_MAX || nb > NEAR_MAX)
        return NEAR_MAX;
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t cost = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = smaller(cost, smaller(row[j], row[j - 1]) + 1);
        }
    }
    return row[nb];
}

typedef struct nearest {
    const char *wanted, *best;
    size_t apart;
} nearest;

static bool same_but_for_case(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        a++, b++;
    return *a == *b;
}

static void consider(nearest *n, const char *text)
{
    if (same_but_for_case(n->wanted, text) && strcmp(n->wanted, text) != 0) {
        n->best = text;
        n->apart = 0; /* a different case only is the nearest */
    }
    size_t length = strlen(n->wanted), other = strlen(text);
    if ((length > other ? length - other : other - length) > n->apart)
        return;
    size_t d = distance(n->wanted, text);
    if (d > 0 && d < n->apart && d < length) { /* the names have something in common */
        n->apart = d;
        n->best = text;
    }
}

static void consider_scope(const flattener *f, nearest *n)
{
    for (const iteration *i = f->iterations; i; i = i->next)
        consider(n, context_name(f->in, i->name));
    for (int32_t i = 0; f->in->frame && i < f->in->frame->n; i++)
        consider(n, context_name(f->in, f->in->frame->local[i].name));
    for (size_t i = 0; !f->in->frame && i < f->in->m->n_variables; i++)
        if (!f->in->m->variables[i].hidden)
            consider(n, context_name(f->in, f->in->m->variables[i].name));
    for (size_t i = 0; !f->in->frame && i < f->scope->n_components; i++)
        consider(n, context_name(f->in, f->scope->component[i].name));
}

static void consider_types(const flattener *f, nearest *n)
{
    static const char *const builtin[] = {"Real", "Integer", "Boolean", "String"};
    for (size_t i = 0; i < f->scope->n_classes; i++)
        consider(n, context_name(f->in, f->scope->class[i] -> name));
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        consider(n, builtin[i]);
}

static void consider_functions(const flattener *f, nearest *n)
{
    for (size_t i = 0; i < f->scope->n_classes; i++)
        consider(n, context_name(f->in, f->scope->class[i] -> name));
    for (size_t i = 0; builtin_name(i); i++)
        consider(n, builtin_name(i));
}

/* 'name' */
static bool is_quoted(const sources *s, source_at at)
{
    size_t length = 0;
    const char *text = source_stretch(s, at, at + 1u, &length);
    return text && length == 1 && *text == '\'';
}

/* The same unknown name at many places is one mistake: it is told once. */
value name_unknown(flattener *f, source_at at, const char *what, const char *name)
{
    nearest n = {.wanted = name, .apart = strlen(name) / 3 + 2};
    if (strchr(name, '.') || strcmp(what, "type") == 0)
        f->in->c->lacks_class = true;
    if (f->in->is_numeric || f->in->c->sources.n_errors >= SOURCE_ERRORS_MAX)
        return context_error(f->in, at, "unknown %s", what); /* the message is not shown */
    if (strcmp(what, "name") == 0)
        consider_scope(f, &n);
    else if (strcmp(what, "type") == 0)
        consider_types(f, &n);
    else
        consider_functions(f, &n);
    sources *s = &f->in->c->sources;
    const char *cure = n.best && n.apart == 0 ? NULL : cure_of(f, what, name);
    if (!cure && is_quoted(s, at))
        cure = "a text is written in double quotes";
    if (cure)
        source_error_once(s, at, "unknown %s '%s': %s", what, name, cure);
    else if (n.best)
        source_error_once(s, at, "unknown %s '%s'; did you mean '%s'?", what, name, n.best);
    else
        source_error_once(s, at, "unknown %s '%s'%s", what, name,
                          strcmp(what, "type") == 0
                              ? ": declare it before the model, or write Real, "
                                "Integer, Boolean or String"
                              : "");
    return bad_value;
}

void change_unknown(flattener *f, const char *what, const char *name)
{
    bool parameter = strcmp(what, "parameter") == 0;
    nearest n = {.wanted = name, .apart = strlen(name) / 3 + 2};
    for (size_t i = 0; i < f->in->m->n_variables; i++)
        if (!f->in->m->variables[i].hidden &&
            parameter == (f->in->m->variables[i].variability <= FLAT_PARAMETER))
            consider(&n, context_name(f->in, f->in->m->variables[i].name));
    if (n.best)
        context_error(f->in, SOURCE_NOWHERE, "unknown %s '%s'; did you mean '%s'?", what, name,
                      n.best);
    else
        context_error(f->in, SOURCE_NOWHERE, "unknown %s '%s'", what, name);
}

/* ---- subscripts and members behind a value ---- */

bool subscripts_eval(flattener *f, value v, const ast_part *part, subscript *subs)
{
    if (part->n_subs > v.type.n_dims) {
        context_error(f->in, part->at, "%d subscripts are too many for %s", (int)part->n_subs,
                      type_text(f->in, v.type));
        return false;
    }
    for (int32_t i = 0; i < part->n_subs; i++) {
        int32_t end = f->end;
        int raw = f->in->as_variables;
        f->end = v.type.dim[i];
        f->in->as_variables = 0;
        subs[i] = (subscript){.at = part->sub[i]->at, .is_colon = part->sub[i]->kind == AST_COLON};
        if (!subs[i].is_colon)
            subs[i].value = expression_eval(f, part->sub[i]);
        f->end = end;
        f->in->as_variables = raw;
        if (!subs[i].is_colon && is_bad(subs[i].value))
            return false;
    }
    return true;
}

static value part_subscripts(flattener *f, value v, const ast_part *part)
{
    subscript subs[MOST_DIMS];
    if (part->n_subs == 0 || is_bad(v))
        return v;
    if (!subscripts_eval(f, v, part, subs))
        return (value){.type = type_scalar(T_BAD)};
    return value_index(f->in, v, subs, part->n_subs);
}

value parts_apply(flattener *f, value v, const ast_part *part, int32_t n)
{
    for (int32_t i = 0; i < n && !is_bad(v); i++) {
        if (part[i].name != INTERN_NONE)
            v = value_member(f->in, v, part[i].name, part[i].at);
        v = part_subscripts(f, v, &part[i]);
    }
    return v;
}

/* ---- declared names ---- */

static value component_all(flattener *f, const component *c)
{
    component copy = *c;
    value v = value_new(f->in, copy.type);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = variable_read(f, copy.first + (uint32_t)i);
    return v;
}

/* x[i, j] of an array of scalars is evaluated without its other elements. */
static bool component_one(flattener *f, const component *c, const ast_part *part, value *result)
{
    component copy = *c;
    subscript subs[MOST_DIMS];
    value whole = {.type = copy.type};
    if (copy.type.base == T_RECORD || part->n_subs != copy.type.n_dims || part->n_subs == 0)
        return false;
    *result = (value){.type = type_scalar(T_BAD)};
    if (!subscripts_eval(f, whole, part, subs))
        return true;
    size_t at = 0;
    for (int32_t i = 0; i < part->n_subs; i++) {
        int64_t k = 0;
        if (subs[i].is_colon || subs[i].value.type.base != T_INTEGER ||
            !value_integer(f->in, subs[i].value, &k))
            return false;
        if (k < 1 || k > copy.type.dim[i]) {
            context_error(f->in, subs[i].at, "subscript %lld is outside 1 .. %d", (long long)k,
                          (int)copy.type.dim[i]);
            return true;
        }
        at = at * (size_t)copy.type.dim[i] + (size_t)(k - 1);
    }
    *result = value_new(f->in, type_element(copy.type));
    if (!is_bad(*result))
        result->e[0] = variable_read(f, copy.first + (uint32_t)at);
    return true;
}

static value component_eval(flattener *f, component *c, const ast_part *part, int32_t n)
{
    size_t k = (size_t)(c - f->scope->component);
    value v = {.type = type_scalar(T_BAD)};
    if (!component_size(f, c)) {
        if (f->in->c->sources.n_errors == 0)
            context_error(f->in, part->at, "'%s' is not present in this model",
                          context_name(f->in, f->scope->component[k].name));
        return v;
    }
    c = &f->scope->component[k];
    if (f->in->frame && !c->is_global && !(c->element->prefixes & AST_CONSTANT))
        return context_error(f->in, part->at,
                             "'%s' belongs to the model and cannot be used in a function",
                             context_name(f->in, c->name));
    if (n == 1 && component_one(f, c, part, &v))
        return v;
    v = part_subscripts(f, component_all(f, &f->scope->component[k]), part);
    return parts_apply(f, v, part + 1, n - 1);
}

component *component_named(flattener *f, int32_t name)
{
    bool known =
        name != INTERN_NONE && (size_t)name < f->scope->n_ids && f->scope->component_of[name];
    component *c = known ? &f->scope->component[f->scope->component_of[name] - 1] : NULL;
    /* an array of which the elements are declared is no component: see name_groups.c */
    return c && c->is_element && c->name != name ? NULL : c;
}

type variable_type(const flattener *f, uint32_t v)
{
    type t = type_scalar(type_base_of(f->in->m->variables[v].type));
    t.info = f->in->m->variables[v].enumeration;
    return t;
}

static value variable_value(flattener *f, uint32_t v)
{
    value r = value_new(f->in, variable_type(f, v));
    if (!is_bad(r))
        r.e[0] = variable_read(f, v);
    return r;
}

/* ---- enumeration literals ---- */

static int32_t enumeration_prefix(flattener *f, const ast_expr *ref)
{
    if (ref->n < 2 || ref->part[ref->n - 1].n_subs)
        return -1;
    ast_expr type_ref = *ref;
    type_ref.n--;
    int32_t name = ast_flat_name(&type_ref, f->in->names);
    if (name == INTERN_NONE)
        return -1;
    const ast_class *c = class_named(f, name);
    for (int i = 0; c && c->form == AST_ALIAS && i < MOST_ALIASES; i++) /* type T = E */
        c = class_find(f, c->base);
    if (c)
        return c->form == AST_ENUMERATION ? enumeration_of_class(f, c) : -1;
    return enumeration_named(f->in, name);
}

static bool literal_eval(flattener *f, const ast_expr *ref, value *result)
{
    int32_t k = enumeration_prefix(f, ref);
    if (k < 0)
        return false;
    int32_t literal = ref->part[ref->n - 1].name;
    const flat_enumeration *e = &f->in->m->enumerations[k];
    for (int32_t i = 0; i < e->n; i++)
        if (e->literals[i] == literal) {
            *result = value_number(f->in, T_ENUM, i + 1);
            result->type.info = k;
            return true;
        }
    *result = context_error(f->in, ref->part[ref->n - 1].at, "'%s' is not a literal of '%s'",
                            context_name(f->in, literal), context_name(f->in, e->name));
    return true;
}

/* ---- references ---- */

local *local_find(flattener *f, int32_t name)
{
    for (int32_t i = 0; f->in->frame && i < f->in->frame->n; i++)
        if (f->in->frame->local[i].name == name)
            return &f->in->frame->local[i];
    return NULL;
}

static bool local_eval(flattener *f, const ast_expr *ref, value *result)
{
    int32_t name = ref->part[0].name;
    for (const iteration *i = f->iterations; i; i = i->next)
        if (i->name == name) {
            *result =
                parts_apply(f, part_subscripts(f, i->value, ref->part), ref->part + 1, ref->n - 1);
            return true;
        }
    local *l = local_find(f, name);
    if (!l)
        return false;
    if (!ref->part[0].n_subs)
        l->is_owned = false; /* the result shares its memory */
    if (!l->is_set && !l->is_open && (f->in->sizes_only || type_count(l->type) == 0))
        *result = parts_apply(f, part_subscripts(f, value_zero(f->in, l->type), ref->part),
                              ref->part + 1, ref->n - 1);
    else if (!l->is_set)
        *result = context_error(f->in, ref->at, "'%s' is used before it has a value",
                                context_name(f->in, name));
    else
        *result =
            parts_apply(f, part_subscripts(f, l->value, ref->part), ref->part + 1, ref->n - 1);
    return true;
}

/* The name of the first n parts, without the last one's subscripts. */
static int32_t head_name(flattener *f, const ast_expr *ref, int32_t n)
{
    ast_expr head = *ref;
    head.part = arena_copy(f->in->mem, ref->part, (size_t)n, (size_t)n, sizeof *head.part);
    if (!head.part)
        return INTERN_NONE;
    head.part[n - 1].n_subs = 0;
    head.n = n;
    int32_t name = ast_flat_name(&head, f->in->names);
    return ids_grow(f) ? name : INTERN_NONE;
}

/* The longest beginning of the reference that is declared. */
static bool prefix_eval(flattener *f, const ast_expr *ref, value *result)
{
    for (int32_t n = ref->n; n > 0; n--) {
        component *c = component_named(f, head_name(f, ref, n));
        if (c) {
            *result = component_eval(f, c, ref->part + n - 1, ref->n - n + 1);
            return true;
        }
    }
    return false;
}

static bool group_try(flattener *f, const ast_expr *ref, value *result)
{
    for (int32_t n = ref->n; n > 0 && !f->in->frame; n--) {
        value v;
        if (group_value(f, head_name(f, ref, n), &v)) {
            v = part_subscripts(f, v, ref->part + n - 1);
            *result = parts_apply(f, v, ref->part + n, ref->n - n);
            return true;
        }
    }
    return false;
}

static bool time_eval(flattener *f, const ast_expr *ref, value *result)
{
    if (ref->n != 1 || ref->part[0].quoted || ref->part[0].name != f->id->time)
        return false;
    *result = f->in->frame
                  ? context_error(f->in, ref->at, "'time' cannot be used in a function")
                  : value_scalar(f->in, T_REAL, expr_variable(f->in->g, flat_symbol(FLAT_TIME, 0)));
    return true;
}

/* The scalar that carries the whole reference as its name: a.b[2].c. */
static bool variable_eval(flattener *f, const ast_expr *ref, value *result)
{
    int32_t name = ast_flat_name(ref, f->in->names);
    if (f->in->frame || name == INTERN_NONE || !ids_grow(f) || !f->scope->variable_of[name])
        return false;
    *result = variable_value(f, f->scope->variable_of[name] - 1);
    return true;
}

/* A quoted name with subscripts of variables in it, at any place of the reference. */
static bool embedded_eval(flattener *f, const ast_expr *ref, value *result)
{
    const ast_expr *inner = name_with_subscripts(f, ref->part[0].name, ref->at);
    if (!inner)
        return false;
    ast_expr whole = *inner;
    whole.n = inner->n + ref->n - 1;
    whole.part = arena_take(f->in->mem, (size_t)whole.n, sizeof *whole.part);
    if (!whole.part)
        return false;
    memcpy(whole.part, inner->part, (size_t)inner->n * sizeof *whole.part);
    memcpy(whole.part + inner->n, ref->part + 1, (size_t)(ref->n - 1) * sizeof *whole.part);
    if (ref->part[0].n_subs && inner->part[inner->n - 1].n_subs == 0)
        whole.part[inner->n - 1] = ref->part[0];
    *result = name_eval(f, &whole);
    return true;
}

value name_eval(flattener *f, const ast_expr *ref)
{
    enum { PARTS_MAX = 256 }; /* the time of the search is quadratic in the number of parts */
    value v;
    if (ref->n > PARTS_MAX)
        return context_error(f->in, ref->at, "the name has more than %d parts", PARTS_MAX);
    if (local_eval(f, ref, &v))
        return v;
    if (ref->n == 1) {
        component *c = ids_grow(f) ? component_named(f, ref->part[0].name) : NULL;
        if (c && c->is_ambiguous && c->is_global)
            return context_error(f->in, ref->at, "'%s' is in several packages: write its full name",
                                 context_name(f->in, c->name));
        if (c)
            return component_eval(f, c, ref->part, 1);
    }
    if (time_eval(f, ref, &v) || literal_eval(f, ref, &v) || prefix_eval(f, ref, &v) ||
        variable_eval(f, ref, &v) || group_try(f, ref, &v) || embedded_eval(f, ref, &v))
        return v;
    int32_t name = ast_flat_name(ref, f->in->names);
    if (name != INTERN_NONE && library_constant(f, context_name(f->in, name), &v))
        return v;
    return name_unknown(f, ref->at, "name",
                        context_name(f->in, name == INTERN_NONE ? ref->part[0].name : name));
}
