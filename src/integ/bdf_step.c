/* integ/bdf_step.c - one accepted step from t_n to t_n + h, at order k.
 *
 * The body of bdf_step is the outline of the method; the stages follow in the order
 * they are called.  Nothing of the last state is touched before acceptance, so a
 * failed attempt needs no restoring.  [BCP96] chapter 5.                        */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "integ/bdf.h"
#include "integ/step_attempts.h"
#include "linalg/vector.h"
#include "newton/missing_entries.h"

static void weigh(bdf *b);
static newton_outcome attempt(bdf *b, double t_new);
static bool learn_from_trial(bdf *b);
static daedal_status project(bdf *b, double t_new, bool *far);
static void accept(bdf *b, const step_attempts *a);
static daedal_status retreat_from_newton(bdf *b, step_attempts *a, newton_outcome why);
static daedal_status retreat_from_error(bdf *b, step_attempts *a);
static daedal_status retreat_from_constraints(bdf *b, step_attempts *a);

daedal_status bdf_step(void *self, double t_limit)
{
    bdf *b = self;
    step_attempts a = {.in = &b->in,
                       .rules = {b->strategy->newton_failures_max, {.stretch = 1e-8, .ahead = 2.0}},
                       .t = b->t,
                       .t_limit = t_limit,
                       .h = &b->h,
                       .first = b->steps_done == 0};
    weigh(b);
    for (;;) {
        TRY(step_attempts_next(&a));
        newton_outcome outcome = attempt(b, a.t_new);
        if (outcome != NEWTON_DONE) {
            RETURN_UNLESS_OK(retreat_from_newton(b, &a, outcome));
            continue;
        }
        b->strategy->assess(b);
        if (b->pacing.on_trial && learn_from_trial(b))
            continue;
        if (!(b->seen.error <= 1.0)) {
            RETURN_UNLESS_OK(retreat_from_error(b, &a));
            continue;
        }
        bool far = false;
        RETURN_UNLESS_OK(project(b, a.t_new, &far));
        if (!far) {
            accept(b, &a);
            return DAEDAL_OK;
        }
        RETURN_UNLESS_OK(retreat_from_constraints(b, &a));
    }
}

static void weigh(bdf *b)
{
    if (b->in.tolerances->allows_noise && b->steps_done >= b->noise.allowed_until)
        b->in.tolerances->allows_noise = false;
    weights_inverse(b->in.tolerances, b->y, b->inverse_weight);
    if (b->has_high_index)
        weights_spare_high_index(b->in.tolerances, b->in.variable_index, b->h, b->inverse_weight);
    if (b->error_norm != ERROR_DIFFERENTIAL)
        return;
    for (int32_t i = 0; i < b->n; i++)
        b->test_weight[i] = b->in.is_differential[i] ? b->inverse_weight[i] : 0.0;
}

/* ---- one attempt ---- */

/* After enough steps of one size and order the coefficients repeat themselves. */
static void set_coefficients(bdf *b)
{
    bool settled =
        b->h == b->h_last && b->k == b->k_last && b->pacing.equal_steps > BDF_DIFFERENCES;
    if (!settled)
        bdf_grid_set(&b->grid, b->history.psi, b->h, b->k, b->strategy->fixed_leading);
}

/* phi*_i = beta_i phi_i;  y0 = sum phi*_i,  y0' = sum gamma_i phi*_i over i <= k+1
 * ([BCP96] after (5.2.5)); phi*_{k+2} serves the choice of order only.       */
static void predict(bdf *b)
{
    int32_t n = b->n, k = b->k;
    memcpy(b->y_pred, b->history.phi[0], (size_t)n * sizeof(double));
    memset(b->yp_pred, 0, (size_t)n * sizeof(double));
    b->star[0] = b->history.phi[0];
    for (int32_t i = 1; i < b->history.n_valid && i <= k + 1; i++) {
        double beta = b->grid.beta[i], gamma = b->grid.gamma[i];
        b->star[i] = b->history.phi[i];
        if (beta != 1.0) {
            for (int32_t j = 0; j < n; j++)
                b->scaled[i][j] = beta * b->history.phi[i][j];
            b->star[i] = b->scaled[i];
        }
        const double *star = b->star[i];
        if (i <= k)
            for (int32_t j = 0; j < n; j++) {
                b->y_pred[j] += star[j];
                b->yp_pred[j] += gamma * star[j];
            }
    }
}

/* Estimate the noise in F, so that the tolerance law does not ask for more digits than F has.  This
 * is done again for a new matrix and for a different c.                            */
static void note_noise(bdf *b)
{
    const double safety = 3.0, far = 1.5;
    double ratio = b->in.matrix->c / b->noise.c;
    bool same = !b->newton.parts_are_new && ratio < far && ratio > 1.0 / far;
    if (!b->in.tolerances->calibrated || same)
        return;
    b->noise.c = b->in.matrix->c;
    double *noise = b->in.tolerances->noise;
    for (int32_t i = 0; i < b->n; i++)
        b->work[i] = b->noise.c * b->y_new[i]; /* what the terms of y' are made of */
    matrix_noise(b->in.matrix, b->y_new, b->work, noise);
    for (int32_t i = 0; i < b->n; i++)
        noise[i] = safety * fabs(noise[i]);
}

/* Solve F(t, y, y0' + c (y - y0)) = 0, [BCP96] (5.2.8). */
static newton_outcome correct(bdf *b, double t_new)
{
    bool same = b->h == b->h_last && b->k == b->k_last;
    b->pacing.equal_steps = same ? b->pacing.equal_steps + 1 : 1;
    newton_step st = {.t = t_new,
                      .h = b->h,
                      .c = b->grid.c,
                      .y_pred = b->y_pred,
                      .yp_pred = b->yp_pred,
                      .inverse_weight = b->inverse_weight,
                      .noise = b->in.tolerances->noise,
                      .y = b->y_new,
                      .yp = b->yp_new,
                      .e = b->e};
    int64_t factored = b->in.stats->factorizations + b->in.stats->preconditioner_setups;
    newton_outcome outcome = newton_solve(&b->newton, &st);
    if (outcome == NEWTON_DONE &&
        b->in.stats->factorizations + b->in.stats->preconditioner_setups > factored)
        note_noise(b);
    return outcome;
}

/* Compute y_new, yp_new and e, by which they differ from the prediction, from the differences. */
static newton_outcome attempt(bdf *b, double t_new)
{
    if (b->steps_done == 0)
        bdf_lay_first_history(b);
    set_coefficients(b);
    predict(b);
    return correct(b, t_new);
}

/* The first step after a restart has order 1, so that its error is proportional to h^2.  Choose the
 * size at which this error does not disturb the following steps.  The answer is false if the trial
 * was good enough. */
static bool learn_from_trial(bdf *b)
{
    const double wanted = 1e-3, least = 1e-12; /* an error; a part of the trial */
    b->pacing.on_trial = false;
    if (b->seen.error <= wanted)
        return false;
    b->h *= fmax(sqrt(wanted / b->seen.error), least);
    b->in.stats->rejected_error++;
    if (b->in.limiters)
        limiters_count(b->in.limiters, b->in.limiters->rejected_error, b->seen.worst);
    return true;
}

/* ---- success ---- */

/* phi_{k+2}(n+1) = e, phi_i(n+1) = phi*_i + phi_{i+1}(n+1); one difference more than
 * the order needs is kept where it is known: phi_{k+3}(n+1) = e - phi*_{k+2}.   */
static void update_history(bdf *b, int32_t k)
{
    int32_t n = b->n;
    size_t bytes = (size_t)n * sizeof(double);
    bool one_more = b->history.n_valid >= k + 2;
    if (one_more)
        for (int32_t j = 0; j < n; j++)
            b->history.phi[k + 2][j] = b->e[j] - b->star[k + 1][j];
    memcpy(b->history.phi[k + 1], b->e, bytes);
    for (int32_t i = k; i >= 1; i--)
        for (int32_t j = 0; j < n; j++)
            b->history.phi[i][j] = b->star[i][j] + b->history.phi[i + 1][j];
    memcpy(b->history.phi[0], b->y_new, bytes);
    b->history.n_valid = one_more ? k + 3 : k + 2;
    memcpy(b->history.psi, b->grid.psi, sizeof b->history.psi);
}

/* Move the new point onto the constraints.  The move continues Newton's correction, and e
 * carries it into every difference (docs/theory/index-reduction.md).  If it would exceed the
 * tolerance, the step has gone too far from the constraints, unless the point violates them only
 * slightly; then it is left where it is.                                         */
static daedal_status project(bdf *b, double t_new, bool *far)
{
    if (b->in.constraints->n_levels == 0)
        return DAEDAL_OK;
    step_attempts_move to = {.t = t_new, .y = b->work, .inverse_weight = b->inverse_weight};
    memcpy(b->work, b->y_new, (size_t)b->n * sizeof(double));
    RETURN_UNLESS_OK(step_attempts_project(&b->in, &to));
    *far = to.far;
    for (int32_t i = 0; i < b->n && to.changed; i++) {
        b->e[i] += b->work[i] - b->y_new[i];
        b->y_new[i] = b->work[i];
    }
    return DAEDAL_OK;
}

static void accept(bdf *b, const step_attempts *a)
{
    size_t bytes = (size_t)b->n * sizeof(double);
    int32_t k = b->k;
    double h = b->h;
    if (step_attempts_any_failed(a))
        b->pacing.no_growth = k + 1;
    b->strategy->choose_next(b);
    update_history(b, k);
    memcpy(b->yp_before, b->yp, bytes);
    memcpy(b->y, b->y_new, bytes);
    memcpy(b->yp, b->yp_new, bytes);
    b->t_before = b->t;
    b->t = a->t_new;
    b->dense.slopes_known = false;
    b->pacing.since_order = b->k == k ? b->pacing.since_order + 1 : 0;
    b->k_last = k;
    b->h_last = h;
    b->steps_done++;
    step_attempts_count_step(&b->in, (step_attempts_success){h, b->h, k, b->k, b->seen.worst});
}

/* ---- failures ---- */

/* The tolerance of some variable may lie below the roundoff of F.  No step is accepted then, or
 * only smaller and smaller ones.  For a while the error weights are raised to the noise, so that
 * the run has the accuracy that F allows.  This is not done while starting, where the same failures
 * tell of a wrong start. */
static void excuse(bdf *b, const step_attempts *a)
{
    enum { EXCUSE_AFTER = 4, NOISE_ALLOWED_STEPS = 50 };
    const double tiny = 1e-6; /* a step, of the time since the beginning */
    bool stuck =
        a->error + a->newton >= EXCUSE_AFTER || fabs(a->h_tried) < tiny * fabs(b->t - b->t_begin);
    if (!stuck || a->first || b->in.tolerances->allows_noise)
        return;
    b->in.tolerances->allows_noise = true;
    b->noise.allowed_until = b->steps_done + NOISE_ALLOWED_STEPS;
    weigh(b);
}

/* A lower order was chosen because its estimated error was smaller, and its first step fails: the
 * filter has hidden from the estimate what the error test sees.  The former order is
 * taken again, and may not be lowered for a while, since the two would alternate without end. */
static bool take_back_order(bdf *b, const step_attempts *a)
{
    enum { STAY = 30 };
    if (a->error > 0 || a->first || b->k >= b->k_last)
        return false;
    b->k = b->k_last;
    b->h = copysign(fmin(fabs(b->h), fabs(b->h_last)), b->h);
    b->pacing.no_order_fall = STAY;
    return true;
}

static daedal_status retreat_from_newton(bdf *b, step_attempts *a, newton_outcome why)
{
    b->worst = space_largest_weighted(&b->in.ev->space, b->newton.delta, b->inverse_weight);
    matrix_point reached = {a->t_new, b->h, b->y_new, b->yp_new, NULL, b->inverse_weight};
    if (why == NEWTON_SLOW && missing_entries_look(b->in.matrix, &reached))
        return DAEDAL_STOPPED; /* the Jacobian lacks entries there */
    RETURN_UNLESS_OK(step_attempts_note_newton(a, why, b->newton.delta, b->inverse_weight));
    b->pacing.starting = false;
    excuse(b, a);
    b->h *= 0.25;
    return DAEDAL_OK;
}

static daedal_status retreat_from_error(bdf *b, step_attempts *a)
{
    b->pacing.starting = false;
    b->worst = space_largest_weighted(&b->in.ev->space, b->e, b->inverse_weight);
    bool back = take_back_order(b, a);
    RETURN_UNLESS_OK(step_attempts_note_error(a, b->seen.error, b->seen.worst));
    excuse(b, a);
    if (!back)
        b->h *= bdf_retreat(b, a->error);
    return DAEDAL_OK;
}

static daedal_status retreat_from_constraints(bdf *b, step_attempts *a)
{
    b->pacing.starting = false;
    return step_attempts_note_constraints(a);
}

void bdf_add_defect(const void *self, double *slope)
{
    const bdf *b = self;
    const bdf_history *of = &b->history;
    int32_t k = b->k_last;
    if (k == 0)
        return;
    double first = -1.0 / of->psi[k];
    double second = of->n_valid >= k + 3 ? first * of->psi[k] / of->psi[k + 1] : 0.0;
    for (int32_t j = 0; j < b->n; j++)
        slope[j] += first * of->phi[k + 1][j];
    for (int32_t j = 0; j < b->n && second != 0.0; j++)
        slope[j] += second * of->phi[k + 2][j];
}
