/* sweep/variation.c - see variation.h. */
#include "sweep/variation.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "base/inverse_erf.h"

static const char *check_interval(const variation *v, bool logarithmic)
{
    if (logarithmic && !(v->a > 0.0 && v->b > 0.0))
        return "both ends must be positive";
    return v->a == v->b ? "both ends are equal" : NULL;
}

const char *variation_check(const variation *v)
{
    if (v->kind != VARY_LIST && !(isfinite(v->a) && isfinite(v->b)))
        return "the numbers must be finite";
    switch (v->kind) {
    case VARY_LIST:
        return NULL;
    case VARY_RANGE:
    case VARY_LOG_RANGE:
        return v->n < 2 ? "a range has two values at least"
                        : check_interval(v, v->kind == VARY_LOG_RANGE);
    case VARY_UNIFORM:
    case VARY_LOGUNIFORM:
        return check_interval(v, v->kind == VARY_LOGUNIFORM);
    case VARY_LOGNORMAL:
        if (!(v->a > 0.0))
            return "the median must be positive";
        break;
    case VARY_NORMAL:
        break;
    }
    return v->b > 0.0 ? NULL : "the standard deviation must be positive";
}

/* A value from a (u = 0) to b (u = 1), both exactly. */
static double between(const variation *v, double u, bool logarithmic)
{
    if (u <= 0.0 || u >= 1.0)
        return u <= 0.0 ? v->a : v->b;
    return logarithmic ? v->a * exp(u * log(v->b / v->a)) : v->a + u * (v->b - v->a);
}

double variation_at(const variation *v, int64_t k)
{
    assert(k >= 0 && k < v->n);
    const int64_t last = v->n - 1;
    if (v->kind == VARY_LIST)
        return v->list[k];
    if (v->kind == VARY_LOG_RANGE || k == 0 || k == last)
        return between(v, (double)k / (double)last, v->kind == VARY_LOG_RANGE);
    return (v->a * (double)(last - k) + v->b * (double)k) / (double)last; /* 0.04, not 0.0399.. */
}

static double normal_quantile(double u)
{
    const double root_2 = 1.41421356237309504880;
    return u < 0.5 ? -root_2 * inverse_erf(1.0 - 2.0 * u, 2.0 * u)
                   : root_2 * inverse_erf(2.0 * u - 1.0, 2.0 * (1.0 - u));
}

double variation_sample(const variation *v, double u)
{
    assert(u > 0.0 && u < 1.0);
    switch (v->kind) {
    case VARY_UNIFORM:
    case VARY_LOGUNIFORM:
        return between(v, u, v->kind == VARY_LOGUNIFORM);
    case VARY_NORMAL:
        return v->a + v->b * normal_quantile(u);
    case VARY_LOGNORMAL:
        return v->a * exp(v->b * normal_quantile(u));
    case VARY_LIST:
    case VARY_RANGE:
    case VARY_LOG_RANGE:
        break;
    }
    int64_t k = (int64_t)(u * (double)v->n);
    return variation_at(v, k < v->n ? k : v->n - 1);
}
