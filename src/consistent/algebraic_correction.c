/* consistent/algebraic_correction.c - see algebraic_correction.h.
 *
 * Simplified Newton with differential y held, as the start of a run does it: the factors are kept
 * from one output point to the next as long as the iteration contracts.          */
#include "consistent/algebraic_correction.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "newton/bounds.h"

enum { ITERATIONS_MAX = 6 };
static const double SMALL_ENOUGH = 0.05;   /* last correction, in weights                  */
static const double CONTRACTION_MAX = 0.3; /* of factors that may stay                     */
static const double FARTHEST = 0.1;        /* correction of a variable, of its size        */
/* A second step that is so much smaller than the first one shows that no other solution lies within
 * many times their length (the theorem of Newton and Kantorovich). */
static const double ALONE = 0.01;

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

/* Take the step; its size in weights, of y' per step.  *far: values move by more than a correction
 * does. */
static double take_step(algebraic_correction *x, const algebraic_point *at, bool *far)
{
    double size = 0.0;
    *far = false;
    for (int32_t j = 0; j < x->matrix.ev->n; j++) {
        if (x->is_differential[j]) {
            size = fmax(size, fabs(at->h * x->step[j]) * at->inverse_weight[j]);
            x->yp[j] -= x->step[j];
            continue;
        }
        double move = fabs(x->step[j]), most = fmax(fabs(x->y[j]), fabs(at->h * x->yp[j]));
        *far = *far || !(move <= FARTHEST * most + 100.0 / at->inverse_weight[j]);
        size = larger_of(size, move * at->inverse_weight[j]);
        x->y[j] -= x->step[j];
    }
    return size;
}

/* A daedal_answer; RETRY if it does not converge. */
static int iterate(algebraic_correction *x, const algebraic_point *at)
{
    double before = INFINITY, size = INFINITY;
    bool renewed = false, far = false;
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        int answer = evaluator_residual(x->matrix.ev, at->t, x->y, x->yp, x->step);
        bool was_far = far, slow = k > 1 && !(size <= CONTRACTION_MAX * before);
        if (answer == DAEDAL_CALL_OK && !renewed && (!x->has_factors || slow)) {
            answer = renew(x, at);
            renewed = true;
        }
        if (answer != DAEDAL_CALL_OK)
            return answer;
        matrix_solve(&x->matrix, x->step);
        before = size;
        size = take_step(x, at, &far);
        if (isnan(size) || (far && !at->may_move_far) || (was_far && !(size <= ALONE * before)))
            return DAEDAL_CALL_RETRY;
        if (size <= SMALL_ENOUGH)
            return DAEDAL_CALL_OK;
    }
    return DAEDAL_CALL_RETRY;
}

daedal_status algebraic_correction_apply(algebraic_correction *x, const algebraic_point *at,
                                         double *y, double *yp, bool *far)
{
    size_t bytes = (size_t)x->matrix.ev->n * sizeof(double);
    int answer = DAEDAL_CALL_RETRY;
    bool may_retry = true;
    *far = false;
    while (answer == DAEDAL_CALL_RETRY && may_retry) { /* with new factors if the old ones fail */
        may_retry = x->has_factors;
        memcpy(x->y, y, bytes);
        memcpy(x->yp, yp, bytes);
        answer = iterate(x, at);
        *far = answer == DAEDAL_CALL_RETRY && x->has_factors; /* else there is no matrix */
        x->has_factors = answer == DAEDAL_CALL_OK;
    }
    if (answer == DAEDAL_CALL_OK) {
        memcpy(y, x->y, bytes);
        memcpy(yp, x->yp, bytes);
    }
    return answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED : DAEDAL_OK;
}

/* ---- where F jumps ---- */

/* Differential y' and algebraic y, without a limit; the size of the step in weights. */
static double jump_step(algebraic_correction *x, const algebraic_point *at)
{
    double size = 0.0;
    for (int32_t j = 0; j < x->matrix.ev->n; j++) {
        double unit = x->is_differential[j] ? at->h : 1.0;
        double move = fabs(unit * x->step[j]) * at->inverse_weight[j];
        (x->is_differential[j] ? x->yp : x->y)[j] -= x->step[j];
        size = move > size || isnan(move) ? move : size;
    }
    return size;
}

/* Whether roundoff in the terms of F explains a correction of this size.  Uses x->step. */
static bool is_roundoff(algebraic_correction *x, const algebraic_point *at, double size)
{
    const double safety = 10.0, coarsest = 1e-2;
    double noise = 0.0;
    if (!(size <= coarsest))
        return false;
    matrix_term_noise(&x->matrix, x->y, x->yp, x->step);
    matrix_solve(&x->matrix, x->step);
    for (int32_t j = 0; j < x->matrix.ev->n; j++) {
        double unit = x->is_differential[j] ? at->h : 1.0;
        noise = fmax(noise, fabs(unit * x->step[j]) * at->inverse_weight[j]);
    }
    return size <= safety * noise;
}

static bool is_inside_bounds(const algebraic_correction *x)
{
    const daedal_system *sys = x->matrix.ev->sys;
    for (int32_t j = 0; j < x->matrix.ev->n && bounds_are_given(sys); j++)
        if (bounds_inside(sys, j, x->y[j]) != x->y[j])
            return false;
    return true;
}

/* A daedal_answer; RETRY if it does not converge as fast as it should. */
static int iterate_jump(algebraic_correction *x, const algebraic_point *at)
{
    const double as_at_a_start = 1e-7; /* the last correction, in weights */
    double before, size = INFINITY;
    bool renewed = false;
    for (int k = 0; k < 2 * ITERATIONS_MAX; k++) {
        int answer = evaluator_residual(x->matrix.ev, at->t, x->y, x->yp, x->step);
        if (answer == DAEDAL_CALL_OK && !x->has_factors) {
            answer = renewed ? DAEDAL_CALL_RETRY : renew(x, at);
            renewed = true;
        }
        if (answer != DAEDAL_CALL_OK)
            return answer;
        matrix_solve(&x->matrix, x->step);
        before = size;
        size = jump_step(x, at);
        if (size <= as_at_a_start)
            return DAEDAL_CALL_OK;
        if (size <= CONTRACTION_MAX * before)
            continue;
        if (is_roundoff(x, at, size))
            return DAEDAL_CALL_OK;
        if (isnan(size))
            return DAEDAL_CALL_RETRY;
        x->has_factors = false;
        size = INFINITY;
    }
    return DAEDAL_CALL_RETRY;
}

int algebraic_correction_jump(algebraic_correction *x, const algebraic_point *at, double *y,
                              double *yp, bool *done)
{
    size_t bytes = (size_t)x->matrix.ev->n * sizeof(double);
    memcpy(x->y, y, bytes);
    memcpy(x->yp, yp, bytes);
    int answer = iterate_jump(x, at);
    *done = answer == DAEDAL_CALL_OK && is_inside_bounds(x);
    if (*done) {
        memcpy(y, x->y, bytes);
        memcpy(yp, x->yp, bytes);
    }
    x->has_factors = x->has_factors && *done;
    return answer == DAEDAL_CALL_RETRY ? DAEDAL_CALL_OK : answer;
}

int algebraic_correction_slopes(algebraic_correction *x, double t, double h, const double *y,
                                double *yp)
{
    int32_t n = x->matrix.ev->n;
    for (int32_t j = 0; j < n; j++) {
        x->y[j] = y[j] + (x->is_differential[j] ? h * yp[j] : 0.0);
        yp[j] = x->is_differential[j] ? yp[j] : 0.0;
    }
    int answer = x->has_factors && h != 0.0
                     ? evaluator_residual(x->matrix.ev, t + h, x->y, yp, x->step)
                     : DAEDAL_CALL_RETRY;
    if (answer != DAEDAL_CALL_OK)
        return answer == DAEDAL_CALL_RETRY ? DAEDAL_CALL_OK : answer;
    matrix_solve(&x->matrix, x->step);
    for (int32_t j = 0; j < n; j++)
        if (!x->is_differential[j] && isfinite(x->step[j]))
            yp[j] = -x->step[j] / h;
    return DAEDAL_CALL_OK;
}
