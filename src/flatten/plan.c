/* flatten/plan.c - see execute.h: what is known of a function before it is called.
 *
 * A plan has the declarations with their types (without sizes, which depend on arguments) and the
 * order in which they can be evaluated. It is made once for each class. A record constructor is a
 * function of its members. */
#include "flatten/execute.h"

/* ---- the order of declarations ---- */

typedef struct ordering {
    plan *plan;
    uint8_t *state; /* 0: not seen, 1: under way or done */
    int32_t n;
} ordering;

int32_t item_named(const plan *p, int32_t name)
{
    for (int32_t i = 0; i < p->n; i++)
        if (p->item[i].element->name == name)
            return i;
    return -1;
}

static void order_item(ordering *o, int32_t k);

/* What an expression uses is declared before. */
static void order_expr(void *user, const ast_expr *e)
{
    ordering *o = user;
    int32_t k = e->kind == AST_REF ? item_named(o->plan, e->part[0].name) : -1;
    if (k >= 0)
        order_item(o, k);
    ast_visit(e, order_expr, o);
}

static void order_sizes(ordering *o, const ast_list *sizes)
{
    for (int32_t i = 0; i < sizes->n; i++)
        order_expr(o, sizes->item[i]);
}

static void order_mods(ordering *o, const ast_mod *mods)
{
    for (const ast_mod *m = mods; m; m = m->next) {
        if (m->value)
            order_expr(o, m->value);
        order_mods(o, m->mods);
    }
}

static void order_item(ordering *o, int32_t k)
{
    const plan_item *it = &o->plan->item[k];
    if (o->state[k])
        return;
    o->state[k] = 1;
    order_sizes(o, &it->element->type_dims);
    order_sizes(o, &it->element->dims);
    if (it->binding)
        order_expr(o, it->binding);
    order_mods(o, it->given);
    o->plan->order[o->n++] = k;
}

static bool plan_order(flattener *f, plan *p)
{
    ordering o = {.plan = p};
    o.state = arena_take(&f->in->c->mem, (size_t)p->n + 1, sizeof *o.state);
    p->order = arena_take(&f->in->c->mem, (size_t)p->n + 1, sizeof *p->order);
    for (int32_t i = 0; o.state && p->order && i < p->n; i++)
        order_item(&o, i);
    return o.state && p->order;
}

/* ---- what is declared ---- */

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
        context_error(f->in, p->class->at, "'%s' is defined by itself",
                      context_name(f->in, p->class->name));
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

/* A record all of whose members have values is declared with these: R() if nothing else is said. */
static const ast_expr *default_record(flattener *f, const plan_item *it)
{
    const ast_element *e = it->element;
    if (it->base.base != T_RECORD || it->base.n_dims > 0 || e->dims.n + e->type_dims.n > 0)
        return NULL;
    const record *r = &f->in->record[it->base.info];
    for (int32_t i = 0; i < r->n; i++)
        if (!r->member[i].element || !r->member[i].element->binding)
            return NULL;
    ast_expr *call = r->n && r->class ? arena_take(&f->in->c->mem, 1, sizeof *call) : NULL;
    if (call)
        *call = (ast_expr){.kind = AST_CALL, .at = e->at, .end = e->end, .base = e->type};
    return call;
}

static bool plan_item_add(flattener *f, plan *p, const aliases *a, const ast_element *e)
{
    const layer *layers = NULL;
    plan_item *it = &p->item[p->n++];
    bool is_record = p->body->kind == AST_RECORD;
    it->element = e;
    it->binding = item_binding(a, e);
    it->base = type_resolve(f, e->type, &layers);
    if (!it->binding && it->base.base == T_RECORD && it->base.n_dims == 0 && e->dims.n == 0 &&
        e->type_dims.n == 0)
        it->given = e->mods;
    it->is_input = is_record ? !(e->prefixes & AST_CONSTANT) : (e->prefixes & AST_INPUT) != 0;
    it->is_output = !is_record && (e->prefixes & AST_OUTPUT);
    if (!it->binding && !it->given && !it->is_output && !(it->is_input && !is_record))
        it->binding = default_record(f, it);
    p->n_inputs += it->is_input;
    p->n_outputs += it->is_output;
    return it->base.base != T_BAD;
}

static bool plan_items(flattener *f, plan *p, const aliases *a)
{
    size_t n = 0;
    for (const ast_element *e = p->body->elements; e; e = e->next)
        n++;
    p->item = arena_take(&f->in->c->mem, n + 1, sizeof *p->item);
    for (const ast_element *e = p->body->elements; e && p->item; e = e->next) {
        if (e->kind == AST_EXTENDS)
            return context_error(f->in, e->at, "'extends' in '%s' is not supported",
                                 context_name(f->in, p->body->name))
                .n;
        if (e->kind == AST_COMPONENT && !plan_item_add(f, p, a, e))
            return false;
    }
    if (p->n_outputs > MOST_OUTPUTS)
        return context_error(f->in, p->body->at, "'%s' has more than %d outputs",
                             context_name(f->in, p->body->name), MOST_OUTPUTS)
            .n;
    return p->item && plan_order(f, p);
}

/* Whether the declarations are needed: a function without a body in this text needs no types. */
static bool needs_items(const flattener *f, const plan *p)
{
    return p->body && p->body->form == AST_LONG &&
           (!p->body->external || external_is_known(f, p->body));
}

static plan *plan_make(flattener *f, const ast_class *c)
{
    plan *p = arena_take(&f->in->c->mem, 1, sizeof *p);
    aliases a = {0};
    if (!p)
        return NULL;
    p->class = c;
    frame *inside = f->in->frame; /* sizes of type names cannot use locals */
    f->in->frame = NULL;
    p->body = behind_aliases(f, p, &a);
    if (!p->is_bad && needs_items(f, p))
        p->is_bad = !plan_items(f, p, &a);
    f->in->frame = inside;
    return p;
}

plan *plan_of(flattener *f, const ast_class *c)
{
    function_list *all = f->functions;
    uint32_t number = 0;
    if (!number_map_find(&all->plan_map, (uint64_t)(uintptr_t)c, &number)) {
        plan *p = plan_make(f, c);
        plan **list =
            context_push(f->in, all->plan, all->n_plans, &all->plan_capacity, sizeof *list);
        if (!p || !list)
            return NULL;
        all->plan = list;
        number = (uint32_t)all->n_plans++;
        all->plan[number] = p;
        number_map_put(&all->plan_map, &f->in->c->mem, (uint64_t)(uintptr_t)c, number);
    }
    return all->plan[number]->is_bad ? NULL : all->plan[number];
}

/* Outputs with default values need no statements. */
static bool has_default_outputs(const plan *p)
{
    for (int32_t i = 0; i < p->n; i++)
        if (p->item[i].is_output && !p->item[i].binding && !p->item[i].given)
            return false;
    return p->n_outputs > 0;
}

bool plan_has_body(const flattener *f, const plan *p)
{
    if (!p->body || p->body->form != AST_LONG)
        return false;
    if (p->body->external)
        return external_is_known(f, p->body);
    return p->body->sections || has_default_outputs(p);
}
