/* integ/radau_shorten.c - a step that ends where its interpolant is asked.
 *
 * Mesh points have order 2 s - 1, the interpolant between them s + 2: with tight tolerances
 * it is the less accurate one by far.  Where its error matters, at an output point or at an
 * event, the step is taken once more and ends there; the polynomial of the longer one is a
 * guess so good that an iteration or two suffice.                                */
#include <math.h>

#include "base/status.h"
#include "integ/radau.h"
#include "integ/radau_mix.h"
#include "linalg/vector.h"

/* What the interpolant was corrected by is the error it would have without; that it has is
 * smaller by about what is measured in docs/decisions/031-radau-output.md.  B and D pass zero
 * where the error does not: their envelopes count.                               */
double radau_interpolation_error(void *self, double t)
{
    const double what_is_left = 0.4;
    radau *r = self;
    const radau_table *tab = radau_table_of(r->pairs_last);
    double s = tab->stages, x = 1.0 + (t - r->t) / r->h_last, y = 1.0 - x;
    if (r->steps_done == 0 || !(x > 0.0 && x < 1.0))
        return 0.0;
    if (r->steps_done == 1 && r->has_algebraic)
        return HUGE_VAL; /* nothing is known of their slopes */
    radau_find_gap(r);
    double bend = fmin(radau_bend_height(tab), fmin(x, fmax(0.5 * s, 1.0) * y * y));
    double wave = fmin(radau_wave_height(tab), fmin(x, s * y));
    for (int32_t j = 0; j < r->n; j++)
        r->work[j] = r->dense.slope_gap[j] * (r->in.is_differential[j] ? bend : wave);
    return what_is_left * fabs(r->h_last) * vector_wrms(r->work, r->inverse_weight, r->n);
}

static void exchange(double *restrict a, double *restrict b, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

/* Let the run stand at the other end of the last step. */
static void turn_round(radau *r)
{
    double t = r->t;
    r->t = r->t_before;
    r->t_before = t;
    exchange(r->y, r->y_before, r->n);
    exchange(r->yp, r->yp_before, r->n);
}

/* Stages of the shorter step, on the polynomial of the longer one. */
static void guess_inside(radau *r, double share)
{
    const radau_table *tab = radau_now(r);
    for (int32_t i = 0; i < tab->stages; i++) {
        double value[RADAU_STAGES_MAX];
        radau_basis(tab, share * tab->node[i], value, NULL);
        radau_combine(tab->stages, value, r->z[1 - r->now], r->z[r->now] + i * r->stride,
                      r->stride);
    }
}

static newton_outcome solve(radau *r, double t)
{
    newton_outcome outcome = radau_prepare(r);
    if (outcome != NEWTON_DONE)
        return outcome;
    guess_inside(r, r->h / r->h_last);
    return radau_solve(r, t);
}

/* From the left end, where the run stands: to t, with new matrices if the old fail. */
static daedal_status take_again(radau *r, double t, bool *done)
{
    bool far = false;
    r->h = t - r->t;
    r->pairs = r->pairs_last;
    radau_weigh(r);
    newton_outcome outcome = solve(r, t);
    if (outcome == NEWTON_SLOW) {
        r->newton.renewal = RENEW_HERE;
        outcome = solve(r, t);
    }
    *done = false;
    if (outcome != NEWTON_DONE)
        return outcome == NEWTON_STOP ? DAEDAL_STOPPED : DAEDAL_OK;
    daedal_status status = radau_land(r, t, &far);
    *done = status == DAEDAL_OK && !far;
    return status;
}

daedal_status radau_shorten_step(void *self, double t, bool *done)
{
    radau *r = self;
    int32_t pairs = r->pairs;
    radau_renewal renewal = r->newton.renewal;
    double h = r->h, rate = r->newton.rate, eta = r->newton.eta;
    r->newton.renewal = RENEW_NOTHING;
    turn_round(r);
    daedal_status status = take_again(r, t, done);
    if (!*done)
        turn_round(r);
    r->in.stats->h_last = r->h_last;
    r->h = h; /* and what else the next step was promised */
    r->pairs = pairs;
    r->newton.renewal = renewal;
    r->newton.rate = rate;
    r->newton.eta = eta;
    r->newton.jacobian = JACOBIAN_OLD;
    return status;
}
