/* index/frozen_index.c - see frozen_index.h. */
#include "index/frozen_index.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

typedef struct finder {
    const frozen_pencil *p;
    pattern both, dyp;           /* of the entries that are not zero                     */
    double *value[2], *noise[2]; /* by the entries of both                              */
    double *row_max;             /* 2 n: of the two matrices, by rows                    */
    offsets o;
    system_jacobian jacobian;
    const daedal_allocator *allocator;
    block mem;
} finder;

static void lay_out(void *object, layout *l)
{
    finder *f = object;
    size_t nnz = (size_t)pattern_nnz(f->p->pattern), n = (size_t)f->p->pattern->n_cols;
    for (int k = 0; k < 2; k++) {
        f->value[k] = layout_take(l, nnz, sizeof(double));
        f->noise[k] = layout_take(l, nnz, sizeof(double));
    }
    f->row_max = layout_take(l, 2 * n, sizeof(double));
}

/* Of y_j (k = 0) or y'_j. */
static double size_of(const finder *f, int k, int32_t j)
{
    return f->p->size[k] ? f->p->size[k][j] : 1.0;
}

static void measure_rows(finder *f)
{
    const daedal_pattern *p = f->p->pattern;
    memset(f->row_max, 0, 2 * (size_t)p->n_cols * sizeof(double));
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double *row_max = f->row_max + 2 * p->row[q];
            row_max[0] = fmax(row_max[0], fabs(f->p->dy[q]) * size_of(f, 0, j));
            row_max[1] = fmax(row_max[1], fabs(f->p->dyp[q]) * size_of(f, 1, j));
        }
}

/* Patterns and values without zeros; what is below its noise is one. */
static void gather(finder *f)
{
    const daedal_pattern *p = f->p->pattern;
    int32_t n_both = 0, n_dyp = 0;
    for (int32_t j = 0; j < p->n_cols; j++) {
        f->both.start[j] = n_both;
        f->dyp.start[j] = n_dyp;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double value[2] = {f->p->dy[q], f->p->dyp[q]};
            for (int k = 0; k < 2; k++) {
                f->noise[k][n_both] =
                    f->p->noise * f->row_max[2 * p->row[q] + k] / size_of(f, k, j);
                f->value[k][n_both] = fabs(value[k]) > f->noise[k][n_both] ? value[k] : 0.0;
            }
            bool has_slope = f->value[1][n_both] != 0.0;
            if (has_slope)
                f->dyp.row[n_dyp++] = p->row[q];
            if (has_slope || f->value[0][n_both] != 0.0)
                f->both.row[n_both++] = p->row[q];
        }
    }
    f->both.start[p->n_cols] = n_both;
    f->dyp.start[p->n_cols] = n_dyp;
}

static daedal_status find(finder *f, int32_t *index)
{
    const daedal_pattern *p = f->p->pattern;
    const daedal_allocator *a = f->allocator;
    int32_t n = p->n_cols, nnz = pattern_nnz(p);
    regularity seen;
    if (!pattern_create(&f->both, n, n, nnz, a) || !pattern_create(&f->dyp, n, n, nnz, a) ||
        !block_create(&f->mem, a, lay_out, f))
        return DAEDAL_ERR_MEMORY;
    measure_rows(f);
    gather(f);
    daedal_status status = offsets_create(&f->o, &f->both.view, &f->dyp.view, a);
    if (status == DAEDAL_ERR_STRUCTURE)
        return DAEDAL_OK;
    RETURN_UNLESS_OK(status);
    RETURN_UNLESS_OK(system_jacobian_create(&f->jacobian, &f->o, a));
    pencil_entries entries = {{f->value[0], f->value[1]}, {f->noise[0], f->noise[1]}};
    RETURN_UNLESS_OK(system_jacobian_look(&f->jacobian, &entries, &seen));
    if (!seen.regular)
        return DAEDAL_OK;
    bool attained = f->o.found.differentiations == 0; /* where its index is at most one */
    if (!attained)
        RETURN_UNLESS_OK(system_jacobian_attains(&f->jacobian, &attained));
    *index = attained ? f->o.index : -1;
    return DAEDAL_OK;
}

static void close(finder *f)
{
    system_jacobian_free(&f->jacobian);
    offsets_free(&f->o);
    pattern_free(&f->both);
    pattern_free(&f->dyp);
    block_free(&f->mem);
}

/* Whether no equation is differentiated, and y' of these variables is determined. */
static bool is_explicit(const finder *f, const bool *is_differential)
{
    bool same = is_differential && f->o.found.differentiations == 0;
    for (int32_t j = 0; j < f->o.n && same; j++)
        same = f->o.found.d[j] == is_differential[j];
    return same;
}

daedal_status frozen_index(const frozen_pencil *p, const bool *is_differential, frozen_answer *out,
                           const daedal_allocator *a)
{
    finder f = {.p = p, .allocator = a};
    *out = (frozen_answer){.index = -1};
    daedal_status status = find(&f, &out->index);
    out->is_explicit = status == DAEDAL_OK && out->index >= 0 && is_explicit(&f, is_differential);
    close(&f);
    return status;
}

daedal_status frozen_index_is(const frozen_pencil *p, const known_structure *known, bool *same,
                              const daedal_allocator *a)
{
    finder f = {.p = p, .allocator = a};
    int32_t index = -1;
    size_t bytes = (size_t)p->pattern->n_cols * sizeof(int32_t);
    daedal_status status = find(&f, &index);
    *same = status == DAEDAL_OK && index == known->index &&
            memcmp(f.o.found.c, known->c, bytes) == 0 && memcmp(f.o.found.d, known->d, bytes) == 0;
    close(&f);
    return status;
}
