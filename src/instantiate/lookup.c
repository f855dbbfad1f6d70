/* instantiate/lookup.c - see instance.h: what names of classes and components stand for.
 *
 * A simple name is sought in the elements that the class text declares or inherits, in its imports,
 * then in the class around it and so on; `encapsulated` ends the walk.  A name of a base text means
 * the element of the derived instance, which may be redeclared. */
#include "instantiate/instance.h"

#include "base/suggest.h"

#include <string.h>

/* ---- simple names ---- */

bool scope_is_inside(const scope *s, const scope *around)
{
    for (; s; s = s->derived)
        if (s == around)
            return true;
    return false;
}

static bool is_visible(const element *e, const scope *s)
{
    for (const origin *o = &e->origins; o; o = o->next)
        if (scope_is_inside(o->scope, s))
            return true;
    return false;
}

static element *root_find(builder *b, int32_t name)
{
    element *e = member_find(b, b->root, name);
    return e ? e : library_root(b, name);
}

/* A path from the root, as of an import. */
static element *root_path(builder *b, const ast_expr *ref, int32_t n)
{
    element *e = root_find(b, ref->part[0].name);
    for (int32_t i = 1; i < n && e; i++) {
        instance *in = e->is_class ? class_look(b, e) : NULL;
        e = in ? member_find(b, in, ref->part[i].name) : NULL;
    }
    return e;
}

/* Names that are imported one by one come before those of `import P.*`. */
static element *import_find(builder *b, const scope *s, int32_t name)
{
    const ast_element *first = s->class ? s->class->elements : NULL;
    for (const ast_element *x = first; x; x = x->next) {
        if (x->kind != AST_IMPORT || x->has_mods || x->name != name)
            continue;
        element *e = root_path(b, x->type, x->type->n);
        if (!e)
            instance_error(b, s->in, x->at, "the imported name is not found");
        return e;
    }
    for (const ast_element *x = first; x; x = x->next) {
        if (x->kind != AST_IMPORT || !x->has_mods)
            continue;
        element *package = root_path(b, x->type, x->type->n);
        instance *in = package && package->is_class ? class_look(b, package) : NULL;
        element *e = in ? member_find(b, in, name) : NULL;
        if (e)
            return e;
    }
    return NULL;
}

static element *scope_find(builder *b, scope *s, int32_t name)
{
    element *e = member_find(b, s->in, name);
    if (e && is_visible(e, s))
        return e;
    return import_find(b, s, name);
}

/* A class that is declared as outer stands for the inner one of the instances around. */
static element *inner_class(builder *b, const instance *in, element *e)
{
    uint32_t prefixes = e->first ? e->first->prefixes : 0;
    if (!(prefixes & AST_OUTER) || !in->is_part)
        return e;
    element *inner = inner_find(b, in->parent, e->name);
    return inner && inner->is_class ? inner : e;
}

element *lookup(builder *b, scope *s, int32_t name)
{
    for (; s && s->in != b->root; s = s->enclosing) {
        element *e = scope_find(b, s, name);
        if (e)
            return e->is_class ? inner_class(b, s->in, e) : e;
        if (s->class && (s->class->prefixes & AST_ENCAPSULATED))
            return NULL;
    }
    return root_find(b, name);
}

/* ---- composite names ---- */

instance *class_look(builder *b, element *e)
{
    if (e->looked)
        return e->looked;
    if (e->is_looking || b->depth > LOOKUP_MAX)
        return instance_error(b, e->owner, e->ast ? e->ast->at : SOURCE_NOWHERE,
                              "'%s' is defined by itself", name_text(b, e->name));
    e->is_looking = true;
    b->depth++;
    instance *in = NULL;
    if (element_prepare(b, e) && class_read(b, e)) {
        if (e->class->form == AST_ALIAS) {
            base_kind base = BASE_CLASS;
            element *target = lookup_class(b, e->where, e->class->base, &base);
            mods *m = mods_join(b, e->mods, mods_of(b, e->class->mods, e->where));
            m = mods_join(b, m, e->weak);
            if (target && !m)
                in = class_look(b, target);
            else if (target) {
                /* the end of the chain of short classes, with all their modifiers */
                for (int i = 0; target && i < NESTING_MAX; i++) {
                    if (!element_prepare(b, target) || !class_read(b, target)) {
                        target = NULL;
                        break;
                    }
                    m = mods_join(b, m, target->mods);
                    if (target->class->form != AST_ALIAS)
                        break;
                    m = mods_join(b, m, mods_of(b, target->class->mods, target->where));
                    target = lookup_class(b, target->where, target->class->base, &base);
                }
                in = target ? class_instance_new(b, target, m) : NULL;
            }
        } else {
            in = class_instance_new(b, e, mods_join(b, e->mods, e->weak));
        }
    }
    b->depth--;
    e->is_looking = false;
    e->looked = in;
    return in;
}

static instance *look_into(builder *b, element *e)
{
    if (e->is_class)
        return class_look(b, e);
    instance *in = component_of(b, e);
    return in && in->kind == INSTANCE_CLASS ? in : NULL;
}

element *lookup_path(builder *b, scope *s, const ast_expr *ref, int32_t n)
{
    element *e = ref->flag ? root_find(b, ref->part[0].name) : lookup(b, s, ref->part[0].name);
    for (int32_t i = 1; i < n && e; i++) {
        instance *in = look_into(b, e);
        e = in ? member_find(b, in, ref->part[i].name) : NULL;
    }
    return e;
}

static base_kind predefined(const builder *b, const ast_expr *ref)
{
    static const struct {
        const char *name;
        base_kind base;
    } rows[] = {{"Real", BASE_REAL},
                {"Integer", BASE_INTEGER},
                {"Boolean", BASE_BOOLEAN},
                {"String", BASE_STRING},
                {"StateSelect", BASE_STATE_SELECT},
                {"AssertionLevel", BASE_ASSERTION_LEVEL},
                {"ExternalObject", BASE_OBJECT},
                {"Clock", BASE_CLOCK}};
    if (ref->n != 1)
        return BASE_CLASS;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(name_text(b, ref->part[0].name), rows[i].name) == 0)
            return rows[i].base;
    return BASE_CLASS;
}

const char *ref_text(builder *b, const ast_expr *ref)
{
    const char *text = "";
    for (int32_t i = 0; i < ref->n && text; i++)
        text = builder_text(b, "%s%s%s", text, i ? "." : "", name_text(b, ref->part[i].name));
    return text ? text : "";
}

typedef struct class_names {
    const builder *b;
    const element **list;
} class_names;

static const char *class_name_at(const void *list, size_t i)
{
    const class_names *all = list;
    return name_text(all->b, all->list[i]->name);
}

static const char *nearest_in(builder *b, const instance *in, const char *wanted)
{
    size_t n = 0;
    class_names all = {b, builder_take(b, in->n_elements + 1, sizeof *all.list)};
    for (const element *e = in->elements; e && all.list; e = e->next)
        if (e->is_class)
            all.list[n++] = e;
    return suggest(wanted, class_name_at, &all, n);
}

/* The name that is near the first part that was not found. */
static const char *nearest_class(builder *b, scope *s, const ast_expr *ref)
{
    int32_t n = 1;
    while (n < ref->n && lookup_path(b, s, ref, n))
        n++;
    const char *wanted = name_text(b, ref->part[n - 1].name);
    instance *only = NULL;
    if (n > 1) {
        element *around = lookup_path(b, s, ref, n - 1);
        only = around ? look_into(b, around) : NULL;
        return only ? nearest_in(b, only, wanted) : NULL;
    }
    library_roots(b);
    for (scope *x = s; x; x = x->enclosing) {
        const char *best = nearest_in(b, x->in, wanted);
        if (best)
            return best;
    }
    return NULL;
}

static element *class_missing(builder *b, scope *s, const ast_expr *ref)
{
    char path[400];
    if (b->quiet || b->is_unreadable)
        return NULL;
    const char *near = nearest_class(b, s, ref), *text = ref_text(b, ref);
    path_texts(b, path, sizeof path);
    bool is_root = ref->n == 1 || !lookup_path(b, s, ref, 1);
    if (near && is_root && b->options->n_paths > 0)
        return instance_error(b, s->in, ref->at,
                              "class '%s' is not found in the file and in %s; did you mean '%s'?",
                              text, path, near);
    if (near)
        return instance_error(b, s->in, ref->at, "class '%s' is not found; did you mean '%s'?",
                              text, near);
    if (b->options->n_paths == 0)
        return instance_error(b, s->in, ref->at,
                              "class '%s' is not found: --path DIR says where its library is",
                              text);
    return instance_error(b, s->in, ref->at, "class '%s' is not found in the file and in %s", text,
                          path);
}

element *lookup_class(builder *b, scope *s, const ast_expr *ref, base_kind *base)
{
    *base = BASE_CLASS;
    element *e = lookup_path(b, s, ref, ref->n);
    if (e && e->is_class)
        return e;
    *base = predefined(b, ref);
    if (*base != BASE_CLASS)
        return NULL;
    if (e)
        return instance_error(b, s->in, ref->at, "'%s' is a component and not a class",
                              ref_text(b, ref));
    return class_missing(b, s, ref);
}

/* The base of `extends`: own names of the text, then outwards; not inherited ones. */
element *lookup_own(builder *b, scope *s, const ast_expr *ref, base_kind *base)
{
    element *e = ref->flag ? NULL : member_find(b, s->in, ref->part[0].name);
    bool is_own = false;
    for (const origin *o = e ? &e->origins : NULL; o; o = o->next)
        is_own = is_own || o->scope == s;
    if (is_own) {
        for (int32_t i = 1; i < ref->n && e; i++) {
            instance *in = look_into(b, e);
            e = in ? member_find(b, in, ref->part[i].name) : NULL;
        }
        *base = BASE_CLASS;
        if (e && e->is_class)
            return e;
        return class_missing(b, s, ref);
    }
    element *imported = ref->flag ? NULL : import_find(b, s, ref->part[0].name);
    if (imported) {
        e = imported;
        for (int32_t i = 1; i < ref->n && e; i++) {
            instance *in = look_into(b, e);
            e = in ? member_find(b, in, ref->part[i].name) : NULL;
        }
        *base = BASE_CLASS;
        return e && e->is_class ? e : class_missing(b, s, ref);
    }
    bool is_end = s->class && (s->class->prefixes & AST_ENCAPSULATED);
    scope *outside = is_end ? b->root->scopes : s->enclosing ? s->enclosing : b->root->scopes;
    return lookup_class(b, outside, ref, base);
}

/* ---- types ---- */

static bool dims_add(builder *b, type_meaning *t, const ast_list *dims, scope *s)
{
    for (int32_t i = 0; i < dims->n; i++) {
        if (t->n_dims == DIMENSIONS_MAX) {
            instance_error(b, s->in, dims->item[i]->at, "an array can have at most %d dimensions",
                           DIMENSIONS_MAX);
            return false;
        }
        t->dim[t->n_dims] = dims->item[i];
        t->dim_where[t->n_dims++] = s;
    }
    return true;
}

/* A long class that extends a predefined type or an enumeration is that type. */
static const ast_element *base_type_of(builder *b, element *e, base_kind *base, element **next)
{
    ast_class *c = e->class;
    *base = BASE_CLASS;
    *next = NULL;
    if (c->kind != AST_TYPE && c->kind != AST_CONNECTOR && c->kind != AST_CLASS)
        return NULL;
    for (const ast_element *x = c->elements; x; x = x->next) {
        if (x->kind == AST_COMPONENT)
            return NULL;
        if (x->kind != AST_EXTENDS)
            continue;
        b->quiet++;
        element *found = lookup_class(b, e->where, x->type, base);
        b->quiet--;
        if (!found && *base != BASE_CLASS)
            return x;
        if (found && (c->kind == AST_TYPE || c->kind == AST_CONNECTOR)) {
            type_meaning t;
            b->quiet++;
            bool known = type_find(b, e->where, x->type, &t);
            b->quiet--;
            if (known && t.base != BASE_CLASS) {
                *next = found;
                return x;
            }
        }
    }
    return NULL;
}

bool type_find(builder *b, scope *s, const ast_expr *ref, type_meaning *t)
{
    *t = (type_meaning){.base = BASE_CLASS};
    element *e = lookup_class(b, s, ref, &t->base);
    for (int i = 0; e && i < NESTING_MAX; i++) {
        if (!element_prepare(b, e) || !class_read(b, e))
            return false;
        t->element = e;
        t->mods = mods_join(b, t->mods, e->mods);
        ast_class *c = e->class;
        t->is_connector = t->is_connector || c->kind == AST_CONNECTOR;
        if (c->form == AST_ENUMERATION) {
            t->base = BASE_ENUMERATION;
            return true;
        }
        if (c->form == AST_ALIAS) {
            t->mods = mods_join(b, t->mods, mods_of(b, c->mods, e->where));
            t->mods = mods_join(b, t->mods, e->weak);
            t->prefixes |= c->base_prefixes;
            if (!dims_add(b, t, &c->dims, e->where))
                return false;
            e = lookup_class(b, e->where, c->base, &t->base);
            continue;
        }
        base_kind base;
        element *next;
        const ast_element *x = base_type_of(b, e, &base, &next);
        if (!x) {
            t->mods = mods_join(b, t->mods, e->weak);
            t->base = BASE_CLASS;
            return true;
        }
        if (base == BASE_OBJECT) {
            t->base = base;
            return true;
        }
        t->mods = mods_join(b, t->mods, mods_of(b, x->mods, e->where));
        t->base = base;
        e = next;
    }
    return t->base != BASE_CLASS;
}
