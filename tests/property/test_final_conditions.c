/* Final conditions of models: control problems with known solutions, mechanics of index three,
 * events, initial equations, and conditions that do not fit.                              */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "daedal.h"

static daedal_model *parse(const char *text)
{
    daedal_model *m;
    char message[2000];
    if (daedal_model_parse(&m, "test", text, strlen(text), NULL, message, sizeof message) < 0)
        fail_msg("%s", message);
    return m;
}

typedef struct last_row {
    double first[8], last[8];
    double found; /* the first start value of the report, which belongs to the model */
    int32_t n, count;
} last_row;

static int keep_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    last_row *r = user;
    (void)kind, (void)t;
    memcpy(r->count++ ? r->last : r->first, values, (size_t)r->n * sizeof(double));
    return DAEDAL_CALL_OK;
}

typedef struct question {
    const char *text;
    double t_stop;
    daedal_bvp_method method;
    const char *name[3];
    double value[3];
    const daedal_setting *from;
} question;

static daedal_status ask(const question *q, daedal_model_bvp_report *report, last_row *rows,
                         daedal_diagnosis *why)
{
    daedal_model *m = parse(q->text);
    daedal_final finals[3];
    daedal_outcome outcome;
    daedal_options o;
    int32_t n = 0;
    for (; n < 3 && q->name[n]; n++)
        finals[n] = (daedal_final){daedal_model_find(m, q->name[n]), q->value[n]};
    daedal_options_defaults(&o);
    o.rtol = 1e-8;
    o.atol = 1e-11;
    *rows = (last_row){.n = daedal_model_describe(m)->n_variables};
    assert_true(rows->n <= 8);
    daedal_simulation how = {.t_stop = q->t_stop,
                             .intervals = 20,
                             .no_event_rows = 1,
                             .options = &o,
                             .scale_atol = 1,
                             .row = keep_row,
                             .row_user = rows};
    daedal_model_bvp bvp = {.finals = finals, .n_finals = n, .method = q->method, .from = q->from};
    daedal_status status = daedal_model_bvp_solve(m, &how, &bvp, report, &outcome);
    *why = outcome.diagnosis;
    assert_int_equal(outcome.status, status);
    if (status == DAEDAL_OK) {
        assert_true(rows->count == 21 && outcome.t == q->t_stop);
        rows->found = report->found_values[0];
        /* the model is as it was: its start values are open again */
        double values[8];
        assert_int_equal(daedal_model_start(m, &how, values, &outcome), DAEDAL_OK);
        assert_int_equal(outcome.n_open, report->n_found);
    }
    daedal_model_free(m);
    return status;
}

static const char control[] = "model M Real x(start = 1, fixed = true), p, u; equation "
                              "der(x) = x + u; der(p) = -x - p; u + p = 0; end M;";
static const char cheap[] =
    "model M Real x1(start = 1, fixed = true), x2, p1, p2, u; equation der(x1) = 0.1*x1 + x2; "
    "der(x2) = -0.5*x1 + 0.2*x2 + u; der(p1) = -x1 - 0.1*p1 + 0.5*p2; "
    "der(p2) = -x2 - p1 - 0.2*p2; p2 = 0; end M;";
static const char tracking[] =
    "model M Real x1, x2, p1, p2, u; equation der(x1) = 0.1*x1 + x2; "
    "der(x2) = -0.5*x1 + 0.2*x2 + u; der(p1) = -(x1 - sin(time)) - 0.1*p1 + 0.5*p2; "
    "der(p2) = -p1 - 0.2*p2; p2 = 0; end M;";

/* C198 on [0, 1], and on [0, 30], where a run from the start loses all digits. */
static void control_of_index_one(void **state)
{
    (void)state;
    const double length[] = {1, 30}, costate[] = {1.689498391594383, 2.414213562373095};
    for (int k = 0; k < 2; k++) {
        daedal_model_bvp_report r;
        daedal_diagnosis why;
        last_row rows;
        question q = {control, length[k], DAEDAL_BVP_AUTO, {"p"}, {0}, NULL};
        assert_int_equal(ask(&q, &r, &rows, &why), DAEDAL_OK);
        assert_string_equal(r.method, "collocation");
        assert_int_equal(r.n_found, 1);
        assert_true(fabs(rows.found - costate[k]) < 1e-8);
        assert_true(fabs(rows.first[2] + costate[k]) < 1e-8 && fabs(rows.last[1]) < 1e-8);
        assert_true(r.condition < 3 && r.error <= 1);
    }
}

/* On the manifold p2 = 0, p1 = -x2 the states obey x' = A x with A^2 = 1.01: index three. */
static void cheap_control_of_index_three(void **state)
{
    (void)state;
    const double m = sqrt(1.01), s = sinh(2 * m) / m, c = cosh(2 * m);
    for (int method = DAEDAL_BVP_COLLOCATION; method <= DAEDAL_BVP_SHOOTING; method++) {
        daedal_model_bvp_report r;
        daedal_diagnosis why;
        last_row rows;
        question q = {cheap, 2, (daedal_bvp_method)method, {"p1"}, {0}, NULL};
        assert_int_equal(ask(&q, &r, &rows, &why), DAEDAL_OK);
        assert_true(fabs(rows.first[1] + s / (c - 0.1 * s)) < 1e-7);
        assert_true(fabs(rows.last[2]) < 1e-7);
        /* x2' = x1 - 0.1 x2 gives the control, which equations determine after two derivatives */
        double u = rows.first[0] - 0.1 * rows.first[1] + 0.5 * rows.first[0] - 0.2 * rows.first[1];
        assert_true(fabs(rows.first[4] - u) < 1e-6);
    }
}

/* A pendulum in Cartesian coordinates is at given places at two times. */
static void mechanics_of_index_three(void **state)
{
    (void)state;
    static const char text[] =
        "model M Real x(start = 0.479425538604203, fixed = true), y(start = -0.87), u, v, l; "
        "equation der(x) = u; der(y) = v; der(u) = -l*x; der(v) = -l*y - 9.81; x^2 + y^2 = 1; "
        "end M;";
    double found[2];
    for (int k = 0; k < 2; k++) {
        daedal_model_bvp_report r;
        daedal_diagnosis why;
        last_row rows;
        question q = {text,  0.5,        k ? DAEDAL_BVP_SHOOTING : DAEDAL_BVP_COLLOCATION,
                      {"x"}, {sin(0.3)}, NULL};
        assert_int_equal(ask(&q, &r, &rows, &why), DAEDAL_OK);
        const double *a = rows.first, *b = rows.last;
        double before = (a[2] * a[2] + a[3] * a[3]) / 2 + 9.81 * a[1];
        double after = (b[2] * b[2] + b[3] * b[3]) / 2 + 9.81 * b[1];
        assert_true(fabs(before - after) < 1e-6);
        assert_true(fabs(b[0] - sin(0.3)) < 1e-7 && fabs(b[0] * b[0] + b[1] * b[1] - 1) < 1e-9);
        found[k] = a[2];
    }
    assert_true(fabs(found[0] - found[1]) < 1e-6);
}

/* How fast a ball is thrown up that is at a height after it has bounced. */
static void across_events(void **state)
{
    (void)state;
    static const char text[] =
        "model M Real h(start = 1, fixed = true), v(start = 2); equation der(h) = v; "
        "der(v) = -9.81; when h < 0 then reinit(v, -0.8*pre(v)); end when; end M;";
    daedal_model_bvp_report r;
    daedal_diagnosis why;
    last_row rows;
    question q = {text, 1.2, DAEDAL_BVP_AUTO, {"h"}, {0.5}, NULL};
    assert_int_equal(ask(&q, &r, &rows, &why), DAEDAL_OK);
    assert_string_equal(r.method, "shooting");
    assert_true(fabs(rows.last[0] - 0.5) < 1e-6);
    double v = rows.found, impact = (v + sqrt(v * v + 2 * 9.81)) / 9.81, left = 1.2 - impact;
    double height = 0.8 * sqrt(v * v + 2 * 9.81) * left - 9.81 / 2 * left * left;
    assert_true(fabs(height - 0.5) < 1e-6);
    q.method = DAEDAL_BVP_COLLOCATION;
    assert_int_equal(ask(&q, &r, &rows, &why), DAEDAL_ERR_ARGUMENT);
    assert_non_null(strstr(why.message, "events"));
}

/* The start lies on an ellipse: what is open there is a curve, not a plane. */
static void nonlinear_initial_equations(void **state)
{
    (void)state;
    static const char text[] =
        "model M Real x(start = 0.9), y(start = 0.3); initial equation x^2 + 4*y^2 = 1; "
        "equation der(x) = y; der(y) = -x; end M;";
    daedal_model_bvp_report r;
    daedal_diagnosis why;
    last_row rows;
    question q = {text, 1, DAEDAL_BVP_AUTO, {"x"}, {0.6}, NULL};
    assert_int_equal(ask(&q, &r, &rows, &why), DAEDAL_OK);
    double x = rows.first[0], y = rows.first[1];
    assert_true(fabs(x * x + 4 * y * y - 1) < 1e-7);
    assert_true(fabs(x * cos(1.0) + y * sin(1.0) - 0.6) < 1e-7);
}

/* A corner layer, from an easy value of eps: eps v' + y v = y. */
static void along_a_parameter(void **state)
{
    (void)state;
    static const char text[] =
        "model M parameter Real eps = 1e-4; Real y(start = -0.3333333333333333, fixed = true), "
        "v(start = 0.7); equation der(y) = v; eps*der(v) + y*v = y; end M;";
    daedal_setting from = {"eps", 0.1};
    daedal_model_bvp_report r;
    daedal_diagnosis why;
    last_row rows;
    question q = {text, 1, DAEDAL_BVP_AUTO, {"y"}, {1.0 / 3}, &from};
    assert_int_equal(ask(&q, &r, &rows, &why), DAEDAL_OK);
    assert_true(fabs(rows.found - 1) < 1e-6);
    assert_true(fabs(rows.last[1] - 1.0 / 3) < 1e-8 || fabs(rows.last[0] - 1.0 / 3) < 1e-8);
}

/* Bratu's problem y'' + lambda exp(y) = 0, y(0) = y(1) = 0: with theta = sqrt(2 lambda)
 * cosh(theta / 4) its solution begins with the slope theta tanh(theta / 4); beyond lambda = 3.5138
 * there is none: the path from 0.5 ends there, whichever method follows it.                  */
static void along_a_parameter_to_a_fold(void **state)
{
    (void)state;
    daedal_setting from = {"lambda", 0.5};
    for (int method = DAEDAL_BVP_COLLOCATION; method <= DAEDAL_BVP_SHOOTING; method++) {
        daedal_model_bvp_report r;
        daedal_diagnosis why;
        last_row rows;
        char text[200];
        double theta = 0, reached = NAN;
        for (int k = 0; k < 200; k++)
            theta = sqrt(6.8) * cosh(theta / 4);
        question q = {text, 1, (daedal_bvp_method)method, {"y"}, {0}, &from};
        const char *bratu = "model M parameter Real lambda = %s; Real y(start = 0, fixed = true), "
                            "v(start = 3); equation der(y) = v; der(v) = -lambda*exp(y); end M;";
        snprintf(text, sizeof text, bratu, "3.4");
        assert_int_equal(ask(&q, &r, &rows, &why), DAEDAL_OK);
        assert_true(fabs(rows.found - theta * tanh(theta / 4)) < 1e-6);
        snprintf(text, sizeof text, bratu, "8");
        assert_true(ask(&q, &r, &rows, &why) < 0);
        const char *at = strstr(why.message, " to ");
        assert_int_equal(why.cause, DAEDAL_CAUSE_NO_SOLUTION);
        assert_true(at && sscanf(at, " to %lf", &reached) == 1);
        assert_true(reached < 3.513831 && reached > 3.5);
    }
}

/* With y = 0 as the guess nothing depends on k: collocation finds no way, shooting does. */
static void eigenvalues_by_runs(void **state)
{
    const double pi = 3.14159265358979324;
    daedal_model_bvp_report r;
    daedal_diagnosis why;
    last_row rows;
    (void)state;
    question q = {"model M Real y(start = 0, fixed = true), v(start = 1, fixed = true), "
                  "k(start = 8); equation der(y) = v; der(v) = -k*y; der(k) = 0; end M;",
                  1,
                  DAEDAL_BVP_AUTO,
                  {"y"},
                  {0},
                  NULL};
    if (ask(&q, &r, &rows, &why) != DAEDAL_OK)
        fail_msg("%s", why.message);
    assert_true(fabs(rows.found - pi * pi) < 1e-5);
    assert_string_equal(r.method, "shooting");
    q.method = DAEDAL_BVP_COLLOCATION;
    assert_int_equal(ask(&q, &r, &rows, &why), DAEDAL_ERR_SINGULAR);
}

/* A condition at a distance of half a period of the oscillator says nothing of how it began. */
static const char oscillator[] = "model M Real y(start = 0, fixed = true), v(start = 1); "
                                 "equation der(y) = v; der(v) = -y; end M;";
static const double half_period = 3.14159265358979324;

static void conditions_that_do_not_fit(void **state)
{
    (void)state;
    const struct {
        question q;
        daedal_status status;
        const char *words;
    } rows[] = {
        {{control, 1, DAEDAL_BVP_AUTO, {"p", "x"}, {0, 0}, NULL},
         DAEDAL_ERR_STRUCTURE,
         "1 too many: 1 start value is open, as p"},
        {{control, 1, DAEDAL_BVP_AUTO, {NULL}, {0}, NULL},
         DAEDAL_ERR_ARGUMENT,
         "no final conditions"},
        {{control, 1, DAEDAL_BVP_AUTO, {"p", "p"}, {0, 1}, NULL},
         DAEDAL_ERR_STRUCTURE,
         "contradict"},
        {{control, 1, DAEDAL_BVP_AUTO, {"q"}, {0}, NULL},
         DAEDAL_ERR_ARGUMENT,
         "not one of a variable"},
        {{control, 0, DAEDAL_BVP_AUTO, {"p"}, {0}, NULL}, DAEDAL_ERR_ARGUMENT, "from t = 0"},
        {{control, 1, DAEDAL_BVP_AUTO, {"p"}, {NAN}, NULL}, DAEDAL_ERR_ARGUMENT, "not finite"},
        {{tracking, 1, DAEDAL_BVP_AUTO, {"p1"}, {0}, NULL},
         DAEDAL_ERR_STRUCTURE,
         "determine all start values"},
        /* p2 = 0 at all times: the condition says nothing, whatever the start is */
        {{cheap, 1, DAEDAL_BVP_AUTO, {"p2"}, {0.5}, NULL},
         DAEDAL_ERR_ARGUMENT,
         "p2 has no value that can be prescribed: it is constant"},
        {{"model M Real x, y; equation der(x) = y; der(y) = -x; end M;",
          1,
          DAEDAL_BVP_AUTO,
          {"x"},
          {1},
          NULL},
         DAEDAL_ERR_STRUCTURE,
         "1 too few"},
        {{oscillator, half_period, DAEDAL_BVP_AUTO, {"y"}, {0}, NULL},
         DAEDAL_ERR_SINGULAR,
         "y does not depend on the values that are open: it holds for many values"},
        {{oscillator, half_period, DAEDAL_BVP_AUTO, {"y"}, {1}, NULL},
         DAEDAL_ERR_SINGULAR,
         "it cannot hold, so that there is no solution"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        daedal_model_bvp_report r;
        daedal_diagnosis why;
        last_row seen;
        daedal_status status = ask(&rows[k].q, &r, &seen, &why);
        if (status != rows[k].status || !strstr(why.message, rows[k].words))
            fail_msg("row %d: status %d, %s", (int)k, (int)status, why.message);
        assert_int_equal(seen.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_of_index_one),
        cmocka_unit_test(cheap_control_of_index_three),
        cmocka_unit_test(mechanics_of_index_three),
        cmocka_unit_test(across_events),
        cmocka_unit_test(nonlinear_initial_equations),
        cmocka_unit_test(along_a_parameter),
        cmocka_unit_test(along_a_parameter_to_a_fold),
        cmocka_unit_test(eigenvalues_by_runs),
        cmocka_unit_test(conditions_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
