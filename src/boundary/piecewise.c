/* boundary/piecewise.c - see piecewise.h.  [Tre13]: the barycentric weights of Chebyshev
 * points of the second kind are 1 or -1 in turn, half of that at the ends.          */
#include "boundary/piecewise.h"

#include <math.h>
#include <string.h>

#include "base/ascending.h"

static void lay_out(void *object, layout *l)
{
    piecewise *p = object;
    size_t nodes = (size_t)p->n_intervals * PIECEWISE_NODES;
    p->t = layout_take(l, (size_t)p->n_intervals + 1, sizeof(double));
    p->values = layout_take(l, nodes * 2 * (size_t)p->n, sizeof(double));
}

bool piecewise_create(piecewise *p, int32_t n, int32_t n_intervals, const daedal_allocator *a)
{
    *p = (piecewise){.n = n, .n_intervals = n_intervals};
    return block_create(&p->mem, a, lay_out, p);
}

void piecewise_free(piecewise *p)
{
    block_free(&p->mem);
}

double piecewise_node(const piecewise *p, int32_t i, int32_t k)
{
    const double pi = acos(-1.0);
    if (k == 0 || k == PIECEWISE_NODES - 1)
        return p->t[k == 0 ? i : i + 1];
    double half = 0.5 * (p->t[i + 1] - p->t[i]);
    return p->t[i] + half * (1.0 - cos(pi * k / (PIECEWISE_NODES - 1)));
}

double *piecewise_values(const piecewise *p, int32_t i, int32_t k)
{
    return p->values + ((size_t)i * PIECEWISE_NODES + (size_t)k) * 2 * (size_t)p->n;
}

/* Weights of the values at the nodes, with the sum 1. */
static void find_weights(const piecewise *p, int32_t i, double t, double *w)
{
    double sum = 0.0;
    for (int32_t k = 0; k < PIECEWISE_NODES; k++) {
        double distance = t - piecewise_node(p, i, k);
        if (distance == 0.0) {
            memset(w, 0, PIECEWISE_NODES * sizeof *w);
            w[k] = 1.0;
            return;
        }
        bool is_end = k == 0 || k == PIECEWISE_NODES - 1;
        w[k] = (k % 2 ? -1.0 : 1.0) * (is_end ? 0.5 : 1.0) / distance;
        sum += w[k];
    }
    for (int32_t k = 0; k < PIECEWISE_NODES; k++)
        w[k] /= sum;
}

static void combine(const piecewise *p, int32_t i, const double *w, int32_t from, double *out)
{
    memset(out, 0, (size_t)p->n * sizeof *out);
    for (int32_t k = 0; k < PIECEWISE_NODES; k++) {
        const double *v = piecewise_values(p, i, k) + from;
        for (int32_t j = 0; j < p->n && w[k] != 0.0; j++)
            out[j] += w[k] * v[j];
    }
}

void piecewise_at(const piecewise *p, double t, double *y, double *yp)
{
    double w[PIECEWISE_NODES];
    int32_t i = (int32_t)ascending_interval(p->t, (size_t)p->n_intervals, t);
    find_weights(p, i, t, w);
    if (y)
        combine(p, i, w, 0, y);
    if (yp)
        combine(p, i, w, p->n, yp);
}
