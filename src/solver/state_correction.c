/* solver/state_correction.c - the state that a user sees at an output point.
 *
 * The integrator steps on with its own values.  The values that are returned to the user at an
 * output point are corrected so that they satisfy the equations and all levels of their hidden
 * constraints.                                                                      */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "consistent/algebraic_correction.h"
#include "consistent/level_correction.h"
#include "solver/run.h"

/* The correction in use: of levels if the index is above one, else of algebraic variables. */
typedef struct run_correction {
    bool has_levels;
    level_correction levels;
    algebraic_correction algebraic;
    int32_t *offsets; /* 2 n: of equations and variables */
} run_correction;

void run_forget_correction(run *r)
{
    run_correction *x = r->correction;
    if (!x)
        return;
    if (x->has_levels)
        level_correction_free(&x->levels);
    else
        algebraic_correction_free(&x->algebraic);
    memory_give(r->allocator, x->offsets, 2 * (size_t)r->n * sizeof(int32_t));
    memory_give(r->allocator, x, sizeof *x);
    r->correction = NULL;
}

/* ---- creation at the first use ---- */

/* Offsets of the derivative array: those found, or the index for every equation. */
static int32_t equation_offset(const index_answer *found, int32_t i)
{
    return found->is_regular ? found->c[i] : found->index;
}

static int32_t variable_offset(const index_answer *found, int32_t j)
{
    return found->is_regular ? found->d[j] : found->index + 1;
}

static bool set_offsets(const run *r, run_correction *x, start_offsets *to)
{
    const index_answer *found = &r->index.answer;
    x->offsets = memory_take_array(r->allocator, 2 * (size_t)r->n, sizeof(int32_t));
    if (!x->offsets)
        return false;
    for (int32_t i = 0; i < r->n; i++) {
        x->offsets[i] = equation_offset(found, i);
        x->offsets[r->n + i] = variable_offset(found, i);
    }
    *to = (start_offsets){.c = x->offsets, .d = x->offsets + r->n, .freedom = -1};
    if (found->is_regular)
        to->freedom = found->freedom;
    else if (found->freedom >= 0)
        to->constraints = r->n - found->freedom;
    return true;
}

static bool create_levels(run *r, run_correction *x)
{
    start_offsets offsets;
    x->has_levels = true;
    if (!set_offsets(r, x, &offsets))
        return false;
    r->index.levels_are_too_many = !level_correction_is_affordable(&offsets, r->n);
    level_knowledge k = {&r->matrix, r->is_differential, offsets, &r->why, r->allocator};
    return r->index.levels_are_too_many || level_correction_create(&x->levels, &k);
}

/* Whether the correction was made for the offsets that were found last. */
static bool is_up_to_date(const run *r, bool has_levels)
{
    const run_correction *x = r->correction;
    const index_answer *found = &r->index.answer;
    if (!x || x->has_levels != has_levels)
        return false;
    for (int32_t i = 0; i < r->n && has_levels; i++)
        if (x->offsets[i] != equation_offset(found, i) ||
            x->offsets[r->n + i] != variable_offset(found, i))
            return false;
    return true;
}

static daedal_status prepare(run *r, bool has_levels)
{
    if (is_up_to_date(r, has_levels))
        return DAEDAL_OK;
    run_forget_correction(r);
    run_correction *x = r->correction = memory_take(r->allocator, sizeof *x);
    bool fits = x && (has_levels ? create_levels(r, x)
                                 : algebraic_correction_create(&x->algebraic, &r->matrix,
                                                               r->is_differential, r->allocator));
    if (!fits || (has_levels && r->index.levels_are_too_many))
        run_forget_correction(r);
    return fits ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

daedal_status run_copy_correction(run *copy, const run *from)
{
    if (!from->correction)
        return DAEDAL_OK;
    daedal_status status = prepare(copy, from->correction->has_levels);
    if (status != DAEDAL_OK || !copy->correction)
        return status;
    if (from->correction->has_levels)
        level_correction_copy(&copy->correction->levels, &from->correction->levels);
    else
        algebraic_correction_copy(&copy->correction->algebraic, &from->correction->algebraic);
    return DAEDAL_OK;
}

/* ---- the two corrections ---- */

/* The time of the state, or the end of the last step if the state lies beyond it, as at a
 * breakpoint, where F must not be evaluated. */
static double inside(const run *r, const integ_view *v)
{
    bool beyond = (r->state.t - v->t) * (v->t - v->t_before) > 0.0;
    return beyond ? v->t : r->state.t;
}

/* The largest move of the states of index up to `index`, in weights. */
static double largest_move(const run *r, int32_t index)
{
    double most = 0.0;
    for (int32_t j = 0; j < r->n; j++)
        if (r->is_differential[j] && r->variable_index[j] <= index)
            most = fmax(most, fabs(r->y[j] - r->y_before[j]) * r->inverse_weight[j]);
    return most;
}

/* Corrects the state, but takes a correction back that moves a state of index up to `index` by more
 * than `far` weights; then *refuted is true. */
static daedal_status correct_at(run *r, const level_point *at, int32_t index, double far,
                                bool *done, bool *refuted)
{
    RETURN_UNLESS_OK(level_correction_apply(&r->correction->levels, at, r->y, r->yp, done));
    *refuted = *done && largest_move(r, index) > far;
    if (*refuted) {
        memcpy(r->y, r->y_before, (size_t)r->n * sizeof(double));
        memcpy(r->yp, r->yp_before, (size_t)r->n * sizeof(double));
        *done = false;
    }
    return DAEDAL_OK;
}

/* How far beyond the step F is evaluated.  In a very short step, as at the beginning of a run,
 * differences inside the step are mostly noise, and those over a longer time are better, as at a
 * start.  The distance is the time over which the solution changed little at the state that the
 * user saw last: the present step is no measure, because a state that runs away makes steps ever
 * shorter. */
static double reach_ahead(run *r, const level_point *inside_step)
{
    const double wider = 2e4, longer = 2.0, calm = 0.2;
    const run_seen *seen = &r->start.seen;
    double h = fabs(inside_step->t_to - inside_step->t_from), t = inside_step->t;
    double span = fmax(longer * r->stagnation.growth.longest_step,
                       calm * run_calm_time(r, seen->t, seen->y, seen->yp));
    double ahead = fmin(fmax(wider * h, span), run_time_ahead(r, t));
    return fmin(ahead, fabs(run_limit_of(r, t) - t));
}

static daedal_status correct_ahead(run *r, const level_point *inside_step, double ahead, bool *done,
                                   bool *refuted)
{
    const double far = 100.0;
    level_point at = *inside_step;
    at.t_to = at.t + r->limits.direction * ahead;
    return correct_at(r, &at, INT32_MAX, far, done, refuted);
}

/* How far before the end of the step F is evaluated: not before the last start of the integrator,
 * since the equations may have been different there. */
static double reach_behind(const run *r, const level_point *inside_step)
{
    const double longer = 2.0;
    return fmin(longer * r->stagnation.growth.longest_step,
                fabs(inside_step->t_to - r->start.t_begun));
}

/* Whether the step is so short compared with reach_ahead() that a state may have run away.  Then y'
 * of the step is meaningless, and that of the state that the user saw last is the better guess. */
static bool is_very_short(const level_point *inside_step, double ahead)
{
    const double much_shorter = 5e-4;
    return fabs(inside_step->t_to - inside_step->t_from) < much_shorter * ahead;
}

/* Corrected values into y_before and yp_before, with F evaluated up to `ahead` beyond the step. */
static bool find_ahead(run *r, double ahead)
{
    integ_view v = r->method->view(r->integrator);
    double t = inside(r, &v);
    level_point at = {t, v.t_before, v.t, r->inverse_weight, false};
    bool done = false;
    at.moves_far = is_very_short(&at, ahead);
    at.t_to = t + r->limits.direction * ahead;
    memcpy(r->y_before, r->y, (size_t)r->n * sizeof(double));
    memcpy(r->yp_before, at.moves_far ? r->start.seen.yp : r->yp, (size_t)r->n * sizeof(double));
    daedal_status status =
        level_correction_apply(&r->correction->levels, &at, r->y_before, r->yp_before, &done);
    return status == DAEDAL_OK && done;
}

/* The same, and whether evaluations of F within a tenth of `ahead` give nearly the same values: if
 * they do not, F has a corner or a jump there. */
static bool find_agreed(run *r, double ahead)
{
    const double closer = 0.1, agreement = 0.1, little = 3.0;
    double *other = r->work, apart = 0.0;
    if (!find_ahead(r, closer * ahead))
        return false;
    memcpy(other, r->y_before, (size_t)r->n * sizeof(double));
    if (!find_ahead(r, ahead))
        return false;
    for (int32_t j = 0; j < r->n; j++)
        if (r->is_differential[j])
            apart = fmax(apart, fabs(r->y_before[j] - other[j]) * r->inverse_weight[j]);
    return apart <= fmax(agreement * largest_move(r, INT32_MAX), little);
}

/* The move of a state from y to y_before, in tolerances for its largest value so far.  The error
 * test sees errors of velocities only after multiplication by h, so that a tenth of their size is
 * not counted. */
static double move_of(const run *r, int32_t j)
{
    const double part = 0.1;
    double size = fmax(fabs(r->y_before[j]), r->stagnation.mark.largest[j]);
    double tolerance = r->now.rtol[j] * size + r->now.atol[j];
    double move = fabs(r->y_before[j] - r->y[j]);
    if (!r->is_differential[j] || (r->variable_index[j] > 1 && move <= part * size))
        return 0.0;
    return move / tolerance;
}

static double largest_in_run(const run *r)
{
    double most = 0.0;
    for (int32_t j = 0; j < r->n; j++)
        most = fmax(most, move_of(r, j));
    return most;
}

static bool is_far_in_run(const run *r)
{
    const double far = 1000.0;
    return largest_in_run(r) > far;
}

static void swap(double *a, double *b, int32_t n)
{
    for (int32_t j = 0; j < n; j++) {
        double keep = a[j];
        a[j] = b[j];
        b[j] = keep;
    }
}

/* In a very short step, differences inside it are noise, which would confirm any values: here only
 * evaluations beyond the step are used. */
static void correct_very_short(run *r, double ahead, bool *done, bool *refuted)
{
    if (!find_agreed(r, ahead))
        return;
    *refuted = is_far_in_run(r);
    *done = !*refuted;
    if (*refuted)
        return;
    swap(r->y, r->y_before, r->n);
    swap(r->yp, r->yp_before, r->n);
}

/* Corrects with evaluations of F inside the last step.  If a state would move far, the step is not
 * accurate: it is taken again in shorter steps, and the values of these are corrected. */
static daedal_status correct_inside(run *r, const level_point *at, bool *done)
{
    const double far = 3000.0; /* of positions: the error test leaves them some tolerances */
    bool refuted = false, again = false; /* inside of a short step that may be noise */
    RETURN_UNLESS_OK(correct_at(r, at, 1, far, done, &refuted));
    if (!refuted || r->at_event || !r->method->step_inside || at->t == at->t_to)
        return DAEDAL_OK;
    RETURN_UNLESS_OK(r->method->step_inside(r->integrator, at->t, r->y, r->yp, &again));
    if (!again)
        return DAEDAL_OK;
    memcpy(r->y_before, r->y, (size_t)r->n * sizeof(double));
    memcpy(r->yp_before, r->yp, (size_t)r->n * sizeof(double));
    return correct_at(r, at, 1, far, done, &refuted);
}

/* Corrects with evaluations of F beyond the step or, if a stop time or a breakpoint is near, before
 * it: the step is so short that differences inside it are not accurate. */
static daedal_status correct_outside(run *r, const level_point *inside_step, double ahead,
                                     bool *done, bool *refuted)
{
    const double worth = 20.0, far = 3000.0;
    double h = fabs(inside_step->t_to - inside_step->t_from), behind = reach_behind(r, inside_step);
    if (ahead >= worth * h)
        return correct_ahead(r, inside_step, ahead, done, refuted);
    if (behind < worth * h)
        return DAEDAL_OK;
    bool moves_far = false; /* not used: F before the step does not refute it */
    level_point at = *inside_step;
    at.t_from = at.t_to - r->limits.direction * behind;
    return correct_at(r, &at, 1, far, done, &moves_far);
}

/* If values that were corrected inside a much shorter step than the others may be mostly noise,
 * they are corrected again with evaluations outside the step. */
static daedal_status correct_noisy(run *r, const level_point *at, double ahead)
{
    const double much_shorter = 0.05;
    bool done, refuted = false;
    bool is_short = fabs(at->t_to - at->t_from) < much_shorter * r->stagnation.growth.longest_step;
    if (r->at_event || !is_short || !level_correction_is_noisy(&r->correction->levels))
        return DAEDAL_OK;
    memcpy(r->y_before, r->y, (size_t)r->n * sizeof(double));
    memcpy(r->yp_before, r->yp, (size_t)r->n * sizeof(double));
    return correct_outside(r, at, ahead, &done, &refuted);
}

static daedal_status correct_levels(run *r, const integ_view *v, bool *refuted)
{
    bool done = false;
    size_t bytes = (size_t)r->n * sizeof(double);
    level_point at = {inside(r, v), v->t_before, v->t, r->inverse_weight, false};
    double ahead = reach_ahead(r, &at);
    bool very_short = is_very_short(&at, ahead);
    *refuted = false;
    if (very_short)
        correct_very_short(r, ahead, &done, refuted);
    if (!done && !*refuted) {
        memcpy(r->y_before, r->y, bytes);
        memcpy(r->yp_before, r->yp, bytes);
        RETURN_UNLESS_OK(correct_inside(r, &at, &done));
        if (!done && !very_short)
            RETURN_UNLESS_OK(correct_outside(r, &at, ahead, &done, refuted));
        else if (done)
            RETURN_UNLESS_OK(correct_noisy(r, &at, ahead));
    }
    if (!done || !r->at_event)
        return DAEDAL_OK;
    for (int32_t j = 0; j < r->n;
         j++) /* at an event the function that fired must stay at its zero */
        r->work[j] = r->is_differential[j] ? r->y_before[j] : r->y[j];
    int answer = roots_look(&r->roots, r->state.t, r->work, r->yp_before);
    if (answer == DAEDAL_CALL_OK)
        answer = roots_show(&r->roots, r->state.t, r->y, r->yp);
    if (answer != DAEDAL_CALL_OK) {
        memcpy(r->y, r->y_before, bytes);
        memcpy(r->yp, r->yp_before, bytes);
    }
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : DAEDAL_OK;
}

static algebraic_point point_at(run *r, double t)
{
    integ_view v = r->method->view(r->integrator);
    return (algebraic_point){t, v.t - v.t_before, r->inverse_weight, false};
}

static daedal_status correct_algebraic(run *r, const algebraic_point *at, double *y, double *yp,
                                       bool *far)
{
    return algebraic_correction_apply(&r->correction->algebraic, at, y, yp, far);
}

/* Values that are too far from the equations to be corrected are not accurate: then the last step
 * is taken again in shorter steps, and the values of these are corrected. */
static daedal_status correct_output(run *r)
{
    bool far = false, done = false;
    algebraic_point at = point_at(r, r->state.t);
    RETURN_UNLESS_OK(correct_algebraic(r, &at, r->y, r->yp, &far));
    if (!far || !r->method->step_inside)
        return DAEDAL_OK;
    RETURN_UNLESS_OK(r->method->step_inside(r->integrator, r->state.t, r->y, r->yp, &done));
    if (!done)
        return DAEDAL_OK;
    run_project_state(r, r->state.t);
    at.may_move_far = true;
    return correct_algebraic(r, &at, r->y, r->yp, &far);
}

static bool has_hidden_levels(const run *r)
{
    const index_answer *found = &r->index.answer;
    return found->verdict == INDEX_FOUND && found->index > 1 && r->constraints.n_levels == 0 &&
           !r->method->correct;
}

static bool needs_algebraic(const run *r)
{
    return r->method->algebraic_is_rough && !run_has_high_index(r);
}

/* Corrects by a function of the method itself, but not at events, which were located on the
 * interpolant.  The interpolant may be inaccurate in a long step; if the correction fails there,
 * the step is taken again up to t. */
static daedal_status correct_by_method(run *r, const integ_view *v)
{
    enum {
        TRIALS = 2
    }; /* a failure drops what is kept of earlier points; then another may succeed */
    double t = inside(r, v);
    int answer = DAEDAL_CALL_RETRY;
    bool done = true;
    if (r->at_event || t == v->t)
        return DAEDAL_OK;
    for (int k = 0; k < TRIALS && answer == DAEDAL_CALL_RETRY; k++)
        answer = r->method->correct(r->integrator, t, r->y);
    if (answer == DAEDAL_CALL_RETRY && r->method->step_inside) {
        RETURN_UNLESS_OK(r->method->step_inside(r->integrator, t, r->y, r->yp, &done));
        answer = r->method->correct(r->integrator, t, r->y);
    }
    if (answer == DAEDAL_CALL_FAIL)
        return fail(&r->why, DAEDAL_ERR_CALLBACK, "the residual reported failure at t = %.10g", t);
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : DAEDAL_OK;
}

/* With index one nothing is corrected at events: they were located on the interpolant, or on values
 * that were corrected already. */
daedal_status run_correct_state(run *r, bool *refuted)
{
    *refuted = false;
    if (r->fresh)
        return DAEDAL_OK;
    integ_view v = r->method->view(r->integrator);
    if (r->method->correct)
        return correct_by_method(r, &v);
    bool levels = has_hidden_levels(r);
    bool is_between = !r->at_event && inside(r, &v) != v.t;
    bool algebraic = is_between && needs_algebraic(r);
    if (is_between && r->method->correct_slopes && r->after_step.shows_slopes)
        r->method->correct_slopes(r->integrator, r->state.t, r->y, r->yp);
    if (levels ? r->index.levels_are_too_many : !algebraic)
        return DAEDAL_OK;
    daedal_status status = prepare(r, levels);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    if (status == DAEDAL_OK && r->correction)
        status = levels ? correct_levels(r, &v, refuted) : correct_output(r);
    if (status == DAEDAL_ERR_MEMORY)
        fail(&r->why, status, "out of memory at an output point");
    return status;
}

/* Corrected values at the end of the last step into y_before and yp_before.  F is evaluated beyond
 * the step, because differences in short steps are noise; if that fails, inside the step. */
static daedal_status find_levels(run *r, const integ_view *v, bool *done)
{
    const double wider = 2e4;
    daedal_status status = DAEDAL_OK;
    *done = false;
    double h = fabs(v->t - v->t_before);
    double ahead = fmin(wider * h, run_time_ahead(r, v->t));
    level_point at[] = {{v->t, v->t, v->t + r->limits.direction * ahead, r->inverse_weight, false},
                        {v->t, v->t_before, v->t, r->inverse_weight, false}};
    weights_inverse(&r->tolerances, v->y, r->inverse_weight);
    for (int k = 0; k < 2 && !*done && status == DAEDAL_OK; k++) {
        memcpy(r->y_before, v->y, (size_t)r->n * sizeof(double));
        memcpy(r->yp_before, v->yp, (size_t)r->n * sizeof(double));
        status =
            level_correction_apply(&r->correction->levels, &at[k], r->y_before, r->yp_before, done);
    }
    return status;
}

bool run_hidden_levels_hold(run *r, const integ_view *v, int32_t j)
{
    const double much = 0.5; /* of the value */
    if (!has_hidden_levels(r) || r->index.levels_are_too_many || prepare(r, true) != DAEDAL_OK ||
        !r->correction)
        return true;
    bool done;
    if (find_levels(r, v, &done) != DAEDAL_OK)
        return true;
    return done && fabs(r->y_before[j] - v->y[j]) <= much * fabs(v->y[j]);
}

bool run_state_is_refuted(run *r)
{
    integ_view v = r->method->view(r->integrator);
    level_point at = {inside(r, &v), v.t_before, v.t, r->inverse_weight, false};
    size_t bytes = (size_t)r->n * sizeof(double);
    if (!find_agreed(r, reach_ahead(r, &at)))
        return false;
    if (is_far_in_run(r))
        return true;
    memcpy(r->y, r->y_before, bytes);
    memcpy(r->yp, r->yp_before, bytes);
    return false;
}

bool run_levels_held_before(run *r, double t, const double *y, int32_t j, double allowed)
{
    const double share = 0.01; /* of the run; differences over shorter times are noise */
    bool done = false;
    double run_so_far = fabs(t - r->stagnation.t_start);
    double reach =
        fmin(2.0 * fmax(r->stagnation.growth.longest_step, share * run_so_far), run_so_far);
    if (!has_hidden_levels(r) || r->index.levels_are_too_many || reach == 0.0 ||
        prepare(r, true) != DAEDAL_OK || !r->correction)
        return true;
    level_point at = {t, t - copysign(reach, r->limits.direction), t, r->inverse_weight, false};
    memcpy(r->y_before, y, (size_t)r->n * sizeof(double));
    memcpy(r->yp_before, r->yp, (size_t)r->n * sizeof(double));
    daedal_status status =
        level_correction_apply(&r->correction->levels, &at, r->y_before, r->yp_before, &done);
    return status == DAEDAL_OK && done && fabs(r->y_before[j] - y[j]) <= allowed;
}

void run_correct_algebraic(run *r, double t, double *y, double *yp)
{
    if (has_hidden_levels(r) || !needs_algebraic(r) || t == r->method->view(r->integrator).t ||
        prepare(r, false) != DAEDAL_OK)
        return;
    weights_inverse(&r->tolerances, y, r->inverse_weight);
    bool far;
    algebraic_point at = point_at(r, t);
    (void)correct_algebraic(r, &at, y, yp, &far);
}

bool run_correct_jump(run *r, double time_scale, daedal_status *status)
{
    bool done = false;
    *status = DAEDAL_OK;
    if (has_hidden_levels(r) || run_has_high_index(r) || matrix_is_iterative(&r->matrix) ||
        prepare(r, false) != DAEDAL_OK)
        return false;
    algebraic_point at = {r->state.t, time_scale, r->inverse_weight, false};
    int answer = algebraic_correction_jump(&r->correction->algebraic, &at, r->y, r->yp, &done);
    if (answer == DAEDAL_CALL_STOP)
        *status = DAEDAL_STOPPED;
    return done;
}

int run_estimate_slopes(run *r, double h)
{
    return algebraic_correction_slopes(&r->correction->algebraic, r->state.t, h, r->y, r->yp);
}
