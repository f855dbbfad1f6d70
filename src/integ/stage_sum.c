/* integ/stage_sum.c - see stage_sum.h.
 *
 * Long vectors are summed by sixteen elements at once where the processor has registers of four
 * numbers, else by eight; the bits are the same. */
#include "integ/stage_sum.h"

enum { FOURS = 4, STRETCH = 4 * FOURS };

static void sum_last(const stage_terms *s, const double *from, double *out)
{
    const double *v = s->vectors + s->n - 1;
    double sum = s->factor[0] * v[0];
    for (int64_t k = 1 + s->skipped; k < s->count; k++)
        sum += s->factor[k] * v[k * s->n];
    out[s->n - 1] = from[s->n - 1] + s->h * sum;
}

/* Sum the elements from i on. */
static void sum_from(const stage_terms *s, int32_t i, const double *from, double *out)
{
    int32_t n = s->n;
    for (; i + 8 <= n; i += 8)
        stage_sum_pairs(s, s->vectors + i, from + i, out + i, 4);
    if (i + 4 <= n) {
        stage_sum_pairs(s, s->vectors + i, from + i, out + i, 2);
        i += 4;
    }
    if (i + 2 <= n)
        stage_sum_pairs(s, s->vectors + i, from + i, out + i, 1);
    if (n % 2 != 0)
        sum_last(s, from, out);
}

/* Sum sixteen elements from i on. */
WIDE_TARGET static void sum_stretch(const stage_terms *s, int32_t i, const double *from,
                                    double *out)
{
    const double *f = s->factor, *end = f + s->count, *v = s->vectors + i;
    const int64_t stride = s->n;
    vector_four sum[FOURS];
    for (int e = 0; e < FOURS; e++)
        sum[e] = *f * ((const vector_four *)v)[e];
    v += (1 + s->skipped) * stride;
    for (f += 1 + s->skipped; f < end; f++, v += stride)
        for (int e = 0; e < FOURS; e++)
            sum[e] += *f * ((const vector_four *)v)[e];
    for (int e = 0; e < FOURS; e++)
        ((vector_four *)(out + i))[e] = ((const vector_four *)(from + i))[e] + s->h * sum[e];
}

/* Sum as many elements as full stretches have.  The answer is their number. */
static int32_t sum_stretches(const stage_terms *s, const double *from, double *out)
{
    int32_t i = 0;
    if (s->n >= STRETCH && vector_may_be_wide())
        for (; i + STRETCH <= s->n; i += STRETCH)
            sum_stretch(s, i, from, out);
    return i;
}

void stage_sum_otherwise(const stage_terms *s, const double *from, double *out)
{
    if (s->count > 0) {
        sum_from(s, sum_stretches(s, from, out), from, out);
        return;
    }
    for (int32_t i = 0; i < s->n; i++)
        out[i] = from[i];
}
