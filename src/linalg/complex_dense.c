/* linalg/complex_dense.c - own dense complex LU for small matrices.
 *
 * Responsibility: P A = L U with partial pivoting for complex A, as linsolver_dense.c does it
 * for real ones.  Real and imaginary parts are stored in separate halves of a column, so that
 * the compiler works on several rows at once; |re| + |im| chooses the pivot.  Up to eight
 * columns n is known to the compiler, which unrolls all of it.
 * Depends on: base/.                                                            */
#include <math.h>
#include <string.h>

#include "linalg/complex_solver.h"

#define PIVOT_MIN 1e-150 /* its square, and the reciprocal of that, are numbers   */
#define PIVOT_MAX 1e150
#define UNROLLED_CASES(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")
#else
#define INLINE static inline
#define UNROLL
#endif

enum { UNROLLED_MAX = 8 };

typedef struct dense {
    int32_t n, nnz;
    int32_t ld;      /* rows of a half column: n rounded up to even                      */
    int32_t *place;  /* nnz: where the real part of each value goes; + ld: the imaginary */
    int32_t *perm;   /* n: row i of P b is b[perm[i]]                                    */
    double *lu;      /* columns of 2 ld: U on and above the diagonal, L (unit) below     */
    double *inverse; /* 2 n: 1 / U(k,k), real and imaginary part                        */
    double *work;    /* 2 n                                                             */
    block mem;
    const daedal_allocator *allocator;
} dense;

static void lay_out(void *object, layout *l)
{
    dense *d = object;
    size_t n = (size_t)d->n;
    d->place = layout_take(l, (size_t)d->nnz, sizeof *d->place);
    d->perm = layout_take(l, n, sizeof *d->perm);
    d->inverse = layout_take(l, 2 * n, sizeof *d->inverse);
    d->work = layout_take(l, 2 * n, sizeof *d->work);
    d->lu = layout_take(l, 2 * n * (size_t)d->ld, sizeof *d->lu);
}

static void dense_destroy(void *self)
{
    dense *d = self;
    if (!d)
        return;
    block_free(&d->mem);
    memory_give(d->allocator, d, sizeof *d);
}

static daedal_status dense_create(void **self, const daedal_linsolver *real,
                                  const daedal_pattern *p, const daedal_allocator *allocator)
{
    (void)real;
    *self = NULL;
    dense *d = memory_take(allocator, sizeof *d);
    if (!d)
        return DAEDAL_ERR_MEMORY;
    int32_t n = p->n_cols;
    *d = (dense){.n = n, .nnz = pattern_nnz(p), .ld = n + (n & 1), .allocator = allocator};
    if (2 * (int64_t)n * d->ld > INT32_MAX || !block_create(&d->mem, allocator, lay_out, d)) {
        dense_destroy(d);
        return DAEDAL_ERR_MEMORY;
    }
    for (int32_t j = 0; j < n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            d->place[q] = 2 * j * d->ld + p->row[q];
    *self = d;
    return DAEDAL_OK;
}

/* ---- elimination ------------------------------------------------------------ */

INLINE int32_t find_pivot(const double *re, const double *im, int32_t first, int32_t n,
                          double *size)
{
    int32_t at = first;
    double largest = fabs(re[first]) + fabs(im[first]);
    UNROLL for (int32_t i = first + 1; i < n; i++)
    {
        double a = fabs(re[i]) + fabs(im[i]);
        at = a > largest ? i : at;
        largest = a > largest ? a : largest;
    }
    *size = largest;
    return at;
}

INLINE void exchange(double *column, int32_t i, int32_t j)
{
    double t = column[i];
    column[i] = column[j];
    column[j] = t;
}

/* c -= l u for the rows first .. n - 1; u is the entry of c in row first - 1. */
INLINE void subtract(double *restrict c_re, double *restrict c_im, const double *restrict l_re,
                     const double *restrict l_im, int32_t first, int32_t n)
{
    double u_re = c_re[first - 1], u_im = c_im[first - 1];
    UNROLL for (int32_t i = first; i < n; i++)
    {
        c_re[i] -= l_re[i] * u_re - l_im[i] * u_im;
        c_im[i] -= l_re[i] * u_im + l_im[i] * u_re;
    }
}

/* Right-looking; returns false at a column without pivot. */
INLINE bool eliminate(dense *d, int32_t n)
{
    int32_t ld = d->ld;
    for (int32_t i = 0; i < n; i++)
        d->perm[i] = i;
    UNROLL for (int32_t k = 0; k < n; k++)
    {
        double *restrict l_re = d->lu + 2 * k * ld, *restrict l_im = l_re + ld, size;
        int32_t p = find_pivot(l_re, l_im, k, n, &size);
        if (!(size >= PIVOT_MIN && size <= PIVOT_MAX))
            return false;
        int32_t other = d->perm[k];
        d->perm[k] = d->perm[p];
        d->perm[p] = other;
        UNROLL for (int32_t j = 0; j < n; j++)
        {
            exchange(d->lu + 2 * j * ld, k, p);
            exchange(d->lu + 2 * j * ld + ld, k, p);
        }
        double scale = 1.0 / (l_re[k] * l_re[k] + l_im[k] * l_im[k]);
        double r_re = l_re[k] * scale, r_im = -l_im[k] * scale;
        d->inverse[2 * k] = r_re;
        d->inverse[2 * k + 1] = r_im;
        UNROLL for (int32_t i = k + 1; i < n; i++)
        {
            double re = l_re[i], im = l_im[i];
            l_re[i] = re * r_re - im * r_im;
            l_im[i] = re * r_im + im * r_re;
        }
        UNROLL for (int32_t j = k + 1; j < n; j++)
        {
            double *c = d->lu + 2 * j * ld;
            subtract(c, c + ld, l_re, l_im, k + 1, n);
        }
    }
    return true;
}

static bool eliminate_any(dense *d)
{
    switch (d->n) {
#define X(N)                                                                                       \
    case N:                                                                                        \
        return eliminate(d, N);
        UNROLLED_CASES(X)
#undef X
    default:
        return eliminate(d, d->n);
    }
}

static daedal_status dense_factor(void *self, const double *re, const double *im)
{
    dense *d = self;
    memset(d->lu, 0, 2 * (size_t)d->n * (size_t)d->ld * sizeof *d->lu);
    for (int32_t q = 0; q < d->nnz; q++) {
        d->lu[d->place[q]] = re[q];
        d->lu[d->place[q] + d->ld] = im[q];
    }
    return eliminate_any(d) ? DAEDAL_OK : DAEDAL_ERR_SINGULAR;
}

/* ---- substitution ------------------------------------------------------------ */

INLINE void substitute(const dense *d, int32_t n, double *restrict x, double *restrict y)
{
    int32_t ld = d->ld;
    UNROLL for (int32_t k = 0; k < n; k++)
    {
        const double *restrict l = d->lu + 2 * k * ld;
        double re = x[k], im = y[k];
        UNROLL for (int32_t i = k + 1; i < n; i++)
        {
            x[i] -= l[i] * re - l[ld + i] * im;
            y[i] -= l[i] * im + l[ld + i] * re;
        }
    }
    UNROLL for (int32_t k = n - 1; k >= 0; k--)
    {
        const double *restrict u = d->lu + 2 * k * ld;
        double r_re = d->inverse[2 * k], r_im = d->inverse[2 * k + 1];
        double re = x[k] * r_re - y[k] * r_im, im = x[k] * r_im + y[k] * r_re;
        x[k] = re;
        y[k] = im;
        UNROLL for (int32_t i = 0; i < k; i++)
        {
            x[i] -= u[i] * re - u[ld + i] * im;
            y[i] -= u[i] * im + u[ld + i] * re;
        }
    }
}

INLINE void solve_sized(const dense *d, int32_t n, double *x, double *y, double *re, double *im)
{
    UNROLL for (int32_t i = 0; i < n; i++)
    {
        x[i] = re[d->perm[i]];
        y[i] = im[d->perm[i]];
    }
    substitute(d, n, x, y);
    memcpy(re, x, (size_t)n * sizeof *re);
    memcpy(im, y, (size_t)n * sizeof *im);
}

static void dense_solve(void *self, double *re, double *im)
{
    const dense *d = self;
    double x[UNROLLED_MAX], y[UNROLLED_MAX];
    switch (d->n) {
#define X(N)                                                                                       \
    case N:                                                                                        \
        solve_sized(d, N, x, y, re, im);                                                           \
        break;
        UNROLLED_CASES(X)
#undef X
    default:
        solve_sized(d, d->n, d->work, d->work + d->n, re, im);
    }
}

static int64_t dense_grown(void *self)
{
    (void)self;
    return 0;
}

const complex_solver complex_dense = {dense_create, dense_factor, dense_solve, dense_grown,
                                      dense_destroy};
