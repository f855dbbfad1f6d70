/* tests/property/test_model_jacobian.c - C213: the exact sparse Jacobians of every file in
 * models/ against differences, at the start and at points beside it: relative difference at
 * most 1e-5, and exactly nothing where the pattern has no entry.                */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loaded_model.h"

#include "harness.h"
#include "seeded.h"

enum { JITTERED = 3, STEPS = 11, SIDES = 6 };
#define ALLOWED 1e-5
#define RESOLVED 1e-6 /* differences that claim less say nothing about 1e-5 */

typedef struct probe {
    model *m;
    daedal_system sys;
    const char *name;
    double t;
    double *at;                          /* y, y'                                       */
    double *size;                        /* by row: its largest term, for the rounding  */
    double *exact, *differences, *error; /* one column           */
    double *f[SIDES];                    /* F at +h, -h, +h/2, -h/2, ... */
} probe;

/* What was seen over all models. */
static long n_entries, n_unresolved, n_points;
static double worst;

static double *room(size_t n)
{
    double *p = calloc(n + 1, sizeof *p);
    assert_non_null(p);
    return p;
}

static void open_probe(probe *p, model *m, const char *name)
{
    const model_values *v = m->compiled->values;
    size_t n = (size_t)m->reduced->n_system;
    *p = (probe){.m = m, .name = name, .t = v->x[0], .at = room(2 * n), .size = room(n)};
    p->exact = room(n);
    p->differences = room(n);
    p->error = room(n);
    for (int k = 0; k < SIDES; k++)
        p->f[k] = room(n);
    discrete_describe_system(m->discrete, &p->sys);
    memcpy(p->at, v->x + v->place.y, n * sizeof(double));
    memcpy(p->at + n, v->x + v->place.yp, n * sizeof(double));
}

static void close_probe(probe *p)
{
    free(p->at);
    free(p->size);
    free(p->exact);
    free(p->differences);
    free(p->error);
    for (int k = 0; k < SIDES; k++)
        free(p->f[k]);
}

/* ---- differences ---------------------------------------------------------------------- */

static void evaluate(probe *p, double *f)
{
    int32_t n = p->m->reduced->n_system;
    int answer = p->sys.residual(p->t, p->at, p->at + n, f, p->sys.user);
    for (int32_t i = 0; i < n && answer != 0; i++)
        f[i] = (double)NAN;
}

/* Central differences with steps h, h/2, h/4, extrapolated: row by row the best so far. */
static void try_step(probe *p, int32_t k, double h)
{
    double x = p->at[k];
    for (int side = 0; side < SIDES; side++) {
        p->at[k] = x + (side % 2 ? -h : h) / (1 << side / 2);
        evaluate(p, p->f[side]);
    }
    p->at[k] = x;
    for (int32_t i = 0; i < p->m->reduced->n_system; i++) {
        double wide = (p->f[0][i] - p->f[1][i]) / (2.0 * h), middle = (p->f[2][i] - p->f[3][i]) / h;
        double narrow = 2.0 * (p->f[4][i] - p->f[5][i]) / h;
        double first = (4.0 * middle - wide) / 3.0, second = (4.0 * narrow - middle) / 3.0;
        double best = (16.0 * second - first) / 15.0;
        double size = fmax(p->size[i], fmax(fabs(p->f[0][i]), fabs(p->f[1][i])));
        double error = fabs(best - second) + 4.0 * DBL_EPSILON * size / h;
        if (error < p->error[i]) {
            p->error[i] = error;
            p->differences[i] = best;
        }
    }
}

/* By entry k of (y, y'). */
static void difference_column(probe *p, int32_t k)
{
    for (int32_t i = 0; i < p->m->reduced->n_system; i++) {
        p->error[i] = INFINITY;
        p->differences[i] = (double)NAN;
    }
    double h = 0.1 * fmax(fabs(p->at[k]), 1.0);
    for (int s = 0; s < STEPS; s++, h *= 0.1)
        try_step(p, k, h);
}

/* ---- the exact Jacobian ----------------------------------------------------------------- */

static void exact_column(probe *p, int32_t k)
{
    const compiled_jacobian *m = p->m->compiled->jacobian;
    int32_t n = p->m->reduced->n_system, j = k % n;
    const double *values = k < n ? m->dy : m->dyp;
    for (int32_t i = 0; i < n; i++)
        p->exact[i] = 0.0;
    for (int32_t q = m->pattern.start[j]; q < m->pattern.start[j + 1]; q++)
        p->exact[m->pattern.row[q]] = values[q];
}

static void evaluate_jacobian(probe *p)
{
    int32_t n = p->m->reduced->n_system;
    double *values = room((size_t)pattern_nnz(p->sys.pattern));
    assert_int_equal(p->sys.jacobian(p->t, p->at, p->at + n, 1.0, values, p->sys.user), 0);
    free(values);
    evaluate(p, p->size);
    for (int32_t k = 0; k < 2 * n; k++) {
        exact_column(p, k);
        for (int32_t i = 0; i < n; i++)
            p->size[i] = fmax(fabs(p->size[i]), fabs(p->exact[i] * p->at[k]));
    }
}

/* ---- comparison --------------------------------------------------------------------------- */

static void compare_entry(const probe *p, int32_t i, int32_t k)
{
    double exact = p->exact[i], approximate = p->differences[i];
    double larger = fmax(fabs(exact), fabs(approximate)), apart = fabs(exact - approximate);
    n_entries++;
    bool resolved = p->error[i] <= RESOLVED * larger;
    n_unresolved += !resolved;
    if (resolved)
        worst = fmax(worst, apart / larger);
    if (!(apart <= ALLOWED * larger + (resolved ? 0.0 : 10.0 * p->error[i])))
        fail_msg("%s, %s by %s%s: %.10g, differences %.10g +- %.1g", p->name,
                 p->sys.equation_names[i], k < p->sys.n ? "" : "the derivative of ",
                 p->sys.variable_names[k % p->sys.n], exact, approximate, p->error[i]);
}

static void compare_point(probe *p)
{
    n_points++;
    evaluate_jacobian(p);
    for (int32_t k = 0; k < 2 * p->sys.n; k++) {
        difference_column(p, k);
        exact_column(p, k);
        for (int32_t i = 0; i < p->sys.n; i++)
            if (p->exact[i] != 0.0 || p->differences[i] != 0.0)
                compare_entry(p, i, k);
    }
}

/* Small relative changes, and values that are zero become positive: sqrt and log stay real. */
static void jitter(probe *p, seeded *s)
{
    for (int32_t k = 0; k < 2 * p->m->reduced->n_system; k++)
        p->at[k] = p->at[k] != 0.0 ? p->at[k] * seeded_uniform(s, 0.9, 1.1)
                                   : seeded_uniform(s, 0.001, 0.01);
}

static void check_model(const char *name)
{
    seeded s = seeded_begin(213); /* for each: files come in any order */
    loaded_model l;
    probe p;
    long before = n_unresolved;
    loaded_model_open(&l, name);
    loaded_model_start(&l);
    if (!l.m.compiled->jacobian->exists || l.m.reduced->n == 0)
        fail_msg("%s has no exact Jacobian", name);
    open_probe(&p, &l.m, name);
    compare_point(&p);
    for (int k = 0; k < JITTERED; k++) {
        jitter(&p, &s);
        compare_point(&p);
    }
    if (n_unresolved > before)
        print_message("%s: %ld unresolved\n", name, n_unresolved - before);
    close_probe(&p);
    loaded_model_close(&l);
}

static void test_shipped_models(void **state)
{
    (void)state;
    DIR *folder = opendir(DAEDAL_TEST_MODELS);
    int n_models = 0;
    assert_non_null(folder);
    for (struct dirent *file = readdir(folder); file; file = readdir(folder)) {
        char name[256];
        const char *dot = strrchr(file->d_name, '.');
        if (!dot || strcmp(dot, ".mo") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(dot - file->d_name), file->d_name);
        check_model(name);
        n_models++;
    }
    closedir(folder);
    assert_true(n_models >= 33);
    print_message("%d models, %ld points, %ld entries: within %.1e, %ld not resolved\n", n_models,
                  n_points, n_entries, worst, n_unresolved);
    assert_true(n_unresolved <= n_entries / 20); /* small beside the rounding of their row */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shipped_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
