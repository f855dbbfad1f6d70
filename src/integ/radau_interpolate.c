/* integ/radau_interpolate.c - y and y' inside the last step, continuously.
 *
 * The collocation polynomial u(t + x h) = y + sum l_j(x) Z_j meets both ends.  Its error becomes
 * O(h^(s+2)) instead of O(h^(s+1)) by two corrections.  Both compare the known slope y'(t) at the
 * left end with that of u: where F contains y', y' and u' agree at the stages; the error of u is a
 * multiple of B(x), radau_bend, and h (y' - u') B(x) takes it away and makes y' continuous; where
 * it does not, u is exact at the stages, and its error is K D(x), radau_wave.  The slope at t is
 * known only from the step before, whose error has the same form: y' - u' = K (1 + s (h_prev /
 * h)^s) / h, if both errors have the same cause. A cubic adds the displacement by projection at the
 * end of the step.  Property test: tests/property/test_radau_order.c. */
#include <math.h>
#include <string.h>

#include "integ/interpolant.h"
#include "integ/radau.h"
#include "integ/radau_mix.h"

double radau_wave_share(double h, double h_prev, int32_t s)
{
    double ratio = fabs(h_prev / h), power = ratio;
    for (int32_t k = 1; k < s; k++)
        power *= ratio;
    return 1.0 / (1.0 + s * power);
}

void radau_find_gap(radau *r)
{
    const radau_table *tab = radau_table_of(r->pairs_last);
    if (r->dense.gap_known)
        return;
    radau_combine(tab->stages, tab->slope_at_start, r->z[1 - r->now], r->dense.slope_gap,
                  r->stride);
    double share = 0.0; /* at a start y' of algebraic variables is no more than a guess */
    if (r->has_algebraic && r->steps_done > 1)
        share = radau_wave_share(r->h_last, r->h_prev, tab->stages);
    for (int32_t j = 0; j < r->n; j++) {
        double gap = r->yp_before[j] - r->dense.slope_gap[j] / r->h_last;
        r->dense.slope_gap[j] = r->in.is_differential[j] ? gap : share * gap;
    }
    r->dense.gap_known = true;
}

void radau_interpolate(void *self, double t, double *y, double *yp)
{
    radau *r = self;
    if (t == r->t || r->h_last == 0.0) {
        interpolant_copy(r->n, r->y, r->yp, y, yp);
        return;
    }
    radau_find_gap(r);
    const radau_table *tab = radau_table_of(r->pairs_last);
    double value[RADAU_STAGES_MAX], slope[RADAU_STAGES_MAX], bend_slope, wave_slope = 0.0;
    double h = r->h_last, x = 1.0 + (t - r->t) / h;
    radau_basis(tab, x, value, slope);
    double bend = h * radau_bend(tab, x, &bend_slope);
    double wave = r->has_algebraic ? h * radau_wave(tab, x, &wave_slope) : 0.0;
    const bool *bent = r->in.is_differential;
    double blend = x * x * (3.0 - 2.0 * x), blend_slope = 6.0 * x * (1.0 - x) / h;
    if (y) {
        radau_combine(tab->stages, value, r->z[1 - r->now], r->point, r->stride);
        for (int32_t j = 0; j < r->n; j++)
            y[j] = r->y_before[j] + r->point[j] + (bent[j] ? bend : wave) * r->dense.slope_gap[j] +
                   blend * r->dense.shift[j];
    }
    if (yp) {
        radau_combine(tab->stages, slope, r->z[1 - r->now], r->point, r->stride);
        for (int32_t j = 0; j < r->n; j++)
            yp[j] = r->point[j] / h + (bent[j] ? bend_slope : wave_slope) * r->dense.slope_gap[j] +
                    blend_slope * r->dense.shift[j];
    }
}

/* The weights of the difference between the quadrature of the method and the formula through the
 * beginning and all stages but the last, which is of degree s - 1: those of the divided difference
 * over the beginning and all stages, with the size of the weight that the second formula lacks. */
static double difference_weight(const radau_table *tab, int32_t i)
{
    int32_t s = tab->stages;
    double scale = tab->weight[s - 1] / tab->basis_scale[s - 1], sum = 0.0;
    if (i > 0)
        return scale * tab->basis_scale[i - 1];
    for (int32_t j = 0; j < s; j++)
        sum += tab->basis_scale[j];
    return -scale * sum;
}

bool radau_stage(const void *self, int32_t i, integ_stage *to)
{
    const radau *r = self;
    const radau_table *tab = radau_table_of(r->pairs_last);
    int32_t s = tab->stages;
    size_t bytes = (size_t)r->n * sizeof(double);
    if (s == 1 || i > s || r->steps_done == 0 || r->h_last == 0.0)
        return false; /* one stage is no better than the formula that it is compared with */
    to->t = i == s ? r->t : i == 0 ? r->t_before : r->t_before + tab->node[i - 1] * r->h_last;
    to->weight = i > 0 ? tab->weight[i - 1] : 0.0;
    to->error[0] = difference_weight(tab, i);
    to->error[1] = 0.0;
    if (i == 0 || i == s) {
        memcpy(to->y, i == 0 ? r->y_before : r->y, bytes);
        if (to->yp)
            memcpy(to->yp, i == 0 ? r->yp_before : r->yp, bytes);
        return true;
    }
    const double *z = r->z[1 - r->now], *row = tab->a_inverse + (i - 1) * s;
    for (int32_t j = 0; j < r->n; j++)
        to->y[j] = r->y_before[j] + z[(i - 1) * r->stride + j];
    for (int32_t j = 0; j < r->n && to->yp; j++) {
        double sum = 0.0;
        for (int32_t k = 0; k < s; k++)
            sum += row[k] * z[k * r->stride + j];
        to->yp[j] = sum / r->h_last;
    }
    return true;
}
