/* consistent/level_correction.c - see level_correction.h.
 *
 * Simplified Newton on the difference array: the matrix is inverted once and kept from one output
 * point to the next as long as the iteration contracts.  The unknowns are those of a start, and so
 * are their priorities: multipliers move first, then velocities by impulses, and positions least.
 */
#include "consistent/level_correction.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "consistent/impulse.h"
#include "linalg/vector.h"

enum { ITERATIONS_MAX = 8 };
static const double SMALL_ENOUGH = 1e-2; /* last correction, in weights; the next is far smaller */
static const double CONTRACTION_MAX = 0.3; /* of an iteration whose matrix may stay              */
static const double FARTHEST = 0.1;        /* move of a variable, of its size or change in a step */
/* An iteration that does not contract any more has come to its end if its corrections are as small
 * as noise would make them, or in weights, or in the first one. */
static const double NOISES = 10.0, WEIGHTS = 1.0, IMPROVED = 1e-4;
static const double WEIGHTS_BLURRED = 10.0; /* move of a state that noise must not cause         */
static const double NEAR_AN_END = 0.25; /* of a step: nodes on both sides need that much room  */

static void lay_out(void *object, layout *l)
{
    level_correction *x = object;
    size_t n = (size_t)x->matrix.ev->n;
    int32_t **numbers[] = {&x->c, &x->d, &x->y_mask, &x->yp_mask};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        *numbers[k] = layout_take(l, n, sizeof(int32_t));
    double **vectors[] = {&x->y, &x->yp, &x->inverse_weight};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = layout_take(l, n, sizeof(double));
    size_t rows = 0, cols = 0;
    for (size_t i = 0; i < n; i++) {
        rows += (size_t)x->offsets.c[i] + 1;
        cols += (size_t)x->offsets.d[i] + 1;
    }
    x->inverse = layout_take(l, rows * cols, sizeof(double));
    x->shortest = layout_take(l, rows * cols, sizeof(double));
    x->jumps = layout_take(l, n * n, sizeof(double));
    x->step = layout_take(l, cols, sizeof(double));
}

bool level_correction_is_affordable(const start_offsets *o, int32_t n)
{
    int64_t rows = 0;
    for (int32_t i = 0; i < n; i++) {
        rows += o->c[i] + 1;
        if (o->c[i] > LEVEL_MAX)
            return false;
    }
    return rows <= LEVEL_CORRECTION_LARGEST;
}

bool level_correction_create(level_correction *x, const level_knowledge *k)
{
    const iteration_matrix *m = k->matrix;
    size_t n = (size_t)m->ev->n;
    *x = (level_correction){.offsets = k->offsets, .h_searched = NAN};
    matrix_setup setup = {.ev = m->ev,
                          .dy = &m->part[0].view,
                          .dyp = &m->part[1].view,
                          .solver = m->solver,
                          .allocator = k->allocator,
                          .by_differences = m->by_differences};
    if (matrix_create(&x->matrix, &setup) != DAEDAL_OK ||
        !block_create(&x->mem, k->allocator, lay_out, x))
        return false;
    memcpy(x->c, k->offsets.c, n * sizeof(int32_t));
    memcpy(x->d, k->offsets.d, n * sizeof(int32_t));
    x->offsets.c = x->c;
    x->offsets.d = x->d;
    for (size_t j = 0; j < n; j++) {
        x->y_mask[j] = k->is_differential[j] ? DAEDAL_GUESS : DAEDAL_FREE;
        x->yp_mask[j] = DAEDAL_FREE;
        x->inverse_weight[j] = 1.0;
    }
    x->problem = (start_problem){.matrix = &x->matrix,
                                 .y = x->y,
                                 .yp = x->yp,
                                 .y_mask = x->y_mask,
                                 .yp_mask = x->yp_mask,
                                 .inverse_weight = x->inverse_weight,
                                 .time_scale = 1.0,
                                 .why = k->why,
                                 .allocator = k->allocator};
    return level_system_create(&x->levels, &x->problem, &x->offsets);
}

void level_correction_free(level_correction *x)
{
    level_system_free(&x->levels);
    block_free(&x->mem);
    matrix_free(&x->matrix);
}

void level_correction_copy(level_correction *x, const level_correction *from)
{
    block_copy(&x->mem, &from->mem);
    level_system_copy(&x->levels, &from->levels);
    x->has_inverse = from->has_inverse;
    x->h_searched = from->h_searched;
    x->side_searched = from->side_searched;
}

/* ---- nodes ---- */

/* F may be asked inside the step only: on both sides of t, or on that with more room. */
static void place_nodes(level_correction *x, const level_point *at)
{
    difference_array *array = &x->levels.array;
    double h = at->t_to - at->t_from, behind = fabs(at->t - at->t_from),
           ahead = fabs(at->t_to - at->t);
    bool central = fmin(behind, ahead) >= NEAR_AN_END * fabs(h);
    array->side = central ? 0.0 : copysign(1.0, ahead > behind ? h : -h);
    array->widest = central ? fmin(behind, ahead) : fmax(behind, ahead);
}

/* Widths suit steps of about the size of that in which they were found, on the same side of t. */
static bool widths_are_known(const level_correction *x, const level_point *at)
{
    double ratio = (at->t_to - at->t_from) / x->h_searched, widest = x->levels.array.widest;
    return ratio > 0.5 && ratio < 2.0 && x->side_searched == x->levels.array.side &&
           vector_max_abs(x->levels.array.width + 1, x->levels.array.level_max) <= widest;
}

static int evaluate(level_correction *x, const level_point *at, bool anew)
{
    level_system *s = &x->levels;
    bool search = anew && !widths_are_known(x, at);
    int answer = difference_array_values(&s->array, s->unknown, search, s->r);
    if (answer == DAEDAL_CALL_OK && search) {
        x->h_searched = at->t_to - at->t_from;
        x->side_searched = s->array.side;
    }
    return answer;
}

/* ---- the iteration ---- */

/* DAEDAL_ERR_START: F is not defined nearby. */
static daedal_status status_of(int answer)
{
    return answer == DAEDAL_CALL_OK     ? DAEDAL_OK
           : answer == DAEDAL_CALL_STOP ? DAEDAL_STOPPED
                                        : DAEDAL_ERR_START;
}

/* Add to the correction for row `row` of the residual that of unknown `at` by z: what is left of
 * the residual then has its shortest correction.                                      */
static void add_jump(const level_correction *x, size_t row, size_t at, double z)
{
    const level_system *s = &x->levels;
    size_t rows = (size_t)s->rows, cols = (size_t)s->array.cols;
    double *to = x->inverse + row * cols;
    to[at] += z;
    for (size_t q = 0; q < rows; q++) {
        double left = s->jacobian[at * rows + q] * z;
        for (size_t k = 0; k < cols && left != 0.0; k++)
            to[k] += x->shortest[q * cols + k] * left;
    }
}

/* States that violate constraints are moved in the directions in which these act, as an impulse
 * would do it; other directions would spoil states that are right.                      */
static void put_jumps_first(const level_correction *x)
{
    const difference_array *a = &x->levels.array;
    for (int32_t i = 0; i < a->n; i++)
        for (int32_t j = 0; j < a->n; j++) {
            double z = x->jumps[(size_t)i * (size_t)a->n + (size_t)j];
            if (a->c[i] > 0 && a->d[j] > 0 && z != 0.0)
                add_jump(x, (size_t)(a->row[i] + a->c[i] - 1), (size_t)(a->col[j] + a->d[j] - 1),
                         z);
        }
}

static daedal_status renew(level_correction *x)
{
    level_system *s = &x->levels;
    bool jumps_exist = false;
    level_system_set_units(s);
    RETURN_UNLESS_OK(status_of(level_system_renew_jacobian(s)));
    RETURN_UNLESS_OK(level_system_invert(s, x->shortest));
    memcpy(x->inverse, x->shortest, (size_t)s->rows * (size_t)s->array.cols * sizeof(double));
    if (x->offsets.freedom >= 0)
        RETURN_UNLESS_OK(impulse_jumps(&s->array, s->jacobian, x->jumps, &jumps_exist));
    if (jumps_exist)
        put_jumps_first(x);
    x->has_inverse = true;
    return DAEDAL_OK;
}

/* The correction for the residual, and its size in weights. */
static double find_step(level_correction *x)
{
    const level_system *s = &x->levels;
    size_t cols = (size_t)s->array.cols;
    double size = 0.0;
    memset(x->step, 0, cols * sizeof(double));
    for (int32_t i = 0; i < s->rows; i++)
        for (size_t k = 0; k < cols; k++)
            x->step[k] += x->inverse[(size_t)i * cols + k] * s->r[i];
    for (int32_t j = 0; j < s->n; j++)
        size = fmax(size, fabs(x->step[s->array.col[j]]) * x->inverse_weight[j]);
    return size;
}

/* What noise in the residual makes of y_j, in weights. */
static double noise_of(const level_correction *x, int32_t j)
{
    const level_system *s = &x->levels;
    size_t cols = (size_t)s->array.cols;
    double sum = 0.0;
    for (int32_t i = 0; i < s->rows; i++)
        sum += fabs(x->inverse[(size_t)i * cols + (size_t)s->array.col[j]] * s->array.noise[i]);
    return sum * x->inverse_weight[j];
}

/* Corrections, in weights, that may come from noise in the residual; `first` is the first one of
 * this point.                                                                          */
static double noise_allowed(const level_correction *x, double first)
{
    double size = 0.0;
    for (int32_t j = 0; j < x->levels.n; j++)
        size = fmax(size, noise_of(x, j));
    return fmax(fmax(NOISES * size, WEIGHTS), IMPROVED * first);
}

/* Whether a state would be moved by noise: in very short steps its interpolated value is better. */
static bool states_are_blurred(const level_correction *x, const double *y)
{
    const level_system *s = &x->levels;
    for (int32_t j = 0; j < s->n; j++) {
        double moved = fabs(s->unknown[s->array.col[j]] - y[j]) * x->inverse_weight[j];
        if (x->y_mask[j] == DAEDAL_GUESS && moved > WEIGHTS_BLURRED &&
            moved < NOISES * noise_of(x, j))
            return true;
    }
    return false;
}

static void take_step(const level_correction *x)
{
    for (int32_t k = 0; k < x->levels.array.cols; k++)
        x->levels.unknown[k] += x->step[k];
}

/* Until corrections are small, or noise; with a new matrix as soon as the old one is too slow. */
static daedal_status iterate(level_correction *x, const level_point *at, bool *done)
{
    double before = INFINITY, first = 0.0;
    bool renewed = false;
    for (int k = 0; k < ITERATIONS_MAX && !*done; k++) {
        RETURN_UNLESS_OK(status_of(evaluate(x, at, k == 0)));
        if (k == 1 && !difference_array_is_settled(&x->levels.array))
            return DAEDAL_ERR_START;
        bool worn = !x->has_inverse || (k > 0 && !renewed);
        double size = x->has_inverse ? find_step(x) : INFINITY;
        if (worn && !(size <= CONTRACTION_MAX * before && x->has_inverse)) {
            RETURN_UNLESS_OK(renew(x));
            renewed = true;
            size = find_step(x);
        }
        if (!isfinite(size))
            return DAEDAL_ERR_START;
        take_step(x);
        first = k == 0 ? size : first;
        bool rests = size > 0.5 * before && size <= noise_allowed(x, first);
        *done = k > 0 && (size <= SMALL_ENOUGH || rests);
        before = size;
    }
    return DAEDAL_OK;
}

/* Far moves are no corrections any more. */
static bool is_near(const level_correction *x, const level_point *at, const double *y,
                    const double *yp)
{
    const level_system *s = &x->levels;
    double h = at->t_to - at->t_from;
    for (int32_t j = 0; j < s->n; j++) {
        double size = fmax(fabs(y[j]), fabs(h * yp[j])) + 1.0 / x->inverse_weight[j];
        if (x->y_mask[j] == DAEDAL_GUESS &&
            !(fabs(s->unknown[s->array.col[j]] - y[j]) <= FARTHEST * size))
            return false;
    }
    return true;
}

static daedal_status try_once(level_correction *x, const level_point *at, const double *y,
                              const double *yp, bool *done)
{
    const level_system *s = &x->levels;
    size_t bytes = (size_t)s->n * sizeof(double);
    *done = false;
    memcpy(x->y, y, bytes);
    memcpy(x->yp, yp, bytes);
    level_system_set_values(&x->levels);
    place_nodes(x, at);
    daedal_status status = iterate(x, at, done);
    *done = *done && status == DAEDAL_OK && vector_all_finite(s->unknown, s->array.cols) &&
            is_near(x, at, y, yp) && !states_are_blurred(x, y);
    return status == DAEDAL_ERR_START ? DAEDAL_OK : status;
}

/* Nothing that was found at earlier points is of use. */
static void forget(level_correction *x)
{
    memset(x->levels.unknown, 0, (size_t)x->levels.array.cols * sizeof(double));
    x->has_inverse = false;
    x->h_searched = NAN;
}

daedal_status level_correction_apply(level_correction *x, const level_point *at, double *y,
                                     double *yp, bool *done)
{
    const level_system *s = &x->levels;
    bool had_inverse = x->has_inverse;
    x->problem.t = at->t;
    x->problem.time_scale = fabs(at->t_to - at->t_from);
    memcpy(x->inverse_weight, at->inverse_weight, (size_t)s->n * sizeof(double));
    RETURN_UNLESS_OK(try_once(x, at, y, yp, done));
    if (!*done) {
        forget(x);
        if (had_inverse)
            RETURN_UNLESS_OK(try_once(x, at, y, yp, done));
    }
    if (!*done) {
        forget(x);
        return DAEDAL_OK;
    }
    for (int32_t j = 0; j < s->n; j++) {
        y[j] = s->unknown[s->array.col[j]];
        if (s->array.d[j] > 0)
            yp[j] = s->unknown[s->array.col[j] + 1];
    }
    return DAEDAL_OK;
}
