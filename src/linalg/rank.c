/* linalg/rank.c - see rank.h. */
#include "linalg/rank.h"

#include <math.h>

#include "linalg/scaling.h"

const rank_limits rank_exact = {1e-10, 1e-12, 1e-7};

static void lay_out(void *object, layout *l)
{
    rank_matrix *m = object;
    size_t rows = (size_t)m->rows, cols = (size_t)m->cols;
    m->a = layout_take(l, rows * cols, sizeof *m->a);
    m->row_of = layout_take(l, cols, sizeof *m->row_of);
    m->col_of = layout_take(l, rows, sizeof *m->col_of);
    m->scale = layout_take(l, rows + cols, sizeof *m->scale);
}

bool rank_create(rank_matrix *m, int32_t rows, int32_t cols, const daedal_allocator *a)
{
    *m = (rank_matrix){.rows = rows, .cols = cols, .limits = rank_exact, .least = 1.0};
    if (!block_create(&m->mem, a, lay_out, m))
        return false;
    for (int32_t j = 0; j < cols; j++)
        m->row_of[j] = -1;
    for (int32_t i = 0; i < rows; i++)
        m->col_of[i] = -1;
    return true;
}

void rank_free(rank_matrix *m)
{
    block_free(&m->mem);
}

static double *row_at(const rank_matrix *m, int32_t i)
{
    return m->a + (size_t)i * (size_t)m->cols;
}

void rank_equilibrate(rank_matrix *m)
{
    enum { SWEEPS = 12 };
    scaling_by_roots(m->a, m->rows, m->cols, SWEEPS, NULL, m->scale);
}

typedef struct place {
    int32_t row, col;
    double size;
} place;

static place find_pivot(const rank_matrix *m, int32_t first, int32_t end)
{
    place best = {-1, -1, 0.0};
    for (int32_t i = 0; i < m->rows; i++) {
        const double *a = row_at(m, i);
        for (int32_t j = first; j < end && m->col_of[i] < 0; j++)
            if (fabs(a[j]) > best.size)
                best = (place){i, j, fabs(a[j])};
    }
    return best;
}

/* Gauss and Jordan: the pivot row becomes 1 at the pivot, all others 0 there. */
static void take_pivot(rank_matrix *m, place p)
{
    double *pivot = row_at(m, p.row), inverse = 1.0 / pivot[p.col];
    for (int32_t j = 0; j < m->cols; j++)
        pivot[j] *= inverse;
    for (int32_t i = 0; i < m->rows; i++) {
        double *a = row_at(m, i), factor = a[p.col];
        if (i == p.row || factor == 0.0)
            continue;
        for (int32_t j = 0; j < m->cols; j++)
            a[j] -= factor * pivot[j];
        a[p.col] = 0.0;
    }
    m->row_of[p.col] = p.row;
    m->col_of[p.row] = p.col;
}

int32_t rank_eliminate(rank_matrix *m, int32_t first, int32_t end)
{
    int32_t rank = 0;
    for (;;) {
        place p = find_pivot(m, first, end);
        if (p.size <= m->limits.zero) {
            m->left = fmax(m->left, p.size);
            return rank;
        }
        m->least = fmin(m->least, p.size);
        take_pivot(m, p);
        rank++;
    }
}

bool rank_is_clear(const rank_matrix *m)
{
    return m->left <= m->limits.clearly_zero && m->least >= m->limits.clearly_not;
}
