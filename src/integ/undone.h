/* integ/undone.h - do constraints take back what the equations do?
 *
 * Responsibility: the moves that constraints make, summed with sign over a number of steps and
 * compared with how far the variables themselves have come meanwhile.  Errors of steps add up to
 * less; a constraint that contradicts the equations moves a variable back and back, and it comes
 * nowhere.
 * Depends on: base/memory.h, linalg/vector.h.                                   */
#ifndef DAEDAL_INTEG_UNDONE_H
#define DAEDAL_INTEG_UNDONE_H

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "linalg/vector.h"

typedef struct undone {
    int32_t n, count;
    double *sum;    /* n: of the moves                                           */
    double *base;   /* n: y when they began                                      */
    double *reach;  /* n: how far y has been from there                          */
    double *weight; /* n: the largest meanwhile; y may pass through zero         */
} undone;

static inline void undone_lay_out(undone *u, int32_t n, layout *l)
{
    double **vectors[] = {&u->sum, &u->base, &u->reach, &u->weight};
    u->n = n;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, (size_t)n, sizeof(double));
}

static inline void undone_begin(undone *u, const double *y)
{
    size_t bytes = (size_t)u->n * sizeof(double);
    u->count = 0;
    memset(u->sum, 0, bytes);
    memset(u->reach, 0, bytes);
    memset(u->weight, 0, bytes);
    memcpy(u->base, y, bytes);
}

/* In the step that ends at y_j. */
static inline void undone_note(undone *u, int32_t j, double y, double move, double weight)
{
    u->sum[j] += move;
    u->reach[j] = fmax(u->reach[j], fabs(y - u->base[j]));
    u->weight[j] = fmax(u->weight[j], weight);
}

/* The first variable moved farther than it has come, or -1.  A value near zero has no size of its
 * own: the middle weight is the least that counts.                                */
static inline int32_t undone_find(undone *u, double much)
{
    memcpy(u->base, u->weight, (size_t)u->n * sizeof(double));
    double middle = vector_median(u->base, u->n);
    for (int32_t j = 0; j < u->n; j++)
        if (fabs(u->sum[j]) > much * fmax(u->weight[j], middle) && fabs(u->sum[j]) > u->reach[j])
            return j;
    return -1;
}

/* A step is complete: a variable that the constraints hold back, or -1. */
static inline int32_t undone_by_now(undone *u, const double *y)
{
    enum { STEPS = 200 };
    const double much = 0.25 * STEPS; /* weights */
    if (++u->count < STEPS)
        return -1;
    int32_t found = undone_find(u, much);
    undone_begin(u, y);
    return found;
}
#endif
