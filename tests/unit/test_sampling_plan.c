/* tests/unit/test_sampling_plan.c - values of the runs of a sweep: what the distributions promise,
 * what grids, Latin hypercubes and Sobol's sequence promise, and quantiles.        */
#include "sweep/quantiles.h"
#include "sweep/sampling_plan.h"

#include "support/harness.h"

#include <math.h>
#include <stdlib.h>

/* ---- variations ---- */

static void test_ends_of_ranges(void **state)
{
    (void)state;
    variation line = {.kind = VARY_RANGE, .a = 1.0, .b = 2.0, .n = 5};
    variation ratios = {.kind = VARY_LOG_RANGE, .a = 1e-3, .b = 1e3, .n = 7};
    assert_true(variation_at(&line, 0) == 1.0 && variation_at(&line, 4) == 2.0);
    assert_true(fabs(variation_at(&line, 1) - 1.25) < 1e-15);
    assert_true(variation_at(&ratios, 0) == 1e-3 && variation_at(&ratios, 6) == 1e3);
    for (int64_t k = 0; k + 1 < 7; k++)
        assert_true(fabs(variation_at(&ratios, k + 1) / variation_at(&ratios, k) - 10.0) < 1e-12);
}

/* Quantiles of the normal distribution that every table has. */
static void test_normal_quantiles(void **state)
{
    (void)state;
    static const double known[][2] = {{0.5, 0.0},
                                      {0.841344746068543, 1.0},
                                      {0.977249868051821, 2.0},
                                      {0.998650101968370, 3.0},
                                      {0.158655253931457, -1.0}};
    variation normal = {.kind = VARY_NORMAL, .a = 5.0, .b = 2.0};
    variation log_normal = {.kind = VARY_LOGNORMAL, .a = 3e7, .b = 0.3};
    for (size_t k = 0; k < COUNT(known); k++) {
        double expected = 5.0 + 2.0 * known[k][1];
        assert_true(fabs(variation_sample(&normal, known[k][0]) - expected) < 1e-10);
        double ratio = variation_sample(&log_normal, known[k][0]) / 3e7;
        assert_true(fabs(log(ratio) - 0.3 * known[k][1]) < 1e-10);
    }
}

static void test_bad_variations(void **state)
{
    (void)state;
    static const variation bad[] = {{.kind = VARY_NORMAL, .a = 0.0, .b = 0.0},
                                    {.kind = VARY_NORMAL, .a = NAN, .b = 1.0},
                                    {.kind = VARY_LOGNORMAL, .a = -1.0, .b = 1.0},
                                    {.kind = VARY_LOGUNIFORM, .a = 0.0, .b = 1.0},
                                    {.kind = VARY_UNIFORM, .a = 1.0, .b = 1.0},
                                    {.kind = VARY_RANGE, .a = 1.0, .b = 2.0, .n = 1}};
    for (size_t k = 0; k < COUNT(bad); k++)
        assert_non_null(variation_check(&bad[k]));
}

/* ---- plans ---- */

static const variation units[] = {{.kind = VARY_UNIFORM, .a = 0.0, .b = 1.0},
                                  {.kind = VARY_UNIFORM, .a = 0.0, .b = 1.0},
                                  {.kind = VARY_UNIFORM, .a = 0.0, .b = 1.0}};

static void test_grid(void **state)
{
    (void)state;
    static const double list[] = {7.0, 8.0};
    const variation both[] = {{.kind = VARY_RANGE, .a = 0.0, .b = 2.0, .n = 3},
                              {.kind = VARY_LIST, .n = 2, .list = list}};
    sampling_plan plan = {.varied = both, .n_varied = 2};
    double values[12];
    static const double expected[12] = {0, 7, 0, 8, 1, 7, 1, 8, 2, 7, 2, 8};
    plan.n_runs = sampling_grid_size(&plan);
    assert_int_equal(plan.n_runs, 6);
    sampling_grid(&plan, values);
    for (int k = 0; k < 12; k++)
        assert_true(values[k] == expected[k]);
}

static void fill(const variation *varied, int32_t n_varied, sampling_kind kind, int64_t n,
                 uint64_t seed, double *values)
{
    sampling_plan plan = {varied, n_varied, kind, n, seed};
    assert_true(sampling_samples(&plan, values, NULL));
}

/* Each of n equal parts of the interval has one value of each parameter. */
static void expect_stratified(const double *values, int n, int n_varied)
{
    for (int j = 0; j < n_varied; j++) {
        bool met[1024] = {false};
        for (int i = 0; i < n; i++) {
            int part = (int)(values[i * n_varied + j] * n);
            assert_true(part >= 0 && part < n && !met[part]);
            met[part] = true;
        }
    }
}

static void test_latin_hypercube(void **state)
{
    (void)state;
    enum { N = 100 };
    double values[3 * N];
    fill(units, 3, SAMPLING_LATIN, N, 5, values);
    expect_stratified(values, N, 3);
}

/* The first 2^m points, shifted or not, lie in different parts in each dimension; and of the first
 * two dimensions each of the 2^m boxes of any shape has one point ([BF88]: a (0, m, 2)-net).  */
static void test_sobol(void **state)
{
    (void)state;
    enum { M = 10, N = 1 << M };
    variation all[SOBOL_DIMENSIONS];
    for (int j = 0; j < SOBOL_DIMENSIONS; j++)
        all[j] = units[0];
    double *values = malloc((size_t)N * SOBOL_DIMENSIONS * sizeof *values);
    assert_non_null(values);
    fill(all, SOBOL_DIMENSIONS, SAMPLING_SOBOL, N, 3, values);
    expect_stratified(values, N, SOBOL_DIMENSIONS);
    for (int bits = 0; bits <= M; bits++) {
        bool met[N] = {false};
        for (int i = 0; i < N; i++) {
            const double *row = values + i * SOBOL_DIMENSIONS;
            int a = (int)ldexp(row[0], bits), b = (int)ldexp(row[1], M - bits);
            int box = a << (M - bits) | b;
            assert_false(met[box]);
            met[box] = true;
        }
    }
    free(values);
}

/* Runs do not depend on how many there are, and seeds differ. */
static void test_random(void **state)
{
    (void)state;
    enum { N = 1000 };
    double values[3 * N], fewer[30], other[30], mean = 0.0, square = 0.0;
    fill(units, 3, SAMPLING_RANDOM, N, 1, values);
    fill(units, 3, SAMPLING_RANDOM, 10, 1, fewer);
    fill(units, 3, SAMPLING_RANDOM, 10, 2, other);
    assert_memory_equal(values, fewer, sizeof fewer);
    for (int k = 0; k < 30; k++)
        assert_true(fewer[k] != other[k]);
    for (int k = 0; k < 3 * N; k++) {
        mean += values[k] / (3 * N);
        square += values[k] * values[k] / (3 * N);
    }
    assert_true(fabs(mean - 0.5) < 0.02 && fabs(square - 1.0 / 3.0) < 0.02);
}

/* ---- quantiles ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_quantiles(void **state)
{
    (void)state;
    static const double levels[] = {0.0, 0.05, 0.25, 0.5, 0.95, 1.0};
    double values[40], sorted[40], found[COUNT(levels)];
    for (int n = 1; n <= 40; n++) {
        fill(units, 1, SAMPLING_RANDOM, n, (uint64_t)n, values);
        for (int i = 0; i < n; i++) /* some of them equal */
            sorted[i] = values[i] = floor(10 * values[i]);
        qsort(sorted, (size_t)n, sizeof *sorted, ascending);
        quantiles_find(values, (size_t)n, levels, COUNT(levels), found);
        for (size_t q = 0; q < COUNT(levels); q++) {
            double place = levels[q] * (n - 1);
            int k = (int)floor(place);
            double next = k + 1 < n ? sorted[k + 1] : sorted[k];
            assert_true(fabs(found[q] - (sorted[k] + (place - k) * (next - sorted[k]))) < 1e-12);
        }
    }
}

static void test_quantiles_without_nan(void **state)
{
    (void)state;
    double values[] = {NAN, 3.0, NAN, 1.0, 2.0}, none[] = {NAN, NAN}, found;
    const double half = 0.5;
    quantiles_find(values, COUNT(values), &half, 1, &found);
    assert_true(found == 2.0);
    quantiles_find(none, COUNT(none), &half, 1, &found);
    assert_true(isnan(found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_of_ranges),
        cmocka_unit_test(test_normal_quantiles),
        cmocka_unit_test(test_bad_variations),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_latin_hypercube),
        cmocka_unit_test(test_sobol),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_quantiles_without_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
