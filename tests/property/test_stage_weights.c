/* tests/property/test_stage_weights.c - what the stages of a step tell of integrals: their weights
 * integrate polynomials exactly, and the weights of the error estimate find nothing in them. */
#include <math.h>

#include "driving.h"
#include "harness.h"

enum { STEPS = 40, N = 1 };

/* Steps whose sizes, and orders, vary. */
static int driven(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0] - 5.0 * sin(t * t);
    return 0;
}

static const struct {
    const char *options;
    int exact; /* degrees of polynomials that every step integrates */
    int blind; /* and those that its error estimate does not see    */
} methods[] = {
    {"method=radau rtol=1e-3", 4, 2},  {"method=radau rtol=1e-6", 4, 2},
    {"method=radau rtol=1e-10", 4, 2}, {"method=dopri rtol=1e-4 order_max=5", 4, 3},
    {"method=dopri rtol=1e-8", 7, 2},
};

/* Of powers of the share of the step. */
static void check_step(const daedal_solver *s, const char *options, int exact, int blind)
{
    const run *r = &s->run;
    integ_view v = r->method->view(r->integrator);
    double y[N + 1], sum[8] = {0.0}, error[2][8] = {{0.0}};
    integ_stage at = {.y = y};
    int stages = 0;
    for (; r->method->stage(r->integrator, stages, &at); stages++)
        for (int k = 0; k <= exact; k++) {
            double power = pow((at.t - v.t_before) / (v.t - v.t_before), k);
            sum[k] += at.weight * power;
            for (int e = 0; e < 2; e++)
                error[e][k] += at.error[e] * power;
        }
    for (int k = 0; stages > 0 && k <= exact; k++) {
        if (fabs(sum[k] - 1.0 / (k + 1.0)) > 1e-10)
            fail_msg("%s: %d stages, the integral of x^%d is %.15g", options, stages, k, sum[k]);
        for (int e = 0; e < 2 && k <= blind; e++)
            if (fabs(error[e][k]) > 1e-10)
                fail_msg("%s: %d stages, the error of x^%d is %.3g", options, stages, k,
                         error[e][k]);
    }
}

static void test_weights(void **state)
{
    static const double y0[] = {0.0};
    (void)state;
    for (size_t m = 0; m < COUNT(methods); m++) {
        daedal_system sys = {.n = N, .residual = driven};
        daedal_solver *s = start_solver(&sys, methods[m].options, 0.0, y0, NULL);
        for (int i = 0; i < STEPS; i++) {
            expect_status(s, daedal_solver_step(s, 10.0), DAEDAL_OK);
            check_step(s, methods[m].options, methods[m].exact, methods[m].blind);
        }
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_weights)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
