/* integ/bdf_probe.c - detect steps that are limited by stability instead of accuracy.
 *
 * Eigenvalues near the imaginary axis make the BDF formulas of order >= 3 unstable at
 * steps that accuracy alone would allow.  This shows when order 2 would allow nearly the same
 * step as order k.  The order is then limited to 2 for a while, and the limit stays if the
 * step grows.                                                                   */
#include <math.h>

#include "integ/bdf.h"

enum { FIRST_WINDOW = 60, TRIAL = 200, STAY = 2000, LOOK_EVERY = 8, PROBE_ORDER = 2 };

void bdf_probe_reset(bdf_probe *p)
{
    *p = (bdf_probe){.window = FIRST_WINDOW};
}

/* Whether order 2 could take at least half of this step, by 2 sigma_3 ||phi_4(n+1)||. */
static bool order_two_would_do(bdf *b)
{
    const double *v = b->e; /* phi_{k+2}(n+1) */
    for (int32_t i = b->k; i >= 3; i--)
        v = bdf_sum(b, b->star[i], v);
    double est = b->grid.sigma[2] * bdf_error_norm(b, v, bdf_plain_norm(b, v));
    return 2.0 * est + 1e-6 <= 8.0; /* (2 E + 1e-6)^(-1/3) >= 1/2 */
}

static void watch(bdf *b)
{
    bdf_probe *p = &b->pacing.probe;
    if (p->in_window == 0)
        p->h_window = fabs(b->h);
    p->in_window++;
    if (b->k >= 3 && p->in_window % LOOK_EVERY == 0)
        p->hits += order_two_would_do(b);
    if (p->in_window < p->window)
        return;
    bool held = p->hits * 10 > 7 * (p->window / LOOK_EVERY) && fabs(b->h) < 2.0 * p->h_window;
    if (held) {
        p->active = true;
        p->h_free = fabs(b->h);
        p->in_probe = 0;
    }
    p->in_window = p->hits = 0;
}

static void try_out(bdf *b)
{
    bdf_probe *p = &b->pacing.probe;
    p->in_probe++;
    double h = fabs(b->h);
    bool failed = h < 0.2 * p->h_free || (p->in_probe == TRIAL && h < 1.5 * p->h_free);
    if (failed && p->window < INT32_MAX / 2)
        p->window *= 2;
    if (failed || p->in_probe >= STAY)
        p->active = false;
}

int32_t bdf_probe_order_limit(bdf *b)
{
    if (b->pacing.starting || b->order_max <= PROBE_ORDER)
        return b->order_max;
    if (b->pacing.probe.active)
        try_out(b);
    else
        watch(b);
    return b->pacing.probe.active ? PROBE_ORDER : b->order_max;
}
