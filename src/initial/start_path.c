/* initial/start_path.c - see start_rows.h: continuation from a point to a solution of the rows.
 *
 * With z0 where the search begins and r the rows of the square system, the points of
 *
 *     H(z, w) = r(z) - (1 - w) r(z0) = 0
 *
 * are a curve through (z0, 0); where it meets w = 1 the rows hold.  Rows that hold at z0 hold on
 * the whole curve: if it begins where the equations hold, only the conditions change
 * (docs/theory/start.md).  The curve may turn back in w, where damped Newton fails, and so it is
 * followed by its arc length: a step along the tangent, then Newton orthogonal to it, with dz = a +
 * b dw, J a = -H, J b = -r(z0).  If it leads away in one direction, the other one is tried. */
#include <math.h>
#include <string.h>

#include "initial/start_rows.h"

enum { STEPS_MAX = 250, CORRECTIONS_MAX = 6 };
static const double STEP_FIRST = 0.05, STEP_MIN = 1e-7, STEP_MAX = 2.0; /* arc length, scaled */
static const double CORRECTED = 1e-6; /* scaled: near enough to the curve to follow it */
static const double WEIGHT_MAX = 1e4; /* of |w|: the curve diverges */

typedef struct path {
    start_problem *m;
    start_rows *s;
    int32_t n;
    double *r0;            /* rows at z0, in the order of the square system        */
    double *z0, *z, *last; /* now, and one point before                            */
    double *unit;          /* of the unknowns                                      */
    double *tz, *a, *b;    /* tangent; across and along                            */
    double tw, w, w_last;
    block mem;
} path;

static void lay_out(void *object, layout *l)
{
    path *p = object;
    double **all[] = {&p->r0, &p->z0, &p->z, &p->last, &p->unit, &p->tz, &p->a, &p->b};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = layout_take(l, (size_t)p->n, sizeof(double));
}

/* Rows of the square system at z; false: no value there. */
static bool evaluate(path *p, const double *z, double *r)
{
    start_rows *s = p->s;
    if (!start_rows_evaluate(p->m, s, z))
        return false;
    for (int32_t i = 0; i < s->n_exprs + s->n_columns; i++)
        if (s->chosen[i])
            r[s->order[i]] = s->r[i];
    return true;
}

static bool factor_at(path *p, const double *z)
{
    return start_rows_slopes(p->m, p->s, z) && start_rows_factor(p->s);
}

static double dot(const path *p, const double *u, const double *v)
{
    double sum = 0.0;
    for (int32_t c = 0; c < p->n; c++)
        sum += u[c] / p->unit[c] * (v[c] / p->unit[c]);
    return sum / p->n;
}

static bool is_finite(const path *p, const double *v)
{
    bool fine = true;
    for (int32_t c = 0; c < p->n; c++)
        fine = fine && isfinite(v[c]);
    return fine;
}

/* b = dz/dw on the curve, with the factors at hand. */
static bool solve_along(path *p)
{
    for (int32_t c = 0; c < p->n; c++)
        p->b[c] = -p->r0[c];
    p->s->solver->solve(p->s->factors, p->b);
    return is_finite(p, p->b);
}

/* The unit tangent, in the direction of the last one; at first in that of `direction` in w. */
static bool turn_tangent(path *p, bool first, double direction)
{
    if (!solve_along(p))
        return false;
    double length = sqrt(dot(p, p->b, p->b) + 1.0);
    double forward = first ? direction : dot(p, p->b, p->tz) + p->tw;
    double sign = forward < 0.0 ? -1.0 : 1.0;
    for (int32_t c = 0; c < p->n; c++)
        p->tz[c] = sign * p->b[c] / length;
    p->tw = sign / length;
    return true;
}

/* Correct the predicted point (z, w) to the curve; returns the number of iterations, or -1. */
static int correct(path *p, double *z, double *w)
{
    double before = HUGE_VAL;
    for (int k = 1; k <= CORRECTIONS_MAX; k++) {
        if (!evaluate(p, z, p->a) || !factor_at(p, z) || !solve_along(p))
            return -1;
        for (int32_t c = 0; c < p->n; c++)
            p->a[c] = (1.0 - *w) * p->r0[c] - p->a[c];
        p->s->solver->solve(p->s->factors, p->a);
        double across = dot(p, p->tz, p->b) + p->tw;
        double dw = -dot(p, p->tz, p->a) / across;
        for (int32_t c = 0; c < p->n; c++)
            p->a[c] += p->b[c] * dw;
        double size = sqrt(dot(p, p->a, p->a) + dw * dw);
        if (!isfinite(size) || size > 0.5 * before)
            return -1;
        for (int32_t c = 0; c < p->n; c++)
            z[c] += p->a[c];
        *w += dw;
        if (size <= CORRECTED)
            return k;
        before = size;
    }
    return -1;
}

/* False if the tangent turned too far in one step: the point may lie on another branch. */
static bool continues_smoothly(path *p)
{
    const double cosine = 0.5;
    double tw = p->tw;
    memcpy(p->a, p->tz, (size_t)p->n * sizeof(double));
    return turn_tangent(p, false, 0.0) && dot(p, p->a, p->tz) + tw * p->tw >= cosine;
}

static void set_units(path *p)
{
    for (int32_t c = 0; c < p->n; c++) {
        double size = c < p->m->reduced->n ? p->m->compiled->nominal[c] : p->s->weight[c];
        p->unit[c] = fmax(fabs(p->z[c]), size > 0.0 ? size : 1.0);
    }
}

/* One step of length h; false: nothing has changed. */
static bool step(path *p, double h, int *corrections)
{
    double *z = p->s->step, w = p->w + h * p->tw;
    for (int32_t c = 0; c < p->n; c++)
        z[c] = p->z[c] + h * p->tz[c];
    double tw = p->tw;
    memcpy(p->last, p->tz, (size_t)p->n * sizeof(double));
    *corrections = correct(p, z, &w);
    if (*corrections < 0 || !continues_smoothly(p)) {
        memcpy(p->tz, p->last, (size_t)p->n * sizeof(double));
        p->tw = tw;
        return false;
    }
    memcpy(p->last, p->z, (size_t)p->n * sizeof(double));
    memcpy(p->z, z, (size_t)p->n * sizeof(double));
    p->w_last = p->w;
    p->w = w;
    return true;
}

/* Interpolate between the last two points to w = 1, then solve the rows themselves. */
static bool finish_at_one(path *p)
{
    double part = (1.0 - p->w_last) / (p->w - p->w_last);
    for (int32_t c = 0; c < p->n; c++)
        p->s->z[c] = p->last[c] + part * (p->z[c] - p->last[c]);
    return start_rows_newton(p->m, p->s);
}

static bool follow(path *p, double direction)
{
    double h = STEP_FIRST;
    memcpy(p->z, p->z0, (size_t)p->n * sizeof(double));
    p->w = 0.0;
    set_units(p);
    if (!factor_at(p, p->z) || !turn_tangent(p, true, direction))
        return false;
    for (int k = 0; k < STEPS_MAX && h >= STEP_MIN && fabs(p->w) < WEIGHT_MAX; k++) {
        int corrections = 0;
        if (!step(p, h, &corrections)) {
            h *= 0.25;
            continue;
        }
        if ((p->w - 1.0) * (p->w_last - 1.0) <= 0.0 && finish_at_one(p))
            return true;
        set_units(p);
        h = fmin(corrections <= 3 ? 2.0 * h : h, STEP_MAX);
    }
    return false;
}

bool start_path_follow(start_problem *m, start_rows *s)
{
    path p = {.m = m, .s = s, .n = s->n_columns};
    if (p.n == 0 || !block_create(&p.mem, m->allocator, lay_out, &p))
        return false;
    memcpy(p.z0, s->z, (size_t)p.n * sizeof(double));
    bool found = evaluate(&p, p.z0, p.r0) && (follow(&p, 1.0) || follow(&p, -1.0));
    if (!found)
        memcpy(s->z, p.z0, (size_t)p.n * sizeof(double));
    block_free(&p.mem);
    return found;
}
