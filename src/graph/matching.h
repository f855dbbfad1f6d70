/* graph/matching.h - pair equations with variables.
 *
 * Responsibility: maximum matchings of sparsity patterns.  Rows are equations and
 * columns variables; the search starts from columns.  For the other orientation hand
 * over the transposed pattern and swap row_of and col_of.
 * Invariant: col_of[row_of[j]] == j where row_of[j] >= 0, and the same the other way.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_GRAPH_MATCHING_H
#define DAEDAL_GRAPH_MATCHING_H

#include "base/pattern.h"

enum { MATCHING_NONE = -1 };

typedef struct matching {
    int32_t n_rows, n_cols;
    int32_t size;    /* pairs                                          */
    int32_t *row_of; /* n_cols: the row of each column, or MATCHING_NONE */
    int32_t *col_of; /* n_rows: the column of each row, or MATCHING_NONE */
    block mem;
} matching;

/* No pairs yet.  false (here and below): out of memory, and the matching is empty. */
bool matching_create(matching *m, int32_t n_rows, int32_t n_cols, const daedal_allocator *a);
void matching_free(matching *m);

/* Pair a free row with a free column.                                           */
void matching_join(matching *m, int32_t row, int32_t col);

/* Add pairs until no matching of p has more; what is matched stays matched, perhaps
 * with another partner.  The pairs of m must be entries of p.  When out of memory the
 * matching stays valid.                                                         */
bool matching_improve(matching *m, const daedal_pattern *p, const daedal_allocator *a);

/* A maximum matching.  `initial` is NULL or names a row (or MATCHING_NONE) for each column:
 * pairs to begin with; those that are no entries, or whose row is taken, are left out. */
bool matching_maximum(matching *m, const daedal_pattern *p, const int32_t *initial,
                      const daedal_allocator *a);
#endif
