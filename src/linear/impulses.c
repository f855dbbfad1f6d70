/* linear/impulses.c - daedal_pencil_impulses and daedal_solver_impulses: what a jump of a solution
 * contains beside it.
 *
 * A solution of E y' = A y + f that jumps by J at an instant, w_1 delta + w_2 delta' + ... there,
 * satisfies (equate the coefficients of delta, delta', ...; [BCP96] section 3.1 for the case J = g
 * - y of a constraint)
 *     E J = A w_1,   E w_1 = A w_2,   ...,   E w_m = 0.
 * For a regular pencil the w_k are unique.  Orders m = 0, 1, ... are tried in turn, each as one
 * least-squares problem, until the equations are satisfied.                            */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/least_squares.h"
#include "linalg/vector.h"

enum { LARGEST = 400 };               /* unknowns */
static const double SATISFIED = 1e-6; /* of the terms of the equations */

typedef struct distribution {
    int32_t n, m; /* unknowns; order */
    const double *e, *a;
    double *matrix, *right, *rows; /* (m + 1) n x m n; (m + 1) n; n: sizes of the rows */
    const daedal_allocator *allocator;
    least_squares ls;
    block mem;
} distribution;

static void lay_out(void *object, layout *l)
{
    distribution *d = object;
    size_t n = (size_t)d->n, m = (size_t)d->m;
    d->matrix = layout_take(l, (m + 1) * n * m * n + 1, sizeof(double));
    d->right = layout_take(l, (m + 1) * n + 1, sizeof(double));
    d->rows = layout_take(l, n, sizeof(double));
}

/* Equations count alike, whatever their units. */
static void measure_rows(distribution *d)
{
    size_t n = (size_t)d->n;
    memset(d->rows, 0, n * sizeof(double));
    for (size_t k = 0; k < n * n; k++)
        d->rows[k % n] = fmax(d->rows[k % n], fmax(fabs(d->e[k]), fabs(d->a[k])));
    for (size_t i = 0; i < n; i++)
        d->rows[i] = d->rows[i] > 0.0 ? d->rows[i] : 1.0;
}

static void fill(distribution *d)
{
    size_t n = (size_t)d->n, m = (size_t)d->m, rows = (m + 1) * n;
    memset(d->matrix, 0, rows * m * n * sizeof(double));
    for (size_t k = 0; k < m; k++)
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) {
                double *column = d->matrix + (k * n + j) * rows;
                column[k * n + i] = d->a[j * n + i] / d->rows[i];
                column[(k + 1) * n + i] = -d->e[j * n + i] / d->rows[i];
            }
}

/* out = E v, scaled. */
static void multiply_e(const distribution *d, const double *v, double *out)
{
    size_t n = (size_t)d->n;
    memset(out, 0, n * sizeof(double));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            out[i] += d->e[j * n + i] * v[j] / d->rows[i];
}

/* How far w is from satisfying the equations, of the size of E J. */
static double remainder_of(distribution *d, const double *jump, const double *w)
{
    size_t n = (size_t)d->n, m = (size_t)d->m, rows = (m + 1) * n;
    fill(d);
    memset(d->right, 0, rows * sizeof(double));
    multiply_e(d, jump, d->right);
    double size = vector_max_abs(d->right, d->n);
    for (size_t c = 0; c < m * n; c++)
        for (size_t i = 0; i < rows; i++)
            d->right[i] -= d->matrix[c * rows + i] * w[c];
    return vector_max_abs(d->right, (int32_t)rows) / (size > 0.0 ? size : 1.0);
}

/* w_1 .. w_m for the order m; what they leave, or INFINITY without memory. */
static double try_order(distribution *d, const double *jump, double *w)
{
    double left = INFINITY;
    int32_t rows = (d->m + 1) * d->n, cols = d->m * d->n;
    if (!block_create(&d->mem, d->allocator, lay_out, d))
        return left;
    measure_rows(d);
    if (cols == 0) {
        left = remainder_of(d, jump, w);
    } else if (least_squares_create(&d->ls, rows, cols, d->allocator)) {
        d->ls.tolerance = 1e-12;
        fill(d);
        memset(d->right, 0, (size_t)rows * sizeof(double));
        multiply_e(d, jump, d->right);
        least_squares_solve(&d->ls, d->matrix, d->right);
        memcpy(w, d->right, (size_t)cols * sizeof(double));
        left = remainder_of(d, jump, w);
        least_squares_free(&d->ls);
    }
    block_free(&d->mem);
    return left;
}

/* What rounding has left of zero is zero. */
static void clear_rounding(double *w, int32_t n)
{
    const double nothing = 1e-10;
    double most = vector_max_abs(w, n);
    for (int32_t j = 0; j < n; j++)
        w[j] = fabs(w[j]) <= nothing * most ? 0.0 : w[j];
}

static daedal_status check(const daedal_pencil *p, const double *jump, int32_t most,
                           const double *weights, daedal_diagnosis *why)
{
    if (!p || p->rows != p->columns || p->rows < 0 || (p->rows > 0 && !(p->e && p->a)))
        return fail(why, DAEDAL_ERR_ARGUMENT, "the pencil is not given, or not square");
    if (p->rows > LARGEST)
        return fail(why, DAEDAL_ERR_ARGUMENT, "impulses are found of up to %d unknowns", LARGEST);
    if (!jump || most < 0 || (most > 0 && !weights))
        return fail(why, DAEDAL_ERR_ARGUMENT, "the jump or the place for weights is NULL");
    if (!vector_all_finite(jump, p->rows) || !vector_all_finite(p->e, p->rows * p->rows) ||
        !vector_all_finite(p->a, p->rows * p->rows))
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the jump or the pencil has values that are not "
                    "finite");
    return DAEDAL_OK;
}

daedal_status daedal_pencil_impulses(const daedal_pencil *pencil, const double *jump, int32_t most,
                                     double *weights, int32_t *order, daedal_diagnosis *why)
{
    daedal_diagnosis unwanted;
    why = why ? why : &unwanted;
    diagnosis_clear(why);
    TRY(check(pencil, jump, most, weights, why));
    if (!order)
        return fail(why, DAEDAL_ERR_ARGUMENT, "order is NULL");
    *order = -1;
    size_t n = (size_t)pencil->rows;
    memset(weights, 0, n * (size_t)most * sizeof(double));
    for (int32_t m = 0; m <= most; m++) {
        distribution d = {.n = pencil->rows,
                          .m = m,
                          .e = pencil->e,
                          .a = pencil->a,
                          .allocator = &memory_default};
        double left = try_order(&d, jump, weights);
        if (left == INFINITY)
            return fail(why, DAEDAL_ERR_MEMORY, "out of memory for impulses");
        if (left <= SATISFIED) {
            for (int32_t k = 0; k < m; k++)
                clear_rounding(weights + (size_t)k * n, pencil->rows);
            *order = m;
            return DAEDAL_OK;
        }
    }
    memset(weights, 0, n * (size_t)most * sizeof(double));
    return fail(why, DAEDAL_ERR_STRUCTURE,
                "no impulses up to order %d make the equations jump like this: states were moved "
                "in other directions",
                (int)most);
}

/* ---- the start of a run ---- */

static daedal_status find_of_start(daedal_solver *solver, double *parts, int32_t most,
                                   double *weights, int32_t *order)
{
    const daedal_state *at = daedal_solver_state(solver);
    int32_t count = 0, n = daedal_solver_structure(solver)->n;
    const daedal_moved *moved = daedal_solver_moved(solver, &count);
    size_t square = (size_t)n * (size_t)n;
    double *e = parts, *a = parts + square, *jump = parts + 2 * square;
    TRY(daedal_solver_pencil(solver, at->t, at->y, at->yp, e, a));
    memset(jump, 0, (size_t)n * sizeof(double));
    for (int32_t k = 0; k < count; k++)
        if (!moved[k].is_derivative)
            jump[moved[k].variable] = moved[k].to - moved[k].from;
    return daedal_pencil_impulses(&(daedal_pencil){n, n, e, a}, jump, most, weights, order, NULL);
}

daedal_status daedal_solver_impulses(daedal_solver *solver, int32_t most, double *weights,
                                     int32_t *order)
{
    if (!solver || !order || most < 0 || (most > 0 && !weights))
        return DAEDAL_ERR_ARGUMENT;
    *order = -1;
    if (!daedal_solver_state(solver) || daedal_solver_stats(solver)->steps > 0)
        return DAEDAL_ERR_CALL_SEQUENCE;
    size_t n = (size_t)daedal_solver_structure(solver)->n, count = 2 * n * n + n;
    double *parts = memory_take_array(&memory_default, count, sizeof(double));
    if (!parts)
        return DAEDAL_ERR_MEMORY;
    daedal_status status = find_of_start(solver, parts, most, weights, order);
    memory_give(&memory_default, parts, count * sizeof(double));
    return status;
}
