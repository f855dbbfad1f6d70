/* tests/unit/test_live_runs.c - what changes in a run that is under way: parameters, options; and
 * states that are taken back, or continued by another handle. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

enum { POINTS = 12, WIDTH = 3 };

static void expect_refusal(daedal_model *m, daedal_status got, const char *part)
{
    assert_true(got < 0);
    if (!strstr(daedal_model_diagnosis(m)->message, part))
        fail_msg("'%s' is not in '%s'", part, daedal_model_diagnosis(m)->message);
}

static double value_of(daedal_model *m, const char *name)
{
    double value = NAN;
    expect_model_ok(m, daedal_model_get(m, daedal_model_find(m, name), &value));
    return value;
}

static daedal_status set(daedal_model *m, const char *name, double value)
{
    return daedal_model_set(m, daedal_model_find(m, name), value);
}

static const char *const METHODS[] = {"auto", "bdf", "radau", "rodas", "limex", "dopri"};

/* ---- parameters ---- */

static const char DECAY[] =
    "model Decay parameter Real m = 2, k = 1, limit = 0.01, period = 0.4; parameter Integer n = 2;"
    " parameter Real twice = 2*k; Real x(start = 1, fixed = true), q(start = 0, fixed = true), "
    "y[n];"
    " discrete Integer c(start = 0, fixed = true), d(start = 0, fixed = true); equation"
    " m*der(x) = -k*x; der(q) = twice; for i in 1:n loop y[i] = i*k*x; end for;"
    " when x < limit then c = pre(c) + 1; end when;"
    " when sample(0.3, period) then d = pre(d) + 1; end when; end Decay;";

static daedal_model *begin_decay(const char *method, daedal_options *o)
{
    daedal_model *m = model_of_text(DECAY);
    daedal_options_defaults(o);
    o->rtol = 1e-8;
    o->atol = 1e-11;
    assert_int_equal(daedal_options_set(o, "method", method), DAEDAL_OK);
    daedal_simulation s = {.t_stop = 3.0, .options = o};
    expect_model_ok(m, daedal_model_begin(m, &s));
    return m;
}

/* They take effect together at the time of the call, and all that follows from them. */
static void test_parameters(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(METHODS); i++) {
        daedal_options o;
        daedal_model *m = begin_decay(METHODS[i], &o);
        daedal_model_state *saved;
        double first = NAN;
        expect_model_ok(m, daedal_model_advance(m, 1.0));
        expect_model_ok(m, daedal_model_save(m, &saved));
        for (int again = 0; again < 2; again++) {
            expect_model_ok(m, set(m, "m", 1.0));
            expect_model_ok(m, set(m, "k", 3.0));
            expect_near(value_of(m, "x"), exp(-0.5), 1e-7);
            expect_near(value_of(m, "k"), 3.0, 0.0);
            expect_near(value_of(m, "twice"), 6.0, 0.0);
            expect_near(value_of(m, "y[2]"), 6.0 * exp(-0.5), 1e-6);
            expect_near(value_of(m, "der(x)"), -3.0 * exp(-0.5), 1e-6);
            expect_model_ok(m, daedal_model_advance(m, 2.0));
            expect_near(value_of(m, "x"), exp(-3.5), 1e-7);
            expect_near(value_of(m, "q"), 2.0 + 6.0, 1e-6);
            expect_near(value_of(m, "c"), 0.0, 0.0);
            assert_true(!again || value_of(m, "x") == first);
            first = value_of(m, "x");
            expect_model_ok(m, set(m, "limit", 0.5)); /* x has been below it for some time */
            expect_near(value_of(m, "c"), 1.0, 0.0);
            expect_model_ok(m, daedal_model_restore(m, saved));
            expect_near(value_of(m, "k"), 1.0, 0.0);
            expect_near(value_of(m, "limit"), 0.01, 0.0);
        }
        daedal_model_state_free(saved);
        expect_model_ok(m, daedal_model_end(m, NULL));
        daedal_model_free(m);
    }
}

/* A nonlinear constraint that jumps takes the states with it, near or far. */
static void test_constraint(void **state)
{
    static const char *const kinds[] = {"input Real L(start = 1)", "parameter Real L = 1"};
    static const double lengths[] = {1.001, 1.5, 0.6};
    (void)state;
    for (size_t k = 0; k < COUNT(kinds) * COUNT(lengths); k++) {
        double length = lengths[k / COUNT(kinds)];
        char text[400];
        snprintf(text, sizeof text,
                 "model P %s; Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0,"
                 " fixed = true), v, f; Boolean b = x > 0; equation der(x) = u; der(y) = v;"
                 " der(u) = -f*x; der(v) = -f*y - 9.81; x^2 + y^2 = L^2; end P;",
                 kinds[k % COUNT(kinds)]);
        daedal_model *m = model_of_text(text);
        daedal_simulation s = {.t_stop = 3.0};
        expect_model_ok(m, daedal_model_begin(m, &s));
        expect_model_ok(m, daedal_model_advance(m, 1.0));
        expect_model_ok(m, set(m, "L", length));
        expect_near(hypot(value_of(m, "x"), value_of(m, "y")), length, 1e-5);
        expect_near(value_of(m, "x") * value_of(m, "u") + value_of(m, "y") * value_of(m, "v"), 0.0,
                    1e-5);
        expect_model_ok(m, daedal_model_advance(m, 3.0));
        expect_near(hypot(value_of(m, "x"), value_of(m, "y")), length, 1e-5);
        daedal_model_free(m);
    }
}

static void test_structural(void **state)
{
    (void)state;
    daedal_options o;
    daedal_model *m = begin_decay("auto", &o);
    expect_model_ok(m, daedal_model_advance(m, 1.0));
    expect_refusal(m, set(m, "n", 3.0), "structural parameter");
    expect_refusal(m, set(m, "m", 0.0), "structural parameter");
    expect_refusal(m, set(m, "period", 0.1), "structural parameter"); /* times of sample() */
    expect_refusal(m, set(m, "x", 0.0), "start value is set before the run");
    expect_refusal(m, set(m, "n", 1.5), "whole number");
    expect_model_ok(m, daedal_model_advance(m, 2.0));
    expect_near(value_of(m, "x"), exp(-1.0), 1e-7);
    expect_near(value_of(m, "d"), 5.0, 0.0);
    expect_model_ok(m, set(m, "k", 5.0)); /* not taken before the end: for the next run */
    expect_model_ok(m, daedal_model_end(m, NULL));
    expect_near(value_of(m, "k"), 5.0, 0.0);
    expect_model_ok(m, set(m, "n", 3.0));
    daedal_model_free(m);
}

/* ---- options ---- */

static void test_model_options(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(METHODS); i++) {
        daedal_options o;
        daedal_model *m = begin_decay(METHODS[i], &o);
        daedal_outcome end;
        expect_model_ok(m, daedal_model_advance(m, 1.0));
        o.max_step = 0.01;
        expect_model_ok(m, daedal_model_set_options(m, &o));
        expect_model_ok(m, daedal_model_advance(m, 2.0));
        o.max_step = 0.0;
        o.rtol = 1e-3;
        o.atol = 1e-6;
        expect_model_ok(m, daedal_model_set_options(m, &o));
        o.event_samples = 7;
        expect_refusal(m, daedal_model_set_options(m, &o), "option event_samples cannot change");
        o.event_samples = 3;
        o.rtol = -1.0;
        expect_refusal(m, daedal_model_set_options(m, &o), "rtol");
        expect_model_ok(m, daedal_model_advance(m, 3.0));
        expect_near(value_of(m, "x"), exp(-1.5), 1e-3);
        expect_model_ok(m, daedal_model_end(m, &end));
        assert_true(end.stats.steps >= 100); /* of the second second */
        expect_refusal(m, daedal_model_set_options(m, &o), "no run");
        daedal_model_free(m);
    }
}

static int oscillator(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return DAEDAL_CALL_OK;
}

static double error_at(daedal_solver *s, double t)
{
    const daedal_state *now = daedal_solver_state(s);
    assert_int_equal(daedal_solver_advance(s, t), DAEDAL_OK);
    return fabs(now->y[0] - cos(t));
}

static void test_solver_options(void **state)
{
    daedal_system sys = {.n = 2, .residual = oscillator};
    const double y0[2] = {1.0, 0.0};
    (void)state;
    for (size_t i = 0; i < COUNT(METHODS); i++) {
        daedal_options o = defaults_with(1e-10, 1e-13);
        daedal_options_set(&o, "method", METHODS[i]);
        daedal_solver *s;
        assert_int_equal(daedal_solver_create(&s, &sys, &o, NULL), DAEDAL_OK);
        assert_int_equal(daedal_solver_set_options(s, &o), DAEDAL_OK); /* before the start */
        assert_int_equal(daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
        assert_true(error_at(s, 5.0) < 1e-8);
        int64_t exact = daedal_solver_stats(s)->steps;
        o.rtol = 1e-4;
        o.atol = 1e-7;
        assert_int_equal(daedal_solver_set_options(s, &o), DAEDAL_OK);
        assert_true(error_at(s, 10.0) < 1e-2);
        bool is_bdf = strcmp(METHODS[i], "bdf") == 0; /* others change their order as well */
        assert_true(!is_bdf || daedal_solver_stats(s)->steps - exact < exact);
        o.max_steps = 1;
        o.max_step = 0.1;
        assert_int_equal(daedal_solver_set_options(s, &o), DAEDAL_OK);
        assert_int_equal(daedal_solver_advance(s, 12.0), DAEDAL_ERR_STEP_LIMIT);
        o.linear_solver = 1;
        assert_int_equal(daedal_solver_set_options(s, &o), DAEDAL_ERR_ARGUMENT);
        assert_non_null(strstr(daedal_solver_diagnosis(s)->message, "option linear_solver"));
        assert_int_equal(daedal_solver_set_options(s, NULL), DAEDAL_ERR_ARGUMENT);
        daedal_solver_free(s);
    }
    assert_int_equal(daedal_solver_set_options(NULL, NULL), DAEDAL_ERR_ARGUMENT);
}

/* ---- states ---- */

/* Counters of when; delays; random numbers; a table with bends; a constraint; data for an input. */
static const char *const KINDS[] = {
    "model Ball parameter Real e = 0.8; Real h(start = 1, fixed = true), v(fixed = true); discrete"
    " Integer n(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; when h < 0 then"
    " reinit(v, -e*pre(v)); n = pre(n) + 1; end when; end Ball;",
    "model Delayed parameter Real k = 1; Real x(start = 1, fixed = true), y; discrete Real s(start"
    " = 0, fixed = true); equation der(x) = -k*delay(x, 0.3) + s; y = delay(x*x, 0.2); when"
    " sample(0.1, 0.25) then s = 0.3 - 0.1*pre(s); end when; end Delayed;",
    "model Random parameter Real k = 1; Real x(start = 0, fixed = true), y; discrete Integer"
    " r(start = 7, fixed = true); equation der(x) = k*(r/31.0 - x); y = x; when sample(0, 0.05)"
    " then r = mod(13*pre(r) + 5, 31); end when; end Random;",
    "package Tables class Table extends ExternalObject; function constructor input Real p[:, :];"
    " output Table t; external \"C\" t = ModelicaStandardTables_CombiTable1D_init2(\"NoName\","
    " \"NoName\", p, size(p, 1), size(p, 2), {2}, 1, 1, 1, false); end constructor; end Table;"
    " function value input Table t; input Real u; output Real y; external \"C\" y ="
    " ModelicaStandardTables_CombiTable1D_getValue(t, 1, u); end value; model M parameter Table t ="
    " Table({{0, 0}, {0.7, 1}, {1.2, 3}, {3, 0}}); parameter Real k = 1; Real x(start = 0, fixed ="
    " true), y = value(t, time), z = value(t, x); equation der(x) = y - k*x; end M; end Tables;",
    "model Pendulum parameter Real g = 9.81; Real x(start = 0.6, fixed = true), y(start = -0.8),"
    " u(start = 0, fixed = true), v, f; equation der(x) = u; der(y) = v; der(u) = -f*x;"
    " der(v) = -f*y - g; x^2 + y^2 = 1; end Pendulum;",
    "model Fed input Real w; parameter Real k = 1; Real x(start = 0, fixed = true), y, z; equation"
    " der(x) = w - k*x; y + 0.1*sin(y) = x; z = if y > 0.2 then 1 else 0; annotation(experiment("
    "StopTime = 3)); end Fed;",
};

static int count_call(const daedal_progress *where, void *user)
{
    (void)where;
    ++*(int *)user;
    return DAEDAL_CALL_OK;
}

/* A run that counts its reports of progress. */
static daedal_model *make(const char *text, const char *method, int *calls)
{
    static const double times[] = {0.0, 0.8, 0.8, 4.0}, values[] = {0.0, 1.0, -1.0, 2.0};
    daedal_model *m;
    char message[600];
    if (daedal_model_parse(&m, "text", text, strlen(text), NULL, message, sizeof message) != 0)
        return NULL;
    daedal_options o = defaults_with(1e-6, 1e-9);
    daedal_options_set(&o, "method", method);
    o.progress = count_call;
    o.callback_user = calls;
    daedal_signal data = {.times = {times, 4}, .values = {values, 4}};
    if (daedal_model_find(m, "w") >= 0)
        expect_model_ok(m, daedal_model_feed(m, daedal_model_find(m, "w"), &data));
    daedal_simulation s = {.t_stop = 3.0, .options = &o};
    expect_model_ok(m, daedal_model_begin(m, &s));
    return m;
}

static void keep_points(daedal_model *m, double (*to)[WIDTH])
{
    for (int i = 0; i < POINTS; i++) {
        expect_model_ok(m, daedal_model_advance(m, 0.95 + 0.15 * i));
        for (int j = 0; j < WIDTH; j++)
            expect_model_ok(m, daedal_model_get(m, j, &to[i][j]));
    }
}

/* The same bits in the handle of the state and in another one, wherever that is; each calls the
 * functions of its own run. */
static void check_clone(const char *text, const char *method)
{
    static double first[POINTS][WIDTH], second[POINTS][WIDTH], third[POINTS][WIDTH];
    int of_a = 0, of_b = 0;
    daedal_model *a = make(text, method, &of_a), *b = make(text, method, &of_b);
    daedal_model_state *saved;
    assert_non_null(a);
    const char *parameter = daedal_model_find(a, "k") >= 0   ? "k"
                            : daedal_model_find(a, "e") >= 0 ? "e"
                                                             : "g";
    expect_model_ok(a, daedal_model_advance(a, 0.5));
    expect_model_ok(a, set(a, parameter, 0.75));
    expect_model_ok(a, daedal_model_advance(a, 0.93));
    expect_model_ok(a, daedal_model_save(a, &saved));
    keep_points(a, first);
    expect_model_ok(b, daedal_model_advance(b, 1.7));
    expect_model_ok(b, daedal_model_restore(b, saved));
    assert_true(daedal_model_time(b) == 0.93);
    expect_near(value_of(b, parameter), 0.75, 0.0);
    of_a = of_b = 0;
    keep_points(b, second);
    assert_true(of_a == 0 && of_b > 0);
    expect_model_ok(a, daedal_model_restore(a, saved));
    keep_points(a, third);
    assert_true(of_a > 0);
    assert_memory_equal(first, second, sizeof first);
    assert_memory_equal(first, third, sizeof first);
    daedal_model_state_free(saved);
    daedal_model_free(a); /* b does not need it any more */
    expect_model_ok(b, daedal_model_advance(b, 3.0));
    expect_model_ok(b, daedal_model_end(b, NULL));
    daedal_model_free(b);
}

static void test_clones(void **state)
{
    static const char *const methods[] = {"auto", "bdf", "rodas"};
    (void)state;
    for (size_t k = 0; k < COUNT(KINDS); k++)
        for (size_t i = 0; i < COUNT(methods); i++)
            check_clone(KINDS[k], methods[i]);
}

static void test_foreign_states(void **state)
{
    (void)state;
    int calls = 0;
    daedal_model *a = make(KINDS[0], "auto", &calls), *b = make(KINDS[1], "auto", &calls),
                 *c = model_of_text(KINDS[0]);
    daedal_simulation shorter = {.t_stop = 2.0};
    daedal_model_state *saved;
    expect_model_ok(a, daedal_model_save(a, &saved));
    expect_refusal(b, daedal_model_restore(b, saved), "another model");
    expect_refusal(c, daedal_model_restore(c, saved), "no run");
    expect_model_ok(c, daedal_model_begin(c, &shorter));
    expect_refusal(c, daedal_model_restore(c, saved), "other times");
    expect_model_ok(b, daedal_model_advance(b, 1.0));
    expect_model_ok(c, daedal_model_advance(c, 1.0));
    daedal_model_state_free(saved);
    daedal_model_free(a);
    daedal_model_free(b);
    daedal_model_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constraint),     cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_structural),     cmocka_unit_test(test_model_options),
        cmocka_unit_test(test_solver_options), cmocka_unit_test(test_clones),
        cmocka_unit_test(test_foreign_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
