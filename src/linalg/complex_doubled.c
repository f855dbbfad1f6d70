/* linalg/complex_doubled.c - complex systems by a real solver.
 *
 * (X + i Y)(u + i v) = a + i b  is  [X -Y; Y X] [u; v] = [a; b].  The unknowns and equations
 * are interleaved, so that a band stays a band and a sparse matrix keeps its order.
 * Depends on: base/.                                                            */
#include "linalg/complex_solver.h"

typedef struct doubled {
    const daedal_linsolver *real;
    void *factors;
    int32_t n, nnz;
    pattern entries; /* 2n x 2n */
    double *values;  /* 4 nnz   */
    double *b;       /* 2 n     */
    block mem;
    const daedal_allocator *allocator;
} doubled;

static void lay_out(void *object, layout *l)
{
    doubled *d = object;
    d->values = layout_take(l, 4 * (size_t)d->nnz, sizeof(double));
    d->b = layout_take(l, 2 * (size_t)d->n, sizeof(double));
}

static void doubled_destroy(void *self)
{
    doubled *d = self;
    if (!d)
        return;
    if (d->factors)
        d->real->destroy(d->factors);
    pattern_free(&d->entries);
    block_free(&d->mem);
    memory_give(d->allocator, d, sizeof *d);
}

/* Column j becomes columns 2j (of u) and 2j + 1 (of v), entry i the rows 2i and 2i + 1. */
static void fill_pattern(doubled *d, const daedal_pattern *p)
{
    int32_t at = 0;
    for (int32_t j = 0; j < 2 * p->n_cols; j++) {
        for (int32_t q = p->start[j / 2]; q < p->start[j / 2 + 1]; q++) {
            d->entries.row[at++] = 2 * p->row[q];
            d->entries.row[at++] = 2 * p->row[q] + 1;
        }
        d->entries.start[j + 1] = at;
    }
}

static daedal_status doubled_create(void **self, const daedal_linsolver *real, void *factors,
                                    const daedal_pattern *p, const daedal_allocator *allocator)
{
    (void)factors;
    *self = NULL;
    int32_t nnz = pattern_nnz(p);
    if (nnz > INT32_MAX / 4 || p->n_cols > INT32_MAX / 2)
        return DAEDAL_ERR_MEMORY;
    doubled *d = memory_take(allocator, sizeof *d);
    if (!d)
        return DAEDAL_ERR_MEMORY;
    *d = (doubled){.real = real, .n = p->n_cols, .nnz = nnz, .allocator = allocator};
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (block_create(&d->mem, allocator, lay_out, d) &&
        pattern_create(&d->entries, 2 * d->n, 2 * d->n, 4 * nnz, allocator)) {
        fill_pattern(d, p);
        status = real->create(&d->factors, &d->entries.view, allocator);
    }
    if (status != DAEDAL_OK) {
        doubled_destroy(d);
        return status;
    }
    *self = d;
    return DAEDAL_OK;
}

static daedal_status doubled_factor(void *self, const double *re, const double *im)
{
    doubled *d = self;
    const int32_t *start = d->entries.start;
    for (int32_t j = 0, q = 0; j < d->n; j++) {
        double *u = d->values + start[2 * j], *v = d->values + start[2 * j + 1];
        for (int32_t k = 0; k < start[2 * j + 1] - start[2 * j]; k += 2, q++) {
            u[k] = v[k + 1] = re[q];
            u[k + 1] = im[q];
            v[k] = -im[q];
        }
    }
    return d->real->factor(d->factors, d->values);
}

static void doubled_solve(void *self, double *re, double *im)
{
    doubled *d = self;
    complex_pack(re, im, d->n, d->b);
    d->real->solve(d->factors, d->b);
    complex_unpack(d->b, d->n, re, im);
}

static int64_t doubled_grown(void *self)
{
    doubled *d = self;
    return d->real->reallocations ? d->real->reallocations(d->factors) : 0;
}

const complex_solver complex_doubled = {doubled_create, doubled_factor,  doubled_solve,
                                        doubled_grown,  doubled_destroy, NULL};
