/* integ/projection.c - see projection.h.
 *
 * With weights w the change is dy = w u, with the shortest u that meets A u = -r, A = dg/dy w.
 * Rows of A and r are divided by the largest entry of the row, so that r is a distance in
 * weights, whatever the units of the constraint.                                 */
#include "integ/projection.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "integ/mass_metric.h"
#include "linalg/vector.h"

enum { ITERATIONS_MAX = 6 };
enum { DENSE_MOST = 10000 };           /* entries of the constraints of a level     */
static const double SOLVED = 1e-3;     /* of the right side                         */
static const double NO_BETTER = 0.5;   /* of the distance before: roundoff          */
static const double ACCEPTABLE = 1e-2; /* of a weight, when iterations are used up */

/* ---- set-up ---- */

static void lay_out(void *object, layout *l)
{
    projection *p = object;
    const daedal_system *sys = p->ev->sys;
    p->level = layout_take(l, (size_t)p->n_levels, sizeof *p->level);
    p->g = layout_take(l, (size_t)sys->n_constraints, sizeof(double));
    p->slopes = layout_take(l, (size_t)pattern_nnz(sys->constraint_pattern), sizeof(double));
    p->y_old = layout_take(l, (size_t)sys->n, sizeof(double));
    constraint_conflict_lay_out(&p->conflict, sys->n, l);
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
    size_t rows = (size_t)v->n_rows, cols = (size_t)v->n_cols;
    v->row = layout_take(l, rows, sizeof(int32_t));
    v->col = layout_take(l, cols, sizeof(int32_t));
    v->row_scale = layout_take(l, rows, sizeof(double));
    v->weight = layout_take(l, cols, sizeof(double));
    v->b = layout_take(l, rows + cols, sizeof(double));
    v->matrix = layout_take(l, v->is_small ? rows * cols : 0, sizeof(double));
}

/* New numbers of rows and columns in a level; -1: not in it. */
typedef struct numbering {
    int32_t *row, *col;
    int32_t n_rows, n_cols;
} numbering;

static bool has_entry(const daedal_pattern *p, int32_t j, const int32_t *row_at)
{
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
        if (row_at[p->row[q]] >= 0)
            return true;
    return false;
}

static void number_level(const daedal_system *sys, int32_t which, numbering *to)
{
    to->n_rows = to->n_cols = 0;
    for (int32_t i = 0; i < sys->n_constraints; i++)
        to->row[i] = level_of(sys, i) == which ? to->n_rows++ : -1;
    for (int32_t j = 0; j < sys->n; j++) {
        bool here = !sys->variable_level.n || sys->variable_level.at[j] == which;
        to->col[j] = here && has_entry(sys->constraint_pattern, j, to->row) ? to->n_cols++ : -1;
    }
}

static bool create_level(projection *p, projection_level *v, int32_t which, numbering *in)
{
    const daedal_system *sys = p->ev->sys;
    number_level(sys, which, in);
    v->n_rows = in->n_rows;
    v->n_cols = in->n_cols;
    v->is_small = (int64_t)in->n_rows * in->n_cols <= DENSE_MOST;
    min_norm_part part = {sys->constraint_pattern, in->row, in->col, in->n_rows, in->n_cols, 0.0};
    if (!block_create(&v->mem, p->allocator, lay_out_level, v) ||
        !min_norm_create(&v->step, &part, p->allocator) ||
        (v->is_small && !least_squares_create(&v->dense, v->n_rows, v->n_cols, p->allocator)))
        return false;
    for (int32_t i = 0; i < sys->n_constraints; i++)
        if (in->row[i] >= 0)
            v->row[in->row[i]] = i;
    for (int32_t j = 0; j < sys->n; j++)
        if (in->col[j] >= 0)
            v->col[in->col[j]] = j;
    return true;
}

bool projection_create(projection *p, evaluator *ev, const daedal_allocator *a)
{
    const daedal_system *sys = ev->sys;
    *p = (projection){.ev = ev, .allocator = a, .tolerance = 1e-4};
    if (sys->n_constraints == 0)
        return true;
    p->n_levels = count_levels(sys);
    size_t rows = (size_t)sys->n_constraints, cols = (size_t)sys->n;
    numbering in = {memory_take_array(a, rows, sizeof(int32_t)),
                    memory_take_array(a, cols, sizeof(int32_t)), 0, 0};
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

bool projection_copy(projection *to, const projection *from)
{
    constraint_conflict *u = &to->conflict;
    const constraint_conflict *v = &from->conflict;
    size_t bytes = (size_t)v->n * sizeof(double);
    to->largest = from->largest;
    to->refused = from->refused;
    to->worst = from->worst;
    u->count = v->count;
    double *const into[] = {u->sum, u->base, u->reach, u->weight};
    const double *const values[] = {v->sum, v->base, v->reach, v->weight};
    for (int k = 0; k < 4 && v->sum; k++)
        memcpy(into[k], values[k], bytes);
    if (from->metric)
        to->metric = mass_metric_copy(from->metric, to->ev, to->allocator);
    return to->metric || !from->metric;
}

void projection_free(projection *p)
{
    for (int32_t k = 0; p->mem.p && k < p->n_levels; k++) {
        projection_level *v = &p->level[k];
        min_norm_free(&v->step);
        least_squares_free(&v->dense);
        block_free(&v->mem);
    }
    if (p->metric) {
        mass_metric_free(p->metric);
        memory_give(p->allocator, p->metric, sizeof *p->metric);
    }
    p->metric = NULL;
    block_free(&p->mem);
    p->n_levels = 0;
}

/* ---- one level ---- */

int projection_evaluate(projection *p, double t, const double *y)
{
    const daedal_system *sys = p->ev->sys;
    if (evaluator_is_stopped(p->ev))
        return DAEDAL_CALL_STOP;
    int answer = sys->constraints(t, y, p->g, sys->user);
    return evaluator_judge(p->ev, answer, "constraint function", t, p->g, sys->n_constraints);
}

int projection_evaluate_slopes(projection *p, double t, const double *y)
{
    const daedal_system *sys = p->ev->sys;
    int32_t nnz = pattern_nnz(sys->constraint_pattern);
    if (evaluator_is_stopped(p->ev))
        return DAEDAL_CALL_STOP;
    memset(p->slopes, 0, (size_t)nnz * sizeof(double));
    int answer = sys->constraint_jacobian(t, y, p->slopes, sys->user);
    return evaluator_judge(p->ev, answer, "constraint Jacobian", t, p->slopes, nnz);
}

/* Set the weights of the columns, and divide every row by its largest weighted entry. */
static void scale(const projection *p, projection_level *v, const double *inverse_weight)
{
    const daedal_pattern *k = &v->step.pattern.view;
    memset(v->row_scale, 0, (size_t)v->n_rows * sizeof(double));
    for (int32_t c = 0; c < v->n_cols; c++) {
        v->weight[c] = 1.0 / inverse_weight[v->col[c]];
        for (int32_t q = k->start[c] + 1; q < k->start[c + 1]; q++) {
            double *most = &v->row_scale[k->row[q] - v->n_cols];
            *most = fmax(*most, fabs(p->slopes[v->step.entry[q]]) * v->weight[c]);
        }
    }
    for (int32_t i = 0; i < v->n_rows; i++)
        v->row_scale[i] = v->row_scale[i] > 0.0 ? 1.0 / v->row_scale[i] : 1.0;
}

/* Largest distance from a constraint of the level, in weights. */
static double distance(const projection *p, const projection_level *v, int32_t *worst)
{
    double most = 0.0;
    for (int32_t i = 0; i < v->n_rows; i++) {
        double off = fabs(p->g[v->row[i]]) * v->row_scale[i];
        if (off > most)
            *worst = v->row[i];
        most = fmax(most, off);
    }
    return most;
}

static double right_side(const projection *p, const projection_level *v, int32_t i)
{
    return -p->g[v->row[i]] * v->row_scale[i];
}

/* Whether the u found satisfies A u = -r; it does not if rows depend on one another. */
static bool is_solved(const projection *p, const projection_level *v)
{
    const daedal_pattern *k = &v->step.pattern.view;
    double *r = v->b + v->n_cols, left = 0.0, size = 0.0; /* the multipliers are of no use */
    if (!vector_all_finite(v->b, v->n_cols))
        return false;
    for (int32_t i = 0; i < v->n_rows; i++)
        r[i] = right_side(p, v, i);
    size = vector_max_abs(r, v->n_rows);
    for (int32_t c = 0; c < v->n_cols; c++)
        for (int32_t q = k->start[c] + 1; q < k->start[c + 1]; q++)
            r[k->row[q] - v->n_cols] -= v->step.matrix[q] * v->b[c];
    left = vector_max_abs(r, v->n_rows);
    return left <= SOLVED * size;
}

/* Find the shortest of all u with the least residual, for any rank.  It satisfies constraints that
 * depend on one another, and cannot satisfy contradictory ones. */
static void solve_dependent(const projection *p, projection_level *v)
{
    const daedal_pattern *k = &v->step.pattern.view;
    size_t rows = (size_t)v->n_rows;
    memset(v->matrix, 0, rows * (size_t)v->n_cols * sizeof(double));
    for (int32_t c = 0; c < v->n_cols; c++)
        for (int32_t q = k->start[c] + 1; q < k->start[c + 1]; q++)
            v->matrix[(size_t)c * rows + (size_t)(k->row[q] - v->n_cols)] = v->step.matrix[q];
    for (int32_t i = 0; i < v->n_rows; i++)
        v->b[i] = right_side(p, v, i);
    least_squares_solve(&v->dense, v->matrix, v->b);
}

static bool move(const projection *p, projection_level *v, bool factored, double *y)
{
    if (p->metric)
        return factored && mass_metric_move(p->metric, v->row, v->n_rows, p->g, y);
    for (int32_t i = 0; i < v->n_rows; i++)
        v->b[v->n_cols + i] = right_side(p, v, i);
    if (factored)
        min_norm_solve(&v->step, v->b);
    if (!factored || !is_solved(p, v)) {
        if (!v->is_small)
            return false;
        solve_dependent(p, v);
    }
    if (!vector_all_finite(v->b, v->n_cols))
        return false;
    for (int32_t c = 0; c < v->n_cols; c++)
        y[v->col[c]] += v->b[c] * v->weight[c];
    return true;
}

static projection_outcome outcome_of(int answer)
{
    return answer == DAEDAL_CALL_STOP   ? PROJECTION_STOP
           : answer == DAEDAL_CALL_FAIL ? PROJECTION_FAIL
                                        : PROJECTION_FAR;
}

static bool factor(projection *p, projection_level *v, double t, const double *y,
                   const double *inverse_weight)
{
    if (p->metric)
        return mass_metric_factor(p->metric, t, y, inverse_weight);
    return min_norm_factor(&v->step, p->slopes, v->row_scale, v->weight) == DAEDAL_OK;
}

static bool is_near(const projection *p, int i, double off, double before)
{
    return off <= p->tolerance || (p->tolerance == 0.0 && i > 1 && off > NO_BETTER * before);
}

static projection_outcome meet_level(projection *p, projection_level *v, double t, double *y,
                                     const double *inverse_weight)
{
    bool factored = true;
    double before = HUGE_VAL;
    for (int i = 0; i < ITERATIONS_MAX; i++) {
        int answer = i == 0 ? projection_evaluate_slopes(p, t, y) : DAEDAL_CALL_OK;
        if (answer == DAEDAL_CALL_OK)
            answer = projection_evaluate(p, t, y);
        if (answer != DAEDAL_CALL_OK)
            return outcome_of(answer);
        if (i == 0)
            scale(p, v, inverse_weight);
        int32_t worst = -1;
        double off = distance(p, v, &worst);
        if (i == 0 && off > p->largest) {
            p->largest = off;
            p->worst = worst;
        }
        if (is_near(p, i, off, before))
            return off <= ACCEPTABLE ? PROJECTION_DONE : PROJECTION_FAR;
        before = off;
        if (i == 0)
            factored = factor(p, v, t, y, inverse_weight);
        if (i + 1 == ITERATIONS_MAX)
            return off <= ACCEPTABLE ? PROJECTION_DONE : PROJECTION_FAR;
        if (!move(p, v, factored, y))
            return PROJECTION_FAR;
    }
    return PROJECTION_FAR;
}

projection_outcome projection_apply(projection *p, double t, double *y,
                                    const double *inverse_weight, double *moved)
{
    size_t n = (size_t)p->ev->n;
    *moved = p->largest = 0.0;
    p->worst = -1;
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

int32_t projection_conflict(projection *p, const double *y, const double *inverse_weight)
{
    constraint_conflict *w = &p->conflict;
    if (w->count == 0)
        constraint_conflict_begin(w, y);
    for (int32_t j = 0; j < p->ev->n; j++) /* the last call has left its moves in y_old */
        constraint_conflict_note(w, j, y[j], p->y_old[j], 1.0 / inverse_weight[j]);
    return constraint_conflict_found(w, y);
}
