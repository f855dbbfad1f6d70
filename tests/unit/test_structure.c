/* tests/unit/test_structure.c - what a run finds out about its system: pattern, colours,
 * band, linear solver, classes of variables.                                    */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "problems.h"
#include "samples.h"

static bool has_entry(const daedal_pattern *p, int32_t i, int32_t j)
{
    for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
        if (p->row[q] == i)
            return true;
    return false;
}

static void test_robertson(void **state)
{
    (void)state;
    sample what = sample_robertson();
    daedal_solver *s = started(&what.sys, NULL, 0.0, what.y0, NULL);
    const daedal_structure *seen = daedal_solver_structure(s);
    assert_int_equal(seen->n, 3);
    assert_int_equal(seen->nnz, 9);
    assert_int_equal(seen->n_differential, 2);
    assert_int_equal(seen->variable_kind[0], DAEDAL_DIFFERENTIAL);
    assert_int_equal(seen->variable_kind[1], DAEDAL_DIFFERENTIAL);
    assert_int_equal(seen->variable_kind[2], DAEDAL_ALGEBRAIC);
    assert_string_equal(seen->linear_solver, "dense");
    assert_int_equal(seen->index, 1);
    daedal_solver_free(s);
}

/* The index is known where the start shows it: of an ODE, and where it is too high for a start. */
static void test_index(void **state)
{
    (void)state;
    sample what[] = {sample_decay_events(), sample_chain(), sample_driven(),
                     sample_driven_hidden()};
    static const int32_t index[] = {0, 1, 2, 2};
    for (int k = 0; k < 4; k++) {
        daedal_solver *s = started(&what[k].sys, NULL, 0.0, what[k].y0, NULL);
        assert_int_equal(daedal_solver_structure(s)->index, index[k]);
        daedal_solver_free(s);
    }
}

/* The chain: tridiagonal, detected without a Jacobian, few colours. */
static void test_chain(void **state)
{
    (void)state;
    for (int given = 0; given < 2; given++) {
        sample what = given ? sample_chain_jacobian() : sample_chain();
        daedal_solver *s = started(&what.sys, NULL, 0.0, what.y0, NULL);
        const daedal_structure *seen = daedal_solver_structure(s);
        assert_int_equal(seen->nnz, 3 * CHAIN_N - 2);
        assert_int_equal(seen->band_lower, 1);
        assert_int_equal(seen->band_upper, 1);
        assert_int_equal(seen->n_differential, CHAIN_N - 1);
        assert_int_equal(seen->variable_kind[CHAIN_N - 1], DAEDAL_ALGEBRAIC);
        if (!given)
            assert_in_range(seen->n_colours, 3, 5);
        for (int32_t j = 0; j < CHAIN_N; j++)
            for (int32_t i = 0; i < CHAIN_N; i++)
                assert_int_equal(has_entry(&seen->pattern, i, j), i - j <= 1 && j - i <= 1);
        daedal_solver_free(s);
    }
}

/* A given pattern is believed, though it is larger than needed. */
static void test_given_pattern(void **state)
{
    (void)state;
    static const int32_t start[] = {0, 3, 6, 9}, row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    static const daedal_pattern full = {3, 3, start, row};
    sample what = sample_robertson();
    what.sys.pattern = &full;
    daedal_solver *s = started(&what.sys, NULL, 0.0, what.y0, NULL);
    assert_int_equal(daedal_solver_structure(s)->nnz, 9);
    assert_int_equal(daedal_solver_structure(s)->variable_kind[2], DAEDAL_ALGEBRAIC);
    daedal_solver_free(s);
}

/* ---- classes of variables ---- */

static int kinds_of(sample what, int32_t *kinds)
{
    daedal_solver *s = started(&what.sys, NULL, 0.0, what.y0, NULL);
    const daedal_structure *seen = daedal_solver_structure(s);
    memcpy(kinds, seen->variable_kind, (size_t)seen->n * sizeof *kinds);
    int differential = seen->n_differential;
    daedal_solver_free(s);
    return differential;
}

static void test_kinds(void **state)
{
    (void)state;
    sample all[] = {sample_robertson(), sample_robertson_jacobian(), sample_mass(),
                    sample_mass_jacobian()};
    for (size_t i = 0; i < COUNT(all); i++) {
        int32_t kinds[3];
        assert_int_equal(kinds_of(all[i], kinds), 2);
        assert_int_equal(kinds[0], DAEDAL_DIFFERENTIAL);
        assert_int_equal(kinds[1], DAEDAL_DIFFERENTIAL);
        assert_int_equal(kinds[2], DAEDAL_ALGEBRAIC);
    }
}

/* A class given by the user is used; DETECT leaves the choice to the library. */
static void test_kinds_given(void **state)
{
    (void)state;
    static const int32_t said[] = {DAEDAL_KIND_DETECT, DAEDAL_KIND_DETECT, DAEDAL_DIFFERENTIAL};
    sample what = sample_mass();
    what.sys.variable_kind = (daedal_ints){said, 3};
    int32_t kinds[3];
    daedal_solver *s = solver_of(&what.sys, NULL);
    daedal_solver_start(s, 0.0, what.y0, NULL); /* may fail: y2' is not determined */
    const daedal_structure *seen = daedal_solver_structure(s);
    memcpy(kinds, seen->variable_kind, sizeof kinds);
    assert_int_equal(kinds[0], DAEDAL_DIFFERENTIAL);
    assert_int_equal(kinds[2], DAEDAL_DIFFERENTIAL);
    daedal_solver_free(s);
}

/* A mass matrix given in full, with zeros: the values decide. */
static int rhs(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = -y[0];
    f[1] = y[0] - y[1];
    return 0;
}

static int full_mass(double t, const double *y, double *v, void *user)
{
    (void)t, (void)y, (void)user;
    v[0] = 2.0;
    return 0;
}

static void test_full_mass(void **state)
{
    (void)state;
    static const double y0[] = {1.0, 1.0};
    sample what = {{.n = 2, .rhs = rhs, .mass = full_mass}, y0, 1.0};
    int32_t kinds[2];
    assert_int_equal(kinds_of(what, kinds), 1);
    assert_int_equal(kinds[1], DAEDAL_ALGEBRAIC);
    what.sys.mass = NULL; /* M = I */
    assert_int_equal(kinds_of(what, kinds), 2);
}

/* ---- linear solvers ---- */

/* What the automatic choice takes for some systems; ours is small, banded, sparse. */
static void test_choice(void **state)
{
    (void)state;
    sample chain = sample_chain();
    daedal_solver *s = started(&chain.sys, NULL, 0.0, chain.y0, NULL);
    assert_string_not_equal(daedal_solver_structure(s)->linear_solver, "lapack");
    daedal_solver_free(s);
    const problem *p = problem_find("heat2d_n1024");
    daedal_system heat = {.n = p->n, .residual = p->residual, .user = p->user};
    s = started(&heat, NULL, p->t0, p->y0, NULL);
    assert_string_equal(daedal_solver_structure(s)->linear_solver, "gmres");
    daedal_solver_free(s);
    daedal_options opt = defaults_with(1e-6, 1e-8);
    assert_int_equal(daedal_options_set(&opt, "method", "radau"), DAEDAL_OK);
    s = started(&heat, &opt, p->t0, p->y0, NULL);
    assert_string_equal(daedal_solver_structure(s)->linear_solver, "klu");
    daedal_solver_free(s);
}

static void solve_with(sample what, const char *solver, double *y)
{
    daedal_options opt = defaults_with(1e-8, 1e-10);
    assert_int_equal(daedal_options_set(&opt, "linear_solver", solver), DAEDAL_OK);
    daedal_solver *s = started(&what.sys, &opt, 0.0, what.y0, NULL);
    assert_string_equal(daedal_solver_structure(s)->linear_solver, solver);
    expect_status(s, daedal_solver_advance(s, what.t_end), DAEDAL_OK);
    memcpy(y, daedal_solver_state(s)->y, (size_t)what.sys.n * sizeof *y);
    daedal_solver_free(s);
}

/* Forced, each gives the same solution. */
static void test_forced(void **state)
{
    (void)state;
    static const char *const solvers[] = {"dense", "lapack", "band", "klu"};
    sample all[] = {sample_robertson_jacobian(), sample_chain(), sample_chain_jacobian(),
                    sample_mass()};
    for (size_t i = 0; i < COUNT(all); i++) {
        double first[CHAIN_N], y[CHAIN_N];
        solve_with(all[i], solvers[0], first);
        for (size_t k = 1; k < COUNT(solvers); k++) {
            solve_with(all[i], solvers[k], y);
            for (int32_t j = 0; j < all[i].sys.n; j++)
                expect_near(y[j], first[j], 1e-7 * fabs(first[j]) + 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_robertson), cmocka_unit_test(test_index),
        cmocka_unit_test(test_chain),     cmocka_unit_test(test_given_pattern),
        cmocka_unit_test(test_kinds),     cmocka_unit_test(test_kinds_given),
        cmocka_unit_test(test_full_mass), cmocka_unit_test(test_choice),
        cmocka_unit_test(test_forced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
