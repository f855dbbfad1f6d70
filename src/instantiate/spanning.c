/* instantiate/spanning.c - see connections.h: graphs of overconstrained connections.
 *
 * Records with a function equalityConstraint are nodes, Connections.branch and connect are edges.
 * The edges that would close a loop are cut, so that a spanning tree remains: branches first, then
 * connections in the order of their distance from the root, and of the text.  So a loop is cut
 * where the paths from the root to both ends are about equally long, which keeps the equations of
 * its two halves short.  Each tree has one root. */
#include "instantiate/connections.h"

#include <stdlib.h>
#include <string.h>

bool is_overconstrained(builder *b, instance *in)
{
    if (in->kind != INSTANCE_CLASS || !in->class ||
        (in->class->kind != AST_RECORD && in->class->kind != AST_TYPE))
        return false;
    element *e = member_find(b, in, name_id(b, "equalityConstraint"));
    return e && e->is_class;
}

static uint32_t graph_node_of(builder *b, instance *in)
{
    connection_list *l = b->connections;
    uint32_t k = 0;
    if (number_map_find(&l->graph_of, (uint64_t)(uintptr_t)in, &k))
        return k;
    graph_node *list =
        arena_grow(b->mem, l->graph, &l->graph_capacity, l->n_graph + 1, sizeof *list);
    if (!list)
        return 0;
    l->graph = list;
    k = (uint32_t)l->n_graph++;
    list[k] = (graph_node){.in = in, .parent = k, .distance = -1};
    number_map_put(&l->graph_of, b->mem, (uint64_t)(uintptr_t)in, k);
    return k;
}

static void edge_add(builder *b, graph_edge e)
{
    connection_list *l = b->connections;
    graph_edge *list = arena_grow(b->mem, l->edge, &l->edge_capacity, l->n_edges + 1, sizeof *list);
    if (!list)
        return;
    l->edge = list;
    list[l->n_edges++] = e;
}

void graph_connect(builder *b, instance *x, instance *y, source_at at, source_at until)
{
    uint32_t from = graph_node_of(b, x), to = graph_node_of(b, y);
    edge_add(b, (graph_edge){.from = from, .to = to, .at = at, .until = until});
}

static instance *record_argument(builder *b, scope *s, const ast_expr *call, int32_t k)
{
    bool is_absent = false;
    instance *in = k < call->n && call->arg[k].value->kind == AST_REF
                       ? reference_target(b, s, call->arg[k].value, &is_absent)
                       : NULL;
    if (in || is_absent)
        return in;
    return instance_error(b, s->in, call->at,
                          "the argument of '%s' must be a record of a connector",
                          name_text(b, call->base->part[call->base->n - 1].name));
}

void graph_call(builder *b, scope *s, const ast_expr *call, source_at at, source_at until)
{
    const char *name = call->base->n == 2 ? name_text(b, call->base->part[1].name) : "";
    instance *in = record_argument(b, s, call, 0);
    if (!in)
        return;
    uint32_t k = graph_node_of(b, in);
    if (strcmp(name, "root") == 0) {
        b->connections->graph[k].kind = GRAPH_ROOT;
    } else if (strcmp(name, "potentialRoot") == 0) {
        ast_expr *v = call->n > 1 ? evaluate_constant(b, s, call->arg[1].value) : NULL;
        b->connections->graph[k].kind = GRAPH_POTENTIAL;
        b->connections->graph[k].priority = v && v->kind == AST_INTEGER ? v->integer : 0;
    } else if (strcmp(name, "branch") == 0) {
        instance *other = record_argument(b, s, call, 1);
        if (!other)
            return;
        uint32_t to = graph_node_of(b, other);
        edge_add(b, (graph_edge){.from = k, .to = to, .is_branch = true, .at = at, .until = until});
    } else if (strcmp(name, "uniqueRoot") != 0) {
        instance_error(b, s->in, at, "unknown operator Connections.%s", name);
    }
}

static uint32_t tree_of(connection_list *l, uint32_t k)
{
    while (l->graph[k].parent != k) {
        l->graph[k].parent = l->graph[l->graph[k].parent].parent;
        k = l->graph[k].parent;
    }
    return k;
}

/* Joins two trees; false: they are one already. */
static bool trees_join(connection_list *l, uint32_t x, uint32_t y)
{
    uint32_t p = tree_of(l, x), q = tree_of(l, y);
    if (p == q)
        return false;
    l->graph[p < q ? q : p].parent = p < q ? p : q;
    return true;
}

/* The tree that contains definite roots counts as rooted: they are joined by a virtual node. */
static uint32_t join_roots(connection_list *l)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t k = 0; k < l->n_graph; k++)
        if (l->graph[k].kind == GRAPH_ROOT) {
            l->graph[k].is_root = true;
            if (first == UINT32_MAX)
                first = k;
            else
                trees_join(l, first, k);
        }
    return first;
}

/* Trees without a root take the potential root with the least priority. */
static void choose_roots(builder *b, uint32_t rooted)
{
    connection_list *l = b->connections;
    uint32_t *best = builder_take(b, l->n_graph + 1, sizeof *best);
    for (uint32_t k = 0; best && k < l->n_graph; k++) {
        uint32_t t = tree_of(l, k);
        if (l->graph[k].kind != GRAPH_POTENTIAL ||
            (rooted != UINT32_MAX && t == tree_of(l, rooted)))
            continue;
        if (!best[t] || l->graph[k].priority < l->graph[best[t] - 1].priority)
            best[t] = k + 1;
    }
    for (uint32_t t = 0; best && t < l->n_graph; t++)
        if (best[t])
            l->graph[best[t] - 1].is_root = true;
        else if (tree_of(l, t) == t && (rooted == UINT32_MAX || t != tree_of(l, rooted)))
            l->graph[t].is_root = true; /* nothing is said: the first node */
}

/* Distances from the roots along the edges that are left. */
static void measure(builder *b)
{
    connection_list *l = b->connections;
    for (size_t k = 0; k < l->n_graph; k++)
        l->graph[k].distance = -1;
    uint32_t *queue = builder_take(b, l->n_graph + 1, sizeof *queue);
    uint32_t *start = builder_take(b, l->n_graph + 2, sizeof *start);
    uint32_t *edge = builder_take(b, 2 * l->n_edges + 1, sizeof *edge);
    if (!queue || !start || !edge)
        return;
    for (size_t i = 0; i < l->n_edges; i++)
        if (!l->edge[i].is_cut) {
            start[l->edge[i].from + 1]++;
            start[l->edge[i].to + 1]++;
        }
    for (size_t k = 0; k < l->n_graph; k++)
        start[k + 1] += start[k];
    uint32_t *fill = arena_copy(b->mem, start, l->n_graph + 1, l->n_graph + 1, sizeof *fill);
    for (size_t i = 0; fill && i < l->n_edges; i++)
        if (!l->edge[i].is_cut) {
            edge[fill[l->edge[i].from]++] = l->edge[i].to;
            edge[fill[l->edge[i].to]++] = l->edge[i].from;
        }
    size_t n = 0;
    for (uint32_t k = 0; k < l->n_graph; k++)
        if (l->graph[k].is_root) {
            l->graph[k].distance = 0;
            queue[n++] = k;
        }
    for (size_t i = 0; i < n; i++)
        for (uint32_t j = start[queue[i]]; j < start[queue[i] + 1]; j++)
            if (l->graph[edge[j]].distance < 0) {
                l->graph[edge[j]].distance = l->graph[queue[i]].distance + 1;
                queue[n++] = edge[j];
            }
}

/* 0 = equalityConstraint(x, y) */
static void cut_emit(builder *b, const graph_edge *e)
{
    instance *x = b->connections->graph[e->from].in, *y = b->connections->graph[e->to].in;
    element *f = member_find(b, x, name_id(b, "equalityConstraint"));
    int32_t name = class_emit(b, f);
    ast_expr *arg[2] = {instance_expr(b, x, e->at), instance_expr(b, y, e->at)};
    if (name == INTERN_NONE || !arg[0] || !arg[1])
        return;
    ast_expr *call = node_call(b, name_text(b, name), arg, 2, e->at);
    int32_t size[DIMENSIONS_MAX] = {0}, n = 0;
    instance *function = class_look(b, f);
    for (element *o = function && instance_open(b, function) ? function->elements : NULL; o;
         o = o->next)
        if (!o->is_class && (o->ast->prefixes & AST_OUTPUT))
            for (int32_t i = 0; i < o->ast->dims.n; i++)
                if (evaluate_size(b, o->where, o->ast->dims.item[i], &size[n]))
                    n++;
    if (!call)
        return;
    call->base->part[0].quoted = true;
    if (n == 1 && size[0] == 0)
        return;
    ast_expr *zeros[DIMENSIONS_MAX];
    for (int32_t i = 0; i < n; i++)
        zeros[i] = node_integer(b, size[i], e->at);
    ast_expr *left = n ? node_call(b, "zeros", zeros, n, e->at) : node_real(b, 0.0, e->at);
    equation_add(b, left, call, &(ast_clause){.at = e->at, .end = e->until});
}

typedef struct ranked_edge {
    uint32_t edge;
    int32_t distance; /* of its nearer end from the root */
} ranked_edge;

static int compare_ranks(const void *x, const void *y)
{
    const ranked_edge *a = x, *b = y;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

/* Makes trees of the edges in this order; a node of those with definite roots, if there is one. */
static uint32_t make_trees(connection_list *l, const ranked_edge *order)
{
    for (uint32_t k = 0; k < l->n_graph; k++)
        l->graph[k].parent = k;
    uint32_t rooted = join_roots(l);
    for (size_t i = 0; i < l->n_edges; i++)
        if (l->edge[i].is_branch)
            trees_join(l, l->edge[i].from, l->edge[i].to);
    for (size_t i = 0; i < l->n_edges; i++) {
        graph_edge *e = &l->edge[order[i].edge];
        e->is_cut = !e->is_branch && !trees_join(l, e->from, e->to);
    }
    return rooted;
}

static void rank_edges(connection_list *l, ranked_edge *order)
{
    for (uint32_t i = 0; i < l->n_edges; i++) {
        int32_t x = l->graph[l->edge[i].from].distance, y = l->graph[l->edge[i].to].distance;
        order[i] = (ranked_edge){.edge = i, .distance = x < y ? x : y};
    }
    qsort(order, l->n_edges, sizeof *order, compare_ranks);
}

void graph_span(builder *b)
{
    connection_list *l = b->connections;
    ranked_edge *order = builder_take(b, l->n_edges + 1, sizeof *order);
    if (l->n_graph == 0 || !order)
        return;
    rank_edges(l, order); /* distances are not known yet: the order of the text */
    choose_roots(b, make_trees(l, order));
    for (size_t i = 0; i < l->n_edges; i++)
        l->edge[i].is_cut = false;
    measure(b);
    rank_edges(l, order);
    make_trees(l, order);
    measure(b);
    for (size_t i = 0; i < l->n_edges; i++)
        if (l->edge[i].is_cut)
            cut_emit(b, &l->edge[i]);
}

bool graph_is_cut(builder *b, instance *x, instance *y)
{
    connection_list *l = b->connections;
    uint32_t p = 0, q = 0;
    if (!number_map_find(&l->graph_of, (uint64_t)(uintptr_t)x, &p) ||
        !number_map_find(&l->graph_of, (uint64_t)(uintptr_t)y, &q))
        return false;
    for (size_t i = 0; i < l->n_edges; i++)
        if (!l->edge[i].is_branch && l->edge[i].from == p && l->edge[i].to == q)
            return l->edge[i].is_cut;
    return false;
}

/* The other end of the branch of a node, or the node. */
static uint32_t branch_end(const connection_list *l, uint32_t k)
{
    for (size_t i = 0; i < l->n_edges; i++)
        if (l->edge[i].is_branch && (l->edge[i].from == k || l->edge[i].to == k))
            return l->edge[i].from == k ? l->edge[i].to : l->edge[i].from;
    return k;
}

ast_expr *graph_question(builder *b, scope *s, const ast_expr *call)
{
    const char *name = name_text(b, call->base->part[call->base->n - 1].name);
    instance *in = record_argument(b, s, call, 0);
    uint32_t k = 0;
    if (!in)
        return NULL;
    if (!b->connections_known)
        return instance_error(b, s->in, call->at,
                              "'%s' has no value before all connections of the model are known",
                              name);
    bool is_known = number_map_find(&b->connections->graph_of, (uint64_t)(uintptr_t)in, &k);
    const graph_node *x = is_known ? &b->connections->graph[k] : NULL;
    if (strcmp(name, "isRoot") == 0)
        return node_boolean(b, x && x->is_root, call->at);
    if (strcmp(name, "rooted") == 0) {
        const graph_node *y = x ? &b->connections->graph[branch_end(b->connections, k)] : NULL;
        return node_boolean(b, x && y && x->distance <= y->distance, call->at);
    }
    return instance_error(b, s->in, call->at, "unknown operator Connections.%s", name);
}
