/* support/extrapolation.c - see extrapolation.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "extrapolation.h"

const int32_t HARMONIC[TABLE_ROWS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

wide wide_abs(wide x)
{
    return x < 0 ? -x : x;
}

void wide_solve(int32_t n, const wide *a, wide *b)
{
    assert_true(n <= WIDE_MAX);
    if (n == 1) {
        b[0] /= a[0];
        return;
    }
    wide det = a[0] * a[3] - a[1] * a[2];
    wide x = (b[0] * a[3] - a[1] * b[1]) / det;
    b[1] = (a[0] * b[1] - b[0] * a[2]) / det;
    b[0] = x;
}

/* B(y) v - f(y) */
static void slope_residual(const wide_system *sys, const wide *y, const wide *v, wide *r)
{
    wide b[WIDE_MAX * WIDE_MAX], f[WIDE_MAX];
    sys->mass(y, b);
    sys->rhs(y, f);
    for (int32_t i = 0; i < sys->n; i++) {
        r[i] = -f[i];
        for (int32_t j = 0; j < sys->n; j++)
            r[i] += b[i * sys->n + j] * v[j];
    }
}

/* B'(y) y' - f'(y) by central differences: errors of two thirds of the digits, which is roundoff
 * here, as J enters multiplied by powers of H.                                      */
static void jacobian(const wide_system *sys, const wide *y, const wide *yp, wide *J)
{
    wide width = (wide)pow(10.0, -WIDE_DIGITS / 3);
    wide moved[WIDE_MAX], above[WIDE_MAX], below[WIDE_MAX];
    memcpy(moved, y, sizeof moved);
    for (int32_t j = 0; j < sys->n; j++) {
        moved[j] = y[j] + width;
        slope_residual(sys, moved, yp, above);
        moved[j] = y[j] - width;
        slope_residual(sys, moved, yp, below);
        moved[j] = y[j];
        for (int32_t i = 0; i < sys->n; i++)
            J[i * sys->n + j] = (above[i] - below[i]) / (2 * width);
    }
}

typedef struct start {
    wide y[WIDE_MAX], yp[WIDE_MAX], b[WIDE_MAX * WIDE_MAX], J[WIDE_MAX * WIDE_MAX];
} start;

static start start_of(const wide_system *sys)
{
    start s = {{0}, {0}, {0}, {0}};
    sys->exact(0, s.y, s.yp);
    sys->mass(s.y, s.b);
    jacobian(sys, s.y, s.yp, s.J);
    return s;
}

/* change := (b + h J)^-1 change */
static void solve_step(const wide_system *sys, const wide *b, wide h, const wide *J, wide *change)
{
    wide matrix[WIDE_MAX * WIDE_MAX];
    for (int32_t i = 0; i < sys->n * sys->n; i++)
        matrix[i] = b[i] + h * J[i];
    wide_solve(sys->n, matrix, change);
}

/* B(y_{n+1}) (y_{n+1} - y_n) = h f(y_{n+1}); the matrix of the start serves the iteration, which
 * gains a factor of about nh each time.                                             */
void implicit_euler(const wide_system *sys, wide h, int32_t steps, wide *y)
{
    start s = start_of(sys);
    memcpy(y, s.y, sizeof s.y);
    for (int32_t step = 0; step < steps; step++) {
        wide before[WIDE_MAX], r[WIDE_MAX], slope[WIDE_MAX];
        memcpy(before, y, sizeof before);
        for (int iteration = 0; iteration < 200; iteration++) {
            wide largest = 0;
            for (int32_t i = 0; i < sys->n; i++)
                slope[i] = (y[i] - before[i]) / h;
            slope_residual(sys, y, slope, r);
            for (int32_t i = 0; i < sys->n; i++)
                r[i] *= -h;
            solve_step(sys, s.b, h, s.J, r);
            for (int32_t i = 0; i < sys->n; i++) {
                y[i] += r[i];
                largest = wide_abs(r[i]) > largest ? wide_abs(r[i]) : largest;
            }
            if (largest < (wide)pow(10.0, 1 - WIDE_DIGITS))
                break;
        }
    }
}

/* (B(y_0) + h J) (y_{n+1} - y_n) = h f(y_n) - (B(y_n) - B(y_0)) (y_n - y_{n-1}) */
void scheme_1(const wide_system *sys, wide h, int32_t steps, wide *y)
{
    start s = start_of(sys);
    wide change[WIDE_MAX] = {0};
    memcpy(y, s.y, sizeof s.y);
    for (int32_t step = 0; step < steps; step++) {
        wide b[WIDE_MAX * WIDE_MAX], f[WIDE_MAX], right[WIDE_MAX] = {0};
        sys->mass(y, b);
        sys->rhs(y, f);
        for (int32_t i = 0; i < sys->n; i++) {
            right[i] = h * f[i];
            for (int32_t j = 0; j < sys->n; j++)
                right[i] -= (b[i * sys->n + j] - s.b[i * sys->n + j]) * change[j];
        }
        solve_step(sys, s.b, h, s.J, right);
        memcpy(change, right, sizeof change);
        for (int32_t i = 0; i < sys->n; i++)
            y[i] += change[i];
    }
}

/* (B(y_n) + h J) (y_{n+1} - y_n) = h f(y_n) */
void scheme_2(const wide_system *sys, wide h, int32_t steps, wide *y)
{
    start s = start_of(sys);
    memcpy(y, s.y, sizeof s.y);
    for (int32_t step = 0; step < steps; step++) {
        wide b[WIDE_MAX * WIDE_MAX], change[WIDE_MAX];
        sys->mass(y, b);
        sys->rhs(y, change);
        for (int32_t i = 0; i < sys->n; i++)
            change[i] *= h;
        solve_step(sys, b, h, s.J, change);
        for (int32_t i = 0; i < sys->n; i++)
            y[i] += change[i];
    }
}

void extrapolate(wide_table *table, basic_method *basic, const wide_system *sys, wide H,
                 const int32_t *sequence)
{
    for (int32_t j = 0; j < table->rows; j++) {
        basic(sys, H / sequence[j], sequence[j], table->row[j][0]);
        for (int32_t k = 0; k < j; k++)
            for (int32_t v = 0; v < sys->n; v++) {
                wide ratio = (wide)sequence[j] / sequence[j - k - 1];
                table->row[j][k + 1][v] =
                    table->row[j][k][v] +
                    (table->row[j][k][v] - table->row[j - 1][k][v]) / (ratio - 1);
            }
    }
}

double exponent_of(const wide_system *sys, const table_pair *pair, int32_t j, int32_t k, int32_t v)
{
    wide right[WIDE_MAX], yp[WIDE_MAX], error[2];
    sys->exact(pair->H, right, yp);
    error[0] = wide_abs(pair->coarse.row[j][k][v] - right[v]);
    sys->exact((wide)pair->H / 2, right, yp);
    error[1] = wide_abs(pair->fine.row[j][k][v] - right[v]);
    if (error[1] < (wide)pow(10.0, 5 - WIDE_DIGITS))
        return INFINITY;
    return log2((double)(error[0] / error[1]));
}

/* ---- the systems --------------------------------------------------------------------------- */

static void exact(wide t, wide *y, wide *yp)
{
    y[0] = 1 / (1 + t);
    y[1] = y[0] * y[0];
    yp[0] = -y[1];
    yp[1] = -2 * y[0] * y[1];
}

wide wide_constraint(const wide *y)
{
    return y[1] + y[0] * y[1] * y[1] - y[0] * y[0] - y[0] * y[0] * y[0] * y[0] * y[0];
}

/* y' = -z (1 + z) / (1 + y^2), 0 = g(y, z) */
static void semi_explicit_mass(const wide *y, wide *b)
{
    (void)y;
    b[0] = 1;
    b[1] = b[2] = b[3] = 0;
}

static void semi_explicit_rhs(const wide *y, wide *f)
{
    f[0] = -y[1] * (1 + y[1]) / (1 + y[0] * y[0]);
    f[1] = wide_constraint(y);
}

const wide_system WIDE_SEMI_EXPLICIT = {2, semi_explicit_mass, semi_explicit_rhs, exact};

/* (1 + z) y' + y z' = .., 0 = g: the range of B is that of the first row. */
static void constant_range_mass(const wide *y, wide *b)
{
    b[0] = 1 + y[1];
    b[1] = y[0];
    b[2] = b[3] = 0;
}

static void constant_range_rhs(const wide *y, wide *f)
{
    f[0] = -(1 + y[1]) * y[1] - 2 * y[0] * y[0] * y[1];
    f[1] = wide_constraint(y);
}

const wide_system WIDE_CONSTANT_RANGE = {2, constant_range_mass, constant_range_rhs, exact};

/* The same multiplied by P = [1 0; y + z 1]: the range turns with the solution. */
static void turning_range_mass(const wide *y, wide *b)
{
    constant_range_mass(y, b);
    b[2] = (y[0] + y[1]) * b[0];
    b[3] = (y[0] + y[1]) * b[1];
}

static void turning_range_rhs(const wide *y, wide *f)
{
    constant_range_rhs(y, f);
    f[1] += (y[0] + y[1]) * f[0];
}

const wide_system WIDE_TURNING_RANGE = {2, turning_range_mass, turning_range_rhs, exact};

/* An implicit ordinary differential equation: B is nonsingular. */
static void nonsingular_mass(const wide *y, wide *b)
{
    b[0] = 1 + y[1] * y[1];
    b[1] = y[0];
    b[2] = -y[0] * y[1];
    b[3] = 2 + y[0];
}

static void nonsingular_rhs(const wide *y, wide *f)
{
    wide b[4];
    nonsingular_mass(y, b);
    for (int i = 0; i < 2; i++)
        f[i] = -b[2 * i] * y[1] - b[2 * i + 1] * 2 * y[0] * y[1];
}

const wide_system WIDE_NONSINGULAR = {2, nonsingular_mass, nonsingular_rhs, exact};
