/* integ/stage_sum.c - see stage_sum.h. */
#include "integ/stage_sum.h"

/* What follows the first term: factors between them are zero, as in most tables. */
static int32_t second_term(const stage_terms *s)
{
    int32_t k = 1;
    while (k < s->count && s->factor[k] == 0.0)
        k++;
    return k;
}

/* As many elements at once as `width` says, a constant of each call; count > 0. */
static inline void sum_block(const stage_terms *s, int32_t second, const double *from, double *out,
                             const int width)
{
    const double *f = s->factor, *v = s->vectors;
    double sum[4];
    for (int e = 0; e < width; e++)
        sum[e] = f[0] * v[e];
    v += second * s->n;
    for (int32_t k = second; k < s->count; k++, v += s->n)
        for (int e = 0; e < width; e++)
            sum[e] += f[k] * v[e];
    for (int e = 0; e < width; e++)
        out[e] = from[e] + s->h * sum[e];
}

static void sum_short(const stage_terms *s, const double *from, double *out)
{
    int32_t second = second_term(s), i = s->n & 4;
    stage_terms rest = *s;
    if (i > 0)
        sum_block(s, second, from, out, 4);
    rest.vectors += i;
    switch (s->n - i) {
    case 3:
        sum_block(&rest, second, from + i, out + i, 3);
        break;
    case 2:
        sum_block(&rest, second, from + i, out + i, 2);
        break;
    case 1:
        sum_block(&rest, second, from + i, out + i, 1);
        break;
    default:
        break;
    }
}

/* Up to four terms from number k on. */
static void add_four(const stage_terms *s, int32_t k, const double *from, double *out)
{
    const int32_t n = s->n, left = s->count - k;
    const double *v0 = s->vectors + (int64_t)k * n;
    const double *v1 = left > 1 ? v0 + n : v0, *v2 = left > 2 ? v1 + n : v0;
    const double *v3 = left > 3 ? v2 + n : v0, *f = s->factor + k;
    const double f0 = s->h * f[0], f1 = left > 1 ? s->h * f[1] : 0.0;
    const double f2 = left > 2 ? s->h * f[2] : 0.0, f3 = left > 3 ? s->h * f[3] : 0.0;
    if (left <= 2)
        for (int32_t i = 0; i < n; i++)
            out[i] = from[i] + (f0 * v0[i] + f1 * v1[i]);
    else
        for (int32_t i = 0; i < n; i++)
            out[i] = from[i] + ((f0 * v0[i] + f1 * v1[i]) + (f2 * v2[i] + f3 * v3[i]));
}

static void sum_long(const stage_terms *s, const double *from, double *out)
{
    int32_t second = second_term(s);
    stage_terms first = {s->n, 1, s->factor, s->vectors, s->h};
    if (second > 1)
        add_four(&first, 0, from, out);
    for (int32_t k = second > 1 ? second : 0; k < s->count; k += 4)
        add_four(s, k, k > 0 ? out : from, out);
}

void stage_sum(const stage_terms *s, const double *from, double *out)
{
    enum { SHORT = 8 };
    if (s->count > 0 && s->n < SHORT)
        sum_short(s, from, out);
    else if (s->count > 0)
        sum_long(s, from, out);
    else
        for (int32_t i = 0; i < s->n; i++)
            out[i] = from[i];
}
