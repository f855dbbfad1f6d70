/* support/problems_mechanics.c - oscillators: pendulum, Van der Pol, stiff vibrations.
 * Contents: pendulum_ind1, pendulum10_ind3, vdpol, vdpol_mu1000, oscdrv, oscB5.
 * Depends on: support/problems.h.                                                 */
#include "problems.h"

#include <math.h>

/* Entry (i, j) of an n x n matrix by columns, in a Jacobian callback. */
#define J(n, i, j) values[(j) * (n) + (i)]

/* ---- pendulum_ind1: Cartesian, constraint at acceleration level ------------------ */

static const double gravity = 9.81;

/* y = (x, y, u, v, lambda): x'' = -lambda x, y'' = -lambda y - g, and twice
 * differentiated x^2 + y^2 = 1 with the accelerations inserted.                   */
static int pendulum_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + gravity;
    r[4] = y[2] * y[2] + y[3] * y[3] - y[4] * (y[0] * y[0] + y[1] * y[1]) - gravity * y[1];
    return DAEDAL_CALL_OK;
}

static int pendulum_jacobian(double t, const double *y, const double *yp, double c, double *values,
                             void *user)
{
    (void)t, (void)yp, (void)user;
    for (int i = 0; i < 4; i++)
        J(5, i, i) = c;
    J(5, 0, 2) = J(5, 1, 3) = -1.0;
    J(5, 2, 0) = J(5, 3, 1) = y[4];
    J(5, 2, 4) = y[0];
    J(5, 3, 4) = y[1];
    J(5, 4, 0) = -2.0 * y[4] * y[0];
    J(5, 4, 1) = -2.0 * y[4] * y[1] - gravity;
    J(5, 4, 2) = 2.0 * y[2];
    J(5, 4, 3) = 2.0 * y[3];
    J(5, 4, 4) = -(y[0] * y[0] + y[1] * y[1]);
    return DAEDAL_CALL_OK;
}

/* The same with x^2 + y^2 = 1 itself. */
static int pendulum3_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    pendulum_residual(t, y, yp, r, user);
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static int pendulum3_jacobian(double t, const double *y, const double *yp, double c, double *values,
                              void *user)
{
    pendulum_jacobian(t, y, yp, c, values, user);
    for (int j = 0; j < 5; j++)
        J(5, 4, j) = j < 2 ? 2.0 * y[j] : 0.0;
    return DAEDAL_CALL_OK;
}

static const int32_t pendulum_kind[] = {1, 1, 1, 1, 2};
static const int32_t pendulum_counted[] = {0, 1};
static const double pendulum_y0[] = {1.0, 0.0, 0.0, 0.0, 0.0};
static const double pendulum_yp0[] = {0.0, 0.0, 0.0, -9.81, 0.0};
static const double pendulum_reference[] = {0.275087462576116860051, -0.9614192050991250642662,
                                            -4.17559810095172883641, -1.1947490545604752718,
                                            28.294567206067249};

/* ---- vdpol (slow time, eps = 1e-6) and vdpol_mu1000 ------------------------------ */

static const double vdpol_eps = 1e-6, vdpol_mu = 1000.0;

static int vdpol_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - ((1.0 - y[0] * y[0]) * y[1] - y[0]) / vdpol_eps;
    return DAEDAL_CALL_OK;
}

static int vdpol_jacobian(double t, const double *y, const double *yp, double c, double *values,
                          void *user)
{
    (void)t, (void)yp, (void)user;
    J(2, 0, 0) = c;
    J(2, 0, 1) = -1.0;
    J(2, 1, 0) = (2.0 * y[0] * y[1] + 1.0) / vdpol_eps;
    J(2, 1, 1) = c - (1.0 - y[0] * y[0]) / vdpol_eps;
    return DAEDAL_CALL_OK;
}

static int vdpol_mu_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - vdpol_mu * (1.0 - y[0] * y[0]) * y[1] + y[0];
    return DAEDAL_CALL_OK;
}

static int vdpol_mu_jacobian(double t, const double *y, const double *yp, double c, double *values,
                             void *user)
{
    (void)t, (void)yp, (void)user;
    J(2, 0, 0) = c;
    J(2, 0, 1) = -1.0;
    J(2, 1, 0) = 2.0 * vdpol_mu * y[0] * y[1] + 1.0;
    J(2, 1, 1) = c - vdpol_mu * (1.0 - y[0] * y[0]);
    return DAEDAL_CALL_OK;
}

static const double vdpol_y0[] = {2.0, 0.0};
static const double vdpol_yp0[] = {0.0, -2e6};
static const double vdpol_mu_yp0[] = {0.0, -2.0};
static const double vdpol_reference[] = {1.706167732170465008478, -0.8928097010248165479455};
static const double vdpol_mu_reference[] = {1.706167732170465008478, -8.928097010248165479455e-4};

/* ---- oscdrv: a stiff, weakly damped vibration driven along its slow solution ----- */

static const double drive_w = 1000.0, drive_damping = 0.02;

static int oscdrv_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double s = sin(t);
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + drive_w * drive_w * (y[0] - s) +
           2.0 * drive_damping * drive_w * (y[1] - cos(t)) + s;
    return DAEDAL_CALL_OK;
}

static int oscdrv_jacobian(double t, const double *y, const double *yp, double c, double *values,
                           void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    J(2, 0, 0) = c;
    J(2, 0, 1) = -1.0;
    J(2, 1, 0) = drive_w * drive_w;
    J(2, 1, 1) = c + 2.0 * drive_damping * drive_w;
    return DAEDAL_CALL_OK;
}

static const double oscdrv_y0[] = {0.0, 1.0};
static const double oscdrv_yp0[] = {1.0, 0.0};
static const double oscdrv_reference[] = {0.91294525072762765438, 0.40808206181339198606};

/* ---- oscB5: stiff detest problem B5, eigenvalues -10 +- 100i and four real ones --- */

static const double b5_decay[] = {10.0, 10.0, 4.0, 1.0, 0.5, 0.1};

static int oscb5_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < 6; i++)
        r[i] = yp[i] + b5_decay[i] * y[i];
    r[0] -= 100.0 * y[1];
    r[1] += 100.0 * y[0];
    return DAEDAL_CALL_OK;
}

static int oscb5_jacobian(double t, const double *y, const double *yp, double c, double *values,
                          void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    for (int i = 0; i < 6; i++)
        J(6, i, i) = c + b5_decay[i];
    J(6, 0, 1) = -100.0;
    J(6, 1, 0) = 100.0;
    return DAEDAL_CALL_OK;
}

static const double oscb5_y0[] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
static const double oscb5_yp0[] = {90.0, -110.0, -4.0, -1.0, -0.5, -0.1};
/* The vibration has decayed to exp(-200); the others are exp(-20 b5_decay). */
static const double oscb5_reference[] = {0.0,
                                         0.0,
                                         1.8048513878454153e-35,
                                         2.0611536224385578e-9,
                                         4.5399929762484852e-5,
                                         0.13533528323661269};

/* ---- the table ------------------------------------------------------------------- */

static const int32_t pendulum3_index[] = {1, 1, 2, 2, 3};

static const problem table[] = {
    {.name = "pendulum10_ind3",
     .title = "Planar pendulum, constraint at position level, 10 s",
     .source = "reference as for pendulum_ind1",
     .n = 5,
     .residual = pendulum3_residual,
     .jacobian = pendulum3_jacobian,
     .t_end = 10.0,
     .y0 = pendulum_y0,
     .yp0 = pendulum_yp0,
     .reference = pendulum_reference,
     .counted = {pendulum_counted, 2},
     .atol_factor = 1.0,
     .kind = pendulum_kind,
     .index = pendulum3_index,
     .collections = PROBLEM_HIGH_INDEX},
    {.name = "pendulum_ind1",
     .title = "Planar pendulum, constraint at acceleration level, 10 s",
     .source = "standard textbook example; reference computed for the collection",
     .n = 5,
     .residual = pendulum_residual,
     .jacobian = pendulum_jacobian,
     .t_end = 10.0,
     .y0 = pendulum_y0,
     .yp0 = pendulum_yp0,
     .reference = pendulum_reference,
     .counted = {pendulum_counted, 2},
     .atol_factor = 1.0,
     .kind = pendulum_kind,
     .collections = PROBLEM_MAIN},
    {.name = "vdpol",
     .title = "Van der Pol, eps = 1e-6",
     .source = "Test Set for IVP Solvers (CWI/Bari), release 2.4 (vdpol)",
     .n = 2,
     .residual = vdpol_residual,
     .jacobian = vdpol_jacobian,
     .t_end = 2.0,
     .y0 = vdpol_y0,
     .yp0 = vdpol_yp0,
     .reference = vdpol_reference,
     .atol_factor = 1.0,
     .collections = PROBLEM_MAIN},
    {.name = "vdpol_mu1000",
     .title = "Van der Pol, mu = 1000 scaling",
     .source = "Test Set for IVP Solvers (CWI/Bari), release 2.4 (vdpolm)",
     .n = 2,
     .residual = vdpol_mu_residual,
     .jacobian = vdpol_mu_jacobian,
     .t_end = 2000.0,
     .y0 = vdpol_y0,
     .yp0 = vdpol_mu_yp0,
     .reference = vdpol_mu_reference,
     .atol_factor = 1.0,
     .collections = PROBLEM_HELD_OUT},
    {.name = "oscdrv",
     .title = "Driven stiff oscillator, w = 1000, on its slow solution sin t",
     .source = "constructed for the project's BDF study; closed form",
     .n = 2,
     .residual = oscdrv_residual,
     .jacobian = oscdrv_jacobian,
     .t_end = 20.0,
     .y0 = oscdrv_y0,
     .yp0 = oscdrv_yp0,
     .reference = oscdrv_reference,
     .atol_factor = 1.0,
     .collections = PROBLEM_HELD_OUT},
    {.name = "oscB5",
     .title = "B5 (stiff detest), eigenvalues -10 +- 100i",
     .source = "Enright, Hull, Lindberg: stiff detest, class B; closed form",
     .n = 6,
     .residual = oscb5_residual,
     .jacobian = oscb5_jacobian,
     .t_end = 20.0,
     .y0 = oscb5_y0,
     .yp0 = oscb5_yp0,
     .reference = oscb5_reference,
     .norm = DIGITS_MAX_NORM, /* most components have decayed */
     .atol_factor = 1.0,
     .collections = PROBLEM_HELD_OUT},
};

const problem *problems_mechanics(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
