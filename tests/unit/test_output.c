/* tests/unit/test_output.c - output points: where they lie does not change the run. */
#include <math.h>
#include <string.h>

#include "integ/method.h"

#include "harness.h"
#include "samples.h"

static daedal_solver *robertson(double rtol)
{
    sample what = sample_robertson_jacobian();
    daedal_options opt = defaults_with(rtol, 1e-3 * rtol);
    opt.method = METHOD_BDF; /* no step ends where output is asked for */
    return started(&what.sys, &opt, 0.0, what.y0, NULL);
}

/* One call, many calls, step by step: one state at the end of a common step, and the
 * number of steps does not depend on the output points.                         */
static void test_outputs_cost_nothing(void **state)
{
    (void)state;
    daedal_solver *one = robertson(1e-5), *many = robertson(1e-5);
    expect_status(one, daedal_solver_advance(one, 40.0), DAEDAL_OK);
    for (int k = 1; k <= 400; k++) /* far closer than the steps are long */
        expect_status(many, daedal_solver_advance(many, k == 400 ? 40.0 : 0.1 * k), DAEDAL_OK);
    /* the first output time scales the first step, no more */
    int64_t a = daedal_solver_stats(one)->steps, b = daedal_solver_stats(many)->steps;
    assert_true(b <= a + 5 && a <= b + 5);
    for (int i = 0; i < 3; i++)
        expect_near(daedal_solver_state(many)->y[i], daedal_solver_state(one)->y[i], 1e-5);
    daedal_solver_free(one);
    daedal_solver_free(many);
}

static void test_modes_agree(void **state)
{
    (void)state;
    daedal_solver *steps = robertson(1e-6), *output = robertson(1e-6);
    while (daedal_solver_state(steps)->t < 40.0)
        expect_status(steps, daedal_solver_step(steps, 40.0), DAEDAL_OK);
    expect_status(output, daedal_solver_advance(output, 40.0), DAEDAL_OK);
    expect_near(daedal_solver_state(steps)->t, 40.0, 0.0);
    for (int i = 0; i < 3; i++)
        expect_near(daedal_solver_state(steps)->y[i], daedal_solver_state(output)->y[i],
                    1e-6 * fabs(daedal_solver_state(output)->y[i]) + 1e-9);
    daedal_solver_free(steps);
    daedal_solver_free(output);
}

/* A step never passes its limit, and reaches it exactly in the end. */
static void test_step_limit(void **state)
{
    (void)state;
    daedal_solver *s = robertson(1e-4);
    double last = 0.0;
    for (int k = 1; k <= 5; k++)
        while (daedal_solver_state(s)->t < k) {
            expect_status(s, daedal_solver_step(s, k), DAEDAL_OK);
            double t = daedal_solver_state(s)->t;
            assert_true(t > last && t <= k);
            last = t;
        }
    expect_near(daedal_solver_state(s)->t, 5.0, 0.0);
    daedal_solver_free(s);
}

/* Inside the last step y and y' are there, continuous up to y' with the step before, and
 * the linear balance is kept.  Loose, so that a kink would show.               */
static void test_interpolation(void **state)
{
    (void)state;
    daedal_solver *s = robertson(1e-3);
    sample what = sample_robertson();
    double y[3], yp[3], r[3], y_before[3], yp_before[3];
    for (int k = 0; k < 40; k++) {
        double t0 = daedal_solver_state(s)->t;
        expect_status(s, daedal_solver_interpolate(s, t0, y_before, yp_before), DAEDAL_OK);
        expect_status(s, daedal_solver_step(s, 40.0), DAEDAL_OK);
        const daedal_state *now = daedal_solver_state(s);
        double h = now->t - t0;
        expect_status(s, daedal_solver_interpolate(s, now->t, y, yp), DAEDAL_OK);
        assert_memory_equal(y, now->y, sizeof y);
        assert_memory_equal(yp, now->yp, sizeof yp);
        expect_status(s, daedal_solver_interpolate(s, t0, y, yp), DAEDAL_OK);
        for (int i = 0; i < 3; i++) {
            expect_near(y[i], y_before[i], 1e-13);
            if (k > 0) /* y2' of the start is an estimate of its own */
                expect_near(h * yp[i], h * yp_before[i], 1e-12);
        }
        expect_status(s, daedal_solver_interpolate(s, t0 + 0.4 * h, y, yp), DAEDAL_OK);
        what.sys.residual(t0 + 0.4 * h, y, yp, r, NULL);
        expect_near(r[2], 0.0, 1e-9);
        expect_status(s, daedal_solver_interpolate(s, t0 + 0.4 * h, NULL, NULL), DAEDAL_OK);
    }
    daedal_solver_free(s);
}

/* Interpolation outside the last step is refused. */
static void test_interpolation_outside(void **state)
{
    (void)state;
    daedal_solver *s = robertson(1e-6);
    double y[3] = {-1.0, -1.0, -1.0};
    expect_status(s, daedal_solver_interpolate(s, 0.0, y, NULL), DAEDAL_OK); /* the start */
    expect_near(y[0], 1.0, 0.0);
    expect_status(s, daedal_solver_interpolate(s, 0.1, y, NULL), DAEDAL_ERR_ARGUMENT);
    for (int k = 0; k < 10; k++)
        expect_status(s, daedal_solver_step(s, 40.0), DAEDAL_OK);
    double t = daedal_solver_state(s)->t;
    y[0] = -1.0;
    expect_status(s, daedal_solver_interpolate(s, 2.0 * t, y, NULL), DAEDAL_ERR_ARGUMENT);
    expect_status(s, daedal_solver_interpolate(s, 0.0, y, NULL), DAEDAL_ERR_ARGUMENT);
    expect_near(y[0], -1.0, 0.0); /* untouched */
    daedal_solver_free(s);
}

/* Asking twice for one time: the same answer, no work. */
static void test_same_time_twice(void **state)
{
    (void)state;
    daedal_solver *s = robertson(1e-6);
    double y[3];
    expect_status(s, daedal_solver_advance(s, 0.0), DAEDAL_OK); /* where it stands */
    expect_near(daedal_solver_state(s)->t, 0.0, 0.0);
    expect_status(s, daedal_solver_advance(s, 10.0), DAEDAL_OK);
    memcpy(y, daedal_solver_state(s)->y, sizeof y);
    int64_t residuals = daedal_solver_stats(s)->residuals;
    expect_status(s, daedal_solver_advance(s, 10.0), DAEDAL_OK);
    expect_status(s, daedal_solver_step(s, 10.0), DAEDAL_OK);
    assert_memory_equal(y, daedal_solver_state(s)->y, sizeof y);
    assert_int_equal(daedal_solver_stats(s)->residuals, residuals);
    daedal_solver_free(s);
}

/* Backward and forward again: y' = -y from 1 to 0 and back. */
static void test_backward(void **state)
{
    (void)state;
    sample what = sample_decay_events();
    what.sys.n_events = 0;
    daedal_options opt = defaults_with(1e-8, 1e-10);
    const double y1[] = {exp(-1.0)};
    daedal_solver *s = started(&what.sys, &opt, 1.0, y1, NULL);
    for (int k = 1; k <= 10; k++) {
        double t = 1.0 - 0.1 * k;
        expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
        expect_near(daedal_solver_state(s)->t, t, 0.0);
        expect_near(daedal_solver_state(s)->y[0], exp(-t), 1e-7);
        assert_true(daedal_solver_stats(s)->h_last < 0.0);
    }
    expect_status(s, daedal_solver_advance(s, 0.5), DAEDAL_ERR_ARGUMENT); /* it would turn */
    expect_text(daedal_solver_diagnosis(s)->message, "start");
    double t = daedal_solver_state(s)->t, y[] = {daedal_solver_state(s)->y[0]};
    expect_status(s, daedal_solver_start(s, t, y, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], exp(-1.0), 1e-7);
    daedal_solver_free(s);
}

/* At an output point F is zero as well as it can be: y' belongs to y. */
static void test_derivative(void **state)
{
    (void)state;
    daedal_solver *s = robertson(1e-8);
    sample what = sample_robertson();
    double r[3];
    for (int k = 1; k <= 20; k++) {
        expect_status(s, daedal_solver_advance(s, 2.0 * k), DAEDAL_OK);
        const daedal_state *now = daedal_solver_state(s);
        what.sys.residual(now->t, now->y, now->yp, r, NULL);
        expect_near(r[0], 0.0, 1e-6);
        expect_near(r[2], 0.0, 1e-9);
    }
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs_cost_nothing),
        cmocka_unit_test(test_modes_agree),
        cmocka_unit_test(test_step_limit),
        cmocka_unit_test(test_interpolation),
        cmocka_unit_test(test_interpolation_outside),
        cmocka_unit_test(test_same_time_twice),
        cmocka_unit_test(test_backward),
        cmocka_unit_test(test_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
