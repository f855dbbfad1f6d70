/* integ/radau_step.c - one accepted step of Radau IIA.
 *
 * advance is the outline; the stages follow in the order they are called.  The
 * method: [HW96] IV.8, [HW99]; where we differ and why: docs/theory/radau.md.   */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "integ/radau.h"
#include "integ/radau_mix.h"
#include "integ/step_attempts.h"
#include "linalg/vector.h"
#include "newton/bounds.h"
#include "newton/missing_entries.h"

static daedal_status advance(radau *r, double t_limit);
static newton_outcome attempt(radau *r, const step_attempts *a);
static daedal_status retreat_from_newton(radau *r, step_attempts *a, newton_outcome why);
static daedal_status retreat_from_error(radau *r, step_attempts *a);
static void go_on(radau *r, double h_before, const step_attempts *a);

daedal_status radau_step(void *self, double t_limit)
{
    radau *r = self;
    double h = r->h;
    int32_t pairs = r->pairs;
    daedal_status status = advance(r, t_limit);
    if (status != DAEDAL_OK) { /* should the call be repeated: not with what the failure left */
        r->h = h;
        r->pairs = pairs;
        r->newton.renewal = RENEW_HERE;
    }
    return status;
}

static bool has_stalled(radau *r, step_attempts *a)
{
    const radau_table *tab = radau_now(r);
    double slope_weight = 0.0;
    for (int32_t i = 0; i < tab->stages; i++)
        slope_weight += fabs(tab->slope_at_start[i]);
    if (r->control.excused_step + 1 != r->steps_done)
        memset(r->control.carried, 0, (size_t)r->n * sizeof(double));
    step_attempts_error at = {.h = r->h,
                              .y = r->y,
                              .yp = r->yp,
                              .error = r->err,
                              .inverse_weight = r->control.test_weight,
                              .size = r->control.error,
                              .slope_weight = slope_weight,
                              .carried = r->control.carried,
                              .point = r->point, /* these are free by now */
                              .residual = r->newton.defects};
    bool stalled = step_attempts_have_stalled(a, &at);
    r->control.error = at.size;
    if (at.by_roundoff)
        r->control.excused_step = r->steps_done;
    return stalled;
}

static daedal_status advance(radau *r, double t_limit)
{
    step_attempts a = step_attempts_begin(&r->in, r->t, t_limit, &r->h, r->steps_done == 0);
    r->newton.failures_with_new_jacobian = 0;
    for (;;) {
        TRY(step_attempts_next(&a));
        newton_outcome outcome = attempt(r, &a);
        if (outcome != NEWTON_DONE) {
            RETURN_UNLESS_OK(retreat_from_newton(r, &a, outcome));
            continue;
        }
        if (r->control.error >= 1.0 && !has_stalled(r, &a)) {
            RETURN_UNLESS_OK(retreat_from_error(r, &a));
            continue;
        }
        bool far = false;
        double h_before = r->h_last;
        RETURN_UNLESS_OK(radau_land(r, a.t_new, &far));
        if (!far) {
            go_on(r, h_before, &a);
            return DAEDAL_OK;
        }
        RETURN_UNLESS_OK(step_attempts_note_constraints(&a));
    }
}

/* ---- one attempt ---- */

/* Put the new point back inside its bounds if it is outside by less than a tolerance. */
static bool keep_bounds(radau *r)
{
    double *last = radau_last(r, r->z[r->now]);
    if (!bounds_are_given(r->in.ev->sys))
        return true;
    for (int32_t i = 0; i < r->n; i++)
        r->point[i] = r->y[i] + last[i];
    if (!bounds_way_back(r->in.ev->sys, &r->in.ev->space, r->point, r->work))
        return true;
    if (space_wrms(&r->in.ev->space, r->work, r->inverse_weight) > 1.0)
        return false;
    for (int32_t i = 0; i < r->n; i++)
        last[i] += r->work[i];
    return true;
}

/* Stages in z[now] and their error. */
static newton_outcome attempt(radau *r, const step_attempts *a)
{
    radau_weigh(r);
    newton_outcome outcome = radau_prepare(r);
    if (outcome != NEWTON_DONE)
        return outcome;
    radau_guess(r);
    outcome = radau_solve(r, a->t_new);
    if (outcome != NEWTON_DONE)
        return outcome;
    if (!keep_bounds(r))
        return NEWTON_SLOW;
    bool doubtful = (a->first && !r->control.on_trial) || a->error > 0;
    return radau_estimate(r, doubtful);
}

/* ---- failures ---- */

/* Newton's iteration failed with new matrices: the step is too long.  After some such failures the
 * number of stages is reduced too.                                            */
static void shorten(radau *r)
{
    enum { PATIENCE = 3, LONG_PATIENCE = 8 };
    r->h *= r->newton.failures_with_new_jacobian > PATIENCE ? 0.5 * r->newton.step_factor
                                                            : r->newton.step_factor;
    int32_t least = ++r->newton.failures_with_new_jacobian > LONG_PATIENCE ? 0 : 1;
    if (r->newton.failures_with_new_jacobian > PATIENCE && r->pairs > least) {
        r->pairs--;
        r->control.since_order = 0;
    }
}

/* Whether the iteration failed because the Jacobian lacks entries at the end of the step. */
static bool lacks_entries(radau *r, double t_new)
{
    const double *last = radau_last(r, r->z[r->now]);
    matrix_point at = {
        t_new, r->h, r->point, radau_last(r, r->newton.slopes), NULL, r->inverse_weight};
    for (int32_t i = 0; i < r->n; i++)
        r->point[i] = r->y[i] + last[i];
    return missing_entries_look(r->in.matrix, &at);
}

static daedal_status retreat_from_newton(radau *r, step_attempts *a, newton_outcome why)
{
    enum { A_FEW = 3 };
    r->control.worst = space_largest_weighted(&r->in.ev->space, radau_last(r, r->newton.defects),
                                              r->inverse_weight);
    if (why == NEWTON_SLOW && r->newton.jacobian != JACOBIAN_OLD && lacks_entries(r, a->t_new))
        return DAEDAL_STOPPED;
    RETURN_UNLESS_OK(
        step_attempts_note_newton(a, why, radau_last(r, r->newton.defects), r->inverse_weight));
    r->newton.eta = 1.0;      /* what was known of convergence is not to be trusted */
    if (why != NEWTON_SLOW) { /* not defined there, or singular */
        r->newton.renewal = RENEW_HERE;
        r->h *= a->newton > A_FEW ? 0.25 : 0.5;
        return DAEDAL_OK;
    }
    if (r->newton.jacobian != JACOBIAN_OLD)
        shorten(r);
    if (r->newton.jacobian != JACOBIAN_HERE)
        r->newton.renewal = r->newton.failures_with_new_jacobian >= A_FEW ? RENEW_HERE : RENEW;
    return DAEDAL_OK;
}

static daedal_status retreat_from_error(radau *r, step_attempts *a)
{
    const double first_shrink = 0.1;
    r->control.worst = space_largest_weighted(&r->in.ev->space, r->err, r->control.test_weight);
    RETURN_UNLESS_OK(step_attempts_note_error(a, r->control.error, r->control.worst));
    radau_note_rejection(r);
    r->h *= a->first ? first_shrink : radau_error_factor(r);
    if (r->newton.jacobian != JACOBIAN_HERE) /* a large error may come from a bad extrapolation */
        r->newton.renewal = r->control.error > 100.0 ? RENEW_HERE : RENEW;
    return DAEDAL_OK;
}

/* ---- success ---- */

/* Move the end of the step onto the constraints.  r->dense.shift is the displacement; the
 * polynomial of the step does not change.                                                      */
static daedal_status project(radau *r, double t_new, bool *far)
{
    const double *last = radau_last(r, r->z[r->now]);
    step_attempts_move to = {.t = t_new, .y = r->work, .inverse_weight = r->inverse_weight};
    *far = false;
    if (r->in.constraints->n_levels == 0)
        return DAEDAL_OK;
    for (int32_t i = 0; i < r->n; i++)
        r->work[i] = r->point[i] = r->y[i] + last[i];
    RETURN_UNLESS_OK(step_attempts_project(&r->in, &to));
    *far = to.far;
    for (int32_t i = 0; i < r->n && !to.far; i++)
        r->dense.shift[i] = to.changed ? r->work[i] - r->point[i] : 0.0;
    return DAEDAL_OK;
}

daedal_status radau_land(radau *r, double t_new, bool *far)
{
    int32_t s = 2 * r->pairs + 1;
    const double *last = radau_last(r, r->z[r->now]);
    RETURN_UNLESS_OK(project(r, t_new, far));
    if (*far)
        return DAEDAL_OK;
    radau_combine(s, r->newton.a_inverse_by_h + (s - 1) * s, r->z[r->now], r->work, r->stride);
    for (int32_t i = 0; i < r->n; i++) {
        r->y_before[i] = r->y[i];
        r->yp_before[i] = r->yp[i];
        r->y[i] += last[i] + r->dense.shift[i];
        r->yp[i] = r->work[i];
    }
    r->now = 1 - r->now;
    r->t_before = r->t;
    r->t = t_new;
    r->dense.gap_known = false;
    r->h_last = r->h;
    r->pairs_last = r->pairs;
    return DAEDAL_OK;
}

static void go_on(radau *r, double h_before, const step_attempts *a)
{
    r->h_prev = h_before;
    r->steps_done++;
    r->control.refusals = 0;
    r->control.error_rejected = 0.0;
    r->control.attempts = 0;
    radau_choose_next(r, step_attempts_any_failed(a), a->newton > 0);
    int32_t worst = space_largest_weighted(&r->in.ev->space, r->err, r->control.test_weight);
    step_attempts_count_step(&r->in,
                             (step_attempts_success){r->h_last, r->h, radau_order(r->pairs_last),
                                                     radau_order(r->pairs), worst});
}
