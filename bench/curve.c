/* bench/curve.c - work-precision curves and their ratio at equal digits.
 * Depends on: bench/curve.h.                                                      */
#include "curve.h"

#include <math.h>

enum { LEVELS = 9 };                 /* equally spaced over the common range */
static const double RANGE_MIN = 0.5; /* digits */

void curve_add(curve *c, double digits, double work)
{
    if (!isfinite(digits) || !(work > 0.0) || c->n == CURVE_MAX)
        return;
    int i = c->n++;
    for (; i > 0 && c->digits[i - 1] > digits; i--) { /* keep them sorted */
        c->digits[i] = c->digits[i - 1];
        c->work[i] = c->work[i - 1];
    }
    c->digits[i] = digits;
    c->work[i] = work;
}

/* The points of c that reach their digits with less work than every better point. */
static curve envelope(const curve *c)
{
    curve kept = {0};
    double least = INFINITY;
    for (int i = c->n - 1; i >= 0; i--)
        if (c->work[i] < least) {
            least = c->work[i];
            curve_add(&kept, c->digits[i], c->work[i]);
        }
    return kept;
}

/* log(work) of an envelope at a level within its digits, or below them. */
static double log_work_at(const curve *c, double digits)
{
    int i = 0;
    while (i < c->n - 1 && c->digits[i] < digits)
        i++;
    if (i == 0 || c->digits[i] <= c->digits[i - 1])
        return log(c->work[i]);
    const double s = (digits - c->digits[i - 1]) / (c->digits[i] - c->digits[i - 1]);
    return (1.0 - s) * log(c->work[i - 1]) + s * log(c->work[i]);
}

curve_ratio curve_compare(const curve *a, const curve *b)
{
    curve_ratio r = {0};
    if (a->n < 2 || b->n < 2)
        return r;
    r.low = fmax(a->digits[0], b->digits[0]);
    r.high = fmin(a->digits[a->n - 1], b->digits[b->n - 1]);
    if (r.high - r.low < RANGE_MIN)
        return r;
    const curve ea = envelope(a), eb = envelope(b);
    double sum = 0.0;
    for (int k = 0; k < LEVELS; k++) {
        const double level = r.low + (r.high - r.low) * k / (LEVELS - 1);
        sum += log_work_at(&ea, level) - log_work_at(&eb, level);
    }
    r.valid = true;
    r.ratio = exp(sum / LEVELS);
    return r;
}
