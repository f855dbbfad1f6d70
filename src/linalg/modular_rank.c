/* linalg/modular_rank.c - see modular_rank.h. */
#include "linalg/modular_rank.h"

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

static const double NEAR = 2.0 * DBL_EPSILON;

/* top/bottom * 10^ten * 2^two */
typedef struct fraction {
    double top, bottom;
    int ten, two;
} fraction;

/* Few digits, as a person writes them.  Of all doubles one in 20000 is as near to such a number. */
static bool is_decimal(double x, fraction *f)
{
    enum { DIGITS = 11 };
    int shift = DIGITS - 1 - (int)floor(log10(x));
    double top = round(shift < 0 ? x / pow(10.0, -shift) : x * pow(10.0, shift));
    double back = shift < 0 ? top * pow(10.0, -shift) : top / pow(10.0, shift);
    *f = (fraction){top, 1.0, -shift, 0};
    return isfinite(back) && fabs(back - x) <= NEAR * x;
}

/* Convergents of the continued fraction, until one is the number but for rounding. */
static bool is_ratio(double x, fraction *f)
{
    const double most = 1e4, numerators = 1e3; /* denominators; larger numerators than these */
    double p0 = 1.0, q0 = 0.0, p1 = floor(x), q1 = 1.0, rest = x - p1;
    while (fabs(x * q1 - p1) > NEAR * p1) {
        if (rest == 0.0)
            return false;
        double whole = floor(1.0 / rest), p2 = whole * p1 + p0, q2 = whole * q1 + q0;
        if (q2 > most || p2 > numerators * most)
            return false;
        rest = 1.0 / rest - whole;
        p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    }
    *f = (fraction){p1, q1, 0, 0};
    return true;
}

/* What the bits say; true: there are few of them. */
static bool is_binary(double x, fraction *f)
{
    enum { BITS = 53, FEW = 26 };
    int exponent;
    double top = ldexp(frexp(x, &exponent), BITS);
    *f = (fraction){top, 1.0, 0, exponent - BITS};
    return fmod(top, ldexp(1.0, BITS - FEW)) == 0.0;
}

/* Find a fraction for x > 0; false: only that of its bits would do. */
static bool find_fraction(double x, fraction *f)
{
    return is_binary(x, f) || is_decimal(x, f) || is_ratio(x, f);
}

static uint32_t modular_integer(double x, uint32_t p)
{
    return (uint32_t)fmod(x, (double)p); /* exact */
}

static uint32_t modular_power(uint32_t base, int n, uint32_t p)
{
    uint32_t r = power(base, (uint32_t)(n < 0 ? -n : n), p);
    return n < 0 ? inverse(r, p) : r;
}

uint32_t modular_of(double x, uint32_t p)
{
    fraction f;
    if (x == 0.0)
        return 0;
    if (!find_fraction(fabs(x), &f))
        is_binary(fabs(x), &f);
    uint32_t r = times(modular_integer(f.top, p), inverse(modular_integer(f.bottom, p), p), p);
    r = times(r, modular_power(10, f.ten, p), p);
    r = times(r, modular_power(2, f.two, p), p);
    return x < 0.0 ? minus(0, r, p) : r;
}

bool modular_is_short(double x)
{
    fraction f;
    return x == 0.0 || find_fraction(fabs(x), &f);
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
