/* tests/conformance/c005_solutions.c - closed solutions of systems of higher index: C005, C006,
 * C007, C010, C021, C028 .. C031, C033, C034, C040, C041.
 *
 * The model computes e, its distance from the exact solution.  It must stay small at all
 * output points; where no start value is free, the start is exact at any time. */
#include <math.h>
#include <string.h>

#include "modelling.h"

typedef struct row {
    const char *name, *declarations, *equations;
    double to, tolerance; /* 0: no free value, exact */
    const char *options;
} row;

#define LUBICH(w)                                                                                  \
    "Real y1(start = 0, fixed = true), y2, y3, e = y1 - 1e-4*" #w "*time;",                        \
        "der(y1) - y3*der(y2) + y2*der(y3) = 0; y2 = 1e-2*sin(" #w "*time);"                       \
        "y3 = 1e-2*cos(" #w "*time);"

static const row ROWS[] = {
    {"c005_n_y_plus_y",
     "Real y1, y2, y3, e = abs(y1 - sin(time)) + abs(y2 - cos(2*time) + cos(time))"
     "+ abs(y3 - exp(-time) - 2*sin(2*time) + sin(time));",
     "y1 = sin(time); der(y1) + y2 = cos(2*time); der(y2) + y3 = exp(-time);", 4, 0.0, ""},
    {"c005_n_x_is_x",
     "Real x1, x2, x3, e = abs(x3 + sin(time)) + abs(x2 + cos(2*time) + cos(time))"
     "+ abs(x1 + exp(-time) - 2*sin(2*time) - sin(time));",
     "der(x2) = x1 + exp(-time); der(x3) = x2 + cos(2*time); 0 = x3 + sin(time);", 4, 0.0, ""},
    {"c006_chain",
     "Real x1, x2, x3, e = abs(x2 - exp(-time)) + abs(x1 - cos(2*time) - exp(-time))"
     "+ abs(x3 - sin(time) - 2*sin(2*time) - exp(-time));",
     "der(x1) + x3 = sin(time); der(x2) + x1 = cos(2*time); x2 = exp(-time);", 4, 0.0, ""},
    {"c007_eta_minus_one", "Real x, y, e = abs(y - exp(-time)) + abs(x - (1 + time)*exp(-time));",
     "x - time*y = exp(-time); der(x) - time*der(y) = 0;", 2, 1e-6, "rtol=1e-8 atol=1e-10"},
    {"c010_singular_pencil",
     "Real x, y, e = abs(x - 2*time*sin(time) - cos(time)) + abs(y + 2*sin(time));",
     "der(x) + time*der(y) = sin(time); x + time*y = cos(time);", 2, 1e-6, "rtol=1e-8 atol=1e-10"},
    {"c028_lubich_10", LUBICH(10), 1, 1e-7, "rtol=1e-8 atol=1e-10"},
    {"c028_lubich_100", LUBICH(100), 1, 1e-6, "rtol=1e-8 atol=1e-10"},
    {"c028_lubich_1000", LUBICH(1000), 1, 1e-5, "rtol=1e-8 atol=1e-10"},
    /* eps^2 w/2 and eps^3 w^2: products of two and three perturbations */
    {"c029_campbell_gear_2", "Real y1, y2, e = y1 + 5e-4*sin(20*time);",
     "y2*der(y2) + y1 = 0; y2 = 1e-2*sin(10*time);", 1, 0.0, ""},
    {"c029_campbell_gear_3", "Real y1, y2, y3, e = y1 - 1e-4*sin(10*time)*cos(20*time);",
     "y3*der(y2) + y1 = 0; y3*der(y3) + y2 = 0; y3 = 1e-2*sin(10*time);", 1, 0.0, ""},
    {"c033_chain_integrated",
     "Real z1(start = 0, fixed = true), x2, x3, e = abs(x3 + exp(-time))"
     "+ abs(x2 - exp(-time) + cos(time)) + abs(z1 - exp(-time) + 1);",
     "der(x2) - der(z1) = sin(time); der(x3) = x2 + cos(time); 0 = x3 + exp(-time);", 3, 1e-6,
     "rtol=1e-8 atol=1e-10"},
    {"c040_source_beside_capacitor", "Real vC, iC, iE, e = iE + 3*cos(time);",
     "3*der(vC) = iC; vC = sin(time); iE + iC = 0;", 3, 0.0, ""},
    {"c040_source_before_inductor", "Real iL, vL, e = vL - 3*cos(time);",
     "3*der(iL) = vL; iL = sin(time);", 3, 0.0, ""},
    {"c041_one_differentiator", "Real v0, v1, e = v1 + 0.5*cos(time);",
     "v0 = sin(time); v1 = -0.5*der(v0);", 5, 0.0, ""},
    {"c041_three_differentiators", "Real v0, v1, v2, v3, e = v3 - 3*cos(time);",
     "v0 = sin(time); v1 = -0.5*der(v0); v2 = -2*der(v1); v3 = -3*der(v2);", 5, 1e-6, ""},
};

static void note_error(trial *t, double time, void *user)
{
    double *most = user;
    (void)time;
    *most = fmax(*most, fabs(trial_value(t, "e")));
}

static void stays_near_the_solution(void **state)
{
    const row *r = *state;
    double most = 0.0;
    trial t;
    trial_open(&t, r->declarations, r->equations);
    t.each = note_error;
    t.user = &most;
    const char *options = *r->options ? r->options : "rtol=1e-9 atol=1e-12";
    assert_int_equal(trial_try(&t, 0.0, r->to, 40, options), DAEDAL_OK);
    assert_int_equal(t.n_rows, 41);
    expect_near(most, 0.0, r->tolerance > 0.0 ? r->tolerance : 1e-8);
    for (int k = 1; k <= 5 && r->tolerance == 0.0; k++) {
        trial_start(&t, 0.2 * k * r->to);
        trial_expect(&t, "e", 0.0, 1e-12);
    }
    trial_close(&t);
}

/* ---- tables of values ---- */

static void c021_reactor(void **state)
{
    (void)state;
    trial t;
    trial_open_file(&t, "reactor_prescribed");
    trial_start(&t, 0.0);
    trial_expect(&t, "C", 0.5, 1e-12);
    trial_expect(&t, "T", 1.187776052966148, 1e-11);
    trial_expect(&t, "R", 0.4, 1e-11);
    trial_expect(&t, "Tc", -1.4599154267015086, 1e-10);
    trial_run(&t, 0.0, 1.0, "rtol=1e-9 atol=1e-11");
    trial_expect(&t, "T", 1.0785222849921248, 1e-8);
    trial_expect(&t, "R", 0.3618226709323963, 1e-8);
    trial_expect(&t, "Tc", -1.2189029137130725, 1e-8);
    trial_close(&t);
}

#define WHEEL                                                                                      \
    "Real y1(start = 1, fixed = true), y2(start = 0), z(start = 0);",                              \
        "der(y1) = 0.7*y2 + sin(2.5*z); der(y2) = 1.4*y1 + cos(2.5*z); y1^2 + y2^2 = 1;"

static void c030_steering_wheel(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, WHEEL);
    trial_run(&t, 0.0, 0.25, "rtol=1e-9 atol=1e-11");
    trial_expect(&t, "y1", 0.87723223, 2e-8);
    trial_expect(&t, "y2", 0.48006625, 2e-8);
    trial_expect(&t, "z", -0.63435098, 2e-8);
    trial_close(&t);
}

/* Where g_y f_z vanishes the solution ends; the run must stop there and say so. */
static void c030_impasse(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, WHEEL);
    assert_true(trial_try(&t, 0.0, 1.0, 100, "rtol=1e-8 atol=1e-10") < 0);
    expect_near(t.outcome.t, 0.3724897, 1e-5);
    expect_near(t.outcome.diagnosis.t, 0.3724897, 1e-5);
    assert_in_range(t.outcome.stats.steps, 10, 2000);
    trial_close(&t);
}

/* A constraint moved by 1e-3 sin(w t) moves z by O(1e-3 w) and y by O(1e-3). */
static void wheel_disturbed(double size, double w, double *y, double *z)
{
    written equations = {0};
    write_text(&equations,
               "der(y1) = 0.7*y2 + sin(2.5*z); der(y2) = 1.4*y1 + cos(2.5*z);"
               "y1^2 + y2^2 = 1 + %g*sin(%g*time);",
               size, w);
    trial t;
    trial_open(&t, "Real y1(start = 1, fixed = true), y2(start = 0), z(start = 0);",
               equations.text);
    trial_run(&t, 0.0, 6.28318530717958648 / w, "rtol=1e-9 atol=1e-11");
    *y = trial_value(&t, "y1");
    *z = trial_value(&t, "z");
    trial_close(&t);
    written_free(&equations);
}

static void c031_perturbation_index(void **state)
{
    (void)state;
    const double ws[] = {100.0, 1000.0};
    double dz[2];
    for (int k = 0; k < 2; k++) {
        double y, z, y0, z0;
        wheel_disturbed(0.0, ws[k], &y0, &z0);
        wheel_disturbed(1e-4, ws[k], &y, &z);
        dz[k] = fabs(z - z0);
        expect_near(y, y0, 1e-3);
    }
    expect_near(log10(dz[1] / dz[0]), 1.0, 0.15);
}

/* ---- the manifold of consistent values ---- */

static void c034_unique_point(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "Real x1(start = 7), x2(start = -5), x3(start = 9);",
               "der(x1) + x3 = sin(time); der(x2) + x1 = cos(2*time); x2 = exp(-time);");
    trial_start(&t, 0.5);
    trial_expect(&t, "x1", cos(1.0) + exp(-0.5), 1e-12);
    trial_expect(&t, "x2", exp(-0.5), 1e-12);
    trial_expect(&t, "x3", sin(0.5) + 2.0 * sin(1.0) + exp(-0.5), 1e-12);
    trial_close(&t);
}

static void c034_one_free_value(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "Real x(start = 5, fixed = true), y(start = 5);",
               "der(x) - time*der(y) + x - (1 + time)*y = 0; y = sin(time);");
    trial_start(&t, 0.7);
    trial_expect(&t, "x", 5.0, 0.0);
    trial_expect(&t, "y", sin(0.7), 1e-12);
    trial_close(&t);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(ROWS) + 6] = {
        cmocka_unit_test(c021_reactor),      cmocka_unit_test(c030_steering_wheel),
        cmocka_unit_test(c030_impasse),      cmocka_unit_test(c031_perturbation_index),
        cmocka_unit_test(c034_unique_point), cmocka_unit_test(c034_one_free_value),
    };
    for (size_t k = 0; k < COUNT(ROWS); k++)
        tests[6 + k] = (struct CMUnitTest){.name = ROWS[k].name,
                                           .test_func = stays_near_the_solution,
                                           .initial_state = (void *)&ROWS[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
