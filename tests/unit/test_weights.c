/* tests/unit/test_weights.c - error weights: the tolerance law, roundoff, and variables of higher
 * index. */
#include <float.h>
#include <math.h>

#include "integ/weights.h"

#include "harness.h"

enum { N = 4 };
static const double RTOL[N] = {1e-3, 1e-6, 0.0, 1e-3}, ATOL[N] = {1e-6, 0.0, 1e-4, 0.0};
static const double Y[N] = {2.0, -5.0, 3.0, 0.0};

static void test_law(void **state)
{
    (void)state;
    static const double rows[][2] = {{0.0, 0.025},  {1e-3, 0.025}, {1e-10, 0.025}, {2e-11, 0.1},
                                     {8e-12, 0.25}, {2e-12, 1.0},  {1e-12, 1.0},   {1e-15, 1.0}};
    for (size_t k = 0; k < COUNT(rows); k++)
        expect_near(weights_factor(rows[k][0]), rows[k][1], 1e-12);
}

static void test_weights(void **state)
{
    (void)state;
    for (int calibrated = 0; calibrated < 2; calibrated++) {
        double factor[N], noise[N], inverse[N];
        weights w = {.n = N,
                     .rtol = RTOL,
                     .atol = ATOL,
                     .factor = factor,
                     .noise = noise,
                     .calibrated = calibrated,
                     .allows_noise = true};
        weights_begin(&w, Y);
        assert_false(w.allows_noise);
        for (int i = 0; i < N; i++) {
            expect_near(factor[i], calibrated ? 0.025 : 1.0, 0.0);
            expect_near(noise[i], 500.0 * DBL_EPSILON, 1e-20);
        }
        weights_inverse(&w, Y, inverse);
        for (int i = 0; i < N - 1; i++) {
            double asked = RTOL[i] * fabs(Y[i]) + ATOL[i];
            expect_near(inverse[i] * asked * factor[i], 1.0, 1e-12);
        }
        assert_true(inverse[N - 1] > 1e270 && isfinite(inverse[N - 1])); /* both tolerances are 0 */
        weights_inverse_plain(&w, Y, inverse);
        for (int i = 0; i < N - 1; i++)
            expect_near(inverse[i] * (RTOL[i] * fabs(Y[i]) + ATOL[i]), 1.0, 1e-12);
    }
}

/* Noise counts up to half of what was asked for; where it is allowed, up to a thousand times that,
 * or a millionth of the largest value.                                                 */
static void test_noise(void **state)
{
    (void)state;
    static const struct {
        bool allowed;
        double noise, weight; /* of a variable of the tolerance 1e-6, beside one of size 10 */
    } rows[] = {{false, 0.0, 2.5e-8}, {false, 1e-7, 1e-7}, {false, 1e-3, 5e-7}, {true, 0.0, 2.5e-8},
                {true, 1e-7, 1e-7},   {true, 1e-4, 1e-4},  {true, 1.0, 1e-3}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        const double rtol[2] = {0.0, 0.0}, atol[2] = {1e-6, 1.0}, y[2] = {0.0, 10.0};
        double factor[2], noise[2], inverse[2];
        weights w = {.n = 2,
                     .rtol = rtol,
                     .atol = atol,
                     .factor = factor,
                     .noise = noise,
                     .calibrated = true,
                     .allows_noise = false};
        weights_begin(&w, y);
        w.allows_noise = rows[k].allowed;
        noise[0] = noise[1] = rows[k].noise;
        weights_inverse(&w, y, inverse);
        expect_near(inverse[0] * rows[k].weight, 1.0, 1e-9);
    }
}

/* Divided by h^(nu - 1). */
static void test_high_index(void **state)
{
    (void)state;
    static const int32_t index[N] = {0, 1, 2, 3};
    double factor[N], noise[N], inverse[N] = {8.0, 8.0, 8.0, 8.0};
    weights w = {.n = N,
                 .rtol = RTOL,
                 .atol = ATOL,
                 .factor = factor,
                 .noise = noise,
                 .calibrated = false,
                 .allows_noise = false};
    weights_begin(&w, Y);
    weights_spare_high_index(&w, index, 0.5, inverse);
    const double wanted[N] = {8.0, 8.0, 4.0, 2.0};
    for (int i = 0; i < N; i++)
        expect_near(inverse[i], wanted[i], 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_law), cmocka_unit_test(test_weights),
                                       cmocka_unit_test(test_noise),
                                       cmocka_unit_test(test_high_index)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
