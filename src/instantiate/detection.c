/* instantiate/detection.c - see instantiate.h: whether a text that was read as a flat model has
 * components. */
#include "instantiate/instantiate.h"

#include <string.h>

static bool is_component_kind(const ast_class *c)
{
    bool is_object = false;
    for (const ast_element *e = c->elements; e; e = e->next)
        is_object = is_object || e->kind == AST_EXTENDS; /* ExternalObject, see parse_extends */
    return !is_object && (c->kind == AST_MODEL || c->kind == AST_BLOCK || c->kind == AST_CLASS ||
                          c->kind == AST_CONNECTOR);
}

/* The classes of a file that can be components. */
typedef struct kinds {
    const compilation *c;
    const ast_file *file;
    int32_t *name;
    size_t n, capacity;
} kinds;

static void collect(kinds *k, arena *mem, const ast_class *c)
{
    if (c->form == AST_LONG && is_component_kind(c)) {
        int32_t *list = arena_grow(mem, k->name, &k->capacity, k->n + 1, sizeof *list);
        if (!list)
            return;
        k->name = list;
        list[k->n++] = c->name;
    }
    for (const ast_element *e = c->elements; e; e = e->next)
        if (e->kind == AST_NESTED)
            collect(k, mem, e->nested);
}

/* A type of a library: A.B.C with an A that the file does not declare. */
static bool is_library_type(const kinds *k, const ast_expr *ref)
{
    if (ref->n < 2 || ref->part[0].quoted)
        return false;
    for (const ast_class *c = k->file->classes; c; c = c->next)
        if (c->name == ref->part[0].name)
            return false;
    const char *first = intern_text(&k->c->names, ref->part[0].name);
    const char *second = intern_text(&k->c->names, ref->part[1].name);
    return strcmp(first, "Modelica") != 0 ||
           (strcmp(second, "Units") != 0 && strcmp(second, "SIunits") != 0);
}

static bool is_component(const kinds *k, const ast_element *e)
{
    if (e->prefixes & (AST_INNER | AST_OUTER))
        return true;
    int32_t last = e->type->n ? e->type->part[e->type->n - 1].name : INTERN_NONE;
    for (size_t i = 0; i < k->n; i++)
        if (k->name[i] == last)
            return true;
    return is_library_type(k, e->type);
}

/* A member whose size is another member differs in size from record to record: sizes of records in
 * a flat model are numbers.                                                          */
static bool has_named_size(const ast_class *record, const ast_element *e)
{
    for (int32_t i = 0; i < e->dims.n; i++) {
        int32_t name = ast_simple_name(e->dims.item[i]);
        for (const ast_element *x = record->elements; x && name != INTERN_NONE; x = x->next)
            if (x->kind == AST_COMPONENT && x->name == name)
                return true;
    }
    return false;
}

static bool class_has_components(const kinds *k, const ast_class *c)
{
    for (const ast_element *e = c->elements; e; e = e->next) {
        if (e->kind == AST_COMPONENT && c->kind == AST_RECORD && has_named_size(c, e))
            return true;
        if (e->kind == AST_NESTED && class_has_components(k, e->nested))
            return true;
        if (e->kind == AST_COMPONENT && e->type && is_component(k, e))
            return true;
    }
    return false;
}

bool has_components(compilation *c, const ast_file *file)
{
    kinds k = {.c = c, .file = file};
    if (file->has_within && file->within)
        return true; /* a file of a package */
    for (const ast_class *x = file->classes; x; x = x->next)
        collect(&k, &c->mem, x);
    for (const ast_class *x = file->classes; x; x = x->next)
        if (class_has_components(&k, x))
            return true;
    return false;
}
