/* tests/property/test_dense_output.c - dense output between the ends of every step: its y' is the
 * derivative of its y, both meet the ends of the step, and values are near the solution. */
#include <math.h>
#include <string.h>

#include "driving.h"
#include "harness.h"

/* x'' = -x - 2 d x', with z = x + 2 x' if there are three unknowns. */
static int swing(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0] + 2.0 * *(const double *)user * y[1];
    return 0;
}

static int swing_with_sum(double t, const double *y, const double *yp, double *r, void *user)
{
    r[2] = y[2] - y[0] - 2.0 * y[1];
    return swing(t, y, yp, r, user);
}

/* Without damping x^2 + x'^2 = 1, which may also be demanded. */
static int circle(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return 0;
}

static int circle_slopes(double t, const double *y, double *values, void *user)
{
    (void)t, (void)user;
    values[0] = 2.0 * y[0];
    values[1] = 2.0 * y[1];
    return 0;
}

static const int32_t START[] = {0, 1, 2}, ROW[] = {0, 0};
static const daedal_pattern PATTERN = {1, 2, START, ROW};

static const double Y0[] = {1.0, 0.0, 1.0};

static void solution(double d, double t, double y[3])
{
    double w = sqrt(1.0 - d * d), e = exp(-d * t), c = cos(w * t), s = sin(w * t);
    y[0] = e * (c + d / w * s);
    y[1] = -e * s / w;
    y[2] = y[0] + 2.0 * y[1];
}

static const struct {
    const char *options;
    int32_t n;
    double damping;
    double smooth; /* how far y' may be from the slope of y; bdf and limex interpolate it apart */
    double error;  /* how far y may be from the solution                                       */
    bool constrained;
} ROWS[] = {
    {"method=bdf rtol=1e-6 atol=1e-6", 3, 0.05, 2e-3, 1e-6, false},
    {"method=bdf_classic rtol=1e-6 atol=1e-6", 3, 0.05, 5e-5, 5e-5, false},
    {"method=radau rtol=1e-6 atol=1e-6", 3, 0.05, 1e-8, 1e-4, false},
    {"method=radau rtol=1e-3 atol=1e-3", 3, 0.05, 1e-8, 3e-3, false},
    {"method=radau rtol=1e-9 atol=1e-9", 3, 0.05, 1e-8, 5e-7, false},
    {"method=rodas rtol=1e-4 atol=1e-4", 3, 0.05, 1e-8, 4e-4, false},
    {"method=limex rtol=1e-5 atol=1e-5", 3, 0.05, 2e-5, 2e-3, false},
    {"method=dopri rtol=1e-6 atol=1e-6", 2, 0.05, 1e-8, 1e-6, false},
    {"method=rattle rtol=1e-4 atol=1e-4", 2, 0.0, 1e-8, 3e-4, false},
    {"method=bdf rtol=1e-6 atol=1e-6 constraint_method=project", 2, 0.0, 3e-5, 2e-6, true},
    {"method=radau rtol=1e-3 atol=1e-3 constraint_method=project", 2, 0.0, 1e-8, 2e-4, true},
    {"method=radau rtol=1e-6 atol=1e-6 constraint_method=project", 2, 0.0, 1e-8, 2e-6, true},
    {"method=rodas rtol=1e-3 atol=1e-3 constraint_method=project", 2, 0.0, 1e-8, 3e-3, true},
    {"method=limex rtol=1e-4 atol=1e-4 constraint_method=project", 2, 0.0, 1e-5, 6e-4, true},
    {"method=dopri rtol=1e-4 atol=1e-4 constraint_method=project", 2, 0.0, 1e-8, 1e-4, true},
};

/* Inside the last step, from t_before. */
static void check_step(daedal_solver *s, size_t k, double t_before, const double *y_before)
{
    const daedal_state *now = daedal_solver_state(s);
    int32_t n = ROWS[k].n;
    double h = now->t - t_before, y[3], yp[3], left[3], right[3], exact[3];
    assert_int_equal(daedal_solver_interpolate(s, t_before, y, yp), DAEDAL_OK);
    for (int32_t i = 0; i < n; i++)
        expect_near(y[i], y_before[i], 1e-12);
    for (int q = 1; q < 8; q++) {
        double t = t_before + q / 8.0 * h, e = 1e-5 * h;
        assert_int_equal(daedal_solver_interpolate(s, t, y, yp), DAEDAL_OK);
        assert_int_equal(daedal_solver_interpolate(s, t - e, left, NULL), DAEDAL_OK);
        assert_int_equal(daedal_solver_interpolate(s, t + e, right, NULL), DAEDAL_OK);
        solution(copysign(ROWS[k].damping, h), t, exact);
        for (int32_t i = 0; i < n; i++) {
            expect_near(y[i], exact[i], ROWS[k].error);
            expect_near((right[i] - left[i]) / (2.0 * e), yp[i], ROWS[k].smooth + 1e-10 / fabs(h));
        }
    }
}

static void test_steps(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(ROWS); k++)
        for (int way = 1; way >= -1; way -= 2) {
            double damping = way * ROWS[k].damping;
            daedal_system sys = {.n = ROWS[k].n,
                                 .residual = ROWS[k].n == 3 ? swing_with_sum : swing,
                                 .user = &damping};
            if (ROWS[k].constrained) {
                sys.n_constraints = 1;
                sys.constraints = circle;
                sys.constraint_jacobian = circle_slopes;
                sys.constraint_pattern = &PATTERN;
            }
            daedal_solver *s = start_solver(&sys, ROWS[k].options, 0.0, Y0, NULL);
            double t = 0.0, y[3];
            memcpy(y, Y0, sizeof y);
            while (fabs(t) < 6.0) {
                assert_true(daedal_solver_step(s, way * 6.0) >= 0);
                check_step(s, k, t, y);
                t = daedal_solver_state(s)->t;
                memcpy(y, daedal_solver_state(s)->y, (size_t)ROWS[k].n * sizeof *y);
            }
            daedal_solver_free(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
