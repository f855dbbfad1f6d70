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
#include "integ/troubles.h"
#include "linalg/vector.h"

enum { EXCUSE_AFTER = 4, EXCUSED_STEPS = 50 };

static void weigh(bdf *b);
static bool learn_from_trial(bdf *b);
static void excuse(bdf *b, const troubles *seen);
static double fit_step(const bdf *b, double t_limit);
static void set_coefficients(bdf *b);
static void predict(bdf *b);
static newton_outcome correct(bdf *b, double t_new);
static void note_noise(bdf *b);
static daedal_status project(bdf *b, double t_new, bool *far);
static void accept(bdf *b, double t_new);
static daedal_status retreat_from_error(bdf *b, troubles *seen);
static daedal_status retreat_from_constraints(bdf *b, troubles *seen);
static daedal_status retreat_from_newton(bdf *b, newton_outcome why, troubles *seen);
static troubles_place place_of(const bdf *b);

daedal_status bdf_step(void *self, double t_limit)
{
    bdf *b = self;
    troubles seen = {.newton_max = b->strategy->newton_failures_max};
    weigh(b);
    for (;;) {
        troubles_place at = place_of(b);
        TRY(troubles_respect_min_step(&seen, &at, &b->h));
        b->h = fit_step(b, t_limit);
        double left = t_limit - b->t;
        double t_new = b->h == left ? t_limit : b->t + b->h;
        at = place_of(b);
        TRY(troubles_check_step(&seen, &at));
        if (b->steps_done == 0)
            bdf_lay_first_history(b);
        set_coefficients(b);
        predict(b);
        newton_outcome outcome = correct(b, t_new);
        if (outcome != NEWTON_DONE) {
            daedal_status status = retreat_from_newton(b, outcome, &seen);
            if (status != DAEDAL_OK)
                return status;
            continue;
        }
        b->strategy->assess(b);
        if (b->on_trial && learn_from_trial(b))
            continue;
        bool far = false;
        if (b->seen.error <= 1.0)
            PASS(project(b, t_new, &far));
        if (b->seen.error <= 1.0 && !far) {
            accept(b, t_new);
            return DAEDAL_OK;
        }
        TRY(far ? retreat_from_constraints(b, &seen) : retreat_from_error(b, &seen));
    }
}

/* The error of a variable of index nu > 1 reaches the others multiplied by h^(nu-1), and roundoff
 * reaches it divided by that: it may be larger by as much ([HW96] VII.6).        */
static double share_of_index(const bdf *b, int32_t i)
{
    double share = 1.0, h = fmin(fabs(b->h), 1.0);
    for (int32_t k = 1; k < b->in.variable_index[i]; k++)
        share *= h;
    return share;
}

static void weigh(bdf *b)
{
    if (b->in.tolerances->excused && b->steps_done >= b->excused_until)
        b->in.tolerances->excused = false;
    weights_inverse(b->in.tolerances, b->y, b->inverse_weight);
    for (int32_t i = 0; i < b->n && b->has_high_index; i++)
        b->inverse_weight[i] *= share_of_index(b, i);
    if (b->error_norm != ERROR_DIFFERENTIAL)
        return;
    for (int32_t i = 0; i < b->n; i++)
        b->test_weight[i] = b->in.is_differential[i] ? b->inverse_weight[i] : 0.0;
}

/* The first step after a restart has order 1, so its error goes with h^2: take the size at
 * which it is small enough not to disturb what follows.  False: the trial is good enough.  */
static bool learn_from_trial(bdf *b)
{
    const double wanted = 1e-3;
    b->on_trial = false;
    if (b->seen.error <= wanted)
        return false;
    b->h *= fmax(sqrt(wanted / b->seen.error), 1e-12);
    b->in.stats->rejected_error++;
    return true;
}

/* Do not pass the limit, and do not leave a sliver before it. */
static double fit_step(const bdf *b, double t_limit)
{
    double left = t_limit - b->t;
    double most = b->in.options->max_step;
    double h = copysign(fmax(fabs(b->h), b->in.options->min_step), b->h);
    if (most > 0.0 && fabs(h) > most)
        h = copysign(most, h);
    if (fabs(h) * (1.0 + 1e-8) >= fabs(left))
        return left;
    return 2.0 * fabs(h) > fabs(left) ? 0.5 * left : h;
}

/* After enough steps of one size and order the coefficients repeat themselves. */
static void set_coefficients(bdf *b)
{
    bool settled = b->h == b->h_last && b->k == b->k_last && b->equal_steps > BDF_DIFFERENCES;
    if (!settled)
        bdf_grid_set(&b->grid, b->psi, b->h, b->k, b->strategy->fixed_leading);
}

/* phi*_i = beta_i phi_i;  y0 = sum phi*_i,  y0' = sum gamma_i phi*_i over i <= k+1
 * ([BCP96] after (5.2.5)); phi*_{k+2} serves the choice of order only.       */
static void predict(bdf *b)
{
    int32_t n = b->n, k = b->k;
    memcpy(b->y_pred, b->phi[0], (size_t)n * sizeof(double));
    memset(b->yp_pred, 0, (size_t)n * sizeof(double));
    b->star[0] = b->phi[0];
    for (int32_t i = 1; i < b->n_valid && i <= k + 1; i++) {
        double beta = b->grid.beta[i], gamma = b->grid.gamma[i];
        b->star[i] = b->phi[i];
        if (beta != 1.0) {
            for (int32_t j = 0; j < n; j++)
                b->scaled[i][j] = beta * b->phi[i][j];
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

/* Solve F(t, y, y0' + c (y - y0)) = 0, [BCP96] (5.2.8). */
static newton_outcome correct(bdf *b, double t_new)
{
    bool same = b->h == b->h_last && b->k == b->k_last;
    b->equal_steps = same ? b->equal_steps + 1 : 1;
    b->h_tried = b->h;
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
    int64_t factored = b->in.stats->factorizations;
    newton_outcome outcome = newton_solve(&b->newton, &st);
    if (outcome == NEWTON_DONE && b->in.stats->factorizations > factored)
        note_noise(b);
    return outcome;
}

/* The tolerance law must not ask for more digits than F has: a matrix that is new, or has
 * another c than the last one that was asked, tells.                            */
static void note_noise(bdf *b)
{
    const double safety = 3.0, far = 1.5;
    double ratio = b->in.matrix->c / b->noise_c;
    bool same = !b->newton.parts_are_new && ratio < far && ratio > 1.0 / far;
    if (!b->in.tolerances->calibrated || same)
        return;
    b->noise_c = b->in.matrix->c;
    double *noise = b->in.tolerances->noise;
    for (int32_t i = 0; i < b->n; i++)
        b->work[i] = b->noise_c * b->y_new[i]; /* what the terms of y' are made of */
    matrix_term_noise(b->in.matrix, b->y_new, b->work, noise);
    matrix_solve(b->in.matrix, noise);
    for (int32_t i = 0; i < b->n; i++)
        noise[i] = safety * fabs(noise[i]);
}

/* phi_{k+2}(n+1) = e, phi_i(n+1) = phi*_i + phi_{i+1}(n+1); one difference more than
 * the order needs is kept where it is known: phi_{k+3}(n+1) = e - phi*_{k+2}.   */
static void update_history(bdf *b, int32_t k)
{
    int32_t n = b->n;
    size_t bytes = (size_t)n * sizeof(double);
    bool one_more = b->n_valid >= k + 2;
    if (one_more)
        for (int32_t j = 0; j < n; j++)
            b->phi[k + 2][j] = b->e[j] - b->star[k + 1][j];
    memcpy(b->phi[k + 1], b->e, bytes);
    for (int32_t i = k; i >= 1; i--)
        for (int32_t j = 0; j < n; j++)
            b->phi[i][j] = b->star[i][j] + b->phi[i + 1][j];
    memcpy(b->phi[0], b->y_new, bytes);
    b->n_valid = one_more ? k + 3 : k + 2;
    memcpy(b->psi, b->grid.psi, sizeof b->psi);
}

/* Move the new point onto the constraints.  To move it is to correct it by more than Newton
 * did: e carries the change into every difference (docs/theory/index-reduction.md).  A move
 * of more than the tolerance means that the step has left the constraints' reach, unless it
 * is hardly off: then it stays where it is.                                      */
static daedal_status project(bdf *b, double t_new, bool *far)
{
    troubles_place at = place_of(b);
    troubles_move to = {.t = t_new, .y = b->work, .inverse_weight = b->inverse_weight};
    memcpy(b->work, b->y_new, (size_t)b->n * sizeof(double));
    PASS(troubles_project(&at, &to));
    *far = to.far;
    for (int32_t i = 0; i < b->n && to.changed; i++) {
        b->e[i] += b->work[i] - b->y_new[i];
        b->y_new[i] = b->work[i];
    }
    return DAEDAL_OK;
}

static void accept(bdf *b, double t_new)
{
    size_t bytes = (size_t)b->n * sizeof(double);
    int32_t k = b->k;
    double h = b->h;
    b->strategy->choose_next(b);
    update_history(b, k);
    memcpy(b->yp_before, b->yp, bytes);
    memcpy(b->y, b->y_new, bytes);
    memcpy(b->yp, b->yp_new, bytes);
    b->t_before = b->t;
    b->t = t_new;
    b->slopes_known = false;
    b->since_order = b->k == k ? b->since_order + 1 : 0;
    b->k_last = k;
    b->h_last = h;
    b->steps_done++;
    b->in.stats->steps++;
    b->in.stats->h_last = h;
    b->in.stats->h_next = b->h;
    b->in.stats->order_last = k;
    b->in.stats->order_next = b->k;
}

/* The tolerance of some variable may lie below the roundoff of F: no step passes then, or
 * only ever smaller ones.  For a while weights are at least the noise; the accuracy reached
 * is what F allows.  Not while starting: there the same signs mean a wrong start. */
static void excuse(bdf *b, const troubles *seen)
{
    bool stuck = seen->error + seen->newton >= EXCUSE_AFTER ||
                 fabs(b->h_tried) < 1e-6 * fabs(b->t - b->t_begin);
    if (!stuck || b->steps_done == 0 || b->in.tolerances->excused)
        return;
    b->in.tolerances->excused = true;
    b->excused_until = b->steps_done + EXCUSED_STEPS;
    weigh(b);
}

/* A lower order that was chosen because its error looked smaller, and fails at once, was
 * misjudged: the filter hides from the estimate what the test then sees.  Back to what worked,
 * and no such choice for a while, or the two take turns without end.             */
static bool take_back_order(bdf *b, const troubles *seen)
{
    enum { STAY = 30 };
    if (seen->error > 0 || b->steps_done == 0 || b->k >= b->k_last)
        return false;
    b->k = b->k_last;
    b->h = copysign(fmin(fabs(b->h), fabs(b->h_last)), b->h);
    b->stay = STAY;
    return true;
}

static daedal_status retreat_from_error(bdf *b, troubles *seen)
{
    /* A start whose error does not shrink with h is inconsistent or of index > 1:
     * [BCP96] section 5.3.2, conformance item C131.                             */
    enum { HOPELESS = 12 };
    b->in.stats->rejected_error++;
    b->starting = false;
    b->worst = vector_largest_weighted(b->e, b->inverse_weight, b->n);
    bool back = take_back_order(b, seen);
    if (seen->error++ == 0)
        b->first_error = b->seen.error;
    if (seen->error > HOPELESS && b->k == 1 && b->steps_done == 0 &&
        b->seen.error > 1e-3 * b->first_error) {
        troubles_place at = place_of(b);
        return troubles_inconsistent(&at);
    }
    excuse(b, seen);
    if (!back)
        bdf_retreat(b, seen->error);
    b->hold = b->k + 1;
    return DAEDAL_OK;
}

static daedal_status retreat_from_constraints(bdf *b, troubles *seen)
{
    troubles_place at = place_of(b);
    b->starting = false;
    PASS(troubles_note_constraints(seen, &at));
    b->h *= 0.5;
    b->hold = b->k + 1;
    return DAEDAL_OK;
}

static daedal_status retreat_from_newton(bdf *b, newton_outcome why, troubles *seen)
{
    troubles_place at = place_of(b);
    b->worst = vector_largest_weighted(b->newton.delta, b->inverse_weight, b->n);
    b->starting = false;
    PASS(troubles_note_newton(seen, &at, why));
    excuse(b, seen);
    b->h *= 0.25;
    b->hold = b->k + 1;
    return DAEDAL_OK;
}

static troubles_place place_of(const bdf *b)
{
    return (troubles_place){&b->in, b->t, b->h, b->h_tried, b->steps_done == 0};
}
