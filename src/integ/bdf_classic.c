/* integ/bdf_classic.c - order and step as DASSL chooses them: the baseline.
 *
 * [BCP96] section 5.2.3, (5.2.21) to (5.2.23): accept when max(alpha_{k+1}, |alpha_{k+1} + alpha_s
 * - alpha_0|) ||y - y0|| <= 1; orders by the monotonicity of T_{k-2} .. T_{k+1}, a raise only after
 * k + 1 equal steps; h only doubles or shrinks.                      */
#include <math.h>

#include "integ/bdf.h"

/* T_q = (q+1) sigma_{q+1} ||phi_{q+2}(n+1)||, [BCP96] (5.2.22). */
static void assess(bdf *b)
{
    bdf_assessment *s = &b->seen;
    const bdf_grid *g = &b->grid;
    int32_t k = b->k;
    double plain = bdf_plain_norm(b, b->e), norm = bdf_error_norm(b, b->e, plain);
    s->worst = bdf_largest_error(b, plain, norm);
    s->est = g->sigma[k] * norm;
    s->term = (k + 1) * s->est;
    s->suggested = k;
    s->error = bdf_grid_error_constant(g, k) * norm;
    if (k == 1)
        return;
    const double *lower = bdf_sum(b, b->star[k], b->e);
    s->est_lower = g->sigma[k - 1] * bdf_error_norm(b, lower, bdf_plain_norm(b, lower));
    s->term_lower = k * s->est_lower;
    double second = 0.0;
    if (k > 2) {
        const double *lowest = bdf_sum(b, b->star[k - 1], lower);
        second = (k - 1) * g->sigma[k - 2] * bdf_error_norm(b, lowest, bdf_plain_norm(b, lowest));
    }
    bool lower_it = k > 2 ? fmax(s->term_lower, second) <= s->term : s->term_lower <= 0.5 * s->term;
    if (lower_it)
        s->suggested = k - 1;
}

/* Raise or lower by the terms of the neighbouring orders; only after k + 1 steps of
 * one size, when phi_{k+2} is known on an even grid.                            */
static void consider_neighbours(bdf *b)
{
    bdf_assessment *s = &b->seen;
    int32_t k = b->k;
    if (k == b->order_max || b->pacing.equal_steps <= k + 1 || k == b->k_last + 1)
        return;
    for (int32_t j = 0; j < b->n; j++)
        b->work[j] = b->e[j] - b->star[k + 1][j];
    double est_raised = bdf_error_norm(b, b->work, bdf_plain_norm(b, b->work)) / (k + 2);
    double raised = (k + 2) * est_raised;
    if (k > 1 && s->term_lower <= fmin(s->term, raised))
        bdf_change_order(b, k - 1, s->est_lower);
    else if (raised < (k > 1 ? 1.0 : 0.5) * s->term)
        bdf_change_order(b, k + 1, est_raised);
}

static void choose_next(bdf *b)
{
    bdf_assessment *s = &b->seen;
    if (s->suggested < b->k || b->k == b->order_max)
        b->pacing.starting = false;
    if (b->pacing.starting) {
        b->k++;
        b->h *= 2.0;
        return;
    }
    if (s->suggested < b->k)
        bdf_change_order(b, b->k - 1, s->est_lower);
    else
        consider_neighbours(b);
    double r = bdf_step_factor(s->est, b->k);
    if (r >= 2.0)
        b->h *= 2.0;
    else if (r <= 1.0)
        b->h *= fmax(0.5, fmin(0.9, r));
}

const bdf_strategy bdf_strategy_classic = {
    .newton = &newton_rules_classic,
    .fixed_leading = true,
    .order_max = 5,
    .newton_failures_max = 10,
    .assess = assess,
    .choose_next = choose_next,
    .retreat_safety = 0.9,
};
