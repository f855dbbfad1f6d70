/* linalg/band_kernel.h - elimination and substitution for narrow bands, real or complex.
 *
 * Responsibility: P A = L U with partial pivoting in the storage of LAPACK: entry (i, j) at row
 * lower + upper + i - j of column j.  LAPACK calls a BLAS routine for each column, which costs more
 * than the few operations of a narrow one.  Rows of L are not exchanged afterwards, so that the
 * exchanges are repeated where the right-hand side passes them, as LAPACK does.
 *
 * Reciprocals of the pivots are kept in place of them.  Where no rows were exchanged U has no fill,
 * and substitution skips the room for it.
 * Depends on: libm.                                                             */
#ifndef DAEDAL_LINALG_BAND_KERNEL_H
#define DAEDAL_LINALG_BAND_KERNEL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { BAND_NARROW = 24 }; /* diagonals beside the main one: BLAS wins beyond */
enum { BAND_UNROLLED = 6 };
enum { BAND_TOGETHER = 4 }; /* right-hand sides, none of which waits for unknowns of another */
#define BAND_CASES(X) X(1) X(2) X(3) X(4) X(5) X(6)

#if defined(__GNUC__)
#define BAND_INLINE static inline __attribute__((always_inline))
#define BAND_UNROLL _Pragma("GCC unroll 6")
#else
#define BAND_INLINE static inline
#define BAND_UNROLL
#endif

typedef struct band_shape {
    int32_t n, lower, upper;
    int32_t height; /* rows of the rectangle */
} band_shape;

/* Expected nanoseconds for an unknown, as linsolver.c counts them; of LAPACK for wide bands. */
static inline double band_factor_cost(double lower, double upper)
{
    return lower + upper <= BAND_NARROW ? 10.0 + 0.33 * lower * (lower + upper)
                                        : 30.0 + 0.2 * lower * (lower + upper);
}

static inline double band_solve_cost(double lower, double upper)
{
    return lower + upper <= BAND_NARROW ? 4.0 + 0.4 * (2.0 * lower + upper)
                                        : 23.0 + 0.2 * (2.0 * lower + upper);
}

static inline int32_t band_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The place of entry (j, j). */
static inline int64_t band_diagonal(band_shape s, int32_t j)
{
    return (int64_t)j * s.height + s.lower + s.upper;
}

/* ---- real ---- */

/* Exchange rows j and j + p from column j to column `last`; one step to the right is one row up. */
static inline void band_exchange(band_shape s, double *a, int32_t j, int32_t p, int32_t last)
{
    for (int32_t c = j; c <= last; c++) {
        double *at = a + band_diagonal(s, c) + j - c;
        const double above = at[0];
        at[0] = at[p];
        at[p] = above;
    }
}

/* The row of the pivot, counted from the diagonal.  Rows that do not exist hold zeros. */
BAND_INLINE int32_t band_pivot(const double *column, const int32_t lower)
{
    double most = fabs(column[0]);
    int32_t p = 0;
    BAND_UNROLL
    for (int32_t i = 1; i <= lower; i++) {
        const double size = fabs(column[i]);
        p = size > most ? i : p;
        most = size > most ? size : most;
    }
    return p;
}

/* As band_eliminate; `lower` is that of the shape, a constant where it is small. */
BAND_INLINE int32_t band_eliminate_by(band_shape s, double *a, int32_t *pivot, bool *exchanged,
                                      const int32_t lower)
{
    int32_t last = 0; /* column that a row of the triangle so far reaches to */
    double *column = a + band_diagonal(s, 0);
    *exchanged = false;
    for (int32_t j = 0; j < s.n; j++, column += s.height) {
        const int32_t p = pivot[j] = band_pivot(column, lower);
        const int32_t reach = band_least(j + s.upper + p, s.n - 1);
        last = reach > last ? reach : last;
        if (p != 0) {
            *exchanged = true;
            band_exchange(s, a, j, p, last);
        }
        const double inverse = 1.0 / column[0];
        if (!isfinite(inverse) || inverse == 0.0)
            return j;
        column[0] = inverse;
        BAND_UNROLL
        for (int32_t i = 1; i <= lower; i++)
            column[i] *= inverse;
        double *to = column;
        for (int32_t c = j + 1; c <= last; c++) {
            to += s.height - 1;
            const double factor = to[0];
            if (factor == 0.0)
                continue;
            BAND_UNROLL
            for (int32_t i = 1; i <= lower; i++)
                to[i] -= column[i] * factor;
        }
    }
    return -1;
}

/* The column with the first unusable pivot, or -1; *exchanged: some rows were. */
static inline int32_t band_eliminate(band_shape s, double *a, int32_t *pivot, bool *exchanged)
{
    switch (s.lower) {
#define CASE(k)                                                                                    \
    case k:                                                                                        \
        return band_eliminate_by(s, a, pivot, exchanged, k);
        BAND_CASES(CASE)
#undef CASE
    default:
        return band_eliminate_by(s, a, pivot, exchanged, s.lower);
    }
}

/* L x = b without exchanges, and U x = b, for numbers of diagonals and of right-hand sides that are
 * constants where these are called: what the last unknowns leave for the next ones stays in
 * registers.                                                                     */
BAND_INLINE void band_forward_by(band_shape s, const double *a, double *b, const int32_t lower,
                                 const int32_t count)
{
    double wait[BAND_UNROLLED][BAND_TOGETHER] = {{0}};
    const double *column = a + band_diagonal(s, 0);
    for (int32_t j = 0; j < s.n; j++, column += s.height) {
        BAND_UNROLL
        for (int32_t r = 0; r < count; r++) {
            const double x = b[(int64_t)r * s.n + j] -= wait[0][r];
            BAND_UNROLL
            for (int32_t i = 1; i < lower; i++)
                wait[i - 1][r] = wait[i][r] + column[i] * x;
            wait[lower - 1][r] = column[lower] * x;
        }
    }
}

BAND_INLINE void band_backward_by(band_shape s, const double *a, double *b, const int32_t upper,
                                  const int32_t count)
{
    double wait[BAND_UNROLLED][BAND_TOGETHER] = {{0}};
    const double *column = a + band_diagonal(s, s.n - 1);
    for (int32_t j = s.n - 1; j >= 0; j--, column -= s.height) {
        BAND_UNROLL
        for (int32_t r = 0; r < count; r++) {
            double *at = b + (int64_t)r * s.n + j;
            const double x = *at = (*at - wait[0][r]) * column[0];
            BAND_UNROLL
            for (int32_t i = 1; i < upper; i++)
                wait[i - 1][r] = wait[i][r] + column[-i] * x;
            wait[upper - 1][r] = column[-upper] * x;
        }
    }
}

static inline void band_forward(band_shape s, const double *a, const int32_t *pivot, bool exchanged,
                                double *b)
{
    switch (exchanged ? 0 : s.lower) {
#define CASE(k)                                                                                    \
    case k:                                                                                        \
        band_forward_by(s, a, b, k, 1);                                                            \
        return;
        BAND_CASES(CASE)
#undef CASE
    default:
        break;
    }
    for (int32_t j = 0; j < s.n - 1 && s.lower > 0; j++) {
        const double *column = a + band_diagonal(s, j);
        const int32_t below = band_least(s.lower, s.n - 1 - j), p = pivot[j];
        const double x = b[j + p];
        b[j + p] = b[j];
        b[j] = x;
        for (int32_t i = 1; i <= below; i++)
            b[j + i] -= column[i] * x;
    }
}

static inline void band_substitute(band_shape s, const double *a, const int32_t *pivot,
                                   bool exchanged, double *b)
{
    const int32_t width = s.upper + (exchanged ? s.lower : 0);
    band_forward(s, a, pivot, exchanged, b);
    switch (width) {
#define CASE(k)                                                                                    \
    case k:                                                                                        \
        band_backward_by(s, a, b, k, 1);                                                           \
        return;
        BAND_CASES(CASE)
#undef CASE
    default:
        break;
    }
    for (int32_t j = s.n - 1; j >= 0; j--) {
        const double *column = a + band_diagonal(s, j);
        const int32_t above = band_least(width, j);
        const double x = b[j] *= column[0];
        for (int32_t i = 1; i <= above; i++)
            b[j - i] -= column[-i] * x;
    }
}

BAND_INLINE void band_substitute_by(band_shape s, const double *a, double *b, const int32_t count)
{
#define CASE(k)                                                                                    \
    case k:                                                                                        \
        band_forward_by(s, a, b, k, count);                                                        \
        break;
    switch (s.lower) {
        BAND_CASES(CASE)
    }
#undef CASE
#define CASE(k)                                                                                    \
    case k:                                                                                        \
        band_backward_by(s, a, b, k, count);                                                       \
        break;
    switch (s.upper) {
        BAND_CASES(CASE)
    }
#undef CASE
}

/* 2 to BAND_TOGETHER right-hand sides, one behind the other; false: not for this matrix. */
static inline bool band_substitute_together(band_shape s, const double *a, bool exchanged,
                                            double *b, int32_t count)
{
    if (exchanged || s.lower < 1 || s.lower > BAND_UNROLLED || s.upper < 1 ||
        s.upper > BAND_UNROLLED)
        return false;
    if (count == 2)
        band_substitute_by(s, a, b, 2);
    else if (count == 3)
        band_substitute_by(s, a, b, 3);
    else
        band_substitute_by(s, a, b, BAND_TOGETHER);
    return true;
}

/* ---- complex: pairs of doubles ---- */

static inline void band_exchange_pairs(band_shape s, double *a, int32_t j, int32_t p, int32_t last)
{
    for (int32_t c = j; c <= last; c++) {
        double *at = a + 2 * (band_diagonal(s, c) + j - c);
        for (int32_t k = 0; k < 2; k++) {
            const double above = at[k];
            at[k] = at[2 * p + k];
            at[2 * p + k] = above;
        }
    }
}

/* to[i] -= from[i] (re + i im) for `count` pairs, `step` from one to the next. */
static inline void band_subtract_pairs(double *to, const double *from, int32_t count, int32_t step,
                                       double re, double im)
{
    for (int32_t i = 0; i < count; i++) {
        double *x = to + 2 * step * i;
        const double *y = from + 2 * step * i;
        x[0] -= y[0] * re - y[1] * im;
        x[1] -= y[0] * im + y[1] * re;
    }
}

/* Replace the pivot by its reciprocal and scale what is below; false: it is unusable. */
static inline bool band_scale_pairs(double *column, int32_t below)
{
    const double size = column[0] * column[0] + column[1] * column[1];
    const double large = fmax(fabs(column[0]), fabs(column[1]));
    const bool safe = size > 1e-280 && size < 1e280;
    const double unit = safe ? 1.0 : 1.0 / large;
    const double x = column[0] * unit, y = column[1] * unit, square = x * x + y * y;
    const double re = x * unit / square, im = -y * unit / square;
    if (!isfinite(re + im) || (re == 0.0 && im == 0.0))
        return false;
    column[0] = re;
    column[1] = im;
    for (int32_t i = 1; i <= below; i++) {
        const double u = column[2 * i], v = column[2 * i + 1];
        column[2 * i] = u * re - v * im;
        column[2 * i + 1] = u * im + v * re;
    }
    return true;
}

static inline double band_size(const double *pair)
{
    return fabs(pair[0]) + fabs(pair[1]);
}

static inline int32_t band_eliminate_pairs(band_shape s, double *a, int32_t *pivot, bool *exchanged)
{
    int32_t last = 0;
    *exchanged = false;
    for (int32_t j = 0; j < s.n; j++) {
        double *column = a + 2 * band_diagonal(s, j);
        const int32_t below = band_least(s.lower, s.n - 1 - j);
        int32_t p = 0;
        for (int32_t i = 1; i <= below; i++)
            p = band_size(column + 2 * i) > band_size(column + 2 * p) ? i : p;
        const int32_t reach = band_least(j + s.upper + p, s.n - 1);
        last = reach > last ? reach : last;
        pivot[j] = p;
        if (p != 0) {
            *exchanged = true;
            band_exchange_pairs(s, a, j, p, last);
        }
        if (!band_scale_pairs(column, below))
            return j;
        for (int32_t c = j + 1; c <= last; c++) {
            double *to = a + 2 * (band_diagonal(s, c) + j - c);
            if (to[0] != 0.0 || to[1] != 0.0)
                band_subtract_pairs(to + 2, column + 2, below, 1, to[0], to[1]);
        }
    }
    return -1;
}

BAND_INLINE void band_forward_pairs_by(band_shape s, const double *a, double *b,
                                       const int32_t lower)
{
    double re[BAND_UNROLLED] = {0}, im[BAND_UNROLLED] = {0};
    const double *column = a + 2 * band_diagonal(s, 0);
    for (int32_t j = 0; j < s.n; j++, column += 2 * s.height) {
        const double x = b[2 * j] -= re[0], y = b[2 * j + 1] -= im[0];
        BAND_UNROLL
        for (int32_t i = 1; i < lower; i++) {
            re[i - 1] = re[i] + (column[2 * i] * x - column[2 * i + 1] * y);
            im[i - 1] = im[i] + (column[2 * i] * y + column[2 * i + 1] * x);
        }
        re[lower - 1] = column[2 * lower] * x - column[2 * lower + 1] * y;
        im[lower - 1] = column[2 * lower] * y + column[2 * lower + 1] * x;
    }
}

BAND_INLINE void band_backward_pairs_by(band_shape s, const double *a, double *b,
                                        const int32_t upper)
{
    double re[BAND_UNROLLED] = {0}, im[BAND_UNROLLED] = {0};
    const double *column = a + 2 * band_diagonal(s, s.n - 1);
    for (int32_t j = s.n - 1; j >= 0; j--, column -= 2 * s.height) {
        const double u = b[2 * j] - re[0], v = b[2 * j + 1] - im[0];
        const double x = u * column[0] - v * column[1], y = u * column[1] + v * column[0];
        b[2 * j] = x;
        b[2 * j + 1] = y;
        BAND_UNROLL
        for (int32_t i = 1; i < upper; i++) {
            re[i - 1] = re[i] + (column[-2 * i] * x - column[-2 * i + 1] * y);
            im[i - 1] = im[i] + (column[-2 * i] * y + column[-2 * i + 1] * x);
        }
        re[upper - 1] = column[-2 * upper] * x - column[-2 * upper + 1] * y;
        im[upper - 1] = column[-2 * upper] * y + column[-2 * upper + 1] * x;
    }
}

static inline void band_forward_pairs(band_shape s, const double *a, const int32_t *pivot,
                                      bool exchanged, double *b)
{
    switch (exchanged ? 0 : s.lower) {
#define CASE(k)                                                                                    \
    case k:                                                                                        \
        band_forward_pairs_by(s, a, b, k);                                                         \
        return;
        BAND_CASES(CASE)
#undef CASE
    default:
        break;
    }
    for (int32_t j = 0; j < s.n - 1 && s.lower > 0; j++) {
        const double *column = a + 2 * band_diagonal(s, j);
        const int32_t below = band_least(s.lower, s.n - 1 - j), p = pivot[j];
        const double re = b[2 * (j + p)], im = b[2 * (j + p) + 1];
        b[2 * (j + p)] = b[2 * j];
        b[2 * (j + p) + 1] = b[2 * j + 1];
        b[2 * j] = re;
        b[2 * j + 1] = im;
        band_subtract_pairs(b + 2 * (j + 1), column + 2, below, 1, re, im);
    }
}

static inline void band_substitute_pairs(band_shape s, const double *a, const int32_t *pivot,
                                         bool exchanged, double *b)
{
    const int32_t width = s.upper + (exchanged ? s.lower : 0);
    band_forward_pairs(s, a, pivot, exchanged, b);
    switch (width) {
#define CASE(k)                                                                                    \
    case k:                                                                                        \
        band_backward_pairs_by(s, a, b, k);                                                        \
        return;
        BAND_CASES(CASE)
#undef CASE
    default:
        break;
    }
    for (int32_t j = s.n - 1; j >= 0; j--) {
        const double *column = a + 2 * band_diagonal(s, j);
        const int32_t above = band_least(width, j);
        const double u = b[2 * j], v = b[2 * j + 1];
        const double re = u * column[0] - v * column[1], im = u * column[1] + v * column[0];
        b[2 * j] = re;
        b[2 * j + 1] = im;
        if (above > 0)
            band_subtract_pairs(b + 2 * (j - 1), column - 2, above, -1, re, im);
    }
}
#endif
