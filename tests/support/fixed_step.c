/* support/fixed_step.c - see fixed_step.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixed_step.h"
#include "small_dense.h"

static void sizes_of(int32_t n, const double *y, double *size)
{
    for (int32_t i = 0; i < n; i++)
        size[i] = fmax(1.0, fabs(y[i]));
}

/* ---- Runge-Kutta ----------------------------------------------------------------------- */

/* The unknowns are the increments h Y'_i of the stages `first` .. s-1. */
typedef struct stages {
    const tableau *m;
    const daedal_system *sys;
    double t, h;
    const double *y;
    int32_t first;
    double known[TRIAL_MAX]; /* h Y' of stage 0, if first = 1 */
} stages;

static const double *increment(const stages *s, const double *x, int32_t i)
{
    return i < s->first ? s->known : x + (i - s->first) * s->sys->n;
}

static void stage_residuals(const double *x, double *r, void *user)
{
    const stages *s = user;
    int32_t n = s->sys->n;
    double y[TRIAL_MAX], yp[TRIAL_MAX];
    for (int32_t i = s->first; i < s->m->stages; i++) {
        memcpy(y, s->y, (size_t)n * sizeof *y);
        for (int32_t j = 0; j < s->m->stages; j++)
            for (int32_t v = 0; v < n && s->m->a[i][j] != 0.0; v++)
                y[v] += s->m->a[i][j] * increment(s, x, j)[v];
        for (int32_t v = 0; v < n; v++)
            yp[v] = increment(s, x, i)[v] / s->h;
        s->sys->residual(s->t + s->m->c[i] * s->h, y, yp, r + (i - s->first) * n, s->sys->user);
    }
}

static bool begins_at_old_point(const tableau *m)
{
    for (int32_t j = 0; j < m->stages; j++)
        if (m->a[0][j] != 0.0)
            return false;
    return true;
}

bool rk_step(const tableau *m, const daedal_system *sys, double t, double h, double *y, double *yp)
{
    int32_t n = sys->n;
    stages s = {.m = m, .sys = sys, .t = t, .h = h, .y = y, .first = begins_at_old_point(m)};
    int32_t unknowns = (m->stages - s.first) * n;
    assert_true(n <= TRIAL_MAX && unknowns <= SMALL_MAX && (yp != NULL || s.first == 0));
    double x[SMALL_MAX] = {0}, size[SMALL_MAX];
    for (int32_t i = 0; i < unknowns; i += n) {
        sizes_of(n, y, size + i);
        for (int32_t v = 0; v < n && yp != NULL; v++)
            s.known[v] = x[i + v] = h * yp[v];
    }
    if (!small_newton(unknowns, stage_residuals, &s, size, x))
        return false;
    for (int32_t i = 0; i < m->stages; i++)
        for (int32_t v = 0; v < n; v++)
            y[v] += m->b[i] * increment(&s, x, i)[v];
    for (int32_t v = 0; v < n && yp != NULL; v++)
        yp[v] = increment(&s, x, m->stages - 1)[v] / h;
    return true;
}

void rk_run(const tableau *m, const daedal_system *sys, double t0, double t1, int32_t steps,
            double *y)
{
    double h = (t1 - t0) / steps;
    for (int32_t i = 0; i < steps; i++)
        if (!rk_step(m, sys, t0 + i * h, h, y, NULL))
            fail_msg("%s: no solution of step %d of %d", m->name, i + 1, steps);
}

static void errors_of(const trial_problem *p, double t, const double *y, double *error)
{
    double right[TRIAL_MAX];
    p->exact(t, right, p->sys.user);
    for (int32_t v = 0; v < p->sys.n; v++)
        error[v] = fabs(y[v] - right[v]);
}

void rk_error(const tableau *m, const trial_problem *p, int32_t steps, double *error)
{
    double y[TRIAL_MAX];
    p->exact(p->t0, y, p->sys.user);
    rk_run(m, &p->sys, p->t0, p->t_end, steps, y);
    errors_of(p, p->t_end, y, error);
}

/* ---- BDF --------------------------------------------------------------------------------- */

/* Derivatives at times[0] of the Lagrange polynomials. */
void bdf_weights(const double *times, int32_t k, double *weight)
{
    weight[0] = 0.0;
    for (int32_t i = 1; i <= k; i++) {
        weight[0] += 1.0 / (times[0] - times[i]);
        weight[i] = 1.0 / (times[i] - times[0]);
        for (int32_t j = 1; j <= k; j++)
            if (j != i)
                weight[i] *= (times[0] - times[j]) / (times[i] - times[j]);
    }
}

mesh mesh_open(int32_t n, double t0, double t1, int32_t steps, double ratio)
{
    mesh g = {.n = n, .count = steps + 1};
    g.times = calloc((size_t)g.count, sizeof *g.times);
    g.y = calloc((size_t)(n * g.count), sizeof *g.y);
    assert_true(g.times != NULL && g.y != NULL);
    double whole = 0.0;
    for (int32_t i = 1; i <= steps; i++)
        g.times[i] = whole += i % 2 == 1 ? 1.0 : ratio;
    for (int32_t i = 0; i <= steps; i++)
        g.times[i] = t0 + (t1 - t0) * (g.times[i] / whole);
    return g;
}

void mesh_close(mesh *g)
{
    free(g->times);
    free(g->y);
}

double *mesh_at(const mesh *g, int32_t i)
{
    assert_true(i >= 0 && i < g->count);
    return g->y + i * g->n;
}

void mesh_begin(mesh *g, const trial_problem *p, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        p->exact(g->times[i], mesh_at(g, i), p->sys.user);
}

typedef struct bdf_point {
    const daedal_system *sys;
    double t, leading;
    double past[TRIAL_MAX]; /* y' = leading y + past */
} bdf_point;

static void bdf_residual(const double *y, double *r, void *user)
{
    const bdf_point *at = user;
    double yp[TRIAL_MAX];
    for (int32_t v = 0; v < at->sys->n; v++)
        yp[v] = at->leading * y[v] + at->past[v];
    at->sys->residual(at->t, y, yp, r, at->sys->user);
}

bool bdf_advance(mesh *g, const daedal_system *sys, int32_t k, int32_t i)
{
    double times[BDF_STEPS_MAX + 1], weight[BDF_STEPS_MAX + 1], size[TRIAL_MAX];
    assert_true(k >= 1 && k <= BDF_STEPS_MAX && i >= k && g->n <= TRIAL_MAX);
    for (int32_t j = 0; j <= k; j++)
        times[j] = g->times[i - j];
    bdf_weights(times, k, weight);
    bdf_point at = {.sys = sys, .t = times[0], .leading = weight[0]};
    for (int32_t j = 1; j <= k; j++)
        for (int32_t v = 0; v < g->n; v++)
            at.past[v] += weight[j] * mesh_at(g, i - j)[v];
    sizes_of(g->n, mesh_at(g, i - 1), size);
    return small_newton(g->n, bdf_residual, &at, size, mesh_at(g, i));
}

void bdf_run(mesh *g, const daedal_system *sys, int32_t k, int32_t first)
{
    for (int32_t i = first; i < g->count; i++) {
        memcpy(mesh_at(g, i), mesh_at(g, i - 1), (size_t)g->n * sizeof *g->y);
        if (!bdf_advance(g, sys, k, i))
            fail_msg("BDF of order %d: no solution at point %d", k, i);
    }
}

void bdf_error(int32_t k, const trial_problem *p, int32_t steps, double ratio, double *error)
{
    mesh g = mesh_open(p->sys.n, p->t0, p->t_end, steps, ratio);
    mesh_begin(&g, p, k);
    bdf_run(&g, &p->sys, k, k);
    errors_of(p, p->t_end, mesh_at(&g, steps), error);
    mesh_close(&g);
}

/* ---- how errors fall ---------------------------------------------------------------------- */

double order_between(double coarse, double fine)
{
    return log2(coarse / fine);
}

double largest_error(const double *error, int32_t n)
{
    double largest = 0.0;
    for (int32_t v = 0; v < n; v++)
        largest = fmax(largest, fabs(error[v]));
    return largest;
}

void expect_order(const char *what, const char *part, double found, double wanted, double slack)
{
    if (!(fabs(found - wanted) <= slack))
        fail_msg("%s, %s: order %.2f, expected %.2f within %.2f", what, part, found, wanted, slack);
}

void expect_about(const char *what, double found, double wanted, double part)
{
    double ratio = found / wanted;
    if (!(ratio >= 1.0 / (1.0 + part) && ratio <= 1.0 + part))
        fail_msg("%s: %.6g is not %.6g within %.0f%%", what, found, wanted, 100.0 * part);
}

/* ---- references ----------------------------------------------------------------------------- */

void reference_ode(slope_fn *f, void *user, int32_t n, double t0, double t1, double *y)
{
    enum { STEPS = 4000 };
    static const double REACH[] = {0.0, 0.5, 0.5, 1.0}, SHARE[] = {1.0, 2.0, 2.0, 1.0};
    double h = (t1 - t0) / STEPS, lost[TRIAL_MAX] = {0};
    for (int32_t i = 0; i < STEPS && h != 0.0; i++) {
        double slope[TRIAL_MAX] = {0}, sum[TRIAL_MAX] = {0}, at[TRIAL_MAX];
        for (int32_t stage = 0; stage < 4; stage++) {
            for (int32_t v = 0; v < n; v++)
                at[v] = y[v] + REACH[stage] * h * slope[v];
            f(t0 + (i + REACH[stage]) * h, at, slope, user);
            for (int32_t v = 0; v < n; v++)
                sum[v] += SHARE[stage] * slope[v];
        }
        for (int32_t v = 0; v < n; v++) { /* compensated: thousands of roundings otherwise */
            double change = h / 6.0 * sum[v] - lost[v], next = y[v] + change;
            lost[v] = (next - y[v]) - change;
            y[v] = next;
        }
    }
}
