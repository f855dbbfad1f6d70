/* linalg/qr.c - see qr.h. */
#include "linalg/qr.h"

#include <math.h>
#include <string.h>

#include "linalg/lapack.h"

enum { BLOCKED_FROM = 64, BLOCK = 64 };

static int32_t less(const qr *f)
{
    return f->rows < f->cols ? f->rows : f->cols;
}

static void lay_out(void *object, layout *l)
{
    qr *f = object;
    f->pivot = layout_take(l, (size_t)f->cols, sizeof *f->pivot);
    f->tau = layout_take(l, (size_t)less(f), sizeof *f->tau);
    f->work = layout_take(l, (size_t)f->n_work, sizeof *f->work);
}

bool qr_create(qr *f, int32_t rows, int32_t cols, int32_t n_right, const daedal_allocator *a)
{
    int32_t widest = cols > n_right ? cols : n_right;
    *f = (qr){.rows = rows, .cols = cols, .n_work = 3 * widest + 64};
    if (rows > BLOCKED_FROM) /* room for the blocks of dgeqp3 and dormqr */
        f->n_work = 2 * cols + BLOCK * (widest + 1) + (BLOCK + 1) * BLOCK;
    return block_create(&f->mem, a, lay_out, f);
}

void qr_free(qr *f)
{
    block_free(&f->mem);
}

int32_t qr_factor(qr *f, double *a, double tolerance)
{
    int32_t info = 0, rank = 0;
    if (f->rows == 0 || f->cols == 0)
        return 0;
    memset(f->pivot, 0, (size_t)f->cols * sizeof *f->pivot);
    dgeqp3_(&f->rows, &f->cols, a, &f->rows, f->pivot, f->tau, f->work, &f->n_work, &info);
    while (rank < less(f) && fabs(a[rank * (f->rows + 1)]) > tolerance * fabs(a[0]))
        rank++;
    return rank;
}

void qr_turn(qr *f, const double *a, double *b, int32_t n_right)
{
    int32_t info = 0, k = less(f);
    if (k == 0 || n_right == 0)
        return;
    dormqr_("L", "T", &f->rows, &n_right, &k, a, &f->rows, f->tau, b, &f->rows, f->work, &f->n_work,
            &info, 1, 1);
}
