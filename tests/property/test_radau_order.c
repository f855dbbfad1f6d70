/* tests/property/test_radau_order.c - measured convergence of Radau IIA with 1, 3, 5 and 7
 * stages: at the mesh points of an ODE and of systems of index 1, 2 and 3, of the interpolant,
 * of the error estimate.                                                          */
#include <float.h>
#include <math.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "integ/radau.h"

enum { N_MAX = 4 };

/* A system with a known solution. */
typedef struct example {
    daedal_system sys;
    void (*exact)(double t, double *y, double *yp);
} example;

/* ---- the examples ---- */

/* y1' = y2 q, y2' = -y1 q, q = 0.98 + 0.02 (y1^2 + y2^2): the unit circle. */
static int circle(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    double q = 0.98 + 0.02 * (y[0] * y[0] + y[1] * y[1]);
    r[0] = yp[0] - y[1] * q;
    r[1] = yp[1] + y[0] * q;
    return DAEDAL_CALL_OK;
}

static void circle_exact(double t, double *y, double *yp)
{
    yp[0] = y[1] = cos(t);
    y[0] = sin(t);
    yp[1] = -sin(t);
}

/* Index 1 with y' in a product: y' z = (a(t) - y z / 50) z, z^2 + y = g(t); y = sin t,
 * z = 20 + cos t.                                                                 */
static int product(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double z = 20.0 + cos(t), a = cos(t) + 0.02 * sin(t) * z, g = z * z + sin(t);
    r[0] = yp[0] * y[1] - (a - 0.02 * y[0] * y[1]) * y[1];
    r[1] = y[1] * y[1] + y[0] - g;
    return DAEDAL_CALL_OK;
}

static void product_exact(double t, double *y, double *yp)
{
    y[0] = sin(t);
    y[1] = 20.0 + cos(t);
    yp[0] = cos(t);
    yp[1] = -sin(t);
}

/* Index 2, Hessenberg, nonlinear in z where it hurts: y1 = sin t, y2 = cos t, z = 2 + sin t. */
static int hessenberg(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double s = sin(t), c = cos(t);
    r[0] = yp[0] - y[1] - 0.02 * (y[1] * y[2] - c * (2.0 + s));
    r[1] = yp[1] - y[2] + 2.0 + 2.0 * s;
    r[2] = y[1] + 0.02 * y[0] * y[0] - c - 0.02 * s * s;
    return DAEDAL_CALL_OK;
}

static void hessenberg_exact(double t, double *y, double *yp)
{
    y[0] = sin(t);
    y[1] = cos(t);
    y[2] = 2.0 + sin(t);
    yp[0] = yp[2] = cos(t);
    yp[1] = -sin(t);
}

/* Index 3: x = sin t, w = cos t, v = x' / (1 + w/100), u = 1 + sin t. */
static int index3(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double s = sin(t), c = cos(t), q = 1.0 + 0.01 * c;
    double x = y[0], w = y[1], v = y[2], u = y[3];
    r[0] = yp[0] - v * (1.0 + 0.01 * w);
    r[1] = yp[1] + w - x + 2.0 * s - c;
    r[2] = yp[2] - u + s / (q * q) + 1.0 + s;
    r[3] = x + 0.01 * w * x - s - 0.01 * c * s;
    return DAEDAL_CALL_OK;
}

static void index3_exact(double t, double *y, double *yp)
{
    double s = sin(t), c = cos(t), q = 1.0 + 0.01 * c;
    y[0] = s;
    y[1] = c;
    y[2] = c / q;
    y[3] = 1.0 + s;
    yp[0] = yp[3] = c;
    yp[1] = -s;
    yp[2] = -s / (q * q);
}

static const int32_t index_of_2[] = {1, 1, 2}, index_of_3[] = {1, 1, 2, 3};

static const example an_ode = {{.n = 2, .residual = circle}, circle_exact};
static const example of_index_1 = {{.n = 2, .residual = product}, product_exact};
static const example of_index_2 = {
    {.n = 3, .residual = hessenberg, .variable_index = {index_of_2, 3}}, hessenberg_exact};
static const example of_index_3 = {{.n = 4, .residual = index3, .variable_index = {index_of_3, 4}},
                                   index3_exact};

/* ---- steps of a given size and number of stages ---- */

/* A started run with a Radau integrator whose error test passes everything, while Newton goes
 * to roundoff.                                                                    */
static radau *open_run(run *r, const example *e)
{
    double y0[N_MAX], yp0[N_MAX];
    daedal_options opt =
        options_of(e->sys.variable_index.n ? "method=radau start=given rtol=1e-10 atol=1e-10"
                                           : "method=radau start=given rtol=1e-13 atol=1e-13");
    e->exact(0.0, y0, yp0);
    assert_int_equal(run_create(r, &e->sys, &opt), DAEDAL_OK);
    run_start_values from = {.t = 0.0, .y = y0, .yp = yp0};
    assert_int_equal(run_start(r, &from), DAEDAL_OK);
    r->limits.direction = 1.0;
    assert_int_equal(run_begin_integrator(r, 1.0, HUGE_VAL), DAEDAL_OK);
    radau *b = r->integrator;
    for (int32_t k = 0; k <= b->control.pairs_max; k++)
        for (int32_t i = 0; i < e->sys.n; i++)
            b->control.loosening[k][i] = 1e-250;
    b->control.granted = HUGE_VAL;
    return b;
}

/* Largest errors over all steps: of y at mesh points by variable, of y and y' inside. */
typedef struct errors {
    double mesh[N_MAX], inside, slope_inside;
} errors;

static void take_errors(const example *e, radau *b, errors *worst)
{
    double y[N_MAX], yp[N_MAX], at[N_MAX], slope[N_MAX];
    e->exact(b->t, y, yp);
    for (int32_t i = 0; i < e->sys.n; i++)
        worst->mesh[i] = fmax(worst->mesh[i], fabs(b->y[i] - y[i]));
    for (int k = 1; k < 8; k++) {
        double t = b->t_before + (b->t - b->t_before) * k / 8.0;
        e->exact(t, y, yp);
        radau_interpolate(b, t, at, slope);
        for (int32_t i = 0; i < e->sys.n; i++) {
            worst->inside = fmax(worst->inside, fabs(at[i] - y[i]));
            worst->slope_inside = fmax(worst->slope_inside, fabs(slope[i] - yp[i]));
        }
    }
}

static errors walk(const example *e, int32_t which, double t_end, int steps)
{
    run r;
    errors worst = {0};
    radau *b = open_run(&r, e);
    for (int i = 0; i < steps; i++) {
        b->h = t_end / steps;
        b->pairs = which;
        assert_int_equal(radau_step(b, t_end * (i + 1) / steps), DAEDAL_OK);
        if (b->pairs_last != which || b->t != t_end * (i + 1) / steps)
            fail_msg("%d stages, %d steps to %g: Newton failed", (int)(2 * which + 1), steps,
                     t_end);
        take_errors(e, b, &worst);
    }
    assert_int_equal(r.stats.rejected_error, 0);
    run_free(&r);
    return worst;
}

/* ---- orders ---- */

typedef struct measurement {
    const char *what;
    const example *e;
    int32_t which, steps;
    double t_end;
    double least[N_MAX]; /* order of each variable at least; 0: roundoff hides it */
} measurement;

/* Orders of theory: ODE and index 1: 2s-1; index 2: 2s-1 and s; index 3: 2s-2 or more, s, s-1
 * ([HW96] VI.1, VII.4).  A slack of a few tenths: the steps are not small.        */
static const measurement mesh[] = {
    {"ODE, s = 1", &an_ode, 0, 400, 2.0, {0.9, 0.9}},
    {"ODE, s = 3", &an_ode, 1, 10, 6.0, {4.7, 4.7}},
    {"ODE, s = 5", &an_ode, 2, 5, 6.0, {8.4, 8.4}},
    {"ODE, s = 7", &an_ode, 3, 3, 6.6, {11.8, 11.8}},
    {"index 1, s = 1", &of_index_1, 0, 400, 1.0, {0.9, 0.9}},
    {"index 1, s = 3", &of_index_1, 1, 8, 2.0, {4.6, 4.6}},
    {"index 1, s = 5", &of_index_1, 2, 2, 3.0, {8.4, 8.4}},
    {"index 1, s = 7", &of_index_1, 3, 2, 5.0, {11.5, 0.0}},
    {"index 2, s = 1", &of_index_2, 0, 100, 1.0, {0.9, 0.9, 0.9}},
    {"index 2, s = 3", &of_index_2, 1, 8, 4.0, {4.5, 4.5, 2.7}},
    {"index 2, s = 5", &of_index_2, 2, 4, 6.0, {8.0, 8.0, 4.6}},
    {"index 2, s = 7", &of_index_2, 3, 3, 6.0, {0.0, 0.0, 6.5}},
    {"index 3, s = 3", &of_index_3, 1, 8, 4.0, {3.7, 3.7, 2.7, 1.7}},
    {"index 3, s = 5", &of_index_3, 2, 4, 4.0, {0.0, 7.5, 4.6, 3.6}},
};

static void test_order_at_mesh_points(void **state)
{
    (void)state;
    int bad = 0;
    for (size_t k = 0; k < COUNT(mesh); k++) {
        const measurement *m = &mesh[k];
        errors coarse = walk(m->e, m->which, m->t_end, m->steps);
        errors fine = walk(m->e, m->which, m->t_end, 2 * m->steps);
        for (int32_t i = 0; i < m->e->sys.n; i++) {
            double order = log2(coarse.mesh[i] / fine.mesh[i]);
            if (m->least[i] == 0.0 || order >= m->least[i])
                continue;
            print_error("%s: y[%d] has order %.2f, not %.2f (errors %.3g, %.3g)\n", m->what, (int)i,
                        order, m->least[i], coarse.mesh[i], fine.mesh[i]);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

/* Between mesh points: min(s + 2, 2 s - 1) for y, one less for y'. */
static void test_order_of_the_interpolant(void **state)
{
    (void)state;
    static const int steps[RADAU_SIZES] = {400, 12, 8, 6};
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        int32_t s = 2 * which + 1, wanted = s == 1 ? 1 : s + 2;
        errors coarse = walk(&an_ode, which, 6.0, steps[which]);
        errors fine = walk(&an_ode, which, 6.0, 2 * steps[which]);
        double order = log2(coarse.inside / fine.inside);
        double of_slope = log2(coarse.slope_inside / fine.slope_inside);
        if (!(order > wanted - 0.5 && of_slope > wanted - 1.5))
            fail_msg("s = %d: orders %.2f and %.2f (errors %.3g, %.3g)", (int)s, order, of_slope,
                     coarse.inside, fine.inside);
    }
}

/* y and y' are continuous where two steps meet. */
static void test_interpolant_is_smooth(void **state)
{
    (void)state;
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        run r;
        radau *b = open_run(&r, &of_index_1);
        double y[2], yp[2], before[2], slope[2];
        for (int i = 0; i < 4; i++) {
            memcpy(before, b->y, sizeof before);
            memcpy(slope, b->yp, sizeof slope);
            b->h = i % 2 ? 0.1 : 0.17;
            b->pairs = which;
            assert_int_equal(radau_step(b, 10.0), DAEDAL_OK);
            radau_interpolate(b, b->t_before, y, yp);
            for (int j = 0; j < 2; j++) {
                expect_near(y[j], before[j], 1e-13);
            }
            expect_near(yp[0], slope[0], 1e-11); /* y' of z is not determined by F */
            radau_interpolate(b, nextafter(b->t, 0.0), y, yp);
            expect_near(yp[0], b->yp[0], 1e-11);
            for (int j = 0; j < 2; j++)
                expect_near(y[j], b->y[j], 1e-13);
        }
        run_free(&r);
    }
}

/* The estimate of one step from exact values goes with h^(s+1). */
static double estimate(int32_t which, double h)
{
    run r;
    radau *b = open_run(&r, &an_ode);
    for (int32_t i = 0; i < 2; i++)
        b->control.loosening[which][i] = 1e-12; /* error in units of roughly 0.1 */
    b->h = h;
    b->pairs = which;
    assert_int_equal(radau_step(b, 10.0), DAEDAL_OK);
    double error = b->control.error;
    run_free(&r);
    return error;
}

static void test_order_of_the_estimate(void **state)
{
    (void)state;
    static const double sizes[RADAU_SIZES] = {0.02, 0.2, 0.6, 1.0};
    for (int32_t which = 0; which < RADAU_SIZES; which++) {
        double order = log2(estimate(which, sizes[which]) / estimate(which, 0.5 * sizes[which]));
        if (!(fabs(order - (2 * which + 2)) < 0.5))
            fail_msg("s = %d: the estimate has order %.2f", (int)(2 * which + 1), order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_at_mesh_points),
        cmocka_unit_test(test_order_of_the_interpolant),
        cmocka_unit_test(test_interpolant_is_smooth),
        cmocka_unit_test(test_order_of_the_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
