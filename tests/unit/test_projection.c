/* tests/unit/test_projection.c - constraints met level by level with the least weighted change:
 * which variables move, by how much, and what becomes of answers.                          */
#include <math.h>
#include <string.h>

#include "integ/projection.h"

#include "harness.h"

/* Level 0: a = y1 + y3 - 3; level 1: b = y2 y1 + y4 - 10, which may move y2 and y4 only. */
enum { N = 6 };

typedef struct scene {
    int answer, answer_of_slopes;
    long calls;
} scene;

static int constraints(double t, const double *y, double *g, void *user)
{
    scene *s = user;
    (void)t;
    s->calls++;
    g[0] = y[1] + y[3] - 3.0;
    g[1] = y[2] * y[1] + y[4] - 10.0;
    return s->answer;
}

static int slopes(double t, const double *y, double *values, void *user)
{
    const double all[] = {1.0, y[2], y[1], 1.0, 1.0};
    (void)t;
    memcpy(values, all, sizeof all);
    return ((scene *)user)->answer_of_slopes;
}

/* Columns 0 and 5 are empty. */
static const int32_t START[] = {0, 0, 2, 3, 4, 5, 5}, ROW[] = {0, 1, 1, 0, 1};
static const daedal_pattern PATTERN = {2, N, START, ROW};
static const int32_t LEVEL[] = {0, 1}, OF_VARIABLE[] = {0, 0, 1, 0, 1, 1};

static daedal_system system_of(scene *s, bool levels)
{
    daedal_system sys = {.n = N,
                         .n_constraints = 2,
                         .constraints = constraints,
                         .constraint_jacobian = slopes,
                         .constraint_pattern = &PATTERN,
                         .user = s};
    if (levels) {
        sys.constraint_level = (daedal_ints){LEVEL, 2};
        sys.variable_level = (daedal_ints){OF_VARIABLE, N};
    }
    return sys;
}

static void test_levels(void **state)
{
    (void)state;
    scene s = {0};
    daedal_system sys = system_of(&s, true);
    daedal_stats stats = {0};
    evaluator ev;
    projection p;
    assert_true(evaluator_create(&ev, &sys, &stats, NULL) && projection_create(&p, &ev, NULL));
    assert_int_equal(p.n_levels, 2);
    static const int32_t rows[2] = {0, 1}, cols[2][2] = {{1, 3}, {2, 4}};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(p.level[k].n_rows, 1);
        assert_int_equal(p.level[k].n_cols, 2);
        assert_int_equal(p.level[k].row[0], rows[k]);
        assert_memory_equal(p.level[k].col, cols[k], sizeof cols[k]);
    }
    /* y3 weighs twice as much as y1: it moves four times less, in squares of the units */
    double y[N] = {7.0, 1.0, 2.0, 1.0, 3.0, 8.0}, moved = NAN;
    const double inverse_weight[N] = {1.0, 1.0, 1.0, 2.0, 1.0, 1.0};
    assert_int_equal(projection_apply(&p, 0.0, y, inverse_weight, &moved), PROJECTION_DONE);
    expect_near(y[0], 7.0, 0.0);
    expect_near(y[5], 8.0, 0.0);
    expect_near(y[1], 1.8, 1e-9);
    expect_near(y[3], 1.2, 1e-9);
    double rest = (10.0 - 2.0 * 1.8 - 3.0) / (1.0 + 1.8 * 1.8);
    expect_near(y[2], 2.0 + 1.8 * rest, 1e-9);
    expect_near(y[4], 3.0 + rest, 1e-9);
    double sum = 0.8 * 0.8 + 0.4 * 0.4 + 1.8 * rest * 1.8 * rest + rest * rest;
    expect_near(moved, sqrt(sum / N), 1e-6);
    projection_free(&p);
    evaluator_free(&ev);
}

/* Without levels all columns with entries may move, and both constraints hold. */
static void test_one_level(void **state)
{
    (void)state;
    scene s = {0};
    daedal_system sys = system_of(&s, false);
    daedal_stats stats = {0};
    evaluator ev;
    projection p;
    assert_true(evaluator_create(&ev, &sys, &stats, NULL) && projection_create(&p, &ev, NULL));
    assert_int_equal(p.n_levels, 1);
    assert_int_equal(p.level[0].n_rows, 2);
    assert_int_equal(p.level[0].n_cols, 4);
    double y[N] = {7.0, 1.4, 4.0, 1.5, 4.5, 8.0}, before[N], moved = NAN, g[2];
    const double w = 1e6, inverse_weight[N] = {w, w, w, w, w, w};
    memcpy(before, y, sizeof y);
    assert_int_equal(projection_apply(&p, 0.0, y, inverse_weight, &moved), PROJECTION_DONE);
    constraints(0.0, y, g, &s);
    expect_near(g[0], 0.0, 1e-8);
    expect_near(g[1], 0.0, 1e-8);
    expect_near(y[0], 7.0, 0.0);
    expect_near(y[5], 8.0, 0.0);
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += (y[i] - before[i]) * (y[i] - before[i]);
    expect_near(moved, w * sqrt(sum / N), 1e-3 * moved);
    memcpy(before, y, sizeof y);
    assert_int_equal(projection_apply(&p, 0.0, y, inverse_weight, &moved), PROJECTION_DONE);
    for (int i = 0; i < N; i++) /* nothing is left to do */
        expect_near(y[i], before[i], 1e-8);
    expect_near(moved, 0.0, 1e-2);
    projection_free(&p);
    evaluator_free(&ev);
}

/* Values stay as they are where a function does not answer OK. */
static void test_answers(void **state)
{
    (void)state;
    static const struct {
        int answer, of_slopes;
        projection_outcome outcome;
    } rows[] = {{DAEDAL_CALL_STOP, 0, PROJECTION_STOP}, {0, DAEDAL_CALL_STOP, PROJECTION_STOP},
                {DAEDAL_CALL_FAIL, 0, PROJECTION_FAIL}, {0, DAEDAL_CALL_FAIL, PROJECTION_FAIL},
                {DAEDAL_CALL_RETRY, 0, PROJECTION_FAR}, {0, DAEDAL_CALL_RETRY, PROJECTION_FAR}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        scene s = {rows[k].answer, rows[k].of_slopes, 0};
        daedal_system sys = system_of(&s, true);
        daedal_stats stats = {0};
        evaluator ev;
        projection p;
        assert_true(evaluator_create(&ev, &sys, &stats, NULL) && projection_create(&p, &ev, NULL));
        double y[N] = {7.0, 1.0, 2.0, 1.0, 3.0, 8.0}, before[N], moved;
        const double inverse_weight[N] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
        memcpy(before, y, sizeof y);
        assert_int_equal(projection_apply(&p, 0.0, y, inverse_weight, &moved), rows[k].outcome);
        assert_memory_equal(y, before, sizeof y);
        projection_free(&p);
        evaluator_free(&ev);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels),
                                       cmocka_unit_test(test_one_level),
                                       cmocka_unit_test(test_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
