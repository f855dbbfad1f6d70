/* support/order_problems.c - see order_problems.h. */
#include "order_problems.h"

#include <math.h>

/* ---- constant coefficients ------------------------------------------------------------- */

enum { CHAIN_MAX = 4 };

static int canonical(double t, const double *y, const double *yp, double *r, void *user)
{
    int32_t n = *(const int32_t *)user;
    r[0] = y[0] - sin(t);
    for (int32_t i = 1; i < n; i++)
        r[i] = yp[i - 1] - y[i];
    return DAEDAL_CALL_OK;
}

static void canonical_exact(double t, double *y, void *user)
{
    const double derivatives[] = {sin(t), cos(t), -sin(t), -cos(t)};
    for (int32_t i = 0; i < *(const int32_t *)user; i++)
        y[i] = derivatives[i];
}

trial_problem problem_canonical(int32_t n)
{
    static int32_t sizes[] = {0, 1, 2, 3, 4};
    static const int32_t variable_index[] = {1, 2, 3, 4};
    return (trial_problem){.sys = {.n = n, .residual = canonical, .user = &sizes[n]},
                           .t_end = 1.0,
                           .variable_index = variable_index,
                           .exact = canonical_exact};
}

static double input(int32_t i, double t, int32_t derivative)
{
    double rate = 1.0 + 0.2 * i; /* sin(rate t + i) and its derivatives */
    return pow(rate, derivative) * sin(rate * t + i + derivative * asin(1.0));
}

static int chain(double t, const double *y, const double *yp, double *r, void *user)
{
    int32_t index = *(const int32_t *)user;
    for (int32_t i = 0; i < index; i++)
        r[i] = (i == 0 ? 0.0 : yp[i - 1]) + input(i, t, 0) - y[i];
    r[index] = yp[index] + y[index];
    return DAEDAL_CALL_OK;
}

static int chain_jacobian(double t, const double *y, const double *yp, double c, double *values,
                          void *user)
{
    int32_t index = *(const int32_t *)user, n = index + 1;
    (void)t;
    (void)y;
    (void)yp;
    for (int32_t i = 0; i < index; i++) {
        values[i * n + i] = -1.0;
        if (i > 0)
            values[(i - 1) * n + i] = c;
    }
    values[index * n + index] = c + 1.0;
    return DAEDAL_CALL_OK;
}

static void chain_exact(double t, double *y, void *user)
{
    int32_t index = *(const int32_t *)user;
    for (int32_t i = 0; i < index; i++) {
        y[i] = 0.0;
        for (int32_t j = 0; j <= i; j++)
            y[i] += input(j, t, i - j);
    }
    y[index] = exp(-t);
}

trial_problem problem_chain(int32_t index)
{
    static int32_t indices[] = {0, 1, 2, 3};
    static const int32_t variable_index[][CHAIN_MAX] = {{0}, {1, 0}, {1, 2, 0}, {1, 2, 3, 0}};
    return (trial_problem){.sys = {.n = index + 1,
                                   .residual = chain,
                                   .jacobian = chain_jacobian,
                                   .user = &indices[index]},
                           .t_end = 1.0,
                           .variable_index = variable_index[index],
                           .exact = chain_exact};
}

/* ---- index 1 ----------------------------------------------------------------------------------
 */

static int coupled(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - t * yp[1] + y[0] - (1.0 + t) * y[1];
    r[1] = y[1] - sin(t);
    return DAEDAL_CALL_OK;
}

static void coupled_exact(double t, double *y, void *user)
{
    (void)user;
    y[0] = exp(-t) + t * sin(t);
    y[1] = sin(t);
}

trial_problem problem_coupled(void)
{
    return (trial_problem){
        .sys = {.n = 2, .residual = coupled}, .t_end = 1.0, .exact = coupled_exact};
}

static int implicit_index_one(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double w = yp[0] + t * yp[1], right = -exp(-t) - t * sin(t);
    r[0] = w * w * w + w - (right * right * right + right) + (y[0] * y[1] - exp(-t) * cos(t));
    r[1] = y[1] + 0.5 * y[0] * y[0] - cos(t) - 0.5 * exp(-2.0 * t);
    return DAEDAL_CALL_OK;
}

static void implicit_exact(double t, double *y, void *user)
{
    (void)user;
    y[0] = exp(-t);
    y[1] = cos(t);
}

trial_problem problem_implicit(void)
{
    return (trial_problem){
        .sys = {.n = 2, .residual = implicit_index_one}, .t_end = 1.0, .exact = implicit_exact};
}

static int semi_explicit(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0] - 0.5 * y[1];
    r[1] = y[1] + y[0] * y[0] - sin(t);
    return DAEDAL_CALL_OK;
}

static void semi_explicit_slope(double t, const double *y, double *slope, void *user)
{
    (void)user;
    slope[0] = -y[0] + 0.5 * (sin(t) - y[0] * y[0]);
}

static void semi_explicit_exact(double t, double *y, void *user)
{
    y[0] = 0.5;
    reference_ode(semi_explicit_slope, user, 1, 0.0, t, y);
    y[1] = sin(t) - y[0] * y[0];
}

trial_problem problem_semi_explicit(void)
{
    return (trial_problem){
        .sys = {.n = 2, .residual = semi_explicit}, .t_end = 1.0, .exact = semi_explicit_exact};
}

static int stiff_pair(double t, const double *y, const double *yp, double *r, void *user)
{
    double eps = *(const double *)user;
    r[0] = yp[0] - y[1];
    r[1] = eps * yp[1] + y[1] - t * t - 2.0 * eps * t;
    return DAEDAL_CALL_OK;
}

static void stiff_pair_exact(double t, double *y, void *user)
{
    (void)user;
    y[0] = t * t * t / 3.0;
    y[1] = t * t;
}

trial_problem problem_stiff_pair(double *eps)
{
    return (trial_problem){.sys = {.n = 2, .residual = stiff_pair, .user = eps},
                           .t_end = 1.0,
                           .exact = stiff_pair_exact};
}

/* ---- the pendulum ------------------------------------------------------------------------------
 */

const pendulum PENDULUM_RISING = {-1.0, 1.0, 3};
const pendulum PENDULUM_VELOCITY = {1.0, 0.0, 2}, PENDULUM_POSITION = {1.0, 0.0, 3},
               PENDULUM_STABILIZED = {1.0, 0.0, PENDULUM_GGL};

static int pendulum_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const pendulum *p = user;
    (void)t;
    double m = p->level == PENDULUM_GGL ? y[5] : 0.0;
    r[0] = yp[0] - y[2] + m * y[0];
    r[1] = yp[1] - y[3] + m * y[1];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + p->gravity;
    double place = 1.0 - y[0] * y[0] - y[1] * y[1], speed = y[0] * y[2] + y[1] * y[3];
    r[4] = p->level == 2 || p->level == PENDULUM_GGL ? speed : 0.5 * place;
    if (p->level == 1)
        r[4] = y[2] * y[2] + y[3] * y[3] - y[4] - p->gravity * y[1];
    if (p->level == PENDULUM_GGL)
        r[5] = 0.5 * place;
    return DAEDAL_CALL_OK;
}

/* The angle a, x = cos a, y = sin a: a'' = -gravity cos a. */
static void swing(double t, const double *a, double *slope, void *user)
{
    (void)t;
    slope[0] = a[1];
    slope[1] = -((const pendulum *)user)->gravity * cos(a[0]);
}

static void pendulum_exact(double t, double *y, void *user)
{
    const pendulum *p = user;
    double a[2] = {0.0, p->v0};
    reference_ode(swing, user, 2, 0.0, t, a);
    y[0] = cos(a[0]);
    y[1] = sin(a[0]);
    y[2] = -a[1] * sin(a[0]);
    y[3] = a[1] * cos(a[0]);
    y[4] = a[1] * a[1] - p->gravity * y[1];
    if (p->level == PENDULUM_GGL)
        y[5] = 0.0;
}

trial_problem problem_pendulum(const pendulum *which)
{
    static const int32_t variable_index[][6] = {
        [1] = {0, 0, 0, 0, 1},
        [2] = {1, 1, 1, 1, 2},
        [3] = {1, 1, 2, 2, 3},
        [PENDULUM_GGL] = {1, 1, 1, 1, 2, 2},
    };
    return (trial_problem){.sys = {.n = which->level == PENDULUM_GGL ? 6 : 5,
                                   .residual = pendulum_residual,
                                   .user = (void *)(uintptr_t)which},
                           .t_end = 1.0,
                           .variable_index = variable_index[which->level],
                           .exact = pendulum_exact};
}
