/* solver/advance.c - from call to call: steps, events, breakpoints, output points.
 *
 * F may jump at a breakpoint, and which side it shows there is the user's business.  So it
 * is never evaluated at one: the step before ends one unit of roundoff earlier and its
 * result is taken for the value there, and the next begins one unit later.      */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ascending.h"
#include "base/status.h"
#include "integ/constrained_method.h"
#include "linalg/vector.h"
#include "newton/bounds.h"
#include "solver/distributed_run.h"
#include "solver/explain.h"
#include "solver/run.h"
#include "solver/sensitivity.h"

/* Whether time x comes before time y in the direction of the run. */
static bool before(const run *r, double x, double y)
{
    return r->limits.direction < 0.0 ? x > y : x < y;
}

static double earlier(const run *r, double x, double y)
{
    return before(r, x, y) ? x : y;
}

/* ---- limits ---- */

static double a_little_after(const run *r, double t)
{
    return nextafter(t, r->limits.direction * HUGE_VAL);
}

static double a_little_before(const run *r, double t)
{
    return nextafter(t, -r->limits.direction * HUGE_VAL);
}

/* The first breakpoint after t along the run; +-HUGE_VAL if there is none. */
static double next_breakpoint(const run *r, double t)
{
    size_t n = (size_t)r->asked.breakpoints.n;
    if (r->limits.direction > 0.0) {
        size_t next = ascending_up_to(r->limits.breakpoints, n, t);
        return next < n ? r->limits.breakpoints[next] : HUGE_VAL;
    }
    size_t below = ascending_below(r->limits.breakpoints, n, t);
    return below > 0 ? r->limits.breakpoints[below - 1] : -HUGE_VAL;
}

static double stop_time(const run *r)
{
    return isnan(r->limits.t_stop) ? r->limits.direction * HUGE_VAL : r->limits.t_stop;
}

double run_limit_of(const run *r, double t)
{
    double at = next_breakpoint(r, t);
    double limit = isinf(at) ? at : a_little_before(r, at), pass = r->limits.t_pass;
    if (before(r, t, pass))
        limit = earlier(r, limit, pass);
    return run_limit_at_time_corner(r, t, earlier(r, limit, stop_time(r)));
}

/* The breakpoint, if the integrator is one unit of roundoff before it, else the time of the
 * integrator. */
static double reached_time(const run *r)
{
    double t = run_step_end(r);
    double at = next_breakpoint(r, t);
    return !isinf(at) && a_little_before(r, at) == t && before(r, t, stop_time(r)) ? at : t;
}

/* ---- the state the user sees ---- */

void run_project_state(run *r, double t)
{
    double moved = 0.0;
    if (r->constraints.n_levels == 0)
        return;
    if (t == r->method->view(r->integrator).t && !r->constraints.at_output_only)
        return; /* the step has projected it */
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    projection_apply(&r->constraints, t, r->y, r->inverse_weight, &moved);
}

static void move_state_to(run *r, double t)
{
    double inside = earlier(r, t, r->method->view(r->integrator).t);
    r->method->interpolate(r->integrator, inside, r->y, r->yp);
    r->state.t = t;
    run_project_state(r, inside);
}

/* Whether interpolation at t, inside the last step, is too inaccurate for the tolerances; at output
 * points algebraic variables are corrected afterwards (state_correction.c).      */
static bool interpolation_is_rough(const run *r, double t, bool of_algebraic)
{
    return !run_is_distributed(r) && r->method->interpolation_error &&
           t != r->method->view(r->integrator).t &&
           r->method->interpolation_error(r->integrator, t, of_algebraic) > 1.0;
}

/* Values inside the last step, or at its end.  Where interpolation is too inaccurate an extra
 * step is taken to t, which leaves the run as it is; *done says whether.            */
static daedal_status step_to(run *r, double t, double *y, double *yp, bool *done)
{
    *done = false;
    if (!interpolation_is_rough(r, t, false))
        return DAEDAL_OK;
    daedal_status status = r->method->step_inside(r->integrator, t, y, yp, done);
    return status == DAEDAL_ERR_MEMORY ? fail(&r->why, status, "out of memory at an output point")
                                       : status;
}

/* The output point t lies inside the last step, or at its end. */
static daedal_status move_state_to_output(run *r, double t)
{
    bool done;
    double inside = earlier(r, t, r->method->view(r->integrator).t);
    RETURN_UNLESS_OK(step_to(r, inside, r->y, r->yp, &done));
    RETURN_UNLESS_OK(evaluator_obey(&r->ev, &r->why, DAEDAL_OK));
    if (!done) {
        move_state_to(r, t);
        return DAEDAL_OK;
    }
    r->state.t = t;
    run_project_state(r, inside);
    return DAEDAL_OK;
}

void solver_set_step_limit(daedal_solver *solver, double t)
{
    solver->run.limits.t_pass = t;
}

void solver_set_silent_events(daedal_solver *solver, int32_t n)
{
    solver->run.roots.n_silent = n;
}

daedal_status solver_values_inside(daedal_solver *solver, double t, double *y, double *yp)
{
    run *r = &solver->run;
    bool done = false;
    if (!r->fresh)
        t = run_time_in_step(r, t);
    if (t != r->state.t && !r->fresh)
        RETURN_UNLESS_OK(step_to(r, t, y, yp, &done));
    return done ? DAEDAL_OK : run_interpolate(r, t, y, yp);
}

double solver_step_end(const daedal_solver *solver)
{
    const run *r = &solver->run;
    return r->fresh ? r->state.t : run_step_end(r);
}

static daedal_status scan(run *r, const roots_curve *curve, double t_end, double *t_root,
                          bool *found)
{
    int answer = roots_scan(&r->roots, curve, t_end, found, t_root);
    if (answer == DAEDAL_CALL_STOP)
        return DAEDAL_STOPPED;
    return answer == DAEDAL_CALL_OK ? DAEDAL_OK : evaluator_explain(&r->ev, &r->why);
}

/* As accurate as at output points; by interpolation where that is not possible. */
void run_accurate_values(void *self, double t, double *y, double *yp)
{
    run *r = self;
    bool done = false;
    if (r->method->step_inside && t != r->method->view(r->integrator).t &&
        r->method->step_inside(r->integrator, t, y, yp, &done) != DAEDAL_OK)
        done = false;
    if (!done)
        r->method->interpolate(r->integrator, t, y, yp);
    run_correct_algebraic(r, t, y, yp);
}

/* The root lies where the interpolant is not accurate enough.  The step is cut there, then the
 * event lies near its end, or near the beginning of the next one; or the search is repeated on
 * values that are more accurate.                                                         */
static daedal_status search_again(run *r, double t_end, double *t_root, bool *found,
                                  bool *is_accurate)
{
    bool cut = false;
    roots_curve plain = {r->method->interpolate, r->integrator},
                accurate = {run_accurate_values, r};
    if (r->method->shorten_step) {
        RETURN_UNLESS_OK(r->method->shorten_step(r->integrator, *t_root, &cut));
        if (cut)
            roots_go_back(&r->roots);
        return cut ? scan(r, &plain, *t_root, t_root, found) : DAEDAL_OK;
    }
    *is_accurate = true;
    roots_go_back(&r->roots);
    return scan(r, &accurate, t_end, t_root, found);
}

/* Whether the interpolant is too far off, in the middle of what is to be searched, for events to be
 * seen at all.                                                                    */
static bool hides_events(const run *r, double t_end)
{
    const double far_off = 30.0;
    double middle = 0.5 * (r->roots.t_seen + t_end);
    return !run_is_distributed(r) && !r->method->shorten_step && r->method->interpolation_error &&
           r->method->interpolation_error(r->integrator, middle, true) > far_off;
}

/* Whether the interpolant is not accurate enough at an event, or at those that may follow it in the
 * same step. */
static bool is_rough_from(const run *r, double t_root, double t_end)
{
    return interpolation_is_rough(r, t_root, true) ||
           (!r->method->shorten_step && interpolation_is_rough(r, 0.5 * (t_root + t_end), true));
}

/* An event is located on the interpolant first.  All events of one step are located on the same
 * curve: between two curves values jump, and an event that was passed on one of them would be
 * found again on the other. */
static daedal_status events_until(run *r, double t_end)
{
    double t_step = r->method->view(r->integrator).t, t_root = t_end;
    bool found = false, is_accurate = r->limits.t_accurate == t_step || hides_events(r, t_end);
    roots_curve plain = {r->method->interpolate, r->integrator},
                accurate = {run_accurate_values, r};
    roots_keep(&r->roots);
    RETURN_UNLESS_OK(scan(r, is_accurate ? &accurate : &plain, t_end, &t_root, &found));
    bool may_cut = !run_has_high_index(r); /* short steps spoil velocities and multipliers */
    if (found && !is_accurate && may_cut && is_rough_from(r, t_root, t_end))
        RETURN_UNLESS_OK(search_again(r, t_end, &t_root, &found, &is_accurate));
    r->limits.t_accurate = is_accurate ? t_step : NAN;
    if (!found)
        return DAEDAL_OK;
    move_state_to(r, t_root);
    if (is_accurate)
        run_accurate_values(r, t_root, r->y, r->yp);
    r->at_event = true;
    r->stats.events++;
    if (!run_is_distributed(r))
        RETURN_UNLESS_OK(run_note_event(r));
    return DAEDAL_EVENT;
}

static void leave_event(run *r)
{
    if (r->at_event)
        memset(r->roots.fired, 0, (size_t)r->roots.n_events * sizeof(int32_t));
    r->at_event = false;
}

/* ---- steps ---- */

static daedal_status report_progress(run *r, double t_end)
{
    if (!r->asked.progress)
        return DAEDAL_OK;
    integ_view v = r->method->view(r->integrator);
    daedal_progress where = {v.t, t_end, v.h_next, v.order, r->stats.steps};
    int answer = r->asked.progress(&where, r->asked.callback_user);
    answer = evaluator_judge(&r->ev, answer, "progress callback", v.t, NULL, 0);
    if (answer == DAEDAL_CALL_FAIL)
        return fail(&r->why, DAEDAL_ERR_CALLBACK,
                    "the progress callback reported failure at t = %.10g", v.t);
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : DAEDAL_OK;
}

/* Back to the beginning of the last step, with other tolerances. */
static daedal_status repeat_step(run *r, const accepted_step *step)
{
    double direction = r->limits.direction;
    r->method->interpolate(r->integrator, step->t_from, r->y_before, r->yp_before);
    for (int32_t j = 0; j < r->n; j++) {
        r->now.rtol[j] *= step->tolerance_factor;
        r->now.atol[j] *= step->tolerance_factor;
        if (step->atol)
            r->now.atol[j] = fmin(r->now.atol[j], step->atol[j]);
    }
    daedal_status status =
        run_start(r, &(run_start_values){.t = step->t_from, .y = r->y_before, .yp = r->yp_before});
    r->limits.direction = direction;
    return status;
}

/* The hook decides how the run goes on.  *repeated: the step was taken back. */
static daedal_status ask_after_step(run *r, bool at_event, bool *repeated)
{
    *repeated = false;
    if (!r->after_step.call)
        return DAEDAL_OK;
    integ_view v = r->method->view(r->integrator);
    accepted_step step = {.t_from = v.t_before,
                          .t = run_step_end(r),
                          .t_stop = r->limits.t_stop,
                          .at_event = at_event,
                          .tolerance_factor = 1.0,
                          .why = &r->why};
    switch (r->after_step.call(&step, r->after_step.user)) {
    case AFTER_STEP_EVENT:
        return DAEDAL_EVENT;
    case AFTER_STEP_REPEAT:
        *repeated = true;
        return repeat_step(r, &step);
    case AFTER_STEP_FAIL:
        return r->why.status;
    case AFTER_STEP_CONTINUE:
        break;
    }
    return DAEDAL_OK;
}

void solver_set_after_step(daedal_solver *solver, after_step_fn *hook, void *user)
{
    solver->run.after_step.call = hook;
    solver->run.after_step.user = user;
}

void solver_show_slopes(daedal_solver *solver, bool shows)
{
    solver->run.after_step.shows_slopes = shows;
}

/* A detected pattern may have become incomplete, through a parameter or a branch: probe
 * again, and begin again from here if entries are new.                          */
static daedal_status extend_pattern(run *r, daedal_status status, bool *rescued)
{
    bool about_matrix = status == DAEDAL_ERR_NEWTON || status == DAEDAL_ERR_SINGULAR ||
                        status == DAEDAL_ERR_ERROR_TEST; /* of methods without Newton */
    *rescued = false;
    if (!about_matrix || !r->pattern_detected)
        return DAEDAL_OK;
    daedal_diagnosis first = r->why;
    RETURN_UNLESS_OK(run_refresh_pattern(r, rescued));
    if (!*rescued) {
        r->why = first;
        return DAEDAL_OK;
    }
    diagnosis_clear(&r->why);
    return run_resume(r);
}

static void warn_of_constraints(run *r, bool projects)
{
    daedal_diagnosis told;
    fail(&told, DAEDAL_OK,
         projects ? "the constraints could not be met by projection near t = %.10g: they are "
                    "kept by dummy derivatives from there on"
                  : "the equations could not be solved together with the constraints near t = "
                    "%.10g: these are kept by projection from there on",
         r->state.t);
    told.t = r->state.t;
    if (projects && run_constraints_jump(r))
        run_explain_jump(r, &told);
    run_warn(r, &told);
}

/* If projection after a step fails, the constraints may still be kept in the equations of a step,
 * and vice versa.  The method is changed once in a run.                                */
static daedal_status change_constraint_method(run *r, daedal_status failure, bool *rescued)
{
    bool projects = r->now.constraint_method == CONSTRAINTS_PROJECT,
         held = r->system.sys.n_constraints > 0;
    bool fails = projects
                     ? r->constraints.refused
                     : held && failure != DAEDAL_ERR_SINGULAR && /* they depend on each other */
                           run_may_be_the_method(r, failure);
    if (!fails || r->now.constraints_changed)
        return DAEDAL_OK;
    *rescued = r->now.constraints_changed = true;
    warn_of_constraints(r, projects);
    run_use_method(r, r->now.method, projects ? CONSTRAINTS_DUMMY : CONSTRAINTS_PROJECT);
    r->started = false; /* unless all goes well */
    RETURN_UNLESS_OK(run_finish_set_up(r));
    r->started = true;
    diagnosis_clear(&r->why);
    return run_resume(r);
}

/* NaN and Inf are a fault of F if it was called with values of the size of the solution.  If
 * Newton's iteration has diverged to far larger values, the equations of the step are to blame. */
static daedal_status blame_not_finite(run *r, daedal_status status)
{
    const double far_away = 1e6;
    double size = vector_max_abs(r->y, r->n);
    for (int32_t j = 0; j < r->n; j++)
        size = fmax(size, r->now.rtol[j] > 0.0 ? fmin(r->now.atol[j] / r->now.rtol[j], 1.0) : 0.0);
    bool ran_away = r->ev.trouble.reach > far_away * size;
    if (status != DAEDAL_ERR_NOT_FINITE || !ran_away)
        return status;
    fail(&r->why, DAEDAL_ERR_NEWTON,
         "the equations of a step from t = %.10g have no solution near y there, however small the "
         "step",
         r->state.t);
    return DAEDAL_ERR_NEWTON;
}

/* A method that begins in the middle of a run, because another one has failed there, takes values
 * for inconsistent from which its first step fails.  Steps have led to them, so that they are not.
 */
static daedal_status clear_start_of_blame(run *r, daedal_status status)
{
    if (status != DAEDAL_ERR_INCONSISTENT || !r->start.is_proven ||
        r->why.variable >= 0) /* a constraint that contradicts the equations has been named */
        return status;
    return fail(&r->why, DAEDAL_ERR_ERROR_TEST,
                "no step from t = %.10g is small enough for the error test", r->state.t);
}

/* The state is where the integrator stands.  Another method may have been tried since. */
static daedal_status explain_step(run *r, daedal_status status, const integ_view *failed)
{
    integ_view at = *failed;
    status = clear_start_of_blame(r, status);
    at.t = r->state.t;
    at.y = r->y;
    at.yp = r->yp;
    weights_inverse(&r->tolerances, at.y, r->inverse_weight);
    if (run_name_cause(r, status))
        return status;
    explain_failure(&(explain_point){&r->ev, &r->matrix, &r->why, r->allocator, at.t, at.y, at.yp,
                                     r->inverse_weight, fabs(at.h_next)},
                    at.worst);
    return run_explain_failure(r, status, &at);
}

/* One step.  It stops as soon as it finds entries that the pattern of the Jacobian lacks; then it
 * is repeated with these.                                                           */
static daedal_status step_with_watch(run *r, double limit)
{
    daedal_status status;
    bool grown;
    do {
        r->matrix.in_step = true;
        status = r->method->step(r->integrator, limit);
        r->matrix.in_step = false;
        grown = false;
        if (status == DAEDAL_STOPPED)
            RETURN_UNLESS_OK(run_add_entries(r, &grown));
    } while (grown && !r->fresh);
    return grown ? DAEDAL_OK : status;
}

/* Other methods were tried before the run gave up: name them. */
static void append_methods(run *r)
{
    enum { BITS = 32 };
    uint32_t failed = r->now.failed_methods;
    if ((failed & (failed - 1)) == 0) /* one at most */
        return;
    for (int k = 0, n = 0; k < BITS; k++)
        if (failed >> k & 1)
            message_append(&r->why, "%s%s",
                           n++ ? ", " : "; methods tried: ", method_choose(k)->name);
}

static daedal_status take_step(run *r, double limit, double t_out)
{
    bool rescued = false, is_explained = false;
    if (run_is_distributed(r)) /* its dense output is not corrected: radau ends steps there */
        return distributed_step(r,
                                r->now.method == METHOD_RADAU ? earlier(r, limit, t_out) : limit);
    run_before_step(r);
    daedal_status status = step_with_watch(r, run_limit_at_corners(r, run_limit_at_half(r, limit)));
    if (status == DAEDAL_OK && !r->fresh)
        status = run_cut_at_corners(r);
    if (status == DAEDAL_OK && !r->fresh)
        status = run_look_inside_step(r, t_out);
    run_note_linear_solver(r);
    if (status >= 0) {
        if (!r->fresh) {
            r->start.is_proven = true;
            if (r->start.h_begun == 0.0)
                r->start.h_begun = fabs(r->method->view(r->integrator).h_next);
            run_after_step(r);
            run_watch_method(r);
            daedal_status runaway = run_watch_runaway(r);
            if (runaway == DAEDAL_OK)
                runaway = run_watch_leap(r);
            is_explained = runaway < 0;
            status = is_explained ? runaway : status;
        }
    }
    if (status >= 0 || !r->started) /* without memory for a repair there is no matrix any more */
        return status;
    integ_view failed = r->method->view(r->integrator);
    status = blame_not_finite(r, status);
    RETURN_UNLESS_OK(run_pass_jump(r, status, &rescued));
    if (!rescued)
        RETURN_UNLESS_OK(extend_pattern(r, status, &rescued));
    if (!rescued)
        RETURN_UNLESS_OK(change_constraint_method(r, status, &rescued));
    if (!rescued)
        RETURN_UNLESS_OK(run_change_method(r, status, &rescued));
    if (!rescued && run_may_take_array(r) && run_has_hidden_constraints(r)) {
        status = is_explained ? status : explain_step(r, status, &failed);
        is_explained = true;
        RETURN_UNLESS_OK(run_go_on_by_array(r, status, &rescued));
    }
    if (!rescued)
        RETURN_UNLESS_OK(run_pass_steep_point(r, status, t_out, &rescued));
    if (rescued)
        return DAEDAL_OK;
    if (!is_explained)
        status = explain_step(r, status, &failed);
    status = run_blame_first_methods(r, status);
    append_methods(r);
    return status;
}

static daedal_status check_call(run *r, double t_out)
{
    diagnosis_clear(&r->why);
    if (!r->started)
        return fail(&r->why, DAEDAL_ERR_CALL_SEQUENCE,
                    "the run has no start yet: call daedal_solver_start first");
    if (isnan(t_out))
        return fail(&r->why, DAEDAL_ERR_ARGUMENT, "the output time is NaN");
    if (isinf(t_out) && isnan(r->limits.t_stop))
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "the output time is infinite and no stop time is set");
    if (r->limits.direction == 0.0 && t_out != r->state.t)
        r->limits.direction = t_out < r->state.t ? -1.0 : 1.0;
    if (before(r, t_out, r->state.t) && r->limits.direction != 0.0)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "the output time %.10g lies behind the state at t = %.10g; to turn round, "
                    "start again there",
                    t_out, r->state.t);
    if (r->limits.direction != 0.0 && before(r, stop_time(r), r->state.t))
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "the stop time %.10g lies behind the state at t = %.10g", r->limits.t_stop,
                    r->state.t);
    return DAEDAL_OK;
}

/* The state is that of the integrator, and t_out lies ahead: stop at the stop time, begin again
 * behind a breakpoint, or begin the integrator.                                          */
static daedal_status cross_limits(run *r, double t_out)
{
    if (r->state.t == stop_time(r))
        return DAEDAL_AT_STOP_TIME;
    bool at_breakpoint = !r->fresh && run_step_end(r) != r->state.t;
    if (at_breakpoint) {
        r->state.t = a_little_after(r, r->state.t);
        RETURN_UNLESS_OK(run_resume(r));
    }
    if (!r->fresh)
        RETURN_UNLESS_OK(run_cross_time_corner(r, t_out));
    if (!r->fresh)
        RETURN_UNLESS_OK(run_cross_corner(r, t_out));
    run_find_time_corner(r, r->state.t);
    if (r->fresh)
        RETURN_UNLESS_OK(run_begin_integrator(r, t_out, run_limit_of(r, r->state.t)));
    return DAEDAL_OK;
}

/* How far the integrator has come, and whether that is t_out. */
static double come_to(const run *r, double t_out, bool *arrived)
{
    double reached = r->fresh ? r->state.t : reached_time(r);
    *arrived = !before(r, reached, t_out);
    return *arrived ? t_out : reached;
}

/* Events between the state and where the integrator has come to, or t_out. */
static daedal_status look_for_events(run *r, double t_out)
{
    bool arrived;
    if (r->fresh || r->roots.n_events == 0)
        return DAEDAL_OK;
    double target = come_to(r, t_out, &arrived);
    if (r->state.t == target)
        return DAEDAL_OK;
    double end = earlier(r, target, run_step_end(r));
    return r->roots.t_seen == end ? DAEDAL_OK : events_until(r, end);
}

/* Move the state as far as the integrator has come, but not past t_out or an event.  A step that
 * ended at a corner right before t_out is searched for events before the integrator begins again at
 * t_out: its polynomial is lost there. */
static daedal_status follow_integrator(run *r, double t_out, bool *arrived)
{
    RETURN_UNLESS_OK(look_for_events(r, t_out));
    run_reach_output(r, t_out);
    RETURN_UNLESS_OK(look_for_events(r, t_out));
    double target = come_to(r, t_out, arrived); /* the step may have been cut */
    if (r->fresh || r->state.t == target)
        return DAEDAL_OK;
    if (*arrived)
        return move_state_to_output(r, target);
    move_state_to(r, target);
    return DAEDAL_OK;
}

/* The same.  What dense output, events and corrections make of an F that does not answer is their
 * affair; that it wants the run to end is not.                                    */
static daedal_status update_state(run *r, double t_out, bool *arrived)
{
    evaluator_forget_order(&r->ev);
    daedal_status status = follow_integrator(r, t_out, arrived);
    return status < 0 ? status : evaluator_obey(&r->ev, &r->why, status);
}

/* From time to time: whether the run makes progress, with the right method. */
static daedal_status reconsider(run *r, double t_out)
{
    if (--r->stagnation.steps_left <= 0)
        RETURN_UNLESS_OK(run_check_stagnation(r, t_out));
    return run_reconsider_method(r);
}

/* Integrate towards t_out; with `single` return after one accepted step. */
static daedal_status integrate(run *r, double t_out, bool single)
{
    int64_t first = r->stats.steps;
    double began = r->state.t;
    leave_event(r);
    for (bool stepped = false;; stepped = true) {
        bool arrived = false, repeated = false;
        daedal_status moved = update_state(r, t_out, &arrived);
        if (stepped && moved >= 0)
            RETURN_UNLESS_OK(ask_after_step(r, moved == DAEDAL_EVENT, &repeated));
        if (moved >= 0 && !repeated)
            RETURN_UNLESS_OK(sensitivities_follow(r));
        bool is_news = stepped || moved == DAEDAL_EVENT; /* there may be many events in one step */
        if (is_news && moved >= 0 && !repeated)
            RETURN_UNLESS_OK(report_progress(r, t_out));
        if (!repeated)
            RETURN_UNLESS_OK(moved);
        arrived = arrived && !repeated;
        if (arrived || (single && r->state.t != began))
            return DAEDAL_OK;
        RETURN_UNLESS_OK(cross_limits(r, t_out));
        if (!run_is_distributed(r))
            RETURN_UNLESS_OK(reconsider(r, t_out));
        if (r->fresh) /* with another method */
            RETURN_UNLESS_OK(run_begin_integrator(r, t_out, run_limit_of(r, r->state.t)));
        if (r->asked.max_steps > 0 && r->stats.steps - first >= r->asked.max_steps) {
            fail(&r->why, DAEDAL_ERR_STEP_LIMIT,
                 "t = %.10g was reached after max_steps = %lld steps, before the output time",
                 r->state.t, (long long)r->asked.max_steps);
            blame(&r->why, r->state.t, -1, -1);
            hint(&r->why, "allow more steps (max_steps), loosen the tolerance, shorten the run, or "
                          "leave out what varies so fast");
            return DAEDAL_ERR_STEP_LIMIT;
        }
        double limit = run_limit_of(r, r->state.t);
        RETURN_UNLESS_OK(take_step(r, single ? earlier(r, limit, t_out) : limit, t_out));
    }
}

/* Steps end inside the bounds; what lies between them may leave them by an error. */
static void keep_bounds(const run *r, double *y)
{
    const daedal_system *sys = &r->system.sys;
    for (int32_t i = 0; i < r->n && bounds_are_given(sys); i++)
        y[i] = bounds_inside(sys, i, y[i]);
}

/* What the user is going to see.  *refuted: it contradicts constraints that are hidden in the
 * equations. */
static daedal_status hand_over(run *r, daedal_status status, bool *refuted)
{
    daedal_status behind = status >= 0 ? sensitivities_catch_up(r) : DAEDAL_OK;
    if (behind != DAEDAL_OK)
        status = behind;
    bool reached = status == DAEDAL_OK || status == DAEDAL_EVENT;
    *refuted = false;
    if (run_is_distributed(r)) {
        if (reached)
            keep_bounds(r, r->y);
        return status;
    }
    evaluator_forget_order(&r->ev);
    daedal_status corrected = reached ? run_correct_state(r, refuted) : DAEDAL_OK;
    if (corrected == DAEDAL_OK)
        corrected = evaluator_obey(&r->ev, &r->why, DAEDAL_OK);
    if (reached)
        keep_bounds(r, r->y);
    run_check_tolerances(r);
    if (reached && !*refuted)
        run_note_seen_state(r);
    return corrected == DAEDAL_OK ? status : corrected;
}

/* Integrate, and show the state.  If that is far from what the hidden constraints say, the method
 * is unstable, and the run goes on by the derivative array from the state that was shown last, or
 * ends there.                                                                    */
static daedal_status travel(run *r, double t_out, bool single)
{
    bool refuted = false, changed = false;
    daedal_status status = hand_over(r, integrate(r, t_out, single), &refuted);
    if (status < 0 || !refuted)
        return status;
    daedal_status left = run_leave_refuted_state(r);
    if (left == DAEDAL_OK) {
        run_note_seen_state(r);
        return status;
    }
    if (run_may_take_array(r))
        RETURN_UNLESS_OK(run_go_on_by_array(r, left, &changed));
    if (changed)
        return hand_over(r, integrate(r, t_out, single), &refuted);
    append_methods(r);
    return left;
}

daedal_status run_advance(run *r, double t_out)
{
    TRY(distributed_same_time(r, t_out, "the output time"));
    TRY(check_call(r, t_out));
    if (t_out == r->state.t)
        return DAEDAL_OK;
    evaluator_begin_call(&r->ev);
    return evaluator_end_call(&r->ev, travel(r, t_out, false));
}

daedal_status run_step(run *r, double t_limit)
{
    TRY(distributed_same_time(r, t_limit, "the limit of a step"));
    TRY(check_call(r, t_limit));
    if (t_limit == r->state.t)
        return DAEDAL_OK;
    evaluator_begin_call(&r->ev);
    return evaluator_end_call(&r->ev, travel(r, t_limit, true));
}

daedal_status run_set_stop_time(run *r, double t_stop)
{
    diagnosis_clear(&r->why);
    TRY(distributed_same_time(r, t_stop, "the stop time"));
    bool behind = r->started && !r->fresh && before(r, t_stop, r->method->view(r->integrator).t);
    if (behind)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "the stop time %.10g lies behind t = %.10g, up to where the run has gone",
                    t_stop, r->method->view(r->integrator).t);
    r->limits.t_stop = t_stop;
    return DAEDAL_OK;
}

daedal_status run_interpolate(run *r, double t, double *y, double *yp)
{
    diagnosis_clear(&r->why);
    if (!r->started)
        return fail(&r->why, DAEDAL_ERR_CALL_SEQUENCE,
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
                            : r->method->view(r->integrator);
    double slack = 100.0 * DBL_EPSILON * fmax(fabs(v.t), fabs(v.t_before));
    double low = fmin(v.t, v.t_before) - slack, high = fmax(v.t, v.t_before) + slack;
    if (!(t >= low && t <= high) || r->fresh)
        return fail(&r->why, DAEDAL_ERR_ARGUMENT,
                    "t = %.10g lies outside the last step, %.10g to %.10g", t, v.t_before, v.t);
    r->method->interpolate(r->integrator, t, y, yp);
    if (y)
        keep_bounds(r, y);
    return DAEDAL_OK;
}

/* The state that would be shown at an output point t inside the last step, into y and yp. */
static daedal_status evaluate(run *r, double t, double *y, double *yp)
{
    double *y_shown = r->y, *yp_shown = r->yp, t_shown = r->state.t;
    bool was_event = r->at_event, refuted = false;
    evaluator_forget_order(&r->ev);
    RETURN_UNLESS_OK(run_interpolate(r, t, y, yp));
    if (run_is_distributed(r) || t == t_shown || r->fresh)
        return DAEDAL_OK;
    r->y = y;
    r->yp = yp;
    r->at_event = false;
    daedal_status status = move_state_to_output(r, t);
    if (status == DAEDAL_OK)
        status = run_correct_state(r, &refuted);
    keep_bounds(r, y);
    r->y = y_shown;
    r->yp = yp_shown;
    r->state.t = t_shown;
    r->at_event = was_event;
    if (refuted)
        return fail(&r->why, DAEDAL_ERR_NEWTON,
                    "the values at t = %.10g inside the last step contradict constraints that are "
                    "hidden in the equations",
                    t);
    return evaluator_obey(&r->ev, &r->why, status);
}

daedal_status run_evaluate(run *r, double t, double *y, double *yp)
{
    if (!y && !yp)
        return run_interpolate(r, t, NULL, NULL);
    evaluator_begin_call(&r->ev);
    daedal_status status = evaluate(r, t, y ? y : r->limits.unasked, yp ? yp : r->limits.unasked);
    return evaluator_end_call(&r->ev, status);
}
