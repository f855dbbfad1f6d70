/* tests/unit/test_after_step.c - the hook after each step: each of its answers is honoured. */
#include <math.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_continue), cmocka_unit_test(test_event), cmocka_unit_test(test_fail),
        cmocka_unit_test(test_repeat),   cmocka_unit_test(test_clone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
