/* tests/conformance/c158_gradients.c - derivatives by adjoint equations: the other half of C158,
 * C159 and C161, the duality of both kinds of derivatives, and a thousand parameters.   */
#include <math.h>
#include <string.h>

#include "support/harness.h"

/* ---- y1' = -p y1, y2 = y1^2 ---- */

typedef struct decay {
    double p, unit; /* the parameter is p in these units */
} decay;

static int square(double t, const double *y, const double *yp, double *r, void *user)
{
    const decay *d = user;
    (void)t;
    r[0] = yp[0] + d->p * d->unit * y[0];
    r[1] = y[1] - y[0] * y[0];
    return DAEDAL_CALL_OK;
}

static int second(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[1];
    return DAEDAL_CALL_OK;
}

static int norm(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[0] * y[0] + y[1] * y[1];
    return DAEDAL_CALL_OK;
}

static void find_gradient(const daedal_system *sys, const daedal_options *opt,
                          const daedal_gradient_task *task, daedal_gradient *to)
{
    daedal_diagnosis why;
    if (daedal_system_gradient(sys, opt, task, to, &why) != DAEDAL_OK)
        fail_msg("%s", why.message);
}

static double slope_of_square(daedal_functional_fn *end, double unit, double rtol)
{
    static const double y[] = {1.0, 1.0};
    decay d = {.p = 0.7 / unit, .unit = unit};
    double *places[] = {&d.p}, slope;
    daedal_system sys = {
        .n = 2, .residual = square, .n_parameters = 1, .parameters = places, .user = &d};
    daedal_gradient_task task = {.t_end = 1.5, .y = y, .end = end};
    daedal_gradient g = {.by_parameters = &slope};
    daedal_options opt = defaults_with(rtol, 1e-3 * rtol);
    find_gradient(&sys, &opt, &task, &g);
    return slope;
}

/* C158: s2 = 2 y1 s1 with s1 = -t exp(-p t), within ten tolerances. */
static void algebraic_end_value(void **state)
{
    (void)state;
    const double t = 1.5, y1 = exp(-0.7 * t), wanted = 2.0 * y1 * -t * y1;
    static const double rtols[] = {1e-4, 1e-6};
    for (size_t k = 0; k < COUNT(rtols); k++)
        expect_near(slope_of_square(second, 1.0, rtols[k]), wanted, 10.0 * rtols[k] * fabs(wanted));
}

/* C159: other units of the parameter change its derivative by their factor. */
static void units_of_a_parameter(void **state)
{
    (void)state;
    double plain = slope_of_square(second, 1.0, 1e-6);
    static const double units[] = {1e-9, 1e6};
    for (size_t k = 0; k < COUNT(units); k++)
        expect_near(slope_of_square(second, units[k], 1e-6) / units[k], plain, 1e-7 * fabs(plain));
}

/* C161: Q = |y|^2 has dQ/dp = 2 y' s. */
static void derived_quantity(void **state)
{
    (void)state;
    const double t = 1.5, y1 = exp(-0.7 * t), y2 = y1 * y1, s1 = -t * y1, s2 = 2.0 * y1 * s1;
    expect_near(slope_of_square(norm, 1.0, 1e-7), 2.0 * (y1 * s1 + y2 * s2), 1e-6);
}

/* ---- duality: the same derivatives from both sides, at index one ---- */

static int coupled(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = user;
    r[0] = yp[0] + p[0] * y[0] - y[2];
    r[1] = yp[1] + p[1] * y[1] * y[2] - cos(t);
    r[2] = y[2] + 0.3 * y[2] * y[2] * y[2] - p[2] * y[0] - y[1];
    r[3] = yp[3] - y[0] * y[2] * p[1];
    return DAEDAL_CALL_OK;
}

static int coupled_integrand(double t, const double *y, double *value, void *user)
{
    (void)t;
    *value = y[0] * y[2] * ((const double *)user)[1];
    return DAEDAL_CALL_OK;
}

/* <A' lambda, s> at the start and the integral of lambda' F_p against the integral of g_y s + g_p.
 */
static void duality_at_index_one(void **state)
{
    (void)state;
    static const double rtols[] = {1e-5, 1e-7};
    for (size_t k = 0; k < COUNT(rtols); k++) {
        double p[] = {0.6, 0.4, 1.1}, *places[] = {&p[0], &p[1], &p[2]}, by_p[3];
        double y[] = {1.0, 0.2, 1.0, 0.0};
        daedal_options opt = defaults_with(rtols[k], 1e-3 * rtols[k]);
        daedal_system sys = {
            .n = 4, .residual = coupled, .n_parameters = 3, .parameters = places, .user = p};
        daedal_gradient_task task = {
            .t_end = 2.5, .y = y, .integrand = coupled_integrand, .user = p};
        daedal_gradient g = {.by_parameters = by_p};
        find_gradient(&sys, &opt, &task, &g);
        daedal_solver *s = started(&sys, &opt, 0.0, y, NULL);
        expect_status(s, daedal_solver_advance(s, 2.5), DAEDAL_OK);
        for (int i = 0; i < 3; i++) {
            const double *slope;
            expect_status(s, daedal_solver_sensitivity(s, i, &slope, NULL), DAEDAL_OK);
            expect_near(by_p[i], slope[3], 10.0 * rtols[k] * fabs(slope[3]));
        }
        daedal_solver_free(s);
    }
}

/* ---- a thousand parameters ---- */

enum { MANY = 1000 };

typedef struct many {
    double p[MANY];
    int64_t calls;
} many;

/* x' = -(sum of p_i i / MANY) x */
static int sum_of_rates(double t, const double *y, const double *yp, double *r, void *user)
{
    many *m = user;
    double rate = 0.0;
    (void)t;
    m->calls++;
    for (int i = 0; i < MANY; i++)
        rate += m->p[i] * i / MANY;
    r[0] = yp[0] + rate * y[0];
    return DAEDAL_CALL_OK;
}

static int rates_by_p(double t, const double *y, const double *yp, double *values, void *user)
{
    (void)t, (void)yp, (void)user;
    for (int i = 0; i < MANY; i++)
        values[i] = y[0] * i / MANY;
    return DAEDAL_CALL_OK;
}

static int first(double t, const double *y, double *value, void *user)
{
    (void)t, (void)user;
    *value = y[0];
    return DAEDAL_CALL_OK;
}

/* Within ten runs, by the calls of F and by steps. */
static void a_thousand_parameters(void **state)
{
    (void)state;
    static many m;
    static double by_p[MANY], *places[MANY];
    const double y[] = {1.0}, t = 2.0;
    double rate = 0.0;
    for (int i = 0; i < MANY; i++) {
        m.p[i] = 1.0 / MANY;
        places[i] = &m.p[i];
        rate += m.p[i] * i / MANY;
    }
    daedal_system sys = {.n = 1,
                         .residual = sum_of_rates,
                         .n_parameters = MANY,
                         .parameters = places,
                         .parameter_derivative = rates_by_p,
                         .user = &m};
    daedal_system plain = sys;
    plain.n_parameters = 0;
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_solver *s = started(&plain, &opt, 0.0, y, NULL);
    expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
    int64_t calls = m.calls, steps = daedal_solver_stats(s)->steps;
    daedal_solver_free(s);
    m.calls = 0;
    daedal_gradient_task task = {.t_end = t, .y = y, .integrand = first, .end = first};
    daedal_gradient g = {.by_parameters = by_p};
    find_gradient(&sys, &opt, &task, &g);
    assert_true(g.forward.steps + g.backward.steps <= 10 * steps);
    assert_true(m.calls <= 10 * calls);
    double e = exp(-rate * t); /* the functional is (1 - e) / rate + e */
    double by_rate = (t * e * rate - (1.0 - e)) / (rate * rate) - t * e;
    for (int i = 0; i < MANY; i++)
        expect_near(by_p[i], by_rate * i / MANY, 1e-5 * fabs(by_rate));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(algebraic_end_value),   cmocka_unit_test(units_of_a_parameter),
        cmocka_unit_test(derived_quantity),      cmocka_unit_test(duality_at_index_one),
        cmocka_unit_test(a_thousand_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
