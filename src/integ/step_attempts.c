/* integ/step_attempts.c - see step_attempts.h. */
#include "integ/step_attempts.h"
#include "integ/mass_metric.h"

#include <float.h>
#include <math.h>

#include "base/choices.h"
#include "base/status.h"
#include "linalg/vector.h"

/* The rules of one-step methods.  A step of another size costs them nothing, so that they come
 * closer to a limit before they divide the rest of the way. */
const step_attempts_rules step_attempts_of_one_step = {.newton_max = 40,
                                                       .arrival = {.stretch = 1e-4, .ahead = 1.1}};

static const double ABOUT =
    30.0; /* times an estimate of roundoff or of a correction are explained */

/* ---- sizes ---- */

/* End the step with the cause that most of the failed attempts have in common. */
static daedal_status give_up(const step_attempts *a)
{
    daedal_diagnosis *why = a->in->why;
    if (2 * a->retry >= a->newton)
        return evaluator_explain(a->in->ev, why);
    if (2 * a->singular >= a->newton)
        return fail(why, DAEDAL_ERR_SINGULAR,
                    "the iteration matrix is singular at t = %.10g for every step size tried",
                    a->t);
    return fail(why, DAEDAL_ERR_NEWTON,
                "the nonlinear equations at t = %.10g could not be solved, however small the step",
                a->t);
}

daedal_status step_attempts_respect_min_step(const step_attempts *a)
{
    double least = a->in->options->min_step;
    if (fabs(*a->h) >= least)
        return DAEDAL_OK;
    if (fabs(a->h_tried) <= least)
        return fail(a->in->why, DAEDAL_ERR_STEP_TOO_SMALL,
                    "the step at t = %.10g failed at the smallest size allowed, min_step = %.3g",
                    a->t, least);
    *a->h = copysign(least, *a->h);
    return DAEDAL_OK;
}

daedal_status step_attempts_check_roundoff(const step_attempts *a)
{
    double h = *a->h;
    if (a->error == 0 && a->newton == 0 && a->t + h != a->t)
        return DAEDAL_OK;
    a->in->constraints->refused = a->constraints > 0;
    if (a->newton > a->error)
        return give_up(a);
    if (a->error > 0 && a->first)
        return fail(a->in->why, DAEDAL_ERR_INCONSISTENT,
                    "no step from t = %.10g is small enough for the error test: the start is "
                    "inconsistent, or the index exceeds one",
                    a->t);
    if (a->error > 0)
        return fail(a->in->why, DAEDAL_ERR_ERROR_TEST,
                    "the error test at t = %.10g failed %d times; the step fell to %.3g", a->t,
                    (int)a->error, h);
    return fail(a->in->why, DAEDAL_ERR_STEP_TOO_SMALL, "the step at t = %.10g fell to %.3g", a->t,
                h);
}

/* ---- failures ---- */

daedal_status step_attempts_note_newton(step_attempts *a, newton_outcome why,
                                        const double *correction, const double *inverse_weight)
{
    enum { SINGULAR_MAX = 4 };
    if (why == NEWTON_STOP)
        return DAEDAL_STOPPED;
    if (why == NEWTON_FAIL)
        return evaluator_explain(a->in->ev, a->in->why);
    if (why == NEWTON_MEMORY)
        return fail(a->in->why, DAEDAL_ERR_MEMORY, "out of memory in the linear solver");
    a->in->stats->rejected_newton++;
    limiters_correction last = {a->in->matrix, correction, inverse_weight};
    if (a->in->limiters)
        limiters_count_newton(a->in->limiters, why, &last);
    a->newton++;
    a->singular += why == NEWTON_SINGULAR;
    a->retry += why == NEWTON_RETRY;
    if (a->singular > SINGULAR_MAX || a->newton >= a->rules.newton_max)
        return give_up(a);
    return DAEDAL_OK;
}

/* A start whose error does not shrink with h is inconsistent or of index > 1: [BCP96] section
 * 5.3.2, conformance item C131.  Where the run is long the first step may be longer than all that
 * happens by many orders of magnitude, and no error shrinks until it is no longer. */
daedal_status step_attempts_note_error(step_attempts *a, double error, int32_t worst)
{
    enum { HOPELESS = 12 };
    const double shrunk = 1e-3, tiny = 1e-15, roundoffs = 1e3;
    a->in->stats->rejected_error++;
    if (a->in->limiters)
        limiters_count(a->in->limiters, a->in->limiters->rejected_error, worst);
    if (a->error++ == 0) {
        a->first_error = error;
        a->h_first_error = fabs(a->h_tried);
    }
    double least = fmax(tiny * a->h_first_error, roundoffs * DBL_EPSILON * fabs(a->t));
    bool shrinks = error <= shrunk * a->first_error || fabs(a->h_tried) > least;
    if (a->error > HOPELESS && a->first && !shrinks)
        return fail(a->in->why, DAEDAL_ERR_INCONSISTENT,
                    "the error of the first step from t = %.10g does not shrink with the step "
                    "size: the start is inconsistent, or the index exceeds one",
                    a->t);
    return DAEDAL_OK;
}

daedal_status step_attempts_note_constraints(step_attempts *a)
{
    enum { ATTEMPTS_MAX = 25 };
    a->in->stats->rejected_error++;
    a->in->constraints->refused = ++a->constraints > ATTEMPTS_MAX;
    if (a->in->constraints->refused)
        return fail(a->in->why, DAEDAL_ERR_STEP_TOO_SMALL,
                    "the constraints could not be met near t = %.10g, however small the step: they "
                    "contradict one another or depend on one another there",
                    a->t);
    *a->h *= 0.5;
    return DAEDAL_OK;
}

/* The correction by the equations of a step of length zero, in which y continues along y' by h. */
static double correction_at(const step_attempts *a, const step_attempts_error *at, double h)
{
    int32_t n = a->in->ev->n;
    for (int32_t i = 0; i < n; i++)
        at->point[i] = at->y[i] + h * at->yp[i];
    if (evaluator_residual(a->in->ev, a->t + h, at->point, at->yp, at->residual) != DAEDAL_CALL_OK)
        return 0.0;
    matrix_solve_roughly(a->in->matrix, at->residual);
    return space_wrms(&a->in->ev->space, at->residual, at->inverse_weight);
}

static double correction_by_roundoff(const step_attempts *a, const step_attempts_error *at)
{
    matrix_noise(a->in->matrix, at->y, at->yp, at->residual);
    return space_wrms(&a->in->ev->space, at->residual, at->inverse_weight);
}

/* The error norm over the differential variables. */
static double lasting_error(const step_attempts *a, const step_attempts_error *at)
{
    for (int32_t i = 0; i < a->in->ev->n; i++)
        at->residual[i] = a->in->is_differential[i] ? at->error[i] : 0.0;
    return space_wrms(&a->in->ev->space, at->residual, at->inverse_weight);
}

static bool is_explained(const step_attempts *a, const step_attempts_error *at)
{
    const double roundoffs = 1e3;
    return at->size <= roundoffs * correction_by_roundoff(a, at) ||
           at->size <= ABOUT * correction_at(a, at, 0.0) ||
           (lasting_error(a, at) <= 1.0 && at->size <= ABOUT * correction_at(a, at, at->h));
}

/* The effect of roundoff on the error estimate: roundoff in the terms of F and in t, and roundoff
 * in y, which the y' of the estimate contains divided by h and multiplied by the weights of the
 * formula. */
static void noise_of_estimate(const step_attempts *a, const step_attempts_error *at, double *noise)
{
    const double short_step = 1e-8; /* of t: before, there is room for a smaller one */
    for (int32_t i = 0; i < a->in->ev->n; i++)
        at->point[i] = fabs(at->yp[i]) + at->slope_weight * fabs(at->y[i] / at->h);
    matrix_noise(a->in->matrix, at->y, at->point, noise);
    if (fabs(at->h) <= short_step * fabs(a->t))
        matrix_add_noise_of_time(a->in->matrix, a->t, at->y, at->yp, noise);
}

/* The error without that of algebraic variables that roundoff explains: where terms cancel, fewer
 * digits of such a variable can be computed than its tolerance asks for, however small the step. */
static double error_beyond_roundoff(const step_attempts *a, const step_attempts_error *at)
{
    double *noise = at->residual, *rest = at->point;
    noise_of_estimate(a, at, noise);
    for (int32_t i = 0; i < a->in->ev->n; i++) {
        double most = ABOUT * fabs(noise[i]) + (at->carried ? at->carried[i] : 0.0);
        bool explained = !a->in->is_differential[i] && fabs(at->error[i]) <= most;
        rest[i] = explained ? 0.0 : at->error[i];
    }
    return space_wrms(&a->in->ev->space, rest, at->inverse_weight);
}

static bool is_roundoff_of_algebraic(const step_attempts *a, step_attempts_error *at)
{
    const double accepted = 0.5;
    double whole = space_wrms(&a->in->ev->space, at->error, at->inverse_weight);
    double unit = at->size / whole; /* a method may count errors for more than they are */
    if (a->first || !isfinite(unit) || lasting_error(a, at) * unit > accepted)
        return false;
    double rest = error_beyond_roundoff(a, at) * unit;
    if (!(rest <= accepted))
        return false;
    at->size = rest;
    at->by_roundoff = true;
    for (int32_t i = 0; i < a->in->ev->n && at->carried; i++)
        at->carried[i] = ABOUT * fabs(at->residual[i]);
    return true;
}

bool step_attempts_have_stalled(step_attempts *a, step_attempts_error *at)
{
    enum { OFTEN = 3 };
    bool earlier = a->h_first != 0.0;
    if (!earlier)
        a->h_first = at->h;
    if (is_roundoff_of_algebraic(a, at))
        return true;
    a->stalls = earlier && !(at->size < 0.7 * a->last_error) ? a->stalls + 1 : 0;
    a->last_error = at->size;
    return a->stalls >= OFTEN && !a->first && isfinite(at->size) && is_explained(a, at);
}

/* ---- success ---- */

/* Report a constraint that moves a variable back, step after step, by what the equations have
 * moved it. */
static daedal_status complain_contradiction(const integ_context *in, double t, int32_t constraint,
                                            int32_t variable)
{
    char name[96];
    fail(in->why, DAEDAL_ERR_INCONSISTENT,
         "constraint %d contradicts the equations near t = %.10g: the projection after each "
         "step undoes the motion of %s",
         (int)constraint, t, evaluator_variable_name(in->ev->sys, variable, name, sizeof name));
    hint(in->why, "check the constraint: every solution of the equations must satisfy it");
    blame(in->why, t, -1, variable);
    return DAEDAL_ERR_INCONSISTENT;
}

daedal_status step_attempts_project(const integ_context *in, step_attempts_move *to)
{
    const double slightly_off = 0.1; /* of a weight */
    double by = 0.0;
    to->changed = to->far = false;
    if (in->constraints->n_levels == 0 || in->constraints->at_output_only)
        return DAEDAL_OK;
    if (in->options->projection_metric == METRIC_OF_MASS)
        RETURN_UNLESS_OK(mass_metric_provide(in, to->t, to->y));
    switch (projection_apply(in->constraints, to->t, to->y, to->inverse_weight, &by)) {
    case PROJECTION_STOP:
        return DAEDAL_STOPPED;
    case PROJECTION_FAIL:
        return evaluator_explain(in->ev, in->why);
    case PROJECTION_FAR:
        to->far = true;
        return DAEDAL_OK;
    case PROJECTION_DONE:
        break;
    }
    bool leap = by > 1.0; /* though hardly off: the constraints nearly depend on one another */
    to->far = leap && in->constraints->largest > slightly_off;
    to->changed = !leap;
    in->stats->projections++;
    if (!to->changed)
        return DAEDAL_OK;
    int32_t which = projection_conflict(in->constraints, to->y, to->inverse_weight);
    return which < 0 ? DAEDAL_OK : complain_contradiction(in, to->t, in->constraints->worst, which);
}

void step_attempts_count_step(const integ_context *in, step_attempts_success step)
{
    daedal_stats *stats = in->stats;
    if (in->limiters)
        limiters_count(in->limiters, in->limiters->steps, step.worst);
    stats->steps++;
    stats->h_last = step.h;
    stats->h_next = step.h_next;
    stats->order_last = step.order;
    stats->order_next = step.order_next;
}
