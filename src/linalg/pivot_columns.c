/* linalg/pivot_columns.c - see pivot_columns.h. */
#include "linalg/pivot_columns.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FILL_EXPECTED = 4 };            /* entries after elimination, per entry before */
static const double CLASS_REACH = 0.1; /* of the largest entry                        */
static const double DEPENDENT = 1e-13; /* of what the row was before elimination      */

static int32_t n_rows(const pivot_columns *p)
{
    return p->rows.view.n_cols;
}

static int32_t n_cols(const pivot_columns *p)
{
    return p->rows.view.n_rows;
}

/* ---- set-up ---- */

static void lay_out(void *object, layout *l)
{
    pivot_columns *p = object;
    size_t rows = (size_t)n_rows(p), cols = (size_t)n_cols(p);
    p->entry = layout_take(l, (size_t)pattern_nnz(&p->rows.view), sizeof(int32_t));
    p->owner = layout_take(l, cols, sizeof(int32_t));
    p->was_pivot = layout_take(l, cols, sizeof(bool));
    p->pivot = layout_take(l, rows, sizeof(int32_t));
    p->before = layout_take(l, rows, sizeof(int32_t));
    p->x = layout_take(l, cols, sizeof(double));
    p->touched = layout_take(l, cols, sizeof(bool));
    p->list = layout_take(l, cols, sizeof(int32_t));
    p->start = layout_take(l, rows + 1, sizeof(int32_t));
    heap_lay_out(&p->pending, n_rows(p), l);
}

/* Transposing keeps columns in order: count through them once more. */
static void number_entries(pivot_columns *p, const daedal_pattern *matrix)
{
    memcpy(p->start, p->rows.start, (size_t)n_rows(p) * sizeof(int32_t));
    for (int32_t j = 0; j < matrix->n_cols; j++)
        for (int32_t q = matrix->start[j]; q < matrix->start[j + 1]; q++)
            p->entry[p->start[matrix->row[q]]++] = q;
}

static bool reserve(pivot_columns *p, int32_t wanted)
{
    const daedal_allocator *a = p->allocator;
    size_t old = (size_t)p->capacity, size = 2 * (size_t)wanted;
    if (wanted <= p->capacity)
        return true;
    int32_t *column = memory_take_array(a, size, sizeof *column);
    double *factor = memory_take_array(a, size, sizeof *factor);
    if (!column || !factor || size > INT32_MAX) {
        memory_give(a, column, size * sizeof *column);
        memory_give(a, factor, size * sizeof *factor);
        return false;
    }
    if (old > 0) {
        memcpy(column, p->column, old * sizeof *column);
        memcpy(factor, p->factor, old * sizeof *factor);
        p->grown++;
    }
    memory_give(a, p->column, old * sizeof *column);
    memory_give(a, p->factor, old * sizeof *factor);
    p->column = column;
    p->factor = factor;
    p->capacity = (int32_t)size;
    return true;
}

bool pivot_columns_create(pivot_columns *p, const daedal_pattern *matrix, const daedal_allocator *a)
{
    *p = (pivot_columns){.allocator = a};
    if (!pattern_transpose(&p->rows, matrix, a) || !block_create(&p->mem, a, lay_out, p) ||
        !reserve(p, FILL_EXPECTED * pattern_nnz(matrix) + 1))
        return false;
    number_entries(p, matrix);
    heap_begin(&p->pending, n_rows(p));
    for (int32_t i = 0; i < n_rows(p); i++)
        p->pivot[i] = -1;
    return true;
}

void pivot_columns_free(pivot_columns *p)
{
    memory_give(p->allocator, p->column, (size_t)p->capacity * sizeof *p->column);
    memory_give(p->allocator, p->factor, (size_t)p->capacity * sizeof *p->factor);
    pattern_free(&p->rows);
    block_free(&p->mem);
    p->column = NULL;
    p->factor = NULL;
    p->capacity = 0;
}

void pivot_columns_copy(pivot_columns *to, const pivot_columns *from)
{
    memcpy(to->pivot, from->pivot, (size_t)n_rows(from) * sizeof *to->pivot);
}

/* ---- one row ---- */

static void touch(pivot_columns *p, int32_t c)
{
    if (p->touched[c])
        return;
    p->touched[c] = true;
    p->x[c] = 0.0;
    p->list[p->n_list++] = c;
    if (p->owner[c] >= 0)
        heap_set(&p->pending, p->owner[c], p->owner[c]);
}

/* Returns the largest entry. */
static double load(pivot_columns *p, int32_t i, const double *values, const double *weight)
{
    double largest = 0.0;
    for (int32_t q = p->rows.start[i]; q < p->rows.start[i + 1]; q++) {
        int32_t c = p->rows.row[q];
        touch(p, c);
        p->x[c] = values[p->entry[q]] * weight[c];
        largest = fmax(largest, fabs(p->x[c]));
    }
    return largest;
}

/* Rows above, in order: what one of them fills in may belong to a later one only. */
static void eliminate(pivot_columns *p)
{
    for (int32_t k; (k = heap_take(&p->pending)) != HEAP_NONE;) {
        double times = p->x[p->pivot[k]];
        p->x[p->pivot[k]] = 0.0;
        for (int32_t q = p->start[k]; q < p->start[k + 1]; q++) {
            touch(p, p->column[q]);
            p->x[p->column[q]] -= times * p->factor[q];
        }
    }
}

static double largest_open(const pivot_columns *p)
{
    double largest = 0.0;
    for (int32_t k = 0; k < p->n_list; k++)
        if (p->owner[p->list[k]] < 0)
            largest = fmax(largest, fabs(p->x[p->list[k]]));
    return largest;
}

/* Whether column a, which has a large enough entry, is better than b (-1: none yet). */
static bool is_better(const pivot_columns *p, const pivot_wishes *w, int32_t a, int32_t b)
{
    if (b < 0)
        return true;
    if (w->class_of && w->class_of[a] != w->class_of[b])
        return w->class_of[a] < w->class_of[b];
    double size_a = fabs(p->x[a]) * (p->was_pivot[a] ? w->hysteresis : 1.0);
    double size_b = fabs(p->x[b]) * (p->was_pivot[b] ? w->hysteresis : 1.0);
    return size_a > size_b || (size_a == size_b && a < b);
}

/* -1: nothing is left of the row. */
static int32_t choose_pivot(const pivot_columns *p, const pivot_wishes *w, double before)
{
    double largest = largest_open(p);
    int32_t best = -1;
    if (!(largest > DEPENDENT * before))
        return -1;
    for (int32_t k = 0; k < p->n_list; k++) {
        int32_t c = p->list[k];
        bool open = p->owner[c] < 0 && fabs(p->x[c]) >= CLASS_REACH * largest;
        if (open && is_better(p, w, c, best))
            best = c;
    }
    return best;
}

static bool store(pivot_columns *p, int32_t i, int32_t pivot)
{
    int32_t at = p->start[i];
    if (!reserve(p, at + p->n_list))
        return false;
    for (int32_t k = 0; k < p->n_list; k++) {
        int32_t c = p->list[k];
        if (c == pivot || p->owner[c] >= 0 || p->x[c] == 0.0)
            continue;
        p->column[at] = c;
        p->factor[at++] = p->x[c] / p->x[pivot];
    }
    p->start[i + 1] = at;
    return true;
}

static void clear(pivot_columns *p)
{
    for (int32_t k = 0; k < p->n_list; k++)
        p->touched[p->list[k]] = false;
    p->n_list = 0;
    heap_clear(&p->pending);
}

/* ---- all rows ---- */

static void begin(pivot_columns *p)
{
    for (int32_t c = 0; c < n_cols(p); c++) {
        p->owner[c] = -1;
        p->was_pivot[c] = false;
    }
    for (int32_t i = 0; i < n_rows(p); i++) {
        p->before[i] = p->pivot[i];
        if (p->pivot[i] >= 0)
            p->was_pivot[p->pivot[i]] = true;
    }
    p->start[0] = 0;
}

static daedal_status choose_all(pivot_columns *p, const double *values, const pivot_wishes *w)
{
    for (int32_t i = 0; i < n_rows(p); i++) {
        double before = load(p, i, values, w->weight);
        eliminate(p);
        int32_t c = choose_pivot(p, w, before);
        bool stored = c < 0 || store(p, i, c);
        clear(p);
        if (c < 0 || !stored)
            return c < 0 ? DAEDAL_ERR_SINGULAR : DAEDAL_ERR_MEMORY;
        p->owner[c] = i;
        p->pivot[i] = c;
    }
    return DAEDAL_OK;
}

daedal_status pivot_columns_choose(pivot_columns *p, const double *values,
                                   const pivot_wishes *wishes, bool *changed)
{
    *changed = false;
    begin(p);
    daedal_status status = choose_all(p, values, wishes);
    for (int32_t i = 0; i < n_rows(p); i++)
        if (status == DAEDAL_OK)
            *changed = *changed || !p->was_pivot[p->pivot[i]];
        else
            p->pivot[i] = p->before[i];
    return status;
}
