/* linalg/vector.h - the reductions over vectors.
 *
 * Responsibility: the only loops that reduce a vector of unknowns to one number.
 * Everything else the integrators do with vectors is elementwise.  vector_... reduce
 * what is in this process; space_... what all ranks of a distributed system have, and
 * are what the methods bdf and radau and their Newton iteration call
 * (tools/check_reductions.py).
 * Invariant: the order of summation depends on n alone, never on the data or on
 * the alignment: the same vector gives the same bits.
 * Depends on: daedal.h, libm.                                                   */
#ifndef DAEDAL_LINALG_VECTOR_H
#define DAEDAL_LINALG_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "daedal.h"

/* Two neighbours in a vector, for loops that the compiler does not vectorize by itself. */
typedef double vector_pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline vector_pair vector_pair_of(double x)
{
    return (vector_pair){x, x};
}

/* Four neighbours, for functions WIDE_TARGET, which are called where vector_may_be_wide().  They
 * compute the same bits as others.                                                */
typedef double vector_four __attribute__((vector_size(32), aligned(8), may_alias));

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE_TARGET __attribute__((target("avx")))
static inline bool vector_may_be_wide(void)
{
    return __builtin_cpu_supports("avx");
}
#else
#define WIDE_TARGET
static inline bool vector_may_be_wide(void)
{
    return false;
}
#endif

/* max(a, b) and min(a, b) of numbers; b is not taken if it is NaN.  fmax() is a call of a function.
 */
static inline double larger_of(double a, double b)
{
    return b > a ? b : a;
}

static inline double smaller_of(double a, double b)
{
    return b < a ? b : a;
}

/* Sum of u_i v_i.  Four partial sums, as below. */
static inline double vector_dot(const double *u, const double *v, int32_t n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += u[i] * v[i];
        s1 += u[i + 1] * v[i + 1];
        s2 += u[i + 2] * v[i + 2];
        s3 += u[i + 3] * v[i + 3];
    }
    for (; i < n; i++)
        s0 += u[i] * v[i];
    return (s0 + s1) + (s2 + s3);
}

/* Sum of (v_i w_i)^2.  Four partial sums: without them each addition would wait
 * for the one before, four cycles each.                                         */
static inline double vector_weighted_square(const double *v, const double *w, int32_t n)
{
    double sum = 0.0;
    int32_t i = 0;
    if (n >= 4) {
        double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
        for (; i + 4 <= n; i += 4) {
            double a = v[i] * w[i], b = v[i + 1] * w[i + 1];
            double c = v[i + 2] * w[i + 2], d = v[i + 3] * w[i + 3];
            s0 += a * a;
            s1 += b * b;
            s2 += c * c;
            s3 += d * d;
        }
        sum = (s0 + s1) + (s2 + s3);
    }
    for (; i < n; i++) {
        double a = v[i] * w[i];
        sum += a * a;
    }
    return sum;
}

/* Weighted root mean square: sqrt(sum (v_i w_i)^2 / n), w = 1 / weight; n > 0.
 * Not finite if any product is; overflows to Inf beyond 1e154, which every error
 * test takes for what it is: far too large.                                     */
static inline double vector_wrms(const double *v, const double *inverse_weight, int32_t n)
{
    return sqrt(vector_weighted_square(v, inverse_weight, n) / n);
}

/* max |v_i|, 0 if n is 0; a NaN entry is not seen (see vector_all_finite). */
static inline double vector_max_abs(const double *v, int32_t n)
{
    double m0 = 0.0, m1 = 0.0;
    int32_t i = 0;
    for (; i + 2 <= n; i += 2) {
        double a = fabs(v[i]), b = fabs(v[i + 1]);
        m0 = a > m0 ? a : m0;
        m1 = b > m1 ? b : m1;
    }
    if (i < n) {
        double a = fabs(v[i]);
        m0 = a > m0 ? a : m0;
    }
    return m0 > m1 ? m0 : m1;
}

/* How many v_i are not zero.  Counted in numbers, so that no branch depends on them. */
static inline int32_t vector_count_nonzero(const double *v, int32_t n)
{
    double s0 = 0.0, s1 = 0.0;
    int32_t i = 0;
    for (; i + 2 <= n; i += 2) {
        s0 += v[i] != 0.0 ? 1.0 : 0.0;
        s1 += v[i + 1] != 0.0 ? 1.0 : 0.0;
    }
    if (i < n)
        s0 += v[i] != 0.0 ? 1.0 : 0.0;
    return (int32_t)(s0 + s1);
}

/* No NaN and no Inf in v.  0 * v_i is NaN for both and 0 otherwise, so the sums
 * need no branch; needs IEEE arithmetic, hence never -ffast-math.               */
static inline bool vector_all_finite(const double *v, int32_t n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += 0.0 * v[i];
        s1 += 0.0 * v[i + 1];
        s2 += 0.0 * v[i + 2];
        s3 += 0.0 * v[i + 3];
    }
    if (i + 2 <= n) {
        s0 += 0.0 * v[i];
        s1 += 0.0 * v[i + 1];
        i += 2;
    }
    if (i < n)
        s2 += 0.0 * v[i];
    return (s0 + s1) + (s2 + s3) == 0.0;
}

/* The smallest i with v_i NaN or Inf, or -1. */
static inline int32_t vector_first_not_finite(const double *v, int32_t n)
{
    if (vector_all_finite(v, n))
        return -1;
    int32_t i = 0;
    while (isfinite(v[i]))
        i++;
    return i;
}

/* The entry with the largest |v_i w_i|, or -1 if n is 0. */
static inline int32_t vector_largest_weighted(const double *v, const double *w, int32_t n)
{
    int32_t at = -1;
    double largest = -1.0;
    for (int32_t i = 0; i < n; i++) {
        double size = fabs(v[i] * w[i]);
        if (size > largest) {
            largest = size;
            at = i;
        }
    }
    return at;
}

/* The largest |yp_i| / (rtol_i |y_i| + atol_i), and in *at where it is; -1 if n is 0.  An entry
 * that is not a number is not seen.                                                  */
static inline double vector_largest_rate(const double *y, const double *yp, const double *rtol,
                                         const double *atol, int32_t n, int32_t *at)
{
    double largest = -1.0;
    *at = -1;
    for (int32_t i = 0; i < n; i++) {
        double size = rtol[i] * fabs(y[i]) + atol[i];
        if (fabs(yp[i]) > largest * size) {
            largest = fabs(yp[i]) / size;
            *at = i;
        }
    }
    return largest;
}

/* The middle one of n > 0 values, which are reordered (Hoare's quickselect). */
static inline double vector_median(double *v, int32_t n)
{
    int32_t low = 0, high = n - 1, middle = n / 2;
    while (low < high) {
        double pivot = v[low + (high - low) / 2];
        int32_t i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j) {
                double swap = v[i];
                v[i++] = v[j];
                v[j--] = swap;
            }
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            break;
    }
    return v[middle];
}

/* ---- vectors that are spread over ranks ------------------------------------- */

/* Where the entries of a vector are. */
typedef struct vector_space {
    int32_t n;                       /* entries here                                   */
    const daedal_parallel *parallel; /* or NULL: these are all                         */
} vector_space;

/* Values of this rank become those of all; NaN where the ranks could not be reached. */
static inline void space_reduce(const vector_space *s, double *values, int32_t count,
                                daedal_reduce_op how)
{
    const daedal_parallel *all = s->parallel;
    if (all && all->reduce(values, count, how, all->user) != 0)
        for (int32_t i = 0; i < count; i++)
            values[i] = NAN;
}

/* A number of this rank becomes that of all. */
static inline double space_sum(const vector_space *s, double x)
{
    if (s->parallel)
        space_reduce(s, &x, 1, DAEDAL_REDUCE_SUM);
    return x;
}

static inline double space_max(const vector_space *s, double x)
{
    if (s->parallel)
        space_reduce(s, &x, 1, DAEDAL_REDUCE_MAX);
    return x;
}

static inline double space_min(const vector_space *s, double x)
{
    if (s->parallel)
        space_reduce(s, &x, 1, DAEDAL_REDUCE_MIN);
    return x;
}

/* Whether it is so on some rank. */
static inline bool space_any(const vector_space *s, bool here)
{
    return s->parallel ? space_max(s, here ? 1.0 : 0.0) != 0.0 : here;
}

/* Entries on all ranks. */
static inline double space_size(const vector_space *s)
{
    return s->parallel ? (double)s->parallel->n_global : s->n;
}

/* The number of an entry of this rank among those of all. */
static inline int64_t space_number(const vector_space *s, int32_t i)
{
    return s->parallel && i >= 0 ? s->parallel->offset + i : i;
}

static inline double space_dot(const vector_space *s, const double *u, const double *v)
{
    return space_sum(s, vector_dot(u, v, s->n));
}

static inline double space_wrms(const vector_space *s, const double *v,
                                const double *inverse_weight)
{
    double sum = vector_weighted_square(v, inverse_weight, s->n);
    return s->parallel ? sqrt(space_sum(s, sum) / space_size(s)) : sqrt(sum / s->n);
}

/* The same norm of `count` vectors that stand `stride` apart, taken as one. */
static inline double space_wrms_of(const vector_space *s, int32_t count, const double *v,
                                   int32_t stride, const double *inverse_weight)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++)
        sum += vector_weighted_square(v + i * stride, inverse_weight, s->n);
    return sqrt(space_sum(s, sum) / (count * space_size(s)));
}

/* The same norm of those entries that `counts` says. */
static inline double space_wrms_where(const vector_space *s, const double *v,
                                      const double *inverse_weight, const bool *counts)
{
    double sum = 0.0;
    for (int32_t i = 0; i < s->n; i++) {
        double a = counts[i] ? v[i] * inverse_weight[i] : 0.0;
        sum += a * a;
    }
    return sqrt(space_sum(s, sum) / space_size(s));
}

/* The largest |v_i| w_i of the entries that `counts` says (NULL: all) and whose test_i > 0 (NULL:
 * all); 0 if there is none.                                                       */
static inline double space_largest_where(const vector_space *s, const double *v, const double *w,
                                         const bool *counts, const double *test)
{
    double largest = 0.0;
    for (int32_t i = 0; i < s->n; i++)
        if ((!counts || counts[i]) && (!test || test[i] > 0.0))
            largest = larger_of(largest, fabs(v[i]) * w[i]);
    return space_max(s, largest);
}

static inline double space_max_abs(const vector_space *s, const double *v)
{
    return space_max(s, vector_max_abs(v, s->n));
}

static inline bool space_all_finite(const vector_space *s, const double *v)
{
    return !space_any(s, !vector_all_finite(v, s->n));
}

/* As vector_largest_weighted; -1 where the largest one is on another rank. */
static inline int32_t space_largest_weighted(const vector_space *s, const double *v,
                                             const double *w)
{
    int32_t at = vector_largest_weighted(v, w, s->n);
    if (!s->parallel)
        return at;
    double here = at >= 0 ? fabs(v[at] * w[at]) : -1.0;
    return here == space_max(s, here) ? at : -1;
}

/* The largest of n numbers, at least 0. */
static inline int32_t space_highest(const vector_space *s, const int32_t *v)
{
    int32_t highest = 0;
    for (int32_t i = 0; i < s->n; i++)
        highest = v[i] > highest ? v[i] : highest;
    return (int32_t)space_max(s, highest);
}

static inline bool space_all(const vector_space *s, const bool *v)
{
    bool all = true;
    for (int32_t i = 0; i < s->n && all; i++)
        all = v[i];
    return !space_any(s, !all);
}

/* Whether some a_i > most b_i > 0. */
static inline bool space_any_grew(const vector_space *s, const double *a, double most,
                                  const double *b)
{
    bool grew = false;
    for (int32_t i = 0; i < s->n && !grew; i++)
        grew = b[i] > 0.0 && a[i] > most * b[i];
    return space_any(s, grew);
}
#endif
