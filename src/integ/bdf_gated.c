/* integ/bdf_gated.c - the default strategy: variable coefficients, orders 1 to 6, and
 * an error norm whose filter is gated by smoothness.
 *
 * The strategy of DASSL has a weakness.  Where an algebraic relation of high gain determines a
 * variable, the differences of the error estimate amplify the noise of the corrector, and
 * with a fixed leading coefficient no reduction of h helps.  If the terms of the error expansion
 * do not decrease, the solution counts as rough, and the filtered norm removes this noise.  If
 * they decrease, it is smooth, and at least half of the plain norm counts, because it is useful
 * that stiff components shorten the steps of slow phases.  Measurements and sources are in
 * docs/theory/bdf.md.                                                           */
#include <math.h>

#include "integ/bdf.h"

static const double GATE_ROUGH = 0.1, GATE_SMOOTH = 0.5;
static const double SMOOTH = 0.5; /* T_k < SMOOTH T_{k-1} */
static const double SHARE_SAFETY = 0.5;
enum { LOOK_AGAIN = 5 };
static const double GROW_AT = 1.5, GROW_SAFETY = 0.9, GROW_MAX = 2.0;

/* The step grows when 2 E + 1e-4 falls below this: GROW_AT^-(k+1). */
static double grow_below(int32_t k)
{
    double limit = 1.0;
    for (int32_t i = 0; i <= k; i++)
        limit /= GROW_AT;
    return limit;
}

/* The share of the plain norm that the chosen norm cannot fall below. */
static double least_of_plain(const bdf *b)
{
    switch (b->error_norm) {
    case ERROR_GATED:
        return b->seen.gate;
    case ERROR_FILTERED:
        return 0.0;
    default:
        return 1.0;
    }
}

/* The norm this step is judged in: filtered, or plain where the filter does not matter. */
static double norm_of(bdf *b, const double *v, double plain)
{
    return b->seen.filtered ? bdf_error_norm(b, v, plain) : plain;
}

/* Whether a lower order suffices, by T_{k-1} and T_{k-2}; the filter is applied to them only
 * while the answer may still be yes.                                            */
static void look_below(bdf *b, const double *lower, double plain_lower)
{
    bdf_assessment *s = &b->seen;
    const bdf_grid *g = &b->grid;
    int32_t k = b->k;
    double least = s->filtered ? least_of_plain(b) : 1.0;
    s->term_lower = least * k * g->sigma[k - 1] * plain_lower;
    if (k == 1 || s->term_lower > s->term)
        return;
    s->est_lower = g->sigma[k - 1] * norm_of(b, lower, plain_lower);
    s->term_lower = k * s->est_lower;
    if (s->term_lower > (k == 2 ? 0.5 : 1.0) * s->term)
        return;
    double second = 0.0, factor = (k - 1) * g->sigma[k > 2 ? k - 2 : 0];
    if (k > 2) {
        const double *lowest = bdf_sum(b, b->star[k - 1], lower);
        double plain = bdf_plain_norm(b, lowest);
        second = factor * least * plain;
        if (second <= s->term)
            second = factor * norm_of(b, lowest, plain);
    }
    if (second <= s->term)
        s->suggested = k - 1;
}

/* The share of the plain norm that the filtered one probably exceeds: about the last one that was
 * computed, if that was not long ago.                                           */
static double least_share(const bdf *b)
{
    bool known = b->pacing.since_filter < LOOK_AGAIN;
    return known ? fmax(least_of_plain(b), SHARE_SAFETY * b->pacing.filter_share)
                 : least_of_plain(b);
}

/* Whether variables without y' hold a part of the norm of y - y0.  In the others the filter only
 * hides what is stiff: it would cost a solve, and hardly ever lengthens a step.     */
static bool algebraic_count(const bdf *b, double plain)
{
    const double nearly_all = 0.9;
    return space_wrms_where(&b->in.ev->space, b->e, b->inverse_weight, b->in.is_differential) <
           nearly_all * plain;
}

/* In small systems solves cost little, and the filter helps to find the order. */
static bool can_do_without(const bdf *b)
{
    enum { LARGE = 100 };
    return space_size(&b->in.ev->space) >= LARGE && b->error_norm == ERROR_GATED &&
           b->is_semi_explicit;
}

/* Whether any decision depends on where the filtered norm lies below the plain one.  None does if
 * the step passes, and would neither grow nor shrink, either way.               */
static bool filter_matters(const bdf *b, double plain)
{
    const bdf_grid *g = &b->grid;
    int32_t k = b->k;
    if (can_do_without(b) && !algebraic_count(b, plain))
        return false;
    if (b->pacing.starting || g->alpha[k] / g->leading * plain > 1.0)
        return true;
    double most = 2.0 * g->sigma[k] * plain + BDF_ESTIMATE_FLOOR;
    double least = 2.0 * least_share(b) * g->sigma[k] * plain + BDF_ESTIMATE_FLOOR;
    return most >= 1.0 || least <= grow_below(k);
}

/* The norm of y - y0.  The share of it that the filter leaves is remembered. */
static double measure(bdf *b, double plain)
{
    b->pacing.since_filter++;
    double norm = b->seen.filtered ? bdf_error_norm(b, b->e, plain) : plain;
    b->seen.worst = bdf_largest_error(b, plain, norm);
    if (!b->seen.filtered)
        return plain;
    b->pacing.filter_share = plain > 0.0 ? norm / plain : 1.0;
    b->pacing.since_filter = 0;
    return norm;
}

/* The error in units of y (the local error of the corrector is alpha_{k+1}/(h c) times
 * y - y0), while the estimates for the step choice stay in units of h y': the
 * choice aims two to five times below the limit.                                */
static void assess(bdf *b)
{
    bdf_assessment *s = &b->seen;
    const bdf_grid *g = &b->grid;
    int32_t k = b->k;
    double plain = bdf_plain_norm(b, b->e);
    const double *lower = bdf_sum(b, b->star[k], b->e);
    double plain_lower = bdf_plain_norm(b, lower);
    s->term_lower = k * g->sigma[k - 1] * plain_lower;
    s->est_lower = g->sigma[k - 1] * plain_lower;
    bool rough = !((k + 1) * g->sigma[k] * plain < SMOOTH * s->term_lower);
    s->gate = rough ? GATE_ROUGH : GATE_SMOOTH;
    s->filtered = filter_matters(b, plain);
    double norm = measure(b, plain);
    s->error = g->alpha[k] / g->leading * norm;
    s->est = g->sigma[k] * norm;
    s->term = (k + 1) * s->est;
    s->suggested = k;
    if (rough)
        look_below(b, lower, plain_lower);
}

/* The Shampine-Gordon rule: raise only while the terms fall monotonically.  Steps
 * need not be equal: phi_{k+3}(n+1) = e - phi*_{k+2} holds on any grid.         */
static void consider_neighbours(bdf *b, int32_t limit)
{
    bdf_assessment *s = &b->seen;
    int32_t k = b->k;
    if (k >= limit || b->history.n_valid < k + 2 || b->pacing.since_order < k)
        return;
    for (int32_t j = 0; j < b->n; j++)
        b->work[j] = b->e[j] - b->star[k + 1][j];
    double plain = bdf_plain_norm(b, b->work);
    double sigma = b->grid.sigma[k + 1];
    double least = s->filtered ? least_of_plain(b) * plain : plain;
    if ((k + 2) * sigma * least >= s->term) /* then no norm can favour a raise */
        return;
    double est_raised = sigma * norm_of(b, b->work, plain);
    double raised = (k + 2) * est_raised;
    if (k > 1 && b->pacing.no_order_fall == 0 && s->term_lower <= fmin(s->term, raised))
        bdf_change_order(b, k - 1, s->est_lower);
    else if (raised < (k > 1 ? 1.0 : 0.5) * s->term)
        bdf_change_order(b, k + 1, est_raised);
}

static void change_step(bdf *b, bool may_grow)
{
    double doubled = 2.0 * b->seen.est + BDF_ESTIMATE_FLOOR;
    if (doubled >= 1.0)
        b->h *= fmax(0.5, fmin(0.9, bdf_step_factor(b->seen.est, b->k)));
    else if (may_grow && doubled <= grow_below(b->k))
        b->h *= fmin(GROW_SAFETY * bdf_step_factor(b->seen.est, b->k), GROW_MAX);
}

static void choose_next(bdf *b)
{
    bdf_assessment *s = &b->seen;
    int32_t limit = bdf_probe_order_limit(b);
    if (b->pacing.no_order_fall > 0) {
        b->pacing.no_order_fall--;
        s->suggested = b->k;
    }
    if (s->suggested < b->k || b->k >= b->order_max)
        b->pacing.starting = false;
    if (b->pacing.starting) {
        b->k++;
        b->h *= 2.0;
        return;
    }
    bool may_grow = b->pacing.no_growth == 0;
    if (b->pacing.no_growth > 0)
        b->pacing.no_growth--;
    if (s->suggested < b->k || b->k > limit) {
        may_grow = may_grow && b->k <= limit;
        bdf_change_order(b, b->k - 1, s->est_lower);
    } else {
        consider_neighbours(b, limit);
    }
    change_step(b, may_grow);
}

const bdf_strategy bdf_strategy_gated = {
    .newton = &newton_rules_thrifty,
    .fixed_leading = false,
    .order_max = BDF_ORDER_MAX,
    .newton_failures_max = 12,
    .assess = assess,
    .choose_next = choose_next,
    .retreat_safety = 0.8,
};
