/* tests/conformance/c164_levels.c - starts on all constraint levels, and what is kept along
 * the way: C139, C164, C166, C167, C171, C175, C176, C180, C200.                 */
#include <math.h>

#include "modelling.h"

/* ---- starts ---- */

/* (5.3.5): Y1' alone is given; Y2' follows from the derivative of the constraint. */
static void c164_slope_given(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "Real Y1, Y2; initial equation der(Y1) = 0.7;",
               "der(Y1) + der(Y2) + Y1 = sin(time) + 2; Y2 = cos(3*time) + time;");
    trial_start(&t, 0.0);
    trial_expect(&t, "Y1", 2.0 - 0.7 - 1.0, 1e-12);
    trial_expect(&t, "Y2", 1.0, 1e-12);
    trial_close(&t);
}

typedef struct pendulum_start {
    const char *name, *declarations;
    double x, y, u, v; /* NAN: only the constraints say */
} pendulum_start;

static const pendulum_start STARTS[] = {
    {"c166_x_and_u",
     "Real x(start = 0.6, fixed = true), y(start = -1), u(start = 2, fixed = true), v;", 0.6, -0.8,
     2.0, 1.5},
    {"c166_y_and_v",
     "Real x(start = -1), y(start = 0.8, fixed = true), u, v(start = 3, fixed = true);", -0.6, 0.8,
     4.0, 3.0},
    {"c166_x_and_v",
     "Real x(start = 0.8, fixed = true), y(start = 1), u, v(start = 4, fixed = true);", 0.8, 0.6,
     -3.0, 4.0},
    {"c166_nothing_fits", "Real x(start = 1.2), y(start = 0.5), u(start = 1), v(start = 1);", NAN,
     NAN, NAN, NAN},
};

static void expect_unless_open(const trial *t, const char *name, double wanted)
{
    if (!isnan(wanted))
        trial_expect(t, name, wanted, 1e-12);
}

static void c166_pendulum(void **state)
{
    const pendulum_start *p = *state;
    trial t;
    written declarations = {0};
    write_text(&declarations,
               "%s Real F; Real place = x^2 + y^2 - 1, speed = x*u + y*v,"
               "force = u^2 + v^2 - F*(x^2 + y^2) - 9.81*y;",
               p->declarations);
    trial_open(&t, declarations.text,
               "der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - 9.81; x^2 + y^2 = 1;");
    trial_start(&t, 0.0);
    expect_unless_open(&t, "x", p->x);
    expect_unless_open(&t, "y", p->y);
    expect_unless_open(&t, "u", p->u);
    expect_unless_open(&t, "v", p->v);
    trial_expect(&t, "place", 0.0, 1e-12);
    trial_expect(&t, "speed", 0.0, 1e-12);
    trial_expect(&t, "force", 0.0, 1e-11);
    if (isnan(p->x)) { /* the nearest point of the circle is 0.3 away */
        expect_near(hypot(trial_value(&t, "x") - 1.2, trial_value(&t, "y") - 0.5), 0.3, 0.03);
        expect_near(hypot(trial_value(&t, "u") - 1.0, trial_value(&t, "v") - 1.0), 17.0 / 13.0,
                    0.13);
    }
    trial_close(&t);
    written_free(&declarations);
}

/* Controls that the hidden constraints determine. */
static void c139_shuttle_index_2(void **state)
{
    (void)state;
    trial t;
    trial_open_file(&t, "shuttle_index2");
    trial_start(&t, 0.0);
    trial_expect(&t, "alpha", 2.67287004806, 1e-9);
    trial_expect(&t, "beta", -0.0522095858394, 1e-9);
    trial_close(&t);
}

/* The data satisfy constraint and first derivative to their 9 digits; start moves H, gam. */
static void c167_shuttle_index_3(void **state)
{
    (void)state;
    trial t;
    trial_open_file(&t, "shuttle_index3");
    trial_start(&t, 332.868734542);
    trial_expect(&t, "beta", 41.0999891598, 1e-6);
    trial_expect(&t, "H", 264039.328, 1e-3);
    trial_expect(&t, "gam", -0.749986488 * 3.141592653589793 / 180.0, 1e-10);
    trial_close(&t);
}

/* ---- along the way ---- */

typedef struct kept {
    const char *name, *declarations, *equations;
    double to, tolerance; /* e stays below, at all output points */
    const char *options;
} kept;

#define PENDULUM_AT(x0, u0)                                                                        \
    "Real x(start = " #x0 ", fixed = true), y(start = 0, fixed = true), u(start = " #u0            \
    ", fixed = true), v(start = 1, fixed = true), F(start = 1);"
#define FREE_FALL "der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - 1;"

static const kept KEPT[] = {
    /* x^2 + y^2 has no second derivative: an error of the start grows linearly */
    {"c171_drift_law",
     PENDULUM_AT(1.001, 0.002) "Real e = x^2 + y^2 - 1.001^2 - 2*1.001*0.002*time;",
     FREE_FALL "u^2 + v^2 - F*(x^2 + y^2) - y = 0;", 10, 1e-7, "rtol=1e-10 atol=1e-12"},
    /* g'' + 10 g' + 25 g = 0 */
    {"c175_baumgarte",
     PENDULUM_AT(1.001, 0) "Real e = x^2 + y^2 - 1 - (1.001^2 - 1)*(1 + 5*time)*exp(-5*time);",
     FREE_FALL "2*(u^2 + v^2 - F*(x^2 + y^2) - y) + 20*(x*u + y*v) + 25*(x^2 + y^2 - 1) = 0;", 3,
     1e-8, "rtol=1e-10 atol=1e-12"},
    {"c176_ggl_multiplier",
     "Real x(start = 1, fixed = true), y, u, v(start = 0, fixed = true), F, m, e = m;",
     "der(x) = u - m*x; der(y) = v - m*y; der(u) = -F*x; der(v) = -F*y - 1; x^2 + y^2 = 1;"
     "x*u + y*v = 0;",
     10, 1e-7, "rtol=1e-8 atol=1e-10"},
    {"c176_ggl_levels",
     "Real x(start = 1, fixed = true), y, u, v(start = 0, fixed = true), F, m,"
     "e = abs(x^2 + y^2 - 1) + abs(x*u + y*v);",
     "der(x) = u - m*x; der(y) = v - m*y; der(u) = -F*x; der(v) = -F*y - 1; x^2 + y^2 = 1;"
     "x*u + y*v = 0;",
     10, 1e-10, "rtol=1e-6 atol=1e-8"},
    /* pressure form of index 1: the constraint 3 u1 + u2 - u3 = 0 is linear and constant */
    {"c180_pressure_form",
     "Real u1(start = 1, fixed = true), u2(start = -1, fixed = true), u3(start = 2, fixed = true),"
     "p, e = 3*u1 + u2 - u3;",
     "der(u1) = -u1 - u2 + 3*p; der(u2) = -2*u2 + sin(time) + p; der(u3) = u1 - 3*u3 - p;"
     "3*(-u1 - u2) + (-2*u2 + sin(time)) - (u1 - 3*u3) + 11*p = 0;",
     20, 1e-12, "rtol=1e-5 atol=1e-7"},
    /* an energy as constraint, with its gradient as direction */
    {"c200_energy",
     "Real q(start = 1.5, fixed = true), p(start = 0), m, e = p^2/2 - cos(q) + cos(1.5);",
     "der(q) = p - m*sin(q); der(p) = -sin(q) - m*p; p^2/2 - cos(q) = -cos(1.5);", 300, 1e-10,
     "rtol=1e-6 atol=1e-9"},
};

static void note_error(trial *t, double time, void *user)
{
    double *most = user;
    (void)time;
    *most = fmax(*most, fabs(trial_value(t, "e")));
}

static void stays_small(void **state)
{
    const kept *k = *state;
    double most = 0.0;
    trial t;
    trial_open(&t, k->declarations, k->equations);
    t.each = note_error;
    t.user = &most;
    if (trial_try(&t, 0.0, k->to, 200, k->options) != DAEDAL_OK)
        fail_msg("%s", t.outcome.diagnosis.message);
    assert_int_equal(t.n_rows, 201);
    expect_near(most, 0.0, k->tolerance);
    trial_close(&t);
}

/* Reference of C092. */
static void c176_ggl_solution(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "Real x(start = 1, fixed = true), y, u, v(start = 0, fixed = true), F, m;",
               "der(x) = u - m*x; der(y) = v - m*y; der(u) = -F*x; der(v) = -F*y - 1;"
               "x^2 + y^2 = 1; x*u + y*v = 0;");
    trial_run(&t, 0.0, 1.0, "rtol=1e-9 atol=1e-11");
    trial_expect(&t, "x", 0.87954813, 2e-8);
    trial_expect(&t, "y", -0.47580992, 2e-8);
    trial_expect(&t, "u", -0.46415736, 2e-8);
    trial_expect(&t, "v", -0.85800804, 2e-8);
    trial_expect(&t, "F", 1.42742977, 4e-8);
    trial_close(&t);
}

enum { ALONE = 4 };

int main(void)
{
    struct CMUnitTest tests[ALONE + COUNT(STARTS) + COUNT(KEPT)] = {
        cmocka_unit_test(c164_slope_given),
        cmocka_unit_test(c139_shuttle_index_2),
        cmocka_unit_test(c167_shuttle_index_3),
        cmocka_unit_test(c176_ggl_solution),
    };
    struct CMUnitTest *next = tests + ALONE;
    for (size_t k = 0; k < COUNT(STARTS); k++)
        *next++ = (struct CMUnitTest){.name = STARTS[k].name,
                                      .test_func = c166_pendulum,
                                      .initial_state = (void *)&STARTS[k]};
    for (size_t k = 0; k < COUNT(KEPT); k++)
        *next++ = (struct CMUnitTest){
            .name = KEPT[k].name, .test_func = stays_small, .initial_state = (void *)&KEPT[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
