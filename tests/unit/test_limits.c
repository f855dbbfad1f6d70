/* tests/unit/test_limits.c - stop time, breakpoints, and the limits on steps. */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "samples.h"

/* y' = -y + g(t) with an algebraic partner y1 = 2 y0; remembers where it was called. */
typedef struct place {
    double t_min, t_max;
    double jump; /* g jumps from 0 to 1 after this time */
} place;

static int forced(double t, const double *y, const double *yp, double *r, void *user)
{
    place *p = user;
    p->t_min = fmin(p->t_min, t);
    p->t_max = fmax(p->t_max, t);
    r[0] = yp[0] + y[0] - (t > p->jump ? 1.0 : 0.0);
    r[1] = y[1] - 2.0 * y[0];
    return 0;
}

static const double y0[] = {1.0, 2.0};

static daedal_system forced_system(place *p)
{
    *p = (place){INFINITY, -INFINITY, INFINITY};
    return (daedal_system){.n = 2, .residual = forced, .user = p};
}

/* ---- stop time ---- */

/* F is never called beyond the stop time, whether that is set before or after the start. */
static void stop_at(double t_stop, bool before_start, double direction)
{
    place p;
    daedal_system sys = forced_system(&p);
    daedal_solver *s = solver_of(&sys, NULL);
    if (before_start)
        expect_status(s, daedal_solver_set_stop_time(s, t_stop), DAEDAL_OK);
    expect_status(s, daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
    if (!before_start) {
        p.t_min = p.t_max = 0.0; /* calls before the stop time was set do not count */
        expect_status(s, daedal_solver_set_stop_time(s, t_stop), DAEDAL_OK);
    }
    expect_status(s, daedal_solver_advance(s, 3.0 * t_stop), DAEDAL_AT_STOP_TIME);
    expect_near(daedal_solver_state(s)->t, t_stop, 0.0);
    expect_near(daedal_solver_state(s)->y[0], exp(-t_stop), 1e-5 * exp(-t_stop));
    if (direction > 0.0 ? p.t_max > t_stop : p.t_min < t_stop)
        fail_msg("F was called at %g .. %g, the stop time is %g", p.t_min, p.t_max, t_stop);
    expect_status(s, daedal_solver_advance(s, 3.0 * t_stop), DAEDAL_AT_STOP_TIME);
    expect_status(s, daedal_solver_set_stop_time(s, NAN), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 2.0 * t_stop), DAEDAL_OK);
    daedal_solver_free(s);
}

static void test_stop_time(void **state)
{
    (void)state;
    stop_at(1.0, false, 1.0);
    stop_at(0.01, false, 1.0);
    stop_at(-1.0, false, -1.0);
}

static void test_stop_time_set_first(void **state)
{
    (void)state;
    stop_at(1.0, true, 1.0);
    stop_at(-1.0, true, -1.0);
}

/* So near that even looking around at the start would pass it. */
static void test_stop_time_near(void **state)
{
    (void)state;
    stop_at(1e-6, false, 1.0);
    stop_at(1e-6, true, 1.0);
}

/* Already there, or behind: nothing to integrate, no step backward. */
static void test_stop_time_here(void **state)
{
    (void)state;
    place p;
    daedal_system sys = forced_system(&p);
    daedal_solver *s = started(&sys, NULL, 1.0, y0, NULL);
    expect_status(s, daedal_solver_set_stop_time(s, 1.0), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_AT_STOP_TIME);
    expect_near(daedal_solver_state(s)->t, 1.0, 0.0);
    daedal_solver_free(s);
}

static void test_stop_time_behind(void **state)
{
    (void)state;
    place p;
    daedal_system sys = forced_system(&p);
    daedal_solver *s = started(&sys, NULL, 1.0, y0, NULL);
    daedal_status status = daedal_solver_set_stop_time(s, 0.5);
    if (status == DAEDAL_OK) /* the direction is not known yet */
        status = daedal_solver_advance(s, 2.0);
    expect_status(s, status, DAEDAL_ERR_ARGUMENT);
    expect_text(daedal_solver_diagnosis(s)->message, "stop time");
    expect_near(daedal_solver_state(s)->t, 1.0, 0.0);
    daedal_solver_free(s);
}

/* With a stop time an infinite output time is allowed. */
static void test_to_infinity(void **state)
{
    (void)state;
    place p;
    daedal_system sys = forced_system(&p);
    daedal_solver *s = started(&sys, NULL, 0.0, y0, NULL);
    expect_status(s, daedal_solver_set_stop_time(s, 1.0), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, INFINITY), DAEDAL_AT_STOP_TIME);
    expect_near(daedal_solver_state(s)->t, 1.0, 0.0);
    daedal_solver_free(s);
}

/* ---- breakpoints ---- */

static double jump_solution(double t, double jump)
{
    double from = exp(-fmin(t, jump));
    return t <= jump ? from : 1.0 + (from - 1.0) * exp(-(t - jump));
}

/* Hit exactly, given in any order; the discontinuity costs no accuracy. */
static void test_breakpoints(void **state)
{
    (void)state;
    static const double times[] = {1.5, 0.3, 1.0, 7.0, -1.0};
    place p;
    daedal_system sys = forced_system(&p);
    p.jump = 1.0;
    daedal_options opt = defaults_with(1e-8, 1e-10);
    opt.breakpoints = (daedal_doubles){times, 5};
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    bool hit[3] = {false, false, false};
    while (daedal_solver_state(s)->t < 3.0) {
        expect_status(s, daedal_solver_step(s, 3.0), DAEDAL_OK);
        for (int k = 0; k < 3; k++)
            hit[k] = hit[k] || daedal_solver_state(s)->t == times[k];
    }
    assert_true(hit[0] && hit[1] && hit[2]);
    expect_near(daedal_solver_state(s)->y[0], jump_solution(3.0, 1.0), 1e-7);
    expect_near(daedal_solver_state(s)->y[1], 2.0 * jump_solution(3.0, 1.0), 2e-7);
    daedal_solver_free(s);
}

/* To output in one call: as accurate, and no flood of rejected steps. */
static void test_breakpoint_in_one_call(void **state)
{
    (void)state;
    static const double times[] = {1.0};
    int64_t rejected[2];
    for (int given = 0; given < 2; given++) {
        place p;
        daedal_system sys = forced_system(&p);
        p.jump = 1.0;
        daedal_options opt = defaults_with(1e-6, 1e-9);
        opt.breakpoints = (daedal_doubles){times, given};
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        expect_status(s, daedal_solver_advance(s, 3.0), DAEDAL_OK);
        expect_near(daedal_solver_state(s)->y[0], jump_solution(3.0, 1.0), given ? 1e-5 : 1e-4);
        rejected[given] = daedal_solver_stats(s)->rejected_error;
        assert_int_equal(daedal_solver_stats(s)->restarts, given); /* behind the breakpoint */
        daedal_solver_free(s);
    }
    assert_true(rejected[1] < rejected[0]);
}

/* A source that jumps in an algebraic equation: y1 jumps with it at the breakpoint. */
static int source(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] - (t > 1.0 ? 1.0 : 0.0);
    return 0;
}

static void test_breakpoint_of_a_source(void **state)
{
    (void)state;
    static const double times[] = {1.0}, from[] = {1.0, 0.0};
    daedal_system sys = {.n = 2, .residual = source};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.breakpoints = (daedal_doubles){times, 1};
    daedal_solver *s = started(&sys, &opt, 0.0, from, NULL);
    expect_status(s, daedal_solver_advance(s, 3.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], jump_solution(3.0, 1.0), 1e-5);
    expect_near(daedal_solver_state(s)->y[1], 1.0, 1e-12);
    daedal_solver_free(s);
}

/* ---- sizes of steps ---- */

/* The least and largest accepted step, without the one that lands on the end. */
static daedal_status sizes(const daedal_options *opt, double *first, double *least, double *most)
{
    sample what = sample_robertson_jacobian();
    daedal_solver *s = started(&what.sys, opt, 0.0, what.y0, NULL);
    daedal_status status = DAEDAL_OK;
    *least = INFINITY;
    *most = 0.0;
    for (int64_t k = 0; status >= 0 && daedal_solver_state(s)->t < what.t_end; k++) {
        status = daedal_solver_step(s, what.t_end);
        if (status < 0)
            break; /* h_last is that of the step before */
        double h = daedal_solver_stats(s)->h_last;
        if (k == 0)
            *first = h;
        *most = fmax(*most, h);
        if (daedal_solver_state(s)->t + daedal_solver_stats(s)->h_next < what.t_end)
            *least = fmin(*least, h);
    }
    daedal_solver_free(s);
    return status;
}

static void test_max_step(void **state)
{
    (void)state;
    double first, least, most;
    daedal_options opt = defaults_with(1e-4, 1e-8);
    opt.max_step = 0.1;
    assert_int_equal(sizes(&opt, &first, &least, &most), DAEDAL_OK);
    assert_true(most <= 0.1 * (1.0 + 1e-7) && most > 0.05);
}

static void test_first_step(void **state)
{
    (void)state;
    double first, least, most;
    daedal_options opt = defaults_with(1e-3, 1e-6);
    opt.first_step = 1e-7;
    assert_int_equal(sizes(&opt, &first, &least, &most), DAEDAL_OK);
    expect_near(first, 1e-7, 0.0);
}

/* No accepted step is below min_step; the run may have to fail, with the status for that. */
static void test_min_step(void **state)
{
    (void)state;
    double first, least, most;
    daedal_options opt = defaults_with(1e-4, 1e-8);
    opt.min_step = 1e-12;
    assert_int_equal(sizes(&opt, &first, &least, &most), DAEDAL_OK);
    assert_true(least >= 1e-12);
    for (double h = 1e-6; h <= 1.0; h *= 10.0) {
        opt.min_step = h;
        daedal_status status = sizes(&opt, &first, &least, &most);
        if (status != DAEDAL_OK && status != DAEDAL_ERR_STEP_TOO_SMALL &&
            status != DAEDAL_ERR_ERROR_TEST && status != DAEDAL_ERR_NEWTON &&
            status != DAEDAL_ERR_INCONSISTENT)
            fail_msg("min_step %g: %s", h, daedal_status_name(status));
        if (isfinite(least) && least < h)
            fail_msg("min_step %g: a step of %g was accepted", h, least);
    }
}

static void test_max_steps(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    daedal_options opt = defaults_with(1e-4, 1e-8);
    opt.max_steps = 5;
    daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
    int64_t calls = 0;
    daedal_status status;
    while ((status = daedal_solver_advance(s, what.t_end)) == DAEDAL_ERR_STEP_LIMIT) {
        assert_int_equal(daedal_solver_stats(s)->steps, 5 * ++calls);
        expect_text(daedal_solver_diagnosis(s)->message, "5 steps");
        assert_true(daedal_solver_state(s)->t > 0.0);
    }
    expect_status(s, status, DAEDAL_OK);
    assert_true(calls > 3);
    expect_near(daedal_solver_state(s)->y[0], 0.7158270688, 1e-4);
    daedal_solver_free(s);
}

/* y = 1/(1 - t) */
static int explode(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[0] * y[0];
    return 0;
}

/* Digits that numbers do not have are told of before the run; why it fails is told where it does.
 */
static void test_too_many_digits(void **state)
{
    (void)state;
    const double one[] = {1.0};
    const daedal_system sys = {.n = 1, .residual = explode};
    for (int wrong = 0; wrong < 2; wrong++) {
        daedal_options opt = defaults_with(wrong ? 1e-20 : 1e-6, wrong ? 1e-25 : 1e-9);
        daedal_options_set(&opt, "method", "bdf");
        daedal_solver *s = started(&sys, &opt, 0.0, one, NULL);
        const daedal_diagnosis *why = daedal_solver_diagnosis(s);
        assert_int_equal(why->status, DAEDAL_OK);
        assert_int_equal(why->cause, wrong ? DAEDAL_CAUSE_TOLERANCE_TOO_SMALL : DAEDAL_CAUSE_NONE);
        if (wrong)
            assert_non_null(strstr(why->hint, "rtol"));
        assert_true(daedal_solver_advance(s, 2.0) < 0);
        assert_int_equal(daedal_solver_diagnosis(s)->cause, DAEDAL_CAUSE_BLOW_UP);
        daedal_solver_free(s);
    }
}

static int at_rest(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)user;
    r[0] = yp[0];
    return 0;
}

/* The distance of numbers is that near the value. */
static void test_distance_of_numbers(void **state)
{
    (void)state;
    const double large[] = {1e6};
    const daedal_system sys = {.n = 1, .residual = at_rest};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.rtol = 1e-20;
    opt.atol = 1e-12;
    daedal_solver *s = started(&sys, &opt, 0.0, large, NULL);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    assert_int_equal(why->cause, DAEDAL_CAUSE_TOLERANCE_TOO_SMALL);
    assert_non_null(strstr(why->message, "too near to the distance 2.22e-10 of numbers"));
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_of_numbers),
        cmocka_unit_test(test_stop_time),
        cmocka_unit_test(test_stop_time_set_first),
        cmocka_unit_test(test_stop_time_near),
        cmocka_unit_test(test_stop_time_here),
        cmocka_unit_test(test_stop_time_behind),
        cmocka_unit_test(test_to_infinity),
        cmocka_unit_test(test_breakpoints),
        cmocka_unit_test(test_breakpoint_in_one_call),
        cmocka_unit_test(test_breakpoint_of_a_source),
        cmocka_unit_test(test_max_step),
        cmocka_unit_test(test_first_step),
        cmocka_unit_test(test_min_step),
        cmocka_unit_test(test_max_steps),
        cmocka_unit_test(test_too_many_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
