/* index/structural_offsets.h - what the patterns of a function say about its index.
 *
 * Responsibility: offsets of equations and variables, the index of each variable and the
 * chain that leads to the highest one, from the patterns of dF/dy and dF/dy' alone; the
 * matrix whose regularity makes this more than a guess.
 * Depends on: graph/signature.h.                                                */
#ifndef DAEDAL_INDEX_STRUCTURAL_OFFSETS_H
#define DAEDAL_INDEX_STRUCTURAL_OFFSETS_H

#include "graph/signature.h"

typedef struct offsets {
    int32_t n;
    const daedal_pattern *pattern; /* of both parts, borrowed                              */
    int32_t *sigma;                /* by its entries: 1 where y' occurs, else 0            */
    signature found;               /* c, d, matching; `singular` if there is none          */
    pattern jacobian;              /* of the system Jacobian: entries with d_j - c_i = sigma */
    int32_t *jacobian_at;          /* where its entries stand in `pattern`                 */
    int32_t *variable_index;       /* n                                                    */
    int32_t index;                 /* the largest of them                                  */
    int32_t chain_equation;        /* where the chain begins                               */
    int32_t *chain, n_chain;       /* variables from there to one of highest index         */
    int32_t *best, *from;          /* work of the sweep, by rows                           */
    block mem;
} offsets;

/* `dyp` is the pattern of dF/dy' and part of `both`.  DAEDAL_OK; DAEDAL_ERR_STRUCTURE: no
 * assignment of equations to variables, see found.singular; DAEDAL_ERR_MEMORY.  offsets_free
 * in any case.                                                                   */
daedal_status offsets_create(offsets *o, const daedal_pattern *both, const daedal_pattern *dyp,
                             const daedal_allocator *a);
void offsets_free(offsets *o);
#endif
