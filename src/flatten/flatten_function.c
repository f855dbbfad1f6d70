/* flatten/flatten_function.c - see flatten_core.h: calls of functions and constructors.
 *
 * A function is executed on the values of its arguments: its declarations in the order of
 * their dependence, then its statements.  What is known of a class beforehand (types without
 * sizes, the order) is its `plan`, made once.  Where the execution gives up, the call becomes
 * a node of the graph and the function an entry of f->called (flatten_called.c).   */
#include "flatten/flatten_core.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ALIASES = 20, RUN_DEPTH_MAX = 400 };

static const value bad_value = {.type = {.base = T_BAD, .info = -1}};

call_memory *memory_of(flattener *f)
{
    if (!f->memory)
        f->memory = arena_take(&f->c->mem, 1, sizeof *f->memory);
    return f->memory;
}

value type_zero(flattener *f, type t)
{
    value v = value_new(f, t);
    double zero = t.base == T_ENUM ? 1.0 : t.base == T_STRING ? fl_intern(f, "") : 0.0;
    if (is_bad(v) || t.base != T_RECORD) {
        for (size_t i = 0; i < v.n; i++)
            v.e[i] = fl_constant(f, zero);
        return v;
    }
    size_t leaves = f->record[t.info].leaves;
    for (int32_t i = 0; i < f->record[t.info].n; i++) {
        member m = f->record[t.info].member[i];
        value one = type_zero(f, m.type);
        if (is_bad(one))
            return one;
        for (size_t k = 0; k < type_count(t); k++)
            memcpy(v.e + k * leaves + m.offset, one.e, one.n * sizeof *one.e);
    }
    return v;
}

/* ---- plans: the order of declarations ---- */

typedef struct ordering {
    plan *plan;
    uint8_t *state; /* 0: not seen, 1: under way or done */
    int32_t n;
} ordering;

static int32_t item_named(const plan *p, int32_t name)
{
    for (int32_t i = 0; i < p->n; i++)
        if (p->item[i].element->name == name)
            return i;
    return -1;
}

static void order_item(ordering *o, int32_t k);

static void order_expr(ordering *o, const ast_expr *e);

static void order_parts(ordering *o, const ast_expr *e)
{
    for (int32_t i = 0; i < e->n; i++)
        for (int32_t k = 0; k < e->part[i].n_subs; k++)
            order_expr(o, e->part[i].sub[k]);
}

static void order_items(ordering *o, ast_expr *const *item, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (item[i])
            order_expr(o, item[i]);
}

static void order_call(ordering *o, const ast_expr *e)
{
    for (int32_t i = 0; i < e->n; i++)
        order_expr(o, e->arg[i].value);
}

static void order_iterated(ordering *o, const ast_expr *e)
{
    order_expr(o, e->base);
    for (int32_t i = 0; i < e->n; i++)
        if (e->iterator[i].range)
            order_expr(o, e->iterator[i].range);
}

static void order_expr(ordering *o, const ast_expr *e)
{
    switch (e->kind) {
    case AST_REF: {
        int32_t k = item_named(o->plan, e->part[0].name);
        if (k >= 0)
            order_item(o, k);
        order_parts(o, e);
        break;
    }
    case AST_ACCESS:
        order_expr(o, e->base);
        order_parts(o, e);
        break;
    case AST_CALL:
    case AST_FUNCTION:
        order_call(o, e);
        break;
    case AST_UNARY:
    case AST_DECORATED:
        order_expr(o, e->base);
        break;
    case AST_CHAIN:
    case AST_RANGE:
    case AST_IF:
    case AST_ARRAY:
    case AST_MATRIX:
    case AST_ROW:
    case AST_TUPLE:
        order_items(o, e->item, e->n);
        break;
    case AST_ITERATED:
        order_iterated(o, e);
        break;
    default:
        break;
    }
}

static void order_item(ordering *o, int32_t k)
{
    const plan_item *it = &o->plan->item[k];
    if (o->state[k])
        return;
    o->state[k] = 1;
    order_items(o, it->element->type_dims.item, it->element->type_dims.n);
    order_items(o, it->element->dims.item, it->element->dims.n);
    if (it->binding)
        order_expr(o, it->binding);
    o->plan->order[o->n++] = k;
}

static bool plan_order(flattener *f, plan *p)
{
    ordering o = {.plan = p};
    o.state = arena_take(&f->c->mem, (size_t)p->n + 1, sizeof *o.state);
    p->order = arena_take(&f->c->mem, (size_t)p->n + 1, sizeof *p->order);
    for (int32_t i = 0; o.state && p->order && i < p->n; i++)
        order_item(&o, i);
    return o.state && p->order;
}

/* ---- plans: declarations ---- */

typedef struct aliases {
    const ast_mod *mods[MOST_ALIASES]; /* the strongest first */
    int n;
} aliases;

static const ast_class *behind_aliases(flattener *f, plan *p, aliases *a)
{
    const ast_class *c = p->class;
    while (c && c->form == AST_ALIAS && a->n < MOST_ALIASES) {
        a->mods[a->n++] = c->mods;
        p->base = c->base;
        c = class_find(f, c->base);
    }
    if (c && c->form == AST_ALIAS) {
        fl_error(f, p->class->at, "'%s' is defined by itself", fl_name(f, p->class->name));
        p->is_bad = true;
    }
    return c;
}

static const ast_expr *item_binding(const aliases *a, const ast_element *e)
{
    for (int i = 0; i < a->n; i++)
        for (const ast_mod *m = a->mods[i]; m; m = m->next)
            if (m->name == e->name && m->value)
                return m->value;
    return e->binding;
}

static bool plan_item_add(flattener *f, plan *p, const aliases *a, const ast_element *e)
{
    const layer *layers = NULL;
    plan_item *it = &p->item[p->n++];
    bool is_record = p->body->kind == AST_RECORD;
    it->element = e;
    it->binding = item_binding(a, e);
    it->base = type_resolve(f, e->type, &layers);
    it->is_input = is_record ? !(e->prefixes & AST_CONSTANT) : (e->prefixes & AST_INPUT) != 0;
    it->is_output = !is_record && (e->prefixes & AST_OUTPUT);
    p->n_inputs += it->is_input;
    p->n_outputs += it->is_output;
    return it->base.base != T_BAD;
}

static bool plan_items(flattener *f, plan *p, const aliases *a)
{
    size_t n = 0;
    for (const ast_element *e = p->body->elements; e; e = e->next)
        n++;
    p->item = arena_take(&f->c->mem, n + 1, sizeof *p->item);
    for (const ast_element *e = p->body->elements; e && p->item; e = e->next) {
        if (e->kind == AST_EXTENDS)
            return fl_error(f, e->at, "'extends' in '%s' is not supported",
                            fl_name(f, p->body->name))
                .n;
        if (e->kind == AST_COMPONENT && !plan_item_add(f, p, a, e))
            return false;
    }
    if (p->n_outputs > MOST_OUTPUTS)
        return fl_error(f, p->body->at, "'%s' has more than %d outputs", fl_name(f, p->body->name),
                        MOST_OUTPUTS)
            .n;
    return p->item && plan_order(f, p);
}

/* A function of which only the head is asked for: bodies that are elsewhere need no types. */
static bool needs_items(const plan *p)
{
    return p->body && p->body->form == AST_LONG && !p->body->external;
}

static plan *plan_make(flattener *f, const ast_class *c)
{
    plan *p = arena_take(&f->c->mem, 1, sizeof *p);
    aliases a = {0};
    if (!p)
        return NULL;
    p->class = c;
    frame *inside = f->frame; /* sizes of type names know no locals */
    f->frame = NULL;
    p->body = behind_aliases(f, p, &a);
    if (!p->is_bad && needs_items(p))
        p->is_bad = !plan_items(f, p, &a);
    f->frame = inside;
    return p;
}

plan *plan_of(flattener *f, const ast_class *c)
{
    call_memory *m = memory_of(f);
    uint32_t number = 0;
    if (!m)
        return NULL;
    if (!map_find(&m->map, (uint64_t)(uintptr_t)c, &number)) {
        plan *p = plan_make(f, c);
        plan **list = fl_push(f, m->plan, m->n_plans, &m->capacity, sizeof *list);
        if (!p || !list)
            return NULL;
        m->plan = list;
        number = (uint32_t)m->n_plans++;
        m->plan[number] = p;
        map_put(f, &m->map, (uint64_t)(uintptr_t)c, number);
    }
    return m->plan[number]->is_bad ? NULL : m->plan[number];
}

/* ---- frames ---- */

typedef struct outside {
    departure **breaks;
    int32_t end;
    int raw;
} outside;

static bool frame_enter(flattener *f, const plan *p, frame *fr, outside *o)
{
    call_memory *m = memory_of(f);
    size_t depth = (size_t)f->call_depth, n = (size_t)p->n;
    frame_room *room = arena_grow(&f->c->mem, m->room, &m->n_rooms, depth + 1, sizeof *room);
    if (!room)
        return false;
    m->room = room;
    room += depth;
    local *list = arena_grow(&f->c->mem, room->local, &room->capacity, n + 1, sizeof *list);
    if (!list)
        return false;
    room->local = list;
    memset(list, 0, (n + 1) * sizeof *list);
    *fr = (frame){.local = list, .n = p->n, .class = p->class, .up = f->frame};
    fr->iterations = f->iterations;
    fr->path = f->path;
    fr->nodes = f->g->n;
    for (int32_t i = 0; i < p->n; i++)
        list[i].name = p->item[i].element->name;
    *o = (outside){.breaks = f->breaks, .end = f->end, .raw = f->raw};
    f->frame = fr;
    f->iterations = NULL;
    f->path = EXPR_NONE;
    f->breaks = NULL;
    f->end = -1;
    f->raw = 0;
    f->call_depth++;
    return true;
}

static void frame_leave(flattener *f, const outside *o)
{
    const frame *fr = f->frame;
    f->call_depth--;
    f->path = fr->path;
    f->iterations = fr->iterations;
    f->frame = fr->up;
    f->breaks = o->breaks;
    f->end = o->end;
    f->raw = o->raw;
}

/* ---- values of declarations ---- */

/* Does it fit as it is, so that no message need be prepared? */
static bool fits(value v, type t)
{
    bool same = v.type.base == t.base && (v.type.info == t.info || t.base == T_FUNCTION);
    return type_same_sizes(v.type, t) && (same || (t.base == T_REAL && v.type.base == T_INTEGER));
}

bool local_assign(flattener *f, local *l, value v, source_at at, const char *what)
{
    type t = l->type;
    for (int i = 0; l->is_open && i < t.n_dims && t.n_dims == v.type.n_dims; i++)
        if (t.dim[i] < 0)
            t.dim[i] = v.type.dim[i];
    if (is_bad(v))
        return false;
    if (t.base == T_FUNCTION && v.type.base == T_FUNCTION)
        t = v.type;
    if (fits(v, t))
        v.type = t;
    else
        v = value_convert(f, v, t, at, what ? what : fl_text(f, "'%s'", fl_name(f, l->name)));
    if (is_bad(v))
        return false;
    l->value = v;
    l->is_set = true;
    l->is_owned = false;
    return true;
}

static type item_type(flattener *f, const plan_item *it, bool *is_open)
{
    type t = type_sized(f, it->base, &it->element->type_dims, is_open);
    return type_sized(f, t, &it->element->dims, is_open);
}

static const char *item_text(flattener *f, const plan *p, int32_t k)
{
    return fl_text(f, "%s'%s' of '%s'", p->item[k].is_input ? "argument " : "",
                   fl_name(f, p->item[k].element->name), fl_name(f, p->class->name));
}

static bool item_settle(flattener *f, const plan *p, int32_t k, source_at at)
{
    const plan_item *it = &p->item[k];
    local *l = &f->frame->local[k];
    bool is_open = false, given = l->is_set;
    if (!given && it->is_input && !it->binding)
        return fl_error(f, at, "%s is missing", item_text(f, p, k)).n;
    l->type = item_type(f, it, &is_open);
    l->is_open = is_open;
    if (l->type.base == T_BAD)
        return false;
    if (!given && !it->binding)
        return true;
    value v = given ? l->value : eval(f, it->binding);
    if (is_bad(v))
        return false;
    source_at place = given ? at : it->binding->at;
    bool plain = fits(v, l->type) || (is_open && v.type.n_dims == l->type.n_dims);
    bool ok = local_assign(f, l, v, place, plain ? NULL : item_text(f, p, k));
    l->is_const = it->is_input || (it->element->prefixes & AST_CONSTANT);
    return ok;
}

/* All declarations.  Not strict: what is neither input nor known is left alone. */
static bool frame_settle(flattener *f, const plan *p, const value *args, source_at at, bool strict)
{
    for (int32_t i = 0; i < p->n; i++)
        if (!is_bad(args[i])) {
            f->frame->local[i].value = args[i];
            f->frame->local[i].is_set = true;
        }
    for (int32_t i = 0; i < p->n; i++) {
        int32_t k = p->order[i];
        if (item_settle(f, p, k, at))
            continue;
        if (strict || p->item[k].is_input || !f->gave_up)
            return false;
        f->gave_up = false;
        f->frame->local[k].is_set = false;
    }
    return true;
}

static flow body_run(flattener *f, const plan *p)
{
    flow w = FLOW_NEXT;
    for (const ast_section *s = p->body->sections; s && w == FLOW_NEXT; s = s->next) {
        if (s->kind != AST_ALGORITHM) {
            fl_error(f, s->at, "a function can have algorithms only");
            return FLOW_FAIL;
        }
        w = statements_run(f, s->clauses);
    }
    if (w == FLOW_FAIL || w == FLOW_GIVE_UP)
        return w;
    departures_merge(f, f->frame->returns, p->body->at);
    return f->gave_up ? FLOW_GIVE_UP : FLOW_NEXT;
}

static value record_collect(flattener *f, const plan *p, source_at at)
{
    type t = type_scalar(T_RECORD);
    t.info = record_of_class(f, p->body, at);
    value v = t.info < 0 ? bad_value : value_new(f, t);
    for (int32_t i = 0; !is_bad(v) && i < p->n; i++) {
        member m = f->record[t.info].member[i];
        const local *l = &f->frame->local[i];
        value one = l->is_set ? value_convert(f, l->value, m.type, at, item_text(f, p, i))
                              : type_zero(f, m.type);
        if (is_bad(one))
            return one;
        memcpy(v.e + m.offset, one.e, one.n * sizeof *one.e);
    }
    return v;
}

static int32_t outputs_collect(flattener *f, const plan *p, value *outputs, source_at at)
{
    int32_t n = 0;
    if (p->body->kind == AST_RECORD) {
        outputs[0] = record_collect(f, p, at);
        return !is_bad(outputs[0]);
    }
    for (int32_t i = 0; i < p->n; i++) {
        const local *l = &f->frame->local[i];
        if (!p->item[i].is_output)
            continue;
        bool never = !l->is_set && type_leaves(f, l->type) > 0;
        if (never && (l->is_open || !f->frame->has_failed)) {
            fl_error(f, at, "output '%s' of '%s' gets no value", fl_name(f, l->name),
                     fl_name(f, p->class->name));
            return 0;
        }
        outputs[n] = l->is_set ? l->value : type_zero(f, l->type);
        if (is_bad(outputs[n++]))
            return 0;
    }
    return n;
}

int32_t plan_execute(flattener *f, plan *p, const value *args, value *outputs, source_at at)
{
    frame fr;
    outside o;
    int32_t n = 0;
    if (f->is_run && f->call_depth > RUN_DEPTH_MAX)
        return (int32_t)fl_error(f, at, "'%s' calls itself too often", fl_name(f, p->class->name))
            .n;
    if (!frame_enter(f, p, &fr, &o))
        return 0;
    if (frame_settle(f, p, args, at, true)) {
        flow w = body_run(f, p);
        if (w != FLOW_FAIL && w != FLOW_GIVE_UP)
            n = outputs_collect(f, p, outputs, at);
    }
    frame_leave(f, &o);
    return n;
}

/* ---- calls as nodes of the graph ---- */

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
        a->n_args != b->n_args || a->n_results != b->n_results)
        return false;
    if (a->is_difference)
        return a->of == b->of && a->along == b->along;
    return a->n_inputs == b->n_inputs && a->n_outputs == b->n_outputs &&
           same_types(a->input, b->input, a->n_inputs) &&
           same_types(a->output, b->output, a->n_outputs);
}

static type *types_keep(flattener *f, const type *t, int32_t n)
{
    return arena_copy(&f->c->mem, t, (size_t)n, (size_t)n + 1, sizeof *t);
}

int64_t called_add(flattener *f, const called *c)
{
    for (size_t i = 0; i < f->n_called; i++)
        if (same_called(&f->called[i], c))
            return (int64_t)i;
    called *list = fl_push(f, f->called, f->n_called, &f->called_capacity, sizeof *list);
    called copy = *c;
    copy.input = types_keep(f, c->input, c->n_inputs);
    copy.output = types_keep(f, c->output, c->n_outputs);
    if (!list || !copy.input || !copy.output)
        return -1;
    f->called = list;
    f->called[f->n_called] = copy;
    return (int64_t)f->n_called++;
}

typedef struct arg_list {
    expr *e;
    size_t n, capacity;
} arg_list;

static bool args_append(flattener *f, arg_list *a, value v)
{
    expr *list = arena_grow(f->mem, a->e, &a->capacity, a->n + v.n, sizeof *list);
    if (!list)
        return false;
    a->e = list;
    memcpy(list + a->n, v.e, v.n * sizeof *list);
    a->n += v.n;
    if (v.type.base != T_FUNCTION)
        return true;
    const function_value fv = f->function_value[v.type.info];
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
    c->input = arena_take(f->mem, (size_t)p->n + 1, sizeof *c->input);
    c->output = arena_take(f->mem, (size_t)p->n + 1, sizeof *c->output);
    for (int32_t i = 0; i < p->n; i++) {
        const local *l = &f->frame->local[i];
        if (!c->input || !c->output || (p->item[i].is_input && !args_append(f, args, l->value)))
            return false;
        if (p->item[i].is_input)
            c->input[c->n_inputs++] = l->value.type;
        if (!p->item[i].is_output)
            continue;
        if (l->is_open || l->type.base == T_BAD) {
            f->why_not = "the size of an output is not known";
            return false;
        }
        c->output[c->n_outputs++] = l->type;
        results += type_leaves(f, l->type);
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
        outputs[i] = value_new(f, c->output[i]);
        if (is_bad(outputs[i]))
            return 0;
        for (size_t k = 0; k < outputs[i].n; k++)
            outputs[i].e[k] = expr_call(f->g,
                                        (expr_function){.id = (uint32_t)id,
                                                        .n_outputs = (uint16_t)c->n_results,
                                                        .output = at++},
                                        args->e, c->n_args);
    }
    return id < 0 ? 0 : c->n_outputs;
}

static int32_t call_as_node(flattener *f, const plan *p, const value *args, value *outputs,
                            source_at at)
{
    frame fr;
    outside o;
    called c;
    arg_list list = {0};
    f->gave_up = false;
    if (!frame_enter(f, p, &fr, &o))
        return 0;
    bool settled = frame_settle(f, p, args, at, false);
    bool ok = settled && called_describe(f, p, &c, &list);
    frame_leave(f, &o);
    if (ok)
        return nodes_make(f, &c, &list, outputs);
    if (!settled && !f->gave_up)
        return 0;                  /* reported */
    f->gave_up = f->frame != NULL; /* the caller may become a call */
    if (!f->gave_up)
        fl_error(f, at, "'%s' cannot be evaluated: %s", fl_name(f, p->class->name),
                 f->why_not ? f->why_not : "it gave up");
    return 0;
}

/* ---- one call on values ---- */

static bool is_all_constant(const flattener *f, const plan *p, const value *args)
{
    for (int32_t i = 0; i < p->n; i++) {
        if (is_bad(args[i]))
            continue;
        if (!value_is_constant(f, args[i]))
            return false;
        if (args[i].type.base != T_FUNCTION)
            continue;
        const function_value *fv = &f->function_value[args[i].type.info];
        for (int32_t k = 0; fv->bound && k < fv->bound->n; k++)
            if (!value_is_constant(f, fv->bound_value[k]))
                return false;
    }
    return true;
}

/* Called from itself under a condition that is not known: it would never end. */
static bool is_endless(const flattener *f, const plan *p)
{
    bool conditional = f->path != EXPR_NONE;
    if (f->call_depth >= CALL_DEPTH_MAX)
        return true;
    for (const frame *fr = f->frame; fr; fr = fr->up) {
        if (fr->class == p->class)
            return conditional;
        conditional = conditional || fr->path != EXPR_NONE;
    }
    return false;
}

static int32_t call_inline(flattener *f, plan *p, const value *args, value *outputs, source_at at)
{
    size_t n_asserts = f->m->n_asserts;
    if (p->is_too_large || is_endless(f, p)) {
        f->why_not = "it calls itself";
        return call_as_node(f, p, args, outputs, at);
    }
    uint32_t before = f->g->n;
    int32_t n = plan_execute(f, p, args, outputs, at);
    if (n || !f->gave_up)
        return n;
    p->is_too_large = f->g->n - before > INLINE_NODES_MAX;
    f->m->n_asserts = n_asserts;
    return call_as_node(f, p, args, outputs, at);
}

static int32_t call_once(flattener *f, plan *p, const value *args, value *outputs, source_at at)
{
    if (f->is_run || p->body->kind == AST_RECORD)
        return plan_execute(f, p, args, outputs, at);
    if (is_all_constant(f, p, args)) {
        int32_t n = functions_run(f, p, args, outputs, at);
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

/* Leading dimensions over which the call is repeated; NULL type: T_BAD, after an error. */
static bool spread_of(flattener *f, const plan *p, const value *args, type *spread, source_at at)
{
    *spread = type_scalar(T_REAL);
    for (int32_t i = 0; i < p->n; i++) {
        int32_t extra = is_bad(args[i]) ? 0 : args[i].type.n_dims - declared_dims(&p->item[i]);
        if (extra <= 0 || args[i].type.base == T_FUNCTION)
            continue;
        type here = type_array(type_scalar(T_REAL), extra, args[i].type.dim);
        if (spread->n_dims && !type_same_sizes(*spread, here))
            return fl_error(f, at, "%s is %s, which does not fit the other arguments",
                            item_text(f, p, i), type_text(f, args[i].type))
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
            outputs[n] =
                value_new(f, type_array(type_element(p->item[i].base), spread.n_dims, spread.dim));
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
            outputs[i] = value_new(f, type_array(one[i].type, spread.n_dims, spread.dim));
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
    value *slice = arena_take(f->mem, (size_t)p->n + 1, sizeof *slice);
    value *one = arena_take(f->mem, MOST_OUTPUTS, sizeof *one);
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
        return fl_error(f, arg->at, "%s is given twice", item_text(f, p, k)).n;
    args[k] =
        p->item[k].base.base == T_FUNCTION ? function_as_value(f, arg->value) : eval(f, arg->value);
    return !is_bad(args[k]);
}

/* Exporters give constant members of records a value too. */
static bool takes(const plan *p, const ast_expr *call, int32_t k)
{
    return p->item[k].is_input || (p->body->kind == AST_RECORD && call->n > p->n_inputs);
}

static bool arg_named(flattener *f, const plan *p, const ast_arg *arg, value *args)
{
    int32_t k = item_named(p, arg->name);
    if (k < 0 || (!p->item[k].is_input && p->body->kind != AST_RECORD))
        return fl_error(f, arg->at, "'%s' has no argument '%s'", fl_name(f, p->class->name),
                        fl_name(f, arg->name))
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
            return fl_error(f, call->arg[i].at, "too many arguments for '%s': it has %d",
                            fl_name(f, p->class->name), (int)p->n_inputs)
                .n;
        if (!arg_eval(f, p, next, &call->arg[i], args))
            return false;
    }
    return true;
}

static int32_t plan_call(flattener *f, plan *p, const ast_expr *call, value *args, value *outputs)
{
    type spread;
    if (!args || !args_eval(f, p, call, args) || !spread_of(f, p, args, &spread, call->at))
        return 0;
    if (spread.n_dims)
        return call_each(f, p, args, spread, outputs, call->at);
    return call_once(f, p, args, outputs, call->at);
}

/* ---- what a call can be ---- */

static int32_t named_call(flattener *f, const ast_expr *call, int32_t name, bool quoted,
                          value *outputs)
{
    int32_t n = 0;
    const char *text = fl_name(f, name);
    if (!quoted && builtin_call(f, call, text, outputs))
        return !is_bad(outputs[0]);
    if (library_call(f, call, text, outputs, &n))
        return n;
    unknown_name(f, call->at, "function", text);
    return 0;
}

/* A function whose statements are not in the text. */
static int32_t bodiless_call(flattener *f, const plan *p, const ast_expr *call, value *outputs)
{
    int32_t n = 0;
    const char *name = fl_name(f, p->class->name);
    if (!p->body) {
        bool quoted = ast_simple_name(p->base) == INTERN_NONE || p->base->part[0].quoted;
        return named_call(f, call, ast_flat_name(p->base, f->names), quoted, outputs);
    }
    if (library_call(f, call, name, outputs, &n))
        return n;
    if (p->body->form == AST_DERIVATIVE)
        fl_error(f, call->at, "'%s' is a partial derivative, which is not supported", name);
    else if (p->body->external)
        fl_error(f, call->at, "external function '%s' is not supported", name);
    else
        fl_error(f, call->at, "function '%s' has no body", name);
    return 0;
}

static bool has_body(const plan *p)
{
    return p->body && p->body->form == AST_LONG && !p->body->external && p->body->sections;
}

static int32_t function_call(flattener *f, const ast_class *c, const ast_expr *call, value *outputs)
{
    plan *p = plan_of(f, c);
    if (!p)
        return 0;
    if (!has_body(p))
        return bodiless_call(f, p, call, outputs);
    value *args = arena_take(f->mem, (size_t)p->n + 1, sizeof *args);
    return plan_call(f, p, call, args, outputs);
}

value record_construct(flattener *f, const ast_class *c, const ast_expr *call)
{
    value outputs[1] = {bad_value};
    plan *p = plan_of(f, c);
    if (!p || !p->body)
        return bad_value;
    value *args = arena_take(f->mem, (size_t)p->n + 1, sizeof *args);
    return plan_call(f, p, call, args, outputs) ? outputs[0] : bad_value;
}

/* 'T'(i): the literal of that number. */
static value enumeration_convert(flattener *f, const ast_class *c, const ast_expr *call)
{
    const ast_expr *arg;
    int32_t k = enumeration_of_class(f, c);
    if (k < 0 || !builtin_args(f, call, "i", 1, &arg))
        return bad_value;
    value v = eval(f, arg);
    if (is_bad(v))
        return v;
    if (v.type.base != T_INTEGER)
        return fl_error(f, arg->at, "'%s' of %s, not of Integer", fl_name(f, c->name),
                        type_text(f, v.type));
    for (size_t i = 0; i < v.n; i++) {
        double x = expr_is_constant(f->g, v.e[i]) ? expr_value(f->g, v.e[i]) : 1.0;
        if (!(x >= 1.0 && x <= f->m->enumerations[k].n))
            return fl_error(f, arg->at, "'%s' has no literal number %.17g", fl_name(f, c->name), x);
    }
    v.type.base = T_ENUM;
    v.type.info = k;
    return v;
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
    else
        outputs[0] = fl_error(f, call->at, "'%s' is a %s and cannot be called", fl_name(f, c->name),
                              ast_class_kind_text(c->kind));
    return !is_bad(outputs[0]);
}

/* ---- function values ---- */

static int32_t function_value_call(flattener *f, int32_t number, const ast_expr *call,
                                   value *outputs)
{
    const function_value fv = f->function_value[number];
    plan *p = fv.class ? plan_of(f, fv.class) : NULL;
    if (!fv.class)
        return named_call(f, call, fv.name, false, outputs);
    if (!p)
        return 0;
    if (!has_body(p))
        return bodiless_call(f, p, call, outputs);
    value *args = arena_take(f->mem, (size_t)p->n + 1, sizeof *args);
    for (int32_t i = 0; args && fv.bound && i < fv.bound->n; i++) {
        int32_t k = item_named(p, fv.bound->arg[i].name);
        if (k < 0 || !p->item[k].is_input)
            return (int32_t)fl_error(f, fv.bound->arg[i].at, "'%s' has no argument '%s'",
                                     fl_name(f, p->class->name), fl_name(f, fv.bound->arg[i].name))
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
    while (k < f->n_function_values && !same_function_value(&f->function_value[k], fv))
        k++;
    if (k == f->n_function_values) {
        function_value *list = fl_push(f, f->function_value, f->n_function_values,
                                       &f->function_value_capacity, sizeof *list);
        if (!list)
            return bad_value;
        f->function_value = list;
        f->function_value[f->n_function_values++] = *fv;
    }
    value v = value_number(f, T_FUNCTION, (double)k);
    v.type.info = (int32_t)k;
    return v;
}

/* Values that are bound outlive the clause, except in a run. */
static bool bound_eval(flattener *f, const ast_expr *e, function_value *fv)
{
    arena *mem = f->is_run ? f->mem : &f->c->mem;
    plan *p = fv->class ? plan_of(f, fv->class) : NULL;
    fv->bound = e;
    fv->bound_value = arena_take(mem, (size_t)e->n + 1, sizeof *fv->bound_value);
    for (int32_t i = 0; fv->bound_value && i < e->n; i++) {
        int32_t k = p && p->item ? item_named(p, e->arg[i].name) : -1;
        bool is_function = k >= 0 && p->item[k].base.base == T_FUNCTION;
        if (e->arg[i].name == INTERN_NONE)
            return fl_error(f, e->arg[i].at, "arguments of a function as argument need names").n;
        value v = is_function ? function_as_value(f, e->arg[i].value) : eval(f, e->arg[i].value);
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
        return value_convert(f, eval(f, e), type_scalar(T_FUNCTION), e->at, "the argument");
    const ast_expr *ref = e->kind == AST_REF ? e : e->base;
    int32_t simple = ast_simple_name(ref);
    const local *l = simple != INTERN_NONE ? local_find(f, simple) : NULL;
    function_value fv = {.name = ast_flat_name(ref, f->names)};
    if (l && l->is_set && l->value.type.base == T_FUNCTION) {
        if (e->kind == AST_REF)
            return l->value;
        fv = f->function_value[l->value.type.info];
        if (fv.bound)
            return fl_error(f, e->at, "'%s' has bound arguments already", fl_name(f, simple));
    } else {
        fv.class = class_find(f, ref);
    }
    if (fv.class && fv.class->kind != AST_FUNCTION_CLASS)
        return fl_error(f, e->at, "'%s' is no function", fl_name(f, fv.class->name));
    if (e->kind == AST_FUNCTION && !bound_eval(f, e, &fv))
        return bad_value;
    return function_value_add(f, &fv);
}

/* ---- calls ---- */

int32_t call_outputs(flattener *f, const ast_expr *call, value *outputs)
{
    const ast_expr *ref = call->base;
    int32_t simple = ast_simple_name(ref), name = ast_flat_name(ref, f->names);
    const local *l = simple != INTERN_NONE ? local_find(f, simple) : NULL;
    int32_t n = 0;
    if (l && l->is_set && l->value.type.base == T_FUNCTION)
        return function_value_call(f, l->value.type.info, call, outputs);
    bool builtin = simple != INTERN_NONE && !ref->part[0].quoted;
    if (builtin && builtin_call(f, call, fl_name(f, simple), outputs))
        return !is_bad(outputs[0]);
    const ast_class *c = class_find(f, ref);
    if (c)
        return class_call(f, c, call, outputs);
    if (library_call(f, call, fl_name(f, name), outputs, &n))
        return n;
    unknown_name(f, call->at, "function", fl_name(f, name));
    return 0;
}

value call_eval(flattener *f, const ast_expr *call)
{
    value outputs[MOST_OUTPUTS];
    int32_t errors = f->c->sources.n_errors;
    if (call_outputs(f, call, outputs) > 0)
        return outputs[0];
    if (!f->gave_up && f->c->sources.n_errors == errors && !f->c->mem.failed)
        fl_error(f, call->at, "this call has no value");
    return bad_value;
}
