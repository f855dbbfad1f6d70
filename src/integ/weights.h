/* integ/weights.h - what the user's tolerances mean for one step.
 *
 * Responsibility: w_i = f (rtol_i |y_i| + atol_i), with a factor f by which the error per
 * step is held below the tolerance, so that the error at the end meets it.
 * Depends on: base/, linalg/vector.h.                                           */
#ifndef DAEDAL_INTEG_WEIGHTS_H
#define DAEDAL_INTEG_WEIGHTS_H

#include "base/memory.h"
#include "linalg/vector.h"

typedef struct weights {
    int32_t n;
    const daedal_parallel *parallel; /* the other ranks of the unknowns, or NULL  */
    const double *rtol, *atol;       /* n each: the user's, per variable                */
    double *factor;                  /* n: f of each variable, 1 without calibration    */
    double *noise;                   /* n: roundoff in y_i; f does not tighten below it */
    bool calibrated;
    bool allows_noise; /* the weights are at least the noise, whatever was asked for    */
} weights;

/* The tolerance law: f = max(0.025, min(1, 2e-12 / rtol)). */
double weights_factor(double rtol);

/* Fix the law for a run that starts at y0. */
void weights_begin(weights *w, const double *y0);

/* inverse[i] = 1 / w_i at y. */
void weights_inverse(const weights *w, const double *y, double *inverse);

/* inverse[i] = 1 / (rtol_i |y_i| + atol_i), without the tolerance law. */
void weights_inverse_plain(const weights *w, const double *y, double *inverse);

/* Divide the weights for variables of index nu > 1.  Their error reaches the others multiplied by
 * h^(nu-1), and roundoff reaches them divided by it, so that it may be larger by this factor
 * ([HW96] VII.6). */
void weights_spare_high_index(const weights *w, const int32_t *index, double h, double *inverse);
#endif
