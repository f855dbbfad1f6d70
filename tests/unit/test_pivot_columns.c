/* tests/unit/test_pivot_columns.c - independent columns of sparse matrices, chosen steadily. */
#include <math.h>
#include <string.h>

#include "linalg/pivot_columns.h"

#include "harness.h"
#include "seeded.h"

enum { ROWS = 12, COLS = 20, ENTRIES_MAX = ROWS * COLS };

typedef struct wide {
    int32_t start[COLS + 1], row[ENTRIES_MAX];
    double value[ENTRIES_MAX];
    daedal_pattern pattern;
} wide;

static void fill_randomly(wide *w, seeded *s)
{
    int32_t n = 0;
    for (int32_t j = 0; j < COLS; j++) {
        for (int32_t i = 0; i < ROWS; i++)
            if (i == j || seeded_uniform(s, 0.0, 1.0) < 0.2) {
                w->row[n] = i;
                w->value[n++] = seeded_uniform(s, -1.0, 1.0);
            }
        w->start[j + 1] = n;
    }
    w->pattern = (daedal_pattern){ROWS, COLS, w->start, w->row};
}

/* |det| of the chosen columns, each times its weight, by elimination with row pivots. */
static double volume(const wide *w, const int32_t *pivot, const double *weight)
{
    double a[ROWS][ROWS] = {{0}}, det = 1.0;
    for (int32_t k = 0; k < ROWS; k++)
        for (int32_t q = w->start[pivot[k]]; q < w->start[pivot[k] + 1]; q++)
            a[w->row[q]][k] = w->value[q] * weight[pivot[k]];
    for (int k = 0; k < ROWS; k++) {
        int best = k;
        for (int i = k + 1; i < ROWS; i++)
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        for (int j = 0; j < ROWS; j++) {
            double kept = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = kept;
        }
        det *= fabs(a[k][k]);
        for (int i = k + 1; i < ROWS && a[k][k] != 0.0; i++)
            for (int j = ROWS - 1; j >= k; j--)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    return det;
}

/* The columns are independent, and no exchange of a single one makes much more of them. */
static void test_regular(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        seeded s = seeded_begin(seed);
        wide w = {{0}, {0}, {0}, {0}};
        double weight[COLS];
        bool changed = false;
        fill_randomly(&w, &s);
        for (int j = 0; j < COLS; j++)
            weight[j] = seeded_ratio(&s, 1e-3, 1e3);
        pivot_columns p;
        pivot_wishes wishes = {weight, NULL, 2.0};
        assert_true(pivot_columns_create(&p, &w.pattern, NULL));
        assert_int_equal(pivot_columns_choose(&p, w.value, &wishes, &changed), DAEDAL_OK);
        double chosen = volume(&w, p.pivot, weight), better = 0.0;
        int32_t pivot[ROWS];
        for (int k = 0; k < ROWS; k++)
            for (int j = 0; j < COLS; j++) {
                memcpy(pivot, p.pivot, sizeof pivot);
                pivot[k] = j;
                better = fmax(better, p.owner[j] < 0 ? volume(&w, pivot, weight) : 0.0);
            }
        seeded_require(&s, changed && chosen > 0.0 && better < 50.0 * chosen,
                       "volume %g, by one exchange %g", chosen, better);
        pivot_columns_free(&p);
    }
}

/* Two columns for one row: the larger is taken, and kept until the other is twice as large. */
static void test_hysteresis(void **state)
{
    (void)state;
    const int32_t start[] = {0, 1, 2}, row[] = {0, 0};
    const daedal_pattern one = {1, 2, start, row};
    const double weight[] = {1.0, 1.0};
    const double values[][2] = {{1.0, 0.9}, {1.0, 1.9}, {1.0, 2.1}, {1.9, 1.0}, {2.1, 1.0}};
    const int32_t wanted[] = {0, 0, 1, 1, 0};
    pivot_wishes wishes = {weight, NULL, 2.0};
    pivot_columns p;
    assert_true(pivot_columns_create(&p, &one, NULL));
    for (int k = 0; k < 5; k++) {
        int32_t before = p.pivot[0];
        bool changed = false;
        assert_int_equal(pivot_columns_choose(&p, values[k], &wishes, &changed), DAEDAL_OK);
        assert_int_equal(p.pivot[0], wanted[k]);
        assert_int_equal(changed, p.pivot[0] != before);
    }
    pivot_columns_free(&p);
}

/* A lower class goes first where its entry is a tenth of the largest at least. */
static void test_classes(void **state)
{
    (void)state;
    const int32_t start[] = {0, 1, 2, 3}, row[] = {0, 0, 0}, class_of[] = {2, -1, 0};
    const daedal_pattern one = {1, 3, start, row};
    const double weight[] = {1.0, 1.0, 1.0}, fair[] = {1.0, 0.2, 0.5}, poor[] = {1.0, 0.01, 0.5};
    bool changed = false;
    pivot_wishes wishes = {weight, class_of, 2.0};
    pivot_columns p;
    assert_true(pivot_columns_create(&p, &one, NULL));
    assert_int_equal(pivot_columns_choose(&p, fair, &wishes, &changed), DAEDAL_OK);
    assert_int_equal(p.pivot[0], 1);
    assert_int_equal(pivot_columns_choose(&p, poor, &wishes, &changed), DAEDAL_OK);
    assert_int_equal(p.pivot[0], 2);
    pivot_columns_free(&p);
}

/* A row that is the sum of others is reported, and the previous choice is kept. */
static void test_dependent(void **state)
{
    (void)state;
    const int32_t start[] = {0, 2, 4, 7, 10};
    const int32_t row[] = {0, 2, 1, 2, 0, 1, 2, 0, 1, 2};
    const daedal_pattern three = {3, 4, start, row};
    const double weight[] = {1.0, 1.0, 1.0, 1.0};
    const double sum[] = {1, 1, 1, 1, 0.3, 0.4, 0.7, 0.1, -0.2, -0.1};
    double fine[10];
    bool changed = false;
    int32_t before[3];
    pivot_wishes wishes = {weight, NULL, 2.0};
    pivot_columns p;
    memcpy(fine, sum, sizeof fine);
    fine[6] = 0.9;
    assert_true(pivot_columns_create(&p, &three, NULL));
    assert_int_equal(pivot_columns_choose(&p, sum, &wishes, &changed), DAEDAL_ERR_SINGULAR);
    assert_int_equal(p.pivot[0], -1);
    assert_int_equal(pivot_columns_choose(&p, fine, &wishes, &changed), DAEDAL_OK);
    memcpy(before, p.pivot, sizeof before);
    assert_int_equal(pivot_columns_choose(&p, sum, &wishes, &changed), DAEDAL_ERR_SINGULAR);
    assert_memory_equal(p.pivot, before, sizeof before);
    pivot_columns_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regular),
        cmocka_unit_test(test_hysteresis),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_dependent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
