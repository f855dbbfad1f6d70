/* integ/stage_sum.c - see stage_sum.h. */
#include "integ/stage_sum.h"

#include "linalg/vector.h"

enum { PAIRS_MAX = 4 };

/* As many pairs of elements at once as is said, a constant of each call, from the first term's v
 * on. */
static inline void sum_pairs(const stage_terms *s, const double *v, const double *from, double *out,
                             const int pairs)
{
    const int64_t stride = s->n;
    const double *f = s->factor, *end = f + s->count;
    vector_pair sum[PAIRS_MAX], factor = vector_pair_of(*f);
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

static void sum_last(const stage_terms *s, const double *from, double *out)
{
    const double *v = s->vectors + s->n - 1;
    double sum = s->factor[0] * v[0];
    for (int64_t k = 1 + s->skipped; k < s->count; k++)
        sum += s->factor[k] * v[k * s->n];
    out[s->n - 1] = from[s->n - 1] + s->h * sum;
}

static void sum_long(const stage_terms *s, const double *from, double *out)
{
    int32_t i = 0, n = s->n;
    for (; i + 8 <= n; i += 8)
        sum_pairs(s, s->vectors + i, from + i, out + i, 4);
    if (i + 4 <= n) {
        sum_pairs(s, s->vectors + i, from + i, out + i, 2);
        i += 4;
    }
    if (i + 2 <= n)
        sum_pairs(s, s->vectors + i, from + i, out + i, 1);
}

void stage_sum(const stage_terms *s, const double *from, double *out)
{
    for (int32_t i = 0; i < s->n && s->count == 0; i++)
        out[i] = from[i];
    if (s->count == 0)
        return;
    switch (s->n / 2) {
    case 0:
        break;
    case 1:
        sum_pairs(s, s->vectors, from, out, 1);
        break;
    case 2:
        sum_pairs(s, s->vectors, from, out, 2);
        break;
    case 3:
        sum_pairs(s, s->vectors, from, out, 3);
        break;
    default:
        sum_long(s, from, out);
        break;
    }
    if (s->n % 2 != 0)
        sum_last(s, from, out);
}
