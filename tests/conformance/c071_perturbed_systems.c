/* tests/conformance/c071_perturbed_systems.c - systems near a differential-algebraic one: C071,
 * C072, C074.                                                                           */
#include <math.h>

#include "driving.h"
#include "fixed_step.h"
#include "harness.h"

/* ---- C071 ------------------------------------------------------------------------------ */

/* eps y' = -(y - cos t) */
static int relaxing(double t, const double *y, const double *yp, double *r, void *user)
{
    r[0] = *(const double *)user * yp[0] + y[0] - cos(t);
    return DAEDAL_CALL_OK;
}

/* From y(0) = 2: the layer falls by 1/(1 + h/eps) in a step; what is left is O(eps). */
static void c071_singular_perturbation(void **state)
{
    (void)state;
    const double h = 0.05;
    tableau euler = tableau_of("implicit_euler");
    double left[3];
    for (int i = 0; i < 3; i++) {
        double eps = 1e-3 / (1 << i), y = 2.0, smooth = cos(0.0), factor = 1.0;
        daedal_system sys = {.n = 1, .residual = relaxing, .user = &eps};
        for (int n = 0; n < 20; n++) {
            assert_true(rk_step(&euler, &sys, n * h, h, &y, NULL));
            assert_true(rk_step(&euler, &sys, n * h, h, &smooth, NULL));
            factor /= 1.0 + h / eps;
            expect_near(y - smooth, factor, 1e-13 + 1e-6 * factor); /* the layer alone */
            assert_true(fabs(y - cos((n + 1) * h)) <= factor + eps);
        }
        left[i] = fabs(y - cos(1.0));
    }
    expect_order("distance to the reduced solution", "eps", order_between(left[0], left[1]), 1.0,
                 0.05);
    expect_order("distance to the reduced solution", "eps", order_between(left[1], left[2]), 1.0,
                 0.05);
}

/* ---- C072 ------------------------------------------------------------------------------ */

/* A circle x' = (x2, -x1) - g_x^T mu, eps mu = g = (|x|^2 - 1)/2 ([BCP96] (3.3.15), the sign as the
 * decay of mu demands).                                                            */
static int held_circle(double t, const double *y, const double *yp, double *r, void *user)
{
    double g = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1.0);
    (void)t;
    r[0] = yp[0] - y[1] + y[0] * y[2];
    r[1] = yp[1] + y[0] + y[1] * y[2];
    r[2] = *(const double *)user * y[2] - g;
    return DAEDAL_CALL_OK;
}

static double violation(double eps, double h, bool held)
{
    daedal_system sys = {.n = 3, .residual = held_circle, .user = &eps};
    tableau euler = tableau_of("implicit_euler");
    double y[] = {1.0, 0.0, 0.0}, huge = 1e12;
    if (!held)
        sys.user = &huge;
    rk_run(&euler, &sys, 0.0, 5.0, (int32_t)lround(5.0 / h), y);
    return fabs(0.5 * (y[0] * y[0] + y[1] * y[1] - 1.0));
}

static void c072_partial_regularization(void **state)
{
    (void)state;
    const double h = 0.05;
    assert_true(violation(1.0, h, false) > 0.1); /* implicit Euler spirals inwards */
    for (double eps = 1e-2; eps > 1e-5; eps *= 0.5) {
        double g = violation(eps, h, true);
        assert_true(g <= eps * (1.0 + 1.0 / h));
        expect_about("halved eps", violation(0.5 * eps, h, true), 0.5 * g, 0.02);
    }
}

/* ---- C074 ------------------------------------------------------------------------------ */

/* (A + eps B) x' + B x = f of the chain x_1 = sin t, x_i = x_{i-1}' (A x' + B x = f with B = I, A
 * the negative shift): [BCP96] (3.3.10).                                               */
typedef struct regularized {
    int32_t index;
    double eps;
} regularized;

static int regularized_chain(double t, const double *y, const double *yp, double *r, void *user)
{
    const regularized *p = user;
    for (int32_t i = 0; i < p->index; i++)
        r[i] = p->eps * yp[i] + y[i] - (i == 0 ? sin(t) : yp[i - 1]);
    return DAEDAL_CALL_OK;
}

/* The library integrates the stiff system past its layers, of width eps. */
static double distance_to_limit(int32_t index, double eps)
{
    const double limit[] = {sin(1.0), cos(1.0), -sin(1.0)}, y0[] = {0.0, 1.0, 0.0};
    regularized p = {index, eps};
    daedal_system sys = {.n = index, .residual = regularized_chain, .user = &p};
    double y[3];
    solve_to(&sys, "method=radau rtol=1e-9 atol=1e-10", 0.0, y0, 1.0, y);
    return fabs(y[index - 1] - limit[index - 1]);
}

static void c074_pencil_regularization(void **state)
{
    (void)state;
    for (int32_t index = 1; index <= 3; index++)
        for (double eps = 4e-3; eps > 1.5e-3; eps *= 0.5) {
            double coarse = distance_to_limit(index, eps);
            double fine = distance_to_limit(index, 0.5 * eps);
            assert_true(coarse < 5.0 * eps);
            expect_order("pencil regularization", "eps", order_between(coarse, fine), 1.0, 0.05);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c071_singular_perturbation),
        cmocka_unit_test(c072_partial_regularization),
        cmocka_unit_test(c074_pencil_regularization),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
