/* linalg/prioritised_least_squares.h - dense least squares with two tiers of unknowns.
 *
 * Responsibility: the minimiser of |A x - b| that moves the first unknowns least, and of all
 * these the one that moves the others least: no weights trade one against the other.
 * Depends on: linalg/qr.h, linalg/least_squares.h.                              */
#ifndef DAEDAL_LINALG_PRIORITISED_LEAST_SQUARES_H
#define DAEDAL_LINALG_PRIORITISED_LEAST_SQUARES_H

#include "base/memory.h"

typedef struct prioritised {
    int32_t rows, n_first, n_others;
    int32_t n_right;  /* right sides                                                       */
    const double *a;  /* rows x (n_first + n_others) by columns, and each b in one more    */
    double tolerance; /* below this, of the largest, columns of the others are dependent   */
} prioritised;

/* Into x, which has n_first + n_others entries for each right side.  DAEDAL_OK or
 * DAEDAL_ERR_MEMORY. */
daedal_status prioritised_solve(const prioritised *p, double *x, const daedal_allocator *a);
#endif
