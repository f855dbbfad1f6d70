/* fit/levenberg_marquardt.c - see levenberg_marquardt.h. */
#include "fit/levenberg_marquardt.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/vector.h"

static const double DAMPING_FIRST = 1e-3;  /* relative to the columns of J                  */
static const double DAMPING_LEAST = 1e-12; /* no damping any more                           */
static const double GAIN_LEAST = 1e-4;     /* share of the predicted decrease that is enough */
static const double DAMPING_MOST = 1e12;   /* steps of that damping do not move x           */
/* An iterate whose distance from the solution of the linearised problem is this share of the radius
 * of its confidence region is the solution: the relative offset of [BW81].                      */
static const double OFFSET = 1e-3;

static void lay_out(void *object, layout *l)
{
    marquardt *q = object;
    size_t m = (size_t)q->m, n = (size_t)q->n;
    q->x = layout_take(l, n, sizeof(double));
    q->r = layout_take(l, m, sizeof(double));
    q->jacobian = layout_take(l, m * n, sizeof(double));
    q->is_at_bound = layout_take(l, n, sizeof(bool));
    q->trial_x = layout_take(l, n, sizeof(double));
    q->trial_r = layout_take(l, m, sizeof(double));
    q->step = layout_take(l, n, sizeof(double));
    q->scale = layout_take(l, n, sizeof(double));
    q->matrix = layout_take(l, (m + n) * n, sizeof(double));
    q->right = layout_take(l, m + n, sizeof(double));
}

bool marquardt_create(marquardt *q, const daedal_allocator *a)
{
    memset(&q->solver, 0, sizeof q->solver);
    memset(&q->mem, 0, sizeof q->mem);
    return block_create(&q->mem, a, lay_out, q) &&
           least_squares_create(&q->solver, q->m + q->n, q->n, a);
}

void marquardt_free(marquardt *q)
{
    least_squares_free(&q->solver);
    block_free(&q->mem);
}

static const double *column_of(const marquardt *q, int32_t j)
{
    return q->jacobian + (size_t)j * (size_t)q->m;
}

/* The step of the damping mu; with mu = 0 that of Gauss and Newton.  Unknowns at their bounds do
 * not move. */
static void find_step(marquardt *q, double mu)
{
    size_t m = (size_t)q->m, rows = m + (size_t)q->n;
    memset(q->matrix, 0, rows * (size_t)q->n * sizeof *q->matrix);
    memset(q->right, 0, rows * sizeof *q->right);
    for (int32_t j = 0; j < q->n; j++) {
        double *column = q->matrix + (size_t)j * rows;
        if (!q->is_at_bound[j])
            memcpy(column, column_of(q, j), m * sizeof *column);
        column[m + (size_t)j] = q->is_at_bound[j] ? q->scale[j] : sqrt(mu) * q->scale[j];
    }
    for (size_t i = 0; i < m; i++)
        q->right[i] = -q->r[i];
    least_squares_solve(&q->solver, q->matrix, q->right);
    memcpy(q->step, q->right, (size_t)q->n * sizeof *q->step);
    for (int32_t j = 0; j < q->n; j++)
        if (q->is_at_bound[j])
            q->step[j] = 0.0;
}

/* |r + J d|^2 of the present step. */
static double predicted_square(marquardt *q)
{
    memcpy(q->trial_r, q->r, (size_t)q->m * sizeof *q->r);
    for (int32_t j = 0; j < q->n; j++)
        for (int32_t i = 0; i < q->m; i++)
            q->trial_r[i] += column_of(q, j)[i] * q->step[j];
    return vector_dot(q->trial_r, q->trial_r, q->m);
}

/* Unknowns at a bound beyond which the sum would fall. */
static int32_t find_bounds(marquardt *q)
{
    int32_t n_free = 0;
    for (int32_t j = 0; j < q->n; j++) {
        double slope = vector_dot(column_of(q, j), q->r, q->m);
        q->is_at_bound[j] =
            (q->x[j] <= q->lower[j] && slope > 0.0) || (q->x[j] >= q->upper[j] && slope < 0.0);
        n_free += !q->is_at_bound[j];
    }
    return n_free;
}

/* Whether the step of Gauss and Newton is short beside the confidence region of the data, or the
 * residual is as small as its errors.                                            */
static bool is_solution(marquardt *q, int32_t n_free)
{
    int32_t freedom = q->m - n_free > 1 ? q->m - n_free : 1;
    if (n_free == 0 || q->square <= q->accuracy * q->accuracy * q->m)
        return true;
    find_step(q, 0.0);
    double left = predicted_square(q), gain = q->square - left;
    return gain / n_free <= OFFSET * OFFSET * left / freedom ||
           gain <= q->accuracy * q->accuracy * q->square;
}

static void cut_step(marquardt *q)
{
    for (int32_t j = 0; j < q->n; j++) {
        double to = fmin(fmax(q->x[j] + q->step[j], q->lower[j]), q->upper[j]);
        q->trial_x[j] = to;
        q->step[j] = to - q->x[j];
    }
}

/* More damping after a step that did not help. */
static void shrink(marquardt *q)
{
    q->damping *= q->growth;
    q->growth *= 2.0;
}

static void relax(marquardt *q, double gain)
{
    double share = 2.0 * gain - 1.0;
    q->damping *= fmax(1.0 / 3.0, 1.0 - share * share * share);
    q->damping = fmax(q->damping, DAMPING_LEAST);
    q->growth = 2.0;
}

/* Steps with more and more damping until one helps.  DAEDAL_OK: it is in trial_x; *helps = false:
 * none does.                                                                     */
static daedal_status search(marquardt *q, bool *helps)
{
    for (*helps = false; q->damping <= DAMPING_MOST; shrink(q)) {
        find_step(q, q->damping);
        cut_step(q);
        double predicted = q->square - predicted_square(q);
        if (!(predicted > 0.0))
            continue;
        daedal_status status = q->residuals(q->self, q->trial_x, q->trial_r, NULL);
        if (failure_is(status, NUMERIC_FAILURE))
            continue;
        if (status != DAEDAL_OK)
            return status;
        double square = vector_dot(q->trial_r, q->trial_r, q->m);
        double gain = (q->square - square) / predicted;
        if (gain >= GAIN_LEAST) {
            relax(q, gain);
            *helps = true;
            return DAEDAL_OK;
        }
        if (predicted <= q->accuracy * q->square)
            return DAEDAL_OK; /* below the errors of r */
    }
    return DAEDAL_OK;
}

static daedal_status linearize(marquardt *q)
{
    daedal_status status = q->residuals(q->self, q->x, q->r, q->jacobian);
    if (status != DAEDAL_OK)
        return status;
    q->square = vector_dot(q->r, q->r, q->m);
    for (int32_t j = 0; j < q->n; j++) {
        double norm = sqrt(vector_dot(column_of(q, j), column_of(q, j), q->m));
        q->scale[j] = larger_of(q->scale[j], norm);
        if (q->scale[j] == 0.0)
            q->scale[j] = 1.0;
    }
    return DAEDAL_OK;
}

static marquardt_end end_of(daedal_status status)
{
    return status == DAEDAL_STOPPED ? MARQUARDT_STOPPED : MARQUARDT_FAILED;
}

/* Whether no step was found because what there is to gain is below the errors of r. */
static marquardt_end end_of_search(marquardt *q)
{
    find_step(q, 0.0);
    cut_step(q);
    bool is_noise = q->square - predicted_square(q) <= sqrt(q->accuracy) * q->square;
    return is_noise ? MARQUARDT_CONVERGED : MARQUARDT_STUCK;
}

marquardt_end marquardt_solve(marquardt *q, daedal_status *status)
{
    q->damping = DAMPING_FIRST;
    q->growth = 2.0;
    memset(q->scale, 0, (size_t)q->n * sizeof *q->scale);
    for (q->iterations = 0;; q->iterations++) {
        bool helps = false;
        *status = linearize(q);
        if (*status != DAEDAL_OK)
            return end_of(*status);
        if (q->after_step && !q->after_step(q->self, q->iterations, q->square))
            return MARQUARDT_STOPPED;
        if (is_solution(q, find_bounds(q)))
            return MARQUARDT_CONVERGED;
        if (q->iterations >= q->iterations_most)
            return MARQUARDT_EXHAUSTED;
        *status = search(q, &helps);
        if (*status != DAEDAL_OK)
            return end_of(*status);
        if (!helps)
            return end_of_search(q);
        memcpy(q->x, q->trial_x, (size_t)q->n * sizeof *q->x);
    }
}
