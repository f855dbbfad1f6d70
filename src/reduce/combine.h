/* reduce/combine.h - sums of equations with constant factors, cancelled exactly.
 *
 * Responsibility: add expressions as sums of constants times terms, so that equal terms cancel
 * regardless of how they were written.
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_REDUCE_COMBINE_H
#define DAEDAL_REDUCE_COMBINE_H

#include "expr/expression.h"

typedef struct combined_term {
    expr term; /* without constant factor; EXPR_NONE: 1 */
    double factor, size;
} combined_term;

typedef struct combination {
    expr_graph *g;
    const daedal_allocator *allocator;
    combined_term *term;
    size_t n, capacity;
    size_t most;  /* limit of the number of terms; 0: none                            */
    size_t steps; /* taken so far; shared parts are expanded each time they occur    */
    bool crowded; /* one of these limits was exceeded; the sum is not complete       */
    bool failed;
} combination;

void combination_create(combination *c, expr_graph *g, const daedal_allocator *a);
void combination_free(combination *c);
void combination_add(combination *c, expr e, double factor);
/* The sum; terms that are roundoff of what was added are left out. */
expr combination_sum(const combination *c);
#endif
