/* integ/chebyshev_panel.h - whether a sampled function may have zeros between its samples.
 *
 * Responsibility: the polynomial through the values of one function at Chebyshev points of a
 * stretch of time, how far it can be trusted, and whether the function may be zero between two
 * neighbouring points though its signs there do not tell.
 *
 * Places are counted from 0, the left end of the stretch, to 1.
 * Depends on: libm.                                                              */
#ifndef DAEDAL_INTEG_CHEBYSHEV_PANEL_H
#define DAEDAL_INTEG_CHEBYSHEV_PANEL_H

#include <stdbool.h>
#include <stdint.h>

/* Degrees.  The points of the coarse one are every other one of the fine one. */
enum { CHEBYSHEV_COARSE = 4, CHEBYSHEV_FINE = 8 };

typedef struct chebyshev_panel {
    int32_t degree;
    double value[CHEBYSHEV_FINE + 1];       /* at the points, in order of time              */
    double coefficient[CHEBYSHEV_FINE + 1]; /* of Chebyshev polynomials                     */
    double doubt;                           /* by how much the polynomial may be off        */
} chebyshev_panel;

typedef enum chebyshev_verdict {
    CHEBYSHEV_CLEAR, /* no zero between the points                                     */
    CHEBYSHEV_DIP,   /* the function has another sign somewhere between                */
    CHEBYSHEV_OPEN   /* more points are needed                                         */
} chebyshev_verdict;

/* The place of point k of a degree. */
double chebyshev_place(int32_t degree, int32_t k);

/* Fit the panel to values that are `stride` apart in memory. */
void chebyshev_fit(chebyshev_panel *p, int32_t degree, const double *values, int32_t stride);

/* Whether the function has one sign on the whole interval. */
bool chebyshev_keeps_sign(const chebyshev_panel *p);

/* Whether a panel of twice the width would be resolved by the coarse points as well.  The last
 * coefficients of a smooth function grow at least four times as fast as the largest; a periodic one
 * may look smooth where the points of a wide panel happen to fit it.              */
bool chebyshev_may_widen(const chebyshev_panel *p);

/* What the function does between points k and k + 1. `sign` is that of its value at point k, or 0
 * where the value counts as zero. *at is the place of the dip, or where there may be one, or -1. */
chebyshev_verdict chebyshev_between(const chebyshev_panel *p, int32_t k, int32_t sign, double *at);
#endif
