/* flatten/implicit_range.c - see flattener.h: `for i loop` without a range (Modelica 11.2.2.2).
 *
 * The range is 1 : n, where n is the size of the arrays that the body subscripts with the iterator
 * alone, x[i] but not x[i + 1].  All of them must agree.                          */
#include "flatten/execute.h"

typedef struct size_search {
    flattener *f;
    int32_t name; /* of the iterator */
    int64_t size; /* -1: not found yet */
    int32_t array;
    bool is_wrong; /* an error was reported */
} size_search;

/* The type of the array that the part subscripts; T_BAD: it is not known. */
static type array_type(flattener *f, const ast_expr *ref, int32_t part)
{
    const local *l = part == 0 ? local_find(f, ref->part[0].name) : NULL;
    if (l)
        return l->is_set ? l->value.type : l->type;
    component *c = part == 0 && ids_grow(f) ? component_named(f, ref->part[0].name) : NULL;
    if (c) {
        component_size(f, c);
        return component_named(f, ref->part[0].name)->type;
    }
    ast_expr head = *ref;
    head.n = part + 1;
    head.part =
        arena_copy(f->in->mem, ref->part, (size_t)head.n, (size_t)head.n, sizeof *head.part);
    if (!head.part)
        return type_scalar(T_BAD);
    head.part[part].n_subs = 0;
    return name_eval(f, &head).type;
}

static void size_found(size_search *s, const ast_expr *ref, int32_t part, int32_t k)
{
    if (part > 0 && s->size >= 0)
        return; /* the subscripts before may contain the iterator */
    type t = array_type(s->f, ref, part);
    int32_t outer = part > 0 ? t.n_dims - ref->part[part].n_subs : 0;
    if (t.base == T_BAD || outer < 0 || outer + k >= t.n_dims || t.dim[outer + k] < 0)
        return;
    int64_t size = t.dim[outer + k];
    if (s->size >= 0 && s->size != size && !s->is_wrong) {
        context_error(s->f->in, ref->at,
                      "the range of '%s' is not clear: '%s' has the size %d and '%s' the size %d",
                      context_name(s->f->in, s->name), context_name(s->f->in, s->array),
                      (int)s->size, context_name(s->f->in, ref->part[part].name), (int)size);
        s->is_wrong = true;
    }
    s->size = size;
    s->array = ref->part[part].name;
}

static void search_expression(void *user, const ast_expr *e)
{
    size_search *s = user;
    for (int32_t i = 0; e->kind == AST_REF && i < e->n; i++)
        for (int32_t k = 0; k < e->part[i].n_subs; k++)
            if (ast_simple_name(e->part[i].sub[k]) == s->name)
                size_found(s, e, i, k);
    ast_visit(e, search_expression, s);
}

static void search_clauses(size_search *s, const ast_clause *c)
{
    for (; c; c = c->next) {
        if (c->left)
            search_expression(s, c->left);
        if (c->right)
            search_expression(s, c->right);
        for (int32_t i = 0; c->kind == AST_FOR && i < c->n; i++)
            if (c->iterator[i].range)
                search_expression(s, c->iterator[i].range);
        for (const ast_branch *b = c->branches; b; b = b->next) {
            if (b->condition)
                search_expression(s, b->condition);
            search_clauses(s, b->body);
        }
    }
}

value implicit_range(flattener *f, const ast_iterator *it, const ast_expr *body,
                     const ast_clause *clauses)
{
    size_search s = {.f = f, .name = it->name, .size = -1};
    int32_t errors = f->in->c->sources.n_errors;
    if (body)
        search_expression(&s, body);
    search_clauses(&s, clauses);
    if (s.is_wrong || f->in->c->sources.n_errors > errors)
        return bad_value;
    const char *name = context_name(f->in, it->name);
    if (s.size < 0)
        return context_error(f->in, it->at,
                             "the range of '%s' is missing, and no array with the subscript '%s' "
                             "tells it: write 'for %s in 1:n'",
                             name, name, name);
    type t = type_scalar(T_INTEGER);
    t.n_dims = 1;
    t.dim[0] = (int32_t)s.size;
    value v = value_new(f->in, t);
    for (size_t i = 0; !is_bad(v) && i < v.n; i++)
        v.e[i] = expr_constant(f->in->g, (double)(i + 1));
    return v;
}
