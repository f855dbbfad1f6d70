/* linear/standstill.h - how far a linearised system is from standing still.
 *
 * Depends on: linalg/least_squares.h.                                               */
#ifndef DAEDAL_LINEAR_STANDSTILL_H
#define DAEDAL_LINEAR_STANDSTILL_H

#include "base/memory.h"

/* E and A by columns; slopes: y', NAN counts as zero; size: positive, of each variable. */
typedef struct standstill_point {
    int32_t n;
    const double *e, *a, *slopes, *size;
} standstill_point;

/* The largest change of a variable, in units of its size, to a point where y' = 0, and which one;
 * INFINITY: there is none, and the variable has the largest slope.  false: out of memory.  */
bool standstill_distance(const standstill_point *p, double *distance, int32_t *variable,
                         const daedal_allocator *a);
#endif
