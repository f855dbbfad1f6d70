/* reduce/alias.h - unknowns that are equal to other unknowns, or constant.
 *
 * Responsibility: find equations x = y, x = -y and x = c, also behind constant factors and
 * after other such equations have been used, and eliminate them from a system.
 * INDEX_REDUCTION 1.2 rules 5, 6.
 * Depends on: reduce/equations.h.                                            */
#ifndef DAEDAL_REDUCE_ALIAS_H
#define DAEDAL_REDUCE_ALIAS_H

#include "reduce/equations.h"

typedef struct alias {
    int32_t root;  /* the unknown it is a copy of; ALIAS_CONSTANT: none, see constant */
    double factor; /* +1 or -1, also of the constant                                  */
    expr constant;
} alias;

enum { ALIAS_CONSTANT = -1 };

typedef struct alias_outcome {
    alias *of;     /* by unknown; a root is its own, with factor 1 (in the arena)     */
    int32_t *kept; /* equations left, ascending                                       */
    int32_t n_kept;
    int32_t removed; /* number of unknowns that were eliminated                        */
    int32_t empty;   /* an equation without unknowns that is not 0 = 0, or -1           */
    int32_t idle;    /* an equation that follows from others, or -1                     */
} alias_outcome;

typedef struct alias_task {
    equations *system;         /* residuals are rewritten, except those of removed equations */
    const int32_t *preference; /* by unknown: of two the larger one becomes the root    */
    /* An unknown's derivative as a symbol, EXPR_NONE if it has none; and everything else
     * that is to be rewritten along with the equations.                             */
    uint32_t (*symbol)(void *user, int32_t unknown, int32_t order);
    expr *others;
    size_t n_others;
    /* The expression that replaces a symbol which is no unknown but belongs to one (its value
     * before an event); EXPR_NONE: it stays.  May be NULL.                                  */
    expr_image_fn *other_image;
    arena *mem;
} alias_task;

/* false: out of memory. */
bool alias_eliminate(alias_outcome *out, const alias_task *task);

/* Root and factor of an unknown; shortens the path to the root. */
alias alias_resolve(alias *of, int32_t unknown);

/* The value now of an unknown that is a constant. */
static inline double alias_constant(const expr_graph *g, alias a)
{
    return a.factor * expr_value_now(g, a.constant);
}
#endif
