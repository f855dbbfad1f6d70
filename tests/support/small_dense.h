/* support/small_dense.h - dense linear algebra and Newton's method for a few dozen unknowns.
 *
 * Responsibility: what reference implementations of textbook methods need and the library has
 * no reason to offer: matrices by rows, factored in place; a full Newton iteration with a new
 * difference Jacobian each time, until roundoff stops it.
 * Depends on: libm.                                                             */
#ifndef DAEDAL_SUPPORT_SMALL_DENSE_H
#define DAEDAL_SUPPORT_SMALL_DENSE_H

#include <stdbool.h>
#include <stdint.h>

enum { SMALL_MAX = 64 }; /* unknowns */

/* LU with row scaled partial pivoting, in place; false if a pivot is lost in roundoff. */
bool small_factor(int32_t n, double *a, int32_t *pivot);
void small_backsolve(int32_t n, const double *lu, const int32_t *pivot, double *b);

/* b becomes the solution of a x = b; a is kept. */
bool small_solve(int32_t n, const double *a, double *b);
bool small_invert(int32_t n, const double *a, double *inverse);

void small_multiply(int32_t n, const double *a, const double *b, double *product);
void small_apply(int32_t n, const double *a, const double *x, double *y);

/* r(x) = 0 of n equations. */
typedef void small_equations(const double *x, double *r, void *user);

/* The root next to x; size[j] > 0 is how large x_j is considered to be, for the increments of
 * the differences and the test of convergence.  False if the iteration does not settle. */
bool small_newton(int32_t n, small_equations *f, void *user, const double *size, double *x);
#endif
