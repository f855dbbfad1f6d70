/* solver/corner_steps.c - see run.h: steps that end where F has a corner or a jump.
 *
 * Where a comparison without an event, an abs, min, max or a rounding changes, F or its slopes
 * jump.  No method is of its order in a step that has such a place inside, and no error test sees a
 * pulse that lies between the points at which F was evaluated.  So the arguments of these
 * operations are searched for changes of sign along each accepted step, as closely as they vary
 * (integ/roots.h).  The step is taken again and ends right before the first change; the next one
 * begins right behind it, with slopes and algebraic variables that belong there.
 *
 * BDF passes a single change by itself, in short steps, since F at the end of its step tells of it.
 * It is led to the first of several changes in one step.  Its steps are looked at only where
 * arguments are near enough to zero for that.
 *
 * An argument that begins inside its band has no sign until it has left it.  Changes that crowd
 * together, as where a solution slides along a jump, are left to the error test for some steps.  */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/choices.h"
#include "base/status.h"
#include "solver/run.h"
#include "solver/sensitivity.h"

enum { CUTS_MAX = 5, CROWD = 3, REST = 8, SKIPPED_MAX = 8 };
enum { WAIT_LEAST = 4, WAIT_MOST = 256 }; /* steps of bdf after a corner */
static const double NEAR = 4.0;     /* steps: an argument may reach zero within them          */
static const double FAR = 8.0;      /* parts of the time to zero in which nothing is expected */
static const double CLOSE = 1e-6;   /* of the step that was cut: corners crowd                */
static const double AT_END = 1e-12; /* of the step: a corner there has just been crossed      */
static const double MARGIN = 1e-9;  /* of the step: it ends so long before a corner           */

static void lay_out(void *object, layout *l)
{
    run_corners *c = object;
    size_t n = (size_t)c->roots.n_events;
    c->lists.is_quiet = layout_take(l, n, sizeof(bool));
    c->lists.g = layout_take(l, n, sizeof(double));
    c->lists.rate = layout_take(l, n, sizeof(double));
    c->lists.g_new = layout_take(l, n, sizeof(double));
}

static int call(run *r, double t, const double *y, const double *yp, double *g)
{
    const corner_functions *f = &r->limits.corner_of;
    return f->of_states(t, y, yp, g, f->user);
}

static double band_of(const run *r, int32_t i)
{
    return r->limits.corner_of.band * r->limits.corner_of.scale_of_states[i];
}

/* Values inside the band count as zero where the look began there. */
static int quiet_values(void *self, double t, const double *y, const double *yp, double *g)
{
    run *r = self;
    const run_corners *c = &r->limits.corners;
    int answer = call(r, t, y, yp, g);
    for (int32_t i = 0; i < c->roots.n_events && answer == DAEDAL_CALL_OK; i++)
        if (c->lists.is_quiet[i] && fabs(g[i]) <= band_of(r, i))
            g[i] = 0.0;
    return answer;
}

void run_forget_corners(run *r)
{
    run_corners *c = &r->limits.corners;
    c->t_next = c->t_looked = c->t_calm = c->roots.t_seen = NAN;
    c->at_output = false;
}

static bool create(run *r)
{
    run_corners *c = &r->limits.corners;
    roots_setup setup = {.of = {quiet_values, r},
                         .n = r->n,
                         .n_events = r->limits.corner_of.n_of_states,
                         .samples = 1,
                         .allocator = r->allocator};
    return setup.n_events == 0 || (roots_create(&c->roots, &setup) &&
                                   block_create(&c->lists.mem, r->allocator, lay_out, c));
}

daedal_status solver_set_corners(daedal_solver *solver, const corner_functions *f)
{
    run *r = &solver->run;
    r->limits.corner_of = *f;
    run_forget_corners(r);
    r->limits.corners.t_left = NAN;
    if (create(r) && time_corners_create(r))
        return DAEDAL_OK;
    r->limits.corner_of = (corner_functions){0};
    return fail(&r->why, DAEDAL_ERR_MEMORY, "out of memory for %d corners",
                (int)(f->n_of_states + f->n_of_time));
}

/* The scalars of both sets of corners, with own memory. */
static void copy_corners(run *to, const run *from)
{
    run_corners *c = &to->limits.corners, kept = *c;
    const run_corners *of = &from->limits.corners;
    *c = *of;
    c->roots = kept.roots;
    c->lists = kept.lists;
    roots timed = to->limits.time_corners.roots;
    to->limits.time_corners = from->limits.time_corners;
    to->limits.time_corners.roots = timed;
    if (of->roots.n_events > 0) {
        roots_copy(&c->roots, &of->roots);
        block_copy(&c->lists.mem, &of->lists.mem);
    }
    if (from->limits.time_corners.roots.n_events > 0)
        roots_copy(&to->limits.time_corners.roots, &from->limits.time_corners.roots);
}

daedal_status solver_copy_hooks(daedal_solver *clone, const daedal_solver *from)
{
    run *to = &clone->run;
    const run *of = &from->run;
    to->after_step = of->after_step;
    to->roots.n_silent = of->roots.n_silent;
    if (solver_set_corners(clone, &of->limits.corner_of) != DAEDAL_OK)
        return DAEDAL_ERR_MEMORY;
    copy_corners(to, of);
    return DAEDAL_OK;
}

void solver_adopt_hooks(daedal_solver *clone, const daedal_solver *mine)
{
    run *to = &clone->run;
    const run *of = &mine->run;
    to->after_step = of->after_step;
    to->limits.corner_of = of->limits.corner_of;
    to->system.sys.user = of->system.sys.user;
    to->asked.progress = of->asked.progress;
    to->asked.log = of->asked.log;
    to->asked.callback_user = of->asked.callback_user;
}

bool run_is_multistep(const run *r)
{
    return r->now.method == METHOD_BDF || r->now.method == METHOD_BDF_CLASSIC;
}

static bool is_used(const run *r)
{
    return r->limits.corner_of.n_of_states > 0 && !run_has_high_index(r);
}

/* ---- where bdf need not look ---- */

/* Whether argument i may be zero near the last step; *ahead: the time for which it is not. */
static bool is_near(run *r, int32_t i, const integ_view *v, double *ahead)
{
    run_corners *c = &r->limits.corners;
    double g = c->lists.g_new[i], band = band_of(r, i), h = fabs(v->t - v->t_before);
    double rate = fabs(g - c->lists.g[i]) / fabs(v->t - c->t_looked);
    double fastest = fmax(rate, c->lists.rate[i]);
    bool in_band = fabs(g) <= band && fabs(c->lists.g[i]) <= band;
    bool turned = g * c->lists.g[i] <= 0.0;
    c->lists.rate[i] = rate;
    if (!in_band)
        *ahead = fmin(*ahead, fabs(g) / (FAR * fastest));
    return !in_band && (turned || fabs(g) < NEAR * fastest * h || isnan(fastest));
}

static bool is_calm(run *r, const integ_view *v)
{
    run_corners *c = &r->limits.corners;
    if ((c->t_calm - v->t) * r->limits.direction > 0.0 && c->skipped++ < SKIPPED_MAX)
        return true;
    double ahead = HUGE_VAL;
    bool calm = call(r, v->t, v->y, v->yp, c->lists.g_new) == DAEDAL_CALL_OK;
    for (int32_t i = 0; i < c->roots.n_events; i++)
        if (is_near(r, i, v, &ahead))
            calm = false;
    memcpy(c->lists.g, c->lists.g_new, (size_t)c->roots.n_events * sizeof(double));
    c->t_looked = v->t;
    c->t_calm = calm ? v->t + copysign(ahead, r->limits.direction) : NAN;
    c->skipped = 0;
    return calm;
}

/* ---- the search ---- */

/* Signs at the beginning of the last step. */
static bool begin_look(run *r, const integ_view *v)
{
    run_corners *c = &r->limits.corners;
    if (c->roots.t_seen != v->t_before) {
        memset(c->lists.is_quiet, 0, (size_t)c->roots.n_events * sizeof(bool));
        r->method->interpolate(r->integrator, v->t_before, r->y_before, r->yp_before);
        if (roots_begin(&c->roots, v->t_before, r->y_before, r->yp_before, false) != DAEDAL_CALL_OK)
            return false;
    }
    for (int32_t i = 0; i < c->roots.n_events; i++) {
        c->lists.is_quiet[i] = fabs(c->roots.g_seen[i]) <= band_of(r, i);
        if (c->lists.is_quiet[i])
            c->roots.sign[i] = 0;
    }
    return true;
}

static double close_to(const integ_view *v)
{
    return fmax(AT_END * fabs(v->t - v->t_before), 256.0 * DBL_EPSILON * fabs(v->t));
}

/* The first change inside the last step that the method has to be led to; *t: before it.  Stages of
 * one-step methods must not be beyond it, although the step taken again differs a little.  */
static bool find_corner(run *r, double *t)
{
    run_corners *c = &r->limits.corners;
    integ_view v = r->method->view(r->integrator);
    roots_curve curve = {r->method->interpolate, r->integrator};
    bool found = true;
    int needed = run_is_multistep(r) && !r->sensitivities ? 2 : 1, count = 0;
    double t_root = v.t;
    if (!begin_look(r, &v))
        return false;
    while (count < needed) {
        if (roots_scan(&c->roots, &curve, v.t, &found, &t_root) != DAEDAL_CALL_OK || !found)
            return false;
        double way = c->roots.t_before - v.t_before, h = v.t - v.t_before;
        double margin = run_is_multistep(r) ? 0.0 : fmin(MARGIN * fabs(h), 0.5 * fabs(way));
        if (fabs(way) > close_to(&v) && count++ == 0)
            *t = c->roots.t_before - copysign(margin, h);
    }
    return (*t - v.t_before) * r->limits.direction > 0.0;
}

/* ---- steps that end before a corner ---- */

/* The last step is replaced by one that ends at t, or by a shorter one, behind which t is a limit.
 */
static daedal_status cut(run *r, double t)
{
    run_corners *c = &r->limits.corners;
    integ_view v = r->method->view(r->integrator);
    bool done = false;
    if (isnan(c->t_next))
        c->h = v.t - v.t_before;
    c->t_next = t;
    if (run_is_multistep(r)) /* the step is right up to there */
        return DAEDAL_OK;
    if (r->method->shorten_step)
        RETURN_UNLESS_OK(r->method->shorten_step(r->integrator, t, &done));
    if (done)
        return DAEDAL_OK;
    r->method->interpolate(r->integrator, v.t_before, r->y_before, r->yp_before);
    run_begin_method_before(r, v.t_before, v.t - v.t_before);
    return r->method->step(r->integrator, t);
}

daedal_status run_cut_at_corners(run *r)
{
    double t = NAN;
    run_corners *c = &r->limits.corners;
    if (!is_used(r))
        return DAEDAL_OK;
    if (c->rest > 0) {
        c->rest--;
        return DAEDAL_OK;
    }
    integ_view v = r->method->view(r->integrator);
    bool waits = r->stats.steps - c->step_left < c->wait;
    if (run_is_multistep(r) && !r->sensitivities && (waits || is_calm(r, &v)))
        return DAEDAL_OK;
    int most = run_is_multistep(r) ? 1 : CUTS_MAX;
    for (int cuts = 0; cuts < most && find_corner(r, &t); cuts++)
        RETURN_UNLESS_OK(cut(r, t));
    return DAEDAL_OK;
}

double run_limit_at_corners(const run *r, double limit)
{
    double t_next = r->limits.corners.t_next;
    if (isnan(t_next))
        return limit;
    double t = r->method->view(r->integrator).t, ahead = (t_next - t) * r->limits.direction;
    return ahead > 0.0 && ahead < fabs(limit - t) ? t_next : limit;
}

/* ---- behind a corner ---- */

/* y and y' at t, inside the last step or a little behind its end.  There the tangent is used: the
 * polynomial of a step says nothing at a distance that may be many times its length.  */
void run_values_near(void *self, double t, double *y, double *yp)
{
    const run *r = self;
    double end = r->method->view(r->integrator).t, beyond = t - end;
    bool is_inside = beyond * r->limits.direction <= 0.0;
    r->method->interpolate(r->integrator, is_inside ? t : end, y, yp);
    for (int32_t i = 0; i < r->n && !is_inside; i++)
        y[i] += beyond * yp[i];
}

double run_time_in_step(const run *r, double t)
{
    double begun = r->method->view(r->integrator).t_before;
    double gap = (begun - t) * r->limits.direction;
    return gap > 0.0 && gap <= 8.0 * MARGIN * fabs(r->limits.corners.h) ? begun : t;
}

void run_scale_of_equations(const run *r, double h, double *scale)
{
    matrix_scale_rows(&r->matrix, r->inverse_weight, h, scale);
}

/* F jumps if it changes between two points that are next to each other by more than y within its
 * tolerances makes it change.  */
bool run_jumps_between(run *r, double t_a, double t_b, double h)
{
    const double little = 1e-2;
    const start_workspace *idle = &r->start.work; /* between starts */
    double *a = idle->r, *b = idle->dy, *scale = r->work;
    integ_view v = r->method->view(r->integrator);
    if (!r->matrix_ready || h == 0.0)
        return true;
    weights_inverse(&r->tolerances, v.y, r->inverse_weight);
    run_values_near(r, t_a, r->y_before, r->yp_before);
    if (evaluator_residual(&r->ev, t_a, r->y_before, r->yp_before, a) != DAEDAL_CALL_OK)
        return true;
    run_values_near(r, t_b, r->y_before, r->yp_before);
    if (evaluator_residual(&r->ev, t_b, r->y_before, r->yp_before, b) != DAEDAL_CALL_OK)
        return true;
    run_scale_of_equations(r, h, scale);
    int32_t i = 0;
    while (i < r->n && fabs(b[i] - a[i]) <= little * scale[i])
        i++;
    return i < r->n;
}

/* A new start of bdf costs steps; where corners come too soon after it the next ones are left to
 * the error test for longer and longer.  */
static void note_new_start(run *r)
{
    run_corners *c = &r->limits.corners;
    bool is_soon = r->stats.steps - c->step_left < 4 * c->wait;
    c->wait = !is_soon || c->wait == 0  ? WAIT_LEAST
              : 2 * c->wait > WAIT_MOST ? WAIT_MOST
                                        : 2 * c->wait;
    c->step_left = r->stats.steps;
}

/* Right behind a new start no step tells what is close; there rounding errors of t do. */
static void note_crossing(run_corners *c, double t)
{
    const double noise = 1024.0 * DBL_EPSILON;
    double close = fmax(CLOSE * fabs(c->h), noise * fabs(t));
    c->crowded = fabs(t - c->t_left) <= close ? c->crowded + 1 : 0;
    c->t_left = t;
    if (c->crowded < CROWD)
        return;
    c->crowded = 0;
    c->rest = REST;
}

double run_step_end(const run *r)
{
    double t = r->method->view(r->integrator).t, t_next = r->limits.corners.t_next;
    return (t - t_next) * r->limits.direction > 0.0 ? t_next : t;
}

/* How far a change of sign is looked for behind a step that ended before it. */
static double end_of_look(const run *r, double t_from)
{
    double least = 64.0 * DBL_EPSILON * fabs(t_from);
    return t_from +
           copysign(fmax(4.0 * MARGIN * fabs(r->limits.corners.h), least), r->limits.direction);
}

static bool has_room(const run *r, double t_from, double t_most)
{
    return (t_most - end_of_look(r, t_from)) * r->limits.direction > 0.0;
}

/* Where a sign has changed behind t_from: *t. */
static bool look_behind(run *r, double t_from, double *t)
{
    run_corners *c = &r->limits.corners;
    roots_curve curve = {run_values_near, r};
    double least = 2.0 * DBL_EPSILON * fabs(t_from), direction = r->limits.direction;
    double end = end_of_look(r, t_from);
    bool found = false;
    memset(c->lists.is_quiet, 0, (size_t)c->roots.n_events * sizeof(bool));
    run_values_near(r, t_from, r->y_before, r->yp_before);
    return roots_begin(&c->roots, t_from, r->y_before, r->yp_before, false) == DAEDAL_CALL_OK &&
           roots_scan(&c->roots, &curve, end, &found, t) == DAEDAL_CALL_OK && found &&
           roots_leave_noise(&c->roots, &curve, r->limits.corner_of.scale_of_states,
                             copysign(fmax(least, DBL_MIN), direction), t) == DAEDAL_CALL_OK;
}

/* The integrator and the state at t, with the values in y_before and yp_before; unless an event
 * function has changed its sign there.  Events are looked for from t on: the next step tells
 * nothing of the time before it.                                                          */
static bool begin_at(run *r, double t, double h)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    bool fires = false;
    if (r->roots.n_events > 0 &&
        (roots_pass(&r->roots, t, r->y_before, r->yp_before, &fires) != DAEDAL_CALL_OK || fires))
        return false;
    memcpy(r->y, r->y_before, bytes);
    memcpy(r->yp, r->yp_before, bytes);
    r->state.t = t;
    run_begin_method_before(r, t, h);
    return true;
}

/* An output point is too near for a restart: the error test passes the corner. */
static void tell_at_output(run *r, double t_from)
{
    double t = t_from;
    if (r->sensitivities && look_behind(r, t_from, &t) &&
        run_jumps_between(r, t_from, t, fabs(r->limits.corners.h)))
        sensitivities_tell_jump(r, t);
}

/* The state and a one-step method stand at t_out, a little behind the end of the last step. */
static bool stand_at(run *r, double t_out)
{
    run_values_near(r, t_out, r->y_before, r->yp_before);
    return begin_at(r, t_out, fabs(r->limits.corners.h));
}

void run_reach_output(run *r, double t_out)
{
    run_corners *c = &r->limits.corners;
    double direction = r->limits.direction;
    if (isnan(c->t_next) || r->fresh || (t_out - c->t_next) * direction <= 0.0 ||
        (end_of_look(r, c->t_next) - t_out) * direction < 0.0)
        return;
    double t = r->method->view(r->integrator).t;
    tell_at_output(r, c->t_next);
    c->at_output = run_is_multistep(r) ? (t - t_out) * direction > 0.0
                                       : (c->t_next - t) * direction <= 0.0 && stand_at(r, t_out);
    if (c->at_output)
        c->t_next = t_out;
}

/* No change of sign was found behind t_from: it lies there but for rounding errors.  What a
 * multistep method has beyond it is not to be believed, so that the run begins again behind it. */
static daedal_status give_up_beyond(run *r, double t_from, double t_most)
{
    const double noise = 1024.0 * DBL_EPSILON;
    double direction = r->limits.direction;
    double away = fmax(noise * fabs(t_from), AT_END * fabs(r->limits.corners.h));
    double t = t_from + copysign(away, direction), end = end_of_look(r, t);
    bool has_more = (r->method->view(r->integrator).t - end) * direction > 0.0;
    bool doubtful = run_is_multistep(r) ? has_more : r->limits.corners.at_output;
    if (!doubtful || (t_most - end) * direction <= 0.0)
        return DAEDAL_OK;
    run_values_near(r, t, r->y_before, r->yp_before);
    return run_resume_at(r, t, r->y_before, r->yp_before);
}

/* Restart behind a corner that follows t_from closely; r->fresh tells whether. */
static daedal_status cross(run *r, double t_from, double t_most, bool *begun)
{
    run_corners *c = &r->limits.corners;
    double t = t_from, h = fabs(c->h);
    c->t_next = NAN;
    *begun = false;
    if (!has_room(r, t_from, t_most) || !look_behind(r, t_from, &t)) {
        daedal_status status = give_up_beyond(r, t_from, t_most);
        c->at_output = false;
        return status;
    }
    c->at_output = false;
    note_crossing(c, t);
    note_new_start(r);
    bool jumps = run_jumps_between(r, t_from, t, h);
    run_values_near(r, t, r->y_before, r->yp_before);
    if (!jumps) { /* y and y' are consistent at t */
        *begun = begin_at(r, t, h);
        return *begun ? sensitivities_pass_corner(r) : DAEDAL_OK;
    }
    RETURN_UNLESS_OK(run_resume_at(r, t, r->y_before, r->yp_before));
    sensitivities_tell_jump(r, t);
    if (r->fresh && !run_is_multistep(r))
        r->start.h_before = h;
    return DAEDAL_OK;
}

daedal_status run_cross_corner(run *r, double t_out)
{
    run_corners *c = &r->limits.corners;
    bool begun = false;
    if (isnan(c->t_next))
        return DAEDAL_OK;
    double t_from = run_step_end(r), limit = run_limit_of(r, t_from);
    double t_most = fabs(t_out - t_from) < fabs(limit - t_from) ? t_out : limit;
    if ((c->t_next - t_from) * r->limits.direction > 0.0)
        return DAEDAL_OK;
    if (!has_room(r, t_from, t_most) && has_room(r, t_from, limit))
        tell_at_output(r, t_from);
    return cross(r, t_from, t_most, &begun);
}

/* Whether an argument is near zero: where Newton's iteration diverges, algebraic values may stand
 * on the wrong side of the corner.  Each such place counts as a crossing. */
static bool stands_at_corner(run *r, double t)
{
    const double near = 1e-3; /* of the scale of an argument */
    run_corners *c = &r->limits.corners;
    bool found = false;
    if (c->rest > 0 || call(r, t, r->y, r->yp, c->lists.g_new) != DAEDAL_CALL_OK)
        return false;
    for (int32_t i = 0; i < c->roots.n_events; i++)
        found = found || fabs(c->lists.g_new[i]) <= near * r->limits.corner_of.scale_of_states[i];
    if (found)
        note_crossing(c, t);
    return found;
}

/* Steps that led to a jump of F, or to slopes with which Newton's iteration diverges behind a
 * corner, have become too short. */
daedal_status run_pass_jump(run *r, daedal_status failure, bool *passed)
{
    run_corners *c = &r->limits.corners;
    bool begun = false;
    *passed = false;
    if (!is_used(r) || !failure_is(failure, STEP_FAILURE) || c->rest > 0 || r->fresh)
        return DAEDAL_OK;
    daedal_diagnosis first = r->why;
    double t = run_step_end(r);
    c->h = r->stagnation.growth.longest_step;
    RETURN_UNLESS_OK(cross(r, t, run_limit_of(r, t), &begun));
    if (!r->fresh && !begun && stands_at_corner(r, t)) {
        RETURN_UNLESS_OK(run_resume_at(r, t, r->y, r->yp));
        sensitivities_tell_jump(r, t);
    }
    *passed = r->fresh || begun;
    if (*passed)
        diagnosis_clear(&r->why);
    else
        r->why = first;
    return DAEDAL_OK;
}
