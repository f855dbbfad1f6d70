/* bench/further/further_mechanics.c - mechanisms with constraints: slider_ind3, chain_ind2,
 * chain_ind3.
 * Depends on: bench/further/further.h.                                            */
#include "further.h"

#include <math.h>

/* ---- slider_ind3: crank, connecting rod and slider ------------------------------------- */

/* Angles of crank and rod, place of the slider; speeds; accelerations; two multipliers. */
static const double slider_l1 = 0.3, slider_l2 = 0.7;
static const double slider_m1 = 2.0, slider_m2 = 3.0, slider_m3 = 1.5, slider_g = 9.81;

/* Inertia times acceleration without the forces, for the rows of the two angles. */
static void slider_inertia(const double *y, double *row)
{
    const double l1 = slider_l1, l2 = slider_l2, half = 0.5 * slider_m2 * l1 * l2;
    const double j1 = (slider_m1 / 3.0 + slider_m2) * l1 * l1, j2 = slider_m2 * l2 * l2 / 3.0;
    const double couple = half * cos(y[0] + y[1]), swing = half * sin(y[0] + y[1]);
    row[0] = j1 * y[6] - couple * y[7] + swing * y[4] * y[4];
    row[1] = j2 * y[7] - couple * y[6] + swing * y[3] * y[3];
}

static int slider_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double l1 = slider_l1, l2 = slider_l2, g = slider_g;
    const double ca = cos(y[0]), sa = sin(y[0]), cb = cos(y[1]), sb = sin(y[1]);
    for (int i = 0; i < 6; i++)
        r[i] = yp[i] - y[3 + i];
    slider_inertia(y, r + 6);
    r[6] -= 2.0 * sin(4.0 * t) - g * (0.5 * slider_m1 + slider_m2) * l1 * ca +
            l1 * (sa * y[9] - ca * y[10]);
    r[7] -= 0.5 * g * slider_m2 * l2 * cb + l2 * (sb * y[9] + cb * y[10]);
    r[8] = slider_m3 * y[8] + 20.0 * (y[2] - 0.8) + 0.5 * y[5] - y[9];
    r[9] = y[2] - l1 * ca - l2 * cb;
    r[10] = l1 * sa - l2 * sb;
    return DAEDAL_CALL_OK;
}

static void slider_start(double *y, double *yp)
{
    (void)yp; /* at rest; accelerations and multipliers follow */
    y[0] = 0.5;
    y[1] = asin(slider_l1 * sin(y[0]) / slider_l2);
    y[2] = slider_l1 * cos(y[0]) + slider_l2 * cos(y[1]);
}

/* ---- chain: ten point masses on rigid rods, let go -------------------------------------- */

enum { LINKS = 10 };

/* Places x, then z (downwards), speeds, multipliers.  The rows of motion. */
static void chain_motion(const double *y, const double *yp, double *r)
{
    const double *x = y, *z = y + LINKS, *pull = y + 4 * LINKS;
    for (int i = 0; i < 2 * LINKS; i++)
        r[i] = yp[i] - y[2 * LINKS + i];
    for (int i = 0; i < LINKS; i++) {
        double fx = -2.0 * pull[i] * (x[i] - (i > 0 ? x[i - 1] : 0.0));
        double fz = 1.0 - 2.0 * pull[i] * (z[i] - (i > 0 ? z[i - 1] : 0.0));
        if (i < LINKS - 1) {
            fx += 2.0 * pull[i + 1] * (x[i + 1] - x[i]);
            fz += 2.0 * pull[i + 1] * (z[i + 1] - z[i]);
        }
        r[2 * LINKS + i] = yp[2 * LINKS + i] - fx;
        r[3 * LINKS + i] = yp[3 * LINKS + i] - fz;
    }
}

static int chain_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    const further_spec *s = user;
    const double *x = y, *z = y + LINKS, *u = y + 2 * LINKS, *w = y + 3 * LINKS;
    const double length = 1.0 / LINKS;
    chain_motion(y, yp, r);
    for (int i = 0; i < LINKS; i++) {
        const double dx = x[i] - (i > 0 ? x[i - 1] : 0.0), dz = z[i] - (i > 0 ? z[i - 1] : 0.0);
        const double du = u[i] - (i > 0 ? u[i - 1] : 0.0), dw = w[i] - (i > 0 ? w[i - 1] : 0.0);
        const bool on_speeds = s->n_index[2] == 0; /* index 2 */
        r[4 * LINKS + i] =
            on_speeds ? 2.0 * (dx * du + dz * dw) : dx * dx + dz * dz - length * length;
    }
    return DAEDAL_CALL_OK;
}

/* A quarter of a circle's polygon, at rest: the first masses hang, the last stick out. */
static void chain_start(double *y, double *yp)
{
    (void)yp;
    double x = 0.0, z = 0.0;
    for (int i = 0; i < LINKS; i++) {
        const double angle = 0.5 * PI * (i + 0.5) / LINKS;
        x += sin(angle) / LINKS;
        z += cos(angle) / LINKS;
        y[i] = x;
        y[LINKS + i] = z;
    }
}

/* ---- the table ------------------------------------------------------------------------- */

static const further_spec table[] = {
    {.name = "slider_ind3",
     .title = "Slider crank of rigid bodies with a driving torque, index 3",
     .source = "Haug, Computer Aided Kinematics and Dynamics, slider crank",
     .n = 11,
     .residual = slider_residual,
     .start = slider_start,
     .t_end = 2.0,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM,
     .n_counted = 3,
     .n_index = {3, 3, 5}},
    {.name = "chain_ind2",
     .title = "Chain of 10 links, constraints on velocities",
     .source = "Hairer, Lubich, Roche, LNM 1409, multi-body systems",
     .n = 5 * LINKS,
     .residual = chain_residual,
     .start = chain_start,
     .t_end = 1.0,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM,
     .n_counted = 2 * LINKS,
     .n_index = {4 * LINKS, LINKS, 0}},
    {.name = "chain_ind3",
     .title = "Chain of 10 links, constraints on positions",
     .source = "Hairer, Lubich, Roche, LNM 1409, multi-body systems",
     .n = 5 * LINKS,
     .residual = chain_residual,
     .start = chain_start,
     .t_end = 1.0,
     .atol_factor = 1.0,
     .norm = DIGITS_MAX_NORM,
     .n_counted = 2 * LINKS,
     .n_index = {2 * LINKS, 2 * LINKS, LINKS}},
};

const further_spec *further_mechanics(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
