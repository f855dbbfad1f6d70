/* recent_points.h - the last points at which a Python function was called, with what it returned.
 *
 * Responsibility: no call is repeated that the solver asks for again a little later, as it does
 * where values and differences share a point.  A point that is asked for twice in a row is called
 * twice: that is how the library finds out whether a function is noisy.
 * Depends on: the C library.                                                      */
#ifndef DAEDAL_RECENT_POINTS_H
#define DAEDAL_RECENT_POINTS_H

#include <stdbool.h>
#include <stdint.h>

enum { RECENT_POINTS = 16, RECENT_UNKNOWNS_MOST = 200 };

typedef struct recent_points {
    int32_t n;
    int32_t next, count;
    double t[RECENT_POINTS];
    double *values; /* y, y', r of each point: 3 n numbers; NULL: nothing is kept          */
} recent_points;

/* Systems of many unknowns keep nothing.  false: out of memory. */
bool recent_points_begin(recent_points *p, int32_t n);
void recent_points_end(recent_points *p);

/* The value at this point into r, if it is known; yp may be NULL. */
bool recent_points_find(const recent_points *p, double t, const double *y, const double *yp,
                        double *r);
void recent_points_add(recent_points *p, double t, const double *y, const double *yp,
                       const double *r);
#endif
