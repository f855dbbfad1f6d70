/* linalg/modular.c - see modular.h. */
#include "linalg/modular.h"

#include <float.h>
#include <math.h>
#include <string.h>

const uint32_t modular_primes[MODULAR_PRIMES] = {2147483629u, 2147483587u};

static uint32_t times(uint32_t a, uint32_t b, uint32_t p)
{
    return (uint32_t)((uint64_t)a * b % p);
}

static uint32_t minus(uint32_t a, uint32_t b, uint32_t p)
{
    return a >= b ? a - b : a + (p - b);
}

static uint32_t power(uint32_t a, uint32_t n, uint32_t p)
{
    uint32_t result = 1;
    for (; n; n >>= 1, a = times(a, a, p))
        if (n & 1)
            result = times(result, a, p);
    return result;
}

static uint32_t inverse(uint32_t a, uint32_t p)
{
    return power(a, p - 2, p); /* Fermat */
}

/* ---- fractions ---- */

/* Convergents of the continued fraction, until one is the number but for rounding.  A random
 * double has none with a denominator below 2^25.                                 */
static bool find_fraction(double x, double *numerator, double *denominator)
{
    const double most = 33554432.0, near = 2.0 * DBL_EPSILON;
    double p0 = 1.0, q0 = 0.0, p1 = floor(x), q1 = 1.0, rest = x - p1;
    while (fabs(x * q1 - p1) > near * fabs(p1)) {
        if (rest == 0.0 || q1 > most || fabs(p1) > 9e15)
            return false;
        double whole = floor(1.0 / rest), p2 = whole * p1 + p0, q2 = whole * q1 + q0;
        rest = 1.0 / rest - whole;
        p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    }
    *numerator = p1;
    *denominator = q1;
    return q1 <= most && fabs(p1) <= 9e15;
}

static uint32_t modular_integer(double x, uint32_t p)
{
    return (uint32_t)fmod(x, (double)p); /* exact */
}

/* The bits: mantissa times a power of two. */
static uint32_t modular_bits(double x, uint32_t p)
{
    int exponent;
    uint32_t mantissa = modular_integer(ldexp(frexp(x, &exponent), 53), p);
    exponent -= 53;
    uint32_t two = power(2, (uint32_t)(exponent < 0 ? -exponent : exponent), p);
    return times(mantissa, exponent < 0 ? inverse(two, p) : two, p);
}

/* A number of any size: x = y 10^k with y in 1 .. 10 has a short fraction if x was written so. */
uint32_t modular_of(double x, uint32_t p)
{
    double size = fabs(x), top, bottom;
    uint32_t r;
    if (size == 0.0)
        return 0;
    int decade = size >= 1e6 || size < 1e-3 ? (int)floor(log10(size)) : 0;
    double scaled = decade > 0   ? size / pow(10.0, decade)
                    : decade < 0 ? size * pow(10.0, -decade)
                                 : size;
    if (isfinite(scaled) && find_fraction(scaled, &top, &bottom)) {
        uint32_t ten = power(10, (uint32_t)(decade < 0 ? -decade : decade), p);
        r = times(modular_integer(top, p), inverse(modular_integer(bottom, p), p), p);
        r = times(r, decade < 0 ? inverse(ten, p) : ten, p);
    } else {
        r = modular_bits(size, p);
    }
    return x < 0.0 ? minus(0, r, p) : r;
}

/* ---- elimination ---- */

static void subtract(uint32_t *row, const uint32_t *pivot, uint32_t factor, int32_t n, uint32_t p)
{
    uint32_t negative = minus(0, factor, p);
    for (int32_t j = 0; j < n && factor; j++)
        row[j] = (uint32_t)((row[j] + (uint64_t)negative * pivot[j]) % p);
}

static void swap_rows(uint32_t *a, int32_t i, int32_t k, int32_t n)
{
    for (int32_t j = 0; j < n && i != k; j++) {
        uint32_t kept = a[(size_t)i * (size_t)n + (size_t)j];
        a[(size_t)i * (size_t)n + (size_t)j] = a[(size_t)k * (size_t)n + (size_t)j];
        a[(size_t)k * (size_t)n + (size_t)j] = kept;
    }
}

/* The first row from `from` on with something in the column, or n. */
static int32_t find_row(const uint32_t *a, int32_t from, int32_t col, int32_t n)
{
    while (from < n && a[(size_t)from * (size_t)n + (size_t)col] == 0)
        from++;
    return from;
}

int32_t modular_rank(const uint32_t *a, int32_t n, uint32_t p, uint32_t *work)
{
    int32_t rank = 0;
    size_t m = (size_t)n;
    memcpy(work, a, m * m * sizeof *work);
    for (int32_t j = 0; j < n; j++) {
        int32_t i = find_row(work, rank, j, n);
        if (i == n)
            continue;
        swap_rows(work, i, rank, n);
        const uint32_t *pivot = work + (size_t)rank * m;
        uint32_t scale = inverse(pivot[j], p);
        for (int32_t k = rank + 1; k < n; k++) {
            uint32_t *row = work + (size_t)k * m;
            subtract(row, pivot, times(row[j], scale, p), n, p);
        }
        rank++;
    }
    return rank;
}

bool modular_solve(uint32_t *a, uint32_t *b, int32_t n, uint32_t p)
{
    size_t m = (size_t)n;
    for (int32_t j = 0; j < n; j++) {
        int32_t i = find_row(a, j, j, n);
        if (i == n)
            return false;
        swap_rows(a, i, j, n);
        swap_rows(b, i, j, n);
        uint32_t scale = inverse(a[(size_t)j * m + (size_t)j], p);
        for (size_t k = 0; k < m; k++) {
            a[(size_t)j * m + k] = times(a[(size_t)j * m + k], scale, p);
            b[(size_t)j * m + k] = times(b[(size_t)j * m + k], scale, p);
        }
        for (int32_t k = 0; k < n; k++) {
            uint32_t factor = k == j ? 0 : a[(size_t)k * m + (size_t)j];
            subtract(a + (size_t)k * m, a + (size_t)j * m, factor, n, p);
            subtract(b + (size_t)k * m, b + (size_t)j * m, factor, n, p);
        }
    }
    return true;
}

void modular_multiply(const uint32_t *a, const uint32_t *b, uint32_t *c, int32_t n, uint32_t p)
{
    size_t m = (size_t)n;
    memset(c, 0, m * m * sizeof *c);
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < m; k++)
            subtract(c + i * m, b + k * m, minus(0, a[i * m + k], p), n, p);
}
