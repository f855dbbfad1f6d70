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

/* A lie is believed at the start, and does not end in a success. */
static void test_wrong_word(void **state)
{
    static const int32_t low[] = {1, 1, 1, 1, 1};
    (void)state;
    for (size_t m = 0; m < COUNT(methods); m++) {
        daedal_solver *s = solver_by(methods[m].method, low);
        expect_status(s, daedal_solver_start(s, 0.0, y0, yp0), DAEDAL_OK);
        assert_true(daedal_solver_advance(s, 1.0) < 0);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found_and_said),
        cmocka_unit_test(test_wrong_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
