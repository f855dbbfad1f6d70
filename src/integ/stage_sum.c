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

/* Element i of the sum; count > 0. */
static double element(const stage_terms *s, int32_t second, int32_t i)
{
    const double *f = s->factor, *v = s->vectors + i;
    const int32_t n = s->n;
    double sum = f[0] * v[0];
    int32_t k = second;
    for (v += k * n; k + 4 <= s->count; k += 4, v += 4 * n)
        sum += (f[k] * v[0] + f[k + 1] * v[n]) + (f[k + 2] * v[2 * n] + f[k + 3] * v[3 * n]);
    if (k + 2 <= s->count) {
        sum += f[k] * v[0] + f[k + 1] * v[n];
        k += 2;
        v += 2 * n;
    }
    return k < s->count ? sum + f[k] * v[0] : sum;
}

static void sum_short(const stage_terms *s, const double *from, double *out)
{
    int32_t second = second_term(s);
    for (int32_t i = 0; i < s->n; i++)
        out[i] = from[i] + s->h * element(s, second, i);
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
