/* integ/radau_stages.c - the stage equations of one attempt.
 *
 * Simplified Newton for all stages together, (A^-1 x K/h + I x J) dZ = -F(Z), falls apart in
 * the eigenvectors of A^-1: with dZ = (T x I) dW and R = -(T^-1 x I) F,
 *     (gamma/h K + J) dW_1 = R_1
 *     ((alpha + i beta)/h K + J) (dW_2 + i dW_3) = R_2 + i R_3,  and so on
 * ([HW96] IV.8; residual form: docs/theory/radau.md).  Nothing is multiplied by h, so that
 * equations without y' keep their rows whatever the step size.                  */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integ/radau.h"
#include "integ/radau_mix.h"
#include "linalg/vector.h"

/* ---- matrices ---- */

/* One dF/dy serves the whole step.  Taken in its middle, or a little later, it differs from those
 * at the stages by half as much as if it were taken at the beginning.              */
static const double MIDWAY = 0.6;
static const double SOLVE_ACCURACY = 0.01; /* of GMRES: costs no further iteration of Newton's */

/* The last step may have been very short in order to end at a given time.  Its polynomial is not
 * extrapolated further than one step may grow. */
static bool can_extrapolate(const radau *r)
{
    const double farthest = 10.0;
    return r->steps_done > 0 && fabs(r->h) <= farthest * fabs(r->h_last);
}

/* The polynomial of the last step at t + x h, into r->point, and its slope into r->work. */
static void extrapolate(radau *r, double x)
{
    const radau_table *past = radau_table_of(r->pairs_last);
    double value[RADAU_STAGES_MAX], slope[RADAU_STAGES_MAX];
    radau_basis(past, 1.0 + x * r->h / r->h_last, value, slope);
    value[past->stages - 1] -= 1.0;
    const double *z = r->z[1 - r->now];
    radau_combine(past->stages, value, z, r->point, r->stride);
    radau_combine(past->stages, slope, z, r->work, r->stride);
    radau_add(r->stride, r->point, r->y, r->point);
    radau_scale(r->stride, 1.0 / r->h_last, r->work);
}

static int evaluate_parts(radau *r, radau_jacobian where)
{
    matrix_point at = {
        .t = r->t, .h = r->h, .y = r->y, .yp = r->yp, .inverse_weight = r->inverse_weight};
    if (where == JACOBIAN_MIDWAY) {
        extrapolate(r, MIDWAY);
        at.t = r->t + MIDWAY * r->h;
        at.y = r->point;
        at.yp = r->work;
    }
    return matrix_evaluate(r->in.matrix, &at);
}

/* The largest entry of each row of dF/dy, into r->work. */
static void measure_rows(radau *r)
{
    const daedal_pattern *p = &r->in.matrix->pattern.view;
    const double *dy = r->in.matrix->dy;
    memset(r->work, 0, (size_t)r->n * sizeof *r->work);
    double *restrict largest = r->work;
    for (int32_t q = 0; q < p->start[p->n_cols]; q++) {
        double size = fabs(dy[q]), *to = largest + p->row[q];
        *to = size > *to ? size : *to;
    }
}

/* Whether some row has grown by more than a factor of 100.  Where F contains an exponential,
 * extrapolated values may give a matrix so large that corrections and error estimates are small for
 * any residual, and Newton's iteration seems to converge anywhere.            */
static bool rows_exploded(const radau *r)
{
    const double most = 100.0;
    return space_any_grew(&r->in.ev->space, r->work, most, r->newton.row_size);
}

static newton_outcome renew_parts(radau *r)
{
    bool midway = r->newton.renewal == RENEW && can_extrapolate(r);
    int answer = DAEDAL_CALL_RETRY;
    if (midway) {
        answer = evaluate_parts(r, JACOBIAN_MIDWAY);
        measure_rows(r);
        if (answer == DAEDAL_CALL_OK && rows_exploded(r))
            answer = DAEDAL_CALL_RETRY;
    }
    r->newton.jacobian = JACOBIAN_MIDWAY;
    if (answer == DAEDAL_CALL_RETRY) {
        answer = evaluate_parts(r, JACOBIAN_HERE);
        measure_rows(r);
        r->newton.jacobian = JACOBIAN_HERE;
    }
    if (answer != DAEDAL_CALL_OK)
        return newton_outcome_of(answer);
    memcpy(r->newton.row_size, r->work, (size_t)r->n * sizeof *r->work);
    r->newton.renewal = RENEW_NOTHING;
    r->newton.renew_factors = true;
    return NEWTON_DONE;
}

/* Equidistant output times give steps that differ by roundoff. */
static const double ALIKE = 1e-6;

static void set_rates(radau *r)
{
    const radau_table *tab = radau_now(r);
    if (r->h == r->newton.h_of_inverse && r->pairs == r->newton.pairs_of_inverse)
        return;
    r->newton.h_of_inverse = r->h;
    r->newton.pairs_of_inverse = r->pairs;
    for (int32_t i = 0; i < tab->stages * tab->stages; i++)
        r->newton.a_inverse_by_h[i] = tab->a_inverse[i] / r->h;
}

static stage_shifts shifts_of(double h, int32_t pairs)
{
    const radau_table *tab = radau_table_of(pairs);
    stage_shifts shifts = {.gamma = tab->gamma / h, .n_pairs = pairs};
    for (int32_t k = 0; k < pairs; k++) {
        shifts.alpha[k] = tab->alpha[k] / h;
        shifts.beta[k] = tab->beta[k] / h;
    }
    return shifts;
}

void radau_copy_factors(radau *r)
{
    stage_shifts shifts = shifts_of(r->newton.h_factored, r->newton.pairs_factored);
    if (!isnan(r->newton.h_factored) &&
        stage_matrix_factor_pairs(&r->newton.matrices, &shifts) != DAEDAL_OK)
        r->newton.renew_factors = true;
}

static newton_outcome factor(radau *r)
{
    stage_shifts shifts = shifts_of(r->h, r->pairs);
    r->newton.h_factored = NAN;
    daedal_status status = stage_matrix_factor(&r->newton.matrices, &shifts);
    if (status != DAEDAL_OK)
        return newton_outcome_of_factoring(status);
    r->newton.renew_factors = false;
    r->newton.h_factored = r->h;
    r->newton.pairs_factored = r->pairs;
    return NEWTON_DONE;
}

newton_outcome radau_prepare(radau *r)
{
    if (r->newton.renewal != RENEW_NOTHING) {
        newton_outcome outcome = renew_parts(r);
        if (outcome != NEWTON_DONE)
            return outcome;
    }
    set_rates(r);
    bool fits = fabs(r->h - r->newton.h_factored) <= ALIKE * fabs(r->h) &&
                r->pairs == r->newton.pairs_factored;
    return r->newton.renew_factors || !fits ? factor(r) : NEWTON_DONE;
}

/* ---- the first guess ---- */

/* Guess Z_i = c_i h y', without the use of a past step. */
static void guess_from_slope(radau *r)
{
    const radau_table *tab = radau_now(r);
    for (int32_t i = 0; i < tab->stages; i++) {
        double *z = r->z[r->now] + i * r->stride, by = tab->node[i] * r->h;
        for (int32_t j = 0; j < r->n; j++)
            z[j] = r->in.is_differential[j] ? by * r->yp[j] : 0.0;
    }
}

/* Guess Z_i = 0 for variables of index above one.  They carry noise multiplied by 1/h or more,
 * which extrapolation would multiply by (h / h_last)^s.                                 */
static void drop_high_index(radau *r)
{
    const radau_table *tab = radau_now(r);
    for (int32_t i = 0; i < tab->stages; i++)
        for (int32_t j = 0; j < r->n; j++)
            if (r->in.variable_index[j] > 1)
                r->z[r->now][i * r->stride + j] = 0.0;
}

/* Z_i = u(t + c_i h) - y on the polynomial u of the last step. */
void radau_guess(radau *r)
{
    const double far = 3.5;
    const radau_table *tab = radau_now(r), *past = radau_table_of(r->pairs_last);
    if (!can_extrapolate(r)) {
        guess_from_slope(r);
        return;
    }
    const int32_t s = past->stages;
    const double *last = r->z[1 - r->now], longer = r->h / r->h_last;
    double value[RADAU_STAGES_MAX * RADAU_STAGES_MAX], *z = r->z[r->now];
    for (int32_t i = 0; i < tab->stages; i++) {
        radau_basis(past, 1.0 + tab->node[i] * longer, value + i * s, NULL);
        value[i * s + s - 1] -= 1.0;
    }
    if (tab == past)
        radau_mix(s, value, last, z, r->stride);
    for (int32_t i = 0; i < tab->stages && tab != past; i++)
        radau_combine(s, value + i * s, last, z + i * r->stride, r->stride);
    if (r->has_high_index && fabs(r->h) > far * fabs(r->h_last))
        drop_high_index(r);
}

/* ---- Newton ---- */

static const double LEAST_ETA = 1e-3; /* least estimate of theta / (1 - theta) */

/* F of all stages, into r->newton.defects. */
static int evaluate_stages(radau *r, double t_new)
{
    const radau_table *tab = radau_now(r);
    const double *z = r->z[r->now];
    radau_mix(tab->stages, r->newton.a_inverse_by_h, z, r->newton.slopes, r->stride);
    for (int32_t i = 0; i < tab->stages; i++) {
        double t = i + 1 < tab->stages ? r->t + tab->node[i] * r->h : t_new;
        radau_add(r->stride, r->y, z + i * r->stride, r->point);
        int answer = evaluator_residual(r->in.ev, t, r->point, r->newton.slopes + i * r->stride,
                                        r->newton.defects + i * r->stride);
        if (answer != DAEDAL_CALL_OK)
            return answer;
    }
    return DAEDAL_CALL_OK;
}

/* Z -= (A^-1 x K/h + I x J)^-1 F; the norm of the change. */
static double correct(radau *r)
{
    const radau_table *tab = radau_now(r);
    int32_t s = tab->stages, stride = r->stride;
    double *w = r->newton.deltas, *d = r->newton.defects;
    radau_mix(s, tab->t_inverse, d, w, stride);
    matrix_solve_to(r->in.matrix, SOLVE_ACCURACY, w);
    for (int32_t k = 0; k < r->pairs; k++)
        stage_matrix_solve_pair(&r->newton.matrices, k, r->inverse_weight, w + (2 * k + 1) * stride,
                                w + (2 * k + 2) * stride);
    radau_mix(s, tab->t, w, d, stride);
    radau_subtract(s * stride, r->z[r->now], d);
    return space_wrms_of(&r->in.ev->space, s, d, stride, r->inverse_weight);
}

/* How far the iteration has come. */
typedef struct progress {
    int32_t k;           /* corrections so far      */
    double norm, before; /* of the last two         */
    double ratio;        /* of the last two norms before */
} progress;

/* Whether the correction is no larger than roundoff in F makes it.  Called only when the iteration
 * has stopped converging, so that the solve it needs is rare. */
static bool is_roundoff(radau *r, double norm)
{
    const double safety = 3.0, units = 10.0 * DBL_EPSILON;
    const vector_space *space = &r->in.ev->space;
    double *roundoff = &r->newton.roundoff;
    if (isnan(*roundoff))
        *roundoff = units * space_wrms(space, r->y, r->inverse_weight);
    if (norm > *roundoff && !r->newton.roundoff_is_measured) {
        matrix_noise(r->in.matrix, r->y, radau_last(r, r->newton.slopes), r->work);
        *roundoff = fmax(*roundoff, safety * space_wrms(space, r->work, r->inverse_weight));
        r->newton.roundoff_is_measured = true;
    }
    return norm <= *roundoff;
}

/* Whether one correction is enough.  The rate of convergence is not known yet.  That of earlier
 * steps is used, with less confidence after every step and never below LEAST_ETA, because a small
 * ratio may be accidental or due to a linear F.    */
static bool first_is_enough(radau *r, double norm)
{
    const double stricter = 0.1;
    if (LEAST_ETA * norm > stricter * r->newton.tolerance)
        return false; /* the next correction tells the rate */
    r->newton.eta = larger_of(pow(r->newton.eta, 0.8), LEAST_ETA);
    return norm == 0.0 || r->newton.eta * norm <= stricter * r->newton.tolerance;
}

/* Check the k-th correction, k > 1.  [HW96] IV.8 (8.10), (8.11). */
static newton_outcome check_convergence(radau *r, progress *p, bool *done)
{
    const double bumpy = 2.0;
    double ratio = p->norm / p->before;
    double rate = p->k == 2 || p->ratio > 0.99 ? ratio : sqrt(ratio * p->ratio);
    p->ratio = ratio;
    r->newton.rate = rate;
    if (p->k == 2 && ratio > 0.3 && ratio < bumpy)
        return NEWTON_DONE; /* the first may be small by chance: ask again */
    if (rate < 0.99) {
        r->newton.eta = rate / (1.0 - rate);
        /* A tiny rate after a huge first correction tells how poor the first guess was.  It does
         * not tell how small the next correction will be. */
        *done = larger_of(r->newton.eta, LEAST_ETA) * p->norm <= r->newton.tolerance;
        if (*done)
            return NEWTON_DONE;
    }
    double left = RADAU_ITERATIONS_MAX - 1 - p->k;
    bool nearly =
        left >= 1.0 && r->newton.eta * p->norm * rate < r->newton.tolerance; /* after one more */
    if (rate < 0.99 && nearly)
        return NEWTON_DONE;
    double excess = r->newton.eta * p->norm * pow(rate, left) / r->newton.tolerance;
    if (rate < 0.99 && excess < 1.0)
        return NEWTON_DONE;
    if (is_roundoff(r, p->norm)) {
        *done = !(rate < 0.99) || p->k >= RADAU_ITERATIONS_MAX; /* it has settled */
        r->newton.rate = 0.0;                                   /* says nothing of the matrices */
        return NEWTON_DONE;
    }
    r->newton.step_factor = rate < 0.99 ? 0.8 * pow(fmin(20.0, excess), -1.0 / (4.0 + left)) : 0.5;
    return NEWTON_SLOW;
}

newton_outcome radau_solve(radau *r, double t_new)
{
    progress p = {0};
    bool done = false;
    r->newton.step_factor = 0.5;
    r->newton.roundoff = NAN;
    r->newton.roundoff_is_measured = false;
    for (p.k = 1; !done; p.k++) {
        int answer = evaluate_stages(r, t_new);
        if (answer != DAEDAL_CALL_OK)
            return newton_outcome_of(answer);
        p.norm = correct(r);
        r->newton.iterations = p.k;
        r->in.stats->iterations++;
        if (!(p.norm < HUGE_VAL))
            return NEWTON_SLOW;
        newton_outcome outcome = NEWTON_DONE;
        if (p.k == 1)
            done = first_is_enough(r, p.norm);
        else
            outcome = check_convergence(r, &p, &done);
        if (outcome != NEWTON_DONE)
            return outcome;
        p.before = p.norm;
    }
    return NEWTON_DONE;
}
