/* tests/conformance/c140_filter.c - the filtered error estimate (c E + J)^-1 c E v of
 * Petzold, E = dF/dy', J = dF/dy: C140, C141.                                     */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "driving.h"
#include "seeded.h"

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g within %.1e", found, wanted, tolerance);
}

/* E y' + J y = 0 by rows. */
enum { N = 3 };
typedef struct pencil {
    double E[N][N], J[N][N];
} pencil;

static int linear(double t, const double *y, const double *yp, double *r, void *user)
{
    const pencil *p = user;
    (void)t;
    for (int i = 0; i < N; i++) {
        r[i] = 0.0;
        for (int j = 0; j < N; j++)
            r[i] += p->E[i][j] * yp[j] + p->J[i][j] * y[j];
    }
    return DAEDAL_CALL_OK;
}

static int linear_jacobian(double t, const double *y, const double *yp, double c, double *v,
                           void *user)
{
    const pencil *p = user;
    (void)t;
    (void)y;
    (void)yp;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            v[j * N + i] = c * p->E[i][j] + p->J[i][j];
    return DAEDAL_CALL_OK;
}

/* The filter applied to v at c = 1/h: each component of the result, and the norm that the
 * error test would use.                                                           */
static double filter(pencil *p, double h, const double *v, double *out)
{
    daedal_system sys = {.n = N, .residual = linear, .jacobian = linear_jacobian, .user = p};
    const double zero[N] = {0};
    kernel k;
    kernel_open(&k, &sys, "error_test=filtered start=given rtol=0 atol=1 calibrate_tolerance=no",
                0.0, zero, zero);
    matrix_point at = {0.0, h, zero, zero, NULL, k.b->inverse_weight};
    assert_int_equal(matrix_evaluate(k.b->in.matrix, &at), DAEDAL_CALL_OK);
    assert_int_equal(matrix_factor(k.b->in.matrix, 1.0 / h), DAEDAL_OK);
    for (int i = 0; i < N; i++)
        assert_near(k.b->inverse_weight[i], 1.0, 0.0);
    double norm = bdf_error_norm(k.b, v, bdf_plain_norm(k.b, v));
    for (int i = 0; i < N; i++)
        out[i] = k.b->work2[i] / h;
    kernel_close(&k);
    return norm;
}

static double rms(const double *v)
{
    return sqrt((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / N);
}

/* An ordinary differential equation: filter v = v + O(h). */
static void c140_filter_of_an_ode_tends_to_identity(void **state)
{
    (void)state;
    pencil p = {.E = {{2, 1, 0}, {0, 1, 0}, {1, 0, 3}}, .J = {{5, 1, 2}, {3, -4, 1}, {0, 2, 7}}};
    const double v[N] = {1.0, -2.0, 0.5};
    double before = 0.0;
    for (int i = 2; i <= 8; i++) {
        double out[N], change[N];
        double norm = filter(&p, pow(10.0, -i), v, out);
        for (int j = 0; j < N; j++)
            change[j] = out[j] - v[j];
        assert_near(norm, rms(out), 1e-12);
        if (i > 3)
            assert_near(rms(change) / before, 0.1, 0.01);
        before = rms(change);
    }
    assert_true(before < 1e-6);
}

/* Index 1, y0 and y1 differential, y2 = y0 + 4 y1: an error in y2 alone is not seen, one in
 * the others is, with what it induces in y2, up to O(h).                          */
static void c140_filter_removes_algebraic_errors(void **state)
{
    (void)state;
    pencil p = {.E = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, .J = {{1, 2, 1}, {-1, 1, 3}, {-1, -4, 1}}};
    const double algebraic[N] = {0.0, 0.0, 5.0}, mixed[N] = {1.0, -0.5, 123.0};
    for (int i = 2; i <= 8; i += 2) {
        double h = pow(10.0, -i), out[N];
        assert_near(filter(&p, h, algebraic, out), 0.0, 0.0);
        filter(&p, h, mixed, out);
        assert_near(out[0], mixed[0], 20.0 * h);
        assert_near(out[1], mixed[1], 20.0 * h);
        assert_near(out[2], mixed[0] + 4.0 * mixed[1], 100.0 * h);
    }
}

/* The same with E hidden: rows and columns mixed, no zero column. */
static void c140_filter_sees_through_combinations(void **state)
{
    (void)state;
    /* x = (y0 + y2, y1 - y2, y2) in the system above without its couplings */
    pencil p = {.E = {{1, 0, 1}, {0, 1, -1}, {1, 1, 0}}, .J = {{1, 0, 1}, {0, 2, -2}, {1, 2, 2}}};
    /* algebraic direction: E v = 0 for v = (-1, 1, 1) */
    const double hidden[N] = {-1.0, 1.0, 1.0};
    double out[N];
    assert_near(filter(&p, 1e-4, hidden, out), 0.0, 1e-15);
}

/* Index 2: x' = z, x = g, w' = -w + z.  For a local error v = h^(k+1) u the filter leaves
 * O(h^(k+1)) in the differential w and O(h^k) in the algebraic z.                 */
static void c140_filter_orders_in_index_two(void **state)
{
    (void)state;
    pencil p = {.E = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, .J = {{0, 0, -1}, {0, 1, -1}, {1, 0, 0}}};
    for (int k = 1; k <= 3; k++) {
        double out[2][N];
        for (int i = 0; i < 2; i++) {
            double h = i == 0 ? 1e-3 : 1e-4, v[N];
            for (int j = 0; j < N; j++)
                v[j] = pow(h, k + 1) * (1.0 + j);
            filter(&p, h, v, out[i]);
        }
        assert_near(out[0][0], 0.0, 1e-6 * fabs(out[0][1]));
        assert_near(log10(fabs(out[0][1] / out[1][1])), k + 1, 0.01);
        assert_near(log10(fabs(out[0][2] / out[1][2])), k, 0.01);
    }
}

/* ---- C141 -------------------------------------------------------------------------------- */

/* F linear in y', with coefficients of y and t. */
static int linear_in_slopes(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = (1.0 + y[1] * y[1]) * yp[0] + y[2] * yp[2] + exp(y[0]) - t;
    r[1] = cos(y[0]) * yp[1] - t * yp[0] + y[2];
    r[2] = y[0] * y[1] - y[2] + 0.5 * yp[0] * y[0];
    return DAEDAL_CALL_OK;
}

/* F(t, y, y' + tau) - F(t, y, y') = E tau, E as the library holds it. */
static void expect_mass_times_error(const daedal_system *sys, double tolerance)
{
    for (uint32_t seed = 1; seed <= 100; seed++) {
        seeded random = seeded_begin(seed);
        double y[N], yp[N], tau[N], moved[N], r0[N], r1[N], product[N];
        seeded_fill(&random, y, N, 2.0);
        seeded_fill(&random, yp, N, 2.0);
        seeded_fill(&random, tau, N, 2.0);
        for (int i = 0; i < N; i++)
            moved[i] = yp[i] + tau[i];
        kernel k;
        kernel_open(&k, sys, "start=given", 0.7, y, yp);
        matrix_point at = {0.7, 0.1, y, yp, NULL, k.b->inverse_weight};
        assert_int_equal(matrix_evaluate(k.b->in.matrix, &at), DAEDAL_CALL_OK);
        matrix_times_dyp(k.b->in.matrix, tau, product);
        assert_int_equal(evaluator_residual(k.b->in.ev, 0.7, y, yp, r0), DAEDAL_CALL_OK);
        assert_int_equal(evaluator_residual(k.b->in.ev, 0.7, y, moved, r1), DAEDAL_CALL_OK);
        for (int i = 0; i < N; i++)
            seeded_require(&random, fabs(r1[i] - r0[i] - product[i]) < tolerance,
                           "row %d: %.17g is not %.17g", i, r1[i] - r0[i], product[i]);
        kernel_close(&k);
    }
}

static void c141_residual_difference_is_mass_times_error(void **state)
{
    (void)state;
    daedal_system sys = {.n = N, .residual = linear_in_slopes};
    expect_mass_times_error(&sys, 1e-5); /* E by differences: half of the digits */
}

/* With a given mass matrix the identity holds to roundoff. */
static int mass(double t, const double *y, double *m, void *user)
{
    (void)user;
    m[0] = 1.0 + y[1] * y[1];
    m[1] = -t;
    m[2] = 0.5 * y[0];
    m[4] = cos(y[0]);
    m[6] = y[2];
    return DAEDAL_CALL_OK;
}

static int rhs(double t, const double *y, double *f, void *user)
{
    (void)user;
    f[0] = t - exp(y[0]);
    f[1] = -y[2];
    f[2] = y[2] - y[0] * y[1];
    return DAEDAL_CALL_OK;
}

static void c141_exact_in_mass_form(void **state)
{
    (void)state;
    daedal_system sys = {.n = N, .rhs = rhs, .mass = mass, .mass_kind = DAEDAL_MASS_OF_STATE};
    expect_mass_times_error(&sys, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c140_filter_of_an_ode_tends_to_identity),
        cmocka_unit_test(c140_filter_removes_algebraic_errors),
        cmocka_unit_test(c140_filter_sees_through_combinations),
        cmocka_unit_test(c140_filter_orders_in_index_two),
        cmocka_unit_test(c141_residual_difference_is_mass_times_error),
        cmocka_unit_test(c141_exact_in_mass_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
