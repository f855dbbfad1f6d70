/* tests/unit/test_independent_rows.c - rows that depend on rows before them are refused. */
#include <math.h>
#include <string.h>

#include "linalg/independent_rows.h"

#include "harness.h"
#include "seeded.h"

enum { COLS = 9, RANK = 6, ROWS = 14 };

/* Random rows of rank RANK: the first RANK of them are taken and no other; then one that leaves
 * their space is taken. */
static void test_rank(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        seeded s = seeded_begin(seed);
        double base[RANK][COLS];
        independent_rows r;
        assert_true(independent_rows_create(&r, COLS, NULL));
        for (int i = 0; i < RANK; i++)
            for (int j = 0; j < COLS; j++)
                base[i][j] = seeded_uniform(&s, -1.0, 1.0);
        for (int i = 0; i < ROWS; i++) {
            double scale = pow(10.0, seeded_uniform(&s, -6.0, 6.0));
            memset(r.x, 0, sizeof base[0]);
            for (int k = 0; k < RANK; k++) {
                double share = i < RANK ? i == k : seeded_uniform(&s, -1.0, 1.0);
                for (int j = 0; j < COLS; j++)
                    r.x[j] += scale * share * base[k][j];
            }
            assert_int_equal(independent_rows_take(&r), i < RANK);
        }
        for (int j = 0; j < COLS; j++)
            r.x[j] = seeded_uniform(&s, -1.0, 1.0);
        assert_true(independent_rows_take(&r));
        assert_int_equal(r.n, RANK + 1);
        independent_rows_free(&r);
    }
}

static void test_useless_rows(void **state)
{
    (void)state;
    independent_rows r;
    assert_true(independent_rows_create(&r, 2, NULL));
    r.x[0] = r.x[1] = 0.0;
    assert_false(independent_rows_take(&r));
    r.x[0] = NAN;
    r.x[1] = 1.0;
    assert_false(independent_rows_take(&r));
    r.x[0] = 1.0;
    assert_true(independent_rows_take(&r));
    independent_rows_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rank),
                                       cmocka_unit_test(test_useless_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
