/* tests/conformance/c179_motion_and_models.c - motion over long times: the perturbed problem of
 * Kepler C179, the growth of errors C185; and applications of the texts as models: a heated gas
 * C191, a flame on a moving mesh C192, a gas network C194, circuits C195.                */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "modelling.h"

/* ---- C179 ------------------------------------------------------------------------------ */

static const double EPS = 0.005;

static double energy(const double *y)
{
    double r = hypot(y[0], y[1]);
    return 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1.0 / r - EPS / (r * r * r);
}

/* -a(r) q is the acceleration */
static double pull(const double *y)
{
    double r = hypot(y[0], y[1]);
    return 1.0 / (r * r * r) + 3.0 * EPS / pow(r, 5.0);
}

/* Orthogonally onto H = wanted. */
static void project(double *y, double wanted)
{
    for (int k = 0; k < 20; k++) {
        double a = pull(y), gradient[4] = {a * y[0], a * y[1], y[2], y[3]}, square = 0.0;
        for (int i = 0; i < 4; i++)
            square += gradient[i] * gradient[i];
        double by = (energy(y) - wanted) / square;
        for (int i = 0; i < 4; i++)
            y[i] -= by * gradient[i];
    }
}

typedef struct ring {
    double low, high, energy_off; /* radius in the second half, the largest error of H at all */
} ring;

/* 20000 steps of size 0.01 by Euler's methods of the text [HW96] VII.2. */
static ring euler(bool symplectic, bool projected)
{
    double y[4] = {0.4, 0.0, 0.0, 2.0}, h = 0.01, start = energy(y);
    ring found = {HUGE_VAL, 0.0, 0.0};
    for (int n = 0; n < 20000; n++) {
        double a = pull(y), q[2] = {y[0], y[1]};
        for (int i = 0; i < 2; i++) {
            double v = y[2 + i] - h * a * q[i];
            y[i] += h * (symplectic ? v : y[2 + i]);
            y[2 + i] = v;
        }
        if (projected)
            project(y, start);
        found.energy_off = fmax(found.energy_off, fabs(energy(y) - start));
        double r = hypot(y[0], y[1]);
        found.low = n < 10000 ? found.low : fmin(found.low, r);
        found.high = n < 10000 ? found.high : fmax(found.high, r);
    }
    return found;
}

static void see_ring(trial *t, double time, void *user)
{
    ring *seen = user;
    double r = trial_value(t, "r");
    (void)time;
    seen->low = fmin(seen->low, r);
    seen->high = fmax(seen->high, r);
    seen->energy_off = fmax(seen->energy_off, fabs(trial_value(t, "energy") + 0.578125));
}

static void c179_perturbed_kepler(void **state)
{
    (void)state;
    ring explicit_one = euler(false, false), back = euler(false, true);
    ring symplectic = euler(true, false), spoilt = euler(true, true);
    assert_true(explicit_one.high > 15.0);
    assert_true(back.energy_off < 1e-12 && back.low > 0.5 && back.high < 1.2);
    assert_true(symplectic.energy_off < 2e-2 && symplectic.low > 0.39 && symplectic.low < 0.41);
    assert_true(symplectic.high > 1.30 && symplectic.high < 1.33);
    assert_true(spoilt.energy_off < 1e-12 && spoilt.low > 0.5 && spoilt.high < 1.2);
    trial t;
    ring seen = {HUGE_VAL, 0.0, 0.0};
    trial_open_file(&t, "kepler_perturbed");
    t.each = see_ring;
    t.user = &seen;
    assert_int_equal(trial_try(&t, 0.0, 200.0, 4000, "method=rattle order_max=2 first_step=0.01"),
                     DAEDAL_OK);
    assert_true(seen.energy_off < 1e-3);
    assert_true(seen.low > 0.3998 && seen.low < 0.405 && seen.high > 1.305 && seen.high < 1.316);
    trial_close(&t);
}

/* ---- C185 ------------------------------------------------------------------------------ */

enum { ROWS = 1600 }; /* a unit of time each */

typedef struct angles {
    double at[ROWS + 1];
    int n;
} angles;

static void see_angle(trial *t, double time, void *user)
{
    angles *seen = user;
    (void)time;
    if (seen->n <= ROWS)
        seen->at[seen->n++] = trial_value(t, "q");
}

static void swing(const char *options, angles *found)
{
    trial t;
    found->n = 0;
    trial_open(&t, "Real q(start = 1.5, fixed = true), w(start = 0, fixed = true);",
               "der(q) = w; der(w) = -sin(q);");
    t.each = see_angle;
    t.user = found;
    assert_int_equal(trial_try(&t, 0.0, ROWS, ROWS, options), DAEDAL_OK);
    trial_close(&t);
}

/* The classical method of Runge and Kutta, which is not symplectic. */
static void runge_kutta(double h, angles *found)
{
    double q = 1.5, w = 0.0;
    int steps = (int)lrint(1.0 / h);
    found->n = 0;
    for (int row = 0; row <= ROWS; row++) {
        found->at[found->n++] = q;
        for (int i = 0; i < steps; i++) {
            double q1 = w, w1 = -sin(q), q2 = w + 0.5 * h * w1, w2 = -sin(q + 0.5 * h * q1);
            double q3 = w + 0.5 * h * w2, w3 = -sin(q + 0.5 * h * q2);
            double q4 = w + h * w3, w4 = -sin(q + h * q3);
            q += h / 6.0 * (q1 + 2.0 * q2 + 2.0 * q3 + q4);
            w += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
        }
    }
}

/* The power of t with which the largest error so far grows from t = 400 to t = 1600. */
static double growth(const angles *found, const angles *exact)
{
    double early = 0.0, late = 0.0;
    for (int i = 0; i <= ROWS; i++) {
        late = fmax(late, fabs(found->at[i] - exact->at[i]));
        early = i <= ROWS / 4 ? late : early;
    }
    return log(late / early) / log(4.0);
}

static void c185_growth_of_errors(void **state)
{
    (void)state;
    static angles exact, symmetric, other;
    swing("method=rattle order_max=6 first_step=0.05", &exact);
    swing("method=rattle order_max=4 first_step=0.2", &symmetric);
    runge_kutta(0.1, &other);
    assert_true(fabs(growth(&symmetric, &exact) - 1.0) < 0.15);
    assert_true(fabs(growth(&other, &exact) - 2.0) < 0.25);
}

/* ---- C191 ------------------------------------------------------------------------------ */

static void see_gas(trial *t, double time, void *user)
{
    (void)time, (void)user;
    double p = trial_value(t, "p[1]");
    assert_true(fabs(trial_value(t, "p[17]") - p) < 1e-12 * p);
    assert_true(fabs(trial_value(t, "p[31]") - p) < 1e-12 * p);
    assert_true(fabs(trial_value(t, "mass") - 0.5) < 1e-10);
    assert_true(fabs(trial_value(t, "r[31]") - 1.0) < 1e-12);
}

/* The radius follows from the differences of its equation; that of another quadrature contradicts
 * them.                                                                              */
static void c191_heated_gas(void **state)
{
    (void)state;
    trial t;
    trial_open_file(&t, "ignition_lagrangian");
    t.each = see_gas;
    assert_int_equal(trial_try(&t, 0.0, 1.0, 50, "rtol=1e-7"), DAEDAL_OK);
    trial_close(&t);
    const char *equations = "r0 = 0; r1^2 - r0^2 = 0.5*T1/p; r2^2 - r1^2 = 0.5*1/p; r2 = 1;"
                            "der(T1) - T1/(3.5*p)*der(p) = 1 - T1;";
    trial_open(
        &t, "Real r0, r1(start = 0.8), r2(start = 1), p(start = 1), T1(start = 2, fixed = true);",
        equations);
    trial_run(&t, 0.0, 1.0, "rtol=1e-7");
    trial_close(&t);
    trial_open(&t,
               "Real r0, r1(start = 0.7, fixed = true), r2(start = 1), p(start = 1),"
               "T1(start = 2, fixed = true);",
               equations);
    assert_true(trial_try(&t, 0.0, 1.0, 10, "rtol=1e-7") < 0);
    assert_int_equal(t.outcome.diagnosis.cause, DAEDAL_CAUSE_INCONSISTENT_START);
    trial_close(&t);
}

/* ---- C192 ------------------------------------------------------------------------------ */

/* In the norm of the largest row sum, of [1 a; b 1]. */
static double condition(double a, double b)
{
    double size = 1.0 + fmax(fabs(a), fabs(b)), determinant = 1.0 - a * b;
    return size * size / fabs(determinant);
}

static void c192_flame(void **state)
{
    (void)state;
    trial t;
    trial_open_file(&t, "flame_moving_mesh");
    trial_run(&t, 0.0, 0.2, "rtol=1e-6");
    assert_true(trial_value(&t, "T[1]") < 1.1);
    trial_run(&t, 0.0, 0.29, "rtol=1e-6");
    trial_expect(&t, "T[1]", 2.0, 1e-4);
    assert_true(trial_value(&t, "x[21]") > 0.9); /* the mesh went with the flame */
    trial_close(&t);
    for (double slope = 10.0; slope < 2000.0; slope *= 10.0) { /* (6.5.7) and (6.5.8) */
        assert_true(condition(-slope, slope) < 1.3);
        double second = condition(-slope, 0.0);
        assert_true(second > slope * slope && second < 1.3 * slope * slope);
    }
}

/* ---- C194 ------------------------------------------------------------------------------ */

static void see_balance(trial *t, double time, void *user)
{
    (void)time, (void)user;
    expect_near(trial_value(t, "balance"), 97.5, 97.5 * 1e-10);
}

/* Gas is conserved by all methods; one-step methods restart more cheaply at jumps of the demand. */
static void c194_gas_network(void **state)
{
    (void)state;
    const char *const options[] = {"method=rodas rtol=1e-3", "method=radau rtol=1e-3",
                                   "method=bdf rtol=1e-3"};
    int64_t steps[3];
    for (int i = 0; i < 3; i++) {
        trial t;
        trial_open_file(&t, "gas_network");
        t.each = see_balance;
        assert_int_equal(trial_try(&t, 0.0, 24.0, 48, options[i]), DAEDAL_OK);
        steps[i] = t.outcome.stats.steps;
        trial_close(&t);
    }
    assert_true(steps[0] < steps[2] && steps[1] < steps[2]);
}

/* ---- C195 ------------------------------------------------------------------------------ */

static void c195_circuits(void **state)
{
    (void)state;
    trial t;
    trial_open_file(&t, "hazony_section");
    assert_int_equal(trial_structure(&t).degrees_of_freedom, 1);
    trial_run(&t, 0.0, 2.0, "rtol=1e-8");
    trial_expect(&t, "v2", 1.0 + exp(-2.0), 1e-6);
    trial_close(&t);
    trial_open_file(&t, "opamp_resistors");
    trial_run(&t, 0.0, 1.0, "rtol=1e-8");
    trial_expect(&t, "v[1]", exp(1.0), 1e-6);
    trial_close(&t);
    trial_open_file(&t, "unicursal_circuit");
    trial_run(&t, 0.0, 0.3, "rtol=1e-8");
    trial_expect(&t, "i", 2.0 * sin(trial_value(&t, "tau2")), 1e-9);
    assert_true(trial_try(&t, 0.0, 1.0, 10, "rtol=1e-8") < 0);
    assert_int_equal(t.outcome.diagnosis.cause, DAEDAL_CAUSE_IMPASSE);
    expect_near(t.outcome.diagnosis.t, 0.3121218, 1e-5);
    trial_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c179_perturbed_kepler), cmocka_unit_test(c185_growth_of_errors),
        cmocka_unit_test(c191_heated_gas),       cmocka_unit_test(c192_flame),
        cmocka_unit_test(c194_gas_network),      cmocka_unit_test(c195_circuits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
