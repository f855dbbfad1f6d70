/* support/order_tables.c - see order_tables.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "dictated.h"
#include "order_problems.h"
#include "order_tables.h"

/* An error below is roundoff of a component of size 1. */
static const double ROUNDOFF = 2e-14;
static const double SLACK = 0.15;

#define EXACT INFINITY
#define COUNT_OF(array) ((int32_t)(sizeof(array) / sizeof *(array)))

#define RK(name) RUNGE_KUTTA, name, 0
#define BDF(k) MULTISTEP, "BDF" #k, k
#define OURS(method, order) LIBRARY, method, order
/* The same statement for the formula, for bdf and for bdf_classic. */
#define EACH_BDF(k, ...)                                                                           \
    {BDF(k), __VA_ARGS__}, {OURS("bdf", k), __VA_ARGS__},                                          \
    {                                                                                              \
        OURS("bdf_classic", k), __VA_ARGS__                                                        \
    }

/* ---- index 1 ------------------------------------------------------------------------------ */

static const order_row UNIFORM[] = {
    {RK("sirk22"), {2, EXACT}, 0, 40},
    {RK("sdirk4"), {2, EXACT}, 0, 40},
    {RK("sirk3_transformed"), {3, 3}, 0, 40},
    {RK("extrapolation7"), {3, EXACT}, 0, 40},
    {RK("lobatto3c"), {4, EXACT}, 0, 40},
    {RK("midpoint"), {2, 2}, 0, 40},
    {RK("gauss2"), {2, 2}, 0, 40},
    {RK("radau2"), {3, EXACT}, 0, 40},
    {RK("radau3"), {5, EXACT}, 0, 10},
    {RK("sirk23"), {3, 3}, 0, 40},
    {RK("implicit_euler"), {1, EXACT}, 0, 40},
    {OURS("radau", 1), {1, EXACT}, 0, 40},
    {OURS("radau", 5), {5, EXACT}, 0, 10},
    {OURS("radau", 9), {9, EXACT}, 0.3, 2},
};

static const order_row UNIFORM_BDF[] = {
    EACH_BDF(1, {1, EXACT}, 0, 40), EACH_BDF(2, {2, EXACT}, 0, 40),
    EACH_BDF(3, {3, EXACT}, 0, 40), EACH_BDF(4, {4, EXACT}, 0, 40),
    EACH_BDF(5, {5, EXACT}, 0, 40), {OURS("bdf", 6), {6, EXACT}, 0, 40},
};

static const order_row SEMI_EXPLICIT[] = {
    {RK("midpoint"), {2, 2}, 0, 40},     {RK("gauss2"), {4, 2}, 0.2, 8},
    {RK("radau2"), {3, 3}, 0, 40},       {RK("radau3"), {5, 5}, 0.2, 8},
    {RK("lobatto3c"), {4, 4}, 0.2, 8},   {RK("sdirk4"), {4, 4}, 0.2, 8},
    {RK("sirk23"), {3, 3}, 0, 40},       {OURS("radau", 1), {1, 1}, 0, 40},
    {OURS("radau", 5), {5, 5}, 0.2, 8},  {OURS("rodas", 5), {5, 5}, 0.3, 10},
    {OURS("limex", 2), {2, 2}, 0.3, 20}, {OURS("limex", 3), {3, 3}, 0.3, 20},
    {OURS("limex", 4), {4, 4}, 0.3, 20},
};

/* ---- index 2 ------------------------------------------------------------------------------ */

static const order_row STABILIZED[] = {
    {RK("sirk22"), {2, 2}, 0, 40},
    {RK("sdirk4"), {2, 1}, 0, 40},
    {RK("sirk3_transformed"), {3, 2}, 0, 40},
    {RK("extrapolation7"), {3, 3}, 0, 40},
    {RK("radau2"), {3, 2}, 0, 40},
    {RK("radau3"), {5, 3}, 0.25, 10},
    {RK("lobatto3c"), {4, 2}, 0, 20},
    {RK("sirk3"), {3, 3}, 0, 40},
    {RK("implicit_euler"), {1, 1}, 0, 40},
    {RK("sirk23"), {3, 2.5}, 0.5, 40}, /* force: "2-3" */
    {OURS("radau", 1), {1, 1}, 0, 40},
    {OURS("radau", 5), {5, 3}, 0.25, 10},
};

/* The force at order 3: its leading coefficient nearly vanishes at t = 1, no order is stated. */
static const order_row VELOCITY_BDF[] = {
    EACH_BDF(1, {1, 1}, 0, 40),   EACH_BDF(2, {2, 2}, 0, 40),   EACH_BDF(3, {3, NAN}, 0, 40),
    EACH_BDF(4, {4, 4}, 0.2, 40), EACH_BDF(5, {5, 5}, 0.3, 40),
};

/* ---- index 3 ------------------------------------------------------------------------------ */

static const order_row POSITION[] = {
    {RK("sirk22"), {1.9, 2, 1}, 0.2, 40},
    {RK("sirk23"), {3, 2, 1}, 0.2, 40},
    {RK("radau2"), {2.5, 2, 1}, 0.5, 40}, /* place: "2-3" */
    {RK("radau3"), {5, 2.85, 2.1}, 0.2, 40},
    {RK("sirk3"), {3, 3, 2}, 0.2, 40},
    {RK("lobatto3c"), {4, 2, 1}, 0.2, 40},
    {OURS("radau", 5), {5, NAN, NAN}, 0.2, 10}, /* with more steps the place is at roundoff */
    {OURS("radau", 5), {NAN, 2.85, 2.1}, 0.2, 40},
};

static const order_row POSITION_BDF[] = {
    EACH_BDF(1, {1, 1}, 0, 40),   EACH_BDF(2, {2, 2}, 0, 40),   EACH_BDF(3, {3, NAN}, 0, 40),
    EACH_BDF(4, {4, 4}, 0.2, 40), EACH_BDF(5, {5, 5}, 0.3, 40),
};

static const order_row CANONICAL_BDF[] = {
    EACH_BDF(1, {EXACT, 1, 1}, 0, 64), EACH_BDF(2, {EXACT, 2, 2}, 0, 64),
    EACH_BDF(3, {EXACT, 3, 3}, 0, 64),
    EACH_BDF(4, {EXACT, 4, 4}, 0.3, 64), /* roundoff of sin, differenced twice, shows */
};

/* min(k, k - index + 2) in the last variable */
static const order_row CANONICAL_BDF_CHANGING[] = {
    EACH_BDF(1, {EXACT, 1, 0}, 0, 64),
    EACH_BDF(2, {EXACT, 2, 1}, 0, 64),
    EACH_BDF(3, {EXACT, 3, 2}, 0, 64),
    EACH_BDF(4, {EXACT, 4, 3}, 0.3, 64),
};

/* ---- all of them ---------------------------------------------------------------------------- */

static trial_problem stabilized_pendulum(void)
{
    return problem_pendulum(&PENDULUM_STABILIZED);
}

static trial_problem velocity_pendulum(void)
{
    return problem_pendulum(&PENDULUM_VELOCITY);
}

static trial_problem position_pendulum(void)
{
    return problem_pendulum(&PENDULUM_POSITION);
}

static trial_problem canonical_three(void)
{
    return problem_canonical(3);
}

#define ROWS(array) COUNT_OF(array), array

static const order_table TABLES[] = {
    {"C082",
     "uniform index 1, (4.3.33)",
     problem_coupled,
     1.0,
     {{"x", 0, 1}, {"y", 1, 1}},
     2,
     ROWS(UNIFORM)},
    {"C059",
     "the same, BDF",
     problem_coupled,
     1.0,
     {{"x", 0, 1}, {"y", 1, 1}},
     2,
     ROWS(UNIFORM_BDF)},
    {"C084",
     "semi-explicit index 1",
     problem_semi_explicit,
     1.0,
     {{"x", 0, 1}, {"y", 1, 1}},
     2,
     ROWS(SEMI_EXPLICIT)},
    {"C092",
     "stabilized pendulum (4.4.9), index 2",
     stabilized_pendulum,
     1.0,
     {{"x", 0, 4}, {"force", 4, 1}},
     2,
     ROWS(STABILIZED)},
    {"C061",
     "pendulum held by velocity, index 2, BDF",
     velocity_pendulum,
     1.0,
     {{"x", 0, 4}, {"force", 4, 1}},
     2,
     ROWS(VELOCITY_BDF)},
    {"C062",
     "the same, steps 1, 1.5, 1, 1.5 ..",
     velocity_pendulum,
     1.5,
     {{"x", 0, 4}, {"force", 4, 1}},
     2,
     ROWS(VELOCITY_BDF)},
    {"C094",
     "pendulum held by place, index 3",
     position_pendulum,
     1.0,
     {{"place", 0, 2}, {"speed", 2, 2}, {"force", 4, 1}},
     3,
     ROWS(POSITION)},
    {"C061",
     "the same, BDF",
     position_pendulum,
     1.0,
     {{"x", 0, 4}, {"force", 4, 1}},
     2,
     ROWS(POSITION_BDF)},
    {"C053",
     "x1 = sin t, x2 = x1', x3 = x2', index 3, BDF",
     canonical_three,
     1.0,
     {{"x1", 0, 1}, {"x2", 1, 1}, {"x3", 2, 1}},
     3,
     ROWS(CANONICAL_BDF)},
    {"C057",
     "the same, steps 1, 1.5, 1, 1.5 ..",
     canonical_three,
     1.5,
     {{"x1", 0, 1}, {"x2", 1, 1}, {"x3", 2, 1}},
     3,
     ROWS(CANONICAL_BDF_CHANGING)},
};

int32_t order_table_count(void)
{
    return COUNT_OF(TABLES);
}

const order_table *order_table_at(int32_t i)
{
    return &TABLES[i];
}

/* ---- measuring --------------------------------------------------------------------------------
 */

void order_measure(const order_table *table, const order_row *row, double *found)
{
    trial_problem p = table->problem();
    double error[2][TRIAL_MAX];
    for (int fine = 0; fine < 2; fine++) {
        int32_t steps = row->steps << fine;
        if (row->kind == LIBRARY) {
            dictated how = {row->name, row->dictated, 0.0};
            dictated_error(&how, &p, steps, table->ratio, error[fine]);
        } else if (row->kind == MULTISTEP) {
            bdf_error(row->dictated, &p, steps, table->ratio, error[fine]);
        } else {
            tableau m = tableau_of(row->name);
            rk_error(&m, &p, steps, error[fine]);
        }
    }
    for (int32_t i = 0; i < table->n_parts; i++) {
        const order_part *part = &table->part[i];
        double coarse = largest_error(error[0] + part->first, part->count);
        double fine = largest_error(error[1] + part->first, part->count);
        found[i] = coarse < ROUNDOFF ? INFINITY : order_between(coarse, fine);
    }
}

bool order_agrees(const order_row *row, int32_t part, double found)
{
    double stated = row->order[part], slack = row->slack > 0.0 ? row->slack : SLACK;
    if (isnan(stated))
        return true;
    return isinf(stated) ? isinf(found) : fabs(found - stated) <= slack;
}

void order_expect(const char *item, bool library)
{
    bool seen = false;
    for (int32_t t = 0; t < COUNT_OF(TABLES); t++) {
        const order_table *table = &TABLES[t];
        if (strcmp(table->item, item) != 0)
            continue;
        for (int32_t i = 0; i < table->n_rows; i++) {
            const order_row *row = &table->row[i];
            double found[PARTS_MAX];
            if ((row->kind == LIBRARY) != library)
                continue;
            seen = true;
            order_measure(table, row, found);
            for (int32_t part = 0; part < table->n_parts; part++)
                if (!order_agrees(row, part, found[part]))
                    fail_msg("%s: %s %d, %s: order %.2f, stated %.2f", item, row->name,
                             (int)row->dictated, table->part[part].name, found[part],
                             row->order[part]);
        }
    }
    assert_true(seen);
}
