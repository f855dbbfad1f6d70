/* tables/interpolation.c - see point_curve.h: weights of the points around an argument.
 *
 * All kinds of interpolation are the same formula with other weights: cubic Hermite polynomials
 * on an interval, of which linear and constant segments are special cases, and their straight
 * continuations outside of the table. */
#include "tables/point_curve.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/ascending.h"

bool table_reject(table_why *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    return false;
}

bool table_increases(const double *x, size_t n, bool may_repeat, const char *what, size_t first,
                     table_why *why)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return table_reject(why, "entry %zu of the %s is not a finite number", first + i, what);
    for (size_t i = 1; i < n; i++)
        if (!(x[i] > x[i - 1]) && !(may_repeat && x[i] == x[i - 1]))
            return table_reject(why,
                                "the %s does not increase: entry %zu is %.17g, entry %zu %.17g",
                                what, first + i - 1, x[i - 1], first + i, x[i]);
    return true;
}

size_t table_interval(const table_axis *axis, double u)
{
    return axis->is_left ? ascending_below(axis->x + 1, axis->n - 2, u)
                         : ascending_interval(axis->x, axis->n - 1, u);
}

/* Moves u by whole periods into the table. */
static double wrapped(const table_axis *axis, double u)
{
    double first = axis->x[0], last = axis->x[axis->n - 1], period = last - first;
    if (u >= first && u <= last)
        return u;
    double v = u - period * floor((u - first) / period);
    return v < first ? first : v > last ? last : v;
}

/* Values of the cubic polynomials of Hermite in s = (u - x0)/h, or of their derivatives. */
static void hermite(table_blend *b, int order, double s, double h)
{
    double scale = 1.0 / pow(h, order);
    switch (order) {
    case 0:
        b->rise = s * s * (3.0 - 2.0 * s);
        b->slope[0] = s * (s - 1.0) * (s - 1.0);
        b->slope[1] = s * s * (s - 1.0);
        break;
    case 1:
        b->rise = 6.0 * s * (1.0 - s);
        b->slope[0] = (3.0 * s - 1.0) * (s - 1.0);
        b->slope[1] = s * (3.0 * s - 2.0);
        break;
    case 2:
        b->rise = 6.0 - 12.0 * s;
        b->slope[0] = 6.0 * s - 4.0;
        b->slope[1] = 6.0 * s - 2.0;
        break;
    default:
        b->rise = order == 3 ? -12.0 : 0.0;
        b->slope[0] = b->slope[1] = order == 3 ? 6.0 : 0.0;
    }
    b->rise *= scale;
    b->slope[0] *= scale * h;
    b->slope[1] *= scale * h;
}

static void linear(table_blend *b, int order, double s, double h)
{
    b->rise = order == 0 ? s : order == 1 ? 1.0 / h : 0.0;
}

/* A straight line through a point at the end with its slope. */
static table_blend line_at(size_t end, int order, double distance)
{
    table_blend b = {.left = end, .right = end, .one = order == 0};
    b.slope[0] = order == 0 ? distance : order == 1 ? 1.0 : 0.0;
    return b;
}

static table_blend outside(const table_axis *axis, int order, double u, bool is_low)
{
    size_t end = is_low ? 0 : axis->n - 1;
    table_blend b = {.left = end, .right = end, .one = order == 0};
    if (axis->extrapolation != TABLE_EXTEND)
        return b;
    if (table_has_slopes(axis->smoothness))
        return line_at(end, order, u - axis->x[end]);
    size_t i = is_low ? 0 : axis->n - 2;
    double h = axis->x[i + 1] - axis->x[i];
    if (h > 0.0) { /* else two values at the end: the outer one is held */
        b.left = i;
        b.right = i + 1;
        linear(&b, order, (u - axis->x[i]) / h, h);
    }
    return b;
}

static table_blend inside(const table_axis *axis, int order, double anchor, double u)
{
    size_t i = table_interval(axis, anchor);
    table_blend b = {.left = i, .right = i + 1, .one = order == 0};
    double h = axis->x[i + 1] - axis->x[i], s = (u - axis->x[i]) / h;
    if (!(h > 0.0) || axis->smoothness == TABLE_CONSTANT)
        b.left = b.right = !axis->is_left && anchor >= axis->x[i + 1] ? i + 1 : i;
    else if (table_has_slopes(axis->smoothness))
        hermite(&b, order, s, h);
    else
        linear(&b, order, s, h);
    return b;
}

table_blend table_blend_beside(const table_axis *axis, int order, double anchor, double u)
{
    double first = axis->x[0], last = axis->x[axis->n - 1];
    if (axis->n == 1)
        return (table_blend){.one = order == 0};
    if (isnan(u))
        return (table_blend){.one = NAN};
    if (anchor < first || anchor > last)
        return outside(axis, order, u, anchor < first);
    return inside(axis, order, anchor, u);
}

table_blend table_blend_at(const table_axis *axis, int order, double u)
{
    if (axis->n > 1 && axis->extrapolation == TABLE_PERIODIC)
        u = wrapped(axis, u);
    return table_blend_beside(axis, order, u, u);
}
