/* index/jacobian_regularity.c - see jacobian_regularity.h.
 *
 * Any row and column scaling is fair, since it changes neither rank nor offsets.  Two are tried
 * and the better counts: logarithms balanced in the mean (curtis_reid.c), and repeated division by
 * square roots of the largest entries.  The condition is estimated from solutions for a few
 * right-hand sides of size one with random signs: J^-1 b is as large as J^-1 unless b happens to
 * be nearly orthogonal to one direction, for all of them.                        */
#include "index/jacobian_regularity.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "linalg/curtis_reid.h"
#include "linalg/linsolver.h"
#include "linalg/scaling.h"
#include "linalg/vector.h"

enum { SWEEPS = 30, RIGHT_SIDES = 4 };
static const double LEAST = 1e-8, NOISES = 30.0; /* what a condition must exceed */

typedef struct work {
    const daedal_pattern *pattern;
    double *value, *noise, *scaled; /* by entries */
    double *row, *column, *b;
    block mem;
} work;

static void lay_out(void *object, layout *l)
{
    work *w = object;
    size_t nnz = (size_t)pattern_nnz(w->pattern), n = (size_t)w->pattern->n_cols;
    double **by_entry[] = {&w->value, &w->noise, &w->scaled};
    double **by_line[] = {&w->row, &w->column, &w->b};
    for (size_t k = 0; k < 3; k++) {
        *by_entry[k] = layout_take(l, nnz, sizeof(double));
        *by_line[k] = layout_take(l, n, sizeof(double));
    }
}

static void gather(work *w, const offsets *o, const jacobian_sample *s)
{
    for (int32_t q = 0; q < pattern_nnz(w->pattern); q++) {
        int32_t at = o->jacobian_at[q], which = o->sigma[at];
        w->value[q] = s->value[which][at];
        w->noise[q] = s->noise[which][at];
    }
}

/* The scaled matrix, with rows of size one; the largest noise in it. */
static double scale_values(work *w)
{
    const daedal_pattern *p = w->pattern;
    double noise = 0.0, *row_max = w->b;
    memset(row_max, 0, (size_t)p->n_cols * sizeof(double));
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            row_max[p->row[q]] =
                fmax(row_max[p->row[q]], fabs(w->value[q]) * w->row[p->row[q]] * w->column[j]);
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            double largest = row_max[p->row[q]];
            double by = w->row[p->row[q]] * w->column[j] / (largest > 0.0 ? largest : 1.0);
            w->scaled[q] = w->value[q] * by;
            noise = fmax(noise, w->noise[q] * by);
        }
    return noise;
}

static double estimate(work *w, const daedal_linsolver *solver, void *factors)
{
    uint64_t state = RANDOM_SEED;
    int32_t n = w->pattern->n_cols;
    double growth = 0.0;
    for (int k = 0; k < RIGHT_SIDES; k++) {
        for (int32_t i = 0; i < n; i++)
            w->b[i] = random_share(&state);
        solver->solve(factors, w->b);
        growth = vector_all_finite(w->b, n) ? fmax(growth, vector_max_abs(w->b, n)) : INFINITY;
    }
    return 1.0 / growth;
}

/* Better `out` by what the present scaling says. */
static daedal_status try_scaling(work *w, regularity *out, const daedal_allocator *a)
{
    double noise = scale_values(w);
    const daedal_linsolver *solver = linsolver_choose(LINSOLVER_AUTO, w->pattern);
    void *factors = NULL;
    daedal_status status = solver->create(&factors, w->pattern, a);
    if (status == DAEDAL_OK)
        status = solver->factor(factors, w->scaled);
    double found = status == DAEDAL_OK ? estimate(w, solver, factors) : 0.0;
    if (status == DAEDAL_ERR_SINGULAR && factors && solver->singular_column)
        out->column = solver->singular_column(factors);
    out->reciprocal_condition = fmax(out->reciprocal_condition, found);
    out->regular = out->regular || found > fmax(LEAST, NOISES * noise);
    if (factors)
        solver->destroy(factors);
    return status == DAEDAL_ERR_MEMORY ? status : DAEDAL_OK;
}

daedal_status jacobian_regularity(regularity *out, const offsets *o, const jacobian_sample *s,
                                  const daedal_allocator *a)
{
    work w = {.pattern = &o->jacobian.view};
    *out = (regularity){.column = -1};
    if (!block_create(&w.mem, a, lay_out, &w))
        return DAEDAL_ERR_MEMORY;
    gather(&w, o, s);
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (curtis_reid_scale(w.pattern, w.value, w.row, w.column, a))
        status = try_scaling(&w, out, a);
    if (status == DAEDAL_OK && !out->regular) {
        memcpy(w.scaled, w.value, (size_t)pattern_nnz(w.pattern) * sizeof(double));
        scaling_by_roots_sparse(w.pattern, w.scaled, SWEEPS, w.row, w.column, w.b);
        status = try_scaling(&w, out, a);
    }
    block_free(&w.mem);
    return status;
}
