/* linalg/independent_rows.h - which rows of a dense matrix are independent of those before them.
 *
 * Responsibility: rows are offered one after the other, in the order of preference; each is
 * eliminated by those that were taken and taken itself if anything is left.  Because of the order
 * the set that is taken contains the most preferred rows of all sets of this rank.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_INDEPENDENT_ROWS_H
#define DAEDAL_LINALG_INDEPENDENT_ROWS_H

#include "base/memory.h"

typedef struct independent_rows {
    int32_t n_cols;
    int32_t n;      /* rows taken so far, n_cols at most                                */
    double *row;    /* these, eliminated, with the pivot 1, by rows                     */
    int32_t *pivot; /* their pivot columns                                              */
    double nothing; /* what is left of a row, of its largest entry, that is noise; 1e-9  */
    double *x;      /* n_cols: the row that is offered next, the caller's to fill       */
    block mem;
} independent_rows;

/* false: out of memory; independent_rows_free in any case. */
bool independent_rows_create(independent_rows *r, int32_t n_cols, const daedal_allocator *a);
void independent_rows_free(independent_rows *r);

/* Whether the row in r->x, which is destroyed, is independent of those taken before; then it is
 * taken.  Entries that are not finite make a row dependent.                     */
bool independent_rows_take(independent_rows *r);
#endif
