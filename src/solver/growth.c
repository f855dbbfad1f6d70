/* solver/growth.c - see growth.h.
 *
 * Near a pole y = C/(t* - t)^p the rate y'/y is p/(t* - t), near a fold y = y* + C sqrt(t* - t) the
 * rate y' is proportional to 1/sqrt(t* - t), at a cusp to (t* - t)^(-2/3).  So rate^(-1/q) is a
 * straight line in t that reaches zero at t*, with q = 1 for a pole and less otherwise.  Steps
 * shrink with the distance from t*, so that the last of them lie at distances of many sizes; the
 * lines are fitted with relative errors and the best of them decides.           */
#include "solver/growth.h"

#include <math.h>
#include <stddef.h>

#include "linalg/vector.h"

static const double GROWN = 30.0;   /* factor of the rate over the steps that are used       */
static const double FITS = 0.25;    /* root mean square of the relative errors of a fit      */
static const double NEAR = 0.3;     /* t* lies ahead by no more than this share of the steps */
static const double WEAKEST = 1e-3; /* power of a pole: with less the variable hardly changes */
enum { LEAST_STEPS = 5 };

void growth_forget(growth_history *g)
{
    g->count = 0;
    g->longest_step = 0.0;
}

/* Steps from the newest one, k = 0, backwards. */
static const growth_entry *entry_back(const growth_history *g, int32_t k)
{
    return &g->entry[(g->count - 1 - k) % GROWTH_STEPS];
}

/* Stay with the variable of the step before, if it changes nearly as fast as the fastest one. */
static void keep_variable(const growth_point *at, int32_t last, double *rate, int32_t *j)
{
    const double nearly = 0.5;
    double of_last = fabs(at->yp[last]) / (at->rtol[last] * fabs(at->y[last]) + at->atol[last]);
    if (of_last >= nearly * *rate) {
        *rate = of_last;
        *j = last;
    }
}

void growth_note(growth_history *g, const growth_point *at)
{
    const double alike = 1.25, fading = 0.97; /* of rates; of the longest step, per step */
    int32_t j = -1;
    double rate = vector_largest_rate(at->y, at->yp, at->rtol, at->atol, at->n, &j);
    if (j < 0)
        return;
    if (g->count > 0) {
        g->longest_step = larger_of(fading * g->longest_step, fabs(at->t - entry_back(g, 0)->t));
        keep_variable(at, entry_back(g, 0)->variable, &rate, &j);
    }
    if (g->count > 1) { /* the newest entry is replaced while the one before it is alike */
        const growth_entry *before = entry_back(g, 1);
        if (before->variable == j && rate < alike * before->rate && before->rate < alike * rate)
            g->count--;
    }
    g->entry[g->count++ % GROWTH_STEPS] = (growth_entry){at->t, rate, at->y[j], at->yp[j], j};
}

/* Steps first .. first + m - 1, over which the rate of one variable grew, in one direction, but by
 * no more than a given factor.                                                     */
typedef struct growth_window {
    const growth_history *of;
    int32_t first, m;
} growth_window;

static growth_window growing_from(const growth_history *g, int32_t first, double span)
{
    int32_t kept = g->count < GROWTH_STEPS ? (int32_t)g->count : GROWTH_STEPS, k = first;
    const growth_entry *newest = entry_back(g, first);
    double next = newest->rate;
    for (; k < kept; k++) {
        const growth_entry *e = entry_back(g, k);
        bool same = e->variable == newest->variable && e->yp * newest->yp > 0.0;
        if (!same || !isfinite(e->rate) || e->rate > 1.05 * next || e->rate * span < newest->rate)
            break;
        next = e->rate;
    }
    return (growth_window){g, first, k - first};
}

typedef struct fitted_line {
    double error; /* root mean square, relative                       */
    double ahead; /* the zero of the line, from the first step of the window */
    double slope;
} fitted_line;

/* rate^(-1/q) = a + b tau, tau = t - t_first, by least squares of relative errors. */
static fitted_line fit(const growth_window *w, double q)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, r0 = 0.0, r1 = 0.0, sum = 0.0;
    const growth_entry *first = entry_back(w->of, w->first);
    for (int32_t k = 0; k < w->m; k++) {
        const growth_entry *e = entry_back(w->of, w->first + k);
        double u = pow(e->rate / first->rate, 1.0 / q), x = (e->t - first->t) * u;
        s0 += u * u;
        s1 += u * x;
        s2 += x * x;
        r0 += u;
        r1 += x;
    }
    double det = s0 * s2 - s1 * s1, a = (r0 * s2 - r1 * s1) / det, b = (s0 * r1 - s1 * r0) / det;
    for (int32_t k = 0; k < w->m; k++) {
        const growth_entry *e = entry_back(w->of, w->first + k);
        double u = pow(e->rate / first->rate, 1.0 / q), d = u * (a + b * (e->t - first->t)) - 1.0;
        sum += d * d;
    }
    return (fitted_line){sqrt(sum / w->m), -a / b, b};
}

/* Whether the variable went where its derivatives say, by far more than its tolerance: noise of
 * values over ever shorter steps looks like ever larger derivatives.            */
static bool has_moved(const growth_window *w)
{
    const double tolerances = 30.0, share = 0.3;
    const growth_entry *newest = entry_back(w->of, w->first);
    double path = 0.0, gone = fabs(newest->y - entry_back(w->of, w->first + w->m - 1)->y);
    for (int32_t k = 0; k + 1 < w->m; k++) {
        const growth_entry *e = entry_back(w->of, w->first + k);
        double h = fabs(e->t - entry_back(w->of, w->first + k + 1)->t);
        path += h * fmin(fabs(e->yp), fabs(entry_back(w->of, w->first + k + 1)->yp));
    }
    return gone * newest->rate > tolerances * fabs(newest->yp) && gone > share * path;
}

/* The kind of growth over a window that reaches to the newest step but for a few tiny ones. */
static bool judge_window(const growth_window *w, const double *rtol, growth_answer *answer)
{
    static const double powers[] = {1.0, 2.0 / 3.0, 0.5};
    const growth_entry *first = entry_back(w->of, w->first),
                       *oldest = entry_back(w->of, w->first + w->m - 1);
    double best = FITS, covered = fabs(first->t - oldest->t);
    bool reaches = fabs(entry_back(w->of, 0)->t - first->t) <= NEAR * covered;
    if (!reaches || first->rate < GROWN * oldest->rate || !has_moved(w))
        return false;
    for (size_t k = 0; k < sizeof powers / sizeof *powers; k++) {
        fitted_line f = fit(w, powers[k]);
        double power = rtol[first->variable] * first->rate / fabs(f.slope);
        bool is_flat = k == 0 && power < WEAKEST;
        if (!(f.error < best) || !(fabs(f.ahead) <= NEAR * covered) || is_flat)
            continue;
        best = f.error;
        *answer = (growth_answer){.kind = k == 0 ? GROWTH_POLE : GROWTH_FOLD,
                                  .t_limit = first->t + f.ahead,
                                  .power = power,
                                  .variable = first->variable,
                                  .outwards = first->y * first->yp > 0.0 &&
                                              fabs(first->y) > fabs(oldest->y)};
    }
    return best < FITS;
}

/* In the last steps, whose size is that of roundoff, rates are random.  A logarithm looks like a
 * pole over short stretches only, and the size of y changes over long ones. */
growth_answer growth_judge(const growth_history *g, const double *rtol)
{
    static const double spans[] = {1e4, 1e3, 1e2}; /* of the rate: older steps do not count */
    growth_answer answer = {GROWTH_ORDINARY, NAN, NAN, -1, false};
    int32_t kept = g->count < GROWTH_STEPS ? (int32_t)g->count : GROWTH_STEPS;
    for (int32_t first = 0; first + LEAST_STEPS <= kept; first++)
        for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
            growth_window w = growing_from(g, first, spans[k]);
            if (w.m >= LEAST_STEPS && judge_window(&w, rtol, &answer))
                return answer;
        }
    return answer;
}
