/* instantiate/emitted_classes.c - see instance.h: functions, records, enumerations and external
 * objects that the flat model uses, as classes without bases and with full names. */
#include "instantiate/clauses.h"
#include "instantiate/instance.h"

#include "library/library.h"

#include <string.h>

/* ---- names ---- */

static const char *instance_class_name(builder *b, const instance *in)
{
    if (in == b->root || !in)
        return "";
    if (in->is_part) {
        const char *path = instance_path(b, in);
        return path ? path : in->type ? name_text(b, in->type->name) : "";
    }
    return in->type ? class_full_name(b, in->type) : "";
}

const char *class_full_name(builder *b, const element *e)
{
    const char *around = instance_class_name(b, e->owner);
    const char *own = name_text(b, e->name);
    return *around ? builder_text(b, "%s.%s", around, own) : own;
}

/* The full name of a class, with a number where another class has it. */
static int32_t unique_name(builder *b, const char *text)
{
    uint32_t taken = 0;
    int32_t name = name_id(b, "%s", text);
    for (int k = 2; number_map_find(&b->emitted, (uint64_t)name + 1, &taken); k++)
        name = name_id(b, "%s_%d", text, k);
    number_map_put(&b->emitted, b->mem, (uint64_t)name + 1, EMITTED_OTHER);
    return name;
}

/* ---- elements in the order of the text ---- */

static scope *base_scope(const scope *s, int32_t k)
{
    for (scope *x = s->in->scopes; x; x = x->next)
        if (x->derived == s && k-- == 0)
            return x;
    return NULL;
}

void elements_in_order(builder *b, scope *s, element_visit *visit, void *user)
{
    int32_t n_bases = 0;
    if (s->class->prefixes & AST_CLASS_EXTENDS) { /* its base is the last one */
        scope *last = NULL, *x;
        for (int32_t k = 0; (x = base_scope(s, k)) != NULL; k++)
            last = x;
        if (last)
            elements_in_order(b, last, visit, user);
    }
    for (const ast_element *x = s->class->elements; x; x = x->next) {
        if (x->kind == AST_COMPONENT) {
            element *e = member_find(b, s->in, x->name);
            if (e && e->origins.scope == s)
                visit(user, e);
        } else if (x->kind == AST_EXTENDS) {
            scope *base = base_scope(s, n_bases);
            if (base && base->of) { /* predefined types have no scope */
                elements_in_order(b, base, visit, user);
                n_bases++;
            }
        }
    }
}

/* ---- declarations ---- */

static const char *const base_names[] = {[BASE_CLASS] = "",
                                         [BASE_REAL] = "Real",
                                         [BASE_INTEGER] = "Integer",
                                         [BASE_BOOLEAN] = "Boolean",
                                         [BASE_STRING] = "String",
                                         [BASE_ENUMERATION] = "",
                                         [BASE_STATE_SELECT] = "StateSelect",
                                         [BASE_ASSERTION_LEVEL] = "AssertionLevel",
                                         [BASE_OBJECT] = "",
                                         [BASE_CLOCK] = "Clock"};

ast_expr *type_node(builder *b, base_kind base, element *of, source_at at)
{
    const char *predefined = base == BASE_OBJECT && !of ? "ExternalObject" : base_names[base];
    if (predefined[0]) {
        ast_expr *e = node_name(b, name_id(b, "%s", predefined), at);
        if (e)
            e->part[0].quoted = false;
        return e;
    }
    int32_t name = of ? class_emit(b, of) : INTERN_NONE;
    return name == INTERN_NONE ? NULL : node_name(b, name, at);
}

static ast_expr *declared_size(builder *b, scope *s, const ast_expr *e, bool is_record)
{
    if (e->kind == AST_COLON)
        return (ast_expr *)(uintptr_t)e;
    b->quiet++;
    ast_expr *v = evaluate_constant(b, s, e);
    b->quiet--;
    if (v && v->kind == AST_ARRAY)
        return node_integer(b, v->n, e->at);
    return v ? v : is_record ? evaluate_constant(b, s, e) : rewrite(b, s, e);
}

typedef struct member_search {
    builder *b;
    const scope *s;
    bool is_found;
} member_search;

static void find_member(void *user, const ast_expr *e)
{
    member_search *search = user;
    element *x = e->kind == AST_REF && !e->flag
                     ? member_find(search->b, search->s->in, e->part[0].name)
                     : NULL;
    uint32_t prefixes = x && x->ast ? x->ast->prefixes | x->first->prefixes : AST_CONSTANT;
    if (x && !x->is_class && !(prefixes & AST_CONSTANT))
        search->is_found = true;
    ast_visit(e, find_member, search);
}

/* A size of a member of a record.  If it depends on other members, each value has its own. */
static ast_expr *member_size(builder *b, scope *s, const ast_expr *e)
{
    member_search search = {.b = b, .s = s};
    find_member(&search, e);
    return search.is_found ? rewrite(b, s, e) : declared_size(b, s, e, true);
}

static ast_expr *size_of_declaration(builder *b, scope *s, const ast_expr *e, bool is_record)
{
    return is_record ? member_size(b, s, e) : declared_size(b, s, e, false);
}

static bool declared_sizes(builder *b, const element *e, const type_meaning *t, ast_element *to,
                           bool is_record)
{
    const ast_element *x = e->ast;
    int32_t n = x->dims.n + x->type_dims.n + t->n_dims;
    ast_expr **dim = builder_take(b, (size_t)n + 1, sizeof *dim);
    int32_t k = 0;
    for (int32_t i = 0; dim && i < x->dims.n; i++)
        dim[k++] = size_of_declaration(b, e->where, x->dims.item[i], is_record);
    for (int32_t i = 0; dim && i < x->type_dims.n; i++)
        dim[k++] = size_of_declaration(b, e->where, x->type_dims.item[i], is_record);
    for (int32_t i = 0; dim && i < t->n_dims; i++)
        dim[k++] = size_of_declaration(b, t->dim_where[i], t->dim[i], is_record);
    for (int32_t i = 0; i < k; i++)
        if (!dim[i])
            return false;
    to->dims = (ast_list){dim, k};
    return dim != NULL;
}

static ast_mod *mods_rewrite(builder *b, scope *s, const ast_mod *list)
{
    ast_mod *first = NULL, **last = &first;
    for (const ast_mod *x = list; x; x = x->next) {
        ast_mod *copy = x->value || x->mods ? builder_take(b, 1, sizeof *copy) : NULL;
        if (!copy)
            continue;
        *copy = (ast_mod){.name = x->name,
                          .quoted = true,
                          .decoration = AST_NOT_DECORATED,
                          .at = x->at,
                          .end = x->end,
                          .has_mods = x->mods != NULL};
        if (x->value && !(copy->value = rewrite(b, s, x->value)))
            return NULL;
        if (x->mods && !(copy->mods = mods_rewrite(b, s, x->mods)))
            return NULL;
        *last = copy;
        last = &copy->next;
    }
    return first;
}

static bool gives_value(const ast_mod *list)
{
    for (const ast_mod *x = list; x; x = x->next)
        if (x->value || gives_value(x->mods))
            return true;
    return false;
}

/* A record in a function that is modified, R r(a = 1). */
static bool modified_record(builder *b, element *e, const type_meaning *t, ast_element *to)
{
    if (t->base != BASE_CLASS || to->dims.n > 0 || !gives_value(e->ast->mods))
        return true;
    to->mods = mods_rewrite(b, e->where, e->ast->mods);
    to->has_mods = to->mods != NULL;
    return to->has_mods;
}

static bool declared_value(builder *b, element *e, const type_meaning *t, ast_element *to)
{
    const mods *m = e->mods;
    while (m && !m->value)
        m = m->next;
    const ast_expr *given = m ? m->value : e->ast->binding;
    if (!given)
        return modified_record(b, e, t, to);
    if (m && m->where->in->is_part)
        return true; /* calls have it as an argument, see add_component_args */
    to->binding = rewrite(b, m ? m->where : e->where, given);
    return to->binding != NULL;
}

typedef struct class_output {
    builder *b;
    ast_class *to;
    ast_element **last;
    bool ok, is_record;
} class_output;

static void declare(void *user, element *e)
{
    class_output *o = user;
    builder *b = o->b;
    type_meaning t;
    ast_element *to = builder_take(b, 1, sizeof *to);
    if (!o->ok || !to || !element_prepare(b, e) || !type_find(b, e->where, e->ast->type, &t)) {
        o->ok = false;
        return;
    }
    uint32_t kept =
        o->is_record ? 0 : AST_INPUT | AST_OUTPUT | AST_PROTECTED | AST_PARAMETER | AST_CONSTANT;
    *to = (ast_element){.kind = AST_COMPONENT,
                        .prefixes = (e->ast->prefixes | (e->first ? e->first->prefixes : 0)) & kept,
                        .at = e->ast->at,
                        .end = e->ast->end,
                        .name = e->name,
                        .quoted = true,
                        .decoration = AST_NOT_DECORATED};
    to->type = type_node(b, t.base, t.element, e->ast->type->at);
    o->ok = to->type && declared_sizes(b, e, &t, to, o->is_record) && declared_value(b, e, &t, to);
    *o->last = to;
    o->last = &to->next;
}

/* ---- functions ---- */

static void annotate(builder *b, instance *in, ast_class *to)
{
    ast_mod **last = &to->comment.annotation;
    for (scope *s = in->scopes; s; s = s->next)
        for (const ast_mod *m = s->class->comment.annotation; m; m = m->next) {
            const char *name = name_text(b, m->name);
            bool is_derivative = strcmp(name, "derivative") == 0 && m->value;
            if (!is_derivative && strcmp(name, "Inline") != 0)
                continue;
            ast_mod *copy = arena_copy(b->mem, m, 1, 1, sizeof *copy);
            if (!copy)
                return;
            copy->next = NULL;
            if (is_derivative) {
                element *f =
                    m->value->kind == AST_REF ? lookup_path(b, s, m->value, m->value->n) : NULL;
                int32_t function = f && f->is_class ? class_emit(b, f) : INTERN_NONE;
                copy->value = function == INTERN_NONE ? NULL : node_name(b, function, m->at);
                if (!copy->value)
                    continue;
            }
            *last = copy;
            last = &copy->next;
        }
}

static bool external_copy(builder *b, scope *s, ast_class *to)
{
    const ast_external *from = s->class->external;
    ast_external *x = arena_copy(b->mem, from, 1, 1, sizeof *x);
    if (!x)
        return false;
    x->args.item = builder_take(b, (size_t)from->args.n + 1, sizeof *x->args.item);
    if (from->result && !(x->result = rewrite(b, s, from->result)))
        return false;
    for (int32_t i = 0; x->args.item && i < from->args.n; i++)
        if (!(x->args.item[i] = rewrite(b, s, from->args.item[i])))
            return false;
    if (x->function == INTERN_NONE)
        x->function = s->class->name;
    to->external = x;
    return x->args.item != NULL;
}

/* Statements of the bases come first. */
static bool statements_copy(builder *b, scope *s, ast_section ***last)
{
    for (int32_t k = 0; base_scope(s, k); k++)
        if (!statements_copy(b, base_scope(s, k), last))
            return false;
    for (const ast_section *x = s->class->sections; x; x = x->next) {
        ast_section *copy = arena_copy(b->mem, x, 1, 1, sizeof *copy);
        clause_list list = {.last = &list.first};
        if (!copy || !clauses_rewrite(b, s, x->clauses, &list, CLAUSES_OF_FUNCTION))
            return false;
        copy->clauses = list.first;
        copy->next = NULL;
        **last = copy;
        *last = &copy->next;
    }
    return true;
}

static ast_class *class_output_new(builder *b, instance *in, int32_t name)
{
    ast_class *to = builder_take(b, 1, sizeof *to);
    if (to)
        *to = (ast_class){.kind = in->class->kind,
                          .form = AST_LONG,
                          .prefixes = in->class->prefixes & (AST_PURE | AST_IMPURE),
                          .name = name,
                          .quoted = true,
                          .at = in->class->at,
                          .end = in->class->end,
                          .comment = {.text = in->class->comment.text}};
    return to;
}

static bool function_fill(builder *b, instance *in, ast_class *to)
{
    if (!instance_open(b, in))
        return false;
    class_output o = {.b = b, .to = to, .last = &to->elements, .ok = true};
    elements_in_order(b, in->scopes, declare, &o);
    ast_section **last = &to->sections;
    if (!o.ok || !statements_copy(b, in->scopes, &last))
        return false;
    for (scope *s = in->scopes; s && !to->external; s = s->next)
        if (s->class->external && !external_copy(b, s, to))
            return false;
    annotate(b, in, to);
    return true;
}

static bool record_fill(builder *b, instance *in, ast_class *to)
{
    if (!instance_open(b, in))
        return false;
    to->kind = AST_RECORD;
    class_output o = {.b = b, .to = to, .last = &to->elements, .ok = true, .is_record = true};
    elements_in_order(b, in->scopes, declare, &o);
    return o.ok;
}

/* An external object has nested functions `constructor` and `destructor`. */
static bool object_fill(builder *b, instance *in, ast_class *to)
{
    ast_element *base = builder_take(b, 1, sizeof *base);
    if (!base || !instance_open(b, in))
        return false;
    *base = (ast_element){
        .kind = AST_EXTENDS, .at = to->at, .end = to->at, .decoration = AST_NOT_DECORATED};
    base->type = type_node(b, BASE_OBJECT, NULL, to->at);
    to->kind = AST_CLASS;
    to->elements = base;
    ast_element **last = &base->next;
    for (element *e = in->elements; e; e = e->next) {
        if (!e->is_class)
            continue;
        instance *f = class_look(b, e);
        ast_element *x = builder_take(b, 1, sizeof *x);
        ast_class *function = f && x ? class_output_new(b, f, e->name) : NULL;
        if (!function || !function_fill(b, f, function))
            return false;
        *x = (ast_element){.kind = AST_NESTED,
                           .name = e->name,
                           .at = to->at,
                           .nested = function,
                           .decoration = AST_NOT_DECORATED};
        *last = x;
        last = &x->next;
    }
    return true;
}

static bool is_object(builder *b, const instance *in)
{
    for (const ast_element *x = in->class->elements; x; x = x->next)
        if (x->kind == AST_EXTENDS && ast_simple_name(x->type) != INTERN_NONE &&
            strcmp(name_text(b, ast_simple_name(x->type)), "ExternalObject") == 0)
            return true;
    return false;
}

static void class_append(builder *b, ast_class *c)
{
    *b->last_class = c;
    b->last_class = &c->next;
}

/* Fills in a class outside of the expression that is under way. */
static bool fill_apart(builder *b, instance *in, ast_class *to)
{
    iterator *iterators = b->iterators;
    const ast_expr *end = b->end;
    bool is_constant = b->is_constant, no_reals = b->no_reals, ok;
    int quiet = b->quiet;
    b->iterators = NULL;
    b->end = NULL;
    b->is_constant = b->no_reals = false;
    b->quiet = 0;
    if (is_object(b, in))
        ok = object_fill(b, in, to);
    else if (in->class->kind == AST_FUNCTION_CLASS)
        ok = function_fill(b, in, to);
    else
        ok = record_fill(b, in, to);
    b->iterators = iterators;
    b->end = end;
    b->is_constant = is_constant;
    b->no_reals = no_reals;
    b->quiet = quiet;
    return ok;
}

static bool is_emitted_kind(builder *b, const instance *in)
{
    return in->class->kind == AST_FUNCTION_CLASS || in->class->kind == AST_RECORD ||
           in->class->kind == AST_CONNECTOR || is_object(b, in);
}

/* The operators of a record: functions, or groups of functions. */
static void operators_emit(builder *b, instance *of)
{
    for (element *e = of->elements; e; e = e->next) {
        instance *in = e->is_class ? class_look(b, e) : NULL;
        if (in && in->class->kind == AST_FUNCTION_CLASS)
            class_emit(b, e);
        bool is_group = in && in->class->kind == AST_PACKAGE && instance_open(b, in);
        for (element *x = is_group ? in->elements : NULL; x; x = x->next)
            if (x->is_class)
                class_emit(b, x);
    }
}

int32_t class_emit(builder *b, element *e)
{
    instance *in = class_look(b, e);
    if (!in)
        return INTERN_NONE;
    if (in->name != INTERN_NONE)
        return in->name;
    const char *full = class_full_name(b, in->type);
    bool is_function = in->class->kind == AST_FUNCTION_CLASS;
    if (is_function && library_has(full))
        return in->name = name_id(b, "%s", full);
    if (in->class->form == AST_ENUMERATION || in->class->form == AST_DERIVATIVE) {
        ast_class *copy = arena_copy(b->mem, in->class, 1, 1, sizeof *copy);
        if (!copy)
            return INTERN_NONE;
        copy->next = NULL;
        copy->quoted = true;
        in->name = copy->name = unique_name(b, full);
        class_append(b, copy);
        return in->name;
    }
    if (!is_emitted_kind(b, in)) {
        instance_error(b, NULL, e->class ? e->class->at : SOURCE_NOWHERE,
                       "'%s' is a %s and has no value", name_text(b, e->name),
                       ast_class_kind_text(in->class->kind));
        return INTERN_NONE;
    }
    in->name = unique_name(b, full);
    if (in->class->kind == AST_RECORD || in->class->kind == AST_CONNECTOR)
        number_map_put(&b->emitted, b->mem, (uint64_t)in->name + 1, EMITTED_RECORD);
    ast_class *to = class_output_new(b, in, in->name);
    if (!to)
        return INTERN_NONE;
    class_append(b, to);
    if (!fill_apart(b, in, to))
        return INTERN_NONE;
    if (in->class->prefixes & AST_OPERATOR)
        operators_emit(b, in);
    return in->name;
}
