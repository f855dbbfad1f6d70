/* tests/textbook/c082_rk_index_one.c - Runge-Kutta methods on systems of index 1: C082, C083,
 * C084, C085, C086, C100, C102.                                                   */
#include <math.h>

#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"
#include "order_tables.h"

/* ---- C082, C083: [BCP96] table 4.3.1 and more, on (4.3.33) ---------------------------------- */

static void c082_global_orders_on_uniform_index_one(void **state)
{
    (void)state;
    order_expect("C082", false);
}

/* Errors with h = 1/80. */
static void c082_errors_on_uniform_index_one(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double x, y, slack;
    } rows[] = {
        {"sirk22", 8.67e-6, 0, 0.01},         {"sdirk4", 2.17e-6, 0, 0.01},
        {"extrapolation7", 6.87e-8, 0, 0.01}, {"lobatto3c", 1.03e-10, 0, 0.01},
        {"midpoint", 8.16e-6, 1.64e-5, 0.01}, {"gauss2", 3.65e-6, 3.65e-6, 0.01},
        {"radau2", 4.61e-8, 0, 0.01},         {"radau3", 1.1e-13, 0, 0.3}, /* half of it roundoff */
        {"implicit_euler", 8.60e-3, 0, 0.01},
    };
    trial_problem p = problem_coupled();
    for (size_t i = 0; i < COUNT(rows); i++) {
        tableau m = tableau_of(rows[i].name);
        double error[2];
        rk_error(&m, &p, 80, error);
        expect_about(m.name, error[0], rows[i].x, rows[i].slack);
        if (rows[i].y > 0.0)
            expect_about(m.name, error[1], rows[i].y, rows[i].slack);
        else
            expect_near(error[1], 0.0, 1e-14);
    }
}

/* After one step: order + 1 in x - t y, the differential part.  (From t = 0, where x and y are not
 * coupled, it would be k_d + 1.)  For the Gauss method this part is not what limits it: 5 there,
 * and 3 in x, of which the algebraic part is a share; r = 1 lets that accumulate.     */
static void c083_local_orders_on_uniform_index_one(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double differential, x; /* x: 0 if not of interest */
    } rows[] = {
        {"sirk22", 3, 0},         {"sdirk4", 3, 0},         {"sirk3_transformed", 4, 0},
        {"extrapolation7", 4, 0}, {"lobatto3c", 5, 0},      {"midpoint", 3, 0},
        {"gauss2", 5, 3},         {"radau2", 4, 0},         {"radau3", 6, 0},
        {"sirk23", 4, 0},         {"implicit_euler", 2, 0},
    };
    trial_problem p = problem_coupled();
    for (size_t i = 0; i < COUNT(rows); i++) {
        tableau m = tableau_of(rows[i].name);
        double error[2], error_x[2];
        for (int half = 0; half < 2; half++) {
            double h = (rows[i].differential >= 5 ? 0.2 : 0.05) / (1 + half), t = 0.5 + h;
            double y[2], right[2];
            p.exact(0.5, y, NULL);
            p.exact(t, right, NULL);
            assert_true(rk_step(&m, &p.sys, 0.5, h, y, NULL));
            error[half] = fabs(y[0] - t * y[1] - exp(-t));
            error_x[half] = fabs(y[0] - right[0]);
        }
        expect_order(m.name, "differential part", order_between(error[0], error[1]),
                     rows[i].differential, 0.15);
        if (rows[i].x > 0.0)
            expect_order(m.name, "x", order_between(error_x[0], error_x[1]), rows[i].x, 0.2);
    }
}

/* ---- C084, C085 --------------------------------------------------------------------------- */

static void c084_semi_explicit_index_one(void **state)
{
    (void)state;
    order_expect("C084", false);
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
        cmocka_unit_test(c082_errors_on_uniform_index_one),
        cmocka_unit_test(c083_local_orders_on_uniform_index_one),
        cmocka_unit_test(c084_semi_explicit_index_one),
        cmocka_unit_test(c085_solving_the_constraint_afterwards),
        cmocka_unit_test(c086_unstable_method_diverges),
        cmocka_unit_test(c100_stiff_limit),
        cmocka_unit_test(c102_strong_coupling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
