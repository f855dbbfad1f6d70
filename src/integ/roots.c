/* integ/roots.c - see roots.h.
 *
 * A stretch of time is looked at in panels.  In each the functions are sampled at five Chebyshev
 * points, and if these leave something open (integ/chebyshev_panel.h), at nine; if these do too,
 * the left half becomes the panel.  Panels grow again where five points suffice.  So g is looked at
 * as closely as it varies, however long the step is, and a dip between two points of one sign, or
 * the way of a function that begins at zero, is seen on the polynomial and checked on g.
 *
 * The first root of a bracket is found by the Illinois method on the function whose secant
 * reaches zero first, safeguarded by bisection, until the bracket is as narrow as roundoff allows
 * or as the option says; the root reported is its right end, where every function that fired has
 * already taken its new sign.                                                     */
#include "integ/roots.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "integ/chebyshev_panel.h"

/* The largest and the smallest number of panels that one stretch may take.  The number is halved
 * after a stretch that needed more, and doubled after others. */
enum { PATIENCE_MOST = 512, PATIENCE_LEAST = 16 };

static void lay_out(void *object, layout *l)
{
    roots *r = object;
    size_t m = (size_t)r->n_events, n = (size_t)r->n;
    r->sign = layout_take(l, m, sizeof(int32_t));
    r->fired = layout_take(l, m, sizeof(int32_t));
    r->record = layout_take(l, m, sizeof(roots_record));
    r->remainder = layout_take(l, m, sizeof(double));
    r->spent = layout_take(l, m, sizeof(bool));
    r->size = layout_take(l, m, sizeof(double));
    r->slope = layout_take(l, m, sizeof(double));
    r->ahead = layout_take(l, m, sizeof(double));
    r->left = layout_take(l, m, sizeof(double));
    r->mid = layout_take(l, m, sizeof(double));
    r->right = layout_take(l, m, sizeof(double));
    r->g_seen = layout_take(l, m, sizeof(double));
    r->sign_kept = layout_take(l, m, sizeof(int32_t));
    r->size_kept = layout_take(l, m, sizeof(double));
    r->slope_kept = layout_take(l, m, sizeof(double));
    r->g_kept = layout_take(l, m, sizeof(double));
    r->sampled = layout_take(l, m * (CHEBYSHEV_FINE + 1), sizeof(double));
    r->sign_first = layout_take(l, m, sizeof(int32_t));
    r->calm = layout_take(l, m, sizeof(bool));
    r->y = layout_take(l, n, sizeof(double));
    r->yp = layout_take(l, n, sizeof(double));
}

bool roots_create(roots *r, const roots_setup *setup)
{
    *r = (roots){.of = setup->of,
                 .n = setup->n,
                 .n_events = setup->n_events,
                 .samples = setup->samples,
                 .patience = PATIENCE_MOST,
                 .resolution = setup->resolution,
                 .direction = setup->direction};
    return block_create(&r->mem, setup->allocator, lay_out, r);
}

void roots_free(roots *r)
{
    block_free(&r->mem);
}

void roots_copy(roots *r, const roots *from)
{
    r->t_seen = from->t_seen;
    r->t_before = from->t_before;
    r->t_kept = from->t_kept;
    r->width = from->width;
    r->patience = from->patience;
    block_copy(&r->mem, &from->mem);
}

static int32_t sign_of(double g)
{
    return (g > 0.0) - (g < 0.0);
}

static int evaluate(roots *r, const roots_curve *curve, double t, double *g)
{
    curve->values(curve->self, t, r->y, r->yp);
    return r->of.call(r->of.self, t, r->y, r->yp, g);
}

/* The direction of the event of function i, if its sign changes from `sign` to that of g; or 0. */
static int32_t event_at(const roots *r, int32_t i, int32_t sign, double g)
{
    if (sign == 0 || sign_of(g) == sign)
        return 0;
    bool wanted = !r->direction || r->direction[i] == 0 || r->direction[i] == -sign;
    return wanted ? -sign : 0;
}

/* Share of the size of g by which consistent values may move it; more is a new value of g. */
static const double MOVED_MOST = 1e-6;

/* Whether the value g of function i, which has just fired, is a remainder of its root.  Roundoff
 * is small against what the function has been.  A sign that it has taken back may be meant, if it
 * is as large as the bands of relations (hybrid/relations.c, 1e-10 of their operands).  */
static bool is_spent(const roots *r, int32_t i, double g)
{
    const double leftover = 1e-10, taken_back = 2e-11;
    double share = sign_of(g) == -r->fired[i] ? taken_back : leftover;
    return fabs(g) <= fmax(share * r->size[i], 2.0 * r->remainder[i]);
}

int roots_look(roots *r, double t, const double *y, const double *yp)
{
    int answer = r->of.call(r->of.self, t, y, yp, r->mid);
    for (int32_t i = 0; i < r->n_events && answer == DAEDAL_CALL_OK; i++)
        if (r->fired[i] && fabs(r->mid[i]) > MOVED_MOST * r->size[i])
            answer = DAEDAL_CALL_RETRY;
    return answer;
}

int roots_show(roots *r, double t, const double *y, const double *yp)
{
    int answer = r->of.call(r->of.self, t, y, yp, r->mid);
    for (int32_t i = 0; i < r->n_events && answer == DAEDAL_CALL_OK; i++)
        r->remainder[i] = r->fired[i] ? fabs(r->mid[i]) : 0.0;
    return answer;
}

int roots_give(roots *r, double t, const double *y, const double *yp)
{
    int answer = r->of.call(r->of.self, t, y, yp, r->mid);
    for (int32_t i = 0; i < r->n_events && answer == DAEDAL_CALL_OK; i++)
        r->spent[i] = r->fired[i] && is_spent(r, i, r->mid[i]);
    return answer;
}

int roots_begin(roots *r, double t, const double *y, const double *yp, bool after_event)
{
    int answer = r->of.call(r->of.self, t, y, yp, r->mid);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    for (int32_t i = 0; i < r->n_events; i++) {
        bool same = r->mid[i] == r->g_seen[i] && t == r->t_seen; /* as at the root */
        r->g_seen[i] = r->mid[i];
        bool near = fabs(r->g_seen[i]) <= MOVED_MOST * r->size[i];
        bool spent =
            (r->spent[i] && near) || (r->fired[i] && (same || is_spent(r, i, r->g_seen[i])));
        r->sign[i] = after_event && spent ? 0 : sign_of(r->g_seen[i]);
        r->fired[i] = 0;
        r->spent[i] = false;
        r->remainder[i] = r->slope[i] = 0.0;
        r->size[i] = fabs(r->g_seen[i]);
    }
    r->t_seen = t;
    return DAEDAL_CALL_OK;
}

/* Remember the signs and values at t. */
static void see(roots *r, double t, const double *g)
{
    for (int32_t i = 0; i < r->n_events; i++) {
        r->sign[i] = sign_of(g[i]);
        r->size[i] = fmax(r->size[i], fabs(g[i]));
        r->slope[i] = r->sign[i] ? 0.0 : r->slope[i];
    }
    memmove(r->g_seen, g, (size_t)r->n_events * sizeof *g);
    r->t_seen = t;
}

static bool any_event(const roots *r, const double *g)
{
    for (int32_t i = 0; i < r->n_events; i++)
        if (event_at(r, i, r->sign[i], g[i]))
            return true;
    return false;
}

int roots_fire_at(roots *r, double t, const double *y, const double *yp, bool *fires)
{
    int answer = r->of.call(r->of.self, t, y, yp, r->mid);
    *fires = answer == DAEDAL_CALL_OK && any_event(r, r->mid);
    return answer;
}

int roots_pass(roots *r, double t, const double *y, const double *yp, bool *fires)
{
    int answer = roots_fire_at(r, t, y, yp, fires);
    if (answer == DAEDAL_CALL_OK && !*fires)
        see(r, t, r->mid);
    return answer;
}

/* The function whose secant over [a, b] reaches zero first; the share of the way. */
static double first_secant(const roots *r)
{
    double share = 1.0;
    for (int32_t i = 0; i < r->n_events; i++)
        if (event_at(r, i, r->sign[i], r->right[i]) && r->left[i] != r->right[i])
            share = fmin(share, r->left[i] / (r->left[i] - r->right[i]));
    return share;
}

/* The Illinois rule: an end that has stayed twice in a row counts half as much. */
typedef struct pull {
    double left, right;
    int32_t last; /* the end that moved last: -1 left, +1 right */
} pull;

static void pull_after(pull *p, int32_t moved)
{
    double *stayed = moved > 0 ? &p->left : &p->right;
    *stayed = p->last == moved ? 0.5 * *stayed : 1.0;
    *(moved > 0 ? &p->right : &p->left) = 1.0;
    p->last = moved;
}

/* The least width that a bracket around [a, b] can or need have. */
static double least_width(const roots *r, double a, double b)
{
    return fmax(2.0 * DBL_EPSILON * fmax(fabs(a), fabs(b)), r->resolution);
}

/* The next point to evaluate in [a, b], not too near to either end. */
static double next_guess(const roots *r, const pull *p, double a, double b, bool bisect)
{
    double share = first_secant(r), width = b - a;
    double least = fmin(least_width(r, a, b), 0.5 * fabs(width));
    double pulled = share * p->left / (share * p->left + (1.0 - share) * p->right);
    if (bisect || isnan(pulled))
        pulled = 0.5;
    double t = a + width * pulled;
    if (fabs(t - a) < least)
        t = a + copysign(least, width);
    return fabs(b - t) < least ? b - copysign(least, width) : t;
}

/* Narrow [a, b], with r->left and r->right its values, to roundoff. */
static int narrow(roots *r, const roots_curve *curve, double a, double *b)
{
    enum { ROUNDS_MAX = 400, PATIENCE = 3 }; /* rounds in which the bracket must halve */
    size_t bytes = (size_t)r->n_events * sizeof(double);
    pull p = {1.0, 1.0, 0};
    double width = fabs(*b - a);
    for (int round = 1; round < ROUNDS_MAX; round++) {
        if (fabs(*b - a) <= least_width(r, a, *b))
            break;
        bool bisect = round % PATIENCE == 0 && fabs(*b - a) > 0.5 * width;
        if (round % PATIENCE == 0)
            width = fabs(*b - a);
        double t = next_guess(r, &p, a, *b, bisect);
        if (t == a || t == *b)
            break;
        int answer = evaluate(r, curve, t, r->mid);
        if (answer != DAEDAL_CALL_OK)
            return answer;
        bool passed = any_event(r, r->mid);
        pull_after(&p, passed ? 1 : -1);
        memcpy(passed ? r->right : r->left, r->mid, bytes);
        if (passed) {
            *b = t;
        } else {
            a = t;
            see(r, t, r->mid);
        }
    }
    r->t_before = a;
    return DAEDAL_CALL_OK;
}

/* A function that is exactly zero at the root gets the sign that it has just behind it.  Otherwise
 * its departure from zero would be taken for a second root before the next sample. */
static int look_behind_zero(roots *r, const roots_curve *curve, double t_root, double t_right)
{
    bool any = false;
    for (int32_t i = 0; i < r->n_events; i++)
        any = any || (r->fired[i] && r->right[i] == 0.0);
    const double little = 1e-6; /* of the way to the next sample */
    double t = t_root + little * (t_right - t_root);
    if (!any || t == t_root)
        return DAEDAL_CALL_OK;
    int answer = evaluate(r, curve, t, r->mid);
    for (int32_t i = 0; i < r->n_events && answer == DAEDAL_CALL_OK; i++)
        if (r->fired[i] && r->right[i] == 0.0)
            r->sign[i] = sign_of(r->mid[i]);
    return answer;
}

/* A change between t_seen and t_right (values g): find the first one exactly. */
static int locate(roots *r, const roots_curve *curve, double t_right, const double *g,
                  double *t_root)
{
    size_t bytes = (size_t)r->n_events * sizeof *g;
    memcpy(r->left, r->g_seen, bytes);
    memmove(r->right, g, bytes);
    *t_root = t_right;
    int answer = narrow(r, curve, r->t_seen, t_root);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    for (int32_t i = 0; i < r->n_events; i++)
        r->fired[i] = event_at(r, i, r->sign[i], r->right[i]);
    see(r, *t_root, r->right);
    return look_behind_zero(r, curve, *t_root, t_right);
}

/* ---- valleys ---- */

/* Vertex of the parabola through three values at distances 0, 1, 2; in [0, 2], else -1. */
static double valley(double g0, double g1, double g2)
{
    double bend = g0 - 2.0 * g1 + g2, slope = 0.5 * (g2 - g0);
    if (bend == 0.0 || sign_of(bend) != sign_of(g1))
        return -1.0;
    double at = 1.0 - slope / bend;
    double lowest = g1 - 0.5 * slope * slope / bend;
    double least = fmin(fmin(fabs(g0), fabs(g1)), fabs(g2));
    bool near_zero = sign_of(lowest) != sign_of(g1) || fabs(lowest) < 0.5 * least;
    return at > 0.0 && at < 2.0 && near_zero ? at : -1.0;
}

/* Three values of one function around a valley. */
typedef struct triple {
    double t0, d; /* at t0, t0 + d, t0 + 2 d */
    double g[3];
} triple;

/* Values of function i at the ends of a triple around t, where it is g; inside [low, high]. */
static int surround(roots *r, const roots_curve *curve, int32_t i, double t, triple *v)
{
    v->t0 = t - v->d;
    v->g[1] = r->mid[i];
    int answer = evaluate(r, curve, v->t0, r->mid);
    v->g[0] = r->mid[i];
    if (answer == DAEDAL_CALL_OK)
        answer = evaluate(r, curve, t + v->d, r->mid);
    v->g[2] = r->mid[i];
    return answer;
}

/* Follow the minimum of |g_i| down from *t, where it is r->mid, within `reach` to both sides; *met
 * if a point with another sign turns up: its time in *t, all values there in r->mid.  */
static int descend(roots *r, const roots_curve *curve, int32_t i, double reach, double *t,
                   bool *met)
{
    enum { ROUNDS_MAX = 12 };
    int32_t sign = sign_of(r->mid[i]);
    double low = *t - reach, high = *t + reach;
    triple v = {.d = 0.5 * reach};
    *met = false;
    for (int round = 0; round < ROUNDS_MAX && !*met; round++, v.d *= 0.25) {
        int answer = surround(r, curve, i, *t, &v);
        double at = valley(v.g[0], v.g[1], v.g[2]);
        if (answer != DAEDAL_CALL_OK || at < 0.0)
            return answer;
        *t = fmin(fmax(v.t0 + at * v.d, fmin(low, high) + fabs(v.d)), fmax(low, high) - fabs(v.d));
        answer = evaluate(r, curve, *t, r->mid);
        if (answer != DAEDAL_CALL_OK)
            return answer;
        *met = sign_of(r->mid[i]) != sign;
    }
    return DAEDAL_CALL_OK;
}

/* ---- functions that return to zero ---- */

/* Whether a function is about to leave zero: then it is sampled closely. */
static bool leaves_zero(const roots *r)
{
    for (int32_t i = 0; i < r->n_events; i++)
        if (r->sign[i] == 0)
            return true;
    return false;
}

/* Evaluate the functions a little later, with y continued along its slope. */
static int call_ahead(roots *r, double t, const double *y, const double *yp, double by, double *g)
{
    for (int32_t j = 0; j < r->n; j++)
        r->y[j] = y[j] + by * yp[j];
    return r->of.call(r->of.self, t + by, r->y, yp, g);
}

/* Find the functions whose slopes are known.  Those that depend on algebraic variables or on y'
 * are left out, because the slopes of these are not known. r->calm marks the others. */
static int find_slow(roots *r, double t, const double *y, const double *yp,
                     const bool *is_differential)
{
    const double share = 0x1p-10, little = 0x1p-20;
    for (int32_t j = 0; j < r->n; j++) {
        r->y[j] = is_differential[j] ? y[j] : y[j] + share * fabs(y[j]) + little;
        r->yp[j] = yp[j] + share * fabs(yp[j]) + little;
    }
    int answer = r->of.call(r->of.self, t, r->y, r->yp, r->left);
    for (int32_t i = 0; i < r->n_events; i++)
        r->calm[i] = r->sign[i] == 0 && r->left[i] == r->g_seen[i];
    return answer;
}

/* The slope by three differences if they agree, else 0. */
static double agreed_slope(double whole, double half, double quarter, double by)
{
    const double alike = 0.1;
    double a = whole, b = 2.0 * half, c = 4.0 * quarter;
    bool agree = fabs(a - b) <= alike * fabs(a) && fabs(b - c) <= alike * fabs(a);
    return agree ? c / fabs(by) : 0.0;
}

void roots_note_slopes(roots *r, double t, const double *y, const double *yp,
                       const bool *is_differential, double reach)
{
    enum { SIZES = 12 };
    const double shorter = 0.125, alike = 0.2;
    if (!leaves_zero(r) || find_slow(r, t, y, yp, is_differential) != DAEDAL_CALL_OK)
        return;
    memset(r->ahead, 0, (size_t)r->n_events * sizeof(double));
    for (int k = 0; k < SIZES; k++, reach *= shorter) {
        bool open = false;
        if (call_ahead(r, t, y, yp, reach, r->left) != DAEDAL_CALL_OK ||
            call_ahead(r, t, y, yp, 0.5 * reach, r->mid) != DAEDAL_CALL_OK ||
            call_ahead(r, t, y, yp, 0.25 * reach, r->right) != DAEDAL_CALL_OK)
            continue;
        for (int32_t i = 0; i < r->n_events; i++) {
            double g = r->g_seen[i], last = r->ahead[i]; /* of the reach before */
            if (!r->calm[i] || r->slope[i] != 0.0)
                continue;
            double slope = agreed_slope(r->left[i] - g, r->mid[i] - g, r->right[i] - g, reach);
            r->slope[i] = fabs(slope - last) <= alike * fabs(slope) ? slope : 0.0;
            r->ahead[i] = slope;
            open = open || r->slope[i] == 0.0;
        }
        if (!open)
            return;
    }
}

/* A function that has left zero along its slope and has returned since, as the values g show; or
 * -1. */
static int32_t find_returned(const roots *r, const double *g)
{
    for (int32_t i = 0; i < r->n_events; i++)
        if (r->sign[i] == 0 && r->slope[i] != 0.0 &&
            event_at(r, i, sign_of(r->slope[i]), g[i]) == sign_of(g[i]) && g[i] != 0.0)
            return i;
    return -1;
}

/* Whether function i goes on at t in the direction in which it left zero. */
static bool still_leaves(roots *r, const roots_curve *curve, int32_t i, double t, double by)
{
    if (evaluate(r, curve, t, r->right) != DAEDAL_CALL_OK)
        return false;
    for (int32_t j = 0; j < r->n; j++)
        r->y[j] += by * r->yp[j];
    return r->of.call(r->of.self, t + by, r->y, r->yp, r->mid) == DAEDAL_CALL_OK &&
           sign_of(r->mid[i] - r->right[i]) == sign_of(r->slope[i]);
}

/* Between t_seen and *t, where its value is g, function i has left zero and returned.  A parabola
 * with its slope at zero and the value g tells where it is largest.  If it has its sign there,
 * *seen is true, *t is that time and the values are in r->mid.  Otherwise the excursion is lost in
 * roundoff, and *t is where it ends. */
static int find_excursion(roots *r, const roots_curve *curve, int32_t i, double g, double *t,
                          bool *seen)
{
    enum { ROUNDS_MAX = 40 };
    const double ahead = 1e-3; /* of the way */
    double way = *t - r->t_seen, length = fabs(way), slope = r->slope[i];
    double noise = 64.0 * DBL_EPSILON * fabs(g) + fabs(r->g_seen[i]), end = length;
    double least = 2.0 * least_width(r, r->t_seen, *t);
    *seen = false;
    for (int k = 0; k < ROUNDS_MAX && length > least; k++) {
        end = slope * length * length / (slope * length - g);
        *t = r->t_seen + copysign(0.5 * end, way);
        int answer = evaluate(r, curve, *t, r->mid);
        *seen = answer == DAEDAL_CALL_OK && sign_of(r->mid[i]) == sign_of(slope);
        if (answer != DAEDAL_CALL_OK || *seen)
            return answer;
        g = r->mid[i];
        if (fabs(g) <= noise)
            break;
        length = 0.5 * end;
    }
    for (end = fmax(end, least); 2.0 * end < fabs(way); end *= 2.0)
        if (!still_leaves(r, curve, i, r->t_seen + copysign(end, way), ahead * way))
            break;
    *t = r->t_seen + copysign(fmin(end, fabs(way)), way); /* not behind what was searched */
    return DAEDAL_CALL_OK;
}

/* Function i fires at t, whatever its value is there. */
static int fire_return(roots *r, const roots_curve *curve, int32_t i, double t)
{
    int32_t back = -sign_of(r->slope[i]);
    int answer = evaluate(r, curve, t, r->right);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    for (int32_t k = 0; k < r->n_events; k++)
        r->fired[k] = k == i ? back : event_at(r, k, r->sign[k], r->right[k]);
    r->t_before = r->t_seen;
    see(r, t, r->right);
    r->sign[i] = back;
    r->slope[i] = 0.0;
    return DAEDAL_CALL_OK;
}

/* ---- panels ---- */

/* A panel of the stretch that is searched, its values at the fine points in r->sampled; those of
 * the coarse ones are every other one.                                           */
typedef struct look {
    const roots_curve *curve;
    double a, b; /* from, to                            */
    int32_t degree;
    double least; /* no panel is halved to less          */
    double limit; /* no panel passes this time: a sample behind the panels before has fired there */
    bool may_widen; /* the next panel may have twice the width */
} look;

static double *values_at(const roots *r, const look *on, int32_t k)
{
    size_t slot = (size_t)(k * (CHEBYSHEV_FINE / on->degree));
    return r->sampled + slot * (size_t)r->n_events;
}

static double time_of(const look *on, int32_t k)
{
    return k == on->degree ? on->b : on->a + (on->b - on->a) * chebyshev_place(on->degree, k);
}

static void fit(const roots *r, const look *on, int32_t i, chebyshev_panel *p)
{
    chebyshev_fit(p, on->degree, r->sampled + i, CHEBYSHEV_FINE / on->degree * r->n_events);
}

/* Sample points first, first + stride, ... inside the panel. */
static int sample(roots *r, const look *on, int32_t first, int32_t stride)
{
    int answer = DAEDAL_CALL_OK;
    for (int32_t k = first; k < on->degree && answer == DAEDAL_CALL_OK; k += stride)
        answer = evaluate(r, on->curve, time_of(on, k), values_at(r, on, k));
    return answer;
}

/* The sign of function i at point k, as far as it has been seen there. */
static int32_t sign_at(const roots *r, const look *on, int32_t i, int32_t k)
{
    return k == 0 ? r->sign_first[i] : sign_of(values_at(r, on, k)[i]);
}

/* Whether a function fires between points k - 1 and k. */
static bool fires_before(const roots *r, const look *on, int32_t k)
{
    for (int32_t i = 0; i < r->n_events; i++)
        if (event_at(r, i, sign_at(r, on, i, k - 1), values_at(r, on, k)[i]))
            return true;
    return false;
}

/* The first point before which a function fires, or the last point.  What follows it need not be
 * known. */
static int32_t first_change(const roots *r, const look *on)
{
    int32_t k = 1;
    while (k < on->degree && !fires_before(r, on, k))
        k++;
    return k;
}

/* List the functions that need more samples; mostly there are none.  Whether the next panel may be
 * wider depends on all of them. */
static void find_calm(roots *r, look *on)
{
    on->may_widen = true;
    for (int32_t i = 0; i < r->n_events; i++) {
        chebyshev_panel p;
        fit(r, on, i, &p);
        r->calm[i] = chebyshev_keeps_sign(&p);
        on->may_widen = on->may_widen && chebyshev_may_widen(&p);
    }
}

/* Whether the points of the panel leave a function undecided. */
static bool is_open(roots *r, look *on)
{
    int32_t last = first_change(r, on);
    find_calm(r, on);
    for (int32_t i = 0; i < r->n_events; i++) {
        chebyshev_panel p;
        double at;
        if (r->calm[i])
            continue;
        fit(r, on, i, &p);
        for (int32_t k = 0; k < last; k++)
            if (chebyshev_between(&p, k, sign_at(r, on, i, k), &at) == CHEBYSHEV_OPEN)
                return true;
    }
    return false;
}

/* The first place after t_seen, between points k and k + 1, where a function may dip, and which. */
static double next_dip(const roots *r, const look *on, int32_t k, int32_t *which)
{
    double t_first = on->b;
    *which = -1;
    for (int32_t i = 0; i < r->n_events; i++) {
        chebyshev_panel p;
        double at, length = on->b - on->a;
        if (r->calm[i])
            continue;
        fit(r, on, i, &p);
        if (chebyshev_between(&p, k, sign_at(r, on, i, k), &at) == CHEBYSHEV_CLEAR || at < 0.0)
            continue;
        double t = on->a + length * at;
        if ((t - r->t_seen) * length > 0.0 && (t_first - t) * length > 0.0) {
            t_first = t;
            *which = i;
        }
    }
    return t_first;
}

/* Evaluate g near *t, where the polynomial of function i turns between points k and k + 1, into
 * r->mid.  If there is a dip, *t moves to it. */
static int sound(roots *r, const look *on, int32_t k, int32_t i, double *t)
{
    int answer = evaluate(r, on->curve, *t, r->mid);
    int32_t left = sign_at(r, on, i, k), right = sign_of(values_at(r, on, k + 1)[i]);
    bool dips = left == 0 || left == right, met = sign_of(r->mid[i]) != right;
    if (answer != DAEDAL_CALL_OK || !dips || met)
        return answer;
    double turned = *t, reach = fmin(fabs(*t - r->t_seen), fabs(time_of(on, k + 1) - *t));
    answer = descend(r, on->curve, i, copysign(reach, on->b - on->a), t, &met);
    if (answer != DAEDAL_CALL_OK || met)
        return answer;
    *t = turned;
    return evaluate(r, on->curve, *t, r->mid);
}

/* Whether there is an event between t_seen and t, where the functions are g.  If not, t_seen is
 * advanced to t. */
static int come_plainly_to(roots *r, const look *on, double t, const double *g, bool *found,
                           double *t_root)
{
    *found = any_event(r, g);
    if (*found)
        return locate(r, on->curve, t, g, t_root);
    see(r, t, g);
    return DAEDAL_CALL_OK;
}

/* Do the same if functions may have left zero and returned in between. */
static int come_to(roots *r, const look *on, double t, const double *g, bool *found, double *t_root)
{
    int32_t i = find_returned(r, g);
    if (i < 0)
        return come_plainly_to(r, on, t, g, found, t_root);
    double t_top = t;
    bool seen;
    memcpy(r->ahead, g, (size_t)r->n_events * sizeof *g);
    int answer = find_excursion(r, on->curve, i, g[i], &t_top, &seen);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    if (seen) {
        answer = come_plainly_to(r, on, t_top, r->mid, found, t_root);
        return answer != DAEDAL_CALL_OK || *found ? answer
                                                  : come_to(r, on, t, r->ahead, found, t_root);
    }
    *found = true;
    *t_root = t_top;
    return fire_return(r, on->curve, i, t_top);
}

/* Look for events between points k and k + 1. */
static int look_between(roots *r, const look *on, int32_t k, bool *found, double *t_root)
{
    for (;;) {
        int32_t i;
        double t = next_dip(r, on, k, &i);
        if (i < 0)
            break;
        int answer = sound(r, on, k, i, &t);
        if (answer == DAEDAL_CALL_OK)
            answer = come_to(r, on, t, r->mid, found, t_root);
        if (answer != DAEDAL_CALL_OK || *found)
            return answer;
    }
    return come_to(r, on, time_of(on, k + 1), values_at(r, on, k + 1), found, t_root);
}

/* Go through the panel in order of time. */
static int look_through(roots *r, const look *on, bool *found, double *t_root)
{
    int answer = DAEDAL_CALL_OK;
    for (int32_t k = 0; k < on->degree && answer == DAEDAL_CALL_OK && !*found; k++)
        answer = look_between(r, on, k, found, t_root);
    return answer;
}

/* Make the left half the panel.  Its last point has been evaluated; the other points of a narrower
 * panel are new.  The first point at which a function has fired becomes the end of a panel. */
static int halve(roots *r, look *on)
{
    int32_t change = first_change(r, on), half = on->degree / 2;
    int32_t last = change < half ? change : half;
    double t = time_of(on, last);
    if (fires_before(r, on, change))
        on->limit = time_of(on, change);
    memcpy(r->sampled + (size_t)CHEBYSHEV_FINE * (size_t)r->n_events, values_at(r, on, last),
           (size_t)r->n_events * sizeof(double));
    on->b = t;
    on->degree = CHEBYSHEV_COARSE;
    return sample(r, on, 1, 1);
}

/* Evaluate points of the panel and of smaller ones until nothing is open or the allowed number is
 * used up. */
static int resolve(roots *r, look *on, int32_t *left)
{
    int answer = sample(r, on, 1, 1);
    while (answer == DAEDAL_CALL_OK && is_open(r, on)) {
        bool coarse = on->degree == CHEBYSHEV_COARSE;
        if (!coarse && (*left <= 0 || fabs(on->b - on->a) < 2.0 * on->least))
            break;
        if (coarse) {
            on->degree = CHEBYSHEV_FINE;
            answer = sample(r, on, 1, 2);
        } else {
            --*left;
            answer = halve(r, on);
            r->width = fabs(on->b - on->a);
        }
    }
    return answer;
}

/* Open the panel that begins at t_seen. */
static int open_panel(roots *r, look *on, double t_end, double widest)
{
    size_t m = (size_t)r->n_events;
    double width = r->width > 0.0 ? fmin(widest, r->width) : widest;
    width = fmax(width, 16.0 * least_width(r, r->t_seen, t_end)); /* that of far shorter steps */
    on->a = r->t_seen;
    if ((on->limit - on->a) * (t_end - on->a) <= 0.0)
        on->limit = t_end;
    on->b =
        1.2 * width < fabs(on->limit - on->a) ? on->a + copysign(width, t_end - on->a) : on->limit;
    on->degree = CHEBYSHEV_COARSE;
    memcpy(r->sampled, r->g_seen, m * sizeof *r->sampled);
    memcpy(r->sign_first, r->sign, m * sizeof *r->sign);
    return evaluate(r, on->curve, on->b, values_at(r, on, on->degree));
}

/* Whether only silent functions have fired.  Their marks are removed. */
static bool is_silent(roots *r)
{
    int32_t n = r->n_events - r->n_silent;
    bool silent = true;
    for (int32_t i = 0; i < r->n_events; i++)
        if (i >= n)
            r->fired[i] = 0;
        else
            silent = silent && r->fired[i] == 0;
    return silent;
}

/* Look at the end of the stretch only, as an option may ask. */
static int look_at_end(roots *r, const roots_curve *curve, double t_end, bool *found,
                       double *t_root)
{
    int answer = DAEDAL_CALL_OK;
    while (answer == DAEDAL_CALL_OK && r->t_seen != t_end && !*found) {
        answer = evaluate(r, curve, t_end, r->sampled);
        *found = answer == DAEDAL_CALL_OK && any_event(r, r->sampled);
        if (*found)
            answer = locate(r, curve, t_end, r->sampled, t_root);
        else
            see(r, t_end, r->sampled);
        *found = *found && !is_silent(r);
    }
    return answer;
}

/* Adapt the number of panels that the next stretch may take, so that functions which cannot be
 * resolved do not cost as many again. */
static void learn(roots *r, int32_t left)
{
    int32_t next = left > 0 ? 2 * r->patience : r->patience / 2;
    r->patience = next > PATIENCE_MOST    ? PATIENCE_MOST
                  : next < PATIENCE_LEAST ? PATIENCE_LEAST
                                          : next;
}

static bool is_noise(const roots *r, const double *g, const double *scale)
{
    const double roundoff = 16.0 * DBL_EPSILON;
    for (int32_t i = 0; i < r->n_events; i++)
        if (r->fired[i] && fabs(g[i]) <= roundoff * scale[i])
            return true;
    return false;
}

int roots_leave_noise(roots *r, const roots_curve *curve, const double *scale, double step,
                      double *t)
{
    enum { ROUNDS_MAX = 12 };
    int answer = evaluate(r, curve, *t, r->mid);
    for (int k = 0; k < ROUNDS_MAX && answer == DAEDAL_CALL_OK && is_noise(r, r->mid, scale); k++) {
        *t += step;
        step *= 2.0;
        answer = evaluate(r, curve, *t, r->mid);
    }
    return answer;
}

void roots_keep(roots *r)
{
    size_t m = (size_t)r->n_events;
    memcpy(r->sign_kept, r->sign, m * sizeof *r->sign);
    memcpy(r->size_kept, r->size, m * sizeof *r->size);
    memcpy(r->slope_kept, r->slope, m * sizeof *r->slope);
    memcpy(r->g_kept, r->g_seen, m * sizeof *r->g_seen);
    r->t_kept = r->t_seen;
}

void roots_go_back(roots *r)
{
    size_t m = (size_t)r->n_events;
    memcpy(r->sign, r->sign_kept, m * sizeof *r->sign);
    memcpy(r->size, r->size_kept, m * sizeof *r->size);
    memcpy(r->slope, r->slope_kept, m * sizeof *r->slope);
    memcpy(r->g_seen, r->g_kept, m * sizeof *r->g_seen);
    memset(r->fired, 0, m * sizeof *r->fired);
    r->t_seen = r->t_kept;
}

int roots_scan(roots *r, const roots_curve *curve, double t_end, bool *found, double *t_root)
{
    const double least = 0x1p-12, least_at_zero = 0x1p-24; /* panels, of the stretch */
    double length = fabs(t_end - r->t_seen);
    double widest = length / ((r->samples + CHEBYSHEV_COARSE) / CHEBYSHEV_COARSE);
    int32_t left = r->patience;
    *found = false;
    if (r->n_events == 0 || length == 0.0)
        return DAEDAL_CALL_OK;
    if (r->samples == 0)
        return look_at_end(r, curve, t_end, found, t_root);
    int answer = DAEDAL_CALL_OK;
    look on = {.curve = curve, .limit = t_end};
    for (; answer == DAEDAL_CALL_OK && r->t_seen != t_end && !*found; left--) {
        on.least = fmax(length * (leaves_zero(r) ? least_at_zero : least),
                        16.0 * least_width(r, r->t_seen, t_end));
        answer = open_panel(r, &on, t_end, widest);
        if (answer == DAEDAL_CALL_OK)
            answer = resolve(r, &on, &left);
        if (answer == DAEDAL_CALL_OK)
            answer = look_through(r, &on, found, t_root);
        *found = *found && !is_silent(r);
        if (on.degree == CHEBYSHEV_COARSE || left <= 0)
            r->width = fmax(r->width, (on.may_widen || left <= 0 ? 2.0 : 1.0) * fabs(on.b - on.a));
    }
    learn(r, left);
    return answer;
}
