/* simulate/model_crossing.c - see simulate.h: steps through singular points, and branches that end
 * in a corner.                                                                   */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hybrid/hybrid.h"
#include "simulate/simulate.h"

static const double TIGHTER = 0.01, RTOL_LEAST = 1e-12;
enum { ASKED_MOST = 12 };

/* ---- the same again, with other tolerances ---- */

static void scale_tolerances(driver *d, double factor)
{
    d->opt.rtol *= factor;
    d->opt.atol *= factor;
    for (int32_t j = 0; j < d->m->n_system; j++)
        d->atol[j] *= factor;
}

void counts_add(daedal_stats *to, const daedal_stats *more)
{
    to->steps += more->steps;
    to->rejected_error += more->rejected_error;
    to->rejected_newton += more->rejected_newton;
    to->residuals += more->residuals;
    to->jacobian_residuals += more->jacobian_residuals;
    to->jacobians += more->jacobians;
    to->factorizations += more->factorizations;
    to->solves += more->solves;
    to->iterations += more->iterations;
    to->event_calls += more->event_calls;
    to->restarts += more->restarts;
    to->projections += more->projections;
    to->solver_growth += more->solver_growth;
}

/* From the beginning of the step on with the tolerances as they are now. */
static daedal_status go_on_tighter(driver *d, const branch_question *q)
{
    model *m = d->m;
    daedal_system sys;
    daedal_solver *solver = NULL;
    model_describe_system(m, &sys);
    TRY(daedal_solver_create(&solver, &sys, &d->opt, &m->why));
    daedal_status status = daedal_solver_start(solver, q->t_from, q->y, q->yp);
    counts_add(&d->spent, daedal_solver_stats(m->solver));
    daedal_solver_free(m->solver);
    m->solver = solver;
    model_cut_delays(m, q->t_from);
    model_read_solver(m);
    return status == DAEDAL_OK
               ? status
               : model_explain_failure(m, status, daedal_solver_diagnosis(m->solver));
}

static void tell_branch(const driver *d, const branch_question *q, bool jumped)
{
    model *m = d->m;
    char message[560], text[360];
    bool *told = &m->watch.told[m->watch.flipped];
    if (!m->log || (*told && !jumped))
        return;
    *told = *told || !jumped;
    model_undetermined(m, m->watch.flipped, text, sizeof text);
    if (jumped)
        snprintf(
            message, sizeof message,
            "the step from t = %.10g to %.10g jumped to another branch, over a point where %s; "
            "repeated from there with rtol = %.3g",
            q->t_from, q->t_to, text, d->opt.rtol);
    else
        snprintf(
            message, sizeof message,
            "between t = %.10g and %.10g the solution goes through a singular point, where %s: "
            "it may go on in more than one way",
            q->t_from, q->t_to, text);
    m->log(DAEDAL_LOG_WARNING, message, m->log_user);
}

static daedal_status end_of_branch(model *m, const branch_question *q)
{
    int32_t variable = -1, equation = -1;
    model_watch_blame(m, m->watch.flipped, &variable, &equation);
    m->x[0] = q->t_reached;
    return model_tell_impasse(m, DAEDAL_ERR_SINGULAR, variable, equation);
}

/* With smaller tolerances, and still smaller ones, as long as the answer is that the solution goes
 * on; where they lead to an end, it may be theirs alone.  After a jump they stay. */
static branch_answer ask_again(driver *d, branch_question *q)
{
    enum { TIMES = 2 };
    double factor = 1.0;
    branch_answer answer = BRANCH_PASSES;
    for (int k = 0; k < TIMES && answer == BRANCH_PASSES; k++) {
        if (d->opt.rtol * TIGHTER < RTOL_LEAST)
            break;
        scale_tolerances(d, TIGHTER);
        factor *= TIGHTER;
        answer = model_ask_again(d->m, q);
    }
    if (answer == BRANCH_JUMPED)
        return answer;
    scale_tolerances(d, 1.0 / factor);
    return answer == BRANCH_ENDS ? model_ask_again(d->m, q) : answer;
}

/* ---- corners ---- */

static void tell_corner(const model *m, int32_t which)
{
    char message[480], text[360];
    if (!m->log || m->watch.told[which])
        return;
    m->watch.told[which] = true;
    snprintf(
        message, sizeof message,
        "at t = %.10g a branch ends in a corner: beyond it %s; the solution jumps to another one",
        m->x[0], model_undetermined(m, which, text, sizeof text));
    m->log(DAEDAL_LOG_WARNING, message, m->log_user);
}

daedal_status driver_jump_at_corner(driver *d, bool *jumped)
{
    model *m = d->m;
    int32_t which = m->delays ? -1 : model_watch_corner(m);
    *jumped = false;
    if (which < 0)
        return DAEDAL_OK;
    TRY(driver_emit(d, DAEDAL_ROW_BEFORE_EVENT));
    *jumped = model_leave_corner(m, which);
    if (!*jumped)
        return DAEDAL_OK;
    tell_corner(m, which);
    model_read_solver(m);
    return driver_end_event(d, DAEDAL_ROW_AFTER_EVENT);
}

/* ---- the question ---- */

/* Where the second run ended, if that is a corner: from there on to the other branch. */
static daedal_status jump_where_it_ended(driver *d, const branch_question *q, bool *jumped)
{
    model *m = d->m;
    double *y = m->x + m->place.y;
    m->x[0] = q->t_reached;
    memcpy(y, m->watch.middle, 2 * (size_t)m->n_system * sizeof(double));
    if (model_watch_corner(m) < 0 ||
        daedal_solver_start(m->solver, m->x[0], y, y + m->n_system) != DAEDAL_OK)
        return DAEDAL_OK;
    return driver_jump_at_corner(d, jumped);
}

daedal_status driver_judge_crossing(driver *d, double limit, bool *back)
{
    model *m = d->m;
    double t = m->watch.t_flipped, h = daedal_solver_stats(m->solver)->h_last;
    bool creeping = h < 1e-3 * m->watch.longest;
    branch_question q = {.options = &d->opt,
                         .t_from = t - h,
                         .t_to = t,
                         .t_limit = fmax(t, limit),
                         .farther = m->watch.near >= 0 ? 300.0
                                    : creeping         ? 100.0
                                                       : 0.0};
    double before = d->opt.rtol;
    d->crossed = false;
    bool may_ask = d->asked++ < ASKED_MOST && !m->delays;
    branch_answer answer = may_ask ? ask_again(d, &q) : BRANCH_UNCLEAR;
    bool doubtful = answer == BRANCH_ENDS || answer == BRANCH_UNCLEAR;
    bool solved = daedal_solver_stats(m->solver)->iterations > 0; /* not linearly implicit */
    if (may_ask && solved && !creeping && !m->watch.leapt && doubtful)
        answer = BRANCH_PASSES; /* the step itself passed every test */
    if (answer == BRANCH_ENDS) {
        TRY(jump_where_it_ended(d, &q, back));
        d->asked -= *back; /* such a question was worth it */
        return *back ? DAEDAL_OK : end_of_branch(m, &q);
    }
    if (m->watch.near >= 0) { /* it goes on: nothing to be told */
        scale_tolerances(d, before / d->opt.rtol);
        return DAEDAL_OK;
    }
    *back = answer == BRANCH_JUMPED && d->opt.rtol < before;
    if (*back || answer == BRANCH_PASSES)
        tell_branch(d, &q, *back);
    if (*back)
        return go_on_tighter(d, &q);
    model_watch_accept(m, t);
    return DAEDAL_OK;
}
