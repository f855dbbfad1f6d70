/* expr/emit_shapes.h - roots cut into bodies and sorted into shapes; for emit_c.c.
 *
 * A body computes one root, or one work item that several bodies share or that would make
 * its body too long.  Bodies of one class have the same operations in the same order and
 * differ in which variables, work items and constants they read.
 * Depends on: expr/dag.h.                                                       */
#ifndef DAEDAL_EXPR_EMIT_SHAPES_H
#define DAEDAL_EXPR_EMIT_SHAPES_H

#include "expr/dag.h"
#include "expr/emit_c.h"

typedef struct shape_body {
    expr e;
    uint32_t target;     /* work item or root                                      */
    uint32_t shape;      /* class                                                  */
    size_t leaf, number; /* where its places and its constants begin               */
    uint32_t next;       /* body of the same class, or DAG_NONE                    */
} shape_body;

typedef struct shape_class {
    bool is_root;
    uint32_t level; /* work items of a level need those of lower ones only         */
    uint32_t hash;
    size_t word, n_words; /* the shape                                             */
    uint32_t n_leaves, n_numbers;
    uint32_t first, last, n; /* bodies                                             */
} shape_class;

typedef struct shapes {
    const emit_setup *setup;
    dag d;          /* of the body made last; leaves are variables, constants, work items   */
    uint8_t *stop;  /* by id: a work item                                      */
    uint32_t *item; /* by id: its number                                       */
    uint32_t *item_level;
    size_t n_ids, n_items, item_capacity;
    shape_body *body;
    shape_class *class;
    uint32_t *slot; /* hash table of classes: 1 + number                           */
    uint32_t *word, *leaf;
    double *number;
    size_t n_bodies, n_classes, n_slots, n_words, n_leaves, n_numbers;
    size_t body_capacity, class_capacity, word_capacity, leaf_capacity, number_capacity;
    bool failed;
} shapes;

bool shapes_create(shapes *s, const emit_setup *setup);
void shapes_free(shapes *s);

/* Number the nodes of a body in s->d and find their scopes.                        */
bool shapes_open(shapes *s, const shape_body *b);

static inline bool shapes_is_item(const shapes *s, const shape_body *b, expr e)
{
    return s->stop[e] && e != b->e;
}
#endif
