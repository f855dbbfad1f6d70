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

/* out = from + the terms listed, four at most. */
static void add_four(const stage_terms *s, const int32_t *term, int32_t count, const double *from,
                     double *out)
{
    const double *v[4], *f = s->factor;
    double by[4] = {0.0};
    for (int32_t k = 0; k < 4; k++)
        v[k] = s->vectors + (int64_t)term[k < count ? k : 0] * s->n;
    for (int32_t k = 0; k < count; k++)
        by[k] = s->h * f[term[k]];
    const double *v0 = v[0], *v1 = v[1], *v2 = v[2], *v3 = v[3];
    const double f0 = by[0], f1 = by[1], f2 = by[2], f3 = by[3];
    if (count <= 2)
        for (int32_t i = 0; i < s->n; i++)
            out[i] = from[i] + (f0 * v0[i] + f1 * v1[i]);
    else
        for (int32_t i = 0; i < s->n; i++)
            out[i] = from[i] + ((f0 * v0[i] + f1 * v1[i]) + (f2 * v2[i] + f3 * v3[i]));
}

static void sum_long(const stage_terms *s, const double *from, double *out)
{
    int32_t term[STAGE_TERMS_MAX] = {0}, count = 1;
    for (int32_t k = 1; k < s->count; k++)
        if (s->factor[k] != 0.0)
            term[count++] = k;
    for (int32_t k = 0; k < count; k += 4)
        add_four(s, term + k, count - k < 4 ? count - k : 4, k > 0 ? out : from, out);
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
