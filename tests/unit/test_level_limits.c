/* tests/unit/test_level_limits.c - the size from which values between steps are no longer corrected
 * by a dense array of derivatives (consistent/level_correction.c). */
#include "consistent/level_correction.h"
#include "harness.h"

enum { MOST = LEVEL_CORRECTION_LARGEST };

/* n equations, of which the first ones are differentiated `times` times: n + times * first rows. */
static bool is_affordable(int32_t n, int32_t first, int32_t times, int32_t freedom)
{
    static int32_t c[MOST + 1];
    for (int32_t i = 0; i < n; i++)
        c[i] = i < first ? times : 0;
    start_offsets o = {.c = c, .freedom = freedom};
    return level_correction_is_affordable(&o, n);
}

static void test_rows(void **state)
{
    (void)state;
    assert_true(is_affordable(MOST, 0, 0, -1));
    assert_false(is_affordable(MOST + 1, 0, 0, -1));
    assert_true(is_affordable(MOST / 2, MOST / 2, 1, -1));
    assert_false(is_affordable(MOST / 2 + 1, MOST / 2, 1, -1));
    assert_true(is_affordable(MOST / 4, MOST / 4, 3, -1));
    assert_false(is_affordable(MOST / 4, MOST / 4, 4, -1));
}

/* By stages, where the freedom is known, size does not matter; the number of derivatives does. */
static void test_stages(void **state)
{
    (void)state;
    assert_true(is_affordable(MOST + 1, MOST, LEVEL_MAX, 0));
    assert_false(is_affordable(2, 1, LEVEL_MAX + 1, 0));
    assert_false(is_affordable(2, 1, LEVEL_MAX + 1, -1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_stages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
