/* integ/constraint_conflict.c - see constraint_conflict.h. */
#include "integ/constraint_conflict.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

void constraint_conflict_lay_out(constraint_conflict *u, int32_t n, layout *l)
{
    double **vectors[] = {&u->sum, &u->base, &u->reach, &u->weight};
    u->n = n;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, (size_t)n, sizeof(double));
}

void constraint_conflict_begin(constraint_conflict *u, const double *y)
{
    size_t bytes = (size_t)u->n * sizeof(double);
    u->count = 0;
    memset(u->sum, 0, bytes);
    memset(u->reach, 0, bytes);
    memset(u->weight, 0, bytes);
    memcpy(u->base, y, bytes);
}

void constraint_conflict_note(constraint_conflict *u, int32_t j, double y, double move,
                              double weight)
{
    u->sum[j] += move;
    u->reach[j] = fmax(u->reach[j], fabs(y - u->base[j]));
    u->weight[j] = fmax(u->weight[j], weight);
}

/* The first variable that the corrections have moved farther than it has moved itself, or -1.  A
 * value near zero has no size of its own, so that weights count as at least the middle one of all.
 */
static int32_t find(constraint_conflict *u, double much)
{
    memcpy(u->base, u->weight, (size_t)u->n * sizeof(double));
    double middle = vector_median(u->base, u->n);
    for (int32_t j = 0; j < u->n; j++)
        if (fabs(u->sum[j]) > much * fmax(u->weight[j], middle) && fabs(u->sum[j]) > u->reach[j])
            return j;
    return -1;
}

int32_t constraint_conflict_found(constraint_conflict *u, const double *y)
{
    enum { STEPS = 200 };
    const double much = 0.25 * STEPS; /* weights */
    if (++u->count < STEPS)
        return -1;
    int32_t found = find(u, much);
    constraint_conflict_begin(u, y);
    return found;
}
