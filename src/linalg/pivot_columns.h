/* linalg/pivot_columns.h - which columns of a wide matrix make it square and regular.
 *
 * Responsibility: for each row of a sparse matrix with fewer rows than columns a column of its
 * own, such that these columns are independent, by elimination row after row with the pivot
 * sought in the row.  Columns chosen before are kept unless another is clearly larger, so
 * that the choice changes seldom.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_PIVOT_COLUMNS_H
#define DAEDAL_LINALG_PIVOT_COLUMNS_H

#include "base/heap.h"
#include "base/pattern.h"

typedef struct pivot_columns {
    pattern rows;     /* transposed: its columns are the rows of the matrix            */
    int32_t *entry;   /* by entry of `rows`: its number in the values                  */
    int32_t *owner;   /* by column: the row whose pivot it is, or -1                   */
    bool *was_pivot;  /* by column: in the choice before                               */
    int32_t *pivot;   /* by row: its column, or -1: none was chosen yet                */
    int32_t *before;  /* the pivots of the choice before                               */
    double *x;        /* by column: the row under way                                  */
    bool *touched;    /* by column: x is in use                                        */
    int32_t *list;    /* the columns in use                                            */
    int32_t n_list;   /* their number                                                  */
    heap pending;     /* rows above that are still to be subtracted                    */
    int32_t *start;   /* by row: where its eliminated entries begin; n_rows + 1        */
    int32_t *column;  /* of the eliminated rows, divided by their pivots               */
    double *factor;   /* their values                                                  */
    int32_t capacity; /* of both                                                       */
    int64_t grown;    /* times it did not suffice                                      */
    const daedal_allocator *allocator;
    block mem;
} pivot_columns;

/* false: out of memory; pivot_columns_free in any case. */
bool pivot_columns_create(pivot_columns *p, const daedal_pattern *matrix,
                          const daedal_allocator *a);
void pivot_columns_free(pivot_columns *p);

/* How columns compare: entries count times `weight`; of those within a factor of ten of the
 * largest in a row, the lowest class is taken (NULL: all are equal).             */
typedef struct pivot_wishes {
    const double *weight;
    const int32_t *class_of;
    double hysteresis; /* how much larger another column must be than a pivot of before */
} pivot_wishes;

/* Choose from the values in the order of the matrix's pattern, into p->pivot; on the first
 * call nothing was chosen before.  *changed: another set of columns than before.
 * DAEDAL_ERR_SINGULAR: a row depends on those above it; DAEDAL_ERR_MEMORY.  The choice before
 * stays in both cases.                                                          */
daedal_status pivot_columns_choose(pivot_columns *p, const double *values,
                                   const pivot_wishes *wishes, bool *changed);

void pivot_columns_copy(pivot_columns *to, const pivot_columns *from); /* the choice */
#endif
