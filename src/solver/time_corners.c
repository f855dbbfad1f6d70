/* solver/time_corners.c - see run.h: corners and jumps of F whose times are known beforehand.
 *
 * The argument of a comparison, abs, min, max or rounding that depends on time alone is searched
 * for its next zero before the integrator gets there.  The steps of every method end right before
 * it and begin right behind, where F is the one that holds from there on.  It is no event: nothing
 * is told, and no discrete variable changes.                                          */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "solver/run.h"
#include "solver/sensitivity.h"

enum { STRETCHES = 16 }; /* of what is left of a run, each searched as closely as roots.c allows */

static int of_time(void *self, double t, const double *y, const double *yp, double *g)
{
    const corner_functions *f = self;
    return f->of_time(t, y, yp, g, f->user);
}

static void no_values(void *self, double t, double *y, double *yp)
{
    (void)self;
    (void)t;
    (void)y;
    (void)yp;
}

bool time_corners_create(run *r)
{
    roots_setup setup = {.of = {of_time, &r->limits.corner_of},
                         .n = r->n,
                         .n_events = r->limits.corner_of.n_of_time,
                         .samples = 1,
                         .allocator = r->allocator};
    r->limits.time_corners.t_from = NAN;
    return setup.n_events == 0 || roots_create(&r->limits.time_corners.roots, &setup);
}

static void begin(run *r, double t)
{
    run_time_corners *c = &r->limits.time_corners;
    c->t_from = c->t_known = t;
    c->t_end = c->t_next = r->limits.direction * HUGE_VAL;
    if (roots_begin(&c->roots, t, r->y, r->yp, false) != DAEDAL_CALL_OK)
        c->t_known = r->limits.direction * HUGE_VAL;
}

/* Where steps end before the zero that was found, and begin behind it. */
static void surround(run *r, double t_root)
{
    run_time_corners *c = &r->limits.time_corners;
    roots_curve curve = {no_values, NULL};
    double end = c->roots.t_before, behind = t_root, least = 2.0 * DBL_EPSILON * fabs(t_root);
    double step = copysign(fmax(least, DBL_MIN), r->limits.direction);
    const double *scale = r->limits.corner_of.scale_of_time;
    c->t_known = t_root;
    if (roots_leave_noise(&c->roots, &curve, scale, -step, &end) != DAEDAL_CALL_OK ||
        roots_leave_noise(&c->roots, &curve, scale, step, &behind) != DAEDAL_CALL_OK ||
        roots_begin(&c->roots, behind, r->y, r->yp, false) != DAEDAL_CALL_OK)
        return;
    c->t_end = end;
    c->t_next = c->t_known = behind;
}

/* From where nothing is known: to the stop time, or to the first zero. */
static void search(run *r)
{
    run_time_corners *c = &r->limits.time_corners;
    roots_curve curve = {no_values, NULL};
    double from = c->t_known, stop = r->limits.t_stop, t_root = from;
    bool found = false;
    for (int k = 1; k <= STRETCHES && !found; k++) {
        double end = k == STRETCHES ? stop : from + (stop - from) * k / STRETCHES;
        if (roots_scan(&c->roots, &curve, end, &found, &t_root) != DAEDAL_CALL_OK)
            break;
    }
    c->t_known = stop;
    if (found)
        surround(r, t_root);
}

void run_find_time_corner(run *r, double t)
{
    run_time_corners *c = &r->limits.time_corners;
    double direction = r->limits.direction, stop = r->limits.t_stop;
    if (r->limits.corner_of.n_of_time == 0 || isnan(stop))
        return;
    bool is_known = (t - c->t_from) * direction >= 0.0 && (c->t_known - t) * direction >= 0.0;
    if (!is_known || (r->fresh && r->limits.corner_of.changes_at_events))
        begin(r, t);
    if ((t - c->t_end) * direction > 0.0) /* an event lay there */
        c->t_end = c->t_next = direction * HUGE_VAL;
    if (!isfinite(c->t_next) && (stop - c->t_known) * direction > 0.0)
        search(r);
}

/* The first time from t on that no step may pass. */
double run_limit_at_time_corner(const run *r, double t, double limit)
{
    const run_time_corners *c = &r->limits.time_corners;
    double at = c->t_end, direction = r->limits.direction;
    bool is_first = r->limits.corner_of.n_of_time > 0 && (at - t) * direction > 0.0 &&
                    (limit - at) * direction > 0.0;
    return is_first ? at : limit;
}

daedal_status run_cross_time_corner(run *r, double t_out)
{
    run_time_corners *c = &r->limits.time_corners;
    if (r->limits.corner_of.n_of_time == 0)
        return DAEDAL_OK;
    integ_view v = r->method->view(r->integrator);
    if (v.t != c->t_end)
        return DAEDAL_OK;
    double t = c->t_next, h = fmax(fabs(r->stats.h_last), fabs(v.h_next));
    double direction = r->limits.direction;
    bool is_before_stop = (r->limits.t_stop - t) * direction > 0.0;
    bool tells = is_before_stop && sensitivities_ask_for_time_jumps(r),
         must_jump = run_is_multistep(r) || run_has_high_index(r),
         is_output = (t_out - t) * direction <= 0.0;
    bool jumps = (tells || (must_jump && !is_output)) && run_jumps_between(r, v.t, t, h);
    c->t_end = c->t_next = direction * HUGE_VAL;
    if (tells && jumps)
        sensitivities_tell_jump(r, t);
    /* a new start would cost more steps, or digits of multipliers */
    if (is_output || (must_jump && !jumps))
        return DAEDAL_OK;
    run_values_near(r, t, r->y_before, r->yp_before);
    RETURN_UNLESS_OK(run_resume_at(r, t, r->y_before, r->yp_before));
    if (r->fresh)
        r->start.h_before = h;
    return DAEDAL_OK;
}
