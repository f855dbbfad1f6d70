/* linalg/colouring.h - columns that may be differenced together.
 *
 * Responsibility: partition the columns of one or two patterns with the same rows
 * so that no two columns of a colour share a row.  A band pattern gets lower +
 * upper + 1 colours, as Curtis, Powell and Reid's grouping does.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_COLOURING_H
#define DAEDAL_LINALG_COLOURING_H

#include "base/pattern.h"

typedef struct colouring {
    int32_t n_colours;
    int32_t n_columns; /* all columns of [A B] that are not empty                  */
    int32_t *start;    /* n_colours + 1: colour c is column[start[c]] ...          */
    int32_t *column;   /* columns of A are 0 .. n-1, columns of B are n .. 2n-1    */
    block mem;
} colouring;

/* Colour the columns of [A B] (B may be NULL) together.  Empty columns get no
 * colour.  false: out of memory.                                                */
bool colouring_create(colouring *c, const daedal_pattern *A, const daedal_pattern *B,
                      const daedal_allocator *a);
/* The same of A alone in one pass, perhaps with more colours: for columns that are differenced
 * once. */
bool colouring_create_quickly(colouring *c, const daedal_pattern *A, const daedal_allocator *a);
/* The same where only some entries of [A B] are wanted: a bool for each entry of A and of B.  No
 * other column of the colour of a wanted entry has an entry in its row, wanted or not.  Columns
 * without wanted entries get no colour.                                                  */
bool colouring_create_for(colouring *c, const daedal_pattern *A, const daedal_pattern *B,
                          const bool *const wanted[2], const daedal_allocator *a);
void colouring_free(colouring *c);
#endif
