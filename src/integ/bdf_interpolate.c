/* integ/bdf_interpolate.c - y and y' between two mesh points, continuously.
 *
 * The polynomial q of degree k through y_{n+1} .. y_{n+1-k} ([BCP96] (5.2.9)) is
 * continuous but its derivative jumps at mesh points.  Adding
 *     a h s (1-s)^2 + b h s^2 (s-1),   s = (t - t_n)/h,
 * with a = y'_n - q'(t_n), b = y'_{n+1} - q'(t_{n+1}) makes y' continuous and equal to
 * the y' for which F = 0 was solved; a, b = O(h^k) keep the order.  Property test:
 * tests/property/test_bdf_interpolant.c.                                        */
#include "integ/bdf.h"
#include "integ/interpolant.h"

/* Values and slopes of the basis of q at t: y = sum value_i phi_i, y' = sum slope_i phi_i. */
static void basis(const bdf *b, double t, double *value, double *slope)
{
    double tau = t - b->t, c = 1.0, d = 0.0, ratio = tau / b->history.psi[0];
    value[0] = 1.0;
    slope[0] = 0.0;
    for (int32_t i = 1; i <= b->k_last; i++) {
        d = d * ratio + c / b->history.psi[i - 1];
        c *= ratio;
        ratio = (tau + b->history.psi[i - 1]) / b->history.psi[i];
        value[i] = c;
        slope[i] = d;
    }
}

/* The sum is formed in stretches that stay in the cache while the differences are added. */
static void combine(const bdf *b, const double *factor, double *out)
{
    enum { STRETCH = 512 };
    for (int32_t first = 0; first < b->n; first += STRETCH) {
        int32_t end = b->n - first > STRETCH ? first + STRETCH : b->n;
        for (int32_t j = first; j < end; j++)
            out[j] = factor[0] * b->history.phi[0][j];
        for (int32_t i = 1; i <= b->k_last; i++)
            for (int32_t j = first; j < end; j++)
                out[j] += factor[i] * b->history.phi[i][j];
    }
}

/* a and b of the head comment, once per step. */
static void find_slopes(bdf *b)
{
    double value[BDF_DIFFERENCES], slope[BDF_DIFFERENCES];
    basis(b, b->t_before, value, slope);
    combine(b, slope, b->dense.slope_start);
    basis(b, b->t, value, slope);
    combine(b, slope, b->dense.slope_end);
    for (int32_t j = 0; j < b->n; j++) {
        b->dense.slope_start[j] = b->yp_before[j] - b->dense.slope_start[j];
        b->dense.slope_end[j] = b->yp[j] - b->dense.slope_end[j];
    }
    b->dense.slopes_known = true;
}

void bdf_interpolate(void *self, double t, double *y, double *yp)
{
    bdf *b = self;
    if (t == b->t || b->h_last == 0.0) {
        interpolant_copy(b->n, b->y, b->yp, y, yp);
        return;
    }
    if (!b->dense.slopes_known)
        find_slopes(b);
    double value[BDF_DIFFERENCES], slope[BDF_DIFFERENCES];
    basis(b, t, value, slope);
    interpolant_bumps bump = interpolant_bumps_at(1.0 + (t - b->t) / b->h_last, b->h_last);
    if (y) {
        combine(b, value, y);
        for (int32_t j = 0; j < b->n; j++)
            y[j] += bump.start * b->dense.slope_start[j] + bump.end * b->dense.slope_end[j];
    }
    if (yp) {
        combine(b, slope, yp);
        for (int32_t j = 0; j < b->n; j++)
            yp[j] +=
                bump.start_slope * b->dense.slope_start[j] + bump.end_slope * b->dense.slope_end[j];
    }
}
