/* integ/chebyshev_panel.c - see chebyshev_panel.h.
 *
 * On x in [-1, 1] the points are x_k = -cos(k pi / K), the polynomial sum c_n T_n(x), and
 *   c_n = (2 / K) sum'' v_k T_n(x_k),  halved for n = 0 and n = K, '' halves first and last,
 * see [Tre13].  The coefficients of a function that is resolved fall, so the last two
 * tell how far the polynomial is off, E.  It is exact at the points, and the derivative of an error
 * of degree K and size E is at most K^2 E (Markov, and Bernstein inside): near a point the error is
 * at most K^2 E times the distance.  The last two and not one: those of an even or odd function
 * vanish in turn.   */
#include "integ/chebyshev_panel.h"

#include <float.h>
#include <math.h>

/* cos(j pi / 8) for j = 0 .. 15 */
static const double COSINE[16] = {
    1.0,  0.92387953251128674,  0.70710678118654752,  0.38268343236508977,
    0.0,  -0.38268343236508977, -0.70710678118654752, -0.92387953251128674,
    -1.0, -0.92387953251128674, -0.70710678118654752, -0.38268343236508977,
    0.0,  0.38268343236508977,  0.70710678118654752,  0.92387953251128674,
};

/* A dip beside a zero that is shorter than this share of the gap is not searched for. */
static const double LITTLE = 0.01;

static int32_t sign_of(double v)
{
    return (v > 0.0) - (v < 0.0);
}

static double node(int32_t degree, int32_t k)
{
    return -COSINE[k * (CHEBYSHEV_FINE / degree)];
}

double chebyshev_place(int32_t degree, int32_t k)
{
    return 0.5 * (1.0 + node(degree, k));
}

/* The sum over the coefficients from c_1 on. */
static double sum_of(const chebyshev_panel *p, double *largest)
{
    double sum = 0.0;
    *largest = 0.0;
    for (int32_t n = 1; n <= p->degree; n++) {
        sum += fabs(p->coefficient[n]);
        *largest = fmax(*largest, fabs(p->coefficient[n]));
    }
    return sum;
}

/* How uncertain the polynomial is.  Coefficients that do not decrease tell nothing: the function
 * may then differ from it by as much as they add up to. */
static double doubt_of(const chebyshev_panel *p)
{
    const double safety = 2.0, roundoff = 8.0 * DBL_EPSILON;
    double fallen = p->degree == CHEBYSHEV_COARSE ? 0.1 : 0.02, largest, all = sum_of(p, &largest);
    double last = fabs(p->coefficient[p->degree - 1]) + fabs(p->coefficient[p->degree]);
    double noise = roundoff * (all + fabs(p->coefficient[0]));
    return noise + (last <= fallen * largest + noise ? safety * last : all);
}

void chebyshev_fit(chebyshev_panel *p, int32_t degree, const double *values, int32_t stride)
{
    int32_t turn = CHEBYSHEV_FINE / degree;
    p->degree = degree;
    for (int32_t k = 0; k <= degree; k++)
        p->value[k] = values[k * stride];
    for (int32_t n = 0; n <= degree; n++) {
        /* T_n(x_k) = cos(n (pi - k pi / K)) */
        double first = n % 2 ? -p->value[0] : p->value[0], sum = 0.5 * (first + p->value[degree]);
        for (int32_t k = 1; k < degree; k++)
            sum += p->value[k] * COSINE[n * (degree - k) * turn % 16];
        p->coefficient[n] = sum * (n == 0 || n == degree ? 1.0 : 2.0) / degree;
    }
    p->doubt = doubt_of(p);
}

bool chebyshev_keeps_sign(const chebyshev_panel *p)
{
    double largest;
    return fabs(p->coefficient[0]) > sum_of(p, &largest) + p->doubt;
}

bool chebyshev_may_widen(const chebyshev_panel *p)
{
    const double fallen = 0.1 / 4.0, far = 4.0, roundoff = 8.0 * DBL_EPSILON;
    const double *c = p->coefficient;
    double largest, all = sum_of(p, &largest), noise = roundoff * (all + fabs(c[0]));
    double last = fabs(c[p->degree - 1]) + fabs(c[p->degree]);
    return last <= fallen * largest + noise || fabs(c[0]) > far * (all + p->doubt);
}

/* The polynomial at x, and its slope. */
static double value_at(const chebyshev_panel *p, double x, double *slope)
{
    const double *c = p->coefficient;
    double before = 1.0, now = x, slope_before = 0.0, slope_now = 1.0; /* T_0, T_1 */
    double sum = c[0] + c[1] * x;
    *slope = c[1];
    for (int32_t n = 2; n <= p->degree; n++) {
        double next = 2.0 * x * now - before;
        double slope_next = 2.0 * (now + x * slope_now) - slope_before;
        sum += c[n] * next;
        *slope += c[n] * slope_next;
        before = now;
        now = next;
        slope_before = slope_now;
        slope_now = slope_next;
    }
    return sum;
}

/* Between two points, with the function turned so that it is positive at the right one. */
typedef struct gap {
    const chebyshev_panel *p;
    double s; /* the sign there */
    double left, right;
    double v_left, v_right, slope_left, slope_right;
} gap;

static gap gap_of(const chebyshev_panel *p, int32_t k, int32_t sign)
{
    gap g = {.p = p, .left = node(p->degree, k), .right = node(p->degree, k + 1)};
    g.s = sign_of(p->value[k + 1]);
    value_at(p, g.left, &g.slope_left);
    value_at(p, g.right, &g.slope_right);
    g.slope_left *= g.s;
    g.slope_right *= g.s;
    g.v_left = sign == 0 ? 0.0 : g.s * p->value[k];
    g.v_right = g.s * p->value[k + 1];
    return g;
}

/* The largest slope of an error of this degree, divided by the size of the error (Markov,
 * Bernstein). */
static double steepness(const chebyshev_panel *p, double x)
{
    double degree = p->degree;
    return degree * fmin(degree, 1.0 / sqrt(fmax(1.0 - x * x, DBL_MIN)));
}

static double doubt_at(const gap *g, double x)
{
    bool near_left = x - g->left < g->right - x;
    double distance = near_left ? x - g->left : g->right - x;
    return g->p->doubt * fmin(1.0, distance * steepness(g->p, near_left ? g->left : g->right));
}

enum { PARTS = 8 }; /* in which a gap is looked at */

static double part(const gap *g, int k)
{
    return k == PARTS ? g->right : g->left + (g->right - g->left) * k / PARTS;
}

/* The lowest point between a, where the function falls, and b, where it rises. */
static double bottom(const gap *g, double a, double b)
{
    enum { HALVINGS = 40 };
    for (int k = 0; k < HALVINGS; k++) {
        double slope, x = 0.5 * (a + b);
        value_at(g->p, x, &slope);
        if (g->s * slope < 0.0)
            a = x;
        else
            b = x;
    }
    return b;
}

/* Find the lowest of the valleys inside.  The answer is false if there is none. */
static bool find_valley(const gap *g, double *lowest)
{
    double slope_before = g->slope_left, low = HUGE_VAL, slope;
    for (int k = 1; k <= PARTS; k++) {
        double x = part(g, k);
        value_at(g->p, x, &slope);
        slope *= g->s;
        if (slope_before < 0.0 && slope >= 0.0) {
            double at = bottom(g, part(g, k - 1), x), unused,
                   v = g->s * value_at(g->p, at, &unused);
            *lowest = v < low ? at : *lowest;
            low = fmin(v, low);
        }
        slope_before = slope;
    }
    return low < HUGE_VAL;
}

/* Whether the function, which is close to zero at one point only, certainly rises from there: by
 * its slope, or by its value a little inside. */
static bool rises(const gap *g, bool from_left)
{
    double slope = from_left ? g->slope_left : -g->slope_right, unused;
    double slope_doubt = g->p->doubt * steepness(g->p, from_left ? g->left : g->right);
    double width = g->right - g->left;
    double x = from_left ? g->left + LITTLE * width : g->right - LITTLE * width;
    if (slope > slope_doubt)
        return true;
    return slope >= -slope_doubt && g->s * value_at(g->p, x, &unused) > doubt_at(g, x);
}

/* The signs at `from` and `to` differ.  The answer is true if the function rises exactly once:
 * wherever its sign is uncertain its slope must be positive beyond doubt, and it must not return.
 */
static bool rises_once(const gap *g, double from, double to)
{
    bool up = false;
    for (int k = 1; k < PARTS; k++) {
        double slope, x = fmin(fmax(part(g, k), from), to);
        double v = g->s * value_at(g->p, x, &slope), doubt = doubt_at(g, x);
        bool certain = fabs(v) > doubt || g->s * slope > g->p->doubt * steepness(g->p, x);
        if (!certain || (up && v < 0.0))
            return false;
        up = v > 0.0;
    }
    return true;
}

static double place_of(double x)
{
    return 0.5 * (1.0 + x);
}

/* Look for a dip of a function that has the same sign at both points, or begins at zero. */
static chebyshev_verdict look_for_dip(const gap *g, double *at)
{
    double x, unused, doubt = g->p->doubt;
    if (find_valley(g, &x)) {
        double low = g->s * value_at(g->p, x, &unused), doubt_there = doubt_at(g, x);
        bool at_end = fmin(x - g->left, g->right - x) < LITTLE * (g->right - g->left);
        *at = low > doubt_there ? -1.0 : place_of(x);
        if (low < -doubt_there)
            return CHEBYSHEV_DIP;
        if (low <= doubt_there && !at_end)
            return CHEBYSHEV_OPEN;
    }
    bool left_is_low = g->v_left <= doubt, right_is_low = g->v_right <= doubt;
    bool clear = (!left_is_low || rises(g, true)) && (!right_is_low || rises(g, false));
    return clear ? CHEBYSHEV_CLEAR : CHEBYSHEV_OPEN;
}

/* Whether the function rises above zero and returns between the points. *highest is where it is
 * largest. */
static bool find_hill(const gap *g, double *highest)
{
    gap below = *g;
    double unused;
    below.s = -g->s;
    below.slope_left = -g->slope_left;
    return find_valley(&below, highest) &&
           g->s * value_at(g->p, *highest, &unused) > -doubt_at(g, *highest);
}

/* Look at a gap at whose ends the signs differ.  A function that begins at a root may first move
 * away from it; the search then begins where it turns.  If it returns at the other end, the search
 * ends where it turns. */
static chebyshev_verdict look_at_change(const gap *g, double *at)
{
    double x_low, x_high, unused, from = g->left;
    bool low = find_valley(g, &x_low), high = find_hill(g, &x_high);
    if (low && high && x_high < x_low)
        return CHEBYSHEV_OPEN; /* up, down and up again */
    bool from_root = low && -g->v_left <= g->p->doubt;
    if (from_root && -g->s * value_at(g->p, x_low, &unused) <= doubt_at(g, x_low))
        return CHEBYSHEV_OPEN;
    if (from_root)
        from = x_low;
    if (!rises_once(g, from, high ? x_high : g->right))
        return CHEBYSHEV_OPEN;
    if (from_root || high)
        *at = place_of(from_root ? x_low : x_high);
    return from_root || high ? CHEBYSHEV_DIP : CHEBYSHEV_CLEAR;
}

chebyshev_verdict chebyshev_between(const chebyshev_panel *p, int32_t k, int32_t sign, double *at)
{
    gap g = gap_of(p, k, sign);
    *at = -1.0;
    if (g.s == 0.0)
        return CHEBYSHEV_CLEAR;
    return sign == 0 || sign == (int32_t)g.s ? look_for_dip(&g, at) : look_at_change(&g, at);
}
