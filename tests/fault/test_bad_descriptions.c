/* tests/fault/test_bad_descriptions.c - wrong descriptions of a system, and points that no method
 * can pass: with every method a run ends soon with the right reason, and never reports a false
 * success. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

static const char *const METHODS[] = {"auto", "bdf", "radau", "rodas", "limex"};
static const double RTOL[] = {1e-4, 1e-8};

static daedal_options options_for(const char *method, double rtol)
{
    daedal_options options = defaults_with(rtol, 1e-3 * rtol);
    assert_int_equal(daedal_options_set(&options, "method", method), DAEDAL_OK);
    return options;
}

static daedal_status run(daedal_solver *s, const double *y0, double t_end)
{
    daedal_status status = daedal_solver_set_stop_time(s, t_end);
    if (status >= 0)
        status = daedal_solver_start(s, 0.0, y0, NULL);
    return status < 0 ? status : daedal_solver_advance(s, t_end);
}

/* ---- places that cannot be passed ---------------------------------------------------------- */

/* y' = z, z^3/3 - z = x: no solution after x = 2/3, t = 4/3; but another branch far away. */
static int fold(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - 1.0;
    r[1] = y[1] * y[1] * y[1] / 3.0 - y[1] - y[0];
    return DAEDAL_CALL_OK;
}

/* The derivative of equation 1 vanishes on the solution. */
static int double_root(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = (y[1] - cos(t)) * (y[1] - cos(t));
    return DAEDAL_CALL_OK;
}

/* The solution slides along y0 + y1 = 0 from t = 1 on. */
static int slides(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + (y[1] + y[0] > 0.0 ? 2.0 : -2.0);
    return DAEDAL_CALL_OK;
}

static void nothing_passes_where_no_solution_does(void **state)
{
    (void)state;
    const struct {
        const char *name;
        daedal_residual_fn *residual;
        double y0[2], before, after; /* where it must end */
    } rows[] = {{"fold", fold, {-2.0 / 3.0, -2.0}, 1.33, 1.34},
                {"double root", double_root, {0.0, 1.0}, 0.0, 0.1}};
    for (size_t k = 0; k < COUNT(rows); k++)
        for (size_t m = 0; m < COUNT(METHODS) * COUNT(RTOL); m++) {
            const char *method = METHODS[m % COUNT(METHODS)];
            daedal_system sys = {.n = 2, .residual = rows[k].residual};
            daedal_options options = options_for(method, RTOL[m / COUNT(METHODS)]);
            daedal_solver *s = solver_of(&sys, &options);
            daedal_status status = run(s, rows[k].y0, 3.0);
            const daedal_diagnosis *why = daedal_solver_diagnosis(s);
            bool named = why->t >= rows[k].before && why->t <= rows[k].after && why->variable == 1;
            if (status >= 0 || status == DAEDAL_ERR_NOT_FINITE || !named)
                fail_msg("%s, %s: %s at t = %g, y[%d]: %s", rows[k].name, method,
                         daedal_status_name(status), why->t, (int)why->variable, why->message);
            daedal_solver_free(s);
        }
}

static void sliding_is_named_and_ends(void **state)
{
    (void)state;
    const double y0[] = {1.0, 1.0};
    const char *const methods[] = {"auto", "bdf", "radau", "rodas"};
    for (size_t m = 0; m < COUNT(methods); m++) {
        daedal_system sys = {.n = 2, .residual = slides};
        daedal_options options = options_for(methods[m], 1e-8);
        daedal_solver *s = solver_of(&sys, &options);
        expect_status(s, run(s, y0, 3.0), DAEDAL_ERR_STEP_TOO_SMALL);
        const daedal_diagnosis *why = daedal_solver_diagnosis(s);
        expect_text(why->message, "equation 1 jumps there in y[");
        expect_near(why->t, 1.0, 0.01);
        assert_int_equal(why->equation, 1);
        assert_true(daedal_solver_stats(s)->residuals < 1000000);
        daedal_solver_free(s);
    }
}

/* ---- jumps that can ------------------------------------------------------------------------ */

static int stairs(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)y, (void)user;
    r[0] = yp[0] - floor(3.0 * t);
    return DAEDAL_CALL_OK;
}

/* An algebraic variable that jumps: what depends on it has a kink. */
static int turns(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = y[1] - (t < 0.5 ? 1.0 : -1.0);
    return DAEDAL_CALL_OK;
}

static void jumps_are_passed_with_the_tolerance(void **state)
{
    (void)state;
    const struct {
        const char *name;
        daedal_residual_fn *residual;
        int32_t n;
        double y0[2], t_end, value;
    } rows[] = {{"stairs", stairs, 1, {0.0}, 2.0, 5.0}, {"turns", turns, 2, {0.0, 1.0}, 1.0, 0.0}};
    for (size_t k = 0; k < COUNT(rows); k++)
        for (size_t m = 0; m < COUNT(METHODS) * COUNT(RTOL); m++) {
            double rtol = RTOL[m / COUNT(METHODS)];
            daedal_system sys = {.n = rows[k].n, .residual = rows[k].residual};
            daedal_options options = options_for(METHODS[m % COUNT(METHODS)], rtol);
            daedal_solver *s = solver_of(&sys, &options);
            bool passed = run(s, rows[k].y0, rows[k].t_end) >= 0; /* else it is named: bdf */
            double off = fabs(daedal_solver_state(s)->y[0] - rows[k].value);
            if (passed && off > 1000.0 * rtol)
                fail_msg("%s, %s, rtol %g: off by %g", rows[k].name, METHODS[m % COUNT(METHODS)],
                         rtol, off);
            daedal_solver_free(s);
        }
}

/* y1' begins to occur at t = 1/2: methods without Newton find a pattern without it, too. */
static int grows(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double a = t > 0.5 ? pow(t - 0.5, 3.0) : 0.0;
    r[0] = yp[0] - y[1];
    r[1] = a * yp[1] + y[1] - cos(t) + a * sin(t);
    return DAEDAL_CALL_OK;
}

static void patterns_grow_with_every_method(void **state)
{
    (void)state;
    const double y0[] = {0.0, 1.0};
    for (size_t m = 0; m < COUNT(METHODS); m++) {
        daedal_system sys = {.n = 2, .residual = grows};
        daedal_options options = options_for(METHODS[m], 1e-6);
        daedal_solver *s = solver_of(&sys, &options);
        expect_status(s, run(s, y0, 1.0), DAEDAL_OK);
        expect_near(daedal_solver_state(s)->y[0], sin(1.0), 1e-4);
        daedal_solver_free(s);
    }
}

/* ---- a pendulum of index 1, with constraints ------------------------------------------------ */

enum constraint_kind { LENGTH_AND_VELOCITY, LENGTH_TWICE, FIXED_X };

static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[0] * y[4];
    r[3] = yp[3] + y[1] * y[4] + 9.81;
    r[4] = y[2] * y[2] + y[3] * y[3] - y[4] * (y[0] * y[0] + y[1] * y[1]) - 9.81 * y[1];
    return DAEDAL_CALL_OK;
}

static int constraints(double t, const double *y, double *g, void *user)
{
    const enum constraint_kind *kind = user;
    (void)t;
    double length = y[0] * y[0] + y[1] * y[1] - 1.0;
    g[0] = *kind == FIXED_X ? y[0] - 0.6 : length;
    g[1] = *kind == LENGTH_TWICE ? 2.0 * length : y[0] * y[2] + y[1] * y[3];
    return DAEDAL_CALL_OK;
}

static int constraint_slopes(double t, const double *y, double *v, void *user)
{
    const enum constraint_kind *kind = user;
    (void)t;
    bool fixed = *kind == FIXED_X, twice = *kind == LENGTH_TWICE;
    v[0] = fixed ? 1.0 : 2.0 * y[0]; /* by columns of two */
    v[2] = fixed ? 0.0 : 2.0 * y[1];
    v[1] = twice ? 4.0 * y[0] : y[2];
    v[3] = twice ? 4.0 * y[1] : y[3];
    v[5] = twice ? 0.0 : y[0];
    v[7] = twice ? 0.0 : y[1];
    return DAEDAL_CALL_OK;
}

static daedal_solver *held_pendulum(enum constraint_kind *kind, const char *method, double rtol,
                                    const char *hold)
{
    static const int32_t start[] = {0, 2, 4, 6, 8, 8}, row[] = {0, 1, 0, 1, 0, 1, 0, 1};
    static const daedal_pattern pattern = {2, 5, start, row};
    daedal_system sys = {.n = 5,
                         .residual = pendulum,
                         .n_constraints = 2,
                         .constraints = constraints,
                         .constraint_jacobian = constraint_slopes,
                         .constraint_pattern = &pattern,
                         .user = kind};
    daedal_options options = options_for(method, rtol);
    assert_int_equal(daedal_options_set(&options, "constraint_method", hold), DAEDAL_OK);
    return solver_of(&sys, &options);
}

static const double HANGING[] = {0.6, -0.8, 0.0, 0.0, 0.0};

/* Held by projection: multipliers are too noisy to accuse by (decision 082). */
static void a_constraint_that_contradicts_is_named(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(METHODS) * COUNT(RTOL); m++) {
        enum constraint_kind kind = FIXED_X;
        daedal_solver *s =
            held_pendulum(&kind, METHODS[m % COUNT(METHODS)], RTOL[m / COUNT(METHODS)], "project");
        expect_status(s, run(s, HANGING, 2.0), DAEDAL_ERR_INCONSISTENT);
        expect_text(daedal_solver_diagnosis(s)->message, "constraint 0 contradicts");
        expect_text(daedal_solver_diagnosis(s)->message, "y[0]");
        assert_true(daedal_solver_stats(s)->residuals < 20000);
        daedal_solver_free(s);
    }
}

/* Said twice is no contradiction: as accurate, and as much work, as said once. */
static void redundant_constraints_are_met(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(METHODS) * COUNT(RTOL); m++) {
        enum constraint_kind kinds[] = {LENGTH_AND_VELOCITY, LENGTH_TWICE};
        double rtol = RTOL[m / COUNT(METHODS)], end[2][5];
        int64_t calls[2];
        for (int k = 0; k < 2; k++) {
            daedal_solver *s =
                held_pendulum(&kinds[k], METHODS[m % COUNT(METHODS)], rtol, "project");
            expect_status(s, run(s, HANGING, 2.0), DAEDAL_OK);
            memcpy(end[k], daedal_solver_state(s)->y, sizeof end[k]);
            calls[k] = daedal_solver_stats(s)->residuals;
            daedal_solver_free(s);
        }
        for (int j = 0; j < 4; j++)
            expect_near(end[1][j], end[0][j], 1000.0 * rtol);
        assert_true(calls[1] < 2 * calls[0]);
    }
}

/* ---- bounds, patterns, indices -------------------------------------------------------------- */

/* y0 = (1 + 2 t)^-1/2, y1 = y0^2 */
static int decays(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + y[0] * y[1];
    r[1] = y[1] - y[0] * y[0];
    return DAEDAL_CALL_OK;
}

static const double ONES[] = {1.0, 1.0};

/* It passes 1/2 at t = 3/2. */
static void a_bound_that_the_solution_passes_is_named(void **state)
{
    (void)state;
    const double lower[] = {0.5, -INFINITY};
    for (size_t m = 0; m < COUNT(METHODS) * COUNT(RTOL); m++) {
        daedal_system sys = {.n = 2, .residual = decays, .lower = {lower, 2}};
        daedal_options options = options_for(METHODS[m % COUNT(METHODS)], RTOL[m / COUNT(METHODS)]);
        daedal_solver *s = solver_of(&sys, &options);
        expect_status(s, run(s, ONES, 4.0), DAEDAL_ERR_STEP_TOO_SMALL);
        assert_int_equal(daedal_solver_diagnosis(s)->variable, 0);
        expect_near(daedal_solver_diagnosis(s)->t, 1.5, 0.2);
        assert_true(daedal_solver_stats(s)->residuals < 300000);
        daedal_solver_free(s);
    }
}

static void keep_warning(daedal_log_level level, const char *message, void *user)
{
    if (level == DAEDAL_LOG_WARNING)
        snprintf(user, 512, "%s", message);
}

/* The run goes on with the entry, and says so. */
static void a_pattern_that_lacks_entries_is_named(void **state)
{
    (void)state;
    const int32_t start[] = {0, 1, 2}, row[] = {0, 1};
    const daedal_pattern diagonal = {2, 2, start, row};
    const char *const methods[] = {"auto", "bdf", "radau", "rodas", "limex"};
    for (size_t m = 0; m < COUNT(methods); m++) {
        char warning[512] = "";
        daedal_system sys = {.n = 2, .residual = decays, .pattern = &diagonal};
        daedal_options options = options_for(methods[m], 1e-6);
        options.log = keep_warning;
        options.callback_user = warning;
        daedal_solver *s = solver_of(&sys, &options);
        expect_status(s, run(s, ONES, 2.0), DAEDAL_OK);
        expect_text(warning, "the given pattern lacks");
        assert_true(strstr(warning, "d(equation 1)/d(y[0])") ||
                    strstr(warning, "d(equation 0)/d(y[1])"));
        assert_true(daedal_solver_stats(s)->pattern_repairs > 0);
        daedal_solver_free(s);
    }
}

/* x_i' = -x_i x_next, a ring: entry (i, i + 1) is not in the diagonal pattern. */
enum { RING = 6 };

static int ring(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < RING; i++)
        r[i] = yp[i] + y[i] * y[(i + 1) % RING];
    return DAEDAL_CALL_OK;
}

/* Names that do not fit are cut: the warning keeps its beginning, and the run goes on. */
static void long_names_of_lacking_entries_are_cut(void **state)
{
    (void)state;
    const int32_t start[] = {0, 1, 2, 3, 4, 5, 6}, row[] = {0, 1, 2, 3, 4, 5};
    const daedal_pattern diagonal = {RING, RING, start, row};
    const double y0[] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    char text[RING][91], warning[2048] = "";
    const char *names[RING];
    for (int i = 0; i < RING; i++) {
        memset(text[i], 'a' + i, sizeof text[i] - 1);
        text[i][sizeof text[i] - 1] = '\0';
        names[i] = text[i];
    }
    daedal_system sys = {.n = RING,
                         .residual = ring,
                         .pattern = &diagonal,
                         .variable_names = names,
                         .equation_names = names};
    daedal_options options = options_for("radau", 1e-6);
    options.log = keep_warning;
    options.callback_user = warning;
    daedal_solver *s = solver_of(&sys, &options);
    expect_status(s, run(s, y0, 2.0), DAEDAL_OK);
    expect_text(warning, "the given pattern lacks");
    expect_near(daedal_solver_state(s)->y[RING - 1], 1.0 / 3.0, 1e-4);
    daedal_solver_free(s);
}

static int pendulum_of_index_3(double t, const double *y, const double *yp, double *r, void *user)
{
    pendulum(t, y, yp, r, user);
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

static void an_index_that_is_said_too_low_is_refused(void **state)
{
    (void)state;
    const int32_t said[][5] = {{0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}, {1, 1, 2, 2, 2}, {1, 1, 2, 2, 3}};
    for (size_t k = 0; k < COUNT(said); k++) {
        daedal_system sys = {
            .n = 5, .residual = pendulum_of_index_3, .variable_index = {said[k], 5}};
        daedal_options options = options_for("auto", 1e-8);
        daedal_solver *s = solver_of(&sys, &options);
        bool right = k + 1 == COUNT(said);
        expect_status(s, run(s, HANGING, 1.0), right ? DAEDAL_OK : DAEDAL_ERR_INDEX);
        if (!right) {
            expect_text(daedal_solver_diagnosis(s)->message, "equation 4 -> y[0] -> y[2] -> y[4]");
            expect_text(daedal_solver_diagnosis(s)->hint, "variable_index gives it as");
        }
        daedal_solver_free(s);
    }
}

/* ---- equations that leave something open ---------------------------------------------------- */

enum { CELLS = 4, FACES = 3, FLOW = 2 * CELLS * FACES + CELLS * CELLS };

/* A flow in a closed box, marker and cell: pressures but for a constant. */
static int closed_box(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    const double *u = y, *v = y + CELLS * FACES, *p = y + 2 * CELLS * FACES;
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < FACES; i++) {
            int q = i + FACES * j, w = CELLS * FACES + j + CELLS * i;
            r[q] = yp[q] + u[q] + (p[i + 1 + CELLS * j] - p[i + CELLS * j]) - sin(t + j);
            r[w] = yp[w] + v[j + CELLS * i] + (p[j + CELLS * (i + 1)] - p[j + CELLS * i]);
        }
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            double out = i < FACES ? u[i + FACES * j] : 0.0,
                   in = i > 0 ? u[i - 1 + FACES * j] : 0.0;
            double up = j < FACES ? v[i + CELLS * j] : 0.0;
            double down = j > 0 ? v[i + CELLS * (j - 1)] : 0.0;
            r[2 * CELLS * FACES + i + CELLS * j] = out - in + up - down;
        }
    return DAEDAL_CALL_OK;
}

static void what_stays_open_is_no_start(void **state)
{
    (void)state;
    double y0[FLOW] = {0.0};
    for (size_t m = 0; m < COUNT(METHODS); m++) {
        daedal_system sys = {.n = FLOW, .residual = closed_box};
        daedal_options options = options_for(METHODS[m], 1e-4);
        daedal_solver *s = solver_of(&sys, &options);
        expect_status(s, run(s, y0, 1.0), DAEDAL_ERR_SINGULAR);
        expect_text(daedal_solver_diagnosis(s)->message, "undetermined");
        assert_true(daedal_solver_diagnosis(s)->variable >= 2 * CELLS * FACES);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_where_no_solution_does),
        cmocka_unit_test(sliding_is_named_and_ends),
        cmocka_unit_test(jumps_are_passed_with_the_tolerance),
        cmocka_unit_test(patterns_grow_with_every_method),
        cmocka_unit_test(a_constraint_that_contradicts_is_named),
        cmocka_unit_test(redundant_constraints_are_met),
        cmocka_unit_test(a_bound_that_the_solution_passes_is_named),
        cmocka_unit_test(a_pattern_that_lacks_entries_is_named),
        cmocka_unit_test(long_names_of_lacking_entries_are_cut),
        cmocka_unit_test(an_index_that_is_said_too_low_is_refused),
        cmocka_unit_test(what_stays_open_is_no_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
