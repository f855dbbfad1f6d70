/* flatten/function_value.c - see execute.h: functions as arguments of functions. */
#include "flatten/execute.h"

#include <string.h>

int32_t function_value_call(flattener *f, int32_t number, const ast_expr *call, value *outputs)
{
    const function_value fv = f->functions->function_value[number];
    plan *p = fv.class ? plan_of(f, fv.class) : NULL;
    if (!fv.class)
        return call_by_name(f, call, fv.name, false, outputs);
    if (!p)
        return 0;
    if (!plan_has_body(f, p))
        return call_without_body(f, p, call, outputs);
    value *args = arena_take(f->in->mem, (size_t)p->n + 1, sizeof *args);
    for (int32_t i = 0; args && fv.bound && i < fv.bound->n; i++) {
        int32_t k = item_named(p, fv.bound->arg[i].name);
        if (k < 0 || !p->item[k].is_input)
            return (int32_t)context_error(f->in, fv.bound->arg[i].at, "'%s' has no argument '%s'",
                                          context_name(f->in, p->class->name),
                                          context_name(f->in, fv.bound->arg[i].name))
                .n;
        args[k] = fv.bound_value[i];
    }
    return plan_call(f, p, call, args, outputs);
}

static bool same_function_value(const function_value *a, const function_value *b)
{
    if (a->class != b->class || a->bound != b->bound || a->name != b->name)
        return false;
    for (int32_t i = 0; a->bound && i < a->bound->n; i++) {
        const value *x = &a->bound_value[i], *y = &b->bound_value[i];
        if (x->n != y->n || memcmp(x->e, y->e, x->n * sizeof *x->e) != 0 ||
            !type_same_sizes(x->type, y->type) || x->type.base != y->type.base)
            return false;
    }
    return true;
}

static value function_value_add(flattener *f, const function_value *fv)
{
    size_t k = 0;
    while (k < f->functions->n_function_values &&
           !same_function_value(&f->functions->function_value[k], fv))
        k++;
    if (k == f->functions->n_function_values) {
        function_value *list =
            context_push(f->in, f->functions->function_value, f->functions->n_function_values,
                         &f->functions->function_value_capacity, sizeof *list);
        if (!list)
            return bad_value;
        f->functions->function_value = list;
        f->functions->function_value[f->functions->n_function_values++] = *fv;
    }
    value v = value_number(f->in, T_FUNCTION, (double)k);
    v.type.info = (int32_t)k;
    return v;
}

/* Evaluates the bound arguments. Their values outlive the clause, except in an execution with
 * numbers. */
static bool bound_eval(flattener *f, const ast_expr *e, function_value *fv)
{
    arena *mem = f->in->is_numeric ? f->in->mem : &f->in->c->mem;
    plan *p = fv->class ? plan_of(f, fv->class) : NULL;
    fv->bound = e;
    fv->bound_value = arena_take(mem, (size_t)e->n + 1, sizeof *fv->bound_value);
    for (int32_t i = 0; fv->bound_value && i < e->n; i++) {
        int32_t k = p && p->item ? item_named(p, e->arg[i].name) : -1;
        bool is_function = k >= 0 && p->item[k].base.base == T_FUNCTION;
        if (e->arg[i].name == INTERN_NONE)
            return context_error(f->in, e->arg[i].at,
                                 "arguments that are bound to a function need names")
                .n;
        value v = is_function ? function_as_value(f, e->arg[i].value)
                              : expression_eval(f, e->arg[i].value);
        v.e = is_bad(v) ? NULL : arena_copy(mem, v.e, v.n, v.n + 1, sizeof *v.e);
        if (!v.e)
            return false;
        fv->bound_value[i] = v;
    }
    return fv->bound_value != NULL;
}

value function_as_value(flattener *f, const ast_expr *e)
{
    if (e->kind != AST_REF && e->kind != AST_FUNCTION)
        return value_convert(f->in, expression_eval(f, e), type_scalar(T_FUNCTION), e->at,
                             "the argument");
    const ast_expr *ref = e->kind == AST_REF ? e : e->base;
    int32_t simple = ast_simple_name(ref);
    const local *l = simple != INTERN_NONE ? local_find(f, simple) : NULL;
    function_value fv = {.name = ast_flat_name(ref, f->in->names)};
    if (l && l->is_set && l->value.type.base == T_FUNCTION) {
        if (e->kind == AST_REF)
            return l->value;
        fv = f->functions->function_value[l->value.type.info];
        if (fv.bound)
            return context_error(f->in, e->at, "'%s' has bound arguments already",
                                 context_name(f->in, simple));
    } else {
        fv.class = class_find(f, ref);
    }
    if (fv.class && fv.class->kind != AST_FUNCTION_CLASS)
        return context_error(f->in, e->at, "'%s' is not a function",
                             context_name(f->in, fv.class->name));
    if (e->kind == AST_FUNCTION && !bound_eval(f, e, &fv))
        return bad_value;
    return function_value_add(f, &fv);
}
