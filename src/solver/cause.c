/* solver/cause.c - what is wrong where a step failed, or before steps are taken; see run.h.
 *
 * A failed step is a symptom of many causes.  The tests here cost little and are certain where they
 * answer; they come before the search of admissible_index.c, which calls F often.  */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"
#include "solver/run.h"
#include "solver/smoothness.h"

static const char *name_of(const run *r, int32_t j, char *name, size_t size)
{
    return evaluator_variable_name(&r->system.sys, j, name, size);
}

/* ---- singularities in finite time ---- */

/* NaN and Inf come of a pole if the values are so large that operations overflow; near zero a
 * logarithm or a quotient tends to infinity as well, because its argument leaves the domain. */
static bool is_huge(const run *r, int32_t j)
{
    const double huge = 1e6;
    double floor = r->now.rtol[j] > 0.0 ? fmin(r->now.atol[j] / r->now.rtol[j], 1.0) : 1.0;
    return fabs(r->y[j]) > huge * fmax(fabs(r->start.y_given[j]), floor);
}

static void explain_blow_up(run *r, const growth_answer *g)
{
    char name[96];
    daedal_status status = r->why.status;
    fail(
        &r->why, status,
        "the solution tends to infinity at t = %.10g: %s is %.4g at t = %.10g and grows as 1/(%.7g "
        "- t)^%.2g",
        g->t_limit, name_of(r, g->variable, name, sizeof name), r->y[g->variable], r->state.t,
        g->t_limit, g->power);
    blame(&r->why, r->state.t, -1, g->variable);
    hint(&r->why, "end the run before that time, or look for a feedback with the wrong sign or a "
                  "limit that is missing");
    set_cause(&r->why, DAEDAL_CAUSE_BLOW_UP);
}

static void explain_fold(run *r, const growth_answer *g)
{
    char name[96];
    daedal_status status = r->why.status;
    fail(&r->why, status,
         "the solution reaches an impasse at t = %.10g: there the equations cease to determine %s, "
         "which is %.6g and changes ever faster",
         g->t_limit, name_of(r, g->variable, name, sizeof name), r->y[g->variable]);
    blame(&r->why, r->state.t, -1, g->variable);
    hint(&r->why, "the solution ends there or continues on another branch: look for a turning "
                  "point or a singular configuration");
    set_cause(&r->why, DAEDAL_CAUSE_IMPASSE);
}

/* A pole of low order in a system of higher index is the velocity of something that turns. */
static bool is_derivative_of_fold(const run *r, const growth_answer *g)
{
    const double low = 0.75;
    return g->power < low && r->variable_index[g->variable] > 1;
}

/* Beyond all measure, though not at a certain time: operations overflow. */
static bool overflows(run *r)
{
    const double beyond = 1e30;
    char name[96];
    int32_t j = 0;
    for (int32_t i = 1; i < r->n; i++)
        j = fabs(r->y[i]) > fabs(r->y[j]) ? i : j;
    if (!(fabs(r->y[j]) > beyond * fmax(fabs(r->start.y_given[j]), 1.0)))
        return false;
    daedal_status status = r->why.status;
    fail(&r->why, status, "the solution grows without bound: %s is %.4g at t = %.10g",
         name_of(r, j, name, sizeof name), r->y[j], r->state.t);
    blame(&r->why, r->state.t, -1, j);
    hint(&r->why, "end the run before that time, or look for a feedback with the wrong sign or a "
                  "limit that is missing");
    set_cause(&r->why, DAEDAL_CAUSE_BLOW_UP);
    return true;
}

/* At the start: a state that is not zero, while all are below their absolute tolerances; or -1. */
static int32_t find_hidden_start(const run *r)
{
    int32_t given = -1;
    for (int32_t j = 0; j < r->n; j++) {
        double size = fabs(r->y[j]);
        if (r->is_differential[j] && size >= r->now.atol[j])
            return -1;
        if (r->is_differential[j] && size > 0.0)
            given = j;
    }
    return given;
}

/* What grows has grown out of errors that no test has seen. */
static bool explain_hidden_start(run *r, const growth_answer *g)
{
    char name[96], grown[96];
    int32_t j = r->stagnation.hidden;
    daedal_status status = r->why.status;
    if (j < 0)
        return false;
    fail(&r->why, status,
         "all states begin below their absolute tolerances, so that the error test passed whatever "
         "happened: the atol of %s is %.3g; %s grew to %.3g up to t = %.10g",
         name_of(r, j, name, sizeof name), r->now.atol[j],
         name_of(r, g->variable, grown, sizeof grown), r->y[g->variable], r->state.t);
    blame(&r->why, r->state.t, -1, j);
    hint(&r->why, "set atol to the size that does not matter, below that of the solution");
    set_cause(&r->why, DAEDAL_CAUSE_BAD_SCALING);
    return true;
}

static bool tends_to_singularity(run *r, daedal_status status)
{
    growth_answer g = growth_judge(&r->stagnation.growth, r->now.rtol);
    bool undefined = failure_is(status, DOMAIN_FAILURE);
    if (g.kind != GROWTH_ORDINARY && g.outwards && explain_hidden_start(r, &g))
        return true;
    if (g.kind == GROWTH_ORDINARY || (undefined && !is_huge(r, g.variable)))
        return undefined && overflows(r);
    if (g.kind == GROWTH_FOLD || (g.kind == GROWTH_POLE && is_derivative_of_fold(r, &g)))
        explain_fold(r, &g);
    else if (g.outwards)
        explain_blow_up(r, &g);
    else
        return false;
    return true;
}

/* ---- folds nearby ---- */

/* The matrix of the leading unknowns: y' where a variable is differential, else y. */
static bool evaluate_leading(run *r, const double *y, const double *yp)
{
    start_workspace *w = &r->start.work;
    matrix_point at = {r->state.t, 1.0, y, yp, NULL, r->inverse_weight};
    for (int32_t j = 0; j < r->n; j++) {
        w->share_yp[j] = r->is_differential[j] ? 1.0 : 0.0;
        w->share_y[j] = 1.0 - w->share_yp[j];
    }
    return matrix_evaluate(&r->matrix, &at) == DAEDAL_CALL_OK;
}

static void multiply_leading(const run *r, const double *v, double *out)
{
    const daedal_pattern *p = &r->matrix.pattern.view;
    memset(out, 0, (size_t)r->n * sizeof(double));
    for (int32_t j = 0; j < r->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            out[p->row[q]] += (r->is_differential[j] ? r->matrix.dyp : r->matrix.dy)[q] * v[j];
}

/* The size that a leading unknown must have to matter. */
static double unit_of_leading(const run *r, int32_t j)
{
    const double many = 1e3; /* tolerances */
    double least = many / r->inverse_weight[j], step = r->stagnation.growth.longest_step;
    if (!r->is_differential[j])
        return fmax(fabs(r->y[j]), least);
    return step > 0.0 ? fmax(fabs(r->yp[j]), least / step) : HUGE_VAL;
}

/* v as long as a hundredth of the variable that it moves most, for its size, which is returned (or
 * -1).  *longest: times that, it is a hundredth of the others as well: a variable that is near zero
 * by chance does not tell how far is near. */
static int32_t set_length(const run *r, double *v, double *longest)
{
    const double step = 1e-2, counts = 0.1;
    double largest = 0.0, least = HUGE_VAL, size = vector_max_abs(v, r->n);
    int32_t most = -1;
    for (int32_t j = 0; j < r->n; j++) {
        double share = fabs(v[j]) / unit_of_leading(r, j);
        most = share > largest ? j : most;
        largest = fmax(largest, share);
        if (fabs(v[j]) > counts * size && share > 0.0)
            least = fmin(least, share);
    }
    for (int32_t j = 0; j < r->n && most >= 0; j++)
        v[j] *= step / largest;
    *longest = largest / least;
    return most;
}

/* A direction of derivatives, or of algebraic variables, that the leading matrix hardly sees, by
 * inverse iteration; the variable that moves most, or -1.                            */
static int32_t find_weak_direction(run *r, bool of_slopes, double *v, double *longest)
{
    start_workspace *w = &r->start.work;
    if (!evaluate_leading(r, r->y, r->yp) ||
        matrix_factor_mixed(&r->matrix, w->share_y, w->share_yp) != DAEDAL_OK)
        return -1;
    for (int32_t j = 0; j < r->n; j++)
        v[j] = j % 2 ? 1.0 : 0.7;
    for (int k = 0; k < 2; k++) {
        matrix_solve(&r->matrix, v);
        double size = vector_max_abs(v, r->n);
        for (int32_t j = 0; j < r->n; j++)
            v[j] /= size;
    }
    for (int32_t j = 0; j < r->n; j++)
        v[j] = r->is_differential[j] == of_slopes ? v[j] : 0.0;
    return set_length(r, v, longest);
}

/* Whether the leading matrix changes its sign in the direction v that it hardly sees; here: its
 * product with that direction at the state.                                          */
static bool turns_within(run *r, const double *v, const double *here, double *moved)
{
    double *y = r->start.work.y_trial, *yp = r->start.work.yp_trial;
    bool turns = false;
    for (int side = -1; side <= 1 && !turns; side += 2) {
        double product = 0.0;
        for (int32_t j = 0; j < r->n; j++) {
            y[j] = r->y[j] + (r->is_differential[j] ? 0.0 : side * v[j]);
            yp[j] = r->yp[j] + (r->is_differential[j] ? side * v[j] : 0.0);
        }
        if (!evaluate_leading(r, y, yp))
            continue;
        multiply_leading(r, v, moved);
        for (int32_t i = 0; i < r->n; i++)
            product += moved[i] * here[i];
        turns = product <= 0.0;
    }
    return turns;
}

/* The same for multiples of v up to `longest`; v becomes the one that turns. */
static bool turns_along(run *r, double *v, double longest, double *moved)
{
    enum { LENGTHS = 6 };
    const double longer = 10.0;
    double length = longer, *here = r->work;
    multiply_leading(r, v, here);
    bool turns = turns_within(r, v, here, moved);
    for (int k = 1; k < LENGTHS && !turns && length <= longest; k++, length *= longer) {
        for (int32_t j = 0; j < r->n; j++)
            v[j] *= longer;
        turns = turns_within(r, v, here, moved);
    }
    return turns;
}

/* Steps end before a fold if few of them lead there: loose tolerances, linearly implicit methods.
 */
bool run_is_near_fold(run *r)
{
    char name[96];
    double *v = r->y_before, *moved = r->yp_before, longest = 1.0;
    bool slope = false, turns = false;
    int32_t j = -1;
    for (int k = 0; k < 2 && !turns; k++) {
        slope = k == 1;
        j = find_weak_direction(r, slope, v, &longest);
        turns = j >= 0 && turns_along(r, v, longest, moved);
    }
    if (!turns)
        return false;
    message_append(
        &r->why,
        "; the solution reaches an impasse there: the equations nearly cease to determine "
        "%s%s, which is %.6g",
        slope ? "the derivative of " : "", name_of(r, j, name, sizeof name),
        slope ? r->yp[j] : r->y[j]);
    blame(&r->why, r->state.t, -1, j);
    hint(&r->why, "the solution ends there or continues on another branch: look for a turning "
                  "point or a singular configuration");
    set_cause(&r->why, DAEDAL_CAUSE_IMPASSE);
    return true;
}

/* ---- bounds and tolerances ---- */

/* The correction that F asks for at the state, with the differential y held: of their y' and of
 * the algebraic y; into r->work.                                                */
static bool find_correction(run *r)
{
    start_workspace *w = &r->start.work;
    if (!evaluate_leading(r, r->y, r->yp) ||
        evaluator_residual(&r->ev, r->state.t, r->y, r->yp, r->work) != DAEDAL_CALL_OK ||
        matrix_factor_mixed(&r->matrix, w->share_y, w->share_yp) != DAEDAL_OK)
        return false;
    matrix_solve(&r->matrix, r->work);
    return true;
}

/* y_j is at a bound, and the equations move it outwards; needs r->work. */
static bool is_pressed(const run *r, int32_t j)
{
    const daedal_system *sys = &r->system.sys;
    double room = 1.0 / r->inverse_weight[j], y = r->y[j];
    double out = (r->is_differential[j] ? r->yp[j] : 0.0) - r->work[j];
    bool moves = r->is_differential[j] ? out != 0.0 : fabs(out) > room;
    return moves && ((sys->lower.at && y - sys->lower.at[j] <= room && out < 0.0) ||
                     (sys->upper.at && sys->upper.at[j] - y <= room && out > 0.0));
}

/* A variable at its bound moves outwards, and no step inside was found. */
static bool leaves_bounds(run *r, daedal_status status)
{
    const daedal_system *sys = &r->system.sys;
    char name[96];
    if ((!sys->lower.at && !sys->upper.at) || !failure_is(status, NUMERIC_FAILURE) ||
        !find_correction(r))
        return false;
    int32_t j = 0;
    while (j < r->n && !is_pressed(r, j))
        j++;
    if (j == r->n)
        return false;
    message_append(&r->why,
                   "; %s reaches its bound there: it is %.10g, and the equations move it further",
                   name_of(r, j, name, sizeof name), r->y[j]);
    blame(&r->why, r->state.t, -1, j);
    hint(&r->why,
         "bounds are for limits that no solution passes; to stop at a limit, define an event");
    set_cause(&r->why, DAEDAL_CAUSE_BOUNDS);
    return true;
}

/* atol = 0 and a value of zero: no error is small enough. */
static bool has_no_tolerance(run *r)
{
    char name[96];
    int32_t j = 0;
    while (j < r->n && r->now.rtol[j] * fabs(r->y[j]) + r->now.atol[j] > 0.0)
        j++;
    if (j == r->n)
        return false;
    message_append(&r->why, "; the tolerance of %s is zero, because it is zero there",
                   name_of(r, j, name, sizeof name));
    blame(&r->why, r->state.t, -1, j);
    hint(&r->why, "its absolute tolerance is zero and it passes through zero: set atol > 0 for it");
    set_cause(&r->why, DAEDAL_CAUSE_TOLERANCE_TOO_SMALL);
    return true;
}

bool run_name_cause(run *r, daedal_status status)
{
    if (failure_is(status, STEP_FAILURE | START_FAILURE) && has_no_tolerance(r))
        return true;
    if (leaves_bounds(r, status))
        return true;
    return failure_is(status, STEP_FAILURE | DOMAIN_FAILURE) && tends_to_singularity(r, status);
}

/* ---- jumps of states ---- */

/* What no error of a step explains.  Inside a step only variables that a constraint binds directly
 * can jump; those of higher index have errors that grow as steps shrink.         */
static double far_for(const run *r, int32_t j, double h)
{
    const double far = 1e3; /* weights */
    bool may_jump = r->is_differential[j] && (h == 0.0 || r->variable_index[j] == 1);
    return may_jump ? far / r->inverse_weight[j] : HUGE_VAL;
}

/* The state that moved furthest from y_before to y, in units of what can be explained, or -1 if
 * none did; yp_before explains `faster` h yp_before.                                     */
static int32_t find_jump(const run *r, const double *y_before, const double *yp_before,
                         const double *y, double h, double faster)
{
    int32_t worst = -1;
    double most = 1.0;
    for (int32_t j = 0; j < r->n; j++) {
        double by = fabs(y[j] - y_before[j]), far = far_for(r, j, h);
        if (by > faster * h * fabs(yp_before[j]) && by > most * far) {
            most = by / far;
            worst = j;
        }
    }
    return worst;
}

/* Values that were to be kept contradict equations that hold from the first instant on. */
static void warn_of_start(run *r, double t, int32_t worst, double from, double to)
{
    daedal_diagnosis told;
    char name[96];
    if (r->warned.cause == DAEDAL_CAUSE_INCONSISTENT_START)
        return;
    fail(&told, DAEDAL_OK,
         "the start at t = %.10g contradicts the equations: %s is %.6g there and %.6g right behind",
         t, name_of(r, worst, name, sizeof name), from, to);
    blame(&told, t, -1, worst);
    hint(&told, "give start values that satisfy the equations, also those that follow from their "
                "derivatives, or fix fewer of them");
    set_cause(&told, DAEDAL_CAUSE_INCONSISTENT_START);
    run_warn(r, &told);
}

static void warn_jump(run *r, double t, int32_t worst, double from, double to)
{
    daedal_diagnosis told;
    char name[96];
    if (r->warned.cause == DAEDAL_CAUSE_DISCONTINUITY)
        return;
    if (t == r->stagnation.t_start) {
        warn_of_start(r, t, worst, from, to);
        return;
    }
    fail(&told, DAEDAL_OK,
         "%s jumps from %.6g to %.6g at t = %.10g: the equations jump there, and its derivative is "
         "an impulse, which is not integrated",
         name_of(r, worst, name, sizeof name), from, to, t);
    blame(&told, t, -1, worst);
    hint(&told, "smooth what jumps, or end the run there and start again with the values that "
                "follow from the impulse");
    set_cause(&told, DAEDAL_CAUSE_DISCONTINUITY);
    run_warn(r, &told);
}

/* A variable of higher index moves without a jump, too, where its value was wrong before. */
static bool was_wrong(run *r, int32_t j, const double *before)
{
    const double share = 0.1; /* of the move */
    double moved = fabs(r->y[j] - before[j]);
    const run_seen *seen = &r->start.seen;
    bool falls_back =
        r->now.method == METHOD_ARRAY && seen->why.status < 0 && r->state.t == seen->t;
    return r->variable_index[j] > 1 &&
           (falls_back || !run_levels_held_before(r, r->state.t, before, j, share * moved));
}

void run_check_jump(run *r)
{
    const double *before = r->start.y_given;
    int32_t j = find_jump(r, before, r->yp, r->y, 0.0, 0.0);
    if (j >= 0 && !was_wrong(r, j, before))
        warn_jump(r, r->state.t, j, before[j], r->y[j]);
}

/* Only constraints that equations impose on states, with an index above one, can make them jump. */
static bool may_jump(const run *r)
{
    return r->index.answer.verdict == INDEX_FOUND && r->index.answer.index > 1;
}

void run_before_step(run *r)
{
    if (!may_jump(r))
        return;
    integ_view v = r->method->view(r->integrator);
    memcpy(r->y_before, v.y, (size_t)r->n * sizeof(double));
    memcpy(r->yp_before, v.yp, (size_t)r->n * sizeof(double));
}

/* What smooth functions of time do looks alike in a long step, in which constraints determine a
 * state and no error test sees how it moves. */
bool run_equations_jump(run *r, const integ_view *v, int32_t j, double *t)
{
    enum { MOST = 20 }; /* looks in a run */
    if (r->stagnation.looks >= MOST)
        return false;
    r->stagnation.looks++;
    const start_workspace *idle = &r->start.work; /* between starts: nothing is allocated here */
    smoothness_work work = {.y = idle->y_trial,
                            .whole = idle->dy,
                            .noise = idle->dyp,
                            .f = {idle->dy_next, idle->dyp_next, idle->r}};
    explain_point from = {
        .ev = &r->ev, .matrix = &r->matrix, .t = v->t_before, .y = r->y_before, .yp = r->yp_before};
    return smoothness_jumps_between(&from, v->t, v->y, j, &work, t);
}

static void look_for_jump(run *r, const integ_view *v)
{
    const double collapsed = 1e-2; /* of the longest step before */
    double h = fabs(v->t - v->t_before), t = v->t;
    bool is_short = h < collapsed * r->stagnation.growth.longest_step;
    double *fastest = r->stagnation.fastest;
    for (int32_t i = 0; i < r->n; i++)
        fastest[i] = larger_of(fastest[i], fabs(r->yp_before[i]));
    weights_inverse(&r->tolerances, v->y, r->inverse_weight);
    int32_t j = is_short ? find_jump(r, r->y_before, r->yp_before, v->y, h, 100.0)
                         : find_jump(r, r->y_before, fastest, v->y, h, 3.0);
    if (j >= 0 && (is_short || run_equations_jump(r, v, j, &t)))
        warn_jump(r, t, j, r->y_before[j], v->y[j]);
}

void run_after_step(run *r)
{
    integ_view v = r->method->view(r->integrator);
    if (may_jump(r) && r->warned.cause != DAEDAL_CAUSE_DISCONTINUITY)
        look_for_jump(r, &v);
    growth_note(&r->stagnation.growth,
                &(growth_point){v.t, v.y, v.yp, r->now.rtol, r->now.atol, r->n});
    if (!r->now.is_unheard)
        run_watch_escapes(r, &v);
}

bool run_constraints_jump(run *r)
{
    const double far = 1e3; /* weights */
    double moved = 0.0;
    memcpy(r->work, r->y, (size_t)r->n * sizeof(double));
    weights_inverse(&r->tolerances, r->y, r->inverse_weight);
    projection_apply(&r->constraints, r->state.t, r->work, r->inverse_weight, &moved);
    return r->constraints.largest > far;
}

void run_explain_jump(const run *r, daedal_diagnosis *told)
{
    message_append(
        told,
        "; they jump there, by %.3g tolerances, and states that follow them would contain "
        "impulses, which are not integrated",
        r->constraints.largest);
    hint(told, "smooth what jumps, or end the run there");
    set_cause(told, DAEDAL_CAUSE_DISCONTINUITY);
}

/* ---- events that accumulate, or never end ---- */

static const char *name_fired(const run *r, char *name, size_t size)
{
    snprintf(name, size, "an event");
    for (int32_t i = 0; i < r->roots.n_events; i++)
        if (r->roots.fired[i] && r->system.sys.event_names)
            snprintf(name, size, "%.90s", r->system.sys.event_names[i]);
        else if (r->roots.fired[i])
            snprintf(name, size, "event %d", (int)i);
    return name;
}

static daedal_status tell_chattering(run *r, daedal_status status, daedal_diagnosis *told)
{
    char name[96];
    fail(told, status,
         "%s has happened %d times in a row at intervals of roundoff up to t = %.10g: the solution "
         "is pushed back to the threshold from both sides",
         name_fired(r, name, sizeof name), (int)r->stagnation.gaps.tiny, r->state.t);
    told->t = r->state.t;
    hint(told, "use two limits instead of one (a hysteresis), or the equations that hold while "
               "the solution slides");
    set_cause(told, DAEDAL_CAUSE_CHATTERING);
    return status;
}

static void warn_collapse(run *r)
{
    daedal_diagnosis told;
    char name[96];
    fail(&told, DAEDAL_OK,
         "events accumulate at t = %.10g: %s happens at ever shorter intervals, and infinitely "
         "often within a finite time",
         r->state.t, name_fired(r, name, sizeof name));
    told.t = r->state.t;
    hint(&told, "stop there and continue with the equations that hold in the limit, for example "
                "at rest");
    set_cause(&told, DAEDAL_CAUSE_EVENT_ACCUMULATION);
    run_warn(r, &told);
}

static daedal_status fail_accumulation(run *r)
{
    char name[96];
    fail(
        &r->why, DAEDAL_ERR_STEP_TOO_SMALL,
        "events accumulate at t = %.10g: %s has happened at ever shorter intervals, the last %d of "
        "which are close to roundoff",
        r->state.t, name_fired(r, name, sizeof name), (int)r->stagnation.gaps.close);
    r->why.t = r->state.t;
    hint(&r->why, "continue with the equations that hold in the limit, for example at rest, where "
                  "the motion has become small");
    set_cause(&r->why, DAEDAL_CAUSE_EVENT_ACCUMULATION);
    return DAEDAL_ERR_STEP_TOO_SMALL;
}

static void warn_chattering(run *r)
{
    daedal_diagnosis told;
    tell_chattering(r, DAEDAL_OK, &told);
    run_warn(r, &told);
}

static void warn_accumulation(run *r, double t_limit)
{
    daedal_diagnosis told;
    char name[96];
    name_fired(r, name, sizeof name);
    fail(&told, DAEDAL_OK,
         "events accumulate at t = %.10g: %s has happened %d times at intervals that shrink by the "
         "factor %.4g, and infinitely many lie before that time",
         t_limit, name, (int)r->stagnation.gaps.shrinking, r->stagnation.gaps.ratio);
    told.t = t_limit;
    hint(&told, "stop there and continue with the equations that hold in the limit, for example "
                "at rest");
    set_cause(&told, DAEDAL_CAUSE_EVENT_ACCUMULATION);
    run_warn(r, &told);
}

/* Each two gaps in turn between events of one function, together, are shorter than those before,
 * and have become so by a large factor.                                                */
static bool gaps_collapse(roots_record *e, double t)
{
    enum { OFTEN = 4 };
    const double collapsed = 1e-6;
    double gap = fabs(t - e->t), before = e->gap + e->gap_before, now = gap + e->gap;
    bool shorter = now < before;
    e->first = e->falling == 0 ? before : e->first;
    e->falling = shorter ? e->falling + 1 : 0;
    e->gap_before = e->gap;
    e->gap = gap;
    e->t = t;
    return e->falling >= OFTEN && now < collapsed * e->first;
}

static void note_collapse(run *r)
{
    run_event_gaps *g = &r->stagnation.gaps;
    for (int32_t i = 0; i < r->roots.n_events; i++)
        if (r->roots.fired[i] && gaps_collapse(&r->roots.record[i], r->state.t))
            g->accumulate = true;
}

/* How long after the last event. */
static void note_gap(run_event_gaps *g, double t)
{
    const double alike = 0.05;     /* factors of two gaps in turn                */
    const double roundoff = 1e-11; /* of the time: nothing happens in between    */
    const double little = 1e-8;    /* likewise                                   */
    run_event_gaps last = *g;
    g->gap = fabs(t - last.t);
    g->t = t;
    g->ratio = last.gap > 0.0 ? g->gap / last.gap : 1.0;
    bool shrinks = g->ratio < 1.0 - alike && fabs(g->ratio - last.ratio) < alike;
    g->shrinking = shrinks ? last.shrinking + 1 : 0;
    g->tiny = g->gap < roundoff * fabs(t) ? last.tiny + 1 : 0;
    g->close = g->gap < little * fabs(t) ? last.close + 1 : 0;
}

/* Intervals that shrink by a factor add up to a finite time.  Events at intervals of roundoff would
 * never end: the run does. */
daedal_status run_note_event(run *r)
{
    enum { OFTEN = 10, REGULARLY = 12, VERY_OFTEN = 500, TOO_OFTEN = 5000, ENDLESSLY = 50000 };
    const double soon = 1e-5;  /* of the time since the start                                */
    const double later = 10.0; /* times that, where the factor has been the same for longer */
    run_event_gaps *g = &r->stagnation.gaps;
    bool is_model = r->after_step.call; /* which judges accumulation itself */
    note_gap(g, r->state.t);
    if (!is_model)
        note_collapse(r);
    double left = g->gap * g->ratio / (1.0 - g->ratio);
    double limit = soon * fabs(r->state.t) * (g->shrinking >= REGULARLY ? later : 1.0);
    bool near = g->shrinking >= OFTEN && left < limit;
    if (near && r->warned.cause != DAEDAL_CAUSE_EVENT_ACCUMULATION)
        warn_accumulation(r, r->state.t + r->limits.direction * left);
    if (g->accumulate && r->warned.cause != DAEDAL_CAUSE_EVENT_ACCUMULATION)
        warn_collapse(r);
    if (g->accumulate && (g->tiny >= VERY_OFTEN || g->close >= TOO_OFTEN))
        return fail_accumulation(r);
    if (g->tiny == VERY_OFTEN && r->warned.cause != DAEDAL_CAUSE_CHATTERING)
        warn_chattering(r);
    return g->tiny < ENDLESSLY ? DAEDAL_OK : tell_chattering(r, DAEDAL_ERR_STEP_TOO_SMALL, &r->why);
}

/* ---- tolerances before and during a run ---- */

/* ---- parts of a system that share no equation ---- */

static int32_t root_of(int32_t *parent, int32_t j)
{
    while (parent[j] != j)
        j = parent[j] = parent[parent[j]];
    return j;
}

/* parent: of variables, so that all that are coupled have the same root; first: of a row. */
static void find_parts(const run *r, int32_t *parent, int32_t *first)
{
    const daedal_pattern *p = &r->matrix.pattern.view;
    for (int32_t j = 0; j < r->n; j++) {
        parent[j] = j;
        first[j] = -1;
    }
    for (int32_t j = 0; j < r->n; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            int32_t *of_row = &first[p->row[q]];
            *of_row = *of_row < 0 ? j : *of_row;
            parent[root_of(parent, j)] = root_of(parent, *of_row);
        }
}

/* A state that begins at zero may yet grow: it is looked at in the second half of the run. */
static bool is_late(const run *r)
{
    double gone = fabs(r->state.t - r->stagnation.t_start);
    return !isnan(r->limits.t_stop) && gone > fabs(r->limits.t_stop - r->state.t);
}

/* A state has moved, and its error test has passed whatever happened. */
static bool is_unseen(const run *r, int32_t j)
{
    const double much = 0.1; /* of its value */
    double given = fabs(r->start.y_given[j]), now = fabs(r->y[j]), atol = r->now.atol[j];
    return r->is_differential[j] && given < atol && now < atol && (given > 0.0 || is_late(r)) &&
           fabs(r->y[j] - r->start.y_given[j]) > much * now;
}

/* Algebraic variables count where all states were zero: what is small beside them may be roundoff.
 */
static bool is_seen_at(const run *r, int32_t i, bool from_zero)
{
    double size = fmax(fabs(r->y[i]), fabs(r->start.y_given[i]));
    return (r->is_differential[i] || from_zero) && size >= r->now.atol[i];
}

/* A state that nothing larger depends on or acts upon: all states of its part are below their
 * absolute tolerances; -1: there is none.                                         */
static int32_t find_blind(const run *r)
{
    int32_t *parent = r->start.y_mask, *is_seen = r->start.yp_mask; /* idle between starts */
    int32_t j = 0;
    while (j < r->n && !is_unseen(r, j))
        j++;
    if (j == r->n)
        return -1;
    find_parts(r, parent, is_seen);
    memset(is_seen, 0, (size_t)r->n * sizeof *is_seen);
    for (int32_t i = 0; i < r->n; i++)
        if (is_seen_at(r, i, r->start.y_given[j] == 0.0))
            is_seen[root_of(parent, i)] = 1;
    while (j < r->n && !(is_unseen(r, j) && !is_seen[root_of(parent, j)]))
        j++;
    return j < r->n ? j : -1;
}

void run_begin_scales(run *r)
{
    r->stagnation.is_blind = true;
    r->stagnation.hidden = find_hidden_start(r);
    run_begin_escapes(r);
}

/* States that are given, move, and stay below their absolute tolerances: no error is seen. */
static void check_scales(run *r)
{
    daedal_diagnosis told;
    char name[96];
    bool at_first = r->stagnation.is_blind && r->stats.restarts == 0; /* else y_given is later */
    int32_t j = at_first ? find_blind(r) : -1;
    if (j < 0)
        return;
    r->stagnation.is_blind = false; /* once is enough */
    fail(&told, DAEDAL_OK,
         "%s and all states that it is coupled with are smaller than their absolute tolerances up "
         "to t = %.10g, so that the error test passes whatever happens: it is %.3g, its atol is "
         "%.3g",
         name_of(r, j, name, sizeof name), r->state.t, r->y[j], r->now.atol[j]);
    blame(&told, r->state.t, -1, j);
    hint(&told, "set atol to the size that does not matter, below that of the solution");
    set_cause(&told, DAEDAL_CAUSE_BAD_SCALING);
    run_warn(r, &told);
}

/* Derivatives of F by differences have fewer digits than F. */
static void check_blur(run *r)
{
    const double far = 10.0;
    daedal_diagnosis told;
    char name[96];
    int32_t j = 0;
    bool known = r->method->blur && r->integrator && !r->fresh &&
                 r->warned.cause != DAEDAL_CAUSE_TOLERANCE_TOO_SMALL;
    double blur = known ? r->method->blur(r->integrator, &j) : 0.0;
    if (!(blur > far))
        return;
    double asked = r->now.rtol[j] * fabs(r->y[j]) + r->now.atol[j];
    fail(
        &told, DAEDAL_OK,
        "%s = %.6g at t = %.10g is known to about %.1g only, not to its tolerance %.1g: it depends "
        "on derivatives of the equations, which differences give to so many digits",
        name_of(r, j, name, sizeof name), r->y[j], r->state.t, blur * asked, asked);
    blame(&told, r->state.t, -1, j);
    hint(&told, "loosen rtol or atol, or write a model: its derivatives are exact");
    set_cause(&told, DAEDAL_CAUSE_TOLERANCE_TOO_SMALL);
    run_warn(r, &told);
}

void run_check_tolerances(run *r)
{
    daedal_diagnosis told;
    const double least = 10.0; /* units of roundoff: what a step cannot but lose */
    char name[96];
    int32_t j = 0;
    if (r->now.is_unheard)
        return;
    check_scales(r);
    check_blur(r);
    run_watch_hidden(r);
    if (r->warned.cause == DAEDAL_CAUSE_TOLERANCE_TOO_SMALL)
        return;
    while (j < r->n &&
           !(r->now.rtol[j] * fabs(r->y[j]) + r->now.atol[j] < least * DBL_EPSILON * fabs(r->y[j])))
        j++;
    if (j == r->n)
        return;
    fail(&told, DAEDAL_OK,
         "the tolerance of %s at t = %.10g is %.3g, too near to the distance %.3g of numbers near "
         "its value %.6g: it cannot be met",
         name_of(r, j, name, sizeof name), r->state.t,
         r->now.rtol[j] * fabs(r->y[j]) + r->now.atol[j], DBL_EPSILON * fabs(r->y[j]), r->y[j]);
    blame(&told, r->state.t, -1, j);
    hint(&told, "loosen rtol or atol: double precision has 16 digits");
    set_cause(&told, DAEDAL_CAUSE_TOLERANCE_TOO_SMALL);
    run_warn(r, &told);
}
