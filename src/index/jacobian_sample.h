/* index/jacobian_sample.h - dF/dy and dF/dy' of a function, accurate enough to decide ranks.
 *
 * Responsibility: both parts at a point, or some of their entries, by differences of fourth order,
 * with a bound of the noise of every entry.
 * Invariant: an entry whose size does not exceed its noise is exactly zero.
 * Depends on: index/sparsity_probe.h, linalg/colouring.h, base/.                        */
#ifndef DAEDAL_INDEX_JACOBIAN_SAMPLE_H
#define DAEDAL_INDEX_JACOBIAN_SAMPLE_H

#include "index/sparsity_probe.h"
#include "linalg/colouring.h"

typedef struct jacobian_sample {
    const probe_target *target;
    int32_t n;
    pattern pattern;             /* of both parts                */
    pattern part[2];             /* of dF/dy and of dF/dy'       */
    int32_t *at[2];              /* their entries in `pattern`   */
    double *value[2], *noise[2]; /* by the entries of `pattern`  */
    double *size;                /* n: of the terms of each F_i  */
    const daedal_allocator *allocator;
    bool has_colours;
    colouring colours;          /* columns of [dF/dy dF/dy']    */
    bool is_narrow;             /* only some entries are wanted */
    bool *wanted[2];            /* by the entries of `part`     */
    double *growth;             /* 2 n: of the moves            */
    double *y, *yp, *r0, *r[4]; /* work                         */
    block mem;
} jacobian_sample;

/* The target is borrowed.  false: out of memory; jacobian_sample_free in any case. */
bool jacobian_sample_create(jacobian_sample *s, const probe_target *target,
                            const daedal_pattern *dy, const daedal_pattern *dyp,
                            const daedal_allocator *a);
void jacobian_sample_free(jacobian_sample *s);

/* From now on only entries at[0 .. n-1] of `pattern`, each of the part that which[at] says, 0 or 1;
 * the others are zero.  Columns of other entries need not be told apart, so that this may take far
 * fewer calls.  false: out of memory.                                            */
bool jacobian_sample_narrow(jacobian_sample *s, int32_t n, const int32_t *at, const int32_t *which);
/* All entries again. */
void jacobian_sample_widen(jacobian_sample *s);

/* DAEDAL_OK, DAEDAL_STOPPED, DAEDAL_ERR_CALLBACK, DAEDAL_ERR_MEMORY, or DAEDAL_ERR_NOT_FINITE: F is
 * not defined there, or not around.                                              */
daedal_status jacobian_sample_at(jacobian_sample *s, double t, const double *y, const double *yp);
#endif
