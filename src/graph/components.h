/* graph/components.h - which equations must be solved together, and in which order.
 *
 * Responsibility: strong components of a square pattern with a perfect matching, and
 * the block triangular order they define.
 * Invariant: with rows and columns in the order given here, an entry stands in a
 * diagonal block or left of it: a block needs only variables of itself and of
 * earlier blocks.  row[k] is matched with col[k].
 * Depends on: graph/matching.h.                                                 */
#ifndef DAEDAL_GRAPH_COMPONENTS_H
#define DAEDAL_GRAPH_COMPONENTS_H

#include "graph/matching.h"

typedef struct components {
    int32_t n, n_blocks;
    int32_t largest;   /* size of the largest block                          */
    int32_t *start;    /* n_blocks + 1: block b is start[b] .. start[b+1]-1  */
    int32_t *row;      /* n: equations in the order of evaluation            */
    int32_t *col;      /* n: their variables, ascending within a block       */
    int32_t *row_at;   /* n: where each equation stands in row               */
    int32_t *block_of; /* n: the block of each variable                      */
    block mem;
} components;

/* m must be perfect and p square.  false: out of memory.                        */
bool components_create(components *c, const daedal_pattern *p, const matching *m,
                       const daedal_allocator *a);
void components_free(components *c);
#endif
