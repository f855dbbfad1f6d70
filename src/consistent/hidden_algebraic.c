/* consistent/hidden_algebraic.c - see hidden_algebraic.h.
 *
 * With E = dF/dy', J = dF/dy, rows and columns of E scaled, E = U diag(s) V^T of numerical
 * rank r, U = [U1 U2], V = [V1 V2]: the relations hidden in F are U2^T F = 0.  A correction
 * keeps the differential combinations, so dy = V2 z, with
 *     (U2^T J V2) z = -U2^T F,      dy' = -V1 s1^-1 U1^T (F + J dy),
 * the shortest y'.  Scaling: E^ = R E K, so V2 stands for K V2 and U for R U.  */
#include "consistent/hidden_algebraic.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/lapack.h"
#include "linalg/scaling.h"

/* Singular values below this share of the largest are noise. */
static const double DIFFERENCED = 1e-4, GIVEN = 1e-9;
static const double CLEAR = 0.03; /* singular values that are so far from noise are clear  */
/* Pivots of a block that is regular beyond doubt: entries of y' near zero are differenced by
 * increments of the tolerance, and may have a few digits only. */
static const double REGULAR_DIFFERENCED = 1e-2, REGULAR = 1e-6;

static void lay_out(void *object, layout *l)
{
    hidden_algebraic *h = object;
    size_t n = (size_t)h->n;
    h->row = layout_take(l, n, sizeof(double));
    h->column = layout_take(l, n, sizeof(double));
    h->jv = layout_take(l, n * n, sizeof(double));
    h->small = layout_take(l, n, sizeof(double));
    h->pivot = layout_take(l, n, sizeof(int32_t));
}

bool hidden_algebraic_create(hidden_algebraic *h, int32_t n, const daedal_allocator *a)
{
    *h = (hidden_algebraic){.n = n};
    return block_create(&h->mem, a, lay_out, h) && svd_create(&h->e, n, a);
}

void hidden_algebraic_free(hidden_algebraic *h)
{
    svd_free(&h->e);
    block_free(&h->mem);
}

static bool decompose(hidden_algebraic *h, const iteration_matrix *m)
{
    const daedal_pattern *p = &m->pattern.view;
    size_t n = (size_t)h->n;
    memset(h->e.a, 0, n * n * sizeof(double));
    for (int32_t j = 0; j < h->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            h->e.a[(size_t)j * n + (size_t)p->row[q]] = m->dyp[q];
    scaling_rows_then_columns(h->e.a, h->n, h->n, h->row, h->column);
    if (!svd_decompose(&h->e))
        return false;
    double noise = matrix_slopes_are_differenced(m) ? DIFFERENCED : GIVEN;
    h->rank = svd_rank(h->e.s, h->n, noise * h->e.s[0]);
    return true;
}

/* out = J v */
static void times_dy(const iteration_matrix *m, const double *v, double *out)
{
    const daedal_pattern *p = &m->pattern.view;
    memset(out, 0, (size_t)p->n_cols * sizeof *out);
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            out[p->row[q]] += m->dy[q] * v[j];
}

/* Null vector k of E, in the scale of y. */
static void null_vector(const hidden_algebraic *h, int32_t k, double *v)
{
    for (int32_t j = 0; j < h->n; j++)
        v[j] = h->column[j] * h->e.vt[(size_t)j * (size_t)h->n + (size_t)k];
}

/* Component of r along left singular vector k. */
static double left_component(const hidden_algebraic *h, int32_t k, const double *r)
{
    double sum = 0.0;
    for (int32_t i = 0; i < h->n; i++)
        sum += h->e.u[(size_t)k * (size_t)h->n + (size_t)i] * h->row[i] * r[i];
    return sum;
}

/* J V2, by way of h->e.a, which the decomposition has left free. */
static void multiply_null_vectors(hidden_algebraic *h, const iteration_matrix *m)
{
    for (int32_t k = h->rank; k < h->n; k++) {
        null_vector(h, k, h->e.a);
        times_dy(m, h->e.a, h->jv + (size_t)(k - h->rank) * (size_t)h->n);
    }
}

/* The square block of the head comment, once for all corrections with these matrices. */
static void factor_relations(hidden_algebraic *h)
{
    int32_t m = h->n - h->rank, info = 0;
    for (int32_t c = 0; c < m; c++)
        for (int32_t k = 0; k < m; k++)
            h->e.a[(size_t)c * (size_t)m + (size_t)k] =
                left_component(h, h->rank + k, h->jv + (size_t)c * (size_t)h->n);
    if (m > 0) /* e.a is free since the decomposition */
        dgetrf_(&m, &m, h->e.a, &m, h->pivot, &info);
    h->is_singular = info != 0;
}

static daedal_status prepare(void *self, const start_problem *p)
{
    hidden_algebraic *h = self;
    if (!decompose(h, p->matrix))
        return fail(p->why, DAEDAL_ERR_START, "the singular values of dF/dy' do not converge");
    multiply_null_vectors(h, p->matrix);
    factor_relations(h);
    return DAEDAL_OK;
}

/* z of the head comment in h->small. */
static void solve_relations(hidden_algebraic *h, const double *r)
{
    int32_t m = h->n - h->rank, one = 1, info = 0;
    for (int32_t k = 0; k < m; k++)
        h->small[k] = -left_component(h, h->rank + k, r);
    if (m > 0)
        dgetrs_("N", &m, &one, h->e.a, &m, h->pivot, h->small, &m, &info, 1);
}

static void correct(void *self, const start_problem *p, double *r, double *dy, double *dyp)
{
    hidden_algebraic *h = self;
    size_t bytes = (size_t)h->n * sizeof(double);
    memset(dy, 0, bytes);
    memset(dyp, 0, bytes);
    if (h->is_singular) {
        dy[0] = NAN; /* start_iterate gives up */
        return;
    }
    solve_relations(h, r);
    for (int32_t k = h->rank; k < h->n; k++)
        for (int32_t j = 0; j < h->n; j++)
            dy[j] += h->small[k - h->rank] * h->column[j] *
                     h->e.vt[(size_t)j * (size_t)h->n + (size_t)k];
    for (int32_t k = h->rank; k < h->n; k++)
        for (int32_t i = 0; i < h->n; i++)
            r[i] += h->small[k - h->rank] * h->jv[(size_t)(k - h->rank) * (size_t)h->n + (size_t)i];
    for (int32_t k = 0; k < h->rank; k++) {
        double along = -left_component(h, k, r) / h->e.s[k];
        for (int32_t j = 0; j < h->n; j++)
            dyp[j] += along * h->column[j] * h->e.vt[(size_t)j * (size_t)h->n + (size_t)k];
    }
    (void)p;
}

/* The largest entry that R J V2 could have if its terms did not cancel. */
static double largest_without_cancelling(hidden_algebraic *h, const iteration_matrix *m)
{
    const daedal_pattern *p = &m->pattern.view;
    double largest = 0.0, *v = h->e.a;
    for (int32_t k = h->rank; k < h->n; k++) {
        null_vector(h, k, v);
        memset(h->small, 0, (size_t)h->n * sizeof(double));
        for (int32_t j = 0; j < h->n; j++)
            for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
                h->small[p->row[q]] += fabs(m->dy[q] * v[j]);
        for (int32_t i = 0; i < h->n; i++)
            largest = fmax(largest, fabs(h->row[i]) * h->small[i]);
    }
    return largest;
}

/* ([BCP96] theorem 2.4.2: the index is one where that of the frozen pencil is, everywhere.) */
bool hidden_algebraic_is_all(hidden_algebraic *h, const iteration_matrix *m)
{
    bool differenced = matrix_slopes_are_differenced(m);
    double noise = differenced ? DIFFERENCED : GIVEN;
    if (!decompose(h, m))
        return false;
    for (int32_t k = 0; k < h->n; k++) {
        double share = h->e.s[k] / h->e.s[0];
        if (!(share < CLEAR * noise || share > noise / CLEAR))
            return false;
    }
    double least = INFINITY, largest = largest_without_cancelling(h, m);
    multiply_null_vectors(h, m);
    factor_relations(h);
    int32_t size = h->n - h->rank;
    if (h->is_singular)
        return false;
    for (int32_t k = 0; k < size; k++) /* the pivots of its factors */
        least = fmin(least, fabs(h->e.a[k * (size + 1)]));
    return size == 0 || least > (differenced ? REGULAR_DIFFERENCED : REGULAR) * largest;
}

start_way hidden_algebraic_way(hidden_algebraic *h)
{
    return (start_way){prepare, correct, h};
}
