/* reduce/equations.h - equations as the analysis of structure sees them.
 *
 * Responsibility: which symbols of an expression graph are unknowns; the incidence of
 * equations and unknowns, with the highest derivative in each place.
 * An equation is one expression that is to be zero.
 * Depends on: base/, graph/, expr/.                                             */
#ifndef DAEDAL_REDUCE_EQUATIONS_H
#define DAEDAL_REDUCE_EQUATIONS_H

#include "base/arena.h"
#include "base/pattern.h"
#include "expr/walk.h"

enum { EQUATIONS_KNOWN = -1 };

/* An unknown and the order of its derivative. */
typedef struct equations_place {
    int32_t unknown; /* or EQUATIONS_KNOWN */
    int32_t order;
} equations_place;

typedef equations_place equations_place_fn(void *user, uint32_t symbol);

typedef struct equations {
    expr_graph *g;
    expr *residual; /* n of them */
    int32_t n, n_unknowns;
    expr_parts parts; /* EXPR_INCIDENCE: conditions and operands of relations do not count */
    equations_place_fn *place;
    void *user;
} equations;

/* Rows are equations, columns unknowns; order: the highest derivative, by entry. */
typedef struct incidence {
    pattern pattern;
    int32_t *order;
    const daedal_allocator *allocator;
} incidence;

/* false: out of memory.  incidence_free in any case. */
bool incidence_create(incidence *s, const equations *e, const daedal_allocator *a);
void incidence_free(incidence *s);
#endif
