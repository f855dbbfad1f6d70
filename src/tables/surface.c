/* tables/surface.c - see surface.h.
 *
 * The smooth surface is the one of [Aki74]: bicubic on every rectangle, from derivatives at the
 * corners that are weighed in both directions as in the method for curves, the mixed one by the
 * products of these weights. */
#include "tables/surface.h"

#include <math.h>

/* ---- making ---- */

static bool surface_fits(const table_surface *s, table_why *why)
{
    if (!table_increases(s->row, s->n_rows, false, "first column of the table", 2, why) ||
        !table_increases(s->column, s->n_columns, false, "first row of the table", 2, why))
        return false;
    for (size_t k = 0; k < s->n_rows * s->n_columns; k++)
        if (!isfinite(s->z[k]))
            return table_reject(why, "entry (%zu, %zu) of the table is not finite",
                                k / s->n_columns + 2, k % s->n_columns + 2);
    return true;
}

static bool kind_fits(const table_matrix *m, int64_t smoothness, int64_t extrapolation,
                      table_why *why)
{
    bool is_known =
        smoothness == TABLE_LINEAR || smoothness == TABLE_AKIMA || smoothness == TABLE_CONSTANT;
    if (!is_known)
        return table_reject(why, "smoothness number %lld is not defined for two variables",
                            (long long)smoothness);
    if (extrapolation < TABLE_HOLD || extrapolation > TABLE_NEVER)
        return table_reject(why, "there is no extrapolation number %lld", (long long)extrapolation);
    if (m->n_rows < 2 || m->n_columns < 2)
        return table_reject(why,
                            "a table of %zu rows and %zu columns has no values of two variables",
                            m->n_rows, m->n_columns);
    return true;
}

static bool grid_copy(arena *mem, table_surface *s, const table_matrix *m)
{
    s->row = arena_take(mem, s->n_rows, sizeof *s->row);
    s->column = arena_take(mem, s->n_columns, sizeof *s->column);
    s->z = arena_take(mem, s->n_rows * s->n_columns, sizeof *s->z);
    if (!s->row || !s->column || !s->z)
        return false;
    for (size_t j = 0; j < s->n_columns; j++)
        s->column[j] = m->e[j + 1];
    for (size_t i = 0; i < s->n_rows; i++) {
        const double *from = m->e + (i + 1) * m->n_columns;
        s->row[i] = from[0];
        for (size_t j = 0; j < s->n_columns; j++)
            s->z[i * s->n_columns + j] = from[j + 1];
    }
    return true;
}

/* ---- derivatives at the corners ---- */

/* The grid with two more lines on each side. Abscissae continue with the lengths of the first two
 * intervals, values so that their slopes continue linearly; with one interval both go on as they
 * are. */
typedef struct margin_grid {
    size_t n_rows, n_columns;
    double *row, *column, *z;
} margin_grid;

static void axis_extend(const double *x, size_t n, double *to)
{
    for (size_t i = 0; i < n; i++)
        to[i + 2] = x[i];
    if (n == 1) {
        to[0] = x[0] - 2.0;
        to[1] = x[0] - 1.0;
        to[3] = x[0] + 1.0;
        to[4] = x[0] + 2.0;
        return;
    }
    double first = n > 2 ? x[2] - x[0] : 2.0 * (x[1] - x[0]);
    double last = n > 2 ? x[n - 1] - x[n - 3] : 2.0 * (x[1] - x[0]);
    to[0] = x[0] - first;
    to[1] = x[1] - first;
    to[n + 2] = x[n - 2] + last;
    to[n + 3] = x[n - 1] + last;
}

/* Values along one line of n + 4 points, of which the n inner ones are known. */
static void line_extend(const double *x, size_t n, double *z, size_t stride)
{
    for (int side = 0; side < 2; side++) {
        ptrdiff_t step = side == 0 ? -1 : 1;
        size_t at = side == 0 ? 2 : n + 1; /* the last known point */
#define POINT(k) ((size_t)((ptrdiff_t)at + step * (k)))
#define SLOPE(k)                                                                                   \
    ((z[POINT(k) * stride] - z[POINT((k)-1) * stride]) / (x[POINT(k)] - x[POINT((k)-1)]))
        double slope = n > 1 ? SLOPE(0) : 0.0, change = n > 2 ? slope - SLOPE(-1) : 0.0;
        for (int k = 1; k <= 2; k++)
            z[POINT(k) * stride] =
                z[POINT(k - 1) * stride] + (slope + k * change) * (x[POINT(k)] - x[POINT(k - 1)]);
#undef SLOPE
#undef POINT
    }
}

static bool margin_make(arena *mem, const table_surface *s, margin_grid *g)
{
    size_t n = s->n_rows, m = s->n_columns, width = m + 4;
    g->n_rows = n + 4;
    g->n_columns = width;
    g->row = arena_take(mem, n + 4, sizeof *g->row);
    g->column = arena_take(mem, width, sizeof *g->column);
    g->z = arena_take(mem, (n + 4) * width, sizeof *g->z);
    if (!g->row || !g->column || !g->z)
        return false;
    axis_extend(s->row, n, g->row);
    axis_extend(s->column, m, g->column);
    for (size_t i = 0; i < n; i++) {
        double *line = g->z + (i + 2) * width;
        for (size_t j = 0; j < m; j++)
            line[j + 2] = s->z[i * m + j];
        line_extend(g->column, m, line, 1);
    }
    for (size_t j = 0; j < width; j++)
        line_extend(g->row, n, g->z + j, width);
    return true;
}

/* Slopes of the two intervals beside a point, and their weights, which add to one. */
typedef struct weighed {
    double slope[2], weight[2];
} weighed;

/* The slope at point k of a line, from the slopes of the four intervals around it. */
static weighed weigh(const double *x, const double *z, size_t stride, size_t k)
{
    double d[4];
    for (size_t i = 0; i < 4; i++) {
        size_t at = k - 2 + i;
        d[i] = (z[(at + 1) * stride] - z[at * stride]) / (x[at + 1] - x[at]);
    }
    double left = fabs(d[3] - d[2]), right = fabs(d[1] - d[0]), sum = left + right;
    weighed w = {.slope = {d[1], d[2]}, .weight = {0.5, 0.5}};
    if (sum > 0.0) {
        w.weight[0] = left / sum;
        w.weight[1] = right / sum;
    }
    return w;
}

static double mean_slope(const weighed *w)
{
    return w->weight[0] * w->slope[0] + w->weight[1] * w->slope[1];
}

/* The mixed difference on the rectangle whose lower corner is (i, j). */
static double mixed(const margin_grid *g, size_t i, size_t j)
{
    const double *low = g->z + i * g->n_columns + j, *high = low + g->n_columns;
    return (high[1] - high[0] - low[1] + low[0]) /
           ((g->row[i + 1] - g->row[i]) * (g->column[j + 1] - g->column[j]));
}

static void corner(table_surface *s, const margin_grid *g, size_t i, size_t j)
{
    size_t at = i * s->n_columns + j, width = g->n_columns;
    weighed by_row = weigh(g->row, g->z + j + 2, width, i + 2);
    weighed by_column = weigh(g->column, g->z + (i + 2) * width, 1, j + 2);
    s->z_row[at] = mean_slope(&by_row);
    s->z_column[at] = mean_slope(&by_column);
    s->z_both[at] = 0.0;
    for (size_t a = 0; a < 2; a++)
        for (size_t b = 0; b < 2; b++)
            s->z_both[at] +=
                by_row.weight[a] * by_column.weight[b] * mixed(g, i + 1 + a, j + 1 + b);
}

static bool corners_make(arena *mem, table_surface *s)
{
    margin_grid g;
    size_t n = s->n_rows * s->n_columns;
    s->z_row = arena_take(mem, n, sizeof *s->z_row);
    s->z_column = arena_take(mem, n, sizeof *s->z_column);
    s->z_both = arena_take(mem, n, sizeof *s->z_both);
    if (!s->z_row || !s->z_column || !s->z_both || !margin_make(mem, s, &g))
        return false;
    for (size_t i = 0; i < s->n_rows; i++)
        for (size_t j = 0; j < s->n_columns; j++)
            corner(s, &g, i, j);
    return true;
}

table_surface *table_surface_create(arena *mem, const table_matrix *m, int64_t smoothness,
                                    int64_t extrapolation, table_why *why)
{
    why->text[0] = '\0';
    if (!kind_fits(m, smoothness, extrapolation, why))
        return NULL;
    table_surface *s = arena_take(mem, 1, sizeof *s);
    if (!s)
        return NULL;
    *s = (table_surface){.n_rows = m->n_rows - 1,
                         .n_columns = m->n_columns - 1,
                         .smoothness = (table_smoothness)smoothness,
                         .extrapolation = (table_extrapolation)extrapolation};
    bool is_small = s->n_rows <= 2 && s->n_columns <= 2;
    if (is_small && s->smoothness == TABLE_AKIMA)
        s->smoothness = TABLE_LINEAR;
    bool ok = grid_copy(mem, s, m) && surface_fits(s, why) &&
              (s->smoothness != TABLE_AKIMA || corners_make(mem, s));
    return ok ? s : NULL;
}

/* ---- values ---- */

/* Along one row of the grid. */
static double along(const table_surface *s, const double *z, const double *slope, size_t row,
                    const table_blend *b)
{
    const double *line = z + row * s->n_columns;
    double v = b->one * line[b->left] + b->rise * (line[b->right] - line[b->left]);
    if (slope) {
        const double *at = slope + row * s->n_columns;
        v += b->slope[0] * at[b->left] + b->slope[1] * at[b->right];
    }
    return v;
}

/* Outside of the table constant segments continue linearly, also in the direction that is inside.
 */
static table_smoothness smoothness_at(const table_surface *s, double u1, double u2)
{
    bool is_inside = u1 >= s->row[0] && u1 <= s->row[s->n_rows - 1] && u2 >= s->column[0] &&
                     u2 <= s->column[s->n_columns - 1];
    bool is_continued = s->smoothness == TABLE_CONSTANT && s->extrapolation == TABLE_EXTEND;
    return is_continued && !is_inside ? TABLE_LINEAR : s->smoothness;
}

double table_surface_value(const table_surface *s, int order1, int order2, double u1, double u2)
{
    table_axis axis = {.x = s->row,
                       .n = s->n_rows,
                       .smoothness = smoothness_at(s, u1, u2),
                       .extrapolation = s->extrapolation};
    table_blend a = table_blend_at(&axis, order1, u1);
    axis.x = s->column;
    axis.n = s->n_columns;
    table_blend b = table_blend_at(&axis, order2, u2);
    double low = along(s, s->z, s->z_column, a.left, &b);
    double high = along(s, s->z, s->z_column, a.right, &b);
    double v = a.one * low + a.rise * (high - low);
    if (s->z_row)
        v += a.slope[0] * along(s, s->z_row, s->z_both, a.left, &b) +
             a.slope[1] * along(s, s->z_row, s->z_both, a.right, &b);
    return v;
}

/* A fine grid is left to the error test of the steps. */
double table_surface_position(const table_surface *s, int variable, double u)
{
    enum { FINE = 50 };
    const double *line = variable == 0 ? s->row : s->column;
    size_t n = variable == 0 ? s->n_rows : s->n_columns;
    return n > FINE ? 0.5 : table_position(line, n, u);
}
