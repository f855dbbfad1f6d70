/* consistent/taylor_array.c - see taylor_array.h.
 *
 * F(t + s, y(t + s), y'(t + s)) has the coefficients r_k, where y has y_m.  With A_k and E_k those
 * of dF/dy and dF/dy', dr_k/dy_0 = A_k and dr_k/dy_1 = A_{k-1} + E_k (index/derivative_array.h):
 * central differences with respect to these two give all of them.                            */
#include "consistent/taylor_array.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double FACTORIAL[] = {1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0};
static const double ROUNDINGS = 4.0; /* of a coefficient, in the terms of F per time */

static int call(difference_array *x, double *r)
{
    evaluator *ev = x->p->matrix->ev;
    ev->stats->residuals++;
    int answer = ev->sys->taylor(x->level_max, x->p->t, x->coefficient, r, ev->sys->user);
    return evaluator_judge(ev, answer, "function for Taylor coefficients", x->p->t, r,
                           (x->level_max + 1) * x->n);
}

static void set_coefficients(difference_array *x, const double *unknown)
{
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t m = 0; m <= x->level_max + 1; m++)
            x->coefficient[m * x->n + j] =
                m <= x->d[j] ? unknown[x->col[j] + m] / FACTORIAL[m] : 0.0;
}

int taylor_array_values(difference_array *x, const double *unknown)
{
    set_coefficients(x, unknown);
    int answer = call(x, x->best);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    double per_time = 1.0;
    for (int32_t k = 0; k <= x->level_max; k++, per_time /= x->p->time_scale)
        for (int32_t i = 0; i < x->n; i++) {
            x->best[k * x->n + i] *= FACTORIAL[k];
            if (k <= x->c[i])
                x->noise[x->row[i] + k] =
                    ROUNDINGS * DBL_EPSILON * FACTORIAL[k] * per_time * x->size[i];
        }
    for (int32_t k = 1; k <= x->level_max; k++)
        x->doubt[k] = 0.0;
    x->roughness = 0.0;
    return DAEDAL_CALL_OK;
}

/* The derivative of all coefficients of F by coefficient m of y_j, into x->level.  A value that
 * passes zero is as large as what it becomes in some time. */
static int difference_by(difference_array *x, int32_t j, int32_t m)
{
    double *at = &x->coefficient[m * x->n + j], kept = *at;
    double soon = fabs(x->coefficient[x->n + j]) * x->p->time_scale;
    double unit = fmax(fmax(fabs(x->coefficient[j]), soon), x->least[j]);
    unit /= m ? x->p->time_scale : 1.0;
    double by = cbrt(DBL_EPSILON) * fmax(fabs(kept), unit);
    *at = kept - by;
    double below = *at;
    int answer = call(x, x->before);
    *at = kept + by;
    double above = *at;
    if (answer == DAEDAL_CALL_OK)
        answer = call(x, x->level);
    *at = kept;
    for (int32_t q = 0; q < (x->level_max + 1) * x->n && answer == DAEDAL_CALL_OK; q++)
        x->level[q] = (x->level[q] - x->before[q]) / (above - below);
    return answer;
}

/* Column j of the coefficients, of A (m = 0) or of E, which A is taken away from. */
static void collect(difference_array *x, int32_t j, int32_t m)
{
    const daedal_pattern *p = &x->p->matrix->pattern.view;
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
        for (int32_t k = 0; k <= x->level_max; k++) {
            double v = x->level[k * x->n + p->row[q]];
            if (m == 0)
                x->a[k * x->nnz + q] = v;
            else
                x->e[k * x->nnz + q] = v - (k > 0 ? x->a[(k - 1) * x->nnz + q] : 0.0);
        }
}

int taylor_array_parts(difference_array *x, const double *unknown)
{
    int answer = DAEDAL_CALL_OK;
    set_coefficients(x, unknown);
    for (int32_t j = 0; j < x->n; j++)
        for (int32_t m = 0; m <= 1; m++) {
            answer = difference_by(x, j, m);
            if (answer != DAEDAL_CALL_OK)
                return answer;
            collect(x, j, m);
        }
    return answer;
}
