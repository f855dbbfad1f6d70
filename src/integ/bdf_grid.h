/* integ/bdf_grid.h - the coefficients of one BDF step on a variable grid.
 *
 * Responsibility: psi, alpha, beta, gamma, sigma of [BCP96] section 5.2.1 and the
 * leading coefficient, from the step sizes alone.  No vectors.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_INTEG_BDF_GRID_H
#define DAEDAL_INTEG_BDF_GRID_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BDF_ORDER_MAX = 6,
    BDF_DIFFERENCES = BDF_ORDER_MAX + 3 /* phi_1 .. phi_{k+3} */
};

/* Arrays are 0-based: psi[i-1] holds psi_i. */
typedef struct bdf_grid {
    double psi[BDF_DIFFERENCES];   /* t_{n+1} - t_{n+1-i}                         */
    double alpha[BDF_DIFFERENCES]; /* h / psi_i                                   */
    double beta[BDF_DIFFERENCES];  /* old differences -> new ones                 */
    double gamma[BDF_DIFFERENCES]; /* d/dt of the predictor's basis               */
    double sigma[BDF_DIFFERENCES]; /* h^i (i-1)! / (psi_1 ... psi_i)              */
    double leading;                /* h c, c the coefficient of y' = y0' + c (y - y0) */
    double c;
} bdf_grid;

/* The step h at order k after a grid whose differences stand in psi_before.
 * fixed_leading selects
 * DASSL's leading coefficient, otherwise the variable one.                      */
void bdf_grid_set(bdf_grid *g, const double *psi_before, double h, int32_t k, bool fixed_leading);

/* |error constant| of the step in units of h y': max(alpha_{k+1}, |alpha_{k+1} +
 * alpha_s - alpha_0|), the M behind [BCP96] (5.2.21)                                         */
double bdf_grid_error_constant(const bdf_grid *g, int32_t k);
#endif
