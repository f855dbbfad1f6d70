/* index/regular.h - is the system Jacobian regular at a point?
 *
 * Responsibility: a reciprocal condition number in the best of two scalings, sparse.
 * Depends on: index/offsets.h, index/balance.h, linalg/linsolver.h.           */
#ifndef DAEDAL_INDEX_REGULAR_H
#define DAEDAL_INDEX_REGULAR_H

#include "index/offsets.h"
#include "index/sample.h"

typedef struct regularity {
    bool regular;
    double reciprocal_condition;
    int32_t column; /* where a pivot was missing, or -1 */
} regularity;

/* Of the system Jacobian with the values of the sample.  DAEDAL_OK or DAEDAL_ERR_MEMORY. */
daedal_status regular_jacobian(regularity *out, const offsets *o, const sample *s,
                               const daedal_allocator *a);
#endif
