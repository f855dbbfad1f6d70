/* pencil/canonical_form.c - see canonical_form.h.
 *
 * The staircase of a regular pencil has a strictly triangular E11, a triangular regular A11 and a
 * regular E22.  [HW96] VII (1.51), here with the infinite part first:
 *
 *     A11 T + A12 + S A22 = 0,    E11 T + E12 + S E22 = 0
 *
 * can be solved row by row from the last one: row i of E11 T contains later rows of T alone, so the
 * second equation gives row i of S, and the first one row i of T.                     */
#include "pencil/canonical_form.h"

#include <math.h>
#include <string.h>

#include "linalg/lapack.h"

static void lay_out(void *object, layout *l)
{
    decoupling *d = object;
    size_t size = (size_t)d->k->n_infinite * (size_t)d->k->n_finite;
    d->s = layout_take(l, size, sizeof(double));
    d->t = layout_take(l, size, sizeof(double));
}

typedef struct elimination {
    const kronecker *k;
    int32_t n, *pivot;
    double *lu, *row, *other;
    block mem;
} elimination;

static void lay_out_elimination(void *object, layout *l)
{
    elimination *x = object;
    size_t n = (size_t)x->n;
    x->lu = layout_take(l, n * n, sizeof(double));
    x->row = layout_take(l, n, sizeof(double));
    x->other = layout_take(l, n, sizeof(double));
    x->pivot = layout_take(l, n, sizeof(int32_t));
}

/* Factors of the finite part of E. */
static bool eliminate(elimination *x, const kronecker *k, const daedal_allocator *a)
{
    int32_t n = k->n_finite, info = 0;
    *x = (elimination){.k = k, .n = n};
    if (!block_create(&x->mem, a, lay_out_elimination, x))
        return false;
    if (n > 0) {
        memcpy(x->lu, k->finite_e, (size_t)n * (size_t)n * sizeof(double));
        dgetrf_(&n, &n, x->lu, &n, x->pivot, &info);
    }
    return true;
}

static void solve(const elimination *x, const char *how, double *b, int32_t count)
{
    int32_t info;
    if (x->n > 0 && count > 0)
        dgetrs_(how, &x->n, &count, x->lu, &x->n, x->pivot, b, &x->n, &info, 1);
}

static double entry(const staircase_form *f, const double *x, int32_t i, int32_t j)
{
    return x[(size_t)j * (size_t)f->rows + (size_t)i];
}

/* Row i of X12 + X11 T, rows after i of T being known. */
static void coupled_row(const decoupling *d, const double *x, int32_t i, double *row)
{
    const staircase_form *f = &d->k->form;
    int32_t n = d->k->n_infinite;
    for (int32_t j = 0; j < d->k->n_finite; j++) {
        double sum = entry(f, x, i, n + j);
        for (int32_t c = i + 1; c < n; c++)
            sum += entry(f, x, i, c) * d->t[(size_t)j * (size_t)n + (size_t)c];
        row[j] = sum;
    }
}

static void find_row(decoupling *d, const elimination *x, int32_t i)
{
    const kronecker *k = d->k;
    size_t n = (size_t)k->n_infinite, m = (size_t)k->n_finite;
    coupled_row(d, k->form.e, i, x->row);
    solve(x, "T", x->row, 1);
    coupled_row(d, k->form.a, i, x->other);
    for (size_t j = 0; j < m; j++)
        d->s[j * n + (size_t)i] = -x->row[j];
    for (size_t j = 0; j < m; j++) {
        double sum = x->other[j];
        for (size_t c = 0; c < m; c++)
            sum -= x->row[c] * k->finite_a[j * m + c];
        d->t[j * n + (size_t)i] = -sum / entry(&k->form, k->form.a, i, i);
    }
}

/* The largest entry of X11 T + X12 + S X22, beside its terms. */
static double residual_of(const decoupling *d, const double *x, const double *finite)
{
    const staircase_form *f = &d->k->form;
    int32_t n = d->k->n_infinite, m = d->k->n_finite;
    double worst = 0.0, size = 0.0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < m; j++) {
            double sum = entry(f, x, i, n + j), terms = fabs(sum);
            for (int32_t c = i; c < n; c++) {
                double term = entry(f, x, i, c) * d->t[(size_t)j * (size_t)n + (size_t)c];
                sum += term;
                terms = fmax(terms, fabs(term));
            }
            for (int32_t c = 0; c < m; c++) {
                double term = d->s[(size_t)c * (size_t)n + (size_t)i] *
                              finite[(size_t)j * (size_t)m + (size_t)c];
                sum += term;
                terms = fmax(terms, fabs(term));
            }
            worst = fmax(worst, fabs(sum));
            size = fmax(size, terms);
        }
    return size > 0.0 ? worst / size : 0.0;
}

bool decoupling_create(decoupling *d, const kronecker *k, const daedal_allocator *a)
{
    elimination x;
    *d = (decoupling){.k = k};
    bool fine = eliminate(&x, k, a) && block_create(&d->mem, a, lay_out, d);
    for (int32_t i = k->n_infinite - 1; i >= 0 && fine; i--)
        find_row(d, &x, i);
    if (fine)
        d->residual =
            fmax(residual_of(d, k->form.e, k->finite_e), residual_of(d, k->form.a, k->finite_a));
    block_free(&x.mem);
    return fine;
}

void decoupling_free(decoupling *d)
{
    block_free(&d->mem);
}

/* ---- vectors ---- */

void decoupling_right(const decoupling *d, const double *finite, double *vector)
{
    const kronecker *k = d->k;
    size_t n = (size_t)k->form.cols, infinite = (size_t)k->n_infinite, m = (size_t)k->n_finite;
    memset(vector, 0, n * sizeof *vector);
    for (size_t c = 0; c < n; c++) {
        double x = c >= infinite ? finite[c - infinite] : 0.0;
        for (size_t j = 0; c < infinite && j < m; j++)
            x += d->t[j * infinite + c] * finite[j];
        for (size_t i = 0; i < n; i++)
            vector[i] += k->form.q[c * n + i] * x * k->even.column[i];
    }
}

void decoupling_left(const decoupling *d, const double *finite, double *vector)
{
    const kronecker *k = d->k;
    size_t n = (size_t)k->form.rows, infinite = (size_t)k->n_infinite;
    memset(vector, 0, n * sizeof *vector);
    for (size_t c = infinite; c < n; c++)
        for (size_t i = 0; i < n; i++)
            vector[i] += k->form.p[c * n + i] * finite[c - infinite] * k->even.row[i];
}

/* ---- matrices ---- */

/* x = A11^-1 x for n_infinite rows and `count` columns, ld apart. */
static void solve_infinite(const kronecker *k, double *x, size_t ld, size_t count)
{
    for (size_t j = 0; j < count; j++)
        for (int32_t i = k->n_infinite - 1; i >= 0; i--) {
            double sum = x[j * ld + (size_t)i];
            for (int32_t c = i + 1; c < k->n_infinite; c++)
                sum -= entry(&k->form, k->form.a, i, c) * x[j * ld + (size_t)c];
            x[j * ld + (size_t)i] = sum / entry(&k->form, k->form.a, i, i);
        }
}

/* The rows of [I S; 0 I] P', n x n, and those of diag(A11, E22)^-1 times it. */
static void make_left(const decoupling *d, const elimination *x, double *rows, double *finite)
{
    const kronecker *k = d->k;
    size_t n = (size_t)k->form.rows, infinite = (size_t)k->n_infinite, m = (size_t)k->n_finite;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < m; i++)
            finite[j * m + i] = k->form.p[(infinite + i) * n + j];
        for (size_t i = 0; i < infinite; i++) {
            double sum = k->form.p[i * n + j];
            for (size_t c = 0; c < m; c++)
                sum += d->s[c * infinite + i] * finite[j * m + c];
            rows[j * n + i] = sum;
        }
    }
    solve_infinite(k, rows, n, n);
    solve(x, "N", finite, (int32_t)n);
}

/* Finite rows first, in the units of the pencil as given. */
static void place_left(const kronecker *k, const double *rows, const double *finite, double *left)
{
    size_t n = (size_t)k->form.rows, infinite = (size_t)k->n_infinite, m = (size_t)k->n_finite;
    for (size_t j = 0; j < n; j++) {
        double by = k->even.row[j];
        for (size_t i = 0; i < m; i++)
            left[j * n + i] = finite[j * m + i] * by / k->even.tau;
        for (size_t i = 0; i < infinite; i++)
            left[j * n + m + i] = rows[j * n + i] * by;
    }
}

static void make_right(const decoupling *d, double *unit, double *right)
{
    const kronecker *k = d->k;
    size_t n = (size_t)k->form.cols, infinite = (size_t)k->n_infinite, m = (size_t)k->n_finite;
    for (size_t j = 0; j < m; j++) {
        memset(unit, 0, n * sizeof *unit);
        unit[j] = 1.0;
        decoupling_right(d, unit, right + j * n);
    }
    for (size_t j = 0; j < infinite; j++)
        for (size_t i = 0; i < n; i++)
            right[(m + j) * n + i] = k->form.q[j * n + i] * k->even.column[i];
}

/* diag(I, N) and diag(J, I). */
static void make_blocks(const kronecker *k, const elimination *x, double *room,
                        const canonical_matrices *to)
{
    size_t n = (size_t)k->form.cols, infinite = (size_t)k->n_infinite, m = (size_t)k->n_finite;
    memset(to->e, 0, n * n * sizeof(double));
    memset(to->a, 0, n * n * sizeof(double));
    memcpy(room, k->finite_a, m * m * sizeof(double));
    solve(x, "N", room, (int32_t)m);
    for (size_t j = 0; j < m; j++) {
        to->e[j * n + j] = 1.0;
        for (size_t i = 0; i < m; i++)
            to->a[j * n + i] = room[j * m + i] / k->even.tau;
    }
    for (size_t j = 0; j < infinite; j++) {
        to->a[(m + j) * n + m + j] = 1.0;
        for (size_t i = 0; i < infinite; i++)
            room[j * infinite + i] = k->form.e[j * n + i];
    }
    solve_infinite(k, room, infinite, infinite);
    for (size_t j = 0; j < infinite; j++)
        for (size_t i = 0; i < infinite; i++)
            to->e[(m + j) * n + m + i] = room[j * infinite + i] * k->even.tau;
}

daedal_status canonical_form(const decoupling *d, const canonical_matrices *to)
{
    const kronecker *k = d->k;
    const daedal_allocator *a = d->mem.allocator;
    size_t n = (size_t)k->form.rows, room = 2 * n * n + n + 1;
    double *work = memory_take_array(a, room, sizeof *work);
    elimination x;
    bool fine = eliminate(&x, k, a) && work;
    if (fine) {
        make_left(d, &x, work, work + n * n);
        place_left(k, work, work + n * n, to->left);
        make_right(d, work, to->right);
        make_blocks(k, &x, work, to);
    }
    block_free(&x.mem);
    memory_give(a, work, room * sizeof *work);
    return fine ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}
