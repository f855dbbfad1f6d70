/* tests/unit/test_prioritised_least_squares.c - two tiers of unknowns: the first move only by what
 * the others cannot do, whatever the units of both. */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "linalg/prioritised_least_squares.h"

typedef struct row {
    const char *name;
    int32_t rows, n_first, n_others;
    double a[12]; /* by columns, the right side last */
    double x[4];
} row;

static const row ROWS[] = {
    {"the other does it all", 1, 1, 1, {1.0, 1e-9, 5.0}, {0.0, 5e9}},
    {"what is left is shared", 1, 2, 0, {1.0, 1.0, 4.0}, {2.0, 2.0}},
    {"no first", 1, 0, 2, {3.0, 4.0, 25.0}, {3.0, 4.0}},
    {"one equation for each", 2, 1, 1, {2.0, 7.0, 0.0, 1e6, 4.0, 7.0}, {2.0, -7e-6}},
    {"others that depend on one another",
     2,
     1,
     2,
     {1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 4.0, 1.0},
     {1.0, 1.5, 1.5}},
    {"an other without effect", 1, 1, 1, {2.0, 0.0, 6.0}, {3.0, 0.0}},
};

static void tiers_are_kept(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(ROWS); k++) {
        const row *w = &ROWS[k];
        prioritised p = {w->rows, w->n_first, w->n_others, 1, w->a, 1e-6};
        double x[4];
        assert_int_equal(prioritised_solve(&p, x, NULL), DAEDAL_OK);
        for (int32_t j = 0; j < w->n_first + w->n_others; j++)
            if (fabs(x[j] - w->x[j]) > 1e-9 * (1.0 + fabs(w->x[j])))
                fail_msg("%s: x[%d] = %.12g, not %.12g", w->name, (int)j, x[j], w->x[j]);
    }
}

/* Several right sides at once give what each gives by itself. */
static void right_sides_are_independent(void **state)
{
    (void)state;
    const double both[] = {1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 4.0, 1.0, -2.0, 3.0};
    double single[8], x[6], alone[3];
    prioritised p = {2, 1, 2, 2, both, 1e-6};
    assert_int_equal(prioritised_solve(&p, x, NULL), DAEDAL_OK);
    for (int32_t k = 0; k < 2; k++) {
        memcpy(single, both, 6 * sizeof(double));
        memcpy(single + 6, both + 6 + 2 * k, 2 * sizeof(double));
        prioritised one = {2, 1, 2, 1, single, 1e-6};
        assert_int_equal(prioritised_solve(&one, alone, NULL), DAEDAL_OK);
        for (int32_t j = 0; j < 3; j++)
            expect_near(x[3 * k + j], alone[j], 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiers_are_kept),
                                       cmocka_unit_test(right_sides_are_independent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
