/* linalg/svd.c - see svd.h. */
#include "linalg/svd.h"

void dgesvd_(const char *jobu, const char *jobvt, const int32_t *m, const int32_t *n, double *a,
             const int32_t *lda, double *s, double *u, const int32_t *ldu, double *vt,
             const int32_t *ldvt, double *work, const int32_t *lwork, int32_t *info,
             size_t jobu_length, size_t jobvt_length);

static void lay_out(void *object, layout *l)
{
    svd *d = object;
    size_t n = (size_t)d->n;
    d->a = layout_take(l, n * n, sizeof(double));
    d->u = layout_take(l, n * n, sizeof(double));
    d->vt = layout_take(l, n * n, sizeof(double));
    d->s = layout_take(l, n, sizeof(double));
    d->work = layout_take(l, (size_t)d->n_work, sizeof(double));
}

bool svd_create(svd *d, int32_t n, const daedal_allocator *a)
{
    *d = (svd){.n = n, .n_work = 10 * n + 64};
    return block_create(&d->mem, a, lay_out, d);
}

void svd_free(svd *d)
{
    block_free(&d->mem);
}

bool svd_decompose(svd *d)
{
    int32_t info = 0;
    dgesvd_("A", "A", &d->n, &d->n, d->a, &d->n, d->s, d->u, &d->n, d->vt, &d->n, d->work,
            &d->n_work, &info, 1, 1);
    return info == 0;
}
