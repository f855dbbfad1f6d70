/* linalg/dense_kernel.h - elimination and substitution for small matrices, real or complex.
 *
 * Responsibility: P A = L U with partial pivoting, A by columns, and the solution with it.  Whether
 * entries are real or complex is a constant where these functions are called, and so is n up to
 * UNROLLED_MAX: the compiler unrolls all of it, which was measured twice as fast as the same loops
 * with n variable.
 *
 * Rows are exchanged without asking whether they differ, and the pivot search has
 * no branch: at these sizes a mispredicted jump costs as much as a whole column.
 * Reciprocals of the pivots are kept, so that solving divides nothing.
 *
 * Singular means: the pivot is not finite or so small that its reciprocal is not
 * safe.  No test relative to the column: iteration matrices mix rows of size 1/h
 * with rows of size 1, and a pivot 1e-18 of its column may be a perfect one.
 * A NaN anywhere reaches the last pivot at the latest, so it is never missed.
 * Depends on: libm.                                                             */
#ifndef DAEDAL_LINALG_DENSE_KERNEL_H
#define DAEDAL_LINALG_DENSE_KERNEL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { UNROLLED_MAX = 8 };
#define UNROLLED_CASES(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")
#else
#define INLINE static inline
#define UNROLL
#endif

/* How a matrix is stored: entries of `parts` 1 or 2, the imaginary parts of a column `ld` behind
 * its real ones.  Right-hand sides are stored like a column.                     */
typedef struct kernel_shape {
    int32_t parts, ld;
} kernel_shape;

INLINE double *kernel_column(double *a, kernel_shape s, int32_t j)
{
    return a + j * s.parts * s.ld;
}

/* Its reciprocal and products with that stay finite; of a complex one its square too. */
INLINE bool kernel_is_pivot(double size, int32_t parts)
{
    double least = parts == 1 ? 1e-300 : 1e-150, most = parts == 1 ? 1e300 : 1e150;
    return size >= least && size <= most;
}

/* |re| + |im| serves as well as the absolute value. */
INLINE double kernel_size(const double *column, kernel_shape s, int32_t i)
{
    return s.parts == 1 ? fabs(column[i]) : fabs(column[i]) + fabs(column[s.ld + i]);
}

/* Row of the largest entry of a column, first <= i < n; no branch on the data. */
INLINE int32_t kernel_find_pivot(const double *column, kernel_shape s, int32_t first, int32_t n,
                                 double *size)
{
    int32_t at = first;
    double largest = kernel_size(column, s, first);
    UNROLL for (int32_t i = first + 1; i < n; i++)
    {
        double a = kernel_size(column, s, i);
        at = a > largest ? i : at;
        largest = a > largest ? a : largest;
    }
    *size = largest;
    return at;
}

INLINE void kernel_exchange(double *column, int32_t i, int32_t j)
{
    double t = column[i];
    column[i] = column[j];
    column[j] = t;
}

/* inverse = 1 / column[k] */
INLINE void kernel_invert(const double *column, kernel_shape s, int32_t k, double *inverse)
{
    if (s.parts == 1) {
        inverse[0] = 1.0 / column[k];
        return;
    }
    double re = column[k], im = column[s.ld + k], scale = 1.0 / (re * re + im * im);
    inverse[0] = re * scale;
    inverse[1] = -im * scale;
}

typedef struct kernel_number {
    double re, im;
} kernel_number;

/* Separate pointers to all four arrays: else the compiler must assume that a store to one changes
 * another, and works row by row.                                                 */
INLINE void kernel_subtract_complex(double *restrict re, double *restrict im,
                                    const double *restrict c_re, const double *restrict c_im,
                                    kernel_number by, int32_t rows)
{
    UNROLL for (int32_t i = 0; i < rows; i++)
    {
        re[i] -= c_re[i] * by.re - c_im[i] * by.im;
        im[i] -= c_re[i] * by.im + c_im[i] * by.re;
    }
}

INLINE void kernel_subtract_real(double *restrict x, const double *restrict column, double by,
                                 int32_t rows)
{
    UNROLL for (int32_t i = 0; i < rows; i++) x[i] -= column[i] * by;
}

/* x_i -= column_i x_k, first <= i < last. */
INLINE void kernel_subtract(double *x, const double *column, kernel_shape s, int32_t k,
                            int32_t first, int32_t last)
{
    int32_t rows = last - first;
    double *re = x + first, *im = re + s.ld;
    const double *c_re = column + first, *c_im = c_re + s.ld;
    if (s.parts == 1)
        kernel_subtract_real(re, c_re, x[k], rows);
    else
        kernel_subtract_complex(re, im, c_re, c_im, (kernel_number){x[k], x[s.ld + k]}, rows);
}

INLINE void kernel_scale_complex(double *restrict re, double *restrict im, kernel_number by,
                                 int32_t rows)
{
    UNROLL for (int32_t i = 0; i < rows; i++)
    {
        double a = re[i], b = im[i];
        re[i] = a * by.re - b * by.im;
        im[i] = a * by.im + b * by.re;
    }
}

/* x_i *= factor, first <= i < last. */
INLINE void kernel_scale(double *x, kernel_shape s, const double *factor, int32_t first,
                         int32_t last)
{
    if (s.parts == 2) {
        kernel_number by = {factor[0], factor[1]};
        kernel_scale_complex(x + first, x + s.ld + first, by, last - first);
        return;
    }
    double by = factor[0];
    UNROLL for (int32_t i = first; i < last; i++) x[i] *= by;
}

/* Right-looking elimination of the leading n x n square; row k was exchanged with row swap[k].
 * Returns n, or the column without pivot.                                        */
INLINE int32_t kernel_eliminate(double *a, kernel_shape s, int32_t n, int32_t *swap,
                                double *inverse)
{
    UNROLL for (int32_t k = 0; k < n; k++)
    {
        double *l = kernel_column(a, s, k), *r = inverse + s.parts * k, size;
        int32_t p = kernel_find_pivot(l, s, k, n, &size);
        if (!kernel_is_pivot(size, s.parts))
            return k;
        swap[k] = p;
        UNROLL for (int32_t j = 0; j < n; j++)
        {
            kernel_exchange(kernel_column(a, s, j), k, p);
            if (s.parts == 2)
                kernel_exchange(kernel_column(a, s, j) + s.ld, k, p);
        }
        kernel_invert(l, s, k, r);
        kernel_scale(l, s, r, k + 1, n);
        UNROLL for (int32_t j = k + 1; j < n; j++)
            kernel_subtract(kernel_column(a, s, j), l, s, k, k + 1, n);
    }
    return n;
}

/* x = (L U)^-1 x, U on and above the diagonal of lu, L (unit) below; inverse: 1 / U(k,k). */
INLINE void kernel_substitute(double *lu, kernel_shape s, int32_t n, const double *inverse,
                              double *x)
{
    UNROLL for (int32_t k = 0; k < n; k++)
        kernel_subtract(x, kernel_column(lu, s, k), s, k, k + 1, n);
    UNROLL for (int32_t k = n - 1; k >= 0; k--)
    {
        kernel_scale(x, s, inverse + s.parts * k, k, k + 1);
        kernel_subtract(x, kernel_column(lu, s, k), s, k, 0, k);
    }
}
#endif
