/* linalg/prioritised_least_squares.c - see prioritised.h.
 *
 * With A = [A1 A2] and V2 a basis of the left null space of A2,
 *
 *     V2' A1 x1 = V2' b,     A2 x2 = b - A1 x1,
 *
 * each solved for the shortest solution: what x2 can do for the equations it does, so that x1 meets
 * only what is left.                                                             */
#include "linalg/prioritised_least_squares.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "linalg/least_squares.h"
#include "linalg/qr.h"
#include "linalg/vector.h"

typedef struct workspace {
    const prioritised *p;
    double *others; /* A2 with columns of length one, then its factors */
    double *turned; /* [A1 b], turned by its Q'                        */
    double *matrix; /* of the tier being solved                        */
    double *right;
    block mem;
} workspace;

static void lay_out(void *object, layout *l)
{
    workspace *w = object;
    const prioritised *p = w->p;
    size_t rows = (size_t)p->rows, first = (size_t)p->n_first, others = (size_t)p->n_others;
    w->others = layout_take(l, rows * others, sizeof(double));
    w->turned = layout_take(l, rows * (first + (size_t)p->n_right), sizeof(double));
    w->matrix = layout_take(l, rows * (first + others), sizeof(double));
    w->right = layout_take(l, (rows + first + others) * (size_t)p->n_right, sizeof(double));
}

static const double *column(const prioritised *p, int32_t c)
{
    return p->a + (size_t)c * (size_t)p->rows;
}

/* The rank must not depend on the units of the unknowns. */
static void copy_others(const workspace *w)
{
    const prioritised *p = w->p;
    for (int32_t c = 0; c < p->n_others; c++) {
        const double *from = column(p, p->n_first + c);
        double *to = w->others + (size_t)c * (size_t)p->rows, size = vector_max_abs(from, p->rows);
        for (int32_t i = 0; i < p->rows; i++)
            to[i] = size > 0.0 ? from[i] / size : 0.0;
    }
}

/* The right sides become the solutions; both are longer(rows, cols) apart. */
static daedal_status solve(const workspace *w, int32_t rows, int32_t cols,
                           const daedal_allocator *a)
{
    least_squares ls;
    bool fits = least_squares_create_many(&ls, rows, cols, w->p->n_right, a);
    if (fits)
        least_squares_solve_many(&ls, w->matrix, w->right, w->p->n_right);
    least_squares_free(&ls);
    return fits ? DAEDAL_OK : DAEDAL_ERR_MEMORY;
}

static size_t longer(size_t rows, size_t cols)
{
    return rows > cols ? rows : cols;
}

static double *solution(const prioritised *p, double *x, int32_t right)
{
    return x + (size_t)right * (size_t)(p->n_first + p->n_others);
}

/* V2' A1 x1 = V2' b; V2 are the last columns of Q. */
static daedal_status solve_first(const workspace *w, double *x, const daedal_allocator *a)
{
    const prioritised *p = w->p;
    size_t rows = (size_t)p->rows, first = (size_t)p->n_first, right = (size_t)p->n_right;
    qr q;
    bool fits = qr_create(&q, p->rows, p->n_others, p->n_first + p->n_right, a);
    int32_t rank = 0;
    if (fits) {
        copy_others(w);
        memcpy(w->turned, p->a, rows * first * sizeof(double));
        memcpy(w->turned + rows * first, column(p, p->n_first + p->n_others),
               rows * right * sizeof(double));
        rank = qr_factor(&q, w->others, p->tolerance);
        qr_turn(&q, w->others, w->turned, p->n_first + p->n_right);
    }
    qr_free(&q);
    if (!fits)
        return DAEDAL_ERR_MEMORY;
    size_t left = rows - (size_t)rank, apart = longer(left, first);
    for (size_t c = 0; c < first + right; c++)
        memcpy(c < first ? w->matrix + c * left : w->right + (c - first) * apart,
               w->turned + c * rows + rank, left * sizeof(double));
    RETURN_UNLESS_OK(solve(w, (int32_t)left, p->n_first, a));
    for (int32_t k = 0; k < p->n_right; k++)
        memcpy(solution(p, x, k), w->right + (size_t)k * apart, first * sizeof(double));
    return DAEDAL_OK;
}

static daedal_status solve_others(const workspace *w, double *x, const daedal_allocator *a)
{
    const prioritised *p = w->p;
    size_t rows = (size_t)p->rows, others = (size_t)p->n_others, apart = longer(rows, others);
    for (int32_t k = 0; k < p->n_right; k++) {
        double *right = w->right + (size_t)k * apart;
        memcpy(right, column(p, p->n_first + p->n_others + k), rows * sizeof(double));
        for (int32_t c = 0; c < p->n_first; c++)
            for (size_t i = 0; i < rows; i++)
                right[i] -= column(p, c)[i] * solution(p, x, k)[c];
    }
    memcpy(w->matrix, column(p, p->n_first), rows * others * sizeof(double));
    RETURN_UNLESS_OK(solve(w, p->rows, p->n_others, a));
    for (int32_t k = 0; k < p->n_right; k++)
        memcpy(solution(p, x, k) + p->n_first, w->right + (size_t)k * apart,
               others * sizeof(double));
    return DAEDAL_OK;
}

daedal_status prioritised_solve(const prioritised *p, double *x, const daedal_allocator *a)
{
    workspace w = {.p = p};
    if (!block_create(&w.mem, a, lay_out, &w))
        return DAEDAL_ERR_MEMORY;
    daedal_status status = solve_first(&w, x, a);
    if (status == DAEDAL_OK)
        status = solve_others(&w, x, a);
    block_free(&w.mem);
    return status;
}
