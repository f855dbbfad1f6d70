/* integ/panel.c - see panel.h.
 *
 * On x in [-1, 1] the points are x_k = -cos(k pi / K), the polynomial sum c_n T_n(x), and
 *   c_n = (2 / K) sum'' v_k T_n(x_k),  halved for n = 0 and n = K, '' halves first and last,
 * as in [Tre13] chapter 3.  The coefficients of a function that is resolved fall, so the last two
 * tell how far the polynomial is off, E.  It is exact at the points, and the derivative of an error
 * of degree K and size E is at most K^2 E (Markov): near a point the error is at most K^2 E times
 * the distance.  The last two and not one: those of an even or odd function vanish in turn.   */
#include "integ/panel.h"

#include <float.h>
#include <math.h>

/* cos(j pi / 8) for j = 0 .. 15 */
static const double COSINE[16] = {
    1.0,  0.92387953251128674,  0.70710678118654752,  0.38268343236508977,
    0.0,  -0.38268343236508977, -0.70710678118654752, -0.92387953251128674,
    -1.0, -0.92387953251128674, -0.70710678118654752, -0.38268343236508977,
    0.0,  0.38268343236508977,  0.70710678118654752,  0.92387953251128674,
};

static const double LITTLE =
    0.01; /* of a gap: dips shorter than that, beside a zero, are not seen */

static int32_t sign_of(double v)
{
    return (v > 0.0) - (v < 0.0);
}

static double node(int32_t degree, int32_t k)
{
    return -COSINE[k * (PANEL_FINE / degree)];
}

double panel_place(int32_t degree, int32_t k)
{
    return 0.5 * (1.0 + node(degree, k));
}

static double largest(const panel *p)
{
    double most = 0.0;
    for (int32_t k = 0; k <= p->degree; k++)
        most = fmax(most, fabs(p->value[k]));
    return most;
}

void panel_fit(panel *p, int32_t degree, const double *values, int32_t stride)
{
    const double safety = 2.0, roundoff = 8.0 * DBL_EPSILON;
    int32_t turn = PANEL_FINE / degree;
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
    p->doubt = safety * (fabs(p->coefficient[degree - 1]) + fabs(p->coefficient[degree])) +
               roundoff * largest(p);
}

bool panel_keeps_sign(const panel *p)
{
    double others = 0.0;
    for (int32_t n = 1; n <= p->degree; n++)
        others += fabs(p->coefficient[n]);
    return fabs(p->coefficient[0]) > others + p->doubt;
}

/* The polynomial at x, and its slope. */
static double value_at(const panel *p, double x, double *slope)
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
    const panel *p;
    double s; /* the sign there */
    double left, right;
    double v_left, v_right, slope_left, slope_right;
} gap;

static gap gap_of(const panel *p, int32_t k, int32_t sign)
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

static double doubt_at(const gap *g, double x)
{
    double degree = g->p->degree, distance = fmin(x - g->left, g->right - x);
    return g->p->doubt * fmin(1.0, degree * degree * distance);
}

/* The function falls behind the left point and rises before the right one: where is it lowest? */
static double bottom(const gap *g)
{
    enum { HALVINGS = 40 };
    double a = g->left, b = g->right, slope;
    for (int k = 0; k < HALVINGS; k++) {
        double x = 0.5 * (a + b);
        value_at(g->p, x, &slope);
        if (g->s * slope < 0.0)
            a = x;
        else
            b = x;
    }
    return b;
}

/* The function is close to zero at one point only, and rises from there on, as far as can be told:
 * by its slope, or by its value a little inside.                                 */
static bool rises(const gap *g, bool from_left)
{
    double degree = g->p->degree, slope_doubt = degree * degree * g->p->doubt, unused;
    double slope = from_left ? g->slope_left : -g->slope_right;
    double width = g->right - g->left;
    double x = from_left ? g->left + LITTLE * width : g->right - LITTLE * width;
    if (slope > slope_doubt)
        return true;
    return slope >= -slope_doubt && g->s * value_at(g->p, x, &unused) > doubt_at(g, x);
}

static double place_of(double x)
{
    return 0.5 * (1.0 + x);
}

panel_verdict panel_between(const panel *p, int32_t k, int32_t sign, double *at)
{
    gap g = gap_of(p, k, sign);
    *at = -1.0;
    if (g.s == 0.0)
        return PANEL_CLEAR;
    if (sign != 0 && sign != (int32_t)g.s) /* it changes: once? */
        return p->doubt < 0.25 * (g.v_right - g.v_left) ? PANEL_CLEAR : PANEL_OPEN;
    if (g.slope_left < 0.0 && g.slope_right > 0.0) {
        double x = bottom(&g), unused, low = g.s * value_at(p, x, &unused), doubt = doubt_at(&g, x);
        if (low > doubt)
            return PANEL_CLEAR;
        *at = place_of(x);
        if (low < -doubt)
            return PANEL_DIP;
        if (fmin(x - g.left, g.right - x) > LITTLE * (g.right - g.left))
            return PANEL_OPEN;
    }
    if (fmin(g.v_left, g.v_right) > p->doubt)
        return PANEL_CLEAR;
    bool left_is_low = g.v_left <= p->doubt, right_is_low = g.v_right <= p->doubt;
    bool clear = (!left_is_low || rises(&g, true)) && (!right_is_low || rises(&g, false));
    return clear ? PANEL_CLEAR : PANEL_OPEN;
}
