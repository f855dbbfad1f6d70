/* consistent/impulse.c - see impulse.h.
 *
 * With c_i the number of times equation i is differentiated and d_j the highest derivative of y_j
 * that then occurs, K_ij = dF_i^(c_i) / dy_j^(d_j) is regular, and one level below it is also the
 * derivative of F_i^(c_i - 1) by y_j^(d_j - 1).  There K has rows without an equation (c_i = 0) and
 * columns without a variable (d_j = 0: forces, pressures, currents).  The correction
 *
 *     K z = -r,   r_i = F_i^(c_i - 1), or 0 where c_i = 0;     y_j^(d_j - 1) += z_j where d_j > 0
 *
 * is the jump that an impulse of those forces makes: for M v' = f - G' lambda, G v = 0 it is
 * v - M^-1 G' (G M^-1 G')^-1 G v, the limit of an implicit step for h -> 0.  It depends on no units
 * and is what any solver does that begins with the values as they are, so that a start with few
 * digits leads to the same solution.                                             */
#include "consistent/impulse.h"

#include <math.h>
#include <string.h>

#include "linalg/damped_newton.h"
#include "linalg/least_squares.h"
#include "linalg/scaling.h"
#include "linalg/vector.h"

enum { PASSES_MAX = 4 };
static const double WORTH_IT = 0.5; /* of the violation that may remain after a pass */

typedef struct impulse {
    difference_array *array;
    int32_t n;
    double *jacobian, *r;          /* of the array                                   */
    double *k, *z;                 /* n x n by columns, and the right-hand side      */
    double *row_scale, *col_scale; /* to entries of size 1                           */
    double *unknown, *trial;       /* cols                                           */
    bool first;                    /* iteration: widths are looked for               */
    int answer;                    /* of the functions, if not DAEDAL_CALL_OK        */
    least_squares solver;
    block mem;
} impulse;

static void lay_out(void *object, layout *l)
{
    impulse *p = object;
    size_t n = (size_t)p->n, rows = (size_t)p->array->rows, cols = (size_t)p->array->cols;
    p->jacobian = layout_take(l, rows * cols, sizeof(double));
    p->r = layout_take(l, rows, sizeof(double));
    p->k = layout_take(l, n * n, sizeof(double));
    p->z = layout_take(l, n, sizeof(double));
    p->row_scale = layout_take(l, n, sizeof(double));
    p->col_scale = layout_take(l, n, sizeof(double));
    p->trial = layout_take(l, cols, sizeof(double));
}

/* K from the Jacobian of the array, scaled. */
static void set_scaled_matrix(impulse *p)
{
    const difference_array *x = p->array;
    size_t n = (size_t)p->n, rows = (size_t)x->rows;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            size_t row = (size_t)(x->row[i] + x->c[i]), col = (size_t)(x->col[j] + x->d[j]);
            p->k[j * n + i] = p->jacobian[col * rows + row];
        }
    scaling_rows_then_columns(p->k, p->n, p->n, p->row_scale, p->col_scale);
}

/* K at `unknown`. */
static int set_matrix(impulse *p, const double *unknown)
{
    int answer = difference_array_jacobian(p->array, unknown, p->jacobian);
    if (answer != DAEDAL_CALL_OK)
        return answer;
    set_scaled_matrix(p);
    return DAEDAL_CALL_OK;
}

/* The right-hand side, from the array's values in r; its size. */
static double set_right(impulse *p)
{
    const difference_array *x = p->array;
    double most = 0.0;
    for (int32_t i = 0; i < p->n; i++) {
        p->z[i] = x->c[i] > 0 ? -p->row_scale[i] * p->r[x->row[i] + x->c[i] - 1] : 0.0;
        most = fmax(most, fabs(p->z[i]));
    }
    return most;
}

/* unknown + the jump, into trial; false: K is singular. */
static bool jump(impulse *p, const double *unknown)
{
    const difference_array *x = p->array;
    least_squares_solve(&p->solver, p->k, p->z);
    if (p->solver.rank < p->n || !vector_all_finite(p->z, p->n))
        return false;
    memcpy(p->trial, unknown, (size_t)x->cols * sizeof(double));
    for (int32_t j = 0; j < p->n; j++)
        if (x->d[j] > 0)
            p->trial[x->col[j] + x->d[j] - 1] += p->col_scale[j] * p->z[j];
    return true;
}

static damped_reply reply_of(impulse *p, int answer)
{
    p->answer = answer;
    return answer == DAEDAL_CALL_OK ? DAMPED_OK : DAMPED_ABORT;
}

static damped_reply find_jump(void *self, double *size)
{
    impulse *p = self;
    int answer = difference_array_values(p->array, p->unknown, p->first, p->r);
    p->first = false;
    if (answer == DAEDAL_CALL_OK)
        answer = set_matrix(p, p->unknown);
    if (answer != DAEDAL_CALL_OK)
        return reply_of(p, answer);
    *size = set_right(p);
    return *size == 0.0 || !jump(p, p->unknown) ? DAMPED_ENOUGH : DAMPED_OK;
}

/* Whole jumps only: a part of an impulse has no meaning. */
static damped_reply try_jump(void *self, double share, double *size)
{
    impulse *p = self;
    (void)share;
    int answer = difference_array_values(p->array, p->trial, false, p->r);
    if (answer == DAEDAL_CALL_OK)
        *size = set_right(p);
    return reply_of(p, answer);
}

static void take_jump(void *self, double share)
{
    const impulse *p = self;
    (void)share;
    memcpy(p->unknown, p->trial, (size_t)p->array->cols * sizeof(double));
}

static daedal_status status_of(int answer)
{
    switch (answer) {
    case DAEDAL_CALL_STOP:
        return DAEDAL_STOPPED;
    case DAEDAL_CALL_FAIL:
        return DAEDAL_ERR_CALLBACK;
    default:
        return DAEDAL_OK;
    }
}

daedal_status start_by_impulse(difference_array *array, double *unknown)
{
    const daedal_allocator *allocator = array->p->allocator;
    impulse p = {.array = array, .n = array->n, .unknown = unknown, .first = true};
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (block_create(&p.mem, allocator, lay_out, &p) &&
        least_squares_create(&p.solver, p.n, p.n, allocator)) {
        damped_newton newton = {.self = &p,
                                .measure = find_jump,
                                .try_share = try_jump,
                                .accept = take_jump,
                                .iterations_max = PASSES_MAX,
                                .halvings_max = 1,
                                .decrease = 1.0 - WORTH_IT};
        p.answer = DAEDAL_CALL_OK;
        damped_newton_solve(&newton);
        status = status_of(p.answer);
    }
    least_squares_free(&p.solver);
    block_free(&p.mem);
    return status;
}

daedal_status impulse_jumps(difference_array *array, const double *jacobian, double *jumps,
                            bool *exist)
{
    const daedal_allocator *allocator = array->p->allocator;
    impulse p = {.array = array, .n = array->n};
    size_t n = (size_t)p.n;
    bool fits = block_create(&p.mem, allocator, lay_out, &p) &&
                least_squares_create_many(&p.solver, p.n, p.n, p.n, allocator);
    if (fits) {
        memcpy(p.jacobian, jacobian, (size_t)array->rows * (size_t)array->cols * sizeof(double));
        set_scaled_matrix(&p);
        memset(jumps, 0, n * n * sizeof(double));
        for (size_t i = 0; i < n; i++)
            jumps[i * n + i] = array->c[i] > 0 ? -p.row_scale[i] : 0.0;
        least_squares_solve_many(&p.solver, p.k, jumps, p.n);
        for (size_t q = 0; q < n * n; q++)
            jumps[q] *= array->d[q % n] > 0 ? p.col_scale[q % n] : 0.0;
        *exist = p.solver.rank == p.n && vector_all_finite(jumps, (int32_t)(n * n));
    }
    least_squares_free(&p.solver);
    block_free(&p.mem);
    return fits ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}
