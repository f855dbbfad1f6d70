/* instantiate/connections.h - what the files on connections share.
 *
 * Responsibility: connections are collected first (connections.c), buses complete one another
 * (buses.c), overconstrained graphs are made trees (spanning.c), then scalars that are connected
 * form sets (connections.c), of which those of streams are mixed (streams.c).
 * Depends on: instantiate/instance.h.                                              */
#ifndef DAEDAL_INSTANTIATE_CONNECTIONS_H
#define DAEDAL_INSTANTIATE_CONNECTIONS_H

#include "instantiate/instance.h"

/* A side of a connection: a connector, or a scalar of a connector that is an array. */
typedef struct end_item {
    instance *in;
    int32_t at; /* scalar of a variable, -1: all of it */
} end_item;

typedef struct end_list {
    end_item *item;
    size_t n, capacity;
} end_list;

typedef struct connection {
    scope *s;
    const ast_expr *ref[2]; /* with constant subscripts */
    bool is_outside[2];
    bool is_resolved, is_dropped;
    end_list end[2];
    source_at at, until;
} connection;

/* A scalar of a connector as seen from one side. */
typedef struct node {
    instance *in;
    int32_t at;
    bool is_outside;
    uint32_t parent; /* of the union-find */
    uint32_t next;   /* in its set, circular */
    source_at place, until;
} node;

enum { GRAPH_ROOT = 1, GRAPH_POTENTIAL = 2 };

/* An overconstrained record in the graph of connections. */
typedef struct graph_node {
    instance *in;
    uint32_t parent; /* of the union-find */
    int kind;
    int64_t priority;
    bool is_root;
    int32_t distance; /* from the root, -1: unknown */
} graph_node;

typedef struct graph_edge {
    uint32_t from, to;
    bool is_branch, is_cut;
    source_at at, until;
} graph_edge;

typedef struct connection_list {
    connection *item;
    size_t n, capacity;
    node *node;
    size_t n_nodes, node_capacity;
    graph_node *graph;
    size_t n_graph, graph_capacity;
    graph_edge *edge;
    size_t n_edges, edge_capacity;
    number_map graph_of; /* by address of the instance */
} connection_list;

/* ---- connections.c ---- */

/* The node of a scalar, made if there is none. */
uint32_t node_of(builder *b, instance *in, int32_t at, bool is_outside);
uint32_t set_of(connection_list *l, uint32_t k);
ast_expr *scalar_expr(builder *b, const instance *in, int32_t at, source_at place);
/* The component in which connections see a scalar from this side. */
int32_t node_owner(builder *b, const node *x);
bool end_resolve(builder *b, connection *c, int side);
int32_t scalar_count(const instance *in);

/* ---- buses.c ---- */

/* Whether an expandable connector is connected, or something that only one can have. */
bool connections_have_buses(builder *b);
/* Gives expandable connectors the members that connections name; false after an error. */
bool buses_complete(builder *b);

/* ---- spanning.c ---- */

bool is_overconstrained(builder *b, instance *in);
void graph_call(builder *b, scope *s, const ast_expr *call, source_at at, source_at until);
void graph_connect(builder *b, instance *x, instance *y, source_at at, source_at until);
void graph_span(builder *b);
/* Whether the connection of two records was cut: then 0 = equalityConstraint(x, y) holds. */
bool graph_is_cut(builder *b, instance *x, instance *y);
ast_expr *graph_question(builder *b, scope *s, const ast_expr *call);

/* ---- streams.c ---- */

void streams_emit(builder *b);
ast_expr *stream_call(builder *b, scope *s, const ast_expr *call, bool is_actual);
#endif
