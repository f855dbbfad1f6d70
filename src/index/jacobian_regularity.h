/* index/jacobian_regularity.h - whether the system Jacobian is regular at a point.
 *
 * Responsibility: a reciprocal condition number in the best of two scalings, sparse.
 * Depends on: index/structural_offsets.h, linalg/curtis_reid.h, linalg/linsolver.h.           */
#ifndef DAEDAL_INDEX_JACOBIAN_REGULARITY_H
#define DAEDAL_INDEX_JACOBIAN_REGULARITY_H

#include "index/jacobian_sample.h"
#include "index/structural_offsets.h"

typedef struct regularity {
    bool regular;
    double reciprocal_condition;
    int32_t column; /* where a pivot was missing, or -1 */
} regularity;

/* Of the system Jacobian with the values of the sample.  DAEDAL_OK or DAEDAL_ERR_MEMORY. */
daedal_status jacobian_regularity(regularity *out, const offsets *o, const jacobian_sample *s,
                                  const daedal_allocator *a);
#endif
