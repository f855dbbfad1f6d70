/* tests/unit/test_causes.c - the cause, the variable and the words of failures and warnings of
 * small functions (solver/cause.c, solver/jacobian_comparison.c).                 */
#include <math.h>
#include <string.h>

#include "harness.h"

/* y1 grows from zero; y0 is at rest. */
static int from_zero(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    (void)y;
    r[0] = yp[0];
    r[1] = yp[1] - 1.0;
    return 0;
}

/* y1 is the derivative of y0, which is made to jump at t = 1. */
static int stepped(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = y[0] - (t < 1.0 ? t : t + 2.0);
    return 0;
}

/* y1 is the derivative of y0, which is made to oscillate. */
static int shaken(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = y[0] - cos(40.0 * t) - 0.01 * tanh(1e3 * (t - 1.0));
    return 0;
}

/* An algebraic equation, y1 = 2, whose Jacobian leads away from the solution. */
static int cube_root(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] * y[1] * y[1] + y[1] - 10.0;
    return 0;
}

static int cube_root_jacobian(double t, const double *y, const double *yp, double c, double *v,
                              void *user)
{
    (void)t, (void)yp, (void)user;
    v[0] = c + 1.0;
    v[1] = 0.0;
    v[2] = -1.0;
    v[3] = -3.0 * y[1] * y[1] - 1.0;
    return 0;
}

/* y1 is far below its tolerance, but driven by y0, which is not. */
static int driven(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = yp[1] + 2.0 * y[1] - 1e-12 * y[0];
    return 0;
}

/* The same without the coupling. */
static int apart(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = yp[1] + 2.0 * y[1];
    return 0;
}

/* And with the equations in the other order. */
static int apart_exchanged(double t, const double *y, const double *yp, double *r, void *user)
{
    double f[2];
    int answer = apart(t, y, yp, f, user);
    r[0] = f[1];
    r[1] = f[0];
    return answer;
}

/* y1 grows by itself. */
static int feeding(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = yp[1] - 10.0 * y[1];
    return 0;
}

/* y1 falls to zero at t = 1; F has no value for values of t that are nearly one. */
static int ending(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *t_end = user;
    r[0] = yp[0] + y[0];
    r[1] = yp[1] + 1.0;
    return t > *t_end ? DAEDAL_CALL_RETRY : 0;
}

static int wrong_first_entry(double t, const double *y, const double *yp, double c, double *v,
                             void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    v[0] = c - 1.0;
    v[1] = -1e-12;
    v[2] = c + 2.0;
    return 0;
}

static const daedal_pattern lower = {2, 2, (const int32_t[]){0, 2, 3}, (const int32_t[]){0, 1, 1}};

/* A component of zero with an absolute tolerance of zero is named. */
static void test_no_tolerance(void **state)
{
    (void)state;
    static const double y0[] = {1.0, 0.0};
    daedal_system sys = {.n = 2, .residual = from_zero};
    daedal_options opt = defaults_with(1e-6, 0.0);
    daedal_solver *s = solver_of(&sys, &opt);
    daedal_status status = daedal_solver_start(s, 0.0, y0, NULL);
    if (status >= 0)
        status = daedal_solver_advance(s, 1.0);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    assert_true(status < 0);
    assert_int_equal(why->cause, DAEDAL_CAUSE_TOLERANCE_TOO_SMALL);
    assert_int_equal(why->variable, 1);
    assert_int_equal(why->equation, -1);
    daedal_solver_free(s);
}

/* A state that the equations make jump is told with its values before and after. */
static void test_jump(void **state)
{
    (void)state;
    static const double y0[] = {0.0, 1.0}, yp0[] = {1.0, 0.0};
    daedal_system sys = {.n = 2, .residual = stepped};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_solver *s = started(&sys, &opt, 0.0, y0, yp0);
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_OK);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    assert_int_equal(why->cause, DAEDAL_CAUSE_DISCONTINUITY);
    assert_int_equal(why->variable, 0);
    expect_near(why->t, 1.0, 1e-9);
    expect_near(daedal_solver_state(s)->y[0], 4.0, 1e-9);
    daedal_solver_free(s);
}

/* Two vessels that are joined, y0 = y1; y2 flows. */
static int joined(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = 3.0 * yp[0] + y[2];
    r[1] = 1.5 * yp[1] - y[2] + 0.1 * y[1];
    r[2] = y[0] - y[1];
    return 0;
}

/* Values that are to be kept at the start and contradict an equation are told as such. */
static void test_jump_at_start(void **state)
{
    (void)state;
    static const double y0[] = {2.0, 1.0, 0.0};
    static const int32_t y_mask[] = {DAEDAL_FIXED, DAEDAL_FIXED, DAEDAL_FREE}, yp_mask[3] = {0};
    daedal_system sys = {.n = 3, .residual = joined};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_solver *s = solver_of(&sys, &opt);
    daedal_status status = daedal_solver_start_masked(s, 0.0, y0, y0, (daedal_ints){y_mask, 3},
                                                      (daedal_ints){yp_mask, 3});
    if (status == DAEDAL_OK)
        status = daedal_solver_advance(s, 1.0);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    assert_int_equal(why->cause, DAEDAL_CAUSE_INCONSISTENT_START);
    expect_text(why->message, "the start at t = 0 contradicts the equations: y[1] is 1 there");
    assert_int_equal(why->variable, 1);
    expect_near(why->t, 0.0, 0.0);
    daedal_solver_free(s);
}

/* A parallelogram of links is flat at t = pi - 1.5: there a crossed one branches off. */
static int linkage(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - 1.0;
    r[1] = cos(y[0]) + 2.0 * cos(y[1]) - 2.0 - cos(y[2]);
    r[2] = sin(y[0]) + 2.0 * sin(y[1]) - sin(y[2]);
    return 0;
}

static int linkage_jacobian(double t, const double *y, const double *yp, double c, double *v,
                            void *user)
{
    (void)t, (void)yp, (void)user;
    v[0] = c;
    v[1] = -sin(y[0]);
    v[2] = cos(y[0]);
    v[4] = -2.0 * sin(y[1]);
    v[5] = 2.0 * cos(y[1]);
    v[7] = sin(y[2]);
    v[8] = -cos(y[2]);
    return 0;
}

/* A run that fails beside a variable that is zero, whose size does not tell what is near.  One in
 * fifty ends within roundoff of the point, where F looks as if it jumped.  None says that the start
 * is inconsistent: steps have led to the point where a second method begins and fails. */
static void test_impasse_beside_zero(void **state)
{
    enum { RUNS = 200 };
    (void)state;
    daedal_system sys = {.n = 3, .residual = linkage, .jacobian = linkage_jacobian};
    int failures = 0, impasses = 0;
    for (int k = 0; k < RUNS; k++) {
        double angle = 1.5 - 0.1 * (k % 5), y0[] = {angle, 0.0, angle};
        daedal_options opt;
        daedal_options_defaults(&opt);
        opt.rtol = pow(10.0, -6.0 - 3.0 * k / RUNS);
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        if (daedal_solver_advance(s, 4.0 - angle) == DAEDAL_OK)
            expect_near(daedal_solver_state(s)->y[2], 4.0, 1e-3);
        else {
            daedal_cause cause = daedal_solver_diagnosis(s)->cause;
            failures++;
            impasses += cause == DAEDAL_CAUSE_IMPASSE;
            assert_int_not_equal(cause, DAEDAL_CAUSE_INCONSISTENT_START);
        }
        daedal_solver_free(s);
    }
    if (impasses < 0.9 * failures)
        fail_msg("%d of %d failures are told as an impasse", impasses, failures);
}

/* Constraints that move a state fast, but smoothly, are no jumps. */
static void test_no_jump(void **state)
{
    (void)state;
    static const double y0[] = {1.0, 0.0}, yp0[] = {0.0, -1600.0};
    daedal_system sys = {.n = 2, .residual = shaken};
    daedal_options opt = defaults_with(1e-3, 1e-6);
    daedal_solver *s = started(&sys, &opt, 0.0, y0, yp0);
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_OK);
    assert_int_equal(daedal_solver_diagnosis(s)->cause, DAEDAL_CAUSE_NONE);
    daedal_solver_free(s);
}

/* A start that fails because of the Jacobian says so. */
static void test_jacobian_at_start(void **state)
{
    (void)state;
    static const double y0[] = {1.0, 1.0};
    daedal_system sys = {.n = 2, .residual = cube_root, .jacobian = cube_root_jacobian};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_solver *s = solver_of(&sys, &opt);
    assert_true(daedal_solver_start(s, 0.0, y0, NULL) < 0);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    assert_int_equal(why->cause, DAEDAL_CAUSE_WRONG_JACOBIAN);
    assert_int_equal(why->variable, 1);
    daedal_solver_free(s);
}

/* The first entry of a pattern has a place like every other: its value is wrong, not missing. */
static void test_first_entry(void **state)
{
    (void)state;
    static const double y0[] = {1.0, 0.5};
    daedal_system sys = {
        .n = 2, .residual = driven, .jacobian = wrong_first_entry, .pattern = &lower};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.check_jacobian = 1;
    daedal_solver *s = solver_of(&sys, &opt);
    expect_status(s, daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_ERR_JACOBIAN);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    assert_int_equal(why->cause, DAEDAL_CAUSE_WRONG_JACOBIAN);
    assert_int_equal(why->variable, 0);
    daedal_solver_free(s);
}

/* A start value may be beyond its bound by one tolerance, and not by more. */
static void test_bound_at_start(void **state)
{
    (void)state;
    static const double zero[] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        double y0[] = {1.0, k ? -1.5e-6 : -0.5e-6};
        daedal_system sys = {.n = 2, .residual = apart, .lower = {zero, 2}};
        daedal_options opt = defaults_with(1e-9, 1e-6);
        opt.calibrate_tolerance = 0;
        daedal_solver *s = solver_of(&sys, &opt);
        daedal_status status = daedal_solver_start(s, 0.0, y0, NULL);
        if (k == 0)
            expect_status(s, status, DAEDAL_OK);
        else {
            assert_true(status < 0);
            assert_int_equal(daedal_solver_diagnosis(s)->variable, 1);
        }
        daedal_solver_free(s);
    }
}

/* A bound that a variable is near to, by more than its tolerance, does not end a run. */
static void test_near_bound(void **state)
{
    (void)state;
    static const double lower_bounds[] = {-INFINITY, 0.0}, y0[] = {1.0, 1.0};
    static const double atol = 1e-4, near[] = {1.5, 0.5}; /* tolerances */
    for (int k = 0; k < 2; k++) {
        double t_end = 1.0 - near[k] * atol;
        daedal_system sys = {
            .n = 2, .residual = ending, .lower = {lower_bounds, 2}, .user = &t_end};
        daedal_options opt = defaults_with(1e-9, atol);
        opt.calibrate_tolerance = 0;
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        assert_true(daedal_solver_advance(s, 2.0) < 0);
        expect_near(daedal_solver_state(s)->y[1], near[k] * atol, 1e-8);
        const daedal_diagnosis *why = daedal_solver_diagnosis(s);
        assert_int_equal(why->cause == DAEDAL_CAUSE_BOUNDS, k == 1);
        assert_int_equal(k == 1 ? why->equation : -1, -1);
        daedal_solver_free(s);
    }
}

/* A warning of a model is listed with its time. */
static void test_time_of_warning(void **state)
{
    (void)state;
    static const char text[] = "model M\n  Real x(start = 0, fixed = true);\nequation\n"
                               "  der(x) = 1;\n"
                               "  assert(x < 0.5, \"high\", AssertionLevel.warning);\nend M;\n";
    daedal_model *m = NULL;
    daedal_outcome out;
    daedal_simulation how = {.t_stop = 2.0, .intervals = 1};
    char message[200];
    assert_true(daedal_model_parse(&m, "m.mo", text, strlen(text), NULL, message, sizeof message) >=
                0);
    assert_int_equal(daedal_model_simulate(m, &how, &out), DAEDAL_OK);
    assert_int_equal(out.n_warnings, 1);
    assert_true(out.warnings[0].t >= 0.5 && out.warnings[0].t <= 2.0);
    assert_int_equal(out.warnings[0].cause, DAEDAL_CAUSE_ASSERTION);
    daedal_model_free(m);
}

static daedal_cause cause_after(daedal_residual_fn *f)
{
    static const double y0[] = {1.0, 1e-12};
    daedal_system sys = {.n = 2, .residual = f};
    daedal_options opt = defaults_with(1e-6, 1e-6);
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 3.0), DAEDAL_OK);
    daedal_cause cause = daedal_solver_diagnosis(s)->cause;
    daedal_solver_free(s);
    return cause;
}

/* A state below its absolute tolerance is told if nothing larger is coupled to it. */
static void test_below_tolerance(void **state)
{
    (void)state;
    assert_int_equal(cause_after(driven), DAEDAL_CAUSE_NONE);
    assert_int_equal(cause_after(apart), DAEDAL_CAUSE_BAD_SCALING);
    assert_int_equal(cause_after(apart_exchanged), DAEDAL_CAUSE_BAD_SCALING);
}

/* A state that has grown out of its absolute tolerance is told with its name and values. */
static void test_grown_by_itself(void **state)
{
    (void)state;
    static const double y0[] = {1.0, 1e-9};
    static const char *const names[] = {"fuel", "neutrons"};
    daedal_system sys = {.n = 2, .residual = feeding, .variable_names = names};
    daedal_options opt = defaults_with(1e-6, 1e-6);
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_OK);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    assert_int_equal(why->cause, DAEDAL_CAUSE_BAD_SCALING);
    assert_int_equal(why->status, DAEDAL_OK);
    assert_int_equal(why->variable, 1);
    expect_text(why->message, "neutrons has grown by itself from below its absolute tolerance");
    daedal_solver_free(s);
}

/* The same with the variables in the other order. */
static int feeding_exchanged(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - 10.0 * y[0];
    r[1] = yp[1] + y[1];
    return 0;
}

/* y0 grows as y1 does, by halves from itself and from y1. */
static int half_fed(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - 5.0 * y[0] - 5.0 * y[1];
    r[1] = yp[1] - 10.0 * y[1];
    return 0;
}

/* The variable that the run names as grown out of its tolerance, or -1. */
static int32_t grown_variable(daedal_residual_fn *f, const double *y0, const double *atol)
{
    daedal_system sys = {.n = 2, .residual = f};
    daedal_options opt = defaults_with(1e-6, 1e-6);
    opt.atol_each = (daedal_doubles){atol, 2};
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 2.0), DAEDAL_OK);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    int32_t which = why->cause == DAEDAL_CAUSE_BAD_SCALING ? why->variable : -1;
    daedal_solver_free(s);
    return which;
}

/* Whatever stands beside it in the equations; and not if it is fed by what is seen. */
static void test_grown_beside_others(void **state)
{
    static const double one_small[] = {1e-9, 1.0}, both_small[] = {1e-9, 1e-9},
                        usual[] = {1e-6, 1e-6}, of_first[] = {1e-6, 1e-30};
    (void)state;
    assert_int_equal(grown_variable(feeding_exchanged, one_small, usual), 0);
    assert_int_equal(grown_variable(half_fed, both_small, of_first), -1);
}

/* The reactions of Robertson behind their end: below zero the first species consumes itself,
 * through the second one, although each of them damps itself.  */
static int beyond_the_end(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    double forth = 0.04 * y[0], back = 1e4 * y[1] * y[2], pairs = 3e7 * y[1] * y[1];
    r[0] = yp[0] + forth - back;
    r[1] = yp[1] - forth + back + pairs;
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return 0;
}

static void test_grown_through_others(void **state)
{
    (void)state;
    static const double y0[] = {-1.5e-7, -6e-13, 1.00000015};
    daedal_system sys = {.n = 3, .residual = beyond_the_end};
    daedal_options opt = defaults_with(1e-4, 1e-7);
    assert_int_equal(daedal_options_set(&opt, "method", "bdf"), DAEDAL_OK);
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    daedal_status status = daedal_solver_advance(s, 1e11);
    assert_int_equal(status, DAEDAL_OK);
    assert_true(daedal_solver_state(s)->y[0] < -1.0);
    assert_int_equal(daedal_solver_diagnosis(s)->cause, DAEDAL_CAUSE_BAD_SCALING);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_tolerance),
                                       cmocka_unit_test(test_jump),
                                       cmocka_unit_test(test_no_jump),
                                       cmocka_unit_test(test_jacobian_at_start),
                                       cmocka_unit_test(test_first_entry),
                                       cmocka_unit_test(test_below_tolerance),
                                       cmocka_unit_test(test_bound_at_start),
                                       cmocka_unit_test(test_time_of_warning),
                                       cmocka_unit_test(test_near_bound),
                                       cmocka_unit_test(test_grown_by_itself),
                                       cmocka_unit_test(test_grown_through_others),
                                       cmocka_unit_test(test_grown_beside_others),
                                       cmocka_unit_test(test_jump_at_start),
                                       cmocka_unit_test(test_impasse_beside_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
