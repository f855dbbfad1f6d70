/* linalg/fixed_point.c - see fixed_point.h.
 *
 * With f = g(x) - x and the differences dg, df between successive iterates, the next one is
 * g - dg c, where c minimises |f - df c|: f vanishes there if g is linear and the df span it. */
#include "linalg/fixed_point.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

enum { DEPTH_MAX = 64 };

static void lay_out(void *object, layout *l)
{
    fixed_point *p = object;
    size_t n = (size_t)p->n, depth = (size_t)p->depth;
    p->g = layout_take(l, n, sizeof(double));
    p->f = layout_take(l, n, sizeof(double));
    p->dg = layout_take(l, n * depth, sizeof(double));
    p->df = layout_take(l, n * depth, sizeof(double));
    p->a = layout_take(l, n * depth, sizeof(double));
    p->b = layout_take(l, n, sizeof(double));
}

bool fixed_point_create(fixed_point *p, int32_t n, const daedal_allocator *a)
{
    *p = (fixed_point){.n = n, .depth = n < DEPTH_MAX ? n : DEPTH_MAX};
    if (block_create(&p->mem, a, lay_out, p) && least_squares_create(&p->ls, n, p->depth, a))
        return true;
    block_free(&p->mem);
    return false;
}

void fixed_point_free(fixed_point *p)
{
    least_squares_free(&p->ls);
    block_free(&p->mem);
}

void fixed_point_begin(fixed_point *p)
{
    p->count = 0;
    memset(p->dg, 0, (size_t)p->n * (size_t)p->depth * sizeof(double));
    memset(p->df, 0, (size_t)p->n * (size_t)p->depth * sizeof(double));
}

/* True if x is the last one again: then g has changed for other reasons, and the differences tell
 * nothing about its dependence on x. */
static bool is_same(const fixed_point *p, const double *x)
{
    const double rounding = 1e-14;
    bool same = p->count > 0;
    for (int32_t i = 0; i < p->n && same; i++)
        same = fabs(x[i] - (p->g[i] - p->f[i])) <= rounding * fmax(fabs(x[i]), fabs(p->g[i]));
    return same;
}

/* The differences to the last iterate replace the oldest ones. */
static void note(fixed_point *p, const double *x, const double *g)
{
    size_t n = (size_t)p->n, column = p->count > 0 ? (size_t)((p->count - 1) % p->depth) : 0;
    for (size_t i = 0; i < n; i++) {
        double f = g[i] - x[i];
        p->dg[column * n + i] = p->count > 0 ? g[i] - p->g[i] : 0.0;
        p->df[column * n + i] = p->count > 0 ? f - p->f[i] : 0.0;
        p->g[i] = g[i];
        p->f[i] = f;
    }
    p->count++;
}

void fixed_point_next(fixed_point *p, const double *x, const double *g, double *next)
{
    size_t n = (size_t)p->n, depth = (size_t)p->depth;
    if (is_same(p, x))
        fixed_point_begin(p);
    note(p, x, g);
    memcpy(p->a, p->df, n * depth * sizeof(double));
    memcpy(p->b, p->f, n * sizeof(double));
    bool sound = vector_all_finite(p->a, (int32_t)(n * depth)) && vector_all_finite(p->b, p->n);
    if (sound)
        least_squares_solve(&p->ls, p->a, p->b);
    memcpy(next, p->g, n * sizeof(double));
    for (size_t k = 0; k < depth && sound; k++)
        for (size_t i = 0; i < n; i++)
            next[i] -= p->dg[k * n + i] * p->b[k];
    if (!vector_all_finite(next, p->n))
        memcpy(next, p->g, n * sizeof(double));
}
