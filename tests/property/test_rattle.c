/* tests/property/test_rattle.c - RATTLE and its compositions (C185): order conditions and measured
 * orders, with and without constraints and with a mass matrix that varies; energy over long times,
 * constraints to roundoff, reversibility, momentum; what is refused, in words.     */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "integ/rattle.h"

/* ---- problems ---- */

/* A mass on a rod of length 1, gravity 1. */
static int fall(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = 0.0;
    f[1] = -1.0;
    return 0;
}

static int rod(const double *q, double *g, void *user)
{
    (void)user;
    g[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
    return 0;
}

static int rod_slopes(const double *q, double *values, void *user)
{
    (void)user;
    values[0] = 2.0 * q[0];
    values[1] = 2.0 * q[1];
    return 0;
}

static const daedal_motion PENDULUM = {.n = 2,
                                       .force = fall,
                                       .n_constraints = 1,
                                       .constraint = rod,
                                       .constraint_jacobian = rod_slopes};

/* Two rods by their angles: M(q) q'' = f(q, q'), lengths and masses 1, gravity 1. */
static int two_rods_mass(const double *q, double *values, void *user)
{
    (void)user;
    values[0] = 2.0;
    values[1] = values[2] = cos(q[0] - q[1]);
    values[3] = 1.0;
    return 0;
}

static int two_rods_force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)user;
    double s = sin(q[0] - q[1]);
    f[0] = -v[1] * v[1] * s - 2.0 * sin(q[0]);
    f[1] = v[0] * v[0] * s - sin(q[1]);
    return 0;
}

static const daedal_motion TWO_RODS = {.n = 2, .mass = two_rods_mass, .force = two_rods_force};

/* The problem of Kepler, with friction if user points to its coefficient. */
static int attraction(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t;
    double friction = user ? *(const double *)user : 0.0, r = hypot(q[0], q[1]);
    for (int i = 0; i < 2; i++)
        f[i] = -q[i] / (r * r * r) - friction * v[i];
    return 0;
}

static const daedal_motion KEPLER = {.n = 2, .force = attraction};

static double energy_of_pendulum(const double *y)
{
    return 0.5 * (y[2] * y[2] + y[3] * y[3]) + y[1];
}

static double energy_of_two_rods(const double *y)
{
    return y[2] * y[2] + 0.5 * y[3] * y[3] + y[2] * y[3] * cos(y[0] - y[1]) - 2.0 * cos(y[0]) -
           cos(y[1]);
}

static double energy_of_kepler(const double *y)
{
    return 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1.0 / hypot(y[0], y[1]);
}

typedef struct moving {
    const char *name;
    const daedal_motion *motion;
    double (*energy)(const double *y);
    double y[5];
    double h; /* of a fine step of order 6 */
} moving;

static const moving PROBLEMS[] = {
    {"pendulum", &PENDULUM, energy_of_pendulum, {1.0, 0.0, 0.0, 0.0, 0.0}, 0.1},
    {"two rods", &TWO_RODS, energy_of_two_rods, {0.6, -0.3, 0.1, 0.5}, 0.1},
    {"kepler", &KEPLER, energy_of_kepler, {0.4, 0.0, 0.0, 2.0}, 0.02},
};

static daedal_motion_system *motion_of(const daedal_motion *description)
{
    daedal_motion_system *system = NULL;
    daedal_diagnosis why;
    assert_int_equal(daedal_motion_create(&system, description, NULL, &why), DAEDAL_OK);
    return system;
}

static void run_to(const moving *p, int order, double h, double t_end, double *y)
{
    char options[120];
    daedal_motion_system *system = motion_of(p->motion);
    snprintf(options, sizeof options, "method=rattle order_max=%d first_step=%.17g rtol=1e-10",
             order, h);
    solve_to(daedal_motion_describe(system), options, 0.0, p->y, t_end, y);
    daedal_motion_free(system);
}

static double distance(const double *y, const double *z)
{
    double sum = 0.0;
    for (int i = 0; i < 4; i++)
        sum += (y[i] - z[i]) * (y[i] - z[i]);
    return sqrt(sum);
}

/* ---- tests ---- */

/* [HLW06] II.4, V.3.1: the sums of gamma, gamma^3 and gamma^5 are 1, 0 and 0 up to the order, and
 * gamma is symmetric.                                                             */
static void test_order_conditions(void **state)
{
    (void)state;
    for (int order = 2; order <= 6; order += 2) {
        const rattle_composition *c = rattle_composition_for(order);
        double sum[3] = {0.0, 0.0, 0.0};
        assert_int_equal(c->order, order);
        for (int i = 0; i < c->stages; i++) {
            assert_true(c->gamma[i] == c->gamma[c->stages - 1 - i]);
            for (int k = 0; k < 3; k++)
                sum[k] += pow(c->gamma[i], 2 * k + 1);
        }
        assert_true(fabs(sum[0] - 1.0) < 1e-15);
        assert_true(order < 4 || fabs(sum[1]) < 1e-15);
        assert_true(order < 6 || fabs(sum[2]) < 1e-15);
    }
    assert_int_equal(rattle_composition_for(1)->order, 2);
    assert_int_equal(rattle_composition_for(13)->order, 6);
}

static void test_measured_orders(void **state)
{
    (void)state;
    const double t_end = 2.0, share[] = {0.25, 0.5, 1.0}; /* of h, for orders 2, 4, 6 */
    for (size_t p = 0; p < COUNT(PROBLEMS); p++) {
        double exact[5], y[5], error[2];
        run_to(&PROBLEMS[p], 6, PROBLEMS[p].h / 5.0, t_end, exact);
        for (int order = 2; order <= 6; order += 2) {
            double h = PROBLEMS[p].h * share[order / 2 - 1];
            for (int k = 0; k < 2; k++, h *= 0.5) {
                run_to(&PROBLEMS[p], order, h, t_end, y);
                error[k] = distance(y, exact);
            }
            double measured = log2(error[0] / error[1]);
            if (fabs(measured - order) > 0.35)
                fail_msg("%s: order %d measured as %.2f (errors %.2e, %.2e)", PROBLEMS[p].name,
                         order, measured, error[0], error[1]);
        }
    }
}

/* The energy of many steps stays in a band that becomes a quarter with half the step, and the
 * second half of the run is no worse than the first.                                    */
static void test_energy_stays(void **state)
{
    (void)state;
    enum { STEPS = 20000 };
    for (size_t p = 0; p < COUNT(PROBLEMS); p++) {
        const moving *m = &PROBLEMS[p];
        daedal_motion_system *system = motion_of(m->motion);
        double off[2] = {0.0, 0.0}, start = m->energy(m->y), rod_off = 0.0;
        char options[120];
        for (int k = 0; k < 2; k++) {
            double h = m->h / (k == 0 ? 5.0 : 10.0), early = 0.0;
            snprintf(options, sizeof options, "method=rattle order_max=2 first_step=%.17g", h);
            daedal_solver *s =
                start_solver(daedal_motion_describe(system), options, 0.0, m->y, NULL);
            for (int i = 0; i < STEPS; i++) {
                assert_int_equal(daedal_solver_step(s, 1e9), DAEDAL_OK);
                const double *y = daedal_solver_state(s)->y;
                off[k] = fmax(off[k], fabs(m->energy(y) - start));
                if (m->motion == &PENDULUM)
                    rod_off = fmax(rod_off, fabs(hypot(y[0], y[1]) - 1.0));
                early = i == STEPS / 2 ? off[k] : early;
            }
            assert_true(off[k] <= 1.02 * early);
            daedal_solver_free(s);
        }
        assert_true(off[0] / off[1] > 3.5 && off[0] / off[1] < 4.5);
        assert_true(rod_off < 1e-14);
        daedal_motion_free(system);
    }
}

/* There and back again: symmetric steps undo themselves but for roundoff. */
static void test_reversible(void **state)
{
    (void)state;
    for (size_t p = 0; p < COUNT(PROBLEMS); p++)
        for (int order = 2; order <= 6; order += 2) {
            daedal_motion_system *system = motion_of(PROBLEMS[p].motion);
            char options[120];
            snprintf(options, sizeof options,
                     "method=rattle order_max=%d first_step=%.17g rtol=1e-10", order,
                     PROBLEMS[p].h);
            daedal_solver *s =
                start_solver(daedal_motion_describe(system), options, 0.0, PROBLEMS[p].y, NULL);
            double t, y[5] = {0.0};
            for (int i = 0; i < 60; i++)
                assert_int_equal(daedal_solver_step(s, 1e9), DAEDAL_OK);
            t = daedal_solver_state(s)->t;
            memcpy(y, daedal_solver_state(s)->y, 4 * sizeof(double));
            expect_status(s, daedal_solver_start(s, t, y, NULL), DAEDAL_OK);
            expect_status(s, daedal_solver_advance(s, 0.0), DAEDAL_OK);
            assert_true(distance(daedal_solver_state(s)->y, PROBLEMS[p].y) < 1e-10);
            daedal_solver_free(s);
            daedal_motion_free(system);
        }
}

/* Between steps the values are as accurate as at their ends; angular momentum is exact. */
static void test_between_steps_and_momentum(void **state)
{
    (void)state;
    const moving *m = &PROBLEMS[2];
    daedal_motion_system *system = motion_of(m->motion);
    daedal_solver *s = start_solver(daedal_motion_describe(system), "method=rattle first_step=0.05",
                                    0.0, m->y, NULL);
    double exact[5];
    for (double t = 0.013; t < 3.0; t += 0.31) {
        expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
        const double *y = daedal_solver_state(s)->y;
        run_to(m, 6, 0.004, t, exact);
        assert_true(distance(y, exact) < 2e-5);
        assert_true(fabs(y[0] * y[3] - y[1] * y[2] - 0.8) < 1e-13);
    }
    daedal_solver_free(s);
    daedal_motion_free(system);
}

/* Of order 2 the cubic between the ends of a step is as accurate as the step, which is not taken
 * again for an output: an output costs less than a step. */
static void test_outputs_of_order_two(void **state)
{
    (void)state;
    const double share = 0.6; /* 0.4 of the evaluations of a step; 1 if it were taken again */
    const moving *m = &PROBLEMS[2];
    daedal_motion_system *system = motion_of(m->motion);
    int outputs = 0;
    daedal_stats stats[2];
    for (int k = 0; k < 2; k++) {
        daedal_solver *s =
            start_solver(daedal_motion_describe(system),
                         "method=rattle order_max=2 first_step=0.05", 0.0, m->y, NULL);
        for (double t = 0.013; k == 1 && t < 3.0; t += 0.031, outputs++)
            expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
        expect_status(s, daedal_solver_advance(s, 3.02), DAEDAL_OK);
        stats[k] = *daedal_solver_stats(s);
        daedal_solver_free(s);
    }
    double of_outputs = (double)(stats[1].residuals - stats[0].residuals);
    double of_a_step = (double)stats[0].residuals / (double)stats[0].steps;
    assert_int_equal(stats[1].steps, stats[0].steps);
    assert_true(of_outputs < share * of_a_step * outputs);
    daedal_motion_free(system);
}

static int passes_zero(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return 0;
}

/* A step in which an event happens ends there, and what lies between its ends is that of a step of
 * the new size. */
static void test_events(void **state)
{
    (void)state;
    const double near = 2e-5;
    daedal_motion_system *system = motion_of(&PENDULUM);
    daedal_system with_event = *daedal_motion_describe(system);
    with_event.events = passes_zero;
    with_event.n_events = 1;
    daedal_solver *s =
        start_solver(&with_event, "method=rattle first_step=0.05", 0.0, PROBLEMS[0].y, NULL);
    for (int event = 0; event < 3; event++) {
        double exact[5], y[5];
        expect_status(s, daedal_solver_advance(s, 20.0), DAEDAL_EVENT);
        double t = daedal_solver_state(s)->t, back = 0.4 * fmin(t - 0.05 * floor(t / 0.05), 0.01);
        expect_near(daedal_solver_state(s)->y[0], 0.0, near);
        run_to(&PROBLEMS[0], 6, 0.01, t, exact);
        assert_true(distance(daedal_solver_state(s)->y, exact) < near);
        expect_status(s, daedal_solver_interpolate(s, t - back, y, NULL), DAEDAL_OK);
        run_to(&PROBLEMS[0], 6, 0.01, t - back, exact);
        assert_true(distance(y, exact) < near);
    }
    daedal_solver_free(s);
    daedal_motion_free(system);
}

/* The size of steps that is chosen from the tolerance. */
static void test_tolerance(void **state)
{
    (void)state;
    for (size_t p = 0; p < COUNT(PROBLEMS); p++) {
        double exact[5], y[5];
        daedal_motion_system *system = motion_of(PROBLEMS[p].motion);
        run_to(&PROBLEMS[p], 6, PROBLEMS[p].h / 5.0, 3.0, exact);
        solve_to(daedal_motion_describe(system), "method=rattle rtol=1e-5", 0.0, PROBLEMS[p].y, 3.0,
                 y);
        assert_true(distance(y, exact) < 1e-3);
        solve_to(daedal_motion_describe(system), "method=rattle rtol=1e-8", 0.0, PROBLEMS[p].y, 3.0,
                 y);
        assert_true(distance(y, exact) < 1e-6);
        daedal_motion_free(system);
    }
}

/* Other methods take the same system. */
static void test_other_methods(void **state)
{
    (void)state;
    double exact[5], y[5];
    daedal_motion_system *system = motion_of(&PENDULUM);
    const char *methods[] = {"method=auto rtol=1e-8", "method=bdf rtol=1e-8",
                             "method=radau rtol=1e-8"};
    run_to(&PROBLEMS[0], 6, 0.01, 2.0, exact);
    for (size_t k = 0; k < COUNT(methods); k++) {
        solve_to(daedal_motion_describe(system), methods[k], 0.0, PROBLEMS[0].y, 2.0, y);
        assert_true(distance(y, exact) < 1e-5);
        assert_true(fabs(y[4] - exact[4]) < 1e-5);
    }
    daedal_motion_free(system);
}

/* ---- what is refused ---- */

static int third_order(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = yp[2] + y[0];
    return 0;
}

static int first_order(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0] - y[2];
    r[2] = yp[2] + y[2];
    return 0;
}

static int knife_edge(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < 2; i++)
        r[i] = yp[i] - y[2 + i];
    r[2] = yp[2] + y[4];
    r[3] = yp[3] - 2.0 * y[4] + y[1];
    r[4] = yp[2] - 2.0 * yp[3];
    return 0;
}

static int edge(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = y[2] - 2.0 * y[3];
    return 0;
}

static int edge_slopes(double t, const double *y, double *values, void *user)
{
    (void)t, (void)y, (void)user;
    values[0] = 1.0;
    values[1] = -2.0;
    return 0;
}

/* The words name the variable, or none (-1). */
static void expect_refusal(const daedal_system *sys, const double *y, const char *words,
                           int32_t variable)
{
    daedal_solver *s = start_solver(sys, "method=rattle", 0.0, y, NULL);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_ERR_ARGUMENT);
    expect_text_at(daedal_solver_diagnosis(s)->message, words, __FILE__, __LINE__);
    assert_int_equal(daedal_solver_diagnosis(s)->variable, variable);
    daedal_solver_free(s);
}

static void test_refusals(void **state)
{
    (void)state;
    const double y[5] = {0.4, 0.1, 0.2, 0.1, 0.0};
    double friction = 0.01;
    int32_t start[] = {0, 0, 0, 1, 2, 2}, row[] = {0, 0};
    daedal_pattern entries = {1, 5, start, row};
    daedal_system third = {.n = 3, .residual = third_order};
    daedal_system first = {.n = 3, .residual = first_order};
    daedal_system knife = {.n = 5,
                           .residual = knife_edge,
                           .n_constraints = 1,
                           .constraints = edge,
                           .constraint_jacobian = edge_slopes,
                           .constraint_pattern = &entries};
    expect_refusal(&third, y, "its own derivative is a variable, too", 1);
    expect_refusal(&first, y, "y[2] is differentiated, but it is neither", 2);
    expect_refusal(&knife, y, "restricts velocities alone", -1);
    daedal_motion damped = KEPLER;
    damped.user = &friction;
    daedal_motion_system *system = motion_of(&damped);
    expect_refusal(daedal_motion_describe(system), y, "as by friction", 3);
    daedal_motion_free(system);
}

/* Constraints in the equations of each step hide the form. */
static void test_other_ways_to_keep_constraints(void **state)
{
    (void)state;
    const char *const ways[] = {"method=rattle constraint_method=ggl",
                                "method=rattle constraint_method=dummy"};
    daedal_motion_system *system = motion_of(&PENDULUM);
    for (size_t k = 0; k < COUNT(ways); k++) {
        daedal_options opt = options_of(ways[k]);
        daedal_solver *s = solver_of(daedal_motion_describe(system), &opt);
        daedal_status status = daedal_solver_start(s, 0.0, PROBLEMS[0].y, NULL);
        expect_status(s, status, DAEDAL_ERR_ARGUMENT);
        expect_text_at(daedal_solver_diagnosis(s)->hint, "project", __FILE__, __LINE__);
        daedal_solver_free(s);
    }
    daedal_motion_free(system);
}

static void test_bad_descriptions(void **state)
{
    (void)state;
    daedal_motion_system *system = NULL;
    daedal_diagnosis why;
    daedal_motion none = {0}, two = PENDULUM, without = PENDULUM;
    assert_int_equal(daedal_motion_create(&system, &none, NULL, &why), DAEDAL_ERR_ARGUMENT);
    expect_text_at(why.message, "0 positions", __FILE__, __LINE__);
    two.n_constraints = 3;
    assert_int_equal(daedal_motion_create(&system, &two, NULL, &why), DAEDAL_ERR_ARGUMENT);
    without.constraint_jacobian = NULL;
    assert_int_equal(daedal_motion_create(&system, &without, NULL, &why), DAEDAL_ERR_ARGUMENT);
    expect_text_at(why.message, "constraint_jacobian is NULL", __FILE__, __LINE__);
    assert_null(system);
    daedal_motion_free(NULL);
    assert_null(daedal_motion_describe(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_conditions),
        cmocka_unit_test(test_measured_orders),
        cmocka_unit_test(test_energy_stays),
        cmocka_unit_test(test_reversible),
        cmocka_unit_test(test_between_steps_and_momentum),
        cmocka_unit_test(test_outputs_of_order_two),

        cmocka_unit_test(test_events),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_other_methods),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_other_ways_to_keep_constraints),
        cmocka_unit_test(test_bad_descriptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
