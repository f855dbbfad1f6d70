/* integ/radau_shorten.c - a step that ends at an event.
 *
 * The root of an event function is found on the interpolant; where that is not accurate enough
 * (radau_substeps.c) the step is taken once more and ends there.  The polynomial of the longer step
 * is a guess so good that an iteration or two suffice.                           */
#include <math.h>

#include "base/status.h"
#include "integ/radau.h"
#include "integ/radau_mix.h"
#include "linalg/vector.h"

static void exchange(double *restrict a, double *restrict b, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

void radau_turn_round(radau *r)
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

/* Step from the left end, where the run stands, to t; with new matrices if the old ones fail. */
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
    radau_turn_round(r);
    daedal_status status = take_again(r, t, done);
    if (!*done)
        radau_turn_round(r);
    r->in.stats->h_last = r->h_last;
    r->h = h; /* and what else the next step was promised */
    r->pairs = pairs;
    r->newton.renewal = renewal;
    r->newton.rate = rate;
    r->newton.eta = eta;
    r->newton.jacobian = JACOBIAN_OLD;
    return status;
}
