/* tests/unit/test_perturbed_system.c - a system that sees slightly other values: every function
 * gets its own user pointer; those of the equations see moved values, events and constraints do
 * not. */
#include <math.h>
#include <string.h>

#include "solver/perturbed_system.h"

#include "harness.h"

enum { N = 3 };
static const double T = 0.7, Y[N] = {1.0, -2.0, 5.0}, YP[N] = {4.0, 5.0, 6.0},
                    V[N] = {7.0, 8.0, 9.0};
static const double SIZE[N] = {1e-3, 2e-3, 0.0};

/* What a function was called with. */
typedef struct record {
    double y[N];
    int calls;
    bool is_right; /* the arguments that are not moved */
} record;

static int note(void *user, double t, const double *y, const double *yp, double *out)
{
    record *r = user;
    memcpy(r->y, y, sizeof r->y);
    r->calls++;
    r->is_right = t == T && (!yp || yp == YP);
    out[0] = 11.0;
    return DAEDAL_CALL_RETRY;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    return note(user, t, y, yp, r);
}

static int jacobian(double t, const double *y, const double *yp, double c, double *v, void *user)
{
    return c == 3.0 ? note(user, t, y, yp, v) : DAEDAL_CALL_OK;
}

static int product(double t, const double *y, const double *yp, double c, const double *v,
                   double *out, void *user)
{
    return c == 3.0 && v == V ? note(user, t, y, yp, out) : DAEDAL_CALL_OK;
}

static int of_values(double t, const double *y, double *out, void *user)
{
    return note(user, t, y, NULL, out);
}

static int by_parameters(double t, const double *y, const double *yp, double *v, void *user)
{
    return note(user, t, y, yp, v);
}

static void expect_call(const record *r, int *calls, int answer, const double *out, bool moved)
{
    const perturbation by = {SIZE, 0.5, 2.0, 1};
    double y[N];
    memcpy(y, Y, sizeof y);
    if (moved)
        perturbation_add(&by, T, y, N);
    assert_int_equal(answer, DAEDAL_CALL_RETRY);
    assert_int_equal(r->calls, ++*calls);
    assert_true(r->is_right);
    expect_near(out[0], 11.0, 0.0);
    assert_memory_equal(r->y, y, sizeof y);
    for (int i = 0; i < N; i++)
        assert_true(fabs(y[i] - Y[i]) <= SIZE[i]);
    assert_true(!moved || y[0] != Y[0]);
}

static void test_calls(void **state)
{
    (void)state;
    record r = {.calls = 0};
    int calls = 0;
    double out[N];
    daedal_system sys = {.n = N,
                         .residual = residual,
                         .jacobian = jacobian,
                         .jacobian_product = product,
                         .rhs = of_values,
                         .rhs_jacobian = of_values,
                         .mass = of_values,
                         .events = residual,
                         .constraints = of_values,
                         .constraint_jacobian = of_values,
                         .parameter_derivative = by_parameters,
                         .constraint_parameter_derivative = of_values,
                         .user = &r};
    perturbed_system p;
    assert_true(perturbed_create(&p, &sys, &(perturbation){SIZE, 0.5, 2.0, 1}, NULL));
    void *u = sys.user;
    expect_call(&r, &calls, sys.residual(T, Y, YP, out, u), out, true);
    expect_call(&r, &calls, sys.jacobian(T, Y, YP, 3.0, out, u), out, true);
    expect_call(&r, &calls, sys.jacobian_product(T, Y, YP, 3.0, V, out, u), out, true);
    expect_call(&r, &calls, sys.rhs(T, Y, out, u), out, true);
    expect_call(&r, &calls, sys.rhs_jacobian(T, Y, out, u), out, true);
    expect_call(&r, &calls, sys.mass(T, Y, out, u), out, true);
    expect_call(&r, &calls, sys.parameter_derivative(T, Y, YP, out, u), out, true);
    expect_call(&r, &calls, sys.events(T, Y, YP, out, u), out, false);
    expect_call(&r, &calls, sys.constraints(T, Y, out, u), out, false);
    expect_call(&r, &calls, sys.constraint_jacobian(T, Y, out, u), out, false);
    expect_call(&r, &calls, sys.constraint_parameter_derivative(T, Y, out, u), out, false);
    perturbed_free(&p);
}

/* What is not given stays so. */
static void test_missing(void **state)
{
    (void)state;
    daedal_system sys = {.n = N, .rhs = of_values};
    perturbed_system p;
    assert_true(perturbed_create(&p, &sys, &(perturbation){SIZE, 0.0, 1.0, 0}, NULL));
    assert_true(sys.rhs && !sys.residual && !sys.jacobian && !sys.jacobian_product && !sys.mass &&
                !sys.rhs_jacobian && !sys.events && !sys.constraints && !sys.constraint_jacobian &&
                !sys.parameter_derivative && !sys.constraint_parameter_derivative && !sys.taylor);
    perturbed_free(&p);
}

/* An oscillation of the given size, different for every variable and number. */
static void test_oscillation(void **state)
{
    (void)state;
    const double size[N] = {1.0, 1.0, 1.0};
    for (int number = 0; number < 2; number++) {
        double low[N] = {0.0}, high[N] = {0.0}, first[N], other[N];
        for (int k = 0; k <= 400; k++) {
            double y[N] = {0.0};
            perturbation_add(&(perturbation){size, 3.0, 2.0, number}, 3.0 + k / 200.0, y, N);
            for (int i = 0; i < N; i++) {
                low[i] = fmin(low[i], y[i]);
                high[i] = fmax(high[i], y[i]);
            }
        }
        for (int i = 0; i < N; i++)
            assert_true(low[i] >= -1.0 && low[i] < -0.99 && high[i] <= 1.0 && high[i] > 0.99);
        memset(first, 0, sizeof first);
        memset(other, 0, sizeof other);
        perturbation_add(&(perturbation){size, 3.0, 2.0, number}, 3.0, first, N);
        perturbation_add(&(perturbation){size, 3.0, 0.0, number}, 9.0, other, N);
        assert_memory_equal(first, other, sizeof first); /* no span: as at the start */
        assert_true(first[0] != first[1] && first[1] != first[2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls), cmocka_unit_test(test_missing),
                                       cmocka_unit_test(test_oscillation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
