/* flatten/call.c - see execute.h: evaluates calls.
 *
 * A name can be a builtin or library function, a function of the text, a record, an enumeration or
 * a function value. Functions of the text are executed with numbers if all arguments are constant;
 * otherwise they are inlined, and if that is not possible the call becomes a node of the graph. */
#include "flatten/execute.h"

#include <string.h>

/* ---- one call on values ---- */

static bool is_all_constant(const flattener *f, const plan *p, const value *args)
{
    for (int32_t i = 0; i < p->n; i++) {
        if (is_bad(args[i]))
            continue;
        if (!value_is_constant(f->in, args[i]))
            return false;
        if (args[i].type.base != T_FUNCTION)
            continue;
        const function_value *fv = &f->functions->function_value[args[i].type.info];
        for (int32_t k = 0; fv->bound && k < fv->bound->n; k++)
            if (!value_is_constant(f->in, fv->bound_value[k]))
                return false;
    }
    return true;
}

/* Whether the function is called from itself under a condition that is not constant, so that
 * inlining would not end. */
static bool is_endless(const flattener *f, const plan *p)
{
    bool conditional = f->path != EXPR_NONE;
    if (f->call_depth >= CALL_DEPTH_MAX)
        return true;
    for (const frame *fr = f->in->frame; fr; fr = fr->up) {
        if (fr->class == p->class)
            return conditional;
        conditional = conditional || fr->path != EXPR_NONE;
    }
    return false;
}

static int32_t call_inline(flattener *f, plan *p, const value *args, value *outputs, source_at at)
{
    size_t n_asserts = f->in->m->n_asserts;
    if (p->is_too_large || is_endless(f, p)) {
        f->in->obstacle.why = "it calls itself";
        return call_as_node(f, p, args, outputs, at);
    }
    uint32_t before = f->in->g->n;
    int32_t n = plan_execute(f, p, args, outputs, at);
    if (n || !f->in->obstacle.is_met)
        return n;
    p->is_too_large = f->in->g->n - before > INLINE_NODES_MAX;
    f->in->m->n_asserts = n_asserts;
    return call_as_node(f, p, args, outputs, at);
}

static int32_t call_once(flattener *f, plan *p, const value *args, value *outputs, source_at at)
{
    if (f->in->is_numeric || p->body->kind == AST_RECORD)
        return plan_execute(f, p, args, outputs, at);
    if (is_all_constant(f, p, args)) {
        int32_t n = plan_execute_with_numbers(f, p, args, outputs, at);
        if (n)
            return n;
    }
    return call_inline(f, p, args, outputs, at);
}

/* ---- functions of scalars applied to arrays (Modelica 12.4.6) ---- */

static int32_t declared_dims(const plan_item *it)
{
    return it->base.n_dims + it->element->type_dims.n + it->element->dims.n;
}

/* The leading dimensions over which the call is repeated; false after an error. */
static bool spread_of(flattener *f, const plan *p, const value *args, type *spread, source_at at)
{
    *spread = type_scalar(T_REAL);
    for (int32_t i = 0; i < p->n; i++) {
        int32_t extra = is_bad(args[i]) ? 0 : args[i].type.n_dims - declared_dims(&p->item[i]);
        if (extra <= 0 || args[i].type.base == T_FUNCTION)
            continue;
        type here = type_array(type_scalar(T_REAL), extra, args[i].type.dim);
        if (spread->n_dims && !type_same_sizes(*spread, here))
            return context_error(f->in, at, "%s is %s, which does not fit the other arguments",
                                 item_text(f, p, i), type_text(f->in, args[i].type))
                .n;
        *spread = here;
    }
    return true;
}

static void args_slice(const plan *p, const value *args, type spread, size_t k, value *one)
{
    for (int32_t i = 0; i < p->n; i++) {
        one[i] = args[i];
        if (is_bad(args[i]) || args[i].type.n_dims <= declared_dims(&p->item[i]))
            continue;
        int n = args[i].type.n_dims - spread.n_dims;
        one[i].type.n_dims = (uint8_t)n;
        memmove(one[i].type.dim, args[i].type.dim + spread.n_dims, (size_t)n * sizeof(int32_t));
        one[i].n = args[i].n / type_count(spread);
        one[i].e = args[i].e + k * one[i].n;
    }
}

static int32_t spread_nothing(flattener *f, const plan *p, type spread, value *outputs)
{
    int32_t n = 0;
    for (int32_t i = 0; i < p->n; i++)
        if (p->item[i].is_output) {
            outputs[n] = value_new(
                f->in, type_array(type_element(p->item[i].base), spread.n_dims, spread.dim));
            if (is_bad(outputs[n++]))
                return 0;
        }
    return n;
}

static bool spread_store(flattener *f, type spread, size_t k, const value *one, value *outputs,
                         int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        if (k == 0)
            outputs[i] = value_new(f->in, type_array(one[i].type, spread.n_dims, spread.dim));
        if (is_bad(outputs[i]) || outputs[i].n != one[i].n * type_count(spread))
            return false;
        memcpy(outputs[i].e + k * one[i].n, one[i].e, one[i].n * sizeof *one[i].e);
    }
    return true;
}

static int32_t call_each(flattener *f, plan *p, const value *args, type spread, value *outputs,
                         source_at at)
{
    size_t count = type_count(spread);
    value *slice = arena_take(f->in->mem, (size_t)p->n + 1, sizeof *slice);
    value *one = arena_take(f->in->mem, MOST_OUTPUTS, sizeof *one);
    int32_t n = 0;
    if (!slice || !one)
        return 0;
    if (count == 0)
        return spread_nothing(f, p, spread, outputs);
    for (size_t k = 0; k < count; k++) {
        args_slice(p, args, spread, k, slice);
        n = call_once(f, p, slice, one, at);
        if (n == 0 || !spread_store(f, spread, k, one, outputs, n))
            return 0;
    }
    return n;
}

/* ---- arguments ---- */

static bool arg_eval(flattener *f, const plan *p, int32_t k, const ast_arg *arg, value *args)
{
    if (!is_bad(args[k]))
        return context_error(f->in, arg->at, "%s is given twice", item_text(f, p, k)).n;
    args[k] = p->item[k].base.base == T_FUNCTION ? function_as_value(f, arg->value)
                                                 : expression_eval(f, arg->value);
    return !is_bad(args[k]);
}

/* Whether an argument without a name can go to item k. Exporters give values to constant members
 * of records too. */
static bool takes(const plan *p, const ast_expr *call, int32_t k)
{
    return p->item[k].is_input || (p->body->kind == AST_RECORD && call->n > p->n_inputs);
}

static bool arg_named(flattener *f, const plan *p, const ast_arg *arg, value *args)
{
    int32_t k = item_named(p, arg->name);
    if (k < 0 || (!p->item[k].is_input && p->body->kind != AST_RECORD))
        return context_error(f->in, arg->at, "'%s' has no argument '%s'",
                             context_name(f->in, p->class->name), context_name(f->in, arg->name))
            .n;
    return arg_eval(f, p, k, arg, args);
}

static bool args_eval(flattener *f, const plan *p, const ast_expr *call, value *args)
{
    int32_t next = 0;
    for (int32_t i = 0; i < call->n; i++) {
        if (call->arg[i].name != INTERN_NONE) {
            if (!arg_named(f, p, &call->arg[i], args))
                return false;
            continue;
        }
        while (next < p->n && (!takes(p, call, next) || !is_bad(args[next])))
            next++;
        if (next == p->n)
            return context_error(f->in, call->arg[i].at, "too many arguments for '%s': it has %d",
                                 context_name(f->in, p->class->name), (int)p->n_inputs)
                .n;
        if (!arg_eval(f, p, next, &call->arg[i], args))
            return false;
    }
    return true;
}

int32_t plan_call(flattener *f, plan *p, const ast_expr *call, value *args, value *outputs)
{
    type spread;
    if (!args || !args_eval(f, p, call, args) || !spread_of(f, p, args, &spread, call->at))
        return 0;
    if (spread.n_dims)
        return call_each(f, p, args, spread, outputs, call->at);
    return call_once(f, p, args, outputs, call->at);
}

/* ---- what a call can be ---- */

int32_t call_by_name(flattener *f, const ast_expr *call, int32_t name, bool quoted, value *outputs)
{
    int32_t n = 0;
    const char *text = context_name(f->in, name);
    if (!quoted && builtin_call(f->in, call, text, outputs))
        return !is_bad(outputs[0]);
    if (library_call(f->in, call, text, outputs, &n))
        return n;
    name_unknown(f, call->at, "function", text);
    return 0;
}

/* A function whose statements are not in the text. */
int32_t call_without_body(flattener *f, const plan *p, const ast_expr *call, value *outputs)
{
    int32_t n = 0;
    const char *name = context_name(f->in, p->class->name);
    if (!p->body) {
        bool quoted = ast_simple_name(p->base) == INTERN_NONE || p->base->part[0].quoted;
        return call_by_name(f, call, ast_flat_name(p->base, f->in->names), quoted, outputs);
    }
    if (library_call(f->in, call, name, outputs, &n))
        return n;
    if (p->body->form == AST_DERIVATIVE)
        context_error(f->in, call->at, "'%s' is a partial derivative, which is not supported",
                      name);
    else if (p->body->external)
        context_error(f->in, call->at,
                      "external function '%s' is not called, since it may do anything: "
                      "--allow-external permits it",
                      name);
    else
        context_error(f->in, p->class->at, "function '%s' has no body", name);
    return 0;
}

static int32_t function_call(flattener *f, const ast_class *c, const ast_expr *call, value *outputs)
{
    plan *p = plan_of(f, c);
    if (!p)
        return 0;
    if (!plan_has_body(f, p))
        return call_without_body(f, p, call, outputs);
    value *args = arena_take(f->in->mem, (size_t)p->n + 1, sizeof *args);
    return plan_call(f, p, call, args, outputs);
}

static value record_construct(flattener *f, const ast_class *c, const ast_expr *call)
{
    value outputs[1] = {bad_value};
    plan *p = plan_of(f, c);
    if (!p || !p->body)
        return bad_value;
    value *args = arena_take(f->in->mem, (size_t)p->n + 1, sizeof *args);
    return plan_call(f, p, call, args, outputs) ? outputs[0] : bad_value;
}

/* 'T'(i) is literal number i of the enumeration. */
static value enumeration_convert(flattener *f, const ast_class *c, const ast_expr *call)
{
    const ast_expr *arg;
    int32_t k = enumeration_of_class(f, c);
    if (k < 0 || !builtin_args(f->in, call, "i", 1, &arg))
        return bad_value;
    value v = expression_eval(f, arg);
    if (is_bad(v))
        return v;
    if (v.type.base != T_INTEGER)
        return context_error(f->in, arg->at, "the argument of '%s' is %s, not Integer",
                             context_name(f->in, c->name), type_text(f->in, v.type));
    for (size_t i = 0; i < v.n; i++) {
        double x = expr_is_constant(f->in->g, v.e[i]) ? expr_value(f->in->g, v.e[i]) : 1.0;
        if (!(x >= 1.0 && x <= f->in->m->enumerations[k].n))
            return context_error(f->in, arg->at, "'%s' has no literal number %.17g",
                                 context_name(f->in, c->name), x);
    }
    v.type.base = T_ENUM;
    v.type.info = k;
    return v;
}

static int32_t object_construct(flattener *f, const ast_class *c, const ast_expr *call,
                                value *outputs)
{
    const ast_class *make = object_constructor(f, c);
    if (make)
        return function_call(f, make, call, outputs);
    context_error(f->in, call->at, "external object '%s' has no constructor",
                  context_name(f->in, c->name));
    return 0;
}

static const ast_class *behind_types(flattener *f, const ast_class *c)
{
    for (int i = 0; c && c->form == AST_ALIAS && i < MOST_ALIASES; i++)
        c = class_find(f, c->base);
    return c;
}

static int32_t class_call(flattener *f, const ast_class *c, const ast_expr *call, value *outputs)
{
    if (c->kind == AST_FUNCTION_CLASS)
        return function_call(f, c, call, outputs);
    const ast_class *end = behind_types(f, c);
    if (end && end->form == AST_ENUMERATION)
        outputs[0] = enumeration_convert(f, end, call);
    else if (end && end->kind == AST_RECORD && end->form == AST_LONG)
        outputs[0] = record_construct(f, c, call);
    else if (end && end->kind == AST_FUNCTION_CLASS)
        return function_call(f, end, call, outputs);
    else if (end && class_is_external_object(f, end))
        return object_construct(f, end, call, outputs);
    else
        outputs[0] = context_error(f->in, call->at, "'%s' is a %s and cannot be called",
                                   context_name(f->in, c->name), ast_class_kind_text(c->kind));
    return !is_bad(outputs[0]);
}

/* ---- calls ---- */

/* What is wrong inside a function of predeclared.c is told at the call: its text is ours. */
static int32_t class_call_in_sight(flattener *f, const ast_class *c, const ast_expr *call,
                                   value *outputs)
{
    sources *texts = &f->in->c->sources;
    source_mark before = sources_mark(texts);
    int32_t n = class_call(f, c, call, outputs);
    if (texts->n_messages > before.n_messages) {
        const source *text = sources_place(texts, c->at).source;
        if (text && strcmp(text->name, context_name(f->in, c->name)) == 0)
            sources_move_messages(texts, before, text, call->at);
    }
    return n;
}

int32_t call_outputs(flattener *f, const ast_expr *call, value *outputs)
{
    const ast_expr *ref = call->base;
    int32_t simple = ast_simple_name(ref), name = ast_flat_name(ref, f->in->names);
    const local *l = simple != INTERN_NONE ? local_find(f, simple) : NULL;
    int32_t n = 0;
    if (l && l->is_set && l->value.type.base == T_FUNCTION)
        return function_value_call(f, l->value.type.info, call, outputs);
    bool builtin = simple != INTERN_NONE && !ref->part[0].quoted;
    if (builtin && builtin_call(f->in, call, context_name(f->in, simple), outputs))
        return !is_bad(outputs[0]);
    const ast_class *c = class_find(f, ref);
    if (c)
        return class_call_in_sight(f, c, call, outputs);
    if (library_call(f->in, call, context_name(f->in, name), outputs, &n))
        return n;
    name_unknown(f, call->at, "function", context_name(f->in, name));
    return 0;
}

/* Memory for the outputs of calls inside one another: on the stack it would be most of it. */
static value *outputs_room(flattener *f)
{
    function_list *all = f->functions;
    size_t n = (size_t)all->n_open;
    value **list =
        arena_grow(&f->in->c->mem, all->outputs, &all->n_outputs, n + 1, sizeof *all->outputs);
    if (!list)
        return NULL;
    all->outputs = list;
    if (!list[n])
        list[n] = arena_take(&f->in->c->mem, MOST_OUTPUTS, sizeof **list);
    return list[n];
}

value call_eval(flattener *f, const ast_expr *call)
{
    value *outputs = outputs_room(f);
    if (!outputs)
        return bad_value;
    f->functions->n_open++;
    int32_t n = call_outputs(f, call, outputs);
    f->functions->n_open--;
    if (n > 0)
        return outputs[0];
    if (!f->in->obstacle.is_met && f->in->c->sources.n_errors == 0 && !f->in->c->mem.failed)
        context_error(f->in, call->at, "this call has no value");
    return bad_value;
}
