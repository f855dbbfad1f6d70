/* tests/unit/test_min_norm.c - shortest solutions of a part of a sparse matrix. */
#include <math.h>

#include "linalg/least_squares.h"
#include "linalg/min_norm.h"

#include "harness.h"

/* 3 x 5, of which rows 0 and 2 and columns 0, 1, 3, 4 are used:
 *     . . row 0:  2  1  .  .  1          row 2:  .  3  .  1  .      (column 2: row 1 alone) */
static const int32_t START[] = {0, 1, 3, 4, 5, 6}, ROW[] = {0, 0, 2, 1, 2, 0};
static const double VALUES[] = {2, 1, 3, 7, 1, 1};
static const daedal_pattern WHOLE = {3, 5, START, ROW};
static const int32_t ROW_AT[] = {0, -1, 1}, COL_AT[] = {0, 1, -1, 2, 3};
static const min_norm_part PART = {&WHOLE, ROW_AT, COL_AT, 2, 4, 0.0};

/* A = [2 1 0 1; 0 3 1 0], b = (1, 2): u = A' (A A')^-1 b with A A' = [6 3; 3 10]. */
static void test_shortest(void **state)
{
    (void)state;
    min_norm s;
    const double ones[] = {1, 1, 1, 1};
    double b[] = {NAN, NAN, NAN, NAN, 1, 2};
    assert_true(min_norm_create(&s, &PART, NULL));
    assert_int_equal(min_norm_factor(&s, VALUES, ones, ones), DAEDAL_OK);
    min_norm_solve(&s, b);
    const double z[] = {(10.0 * 1 - 3.0 * 2) / 51, (-3.0 * 1 + 6.0 * 2) / 51};
    const double u[] = {2 * z[0], z[0] + 3 * z[1], z[1], z[0]};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(b[i] - u[i]) < 1e-14);
    min_norm_free(&s);
}

/* With scales r and w it is the shortest u of (R A W) u = b. */
static void test_scales(void **state)
{
    (void)state;
    min_norm s;
    const double r[] = {0.5, 4}, w[] = {1, 10, 1, 0};
    double b[] = {0, 0, 0, 0, 1, 2};
    assert_true(min_norm_create(&s, &PART, NULL));
    assert_int_equal(min_norm_factor(&s, VALUES, r, w), DAEDAL_OK);
    min_norm_solve(&s, b);
    assert_true(fabs(0.5 * (2 * b[0] + 10 * b[1]) - 1) < 1e-14);
    assert_true(fabs(4 * (30 * b[1] + b[2]) - 2) < 1e-14);
    assert_true(b[3] == 0.0); /* what may not move does not */
    min_norm_free(&s);
}

static void test_dependent(void **state)
{
    (void)state;
    min_norm s;
    const double ones[] = {1, 1, 1, 1}, zero_row[] = {1, 0};
    assert_true(min_norm_create(&s, &PART, NULL));
    assert_int_equal(min_norm_factor(&s, VALUES, zero_row, ones), DAEDAL_ERR_SINGULAR);
    assert_int_equal(min_norm_factor(&s, VALUES, ones, ones), DAEDAL_OK);
    min_norm_free(&s);
}

/* Two equal rows x + y = 2: the damping makes the shortest solution (1, 1) of them. */
static void test_damped(void **state)
{
    (void)state;
    static const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1}, same[] = {0, 1};
    static const daedal_pattern equal_rows = {2, 2, start, row};
    const min_norm_part part = {&equal_rows, same, same, 2, 2, 1e-12};
    const double ones[] = {1, 1, 1, 1};
    double b[] = {NAN, NAN, 2, 2};
    min_norm s;
    assert_true(min_norm_create(&s, &part, NULL));
    assert_int_equal(min_norm_factor(&s, ones, ones, ones), DAEDAL_OK);
    min_norm_solve(&s, b);
    assert_true(fabs(b[0] - 1.0) < 1e-3 && fabs(b[1] - 1.0) < 1e-3);
    assert_true(fabs(b[0] + b[1] - 2.0) < 1e-3);
    min_norm_free(&s);
}

/* Without conditions the solution is zero, and this is not an error. */
static void test_no_rows(void **state)
{
    (void)state;
    least_squares ls;
    double b[] = {5, 5}, a = 0;
    assert_true(least_squares_create(&ls, 0, 2, NULL));
    least_squares_solve(&ls, &a, b);
    assert_true(b[0] == 0.0 && b[1] == 0.0 && ls.rank == 0);
    least_squares_free(&ls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shortest),  cmocka_unit_test(test_scales),
        cmocka_unit_test(test_dependent), cmocka_unit_test(test_damped),
        cmocka_unit_test(test_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
