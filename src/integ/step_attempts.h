/* integ/step_attempts.h - the attempts at one step, whatever the method.
 *
 * Responsibility: what all methods do around their formulas until a step is accepted: the size of
 * an attempt and where it ends, the failures so far and what they mean, the message when a step
 * is given up, the projection on the constraints, the statistics of a success.  Every method's step
 * has this outline:
 *     for (;;) {
 *         step_attempts_next           a size, and where it ends; or the step is given up
 *         the method's formulas   else note the failure, a smaller h, again
 *         its error test          likewise
 *         step_attempts_project        likewise
 *         accept, step_attempts_count_step
 *     }
 * Depends on: integ/step_size.h, newton/modified_newton.h.                            */
#ifndef DAEDAL_INTEG_STEP_ATTEMPTS_H
#define DAEDAL_INTEG_STEP_ATTEMPTS_H

#include <float.h>
#include <math.h>

#include "base/status.h"
#include "integ/limiters.h"
#include "integ/step_size.h"
#include "newton/modified_newton.h"

/* Rules for the attempts that depend on the kind of method. */
typedef struct step_attempts_rules {
    int32_t newton_max; /* failures of Newton after which the step is given up */
    step_arrival arrival;
} step_attempts_rules;

extern const step_attempts_rules
    step_attempts_of_one_step; /* Runge-Kutta, Rosenbrock, extrapolation */

typedef struct step_attempts {
    const integ_context *in;
    step_attempts_rules rules;
    double t;       /* where the step begins                                            */
    double t_limit; /* that it must not pass                                            */
    double *h;      /* the method's: size of the next attempt, signed                   */
    bool first;     /* no step has been accepted since begin                            */

    double t_new;   /* where the attempt ends; t_limit itself, if it is reached         */
    double h_tried; /* by the last attempt; 0: there was none                           */
    double h_wish;  /* what the method wanted, if that was cut short; else 0            */

    int32_t error, newton, constraints; /* failures, by what was to blame               */
    int32_t singular, retry;            /* of those of Newton                           */
    double first_error, last_error;     /* of the attempts that failed the error test   */
    double h_first_error;               /* size of the first of them                    */
    double h_first;                     /* of the first of them                         */
    int32_t stalls;                     /* in a row that had an error no smaller        */
} step_attempts;

/* Begin the attempts at a step from t, with the rules of one-step methods. */
static inline step_attempts step_attempts_begin(const integ_context *in, double t, double t_limit,
                                                double *h, bool first)
{
    return (step_attempts){.in = in,
                           .rules = step_attempts_of_one_step,
                           .t = t,
                           .t_limit = t_limit,
                           .h = h,
                           .first = first};
}

/* A reduced step size is at least min_step.  Returns an error if the step failed with that size
 * already. */
daedal_status step_attempts_respect_min_step(const step_attempts *a);
/* Check a step size near the roundoff of t.  Returns DAEDAL_OK if it may be tried nevertheless. */
daedal_status step_attempts_check_roundoff(const step_attempts *a);

/* Prepare an attempt: fit its size and find where it ends.  Returns DAEDAL_OK, or the reason why
 * no attempt is left, since the size has fallen to min_step or to the roundoff of t.  Every step
 * calls this, so that it stands here. */
static inline daedal_status step_attempts_next(step_attempts *a)
{
    if (a->error + a->newton > 0)
        TRY(step_attempts_respect_min_step(a));
    double wish = *a->h, left = a->t_limit - a->t;
    bool is_first = a->h_tried == 0.0; /* one that failed must not grow again */
    const step_arrival *how = a->in->arrival && is_first ? a->in->arrival : &a->rules.arrival;
    double h = step_fit(a->in->options, *how, wish, left);
    *a->h = h;
    a->h_wish = fabs(h) < fabs(wish) ? wish : 0.0;
    a->t_new = h == left ? a->t_limit : a->t + h;
    if (!(fabs(h) > 4.0 * DBL_EPSILON * fabs(a->t)))
        TRY(step_attempts_check_roundoff(a));
    a->h_tried = h;
    return DAEDAL_OK;
}

/* Note an attempt that failed, with the cause.  Anything but DAEDAL_OK ends the step. `correction`
 * is the last one of an iteration that did not converge, or NULL; `worst` is the variable with the
 * largest error. */
daedal_status step_attempts_note_newton(step_attempts *a, newton_outcome why,
                                        const double *correction, const double *inverse_weight);
daedal_status step_attempts_note_error(step_attempts *a, double error, int32_t worst);
daedal_status step_attempts_note_constraints(step_attempts *a); /* halves h, too */

/* The error of an attempt of a one-step method; the matrix of the context is factored for it. */
typedef struct step_attempts_error {
    double h;
    const double *y, *yp;                 /* where the attempt begins */
    const double *error, *inverse_weight; /* n                        */
    double size;                          /* of the error, in weights */
    double slope_weight; /* sum of the weights with which values of y make h y' in the estimate   */
    double *carried;     /* n or NULL: roundoff that y brings along in algebraic variables; out:
                            that of this step, if `by_roundoff`                                 */
    bool by_roundoff;    /* out: roundoff explains the error                                    */
    double *point, *residual; /* n, work                  */
} step_attempts_error;

/* Whether a step that fails the error test is accepted nevertheless.  An error that does not shrink
 * with h is not one of the step, where it is no larger than what F itself shows without any step: y
 * violates algebraic equations, by roundoff or by what extrapolation left; or F jumps within the
 * step, and what has no memory jumps with it.  The step restores them, so it is taken; but not at a
 * start, where the fault is the user's and should be named.  An error that F does not show is that
 * of a step, however slowly it shrinks (docs/decisions/081).  Where roundoff in algebraic variables
 * explains it at once, the size is what is left without them: roundoff of this step, or of the one
 * before, whose end has it.                                                       */
bool step_attempts_have_stalled(step_attempts *a, step_attempts_error *at);

static inline bool step_attempts_any_failed(const step_attempts *a)
{
    return a->error + a->newton + a->constraints > 0;
}

/* Move y, the end of a step at t, onto the constraints. */
typedef struct step_attempts_move {
    double t;
    double *y; /* in: the end of the step; out: moved, if `changed`                    */
    const double *inverse_weight;
    bool changed; /* false: it is hardly off, but could be met by leaps only: leave it */
    bool far;     /* the step has left the reach of the constraints: not to be taken   */
} step_attempts_move;

daedal_status step_attempts_project(const integ_context *in, step_attempts_move *to);

/* What the statistics need to know of an accepted step. */
typedef struct step_attempts_success {
    double h, h_next;
    int32_t order, order_next;
    int32_t worst; /* the variable with the largest share in its error */
} step_attempts_success;

void step_attempts_count_step(const integ_context *in, step_attempts_success step);
#endif
