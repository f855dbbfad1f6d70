/* linalg/linsolver_dense.c - own dense LU for small matrices, real and complex.
 *
 * Responsibility: P A = L U with partial pivoting, stored by columns, behind the
 * linear-solver interfaces.  Written here because below n = 100 a short kernel
 * beats dgetrf by a factor of two to five: for n = 3 .. 8, where an integrator
 * spends thousands of calls, LAPACK's argument handling costs more than the LU.
 *
 * Two kernels:
 *   n <= 8  dense_kernel.h, unrolled; it serves larger complex matrices too;
 *   n > 8   panels of four columns, so that one sweep over the rest of the matrix
 *           does the work of four (the sweep is bound by loads and stores), and
 *           the first kernel for what is left.
 * Where most entries turn out to be zero neither is used, but lists (elimination_list.h), until
 * those fail.
 * Depends on: base/, linalg/dense_kernel.h.                                     */
#include <math.h>
#include <string.h>

#include "linalg/complex_solver.h"
#include "linalg/dense_kernel.h"
#include "linalg/elimination_list.h"

enum { PANEL = 4 };

typedef struct dense {
    int32_t n, nnz, blame;
    kernel_shape shape;     /* distance of columns: n rounded up, see leading()      */
    bool full;              /* real, and the pattern has all n * n entries           */
    int32_t *place;         /* nnz: where in lu each real part goes; unused if full  */
    int32_t *swap;          /* n: row exchanged with row k at step k                 */
    int32_t *perm;          /* n: row i of P b is b[perm[i]]                         */
    double *lu;             /* n columns: U on and above the diagonal, L (unit) below */
    double *inverse;        /* n: 1 / U(k,k)                                         */
    double *work;           /* one column                                            */
    elimination_list lists; /* of operations, if few are needed                      */
    bool by_lists;          /* the factors are there                                 */
    block mem;
    const daedal_allocator *allocator;
} dense;

/* ---- up to eight columns, unrolled ---------------------------------------- */

/* n known to the compiler in each case. */
static int32_t eliminate_small(double *a, int32_t ld, int32_t n, int32_t *swap, double *inverse)
{
    switch (n) {
#define X(N)                                                                                       \
    case N:                                                                                        \
        return kernel_eliminate(a, (kernel_shape){1, ld}, N, swap, inverse);
        UNROLLED_CASES(X)
#undef X
    }
    return 0;
}

/* Solve with the right-hand side in registers. */
INLINE void solve_sized(const dense *d, int32_t n, double *b)
{
    double x[UNROLLED_MAX];
    UNROLL for (int32_t i = 0; i < n; i++) x[i] = b[d->perm[i]];
    kernel_substitute(d->lu, (kernel_shape){1, n + (n & 1)}, n, d->inverse, x);
    UNROLL for (int32_t i = 0; i < n; i++) b[i] = x[i];
}

static void solve_small(const dense *d, double *b)
{
    switch (d->n) {
#define X(N)                                                                                       \
    case N:                                                                                        \
        solve_sized(d, N, b);                                                                      \
        break;
        UNROLLED_CASES(X)
#undef X
    }
}

/* ---- four columns at a time ----------------------------------------------- */

/* find_pivot for longer columns: two searches side by side, as each comparison has
 * to wait for the one before.                                                   */
static int32_t find_pivot_long(const double *column, int32_t first, int32_t n, double *size)
{
    int32_t at = first, at_odd = first, i = first + 1;
    double largest = fabs(column[first]), largest_odd = -1.0;
    for (; i + 2 <= n; i += 2) {
        double a = fabs(column[i]), b = fabs(column[i + 1]);
        at_odd = a > largest_odd ? i : at_odd;
        largest_odd = a > largest_odd ? a : largest_odd;
        at = b > largest ? i + 1 : at;
        largest = b > largest ? b : largest;
    }
    if (i < n && fabs(column[i]) > largest) {
        at = i;
        largest = fabs(column[i]);
    }
    *size = largest_odd > largest ? largest_odd : largest;
    return largest_odd > largest ? at_odd : at;
}

/* Eliminate within the columns first .. first + PANEL - 1 only. */
static int32_t factor_panel(dense *d, int32_t first)
{
    int32_t n = d->n, ld = d->shape.ld, last = first + PANEL;
    for (int32_t k = first; k < last; k++) {
        double *pivot_column = d->lu + k * ld, size;
        int32_t p = find_pivot_long(pivot_column, k, n, &size);
        if (!kernel_is_pivot(size, 1))
            return k;
        d->swap[k] = p;
        for (int32_t j = first; j < last; j++)
            kernel_exchange(d->lu + j * ld, k, p);
        double inverse = d->inverse[k] = 1.0 / pivot_column[k];
        for (int32_t i = k + 1; i < n; i++)
            pivot_column[i] *= inverse;
        for (int32_t j = k + 1; j < last; j++) {
            double *restrict column = d->lu + j * ld;
            double u = column[k];
            for (int32_t i = k + 1; i < n; i++)
                column[i] -= pivot_column[i] * u;
        }
    }
    return n;
}

/* The exchanges of the panel, in a column outside it. */
INLINE void exchange_panel(double *column, const int32_t *swap, int32_t first)
{
    for (int32_t k = first; k < first + PANEL; k++)
        kernel_exchange(column, k, swap[k]);
}

/* The four entries of U above the rest of a column: the panel's unit triangle
 * solved, [l] being its columns from the row of the first pivot on.             */
INLINE void solve_top(double *c, const double *l0, const double *l1, const double *l2)
{
    c[1] -= l0[1] * c[0];
    c[2] -= l0[2] * c[0] + l1[2] * c[1];
    c[3] -= (l0[3] * c[0] + l1[3] * c[1]) + l2[3] * c[2];
}

/* Apply the panel to two columns at once: four loads of L serve sixteen flops.
 * All pointers stand at the row of the first pivot; m rows from there.          */
static void update_pair(const double *restrict l, int32_t ld, int32_t m, double *restrict c,
                        double *restrict e)
{
    const double *l0 = l, *l1 = l + ld, *l2 = l + 2 * ld, *l3 = l + 3 * ld;
    solve_top(c, l0, l1, l2);
    solve_top(e, l0, l1, l2);
    double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    double e0 = e[0], e1 = e[1], e2 = e[2], e3 = e[3];
    for (int32_t i = PANEL; i < m; i++) {
        c[i] -= (l0[i] * c0 + l1[i] * c1) + (l2[i] * c2 + l3[i] * c3);
        e[i] -= (l0[i] * e0 + l1[i] * e1) + (l2[i] * e2 + l3[i] * e3);
    }
}

static void update_one(const double *restrict l, int32_t ld, int32_t m, double *restrict c)
{
    const double *l0 = l, *l1 = l + ld, *l2 = l + 2 * ld, *l3 = l + 3 * ld;
    solve_top(c, l0, l1, l2);
    double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    for (int32_t i = PANEL; i < m; i++)
        c[i] -= (l0[i] * c0 + l1[i] * c1) + (l2[i] * c2 + l3[i] * c3);
}

/* Panels while more than UNROLLED_MAX columns are left, then the other kernel on
 * the trailing square; its row numbers count from the square's first row.       */
static int32_t factor_panels(dense *d)
{
    int32_t n = d->n, ld = d->shape.ld, first = 0;
    for (; n - first > UNROLLED_MAX; first += PANEL) {
        int32_t bad = factor_panel(d, first);
        if (bad < n)
            return bad;
        for (int32_t j = 0; j < first; j++)
            exchange_panel(d->lu + j * ld, d->swap, first);
        const double *l = d->lu + first * ld + first;
        int32_t j = first + PANEL, m = n - first;
        for (int32_t q = j; q < n; q++)
            exchange_panel(d->lu + q * ld, d->swap, first);
        for (; j + 2 <= n; j += 2)
            update_pair(l, ld, m, d->lu + j * ld + first, d->lu + (j + 1) * ld + first);
        if (j < n)
            update_one(l, ld, m, d->lu + j * ld + first);
    }
    int32_t rest = n - first;
    int32_t bad =
        eliminate_small(d->lu + first * ld + first, ld, rest, d->swap + first, d->inverse + first);
    for (int32_t k = first; k < first + bad; k++) {
        d->swap[k] += first;
        for (int32_t j = 0; j < first; j++)
            kernel_exchange(d->lu + j * ld, k, d->swap[k]);
    }
    return first + bad;
}

/* U = D U1 with U1 unit upper triangular: solving then has no product with a
 * reciprocal between one unknown and the next.                                  */
static void scale_rows(dense *d)
{
    const double *restrict inverse = d->inverse;
    for (int32_t j = 1; j < d->n; j++) {
        double *restrict u = d->lu + j * d->shape.ld;
        for (int32_t i = 0; i < j; i++)
            u[i] *= inverse[i];
    }
}

/* ---- the interface -------------------------------------------------------- */

/* Even, so that columns start on 16 bytes; and never a multiple of 32 beyond that
 * size: columns 256 bytes apart fall into a few sets of the cache.              */
static int32_t leading(int32_t n)
{
    int32_t ld = n + (n & 1);
    return ld > UNROLLED_MAX && ld % 32 == 0 ? ld + 2 : ld;
}

static void lay_out(void *object, layout *l)
{
    dense *d = object;
    size_t n = (size_t)d->n, parts = (size_t)d->shape.parts, ld = (size_t)d->shape.ld;
    d->place = layout_take(l, d->full ? 0 : (size_t)d->nnz, sizeof *d->place);
    d->swap = layout_take(l, n, sizeof *d->swap);
    d->perm = layout_take(l, n, sizeof *d->perm);
    d->inverse = layout_take(l, n * parts, sizeof *d->inverse);
    d->work = layout_take(l, ld * parts, sizeof *d->work);
    d->lu = layout_take(l, n * ld * parts, sizeof *d->lu);
    elimination_list_lay_out(&d->lists, l);
}

static void dense_destroy(void *self)
{
    dense *d = self;
    if (!d)
        return;
    block_free(&d->mem);
    memory_give(d->allocator, d, sizeof *d);
}

static daedal_status create(void **self, const daedal_pattern *p, const dense *elder, int32_t parts,
                            const daedal_allocator *allocator)
{
    *self = NULL;
    if (p->n_rows != p->n_cols)
        return DAEDAL_ERR_ARGUMENT;
    dense *d = memory_take(allocator, sizeof *d);
    if (!d)
        return DAEDAL_ERR_MEMORY;
    *d = (dense){.n = p->n_cols, .nnz = pattern_nnz(p), .blame = -1, .allocator = allocator};
    d->shape = (kernel_shape){parts, leading(d->n)};
    elimination_list_begin(&d->lists, p, parts == 2, elder ? &elder->lists : NULL);
    d->full = parts == 1 && (int64_t)d->nnz == (int64_t)d->n * d->n;
    if ((int64_t)d->n * d->shape.ld > INT32_MAX / parts ||
        !block_create(&d->mem, allocator, lay_out, d)) {
        dense_destroy(d);
        return DAEDAL_ERR_MEMORY;
    }
    for (int32_t j = 0; !d->full && j < d->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            d->place[q] = j * parts * d->shape.ld + p->row[q];
    elimination_list_describe(&d->lists, p);
    *self = d;
    return DAEDAL_OK;
}

static daedal_status dense_create(void **self, const daedal_pattern *p,
                                  const daedal_allocator *allocator)
{
    return create(self, p, NULL, 1, allocator);
}

static void clear(dense *d)
{
    size_t entries = (size_t)d->n * (size_t)d->shape.ld * (size_t)d->shape.parts;
    memset(d->lu, 0, entries * sizeof *d->lu);
}

static void load_values(dense *d, const double *values)
{
    size_t n = (size_t)d->n, ld = (size_t)d->shape.ld;
    if (!d->full) {
        clear(d);
        for (int32_t q = 0; q < d->nnz; q++)
            d->lu[d->place[q]] = values[q];
    } else if (n == ld) {
        memcpy(d->lu, values, n * n * sizeof *d->lu);
    } else {
        for (size_t j = 0; j < n; j++)
            memcpy(d->lu + j * ld, values + j * n, n * sizeof *d->lu);
    }
}

/* After elimination of `done` columns: whom to blame, or the permutation. */
static daedal_status finish(dense *d, int32_t done)
{
    d->blame = done < d->n ? done : -1;
    if (done < d->n)
        return DAEDAL_ERR_SINGULAR;
    for (int32_t k = 0; k < d->n; k++)
        d->perm[k] = k;
    for (int32_t k = 0; k < d->n; k++) {
        int32_t t = d->perm[k];
        d->perm[k] = d->perm[d->swap[k]];
        d->perm[d->swap[k]] = t;
    }
    return DAEDAL_OK;
}

static daedal_status dense_factor(void *self, const double *values)
{
    dense *d = self;
    d->blame = -1;
    d->by_lists = elimination_list_factor(&d->lists, values, NULL);
    if (d->by_lists)
        return DAEDAL_OK;
    load_values(d, values);
    if (d->n <= UNROLLED_MAX)
        return finish(d, eliminate_small(d->lu, d->shape.ld, d->n, d->swap, d->inverse));
    int32_t done = factor_panels(d);
    if (done == d->n)
        scale_rows(d);
    return finish(d, done);
}

/* x -= four columns times four numbers, rows first .. last - 1. */
INLINE void subtract_four(double *restrict x, const double *restrict a, int32_t ld, const double *m,
                          int32_t first, int32_t last)
{
    const double *a1 = a + ld, *a2 = a + 2 * ld, *a3 = a + 3 * ld;
    double m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3];
    for (int32_t i = first; i < last; i++)
        x[i] -= (a[i] * m0 + a1[i] * m1) + (a2[i] * m2 + a3[i] * m3);
}

/* L x = x, L unit lower triangular: four columns a sweep, for the loads and stores of x
 * cost as much as the products.                                                 */
static void forward(const dense *d, double *x)
{
    int32_t n = d->n, ld = d->shape.ld, k = 0;
    for (; k + PANEL <= n; k += PANEL) {
        const double *l = d->lu + k * ld;
        solve_top(x + k, l + k, l + ld + k, l + 2 * ld + k);
        double m[PANEL] = {x[k], x[k + 1], x[k + 2], x[k + 3]};
        subtract_four(x, l, ld, m, k + PANEL, n);
    }
    for (; k < n; k++)
        for (int32_t i = k + 1; i < n; i++)
            x[i] -= d->lu[k * ld + i] * x[k];
}

/* The last three steps of a unit upper triangle of order four, in registers: memory in
 * between would double the wait of each product for the one before.             */
INLINE void solve_bottom(double *c, const double *u1, const double *u2, const double *u3)
{
    double c3 = c[3], c2 = c[2] - u3[2] * c3;
    double c1 = (c[1] - u3[1] * c3) - u2[1] * c2;
    c[0] = ((c[0] - u3[0] * c3) - u2[0] * c2) - u1[0] * c1;
    c[1] = c1;
    c[2] = c2;
}

/* U x = x, U unit upper triangular, from the last column down. */
static void backward(const dense *d, double *x)
{
    int32_t n = d->n, ld = d->shape.ld, k = n - PANEL;
    for (; k >= 0; k -= PANEL) {
        const double *u = d->lu + k * ld;
        solve_bottom(x + k, u + ld + k, u + 2 * ld + k, u + 3 * ld + k);
        double m[PANEL] = {x[k], x[k + 1], x[k + 2], x[k + 3]};
        subtract_four(x, u, ld, m, 0, k);
    }
    for (int32_t j = k + PANEL - 1; j >= 0; j--)
        for (int32_t i = 0; i < j; i++)
            x[i] -= d->lu[j * ld + i] * x[j];
}

static void solve_large(const dense *d, double *b)
{
    double *restrict x = d->work;
    for (int32_t i = 0; i < d->n; i++)
        x[i] = b[d->perm[i]];
    forward(d, x);
    for (int32_t i = 0; i < d->n; i++)
        b[i] = x[i] * d->inverse[i];
    backward(d, b);
}

static void dense_solve(void *self, double *b)
{
    dense *d = self;
    if (d->by_lists)
        elimination_list_solve(&d->lists, b, NULL);
    else if (d->n <= UNROLLED_MAX)
        solve_small(d, b);
    else
        solve_large(d, b);
}

static int32_t dense_blame(void *self)
{
    return ((const dense *)self)->blame;
}

void dense_copy(void *self, const void *from)
{
    dense *d = self;
    const dense *other = from;
    dense mine = *d;
    *d = *other;
    d->mem = mine.mem;
    d->allocator = mine.allocator;
    d->lists.elder = mine.lists.elder;
    block_place(&d->mem, lay_out, d);
    block_copy(&d->mem, &other->mem);
}

void dense_forget(void *self)
{
    elimination_list_forget(&((dense *)self)->lists);
}

const daedal_linsolver *daedal_linsolver_dense(void)
{
    static const daedal_linsolver table = {
        .name = "dense",
        .create = dense_create,
        .factor = dense_factor,
        .solve = dense_solve,
        .singular_column = dense_blame,
        .destroy = dense_destroy,
    };
    return &table;
}

/* ---- complex ------------------------------------------------------------------ */

static daedal_status complex_create(void **self, const daedal_linsolver *real, void *factors,
                                    const daedal_pattern *p, const daedal_allocator *allocator)
{
    (void)real;
    return create(self, p, factors, 2, allocator);
}

static int32_t complex_eliminate(dense *d)
{
    int32_t ld = d->shape.ld;
    switch (d->n) {
#define X(N)                                                                                       \
    case N:                                                                                        \
        return kernel_eliminate(d->lu, (kernel_shape){2, ld}, N, d->swap, d->inverse);
        UNROLLED_CASES(X)
#undef X
    default:
        return kernel_eliminate(d->lu, (kernel_shape){2, ld}, d->n, d->swap, d->inverse);
    }
}

static daedal_status complex_factor(void *self, const double *re, const double *im)
{
    dense *d = self;
    d->by_lists = elimination_list_factor(&d->lists, re, im);
    if (d->by_lists)
        return DAEDAL_OK;
    clear(d);
    for (int32_t q = 0; q < d->nnz; q++) {
        d->lu[d->place[q]] = re[q];
        d->lu[d->place[q] + d->shape.ld] = im[q];
    }
    return finish(d, complex_eliminate(d));
}

/* x: room for a column. */
INLINE void complex_solve_sized(const dense *d, int32_t n, int32_t ld, double *x, double *re,
                                double *im)
{
    UNROLL for (int32_t i = 0; i < n; i++)
    {
        x[i] = re[d->perm[i]];
        x[ld + i] = im[d->perm[i]];
    }
    kernel_substitute(d->lu, (kernel_shape){2, ld}, n, d->inverse, x);
    UNROLL for (int32_t i = 0; i < n; i++)
    {
        re[i] = x[i];
        im[i] = x[ld + i];
    }
}

static void complex_solve(void *self, double *re, double *im)
{
    dense *d = self;
    double x[2 * UNROLLED_MAX];
    if (d->by_lists) {
        elimination_list_solve(&d->lists, re, im);
        return;
    }
    switch (d->n) {
#define X(N)                                                                                       \
    case N:                                                                                        \
        complex_solve_sized(d, N, N + (N & 1), x, re, im);                                         \
        break;
        UNROLLED_CASES(X)
#undef X
    default:
        complex_solve_sized(d, d->n, d->shape.ld, d->work, re, im);
    }
}

const complex_solver complex_dense = {.create = complex_create,
                                      .factor = complex_factor,
                                      .solve = complex_solve,
                                      .destroy = dense_destroy,
                                      .copy = dense_copy};
