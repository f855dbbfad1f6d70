/* integ/interpolant.h - what interpolation inside the last step has in common.
 *
 * Responsibility: values at an end of the step, and the cubics by which a polynomial meets given
 * slopes at both ends.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_INTEG_INTERPOLANT_H
#define DAEDAL_INTEG_INTERPOLANT_H

#include <stdint.h>
#include <string.h>

/* Copy y and y', each of them if it is asked for. */
static inline void interpolant_copy(int32_t n, const double *y, const double *yp, double *to_y,
                                    double *to_yp)
{
    if (to_y)
        memcpy(to_y, y, (size_t)n * sizeof *y);
    if (to_yp)
        memcpy(to_yp, yp, (size_t)n * sizeof *yp);
}

/* Cubics of t = t_n + x h that vanish at both ends: `start` has the slope 1 at the left and 0 at
 * the right end, `end` the other way round.                                      */
typedef struct interpolant_bumps {
    double start, end;             /* values at x          */
    double start_slope, end_slope; /* derivatives by t     */
} interpolant_bumps;

static inline interpolant_bumps interpolant_bumps_at(double x, double h)
{
    return (interpolant_bumps){.start = h * x * (1.0 - x) * (1.0 - x),
                               .end = h * x * x * (x - 1.0),
                               .start_slope = (1.0 - x) * (1.0 - 3.0 * x),
                               .end_slope = x * (3.0 * x - 2.0)};
}
#endif
