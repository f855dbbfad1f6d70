/* flatten/external.c - see execute.h: functions whose body is `external "C"`.
 *
 * A C function that the library has itself is called with the arguments of the external clause.
 * Arguments that are outputs of the Modelica function are left out: the library returns them behind
 * the result, in their order. Other C functions are those of the user, see shared_object.c. */
#include "flatten/execute.h"

#include <string.h>

static int32_t external_name(const ast_class *c)
{
    return c->external->function == INTERN_NONE ? c->name : c->external->function;
}

static bool is_built_in(const flattener *f, const ast_class *c)
{
    return library_has(context_name(f->in, external_name(c)));
}

/* A function that the library has under its Modelica name is taken from there. */
bool external_is_known(const flattener *f, const ast_class *c)
{
    if (fortran_is_known(f, c) && !library_has(context_name(f->in, c->name)))
        return true;
    bool is_c = c->external && (!c->external->language || strcmp(c->external->language, "C") == 0);
    if (!c->external || is_built_in(f, c))
        return c->external != NULL;
    return is_c && f->in->c->allow_external && !library_has(context_name(f->in, c->name));
}

/* The output that an argument of the clause refers to as a whole, or -1. */
int32_t external_output(const plan *p, const ast_expr *e)
{
    int32_t name = e && e->kind == AST_REF ? ast_simple_name(e) : INTERN_NONE;
    int32_t k = name == INTERN_NONE ? -1 : item_named(p, name);
    return k >= 0 && p->item[k].is_output ? k : -1;
}

static ast_expr *item_ref(flattener *f, const plan *p, int32_t k)
{
    ast_expr *ref = arena_take(&f->in->c->mem, 1, sizeof *ref);
    ast_part *part = arena_take(&f->in->c->mem, 1, sizeof *part);
    if (!ref || !part)
        return NULL;
    source_at at = p->body->external->at;
    *part = (ast_part){.name = p->item[k].element->name, .quoted = true, .at = at, .end = at};
    *ref = (ast_expr){.kind = AST_REF, .n = 1, .at = at, .end = at, .part = part};
    return ref;
}

/* Without a call in the clause all inputs are the arguments. */
static bool args_default(flattener *f, const plan *p, ast_expr *call)
{
    for (int32_t k = 0; k < p->n; k++)
        if (p->item[k].is_input) {
            ast_expr *ref = item_ref(f, p, k);
            if (!ref)
                return false;
            call->arg[call->n++] = (ast_arg){.name = INTERN_NONE, .at = ref->at, .value = ref};
        }
    return true;
}

/* The call as syntax, made once. */
static ast_expr *external_syntax(flattener *f, plan *p)
{
    const ast_external *e = p->body->external;
    if (p->native)
        return p->native;
    ast_expr *call = arena_take(&f->in->c->mem, 1, sizeof *call);
    size_t room = (size_t)e->args.n + (size_t)p->n + 1;
    ast_arg *arg = arena_take(&f->in->c->mem, room, sizeof *arg);
    if (!call || !arg)
        return NULL;
    *call = (ast_expr){.kind = AST_CALL, .at = e->at, .end = e->end, .arg = arg};
    if (e->function == INTERN_NONE && !args_default(f, p, call))
        return NULL;
    for (int32_t i = 0; i < e->args.n; i++) {
        ast_expr *one = e->args.item[i];
        if (external_output(p, one) < 0)
            arg[call->n++] = (ast_arg){.name = INTERN_NONE, .at = one->at, .value = one};
    }
    return p->native = call;
}

bool external_set(flattener *f, int32_t k, value v)
{
    local *l = &f->in->frame->local[k];
    local_touch(f, l);
    return local_assign(f, l, v, f->in->work.at, NULL);
}

int32_t external_result(const plan *p)
{
    const ast_external *e = p->body->external;
    int32_t result = external_output(p, e->result);
    if (e->function != INTERN_NONE || result >= 0 || p->n_outputs != 1)
        return result;
    for (int32_t k = 0; k < p->n; k++)
        if (p->item[k].is_output && p->item[k].element->dims.n == 0)
            return k;
    return -1;
}

/* The result of the clause, then the outputs among its arguments. */
static bool outputs_set(flattener *f, const plan *p, const value *outputs, int32_t n)
{
    const ast_external *e = p->body->external;
    int32_t next = 0, result = external_result(p);
    if (result >= 0 && next < n && !external_set(f, result, outputs[next++]))
        return false;
    for (int32_t i = 0; i < e->args.n && next < n; i++) {
        int32_t k = external_output(p, e->args.item[i]);
        if (k >= 0 && !external_set(f, k, outputs[next++]))
            return false;
    }
    return true;
}

/* Outputs have their sizes before they have values. */
static bool outputs_prepare(flattener *f, const plan *p)
{
    for (int32_t k = 0; k < p->n; k++) {
        const local *l = &f->in->frame->local[k];
        if (p->item[k].is_output && !l->is_set && !l->is_open &&
            !external_set(f, k, value_zero(f->in, l->type)))
            return false;
    }
    return true;
}

flow external_run(flattener *f, plan *p)
{
    int32_t n = 0;
    if (fortran_is_known(f, p->body))
        return outputs_prepare(f, p) ? fortran_run(f, p) : FLOW_FAIL;
    if (!is_built_in(f, p->body))
        return outputs_prepare(f, p) ? shared_object_run(f, p) : FLOW_FAIL;
    ast_expr *call = external_syntax(f, p);
    value *outputs = arena_take(f->in->mem, MOST_OUTPUTS, sizeof *outputs);
    const char *name = context_name(f->in, external_name(p->body));
    if (!call || !outputs || !outputs_prepare(f, p))
        return FLOW_FAIL;
    call->at = f->in->frame->at; /* where messages point to */
    if (!library_call(f->in, call, name, outputs, &n))
        return FLOW_FAIL;
    if (n == 0 && p->n_outputs > 0)
        return flow_failed(f);
    return outputs_set(f, p, outputs, n) ? FLOW_NEXT : flow_failed(f);
}

/* ---- external objects ---- */

static const ast_class *nested_function(const flattener *f, const ast_class *c, const char *name)
{
    for (const ast_element *e = c->elements; e; e = e->next)
        if (e->kind == AST_NESTED && e->nested->kind == AST_FUNCTION_CLASS &&
            strcmp(context_name(f->in, e->nested->name), name) == 0)
            return e->nested;
    return NULL;
}

const ast_class *object_constructor(const flattener *f, const ast_class *c)
{
    return nested_function(f, c, "constructor");
}

const ast_class *object_destructor(const flattener *f, const ast_class *constructor)
{
    for (size_t i = 0; i < f->scope->n_classes; i++)
        if (nested_function(f, f->scope->class[i], "constructor") == constructor)
            return nested_function(f, f->scope->class[i], "destructor");
    return NULL;
}
