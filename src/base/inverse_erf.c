/* base/inverse_erf.c - see inverse_erf.h. */
#include "base/inverse_erf.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* Winitzki's first guess from log(1 - p^2), with a relative error of 2e-3. */
static double first_guess(double p, double q)
{
    const double a = 0.147; /* Winitzki's constant */
    double l = log(q * (1.0 + p)), t = 2.0 / (PI * a) + 0.5 * l;
    return sqrt(fmax(0.0, sqrt(t * t - l / a) - t));
}

/* Halley's iteration triples the digits; erfc keeps them where p is near 1. */
double inverse_erf(double p, double q)
{
    enum { STEPS = 6 };
    const double converged = 1e-16; /* relative change below the unit roundoff */
    double x = first_guess(p, q);
    for (int i = 0; i < STEPS; i++) {
        double error = p < 0.5 ? erf(x) - p : q - erfc(x);
        double newton = 0.5 * sqrt(PI) * error * exp(x * x);
        double change = newton / (1.0 + x * newton);
        x -= change;
        if (fabs(change) <= converged * fabs(x))
            break;
    }
    return x;
}
