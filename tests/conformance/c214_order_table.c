/* tests/conformance/c214_order_table.c - all methods, indices and variables in one table: C214.
 *
 * `make orders` prints it.  First the integrators of the library with dictated steps, BDF also with
 * dictated order, on the linear chains of problem_chain(), where every Newton iteration is exact;
 * then the textbook methods of support/order_tables.  A `!` marks what disagrees with what is
 * stated, and fails the test.                                                      */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driving.h"
#include "fixed_step.h"
#include "harness.h"
#include "order_problems.h"
#include "order_tables.h"

static int disagreements;

/* "2.98 (3)", "exact (exact)", "-" for what was not run; alone where nothing is stated. */
static void print_order(double found, double stated, bool agrees)
{
    char text[32] = "exact";
    if (isnan(found))
        snprintf(text, sizeof text, "-");
    else if (!isinf(found))
        snprintf(text, sizeof text, "%.2f", found);
    print_message(" %7s%s", text, agrees ? " " : "!");
    if (isnan(stated))
        print_message("       ");
    else if (isinf(stated))
        print_message("(exact)");
    else
        print_message("(%4.3g) ", stated);
    disagreements += !agrees;
}

/* ---- the library ----------------------------------------------------------------------------- */

enum { CHAIN_MAX = 4 };

/* One of its methods and what is stated for the chain of index 1, 2, 3, and for its regular part.
 */
typedef struct shipped {
    const char *name, *options;
    int32_t bdf; /* order, dictated; 0: a one-step method */
    int32_t steps;
    double ratio;             /* of neighbouring steps, BDF only                     */
    double regular, chain[3]; /* y_1, y_2, y_3                                       */
} shipped;

#define BDF_ROWS(k, steps)                                                                         \
    {"bdf, order " #k, "method=bdf", k, steps, 1.0, k, {INFINITY, k, k}},                          \
    {                                                                                              \
        "  steps 1, 1.5", "method=bdf", k, steps, 1.5, k,                                          \
        {                                                                                          \
            INFINITY, k, (k)-1                                                                     \
        }                                                                                          \
    }
#define CLASSIC_ROW(k, steps)                                                                      \
    {                                                                                              \
        "bdf_classic, order " #k, "method=bdf_classic", k, steps, 1.0, k,                          \
        {                                                                                          \
            INFINITY, k, k                                                                         \
        }                                                                                          \
    }

/* Radau IIA: C087.  rodas and limex are for index 1. */
static const shipped SHIPPED[] = {
    BDF_ROWS(1, 64),
    BDF_ROWS(2, 64),
    BDF_ROWS(3, 64),
    BDF_ROWS(4, 64),
    BDF_ROWS(5, 32),
    BDF_ROWS(6, 16),
    CLASSIC_ROW(1, 64),
    CLASSIC_ROW(2, 64),
    CLASSIC_ROW(3, 64),
    CLASSIC_ROW(4, 64),
    CLASSIC_ROW(5, 32),
    {"radau, order 5", "method=radau order_max=5", 0, 10, 1.0, 5, {INFINITY, 3, 2}},
    {"rodas", "method=rodas", 0, 5, 1.0, 5, {INFINITY, NAN, NAN}},
    {"limex, order 2", "method=limex order_max=2", 0, 20, 1.0, 2, {INFINITY, NAN, NAN}},
};

static double step_at(const shipped *m, int32_t i, double h)
{
    return h * 2.0 / (1.0 + m->ratio) * (i % 2 == 0 ? 1.0 : m->ratio);
}

/* A run refuses to start BDF on a system whose index is too high for it.  What is asked here is
 * what the formulas would do: the engine is opened on y' = 0 and then given the system. */
typedef struct disguise {
    const daedal_system *behind;
    bool worn;
} disguise;

static int disguised(double t, const double *y, const double *yp, double *r, void *user)
{
    const disguise *d = user;
    if (!d->worn)
        return d->behind->residual(t, y, yp, r, d->behind->user);
    memcpy(r, yp, (size_t)d->behind->n * sizeof *r);
    return DAEDAL_CALL_OK;
}

static int disguised_jacobian(double t, const double *y, const double *yp, double c, double *values,
                              void *user)
{
    const disguise *d = user;
    if (!d->worn)
        return d->behind->jacobian(t, y, yp, c, values, d->behind->user);
    for (int32_t i = 0; i < d->behind->n; i++)
        values[i * (d->behind->n + 1)] = c;
    return DAEDAL_CALL_OK;
}

/* The engine of the library's BDF from exact values, order and steps dictated. */
static void engine_error(const shipped *m, const trial_problem *p, int32_t steps, double *error)
{
    double y0[CHAIN_MAX], right[CHAIN_MAX], times[BDF_ORDER_MAX + 1] = {0.0}, h = 1.0 / steps;
    const double yp0[CHAIN_MAX] = {0};
    char options[96];
    snprintf(options, sizeof options, "%s start=given error_test=plain rtol=0 atol=1e3",
             m->options);
    kernel kn;
    disguise d = {&p->sys, true};
    daedal_system sys = {
        .n = p->sys.n, .residual = disguised, .jacobian = disguised_jacobian, .user = &d};
    p->exact(0.0, y0, p->sys.user);
    kernel_open(&kn, &sys, options, 0.0, y0, yp0);
    d.worn = false;
    for (int32_t i = 1; i <= m->bdf; i++)
        times[i] = times[i - 1] - step_at(m, i, h);
    history past = {times, m->bdf + 1, m->bdf, h};
    kernel_remember_all(&kn, &past, p->exact, p->sys.user);
    for (int32_t i = 0; i < steps; i++) {
        kn.b->k = m->bdf;
        kn.b->h = step_at(m, i, h);
        newton_reset(&kn.b->newton); /* factors of this step: the linear step is exact */
        assert_int_equal(bdf_step(kn.b, 100.0), DAEDAL_OK);
        assert_int_equal(kn.b->k_last, m->bdf);
    }
    p->exact(kn.b->t, right, p->sys.user);
    for (int32_t v = 0; v < p->sys.n; v++)
        error[v] = kn.b->y[v] - right[v];
    kernel_close(&kn);
}

/* A one-step method through the public functions, its steps held equal. */
static void one_step_error(const shipped *m, const trial_problem *p, int32_t steps, double *error)
{
    static const int32_t INDEX[] = {1, 2, 3};
    int32_t index = p->sys.n - 1, indices[CHAIN_MAX] = {0};
    double y0[CHAIN_MAX], near[2][CHAIN_MAX], yp0[CHAIN_MAX], right[CHAIN_MAX], h = 1.0 / steps;
    char options[240];
    snprintf(options, sizeof options,
             "%s start=given rtol=0 atol=1e3 first_step=%.17g max_step=%.17g min_step=%.17g",
             m->options, h, h, h);
    daedal_system sys = p->sys;
    memcpy(indices, INDEX, (size_t)index * sizeof *indices);
    sys.variable_index = (daedal_ints){indices, sys.n};
    p->exact(0.0, y0, sys.user);
    p->exact(1e-5, near[0], sys.user);
    p->exact(-1e-5, near[1], sys.user);
    for (int32_t v = 0; v < sys.n; v++)
        yp0[v] = (near[0][v] - near[1][v]) / 2e-5;
    daedal_solver *s = start_solver(&sys, options, 0.0, y0, yp0);
    for (int32_t i = 1; i <= steps; i++)
        expect_status(s, daedal_solver_step(s, i * h), DAEDAL_OK);
    assert_int_equal(daedal_solver_stats(s)->steps, steps);
    p->exact(1.0, right, sys.user);
    for (int32_t v = 0; v < sys.n; v++)
        error[v] = daedal_solver_state(s)->y[v] - right[v];
    daedal_solver_free(s);
}

static double shipped_order(const shipped *m, int32_t index, int32_t v)
{
    trial_problem p = problem_chain(index);
    double error[2][CHAIN_MAX];
    for (int fine = 0; fine < 2; fine++)
        (m->bdf > 0 ? engine_error : one_step_error)(m, &p, m->steps << fine, error[fine]);
    if (fabs(error[0][v]) < 2e-14)
        return INFINITY;
    return order_between(fabs(error[0][v]), fabs(error[1][v]));
}

/* One-step methods may be better than stated: rodas has one order more on linear systems. */
static bool shipped_agrees(const shipped *m, double found, double stated)
{
    const double slack = 0.25; /* order 6 with 16 and 32 steps */
    if (isnan(stated))
        return true;
    if (isinf(stated))
        return isinf(found);
    return found > stated - slack && (m->bdf == 0 || found < stated + slack);
}

static void print_shipped(const shipped *m)
{
    print_message("  %-22s", m->name);
    for (int32_t index = 0; index <= 3; index++) { /* 0: the regular part */
        double stated = index == 0 ? m->regular : m->chain[index - 1];
        double found = NAN;
        if (!isnan(stated))
            found = index == 0 ? shipped_order(m, 1, 1) : shipped_order(m, index, index - 1);
        print_order(found, stated, shipped_agrees(m, found, stated));
    }
    print_message("\n");
}

static void c214_methods_of_the_library(void **state)
{
    (void)state;
    disagreements = 0;
    print_message("\nmeasured order (stated order); ! where they disagree\n\n");
    print_message("Methods of the library, linear chains\n  %-22s %8s %14s %15s %15s\n", "",
                  "regular", "y1 of index 1", "y2 of index 2", "y3 of index 3");
    for (size_t i = 0; i < COUNT(SHIPPED); i++)
        print_shipped(&SHIPPED[i]);
    assert_int_equal(disagreements, 0);
}

/* ---- textbook methods ---------------------------------------------------------------------------
 */

static void c214_textbook_methods(void **state)
{
    (void)state;
    disagreements = 0;
    for (int32_t t = 0; t < order_table_count(); t++) {
        const order_table *table = order_table_at(t);
        print_message("\n%s: %s\n  %-22s", table->item, table->title, "");
        for (int32_t part = 0; part < table->n_parts; part++)
            print_message(" %7s        ", table->part[part].name);
        print_message("\n");
        for (int32_t i = 0; i < table->n_rows; i++) {
            const order_row *row = &table->row[i];
            double found[PARTS_MAX];
            order_measure(table, row, found);
            print_message("  %-22s", row->name);
            for (int32_t part = 0; part < table->n_parts; part++)
                print_order(found[part], row->order[part], order_agrees(row, part, found[part]));
            print_message("\n");
        }
    }
    assert_int_equal(disagreements, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c214_methods_of_the_library),
        cmocka_unit_test(c214_textbook_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
