/* expr/dag.h - some expressions numbered 0, 1, 2, ..., and which branch needs which of them.
 *
 * Responsibility: what tapes and emitted C are made from.  Nodes stand operands first.
 *
 * Scopes: 0 is "always"; every choice (ifs with one condition) has two more, its branches,
 * children of the scope the choice stands in.  The guard of a node is the innermost scope
 * that contains all its uses: the node is evaluated there, and not at all when its scope is
 * not entered.  A node that branches of different choices need is
 * evaluated before them; its value, whatever it is, then reaches only the branches taken.
 * Calls, which may fail or take long, and what contains them are evaluated in each of the
 * branches instead: such a node has several guards.
 *
 * Which ifs form a choice: those with the same condition and scope, the same level (see
 * dag_guard) and the same height = number of ifs on the longest way from the roots.  What an
 * if needs is higher than the if, so no if of a choice needs another one of it, and choices
 * cannot wait for each other in a circle.
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_EXPR_DAG_H
#define DAEDAL_EXPR_DAG_H

#include "expr/expression.h"

typedef struct dag_node {
    expr e;
    uint32_t first;  /* operands stand in operand[first ...)                      */
    uint32_t guard;  /* scope                                                     */
    uint32_t height; /* see above                                                 */
    uint32_t choice; /* of an if; DAG_NONE for others and for mere selections     */
    uint32_t next;   /* if of the same choice                                     */
    uint32_t more;   /* 1 + number of the next guard in d->more, or 0             */
} dag_node;

typedef struct dag_guards {
    uint32_t scope, more;
} dag_guards;

typedef struct dag_scope {
    uint32_t parent, depth, choice;
    uint32_t jump;        /* some scope further out, for quick ways outwards               */
    uint32_t first, last; /* member[first .. last): non-leaf nodes guarded here; of the
                           * ifs of a choice only the first                       */
    uint32_t cost;
    bool merged; /* flattened: evaluated with its parent                          */
} dag_scope;

typedef struct dag_choice {
    uint32_t condition; /* node                                                   */
    uint32_t parent;    /* scope                                                  */
    uint32_t height, level;
    uint32_t scope;    /* of the first branch; + 1 the second                     */
    uint32_t first_if; /* of a list through dag_node.next, ascending              */
} dag_choice;

#define DAG_NONE UINT32_MAX

typedef struct dag {
    const expr_graph *g;
    const uint8_t *stop; /* by id: treat as a leaf, though not as a root; may be NULL */
    dag_node *node;
    uint32_t *operand;
    dag_scope *scope;
    dag_choice *choice;
    dag_guards *more;
    uint32_t *slot; /* hash table of choices: 1 + number                          */
    uint32_t *member;
    expr *stack;
    uint32_t *number; /* by id: 1 + number of the node, 0 outside                 */
    size_t n, n_operands, n_scopes, n_choices, n_stack, n_slots, n_more;
    size_t node_capacity, operand_capacity, scope_capacity, choice_capacity, slot_capacity,
        member_capacity, stack_capacity, number_capacity, more_capacity;
    const expr *roots;
    size_t n_roots;
    bool failed;
} dag;

void dag_create(dag *d, const expr_graph *g);
void dag_free(dag *d);

/* All answer false when out of memory.
 *
 * Number what the roots (borrowed until dag_guard) need; forgets what was numbered before.
 * Time proportional to that, and once to the graph.                              */
bool dag_number(dag *d, const expr *roots, size_t n_roots);

/* Find scopes and guards.  level (by node, or NULL): nodes of a level are evaluated before
 * those of larger ones; no node may have a lower level than an operand.          */
bool dag_guard(dag *d, const uint8_t *level);

/* Optional: evaluate both branches of ifs where they are cheap and cannot fail (sums,
 * products, relations; a handful of operations), so that they need no jumps.     */
bool dag_flatten(dag *d);

/* Choose which ifs are mere selections, and list the members of every scope in an order in
 * which they can be evaluated; those of scope 0 only if wanted.                   */
bool dag_place(dag *d, bool top);

static inline uint32_t dag_of(const dag *d, expr e)
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

/* The guards of a node: for (k = 0; dag_guard_of(d, i, &k, &scope);) ...           */
static inline bool dag_guard_of(const dag *d, uint32_t i, uint32_t *k, uint32_t *scope)
{
    if (*k == DAG_NONE)
        return false;
    *scope = *k == 0 ? d->node[i].guard : d->more[*k - 1].scope;
    *k = *k == 0 ? d->node[i].more : d->more[*k - 1].more;
    *k = *k == 0 ? DAG_NONE : *k;
    return true;
}

/* Walk through the members of a scope and of its choices' branches, without recursion. */
typedef struct dag_visitor {
    void (*node)(void *user, uint32_t i);
    void (*yes)(void *user, uint32_t choice); /* before the first branch          */
    void (*no)(void *user, uint32_t choice);  /* between the branches             */
    void (*end)(void *user, uint32_t choice); /* behind the second                */
    void *user;
} dag_visitor;
bool dag_visit(dag *d, uint32_t scope, const dag_visitor *v);
bool dag_visit_choice(dag *d, uint32_t choice, const dag_visitor *v);
#endif
