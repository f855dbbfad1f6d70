/* solver/steep_point.c - see run.h: points at which an algebraic variable has an infinite slope and
 * the solution goes on.
 *
 * q |q| = p determines q for every p, but where p passes zero dF/dq vanishes and q' is infinite: a
 * flow through a valve reverses.  Steps become too short there, as at a fold (x^2 = 1 - t), behind
 * which there is no solution, or one on another branch only.  The two differ in what lies behind
 * the point: after a time d behind it the solution has moved by d^p, p < 1, which tends to zero
 * with d, whereas the distance to another branch does not.  Implicit Euler steps of length d, 8 d,
 * 64 d are therefore taken from the end of the last step.  Where the distances grow as powers below
 * one do, and no second solution begins at the same point, the run goes on at the last of these
 * times. So it does where nothing moves: two tanks have reached the same level, and dF/dq is zero
 * from there on, but not the matrix of a step.  The time that is passed over is so short that the
 * states do not notice it in terms of their tolerances.                   */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"
#include "solver/run.h"

enum { LEVELS = 15, CLOSE = 20, CLOSE_MAX = 8 };
static const double WIDER = 8.0;           /* from level to level                              */
static const double LEAST_GROWTH = 1.33;   /* of the distance: WIDER^p for p = 1/7             */
static const double MOST_GROWTH = 5.0;     /* WIDER^p for p = 0.77; on a smooth curve it is 8  */
static const double STATES_MOVE = 0.1;     /* weights: error of the tangent                    */
static const double SAME_SOLUTION = 0.125; /* of the distance                                  */

/* One iteration for the implicit Euler step of length d to y_before, from y; *size of its
 * correction in weights. */
static bool iterate(run *r, double d, double *size)
{
    double t = r->state.t + d;
    for (int32_t j = 0; j < r->n; j++)
        r->yp_before[j] = r->is_differential[j] ? (r->y_before[j] - r->y[j]) / d : r->yp[j];
    matrix_point at = {t, fabs(d), r->y_before, r->yp_before, NULL, r->inverse_weight};
    if (matrix_evaluate(&r->matrix, &at) != DAEDAL_CALL_OK ||
        evaluator_residual(&r->ev, t, r->y_before, r->yp_before, r->work) != DAEDAL_CALL_OK ||
        matrix_factor(&r->matrix, 1.0 / d) != DAEDAL_OK)
        return false;
    matrix_solve(&r->matrix, r->work);
    for (int32_t j = 0; j < r->n; j++)
        r->y_before[j] -= r->work[j];
    *size = 0.0;
    for (int32_t j = 0; j < r->n; j++)
        *size = fmax(*size, fabs(r->work[j]) * r->inverse_weight[j]);
    return vector_all_finite(r->work, r->n);
}

/* How far the algebraic variables are from their values at the end of the last step, in weights. */
static double distance(const run *r)
{
    double most = 0.0;
    for (int32_t j = 0; j < r->n; j++)
        if (!r->is_differential[j])
            most = fmax(most, fabs(r->y_before[j] - r->y[j]) * r->inverse_weight[j]);
    return most;
}

/* An implicit Euler step of length d, in which the algebraic variables are guessed at t + reach;
 * into y_before and yp_before. */
static bool solve_behind(run *r, double d, double reach)
{
    enum { ITERATIONS_MAX = 40 };
    const double converged = 1e-3; /* weights, or of the distance: rounding errors leave more */
    double size = HUGE_VAL;
    for (int32_t j = 0; j < r->n; j++)
        r->y_before[j] = r->y[j] + (r->is_differential[j] ? d : reach) * r->yp[j];
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        if (!iterate(r, d, &size))
            return false;
        if (size <= converged * (1.0 + distance(r)))
            return true;
    }
    return false;
}

/* The time in which an algebraic variable would move by its weight. */
static double time_of_a_weight(const run *r)
{
    double most = 0.0;
    for (int32_t j = 0; j < r->n; j++)
        if (!r->is_differential[j])
            most = fmax(most, fabs(r->yp[j]) * r->inverse_weight[j]);
    return 1.0 / most;
}

/* From guesses on the tangent.  Slopes near such a point may be far too small or too large, so that
 * distances in weights are tried as well; those alone, in one direction or the other, if `side` is
 * not 0. */
static bool is_found(run *r, double d, int side)
{
    double unit = copysign(time_of_a_weight(r), d);
    const double reaches[] = {d, 8.0 * d, 1e7 * unit, 1e5 * unit, 1e3 * unit};
    for (size_t k = side ? 2 : 0; k < sizeof reaches / sizeof *reaches; k++)
        if (isfinite(reaches[k]) && solve_behind(r, d, (side < 0 ? -1.0 : 1.0) * reaches[k]))
            return true;
    return false;
}

/* Whether the tangents of the states are accurate enough up to t + d. */
static bool states_follow(const run *r, double d)
{
    for (int32_t j = 0; j < r->n; j++)
        if (r->is_differential[j] &&
            !(fabs(d * (r->yp_before[j] - r->yp[j])) * r->inverse_weight[j] <= STATES_MOVE))
            return false;
    return true;
}

/* Whether the equations at t + d have the solution in y_before alone, among those that are not much
 * farther away.  It is lost. */
static bool is_the_only_one(run *r, double d)
{
    double far = distance(r), *found = r->start.work.y_trial; /* idle between starts */
    double unit = time_of_a_weight(r);
    double room = fmax(far, fabs(d) / unit) / SAME_SOLUTION;
    const double reaches[] = {d, -d, 1e3 * unit, -1e3 * unit};
    memcpy(found, r->y_before, (size_t)r->n * sizeof(double));
    for (size_t k = 0; k < sizeof reaches / sizeof *reaches; k++) {
        if (!isfinite(reaches[k]) || !solve_behind(r, d, reaches[k]) || distance(r) > room)
            continue;
        double apart = 0.0;
        for (int32_t j = 0; j < r->n; j++)
            apart = fmax(apart, fabs(r->y_before[j] - found[j]) * r->inverse_weight[j]);
        if (apart > fmax(SAME_SOLUTION * far, 1.0))
            return false;
    }
    return true;
}

static bool is_power(double now, double before)
{
    return now >= LEAST_GROWTH * before && now <= MOST_GROWTH * before;
}

/* Slopes of algebraic variables from before the point say nothing of those behind it. */
static void forget_slopes(run *r)
{
    for (int32_t j = 0; j < r->n; j++)
        r->yp_before[j] = r->is_differential[j] ? r->yp_before[j] : 0.0;
}

/* The shortest time that is looked at.  Right behind a start at t = 0 all times so far are short;
 * there that which is left of the run tells what a time is.                          */
static double first_length(const run *r, double most)
{
    const double share = 1e-6;
    double scale = fmax(fabs(r->state.t), r->stagnation.growth.longest_step);
    return 64.0 * DBL_EPSILON * (isfinite(most) ? fmax(scale, share * most) : scale);
}

/* Whether an event function has changed at t + d, with the values in y_before: then the run may not
 * go on there, since the event comes first. */
static bool passes_event(run *r, double d)
{
    bool fires = false;
    if (r->roots.n_events == 0)
        return false;
    return roots_fire_at(&r->roots, r->state.t + d, r->y_before, r->yp_before, &fires) != 0 ||
           fires;
}

/* The farther from the point, the easier it is to begin there.  If *d is behind an event already,
 * shorter times are tried. */
static bool go_farther(run *r, double most, int side, double *d)
{
    double good = *d, before = distance(r), direction = r->limits.direction;
    bool heeds = side == 0; /* else relations have been changed, and an event follows anyway */
    bool nearer = heeds && passes_event(r, copysign(good, direction));
    for (double next = WIDER * good; next <= most && !nearer; next *= WIDER) {
        double signed_next = copysign(next, direction);
        if (!is_found(r, signed_next, side) || !is_power(distance(r), before) ||
            !states_follow(r, next) || (heeds && passes_event(r, signed_next)))
            break;
        good = next;
        before = distance(r);
    }
    double least = first_length(r, most);
    bool found = true;
    while (nearer && good > least) {
        good /= WIDER;
        found = is_found(r, copysign(good, direction), side);
        nearer = !found || passes_event(r, copysign(good, direction));
    }
    *d = good;
    found = !nearer && is_found(r, copysign(good, direction), side) && states_follow(r, good);
    forget_slopes(r);
    return found;
}

/* A time behind the end of the last step, `most` later at most, from where on the solution is known
 * to continue: *d; its values are in y_before. */
static bool find_continuation(run *r, double most, int side, double *d)
{
    double before[2] = {NAN, NAN};
    *d = first_length(r, most);
    for (int k = 0; k < LEVELS && *d <= most; k++, *d *= WIDER) {
        bool found = is_found(r, copysign(*d, r->limits.direction), side);
        double now = found ? distance(r) : NAN;
        if (now > 1.0 && is_power(now, before[1]) && is_power(before[1], before[0]))
            return true;
        before[0] = before[1];
        before[1] = now;
    }
    return false;
}

/* The same where it is the only solution. */
static bool find_only_continuation(run *r, double most, double *d)
{
    if (!find_continuation(r, most, 0, d))
        return false;
    double signed_d = copysign(*d, r->limits.direction);
    return is_the_only_one(r, signed_d) && is_found(r, signed_d, 0);
}

/* Slopes of algebraic variables are not known after a start: any direction will do. */
static void set_direction(run *r)
{
    bool is_known = isfinite(time_of_a_weight(r));
    for (int32_t j = 0; j < r->n && !is_known; j++)
        if (!r->is_differential[j])
            r->yp[j] = 1.0 / r->inverse_weight[j];
}

/* Points that follow each other after a few steps are no progress. */
static bool is_crowded(run *r)
{
    run_stagnation *s = &r->stagnation;
    bool is_close = r->stats.steps - s->step_steep <= CLOSE;
    s->close_points = is_close ? s->close_points + 1 : 0;
    s->step_steep = r->stats.steps;
    return s->close_points > CLOSE_MAX;
}

/* Whether there are algebraic variables, none of them of a higher index.  Where constraints lose
 * rank, multipliers tend to infinity, and there is nothing to continue. */
static bool is_applicable(const run *r)
{
    int32_t j = 0;
    while (j < r->n && r->is_differential[j])
        j++;
    return j < r->n && !run_has_high_index(r) && r->system.sys.n_constraints == 0;
}

/* From where on the run may continue, *t, with the values in y_before and yp_before.  It is not
 * farther than t_out if that can be avoided. */
static bool find_way(run *r, double t_out, double *t)
{
    double d = 0.0, ahead = fabs(run_limit_of(r, *t) - *t);
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    set_direction(r);
    if (is_crowded(r) || !find_only_continuation(r, ahead, &d) ||
        !go_farther(r, fmin(ahead, fabs(t_out - *t)), 0, &d))
        return false;
    *t += copysign(d, r->limits.direction);
    return true;
}

/* Whether steps of every length have a solution, to which y moves steadily and comes to rest: the
 * point lies on a smooth curve.  Where a branch ends, longer steps have no solution, or one far
 * away. */
static bool is_on_smooth_way(run *r, double most)
{
    enum { REST = 3 };
    const double jump = 10.0, back = 0.9, still = 1.1; /* growth from level to level */
    double before = NAN, d = first_length(r, most);
    int rests = 0;
    for (int k = 0; k < LEVELS && d <= most && rests < REST; k++, d *= WIDER) {
        if (!solve_behind(r, copysign(d, r->limits.direction), 0.0))
            return false;
        double now = distance(r);
        if (now > jump * before || now < back * before)
            return false;
        rests = now < still * before ? rests + 1 : 0;
        before = now > 1.0 ? now : NAN; /* weights: less may be noise */
    }
    return rests == REST;
}

bool solver_continues_behind(daedal_solver *solver)
{
    run *r = &solver->run;
    double d = 0.0, ahead = fabs(run_limit_of(r, r->state.t) - r->state.t);
    daedal_diagnosis kept = r->why;
    if (r->fresh || !is_applicable(r))
        return false;
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    set_direction(r);
    bool found = find_only_continuation(r, ahead, &d) || is_on_smooth_way(r, ahead);
    r->why = kept;
    return found;
}

bool solver_find_continuation(daedal_solver *solver, int side, double *t, double *y, double *yp)
{
    run *r = &solver->run;
    double t_most = *t;
    size_t bytes = (size_t)r->n * sizeof(double);
    double d = 0.0, ahead = fabs(run_limit_of(r, r->state.t) - r->state.t);
    daedal_diagnosis kept = r->why;
    if (!is_applicable(r))
        return false;
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    set_direction(r);
    bool found = find_continuation(r, ahead, side, &d) &&
                 go_farther(r, fmin(ahead, fabs(t_most - r->state.t)), side, &d);
    r->why = kept;
    if (!found)
        return false;
    *t = r->state.t + copysign(d, r->limits.direction);
    memcpy(y, r->y_before, bytes);
    memcpy(yp, r->yp_before, bytes);
    return true;
}

/* The run has gone from t, where the integrator stands, over t_out: back to it on a straight line.
 */
static void return_to(run *r, double t, double t_out)
{
    double share = (t_out - t) / (r->state.t - t);
    r->method->interpolate(r->integrator, t, r->y_before, r->yp_before);
    for (int32_t j = 0; j < r->n; j++)
        r->y[j] = r->y_before[j] + share * (r->y[j] - r->y_before[j]);
    r->state.t = t_out;
}

daedal_status run_pass_steep_point(run *r, daedal_status failure, double t_out, bool *passed)
{
    double t = r->state.t, t_behind = t;
    *passed = false;
    if (!run_may_be_the_method(r, failure) || r->fresh || !is_applicable(r))
        return DAEDAL_OK;
    daedal_diagnosis first = r->why;
    integ_view here = {.t = t, .y = r->y, .yp = r->yp, .h_next = r->stats.h_last};
    if (!run_jacobian_is_wrong(r, &here) && find_way(r, t_out, &t_behind)) {
        RETURN_UNLESS_OK(run_resume_at(r, t_behind, r->y_before, r->yp_before));
        *passed = r->fresh;
    }
    if (!*passed) {
        r->why = first;
        return DAEDAL_OK;
    }
    r->start.h_before = fabs(t_behind - t);
    if ((r->state.t - t_out) * r->limits.direction > 0.0)
        return_to(r, t, t_out);
    diagnosis_clear(&r->why);
    return DAEDAL_OK;
}
