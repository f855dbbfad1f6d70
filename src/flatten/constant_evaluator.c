/* flatten/constant_evaluator.c - see constant_evaluator.h: a flattener of a model without
 * variables. */
#include "flatten/constant_evaluator.h"

#include <math.h>
#include <string.h>

#include "flatten/execute.h"

struct constant_evaluator {
    flattener *f;
    const ast_class *last; /* of the classes that are known */
};

constant_evaluator *constant_evaluator_create(compilation *c)
{
    constant_evaluator *v = arena_take(&c->mem, 1, sizeof *v);
    if (!v)
        return NULL;
    v->f = flattener_for_constants(c);
    return v->f ? v : NULL;
}

void constant_evaluator_free(constant_evaluator *v)
{
    if (!v)
        return;
    arena_free(&v->f->values);
    total_derivative_free(v->f->in);
    flat_free(v->f->in->m);
}

/* ---- values as literals ---- */

static ast_expr *literal_of(flattener *f, value v, source_at at);

static ast_expr *node_of(flattener *f, ast_expr_kind kind, source_at at)
{
    ast_expr *e = arena_take(&f->in->c->mem, 1, sizeof *e);
    if (e)
        *e = (ast_expr){.kind = (uint8_t)kind, .at = at, .end = at};
    return e;
}

static ast_part *parts_of(flattener *f, ast_expr *e, int32_t n)
{
    e->part = arena_take(&f->in->c->mem, (size_t)n, sizeof *e->part);
    e->n = e->part ? n : 0;
    for (int32_t i = 0; i < e->n; i++)
        e->part[i] = (ast_part){.quoted = true, .at = e->at, .end = e->at};
    return e->part;
}

static ast_expr *enumeration_literal(flattener *f, value v, double number, source_at at)
{
    const flat_enumeration *x = &f->in->m->enumerations[v.type.info];
    ast_expr *e = node_of(f, AST_REF, at);
    if (!e || !parts_of(f, e, 2) || !(number >= 1 && number <= x->n))
        return NULL;
    e->part[0].name = x->name;
    e->part[1].name = x->literals[(int)number - 1];
    e->op = AST_EQ;
    e->integer = (int64_t)number;
    return e;
}

static ast_expr *scalar_literal(flattener *f, value v, source_at at)
{
    double number = numeric_value(f, v.e[0]);
    static const ast_expr_kind kinds[] = {[T_REAL] = AST_REAL,
                                          [T_INTEGER] = AST_INTEGER,
                                          [T_BOOLEAN] = AST_BOOLEAN,
                                          [T_STRING] = AST_STRING};
    if (!isfinite(number))
        return NULL;
    if (v.type.base == T_ENUM)
        return enumeration_literal(f, v, number, at);
    if (v.type.base > T_STRING)
        return NULL;
    ast_expr *e = node_of(f, kinds[v.type.base], at);
    if (!e)
        return NULL;
    if (v.type.base == T_REAL) {
        e->real = number;
    } else if (v.type.base == T_STRING) {
        e->text = context_name(f->in, (int32_t)number);
        e->n = (int32_t)strlen(e->text);
    } else {
        e->integer = (int64_t)number;
    }
    return e;
}

/* The constructor of the record with all its members. */
static ast_expr *record_literal(flattener *f, value v, source_at at)
{
    record r = f->in->record[v.type.info];
    ast_expr *e = node_of(f, AST_CALL, at), *base = node_of(f, AST_REF, at);
    ast_arg *arg = arena_take(&f->in->c->mem, (size_t)r.n + 1, sizeof *arg);
    if (!e || !base || !arg || !parts_of(f, base, 1) || r.name == INTERN_NONE)
        return NULL;
    base->part[0].name = r.name;
    e->base = base;
    e->arg = arg;
    e->flag = true;
    for (int32_t i = 0; i < r.n; i++) {
        value one = value_member(f->in, v, r.member[i].name, at);
        arg[i] = (ast_arg){.name = r.member[i].name, .quoted = true, .at = at};
        arg[i].value = is_bad(one) ? NULL : literal_of(f, one, at);
        if (!arg[i].value)
            return NULL;
        e->n++;
    }
    return e;
}

static ast_expr *literal_of(flattener *f, value v, source_at at)
{
    if (v.type.n_dims == 0)
        return v.type.base == T_RECORD ? record_literal(f, v, at) : scalar_literal(f, v, at);
    size_t n = (size_t)v.type.dim[0];
    ast_expr *e = node_of(f, AST_ARRAY, at);
    ast_expr **item = arena_take(&f->in->c->mem, n + 1, sizeof *item);
    if (!e || !item)
        return NULL;
    type inner = type_array(type_element(v.type), v.type.n_dims - 1, v.type.dim + 1);
    size_t leaves = n ? v.n / n : 0;
    for (size_t i = 0; i < n; i++) {
        value one = {.type = inner, .n = leaves, .e = v.e + i * leaves};
        if (!(item[i] = literal_of(f, one, at)))
            return NULL;
    }
    e->item = item;
    e->n = (int32_t)n;
    return e;
}

/* ---- evaluation ---- */

static void learn_classes(constant_evaluator *v, const ast_class *classes)
{
    const ast_class *c = v->last ? v->last->next : classes;
    for (; c; c = c->next) {
        classes_collect(v->f, c, "");
        v->last = c;
    }
}

ast_expr *constant_evaluator_run(constant_evaluator *v, const ast_class *classes, const ast_expr *e)
{
    flattener *f = v->f;
    source_mark mark = sources_mark(&f->in->c->sources);
    int32_t errors = f->in->c->sources.n_errors;
    f->in->c->sources.n_errors = 0; /* what failed elsewhere does not matter here */
    learn_classes(v, classes);
    f->in->obstacle.is_met = false;
    value r = evaluate_without_events(f->in, e);
    bool ok = !is_bad(r) && f->in->c->sources.n_errors == 0;
    ast_expr *literal = ok ? literal_of(f, r, e->at) : NULL;
    f->in->c->sources.n_errors = errors;
    sources_rewind(&f->in->c->sources, mark);
    return literal;
}
