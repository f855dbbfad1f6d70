/* integ/stage_sum.c - see stage_sum.h. */
#include "integ/stage_sum.h"

static void sum_last(const stage_terms *s, const double *from, double *out)
{
    const double *v = s->vectors + s->n - 1;
    double sum = s->factor[0] * v[0];
    for (int64_t k = 1 + s->skipped; k < s->count; k++)
        sum += s->factor[k] * v[k * s->n];
    out[s->n - 1] = from[s->n - 1] + s->h * sum;
}

void stage_sum_otherwise(const stage_terms *s, const double *from, double *out)
{
    int32_t i = 0, n = s->n;
    if (s->count == 0) {
        for (; i < n; i++)
            out[i] = from[i];
        return;
    }
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
