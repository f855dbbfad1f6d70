/* integ/radau_step.c - one accepted step of Radau IIA.
 *
 * advance is the outline; the stages follow in the order they are called.  The
 * method: [HW96] IV.8, [HW99]; where we differ and why: docs/theory/radau.md.   */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "integ/one_step.h"
#include "integ/radau.h"
#include "integ/radau_mix.h"
#include "integ/troubles.h"
#include "linalg/vector.h"

/* What the attempts of the step under way have met. */
typedef struct attempts {
    troubles seen;
    int32_t fresh_failures; /* of Newton, although the matrices were new          */
    one_step_errors errors;
    double h_tried;
} attempts;

static daedal_status advance(radau *r, double t_limit);
static troubles_place place_of(const radau *r, const attempts *a);
static bool keep_bounds(radau *r);
static daedal_status retreat_from_newton(radau *r, newton_outcome why, attempts *a);
static daedal_status retreat_from_error(radau *r, attempts *a);
static daedal_status retreat_from_constraints(radau *r, attempts *a);
static void go_on(radau *r, const attempts *a);

daedal_status radau_step(void *self, double t_limit)
{
    radau *r = self;
    double h = r->h;
    int32_t which = r->which;
    daedal_status status = advance(r, t_limit);
    if (status != DAEDAL_OK) { /* should the call be repeated: not with what the failure left */
        r->h = h;
        r->which = which;
        r->wants_parts = WANTED_HERE;
    }
    return status;
}

static daedal_status advance(radau *r, double t_limit)
{
    attempts a = {.seen.newton_max = 40};
    for (;;) {
        troubles_place at = place_of(r, &a);
        TRY(troubles_respect_min_step(&a.seen, &at, &r->h));
        r->h = one_step_fit(&r->in, r->h, t_limit - r->t);
        double t_new = r->h == t_limit - r->t ? t_limit : r->t + r->h;
        at = place_of(r, &a);
        TRY(troubles_check_step(&a.seen, &at));
        a.h_tried = r->h;
        radau_weigh(r);
        newton_outcome outcome = radau_prepare(r);
        if (outcome == NEWTON_DONE) {
            radau_guess(r);
            outcome = radau_solve(r, t_new);
        }
        if (outcome == NEWTON_DONE && !keep_bounds(r))
            outcome = NEWTON_SLOW;
        bool again = (r->steps_done == 0 && !r->on_trial) || a.seen.error > 0;
        if (outcome == NEWTON_DONE)
            outcome = radau_estimate(r, again);
        if (outcome != NEWTON_DONE) {
            PASS(retreat_from_newton(r, outcome, &a));
            continue;
        }
        bool first = r->steps_done == 0;
        if (r->error >= 1.0 && !one_step_has_stalled(&a.errors, r->error, r->h, first)) {
            TRY(retreat_from_error(r, &a));
            continue;
        }
        bool far = false;
        double h_prev = r->h_last;
        PASS(radau_land(r, t_new, &far));
        if (!far) {
            r->h_prev = h_prev;
            go_on(r, &a);
            return DAEDAL_OK;
        }
        TRY(retreat_from_constraints(r, &a));
    }
}

static troubles_place place_of(const radau *r, const attempts *a)
{
    return (troubles_place){&r->in, r->t, r->h, a->h_tried, r->steps_done == 0};
}

/* Put the new point back inside its bounds if it is outside by less than a tolerance. */
static bool keep_bounds(radau *r)
{
    const daedal_system *sys = r->in.ev->sys;
    if (!sys->lower.at && !sys->upper.at)
        return true;
    double *last = r->z[r->now] + 2 * r->which * r->stride;
    for (int32_t i = 0; i < r->n; i++) {
        double low = sys->lower.at ? sys->lower.at[i] : -INFINITY;
        double high = sys->upper.at ? sys->upper.at[i] : INFINITY;
        r->work[i] = fmin(fmax(r->y[i] + last[i], low), high) - (r->y[i] + last[i]);
    }
    if (vector_wrms(r->work, r->inverse_weight, r->n) > 1.0)
        return false;
    for (int32_t i = 0; i < r->n; i++)
        last[i] += r->work[i];
    return true;
}

/* ---- failures ---- */

static daedal_status retreat_from_newton(radau *r, newton_outcome why, attempts *a)
{
    enum { PATIENCE = 3 }; /* failures with new matrices, until fewer stages are tried */
    troubles_place at = place_of(r, a);
    r->worst =
        vector_largest_weighted(r->defects + 2 * r->which * r->stride, r->inverse_weight, r->n);
    PASS(troubles_note_newton(&a->seen, &at, why));
    bool old = r->parts == PARTS_OLD;
    r->eta = 1.0;             /* what was known of convergence is not to be trusted */
    if (why != NEWTON_SLOW) { /* not defined there, or singular */
        r->wants_parts = WANTED_HERE;
        r->h *= a->seen.newton > PATIENCE ? 0.25 : 0.5;
        return DAEDAL_OK;
    }
    if (!old)
        r->h *= a->fresh_failures > PATIENCE ? 0.5 * r->shrink : r->shrink;
    if (!old && ++a->fresh_failures > PATIENCE && r->which > (a->fresh_failures > 8 ? 0 : 1)) {
        r->which--;
        r->since_order = 0;
    }
    if (old || r->parts == PARTS_MIDWAY)
        r->wants_parts = a->fresh_failures > 2 ? WANTED_HERE : WANTED;
    return DAEDAL_OK;
}

static daedal_status retreat_from_error(radau *r, attempts *a)
{
    enum { HOPELESS = 12 };
    const double first_shrink = 0.1;
    r->in.stats->rejected_error++;
    r->worst = vector_largest_weighted(r->err, r->test_weight, r->n);
    a->seen.error++;
    if (a->seen.error > HOPELESS && r->steps_done == 0 && r->error > 1e-3 * a->errors.first) {
        troubles_place at = place_of(r, a);
        return troubles_inconsistent(&at);
    }
    r->h *= r->steps_done == 0 ? first_shrink : radau_error_factor(r);
    if (r->parts != PARTS_HERE) /* a large error may come from a bad extrapolation */
        r->wants_parts = r->error > 100.0 ? WANTED_HERE : WANTED;
    return DAEDAL_OK;
}

static daedal_status retreat_from_constraints(radau *r, attempts *a)
{
    troubles_place at = place_of(r, a);
    PASS(troubles_note_constraints(&a->seen, &at));
    r->h *= 0.5;
    return DAEDAL_OK;
}

/* ---- success ---- */

/* The end of the step, moved onto the constraints; r->shift is the move.  The polynomial of
 * the step stays as it is.                                                       */
static daedal_status project(radau *r, double t_new, bool *far)
{
    const double *last = r->z[r->now] + 2 * r->which * r->stride;
    troubles_place at = {.in = &r->in};
    troubles_move to = {.t = t_new, .y = r->work, .inverse_weight = r->inverse_weight};
    *far = false;
    if (r->in.constraints->n_levels == 0)
        return DAEDAL_OK;
    for (int32_t i = 0; i < r->n; i++)
        r->work[i] = r->point[i] = r->y[i] + last[i];
    PASS(troubles_project(&at, &to));
    *far = to.far;
    for (int32_t i = 0; i < r->n && !to.far; i++)
        r->shift[i] = to.changed ? r->work[i] - r->point[i] : 0.0;
    return DAEDAL_OK;
}

daedal_status radau_land(radau *r, double t_new, bool *far)
{
    int32_t s = 2 * r->which + 1;
    const double *last = r->z[r->now] + (s - 1) * r->stride;
    PASS(project(r, t_new, far));
    if (*far)
        return DAEDAL_OK;
    radau_combine(s, r->rates + (s - 1) * s, r->z[r->now], r->work, r->stride);
    for (int32_t i = 0; i < r->n; i++) {
        r->y_before[i] = r->y[i];
        r->yp_before[i] = r->yp[i];
        r->y[i] += last[i] + r->shift[i];
        r->yp[i] = r->work[i];
    }
    r->now = 1 - r->now;
    r->t_before = r->t;
    r->t = t_new;
    r->gap_known = false;
    r->h_last = r->h;
    r->which_last = r->which;
    return DAEDAL_OK;
}

static void go_on(radau *r, const attempts *a)
{
    daedal_stats *stats = r->in.stats;
    r->steps_done++;
    radau_choose_next(r, a->seen.error + a->seen.newton + a->seen.constraints > 0,
                      a->seen.newton > 0);
    stats->steps++;
    stats->h_last = r->h_last;
    stats->h_next = r->h;
    stats->order_last = 4 * r->which_last + 1;
    stats->order_next = 4 * r->which + 1;
}
