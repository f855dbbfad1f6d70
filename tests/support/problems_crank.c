/* support/problems_crank.c - a slider crank whose rod bends and stretches, index 2.
 *
 * Unknowns: p = (crank angle, rod angle, place of the slider, four shapes q of the rod), v = p', w
 * = v' and three multipliers, n = 24; the joints hold on velocity level, the crank turns at
 * constant speed.  The stiff rod makes the solution oscillate fast; nothing damps it. No Jacobian:
 * this problem measures differences. Depends on: support/problems.h. */
#include "problems.h"

#include <math.h>

enum { SHAPES = 4 };

static const double rod_mass = 0.151104, slider_mass = 0.075552;
static const double crank_length = 0.15, rod_length = 0.3;
static const double crank_inertia = 0.002727, rod_inertia = 0.0045339259;
static const double elasticity = 2e11, width = 0.008, height = 0.008, rho = 7870.0;
static const double speed = 150.0, pi = 3.1415927; /* as the original has it */

/* Integrals over the shapes of the rod. */
typedef struct shapes {
    double mass[SHAPES][SHAPES], stiffness[SHAPES][SHAPES], skew[SHAPES][SHAPES];
    double c1[SHAPES], c2[SHAPES], c12[SHAPES], c21[SHAPES];
} shapes;

static void set_shapes(shapes *s)
{
    const double volume = width * height * rod_length, mass = rho * volume;
    const double stiff = elasticity * width * height / rod_length;
    const double bending = stiff * pow(pi, 4.0) / 24.0 * pow(height / rod_length, 2.0);
    *s = (shapes){
        .mass = {{0.5 * mass}, {0, 0.5 * mass}, {0, 0, 8.0 * mass, mass}, {0, 0, mass, 2.0 * mass}},
        .stiffness = {{bending},
                      {0, 16.0 * bending},
                      {0, 0, stiff * 16.0 / 3.0, -stiff * 8.0 / 3.0},
                      {0, 0, -stiff * 8.0 / 3.0, stiff * 7.0 / 3.0}},
        .c1 = {0, 0, volume * 2.0 / 3.0, volume / 6.0},
        .c2 = {volume * 2.0 / pi},
        .c12 = {0, 0, rod_length * volume / 3.0, rod_length * volume / 6.0},
        .c21 = {rod_length * volume / pi, -0.5 * rod_length * volume / pi}};
    s->skew[0][2] = -volume * 16.0 / pow(pi, 3.0);
    s->skew[0][3] = volume * (8.0 / pow(pi, 3.0) - 1.0 / pi);
    s->skew[1][3] = volume * 0.5 / pi;
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < i; j++)
            s->skew[i][j] = -s->skew[j][i];
}

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];
}

static void times(const double a[SHAPES][SHAPES], const double *x, double *out)
{
    for (int i = 0; i < SHAPES; i++)
        out[i] = dot(a[i], x);
}

/* M(p) w - f(p, v) without the multipliers; p, v, w = two angles, the slider, the shapes. */
static void motion(const shapes *s, const double *p, const double *v, const double *w, double *r)
{
    const double *q = p + 3, *vq = v + 3, *wq = w + 3, sine = sin(p[0] - p[1]),
                 cosine = cos(p[0] - p[1]);
    double mq[SHAPES], bv[SHAPES], kq[SHAPES], a1[SHAPES], a2[SHAPES], bq[SHAPES];
    times(s->mass, q, mq);
    times(s->skew, vq, bv);
    times(s->skew, q, bq);
    times(s->stiffness, q, kq);
    for (int i = 0; i < SHAPES; i++) {
        a1[i] = rho * crank_length * (cosine * s->c2[i] - sine * s->c1[i]);
        a2[i] = rho * (s->c21[i] - bq[i]);
    }
    double c1q = dot(s->c1, q), c2q = dot(s->c2, q);
    double a12 = 0.5 * crank_length * rod_length * rod_mass * cosine +
                 rho * crank_length * (sine * c2q + cosine * c1q);
    double swing = 0.5 * crank_length * rod_length * rod_mass * sine +
                   rho * crank_length * (sine * c1q - cosine * c2q);
    r[0] = (crank_inertia + rod_mass * crank_length * crank_length) * w[0] + a12 * w[1] +
           dot(a1, wq) + v[1] * v[1] * swing +
           2.0 * rho * crank_length * v[1] * (cosine * dot(s->c1, vq) + sine * dot(s->c2, vq));
    r[1] = a12 * w[0] + (rod_inertia + dot(q, mq) + 2.0 * rho * dot(s->c12, q)) * w[1] +
           dot(a2, wq) - v[0] * v[0] * swing + 2.0 * v[1] * (rho * dot(s->c12, vq) + dot(vq, mq)) +
           rho * dot(vq, bv);
    r[2] = slider_mass * w[2];
    times(s->mass, wq, r + 3);
    for (int i = 0; i < SHAPES; i++) {
        double pull = crank_length * v[0] * v[0] * (cosine * s->c1[i] + sine * s->c2[i]);
        r[3 + i] += a1[i] * w[0] + a2[i] * w[1] + kq[i] - v[1] * v[1] * mq[i] -
                    rho * (v[1] * v[1] * s->c12[i] + pull + 2.0 * v[1] * bv[i]);
    }
}

static int crank_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    const double *p = y, *v = y + 7, *w = y + 14, *lambda = y + 21;
    const double reach = rod_length + p[6];
    shapes s;
    set_shapes(&s);
    for (int i = 0; i < 7; i++) {
        r[i] = yp[i] - v[i];
        r[7 + i] = yp[7 + i] - w[i];
    }
    motion(&s, p, v, w, r + 14);
    r[14] += crank_length * (cos(p[0]) * lambda[0] + sin(p[0]) * lambda[1]) + lambda[2];
    r[15] += reach * (cos(p[1]) * lambda[0] + sin(p[1]) * lambda[1]);
    r[16] += lambda[1];
    r[20] += sin(p[1]) * lambda[0] - cos(p[1]) * lambda[1];
    r[21] = crank_length * cos(p[0]) * v[0] + reach * cos(p[1]) * v[1] + sin(p[1]) * v[6];
    r[22] = crank_length * sin(p[0]) * v[0] + reach * sin(p[1]) * v[1] + v[2] - cos(p[1]) * v[6];
    r[23] = v[0] - speed;
    return DAEDAL_CALL_OK;
}

enum { UNKNOWNS = 24 };

static const double crank_y0[UNKNOWNS] = {0.0,
                                          0.0,
                                          0.450016933,
                                          0.0,
                                          0.0,
                                          1.03339863e-05,
                                          1.69327969e-05,
                                          150.0,
                                          -74.995767,
                                          -2.68938672e-06,
                                          0.444896105,
                                          0.00463434311,
                                          -1.78591076e-06,
                                          -2.68938672e-06,
                                          0.0,
                                          -0.001344541576008661,
                                          -5062.194923138079,
                                          -6.833142732779555e-05,
                                          1.449382650173157e-08,
                                          -4.268463211410861,
                                          0.2098334687947376,
                                          -6.397251492537153e-08,
                                          382.4589508329281,
                                          -4.376060460948886e-09};
static const double crank_yp0[UNKNOWNS] = {150.0,
                                           -74.995767,
                                           -2.68938672e-06,
                                           0.444896105,
                                           0.00463434311,
                                           -1.78591076e-06,
                                           -2.68938672e-06,
                                           0.0,
                                           -0.001344541576008661,
                                           -5062.194923138079,
                                           -6.833142732779555e-05,
                                           1.449382650173157e-08,
                                           -4.268463211410861,
                                           0.2098334687947376};
static const double crank_reference[UNKNOWNS] = {15.0,
                                                 -0.3311734988256299,
                                                 0.16973733284307213,
                                                 0.00018931928997009405,
                                                 2.375751249986639e-05,
                                                 -5.323896770748607e-06,
                                                 -8.363313278807773e-06,
                                                 150.0,
                                                 60.25346755131835,
                                                 -8.753116326704163,
                                                 -0.03005541399852557,
                                                 -0.005500431801332845,
                                                 0.000497411179464648,
                                                 0.0011055599936031179,
                                                 0.0,
                                                 6488.73754112498,
                                                 2167.9386293377374,
                                                 33.9113706212163,
                                                 0.1715134343023,
                                                 -1.422449326175413,
                                                 1.00394626518524,
                                                 -62.329358327736784,
                                                 -163.79209932372473,
                                                 25.298579470003066};
static const int32_t crank_counted[] = {0, 1, 2, 3, 4, 5, 6};
static const int32_t crank_index[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                      1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
static const int32_t crank_kind[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                     1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};

const problem *problems_crank(int i)
{
    static const problem crank = {.name = "crank_ind2",
                                  .title = "Slider crank with an elastic rod, index 2",
                                  .source =
                                      "Test Set for IVP Solvers (CWI/Bari), release 2.4 (crank)",
                                  .n = UNKNOWNS,
                                  .residual = crank_residual,
                                  .t_end = 0.1,
                                  .y0 = crank_y0,
                                  .yp0 = crank_yp0,
                                  .rounded_start = true, /* nine digits */
                                  .reference = crank_reference,
                                  .counted = {crank_counted, 7},
                                  .atol_factor = 1.0,
                                  .kind = crank_kind,
                                  .index = crank_index,
                                  .collections = PROBLEM_HIGH_INDEX};
    return i == 0 ? &crank : NULL;
}
