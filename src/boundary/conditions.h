/* boundary/conditions.h - the conditions that a solution satisfies at several points.
 *
 * Responsibility: their values and derivatives, from a function of the caller or from a model.
 * Depends on: daedal.h, base/.                                                   */
#ifndef DAEDAL_BOUNDARY_CONDITIONS_H
#define DAEDAL_BOUNDARY_CONDITIONS_H

#include "base/memory.h"

typedef struct boundary_conditions {
    int32_t n;        /* conditions                                                       */
    int32_t width;    /* unknowns of the system                                           */
    int32_t n_points; /* ascending, the first is the start, the last is the end           */
    const double *points;
    daedal_boundary_fn *values;
    /* n x (n_points width) by rows: derivatives by the values at the points; NULL: differences */
    int (*slopes)(const double *const *y, double *slopes, void *user);
    void *user;
    const char *const *names;     /* n, or NULL                                                   */
    double *moved, *plus, *minus; /* n_points width; n; n                                     */
    const double **at;            /* n_points                                                 */
    block mem;
} boundary_conditions;

/* The first lines are set by the caller.  false: out of memory; conditions_free in any case. */
bool conditions_create(boundary_conditions *c, const daedal_allocator *a);
void conditions_free(boundary_conditions *c);

/* y: n_points rows of `width` values.  Both return a daedal_answer; NaN and Inf are RETRY.  size:
 * typical sizes of the unknowns, for differences.                                */
int conditions_evaluate(boundary_conditions *c, const double *y, double *r);
int conditions_differentiate(boundary_conditions *c, const double *y, const double *size,
                             double *slopes);
/* Whether conditions that depend on each other contradict: a combination whose derivatives vanish
 * has this residual, made of terms of at most this size.                           */
bool conditions_contradict(double residual, double largest_term);
/* "condition 3", or its name, in buffer. */
const char *condition_name(const boundary_conditions *c, int32_t k, char *buffer, size_t size);
#endif
