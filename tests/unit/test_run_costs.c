/* tests/unit/test_run_costs.c - what runs of functions cost, in steps, calls and factorizations,
 * beside tests/data/run_costs.txt, within 5 %: a rule of step or order control, of Newton's
 * iteration, of the start or of the search for the index that breaks changes them by more.  With
 * DAEDAL_UPDATE=1 in the environment the file is written anew, without the runs whose costs depend
 * on roundoff: each is repeated with tolerances and start values that differ in their last digits.
 * Runs that `make machines` finds to depend on the BLAS are then taken out by hand. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "problems.h"

enum { N_MAX = 30, COUNTS = 9 };
static const double SHARE = 0.05;
static const double SHARE_OF_ROUNDOFF = 0.03;         /* of runs whose costs are compared */
enum { ROUNDINGS = 60 };                              /* tried by an update              */
enum { STEPS_MAX = 5000, CALLS_OF_A_REFUSAL = 1000 }; /* of what is worth comparing      */

typedef struct manner {
    const char *name, *options;
    bool own_jacobian; /* differences, whatever is given     */
    bool tell_index;   /* variable_index as the problem says */
    bool moved;        /* the start is off by a thousandth   */
} manner;

/* ---- problems that are not stiff, or not everywhere, beside those of support/problems.h ---- */

static int lotka(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[0] * (1.5 - y[1]);
    r[1] = yp[1] - y[1] * (y[0] - 3.0);
    return 0;
}

static int kepler(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    double square = y[0] * y[0] + y[1] * y[1], cube = square * sqrt(square);
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[0] / cube;
    r[3] = yp[3] + y[1] / cube;
    return 0;
}

static int brusselator(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - (1.0 + y[0] * y[0] * y[1] - 4.0 * y[0]);
    r[1] = yp[1] - (3.0 * y[0] - y[0] * y[0] * y[1]);
    return 0;
}

static int duffing(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 0.1 * y[1] - y[0] + y[0] * y[0] * y[0] - 0.3 * cos(1.2 * t);
    return 0;
}

static int rigid_body(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[1] * y[2];
    r[1] = yp[1] + y[0] * y[2];
    r[2] = yp[2] + 0.51 * y[0] * y[1];
    return 0;
}

/* Stiff from t = 2 on. */
static int stiffening(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double rate = t < 2.0 ? 1.0 : 1.0 + 1e3 * (t - 2.0) * (t - 2.0);
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + rate * (y[1] + y[0] - cos(t));
    return 0;
}

/* An oscillator that is struck now and then. */
static int struck(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double since = fmod(t, 3.0) - 1.5;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + 4.0 * y[0] + 0.2 * y[1] - 20.0 * exp(-200.0 * since * since);
    return 0;
}

static const problem *own_problem(int i)
{
    static const double two[] = {1.0, 2.0}, orbit[] = {0.5, 0.0, 0.0, 1.7320508075688772},
                        three[] = {0.0, 1.0, 1.0}, still[] = {0.0, 0.0};
    static const problem all[] = {
        {.name = "lotka", .n = 2, .residual = lotka, .t_end = 10.0, .y0 = two},
        {.name = "kepler", .n = 4, .residual = kepler, .t_end = 13.0, .y0 = orbit},
        {.name = "brusselator", .n = 2, .residual = brusselator, .t_end = 20.0, .y0 = two},
        {.name = "duffing", .n = 2, .residual = duffing, .t_end = 15.0, .y0 = two},
        {.name = "rigid_body", .n = 3, .residual = rigid_body, .t_end = 12.0, .y0 = three},
        {.name = "stiffening", .n = 2, .residual = stiffening, .t_end = 6.0, .y0 = two},
        {.name = "struck", .n = 2, .residual = struck, .t_end = 12.0, .y0 = still},
    };
    return i < (int)COUNT(all) ? &all[i] : NULL;
}

static const problem *any_problem(int i)
{
    return i < problem_count() ? problem_at(i) : own_problem(i - problem_count());
}

static const problem *find_problem(const char *name)
{
    for (int i = 0; own_problem(i); i++)
        if (strcmp(own_problem(i)->name, name) == 0)
            return own_problem(i);
    return problem_find(name);
}

static const manner manners[] = {
    {"auto", "", false, true, false},
    {"bdf", "method=bdf", false, true, false},
    {"bdf_differences", "method=bdf rtol=1e-4", true, true, false},
    {"classic", "method=bdf_classic rtol=1e-5", false, true, false},
    {"radau", "method=radau rtol=1e-7", false, true, false},
    {"radau_differences", "method=radau rtol=1e-3", true, true, false},
    {"rodas", "method=rodas rtol=1e-3", false, true, false},
    {"limex", "method=limex rtol=1e-4", false, true, false},
    {"silent", "rtol=1e-4", true, false, false},
    {"moved", "rtol=1e-4", true, false, true},
    {"dopri", "method=dopri rtol=1e-5", false, true, false},
    {"dopri_tight", "method=dopri rtol=1e-9", false, true, false},
    {"auto_loose", "rtol=1e-3", false, true, false},
    {"array", "method=array rtol=1e-4", false, true, false},
    {"gmres", "method=bdf linear_solver=gmres rtol=1e-4", false, true, false},
    {"radau_gmres", "method=radau linear_solver=gmres rtol=1e-4", false, true, false},
    {"limex_tight", "method=limex rtol=1e-8", false, true, false},
    {"rodas_tight", "method=rodas rtol=1e-6", false, true, false},
    {"filtered", "method=bdf error_test=filtered rtol=1e-4", false, true, false},
};

/* Half of the way in one piece, the rest by interpolation at ten points. */
static daedal_status drive(daedal_solver *s, const problem *p, bool moved, int rounding)
{
    double y[N_MAX];
    for (int32_t i = 0; i < p->n; i++)
        y[i] = p->y0[i] * (moved ? 1.0 + 1e-3 * (i % 3 - 1) : 1.0) *
               (1.0 + rounding * (i % 2) * DBL_EPSILON);
    daedal_status status = daedal_solver_start(s, p->t0, y, moved ? NULL : p->yp0);
    for (int k = 10; k <= 20 && status == DAEDAL_OK; k++)
        status = daedal_solver_advance(s, p->t0 + (p->t_end - p->t0) * k / 20.0);
    return status;
}

static void measure(const problem *p, const manner *m, int rounding, int64_t *counts)
{
    daedal_system sys = {.n = p->n, .residual = p->residual, .user = p->user};
    if (!m->own_jacobian) {
        sys.jacobian = p->jacobian;
        sys.pattern = p->pattern;
    }
    if (m->tell_index)
        sys.variable_index = (daedal_ints){p->index, p->index ? p->n : 0};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    set_options(&opt, m->options);
    opt.rtol *= 1.0 + rounding * DBL_EPSILON;
    opt.atol = 1e-3 * opt.rtol * (p->atol_factor > 0.0 ? p->atol_factor : 1.0);
    opt.breakpoints = p->breakpoints;
    opt.max_steps = 20000;
    daedal_solver *s = solver_of(&sys, &opt);
    counts[0] = drive(s, p, m->moved, rounding);
    const daedal_stats *c = daedal_solver_stats(s);
    const int64_t all[] = {c->steps,     c->rejected_error, c->rejected_newton, c->residuals,
                           c->jacobians, c->factorizations, c->iterations,      c->solves};
    memcpy(counts + 1, all, sizeof all);
    daedal_solver_free(s);
}

static bool is_close(const int64_t *a, const int64_t *b, double share)
{
    bool close = a[0] == b[0];
    for (int k = 1; k < COUNTS; k++)
        close = close && fabs((double)(a[k] - b[k])) <= fmax(1.0, share * (double)a[k]);
    return close;
}

static bool read_line(FILE *f, char *name, char *how, int64_t *c)
{
    return fscanf(f,
                  "%63s %63s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
                  " %" SCNd64 " %" SCNd64 " %" SCNd64,
                  name, how, c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7, c + 8) == 11;
}

static const manner *find_manner(const char *name)
{
    for (size_t k = 0; k < COUNT(manners); k++)
        if (strcmp(manners[k].name, name) == 0)
            return &manners[k];
    fail_msg("no manner %s", name);
    return NULL;
}

/* Whether roundoff leaves the costs as they are. */
static bool is_steady(const problem *p, const manner *m, const int64_t *counts)
{
    int64_t other[COUNTS];
    bool failed_late = counts[0] != DAEDAL_OK && counts[4] > CALLS_OF_A_REFUSAL;
    if (failed_late || counts[1] > STEPS_MAX)
        return false;
    for (int k = 1; k <= ROUNDINGS; k++) {
        measure(p, m, k, other);
        if (!is_close(counts, other, SHARE_OF_ROUNDOFF))
            return false;
    }
    return true;
}

static void update(const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; any_problem(i); i++)
        for (size_t k = 0; k < COUNT(manners) && any_problem(i)->n <= N_MAX; k++) {
            int64_t c[COUNTS];
            measure(any_problem(i), &manners[k], 0, c);
            if (!is_steady(any_problem(i), &manners[k], c))
                continue;
            fprintf(f, "%s %s", any_problem(i)->name, manners[k].name);
            for (int j = 0; j < COUNTS; j++)
                fprintf(f, " %" PRId64, c[j]);
            fprintf(f, "\n");
        }
    fclose(f);
}

static void test_costs(void **state)
{
    const char *path = DAEDAL_TEST_DATA "/run_costs.txt";
    char name[64], how[64];
    int64_t want[COUNTS], got[COUNTS];
    int rows = 0, wrong = 0;
    (void)state;
    if (getenv("DAEDAL_UPDATE"))
        update(path);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (; read_line(f, name, how, want); rows++) {
        const problem *p = find_problem(name);
        assert_non_null(p);
        measure(p, find_manner(how), 0, got);
        if (is_close(want, got, SHARE))
            continue;
        wrong++;
        print_message("%s %s: status, steps, rejected (error, Newton), residuals, Jacobians, "
                      "factorizations, iterations, solves are",
                      name, how);
        for (int k = 0; k < COUNTS; k++)
            print_message(" %" PRId64 "%s", got[k], k + 1 < COUNTS ? "" : ", not");
        for (int k = 0; k < COUNTS; k++)
            print_message(" %" PRId64 "%s", want[k], k + 1 < COUNTS ? "" : "\n");
    }
    fclose(f);
    assert_true(rows > 0);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_costs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
