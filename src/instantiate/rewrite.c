/* instantiate/rewrite.c - see instance.h: expressions of class texts with the names of the flat
 * model.
 *
 * References lead through the tree of instances.  Components of arrays that are named without
 * subscripts become arrays of what is named in each, records as a whole become calls of their
 * constructors, constants of packages become literals.  If `is_constant` is set, parameters are
 * replaced by their values and everything is folded, so that the result is a literal. */
#include "instantiate/instance.h"

#include "library/library.h"

#include <string.h>

/* ---- nodes ---- */

ast_expr *node_new(builder *b, ast_expr_kind kind, source_at at)
{
    ast_expr *e = builder_take(b, 1, sizeof *e);
    if (e)
        *e = (ast_expr){.kind = (uint8_t)kind, .at = at, .end = at};
    return e;
}

ast_expr *node_integer(builder *b, int64_t number, source_at at)
{
    ast_expr *e = node_new(b, AST_INTEGER, at);
    if (e)
        e->integer = number;
    return e;
}

ast_expr *node_real(builder *b, double number, source_at at)
{
    ast_expr *e = node_new(b, AST_REAL, at);
    if (e)
        e->real = number;
    return e;
}

ast_expr *node_boolean(builder *b, bool truth, source_at at)
{
    ast_expr *e = node_new(b, AST_BOOLEAN, at);
    if (e)
        e->integer = truth;
    return e;
}

ast_expr *node_name(builder *b, int32_t name, source_at at)
{
    ast_expr *e = node_new(b, AST_REF, at);
    ast_part *part = e ? builder_take(b, 1, sizeof *part) : NULL;
    if (!part)
        return NULL;
    *part = (ast_part){.name = name, .quoted = true, .at = at, .end = at};
    e->part = part;
    e->n = 1;
    return e;
}

ast_expr *node_list(builder *b, ast_expr_kind kind, ast_expr **item, int32_t n, source_at at)
{
    ast_expr *e = node_new(b, kind, at);
    ast_expr **copy = e ? arena_copy(b->mem, item, (size_t)n, (size_t)n + 1, sizeof *copy) : NULL;
    if (!copy)
        return NULL;
    e->item = copy;
    e->n = n;
    return e;
}

static ast_expr *copy_node(builder *b, const ast_expr *e)
{
    return e ? arena_copy(b->mem, e, 1, 1, sizeof *e) : NULL;
}

ast_expr *node_binary(builder *b, ast_expr *left, ast_op op, ast_expr *right)
{
    ast_expr *item[2] = {copy_node(b, left), copy_node(b, right)};
    if (!item[0] || !item[1])
        return NULL;
    item[0]->joint = AST_NO_OP;
    item[1]->joint = (uint8_t)op;
    ast_expr *e = node_list(b, AST_CHAIN, item, 2, left->at);
    if (e)
        e->end = right->end;
    return e;
}

ast_expr *node_call(builder *b, const char *name, ast_expr **arg, int32_t n, source_at at)
{
    ast_expr *e = node_new(b, AST_CALL, at);
    ast_arg *list = e ? builder_take(b, (size_t)n + 1, sizeof *list) : NULL;
    ast_expr *base = list ? node_name(b, name_id(b, "%s", name), at) : NULL;
    if (!base)
        return NULL;
    base->part[0].quoted = false;
    for (int32_t i = 0; i < n; i++)
        list[i] = (ast_arg){.name = INTERN_NONE, .at = at, .value = arg[i]};
    e->base = base;
    e->arg = list;
    e->n = n;
    return e;
}

ast_expr *node_literal(builder *b, element *of, const ast_literal *l, int64_t number, source_at at)
{
    int32_t name = class_emit(b, of);
    ast_expr *e = node_new(b, AST_REF, at);
    ast_part *part = e ? builder_take(b, 2, sizeof *part) : NULL;
    if (!part)
        return NULL;
    part[0] = (ast_part){.name = name, .quoted = true, .at = at, .end = at};
    part[1] = (ast_part){.name = l->name, .quoted = true, .at = at, .end = at};
    e->part = part;
    e->n = 2;
    e->op = AST_EQ;
    e->integer = number;
    return e;
}

/* ---- subscripts ---- */

static ast_expr *access_subscripts(builder *b, ast_expr *e, ast_expr **sub, int32_t n)
{
    ast_expr *r = node_new(b, AST_ACCESS, e->at);
    ast_part *part = r ? builder_take(b, 1, sizeof *part) : NULL;
    if (!part)
        return NULL;
    *part = (ast_part){.name = INTERN_NONE, .n_subs = n, .at = e->at, .end = e->end};
    part->sub = arena_copy(b->mem, sub, (size_t)n, (size_t)n + 1, sizeof *sub);
    r->base = e;
    r->part = part;
    r->n = 1;
    return part->sub ? r : NULL;
}

/* The item of an array that subscripts select, without the array where that is possible. */
ast_expr *select_items(builder *b, ast_expr *e, const indices *index)
{
    int32_t done = 0;
    while (e && index && done < index->n && e->kind == AST_ARRAY && e->n > 0 &&
           e->item[0]->kind != AST_ITERATED) {
        int32_t k = index->k[done];
        if (k < 1 || k > e->n)
            return instance_error(b, NULL, e->at,
                                  "the value has %d elements, and none has the number %d",
                                  (int)e->n, (int)k);
        e = e->item[k - 1];
        done++;
    }
    if (!e || !index || done == index->n)
        return e;
    if (is_literal(e))
        return instance_error(b, NULL, e->at,
                              "a value for an array of components must be an array; write 'each' "
                              "if all get the same");
    ast_expr *sub[DIMENSIONS_MAX];
    int32_t n = 0;
    for (; done < index->n; done++)
        sub[n++] = node_integer(b, index->k[done], e->at);
    if (e->kind == AST_REF && e->op != AST_EQ && e->part[e->n - 1].n_subs == 0) {
        ast_expr *r = copy_node(b, e);
        r->part = arena_copy(b->mem, e->part, (size_t)e->n, (size_t)e->n, sizeof *e->part);
        r->part[e->n - 1].sub = arena_copy(b->mem, sub, (size_t)n, (size_t)n + 1, sizeof *sub);
        r->part[e->n - 1].n_subs = n;
        return r;
    }
    return access_subscripts(b, e, sub, n);
}

/* ---- references ---- */

typedef struct walk {
    scope *s; /* of the reference */
    const ast_expr *ref;
} walk;

static ast_expr *expand(builder *b, const walk *w, instance *in, int32_t p, int32_t k);

static ast_expr *subscript_value(builder *b, const walk *w, const ast_expr *sub, int32_t size)
{
    const ast_expr *end = b->end;
    b->end = node_integer(b, size, sub->at);
    b->quiet++;
    ast_expr *v = evaluate_constant(b, w->s, sub);
    b->quiet--;
    b->end = end;
    return v;
}

static ast_expr *rewrite_subscript(builder *b, const walk *w, const ast_expr *sub, int32_t size)
{
    const ast_expr *end = b->end;
    if (sub->kind == AST_COLON)
        return (ast_expr *)(uintptr_t)sub;
    b->end = size >= 0 ? node_integer(b, size, sub->at) : NULL;
    ast_expr *v = rewrite(b, w->s, sub);
    b->end = end;
    return v;
}

static int64_t ordinal(const ast_expr *v)
{
    if (v->kind == AST_BOOLEAN)
        return v->integer + 1;
    return v->kind == AST_INTEGER || (v->kind == AST_REF && v->op == AST_EQ) ? v->integer : 0;
}

static ast_expr *no_items(builder *b, source_at at)
{
    ast_expr *arg[2] = {node_real(b, 0.0, at), node_integer(b, 0, at)};
    return node_call(b, "fill", arg, 2, at);
}

static ast_expr *expand_item(builder *b, const walk *w, instance *in, int64_t i, int32_t p,
                             int32_t k)
{
    if (i < 1 || i > in->n_items)
        return instance_error(b, w->s->in, w->ref->at, "subscript %lld of '%s' is outside 1 .. %d",
                              (long long)i, name_text(b, in->element->name), (int)in->n_items);
    return expand(b, w, in->item[i - 1], p, k);
}

static ast_expr *expand_items(builder *b, const walk *w, instance *in, int32_t p, int32_t k)
{
    if (in->n_items == 0)
        return no_items(b, w->ref->at);
    ast_expr **item = builder_take(b, (size_t)in->n_items, sizeof *item);
    for (int32_t i = 0; item && i < in->n_items; i++) {
        item[i] = expand(b, w, in->item[i], p, k);
        if (!item[i])
            return NULL;
    }
    return item ? node_list(b, AST_ARRAY, item, in->n_items, w->ref->at) : NULL;
}

static ast_expr *expand_array(builder *b, const walk *w, instance *in, int32_t p, int32_t k)
{
    const ast_part *part = &w->ref->part[p];
    if (k >= part->n_subs)
        return expand_items(b, w, in, p, k);
    const ast_expr *sub = part->sub[k];
    if (sub->kind == AST_COLON)
        return expand_items(b, w, in, p, k + 1);
    ast_expr *v = subscript_value(b, w, sub, in->n_items);
    if (v && v->kind == AST_ARRAY) {
        ast_expr **item = builder_take(b, (size_t)v->n + 1, sizeof *item);
        for (int32_t i = 0; item && i < v->n; i++) {
            item[i] = expand_item(b, w, in, ordinal(v->item[i]), p, k + 1);
            if (!item[i])
                return NULL;
        }
        if (v->n == 0)
            return no_items(b, w->ref->at);
        return item ? node_list(b, AST_ARRAY, item, v->n, w->ref->at) : NULL;
    }
    if (v)
        return expand_item(b, w, in, ordinal(v), p, k + 1);
    ast_expr *all = expand_items(b, w, in, p, k + 1);
    ast_expr *index = all ? rewrite_subscript(b, w, sub, in->n_items) : NULL;
    return index ? access_subscripts(b, all, &index, 1) : NULL;
}

/* A constant with subscripts that are folded. */
static ast_expr *constant_items(builder *b, const walk *w, ast_expr *v, int32_t p, int32_t k)
{
    const ast_part *part = &w->ref->part[p];
    if (!v || k >= part->n_subs)
        return v;
    if (v->kind != AST_ARRAY)
        return instance_error(b, w->s->in, part->at, "'%s' has too many subscripts",
                              name_text(b, part->name));
    const ast_expr *sub = part->sub[k];
    ast_expr *index = sub->kind == AST_COLON ? NULL : subscript_value(b, w, sub, v->n);
    if (sub->kind != AST_COLON && !index)
        return instance_error(b, w->s->in, sub->at, "this subscript is not constant");
    if (index && index->kind != AST_ARRAY) {
        int64_t i = ordinal(index);
        if (i < 1 || i > v->n)
            return instance_error(b, w->s->in, sub->at, "subscript %lld is outside 1 .. %d",
                                  (long long)i, (int)v->n);
        return constant_items(b, w, v->item[i - 1], p, k + 1);
    }
    int32_t n = index ? index->n : v->n;
    ast_expr **item = builder_take(b, (size_t)n + 1, sizeof *item);
    for (int32_t i = 0; item && i < n; i++) {
        int64_t at = index ? ordinal(index->item[i]) : i + 1;
        if (at < 1 || at > v->n)
            return instance_error(b, w->s->in, sub->at, "subscript %lld is outside 1 .. %d",
                                  (long long)at, (int)v->n);
        item[i] = constant_items(b, w, v->item[at - 1], p, k + 1);
        if (!item[i])
            return NULL;
    }
    return item ? node_list(b, AST_ARRAY, item, n, v->at) : NULL;
}

static ast_expr *variable_ref(builder *b, const walk *w, instance *in, int32_t p, int32_t k)
{
    const ast_part *part = &w->ref->part[p];
    ast_expr *e = node_name(b, instance_name(b, in), w->ref->at);
    if (!e)
        return NULL;
    e->end = w->ref->end;
    int32_t n = part->n_subs - k;
    if (n > in->n_dims)
        return instance_error(b, w->s->in, part->at, "'%s' has %d dimensions, not %d",
                              name_text(b, part->name), (int)in->n_dims, (int)n);
    if (n <= 0)
        return e;
    e->part[0].sub = builder_take(b, (size_t)n, sizeof *e->part[0].sub);
    e->part[0].n_subs = n;
    for (int32_t i = 0; e->part[0].sub && i < n; i++) {
        ast_expr *sub = rewrite_subscript(b, w, part->sub[k + i], in->dim[i]);
        if (sub && (sub->kind == AST_BOOLEAN || (sub->kind == AST_REF && sub->op == AST_EQ)))
            sub = node_integer(b, ordinal(sub), sub->at);
        if (!sub)
            return NULL;
        e->part[0].sub[i] = sub;
    }
    return e->part[0].sub ? e : NULL;
}

static ast_expr *expand_variable(builder *b, const walk *w, instance *in, int32_t p, int32_t k)
{
    if (p + 1 < w->ref->n)
        return instance_error(b, w->s->in, w->ref->part[p + 1].at, "'%s' has no member '%s'",
                              name_text(b, w->ref->part[p].name),
                              name_text(b, w->ref->part[p + 1].name));
    bool is_package_constant = !in->is_part;
    if (b->is_constant || is_package_constant) {
        if (!b->is_constant && w->ref->part[p].n_subs > k) {
            /* subscripts of a constant of a package may vary */
            ast_expr *all = variable_constant(b, in);
            ast_expr *index[DIMENSIONS_MAX];
            int32_t n = 0;
            for (int32_t i = k; all && i < w->ref->part[p].n_subs; i++) {
                index[n] = rewrite_subscript(b, w, w->ref->part[p].sub[i],
                                             i - k < in->n_dims ? in->dim[i - k] : -1);
                if (!index[n++])
                    return NULL;
            }
            return all ? fold(b, access_subscripts(b, all, index, n)) : NULL;
        }
        return constant_items(b, w, variable_constant(b, in), p, k);
    }
    return variable_ref(b, w, in, p, k);
}

ast_expr *instance_expr(builder *b, instance *in, source_at at)
{
    ast_part part = {.name = in->element ? in->element->name : INTERN_NONE, .at = at, .end = at};
    ast_expr ref = {.kind = AST_REF, .n = 1, .at = at, .end = at};
    ref.part = &part;
    walk w = {.s = b->root->scopes, .ref = &ref};
    return expand(b, &w, in, 0, 0);
}

/* A record as a whole: a call of its constructor. */
static ast_expr *record_expr(builder *b, const walk *w, instance *in)
{
    if (!is_record(in) && !is_connector(in))
        return instance_error(b, w->s->in, w->ref->at, "'%s' is a component and has no value",
                              name_text(b, w->ref->part[w->ref->n - 1].name));
    if (!instance_open(b, in))
        return NULL;
    ast_expr *e = node_new(b, AST_CALL, w->ref->at);
    ast_arg *arg = e ? builder_take(b, in->n_elements + 1, sizeof *arg) : NULL;
    int32_t name = arg ? class_emit(b, in->type) : INTERN_NONE;
    if (name == INTERN_NONE)
        return NULL;
    e->base = node_name(b, name, w->ref->at);
    e->arg = arg;
    for (element *x = in->elements; x; x = x->next) {
        instance *one = x->is_class ? NULL : component_of(b, x);
        if (x->is_class || x->is_absent)
            continue;
        ast_expr *v = one ? instance_expr(b, one, w->ref->at) : NULL;
        if (!v)
            return NULL;
        arg[e->n++] = (ast_arg){.name = x->name, .quoted = true, .at = e->at, .value = v};
    }
    /* of literals it is a literal, whatever the sizes of its members are */
    e->flag = b->is_constant;
    return b->is_constant ? fold(b, e) : e;
}

static ast_expr *expand(builder *b, const walk *w, instance *in, int32_t p, int32_t k)
{
    if (in->kind == INSTANCE_ARRAY)
        return expand_array(b, w, in, p, k);
    if (in->kind == INSTANCE_VARIABLE)
        return expand_variable(b, w, in, p, k);
    if (p + 1 >= w->ref->n)
        return record_expr(b, w, in);
    const ast_part *next = &w->ref->part[p + 1];
    element *e = member_find(b, in, next->name);
    if (!e || e->is_class)
        return instance_error(b, w->s->in, next->at, "'%s' has no member '%s'",
                              name_text(b, w->ref->part[p].name), name_text(b, next->name));
    instance *inner = component_of(b, e);
    if (e->is_absent)
        return instance_error(b, w->s->in, next->at,
                              "'%s' does not exist here: its condition is false",
                              name_text(b, next->name));
    return inner ? expand(b, w, inner, p + 1, 0) : NULL;
}

/* ---- names ---- */

static ast_expr *iterator_find(builder *b, int32_t name, bool *is_found)
{
    for (const iterator *i = b->iterators; i; i = i->next)
        if (i->name == name) {
            *is_found = true;
            return i->value;
        }
    *is_found = false;
    return NULL;
}

/* The reference with the subscripts rewritten: a name of a function, or a loop variable. */
static ast_expr *local_ref(builder *b, const walk *w)
{
    if (b->is_constant)
        return instance_error(b, w->s->in, w->ref->at, "'%s' is not constant",
                              name_text(b, w->ref->part[0].name));
    ast_expr *e = copy_node(b, w->ref);
    e->part = arena_copy(b->mem, w->ref->part, (size_t)e->n, (size_t)e->n, sizeof *e->part);
    for (int32_t p = 0; e->part && p < e->n; p++) {
        ast_part *part = &e->part[p];
        part->quoted = true;
        part->sub = builder_take(b, (size_t)part->n_subs + 1, sizeof *part->sub);
        for (int32_t i = 0; part->sub && i < part->n_subs; i++) {
            part->sub[i] = rewrite_subscript(b, w, w->ref->part[p].sub[i], -1);
            if (!part->sub[i])
                return NULL;
        }
    }
    e->flag = false;
    return e->part ? e : NULL;
}

static ast_expr *enumeration_literal(builder *b, scope *s, const ast_expr *ref)
{
    if (ref->n < 2)
        return NULL;
    element *e = lookup_path(b, s, ref, ref->n - 1);
    type_meaning t;
    if (!e || !e->is_class)
        return NULL;
    ast_expr head = *ref;
    head.n--;
    b->quiet++;
    bool known = type_find(b, s, &head, &t) && t.base == BASE_ENUMERATION;
    b->quiet--;
    int64_t number = 1;
    for (const ast_literal *l = known ? t.element->class->literals : NULL; l; l = l->next, number++)
        if (l->name == ref->part[ref->n - 1].name)
            return node_literal(b, t.element, l, number, ref->at);
    return NULL;
}

/* StateSelect.prefer and the like stay as they are. */
static ast_expr *predefined_literal(builder *b, const ast_expr *ref)
{
    const char *first = name_text(b, ref->part[0].name);
    if (ref->n == 2 &&
        (strcmp(first, "StateSelect") == 0 || strcmp(first, "AssertionLevel") == 0)) {
        static const char *const names[] = {"never", "avoid", "default", "prefer", "always"};
        static const char *const levels[] = {"warning", "error"};
        bool is_select = first[0] == 'S';
        ast_expr *e = copy_node(b, ref);
        const char *literal = name_text(b, ref->part[1].name);
        e->op = AST_EQ;
        for (int i = 0; i < (is_select ? 5 : 2); i++)
            if (strcmp(literal, is_select ? names[i] : levels[i]) == 0)
                e->integer = i + 1;
        return e;
    }
    return NULL;
}

static ast_expr *name_missing(builder *b, const walk *w)
{
    return instance_error(b, w->s->in, w->ref->at, "unknown name '%s'",
                          name_text(b, w->ref->part[0].name));
}

/* A component in a class around must be a constant. */
static ast_expr *package_name(builder *b, const walk *w, element *e, int32_t p)
{
    instance *in = p == 0 ? component_inside(b, w->s, e) : component_of(b, e);
    if (e->is_absent)
        return instance_error(b, w->s->in, w->ref->part[p].at,
                              "'%s' does not exist here: its condition is false",
                              name_text(b, e->name));
    return in ? expand(b, w, in, p, 0) : NULL;
}

static bool is_function_local(const element *e)
{
    return !e->is_class && !e->owner->is_part && e->owner->class &&
           e->owner->class->kind == AST_FUNCTION_CLASS;
}

/* A member of a record in the definition of the record, as in `Real d = 1; Real r = d/2`: a call of
 * the constructor may give it another value.                                     */
static bool is_record_local(const builder *b, const scope *s, const element *e)
{
    const instance *in = e->owner;
    return !b->is_constant && !e->is_class && in == s->in && !in->is_part && in->element &&
           in->element->is_class && in->class && in->class->kind == AST_RECORD &&
           !(e->ast->prefixes & AST_CONSTANT);
}

static ast_expr *rewrite_ref(builder *b, scope *s, const ast_expr *ref)
{
    walk w = {.s = s, .ref = ref};
    bool is_iterator = false;
    ast_expr *v = ref->flag ? NULL : iterator_find(b, ref->part[0].name, &is_iterator);
    if (is_iterator)
        return v ? constant_items(b, &w, v, 0, 0) : local_ref(b, &w);
    element *e = NULL;
    int32_t p = 0;
    /* the longest way through packages to a component */
    for (p = 0; p < ref->n; p++) {
        e = p == 0 ? lookup_path(b, s, ref, 1)
                   : member_find(b, class_look(b, e), ref->part[p].name);
        if (!e || !e->is_class || p + 1 == ref->n || !class_look(b, e))
            break;
    }
    if (e && !e->is_class) {
        if (is_function_local(e) || (p == 0 && is_record_local(b, s, e)))
            return local_ref(b, &w);
        bool is_around = p == 0 && e->owner != s->in && e->owner->is_part;
        if (is_around && e->ast && !(e->ast->prefixes & AST_CONSTANT))
            return instance_error(b, s->in, ref->at,
                                  "'%s' belongs to a class around this one: only constants can be "
                                  "used from there",
                                  name_text(b, e->name));
        return package_name(b, &w, e, p);
    }
    v = predefined_literal(b, ref);
    v = v ? v : enumeration_literal(b, s, ref);
    if (v)
        return v;
    if (e && e->is_class && p + 1 == ref->n) { /* a type or function as a value */
        ast_expr *name = node_name(b, class_emit(b, e), ref->at);
        return name;
    }
    if (ref->n == 1 && strcmp(name_text(b, ref->part[0].name), "time") == 0 && !b->is_constant)
        return (ast_expr *)(uintptr_t)ref;
    if (ref->n == 1 && strcmp(name_text(b, ref->part[0].name), "Boolean") == 0)
        return (ast_expr *)(uintptr_t)ref;
    return name_missing(b, &w);
}

instance *reference_target(builder *b, scope *s, const ast_expr *ref, bool *is_absent)
{
    *is_absent = false;
    walk w = {.s = s, .ref = ref};
    element *e = ref->kind == AST_REF ? lookup(b, s, ref->part[0].name) : NULL;
    instance *in = e && !e->is_class ? component_inside(b, s, e) : NULL;
    if (e && e->is_absent)
        *is_absent = true;
    for (int32_t p = 0; in && p < ref->n; p++) {
        for (int32_t k = 0; k < ref->part[p].n_subs && in->kind == INSTANCE_ARRAY; k++) {
            ast_expr *v = subscript_value(b, &w, ref->part[p].sub[k], in->n_items);
            int64_t i = v ? ordinal(v) : 0;
            if (i < 1 || i > in->n_items)
                return NULL;
            in = in->item[i - 1];
        }
        if (p + 1 == ref->n)
            return in;
        if (in->kind != INSTANCE_CLASS)
            return NULL;
        e = member_find(b, in, ref->part[p + 1].name);
        in = e && !e->is_class ? component_of(b, e) : NULL;
        *is_absent = *is_absent || (e && e->is_absent);
    }
    return in;
}

/* ---- calls ---- */

static ast_expr *rewrite_args(builder *b, scope *s, const ast_expr *call, ast_expr *base)
{
    ast_expr *e = copy_node(b, call);
    e->base = base;
    e->arg = arena_copy(b->mem, call->arg, (size_t)call->n, (size_t)call->n + 1, sizeof *e->arg);
    for (int32_t i = 0; e->arg && i < e->n; i++) {
        e->arg[i].value = rewrite(b, s, call->arg[i].value);
        if (!e->arg[i].value)
            return NULL;
    }
    return e->arg ? e : NULL;
}

/* size(a) and size(a, i) of a component. */
static ast_expr *rewrite_size(builder *b, scope *s, const ast_expr *call)
{
    bool is_iterator, is_absent;
    const ast_expr *arg = call->n > 0 ? call->arg[0].value : NULL;
    if (!arg || arg->kind != AST_REF)
        return NULL;
    iterator_find(b, arg->part[0].name, &is_iterator);
    element *first = is_iterator ? NULL : lookup_path(b, s, arg, 1);
    if (!first || is_function_local(first) || is_record_local(b, s, first))
        return NULL;
    b->quiet++;
    instance *in = reference_target(b, s, arg, &is_absent);
    b->quiet--;
    int32_t size[DIMENSIONS_MAX], n = 0;
    const ast_part *last = &arg->part[arg->n - 1];
    while (in && in->kind == INSTANCE_ARRAY && n < DIMENSIONS_MAX) {
        size[n++] = in->n_items;
        if (in->n_items == 0)
            return NULL;
        in = in->item[0];
    }
    if (!in || (in->kind == INSTANCE_VARIABLE && last->n_subs))
        return NULL;
    for (int32_t i = 0; in->kind == INSTANCE_VARIABLE && i < in->n_dims && n < DIMENSIONS_MAX; i++)
        size[n++] = in->dim[i];
    if (call->n == 1) {
        ast_expr *item[DIMENSIONS_MAX];
        for (int32_t i = 0; i < n; i++)
            item[i] = node_integer(b, size[i], call->at);
        return n ? node_list(b, AST_ARRAY, item, n, call->at) : NULL;
    }
    b->quiet++;
    ast_expr *v = evaluate_constant(b, s, call->arg[1].value);
    b->quiet--;
    if (!v || v->kind != AST_INTEGER || v->integer < 1 || v->integer > n)
        return NULL;
    return node_integer(b, size[v->integer - 1], call->at);
}

/* The constructor of an operator record, or of a record: its name. */
static int32_t constructor_name(builder *b, element *e)
{
    instance *in = class_look(b, e);
    if (!in)
        return INTERN_NONE;
    element *make =
        in->class->prefixes & AST_OPERATOR ? member_find(b, in, name_id(b, "constructor")) : NULL;
    instance *inside = make && make->is_class ? class_look(b, make) : NULL;
    if (inside && inside->class->kind == AST_FUNCTION_CLASS)
        return class_emit(b, make);
    for (element *x = inside && instance_open(b, inside) ? inside->elements : NULL; x; x = x->next)
        if (x->is_class)
            return class_emit(b, x);
    return class_emit(b, e);
}

static bool is_builtin_first(const char *name)
{
    static const char *const names[] = {
        "der",     "pre",    "edge",   "change", "initial",  "terminal", "sample",
        "noEvent", "smooth", "assert", "reinit", "fill",     "zeros",    "ones",
        "cat",     "size",   "ndims",  "pure",   "homotopy", "delay",    NULL};
    for (int i = 0; names[i]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* A component calls a function that its medium, or another replaceable package, leaves partial. */
static void *partial_function(builder *b, scope *s, const ast_expr *ref)
{
    const char *last = name_text(b, ref->part[ref->n - 1].name);
    element *around = ref->n > 1 ? lookup_path(b, s, ref, ref->n - 1) : NULL;
    bool is_replaceable = around && around->first && (around->first->prefixes & AST_REPLACEABLE);
    if (is_replaceable)
        return instance_error(b, s->in, ref->at,
                              "function '%s' is partial: redeclare '%s' to be a package that is "
                              "complete",
                              last, name_text(b, around->name));
    return instance_error(b, s->in, ref->at, "function '%s' is partial and cannot be called", last);
}

static ast_expr *call_base(builder *b, scope *s, const ast_expr *call, instance **function)
{
    const ast_expr *ref = call->base;
    const char *simple = ref->n == 1 ? name_text(b, ref->part[0].name) : "";
    if (ref->n == 1 && is_builtin_first(simple))
        return (ast_expr *)(uintptr_t)ref;
    element *e = lookup_path(b, s, ref, ref->n);
    if (e && !e->is_class && is_function_local(e)) {
        walk w = {.s = s, .ref = ref};
        return local_ref(b, &w);
    }
    if (!e || !e->is_class) {
        if (ref->n == 1 && !e)
            return (ast_expr *)(uintptr_t)ref; /* predefined, or unknown to the flattener too */
        const char *full = e ? "" : ref_text(b, ref);
        if (library_has(full)) /* and the library is not on the path */
            return node_name(b, name_id(b, "%s", full), ref->at);
        return instance_error(b, s->in, ref->at, "unknown function '%s'",
                              name_text(b, ref->part[ref->n - 1].name));
    }
    if (!element_prepare(b, e) || !class_read(b, e))
        return NULL;
    instance *in = NULL;
    if (e->class->form != AST_ENUMERATION)
        in = class_look(b, e);
    if (in && in->class->kind == AST_FUNCTION_CLASS)
        *function = in;
    if (s->in->is_part && in && in->class->kind == AST_FUNCTION_CLASS &&
        (in->class->prefixes & AST_PARTIAL))
        return partial_function(b, s, ref);
    int32_t name = in && in->class->kind == AST_RECORD ? constructor_name(b, e) : class_emit(b, e);
    return name == INTERN_NONE ? NULL : node_name(b, name, ref->at);
}

static ast_expr *instance_name_text(builder *b, const scope *s, source_at at)
{
    const char *model = b->model ? name_text(b, b->model->class->name) : "";
    const char *path = instance_path(b, s->in);
    ast_expr *e = node_new(b, AST_STRING, at);
    if (!e)
        return NULL;
    e->text = path ? builder_text(b, "%s.%s", model, path) : model;
    e->n = e->text ? (int32_t)strlen(e->text) : 0;
    return e->text ? e : NULL;
}

/* Inputs of a function that a component has modified with what belongs to the component, as in
 * function f = g(k = k), are arguments of every call. */
static bool add_component_args(builder *b, instance *f, ast_expr *call)
{
    if (!instance_open(b, f))
        return false;
    for (element *x = f->elements; x; x = x->next) {
        if (x->is_class || !x->ast || !(x->ast->prefixes & AST_INPUT) || !element_prepare(b, x))
            continue;
        const mods *m = x->mods;
        while (m && !m->value)
            m = m->next;
        if (!m || !m->where->in->is_part)
            continue;
        ast_arg *list =
            arena_copy(b->mem, call->arg, (size_t)call->n, (size_t)call->n + 1, sizeof *list);
        ast_expr *v = list ? rewrite(b, m->where, m->value) : NULL;
        if (!v)
            return false;
        list[call->n] = (ast_arg){.name = x->name, .quoted = true, .at = call->at, .value = v};
        call->arg = list;
        call->n++;
    }
    return true;
}

static bool is_load_resource(const builder *b, const ast_expr *base)
{
    const char *name = base->n == 1 ? name_text(b, base->part[0].name) : "";
    return strcmp(name, "Modelica.Utilities.Files.loadResource") == 0 ||
           strcmp(name, "ModelicaServices.ExternalReferences.loadResource") == 0;
}

/* loadResource("modelica://P/file") is the path of the file, which a flat model needs. */
static ast_expr *resource_text(builder *b, ast_expr *call)
{
    const ast_expr *address = call->arg[0].value;
    const char *path = address->kind == AST_STRING ? resource_path(b, address->text) : NULL;
    if (!path || path == address->text)
        return b->is_constant ? fold(b, call) : call;
    ast_expr *e = node_new(b, AST_STRING, call->at);
    if (e) {
        e->text = path;
        e->n = (int32_t)strlen(path);
    }
    return e;
}

/* sum(e for i in r) of an array that was written out. */
static ast_expr *rewrite_call(builder *b, scope *s, const ast_expr *call)
{
    bool is_known = false;
    ast_expr *special = connection_call(b, s, call, &is_known);
    if (is_known)
        return special;
    const ast_expr *ref = call->base;
    const char *simple = ref->n == 1 && !ref->flag ? name_text(b, ref->part[0].name) : "";
    if (strcmp(simple, "getInstanceName") == 0)
        return instance_name_text(b, s, call->at);
    if (strcmp(simple, "size") == 0 && (special = rewrite_size(b, s, call)) != NULL)
        return special;
    instance *function = NULL;
    ast_expr *base = call_base(b, s, call, &function);
    ast_expr *e = base ? rewrite_args(b, s, call, base) : NULL;
    if (!e || (function && function->mods && !add_component_args(b, function, e)))
        return NULL;
    if (e->n == 1 && is_load_resource(b, base))
        return resource_text(b, e);
    bool is_empty = e->n == 1 && call->arg[0].value->kind == AST_ITERATED &&
                    e->arg[0].value->kind == AST_ARRAY && e->arg[0].value->n == 0;
    if (is_empty && (strcmp(simple, "sum") == 0 || strcmp(simple, "product") == 0))
        return node_integer(b, simple[0] == 'p', call->at);
    return b->is_constant ? fold(b, e) : e;
}

/* ---- loops in expressions ---- */

static ast_expr *repeat(builder *b, scope *s, const ast_expr *e, int32_t k)
{
    if (k < 0)
        return rewrite(b, s, e->base);
    const ast_iterator *it = &e->iterator[k];
    ast_expr *range = it->range ? evaluate_constant(b, s, it->range) : NULL;
    if (!range || range->kind != AST_ARRAY)
        return NULL;
    ast_expr **item = builder_take(b, (size_t)range->n + 1, sizeof *item);
    iterator here = {.name = it->name, .next = b->iterators};
    bool ok = item != NULL;
    b->iterators = &here;
    for (int32_t i = 0; ok && i < range->n; i++) {
        here.value = range->item[i];
        item[i] = repeat(b, s, e, k - 1);
        ok = item[i] != NULL;
    }
    b->iterators = here.next;
    return ok ? node_list(b, AST_ARRAY, item, range->n, e->at) : NULL;
}

/* {e for i in r}: written out if the range is known, else as it is. */
static ast_expr *rewrite_iterated(builder *b, scope *s, const ast_expr *e)
{
    bool is_known = true;
    b->quiet++;
    for (int32_t i = 0; i < e->n && is_known; i++)
        is_known = e->iterator[i].range && evaluate_constant(b, s, e->iterator[i].range);
    b->quiet--;
    if (is_known)
        return repeat(b, s, e, e->n - 1);
    ast_expr *r = copy_node(b, e);
    r->iterator = arena_copy(b->mem, e->iterator, (size_t)e->n, (size_t)e->n, sizeof *r->iterator);
    iterator *here = builder_take(b, (size_t)e->n, sizeof *here), *around = b->iterators;
    for (int32_t i = 0; here && r->iterator && i < e->n; i++) {
        if (e->iterator[i].range && !(r->iterator[i].range = rewrite(b, s, e->iterator[i].range)))
            return NULL;
        r->iterator[i].quoted = true;
        here[i] = (iterator){.name = e->iterator[i].name, .next = b->iterators};
    }
    for (int32_t i = 0; here && i < e->n; i++) {
        here[i].next = b->iterators;
        b->iterators = &here[i];
    }
    bool is_constant = b->is_constant;
    r->base = is_constant ? NULL : rewrite(b, s, e->base);
    b->iterators = around;
    return r->base ? r : NULL;
}

/* ---- the rest ---- */

static ast_expr *rewrite_items(builder *b, scope *s, const ast_expr *e)
{
    ast_expr *r = copy_node(b, e);
    r->item = builder_take(b, (size_t)e->n + 1, sizeof *r->item);
    for (int32_t i = 0; r->item && i < e->n; i++) {
        if (!e->item[i])
            continue;
        ast_expr *one = copy_node(b, rewrite(b, s, e->item[i]));
        if (!one)
            return NULL;
        one->joint = e->item[i]->joint;
        r->item[i] = one;
    }
    if (!r->item)
        return NULL;
    /* {e for i in r} has become the array itself */
    if (e->kind == AST_ARRAY && e->n == 1 && e->item[0]->kind == AST_ITERATED &&
        r->item[0]->kind == AST_ARRAY)
        r = r->item[0];
    return b->is_constant ? fold(b, r) : r;
}

/* The condition of an if that is known without parameters of type Real. */
static ast_expr *known_condition(builder *b, scope *s, const ast_expr *e)
{
    if (b->is_constant)
        return evaluate_constant(b, s, e);
    bool no_reals = b->no_reals;
    b->no_reals = true;
    b->quiet++;
    ast_expr *v = evaluate_constant(b, s, e);
    b->quiet--;
    b->no_reals = no_reals;
    return v;
}

static ast_expr *rewrite_if(builder *b, scope *s, const ast_expr *e)
{
    ast_expr **item = builder_take(b, (size_t)e->n + 1, sizeof *item);
    int32_t n = 0, i = 0;
    for (; item && i + 1 < e->n; i += 2) {
        ast_expr *c = known_condition(b, s, e->item[i]);
        if (!c && b->is_constant)
            return NULL;
        if (c && c->kind == AST_BOOLEAN && c->integer == 0)
            continue;
        if (c && c->kind == AST_BOOLEAN)
            break;
        item[n] = rewrite(b, s, e->item[i]);
        item[n + 1] = rewrite(b, s, e->item[i + 1]);
        if (!item[n] || !item[n + 1])
            return NULL;
        n += 2;
    }
    if (!item)
        return NULL;
    /* the branch of a true condition, or the else */
    ast_expr *rest = rewrite(b, s, e->item[i + 1 < e->n ? i + 1 : e->n - 1]);
    if (!rest || n == 0)
        return rest;
    item[n++] = rest;
    ast_expr *r = node_list(b, AST_IF, item, n, e->at);
    if (r)
        r->end = e->end;
    return r;
}

static ast_expr *rewrite_access(builder *b, scope *s, const ast_expr *e)
{
    ast_expr *r = copy_node(b, e);
    r->base = rewrite(b, s, e->base);
    r->part = arena_copy(b->mem, e->part, (size_t)e->n, (size_t)e->n, sizeof *r->part);
    if (!r->base || !r->part)
        return NULL;
    walk w = {.s = s, .ref = e};
    for (int32_t p = 0; p < e->n; p++) {
        r->part[p].sub = builder_take(b, (size_t)e->part[p].n_subs + 1, sizeof *r->part[p].sub);
        for (int32_t i = 0; r->part[p].sub && i < e->part[p].n_subs; i++) {
            int32_t size[DIMENSIONS_MAX];
            int32_t known = p == 0 ? expression_sizes(b, r->base, size) : -1;
            r->part[p].sub[i] =
                rewrite_subscript(b, &w, e->part[p].sub[i], i < known ? size[i] : -1);
            if (!r->part[p].sub[i])
                return NULL;
        }
    }
    return b->is_constant ? fold(b, r) : r;
}

static ast_expr *rewrite_function(builder *b, scope *s, const ast_expr *e)
{
    element *f = lookup_path(b, s, e->base, e->base->n);
    if (!f || !f->is_class)
        return instance_error(b, s->in, e->at, "unknown function '%s'",
                              name_text(b, e->base->part[e->base->n - 1].name));
    int32_t name = class_emit(b, f);
    return name == INTERN_NONE ? NULL : rewrite_args(b, s, e, node_name(b, name, e->base->at));
}

static ast_expr *rewrite_kind(builder *b, scope *s, const ast_expr *e)
{
    ast_expr *r;
    switch (e->kind) {
    case AST_REF:
        return rewrite_ref(b, s, e);
    case AST_ACCESS:
        return rewrite_access(b, s, e);
    case AST_CALL:
        return rewrite_call(b, s, e);
    case AST_FUNCTION:
        return rewrite_function(b, s, e);
    case AST_IF:
        return rewrite_if(b, s, e);
    case AST_ITERATED:
        return rewrite_iterated(b, s, e);
    case AST_END:
        return b->end ? (ast_expr *)(uintptr_t)b->end : (ast_expr *)(uintptr_t)e;
    case AST_UNARY:
        r = copy_node(b, e);
        r->base = rewrite(b, s, e->base);
        if (!r->base)
            return NULL;
        return b->is_constant ? fold(b, r) : r;
    case AST_CHAIN:
    case AST_RANGE:
    case AST_ARRAY:
    case AST_MATRIX:
    case AST_ROW:
    case AST_TUPLE:
        return rewrite_items(b, s, e);
    default:
        return (ast_expr *)(uintptr_t)e;
    }
}

ast_expr *rewrite(builder *b, scope *s, const ast_expr *e)
{
    if (b->c->mem.failed)
        return NULL;
    if (b->depth > 3 * LOOKUP_MAX)
        return instance_error(b, s->in, e->at,
                              "names depend on one another through too many levels");
    b->depth++;
    ast_expr *r = rewrite_kind(b, s, e);
    b->depth--;
    return r;
}

/* The component whose value this is, or NULL. */
static instance *bound_target(builder *b, const bound *x)
{
    bool is_absent = false;
    instance *in = NULL;
    if (x->of) {
        instance *whole = bound_target(b, x->of);
        bool is_plain = whole && is_record(whole);
        element *e = is_plain ? member_find(b, whole, x->member) : NULL;
        in = e && !e->is_class ? component_of(b, e) : NULL;
    } else if (x->e->kind == AST_REF && !x->e->flag) {
        b->quiet++;
        in = reference_target(b, x->where, x->e, &is_absent);
        b->quiet--;
    }
    for (int32_t i = 0; in && x->index && i < x->index->n; i++) {
        bool is_item = in->kind == INSTANCE_ARRAY && x->index->k[i] <= in->n_items;
        in = is_item ? in->item[x->index->k[i] - 1] : NULL;
    }
    return in && in->is_part ? in : NULL;
}

/* The record class that a call constructs, or NULL. */
static instance *constructed_record(builder *b, scope *s, const ast_expr *call)
{
    b->quiet++;
    element *e = lookup_path(b, s, call->base, call->base->n);
    bool is_class = e && e->is_class && element_prepare(b, e) && class_read(b, e) &&
                    e->class->form != AST_ENUMERATION;
    instance *in = is_class ? class_look(b, e) : NULL;
    b->quiet--;
    bool is_plain = in && in->class->kind == AST_RECORD && !(in->class->prefixes & AST_OPERATOR);
    return is_plain && instance_open(b, in) ? in : NULL;
}

/* The member of a record that is constructed by R(a = 1), without the other members, whose sizes
 * may be open in the declaration: its argument, or its value in R().  NULL where this is not so
 * simple.                                                                        */
static ast_expr *constructed_member(builder *b, const bound *x)
{
    const ast_expr *call = x->of->e;
    if (x->of->of || x->of->index || call->kind != AST_CALL || call->base->kind != AST_REF)
        return NULL;
    instance *in = constructed_record(b, x->of->where, call);
    for (int32_t i = 0; in && i < call->n; i++)
        if (call->arg[i].name == x->member)
            return rewrite(b, x->of->where, call->arg[i].value);
    if (!in || call->n > 0)
        return NULL;
    bool is_constant = b->is_constant;
    b->is_constant = true;
    b->quiet++;
    element *e = member_find(b, in, x->member);
    instance *made = e && !e->is_class ? component_of(b, e) : NULL;
    bool is_variable = made && made->kind == INSTANCE_VARIABLE;
    ast_expr *v = is_variable ? variable_constant(b, made) : NULL;
    b->quiet--;
    b->is_constant = is_constant;
    return v;
}

/* The member of a value: where that is a component, its member, without the other ones. */
static ast_expr *member_rewrite(builder *b, const bound *x)
{
    instance *in = bound_target(b, x);
    if (in)
        return instance_expr(b, in, in->element->ast->at);
    ast_expr *e = constructed_member(b, x);
    if (e)
        return select_items(b, e, x->index);
    e = bound_rewrite(b, x->of);
    ast_expr *access = e ? node_new(b, AST_ACCESS, e->at) : NULL;
    ast_part *part = access ? builder_take(b, 1, sizeof *part) : NULL;
    if (!part)
        return NULL;
    *part = (ast_part){.name = x->member, .quoted = true, .at = e->at, .end = e->at};
    access->base = e;
    access->part = part;
    access->n = 1;
    ast_expr *folded = fold(b, access);
    e = folded ? folded : b->is_constant ? NULL : access;
    return e ? select_items(b, e, x->index) : NULL;
}

ast_expr *bound_rewrite(builder *b, const bound *x)
{
    if (x->of)
        return member_rewrite(b, x);
    ast_expr *e = rewrite(b, x->where, x->e);
    return e ? select_items(b, e, x->index) : NULL;
}
