/* tests/unit/test_after_step.c - what the model half orders of a run (solver/after_step.h): each
 * answer of the hook after a step is honoured, and steps end at the corners of F.   */
#include <math.h>

#include "base/choices.h"
#include "harness.h"
#include "samples.h"
#include "solver/after_step.h"

typedef struct plan {
    after_step_answer answer;
    double from; /* the time from which this answer is given, once */
    long calls;
    bool given;
    double t_from, t;
} plan;

static after_step_answer follow_plan(accepted_step *step, void *user)
{
    plan *p = user;
    p->calls++;
    if (p->given || step->t < p->from)
        return AFTER_STEP_CONTINUE;
    p->given = true;
    p->t_from = step->t_from;
    p->t = step->t;
    step->tolerance_factor = 1e-4;
    if (p->answer == AFTER_STEP_FAIL)
        *step->why = (daedal_diagnosis){.status = DAEDAL_ERR_NEWTON,
                                        .message = "the hook has found a fault"};
    return p->answer;
}

static daedal_solver *planned(const sample *what, plan *p)
{
    daedal_options opt = defaults_with(1e-4, 1e-8);
    daedal_solver *s = started(&what->sys, &opt, 0.0, what->y0, NULL);
    solver_set_after_step(s, follow_plan, p);
    return s;
}

static void test_continue(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    plan p = {.answer = AFTER_STEP_CONTINUE};
    daedal_solver *s = planned(&what, &p);
    expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_OK);
    assert_int_equal(p.calls, daedal_solver_stats(s)->steps);
    daedal_solver_free(s);
}

static void test_event(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    plan p = {.answer = AFTER_STEP_EVENT, .from = 1.0};
    daedal_solver *s = planned(&what, &p);
    expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_EVENT);
    expect_near(daedal_solver_state(s)->t, p.t, 0.0);
    expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_OK);
    daedal_solver_free(s);
}

static void test_fail(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    plan p = {.answer = AFTER_STEP_FAIL, .from = 1.0};
    daedal_solver *s = planned(&what, &p);
    assert_int_equal(daedal_solver_advance(s, what.t_end), DAEDAL_ERR_NEWTON);
    expect_text(daedal_solver_diagnosis(s)->message, "the hook has found a fault");
    daedal_solver_free(s);
}

/* The first step is taken back; what follows are the steps of the tighter tolerance. */
static void test_repeat(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    plan p = {.answer = AFTER_STEP_REPEAT};
    daedal_options opt = defaults_with(1e-8, 1e-12);
    daedal_solver *repeated = planned(&what, &p);
    daedal_solver *tight = started(&what.sys, &opt, 0.0, what.y0, NULL);
    expect_status(repeated, daedal_solver_advance(repeated, what.t_end), DAEDAL_OK);
    expect_status(tight, daedal_solver_advance(tight, what.t_end), DAEDAL_OK);
    expect_near(p.t_from, 0.0, 0.0);
    assert_int_equal(daedal_solver_stats(repeated)->steps, daedal_solver_stats(tight)->steps + 1);
    for (int32_t j = 0; j < what.sys.n; j++) {
        double y = daedal_solver_state(tight)->y[j];
        expect_near(daedal_solver_state(repeated)->y[j], y, 1e-7 * fabs(y));
    }
    daedal_solver_free(repeated);
    daedal_solver_free(tight);
}

/* The hook belongs to one solver; its clone has none. */
static void test_clone(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    plan p = {.answer = AFTER_STEP_EVENT};
    daedal_solver *s = planned(&what, &p), *copy = NULL;
    expect_status(s, daedal_solver_clone(&copy, s), DAEDAL_OK);
    expect_status(copy, daedal_solver_advance(copy, what.t_end), DAEDAL_OK);
    assert_int_equal(p.calls, 0);
    daedal_solver_free(copy);
    daedal_solver_free(s);
}

/* ---- corners ---- */

/* F jumps at t = 0.5. */
static int two_slopes(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)y, (void)user;
    r[0] = yp[0] + (t < 0.5 ? 1.0 : 3.0);
    return 0;
}

static int behind_half(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)y, (void)yp, (void)user;
    g[0] = t - 0.5;
    return 0;
}

static int above_half(double t, const double *y, const double *yp, double *g, void *user)
{
    long *calls = user;
    (void)t, (void)yp;
    ++*calls;
    g[0] = y[0] - 0.5;
    return 0;
}

static int never(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] + 100.0;
    return 0;
}

static const double one = 1.0;

/* A run begins again behind a jump, also in a system that has events. */
static void test_jump(void **state)
{
    (void)state;
    static const int32_t methods[] = {METHOD_BDF, METHOD_RADAU, METHOD_RODAS};
    for (size_t k = 0; k < 2 * COUNT(methods); k++) {
        daedal_system sys = {
            .n = 1, .residual = two_slopes, .n_events = (int32_t)(k % 2), .events = never};
        corner_functions f = {.n_of_time = 1, .of_time = behind_half, .scale_of_time = &one};
        daedal_options opt = defaults_with(1e-6, 1e-9);
        opt.method = methods[k / 2];
        daedal_solver *s = started(&sys, &opt, 0.0, &one, NULL);
        expect_status(s, solver_set_corners(s, &f), DAEDAL_OK);
        expect_status(s, daedal_solver_set_stop_time(s, 1.0), DAEDAL_OK);
        expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
        expect_near(daedal_solver_state(s)->y[0], -1.0, 1e-8);
        assert_int_equal(daedal_solver_stats(s)->rejected_error, 0);
        daedal_solver_free(s);
    }
}

/* Where no argument is near zero steps of bdf are not searched. */
static void test_far_corner(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    daedal_options opt = defaults_with(1e-6, 1e-10);
    long calls = 0;
    corner_functions f = {.n_of_states = 1,
                          .of_states = above_half,
                          .scale_of_states = &one,
                          .band = 1e-12,
                          .user = &calls};
    opt.method = METHOD_BDF;
    daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
    expect_status(s, solver_set_corners(s, &f), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    assert_true(calls > 0 && calls < daedal_solver_stats(s)->steps);
    daedal_solver_free(s);
}

/* Many jumps, at values of y. */
static int waves(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - (sin(20.0 * y[0]) > 0.0 ? 2.0 : 0.5);
    return 0;
}

static int wave(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = sin(20.0 * y[0]);
    return 0;
}

/* A clone that gets the hooks knows as much of corners as the original. */
static void test_corners_of_clone(void **state)
{
    (void)state;
    corner_functions f = {
        .n_of_states = 1, .of_states = wave, .scale_of_states = &one, .band = 1e-12};
    daedal_system sys = {.n = 1, .residual = waves};
    daedal_options opt = defaults_with(1e-3, 1e-3);
    opt.method = METHOD_RODAS;
    daedal_solver *s = started(&sys, &opt, 0.0, &one, NULL);
    expect_status(s, solver_set_corners(s, &f), DAEDAL_OK);
    for (int k = 0; k < 40; k++) {
        daedal_solver *copy = NULL;
        expect_status(s, daedal_solver_clone(&copy, s), DAEDAL_OK);
        expect_status(copy, solver_copy_hooks(copy, s), DAEDAL_OK);
        expect_status(s, daedal_solver_step(s, 10.0), DAEDAL_OK);
        expect_status(copy, daedal_solver_step(copy, 10.0), DAEDAL_OK);
        expect_near(daedal_solver_state(copy)->t, daedal_solver_state(s)->t, 0.0);
        expect_near(daedal_solver_state(copy)->y[0], daedal_solver_state(s)->y[0], 0.0);
        daedal_solver_free(copy);
    }
    daedal_solver_free(s);
}

/* y' = 1 + |y - 1/2| from y = 0, until F has had enough calls. */
static int bent(double t, const double *y, const double *yp, double *r, void *user)
{
    long *calls_left = user;
    (void)t;
    r[0] = yp[0] - 1.0 - fabs(y[0] - 0.5);
    return --*calls_left < 0 ? DAEDAL_CALL_STOP : DAEDAL_CALL_OK;
}

static int bend(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0] - 0.5;
    return 0;
}

static double solution_of_bent(double t)
{
    double corner = log(1.5);
    return t < corner ? 1.5 - 1.5 * exp(-t) : exp(t - corner) - 0.5;
}

/* Wherever a run is stopped, before the corner, right behind it, or while it is crossed: what is
 * shown is a state of the solution.  0: it came to the end. */
static bool is_stopped_after(int32_t method, long calls)
{
    long calls_left = 1000000;
    double start = 0.0;
    corner_functions f = {
        .n_of_states = 1, .of_states = bend, .scale_of_states = &one, .band = 1e-12};
    daedal_system sys = {.n = 1, .residual = bent, .user = &calls_left};
    daedal_options opt = defaults_with(1e-5, 1e-6);
    opt.method = method;
    daedal_solver *s = started(&sys, &opt, 0.0, &start, NULL);
    expect_status(s, solver_set_corners(s, &f), DAEDAL_OK);
    calls_left = calls;
    daedal_status status = DAEDAL_OK;
    for (int k = 1; k <= 5 && status == DAEDAL_OK; k++)
        status = daedal_solver_advance(s, 0.2 * k);
    assert_true(status == DAEDAL_OK || status == DAEDAL_STOPPED);
    expect_near(daedal_solver_state(s)->y[0], solution_of_bent(daedal_solver_state(s)->t), 1e-3);
    daedal_solver_free(s);
    return status == DAEDAL_STOPPED;
}

static void test_stops_at_corners(void **state)
{
    static const int32_t methods[] = {METHOD_BDF,   METHOD_BDF_CLASSIC, METHOD_RADAU,
                                      METHOD_RODAS, METHOD_LIMEX,       METHOD_DOPRI};
    (void)state;
    for (size_t k = 0; k < COUNT(methods); k++)
        for (long calls = 0; is_stopped_after(methods[k], calls); calls++)
            assert_true(calls < 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_continue),
        cmocka_unit_test(test_event),
        cmocka_unit_test(test_fail),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_clone),
        cmocka_unit_test(test_jump),
        cmocka_unit_test(test_far_corner),
        cmocka_unit_test(test_corners_of_clone),
        cmocka_unit_test(test_stops_at_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
