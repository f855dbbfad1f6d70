/* support/problems_heat.c - the heat equation on the unit square by differences.
 *
 * u_t = u_xx + u_yy on m x m grid points including the boundary, where 0 = u is an
 * algebraic equation; u(x, y, 0) = 16 x (1 - x) y (1 - y).  The data separate, so the
 * exact solution of the semi-discrete system is 16 v(x, t) v(y, t), where v solves the
 * one-dimensional semi-discrete equation and follows from its sine transform.
 * daedal is given neither Jacobian nor pattern here; a peer gets both.
 * Contents: heat2d_n100, heat2d_n1024, heat2d_n10000, heat2d_n40000.
 * Depends on: support/problems.h.                                                 */
#include "problems.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

typedef struct grid {
    int32_t m;      /* points in each direction, with the boundary */
    double inverse; /* 1 / spacing^2                               */
} grid;

static int heat_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    const grid *g = user;
    const int32_t m = g->m;
    const double q = g->inverse;
    for (int32_t i = 0; i < m; i++) {
        r[i] = y[i];
        r[m * (m - 1) + i] = y[m * (m - 1) + i];
    }
    for (int32_t j = 1; j < m - 1; j++) {
        const double *u = y + (ptrdiff_t)j * m, *up = yp + (ptrdiff_t)j * m;
        double *row = r + (ptrdiff_t)j * m;
        row[0] = u[0];
        for (int32_t i = 1; i < m - 1; i++)
            row[i] = up[i] - q * (u[i - 1] + u[i + 1] + u[i - m] + u[i + m] - 4.0 * u[i]);
        row[m - 1] = u[m - 1];
    }
    return DAEDAL_CALL_OK;
}

static bool inside(const grid *g, int32_t i, int32_t j)
{
    return i > 0 && j > 0 && i < g->m - 1 && j < g->m - 1;
}

/* The rows of column (i, j), ascending, into row; returns how many (at most 5).  The
 * equation of a neighbour contains u(i, j) only if the neighbour lies inside.        */
static int column_rows(const grid *g, int32_t i, int32_t j, int32_t row[5])
{
    const int32_t m = g->m, k = i + m * j;
    int count = 0;
    if (inside(g, i, j - 1))
        row[count++] = k - m;
    if (inside(g, i - 1, j))
        row[count++] = k - 1;
    row[count++] = k;
    if (inside(g, i + 1, j))
        row[count++] = k + 1;
    if (inside(g, i, j + 1))
        row[count++] = k + m;
    return count;
}

static int heat_jacobian(double t, const double *y, const double *yp, double c, double *values,
                         void *user)
{
    (void)t, (void)y, (void)yp;
    const grid *g = user;
    for (int32_t j = 0; j < g->m; j++)
        for (int32_t i = 0; i < g->m; i++) {
            int32_t row[5] = {0};
            const int count = column_rows(g, i, j, row);
            for (int k = 0; k < count; k++) {
                const bool diagonal = row[k] == i + g->m * j;
                values[k] = !diagonal ? -g->inverse : inside(g, i, j) ? c + 4.0 * g->inverse : 1.0;
            }
            values += count;
        }
    return DAEDAL_CALL_OK;
}

/* One problem with its tables, filled on first use. */
typedef struct heat {
    grid g;
    daedal_pattern pattern;
    problem p;
} heat;

static void *reserve(int32_t count, size_t size)
{
    void *block = calloc((size_t)count, size);
    if (!block)
        abort();
    return block;
}

static void set_pattern(heat *h)
{
    const int32_t m = h->g.m, n = m * m;
    int32_t *start = reserve(n + 1, sizeof *start), *row = reserve(5 * n, sizeof *row);
    for (int32_t k = 0; k < n; k++)
        start[k + 1] = start[k] + column_rows(&h->g, k % m, k / m, row + start[k]);
    h->pattern = (daedal_pattern){n, n, start, row};
}

/* v(x_i, t) = sum_k c_k sin(k pi x_i) exp(-lambda_k t) for v(x, 0) = x (1 - x). */
static void set_profile(const grid *g, double t, double *v)
{
    const int32_t m = g->m;
    const double spacing = 1.0 / (m - 1);
    for (int32_t k = 1; k < m - 1; k++) {
        const double s = sin(0.5 * k * pi * spacing);
        double coefficient = 0.0;
        for (int32_t i = 1; i < m - 1; i++)
            coefficient += i * spacing * (1.0 - i * spacing) * sin(k * pi * i * spacing);
        coefficient *= 2.0 * spacing * exp(-4.0 * g->inverse * s * s * t);
        for (int32_t i = 1; i < m - 1; i++)
            v[i] += coefficient * sin(k * pi * i * spacing);
    }
}

/* 16 v(x_i) v(x_j), where v is the profile at time t. */
static double *make_solution(const grid *g, double t)
{
    const int32_t m = g->m;
    double *u = reserve(m * m, sizeof *u), *v = reserve(m, sizeof *v);
    if (t > 0.0)
        set_profile(g, t, v);
    else
        for (int32_t i = 0; i < m; i++)
            v[i] = (double)i / (m - 1) * (1.0 - (double)i / (m - 1));
    for (int32_t k = 0; k < m * m; k++)
        u[k] = 16.0 * v[k % m] * v[k / m];
    free(v);
    return u;
}

/* One row of the table below. */
typedef struct heat_size {
    const char *name;
    int32_t m;
    int collections;
    bool given; /* daedal gets the Jacobian and its pattern too */
} heat_size;

static void fill(heat *h, const heat_size *size)
{
    const int32_t m = size->m, n = m * m;
    h->g = (grid){m, (double)(m - 1) * (m - 1)};
    double *y0 = make_solution(&h->g, 0.0), *yp0 = reserve(n, sizeof *yp0);
    double *rate = reserve(n, sizeof *rate);
    int32_t *kind = reserve(n, sizeof *kind);
    heat_residual(0.0, y0, yp0, rate, &h->g);
    for (int32_t k = 0; k < n; k++) {
        const bool differential = inside(&h->g, k % m, k / m);
        kind[k] = differential ? DAEDAL_DIFFERENTIAL : DAEDAL_ALGEBRAIC;
        yp0[k] = differential ? -rate[k] : 0.0;
    }
    free(rate);
    set_pattern(h);
    h->p = (problem){.name = size->name,
                     .title = "Heat equation on a square, boundary algebraic",
                     .source = "SUNDIALS IDA example idaHeat2D (equations); exact solution of "
                               "the semi-discrete system by sine transform",
                     .n = n,
                     .residual = heat_residual,
                     .peer_jacobian = heat_jacobian,
                     .peer_pattern = &h->pattern,
                     .user = &h->g,
                     .t_end = 0.05,
                     .y0 = y0,
                     .yp0 = yp0,
                     .reference = make_solution(&h->g, 0.05),
                     .norm = DIGITS_MAX_NORM,
                     .atol_factor = 1.0,
                     .kind = kind,
                     .collections = size->collections};
    if (size->given) {
        h->p.jacobian = heat_jacobian;
        h->p.pattern = &h->pattern;
    }
}

const problem *problems_heat(int i)
{
    static const heat_size size[] = {
        {"heat2d_n100", 10, 0, false},
        {"heat2d_n1024", 32, 0, false},
        {"heat2d_n10000", 100, PROBLEM_LARGE, false},
        {"heat2d_n40000", 200, 0, false},
        {"heat2d_n100_given", 10, PROBLEM_MAIN, true},
        {"heat2d_n1024_given", 32, PROBLEM_MAIN, true},
    };
    enum { COUNT = sizeof size / sizeof size[0] };
    static heat made[COUNT];
    if (i < 0 || i >= COUNT)
        return NULL;
    if (!made[i].p.name)
        fill(&made[i], &size[i]);
    return &made[i].p;
}
