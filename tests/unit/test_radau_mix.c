/* tests/unit/test_radau_mix.c - small matrices times stages are plain sums, bit for bit, whatever
 * the registers of the processor. */
#include <math.h>
#include <string.h>

#include "integ/radau_mix.h"

#include "harness.h"

enum { STRIDE_MAX = 26, S = RADAU_STAGES_MAX };

static double matrix[S * S], in[S * STRIDE_MAX];

static double plain_sum(int32_t s, const double *row, int32_t stride, int32_t j)
{
    double sum = row[0] * in[j];
    for (int32_t k = 1; k < s; k++)
        sum += row[k] * in[k * stride + j];
    return sum;
}

static void compare(int32_t s, int32_t stride)
{
    double out[S * STRIDE_MAX + 1], row[STRIDE_MAX + 1];
    out[s * stride] = row[stride] = 7.0; /* not written */
    radau_mix(s, matrix, in, out, stride);
    radau_combine(s, matrix, in, row, stride);
    for (int32_t i = 0; i < s; i++)
        for (int32_t j = 0; j < stride; j++)
            assert_true(out[i * stride + j] == plain_sum(s, matrix + i * s, stride, j));
    assert_memory_equal(row, out, (size_t)stride * sizeof(double));
    assert_true(out[s * stride] == 7.0 && row[stride] == 7.0);
}

static void test_products(void **state)
{
    (void)state;
    for (int32_t k = 0; k < S * S; k++)
        matrix[k] = sin(1.0 + k);
    for (int32_t k = 0; k < S * STRIDE_MAX; k++)
        in[k] = cos(2.0 + k);
    for (int32_t s = 1; s <= S; s += 2)
        for (int32_t stride = 2; stride <= STRIDE_MAX; stride += 2)
            compare(s, stride);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
