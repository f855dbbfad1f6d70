/* tests/unit/test_stepping.c - api/model_stepping.c: models that the caller drives. */
#include <math.h>
#include <string.h>

#include "harness.h"

enum { ROWS_MAX = 400, WIDTH = 8 };

static int32_t number_of(daedal_model *m, const char *name)
{
    int32_t k = daedal_model_find(m, name);
    if (k < 0)
        fail_msg("%s", daedal_model_diagnosis(m)->message);
    return k;
}

static double value_of(daedal_model *m, const char *name)
{
    double value = NAN;
    if (daedal_model_get(m, number_of(m, name), &value) != DAEDAL_OK)
        fail_msg("%s", daedal_model_diagnosis(m)->message);
    return value;
}

static void expect_message(daedal_model *m, daedal_status got, daedal_status want, const char *part)
{
    assert_int_equal(got, want);
    if (!strstr(daedal_model_diagnosis(m)->message, part))
        fail_msg("'%s' is not in '%s'", part, daedal_model_diagnosis(m)->message);
}

static const char BALL[] =
    "model Ball parameter Real e = 0.8; Real h(start = 1, fixed = true), v(fixed = true);"
    " discrete Integer n(start = 0, fixed = true); Real twice = 2*h; Real w; equation der(h) = v;"
    " der(v) = -9.81; w = -v; when h < 0 then reinit(v, -e*pre(v)); n = pre(n) + 1; end when;"
    " end Ball;";
static const char DELAYED[] =
    "model Delayed Real x(start = 1, fixed = true), y; discrete Real s(start = 0, fixed = true);"
    " equation der(x) = -delay(x, 0.3) + s; y = x*x; when sample(0.1, 0.25) then"
    " s = 0.3 - 0.1*pre(s); end when; end Delayed;";
static const char PENDULUM[] =
    "model Pendulum Real x(start = 1, fixed = true), y, u(start = 0, fixed = true), v, f; equation"
    " der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 9.81; x^2 + y^2 = 1; end Pendulum;";

/* ---- in one go and call by call ---- */

typedef struct rows {
    int n;
    double t[ROWS_MAX], value[ROWS_MAX][WIDTH];
} rows;

static int keep_point(daedal_row_kind kind, double t, const double *values, void *user)
{
    rows *r = user;
    if (kind != DAEDAL_ROW_POINT || r->n == ROWS_MAX)
        return DAEDAL_CALL_OK;
    r->t[r->n] = t;
    memcpy(r->value[r->n++], values, 4 * sizeof(double));
    return DAEDAL_CALL_OK;
}

/* The points to which the caller advances are output points of the run in one go. */
static void test_same_bits(void **state)
{
    static const char *const texts[] = {BALL, DELAYED, PENDULUM};
    enum { N = 50 };
    (void)state;
    for (size_t k = 0; k < COUNT(texts); k++) {
        daedal_model *m = model_of_text(texts[k]);
        rows r = {0};
        daedal_simulation s = {
            .t_stop = 2.0, .intervals = N, .no_event_rows = 1, .row = keep_point, .row_user = &r};
        expect_model_ok(m, daedal_model_simulate(m, &s, NULL));
        assert_int_equal(r.n, N + 1);
        daedal_simulation by_calls = {.t_stop = 2.0};
        expect_model_ok(m, daedal_model_begin(m, &by_calls));
        for (int i = 0; i <= N; i++) {
            assert_int_equal(daedal_model_advance(m, r.t[i]), DAEDAL_OK);
            assert_true(daedal_model_time(m) == r.t[i]);
            for (int j = 0; j < 3; j++) {
                double value = NAN;
                expect_model_ok(m, daedal_model_get(m, j, &value));
                assert_true(value == r.value[i][j]);
            }
        }
        daedal_outcome done;
        assert_int_equal(daedal_model_end(m, &done), DAEDAL_OK);
        assert_true(done.t == 2.0);
        daedal_model_free(m);
    }
}

/* By single steps the run arrives at the same place, to the tolerance. */
static void test_single_steps(void **state)
{
    (void)state;
    daedal_model *m = model_of_text(BALL);
    daedal_simulation s = {.t_stop = 1.5};
    expect_model_ok(m, daedal_model_begin(m, &s));
    int n = 0;
    double before = 0.0;
    while (daedal_model_time(m) < 1.2) {
        expect_model_ok(m, daedal_model_step(m, 1.2));
        assert_true(daedal_model_time(m) >= before && daedal_model_time(m) <= 1.2);
        before = daedal_model_time(m);
        assert_true(++n < 1000);
    }
    /* falls for 0.4515 s, and begins to rise at 0.8 * 4.4294 m/s */
    double t = 1.2 - sqrt(2.0 / 9.81), up = 0.8 * sqrt(2.0 * 9.81), flight = 2.0 * up / 9.81;
    double late = t - flight;
    double expected =
        late < 0.0 ? up * t - 0.5 * 9.81 * t * t : 0.8 * up * late - 0.5 * 9.81 * late * late;
    expect_near(value_of(m, "h"), expected, 1e-4);
    assert_int_equal(daedal_model_step(m, 9.0), DAEDAL_OK);
    assert_int_equal(daedal_model_advance(m, 9.0), DAEDAL_AT_STOP_TIME);
    assert_true(daedal_model_time(m) == 1.5);
    expect_model_ok(m, daedal_model_end(m, NULL));
    daedal_model_free(m);
}

static void test_names(void **state)
{
    (void)state;
    daedal_model *m = model_of_text(BALL);
    daedal_simulation s = {.t_stop = 1.0};
    assert_true(value_of(m, "e") == 0.8); /* parameters need no run */
    expect_model_ok(m, daedal_model_begin(m, &s));
    expect_model_ok(m, daedal_model_advance(m, 0.25));
    double h = 1.0 - 0.5 * 9.81 * 0.0625;
    expect_near(value_of(m, "h"), h, 1e-5);
    expect_near(value_of(m, "twice"), 2.0 * h, 1e-5);
    expect_near(value_of(m, "w"), 9.81 * 0.25, 1e-5);
    expect_near(value_of(m, "der(h)"), -9.81 * 0.25, 1e-5);
    expect_near(value_of(m, "der(w)"), 9.81, 1e-6); /* of a copy of v with another sign */
    assert_int_equal(daedal_model_find(m, "der(n)"), -1);
    expect_message(m, DAEDAL_OK, DAEDAL_OK, "n is no state");
    assert_int_equal(daedal_model_find(m, "twise"), -1);
    expect_message(m, DAEDAL_OK, DAEDAL_OK, "did you mean twice?");
    assert_int_equal(daedal_model_find(m, "der(hh)"), -1);
    expect_model_ok(m, daedal_model_end(m, NULL));
    daedal_model_free(m);
}

/* ---- events ---- */

static void test_events(void **state)
{
    (void)state;
    daedal_model *m = model_of_text(BALL);
    daedal_simulation s = {.t_stop = 2.0, .stop_at_events = 1};
    expect_model_ok(m, daedal_model_begin(m, &s));
    assert_true(isnan(daedal_model_last_event(m)->t));
    assert_int_equal(daedal_model_advance(m, 1.0), DAEDAL_EVENT);
    expect_near(daedal_model_time(m), sqrt(2.0 / 9.81), 1e-6);
    const daedal_model_event *e = daedal_model_last_event(m);
    assert_true(e->t == daedal_model_time(m));
    assert_int_equal(e->n_relations, 1);
    assert_non_null(strstr(e->relations[0], "h < 0"));
    assert_int_equal(e->n_whens, 1);
    assert_string_equal(e->whens[0], "h < 0");
    assert_int_equal(e->when_lines[0], 1);
    assert_true(value_of(m, "v") > 0.0); /* after the event */
    assert_true(value_of(m, "n") == 1.0);
    while (daedal_model_advance(m, 2.0) == DAEDAL_EVENT)
        continue;
    assert_true(value_of(m, "n") >= 2.0);
    expect_model_ok(m, daedal_model_end(m, NULL));
    daedal_model_free(m);
}

static void test_terminate(void **state)
{
    static const char text[] = "model T Real x(start = 0, fixed = true); equation der(x) = 1;"
                               " when x > 0.5 then terminate(\"enough\"); end when; end T;";
    (void)state;
    daedal_model *m = model_of_text(text);
    daedal_simulation s = {.t_stop = 2.0};
    expect_model_ok(m, daedal_model_begin(m, &s));
    assert_int_equal(daedal_model_advance(m, 1.0), DAEDAL_AT_STOP_TIME);
    expect_near(daedal_model_time(m), 0.5, 1e-6);
    assert_int_equal(daedal_model_end(m, NULL), DAEDAL_OK);
    daedal_model_free(m);
}

/* ---- saved states ---- */

static void advance_and_keep(daedal_model *m, rows *r, double from, double to, int n)
{
    r->n = 0;
    for (int i = 1; i <= n; i++) {
        double t = from + (to - from) * i / n;
        assert_int_equal(daedal_model_advance(m, t), DAEDAL_OK);
        r->t[r->n] = t;
        for (int j = 0; j < 3; j++)
            expect_model_ok(m, daedal_model_get(m, j, &r->value[r->n][j]));
        r->n++;
    }
}

/* Noise by the generators of the Modelica library, whose states are discrete variables; a corner
 * without an event; events that chatter for a while. */
static const char NOISE[] =
    "model Noise Real x(start = 0, fixed = true), w; Real z(start = 0.3, fixed = true);"
    " discrete Real r(start = 0.2, fixed = true); equation der(x) = r - x; der(z) ="
    " noEvent(if x > 0.25 then 1 - z else -z); w = abs(x - 0.2); when sample(0, 0.05) then"
    " r = 3.9*pre(r)*(1 - pre(r)); end when; end Noise;";

/* Bounces that accumulate at t = 1.35; behind that the ball rests. */
static const char RESTING[] =
    "model Resting Real h(start = 1, fixed = true), v(start = 0, fixed = true), w; Boolean"
    " flying(start = true, fixed = true); equation der(h) = v; der(v) = if flying then -9.81 else "
    "0;"
    " w = -v; when h < 0 then reinit(v, -0.5*pre(v)); end when; when h <= 0 and abs(v) <= 1e-7 then"
    " flying = false; end when; end Resting;";

static void test_restore(void **state)
{
    static const char *const texts[] = {BALL, DELAYED, PENDULUM, NOISE, RESTING};
    static const char *const methods[] = {"auto", "bdf", "radau", "rodas", "limex"};
    static rows first, second, third;
    (void)state;
    for (size_t k = 0; k < COUNT(texts) * COUNT(methods); k++) {
        daedal_model *m = model_of_text(texts[k % COUNT(texts)]);
        daedal_options opt = defaults_with(1e-6, 1e-9);
        daedal_options_set(&opt, "method", methods[k / COUNT(texts)]);
        daedal_simulation s = {.t_stop = 3.0, .options = &opt};
        daedal_model_state *saved;
        expect_model_ok(m, daedal_model_begin(m, &s));
        expect_model_ok(m, daedal_model_advance(m, 0.93));
        expect_model_ok(m, daedal_model_save(m, &saved));
        advance_and_keep(m, &first, 0.93, 2.4, 40);
        expect_model_ok(m, daedal_model_restore(m, saved));
        assert_true(daedal_model_time(m) == 0.93);
        advance_and_keep(m, &second, 0.93, 2.4, 40);
        expect_model_ok(m, daedal_model_restore(m, saved)); /* a second time, and another way */
        expect_model_ok(m, daedal_model_advance(m, 2.9));
        expect_model_ok(m, daedal_model_restore(m, saved));
        advance_and_keep(m, &third, 0.93, 2.4, 40);
        assert_int_equal(memcmp(&first, &second, sizeof first), 0);
        assert_int_equal(memcmp(&first, &third, sizeof first), 0);
        expect_model_ok(m, daedal_model_end(m, NULL));
        expect_message(m, daedal_model_restore(m, saved), DAEDAL_ERR_CALL_SEQUENCE, "no run");
        expect_model_ok(m, daedal_model_begin(m, &s));
        expect_message(m, daedal_model_restore(m, saved), DAEDAL_ERR_ARGUMENT, "another run");
        daedal_model_state_free(saved);
        daedal_model_free(m);
    }
}

/* Inputs are part of the state, and a run that failed can be taken back. */
static void test_restore_after_failure(void **state)
{
    static const char text[] = "model F input Real u; Real x(start = 1, fixed = true); equation"
                               " der(x) = u*x; assert(x < 5, \"too large\"); end F;";
    (void)state;
    daedal_model *m = model_of_text(text);
    daedal_model_state *saved, *none;
    daedal_simulation s = {.t_stop = 9.0};
    int32_t u = number_of(m, "u");
    expect_message(m, daedal_model_save(m, &none), DAEDAL_ERR_CALL_SEQUENCE, "no run");
    assert_null(none);
    expect_model_ok(m, daedal_model_set(m, u, -0.5));
    expect_model_ok(m, daedal_model_begin(m, &s));
    expect_model_ok(m, daedal_model_advance(m, 1.0));
    expect_model_ok(m, daedal_model_save(m, &saved));
    expect_model_ok(m, daedal_model_set(m, u, 3.0));
    assert_true(daedal_model_advance(m, 4.0) < 0);
    expect_model_ok(m, daedal_model_restore(m, saved));
    assert_true(value_of(m, "u") == -0.5);
    expect_near(value_of(m, "x"), exp(-0.5), 1e-5);
    expect_model_ok(m, daedal_model_advance(m, 4.0));
    expect_near(value_of(m, "x"), exp(-2.0), 1e-5);
    daedal_model_state_free(saved);
    assert_int_equal(daedal_model_end(m, NULL), DAEDAL_OK);
    daedal_model_free(m);
}

/* ---- start values ---- */

static void test_start_values(void **state)
{
    (void)state;
    daedal_model *m = model_of_text(PENDULUM);
    daedal_simulation s = {.t_stop = 1.0};
    expect_model_ok(m, daedal_model_set(m, number_of(m, "x"), 0.6));
    expect_model_ok(m, daedal_model_begin(m, &s));
    expect_near(value_of(m, "x"), 0.6, 1e-12);
    expect_near(fabs(value_of(m, "y")), 0.8, 1e-9);
    expect_message(m, daedal_model_set(m, number_of(m, "x"), 0.7), DAEDAL_ERR_ARGUMENT,
                   "before the run");
    expect_model_ok(m, daedal_model_end(m, NULL));
    expect_model_ok(m, daedal_model_set(m, number_of(m, "x"), NAN)); /* as written again */
    expect_model_ok(m, daedal_model_begin(m, &s));
    assert_true(value_of(m, "x") == 1.0);
    expect_model_ok(m, daedal_model_end(m, NULL));
    daedal_model_free(m);
}

/* ---- inputs ---- */

/* Stairs of the time, written from outside, against the same stairs as an equation. */
static void test_input_as_equation(void **state)
{
    static const char driven[] =
        "model D input Real u(start = 0); Real x(start = 1, fixed = true), z, w; equation"
        " der(x) = -x + u; z^3 + z = u + x; w = 2*u; end D;";
    static const char closed[] =
        "model C Real u = floor(10*time); Real x(start = 1, fixed = true), z, w; equation"
        " der(x) = -x + u; z^3 + z = u + x; w = 2*u; end C;";
    static const char *const names[] = {"x", "z", "w", "der(x)"};
    (void)state;
    daedal_model *a = model_of_text(driven), *b = model_of_text(closed);
    daedal_simulation s = {.t_stop = 2.0};
    int32_t u = number_of(a, "u");
    expect_model_ok(a, daedal_model_begin(a, &s));
    expect_model_ok(b, daedal_model_begin(b, &s));
    for (int k = 0; k < 20; k++) {
        expect_model_ok(a, daedal_model_set(a, u, k));
        assert_true(value_of(a, "u") == k); /* what was written shows at once */
        assert_true(value_of(a, "w") == 2.0 * k);
        double t = 0.1 * k + 0.05;
        expect_model_ok(a, daedal_model_advance(a, t));
        expect_model_ok(b, daedal_model_advance(b, t));
        for (size_t i = 0; i < COUNT(names); i++)
            expect_near(value_of(a, names[i]), value_of(b, names[i]), 2e-5);
        expect_model_ok(a, daedal_model_advance(a, 0.1 * (k + 1)));
    }
    expect_model_ok(a, daedal_model_end(a, NULL));
    daedal_model_free(a);
    daedal_model_free(b);
}

/* Conditions of inputs, also of those that are no Reals, and inputs in arrays. */
static void test_discrete_inputs(void **state)
{
    static const char text[] =
        "model B input Boolean on; input Integer n(start = 3); input Real u[2];"
        " Integer k(start = 0, fixed = true), r(start = 0, fixed = true); Real x(start = 0,"
        " fixed = true); equation der(x) = if on then n + u[1] else 0;"
        " when on then k = pre(k) + 1; end when; when u[2] > 0.5 then r = pre(r) + n; end when;"
        " end B;";
    (void)state;
    daedal_model *m = model_of_text(text);
    daedal_simulation s = {.t_stop = 10.0, .stop_at_events = 1};
    expect_model_ok(m, daedal_model_begin(m, &s));
    expect_model_ok(m, daedal_model_advance(m, 1.0));
    assert_true(value_of(m, "x") == 0.0 && value_of(m, "k") == 0.0);
    expect_model_ok(m, daedal_model_set(m, number_of(m, "on"), 1.0));
    expect_model_ok(m, daedal_model_set(m, number_of(m, "u[1]"), 0.5));
    assert_int_equal(daedal_model_advance(m, 2.0), DAEDAL_OK); /* a value set is no event met */
    expect_near(value_of(m, "x"), 3.5, 1e-6);
    assert_true(value_of(m, "k") == 1.0);
    expect_model_ok(m, daedal_model_set(m, number_of(m, "n"), 5.0));
    expect_model_ok(m, daedal_model_set(m, number_of(m, "u[2]"), 1.0));
    assert_true(value_of(m, "r") == 5.0);
    const daedal_model_event *e = daedal_model_last_event(m);
    assert_int_equal(e->n_whens, 1);
    assert_string_equal(e->whens[0], "u[2] > 0.5");
    expect_message(m, daedal_model_set(m, number_of(m, "n"), 1.5), DAEDAL_ERR_ARGUMENT, "whole");
    expect_message(m, daedal_model_set(m, number_of(m, "u[1]"), NAN), DAEDAL_ERR_ARGUMENT,
                   "not finite");
    expect_model_ok(m, daedal_model_end(m, NULL));
    daedal_model_free(m);
}

/* The integrator begins again only where the equations read what has changed. */
static void test_input_of_outputs(void **state)
{
    static const char text[] = "model O input Real u; Real x(start = 1, fixed = true), y; equation"
                               " der(x) = -x; y = x + u; end O;";
    (void)state;
    daedal_model *m = model_of_text(text);
    daedal_simulation s = {.t_stop = 1.0};
    expect_model_ok(m, daedal_model_begin(m, &s));
    for (int k = 1; k <= 10; k++) {
        expect_model_ok(m, daedal_model_advance(m, 0.1 * k));
        expect_model_ok(m, daedal_model_set(m, number_of(m, "u"), k));
        expect_near(value_of(m, "y"), exp(-0.1 * k) + k, 1e-5);
    }
    daedal_outcome done;
    expect_model_ok(m, daedal_model_end(m, &done));
    assert_true(done.stats.restarts <= 1);
    daedal_model_free(m);
}

/* A constraint is differentiated, and with it the input, which is constant between two calls. */
static void test_input_in_constraint(void **state)
{
    static const char text[] = "model K input Real u(start = 1); Real x, v; equation der(x) = v;"
                               " x = u; end K;";
    (void)state;
    daedal_model *m = model_of_text(text);
    daedal_simulation s = {.t_stop = 1.0};
    expect_model_ok(m, daedal_model_begin(m, &s));
    expect_near(value_of(m, "x"), 1.0, 1e-12);
    expect_model_ok(m, daedal_model_advance(m, 0.5));
    expect_near(value_of(m, "v"), 0.0, 1e-9);
    expect_model_ok(m, daedal_model_set(m, number_of(m, "u"), 3.0));
    expect_model_ok(m, daedal_model_advance(m, 1.0));
    expect_near(value_of(m, "x"), 3.0, 1e-9);
    expect_near(value_of(m, "v"), 0.0, 1e-9);
    expect_model_ok(m, daedal_model_end(m, NULL));
    daedal_model_free(m);
}

/* ---- data over time ---- */

static daedal_signal signal_of(const double *t, const double *v, int32_t n, int how)
{
    return (daedal_signal){
        .times = {t, n}, .values = {v, n}, .interpolation = (daedal_interpolation)how};
}

/* x is the integral of u, whose data jump at 1 and have a corner at 2; n counts the jump. */
static void test_feed(void **state)
{
    static const char text[] =
        "model G input Real u; Real x(start = 0, fixed = true), z; Integer n(start = 0,"
        " fixed = true); equation der(x) = u; z = der(u); when u > 3 then n = pre(n) + 1; end when;"
        " end G;";
    static const double t[] = {0, 1, 1, 2, 4}, v[] = {0, 1, 5, 5, 0};
    static const double integral[] = {10.5, 15.0}; /* of straight lines, and of stairs */
    (void)state;
    for (int how = DAEDAL_LINEAR; how <= DAEDAL_PREVIOUS; how++) {
        daedal_model *m = model_of_text(text);
        int32_t u = number_of(m, "u");
        daedal_signal s = signal_of(t, v, COUNT(t), how);
        daedal_simulation run = {.t_stop = 4.0};
        expect_model_ok(m, daedal_model_feed(m, u, &s));
        expect_message(m, daedal_model_set(m, u, 1.0), DAEDAL_ERR_ARGUMENT, "follows data");
        expect_model_ok(m, daedal_model_begin(m, &run));
        expect_model_ok(m, daedal_model_advance(m, 1.0));
        expect_near(value_of(m, "u"), 5.0, 1e-9);
        assert_true(value_of(m, "n") == 1.0);
        expect_model_ok(m, daedal_model_advance(m, 3.0));
        expect_near(value_of(m, "z"), how == DAEDAL_LINEAR ? -2.5 : 0.0, 1e-12);
        expect_model_ok(m, daedal_model_advance(m, 4.0));
        expect_near(value_of(m, "x"), integral[how], 1e-6);
        expect_model_ok(m, daedal_model_end(m, NULL));
        run.t_stop = 4.5;
        expect_message(m, daedal_model_begin(m, &run), DAEDAL_ERR_ARGUMENT, "from t = 0 to 4");
        s.extrapolation = DAEDAL_HOLD;
        expect_model_ok(m, daedal_model_feed(m, u, &s));
        expect_model_ok(m, daedal_model_begin(m, &run));
        expect_model_ok(m, daedal_model_advance(m, 4.5));
        expect_near(value_of(m, "u"), 0.0, 1e-9);
        expect_message(m, daedal_model_feed(m, u, NULL), DAEDAL_ERR_CALL_SEQUENCE, "under way");
        expect_model_ok(m, daedal_model_end(m, NULL));
        daedal_model_free(m);
    }
}

/* A pulse between two rows of a long calm run is not stepped over; data on a line cost no steps. */
static void test_feed_pulse(void **state)
{
    static const char text[] = "model P input Real u; Real x(start = 0, fixed = true); equation"
                               " der(x) = u - 0.001*x; end P;";
    enum { N = 2001, AT = 777 };
    static double t[N], v[N];
    (void)state;
    for (int i = 0; i < N; i++)
        t[i] = 0.05 * i;
    daedal_model *m = model_of_text(text);
    daedal_outcome done;
    daedal_simulation run = {.t_stop = 100.0};
    for (int how = DAEDAL_LINEAR; how <= DAEDAL_CUBIC; how++) {
        v[AT] = 1.0;
        daedal_signal s = signal_of(t, v, N, how);
        expect_model_ok(m, daedal_model_feed(m, number_of(m, "u"), &s));
        expect_model_ok(m, daedal_model_begin(m, &run));
        expect_model_ok(m, daedal_model_advance(m, 100.0));
        double decay = exp(-0.001 * (100.0 - t[AT]));
        expect_near(value_of(m, "x"), 0.05 * decay, how == DAEDAL_CUBIC ? 1e-2 : 2e-5);
        expect_model_ok(m, daedal_model_end(m, NULL));
        v[AT] = 0.0;
        s = signal_of(t, v, N, how);
        expect_model_ok(m, daedal_model_feed(m, number_of(m, "u"), &s));
        expect_model_ok(m, daedal_model_simulate(m, &run, &done));
        assert_true(done.stats.steps < 100);
    }
    daedal_model_free(m);
}

/* The state of a signal is saved, too; cubic data agree with the function they come from. */
static void test_feed_restore(void **state)
{
    static const char text[] = "model R input Real u; Real x(start = 0, fixed = true), y; equation"
                               " der(x) = -x + u; y = der(u); end R;";
    enum { N = 401 };
    static double t[N], v[N];
    static rows first, second;
    (void)state;
    for (int i = 0; i < N; i++) {
        t[i] = 0.01 * i;
        v[i] = sin(t[i]) + (i >= 200);
    }
    t[200] = t[199];
    v[200] = v[199] + 1.0;
    daedal_model *m = model_of_text(text);
    daedal_signal s = signal_of(t, v, N, DAEDAL_CUBIC);
    daedal_simulation run = {.t_stop = 4.0};
    daedal_model_state *saved;
    expect_model_ok(m, daedal_model_feed(m, number_of(m, "u"), &s));
    expect_model_ok(m, daedal_model_begin(m, &run));
    expect_model_ok(m, daedal_model_advance(m, 1.7));
    expect_near(value_of(m, "u"), sin(1.7), 1e-5);
    expect_near(value_of(m, "y"), cos(1.7), 1e-3);
    expect_near(value_of(m, "x"), 0.5 * (exp(-1.7) + sin(1.7) - cos(1.7)), 1e-5);
    expect_model_ok(m, daedal_model_save(m, &saved));
    advance_and_keep(m, &first, 1.7, 3.9, 30);
    expect_model_ok(m, daedal_model_restore(m, saved));
    advance_and_keep(m, &second, 1.7, 3.9, 30);
    assert_int_equal(memcmp(&first, &second, sizeof first), 0);
    daedal_model_state_free(saved);
    daedal_model_free(m);
}

static void test_feed_errors(void **state)
{
    (void)state;
    static const double back[] = {0, 2, 1}, thrice[] = {0, 0, 0}, fine[] = {0, 1, 2},
                        bad[] = {0, NAN, 1};
    daedal_model *m =
        model_of_text("model E input Real u; Real x(start = 0, fixed = true); equation"
                      " der(x) = u; end E;");
    int32_t u = number_of(m, "u");
    daedal_signal s[] = {signal_of(back, fine, 3, 0), signal_of(thrice, fine, 3, 0),
                         signal_of(fine, bad, 3, 0), signal_of(fine, fine, 0, 0)};
    static const char *const part[] = {"row 3", "more than twice", "row 2", "0 times"};
    for (size_t k = 0; k < COUNT(s); k++)
        expect_message(m, daedal_model_feed(m, u, &s[k]), DAEDAL_ERR_ARGUMENT, part[k]);
    expect_message(m, daedal_model_feed(m, number_of(m, "x"), &s[0]), DAEDAL_ERR_ARGUMENT,
                   "no input");
    daedal_model_free(m);
}

/* Expressions as values of inputs, also of those that have one in the model. */
static void test_expressions(void **state)
{
    static const char text[] = "model X parameter Real a = 3; input Real u; input Real w = 1;"
                               " Real x(start = 0, fixed = true); equation der(x) = u + w; end X;";
    static const daedal_binding inputs[] = {{"u", "a*time"}, {"w", "-u"}}, wrong[] = {{"x", "1"}},
                                bad[] = {{"u", "2*("}};
    (void)state;
    daedal_model *m;
    char message[400];
    daedal_model_options with = {.inputs = inputs, .n_inputs = 2};
    assert_int_equal(
        daedal_model_parse(&m, "t", text, strlen(text), &with, message, sizeof message), 0);
    daedal_simulation run = {.t_stop = 1.0};
    expect_model_ok(m, daedal_model_begin(m, &run));
    expect_model_ok(m, daedal_model_advance(m, 1.0));
    expect_near(value_of(m, "u"), 3.0, 1e-12);
    expect_near(value_of(m, "x"), 0.0, 1e-9);
    daedal_model_free(m);
    with = (daedal_model_options){.inputs = wrong, .n_inputs = 1};
    assert_int_equal(
        daedal_model_parse(&m, "t", text, strlen(text), &with, message, sizeof message),
        DAEDAL_ERR_ARGUMENT);
    assert_non_null(strstr(message, "not an input"));
    with = (daedal_model_options){.inputs = bad, .n_inputs = 1};
    assert_true(daedal_model_parse(&m, "t", text, strlen(text), &with, message, sizeof message) <
                0);
}

/* ---- errors ---- */

static void test_errors(void **state)
{
    (void)state;
    daedal_model *m = model_of_text(BALL);
    double value;
    daedal_simulation s = {.t_stop = 1.0}, wrong = {.t_start = 1.0};
    assert_true(isnan(daedal_model_time(m)));
    assert_null(daedal_model_last_event(m));
    expect_message(m, daedal_model_advance(m, 1.0), DAEDAL_ERR_CALL_SEQUENCE, "no run");
    expect_message(m, daedal_model_end(m, NULL), DAEDAL_ERR_CALL_SEQUENCE, "no run");
    expect_message(m, daedal_model_get(m, number_of(m, "h"), &value), DAEDAL_ERR_CALL_SEQUENCE,
                   "no run");
    expect_message(m, daedal_model_begin(m, &wrong), DAEDAL_ERR_ARGUMENT, "lies before");
    expect_model_ok(m, daedal_model_begin(m, &s));
    expect_message(m, daedal_model_begin(m, &s), DAEDAL_ERR_CALL_SEQUENCE, "under way");
    expect_message(m, daedal_model_simulate(m, &s, NULL), DAEDAL_ERR_CALL_SEQUENCE, "under way");
    expect_model_ok(m, daedal_model_advance(m, 0.5));
    expect_message(m, daedal_model_advance(m, 0.4), DAEDAL_ERR_ARGUMENT, "lies behind the run");
    expect_message(m, daedal_model_advance(m, NAN), DAEDAL_ERR_ARGUMENT, "NaN");
    expect_message(m, daedal_model_get(m, 99, &value), DAEDAL_ERR_ARGUMENT, "99");
    expect_message(m, daedal_model_get(m, -1, &value), DAEDAL_ERR_ARGUMENT, "-1");
    expect_message(m, daedal_model_set(m, number_of(m, "e"), INFINITY), DAEDAL_ERR_ARGUMENT,
                   "infinite");
    expect_model_ok(m, daedal_model_advance(m, 0.6)); /* nothing of that ended the run */
    expect_model_ok(m, daedal_model_end(m, NULL));
    expect_message(m, daedal_model_set(m, number_of(m, "twice"), 1.0), DAEDAL_ERR_ARGUMENT,
                   "others determine it");
    expect_model_ok(m, daedal_model_begin(m, &s)); /* freed with a run under way */
    daedal_model_free(m);
}

/* A run that failed stays readable, and says why again. */
static void test_failure(void **state)
{
    static const char text[] = "model F Real x(start = 1, fixed = true); equation der(x) = x^2;"
                               " assert(x < 5, \"too large\"); end F;";
    (void)state;
    daedal_model *m = model_of_text(text);
    daedal_simulation s = {.t_stop = 2.0};
    expect_model_ok(m, daedal_model_begin(m, &s));
    assert_true(daedal_model_advance(m, 1.5) < 0);
    expect_message(m, DAEDAL_OK, DAEDAL_OK, "too large");
    assert_true(value_of(m, "x") >= 1.0);
    expect_message(m, daedal_model_advance(m, 1.6), DAEDAL_ERR_CALL_SEQUENCE, "too large");
    daedal_outcome done;
    assert_true(daedal_model_end(m, &done) < 0);
    assert_true(done.status < 0);
    daedal_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_single_steps),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_terminate),
        cmocka_unit_test(test_start_values),
        cmocka_unit_test(test_input_as_equation),
        cmocka_unit_test(test_discrete_inputs),
        cmocka_unit_test(test_input_of_outputs),
        cmocka_unit_test(test_input_in_constraint),
        cmocka_unit_test(test_restore),
        cmocka_unit_test(test_restore_after_failure),
        cmocka_unit_test(test_feed),
        cmocka_unit_test(test_feed_pulse),
        cmocka_unit_test(test_feed_restore),
        cmocka_unit_test(test_feed_errors),
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
