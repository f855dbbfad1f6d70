/* initial/start_matrix.c - see start_rows.h: some rows of the start as a sparse matrix. */
#include "initial/start_rows.h"

static void lay_out(void *object, layout *l)
{
    start_matrix *x = object;
    size_t entries = x->of->n_entries, columns = (size_t)x->of->n_columns;
    x->values = layout_take(l, entries + columns, sizeof(double));
    x->entry_at = layout_take(l, entries, sizeof(int32_t));
    x->keep_at = layout_take(l, columns, sizeof(int32_t));
}

/* How many entries each column has, summed up. */
static int32_t count_entries(start_matrix *x, const int32_t *number)
{
    const start_rows *s = x->of;
    int32_t *start = x->pattern.start;
    for (size_t k = 0; k < s->n_entries; k++)
        start[s->entry[k].column + 1] += number[s->entry[k].row] >= 0;
    for (int32_t c = 0; c < s->n_columns; c++)
        start[c + 1] += start[c] + (number[s->n_exprs + c] >= 0);
    return start[s->n_columns];
}

/* From the back: entries are sorted by rows, and "keep this value" is the last row of its column.
 */
static void place_entries(start_matrix *x, const int32_t *number)
{
    const start_rows *s = x->of;
    int32_t *start = x->pattern.start;
    for (int32_t c = s->n_columns; c-- > 0;) {
        int32_t row = number[s->n_exprs + c];
        x->keep_at[c] = row >= 0 ? --start[c + 1] : -1;
        if (row >= 0)
            x->pattern.row[x->keep_at[c]] = row;
    }
    for (size_t k = s->n_entries; k-- > 0;) {
        int32_t row = number[s->entry[k].row];
        x->entry_at[k] = row >= 0 ? --start[s->entry[k].column + 1] : -1;
        if (row >= 0)
            x->pattern.row[x->entry_at[k]] = row;
    }
}

bool start_matrix_create(start_matrix *x, const start_rows *s, const int32_t *number,
                         int32_t n_rows, const daedal_allocator *allocator)
{
    int32_t n = s->n_columns;
    *x = (start_matrix){.of = s};
    if (!pattern_create(&x->pattern, n_rows, n, (int32_t)s->n_entries + n, allocator) ||
        !block_create(&x->mem, allocator, lay_out, x))
        return false;
    int32_t nnz = count_entries(x, number), *start = x->pattern.start;
    place_entries(x, number);
    for (int32_t c = 0; c < n; c++)
        start[c] = start[c + 1];
    start[n] = nnz;
    return true;
}

void start_matrix_free(start_matrix *x)
{
    pattern_free(&x->pattern);
    block_free(&x->mem);
}

void start_matrix_fill(start_matrix *x)
{
    const start_rows *s = x->of;
    for (size_t k = 0; k < s->n_entries; k++)
        if (x->entry_at[k] >= 0)
            x->values[x->entry_at[k]] = s->value[k];
    for (int32_t c = 0; c < s->n_columns; c++)
        if (x->keep_at[c] >= 0)
            x->values[x->keep_at[c]] = 1.0;
}
