/* flatten/called_derivative.c - see flat.h: derivatives of functions that are called.
 *
 * They are given by the annotation `derivative` or by the library; otherwise they are central
 * differences, which are called in the same way (called.c). */
#include "flatten/execute.h"

#include <string.h>

/* The input or output that a scalar belongs to; -1 if it is bound in a function value. */
static int32_t owner_of(const flattener *f, const type *t, int32_t n, uint32_t scalar)
{
    size_t at = 0;
    for (int32_t i = 0; i < n; i++) {
        if (t[i].base == T_FUNCTION)
            return -1;
        at += type_leaves(f->in, t[i]);
        if (scalar < at)
            return i;
    }
    return -1;
}

static bool is_excluded(const flattener *f, const ast_mod *derivative, int32_t name)
{
    for (const ast_mod *m = derivative->mods; m; m = m->next) {
        const char *what = context_name(f->in, m->name);
        bool excludes = strcmp(what, "noDerivative") == 0 || strcmp(what, "zeroDerivative") == 0;
        if (excludes && m->value && m->value->kind == AST_REF && m->value->part[0].name == name)
            return true;
    }
    return false;
}

/* annotation(derivative = df), of first order. */
static const ast_mod *derivative_of_class(const flattener *f, const ast_class *c)
{
    for (const ast_mod *m = c->comment.annotation; m; m = m->next) {
        if (strcmp(context_name(f->in, m->name), "derivative") != 0 || !m->value ||
            m->value->kind != AST_REF)
            continue;
        const ast_mod *order = ast_mod_find(m->mods, f->in->names, "order");
        bool first = !order || !order->value || order->value->kind != AST_INTEGER ||
                     order->value->integer == 1;
        if (first)
            return m;
    }
    return NULL;
}

/* A call of the derivative function while it is put together. */
typedef struct tangent {
    const plan *of;
    const ast_mod *mod; /* derivative = df */
    called c;
    expr *args;
    size_t n;
} tangent;

/* The function's own arguments, then the directions of its Real inputs. */
static bool tangent_inputs(flattener *f, expr_graph *g, const called *c, uint32_t k, tangent *t)
{
    const plan *p = t->of;
    uint32_t at = 0;
    int32_t input = 0;
    t->n = c->n_args;
    for (int32_t i = 0; i < p->n; i++) {
        if (!p->item[i].is_input)
            continue;
        type here = c->input[input++];
        size_t n = type_leaves(f->in, here);
        bool excluded = is_excluded(f, t->mod, p->item[i].element->name);
        if (here.base == T_RECORD || here.base == T_FUNCTION || (excluded && k >= at && k < at + n))
            return false;
        for (size_t j = 0; j < n && here.base == T_REAL && !excluded; j++)
            t->args[t->n++] = expr_constant(g, at + j == k);
        if (here.base == T_REAL && !excluded)
            t->c.input[t->c.n_inputs++] = here;
        at += (uint32_t)n;
    }
    t->c.n_args = (uint32_t)t->n;
    return true;
}

static bool tangent_outputs(const flattener *f, const called *c, uint32_t output, tangent *t,
                            uint32_t *which)
{
    uint32_t at = 0, kept = 0;
    for (int32_t i = 0; i < c->n_outputs; i++) {
        size_t n = type_leaves(f->in, c->output[i]);
        if (c->output[i].base == T_RECORD)
            return false;
        if (output >= at && output < at + n)
            *which = kept + output - at;
        if (c->output[i].base == T_REAL) {
            t->c.output[t->c.n_outputs++] = c->output[i];
            kept += (uint32_t)n;
        }
        at += (uint32_t)n;
    }
    t->c.n_results = kept;
    return true;
}

static bool tangent_fits(flattener *f, const ast_class *c, const tangent *t)
{
    const plan *p = plan_of(f, c);
    return p && p->body && p->item && p->n_inputs == t->c.n_inputs &&
           p->n_outputs == t->c.n_outputs && plan_has_body(f, p);
}

/* The derivative by the annotation; EXPR_NONE if no annotation can be used. */
static expr partial_written(flattener *f, expr_graph *g, const called *c, const expr *args,
                            uint32_t output, uint32_t k)
{
    const plan *p = c->class ? plan_of(f, c->class) : NULL;
    const ast_mod *mod = p && p->body ? derivative_of_class(f, p->body) : NULL;
    const ast_class *df = mod ? class_find(f, mod->value) : NULL;
    uint32_t which = 0;
    if (!df || df->kind != AST_FUNCTION_CLASS)
        return EXPR_NONE;
    tangent t = {.of = p, .mod = mod, .c = {.class = df, .builtin = -1, .n_inputs = c->n_inputs}};
    t.args = arena_take(&f->in->c->mem, 2 * (size_t)c->n_args + 1, sizeof *t.args);
    t.c.input = arena_take(&f->in->c->mem, 2 * (size_t)c->n_inputs + 1, sizeof *t.c.input);
    t.c.output = arena_take(&f->in->c->mem, (size_t)c->n_outputs + 1, sizeof *t.c.output);
    if (!t.args || !t.c.input || !t.c.output)
        return EXPR_NONE;
    memcpy(t.args, args, c->n_args * sizeof *args);
    memcpy(t.c.input, c->input, (size_t)c->n_inputs * sizeof *c->input);
    if (!tangent_inputs(f, g, c, k, &t) || !tangent_outputs(f, c, output, &t, &which) ||
        !tangent_fits(f, df, &t))
        return EXPR_NONE;
    int64_t id = called_add(f, &t.c);
    expr_function function = {
        .id = (uint32_t)id, .n_outputs = (uint16_t)t.c.n_results, .output = (uint16_t)which};
    return id < 0 ? EXPR_NONE : expr_call(g, function, t.args, t.c.n_args);
}

static expr partial_difference(flattener *f, expr_graph *g, expr_function of, const expr *args,
                               uint32_t k)
{
    const called c = f->functions->called[of.id];
    called d = {.builtin = -1,
                .is_difference = true,
                .of = of.id,
                .along = k,
                .order = c.order + 1,
                .input = c.input,
                .output = c.output,
                .n_inputs = c.n_inputs,
                .n_outputs = c.n_outputs,
                .n_args = c.n_args,
                .n_results = c.n_results};
    int64_t id = called_add(f, &d);
    if (id < 0)
        return EXPR_NONE;
    of.id = (uint32_t)id;
    return expr_call(g, of, args, d.n_args);
}

static bool is_flat(const flattener *f, const type *t, int32_t n, uint32_t scalar)
{
    int32_t k = owner_of(f, t, n, scalar);
    return k >= 0 && t[k].base != T_REAL && t[k].base != T_RECORD;
}

expr called_partial(void *functions, expr_graph *g, expr call, uint32_t k)
{
    flattener *f = ((executor *)functions)->f;
    expr_function of = expr_function_of(g, call);
    const called c = f->functions->called[of.id];
    const expr *operands;
    expr node = call;
    if (expr_op_of(g, call) == EXPR_OUTPUT) {
        expr_operands(g, call, &operands);
        node = operands[0];
    }
    if (is_flat(f, c.input, c.n_inputs, k) || is_flat(f, c.output, c.n_outputs, of.output))
        return expr_constant(g, 0.0);
    expr *args = arena_take(&f->in->c->mem, (size_t)c.n_args + 1, sizeof *args);
    if (!args)
        return EXPR_NONE;
    expr_operands(g, node, &operands);
    memcpy(args, operands, c.n_args * sizeof *args);
    expr e = EXPR_NONE;
    if (c.builtin >= 0)
        e = library_derivative(f->in, g,
                               &(library_called){.builtin = c.builtin,
                                                 .object = c.object,
                                                 .args = args,
                                                 .n_args = c.n_args,
                                                 .result = call},
                               k);
    else if (!c.is_difference)
        e = partial_written(f, g, &c, args, of.output, k);
    return e != EXPR_NONE ? e : partial_difference(f, g, of, args, k);
}

expr called_corner(void *functions, expr_graph *g, expr call, uint32_t k)
{
    flattener *f = ((executor *)functions)->f;
    const called c = f->functions->called[expr_function_of(g, call).id];
    const expr *operands;
    if (c.builtin < 0 || c.is_difference)
        return EXPR_NONE;
    expr *args = arena_take(&f->in->c->mem, (size_t)c.n_args + 1, sizeof *args);
    if (!args)
        return EXPR_NONE;
    expr_operands(g, call, &operands);
    memcpy(args, operands, c.n_args * sizeof *args);
    library_called of = {
        .builtin = c.builtin, .object = c.object, .args = args, .n_args = c.n_args, .result = call};
    return library_corner(f->in, g, &of, k);
}
