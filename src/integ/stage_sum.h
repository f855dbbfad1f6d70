/* integ/stage_sum.h - sums of the stages of a one-step method.
 *
 * Responsibility: out = from + h sum_k f_k v_k over vectors that stand n apart.  Of long vectors
 * four are added in one loop.  Of short ones, whose loops would cost more than what they compute,
 * all elements are summed over the vectors in turn, the newest last, since it is waited for.
 * Depends on: libc.                                                             */
#ifndef DAEDAL_INTEG_STAGE_SUM_H
#define DAEDAL_INTEG_STAGE_SUM_H

#include <stdint.h>

enum { STAGE_TERMS_MAX = 16 };

typedef struct stage_terms {
    int32_t n, count;
    const double *factor;  /* count                                                    */
    const double *vectors; /* the first one                                            */
    double h;
} stage_terms;

/* out = from + h sum_k f_k v_k; out may be from, but none of the vectors. */
void stage_sum(const stage_terms *s, const double *from, double *out);
#endif
