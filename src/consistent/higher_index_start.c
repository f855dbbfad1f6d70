/* consistent/higher_index_start.c - see higher_index_start.h.
 *
 * Gauss-Newton on the difference array, with the corrections of level_system.c.  Where nothing is
 * held, states that contradict the constraints are first moved by impulse.h.      */
#include "consistent/higher_index_start.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "consistent/impulse.h"
#include "consistent/level_system.h"
#include "consistent/staged_start.h"
#include "linalg/damped_newton.h"
#include "linalg/vector.h"
#include "newton/bounds.h"

enum { ITERATIONS_MAX = 40, SEARCHES = 3, LATE_SEARCHES = 3, ANCHORED = 6, HALVINGS_MAX = 12 };
enum { HELD_ITERATIONS = 8, HELD_SHARES = 4 };
static const double HELD_DECREASE = 0.9;   /* asked of an iteration with the states held       */
static const double HELD_REDUCTION = 0.25; /* of a share of it that does not help */
static const double COARSEST = 1.0;        /* where an iteration that has come to rest may end */
static const double SUFFICIENT = 1e-4;     /* decrease asked of the line search                */
static const double SETTLING = 2.0;        /* growth allowed if the residual falls as it should */
static const double LEAST_SHARE = 0.01;    /* of a step that is worth going on with            */
static const double NOISES = 10.0;         /* or in what noise makes                           */

typedef struct search {
    level_system levels;
    double *trial, *step;     /* cols                                                         */
    double *other;            /* cols: a correction for comparison                             */
    double *settled;          /* cols: the unknowns found with the states as given             */
    double *r_trial, *r_kept; /* rows                                                          */
    bool early;               /* one of the first iterations                                   */
    bool searches;            /* widths are found anew in this iteration                       */
    int32_t late;             /* times that this was done after the first iterations           */
    bool anchored;            /* steps aim at the nearest point to what was given              */
    double size;              /* of the last correction, in weights                            */
    double *excuse;           /* cols: corrections that noise alone would cause                */
    bool is_small;            /* the correction measured last is no larger                     */
    daedal_status status;     /* of a trial that ended the iteration                           */
    block mem;
} search;

static void lay_out(void *object, layout *l)
{
    search *s = object;
    size_t rows = (size_t)s->levels.rows, cols = (size_t)s->levels.array.cols;
    double **by_col[] = {&s->trial, &s->step, &s->other, &s->excuse, &s->settled};
    for (size_t k = 0; k < sizeof by_col / sizeof *by_col; k++)
        *by_col[k] = layout_take(l, cols, sizeof(double));
    s->r_trial = layout_take(l, rows, sizeof(double));
    s->r_kept = layout_take(l, rows, sizeof(double));
}

static void set_trial(search *s, double share)
{
    for (int32_t k = 0; k < s->levels.array.cols; k++)
        s->trial[k] = s->levels.unknown[k] + share * s->step[k];
    for (int32_t j = 0; j < s->levels.n; j++) {
        double *y = &s->trial[s->levels.array.col[j]];
        *y = bounds_inside(s->levels.p->matrix->ev->sys, j, *y);
    }
}

/* The size of the shortest correction for another residual, with the same Jacobian: the natural
 * level function of start_iteration.c.                                              */
static daedal_status measure(search *s, const double *r, double *size)
{
    memcpy(s->r_kept, s->levels.r, (size_t)s->levels.rows * sizeof(double));
    memcpy(s->levels.r, r, (size_t)s->levels.rows * sizeof(double));
    daedal_status status = level_system_correct(&s->levels, false, s->other);
    memcpy(s->levels.r, s->r_kept, (size_t)s->levels.rows * sizeof(double));
    *size = status == DAEDAL_OK ? correction_size(&s->levels.array, s->other) : INFINITY;
    s->is_small = status == DAEDAL_OK && correction_is_small(&s->levels.array, s->excuse, s->other);
    return status == DAEDAL_ERR_START ? DAEDAL_OK : status;
}

/* The correction that the noise of the derivatives alone would cause.  It is zero where the
 * derivatives make no sense.                                                                   */
static daedal_status set_excuse(search *s)
{
    double size;
    memset(s->excuse, 0, (size_t)s->levels.array.cols * sizeof(double));
    if (!difference_array_is_settled(&s->levels.array))
        return DAEDAL_OK;
    for (int way = 0; way < difference_array_noises(&s->levels.array); way++) {
        difference_array_mix_noise(&s->levels.array, way, s->r_trial);
        RETURN_UNLESS_OK(measure(s, s->r_trial, &size));
        for (int32_t k = 0; k < s->levels.array.cols && isfinite(size); k++)
            s->excuse[k] = fmax(s->excuse[k], fabs(s->other[k]));
    }
    return DAEDAL_OK;
}

/* ---- the iteration ---- */

static daedal_status ended(const search *s, int answer)
{
    evaluator *ev = s->levels.p->matrix->ev;
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : evaluator_explain(ev, s->levels.p->why);
}

static double norm(const search *s, const double *r)
{
    return sqrt(vector_weighted_square(r, s->levels.row_scale, s->levels.rows));
}

/* Whether the residual is no more than noise. */
static bool is_noise(const search *s)
{
    return difference_array_is_settled(&s->levels.array) &&
           norm(s, s->levels.r) <= NOISES * norm(s, s->levels.array.noise);
}

/* Least squares always finds a correction; whether the equations hold is another question.  A row
 * is measured by what a unit of its unknowns would change.                       */
static bool is_met(const search *s)
{
    return norm(s, s->levels.r) <= 100.0 * norm(s, s->levels.array.noise) + 10.0;
}

/* The size is that of the next correction.  In the first iterations a trial is looked at with new
 * widths too: those of a poor iterate may be far too wide for it.                 */
static damped_reply try_share(void *self, double share, double *size)
{
    search *s = self;
    bool anew = s->early && share == 1.0;
    damped_reply reply = DAMPED_UNDEFINED;
    set_trial(s, share);
    for (int again = 0; again <= anew && reply != DAMPED_ENOUGH; again++) {
        int answer = difference_array_values(&s->levels.array, s->trial, again > 0, s->r_trial);
        if (answer == DAEDAL_CALL_RETRY)
            continue;
        s->status = answer == DAEDAL_CALL_OK ? measure(s, s->r_trial, size) : ended(s, answer);
        if (s->status != DAEDAL_OK)
            return DAMPED_ABORT;
        /* where y is as good as settled, higher derivatives may still be far off */
        bool settles = !is_noise(s) && *size <= SETTLING * s->size &&
                       norm(s, s->r_trial) < (1.0 - 0.5 * share) * norm(s, s->levels.r);
        bool helps = *size < (1.0 - SUFFICIENT * share) * s->size;
        reply = helps || s->is_small || settles ? DAMPED_ENOUGH : DAMPED_UNDEFINED;
    }
    return reply;
}

static void take_trial(void *self, double share)
{
    const search *s = self;
    (void)share;
    memcpy(s->levels.unknown, s->trial, (size_t)s->levels.array.cols * sizeof(double));
    memcpy(s->levels.r, s->r_trial, (size_t)s->levels.rows * sizeof(double));
}

/* Take as much of the step as improves; *share is 0 if nothing does. */
static daedal_status take_step(search *s, double *share)
{
    damped_newton newton = {
        .self = s, .try_share = try_share, .accept = take_trial, .halvings_max = HALVINGS_MAX};
    damped_outcome outcome = damped_newton_step(&newton);
    *share = newton.share;
    return outcome == DAMPED_ABORTED ? s->status : DAEDAL_OK;
}

static daedal_status explain_failure(const search *s)
{
    const evaluator *ev = s->levels.p->matrix->ev;
    const char *const times[] = {"", "the derivative of ", "the second derivative of ",
                                 "a higher derivative of "};
    char name[96];
    int32_t worst = vector_largest_weighted(s->levels.r, s->levels.row_scale, s->levels.rows),
            i = 0;
    while (s->levels.array.row[i + 1] <= worst)
        i++;
    int32_t level = worst - s->levels.array.row[i];
    fail(s->levels.p->why, DAEDAL_ERR_START,
         "no consistent start near the given one at t = %.10g: the residual of %s%s stays at %.3g",
         s->levels.p->t, times[level < 3 ? level : 3],
         evaluator_equation_name(ev->sys, i, name, sizeof name), s->levels.r[worst]);
    blame(s->levels.p->why, s->levels.p->t, i, -1);
    hint(s->levels.p->why,
         "give a better guess, or free a value that is held: the constraints that follow "
         "by differentiation bind it too");
    if (!s->levels.p->masks_given)
        set_cause(s->levels.p->why, DAEDAL_CAUSE_NO_SOLUTION);
    return DAEDAL_ERR_START;
}

/* Jacobian and widths, both renewed in the first iterations. */
static int renew(search *s, double contraction)
{
    int answer = DAEDAL_CALL_OK;
    if (s->searches)
        answer = difference_array_values(&s->levels.array, s->levels.unknown, true, s->levels.r);
    if (answer == DAEDAL_CALL_OK && (s->searches || contraction > 0.1))
        answer = level_system_renew_jacobian(&s->levels);
    return answer;
}

/* Widths that were found far away may be the reason why nothing moves any more, or nothing needs
 * to: they make noise, and noise excuses.                                         */
static bool search_again(search *s)
{
    if (s->searches || s->late == LATE_SEARCHES)
        return false;
    s->late++;
    return s->searches = true;
}

static daedal_status iterate_once(search *s, int iteration, double *contraction, bool *done)
{
    double share, last = s->size;
    s->early = iteration < SEARCHES;
    s->searches = s->searches || s->early;
    int answer = renew(s, *contraction);
    if (answer != DAEDAL_CALL_OK)
        return ended(s, answer);
    if (s->searches)
        RETURN_UNLESS_OK(set_excuse(s));
    s->anchored = s->anchored && iteration < ANCHORED; /* it converges linearly only */
    RETURN_UNLESS_OK(measure(s, s->levels.r, &s->size));
    bool small = s->is_small;
    RETURN_UNLESS_OK(level_system_correct(&s->levels, s->anchored, s->step));
    RETURN_UNLESS_OK(take_step(s, &share));
    if (share < LEAST_SHARE && s->anchored && !is_noise(s)) {
        s->anchored = false; /* far from what was given the nearest point is not worth it */
        RETURN_UNLESS_OK(level_system_correct(&s->levels, false, s->step));
        RETURN_UNLESS_OK(take_step(s, &share));
    }
    *contraction = iteration > 0 ? s->size / last : 1.0;
    bool rests = share == 1.0 && small;
    if ((rests || share < LEAST_SHARE) && search_again(s))
        return DAEDAL_OK;
    *done = rests;
    if (*done)
        return DAEDAL_OK;
    s->searches = false;
    *done = share == 0.0 && (is_noise(s) || s->size <= COARSEST);
    return share > 0.0 || *done ? DAEDAL_OK : DAEDAL_ERR_START;
}

static daedal_status iterate(search *s)
{
    double contraction = 1.0;
    bool done = false;
    for (int k = 0; k < ITERATIONS_MAX && !done; k++) {
        daedal_status status = iterate_once(s, k, &contraction, &done);
        if (status == DAEDAL_ERR_START)
            return explain_failure(s);
        RETURN_UNLESS_OK(status);
    }
    return done && is_met(s) ? DAEDAL_OK : explain_failure(s);
}

/* ---- what was given ---- */

/* Whether a share of the correction makes the residual smaller, with the widths of the trial. */
static damped_reply try_held_share(void *self, double share, double *size)
{
    search *s = self;
    set_trial(s, share);
    int answer = difference_array_values(&s->levels.array, s->trial, true, s->r_trial);
    if (answer == DAEDAL_CALL_RETRY)
        return DAMPED_UNDEFINED;
    if (answer != DAEDAL_CALL_OK) {
        s->status = ended(s, answer);
        return DAMPED_ABORT;
    }
    *size = norm(s, s->r_trial);
    bool helps = *size < HELD_DECREASE * norm(s, s->levels.r);
    return helps ? DAMPED_ENOUGH : DAMPED_UNDEFINED;
}

/* A correction of free values and derivatives, as much of it as makes the residual smaller.  The
 * widths are those of the unknowns, or of a trial that was not taken.             */
static daedal_status settle_once(search *s, bool *better)
{
    int answer = level_system_renew_jacobian(&s->levels);
    *better = false;
    if (answer != DAEDAL_CALL_OK)
        return ended(s, answer);
    s->levels.holds_guesses = true;
    daedal_status status = level_system_correct(&s->levels, false, s->step);
    s->levels.holds_guesses = false;
    if (status != DAEDAL_OK)
        return status == DAEDAL_ERR_START ? DAEDAL_OK : status;
    damped_newton newton = {.self = s,
                            .try_share = try_held_share,
                            .accept = take_trial,
                            .halvings_max = HELD_SHARES,
                            .reduction = HELD_REDUCTION};
    damped_outcome outcome = damped_newton_step(&newton);
    *better = outcome == DAMPED_FOUND;
    return outcome == DAMPED_ABORTED ? s->status : DAEDAL_OK;
}

/* With the states as given, find free values and derivatives.  If the equations and what follows
 * from them then leave no more than noise to correct, the states are consistent, and nothing has
 * to be looked for: derivatives that are not known yet would make them look otherwise. */
static daedal_status try_given(search *s, bool *consistent)
{
    bool better = true;
    double size;
    int answer = difference_array_values(&s->levels.array, s->levels.unknown, true, s->levels.r);
    *consistent = false;
    for (int k = 0; k < HELD_ITERATIONS && better && answer == DAEDAL_CALL_OK; k++) {
        RETURN_UNLESS_OK(settle_once(s, &better));
        if (k > 0 && better && is_noise(s)) /* new scales decide */
            break;
    }
    if (answer == DAEDAL_CALL_OK && !better)
        answer = difference_array_values(&s->levels.array, s->levels.unknown, true, s->levels.r);
    if (answer == DAEDAL_CALL_OK)
        answer = level_system_renew_jacobian(&s->levels);
    if (answer == DAEDAL_CALL_RETRY)
        return DAEDAL_OK;
    if (answer != DAEDAL_CALL_OK)
        return ended(s, answer);
    RETURN_UNLESS_OK(set_excuse(s));
    RETURN_UNLESS_OK(measure(s, s->levels.r, &size));
    *consistent = s->is_small && is_met(s);
    return DAEDAL_OK;
}

/* What was given stays where noise alone would have moved it. */
static void hand_over(search *s)
{
    for (int32_t k = 0; k < s->levels.array.cols; k++)
        s->step[k] = s->levels.unknown[k] - s->levels.given[k];
    bool keep_y = correction_of_values_is_small(&s->levels.array, s->excuse, s->step),
         keep_yp = correction_of_slopes_is_small(&s->levels.array, s->excuse, s->step);
    const double *y = keep_y ? s->levels.given : s->levels.unknown,
                 *yp = keep_yp ? s->levels.given : s->levels.unknown;
    for (int32_t j = 0; j < s->levels.n; j++) {
        s->levels.p->y[j] = y[s->levels.array.col[j]];
        if (s->levels.array.d[j] > 0)
            s->levels.p->yp[j] = yp[s->levels.array.col[j] + 1];
    }
}

static bool holds_anything(const start_problem *p)
{
    for (int32_t j = 0; j < p->matrix->ev->n; j++)
        if (p->y_mask[j] == DAEDAL_FIXED || p->yp_mask[j] == DAEDAL_FIXED)
            return true;
    return false;
}

static bool is_inside(const search *s)
{
    for (int32_t j = 0; j < s->levels.n; j++) {
        double y = s->levels.unknown[s->levels.array.col[j]];
        if (bounds_inside(s->levels.p->matrix->ev->sys, j, y) != y)
            return false;
    }
    return true;
}

/* Where nothing is held, the equations themselves say how states give way to constraints; what is
 * left to do is small then, and counts as given.                                 */
static daedal_status begin_on_constraints(search *s)
{
    size_t bytes = (size_t)s->levels.array.cols * sizeof(double);
    if (holds_anything(s->levels.p))
        return DAEDAL_OK;
    daedal_status status = start_by_impulse(&s->levels.array, s->levels.unknown);
    if (status == DAEDAL_ERR_CALLBACK)
        return evaluator_explain(s->levels.p->matrix->ev, s->levels.p->why);
    RETURN_UNLESS_OK(status);
    if (is_inside(s))
        memcpy(s->levels.given, s->levels.unknown, bytes);
    else
        memcpy(s->levels.unknown, s->levels.given, bytes);
    return DAEDAL_OK;
}

static void begin_as_given(search *s)
{
    size_t bytes = (size_t)s->levels.array.cols * sizeof(double);
    memset(s->levels.unknown, 0, bytes);
    level_system_set_values(&s->levels);
    memcpy(s->levels.given, s->levels.unknown, bytes);
}

static void close_search(search *s)
{
    block_free(&s->mem);
    level_system_free(&s->levels);
}

/* The derivatives of y up to the last of `to`, and free values, as far as `from` has them. */
static void copy_derivatives(search *to, const search *from)
{
    for (int32_t j = 0; j < to->levels.n; j++) {
        const double *u = from->levels.unknown + from->levels.array.col[j];
        int32_t last = from->levels.array.d[j] < to->levels.array.d[j] ? from->levels.array.d[j]
                                                                       : to->levels.array.d[j];
        memcpy(to->levels.unknown + to->levels.array.col[j], u,
               (size_t)(last + 1) * sizeof(double));
    }
}

/* Free values and derivatives with every equation differentiated `level` times, from those of s,
 * and into s.                                                                      */
static daedal_status settle_level(search *s, int32_t level, int32_t *offsets)
{
    const start_problem *p = s->levels.p;
    int32_t n = s->levels.n;
    for (int32_t i = 0; i < n; i++) {
        offsets[i] = level;
        offsets[n + i] = level + 1;
    }
    start_offsets lower = {offsets, offsets + n, -1, 0, s->levels.o->side, s->levels.o->by_size};
    search below = {0};
    bool consistent;
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (level_system_create(&below.levels, p, &lower) &&
        block_create(&below.mem, p->allocator, lay_out, &below)) {
        copy_derivatives(&below, s);
        status = try_given(&below, &consistent);
        if (status == DAEDAL_OK)
            copy_derivatives(s, &below);
    }
    close_search(&below);
    return status;
}

/* Where every equation is differentiated alike, high derivatives are found after lower ones: all at
 * once, those that are not determined would become so large that differences make no sense. */
static daedal_status climb(search *s)
{
    int32_t n = s->levels.n, top = s->levels.array.level_max;
    if (s->levels.o->freedom >= 0)
        return DAEDAL_OK;
    int32_t *offsets = memory_take_array(s->levels.p->allocator, 2 * (size_t)n, sizeof *offsets);
    if (!offsets)
        return DAEDAL_ERR_MEMORY;
    daedal_status status = DAEDAL_OK;
    for (int32_t level = 1; level < top && status == DAEDAL_OK; level++)
        status = settle_level(s, level, offsets);
    memory_give(s->levels.p->allocator, offsets, 2 * (size_t)n * sizeof *offsets);
    return status;
}

static void begin_iteration(search *s)
{
    s->late = 0;
    s->searches = false;
    s->anchored = true;
}

static daedal_status search_from_settled(search *s)
{
    begin_as_given(s);
    memcpy(s->levels.unknown, s->settled, (size_t)s->levels.array.cols * sizeof(double));
    begin_iteration(s);
    return iterate(s);
}

static daedal_status find(search *s)
{
    bool consistent;
    begin_as_given(s);
    RETURN_UNLESS_OK(climb(s));
    RETURN_UNLESS_OK(try_given(s, &consistent));
    if (consistent)
        return DAEDAL_OK;
    size_t bytes = (size_t)s->levels.array.cols * sizeof(double);
    memcpy(s->settled, s->levels.unknown, bytes);
    bool is_near = is_noise(s); /* a little is missing, and no search far away finds it */
    daedal_status status = is_near ? search_from_settled(s) : DAEDAL_ERR_START;
    if (!failure_is(status, START_FAILURE | DOMAIN_FAILURE))
        return status;
    begin_as_given(s);
    begin_iteration(s);
    RETURN_UNLESS_OK(begin_on_constraints(s));
    status = iterate(s);
    bool again = !is_near && failure_is(status, START_FAILURE | DOMAIN_FAILURE);
    return again ? search_from_settled(s) : status;
}

/* Once, with nodes on the sides that `side` says, and guesses that move in proportion to their
 * weights or (by_size) to their sizes.                                              */
static daedal_status attempt(const start_problem *p, const start_offsets *o, double side,
                             bool by_size)
{
    start_offsets sided = *o;
    search s = {.anchored = true};
    sided.side = side;
    sided.by_size = by_size;
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (level_system_create(&s.levels, p, &sided) &&
        block_create(&s.mem, p->allocator, lay_out, &s))
        status = find(&s);
    if (status == DAEDAL_OK)
        hand_over(&s);
    if (status == DAEDAL_ERR_MEMORY)
        fail(p->why, status, "out of memory at the start");
    close_search(&s);
    return status;
}

static int32_t highest_level(const start_offsets *o, int32_t n)
{
    int32_t highest = 0;
    for (int32_t i = 0; i < n; i++)
        highest = o->c[i] > highest ? o->c[i] : highest;
    return highest;
}

/* Whether the array is small enough to be built, and no equation is differentiated too often. */
static bool is_manageable(const start_offsets *o, int32_t n)
{
    int64_t rows = 0, cols = 0;
    for (int32_t i = 0; i < n; i++) {
        rows += o->c[i] + 1;
        cols += o->d[i] + 1;
    }
    return highest_level(o, n) <= LEVEL_MAX && rows <= DERIVATIVE_ARRAY_LARGEST &&
           cols <= 2 * DERIVATIVE_ARRAY_LARGEST;
}

/* Stages suffice where the states are consistent, as far as tolerances see, and have to where the
 * array is too large.                                                              */
static daedal_status try_stages(const start_problem *p, const start_offsets *o, bool manageable,
                                bool *done)
{
    const double unseen = 1.0;
    bool applicable = o->freedom >= 0 && highest_level(o, p->matrix->ev->n) <= LEVEL_MAX;
    *done = false;
    if (!applicable)
        return DAEDAL_OK;
    daedal_status status = start_by_stages(p, o, manageable ? unseen : HUGE_VAL, done);
    if (status == DAEDAL_ERR_MEMORY)
        fail(p->why, status, "out of memory at the start");
    return status;
}

static daedal_status start_from_values(const start_problem *p, const start_offsets *o)
{
    bool manageable = is_manageable(o, p->matrix->ev->n), done;
    RETURN_UNLESS_OK(try_stages(p, o, manageable, &done));
    if (done)
        return DAEDAL_OK;
    if (!manageable)
        return fail(p->why, DAEDAL_ERR_START,
                    "the constraints hidden in the equations at t = %.10g are too many for a "
                    "consistent start to be found: give one, with start = given",
                    p->t);
    daedal_status status = attempt(p, o, o->side, false);
    /* F may not be defined before t, or jump there */
    if (o->side == 0.0 && failure_is(status, START_FAILURE | DOMAIN_FAILURE))
        status = attempt(p, o, p->direction, false);
    if (!failure_is(status, START_FAILURE))
        return status;
    daedal_diagnosis first = *p->why;
    /* tolerances that differ much may hold one position and move another without success */
    daedal_status second = attempt(p, o, o->side, true);
    if (failure_is(second, START_FAILURE | DOMAIN_FAILURE))
        *p->why = first;
    else
        status = second;
    return status;
}

/* ---- F that bends at the start ---- */

/* r += factor * F at t + s, along the tangent of the values in p; a daedal_answer. */
static int add_along_tangent(const start_problem *p, double s, double factor, double *r)
{
    start_workspace *w = p->work;
    for (int32_t j = 0; j < w->n; j++)
        w->y_trial[j] = p->y[j] + s * p->yp[j];
    int answer = evaluator_residual(p->matrix->ev, p->t + s, w->y_trial, p->yp, w->r);
    for (int32_t i = 0; i < w->n && answer == DAEDAL_CALL_OK; i++)
        r[i] += factor * w->r[i];
    return answer;
}

/* Whether the second differences over h of F, of which each level is 1/8 as wide as the one before,
 * shrink as those of a corner do (1/8), or of a jump (1), and not as those of a smooth function
 * (1/64), in some equation.  Differences that rounding errors could make say nothing. */
static bool shrinks_slowly(const start_workspace *w, double *const level[3])
{
    const double slow = 1.0 / 20.0, noise = 1e4 * DBL_EPSILON;
    for (int32_t i = 0; i < w->n; i++) {
        double a = fabs(level[0][i]), b = fabs(level[1][i]), c = fabs(level[2][i]);
        if (c > noise * w->yp_trial[i] && b > slow * a && c > slow * b)
            return true;
    }
    return false;
}

/* Whether F has a corner or a jump at t, so that it is another function before.  The terms of F are
 * as large as dF/dy y and dF/dy' y', with the matrix as it is. */
static bool bends_here(const start_problem *p)
{
    const double widest = 1e-3, narrower = 0.125;
    start_workspace *w = p->work;
    double *const level[3] = {w->dy, w->dyp, w->dy_next};
    const daedal_pattern *a = &p->matrix->pattern.view;
    size_t bytes = (size_t)w->n * sizeof(double);
    double h = widest * p->time_scale;
    memset(w->yp_trial, 0, bytes);
    for (int32_t j = 0; j < w->n; j++)
        for (int32_t q = a->start[j]; q < a->start[j + 1]; q++)
            w->yp_trial[a->row[q]] +=
                fabs(p->matrix->dy[q] * p->y[j]) + fabs(p->matrix->dyp[q] * p->yp[j]);
    for (int k = 0; k < 3; k++, h *= narrower) {
        memset(level[k], 0, bytes);
        if (add_along_tangent(p, h, 1.0, level[k]) != DAEDAL_CALL_OK ||
            add_along_tangent(p, 0.0, -2.0, level[k]) != DAEDAL_CALL_OK ||
            add_along_tangent(p, -h, 1.0, level[k]) != DAEDAL_CALL_OK)
            return false; /* differences on both sides will find out */
    }
    return shrinks_slowly(w, level);
}

/* Once more, from the given values, with what follows t alone: F is another function before it. */
static daedal_status start_on_one_side(const start_problem *p, const start_offsets *o)
{
    start_offsets sided = *o;
    sided.side = p->direction;
    return start_from_values(p, &sided);
}

static void copy_values(size_t n, double *y, double *yp, const double *y_from,
                        const double *yp_from)
{
    memcpy(y, y_from, n * sizeof(double));
    memcpy(yp, yp_from, n * sizeof(double));
}

/* F may bend where time passes t, or where the solution begins to move. */
daedal_status start_by_derivative_array(const start_problem *p, const start_offsets *o)
{
    start_workspace *w = p->work;
    size_t n = (size_t)w->n;
    if (o->side == 0.0 && bends_here(p))
        return start_on_one_side(p, o);
    copy_values(n, w->y_given, w->yp_given, p->y, p->yp);
    daedal_status status = start_from_values(p, o);
    if (o->side != 0.0 || status != DAEDAL_OK || !bends_here(p))
        return status;
    copy_values(n, w->y, w->yp, p->y, p->yp);
    copy_values(n, p->y, p->yp, w->y_given, w->yp_given);
    status = start_on_one_side(p, o);
    if (!failure_is(status, START_FAILURE | DOMAIN_FAILURE))
        return status;
    diagnosis_clear(p->why);
    copy_values(n, p->y, p->yp, w->y, w->yp);
    return DAEDAL_OK;
}
