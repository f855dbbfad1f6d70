/* linalg/linsolver_lapack.c - dense LU by LAPACK behind the linear-solver interfaces.
 *
 * Responsibility: matrices that are nearly full and too large for the own kernel
 * of linsolver_dense.c, real or complex.
 * Depends on: base/, linalg/lapack.h.                                           */
#include <string.h>

#include "linalg/complex_solver.h"
#include "linalg/lapack.h"

typedef struct lapack {
    int32_t n, blame;
    int32_t width;   /* doubles of an entry: 2 if complex                          */
    bool full;       /* the pattern has all n * n entries: values are the matrix   */
    int32_t *pivot;  /* n                                                          */
    double *lu;      /* n * n by columns                                           */
    double *pairs;   /* n, complex only                                            */
    pattern entries; /* copy; empty if full                                        */
    block mem;
    const daedal_allocator *allocator;
} lapack;

static void lapack_lay_out(void *object, layout *l)
{
    lapack *s = object;
    size_t n = (size_t)s->n;
    s->pivot = layout_take(l, n, sizeof *s->pivot);
    s->lu = layout_take(l, n * n * (size_t)s->width, sizeof *s->lu);
    s->pairs = layout_take(l, s->width == 2 ? 2 * n : 0, sizeof *s->pairs);
}

static void lapack_destroy(void *self)
{
    lapack *s = self;
    if (!s)
        return;
    pattern_free(&s->entries);
    block_free(&s->mem);
    memory_give(s->allocator, s, sizeof *s);
}

static daedal_status create(void **self, const daedal_pattern *p, int32_t width,
                            const daedal_allocator *allocator)
{
    *self = NULL;
    if (p->n_rows != p->n_cols)
        return DAEDAL_ERR_ARGUMENT;
    lapack *s = memory_take(allocator, sizeof *s);
    if (!s)
        return DAEDAL_ERR_MEMORY;
    *s = (lapack){.n = p->n_cols, .width = width, .blame = -1, .allocator = allocator};
    s->full = (int64_t)pattern_nnz(p) == (int64_t)s->n * s->n;
    if (!block_create(&s->mem, allocator, lapack_lay_out, s) ||
        (!s->full && !pattern_copy(&s->entries, p, allocator))) {
        lapack_destroy(s);
        return DAEDAL_ERR_MEMORY;
    }
    *self = s;
    return DAEDAL_OK;
}

static daedal_status lapack_create(void **self, const daedal_pattern *p,
                                   const daedal_allocator *allocator)
{
    return create(self, p, 1, allocator);
}

static void lapack_load(lapack *s, const double *values)
{
    size_t n = (size_t)s->n;
    if (s->full) {
        memcpy(s->lu, values, n * n * sizeof *s->lu);
        return;
    }
    const daedal_pattern *p = &s->entries.view;
    memset(s->lu, 0, n * n * sizeof *s->lu);
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            s->lu[(size_t)j * n + (size_t)p->row[q]] = values[q];
}

static daedal_status judge(lapack *s, int32_t info)
{
    size_t step = ((size_t)s->n + 1) * (size_t)s->width;
    s->blame = lapack_bad_pivot(info, s->lu, step, s->width, s->n);
    return s->blame < 0 ? DAEDAL_OK : DAEDAL_ERR_SINGULAR;
}

static daedal_status lapack_factor(void *self, const double *values)
{
    lapack *s = self;
    int32_t info = 0;
    lapack_load(s, values);
    dgetrf_(&s->n, &s->n, s->lu, &s->n, s->pivot, &info);
    return judge(s, info);
}

static void lapack_solve(void *self, double *b)
{
    const lapack *s = self;
    const int32_t one = 1;
    int32_t info = 0;
    dgetrs_("N", &s->n, &one, s->lu, &s->n, s->pivot, b, &s->n, &info, 1);
}

static int32_t lapack_blame(void *self)
{
    return ((const lapack *)self)->blame;
}

const daedal_linsolver *daedal_linsolver_lapack(void)
{
    static const daedal_linsolver table = {
        .name = "lapack",
        .create = lapack_create,
        .factor = lapack_factor,
        .solve = lapack_solve,
        .singular_column = lapack_blame,
        .destroy = lapack_destroy,
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
    lapack *s = self;
    size_t n = (size_t)s->n;
    int32_t info = 0;
    if (!s->full)
        memset(s->lu, 0, 2 * n * n * sizeof *s->lu);
    for (size_t j = 0, q = 0; j < n; j++) {
        const daedal_pattern *p = &s->entries.view;
        size_t last = s->full ? (j + 1) * n : (size_t)p->start[j + 1];
        for (; q < last; q++) {
            size_t at = j * n + (s->full ? q - j * n : (size_t)p->row[q]);
            s->lu[2 * at] = re[q];
            s->lu[2 * at + 1] = im[q];
        }
    }
    zgetrf_(&s->n, &s->n, s->lu, &s->n, s->pivot, &info);
    return judge(s, info);
}

static void complex_solve(void *self, double *re, double *im)
{
    const lapack *s = self;
    const int32_t one = 1;
    int32_t info = 0;
    complex_pack(re, im, s->n, s->pairs);
    zgetrs_("N", &s->n, &one, s->lu, &s->n, s->pivot, s->pairs, &s->n, &info, 1);
    complex_unpack(s->pairs, s->n, re, im);
}

const complex_solver complex_lapack = {.create = complex_create,
                                       .factor = complex_factor,
                                       .solve = complex_solve,
                                       .destroy = lapack_destroy};
