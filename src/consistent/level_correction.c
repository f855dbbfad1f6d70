/* consistent/level_correction.c - see level_correction.h.
 *
 * Simplified Newton on the difference array: the matrix is factored once and kept from one output
 * point to the next as long as the iteration contracts.  Where the offsets hold it is the system
 * Jacobian (stage_system.c): states that violate constraints are moved in the directions in which
 * these act, as an impulse would do it; other directions would spoil states that are right.
 * Otherwise the whole array is inverted.  Its unknowns are those of a start, and so are their
 * priorities: multipliers move first, then velocities, and positions least.       */
#include "consistent/level_correction.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/linsolver.h"
#include "linalg/vector.h"

enum { ITERATIONS_MAX = 8 };
static const double SMALL_ENOUGH = 1e-2; /* last correction, in weights; the next is far smaller */
static const double CONTRACTION_MAX = 0.3; /* of an iteration whose matrix may stay              */
/* Moves that are no corrections any more: of a variable, relative to its size or change in a step;
 * and in weights, which counts where velocities are zero or nearly so. */
static const double FARTHEST = 0.1, FAR_IN_WEIGHTS = 1e4;
/* An iteration that does not contract any more has come to its end if its corrections are as small
 * as noise would make them, or in weights, or in the first one. */
static const double NOISES = 10.0, WEIGHTS = 1.0, IMPROVED = 1e-4;
/* Moves that noise must not cause: of a state, of a multiplier. */
static const double WEIGHTS_BLURRED = 10.0, MULTIPLIER_BLURRED = 100.0;
/* Differences whose outermost nodes change them by that much, relative to the terms of F, have a
 * corner of F between their nodes; widths that are by that much narrower than the step suit the
 * point at which they were found only.                                             */
static const double ROUGH = 1e-7, NARROW = 1e-3;
static const double MISLED = 1.0;       /* second step of a state, in weights                  */
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
    size_t dense = x->by_stages ? 0 : rows * cols, own = x->by_stages ? 1 : 0;
    x->inverse = layout_take(l, dense, sizeof(double));
    x->unknown = layout_take(l, own * cols, sizeof(double));
    x->r = layout_take(l, own * rows, sizeof(double));
    x->step = layout_take(l, cols, sizeof(double));
    x->noise_step = layout_take(l, cols, sizeof(double));
    x->r_noise = layout_take(l, rows, sizeof(double));
}

bool level_correction_is_affordable(const start_offsets *o, int32_t n)
{
    int64_t rows = 0;
    for (int32_t i = 0; i < n; i++) {
        rows += o->c[i] + 1;
        if (o->c[i] > LEVEL_MAX)
            return false;
    }
    return o->freedom >= 0 || rows <= LEVEL_CORRECTION_LARGEST;
}

/* The array, and what makes corrections of its values. */
static bool create_system(level_correction *x)
{
    if (x->by_stages) {
        x->array = &x->own_array;
        return difference_array_create(x->array, &x->problem, x->c, x->d) &&
               stage_system_create(&x->stages, x->array);
    }
    if (!level_system_create(&x->levels, &x->problem, &x->offsets))
        return false;
    x->array = &x->levels.array;
    x->unknown = x->levels.unknown;
    x->r = x->levels.r;
    return true;
}

bool level_correction_create(level_correction *x, const level_knowledge *k)
{
    const iteration_matrix *m = k->matrix;
    size_t n = (size_t)m->ev->n;
    *x = (level_correction){.offsets = k->offsets,
                            .by_stages = k->offsets.freedom >= 0,
                            .h_searched = NAN,
                            .matrix_scale = 1.0};
    matrix_setup setup = {.ev = m->ev,
                          .dy = &m->part[0].view,
                          .dyp = &m->part[1].view,
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
    return create_system(x);
}

void level_correction_free(level_correction *x)
{
    stage_system_free(&x->stages);
    difference_array_free(&x->own_array);
    level_system_free(&x->levels);
    block_free(&x->mem);
    matrix_free(&x->matrix);
}

void level_correction_copy(level_correction *x, const level_correction *from)
{
    block_copy(&x->mem, &from->mem);
    matrix_copy(&x->matrix, &from->matrix);
    x->has_matrix = from->has_matrix;
    x->matrix_scale = from->matrix_scale;
    x->has_noise = from->has_noise;
    if (x->by_stages) {
        difference_array_copy(x->array, from->array);
        x->has_matrix = x->has_matrix && stage_system_copy(&x->stages, &from->stages);
    } else {
        level_system_copy(&x->levels, &from->levels);
    }
    x->h_searched = from->h_searched;
    x->side_searched = from->side_searched;
}

/* ---- nodes ---- */

/* F may be asked inside the step only: on both sides of t, or on that with more room, where nodes
 * lie up to twice the width away. */
static void place_nodes(level_correction *x, const level_point *at)
{
    difference_array *array = x->array;
    double h = at->t_to - at->t_from, behind = fabs(at->t - at->t_from),
           ahead = fabs(at->t_to - at->t);
    bool central = fmin(behind, ahead) >= NEAR_AN_END * fabs(h);
    array->side = central ? 0.0 : copysign(1.0, ahead > behind ? h : -h);
    array->widest = central ? fmin(behind, ahead) : 0.5 * fmax(behind, ahead);
}

/* Widths suit steps of about the size of that in which they were found, on the same side of t. */
static bool widths_are_known(const level_correction *x, const level_point *at)
{
    double ratio = (at->t_to - at->t_from) / x->h_searched, widest = x->array->widest;
    const double *width = x->array->width + 1;
    return ratio > 0.5 && ratio < 2.0 && x->side_searched == x->array->side &&
           vector_max_abs(width, x->array->level_max) <= widest && width[0] > NARROW * widest;
}

static int evaluate(level_correction *x, const level_point *at, bool anew)
{
    bool search = anew && !widths_are_known(x, at);
    int answer = difference_array_values(x->array, x->unknown, search, x->r);
    if (answer == DAEDAL_CALL_OK && anew && !search && x->array->roughness > ROUGH) {
        search = true;
        answer = difference_array_values(x->array, x->unknown, search, x->r);
    }
    x->has_noise = x->has_noise && !search;
    if (answer == DAEDAL_CALL_OK && search) {
        x->h_searched = at->t_to - at->t_from;
        x->side_searched = x->array->side;
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

/* DAEDAL_ERR_START: the matrix is singular. */
static daedal_status renew(level_correction *x)
{
    daedal_status status;
    x->has_noise = false;
    if (x->by_stages) {
        RETURN_UNLESS_OK(status_of(difference_array_parts(x->array, x->unknown, true)));
        status = stage_system_factor(&x->stages);
    } else {
        level_system_set_units(&x->levels);
        RETURN_UNLESS_OK(status_of(level_system_renew_jacobian(&x->levels)));
        status = level_system_invert(&x->levels, x->inverse);
    }
    x->has_matrix = status == DAEDAL_OK;
    x->matrix_scale = x->problem.time_scale;
    return status == DAEDAL_ERR_SINGULAR ? DAEDAL_ERR_START : status;
}

static void multiply(const level_correction *x, const double *r, double *step)
{
    size_t cols = (size_t)x->array->cols;
    memset(step, 0, cols * sizeof(double));
    for (int32_t i = 0; i < x->array->rows; i++)
        for (size_t k = 0; k < cols; k++)
            step[k] += x->inverse[(size_t)i * cols + k] * r[i];
}

/* The correction for the residual, and its size in weights. */
static double find_step(level_correction *x)
{
    double size = 0.0;
    if (x->by_stages)
        stage_system_step(&x->stages, x->r, NULL, x->step);
    else
        multiply(x, x->r, x->step);
    for (int32_t j = 0; j < x->array->n; j++)
        size = larger_of(size, fabs(x->step[x->array->col[j]]) * x->inverse_weight[j]);
    return size;
}

/* What noise makes of the unknowns, by solutions for noise with signs that are mixed in several
 * ways.                                                                          */
static void find_noise_by_stages(level_correction *x)
{
    const double of_few = 2.0; /* a sum with few signs is less than the largest one */
    double *step = x->step;
    for (int way = 0; way < difference_array_noises(x->array); way++) {
        difference_array_mix_noise(x->array, way, x->r_noise);
        stage_system_step(&x->stages, x->r_noise, NULL, step);
        for (int32_t k = 0; k < x->array->cols; k++)
            x->noise_step[k] = fmax(x->noise_step[k], of_few * fabs(step[k]));
    }
}

static void find_noise(level_correction *x)
{
    size_t cols = (size_t)x->array->cols;
    if (x->has_noise)
        return;
    x->has_noise = true;
    memset(x->noise_step, 0, cols * sizeof(double));
    if (x->by_stages) {
        find_noise_by_stages(x);
        return;
    }
    for (int32_t i = 0; i < x->array->rows; i++)
        for (size_t k = 0; k < cols; k++)
            x->noise_step[k] += fabs(x->inverse[(size_t)i * cols + k] * x->array->noise[i]);
}

/* What noise in the residual makes of y_j, in weights. */
static double noise_of(level_correction *x, int32_t j)
{
    find_noise(x);
    return x->noise_step[x->array->col[j]] * x->inverse_weight[j];
}

/* Corrections, in weights, that may come from noise in the residual; `first` is the first one of
 * this point.                                                                          */
static double noise_allowed(level_correction *x, double first)
{
    double size = 0.0;
    for (int32_t j = 0; j < x->array->n; j++)
        size = fmax(size, noise_of(x, j));
    return fmax(fmax(NOISES * size, WEIGHTS), IMPROVED * first);
}

static double allowed_blur(const level_correction *x, int32_t j)
{
    return x->y_mask[j] == DAEDAL_GUESS ? WEIGHTS_BLURRED : MULTIPLIER_BLURRED;
}

bool level_correction_is_noisy(level_correction *x)
{
    for (int32_t j = 0; j < x->array->n; j++)
        if (noise_of(x, j) > allowed_blur(x, j))
            return true;
    return false;
}

/* Whether values would be moved by noise, and none by more than that makes of another one: in very
 * short steps those interpolated are better.                                       */
static bool values_are_blurred(level_correction *x, const double *y)
{
    double blur = 0.0, gain = 0.0;
    for (int32_t j = 0; j < x->array->n; j++) {
        double moved = fabs(x->unknown[x->array->col[j]] - y[j]) * x->inverse_weight[j];
        double allowed = allowed_blur(x, j);
        if (moved <= allowed)
            continue;
        if (moved < NOISES * noise_of(x, j))
            blur = fmax(blur, noise_of(x, j) / allowed);
        else
            gain = fmax(gain, moved / allowed);
    }
    return blur > gain;
}

static void take_step(const level_correction *x)
{
    for (int32_t k = 0; k < x->array->cols; k++)
        x->unknown[k] += x->step[k];
}

/* Corrections do not become smaller any more, and are no more than noise. */
static bool is_at_rest(level_correction *x, double size, double before, double first)
{
    return size > 0.5 * before && size <= noise_allowed(x, first);
}

/* The largest step of a state, in weights. */
static double step_of_states(const level_correction *x)
{
    double size = 0.0;
    for (int32_t j = 0; j < x->array->n; j++)
        if (x->y_mask[j] == DAEDAL_GUESS)
            size = larger_of(size, fabs(x->step[x->array->col[j]]) * x->inverse_weight[j]);
    return size;
}

/* Repeat corrections until they are small, or noise, with a new matrix as soon as the old one is
 * too slow.  Of all values that satisfy the constraints the matrix leads to those that forces of
 * the constraints would lead to; an old matrix leads elsewhere.  That is seen from the second step,
 * which would be small with the matrix of this point: then *misled, and the iteration ends.  */
static daedal_status iterate(level_correction *x, const level_point *at, bool *done, bool *misled)
{
    double before = INFINITY, first = 0.0;
    bool renewed = false;
    for (int k = 0; k < ITERATIONS_MAX && !*done; k++) {
        RETURN_UNLESS_OK(status_of(evaluate(x, at, k == 0)));
        if (k == 1 && !difference_array_is_settled(x->array))
            return DAEDAL_ERR_START;
        bool worn = !x->has_matrix || (k > 0 && !renewed);
        double size = x->has_matrix ? find_step(x) : INFINITY;
        *misled = k == 1 && !renewed && step_of_states(x) > MISLED;
        if (*misled)
            return DAEDAL_OK;
        bool slow = !(size <= CONTRACTION_MAX * before && x->has_matrix);
        if (worn && slow && !(x->has_matrix && is_at_rest(x, size, before, first))) {
            RETURN_UNLESS_OK(renew(x));
            renewed = true;
            size = find_step(x);
        }
        if (!isfinite(size))
            return DAEDAL_ERR_START;
        take_step(x);
        first = k == 0 ? size : first;
        bool rests = is_at_rest(x, size, before, first);
        *done = k > 0 && (size <= SMALL_ENOUGH || rests);
        before = size;
    }
    return DAEDAL_OK;
}

/* In weights. The constraints themselves hold at the points of steps up to tolerances; of what
 * follows from them by differentiation, as of velocities, error tests see the error times h. */
static double far_in_weights(const level_correction *x, int32_t j, double h)
{
    bool is_velocity = x->by_stages && x->array->d[j] < x->array->level_max;
    return is_velocity ? FAR_IN_WEIGHTS / fmin(fabs(h), 1.0) : FARTHEST;
}

/* Far moves are no corrections any more. */
static bool is_near(const level_correction *x, const level_point *at, const double *y,
                    const double *yp)
{
    double h = at->t_to - at->t_from;
    for (int32_t j = 0; j < x->array->n; j++) {
        double size = fmax(fabs(y[j]), fabs(h * yp[j]));
        double farthest = FARTHEST * size + far_in_weights(x, j, h) / x->inverse_weight[j];
        if (x->y_mask[j] == DAEDAL_GUESS &&
            !(fabs(x->unknown[x->array->col[j]] - y[j]) <= farthest))
            return false;
    }
    return true;
}

/* Higher derivatives stay as they were found at earlier points. */
static void set_values(const level_correction *x, const double *y, const double *yp)
{
    for (int32_t j = 0; j < x->array->n; j++) {
        x->unknown[x->array->col[j]] = y[j];
        if (x->array->d[j] > 0)
            x->unknown[x->array->col[j] + 1] = yp[j];
    }
}

static daedal_status try_once(level_correction *x, const level_point *at, const double *y,
                              const double *yp, bool *done)
{
    bool misled = false;
    *done = false;
    set_values(x, y, yp);
    place_nodes(x, at);
    daedal_status status = iterate(x, at, done, &misled);
    if (misled) {
        set_values(x, y, yp);
        x->has_matrix = false;
        status = iterate(x, at, done, &misled);
    }
    *done = *done && status == DAEDAL_OK && vector_all_finite(x->unknown, x->array->cols) &&
            (at->moves_far || is_near(x, at, y, yp)) && !values_are_blurred(x, y);
    return status == DAEDAL_ERR_START ? DAEDAL_OK : status;
}

/* Nothing that was found at earlier points is of use. */
static void forget(level_correction *x)
{
    memset(x->unknown, 0, (size_t)x->array->cols * sizeof(double));
    x->has_matrix = false;
    x->h_searched = NAN;
}

daedal_status level_correction_apply(level_correction *x, const level_point *at, double *y,
                                     double *yp, bool *done)
{
    const double other = 1e3; /* a matrix of so different a scale sees nothing of derivatives */
    double scale = fabs(at->t_to - at->t_from), ratio = scale / x->matrix_scale;
    x->has_matrix = x->has_matrix && ratio < other && ratio > 1.0 / other;
    bool had_matrix = x->has_matrix;
    x->problem.t = at->t;
    x->problem.time_scale = scale;
    memcpy(x->inverse_weight, at->inverse_weight, (size_t)x->array->n * sizeof(double));
    RETURN_UNLESS_OK(try_once(x, at, y, yp, done));
    if (!*done) {
        forget(x);
        if (had_matrix)
            RETURN_UNLESS_OK(try_once(x, at, y, yp, done));
    }
    if (!*done) {
        forget(x);
        return DAEDAL_OK;
    }
    for (int32_t j = 0; j < x->array->n; j++) {
        y[j] = x->unknown[x->array->col[j]];
        if (x->array->d[j] > 0)
            yp[j] = x->unknown[x->array->col[j] + 1];
    }
    return DAEDAL_OK;
}
