/* tests/property/test_projection_metric.c - projections in the metric of the mass matrix, at output
 * points alone, and to roundoff.                                                        */
#include <math.h>
#include <string.h>

#include "daedal.h"

#include "harness.h"

/* ---- two bodies on a rod, free in the plane ---- */

static const double MASS[] = {1.0, 20.0};

static int masses(const double *q, double *values, void *user)
{
    (void)q, (void)user;
    for (int k = 0; k < 4; k++)
        values[5 * k] = MASS[k / 2];
    return DAEDAL_CALL_OK;
}

static int no_force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    memset(f, 0, 4 * sizeof *f);
    return DAEDAL_CALL_OK;
}

static int rod(const double *q, double *g, void *user)
{
    double x = q[2] - q[0], y = q[3] - q[1];
    (void)user;
    g[0] = x * x + y * y - 1.0;
    return DAEDAL_CALL_OK;
}

static int rod_slopes(const double *q, double *values, void *user)
{
    double x = q[2] - q[0], y = q[3] - q[1];
    (void)user;
    values[0] = -2.0 * x;
    values[1] = -2.0 * y;
    values[2] = 2.0 * x;
    values[3] = 2.0 * y;
    return DAEDAL_CALL_OK;
}

/* The largest momentum of the two bodies together, which is 0 at the start. */
static double drift_of_momentum(const char *metric, const char *method)
{
    daedal_motion bodies = {.n = 4,
                            .mass = masses,
                            .force = no_force,
                            .n_constraints = 1,
                            .constraint = rod,
                            .constraint_jacobian = rod_slopes};
    const double y[] = {0.0, 0.0, 1.0, 0.0, 0.0, 20.0, 0.0, -1.0, 0.0};
    daedal_motion_system *motion;
    daedal_solver *solver;
    daedal_options options;
    double worst = 0.0;
    daedal_options_defaults(&options);
    options.rtol = 1e-4;
    options.atol = 1e-4;
    assert_int_equal(daedal_options_set(&options, "projection_metric", metric), DAEDAL_OK);
    assert_int_equal(daedal_options_set(&options, "method", method), DAEDAL_OK);
    assert_int_equal(daedal_motion_create(&motion, &bodies, NULL, NULL), DAEDAL_OK);
    assert_int_equal(daedal_solver_create(&solver, daedal_motion_describe(motion), &options, NULL),
                     DAEDAL_OK);
    assert_true(daedal_solver_start(solver, 0.0, y, NULL) >= 0);
    while (daedal_solver_state(solver)->t < 3.0) {
        assert_true(daedal_solver_step(solver, 10.0) >= 0);
        const double *at = daedal_solver_state(solver)->y;
        for (int k = 4; k < 6; k++)
            worst = fmax(worst, fabs(MASS[0] * at[k] + MASS[1] * at[k + 2]));
        assert_true(fabs(hypot(at[2] - at[0], at[3] - at[1]) - 1.0) < 1e-5);
    }
    daedal_solver_free(solver);
    daedal_motion_free(motion);
    return worst;
}

/* [HW96] VII.2 (2.10), (2.11): forces of constraints leave the momentum as it is. */
static void test_momentum(void **state)
{
    (void)state;
    double by_weights = drift_of_momentum("weights", "radau"),
           by_mass = drift_of_momentum("mass", "radau");
    print_message("momentum: %.1e by weights, %.1e by mass\n", by_weights, by_mass);
    assert_true(by_mass < 1e-8);
    assert_true(by_weights > 100.0 * by_mass);
}

/* ---- a planet ---- */

static int planet(double t, const double *y, const double *yp, double *r, void *user)
{
    double d = hypot(y[0], y[1]), a = 1.0 / (d * d * d) + 0.015 / pow(d, 5.0);
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + a * y[0];
    r[3] = yp[3] + a * y[1];
    return DAEDAL_CALL_OK;
}

static double energy_of(const double *y)
{
    double d = hypot(y[0], y[1]);
    return (y[2] * y[2] + y[3] * y[3]) / 2.0 - 1.0 / d - 0.005 / (d * d * d);
}

static int energy(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = energy_of(y) + 0.578125;
    return DAEDAL_CALL_OK;
}

static int energy_slopes(double t, const double *y, double *values, void *user)
{
    double d = hypot(y[0], y[1]), a = 1.0 / (d * d * d) + 0.015 / pow(d, 5.0);
    (void)t, (void)user;
    values[0] = a * y[0];
    values[1] = a * y[1];
    values[2] = y[2];
    values[3] = y[3];
    return DAEDAL_CALL_OK;
}

typedef struct orbit {
    daedal_status status;
    double energy_off, nearest, farthest; /* at output points */
} orbit;

static orbit follow(const char *const (*option)[2], double t_end)
{
    static const int32_t start[] = {0, 1, 2, 3, 4}, row[] = {0, 0, 0, 0};
    static const daedal_pattern pattern = {.n_rows = 1, .n_cols = 4, .start = start, .row = row};
    daedal_system system = {.n = 4,
                            .residual = planet,
                            .n_constraints = 1,
                            .constraints = energy,
                            .constraint_jacobian = energy_slopes,
                            .constraint_pattern = &pattern};
    const double y[] = {0.4, 0.0, 0.0, 2.0};
    daedal_options options;
    daedal_solver *solver;
    orbit o = {.nearest = HUGE_VAL};
    daedal_options_defaults(&options);
    for (; (*option)[0]; option++)
        assert_int_equal(daedal_options_set(&options, (*option)[0], (*option)[1]), DAEDAL_OK);
    assert_int_equal(daedal_solver_create(&solver, &system, &options, NULL), DAEDAL_OK);
    o.status = daedal_solver_start(solver, 0.0, y, NULL);
    for (int k = 1; k <= 2000 && o.status >= 0; k++) {
        o.status = daedal_solver_advance(solver, t_end * k / 2000);
        const double *at = daedal_solver_state(solver)->y;
        o.energy_off = fmax(o.energy_off, fabs(energy_of(at) + 0.578125));
        o.nearest = fmin(o.nearest, hypot(at[0], at[1]));
        o.farthest = fmax(o.farthest, hypot(at[0], at[1]));
    }
    daedal_solver_free(solver);
    return o;
}

/* [HW96] VII.2: a symplectic method goes on with values that were not projected.  The ring of the
 * orbit is [0.3998, 1.316] then (C179).                                            */
static void test_output_only(void **state)
{
    (void)state;
    static const char *const shown[][2] = {{"method", "rattle"},          {"order_max", "2"},
                                           {"first_step", "0.01"},        {"projection", "output"},
                                           {"projection_tolerance", "0"}, {NULL, NULL}};
    orbit o = follow(shown, 200.0);
    assert_true(o.status >= 0);
    assert_true(o.energy_off < 1e-12);
    assert_true(o.nearest > 0.39 && o.nearest < 0.41 && o.farthest > 1.29 && o.farthest < 1.33);
    static const char *const everywhere[][2] = {{"method", "rattle"}, {NULL, NULL}};
    assert_int_equal(follow(everywhere, 1.0).status, DAEDAL_ERR_ARGUMENT);
}

static void test_roundoff(void **state)
{
    (void)state;
    static const char *const methods[] = {"bdf", "radau", "dopri"};
    for (int k = 0; k < 3; k++) {
        const char *const options[][2] = {
            {"method", methods[k]}, {"projection_tolerance", "0"}, {NULL, NULL}};
        orbit o = follow(options, 50.0);
        assert_true(o.status >= 0);
        assert_true(o.energy_off < 1e-13);
    }
}

/* ---- a rod whose force stands before its positions and velocities ---- */

static int swing(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = y[1] * yp[3] + y[2] * yp[4] + y[3] * y[3] + y[4] * y[4];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] - y[4];
    r[3] = yp[3] + y[0] * y[1];
    r[4] = yp[4] + y[0] * y[2] + 1.0;
    return DAEDAL_CALL_OK;
}

static int circle(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = y[1] * y[1] + y[2] * y[2] - 1.0;
    g[1] = y[1] * y[3] + y[2] * y[4];
    return DAEDAL_CALL_OK;
}

static int circle_slopes(double t, const double *y, double *values, void *user)
{
    (void)t, (void)user;
    const double all[] = {2.0 * y[1], y[3], 2.0 * y[2], y[4], y[1], y[2]};
    memcpy(values, all, sizeof all);
    return DAEDAL_CALL_OK;
}

/* The form of equations of motion is found in whatever order the variables stand. */
static void test_order_of_variables(void **state)
{
    static const int32_t start[] = {0, 0, 2, 4, 5, 6}, row[] = {0, 1, 0, 1, 1, 1};
    static const int32_t of_constraint[] = {-2, -1}, of_variable[] = {0, -2, -2, -1, -1};
    static const daedal_pattern pattern = {2, 5, start, row};
    const double y0[] = {4.0, 1.0, 0.0, 0.0, -2.0};
    (void)state;
    daedal_system sys = {.n = 5,
                         .residual = swing,
                         .n_constraints = 2,
                         .constraints = circle,
                         .constraint_jacobian = circle_slopes,
                         .constraint_pattern = &pattern,
                         .constraint_level = {of_constraint, 2},
                         .variable_level = {of_variable, 5}};
    daedal_options options = defaults_with(1e-6, 1e-6);
    assert_int_equal(daedal_options_set(&options, "projection_metric", "mass"), DAEDAL_OK);
    daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 5.0), DAEDAL_OK);
    const double *y = daedal_solver_state(s)->y;
    expect_near(hypot(y[1], y[2]), 1.0, 1e-9);
    expect_near(0.5 * (y[3] * y[3] + y[4] * y[4]) + y[2], 2.0, 1e-3);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_variables), cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_output_only), cmocka_unit_test(test_roundoff)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
