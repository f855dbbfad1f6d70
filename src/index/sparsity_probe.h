/* index/sparsity_probe.h - the sparsity of a function, found by calling it.
 *
 * Responsibility: the patterns of dF/dy and dF/dy' of a residual function.
 * Depends on: base/, linalg/colouring.h.                                        */
#ifndef DAEDAL_INDEX_SPARSITY_PROBE_H
#define DAEDAL_INDEX_SPARSITY_PROBE_H

#include "base/pattern.h"

/* The function under probe: returns a daedal_answer; not finite counts as RETRY. */
typedef struct probe_target {
    int32_t n;
    int (*residual)(double t, const double *y, const double *yp, double *r, void *self);
    void *self;
    const double *y_scale, *yp_scale; /* n each, > 0: a typical size of each entry */
    double t_span; /* a typical time; t is moved by a share of it, to its side    */
} probe_target;

/* F there.  DAEDAL_ERR_NOT_FINITE is an answer: the point is outside the domain.  */
daedal_status probe_call(const probe_target *target, double t, const double *y, const double *yp,
                         double *r);

/* Patterns of dF/dy and dF/dy' near (t, y, yp), by bitwise changes at jittered
 * points.  DAEDAL_OK, DAEDAL_ERR_MEMORY, DAEDAL_ERR_CALLBACK, DAEDAL_STOPPED, or
 * DAEDAL_ERR_NOT_FINITE when no finite point was found.                         */
daedal_status probe_patterns(const probe_target *target, double t, const double *y,
                             const double *yp, pattern *dy, pattern *dyp,
                             const daedal_allocator *a);
#endif
