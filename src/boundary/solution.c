/* boundary/solution.c - see solution.h. */
#include "boundary/solution.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

static void lay_out(void *object, layout *l)
{
    bvp_result *s = object;
    s->mesh_y = layout_take(l, (size_t)s->shown.n_mesh * (size_t)s->shown.n, sizeof(double));
}

bvp_result *result_create(int32_t n, int32_t n_intervals, const daedal_allocator *a)
{
    bvp_result *s = memory_take(a, sizeof *s);
    if (!s)
        return NULL;
    s->allocator = a ? *a : memory_default;
    s->shown = (daedal_bvp_solution){.n = n, .n_mesh = n_intervals + 1, .intervals = n_intervals};
    if (!piecewise_create(&s->path, n, n_intervals, &s->allocator) ||
        !block_create(&s->mem, &s->allocator, lay_out, s)) {
        daedal_bvp_solution_free(&s->shown);
        return NULL;
    }
    s->shown.t = s->path.t;
    s->shown.y = s->mesh_y;
    return s;
}

/* Values of the polynomials of interval i: also at its end, where those of the next one begin. */
static void sample(const collocation *c, int32_t i, const piecewise *path)
{
    double inside = 0.5 * (c->t[i] + c->t[i + 1]);
    for (int32_t k = 0; k < PIECEWISE_NODES; k++) {
        double *y = piecewise_values(path, i, k), t = piecewise_node(path, i, k);
        double within = k == PIECEWISE_NODES - 1 ? nextafter(t, inside) : t;
        collocation_at(c, within, y, y + path->n);
    }
}

bvp_result *result_of_collocation(const collocation *c)
{
    int32_t n = c->p->n;
    bvp_result *s = result_create(n, c->n_intervals, c->p->allocator);
    if (!s)
        return NULL;
    memcpy(s->path.t, c->t, ((size_t)c->n_intervals + 1) * sizeof(double));
    for (int32_t i = 0; i < c->n_intervals; i++)
        sample(c, i, &s->path);
    for (int32_t i = 0; i <= c->n_intervals; i++)
        collocation_node_values(c, c->u, i, s->mesh_y + (size_t)i * (size_t)n);
    s->shown.stages = c->g->s;
    return s;
}

daedal_status daedal_bvp_solution_at(const daedal_bvp_solution *solution, double t, double *y,
                                     double *yp)
{
    if (!solution || !(t >= solution->t[0]) || !(t <= solution->t[solution->n_mesh - 1]))
        return DAEDAL_ERR_ARGUMENT;
    piecewise_at(&((const bvp_result *)(const void *)solution)->path, t, y, yp);
    return DAEDAL_OK;
}

void daedal_bvp_solution_free(daedal_bvp_solution *solution)
{
    if (!solution)
        return;
    bvp_result *s = (bvp_result *)(void *)solution;
    daedal_allocator a = s->allocator;
    piecewise_free(&s->path);
    block_free(&s->mem);
    memory_give(&a, s, sizeof *s);
}
