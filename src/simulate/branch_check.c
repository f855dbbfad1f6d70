/* simulate/branch_check.c - see simulation.h: a second opinion on a step that crossed a singular
 * point.
 *
 * The determinant of some leading block has changed its sign within a step.  Either the solution
 * really goes through a singular point, or it ends there, or the step was so long that it took
 * the solution over to another branch of the equations.  The same stretch is integrated once more,
 * with smaller tolerances and steps, and without output: it goes the same way, or it fails, or
 * it stays on its branch ([BCP96] section 6.3 tells of a bank angle that jumped).   */
#include <math.h>
#include <string.h>

#include "hybrid/discrete.h"
#include "simulate/simulation.h"

enum { STEPS_MOST = 5000, STEPS_LEAST = 10 };

/* The step as it was: where it began, and from what. */
static daedal_status step_back(simulation *m, branch_question *q)
{
    q->y = m->watch->y;
    q->yp = m->watch->y + m->reduced->n_system;
    return daedal_solver_interpolate(m->discrete->solver, q->t_from, q->y, q->yp);
}

/* Has the second run come to another branch than the first? */
static bool is_elsewhere(simulation *m, const daedal_solver *solver)
{
    const daedal_state *at = daedal_solver_state(solver);
    return m->watch->leapt ? singularity_differs(m, at->y)
                           : singularity_agrees(m, at->t, at->y, at->yp);
}

/* Up to t; an event on the way is as good as an arrival. */
static bool go_to(branch_question *q, daedal_solver *solver, double t, daedal_status *status)
{
    *status = daedal_solver_set_stop_time(solver, t);
    if (*status == DAEDAL_OK)
        *status = daedal_solver_advance(solver, t);
    q->t_reached = daedal_solver_state(solver)->t;
    return *status >= 0 && *status != DAEDAL_STOPPED;
}

static bool is_end(daedal_status status)
{
    return failure_is(status, STEP_FAILURE | START_FAILURE) ||
           status == DAEDAL_ERR_STEP_LIMIT; /* a few steps of the first run were too much */
}

/* A little later than the step's end, since the crossing may be, too; and farther, if the solution
 * may end nearby. */
static branch_answer repeat(simulation *m, branch_question *q, daedal_solver *solver)
{
    const double later = 0.2;
    daedal_status status = daedal_solver_start(solver, q->t_from, q->y, q->yp);
    double t_later = fmin(q->t_to + later * (q->t_to - q->t_from), q->t_limit);
    q->t_reached = q->t_from;
    if (status != DAEDAL_OK)
        return is_end(status) ? BRANCH_ENDS : BRANCH_UNCLEAR;
    if (!go_to(q, solver, q->t_to, &status))
        return is_end(status) ? BRANCH_ENDS : BRANCH_UNCLEAR;
    bool stays = is_elsewhere(m, solver);
    if (!m->watch->leapt && q->t_reached < t_later && go_to(q, solver, t_later, &status))
        stays = stays && is_elsewhere(m, solver);
    double t_far = fmin(q->t_to + q->farther * (q->t_to - q->t_from), q->t_limit);
    if (status >= 0 && q->t_reached < t_far)
        go_to(q, solver, t_far, &status);
    return is_end(status) ? BRANCH_ENDS : stays ? BRANCH_JUMPED : BRANCH_PASSES;
}

branch_answer branch_check(simulation *m, branch_question *q)
{
    daedal_system sys;
    daedal_solver *solver = NULL;
    daedal_options opt = *q->options;
    branch_answer answer = BRANCH_UNCLEAR;
    discrete_describe_system(m->discrete, &sys);
    opt.progress = NULL;
    opt.log = NULL;
    daedal_options_set(&opt, "method", "bdf"); /* iterates, which linearly implicit ones do not */
    opt.max_steps = STEPS_MOST;
    opt.max_step = fabs(q->t_to - q->t_from) / STEPS_LEAST;
    if (step_back(m, q) == DAEDAL_OK &&
        daedal_solver_create(&solver, &sys, &opt, NULL) == DAEDAL_OK)
        answer = repeat(m, q, solver);
    if (answer == BRANCH_ENDS) {
        size_t bytes = (size_t)m->reduced->n_system * sizeof(double);
        memcpy(m->watch->middle, daedal_solver_state(solver)->y, bytes);
        memcpy(m->watch->middle + m->reduced->n_system, daedal_solver_state(solver)->yp, bytes);
    }
    daedal_solver_free(solver);
    return step_back(m, q) == DAEDAL_OK ? answer : BRANCH_UNCLEAR;
}

/* ---- corners ---- */

/* The guess goes on in the direction in which the unknowns of the block came, or in the other. */
static void guess_beyond(const simulation *m, int32_t which, double reach, double *y)
{
    const model_order *o = &m->reduced->order;
    int32_t b = m->watch->block[which];
    memcpy(y, m->watch->before, (size_t)m->reduced->n_system * sizeof(double));
    for (int32_t i = o->start[b]; i < o->start[b + 1]; i++) {
        int32_t j = o->column[i];
        double slope = m->watch->before[m->reduced->n_system + j];
        y[j] += (slope < 0.0 ? -reach : reach) * fmax(fabs(y[j]), m->compiled->nominal[j]);
    }
}

bool branch_leave_corner(simulation *m, int32_t which)
{
    const double reaches[] = {0.1, 1.0, 10.0, 100.0, 1e3, 1e4, -0.1, -1.0, -10.0, -100.0, -1e3};
    singularity_watch *w = m->watch;
    memcpy(w->before, m->values->x + m->values->place.y,
           2 * (size_t)m->reduced->n_system * sizeof(double));
    for (size_t k = 0; k < sizeof reaches / sizeof *reaches; k++) {
        guess_beyond(m, which, reaches[k], w->middle);
        if (daedal_solver_restart(m->discrete->solver, w->middle, NULL) != DAEDAL_OK)
            continue;
        const daedal_state *now = daedal_solver_state(m->discrete->solver);
        if (singularity_moved(m, which, w->before, now->y) &&
            singularity_agrees(m, now->t, now->y, now->yp))
            return true;
    }
    daedal_solver_restart(m->discrete->solver, w->before, w->before + m->reduced->n_system);
    return false;
}
