/* base/pattern.h - sparsity patterns the library owns.
 *
 * Responsibility: check, copy, unite and measure patterns in compressed columns.
 * Invariant of a valid pattern: start[0] == 0, start nondecreasing, rows of a
 * column ascending, unique, within range.
 * Depends on: base/memory.h.                                                    */
#ifndef DAEDAL_BASE_PATTERN_H
#define DAEDAL_BASE_PATTERN_H

#include "base/memory.h"

/* An owned pattern: `view` points into `mem`; or a borrowed one: `view` alone is set. */
typedef struct pattern {
    daedal_pattern view;
    int32_t *start, *row;
    int32_t capacity; /* entries there is room for */
    block mem;
} pattern;

static inline int32_t pattern_nnz(const daedal_pattern *p)
{
    return p->start[p->n_cols];
}

/* NULL if valid, else a sentence fragment that says what is wrong ("column 3: row
 * 7 is out of range") written into buffer.                                      */
const char *pattern_complaint(const daedal_pattern *p, char *buffer, size_t size);

/* All return false when out of memory, and leave an empty pattern then.         */
bool pattern_create(pattern *p, int32_t n_rows, int32_t n_cols, int32_t nnz,
                    const daedal_allocator *a);
bool pattern_copy(pattern *p, const daedal_pattern *from, const daedal_allocator *a);
bool pattern_full(pattern *p, int32_t n, const daedal_allocator *a);
bool pattern_union(pattern *p, const daedal_pattern *x, const daedal_pattern *y,
                   const daedal_allocator *a);
bool pattern_transpose(pattern *p, const daedal_pattern *from, const daedal_allocator *a);
void pattern_free(pattern *p);

/* Largest i - j and j - i over the entries (0 if none). */
void pattern_band(const daedal_pattern *p, int32_t *lower, int32_t *upper);

/* Where entry (row, col) stands in the values, or -1. */
int32_t pattern_find(const daedal_pattern *p, int32_t row, int32_t col);
/* The same of all entries of another pattern of the same size: at[q] for its entry q. */
void pattern_locate(const daedal_pattern *p, const daedal_pattern *entries, int32_t *at);
#endif
