/* start/slopes.c - derivatives that F does not determine; see consistent.h.
 *
 * F(t0, y, y') = 0 says nothing about the y' of algebraic variables, but the first
 * prediction uses it.  One implicit Euler step of tiny size h gives it to O(h):
 * (1/h dF/dy' + dF/dy) e = -F(t0 + h, y + h y', y'), y' + e/h.                   */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"
#include "start/consistent.h"

/* Moves y by about a thousandth of its weight. */
static double tiny_step(const start_problem *p)
{
    double speed = vector_wrms(p->yp, p->inverse_weight, p->matrix->ev->n);
    double h = 1e-3 * p->time_scale;
    return copysign(speed * h > 1e-3 ? 1e-3 / speed : h, p->direction);
}

daedal_status start_estimate_slopes(const start_problem *p, const bool *is_differential)
{
    iteration_matrix *m = p->matrix;
    int32_t n = m->ev->n;
    bool all = true;
    for (int32_t j = 0; j < n; j++)
        all = all && is_differential[j];
    if (all)
        return DAEDAL_OK;
    double *e = memory_take_array(p->allocator, 2 * (size_t)n, sizeof(double));
    if (!e)
        return fail(p->why, DAEDAL_ERR_MEMORY, "out of memory at the start");
    double *y = e + n, h = tiny_step(p);
    for (int32_t j = 0; j < n; j++)
        y[j] = p->y[j] + (is_differential[j] ? h * p->yp[j] : 0.0);
    for (int32_t j = 0; j < n; j++)
        if (!is_differential[j])
            p->yp[j] = 0.0;
    matrix_point at = {p->t, h, p->y, p->yp, NULL, p->inverse_weight};
    /* a failure here only costs the estimate: the slopes stay zero */
    if (matrix_evaluate(m, &at) == DAEDAL_CALL_OK && matrix_factor(m, 1.0 / h) == DAEDAL_OK &&
        evaluator_residual(m->ev, p->t + h, y, p->yp, e) == DAEDAL_CALL_OK) {
        matrix_solve(m, e);
        for (int32_t j = 0; j < n; j++)
            if (!is_differential[j] && isfinite(e[j]))
                p->yp[j] = -e[j] / h;
    }
    memory_give(p->allocator, e, 2 * (size_t)n * sizeof(double));
    return DAEDAL_OK;
}
