/* reduce/derivative_array.c - see derivative_array.h.
 *
 * One elimination answers everything: pivots in the columns of dx_1 .. dx_j first.  dx_1 is
 * determined if all its columns are pivots whose rows have nothing in columns without pivot
 * (1-fullness, [BCP96] section 2.4).  Of the rows that are left the columns of dx_0 are W'B, with
 * W the left null space: its rank is the number of conditions on x_0.            */
#include "reduce/derivative_array.h"

#include <math.h>
#include <string.h>

static const double PRESENT = 1e-7;

static void lay_out(void *object, layout *l)
{
    derivative_array *d = object;
    size_t all = (size_t)d->n * (size_t)d->n * (size_t)(d->order + 1);
    d->a = layout_take(l, all, sizeof *d->a);
    d->b = layout_take(l, all, sizeof *d->b);
}

bool derivative_array_create(derivative_array *d, int32_t n, int32_t order,
                             const daedal_allocator *a)
{
    *d = (derivative_array){.n = n, .order = order};
    return block_create(&d->mem, a, lay_out, d);
}

void derivative_array_free(derivative_array *d)
{
    block_free(&d->mem);
}

/* Add factor times coefficient k of A or B to a block of the matrix. */
static void add_block(rank_matrix *m, const derivative_array *d, const double *part, double factor,
                      int32_t row, int32_t col)
{
    for (int32_t i = 0; i < d->n; i++) {
        double *to = m->a + (size_t)(row + i) * (size_t)m->cols + (size_t)col;
        for (int32_t j = 0; j < d->n; j++)
            to[j] += factor * part[(size_t)i * (size_t)d->n + (size_t)j];
    }
}

/* dx_1 .. dx_j, then dx_0. */
static void fill(rank_matrix *m, const derivative_array *d, int32_t blocks)
{
    for (int32_t r = 0; r < blocks; r++) {
        for (int32_t c = 1; c <= r + 1; c++) {
            int32_t row = r * d->n, col = (c - 1) * d->n;
            add_block(m, d, derivative_array_at(d, d->a, r - c + 1), (double)c, row, col);
            if (c <= r)
                add_block(m, d, derivative_array_at(d, d->b, r - c), 1.0, row, col);
        }
        add_block(m, d, derivative_array_at(d, d->b, r), 1.0, r * d->n, blocks * d->n);
    }
}

/* Is the unknown of column j the same whatever those without pivot are? */
static bool is_determined(const rank_matrix *m, int32_t j, int32_t end)
{
    if (m->row_of[j] < 0)
        return false;
    const double *a = m->a + (size_t)m->row_of[j] * (size_t)m->cols;
    for (int32_t k = 0; k < end; k++)
        if (m->row_of[k] < 0 && fabs(a[k]) > PRESENT)
            return false;
    return true;
}

bool derivative_array_ranks(const derivative_array *d, int32_t j, array_ranks *ranks,
                            const daedal_allocator *a)
{
    rank_matrix m;
    int32_t rows = d->n * j;
    *ranks = (array_ranks){.one_full = true};
    bool fine = rank_create(&m, rows, rows + d->n, a);
    if (fine) {
        fill(&m, d, j);
        rank_equilibrate(&m);
        ranks->rank = rank_eliminate(&m, 0, rows);
        ranks->corank = rows - ranks->rank;
        for (int32_t k = 0; k < d->n && ranks->one_full; k++)
            ranks->one_full = is_determined(&m, k, rows);
        int32_t conditions = rank_eliminate(&m, rows, rows + d->n);
        ranks->full_rows = conditions == ranks->corank;
        ranks->freedom = d->n - conditions;
        ranks->clear = rank_is_clear(&m);
    }
    rank_free(&m);
    return fine;
}

array_verdict derivative_array_judge(const derivative_array *d, array_finding *found,
                                     const daedal_allocator *a)
{
    for (int32_t j = 1; j <= d->order + 1; j++) {
        array_ranks ranks;
        if (!derivative_array_ranks(d, j, &ranks, a))
            return ARRAY_NO_MEMORY;
        if (!ranks.clear)
            return ARRAY_UNCLEAR;
        found->blocks = j;
        if (!ranks.full_rows)
            return ARRAY_NOT_SOLVABLE;
        if (ranks.one_full) {
            found->index = j - 1;
            found->freedom = ranks.freedom;
            return ARRAY_SOLVABLE;
        }
    }
    return ARRAY_TOO_SHORT;
}
