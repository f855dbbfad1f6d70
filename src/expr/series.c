/* expr/series.c - see series.h.
 *
 * Every elementary function w(u) solves a differential equation that is linear in w' and u':
 * comparing coefficients gives w_k from those before, in O(k) operations ([Moo66];
 * [GW08] chapter 13).  Two shapes suffice: w' = z u' (exp, sin, tan ...) and z w' = n
 * (log, atan, asin ...), with z a series known to the order needed.
 * Checked by tests/property/test_expr_taylor.c.                                  */
#include "expr/series.h"

#include <math.h>
#include <string.h>

#include "expr/node_build.h"

static const double LN_10 = 2.302585092994045684;

/* Up to here integer powers are made by products, which are exact where the numbers are
 * integers; above, the recurrence takes fewer operations.                        */
static const double PRODUCTS_MAX = 64.0;

/* ---- shapes --------------------------------------------------------------------- */

/* Coefficient k of u v, the terms j = from .. k - from of u_j v_{k-j}. */
static double convolve(const double *u, const double *v, int32_t k, int32_t from)
{
    double sum = 0.0;
    for (int32_t j = from; j <= k - from; j++)
        sum += u[j] * v[k - j];
    return sum;
}

/* w_k where w' = z u': reads z_0 .. z_{k-1}. */
static double follow(const double *u, const double *z, int32_t k)
{
    double sum = 0.0;
    for (int32_t j = 1; j <= k; j++)
        sum += j * u[j] * z[k - j];
    return sum / k;
}

/* w_1 .. where z w' = n', with slope[k] = k n_k. */
static void divide_slope(const double *slope, const double *z, double *w, int32_t order)
{
    for (int32_t k = 1; k <= order; k++) {
        double sum = slope[k];
        for (int32_t j = 1; j < k; j++)
            sum -= j * w[j] * z[k - j];
        w[k] = sum / (k * z[0]);
    }
}

static void set_slope(const double *u, double factor, double *slope, int32_t order)
{
    for (int32_t k = 1; k <= order; k++)
        slope[k] = factor * k * u[k];
}

static bool stands_still(const double *u, int32_t order)
{
    for (int32_t k = 1; k <= order; k++)
        if (u[k] != 0.0)
            return false;
    return true;
}

/* ---- arithmetic ----------------------------------------------------------------- */

static void combine(const double *u, double factor, const double *v, double *w, int32_t order)
{
    for (int32_t k = 1; k <= order; k++)
        w[k] = u[k] + factor * v[k];
}

static void scale(double factor, const double *u, double *w, int32_t order)
{
    for (int32_t k = 1; k <= order; k++)
        w[k] = factor * u[k];
}

static void multiply(const double *u, const double *v, double *w, int32_t order)
{
    for (int32_t k = 1; k <= order; k++)
        w[k] = convolve(u, v, k, 0);
}

static void divide(const double *u, const double *v, double *w, int32_t order)
{
    for (int32_t k = 1; k <= order; k++) {
        double sum = u[k];
        for (int32_t j = 1; j <= k; j++)
            sum -= v[j] * w[k - j];
        w[k] = sum / v[0];
    }
}

/* w w = u. */
static void extract_root(const double *u, double *w, int32_t order)
{
    for (int32_t k = 1; k <= order; k++)
        w[k] = (u[k] - convolve(w, w, k, 1)) / (2.0 * w[0]);
}

/* ---- elementary functions -------------------------------------------------------- */

static void exponential(const double *u, double *w, int32_t order)
{
    for (int32_t k = 1; k <= order; k++)
        w[k] = follow(u, w, k);
}

/* w' = sign_w z u', z' = sign_z w u': the pairs sin and cos, sinh and cosh.  z goes to the room. */
static void oscillate(const double *u, double sign_w, double sign_z, double *w,
                      const series_room *room)
{
    double *z = room->a;
    for (int32_t k = 1; k <= room->order; k++) {
        w[k] = sign_w * follow(u, z, k);
        z[k] = sign_z * follow(u, w, k);
    }
}

/* w' = (1 + sign w^2) u': tan and tanh. */
static void tangent(const double *u, double sign, double *w, const series_room *room)
{
    double *z = room->a;
    z[0] = 1.0 + sign * (w[0] * w[0]);
    for (int32_t k = 1; k <= room->order; k++) {
        w[k] = follow(u, z, k);
        z[k] = sign * convolve(w, w, k, 0);
    }
}

/* sqrt(1 - u^2) w' = sign u'. */
static void arc_sine(const double *u, double sign, double *w, const series_room *room)
{
    double *square = room->b, *z = room->a;
    for (int32_t k = 1; k <= room->order; k++)
        square[k] = -convolve(u, u, k, 0);
    z[0] = sqrt((1.0 - u[0]) * (1.0 + u[0])); /* no cancellation near 1 */
    extract_root(square, z, room->order);
    set_slope(u, sign, room->b, room->order);
    divide_slope(room->b, z, w, room->order);
}

/* (1 + u^2) w' = u'. */
static void arc_tangent(const double *u, double *w, const series_room *room)
{
    for (int32_t k = 0; k <= room->order; k++)
        room->a[k] = convolve(u, u, k, 0);
    room->a[0] += 1.0;
    set_slope(u, 1.0, room->b, room->order);
    divide_slope(room->b, room->a, w, room->order);
}

/* (u^2 + v^2) w' = v u' - u v'. */
static void angle(const double *u, const double *v, double *w, const series_room *room)
{
    for (int32_t k = 0; k <= room->order; k++) {
        room->a[k] = convolve(u, u, k, 0) + convolve(v, v, k, 0);
        room->b[k] = k * (k > 0 ? follow(u, v, k) - follow(v, u, k) : 0.0);
    }
    divide_slope(room->b, room->a, w, room->order);
}

/* u w' = factor u'. */
static void logarithm(const double *u, double factor, double *w, const series_room *room)
{
    set_slope(u, factor, room->b, room->order);
    divide_slope(room->b, u, w, room->order);
}

/* ---- powers ---------------------------------------------------------------------- */

/* u^n for an integer n >= 0 by repeated squaring; w_0 stays as it was. */
static void power_by_products(const double *u, double n, double *w, const series_room *room)
{
    size_t bytes = ((size_t)room->order + 1) * sizeof(double);
    double *square = room->a, *product = room->b, value = w[0];
    memcpy(square, u, bytes);
    memset(w, 0, bytes);
    w[0] = 1.0;
    for (uint32_t left = (uint32_t)n; left > 0; left /= 2) {
        if (left % 2) {
            product[0] = w[0] * square[0];
            multiply(w, square, product, room->order);
            memcpy(w, product, bytes);
        }
        if (left == 1)
            break;
        product[0] = square[0] * square[0];
        multiply(square, square, product, room->order);
        memcpy(square, product, bytes);
    }
    w[0] = value;
}

/* u^r = s^(m r) (...) for u = s^m (...): nothing below m r, and above it only if the result
 * is a polynomial, which power_by_products makes.                                */
static void power_at_zero(const double *u, double r, double *w, int32_t order)
{
    int32_t m = 1;
    while (m <= order && u[m] == 0.0)
        m++;
    for (int32_t k = 1; k <= order; k++)
        w[k] = r > 0.0 && (m > order || k < m * r) ? 0.0 : (double)NAN;
}

/* u w' = r w u'. */
static void power_by_recurrence(const double *u, double r, double *w, int32_t order)
{
    for (int32_t k = 1; k <= order; k++) {
        double sum = 0.0;
        for (int32_t j = 1; j <= k; j++)
            sum += (r * j - (k - j)) * u[j] * w[k - j];
        w[k] = sum / (k * u[0]);
    }
}

static void power_constant(const double *u, double r, double *w, const series_room *room)
{
    bool natural = r >= 0.0 && r == floor(r);
    if (natural && (r <= PRODUCTS_MAX || (u[0] == 0.0 && r <= room->order)))
        power_by_products(u, r, w, room);
    else if (u[0] == 0.0)
        power_at_zero(u, r, w, room->order);
    else
        power_by_recurrence(u, r, w, room->order);
}

/* u^v = exp(v log u). */
static void power(const double *u, const double *v, double *w, const series_room *room)
{
    if (stands_still(v, room->order)) {
        power_constant(u, v[0], w, room);
    } else if (u[0] > 0.0) {
        room->a[0] = log(u[0]);
        logarithm(u, 1.0, room->a, room);
        multiply(v, room->a, room->b, room->order);
        exponential(room->b, w, room->order);
    } else if (u[0] == 0.0) {
        power_at_zero(u, v[0], w, room->order);
    } else {
        for (int32_t k = 1; k <= room->order; k++)
            w[k] = (double)NAN;
    }
}

/* ---- the operations --------------------------------------------------------------- */

static void apply_trigonometric(expr_op op, const double *u, double *w, const series_room *room)
{
    switch (op) {
    case EXPR_SIN:
        room->a[0] = cos(u[0]);
        oscillate(u, 1.0, -1.0, w, room);
        break;
    case EXPR_COS:
        room->a[0] = sin(u[0]);
        oscillate(u, -1.0, 1.0, w, room);
        break;
    case EXPR_TAN:
        tangent(u, 1.0, w, room);
        break;
    case EXPR_ASIN:
        arc_sine(u, 1.0, w, room);
        break;
    case EXPR_ACOS:
        arc_sine(u, -1.0, w, room);
        break;
    default:
        arc_tangent(u, w, room);
        break;
    }
}

static void apply_exponential(expr_op op, const double *u, double *w, const series_room *room)
{
    switch (op) {
    case EXPR_SINH:
        room->a[0] = cosh(u[0]);
        oscillate(u, 1.0, 1.0, w, room);
        break;
    case EXPR_COSH:
        room->a[0] = sinh(u[0]);
        oscillate(u, 1.0, 1.0, w, room);
        break;
    case EXPR_TANH:
        tangent(u, -1.0, w, room);
        break;
    case EXPR_EXP:
        exponential(u, w, room->order);
        break;
    case EXPR_LOG:
        logarithm(u, 1.0, w, room);
        break;
    case EXPR_LOG10:
        logarithm(u, 1.0 / LN_10, w, room);
        break;
    default:
        extract_root(u, w, room->order);
        break;
    }
}

/* Operations that are linear as far as their operands move. */
static void apply_linear(expr_op op, const double *u, const double *v, double *w, int32_t order)
{
    switch (op) {
    case EXPR_ADD:
        combine(u, 1.0, v, w, order);
        break;
    case EXPR_SUB:
        combine(u, -1.0, v, w, order);
        break;
    case EXPR_NEG:
        scale(-1.0, u, w, order);
        break;
    case EXPR_ABS:
        scale(kernel_apply(EXPR_SIGN, u[0], 0.0), u, w, order);
        break;
    case EXPR_MIN:
        scale(1.0, u[0] < v[0] ? u : v, w, order);
        break;
    case EXPR_MAX:
        scale(1.0, u[0] > v[0] ? u : v, w, order);
        break;
    case EXPR_MOD:
        combine(u, -floor(u[0] / v[0]), v, w, order);
        break;
    default: /* rem */
        combine(u, -trunc(u[0] / v[0]), v, w, order);
        break;
    }
}

static void apply_moving(expr_op op, const double *u, const double *v, double *w,
                         const series_room *room)
{
    switch (op) {
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_NEG:
    case EXPR_ABS:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_MOD:
    case EXPR_REM:
        apply_linear(op, u, v, w, room->order);
        break;
    case EXPR_MUL:
        multiply(u, v, w, room->order);
        break;
    case EXPR_DIV:
        divide(u, v, w, room->order);
        break;
    case EXPR_POW:
        power(u, v, w, room);
        break;
    case EXPR_ATAN2:
        angle(u, v, w, room);
        break;
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN:
    case EXPR_ASIN:
    case EXPR_ACOS:
    case EXPR_ATAN:
        apply_trigonometric(op, u, w, room);
        break;
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH:
    case EXPR_EXP:
    case EXPR_LOG:
    case EXPR_LOG10:
    case EXPR_SQRT:
        apply_exponential(op, u, w, room);
        break;
    default: /* relations, logic, roundings, sign: stand still */
        break;
    }
}

void series_apply(expr_op op, const double *u, const double *v, double *w, const series_room *room)
{
    memset(w, 0, ((size_t)room->order + 1) * sizeof *w);
    w[0] = kernel_apply(op, u[0], v[0]);
    if (!stands_still(u, room->order) || !stands_still(v, room->order))
        apply_moving(op, u, v, w, room);
}
