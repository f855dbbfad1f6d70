/* tests/unit/test_stage_sum.c - sums of stages are those of a plain loop, for all lengths, also
 * where tables have zeros and where the result takes the place of what it begins with. */
#include <math.h>

#include "integ/stage_sum.h"

#include "harness.h"

enum { N_MAX = 37, COUNT_MAX = 16 };

static double plain_sum(const stage_terms *s, const double *from, int32_t i)
{
    double sum = from[i];
    for (int32_t k = 0; k < s->count; k++)
        sum += s->h * s->factor[k] * s->vectors[k * s->n + i];
    return sum;
}

static void compare(int32_t n, int32_t count, int32_t gap)
{
    double vectors[COUNT_MAX * N_MAX], factor[COUNT_MAX], from[N_MAX], out[N_MAX], in_place[N_MAX];
    for (int32_t i = 0; i < COUNT_MAX * N_MAX; i++)
        vectors[i] = cos(1.0 + i);
    for (int32_t k = 0; k < COUNT_MAX; k++)
        factor[k] = k > 0 && k <= gap ? 0.0 : sin(2.0 + k);
    for (int32_t i = 0; i < N_MAX; i++)
        in_place[i] = from[i] = 1.0 / (1.0 + i);
    stage_terms s = {n, count, gap < count ? gap : 0, factor, vectors, 0.25};
    stage_sum(&s, from, out);
    stage_sum(&s, in_place, in_place);
    for (int32_t i = 0; i < n; i++) {
        assert_true(fabs(out[i] - plain_sum(&s, from, i)) < 1e-14);
        assert_true(in_place[i] == out[i]);
    }
}

static void test_sums(void **state)
{
    (void)state;
    for (int32_t n = 1; n <= N_MAX; n++)
        for (int32_t count = 0; count <= COUNT_MAX; count++)
            for (int32_t gap = 0; gap < 4; gap++)
                compare(n, count, gap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
