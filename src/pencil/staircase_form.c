/* pencil/staircase_form.c - see staircase_form.h.
 *
 * The algorithm of Van Dooren [VD79] for the infinite structure and the right minimal indices.  One
 * step: with V = [V0 V1], V0 the kernel of E, the first columns of E V are zero; with A V0 = U S W'
 * the rows of U' A V0 W below the rank are zero.  The rows and columns of V0 and of that rank are
 * deflated, and the next step treats the rest.  As many columns as rows leave in a step belong to
 * infinite eigenvalues, the others to right minimal indices.  V0 is turned by W, so that the
 * diagonal blocks of A are diagonal, and A11 is triangular if the pencil is regular.       */
#include "pencil/staircase_form.h"

#include <math.h>
#include <string.h>

#include "linalg/lapack.h"

static size_t at(const staircase_form *f, int32_t i, int32_t j)
{
    return (size_t)j * (size_t)f->rows + (size_t)i;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void lay_out(void *object, layout *l)
{
    staircase_form *f = object;
    size_t m = (size_t)f->rows, n = (size_t)f->cols, most = (size_t)larger(f->rows, f->cols);
    f->e = layout_take(l, m * n, sizeof(double));
    f->a = layout_take(l, m * n, sizeof(double));
    f->p = layout_take(l, m * m, sizeof(double));
    f->q = layout_take(l, n * n, sizeof(double));
    f->turned = layout_take(l, most * most, sizeof(double));
    f->nullity = layout_take(l, n + 1, sizeof(int32_t));
    f->rank = layout_take(l, n + 1, sizeof(int32_t));
}

static double size_of(const double *x, size_t n)
{
    double most = 0.0, sum = 0.0;
    for (size_t k = 0; k < n; k++)
        most = fmax(most, fabs(x[k]));
    for (size_t k = 0; k < n && most > 0.0; k++)
        sum += x[k] / most * (x[k] / most);
    return most * sqrt(sum);
}

/* How many of `n` singular values are more than tolerance * size; notes kept and dropped. */
static int32_t rank_of(staircase_form *f, const double *s, int32_t n, double size)
{
    int32_t rank = 0;
    for (int32_t k = 0; k < n; k++)
        if (s[k] > f->tolerance * size) {
            f->kept = fmin(f->kept, s[k] / size);
            rank++;
        } else if (size > 0.0) {
            f->dropped = fmax(f->dropped, s[k] / size);
        }
    return rank;
}

/* x = x V for `rows` rows and the columns from j on; V is n x n. */
static void turn_columns(staircase_form *f, double *x, int32_t rows, int32_t n, const double *v)
{
    const double one = 1.0, zero = 0.0;
    if (rows == 0 || n == 0)
        return;
    dgemm_("N", "N", &rows, &n, &n, &one, x, &rows, v, &n, &zero, f->turned, &rows, 1, 1);
    memcpy(x, f->turned, (size_t)rows * (size_t)n * sizeof *x);
}

/* Rows i, i + 1, ... of x, for the columns from j on, become U' times them. */
static void turn_rows(staircase_form *f, double *x, const double *u)
{
    const double one = 1.0, zero = 0.0;
    int32_t m = f->rows - f->i, n = f->cols - f->j;
    if (m == 0 || n == 0)
        return;
    dgemm_("T", "N", &m, &n, &m, &one, u, &m, x + at(f, f->i, f->j), &f->rows, &zero, f->turned, &m,
           1, 1);
    for (int32_t j = 0; j < n; j++)
        memcpy(x + at(f, f->i, f->j + j), f->turned + (size_t)j * (size_t)m, (size_t)m * sizeof *x);
}

/* Copy a part of x that begins at (i, j) into the place that is decomposed. */
static void load(staircase_form *f, const double *x, int32_t n)
{
    int32_t m = f->rows - f->i;
    for (int32_t j = 0; j < n && m > 0; j++)
        memcpy(f->s.a + (size_t)j * (size_t)m, x + at(f, f->i, f->j + j), (size_t)m * sizeof *x);
}

/* The right vectors, those of the kernel first, by columns, into d->a. */
static const double *kernel_first(full_svd *d, int32_t n, int32_t rank)
{
    for (int32_t k = 0; k < n; k++) {
        int32_t from = k < n - rank ? rank + k : k - (n - rank);
        for (int32_t i = 0; i < n; i++)
            d->work[(size_t)k * (size_t)n + (size_t)i] =
                d->vt[(size_t)i * (size_t)n + (size_t)from];
    }
    return d->work; /* 4 n n doubles */
}

static void turn_all_columns(staircase_form *f, int32_t n, const double *v)
{
    turn_columns(f, f->e + at(f, 0, f->j), f->rows, n, v);
    turn_columns(f, f->a + at(f, 0, f->j), f->rows, n, v);
    turn_columns(f, f->q + (size_t)f->j * (size_t)f->cols, f->cols, n, v);
}

static void clear(staircase_form *f, double *x, int32_t from, int32_t n)
{
    for (int32_t j = f->j; j < f->j + n; j++)
        for (int32_t i = from; i < f->rows; i++)
            x[at(f, i, j)] = 0.0;
}

static bool split_kernel(staircase_form *f, int32_t *nullity)
{
    int32_t m = f->rows - f->i, n = f->cols - f->j;
    load(f, f->e, n);
    if (!full_svd_decompose(&f->s, m, n))
        return false;
    int32_t rank = rank_of(f, f->s.s, m < n ? m : n, f->size_e);
    *nullity = n - rank;
    if (*nullity > 0) {
        turn_all_columns(f, n, kernel_first(&f->s, n, rank));
        clear(f, f->e, f->i, *nullity);
    }
    return true;
}

/* A V0 = U S W': A becomes S there, and U'A, U'E in all rows of the rest. */
static bool split_rows(staircase_form *f, int32_t nullity, int32_t *rank)
{
    int32_t m = f->rows - f->i;
    load(f, f->a, nullity);
    if (!full_svd_decompose(&f->s, m, nullity))
        return false;
    int32_t least = m < nullity ? m : nullity;
    *rank = rank_of(f, f->s.s, least, f->size_a);
    turn_all_columns(f, nullity, kernel_first(&f->s, nullity, nullity));
    turn_rows(f, f->e, f->s.u);
    turn_rows(f, f->a, f->s.u);
    turn_columns(f, f->p + (size_t)f->i * (size_t)f->rows, f->rows, m, f->s.u);
    clear(f, f->e, f->i, nullity);
    clear(f, f->a, f->i, nullity);
    for (int32_t k = 0; k < *rank; k++)
        f->a[at(f, f->i + k, f->j + k)] = f->s.s[k];
    return true;
}

static daedal_status descend(staircase_form *f)
{
    while (f->j < f->cols) {
        int32_t nullity, rank;
        if (!split_kernel(f, &nullity))
            return DAEDAL_ERR_SINGULAR;
        if (nullity == 0)
            return DAEDAL_OK;
        if (!split_rows(f, nullity, &rank))
            return DAEDAL_ERR_SINGULAR;
        f->nullity[f->n_steps] = nullity;
        f->rank[f->n_steps++] = rank;
        f->i += rank;
        f->j += nullity;
    }
    return DAEDAL_OK;
}

static void set_identity(double *x, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        x[(size_t)k * (size_t)n + (size_t)k] = 1.0;
}

daedal_status staircase_form_create(staircase_form *f, const matrix_pair *from, double tolerance,
                                    const daedal_allocator *a)
{
    *f = (staircase_form){
        .rows = from->rows, .cols = from->cols, .tolerance = tolerance, .kept = 1.0};
    size_t n = (size_t)from->rows * (size_t)from->cols;
    if (!block_create(&f->mem, a, lay_out, f) || !full_svd_create(&f->s, from->rows, from->cols, a))
        return DAEDAL_ERR_MEMORY;
    if (n > 0) {
        memcpy(f->e, from->e, n * sizeof *f->e);
        memcpy(f->a, from->a, n * sizeof *f->a);
    }
    f->size_e = size_of(f->e, n);
    f->size_a = size_of(f->a, n);
    set_identity(f->p, f->rows);
    set_identity(f->q, f->cols);
    return descend(f);
}

void staircase_form_free(staircase_form *f)
{
    full_svd_free(&f->s);
    block_free(&f->mem);
}
