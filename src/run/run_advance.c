/* run/run_advance.c - from call to call: steps, events, breakpoints, output points. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "explain/explain.h"
#include "run/run.h"

/* Does time x come before time y in the direction of the run? */
static bool before(const run *r, double x, double y)
{
    return (y - x) * r->direction > 0.0;
}

static double earlier(const run *r, double x, double y)
{
    return before(r, x, y) ? x : y;
}

/* The next breakpoint after t, or t_far. */
static double next_breakpoint(const run *r, double t, double t_far)
{
    int32_t n = r->opt.breakpoints.n;
    double next = t_far;
    for (int32_t i = 0; i < n; i++) {
        double at = r->breakpoints[i];
        if (before(r, t, at))
            next = earlier(r, at, next);
    }
    return next;
}

static bool is_breakpoint(const run *r, double t)
{
    for (int32_t i = 0; i < r->opt.breakpoints.n; i++)
        if (r->breakpoints[i] == t)
            return true;
    return false;
}

/* What no step may pass: stop time and breakpoints. */
static double limit_of(const run *r, double t)
{
    double far = r->direction * HUGE_VAL;
    double limit = next_breakpoint(r, t, far);
    return isnan(r->t_stop) ? limit : earlier(r, limit, r->t_stop);
}

static void stand_at(run *r, double t)
{
    r->how->interpolate(r->integrator, t, r->y, r->yp);
    r->state.t = t;
}

static daedal_status events_until(run *r, double t_end)
{
    bool found = false;
    double t_root = t_end;
    roots_curve curve = {r->how, r->integrator};
    int answer = roots_scan(&r->roots, &curve, t_end, &found, &t_root);
    if (answer == DAEDAL_CALL_STOP)
        return DAEDAL_STOPPED;
    if (answer != DAEDAL_CALL_OK)
        return evaluator_explain(&r->ev, &r->why);
    if (!found)
        return DAEDAL_OK;
    stand_at(r, t_root);
    r->at_event = true;
    r->stats.events++;
    return DAEDAL_EVENT;
}

static void leave_event(run *r)
{
    if (r->at_event)
        memset(r->roots.fired, 0, (size_t)r->roots.n_events * sizeof(int32_t));
    r->at_event = false;
}

static daedal_status report_progress(run *r, double t_end)
{
    if (!r->opt.progress)
        return DAEDAL_OK;
    integ_view v = r->how->view(r->integrator);
    daedal_progress where = {v.t, t_end, v.h_next, v.order, r->stats.steps};
    int answer = r->opt.progress(&where, r->opt.callback_user);
    return answer == DAEDAL_CALL_OK || answer == DAEDAL_CALL_RETRY ? DAEDAL_OK : DAEDAL_STOPPED;
}

static daedal_status take_step(run *r, double t_out, double limit)
{
    daedal_status status = r->how->step(r->integrator, limit);
    if (status < 0) {
        integ_view v = r->how->view(r->integrator);
        explain_failure(&(explain_point){&r->ev, &r->matrix, &r->why, r->allocator, v.t, v.y, v.yp,
                                         r->inverse_weight, fabs(v.h_next)},
                        v.worst);
    }
    return status == DAEDAL_OK ? report_progress(r, t_out) : status;
}

static daedal_status check_call(run *r, double t_out)
{
    diagnosis_clear(&r->why);
    if (!r->started)
        return fail(&r->why, DAEDAL_ERR_ORDER,
                    "the run has no start yet: call daedal_solver_start first");
    if (isnan(t_out))
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "the output time is NaN");
    bool behind = r->direction != 0.0 && before(r, t_out, r->state.t);
    if (behind)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "the output time %.10g lies behind the state at t = %.10g; to turn round, "
                    "start again there",
                    t_out, r->state.t);
    bool beyond = !isnan(r->t_stop) && (t_out - r->t_stop) * (r->t_stop - r->state.t) > 0.0;
    if (isinf(t_out) && !beyond)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "the output time is infinite and no stop time is set");
    return DAEDAL_OK;
}

/* The state is where the integrator stands and t_out lies ahead: what next? */
static daedal_status cross_limits(run *r, double t_out)
{
    if (!r->fresh && !isnan(r->t_stop) && r->state.t == r->t_stop)
        return DAEDAL_AT_STOP_TIME;
    if (!r->fresh && is_breakpoint(r, r->state.t)) {
        bool stands_at_event = r->at_event;
        TRY(run_restart(r, NULL, NULL));
        r->at_event = stands_at_event;
    }
    if (r->fresh)
        TRY(run_begin_integrator(r, t_out));
    return DAEDAL_OK;
}

/* Integrate towards t_out; with `single` return after one accepted step. */
static daedal_status go(run *r, double t_out, bool single)
{
    int64_t first = r->stats.steps;
    leave_event(r);
    for (;;) {
        double reached = r->fresh ? r->state.t : r->how->view(r->integrator).t;
        bool arrives = !r->fresh && !before(r, reached, t_out);
        double target = arrives ? t_out : reached;
        if (r->state.t != target) {
            daedal_status seen = r->roots.n_events ? events_until(r, target) : DAEDAL_OK;
            if (seen != DAEDAL_OK)
                return seen;
            stand_at(r, target);
            if (single && r->stats.steps > first)
                return DAEDAL_OK;
        }
        if (arrives)
            return DAEDAL_OK;
        daedal_status status = cross_limits(r, t_out);
        if (status != DAEDAL_OK)
            return status;
        if (r->opt.max_steps > 0 && r->stats.steps - first >= r->opt.max_steps)
            return fail(&r->why, DAEDAL_ERR_STEP_LIMIT, "%lld steps taken; t = %.10g reached",
                        (long long)r->opt.max_steps, r->state.t);
        double limit = limit_of(r, r->state.t);
        status = take_step(r, t_out, single ? earlier(r, limit, t_out) : limit);
        if (status != DAEDAL_OK)
            return status;
    }
}

daedal_status run_advance(run *r, double t_out)
{
    TRY(check_call(r, t_out));
    if (t_out == r->state.t)
        return DAEDAL_OK;
    if (r->fresh && r->direction == 0.0)
        r->direction = t_out < r->state.t ? -1.0 : 1.0;
    return go(r, t_out, false);
}

daedal_status run_step(run *r, double t_limit)
{
    TRY(check_call(r, t_limit));
    if (t_limit == r->state.t)
        return DAEDAL_OK;
    if (r->fresh && r->direction == 0.0)
        r->direction = t_limit < r->state.t ? -1.0 : 1.0;
    return go(r, t_limit, true);
}

daedal_status run_set_stop_time(run *r, double t_stop)
{
    diagnosis_clear(&r->why);
    bool behind = r->started && !r->fresh && before(r, t_stop, r->how->view(r->integrator).t);
    if (behind)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "the stop time %.10g lies behind t = %.10g, up to where the run has gone",
                    t_stop, r->how->view(r->integrator).t);
    r->t_stop = t_stop;
    return DAEDAL_OK;
}

daedal_status run_interpolate(run *r, double t, double *y, double *yp)
{
    diagnosis_clear(&r->why);
    if (!r->started)
        return fail(&r->why, DAEDAL_ERR_ORDER,
                    "the run has no start yet: call daedal_solver_start first");
    size_t bytes = (size_t)r->n * sizeof(double);
    if (t == r->state.t) {
        if (y)
            memcpy(y, r->y, bytes);
        if (yp)
            memcpy(yp, r->yp, bytes);
        return DAEDAL_OK;
    }
    integ_view v = r->fresh ? (integ_view){.t = r->state.t, .t_before = r->state.t}
                            : r->how->view(r->integrator);
    double slack = 100.0 * DBL_EPSILON * fmax(fabs(v.t), fabs(v.t_before));
    double low = fmin(v.t, v.t_before) - slack, high = fmax(v.t, v.t_before) + slack;
    if (!(t >= low && t <= high) || r->fresh)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "t = %.10g lies outside the last step, %.10g to %.10g", t, v.t_before, v.t);
    r->how->interpolate(r->integrator, t, y, yp);
    return DAEDAL_OK;
}
