/* linalg/svd.c - see svd.h.
 *
 * Only the rows and columns that are not zero are decomposed: unit vectors stand for the others. In
 * dF/dy' these are the most. */
#include "linalg/svd.h"

#include <math.h>
#include <string.h>

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
    d->row = layout_take(l, n, sizeof(int32_t));
    d->column = layout_take(l, n, sizeof(int32_t));
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

/* Numbers the rows and columns, those that are not zero first; returns how many of both are needed
 * to have all of these. */
static int32_t gather_nonzero(svd *d)
{
    int32_t n = d->n, n_rows = 0, n_columns = 0, zero_rows = n, zero_columns = n;
    bool *row_is_used = memset(d->work, 0, (size_t)n * sizeof *row_is_used);
    for (int32_t j = 0; j < n; j++) {
        bool is_used = false;
        for (int32_t i = 0; i < n; i++)
            if (d->a[(size_t)j * (size_t)n + (size_t)i] != 0.0)
                is_used = row_is_used[i] = true;
        d->column[is_used ? n_columns++ : --zero_columns] = j;
    }
    for (int32_t i = 0; i < n; i++)
        d->row[row_is_used[i] ? n_rows++ : --zero_rows] = i;
    return n_rows > n_columns ? n_rows : n_columns;
}

/* The block of the first k rows and columns, together at the beginning of d->a. */
static void pack(svd *d, int32_t k)
{
    size_t n = (size_t)d->n, size = (size_t)k;
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; i < size; i++)
            d->work[j * size + i] = d->a[(size_t)d->column[j] * n + (size_t)d->row[i]];
    memcpy(d->a, d->work, size * size * sizeof *d->a);
}

/* The orthogonal matrix of order k in q, by columns, becomes one of order n: unit vectors for the
 * numbers behind the first k.  With by_rows the vectors are rows. */
static void expand(svd *d, double *q, int32_t k, const int32_t *number, bool by_rows)
{
    size_t n = (size_t)d->n, size = (size_t)k;
    memcpy(d->a, q, size * size * sizeof *q);
    memset(q, 0, n * n * sizeof *q);
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; i < size; i++) {
            size_t row = by_rows ? i : (size_t)number[i];
            size_t column = by_rows ? (size_t)number[j] : j;
            q[column * n + row] = d->a[j * size + i];
        }
    for (size_t j = size; j < n; j++)
        q[by_rows ? (size_t)number[j] * n + j : j * n + (size_t)number[j]] = 1.0;
}

bool svd_decompose(svd *d)
{
    int32_t info = 0, k = gather_nonzero(d);
    if (k < d->n)
        pack(d, k);
    if (k > 0)
        dgesdd_("A", &k, &k, d->a, &k, d->s, d->u, &k, d->vt, &k, d->work, &d->n_work, d->counters,
                &info, 1);
    if (k < d->n) {
        expand(d, d->u, k, d->row, false);
        expand(d, d->vt, k, d->column, true);
        memset(d->s + k, 0, (size_t)(d->n - k) * sizeof *d->s);
    }
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
