/* linalg/min_norm.c - see min_norm.h. */
#include "linalg/min_norm.h"

#include <string.h>

static int32_t count_entries(const min_norm_part *part)
{
    const daedal_pattern *p = part->whole;
    int32_t n = 0;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            n += part->col_at[j] >= 0 && part->row_at[p->row[q]] >= 0;
    return n;
}

static void lay_out(void *object, layout *l)
{
    min_norm *s = object;
    size_t nnz = (size_t)pattern_nnz(&s->pattern.view);
    s->entry = layout_take(l, nnz, sizeof(int32_t));
    s->matrix = layout_take(l, nnz, sizeof(double));
}

/* The columns of [I; A], and how many entries each column of A' will have. */
static int32_t left_columns(pattern *to, const min_norm_part *part)
{
    const daedal_pattern *p = part->whole;
    int32_t q = 0, n = part->n_cols;
    for (int32_t j = 0; j < p->n_cols; j++) {
        if (part->col_at[j] < 0)
            continue;
        to->start[part->col_at[j]] = q;
        to->row[q++] = part->col_at[j];
        for (int32_t s = p->start[j]; s < p->start[j + 1]; s++)
            if (part->row_at[p->row[s]] >= 0) {
                to->row[q++] = n + part->row_at[p->row[s]];
                to->start[n + part->row_at[p->row[s]] + 1]++;
            }
    }
    return q;
}

static void right_columns(pattern *to, const min_norm_part *part, int32_t first)
{
    const daedal_pattern *p = part->whole;
    int32_t *start = to->start + part->n_cols;
    start[0] = first;
    for (int32_t i = 0; i < part->n_rows; i++)
        start[i + 1] += start[i] + (part->damping > 0.0);
    int32_t end = start[part->n_rows];
    for (int32_t i = 0; i < part->n_rows && part->damping > 0.0; i++)
        to->row[--start[i + 1]] = part->n_cols + i;
    for (int32_t j = p->n_cols; j-- > 0;)
        for (int32_t s = p->start[j + 1]; s-- > p->start[j];)
            if (part->col_at[j] >= 0 && part->row_at[p->row[s]] >= 0)
                to->row[--start[part->row_at[p->row[s]] + 1]] = part->col_at[j];
    for (int32_t i = 0; i < part->n_rows; i++) /* each start stands one place too far back */
        start[i] = start[i + 1];
    start[part->n_rows] = end;
}

/* Entry numbers in the order of both halves. */
static void number_entries(min_norm *s, const min_norm_part *part)
{
    const daedal_pattern *p = part->whole;
    int32_t *start = s->pattern.start, n = s->n_cols;
    int32_t nnz = pattern_nnz(&s->pattern.view);
    for (int32_t q = 0; q < nnz; q++)
        s->entry[q] = q < start[n] ? -1 : -2;
    for (int32_t j = 0; j < p->n_cols; j++) {
        int32_t c = part->col_at[j], left = c < 0 ? 0 : start[c] + 1;
        for (int32_t q = p->start[j]; q < p->start[j + 1] && c >= 0; q++) {
            int32_t i = part->row_at[p->row[q]];
            if (i < 0)
                continue;
            s->entry[left++] = q;
            s->entry[pattern_find(&s->pattern.view, c, n + i)] = q;
        }
    }
}

bool min_norm_create(min_norm *s, const min_norm_part *part, const daedal_allocator *a)
{
    int32_t size = part->n_rows + part->n_cols;
    int32_t diagonal = part->n_cols + (part->damping > 0.0 ? part->n_rows : 0);
    *s = (min_norm){.n_rows = part->n_rows, .n_cols = part->n_cols, .damping = part->damping};
    if (!pattern_create(&s->pattern, size, size, diagonal + 2 * count_entries(part), a))
        return false;
    right_columns(&s->pattern, part, left_columns(&s->pattern, part));
    if (!block_create(&s->mem, a, lay_out, s))
        return false;
    number_entries(s, part);
    return linsolver_open(&s->pattern.view, a, &s->solver, &s->factors) == DAEDAL_OK;
}

void min_norm_free(min_norm *s)
{
    if (s->factors)
        s->solver->destroy(s->factors);
    s->factors = NULL;
    pattern_free(&s->pattern);
    block_free(&s->mem);
}

daedal_status min_norm_factor(min_norm *s, const double *values, const double *row_scale,
                              const double *col_scale)
{
    const daedal_pattern *k = &s->pattern.view;
    for (int32_t c = 0; c < k->n_cols; c++)
        for (int32_t q = k->start[c]; q < k->start[c + 1]; q++) {
            bool left = c < s->n_cols;
            int32_t i = left ? k->row[q] - s->n_cols : c - s->n_cols, j = left ? c : k->row[q];
            int32_t from = s->entry[q];
            s->matrix[q] = from >= 0    ? values[from] * row_scale[i] * col_scale[j]
                           : from == -1 ? 1.0
                                        : -s->damping;
        }
    return s->solver->factor(s->factors, s->matrix);
}

void min_norm_solve(min_norm *s, double *b)
{
    memset(b, 0, (size_t)s->n_cols * sizeof *b);
    s->solver->solve(s->factors, b);
}
