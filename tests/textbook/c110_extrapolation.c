/* tests/textbook/c110_extrapolation.c - extrapolated Euler methods for systems of index 1,
 * [BCP96] 4.6: C110, C111, C112, C113, C114, C115.                               */
#include <math.h>
#include <string.h>

#include "extrapolation.h"
#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"

/* ---- the tables ---------------------------------------------------------------------------- */

static const int32_t DOUBLING[TABLE_ROWS] = {1, 2, 4, 8, 16};

static const double H = 1.0 / 1024;

static table_pair tables_of(basic_method *basic, const wide_system *sys, const int32_t *sequence,
                            int32_t rows)
{
    table_pair t = {H, {.rows = rows}, {.rows = rows}};
    extrapolate(&t.coarse, basic, sys, H, sequence);
    extrapolate(&t.fine, basic, sys, (wide)H / 2, sequence);
    return t;
}

/* Column k of both variables has local errors H^(k+1). */
static void expect_unperturbed(const char *what, basic_method *basic, const wide_system *sys,
                               const int32_t *sequence, bool algebraic)
{
    table_pair t = tables_of(basic, sys, sequence, 5);
    for (int32_t j = 0; j < 5; j++)
        for (int32_t v = 0; v < 2; v++) {
            double found = exponent_of(sys, &t, j, j, v);
            if (algebraic && v == 1 && isinf(found))
                continue;
            expect_order(what, v == 0 ? "y" : "z", found, j + 2, 0.1);
        }
}

static void c110_implicit_euler(void **state)
{
    (void)state;
    const wide_system *const systems[] = {&WIDE_SEMI_EXPLICIT, &WIDE_CONSTANT_RANGE,
                                          &WIDE_TURNING_RANGE};
    for (size_t i = 0; i < COUNT(systems); i++) {
        expect_unperturbed("implicit Euler, 1 2 3 ..", implicit_euler, systems[i], HARMONIC, true);
        expect_unperturbed("implicit Euler, 1 2 4 ..", implicit_euler, systems[i], DOUBLING, true);
    }
}

/* One large step with T_jj of implicit Euler as its result, for F(t, y, y') = 0. */
static void large_step(const daedal_system *sys, const int32_t *sequence, int32_t j, double t,
                       double step, double *y)
{
    tableau euler = tableau_of("implicit_euler");
    double table[5][2];
    for (int32_t i = 0; i < j; i++) { /* row by row; table[k] becomes T_{i+1,i+1-k} */
        double h = step / sequence[i];
        memcpy(table[i], y, sizeof table[i]);
        for (int32_t n = 0; n < sequence[i]; n++)
            assert_true(rk_step(&euler, sys, t + n * h, h, table[i], NULL));
        for (int32_t k = i - 1; k >= 0; k--)
            for (int v = 0; v < 2; v++)
                table[k][v] = table[k + 1][v] + (table[k + 1][v] - table[k][v]) /
                                                    ((double)sequence[i] / sequence[k] - 1.0);
    }
    memcpy(y, table[0], sizeof table[0]);
}

/* T_jj as a method: order j, on a semi-explicit system and on [BCP96] (4.3.33). */
static void c110_global_order(void **state)
{
    (void)state;
    const trial_problem problems[] = {problem_semi_explicit(), problem_coupled()};
    for (int i = 0; i < 4; i++) {
        const trial_problem *p = &problems[i / 2];
        const int32_t *sequence = i % 2 == 0 ? HARMONIC : DOUBLING;
        for (int32_t j = 1; j <= 5; j++) {
            double error[2], right[2];
            p->exact(1.0, right, p->sys.user);
            for (int fine = 0; fine < 2; fine++) {
                int32_t steps = 16 << fine;
                double y[2];
                p->exact(0.0, y, p->sys.user);
                for (int32_t n = 0; n < steps; n++)
                    large_step(&p->sys, sequence, j, (double)n / steps, 1.0 / steps, y);
                error[fine] = fabs(y[0] - right[0]);
            }
            expect_order("extrapolated Euler", i < 2 ? "semi-explicit" : "coupled",
                         order_between(error[0], error[1]), j, 0.35);
        }
    }
}

/* ---- C111, C112 ------------------------------------------------------------------------------ */

/* [BCP96] table 4.6.1: orders of y; one large step has an exponent higher by one. */
static const int32_t ORDER_Y[TABLE_ROWS][TABLE_ROWS] = {
    {1},
    {1, 2},
    {1, 2, 3},
    {1, 2, 3, 4},
    {1, 2, 3, 4, 4},
    {1, 2, 3, 4, 4, 5},
    {1, 2, 3, 4, 4, 5, 5},
    {1, 2, 3, 4, 4, 5, 6, 5},
    {1, 2, 3, 4, 4, 5, 6, 6, 5},
    {1, 2, 3, 4, 4, 5, 6, 7, 6, 5},
};

/* Table 4.6.2: exponents of z. */
static const int32_t EXPONENT_Z[TABLE_ROWS][TABLE_ROWS] = {
    {2},
    {2, 2},
    {2, 2, 3},
    {2, 2, 3, 4},
    {2, 2, 3, 4, 4},
    {2, 2, 3, 4, 5, 4},
    {2, 2, 3, 4, 5, 5, 4},
    {2, 2, 3, 4, 5, 6, 5, 4},
    {2, 2, 3, 4, 5, 6, 6, 5, 4},
    {2, 2, 3, 4, 5, 6, 7, 6, 5, 4},
};

static void c111_c112_linearly_implicit_euler(void **state)
{
    (void)state;
    table_pair t = tables_of(scheme_2, &WIDE_SEMI_EXPLICIT, HARMONIC, TABLE_ROWS);
    for (int32_t v = 0; v < 2; v++)
        for (int32_t j = 0; j < TABLE_ROWS; j++) {
            for (int32_t k = 0; k <= j; k++) {
                double found = exponent_of(&WIDE_SEMI_EXPLICIT, &t, j, k, v);
                int32_t least = v == 0 ? ORDER_Y[j][k] + 1 : EXPONENT_Z[j][k];
                print_message("%5.2f", found);
                if (WIDE_DIGITS >= 30 && !(found > least - 0.3))
                    fail_msg("%s, T_%d,%d: exponent %.2f, expected %d at least", v == 0 ? "y" : "z",
                             j + 1, k + 1, found, least);
                /* the perturbations do bite: the diagonal does not grow any more */
                if (WIDE_DIGITS >= 30 && j == k && j >= (v == 0 ? 7 : 4))
                    expect_order("diagonal", v == 0 ? "y" : "z", found, v == 0 ? 6.0 : 4.0, 0.3);
            }
            print_message("\n");
        }
}

/* ---- C113, C114 ------------------------------------------------------------------------------ */

/* The coefficients of h^2 and h^3 in the error after n = 1 .. count steps, n fixed, h -> 0. */
enum { STEPS_SEEN = 8 };
typedef struct expansion {
    double second[STEPS_SEEN + 1], third[STEPS_SEEN + 1];
} expansion;

static expansion expand(basic_method *basic, const wide_system *sys)
{
    const wide h = (wide)1.0 / (1 << 20);
    expansion e = {{0}, {0}};
    for (int32_t n = 1; n <= STEPS_SEEN; n++) {
        wide y[WIDE_MAX], right[WIDE_MAX], yp[WIDE_MAX], scaled[2];
        for (int i = 0; i < 2; i++) {
            wide step = h * (1 + i);
            basic(sys, step, n, y);
            sys->exact(n * step, right, yp);
            scaled[i] = (y[1] - right[1]) / (step * step);
        }
        e.second[n] = (double)(2 * scaled[0] - scaled[1]);
        e.third[n] = (double)((scaled[1] - scaled[0]) / h);
    }
    return e;
}

/* From which n on `values` is a polynomial of the degree in n: differences of degree + 1 vanish. */
static int32_t smooth_from(const double *values, int32_t degree)
{
    int32_t from = STEPS_SEEN;
    for (int32_t n = STEPS_SEEN - degree - 1; n >= 1; n--) {
        double difference = 0.0, size = 0.0, sign = 1.0;
        for (int32_t i = 0; i <= degree + 1; i++, sign = -sign) {
            double binomial = tgamma(degree + 2.0) / (tgamma(i + 1.0) * tgamma(degree + 2.0 - i));
            difference += sign * binomial * values[n + i];
            size += fabs(binomial * values[n + i]);
        }
        if (fabs(difference) > 1e-4 * size)
            return from;
        from = n;
    }
    return from;
}

/* Theorems 4.6.2 and 4.6.3: the perturbation of h^(2+k) is 0 from a certain n on, and h^(2+k) times
 * a smooth function of nh contributes polynomials of n.  h^2: n >= 1 for both schemes; h^3: n >= 4
 * and, with B of constant range, 2 for scheme 1, 2 and 1 for scheme 2.                   */
static void c113_perturbations_of_the_schemes(void **state)
{
    (void)state;
    if (WIDE_DIGITS < 30)
        skip();
    const struct {
        const char *name;
        basic_method *basic;
        const wide_system *sys;
        int32_t third;
    } rows[] = {
        {"scheme 1, turning range", scheme_1, &WIDE_TURNING_RANGE, 4},
        {"scheme 1, constant range", scheme_1, &WIDE_CONSTANT_RANGE, 2},
        {"scheme 2, turning range", scheme_2, &WIDE_TURNING_RANGE, 2},
        {"scheme 2, constant range", scheme_2, &WIDE_CONSTANT_RANGE, 1},
        {"implicit Euler, turning range", implicit_euler, &WIDE_TURNING_RANGE, 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        expansion e = expand(rows[i].basic, rows[i].sys);
        int32_t second = smooth_from(e.second, 1), third = smooth_from(e.third, 2);
        print_message("%-30s h^2 smooth from n = %d, h^3 from %d\n", rows[i].name, second, third);
        assert_true(second <= 1);
        if (rows[i].basic == scheme_2)
            assert_int_equal(third, rows[i].third); /* the perturbation is there, and ends there */
        else
            assert_true(third <= rows[i].third);
    }
}

/* Multiplying the equations by P(y) changes linearly implicit methods only. */
static void c113_premultiplication(void **state)
{
    (void)state;
    basic_method *const basics[] = {scheme_1, scheme_2, implicit_euler};
    for (int i = 0; i < 3; i++) {
        wide plain[WIDE_MAX], multiplied[WIDE_MAX];
        basics[i](&WIDE_CONSTANT_RANGE, (wide)1.0 / 32, 8, plain);
        basics[i](&WIDE_TURNING_RANGE, (wide)1.0 / 32, 8, multiplied);
        double difference = (double)wide_abs(plain[1] - multiplied[1]);
        if (i < 2)
            assert_true(difference > 1e-6);
        else
            assert_true(difference < pow(10.0, 4 - WIDE_DIGITS));
    }
}

static void c114_implicit_ode(void **state)
{
    (void)state;
    expect_unperturbed("scheme 1", scheme_1, &WIDE_NONSINGULAR, HARMONIC, false);
    expect_unperturbed("scheme 2", scheme_2, &WIDE_NONSINGULAR, HARMONIC, false);
    expect_unperturbed("implicit Euler", implicit_euler, &WIDE_NONSINGULAR, HARMONIC, false);
}

/* ---- C115 --------------------------------------------------------------------------------------
 */

/* z from g(y, z) = 0 */
static void solve_constraint(wide *y)
{
    for (int i = 0; i < 20; i++)
        y[1] -= wide_constraint(y) / (1 + 2 * y[0] * y[1]);
}

static void c115_constraint_after_extrapolation(void **state)
{
    (void)state;
    enum { ROWS = 4 };
    wide_table t = {.rows = ROWS}, half = {.rows = ROWS};
    extrapolate(&t, implicit_euler, &WIDE_SEMI_EXPLICIT, 0.1, HARMONIC);
    extrapolate(&half, implicit_euler, &WIDE_SEMI_EXPLICIT, 0.05, HARMONIC);
    for (int32_t j = 0; j < ROWS; j++)
        assert_true(wide_abs(wide_constraint(t.row[j][0])) < (wide)pow(10.0, 3 - WIDE_DIGITS));
    for (int32_t j = 1; j < ROWS; j++) {
        /* violated at the level of the truncation error */
        wide *last = t.row[j][j], right[WIDE_MAX], yp[WIDE_MAX];
        double off = (double)wide_abs(wide_constraint(last));
        WIDE_SEMI_EXPLICIT.exact(0.1, right, yp);
        double error = (double)wide_abs(last[1] - right[1]);
        assert_true(off > 1e-12 && off < 10.0 * error + 1e-8);
        double order = log2(off / (double)wide_abs(wide_constraint(half.row[j][j])));
        assert_true(order > j + 1.5);
        /* y alone, and Newton's method for z */
        solve_constraint(last);
        assert_true((double)wide_abs(wide_constraint(last)) < 1e-14);
        assert_true((double)wide_abs(last[1] - right[1]) < 2.0 * error + 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c110_implicit_euler),
        cmocka_unit_test(c110_global_order),
        cmocka_unit_test(c111_c112_linearly_implicit_euler),
        cmocka_unit_test(c113_perturbations_of_the_schemes),
        cmocka_unit_test(c113_premultiplication),
        cmocka_unit_test(c114_implicit_ode),
        cmocka_unit_test(c115_constraint_after_extrapolation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
