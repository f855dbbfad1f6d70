/* tests/unit/test_scaling.c - after scaling the largest entries of rows and columns are one, the
 * factors say what was done, and units do not matter. */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "linalg/curtis_reid.h"
#include "linalg/scaling.h"

enum { N = 3 };

/* By columns, with units that range over many orders of magnitude. */
static const double MATRIX[N * N] = {2e6, 3.0, 0.0, 1e-4, 5e-9, 4e-7, 0.0, 6e2, 1e5};

static double largest(const double *a, size_t step)
{
    double most = 0.0;
    for (size_t k = 0; k < N; k++)
        most = fmax(most, fabs(a[k * step]));
    return most;
}

static void expect_factors(const double *a, const double *row, const double *column)
{
    for (size_t j = 0; j < N; j++)
        for (size_t i = 0; i < N; i++)
            expect_near(a[j * N + i], MATRIX[j * N + i] * row[i] * column[j],
                        1e-12 * fabs(a[j * N + i]));
}

static void one_pass_gives_columns_of_size_one(void **state)
{
    (void)state;
    double a[N * N], row[N], column[N];
    memcpy(a, MATRIX, sizeof a);
    scaling_rows_then_columns(a, N, N, row, column);
    expect_factors(a, row, column);
    for (size_t j = 0; j < N; j++)
        expect_near(largest(a + j * N, 1), 1.0, 1e-15);
}

static void roots_give_rows_and_columns_of_size_one(void **state)
{
    (void)state;
    double a[N * N], work[N], row[N], values[N * N], column[N];
    pattern full;
    memcpy(a, MATRIX, sizeof a); /* as rows: the transposed matrix */
    memcpy(values, MATRIX, sizeof values);
    scaling_by_roots(a, N, N, 40, row, work);
    assert_true(pattern_full(&full, N, NULL));
    scaling_by_roots_sparse(&full.view, values, 40, row, column, work);
    expect_factors(values, row, column);
    for (size_t j = 0; j < N; j++) {
        expect_near(largest(a + j * N, 1), 1.0, 1e-6);
        expect_near(largest(a + j, N), 1.0, 1e-6);
        expect_near(largest(values + j * N, 1), 1.0, 1e-6);
        expect_near(largest(values + j, N), 1.0, 1e-6);
    }
    pattern_free(&full);
}

static void a_row_of_zeros_is_left_alone(void **state)
{
    (void)state;
    double a[4] = {2.0, 0.0, 4.0, 0.0}, row[2], column[2];
    scaling_rows_then_columns(a, 2, 2, row, column);
    assert_true(row[1] == 1.0 && a[1] == 0.0 && a[3] == 0.0 && a[2] == 1.0);
    assert_true(scaling_factor(0.0) == 1.0 && scaling_factor(4.0) == 0.25);
}

static void the_middle_is_one(void **state)
{
    (void)state;
    double a[4] = {1e-6, 1.0, 1.0, 1e6};
    scaling_to_middle(a, 2, 20);
    for (int k = 0; k < 4; k++)
        expect_near(a[k], 1.0, 1e-9);
}

/* A matrix that is a product of row and column factors becomes one of ones. */
static void curtis_and_reid_take_units_away(void **state)
{
    (void)state;
    double values[N * N], row[N], column[N];
    pattern full;
    for (int k = 0; k < N * N; k++)
        values[k] = pow(10.0, 3 * (k % N) - 5 * (k / N));
    assert_true(pattern_full(&full, N, NULL));
    assert_true(curtis_reid_scale(&full.view, values, row, column, NULL));
    for (int k = 0; k < N * N; k++)
        expect_near(values[k] * row[k % N] * column[k / N], 1.0, 0.05);
    pattern_free(&full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_gives_columns_of_size_one),
        cmocka_unit_test(roots_give_rows_and_columns_of_size_one),
        cmocka_unit_test(a_row_of_zeros_is_left_alone),
        cmocka_unit_test(the_middle_is_one),
        cmocka_unit_test(curtis_and_reid_take_units_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
