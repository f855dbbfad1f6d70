/* tests/property/test_steep_points.c - algebraic variables with an infinite slope: z |z|^(k-1) =
 * p(t) is solved by z = sign(p) |p|^(1/k), however many times p passes zero; z^2 = p is not.  */
#include <math.h>

#include "harness.h"
#include "seeded.h"

/* A power law z |z|^(k-1) = (a - x) / b, x' = 1, whose integral is w. */
typedef struct law {
    double power, a, b;
    bool is_fold; /* z^2 instead */
} law;

static int valve(double t, const double *y, const double *yp, double *r, void *user)
{
    const law *d = user;
    (void)t;
    double z = y[1];
    r[0] = yp[0] - 1.0;
    r[1] = (d->is_fold ? z * z : z * pow(fabs(z), d->power - 1.0)) - (d->a - y[0]) / d->b;
    r[2] = yp[2] - z;
    return DAEDAL_CALL_OK;
}

static double solution(const law *d, double x)
{
    double p = (d->a - x) / d->b;
    return copysign(pow(fabs(p), 1.0 / d->power), p);
}

/* The integral of the solution from 0. */
static double integral(const law *d, double x)
{
    double e = 1.0 + 1.0 / d->power, scale = pow(d->b, -1.0 / d->power) / e;
    return scale * (pow(d->a, e) - pow(fabs(d->a - x), e));
}

static daedal_solver *start(seeded *g, law *d, const char *method, double tol)
{
    *d = (law){.power = seeded_sign(g) > 0.0 ? 2.0 : 3.0,
               .a = seeded_uniform(g, 0.5, 1.5),
               .b = seeded_ratio(g, 0.1, 10.0)};
    daedal_system sys = {.n = 3, .residual = valve, .user = d};
    daedal_options options = defaults_with(tol, tol);
    daedal_options_set(&options, "method", method);
    return started(&sys, &options, 0.0, (double[]){0.0, solution(d, 0.0), 0.0}, NULL);
}

static void flows_reverse(void **state)
{
    (void)state;
    const char *const methods[] = {"auto", "radau", "bdf"};
    for (uint32_t k = 0; k < 45; k++) {
        seeded g = seeded_begin(k + 1);
        law d;
        double tol = k % 3 == 0 ? 1e-4 : k % 3 == 1 ? 1e-6 : 1e-7;
        daedal_solver *s = start(&g, &d, methods[k / 15], tol);
        for (double t = 0.25; t <= 3.0; t += 0.25) {
            daedal_status status = daedal_solver_advance(s, t);
            seeded_require(&g, status == DAEDAL_OK, "%s", daedal_solver_diagnosis(s)->message);
            const double *y = daedal_solver_state(s)->y;
            double off = y[2] - integral(&d, t);
            seeded_require(&g, fabs(off) < 100.0 * tol, "w(%g) is off by %.2e", t, off);
            if (fabs(d.a - t) > 0.1)
                seeded_require(&g,
                               fabs(y[1] - solution(&d, t)) < 100.0 * tol * fmax(1.0, 1.0 / d.b),
                               "z(%g) = %g, not %g", t, y[1], solution(&d, t));
        }
        daedal_solver_free(s);
    }
}

static void folds_end(void **state)
{
    (void)state;
    const char *const methods[] = {"auto", "radau", "bdf", "rodas"};
    for (uint32_t k = 0; k < 16; k++) {
        seeded g = seeded_begin(k + 1);
        law d;
        daedal_solver *s = start(&g, &d, methods[k / 4], 1e-6);
        d.is_fold = true;
        daedal_solver_free(s);
        daedal_system sys = {.n = 3, .residual = valve, .user = &d};
        daedal_options options = defaults_with(1e-6, 1e-6);
        daedal_options_set(&options, "method", methods[k / 4]);
        s = started(&sys, &options, 0.0, (double[]){0.0, sqrt(d.a / d.b), 0.0}, NULL);
        seeded_require(&g, daedal_solver_advance(s, 3.0) < 0, "went on behind %g", d.a);
        double t = daedal_solver_state(s)->t;
        seeded_require(&g, fabs(t - d.a) < 1e-3, "ended at %g, not at %g", t, d.a);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flows_reverse),
        cmocka_unit_test(folds_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
