/* tests/property/test_clone_features.c - a clone goes on like its original, bit for bit, whatever
 * the run has with it: corners that steps look for, hidden constraints, sensitivities, constraints
 * kept in several ways, methods that began with another (test_clone_and_direction.c has the plain
 * ones). */
#include <math.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "samples.h"

enum { BEFORE = 40, AFTER = 25 };

static int corners(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0] + 0.2 * fabs(y[0]) - 0.1 * fabs(sin(3.0 * t));
    r[2] = y[2] - fabs(y[1] - 0.3);
    return 0;
}

static int jumps(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + y[0] + (y[0] > 0.2 ? 0.4 : 0.0);
    r[2] = y[2] - y[1] * y[1];
    return 0;
}

static int stiff(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + 1e4 * (y[0] - cos(t)) + sin(t) * y[1];
    r[1] = yp[1] - y[0] * y[1] + y[1] * y[1] * y[1];
    r[2] = y[2] * y[2] * y[2] + y[2] - y[1];
    return 0;
}

static int smooth(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + sin(y[0]) - 0.1 * cos(t);
    r[2] = yp[2] - y[0] * y[1];
    return 0;
}

/* A pendulum whose rod restricts the positions, of index 3. */
static int pendulum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1] + 1.0;
    r[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return 0;
}

static double stiffness = 1.3, friction = 0.4;
static double *const parameters[] = {&stiffness, &friction};

static int swing(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + stiffness * sin(y[0]) + friction * y[1];
    r[2] = y[2] - stiffness * y[0] * y[1];
    return 0;
}

static int height(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return 0;
}

static const double three[] = {0.5, 0.1, 0.2}, side[] = {1.0, 0.0, 0.0, 0.0, 0.0};
static const struct {
    daedal_system sys;
    const double *y0;
    const char *options;
} rows[] = {
    {{.n = 3, .residual = corners, .is_nonsmooth = 1}, three, "rtol=1e-5"},
    {{.n = 3, .residual = corners}, three, "method=radau rtol=1e-5"},
    {{.n = 3, .residual = corners}, three, "method=bdf rtol=1e-5"},
    {{.n = 3, .residual = corners}, three, "method=rodas rtol=1e-4"},
    {{.n = 3, .residual = jumps}, three, "method=auto rtol=1e-5"},
    {{.n = 3, .residual = jumps}, three, "method=limex rtol=1e-4"},
    {{.n = 3, .residual = stiff}, three, "method=auto rtol=1e-5"},
    {{.n = 3, .residual = stiff}, three, "method=rodas rtol=1e-4"},
    {{.n = 3, .residual = stiff}, three, "method=limex rtol=1e-4"},
    {{.n = 3, .residual = smooth}, three, "method=dopri rtol=1e-6"},
    {{.n = 3, .residual = smooth}, three, "method=auto rtol=1e-6"},
    {{.n = 5, .residual = pendulum}, side, "method=radau rtol=1e-5"},
    {{.n = 3,
      .residual = swing,
      .events = height,
      .n_events = 1,
      .n_parameters = 2,
      .parameters = parameters},
     three,
     "method=bdf rtol=1e-5"},
    {{.n = 3, .residual = swing, .n_parameters = 2, .parameters = parameters},
     three,
     "method=radau rtol=1e-5"},
    {{.n = 3, .residual = swing, .n_parameters = 2, .parameters = parameters}, three, "rtol=1e-5"},
};

/* sample_pendulum(), whose constraints are kept in all ways there are. */
static const char *const constrained[] = {
    "rtol=1e-5",
    "rtol=1e-5 constraint_method=ggl",
    "rtol=1e-5 constraint_method=dummy",
    "rtol=1e-5 method=radau constraint_method=dummy",
    "rtol=1e-5 method=bdf constraint_method=dummy",
    "rtol=1e-5 method=radau projection=output",
    "rtol=1e-5 method=bdf projection_metric=mass",
    "rtol=1e-4 method=rattle",
};

/* The sample of index 2 that no pattern shows. */
static const char *const hidden[] = {"rtol=1e-5 method=array", "rtol=1e-5 method=bdf", "rtol=1e-5"};

static bool sensitivities_are_equal(daedal_solver *a, daedal_solver *b, const daedal_system *sys)
{
    for (int32_t i = 0; i < sys->n_parameters; i++) {
        const double *left, *right;
        expect_status(a, daedal_solver_sensitivity(a, i, &left, NULL), DAEDAL_OK);
        expect_status(b, daedal_solver_sensitivity(b, i, &right, NULL), DAEDAL_OK);
        if (memcmp(left, right, (size_t)sys->n * sizeof(double)) != 0)
            return false;
    }
    return true;
}

static void step_both(daedal_solver *a, daedal_solver *b, const daedal_system *sys,
                      const char *options, int before)
{
    size_t bytes = (size_t)sys->n * sizeof(double);
    for (int i = 0; i < AFTER; i++) {
        daedal_status left = daedal_solver_step(a, 50.0);
        assert_true(left == DAEDAL_OK || left == DAEDAL_EVENT);
        assert_int_equal(daedal_solver_step(b, 50.0), left);
        const daedal_state *x = daedal_solver_state(a), *y = daedal_solver_state(b);
        if (x->t != y->t || memcmp(x->y, y->y, bytes) != 0 || memcmp(x->yp, y->yp, bytes) != 0 ||
            !sensitivities_are_equal(a, b, sys))
            fail_msg("%s: cloned after %d steps, step %d differs, t = %.17g and %.17g", options,
                     before, i, x->t, y->t);
    }
    daedal_stats mine = *daedal_solver_stats(a), its = *daedal_solver_stats(b);
    if (mine.jacobians != its.jacobians || mine.factorizations != its.factorizations ||
        mine.iterations != its.iterations || mine.steps != its.steps)
        fail_msg("%s: cloned after %d steps, the clone takes more or less work", options, before);
}

/* Cloned after some steps; after an odd number of them the run has just begun again. */
static void clone_and_step(const daedal_system *sys, const double *y0, const char *options,
                           int before)
{
    daedal_solver *a = start_solver(sys, options, 0.0, y0, NULL), *b;
    for (int i = 0; i < before; i++)
        assert_true(daedal_solver_step(a, 50.0) >= 0);
    if (before % 2)
        expect_status(a, daedal_solver_restart(a, NULL, NULL), DAEDAL_OK);
    expect_status(a, daedal_solver_clone(&b, a), DAEDAL_OK);
    step_both(a, b, sys, options, before);
    daedal_solver_free(a);
    daedal_solver_free(b);
}

static void test_features(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(rows); k++)
        for (int before = 0; before < BEFORE; before += 3)
            clone_and_step(&rows[k].sys, rows[k].y0, rows[k].options, before);
}

static void check_sample(sample of, const char *const *options, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (int before = 0; before < BEFORE; before += 3)
            clone_and_step(&of.sys, of.y0, options[k], before);
}

static void test_constraints(void **state)
{
    (void)state;
    check_sample(sample_pendulum(), constrained, COUNT(constrained));
}

static void test_hidden_constraints(void **state)
{
    (void)state;
    check_sample(sample_driven_hidden(), hidden, COUNT(hidden));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_hidden_constraints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
