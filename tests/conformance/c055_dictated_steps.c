/* tests/conformance/c055_dictated_steps.c - what the texts state for fixed steps and orders, on the
 * methods of the library: C055, C059 to C064 (BDF), C082 to C084, C088 to C090, C092, C094, C100,
 * C117 (Radau IIA), C173, C174 (drift and projection).  Textbook methods that the library does not
 * have: tests/textbook.  Extrapolation: c110_limex_rows.c.                        */
#include <math.h>
#include <string.h>

#include "dictated.h"
#include "harness.h"
#include "order_problems.h"
#include "order_tables.h"

static const char *const BDF_METHODS[] = {"bdf", "bdf_classic"};

/* ---- orders: order_tables.c ------------------------------------------------------------------ */

static void orders_of_the_tables(void **state)
{
    (void)state;
    static const char *const ITEMS[] = {"C059", "C061", "C062", "C082", "C084", "C092", "C094"};
    for (size_t i = 0; i < COUNT(ITEMS); i++)
        order_expect(ITEMS[i], true);
}

/* ---- BDF ------------------------------------------------------------------------------------- */

/* One step of order 1 from consistent values has half of the force, whatever h; two have it. */
static void c055_first_step_of_index_three(void **state)
{
    (void)state;
    static const double FORCE[] = {0.51004, 0.50501, 0.50250};
    trial_problem p = problem_pendulum(&PENDULUM_RISING);
    for (int i = 0; i < 6; i++) {
        double h = 0.01 / (1 << i / 2), right[5];
        mesh g = mesh_open(5, 0.0, 2.0 * h, 2, 1.0);
        mesh_begin(&g, &p, 1);
        dictated_fill(&(dictated){BDF_METHODS[i % 2], 1, 0.0}, &p, &g, 1);
        p.exact(2.0 * h, right, p.sys.user);
        expect_near(mesh_at(&g, 1)[4], FORCE[i / 2], 1e-5);
        expect_near(mesh_at(&g, 2)[4], right[4], 5.0 * h);
        mesh_close(&g);
    }
}

static void c060_nonlinear_implicit_index_one(void **state)
{
    (void)state;
    trial_problem p = problem_implicit();
    for (int i = 0; i < 10; i++) {
        dictated how = {BDF_METHODS[i % 2], 1 + i / 2, 0.0};
        double coarse[2], fine[2];
        dictated_error(&how, &p, 80, 1.0, coarse);
        dictated_error(&how, &p, 160, 1.0, fine);
        expect_order(how.method, "y1", order_between(coarse[0], fine[0]), how.order, 0.15);
    }
}

/* Exact starts: index 2 has no layer, the first computed force is as good as the others. */
static void c061_no_layer_after_accurate_starts(void **state)
{
    (void)state;
    trial_problem p = problem_pendulum(&PENDULUM_VELOCITY);
    for (int i = 0; i < 8; i++) {
        dictated how = {BDF_METHODS[i % 2], 1 + i / 2, 0.0};
        double error[2], right[5];
        for (int fine = 0; fine < 2; fine++) {
            double t1 = 0.5 + how.order * 0.02 / (1 + fine);
            mesh g = mesh_open(5, 0.5, t1, how.order, 1.0);
            mesh_begin(&g, &p, how.order);
            dictated_fill(&how, &p, &g, how.order);
            p.exact(t1, right, p.sys.user);
            error[fine] = fabs(mesh_at(&g, how.order)[4] - right[4]);
            mesh_close(&g);
        }
        expect_order(how.method, "first force", order_between(error[0], error[1]), how.order, 0.2);
    }
}

/* Errors of two-step BDF on index 3 at t = 1, from exact values at 0 and h moved radially. */
static void two_step(const char *name, const pendulum *which, int32_t steps, double moved,
                     double *error)
{
    trial_problem p = problem_pendulum(which);
    double right[5];
    mesh g = mesh_open(5, 0.0, 1.0, steps, 1.0);
    mesh_begin(&g, &p, 2);
    for (int i = 0; i < 2; i++)
        for (int v = 0; v < 2; v++)
            mesh_at(&g, i)[v] *= 1.0 + moved;
    dictated_fill(&(dictated){name, 2, 0.0}, &p, &g, 2);
    p.exact(1.0, right, p.sys.user);
    for (int v = 0; v < 5; v++)
        error[v] = fabs(mesh_at(&g, steps)[v] - right[v]);
    mesh_close(&g);
}

static void c063_table_6_2_1(void **state)
{
    (void)state;
    static const double TRUTH[] = {0.1349949261, 0.9908462897, -1.710951582, 0.2331035448,
                                   3.972538869};
    static const double ERROR[3][5] = {{2.6e-3, 4.8e-5, 2.7e-4, 2.5e-3, 1.9e-4},
                                       {6.5e-4, 1.2e-5, 6.6e-5, 6.2e-4, 4.7e-5},
                                       {1.6e-4, 3.0e-6, 1.7e-5, 1.6e-4, 1.2e-5}};
    for (int i = 0; i < 6; i++) {
        double error[5];
        two_step(BDF_METHODS[i % 2], &PENDULUM_RISING, 100 << i / 2, 0.0, error);
        for (int v = 0; v < 5; v++)
            expect_about("table 6.2.1", error[v] / fabs(TRUTH[v]), ERROR[i / 2][v], 0.05);
    }
}

static void c064_pendulum_forgives_rough_starts(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        double coarse[5], fine[5];
        int power = 2 + i / 2;
        two_step(BDF_METHODS[i % 2], &PENDULUM_POSITION, 160, pow(1.0 / 160, power), coarse);
        two_step(BDF_METHODS[i % 2], &PENDULUM_POSITION, 320, pow(1.0 / 320, power), fine);
        expect_order(BDF_METHODS[i % 2], "x", order_between(coarse[0], fine[0]), 2.0, 0.15);
        expect_order(BDF_METHODS[i % 2], "force", order_between(coarse[4], fine[4]), 2.0, 0.15);
    }
}

/* ---- Radau IIA --------------------------------------------------------------------------------
 */

/* One step from t0 by h, from y; y at its end. */
static void one_step(int32_t order, const trial_problem *p, double t0, double h, double *y)
{
    mesh g = mesh_open(p->sys.n, t0, t0 + h, 1, 1.0);
    memcpy(mesh_at(&g, 0), y, (size_t)p->sys.n * sizeof *y);
    dictated_fill(&(dictated){"radau", order, 0.0}, p, &g, 1);
    memcpy(y, mesh_at(&g, 1), (size_t)p->sys.n * sizeof *y);
    mesh_close(&g);
}

static void c082_errors_on_uniform_index_one(void **state)
{
    (void)state;
    trial_problem p = problem_coupled();
    double error[2];
    dictated_error(&(dictated){"radau", 1, 0.0}, &p, 80, 1.0, error);
    expect_about("radau of order 1", error[0], 8.60e-3, 0.01);
    dictated_error(&(dictated){"radau", 5, 0.0}, &p, 80, 1.0, error);
    expect_about("radau of order 5", error[0], 1.1e-13, 0.5); /* half of it roundoff */
}

static void c083_local_orders_on_uniform_index_one(void **state)
{
    (void)state;
    trial_problem p = problem_coupled();
    for (int32_t order = 1; order <= 5; order += 4) {
        double error[2];
        for (int half = 0; half < 2; half++) {
            double h = (order > 1 ? 0.2 : 0.05) / (1 + half), t = 0.5 + h, y[2];
            p.exact(0.5, y, NULL);
            one_step(order, &p, 0.5, h, y);
            error[half] = fabs(y[0] - t * y[1] - exp(-t));
        }
        expect_order("radau", "differential part", order_between(error[0], error[1]), order + 1,
                     0.15);
    }
}

/* The exponents of [BCP96] (4.2.20) for three stages, and for one where it states any. */
static void c088_local_error(void **state)
{
    (void)state;
    static const struct {
        int32_t order, index, exponent;
    } ROWS[] = {{1, 2, 1}, {5, 2, 3}, {5, 3, 2}};
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        trial_problem p = problem_chain(ROWS[i].index);
        int32_t last = ROWS[i].index - 1;
        double error[2];
        for (int half = 0; half < 2; half++) {
            double h = 0.01 / (1 + half), y[4], right[4];
            p.exact(0.3, y, p.sys.user);
            p.exact(0.3 + h, right, p.sys.user);
            one_step(ROWS[i].order, &p, 0.3, h, y);
            error[half] = fabs(y[last] - right[last]);
        }
        expect_order("radau", "local error", order_between(error[0], error[1]), ROWS[i].exponent,
                     0.15);
    }
}

/* An error d of y_1 enters y_2 of the next step as b^T A^-2 e d / h ([BCP96] (4.2.26)); for Radau
 * IIA with an odd number s of stages b^T A^-2 e = s.  y_2 = +y_1' here: the sign turns. */
static void c089_error_propagation(void **state)
{
    (void)state;
    const double d = 1e-3;
    trial_problem p = problem_canonical(2);
    for (int32_t stages = 1; stages <= 5; stages += 2)
        for (double h = 0.1; h > 5e-4; h *= 0.1) {
            double right[] = {sin(0.4), cos(0.4)}, wrong[] = {sin(0.4) + d, cos(0.4)};
            one_step(2 * stages - 1, &p, 0.4, h, right);
            one_step(2 * stages - 1, &p, 0.4, h, wrong);
            expect_about("error of y_2", right[1] - wrong[1], stages * d / h, 1e-6);
        }
}

/* y' = l (y - sin t) + cos t, [BCP96] (4.5.3): exact in the limit, the error is O(1/l). */
static int prothero_robinson(double t, const double *y, const double *yp, double *r, void *user)
{
    double l = *(const double *)user;
    r[0] = (yp[0] - cos(t)) / l - (y[0] - sin(t));
    return DAEDAL_CALL_OK;
}

static void sine(double t, double *y, void *user)
{
    (void)user;
    y[0] = sin(t);
}

static void c100_stiff_limit(void **state)
{
    (void)state;
    for (int32_t order = 1; order <= 5; order += 4) {
        double error[2], l[] = {-1e5, -1e6};
        for (int i = 0; i < 2; i++) {
            trial_problem p = {.sys = {.n = 1, .residual = prothero_robinson, .user = &l[i]},
                               .t_end = 1.0,
                               .exact = sine};
            dictated_error(&(dictated){"radau", order, 0.0}, &p, 20, 1.0, &error[i]);
        }
        assert_true(error[1] < 1e-6 && error[1] < 0.2 * error[0] + 1e-15);
    }
}

/* Radau IIA with one stage is implicit Euler.  [BCP96] (4.6.3): beside smooth terms z has
 * -h eps (1 + h/eps)^-n and y has h eps^2 (1 + h/eps)^-n.                        */
static void c117_perturbed_expansion(void **state)
{
    (void)state;
    const double h = 0.05, values[] = {0.05, 0.02, 0.005, 0.0}; /* h/eps >= 1 */
    for (size_t i = 0; i < COUNT(values); i++) {
        double eps = values[i], factor = 1.0;
        trial_problem p = problem_stiff_pair(&eps);
        mesh g = mesh_open(2, 0.0, 8.0 * h, 8, 1.0);
        mesh_begin(&g, &p, 1);
        dictated_fill(&(dictated){"radau", 1, 0.0}, &p, &g, 1);
        for (int n = 1; n <= 8; n++) {
            double t = n * h, smooth = h * t * t / 2 + h * h * t / 6 + h * eps * t - h * eps * eps;
            factor = eps > 0.0 ? factor / (1.0 + h / eps) : 0.0;
            expect_near(mesh_at(&g, n)[1] - t * t - h * eps, -h * eps * factor, 1e-14);
            expect_near(mesh_at(&g, n)[0] - t * t * t / 3 - smooth, h * eps * eps * factor, 1e-14);
        }
        mesh_close(&g);
    }
}

/* ---- C173, C174: the pendulum with its index lowered to 1 --------------------------------------
 */

enum { N = 5 };
static const pendulum SWINGING = {1.0, 0.5, 1};

static int rod(double t, const double *y, double *g, void *user)
{
    (void)t;
    (void)user;
    g[0] = y[0] * y[0] + y[1] * y[1] - 1.0;
    g[1] = y[0] * y[2] + y[1] * y[3];
    return DAEDAL_CALL_OK;
}

/* Places meet their constraint, then velocities theirs. */
static int rod_jacobian(double t, const double *y, double *values, void *user)
{
    (void)t;
    (void)user;
    values[0] = 2.0 * y[0];
    values[1] = 2.0 * y[1];
    values[2] = y[0];
    values[3] = y[1];
    return DAEDAL_CALL_OK;
}

static trial_problem swinging(bool projected)
{
    static const int32_t start[] = {0, 1, 2, 3, 4, 4}, row[] = {0, 0, 1, 1}, levels[] = {-2, -1};
    static const daedal_pattern entries = {.n_rows = 2, .n_cols = N, .start = start, .row = row};
    trial_problem p = problem_pendulum(&SWINGING);
    if (projected) {
        p.sys.n_constraints = 2;
        p.sys.constraints = rod;
        p.sys.constraint_jacobian = rod_jacobian;
        p.sys.constraint_pattern = &entries;
        p.sys.constraint_level = (daedal_ints){levels, 2};
    }
    return p;
}

/* From 0 to t1 in equal steps: the largest error of the rod on the way, and that at the end. */
static double swing(const dictated *how, bool projected, double t1, int32_t steps, double *error)
{
    trial_problem p = swinging(projected);
    int32_t first = strncmp(how->method, "bdf", 3) == 0 ? how->order : 1;
    double right[N], g[2], drift = 0.0;
    mesh m = mesh_open(N, 0.0, t1, steps, 1.0);
    mesh_begin(&m, &p, first);
    dictated_fill(how, &p, &m, first);
    for (int32_t i = 0; i <= steps; i++) {
        rod(m.times[i], mesh_at(&m, i), g, NULL);
        drift = fmax(drift, fmax(fabs(g[0]), projected ? fabs(g[1]) : 0.0));
    }
    p.exact(t1, right, p.sys.user);
    for (int v = 0; v < N; v++)
        right[v] -= mesh_at(&m, steps)[v];
    *error = largest_error(right, N);
    mesh_close(&m);
    return drift;
}

/* A step that projection moves by more than the tolerance is refused. */
static const struct {
    dictated free;
    double tolerance; /* with projection */
    int32_t steps;
} SWINGS[] = {
    {{"bdf", 2, 0.0}, 1e-5, 200},  {{"bdf", 3, 0.0}, 1e-5, 100},  {{"bdf", 4, 0.0}, 1e-5, 100},
    {{"radau", 5, 0.0}, 1e-7, 40}, {{"rodas", 5, 0.0}, 1e-5, 40}, {{"limex", 2, 0.0}, 0.0, 400},
    {{"limex", 3, 0.0}, 0.0, 100},
};

/* |g| <= h^p (A t + B t^2), [HW96] VII Theorem 2.1. */
static void c173_drift(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(SWINGS); k++) {
        const dictated *how = &SWINGS[k].free;
        double error;
        double coarse = swing(how, false, 4.0, SWINGS[k].steps, &error);
        double fine = swing(how, false, 4.0, 2 * SWINGS[k].steps, &error);
        double late = swing(how, false, 16.0, 4 * SWINGS[k].steps, &error);
        double growth = log(late / coarse) / log(4.0);
        print_message("%-6s %d: order %.2f, exponent of time %.2f\n", how->method, (int)how->order,
                      order_between(coarse, fine), growth);
        expect_order(how->method, "drift", order_between(coarse, fine), how->order, 0.3);
        assert_true(growth > 0.7 && growth < 2.2);
    }
}

/* After projection the rod keeps its length, and no order is lost in places, velocities, force. */
static void c174_projection(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(SWINGS); k++) {
        dictated how = SWINGS[k].free;
        double coarse, fine;
        double drift = swing(&how, false, 4.0, SWINGS[k].steps, &coarse);
        how.tolerance = SWINGS[k].tolerance;
        double left = swing(&how, true, 4.0, SWINGS[k].steps, &coarse);
        swing(&how, true, 4.0, 2 * SWINGS[k].steps, &fine);
        print_message("%-6s %d: order %.2f, rod off by %.1e, without projection %.1e\n", how.method,
                      (int)how.order, order_between(coarse, fine), left, drift);
        assert_true(left < 1e-2 * drift);
        expect_order(how.method, "projected", order_between(coarse, fine), how.order, 0.35);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_the_tables),
        cmocka_unit_test(c055_first_step_of_index_three),
        cmocka_unit_test(c060_nonlinear_implicit_index_one),
        cmocka_unit_test(c061_no_layer_after_accurate_starts),
        cmocka_unit_test(c063_table_6_2_1),
        cmocka_unit_test(c064_pendulum_forgives_rough_starts),
        cmocka_unit_test(c082_errors_on_uniform_index_one),
        cmocka_unit_test(c083_local_orders_on_uniform_index_one),
        cmocka_unit_test(c088_local_error),
        cmocka_unit_test(c089_error_propagation),
        cmocka_unit_test(c100_stiff_limit),
        cmocka_unit_test(c117_perturbed_expansion),
        cmocka_unit_test(c173_drift),
        cmocka_unit_test(c174_projection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
