/* tests/fault/test_singular.c - matrices without an inverse: a linear solver whose k-th
 * factorization says so, and systems that really are singular or of higher index.  Each
 * gets a status of its own and a sentence that names the variable or equation.  */
#include <math.h>
#include <string.h>

#include "integ/method.h"

#include "harness.h"
#include "samples.h"

/* ---- a linear solver that reports singular matrices ---- */

/* The plug-in interface has no user pointer: one test at a time. */
static struct {
    long at, calls;
    bool forever;
} lie;

static daedal_status lying_create(void **self, const daedal_pattern *p, const daedal_allocator *a)
{
    return daedal_linsolver_dense()->create(self, p, a);
}

static daedal_status lying_factor(void *self, const double *values)
{
    lie.calls++;
    if (lie.at > 0 && (lie.forever ? lie.calls >= lie.at : lie.calls == lie.at))
        return DAEDAL_ERR_SINGULAR;
    return daedal_linsolver_dense()->factor(self, values);
}

static void lying_solve(void *self, double *b)
{
    daedal_linsolver_dense()->solve(self, b);
}

static int32_t lying_blame(void *self)
{
    (void)self;
    return 1;
}

static void lying_destroy(void *self)
{
    daedal_linsolver_dense()->destroy(self);
}

static const daedal_linsolver lying = {.name = "lying",
                                       .create = lying_create,
                                       .factor = lying_factor,
                                       .solve = lying_solve,
                                       .singular_column = lying_blame,
                                       .destroy = lying_destroy};

static daedal_status start_and_go(daedal_solver *s, const sample *what)
{
    daedal_status status = daedal_solver_start(s, 0.0, what->y0, NULL);
    return status == DAEDAL_OK ? daedal_solver_advance(s, what->t_end) : status;
}

static daedal_solver *lying_solver(const sample *what)
{
    daedal_options opt = defaults_with(1e-4, 1e-8);
    opt.linsolver = &lying;
    return solver_of(&what->sys, &opt);
}

/* Once: a smaller step gets over it.  At the start no step helps: there the second way
 * may succeed or say that it did not.                                           */
static void test_once(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    for (long k = 1; k < 60; k++) {
        lie.at = k;
        lie.calls = 0;
        lie.forever = false;
        daedal_solver *s = lying_solver(&what);
        daedal_status status = daedal_solver_start(s, 0.0, what.y0, NULL);
        if (status != DAEDAL_OK && status != DAEDAL_ERR_START)
            expect_status(s, status, DAEDAL_ERR_SINGULAR);
        if (status != DAEDAL_OK)
            expect_status(s, daedal_solver_start(s, 0.0, what.y0, NULL), DAEDAL_OK);
        expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_OK);
        assert_string_equal(daedal_solver_structure(s)->linear_solver, "lying");
        expect_near(daedal_solver_state(s)->y[0], 0.7158270688, 1e-4);
        daedal_solver_free(s);
    }
}

/* From then on: SINGULAR, the column named; the state stays; later it goes on. */
static void test_lasting(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    for (long k = 1; k < 30; k++) {
        lie.at = k;
        lie.calls = 0;
        lie.forever = true;
        daedal_solver *s = lying_solver(&what);
        daedal_status status = start_and_go(s, &what);
        expect_status(s, status, DAEDAL_ERR_SINGULAR);
        const daedal_diagnosis *why = daedal_solver_diagnosis(s);
        assert_int_equal(why->status, DAEDAL_ERR_SINGULAR);
        assert_int_equal(why->variable, 1);
        expect_text(why->message, "y[1]");
        assert_true(isfinite(daedal_solver_state(s)->t));
        lie.at = 0;
        expect_status(s, start_and_go(s, &what), DAEDAL_OK);
        daedal_solver_free(s);
    }
}

/* ---- a Jacobian that is zero once ---- */

static int zero_once(double t, const double *y, const double *yp, double c, double *values,
                     void *user)
{
    sample what = sample_robertson_jacobian();
    int answer = what.sys.jacobian(t, y, yp, c, values, user);
    if (++lie.calls == lie.at)
        memset(values, 0, 9 * sizeof *values);
    return answer;
}

/* The matrix of the step is singular whatever its size: another one is evaluated. */
static void test_zero_once(void **state)
{
    (void)state;
    sample what = sample_robertson_jacobian();
    what.sys.jacobian = zero_once;
    for (long k = 5; k < 12; k++) {
        daedal_options opt = defaults_with(1e-4, 1e-8);
        opt.method = METHOD_RADAU;
        lie.at = k;
        lie.calls = 0;
        daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
        expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_OK);
        assert_true(lie.calls >= k);
        expect_near(daedal_solver_state(s)->y[0], 0.7158270688, 1e-4);
        daedal_solver_free(s);
    }
}

/* ---- systems that are singular ---- */

static int lost_variable(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = y[0] - y[1];
    r[2] = y[1] - 2.0 * y[0] + t;
    return 0;
}

static int empty_equation(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0] + y[2];
    r[1] = t - t;
    r[2] = y[1] - y[2] - y[0];
    return 0;
}

/* 0 = y1 + y2 - 1 twice, once doubled. */
static int repeated(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = y[1] + y[2] - 1.0;
    r[2] = 2.0 * y[1] + 2.0 * y[2] - 2.0;
    return 0;
}

/* Two equations for y0 alone, none for y1 and y2 apart: structurally singular. */
static int unmatched(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = y[0] - 1.0;
    r[1] = 2.0 * y[0] - 2.0;
    r[2] = yp[1] + yp[2] + y[1];
    return 0;
}

/* Index 2: 0 = y0 - sin t, y1 its derivative; start consistent. */
static int index_two(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = y[0] - sin(t);
    return 0;
}

/* Index 3: y2 is the force that holds y0 on sin t; here off the track. */
static int index_three(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = y[0] - sin(t);
    return 0;
}

static const char *const names[] = {"alpha", "beta", "gamma"};
static const char *const equations[] = {"first law", "second law", "third law"};

typedef struct row {
    const char *name;
    daedal_residual_fn *residual;
    int32_t n;
    double y0[3];
    const char *start;
    daedal_status status;
    const char *part; /* of the message                                          */
} row;

static const row rows[] = {
    {"variable in no equation",
     lost_variable,
     3,
     {1, 1, 0},
     "states",
     DAEDAL_ERR_STRUCTURE,
     "gamma"},
    {"equation without variable",
     empty_equation,
     3,
     {1, 1, 0},
     "states",
     DAEDAL_ERR_STRUCTURE,
     "second law"},
    {"repeated equation", repeated, 3, {1, 0.5, 0.5}, "states", DAEDAL_ERR_SINGULAR, "gamma"},
    {"repeated equation, as given",
     repeated,
     3,
     {1, 0.5, 0.5},
     "given",
     DAEDAL_ERR_SINGULAR,
     "gamma"},
    {"no assignment", unmatched, 3, {1, 1, 1}, "states", DAEDAL_ERR_SINGULAR, ""},
    {"index 3", index_three, 3, {0, 1, 0}, "states", DAEDAL_ERR_INDEX, "gamma"},
    {"index 3 off its track, as given",
     index_three,
     3,
     {0.1, 1, 0},
     "given",
     DAEDAL_ERR_INDEX,
     "gamma"},
};

static void run_row(const row *w, const char *solver)
{
    daedal_system sys = {
        .n = w->n, .residual = w->residual, .variable_names = names, .equation_names = equations};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    double yp0[] = {1.0, 0.0, 0.0};
    yp0[0] = w->residual == index_two || w->residual == index_three ? 1.0 : -1.0;
    assert_int_equal(daedal_options_set(&opt, "start", w->start), DAEDAL_OK);
    assert_int_equal(daedal_options_set(&opt, "method", "bdf"), DAEDAL_OK);
    assert_int_equal(daedal_options_set(&opt, "linear_solver", solver), DAEDAL_OK);
    opt.method = METHOD_BDF;
    daedal_solver *s = solver_of(&sys, &opt);
    daedal_status status = daedal_solver_start(s, 0.0, w->y0, yp0);
    if (status == DAEDAL_OK)
        status = daedal_solver_advance(s, 1.0);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    if (status != w->status || !strstr(why->message, w->part))
        print_error("%s, %s: %s, not %s: %s (%s)\n", w->name, solver, daedal_status_name(status),
                    daedal_status_name(w->status), why->message, why->hint);
    assert_int_equal(status, w->status);
    assert_int_equal(why->status, status);
    expect_text(why->message, w->part);
    if (w->residual == index_three)
        expect_text(why->hint, "index");
    assert_true(isfinite(daedal_solver_state(s)->t));
    daedal_solver_free(s);
}

static void run_rows(const char *solver)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        run_row(&rows[i], solver);
}

/* Index 2 in this form is within reach of BDF: right values, or a sentence. */
static void test_index_two(void **state)
{
    (void)state;
    daedal_system sys = {.n = 2, .residual = index_two, .variable_names = names};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    double y0[] = {0.0, 1.0}, yp0[] = {1.0, 0.0};
    daedal_solver *s = solver_of(&sys, &opt);
    daedal_status status = daedal_solver_start(s, 0.0, y0, yp0);
    if (status == DAEDAL_OK)
        status = daedal_solver_advance(s, 1.0);
    if (status == DAEDAL_OK) {
        expect_near(daedal_solver_state(s)->y[0], sin(1.0), 1e-5);
        expect_near(daedal_solver_state(s)->y[1], cos(1.0), 1e-3);
    } else {
        expect_text(daedal_solver_diagnosis(s)->message, "beta");
    }
    daedal_solver_free(s);
}

static void test_dense(void **state)
{
    (void)state;
    run_rows("dense");
}

static void test_lapack(void **state)
{
    (void)state;
    run_rows("lapack");
}

static void test_band(void **state)
{
    (void)state;
    run_rows("band");
}

static void test_klu(void **state)
{
    (void)state;
    run_rows("klu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_once),      cmocka_unit_test(test_lasting),
        cmocka_unit_test(test_dense),     cmocka_unit_test(test_lapack),
        cmocka_unit_test(test_band),      cmocka_unit_test(test_klu),
        cmocka_unit_test(test_index_two), cmocka_unit_test(test_zero_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
