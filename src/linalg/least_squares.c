/* linalg/least_squares.c - see least_squares.h. */
#include "linalg/least_squares.h"

#include <float.h>
#include <string.h>

#include "linalg/lapack.h"

static void lay_out(void *object, layout *l)
{
    least_squares *ls = object;
    ls->pivot = layout_take(l, (size_t)ls->cols, sizeof *ls->pivot);
    ls->work = layout_take(l, (size_t)ls->n_work, sizeof *ls->work);
}

bool least_squares_create(least_squares *ls, int32_t rows, int32_t cols, const daedal_allocator *a)
{
    return least_squares_create_many(ls, rows, cols, 1, a);
}

bool least_squares_create_many(least_squares *ls, int32_t rows, int32_t cols, int32_t count,
                               const daedal_allocator *a)
{
    int32_t less = rows < cols ? rows : cols;
    int32_t unblocked = less + 3 * cols + 1, other = 2 * less + count;
    *ls = (least_squares){.rows = rows, .cols = cols, .tolerance = 1e3 * DBL_EPSILON};
    ls->n_work = less + (unblocked > other ? unblocked : other);
    return block_create(&ls->mem, a, lay_out, ls);
}

void least_squares_free(least_squares *ls)
{
    block_free(&ls->mem);
}

void least_squares_solve(least_squares *ls, double *a, double *b)
{
    least_squares_solve_many(ls, a, b, 1);
}

void least_squares_solve_many(least_squares *ls, double *a, double *b, int32_t count)
{
    ls->rank = 0;
    if (ls->rows == 0 || ls->cols == 0) { /* LAPACK would write an error message to the terminal */
        for (int32_t k = 0; k < count; k++)
            memset(b + (size_t)k * (size_t)(ls->rows + ls->cols), 0, (size_t)ls->cols * sizeof *b);
        return;
    }
    int32_t info = 0, longer = ls->rows > ls->cols ? ls->rows : ls->cols;
    memset(ls->pivot, 0, (size_t)ls->cols * sizeof *ls->pivot);
    dgelsy_(&ls->rows, &ls->cols, &count, a, &ls->rows, b, &longer, ls->pivot, &ls->tolerance,
            &ls->rank, ls->work, &ls->n_work, &info);
}
