/* simulate/branch_check.c - see simulation.h: integrates a step that crossed a singular point
 * again, with a tighter tolerance, and compares.
 *
 * The determinant of some leading block has changed its sign within a step.  Either the solution
 * goes through a singular point, or it ends there, or the step was so long that it jumped to
 * another branch of the equations.  The same interval is integrated with smaller tolerances and
 * steps, and without output: it leads to the same result, or it fails, or it stays on its branch
 * ([BCP96] section 6.3 has a bank angle that jumped).                              */
#include <math.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "simulate/simulation.h"

enum { STEPS_MAX = 5000, STEPS_MIN = 10 }; /* for the interval of the one step */
static const double OVERLAP = 0.2;         /* of the step: the crossing may come a little later */

/* The last values of 1/z, where z are the unknowns that the block determines. */
enum { SAMPLES = 5, UNKNOWNS_MAX = 60 };
typedef struct pole_samples {
    double t[SAMPLES], inverse[SAMPLES][UNKNOWNS_MAX];
    int n;
    bool found;
} pole_samples;

/* y and y' where the step began. */
static daedal_status read_begin(simulation *m, branch_task *q)
{
    q->y = m->watch->y;
    q->yp = m->watch->y + m->reduced->n_system;
    return daedal_solver_interpolate(m->discrete->solver, q->t_from, q->y, q->yp);
}

/* True if the second run is on another branch than the first. */
static bool reaches_other_branch(simulation *m, const daedal_solver *solver)
{
    const daedal_state *at = daedal_solver_state(solver);
    return m->watch->double_crossing ? singularity_differs(m, at->y)
                                     : singularity_agrees(m, at->t, at->y, at->yp);
}

/* Integrate up to t; an event before t is a success, too. */
static bool advance_to(branch_task *q, daedal_solver *solver, double t, daedal_status *status)
{
    *status = daedal_solver_set_stop_time(solver, t);
    if (*status == DAEDAL_OK)
        *status = daedal_solver_advance(solver, t);
    q->t_reached = daedal_solver_state(solver)->t;
    return *status >= 0 && *status != DAEDAL_STOPPED;
}

static int32_t unknowns_of_block(const simulation *m, const int32_t **column)
{
    const model_order *o = &m->reduced->order;
    int32_t b = m->watch->block[m->watch->flipped], n = o->start[b + 1] - o->start[b];
    *column = o->column + o->start[b];
    return n < UNKNOWNS_MAX ? n : UNKNOWNS_MAX;
}

static void take_sample(const simulation *m, const daedal_state *at, pole_samples *s)
{
    const int32_t *column;
    int32_t n = unknowns_of_block(m, &column);
    if (s->n == SAMPLES) {
        memmove(s->t, s->t + 1, (SAMPLES - 1) * sizeof *s->t);
        memmove(s->inverse, s->inverse + 1, (SAMPLES - 1) * sizeof *s->inverse);
        s->n--;
    }
    s->t[s->n] = at->t;
    for (int32_t i = 0; i < n; i++) {
        int32_t j = column[i];
        s->inverse[s->n][i] = 1.0 / (m->reduced->differential[j] ? at->yp[j] : at->y[j]);
    }
    s->n++;
}

/* z = c / (t - t0) between the last two samples: 1/z changes its sign and is a straight line. */
static bool has_pole(const pole_samples *s, int32_t i)
{
    const double straight = 0.25;
    double least = HUGE_VAL, most = 0.0, along = s->inverse[SAMPLES - 1][i];
    if (s->n < SAMPLES || !(along * s->inverse[SAMPLES - 2][i] < 0.0))
        return false;
    for (int k = 1; k < SAMPLES; k++) {
        double rise = (s->inverse[k][i] - s->inverse[k - 1][i]) / (s->t[k] - s->t[k - 1]);
        double slope = along < 0.0 ? -rise : rise;
        least = fmin(least, slope);
        most = fmax(most, slope);
    }
    return most * (1.0 - straight) < least && isfinite(most);
}

static double time_of_pole(const pole_samples *s, int32_t i)
{
    double before = s->inverse[SAMPLES - 2][i], after = s->inverse[SAMPLES - 1][i];
    double share = before / (before - after);
    return s->t[SAMPLES - 2] + share * (s->t[SAMPLES - 1] - s->t[SAMPLES - 2]);
}

/* Integrate up to t in pieces that are short beside the distance from t_from, and stop at a pole.
 * Tiny steps may pass one: the error test allows variables of a higher index errors that grow as
 * the steps become shorter.  Before each piece the state is kept in y_trial.  */
static bool advance_watching(simulation *m, branch_task *q, daedal_solver *solver, double t,
                             pole_samples *s, daedal_status *status)
{
    const double piece = 0.125, growth = 0.25;
    const int32_t *column;
    int32_t n = unknowns_of_block(m, &column);
    size_t bytes = (size_t)m->reduced->n_system * sizeof(double);
    *status = DAEDAL_OK;
    while (q->t_reached < t && *status == DAEDAL_OK) {
        const daedal_state *at = daedal_solver_state(solver);
        memcpy(m->watch->y_trial, at->y, bytes);
        memcpy(m->watch->y_trial + m->reduced->n_system, at->yp, bytes);
        double length = fmax(piece * (q->t_to - q->t_from), growth * (at->t - q->t_from));
        if (!advance_to(q, solver, fmin(t, at->t + length), status))
            return false;
        take_sample(m, daedal_solver_state(solver), s);
        for (int32_t i = 0; i < n && !s->found; i++)
            if (has_pole(s, i)) {
                s->found = true;
                q->t_reached = time_of_pole(s, i);
                *status = DAEDAL_ERR_SINGULAR;
                return false;
            }
    }
    return true;
}

static bool is_end(daedal_status status)
{
    return failure_is(status, STEP_FAILURE | START_FAILURE) ||
           status == DAEDAL_ERR_STEP_LIMIT; /* far more steps than the first run needed */
}

/* Integrate a little beyond the end of the step, since the crossing may come later than in the
 * first run, and extra_steps beyond it if the solution may end nearby. */
static branch_answer repeat(simulation *m, branch_task *q, daedal_solver *solver, pole_samples *s)
{
    bool tiny = q->extra_steps > 0.0;
    daedal_status status = daedal_solver_start(solver, q->t_from, q->y, q->yp);
    double t_later = fmin(q->t_to + OVERLAP * (q->t_to - q->t_from), q->t_limit);
    q->t_reached = q->t_from;
    if (status != DAEDAL_OK)
        return is_end(status) ? BRANCH_ENDS : BRANCH_UNCLEAR;
    take_sample(m, daedal_solver_state(solver), s);
    if (tiny ? !advance_watching(m, q, solver, q->t_to, s, &status)
             : !advance_to(q, solver, q->t_to, &status))
        return is_end(status) ? BRANCH_ENDS : BRANCH_UNCLEAR;
    bool stays = reaches_other_branch(m, solver);
    if (!m->watch->double_crossing && q->t_reached < t_later &&
        (tiny ? advance_watching(m, q, solver, t_later, s, &status)
              : advance_to(q, solver, t_later, &status)))
        stays = stays && reaches_other_branch(m, solver);
    double t_far = fmin(q->t_to + q->extra_steps * (q->t_to - q->t_from), q->t_limit);
    if (status >= 0 && q->t_reached < t_far)
        advance_watching(m, q, solver, t_far, s, &status);
    return is_end(status) ? BRANCH_ENDS : stays ? BRANCH_JUMPED : BRANCH_CONTINUES;
}

/* Where the sign changes on the first run, by bisection; its end if it does not. */
static double find_crossing(simulation *m, const branch_task *q)
{
    enum { HALVINGS = 40 };
    double low = q->t_from, high = q->t_to;
    for (int k = 0; k < HALVINGS; k++) {
        double t = 0.5 * (low + high), *y = m->watch->y, *yp = y + m->reduced->n_system;
        if (daedal_solver_interpolate(m->discrete->solver, t, y, yp) != DAEDAL_OK)
            return q->t_to;
        if (singularity_agrees(m, t, y, yp))
            low = t;
        else
            high = t;
    }
    return 0.5 * (low + high);
}

/* log |det| of the block in question on the first run; -HUGE_VAL: it is on the other branch. */
static double log_det_at(simulation *m, double t, double *y)
{
    double *yp = y + m->reduced->n_system;
    bool agrees = daedal_solver_interpolate(m->discrete->solver, t, y, yp) == DAEDAL_OK &&
                  singularity_agrees(m, t, y, yp);
    return agrees ? m->watch->log_det[m->watch->flipped] : -HUGE_VAL;
}

/* On its branch at t, with the states of the first run: log |det|, or NAN if there is no solution.
 * The algebraic values are guessed from the last one. */
static double log_det_on_branch(simulation *m, daedal_solver *solver, double t)
{
    size_t n = (size_t)m->reduced->n_system;
    double *y = m->watch->y, *last = m->watch->y_trial;
    log_det_at(m, t, y);
    for (size_t j = 0; j < n; j++)
        if (!m->reduced->differential[j])
            y[j] = last[j];
    if (daedal_solver_start(solver, t, y, NULL) != DAEDAL_OK)
        return NAN;
    const daedal_state *at = daedal_solver_state(solver);
    memcpy(last, at->y, n * sizeof(double));
    return singularity_agrees(m, at->t, at->y, at->yp) ? m->watch->log_det[m->watch->flipped] : NAN;
}

/* The least |det| on the branch near the crossing, by golden sections; NAN: unknown, or less than
 * `least`, so that the matrix is singular at some time. */
static double least_on_branch(simulation *m, const branch_task *q, daedal_solver *solver,
                              double least)
{
    enum { SECTIONS = 50 };
    const double golden = 0.3819660112501051, flat = 0.01;
    double low = 0.5 * (q->t_from + q->t_crossing), high = 0.5 * (q->t_crossing + q->t_to);
    double t[2] = {low + golden * (high - low), high - golden * (high - low)}, value[2];
    log_det_at(m, low, m->watch->y_trial);
    for (int i = 0; i < 2; i++)
        value[i] = log_det_on_branch(m, solver, t[i]);
    for (int k = 0; k < SECTIONS; k++) {
        if (!(fmin(value[0], value[1]) > least) || isnan(value[0] + value[1]))
            return NAN;
        if (k > 2 && fabs(value[0] - value[1]) < flat && high - low < 0.1 * (q->t_to - q->t_from))
            break;
        int worse = value[0] < value[1] ? 1 : 0;
        low = worse ? low : t[0];
        high = worse ? t[1] : high;
        t[worse] = t[!worse];
        value[worse] = value[!worse];
        t[!worse] = worse ? low + golden * (high - low) : high - golden * (high - low);
        value[!worse] = log_det_on_branch(m, solver, t[!worse]);
    }
    return fmin(value[0], value[1]);
}

/* True if the matrix stays regular on the branch: then the solution turns away from the other one,
 * which steps do not see that are long compared with the distance of the two.  *t_from: a time so
 * near that they do.                                                                */
static bool turns_before(simulation *m, const branch_task *q, daedal_solver *solver, double *t_from)
{
    enum { HALVINGS = 40 };
    const double least = 1e-7; /* of the determinant at the beginning of the step */
    double low = q->t_from, high = q->t_crossing, first = log_det_at(m, low, m->watch->y);
    double there = least_on_branch(m, q, solver, first + log(least));
    if (!isfinite(first) || !isfinite(there))
        return false;
    for (int k = 0; k < HALVINGS; k++) {
        double t = 0.5 * (low + high);
        if (log_det_at(m, t, m->watch->y) > there)
            low = t;
        else
            high = t;
    }
    *t_from = low;
    return true;
}

branch_answer branch_check(simulation *m, branch_task *q)
{
    daedal_system sys;
    daedal_solver *solver = NULL;
    daedal_options opt = *q->options;
    pole_samples samples = {.n = 0};
    branch_answer answer = BRANCH_UNCLEAR;
    q->t_crossing = find_crossing(m, q);
    discrete_describe_system(m->discrete, &sys);
    opt.progress = NULL;
    opt.log = NULL;
    /* linearly implicit methods do not iterate, and could miss a singular matrix */
    daedal_options_set(&opt, "method", "bdf");
    opt.max_steps = STEPS_MAX;
    opt.max_step = fabs(q->t_to - q->t_from) / STEPS_MIN;
    if (read_begin(m, q) == DAEDAL_OK &&
        daedal_solver_create(&solver, &sys, &opt, NULL) == DAEDAL_OK) {
        solver_set_silent_events(solver, discrete_count_silent(m->discrete));
        answer = repeat(m, q, solver, &samples);
    }
    bool in_long_step = q->extra_steps == 0.0 && !m->watch->double_crossing && m->watch->pole < 0;
    if (answer == BRANCH_CONTINUES && in_long_step && turns_before(m, q, solver, &q->t_from))
        answer = BRANCH_JUMPED;
    if (answer == BRANCH_ENDS && !samples.found) {
        size_t bytes = (size_t)m->reduced->n_system * sizeof(double);
        memcpy(m->watch->y_trial, daedal_solver_state(solver)->y, bytes);
        memcpy(m->watch->y_trial + m->reduced->n_system, daedal_solver_state(solver)->yp, bytes);
    }
    daedal_solver_free(solver);
    return read_begin(m, q) == DAEDAL_OK ? answer : BRANCH_UNCLEAR;
}

/* ---- corners ---- */

/* A guess beyond the corner: in the direction in which the unknowns of the block moved, or (reach
 * negative) in the opposite one. */
static void guess_beyond(const simulation *m, int32_t which, double reach, double *y)
{
    const model_order *o = &m->reduced->order;
    int32_t b = m->watch->block[which];
    memcpy(y, m->watch->y_before, (size_t)m->reduced->n_system * sizeof(double));
    for (int32_t i = o->start[b]; i < o->start[b + 1]; i++) {
        int32_t j = o->column[i];
        double slope = m->watch->y_before[m->reduced->n_system + j];
        y[j] += (slope < 0.0 ? -reach : reach) * fmax(fabs(y[j]), m->compiled->nominal[j]);
    }
}

/* Integrate from values that are made consistent; begins: the solver stands elsewhere and starts at
 * x. */
static bool begin_with(simulation *m, bool begins, const double *y, const double *yp)
{
    daedal_solver *solver = m->discrete->solver;
    return (begins ? daedal_solver_start(solver, m->values->x[0], y, yp)
                   : daedal_solver_restart(solver, y, yp)) == DAEDAL_OK;
}

bool branch_leave_corner(simulation *m, int32_t which, bool begins)
{
    /* relative to the values, near ones first */
    const double reaches[] = {0.1, 1.0, 10.0, 100.0, 1e3, 1e4, -0.1, -1.0, -10.0, -100.0, -1e3};
    singularity_watch *w = m->watch;
    memcpy(w->y_before, m->values->x + m->values->place.y,
           2 * (size_t)m->reduced->n_system * sizeof(double));
    for (size_t k = 0; k < sizeof reaches / sizeof *reaches; k++) {
        guess_beyond(m, which, reaches[k], w->y_trial);
        if (!begin_with(m, begins, w->y_trial, NULL))
            continue;
        const daedal_state *now = daedal_solver_state(m->discrete->solver);
        if (singularity_moved(m, which, w->y_before, now->y) &&
            singularity_agrees(m, now->t, now->y, now->yp))
            return true;
    }
    begin_with(m, begins, w->y_before, w->y_before + m->reduced->n_system);
    return false;
}
