/* tests/unit/test_index_said.c - a pendulum of index 3 given as functions: the index is found, or
 * what variable_index says of it is believed; a method that cannot take it refuses at the start. */
#include <math.h>

#include "harness.h"

static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 1.0;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return 0;
}

static const struct {
    const char *method;
    bool takes_it;
} methods[] = {{"auto", true},   {"radau", true},  {"bdf", false},
               {"rodas", false}, {"limex", false}, {"bdf_classic", false}};

static daedal_solver *solver_by(const char *method, const int32_t *index)
{
    daedal_system sys = {.n = 5, .residual = pendulum};
    if (index)
        sys.variable_index = (daedal_ints){index, 5};
    daedal_options opt = defaults_with(1e-6, 1e-6);
    opt.max_steps = 2000;
    assert_int_equal(daedal_options_set(&opt, "method", method), DAEDAL_OK);
    return solver_of(&sys, &opt);
}

static const double y0[] = {1.0, 0.0, 0.0, 0.0, 0.0}, yp0[] = {0.0, 0.0, 0.0, -1.0, 0.0};

static void test_found_and_said(void **state)
{
    static const int32_t truth[] = {1, 1, 2, 2, 3};
    (void)state;
    for (size_t k = 0; k < 2 * COUNT(methods); k++) {
        size_t m = k / 2;
        daedal_solver *s = solver_by(methods[m].method, k % 2 ? truth : NULL);
        daedal_status status = daedal_solver_start(s, 0.0, y0, yp0);
        expect_status(s, status, methods[m].takes_it ? DAEDAL_OK : DAEDAL_ERR_INDEX);
        if (status == DAEDAL_OK) {
            expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
            expect_near(daedal_solver_state(s)->y[0], 0.87954813, 1e-5);
            expect_near(daedal_solver_state(s)->y[1], -0.47580993, 1e-5);
        } else {
            expect_text(daedal_solver_diagnosis(s)->message, "y[4]");
            expect_text(daedal_solver_diagnosis(s)->message, "3");
        }
        daedal_solver_free(s);
    }
}

/* A wrong index is believed at the start.  The run then fails, or its values are right: radau can
 * integrate the pendulum directly. */
static void test_wrong_word(void **state)
{
    static const int32_t low[] = {1, 1, 1, 1, 1};
    (void)state;
    for (size_t m = 0; m < COUNT(methods); m++) {
        daedal_solver *s = solver_by(methods[m].method, low);
        expect_status(s, daedal_solver_start(s, 0.0, y0, yp0), DAEDAL_OK);
        if (daedal_solver_advance(s, 1.0) >= 0) {
            assert_true(methods[m].takes_it);
            expect_near(daedal_solver_state(s)->y[0], 0.87954813, 1e-5);
            expect_near(daedal_solver_state(s)->y[1], -0.47580993, 1e-5);
            expect_near(daedal_solver_state(s)->y[4], 3.0 * 0.47580993, 1e-4);
        }
        daedal_solver_free(s);
    }
}

/* y0 = sin t, y_k' = y_k+1: the index is n.  A long chain is named by its two ends. */
static int chain(double t, const double *y, const double *yp, double *r, void *user)
{
    const int n = *(const int *)user;
    for (int k = 0; k + 1 < n; k++)
        r[k] = yp[k] - y[k + 1];
    r[n - 1] = y[0] - sin(t);
    return 0;
}

static void test_chain_in_words(void **state)
{
    static const struct {
        int n;
        const char *words;
    } rows[] = {
        {6, "y[0] -> y[1] -> y[2] -> y[3] -> y[4] -> y[5]"},
        {8, "y[0] -> y[1] -> y[2] -> y[3] -> y[4] -> y[5] -> y[6] -> y[7]"},
        {9, "y[0] -> y[1] -> y[2] -> y[3] -> ... -> y[5] -> y[6] -> y[7] -> y[8]"},
        {13, "y[0] -> y[1] -> y[2] -> y[3] -> ... -> y[9] -> y[10] -> y[11] -> y[12]"},
    };
    (void)state;
    for (size_t k = 0; k < COUNT(rows); k++) {
        int n = rows[k].n;
        daedal_system sys = {.n = n, .residual = chain, .user = &n};
        daedal_options opt = defaults_with(1e-6, 1e-6);
        assert_int_equal(daedal_options_set(&opt, "method", "bdf"), DAEDAL_OK);
        double y[16], yp[16];
        for (int i = 0; i < n; i++) {
            y[i] = i % 4 == 1 ? 1.0 : i % 4 == 3 ? -1.0 : 0.0;
            yp[i] = i % 4 == 0 ? 1.0 : i % 4 == 2 ? -1.0 : 0.0;
        }
        daedal_solver *s = solver_of(&sys, &opt);
        expect_status(s, daedal_solver_start(s, 0.0, y, yp), DAEDAL_ERR_INDEX);
        expect_text(daedal_solver_diagnosis(s)->message, rows[k].words);
        daedal_solver_free(s);
    }
}

/* z0' = z1, z1' = z2, z0 + z0^3 / 10 = sin t, with unknowns and equations mixed: every equation
 * contains all, and no variable is worse than another.                          */
static int mixed(double t, const double *y, const double *yp, double *r, void *user)
{
    static const double unknowns[3][3] = {{1.0, 2.0, 0.5}, {0.3, 1.0, -1.0}, {2.0, 0.7, 1.0}};
    static const double equations[3][3] = {{1.0, 0.5, 2.0}, {0.4, 1.0, 0.6}, {1.0, -1.0, 0.3}};
    double z[3] = {0.0}, zp[3] = {0.0};
    (void)user;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            z[i] += unknowns[i][j] * y[j];
            zp[i] += unknowns[i][j] * yp[j];
        }
    double f[] = {zp[0] - z[1], zp[1] - z[2], z[0] + 0.1 * z[0] * z[0] * z[0] - sin(t)};
    for (int i = 0; i < 3; i++)
        r[i] = equations[i][0] * f[0] + equations[i][1] * f[1] + equations[i][2] * f[2];
    return 0;
}

static void test_no_variable_singled_out(void **state)
{
    (void)state;
    const double from[] = {0.1, 0.2, 0.3};
    daedal_system sys = {.n = 3, .residual = mixed};
    daedal_options opt = defaults_with(1e-6, 1e-6);
    assert_int_equal(daedal_options_set(&opt, "method", "bdf"), DAEDAL_OK);
    daedal_solver *s = solver_of(&sys, &opt);
    expect_status(s, daedal_solver_start(s, 0.0, from, NULL), DAEDAL_ERR_INDEX);
    expect_text(daedal_solver_diagnosis(s)->message, "highest for y[0], y[1], y[2]");
    assert_int_equal(daedal_solver_diagnosis(s)->variable, -1);
    assert_int_equal(daedal_solver_diagnosis(s)->equation, -1);
    daedal_solver_free(s);
}

/* y0' = y1, a y1 + y0 = sin t: of index 2 for a = 0, of index 1 for a = 1. */
static int switched(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *a = user;
    r[0] = yp[0] - y[1];
    r[1] = *a * y[1] + y[0] - sin(t);
    return 0;
}

static daedal_solver *switched_solver(double *a)
{
    static const int32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    static const daedal_pattern all = {2, 2, start, row};
    daedal_system sys = {.n = 2, .residual = switched, .pattern = &all, .user = a};
    daedal_options opt = defaults_with(1e-6, 1e-6);
    assert_int_equal(daedal_options_set(&opt, "method", "radau"), DAEDAL_OK);
    return solver_of(&sys, &opt);
}

/* A second start, with other parameters, knows nothing of the index of the first one. */
static void test_index_of_another_start(void **state)
{
    (void)state;
    const double from[] = {0.0, 1.0}, second[] = {1.0, -1.0};
    double a = 0.0, b = 1.0;
    daedal_solver *s = switched_solver(&a), *fresh = switched_solver(&b);
    expect_status(s, daedal_solver_start(s, 0.0, from, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[1], cos(1.0), 1e-5);
    a = 1.0;
    int64_t before = daedal_solver_stats(s)->steps;
    expect_status(s, daedal_solver_start(s, 0.0, second, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 10.0), DAEDAL_OK);
    expect_status(fresh, daedal_solver_start(fresh, 0.0, second, NULL), DAEDAL_OK);
    expect_status(fresh, daedal_solver_advance(fresh, 10.0), DAEDAL_OK);
    const daedal_state *one = daedal_solver_state(s), *other = daedal_solver_state(fresh);
    assert_memory_equal(one->y, other->y, 2 * sizeof(double));
    assert_int_equal(daedal_solver_stats(s)->steps - before, daedal_solver_stats(fresh)->steps);
    daedal_solver_free(s);
    daedal_solver_free(fresh);
}

/* At a restart, which costs less than the start, hidden constraints move what contradicts them. */
static void test_restart_of_index_two(void **state)
{
    (void)state;
    const double from[] = {0.0, 1.0};
    double a = 0.0;
    daedal_solver *s = switched_solver(&a);
    expect_status(s, daedal_solver_start(s, 0.0, from, NULL), DAEDAL_OK);
    int64_t start = daedal_solver_stats(s)->residuals;
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    int64_t before = daedal_solver_stats(s)->residuals;
    const double y[] = {sin(1.0), cos(1.0) + 0.3};
    expect_status(s, daedal_solver_restart(s, y, NULL), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[1], cos(1.0), 1e-6);
    assert_true(daedal_solver_stats(s)->residuals - before <= start);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found_and_said),
        cmocka_unit_test(test_wrong_word),
        cmocka_unit_test(test_chain_in_words),
        cmocka_unit_test(test_no_variable_singled_out),
        cmocka_unit_test(test_index_of_another_start),
        cmocka_unit_test(test_restart_of_index_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
