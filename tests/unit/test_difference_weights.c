/* tests/unit/test_difference_weights.c - derivatives from values at nodes are exact for
 * polynomials of a lower degree than there are nodes; null spaces by pivoted QR.   */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "index/derivative_array.h"
#include "linalg/difference_weights.h"
#include "linalg/qr.h"
#include "linalg/svd.h"

/* x^k has the m-th derivative k! at 0 if m = k, else 0: on any nodes, one-sided or not. */
static void is_exact_for_polynomials(void **state)
{
    (void)state;
    const double nodes[][7] = {
        {-3, -2, -1, 0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6}, {-1, 0.5, 2, 0.1, -0.7, 3, 1.2}};
    double weight[6][DIFFERENCE_NODES_MAX];
    for (size_t n = 0; n < COUNT(nodes); n++) {
        difference_weights(nodes[n], 7, 5, weight);
        for (int degree = 0; degree < 7; degree++)
            for (int m = 0; m <= 5; m++) {
                double sum = 0.0, wanted = m == degree ? tgamma(m + 1.0) : 0.0, size = 1.0;
                for (int k = 0; k < 7; k++) {
                    sum += weight[m][k] * pow(nodes[n][k], degree);
                    size = fmax(size, fabs(weight[m][k] * pow(nodes[n][k], degree)));
                }
                expect_near(sum, wanted, 1e-12 * size);
            }
    }
}

/* e^t y + e^(2 t) y' = 0 at t = 0: coefficient k of the equation by coefficient m of y, in units
 * of derivatives. */
static void entries_follow_leibniz(void **state)
{
    (void)state;
    const double b[] = {1, 1, 1 / 2.0, 1 / 6.0, 1 / 24.0, 1 / 120.0};
    const double a[] = {1, 2, 4 / 2.0, 8 / 6.0, 16 / 24.0, 32 / 120.0};
    const struct {
        int32_t k, m;
        double value;
    } rows[] = {{0, 0, 1}, {0, 1, 1},  {2, 0, 1},  {2, 1, 6},
                {2, 3, 1}, {3, 2, 15}, {5, 3, 90}, {2, 4, 0}};
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_near(tgamma(rows[i].k + 1.0) / tgamma(rows[i].m + 1.0) *
                        derivative_array_entry(a, b, 1, rows[i].k, rows[i].m),
                    rows[i].value, 1e-13);
}

static void nodes_lie_on_their_side(void **state)
{
    (void)state;
    double node[5];
    difference_nodes(0.5, 0.0, 5, node);
    assert_true(node[0] == -0.5 && node[2] == 0.0 && node[4] == 0.5);
    difference_nodes(0.5, -1.0, 5, node);
    assert_true(node[0] == 0.0 && node[2] == -0.5 && node[4] == -1.0);
}

static void doubtful_ranks_are_not_given(void **state)
{
    (void)state;
    const double clear[] = {2.0, 1.0, 1e-12}, doubtful[] = {2.0, 1.0, 1e-8}, small[] = {1e-9, 1e-9};
    assert_int_equal(svd_rank(clear, 3, 1e-8), 2);
    assert_int_equal(svd_clear_rank(clear, 3, 1e-8), 2);
    assert_int_equal(svd_clear_rank(doubtful, 3, 1e-8), -1);
    assert_int_equal(svd_clear_rank(small, 2, 1e-4), 0);
    assert_int_equal(svd_clear_rank(clear, 0, 1e-8), 0);
}

/* Of a 4 x 3 matrix of rank 2: Q' turns its columns into two rows, the rest is zero. */
static void finds_left_null_space(void **state)
{
    (void)state;
    double a[12] = {1, 2, 3, 4, 2, 1, 0, 1, 3, 3, 3, 5}, turned[12]; /* third = sum */
    qr f;
    memcpy(turned, a, sizeof a);
    assert_true(qr_create(&f, 4, 3, 3, NULL));
    assert_int_equal(qr_factor(&f, a, 1e-10), 2);
    qr_turn(&f, a, turned, 3);
    for (int column = 0; column < 3; column++)
        for (int row = 2; row < 4; row++)
            expect_near(turned[4 * column + row], 0.0, 1e-14);
    qr_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_exact_for_polynomials), cmocka_unit_test(entries_follow_leibniz),
        cmocka_unit_test(nodes_lie_on_their_side), cmocka_unit_test(doubtful_ranks_are_not_given),
        cmocka_unit_test(finds_left_null_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
