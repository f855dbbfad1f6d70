/* tables/curve_slopes.c - see point_curve.h: slopes at the points of a table.
 *
 * Akima's method [Aki70] and its modification weigh the slopes of the two neighbouring intervals
 * by how much the slopes next to them change; those of Fritsch and Butland [FB84] and of Steffen
 * [Ste90] keep the curve monotone wherever the points are. */
#include "tables/point_curve.h"

#include <math.h>

bool table_has_slopes(table_smoothness kind)
{
    return kind != TABLE_LINEAR && kind != TABLE_CONSTANT;
}

typedef struct points {
    const double *x, *y;
    size_t n;
} points;

static double secant(const points *p, size_t i)
{
    return (p->y[i + 1] - p->y[i]) / (p->x[i + 1] - p->x[i]);
}

/* The slope of interval k, where -2, -1 and n - 1, n continue the table so that the slopes go on
 * linearly. */
static double continued(const points *p, ptrdiff_t k)
{
    ptrdiff_t last = (ptrdiff_t)p->n - 2;
    if (last == 0)
        return secant(p, 0);
    if (k >= 0 && k <= last)
        return secant(p, (size_t)k);
    ptrdiff_t end = k < 0 ? 0 : last, next = k < 0 ? 1 : last - 1;
    ptrdiff_t beyond = k < 0 ? -k : k - last;
    double d = secant(p, (size_t)end);
    return d + (double)beyond * (d - secant(p, (size_t)next));
}

static double akima_slope(const points *p, size_t i, bool is_modified)
{
    ptrdiff_t k = (ptrdiff_t)i;
    double d[4] = {continued(p, k - 2), continued(p, k - 1), continued(p, k), continued(p, k + 1)};
    double left = fabs(d[3] - d[2]), right = fabs(d[1] - d[0]);
    if (is_modified) {
        left += 0.5 * fabs(d[3] + d[2]);
        right += 0.5 * fabs(d[1] + d[0]);
    }
    if (left + right > 0.0)
        return (left * d[1] + right * d[2]) / (left + right);
    return is_modified ? 0.0 : 0.5 * (d[1] + d[2]);
}

/* The harmonic mean of both slopes, weighed by the lengths of the intervals. */
static double fritsch_butland(double h0, double h1, double d0, double d1)
{
    return 3.0 * (h0 + h1) / ((h0 + 2.0 * h1) / d0 + (h1 + 2.0 * h0) / d1);
}

/* The slope of the parabola through three points, limited to twice the smaller slope. */
static double steffen(double h0, double h1, double d0, double d1)
{
    double parabola = (d0 * h1 + d1 * h0) / (h0 + h1);
    double most = 2.0 * fmin(fabs(d0), fabs(d1));
    return fabs(parabola) > most ? copysign(most, d0) : parabola;
}

static double monotone_slope(const points *p, size_t i, table_smoothness kind)
{
    if (i == 0 || i + 1 == p->n)
        return secant(p, i == 0 ? 0 : i - 1);
    double d0 = secant(p, i - 1), d1 = secant(p, i);
    double h0 = p->x[i] - p->x[i - 1], h1 = p->x[i + 1] - p->x[i];
    bool is_monotone = (d0 > 0.0 && d1 > 0.0) || (d0 < 0.0 && d1 < 0.0);
    if (!is_monotone)
        return 0.0;
    return kind == TABLE_STEFFEN ? steffen(h0, h1, d0, d1) : fritsch_butland(h0, h1, d0, d1);
}

void table_slopes(table_smoothness kind, const double *x, size_t n, const double *y, double *slope)
{
    points p = {.x = x, .y = y, .n = n};
    bool is_akima = kind == TABLE_AKIMA || kind == TABLE_MODIFIED_AKIMA;
    for (size_t i = 0; i < n; i++)
        slope[i] = is_akima ? akima_slope(&p, i, kind == TABLE_MODIFIED_AKIMA)
                            : monotone_slope(&p, i, kind);
}
