/* tests/unit/test_new_inputs.c - new values of inputs in a run: what they cost, and that everything
 * that the equations determine follows at once. */
#include <math.h>
#include <string.h>

#include "harness.h"

static double value_of(daedal_model *m, const char *name)
{
    double value = NAN;
    expect_model_ok(m, daedal_model_get(m, daedal_model_find(m, name), &value));
    return value;
}

static void set(daedal_model *m, const char *name, double value)
{
    expect_model_ok(m, daedal_model_set(m, daedal_model_find(m, name), value));
}

/* A value between -1 and 1 that looks random. */
static double any(int k)
{
    return sin(12.9898 * k + 0.3 * k * k);
}

/* z and w are a loop; x and y follow u behind it. */
static const char LINEAR[] =
    "model Linear input Real u; Real x(start = 0, fixed = true), y(start = 0, fixed = true), z, w;"
    " equation der(x) = -3*x + z; der(y) = -200*(y - x) + w; z + 0.5*w = u; w - 0.25*z = x;"
    " end Linear;";

/* The factors serve all the time: their number does not grow with that of the values. */
static void test_factors_are_kept(void **state)
{
    enum { N = 10000 };
    const double dt = 1e-3, rate = 3.0 + 0.5 / 1.125, gain = 1.0 / 1.125; /* of x, with z solved */
    (void)state;
    daedal_model *m = model_of_text(LINEAR);
    daedal_simulation s = {.t_stop = N * dt};
    expect_model_ok(m, daedal_model_begin(m, &s));
    int32_t u = daedal_model_find(m, "u"), x = daedal_model_find(m, "x");
    double exact = 0.0, got = NAN, worst = 0.0;
    for (int k = 0; k < N; k++) {
        double value = any(k);
        expect_model_ok(m, daedal_model_set(m, u, value));
        expect_model_ok(m, daedal_model_advance(m, (k + 1) * dt));
        expect_model_ok(m, daedal_model_get(m, x, &got));
        exact = exp(-rate * dt) * exact - expm1(-rate * dt) * gain * value / rate;
        worst = fmax(worst, fabs(got - exact));
    }
    daedal_outcome done;
    expect_model_ok(m, daedal_model_end(m, &done));
    expect_near(worst, 0.0, 1e-7);
    assert_true(done.stats.restarts >= N - 1);
    assert_true(done.stats.factorizations < N / 20);
    assert_true(done.stats.jacobians < N / 20);
    assert_true(done.stats.steps < N + N / 10);
    daedal_model_free(m);
}

/* ---- what is determined follows at once ---- */

typedef struct plant {
    const char *text;
    void (*check)(daedal_model *m, double u);
} plant;

static void check_linear(daedal_model *m, double u)
{
    double z = value_of(m, "z"), w = value_of(m, "w"), x = value_of(m, "x");
    expect_near(z + 0.5 * w, u, 1e-9);
    expect_near(w - 0.25 * z, x, 1e-9);
    expect_near(value_of(m, "der(x)"), -3.0 * x + z, 1e-9);
}

/* A diode: far from linear. */
static void check_diode(daedal_model *m, double u)
{
    double i = value_of(m, "i"), vd = value_of(m, "vd"), v = value_of(m, "v");
    expect_near(i + vd + v, u, 1e-7);
    expect_near(1e-3 * expm1(vd / 0.1), i, 1e-7);
    expect_near(value_of(m, "der(v)"), i - v / 10.0, 1e-7);
}

/* The input is a factor of unknowns. */
static void check_factor(daedal_model *m, double u)
{
    expect_near(value_of(m, "z") * (1.1 + u), value_of(m, "x"), 1e-8);
    expect_near(value_of(m, "der(x)"), -(1.1 + u) * value_of(m, "x") + 1.0, 1e-8);
}

/* A cube: without slope where the input is zero. */
static void check_cube(daedal_model *m, double u)
{
    double z = value_of(m, "z");
    expect_near(z * z * z + 1e-3 * z, u, 1e-8);
}

/* A condition of the input and of what follows from it. */
static void check_branch(daedal_model *m, double u)
{
    double x = value_of(m, "x");
    expect_near(value_of(m, "z"), u - x > 0.2 ? 3.0 * (u - x) : 0.5 * x, 1e-8);
    expect_near(value_of(m, "b"), u > 0.0, 0.0);
}

static const plant PLANTS[] = {
    {LINEAR, check_linear},
    {"model Diode input Real u; Real v(start = 0, fixed = true), i, vd(start = 0.1); equation"
     " der(v) = i - v/10; u = i + vd + v; i = 1e-3*(exp(vd/0.1) - 1); end Diode;",
     check_diode},
    {"model Factor input Real u; Real x(start = 1, fixed = true), z; equation"
     " der(x) = -(1.1 + u)*x + 1; z*(1.1 + u) = x; end Factor;",
     check_factor},
    {"model Cube input Real u; Real x(start = 0, fixed = true), z(start = 0.5); equation"
     " der(x) = z - x; z^3 + 1e-3*z = u; end Cube;",
     check_cube},
    {"model Branch input Real u; Real x(start = 0, fixed = true), z; Boolean b = u > 0; equation"
     " der(x) = z - x; z = if u - x > 0.2 then 3*(u - x) else 0.5*x; end Branch;",
     check_branch},
};

static void drive(const plant *p, const char *method, int n)
{
    daedal_model *m = model_of_text(p->text);
    daedal_options o;
    daedal_options_defaults(&o);
    assert_int_equal(daedal_options_set(&o, "method", method), DAEDAL_OK);
    daedal_simulation s = {.t_stop = 1.0, .options = &o};
    expect_model_ok(m, daedal_model_begin(m, &s));
    for (int k = 0; k < n; k++) {
        double u = k % 7 == 0 ? 0.0 : any(k); /* a large change, or none */
        set(m, "u", u);
        if (k % 3 == 0) {
            set(m, "u", -u);
            p->check(m, -u);
            set(m, "u", u);
        }
        p->check(m, u);
        expect_model_ok(m, daedal_model_advance(m, (k + 1) / (double)n));
    }
    expect_model_ok(m, daedal_model_end(m, NULL));
    daedal_model_free(m);
}

static void test_values_follow(void **state)
{
    static const char *const methods[] = {"auto", "bdf", "radau", "rodas"};
    (void)state;
    for (size_t k = 0; k < COUNT(PLANTS); k++)
        for (size_t i = 0; i < COUNT(methods); i++)
            drive(&PLANTS[k], methods[i], 40);
}

/* ---- going back ---- */

static void test_restore_keeps_bits(void **state)
{
    enum { N = 30 };
    (void)state;
    for (size_t p = 0; p < 2; p++) {
        daedal_model *m = model_of_text(PLANTS[p].text);
        daedal_simulation s = {.t_stop = 1.0};
        daedal_model_state *kept = NULL;
        double first[N];
        expect_model_ok(m, daedal_model_begin(m, &s));
        for (int again = 0; again < 2; again++)
            for (int k = again ? N / 2 : 0; k < N; k++) {
                if (k == N / 2)
                    expect_model_ok(m, again ? daedal_model_restore(m, kept)
                                             : daedal_model_save(m, &kept));
                set(m, "u", any(k));
                expect_model_ok(m, daedal_model_advance(m, (k + 1) / (double)N));
                double now = value_of(m, p == 0 ? "y" : "v");
                assert_true(!again || now == first[k]);
                first[k] = now;
            }
        daedal_model_state_free(kept);
        daedal_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors_are_kept),
        cmocka_unit_test(test_values_follow),
        cmocka_unit_test(test_restore_keeps_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
