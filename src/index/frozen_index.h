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

/* Whether it has this index, and its equations and variables have these offsets (n each). DAEDAL_OK
 * or DAEDAL_ERR_MEMORY.                                                           */
typedef struct known_structure {
    int32_t index;
    const int32_t *c, *d;
} known_structure;
daedal_status frozen_index_is(const frozen_pencil *p, const known_structure *known, bool *same,
                              const daedal_allocator *a);
#endif
