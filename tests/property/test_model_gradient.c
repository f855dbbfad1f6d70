/* Gradients of runs of models by adjoint equations, against forward sensitivities of the same runs:
 * the integral of w is also the variable q of each model. */
#include <math.h>
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

/* ---- what is refused ---- */

static const char BALL[] =
    "model M parameter Real e = 0.8; parameter Real k = 2; parameter Boolean b = true;"
    " Real h(start = 1, fixed = true); Real v(start = 0, fixed = true); Real a; Real o; Integer "
    "n(start = 0); "
    "equation der(h) = v; der(v) = -9.81; a = der(v)*h; o = k*h; "
    "when h < 0 then n = pre(n) + 1; reinit(v, -e*pre(v)); end when; end M;";
static const char DELAYED[] = "model M parameter Real k = 1; Real h(start = 1, fixed = true); "
                              "equation der(h) = -k*delay(h, 0.1); end M;";

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
        {BALL, "e", "h", 1.0, DAEDAL_ERR_STRUCTURE, "the run has an event at t = 0.45"},
        {BALL, "e", "a", 0.4, DAEDAL_ERR_ARGUMENT, "a cannot be a term of a functional"},
        {BALL, "e", "k", 0.4, DAEDAL_ERR_ARGUMENT,
         "k cannot be a term of a functional: it is constant"},
        {BALL, "e", "n", 0.4, DAEDAL_ERR_ARGUMENT,
         "n cannot be a term of a functional: it changes at"},
        {BALL, "e", "der(h)", 0.4, DAEDAL_ERR_ARGUMENT, "no variable number"},
        {BALL, "h", "o", 0.4, DAEDAL_ERR_ARGUMENT, "h is no parameter"},
        {BALL, "b", "o", 0.4, DAEDAL_ERR_ARGUMENT, "decides what the equations are"},
        {BALL, "e", NULL, 0.4, DAEDAL_ERR_ARGUMENT, "neither an integrand nor an end term"},
        {DELAYED, "k", "h", 0.4, DAEDAL_ERR_STRUCTURE, "delays"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_forward),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
