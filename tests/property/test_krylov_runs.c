/* tests/property/test_krylov_runs.c - runs with gmres: as accurate as with factors, whatever the
 * preconditioner; counted; and what happens where they cannot work.               */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "reaction_grid.h"

enum { SIDE = 10, N = 2 * SIDE * SIDE };
static const double T_END = 1.0;

static double distance(const double *y, const double *z, int32_t n)
{
    double most = 0.0;
    for (int32_t i = 0; i < n; i++)
        most = fmax(most, fabs(y[i] - z[i]) / (1.0 + fabs(z[i])));
    return most;
}

static const char *const preconditioners[] = {"auto", "none", "diagonal", "block",
                                              "band", "ilu",  "ilut",     "lu"};
static const char *const products[] = {"auto", "differences", "matrix"};
static const char *const methods[] = {"bdf", "bdf_classic", "radau", "rodas", "limex"};
enum { WITH_PRODUCTS = 2 }; /* the first two methods have products of their own */

/* ---- accuracy ---- */

/* The error at the end; gmres must have stayed in use where it was asked for. */
static double error_of(reaction_grid *g, const char *options, const double *exact)
{
    daedal_system sys = reaction_grid_system(g, true, false);
    daedal_solver *s = start_solver(&sys, options, 0.0, g->y0, NULL);
    char asked[20];
    snprintf(asked, sizeof asked, "%s", daedal_solver_structure(s)->linear_solver);
    expect_status(s, daedal_solver_set_stop_time(s, T_END), DAEDAL_OK); /* a step ends there */
    assert_true(daedal_solver_advance(s, T_END) >= 0);
    if (daedal_solver_stats(s)->direct_fallbacks != 0)
        fail_msg("%s: gmres was given up", options);
    assert_string_equal(daedal_solver_structure(s)->linear_solver, asked);
    double off = distance(daedal_solver_state(s)->y, exact, N);
    daedal_solver_free(s);
    return off;
}

static void compare_with_factors(reaction_grid *g, size_t m, const double *exact)
{
    char options[160];
    snprintf(options, sizeof options, "method=%s linear_solver=klu rtol=1e-4 atol=1e-4",
             methods[m]);
    double direct = error_of(g, options, exact);
    for (size_t p = 0; p < COUNT(preconditioners); p++)
        for (size_t k = 0; k < (m < WITH_PRODUCTS ? COUNT(products) : 1); k++) {
            snprintf(options, sizeof options,
                     "method=%s linear_solver=gmres preconditioner=%s krylov_product=%s rtol=1e-4 "
                     "atol=1e-4",
                     methods[m], preconditioners[p], products[k]);
            double off = error_of(g, options, exact);
            /* other prices, other orders and steps: the tolerance is what all must meet */
            if (!(off <= 2.0 * direct + (m == 0 ? 1e-4 : 5e-4)))
                fail_msg("%s: off by %g, with factors by %g", options, off, direct);
        }
}

static void test_same_digits(void **state)
{
    (void)state;
    static double exact[N];
    reaction_grid *g = reaction_grid_make(false, SIDE);
    daedal_system sys = reaction_grid_system(g, true, false);
    solve_to(&sys, "method=radau linear_solver=klu rtol=1e-9 atol=1e-9", 0.0, g->y0, T_END, exact);
    for (size_t m = 0; m < COUNT(methods); m++)
        compare_with_factors(g, m, exact);
    reaction_grid_free(g);
}

/* Neither pattern nor Jacobian; and as M y' = f. */
static void test_without_pattern(void **state)
{
    (void)state;
    static double direct[N], y[N];
    reaction_grid *g = reaction_grid_make(true, SIDE);
    daedal_system sys = reaction_grid_system(g, false, false);
    sys.pattern = NULL;
    solve_to(&sys, "method=bdf linear_solver=klu rtol=1e-6", 0.0, g->y0, 0.1, direct);
    solve_to(&sys, "method=bdf linear_solver=gmres rtol=1e-6", 0.0, g->y0, 0.1, y);
    assert_true(distance(y, direct, g->n) < 1e-6);
    reaction_grid_free(g);
}

/* ---- chosen by itself ---- */

static void test_automatic(void **state)
{
    (void)state;
    reaction_grid *g = reaction_grid_make(true, 40);
    daedal_system sys = reaction_grid_system(g, true, false);
    daedal_solver *s = start_solver(&sys, "rtol=1e-4", 0.0, g->y0, NULL);
    expect_status(s, daedal_solver_advance(s, 0.1), DAEDAL_OK);
    const daedal_structure *seen = daedal_solver_structure(s);
    assert_string_equal(seen->linear_solver, "gmres");
    assert_string_equal(seen->preconditioner, "ilu");
    assert_string_equal(seen->method, "bdf");
    expect_text(seen->method_reason, "gmres");
    assert_int_equal(daedal_solver_stats(s)->factorizations, 0);
    daedal_solver_free(s);
    reaction_grid_free(g);
}

/* A short run is not stiff, and needs no linear solver. */
static void test_not_stiff(void **state)
{
    (void)state;
    reaction_grid *g = reaction_grid_make(false, 36);
    daedal_system sys = reaction_grid_system(g, true, false);
    daedal_solver *s = start_solver(&sys, "rtol=1e-4", 0.0, g->y0, NULL);
    expect_status(s, daedal_solver_advance(s, 0.1), DAEDAL_OK);
    assert_string_equal(daedal_solver_structure(s)->method, "dopri");
    daedal_solver_free(s);
    s = start_solver(&sys, "rtol=1e-4 linear_solver=gmres", 0.0, g->y0, NULL);
    expect_status(s, daedal_solver_advance(s, 0.1), DAEDAL_OK);
    assert_string_equal(daedal_solver_structure(s)->method, "bdf");
    daedal_solver_free(s);
    reaction_grid_free(g);
}

/* Where the user says that the index is two, and where the matrix is a small one. */
static void test_not_automatic(void **state)
{
    (void)state;
    static int32_t index[2 * 36 * 36];
    reaction_grid *g = reaction_grid_make(false, 36);
    daedal_system sys = reaction_grid_system(g, true, false);
    index[0] = 2;
    sys.variable_index = (daedal_ints){index, g->n};
    daedal_options opt = options_of("method=bdf");
    daedal_solver *s = started(&sys, &opt, 0.0, g->y0, NULL);
    assert_string_equal(daedal_solver_structure(s)->linear_solver, "klu");
    daedal_solver_free(s);
    reaction_grid_free(g);
    g = reaction_grid_make(false, SIDE);
    sys = reaction_grid_system(g, true, false);
    s = started(&sys, &opt, 0.0, g->y0, NULL);
    assert_string_not_equal(daedal_solver_structure(s)->linear_solver, "gmres");
    daedal_solver_free(s);
    reaction_grid_free(g);
}

/* The complex systems of radau by GMRES with the real factors: as many steps, a third of the
 * factorizations.                                                                */
static void test_radau_with_real_factors(void **state)
{
    (void)state;
    static double exact[2 * 50 * 50];
    reaction_grid *g = reaction_grid_make(false, 50);
    daedal_system sys = reaction_grid_system(g, true, false);
    solve_to(&sys, "method=bdf linear_solver=klu rtol=1e-7", 0.0, g->y0, 0.1, exact);
    daedal_solver *s =
        start_solver(&sys, "method=radau linear_solver=klu rtol=1e-4", 0.0, g->y0, NULL);
    expect_status(s, daedal_solver_advance(s, 0.1), DAEDAL_OK);
    const daedal_stats *st = daedal_solver_stats(s);
    assert_true(st->krylov_iterations > 0 && st->krylov_failures == 0);
    assert_true(st->krylov_iterations <= 6 * st->iterations); /* two to three a system */
    assert_true(distance(daedal_solver_state(s)->y, exact, g->n) < 1e-4);
    daedal_solver_free(s);
    reaction_grid_free(g);
}

/* ---- counters and products ---- */

static void test_counters(void **state)
{
    (void)state;
    reaction_grid *g = reaction_grid_make(false, SIDE);
    for (int with_product = 0; with_product < 2; with_product++) {
        daedal_system sys = reaction_grid_system(g, true, with_product != 0);
        daedal_solver *s =
            start_solver(&sys, "method=bdf linear_solver=gmres rtol=1e-4", 0.0, g->y0, NULL);
        assert_string_equal(daedal_solver_structure(s)->preconditioner, "ilu");
        expect_status(s, daedal_solver_advance(s, T_END), DAEDAL_OK);
        const daedal_stats *st = daedal_solver_stats(s);
        assert_true(st->krylov_iterations > 0 && st->preconditioner_setups > 0);
        assert_true(st->jacobian_products >= st->krylov_iterations);
        assert_true(st->preconditioner_solves > st->krylov_iterations);
        assert_true(st->factorizations == 0 && st->krylov_failures == 0);
        if (with_product)
            assert_true(st->jacobian_residuals == 0);
        else
            assert_true(st->jacobian_residuals > 0);
        daedal_solver_free(s);
    }
    reaction_grid_free(g);
}

/* ---- where it does not work ---- */

typedef struct told {
    char text[600];
} told;

static void keep_warning(daedal_log_level level, const char *message, void *user)
{
    told *t = user;
    if (level == DAEDAL_LOG_WARNING)
        snprintf(t->text, sizeof t->text, "%s", message);
}

/* One direction, no preconditioner: a direct solver takes over, and says so. */
static void test_fallback(void **state)
{
    (void)state;
    static double direct[N];
    told heard = {""};
    reaction_grid *g = reaction_grid_make(true, SIDE);
    daedal_system sys = reaction_grid_system(g, true, false);
    daedal_options opt = options_of("method=bdf linear_solver=gmres preconditioner=none "
                                    "krylov_length=1 krylov_restarts=0 rtol=1e-5");
    opt.log = keep_warning;
    opt.callback_user = &heard;
    solve_to(&sys, "method=bdf linear_solver=klu rtol=1e-5", 0.0, g->y0, 0.1, direct);
    daedal_solver *s = started(&sys, &opt, 0.0, g->y0, NULL);
    expect_status(s, daedal_solver_advance(s, 0.1), DAEDAL_OK);
    assert_int_equal(daedal_solver_stats(s)->direct_fallbacks, 1);
    assert_true(daedal_solver_stats(s)->krylov_failures > 0);
    assert_string_equal(daedal_solver_structure(s)->linear_solver, "klu");
    assert_null(daedal_solver_structure(s)->preconditioner);
    expect_text(heard.text, "gmres did not converge");
    expect_text(heard.text, "klu");
    assert_true(distance(daedal_solver_state(s)->y, direct, g->n) < 1e-4);
    daedal_solver *copy = NULL;
    expect_status(s, daedal_solver_clone(&copy, s), DAEDAL_OK);
    expect_status(copy, daedal_solver_advance(copy, 0.2), DAEDAL_OK);
    assert_string_equal(daedal_solver_structure(copy)->linear_solver, "klu");
    daedal_solver_free(copy);
    daedal_solver_free(s);
    reaction_grid_free(g);
}

/* The complex systems of radau, with one direction only. */
static void test_fallback_of_radau(void **state)
{
    (void)state;
    static double direct[N];
    reaction_grid *g = reaction_grid_make(true, SIDE);
    daedal_system sys = reaction_grid_system(g, true, false);
    solve_to(&sys, "method=radau linear_solver=klu rtol=1e-5", 0.0, g->y0, 0.1, direct);
    told heard = {""};
    daedal_options opt = options_of("method=radau linear_solver=gmres preconditioner=diagonal "
                                    "krylov_length=1 krylov_restarts=0 rtol=1e-5");
    opt.log = keep_warning;
    opt.callback_user = &heard;
    daedal_solver *s = started(&sys, &opt, 0.0, g->y0, NULL);
    expect_status(s, daedal_solver_advance(s, 0.1), DAEDAL_OK);
    assert_true(daedal_solver_stats(s)->direct_fallbacks >= 1);
    assert_string_equal(daedal_solver_structure(s)->linear_solver, "klu");
    expect_text(heard.text, "the linear solver is now klu");
    assert_true(distance(daedal_solver_state(s)->y, direct, g->n) < 1e-4);
    daedal_solver_free(s);
    reaction_grid_free(g);
}

/* A preconditioner of one's own: the inverse of the diagonal, until it misbehaves. */
typedef struct own {
    double diagonal;
    int setup_answer, solve_answer;
    double poison;
    int setups, solves;
} own;

static int own_setup(double t, const double *y, const double *yp, double c, const double *values,
                     void *user)
{
    own *o = user;
    (void)t, (void)y, (void)yp;
    assert_true(isfinite(values[0]));
    o->diagonal = c + 4.0 * 2e-3 * (SIDE - 1) * (SIDE - 1);
    o->setups++;
    return o->setup_answer;
}

static int own_solve(double *b, void *user)
{
    own *o = user;
    for (int32_t i = 0; i < N; i++)
        b[i] /= o->diagonal;
    if (o->poison != 0.0)
        b[3] = o->poison;
    o->solves++;
    return o->solve_answer;
}

static void test_own_preconditioner(void **state)
{
    (void)state;
    static double exact[N];
    reaction_grid *g = reaction_grid_make(false, SIDE);
    daedal_system sys = reaction_grid_system(g, false, true);
    own o = {0};
    daedal_preconditioner mine = {"mine", own_setup, own_solve, &o};
    daedal_options opt = options_of("method=bdf rtol=1e-5 atol=1e-5");
    opt.own_preconditioner = &mine;
    solve_to(&sys, "method=radau linear_solver=klu rtol=1e-9 atol=1e-9", 0.0, g->y0, T_END, exact);
    daedal_solver *s = started(&sys, &opt, 0.0, g->y0, NULL);
    assert_string_equal(daedal_solver_structure(s)->linear_solver, "gmres");
    assert_string_equal(daedal_solver_structure(s)->preconditioner, "mine");
    expect_status(s, daedal_solver_advance(s, T_END), DAEDAL_OK);
    assert_true(o.setups > 0 && o.solves > o.setups);
    assert_true(distance(daedal_solver_state(s)->y, exact, N) < 1e-4);
    daedal_solver_free(s);
    reaction_grid_free(g);
}

/* Each way to fail is named. */
static void test_bad_preconditioner(void **state)
{
    (void)state;
    static const struct {
        own how;
        daedal_status status;
        const char *text;
    } cases[] = {
        {{.setup_answer = DAEDAL_CALL_FAIL}, DAEDAL_ERR_CALLBACK, "set-up of the preconditioner"},
        {{.setup_answer = DAEDAL_CALL_RETRY}, DAEDAL_ERR_RETRY, "set-up of the preconditioner"},
        {{.solve_answer = DAEDAL_CALL_FAIL}, DAEDAL_ERR_CALLBACK, "preconditioner"},
        {{.poison = NAN}, DAEDAL_ERR_NOT_FINITE, "preconditioner"},
        {{.poison = INFINITY}, DAEDAL_ERR_NOT_FINITE, "preconditioner"},
    };
    reaction_grid *g = reaction_grid_make(false, SIDE);
    daedal_system sys = reaction_grid_system(g, true, false);
    for (size_t c = 0; c < COUNT(cases); c++) {
        own o = cases[c].how;
        daedal_preconditioner mine = {"mine", own_setup, own_solve, &o};
        daedal_options opt = options_of("method=bdf linear_solver=gmres rtol=1e-5");
        opt.own_preconditioner = &mine;
        daedal_solver *s = started(&sys, &opt, 0.0, g->y0, NULL);
        expect_status(s, daedal_solver_advance(s, T_END), cases[c].status);
        expect_text(daedal_solver_diagnosis(s)->message, cases[c].text);
        daedal_solver_free(s);
    }
    daedal_preconditioner empty = {.name = "empty"};
    daedal_options opt = options_of("method=bdf");
    daedal_diagnosis why;
    daedal_solver *s = NULL;
    opt.own_preconditioner = &empty;
    assert_int_equal(daedal_solver_create(&s, &sys, &opt, &why), DAEDAL_ERR_ARGUMENT);
    expect_text(why.message, "own_preconditioner");
    reaction_grid_free(g);
}

/* A product that disagrees with F is found at the start, with the equation. */
static void test_wrong_product(void **state)
{
    (void)state;
    reaction_grid *g = reaction_grid_make(false, SIDE);
    daedal_system sys = reaction_grid_system(g, true, true);
    daedal_options opt = options_of("method=bdf linear_solver=gmres");
    daedal_solver *s = solver_of(&sys, &opt);
    expect_status(s, daedal_solver_start(s, 0.0, g->y0, NULL), DAEDAL_OK);
    g->product_error = 0.5;
    expect_status(s, daedal_solver_start(s, 0.0, g->y0, NULL), DAEDAL_ERR_JACOBIAN);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    expect_text(why->message, "jacobian_product disagrees with F");
    assert_int_equal(why->cause, DAEDAL_CAUSE_WRONG_JACOBIAN);
    assert_true(why->equation >= 0);
    daedal_solver_free(s);
    reaction_grid_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_digits),        cmocka_unit_test(test_without_pattern),
        cmocka_unit_test(test_automatic),          cmocka_unit_test(test_not_stiff),
        cmocka_unit_test(test_not_automatic),      cmocka_unit_test(test_radau_with_real_factors),
        cmocka_unit_test(test_fallback_of_radau),  cmocka_unit_test(test_counters),
        cmocka_unit_test(test_fallback),           cmocka_unit_test(test_own_preconditioner),
        cmocka_unit_test(test_bad_preconditioner), cmocka_unit_test(test_wrong_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
