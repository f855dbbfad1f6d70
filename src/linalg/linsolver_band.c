/* linalg/linsolver_band.c - banded LU behind the linear-solver interfaces.
 *
 * Responsibility: matrices whose entries lie near the diagonal as the variables
 * are numbered, as in one-dimensional methods of lines.  LAPACK keeps entry (i, j)
 * of a matrix with `lower` and `upper` diagonals at row lower + upper + i - j of a
 * rectangle of 2 lower + upper + 1 rows; the first `lower` rows are for fill from
 * row exchanges.  Narrow bands are factored by band_kernel.h in the same storage.
 * Depends on: base/, linalg/lapack.h, band_kernel.h.                            */
#include <string.h>

#include "linalg/band_kernel.h"
#include "linalg/complex_solver.h"
#include "linalg/lapack.h"
#include "linalg/linsolver.h"

typedef struct band {
    int32_t n, nnz, lower, upper, blame;
    int32_t width;  /* doubles of an entry: 2 if complex                          */
    int32_t height; /* rows of the rectangle: 2 lower + upper + 1                 */
    size_t *place;  /* nnz: where in lu each value goes                           */
    int32_t *pivot; /* n                                                          */
    double *lu;     /* height * n                                                 */
    double *pairs;  /* n, complex only                                            */
    bool exchanged; /* narrow only: rows were                                     */
    block mem;
    const daedal_allocator *allocator;
} band;

static void band_lay_out(void *object, layout *l)
{
    band *s = object;
    size_t n = (size_t)s->n;
    s->place = layout_take(l, (size_t)s->nnz, sizeof *s->place);
    s->pivot = layout_take(l, n, sizeof *s->pivot);
    s->lu = layout_take(l, n * (size_t)s->height * (size_t)s->width, sizeof *s->lu);
    s->pairs = layout_take(l, s->width == 2 ? 2 * n : 0, sizeof *s->pairs);
}

static void band_destroy(void *self)
{
    band *s = self;
    if (!s)
        return;
    block_free(&s->mem);
    memory_give(s->allocator, s, sizeof *s);
}

static daedal_status create(void **self, const daedal_pattern *p, int32_t width,
                            const daedal_allocator *allocator)
{
    *self = NULL;
    if (p->n_rows != p->n_cols)
        return DAEDAL_ERR_ARGUMENT;
    band *s = memory_take(allocator, sizeof *s);
    if (!s)
        return DAEDAL_ERR_MEMORY;
    *s = (band){
        .n = p->n_cols, .nnz = pattern_nnz(p), .width = width, .blame = -1, .allocator = allocator};
    pattern_band(p, &s->lower, &s->upper);
    int64_t height = 2 * (int64_t)s->lower + s->upper + 1;
    s->height = (int32_t)height;
    if (height > INT32_MAX || !block_create(&s->mem, allocator, band_lay_out, s)) {
        band_destroy(s);
        return DAEDAL_ERR_MEMORY;
    }
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            s->place[q] =
                (size_t)j * (size_t)s->height + (size_t)(s->lower + s->upper + p->row[q] - j);
    *self = s;
    return DAEDAL_OK;
}

static daedal_status band_create(void **self, const daedal_pattern *p,
                                 const daedal_allocator *allocator)
{
    return create(self, p, 1, allocator);
}

static void clear(band *s)
{
    memset(s->lu, 0, (size_t)s->n * (size_t)s->height * (size_t)s->width * sizeof *s->lu);
}

static bool is_narrow(const band *s)
{
    return s->lower + s->upper <= BAND_NARROW;
}

static band_shape shape_of(const band *s)
{
    return (band_shape){s->n, s->lower, s->upper, s->height};
}

static daedal_status blame_narrow(band *s, int32_t column)
{
    s->blame = column;
    return column < 0 ? DAEDAL_OK : DAEDAL_ERR_SINGULAR;
}

static daedal_status judge(band *s, int32_t info)
{
    size_t step = (size_t)s->height * (size_t)s->width;
    const double *diagonal = s->lu + (size_t)(s->lower + s->upper) * (size_t)s->width;
    s->blame = lapack_bad_pivot(info, diagonal, step, s->width, s->n);
    return s->blame < 0 ? DAEDAL_OK : DAEDAL_ERR_SINGULAR;
}

static daedal_status band_factor(void *self, const double *values)
{
    band *s = self;
    int32_t info = 0;
    clear(s);
    for (int32_t q = 0; q < s->nnz; q++)
        s->lu[s->place[q]] = values[q];
    if (is_narrow(s))
        return blame_narrow(s, band_eliminate(shape_of(s), s->lu, s->pivot, &s->exchanged));
    dgbtrf_(&s->n, &s->n, &s->lower, &s->upper, s->lu, &s->height, s->pivot, &info);
    return judge(s, info);
}

static void band_solve(void *self, double *b)
{
    const band *s = self;
    const int32_t one = 1;
    int32_t info = 0;
    if (is_narrow(s)) {
        band_substitute(shape_of(s), s->lu, s->pivot, s->exchanged, b);
        return;
    }
    dgbtrs_("N", &s->n, &s->lower, &s->upper, &one, s->lu, &s->height, s->pivot, b, &s->n, &info,
            1);
}

void band_solve_many(void *self, double *b, int32_t count)
{
    const band *s = self;
    int32_t k = 0, info = 0;
    if (!is_narrow(s)) {
        dgbtrs_("N", &s->n, &s->lower, &s->upper, &count, s->lu, &s->height, s->pivot, b, &s->n,
                &info, 1);
        return;
    }
    while (k < count) {
        int32_t next = band_least(count - k, BAND_TOGETHER);
        if (next == 1 || !band_substitute_together(shape_of(s), s->lu, s->exchanged, b, next)) {
            band_solve(self, b);
            next = 1;
        }
        k += next;
        b += (size_t)next * (size_t)s->n;
    }
}

static int32_t band_blame(void *self)
{
    return ((const band *)self)->blame;
}

static double band_price(void *self)
{
    const band *s = self;
    return band_factor_cost(s->lower, s->upper) / band_solve_cost(s->lower, s->upper);
}

const daedal_linsolver *daedal_linsolver_band(void)
{
    static const daedal_linsolver table = {
        .name = "band",
        .create = band_create,
        .factor = band_factor,
        .solve = band_solve,
        .singular_column = band_blame,
        .factor_cost = band_price,
        .destroy = band_destroy,
    };
    return &table;
}

/* ---- complex ------------------------------------------------------------------ */

static daedal_status complex_create(void **self, const daedal_linsolver *real, void *factors,
                                    const daedal_pattern *p, const daedal_allocator *allocator)
{
    (void)real;
    (void)factors;
    return create(self, p, 2, allocator);
}

static daedal_status complex_factor(void *self, const double *re, const double *im)
{
    band *s = self;
    int32_t info = 0;
    clear(s);
    for (int32_t q = 0; q < s->nnz; q++) {
        s->lu[2 * s->place[q]] = re[q];
        s->lu[2 * s->place[q] + 1] = im[q];
    }
    if (is_narrow(s))
        return blame_narrow(s, band_eliminate_pairs(shape_of(s), s->lu, s->pivot, &s->exchanged));
    zgbtrf_(&s->n, &s->n, &s->lower, &s->upper, s->lu, &s->height, s->pivot, &info);
    return judge(s, info);
}

static void complex_solve(void *self, double *re, double *im)
{
    const band *s = self;
    const int32_t one = 1;
    int32_t info = 0;
    complex_pack(re, im, s->n, s->pairs);
    if (is_narrow(s))
        band_substitute_pairs(shape_of(s), s->lu, s->pivot, s->exchanged, s->pairs);
    else
        zgbtrs_("N", &s->n, &s->lower, &s->upper, &one, s->lu, &s->height, s->pivot, s->pairs,
                &s->n, &info, 1);
    complex_unpack(s->pairs, s->n, re, im);
}

const complex_solver complex_band = {.create = complex_create,
                                     .factor = complex_factor,
                                     .solve = complex_solve,
                                     .destroy = band_destroy};
