/* tables/point_curve.c - see point_curve.h: curves are made and evaluated. */
#include "tables/point_curve.h"

#include <float.h>
#include <math.h>

/* ---- checks ---- */

static bool is_between(int64_t k, int64_t first, int64_t last)
{
    return k >= first && k <= last;
}

static bool kinds_fit(const table_choice *choice, table_why *why)
{
    if (!is_between(choice->smoothness, TABLE_LINEAR, TABLE_MODIFIED_AKIMA))
        return table_reject(why, "there is no smoothness number %lld",
                            (long long)choice->smoothness);
    if (!is_between(choice->extrapolation, TABLE_HOLD, TABLE_NEVER))
        return table_reject(why, "there is no extrapolation number %lld",
                            (long long)choice->extrapolation);
    if (choice->is_timed && !is_between(choice->events, TABLE_EVENTS_ALWAYS, TABLE_EVENTS_NEVER))
        return table_reject(why, "there is no kind of time events number %lld",
                            (long long)choice->events);
    return true;
}

static bool sizes_fit(const table_matrix *m, const table_choice *choice, table_why *why)
{
    if (m->n_rows < 1 || m->n_columns < 2)
        return table_reject(why, "a table of %zu rows and %zu columns cannot be interpolated",
                            m->n_rows, m->n_columns);
    for (size_t k = 0; k < choice->n_columns; k++)
        if (!is_between(choice->column[k], 1, (int64_t)m->n_columns))
            return table_reject(why, "the table has %zu columns, and number %lld was chosen",
                                m->n_columns, (long long)choice->column[k]);
    return true;
}

static bool points_fit(const table_curve *c, bool is_timed, table_why *why)
{
    bool may_repeat = is_timed && !table_has_slopes(c->smoothness);
    if (!table_increases(c->x, c->n_points, may_repeat, "first column of the table", 1, why))
        return false;
    for (size_t k = 0; k < c->n_columns * c->n_points; k++)
        if (!isfinite(c->y[k]))
            return table_reject(why, "row %zu of the table has an entry that is not finite",
                                k % c->n_points + 1);
    if (c->extrapolation == TABLE_PERIODIC && c->n_points > 1 && !(c->x[c->n_points - 1] > c->x[0]))
        return table_reject(why, "a table without length cannot be continued periodically");
    return true;
}

/* ---- making ---- */

static bool columns_copy(arena *mem, table_curve *c, const table_matrix *m, const int64_t *column)
{
    size_t n = c->n_points;
    c->x = arena_take(mem, n, sizeof *c->x);
    c->y = arena_take(mem, n * c->n_columns + 1, sizeof *c->y);
    if (!c->x || !c->y)
        return false;
    for (size_t i = 0; i < n; i++) {
        const double *row = m->e + i * m->n_columns;
        c->x[i] = row[0];
        for (size_t k = 0; k < c->n_columns; k++)
            c->y[k * n + i] = row[column[k] - 1];
    }
    return true;
}

static bool slopes_make(arena *mem, table_curve *c)
{
    size_t n = c->n_points;
    if (n < 2 || !table_has_slopes(c->smoothness))
        return true;
    c->slope = arena_take(mem, n * c->n_columns + 1, sizeof *c->slope);
    for (size_t k = 0; c->slope && k < c->n_columns; k++)
        table_slopes(c->smoothness, c->x, n, c->y + k * n, c->slope + k * n);
    return c->slope != NULL;
}

/* ---- marks ---- */

/* Slopes of the lines on both sides of point i, and the jump at it. */
typedef struct bend {
    double left, right, jump;
} bend;

static double line_slope(const table_curve *c, const double *y, size_t i)
{
    double h = c->x[i + 1] - c->x[i];
    return h > 0.0 ? (y[i + 1] - y[i]) / h : 0.0;
}

static bend bend_at(const table_curve *c, const double *y, size_t i)
{
    size_t n = c->n_points;
    bool is_extended = c->extrapolation == TABLE_EXTEND;
    bend b = {0};
    if (c->smoothness == TABLE_CONSTANT) {
        b.jump = i > 0 ? y[i] - y[i - 1] : 0.0;
        return b;
    }
    b.left = i > 0 ? line_slope(c, y, i - 1) : is_extended ? line_slope(c, y, 0) : 0.0;
    b.right = i + 1 < n ? line_slope(c, y, i) : is_extended ? line_slope(c, y, n - 2) : 0.0;
    b.jump = i > 0 && c->x[i] == c->x[i - 1] ? y[i] - y[i - 1] : 0.0;
    return b;
}

/* A bend counts if it is a good part of the largest one. Tables of smooth functions with many
 * points have none that count: there the error test of the steps sees everything. */
static bool is_marked(const table_curve *c, size_t i, double steepest, double range,
                      const double *y)
{
    const double part = 0.05;
    bend b = bend_at(c, y, i);
    return fabs(b.right - b.left) > part * steepest || fabs(b.jump) > part * range;
}

static void column_extremes(const table_curve *c, const double *y, double *steepest, double *range)
{
    double low = y[0], high = y[0];
    *steepest = 0.0;
    for (size_t i = 0; i < c->n_points; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
        if (i + 1 < c->n_points)
            *steepest = fmax(*steepest, fabs(line_slope(c, y, i)));
    }
    *range = high - low;
}

static bool marks_make(arena *mem, table_curve *c)
{
    size_t n = c->n_points;
    bool *is_there = arena_take(mem, n, sizeof *is_there);
    c->mark = arena_take(mem, n, sizeof *c->mark);
    if (!is_there || !c->mark)
        return false;
    if (n == 1 || c->extrapolation == TABLE_PERIODIC) /* infinitely many cannot be searched for */
        return true;
    for (size_t k = 0; k < c->n_columns; k++) {
        double steepest, range;
        const double *y = c->y + k * n;
        column_extremes(c, y, &steepest, &range);
        for (size_t i = 0; i < n; i++)
            is_there[i] = is_there[i] || (range > 0.0 && is_marked(c, i, steepest, range, y));
    }
    for (size_t i = 0; i < n; i++)
        if (is_there[i] && (c->n_marks == 0 || c->mark[c->n_marks - 1] < c->x[i]))
            c->mark[c->n_marks++] = c->x[i];
    return true;
}

table_curve *table_curve_create(arena *mem, const table_matrix *m, const table_choice *choice,
                                table_why *why)
{
    why->text[0] = '\0';
    if (!kinds_fit(choice, why) || !sizes_fit(m, choice, why))
        return NULL;
    table_curve *c = arena_take(mem, 1, sizeof *c);
    if (!c)
        return NULL;
    *c = (table_curve){.n_points = m->n_rows,
                       .n_columns = choice->n_columns,
                       .smoothness = (table_smoothness)choice->smoothness,
                       .extrapolation = (table_extrapolation)choice->extrapolation,
                       .events = (table_events)choice->events,
                       .start = choice->start,
                       .shift = choice->shift};
    if (m->n_rows <= 2 && table_has_slopes(c->smoothness))
        c->smoothness = TABLE_LINEAR;
    bool ok = columns_copy(mem, c, m, choice->column) && points_fit(c, choice->is_timed, why) &&
              slopes_make(mem, c) && marks_make(mem, c);
    return ok ? c : NULL;
}

/* ---- values ---- */

static table_axis axis_of(const table_curve *c, bool is_left)
{
    return (table_axis){.x = c->x,
                        .n = c->n_points,
                        .smoothness = c->smoothness,
                        .extrapolation = c->extrapolation,
                        .is_left = is_left};
}

static double blended(const table_curve *c, double column, table_blend b)
{
    if (!(column >= 1.0 && column <= (double)c->n_columns))
        return NAN;
    size_t at = ((size_t)column - 1) * c->n_points;
    const double *y = c->y + at;
    double v = b.one * y[b.left] + b.rise * (y[b.right] - y[b.left]);
    if (c->slope)
        v += b.slope[0] * c->slope[at + b.left] + b.slope[1] * c->slope[at + b.right];
    return v;
}

double table_curve_value(const table_curve *c, int order, double column, double u)
{
    table_axis axis = axis_of(c, false);
    return blended(c, column, table_blend_at(&axis, order, u));
}

double table_curve_least(const table_curve *c)
{
    return c->x[0];
}

double table_curve_greatest(const table_curve *c)
{
    return c->x[c->n_points - 1];
}

/* A measure of distance that goes from 0 to 1 as the distance goes from 0 to infinity. */
static double approach(double distance, double length)
{
    double d = distance / length;
    return d / (1.0 + d);
}

double table_position(const double *mark, size_t n, double u)
{
    double length = n > 1 ? mark[n - 1] - mark[0] : 1.0;
    if (n == 0 || isnan(u))
        return 0.5;
    if (u <= mark[0])
        return -approach(mark[0] - u, length);
    if (u >= mark[n - 1])
        return (double)(n - 1) + approach(u - mark[n - 1], length);
    table_axis axis = {.x = mark, .n = n};
    size_t i = table_interval(&axis, u);
    return (double)i + (u - mark[i]) / (mark[i + 1] - mark[i]);
}

double table_curve_position(const table_curve *c, double u)
{
    return table_position(c->mark, c->n_marks, u - c->shift);
}

/* ---- over time ---- */

/* How far rounding can move an instant that was shifted and moved by periods. */
static double rounding_of(const table_curve *c, double t)
{
    const double few = 16.0;
    double largest = fmax(fabs(t), fabs(c->shift));
    largest = fmax(largest, fmax(fabs(c->x[0]), fabs(c->x[c->n_points - 1])));
    return few * DBL_EPSILON * largest;
}

/* An instant as an abscissa of the table. */
typedef struct instant {
    double at;     /* reduced to one period; exactly a point if it is one but for rounding */
    double offset; /* t - shift - offset is the abscissa that belongs to t                */
} instant;

static instant instant_of(const table_curve *c, double t, bool is_left, double tolerance)
{
    table_axis axis = axis_of(c, false);
    double first = c->x[0], last = c->x[c->n_points - 1], period = last - first;
    instant i = {.at = t - c->shift};
    if (c->extrapolation == TABLE_PERIODIC) {
        double lean = is_left ? -tolerance : tolerance; /* which period an end belongs to */
        i.offset = period * floor((i.at + lean - first) / period);
        i.at -= i.offset;
        i.at = i.at < first ? first : i.at > last ? last : i.at;
    }
    size_t k = table_interval(&axis, i.at);
    if (fabs(i.at - c->x[k]) <= tolerance)
        i.at = c->x[k];
    else if (fabs(i.at - c->x[k + 1]) <= tolerance)
        i.at = c->x[k + 1];
    return i;
}

static table_blend timed_blend(const table_curve *c, int order, double t, double next, bool is_left,
                               double tolerance)
{
    table_axis axis = axis_of(c, is_left);
    if (c->n_points == 1)
        return (table_blend){.one = order == 0};
    instant i = instant_of(c, is_left ? next : t, is_left, tolerance);
    double u = t - c->shift - i.offset, anchor = i.at;
    if (c->extrapolation != TABLE_PERIODIC) { /* an end belongs to what lies outside */
        if (is_left && anchor == c->x[0])
            anchor = -INFINITY;
        if (!is_left && anchor == c->x[c->n_points - 1])
            anchor = INFINITY;
    }
    return table_blend_beside(&axis, order, anchor, u);
}

double table_timed_value(const table_curve *c, int order, double column, double t, double next,
                         double before)
{
    double tolerance = rounding_of(c, t);
    bool is_left = next < DBL_MAX && next == before && t >= next - tolerance;
    bool is_early = t < c->start - tolerance || (is_left && c->start >= next);
    if (is_early)
        return 0.0;
    return blended(c, column, timed_blend(c, order, t, next, is_left, tolerance));
}

/* Whether point k is an event of the table. */
static bool is_event(const table_curve *c, size_t k)
{
    size_t n = c->n_points;
    bool is_end = k == 0 || k + 1 == n;
    bool is_doubled = k + 1 < n && c->x[k + 1] == c->x[k];
    if (is_end || c->events == TABLE_EVENTS_NEVER)
        return is_end;
    if (c->events == TABLE_EVENTS_ALWAYS)
        return !table_has_slopes(c->smoothness);
    return is_doubled || c->smoothness == TABLE_CONSTANT;
}

/* The first event behind u in the table, or INFINITY. */
static double event_behind(const table_curve *c, double u)
{
    table_axis axis = axis_of(c, false);
    if (u < c->x[0])
        return c->x[0];
    for (size_t k = table_interval(&axis, u); k < c->n_points; k++)
        if (c->x[k] > u && is_event(c, k))
            return c->x[k];
    return INFINITY;
}

double table_timed_next(const table_curve *c, double t)
{
    double tolerance = rounding_of(c, t);
    double first = c->x[0], period = c->x[c->n_points - 1] - first, u = t - c->shift;
    if (t < c->start)
        return c->start;
    if (c->n_points == 1)
        return DBL_MAX;
    if (c->extrapolation != TABLE_PERIODIC) {
        double event = event_behind(c, u + tolerance);
        return isfinite(event) ? event + c->shift : DBL_MAX;
    }
    double offset = period * floor((u + tolerance - first) / period);
    double event = event_behind(c, u + tolerance - offset);
    if (!isfinite(event)) /* t is an end of a period */
        event = event_behind(c, first) + period;
    return event + offset + c->shift;
}
