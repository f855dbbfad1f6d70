/* tests/unit/test_linearize.c - models and functions linearised at a point. */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "modelling.h"

static const char PENDULUM[] = "parameter Real g = 9.81, L = 1; Real x(start = 0, fixed = true), "
                               "y(start = -1), u(start = 0, fixed = true), v, F;";
static const char PENDULUM_EQUATIONS[] = "der(x) = u; der(y) = v; der(u) = -F*x;"
                                         "der(v) = -F*y - g; x^2 + y^2 = L^2;";
static const char RC[] = "parameter Real R = 1000, C = 1e-6; input Real u(start = 0); "
                         "output Real v(start = 0, fixed = true); Real i;";
static const char RC_EQUATIONS[] = "u = R*i + v; C*der(v) = i;";

/* ---- models ---- */

static daedal_linear_system *linear_at(trial *t, double to, const daedal_ints *in,
                                       const daedal_ints *out)
{
    daedal_linear_system *s = NULL;
    daedal_simulation how = {.t_start = 0.0, .t_stop = to};
    assert_int_equal(daedal_model_begin(t->model, &how), DAEDAL_OK);
    if (to > 0.0)
        assert_true(daedal_model_advance(t->model, to) >= 0);
    if (daedal_model_linearize(t->model, in, out, &s) < 0)
        assert_null(s);
    return s;
}

static void close_linear(trial *t, daedal_linear_system *s)
{
    daedal_linear_system_free(s);
    daedal_model_end(t->model, NULL);
    trial_close(t);
}

static int32_t place(const daedal_linear_system *s, const char *name)
{
    for (int32_t k = 0; k < s->n; k++)
        if (strcmp(s->variables[k], name) == 0)
            return k;
    fail_msg("%s is no unknown", name);
    return -1;
}

static void pendulum_at_rest(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, PENDULUM, PENDULUM_EQUATIONS);
    daedal_linear_system *s = linear_at(&t, 0.0, NULL, NULL);
    const daedal_pencil_structure *p = s->pencil;
    assert_int_equal(s->n, 5);
    assert_int_equal(p->index, 3);
    assert_int_equal(p->n_finite, 2);
    assert_int_equal(p->n_infinite, 3);
    for (int32_t k = 0; k < 2; k++) {
        expect_near(p->real[k], 0.0, 1e-12);
        expect_near(p->imaginary[k], k ? -sqrt(9.81) : sqrt(9.81), 1e-12);
        const double *share = p->participation + 5 * k;
        expect_near(share[place(s, "x")], 0.5, 1e-9);
        expect_near(share[place(s, "u")], 0.5, 1e-9);
    }
    assert_true(s->is_equilibrium && !s->is_linear);
    close_linear(&t, s);
}

static void circuit(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, RC, RC_EQUATIONS);
    int32_t in[] = {daedal_model_find(t.model, "u"), daedal_model_find(t.model, "R")};
    int32_t out[] = {daedal_model_find(t.model, "i")};
    daedal_linear_system *s = linear_at(&t, 0.0, &(daedal_ints){in, 2}, &(daedal_ints){out, 1});
    assert_int_equal(s->pencil->n_finite, 1);
    expect_near(s->pencil->real[0], -1000.0, 1e-9);
    assert_true(s->is_linear && s->is_equilibrium);
    assert_int_equal(s->n_inputs, 2);
    assert_string_equal(s->outputs[0], "i");
    /* u acts through its own equation, R on nothing while no current flows */
    double sum = 0.0, by_r = 0.0;
    for (int32_t i = 0; i < s->n; i++) {
        sum += s->b[i];
        by_r += fabs(s->b[s->n + i]);
    }
    expect_near(sum, 1.0, 1e-15);
    expect_near(by_r, 0.0, 1e-15);
    expect_near(s->c[place(s, "i")], 1.0, 0.0);
    close_linear(&t, s);
}

/* x' = -x^2: the slope -2 x follows the run, and the model is not at rest. */
static void along_a_run(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "Real x(start = 1, fixed = true);", "der(x) = -x^2;");
    daedal_linear_system *s = linear_at(&t, 3.0, NULL, NULL);
    expect_near(s->pencil->real[0], -0.5, 1e-4);
    assert_false(s->is_equilibrium);
    assert_string_equal(s->moving, "x");
    close_linear(&t, s);
}

/* u and d are copies of one another: the pencil is that of the text. */
static void aliases_and_derivatives(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "Real x(start = 2, fixed = true), c, d, w;",
               "c = -x; d = c; der(d)*d = 3*w + 2; w = x^2;");
    daedal_linear_system *s = linear_at(&t, 0.0, NULL, NULL);
    assert_int_equal(s->n, 4);
    /* d d' = 3 d^2 + 2 at d = -2: d' = -7, 2 d d' + 2 ... -> d delta' + d' delta = 6 d delta */
    expect_near(s->pencil->real[0], 6.0 + (-7.0) / 2.0 * 1.0, 1e-9);
    assert_int_equal(s->pencil->n_finite, 1);
    close_linear(&t, s);
}

static void refused(void **state)
{
    (void)state;
    trial t;
    daedal_linear_system *s = NULL;
    trial_open(&t, RC, RC_EQUATIONS);
    assert_int_equal(daedal_model_linearize(t.model, NULL, NULL, &s), DAEDAL_ERR_CALL_SEQUENCE);
    int32_t i = daedal_model_find(t.model, "i"), r = daedal_model_find(t.model, "R"), none = 1000;
    assert_null(linear_at(&t, 0.0, &(daedal_ints){&i, 1}, NULL));
    assert_non_null(strstr(daedal_model_diagnosis(t.model)->message, "neither an input"));
    assert_int_equal(daedal_model_linearize(t.model, NULL, &(daedal_ints){&r, 1}, &s),
                     DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_model_linearize(t.model, NULL, &(daedal_ints){&none, 1}, &s),
                     DAEDAL_ERR_ARGUMENT);
    close_linear(&t, s);
}

/* ---- functions ---- */

static int pendulum_residual(double time, const double *y, const double *yp, double *r, void *user)
{
    (void)time;
    (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 9.81;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static int pendulum_jacobian(double time, const double *y, const double *yp, double c, double *v,
                             void *user)
{
    (void)time;
    (void)yp;
    (void)user;
    double rows[5][5] = {{c, 0, -1, 0, 0},
                         {0, c, 0, -1, 0},
                         {y[4], 0, c, 0, y[0]},
                         {0, y[4], 0, c, y[1]},
                         {2 * y[0], 2 * y[1], 0, 0, 0}};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            v[5 * j + i] = rows[i][j];
    return DAEDAL_CALL_OK;
}

static void function(void **state)
{
    (void)state;
    const double y[5] = {0, -1, 0, 0, 9.81};
    for (int given = 0; given < 2; given++) {
        daedal_system sys = {
            .n = 5, .residual = pendulum_residual, .jacobian = given ? pendulum_jacobian : NULL};
        daedal_options opt = defaults_with(1e-6, 1e-9);
        daedal_solver *solver = solver_of(&sys, &opt);
        double e[25], a[25];
        daedal_pencil_structure *p;
        assert_int_equal(daedal_solver_pencil(solver, 0.0, y, NULL, e, a), DAEDAL_OK);
        daedal_pencil pencil = {5, 5, e, a};
        assert_int_equal(daedal_pencil_analyze(&pencil, 0.0, &p, NULL), DAEDAL_OK);
        assert_int_equal(p->index, 3);
        assert_int_equal(p->n_finite, 2);
        expect_near(p->imaginary[0], sqrt(9.81), given ? 1e-12 : 1e-8);
        daedal_pencil_structure_free(p);
        daedal_solver_free(solver);
    }
}

/* ---- steady states ---- */

typedef struct steady_row {
    const char *declarations, *equations, *variable;
    double value;
    daedal_stability stability;
    int32_t n_open;
} steady_row;

static const steady_row STEADY[] = {
    {PENDULUM, PENDULUM_EQUATIONS, "F", 9.81, DAEDAL_UNDECIDED, 0},
    {RC, RC_EQUATIONS, "i", 0.0, DAEDAL_STABLE, 0},
    {"Real x(start = 0.9, fixed = true);", "der(x) = x*(1 - x)*(x - 0.2);", "x", 1.0, DAEDAL_STABLE,
     0},
    {"Real x(start = 0.1, fixed = true);", "der(x) = log(x) + 1;", "x", 0.36787944117144233,
     DAEDAL_UNSTABLE, 0},
    /* the position is open, and stays */
    {"Real x(start = 3, fixed = true), v(start = 1, fixed = true);", "der(x) = v; der(v) = -v;",
     "x", 3.0, DAEDAL_UNDECIDED, 1},
    /* the mode of the start has no solution at which it holds */
    {"Real x(start = 5, fixed = true); Boolean b;",
     "b = x > 1; der(x) = if b then -x else 0.5 - x;", "x", 0.5, DAEDAL_STABLE, 0},
    /* a double zero, where Newton's iteration halves the error */
    {"Real x(start = 1, fixed = true), y;", "der(x) = -y^2; y = x;", "x", 0.0, DAEDAL_UNDECIDED, 0},
};

static void steady_states(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(STEADY); k++) {
        const steady_row *row = &STEADY[k];
        trial t;
        daedal_steady_state *s = NULL;
        daedal_simulation how = {.t_start = 0.0, .t_stop = 1.0};
        trial_open(&t, row->declarations, row->equations);
        daedal_status status = daedal_model_steady(t.model, &how, &s);
        if (status != DAEDAL_OK)
            fail_msg("%s: %s", row->equations, daedal_model_diagnosis(t.model)->message);
        int32_t number = daedal_model_find(t.model, row->variable);
        expect_near(s->values[number], row->value, 1e-9);
        assert_int_equal(s->n_open, row->n_open);
        if (k < COUNT(STEADY) - 1)
            assert_int_equal(s->stability, row->stability);
        assert_true(s->system->is_equilibrium);
        daedal_steady_state_free(s);
        trial_close(&t);
    }
}

/* The model passes a region without values on its way: found from later values of a run. */
static void steady_by_integration(void **state)
{
    (void)state;
    trial t;
    daedal_steady_state *s = NULL;
    daedal_simulation how = {.t_start = 0.0, .t_stop = 50.0};
    trial_open(&t, "Real x(start = 3, fixed = true);", "der(x) = -x/(1 + x^2) + 0.01;");
    assert_int_equal(daedal_model_steady(t.model, &how, &s), DAEDAL_OK);
    double x = s->values[daedal_model_find(t.model, "x")];
    expect_near(-x / (1.0 + x * x) + 0.01, 0.0, 1e-12);
    daedal_steady_state_free(s);
    trial_close(&t);
}

static void no_steady_state(void **state)
{
    (void)state;
    trial t;
    daedal_steady_state *s = NULL;
    daedal_simulation how = {.t_start = 0.0, .t_stop = 1.0};
    trial_open(&t, "Real x(start = 1, fixed = true), y(start = 0, fixed = true);",
               "der(x) = 1; der(y) = x - y;");
    assert_int_equal(daedal_model_steady(t.model, &how, &s), DAEDAL_ERR_NEWTON);
    assert_null(s);
    assert_non_null(strstr(daedal_model_diagnosis(t.model)->message, "der(x) = 1"));
    trial_close(&t);
}

static void steady_function(void **state)
{
    (void)state;
    double y[5] = {0.05, -0.9, 0.1, 0.1, 8.0};
    int32_t open[5];
    daedal_system sys = {.n = 5, .residual = pendulum_residual};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_solver *solver = solver_of(&sys, &opt);
    assert_int_equal(daedal_solver_steady(solver, 0.0, y, open), DAEDAL_OK);
    const double wanted[5] = {0, -1, 0, 0, 9.81};
    for (int k = 0; k < 5; k++) {
        expect_near(y[k], wanted[k], 1e-9);
        assert_int_equal(open[k], 0);
    }
    y[0] = NAN;
    assert_int_equal(daedal_solver_steady(solver, 0.0, y, NULL), DAEDAL_ERR_ARGUMENT);
    daedal_solver_free(solver);
}

/* ---- memory ---- */

static daedal_status use_all(daedal_model *m)
{
    daedal_steady_state *state = NULL;
    daedal_linear_system *s = NULL;
    daedal_simulation how = {.t_start = 0.0, .t_stop = 1.0};
    daedal_status status = daedal_model_begin(m, &how);
    if (status >= 0) {
        status = daedal_model_linearize(m, NULL, NULL, &s);
        daedal_linear_system_free(s);
        daedal_model_end(m, NULL);
    }
    if (status >= 0)
        status = daedal_model_steady(m, &how, &state);
    daedal_steady_state_free(state);
    return status;
}

/* Whichever allocation fails, nothing else does. */
static void without_memory(void **state)
{
    (void)state;
    static const char text[] = "model M Real x(start = 1, fixed = true), y; "
                               "equation der(x) = -y; y = x^2 + sin(x); end M;";
    bool done = false;
    for (long k = 1; !done; k++) {
        ledger books;
        char message[500];
        daedal_model *m = NULL;
        ledger_open(&books);
        daedal_model_options o = {.allocator = &books.allocator};
        assert_int_equal(
            daedal_model_parse(&m, "m", text, strlen(text), &o, message, sizeof message),
            DAEDAL_OK);
        books.refuse = books.taken + k;
        daedal_status status = use_all(m);
        done = status == DAEDAL_OK && books.taken < books.refuse;
        if (status != DAEDAL_OK && status != DAEDAL_ERR_MEMORY)
            fail_msg("allocation %ld: status %d, %s", k, (int)status,
                     daedal_model_diagnosis(m)->message);
        daedal_model_free(m);
        ledger_expect_empty(&books);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_at_rest), cmocka_unit_test(circuit),
        cmocka_unit_test(along_a_run),      cmocka_unit_test(aliases_and_derivatives),
        cmocka_unit_test(refused),          cmocka_unit_test(function),
        cmocka_unit_test(steady_states),    cmocka_unit_test(steady_by_integration),
        cmocka_unit_test(no_steady_state),  cmocka_unit_test(steady_function),
        cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
