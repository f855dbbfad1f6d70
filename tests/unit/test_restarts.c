/* tests/unit/test_restarts.c - restarts with other values: what the equations determine is found
 * again, hidden constraints included, and the run goes on from there.
 *
 * Each system has the solution y_0 = x0 e^-(t - t0), with x0 given anew at a restart, and further
 * variables that t and y_0 determine; these are given wrongly.                        */
#include <math.h>
#include <string.h>

#include "driving.h"
#include "harness.h"

enum { N_MAX = 4 };

/* index 1: z = y + sin t */
static int index_one(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0];
    r[1] = y[1] - y[0] - sin(t);
    return 0;
}

static void solve_one(double t, double x, double *y)
{
    y[0] = x;
    y[1] = x + sin(t);
}

/* index 2: u is driven onto sin t by v, so that v = cos t + u y_0 */
static int index_two(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0];
    r[1] = yp[1] - y[2] + y[1] * y[0];
    r[2] = y[1] - sin(t);
    return 0;
}

static void solve_two(double t, double x, double *y)
{
    y[0] = x;
    y[1] = sin(t);
    y[2] = cos(t) + sin(t) * x;
}

/* index 3: position sin t, velocity cos t, force -sin t + y_0 */
static int index_three(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0];
    r[1] = yp[1] - y[2];
    r[2] = yp[2] + y[0] - y[3];
    r[3] = y[1] - sin(t);
    return 0;
}

static void solve_three(double t, double x, double *y)
{
    y[0] = x;
    y[1] = sin(t);
    y[2] = cos(t);
    y[3] = x - sin(t);
}

static const struct {
    int32_t n;
    daedal_residual_fn *residual;
    void (*solution)(double t, double x, double *y);
    const char *options;
} ROWS[] = {
    {2, index_one, solve_one, "method=bdf"},   {2, index_one, solve_one, "method=radau"},
    {2, index_one, solve_one, "method=rodas"}, {2, index_one, solve_one, "method=limex"},
    {3, index_two, solve_two, "method=bdf"},   {3, index_two, solve_two, "method=radau"},
    {3, index_two, solve_two, "method=auto"},  {4, index_three, solve_three, "method=radau"},
};

static void expect_at(daedal_solver *s, size_t k, double x, double tol)
{
    const daedal_state *now = daedal_solver_state(s);
    double y[N_MAX];
    ROWS[k].solution(now->t, x, y);
    for (int32_t i = 0; i < ROWS[k].n; i++)
        expect_near(now->y[i], y[i], tol);
}

/* Wrong by `off` in all that is determined by others, from variable `first` on. */
static void restart_with(daedal_solver *s, size_t k, double x, double off, int32_t first)
{
    double y[N_MAX];
    ROWS[k].solution(daedal_solver_state(s)->t, x, y);
    for (int32_t i = first; i < ROWS[k].n; i++)
        y[i] += off;
    expect_status(s, daedal_solver_restart(s, y, NULL), DAEDAL_OK);
}

static void test_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(ROWS); k++) {
        daedal_system sys = {.n = ROWS[k].n, .residual = ROWS[k].residual};
        double y0[N_MAX], x = 1.0;
        ROWS[k].solution(0.0, x, y0);
        daedal_options opt = options_of(ROWS[k].options);
        opt.rtol = 1e-6;
        opt.atol = 1e-8;
        daedal_solver *s = started(&sys, &opt, 0.0, y0, NULL);
        for (int q = 1; q <= 6; q++) {
            double t = 0.3 * q;
            expect_status(s, daedal_solver_advance(s, t), DAEDAL_OK);
            expect_at(s, k, x * exp(-0.3), 2e-4);
            x = 1.0 + 0.2 * q; /* the last variable alone is wrong, then all that are determined */
            restart_with(s, k, x, q % 2 ? 0.05 : 0.0, ROWS[k].n - 1);
            expect_at(s, k, x, 1e-5);
        }
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
