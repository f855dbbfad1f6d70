/* integ/stage_sum.h - sums of the stages of a one-step method.
 *
 * Responsibility: out = from + h sum_k f_k v_k over vectors that stand n apart.  A few elements at
 * a time, which stay in registers, are summed over all vectors, the newest last, since it is waited
 * for.  An even n costs least.
 * Depends on: linalg/vector.h.                                                  */
#ifndef DAEDAL_INTEG_STAGE_SUM_H
#define DAEDAL_INTEG_STAGE_SUM_H

#include <stdint.h>

#include "linalg/vector.h"

typedef struct stage_terms {
    int32_t n, count;
    int32_t skipped;       /* factors behind the first one that are zero and left out  */
    const double *factor;  /* count                                                    */
    const double *vectors; /* the first one                                            */
    double h;
} stage_terms;

enum { STAGE_SUM_PAIRS_MAX = 4 };

/* Sum several pairs of elements at once, from the v of the first term on.  Their number is a
 * constant in each call. */
static inline void stage_sum_pairs(const stage_terms *s, const double *v, const double *from,
                                   double *out, const int pairs)
{
    const int64_t stride = s->n;
    const double *f = s->factor, *end = f + s->count;
    vector_pair sum[STAGE_SUM_PAIRS_MAX], factor = vector_pair_of(*f);
    for (int e = 0; e < pairs; e++)
        sum[e] = factor * ((const vector_pair *)v)[e];
    v += (1 + s->skipped) * stride;
    for (f += 1 + s->skipped; f < end; f++, v += stride) {
        factor = vector_pair_of(*f);
        for (int e = 0; e < pairs; e++)
            sum[e] += factor * ((const vector_pair *)v)[e];
    }
    factor = vector_pair_of(s->h);
    for (int e = 0; e < pairs; e++)
        ((vector_pair *)out)[e] = ((const vector_pair *)from)[e] + factor * sum[e];
}

/* Sum vectors whose n is odd or large, or without terms. */
void stage_sum_otherwise(const stage_terms *s, const double *from, double *out);

/* out = from + h sum_k f_k v_k; out may be from, but none of the vectors.  Of small systems a step
 * spends much of its time here, hence inline; the copy leaves the terms in registers otherwise. */
static inline void stage_sum(const stage_terms *s, const double *from, double *out)
{
    stage_terms copy;
    switch (s->count > 0 ? s->n : 0) {
    case 2:
        stage_sum_pairs(s, s->vectors, from, out, 1);
        break;
    case 4:
        stage_sum_pairs(s, s->vectors, from, out, 2);
        break;
    case 6:
        stage_sum_pairs(s, s->vectors, from, out, 3);
        break;
    default:
        copy = *s;
        stage_sum_otherwise(&copy, from, out);
    }
}
#endif
