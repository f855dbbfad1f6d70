/* tests/unit/test_sensitivity_costs.c - sensitivities of the test problems: right, and at a known
 * cost.
 *
 * If F(y, y') = 0 does not contain t, the solution of F(y, y'/p) = 0 is y(p t): its derivative by p
 * at p = 1 is t y'(t), for every such problem, index and method.  Beside this the counts of steps,
 * rejections and solves of the sensitivities stand in tests/data/sensitivity_costs.txt, within 5 %,
 * as in test_run_costs.c, and the error beside them is not exceeded threefold.  DAEDAL_UPDATE=1
 * writes the file anew, with the rows that do not depend on the last digit of the start. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driving.h"
#include "harness.h"
#include "problems.h"

enum { N_MAX = 25, COUNTS = 4, POINTS = 12 };
static const double SHARE = 0.05;
static const double ERROR_MOST = 2e4, ERROR_LEAST = 10.0; /* in tolerances */
static const double WORSE = 3.0;

static const char *const MANNERS[] = {
    "method=bdf rtol=1e-4",
    "method=bdf rtol=1e-6 sensitivity_tolerance=30",
    "method=bdf_classic rtol=1e-5",
    "method=radau rtol=1e-4",
    "method=rodas rtol=1e-3",
    "method=limex rtol=1e-4",
    "method=bdf rtol=1e-3 order_max=2",
};

typedef struct scaled {
    const problem *p;
    double pace; /* the parameter */
} scaled;

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const scaled *s = user;
    double slow[N_MAX];
    for (int32_t i = 0; i < s->p->n; i++)
        slow[i] = yp[i] / s->pace;
    return s->p->residual(t, y, slow, r, s->p->user);
}

static bool contains_time(const problem *p)
{
    double before[N_MAX], after[N_MAX];
    p->residual(p->t0, p->y0, p->yp0, before, p->user);
    p->residual(p->t0 + 0.37 * (p->t_end - p->t0), p->y0, p->yp0, after, p->user);
    return memcmp(before, after, (size_t)p->n * sizeof(double)) != 0;
}

/* The largest error of dy/dp at the present point, in tolerances. */
static double error_here(daedal_solver *s, const problem *p, const daedal_options *opt)
{
    const daedal_state *now = daedal_solver_state(s);
    const double *found;
    double most = 0.0;
    if (daedal_solver_sensitivity(s, 0, &found, NULL) < 0)
        return HUGE_VAL;
    for (int32_t i = 0; i < p->n; i++) {
        double want = (now->t - p->t0) * now->yp[i];
        double size = fmax(fabs(want), fabs(now->y[i])); /* s is not more accurate than y */
        most = fmax(most, fabs(found[i] - want) / (opt->rtol * size + opt->atol));
    }
    return most;
}

/* The counts of a run; the largest error of its sensitivities. */
static double measure(const problem *p, const char *manner, double moved, int64_t *counts)
{
    scaled user = {p, 1.0};
    double y0[N_MAX];
    for (int32_t i = 0; i < p->n; i++)
        y0[i] = p->y0[i] * moved;
    double *const places[] = {&user.pace};
    daedal_system sys = {
        .n = p->n, .residual = residual, .user = &user, .n_parameters = 1, .parameters = places};
    sys.variable_index = (daedal_ints){p->index, p->index ? p->n : 0};
    daedal_options opt = defaults_with(1e-6, 1e-9);
    set_options(&opt, manner);
    opt.atol = 1e-3 * opt.rtol * (p->atol_factor > 0.0 ? p->atol_factor : 1.0);
    opt.max_steps = 4000;
    daedal_solver *s = solver_of(&sys, &opt);
    double most = 0.0;
    daedal_status status = daedal_solver_start(s, p->t0, y0, p->yp0);
    for (int k = 1; k <= POINTS && status == DAEDAL_OK; k++) {
        status = daedal_solver_advance(s, p->t0 + (p->t_end - p->t0) * k / POINTS);
        if (status == DAEDAL_OK)
            most = fmax(most, error_here(s, p, &opt));
    }
    const daedal_stats *c = daedal_solver_sensitivity_stats(s);
    const int64_t all[] = {status, c->steps, c->rejected_error, c->solves};
    memcpy(counts, all, sizeof all);
    daedal_solver_free(s);
    return most;
}

static bool is_close(const int64_t *a, const int64_t *b)
{
    bool close = a[0] == b[0];
    for (int k = 1; k < COUNTS; k++)
        close = close && fabs((double)(a[k] - b[k])) <= fmax(1.0, SHARE * (double)a[k]);
    return close;
}

static void update(const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < problem_count(); i++)
        for (size_t k = 0; k < COUNT(MANNERS); k++) {
            const problem *p = problem_at(i);
            int64_t c[COUNTS], other[COUNTS];
            if (p->n > N_MAX || contains_time(p))
                continue;
            double error = measure(p, MANNERS[k], 1.0, c);
            measure(p, MANNERS[k], 1.0 + 4.0 * DBL_EPSILON, other);
            if (c[0] == DAEDAL_OK && error < ERROR_MOST && is_close(c, other))
                fprintf(f, "%s %zu %.2g %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", p->name,
                        k, fmax(error, ERROR_LEAST), c[0], c[1], c[2], c[3]);
        }
    fclose(f);
}

static void test_costs(void **state)
{
    const char *path = DAEDAL_TEST_DATA "/sensitivity_costs.txt";
    char name[64];
    size_t manner;
    double usual;
    int64_t want[COUNTS], got[COUNTS];
    int rows = 0, wrong = 0;
    (void)state;
    if (getenv("DAEDAL_UPDATE"))
        update(path);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (; fscanf(f, "%63s %zu %lg %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, name, &manner,
                  &usual, want, want + 1, want + 2, want + 3) == 7;
         rows++) {
        assert_true(manner < COUNT(MANNERS) && problem_find(name));
        double error = measure(problem_find(name), MANNERS[manner], 1.0, got);
        if (is_close(want, got) && error < WORSE * usual)
            continue;
        wrong++;
        print_message("%s %s: error %.3g; steps, rejected, solves %" PRId64 " %" PRId64 " %" PRId64
                      ", not %" PRId64 " %" PRId64 " %" PRId64 "\n",
                      name, MANNERS[manner], error, got[1], got[2], got[3], want[1], want[2],
                      want[3]);
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
