/* tests/conformance/c190_applications.c - systems that the texts take from applications: the heat
 * equation by the method of lines C190, incompressible flow C193, a circuit C196, a signal that
 * jumps C197.                                                                          */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dictated.h"
#include "harness.h"
#include "modelling.h"
#include "seeded.h"

static const double PI = 3.14159265358979323846;

/* ---- C190
 * ---------------------------------------------------------------------------------------- */

/* [BCP96] section 1.3: y_j' = second difference, the boundary values as equations.  The largest
 * error at t = 0.1 with n intervals.                                                     */
static double heat_error(int n)
{
    char declarations[200];
    double largest = 0.0;
    trial t;
    snprintf(declarations, sizeof declarations,
             "parameter Integer n = %d; parameter Real dx = 1/n;"
             "Real y[n+1](start = {sin(3.14159265358979323846*j*dx) for j in 0:n});",
             n);
    trial_open(&t, declarations,
               "y[1] = 0; y[n+1] = 0;"
               "for j in 2:n loop der(y[j]) = (y[j-1] - 2*y[j] + y[j+1])/dx^2; end for;");
    assert_int_equal(trial_structure(&t).index, 1);
    assert_int_equal(trial_structure(&t).degrees_of_freedom, n - 1);
    trial_run(&t, 0.0, 0.1, "rtol=1e-9 atol=1e-12");
    for (int j = 1; j < n; j++) {
        char name[20];
        snprintf(name, sizeof name, "y[%d]", j + 1);
        double exact = exp(-PI * PI * 0.1) * sin(PI * j / n);
        largest = fmax(largest, fabs(trial_value(&t, name) - exact));
    }
    trial_close(&t);
    return largest;
}

static void c190_heat(void **state)
{
    (void)state;
    double error[] = {heat_error(10), heat_error(20), heat_error(40)};
    expect_order("heat", "dx", order_between(error[0], error[1]), 2.0, 0.05);
    expect_order("heat", "dx", order_between(error[1], error[2]), 2.0, 0.05);
}

/* ---- C193
 * ---------------------------------------------------------------------------------------- */

/* (6.5.3): M U' + K U + C P = f, C^T U = 0, with the linear part of f in P: f_P.  M = I. */
enum { VELOCITIES = 5, PRESSURES = 2, FLOW = VELOCITIES + PRESSURES };

typedef struct flow {
    double k[VELOCITIES][VELOCITIES], c[VELOCITIES][PRESSURES], fp[VELOCITIES][PRESSURES];
    double force[VELOCITIES];
} flow;

static flow random_flow(uint32_t seed, bool pressure_in_force)
{
    seeded s = seeded_begin(seed);
    flow w = {0};
    for (int i = 0; i < VELOCITIES; i++) {
        for (int j = 0; j < VELOCITIES; j++)
            w.k[i][j] = 0.3 * seeded_uniform(&s, -1.0, 1.0) + (i == j ? 1.5 : 0.0);
        for (int j = 0; j < PRESSURES; j++) {
            w.c[i][j] = seeded_uniform(&s, -1.0, 1.0);
            w.fp[i][j] = pressure_in_force ? 0.2 * seeded_uniform(&s, -1.0, 1.0) : 0.0;
        }
        w.force[i] = seeded_uniform(&s, -1.0, 1.0);
    }
    return w;
}

static int flow_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const flow *w = user;
    const double *p = y + VELOCITIES;
    for (int i = 0; i < VELOCITIES; i++) {
        r[i] = yp[i] - w->force[i] * cos(t);
        for (int j = 0; j < VELOCITIES; j++)
            r[i] += w->k[i][j] * y[j];
        for (int j = 0; j < PRESSURES; j++)
            r[i] += (w->c[i][j] - w->fp[i][j]) * p[j];
    }
    for (int j = 0; j < PRESSURES; j++) {
        r[VELOCITIES + j] = 0.0;
        for (int i = 0; i < VELOCITIES; i++)
            r[VELOCITIES + j] += w->c[i][j] * y[i];
    }
    return DAEDAL_CALL_OK;
}

/* (6.5.4): the pressure equation C^T (C - f_P) P = C^T (f - K U) in place of C^T U = 0. */
static int pressure_form(double t, const double *y, const double *yp, double *r, void *user)
{
    const flow *w = user;
    double slope[FLOW] = {0}, rest[FLOW];
    flow_residual(t, y, yp, r, user);
    flow_residual(t, y, slope, rest, user); /* -U' as the momentum equation has it */
    for (int j = 0; j < PRESSURES; j++) {
        r[VELOCITIES + j] = 0.0;
        for (int i = 0; i < VELOCITIES; i++)
            r[VELOCITIES + j] += w->c[i][j] * rest[i];
    }
    return DAEDAL_CALL_OK;
}

/* E y' = A y by columns. */
static daedal_pencil_structure *flow_structure(const flow *w)
{
    double e[FLOW * FLOW] = {0}, a[FLOW * FLOW] = {0};
    daedal_pencil_structure *found;
    for (int i = 0; i < VELOCITIES; i++) {
        e[i * FLOW + i] = 1.0;
        for (int j = 0; j < VELOCITIES; j++)
            a[j * FLOW + i] = -w->k[i][j];
        for (int j = 0; j < PRESSURES; j++) {
            a[(VELOCITIES + j) * FLOW + i] = w->fp[i][j] - w->c[i][j];
            a[i * FLOW + VELOCITIES + j] = -w->c[i][j];
        }
    }
    daedal_pencil pencil = {FLOW, FLOW, e, a};
    assert_int_equal(daedal_pencil_analyze(&pencil, 0.0, &found, NULL), DAEDAL_OK);
    return found;
}

static void c193_index_and_characteristic_values(void **state)
{
    (void)state;
    for (int pressure_in_force = 0; pressure_in_force <= 1; pressure_in_force++) {
        flow w = random_flow(193, pressure_in_force == 1);
        daedal_pencil_structure *s = flow_structure(&w);
        assert_int_equal(s->index, 2);
        assert_int_equal(s->n_finite, VELOCITIES - PRESSURES);
        const int32_t found[] = {s->r, s->a, s->s, s->d, s->u, s->v};
        const int32_t stated[] = {VELOCITIES, 0, PRESSURES, VELOCITIES - PRESSURES, PRESSURES, 0};
        assert_memory_equal(found, stated, sizeof found);
        daedal_pencil_structure_free(s);
    }
}

/* Both pressure forms have the same solution; the divergence is at roundoff in the second, because
 * the constraint is linear with constant coefficients.                              */
static void c193_both_pressure_forms(void **state)
{
    (void)state;
    for (int pressure_in_force = 0; pressure_in_force <= 1; pressure_in_force++) {
        flow w = random_flow(193, pressure_in_force == 1);
        daedal_system direct = {.n = FLOW, .residual = flow_residual, .user = &w};
        daedal_system reduced = {.n = FLOW, .residual = pressure_form, .user = &w};
        const double rest[FLOW] = {0};
        double y[2][FLOW], divergence[FLOW], slope[FLOW] = {0};
        solve_to(&direct, "rtol=1e-9 atol=1e-11", 0.0, rest, 2.0, y[0]);
        solve_to(&reduced, "rtol=1e-9 atol=1e-11", 0.0, rest, 2.0, y[1]);
        assert_true(largest_error(y[0], VELOCITIES) > 0.05);
        for (int v = 0; v < FLOW; v++)
            expect_near(y[0][v], y[1][v], 1e-7);
        flow_residual(2.0, y[1], slope, divergence, &w);
        expect_near(largest_error(divergence + VELOCITIES, PRESSURES), 0.0, 1e-10);
    }
}

/* ---- C196
 * ---------------------------------------------------------------------------------------- */

/* Source, resistor, capacitor: x1 = U, x3 = 0, C (x3' - x2') + (x1 - x2)/R = 0. */
static void c196_rc_circuit(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "parameter Real R = 200, C = 1e-3, U = 12; Real x1, x2(start = 0), x3;",
               "x1 - x3 = U; x3 = 0; C*(der(x3) - der(x2)) + (x1 - x2)/R = 0;");
    trial_run(&t, 0.0, 0.5, "rtol=1e-8");
    trial_expect(&t, "x1", 12.0, 1e-12);
    trial_expect(&t, "x3", 0.0, 1e-12);
    trial_expect(&t, "x2", 12.0 * (1.0 - exp(-0.5 / 0.2)), 1e-6);
    trial_close(&t);
}

/* ---- C197
 * ---------------------------------------------------------------------------------------- */

/* x1' = x2, x2 = g, g = 0 before t = 1 and 1 after it. */
static int jumping(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = y[1] - (t < 1.0 ? 0.0 : 1.0);
    return DAEDAL_CALL_OK;
}

static void jump_exact(double t, double *y, void *user)
{
    (void)user;
    y[0] = fmax(0.0, t - 1.0);
    y[1] = t < 1.0 ? 0.0 : 1.0;
}

/* Implicit Euler across the jump takes the whole step with the new value: x1 is off by what of the
 * step lies before the jump, and x2 is right at once.                               */
static void c197_one_step_across_the_jump(void **state)
{
    (void)state;
    trial_problem p = {.sys = {.n = 2, .residual = jumping}, .t_end = 2.0, .exact = jump_exact};
    mesh g = mesh_open(2, 0.0, 2.0, 7, 1.0);
    mesh_begin(&g, &p, 1);
    dictated_fill(&(dictated){"bdf", 1, 0.0}, &p, &g, 1);
    double h = 2.0 / 7, before = 1.0 - 3.0 * h;
    for (int32_t i = 1; i <= 7; i++) {
        double right[2];
        jump_exact(g.times[i], right, NULL);
        expect_near(mesh_at(&g, i)[0], i < 4 ? 0.0 : right[0] + before, 1e-9);
        expect_near(mesh_at(&g, i)[1], right[1], 1e-12);
    }
    mesh_close(&g);
}

static const char *const METHODS[] = {"auto", "bdf", "radau", "rodas", "limex"};

/* A function that jumps without an event is passed with x1 right, or the jump is named with its
 * time.                                                                            */
static void c197_functions_across_the_jump(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(METHODS); i++) {
        const double y0[] = {0.0, 0.0};
        char options[80];
        daedal_system sys = {.n = 2, .residual = jumping};
        snprintf(options, sizeof options, "method=%s rtol=1e-6 atol=1e-8", METHODS[i]);
        daedal_solver *s = start_solver(&sys, options, 0.0, y0, NULL);
        if (daedal_solver_advance(s, 2.0) >= 0) {
            expect_near(daedal_solver_state(s)->y[0], 1.0, 1e-4);
            expect_near(daedal_solver_state(s)->y[1], 1.0, 1e-9);
        } else {
            assert_int_equal(daedal_solver_diagnosis(s)->cause, DAEDAL_CAUSE_DISCONTINUITY);
            expect_near(daedal_solver_diagnosis(s)->t, 1.0, 1e-6);
        }
        daedal_solver_free(s);
    }
}

static void c197_models_across_the_jump(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(METHODS); i++) {
        char options[80];
        trial t;
        snprintf(options, sizeof options, "method=%s rtol=1e-6 atol=1e-8", METHODS[i]);
        trial_open(&t, "Real x1(start = 0), x2;", "der(x1) = x2; x2 = if time < 1 then 0 else 1;");
        trial_run(&t, 0.0, 2.0, options);
        trial_expect(&t, "x1", 1.0, 1e-9);
        trial_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c190_heat),
        cmocka_unit_test(c193_index_and_characteristic_values),
        cmocka_unit_test(c193_both_pressure_forms),
        cmocka_unit_test(c196_rc_circuit),
        cmocka_unit_test(c197_one_step_across_the_jump),
        cmocka_unit_test(c197_functions_across_the_jump),
        cmocka_unit_test(c197_models_across_the_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
