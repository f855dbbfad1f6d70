/* support/problems_high_index.c - mechanical systems with constraints on positions.
 * Contents: pendulum_ind2, pendulum_ind3, caraxis.
 * Depends on: support/problems.h.                                                 */
#include "problems.h"

#include <math.h>

/* ---- the pendulum of length one, x' = u, y' = v, with the multiplier of the rod ------- */

static void pendulum_motion(const double *y, const double *yp, double *r)
{
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 1.0;
}

static int pendulum_ind3_residual(double t, const double *y, const double *yp, double *r,
                                  void *user)
{
    (void)t, (void)user;
    pendulum_motion(y, yp, r);
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static int pendulum_ind2_residual(double t, const double *y, const double *yp, double *r,
                                  void *user)
{
    (void)t, (void)user;
    pendulum_motion(y, yp, r);
    r[4] = y[0] * y[2] + y[1] * y[3];
    return DAEDAL_CALL_OK;
}

static const double pendulum_y0[] = {1.0, 0.0, 0.0, 0.0, 0.0};
static const double pendulum_yp0[] = {0.0, 0.0, 0.0, -1.0, 0.0};
static const int32_t pendulum_kind[] = {1, 1, 1, 1, 2};

/* ---- caraxis: two wheels, one of them on a bump ---------------------------------------- */

static int caraxis_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double eps = 0.01, mass = 10.0, length = 1.0, rest = 0.5, bump = 0.1, rate = 10.0;
    const double km = mass * eps * eps / 2.0, yb = bump * sin(rate * t);
    const double xb = sqrt(length * length - yb * yb);
    const double xl = y[0], yl = y[1], xr = y[2], yr = y[3];
    const double left = hypot(xl, yl), right = hypot(xr - xb, yr - yb);
    for (int i = 0; i < 4; i++)
        r[i] = yp[i] - y[4 + i];
    r[4] = km * yp[4] - (rest - left) * xl / left - y[8] * xb - 2.0 * y[9] * (xl - xr);
    r[5] = km * (yp[5] + 1.0) - (rest - left) * yl / left - y[8] * yb - 2.0 * y[9] * (yl - yr);
    r[6] = km * yp[6] - (rest - right) * (xr - xb) / right + 2.0 * y[9] * (xl - xr);
    r[7] = km * (yp[7] + 1.0) - (rest - right) * (yr - yb) / right + 2.0 * y[9] * (yl - yr);
    r[8] = xl * xb + yl * yb;
    r[9] = (xl - xr) * (xl - xr) + (yl - yr) * (yl - yr) - length * length;
    return DAEDAL_CALL_OK;
}

static const double caraxis_y0[] = {0.0, 0.5, 1.0, 0.5, -0.5, 0.0, -0.5, 0.0, 0.0, 0.0};
static const double caraxis_yp0[] = {-0.5, 0.0, -0.5, 0.0, 0.0, -1.0, 0.0, -1.0, 0.0515, 0.012875};
static const int32_t caraxis_counted[] = {0, 1, 2, 3};
static const int32_t caraxis_index[] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3};
static const int32_t caraxis_kind[] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2};
static const double caraxis_reference[] = {
    0.049345578427524094, 0.4969894602300081,   1.0417425248854262,  0.3739110272653658,
    -0.07705836840359208, 0.007446866592068416, 0.01755681575354171, 0.7703410437796011,
    -0.00473688659085362, -0.0011046803312597};

/* ---- the table ------------------------------------------------------------------------- */

static const problem table[] = {
    {.name = "pendulum_ind2",
     .title = "Pendulum with the constraint on velocities",
     .source = "Brenan, Campbell, Petzold, Numerical Solution of IVPs in DAEs, chapter 6",
     .n = 5,
     .residual = pendulum_ind2_residual,
     .t_end = 1.0,
     .y0 = pendulum_y0,
     .yp0 = pendulum_yp0,
     .atol_factor = 1.0,
     .kind = pendulum_kind},
    {.name = "pendulum_ind3",
     .title = "Pendulum with the constraint on positions",
     .source = "Brenan, Campbell, Petzold, Numerical Solution of IVPs in DAEs, chapter 6",
     .n = 5,
     .residual = pendulum_ind3_residual,
     .t_end = 1.0,
     .y0 = pendulum_y0,
     .yp0 = pendulum_yp0,
     .atol_factor = 1.0,
     .kind = pendulum_kind},
    {.name = "caraxis",
     .title = "Car axis, index 3",
     .source = "Test Set for IVP Solvers (CWI/Bari), release 2.4 (caraxis)",
     .n = 10,
     .residual = caraxis_residual,
     .t_end = 3.0,
     .y0 = caraxis_y0,
     .yp0 = caraxis_yp0,
     .reference = caraxis_reference,
     .counted = {caraxis_counted, 4},
     .atol_factor = 1.0,
     .kind = caraxis_kind,
     .index = caraxis_index,
     .collections = PROBLEM_HIGH_INDEX},
};

const problem *problems_high_index(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
