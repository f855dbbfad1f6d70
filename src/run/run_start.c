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

double run_time_scale(const run *r, double t, const double *y, const double *yp)
{
    double ahead = isnan(r->t_stop) ? 0.0 : fabs(r->t_stop - t);
    double speed = vector_wrms(yp, r->inverse_weight, r->n);
    double size = vector_wrms(y, r->inverse_weight, r->n);
    double scale = speed > 0.0 && size > 0.0 ? size / speed : fmax(fabs(t), 1.0);
    if (ahead > 0.0)
        scale = fmin(scale, ahead);
    return isfinite(scale) && scale > 0.0 ? scale : 1.0;
}

static double time_scale(const run *r)
{
    return run_time_scale(r, r->state.t, r->y, r->yp);
}

static start_problem problem_of(run *r)
{
    return (start_problem){.matrix = &r->matrix,
                           .work = &r->starting,
                           .t = r->state.t,
                           .y = r->y,
                           .yp = r->yp,
                           .y_mask = r->y_mask,
                           .yp_mask = r->yp_mask,
                           .inverse_weight = r->inverse_weight,
                           .time_scale = time_scale(r),
                           .direction = r->direction < 0.0 ? -1.0 : 1.0,
                           .t_limit = HUGE_VAL,
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

/* How to make the start consistent: the user's masks, or those of an option. */
typedef struct start_manner {
    int32_t how;   /* START_GIVEN: not at all */
    bool masked;   /* r->y_mask and r->yp_mask are set already */
    bool yp_known; /* y' was given, so its moves are worth reporting */
} start_manner;

static daedal_status solve_start(run *r, const start_manner *m)
{
    start_problem p = problem_of(r);
    daedal_status status = start_consistent(&p);
    bool hopeless = status == DAEDAL_ERR_SINGULAR || status == DAEDAL_ERR_START;
    if (hopeless && r->detected) { /* the pattern may be that of other parameters */
        daedal_diagnosis first = r->why;
        bool grown = false;
        PASS(run_refresh_pattern(r, &grown));
        if (!grown) {
            r->why = first;
            return status;
        }
        if (!m->masked)
            default_masks(r, m->how);
        p = problem_of(r);
        status = start_consistent(&p);
        if (status == DAEDAL_ERR_SINGULAR || status == DAEDAL_ERR_START)
            r->why = first;
    }
    return status;
}

static daedal_status make_consistent(run *r, const start_manner *m)
{
    r->n_moved = 0;
    if (m->how == START_GIVEN && !m->masked)
        return DAEDAL_OK;
    if (!m->masked)
        default_masks(r, m->how);
    daedal_status status = solve_start(r, m);
    if (status == DAEDAL_OK) {
        diagnosis_clear(&r->why);
        list_moved(r, m->yp_known);
    }
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

/* Values that are to be made consistent begin on the constraints; if they cannot be met, the
 * steps will say so.                                                             */
static void project_values(run *r)
{
    double moved = 0.0;
    if (r->opt.start != START_GIVEN)
        projection_apply(&r->constraints, r->state.t, r->y, r->inverse_weight, &moved);
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

static daedal_status prepare_start(run *r, const run_start_values *from)
{
    r->state.t = from->t;
    bring_values(r, from->y, from->yp);
    weights_begin(&r->tolerances, r->y);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    evaluator_forget(&r->ev);
    PASS(check_defined(r));
    PASS(run_set_up(r));
    if (r->opt.check_jacobian)
        PASS(run_check_jacobian(r));
    if (from->y_mask) {
        memcpy(r->y_mask, from->y_mask, (size_t)r->n * sizeof(int32_t));
        memcpy(r->yp_mask, from->yp_mask, (size_t)r->n * sizeof(int32_t));
    }
    return DAEDAL_OK;
}

daedal_status run_start(run *r, const run_start_values *from)
{
    diagnosis_clear(&r->why);
    r->started = false;
    r->fresh = true;
    r->at_event = false;
    r->direction = r->h_before = 0.0;
    r->n_moved = 0;
    PASS(prepare_start(r, from));
    bool yp_known = from->yp != NULL;
    bool as_given = r->opt.start == START_GIVEN && yp_known;
    start_manner manner = {as_given                      ? START_GIVEN
                           : r->opt.start == START_GIVEN ? START_STATES
                                                         : r->opt.start,
                           from->y_mask != NULL, yp_known};
    project_values(r);
    PASS(make_consistent(r, &manner));
    PASS(begin_events(r, false));
    r->started = true;
    return DAEDAL_OK;
}

/* From the values in r->y, r->yp: consistent again, events set, integrator to begin. */
static daedal_status begin_again(run *r, bool yp_given)
{
    evaluator_forget(&r->ev);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    bool as_given = r->opt.start == START_GIVEN && yp_given;
    start_manner manner = {as_given ? START_GIVEN : START_STATES, false, yp_given};
    project_values(r);
    PASS(make_consistent(r, &manner));
    PASS(begin_events(r, r->at_event));
    if (!r->fresh && r->integrator)
        r->h_before = fabs(r->stats.h_last);
    r->fresh = true;
    r->stats.restarts++;
    return DAEDAL_OK;
}

daedal_status run_restart(run *r, const double *y, const double *yp)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    diagnosis_clear(&r->why);
    memcpy(r->y_before, r->y, bytes);
    memcpy(r->yp_before, r->yp, bytes);
    bring_values(r, y ? y : r->y, yp ? yp : r->yp);
    daedal_status status = begin_again(r, yp != NULL);
    if (status != DAEDAL_OK) { /* as if it had not been asked for */
        memcpy(r->y, r->y_before, bytes);
        memcpy(r->yp, r->yp_before, bytes);
    }
    return status;
}

daedal_status run_resume(run *r)
{
    bring_values(r, r->y, r->yp);
    return begin_again(r, false);
}

/* The integrator takes over from the state; t_towards gives direction and scale. */
daedal_status run_begin_integrator(run *r, double t_towards, double t_limit)
{
    double span = fabs(t_towards - r->state.t), room = fabs(t_limit - r->state.t);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    start_problem p = problem_of(r);
    p.t_limit = t_limit;
    if (r->opt.start != START_GIVEN)
        PASS(start_estimate_slopes(&p, r->is_differential));
    integ_begin from = {.t = r->state.t,
                        .y = r->y,
                        .yp = r->yp,
                        .h_before = fmin(r->h_before, fmin(span, room)),
                        .direction = r->direction,
                        .span = fmin(span, room)};
    r->how->begin(r->integrator, &from);
    r->fresh = false;
    return DAEDAL_OK;
}

daedal_status run_check_jacobian(run *r)
{
    return explain_jacobian(&(explain_point){&r->ev, &r->matrix, &r->why, r->allocator, r->state.t,
                                             r->y, r->yp, r->inverse_weight, time_scale(r)});
}
