/* tests/unit/test_zero_on_entry.c - functions that write derivatives may leave out what is zero:
 * the arrays are zero whenever they are called (daedal.h). */
#include "driving.h"
#include "harness.h"

/* A point on the circle of radius `radius`, q' = rate v, v' = -rate q; y2 is its energy. */
static double rate = 1.3, radius = 0.7;
static double *const places[] = {&rate, &radius};
enum { N = 3, JACOBIAN = 0, MASS, CONSTRAINT, PARAMETER, CONSTRAINT_PARAMETER, KINDS };
static long calls[KINDS];

static void expect_zeros(int kind, const double *values, int n)
{
    calls[kind]++;
    for (int k = 0; k < n; k++)
        if (values[k] != 0.0)
            fail_msg("function %d, call %ld: value %d is %g on entry", kind, calls[kind], k,
                     values[k]);
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - rate * y[1];
    r[1] = yp[1] + rate * y[0];
    r[2] = y[2] - y[1] * y[1];
    return 0;
}

static int jacobian(double t, const double *y, const double *yp, double c, double *values,
                    void *user)
{
    (void)t, (void)yp, (void)user;
    expect_zeros(JACOBIAN, values, N * N);
    values[0] += c;
    values[1] += rate;
    values[3] -= rate;
    values[4] += c;
    values[5] -= 2.0 * y[1];
    values[8] += 1.0;
    return 0;
}

static int rhs(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = rate * y[1];
    f[1] = -rate * y[0];
    f[2] = y[1] * y[1] - y[2];
    return 0;
}

static int rhs_jacobian(double t, const double *y, double *values, void *user)
{
    (void)t, (void)user;
    expect_zeros(JACOBIAN, values, N * N);
    values[1] -= rate;
    values[3] += rate;
    values[5] += 2.0 * y[1];
    values[8] -= 1.0;
    return 0;
}

static int mass(double t, const double *y, double *values, void *user)
{
    (void)t, (void)y, (void)user;
    expect_zeros(MASS, values, N * N);
    values[0] += 1.0;
    values[4] += 1.0;
    return 0;
}

static int circle(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = y[0] * y[0] + y[1] * y[1] - radius * radius;
    return 0;
}

static int circle_jacobian(double t, const double *y, double *values, void *user)
{
    (void)t, (void)user;
    expect_zeros(CONSTRAINT, values, 2);
    values[0] += 2.0 * y[0];
    values[1] += 2.0 * y[1];
    return 0;
}

static int by_parameters(double t, const double *y, const double *yp, double *values, void *user)
{
    (void)t, (void)yp, (void)user;
    expect_zeros(PARAMETER, values, 2 * N);
    values[0] -= y[1];
    values[1] += y[0];
    return 0;
}

static int circle_by_parameters(double t, const double *y, double *values, void *user)
{
    (void)t, (void)y, (void)user;
    expect_zeros(CONSTRAINT_PARAMETER, values, 2);
    values[1] -= 2.0 * radius;
    return 0;
}

static const int32_t columns[] = {0, 1, 2, 2}, circle_rows[] = {0, 0};
static const daedal_pattern of_circle = {1, N, columns, circle_rows};
static const daedal_system systems[] = {
    {.n = N,
     .residual = residual,
     .jacobian = jacobian,
     .n_constraints = 1,
     .constraints = circle,
     .constraint_jacobian = circle_jacobian,
     .constraint_pattern = &of_circle,
     .n_parameters = 2,
     .parameters = places,
     .parameter_derivative = by_parameters,
     .constraint_parameter_derivative = circle_by_parameters},
    {.n = N, .rhs = rhs, .rhs_jacobian = rhs_jacobian, .mass = mass, .mass_kind = 0},
    {.n = N,
     .rhs = rhs,
     .rhs_jacobian = rhs_jacobian,
     .mass = mass,
     .mass_kind = DAEDAL_MASS_OF_TIME},
    {.n = N,
     .rhs = rhs,
     .rhs_jacobian = rhs_jacobian,
     .mass = mass,
     .mass_kind = DAEDAL_MASS_OF_STATE},
};

static const struct {
    const char *text;
    bool has_sensitivities;
} options[] = {{"method=bdf", true},
               {"method=radau", true},
               {"method=auto", true},
               {"method=rodas", false},
               {"method=limex", false},
               {"method=bdf constraint_method=ggl", false},
               {"method=radau constraint_method=dummy", false}};

static void test_zero_on_entry(void **state)
{
    static const double y0[] = {0.7, 0.0, 0.0};
    (void)state;
    for (size_t k = 0; k < COUNT(systems) * COUNT(options); k++) {
        daedal_system sys = systems[k / COUNT(options)];
        if (!options[k % COUNT(options)].has_sensitivities)
            sys.n_parameters = 0;
        daedal_solver *s = start_solver(&sys, options[k % COUNT(options)].text, 0.0, y0, NULL);
        for (int i = 0; i < 30; i++)
            expect_status(s, daedal_solver_step(s, 5.0), DAEDAL_OK);
        if (sys.n_parameters)
            expect_status(s, daedal_solver_sensitivity(s, 0, &(const double *){0}, NULL),
                          DAEDAL_OK);
        daedal_solver_free(s);
    }
    for (int kind = 0; kind < KINDS; kind++)
        if (calls[kind] < 10)
            fail_msg("function %d was called %ld times only", kind, calls[kind]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_zero_on_entry)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
