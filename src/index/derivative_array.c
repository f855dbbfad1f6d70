/* index/derivative_array.c - see derivative_array.h.
 *
 * One elimination answers everything: pivots in the columns of dx_1 .. dx_j first.  dx_1 is
 * determined if all its columns are pivots whose rows have nothing in columns without pivot
 * (1-fullness, [BCP96] section 2.4).  Of the rows that are left the columns of dx_0 are W'B, with
 * W the left null space: its rank is the number of conditions on x_0.            */
#include "index/derivative_array.h"

#include <math.h>
#include <string.h>

static const double LEAST_DOUBT = 1e-8; /* limit of ranks where there is doubt ...        */
static const double DOUBTS = 30.0;      /* ... or so many times the doubt                  */
static const double MOST_DOUBT = 1e-4;  /* limit beyond which no rank is clear             */
static const double UNDECIDED = 30.0;   /* so near the limit a pivot is not clear          */

static void lay_out(void *object, layout *l)
{
    derivative_array *d = object;
    size_t all = (size_t)d->n * (size_t)d->n * (size_t)(d->order + 1);
    d->a = layout_take(l, all, sizeof *d->a);
    d->b = layout_take(l, all, sizeof *d->b);
    d->doubt = layout_take(l, (size_t)(d->order + 1), sizeof *d->doubt);
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

/* dx_1 .. dx_j, then dx_0. */
static void fill(rank_matrix *m, const derivative_array *d, int32_t blocks)
{
    size_t n = (size_t)d->n, cols = (size_t)m->cols;
    for (int32_t r = 0; r < blocks; r++)
        for (int32_t c = 0; c <= r + 1; c++) {
            size_t col = (size_t)(c > 0 ? c - 1 : blocks) * n;
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < n; j++)
                    m->a[((size_t)r * n + i) * cols + col + j] =
                        derivative_array_entry(d->a + i * n + j, d->b + i * n + j, n * n, r, c);
        }
}

static rank_limits limits_of(const derivative_array *d, int32_t blocks)
{
    double doubt = 0.0;
    for (int32_t k = 0; k < blocks; k++)
        doubt = fmax(doubt, d->doubt[k]);
    double zero = fmax(LEAST_DOUBT, DOUBTS * doubt);
    return doubt == 0.0 ? rank_exact : (rank_limits){zero, zero / UNDECIDED, zero * UNDECIDED};
}

/* Whether the unknown of column j does not depend on those without a pivot. */
static bool is_determined(const rank_matrix *m, int32_t j, int32_t end)
{
    if (m->row_of[j] < 0)
        return false;
    const double *a = m->a + (size_t)m->row_of[j] * (size_t)m->cols;
    for (int32_t k = 0; k < end; k++)
        if (m->row_of[k] < 0 && fabs(a[k]) > m->limits.clearly_not)
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
    m.limits = limits_of(d, j);
    if (fine && m.limits.zero <= MOST_DOUBT) {
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
