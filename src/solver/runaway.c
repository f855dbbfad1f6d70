/* solver/runaway.c - see run.h: variables of higher index that run away from the solution.
 *
 * The error test weights variables of index 2 and 3 by powers of the step size, because their
 * errors do not go on into later steps.  There are systems of which that is not true: behind an
 * impasse, where no solution is left, and where the direct integration is unstable although the
 * system is solvable ((3.1.13) of [BCP96]).  There such a variable grows from step to step without
 * bound, and every step is accepted.  If one has grown much since a mark was set, it is asked
 * whether the values satisfy the constraints that are hidden in the equations; if they do not, the
 * run goes back to the mark and ends there. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "solver/run.h"
#include "solver/sensitivity.h"
#include "solver/smoothness.h"

enum { BETWEEN_SIZES = 40, TESTS_MAX = 20, JUMPS_MAX = 3, SUSPICIOUS = 200, CONFIRMATIONS = 5 };
static const double LITTLE = 2.0, MUCH = 100.0; /* growth since sizes were noted */
static const double SLOW = 1.3;                 /* growth in a step              */
static const double BEYOND_DOUBT = 1e12;        /* growth that no jump explains   */

static double floor_of(const run *r, int32_t j)
{
    return fmin(r->now.rtol[j] > 0.0 ? r->now.atol[j] / r->now.rtol[j] : r->now.atol[j], 1.0);
}

static void set_mark(run *r, double t, const double *y, const double *yp)
{
    run_mark *m = &r->stagnation.mark;
    memcpy(m->y, y, (size_t)r->n * sizeof(double));
    memcpy(m->yp, yp, (size_t)r->n * sizeof(double));
    m->t = t;
}

static void note_sizes(run *r, const double *y)
{
    run_mark *m = &r->stagnation.mark;
    for (int32_t j = 0; j < r->n; j++)
        m->largest[j] = fmax(m->largest[j], fmax(fabs(y[j]), floor_of(r, j)));
    m->steps = r->stats.steps;
}

void run_begin_runaway(run *r)
{
    memset(r->stagnation.mark.largest, 0, (size_t)r->n * sizeof(double));
    r->stagnation.mark.tests = r->stagnation.mark.jumps = r->stagnation.mark.seen = 0;
    note_sizes(r, r->y);
    set_mark(r, r->state.t, r->y, r->yp);
}

static bool is_suspicious(const run *r)
{
    const run_mark *m = &r->stagnation.mark;
    return m->jumps > 0 && r->stats.steps - m->step_jumped < SUSPICIOUS;
}

/* The variable of index 2 or more that has grown most, and by what factor, since sizes were noted;
 * *at_once: the largest growth in the last step of those that have grown more than a little. */
static int32_t find_grown(const run *r, const double *y, double *factor, double *at_once)
{
    int32_t which = -1;
    *factor = *at_once = 0.0;
    for (int32_t j = 0; j < r->n; j++) {
        double growth = fabs(y[j]) / r->stagnation.mark.largest[j];
        if (r->variable_index[j] < 2)
            continue;
        if (growth > LITTLE)
            *at_once = fmax(*at_once, fabs(y[j]) / fmax(fabs(r->y_before[j]), floor_of(r, j)));
        which = growth > *factor ? j : which;
        *factor = fmax(*factor, growth);
    }
    return which;
}

static void go_to(run *r, double t, const double *y, const double *yp)
{
    memcpy(r->y, y, (size_t)r->n * sizeof(double));
    memcpy(r->yp, yp, (size_t)r->n * sizeof(double));
    if (r->state.t != t)
        sensitivities_lose(r);
    r->state.t = t;
    r->fresh = true;
}

/* To the mark, but not before what the user has seen: that satisfied the hidden constraints. */
static void go_back(run *r)
{
    const run_mark *m = &r->stagnation.mark;
    const run_seen *seen = &r->start.seen;
    if ((m->t - seen->t) * r->limits.direction > 0.0)
        go_to(r, m->t, m->y, m->yp);
    else
        go_to(r, seen->t, seen->y, seen->yp);
}

static void tell_unstable(run *r, int32_t j, double t, double value)
{
    char name[96], of_index[32] = "";
    daedal_status status = r->why.status;
    int32_t index = r->variable_index[j];
    if (index > 1)
        snprintf(of_index, sizeof of_index, ", of index %d,", (int)index);
    fail(&r->why, status,
         "the direct integration of the system is unstable behind t = %.10g: %s%s is %.6g at t = "
         "%.10g, where the hidden constraints do not hold",
         r->state.t, evaluator_variable_name(&r->system.sys, j, name, sizeof name), of_index, value,
         t);
    blame(&r->why, r->state.t, -1, j);
    hint(&r->why, "take method array or auto, or write the equations as a model, whose index is "
                  "reduced before it is solved");
    set_cause(&r->why, DAEDAL_CAUSE_HIGH_INDEX);
}

/* F jumps near the mark: what follows it contains an impulse. */
static bool explain_jump(run *r, const integ_view *v)
{
    smoothness_defect jump;
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    explain_point here = {&r->ev,       &r->matrix,        &r->why,
                          r->allocator, r->state.t,        r->y,
                          r->yp,        r->inverse_weight, 4.0 * fabs(v->t - r->state.t)};
    double reach = isnan(r->limits.t_stop) ? HUGE_VAL : fabs(r->limits.t_stop - r->state.t);
    if (!smoothness_find(&here, reach, &jump) || jump.what != ROUGHNESS_JUMP)
        return false;
    fail(&r->why, DAEDAL_ERR_NEWTON,
         "variables of higher index run away behind t = %.10g, where the equations jump",
         r->state.t);
    blame(&r->why, r->state.t, -1, -1);
    smoothness_explain(&here, &jump);
    return true;
}

/* Whether y_j, of higher index, was wrong when the mark was set: far larger than when the user saw
 * it last, or in contradiction to the hidden constraints.                            */
static bool is_wrong_at_mark(run *r, int32_t j)
{
    const double share = 0.1;
    double size = fmax(fabs(r->y[j]), floor_of(r, j));
    return r->variable_index[j] > 1 &&
           (size > MUCH * fmax(fabs(r->start.seen.y[j]), floor_of(r, j)) ||
            !run_levels_held_before(r, r->state.t, r->y, j, share * size));
}

static void leave_wrong_mark(run *r)
{
    int32_t j = 0;
    while (j < r->n && !is_wrong_at_mark(r, j))
        j++;
    if (j < r->n)
        go_to(r, r->start.seen.t, r->start.seen.y, r->start.seen.yp);
}

/* Back to where all was well; there it is seen whether the solution ends. */
static daedal_status end_at_mark(run *r, int32_t j, const integ_view *v)
{
    const double far = 1.0; /* of the variable */
    double t = v->t, value = v->y[j];
    go_back(r);
    fail(&r->why, DAEDAL_ERR_NEWTON, "%s", ""); /* the status, with words to follow */
    if (!run_levels_are_singular(r, far) && !explain_jump(r, v)) {
        leave_wrong_mark(r);
        tell_unstable(r, j, t, value);
    }
    return DAEDAL_ERR_NEWTON;
}

/* A variable has grown much, and the hidden constraints hold: it may have jumped with the
 * equations. More than once within a few steps is no jump: an angle, say, is determined up to whole
 * turns. */
static bool jumps_again(run *r)
{
    run_mark *m = &r->stagnation.mark;
    m->jumps = is_suspicious(r) ? m->jumps + 1 : 1;
    m->step_jumped = r->stats.steps;
    return m->jumps >= JUMPS_MAX;
}

/* Whether the equations jump behind the mark: then the variable may do so, as an impulse. */
static bool follows_jump(run *r, const integ_view *v, int32_t j)
{
    const run_mark *m = &r->stagnation.mark;
    integ_view since = *v;
    double t;
    since.t_before = m->t;
    memcpy(r->y_before, m->y, (size_t)r->n * sizeof(double));
    memcpy(r->yp_before, m->yp, (size_t)r->n * sizeof(double));
    return run_equations_jump(r, &since, j, &t);
}

/* As at many starts: then there is nothing to compare with. */
static bool was_zero(const run *r, int32_t j)
{
    const double tiny = 10.0;
    return r->stagnation.mark.largest[j] <= tiny * floor_of(r, j);
}

/* Steps are left for the jump of a state to show, which is told as such. */
static bool is_confirmed(run *r, double factor)
{
    run_mark *m = &r->stagnation.mark;
    m->seen += 1;
    return m->seen > CONFIRMATIONS || factor > BEYOND_DOUBT;
}

/* Of a variable that has grown much.  Where a jump was told before, it may jump again; what grows
 * by as much several times within a few steps runs away nevertheless. */
static bool has_run_away(run *r, const integ_view *v, int32_t j)
{
    if (r->warned.cause == DAEDAL_CAUSE_DISCONTINUITY)
        return jumps_again(r);
    return !follows_jump(r, v, j) && (!run_hidden_levels_hold(r, v, j) || jumps_again(r));
}

daedal_status run_watch_runaway(run *r)
{
    run_mark *m = &r->stagnation.mark;
    double factor, at_once;
    if (!run_has_high_index(r))
        return DAEDAL_OK;
    integ_view v = r->method->view(r->integrator);
    int32_t j = find_grown(r, v.y, &factor, &at_once);
    if (at_once <= SLOW && factor <= MUCH && !is_suspicious(r))
        set_mark(r, v.t, v.y, v.yp);
    if (factor <= MUCH && r->stats.steps - m->steps < BETWEEN_SIZES)
        return DAEDAL_OK;
    bool may_run_away = factor > MUCH && !was_zero(r, j) && m->tests < TESTS_MAX;
    if (may_run_away && !is_confirmed(r, factor))
        return DAEDAL_OK;
    m->seen = 0;
    m->tests += may_run_away;
    if (may_run_away && has_run_away(r, &v, j))
        return end_at_mark(r, j, &v);
    note_sizes(r, v.y);
    return DAEDAL_OK;
}

bool run_is_unstable(run *r, const integ_view *at)
{
    int32_t j = 0;
    if (!run_has_high_index(r) || r->fresh)
        return false;
    while (j < r->n && (r->variable_index[j] < 2 || run_hidden_levels_hold(r, at, j)))
        j++;
    if (j == r->n)
        return false;
    double t = at->t, value = at->y[j];
    go_back(r);
    tell_unstable(r, j, t, value);
    return true;
}

/* The variable that the correction would move furthest, in terms of its size; of higher index, if
 * the indices of single variables are known. */
static int32_t find_refuted(const run *r, const double *y)
{
    double most = 0.0;
    int32_t which = -1, least = run_has_high_index(r) ? 2 : INT32_MIN;
    for (int32_t j = 0; j < r->n; j++) {
        double off = fabs(r->y_before[j] - y[j]) / fmax(fabs(r->y_before[j]), floor_of(r, j));
        if (r->variable_index[j] < least || !(off > most))
            continue;
        most = off;
        which = j;
    }
    return which;
}

daedal_status run_leave_refuted_state(run *r)
{
    if (!run_state_is_refuted(r))
        return DAEDAL_OK;
    int32_t j = find_refuted(r, r->y);
    double t = r->state.t, value = j < 0 ? 0.0 : r->y[j];
    if (j < 0)
        return DAEDAL_OK;
    r->at_event = false;
    go_to(r, r->start.seen.t, r->start.seen.y, r->start.seen.yp);
    fail(&r->why, DAEDAL_ERR_NEWTON, "%s", ""); /* the status, with words to follow */
    tell_unstable(r, j, t, value);
    return DAEDAL_ERR_NEWTON;
}
