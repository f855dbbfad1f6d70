/* instantiate/connections.c - see connections.h: connections become equations.
 *
 * Every scalar of a connector has two nodes, seen from inside and from outside of the component
 * that it belongs to.  Connected nodes form sets, found by union-find.  In a set potentials are
 * equal and flows sum to zero, those of outside nodes with the other sign. */
#include "instantiate/connections.h"

#include <string.h>

/* ---- collecting ---- */

static connection_list *list_of(builder *b)
{
    if (!b->connections)
        b->connections = builder_take(b, 1, sizeof *b->connections);
    return b->connections;
}

/* The reference with its subscripts as literals, since loop variables are about to change. */
static const ast_expr *freeze(builder *b, scope *s, const ast_expr *ref)
{
    if (ref->kind != AST_REF)
        return instance_error(b, s->in, ref->at, "only components can be connected");
    ast_expr *e = arena_copy(b->mem, ref, 1, 1, sizeof *e);
    ast_part *part = arena_copy(b->mem, ref->part, (size_t)ref->n, (size_t)ref->n, sizeof *part);
    if (!e || !part)
        return NULL;
    e->part = part;
    for (int32_t p = 0; p < ref->n; p++) {
        if (part[p].n_subs == 0)
            continue;
        part[p].sub = builder_take(b, (size_t)part[p].n_subs, sizeof *part[p].sub);
        for (int32_t i = 0; part[p].sub && i < part[p].n_subs; i++) {
            ast_expr *sub = ref->part[p].sub[i];
            bool stays = sub->kind == AST_COLON || sub->kind == AST_END;
            if (!stays) {
                b->quiet++;
                ast_expr *v = evaluate_constant(b, s, sub);
                b->quiet--;
                sub = v ? v : sub; /* `end` is known later */
            }
            part[p].sub[i] = sub;
        }
    }
    return e;
}

/* A reference that begins with a connector of the class is outside. */
static bool is_outside(builder *b, scope *s, const ast_expr *ref)
{
    element *e = lookup(b, s, ref->part[0].name);
    if (!e || e->is_class)
        return false;
    instance *in = component_inside(b, s, e);
    return in && is_connector(in);
}

void connection_add(builder *b, scope *s, const ast_expr *call, source_at at, source_at end)
{
    connection_list *l = list_of(b);
    if (!l)
        return;
    if (strcmp(name_text(b, call->base->part[0].name), "connect") != 0) {
        graph_call(b, s, call, at, end);
        return;
    }
    if (call->n != 2) {
        instance_error(b, s->in, at, "connect needs two arguments, which are connectors");
        return;
    }
    connection *list = arena_grow(b->mem, l->item, &l->capacity, l->n + 1, sizeof *list);
    if (!list)
        return;
    l->item = list;
    connection c = {.s = s, .at = at, .until = end};
    for (int k = 0; k < 2; k++) {
        c.ref[k] = freeze(b, s, call->arg[k].value);
        if (!c.ref[k])
            return;
        c.is_outside[k] = is_outside(b, s, c.ref[k]);
    }
    list[l->n++] = c;
}

/* ---- what is connected ---- */

static void end_push(builder *b, end_list *to, instance *in, int32_t at)
{
    end_item *list = arena_grow(b->mem, to->item, &to->capacity, to->n + 1, sizeof *list);
    if (!list)
        return;
    to->item = list;
    list[to->n++] = (end_item){in, at};
}

int32_t scalar_count(const instance *in)
{
    int32_t n = 1;
    for (int32_t i = 0; i < in->n_dims; i++)
        n *= in->dim[i];
    return n;
}

static bool subscript_list(builder *b, scope *s, const ast_expr *sub, int32_t size, int32_t **many,
                           int32_t *n)
{
    *many = builder_take(b, (size_t)size + 1, sizeof **many);
    *n = 0;
    if (!*many)
        return false;
    if (sub->kind == AST_COLON) {
        for (int32_t i = 0; i < size; i++)
            (*many)[(*n)++] = i + 1;
        return true;
    }
    const ast_expr *end = b->end;
    b->end = node_integer(b, size, sub->at);
    ast_expr *v = evaluate_constant(b, s, sub);
    b->end = end;
    if (!v)
        return false;
    ast_expr *single = v;
    ast_expr **item = v->kind == AST_ARRAY ? v->item : &single;
    int32_t count = v->kind == AST_ARRAY ? v->n : 1;
    if (count > size)
        *many = builder_take(b, (size_t)count + 1, sizeof **many);
    for (int32_t i = 0; *many && i < count; i++) {
        int64_t k = item[i]->kind == AST_BOOLEAN ? item[i]->integer + 1 : item[i]->integer;
        if (k < 1 || k > size) {
            instance_error(b, s->in, sub->at, "subscript %lld is outside 1 .. %d", (long long)k,
                           (int)size);
            return false;
        }
        (*many)[(*n)++] = (int32_t)k;
    }
    return *many != NULL;
}

typedef struct end_walk {
    builder *b;
    connection *c;
    int side;
} end_walk;

static bool end_collect(const end_walk *w, instance *in, int32_t p, int32_t k);

/* Scalars of a variable that the subscripts k... select, from dimension d on. */
static bool end_scalars(const end_walk *w, instance *in, int32_t p, int32_t k, int32_t d,
                        int32_t at)
{
    const ast_part *part = &w->c->ref[w->side]->part[p];
    if (d == in->n_dims) {
        end_push(w->b, &w->c->end[w->side], in, at);
        return true;
    }
    int32_t *many = NULL, n = 0;
    static const ast_expr colon = {.kind = AST_COLON};
    const ast_expr *sub = k < part->n_subs ? part->sub[k] : &colon;
    if (!subscript_list(w->b, w->c->s, sub, in->dim[d], &many, &n))
        return false;
    for (int32_t i = 0; i < n; i++)
        if (!end_scalars(w, in, p, k + 1, d + 1, at * in->dim[d] + many[i] - 1))
            return false;
    return true;
}

static bool end_items(const end_walk *w, instance *in, int32_t p, int32_t k)
{
    const ast_part *part = &w->c->ref[w->side]->part[p];
    int32_t *many = NULL, n = 0;
    if (k >= part->n_subs) {
        for (int32_t i = 0; i < in->n_items; i++)
            if (!end_collect(w, in->item[i], p, k))
                return false;
        return true;
    }
    if (!subscript_list(w->b, w->c->s, part->sub[k], in->n_items, &many, &n))
        return false;
    for (int32_t i = 0; i < n; i++)
        if (!end_collect(w, in->item[many[i] - 1], p, k + 1))
            return false;
    return true;
}

static bool end_collect(const end_walk *w, instance *in, int32_t p, int32_t k)
{
    builder *b = w->b;
    const ast_expr *ref = w->c->ref[w->side];
    if (in->kind == INSTANCE_ARRAY)
        return end_items(w, in, p, k);
    if (in->kind == INSTANCE_VARIABLE && p + 1 == ref->n)
        return end_scalars(w, in, p, k, 0, 0);
    if (p + 1 == ref->n) {
        end_push(b, &w->c->end[w->side], in, -1);
        return true;
    }
    element *e = in->kind == INSTANCE_CLASS ? member_find(b, in, ref->part[p + 1].name) : NULL;
    if (!e || e->is_class) {
        if (in->kind == INSTANCE_CLASS && is_expandable(in))
            return false; /* the bus gets it later */
        instance_error(b, w->c->s->in, ref->part[p + 1].at, "'%s' has no '%s'",
                       name_text(b, ref->part[p].name), name_text(b, ref->part[p + 1].name));
        return false;
    }
    instance *inner = component_of(b, e);
    if (e->is_absent) {
        w->c->is_dropped = true;
        return true;
    }
    return inner && end_collect(w, inner, p + 1, 0);
}

bool end_resolve(builder *b, connection *c, int side)
{
    const ast_expr *ref = c->ref[side];
    element *e = lookup(b, c->s, ref->part[0].name);
    c->end[side].n = 0;
    if (!e || e->is_class) {
        instance_error(b, c->s->in, ref->at, "unknown component '%s'",
                       name_text(b, ref->part[0].name));
        return false;
    }
    instance *in = component_inside(b, c->s, e);
    if (e->is_absent) {
        c->is_dropped = true;
        return true;
    }
    end_walk w = {b, c, side};
    return in && end_collect(&w, in, 0, 0);
}

/* ---- sets ---- */

uint32_t node_of(builder *b, instance *in, int32_t at, bool is_outside)
{
    connection_list *l = b->connections;
    if (!in->node) {
        size_t count = 2 * (size_t)scalar_count(in);
        node *list =
            arena_grow(b->mem, l->node, &l->node_capacity, l->n_nodes + count, sizeof *list);
        if (!list)
            return 0;
        l->node = list;
        in->node = (uint32_t)l->n_nodes + 1;
        for (size_t i = 0; i < count; i++, l->n_nodes++)
            l->node[l->n_nodes] = (node){.in = in,
                                         .at = (int32_t)(i / 2),
                                         .is_outside = i % 2,
                                         .parent = (uint32_t)l->n_nodes,
                                         .next = (uint32_t)l->n_nodes};
    }
    return in->node - 1 + 2 * (uint32_t)at + is_outside;
}

uint32_t set_of(connection_list *l, uint32_t k)
{
    while (l->node[k].parent != k) {
        l->node[k].parent = l->node[l->node[k].parent].parent;
        k = l->node[k].parent;
    }
    return k;
}

static void unite(connection_list *l, uint32_t x, uint32_t y, const connection *c)
{
    if (l->node[x].place == SOURCE_NOWHERE)
        l->node[x].place = c->at, l->node[x].until = c->until;
    if (l->node[y].place == SOURCE_NOWHERE)
        l->node[y].place = c->at, l->node[y].until = c->until;
    uint32_t p = set_of(l, x), q = set_of(l, y);
    if (p == q)
        return;
    uint32_t root = p < q ? p : q, other = p < q ? q : p;
    l->node[other].parent = root;
    uint32_t next = l->node[root].next; /* joins the two circles */
    l->node[root].next = l->node[other].next;
    l->node[other].next = next;
}

static const char *connection_text(builder *b, const connection *c, int side)
{
    const ast_expr *ref = c->ref[side];
    const char *text = "";
    for (int32_t i = 0; i < ref->n && text; i++)
        text = builder_text(b, "%s%s%s", text, i ? "." : "", name_text(b, ref->part[i].name));
    return text ? text : "";
}

static void members_differ(builder *b, const connection *c, int without, int32_t name)
{
    instance_error(b, c->s->in, c->at, "connect(%s, %s): '%s' has no '%s'",
                   connection_text(b, c, 0), connection_text(b, c, 1),
                   connection_text(b, c, without), name_text(b, name));
}

static void sizes_differ(builder *b, const connection *c, size_t n, size_t m)
{
    instance_error(b, c->s->in, c->at, "connect(%s, %s): %zu and %zu elements cannot be connected",
                   connection_text(b, c, 0), connection_text(b, c, 1), n, m);
}

static bool join(builder *b, const connection *c, instance *x, instance *y);

static bool join_variables(builder *b, const connection *c, const end_item *x, const end_item *y)
{
    int32_t n = x->at < 0 ? scalar_count(x->in) : 1, m = y->at < 0 ? scalar_count(y->in) : 1;
    if (n != m) {
        sizes_differ(b, c, (size_t)n, (size_t)m);
        return false;
    }
    if ((x->in->prefixes & AST_FLOW) != (y->in->prefixes & AST_FLOW)) {
        instance_error(b, c->s->in, c->at, "connect(%s, %s): '%s' is a flow on one side only",
                       connection_text(b, c, 0), connection_text(b, c, 1),
                       name_text(b, x->in->element->name));
        return false;
    }
    if ((x->in->prefixes | y->in->prefixes) & (AST_PARAMETER | AST_CONSTANT))
        return true;
    for (int32_t i = 0; i < n; i++) {
        uint32_t p = node_of(b, x->in, x->at < 0 ? i : x->at, c->is_outside[0]);
        uint32_t q = node_of(b, y->in, y->at < 0 ? i : y->at, c->is_outside[1]);
        unite(b->connections, p, q, c);
    }
    return true;
}

static bool join_members(builder *b, const connection *c, instance *x, instance *y)
{
    if (is_overconstrained(b, x) && graph_is_cut(b, x, y))
        return true;
    if (!instance_open(b, x) || !instance_open(b, y))
        return false;
    for (element *e = y->elements; e; e = e->next)
        if (!e->is_class && !e->is_absent && !member_find(b, x, e->name)) {
            members_differ(b, c, 0, e->name);
            return false;
        }
    for (element *e = x->elements; e; e = e->next) {
        if (e->is_class)
            continue;
        element *other = member_find(b, y, e->name);
        instance *one = component_of(b, e);
        instance *two = other && !other->is_class ? component_of(b, other) : NULL;
        if (e->is_absent && (!other || other->is_absent))
            continue;
        if (e->is_absent || !other || other->is_absent) {
            members_differ(b, c, e->is_absent ? 0 : 1, e->name);
            return false;
        }
        if (!one || !two || !join(b, c, one, two))
            return false;
    }
    return true;
}

static bool join(builder *b, const connection *c, instance *x, instance *y)
{
    if (x->kind != y->kind) {
        members_differ(b, c, x->kind == INSTANCE_CLASS ? 1 : 0,
                       x->element ? x->element->name : INTERN_NONE);
        return false;
    }
    if (x->kind == INSTANCE_VARIABLE) {
        end_item p = {x, -1}, q = {y, -1};
        return join_variables(b, c, &p, &q);
    }
    if (x->kind == INSTANCE_CLASS)
        return join_members(b, c, x, y);
    if (x->n_items != y->n_items) {
        sizes_differ(b, c, (size_t)x->n_items, (size_t)y->n_items);
        return false;
    }
    for (int32_t i = 0; i < x->n_items; i++)
        if (!join(b, c, x->item[i], y->item[i]))
            return false;
    return true;
}

/* Overconstrained records inside connected connectors are edges of the graph. */
static void add_edges(builder *b, const connection *c, instance *x, instance *y)
{
    if (x->kind != y->kind)
        return;
    if (x->kind == INSTANCE_ARRAY)
        for (int32_t i = 0; i < x->n_items && i < y->n_items; i++)
            add_edges(b, c, x->item[i], y->item[i]);
    if (x->kind != INSTANCE_CLASS)
        return;
    if (is_overconstrained(b, x)) {
        graph_connect(b, x, y, c->at, c->until);
        return;
    }
    for (element *e = x->elements; e; e = e->next) {
        element *other = e->is_class ? NULL : member_find(b, y, e->name);
        instance *one = other && !other->is_class ? component_of(b, e) : NULL;
        instance *two = one ? component_of(b, other) : NULL;
        if (one && two)
            add_edges(b, c, one, two);
    }
}

/* A connector, or a part of one. */
static bool belongs_to_connector(const instance *in)
{
    for (; in; in = in->parent)
        if (is_connector(in))
            return true;
    return false;
}

static bool are_connectors(builder *b, const connection *c)
{
    for (int side = 0; side < 2; side++)
        if (c->end[side].n && !belongs_to_connector(c->end[side].item[0].in))
            return !instance_error(b, c->s->in, c->at, "connect(%s, %s): '%s' is not a connector",
                                   connection_text(b, c, 0), connection_text(b, c, 1),
                                   connection_text(b, c, side)) &&
                   false;
    return true;
}

static void connect_all(builder *b, bool only_edges)
{
    connection_list *l = b->connections;
    for (size_t i = 0; i < l->n && b->c->sources.n_errors < SOURCE_ERRORS_MAX; i++) {
        connection *c = &l->item[i];
        if (c->is_dropped || !c->is_resolved)
            continue;
        if (c->end[0].n != c->end[1].n) {
            sizes_differ(b, c, c->end[0].n, c->end[1].n);
            c->is_dropped = true;
            continue;
        }
        if (!are_connectors(b, c)) {
            c->is_dropped = true;
            continue;
        }
        for (size_t k = 0; k < c->end[0].n; k++) {
            end_item *x = &c->end[0].item[k], *y = &c->end[1].item[k];
            if (only_edges)
                add_edges(b, c, x->in, y->in);
            else if (x->in->kind == INSTANCE_VARIABLE && y->in->kind == INSTANCE_VARIABLE)
                join_variables(b, c, x, y);
            else
                join(b, c, x->in, y->in);
        }
    }
}

/* ---- equations ---- */

ast_expr *scalar_expr(builder *b, const instance *in, int32_t at, source_at place)
{
    ast_expr *e = node_name(b, instance_name(b, (instance *)(uintptr_t)in), place);
    if (!e || in->n_dims == 0)
        return e;
    ast_expr **sub = builder_take(b, (size_t)in->n_dims, sizeof *sub);
    for (int32_t i = in->n_dims; sub && i-- > 0; at /= in->dim[i])
        sub[i] = node_integer(b, at % in->dim[i] + 1, place);
    e->part[0].sub = sub;
    e->part[0].n_subs = in->n_dims;
    return sub ? e : NULL;
}

static ast_expr *node_expr(builder *b, const node *x)
{
    return scalar_expr(b, x->in, x->at, x->place ? x->place : x->in->element->ast->at);
}

int32_t node_owner(builder *b, const node *x)
{
    const instance *connector = NULL;
    for (const instance *i = x->in; i && i != b->model; i = i->parent)
        if (is_connector(i))
            connector = i;
    const instance *holder = connector ? connector->parent : x->in->parent;
    return owner_in(b, x->is_outside || holder == b->model ? holder : holder->parent);
}

static void flow_emit(builder *b, uint32_t first)
{
    connection_list *l = b->connections;
    size_t n = 0;
    uint32_t k = first;
    do {
        n++;
        k = l->node[k].next;
    } while (k != first);
    ast_expr **item = builder_take(b, n, sizeof *item);
    if (!item)
        return;
    n = 0;
    source_at at = SOURCE_NOWHERE, until = SOURCE_NOWHERE;
    do {
        const node *x = &l->node[k];
        ast_expr *e = node_expr(b, x);
        if (!e)
            return;
        if (at == SOURCE_NOWHERE && x->place)
            at = x->place, until = x->until;
        if (n == 0 && x->is_outside) {
            ast_expr *minus = node_new(b, AST_UNARY, e->at);
            if (!minus)
                return;
            minus->op = AST_SUB;
            minus->base = e;
            e = minus;
        } else if (n > 0) {
            e->joint = x->is_outside ? AST_SUB : AST_ADD;
        }
        item[n++] = e;
        k = l->node[k].next;
    } while (k != first);
    const ast_element *x = l->node[first].in->element->ast;
    ast_expr *sum = n == 1 ? item[0] : node_list(b, AST_CHAIN, item, (int32_t)n, item[0]->at);
    ast_clause place = {
        .at = at ? at : x->at, .end = at ? until : x->end, .owner = node_owner(b, &l->node[first])};
    equation_add(b, sum, node_real(b, 0.0, x->at), &place);
}

static bool is_in_bus(const instance *in)
{
    for (const instance *around = in->parent; around; around = around->parent)
        if (is_expandable(around))
            return true;
    return false;
}

/* An inside output or an outside input gives the value of a causal set. */
static bool is_source(const node *x)
{
    uint32_t causal = x->in->prefixes & (AST_INPUT | AST_OUTPUT);
    if (x->is_outside && (x->in->prefixes & AST_PROTECTED))
        return false; /* nobody outside can see it */
    if (is_in_bus(x->in))
        return false; /* a bus passes signals on */
    return x->is_outside ? causal == AST_INPUT : causal == AST_OUTPUT;
}

static void equality_emit(builder *b, uint32_t first)
{
    connection_list *l = b->connections;
    uint32_t k = first, giver = first;
    int n_sources = 0;
    do {
        if (is_source(&l->node[k]) && n_sources++ == 0)
            giver = k;
        k = l->node[k].next;
    } while (k != first);
    if (n_sources > 1)
        instance_error(b, NULL, l->node[giver].place,
                       "the signal '%s' is connected to several outputs",
                       name_text(b, instance_name(b, l->node[giver].in)));
    for (k = l->node[giver].next; k != giver; k = l->node[k].next) {
        if (n_sources > 0 && is_in_bus(l->node[k].in)) /* no input of the model, whoever reads it */
            l->node[k].in->prefixes &= ~(uint32_t)AST_INPUT;
        const node *x = &l->node[k], *y = &l->node[giver];
        if (x->in == y->in && x->at == y->at)
            continue;
        source_at at = x->place ? x->place : y->place;
        ast_clause place = {
            .at = at, .end = x->place ? x->until : y->until, .owner = node_owner(b, x)};
        equation_add(b, node_expr(b, y), node_expr(b, x), &place);
    }
}

/* Flows of connectors exist even where nothing is connected. */
static void flows_enter(builder *b, instance *in)
{
    if (in->kind == INSTANCE_VARIABLE && (in->prefixes & AST_FLOW) &&
        !(in->prefixes & (AST_PARAMETER | AST_CONSTANT)))
        node_of(b, in, 0, false);
    for (int32_t i = 0; in->kind == INSTANCE_ARRAY && i < in->n_items; i++)
        flows_enter(b, in->item[i]);
    if (in->kind != INSTANCE_CLASS || !instance_open(b, in))
        return;
    for (element *e = in->elements; e; e = e->next) {
        instance *inner = e->is_class ? NULL : component_of(b, e);
        if (inner && inner->element == e)
            flows_enter(b, inner);
    }
}

static void sets_emit(builder *b)
{
    connection_list *l = b->connections;
    for (uint32_t k = 0; k < l->n_nodes; k++) {
        const node *x = &l->node[k];
        if (x->parent != k)
            continue;
        bool alone = x->next == k;
        if (x->in->prefixes & AST_FLOW) {
            if (!alone || !x->is_outside)
                flow_emit(b, k);
        } else if (!alone && !(x->in->prefixes & AST_STREAM)) {
            equality_emit(b, k);
        }
    }
}

static void count_connections(const connection_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        for (int side = 0; side < 2 && !l->item[i].is_dropped; side++)
            for (size_t k = 0; k < l->item[i].end[side].n; k++)
                l->item[i].end[side].item[k].in->count++;
}

/* Resolves both sides of all connections. Those of buses need one another. */
static bool resolve_all(builder *b)
{
    connection_list *l = b->connections;
    for (size_t i = 0; i < l->n && b->c->sources.n_errors < SOURCE_ERRORS_MAX; i++) {
        connection *c = &l->item[i];
        c->is_resolved = end_resolve(b, c, 0) && end_resolve(b, c, 1);
    }
    return b->c->sources.n_errors == 0 ? buses_complete(b) : !connections_have_buses(b);
}

void connections_emit(builder *b)
{
    if (!list_of(b))
        return;
    b->connections_failed = !resolve_all(b);
    if (b->connections_failed)
        return;
    count_connections(b->connections);
    connect_all(b, true);
    if (b->c->sources.n_errors == 0)
        graph_span(b);
    connect_all(b, false);
    b->connections_failed = b->c->sources.n_errors > 0;
    if (b->connections_failed)
        return;
    flows_enter(b, b->model);
    b->connections_known = true;
    if (b->c->sources.n_errors == 0)
        sets_emit(b);
}

/* ---- calls ---- */

static ast_expr *cardinality(builder *b, scope *s, const ast_expr *call)
{
    bool is_absent = false;
    instance *in = call->n == 1 ? reference_target(b, s, call->arg[0].value, &is_absent) : NULL;
    if (!in)
        return instance_error(b, s->in, call->at,
                              "the argument of cardinality() must be a connector");
    if (!b->connections_known)
        return instance_error(
            b, s->in, call->at,
            "cardinality() has no value before all connections of the model are known");
    return node_integer(b, in->count, call->at);
}

static bool asks_for_graph(builder *b, const ast_expr *ref)
{
    const char *first = name_text(b, ref->part[0].name);
    return (ref->n == 2 && strcmp(first, "Connections") == 0) ||
           (ref->n == 1 && strcmp(first, "rooted") == 0);
}

ast_expr *connection_call(builder *b, scope *s, const ast_expr *call, bool *is_known)
{
    const ast_expr *ref = call->base;
    const char *first = ref->n == 1 ? name_text(b, ref->part[0].name) : "";
    bool of_count = strcmp(first, "cardinality") == 0, of_graph = asks_for_graph(b, ref);
    bool of_stream = strcmp(first, "inStream") == 0 || strcmp(first, "actualStream") == 0;
    *is_known = of_count || of_graph || of_stream;
    if (!*is_known || b->connections_failed)
        return NULL; /* the connections have errors, which were reported */
    if (of_count)
        return cardinality(b, s, call);
    return of_graph ? graph_question(b, s, call)
                    : stream_call(b, s, call, strcmp(first, "actualStream") == 0);
}
