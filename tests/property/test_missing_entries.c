/* tests/property/test_missing_entries.c - entries of the Jacobian that appear during a run.
 *
 * Chains of logic gates whose transistors are off at the start: dF/dy has entries that are zero,
 * bit for bit, near the start.  A run that has to find its pattern must take the steps of a run
 * that was given it.                                                                            */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "harness.h"

typedef struct gates {
    int32_t n;
    double width; /* of the first transistors, beside that of the loads */
} gates;

/* A level-one transistor: nothing flows below the threshold, and it conducts in both
 * directions above.                                                              */
static double one_way(double gate, double over)
{
    const double threshold = 1.0;
    double open = gate - threshold;
    if (open <= 0.0 || over <= 0.0)
        return 0.0;
    return over < open ? over * (open - 0.5 * over) : 0.5 * open * open;
}

static double current(double gate, double drain, double source)
{
    return one_way(gate - source, drain - source) - one_way(gate - drain, source - drain);
}

static double input(double t)
{
    return 2.5 * (1.0 - cos(t));
}

/* Node i is driven by two transistors in series whose gates are the nodes before it. */
static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const gates *g = user;
    for (int32_t i = 0; i < g->n; i++) {
        double before = i > 0 ? y[i - 1] : input(t), far = i > 1 ? y[i - 2] : input(0.7 * t);
        double other = i + 1 < g->n ? y[i + 1] : 0.0;
        r[i] = yp[i] - (5.0 - y[i]) + g->width * current(before, y[i], 0.0) +
               0.3 * g->width * current(far, y[i], other);
    }
    return DAEDAL_CALL_OK;
}

/* Two neighbours to each side. */
static daedal_pattern make_pattern(int32_t n)
{
    int32_t *start = malloc(((size_t)n + 1) * sizeof *start),
            *row = malloc(5u * (size_t)n * sizeof *row);
    int32_t count = start[0] = 0;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = j > 2 ? j - 2 : 0; i <= j + 2 && i < n; i++)
            row[count++] = i;
        start[j + 1] = count;
    }
    return (daedal_pattern){n, n, start, row};
}

typedef struct outcome {
    daedal_status status;
    int64_t steps, rejected, repairs, calls;
    double last;
} outcome;

static outcome solve_once(gates *g, const char *name, double rtol, const daedal_pattern *given)
{
    daedal_system sys = {.n = g->n, .residual = residual, .user = g, .pattern = given};
    daedal_options options = defaults_with(rtol, 1e-2 * rtol);
    assert_int_equal(daedal_options_set(&options, "method", name), DAEDAL_OK);
    double *y0 = calloc((size_t)g->n, sizeof *y0);
    daedal_solver *s = started(&sys, &options, 0.0, y0, NULL);
    outcome o = {.status = daedal_solver_advance(s, 15.0)};
    const daedal_stats *n = daedal_solver_stats(s);
    o.steps = n->steps;
    o.rejected = n->rejected_newton;
    o.repairs = n->pattern_repairs;
    o.calls = n->residuals;
    o.last = daedal_solver_state(s)->y[g->n - 1];
    daedal_solver_free(s);
    free(y0);
    return o;
}

static bool is_near(int64_t found, int64_t given)
{
    return fabs((double)(found - given)) <= 0.2 * (double)given;
}

/* Steps of several runs, because roundoff decides between orders: one run of limex takes 175 to 270
 * steps, whatever its pattern comes from, and few steps of a high order cost what many of a low one
 * do. */
static outcome solve(gates *g, const char *name, double rtol, const daedal_pattern *given)
{
    enum { RUNS = 8 };
    outcome all = {.status = DAEDAL_OK};
    for (int k = 0; k < RUNS && all.status == DAEDAL_OK; k++) {
        outcome one = solve_once(g, name, rtol * (1.0 + 0.01 * k), given);
        all.status = one.status;
        all.steps += one.steps;
        all.rejected += one.rejected;
        all.repairs += one.repairs;
        all.calls += one.calls;
        all.last = one.last;
    }
    return all;
}

static void steps_are_those_of_the_full_pattern(void **state)
{
    (void)state;
    const char *const methods[] = {"auto", "bdf", "radau", "rodas", "limex"};
    const int32_t sizes[] = {6, 14, 80};
    double steps_given = 0.0, steps_found = 0.0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t m = 0; m < 5; m++) {
            bool is_limex = m == 4;
            gates g = {sizes[k], 3.0};
            daedal_pattern all = make_pattern(g.n);
            outcome given = solve(&g, methods[m], 1e-5, &all),
                    found = solve(&g, methods[m], 1e-5, NULL);
            print_message(
                "%-6s n = %3d: given %d %4d steps, %3d rejected by Newton; found %d %4d, %3d, %d "
                "repairs; %d and %d calls\n",
                methods[m], (int)g.n, (int)given.status, (int)given.steps, (int)given.rejected,
                (int)found.status, (int)found.steps, (int)found.rejected, (int)found.repairs,
                (int)given.calls, (int)found.calls);
            assert_int_equal(given.status, DAEDAL_OK);
            assert_int_equal(found.status, DAEDAL_OK);
            assert_true(found.repairs > 0 || m == 0); /* auto chooses a method without Jacobians */
            assert_true(is_near(found.steps, given.steps) ||
                        (is_limex && is_near(found.calls, given.calls)));
            steps_given += (double)given.steps;
            steps_found += (double)found.steps;
            expect_near(found.last, given.last, 1e-3);
            free((void *)all.start);
            free((void *)all.row);
        }
    assert_true(fabs(steps_found - steps_given) <= 0.1 * steps_given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_those_of_the_full_pattern)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
