/* base/pattern.c - see pattern.h. */
#include "base/pattern.h"

#include <stdio.h>
#include <string.h>

/* Whether the column starts are in order; only then may the rows be read. */
static void complain_of_starts(const daedal_pattern *p, char *buffer, size_t size)
{
    if (!p->start || (!p->row && p->start[p->n_cols] > 0))
        snprintf(buffer, size, "start or row is NULL");
    else if (p->start[0] != 0)
        snprintf(buffer, size, "start[0] is %d, not 0", (int)p->start[0]);
    for (int32_t j = 0; !buffer[0] && j < p->n_cols; j++)
        if (p->start[j + 1] < p->start[j])
            snprintf(buffer, size, "column %d: start decreases", (int)j);
}

static void complain_of_column(const daedal_pattern *p, int32_t j, char *buffer, size_t size)
{
    for (int32_t q = p->start[j]; !buffer[0] && q < p->start[j + 1]; q++)
        if (p->row[q] < 0 || p->row[q] >= p->n_rows)
            snprintf(buffer, size, "column %d: row %d is out of range", (int)j, (int)p->row[q]);
        else if (q > p->start[j] && p->row[q] <= p->row[q - 1])
            snprintf(buffer, size, "column %d: rows are not ascending at row %d", (int)j,
                     (int)p->row[q]);
}

const char *pattern_complaint(const daedal_pattern *p, char *buffer, size_t size)
{
    buffer[0] = '\0';
    complain_of_starts(p, buffer, size);
    for (int32_t j = 0; !buffer[0] && j < p->n_cols; j++)
        complain_of_column(p, j, buffer, size);
    return buffer[0] ? buffer : NULL;
}

static void lay_out(void *object, layout *l)
{
    pattern *p = object;
    p->start = layout_take(l, (size_t)p->view.n_cols + 1, sizeof *p->start);
    p->row = layout_take(l, (size_t)p->capacity, sizeof *p->row);
}

bool pattern_create(pattern *p, int32_t n_rows, int32_t n_cols, int32_t nnz,
                    const daedal_allocator *a)
{
    *p = (pattern){.view = {.n_rows = n_rows, .n_cols = n_cols}, .capacity = nnz};
    if (!block_create(&p->mem, a, lay_out, p)) {
        *p = (pattern){0};
        return false;
    }
    p->view.start = p->start;
    p->view.row = p->row;
    return true;
}

bool pattern_copy(pattern *p, const daedal_pattern *from, const daedal_allocator *a)
{
    int32_t nnz = pattern_nnz(from);
    if (!pattern_create(p, from->n_rows, from->n_cols, nnz, a))
        return false;
    memcpy(p->start, from->start, ((size_t)from->n_cols + 1) * sizeof *p->start);
    if (nnz > 0)
        memcpy(p->row, from->row, (size_t)nnz * sizeof *p->row);
    return true;
}

bool pattern_full(pattern *p, int32_t n, const daedal_allocator *a)
{
    if ((int64_t)n * n > INT32_MAX || !pattern_create(p, n, n, n * n, a))
        return false;
    for (int32_t j = 0; j < n; j++) {
        p->start[j + 1] = (j + 1) * n;
        for (int32_t i = 0; i < n; i++)
            p->row[j * n + i] = i;
    }
    return true;
}

/* Merge two ascending columns; out may be NULL to count only. */
static int32_t merge(const daedal_pattern *x, const daedal_pattern *y, int32_t j, int32_t *out)
{
    int32_t a = x->start[j], b = y->start[j], count = 0;
    while (a < x->start[j + 1] || b < y->start[j + 1]) {
        int32_t ra = a < x->start[j + 1] ? x->row[a] : INT32_MAX;
        int32_t rb = b < y->start[j + 1] ? y->row[b] : INT32_MAX;
        int32_t r = ra < rb ? ra : rb;
        a += ra == r;
        b += rb == r;
        if (out)
            out[count] = r;
        count++;
    }
    return count;
}

bool pattern_union(pattern *p, const daedal_pattern *x, const daedal_pattern *y,
                   const daedal_allocator *a)
{
    int32_t nnz = 0;
    for (int32_t j = 0; j < x->n_cols; j++)
        nnz += merge(x, y, j, NULL);
    if (!pattern_create(p, x->n_rows, x->n_cols, nnz, a))
        return false;
    for (int32_t j = 0; j < x->n_cols; j++)
        p->start[j + 1] = p->start[j] + merge(x, y, j, p->row + p->start[j]);
    return true;
}

bool pattern_transpose(pattern *p, const daedal_pattern *from, const daedal_allocator *a)
{
    int32_t nnz = pattern_nnz(from);
    if (!pattern_create(p, from->n_cols, from->n_rows, nnz, a))
        return false;
    for (int32_t q = 0; q < nnz; q++)
        p->start[from->row[q] + 1]++;
    for (int32_t i = 0; i < from->n_rows; i++)
        p->start[i + 1] += p->start[i];
    for (int32_t j = 0; j < from->n_cols; j++)
        for (int32_t q = from->start[j]; q < from->start[j + 1]; q++)
            p->row[p->start[from->row[q]]++] = j;
    for (int32_t i = from->n_rows; i > 0; i--) /* undo the shift of the fill above */
        p->start[i] = p->start[i - 1];
    p->start[0] = 0;
    return true;
}

void pattern_free(pattern *p)
{
    block_free(&p->mem);
    *p = (pattern){0};
}

void pattern_band(const daedal_pattern *p, int32_t *lower, int32_t *upper)
{
    *lower = *upper = 0;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++) {
            int32_t below = p->row[q] - j;
            if (below > *lower)
                *lower = below;
            if (-below > *upper)
                *upper = -below;
        }
}

int32_t pattern_find(const daedal_pattern *p, int32_t row, int32_t col)
{
    int32_t low = p->start[col], high = p->start[col + 1];
    while (low < high) {
        int32_t mid = low + (high - low) / 2;
        if (p->row[mid] < row)
            low = mid + 1;
        else
            high = mid;
    }
    return low < p->start[col + 1] && p->row[low] == row ? low : -1;
}

void pattern_locate(const daedal_pattern *p, const daedal_pattern *entries, int32_t *at)
{
    for (int32_t j = 0; j < entries->n_cols; j++) {
        int32_t here = p->start[j], end = p->start[j + 1];
        for (int32_t q = entries->start[j]; q < entries->start[j + 1]; q++) {
            while (here < end && p->row[here] < entries->row[q])
                here++;
            at[q] = here < end && p->row[here] == entries->row[q] ? here : -1;
        }
    }
}
