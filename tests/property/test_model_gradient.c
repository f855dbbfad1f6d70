/* Gradients of runs of models by adjoint equations, against forward sensitivities of the same runs,
 * and with events against differences: the integral of w is also the variable q of each model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"

enum { MOST = 4 };

typedef struct example {
    const char *name, *text;
    double t_stop;
    int32_t n;
    const char *parameters[MOST];
} example;

static const example examples[] = {
    {"reaction",
     "model M parameter Real k1 = 0.04; parameter Real k2 = 1e4; parameter Real k3 = 3e7;"
     " Real a(start = 1, fixed = true); Real b(start = 0, fixed = true); Real c; Real w; Real "
     "q(start = 0, "
     "fixed = true);"
     " equation der(a) = -k1*a + k2*b*c; der(b) = k1*a - k2*b*c - k3*b^2; a + b + c = 1;"
     " w = c; der(q) = w; end M;",
     50.0,
     3,
     {"k1", "k2", "k3"}},
    {"pendulum of index 3",
     "model M parameter Real L = 1.2; parameter Real g = 9.81; parameter Real d = 0.3;"
     " Real x(start = 0.7, fixed = true); Real y(start = -0.9); Real u(start = 0, fixed = true); "
     "Real v; Real f;"
     " Real w; Real q(start = 0, fixed = true);"
     " equation der(x) = u; der(y) = v; der(u) = -f*x - d*u; der(v) = -f*y - g - d*v; x^2 + y^2 = "
     "L^2;"
     " w = d*x*y + f/L; der(q) = w; end M;",
     2.0,
     3,
     {"L", "g", "d"}},
    {"start values and dependent parameters",
     "model M parameter Real p = 0.6; parameter Real r = 2*p + 1; parameter Real s = 0.4;"
     " Real x(start = r*s, fixed = true); Real z(start = 0.5); Real w; Real q(start = 0, fixed = "
     "true);"
     " equation (2 + sin(x))*der(x) = -r*x + z + cos(time); z + z^3 = s*x + p; w = r*x*z; der(q) = "
     "w; end M;",
     3.0,
     2,
     {"p", "s"}},
    {"derivatives with factors, in another order", /* dF/dp reads y' */
     "model M parameter Real m = 1.4; parameter Real k = 3; parameter Real d = 0.2; Real x(start = "
     "1, fixed = true); Real v(start = 0, fixed = true); Real w; Real q(start = 0, fixed = true); "
     "equation m*der(v) = -k*x - d*v; w = x^2 + m*v; -2*der(x) = -v; 3*der(q) = 3*w; end M;",
     4.0,
     3,
     {"m", "k", "d"}},
};

typedef struct slopes {
    int32_t q, n;
    double value, by_p[MOST];
} slopes;

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    (void)kind, (void)t;
    ((slopes *)user)->value = values[((slopes *)user)->q];
    return DAEDAL_CALL_OK;
}

static int keep_slopes(daedal_row_kind kind, double t, int32_t i, const double *values, void *user)
{
    (void)kind, (void)t;
    ((slopes *)user)->by_p[i] = values[((slopes *)user)->q];
    return DAEDAL_CALL_OK;
}

static void compare(const example *e, double rtol)
{
    daedal_model *m = model_of_text(e->text);
    daedal_options opt = defaults_with(rtol, 1e-3 * rtol);
    int32_t numbers[MOST], q = daedal_model_find(m, "q"), w = daedal_model_find(m, "w");
    for (int32_t i = 0; i < e->n; i++)
        numbers[i] = daedal_model_find(m, e->parameters[i]);
    slopes forward = {.q = q};
    daedal_simulation how = {.t_stop = e->t_stop,
                             .intervals = 1,
                             .options = &opt,
                             .scale_atol = 1,
                             .row = keep_row,
                             .row_user = &forward,
                             .parameters = {numbers, e->n},
                             .sensitivity = keep_slopes};
    expect_model_ok(m, daedal_model_simulate(m, &how, NULL));
    for (int k = 0; k < 3; k++) { /* the integral, the end value, both */
        double by_p[MOST], times = k == 2 ? 2.0 : 1.0;
        daedal_gradient g = {.by_parameters = by_p};
        daedal_diagnosis why;
        daedal_status status =
            daedal_model_gradient(m, &how, k == 1 ? -1 : w, k == 0 ? -1 : q, &g, &why);
        if (status != DAEDAL_OK)
            fail_msg("%s: %s", e->name, why.message);
        expect_near(g.value, times * forward.value, 100.0 * rtol * (1.0 + fabs(forward.value)));
        for (int32_t i = 0; i < e->n; i++) {
            double wanted = times * forward.by_p[i];
            expect_near(by_p[i], wanted, 10.0 * rtol * fabs(wanted));
        }
    }
    daedal_model_free(m);
}

static void against_forward(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(examples); k++)
        compare(&examples[k], 1e-6);
}

/* ---- models that are not stiff ---- */

/* x' = -k x with x(0) = 1: the integral of x to T is (1 - exp(-k T)) / k.  The integral over a step
 * is of the order of the method, without dense output: strict tolerances show it.  */
static void order_of_integrals(void **state)
{
    (void)state;
    const double T = 3.0, k = 0.7;
    daedal_model *m =
        model_of_text("model M parameter Real k = 0.7; Real x(start = 1, fixed = true);"
                      " Real y(start = 0, fixed = true); equation der(x) = -k*x;"
                      " der(y) = k*x*sin(5*time); end M;");
    int32_t number = daedal_model_find(m, "k");
    double exact = (T * k * exp(-k * T) + exp(-k * T) - 1.0) / (k * k), by_k;
    for (double rtol = 1e-4; rtol > 1e-11; rtol *= 1e-2) {
        daedal_options opt = defaults_with(rtol, 1e-3 * rtol);
        daedal_simulation how = {.t_stop = T, .options = &opt, .parameters = {&number, 1}};
        daedal_gradient g = {.by_parameters = &by_k};
        assert_int_equal(daedal_model_gradient(m, &how, daedal_model_find(m, "x"), -1, &g, NULL),
                         DAEDAL_OK);
        expect_near(by_k, exact, 10.0 * rtol * fabs(exact));
        expect_near(g.value, (1.0 - exp(-k * T)) / k, 10.0 * rtol);
    }
    daedal_model_free(m);
}

/* A pulse whose strength is a parameter, and one in the integrand: the steps backward follow
 * lambda, which sees neither.  x = exp(-k t) + p exp(-k t) times the integral of exp(k s) pulse(s).
 */
static void pulses(void **state)
{
    (void)state;
    static const double widths[] = {1.0, 0.3, 0.1};
    static const char *const methods[] = {"auto", "bdf", "radau"};
    for (size_t k = 0; k < COUNT(widths) * COUNT(methods); k++) {
        char text[500];
        double w = widths[k / COUNT(methods)], rtol = 1e-6;
        snprintf(text, sizeof text,
                 "model M parameter Real p = 1, a = 2, k = 0.3; Real x(start = 1, fixed = true), "
                 "pulse, w; equation pulse = exp(-((time - 5.3)/%g)^2); der(x) = -k*x + p*pulse; "
                 "w = a*pulse; end M;",
                 w);
        daedal_model *m = model_of_text(text);
        int32_t numbers[] = {daedal_model_find(m, "p"), daedal_model_find(m, "a")};
        double by_p[2], area = w * sqrt(acos(-1.0));
        double moment = area * exp(0.3 * 5.3 + 0.25 * 0.09 * w * w), end = exp(-0.3 * 10.0);
        daedal_options opt = defaults_with(rtol, 1e-3 * rtol);
        daedal_options_set(&opt, "method", methods[k % COUNT(methods)]);
        daedal_simulation how = {.t_stop = 10.0, .options = &opt, .parameters = {numbers, 2}};
        daedal_gradient g = {.by_parameters = by_p};
        daedal_diagnosis why;
        if (daedal_model_gradient(m, &how, daedal_model_find(m, "w"), daedal_model_find(m, "x"), &g,
                                  &why) != DAEDAL_OK)
            fail_msg("%s", why.message);
        expect_near(by_p[0], end * moment, 10.0 * rtol * end * moment);
        expect_near(by_p[1], area, 10.0 * rtol * area);
        expect_near(g.value, 2.0 * area + end * (1.0 + moment), 30.0 * rtol * g.value);
        daedal_model_free(m);
    }
}

/* Backward, a step evaluates the derivatives of F once in each of its stages and not for more. */
static void cost_of_explicit_runs(void **state)
{
    (void)state;
    enum { STAGES = 12, SAMPLES = 64, FEW = 8, OF_THE_START = 4 };
    daedal_model *m = model_of_text(
        "model M parameter Real k = 1.1; Real x[6](start = {sin(0.7*i) for i in 1:6}, each fixed = "
        "true); Real v[6](each start = 0, each fixed = true); Real w; equation for i in 1:6 loop "
        "der(x[i]) = v[i]; der(v[i]) = -k*i*sin(x[i]) + 0.3*(x[mod(i, 6) + 1] - x[i]); end for; "
        "w = x[1]^2; end M;");
    int32_t number = daedal_model_find(m, "k");
    double by_k;
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_simulation how = {.t_stop = 20.0, .options = &opt, .parameters = {&number, 1}};
    daedal_gradient g = {.by_parameters = &by_k};
    assert_int_equal(daedal_model_gradient(m, &how, -1, daedal_model_find(m, "w"), &g, NULL),
                     DAEDAL_OK);
    int64_t steps = g.backward.steps + g.backward.rejected_error;
    assert_true(g.backward.jacobians <= STAGES * steps + SAMPLES + FEW);
    assert_true(g.backward.factorizations <= OF_THE_START); /* none to look for warnings */
    daedal_model_free(m);
}

/* The solution of radau is kept at as many points of a step as its stages ask for, at which
 * algebraic variables are corrected, but not at its ends: 19 calls of F for a step of this model,
 * where points as for the full order and the beginning of each step took 28.                     */
static void cost_of_implicit_runs(void **state)
{
    (void)state;
    enum { CALLS = 24 };
    daedal_model *m = model_of_text(
        "model M parameter Real k = 0.3; Real x(start = 1, fixed = true), z(start = 0, fixed = "
        "true), y; equation der(x) = -k*x*y; der(z) = -1e4*(z - x*y); y^3 + y = x + z; end M;");
    int32_t number = daedal_model_find(m, "k");
    double by_k;
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_simulation how = {.t_stop = 20.0, .options = &opt};
    daedal_outcome plain;
    assert_int_equal(daedal_model_simulate(m, &how, &plain), DAEDAL_OK);
    int64_t calls = plain.stats.residuals;
    daedal_gradient g = {.by_parameters = &by_k};
    how.parameters = (daedal_ints){&number, 1};
    assert_int_equal(daedal_model_gradient(m, &how, -1, daedal_model_find(m, "y"), &g, NULL),
                     DAEDAL_OK);
    assert_true(g.forward.residuals - calls <= CALLS * g.forward.steps);
    daedal_model_free(m);
}

/* ---- events ---- */

#define BALL_WITH(equations)                                                                       \
    "model M parameter Real e = 0.8; parameter Real g = 9.81; parameter Real h0 = 1.3;"            \
    " Real h(start = h0, fixed = true); Real v(start = 0, fixed = true); Real w; Real q(start = "  \
    "0, "                                                                                          \
    "fixed = true); equation der(h) = v; der(v) = -g; " equations " der(q) = w; end M;"

static const example hybrid[] = {
    {"bouncing ball",
     BALL_WITH("w = h; when h < 0 then reinit(v, -e*pre(v)); end when;"),
     3.0,
     3,
     {"e", "g", "h0"}},
    {"bouncing ball, speed",
     BALL_WITH("w = v*v + h; when h < 0 then reinit(v, -e*pre(v)); end when;"),
     3.0,
     3,
     {"e", "g", "h0"}},
    {"thermostat",
     "model M parameter Real high = 21; parameter Real low = 19; parameter Real P = 3; parameter "
     "Real c = 0.12; Real T(start = 18, fixed = true); Boolean on(start = true, fixed = true); "
     "Real w; Real q(start "
     "= 0, fixed = true); equation der(T) = -c*(T - 5) + (if on then P else 0); "
     "on = if pre(on) then T < high else T < low; w = (T - 20)^2 + (if on then P^2 else 0); der(q) "
     "= w; end M;",
     17.0,
     4,
     {"high", "low", "P", "c"}},
    {"rectifier",
     "model M parameter Real R = 50; parameter Real C = 0.01; parameter Real f = 3; parameter Real "
     "d = 0.6; Real u(start = 0.1, fixed = true); Real i; Real s; Boolean off; Real w; Real "
     "q(start "
     "= 0, fixed = true); equation off = s < 0; sin(2*3.14159*f*time)*5 - u = d + (if off then s "
     "else 0.1*s); i = (if off then 1e-6*s else s); C*der(u) = i - u/R; w = i*u; der(q) = w; "
     "end M;",
     1.0,
     4,
     {"R", "C", "f", "d"}},
    {"reinit of a parameter",
     "model M parameter Real a = 0.7; parameter Real b = 2; parameter Real k = 0.4; Real x(start = "
     "1, fixed = true); Real y(start = 0, fixed = true); Real w; Real q(start = 0, fixed = true); "
     "equation der(x) = y; der(y) = -b*x - k*y; w = x^2; der(q) = w; when x < -0.1 then "
     "reinit(y, a*y + b*x^2 + time*k); reinit(x, k*pre(x)); end when; end M;",
     6.0,
     3,
     {"a", "b", "k"}},
    {"times that depend on parameters",
     "model M parameter Real t1 = 0.7; parameter Real d = 0.4; parameter Real k = 1.5; discrete "
     "Real z(start = 0.3*k); discrete Real next(start = t1); Real x(start = 1, fixed = true); Real "
     "w; Real q(start = 0, fixed = true); equation der(x) = -k*x + z; w = x*x + 0.1*z; der(q) = w; "
     "when time >= pre(next) then z = pre(z) + d*x + time*k; next = pre(next) + d + 0.1*z; end "
     "when; end M;",
     4.0,
     3,
     {"t1", "d", "k"}},
    {"samples",
     "model M parameter Real t1 = 0.35; parameter Real d = 0.4; parameter Real k = 1.5; discrete "
     "Real z(start = 0); Real x(start = 1, fixed = true); Real w; Real q(start = 0, fixed = true); "
     "equation der(x) = -k*x + z; w = x*x; der(q) = w; when sample(t1, d) then z = k*(1 - x) + "
     "0.2*pre(z); end when; end M;",
     3.0,
     3,
     {"t1", "d", "k"}},
    {"chain of whens",
     "model M parameter Real k=1.3; parameter Real c=0.7; Real x(start=0,fixed=true); "
     "discrete Real d(start=1); discrete Real y(start=0.5); Integer n(start=0); Real w; "
     "Real q(start=0,fixed=true); equation der(x)=k*d; w=x+y*d; der(q)=w; when x>1+n then "
     "n=pre(n)+1; d=0.6*pre(d)+c*x; end when; when change(n) then y=pre(y)*c+d+time; "
     "reinit(x,x+0.01*d); end when; end M;",
     3.0,
     2,
     {"k", "c"}},
    {"pwm controller",
     "model M parameter Real Ts=0.13; parameter Real kp=2.1; parameter Real ref=0.8; "
     "parameter Real tau=0.4; Real x(start=0,fixed=true); discrete Real u(start=0); "
     "Boolean on; discrete Real t0(start=0); Real w; Real q(start=0,fixed=true); equation "
     "der(x)=((if on then 1.5 else 0)-x)/tau; when sample(0,Ts) then "
     "u=min(0.95,max(0.05,kp*(ref-x))); t0=time; end when; on = time<t0+u*Ts; "
     "w=(x-ref)^2; der(q)=w; end M;",
     1.5,
     4,
     {"Ts", "kp", "ref", "tau"}},
    {"elsewhen and algebraic",
     "model M parameter Real a=0.8; parameter Real b=1.4; Real x(start=1,fixed=true); "
     "Real y(start=0,fixed=true); Real s; Real w; Real q(start=0,fixed=true); equation "
     "der(x)=y; der(y)=-b*b*x; s+0.2*s^3=x+a*y; w=s*s; der(q)=w; when s<-0.5 then "
     "reinit(y,a*s*y); elsewhen s>0.4 then reinit(y,y-b*s); end when; end M;",
     5.0,
     2,
     {"a", "b"}},
    {"assignments and equations that read one another",
     "model M parameter Real a=1.5; parameter Real b=0.4; parameter Real c=0.9; Real "
     "x(start=1,fixed=true); Real u; Real z; Real w; Real q(start=0,fixed=true); discrete Real "
     "m(start=0.3,fixed=true); equation der(x)=-a*x+0.3*u; u+z^3=m*x+b; z=u*c-x; w=u*u; der(q)=w; "
     "when {x<0.7,x<0.45} then m=pre(m)+u*z+time; end when; end M;",
     2.0,
     3,
     {"a", "b", "c"}},
    {"reinit of what reads an assigned number",
     "model M parameter Real k=1.3; parameter Real a=0.6; parameter Real b=0.4; Real "
     "x(start=1,fixed=true); Real y(start=0.2,fixed=true); Real s; Real w; Real "
     "q(start=0,fixed=true); discrete Real m(start=1,fixed=true); equation der(x)=-k*x; "
     "der(y)=x*s; s+0.1*s^3=m*x; w=y*y; der(q)=w; when x<a then m=b+2*x*y; reinit(y,pre(y)+s); "
     "end when; end M;",
     1.2,
     3,
     {"k", "a", "b"}},
    {"two balls",
     "model M parameter Real e=0.7; parameter Real d=0.9; parameter Real g=9.8; Real "
     "a(start=1,fixed=true); Real va(start=0,fixed=true); Real b(start=1.7,fixed=true); "
     "Real vb(start=0,fixed=true); Real w; Real q(start=0,fixed=true); equation "
     "der(a)=va; der(va)=-g; der(b)=vb; der(vb)=-g; w=a*b; der(q)=w; when a<0 then "
     "reinit(va,-e*va); end when; when b<a then reinit(vb,va+d*(va-vb)*0.5); reinit(va, "
     "vb+0.1*d); end when; end M;",
     1.3,
     3,
     {"e", "d", "g"}},
    {"pendulum of index 3 and a wall",
     "model M parameter Real L = 1.2; parameter Real g = 9.81; parameter Real e = 0.7; parameter "
     "Real d = -0.25;"
     " Real x(start = 0.7, fixed = true); Real y(start = -0.9); Real u(start = 0, fixed = true); "
     "Real v; Real f; Real w; Real q(start = 0, fixed = true);"
     " equation der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - g; x^2 + y^2 = L^2;"
     " w = x*y + 0.1*f; der(q) = w; when x < d then reinit(u, -e*pre(u)); end when; end M;",
     2.0,
     4,
     {"L", "g", "e", "d"}},
};

typedef struct end_value {
    int32_t number;
    double value;
} end_value;

static int keep_end(daedal_row_kind kind, double t, const double *values, void *user)
{
    (void)kind, (void)t;
    ((end_value *)user)->value = values[((end_value *)user)->number];
    return DAEDAL_CALL_OK;
}

/* A variable at the end, with another value of a parameter. */
typedef struct moved_run {
    const example *of;
    daedal_model *m;
    int32_t variable, parameter;
} moved_run;

static double run_with(const moved_run *r, double value)
{
    daedal_options opt = defaults_with(1e-11, 1e-14);
    end_value end = {.number = r->variable};
    daedal_simulation how = {.t_stop = r->of->t_stop,
                             .intervals = 1,
                             .options = &opt,
                             .scale_atol = 1,
                             .row = keep_end,
                             .row_user = &end};
    expect_model_ok(r->m, daedal_model_set(r->m, r->parameter, value));
    expect_model_ok(r->m, daedal_model_simulate(r->m, &how, NULL));
    expect_model_ok(r->m, daedal_model_set(r->m, r->parameter, NAN));
    return end.value;
}

/* Central differences of order four, of runs at a tight tolerance. */
static double difference(const moved_run *r)
{
    const daedal_model_info *info = daedal_model_describe(r->m);
    double p = info->variables[r->parameter].value, h = 3e-4 * fabs(p);
    double slope = 8.0 * (run_with(r, p + h) - run_with(r, p - h)) -
                   (run_with(r, p + 2 * h) - run_with(r, p - 2 * h));
    return slope / (12.0 * h);
}

/* The integral of w, which is the end value of q, and the end value of z. */
static void compare_with_differences(const example *e)
{
    const double rtol = 1e-9, differences = 3e-6; /* what their errors may be with any rounding */
    static const char *const of[][3] = {{"w", NULL, "q"}, {NULL, "q", "q"}, {NULL, "z", "z"}};
    daedal_model *m = model_of_text(e->text);
    daedal_options opt = defaults_with(rtol, 1e-3 * rtol);
    int32_t numbers[MOST];
    double by_p[COUNT(of)][MOST];
    for (int32_t i = 0; i < e->n; i++)
        numbers[i] = daedal_model_find(m, e->parameters[i]);
    for (size_t k = 0; k < COUNT(of) && daedal_model_find(m, of[k][2]) >= 0; k++) {
        daedal_simulation how = {
            .t_stop = e->t_stop, .options = &opt, .scale_atol = 1, .parameters = {numbers, e->n}};
        daedal_gradient g = {.by_parameters = by_p[k]};
        daedal_diagnosis why;
        int32_t integrand = of[k][0] ? daedal_model_find(m, of[k][0]) : -1;
        int32_t end = of[k][1] ? daedal_model_find(m, of[k][1]) : -1;
        if (daedal_model_gradient(m, &how, integrand, end, &g, &why) != DAEDAL_OK)
            fail_msg("%s: %s", e->name, why.message);
        for (int32_t i = 0; i < e->n; i++) {
            moved_run r = {e, m, daedal_model_find(m, of[k][2]), numbers[i]};
            double wanted = k == 1 ? by_p[0][i] : difference(&r);
            if (fabs(by_p[k][i] - wanted) > differences * fabs(wanted))
                fail_msg("%s: %s by %s is %.10g, not %.10g", e->name, of[k][2], e->parameters[i],
                         by_p[k][i], wanted);
        }
    }
    daedal_model_free(m);
}

static void across_events(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(hybrid); k++)
        compare_with_differences(&hybrid[k]);
}

/* ---- what is refused ---- */

static const char BALL[] =
    "model M parameter Real e = 0.8; parameter Real k = 2; parameter Boolean b = true;"
    " Real h(start = 1, fixed = true); Real v(start = 0, fixed = true); Real a; Real o; Integer "
    "n(start = 0); "
    "equation der(h) = v; der(v) = -9.81; a = der(v)*h; o = k*h; "
    "when h < 0 then n = pre(n) + 1; reinit(v, -e*pre(v)); end when; end M;";
static const char DELAYED[] = "model M parameter Real k = 1; Real h(start = 1, fixed = true); "
                              "equation der(h) = -k*delay(h, 0.1); end M;";

/* Two capacitors that a switch joins; a relation of a derivative. */
static const char IMPULSE[] =
    "model M parameter Real k = 0.5; Real a(start = 1, fixed = true); Real b(start = 0, fixed = "
    "true); Real i; equation der(a) = -i; der(b) = i; if time < k then i = 0; else a = b; end if; "
    "end M;";
static const char SLOPE[] =
    "model M parameter Real k = 0.5; Real x(start = 1, fixed = true); Real y(start = 0, fixed = "
    "true); equation der(x) + 0.1*sin(der(x)) = -k*x + y; der(y) = if der(x) > -0.3 then 1 else 0; "
    "end M;";

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *parameter, *integrand;
        double t_stop;
        daedal_status status;
        const char *part;
    } rows[] = {
        {BALL, "k", "o", 0.4, DAEDAL_OK, NULL},
        {BALL, "e", "h", 1.0, DAEDAL_OK, NULL},
        {BALL, "e", "n", 1.0, DAEDAL_OK, NULL},
        {BALL, "e", "a", 0.4, DAEDAL_ERR_ARGUMENT, "a cannot be a term of a functional"},
        {BALL, "e", "k", 0.4, DAEDAL_ERR_ARGUMENT,
         "k cannot be a term of a functional: it is constant"},
        {BALL, "e", "der(h)", 0.4, DAEDAL_ERR_ARGUMENT, "no variable number"},
        {BALL, "h", "o", 0.4, DAEDAL_ERR_ARGUMENT, "h is no parameter"},
        {BALL, "b", "o", 0.4, DAEDAL_ERR_ARGUMENT, "decides what the equations are"},
        {BALL, "e", NULL, 0.4, DAEDAL_ERR_ARGUMENT, "neither an integrand nor an end term"},
        {DELAYED, "k", "h", 0.4, DAEDAL_ERR_STRUCTURE, "delays"},
        {IMPULSE, "k", "a", 1.0, DAEDAL_ERR_STRUCTURE, "jumps there without a reinit of its own"},
        {SLOPE, "k", "x", 2.0, DAEDAL_ERR_STRUCTURE, "it reads the derivative of x"},
        {BALL, "e", "h", 10.0, DAEDAL_ERR_STEP_TOO_SMALL, "events accumulate"},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        daedal_model *m = model_of_text(rows[k].text);
        int32_t number = daedal_model_find(m, rows[k].parameter);
        int32_t term = rows[k].integrand ? daedal_model_find(m, rows[k].integrand) : -1;
        double by_p;
        daedal_simulation how = {.t_stop = rows[k].t_stop, .parameters = {&number, 1}};
        daedal_gradient g = {.by_parameters = &by_p};
        daedal_diagnosis why;
        assert_int_equal(daedal_model_gradient(m, &how, term, -1, &g, &why), rows[k].status);
        if (rows[k].part)
            expect_text(why.message, rows[k].part);
        daedal_model_free(m);
    }
}

/* ---- memory ---- */

/* Allocation number k behind those of the model fails: it is said, and nothing is lost. */
static daedal_status gradient_without(const char *text, long k)
{
    ledger books;
    daedal_model *m;
    char message[600];
    double by_p[2];
    daedal_diagnosis why;
    ledger_open(&books);
    daedal_model_options with = {.allocator = &books.allocator};
    assert_int_equal(
        daedal_model_parse(&m, "text", text, strlen(text), &with, message, sizeof message), 0);
    int32_t numbers[] = {daedal_model_find(m, "e"), daedal_model_find(m, "k")};
    daedal_options opt = defaults_with(1e-4, 1e-7);
    opt.allocator = &books.allocator;
    daedal_simulation how = {.t_stop = 0.8, .options = &opt, .parameters = {numbers, 2}};
    daedal_gradient g = {.by_parameters = by_p};
    books.refuse = books.taken + k;
    daedal_status status = daedal_model_gradient(m, &how, daedal_model_find(m, "o"), -1, &g, &why);
    books.refuse = 0;
    daedal_model_free(m);
    ledger_expect_empty(&books);
    return status;
}

static void without_memory(void **state)
{
    (void)state;
    const long stride = 5, last = 500; /* of all, which take too long */
    int32_t n_failed = 0;
    for (long k = 1; k < last; k += stride) {
        daedal_status status = gradient_without(BALL, k);
        n_failed += status == DAEDAL_ERR_MEMORY;
        assert_true(status == DAEDAL_OK || status == DAEDAL_ERR_MEMORY);
    }
    assert_true(n_failed > 10);
}

/* ---- jumps without events ---- */

static void count_warnings(daedal_log_level level, const char *message, void *user)
{
    if (level == DAEDAL_LOG_WARNING && strstr(message, "the gradient is wrong"))
        ++*(int *)user;
}

#define FALL(slope, term)                                                                          \
    "model M parameter Real k = 0.5; Real x(start = 1, fixed = true); Real w; equation der(x) "    \
    "= " slope "; w = " term "; end M;"

/* A jump of the equations or of the functional is told, a corner and an event are not. */
static void jumps_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int warnings;
    } rows[] = {
        {FALL("if noEvent(x > 0.6) then -k else -2*k", "x"), 1},
        {FALL("-k*x", "if noEvent(x > 0.6) then 1 else 0"), 1},
        {FALL("if noEvent(x > 0.6) then -k*x else -k*0.6", "x"), 0},
        {FALL("-k*x", "if noEvent(x > 0.6) then x - 0.6 else 0.6 - x"), 0},
        {FALL("if x > 0.6 then -k else -2*k", "if x > 0.6 then 1 else 0"), 0},
        {FALL("-k*abs(x - 0.3)", "max(x, 0.6)"), 0},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        int told = 0;
        double by_p;
        daedal_model *m = model_of_text(rows[k].text);
        daedal_options opt = defaults_with(1e-6, 1e-9);
        opt.log = count_warnings;
        opt.callback_user = &told;
        int32_t number = daedal_model_find(m, "k");
        daedal_simulation how = {.t_stop = 1.5, .options = &opt, .parameters = {&number, 1}};
        daedal_gradient g = {.by_parameters = &by_p};
        daedal_diagnosis why;
        daedal_status status =
            daedal_model_gradient(m, &how, daedal_model_find(m, "w"), -1, &g, &why);
        if (status != DAEDAL_OK)
            fail_msg("%s", why.message);
        if (told != rows[k].warnings)
            fail_msg("%d warnings, not %d: %s", told, rows[k].warnings, rows[k].text);
        daedal_model_free(m);
    }
}

/* ---- errors of the states ---- */

static void read_error(daedal_log_level level, const char *message, void *user)
{
    const char *found = strstr(message, "and the functional by about ");
    if (level == DAEDAL_LOG_WARNING && found)
        *(double *)user = strtod(found + strlen("and the functional by about "), NULL);
}

/* The abscissa of a planet after 13 orbits, and the error that is told. */
static double abscissa(const char *method, double rtol, double *told)
{
    daedal_model *m = model_of_text(
        "model K parameter Real mu = 1; Real x(start = 0.4, fixed = true), y(start = 0, fixed = "
        "true), u(start = 0, fixed = true), v(start = 2, fixed = true), r; equation r = sqrt(x^2 + "
        "y^2); der(x) = u; der(y) = v; der(u) = -mu*x/r^3; der(v) = -mu*y/r^3; end K;");
    int32_t number = daedal_model_find(m, "mu");
    double by_mu;
    daedal_options opt = defaults_with(rtol, 1e-3 * rtol);
    daedal_options_set(&opt, "method", method);
    opt.log = read_error;
    opt.callback_user = told;
    daedal_simulation how = {.t_stop = 80.0, .options = &opt, .parameters = {&number, 1}};
    daedal_gradient g = {.by_parameters = &by_mu};
    assert_int_equal(daedal_model_gradient(m, &how, -1, daedal_model_find(m, "x"), &g, NULL),
                     DAEDAL_OK);
    daedal_model_free(m);
    return g.value;
}

/* With every method: the gradient is 100 to 150 tolerances off, the functional 20. */
static void errors_of_states_are_told(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "radau", "bdf"};
    double unused, exact = abscissa("radau", 1e-11, &unused);
    for (size_t k = 0; k < COUNT(methods); k++) {
        double told = 0.0, off = abscissa(methods[k], 1e-6, &told) - exact;
        assert_true(told > 0.3 * fabs(off) && told < 3.0 * fabs(off));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_forward),
                                       cmocka_unit_test(order_of_integrals),
                                       cmocka_unit_test(pulses),
                                       cmocka_unit_test(cost_of_explicit_runs),
                                       cmocka_unit_test(cost_of_implicit_runs),
                                       cmocka_unit_test(across_events),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(jumps_are_told),
                                       cmocka_unit_test(errors_of_states_are_told),
                                       cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
