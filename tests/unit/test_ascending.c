/* tests/unit/test_ascending.c - places in ascending numbers, beside a count of all of them. */
#include "base/ascending.h"

#include <math.h>

#include "harness.h"

enum { MOST = 9 };

static size_t counted(const double *x, size_t n, double t, bool with_equal)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += with_equal ? x[i] <= t : x[i] < t;
    return count;
}

/* All lists of 0 to 9 numbers made of steps of 0 and 1, seen from all places on and between them.
 */
static void test_places(void **state)
{
    (void)state;
    for (size_t n = 0; n <= MOST; n++)
        for (unsigned steps = 0; steps < 1u << MOST; steps++) {
            double x[MOST + 1] = {0.0};
            for (size_t i = 1; i <= MOST; i++)
                x[i] = x[i - 1] + (steps >> (i - 1) & 1u);
            for (double t = -0.5; t <= MOST + 0.5; t += 0.5) {
                assert_int_equal(ascending_below(x, n, t), counted(x, n, t, false));
                assert_int_equal(ascending_up_to(x, n, t), counted(x, n, t, true));
            }
        }
}

/* The interval contains the number; beyond the ends it is the first or the last one. */
static void test_intervals(void **state)
{
    (void)state;
    const double x[] = {-3.0, -1.0, -0.5, 2.0, 2.5, 7.0};
    for (size_t n = 1; n < COUNT(x); n++)
        for (double t = -4.0; t < 8.0; t += 0.25) {
            size_t i = ascending_interval(x, n, t);
            assert_true(i < n);
            assert_true(i == 0 || x[i] <= t);
            assert_true(i + 1 == n || t < x[i + 1]);
        }
    assert_int_equal(ascending_interval(x, 5, -INFINITY), 0);
    assert_int_equal(ascending_interval(x, 5, INFINITY), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_intervals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
