/* tests/unit/test_evaluate.c - daedal_solver_evaluate, daedal_model_evaluate: values inside the
 * last step, as accurate as at output points.                                     */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "samples.h"

/* x' = -x, z = x^2 */
static int decay(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = y[1] - y[0] * y[0];
    return DAEDAL_CALL_OK;
}

static void values_inside_steps_meet_the_tolerance(void **state)
{
    static const char *const methods[] = {"bdf", "radau", "rodas", "limex"};
    (void)state;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        daedal_system system = {.n = 2, .residual = decay};
        daedal_options options;
        daedal_solver *s;
        double y[2], yp[2], from = 0.0;
        daedal_options_defaults(&options);
        assert_int_equal(daedal_options_set(&options, "method", methods[k]), DAEDAL_OK);
        assert_int_equal(daedal_solver_create(&s, &system, &options, NULL), DAEDAL_OK);
        assert_int_equal(daedal_solver_start(s, 0.0, (double[]){1, 1}, NULL), DAEDAL_OK);
        while (from < 4.0) {
            assert_int_equal(daedal_solver_step(s, 4.0), DAEDAL_OK);
            double to = daedal_solver_state(s)->t;
            for (int32_t i = 0; i <= 4; i++) {
                double t = from + 0.25 * i * (to - from);
                assert_int_equal(daedal_solver_evaluate(s, t, y, yp), DAEDAL_OK);
                assert_true(fabs(y[0] - exp(-t)) < 5e-6);
                assert_true(fabs(yp[0] + exp(-t)) < 1e-4);
                assert_true(fabs(y[1] - y[0] * y[0]) < 2e-6);
            }
            assert_int_equal(daedal_solver_evaluate(s, to + 1.0, y, yp), DAEDAL_ERR_ARGUMENT);
            assert_true(daedal_solver_state(s)->t == to);
            from = to;
        }
        daedal_solver_free(s);
    }
}

/* Inside steps the constraints hold as at their ends; where nothing is known but the state, only
 * that is given.                                                                         */
static void values_inside_steps_meet_the_constraints(void **state)
{
    static const char *const methods[] = {"bdf", "radau", "rodas"};
    (void)state;
    for (size_t k = 0; k < COUNT(methods); k++) {
        sample what = sample_pendulum();
        daedal_options options = defaults_with(1e-4, 1e-6);
        double y[5], yp[5], from = 0.0;
        assert_int_equal(daedal_options_set(&options, "method", methods[k]), DAEDAL_OK);
        daedal_solver *s = started(&what.sys, &options, 0.0, what.y0, NULL);
        for (int n = 0; n < 12; n++) {
            assert_int_equal(daedal_solver_evaluate(s, from, y, yp), DAEDAL_OK);
            assert_memory_equal(y, daedal_solver_state(s)->y, sizeof y);
            assert_int_equal(daedal_solver_evaluate(s, from + 1e-3, y, yp), DAEDAL_ERR_ARGUMENT);
            expect_status(s, daedal_solver_step(s, what.t_end), DAEDAL_OK);
            double to = daedal_solver_state(s)->t;
            for (int i = 1; i < 8; i++) {
                expect_status(s, daedal_solver_evaluate(s, from + i / 8.0 * (to - from), y, yp),
                              DAEDAL_OK);
                expect_near(y[0] * y[0] + y[1] * y[1], 1.0, 1e-9);
                expect_near(y[0] * y[2] + y[1] * y[3], 0.0, 1e-9);
            }
            if (n % 4 == 3)
                expect_status(s, daedal_solver_restart(s, daedal_solver_state(s)->y, NULL),
                              DAEDAL_OK);
            from = daedal_solver_state(s)->t;
            if (n % 4 == 3) {
                double before = from - 0.5 * (to - from) - 1e-3;
                assert_int_equal(daedal_solver_evaluate(s, before, y, yp), DAEDAL_ERR_ARGUMENT);
            }
        }
        daedal_solver_free(s);
    }
}

static const double GRAVITY = 9.81;

/* The pendulum as it is written down, of index 3: its multiplier is v^2 - g y on the circle. */
static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + GRAVITY;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

/* Constraints that are hidden in the equations, and the multiplier, are as exact inside steps as at
 * output points.                                                                         */
static void values_inside_steps_meet_hidden_constraints(void **state)
{
    const double tol = 1e-8;
    daedal_system system = {.n = 5, .residual = pendulum};
    daedal_options options = defaults_with(tol, tol);
    double y[5], yp[5], from = 0.0;
    (void)state;
    daedal_solver *s = started(&system, &options, 0.0, (double[]){0.8, -0.6, 0, 0, 0}, NULL);
    while (from < 3.0) {
        expect_status(s, daedal_solver_step(s, 3.0), DAEDAL_OK);
        double to = daedal_solver_state(s)->t;
        for (int i = 1; i < 8; i++) {
            double t = from + i / 8.0 * (to - from);
            expect_status(s, daedal_solver_evaluate(s, t, y, yp), DAEDAL_OK);
            expect_near(y[0] * y[0] + y[1] * y[1], 1.0, 10.0 * tol);
            expect_near(y[0] * y[2] + y[1] * y[3], 0.0, 10.0 * tol);
            expect_near(y[4], y[2] * y[2] + y[3] * y[3] - GRAVITY * y[1], 1000.0 * tol);
            assert_true(daedal_solver_state(s)->t == to);
        }
        from = to;
    }
    daedal_solver_free(s);
}

/* As with daedal_solver_interpolate, y or y' alone can be asked for. */
static void half_of_the_values_can_be_asked_for(void **state)
{
    daedal_system system = {.n = 2, .residual = decay};
    double y[2], yp[2], half[2];
    (void)state;
    daedal_solver *s = started(&system, NULL, 0.0, (double[]){1, 1}, NULL);
    expect_status(s, daedal_solver_step(s, 4.0), DAEDAL_OK);
    double end = daedal_solver_state(s)->t;
    for (int k = 1; k <= 2; k++) {
        double t = 0.5 * k * end;
        expect_status(s, daedal_solver_evaluate(s, t, y, yp), DAEDAL_OK);
        expect_status(s, daedal_solver_evaluate(s, t, half, NULL), DAEDAL_OK);
        expect_near(half[0], y[0], 1e-9);
        expect_near(half[1], y[1], 1e-9);
        expect_status(s, daedal_solver_evaluate(s, t, NULL, half), DAEDAL_OK);
        expect_near(half[0], yp[0], 1e-6);
        expect_status(s, daedal_solver_evaluate(s, t, NULL, NULL), DAEDAL_OK);
    }
    assert_int_equal(daedal_solver_evaluate(s, 2.0 * end, NULL, NULL), DAEDAL_ERR_ARGUMENT);
    daedal_solver_free(s);
}

/* sin wt, cos wt, their product, by y1' = w y2 q and y2' = -w y1 q, q = (1 + y1^2 + y2^2) / 2. */
typedef struct wheel {
    int32_t n;
    int answer, calls;
} wheel;

static const double W = 3.0;

static int turn(double t, const double *y, const double *yp, double *r, void *user)
{
    wheel *of = user;
    double q = 0.5 * (1.0 + y[0] * y[0] + y[1] * y[1]);
    (void)t;
    of->calls++;
    if (of->answer != DAEDAL_CALL_OK)
        return of->answer;
    r[0] = yp[0] - W * y[1] * q;
    r[1] = yp[1] + W * y[0] * q;
    if (of->n == 3)
        r[2] = y[2] - y[0] * y[1];
    return DAEDAL_CALL_OK;
}

/* Whatever F answers when values inside the last step are asked for, the answer is handed on, or
 * the interpolant is all there is; and the run goes on as if nobody had asked. */
static void failures_inside_steps_leave_the_run_alone(void **state)
{
    static const struct {
        const char *method;
        double rtol;
    } rows[] = {{"bdf", 1e-5},   {"bdf_classic", 1e-5}, {"radau", 1e-3},
                {"radau", 1e-5}, {"radau", 1e-7},       {"radau", 1e-9},
                {"rodas", 1e-5}, {"limex", 1e-5},       {"dopri", 1e-5}};
    static const int answers[] = {DAEDAL_CALL_RETRY, DAEDAL_CALL_STOP, DAEDAL_CALL_FAIL};
    static const daedal_status wanted[] = {DAEDAL_OK, DAEDAL_STOPPED, DAEDAL_ERR_CALLBACK};
    int asked = 0;
    (void)state;
    for (size_t k = 0; k < COUNT(rows) * COUNT(answers); k++) {
        const char *method = rows[k / COUNT(answers)].method;
        double rtol = rows[k / COUNT(answers)].rtol;
        size_t which = k % COUNT(answers);
        wheel user = {.n = strcmp(method, "dopri") == 0 ? 2 : 3};
        double y[3], yp[3], from = 0.0;
        daedal_system system = {.n = user.n, .residual = turn, .user = &user};
        daedal_options options = defaults_with(rtol, rtol);
        assert_int_equal(daedal_options_set(&options, "method", method), DAEDAL_OK);
        daedal_solver *s = started(&system, &options, 0.0, (double[]){0.0, 1.0, 0.0}, NULL);
        while (from < 3.0) {
            expect_status(s, daedal_solver_step(s, 3.0), DAEDAL_OK);
            double to = daedal_solver_state(s)->t, t = from + 0.4 * (to - from);
            user.calls = 0;
            user.answer = answers[which];
            daedal_status status = daedal_solver_evaluate(s, t, y, yp);
            assert_int_equal(status, user.calls > 0 ? wanted[which] : DAEDAL_OK);
            asked += user.calls > 0;
            if (status == DAEDAL_OK)
                expect_near(y[0], sin(W * t), 1e-2);
            user.answer = DAEDAL_CALL_OK;
            expect_status(s, daedal_solver_evaluate(s, t, y, yp), DAEDAL_OK);
            expect_near(y[0], sin(W * t), 100.0 * rtol);
            from = to;
        }
        expect_near(daedal_solver_state(s)->y[0], sin(3.0 * W), 100.0 * rtol);
        daedal_solver_free(s);
    }
    assert_true(asked > 100);
}

/* Steps beside the run begin on the polynomial of its last step, which is almost right: one or two
 * iterations, of one call for each stage, and two steps are enough. */
static void values_inside_steps_of_radau_are_cheap(void **state)
{
    wheel user = {.n = 3};
    daedal_system system = {.n = 3, .residual = turn, .user = &user};
    daedal_options options = defaults_with(1e-9, 1e-9);
    double y[3], yp[3], from = 0.0;
    int32_t asked = 0, calls = 0;
    (void)state;
    assert_int_equal(daedal_options_set(&options, "method", "radau"), DAEDAL_OK);
    daedal_solver *s = started(&system, &options, 0.0, (double[]){0.0, 1.0, 0.0}, NULL);
    for (; from < 3.0; asked++) {
        expect_status(s, daedal_solver_step(s, 3.0), DAEDAL_OK);
        double to = daedal_solver_state(s)->t;
        user.calls = 0;
        expect_status(s, daedal_solver_evaluate(s, from + 0.4 * (to - from), y, yp), DAEDAL_OK);
        calls += user.calls;
        from = to;
    }
    assert_in_range(calls, 0, 16 * asked); /* 12 for each were measured */
    daedal_solver_free(s);
}

/* The values inside the first step of this start, by a solver that may have been in use. */
static void look_inside_first_step(daedal_solver *s, const double *start, double *y)
{
    double yp[3];
    expect_status(s, daedal_solver_start(s, 0.0, start, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_step(s, 3.0), DAEDAL_OK);
    double t = 0.4 * daedal_solver_state(s)->t;
    expect_status(s, daedal_solver_evaluate(s, t, y, yp), DAEDAL_OK);
}

/* A second run whose first step has the same ends as that of the first one: nothing is left of what
 * was found inside that. */
static void values_inside_steps_belong_to_this_run(void **state)
{
    static const char *const methods[] = {"radau", "rodas", "limex", "bdf", "bdf_classic"};
    const double starts[2][3] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
    (void)state;
    for (size_t k = 0; k < COUNT(methods); k++)
        for (double h = 0.05; h < 0.25; h += 0.01) {
            wheel user = {.n = 3};
            daedal_system system = {.n = 3, .residual = turn, .user = &user};
            daedal_options options = defaults_with(1e-9, 1e-9);
            double first[3], second[3];
            assert_int_equal(daedal_options_set(&options, "method", methods[k]), DAEDAL_OK);
            options.first_step = h;
            daedal_solver *used = solver_of(&system, &options),
                          *alone = solver_of(&system, &options);
            look_inside_first_step(used, starts[0], first);
            look_inside_first_step(used, starts[1], first);
            look_inside_first_step(alone, starts[1], second);
            assert_memory_equal(first, second, sizeof first);
            daedal_solver_free(used);
            daedal_solver_free(alone);
        }
}

typedef struct record {
    daedal_model *model;
    double t;
    int32_t n_checked;
} record;

/* The row before an event still belongs to the step that led there. */
static int check_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    record *r = user;
    double inside[2], middle = 0.5 * (r->t + t), kept[2] = {values[0], values[1]};
    if (t > r->t) {
        assert_int_equal(daedal_model_evaluate(r->model, middle, inside), DAEDAL_OK);
        double x = middle < 1.0 ? middle : 2.0 - middle;
        assert_true(fabs(inside[0] - x) < 1e-6);
        assert_true(fabs(inside[1] - x * x) < 1e-5);
        assert_memory_equal(kept, values, sizeof kept);
        r->n_checked++;
    } else if (kind == DAEDAL_ROW_AFTER_EVENT) {
        assert_int_equal(daedal_model_evaluate(r->model, 0.5 * t, inside), DAEDAL_ERR_ARGUMENT);
    }
    r->t = t;
    return DAEDAL_CALL_OK;
}

static void rows_can_be_completed_where_they_are_received(void **state)
{
    const char *text = "model M Real x(start = 0, fixed = true), z; equation\n"
                       "der(x) = if time < 1 then 1 else -1; z = x^2; end M;";
    char message[500];
    record r = {0};
    daedal_outcome outcome;
    double values[2];
    (void)state;
    assert_int_equal(
        daedal_model_parse(&r.model, "M", text, strlen(text), NULL, message, sizeof message),
        DAEDAL_OK);
    assert_int_equal(daedal_model_evaluate(r.model, 0.0, values), DAEDAL_ERR_CALL_SEQUENCE);
    daedal_simulation how = {.t_stop = 2, .every_step = 1, .row = check_row, .row_user = &r};
    assert_int_equal(daedal_model_simulate(r.model, &how, &outcome), DAEDAL_OK);
    assert_true(r.n_checked >= 2 && r.t == 2.0);
    daedal_model_free(r.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_inside_steps_meet_the_constraints),
        cmocka_unit_test(values_inside_steps_meet_hidden_constraints),
        cmocka_unit_test(half_of_the_values_can_be_asked_for),
        cmocka_unit_test(values_inside_steps_meet_the_tolerance),
        cmocka_unit_test(failures_inside_steps_leave_the_run_alone),
        cmocka_unit_test(values_inside_steps_of_radau_are_cheap),
        cmocka_unit_test(values_inside_steps_belong_to_this_run),
        cmocka_unit_test(rows_can_be_completed_where_they_are_received)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
