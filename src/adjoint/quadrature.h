/* adjoint/quadrature.h - the formula of Kronrod with five points, and Gauss's with two of them.
 *
 * Responsibility: integrals over [-1, 1] of degree 7, with an estimate of their error.
 * Depends on: libc.                                                              */
#ifndef DAEDAL_ADJOINT_QUADRATURE_H
#define DAEDAL_ADJOINT_QUADRATURE_H

#include <stdint.h>

enum { KRONROD_POINTS = 5 };

static const double KRONROD_AT[KRONROD_POINTS] = {-0.9258200997725514, -0.5773502691896257, 0.0,
                                                  0.5773502691896257, 0.9258200997725514};
static const double KRONROD_WEIGHT[KRONROD_POINTS] = {98.0 / 495.0, 27.0 / 55.0, 28.0 / 45.0,
                                                      27.0 / 55.0, 98.0 / 495.0};

/* The weight of point k in the difference of both formulas. */
static inline double kronrod_difference(int32_t k)
{
    return KRONROD_WEIGHT[k] - (k % 2 ? 1.0 : 0.0);
}
#endif
