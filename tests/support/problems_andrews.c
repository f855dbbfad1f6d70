/* support/problems_andrews.c - Andrews' squeezing mechanism in index-1 and index-3 form.
 *
 * Seven bodies, q = (beta, Theta, gamma, Phi, delta, Omega, epsilon); unknowns
 *     y = (q, v = q', w = v', lambda),  n = 7 + 7 + 7 + 6 = 27,
 * with the multipliers lambda of three closed loops, each an x and a y condition:
 *     q' = v,  v' = w,
 *     0 = M(q) w - f(q, v) + G(q)^T lambda,
 *     0 = G(q) w + g_qq(q)(v, v),        index 1, or
 *     0 = g(q),                          index 3.
 * No Jacobian: this problem measures differences.
 * Depends on: support/problems.h.                                                 */
#include "problems.h"

#include <math.h>

static const double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706;
static const double m5 = 0.07050, m6 = 0.00706, m7 = 0.05498;
static const double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7;
static const double i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5;
static const double xa = -0.06934, ya = -0.00227;
static const double xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
static const double c0 = 4530.0, l0 = 0.07785, moment = 0.033;
static const double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092;
static const double ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02;
static const double ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449;
static const double zf = 0.02, zt = 0.04, fa = 0.01421;

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON };

/* Sines and cosines of the angles and of their sums along the arms. */
typedef struct angles {
    double sin_be, cos_be, sin_th, cos_th, sin_ga, cos_ga, sin_ph, cos_ph;
    double sin_de, cos_de, sin_om, cos_om, sin_ep, cos_ep;
    double sin_bt, cos_bt; /* beta + Theta    */
    double sin_dp, cos_dp; /* delta + Phi     */
    double sin_eo, cos_eo; /* epsilon + Omega */
} angles;

static void set_angles(angles *a, const double *q)
{
    a->sin_be = sin(q[BETA]), a->cos_be = cos(q[BETA]);
    a->sin_th = sin(q[THETA]), a->cos_th = cos(q[THETA]);
    a->sin_ga = sin(q[GAMMA]), a->cos_ga = cos(q[GAMMA]);
    a->sin_ph = sin(q[PHI]), a->cos_ph = cos(q[PHI]);
    a->sin_de = sin(q[DELTA]), a->cos_de = cos(q[DELTA]);
    a->sin_om = sin(q[OMEGA]), a->cos_om = cos(q[OMEGA]);
    a->sin_ep = sin(q[EPSILON]), a->cos_ep = cos(q[EPSILON]);
    a->sin_bt = sin(q[BETA] + q[THETA]), a->cos_bt = cos(q[BETA] + q[THETA]);
    a->sin_dp = sin(q[DELTA] + q[PHI]), a->cos_dp = cos(q[DELTA] + q[PHI]);
    a->sin_eo = sin(q[EPSILON] + q[OMEGA]), a->cos_eo = cos(q[EPSILON] + q[OMEGA]);
}

/* r = M(q) w; M has 2 x 2 blocks for (beta, Theta), (Phi, delta), (Omega, epsilon). */
static void mass_times(const angles *a, const double *w, double *r)
{
    const double ee = e - ea, ff = zf - fa;
    const double m11 =
        m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * a->cos_th + da * da) + i1 + i2;
    const double m21 = m2 * (da * da - da * rr * a->cos_th) + i2;
    const double m22 = m2 * da * da + i2;
    const double m33 = m3 * (sa * sa + sb * sb) + i3;
    const double m44 = m4 * ee * ee + i4;
    const double m54 = m4 * (ee * ee + zt * ee * a->sin_ph) + i4;
    const double m55 =
        m4 * (zt * zt + 2.0 * zt * ee * a->sin_ph + ee * ee) + m5 * (ta * ta + tb * tb) + i4 + i5;
    const double m66 = m6 * ff * ff + i6;
    const double m76 = m6 * (ff * ff - u * ff * a->sin_om) + i6;
    const double m77 =
        m6 * (ff * ff - 2.0 * u * ff * a->sin_om + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
    r[BETA] = m11 * w[BETA] + m21 * w[THETA];
    r[THETA] = m21 * w[BETA] + m22 * w[THETA];
    r[GAMMA] = m33 * w[GAMMA];
    r[PHI] = m44 * w[PHI] + m54 * w[DELTA];
    r[DELTA] = m54 * w[PHI] + m55 * w[DELTA];
    r[OMEGA] = m66 * w[OMEGA] + m76 * w[EPSILON];
    r[EPSILON] = m76 * w[OMEGA] + m77 * w[EPSILON];
}

/* r -= f(q, v): driving moment, spring, centrifugal terms. */
static void subtract_forces(const angles *a, const double *v, double *r)
{
    const double xd = sd * a->cos_ga + sc * a->sin_ga + xb;
    const double yd = sd * a->sin_ga - sc * a->cos_ga + yb;
    const double length = sqrt((xd - xc) * (xd - xc) + (yd - yc) * (yd - yc));
    const double force = -c0 * (length - l0) / length;
    const double fx = force * (xd - xc), fy = force * (yd - yc);
    const double arm2 = m2 * da * rr * a->sin_th;
    const double arm4 = m4 * zt * (e - ea) * a->cos_ph;
    const double arm6 = m6 * u * (zf - fa) * a->cos_om;
    r[BETA] -= moment - arm2 * v[THETA] * (v[THETA] + 2.0 * v[BETA]);
    r[THETA] -= arm2 * v[BETA] * v[BETA];
    r[GAMMA] -= fx * (sc * a->cos_ga - sd * a->sin_ga) + fy * (sd * a->cos_ga + sc * a->sin_ga);
    r[PHI] -= arm4 * v[DELTA] * v[DELTA];
    r[DELTA] += arm4 * v[PHI] * (v[PHI] + 2.0 * v[DELTA]);
    r[OMEGA] += arm6 * v[EPSILON] * v[EPSILON];
    r[EPSILON] -= arm6 * v[OMEGA] * (v[OMEGA] + 2.0 * v[EPSILON]);
}

/* The gradient of the loop conditions: x and y rows.  The columns of beta and Theta
 * are the same in all three loops.                                                */
typedef struct gradient {
    double beta_x, beta_y, theta_x, theta_y;
    double gamma_x, gamma_y;                       /* first loop  */
    double phi_x, phi_y, delta_x, delta_y;         /* second loop */
    double omega_x, omega_y, epsilon_x, epsilon_y; /* third loop */
} gradient;

static void set_gradient(gradient *g, const angles *a)
{
    g->theta_x = d * a->sin_bt;
    g->theta_y = -d * a->cos_bt;
    g->beta_x = g->theta_x - rr * a->sin_be;
    g->beta_y = g->theta_y + rr * a->cos_be;
    g->gamma_x = -ss * a->cos_ga;
    g->gamma_y = -ss * a->sin_ga;
    g->phi_x = -e * a->cos_dp;
    g->phi_y = -e * a->sin_dp;
    g->delta_x = g->phi_x + zt * a->sin_de;
    g->delta_y = g->phi_y - zt * a->cos_de;
    g->omega_x = zf * a->sin_eo;
    g->omega_y = -zf * a->cos_eo;
    g->epsilon_x = g->omega_x - u * a->cos_ep;
    g->epsilon_y = g->omega_y - u * a->sin_ep;
}

/* r += G(q)^T lambda; lambda = (x, y) of loop 1, 2, 3. */
static void add_constraint_forces(const gradient *g, const double *lambda, double *r)
{
    const double sum_x = lambda[0] + lambda[2] + lambda[4];
    const double sum_y = lambda[1] + lambda[3] + lambda[5];
    r[BETA] += g->beta_x * sum_x + g->beta_y * sum_y;
    r[THETA] += g->theta_x * sum_x + g->theta_y * sum_y;
    r[GAMMA] += g->gamma_x * lambda[0] + g->gamma_y * lambda[1];
    r[PHI] += g->phi_x * lambda[2] + g->phi_y * lambda[3];
    r[DELTA] += g->delta_x * lambda[2] + g->delta_y * lambda[3];
    r[OMEGA] += g->omega_x * lambda[4] + g->omega_y * lambda[5];
    r[EPSILON] += g->epsilon_x * lambda[4] + g->epsilon_y * lambda[5];
}

/* r = G(q) w */
static void set_gradient_product(const gradient *g, const double *w, double *r)
{
    const double x = g->beta_x * w[BETA] + g->theta_x * w[THETA];
    const double y = g->beta_y * w[BETA] + g->theta_y * w[THETA];
    r[0] = x + g->gamma_x * w[GAMMA];
    r[1] = y + g->gamma_y * w[GAMMA];
    r[2] = x + g->phi_x * w[PHI] + g->delta_x * w[DELTA];
    r[3] = y + g->phi_y * w[PHI] + g->delta_y * w[DELTA];
    r[4] = x + g->omega_x * w[OMEGA] + g->epsilon_x * w[EPSILON];
    r[5] = y + g->omega_y * w[OMEGA] + g->epsilon_y * w[EPSILON];
}

/* r += g_qq(q)(v, v): the second derivative of the loop conditions. */
static void add_curvature(const angles *a, const double *v, double *r)
{
    const double bt = (v[BETA] + v[THETA]) * (v[BETA] + v[THETA]), be = v[BETA] * v[BETA];
    const double dp = (v[DELTA] + v[PHI]) * (v[DELTA] + v[PHI]), de = v[DELTA] * v[DELTA];
    const double eo = (v[EPSILON] + v[OMEGA]) * (v[EPSILON] + v[OMEGA]);
    const double ep = v[EPSILON] * v[EPSILON], ga = v[GAMMA] * v[GAMMA];
    const double x = d * bt * a->cos_bt - rr * be * a->cos_be;
    const double y = d * bt * a->sin_bt - rr * be * a->sin_be;
    r[0] += x + ss * ga * a->sin_ga;
    r[1] += y - ss * ga * a->cos_ga;
    r[2] += x + e * dp * a->sin_dp + zt * de * a->cos_de;
    r[3] += y - e * dp * a->cos_dp + zt * de * a->sin_de;
    r[4] += x + u * ep * a->sin_ep + zf * eo * a->cos_eo;
    r[5] += y - u * ep * a->cos_ep + zf * eo * a->sin_eo;
}

/* r = g(q): the loops are closed. */
static void set_loops(const angles *a, double *r)
{
    const double x = rr * a->cos_be - d * a->cos_bt, y = rr * a->sin_be - d * a->sin_bt;
    r[0] = x - ss * a->sin_ga - xb;
    r[1] = y + ss * a->cos_ga - yb;
    r[2] = x - e * a->sin_dp - zt * a->cos_de - xa;
    r[3] = y + e * a->cos_dp - zt * a->sin_de - ya;
    r[4] = x - u * a->sin_ep - zf * a->cos_eo - xa;
    r[5] = y + u * a->cos_ep - zf * a->sin_eo - ya;
}

/* Everything but the last six equations. */
static void set_motion(const angles *a, const gradient *g, const double *y, const double *yp,
                       double *r)
{
    const double *v = y + 7, *w = y + 14, *lambda = y + 21;
    for (int i = 0; i < 7; i++) {
        r[i] = yp[i] - v[i];
        r[7 + i] = yp[7 + i] - w[i];
    }
    mass_times(a, w, r + 14);
    subtract_forces(a, v, r + 14);
    add_constraint_forces(g, lambda, r + 14);
}

static int andrews_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    angles a;
    gradient g;
    set_angles(&a, y);
    set_gradient(&g, &a);
    set_motion(&a, &g, y, yp, r);
    set_gradient_product(&g, y + 14, r + 21);
    add_curvature(&a, y + 7, r + 21);
    return DAEDAL_CALL_OK;
}

static int andrews_index3_residual(double t, const double *y, const double *yp, double *r,
                                   void *user)
{
    (void)t, (void)user;
    angles a;
    gradient g;
    set_angles(&a, y);
    set_gradient(&g, &a);
    set_motion(&a, &g, y, yp, r);
    set_loops(&a, r + 21);
    return DAEDAL_CALL_OK;
}

static const int32_t andrews_kind[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                       2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
static const int32_t andrews_counted[] = {0, 1, 2, 3, 4, 5, 6};
static const double andrews_y0[27] = {
    -0.0617138900142764496358948458001,      0.0,
    0.455279819163070380255912382449,        0.222668390165885884674473185609,
    0.487364979543842550225598953530,        -0.222668390165885884674473185609,
    1.23054744454982119249735015568,         [14] = 14222.4439199541138705911625887,
    [15] = -10666.8329399655854029433719415, [21] = 98.5668703962410896057654982170,
    [22] = -6.12268834425566265503114393122};
/* At rest everything that depends on q and, quadratically, on v has rate zero. */
static const double andrews_yp0[27] = {
    [7] = 14222.4439199541138705911625887, [8] = -10666.8329399655854029433719415};
static const double andrews_reference[27] = {
    15.81077119515370709712,   -15.75637105841183946973, 0.04082224011964580485828,
    -0.5347301163420795937702, 0.5244099658799540693717, 0.5347301163420795937702,
    1.048080741041937873069,   1139.920302259106064198,  -1424.379295177540073196,
    11.03291191061859374533,   19.29337410503204083164,  0.573569914829502453818,
    -19.29337410503204083164,  0.3231791492491308749907, -24631.76312287463447007,
    51850.31963646423153379,   324102.6007075786058119,  566749.4220009953264933,
    16743.63541834544460965,   -566749.4220009953264933, 9826.507801544162688485,
    199.1753481045386281862,   -29.75530997497176332441, 23.06654361162215112862,
    31.45272527577113707539,   22.64249478639437857771,  11.6173923526112559068};

static const int32_t andrews_index[27] = {1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2,
                                          3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};

static const problem table[] = {
    {.name = "andrews_ind1",
     .title = "Andrews' squeezing mechanism, index-1 form",
     .source = "Test Set for IVP Solvers (CWI/Bari), release 2.4 (andrews)",
     .n = 27,
     .residual = andrews_residual,
     .t_end = 0.03,
     .y0 = andrews_y0,
     .yp0 = andrews_yp0,
     .reference = andrews_reference,
     .counted = {andrews_counted, 7},
     .atol_factor = 1.0,
     .kind = andrews_kind,
     .collections = PROBLEM_MAIN},
    {.name = "andrews_ind3",
     .title = "Andrews' squeezing mechanism, index-3 form",
     .source = "Test Set for IVP Solvers (CWI/Bari), release 2.4 (andrews)",
     .n = 27,
     .residual = andrews_index3_residual,
     .t_end = 0.03,
     .y0 = andrews_y0,
     .yp0 = andrews_yp0,
     .reference = andrews_reference,
     .counted = {andrews_counted, 7},
     .atol_factor = 1.0,
     .kind = andrews_kind,
     .index = andrews_index,
     .collections = PROBLEM_HIGH_INDEX},
};

const problem *problems_andrews(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
