/* integ/radau_interpolate.c - y and y' inside the last step, continuously.
 *
 * The collocation polynomial u(t + x h) = y + sum l_j(x) Z_j meets both ends and the slope at
 * the right one, but its slope at the left one, with error O(h^s), is not that of the step
 * before.  Adding h (y' - u') B(x), radau_bend, makes y' continuous and keeps all stage
 * derivatives: the error of the sum is O(h^(s+2)), that of u O(h^(s+1)).  What projection
 * moved at the end is blended in by a cubic.  Property test: tests/property/test_radau_order.c. */
#include <math.h>
#include <string.h>

#include "integ/radau.h"
#include "integ/radau_mix.h"

/* y' at the left end, less the slope of the polynomial; nothing to correct where y' was never
 * more than a guess: algebraic variables at a start.                             */
void radau_find_gap(radau *r)
{
    const radau_table *tab = radau_table_of(r->which_last);
    if (r->gap_known)
        return;
    radau_combine(tab->stages, tab->slope_at_start, r->z[1 - r->now], r->slope_gap, r->stride);
    for (int32_t j = 0; j < r->n; j++) {
        bool known = r->steps_done > 1 || r->in.is_differential[j];
        r->slope_gap[j] = known ? r->yp_before[j] - r->slope_gap[j] / r->h_last : 0.0;
    }
    r->gap_known = true;
}

void radau_interpolate(void *self, double t, double *y, double *yp)
{
    radau *r = self;
    size_t bytes = (size_t)r->n * sizeof(double);
    if (t == r->t || r->h_last == 0.0) {
        if (y)
            memcpy(y, r->y, bytes);
        if (yp)
            memcpy(yp, r->yp, bytes);
        return;
    }
    radau_find_gap(r);
    const radau_table *tab = radau_table_of(r->which_last);
    double value[RADAU_STAGES_MAX], slope[RADAU_STAGES_MAX], bend_slope;
    double h = r->h_last, x = 1.0 + (t - r->t) / h;
    radau_basis(tab, x, value, slope);
    double bend = h * radau_bend(tab, x, &bend_slope);
    double blend = x * x * (3.0 - 2.0 * x), blend_slope = 6.0 * x * (1.0 - x) / h;
    if (y) {
        radau_combine(tab->stages, value, r->z[1 - r->now], r->point, r->stride);
        for (int32_t j = 0; j < r->n; j++)
            y[j] = r->y_before[j] + r->point[j] + bend * r->slope_gap[j] + blend * r->shift[j];
    }
    if (yp) {
        radau_combine(tab->stages, slope, r->z[1 - r->now], r->point, r->stride);
        for (int32_t j = 0; j < r->n; j++)
            yp[j] = r->point[j] / h + bend_slope * r->slope_gap[j] + blend_slope * r->shift[j];
    }
}
