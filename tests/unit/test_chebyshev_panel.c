/* tests/unit/test_chebyshev_panel.c - the signs of a function between sampled points. */
#include <float.h>
#include <math.h>

#include "integ/chebyshev_panel.h"

#include "harness.h"

typedef double curve(double x, double a, double b);

static double product(double x, double a, double b)
{
    return (x - a) * (x - b);
}

static double above(double x, double a, double b)
{
    return (x - a) * (x - a) + b;
}

static double wave(double x, double a, double b)
{
    return sin(a * x) + b;
}

static double thrice(double x, double a, double b)
{
    return (x - a) * (x - b) * (x - 0.5 * (a + b));
}

static chebyshev_panel fitted(int32_t degree, curve *f, double a, double b)
{
    double values[2 * (CHEBYSHEV_FINE + 1)];
    chebyshev_panel p;
    for (int32_t k = 0; k <= degree; k++)
        values[2 * k] = f(chebyshev_place(degree, k), a, b);
    chebyshev_fit(&p, degree, values, 2);
    return p;
}

/* The worst verdict over all gaps, the signs being those of the values; *at: of the last dip. */
static chebyshev_verdict verdict_of(const chebyshev_panel *p, double *at)
{
    chebyshev_verdict worst = CHEBYSHEV_CLEAR;
    for (int32_t k = 0; k < p->degree; k++) {
        double here;
        int32_t sign = (p->value[k] > 0.0) - (p->value[k] < 0.0);
        chebyshev_verdict one = chebyshev_between(p, k, sign, &here);
        if (one > worst)
            worst = one;
        if (one == CHEBYSHEV_DIP)
            *at = here;
    }
    return worst;
}

static void test_places(void **state)
{
    (void)state;
    for (int32_t k = 0; k <= CHEBYSHEV_COARSE; k++)
        expect_near(chebyshev_place(CHEBYSHEV_COARSE, k), chebyshev_place(CHEBYSHEV_FINE, 2 * k),
                    0.0);
    expect_near(chebyshev_place(CHEBYSHEV_FINE, 0), 0.0, 0.0);
    expect_near(chebyshev_place(CHEBYSHEV_FINE, CHEBYSHEV_FINE), 1.0, 0.0);
    for (int32_t k = 0; k <= CHEBYSHEV_FINE; k++)
        expect_near(chebyshev_place(CHEBYSHEV_FINE, k),
                    0.5 - 0.5 * cos(k * acos(-1.0) / CHEBYSHEV_FINE), 1e-15);
}

/* Two roots between points of one sign, down to a width of 1e-5. */
static void test_pairs(void **state)
{
    (void)state;
    for (double width = 0.02; width > 1e-5; width *= 0.3)
        for (double a = 0.01; a < 0.97; a += 0.0371)
            for (int32_t degree = CHEBYSHEV_COARSE; degree <= CHEBYSHEV_FINE; degree *= 2) {
                chebyshev_panel p = fitted(degree, product, a, a + width);
                double at = -1.0;
                bool seen = false; /* by a point between them, or as a dip */
                for (int32_t k = 0; k <= degree; k++)
                    seen = seen || p.value[k] <= 0.0;
                chebyshev_verdict v = verdict_of(&p, &at);
                if (!seen)
                    expect_near(at, a + 0.5 * width, 1e-6);
                assert_true(seen || v == CHEBYSHEV_DIP);
            }
}

static void test_valleys_above_zero(void **state)
{
    (void)state;
    for (double a = 0.0; a <= 1.0; a += 0.0371) {
        chebyshev_panel p = fitted(CHEBYSHEV_COARSE, above, a, 1e-6);
        double at;
        assert_int_equal(verdict_of(&p, &at), CHEBYSHEV_CLEAR);
    }
}

/* From zero up and back within a ten-thousandth of the panel: the sign behind the start. */
static void test_from_zero(void **state)
{
    (void)state;
    chebyshev_panel p = fitted(CHEBYSHEV_COARSE, product, 0.0, 1e-4);
    double at;
    assert_int_equal(chebyshev_between(&p, 0, 0, &at), CHEBYSHEV_DIP);
    expect_near(at, 0.5e-4, 1e-8);
    p = fitted(CHEBYSHEV_COARSE, product, 0.0, -1e-4);
    assert_int_equal(chebyshev_between(&p, 0, 0, &at), CHEBYSHEV_CLEAR);
    p = fitted(CHEBYSHEV_COARSE, above, 0.0, 0.0); /* leaves zero without slope */
    assert_int_equal(chebyshev_between(&p, 0, 0, &at), CHEBYSHEV_CLEAR);
}

/* Three roots where two points show one change. */
static void test_three_roots(void **state)
{
    (void)state;
    for (double a = 0.2; a < 0.45; a += 0.01) { /* the fine points stand at 0.15, 0.31, 0.5 */
        chebyshev_panel p = fitted(CHEBYSHEV_FINE, thrice, a, a + 0.04);
        double at = -1.0;
        assert_true(verdict_of(&p, &at) != CHEBYSHEV_CLEAR || a < 0.31);
    }
}

static void test_unresolved(void **state)
{
    (void)state;
    double at;
    for (double w = 40.0; w < 50.0; w += 0.37) {
        chebyshev_panel p = fitted(CHEBYSHEV_FINE, wave, w, 0.3);
        assert_int_equal(verdict_of(&p, &at), CHEBYSHEV_OPEN);
        assert_false(chebyshev_keeps_sign(&p));
    }
    chebyshev_panel p = fitted(CHEBYSHEV_COARSE, wave, 1.0, 2.0);
    assert_true(chebyshev_keeps_sign(&p));
    assert_true(p.doubt < 0.01 && p.doubt > 1e-5);
}

/* sin(2.5 x), which few points do not resolve: open beside its zero, clear elsewhere, since it is
 * known at the points; with more points clear beside its zero, too.              */
static void test_doubt_by_place(void **state)
{
    (void)state;
    double at;
    for (double shift = 0.0; shift < 0.16; shift += 0.05) {
        chebyshev_panel p = fitted(CHEBYSHEV_COARSE, wave, 2.5, -shift);
        int32_t sign = shift > 0.0 ? -1 : 0;
        assert_int_equal(chebyshev_between(&p, 0, sign, &at), CHEBYSHEV_OPEN);
        for (int32_t k = 1; k < CHEBYSHEV_COARSE; k++)
            assert_int_equal(chebyshev_between(&p, k, 1, &at), CHEBYSHEV_CLEAR);
        p = fitted(CHEBYSHEV_FINE, wave, 2.5, -shift);
        assert_int_equal(verdict_of(&p, &at), CHEBYSHEV_CLEAR);
    }
}

/* A polynomial is known, but no better than roundoff. */
static void test_roundoff(void **state)
{
    (void)state;
    chebyshev_panel p = fitted(CHEBYSHEV_COARSE, above, 0.3, 1e8);
    assert_true(p.doubt > DBL_EPSILON * 1e8 && p.doubt < 100.0 * DBL_EPSILON * 1e8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_valleys_above_zero),
        cmocka_unit_test(test_from_zero),
        cmocka_unit_test(test_three_roots),
        cmocka_unit_test(test_unresolved),
        cmocka_unit_test(test_doubt_by_place),
        cmocka_unit_test(test_roundoff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
