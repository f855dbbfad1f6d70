/* run/run_start.c - beginning a run, and beginning again after an event. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "explain/explain.h"
#include "linalg/vector.h"
#include "run/run.h"
#include "start/consistent.h"

enum { START_GIVEN, START_STATES, START_DERIVATIVES }; /* the option `start` */

/* A time in which y might change by its own size; only sets units. */
static double time_scale(const run *r)
{
    double speed = vector_wrms(r->yp, r->inverse_weight, r->n);
    double size = vector_wrms(r->y, r->inverse_weight, r->n);
    double scale = speed > 0.0 && size > 0.0 ? size / speed : fmax(fabs(r->state.t), 1.0);
    return isfinite(scale) && scale > 0.0 ? scale : 1.0;
}

static start_problem problem_of(run *r)
{
    return (start_problem){.matrix = &r->matrix,
                           .t = r->state.t,
                           .y = r->y,
                           .yp = r->yp,
                           .y_mask = r->y_mask,
                           .yp_mask = r->yp_mask,
                           .inverse_weight = r->inverse_weight,
                           .time_scale = time_scale(r),
                           .direction = r->direction < 0.0 ? -1.0 : 1.0,
                           .why = &r->why,
                           .allocator = r->allocator};
}

/* Problem 1: differential y held, algebraic y and differential y' move.
 * Problem 2: y' held, y moves.                                                  */
static void default_masks(run *r, int32_t how)
{
    for (int32_t j = 0; j < r->n; j++) {
        bool y_held = how == START_STATES && r->is_differential[j];
        r->y_mask[j] = y_held ? DAEDAL_FIXED : DAEDAL_FREE;
        r->yp_mask[j] = y_held ? DAEDAL_FREE : DAEDAL_FIXED;
    }
}

static void note_moved(run *r, int32_t j, int32_t is_derivative, double from, double to)
{
    double size = fmax(fabs(from), fabs(to));
    if (fabs(to - from) > 1e-12 * size + DBL_MIN)
        r->moved[r->n_moved++] = (daedal_moved){j, is_derivative, from, to};
}

static void list_moved(run *r, bool yp_known)
{
    r->n_moved = 0;
    for (int32_t j = 0; j < r->n; j++)
        note_moved(r, j, 0, r->y_given[j], r->y[j]);
    for (int32_t j = 0; j < r->n && yp_known; j++)
        note_moved(r, j, 1, r->yp_given[j], r->yp[j]);
}

/* F must be defined at the start, whatever the method does later. */
static daedal_status check_defined(run *r)
{
    int answer = evaluator_residual(&r->ev, r->state.t, r->y, r->yp, r->work);
    if (answer == DAEDAL_CALL_OK)
        return DAEDAL_OK;
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(&r->ev, &r->why);
}

static daedal_status make_consistent(run *r, int32_t how, bool masked, bool yp_known)
{
    if (how == START_GIVEN && !masked && yp_known)
        return DAEDAL_OK;
    if (!masked)
        default_masks(r, how == START_GIVEN ? START_STATES : how);
    start_problem p = problem_of(r);
    daedal_status status = start_consistent(&p);
    if (status == DAEDAL_OK)
        list_moved(r, yp_known);
    return status;
}

static daedal_status begin_events(run *r, bool after_event)
{
    if (r->roots.n_events == 0)
        return DAEDAL_OK;
    int answer = roots_begin(&r->roots, r->state.t, r->y, r->yp, after_event);
    if (answer == DAEDAL_CALL_OK)
        return DAEDAL_OK;
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(&r->ev, &r->why);
}

static void bring_values(run *r, const double *y, const double *yp)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    memmove(r->y, y, bytes);
    if (yp)
        memmove(r->yp, yp, bytes);
    else
        memset(r->yp, 0, bytes);
    memcpy(r->y_given, r->y, bytes);
    memcpy(r->yp_given, r->yp, bytes);
}

daedal_status run_start(run *r, const run_start_values *from)
{
    bool masked = from->y_mask != NULL, yp_known = from->yp != NULL;
    diagnosis_clear(&r->why);
    r->started = false;
    r->fresh = true;
    r->at_event = false;
    r->direction = r->h_before = 0.0;
    r->n_moved = 0;
    r->state.t = from->t;
    bring_values(r, from->y, from->yp);
    weights_begin(&r->tolerances, r->y);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    daedal_status status = check_defined(r);
    if (status == DAEDAL_OK)
        status = run_set_up(r);
    if (status == DAEDAL_OK && r->opt.check_jacobian)
        status = run_check_jacobian(r);
    if (status == DAEDAL_OK && masked) {
        memcpy(r->y_mask, from->y_mask, (size_t)r->n * sizeof(int32_t));
        memcpy(r->yp_mask, from->yp_mask, (size_t)r->n * sizeof(int32_t));
    }
    if (status == DAEDAL_OK)
        status = make_consistent(r, r->opt.start, masked, yp_known);
    if (status == DAEDAL_OK)
        status = begin_events(r, false);
    r->started = status == DAEDAL_OK;
    return status;
}

daedal_status run_restart(run *r, const double *y, const double *yp)
{
    diagnosis_clear(&r->why);
    bring_values(r, y ? y : r->y, yp ? yp : r->yp);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    int32_t how = r->opt.start == START_DERIVATIVES ? START_STATES : r->opt.start;
    TRY(make_consistent(r, how, false, how == START_GIVEN));
    TRY(begin_events(r, r->at_event));
    integ_view v = r->how->view(r->integrator);
    r->h_before = r->fresh ? r->h_before : v.h_next;
    r->fresh = true;
    r->stats.restarts++;
    return DAEDAL_OK;
}

/* The integrator takes over from the state; t_towards gives direction and scale. */
daedal_status run_begin_integrator(run *r, double t_towards)
{
    double span = t_towards - r->state.t;
    if (r->direction == 0.0)
        r->direction = span < 0.0 ? -1.0 : 1.0;
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    start_problem p = problem_of(r);
    if (r->opt.start != START_GIVEN)
        TRY(start_estimate_slopes(&p, r->is_differential));
    integ_begin from = {
        .t = r->state.t, .y = r->y, .yp = r->yp, .direction = r->direction, .span = fabs(span)};
    r->how->begin(r->integrator, &from);
    r->fresh = false;
    return DAEDAL_OK;
}

daedal_status run_check_jacobian(run *r)
{
    return explain_jacobian(&(explain_point){&r->ev, &r->matrix, &r->why, r->allocator, r->state.t,
                                             r->y, r->yp, r->inverse_weight, time_scale(r)});
}
