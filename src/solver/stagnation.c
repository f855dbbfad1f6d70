/* solver/stagnation.c - end runs that make no progress, with the reason.
 *
 * Every step is accepted, but the steps are so short that the end would never be reached: the
 * solution slides along a jump of F, or is pressed against a bound, or a Jacobian is wrong.  This
 * is checked every few steps.  A run is ended if a reason is found; without one only if it advances
 * by the roundoff of t, or if more than TOO_MANY attempts lie ahead.                     */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "linalg/vector.h"
#include "solver/run.h"
#include "solver/smoothness.h"

enum { WINDOW = 20000, GLANCE = 200, BETWEEN = 50 }; /* steps */
static const double MANY = 1e5, TOO_MANY = 1e8; /* attempts that lie ahead                      */
static const double LABOUR = 0.1;               /* of attempts are rejected in a run that labours */

static run_pace pace_now(const run *r)
{
    const daedal_stats *s = &r->stats;
    return (run_pace){s->steps, s->rejected_error + s->rejected_newton, r->state.t, 0};
}

void run_reset_stagnation(run *r)
{
    r->stagnation.pace = r->stagnation.pressure = pace_now(r);
    r->stagnation.steps_left = BETWEEN;
}

/* ---- bounds ---- */

static bool is_at_bound(const daedal_system *sys, int32_t j, double y)
{
    return (sys->lower.at && y <= sys->lower.at[j]) || (sys->upper.at && y >= sys->upper.at[j]);
}

/* The rate at which y_j would leave its bound: the residual of F with y_j' = 0, by dF/dy_j'. */
static double pressure_on(run *r, int32_t j)
{
    const daedal_pattern *p = &r->matrix.pattern.view;
    double slope = r->yp[j], most = 0.0;
    r->yp[j] = 0.0;
    int answer = evaluator_residual(&r->ev, r->state.t, r->y, r->yp, r->work);
    r->yp[j] = slope;
    for (int32_t q = p->start[j]; q < p->start[j + 1] && answer == DAEDAL_CALL_OK; q++)
        if (r->matrix.dyp[q] != 0.0)
            most = fmax(most, fabs(r->work[p->row[q]] / r->matrix.dyp[q]));
    return most;
}

/* Twice in turn: the steps in between were pressed against it all the time. */
static daedal_status watch_bounds(run *r)
{
    const daedal_system *sys = &r->system.sys;
    const double much = 0.25 * GLANCE; /* weights */
    char name[96];
    if ((!sys->lower.at && !sys->upper.at) ||
        r->stats.steps - r->stagnation.pressure.steps < GLANCE)
        return DAEDAL_OK;
    double gone = fabs(r->state.t - r->stagnation.pressure.t);
    int32_t which = -1, pressed = r->stagnation.pressure.at_bound;
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    for (int32_t j = 0; j < r->n && which < 0; j++)
        if (is_at_bound(sys, j, r->y[j]) && pressure_on(r, j) * gone * r->inverse_weight[j] > much)
            which = j;
    r->stagnation.pressure = pace_now(r);
    r->stagnation.pressure.at_bound = which < 0 ? 0 : pressed + 1;
    if (r->stagnation.pressure.at_bound < 2)
        return DAEDAL_OK;
    fail(&r->why, DAEDAL_ERR_STEP_TOO_SMALL,
         "the solution leaves the bounds of %s at t = %.10g: it is %.10g there, and the bound "
         "stops it",
         evaluator_variable_name(sys, which, name, sizeof name), r->state.t, r->y[which]);
    blame(&r->why, r->state.t, -1, which);
    hint(&r->why,
         "bounds are for limits that no solution passes; to stop at a limit, define an event");
    set_cause(&r->why, DAEDAL_CAUSE_BOUNDS);
    return DAEDAL_ERR_STEP_TOO_SMALL;
}

/* ---- pace ---- */

static explain_point point_at(run *r, const integ_view *v)
{
    weights_inverse(&r->tolerances, v->y, r->inverse_weight);
    return (explain_point){&r->ev, &r->matrix, &r->why,           r->allocator,   v->t,
                           v->y,   v->yp,      r->inverse_weight, fabs(v->h_next)};
}

/* By F, which jumps nearby, or by a Jacobian that is not that of F: the status, else DAEDAL_OK. */
static daedal_status explain_labour(run *r, const integ_view *v)
{
    explain_point here = point_at(r, v);
    smoothness_defect jump;
    fail(&r->why, DAEDAL_ERR_STEP_TOO_SMALL,
         "%d attempted steps up to t = %.10g made almost no progress", (int)WINDOW, r->state.t);
    blame(&r->why, r->state.t, -1, -1);
    if (smoothness_find_jump(&here, &jump)) {
        smoothness_explain(&here, &jump);
        set_cause(&r->why, DAEDAL_CAUSE_CHATTERING); /* steps go on, from side to side */
        return DAEDAL_ERR_STEP_TOO_SMALL;
    }
    if (run_jacobian_is_wrong(r, v))
        return DAEDAL_ERR_STEP_TOO_SMALL;
    diagnosis_clear(&r->why);
    return DAEDAL_OK;
}

/* A callback asks for ever smaller steps: those that are accepted creep up to where it does. */
static bool is_kept_back(const run *r, double gone)
{
    const evaluator_trouble *last = &r->ev.trouble;
    return last->answer == DAEDAL_CALL_RETRY && last->not_finite < 0 &&
           fabs(last->t - r->state.t) <= gone;
}

/* `ahead`: steps up to the end of the run. */
static daedal_status give_up(run *r, double gone, double ahead, const integ_view *v)
{
    if (is_kept_back(r, gone)) {
        daedal_status status = evaluator_explain(&r->ev, &r->why);
        set_cause(&r->why, DAEDAL_CAUSE_CALLBACK_FAILED);
        return status;
    }
    fail(&r->why, DAEDAL_ERR_STEP_TOO_SMALL,
         "%d attempted steps up to t = %.10g advanced it by only %.3g", (int)WINDOW, r->state.t,
         gone);
    explain_point here = point_at(r, v);
    if (run_name_cause(r, DAEDAL_ERR_STEP_TOO_SMALL))
        return DAEDAL_ERR_STEP_TOO_SMALL;
    explain_failure(&here, v->worst);
    if (r->why.variable < 0)
        blame(&r->why, r->state.t, -1, v->worst);
    daedal_status status = run_explain_failure(r, DAEDAL_ERR_STEP_TOO_SMALL, v);
    if (r->why.cause == DAEDAL_CAUSE_NONE) {
        hint(&r->why,
             "at this pace about %.2g steps lie ahead: leave out what varies so fast, or "
             "shorten the run",
             ahead);
        set_cause(&r->why, DAEDAL_CAUSE_TOO_MUCH_WORK);
    }
    return status;
}

static daedal_status watch_pace(run *r, double t_out)
{
    const double share = 1e-6, roundoff = 1e-11;
    run_pace last = r->stagnation.pace, now = pace_now(r);
    if (now.steps + now.rejected - last.steps - last.rejected < WINDOW)
        return DAEDAL_OK;
    r->stagnation.pace = now;
    double gone = fabs(now.t - last.t),
           ahead = fabs((isnan(r->limits.t_stop) ? t_out : r->limits.t_stop) - now.t);
    double more = (double)WINDOW * ahead / fmax(gone, DBL_MIN);
    bool crawls = gone < share * ahead && gone < roundoff * WINDOW * fabs(now.t);
    bool labours = (double)(now.rejected - last.rejected) > LABOUR * WINDOW;
    integ_view v = r->method->view(r->integrator);
    if (labours && more > MANY) {
        bool changed = false;
        RETURN_UNLESS_OK(explain_labour(r, &v));
        RETURN_UNLESS_OK(run_change_method(r, DAEDAL_ERR_ERROR_TEST, &changed));
        if (changed)
            return run_begin_integrator(r, t_out,
                                        isnan(r->limits.t_stop) ? t_out : r->limits.t_stop);
    }
    if (crawls || (labours && more > TOO_MANY))
        return give_up(r, gone, more, &v);
    return DAEDAL_OK;
}

/* BDF, chosen because of corners that are no events, may find corners everywhere: then another
 * method, whose steps pass over them, is better than no result.  An explicit method follows an edge
 * of F in tiny steps, none of which fails.                                       */
static daedal_status leave_slow_method(run *r, double t_out, bool *changed)
{
    enum { LEAST = 2000 }; /* attempts */
    run_pace last = r->stagnation.pace, now = pace_now(r);
    double count = (double)(now.steps + now.rejected - last.steps - last.rejected);
    double gone = fabs(now.t - last.t),
           ahead = fabs((isnan(r->limits.t_stop) ? t_out : r->limits.t_stop) - now.t);
    bool by_bdf = r->now.method == METHOD_BDF && r->system.sys.is_nonsmooth;
    bool may = run_is_automatic(r) && (by_bdf || r->now.method == METHOD_DOPRI);
    if (!may || count < LEAST || count * ahead < MANY * LEAST * gone)
        return DAEDAL_OK;
    fail(&r->why, DAEDAL_ERR_STEP_TOO_SMALL,
         "%.0f attempted steps up to t = %.10g advanced it by only %.3g", count, r->state.t, gone);
    RETURN_UNLESS_OK(run_change_method(r, DAEDAL_ERR_STEP_TOO_SMALL, changed));
    diagnosis_clear(&r->why);
    run_reset_stagnation(r);
    return DAEDAL_OK;
}

daedal_status run_check_stagnation(run *r, double t_out)
{
    bool changed = false;
    r->stagnation.steps_left = BETWEEN;
    if (r->fresh)
        return DAEDAL_OK;
    RETURN_UNLESS_OK(leave_slow_method(r, t_out, &changed));
    if (changed)
        return DAEDAL_OK;
    RETURN_UNLESS_OK(watch_bounds(r));
    return watch_pace(r, t_out);
}
