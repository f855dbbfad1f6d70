/* index/dense_pencil.c - see dense_pencil.h. */
#include "index/dense_pencil.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/linsolver.h"

enum { INDEX_MAX = 8 };
static const double FIRST_NOISE = 1e-11; /* singular values of M below it are roundoff */

static void lay_out(void *object, layout *l)
{
    dense_pencil *p = object;
    double **all[] = {&p->e, &p->a, &p->m, &p->power, &p->product};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = layout_take(l, (size_t)p->n * (size_t)p->n, sizeof(double));
}

bool dense_pencil_create(dense_pencil *p, int32_t n, const daedal_allocator *a)
{
    *p = (dense_pencil){.n = n};
    return block_create(&p->mem, a, lay_out, p) && svd_create(&p->s, n, a) &&
           pattern_full(&p->pattern, n, a);
}

void dense_pencil_free(dense_pencil *p)
{
    svd_free(&p->s);
    pattern_free(&p->pattern);
    block_free(&p->mem);
}

static double largest(const double *v, size_t n)
{
    double most = DBL_MIN;
    for (size_t k = 0; k < n; k++)
        most = fmax(most, fabs(v[k]));
    return most;
}

/* p->m = (c E + A)^-1 c E by columns; false: singular. */
static bool make_matrix(dense_pencil *p, const daedal_allocator *a)
{
    const daedal_linsolver *solver = daedal_linsolver_dense();
    size_t n = (size_t)p->n;
    void *factors = NULL;
    double c = 0.77 * largest(p->a, n * n) / largest(p->e, n * n);
    for (size_t k = 0; k < n * n; k++) {
        p->m[k] = c * p->e[k];
        p->product[k] = p->m[k] + p->a[k];
    }
    bool fine = solver->create(&factors, &p->pattern.view, a) == DAEDAL_OK &&
                solver->factor(factors, p->product) == DAEDAL_OK;
    for (size_t j = 0; j < n && fine; j++)
        solver->solve(factors, p->m + j * n);
    if (factors)
        solver->destroy(factors);
    return fine;
}

/* Of the power, whose entries are noise below `noise`. */
static int32_t rank_of(dense_pencil *p, double noise)
{
    size_t nn = (size_t)p->n * (size_t)p->n;
    memcpy(p->s.a, p->power, nn * sizeof(double));
    return svd_decompose(&p->s) ? svd_rank(p->s.s, p->n, noise) : p->n;
}

static void multiply(dense_pencil *p)
{
    size_t n = (size_t)p->n;
    memset(p->product, 0, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++) {
            double factor = p->power[j * n + k];
            for (size_t i = 0; i < n && factor != 0.0; i++)
                p->product[j * n + i] += p->m[k * n + i] * factor;
        }
    memcpy(p->power, p->product, n * n * sizeof(double));
}

int32_t dense_pencil_index(dense_pencil *p, const daedal_allocator *a, int32_t *freedom)
{
    int32_t index = -1, rank = p->n;
    if (!make_matrix(p, a))
        return -1;
    double size = largest(p->m, (size_t)p->n * (size_t)p->n), noise = FIRST_NOISE;
    memcpy(p->power, p->m, (size_t)p->n * (size_t)p->n * sizeof(double));
    for (int32_t k = 0; k <= INDEX_MAX && index < 0; k++) {
        noise *= fmin(size, 1.0);
        int32_t next = rank_of(p, noise);
        if (next == rank)
            index = k;
        rank = next;
        multiply(p);
    }
    *freedom = rank;
    return index;
}
