/* expr/dag.h - some expressions numbered 0, 1, 2, ..., and which branch needs which of them.
 *
 * Responsibility: what tapes and emitted C are made from.  Nodes stand operands first.
 *
 * Scopes: 0 is "always"; every if has two more, its branches, children of the scope the if
 * stands in.  The guard of a node is the innermost scope that contains all its uses: a node
 * is evaluated there, before the if that needs it, and never when its scope is not entered.
 * One descending pass finds them (study/EXPR.md 1.6).
 * Depends on: expr/graph.h.                                                     */
#ifndef DAEDAL_EXPR_DAG_H
#define DAEDAL_EXPR_DAG_H

#include "expr/graph.h"

typedef struct dag_node {
    expr e;
    uint32_t first; /* operands stand in operand[first ...)                       */
    uint32_t guard; /* scope                                                      */
    uint32_t scope; /* of an if: its first branch; + 1 the second; 0 for others   */
} dag_node;

typedef struct dag_scope {
    uint32_t parent, depth;
    uint32_t owner;       /* the if                                               */
    uint32_t first, last; /* members[first .. last): non-leaf nodes guarded here  */
    uint32_t cost;        /* see dag_flatten                                      */
    bool merged;          /* flattened: evaluated with its parent                 */
} dag_scope;

typedef struct dag {
    const expr_graph *g;
    const uint8_t *stop; /* by id: treat as a leaf, though not as a root; may be NULL */
    dag_node *node;
    uint32_t *operand;
    dag_scope *scope;
    uint32_t *member;
    expr *stack;
    uint32_t *number; /* by id: 1 + number of the node, 0 outside                 */
    size_t n, n_operands, n_scopes, n_stack;
    size_t node_capacity, operand_capacity, scope_capacity, member_capacity, stack_capacity,
        number_capacity;
    bool failed;
} dag;

void dag_create(dag *d, const expr_graph *g);
void dag_free(dag *d);

/* Number what the roots need; forgets what was numbered before.  Time proportional to that
 * (and once to the graph).  false: out of memory.                                */
bool dag_build(dag *d, const expr *roots, size_t n_roots);

/* Optional, before dag_place: evaluate both branches of ifs where they are cheap and cannot
 * fail (sums, products, relations; a handful of operations), so that they need no jumps. */
bool dag_flatten(dag *d);

/* List the members of every scope.                                               */
bool dag_place(dag *d);

static inline uint32_t dag_number(const dag *d, expr e)
{
    return d->number[e] - 1;
}
static inline expr_op dag_op(const dag *d, uint32_t i)
{
    return expr_op_of(d->g, d->node[i].e);
}
static inline uint32_t dag_n_operands(const dag *d, uint32_t i)
{
    return (i + 1 < d->n ? d->node[i + 1].first : (uint32_t)d->n_operands) - d->node[i].first;
}
static inline const uint32_t *dag_operands(const dag *d, uint32_t i)
{
    return d->operand + d->node[i].first;
}
bool dag_is_leaf(const dag *d, uint32_t i);

/* An if none of whose branches has anything of its own to evaluate: choose a value. */
bool dag_is_select(const dag *d, uint32_t i);

/* Walk through the members of a scope, into the branches of its ifs (not selects), without
 * recursion.                                                                     */
typedef struct dag_visitor {
    void (*node)(void *user, uint32_t i);
    void (*yes)(void *user, uint32_t i); /* before the first branch               */
    void (*no)(void *user, uint32_t i);  /* between the branches                  */
    void (*end)(void *user, uint32_t i); /* behind the second                     */
    void *user;
} dag_visitor;
bool dag_visit(dag *d, uint32_t scope, const dag_visitor *v);
bool dag_visit_if(dag *d, uint32_t i, const dag_visitor *v); /* one if with its branches */
#endif
