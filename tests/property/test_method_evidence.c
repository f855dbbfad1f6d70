/* tests/property/test_method_evidence.c - what auto learns from steps: stiffness that appears and
 * goes, kinks and jumps inside F, systems that are explicit and those that only look so.  A run
 * must be the same each time, since nothing is timed.                                        */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "harness.h"

enum { N_MAX = 80 };

/* A sequence of methods, in the order in which the log tells of them. */
typedef struct history_of_methods {
    char names[400];
} history_of_methods;

static void note_method(daedal_log_level level, const char *message, void *user)
{
    history_of_methods *h = user;
    char name[20];
    (void)level;
    if (sscanf(message, "method %19[a-z]:", name) != 1)
        return;
    size_t used = strlen(h->names);
    snprintf(h->names + used, sizeof h->names - used, " %s", name);
}

typedef struct outcome {
    history_of_methods methods;
    daedal_stats stats;
    double y[N_MAX];
} outcome;

static void solve(const daedal_system *sys, const char *options, const double *y0, double t_end,
                  outcome *o)
{
    daedal_options opt = options_of(options);
    daedal_solver *s = NULL;
    *o = (outcome){.methods = {""}};
    opt.log = note_method;
    opt.callback_user = &o->methods;
    assert_int_equal(daedal_solver_create(&s, sys, &opt, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_start(s, 0.0, y0, NULL), DAEDAL_OK);
    expect_status(s, daedal_solver_set_stop_time(s, t_end), DAEDAL_OK);
    expect_status(s, daedal_solver_advance(s, t_end), DAEDAL_OK);
    o->stats = *daedal_solver_stats(s);
    memcpy(o->y, daedal_solver_state(s)->y, (size_t)sys->n * sizeof(double));
    print_message("%s:%s, %d steps, %d calls\n", options, o->methods.names, (int)o->stats.steps,
                  (int)o->stats.residuals);
    daedal_solver_free(s);
}

static void expect_same(const outcome *a, const outcome *b, int32_t n, double within)
{
    for (int32_t i = 0; i < n; i++)
        expect_near(a->y[i], b->y[i], within * (1.0 + fabs(b->y[i])));
}

/* ---- explicit systems ---- */

/* A planet, and a swing that becomes stiff at t = 10 and is so no longer from 20 on. */
static int planet(double t, const double *y, double *f, void *user)
{
    (void)user;
    double r = pow(y[0] * y[0] + y[1] * y[1], 1.5), stiff = t > 10.0 && t < 20.0 ? 1e5 : 1.0;
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -y[0] / r;
    f[3] = -y[1] / r;
    f[4] = stiff * (cos(t) - y[4]);
    return 0;
}

static const double PLANET[] = {0.6, 0.0, 0.0, 1.5275252316519468, 0.0};

static void test_stiffness_appears(void **state)
{
    (void)state;
    outcome found, exact, again;
    daedal_system sys = {.n = 5, .rhs = planet};
    solve(&sys, "rtol=1e-6 atol=1e-8", PLANET, 40.0, &found);
    solve(&sys, "rtol=1e-6 atol=1e-8", PLANET, 40.0, &again);
    solve(&sys, "method=radau rtol=1e-10 atol=1e-12", PLANET, 40.0, &exact);
    assert_non_null(strstr(found.methods.names, " dopri radau"));
    expect_same(&found, &exact, 5, 1e-3);
    assert_memory_equal(found.y, again.y, 5 * sizeof(double));
    assert_string_equal(found.methods.names, again.methods.names);
    assert_int_equal(found.stats.residuals, again.stats.residuals);
}

/* Stiff from the beginning: not even tried. */
static int decays(double t, const double *y, double *f, void *user)
{
    (void)user;
    f[0] = -1e4 * (y[0] - sin(t));
    f[1] = y[0] - y[1];
    return 0;
}

static void test_stiff_from_the_start(void **state)
{
    (void)state;
    outcome o;
    const double y0[] = {0.0, 1.0};
    daedal_system sys = {.n = 2, .rhs = decays};
    solve(&sys, "rtol=1e-5", y0, 10.0, &o);
    assert_string_equal(o.methods.names, " radau");
}

/* A smooth solution that attracts all others 5 to 25 times as fast as it changes: not stiff enough
 * for stability to limit the steps, but the errors of an explicit method do.              */
static int attracted(double t, const double *y, double *f, void *user)
{
    (void)user;
    for (int i = 0; i < 5; i++)
        f[i] = -5.0 * (1 + i) * (y[i] - cos(t + i)) - sin(t + i);
    return 0;
}

static void test_smooth_solution(void **state)
{
    (void)state;
    outcome found, by_radau;
    const double y0[] = {0.5, 0.8, 0.9, 0.7, 0.2};
    daedal_system sys = {.n = 5, .rhs = attracted};
    solve(&sys, "rtol=1e-7 atol=1e-9", y0, 10.0, &found);
    solve(&sys, "method=radau rtol=1e-7 atol=1e-9", y0, 10.0, &by_radau);
    expect_same(&found, &by_radau, 5, 1e-5);
    assert_true(found.stats.residuals < 3 * by_radau.stats.residuals);
}

/* Prey and hunters on 10 islands, with so much exchange that stability limits explicit steps in
 * part of the run: they are cheaper than those of radau all the same.                          */
static int islands(double t, const double *y, double *f, void *user)
{
    (void)t;
    (void)user;
    for (int i = 0; i < 10; i++) {
        const double *here = y + 2 * i, *left = i > 0 ? here - 2 : here,
                     *right = i < 9 ? here + 2 : here;
        f[2 * i] = here[0] * (1.0 - here[1]) + 5.0 * (left[0] - 2.0 * here[0] + right[0]);
        f[2 * i + 1] = here[1] * (here[0] - 1.0) + 5.0 * (left[1] - 2.0 * here[1] + right[1]);
    }
    return 0;
}

static void test_mild_stiffness(void **state)
{
    (void)state;
    outcome found, exact;
    double y0[20];
    for (int i = 0; i < 20; i++)
        y0[i] = 0.5 + 0.4 * sin(1.0 + 0.314 * i);
    daedal_system sys = {.n = 20, .rhs = islands};
    solve(&sys, "rtol=1e-6 atol=1e-8", y0, 10.0, &found);
    solve(&sys, "method=radau rtol=1e-9 atol=1e-11", y0, 10.0, &exact);
    assert_string_equal(found.methods.names, " dopri");
    expect_same(&found, &exact, 20, 1e-5);
}

/* Not linear in y': an explicit method is left at once. */
static int cubic_slope(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] * yp[0] * yp[0] + 2.0 * yp[0] + y[0] - cos(t);
    return 0;
}

static void test_slopes_that_take_iterations(void **state)
{
    (void)state;
    outcome found, exact;
    const double y0[] = {0.0};
    daedal_system sys = {.n = 1, .residual = cubic_slope};
    solve(&sys, "rtol=1e-6", y0, 20.0, &found);
    solve(&sys, "method=radau rtol=1e-10", y0, 20.0, &exact);
    expect_same(&found, &exact, 1, 1e-5);
    assert_non_null(strstr(found.methods.names, "radau"));
}

/* ---- kinks and jumps ---- */

/* Two substances in cells along a line; light and emissions jump several times a day. */
static int air(double t, const double *y, const double *yp, double *r, void *user)
{
    enum { CELLS = 33 };
    double hour = fmod(t, 24.0), light = hour > 6.0 && hour < 18.0 ? 2.5 : 0.0;
    double source = fmod(t, 8.0) < 4.0 ? 1.0 : 0.1;
    (void)user;
    for (int i = 0; i < CELLS; i++) {
        const double *c = y + 2 * i, *left = i > 0 ? c - 2 : c, *right = i < CELLS - 1 ? c + 2 : c;
        double reaction = 40.0 * c[0] * c[1];
        r[2 * i] = yp[2 * i] + reaction - light * (3.0 - c[0]) - (i < 5 ? source : 0.0) -
                   50.0 * (left[0] - 2.0 * c[0] + right[0]) + 0.1 * c[0];
        r[2 * i + 1] = yp[2 * i + 1] + reaction - light * (2.0 - c[1]) -
                       (i > 25 ? 0.5 * source : 0.0) - 50.0 * (left[1] - 2.0 * c[1] + right[1]) +
                       0.05 * c[1];
    }
    return 0;
}

/* Masses with friction that saturates: a kink each time one of them turns. */
static int friction(double t, const double *y, const double *yp, double *r, void *user)
{
    enum { MASSES = 10 };
    (void)user;
    for (int i = 0; i < MASSES; i++) {
        double left = i > 0 ? y[2 * i - 2] : sin(t), right = i < MASSES - 1 ? y[2 * i + 2] : 0.0;
        double x = y[2 * i], v = y[2 * i + 1], force = fmax(-2.0, fmin(2.0, 40.0 * v));
        r[2 * i] = yp[2 * i] - v;
        r[2 * i + 1] = yp[2 * i + 1] - 30.0 * (left - 2.0 * x + right) + force + 0.1 * v;
    }
    return 0;
}

typedef struct rough_problem {
    daedal_residual_fn *residual;
    int32_t n;
    double t_end, start;
    double share; /* of radau's calls of F, over eight runs: 0.75 and 0.83 are the means of 40
                     roundings */
} rough_problem;

static const rough_problem rough[] = {{air, 66, 72.0, 1.0, 0.95}, {friction, 20, 25.0, 0.0, 1.0}};

/* The runs of one problem together. */
typedef struct rough_runs {
    double calls, by_radau;
    int that_leave_radau;
} rough_runs;

static void run_rough(const rough_problem *p, double rtol, const outcome *exact, rough_runs *sum)
{
    outcome found, by_radau;
    char options[80];
    double y0[N_MAX];
    for (int32_t i = 0; i < p->n; i++)
        y0[i] = p->start;
    daedal_system sys = {.n = p->n, .residual = p->residual};
    snprintf(options, sizeof options, "rtol=%.17g atol=%.17g", rtol, rtol);
    solve(&sys, options, y0, p->t_end, &found);
    snprintf(options, sizeof options, "method=radau rtol=%.17g atol=%.17g", rtol, rtol);
    solve(&sys, options, y0, p->t_end, &by_radau);
    expect_same(&found, exact, p->n, 1e-3);
    sum->calls += (double)found.stats.residuals;
    sum->by_radau += (double)by_radau.stats.residuals;
    sum->that_leave_radau += strstr(found.methods.names, "radau ") != NULL;
}

/* Radau is left, and the runs cost less than with radau.  When it is left, and for which method, is
 * decided by roundoff: one run in ten stays with radau, the others take 0.6 to 1.03 of its calls.
 */
static void test_kinks(void **state)
{
    enum { RUNS = 8 };
    (void)state;
    for (size_t k = 0; k < COUNT(rough); k++) {
        rough_runs sum = {0};
        outcome exact;
        double y0[N_MAX];
        for (int32_t i = 0; i < rough[k].n; i++)
            y0[i] = rough[k].start;
        daedal_system sys = {.n = rough[k].n, .residual = rough[k].residual};
        solve(&sys, "method=bdf rtol=1e-7 atol=1e-7", y0, rough[k].t_end, &exact);
        for (int i = 0; i < RUNS; i++)
            run_rough(&rough[k], 1e-5 * (1.0 + 0.01 * i), &exact, &sum);
        print_message("%d runs: %.3f of the calls by radau, %d leave it\n", RUNS,
                      sum.calls / sum.by_radau, sum.that_leave_radau);
        assert_true(sum.calls < rough[k].share * sum.by_radau);
        assert_true(2 * sum.that_leave_radau > RUNS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiffness_appears),
        cmocka_unit_test(test_stiff_from_the_start),
        cmocka_unit_test(test_smooth_solution),
        cmocka_unit_test(test_mild_stiffness),
        cmocka_unit_test(test_slopes_that_take_iterations),
        cmocka_unit_test(test_kinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
