/* linalg/independent_rows.c - see independent_rows.h. */
#include "linalg/independent_rows.h"

#include <math.h>
#include <string.h>

static void lay_out(void *object, layout *l)
{
    independent_rows *r = object;
    size_t n = (size_t)r->n_cols;
    r->row = layout_take(l, n * n + 1, sizeof *r->row);
    r->pivot = layout_take(l, n + 1, sizeof *r->pivot);
    r->x = layout_take(l, n + 1, sizeof *r->x);
}

bool independent_rows_create(independent_rows *r, int32_t n_cols, const daedal_allocator *a)
{
    *r = (independent_rows){.n_cols = n_cols, .nothing = 1e-9};
    return block_create(&r->mem, a, lay_out, r);
}

void independent_rows_free(independent_rows *r)
{
    block_free(&r->mem);
}

/* The column of the largest entry, or -1 if some entry is not finite. */
static int32_t find_largest(const independent_rows *r)
{
    int32_t at = 0;
    for (int32_t j = 0; j < r->n_cols; j++) {
        if (!isfinite(r->x[j]))
            return -1;
        at = fabs(r->x[j]) > fabs(r->x[at]) ? j : at;
    }
    return at;
}

static void divide(independent_rows *r, double by)
{
    for (int32_t j = 0; j < r->n_cols; j++)
        r->x[j] /= by;
}

bool independent_rows_take(independent_rows *r)
{
    size_t n = (size_t)r->n_cols;
    int32_t at = r->n_cols > 0 ? find_largest(r) : -1;
    if (at < 0 || r->n == r->n_cols || r->x[at] == 0.0)
        return false;
    divide(r, r->x[at]);
    for (int32_t k = 0; k < r->n; k++) {
        const double *by = r->row + (size_t)k * n;
        double factor = r->x[r->pivot[k]];
        for (int32_t j = 0; j < r->n_cols && factor != 0.0; j++)
            r->x[j] -= factor * by[j];
        r->x[r->pivot[k]] = 0.0;
    }
    at = find_largest(r);
    if (at < 0 || fabs(r->x[at]) <= r->nothing)
        return false;
    divide(r, r->x[at]);
    memcpy(r->row + (size_t)r->n * n, r->x, n * sizeof *r->x);
    r->pivot[r->n++] = at;
    return true;
}
