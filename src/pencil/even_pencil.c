/* pencil/even_pencil.c - see kronecker.h.
 *
 * Ranks are decided relative to the size of a whole matrix, which means nothing if its rows have
 * different units.  [CR72] evens out the sizes; powers of two add no rounding.  Entries that are
 * rounding errors beside both their row and their column do not count.                 */
#include <math.h>

#include "base/pattern.h"
#include "linalg/curtis_reid.h"
#include "pencil/kronecker.h"

static const double ROUNDING = 1e-14; /* relative, of entries that were computed */

typedef struct even_task {
    const matrix_pair *from;
    arena *mem;
    int32_t n; /* the larger of rows and columns: the scaling is one of square matrices */
    double *row_most, *column_most; /* of both matrices */
    double *e, *a;                  /* by entries of the pattern */
    daedal_pattern pattern;
} even_task;

static size_t place(const matrix_pair *p, int32_t i, int32_t j)
{
    return (size_t)j * (size_t)p->rows + (size_t)i;
}

static bool find_largest(even_task *t)
{
    const matrix_pair *p = t->from;
    t->row_most = arena_take(t->mem, (size_t)t->n + 1, sizeof(double));
    t->column_most = arena_take(t->mem, (size_t)t->n + 1, sizeof(double));
    if (t->mem->failed)
        return false;
    for (int32_t j = 0; j < p->cols; j++)
        for (int32_t i = 0; i < p->rows; i++) {
            double most = fmax(fabs(p->e[place(p, i, j)]), fabs(p->a[place(p, i, j)]));
            t->row_most[i] = fmax(t->row_most[i], most);
            t->column_most[j] = fmax(t->column_most[j], most);
        }
    return true;
}

static double counted(const even_task *t, double x, int32_t i, int32_t j)
{
    double beside = fmin(t->row_most[i], t->column_most[j]);
    return fabs(x) > ROUNDING * beside ? x : 0.0;
}

static bool list_entries(even_task *t)
{
    const matrix_pair *p = t->from;
    size_t room = (size_t)p->rows * (size_t)p->cols + 1;
    int32_t *start = arena_take(t->mem, (size_t)t->n + 2, sizeof *start);
    int32_t *row = arena_take(t->mem, room, sizeof *row), n = 0;
    t->e = arena_take(t->mem, room, sizeof(double));
    t->a = arena_take(t->mem, room, sizeof(double));
    if (t->mem->failed)
        return false;
    for (int32_t j = 0; j < t->n; j++) {
        for (int32_t i = 0; i < p->rows && j < p->cols; i++) {
            double e = counted(t, p->e[place(p, i, j)], i, j);
            double a = counted(t, p->a[place(p, i, j)], i, j);
            if (e == 0.0 && a == 0.0)
                continue;
            t->e[n] = e;
            t->a[n] = a;
            row[n++] = i;
        }
        start[j + 1] = n;
    }
    t->pattern = (daedal_pattern){.n_rows = t->n, .n_cols = t->n, .start = start, .row = row};
    return true;
}

static double power_of_two(double x)
{
    return exp2(round(log2(x)));
}

static bool scale(even_task *t, even_pencil *to)
{
    pencil_scaling s;
    bool fine = pencil_scaling_create(&s, &t->pattern, t->a, t->e, t->mem->allocator);
    for (int32_t i = 0; i < to->rows && fine; i++)
        to->row[i] = power_of_two(s.row[i]);
    for (int32_t j = 0; j < to->cols && fine; j++)
        to->column[j] = power_of_two(s.column[j]);
    to->tau = fine ? power_of_two(s.tau) : 1.0;
    pencil_scaling_free(&s);
    return fine;
}

static void apply(even_pencil *to, const matrix_pair *from)
{
    for (int32_t j = 0; j < to->cols; j++)
        for (int32_t i = 0; i < to->rows; i++) {
            double by = to->row[i] * to->column[j];
            to->e[place(from, i, j)] = from->e[place(from, i, j)] * by / to->tau;
            to->a[place(from, i, j)] = from->a[place(from, i, j)] * by;
        }
}

bool even_pencil_create(even_pencil *to, const matrix_pair *from, arena *mem)
{
    size_t room = (size_t)from->rows * (size_t)from->cols + 1;
    even_task t = {
        .from = from, .mem = mem, .n = from->rows > from->cols ? from->rows : from->cols};
    *to = (even_pencil){.rows = from->rows,
                        .cols = from->cols,
                        .e = arena_take(mem, room, sizeof(double)),
                        .a = arena_take(mem, room, sizeof(double)),
                        .row = arena_take(mem, (size_t)from->rows + 1, sizeof(double)),
                        .column = arena_take(mem, (size_t)from->cols + 1, sizeof(double)),
                        .tau = 1.0};
    if (mem->failed || !find_largest(&t) || !list_entries(&t) || (t.n > 0 && !scale(&t, to)))
        return false;
    apply(to, from);
    return true;
}
