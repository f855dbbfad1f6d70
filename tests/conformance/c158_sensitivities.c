/* tests/conformance/c158_sensitivities.c - derivatives of solutions by parameters: C158, C159,
 * C161, published values of Robertson's problem, start values, and what a run beside a run must
 * leave alone.                                                                    */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driving.h"

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g within %.1e", found, wanted, tolerance);
}

static const double *sensitivity(daedal_solver *s, int32_t i)
{
    const double *value = NULL;
    assert_int_equal(daedal_solver_sensitivity(s, i, &value, NULL), DAEDAL_OK);
    return value;
}

static daedal_solver *solved(const daedal_system *sys, const char *options, const double *y0,
                             double t)
{
    daedal_solver *s = start_solver(sys, options, 0.0, y0, NULL);
    if (daedal_solver_advance(s, t) != DAEDAL_OK)
        fail_msg("%s", daedal_solver_diagnosis(s)->message);
    return s;
}

/* ---- C158: y1' = -p y1, y2 = y1^2 --------------------------------------------------------- */

typedef struct decay {
    double p, unused;
} decay;

static int square(double t, const double *y, const double *yp, double *r, void *user)
{
    const decay *d = user;
    (void)t;
    r[0] = yp[0] + d->p * y[0];
    r[1] = y[1] - y[0] * y[0];
    return DAEDAL_CALL_OK;
}

static int square_jacobian(double t, const double *y, const double *yp, double c, double *v,
                           void *user)
{
    const decay *d = user;
    (void)t;
    (void)yp;
    v[0] = c + d->p;
    v[1] = -2.0 * y[0];
    v[3] = 1.0;
    return DAEDAL_CALL_OK;
}

static int square_by_p(double t, const double *y, const double *yp, double *v, void *user)
{
    (void)t;
    (void)yp;
    (void)user;
    v[0] = y[0];
    return DAEDAL_CALL_OK;
}

/* The second parameter is the start value of y1, which no equation reads. */
static void c158_closed_forms(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        double rtol;
    } rows[] = {{"rtol=1e-4 atol=1e-7", 1e-4},
                {"rtol=1e-6 atol=1e-9", 1e-6},
                {"method=bdf rtol=1e-6 atol=1e-9", 1e-6},
                {"method=bdf_classic rtol=1e-5 atol=1e-9", 1e-5},
                {"method=radau rtol=1e-6 atol=1e-9", 1e-6},
                {"method=radau rtol=1e-8 atol=1e-11", 1e-8},
                {"method=rodas rtol=1e-4 atol=1e-7", 1e-4}};
    const double y0[] = {2.0, 0.0}, t = 1.5;
    for (size_t k = 0; k < 2 * sizeof rows / sizeof *rows; k++) {
        decay d = {.p = 0.7};
        double *places[] = {&d.p, NULL}, first[] = {1.0, 0.0};
        bool exact = k % 2 == 0;
        daedal_system sys = {.n = 2,
                             .residual = square,
                             .jacobian = exact ? square_jacobian : NULL,
                             .parameter_derivative = exact ? square_by_p : NULL,
                             .n_parameters = 2,
                             .parameters = places,
                             .user = &d};
        double tolerance = 10.0 * rows[k / 2].rtol, e = exp(-d.p * t);
        daedal_options opt = options_of(rows[k / 2].options);
        daedal_solver *s;
        assert_int_equal(daedal_solver_create(&s, &sys, &opt, NULL), DAEDAL_OK);
        assert_int_equal(daedal_solver_set_sensitivity(s, 1, first), DAEDAL_OK);
        assert_int_equal(daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
        assert_near(sensitivity(s, 1)[1], 2.0 * y0[0], 1e-6); /* the start is consistent */
        assert_int_equal(daedal_solver_advance(s, t), DAEDAL_OK);
        const double *by_p = sensitivity(s, 0), *by_start = sensitivity(s, 1);
        assert_near(by_p[0], -t * 2.0 * e, tolerance * 2.0 * t * e);
        assert_near(by_p[1], -8.0 * t * e * e, tolerance * 8.0 * t * e * e);
        assert_near(by_start[0], e, tolerance * e);
        assert_near(by_start[1], 4.0 * e * e, tolerance * 4.0 * e * e);
        assert_near(d.p, 0.7, 0.0);
        daedal_solver_free(s);
    }
}

/* ---- Robertson's problem; the example idasRoberts_FSA_dns of IDAS prints five of the digits -- */

static int robertson(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = user;
    double a = p[0] * y[0], b = p[1] * y[1] * y[2], c = p[2] * y[1] * y[1];
    (void)t;
    r[0] = yp[0] + a - b;
    r[1] = yp[1] - a + b + c;
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return DAEDAL_CALL_OK;
}

static const double ROBERTSON[2][3] = {{-4.247558772, 1.373080797e-5, -2.288355089e-9},
                                       {4.591196249e-5, -2.357192114e-10, -1.138059509e-13}};

static void robertson_values(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "bdf", "radau"};
    const double y0[] = {1.0, 0.0, 0.0};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (int digits = 4; digits <= 6; digits += 2) {
            double p[] = {0.04, 1e4, 3e7}, *places[] = {p, p + 1, p + 2};
            daedal_system sys = {
                .n = 3, .residual = robertson, .n_parameters = 3, .parameters = places, .user = p};
            char options[80];
            snprintf(options, sizeof options, "method=%s rtol=1e-%d atol=1e-%d", methods[k], digits,
                     digits + 5);
            daedal_solver *s = solved(&sys, options, y0, 40.0);
            for (int32_t i = 0; i < 3; i++)
                for (int32_t j = 0; j < 2; j++)
                    assert_near(sensitivity(s, i)[j] / ROBERTSON[j][i], 1.0,
                                10.0 * pow(10.0, -digits));
            daedal_solver_free(s);
        }
}

static int robertson_jacobian(double t, const double *y, const double *yp, double c, double *v,
                              void *user)
{
    const double *p = user;
    double back = p[1] * y[2], forth = p[1] * y[1];
    const double columns[] = {c + p[0], -p[0],  1.0,   -back, c + back + 2.0 * p[2] * y[1],
                              1.0,      -forth, forth, 1.0};
    (void)t, (void)yp;
    memcpy(v, columns, sizeof columns);
    return DAEDAL_CALL_OK;
}

static int robertson_by_p(double t, const double *y, const double *yp, double *dp, void *user)
{
    (void)t, (void)yp, (void)user;
    dp[0] = y[0];
    dp[1] = -y[0];
    dp[3] = -y[1] * y[2];
    dp[4] = y[1] * y[2];
    dp[7] = y[1] * y[1];
    return DAEDAL_CALL_OK;
}

/* With given derivatives, down to 1e-8. */
static void robertson_with_derivatives(void **state)
{
    (void)state;
    static const char *const methods[] = {"auto", "bdf", "radau"};
    const double y0[] = {1.0, 0.0, 0.0};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (int digits = 4; digits <= 8; digits += 2) {
            double p[] = {0.04, 1e4, 3e7}, *places[] = {p, p + 1, p + 2};
            daedal_system sys = {.n = 3,
                                 .residual = robertson,
                                 .jacobian = robertson_jacobian,
                                 .n_parameters = 3,
                                 .parameters = places,
                                 .parameter_derivative = robertson_by_p,
                                 .user = p};
            char options[80];
            snprintf(options, sizeof options, "method=%s rtol=1e-%d atol=1e-%d", methods[k], digits,
                     digits + 5);
            daedal_solver *s = solved(&sys, options, y0, 40.0);
            for (int32_t i = 0; i < 3; i++)
                for (int32_t j = 0; j < 2; j++)
                    assert_near(sensitivity(s, i)[j] / ROBERTSON[j][i], 1.0,
                                10.0 * pow(10.0, -digits));
            daedal_solver_free(s);
        }
}

/* ---- C159: other units of a parameter change its sensitivity by their factor alone ---------- */

typedef struct in_units {
    double p, unit;
} in_units;

static int logistic(double t, const double *y, const double *yp, double *r, void *user)
{
    const in_units *u = user;
    (void)t;
    r[0] = yp[0] - u->p * u->unit * y[0] * (1.0 - y[0]);
    return DAEDAL_CALL_OK;
}

static void c159_units(void **state)
{
    (void)state;
    const double y0[] = {0.1}, t = 3.0, factors[] = {1.0, 0x1p-40, 0x1p50};
    double first = 0.0;
    for (size_t k = 0; k < 3; k++) {
        in_units u = {1.2 / factors[k], factors[k]};
        double *places[] = {&u.p};
        daedal_system sys = {
            .n = 1, .residual = logistic, .n_parameters = 1, .parameters = places, .user = &u};
        daedal_solver *s = solved(&sys, "rtol=1e-6", y0, t);
        double value = sensitivity(s, 0)[0] / factors[k];
        first = k == 0 ? value : first;
        assert_near(value, first, 1e-10 * fabs(first));
        double y = daedal_solver_state(s)->y[0];
        assert_near(value, t * y * (1.0 - y), 1e-5 * t * y);
        daedal_solver_free(s);
    }
}

/* ---- C161: derived quantities --------------------------------------------------------------- */

static int squares(double t, const double *y, const double *yp, double *q, void *user)
{
    const double *p = user;
    (void)t;
    (void)yp;
    q[0] = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    q[1] = p[0] * y[0];
    return DAEDAL_CALL_OK;
}

static void c161_derived_quantities(void **state)
{
    (void)state;
    const double y0[] = {1.0, 0.0, 0.0};
    double p[] = {0.04, 1e4, 3e7}, *places[] = {p, p + 1, p + 2}, found[6];
    daedal_system sys = {
        .n = 3, .residual = robertson, .n_parameters = 3, .parameters = places, .user = p};
    daedal_solver *s = solved(&sys, "rtol=1e-6 atol=1e-11", y0, 40.0);
    const double *y = daedal_solver_state(s)->y;
    assert_int_equal(daedal_solver_derived(s, squares, 2, found, p), DAEDAL_OK);
    for (int32_t i = 0; i < 3; i++) {
        const double *v = sensitivity(s, i);
        double square = 2.0 * (y[0] * v[0] + y[1] * v[1] + y[2] * v[2]);
        double product = p[0] * v[0] + (i == 0 ? y[0] : 0.0);
        assert_near(found[2 * i] / square, 1.0, 1e-6);
        assert_near(found[2 * i + 1] / product, 1.0, 1e-6);
    }
    daedal_solver_free(s);
}

/* ---- what they leave alone ------------------------------------------------------------------- */

static void states_are_the_same(void **state)
{
    (void)state;
    static const char *const options[] = {"method=bdf rtol=1e-6", "method=radau rtol=1e-6"};
    const double y0[] = {1.0, 0.0, 0.0};
    for (size_t k = 0; k < 2; k++) {
        double p[] = {0.04, 1e4, 3e7}, *places[] = {p, p + 1, p + 2};
        daedal_system sys = {
            .n = 3, .residual = robertson, .n_parameters = 3, .parameters = places, .user = p};
        daedal_solver *with = solved(&sys, options[k], y0, 40.0);
        sys.n_parameters = 0;
        daedal_solver *without = solved(&sys, options[k], y0, 40.0);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(daedal_solver_state(with)->y[i] -
                             daedal_solver_state(without)->y[i]) <= 1e-12);
        assert_int_equal(daedal_solver_stats(with)->steps, daedal_solver_stats(without)->steps);
        assert_null(daedal_solver_sensitivity_stats(without));
        assert_true(daedal_solver_sensitivity_stats(with)->steps > 0);
        daedal_solver_free(with);
        daedal_solver_free(without);
    }
}

/* A copy continues as the original does; output points do not matter; backward it works too. */
static void copies_and_directions(void **state)
{
    (void)state;
    const double y0[] = {1.0, 0.0, 0.0};
    double p[] = {0.04, 1e4, 3e7}, *places[] = {p, p + 1, p + 2};
    daedal_system sys = {
        .n = 3, .residual = robertson, .n_parameters = 3, .parameters = places, .user = p};
    daedal_solver *s = solved(&sys, "method=bdf", y0, 10.0), *copy;
    assert_int_equal(daedal_solver_clone(&copy, s), DAEDAL_OK);
    assert_int_equal(daedal_solver_advance(s, 40.0), DAEDAL_OK);
    assert_int_equal(daedal_solver_advance(copy, 40.0), DAEDAL_OK);
    for (int32_t i = 0; i < 3; i++)
        assert_memory_equal(sensitivity(s, i), sensitivity(copy, i), 3 * sizeof(double));
    daedal_solver_free(copy);
    daedal_solver_free(s);

    in_units u = {1.2, 1.0};
    double *place[] = {&u.p}, start[] = {0.6};
    daedal_system back = {
        .n = 1, .residual = logistic, .n_parameters = 1, .parameters = place, .user = &u};
    s = solved(&back, "rtol=1e-6", start, -2.0);
    double y = daedal_solver_state(s)->y[0];
    assert_near(sensitivity(s, 0)[0], -2.0 * y * (1.0 - y), 1e-5);
    daedal_solver_free(s);
}

/* ---- steps along with bdf: one linear system each ------------------------------------------- */

/* A dense system of which no factor serves two steps: y_i' = -p sum_j y_j / (1 + |i - j|) + y_i^2
 */
enum { COUPLED = 40 };

static int coupled(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = user;
    (void)t;
    for (int i = 0; i < COUPLED; i++) {
        double sum = 0.0;
        for (int j = 0; j < COUPLED; j++)
            sum += y[j] / (1.0 + abs(i - j));
        r[i] = yp[i] + p[0] * sum - p[1] * y[i] * y[i];
    }
    return DAEDAL_CALL_OK;
}

static int coupled_jacobian(double t, const double *y, const double *yp, double c, double *v,
                            void *user)
{
    const double *p = user;
    (void)t;
    (void)yp;
    for (int j = 0; j < COUPLED; j++)
        for (int i = 0; i < COUPLED; i++)
            v[j * COUPLED + i] = p[0] / (1.0 + abs(i - j)) + (i == j ? c - 2.0 * p[1] * y[i] : 0.0);
    return DAEDAL_CALL_OK;
}

/* Against radau; large dense matrices are not factored in every step. */
static void steps_go_along(void **state)
{
    (void)state;
    double p[] = {3.0, 0.5}, *places[] = {p, p + 1}, y0[COUPLED];
    daedal_system sys = {.n = COUPLED,
                         .residual = coupled,
                         .jacobian = coupled_jacobian,
                         .n_parameters = 2,
                         .parameters = places,
                         .user = p};
    for (int i = 0; i < COUPLED; i++)
        y0[i] = 1.0 + 0.01 * i;
    daedal_solver *s = solved(&sys, "method=bdf rtol=1e-6 linear_solver=dense", y0, 2.0);
    daedal_solver *accurate = solved(&sys, "method=radau rtol=1e-9", y0, 2.0);
    const daedal_stats *of = daedal_solver_sensitivity_stats(s);
    assert_true(of->steps <= daedal_solver_stats(s)->steps + 3);
    assert_true(of->iterations > of->steps / 2 && of->factorizations < of->steps / 2);
    for (int32_t i = 0; i < 2; i++)
        for (int32_t j = 0; j < COUPLED; j++)
            assert_near(sensitivity(s, i)[j], sensitivity(accurate, i)[j],
                        1e-5 * fabs(sensitivity(accurate, i)[j]) + 1e-8);
    daedal_solver_free(accurate);
    daedal_solver_free(s);
}

/* Where sensitivities vary slowly one of their steps spans two of the states.  Whoever looks at
 * them meanwhile sees values that satisfy s' + p s + y = 0.                                */
static void steps_are_left_out(void **state)
{
    (void)state;
    decay d = {.p = 0.7};
    const double y0[] = {2.0, 4.0}, *s, *sp;
    double *places[] = {&d.p};
    daedal_system sys = {.n = 2,
                         .residual = square,
                         .jacobian = square_jacobian,
                         .parameter_derivative = square_by_p,
                         .n_parameters = 1,
                         .parameters = places,
                         .user = &d};
    daedal_solver *whole = solved(&sys, "method=bdf rtol=1e-6 atol=1e-9", y0, 8.0);
    daedal_solver *parts =
        start_solver(&sys, "method=bdf rtol=1e-6 atol=1e-9 max_steps=7", 0.0, y0, NULL);
    int64_t steps = daedal_solver_stats(whole)->steps;
    assert_true(10 * daedal_solver_sensitivity_stats(whole)->steps < 9 * steps);
    int stops = 0;
    while (daedal_solver_advance(parts, 8.0) == DAEDAL_ERR_STEP_LIMIT && stops++ < 100) {
        const daedal_state *at = daedal_solver_state(parts);
        assert_int_equal(daedal_solver_sensitivity(parts, 0, &s, &sp), DAEDAL_OK);
        assert_near(sp[0] + d.p * s[0] + at->y[0], 0.0, 1e-11);
        assert_near(s[0], -at->t * 2.0 * exp(-d.p * at->t), 1e-5);
    }
    assert_true(stops > 3 && stops <= 100);
    assert_near(sensitivity(parts, 0)[0], sensitivity(whole, 0)[0], 1e-6);
    assert_near(sensitivity(whole, 0)[0], -8.0 * 2.0 * exp(-d.p * 8.0), 1e-6);
    daedal_solver_free(parts);
    daedal_solver_free(whole);
}

/* ---- errors of the states are inherited, which is told ----------------------------------------
 */

static int turning(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = user;
    (void)t;
    r[0] = yp[0] - p[0] * y[1] + p[1] * y[0];
    r[1] = yp[1] + p[0] * y[0] + p[1] * y[1];
    return DAEDAL_CALL_OK;
}

static int turning_jacobian(double t, const double *y, const double *yp, double c, double *v,
                            void *user)
{
    const double *p = user;
    (void)t, (void)y, (void)yp;
    v[0] = v[3] = c + p[1];
    v[1] = p[0];
    v[2] = -p[0];
    return DAEDAL_CALL_OK;
}

/* How many tolerances the last warning speaks of. */
static void note_warning(daedal_log_level level, const char *text, void *user)
{
    (void)level;
    const char *number = strstr(text, "may be off by ");
    if (number)
        *(double *)user = strtod(number + strlen("may be off by "), NULL);
}

/* y = (sin t, cos t), 60 periods: the phase is off by what adds up, and dy/dp = t (cos t, -sin t)
 * with it.  With damping errors are forgotten, and nothing is told.                     */
static void errors_of_states_are_told(void **state)
{
    (void)state;
    const double rtol = 1e-6, y0[] = {0.0, 1.0}, dampings[] = {0.0, 0.3};
    for (int k = 0; k < 2; k++) {
        double p[] = {1.0, dampings[k]}, *places[] = {p}, told = 0.0, most = 0.0;
        daedal_system sys = {.n = 2,
                             .residual = turning,
                             .jacobian = turning_jacobian,
                             .n_parameters = 1,
                             .parameters = places,
                             .user = p};
        daedal_options opt = options_of("method=bdf rtol=1e-6 atol=1e-9");
        opt.log = note_warning;
        opt.callback_user = &told;
        daedal_solver *s;
        assert_int_equal(daedal_solver_create(&s, &sys, &opt, NULL), DAEDAL_OK);
        assert_int_equal(daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
        for (double t = 1.0; t <= 377.0 && told == 0.0; t += 1.0) {
            assert_int_equal(daedal_solver_advance(s, t), DAEDAL_OK);
            const double *y = daedal_solver_state(s)->y, *v = sensitivity(s, 0);
            double e = exp(-p[1] * t), off = fabs(v[0] - t * cos(t) * e) / (rtol * t * e + 1e-9);
            most = fmax(fmax(most, off), fabs(y[0] - e * sin(t)) / (rtol * e + 1e-9));
        }
        if (k == 0)
            assert_true(told >= 3.0 && told > 0.2 * most && told < 5.0 * most);
        else
            assert_true(told == 0.0 && most < 5.0);
        daedal_solver_free(s);
    }
}

/* ---- times of events: a fall from h = 2 with the acceleration g reaches the height p[1] -------
 */

static int fall(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = user;
    (void)t;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + p[0];
    return DAEDAL_CALL_OK;
}

static int height(double t, const double *y, const double *yp, double *g, void *user)
{
    const double *p = user;
    (void)yp;
    g[0] = t - 100.0;
    g[1] = y[0] - p[1];
    return DAEDAL_CALL_OK;
}

static void times_of_events(void **state)
{
    (void)state;
    static const char *const options[] = {"method=bdf rtol=1e-8", "method=radau rtol=1e-8",
                                          "method=dopri rtol=1e-8", "method=limex rtol=1e-8"};
    const double y0[] = {2.0, 0.0}, from[] = {1.0, 0.0};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        double p[] = {9.81, 0.5}, *places[] = {p, p + 1, NULL}, found[3];
        daedal_system sys = {.n = 2,
                             .residual = fall,
                             .n_events = 2,
                             .events = height,
                             .n_parameters = 3,
                             .parameters = places,
                             .user = p};
        daedal_options opt = options_of(options[k]);
        daedal_solver *s;
        assert_int_equal(daedal_solver_create(&s, &sys, &opt, NULL), DAEDAL_OK);
        assert_int_equal(daedal_solver_set_sensitivity(s, 2, from), DAEDAL_OK);
        assert_int_equal(daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
        assert_int_equal(daedal_solver_event_sensitivity(s, 1, found), DAEDAL_ERR_CALL_SEQUENCE);
        assert_int_equal(daedal_solver_advance(s, 2.0), DAEDAL_EVENT);
        assert_int_equal(daedal_solver_event_sensitivity(s, 0, found), DAEDAL_ERR_CALL_SEQUENCE);
        assert_int_equal(daedal_solver_event_sensitivity(s, 2, found), DAEDAL_ERR_ARGUMENT);
        assert_int_equal(daedal_solver_event_sensitivity(s, 1, found), DAEDAL_OK);
        double t = sqrt(2.0 * (y0[0] - p[1]) / p[0]), slope = 1.0 / (p[0] * t);
        assert_near(daedal_solver_state(s)->t, t, 1e-7);
        assert_near(found[0], -0.5 * t / p[0], 1e-7);
        assert_near(found[1], -slope, 1e-7);
        assert_near(found[2], slope, 1e-7);
        daedal_solver_free(s);
    }
}

/* The event function reads an algebraic variable, y2 = y0^2 + sin(y0) with y0 = sin(t), at places
 * all over the steps, in which the dense output of limex is rough.                     */
static int swing(double t, const double *y, const double *yp, double *r, void *user)
{
    const double *p = user;
    (void)t;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + p[0] * p[0] * y[0];
    r[2] = y[2] - (y[0] * y[0] + sin(y[0]));
    return DAEDAL_CALL_OK;
}

static int level(double t, const double *y, const double *yp, double *g, void *user)
{
    const double *p = user;
    (void)t;
    (void)yp;
    g[0] = y[2] - p[1];
    return DAEDAL_CALL_OK;
}

static void time_of_level(const char *options, double c)
{
    const double y0[] = {0.0, 1.0, 0.0};
    double p[] = {1.0, c}, *places[] = {p, p + 1}, found[2];
    daedal_system sys = {.n = 3,
                         .residual = swing,
                         .n_events = 1,
                         .events = level,
                         .n_parameters = 2,
                         .parameters = places,
                         .user = p};
    daedal_solver *s = start_solver(&sys, options, 0.0, y0, NULL);
    assert_int_equal(daedal_solver_advance(s, 1.5), DAEDAL_EVENT);
    if (daedal_solver_event_sensitivity(s, 0, found) != DAEDAL_OK)
        fail_msg("%s, level %g: %s", options, c, daedal_solver_diagnosis(s)->message);
    double t = daedal_solver_state(s)->t, x = sin(t);
    assert_near(found[1] * (2.0 * x + cos(x)) * cos(t), 1.0, 1e-5);
    daedal_solver_free(s);
}

static void times_of_algebraic_events(void **state)
{
    (void)state;
    static const char *const options[] = {"method=bdf rtol=1e-6", "method=radau rtol=1e-6",
                                          "method=limex rtol=1e-6"};
    for (size_t m = 0; m < sizeof options / sizeof *options; m++)
        for (int k = 0; k < 40; k++)
            time_of_level(options[m], 0.05 + 0.04 * k);
}

/* y0 stays at zero, while its sensitivity by its start value grows beyond all numbers. */
static int growth(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    (void)user;
    r[0] = yp[0] - 50.0 * y[0];
    r[1] = yp[1] + 0.5 * y[1];
    return DAEDAL_CALL_OK;
}

static void overflow_is_told(void **state)
{
    (void)state;
    const double y0[] = {0.0, 1.0}, from[][2] = {{1.0, 0.0}, {0.0, 1.0}};
    double *places[] = {NULL, NULL};
    daedal_system sys = {.n = 2, .residual = growth, .n_parameters = 2, .parameters = places};
    for (int32_t k = 0; k < 2; k++) {
        daedal_options opt = options_of("method=bdf rtol=1e-6");
        daedal_solver *s;
        assert_int_equal(daedal_solver_create(&s, &sys, &opt, NULL), DAEDAL_OK);
        for (int32_t i = 0; i < 2; i++)
            assert_int_equal(daedal_solver_set_sensitivity(s, i, from[(i + k) % 2]), DAEDAL_OK);
        assert_int_equal(daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
        assert_true(daedal_solver_advance(s, 15.0) < 0);
        daedal_solver_free(s);
    }
}

static void bad_input_is_named(void **state)
{
    (void)state;
    double p[] = {0.04, 1e4, 3e7}, *places[] = {p, p + 1, p + 2}, q;
    const double y0[] = {1.0, 0.0, 0.0}, bad[] = {1.0, NAN, 0.0}, scale[] = {1.0, 0.0, 1.0};
    daedal_system sys = {.n = 3, .residual = robertson, .n_parameters = 3, .user = p};
    daedal_solver *s;
    daedal_diagnosis why;
    assert_int_equal(daedal_solver_create(&s, &sys, NULL, &why), DAEDAL_ERR_ARGUMENT);
    assert_non_null(strstr(why.message, "parameters is NULL"));
    sys.parameters = places;
    sys.parameter_scale = (daedal_doubles){scale, 3};
    assert_int_equal(daedal_solver_create(&s, &sys, NULL, &why), DAEDAL_ERR_ARGUMENT);
    assert_non_null(strstr(why.message, "parameter_scale[1]"));
    sys.parameter_scale = (daedal_doubles){scale, 2};
    assert_int_equal(daedal_solver_create(&s, &sys, NULL, &why), DAEDAL_ERR_ARGUMENT);
    sys.parameter_scale = (daedal_doubles){0};
    sys.n_parameters = -1;
    assert_int_equal(daedal_solver_create(&s, &sys, NULL, &why), DAEDAL_ERR_ARGUMENT);
    sys.n_parameters = 3;
    assert_int_equal(daedal_solver_create(&s, &sys, NULL, &why), DAEDAL_OK);
    assert_int_equal(daedal_solver_sensitivity(s, 0, NULL, NULL), DAEDAL_ERR_CALL_SEQUENCE);
    assert_int_equal(daedal_solver_set_sensitivity(s, 3, y0), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_set_sensitivity(s, 0, bad), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
    assert_int_equal(daedal_solver_sensitivity(s, 3, NULL, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_derived(s, NULL, 1, &q, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_solver_advance(s, 1.0), DAEDAL_OK);
    assert_int_equal(daedal_solver_set_sensitivity(s, 0, y0), DAEDAL_ERR_CALL_SEQUENCE);
    daedal_solver_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c158_closed_forms),
        cmocka_unit_test(robertson_values),
        cmocka_unit_test(robertson_with_derivatives),
        cmocka_unit_test(c159_units),
        cmocka_unit_test(c161_derived_quantities),
        cmocka_unit_test(states_are_the_same),
        cmocka_unit_test(copies_and_directions),
        cmocka_unit_test(steps_go_along),
        cmocka_unit_test(steps_are_left_out),
        cmocka_unit_test(errors_of_states_are_told),
        cmocka_unit_test(times_of_events),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(times_of_algebraic_events),
        cmocka_unit_test(overflow_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
