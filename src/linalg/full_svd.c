/* linalg/full_svd.c - see full_svd.h. */
#include "linalg/full_svd.h"

#include <string.h>

#include "linalg/lapack.h"

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void lay_out(void *object, layout *l)
{
    full_svd *d = object;
    size_t rows = (size_t)d->rows_most, cols = (size_t)d->cols_most;
    d->a = layout_take(l, rows * cols, sizeof(double));
    d->u = layout_take(l, rows * rows, sizeof(double));
    d->vt = layout_take(l, cols * cols, sizeof(double));
    d->s = layout_take(l, rows + cols, sizeof(double));
    d->work = layout_take(l, (size_t)d->n_work, sizeof(double));
    d->counters = layout_take(l, 8 * (rows + cols), sizeof(int32_t));
}

bool full_svd_create(full_svd *d, int32_t rows_most, int32_t cols_most, const daedal_allocator *a)
{
    const int32_t block_size = 64; /* of LAPACK's blocked routines, for most machines  */
    const int32_t most = 20000;    /* the work space must be counted by an int         */
    *d = (full_svd){.rows_most = larger(rows_most, 1), .cols_most = larger(cols_most, 1)};
    int32_t n = larger(d->rows_most, d->cols_most);
    if (n > most)
        return false;
    d->n_work = 4 * n * n + (7 + block_size) * n;
    return block_create(&d->mem, a, lay_out, d);
}

void full_svd_free(full_svd *d)
{
    block_free(&d->mem);
}

static void set_identity(double *x, int32_t n)
{
    memset(x, 0, (size_t)n * (size_t)n * sizeof *x);
    for (int32_t k = 0; k < n; k++)
        x[(size_t)k * (size_t)n + (size_t)k] = 1.0;
}

bool full_svd_decompose(full_svd *d, int32_t rows, int32_t cols)
{
    int32_t info = 0;
    if (rows == 0 || cols == 0) {
        set_identity(d->u, rows);
        set_identity(d->vt, cols);
        return true;
    }
    dgesdd_("A", &rows, &cols, d->a, &rows, d->s, d->u, &rows, d->vt, &cols, d->work, &d->n_work,
            d->counters, &info, 1);
    return info == 0;
}
