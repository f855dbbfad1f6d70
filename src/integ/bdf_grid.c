/* integ/bdf_grid.c - see bdf_grid.h. */
#include "integ/bdf_grid.h"

#include <math.h>

/* [BCP96] (5.2.4):
 *   psi_i(n+1) = t_{n+1} - t_{n+1-i},  alpha_i = h / psi_i(n+1)
 *   beta_1 = 1,  beta_i  = prod_{j<i} psi_j(n+1) / psi_j(n)
 *   gamma_1 = 0, gamma_i = gamma_{i-1} + alpha_{i-1} / h
 *   sigma_1 = 1, sigma_i = (i-1) sigma_{i-1} alpha_i
 * Fixed leading coefficient: h c = sum_{j<=k} 1/j; variable: h c = sum_{j<=k} alpha_j,
 * which makes y' the derivative of the polynomial through y_{n+1} .. y_{n+1-k}.
 * psi is accumulated from steps: differences of times would lose digits when h is
 * small against t.  Property tests: tests/property/test_bdf_grid.c (C121-C123); C120 is
 * tests/conformance/c120_dassl_kernel.c. */
void bdf_grid_set(bdf_grid *g, const double *psi_before, double h, int32_t k, bool fixed_leading)
{
    int32_t count = k + 3;
    g->psi[0] = h;
    for (int32_t i = 1; i < BDF_DIFFERENCES; i++)
        g->psi[i] = h + psi_before[i - 1];
    g->alpha[0] = 1.0;
    g->beta[0] = 1.0;
    g->gamma[0] = 0.0;
    g->sigma[0] = 1.0;
    for (int32_t i = 1; i < count; i++) {
        double before = psi_before[i - 1];
        g->alpha[i] = h / g->psi[i];
        g->beta[i] = before != 0.0 ? g->beta[i - 1] * (g->psi[i - 1] / before) : 0.0;
        g->gamma[i] = g->gamma[i - 1] + g->alpha[i - 1] / h;
        g->sigma[i] = i * g->sigma[i - 1] * g->alpha[i];
    }
    g->leading = 0.0;
    for (int32_t i = 0; i < k; i++)
        g->leading += fixed_leading ? 1.0 / (i + 1) : g->alpha[i];
    g->c = g->leading / h;
}

double bdf_grid_error_constant(const bdf_grid *g, int32_t k)
{
    double sum = 0.0; /* -alpha_0 */
    for (int32_t i = 0; i < k; i++)
        sum += g->alpha[i];
    double true_error = fabs(g->alpha[k] - g->leading + sum); /* alpha_s = -leading */
    return fmax(true_error, g->alpha[k]);
}
