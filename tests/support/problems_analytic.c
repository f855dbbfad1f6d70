/* support/problems_analytic.c - one or two unknowns with a closed-form solution.
 * Contents: brenan_index1, weissinger, kamke_542.
 * Depends on: support/problems.h.                                                 */
#include "problems.h"

#include <math.h>

/* ---- brenan_index1: linear, derivatives in a combination with t ------------------ */

static int brenan_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - t * yp[1] + y[0] - (1.0 + t) * y[1];
    r[1] = y[1] - sin(t);
    return DAEDAL_CALL_OK;
}

static int brenan_jacobian(double t, const double *y, const double *yp, double c, double *values,
                           void *user)
{
    (void)y, (void)yp, (void)user;
    values[0] = c + 1.0;
    values[2] = -c * t - (1.0 + t);
    values[3] = 1.0;
    return DAEDAL_CALL_OK;
}

static const double brenan_y0[] = {1.0, 0.0};
static const double brenan_yp0[] = {-1.0, 1.0};
static const double brenan_reference[] = {-5.440165708963935649196, -0.5440211108893698134047};

/* ---- weissinger: cubic in y', solution sqrt(t^2 + 1/2) --------------------------- */

static int weissinger_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double q = yp[0], square = y[0] * y[0];
    r[0] = t * square * q * q * q - square * y[0] * q * q + t * (t * t + 1.0) * q - t * t * y[0];
    return DAEDAL_CALL_OK;
}

static int weissinger_jacobian(double t, const double *y, const double *yp, double c,
                               double *values, void *user)
{
    (void)user;
    const double q = yp[0], square = y[0] * y[0];
    const double by_y = 2.0 * t * y[0] * q * q * q - 3.0 * square * q * q - t * t;
    const double by_yp = 3.0 * t * square * q * q - 2.0 * square * y[0] * q + t * (t * t + 1.0);
    values[0] = by_y + c * by_yp;
    return DAEDAL_CALL_OK;
}

static const double weissinger_y0[] = {1.2247448713915890490986420373529457};
static const double weissinger_yp0[] = {0.816496580927726032732428};
static const double weissinger_reference[] = {10.02496882788171067538};

/* ---- kamke_542: cubic in y', solution sqrt(t + 2) -------------------------------- */

static int kamke_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double q = yp[0];
    r[0] = 16.0 * y[0] * y[0] * q * q * q + 2.0 * t * q - y[0];
    return DAEDAL_CALL_OK;
}

static int kamke_jacobian(double t, const double *y, const double *yp, double c, double *values,
                          void *user)
{
    (void)user;
    const double q = yp[0];
    const double by_y = 32.0 * y[0] * q * q * q - 1.0;
    const double by_yp = 48.0 * y[0] * y[0] * q * q + 2.0 * t;
    values[0] = by_y + c * by_yp;
    return DAEDAL_CALL_OK;
}

static const double kamke_y0[] = {1.41421356237309504880168872420969808};
static const double kamke_yp0[] = {0.3535533905932737622004222};
static const double kamke_reference[] = {31.65438358268882796537};

/* ---- the table ------------------------------------------------------------------- */

static const problem table[] = {
    {.name = "brenan_index1",
     .title = "Linear index-1 DAE with derivatives in a combination",
     .source = "Brenan, Campbell, Petzold, Numerical Solution of IVPs in DAEs, chapter 4",
     .n = 2,
     .residual = brenan_residual,
     .jacobian = brenan_jacobian,
     .t_end = 10.0,
     .y0 = brenan_y0,
     .yp0 = brenan_yp0,
     .reference = brenan_reference,
     .atol_factor = 1.0,
     .collections = PROBLEM_HELD_OUT},
    {.name = "weissinger",
     .title = "Weissinger's implicit equation, cubic in y'",
     .source = "Kamke I.543",
     .n = 1,
     .residual = weissinger_residual,
     .jacobian = weissinger_jacobian,
     .t0 = 1.0,
     .t_end = 10.0,
     .y0 = weissinger_y0,
     .yp0 = weissinger_yp0,
     .reference = weissinger_reference,
     .atol_factor = 1.0,
     .collections = PROBLEM_HELD_OUT},
    {.name = "kamke_542",
     .title = "Implicit equation, cubic in y'",
     .source = "Kamke I.542",
     .n = 1,
     .residual = kamke_residual,
     .jacobian = kamke_jacobian,
     .t_end = 1000.0,
     .y0 = kamke_y0,
     .yp0 = kamke_yp0,
     .reference = kamke_reference,
     .atol_factor = 1.0,
     .collections = PROBLEM_HELD_OUT},
};

const problem *problems_analytic(int i)
{
    return i < (int)(sizeof table / sizeof table[0]) ? &table[i] : NULL;
}
