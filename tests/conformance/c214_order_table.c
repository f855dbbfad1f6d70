/* tests/conformance/c214_order_table.c - all methods, indices and variables in one table: C214.
 *
 * `make orders` prints it.  First the integrators of the library with dictated steps and orders on
 * the linear chains of problem_chain(); then the tables of support/order_tables, for textbook
 * methods and those of the library.  A `!` marks what disagrees with what is stated, and fails
 * the test.                                                                       */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dictated.h"
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
    const char *name;
    dictated how;
    int32_t steps;
    double ratio;             /* of neighbouring steps, BDF only                     */
    double regular, chain[3]; /* y_1, y_2, y_3                                       */
} shipped;

#define BDF_ROWS(k, steps)                                                                         \
    {"bdf, order " #k, {"bdf", k, 0}, steps, 1.0, k, {INFINITY, k, k}},                            \
    {                                                                                              \
        "  steps 1, 1.5", {"bdf", k, 0}, steps, 1.5, k,                                            \
        {                                                                                          \
            INFINITY, k, (k)-1                                                                     \
        }                                                                                          \
    }
#define CLASSIC_ROW(k, steps)                                                                      \
    {                                                                                              \
        "bdf_classic, order " #k, {"bdf_classic", k, 0}, steps, 1.0, k,                            \
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
    {"radau, order 5", {"radau", 5, 0}, 10, 1.0, 5, {INFINITY, 3, 2}},
    {"rodas", {"rodas", 5, 0}, 5, 1.0, 5, {INFINITY, NAN, NAN}},
    {"limex, order 2", {"limex", 2, 0}, 20, 1.0, 2, {INFINITY, NAN, NAN}},
    {"limex, order 3", {"limex", 3, 0}, 20, 1.0, 3, {INFINITY, NAN, NAN}},
    {"limex, order 4", {"limex", 4, 0}, 20, 1.0, 4, {INFINITY, NAN, NAN}},
};

static double shipped_order(const shipped *m, int32_t index, int32_t v)
{
    trial_problem p = problem_chain(index);
    double error[2][CHAIN_MAX];
    for (int fine = 0; fine < 2; fine++)
        dictated_error(&m->how, &p, m->steps << fine, m->ratio, error[fine]);
    if (error[0][v] < 2e-14)
        return INFINITY;
    return order_between(error[0][v], error[1][v]);
}

/* rodas has one order more on linear systems. */
static bool shipped_agrees(const shipped *m, double found, double stated)
{
    const double slack = 0.4; /* order 6 with 16 and 32 steps, and roundoff */
    if (isnan(stated))
        return true;
    if (isinf(stated))
        return isinf(found);
    return found > stated - slack &&
           (found < stated + slack || strcmp(m->how.method, "rodas") == 0);
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

/* ---- the tables of the texts ----------------------------------------------------------------- */

static void c214_tables_of_the_texts(void **state)
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
            char order[24] = "";
            if (row->kind == LIBRARY)
                snprintf(order, sizeof order, ", order %d", (int)row->dictated);
            print_message("  %s%-*s", row->name, 22 - (int)strlen(row->name), order);
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
        cmocka_unit_test(c214_tables_of_the_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
