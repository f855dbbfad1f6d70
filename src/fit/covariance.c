/* fit/covariance.c - see covariance.h. */
#include "fit/covariance.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"

/* An unknown whose share of a direction of length one is less than this does not take part in it.
 */
static const double SHARE_LEAST = 0.05;

static int32_t rows_of(const covariance *c)
{
    return c->m > c->n ? c->m : c->n;
}

static void lay_out(void *object, layout *l)
{
    covariance *c = object;
    size_t n = (size_t)c->n;
    c->matrix = layout_take(l, n * n, sizeof(double));
    c->is_undetermined = layout_take(l, n, sizeof(bool));
    c->direction = layout_take(l, n * n, sizeof(double));
    c->length = layout_take(l, n, sizeof(double));
    c->copy = layout_take(l, (size_t)rows_of(c) * n, sizeof(double));
}

bool covariance_create(covariance *c, int32_t m, int32_t n, const daedal_allocator *a)
{
    *c = (covariance){.m = m, .n = n};
    return block_create(&c->mem, a, lay_out, c) && qr_create(&c->factors, rows_of(c), n, 1, a) &&
           svd_create(&c->values, n, a);
}

void covariance_free(covariance *c)
{
    qr_free(&c->factors);
    svd_free(&c->values);
    block_free(&c->mem);
}

/* J with columns of length one, those of held unknowns zero. */
static void scale_columns(covariance *c, const double *jacobian, const bool *is_held)
{
    size_t rows = (size_t)rows_of(c), m = (size_t)c->m;
    memset(c->copy, 0, rows * (size_t)c->n * sizeof *c->copy);
    for (int32_t j = 0; j < c->n; j++) {
        const double *from = jacobian + (size_t)j * m;
        double length = is_held[j] ? 0.0 : sqrt(vector_dot(from, from, c->m));
        c->length[j] = length;
        for (size_t i = 0; i < m && length > 0.0; i++)
            c->copy[(size_t)j * rows + i] = from[i] / length;
    }
}

/* Singular values of R, its columns in the order of the unknowns. */
static bool decompose(covariance *c)
{
    size_t rows = (size_t)rows_of(c), n = (size_t)c->n;
    qr_factor(&c->factors, c->copy, 0.0);
    memset(c->values.a, 0, n * n * sizeof *c->values.a);
    for (size_t k = 0; k < n; k++) {
        size_t j = (size_t)c->factors.pivot[k] - 1;
        memcpy(c->values.a + j * n, c->copy + k * rows, (k + 1) * sizeof *c->copy);
    }
    return svd_decompose(&c->values);
}

/* Add the share of one direction: v v' / s^2, in the units of the unknowns. */
static void add_direction(covariance *c, const double *v, double s)
{
    size_t n = (size_t)c->n;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            if (c->length[i] > 0.0 && c->length[j] > 0.0)
                c->matrix[j * n + i] += v[i] / (c->length[i] * s) * (v[j] / (c->length[j] * s));
}

bool covariance_takes_part(const covariance *c, int32_t direction, int32_t j)
{
    return fabs(c->direction[(size_t)direction * (size_t)c->n + (size_t)j]) > SHARE_LEAST;
}

double covariance_follow(const covariance *c, const double *jacobian, int32_t i, double *out)
{
    size_t n = (size_t)c->n, m = (size_t)c->m;
    double leverage = 0.0;
    for (size_t k = 0; k < n; k++) {
        out[k] = 0.0;
        for (size_t j = 0; j < n; j++)
            out[k] += c->matrix[j * n + k] * jacobian[j * m + (size_t)i];
        leverage += out[k] * jacobian[k * m + (size_t)i];
    }
    return leverage;
}

/* A direction that J does not see; one of a held unknown alone is none. */
static void keep_direction(covariance *c, const double *v, const bool *is_held)
{
    double *at = c->direction + (size_t)c->n_directions * (size_t)c->n, square = 0.0;
    for (int32_t j = 0; j < c->n; j++) {
        at[j] = is_held[j] ? 0.0 : v[j];
        square += at[j] * at[j];
    }
    if (square < 0.5)
        return;
    for (int32_t j = 0; j < c->n; j++)
        c->is_undetermined[j] |= covariance_takes_part(c, c->n_directions, j);
    c->n_directions++;
}

bool covariance_find(covariance *c, const double *jacobian, const bool *is_held, double noise)
{
    size_t n = (size_t)c->n;
    memset(c->matrix, 0, n * n * sizeof *c->matrix);
    memset(c->is_undetermined, 0, n * sizeof *c->is_undetermined);
    c->n_directions = 0;
    scale_columns(c, jacobian, is_held);
    if (!decompose(c))
        return false;
    for (size_t k = 0; k < n; k++) {
        double *row = c->copy; /* whose content is used up */
        for (size_t j = 0; j < n; j++)
            row[j] = c->values.vt[j * n + k];
        if (c->values.s[k] > noise * c->values.s[0])
            add_direction(c, row, c->values.s[k]);
        else
            keep_direction(c, row, is_held);
    }
    return true;
}
