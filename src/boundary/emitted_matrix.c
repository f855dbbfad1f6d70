/* boundary/emitted_matrix.c - see emitted_matrix.h. */
#include "boundary/emitted_matrix.h"

#include <stdlib.h>
#include <string.h>

static void lay_out_entries(void *object, layout *l)
{
    emitted_matrix *m = object;
    m->row = layout_take(l, m->n_entries, sizeof *m->row);
    m->col = layout_take(l, m->n_entries, sizeof *m->col);
    m->at = layout_take(l, m->n_entries, sizeof *m->at);
}

static void lay_out_numbers(void *object, layout *l)
{
    emitted_matrix *m = object;
    m->values = layout_take(l, (size_t)pattern_nnz(&m->pattern.view), sizeof *m->values);
}

/* Sort the entries by column and row: two passes of counting, as rows and columns are small
 * numbers.  `order` and `spare` have room for all entries, `start` for size + 1.     */
static void sort_by(const int32_t *key, const int32_t *from, int32_t *to, size_t n, int32_t *start,
                    int32_t size)
{
    memset(start, 0, ((size_t)size + 1) * sizeof *start);
    for (size_t k = 0; k < n; k++)
        start[key[k] + 1]++;
    for (int32_t j = 0; j < size; j++)
        start[j + 1] += start[j];
    for (size_t k = 0; k < n; k++)
        to[start[key[from[k]]]++] = from[k];
}

/* Entries in the order of the pattern: how many there are, with m->at of each. */
static int32_t number_places(emitted_matrix *m, const int32_t *order, int32_t *row)
{
    int32_t count = -1;
    for (size_t k = 0; k < m->n_entries; k++) {
        int32_t e = order[k];
        bool is_new =
            k == 0 || m->row[e] != m->row[order[k - 1]] || m->col[e] != m->col[order[k - 1]];
        count += is_new;
        m->at[e] = count;
        row[count] = m->row[e];
    }
    return count + 1;
}

typedef struct sorting_room {
    int32_t *first, *second, *start;
    size_t n, size;
} sorting_room;

static void lay_out_room(void *object, layout *l)
{
    sorting_room *s = object;
    s->first = layout_take(l, s->n, sizeof(int32_t));
    s->second = layout_take(l, s->n, sizeof(int32_t));
    s->start = layout_take(l, s->size + 1, sizeof(int32_t));
}

static bool build_pattern(emitted_matrix *m)
{
    size_t n = m->n_entries;
    sorting_room s = {.n = n, .size = (size_t)m->size};
    block mem = {0};
    if (!block_create(&mem, m->allocator, lay_out_room, &s))
        return false;
    for (size_t k = 0; k < n; k++)
        s.second[k] = (int32_t)k;
    sort_by(m->row, s.second, s.first, n, s.start, m->size);
    sort_by(m->col, s.first, s.second, n, s.start, m->size);
    int32_t nnz = number_places(m, s.second, s.first);
    bool fine = pattern_create(&m->pattern, m->size, m->size, nnz, m->allocator);
    if (fine) {
        memcpy(m->pattern.row, s.first, (size_t)nnz * sizeof *s.first);
        memset(m->pattern.start, 0, ((size_t)m->size + 1) * sizeof(int32_t));
        for (size_t k = 0; k < n; k++) /* the last of a column has the highest place */
            m->pattern.start[m->col[s.second[k]] + 1] = m->at[s.second[k]] + 1;
        for (int32_t j = 0; j < m->size; j++)
            if (m->pattern.start[j + 1] < m->pattern.start[j])
                m->pattern.start[j + 1] = m->pattern.start[j];
    }
    block_free(&mem);
    return fine;
}

bool emitted_create(emitted_matrix *m, int32_t size, emission_fn *write, void *self,
                    const daedal_allocator *a)
{
    *m = (emitted_matrix){.size = size, .allocator = a, .pass = EMISSION_COUNT};
    write(m, self);
    m->n_entries = m->n;
    if (m->n_entries > INT32_MAX || !block_create(&m->entries, a, lay_out_entries, m))
        return false;
    m->pass = EMISSION_PLACE;
    m->n = 0;
    write(m, self);
    if (!build_pattern(m) || !block_create(&m->numbers, a, lay_out_numbers, m))
        return false;
    return linsolver_open(&m->pattern.view, a, &m->solver, &m->factors) == DAEDAL_OK;
}

void emitted_free(emitted_matrix *m)
{
    if (m->factors)
        m->solver->destroy(m->factors);
    if (m->turned_factors)
        m->solver->destroy(m->turned_factors);
    pattern_free(&m->pattern);
    pattern_free(&m->turned);
    block_free(&m->entries);
    block_free(&m->numbers);
    block_free(&m->turned_numbers);
    *m = (emitted_matrix){0};
}

void emitted_begin(emitted_matrix *m)
{
    m->pass = EMISSION_VALUES;
    m->n = 0;
    memset(m->values, 0, (size_t)pattern_nnz(&m->pattern.view) * sizeof *m->values);
}

daedal_status emitted_factor(emitted_matrix *m)
{
    return m->solver->factor(m->factors, m->values);
}

void emitted_solve(emitted_matrix *m, double *b)
{
    m->solver->solve(m->factors, b);
}

/* ---- transposed ---- */

static void lay_out_turned(void *object, layout *l)
{
    emitted_matrix *m = object;
    m->turned_values = layout_take(l, (size_t)pattern_nnz(&m->pattern.view), sizeof(double));
}

static bool make_turned(emitted_matrix *m)
{
    return pattern_transpose(&m->turned, &m->pattern.view, m->allocator) &&
           block_create(&m->turned_numbers, m->allocator, lay_out_turned, m) &&
           m->solver->create(&m->turned_factors, &m->turned.view, m->allocator) == DAEDAL_OK;
}

daedal_status emitted_factor_turned(emitted_matrix *m)
{
    const daedal_pattern *p = &m->pattern.view;
    if (!m->turned_factors && !make_turned(m))
        return DAEDAL_ERR_MEMORY;
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            m->turned_values[pattern_find(&m->turned.view, j, p->row[q])] = m->values[q];
    return m->solver->factor(m->turned_factors, m->turned_values);
}

void emitted_solve_turned(emitted_matrix *m, double *b)
{
    m->solver->solve(m->turned_factors, b);
}
