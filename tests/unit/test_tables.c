/* tests/unit/test_tables.c - tables: curves, curves over time and surfaces. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "tables/point_curve.h"
#include "tables/surface.h"

#include "harness.h"

static const table_smoothness splines[] = {TABLE_AKIMA, TABLE_FRITSCH_BUTLAND, TABLE_STEFFEN,
                                           TABLE_MODIFIED_AKIMA};
enum { N_SPLINES = sizeof splines / sizeof *splines };

static arena memory;

static table_curve *curve_of(const double *e, size_t rows, int smoothness, int extrapolation)
{
    static const int64_t second = 2;
    table_why why;
    table_matrix m = {.n_rows = rows, .n_columns = 2, .e = (double *)(uintptr_t)e};
    table_choice choice = {.column = &second,
                           .n_columns = 1,
                           .smoothness = smoothness,
                           .extrapolation = extrapolation};
    return table_curve_create(&memory, &m, &choice, &why);
}

static table_curve *timed_of(const double *e, size_t rows, table_choice choice)
{
    static const int64_t second = 2;
    table_why why;
    table_matrix m = {.n_rows = rows, .n_columns = 2, .e = (double *)(uintptr_t)e};
    choice.column = &second;
    choice.n_columns = 1;
    choice.is_timed = true;
    return table_curve_create(&memory, &m, &choice, &why);
}

static double at(const table_curve *c, double u)
{
    return table_curve_value(c, 0, 1.0, u);
}

/* Linear data is reproduced by everything but constant segments, also outside. */
static void linear_data_is_exact(void **state)
{
    static const double e[] = {-1, 5, 0, 3, 0.5, 2, 3, -3, 4, -5};
    (void)state;
    for (int kind = TABLE_LINEAR; kind <= TABLE_MODIFIED_AKIMA; kind++) {
        if (kind == TABLE_CONSTANT)
            continue;
        const table_curve *c = curve_of(e, 5, kind, TABLE_EXTEND);
        assert_non_null(c);
        for (double u = -3.0; u < 6.0; u += 0.37) {
            expect_near(at(c, u), 3.0 - 2.0 * u, 1e-13);
            expect_near(table_curve_value(c, 1, 1.0, u), -2.0, 1e-13);
        }
    }
}

/* Akima's slopes of a parabola at equal distances are those of the parabola. */
static void parabola_is_exact(void **state)
{
    double e[12];
    (void)state;
    for (int i = 0; i < 6; i++) {
        e[2 * i] = i;
        e[2 * i + 1] = i * i - 3.0 * i;
    }
    const table_curve *c = curve_of(e, 6, TABLE_AKIMA, TABLE_HOLD);
    for (double u = 0.0; u <= 5.0; u += 0.1) {
        expect_near(at(c, u), u * u - 3.0 * u, 1e-13);
        expect_near(table_curve_value(c, 1, 1.0, u), 2.0 * u - 3.0, 1e-12);
        expect_near(table_curve_value(c, 2, 1.0, u), 2.0, 1e-11);
    }
    expect_near(at(c, 9.0), 10.0, 0.0);
    expect_near(at(c, -9.0), 0.0, 0.0);
}

static void random_table(double *e, int n, bool is_monotone)
{
    static uint64_t seed = 7;
    double x = -2.0, y = 0.0;
    for (int i = 0; i < n; i++) {
        double step = random_uniform(&seed, 0.0, 1.0), rise = random_uniform(&seed, 0.0, 1.0);
        x += 0.05 + step;
        y = is_monotone ? y + (rise < 0.3 ? 0.0 : rise * rise * 10.0) : rise - 0.5;
        e[2 * i] = x;
        e[2 * i + 1] = y;
    }
}

/* Curves go through the points with a continuous slope, and derivatives agree with differences. */
static void splines_are_smooth(void **state)
{
    enum { N = 12 };
    double e[2 * N];
    (void)state;
    for (int run = 0; run < 20; run++) {
        random_table(e, N, false);
        for (int k = 0; k < N_SPLINES; k++) {
            const table_curve *c = curve_of(e, N, (int)splines[k], TABLE_EXTEND);
            for (int i = 0; i < N; i++) {
                double x = e[2 * i], h = 1e-7;
                expect_near(at(c, x), e[2 * i + 1], 1e-13);
                expect_near(table_curve_value(c, 1, 1.0, x - h),
                            table_curve_value(c, 1, 1.0, x + h), 1e-3);
                double u = x + 0.017, d = 1e-6;
                for (int order = 0; order < 2; order++) {
                    double slope = (table_curve_value(c, order, 1.0, u + d) -
                                    table_curve_value(c, order, 1.0, u - d)) /
                                   (2.0 * d);
                    expect_near(table_curve_value(c, order + 1, 1.0, u), slope,
                                1e-4 * (1.0 + fabs(slope)));
                }
            }
        }
    }
}

static void monotone_curves_are_monotone(void **state)
{
    enum { N = 15 };
    static const table_smoothness kinds[] = {TABLE_FRITSCH_BUTLAND, TABLE_STEFFEN};
    double e[2 * N];
    (void)state;
    for (int run = 0; run < 50; run++) {
        random_table(e, N, true);
        for (int k = 0; k < 2; k++) {
            const table_curve *c = curve_of(e, N, (int)kinds[k], TABLE_HOLD);
            double last = e[1];
            for (double u = e[0]; u < e[2 * N - 2]; u += 0.01) {
                assert_true(at(c, u) >= last - 1e-12);
                last = at(c, u);
            }
        }
    }
}

static void ends_are_as_chosen(void **state)
{
    static const double e[] = {0, 1, 1, 3, 2, 2};
    (void)state;
    const table_curve *linear = curve_of(e, 3, TABLE_LINEAR, TABLE_EXTEND);
    expect_near(at(linear, 4.0), 0.0, 1e-15);
    expect_near(at(linear, -1.0), -1.0, 1e-15);
    const table_curve *hold = curve_of(e, 3, TABLE_LINEAR, TABLE_HOLD);
    expect_near(at(hold, 4.0), 2.0, 0.0);
    expect_near(table_curve_value(hold, 1, 1.0, 4.0), 0.0, 0.0);
    const table_curve *constant = curve_of(e, 3, TABLE_CONSTANT, TABLE_HOLD);
    expect_near(at(constant, 0.999), 1.0, 0.0);
    expect_near(at(constant, 1.0), 3.0, 0.0);
    expect_near(at(constant, 2.0), 2.0, 0.0);
    expect_near(at(curve_of(e, 3, TABLE_CONSTANT, TABLE_EXTEND), 3.0), 1.0, 1e-15);
    const table_curve *one = curve_of(e, 1, TABLE_AKIMA, TABLE_EXTEND);
    expect_near(at(one, 77.0), 1.0, 0.0);
    expect_near(table_curve_least(linear), 0.0, 0.0);
    expect_near(table_curve_greatest(linear), 2.0, 0.0);
    assert_true(isnan(table_curve_value(linear, 0, 2.0, 0.5)));
}

static void periodic_curves_repeat(void **state)
{
    static const double e[] = {1, 0, 2, 4, 2.5, -1, 4, 0};
    (void)state;
    for (int kind = TABLE_LINEAR; kind <= TABLE_MODIFIED_AKIMA; kind++) {
        const table_curve *c = curve_of(e, 4, kind, TABLE_PERIODIC);
        for (double u = 1.01; u < 3.99; u += 0.11)
            for (int k = -5; k <= 5; k++)
                expect_near(at(c, u + 3.0 * k), at(c, u), 1e-12);
    }
}

static void bad_tables_are_told(void **state)
{
    static const double falls[] = {0, 1, 2, 3, 1, 2}, twice[] = {0, 1, 0, 3, 1, 2};
    double not_finite[] = {0, 1, 1, NAN, 2, 2};
    (void)state;
    assert_null(curve_of(falls, 3, TABLE_LINEAR, TABLE_HOLD));
    assert_null(curve_of(twice, 3, TABLE_LINEAR, TABLE_HOLD));
    assert_null(curve_of(not_finite, 3, TABLE_LINEAR, TABLE_HOLD));
    assert_null(curve_of(twice, 0, TABLE_LINEAR, TABLE_HOLD));
    assert_null(curve_of(falls, 2, 7, TABLE_HOLD));
    assert_null(curve_of(falls, 2, TABLE_LINEAR, 0));
    table_choice timed = {.smoothness = TABLE_LINEAR, .extrapolation = TABLE_HOLD, .events = 1};
    assert_non_null(timed_of(twice, 3, timed));
    timed.smoothness = TABLE_AKIMA;
    assert_null(timed_of(twice, 3, timed));
}

/* Positions grow, and are whole exactly at the points where the curve bends. */
static void positions_are_whole_at_bends(void **state)
{
    static const double e[] = {0, 0, 1, 0, 1.5, 2, 2, 0, 4, 0}; /* (4, 0) does not bend */
    double smooth[2 * 201];
    (void)state;
    const table_curve *c = curve_of(e, 5, TABLE_LINEAR, TABLE_HOLD);
    assert_int_equal(c->n_marks, 3);
    for (int i = 0; i < 3; i++)
        expect_near(table_curve_position(c, e[2 * (i + 1)]), i, 0.0);
    double last = -1.0;
    for (double u = -50.0; u < 50.0; u += 0.013) {
        double p = table_curve_position(c, u);
        assert_true(p > last && p < 3.0);
        last = p;
    }
    for (int i = 0; i <= 200; i++) {
        smooth[2 * i] = i;
        smooth[2 * i + 1] = sin(0.02 * i);
    }
    assert_int_equal(curve_of(smooth, 201, TABLE_LINEAR, TABLE_EXTEND)->n_marks, 0);
}

/* ---- over time ---- */

/* The values around each event, as a run sees them. */
static void events_are_where_the_points_are(void **state)
{
    static const double e[] = {1, 0, 2, 4, 2, 6, 3, 1, 5, 1};
    static const double expected[] = {1, 2, 3, 5};
    table_choice choice = {.smoothness = TABLE_LINEAR,
                           .extrapolation = TABLE_HOLD,
                           .events = TABLE_EVENTS_ALWAYS,
                           .shift = 0.1};
    (void)state;
    const table_curve *c = timed_of(e, 5, choice);
    double t = 0.0, before = 0.0;
    for (int i = 0; i < 4; i++) {
        double next = table_timed_next(c, t);
        expect_near(next, expected[i] + 0.1, 1e-15);
        before = next;
        t = next;
    }
    assert_true(table_timed_next(c, t) == DBL_MAX);
    expect_near(table_timed_value(c, 0, 1.0, 2.1, 2.1, 2.1), 4.0, 1e-12); /* before the event */
    expect_near(table_timed_value(c, 0, 1.0, 2.1, 3.1, 2.1), 6.0, 1e-12); /* in the event     */
    expect_near(table_timed_value(c, 0, 1.0, 2.1, 3.1, 3.1), 6.0, 1e-12); /* behind it        */
    expect_near(table_timed_value(c, 0, 1.0, 2.6, 3.1, 3.1), 3.5, 1e-12);
    expect_near(table_timed_value(c, 1, 1.0, 2.1, 2.1, 2.1), 4.0, 1e-12);
    expect_near(table_timed_value(c, 1, 1.0, 2.1, 3.1, 3.1), -5.0, 1e-12);
    expect_near(table_timed_value(c, 0, 1.0, 9.0, DBL_MAX, before), 1.0, 0.0);
}

static void kinds_of_events(void **state)
{
    static const double e[] = {0, 0, 1, 4, 2, 6, 2, 1, 5, 1};
    table_choice choice = {.smoothness = TABLE_LINEAR, .extrapolation = TABLE_HOLD};
    (void)state;
    choice.events = TABLE_EVENTS_AT_JUMPS;
    expect_near(table_timed_next(timed_of(e, 5, choice), 0.0), 2.0, 0.0);
    choice.events = TABLE_EVENTS_NEVER;
    expect_near(table_timed_next(timed_of(e, 5, choice), 0.0), 5.0, 0.0);
    choice.events = TABLE_EVENTS_ALWAYS;
    choice.start = 0.5;
    const table_curve *late = timed_of(e, 5, choice);
    expect_near(table_timed_next(late, 0.0), 0.5, 0.0);
    expect_near(table_timed_value(late, 0, 1.0, 0.25, 0.5, 0.5), 0.0, 0.0);
    expect_near(table_timed_value(late, 0, 1.0, 0.5, 0.5, 0.5), 0.0, 0.0);
    expect_near(table_timed_value(late, 0, 1.0, 0.5, 1.0, 0.5), 2.0, 1e-15);
    static const double smooth[] = {0, 0, 1, 4, 2, 6, 5, 1};
    choice.start = 0.0;
    choice.smoothness = TABLE_AKIMA;
    expect_near(table_timed_next(timed_of(smooth, 4, choice), 0.0), 5.0, 0.0);
}

/* Every event of many periods is met once, and both limits are those of the table. */
static void periodic_events(void **state)
{
    static const double e[] = {0.1, 1, 0.3, 2, 0.7, 3};
    static const double limit[][2] = {{1, 2},
                                      {2, 1}}; /* before and behind, at 0.3 and at the end */
    table_choice choice = {.smoothness = TABLE_CONSTANT,
                           .extrapolation = TABLE_PERIODIC,
                           .events = TABLE_EVENTS_ALWAYS,
                           .shift = 0.05};
    (void)state;
    const table_curve *c = timed_of(e, 3, choice);
    double t = 0.15, next = table_timed_next(c, t), before = next;
    for (int i = 0; i < 1000; i++) {
        const double *wanted = limit[i % 2];
        expect_near(next, (i % 2 ? 0.75 : 0.35) + 0.6 * (i / 2), 1e-12);
        expect_near(table_timed_value(c, 0, 1.0, next, next, before), wanted[0], 0.0);
        t = next;
        next = table_timed_next(c, t);
        assert_true(next > t + 0.1);
        expect_near(table_timed_value(c, 0, 1.0, t, next, before), wanted[1], 0.0);
        expect_near(table_timed_value(c, 0, 1.0, t, next, next), wanted[1], 0.0);
        before = next;
    }
}

/* ---- surfaces ---- */

static table_surface *surface_of(double *e, size_t rows, size_t columns, int smoothness,
                                 int extrapolation)
{
    table_why why;
    table_matrix m = {.n_rows = rows, .n_columns = columns, .e = e};
    return table_surface_create(&memory, &m, smoothness, extrapolation, &why);
}

enum { ROWS = 6, COLUMNS = 5 };

static void surface_fill(double *e, double (*f)(double, double))
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double x = i - 1, y = 2 * (j - 1);
            e[i * COLUMNS + j] = i == 0 ? (j == 0 ? 0.0 : y) : j == 0 ? x : f(x, y);
        }
}

static double bilinear(double x, double y)
{
    return 1.0 + 2.0 * x - y + 0.5 * x * y;
}

static double quadratic(double x, double y)
{
    return x * x - x * y + 0.25 * y * y + 3.0 * y;
}

/* A product of the two variables is reproduced by both methods, also outside. */
static void bilinear_surfaces_are_exact(void **state)
{
    double e[ROWS * COLUMNS];
    (void)state;
    surface_fill(e, bilinear);
    for (int kind = TABLE_LINEAR; kind <= TABLE_AKIMA; kind++) {
        const table_surface *s = surface_of(e, ROWS, COLUMNS, kind, TABLE_EXTEND);
        assert_non_null(s);
        for (double x = -2.0; x < 7.0; x += 0.7)
            for (double y = -3.0; y < 9.0; y += 0.7) {
                expect_near(table_surface_value(s, 0, 0, x, y), bilinear(x, y), 1e-12);
                expect_near(table_surface_value(s, 1, 0, x, y), 2.0 + 0.5 * y, 1e-12);
                expect_near(table_surface_value(s, 0, 1, x, y), -1.0 + 0.5 * x, 1e-12);
                expect_near(table_surface_value(s, 1, 1, x, y), 0.5, 1e-12);
            }
    }
}

static void quadratic_surface_is_exact(void **state)
{
    double e[ROWS * COLUMNS];
    (void)state;
    surface_fill(e, quadratic);
    const table_surface *s = surface_of(e, ROWS, COLUMNS, TABLE_AKIMA, TABLE_HOLD);
    for (double x = 0.0; x <= 4.0; x += 0.23)
        for (double y = 0.0; y <= 6.0; y += 0.31) {
            expect_near(table_surface_value(s, 0, 0, x, y), quadratic(x, y), 1e-12);
            expect_near(table_surface_value(s, 2, 0, x, y), 2.0, 1e-10);
        }
    expect_near(table_surface_value(s, 0, 0, 9.0, 1.0), quadratic(4.0, 1.0), 1e-12);
    expect_near(table_surface_value(s, 0, 0, 9.0, -5.0), quadratic(4.0, 0.0), 1e-12);
}

static void surfaces_at_their_ends(void **state)
{
    double e[] = {0, 1, 2, 10, 5, 6, 20, 7, 9}, line[] = {0, 1, 2, 4, 3, 5, 6, 2};
    (void)state;
    const table_surface *s = surface_of(e, 3, 3, TABLE_CONSTANT, TABLE_HOLD);
    expect_near(table_surface_value(s, 0, 0, 19.0, 1.9), 5.0, 0.0);
    expect_near(table_surface_value(s, 0, 0, 20.0, 2.0), 9.0, 0.0);
    expect_near(table_surface_value(s, 0, 0, 99.0, 1.0), 7.0, 0.0);
    s = surface_of(e, 3, 3, TABLE_LINEAR, TABLE_PERIODIC);
    expect_near(table_surface_value(s, 0, 0, 35.0, 1.5), table_surface_value(s, 0, 0, 15.0, 1.5),
                1e-14);
    s = surface_of(line, 2, 4, TABLE_AKIMA, TABLE_EXTEND);
    expect_near(table_surface_value(s, 0, 0, 77.0, 2.0), 6.0, 0.0);
    expect_near(table_surface_value(s, 1, 0, 77.0, 1.5), 0.0, 0.0);
    assert_null(surface_of(e, 3, 3, TABLE_STEFFEN, TABLE_HOLD));
    assert_null(surface_of(e, 1, 3, TABLE_LINEAR, TABLE_HOLD));
    e[6] = 10;
    assert_null(surface_of(e, 3, 3, TABLE_LINEAR, TABLE_HOLD));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_data_is_exact),
        cmocka_unit_test(parabola_is_exact),
        cmocka_unit_test(splines_are_smooth),
        cmocka_unit_test(monotone_curves_are_monotone),
        cmocka_unit_test(ends_are_as_chosen),
        cmocka_unit_test(periodic_curves_repeat),
        cmocka_unit_test(bad_tables_are_told),
        cmocka_unit_test(positions_are_whole_at_bends),
        cmocka_unit_test(events_are_where_the_points_are),
        cmocka_unit_test(kinds_of_events),
        cmocka_unit_test(periodic_events),
        cmocka_unit_test(bilinear_surfaces_are_exact),
        cmocka_unit_test(quadratic_surface_is_exact),
        cmocka_unit_test(surfaces_at_their_ends),
    };
    arena_create(&memory, NULL, 0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&memory);
    return failed;
}
