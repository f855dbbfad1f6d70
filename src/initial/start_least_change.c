/* initial/start_least_change.c - see start_rows.h: the hard rows of a start, solved by Gauss-Newton
 * with the least weighted change.
 *
 * The rows may depend on one another, because a start is given twice or because the equations are
 * singular where it is sought.  Small systems are dense, and their rank is found (LAPACK); large
 * ones are sparse, and a slight damping takes the place of the rank: what it leaves of a residual
 * the next iteration removes, with less damping where that was hardly anything.             */
#include <math.h>
#include <string.h>

#include "initial/start_rows.h"
#include "linalg/damped_newton.h"
#include "linalg/least_squares.h"
#include "linalg/min_norm.h"
#include "linalg/scaling.h"

enum { ITERATIONS_MAX = 100, HALVINGS_MAX = 20, DENSE_MAX = 350 }; /* the last: rows or columns */
static const double SOLVED = 1e-12, TOLERATED = 1e-8;              /* scaled residuals            */
static const double SUFFICIENT = 1e-4; /* decrease required of a step: Armijo's usual constant */
/* Of rows whose largest entries are about one: squares of small singular values may be less. */
static const double DAMPING = 1e-10, DAMPING_LEAST = 1e-22, DAMPING_FALL = 1e-3;
static const double SLOW = 0.5; /* decrease of the residuals in an iteration */

typedef struct least_change {
    start_problem *m;
    start_rows *s;
    int32_t rows, cols; /* hard rows: expressions, then kept values */
    bool is_sparse;
    double *b; /* the right side; then the step, by columns and in units of the weights */
    double *row_size, *row_scale;
    double *a; /* dense */
    least_squares ls;
    start_matrix whole; /* sparse */
    int32_t *number;    /* by row of the start: its row there, or -1 */
    int32_t *same;
    min_norm sparse;
    double last_size;
    block mem;
} least_change;

static void lay_out(void *object, layout *l)
{
    least_change *d = object;
    size_t rows = (size_t)d->rows, cols = (size_t)d->cols;
    d->b = layout_take(l, rows + cols, sizeof(double));
    d->row_size = layout_take(l, rows, sizeof(double));
    d->row_scale = layout_take(l, rows, sizeof(double));
    d->a = layout_take(l, d->is_sparse ? 1 : rows * cols, sizeof(double));
    d->number = layout_take(l, d->is_sparse ? (size_t)d->s->n_exprs + cols : 1, sizeof(int32_t));
    d->same = layout_take(l, d->is_sparse ? rows + cols : 1, sizeof(int32_t));
}

/* The number of expressions among the hard rows; they come first. */
static int32_t hard_exprs(const start_rows *s)
{
    return s->equations_only ? s->n_equations : s->n_exprs;
}

static bool keeps(const start_rows *s, int32_t column)
{
    return start_rows_is_hard(s, s->n_exprs + column);
}

/* ---- the linear systems ---- */

static void solve_dense(least_change *d)
{
    const start_rows *s = d->s;
    size_t rows = (size_t)d->rows;
    int32_t row = hard_exprs(s);
    memset(d->a, 0, rows * (size_t)d->cols * sizeof(double));
    for (size_t k = 0; k < s->n_entries; k++)
        if (s->entry[k].row < hard_exprs(s))
            d->a[(size_t)s->entry[k].column * rows + (size_t)s->entry[k].row] =
                s->value[k] * s->weight[s->entry[k].column];
    for (int32_t c = 0; c < d->cols; c++)
        if (keeps(s, c))
            d->a[(size_t)c * rows + (size_t)row++] = s->weight[c];
    for (int32_t c = 0; c < d->cols; c++)
        for (int32_t i = 0; i < d->rows; i++)
            d->a[(size_t)c * rows + (size_t)i] *= d->row_scale[i];
    least_squares_solve(&d->ls, d->a, d->b);
}

static bool solve_sparse(least_change *d)
{
    start_matrix_fill(&d->whole);
    memmove(d->b + d->cols, d->b, (size_t)d->rows * sizeof(double));
    if (min_norm_factor(&d->sparse, d->whole.values, d->row_scale, d->s->weight) != DAEDAL_OK)
        return false;
    min_norm_solve(&d->sparse, d->b);
    return true;
}

static bool prepare_sparse(least_change *d)
{
    int32_t row = 0;
    for (int32_t i = 0; i < d->s->n_exprs + d->cols; i++)
        d->number[i] = start_rows_is_hard(d->s, i) ? row++ : -1;
    if (!start_matrix_create(&d->whole, d->s, d->number, d->rows, d->m->allocator))
        return false;
    for (int32_t i = 0; i < d->rows + d->cols; i++)
        d->same[i] = i;
    min_norm_part part = {&d->whole.pattern.view, d->same, d->same, d->rows, d->cols, DAMPING};
    return min_norm_create(&d->sparse, &part, d->m->allocator);
}

/* ---- the iteration ---- */

static void measure_rows(least_change *d)
{
    const start_rows *s = d->s;
    int32_t row = hard_exprs(s);
    memset(d->row_size, 0, (size_t)d->rows * sizeof(double));
    for (size_t k = 0; k < s->n_entries; k++)
        if (s->entry[k].row < hard_exprs(s)) {
            double *most = &d->row_size[s->entry[k].row];
            *most = fmax(*most, fabs(s->value[k] * s->weight[s->entry[k].column]));
        }
    for (int32_t c = 0; c < d->cols; c++)
        if (keeps(s, c))
            d->row_size[row++] = s->weight[c];
    for (int32_t i = 0; i < d->rows; i++)
        d->row_scale[i] = scaling_factor(d->row_size[i]);
}

/* The scaled right side; returns its largest entry. */
static double set_right_side(least_change *d)
{
    const start_rows *s = d->s;
    double most = 0.0;
    int32_t row = hard_exprs(s);
    for (int32_t i = 0; i < hard_exprs(s); i++)
        d->b[i] = -s->r[i];
    for (int32_t c = 0; c < d->cols; c++)
        if (keeps(s, c))
            d->b[row++] = -s->r[s->n_exprs + c];
    for (int32_t i = 0; i < d->rows; i++) {
        d->b[i] *= d->row_scale[i];
        most = fmax(most, fabs(d->b[i]));
    }
    return most;
}

static damped_reply linearize(void *self, double *size)
{
    least_change *d = self;
    if (!start_rows_slopes(d->m, d->s, d->s->z) || !start_rows_evaluate(d->m, d->s, d->s->z))
        return DAMPED_UNDEFINED;
    measure_rows(d);
    *size = set_right_side(d);
    if (*size > SLOW * d->last_size)
        d->sparse.damping = fmax(DAMPING_FALL * d->sparse.damping, DAMPING_LEAST);
    d->last_size = *size;
    if (d->is_sparse)
        return solve_sparse(d) ? DAMPED_OK : DAMPED_UNDEFINED;
    solve_dense(d);
    return DAMPED_OK;
}

static double hard_size(const least_change *d)
{
    const start_rows *s = d->s;
    double most = 0.0;
    int32_t row = hard_exprs(s);
    for (int32_t i = 0; i < hard_exprs(s); i++)
        most = fmax(most, fabs(s->r[i]) / (d->row_size[i] > 0.0 ? d->row_size[i] : 1.0));
    for (int32_t c = 0; c < d->cols; c++)
        if (keeps(s, c))
            most = fmax(most, fabs(s->r[s->n_exprs + c]) / d->row_size[row++]);
    return most;
}

static damped_reply try_share(void *self, double share, double *size)
{
    least_change *d = self;
    start_rows *s = d->s;
    for (int32_t c = 0; c < s->n_columns; c++)
        s->trial[c] = s->z[c] + share * s->weight[c] * d->b[c];
    if (!start_rows_evaluate(d->m, s, s->trial))
        return DAMPED_UNDEFINED;
    *size = hard_size(d);
    return DAMPED_OK;
}

static void accept(void *self, double share)
{
    start_rows *s = ((least_change *)self)->s;
    (void)share;
    memcpy(s->z, s->trial, (size_t)s->n_columns * sizeof(double));
}

static bool iterate(least_change *d)
{
    start_rows *s = d->s;
    damped_newton newton = {.self = d,
                            .measure = linearize,
                            .try_share = try_share,
                            .accept = accept,
                            .iterations_max = ITERATIONS_MAX,
                            .halvings_max = HALVINGS_MAX,
                            .decrease = SUFFICIENT,
                            .solved = SOLVED,
                            .tolerated = TOLERATED};
    memcpy(s->z, s->guess, (size_t)s->n_columns * sizeof(double));
    return damped_newton_solve(&newton) == DAMPED_FOUND;
}

bool start_least_change(start_problem *m, start_rows *s)
{
    least_change d = {
        .m = m, .s = s, .rows = hard_exprs(s), .cols = s->n_columns, .last_size = HUGE_VAL};
    for (int32_t c = 0; c < s->n_columns; c++)
        d.rows += keeps(s, c);
    d.is_sparse = d.rows > DENSE_MAX || d.cols > DENSE_MAX;
    bool fine = block_create(&d.mem, m->allocator, lay_out, &d) &&
                (d.is_sparse ? prepare_sparse(&d)
                             : least_squares_create(&d.ls, d.rows, d.cols, m->allocator)) &&
                iterate(&d);
    least_squares_free(&d.ls);
    min_norm_free(&d.sparse);
    start_matrix_free(&d.whole);
    block_free(&d.mem);
    return fine;
}
