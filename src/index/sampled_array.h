/* index/sampled_array.h - the index from the derivative array, built from differences.
 *
 * Responsibility: how often all equations must be differentiated until y' follows from y, along
 * the straight curve through a point.  Dense, small.
 * Depends on: linalg/curtis_reid.h, linalg/svd.h, linalg/difference_weights.h.      */
#ifndef DAEDAL_INDEX_SAMPLED_ARRAY_H
#define DAEDAL_INDEX_SAMPLED_ARRAY_H

#include "index/jacobian_sample.h"
#include "linalg/curtis_reid.h"

enum { ARRAY_LARGEST = 400, ARRAY_ORDER_MAX = 5 }; /* rows of the array; differentiations */

typedef struct array_point {
    double t;
    const double *y, *yp;
    double time_scale; /* > 0: in which y changes by itself                          */
    double direction;  /* +1, -1: only times on that side of t may be asked for; 0: both */
} array_point;

typedef struct array_answer {
    int32_t index;   /* or -1: not found, or not clear                               */
    int32_t freedom; /* degrees of freedom, if found                                 */
    bool dependent;  /* equations are dependent (with derivatives): no unique solution */
} array_answer;

/* DAEDAL_OK, DAEDAL_STOPPED, DAEDAL_ERR_CALLBACK or DAEDAL_ERR_MEMORY.  The sample is moved. */
daedal_status array_index(array_answer *out, jacobian_sample *s, const pencil_scaling *b,
                          const array_point *at, const daedal_allocator *a);
#endif
