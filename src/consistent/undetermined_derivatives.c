/* consistent/undetermined_derivatives.c - derivatives that F does not determine; see
 * start_correction.h.
 *
 * F(t0, y, y') = 0 says nothing about the y' of algebraic variables, but the first
 * prediction uses it.  One implicit Euler step of tiny size h gives it to O(h):
 * (1/h dF/dy' + dF/dy) e = -F(t0 + h, y + h y', y'), y' + e/h.                   */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "consistent/start_correction.h"
#include "linalg/vector.h"

/* The shortest step in which time or a differential variable moves by many roundings. */
static double shortest_step(const start_problem *p, const bool *is_differential)
{
    const double roundings = 1e5;
    double shortest = fabs(p->t);
    for (int32_t j = 0; j < p->matrix->ev->n; j++)
        if (is_differential[j] && p->y[j] != 0.0 && p->yp[j] != 0.0)
            shortest = fmin(shortest, fabs(p->y[j] / p->yp[j]));
    return roundings * DBL_EPSILON * shortest;
}

/* An algebraic variable that passes zero fast has a tiny weight and would make the step so short
 * that nothing moves and all slopes are rounding errors.                          */
double start_tiny_step(const start_problem *p, const bool *is_differential)
{
    const double share = 1e-3; /* of the weight, and of the time scale */
    double speed = vector_wrms(p->yp, p->inverse_weight, p->matrix->ev->n);
    double h = share * p->time_scale;
    if (speed * h > share)
        h = fmin(h, fmax(share / speed, shortest_step(p, is_differential)));
    return copysign(fmin(h, 0.5 * fabs(p->t_limit - p->t)), p->direction);
}

/* A point where F is not defined only costs the estimate: the slopes stay zero. */
static daedal_status difference_quotients(const start_problem *p, const bool *is_differential,
                                          double h)
{
    iteration_matrix *m = p->matrix;
    int32_t n = m->ev->n;
    double *e = p->work->r;
    matrix_point at = {p->t, h, p->y, p->yp, NULL, p->inverse_weight};
    int answer = matrix_evaluate(m, &at);
    if (answer == DAEDAL_CALL_OK)
        answer = evaluator_residual(m->ev, p->t + h, p->work->y_trial, p->yp, e);
    if (answer == DAEDAL_CALL_STOP)
        return DAEDAL_STOPPED;
    if (answer == DAEDAL_CALL_FAIL)
        return evaluator_explain(m->ev, p->why);
    if (answer == DAEDAL_CALL_RETRY || matrix_factor(m, 1.0 / h) != DAEDAL_OK)
        return DAEDAL_OK;
    matrix_solve(m, e);
    for (int32_t j = 0; j < n; j++)
        if (!is_differential[j] && isfinite(e[j]))
            p->yp[j] = -e[j] / h;
    return DAEDAL_OK;
}

daedal_status start_estimate_derivatives(const start_problem *p, const bool *is_differential)
{
    int32_t n = p->matrix->ev->n;
    bool all = true;
    for (int32_t j = 0; j < n; j++)
        all = all && is_differential[j];
    if (all)
        return DAEDAL_OK;
    double h = start_tiny_step(p, is_differential);
    for (int32_t j = 0; j < n; j++)
        p->work->y_trial[j] = p->y[j] + (is_differential[j] ? h * p->yp[j] : 0.0);
    for (int32_t j = 0; j < n; j++)
        if (!is_differential[j])
            p->yp[j] = 0.0;
    return h != 0.0 ? difference_quotients(p, is_differential, h) : DAEDAL_OK;
}
