/* integ/rattle_step.c - one accepted step of RATTLE or one of its compositions.  All steps have the
 * same size, which is the user's or is chosen at the beginning by the error of a first step: steps
 * that follow an error estimate would lose what the method is for ([HLW06] VIII.1).   */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "integ/rattle.h"
#include "integ/step_attempts.h"
#include "linalg/vector.h"
#include "newton/bounds.h"

static const double ROUNDOFFS = 2.0;

newton_outcome rattle_compose(rattle *r, double t, double h, double *y, double *yp)
{
    newton_outcome outcome = NEWTON_DONE;
    double done = 0.0;
    for (int32_t i = 0; i < r->plan->stages && outcome == NEWTON_DONE; i++) {
        outcome = rattle_substep(r, t + done * h, r->plan->gamma[i] * h, y, yp);
        done += r->plan->gamma[i];
    }
    return outcome == NEWTON_DONE ? rattle_settle(r, t + h, y, yp) : outcome;
}

/* ---- the size of steps ---- */

static double norm_of(const rattle *r, const int32_t *which, const double *of)
{
    for (int32_t i = 0; i < r->form.n_positions; i++)
        r->v_half[i] = of[which[i]];
    return sqrt(vector_dot(r->v_half, r->v_half, r->form.n_positions));
}

/* Set the weights for the choice of the step size.  An error is compared with the change of its
 * variable in the time in which the motion as a whole changes much, since a variable that passes
 * zero, or begins there, has no size of its own.  Only the variables of the equations q' = v
 * count. */
static void size_weights(rattle *r, const double *y, const double *yp)
{
    const mechanical_form *f = &r->form;
    const weights *w = r->in.tolerances;
    double q = norm_of(r, f->position, y), v = norm_of(r, f->velocity, y);
    double a = norm_of(r, f->velocity, yp), rate = v / q + sqrt(a / q);
    double time = isfinite(rate) && rate > 0.0 ? 1.0 / rate : 0.0;
    memset(r->size_weight, 0, (size_t)r->n * sizeof(double));
    for (int32_t i = 0; i < f->n_positions; i++) {
        int32_t j = f->position[i], k = f->velocity[i];
        double speed = fabs(y[k]) + time * fabs(yp[k]);
        r->size_weight[j] = 1.0 / (w->rtol[j] * (fabs(y[j]) + time * speed) + w->atol[j]);
        r->size_weight[k] = 1.0 / (w->rtol[k] * speed + w->atol[k]);
    }
}

/* A step that was taken: from (t, y, y') by h to y_end. */
typedef struct taken {
    double t, h;
    const double *y, *yp, *y_end;
} taken;

/* The error of a step, by comparison with two steps of half the size.  It is HUGE_VAL if these
 * cannot be taken. */
static double error_of(rattle *r, const taken *step)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    double share = 1.0 / (1.0 - pow(0.5, r->plan->order)), half = 0.5 * step->h;
    memcpy(r->y_side, step->y, bytes);
    memcpy(r->yp_side, step->yp, bytes);
    newton_outcome outcome = rattle_compose(r, step->t, half, r->y_side, r->yp_side);
    if (outcome == NEWTON_DONE)
        outcome = rattle_compose(r, step->t + half, half, r->y_side, r->yp_side);
    if (outcome != NEWTON_DONE)
        return HUGE_VAL;
    size_weights(r, step->y, step->yp);
    for (int32_t j = 0; j < r->n; j++)
        r->v_half[j] = share * (step->y_end[j] - r->y_side[j]);
    double error = vector_wrms(r->v_half, r->size_weight, r->n);
    return isfinite(error) ? error : HUGE_VAL;
}

/* The largest error of the first steps of this size.  A single step may begin where the motion is
 * at rest. */
static double try_size(rattle *r, double h)
{
    enum { AHEAD = 12 };
    size_t bytes = (size_t)r->n * sizeof(double);
    double largest = 0.0;
    memcpy(r->y_new, r->y, bytes);
    memcpy(r->yp_new, r->yp, bytes);
    for (int i = 0; i < AHEAD && largest <= 1.0; i++) {
        taken step = {r->t + i * h, h, r->y_before, r->yp_before, r->y_new};
        memcpy(r->y_before, r->y_new, bytes);
        memcpy(r->yp_before, r->yp_new, bytes);
        bool fine = rattle_compose(r, step.t, h, r->y_new, r->yp_new) == NEWTON_DONE;
        largest = fmax(largest, fine ? error_of(r, &step) : HUGE_VAL);
    }
    memcpy(r->y_before, r->y, bytes);
    memcpy(r->yp_before, r->yp, bytes);
    return largest;
}

/* Choose a size with which the errors of the first steps are a part of the tolerance, since errors
 * add up. */
static void choose_size(rattle *r)
{
    enum { ROUNDS = 12 };
    const double part = 0.03, safety = 0.9, least = 0.1, most = 8.0, enough = 0.2, floor = 1e-12;
    double h = r->h, longest = r->in.options->max_step;
    for (int i = 0; i < ROUNDS; i++) {
        double error = try_size(r, h) / part;
        double factor = safety * pow(fmax(error, floor), -1.0 / (r->plan->order + 1));
        bool is_longest = longest > 0.0 && fabs(h) >= longest;
        if (error <= 1.0 && (error >= enough || is_longest))
            break;
        h *= step_clamp(factor, least, most);
        if (longest > 0.0 && fabs(h) > longest)
            h = copysign(longest, h);
    }
    r->pace.h = h;
}

/* Test now and then whether the step size that was chosen at the beginning is short enough
 * elsewhere. */
static void test_size(rattle *r)
{
    enum { EVERY = 50 };
    const double far = 30.0; /* tolerances */
    taken step = {r->t_before, r->h_last, r->y_before, r->yp_before, r->y};
    char text[200];
    if (r->pace.is_given || r->pace.is_told || r->steps_done < r->pace.next_test)
        return;
    r->pace.next_test = r->steps_done + EVERY;
    double error = error_of(r, &step);
    if (!(error > far) || !r->in.options->log)
        return;
    snprintf(
        text, sizeof text,
        "the steps of method rattle, %.3g, are too long near t = %.6g: the error of one is %.0f "
        "tolerances; set first_step to a smaller size",
        fabs(r->pace.h), r->t, error);
    r->in.options->log(DAEDAL_LOG_WARNING, text, r->in.options->callback_user);
    r->pace.is_told = true;
}

/* ---- the step ---- */

static void weigh(rattle *r)
{
    const mechanical_form *f = &r->form;
    const double unit = ROUNDOFFS * DBL_EPSILON;
    double *q = r->v_half;
    weights_inverse_plain(r->in.tolerances, r->y, r->inverse_weight);
    r->roundoff = unit * vector_wrms(r->y, r->inverse_weight, r->n);
    memset(q, 0, (size_t)r->n * sizeof(double));
    for (int32_t i = 0; i < f->n_positions && r->form_is_known; i++)
        q[f->velocity[i]] = r->y[f->position[i]];
    r->roundoff_of_positions = unit * vector_wrms(q, r->inverse_weight, r->n);
}

static daedal_status prepare(rattle *r)
{
    weigh(r);
    if (!r->form_is_known)
        RETURN_UNLESS_OK(rattle_check_form(r));
    weigh(r);
    if (r->pace.h == 0.0)
        choose_size(r);
    r->h = r->pace.h;
    return DAEDAL_OK;
}

static newton_outcome attempt(rattle *r, const step_attempts *a)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    memcpy(r->y_new, r->y, bytes);
    memcpy(r->yp_new, r->yp, bytes);
    newton_outcome outcome = rattle_compose(r, r->t, a->t_new - r->t, r->y_new, r->yp_new);
    if (outcome == NEWTON_DONE &&
        !bounds_keep(r->in.ev->sys, r->y_new, r->inverse_weight, r->residual))
        outcome = NEWTON_SLOW;
    return outcome;
}

static void accept(rattle *r, const step_attempts *a)
{
    size_t bytes = (size_t)r->n * sizeof(double);
    memcpy(r->y_before, r->y, bytes);
    memcpy(r->yp_before, r->yp, bytes);
    memcpy(r->y, r->y_new, bytes);
    memcpy(r->yp, r->yp_new, bytes);
    r->t_before = r->t;
    r->t = a->t_new;
    r->h_last = r->t - r->t_before;
    r->h = r->pace.h;
    r->steps_done++;
    r->worst = vector_largest_weighted(r->yp, r->inverse_weight, r->n);
    step_attempts_count_step(
        &r->in, (step_attempts_success){r->h_last, r->h, r->plan->order, r->plan->order, r->worst});
    test_size(r);
}

daedal_status rattle_step(void *self, double t_limit)
{
    rattle *r = self;
    RETURN_UNLESS_OK(prepare(r));
    step_attempts a = step_attempts_begin(&r->in, r->t, t_limit, &r->h, r->steps_done == 0);
    for (;;) {
        TRY(step_attempts_next(&a));
        newton_outcome outcome = attempt(r, &a);
        if (outcome == NEWTON_DONE) {
            accept(r, &a);
            return DAEDAL_OK;
        }
        RETURN_UNLESS_OK(step_attempts_note_newton(&a, outcome, NULL, NULL));
        r->is_ready = false;
        r->h *= 0.5;
    }
}
