/* tests/conformance/c177_formulations.c - other ways to keep constraints, beside those of the
 * library: C177, C181 (overdetermined systems, [HW96] (2.26), (2.27)), C178 (charts), C182
 * (penalties), C184 (first integrals).                                             */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dictated.h"
#include "harness.h"
#include "modelling.h"
#include "order_problems.h"

/* ---- C177, C181: overdetermined BDF ------------------------------------------------------------
 */

/* The pendulum of length, mass and gravity 1 in (2.26): q = places, u = velocities, and what the
 * BDF formula of one or two steps knows: q_k - q^ - h gamma u_k.                     */
typedef struct bdf_past {
    double q[2], u[2], h_gamma;
} bdf_past;

/* Coefficients of [BCP96] table 3.1.1 for equal steps, divided by the leading one. */
static bdf_past past_of(const mesh *g, int32_t i, int32_t k)
{
    static const double OLD[2][2] = {{1.0, 0.0}, {4.0 / 3.0, -1.0 / 3.0}};
    static const double GAMMA[2] = {1.0, 2.0 / 3.0};
    bdf_past past = {.h_gamma = GAMMA[k - 1] * (g->times[i] - g->times[i - 1])};
    for (int32_t j = 0; j < k; j++)
        for (int v = 0; v < 2; v++) {
            past.q[v] += OLD[k - 1][j] * mesh_at(g, i - 1 - j)[v];
            past.u[v] += OLD[k - 1][j] * mesh_at(g, i - 1 - j)[2 + v];
        }
    return past;
}

/* The least squares solution of (2.26a,b) that satisfies (2.26c,d).  G^T is q itself here: places
 * are moved along the rod until it has its length, velocities until they are at right angles to it.
 */
static void nearest_with_two_levels(const bdf_past *past, double *y)
{
    for (int round = 0; round < 200; round++) {
        double q[2], u[2], along;
        for (int v = 0; v < 2; v++)
            q[v] = past->q[v] + past->h_gamma * y[2 + v];
        double length = hypot(q[0], q[1]);
        y[0] = q[0] / length;
        y[1] = q[1] / length;
        u[0] = past->u[0];
        u[1] = past->u[1] - past->h_gamma;
        along = u[0] * y[0] + u[1] * y[1];
        y[2] = u[0] - along * y[0];
        y[3] = u[1] - along * y[1];
    }
}

static void c177_stabilized_form_is_the_overdetermined_one(void **state)
{
    (void)state;
    enum { STEPS = 20 };
    for (int32_t k = 1; k <= 2; k++) {
        trial_problem p = problem_pendulum(&PENDULUM_STABILIZED);
        mesh g = mesh_open(6, 0.0, 1.0, STEPS, 1.0);
        mesh_begin(&g, &p, k);
        dictated_fill(&(dictated){"bdf", k, 0.0}, &p, &g, k);
        for (int32_t i = k; i <= STEPS; i++) {
            bdf_past past = past_of(&g, i, k);
            double y[4];
            memcpy(y, mesh_at(&g, i - 1), sizeof y);
            nearest_with_two_levels(&past, y);
            for (int v = 0; v < 4; v++)
                expect_near(mesh_at(&g, i)[v], y[v], 1e-8);
        }
        mesh_close(&g);
    }
}

/* The stabilized form with the acceleration level too: q' = u - G^T mu - (G_q u)^T eta,
 * u' = f - G^T lambda - G^T eta, and all three levels (the continuous form of (2.27)).  Unknowns x,
 * y, u, v, lambda, mu, eta.                                                             */
static int three_levels(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] - y[2] + y[5] * y[0] + y[6] * y[2];
    r[1] = yp[1] - y[3] + y[5] * y[1] + y[6] * y[3];
    r[2] = yp[2] + (y[4] + y[6]) * y[0];
    r[3] = yp[3] + (y[4] + y[6]) * y[1] + 1.0;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    r[5] = y[0] * y[2] + y[1] * y[3];
    r[6] = y[2] * y[2] + y[3] * y[3] - y[1] - y[4] * (y[0] * y[0] + y[1] * y[1]);
    return DAEDAL_CALL_OK;
}

static void three_levels_exact(double t, double *y, void *user)
{
    trial_problem p = problem_pendulum(&PENDULUM_POSITION);
    (void)user;
    p.exact(t, y, p.sys.user);
    y[5] = y[6] = 0.0;
}

/* What is left of (2.26a,b) at an angle and its speed, along the two directions in which the
 * constraints let them move.  A least squares solution on the constraints has 0 there.  */
static void left_along_the_circle(const bdf_past *past, const double *at, double *left)
{
    double c = cos(at[0]), s = sin(at[0]), w = at[1], h = past->h_gamma;
    double q[2] = {c, s}, u[2] = {-w * s, w * c}, force = w * w - s, rest[4];
    for (int v = 0; v < 2; v++)
        rest[v] = q[v] - past->q[v] - h * u[v];
    rest[2] = u[0] - past->u[0] + h * force * q[0];
    rest[3] = u[1] - past->u[1] + h * (force * q[1] + 1.0);
    const double by_angle[] = {-s, c, -w * c, -w * s}, by_speed[] = {0.0, 0.0, -s, c};
    left[0] = left[1] = 0.0;
    for (int v = 0; v < 4; v++) {
        left[0] += by_angle[v] * rest[v];
        left[1] += by_speed[v] * rest[v];
    }
}

/* Newton's method with differences, for two unknowns. */
static void nearest_with_three_levels(const bdf_past *past, double *at)
{
    const double width = 1e-6;
    for (int round = 0; round < 20; round++) {
        double left[2], by_angle[2], by_speed[2], moved[2] = {at[0] + width, at[1]};
        left_along_the_circle(past, at, left);
        left_along_the_circle(past, moved, by_angle);
        moved[0] = at[0];
        moved[1] = at[1] + width;
        left_along_the_circle(past, moved, by_speed);
        double a = (by_angle[0] - left[0]) / width, b = (by_speed[0] - left[0]) / width;
        double c = (by_angle[1] - left[1]) / width, d = (by_speed[1] - left[1]) / width;
        at[0] -= (d * left[0] - b * left[1]) / (a * d - b * c);
        at[1] -= (a * left[1] - c * left[0]) / (a * d - b * c);
    }
}

static void c181_three_levels_are_overdetermined_least_squares(void **state)
{
    (void)state;
    enum { STEPS = 20 };
    for (int32_t k = 1; k <= 2; k++) {
        trial_problem p = {
            .sys = {.n = 7, .residual = three_levels}, .t_end = 1.0, .exact = three_levels_exact};
        mesh g = mesh_open(7, 0.0, 1.0, STEPS, 1.0);
        mesh_begin(&g, &p, k);
        dictated_fill(&(dictated){"bdf", k, 0.0}, &p, &g, k);
        for (int32_t i = k; i <= STEPS; i++) {
            const double *y = mesh_at(&g, i), *before = mesh_at(&g, i - 1);
            bdf_past past = past_of(&g, i, k);
            double at[] = {atan2(before[1], before[0]),
                           before[0] * before[3] - before[1] * before[2]};
            nearest_with_three_levels(&past, at);
            expect_near(y[0], cos(at[0]), 1e-7);
            expect_near(y[1], sin(at[0]), 1e-7);
            expect_near(y[2], -at[1] * sin(at[0]), 1e-7);
            expect_near(y[3], at[1] * cos(at[0]), 1e-7);
            expect_near(y[4], at[1] * at[1] - sin(at[0]), 1e-7);
        }
        mesh_close(&g);
    }
}

/* ---- C178: charts -------------------------------------------------------------------------------
 */

static void slope_of_angle(double t, const double *a, double *slope, void *user)
{
    (void)t;
    (void)user;
    slope[0] = a[1];
    slope[1] = -cos(a[0]);
}

/* A pendulum that goes round, kept by dummy derivatives (the partitioning of (2.22), chosen anew
 * where it is badly conditioned), by multipliers and by projection: all follow phi'' = -cos phi.
 * No single chart of places covers the circle, so that two at least were used.          */
static void c178_charts_of_a_rotating_pendulum(void **state)
{
    (void)state;
    static const char *const WAYS[] = {"constraint_method=dummy", "constraint_method=ggl",
                                       "constraint_method=project"};
    for (size_t i = 0; i < COUNT(WAYS); i++) {
        char options[100];
        double at[] = {0.0, 3.0};
        trial t;
        trial_open(&t,
                   "Real x(start = 1, fixed = true), y(start = 0), u(start = 0), "
                   "v(start = 3, fixed = true), F;",
                   "der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - 1; x^2 + y^2 = 1;");
        snprintf(options, sizeof options, "rtol=1e-9 atol=1e-11 %s", WAYS[i]);
        trial_run(&t, 0.0, 6.0, options);
        reference_ode(slope_of_angle, NULL, 2, 0.0, 6.0, at);
        assert_true(at[0] > 4.0 * acos(0.0)); /* more than once round */
        trial_expect(&t, "x", cos(at[0]), 2e-6);
        trial_expect(&t, "y", sin(at[0]), 2e-6);
        trial_close(&t);
    }
}

/* ---- C182: penalties
 * ------------------------------------------------------------------------------ */

/* The rod is a spring of stiffness k, at rest at its length. */
static int on_a_spring(double t, const double *y, double *f, void *user)
{
    double k = *(const double *)user, r = hypot(y[0], y[1]), pull = k * (r - 1.0) / r;
    (void)t;
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -pull * y[0];
    f[3] = -pull * y[1] - 1.0;
    return DAEDAL_CALL_OK;
}

/* The largest change of the length up to t = 2, and what it cost without implicit steps. */
static double stretched(double k, int64_t *steps)
{
    const double y0[] = {1.0, 0.0, 0.0, 0.0};
    daedal_system sys = {.n = 4, .rhs = on_a_spring, .user = &k};
    daedal_solver *s = start_solver(&sys, "method=dopri rtol=1e-8 atol=1e-12", 0.0, y0, NULL);
    double largest = 0.0;
    for (int i = 1; i <= 200; i++) {
        expect_status(s, daedal_solver_advance(s, 0.01 * i), DAEDAL_OK);
        const double *y = daedal_solver_state(s)->y;
        largest = fmax(largest, fabs(hypot(y[0], y[1]) - 1.0));
    }
    *steps = daedal_solver_stats(s)->steps;
    daedal_solver_free(s);
    return largest;
}

/* |g| = O(1/k), and the steps follow the frequency sqrt(k). */
static void c182_penalty(void **state)
{
    (void)state;
    int64_t few, many;
    double soft = stretched(1e4, &few), stiff = stretched(1e6, &many);
    expect_order("penalty", "length", log(soft / stiff) / log(100.0), 1.0, 0.1);
    assert_true(many > 4 * few && many < 25 * few);
}

/* ---- C184: first integrals
 * ------------------------------------------------------------------------- */

/* Robertson's kinetics: the sum of the concentrations is constant. */
static int kinetics(double t, const double *y, double *f, void *user)
{
    (void)t;
    (void)user;
    f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    f[2] = 3e7 * y[1] * y[1];
    f[1] = -f[0] - f[2];
    return DAEDAL_CALL_OK;
}

/* Rows of the Jacobian by differences add up to zero but for the errors of the differences, which
 * Newton's method takes part in; the integral is kept to what it leaves.                */
static void c184_linear_integral_is_kept(void **state)
{
    (void)state;
    static const char *const METHODS[] = {"bdf", "bdf_classic", "radau", "rodas", "limex"};
    for (size_t i = 0; i < COUNT(METHODS); i++) {
        const double y0[] = {1.0, 0.0, 0.0};
        double y[3];
        char options[80];
        daedal_system sys = {.n = 3, .rhs = kinetics};
        snprintf(options, sizeof options, "method=%s rtol=1e-4 atol=1e-8", METHODS[i]);
        solve_to(&sys, options, 0.0, y0, 100.0, y);
        expect_near(y[0] + y[1] + y[2], 1.0, 1e-9);
        assert_true(y[0] < 0.7);
    }
}

/* A rotation: |y|^2 is kept by Gauss methods and by no method of the library. */
static int rotation(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    return DAEDAL_CALL_OK;
}

static void c184_quadratic_integral(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool keeps;
    } ROWS[] = {{"midpoint", true}, {"gauss2", true}, {"radau2", false}, {"sdirk4", false}};
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        tableau m = tableau_of(ROWS[i].name);
        daedal_system sys = {.n = 2, .residual = rotation};
        double y[] = {1.0, 0.0};
        rk_run(&m, &sys, 0.0, 20.0, 100, y);
        double off = fabs(y[0] * y[0] + y[1] * y[1] - 1.0);
        assert_true(ROWS[i].keeps ? off < 1e-9 : off > 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c177_stabilized_form_is_the_overdetermined_one),
        cmocka_unit_test(c181_three_levels_are_overdetermined_least_squares),
        cmocka_unit_test(c178_charts_of_a_rotating_pendulum),
        cmocka_unit_test(c182_penalty),
        cmocka_unit_test(c184_linear_integral_is_kept),
        cmocka_unit_test(c184_quadratic_integral),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
