/* tests/property/test_rectangular.c - more or fewer equations than unknowns, as functions. */
#include <math.h>
#include <string.h>

#include "daedal.h"

#include "harness.h"

typedef struct run_of {
    daedal_rectangular_system *system;
    daedal_solver *solver;
    daedal_diagnosis why;
} run_of;

static daedal_status make(run_of *r, const daedal_rectangular *d, const double *y, const double *yp,
                          const char *method)
{
    daedal_options options;
    daedal_rectangular_start start = {.t = 0.0, .y = y, .yp = yp};
    memset(r, 0, sizeof *r);
    daedal_options_defaults(&options);
    options.rtol = 1e-8;
    options.atol = 1e-10;
    assert_int_equal(daedal_options_set(&options, "method", method), DAEDAL_OK);
    daedal_status status = daedal_rectangular_create(&r->system, d, &start, NULL, &r->why);
    if (status == DAEDAL_OK)
        status = daedal_solver_create(&r->solver, daedal_rectangular_describe(r->system), &options,
                                      &r->why);
    if (status == DAEDAL_OK)
        status = daedal_solver_start(r->solver, 0.0, y, NULL);
    return status;
}

static const double *at(run_of *r, double t)
{
    assert_true(daedal_solver_advance(r->solver, t) >= 0);
    return daedal_solver_state(r->solver)->y;
}

static void end(run_of *r)
{
    daedal_solver_free(r->solver);
    daedal_rectangular_free(r->system);
}

/* ---- redundant equations ---- */

/* x' = -i, a circuit whose balance of currents is written twice, and a first integral. */
static int circuit(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = y[1] + y[2];
    r[1] = -3.0 * y[1] - 3.0 * y[2];
    r[2] = y[1] - y[0] / 2.0;
    r[3] = yp[0] + y[1];
    return DAEDAL_CALL_OK;
}

static void test_redundant(void **state)
{
    (void)state;
    daedal_rectangular d = {.n_equations = 4, .n_unknowns = 3, .residual = circuit};
    const double y[] = {1.0, 0.0, 0.0};
    run_of r;
    assert_int_equal(make(&r, &d, y, NULL, "auto"), DAEDAL_OK);
    const daedal_rectangular_choice *c = daedal_rectangular_chosen(r.system);
    assert_int_equal(c->dropped.n, 1);
    assert_int_equal(c->dropped.at[0], 1);
    assert_int_equal(c->undetermined.n, 0);
    assert_true(fabs(at(&r, 2.0)[0] - exp(-1.0)) < 1e-7);
    assert_int_equal(daedal_rectangular_check(r.system, r.solver, 1e-8, &r.why), DAEDAL_OK);
    end(&r);
}

/* y5 = sin t with y4 = y5', ... y1 = y2': index 5, of which one equation is written twice. */
static int chain(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    for (int k = 0; k < 4; k++)
        r[k] = y[k] - yp[k + 1];
    r[4] = y[4] - sin(t);
    r[5] = 2.0 * y[0] - 2.0 * yp[1];
    return DAEDAL_CALL_OK;
}

static void test_high_index(void **state)
{
    (void)state;
    daedal_rectangular d = {.n_equations = 6, .n_unknowns = 5, .residual = chain};
    const double y[] = {0.0, -1.0, 0.0, 1.0, 0.0};
    run_of r;
    assert_int_equal(make(&r, &d, y, NULL, "auto"), DAEDAL_OK);
    assert_int_equal(daedal_rectangular_chosen(r.system)->dropped.n, 1);
    assert_true(fabs(at(&r, 1.0)[0] - sin(1.0)) < 1e-6);
    assert_int_equal(daedal_rectangular_check(r.system, r.solver, 1e-8, &r.why), DAEDAL_OK);
    end(&r);
}

/* x' = v, v' = -x and an energy that the start has only if *user is 1/2. */
static int oscillator(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    r[0] = (y[0] * y[0] + y[1] * y[1]) / 2.0 - *(const double *)user;
    r[1] = yp[0] - y[1];
    r[2] = yp[1] + y[0];
    return DAEDAL_CALL_OK;
}

static void test_contradiction(void **state)
{
    (void)state;
    const double y[] = {1.0, 0.0};
    for (int wrong = 0; wrong < 2; wrong++) {
        double energy = wrong ? 0.75 : 0.5;
        daedal_rectangular d = {
            .n_equations = 3, .n_unknowns = 2, .residual = oscillator, .user = &energy};
        run_of r;
        assert_int_equal(make(&r, &d, y, NULL, "auto"), DAEDAL_OK);
        assert_int_equal(daedal_rectangular_chosen(r.system)->dropped.at[0], 0);
        assert_true(fabs(at(&r, 1.0)[0] - cos(1.0)) < 1e-6);
        daedal_status status = daedal_rectangular_check(r.system, r.solver, 1e-8, &r.why);
        assert_int_equal(status, wrong ? DAEDAL_ERR_INCONSISTENT : DAEDAL_OK);
        assert_true(!wrong || (r.why.equation == 0 && r.why.cause == DAEDAL_CAUSE_CONTRADICTION));
        end(&r);
    }
}

/* ---- undetermined unknowns ---- */

/* x' = -u1, a(t) u1 + b u2 = x: one of the controls is free.  *user: how fast a varies. */
static int controls(double t, const double *y, const double *yp, double *r, void *user)
{
    double rate = *(const double *)user;
    r[0] = yp[0] + y[0];
    r[1] = (1.0 + rate * t) * y[1] + 2.0 * y[2] - y[0];
    return DAEDAL_CALL_OK;
}

/* u of least norm is x (a, b) / (a^2 + b^2). */
static void test_least_norm(void **state)
{
    (void)state;
    const double y[] = {1.0, 0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        double rate = k;
        daedal_rectangular d = {.n_equations = 2,
                                .n_unknowns = 3,
                                .residual = controls,
                                .undetermined = DAEDAL_UNDETERMINED_LEAST_NORM,
                                .user = &rate};
        run_of r;
        assert_int_equal(make(&r, &d, y, NULL, "auto"), DAEDAL_OK);
        assert_int_equal(daedal_rectangular_chosen(r.system)->undetermined.n, 1);
        const double *there = at(&r, 1.5);
        double a = 1.0 + 1.5 * rate, share = exp(-1.5) / (a * a + 4.0);
        assert_true(fabs(there[0] - exp(-1.5)) < 1e-7);
        assert_true(fabs(there[1] - a * share) < 1e-6);
        assert_true(fabs(there[2] - 2.0 * share) < 1e-6);
        end(&r);
    }
}

static void test_hold(void **state)
{
    (void)state;
    const double y[] = {1.0, 0.0, 0.125};
    double rate = 0.0;
    daedal_rectangular d = {.n_equations = 2,
                            .n_unknowns = 3,
                            .residual = controls,
                            .undetermined = DAEDAL_UNDETERMINED_HOLD,
                            .user = &rate};
    run_of r;
    assert_int_equal(make(&r, &d, y, NULL, "auto"), DAEDAL_OK);
    const daedal_rectangular_choice *c = daedal_rectangular_chosen(r.system);
    assert_int_equal(c->undetermined.n, 1);
    assert_int_equal(c->undetermined.at[0], 2);
    const double *there = at(&r, 1.0);
    assert_true(fabs(there[2] - 0.125) < 1e-12);
    assert_true(fabs(there[1] - (exp(-1.0) - 0.25)) < 1e-6);
    end(&r);
}

/* ---- refused ---- */

static int nothing(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    r[0] = NAN;
    return DAEDAL_CALL_OK;
}

/* Both unknowns with their derivatives: no least norm at one instant. */
static int sum_of_slopes(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)user;
    r[0] = yp[0] + yp[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static void test_refused(void **state)
{
    (void)state;
    const char *const names[] = {"x", "first control", "second control"};
    const double y[] = {1.0, 0.0, 0.0}, bad[] = {1.0, NAN, 0.0};
    double rate = 0.0;
    daedal_rectangular d = {.n_equations = 2,
                            .n_unknowns = 3,
                            .residual = controls,
                            .variable_names = names,
                            .user = &rate};
    run_of r;
    assert_int_equal(make(&r, &d, y, NULL, "auto"), DAEDAL_ERR_STRUCTURE);
    assert_non_null(strstr(r.why.message, "second control"));
    assert_int_equal(r.why.cause, DAEDAL_CAUSE_UNDETERMINED_VARIABLE);
    assert_null(r.system);
    assert_int_equal(make(&r, &d, bad, NULL, "auto"), DAEDAL_ERR_ARGUMENT);
    d.n_equations = 0;
    assert_int_equal(make(&r, &d, y, NULL, "auto"), DAEDAL_ERR_ARGUMENT);
    d = (daedal_rectangular){.n_equations = 1, .n_unknowns = 2, .residual = nothing};
    assert_int_equal(make(&r, &d, y, NULL, "auto"), DAEDAL_ERR_CALLBACK);
    d.residual = sum_of_slopes;
    d.undetermined = DAEDAL_UNDETERMINED_LEAST_NORM;
    assert_int_equal(make(&r, &d, y, NULL, "auto"), DAEDAL_ERR_STRUCTURE);
    assert_int_equal(daedal_rectangular_create(NULL, &d, NULL, NULL, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_rectangular_check(NULL, NULL, 1e-6, NULL), DAEDAL_ERR_ARGUMENT);
    daedal_rectangular_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_redundant),     cmocka_unit_test(test_high_index),
        cmocka_unit_test(test_contradiction), cmocka_unit_test(test_least_norm),
        cmocka_unit_test(test_hold),          cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
