/* tests/conformance/c082_rk_index_one.c - Runge-Kutta methods on systems of index 1: C082, C083,
 * C084, C085, C086, C100, C102.                                                   */
#include <math.h>
#include <string.h>

#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"

/* ---- C082, C083: [BCP96] table 4.3.1 and more, on (4.3.33) ---------------------------------- */

/* Orders of x and y at t = 1, and errors with h = 1/80; y NAN: exact. */
static const struct {
    const char *name;
    double x, y, error_x, error_y;
} COUPLED[] = {
    {"sirk22", 2, NAN, 8.67e-6, NAN},         {"sdirk4", 2, NAN, 2.17e-6, NAN},
    {"sirk3_transformed", 3, 3, NAN, NAN},    {"extrapolation7", 3, NAN, 6.87e-8, NAN},
    {"lobatto3c", 4, NAN, 1.03e-10, NAN},     {"midpoint", 2, 2, 8.16e-6, 1.64e-5},
    {"gauss2", 2, 2, 3.65e-6, 3.65e-6},       {"radau2", 3, NAN, 4.61e-8, NAN},
    {"radau3", 5, NAN, 1.1e-13, NAN},         {"sirk23", 3, 3, NAN, NAN},
    {"implicit_euler", 1, NAN, 8.60e-3, NAN},
};

static void c082_global_orders_on_uniform_index_one(void **state)
{
    (void)state;
    trial_problem p = problem_coupled();
    for (size_t i = 0; i < COUNT(COUPLED); i++) {
        tableau m = tableau_of(COUPLED[i].name);
        /* errors of Radau IIA with 3 stages reach roundoff with h = 1/40 */
        int32_t steps = COUPLED[i].x == 5 ? 10 : 40;
        double coarse[2], fine[2], last[2];
        rk_error(&m, &p, steps, coarse);
        rk_error(&m, &p, 2 * steps, fine);
        rk_error(&m, &p, 80, last);
        expect_order(m.name, "x", order_between(coarse[0], fine[0]), COUPLED[i].x, 0.15);
        if (isnan(COUPLED[i].y))
            expect_near(fine[1], 0.0, 1e-14);
        else
            expect_order(m.name, "y", order_between(coarse[1], fine[1]), COUPLED[i].y, 0.15);
        if (!isnan(COUPLED[i].error_x)) /* 1.1e-13 is half roundoff */
            expect_about(m.name, last[0], COUPLED[i].error_x, COUPLED[i].x == 5 ? 0.3 : 0.01);
        if (!isnan(COUPLED[i].error_y))
            expect_about(m.name, last[1], COUPLED[i].error_y, 0.01);
    }
}

/* After one step: order + 1 in x - t y, the differential part.  (From t = 0, where x and y are not
 * coupled, it would be k_d + 1.)  For the Gauss method this part is not what limits it: 5 there,
 * and 3 in x, of which the algebraic part is a share; r = 1 lets that accumulate.     */
static void c083_local_orders_on_uniform_index_one(void **state)
{
    (void)state;
    trial_problem p = problem_coupled();
    for (size_t i = 0; i < COUNT(COUPLED); i++) {
        tableau m = tableau_of(COUPLED[i].name);
        double error[2], error_x[2];
        for (int half = 0; half < 2; half++) {
            double h = (COUPLED[i].x >= 4 ? 0.2 : 0.05) / (1 + half), t = 0.5 + h, y[2], right[2];
            p.exact(0.5, y, NULL);
            p.exact(t, right, NULL);
            assert_true(rk_step(&m, &p.sys, 0.5, h, y, NULL));
            error[half] = fabs(y[0] - t * y[1] - exp(-t));
            error_x[half] = fabs(y[0] - right[0]);
        }
        bool gauss = strcmp(m.name, "gauss2") == 0;
        double order = order_between(error[0], error[1]);
        expect_order(m.name, "differential part", order, gauss ? 5.0 : COUPLED[i].x + 1, 0.15);
        if (gauss)
            expect_order(m.name, "x", order_between(error_x[0], error_x[1]), 3.0, 0.15);
    }
}

/* ---- C084, C085 --------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double x, y;
} SEMI_EXPLICIT[] = {
    {"midpoint", 2, 2},  {"gauss2", 4, 2}, {"radau2", 3, 3}, {"radau3", 5, 5},
    {"lobatto3c", 4, 4}, {"sdirk4", 4, 4}, {"sirk23", 3, 3},
};

static void c084_semi_explicit_index_one(void **state)
{
    (void)state;
    trial_problem p = problem_semi_explicit();
    for (size_t i = 0; i < COUNT(SEMI_EXPLICIT); i++) {
        tableau m = tableau_of(SEMI_EXPLICIT[i].name);
        int32_t steps = SEMI_EXPLICIT[i].x >= 4 ? 8 : 40;
        double coarse[2], fine[2];
        rk_error(&m, &p, steps, coarse);
        rk_error(&m, &p, 2 * steps, fine);
        expect_order(m.name, "x", order_between(coarse[0], fine[0]), SEMI_EXPLICIT[i].x, 0.2);
        expect_order(m.name, "y", order_between(coarse[1], fine[1]), SEMI_EXPLICIT[i].y, 0.2);
    }
}

/* The y that g(x_n, y) = 0 gives is as good as x. */
static void c085_solving_the_constraint_afterwards(void **state)
{
    (void)state;
    trial_problem p = problem_semi_explicit();
    tableau m = tableau_of("gauss2");
    double right[2], error[2];
    p.exact(1.0, right, NULL);
    for (int i = 0; i < 2; i++) {
        double y[] = {0.5, -0.25};
        rk_run(&m, &p.sys, 0.0, 1.0, 8 << i, y);
        error[i] = fabs(sin(1.0) - y[0] * y[0] - right[1]);
    }
    expect_order("gauss2", "y", order_between(error[0], error[1]), 4.0, 0.15);
}

/* ---- C086 ------------------------------------------------------------------------------------ */

static void c086_unstable_method_diverges(void **state)
{
    (void)state;
    static const double ERROR[] = {0.54, 1.6e3, 1.1e11};
    trial_problem p = problem_canonical(1);
    tableau m = tableau_of("sirk_unstable");
    expect_near(tableau_stability(&m), 2.732, 1e-3);
    for (int i = 0; i < 3; i++) {
        double error;
        rk_error(&m, &p, 10 << i, &error);
        expect_about("r = 2.732", error, ERROR[i], 0.05);
    }
}

/* ---- C100 ------------------------------------------------------------------------------------ */

/* y' = l (y - sin t) + cos t, [BCP96] (4.5.3). */
static int prothero_robinson(double t, const double *y, const double *yp, double *r, void *user)
{
    double l = *(const double *)user;
    r[0] = (yp[0] - cos(t)) / l - (y[0] - sin(t));
    return DAEDAL_CALL_OK;
}

static double stiff_error(const tableau *m, double l, int32_t steps)
{
    daedal_system sys = {.n = 1, .residual = prothero_robinson, .user = &l};
    double y = 0.0;
    rk_run(m, &sys, 0.0, 1.0, steps, &y);
    return fabs(y - sin(1.0));
}

/* Orders of y = sin t, an algebraic equation: k_a1 + 1, with r = 1 k_a1 ([BCP96] 4.2). */
static void c100_stiff_limit(void **state)
{
    (void)state;
    const double l = -1e6;
    const struct {
        const char *name;
        double order;
    } rows[] = {{"midpoint", 2}, {"gauss2", 2}, {"sirk23", 3}, {"sirk3_transformed", 3}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        tableau m = tableau_of(rows[i].name);
        double order = order_between(stiff_error(&m, l, 20), stiff_error(&m, l, 40));
        expect_order(m.name, "y", order, rows[i].order, 0.2);
    }
    const char *const accurate[] = {"implicit_euler", "sirk22",    "radau2",
                                    "radau3",         "lobatto3c", "sdirk4"};
    for (size_t i = 0; i < COUNT(accurate); i++) {
        tableau m = tableau_of(accurate[i]);
        double error = stiff_error(&m, l, 20);
        assert_true(error < 1.0 / fabs(l)); /* exact in the limit: the error is O(1/l) */
        assert_true(error < 0.2 * stiff_error(&m, 0.1 * l, 20) + 1e-15);
    }
}

/* ---- C102 ------------------------------------------------------------------------------------ */

/* x~' = -x~, y~ = sin t in the variables [x; y] = [1 eta t; 0 1] [x~; y~]. */
static int sheared(double t, const double *y, const double *yp, double *r, void *user)
{
    double eta = *(const double *)user;
    r[0] = yp[0] - eta * t * yp[1] - eta * y[1] + y[0] - eta * t * y[1];
    r[1] = y[1] - sin(t);
    return DAEDAL_CALL_OK;
}

static void sheared_exact(double t, double *y, void *user)
{
    y[0] = exp(-t) + *(const double *)user * t * sin(t);
    y[1] = sin(t);
}

/* The same turned by the angle d t: [x; y] = Q [x~; y~]. */
static int turned(double t, const double *y, const double *yp, double *r, void *user)
{
    double d = *(const double *)user, c = cos(d * t), s = sin(d * t);
    double x = c * y[0] + s * y[1], z = -s * y[0] + c * y[1];
    double slope = c * yp[0] + s * yp[1] + d * z;
    r[0] = slope + x;
    r[1] = z - sin(t);
    return DAEDAL_CALL_OK;
}

static void turned_exact(double t, double *y, void *user)
{
    double d = *(const double *)user, c = cos(d * t), s = sin(d * t);
    y[0] = c * exp(-t) - s * sin(t);
    y[1] = s * exp(-t) + c * sin(t);
}

/* The largest error of any component at any mesh point of [0, 5]. */
static double worst_on_the_way(const char *name, const trial_problem *p, int32_t steps)
{
    tableau m = tableau_of(name);
    double y[2], right[2], h = 5.0 / steps, worst = 0.0;
    p->exact(0.0, y, p->sys.user);
    for (int32_t i = 0; i < steps; i++) {
        assert_true(rk_step(&m, &p->sys, i * h, h, y, NULL));
        p->exact((i + 1) * h, right, p->sys.user);
        for (int v = 0; v < 2; v++)
            worst = fmax(worst, fabs(y[v] - right[v]));
    }
    return worst;
}

static void c102_strong_coupling(void **state)
{
    (void)state;
    const struct {
        double eta, midpoint, radau2;
    } shear[] = {{1, 1.29e-3, 5.6e-6}, {10, 1.29e-2, 5.2e-5}, {50, 6.4e-2, 2.6e-4}};
    for (size_t i = 0; i < COUNT(shear); i++) {
        double eta = shear[i].eta;
        trial_problem p = {.sys = {.n = 2, .residual = sheared, .user = &eta},
                           .exact = sheared_exact};
        expect_about("midpoint", worst_on_the_way("midpoint", &p, 100), shear[i].midpoint, 0.03);
        expect_about("radau2", worst_on_the_way("radau2", &p, 100), shear[i].radau2, 0.03);
    }
    double d = -20.0; /* clockwise: this is the sense the figures belong to */
    trial_problem p = {.sys = {.n = 2, .residual = turned, .user = &d}, .exact = turned_exact};
    const struct {
        const char *name;
        double coarse, fine;
    } turn[] = {{"midpoint", 0.31, 0.076}, {"gauss2", 0.14, 0.039}, {"radau2", 1.3e-2, 1.5e-3}};
    for (size_t i = 0; i < COUNT(turn); i++) {
        expect_about(turn[i].name, worst_on_the_way(turn[i].name, &p, 200), turn[i].coarse, 0.05);
        expect_about(turn[i].name, worst_on_the_way(turn[i].name, &p, 400), turn[i].fine, 0.05);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c082_global_orders_on_uniform_index_one),
        cmocka_unit_test(c083_local_orders_on_uniform_index_one),
        cmocka_unit_test(c084_semi_explicit_index_one),
        cmocka_unit_test(c085_solving_the_constraint_afterwards),
        cmocka_unit_test(c086_unstable_method_diverges),
        cmocka_unit_test(c100_stiff_limit),
        cmocka_unit_test(c102_strong_coupling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
