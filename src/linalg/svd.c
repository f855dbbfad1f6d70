/* linalg/svd.c - see svd.h. */
#include "linalg/svd.h"

#include <math.h>

#include "linalg/lapack.h"

static void lay_out(void *object, layout *l)
{
    svd *d = object;
    size_t n = (size_t)d->n;
    d->a = layout_take(l, n * n, sizeof(double));
    d->u = layout_take(l, n * n, sizeof(double));
    d->vt = layout_take(l, n * n, sizeof(double));
    d->s = layout_take(l, n, sizeof(double));
    d->work = layout_take(l, (size_t)d->n_work, sizeof(double));
    d->counters = layout_take(l, 8 * n, sizeof(int32_t));
}

bool svd_create(svd *d, int32_t n, const daedal_allocator *a)
{
    const int32_t block_size = 64; /* of LAPACK's blocked routines, for most machines  */
    const int32_t n_most = 20000;  /* the work space must be counted by an int         */
    *d = (svd){.n = n};
    if (n > n_most)
        return false;
    d->n_work = 4 * n * n + (7 + block_size) * n;
    return block_create(&d->mem, a, lay_out, d);
}

void svd_free(svd *d)
{
    block_free(&d->mem);
}

bool svd_decompose(svd *d)
{
    int32_t info = 0;
    dgesdd_("A", &d->n, &d->n, d->a, &d->n, d->s, d->u, &d->n, d->vt, &d->n, d->work, &d->n_work,
            d->counters, &info, 1);
    return info == 0;
}

void svd_turn(const svd *d, const double *x, double *out)
{
    const double one = 1.0, zero = 0.0;
    dgemm_("T", "N", &d->n, &d->n, &d->n, &one, d->u, &d->n, x, &d->n, &zero, out, &d->n, 1, 1);
}

int32_t svd_rank(const double *s, int32_t count, double noise)
{
    int32_t rank = 0;
    while (rank < count && s[rank] > noise)
        rank++;
    return rank;
}

int32_t svd_clear_rank(const double *s, int32_t count, double relative_noise)
{
    const double undecided = 30.0, size_of_rows = 1e-3; /* all of them small: none is large */
    if (count == 0)
        return 0;
    double noise = relative_noise * fmax(s[0], size_of_rows);
    int32_t rank = svd_rank(s, count, noise * undecided);
    return rank == svd_rank(s, count, noise / undecided) ? rank : -1;
}
