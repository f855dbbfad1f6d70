/* linalg/fixed_point.h - x = g(x) by Anderson acceleration [And65].
 *
 * Responsibility: the next iterate from the last ones.  Where g is linear it is the solution after
 * as many iterations as the iterates have dimensions, whether x := g(x) would converge or not.
 * Depends on: base/, linalg/least_squares.h.                                    */
#ifndef DAEDAL_LINALG_FIXED_POINT_H
#define DAEDAL_LINALG_FIXED_POINT_H

#include "linalg/least_squares.h"

typedef struct fixed_point {
    int32_t n, depth, count; /* unknowns, differences kept at most, iterates seen             */
    double *g, *f;           /* n: g(x) and g(x) - x of the last iterate                      */
    double *dg, *df;         /* n x depth: their last differences, by columns                 */
    double *a, *b;           /* work */
    least_squares ls;
    block mem;
} fixed_point;

bool fixed_point_create(fixed_point *p, int32_t n, const daedal_allocator *a);
void fixed_point_free(fixed_point *p);
/* Forget all iterates. */
void fixed_point_begin(fixed_point *p);
/* Find the next x from x and g = g(x); it goes to `next`, which may be g. */
void fixed_point_next(fixed_point *p, const double *x, const double *g, double *next);
#endif
