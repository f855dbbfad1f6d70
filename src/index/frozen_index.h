/* index/frozen_index.h - the index of two matrices, where their structure proves it.
 *
 * Responsibility: a cheap and certain answer for the pencil of one instant, or none.
 * Depends on: index/jacobian_regularity.h.                                       */
#ifndef DAEDAL_INDEX_FROZEN_INDEX_H
#define DAEDAL_INDEX_FROZEN_INDEX_H

#include "index/jacobian_regularity.h"

typedef struct frozen_pencil {
    const daedal_pattern *pattern;
    const double *dy, *dyp; /* by its entries                                     */
    double noise;           /* of an entry, relative to the largest of its row    */
} frozen_pencil;

/* The index of dyp y' + dy y = 0, or -1: the system Jacobian of the entries that are not zero is
 * singular or its inverse does not show the index.  DAEDAL_OK or DAEDAL_ERR_MEMORY.  */
daedal_status frozen_index(const frozen_pencil *p, int32_t *index, const daedal_allocator *a);
#endif
