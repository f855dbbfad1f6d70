/* linalg/rank.h - dependent rows and columns of dense matrices.
 *
 * Responsibility: elimination with complete pivoting of a scaled matrix, to the form
 * [I R; 0 0] up to permutations, with a word on how clear the rank is.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_LINALG_RANK_H
#define DAEDAL_LINALG_RANK_H

#include "base/memory.h"

/* Tolerances for entries of size one: what is zero, what is clearly zero, what is clearly not. */
typedef struct rank_limits {
    double zero, clearly_zero, clearly_not;
} rank_limits;

/* The tolerances of matrices whose entries are known except for roundoff. */
extern const rank_limits rank_exact;

/* rows x cols by rows; what is not square counts as well. */
typedef struct rank_matrix {
    double *a;
    int32_t rows, cols;
    int32_t *row_of; /* by column: its pivot row, or -1  */
    int32_t *col_of; /* by row: its pivot column, or -1  */
    rank_limits limits;
    double least;  /* pivot that was taken, relative to the largest    */
    double left;   /* largest entry that was taken for zero, likewise  */
    double *scale; /* room for rows + cols             */
    block mem;
} rank_matrix;

/* The matrix is zero, its limits are rank_exact.  false: out of memory; rank_free in any case. */
bool rank_create(rank_matrix *m, int32_t rows, int32_t cols, const daedal_allocator *a);
void rank_free(rank_matrix *m);

/* Scale rows and columns until the largest entry of each is near one. */
void rank_equilibrate(rank_matrix *m);

/* Eliminate with pivots in columns first .. end - 1 and rows that have none yet, everywhere;
 * how many there were.                                                          */
int32_t rank_eliminate(rank_matrix *m, int32_t first, int32_t end);

/* Whether there is a gap between the pivots and what was taken for zero. */
bool rank_is_clear(const rank_matrix *m);
#endif
