/* consistent/staged_start.c - see staged_start.h.
 *
 * Newton on the difference array with the corrections of stage_system.c: first with the states
 * held, so that derivatives and multipliers that are not known yet move none of them.  If what is
 * left asks for more than noise would, the states move too.                                  */
#include "consistent/staged_start.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "consistent/stage_system.h"
#include "linalg/vector.h"
#include "newton/bounds.h"

enum { ITERATIONS_MAX = 12, SEARCHES = 2, TRIALS = 4 };
static const double SLOW = 0.1;      /* contraction that asks for a new matrix              */
static const double STUCK = 0.5;     /* contraction that is none, after TRIALS iterations   */
static const double REST = 1.0;      /* correction, in weights, at which it may be stuck    */
static const double EXPECTED = 1e-3; /* the next correction, in weights, that will be small   */

typedef struct staged {
    const start_problem *p;
    difference_array array;
    stage_system stages;
    double *unknown, *given, *excuse; /* cols                                       */
    double *step, *moves;             /* cols: a correction; without what is held    */
    double *r, *r_noise;              /* rows                                       */
    bool *held;                       /* cols: does not move                         */
    bool has_matrix;                  /* factored at these unknowns or earlier ones  */
    block mem;
} staged;

static void lay_out(void *object, layout *l)
{
    staged *s = object;
    size_t rows = (size_t)s->array.rows, cols = (size_t)s->array.cols;
    double **by_col[] = {&s->unknown, &s->given, &s->step, &s->moves, &s->excuse};
    for (size_t k = 0; k < sizeof by_col / sizeof *by_col; k++)
        *by_col[k] = layout_take(l, cols, sizeof(double));
    s->r = layout_take(l, rows, sizeof(double));
    s->r_noise = layout_take(l, rows, sizeof(double));
    s->held = layout_take(l, cols, sizeof(bool));
}

static void set_values(staged *s)
{
    const difference_array *x = &s->array;
    for (int32_t j = 0; j < x->n; j++) {
        s->unknown[x->col[j]] = s->p->y[j];
        if (x->d[j] > 0)
            s->unknown[x->col[j] + 1] = s->p->yp[j];
    }
    memcpy(s->given, s->unknown, (size_t)x->cols * sizeof(double));
}

static void hold(staged *s, bool guesses)
{
    const difference_array *x = &s->array;
    for (int32_t j = 0; j < x->n; j++) {
        int32_t mask = s->p->y_mask[j];
        s->held[x->col[j]] = mask == DAEDAL_FIXED || (guesses && mask == DAEDAL_GUESS);
        if (x->d[j] > 0)
            s->held[x->col[j] + 1] = s->p->yp_mask[j] == DAEDAL_FIXED;
    }
}

/* ---- the iteration ---- */

/* The correction that the noise of the derivatives alone would cause. */
static void set_excuse(staged *s)
{
    memset(s->excuse, 0, (size_t)s->array.cols * sizeof(double));
    for (int way = 0; way < difference_array_noises(&s->array); way++) {
        difference_array_mix_noise(&s->array, way, s->r_noise);
        stage_system_step(&s->stages, s->r_noise, NULL, s->step);
        for (int32_t k = 0; k < s->array.cols; k++)
            s->excuse[k] = fmax(s->excuse[k], fabs(s->step[k]));
    }
}

/* The correction with the present matrix, and its size. */
static double find_moves(staged *s)
{
    const difference_array *x = &s->array;
    stage_system_step(&s->stages, s->r, s->held, s->step);
    for (int32_t k = 0; k < x->cols; k++)
        s->moves[k] = s->held[k] ? 0.0 : s->step[k];
    return vector_all_finite(s->step, x->cols) ? correction_size(x, s->moves) : INFINITY;
}

/* Its size with higher derivatives, each in the time in which y changes.  Where those that are not
 * known yet are found, the contraction of y and y' says nothing of the matrix.            */
static double whole_size(const staged *s)
{
    const difference_array *x = &s->array;
    double size = correction_size(x, s->moves);
    for (int32_t j = 0; j < x->n; j++) {
        double unit = s->p->inverse_weight[j];
        for (int32_t m = 0; m <= x->d[j]; m++, unit *= s->p->time_scale)
            size = larger_of(size, fabs(s->moves[x->col[j] + m]) * unit);
    }
    return size;
}

/* A matrix at the unknowns; after a search it has a part of it already. */
static int renew(staged *s, bool searched)
{
    int answer = searched ? difference_array_further_parts(&s->array, s->unknown)
                          : difference_array_parts(&s->array, s->unknown, true);
    s->has_matrix = answer == DAEDAL_CALL_OK && stage_system_factor(&s->stages) == DAEDAL_OK;
    return answer;
}

/* Whether no unknown that may move needs to do so by more than noise. */
static bool is_at_rest(staged *s, bool searched, double *size)
{
    if (searched)
        set_excuse(s);
    *size = find_moves(s);
    return isfinite(*size) && correction_is_small(&s->array, s->excuse, s->moves);
}

/* Values and correction, with a new matrix where the old one no longer contracts; *size is INFINITY
 * if there is none.  A daedal_answer.                                            */
static int find_step(staged *s, bool search, double whole_before, bool *small, double *size)
{
    int answer = difference_array_values(&s->array, s->unknown, search, s->r);
    *size = INFINITY;
    *small = false;
    if (answer != DAEDAL_CALL_OK)
        return answer;
    if (s->has_matrix)
        *small = is_at_rest(s, search, size);
    if (*small || (s->has_matrix && whole_size(s) <= SLOW * whole_before))
        return answer;
    answer = renew(s, search);
    if (answer == DAEDAL_CALL_OK && s->has_matrix)
        *small = is_at_rest(s, search, size);
    return answer;
}

/* *settled: the unknowns that may move need not do so any more, by more than noise.  The widths are
 * those that suit them then, so that they are searched for where the next correction will be small.
 * A daedal_answer. */
static int iterate(staged *s, bool *settled)
{
    double before = INFINITY, whole_before = INFINITY, size;
    bool search = true, small;
    *settled = s->has_matrix = false;
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        int answer = find_step(s, search, whole_before, &small, &size);
        if (answer != DAEDAL_CALL_OK || !isfinite(size))
            return answer;
        double contraction = size / before, whole = whole_size(s);
        small = small || (k > SEARCHES && contraction > STUCK && size <= REST);
        *settled = small && search && difference_array_is_settled(&s->array);
        if (*settled || (k >= TRIALS && !small && contraction > STUCK))
            return answer;
        for (int32_t q = 0; q < s->array.cols; q++)
            s->unknown[q] += s->moves[q];
        search = small || k + 1 < SEARCHES || size * whole <= EXPECTED * whole_before;
        before = size;
        whole_before = whole;
    }
    return DAEDAL_CALL_OK;
}

/* ---- what was found ---- */

/* Whether all values lie inside of their bounds, and no state is farther than `room` weights from
 * what was given.                                                                 */
static bool is_acceptable(const staged *s, double room)
{
    const difference_array *x = &s->array;
    for (int32_t j = 0; j < x->n; j++) {
        double y = s->unknown[x->col[j]], given = s->given[x->col[j]];
        if (bounds_inside(s->p->matrix->ev->sys, j, y) != y)
            return false;
        if (s->p->y_mask[j] != DAEDAL_FREE && !(fabs(y - given) * s->p->inverse_weight[j] <= room))
            return false;
    }
    return true;
}

/* What was given stays where noise alone would have moved it. */
static void hand_over(const staged *s)
{
    const difference_array *x = &s->array;
    for (int32_t k = 0; k < x->cols; k++)
        s->step[k] = s->unknown[k] - s->given[k];
    const double *y = correction_of_values_is_small(x, s->excuse, s->step) ? s->given : s->unknown,
                 *yp = correction_of_slopes_is_small(x, s->excuse, s->step) ? s->given : s->unknown;
    for (int32_t j = 0; j < x->n; j++) {
        s->p->y[j] = y[x->col[j]];
        if (x->d[j] > 0)
            s->p->yp[j] = yp[x->col[j] + 1];
    }
}

/* Whether the states need to move by so little that it is worth trying. */
static bool may_move(const staged *s, double room)
{
    const double rough = 100.0; /* what was found with the states held is not exact */
    for (int32_t j = 0; j < s->array.n; j++)
        if (s->p->y_mask[j] == DAEDAL_GUESS &&
            !(fabs(s->step[s->array.col[j]]) * s->p->inverse_weight[j] <= rough * room))
            return false;
    return true;
}

/* Whether what is held need not move by more than noise. */
static bool held_may_stay(const staged *s)
{
    for (int32_t k = 0; k < s->array.cols; k++)
        s->moves[k] = s->held[k] ? s->step[k] : 0.0;
    return correction_is_small(&s->array, s->excuse, s->moves);
}

/* First with the states held.  Where these contradict one another that need not settle, but it
 * brings near what the states determine.  A daedal_answer.                                  */
static int find(staged *s, double room, bool *done)
{
    bool settled = false;
    *done = false;
    for (int moving = 0; moving <= 1 && !*done; moving++) {
        hold(s, moving == 0);
        int answer = iterate(s, &settled);
        if (answer != DAEDAL_CALL_OK || !vector_all_finite(s->unknown, s->array.cols))
            return answer;
        *done = settled && held_may_stay(s) && is_acceptable(s, room);
        if (!*done && !may_move(s, room))
            break;
    }
    return DAEDAL_CALL_OK;
}

static daedal_status attempt(const start_problem *p, const start_offsets *o, double side,
                             double room, bool *done)
{
    staged s = {.p = p};
    daedal_status status = DAEDAL_ERR_MEMORY;
    bool fits = difference_array_create(&s.array, p, o->c, o->d) &&
                stage_system_create(&s.stages, &s.array) &&
                block_create(&s.mem, p->allocator, lay_out, &s);
    if (fits) {
        s.array.side = side;
        set_values(&s);
        int answer = find(&s, room, done);
        status = answer == DAEDAL_CALL_STOP   ? DAEDAL_STOPPED
                 : answer == DAEDAL_CALL_FAIL ? evaluator_explain(p->matrix->ev, p->why)
                                              : DAEDAL_OK;
        if (*done)
            hand_over(&s);
    }
    block_free(&s.mem);
    stage_system_free(&s.stages);
    difference_array_free(&s.array);
    return status;
}

daedal_status start_by_stages(const start_problem *p, const start_offsets *o, double room,
                              bool *done)
{
    *done = false;
    RETURN_UNLESS_OK(attempt(p, o, o->side, room, done));
    /* F may not be defined before t, or jump there */
    if (!*done && o->side == 0.0)
        RETURN_UNLESS_OK(attempt(p, o, p->direction, room, done));
    return DAEDAL_OK;
}
