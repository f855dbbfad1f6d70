/* integ/projection.c - see projection.h.
 *
 * With weights w the shortest change dy = w u that meets A u = -r, A = dg/dy w, solves
 *     [ I  A' ] [ u  ]   [  0 ]
 *     [ A  0  ] [ mu ] = [ -r ]
 * Rows of A and r are divided by the largest entry of the row, so that r is a distance in
 * weights, whatever the units of the constraint.                                 */
#include "integ/projection.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/vector.h"

enum { ITERATIONS_MAX = 6 };
static const double SMALL_ENOUGH = 1e-4; /* of a weight: stop                        */
static const double ACCEPTABLE = 1e-2;   /* of a weight, when iterations are used up */

/* ---- set-up ---- */

static void lay_out(void *object, layout *l)
{
    projection *p = object;
    const daedal_system *sys = p->ev->sys;
    p->level = layout_take(l, (size_t)p->n_levels, sizeof *p->level);
    p->g = layout_take(l, (size_t)sys->n_constraints, sizeof(double));
    p->slopes = layout_take(l, (size_t)pattern_nnz(sys->constraint_pattern), sizeof(double));
    p->y_old = layout_take(l, (size_t)sys->n, sizeof(double));
}

static int32_t level_of(const daedal_system *sys, int32_t i)
{
    return sys->constraint_level.n ? sys->constraint_level.at[i] : 0;
}

/* The smallest level above `after`; INT32_MAX: none. */
static int32_t next_level(const daedal_system *sys, int64_t after)
{
    int32_t best = INT32_MAX;
    for (int32_t i = 0; i < sys->n_constraints; i++)
        if (level_of(sys, i) > after && level_of(sys, i) < best)
            best = level_of(sys, i);
    return best;
}

static int32_t count_levels(const daedal_system *sys)
{
    int32_t n = 0;
    for (int64_t at = (int64_t)INT32_MIN - 1; (at = next_level(sys, at)) != INT32_MAX;)
        n++;
    return n;
}

static void lay_out_level(void *object, layout *l)
{
    projection_level *v = object;
    size_t size = (size_t)v->n_rows + (size_t)v->n_cols;
    v->row = layout_take(l, (size_t)v->n_rows, sizeof(int32_t));
    v->col = layout_take(l, (size_t)v->n_cols, sizeof(int32_t));
    v->b = layout_take(l, size, sizeof(double));
    v->row_scale = layout_take(l, (size_t)v->n_rows, sizeof(double));
    v->matrix = layout_take(l, (size_t)pattern_nnz(&v->pattern.view), sizeof(double));
    v->entry = layout_take(l, (size_t)pattern_nnz(&v->pattern.view), sizeof(int32_t));
}

/* New numbers of rows and columns in a level; -1: not in it. */
typedef struct numbering {
    int32_t *row, *col;
    int32_t n_rows, n_cols, nnz;
} numbering;

static void number_level(const daedal_system *sys, int32_t which, numbering *to)
{
    const daedal_pattern *p = sys->constraint_pattern;
    to->n_rows = to->n_cols = to->nnz = 0;
    for (int32_t i = 0; i < sys->n_constraints; i++)
        to->row[i] = level_of(sys, i) == which ? to->n_rows++ : -1;
    for (int32_t j = 0; j < sys->n; j++) {
        int32_t before = to->nnz;
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            to->nnz += to->row[p->row[q]] >= 0;
        to->col[j] = to->nnz > before ? to->n_cols++ : -1;
    }
}

/* Columns of [I A'; A 0]: first those of A, then those of A', both ascending. */
static bool augmented_pattern(const daedal_system *sys, const numbering *in, pattern *to,
                              const daedal_allocator *a)
{
    const daedal_pattern *p = sys->constraint_pattern;
    int32_t size = in->n_rows + in->n_cols;
    if (!pattern_create(to, size, size, in->n_cols + 2 * in->nnz, a))
        return false;
    int32_t *start = to->start, q = 0;
    for (int32_t j = 0; j < sys->n; j++) {
        if (in->col[j] < 0)
            continue;
        start[in->col[j]] = q;
        to->row[q++] = in->col[j];
        for (int32_t s = p->start[j]; s < p->start[j + 1]; s++)
            if (in->row[p->row[s]] >= 0) {
                to->row[q++] = in->n_cols + in->row[p->row[s]];
                start[in->n_cols + in->row[p->row[s]] + 1]++;
            }
    }
    start[in->n_cols] = q;
    for (int32_t i = 0; i < in->n_rows; i++)
        start[in->n_cols + i + 1] += start[in->n_cols + i];
    for (int32_t j = sys->n; j-- > 0;)
        for (int32_t s = p->start[j + 1]; s-- > p->start[j];)
            if (in->col[j] >= 0 && in->row[p->row[s]] >= 0)
                to->row[--start[in->n_cols + in->row[p->row[s]] + 1]] = in->col[j];
    for (int32_t i = 0; i < in->n_rows; i++) /* each start stands one place too far back */
        start[in->n_cols + i] = start[in->n_cols + i + 1];
    start[size] = in->n_cols + 2 * in->nnz;
    return true;
}

static void list_entries(const daedal_system *sys, const numbering *in, projection_level *v)
{
    const daedal_pattern *p = sys->constraint_pattern;
    for (int32_t i = 0; i < sys->n_constraints; i++)
        if (in->row[i] >= 0)
            v->row[in->row[i]] = i;
    for (int32_t j = 0; j < sys->n; j++)
        if (in->col[j] >= 0)
            v->col[in->col[j]] = j;
    const daedal_pattern *k = &v->pattern.view;
    for (int32_t c = 0; c < k->n_cols; c++)
        for (int32_t q = k->start[c]; q < k->start[c + 1]; q++) {
            int32_t r = k->row[q];
            bool below = c < v->n_cols && r >= v->n_cols, right = c >= v->n_cols;
            int32_t i = below ? r - v->n_cols : c - v->n_cols, j = below ? c : r;
            v->entry[q] = below || right ? pattern_find(p, v->row[i], v->col[j]) : -1;
        }
}

static bool create_level(projection *p, projection_level *v, int32_t which, numbering *in)
{
    const daedal_system *sys = p->ev->sys;
    number_level(sys, which, in);
    v->n_rows = in->n_rows;
    v->n_cols = in->n_cols;
    if (!augmented_pattern(sys, in, &v->pattern, p->allocator) ||
        !block_create(&v->mem, p->allocator, lay_out_level, v))
        return false;
    list_entries(sys, in, v);
    v->solver = linsolver_choose(LINSOLVER_AUTO, &v->pattern.view);
    return v->solver->create(&v->factors, &v->pattern.view, p->allocator) == DAEDAL_OK;
}

bool projection_create(projection *p, evaluator *ev, const daedal_allocator *a)
{
    const daedal_system *sys = ev->sys;
    *p = (projection){.ev = ev, .allocator = a};
    if (sys->n_constraints == 0)
        return true;
    p->n_levels = count_levels(sys);
    size_t rows = (size_t)sys->n_constraints, cols = (size_t)sys->n;
    numbering in = {memory_take_array(a, rows, sizeof(int32_t)),
                    memory_take_array(a, cols, sizeof(int32_t)), 0, 0, 0};
    bool fine = in.row && in.col && block_create(&p->mem, a, lay_out, p);
    int64_t at = (int64_t)INT32_MIN - 1;
    for (int32_t k = 0; k < p->n_levels && fine; k++) {
        at = next_level(sys, at);
        fine = create_level(p, &p->level[k], (int32_t)at, &in);
    }
    memory_give(a, in.row, rows * sizeof(int32_t));
    memory_give(a, in.col, cols * sizeof(int32_t));
    return fine;
}

void projection_free(projection *p)
{
    for (int32_t k = 0; p->mem.p && k < p->n_levels; k++) {
        projection_level *v = &p->level[k];
        if (v->factors)
            v->solver->destroy(v->factors);
        pattern_free(&v->pattern);
        block_free(&v->mem);
    }
    block_free(&p->mem);
    p->n_levels = 0;
}

/* ---- one level ---- */

static int evaluate(projection *p, double t, const double *y)
{
    const daedal_system *sys = p->ev->sys;
    int answer = sys->constraints(t, y, p->g, sys->user);
    return evaluator_judge(p->ev, answer, "constraint function", t, p->g, sys->n_constraints);
}

static int evaluate_slopes(projection *p, double t, const double *y)
{
    const daedal_system *sys = p->ev->sys;
    int32_t nnz = pattern_nnz(sys->constraint_pattern);
    memset(p->slopes, 0, (size_t)nnz * sizeof(double));
    int answer = sys->constraint_jacobian(t, y, p->slopes, sys->user);
    return evaluator_judge(p->ev, answer, "constraint Jacobian", t, p->slopes, nnz);
}

/* Is entry q of column c one of A (below I), and which row of A? */
static int32_t row_of_entry(const projection_level *v, int32_t c, int32_t q)
{
    return c < v->n_cols ? v->pattern.row[q] - v->n_cols : -1;
}

static void scale_rows(const projection *p, projection_level *v, const double *inverse_weight)
{
    const daedal_pattern *k = &v->pattern.view;
    memset(v->row_scale, 0, (size_t)v->n_rows * sizeof(double));
    for (int32_t c = 0; c < v->n_cols; c++)
        for (int32_t q = k->start[c]; q < k->start[c + 1]; q++) {
            int32_t i = row_of_entry(v, c, q);
            if (i >= 0)
                v->row_scale[i] =
                    fmax(v->row_scale[i], fabs(p->slopes[v->entry[q]]) / inverse_weight[v->col[c]]);
        }
    for (int32_t i = 0; i < v->n_rows; i++)
        v->row_scale[i] = v->row_scale[i] > 0.0 ? 1.0 / v->row_scale[i] : 1.0;
}

static void fill(const projection *p, projection_level *v, const double *inverse_weight)
{
    const daedal_pattern *k = &v->pattern.view;
    scale_rows(p, v, inverse_weight);
    for (int32_t c = 0; c < k->n_cols; c++)
        for (int32_t q = k->start[c]; q < k->start[c + 1]; q++) {
            int32_t i = row_of_entry(v, c, q);
            if (c < v->n_cols && i < 0) {
                v->matrix[q] = 1.0;
                continue;
            }
            int32_t col = c < v->n_cols ? c : v->pattern.row[q];
            i = c < v->n_cols ? i : c - v->n_cols;
            v->matrix[q] = p->slopes[v->entry[q]] * v->row_scale[i] / inverse_weight[v->col[col]];
        }
}

/* Largest distance from a constraint of the level, in weights. */
static double distance(const projection *p, const projection_level *v)
{
    double most = 0.0;
    for (int32_t i = 0; i < v->n_rows; i++)
        most = fmax(most, fabs(p->g[v->row[i]]) * v->row_scale[i]);
    return most;
}

static bool move(const projection *p, projection_level *v, double *y, const double *inverse_weight)
{
    int32_t size = v->n_rows + v->n_cols;
    memset(v->b, 0, (size_t)v->n_cols * sizeof(double));
    for (int32_t i = 0; i < v->n_rows; i++)
        v->b[v->n_cols + i] = -p->g[v->row[i]] * v->row_scale[i];
    v->solver->solve(v->factors, v->b);
    if (!vector_all_finite(v->b, size))
        return false;
    for (int32_t c = 0; c < v->n_cols; c++)
        y[v->col[c]] += v->b[c] / inverse_weight[v->col[c]];
    return true;
}

static projection_outcome outcome_of(int answer)
{
    return answer == DAEDAL_CALL_STOP   ? PROJECTION_STOP
           : answer == DAEDAL_CALL_FAIL ? PROJECTION_FAIL
                                        : PROJECTION_FAR;
}

static projection_outcome meet_level(projection *p, projection_level *v, double t, double *y,
                                     const double *inverse_weight)
{
    for (int i = 0; i < ITERATIONS_MAX; i++) {
        int answer = i == 0 ? evaluate_slopes(p, t, y) : DAEDAL_CALL_OK;
        if (answer == DAEDAL_CALL_OK)
            answer = evaluate(p, t, y);
        if (answer != DAEDAL_CALL_OK)
            return outcome_of(answer);
        if (i == 0)
            fill(p, v, inverse_weight);
        double off = distance(p, v);
        if (i == 0)
            p->largest = fmax(p->largest, off);
        if (off <= SMALL_ENOUGH)
            return PROJECTION_DONE;
        if (i == 0 && v->solver->factor(v->factors, v->matrix) != DAEDAL_OK)
            return PROJECTION_FAR;
        if (i + 1 == ITERATIONS_MAX)
            return off <= ACCEPTABLE ? PROJECTION_DONE : PROJECTION_FAR;
        if (!move(p, v, y, inverse_weight))
            return PROJECTION_FAR;
    }
    return PROJECTION_FAR;
}

projection_outcome projection_apply(projection *p, double t, double *y,
                                    const double *inverse_weight, double *moved)
{
    size_t n = (size_t)p->ev->n;
    *moved = p->largest = 0.0;
    if (p->n_levels == 0)
        return PROJECTION_DONE;
    memcpy(p->y_old, y, n * sizeof(double));
    for (int32_t k = 0; k < p->n_levels; k++) {
        projection_outcome outcome = meet_level(p, &p->level[k], t, y, inverse_weight);
        if (outcome != PROJECTION_DONE) {
            memcpy(y, p->y_old, n * sizeof(double));
            return outcome;
        }
    }
    for (size_t j = 0; j < n; j++)
        p->y_old[j] = y[j] - p->y_old[j];
    *moved = vector_wrms(p->y_old, inverse_weight, p->ev->n);
    return PROJECTION_DONE;
}
