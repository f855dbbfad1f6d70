/* tests/unit/test_limiters.c - which variables and equations limit the step size: counters of the
 * methods, their sums, ranks and names.                                          */
#include <math.h>

#include "base/choices.h"
#include "integ/limiters.h"

#include "driving.h"
#include "harness.h"

enum { N = 7 };
static const char *const METHODS[] = {"method=bdf",   "method=bdf_classic", "method=radau",
                                      "method=rodas", "method=limex",       "method=dopri",
                                      "method=auto"};

/* y_i' = -y_i / 10 but for one, which is sin 30 t: its error is the largest by far. */
static int one_is_fast(double t, const double *y, const double *yp, double *r, void *user)
{
    int32_t fast = *(const int32_t *)user;
    for (int32_t i = 0; i < N; i++)
        r[i] = yp[i] + 0.1 * y[i];
    r[fast] = yp[fast] - 30.0 * cos(30.0 * t);
    return DAEDAL_CALL_OK;
}

static int64_t sum_of(const daedal_limiter *list, int32_t n, int64_t *rejected)
{
    int64_t steps = 0;
    *rejected = 0;
    for (int32_t k = 0; k < n; k++) {
        steps += list[k].steps;
        *rejected += list[k].rejected_error;
    }
    return steps;
}

static void check_sums(const daedal_solver *s)
{
    daedal_limiter list[N];
    int64_t rejected = 0;
    int32_t n = daedal_solver_limiting_variables(s, list, N);
    const daedal_stats *stats = daedal_solver_stats(s);
    assert_int_equal(sum_of(list, n, &rejected), stats->steps);
    assert_true(rejected <= stats->rejected_error);
    for (int32_t k = 1; k < n; k++)
        assert_true(list[k - 1].steps + list[k - 1].rejected_error + list[k - 1].rejected_newton >=
                    list[k].steps + list[k].rejected_error + list[k].rejected_newton);
}

/* The variable comes first with every method, wherever it stands, also after a restart. */
static void test_variable(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(METHODS); m++)
        for (int32_t fast = 0; fast < N; fast += 3) {
            double y0[N];
            for (int32_t i = 0; i < N; i++)
                y0[i] = 1.0;
            y0[fast] = 0.0;
            daedal_system sys = {.n = N, .residual = one_is_fast, .user = &fast};
            daedal_solver *s = start_solver(&sys, METHODS[m], 0.0, y0, NULL);
            expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_OK);
            expect_status(s, daedal_solver_restart(s, NULL, NULL), DAEDAL_OK);
            expect_status(s, daedal_solver_advance(s, 4.0), DAEDAL_OK);
            daedal_limiter first;
            assert_int_equal(daedal_solver_limiting_variables(s, &first, 1), 1);
            assert_int_equal(first.number, fast);
            assert_null(first.name);
            assert_true(first.steps > daedal_solver_stats(s)->steps / 2);
            check_sums(s);
            daedal_solver_free(s);
        }
}

/* The steps that are taken aside for output points are no steps of the run. */
static void test_output_points(void **state)
{
    (void)state;
    int32_t fast = 2;
    double y0[N] = {1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0};
    for (size_t m = 0; m < COUNT(METHODS); m++) {
        daedal_system sys = {.n = N, .residual = one_is_fast, .user = &fast};
        daedal_solver *s = start_solver(&sys, METHODS[m], 0.0, y0, NULL);
        for (int k = 1; k <= 500; k++)
            expect_status(s, daedal_solver_advance(s, 0.001 * k), DAEDAL_OK);
        check_sums(s);
        daedal_solver_free(s);
    }
}

/* y1 is a steep front of time, through an equation of which Newton's iteration finds the solution
 * from nearby only.                                                              */
static int hard_equation(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0];
    r[1] = yp[2] + y[2] - y[0];
    r[2] = atan(1e2 * (y[1] - tanh(1e3 * (t - 0.5))));
    return DAEDAL_CALL_OK;
}

static void test_equation(void **state)
{
    (void)state;
    static const char *const variables[] = {"a", "b", "c"}, *const equations[] = {"A", "B", "C"};
    static const char *const methods[] = {"method=bdf", "method=radau"};
    const double y0[] = {1.0, -1.0, 1.0};
    for (size_t m = 0; m < COUNT(methods); m++) {
        daedal_system sys = {.n = 3,
                             .residual = hard_equation,
                             .variable_names = variables,
                             .equation_names = equations};
        daedal_solver *s = start_solver(&sys, methods[m], 0.0, y0, NULL);
        expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
        daedal_limiter of[3], in[3];
        int32_t n = daedal_solver_limiting_variables(s, of, 3);
        assert_true(daedal_solver_stats(s)->rejected_newton > 0);
        assert_true(daedal_solver_limiting_equations(s, in, 3) >= 1);
        assert_string_equal(in[0].name, "C");
        assert_int_equal(in[0].number, 2);
        assert_true(in[0].rejected_newton > 0 &&
                    in[0].rejected_newton <= daedal_solver_stats(s)->rejected_newton);
        int64_t of_b = 0, of_others = 0;
        for (int32_t k = 0; k < n; k++)
            *(of[k].number == 1 ? &of_b : &of_others) += of[k].rejected_newton;
        assert_true(of_b > of_others);
        daedal_solver_free(s);
    }
}

static void test_copy(void **state)
{
    (void)state;
    int32_t fast = 0;
    double y0[N] = {0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    daedal_system sys = {.n = N, .residual = one_is_fast, .user = &fast};
    daedal_solver *s = start_solver(&sys, "", 0.0, y0, NULL), *copy = NULL;
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    expect_status(s, daedal_solver_clone(&copy, s), DAEDAL_OK);
    expect_status(copy, daedal_solver_advance(copy, 2.0), DAEDAL_OK);
    check_sums(s);
    check_sums(copy);
    daedal_solver_free(s);
    daedal_solver_free(copy);
}

/* Ranks by count, then by number; only what has a count; no more than asked for. */
static void test_ranks(void **state)
{
    (void)state;
    int64_t steps[] = {3, 0, 5, 3, 9, 0, 1, 5}, none[8] = {0};
    const int32_t ranks[] = {4, 2, 7, 0, 3, 6};
    limiters l = {8, steps, none, none, none};
    for (int32_t most = 0; most <= 8; most++) {
        daedal_limiter list[8];
        int32_t n = limiters_rank_variables(&l, list, most);
        assert_int_equal(n, most < 6 ? most : 6);
        for (int32_t k = 0; k < n; k++)
            assert_int_equal(list[k].number, ranks[k]);
        assert_int_equal(limiters_rank_equations(&l, list, most), 0);
    }
}

static void test_arguments(void **state)
{
    (void)state;
    daedal_limiter one;
    daedal_system sys = {.n = 3, .residual = hard_equation};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_solver *s = solver_of(&sys, &opt);
    assert_int_equal(daedal_solver_limiting_variables(NULL, &one, 1), 0);
    assert_int_equal(daedal_solver_limiting_equations(NULL, &one, 1), 0);
    assert_int_equal(daedal_solver_limiting_variables(s, NULL, 1), 0);
    assert_int_equal(daedal_solver_limiting_equations(s, &one, -1), 0);
    assert_int_equal(daedal_solver_limiting_variables(s, &one, 1), 0); /* no step yet */
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variable), cmocka_unit_test(test_output_points),
        cmocka_unit_test(test_equation), cmocka_unit_test(test_copy),
        cmocka_unit_test(test_ranks),    cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
