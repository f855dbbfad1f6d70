/* integ/weights.c - see weights.h. */
#include "integ/weights.h"

#include <float.h>
#include <math.h>

#include "linalg/vector.h"

/* The errors of many steps add up, and a problem may amplify them, so that the error per step has
 * to be smaller than the tolerance at the end.  The factor was measured on the reference problems
 * (docs/decisions/004-tolerance-law.md).  Near roundoff, below 2e-12, it rises to one. */
double weights_factor(double rtol)
{
    const double share = 0.025, finest = 2e-12;
    return rtol > 0.0 ? fmax(share, fmin(1.0, finest / rtol)) : share;
}

void weights_begin(weights *w, const double *y0)
{
    w->allows_noise = false;
    double roundoff = 100.0 * DBL_EPSILON * space_max_abs(&(vector_space){w->n, w->parallel}, y0);
    for (int32_t i = 0; i < w->n; i++) {
        w->factor[i] = w->calibrated ? weights_factor(w->rtol[i]) : 1.0;
        w->noise[i] = roundoff; /* until a method knows better */
    }
}

/* The reciprocal of a weight.  For atol = 0 and y = 0 it is a finite number so large that the
 * error test fails. */
static double reciprocal(double weight)
{
    const double least = 1e-280;
    return 1.0 / (weight > least ? weight : least);
}

void weights_inverse(const weights *w, const double *y, double *inverse)
{
    /* Near a singular point the noise is unbounded, but a tolerance must not be raised without
     * bound. */
    const double of_largest = 1e-6, of_asked = 1e3;
    vector_space all = {w->n, w->parallel};
    double bound = w->allows_noise ? of_largest * space_max_abs(&all, y) : 0.0;
    for (int32_t i = 0; i < w->n; i++) {
        double asked = w->rtol[i] * fabs(y[i]) + w->atol[i];
        double most = w->allows_noise ? fmax(of_asked * asked, bound) : 0.5 * asked;
        double possible = most < w->noise[i] ? most : w->noise[i];
        double weight = w->factor[i] * asked;
        weight = weight > possible ? weight : possible;
        inverse[i] = reciprocal(weight);
    }
}

void weights_inverse_plain(const weights *w, const double *y, double *inverse)
{
    for (int32_t i = 0; i < w->n; i++)
        inverse[i] = reciprocal(w->rtol[i] * fabs(y[i]) + w->atol[i]);
}

void weights_spare_high_index(const weights *w, const int32_t *index, double h, double *inverse)
{
    double most = fmin(fabs(h), 1.0);
    for (int32_t i = 0; i < w->n; i++) {
        double share = 1.0;
        for (int32_t k = 1; k < index[i]; k++)
            share *= most;
        inverse[i] *= share;
    }
}
