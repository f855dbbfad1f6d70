/* support/reaction_grid.c - see reaction_grid.h. */
#include "reaction_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static bool on_border(const reaction_grid *g, int32_t i, int32_t j)
{
    return i == 0 || j == 0 || i == g->side - 1 || j == g->side - 1;
}

static int32_t mirrored(int32_t k, int32_t side)
{
    return k < 0 ? 1 : k >= side ? side - 2 : k;
}

/* The four neighbours of a point; those across the border are mirrored. */
static void neighbours(const reaction_grid *g, int32_t i, int32_t j, int32_t at[4])
{
    int32_t s = g->side;
    at[0] = mirrored(i - 1, s) * s + j;
    at[1] = i * s + mirrored(j - 1, s);
    at[2] = i * s + mirrored(j + 1, s);
    at[3] = mirrored(i + 1, s) * s + j;
}

static void heat(const reaction_grid *g, const double *y, const double *yp, double *r)
{
    for (int32_t i = 0; i < g->side; i++)
        for (int32_t j = 0; j < g->side; j++) {
            int32_t p = i * g->side + j, at[4];
            neighbours(g, i, j, at);
            double sum = y[at[0]] + y[at[1]] + y[at[2]] + y[at[3]] - 4.0 * y[p];
            r[p] = on_border(g, i, j) ? y[p] : yp[p] - g->diffusion * sum;
        }
}

static void brusselator(const reaction_grid *g, const double *y, const double *yp, double *r)
{
    for (int32_t i = 0; i < g->side; i++)
        for (int32_t j = 0; j < g->side; j++) {
            int32_t p = i * g->side + j, at[4];
            double u = y[2 * p], v = y[2 * p + 1], su = -4.0 * u, sv = -4.0 * v;
            neighbours(g, i, j, at);
            for (int k = 0; k < 4; k++) {
                su += y[2 * at[k]];
                sv += y[2 * at[k] + 1];
            }
            r[2 * p] = yp[2 * p] - (1.0 + u * u * v - 4.4 * u + g->diffusion * su);
            r[2 * p + 1] = yp[2 * p + 1] - (3.4 * u - u * u * v + g->diffusion * sv);
        }
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const reaction_grid *g = user;
    (void)t;
    (g->is_heat ? heat : brusselator)(g, y, yp, r);
    for (int32_t i = 0; i < g->n; i++)
        r[i] *= g->row_scale[i];
    return DAEDAL_CALL_OK;
}

/* dF_row/dy_col + c dF_row/dy'_col, without the scale of the row. */
static double entry(const reaction_grid *g, const double *y, double c, int32_t row, int32_t col)
{
    int32_t kinds = g->is_heat ? 1 : 2, p = row / kinds, q = col / kinds, at[4], touching = 0;
    bool same = row % kinds == col % kinds;
    if (g->is_heat && on_border(g, p / g->side, p % g->side))
        return row == col ? 1.0 : 0.0;
    neighbours(g, p / g->side, p % g->side, at);
    for (int k = 0; k < 4; k++)
        touching += at[k] == q && same;
    double value = -g->diffusion * touching;
    if (row == col)
        value += c + 4.0 * g->diffusion;
    if (g->is_heat || p != q)
        return value;
    double u = y[2 * p], v = y[2 * p + 1];
    double by_u = row % 2 == 0 ? 2.0 * u * v - 4.4 : 3.4 - 2.0 * u * v;
    double by_v = row % 2 == 0 ? u * u : -u * u;
    return value - (col % 2 == 0 ? by_u : by_v);
}

static int jacobian(double t, const double *y, const double *yp, double c, double *values,
                    void *user)
{
    const reaction_grid *g = user;
    (void)t;
    (void)yp;
    for (int32_t j = 0; j < g->n; j++)
        for (int32_t q = g->start[j]; q < g->start[j + 1]; q++)
            values[q] = g->row_scale[g->row[q]] * entry(g, y, c, g->row[q], j);
    return DAEDAL_CALL_OK;
}

static int product(double t, const double *y, const double *yp, double c, const double *v,
                   double *out, void *user)
{
    const reaction_grid *g = user;
    (void)t;
    (void)yp;
    memset(out, 0, (size_t)g->n * sizeof *out);
    for (int32_t j = 0; j < g->n; j++)
        for (int32_t q = g->start[j]; q < g->start[j + 1]; q++)
            out[g->row[q]] += g->row_scale[g->row[q]] * entry(g, y, c, g->row[q], j) * v[j];
    for (int32_t i = 0; i < g->n; i++)
        out[i] *= 1.0 + g->product_error;
    return DAEDAL_CALL_OK;
}

static int compare_ints(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The rows of a column: its own point and the neighbours of it, ascending. */
static int32_t rows_of(const reaction_grid *g, int32_t col, int32_t *rows)
{
    int32_t kinds = g->is_heat ? 1 : 2, p = col / kinds, count = 0, at[4], kept = 0;
    neighbours(g, p / g->side, p % g->side, at);
    for (int32_t k = 0; k < kinds; k++)
        rows[count++] = kinds * p + k;
    for (int k = 0; k < 4; k++)
        rows[count++] = kinds * at[k] + col % kinds;
    qsort(rows, (size_t)count, sizeof *rows, compare_ints);
    for (int32_t k = 0; k < count; k++)
        if (k == 0 || rows[k] != rows[k - 1])
            rows[kept++] = rows[k];
    return kept;
}

static void set_start(reaction_grid *g)
{
    double spacing = 1.0 / (g->side - 1);
    for (int32_t p = 0; p < g->side * g->side; p++) {
        double x = spacing * (p % g->side), z = spacing * (p / g->side);
        if (g->is_heat) {
            g->y0[p] = 16.0 * x * (1.0 - x) * z * (1.0 - z);
        } else {
            g->y0[2 * p] = 0.5 + z;
            g->y0[2 * p + 1] = 1.0 + 5.0 * x;
        }
    }
}

reaction_grid *reaction_grid_make(bool is_heat, int32_t side)
{
    reaction_grid *g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->side = side;
    g->is_heat = is_heat;
    g->n = (is_heat ? 1 : 2) * side * side;
    g->diffusion = (is_heat ? 1.0 : 2e-3) * (side - 1) * (side - 1);
    g->start = calloc((size_t)g->n + 1, sizeof *g->start);
    g->row = calloc((size_t)g->n * 6, sizeof *g->row);
    g->row_scale = calloc((size_t)g->n, sizeof *g->row_scale);
    g->y0 = calloc((size_t)g->n, sizeof *g->y0);
    assert_true(g->start && g->row && g->row_scale && g->y0);
    for (int32_t j = 0; j < g->n; j++) {
        g->row_scale[j] = 1.0;
        g->start[j + 1] = g->start[j] + rows_of(g, j, g->row + g->start[j]);
    }
    g->pattern = (daedal_pattern){g->n, g->n, g->start, g->row};
    set_start(g);
    return g;
}

void reaction_grid_free(reaction_grid *g)
{
    free(g->start);
    free(g->row);
    free(g->row_scale);
    free(g->y0);
    free(g);
}

daedal_system reaction_grid_system(reaction_grid *g, bool with_jacobian, bool with_product)
{
    return (daedal_system){.n = g->n,
                           .residual = residual,
                           .jacobian = with_jacobian ? jacobian : NULL,
                           .jacobian_product = with_product ? product : NULL,
                           .pattern = &g->pattern,
                           .user = g};
}
