/* tests/conformance/c110_limex_rows.c - the extrapolation tables of limex, one large step in each
 * row: C111, C112, C113, C114, C115, C117.  What the rows promise is measured with 113 bits in
 * tests/textbook/c110_extrapolation.c; here the library's rows are found to be the same, and the
 * promises that double precision can show are measured on them.                   */
#include <math.h>

#include "dictated.h"
#include "extrapolation.h"
#include "harness.h"
#include "integ/limex.h"
#include "order_problems.h"

enum { N = 2, ROWS = 8 };

/* ---- the systems of extrapolation.h in double ---------------------------------------------------
 */

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const wide_system *sys = user;
    wide at[] = {y[0], y[1]}, b[N * N], f[N];
    (void)t;
    sys->mass(at, b);
    sys->rhs(at, f);
    for (int i = 0; i < N; i++)
        r[i] = (double)(b[N * i] * yp[0] + b[N * i + 1] * yp[1] - f[i]);
    return DAEDAL_CALL_OK;
}

static void exact(double t, double *y, void *user)
{
    wide at[N], slope[N];
    ((const wide_system *)user)->exact(t, at, slope);
    for (int v = 0; v < N; v++)
        y[v] = (double)at[v];
}

static trial_problem problem_of(const wide_system *sys)
{
    return (trial_problem){.sys = {.n = N, .residual = residual, .user = (void *)(uintptr_t)sys},
                           .exact = exact};
}

/* T_rows,1 .. T_rows,rows of one large step H from the exact values at 0, column by column. */
static void row_of_the_library(const trial_problem *p, int32_t rows, double H, double column[][N])
{
    dictated_run d;
    mesh g = mesh_open(N, 0.0, H, 1, 1.0);
    mesh_begin(&g, p, 1);
    dictated_open(&d, &(dictated){"limex", rows, 0.0}, p, &g, 1);
    dictated_step(&d, H);
    const limex *x = d.kn.run.integrator;
    for (int32_t k = 0; k < rows; k++)
        for (int v = 0; v < N; v++)
            column[k][v] = x->row_y[k][v];
    dictated_close(&d);
    mesh_close(&g);
}

static const struct {
    const char *name;
    const wide_system *sys;
} SYSTEMS[] = {
    {"semi-explicit", &WIDE_SEMI_EXPLICIT},
    {"constant range", &WIDE_CONSTANT_RANGE},
    {"turning range", &WIDE_TURNING_RANGE},
    {"nonsingular", &WIDE_NONSINGULAR},
};

/* ---- C111, C112, C113
 * ---------------------------------------------------------------------------- */

/* Scheme 1 of [BCP96] after (4.6.4), n_j = 1, 2, 3 ..: all entries of all rows.  Roundoff grows
 * with the factors of the extrapolation, up to 1e3 in row 8.                           */
static void c111_rows_are_those_of_scheme_1(void **state)
{
    (void)state;
    const double H = 0.125;
    for (size_t i = 0; i < COUNT(SYSTEMS); i++) {
        trial_problem p = problem_of(SYSTEMS[i].sys);
        wide_table table = {.rows = ROWS};
        extrapolate(&table, scheme_1, SYSTEMS[i].sys, H, HARMONIC);
        for (int32_t rows = 2; rows <= ROWS; rows++) {
            double column[ROWS][N];
            row_of_the_library(&p, rows, H, column);
            for (int32_t k = 0; k < rows; k++)
                for (int v = 0; v < N; v++) {
                    double right = (double)table.row[rows - 1][k][v];
                    if (!(fabs(column[k][v] - right) < 1e-11))
                        fail_msg("%s, T_%d,%d: %.15g, not %.15g", SYSTEMS[i].name, (int)rows,
                                 (int)k + 1, column[k][v], right);
                }
        }
    }
}

/* ---- C114, C115
 * ---------------------------------------------------------------------------------- */

/* T_jj of an implicit ordinary differential equation: local errors H^(j+1). */
static void c114_implicit_ode(void **state)
{
    (void)state;
    trial_problem p = problem_of(&WIDE_NONSINGULAR);
    for (int32_t rows = 2; rows <= 5; rows++) {
        double error[2];
        for (int half = 0; half < 2; half++) {
            double H = 1.0 / (32 << half), column[ROWS][N], right[N];
            row_of_the_library(&p, rows, H, column);
            exact(H, right, p.sys.user);
            error[half] = fabs(column[rows - 1][0] - right[0]);
        }
        expect_order("limex", "y", order_between(error[0], error[1]), rows + 1, 0.25);
    }
}

/* Extrapolated values violate the constraint at the level of the truncation error, which has the
 * exponents 2, 3, 4 of [BCP96] table 4.6.2.                                        */
static void c115_constraint_after_extrapolation(void **state)
{
    (void)state;
    trial_problem p = problem_of(&WIDE_SEMI_EXPLICIT);
    for (int32_t rows = 2; rows <= 4; rows++) {
        double off[2];
        for (int half = 0; half < 2; half++) {
            double H = 1.0 / (32 << half), column[ROWS][N], right[N];
            row_of_the_library(&p, rows, H, column);
            exact(H, right, p.sys.user);
            const wide end[] = {column[rows - 1][0], column[rows - 1][1]};
            off[half] = fabs((double)wide_constraint(end));
            assert_true(off[half] < 10.0 * fabs(column[rows - 1][1] - right[1]) + 1e-8);
        }
        assert_true(off[1] > 1e-12 && order_between(off[0], off[1]) > rows - 0.5);
    }
}

/* ---- C117
 * ---------------------------------------------------------------------------------------- */

/* z of T_22 is exact for eps = 0; for eps > 0 the perturbation of [BCP96] (4.6.3) is left. */
static void c117_extrapolated_perturbation(void **state)
{
    (void)state;
    const double H = 0.1, values[] = {0.0, 0.02};
    for (size_t i = 0; i < COUNT(values); i++) {
        double eps = values[i], column[ROWS][N], left = 0.0;
        trial_problem p = problem_stiff_pair(&eps);
        row_of_the_library(&p, 2, H, column);
        if (eps > 0.0)
            left = H * eps * (1.0 / (1.0 + H / eps) - pow(1.0 + 0.5 * H / eps, -2));
        expect_near(column[1][1] - H * H, left, 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c111_rows_are_those_of_scheme_1),
        cmocka_unit_test(c114_implicit_ode),
        cmocka_unit_test(c115_constraint_after_extrapolation),
        cmocka_unit_test(c117_extrapolated_perturbation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
