/* linalg/linsolver_band.c - banded LU by LAPACK behind the linear-solver interfaces.
 *
 * Responsibility: matrices whose entries lie near the diagonal as the variables
 * are numbered, as in one-dimensional methods of lines.  LAPACK keeps entry (i, j)
 * of a matrix with `lower` and `upper` diagonals at row lower + upper + i - j of a
 * rectangle of 2 lower + upper + 1 rows; the first `lower` rows are for fill from
 * row exchanges.  NaN is looked for as in linsolver_lapack.c.
 * Depends on: base/, LAPACK with 32-bit integers.                               */
#include <math.h>
#include <string.h>

#include "linalg/complex_solver.h"

/* gfortran passes the length of a character argument at the end. */
void dgbtrf_(const int32_t *m, const int32_t *n, const int32_t *kl, const int32_t *ku, double *ab,
             const int32_t *ldab, int32_t *ipiv, int32_t *info);
void dgbtrs_(const char *trans, const int32_t *n, const int32_t *kl, const int32_t *ku,
             const int32_t *nrhs, const double *ab, const int32_t *ldab, const int32_t *ipiv,
             double *b, const int32_t *ldb, int32_t *info, size_t trans_length);
/* The same for complex numbers, as pairs of doubles. */
void zgbtrf_(const int32_t *m, const int32_t *n, const int32_t *kl, const int32_t *ku, double *ab,
             const int32_t *ldab, int32_t *ipiv, int32_t *info);
void zgbtrs_(const char *trans, const int32_t *n, const int32_t *kl, const int32_t *ku,
             const int32_t *nrhs, const double *ab, const int32_t *ldab, const int32_t *ipiv,
             double *b, const int32_t *ldb, int32_t *info, size_t trans_length);

typedef struct band {
    int32_t n, nnz, lower, upper, blame;
    int32_t width;  /* doubles of an entry: 2 if complex                          */
    int32_t height; /* rows of the rectangle: 2 lower + upper + 1                 */
    size_t *place;  /* nnz: where in lu each value goes                           */
    int32_t *pivot; /* n                                                          */
    double *lu;     /* height * n                                                 */
    double *pairs;  /* n, complex only                                            */
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

/* Who is to blame, from what LAPACK says and from the diagonal of U. */
static daedal_status judge(band *s, int32_t info)
{
    size_t width = (size_t)s->width, diagonal = (size_t)(s->lower + s->upper);
    s->blame = info > 0 ? info - 1 : -1;
    for (int32_t k = 0; s->blame < 0 && k < s->n; k++) {
        const double *pivot = s->lu + ((size_t)k * (size_t)s->height + diagonal) * width;
        if (!isfinite(pivot[0] + pivot[width - 1]))
            s->blame = k;
    }
    return s->blame < 0 ? DAEDAL_OK : DAEDAL_ERR_SINGULAR;
}

static daedal_status band_factor(void *self, const double *values)
{
    band *s = self;
    int32_t info = 0;
    clear(s);
    for (int32_t q = 0; q < s->nnz; q++)
        s->lu[s->place[q]] = values[q];
    dgbtrf_(&s->n, &s->n, &s->lower, &s->upper, s->lu, &s->height, s->pivot, &info);
    return judge(s, info);
}

static void band_solve(void *self, double *b)
{
    const band *s = self;
    const int32_t one = 1;
    int32_t info = 0;
    dgbtrs_("N", &s->n, &s->lower, &s->upper, &one, s->lu, &s->height, s->pivot, b, &s->n, &info,
            1);
}

static int32_t band_blame(void *self)
{
    return ((const band *)self)->blame;
}

static int64_t band_grown(void *self)
{
    (void)self;
    return 0;
}

const daedal_linsolver *daedal_linsolver_band(void)
{
    static const daedal_linsolver table = {
        .name = "band",
        .create = band_create,
        .factor = band_factor,
        .solve = band_solve,
        .blame = band_blame,
        .grown = band_grown,
        .destroy = band_destroy,
    };
    return &table;
}

/* ---- complex ------------------------------------------------------------------ */

static daedal_status complex_create(void **self, const daedal_linsolver *real,
                                    const daedal_pattern *p, const daedal_allocator *allocator)
{
    (void)real;
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
    zgbtrf_(&s->n, &s->n, &s->lower, &s->upper, s->lu, &s->height, s->pivot, &info);
    return judge(s, info);
}

static void complex_solve(void *self, double *re, double *im)
{
    const band *s = self;
    const int32_t one = 1;
    int32_t info = 0;
    complex_pack(re, im, s->n, s->pairs);
    zgbtrs_("N", &s->n, &s->lower, &s->upper, &one, s->lu, &s->height, s->pivot, s->pairs, &s->n,
            &info, 1);
    complex_unpack(s->pairs, s->n, re, im);
}

const complex_solver complex_band = {complex_create, complex_factor, complex_solve, band_grown,
                                     band_destroy};
