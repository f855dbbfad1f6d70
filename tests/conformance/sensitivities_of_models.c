/* tests/conformance/sensitivities_of_models.c - derivatives of runs of models by parameters: exact
 * solutions, dependent parameters and start values, index 3, events whose time depends on the
 * parameters, against differences of accurate runs.                                */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daedal.h"

enum { MOST = 16 }; /* variables, parameters */

typedef struct kept {
    int32_t n;
    double row[MOST], slope[MOST][MOST]; /* the last row, and its derivatives by parameter */
    double t_event, event[MOST];         /* the first event, and the derivatives of its time */
} kept;

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    kept *k = user;
    (void)kind;
    (void)t;
    memcpy(k->row, values, (size_t)k->n * sizeof(double));
    return DAEDAL_CALL_OK;
}

static int keep_slope(daedal_row_kind kind, double t, int32_t i, const double *values, void *user)
{
    kept *k = user;
    (void)kind;
    (void)t;
    memcpy(k->slope[i], values, (size_t)k->n * sizeof(double));
    return DAEDAL_CALL_OK;
}

static int keep_event(double t, const double *values, void *user)
{
    kept *k = user;
    if (k->t_event == 0.0)
        memcpy(k->event, values, 2 * sizeof(double));
    k->t_event = k->t_event == 0.0 ? t : k->t_event;
    return DAEDAL_CALL_OK;
}

static daedal_model *parsed(const char *text)
{
    char message[1000];
    daedal_model *m;
    if (daedal_model_parse(&m, "text", text, strlen(text), NULL, message, sizeof message) < 0)
        fail_msg("%s", message);
    assert_true(daedal_model_describe(m)->n_variables <= MOST);
    return m;
}

typedef struct plan {
    double t, rtol;
    const char *method;
    int32_t n_parameters, parameters[MOST];
} plan;

static daedal_status run(daedal_model *m, const plan *p, kept *to, daedal_outcome *outcome)
{
    daedal_options opt;
    daedal_options_defaults(&opt);
    opt.rtol = p->rtol;
    opt.atol = daedal_default_atol(p->rtol);
    daedal_options_set(&opt, "method", p->method);
    to->n = daedal_model_describe(m)->n_variables;
    daedal_simulation how = {.t_stop = p->t,
                             .times = {&p->t, 1},
                             .no_event_rows = 1,
                             .options = &opt,
                             .scale_atol = 1,
                             .row = keep_row,
                             .row_user = to,
                             .parameters = {p->parameters, p->n_parameters},
                             .sensitivity = keep_slope,
                             .event_time = p->n_parameters == 2 ? keep_event : NULL};
    to->t_event = 0.0;
    return daedal_model_simulate(m, &how, outcome);
}

static void run_well(daedal_model *m, const plan *p, kept *to)
{
    daedal_outcome outcome;
    if (run(m, p, to, &outcome) < 0)
        fail_msg("%s", outcome.diagnosis.message);
}

/* dx/dp by differences of order four, with steps of a share of the parameter, of accurate runs. */
static void difference_by(daedal_model *m, const plan *p, int32_t number, double share,
                          double *slope)
{
    static const double steps[] = {1.0, -1.0, 2.0, -2.0};
    static const double shares[] = {8.0 / 12.0, -8.0 / 12.0, -1.0 / 12.0, 1.0 / 12.0};
    plan accurate = {.t = p->t, .rtol = 1e-11, .method = "radau"};
    kept found;
    run_well(m, &accurate, &found);
    double value = found.row[number], h = share * fabs(value);
    memset(slope, 0, MOST * sizeof *slope);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(daedal_model_set(m, number, value + steps[k] * h), DAEDAL_OK);
        run_well(m, &accurate, &found);
        for (int32_t j = 0; j < found.n; j++)
            slope[j] += shares[k] / h * found.row[j];
    }
    assert_int_equal(daedal_model_set(m, number, NAN), DAEDAL_OK);
}

/* The median of three: one of the accurate runs may take another number of steps than the others,
 * which spoils the differences with it by some 1e-7. */
static void difference(daedal_model *m, const plan *p, int32_t number, double *slope)
{
    double by[3][MOST];
    static const double shares[] = {0.8e-5, 1e-5, 1.3e-5};
    for (int k = 0; k < 3; k++)
        difference_by(m, p, number, shares[k], by[k]);
    for (int j = 0; j < MOST; j++)
        slope[j] = fmax(fmin(by[0][j], by[1][j]), fmin(fmax(by[0][j], by[1][j]), by[2][j]));
}

/* The largest error of all variables, relative to the largest scaled derivative. */
static void compare(const char *text, double t, double rtol, const char *names)
{
    daedal_model *m = parsed(text);
    plan p = {.t = t, .rtol = rtol, .method = "auto"};
    char list[80], *name;
    snprintf(list, sizeof list, "%s", names);
    for (name = strtok(list, " "); name; name = strtok(NULL, " "))
        p.parameters[p.n_parameters++] = daedal_model_find(m, name);
    kept found;
    run_well(m, &p, &found);
    for (int32_t i = 0; i < p.n_parameters; i++) {
        double exact[MOST], largest = 0.0;
        difference(m, &p, p.parameters[i], exact);
        for (int32_t j = 0; j < found.n; j++)
            largest = fmax(largest, fabs(exact[j]));
        for (int32_t j = 0; j < found.n; j++)
            if (!(fabs(found.slope[i][j] - exact[j]) <= 10.0 * rtol * largest))
                fail_msg("d(%s)/dp%d is %.10g, not %.10g",
                         daedal_model_describe(m)->variables[j].name, (int)i, found.slope[i][j],
                         exact[j]);
    }
    daedal_model_free(m);
}

/* x = x0 exp(-k2 t), k2 = 2 k; q = k x is computed for the output only. */
static void dependent_parameters_and_starts(void **state)
{
    (void)state;
    daedal_model *m = parsed("model M parameter Real k = 0.3; parameter Real k2 = 2*k;\n"
                             "parameter Real x0 = 2.5; Real x(start = x0, fixed = true); Real q;\n"
                             "equation der(x) = -k2*x; q = k*x; end M;");
    int32_t k = daedal_model_find(m, "k"), x0 = daedal_model_find(m, "x0"),
            x = daedal_model_find(m, "x"), q = daedal_model_find(m, "q");
    plan p = {.t = 2.0, .rtol = 1e-6, .method = "auto", .n_parameters = 2, .parameters = {k, x0}};
    kept found;
    run_well(m, &p, &found);
    double e = exp(-0.6 * 2.0), value = 2.5 * e;
    assert_true(fabs(found.slope[0][x] + 4.0 * value) < 1e-5);
    assert_true(fabs(found.slope[1][x] - e) < 1e-5);
    assert_true(fabs(found.slope[0][q] - value + 0.3 * 4.0 * value) < 1e-5);
    assert_true(fabs(found.slope[0][daedal_model_find(m, "k2")] - 2.0) < 1e-9);
    assert_true(fabs(found.slope[0][k] - 1.0) < 1e-9);
    daedal_model_free(m);
}

static const char *const PENDULUM =
    "model Pendulum parameter Real L = 1.1, g = 9.81;\n"
    "Real x(start = 1.1), y(start = 0, fixed = true), u, v(start = 0, fixed = true), F;\n"
    "equation der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - g;\n"
    "x^2 + y^2 = L^2; end Pendulum;";

static void index_three(void **state)
{
    (void)state;
    compare(PENDULUM, 1.5, 1e-5, "L g");
    compare(PENDULUM, 1.5, 1e-8, "L g");
}

/* The velocity in place of the length: index 2.  The length of the start counts. */
static void index_two(void **state)
{
    (void)state;
    static const char text[] =
        "model Pendulum2 parameter Real L = 1.1, g = 9.81; Real x(start = L, fixed = true);\n"
        "Real y(start = 0, fixed = true), u, v(start = 0, fixed = true), F;\n"
        "equation der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - g;\n"
        "x*u + y*v = 0; end Pendulum2;";
    compare(text, 1.5, 1e-4, "L g");
    compare(text, 1.5, 1e-6, "L g");
    compare(text, 1.5, 1e-8, "L g");
}

/* HIRES of the Test Set for IVP Solvers, to the end of its run. */
static void hires(void **state)
{
    (void)state;
    static const char text[] =
        "model Hires parameter Real k1 = 1.71, k2 = 0.43, kp = 280; Real a(start = 1, fixed = "
        "true);\n"
        "Real b(start = 0, fixed = true), c(start = 0, fixed = true), d(start = 0, fixed = true);\n"
        "Real e(start = 0, fixed = true), f(start = 0, fixed = true), g(start = 0, fixed = true);\n"
        "Real h(start = 0.0057, fixed = true); equation der(a) = -k1*a + k2*b + 8.32*c + 0.0007;\n"
        "der(b) = k1*a - 8.75*b; der(c) = -10.03*c + k2*d + 0.035*e;\n"
        "der(d) = 8.32*b + k1*c - 1.12*d; der(e) = -1.745*e + k2*f + k2*g;\n"
        "der(f) = -kp*f*h + 0.69*d + k1*e - k2*f + 0.69*g; der(g) = kp*f*h - 1.81*g;\n"
        "der(h) = -kp*f*h + 1.81*g; end Hires;";
    compare(text, 321.8122, 1e-4, "k1 k2 kp");
    compare(text, 321.8122, 1e-6, "k1 k2 kp");
}

/* Derivatives of the constraints by differences had noise that stopped runs with small tolerances,
 * where a component of the sensitivities passes zero.                             */
static void small_tolerances_of_index_three(void **state)
{
    (void)state;
    static const char *const methods[] = {"bdf", "radau"};
    daedal_model *m = parsed(PENDULUM);
    for (int k = 0; k < 6; k++) {
        plan p = {.t = 2.0, .method = methods[k % 2], .n_parameters = 1};
        kept found;
        p.rtol = k < 2 ? 1e-7 : k < 4 ? 1e-9 : 1e-11;
        p.parameters[0] = daedal_model_find(m, "g");
        run_well(m, &p, &found);
        int32_t x = daedal_model_find(m, "x"), y = daedal_model_find(m, "y");
        double along = found.row[x] * found.slope[0][x] + found.row[y] * found.slope[0][y];
        if (!(fabs(along) <= 1e-8))
            fail_msg("%s: x dx/dg + y dy/dg = %g", p.method, along);
    }
    daedal_model_free(m);
}

/* Rows have the derivatives of the unknowns as they are, whatever the sizes of other unknowns. */
static void sizes_of_unknowns(void **state)
{
    (void)state;
    daedal_model *m =
        parsed("model M parameter Real k = 2, f = 3; Real x(start = 1, fixed = true);\n"
               "Real z, w; equation der(x) = -f*x; w = f*x;\n"
               "z + z^3 = 1e-9*x*sin(k*1.5707963267948966); end M;");
    plan p = {.t = 1.0, .rtol = 1e-6, .method = "auto", .n_parameters = 2};
    p.parameters[0] = daedal_model_find(m, "k");
    p.parameters[1] = daedal_model_find(m, "f");
    kept found;
    run_well(m, &p, &found);
    double x = exp(-3.0), slope = -1.5707963267948966e-9 * x;
    int32_t z = daedal_model_find(m, "z"), w = daedal_model_find(m, "w");
    if (!(fabs(found.slope[0][z] - slope) <= 1e-4 * fabs(slope)) ||
        !(fabs(found.slope[1][w] + 2.0 * x) <= 1e-5 * x))
        fail_msg("%.10g is not %.10g, or %.10g not %.10g", found.slope[0][z], slope,
                 found.slope[1][w], -2.0 * x);
    daedal_model_free(m);
}

/* Five bounces: the velocity and the time of each depend on e, g and the height. */
static void bouncing_ball(void **state)
{
    (void)state;
    compare("model Ball parameter Real e = 0.7, g = 9.81, h0 = 1.3;\n"
            "Real h(start = h0, fixed = true), v(start = 0, fixed = true);\n"
            "equation der(h) = v; der(v) = -g;\n"
            "when h <= 0 then reinit(v, -e*pre(v)); end when; end Ball;",
            2.45, 1e-6, "e g h0");
}

/* The right side jumps at thresholds that are parameters, and at a time that is one. */
static void thermostat_and_time_event(void **state)
{
    (void)state;
    compare("model Thermostat parameter Real low = 19, high = 21, tau = 3600, rise = 25;\n"
            "Real T(start = 20, fixed = true); Boolean on(start = true, fixed = true);\n"
            "equation tau*der(T) = 5 - T + (if on then rise else 0);\n"
            "on = T < high and (pre(on) or T < low); end Thermostat;",
            5000.0, 1e-6, "low high tau rise");
    compare("model Switch parameter Real t1 = 0.8, a = 2.5; Real x(start = 0.5, fixed = true);\n"
            "equation der(x) = if time < t1 then -x else a - 3*x; end Switch;",
            1.5, 1e-6, "t1 a");
    compare("model Pulses parameter Real T = 1.5, a = 2.2; Real x(start = 0.5, fixed = true);\n"
            "equation der(x) = (if mod(time, T) < 0.5*T then a else 0) - x; end Pulses;",
            5.1, 1e-6, "T a");
}

/* States that are linear in time are integrated in long steps of order one; a corner without an
 * event lies where two of their steps were joined.  Sensitivities take shorter steps there, with an
 * order of their own.                                                             */
static void corners_without_events(void **state)
{
    (void)state;
    compare("model S parameter Real a = 1, c = 0.5; Real x(start = 1, fixed = true);\n"
            "equation der(x) = -a*x + smooth(0, if x > c then x - c else 0); end S;",
            1.23, 1e-6, "a c");
    compare("model X parameter Real a = 1.3, b = 0.8; Real x(start = 0, fixed = true);\n"
            "equation der(x) = max(sin(a*time), b*cos(time)) - 0.2*x; end X;",
            0.82, 1e-6, "a b");
    compare("model A parameter Real a = 3, b = 0.8; Real x(start = 0, fixed = true);\n"
            "equation der(x) = abs(sin(a*time)) - b*x; end A;",
            3.3, 1e-6, "a b");
    /* The sensitivity of an algebraic variable jumps where the equations have a corner. */
    compare("model M parameter Real a = 1.2, b = 0.3; Real x(start = 1, fixed = true), s;\n"
            "Real y(start = 0, fixed = true); equation der(x) = y; der(y) = -a*x - b*sign(y)*s;\n"
            "s = max(0.2*a, abs(x)); end M;",
            3.9, 1e-6, "a b");
}

/* Numbers that equations hold between events, and what several rounds of one event do. */
static void discrete_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text, *names;
        double t;
    } rows[] = {
        {"model C parameter Real K = 0.4; Real x(start = 1, fixed = true), u, ud(start = 0), xd;\n"
         "equation der(x) = u - x; xd = sample(x, Clock(0.1)); ud = previous(ud) + K*(1 - xd);\n"
         "u = hold(ud); end C;",
         "K", 0.97},
        {"model S parameter Real K = 1.5, T = 0.25; Real x(start = 0, fixed = true);\n"
         "discrete Real u(start = 0, fixed = true); equation der(x) = u - x;\n"
         "when sample(0, T) then u = K*(1 - x); end when; end S;",
         "K T", 1.9},
        {"model L parameter Real k = 0.8, c = 0.5, gain = 2; Real x(start = 1, fixed = true);\n"
         "Real z(start = 0, fixed = true); discrete Real m(start = 0.1, fixed = true);\n"
         "equation der(x) = -k*x + 0.1*m; der(z) = m*x;\n"
         "when x < c then m = gain*x*time + k; end when; end L;",
         "k c gain", 2.6},
        {"model B parameter Real e = 0.7, h0 = 1; Real h(start = h0, fixed = true);\n"
         "Real v(start = 0, fixed = true); discrete Real w(start = 0, fixed = true);\n"
         "equation der(h) = v; der(v) = -9.81;\n"
         "when h <= 0 then w = -e*pre(v); reinit(v, w); end when; end B;",
         "e h0", 1.4},
        {"model N parameter Real p = 0.5, q = 1.2; Real x(start = 0, fixed = true);\n"
         "discrete Real next(start = p, fixed = true); equation der(x) = q;\n"
         "when time >= pre(next) then next = time + p*(1 + 0.2*x); reinit(x, 0.5*pre(x));\n"
         "end when; end N;",
         "p q", 2.5},
        /* pre(e) is the value before the event */
        {"model E parameter Real g = 9.81, h0 = 1; Real h(start = h0, fixed = true);\n"
         "Real v(start = 0, fixed = true); discrete Real e(start = 0.95, fixed = true);\n"
         "equation der(h) = v; der(v) = -g;\n"
         "when h < 0 then e = 0.9*pre(e); reinit(v, -pre(e)*pre(v)); end when; end E;",
         "g h0", 1.6},
        /* the second reinit acts in a round behind that of the first one */
        {"model R parameter Real k = 1.3, a = 0.6; Real x(start = 1, fixed = true);\n"
         "Real y(start = 0.2, fixed = true); Integer n(start = 0, fixed = true);\n"
         "equation der(x) = -k*x; der(y) = x*y;\n"
         "when x < a then reinit(x, 2*pre(x) + y); n = pre(n) + 1; end when;\n"
         "when pre(n) > 0 and n >= 1 and x > 1 then reinit(y, pre(y) + 0.5*x); end when; end R;",
         "k a", 1.3},
        /* reinit reads an algebraic variable that jumps at the event */
        {"model W parameter Real k = 1.3, a = 0.6, b = 0.4; Real x(start = 1, fixed = true), w;\n"
         "Real y(start = 0.2, fixed = true); Boolean on(start = false, fixed = true);\n"
         "equation der(x) = -k*x; der(y) = x*w; w + 0.1*w^3 = (if on then b*x else 2*x);\n"
         "when x < a then on = true; reinit(y, pre(y) + w); end when; end W;",
         "k a b", 1.1},
        /* an impact of a pendulum of index 3: a constraint moves the other velocity */
        {"model V parameter Real L = 1, g = 9.81, e = 0.7, w = -0.3;\n"
         "Real x(start = 0.6*L, fixed = true), y(start = -0.8*L), u(start = 0, fixed = true);\n"
         "Real v, F; equation der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - g;\n"
         "x^2 + y^2 = L^2; when x < w then reinit(u, -e*pre(u)); end when; end V;",
         "L g e w", 1.2},
        /* assignments and equations read one another */
        {"model A parameter Real a = 1.5, b = 0.4, c = 0.9; Real x(start = 1, fixed = true), w;\n"
         "Real z; discrete Real m(start = 0.3, fixed = true); equation der(x) = -a*x + 0.3*w;\n"
         "w + z^3 = m*x + b; z = w*c - x;\n"
         "when {x < 0.7, x < 0.45} then m = pre(m) + w*z + time; end when; end A;",
         "a b c", 0.5},
        {"model P parameter Real a = 2, b = 0.7; parameter Real q(fixed = false);\n"
         "Real x(start = 1, fixed = true); initial equation der(x) = -a;\n"
         "equation der(x) = -q*x + b*sin(time); end P;",
         "a b", 1.0},
        {"model I parameter Real p = 0.7; Real x(start = 1, fixed = true); discrete Real d;\n"
         "equation der(x) = -d*x + p; when initial() then d = p; end when; end I;",
         "p", 1.0},
        {"model I parameter Real p = 0.7; Real x(start = 1, fixed = true);\n"
         "discrete Real d(start = p, fixed = true);\n"
         "equation der(x) = -d*x + p; when x < 0.1 then d = 2; end when; end I;",
         "p", 1.0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        compare(rows[k].text, rows[k].t, 1e-6, rows[k].names);
}

typedef struct warning_of {
    const char *method, *words;
} warning_of;

static bool warns_with(const char *text, double t, double rtol, const char *name, warning_of w)
{
    daedal_model *m = parsed(text);
    plan p = {.t = t, .rtol = rtol, .method = w.method, .n_parameters = 1};
    kept found;
    daedal_outcome outcome;
    bool warned = false;
    p.parameters[0] = daedal_model_find(m, name);
    assert_int_equal(run(m, &p, &found, &outcome), DAEDAL_OK);
    for (int32_t k = 0; k < outcome.n_warnings; k++)
        warned |= strstr(outcome.warnings[k].message, w.words) != NULL;
    daedal_model_free(m);
    return warned;
}

static bool warns(const char *text, double t, double rtol, const char *name, const char *words)
{
    return warns_with(text, t, rtol, name, (warning_of){"auto", words});
}

static bool warns_of_errors(const char *text, double t, double rtol, const char *name)
{
    return warns(text, t, rtol, name, "may be off");
}

/* What the linear equations do not follow is told, and only where it counts. */
static void gaps_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *words;
        bool told;
    } rows[] = {
        {"model J parameter Real p = 0.5; Real x(start = 0, fixed = true);\n"
         "equation der(x) = noEvent(if time > p then 3 else 1); end J;",
         "p", "jump at t = 0.5", true},
        {"model J parameter Real p = 1; Real x(start = 0, fixed = true);\n"
         "equation der(x) = noEvent(if time*p > 0.5 then 2 else 1) + p; end J;",
         "p", "jump at t = 0.5", true},
        {"model J parameter Real p = 0.5; Real x(start = 0, fixed = true);\n"
         "equation der(x) = p*noEvent(if time > 0.3 then 3 else 1); end J;",
         "p", "jump", false},
        {"model J parameter Real p = 0.5; Real x(start = 0, fixed = true), y(start = 0, fixed = "
         "true);\n"
         "equation der(x) = 1; der(y) = noEvent(if x > p then 3 else 1); end J;",
         "p", "jump at t = 0.5", true},
        {"model S parameter Real T = 0.3, a = 2; Real x(start = 0, fixed = true);\n"
         "discrete Real t0(start = 0, fixed = true); equation when sample(0, T) then t0 = time;\n"
         "end when; der(x) = a*(time - t0); end S;",
         "a", "sensitivities", false},
        {"model C parameter Real T = 0.1; Real x(start = 1, fixed = true), u, xd;\n"
         "equation der(x) = u - x; xd = sample(x, Clock(T)); u = hold(2*xd); end C;",
         "T", "ticks of clocks", true},
        {"model D parameter Real k = 0.8; Real x(start = 1, fixed = true);\n"
         "equation der(x) = -k*delay(x, 0.3); end D;",
         "k", "delay()", true},
        {"model I parameter Real p = 0.7; Real x(start = 1, fixed = true); discrete Real d;\n"
         "equation der(x) = -d*x + p; when initial() then d = 2; end when; end I;",
         "p", "sensitivities", false},
        {"model J parameter Real k = 1.3; Real x(start = 1, fixed = true), y(start = 0, fixed = "
         "true);\n"
         "equation der(x) = -k*x; der(y) = if noEvent(x > 0.7) then 1 else 3; end J;",
         "k", "jump", true},
        {"model K parameter Real k = 1.3; Real x(start = 1, fixed = true), y(start = 0, fixed = "
         "true);\n"
         "equation der(x) = -k*x; der(y) = if noEvent(x > 0.7) then x - 0.7 else 3*(x - 0.7); end "
         "K;",
         "k", "jump", false}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (warns(rows[k].text, 1.0, 1e-6, rows[k].name, rows[k].words) != rows[k].told)
            fail_msg("%s: %s", rows[k].text, rows[k].told ? "not told" : "told");
}

/* With output at 0.5, where the equations jump. */
static void assert_jump_is_told(const char *text, const char *method, double t_stop, bool told)
{
    daedal_model *m = parsed(text);
    int32_t p = daedal_model_find(m, "p");
    kept found = {.n = daedal_model_describe(m)->n_variables};
    daedal_options opt;
    daedal_options_defaults(&opt);
    daedal_options_set(&opt, "method", method);
    daedal_simulation how = {.t_stop = t_stop,
                             .intervals = 2,
                             .options = &opt,
                             .row = keep_row,
                             .row_user = &found,
                             .parameters = {&p, 1},
                             .sensitivity = keep_slope};
    daedal_outcome outcome;
    assert_int_equal(daedal_model_simulate(m, &how, &outcome), DAEDAL_OK);
    assert_int_equal(outcome.n_warnings, told ? 1 : 0);
    if (told)
        assert_non_null(strstr(outcome.warnings[0].message, "jump at t = 0.5"));
    daedal_model_free(m);
}

static void jumps_at_output_points_are_told(void **state)
{
    (void)state;
    static const char *const methods[] = {"bdf", "radau", "dopri", "limex"};
    static const char at_time[] =
        "model T parameter Real p = 0.5; Real x(start = 0, fixed = true);\n"
        "equation der(x) = noEvent(if time > p then 3 else 1) + p; end T;";
    static const char at_state[] =
        "model S parameter Real p = 0.5; Real x(start = 0, fixed = true);\n"
        "Real y(start = 0, fixed = true); equation der(x) = 1;\n"
        "der(y) = noEvent(if x > p then 3 else 1) + p; end S;";
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        assert_jump_is_told(at_time, methods[k], 1.0, true);
        assert_jump_is_told(at_state, methods[k], 1.0, true);
        assert_jump_is_told(at_time, methods[k], 0.5, false);
    }
}

/* In a jump of the oscillator sensitivities grow by 1e6 and fall back; errors fall back less.  At
 * rtol 1e-5 they are wrong by a factor of two behind it.                          */
static void errors_that_grow_are_told(void **state)
{
    (void)state;
    static const char oscillator[] =
        "model V parameter Real mu = 1000; Real x(start = 2, fixed = true);\n"
        "Real v(start = 0, fixed = true); equation der(x) = v;\n"
        "der(v) = mu*(1 - x^2)*v - x; end V;";
    static const char robertson[] =
        "model R parameter Real k1 = 0.04, k2 = 3e7, k3 = 1e4; Real a(start = 1, fixed = true);\n"
        "Real b(start = 0, fixed = true, nominal = 1e-5), c; equation der(a) = -k1*a + k3*b*c;\n"
        "der(b) = k1*a - k3*b*c - k2*b^2; a + b + c = 1; end R;";
    assert_true(warns_of_errors(oscillator, 900.0, 1e-5, "mu"));
    assert_false(warns_of_errors(oscillator, 700.0, 1e-5, "mu"));
    for (int digits = 4; digits <= 8; digits += 2)
        assert_false(warns_of_errors(robertson, 4e4, pow(10.0, -digits), "k2"));
}

/* HIRES, whose sensitivities by radau are 20 (rtol 1e-6) and 690 (1e-8) tolerances off, since one
 * of its steps is a third of the run; those by bdf 4.                                      */
static void long_steps_are_told(void **state)
{
    (void)state;
    static const char hires[] =
        "model H parameter Real k = 1.71; Real y1(start = 1), y2, y3, y4, y5, y6, y7;\n"
        "Real y8(start = 0.0057); equation der(y1) = -k*y1 + 0.43*y2 + 8.32*y3 + 0.0007;\n"
        "der(y2) = k*y1 - 8.75*y2; der(y3) = -10.03*y3 + 0.43*y4 + 0.035*y5;\n"
        "der(y4) = 8.32*y2 + k*y3 - 1.12*y4; der(y5) = -1.745*y5 + 0.43*y6 + 0.43*y7;\n"
        "der(y6) = -280*y6*y8 + 0.69*y4 + k*y5 - 0.43*y6 + 0.69*y7;\n"
        "der(y7) = 280*y6*y8 - 1.81*y7; der(y8) = -280*y6*y8 + 1.81*y7; end H;";
    static const double rtols[] = {1e-6, 1e-8};
    for (int k = 0; k < 2; k++) {
        warning_of by_radau = {"radau", "inside a step"}, by_bdf = {"auto", "may be off"};
        assert_true(warns_with(hires, 321.8, rtols[k], "k", by_radau));
        assert_false(warns_with(hires, 321.8, rtols[k], "k", by_bdf));
    }
}

static void bad_input_is_named(void **state)
{
    (void)state;
    daedal_model *m = parsed(
        "model M parameter Real k = 0.3, z = 0; parameter Integer n = 2;\n"
        "Real x(start = 1, fixed = true), q; equation der(x) = -k*x + z*x^n; q = 2*x; end M;");
    static const char *const names[] = {"z", "n", "q"};
    static const char *const texts[] = {"decides what the equations are", "no parameter",
                                        "no start value"};
    for (int i = 0; i < 3; i++) {
        plan p = {.t = 1.0, .rtol = 1e-6, .method = "auto", .n_parameters = 1};
        kept found;
        daedal_outcome outcome;
        p.parameters[0] = daedal_model_find(m, names[i]);
        assert_int_equal(run(m, &p, &found, &outcome), DAEDAL_ERR_ARGUMENT);
        if (i != 1 && !strstr(outcome.diagnosis.message, texts[i]))
            fail_msg("%s", outcome.diagnosis.message);
    }
    plan p = {.t = 1.0, .rtol = 1e-6, .method = "auto"};
    kept found;
    run_well(m, &p, &found); /* runs as before */
    daedal_model_free(m);
}

/* By start values: a plain one, one that is 0, one that an initial equation moves, and that of a
 * pendulum of index 3, where x follows from y; against parameters in their place.        */
static void start_values(void **state)
{
    (void)state;
    daedal_model *m =
        parsed("model M parameter Real k = 0.3; Real x(start = 2.5, fixed = true);\n"
               "Real z(start = 0, fixed = true), w(start = 1); initial equation\n"
               "w = 2*x; equation der(x) = -k*x; der(z) = x - z; der(w) = -w; end M;");
    int32_t x = daedal_model_find(m, "x"), z = daedal_model_find(m, "z"),
            w = daedal_model_find(m, "w");
    plan p = {.t = 2.0, .rtol = 1e-6, .method = "auto", .n_parameters = 2, .parameters = {x, z}};
    kept found;
    run_well(m, &p, &found);
    assert_true(fabs(found.slope[0][x] - exp(-0.6)) < 5e-6);
    assert_true(fabs(found.slope[0][z] - (exp(-0.6) - exp(-2.0)) / 0.7) < 5e-6);
    assert_true(fabs(found.slope[0][w] - 2.0 * exp(-2.0)) < 5e-6);
    assert_true(fabs(found.slope[1][z] - exp(-2.0)) < 5e-6);
    p.parameters[0] = w;
    daedal_outcome outcome;
    assert_int_equal(run(m, &p, &found, &outcome), DAEDAL_ERR_START);
    daedal_model_free(m);

    m = parsed("model P parameter Real g = 9.81, y0 = -0.6; Real x(start = 0.8), y(start = y0,\n"
               "fixed = true), u, v(start = 0, fixed = true), F; equation der(x) = u; der(y) = v;\n"
               "der(u) = -F*x; der(v) = -F*y - g; x^2 + y^2 = 1; end P;");
    plan both = {.t = 1.0,
                 .rtol = 1e-6,
                 .method = "auto",
                 .n_parameters = 2,
                 .parameters = {daedal_model_find(m, "y0"), daedal_model_find(m, "y")}};
    run_well(m, &both, &found);
    for (int32_t j = 0; j < found.n; j++)
        if (j != both.parameters[0] &&
            !(fabs(found.slope[0][j] - found.slope[1][j]) <= 1e-5 * (1 + fabs(found.slope[0][j]))))
            fail_msg("%d: %.10g is not %.10g", (int)j, found.slope[1][j], found.slope[0][j]);
    daedal_model_free(m);
}

/* A level that rises with k t^2 reaches b at sqrt(b / k). */
static void times_of_events(void **state)
{
    (void)state;
    daedal_model *m =
        parsed("model M parameter Real k = 0.5, b = 2; Real x(start = 0, fixed = true),"
               "y(start = 0, fixed = true); equation der(x) = 2*k*time;\n"
               "der(y) = if x > b then 1 else 0; end M;");
    plan p = {.t = 3.0,
              .rtol = 1e-8,
              .method = "bdf",
              .n_parameters = 2,
              .parameters = {daedal_model_find(m, "k"), daedal_model_find(m, "b")}};
    kept found;
    run_well(m, &p, &found);
    assert_true(fabs(found.t_event - 2.0) < 1e-7);
    assert_true(fabs(found.event[0] - -2.0) < 1e-6);
    assert_true(fabs(found.event[1] - 0.5) < 1e-6);
    daedal_model_free(m);
}

/* A parameter that is listed twice has the same derivatives twice, forward and backward. */
static void parameters_listed_twice(void **state)
{
    (void)state;
    daedal_model *m = parsed("model D parameter Real p = 1; parameter Real q = 2;\n"
                             "Real x(start = 1, fixed = true);\n"
                             "equation der(x) = q - p*x; end D;");
    int32_t p = daedal_model_find(m, "p"), q = daedal_model_find(m, "q"),
            x = daedal_model_find(m, "x");
    plan how = {
        .t = 1.0, .rtol = 1e-8, .method = "auto", .n_parameters = 3, .parameters = {p, q, p}};
    kept found;
    run_well(m, &how, &found);
    double exact = -2.0 + 3.0 * exp(-1.0), by[3];
    daedal_simulation request = {.t_stop = 1.0, .parameters = {how.parameters, 3}};
    daedal_gradient gradient = {.by_parameters = by};
    daedal_diagnosis why;
    if (daedal_model_gradient(m, &request, -1, x, &gradient, &why) != DAEDAL_OK)
        fail_msg("%s", why.message);
    for (int i = 0; i < 3; i += 2) {
        assert_true(fabs(found.slope[i][x] - exact) < 1e-6);
        assert_true(fabs(by[i] - exact) < 5e-3);
    }
    daedal_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_values),
        cmocka_unit_test(times_of_events),
        cmocka_unit_test(parameters_listed_twice),
        cmocka_unit_test(jumps_at_output_points_are_told),
        cmocka_unit_test(dependent_parameters_and_starts),
        cmocka_unit_test(index_three),
        cmocka_unit_test(index_two),
        cmocka_unit_test(hires),
        cmocka_unit_test(small_tolerances_of_index_three),
        cmocka_unit_test(sizes_of_unknowns),
        cmocka_unit_test(bouncing_ball),
        cmocka_unit_test(thermostat_and_time_event),
        cmocka_unit_test(corners_without_events),
        cmocka_unit_test(errors_that_grow_are_told),
        cmocka_unit_test(discrete_numbers),
        cmocka_unit_test(gaps_are_told),
        cmocka_unit_test(long_steps_are_told),
        cmocka_unit_test(bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
