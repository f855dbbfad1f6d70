/* tests/property/test_sensitivity_steps.c - sensitivities that change where the states do not, and
 * where their steps end.                                                          */
#include <math.h>
#include <string.h>

#include "driving.h"
#include "harness.h"

/* x'' = -x beside z' = p x^2 pulse(t) with p = 0: z is zero, and the states see nothing of the
 * pulse, which is all that dz/dp = s consists of. */
typedef struct hidden_pulse {
    double p, centre, width;
} hidden_pulse;

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const hidden_pulse *of = user;
    double u = (t - of->centre) / of->width;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0];
    r[2] = yp[2] - of->p * y[0] * y[0] * exp(-u * u);
    return DAEDAL_CALL_OK;
}

/* The integral of cos^2 t exp(-((t - c) / w)^2) over all times. */
static double whole_integral(const hidden_pulse *of)
{
    double half = 0.5 * sqrt(acos(-1.0)) * of->width;
    return half * (1.0 + exp(-of->width * of->width) * cos(2.0 * of->centre));
}

static double error_of_pulse(const char *options, hidden_pulse *of)
{
    double *const places[] = {&of->p};
    daedal_system sys = {
        .n = 3, .residual = residual, .user = of, .n_parameters = 1, .parameters = places};
    daedal_options opt = options_of(options);
    const double y0[] = {1.0, 0.0, 0.0}, *found;
    opt.atol = opt.rtol;
    daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
    expect_status(s, daedal_solver_advance(s, 12.0), DAEDAL_OK);
    expect_status(s, daedal_solver_sensitivity(s, 0, &found, NULL), DAEDAL_OK);
    double error = fabs(found[2] - whole_integral(of)) / opt.rtol;
    daedal_solver_free(s);
    return error;
}

/* Pulses that are not narrower than the steps; steps of the states that were left out are taken
 * back, and divided. */
static void pulses_are_seen_that_states_do_not_see(void **state)
{
    static const struct {
        const char *options;
        double width;
    } rows[] = {{"method=bdf rtol=1e-4", 0.3},
                {"method=bdf rtol=1e-6", 0.05},
                {"method=bdf_classic rtol=1e-5", 0.2}};
    const double allowed = 500.0; /* tolerances; up to 160 were measured */
    (void)state;
    for (size_t k = 0; k < COUNT(rows); k++)
        for (int way = 0; way < 24; way++) {
            hidden_pulse of = {0.0, 4.0 + 0.17 * way, rows[k].width};
            double error = error_of_pulse(rows[k].options, &of);
            if (error > allowed)
                fail_msg("%s, a pulse at %g: off by %g tolerances", rows[k].options, of.centre,
                         error);
        }
}

/* A damped oscillator with the product of its variables. */
static int damped(double t, const double *y, const double *yp, double *r, void *user)
{
    double damping = *(const double *)user;
    (void)t;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0] + damping * y[1];
    r[2] = y[2] - y[0] * y[1];
    return DAEDAL_CALL_OK;
}

/* The run of the sensitivities is kept: a restart takes no more than what moves them across it. */
static void restarts_take_little_memory(void **state)
{
    static const char *const methods[] = {"bdf", "bdf_classic", "radau", "rodas", "limex", "auto"};
    const double y0[] = {1.0, 0.0, 0.0}, *found;
    const long few = 4;
    (void)state;
    for (size_t k = 0; k < COUNT(methods); k++) {
        ledger books;
        ledger_open(&books);
        double damping = 0.5, *const places[] = {&damping};
        daedal_system sys = {
            .n = 3, .residual = damped, .user = &damping, .n_parameters = 1, .parameters = places};
        daedal_options opt = defaults_with(1e-5, 1e-7);
        assert_int_equal(daedal_options_set(&opt, "method", methods[k]), DAEDAL_OK);
        opt.allocator = &books.allocator;
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        for (int i = 1; i <= 5; i++) {
            expect_status(s, daedal_solver_advance(s, 0.5 * i), DAEDAL_OK);
            const double *now = daedal_solver_state(s)->y;
            double y[] = {now[0], now[1] + 0.1, now[0] * (now[1] + 0.1)};
            long before = books.taken;
            expect_status(s, daedal_solver_restart(s, y, NULL), DAEDAL_OK);
            expect_status(s, daedal_solver_sensitivity(s, 0, &found, NULL), DAEDAL_OK);
            assert_in_range(books.taken - before, 0, few);
        }
        daedal_solver_free(s);
        ledger_expect_empty(&books);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pulses_are_seen_that_states_do_not_see),
                                       cmocka_unit_test(restarts_take_little_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
