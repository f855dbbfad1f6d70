/* tests/unit/test_growth.c - poles, folds and ordinary growth, told from the rates of steps. */
#include <math.h>
#include <string.h>

#include "solver/growth.h"

#include "harness.h"

static const double RTOL = 1e-6, ATOL = 1e-9;

/* y and y' at the distance d before t* = 1. */
typedef void curve(double d, double *y, double *yp);

static void pole(double d, double *y, double *yp)
{
    *y = 2.0 / d;
    *yp = 2.0 / (d * d);
}

static void weak_pole(double d, double *y, double *yp)
{
    *y = -pow(d, -1.0 / 3.0);
    *yp = -pow(d, -4.0 / 3.0) / 3.0;
}

static void logarithm(double d, double *y, double *yp)
{
    *y = -log(d);
    *yp = 1.0 / d;
}

/* It passes its tolerance a hundred times on the way to t*, and is 1 all the same. */
static void steady(double d, double *y, double *yp)
{
    *y = 1.0 - 1e-5 * log(d);
    *yp = 1e-5 / d;
}

static void fold(double d, double *y, double *yp)
{
    *y = 1.0 + sqrt(d);
    *yp = -0.5 / sqrt(d);
}

static void cusp(double d, double *y, double *yp)
{
    *y = -2.0 + cbrt(d);
    *yp = -1.0 / (3.0 * cbrt(d * d));
}

static void exponential(double d, double *y, double *yp)
{
    *y = exp(20.0 * (1.0 - d));
    *yp = 20.0 * *y;
}

static void oscillation(double d, double *y, double *yp)
{
    *y = cos(30.0 * d);
    *yp = 30.0 * sin(30.0 * d);
}

static void vanishing(double d, double *y, double *yp)
{
    *y = d * d;
    *yp = -2.0 * d;
}

/* Roundoff of y over ever shorter steps. */
static void noise(double d, double *y, double *yp)
{
    *y = 1.0 + 1e-13 * sin(1e3 * log(d));
    *yp = 1e-9 / d;
}

static growth_answer judged(curve *f, double shrink, double least)
{
    static growth_history g;
    growth_forget(&g);
    for (double d = 1.0; d > least; d *= shrink) {
        double y[2] = {0.5, 0.0}, yp[2] = {1e-3, 0.0};
        double rtol[2] = {RTOL, RTOL}, atol[2] = {ATOL, ATOL};
        f(d, y + 1, yp + 1);
        growth_note(&g, &(growth_point){1.0 - d, y, yp, rtol, atol, 2});
    }
    const double rtol[2] = {RTOL, RTOL};
    return growth_judge(&g, rtol);
}

static void test_kinds(void **state)
{
    static const struct {
        curve *f;
        growth_kind kind;
        double power;
    } rows[] = {{pole, GROWTH_POLE, 1.0},
                {weak_pole, GROWTH_POLE, 1.0 / 3.0},
                {logarithm, GROWTH_POLE, NAN},
                {steady, GROWTH_ORDINARY, NAN},
                {fold, GROWTH_FOLD, NAN},
                {cusp, GROWTH_FOLD, NAN},
                {exponential, GROWTH_ORDINARY, NAN},
                {oscillation, GROWTH_ORDINARY, NAN},
                {vanishing, GROWTH_ORDINARY, NAN},
                {noise, GROWTH_ORDINARY, NAN}};
    static const double shrink[] = {0.5, 0.8, 0.98}; /* few steps and many */
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof shrink / sizeof *shrink; k++) {
            growth_answer a = judged(rows[i].f, shrink[k], 1e-6);
            print_message("curve %d, steps of %g: kind %d, t* = %.8g\n", (int)i, shrink[k],
                          (int)a.kind, a.t_limit);
            assert_int_equal(a.kind, rows[i].kind);
            if (a.kind != GROWTH_ORDINARY) {
                assert_int_equal(a.variable, 1);
                assert_true(fabs(a.t_limit - 1.0) < 1e-4);
            }
            if (!isnan(rows[i].power))
                assert_true(fabs(a.power - rows[i].power) < 0.1 * rows[i].power);
        }
}

/* A pole away from zero is told from a variable that tends to its limit. */
static void test_direction(void **state)
{
    (void)state;
    assert_true(judged(pole, 0.7, 1e-6).outwards);
    assert_false(judged(fold, 0.7, 1e-6).outwards);
}

static void test_few_steps(void **state)
{
    (void)state;
    assert_int_equal(judged(pole, 0.01, 1e-6).kind, GROWTH_ORDINARY);
}

/* Steps at distances d[k] before t* = 1 with values of one variable. */
static growth_kind kind_of(const double (*steps)[3], int n)
{
    static growth_history g;
    const double rtol = RTOL, atol = ATOL;
    growth_forget(&g);
    for (int k = 0; k < n; k++)
        growth_note(
            &g, &(growth_point){1.0 - steps[k][0], &steps[k][1], &steps[k][2], &rtol, &atol, 1});
    return growth_judge(&g, &rtol).kind;
}

/* What the variable did before it began to grow does not count: it fell from where it ends. */
static void test_way_before(void **state)
{
    enum { BEFORE = 3, STEPS = 13 };
    double steps[BEFORE + STEPS][3], least = pow(0.5, STEPS - 1);
    (void)state;
    for (int k = 0; k < BEFORE + STEPS; k++) {
        double d = k < BEFORE ? 2.0 - 0.3 * k : pow(0.5, k - BEFORE);
        fold(k < BEFORE ? least : d, &steps[k][1], &steps[k][2]);
        steps[k][0] = d;
        if (k < BEFORE)
            steps[k][2] = 10.0 * (k + 1);
    }
    assert_int_equal(kind_of((const double(*)[3])steps, BEFORE + STEPS), GROWTH_FOLD);
}

/* Derivatives like those of a pole, of a variable that moves by a little less than 0.3 of the way
 * that they say, the last step included, or by a little more.                         */
static void test_way_as_derivatives_say(void **state)
{
    enum { STEPS = 6 };
    (void)state;
    for (int more = 0; more < 2; more++) {
        double steps[STEPS][3];
        for (int k = 0; k < STEPS; k++) {
            double d = pow(0.5, k), way = 0.5 * (STEPS - 1) * (more ? 0.32 : 0.28);
            steps[k][0] = d;
            steps[k][1] = 100.0 + (k > 0 ? way : 0.0);
            steps[k][2] = 1.0 / d;
        }
        assert_int_equal(kind_of((const double(*)[3])steps, STEPS),
                         more ? GROWTH_POLE : GROWTH_ORDINARY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_direction),
        cmocka_unit_test(test_few_steps),
        cmocka_unit_test(test_way_before),
        cmocka_unit_test(test_way_as_derivatives_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
