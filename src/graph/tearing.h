/* graph/tearing.h - solve a block for few unknowns at once, the rest one by one.
 *
 * Responsibility: choose torn variables of a strong component so that, once they are
 * known, every other variable follows from one equation; the equations left over are
 * the residuals that determine the torn ones.
 * Invariant: causal_row[k] holds no variables of the block but causal_col[k], earlier
 * causal ones and torn ones, and may be solved for causal_col[k].
 * Depends on: graph/components.h.                                               */
#ifndef DAEDAL_GRAPH_TEARING_H
#define DAEDAL_GRAPH_TEARING_H

#include "graph/components.h"

typedef struct tearing {
    int32_t n, n_torn;
    int32_t *torn;       /* n_torn variables, ascending              */
    int32_t *residual;   /* n_torn equations, as they stand in the block */
    int32_t *causal_row; /* n - n_torn equations in order, and ...   */
    int32_t *causal_col; /* ... the variable each is solved for      */
    block mem;
} tearing;

/* Which block of which pattern.  solvable: for each entry of the pattern, whether its
 * equation may be solved for its variable; NULL: all may.                       */
typedef struct tearing_task {
    const daedal_pattern *pattern;
    const unsigned char *solvable;
    const components *blocks;
    int32_t number;
} tearing_task;

/* Rows and columns are numbered as in the whole pattern.  false: out of memory. */
bool tearing_create(tearing *t, const tearing_task *task, const daedal_allocator *a);
void tearing_free(tearing *t);
#endif
