/* consistent/higher_index_start.h - consistent values where constraints are hidden.
 *
 * Responsibility: y and y' at the first instant that satisfy the equations and those that follow
 * from them by differentiation, for functions of any index that the structure explains.
 * Depends on: consistent/difference_array.h, linalg/qr.h, linalg/least_squares.h.    */
#ifndef DAEDAL_CONSISTENT_HIGHER_INDEX_START_H
#define DAEDAL_CONSISTENT_HIGHER_INDEX_START_H

#include "consistent/start_correction.h"

enum { DERIVATIVE_ARRAY_LARGEST = 600 }; /* rows of the array */

/* What is known of the system: how often equation i must be differentiated and up to which
 * derivative variable j then occurs, and how many values may be chosen; -1: that follows from
 * the numbers.  Then it may have been told from other numbers how many may not.   */
typedef struct start_offsets {
    const int32_t *c, *d;
    int32_t freedom;
    int32_t constraints; /* on y; 0: not known, or known by freedom                  */
    double side;         /* +1, -1: F may be asked on this side of t only; 0: on both      */
    bool by_size;        /* guesses move in proportion to their sizes, not to their weights */
} start_offsets;

/* FIXED values stay, GUESS moves little, FREE moves as needed; y and yp of the problem are
 * changed on success only.  DAEDAL_OK, DAEDAL_STOPPED, DAEDAL_ERR_START, DAEDAL_ERR_MEMORY or a
 * callback's failure.                                                            */
daedal_status start_by_derivative_array(const start_problem *p, const start_offsets *o);
#endif
