/* tests/unit/test_jacobian_check.c - a given Jacobian against differences: wrong entries
 * are found and named, right ones pass (solver/jacobian_comparison.c).             */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "samples.h"
#include "solver/explain.h"

/* The right Jacobian of Robertson, then one entry changed: value = factor * value + add. */
typedef struct change {
    int32_t at;
    double factor, add, of_c; /* of_c: times c                                   */
} change;

static int changed_jacobian(double t, const double *y, const double *yp, double c, double *v,
                            void *user)
{
    const change *w = user;
    int answer = sample_robertson_jacobian().sys.jacobian(t, y, yp, c, v, NULL);
    if (w)
        v[w->at] = w->factor * v[w->at] + w->add + w->of_c * c;
    return answer;
}

static const char *const names[] = {"alpha", "beta", "gamma"};
static const char *const equations[] = {"law A", "law B", "balance"};

static const struct {
    const char *name;
    change change;
    const char *entry; /* as the message names it; NULL: passes */
    int32_t equation, variable;
} rows[] = {
    {"right", {0, 1.0, 0.0, 0.0}, NULL, -1, -1},
    {"wrong sign", {1, -1.0, 0.0, 0.0}, "d(law B)/d(alpha)", 1, 0},
    {"missing", {8, 0.0, 0.0, 0.0}, "d(balance)/d(gamma)", 2, 2},
    {"too much", {6, 1.0, 1.0, 0.0}, "d(law A)/d(gamma)", 0, 2},
    {"one per cent", {2, 1.01, 0.0, 0.0}, "d(balance)/d(alpha)", 2, 0},
    {"in y'", {4, 1.0, 0.0, 1.0}, "d(law B)/d(beta')", 1, 1},
    {"y' in an algebraic equation", {5, 1.0, 0.0, 1.0}, "d(balance)/d(beta')", 2, 1},
    {"a hundred-thousandth", {2, 1.00001, 0.0, 0.0}, NULL, -1, -1},
};

static daedal_system robertson(const change *w)
{
    daedal_system sys = sample_robertson_jacobian().sys;
    sys.jacobian = changed_jacobian;
    sys.variable_names = names;
    sys.equation_names = equations;
    sys.user = (void *)(uintptr_t)w;
    return sys;
}

static void check_row(size_t i, const daedal_solver *s, daedal_status status)
{
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    if (!rows[i].entry) {
        expect_status(s, status, DAEDAL_OK);
        return;
    }
    if (status != DAEDAL_ERR_JACOBIAN)
        print_error("%s:\n", rows[i].name);
    expect_status(s, status, DAEDAL_ERR_JACOBIAN);
    expect_text(why->message, rows[i].entry);
    expect_text(why->message, "1 entry"); /* and no other is accused */
    assert_int_equal(why->equation, rows[i].equation);
    assert_int_equal(why->variable, rows[i].variable);
}

/* At the start by the option, away from zeros where all entries count. */
static void test_option(void **state)
{
    (void)state;
    static const double y0[] = {0.9, 1e-4, 0.1};
    for (size_t i = 0; i < COUNT(rows); i++) {
        daedal_system sys = robertson(&rows[i].change);
        daedal_options opt = defaults_with(1e-6, 1e-9);
        opt.check_jacobian = 1;
        daedal_solver *s = solver_of(&sys, &opt);
        check_row(i, s, daedal_solver_start(s, 0.0, y0, NULL));
        daedal_solver_free(s);
    }
}

/* The check is called during the run, which continues unchanged. */
static void test_call(void **state)
{
    (void)state;
    daedal_system sys = robertson(NULL);
    sample what = sample_robertson();
    daedal_solver *s = started(&sys, NULL, 0.0, what.y0, NULL);
    for (int i = 1; i < 5; i++) {
        expect_status(s, daedal_solver_advance(s, i), DAEDAL_OK);
        expect_status(s, daedal_solver_check_jacobian(s), DAEDAL_OK);
    }
    expect_status(s, daedal_solver_advance(s, 40.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], 0.7158270688, 1e-5);
    daedal_solver_free(s);
}

/* An entry that the given pattern leaves out. */
static int sparse_jacobian(double t, const double *y, const double *yp, double c, double *v,
                           void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    v[0] = c + 1.0; /* (0,0) */
    v[1] = c + 2.0; /* (1,1); (1,0) = -1 is left out */
    return 0;
}

static int two(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0];
    r[1] = yp[1] + 2.0 * y[1] - y[0];
    return 0;
}

static void test_missing_in_pattern(void **state)
{
    (void)state;
    static const int32_t start[] = {0, 1, 2}, row[] = {0, 1};
    static const daedal_pattern diagonal = {2, 2, start, row};
    daedal_system sys = {
        .n = 2, .residual = two, .jacobian = sparse_jacobian, .pattern = &diagonal};
    double y0[] = {1.0, 1.0};
    daedal_solver *s = started(&sys, NULL, 0.0, y0, NULL);
    expect_status(s, daedal_solver_check_jacobian(s), DAEDAL_ERR_JACOBIAN);
    expect_text(daedal_solver_diagnosis(s)->message, "d(equation 1)/d(y[0])");
    daedal_solver_free(s);
}

/* Mass form: df/dy is what the user gives; the sparse M must not confuse the check. */
static int wrong_rhs_jacobian(double t, const double *y, double *v, void *user)
{
    sample_mass_jacobian().sys.rhs_jacobian(t, y, v, user);
    v[1] = -1.0;
    return 0;
}

static void test_mass_form(void **state)
{
    (void)state;
    sample what = sample_mass_jacobian();
    daedal_solver *s = started(&what.sys, NULL, 0.0, what.y0, NULL);
    expect_status(s, daedal_solver_check_jacobian(s), DAEDAL_OK);
    daedal_solver_free(s);
    what.sys.rhs_jacobian = wrong_rhs_jacobian;
    s = started(&what.sys, NULL, 0.0, what.y0, NULL);
    expect_status(s, daedal_solver_check_jacobian(s), DAEDAL_ERR_JACOBIAN);
    expect_text(daedal_solver_diagnosis(s)->message, "d(equation 1)/d(y[0])");
    daedal_solver_free(s);
}

/* The chain, sparse and right. */
static void test_chain(void **state)
{
    (void)state;
    sample what = sample_chain_jacobian();
    daedal_solver *s = started(&what.sys, NULL, 0.0, what.y0, NULL);
    expect_status(s, daedal_solver_check_jacobian(s), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 0.1), DAEDAL_OK);
    expect_status(s, daedal_solver_check_jacobian(s), DAEDAL_OK);
    daedal_solver_free(s);
}

/* A right Jacobian is not accused where differences fail: values whose roundoff hides the others,
 * an increment far beyond y, as h y' proposes it, and a corner. */
static int awkward(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0] - 1e40 * y[2]; /* y[2] is about 1 */
    r[1] = y[1] - 1.0 / y[0];
    r[2] = y[2] - fabs(y[1]);
    return 0;
}

static int awkward_jacobian(double t, const double *y, const double *yp, double c, double *v,
                            void *user)
{
    const double *wrong = user;
    (void)t, (void)yp;
    const double values[] = {c + 1.0, 1.0 / (y[0] * y[0]), 0.0, 0.0, 1.0, -1.0, -1e40, 0.0, 1.0};
    memcpy(v, values, sizeof values);
    v[5] = *wrong;
    return 0;
}

static daedal_status check_awkward(const double *y, const double *yp, double wrong)
{
    static const int32_t start[] = {0, 3, 6, 9}, row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    static const daedal_pattern full = {3, 3, start, row};
    daedal_system sys = {.n = 3,
                         .residual = awkward,
                         .jacobian = awkward_jacobian,
                         .pattern = &full,
                         .user = &wrong};
    daedal_stats stats = {0};
    daedal_diagnosis why = {0};
    double inverse_weight[] = {1e8, 1e8, 1e8};
    evaluator ev = {0};
    iteration_matrix m = {0};
    matrix_setup setup = {.ev = &ev, .dy = &full, .dyp = &full};
    assert_true(evaluator_create(&ev, &sys, &stats, NULL));
    assert_int_equal(matrix_create(&m, &setup), DAEDAL_OK);
    explain_point at = {&ev, &m, &why, NULL, 0.0, y, yp, inverse_weight, 0.1};
    daedal_status status = explain_wrong_jacobian(&at, 0.05);
    matrix_free(&m);
    evaluator_free(&ev);
    return status;
}

static void test_failing_differences(void **state)
{
    (void)state;
    const double y[] = {1.0, 1.0, 1.0}, calm[] = {1.0, 1.0, 1.0}, wild[] = {1e60, 1.0, 1.0};
    const double near_corner[] = {1.0, 1e-9, 1.0};
    assert_int_equal(check_awkward(y, calm, -1.0), DAEDAL_OK);
    assert_int_equal(check_awkward(y, wild, -1.0), DAEDAL_OK);
    assert_int_equal(check_awkward(near_corner, calm, -1.0), DAEDAL_OK);
    assert_int_equal(check_awkward(y, calm, -2.0), DAEDAL_ERR_JACOBIAN);
    assert_int_equal(check_awkward(y, wild, 0.0), DAEDAL_ERR_JACOBIAN);
}

/* ---- steps that succeed with a wrong Jacobian ---- */

/* Two unknowns that are stiffly bound to each other follow sin(t). */
static int bound(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double stiffness = 1e5, a = y[0] - sin(t), b = y[1] - sin(t);
    r[0] = yp[0] - cos(t) + stiffness * (a - b) + a + b;
    r[1] = yp[1] - cos(t) - stiffness * (a - b) + a + b;
    return 0;
}

static int bound_jacobian(double t, const double *y, const double *yp, double c, double *v,
                          void *user)
{
    (void)t, (void)y, (void)yp;
    const double stiffness = 1e5, sign = *(const double *)user;
    v[0] = v[3] = c + stiffness + 1.0;
    v[1] = 1.0 - sign * stiffness;
    v[2] = 1.0 - stiffness;
    return 0;
}

static daedal_cause cause_told(double sign, const char *method)
{
    const double y0[] = {0.0, 0.0};
    daedal_options opt = defaults_with(1e-4, 1e-7);
    assert_int_equal(daedal_options_set(&opt, "method", method), DAEDAL_OK);
    daedal_system sys = {.n = 2, .residual = bound, .jacobian = bound_jacobian, .user = &sign};
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    daedal_solver_advance(s, 6.0);
    daedal_cause cause = daedal_solver_diagnosis(s)->cause;
    daedal_solver_free(s);
    return cause;
}

static void test_success_with_wrong_jacobian(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "bdf", "radau", "limex"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        assert_int_equal(cause_told(1.0, methods[k]), DAEDAL_CAUSE_NONE);
        assert_int_equal(cause_told(-1.0, methods[k]), DAEDAL_CAUSE_WRONG_JACOBIAN);
    }
}

/* Of four wrong entries the three worst are named, the worst first, in whatever order they stand.
 */
enum { FOUR = 4 };

static int decay(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < FOUR; i++)
        r[i] = yp[i] + y[i];
    return 0;
}

static int wrong_decay(double t, const double *y, const double *yp, double c, double *v, void *user)
{
    const int *rank = user;
    (void)t, (void)y, (void)yp;
    memset(v, 0, FOUR * FOUR * sizeof *v);
    for (int i = 0; i < FOUR; i++)
        v[i * FOUR + i] = c + 1.0 + 0.125 * (1 + rank[i]);
    return 0;
}

static void check_order(const int *rank)
{
    static const double y0[FOUR] = {1.0, 1.0, 1.0, 1.0};
    daedal_system sys = {
        .n = FOUR, .residual = decay, .jacobian = wrong_decay, .user = (void *)(uintptr_t)rank};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.check_jacobian = 1;
    daedal_solver *s = solver_of(&sys, &opt);
    expect_status(s, daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_ERR_JACOBIAN);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    const char *rest = why->message;
    expect_text(why->message, "4 entries");
    for (int k = FOUR - 1; k >= 0; k--) {
        char given[40];
        snprintf(given, sizeof given, "given as %.6g,", 1.0 + 0.125 * (1 + k));
        const char *found = strstr(rest, given);
        assert_true(k > 0 ? found != NULL : strstr(why->message, given) == NULL);
        rest = found ? found : rest;
        if (k == FOUR - 1)
            assert_int_equal(rank[why->variable], k);
    }
    daedal_solver_free(s);
}

static void test_worst_entries(void **state)
{
    (void)state;
    for (int code = 0; code < FOUR * FOUR * FOUR * FOUR; code++) {
        int rank[FOUR], seen = 0;
        for (int i = 0, rest = code; i < FOUR; i++, rest /= FOUR) {
            rank[i] = rest % FOUR;
            seen |= 1 << rank[i];
        }
        if (seen == (1 << FOUR) - 1)
            check_order(rank);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_option),
        cmocka_unit_test(test_call),
        cmocka_unit_test(test_worst_entries),
        cmocka_unit_test(test_missing_in_pattern),
        cmocka_unit_test(test_mass_form),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_failing_differences),
        cmocka_unit_test(test_success_with_wrong_jacobian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
