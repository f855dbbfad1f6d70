/* graph/dulmage_mendelsohn.h - where a system has too many equations, and where too few.
 *
 * Responsibility: the coarse Dulmage-Mendelsohn decomposition of any pattern, as lists
 * of equations and variables to name in a message.
 * Invariant: every row and every column stands in exactly one part.  OVER has more rows
 * than columns (or neither), UNDER more columns than rows, WELL as many.  Rows of OVER
 * have entries only in columns of OVER; columns of UNDER only in rows of UNDER.
 * Depends on: graph/matching.h.                                                 */
#ifndef DAEDAL_GRAPH_DULMAGE_MENDELSOHN_H
#define DAEDAL_GRAPH_DULMAGE_MENDELSOHN_H

#include "graph/matching.h"

typedef enum dulmage_part { DULMAGE_OVER, DULMAGE_WELL, DULMAGE_UNDER } dulmage_part;

typedef struct dulmage {
    matching pairs;                     /* a maximum matching; its free rows are too
                                           many, its free columns undetermined       */
    int32_t row_start[4], col_start[4]; /* where the parts begin in row and col      */
    int32_t *row, *col;                 /* ascending within a part                   */
    pattern by_row;                     /* the pattern transposed                    */
    block mem;
} dulmage;

/* A few equations and variables, each list in the order of discovery. */
typedef struct dulmage_set {
    daedal_ints rows, cols;
    block mem;
} dulmage_set;

/* `initial`: see matching_maximum.  false (here and below): out of memory.      */
bool dulmage_create(dulmage *d, const daedal_pattern *p, const int32_t *initial,
                    const daedal_allocator *a);
void dulmage_free(dulmage *d);

/* The smallest set of equations that holds this unmatched one and has fewer variables
 * than equations: k + 1 equations in k variables.  Leave out any one of them, and the
 * others can be matched.                                                        */
bool dulmage_conflict(dulmage_set *s, const dulmage *d, int32_t row, const daedal_allocator *a);

/* The k + 1 variables around this unmatched one that only k equations determine: give
 * any one of them, and the others can be matched.  p as in dulmage_create.      */
bool dulmage_freedom(dulmage_set *s, const dulmage *d, const daedal_pattern *p, int32_t col,
                     const daedal_allocator *a);
void dulmage_set_free(dulmage_set *s);
#endif
