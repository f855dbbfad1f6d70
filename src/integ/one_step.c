/* integ/one_step.c - see one_step.h. */
#include "integ/one_step.h"

#include <float.h>
#include <math.h>

#include "linalg/vector.h"

void one_step_weigh(const integ_context *in, const double *y, double *inverse_weight)
{
    const double least = 1e-280;
    const weights *w = in->tolerances;
    for (int32_t i = 0; i < w->n; i++) {
        double weight = w->rtol[i] * fabs(y[i]) + w->atol[i];
        inverse_weight[i] = 1.0 / (weight > least ? weight : least);
    }
}

/* At least the time in which y would change by half a tolerance. */
double one_step_first(const integ_context *in, const integ_begin *from,
                      const double *inverse_weight, one_step_courage rule)
{
    const daedal_options *opt = in->options;
    double h = opt->first_step;
    if (h == 0.0 && from->h_before > 0.0)
        h = rule.share * from->h_before;
    if (h == 0.0) {
        double speed = vector_wrms(from->yp, inverse_weight, in->ev->n);
        double size = fmax(rule.part * vector_wrms(from->y, inverse_weight, in->ev->n), 0.5);
        h = from->span > 0.0 ? 1e-3 * from->span : 1e-3 * fmax(fabs(from->t), 1.0);
        if (speed * h > size)
            h = size / speed;
    }
    h = fmax(h, fmax(64.0 * DBL_EPSILON * fabs(from->t), opt->min_step));
    if (opt->max_step > 0.0)
        h = fmin(h, opt->max_step);
    return copysign(h, from->direction);
}

double one_step_fit(const integ_context *in, double h, double left)
{
    double most = in->options->max_step;
    h = copysign(fmax(fabs(h), in->options->min_step), h);
    if (most > 0.0 && fabs(h) > most)
        h = copysign(most, h);
    if (fabs(h) * (1.0 + 1e-4) >= fabs(left))
        return left;
    return 1.1 * fabs(h) > fabs(left) ? 0.5 * left : h;
}

bool one_step_keep_bounds(const integ_context *in, double *y, const double *inverse_weight,
                          double *work)
{
    const daedal_system *sys = in->ev->sys;
    int32_t n = in->ev->n;
    if (!sys->lower.at && !sys->upper.at)
        return true;
    for (int32_t i = 0; i < n; i++) {
        double low = sys->lower.at ? sys->lower.at[i] : -INFINITY;
        double high = sys->upper.at ? sys->upper.at[i] : INFINITY;
        work[i] = fmin(fmax(y[i], low), high) - y[i];
    }
    if (vector_wrms(work, inverse_weight, n) > 1.0)
        return false;
    for (int32_t i = 0; i < n; i++)
        y[i] += work[i];
    return true;
}

bool one_step_has_stalled(one_step_errors *e, double error, double h, bool first_step)
{
    enum { OFTEN = 3 };
    bool shrunk = e->first == 0.0 || error < 0.7 * e->last;
    if (e->first == 0.0) {
        e->first = error;
        e->h_first = h;
    }
    e->stalls = shrunk ? 0 : e->stalls + 1;
    e->last = error;
    return e->stalls >= OFTEN && !first_step;
}
