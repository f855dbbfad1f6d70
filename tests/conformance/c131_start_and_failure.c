/* tests/conformance/c131_start_and_failure.c - what a run does when something is wrong, and
 * what it reports: C131, C143, C144, C145, C146.                                  */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "driving.h"

static void assert_near(double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g within %.1e", found, wanted, tolerance);
}

/* ---- C131: y = g(t) started at y0 = a ------------------------------------------------ */

static int follows_g(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)yp;
    (void)user;
    r[0] = y[0] - cos(t);
    return DAEDAL_CALL_OK;
}

static const struct {
    const char *options;
    double a;
} INCONSISTENT[] = {
    {"method=bdf_classic start=given rtol=1e-6 atol=1e-6", 3.0},
    {"method=bdf_classic start=given rtol=1e-6 atol=1e-6", 1.001},
    {"method=bdf_classic start=given rtol=1e-3 atol=1e-3 first_step=1e-4", 2.0},
    {"method=bdf start=given rtol=1e-6 atol=1e-6", 3.0},
    {"method=bdf start=given rtol=1e-6 atol=1e-6", 1.001},
    {"method=bdf start=given rtol=1e-3 atol=1e-3 first_step=1e-4", 2.0},
};

/* The run must end as inconsistent after a bounded number of attempts, with no step
 * taken: not by exhausting steps, and not by stepping over the contradiction.      */
static void c131_inconsistent_start_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof INCONSISTENT / sizeof *INCONSISTENT; i++) {
        daedal_system sys = {.n = 1, .residual = follows_g};
        double yp0 = 0.0;
        daedal_solver *s =
            start_solver(&sys, INCONSISTENT[i].options, 0.0, &INCONSISTENT[i].a, &yp0);
        daedal_status status = daedal_solver_advance(s, 1.0);
        const daedal_stats *stats = daedal_solver_stats(s);
        if (status != DAEDAL_ERR_INCONSISTENT)
            fail_msg("row %d: %s after %d steps, %d failed error tests", (int)i,
                     daedal_status_name(status), (int)stats->steps, (int)stats->rejected_error);
        assert_int_equal(stats->steps, 0);
        assert_in_range(stats->rejected_error, 3, 40);
        assert_int_equal(daedal_solver_diagnosis(s)->variable, 0);
        daedal_solver_free(s);
    }
}

/* As h -> 0 the estimate of the first step tends to |g(t0) - a|/(2 w) (misprint E-21
 * corrected): alpha_2 = 1/2 for a first step, whose prediction knows one point and a
 * slope at it, however often the step was cut.                                    */
static void c131_estimate_tends_to_half_the_jump(void **state)
{
    (void)state;
    daedal_system sys = {.n = 1, .residual = follows_g};
    const double a = 3.0, yp0 = 0.0, w = 1e-3 * a + 1e-3;
    const char *const options[] = {
        "method=bdf_classic start=given rtol=1e-3 atol=1e-3 first_step=1e-3",
        "method=bdf_classic start=given rtol=1e-3 atol=1e-3 first_step=1e-8"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        kernel k;
        kernel_open(&k, &sys, options[i], 0.0, &a, &yp0);
        run_step(&k.run, 1.0);
        assert_near(k.b->seen.error, 0.5 * (a - 1.0) / w, 1e-3 * k.b->seen.error);
        kernel_close(&k);
    }
}

/* With the consistent start the same problem is harmless. */
static void c131_consistent_start_helps(void **state)
{
    (void)state;
    daedal_system sys = {.n = 1, .residual = follows_g};
    double a = 3.0, y;
    solve_to(&sys, "", 0.0, &a, 1.0, &y);
    assert_near(y, cos(1.0), 1e-5);
}

/* ---- C143: a singular iteration matrix ------------------------------------------------ */

typedef struct trace {
    double t[64];
    int count;
} trace;

static void note(trace *tr, double t)
{
    if (t > 0.0 && tr->count < 64 && (tr->count == 0 || tr->t[tr->count - 1] != t))
        tr->t[tr->count++] = t;
}

static int duplicate(double t, const double *y, const double *yp, double *r, void *user)
{
    note(user, t);
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] + y[0] - 2.0;
    r[2] = 2.0 * (y[1] + y[0] - 2.0) + 0.0 * y[2];
    return DAEDAL_CALL_OK;
}

static int duplicate_jacobian(double t, const double *y, const double *yp, double c, double *v,
                              void *user)
{
    (void)t;
    (void)y;
    (void)yp;
    (void)user;
    const double columns[9] = {c + 1.0, 1.0, 2.0, -1.0, 1.0, 2.0, 0.0, 0.0, 0.0};
    memcpy(v, columns, sizeof columns);
    return DAEDAL_CALL_OK;
}

/* The number of calls in the longest sequence in which each time is less than half of the one
 * before.  Other calls come before it, which find the pattern, and after it, for the reason. */
static int longest_halving(const trace *tr)
{
    int longest = 0;
    for (int k = 1, now = 1; k < tr->count; k++) {
        now = tr->t[k] < 0.5 * tr->t[k - 1] ? now + 1 : 1;
        longest = now > longest ? now : longest;
    }
    return longest;
}

/* Equation 2 repeats equation 1: its own status, after several step sizes. */
static void c143_duplicate_equation(void **state)
{
    (void)state;
    const char *options[] = {"method=bdf start=given", "method=bdf_classic start=given"};
    for (int i = 0; i < 2; i++) {
        trace tr = {.count = 0};
        daedal_system sys = {
            .n = 3, .residual = duplicate, .jacobian = duplicate_jacobian, .user = &tr};
        const double y0[] = {1.0, 1.0, 0.0}, yp0[] = {0.0, 0.0, 0.0};
        daedal_solver *s = start_solver(&sys, options[i], 0.0, y0, yp0);
        assert_int_equal(daedal_solver_advance(s, 1.0), DAEDAL_ERR_SINGULAR);
        int64_t attempts = daedal_solver_stats(s)->rejected_newton;
        assert_in_range(attempts, 3, 20);
        assert_true(longest_halving(&tr) >= attempts);
        assert_int_equal(daedal_solver_stats(s)->steps, 0);
        assert_true(strlen(daedal_solver_diagnosis(s)->message) > 20);
        daedal_solver_free(s);
    }
}

/* ---- C144: F undefined, bounds ----------------------------------------------------------- */

typedef struct fussy {
    int64_t calls, refused;
    double wall;             /* F is undefined for y below it ... */
    double until, t_refused; /* ... or beyond this time; the last time refused */
} fussy;

static int fussy_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    fussy *f = user;
    f->calls++;
    if (y[0] < f->wall || t > f->until) {
        f->refused++;
        f->t_refused = t;
        return DAEDAL_CALL_RETRY;
    }
    r[0] = yp[0] + sqrt(y[0] - f->wall);
    return DAEDAL_CALL_OK;
}

/* y' = -sqrt(y): y = (1 - t/2)^2.  A large first step would leave the domain; RETRY makes
 * it smaller and the run goes on.                                                 */
static void c144_retry_reduces_the_step(void **state)
{
    (void)state;
    const char *options[] = {"method=bdf first_step=1.5 rtol=1e-4",
                             "method=bdf_classic first_step=1.5 rtol=1e-4"};
    for (int i = 0; i < 2; i++) {
        fussy f = {.wall = 0.0, .until = INFINITY};
        daedal_system sys = {.n = 1, .residual = fussy_residual, .user = &f};
        double y0 = 1.0;
        daedal_solver *s = start_solver(&sys, options[i], 0.0, &y0, NULL);
        f.refused = 0;
        assert_int_equal(daedal_solver_advance(s, 1.5), DAEDAL_OK);
        assert_true(f.refused > 0);
        assert_true(daedal_solver_stats(s)->rejected_newton > 0);
        assert_near(daedal_solver_state(s)->y[0], 0.0625, 1e-3);
        daedal_solver_free(s);
    }
}

/* Beyond t = 0.5 nothing is defined: the run ends there with its own status, the last
 * state stays readable.                                                           */
static void c144_persistent_retry_ends_the_run(void **state)
{
    (void)state;
    const char *options[] = {"method=bdf rtol=1e-4", "method=bdf_classic rtol=1e-4"};
    for (int i = 0; i < 2; i++) {
        fussy f = {.wall = 0.0, .until = 0.5};
        daedal_system sys = {.n = 1, .residual = fussy_residual, .user = &f};
        double y0 = 1.0;
        daedal_solver *s = start_solver(&sys, options[i], 0.0, &y0, NULL);
        assert_int_equal(daedal_solver_advance(s, 1.5), DAEDAL_ERR_RETRY);
        const daedal_state *at = daedal_solver_state(s);
        assert_true(at->t <= 0.5 && at->t > 0.4);
        assert_near(at->y[0], (1.0 - at->t / 2.0) * (1.0 - at->t / 2.0), 1e-3);
        assert_true(f.t_refused - at->t < 1e-3);
        assert_true(f.refused < 100);
        daedal_solver_free(s);
    }
}

/* Concentrations that decay to nothing, at a coarse absolute tolerance. */
static int reaction(double t, const double *y, const double *yp, double *r, void *user)
{
    double *lowest = user;
    (void)t;
    for (int i = 0; i < 2; i++)
        *lowest = fmin(*lowest, y[i]);
    r[0] = yp[0] + 50.0 * y[0] + 3.0 * y[0] * y[1];
    r[1] = yp[1] - 20.0 * y[0] + 10.0 * y[1];
    return DAEDAL_CALL_OK;
}

static void c144_nonnegativity(void **state)
{
    (void)state;
    const char *options[] = {"method=bdf rtol=1e-2 atol=1e-2",
                             "method=bdf_classic rtol=1e-2 atol=1e-2"};
    for (int i = 0; i < 2; i++) {
        double lowest = 0.0;
        const double zero[] = {0.0, 0.0}, y0[] = {1.0, 0.0};
        daedal_system sys = {.n = 2, .residual = reaction, .lower = {zero, 2}, .user = &lowest};
        daedal_solver *s = start_solver(&sys, options[i], 0.0, y0, NULL);
        while (daedal_solver_state(s)->t < 10.0) {
            assert_int_equal(daedal_solver_step(s, 10.0), DAEDAL_OK);
            assert_true(daedal_solver_state(s)->y[0] >= 0.0);
            assert_true(daedal_solver_state(s)->y[1] >= 0.0);
        }
        daedal_solver_free(s);
        /* the option is needed: without it some accepted or tried y is negative */
        sys.lower = (daedal_doubles){0};
        double y[2];
        solve_to(&sys, options[i], 0.0, y0, 10.0, y);
        assert_true(lowest < 0.0);
    }
}

/* ---- C145: y given, y' wrong --------------------------------------------------------------- */

/* Stiff and of index 1: the fast y1 follows y2, the algebraic y2 is tied to y0. */
static int stiff_index_one(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + y[0] - sin(t);
    r[1] = yp[1] + 1e6 * (y[1] - y[2]);
    r[2] = y[2] + y[2] * y[2] * y[2] - y[0];
    return DAEDAL_CALL_OK;
}

static void c145_wrong_slopes_are_replaced(void **state)
{
    (void)state;
    const char *options[] = {"method=bdf", "method=bdf_classic"};
    for (int i = 0; i < 2; i++) {
        daedal_system sys = {.n = 3, .residual = stiff_index_one};
        const double y0[] = {2.0, 1.0, 1.0}, wrong[] = {77.0, -1e5, 13.0};
        daedal_solver *s = start_solver(&sys, options[i], 0.0, y0, wrong);
        const daedal_state *at = daedal_solver_state(s);
        for (int j = 0; j < 3; j++)
            assert_near(at->y[j], y0[j], 1e-12); /* y was consistent and stays */
        assert_near(at->yp[0], -2.0, 1e-9);
        assert_near(at->yp[1], 0.0, 1e-3);
        assert_int_equal(daedal_solver_advance(s, 2.0), DAEDAL_OK);
        double u = 2.5 * exp(-2.0) + 0.5 * (sin(2.0) - cos(2.0));
        assert_near(at->y[0], u, 1e-4);
        assert_near(at->y[2] + pow(at->y[2], 3), u, 1e-4);
        assert_true(daedal_solver_stats(s)->rejected_error <= 3);
        assert_true(daedal_solver_stats(s)->steps < 300);
        daedal_solver_free(s);
    }
}

/* ---- C146: statistics ----------------------------------------------------------------------- */

static int brusselator(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t;
    ++*(int64_t *)user;
    r[0] = yp[0] - 1.0 - y[0] * y[0] * y[1] + 4.0 * y[0];
    r[1] = yp[1] - 3.0 * y[0] + y[0] * y[0] * y[1];
    return DAEDAL_CALL_OK;
}

static void c146_statistics(void **state)
{
    (void)state;
    for (int m = 1; m <= 2; m++) {
        int64_t calls = 0, steps = 0;
        daedal_system sys = {.n = 2, .residual = brusselator, .user = &calls};
        const double y0[] = {1.5, 3.0};
        daedal_solver *s =
            start_solver(&sys, m == 1 ? "method=radau rtol=1e-5" : "method=bdf_classic rtol=1e-5",
                         0.0, y0, NULL);
        const daedal_stats *st = daedal_solver_stats(s);
        double h_next = INFINITY;
        while (daedal_solver_state(s)->t < 20.0) {
            double t = daedal_solver_state(s)->t;
            int32_t order = st->order_next;
            assert_int_equal(daedal_solver_step(s, 20.0), DAEDAL_OK);
            assert_int_equal(st->steps, ++steps);
            assert_near(st->h_last, daedal_solver_state(s)->t - t, 1e-13);
            assert_true(steps == 1 || st->order_last <= order); /* kept, or cut by a failure */
            assert_true(st->h_last <= h_next * (1.0 + 1e-6));
            h_next = st->h_next;
            assert_true(h_next > 0.0);
        }
        assert_int_equal(st->residuals, calls);
        assert_true(st->rejected_error > 0 && st->rejected_error < steps);
        assert_true(st->rejected_newton >= 0 && st->rejected_newton < steps);
        assert_true(st->jacobians > 1 && st->jacobian_residuals > st->jacobians);
        assert_true(st->factorizations + 3 >= st->jacobians); /* the start only looks */
        assert_true(st->iterations >= steps && st->solves >= st->iterations);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c131_inconsistent_start_is_named),
        cmocka_unit_test(c131_estimate_tends_to_half_the_jump),
        cmocka_unit_test(c131_consistent_start_helps),
        cmocka_unit_test(c143_duplicate_equation),
        cmocka_unit_test(c144_retry_reduces_the_step),
        cmocka_unit_test(c144_persistent_retry_ends_the_run),
        cmocka_unit_test(c144_nonnegativity),
        cmocka_unit_test(c145_wrong_slopes_are_replaced),
        cmocka_unit_test(c146_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
