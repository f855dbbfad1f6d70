/* flatten/assign.c - see execute.h: assignments to a local of a function or to variables.
 *
 * Parts of a value are replaced one scalar at a time. If a subscript is not constant, every
 * element that it may select becomes an if-expression. */
#include "flatten/execute.h"

#include <string.h>

enum { MOST_PARTS = 12 }; /* of a name */

/* ---- assignments: parts of a value ---- */

/* Replaces the scalars of a value that a reference selects. */
typedef struct scatter {
    flattener *f;
    const ast_part *part;
    int32_t n;
    subscript subs[MOST_PARTS][MOST_DIMS];
    expr *to;
    bool *touched; /* or NULL */
    const expr *from;
    size_t at;
} scatter;

static bool subscript_usable(flattener *f, const subscript *s)
{
    if (s->is_colon)
        return true;
    base_type base = (base_type)s->value.type.base;
    if ((base != T_INTEGER && base != T_ENUM && base != T_BOOLEAN) || s->value.type.n_dims > 1)
        return context_error(f->in, s->at, "a subscript is %s, not an Integer",
                             type_text(f->in, s->value.type))
            .n;
    if (s->value.type.n_dims == 1 && !value_is_constant(f->in, s->value)) {
        execution_give_up(f, s->at, "a vector of subscripts must be constant");
        return false;
    }
    return true;
}

static const member *member_named(const flattener *f, type t, int32_t name)
{
    return t.base == T_RECORD ? record_member(&f->in->record[t.info], name) : NULL;
}

/* Appends the sizes that remain after the subscripts of one part. */
static bool part_sizes(scatter *s, int32_t k, type t, int32_t *dims, int32_t *n)
{
    flattener *f = s->f;
    const ast_part *part = &s->part[k];
    if (!subscripts_eval(f, (value){.type = t}, part, s->subs[k]))
        return false;
    for (int32_t i = 0; i < t.n_dims; i++) {
        const subscript *sub = i < part->n_subs ? &s->subs[k][i] : NULL;
        if (sub && !subscript_usable(f, sub))
            return false;
        if (sub && !sub->is_colon && sub->value.type.n_dims == 0)
            continue;
        if (*n == MOST_DIMS)
            return context_error(f->in, part->at, "an array can have at most %d dimensions",
                                 MOST_DIMS)
                .n;
        dims[(*n)++] = sub && !sub->is_colon ? (int32_t)sub->value.n : t.dim[i];
    }
    return true;
}

/* The type of what the reference selects in a value of type t; T_BAD after an error. */
static type scatter_type(scatter *s, type t)
{
    int32_t dims[MOST_DIMS], n = 0;
    flattener *f = s->f;
    if (s->n > MOST_PARTS)
        return context_error(f->in, s->part->at, "the name has too many parts").type;
    for (int32_t k = 0; k < s->n; k++) {
        const member *m = k ? member_named(f, t, s->part[k].name) : NULL;
        if (k && !m)
            return context_error(f->in, s->part[k].at, "%s has no member '%s'", type_text(f->in, t),
                                 context_name(f->in, s->part[k].name))
                .type;
        if (m)
            t = m->type;
        if (!part_sizes(s, k, t, dims, &n))
            return type_scalar(T_BAD);
        t = k + 1 < s->n ? type_element(t) : t;
    }
    return type_array(type_element(t), n, dims);
}

static bool scatter_dim(scatter *s, int32_t k, int32_t d, type t, size_t offset, expr condition);

static bool scatter_element(scatter *s, int32_t k, type t, size_t offset, expr condition)
{
    expr_graph *g = s->f->in->g;
    if (k < s->n) {
        const member *m = member_named(s->f, t, s->part[k].name);
        return scatter_dim(s, k, 0, m->type, offset + m->offset, condition);
    }
    for (size_t i = 0, n = type_leaves(s->f->in, t); i < n; i++) {
        expr e = s->from[s->at++], *to = &s->to[offset + i];
        *to = condition == EXPR_NONE ? e : expr_if(g, condition, e, *to);
        if (s->touched)
            s->touched[offset + i] = true;
    }
    return true;
}

static size_t dim_stride(const flattener *f, type t, int32_t d)
{
    size_t stride = type_leaves(f->in, type_element(t));
    for (int32_t i = d + 1; i < t.n_dims; i++)
        stride *= (size_t)t.dim[i];
    return stride;
}

static bool scatter_chosen(scatter *s, int32_t k, int32_t d, type t, size_t offset, expr condition)
{
    const value *v = &s->subs[k][d].value;
    size_t at = s->at, stride = dim_stride(s->f, t, d);
    for (int32_t i = 0; i < t.dim[d]; i++) {
        expr number = expr_constant(s->f->in->g, i + (v->type.base != T_BOOLEAN));
        expr here = expr_make2(s->f->in->g, EXPR_EQ, v->e[0], number);
        s->at = at;
        if (!scatter_dim(s, k, d + 1, t, offset + (size_t)i * stride,
                         condition_and(s->f->in, condition, here)))
            return false;
    }
    return true;
}

static bool scatter_dim(scatter *s, int32_t k, int32_t d, type t, size_t offset, expr condition)
{
    flattener *f = s->f;
    if (d == t.n_dims)
        return scatter_element(s, k + 1, type_element(t), offset, condition);
    size_t stride = dim_stride(f, t, d);
    const subscript *sub = d < s->part[k].n_subs ? &s->subs[k][d] : NULL;
    bool all = !sub || sub->is_colon;
    if (!all && sub->value.type.n_dims == 0 && !expr_is_constant(f->in->g, sub->value.e[0]))
        return scatter_chosen(s, k, d, t, offset, condition);
    size_t n = all ? (size_t)t.dim[d] : sub->value.n;
    for (size_t i = 0; i < n; i++) {
        double x =
            all ? (double)i + 1.0
                : expr_value(f->in->g, sub->value.e[i]) + (sub->value.type.base == T_BOOLEAN);
        if (!(x >= 1.0 && x <= t.dim[d]))
            return context_error(f->in, sub ? sub->at : s->part[k].at,
                                 "subscript %.17g is outside 1 .. %d", x, (int)t.dim[d])
                .n;
        if (!scatter_dim(s, k, d + 1, t, offset + ((size_t)x - 1) * stride, condition))
            return false;
    }
    return true;
}

static const char *target_text(flattener *f, const ast_expr *ref)
{
    return context_text(f->in, "the value for '%s'", context_name(f->in, ref->part[0].name));
}

static bool same_type(type a, type b)
{
    return a.base == b.base && a.info == b.info && type_same_sizes(a, b);
}

/* ---- assignments in functions ---- */

static bool local_own(flattener *f, local *l, source_at at)
{
    local_touch(f, l);
    if (!l->is_set) {
        bool is_open =
            l->type.base == T_RECORD && l->type.n_dims == 0 && f->in->record[l->type.info].is_open;
        l->value = is_open ? record_of_members(f, l->type, NULL, at) : value_zero(f->in, l->type);
        l->is_set = l->is_owned = !is_bad(l->value);
        return l->is_set;
    }
    if (l->is_owned)
        return true;
    value copy = value_new(f->in, l->value.type);
    if (is_bad(copy))
        return false;
    memcpy(copy.e, l->value.e, copy.n * sizeof *copy.e);
    l->value = copy;
    l->is_owned = true;
    return true;
}

static bool assign_part(flattener *f, local *l, const ast_expr *ref, value v, source_at at)
{
    if (l->is_open && !l->is_set)
        return context_error(f->in, at, "the size of '%s' is not known yet",
                             context_name(f->in, l->name))
            .n;
    scatter *s = arena_take(f->in->mem, 1, sizeof *s);
    if (!s)
        return false;
    s->f = f;
    s->part = ref->part;
    s->n = ref->n;
    type whole = l->is_set ? l->value.type : l->type, t = scatter_type(s, whole);
    if (t.base == T_BAD)
        return false;
    if (!same_type(t, v.type))
        v = value_convert(f->in, v, t, at, target_text(f, ref));
    if (is_bad(v) || !local_own(f, l, at))
        return false;
    s->to = l->value.e;
    s->from = v.e;
    return scatter_dim(s, 0, 0, whole, 0, EXPR_NONE);
}

static bool assign_local(flattener *f, const ast_expr *ref, value v, source_at at)
{
    local *l = local_find(f, ref->part[0].name);
    if (!l) {
        name_unknown(f, ref->at, "name", context_name(f->in, ref->part[0].name));
        return false;
    }
    if (l->is_const)
        return context_error(f->in, at, "'%s' cannot be assigned: it is an input or a constant",
                             context_name(f->in, l->name))
            .n;
    if (ref->n > 1 || ref->part[0].n_subs)
        return assign_part(f, l, ref, v, at);
    local_touch(f, l);
    return local_assign(f, l, v, at, NULL);
}

/* ---- assignments in algorithms of the model ---- */

static bool are_symbols(const flattener *f, value v)
{
    uint32_t variable = 0;
    for (size_t i = 0; i < v.n; i++)
        if (!flat_is_value(f->in->g, v.e[i], &variable))
            return false;
    return true;
}

bool target_find(flattener *f, const ast_expr *ref, target *t)
{
    f->in->as_variables++;
    t->symbols = expression_eval(f, ref);
    t->is_chosen = !is_bad(t->symbols) && !are_symbols(f, t->symbols);
    if (t->is_chosen && ref->n == 1 && !ref->part[0].n_subs) { /* 'x[\'i\']' */
        const ast_expr *inner = name_with_subscripts(f, ref->part[0].name, ref->at);
        ref = inner ? inner : ref;
    }
    t->ref = ref;
    ast_expr head = *ref;
    if (t->is_chosen && ref->part[ref->n - 1].n_subs) {
        size_t n = (size_t)ref->n;
        head.part = arena_copy(f->in->mem, ref->part, n, n, sizeof *head.part);
        if (head.part) {
            head.part[ref->n - 1].n_subs = 0;
            t->symbols = expression_eval(f, &head);
        }
    }
    f->in->as_variables--;
    if (is_bad(t->symbols))
        return false;
    if (!are_symbols(f, t->symbols))
        return context_error(f->in, ref->at, "'%s' is not a variable that can be assigned",
                             context_name(f->in, ref->part[0].name))
            .n;
    return true;
}

static void entry_assign(flattener *f, expr symbol, expr e, source_at at, source_at end)
{
    overlay *o = f->overlay;
    uint32_t k = overlay_entry(o, flat_number(expr_index(f->in->g, symbol)));
    if (!k)
        return;
    entry_write(f, k - 1, e);
    o->is_assigned[k - 1] = true;
    o->at[k - 1] = at;
    o->end[k - 1] = end;
}

static bool assign_chosen(flattener *f, const ast_expr *ref, value symbols, value v,
                          const ast_clause *c)
{
    scatter *s = arena_take(f->in->mem, 1, sizeof *s);
    expr *now = arena_take(f->in->mem, symbols.n + 1, sizeof *now);
    bool *touched = arena_take(f->in->mem, symbols.n + 1, sizeof *touched);
    if (!s || !now || !touched)
        return false;
    for (size_t i = 0; i < symbols.n; i++)
        now[i] = variable_read(f, flat_number(expr_index(f->in->g, symbols.e[i])));
    *s = (scatter){.f = f, .part = &ref->part[ref->n - 1], .n = 1, .to = now, .touched = touched};
    type t = scatter_type(s, symbols.type);
    v = value_convert(f->in, v, t, c->at, target_text(f, ref));
    s->from = v.e;
    if (is_bad(v) || !scatter_dim(s, 0, 0, symbols.type, 0, EXPR_NONE))
        return false;
    for (size_t i = 0; i < symbols.n; i++)
        if (touched[i])
            entry_assign(f, symbols.e[i], now[i], c->at, c->end);
    return true;
}

static bool assign_variables(flattener *f, const ast_expr *ref, value v, const ast_clause *c)
{
    target t;
    if (!target_find(f, ref, &t))
        return false;
    if (t.is_chosen)
        return assign_chosen(f, t.ref, t.symbols, v, c);
    if (!same_type(t.symbols.type, v.type))
        v = value_convert(f->in, v, t.symbols.type, c->at, target_text(f, ref));
    if (is_bad(v))
        return false;
    for (size_t i = 0; i < v.n; i++)
        entry_assign(f, t.symbols.e[i], v.e[i], c->at, c->end);
    return true;
}

/* ---- the statement ---- */

static bool assign(flattener *f, const ast_expr *ref, value v, const ast_clause *c)
{
    if (is_bad(v))
        return false;
    return f->in->frame ? assign_local(f, ref, v, c->at) : assign_variables(f, ref, v, c);
}

static bool assign_tuple(flattener *f, const ast_clause *c)
{
    value *outputs = arena_take(f->in->mem, MOST_OUTPUTS, sizeof *outputs);
    const ast_expr *left = c->left;
    if (!outputs || c->right->kind != AST_CALL)
        return context_error(f->in, c->at, "a list of variables needs a call on its right side").n;
    int32_t errors = f->in->c->sources.n_errors, n = call_outputs(f, c->right, outputs);
    if (f->in->obstacle.is_met ||
        (n == 0 && (f->in->is_numeric || f->in->c->sources.n_errors > errors)))
        return false;
    if (left->n > n)
        return context_error(f->in, c->at, "%d variables are assigned from a call with %d outputs",
                             (int)left->n, (int)n)
            .n;
    for (int32_t i = 0; i < left->n; i++)
        if (left->item[i] && !assign(f, left->item[i], outputs[i], c))
            return false;
    return true;
}

flow assign_run(flattener *f, const ast_clause *c)
{
    bool ok = c->left->kind == AST_TUPLE ? assign_tuple(f, c)
                                         : assign(f, c->left, expression_eval(f, c->right), c);
    return ok ? FLOW_NEXT : flow_failed(f);
}
