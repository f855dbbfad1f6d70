/* clocks/partitions.h - what the files of this folder share.
 *
 * Responsibility: the partitions of a model and their clocks.
 * Invariant: `parent` is a forest; the root of a variable is its partition.
 * Depends on: clocks/clocks.h, expr/walk.h.                                         */
#ifndef DAEDAL_CLOCKS_PARTITIONS_H
#define DAEDAL_CLOCKS_PARTITIONS_H

#include "clocks/clocks.h"
#include "expr/walk.h"

/* n / d in lowest terms, d > 0; d = 0: the numbers are too large. */
typedef struct ratio {
    int64_t n, d;
} ratio;

ratio ratio_make(int64_t n, int64_t d);
ratio ratio_multiply(ratio a, ratio b);
ratio ratio_divide(ratio a, ratio b);
ratio ratio_add(ratio a, ratio b);
static inline bool ratio_is(ratio a, ratio b)
{
    return a.n == b.n && a.d == b.d;
}

/* Where the ticks are: at first + k step intervals of the base clock, k = 0, 1, ... */
typedef struct clock_grid {
    bool is_known, is_event;
    size_t base; /* the operator that is the base clock: the first exact one for all exact ones */
    ratio first, step;
    clock_method method;
} clock_grid;

typedef struct clock_partition {
    bool is_clocked, is_continuous;
    size_t why_clocked, why_continuous; /* operators */
    clock_grid grid;
    expr fires;                   /* true at a tick; EXPR_NONE: not asked for yet */
    uint32_t ticked, first, time; /* hidden variables, FLAT_NONE: not asked for yet */
} clock_partition;

typedef struct partitions {
    context *in;
    clock_list *list;
    const clock_hooks *hooks;
    uint32_t *parent;           /* by variable */
    size_t n;                   /* variables when the partitions were found */
    clock_partition *partition; /* by root */
    uint32_t *operand;          /* by operator: a variable of its operand, or FLAT_NONE */
    uint32_t *of_equation;      /* by equation: one of its variables, or FLAT_NONE      */
    clock_equation *equation;
    size_t n_equations;
    expr_walker walker;
    expr_substituter substituter;
    uint32_t *seen; /* symbols that stand for other expressions, under way */
    size_t n_seen, seen_capacity;
    bool *is_seen[3]; /* by relation, rounding, delay */
} partitions;

/* partitions.c */
bool partitions_find(partitions *p); /* false after an error */
uint32_t partitions_root(partitions *p, uint32_t variable);
clock_partition *partitions_of(partitions *p, uint32_t variable);
const char *partitions_name(partitions *p, uint32_t root); /* of a variable that the user knows */

/* grids.c */
bool grids_infer(partitions *p); /* false after an error */

/* ticks.c: expressions and hidden variables of a clocked partition */
expr ticks_fire(partitions *p, uint32_t root);
expr ticks_interval(partitions *p, uint32_t root);
expr ticks_have_begun(partitions *p, uint32_t root); /* true from the first tick on   */
expr ticks_first(partitions *p, uint32_t root);      /* true from the first tick to the second */
expr ticks_time(partitions *p, uint32_t root);       /* of the last tick              */
/* variable = if the partition ticks then value else what it was. */
void ticks_assign(partitions *p, uint32_t root, uint32_t variable, expr e, source_at at,
                  source_at end);
/* The value of a variable at the last tick before, as a hidden variable. */
expr ticks_previous(partitions *p, uint32_t root, uint32_t variable, source_at at);
void ticks_assign_operators(partitions *p);
expr ticks_start(partitions *p, uint32_t variable); /* its start value */

/* clocked_equations.c */
void clocked_equations_solve(partitions *p);

static inline expr value_of(partitions *p, uint32_t variable)
{
    return expr_variable(p->in->g, flat_symbol(FLAT_VALUE, variable));
}
static inline expr pre_value(partitions *p, uint32_t variable)
{
    return expr_variable(p->in->g, flat_symbol(FLAT_PRE, variable));
}
#endif
