/* integ/stage_sum.h - sums of the stages of a one-step method.
 *
 * Responsibility: out = from + h sum_k f_k v_k over vectors that stand n apart.  A few elements at
 * a time, which stay in registers, are summed over all vectors, the newest last, since it is waited
 * for.  An even n costs least.
 * Depends on: linalg/vector.h.                                                  */
#ifndef DAEDAL_INTEG_STAGE_SUM_H
#define DAEDAL_INTEG_STAGE_SUM_H

#include <stdint.h>

typedef struct stage_terms {
    int32_t n, count;
    int32_t skipped;       /* factors behind the first one that are zero and left out  */
    const double *factor;  /* count                                                    */
    const double *vectors; /* the first one                                            */
    double h;
} stage_terms;

/* out = from + h sum_k f_k v_k; out may be from, but none of the vectors. */
void stage_sum(const stage_terms *s, const double *from, double *out);
#endif
