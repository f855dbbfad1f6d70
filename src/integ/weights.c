/* integ/weights.c - see weights.h. */
#include "integ/weights.h"

#include <float.h>
#include <math.h>

/* A BDF run makes about rtol^(-1/(k+1)) steps whose errors add up, so the error per
 * step has to be tighter than what is asked for at the end; the exponent was fitted
 * (docs/theory/bdf.md).  Below rtol = 1e-11 roundoff leaves no room.            */
double weights_factor(double rtol)
{
    if (!(rtol > 0.0))
        return weights_factor(1e-6);
    return fmax(0.5 * pow(rtol, 0.1), fmin(1.0, 1e-11 / rtol));
}

void weights_begin(weights *w, const double *y0)
{
    double largest = 0.0;
    for (int32_t i = 0; i < w->n; i++)
        largest = fmax(largest, fabs(y0[i]));
    double roundoff = 100.0 * DBL_EPSILON * largest;
    for (int32_t i = 0; i < w->n; i++) {
        double f = w->calibrated ? weights_factor(w->rtol[i]) : 1.0;
        w->relative[i] = f * w->rtol[i];
        /* tightening must not push atol below the roundoff of the largest variable */
        w->absolute[i] = fmax(f * w->atol[i], fmin(w->atol[i], roundoff));
    }
}

void weights_inverse(const weights *w, const double *y, double *inverse)
{
    const double least = 1e-280; /* atol = 0 and y = 0: finite, and fails the error test */
    for (int32_t i = 0; i < w->n; i++) {
        double weight = w->relative[i] * fabs(y[i]) + w->absolute[i];
        inverse[i] = 1.0 / (weight > least ? weight : least);
    }
}
