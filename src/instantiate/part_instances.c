/* instantiate/part_instances.c - see instance.h: components come to life, with sizes, conditions
 * and modifiers. */
#include "instantiate/instance.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

static void position_text(const indices *p, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < p->n; i++)
        n += (size_t)snprintf(text + n, size - n, "%c%d", i ? ',' : '[', (int)p->k[i]);
    if (p->n > 0)
        snprintf(text + n, size - n, "]");
}

int32_t instance_name(builder *b, instance *in)
{
    char subs[DIMENSIONS_MAX * 12 + 2];
    if (in->name != INTERN_NONE || !in->parent || !in->element)
        return in->name;
    position_text(&in->position, subs, sizeof subs);
    instance *around = in->parent;
    int32_t outer = around == b->model ? INTERN_NONE : instance_name(b, around);
    const char *own = name_text(b, in->element->name);
    in->name = outer == INTERN_NONE ? name_id(b, "%s%s", own, subs)
                                    : name_id(b, "%s.%s%s", name_text(b, outer), own, subs);
    return in->name;
}

const char *instance_path(builder *b, const instance *in)
{
    int32_t name = in && in->is_part && in != b->model ? instance_name(b, (instance *)(uintptr_t)in)
                                                       : INTERN_NONE;
    return name == INTERN_NONE ? NULL : name_text(b, name);
}

bool is_record(const instance *in)
{
    return in->kind == INSTANCE_CLASS && in->class && in->class->kind == AST_RECORD;
}

bool is_connector(const instance *in)
{
    if (in->kind == INSTANCE_ARRAY)
        return in->n_items == 0 || is_connector(in->item[0]);
    return in->is_connector;
}

bool is_expandable(const instance *in)
{
    return in->kind == INSTANCE_CLASS && in->class && (in->class->prefixes & AST_EXPANDABLE);
}

/* ---- inner and outer ---- */

element *inner_find(builder *b, const instance *in, int32_t name)
{
    for (; in; in = in->parent) {
        element *e =
            in->kind == INSTANCE_CLASS ? member_find(b, (instance *)(uintptr_t)in, name) : NULL;
        if (e && e->first && (e->first->prefixes & AST_INNER))
            return e;
    }
    return NULL;
}

static const char *inner_message(builder *b, element *outer)
{
    type_meaning t;
    if (!type_find(b, outer->where, outer->ast->type, &t) || !t.element || !t.element->class)
        return NULL;
    const ast_mod *m =
        ast_mod_find(t.element->class->comment.annotation, b->names, "missingInnerMessage");
    return m && m->value && m->value->kind == AST_STRING ? m->value->text : NULL;
}

/* No component is the inner one: it is made at the root of the model. */
static instance *inner_at_root(builder *b, element *outer)
{
    element *e = builder_take(b, 1, sizeof *e);
    ast_element *x = builder_take(b, 1, sizeof *x);
    if (!e || !x)
        return NULL;
    *x = *outer->ast;
    x->prefixes = (x->prefixes & ~(uint32_t)AST_OUTER) | AST_INNER;
    scope *s = b->model->scopes;
    element *added = element_add(b, s, x, NULL, NULL);
    if (!added)
        return instance_error(b, outer->owner, outer->ast->at, "there is no inner '%s'",
                              name_text(b, outer->name));
    added->where = outer->where;
    added->is_prepared = true;
    const char *more = inner_message(b, outer);
    const char *path = instance_path(b, outer->owner);
    source_warning(&b->c->sources, outer->ast->at,
                   "no component '%s' is declared with 'inner': one is made in the model%s%s%s%s%s",
                   name_text(b, outer->name), more ? ": " : "", more ? more : "",
                   path ? " (in " : "", path ? path : "", path ? ")" : "");
    return component_of(b, added);
}

static instance *outer_component(builder *b, element *e)
{
    element *inner = inner_find(b, e->owner->parent, e->name);
    return inner ? component_of(b, inner) : inner_at_root(b, e);
}

/* ---- values ---- */

/* Whether a modifier of the member is stronger than the value of the record as a whole, as in
 * M m(r(d = 7)) where M declares R r = R(d = 5).                                  */
static bool is_stronger_than_record(const instance *record, int32_t member)
{
    const mods *m = record->mods;
    bool is_given = false;
    for (; m && !m->value; m = m->next)
        for (const ast_mod *x = m->list; x; x = x->next)
            is_given = is_given || (x->name == member && x->value);
    return m && is_given; /* without m the value comes from a record around */
}

/* The value that the modifiers or the record around give to a component. */
static bound *binding_of(builder *b, instance *in, mods *m)
{
    const instance *around = in->parent;
    /* a constant or final member keeps its own value; a member of a constant record does not */
    const ast_element *declared = in->element->first ? in->element->first : in->element->ast;
    bool is_own = (declared->prefixes | in->element->ast->prefixes) & (AST_CONSTANT | AST_FINAL);
    for (; m && !m->value && !m->is_break; m = m->next)
        ;
    bound *x = builder_take(b, 1, sizeof *x);
    if (!x)
        return NULL;
    bool is_of_record = around && around->binding && is_record(around) &&
                        !is_stronger_than_record(around, in->element->name);
    if (is_of_record && !(is_own && m)) {
        indices *index = in->position.n ? builder_take(b, 1, sizeof *index) : NULL;
        if (index)
            *index = in->position; /* of an array of records in the record */
        *x = (bound){.of = around->binding, .member = in->element->name, .index = index};
        return x;
    }
    if (!m || m->is_break)
        return NULL;
    *x = (bound){.e = m->value, .where = m->where, .index = m->index};
    return x;
}

/* A stronger modifier must not change what is final. */
static void check_final(builder *b, const element *e, const mods *m)
{
    const mods *changed = NULL;
    for (; m; m = m->next) {
        if (changed && m->is_final) {
            instance_error(b, e->owner, changed->at, "'%s' is final and cannot be modified",
                           name_text(b, e->name));
            return;
        }
        if (!changed && (m->value || m->list))
            changed = m;
    }
}

/* ---- sizes ---- */

/* The value with everything in it that is known replaced, or as it is; NULL after an error. */
static ast_expr *value_for_sizes(builder *b, bound *x)
{
    b->is_constant = true;
    b->why = NULL;
    b->quiet++;
    ast_expr *e = bound_rewrite(b, x);
    b->quiet--;
    b->is_constant = false;
    return e ? e : bound_rewrite(b, x);
}

/* An array without elements does not tell its other sizes, a call that makes one does: the value of
 * fill(0.0, 0, 2) has none of two.                                                 */
static int32_t sizes_of_empty(builder *b, bound *x, int32_t n_dims, int32_t n, int32_t *size)
{
    int32_t called[2 * DIMENSIONS_MAX];
    ast_expr *e = bound_rewrite(b, x);
    if (e && expression_sizes(b, e, called) == n_dims) {
        memcpy(size, called, (size_t)n_dims * sizeof *size);
        return n_dims;
    }
    while (n < n_dims)
        size[n++] = 0;
    return n;
}

/* size(A, 1) among the sizes of A itself is that of another dimension, counted from 1; else 0. */
static int32_t own_dimension(builder *b, const instance *in, const ast_expr *e)
{
    if (e->kind != AST_CALL || e->n != 2 || e->base->kind != AST_REF || e->base->n != 1 ||
        strcmp(name_text(b, e->base->part[0].name), "size") != 0)
        return 0;
    const ast_expr *of = e->arg[0].value, *k = e->arg[1].value;
    bool is_own = of->kind == AST_REF && of->n == 1 && of->part[0].n_subs == 0 &&
                  of->part[0].name == in->element->name && k->kind == AST_INTEGER;
    return is_own && k->integer >= 1 && k->integer <= DIMENSIONS_MAX ? (int32_t)k->integer : 0;
}

static bool sizes_from_binding(builder *b, instance *in, const mods *m)
{
    int32_t size[2 * DIMENSIONS_MAX];
    bound *x = binding_of(b, in, (mods *)(uintptr_t)m);
    if (!x)
        return !instance_error(b, in->parent, in->element->ast->at, "the size of '%s' is not given",
                               name_text(b, in->element->name));
    ast_expr *e = value_for_sizes(b, x);
    int32_t n = e ? expression_sizes(b, e, size) : -1;
    if (n > 0 && n < in->n_dims && size[n - 1] == 0)
        n = sizes_of_empty(b, x, in->n_dims, n, size);
    if (n < in->n_dims) {
        if (e)
            instance_error(b, in->parent, in->element->ast->at,
                           "the size of '%s' cannot be found from its value%s%s",
                           name_text(b, in->element->name), b->why ? ": " : "",
                           b->why ? b->why : "");
        return false;
    }
    for (int32_t i = 0; i < in->n_dims; i++)
        if (in->dim[i] < 0)
            in->dim[i] = size[i];
    return true;
}

/* Parameter Real A[:, size(A, 1)] is square. */
static bool check_own_sizes(builder *b, const instance *in, const ast_element *x)
{
    for (int32_t i = 0; i < x->dims.n && i < in->n_dims; i++) {
        int32_t k = own_dimension(b, in, x->dims.item[i]);
        if (k > 0 && k <= in->n_dims && in->dim[i] != in->dim[k - 1])
            return !instance_error(b, in->parent, x->dims.item[i]->at,
                                   "size %d of %s must be that of dimension %d, %d, and is %d",
                                   (int)i + 1, name_text(b, in->element->name), (int)k,
                                   (int)in->dim[k - 1], (int)in->dim[i]);
    }
    return true;
}

/* Sizes of the declaration, then those of its type. */
static bool find_sizes(builder *b, instance *in, const ast_element *x, const type_meaning *t,
                       const mods *m)
{
    bool is_open = false;
    const ast_list *lists[] = {&x->dims, &x->type_dims};
    for (int k = 0; k < 2; k++)
        for (int32_t i = 0; i < lists[k]->n && in->n_dims < DIMENSIONS_MAX; i++) {
            const ast_expr *e = lists[k]->item[i];
            /* a redeclaration without sizes keeps those of the first declaration */
            in->dim[in->n_dims] = -1;
            if (e->kind == AST_COLON || own_dimension(b, in, e) > 0)
                is_open = true;
            else if (!evaluate_size(b, in->element->where, e, &in->dim[in->n_dims]))
                return false;
            in->n_dims++;
        }
    const ast_element *first = in->element->first;
    for (int32_t i = 0; in->n_dims == 0 && first && first != x && i < first->dims.n; i++) {
        if (first->dims.item[i]->kind == AST_COLON ||
            !evaluate_size(b, in->element->origins.scope, first->dims.item[i], &in->dim[i]))
            return false;
        if (i + 1 == first->dims.n)
            in->n_dims = first->dims.n;
    }
    for (int32_t i = 0; i < t->n_dims && in->n_dims < DIMENSIONS_MAX; i++) {
        in->dim[in->n_dims] = -1;
        if (t->dim[i]->kind == AST_COLON)
            is_open = true;
        else if (!evaluate_size(b, t->dim_where[i], t->dim[i], &in->dim[in->n_dims]))
            return false;
        in->n_dims++;
    }
    return !is_open || (sizes_from_binding(b, in, m) && check_own_sizes(b, in, x));
}

static int64_t count_items(const instance *in)
{
    int64_t n = 1;
    for (int32_t i = 0; i < in->n_dims; i++)
        n = n > SCALARS_MAX ? n : n * in->dim[i];
    return n;
}

/* ---- making ---- */

static bool refuse_partial(builder *b, const instance *in, const element *type)
{
    const ast_element *x = in->element->ast;
    if (!(type->class->prefixes & AST_PARTIAL) || !in->is_part)
        return true;
    instance_error(b, in->parent, x->at, "'%s' is of the partial class '%s': %s",
                   name_text(b, in->element->name), name_text(b, type->name),
                   "redeclare it, or choose a class that is complete");
    return false;
}

typedef struct item_mods {
    mods *of_component, *of_type;
} item_mods;

static instance *make_class(builder *b, instance *like, const type_meaning *t, mods *m)
{
    instance *in = class_instance_new(b, t->element, m);
    if (!in || !refuse_partial(b, like, t->element))
        return NULL;
    in->element = like->element;
    in->parent = like->parent;
    in->prefixes = like->prefixes;
    in->is_part = like->is_part;
    in->position = like->position;
    in->depth = like->depth;
    in->is_connector = t->is_connector;
    in->type = t->element;
    in->binding = is_record(in) ? binding_of(b, in, m) : NULL;
    return in;
}

/* The items of dimension d.  Modifiers of the component have the dimensions of the declaration and
 * of the type, those of the type have its own ones only. */
static instance *make_items(builder *b, instance *array, const type_meaning *t, const item_mods *m,
                            int32_t d)
{
    if (d == array->n_dims)
        return make_class(b, array, t, mods_join(b, m->of_component, m->of_type));
    instance *in = builder_take(b, 1, sizeof *in);
    if (!in)
        return NULL;
    *in = *array;
    in->kind = INSTANCE_ARRAY;
    in->n_dims = 1;
    in->dim[0] = array->dim[d];
    in->n_items = array->dim[d];
    in->item = builder_take(b, (size_t)in->n_items + 1, sizeof *in->item);
    in->name = INTERN_NONE;
    for (int32_t i = 0; in->item && i < in->n_items; i++) {
        instance one = *array;
        one.position.k[one.position.n++] = i + 1;
        item_mods inner = {.of_component = mods_indexed(b, m->of_component, i + 1),
                           .of_type = m->of_type};
        if (d >= array->n_dims - t->n_dims)
            inner.of_type = mods_indexed(b, m->of_type, i + 1);
        in->item[i] = make_items(b, &one, t, &inner, d + 1);
        if (!in->item[i])
            return NULL;
    }
    return in->item ? in : NULL;
}

/* Sizes of expressions are found by the names in them. */
static void register_variable(builder *b, instance *in)
{
    instance **list =
        arena_grow(b->mem, b->variable, &b->variable_capacity, b->n_variables + 1, sizeof *list);
    if (!list)
        return;
    b->variable = list;
    list[b->n_variables] = in;
    number_map_put(&b->variables, b->mem, (uint64_t)instance_name(b, in) + 1,
                   (uint32_t)b->n_variables++);
}

static instance *make_variable(builder *b, instance *like, const type_meaning *t, mods *m)
{
    instance *in = builder_take(b, 1, sizeof *in);
    if (!in)
        return NULL;
    *in = *like;
    in->kind = INSTANCE_VARIABLE;
    in->base = (uint8_t)t->base;
    in->is_connector = t->is_connector;
    in->type = t->element;
    in->mods = m;
    in->binding = binding_of(b, in, m);
    b->n_scalars += (size_t)count_items(in);
    if (in->is_part)
        register_variable(b, in);
    if (b->n_scalars > SCALARS_MAX)
        return instance_error(b, in->parent, in->element->ast->at,
                              "the model has more than %d variables", (int)SCALARS_MAX);
    return in;
}

enum {
    INHERITED_PREFIXES = AST_FLOW | AST_STREAM | AST_INPUT | AST_OUTPUT | AST_PARAMETER |
                         AST_CONSTANT | AST_DISCRETE | AST_PROTECTED
};

static uint32_t prefixes_of(const element *e, const type_meaning *t)
{
    uint32_t own = e->ast->prefixes | t->prefixes, around = e->owner->prefixes;
    if (e->first != e->ast && e->first)
        own |= e->first->prefixes & (AST_PARAMETER | AST_CONSTANT | AST_INPUT | AST_OUTPUT |
                                     AST_FLOW | AST_STREAM | AST_DISCRETE | AST_PROTECTED);
    return own | (around & INHERITED_PREFIXES);
}

static instance *make(builder *b, element *e)
{
    const ast_element *x = e->ast;
    type_meaning t;
    if (!type_find(b, e->where, x->type, &t))
        return NULL;
    mods *own = builder_take(b, 1, sizeof *own);
    if (!own)
        return NULL;
    *own = (mods){.list = x->mods, .value = x->binding, .where = e->where, .at = x->at};
    own->is_final = x->prefixes & AST_FINAL;
    item_mods parts = {.of_component = mods_join(b, mods_join(b, e->mods, own), e->weak),
                       .of_type = t.mods};
    mods *m = mods_join(b, parts.of_component, parts.of_type);
    check_final(b, e, m);
    instance like = {.element = e,
                     .parent = e->owner,
                     .name = INTERN_NONE,
                     .prefixes = prefixes_of(e, &t),
                     .is_part = e->owner->is_part,
                     .depth = e->owner->depth + 1};
    if (like.depth > NESTING_MAX)
        return instance_error(b, e->owner, x->at,
                              "components are nested more than %d deep: '%s' may contain itself",
                              (int)NESTING_MAX, name_text(b, e->name));
    if (!find_sizes(b, &like, x, &t, m))
        return NULL;
    if (count_items(&like) > SCALARS_MAX)
        return instance_error(b, e->owner, x->at, "'%s' has more than %d elements",
                              name_text(b, e->name), (int)SCALARS_MAX);
    if (t.base != BASE_CLASS)
        return make_variable(b, &like, &t, m);
    return make_items(b, &like, &t, &parts, 0);
}

/* Whether the condition of a component holds; false after an error. */
static bool is_present(builder *b, element *e)
{
    const ast_element *x = e->first && e->first->condition ? e->first : e->ast;
    if (!x->condition)
        return true;
    scope *where = x == e->first ? e->origins.scope : e->where;
    ast_expr *v = evaluate_constant(b, where, x->condition);
    if (v && v->kind == AST_BOOLEAN)
        return v->integer != 0;
    instance_error(b, e->owner, x->condition->at,
                   "the condition of '%s' must be a Boolean that is known before the simulation%s",
                   name_text(b, e->name), modifier_cause(b, where, x->condition));
    return false;
}

instance *component_of(builder *b, element *e)
{
    if (e->is_made)
        return e->made;
    if (e->is_making || b->depth > LOOKUP_MAX)
        return instance_error(b, e->owner, e->ast->at,
                              "'%s' is needed to find its own size or type", name_text(b, e->name));
    e->is_making = true;
    b->depth++;
    int quiet = b->quiet;
    iterator *iterators = b->iterators;
    const ast_expr *end = b->end;
    bool is_constant = b->is_constant, no_reals = b->no_reals;
    b->iterators = NULL;
    b->end = NULL;
    b->is_constant = b->no_reals = false;
    b->quiet = 0;
    if (element_prepare(b, e)) {
        uint32_t prefixes = e->first ? e->first->prefixes : 0;
        bool is_outer = (prefixes & AST_OUTER) && !(prefixes & AST_INNER) && e->owner->is_part;
        if (!is_present(b, e))
            e->is_absent = true;
        else
            e->made = is_outer ? outer_component(b, e) : make(b, e);
    }
    b->iterators = iterators;
    b->end = end;
    b->is_constant = is_constant;
    b->no_reals = no_reals;
    b->quiet = quiet;
    b->depth--;
    e->is_making = false;
    e->is_made = true;
    return e->made;
}

instance *component_inside(builder *b, const scope *s, element *e)
{
    uint32_t both = AST_INNER | AST_OUTER;
    bool is_both = e->first && (e->first->prefixes & both) == both && s->in == e->owner &&
                   e->owner->is_part && e->owner != b->model;
    instance *in = component_of(b, e);
    return is_both && in ? outer_component(b, e) : in;
}
