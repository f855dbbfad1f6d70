/* integ/roots.c - see roots.h.
 *
 * A step is sampled at a few interior points.  Between two samples a change of sign
 * brackets a root.  Where three samples of one sign form a valley, the parabola through
 * them says whether the function might touch zero between; if so its minimum is tracked
 * down and checked.  The first root of a bracket is found by the Illinois method on the
 * function whose secant reaches zero first, safeguarded by bisection, until the bracket
 * is as narrow as roundoff allows or as the option says; the root reported is its right end, where
 * every function that fired has already taken its new sign.                           */
#include "integ/roots.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SAMPLES_MAX = 64 };

static void lay_out(void *object, layout *l)
{
    roots *r = object;
    size_t m = (size_t)r->n_events, n = (size_t)r->ev->n;
    r->sign = layout_take(l, m, sizeof(int32_t));
    r->fired = layout_take(l, m, sizeof(int32_t));
    r->size = layout_take(l, m, sizeof(double));
    r->left = layout_take(l, m, sizeof(double));
    r->mid = layout_take(l, m, sizeof(double));
    r->right = layout_take(l, m, sizeof(double));
    r->g_seen = layout_take(l, m, sizeof(double));
    r->sign_kept = layout_take(l, m, sizeof(int32_t));
    r->size_kept = layout_take(l, m, sizeof(double));
    r->g_kept = layout_take(l, m, sizeof(double));
    r->sampled = layout_take(l, m * (SAMPLES_MAX + 2), sizeof(double));
    r->y = layout_take(l, n, sizeof(double));
    r->yp = layout_take(l, n, sizeof(double));
}

bool roots_create(roots *r, const roots_setup *setup)
{
    *r = (roots){.ev = setup->ev,
                 .n_events = setup->ev->sys->n_events,
                 .samples_least = setup->samples,
                 .resolution = setup->resolution,
                 .direction = setup->ev->sys->event_direction.at};
    return block_create(&r->mem, setup->allocator, lay_out, r);
}

void roots_free(roots *r)
{
    block_free(&r->mem);
}

void roots_copy(roots *r, const roots *from)
{
    r->t_seen = from->t_seen;
    block_copy(&r->mem, &from->mem);
}

static int32_t sign_of(double g)
{
    return (g > 0.0) - (g < 0.0);
}

static int evaluate(roots *r, const roots_curve *curve, double t, double *g)
{
    curve->how->interpolate(curve->self, t, r->y, r->yp);
    return evaluator_events(r->ev, t, r->y, r->yp, g);
}

/* Would going from `sign` to value g be an event of function i?  Its direction, or 0. */
static int32_t event_at(const roots *r, int32_t i, int32_t sign, double g)
{
    if (sign == 0 || sign_of(g) == sign)
        return 0;
    bool wanted = !r->direction || r->direction[i] == 0 || r->direction[i] == -sign;
    return wanted ? -sign : 0;
}

int roots_begin(roots *r, double t, const double *y, const double *yp, bool after_event)
{
    const double leftover = 1e-10; /* of a function that has just fired, relative to its size */
    int answer = evaluator_events(r->ev, t, y, yp, r->g_seen);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    for (int32_t i = 0; i < r->n_events; i++) {
        bool spent = after_event && r->fired[i] && fabs(r->g_seen[i]) <= leftover * r->size[i];
        r->sign[i] = spent ? 0 : sign_of(r->g_seen[i]);
        r->fired[i] = 0;
        r->size[i] = fabs(r->g_seen[i]);
    }
    r->t_seen = t;
    return DAEDAL_CALL_OK;
}

/* Signs and values at t become what is known. */
static void see(roots *r, double t, const double *g)
{
    for (int32_t i = 0; i < r->n_events; i++) {
        r->sign[i] = sign_of(g[i]);
        r->size[i] = fmax(r->size[i], fabs(g[i]));
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

/* As narrow as a bracket around [a, b] can or need be. */
static double least_width(const roots *r, double a, double b)
{
    return fmax(2.0 * DBL_EPSILON * fmax(fabs(a), fabs(b)), r->resolution);
}

/* Where to look next in [a, b], away from both ends. */
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
    return DAEDAL_CALL_OK;
}

/* A function that is exactly zero at the root has the sign it shows just behind it: else a
 * second root before the next sample would be taken for its leaving zero.       */
static int look_behind_zero(roots *r, const roots_curve *curve, double t_root, double t_right)
{
    bool any = false;
    for (int32_t i = 0; i < r->n_events; i++)
        any = any || (r->fired[i] && r->right[i] == 0.0);
    double t = t_root + 1e-6 * (t_right - t_root);
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

/* Evenly spaced samples of a stretch: sample s stands at t0 + s d. */
typedef struct stretch {
    const roots_curve *curve;
    double t0, d;
} stretch;

/* Three values of one function around a valley. */
typedef struct triple {
    double t0, d; /* at t0, t0 + d, t0 + 2 d */
    double g[3];
} triple;

/* Values of function i at the ends of a quarter-wide triple around t, where it is g. */
static int zoom_in(roots *r, const roots_curve *curve, int32_t i, double t, triple *v)
{
    double low = v->t0, high = v->t0 + 2.0 * v->d; /* stay inside: g is asked nowhere else */
    v->d *= 0.25;
    v->t0 = v->d > 0.0 ? fmin(fmax(t - v->d, low), high - 2.0 * v->d)
                       : fmax(fmin(t - v->d, low), high - 2.0 * v->d);
    v->g[1] = r->mid[i];
    int answer = evaluate(r, curve, v->t0, r->mid);
    v->g[0] = r->mid[i];
    if (answer == DAEDAL_CALL_OK)
        answer = evaluate(r, curve, v->t0 + 2.0 * v->d, r->mid);
    v->g[2] = r->mid[i];
    return answer;
}

/* Follow the minimum of |g_i| down; *met if a point with another sign turns up: its time
 * in *t, all values there in r->mid.                                            */
static int descend(roots *r, const roots_curve *curve, int32_t i, triple v, double *t, bool *met)
{
    enum { ROUNDS_MAX = 12 };
    *met = false;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        double at = valley(v.g[0], v.g[1], v.g[2]);
        if (at < 0.0)
            return DAEDAL_CALL_OK;
        *t = v.t0 + at * v.d;
        int answer = evaluate(r, curve, *t, r->mid);
        if (answer != DAEDAL_CALL_OK)
            return answer;
        *met = event_at(r, i, sign_of(v.g[1]), r->mid[i]) != 0;
        if (*met)
            return DAEDAL_CALL_OK;
        answer = zoom_in(r, curve, i, *t, &v);
        if (answer != DAEDAL_CALL_OK)
            return answer;
    }
    return DAEDAL_CALL_OK;
}

/* Is there a double root between samples s-1 and s+1 that their signs hide? */
static int look_into_valleys(roots *r, const stretch *on, int32_t s, double *t, bool *met)
{
    *met = false;
    int32_t m = r->n_events;
    for (int32_t i = 0; i < m && !*met; i++) {
        const double *g = r->sampled + (size_t)(s - 1) * (size_t)m + i;
        triple v = {on->t0 + (s - 1) * on->d, on->d, {g[0], g[m], g[2 * m]}};
        int32_t sign = sign_of(v.g[0]);
        if (sign == 0 || sign_of(v.g[1]) != sign || sign_of(v.g[2]) != sign || r->sign[i] != sign)
            continue;
        int answer = descend(r, on->curve, i, v, t, met);
        if (answer != DAEDAL_CALL_OK)
            return answer;
        *met = *met && (*t - r->t_seen) * on->d > 0.0;
    }
    return DAEDAL_CALL_OK;
}

static int sample(roots *r, const stretch *on, double t_end)
{
    int32_t m = r->n_events, last = r->samples + 1;
    memcpy(r->sampled, r->g_seen, (size_t)m * sizeof *r->sampled);
    for (int32_t s = 1; s <= last; s++) {
        double t = s == last ? t_end : on->t0 + s * on->d;
        int answer = evaluate(r, on->curve, t, r->sampled + (size_t)s * (size_t)m);
        if (answer != DAEDAL_CALL_OK)
            return answer;
    }
    return DAEDAL_CALL_OK;
}

/* Do the samples resolve the functions?  Their third differences say: those of a function
 * that turns between samples are as large as its first ones.                    */
static bool is_resolved(const roots *r)
{
    int32_t m = r->n_events, last = r->samples + 1;
    for (int32_t i = 0; i < m; i++) {
        double first = 0.0, third = 0.0;
        for (int32_t s = 0; s + 3 <= last; s++) {
            const double *g = r->sampled + (size_t)s * (size_t)m + i;
            first = fmax(first, fmax(fabs(g[m] - g[0]), fabs(g[3 * m] - g[2 * m])));
            third = fmax(third, fabs(g[3 * m] - 3.0 * g[2 * m] + 3.0 * g[m] - g[0]));
        }
        if (third > 0.5 * first)
            return false;
    }
    return true;
}

/* Sample the stretch, twice as finely until the functions are resolved. */
static int sample_enough(roots *r, stretch *on, double t_end)
{
    r->samples = r->samples_least;
    for (;;) {
        on->d = (t_end - on->t0) / (r->samples + 1);
        int answer = sample(r, on, t_end);
        bool finer = r->samples > 1 && 2 * r->samples + 1 <= SAMPLES_MAX && !is_resolved(r);
        if (answer != DAEDAL_CALL_OK || !finer)
            return answer;
        r->samples = 2 * r->samples + 1;
    }
}

void roots_keep(roots *r)
{
    size_t m = (size_t)r->n_events;
    memcpy(r->sign_kept, r->sign, m * sizeof *r->sign);
    memcpy(r->size_kept, r->size, m * sizeof *r->size);
    memcpy(r->g_kept, r->g_seen, m * sizeof *r->g_seen);
    r->t_kept = r->t_seen;
}

void roots_go_back(roots *r)
{
    size_t m = (size_t)r->n_events;
    memcpy(r->sign, r->sign_kept, m * sizeof *r->sign);
    memcpy(r->size, r->size_kept, m * sizeof *r->size);
    memcpy(r->g_seen, r->g_kept, m * sizeof *r->g_seen);
    memset(r->fired, 0, m * sizeof *r->fired);
    r->t_seen = r->t_kept;
}

int roots_scan(roots *r, const roots_curve *curve, double t_end, bool *found, double *t_root)
{
    *found = false;
    if (r->n_events == 0 || t_end == r->t_seen)
        return DAEDAL_CALL_OK;
    stretch on = {.curve = curve, .t0 = r->t_seen};
    int answer = sample_enough(r, &on, t_end);
    int32_t last = r->samples + 1;
    for (int32_t s = 1; s <= last && answer == DAEDAL_CALL_OK; s++) {
        const double *g = r->sampled + (size_t)s * (size_t)r->n_events;
        double t = s == last ? t_end : on.t0 + s * on.d, t_met = 0.0;
        *found = any_event(r, g);
        if (*found)
            return locate(r, curve, t, g, t_root);
        if (s < last)
            answer = look_into_valleys(r, &on, s, &t_met, found);
        bool later = (t_met - t) * on.d > 0.0; /* then what happened up to t counts first */
        if (!*found || later)
            see(r, t, g);
        if (*found && answer == DAEDAL_CALL_OK)
            return locate(r, curve, t_met, r->mid, t_root);
    }
    return answer;
}
