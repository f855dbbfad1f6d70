/* tests/unit/test_parameters.c - parameters that are set after the model was read: the run is that
 * of a model read with these values, bit for bit, or the value is refused and nothing has changed.
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
    assert_int_equal(daedal_model_set(m, daedal_model_find(m, name), value), DAEDAL_ERR_ARGUMENT);
    if (!strstr(daedal_model_diagnosis(m)->message, part))
        fail_msg("'%s' is not in '%s'", part, daedal_model_diagnosis(m)->message);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char text[] =
        "model M parameter Real m = 2, limit = 1, zero = 0, p = 2; parameter Integer n = 3;"
        " constant Real c = 2; final parameter Real f = 3*m; Real x(start = 1, fixed = true), y[n];"
        " equation m*der(x) = -x^p + zero; for i in 1:n loop y[i] = (if limit > 0 then i*x else"
        " limit) + c + f; end for; end M;";
    daedal_model *m = read_text(text, NULL, 0);
    static rows before, after;
    run(m, 1.0, &before);
    const char *decides = "decides what the equations are";
    expect_refusal(m, "m", 0.0, decides);
    expect_refusal(m, "limit", -1.0, decides);
    expect_refusal(m, "zero", 1.0, decides);
    expect_refusal(m, "p", 3.0, decides);
    expect_refusal(m, "n", 4.0, decides);
    expect_refusal(m, "c", 4.0, decides);
    expect_refusal(m, "f", 4.0, decides);
    expect_refusal(m, "m", INFINITY, "infinite");
    run(m, 1.0, &after);
    expect_same(&before, &after);
    set(m, "limit", 1.0); /* the value it has */
    daedal_simulation s = {.t_stop = 1.0};
    assert_int_equal(daedal_model_begin(m, &s), DAEDAL_OK);
    expect_refusal(m, "m", 3.0, "before the run");
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
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_tunings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
