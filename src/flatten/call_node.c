/* flatten/call_node.c - see execute.h: calls that become nodes of the graph.
 *
 * If a function cannot be inlined it gets an entry of f->functions->called, and called.c executes
 * it with numbers at run time. */
#include "flatten/execute.h"

#include <string.h>

/* ---- the list of functions that are called ---- */

static bool same_types(const type *a, const type *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (a[i].base != b[i].base || a[i].info != b[i].info || !type_same_sizes(a[i], b[i]))
            return false;
    return true;
}

static bool same_called(const called *a, const called *b)
{
    if (a->is_difference != b->is_difference || a->class != b->class || a->builtin != b->builtin ||
        a->object != b->object || a->n_args != b->n_args || a->n_results != b->n_results)
        return false;
    if (a->is_difference)
        return a->of == b->of && a->along == b->along;
    return a->n_inputs == b->n_inputs && a->n_outputs == b->n_outputs &&
           same_types(a->input, b->input, a->n_inputs) &&
           same_types(a->output, b->output, a->n_outputs);
}

static type *types_keep(flattener *f, const type *t, int32_t n)
{
    return arena_copy(&f->in->c->mem, t, (size_t)n, (size_t)n + 1, sizeof *t);
}

int64_t called_add(flattener *f, const called *c)
{
    for (size_t i = 0; i < f->functions->n_called; i++)
        if (same_called(&f->functions->called[i], c))
            return (int64_t)i;
    called *list = context_push(f->in, f->functions->called, f->functions->n_called,
                                &f->functions->called_capacity, sizeof *list);
    called copy = *c;
    copy.input = types_keep(f, c->input, c->n_inputs);
    copy.output = types_keep(f, c->output, c->n_outputs);
    if (!list || !copy.input || !copy.output)
        return -1;
    f->functions->called = list;
    f->functions->called[f->functions->n_called] = copy;
    return (int64_t)f->functions->n_called++;
}

/* ---- one call ---- */

typedef struct arg_list {
    expr *e;
    size_t n, capacity;
} arg_list;

static bool args_append(flattener *f, arg_list *a, value v)
{
    expr *list = arena_grow(f->in->mem, a->e, &a->capacity, a->n + v.n, sizeof *list);
    if (!list)
        return false;
    a->e = list;
    memcpy(list + a->n, v.e, v.n * sizeof *list);
    a->n += v.n;
    if (v.type.base != T_FUNCTION)
        return true;
    const function_value fv = f->functions->function_value[v.type.info];
    for (int32_t i = 0; fv.bound && i < fv.bound->n; i++)
        if (!args_append(f, a, fv.bound_value[i]))
            return false;
    return true;
}

/* Types and arguments of a call, from the frame. */
static bool called_describe(flattener *f, const plan *p, called *c, arg_list *args)
{
    size_t results = 0;
    *c = (called){.class = p->class, .builtin = -1};
    c->input = arena_take(f->in->mem, (size_t)p->n + 1, sizeof *c->input);
    c->output = arena_take(f->in->mem, (size_t)p->n + 1, sizeof *c->output);
    for (int32_t i = 0; i < p->n; i++) {
        const local *l = &f->in->frame->local[i];
        if (!c->input || !c->output || (p->item[i].is_input && !args_append(f, args, l->value)))
            return false;
        if (p->item[i].is_input)
            c->input[c->n_inputs++] = l->value.type;
        if (!p->item[i].is_output)
            continue;
        type t = l->is_set ? type_opened(f->in, l->type, l->value.type) : l->type;
        bool is_open = t.base == T_RECORD && f->in->record[t.info].is_open;
        if (l->is_open || is_open || l->type.base == T_BAD) {
            f->in->obstacle.why = "the size of an output is not known";
            return false;
        }
        c->output[c->n_outputs++] = t;
        results += type_leaves(f->in, t);
    }
    c->n_args = (uint32_t)args->n;
    c->n_results = (uint32_t)results;
    return results <= UINT16_MAX && args->n <= UINT32_MAX;
}

static int32_t nodes_make(flattener *f, const called *c, const arg_list *args, value *outputs)
{
    int64_t id = called_add(f, c);
    uint16_t at = 0;
    for (int32_t i = 0; id >= 0 && i < c->n_outputs; i++) {
        outputs[i] = value_new(f->in, c->output[i]);
        if (is_bad(outputs[i]))
            return 0;
        for (size_t k = 0; k < outputs[i].n; k++)
            outputs[i].e[k] = expr_call(f->in->g,
                                        (expr_function){.id = (uint32_t)id,
                                                        .n_outputs = (uint16_t)c->n_results,
                                                        .output = at++},
                                        args->e, c->n_args);
    }
    return id < 0 ? 0 : c->n_outputs;
}

/* Whether the declarations of the function call it under a condition that is not constant, while
 * they are evaluated for a node already. */
static bool declarations_recur(const flattener *f, const plan *p)
{
    bool conditional = f->path != EXPR_NONE;
    for (const frame *fr = f->in->frame; fr; fr = fr->up) {
        if (fr->is_node && fr->class == p->class)
            return conditional;
        conditional = conditional || fr->path != EXPR_NONE;
    }
    return false;
}

int32_t call_as_node(flattener *f, const plan *p, const value *args, value *outputs, source_at at)
{
    frame fr;
    called c;
    arg_list list = {0};
    f->in->obstacle.is_met = declarations_recur(f, p);
    if (f->in->obstacle.is_met || !frame_enter(f, p, &fr, at))
        return 0;
    fr.is_node = true;
    bool settled = frame_settle(f, p, args, at, false);
    bool ok = settled && called_describe(f, p, &c, &list);
    frame_leave(f);
    if (ok)
        return nodes_make(f, &c, &list, outputs);
    if (!settled && !f->in->obstacle.is_met)
        return 0;                                  /* an error was reported */
    f->in->obstacle.is_met = f->in->frame != NULL; /* the caller may become a node */
    if (!f->in->obstacle.is_met)
        context_error(f->in, at, "'%s' cannot be evaluated: %s",
                      context_name(f->in, p->class->name),
                      f->in->obstacle.why ? f->in->obstacle.why : "it gave up");
    return 0;
}
