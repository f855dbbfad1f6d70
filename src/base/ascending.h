/* base/ascending.h - places in a list of numbers that ascend.
 *
 * Responsibility: the bisection behind intervals of tables and meshes, rows of results and
 * breakpoints.  Numbers may repeat.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_BASE_ASCENDING_H
#define DAEDAL_BASE_ASCENDING_H

#include <stdbool.h>
#include <stddef.h>

/* How many of the n numbers lie below t.  It is the place of the first that does not. */
static inline size_t ascending_below(const double *x, size_t n, double t)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (x[middle] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many of the n numbers lie below t or at it.  It is the place of the first above t. */
static inline size_t ascending_up_to(const double *x, size_t n, double t)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (x[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The interval [x_i, x_i+1), 0 <= i < n, that contains t, among n intervals between n + 1
 * numbers.  What lies outside of all of them belongs to the first or to the last one.        */
static inline size_t ascending_interval(const double *x, size_t n, double t)
{
    return n > 1 ? ascending_up_to(x + 1, n - 1, t) : 0;
}

#endif
