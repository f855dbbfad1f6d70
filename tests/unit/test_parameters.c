/* tests/unit/test_parameters.c - parameters that are set after the model was read: the run is that
 * of a model read with these values, bit for bit, whether they decide what the equations are or
 * not; or the value is refused and nothing has changed.
 */
#include <math.h>
#include <string.h>

#include "harness.h"

enum { SETTINGS_MAX = 3, ROWS_MAX = 60, WIDTH_MAX = 12 };

typedef struct rows {
    int n, width;
    double t[ROWS_MAX], value[ROWS_MAX][WIDTH_MAX];
} rows;

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    rows *r = user;
    (void)kind;
    if (r->n == ROWS_MAX)
        return DAEDAL_CALL_OK;
    r->t[r->n] = t;
    memcpy(r->value[r->n++], values, (size_t)r->width * sizeof *values);
    return DAEDAL_CALL_OK;
}

static daedal_model *read_text(const char *text, const daedal_setting *settings, int32_t n)
{
    daedal_model *m;
    char message[600];
    daedal_model_options options = {.parameters = settings, .n_parameters = n};
    if (daedal_model_parse(&m, "text", text, strlen(text), &options, message, sizeof message) != 0)
        fail_msg("%s", message);
    return m;
}

static void run(daedal_model *m, double t_stop, rows *r)
{
    daedal_simulation s = {.t_stop = t_stop, .intervals = 10, .row = keep_row, .row_user = r};
    daedal_outcome outcome;
    *r = (rows){.width = daedal_model_describe(m)->n_variables};
    assert_true(r->width <= WIDTH_MAX);
    if (daedal_model_simulate(m, &s, &outcome) < 0)
        fail_msg("%s", outcome.diagnosis.message);
}

static void set(daedal_model *m, const char *name, double value)
{
    if (daedal_model_set(m, daedal_model_find(m, name), value) != DAEDAL_OK)
        fail_msg("%s", daedal_model_diagnosis(m)->message);
}

static void expect_same(const rows *a, const rows *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->t, b->t, (size_t)a->n * sizeof *a->t);
    for (int k = 0; k < a->n; k++)
        assert_memory_equal(a->value[k], b->value[k], (size_t)a->width * sizeof(double));
}

typedef struct example {
    const char *text;
    daedal_setting settings[SETTINGS_MAX];
    int32_t n;
    double t_stop;
} example;

static const example EXAMPLES[] = {
    {"model Robertson parameter Real k1 = 0.04, k2 = 3e7, k3 = 1e4; Real a(start = 1, fixed = "
     "true),"
     " b(start = 0, fixed = true), c; equation der(a) = -k1*a + k3*b*c;"
     " der(b) = k1*a - k3*b*c - k2*b^2; a + b + c = 1; end Robertson;",
     {{"k1", 0.05}, {"k2", 2e7}, {"k3", 1.5e4}},
     3,
     40.0},
    {"model Pendulum parameter Real L = 1, g = 9.81; final parameter Real w = sqrt(g/L);"
     " Real x(start = 0.6*L, fixed = true), y(start = -0.8*L), u(start = 0, fixed = true), v, f, s;"
     " equation der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - g; x^2 + y^2 = L^2;"
     " s = w*time; end Pendulum;",
     {{"L", 1.3}, {"g", 1.62}},
     2,
     2.0},
    {"model Ball parameter Real e = 0.8, h0 = 1; parameter Real floor = -e/10;"
     " Real h(start = h0, fixed = true), v(start = 0, fixed = true); equation der(h) = v;"
     " der(v) = -9.81; when h < floor then reinit(v, -e*pre(v)); end when; end Ball;",
     {{"e", 0.6}, {"h0", 1.4}},
     2,
     1.5},
    {"model Clock parameter Real period = 0.25, late = 0.3, k = 1; Real x(start = 1, fixed = true);"
     " discrete Real s(start = 0, fixed = true); Real on; equation der(x) = -k*x + s;"
     " on = if time < late then 1 else 0; when sample(0.1, period) then s = pre(s) + on; end when;"
     " end Clock;",
     {{"period", 0.2}, {"late", 0.55}, {"k", 1.5}},
     3,
     1.0},
    {"model Circuit parameter Real R = 100, C = 1e-3, V = 5; Real v, i, u, w(start = 1); equation"
     " u = V; u - v = R*i; C*der(v) = i; w^3 + w = v/V; initial equation v = V/4; end Circuit;",
     {{"R", 220}, {"V", 3}},
     2,
     0.3},
    {"model Two parameter Real a = 2; parameter Real b = 2*a, c = b + a; Real x(start = c, fixed ="
     " true), y(min = 0); equation der(x) = -b*x; y = c*x^1.7 + abs(a)*exp(-b/4); end Two;",
     {{"a", 1.25}, {"b", 0.75}},
     2,
     1.0},
};

static void test_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof EXAMPLES / sizeof *EXAMPLES; k++) {
        const example *e = &EXAMPLES[k];
        daedal_model *once = read_text(e->text, NULL, 0);
        daedal_model *fresh = read_text(e->text, e->settings, e->n);
        static rows before, set_rows, fresh_rows, again;
        run(once, e->t_stop, &before);
        for (int32_t i = 0; i < e->n; i++)
            set(once, e->settings[i].name, e->settings[i].value);
        run(once, e->t_stop, &set_rows);
        run(fresh, e->t_stop, &fresh_rows);
        print_message("example %zu\n", k);
        expect_same(&set_rows, &fresh_rows);
        for (int32_t i = 0; i < e->n; i++)
            set(once, e->settings[i].name, NAN);
        run(once, e->t_stop, &again);
        expect_same(&before, &again);
        assert_memory_not_equal(set_rows.value[5], before.value[5],
                                (size_t)before.width * sizeof(double));
        daedal_model_free(once);
        daedal_model_free(fresh);
    }
}

/* What reading refuses is refused at the start of a run. */
static void test_interval(void **state)
{
    (void)state;
    daedal_model *m = read_text(EXAMPLES[3].text, NULL, 0);
    daedal_simulation s = {.t_stop = 1.0};
    daedal_outcome outcome;
    set(m, "period", -0.25);
    assert_int_equal(daedal_model_simulate(m, &s, &outcome), DAEDAL_ERR_START);
    assert_non_null(strstr(outcome.diagnosis.message, "sample() in line 1 is -0.25"));
    daedal_model_free(m);
}

static void expect_refusal(daedal_model *m, const char *name, double value, const char *part)
{
    assert_true(daedal_model_set(m, daedal_model_find(m, name), value) < 0);
    if (!strstr(daedal_model_diagnosis(m)->message, part))
        fail_msg("'%s' is not in '%s'", part, daedal_model_diagnosis(m)->message);
}

/* ---- values that decide what the equations are ---- */

/* Three values one after the other, NAN for that of the text: each run is that of a model read with
 * the value, bit for bit, also where both have no start.                            */
typedef struct structural {
    const char *text, *name;
    double values[3];
} structural;

static const structural STRUCTURAL[] = {
    {"model Mass parameter Real m = 2; Real x(start = 1), v(start = 0), f; equation der(x) = v;"
     " m*der(v) = f; f = -x - v + sin(time); end Mass;",
     "m",
     {0.0, 3.0, NAN}},
    {"model Inductance parameter Real L = 1e-2, R = 2, C = 0.1; Real i(start = 0), v(start = 0);"
     " equation L*der(i) = 5 - v - R*i; C*der(v) = i; end Inductance;",
     "L",
     {0.0, 2e-2, 0.0}},
    {"model Capacitance parameter Real L = 1e-2, R = 2, C = 0.1; Real i(start = 0), v(start = 0);"
     " equation L*der(i) = 5 - v - R*i; C*der(v) = i; end Capacitance;",
     "C",
     {0.0, 0.2, NAN}},
    {"model Rank parameter Real a = 2; Real x(start = 1), y(start = 0); equation"
     " der(x) + a*der(y) = -x; der(x) + der(y) = -y; end Rank;",
     "a",
     {3.0, 1.0, 2.5}},
    {"model Coefficient parameter Real a = 2; Real x(start = 1, fixed = true), y, z; equation"
     " der(x) = y; y + z*(a - 1) = x; z + y = 0.5*x; end Coefficient;",
     "a",
     {1.0, 3.0, NAN}},
    {"model Contradiction parameter Real m = 2; Real x(start = 1, fixed = true), y; equation"
     " m*der(x) = -x + y; y = sin(time); end Contradiction;",
     "m",
     {0.0, 1.0, 0.0}},
    {"model Size parameter Integer n = 3; Real x[n](each start = 1, each fixed = true); equation"
     " for i in 1:n loop der(x[i]) = -i*x[i]; end for; end Size;",
     "n",
     {5.0, 2.0, NAN}},
    {"model Branch parameter Boolean b = true; parameter Real k = 2; Real x(start = 1, fixed ="
     " true); equation if b then der(x) = -k*x; else der(x) = 1; end if; end Branch;",
     "b",
     {0.0, 1.0, NAN}},
    {"model Condition parameter Boolean u = true; Real x(start = 1, fixed = true); Real y if u;"
     " equation der(x) = -x; if u then y = 2*x; end if; end Condition;",
     "u",
     {0.0, 1.0, NAN}},
    {"model Power parameter Real p = 2; Real x(start = 1, fixed = true); equation der(x) = -x^p;"
     " end Power;",
     "p",
     {3.0, 1.5, NAN}},
    {"model Easier parameter Real g = 2; Real x(start = 1, fixed = true), y; equation der(x) = -x;"
     " y + homotopy(y^3, y) = g*x; end Easier;",
     "g",
     {3.0, 1.0, NAN}},
    {"function sum_to input Real u; output Real s; algorithm s := 0; for i in 1:integer(u) loop"
     " s := s + i; end for; end sum_to; model Called parameter Real g = 2; Real x(start = 1, fixed "
     "="
     " true); equation der(x) = -sum_to(g)*x; end Called;",
     "g",
     {3.0, 1.0, NAN}},
    {"model Vector parameter Real k[2] = {1, 2}; Real x(start = 1, fixed = true); equation der(x) ="
     " -k[1]*x + k[2]; end Vector;",
     "k[2]",
     {0.0, 3.0, NAN}},
    {"model Kind type T = enumeration(one, two); parameter T t = T.one; Real x(start = 1, fixed ="
     " true); equation der(x) = if t == T.one then -x else 1; end Kind;",
     "t",
     {2.0, 1.0, NAN}},
};

static daedal_status try_run(daedal_model *m, rows *r)
{
    daedal_simulation s = {.t_stop = 1.0, .intervals = 10, .row = keep_row, .row_user = r};
    *r = (rows){.width = daedal_model_describe(m)->n_variables};
    assert_true(r->width <= WIDTH_MAX);
    return daedal_model_simulate(m, &s, NULL);
}

static void test_structural(void **state)
{
    static rows got, expected;
    (void)state;
    for (size_t k = 0; k < COUNT(STRUCTURAL); k++) {
        const structural *s = &STRUCTURAL[k];
        daedal_model *m = read_text(s->text, NULL, 0);
        for (size_t i = 0; i < COUNT(s->values); i++) {
            daedal_setting setting = {s->name, s->values[i]};
            daedal_model *fresh = read_text(s->text, &setting, isnan(s->values[i]) ? 0 : 1);
            set(m, s->name, s->values[i]);
            assert_int_equal(try_run(m, &got), try_run(fresh, &expected));
            expect_same(&got, &expected);
            daedal_model_free(fresh);
        }
        daedal_model_free(m);
    }
}

/* Sizes that must fit each other: one alone is refused, both together are read. */
static void test_together(void **state)
{
    static const char text[] =
        "model Fit parameter Integer n = 2, m = 2; parameter Real a[n] = fill(1.0, m), k = 1; Real"
        " x[n](each start = 1, each fixed = true); equation der(x) = -k*a; end Fit;";
    static const daedal_setting both[] = {{"n", 3.0}, {"m", 3.0}, {"k", 2.0}};
    static const daedal_setting back[] = {{"n", NAN}, {"m", NAN}, {"k", 1.0}};
    static const daedal_setting wrong[] = {{"k", 5.0}, {"x[1]", 3.0}};
    static rows got, expected;
    (void)state;
    daedal_model *m = read_text(text, NULL, 0), *fresh = read_text(text, both, 3);
    assert_true(daedal_model_set(m, daedal_model_find(m, "n"), 3.0) < 0);
    assert_int_equal(daedal_model_set_parameters(m, both, 3), DAEDAL_OK);
    run(m, 1.0, &got);
    run(fresh, 1.0, &expected);
    expect_same(&got, &expected);
    assert_true(daedal_model_set_parameters(m, wrong, 2) < 0); /* and k stays */
    assert_non_null(strstr(daedal_model_diagnosis(m)->message, "no parameter x[1]"));
    assert_true(daedal_model_set_parameters(m, both, 1) == DAEDAL_OK);
    assert_true(daedal_model_set_parameters(m, &back[1], 1) < 0);
    run(m, 1.0, &got);
    expect_same(&got, &expected);
    daedal_model_free(fresh);
    fresh = read_text(text, NULL, 0);
    assert_int_equal(daedal_model_set_parameters(m, back, 3), DAEDAL_OK);
    run(m, 1.0, &got);
    run(fresh, 1.0, &expected);
    expect_same(&got, &expected);
    daedal_model_free(fresh);
    daedal_model_free(m);
}

/* What else was set comes along; options of the first reading stay. */
static void test_settings_stay(void **state)
{
    static const char text[] =
        "model Kept parameter Integer n = 2; parameter Real k = 1, c = 3; input Real u; input Real"
        " w; Real x[n](each start = 1, each fixed = true), y(start = 0, fixed = true); equation"
        " for i in 1:n loop der(x[i]) = -k*x[i]; end for; der(y) = u + c*w; end Kept;";
    double data[2] = {0.0, 2.0};
    daedal_signal ramp = {.times = {data, 2}, .values = {data, 2}};
    daedal_setting c = {"c", 10.0};
    (void)state;
    daedal_model *m = read_text(text, &c, 1);
    int32_t x2 = daedal_model_find(m, "x[2]"), u = daedal_model_find(m, "u");
    assert_int_equal(daedal_model_set(m, x2, 5.0), DAEDAL_OK);
    assert_int_equal(daedal_model_set(m, u, 7.0), DAEDAL_OK);
    assert_int_equal(daedal_model_feed(m, daedal_model_find(m, "w"), &ramp), DAEDAL_OK);
    set(m, "k", 2.0);
    set(m, "n", 3.0);
    assert_true(daedal_model_set(m, u, 1.0) < 0); /* u has another number now */
    assert_non_null(strstr(daedal_model_diagnosis(m)->message, "from before"));
    double value = NAN;
    assert_true(daedal_model_get(m, x2, &value) < 0);
    daedal_simulation s = {.t_stop = 1.0};
    assert_int_equal(daedal_model_begin(m, &s), DAEDAL_OK);
    assert_int_equal(daedal_model_advance(m, 1.0), DAEDAL_OK);
    assert_int_equal(daedal_model_get(m, daedal_model_find(m, "x[2]"), &value), DAEDAL_OK);
    expect_near(value, 5.0 * exp(-2.0), 1e-5);
    assert_int_equal(daedal_model_get(m, daedal_model_find(m, "x[3]"), &value), DAEDAL_OK);
    expect_near(value, exp(-2.0), 1e-5);
    assert_int_equal(daedal_model_get(m, daedal_model_find(m, "y"), &value), DAEDAL_OK);
    expect_near(value, 7.0 + 10.0 * 0.5, 1e-5);
    assert_int_equal(daedal_model_end(m, NULL), DAEDAL_OK);
    expect_refusal(m, "n", 1.0, "x[2]"); /* its start value was set */
    set(m, "x[2]", NAN);
    set(m, "n", 1.0);
    assert_true(daedal_model_find(m, "x[2]") < 0);
    assert_int_equal(daedal_model_describe(m)->first_number, daedal_model_find(m, "n"));
    daedal_model_free(m);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char text[] =
        "model M parameter Real m = 2, limit = 1; parameter Integer n = 3;"
        " constant Real c = 2; parameter Real f = 3*m; Real x(start = 1, fixed = true), y[n];"
        " equation m*der(x) = -x; for i in 1:n loop y[i] = (if limit > 0 then i*x else"
        " limit) + c + f; end for; end M;";
    daedal_model *m = read_text(text, NULL, 0);
    static rows before, after;
    run(m, 1.0, &before);
    expect_refusal(m, "n", -4.0, "cannot have size -4");
    expect_refusal(m, "n", 1.5, "whole number");
    expect_refusal(m, "c", 4.0, "'c' is a constant");
    expect_refusal(m, "m", INFINITY, "infinite");
    run(m, 1.0, &after);
    expect_same(&before, &after);
    set(m, "limit", 1.0); /* the value it has */
    daedal_simulation s = {.t_stop = 1.0};
    assert_int_equal(daedal_model_begin(m, &s), DAEDAL_OK);
    expect_refusal(m, "m", 0.0, "structural parameter");
    daedal_model_free(m);
}

/* What daedal_model_tunings says of a parameter is what daedal_model_set then does. */
static void test_tunings(void **state)
{
    (void)state;
    static const char text[] =
        "model M parameter Real m(unit = \"kg\") = 2, limit = 1, zero = 0, p = 2, s(fixed = false);"
        " parameter Integer n = 3; constant Real c = 2; final parameter Real f = 3*m;"
        " input Real u(start = 0.5, max = 4); output Real x(start = 1, fixed = true), y[n];"
        " initial equation s = 2*x; equation m*der(x) = -x^p + zero + u + s;"
        " for i in 1:n loop y[i] = (if limit > 0 then i*x else limit) + c + f; end for; end M;";
    static const struct {
        const char *name;
        daedal_tuning tuning;
        double value;
    } expected[] = {
        {"m", DAEDAL_TUNING_LIVE, 2.0},         {"limit", DAEDAL_TUNING_CONDITIONAL, 1.0},
        {"zero", DAEDAL_TUNING_STRUCTURE, 0.0}, {"p", DAEDAL_TUNING_STRUCTURE, 2.0},
        {"n", DAEDAL_TUNING_STRUCTURE, 3.0},    {"f", DAEDAL_TUNING_FINAL, 6.0},
        {"c", DAEDAL_TUNING_NONE, 2.0},         {"s", DAEDAL_TUNING_NONE, NAN},
        {"x", DAEDAL_TUNING_NONE, NAN},
    };
    daedal_model *m = read_text(text, NULL, 0);
    const daedal_model_info *info = daedal_model_describe(m);
    daedal_tuning tunings[40];
    assert_true(info->n_variables <= 40);
    assert_int_equal(daedal_model_tunings(m, tunings), DAEDAL_OK);
    assert_int_equal(daedal_model_tunings(m, NULL), DAEDAL_ERR_ARGUMENT);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        int32_t number = daedal_model_find(m, expected[k].name);
        assert_int_equal(tunings[number], expected[k].tuning);
        double value = info->variables[number].value;
        assert_true(value == expected[k].value || (isnan(value) && isnan(expected[k].value)));
    }
    set(m, "m", 2.5);
    set(m, "limit", 3.0);
    expect_refusal(m, "f", 4.0, "final");
    const daedal_model_variable *x = &info->variables[daedal_model_find(m, "x")];
    assert_true(x->is_output && x->is_state && x->is_fixed && x->start == 1.0 && !x->is_parameter);
    const daedal_model_variable *u = &info->variables[daedal_model_find(m, "u")];
    assert_true(u->is_input && !u->is_state && u->maximum == 4.0 && isinf(u->minimum));
    assert_true(isnan(u->nominal));
    const daedal_model_variable *y = &info->variables[daedal_model_find(m, "y[2]")];
    assert_true(y->is_output && !y->is_state && isnan(y->start));
    daedal_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),     cmocka_unit_test(test_interval),
        cmocka_unit_test(test_structural),    cmocka_unit_test(test_together),
        cmocka_unit_test(test_settings_stay), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_tunings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
