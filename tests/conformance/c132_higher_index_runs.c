/* tests/conformance/c132_higher_index_runs.c - the DASSL strategy (method bdf_classic) on systems
 * of index above one, and the pendulum's tables 6.2.2 to 6.2.4 of [BCP96]: C132, C133, C135, C136.
 *
 * Starts are given: the library's own start looks at the equations and refuses such systems before
 * the first step, which C132 and C133 check as well.  Gravity is -1, to which those tables belong.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"
#include "reentry.h"

/* ---- C132, C133 ------------------------------------------------------------------------- */

/* y' of a system whose equations begin y_i' = .., 0 for the last `algebraic` variables. */
static void slopes_of(const daedal_system *sys, double t, const double *y, int32_t algebraic,
                      double *yp)
{
    const double at_rest[TRIAL_MAX] = {0};
    sys->residual(t, y, at_rest, yp, sys->user);
    for (int32_t i = 0; i < sys->n; i++)
        yp[i] = i < sys->n - algebraic ? -yp[i] : 0.0;
}

/* The trajectory of index 2: error tests fail until the corrector does. */
static void c132_index_two_without_masking(void **state)
{
    (void)state;
    static const int32_t KIND[] = {1, 1, 1, 1, 1, 1, 2, 2};
    daedal_system sys = path_system(2);
    sys.variable_kind = (daedal_ints){KIND, PATH_N};
    double yp[PATH_N];
    slopes_of(&sys, 0.0, PATH_Y0, 2, yp);
    const char *const tests[] = {"plain", "differential", "filtered"};
    for (int i = 0; i < 3; i++) {
        char options[160];
        snprintf(options, sizeof options,
                 "method=bdf_classic start=given tolerance_law=as_given rtol=1e-8 atol=1e-8"
                 " max_steps=5000 error_test=%s",
                 tests[i]);
        daedal_solver *s = start_solver(&sys, options, 0.0, PATH_Y0, yp);
        daedal_status status = daedal_solver_advance(s, 300.0);
        const daedal_stats *st = daedal_solver_stats(s);
        expect_status(s, status, i == 0 ? DAEDAL_ERR_NEWTON : DAEDAL_OK);
        if (i == 0) {
            assert_true(st->rejected_error >= 10 && st->rejected_newton >= 10);
            assert_true(daedal_solver_state(s)->t < 1e-2);
            expect_text(daedal_solver_diagnosis(s)->hint, "index");
        } else
            assert_true(st->steps < 300);
        daedal_solver_free(s);
    }
}

/* The default start says so at once. */
static void refused_at_the_start(const daedal_system *sys, double t0, const double *y0)
{
    daedal_options opt = options_of("");
    daedal_solver *s = solver_of(sys, &opt);
    expect_status(s, daedal_solver_start(s, t0, y0, NULL), DAEDAL_ERR_SINGULAR);
    expect_text(daedal_solver_diagnosis(s)->hint, "the index may exceed one");
    daedal_solver_free(s);
}

static void c132_c133_refused_at_the_start(void **state)
{
    (void)state;
    daedal_system path = path_system(2), drag = drag_system();
    refused_at_the_start(&path, 0.0, PATH_Y0);
    refused_at_the_start(&drag, DRAG_START, DRAG_Y0);
    trial_problem p = problem_canonical(3);
    double y0[3];
    p.exact(0.3, y0, p.sys.user);
    refused_at_the_start(&p.sys, 0.3, y0);
}

static void fails_in_the_first_steps(const daedal_system *sys, double t0, const double *y0,
                                     const double *yp0, daedal_status wanted)
{
    const char *const methods[] = {"bdf_classic", "bdf"};
    for (int i = 0; i < 2; i++) {
        char options[96];
        snprintf(options, sizeof options, "method=%s start=given error_test=plain max_steps=100",
                 methods[i]);
        daedal_solver *s = start_solver(sys, options, t0, y0, yp0);
        expect_status(s, daedal_solver_advance(s, t0 + 10.0), wanted);
        assert_true(daedal_solver_stats(s)->steps <= 2);
        const daedal_diagnosis *why = daedal_solver_diagnosis(s);
        assert_true(strstr(why->hint, "index") != NULL || strstr(why->message, "index") != NULL);
        daedal_solver_free(s);
    }
}

static void c133_index_three_fed_directly(void **state)
{
    (void)state;
    double yp[TRIAL_MAX], y[TRIAL_MAX];
    daedal_system drag = drag_system();
    slopes_of(&drag, DRAG_START, DRAG_Y0, 1, yp);
    fails_in_the_first_steps(&drag, DRAG_START, DRAG_Y0, yp, DAEDAL_ERR_NEWTON);

    trial_problem swing = problem_pendulum(&PENDULUM_POSITION);
    swing.exact(0.5, y, swing.sys.user);
    slopes_of(&swing.sys, 0.5, y, 1, yp);
    fails_in_the_first_steps(&swing.sys, 0.5, y, yp, DAEDAL_ERR_NEWTON);

    trial_problem chain = problem_canonical(3);
    chain.exact(0.3, y, chain.sys.user);
    const double slopes[] = {y[1], y[2], -y[1]};
    fails_in_the_first_steps(&chain.sys, 0.3, y, slopes, DAEDAL_ERR_INCONSISTENT);
}

/* ---- C135, C136 ------------------------------------------------------------------------- */

static const double TRUTH[] = {0.1349949261, 0.9908462897, -1.710951582, 0.2331035448, 3.972538869};

typedef struct pendulum_run {
    double y[6], G[3];
    int64_t steps, evaluations; /* of the residual, those for differences aside */
} pendulum_run;

/* To t = 1 with rtol = atol. */
static pendulum_run swing_to_one(const pendulum *which, double tol, const char *more)
{
    static const double Y0[] = {1.0, 0.0, 0.0, 1.0, 1.0, 0.0}, YP0[] = {0.0, 1.0, -1.0, 1.0, 0.0};
    static const int32_t KIND[] = {1, 1, 1, 1, 2, 2};
    trial_problem p = problem_pendulum(which);
    p.sys.variable_kind = (daedal_ints){KIND, p.sys.n};
    double yp0[6] = {0};
    memcpy(yp0, YP0, sizeof YP0);
    char options[200];
    snprintf(options, sizeof options,
             "method=bdf_classic tolerance_law=as_given rtol=%g atol=%g %s", tol, tol, more);
    daedal_solver *s = start_solver(&p.sys, options, 0.0, Y0, yp0);
    expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
    const daedal_stats *st = daedal_solver_stats(s);
    pendulum_run done = {.steps = st->steps, .evaluations = st->residuals - st->jacobian_residuals};
    const double *y = daedal_solver_state(s)->y;
    memcpy(done.y, y, (size_t)p.sys.n * sizeof *y);
    done.G[0] = 1.0 - y[0] * y[0] - y[1] * y[1];
    done.G[1] = y[0] * y[2] + y[1] * y[3];
    done.G[2] = y[2] * y[2] + y[3] * y[3] - y[4] + y[1];
    daedal_solver_free(s);
    return done;
}

/* [BCP96] table 6.2.2: the index lowered to 1, the rod drifts. */
static void c135_index_one_pendulum(void **state)
{
    (void)state;
    static const pendulum LOWERED = {-1.0, 1.0, 1};
    static const int64_t STEPS[] = {43, 53, 84, 90, 116, 155, 233, 369};
    static const int64_t CALLS[] = {89, 114, 164, 197, 254, 359, 524, 642};
    double drift[8];
    for (int i = 0; i < 8; i++) {
        double tol = pow(10.0, -5 - i);
        pendulum_run done = swing_to_one(&LOWERED, tol, "error_test=plain");
        print_message("rtol %.0e: G1 %9.1e G3 %9.1e steps %ld (%ld) evaluations %ld (%ld)\n", tol,
                      done.G[0], done.G[2], (long)done.steps, (long)STEPS[i],
                      (long)done.evaluations, (long)CALLS[i]);
        drift[i] = fabs(done.G[0]);
        assert_true(drift[i] >= tol / 30.0 && drift[i] <= 300.0 * tol);
        assert_true(fabs(done.G[2]) <= 10.0 * tol);
        assert_true(done.steps <= 2 * STEPS[i] && 2 * done.steps >= STEPS[i]);
        assert_true(done.evaluations <= 2 * CALLS[i] && 2 * done.evaluations >= CALLS[i]);
        if (i >= 2) /* G1 passes through zero: neighbours may trade places */
            assert_true(drift[i] < drift[i - 2]);
    }
}

/* Tables 6.2.3 and 6.2.4: two constraints held by two multipliers, which the error test leaves out.
 * Printed for 1e-5: force 8.6e-6 relative, multiplier 8.3e-5; found here 1.2e-4 and 2.5e-4, in line
 * with what is printed for the state.                                              */
static void c136_stabilized_pendulum(void **state)
{
    (void)state;
    static const pendulum HELD = {-1.0, 1.0, PENDULUM_GGL};
    static const int64_t STEPS[] = {35, 45, 80};
    static const double ERROR[] = {2.8e-4, 5.4e-6, 2.2e-5, 3.1e-4};
    for (int i = 0; i < 3; i++) {
        double tol = pow(10.0, -5 - i);
        pendulum_run done = swing_to_one(&HELD, tol, "start=given error_test=differential");
        assert_true(fabs(done.G[0]) <= tol && fabs(done.G[1]) <= tol);
        assert_true(2 * done.steps <= 3 * STEPS[i] && 2 * done.steps >= STEPS[i]);
        if (i == 0) {
            for (int v = 0; v < 4; v++)
                expect_about("table 6.2.4", fabs(done.y[v] / TRUTH[v] - 1.0), ERROR[v], 1.0);
            assert_true(fabs(done.y[4] / TRUTH[4] - 1.0) < 30.0 * tol &&
                        fabs(done.y[5]) < 30.0 * tol);
        }
    }
}

/* DASSL's corrector stalled from 1e-8 on; this one does not, if the first step is not so small
 * (1e-9 by itself) that the multipliers, errors u/h, cannot be told any more.             */
static void c136_tight_tolerances(void **state)
{
    (void)state;
    static const pendulum HELD = {-1.0, 1.0, PENDULUM_GGL};
    for (int i = 8; i <= 11; i++) {
        double tol = pow(10.0, -i);
        pendulum_run done =
            swing_to_one(&HELD, tol, "start=given error_test=differential first_step=1e-4");
        assert_true(fabs(done.G[0]) <= tol && fabs(done.G[1]) <= tol);
        for (int v = 0; v < 4; v++)
            expect_near(done.y[v] / TRUTH[v], 1.0, 50.0 * tol + 5e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c132_index_two_without_masking),
        cmocka_unit_test(c132_c133_refused_at_the_start),
        cmocka_unit_test(c133_index_three_fed_directly),
        cmocka_unit_test(c135_index_one_pendulum),
        cmocka_unit_test(c136_stabilized_pendulum),
        cmocka_unit_test(c136_tight_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
