/* tests/unit/test_input_signals.c - inputs given by data: values and derivatives between the rows,
 * jumps, and rows that no step should pass.                                       */
#include <math.h>
#include <string.h>

#include "hybrid/input_signals.h"

#include "harness.h"

enum { ORDERS = 5, MOST = 16 };

static input_signal signal_of(const double *t, const double *v, size_t n, daedal_interpolation how)
{
    input_signal s;
    daedal_signal from = {
        .times = {t, (int32_t)n}, .values = {v, (int32_t)n}, .interpolation = how};
    assert_true(signal_create(&s, &from, NULL));
    return s;
}

/* Two pieces and a single row between them; the pieces have two, three and more rows. */
static const double TIMES[] = {0, 1, 3, 4, 4, 4, 6, 7, 7.5, 9, 9, 10};
static const double VALUES[] = {1, 2, -1, 0, 5, 7, 7.5, 3, 4, 4.5, -8, -9};
static const size_t PIECES[] = {0, 4, 5, 10, 12};

/* A signal made of pieces has the values of each piece alone, in all orders. */
static void test_pieces(void **state)
{
    (void)state;
    static const daedal_interpolation kinds[] = {DAEDAL_LINEAR, DAEDAL_CUBIC};
    for (size_t k = 0; k < COUNT(kinds); k++) {
        input_signal whole = signal_of(TIMES, VALUES, COUNT(TIMES), kinds[k]);
        signal_begin(&whole, 0.0);
        expect_near(whole.scale, 9.0, 0.0);
        for (size_t p = 0; p + 1 < COUNT(PIECES); p++) {
            size_t first = PIECES[p], n = PIECES[p + 1] - first;
            double from = TIMES[first], to = TIMES[first + n - 1];
            bool is_last = first + n == COUNT(TIMES);
            assert_int_equal(whole.begin, first);
            assert_int_equal(whole.end, first + n);
            assert_true(signal_next_jump(&whole) == (is_last ? HUGE_VAL : TIMES[first + n]));
            input_signal part = signal_of(TIMES + first, VALUES + first, n, kinds[k]);
            signal_begin(&part, from);
            for (int q = 0; q <= 40; q++) {
                double t = from + (to - from) * (q * 17 % 41) / 40.0, x[ORDERS], y[ORDERS];
                signal_values(&whole, t, x, ORDERS);
                signal_values(&part, t, y, ORDERS);
                for (int d = 0; d < ORDERS; d++)
                    expect_near(x[d], y[d], 0.0);
            }
            signal_free(&part);
            assert_false(signal_pass_jumps(&whole, is_last ? 99.0 : 0.5 * (from + to) - 1e-9));
            if (!is_last && PIECES[p + 2] - PIECES[p + 1] > 1)
                assert_true(signal_pass_jumps(&whole, TIMES[first + n]));
            else if (!is_last)
                whole.begin = whole.row = first + n, whole.end = first + n + 1;
        }
        signal_free(&whole);
    }
}

/* A jump through a single row is passed at once; a run may begin behind jumps. */
static void test_jumps(void **state)
{
    (void)state;
    input_signal s = signal_of(TIMES, VALUES, COUNT(TIMES), DAEDAL_LINEAR);
    signal_begin(&s, 3.9);
    assert_false(signal_pass_jumps(&s, 3.999));
    assert_true(signal_pass_jumps(&s, 4.0));
    assert_int_equal(s.begin, 5);
    static const struct {
        double t;
        size_t begin;
    } rows[] = {{-1.0, 0}, {0.0, 0}, {3.99, 0}, {4.0, 5}, {8.99, 5}, {9.0, 10}, {20.0, 10}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        signal_begin(&s, rows[k].t);
        assert_int_equal(s.begin, rows[k].begin);
    }
    signal_free(&s);
}

/* Stairs: the last row that is not later, and a jump wherever the value changes. */
static void test_stairs(void **state)
{
    (void)state;
    const double t[] = {0, 1, 2, 3, 4}, v[] = {5, 5, 6, 6, 7}, jumps[] = {2, 4};
    input_signal s = signal_of(t, v, COUNT(t), DAEDAL_PREVIOUS);
    double x[ORDERS];
    signal_begin(&s, 0.0);
    for (size_t k = 0; k <= COUNT(jumps); k++) {
        for (double at = t[0]; at < 6.0; at += 0.5) {
            signal_values(&s, at, x, ORDERS); /* of this piece, whatever the time is */
            expect_near(x[0], 5.0 + (double)k, 0.0);
            for (int d = 1; d < ORDERS; d++)
                expect_near(x[d], 0.0, 0.0);
        }
        assert_true(signal_next_jump(&s) == (k < COUNT(jumps) ? jumps[k] : HUGE_VAL));
        assert_true(signal_next_knot(&s, 0.5, 1e-9) == HUGE_VAL);
        assert_true(signal_pass_jumps(&s, k < COUNT(jumps) ? jumps[k] : 9.0) == (k < COUNT(jumps)));
    }
    signal_free(&s);
}

/* Cubic interpolation meets the rows, is smooth there, and is exact for straight lines; derivatives
 * are those of the values.                                                       */
static void test_cubic(void **state)
{
    (void)state;
    const double t[] = {0, 1, 2.5, 3, 5, 6}, v[] = {1, 2, -1, 0, 5, 4.5};
    input_signal s = signal_of(t, v, COUNT(t), DAEDAL_CUBIC);
    signal_begin(&s, 0.0);
    for (size_t i = 0; i < COUNT(t); i++) {
        double x[ORDERS], left[ORDERS], right[ORDERS];
        const double e = 1e-7;
        signal_values(&s, t[i], x, ORDERS);
        expect_near(x[0], v[i], 1e-14);
        expect_near(x[4], 0.0, 0.0);
        signal_values(&s, fmax(t[i] - e, t[0]), left, ORDERS);
        signal_values(&s, fmin(t[i] + e, t[COUNT(t) - 1]), right, ORDERS);
        expect_near(left[1], right[1], 1e-4);
    }
    for (double at = 0.013; at < 5.99; at += 0.37) {
        const double e = 1e-4;
        double x[ORDERS], left[ORDERS], right[ORDERS];
        signal_values(&s, at, x, ORDERS);
        signal_values(&s, at - e, left, ORDERS);
        signal_values(&s, at + e, right, ORDERS);
        for (int d = 0; d < 3; d++) /* a cubic: exact but for its third derivative */
            expect_near((right[d] - left[d]) / (2.0 * e), x[d + 1], 1e-6 * (1.0 + fabs(x[3])));
    }
    signal_free(&s);
    const double line[] = {3, 5, 8, 9, 13, 15};
    s = signal_of(t, line, COUNT(t), DAEDAL_CUBIC);
    signal_begin(&s, 0.0);
    for (double at = 0.0; at <= 6.0; at += 0.25) {
        double x[ORDERS];
        signal_values(&s, at, x, 2);
        expect_near(x[0], 3.0 + 2.0 * at, 1e-13);
        expect_near(x[1], 2.0, 1e-13);
    }
    signal_free(&s);
}

/* The value does not depend on where the signal was read before. */
static void test_any_order(void **state)
{
    (void)state;
    double t[MOST], v[MOST], x[2], y[2];
    for (int n = 2; n <= MOST; n++) {
        for (int i = 0; i < n; i++) {
            t[i] = i + 0.1 * (i % 3);
            v[i] = (i * 7) % 11;
        }
        input_signal s = signal_of(t, v, (size_t)n, DAEDAL_LINEAR);
        signal_begin(&s, 0.0);
        for (int a = 0; a < 2 * n; a++)
            for (int b = 0; b < 2 * n; b++) {
                double at = fmin(0.5 * b, t[n - 1]);
                int i = n - 2;
                while (t[i] > at)
                    i--;
                signal_values(&s, fmin(0.5 * a, t[n - 1]), x, 2);
                signal_values(&s, at, y, 2);
                double slope = (v[i + 1] - v[i]) / (t[i + 1] - t[i]);
                expect_near(y[0], v[i] + slope * (at - t[i]), 1e-13);
                expect_near(y[1], slope, 1e-13);
                assert_int_equal(s.row, i);
            }
        signal_free(&s);
    }
}

/* Outside of the data the first and the last value hold. */
static void test_outside(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        input_signal s = signal_of(TIMES, VALUES, 4, (daedal_interpolation)k);
        double x[2];
        signal_begin(&s, -5.0);
        signal_values(&s, -5.0, x, 2);
        expect_near(x[0], 1.0, 0.0);
        expect_near(x[1], 0.0, 0.0);
        assert_true(signal_next_knot(&s, -5.0, 1e-9) == (double)TIMES[0]);
        signal_pass_jumps(&s, 5.0);
        signal_values(&s, 5.0, x, 2);
        expect_near(x[0], 0.0, 0.0);
        expect_near(x[1], 0.0, 0.0);
        assert_true(signal_next_knot(&s, 4.0, 1e-9) == HUGE_VAL);
        signal_free(&s);
    }
}

/* The first row that the present line does not predict; also after going back. */
static void test_knots(void **state)
{
    (void)state;
    const double t[] = {0, 1, 2, 3, 4, 5, 6}, v[] = {0, 1, 2, 3.001, 3, 3, 9};
    static const struct {
        double t, tolerance, knot;
    } rows[] = {{0.0, 1e-6, 2.0}, {0.5, 1e-6, 2.0}, {0.5, 0.01, 3.0}, {2.5, 1e-6, 3.0},
                {3.5, 1e-6, 4.0}, {4.5, 1e-6, 5.0}, {5.0, 1e-6, 6.0}, {0.0, 1e-6, 2.0},
                {5.5, 1e-6, 6.0}, {3.0, 0.01, 5.0}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        input_signal s = signal_of(t, v, COUNT(t), DAEDAL_LINEAR);
        signal_begin(&s, 0.0);
        assert_true(signal_next_knot(&s, rows[k].t, rows[k].tolerance) == rows[k].knot);
        assert_true(signal_next_knot(&s, rows[k].t, rows[k].tolerance) == rows[k].knot);
        signal_free(&s);
    }
    input_signal s = signal_of(t, v, COUNT(t), DAEDAL_LINEAR);
    signal_begin(&s, 0.0);
    for (size_t k = 0; k < COUNT(rows); k++)
        if (rows[k].tolerance < 1e-3)
            assert_true(signal_next_knot(&s, rows[k].t, 1e-6) == rows[k].knot);
    signal_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),    cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_stairs),    cmocka_unit_test(test_cubic),
        cmocka_unit_test(test_any_order), cmocka_unit_test(test_outside),
        cmocka_unit_test(test_knots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
