/* solver/corner_steps.c - see run.h: steps that end where F has a corner.
 *
 * F may have corners, where an abs, min, max or a comparison without an event changes, and no
 * method is of its order in a step that has one inside.  The error test of a one-step method
 * sees little of that, since a corner may lie between its stages.  So the arguments are sampled
 * along each accepted step.  Where one changes its sign, away from both ends, the step is taken
 * again and ends there.  A corner nearer to an end than SKIPPED of the step spoils at most the
 * square of that share.  BDF is left alone: its steps are short, and its error test compares with
 * the steps before.                                                               */
#include <math.h>

#include "base/choices.h"
#include "base/status.h"
#include "solver/run.h"

enum { INTERVALS = 8, LOCATE_ROUNDS = 12, CUTS_MAX = 5 };
static const double SKIPPED = 1e-3; /* of the step, at both ends                              */
static const double LOCATED = 1e-4; /* of the step: a corner need not be known more precisely */

static void lay_out(void *object, layout *l)
{
    run_corners *c = object;
    c->g = layout_take(l, (size_t)c->n, sizeof(double));
    c->g_seen = layout_take(l, (size_t)c->n, sizeof(double));
    c->t_seen = layout_take(l, (size_t)c->n, sizeof(double));
}

daedal_status solver_set_corners(daedal_solver *solver, int32_t n, corner_fn *call, void *user)
{
    run *r = &solver->run;
    run_corners *c = &r->limits.corners;
    *c = (run_corners){.call = call, .user = user, .n = n, .t_next = NAN};
    if (n == 0 || block_create(&c->mem, r->allocator, lay_out, c))
        return DAEDAL_OK;
    c->n = 0;
    return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for %d corners", (int)n);
}

static bool is_used(const run *r)
{
    bool is_bdf = r->now.method == METHOD_BDF || r->now.method == METHOD_BDF_CLASSIC;
    return r->limits.corners.n > 0 && !is_bdf && !run_has_high_index(r);
}

/* The arguments at t, inside the last step, into c->g; false: they are not defined there. */
static bool evaluate(run *r, double t)
{
    run_corners *c = &r->limits.corners;
    r->method->interpolate(r->integrator, t, r->y_before, r->yp_before);
    return c->call(t, r->y_before, r->yp_before, c->g, c->user) == DAEDAL_CALL_OK;
}

static bool has_turned(const run_corners *c, int32_t i)
{
    return c->g[i] * c->g_seen[i] < 0.0;
}

/* Which of the arguments that have changed their signs up to t did so first, by secants; or -1. */
static int32_t first_turned(const run_corners *c, double t, double direction)
{
    int32_t first = -1;
    double t_first = 0.0;
    for (int32_t i = 0; i < c->n; i++) {
        if (!has_turned(c, i))
            continue;
        double share = c->g_seen[i] / (c->g_seen[i] - c->g[i]);
        double t_zero = c->t_seen[i] + share * (t - c->t_seen[i]);
        if (first >= 0 && (t_zero - t_first) * direction >= 0.0)
            continue;
        first = i;
        t_first = t_zero;
    }
    return first;
}

/* The zero of argument i between t_seen and t, by the Illinois method; behind it, rather. */
static double locate(run *r, int32_t i, double t, double width)
{
    const run_corners *c = &r->limits.corners;
    double a = c->t_seen[i], b = t, ga = c->g_seen[i], gb = c->g[i];
    for (int round = 0; round < LOCATE_ROUNDS && fabs(b - a) > width; round++) {
        double at = a + (b - a) * fmin(fmax(ga / (ga - gb), 0.02), 0.98);
        if (!evaluate(r, at))
            break;
        if (c->g[i] * ga > 0.0) {
            a = at;
            ga = c->g[i];
            gb *= 0.5;
        } else {
            b = at;
            gb = c->g[i];
            ga *= 0.5;
        }
        if (gb == 0.0)
            break;
    }
    return b;
}

/* Values that are zero say nothing of a sign. */
static void remember(run_corners *c, double t)
{
    for (int32_t i = 0; i < c->n; i++)
        if (c->g[i] != 0.0) {
            c->g_seen[i] = c->g[i];
            c->t_seen[i] = t;
        }
}

/* The first corner inside the last step, into *t. */
static bool find_corner(run *r, double *t)
{
    run_corners *c = &r->limits.corners;
    integ_view v = r->method->view(r->integrator);
    double h = v.t - v.t_before;
    for (int32_t i = 0; i < c->n; i++)
        c->g_seen[i] = 0.0;
    for (int k = 0; k <= INTERVALS; k++) {
        double share = fmin(fmax((double)k / INTERVALS, SKIPPED), 1.0 - SKIPPED);
        double at = v.t_before + share * h;
        if (at == v.t || at == v.t_before || !evaluate(r, at))
            return false;
        int32_t first = first_turned(c, at, h);
        if (first >= 0) {
            *t = locate(r, first, at, LOCATED * fabs(h));
            return *t != v.t && *t != v.t_before;
        }
        remember(c, at);
    }
    return false;
}

static void begin_at(run *r, double t, double h)
{
    r->method->interpolate(r->integrator, t, r->y_before, r->yp_before);
    integ_begin from = {.t = t,
                        .y = r->y_before,
                        .yp = r->yp_before,
                        .h_before = fabs(h),
                        .direction = r->limits.direction,
                        .span = fabs(h)};
    r->method->begin(r->integrator, &from);
}

/* The last step is replaced by one that ends at t, or by a shorter one, behind which t is a limit.
 */
static daedal_status cut(run *r, double t)
{
    run_corners *c = &r->limits.corners;
    integ_view v = r->method->view(r->integrator);
    bool done = false;
    if (r->method->shorten_step)
        RETURN_UNLESS_OK(r->method->shorten_step(r->integrator, t, &done));
    if (done)
        return DAEDAL_OK;
    c->h = v.t - v.t_before;
    c->t_next = t;
    begin_at(r, v.t_before, c->h);
    return r->method->step(r->integrator, t);
}

daedal_status run_cut_at_corners(run *r)
{
    double t;
    for (int cuts = 0; cuts < CUTS_MAX && is_used(r) && find_corner(r, &t); cuts++)
        RETURN_UNLESS_OK(cut(r, t));
    return DAEDAL_OK;
}

double run_limit_at_corners(run *r, double limit)
{
    run_corners *c = &r->limits.corners;
    double t = r->method->view(r->integrator).t, ahead = (c->t_next - t) * r->limits.direction;
    if (ahead == 0.0 && is_used(r)) /* here: what was known of the steps before is of no use */
        begin_at(r, t, c->h);
    if (!(ahead > 0.0))
        c->t_next = NAN;
    return ahead > 0.0 && ahead < fabs(limit - t) ? c->t_next : limit;
}
