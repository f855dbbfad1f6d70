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
    double noise;           /* of an entry times its variable, relative to the largest such term of
                               its row                                            */
    const double *size[2];  /* n each: of y and of y'; NULL: all alike            */
} frozen_pencil;

/* What the structure proves of dyp y' + dy y = 0. */
typedef struct frozen_answer {
    int32_t index;    /* -1: the system Jacobian of the entries that are not zero is singular or its
                         inverse does not show the index                                 */
    bool is_explicit; /* the index is at most one, and that Jacobian has the column of dyp for every
                         variable that is_differential names, that of dy for the others  */
} frozen_answer;

/* DAEDAL_OK or DAEDAL_ERR_MEMORY; is_differential (n) may be NULL. */
daedal_status frozen_index(const frozen_pencil *p, const bool *is_differential, frozen_answer *out,
                           const daedal_allocator *a);

/* Whether it has this index, and its equations and variables have these offsets (n each). DAEDAL_OK
 * or DAEDAL_ERR_MEMORY.                                                           */
typedef struct known_structure {
    int32_t index;
    const int32_t *c, *d;
} known_structure;
daedal_status frozen_index_is(const frozen_pencil *p, const known_structure *known, bool *same,
                              const daedal_allocator *a);
#endif
