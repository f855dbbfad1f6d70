/* tests/unit/test_no_progress.c - runs that would take steps without end are stopped, with the
 * reason: a bound that the solution presses against, a jump of F that it slides along, a Jacobian
 * that is not that of F.  A run that only takes its time is left alone.           */
#include <math.h>
#include <string.h>

#include "base/choices.h"
#include "harness.h"

/* y0' = -1 from 1, held at its lower bound 0 from t = 1 on; y1 follows in the opposite direction.
 */
static int emptied(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)user;
    r[0] = yp[0] + 1.0;
    r[1] = yp[1] - 1.0;
    return 0;
}

/* Slides along y = 0 from t = 1 on. */
static int sliding(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + (y[0] > 0.0 ? 1.0 : -1.0);
    return 0;
}

static int cube(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] + 1e3 * (y[0] * y[0] * y[0] - cos(t));
    return 0;
}

static int wrong(double t, const double *y, const double *yp, double c, double *values, void *user)
{
    (void)t, (void)yp, (void)user, (void)y;
    values[0] = c - 1e3;
    return 0;
}

static const double zero_at_least[] = {0.0, -INFINITY}, one_at_most[] = {INFINITY, 1.0};
static const double ones[] = {1.0, 0.0};

static const struct {
    const char *name;
    daedal_system sys;
    int32_t variable, equation;
    const char *text;
    long most_steps;
} ends[] = {
    {"lower", {.n = 2, .residual = emptied, .lower = {zero_at_least, 2}}, 0, -1, "bound", 600},
    {"upper", {.n = 2, .residual = emptied, .upper = {one_at_most, 2}}, 1, -1, "bound", 600},
    {"slide", {.n = 1, .residual = sliding}, 0, 0, "jumps", 40000},
};

/* Every one ends soon behind t = 1, where the trouble begins, and names who is in trouble. */
static void test_stopped(void **state)
{
    static const int32_t methods[] = {METHOD_AUTO, METHOD_RADAU};
    (void)state;
    for (size_t k = 0; k < COUNT(ends) * COUNT(methods); k++) {
        size_t i = k / COUNT(methods);
        daedal_options opt = defaults_with(1e-6, 1e-9);
        opt.method = methods[k % COUNT(methods)];
        opt.max_steps = 1000000;
        daedal_solver *s = started(&ends[i].sys, &opt, 0.0, ones, NULL);
        expect_status(s, daedal_solver_advance(s, 10.0), DAEDAL_ERR_STEP_TOO_SMALL);
        const daedal_diagnosis *why = daedal_solver_diagnosis(s);
        double t = daedal_solver_state(s)->t;
        long steps = (long)daedal_solver_stats(s)->steps;
        if (why->variable != ends[i].variable || why->equation != ends[i].equation ||
            !strstr(why->message, ends[i].text) || !why->hint[0] || t < 1.0 - 1e-6 || t > 1.001 ||
            steps < 200 || steps > ends[i].most_steps)
            fail_msg("%s, method %d: variable %d, t = %.10g after %ld steps, %s", ends[i].name,
                     (int)opt.method, (int)why->variable, t, steps, why->message);
        daedal_solver_free(s);
    }
}

/* Far too many steps because of the Jacobian, but they lead somewhere. */
static void test_left_alone(void **state)
{
    (void)state;
    daedal_system sys = {.n = 1, .residual = cube, .jacobian = wrong};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.max_steps = 1000000;
    daedal_solver *s = started(&sys, &opt, 0.0, ones, NULL);
    expect_status(s, daedal_solver_advance(s, 3.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], cbrt(cos(3.0)), 1e-3);
    daedal_solver_free(s);
}

/* And too many up to the end of a long run: the Jacobian is named. */
static void test_wrong_jacobian(void **state)
{
    (void)state;
    daedal_system sys = {.n = 1, .residual = cube, .jacobian = wrong};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.max_steps = 1000000;
    daedal_solver *s = started(&sys, &opt, 0.0, ones, NULL);
    expect_status(s, daedal_solver_advance(s, 1e5), DAEDAL_ERR_STEP_TOO_SMALL);
    const daedal_diagnosis *why = daedal_solver_diagnosis(s);
    assert_int_equal(why->cause, DAEDAL_CAUSE_WRONG_JACOBIAN);
    assert_int_equal(why->equation, 0);
    assert_int_equal(why->variable, 0);
    assert_true(daedal_solver_stats(s)->steps <= 20000); /* attempts that are looked at together */
    daedal_solver_free(s);
}

/* A solution that stays at its bound for a while and then leaves it is accepted. */
static int let_go(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + 10.0 * (y[0] - fmax(0.0, sin(t)));
    return 0;
}

static void test_rest_at_bound(void **state)
{
    static const double low[] = {0.0}, zero[] = {0.0};
    (void)state;
    daedal_system sys = {.n = 1, .residual = let_go, .lower = {low, 1}};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.max_step = 1e-3;
    daedal_solver *s = started(&sys, &opt, 3.2, zero, NULL);
    expect_status(s, daedal_solver_advance(s, 6.0), DAEDAL_OK);
    expect_near(daedal_solver_state(s)->y[0], 0.0, 1e-9);
    daedal_solver_free(s);
}

/* Falls to 0 and is set back, each time by hardly more than the rounding errors of time: its events
 * would never end. */
static int falling(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)y, (void)user;
    r[0] = yp[0] + 1.0;
    return 0;
}

static int height(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return 0;
}

static void test_endless_events(void **state)
{
    enum { EVENTS_MAX = 200000 };
    static const double again[] = {1e-9};
    (void)state;
    daedal_system sys = {.n = 1, .residual = falling, .events = height, .n_events = 1};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    daedal_solver *s = started(&sys, &opt, 1000.0, ones, NULL);
    daedal_status status = DAEDAL_EVENT;
    int events = 0;
    while ((status = daedal_solver_advance(s, 1010.0)) == DAEDAL_EVENT && events++ < EVENTS_MAX)
        expect_status(s, daedal_solver_restart(s, again, NULL), DAEDAL_OK);
    expect_status(s, status, DAEDAL_ERR_STEP_TOO_SMALL);
    assert_int_equal(daedal_solver_diagnosis(s)->cause, DAEDAL_CAUSE_CHATTERING);
    expect_near(daedal_solver_diagnosis(s)->t, 1001.0, 1e-3);
    daedal_solver_free(s);
}

/* y0 is driven slowly, and a constraint says that it rests. */
static int driven(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - 1e-5;
    r[1] = yp[1] + y[1];
    return 0;
}

static int rests(double t, const double *y, double *g, void *user)
{
    (void)t, (void)user;
    g[0] = y[0] - 1.0;
    return 0;
}

static int rests_jacobian(double t, const double *y, double *values, void *user)
{
    (void)t, (void)y, (void)user;
    values[0] = 1.0;
    return 0;
}

/* Projections that undo the equations are counted; a clone goes on counting. */
static void test_contradiction(void **state)
{
    enum { BEFORE = 120 };
    (void)state;
    static const int32_t start[] = {0, 1, 1}, row[] = {0};
    static const daedal_pattern first = {1, 2, start, row};
    daedal_system sys = {.n = 2,
                         .residual = driven,
                         .n_constraints = 1,
                         .constraints = rests,
                         .constraint_jacobian = rests_jacobian,
                         .constraint_pattern = &first};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    opt.max_step = 0.1;
    daedal_solver *s = started(&sys, &opt, 0.0, ones, NULL), *copy = NULL;
    for (int k = 0; k < BEFORE; k++)
        expect_status(s, daedal_solver_step(s, 1e3), DAEDAL_OK);
    expect_status(s, daedal_solver_clone(&copy, s), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, 1e3), DAEDAL_ERR_INCONSISTENT);
    expect_text(daedal_solver_diagnosis(s)->message, "contradicts the equations");
    expect_status(copy, daedal_solver_advance(copy, 1e3), DAEDAL_ERR_INCONSISTENT);
    expect_near(daedal_solver_state(copy)->t, daedal_solver_state(s)->t, 0.0);
    daedal_solver_free(s);
    daedal_solver_free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endless_events), cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_left_alone),     cmocka_unit_test(test_wrong_jacobian),
        cmocka_unit_test(test_rest_at_bound),  cmocka_unit_test(test_contradiction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
