/* support/small_dense.c - see small_dense.h. */
#include "small_dense.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static double largest_of_row(int32_t n, const double *row)
{
    double largest = 0.0;
    for (int32_t j = 0; j < n; j++)
        largest = fmax(largest, fabs(row[j]));
    return largest;
}

static void swap_rows(int32_t n, double *a, int32_t i, int32_t k)
{
    for (int32_t j = 0; j < n; j++) {
        double keep = a[i * n + j];
        a[i * n + j] = a[k * n + j];
        a[k * n + j] = keep;
    }
}

bool small_factor(int32_t n, double *a, int32_t *pivot)
{
    double scale[SMALL_MAX];
    assert(n <= SMALL_MAX);
    for (int32_t i = 0; i < n; i++) {
        scale[i] = largest_of_row(n, a + i * n);
        if (!(scale[i] > 0.0) || !isfinite(scale[i]))
            return false;
    }
    for (int32_t k = 0; k < n; k++) {
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) / scale[i] > fabs(a[best * n + k]) / scale[best])
                best = i;
        pivot[k] = best;
        swap_rows(n, a, k, best);
        double keep = scale[k];
        scale[k] = scale[best];
        scale[best] = keep;
        if (!(fabs(a[k * n + k]) > n * DBL_EPSILON * scale[k]))
            return false;
        for (int32_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] /= a[k * n + k];
            for (int32_t j = k + 1; j < n && factor != 0.0; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return true;
}

void small_backsolve(int32_t n, const double *lu, const int32_t *pivot, double *b)
{
    for (int32_t k = 0; k < n; k++) {
        double keep = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = keep;
    }
    for (int32_t i = 1; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            b[i] -= lu[i * n + j] * b[j];
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < n; j++)
            b[i] -= lu[i * n + j] * b[j];
        b[i] /= lu[i * n + i];
    }
}

bool small_solve(int32_t n, const double *a, double *b)
{
    double lu[SMALL_MAX * SMALL_MAX];
    int32_t pivot[SMALL_MAX];
    memcpy(lu, a, (size_t)(n * n) * sizeof *lu);
    if (!small_factor(n, lu, pivot))
        return false;
    small_backsolve(n, lu, pivot, b);
    return true;
}

bool small_invert(int32_t n, const double *a, double *inverse)
{
    double lu[SMALL_MAX * SMALL_MAX], column[SMALL_MAX];
    int32_t pivot[SMALL_MAX];
    memcpy(lu, a, (size_t)(n * n) * sizeof *lu);
    if (!small_factor(n, lu, pivot))
        return false;
    for (int32_t j = 0; j < n; j++) {
        memset(column, 0, sizeof column);
        column[j] = 1.0;
        small_backsolve(n, lu, pivot, column);
        for (int32_t i = 0; i < n; i++)
            inverse[i * n + j] = column[i];
    }
    return true;
}

void small_apply(int32_t n, const double *a, const double *x, double *y)
{
    for (int32_t i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int32_t j = 0; j < n; j++)
            y[i] += a[i * n + j] * x[j];
    }
}

void small_multiply(int32_t n, const double *a, const double *b, double *product)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            product[i * n + j] = 0.0;
            for (int32_t k = 0; k < n; k++)
                product[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}

/* ---- Newton ---------------------------------------------------------------------------- */

enum { ITERATIONS_MAX = 40 };
static const double INCREMENT = 1e-7; /* of the differences, relative to size           */
static const double SETTLED = 1e-5;   /* corrections below may end the iteration, if ... */
static const double NO_GAIN = 0.5;    /* ... they do not become smaller by this factor   */

static void difference_jacobian(int32_t n, small_equations *f, void *user, const double *size,
                                const double *x, double *jacobian)
{
    double moved[SMALL_MAX], above[SMALL_MAX], below[SMALL_MAX];
    memcpy(moved, x, (size_t)n * sizeof *x);
    for (int32_t j = 0; j < n; j++) {
        moved[j] = x[j] + INCREMENT * size[j];
        double width = moved[j];
        f(moved, above, user);
        moved[j] = x[j] - INCREMENT * size[j];
        width -= moved[j];
        f(moved, below, user);
        moved[j] = x[j];
        for (int32_t i = 0; i < n; i++)
            jacobian[i * n + j] = (above[i] - below[i]) / width;
    }
}

bool small_newton(int32_t n, small_equations *f, void *user, const double *size, double *x)
{
    double jacobian[SMALL_MAX * SMALL_MAX], r[SMALL_MAX], before = INFINITY;
    for (int iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
        difference_jacobian(n, f, user, size, x, jacobian);
        f(x, r, user);
        if (!small_solve(n, jacobian, r))
            return false;
        double largest = 0.0;
        for (int32_t j = 0; j < n; j++) {
            x[j] -= r[j];
            largest = fmax(largest, fabs(r[j]) / size[j]);
        }
        if (!isfinite(largest))
            return false;
        if (largest <= DBL_EPSILON || (largest < SETTLED && largest > NO_GAIN * before))
            return true;
        before = largest;
    }
    return false;
}
