/* consistent/algebraic_correction.c - see algebraic_correction.h.
 *
 * Simplified Newton with differential y held, as the start of a run does it: the factors are kept
 * from one output point to the next as long as the iteration contracts.          */
#include "consistent/algebraic_correction.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS_MAX = 6 };
static const double SMALL_ENOUGH = 0.05;   /* last correction, in weights                  */
static const double CONTRACTION_MAX = 0.3; /* of factors that may stay                     */
static const double FARTHEST = 0.1;        /* correction of a variable, of its size        */

static void lay_out(void *object, layout *l)
{
    algebraic_correction *x = object;
    double **vectors[] = {&x->share_y, &x->share_yp, &x->step, &x->y, &x->yp};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, (size_t)x->matrix.ev->n, sizeof(double));
}

bool algebraic_correction_create(algebraic_correction *x, const iteration_matrix *of,
                                 const bool *is_differential, const daedal_allocator *a)
{
    *x = (algebraic_correction){.is_differential = is_differential};
    matrix_setup setup = {.ev = of->ev,
                          .dy = &of->part[0].view,
                          .dyp = &of->part[1].view,
                          .solver = of->solver,
                          .allocator = a,
                          .by_differences = of->by_differences,
                          .inexact = matrix_inexact_settings(of)};
    if (matrix_create(&x->matrix, &setup) != DAEDAL_OK || !block_create(&x->mem, a, lay_out, x))
        return false;
    for (int32_t j = 0; j < of->ev->n; j++) {
        x->share_y[j] = is_differential[j] ? 0.0 : 1.0;
        x->share_yp[j] = is_differential[j] ? 1.0 : 0.0;
    }
    return true;
}

void algebraic_correction_free(algebraic_correction *x)
{
    block_free(&x->mem);
    matrix_free(&x->matrix);
}

void algebraic_correction_copy(algebraic_correction *x, const algebraic_correction *from)
{
    block_copy(&x->mem, &from->mem);
    bool copied = matrix_copy(&x->matrix, &from->matrix);
    x->has_factors = from->has_factors && (copied || matrix_factor_mixed(&x->matrix, x->share_y,
                                                                         x->share_yp) == DAEDAL_OK);
}

/* A daedal_answer; RETRY where the matrix is singular. */
static int renew(algebraic_correction *x, const algebraic_point *at)
{
    matrix_point where = {at->t, at->h, x->y, x->yp, x->step, at->inverse_weight};
    int answer = matrix_evaluate(&x->matrix, &where);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    x->has_factors = matrix_factor_mixed(&x->matrix, x->share_y, x->share_yp) == DAEDAL_OK;
    return x->has_factors ? DAEDAL_CALL_OK : DAEDAL_CALL_RETRY;
}

/* Take the step; its size in weights, of y' per step.  NAN: it is no correction. */
static double take_step(algebraic_correction *x, const algebraic_point *at)
{
    double size = 0.0;
    for (int32_t j = 0; j < x->matrix.ev->n; j++) {
        if (x->is_differential[j]) {
            size = fmax(size, fabs(at->h * x->step[j]) * at->inverse_weight[j]);
            x->yp[j] -= x->step[j];
            continue;
        }
        double move = fabs(x->step[j]), most = fmax(fabs(x->y[j]), fabs(at->h * x->yp[j]));
        if (!(move <= FARTHEST * most + 100.0 / at->inverse_weight[j]))
            return NAN;
        size = fmax(size, move * at->inverse_weight[j]);
        x->y[j] -= x->step[j];
    }
    return size;
}

/* A daedal_answer; RETRY if it does not converge. */
static int iterate(algebraic_correction *x, const algebraic_point *at)
{
    double before = INFINITY, size = INFINITY;
    bool renewed = false;
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        int answer = evaluator_residual(x->matrix.ev, at->t, x->y, x->yp, x->step);
        bool slow = k > 1 && !(size <= CONTRACTION_MAX * before);
        if (answer == DAEDAL_CALL_OK && !renewed && (!x->has_factors || slow)) {
            answer = renew(x, at);
            renewed = true;
        }
        if (answer != DAEDAL_CALL_OK)
            return answer;
        matrix_solve(&x->matrix, x->step);
        before = size;
        size = take_step(x, at);
        if (size <= SMALL_ENOUGH)
            return DAEDAL_CALL_OK;
        if (isnan(size))
            return DAEDAL_CALL_RETRY;
    }
    return DAEDAL_CALL_RETRY;
}

daedal_status algebraic_correction_apply(algebraic_correction *x, const algebraic_point *at,
                                         double *y, double *yp)
{
    size_t bytes = (size_t)x->matrix.ev->n * sizeof(double);
    int answer = DAEDAL_CALL_RETRY;
    bool may_retry = true;
    while (answer == DAEDAL_CALL_RETRY && may_retry) { /* with new factors if the old ones fail */
        may_retry = x->has_factors;
        memcpy(x->y, y, bytes);
        memcpy(x->yp, yp, bytes);
        answer = iterate(x, at);
        x->has_factors = answer == DAEDAL_CALL_OK;
    }
    if (answer == DAEDAL_CALL_OK) {
        memcpy(y, x->y, bytes);
        memcpy(yp, x->yp, bytes);
    }
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : DAEDAL_OK;
}
