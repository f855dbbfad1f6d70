/* tests/unit/test_verification.c - solutions that are compared with others: what counts as a
 * difference, and what follows from it.                                          */
#include <math.h>
#include <string.h>

#include "base/choices.h"
#include "solver/perturbed_system.h"
#include "verify/run_comparison.h"

#include "driving.h"
#include "harness.h"
#include "modelling.h"

/* ---- rows ---- */

/* x = t, and a step of height one at t_jump, with output points every tenth. */
static void record_step(recorded_run *r, double t_jump, double offset)
{
    recorded_create(r, 2, NULL);
    bool jumped = false;
    for (int k = 0; k <= 10; k++) {
        double t = 0.1 * k;
        if (!jumped && t >= t_jump) {
            recorded_add(r, DAEDAL_ROW_BEFORE_EVENT, t_jump, (double[]){t_jump + offset, 0.0},
                         NULL);
            recorded_add(r, DAEDAL_ROW_AFTER_EVENT, t_jump, (double[]){t_jump + offset, 1.0}, NULL);
            jumped = true;
        }
        recorded_add(r, DAEDAL_ROW_POINT, t, (double[]){t + offset, jumped ? 1.0 : 0.0}, NULL);
    }
}

static double largest_error(double jump_a, double jump_b, double offset, double *event_shift)
{
    recorded_run a, b;
    run_comparison c;
    double error[2], most = 0.0;
    const double atol[2] = {0.0, 0.0};
    record_step(&a, jump_a, 0.0);
    record_step(&b, jump_b, offset);
    comparison_setup setup = {.a = &a, .b = &b, .rtol = 1e-6, .atol = atol};
    assert_true(comparison_create(&c, &setup));
    for (int32_t k = 0; k < a.n_rows; k++)
        if (comparison_row(&c, k, error))
            most = fmax(most, fmax(error[0], error[1]));
    *event_shift = c.event_shift;
    comparison_free(&c);
    recorded_free(&a);
    recorded_free(&b);
    return most;
}

/* The output point at 0.5 lies between the two jumps. */
static void test_shift(void **state)
{
    (void)state;
    static const struct {
        double jump_a, jump_b, offset, low, high, shift;
    } rows[] = {
        {0.45, 0.45, 0.0, 0.0, 1e-9, 0.0},                  /* the same                       */
        {0.5 - 1e-6, 0.5 + 1e-6, 0.0, 0.0, 1e-6, 2e-6},     /* other event times              */
        {0.5 + 1e-6, 0.5 - 1e-6, 0.0, 0.0, 1e-6, 2e-6},     /* and the other way round        */
        {0.5 - 1e-3, 0.5 + 1e-3, 0.0, 1e5, 1e7, 0.0},       /* too far apart to be an error   */
        {0.45, 0.45, 5e-5, 40.0, 60.0, 0.0},                /* another value: 50 tolerances   */
        {0.5 - 1e-6, 0.5 + 1e-6, 5e-4, 400.0, 600.0, 2e-6}, /* a shift does not hide it       */
        {0.45, 2.0, 0.0, 1e5, 1e7, 0.0},                    /* a jump that the other lacks    */
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        double shift = -1.0;
        double error = largest_error(rows[k].jump_a, rows[k].jump_b, rows[k].offset, &shift);
        assert_true(error >= rows[k].low && error <= rows[k].high);
        expect_near(shift, rows[k].shift, 1e-12);
    }
}

/* A discrete variable is compared at the events too: its short pulse is seen there alone. */
static void test_discrete(void **state)
{
    (void)state;
    const bool is_discrete[] = {true};
    const double atol[] = {0.0};
    for (int wrong = 0; wrong < 2; wrong++) {
        recorded_run rows[2];
        run_comparison c;
        double error[1], most = 0.0;
        for (int r = 0; r < 2; r++) {
            recorded_create(&rows[r], 1, NULL);
            double inside = r == 1 && wrong ? 3.0 : 2.0;
            recorded_add(&rows[r], DAEDAL_ROW_POINT, 0.0, (double[]){1.0}, NULL);
            recorded_add(&rows[r], DAEDAL_ROW_BEFORE_EVENT, 0.3, (double[]){1.0}, NULL);
            recorded_add(&rows[r], DAEDAL_ROW_AFTER_EVENT, 0.3, &inside, NULL);
            recorded_add(&rows[r], DAEDAL_ROW_BEFORE_EVENT, 0.6, &inside, NULL);
            recorded_add(&rows[r], DAEDAL_ROW_AFTER_EVENT, 0.6, (double[]){1.0}, NULL);
            recorded_add(&rows[r], DAEDAL_ROW_POINT, 1.0, (double[]){1.0}, NULL);
        }
        comparison_setup setup = {
            .a = &rows[0], .b = &rows[1], .rtol = 1e-6, .atol = atol, .is_discrete = is_discrete};
        assert_true(comparison_create(&c, &setup));
        for (int32_t k = 0; k < rows[0].n_rows; k++)
            if (comparison_row(&c, k, error))
                most = fmax(most, error[0]);
        assert_true(wrong ? most > 1e5 : most == 0.0);
        assert_int_equal(c.n_events[0], 2);
        comparison_free(&c);
        recorded_free(&rows[0]);
        recorded_free(&rows[1]);
    }
}

/* Rows keep their order and values while memory grows; columns are picked. */
static void test_rows(void **state)
{
    (void)state;
    ledger books;
    ledger_open(&books);
    recorded_run r;
    const int32_t which[] = {2, 0};
    recorded_create(&r, 2, &books.allocator);
    for (int k = 0; k < 3000; k++)
        recorded_add(&r, DAEDAL_ROW_POINT, k, (double[]){k, -1.0, 2.0 * k}, which);
    assert_int_equal(r.n_rows, 3000);
    for (int k = 0; k < 3000; k++) {
        expect_near(recorded_row(&r, k)[0], 2.0 * k, 0.0);
        expect_near(recorded_row(&r, k)[1], k, 0.0);
        assert_int_equal(recorded_find(&r, k - 0.5), k);
    }
    assert_int_equal(recorded_find(&r, 1e9), 3000);
    recorded_free(&r);
    ledger_expect_empty(&books);
}

/* ---- functions ---- */

static int oscillator(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1];
    f[1] = -y[0];
    return DAEDAL_CALL_OK;
}

static int lorenz(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = 10.0 * (y[1] - y[0]);
    f[1] = y[0] * (28.0 - y[2]) - y[1];
    f[2] = y[0] * y[1] - 8.0 / 3.0 * y[2];
    return DAEDAL_CALL_OK;
}

/* A run with `points` output points; `wrong`: the first run makes a mistake half way. */
typedef struct course {
    double t_end;
    int points, runs;
    bool wrong;
} course;

static int drive(daedal_solver *s, void *user)
{
    course *c = user;
    const double y0[] = {1.0, 0.5, 0.25};
    bool first = c->runs++ == 0;
    if (daedal_solver_start(s, 0.0, y0, NULL) < 0)
        return DAEDAL_CALL_FAIL;
    for (int k = 1; k <= c->points; k++) {
        if (daedal_solver_advance(s, c->t_end * k / c->points) < 0)
            return DAEDAL_CALL_FAIL;
        if (c->wrong && first && k == c->points / 2) {
            double y[3];
            const daedal_state *now = daedal_solver_state(s);
            memcpy(y, now->y, (size_t)now->n * sizeof *y);
            y[0] += 0.1;
            if (daedal_solver_restart(s, y, NULL) < 0)
                return DAEDAL_CALL_FAIL;
        }
    }
    return DAEDAL_CALL_OK;
}

static void test_functions(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "v", "z"};
    static const struct {
        daedal_rhs_fn *rhs;
        int32_t n;
        course c;
        daedal_verdict verdict;
    } rows[] = {
        {oscillator, 2, {20.0, 100, 0, false}, DAEDAL_VERDICT_AGREES},
        {oscillator, 2, {20.0, 100, 0, true}, DAEDAL_VERDICT_DISAGREES},
        {lorenz, 3, {5.0, 100, 0, false}, DAEDAL_VERDICT_AGREES},
        {lorenz, 3, {40.0, 400, 0, false}, DAEDAL_VERDICT_DIVERGES},
        {lorenz, 3, {5.0, 100, 0, true}, DAEDAL_VERDICT_DISAGREES},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        daedal_system sys = {.n = rows[k].n, .rhs = rows[k].rhs, .variable_names = names};
        daedal_verification v;
        daedal_diagnosis why;
        course c = rows[k].c;
        assert_int_equal(daedal_verify(&sys, NULL, drive, &c, &v, &why), DAEDAL_OK);
        assert_int_equal(v.verdict, rows[k].verdict);
        assert_int_equal(v.is_other_method, 1);
        expect_near(v.rtol, 1e-8, 1e-20);
        assert_true(c.runs >= 2);
        assert_true(v.n_worst >= 1 && v.n_worst <= rows[k].n);
        assert_true((v.error > 100.0) == (v.verdict != DAEDAL_VERDICT_AGREES));
        for (int32_t i = 1; i < v.n_worst; i++)
            assert_true(v.worst[i - 1].error >= v.worst[i].error);
        assert_string_equal(v.worst[0].name, names[v.worst[0].variable]);
        expect_near(fabs(v.worst[0].value - v.worst[0].other),
                    v.worst[0].error * v.worst[0].tolerance, 1e-6 * fabs(v.worst[0].value) + 1e-9);
    }
}

/* Chaos is told from when on: errors of 1e-6 grow like exp(0.9 t). */
static void test_chaos(void **state)
{
    (void)state;
    daedal_system sys = {.n = 3, .rhs = lorenz};
    course c = {40.0, 400, 0, false};
    daedal_verification v;
    assert_int_equal(daedal_verify(&sys, NULL, drive, &c, &v, NULL), DAEDAL_OK);
    assert_int_equal(v.verdict, DAEDAL_VERDICT_DIVERGES);
    assert_true(v.t_diverge > 5.0 && v.t_diverge < 30.0);
    assert_true(v.growth > 10.0);
    expect_text(v.message, "diverge from t = ");
    expect_text(v.message, "by nature");
}

/* Bad arguments, and runs that fail. */
static int give_up(daedal_solver *s, void *user)
{
    (void)s, (void)user;
    return DAEDAL_CALL_FAIL;
}

static void test_arguments(void **state)
{
    (void)state;
    daedal_system sys = {.n = 2, .rhs = oscillator};
    daedal_verification v;
    daedal_diagnosis why;
    course c = {1.0, 1, 0, false};
    assert_int_equal(daedal_verify(NULL, NULL, drive, &c, &v, &why), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_verify(&sys, NULL, NULL, &c, &v, &why), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_verify(&sys, NULL, drive, &c, NULL, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_verify(&sys, NULL, give_up, &c, &v, &why), DAEDAL_ERR_CALLBACK);
    assert_int_equal(v.verdict, DAEDAL_VERDICT_NONE);
    assert_string_equal(daedal_verdict_name(DAEDAL_VERDICT_DIVERGES), "diverges");
    assert_string_equal(daedal_verdict_name((daedal_verdict)99), "unknown");
}

/* All memory is given back, whichever allocation fails. */
static void test_memory(void **state)
{
    (void)state;
    for (long refuse = 0; refuse < 400; refuse += refuse < 40 ? 1 : 23) {
        ledger books;
        ledger_open(&books);
        books.refuse = refuse;
        daedal_system sys = {.n = 2, .rhs = oscillator};
        daedal_options opt = defaults_with(1e-4, 1e-6);
        opt.allocator = &books.allocator;
        daedal_verification v;
        course c = {1.0, 4, 0, true};
        daedal_verify(&sys, &opt, drive, &c, &v, NULL);
        ledger_expect_empty(&books);
    }
}

/* ---- models ---- */

static daedal_verdict verdict_of(const char *declarations, const char *equations, double t_stop,
                                 daedal_verification *v)
{
    trial t;
    trial_open(&t, declarations, equations);
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_simulation how = {
        .t_stop = t_stop, .intervals = 200, .options = &opt, .scale_atol = 1, .verify = 1};
    daedal_outcome outcome;
    daedal_status status = daedal_model_simulate(t.model, &how, &outcome);
    assert_true(status >= 0);
    assert_non_null(outcome.verification);
    *v = *outcome.verification;
    trial_close(&t);
    return v->verdict;
}

static void test_models(void **state)
{
    (void)state;
    static const struct {
        const char *declarations, *equations;
        double t_stop;
        daedal_verdict verdict;
    } rows[] = {
        {"Real x(start = 1, fixed = true);", "der(x) = -x;", 5.0, DAEDAL_VERDICT_AGREES},
        /* impacts */
        {"Real h(start = 1, fixed = true), v(start = 0, fixed = true);",
         "der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.8*pre(v)); end when;", 3.0,
         DAEDAL_VERDICT_AGREES},
        /* a relay with hysteresis, whose events follow from the state */
        {"Real T(start = 20, fixed = true); Boolean on(start = true, fixed = true);",
         "der(T) = (if on then 5 else 0) - 0.1*(T - 10); on = T < 20 or pre(on) and T < 22;", 20.0,
         DAEDAL_VERDICT_AGREES},
        /* samples and delays */
        {"Real x(start = 0, fixed = true), u(start = 0, fixed = true);",
         "der(x) = u - x; when sample(0, 0.1) then u = sin(time) - 0.5*pre(u); end when;", 3.0,
         DAEDAL_VERDICT_AGREES},
        {"Real x(start = 1, fixed = true);", "der(x) = -delay(x, 0.5);", 4.0,
         DAEDAL_VERDICT_AGREES},
        /* chaos */
        {"Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);",
         "der(x) = 10*(y - x); der(y) = x*(28 - z) - y; der(z) = x*y - 8/3*z;", 40.0,
         DAEDAL_VERDICT_DIVERGES},
        /* the angle of a quantity that is nothing but roundoff */
        {"Real x(start = 1, fixed = true), y(start = 1, fixed = true), d, a;",
         "der(x) = -sin(x); der(y) = -sin(y)*(1 + 1e-13*x); d = x - y; a = atan2(d, 1e-12 + d^2);",
         3.0, DAEDAL_VERDICT_DIVERGES},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        daedal_verification v;
        daedal_verdict got =
            verdict_of(rows[k].declarations, rows[k].equations, rows[k].t_stop, &v);
        if (got != rows[k].verdict)
            fail_msg("%s: %s", rows[k].equations, v.message);
    }
}

/* A run whose errors add up: the local error of order 1 is within its tolerance, but the sum over
 * thousands of steps is not.  Other variables are not to blame.                   */
static void test_wrong_run(void **state)
{
    (void)state;
    trial t;
    trial_open(&t,
               "Real x(start = 1, fixed = true), v(start = 0, fixed = true), "
               "z(start = 1, fixed = true);",
               "der(x) = v; der(v) = -x; der(z) = -z;");
    daedal_options opt = options_of("method=bdf order_max=1 calibrate_tolerance=no rtol=1e-4");
    daedal_simulation how = {
        .t_stop = 50.0, .intervals = 200, .options = &opt, .scale_atol = 1, .verify = 1};
    daedal_outcome outcome;
    assert_int_equal(daedal_model_simulate(t.model, &how, &outcome), DAEDAL_OK);
    const daedal_verification *v = outcome.verification;
    assert_int_equal(v->verdict, DAEDAL_VERDICT_DISAGREES);
    assert_string_equal(v->method, "radau");
    assert_int_equal(v->n_variables, 3);
    assert_int_equal(v->n_apart, 2);
    assert_true(strcmp(v->worst[0].name, "x") == 0 || strcmp(v->worst[0].name, "v") == 0);
    assert_string_equal(v->worst[2].name, "z");
    expect_text(v->message, "gives another solution");
    trial_close(&t);
}

/* The result is what it is without verification, and so are its rows. */
typedef struct tally {
    int rows;
    double sum;
} tally;

static int add_up(daedal_row_kind kind, double t, const double *values, void *user)
{
    tally *x = user;
    x->rows++;
    x->sum += (1.0 + (double)kind) * (t + values[0]);
    return DAEDAL_CALL_OK;
}

static void test_result_is_kept(void **state)
{
    (void)state;
    tally seen[2] = {{0}};
    int64_t steps[2] = {0};
    for (int verify = 0; verify < 2; verify++) {
        trial t;
        trial_open(
            &t, "Real h(start = 1, fixed = true), v(start = 0, fixed = true);",
            "der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.8*pre(v)); end when;");
        daedal_simulation how = {.t_stop = 2.0,
                                 .intervals = 50,
                                 .row = add_up,
                                 .row_user = &seen[verify],
                                 .verify = verify};
        daedal_outcome outcome;
        assert_int_equal(daedal_model_simulate(t.model, &how, &outcome), DAEDAL_OK);
        assert_true((outcome.verification != NULL) == (verify == 1));
        steps[verify] = outcome.stats.steps;
        trial_close(&t);
    }
    assert_int_equal(seen[0].rows, seen[1].rows);
    assert_true(seen[0].sum == seen[1].sum);
    assert_int_equal(steps[0], steps[1]);
}

/* ---- perturbations ---- */

static void test_perturbation(void **state)
{
    (void)state;
    const double size[] = {1e-3, 1.0, 0.0};
    double most[3] = {0.0}, apart = 0.0;
    for (int k = 0; k <= 1000; k++) {
        double y[3] = {0.0}, other[3] = {0.0};
        perturbation p = {size, 2.0, 5.0, 0}, q = {size, 2.0, 5.0, 1};
        perturbation_add(&p, 2.0 + 0.005 * k, y, 3);
        perturbation_add(&q, 2.0 + 0.005 * k, other, 3);
        for (int i = 0; i < 3; i++)
            most[i] = fmax(most[i], fabs(y[i]));
        apart = fmax(apart, fabs(y[1] - other[1]));
    }
    for (int i = 0; i < 3; i++)
        expect_near(most[i], size[i], 1e-2 * size[i]);
    assert_true(apart > 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shift),        cmocka_unit_test(test_discrete),
        cmocka_unit_test(test_rows),         cmocka_unit_test(test_functions),
        cmocka_unit_test(test_chaos),        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_memory),       cmocka_unit_test(test_wrong_run),
        cmocka_unit_test(test_models),       cmocka_unit_test(test_result_is_kept),
        cmocka_unit_test(test_perturbation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
