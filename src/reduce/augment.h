/* reduce/augment.h - dependent equations made independent by new unknowns.
 *
 * Responsibility: of a dependent set of equations (reduce/repair.h) replace the last one by
 * copies of all of them in which the leading unknowns are unknowns of their own, proxies: as many
 * as the others determine, the rest constants.  The copies then have a solution only if the
 * relation holds that was hidden by the leading unknowns ([Oki23]; [YWR21]).
 * Depends on: reduce/repair.h.                                               */
#ifndef DAEDAL_REDUCE_AUGMENT_H
#define DAEDAL_REDUCE_AUGMENT_H

#include "reduce/repair.h"

typedef struct augment_task {
    const repair_task *repair;
    const repair_set *set;
    /* The symbol of x_j^(order), where an expression reads it. */
    uint32_t (*symbol)(void *user, int32_t unknown, int32_t order);
    /* A new unknown in its place; EXPR_NONE: out of memory. */
    expr (*proxy)(void *user, int32_t unknown, int32_t order);
    void *user;
} augment_task;

/* Copies and the equations they are of, with one proxy less than copies; the lists have room for
 * the rows of the set.                                                           */
typedef struct augmentation {
    expr *copy;
    int32_t *row, n;
} augmentation;

/* Proxies that a copy gives explicitly are substituted, so that often one copy remains: the hidden
 * relation itself.  EXPR_NOT_DIFFERENTIABLE, EXPR_NO_MEMORY.               */
expr_outcome augment(const augment_task *task, augmentation *to);
#endif
