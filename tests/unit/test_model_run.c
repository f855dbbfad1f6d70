/* tests/unit/test_model_run.c - models built by hand, without any text: structure, start,
 * events and the discrete part.                                                 */
#include <math.h>
#include <string.h>

#include "simulate/simulation.h"

#include "harness.h"

enum { MOST = 40 };

typedef struct bench {
    compilation c;
    flat_model f;
    model m;
    flat_variable variables[MOST];
    flat_equation equations[MOST];
    flat_assignment assignments[MOST];
    flat_initial initials[MOST];
    flat_relation relations[MOST];
    flat_sample samples[MOST];
    flat_reinit reinits[MOST];
    uint32_t shown[MOST];
    double last[MOST], last_t;
    int rows, before, after;
} bench;

static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    assert_true(compilation_create(&b->c, NULL, 0));
    b->f = (flat_model){.from = &b->c,
                        .variables = b->variables,
                        .equations = b->equations,
                        .assignments = b->assignments,
                        .initials = b->initials,
                        .relations = b->relations,
                        .samples = b->samples,
                        .reinits = b->reinits};
    assert_true(expr_graph_create(&b->f.graph, NULL, 100));
    b->f.name = intern_add(&b->c.names, "test", 4);
}

static void close_bench(bench *b)
{
    model_free(&b->m);
    expr_graph_free(&b->f.graph);
    compilation_free(&b->c);
}

static uint32_t variable(bench *b, const char *name, flat_variability how, double start)
{
    uint32_t v = (uint32_t)b->f.n_variables++;
    b->shown[v] = v;
    b->variables[v] = (flat_variable){.name = intern_add(&b->c.names, name, strlen(name)),
                                      .variability = (uint8_t)how,
                                      .type = FLAT_REAL,
                                      .has_start = true,
                                      .start = expr_constant(&b->f.graph, start),
                                      .min = -INFINITY,
                                      .max = INFINITY,
                                      .select = FLAT_DEFAULT,
                                      .enumeration = -1};
    return v;
}

static uint32_t unknown(bench *b, const char *name, double start)
{
    return variable(b, name, FLAT_CONTINUOUS, start);
}

static expr value(bench *b, uint32_t v)
{
    return expr_variable(&b->f.graph, flat_symbol(FLAT_VALUE, v));
}

static expr der(bench *b, uint32_t v)
{
    return expr_variable(&b->f.graph, flat_symbol(FLAT_DER, v));
}

static expr pre(bench *b, uint32_t v)
{
    return expr_variable(&b->f.graph, flat_symbol(FLAT_PRE, v));
}

static expr now(bench *b)
{
    return expr_variable(&b->f.graph, flat_symbol(FLAT_TIME, 0));
}

static expr number(bench *b, double x)
{
    return expr_constant(&b->f.graph, x);
}

static void equation(bench *b, expr left, expr right)
{
    b->equations[b->f.n_equations++] = (flat_equation){.left = left, .right = right};
}

static void assign(bench *b, uint32_t v, expr to)
{
    b->assignments[b->f.n_assignments++] = (flat_assignment){.variable = v, .value = to};
}

static expr relation(bench *b, expr left, expr_op op, expr right)
{
    uint32_t k = (uint32_t)b->f.n_relations++;
    b->relations[k] = (flat_relation){.op = op, .left = left, .right = right};
    return expr_variable(&b->f.graph, flat_symbol(FLAT_RELATION, k));
}

/* A hidden Boolean for the condition of a when; the expression that it fires. */
static expr fires(bench *b, const char *name, expr condition)
{
    uint32_t h = variable(b, name, FLAT_DISCRETE, 0.0);
    b->variables[h].type = FLAT_BOOLEAN;
    b->variables[h].hidden = true;
    assign(b, h, condition);
    expr_graph *g = &b->f.graph;
    expr initial = expr_variable(g, flat_symbol(FLAT_INITIAL, 0));
    expr edge = expr_make2(g, EXPR_AND, value(b, h), expr_make1(g, EXPR_NOT, pre(b, h)));
    return expr_make2(g, EXPR_AND, expr_make1(g, EXPR_NOT, initial), edge);
}

static int note_row(daedal_row_kind kind, double t, const double *values, void *user)
{
    bench *b = user;
    memcpy(b->last, values, b->f.n_variables * sizeof(double));
    b->last_t = t;
    b->rows++;
    b->before += kind == DAEDAL_ROW_BEFORE_EVENT;
    b->after += kind == DAEDAL_ROW_AFTER_EVENT;
    return DAEDAL_CALL_OK;
}

static daedal_status simulate(bench *b, double t_stop, double rtol)
{
    uint32_t moved[MOST];
    double from[MOST], to[MOST];
    daedal_options opt = defaults_with(rtol, 1e-3 * rtol);
    daedal_simulation how = {
        .t_stop = t_stop, .intervals = 10, .options = &opt, .row = note_row, .row_user = b};
    simulation_task task = {.request = &how, .shown = {b->shown, (int32_t)b->f.n_variables}};
    simulation_outcome outcome = {.moved = moved, .moved_from = from, .moved_to = to};
    simulation s;
    daedal_status status = DAEDAL_ERR_MEMORY;
    if (simulation_create(&s, &b->m))
        status = simulation_run(&s, &task, &outcome);
    simulation_free(&s);
    return status;
}

static void ready(bench *b)
{
    daedal_status status = model_create(&b->m, &b->f, NULL);
    if (status != DAEDAL_OK)
        fail_msg("%s", model_message(&b->m));
}

/* x' = -x; y = x; z = -y; c = 2: three aliases and constants, one state. */
static void test_aliases(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    expr_graph *g = &b.f.graph;
    uint32_t x = unknown(&b, "x", 1), y = unknown(&b, "y", 0), z = unknown(&b, "z", 0),
             c = unknown(&b, "c", 0), w = unknown(&b, "w", 0);
    equation(&b, der(&b, x), expr_neg(g, value(&b, y)));
    equation(&b, value(&b, y), value(&b, x));
    equation(&b, expr_add(g, value(&b, z), value(&b, y)), number(&b, 0));
    equation(&b, expr_mul(g, number(&b, 2), value(&b, c)), number(&b, 4));
    equation(&b, value(&b, w), expr_add(g, value(&b, c), value(&b, c)));
    ready(&b);
    assert_int_equal(b.m.reduced->n, 1);
    assert_int_equal(b.m.reduced->report->aliases, 4);
    assert_int_equal(b.m.reduced->report->index, 1);
    assert_int_equal(simulate(&b, 1.0, 1e-8), DAEDAL_OK);
    assert_int_equal(b.rows, 11);
    expect_near(b.last[x], exp(-1.0), 1e-7);
    expect_near(b.last[z], -exp(-1.0), 1e-7);
    expect_near(b.last[c], 2.0, 0);
    expect_near(b.last[w], 4.0, 0);
    close_bench(&b);
}

/* der(h) = v, der(v) = -9.81, when h < 0 then reinit(v, -0.8 pre(v)). */
static void test_bouncing_ball(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    expr_graph *g = &b.f.graph;
    uint32_t h = unknown(&b, "h", 1), v = unknown(&b, "v", 0);
    equation(&b, der(&b, h), value(&b, v));
    equation(&b, der(&b, v), number(&b, -9.81));
    expr fire = fires(&b, "w", relation(&b, value(&b, h), EXPR_LE, number(&b, 0)));
    b.reinits[b.f.n_reinits++] = (flat_reinit){
        .variable = v, .fires = fire, .value = expr_mul(g, number(&b, -0.8), pre(&b, v))};
    ready(&b);
    assert_int_equal(simulate(&b, 1.0, 1e-8), DAEDAL_OK);
    assert_int_equal(b.before, 2); /* h <= 0 becomes true, and false again */
    assert_int_equal(b.after, 2);
    double fall = sqrt(2.0 / 9.81), up = 0.8 * 9.81 * fall, s = 1.0 - fall;
    expect_near(b.last[h], up * s - 0.5 * 9.81 * s * s, 1e-6);
    expect_near(b.last[v], up - 9.81 * s, 1e-6);
    assert_int_equal(simulate(&b, 1.0, 1e-8), DAEDAL_OK); /* a second run is the same */
    assert_int_equal(b.before, 4);
    close_bench(&b);
}

/* der(T) = if on then 1 - T else -T; on = if T < 0.4 then true else if T > 0.6 then false. */
static void test_thermostat(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    expr_graph *g = &b.f.graph;
    uint32_t T = unknown(&b, "T", 0), on = variable(&b, "on", FLAT_DISCRETE, 1);
    b.variables[on].type = FLAT_BOOLEAN;
    equation(&b, der(&b, T), expr_sub(g, value(&b, on), value(&b, T)));
    expr cold = relation(&b, value(&b, T), EXPR_LT, number(&b, 0.4));
    expr hot = relation(&b, value(&b, T), EXPR_GT, number(&b, 0.6));
    assign(&b, on, expr_if(g, cold, number(&b, 1), expr_if(g, hot, number(&b, 0), pre(&b, on))));
    ready(&b);
    assert_int_equal(simulate(&b, 1.5, 1e-8), DAEDAL_OK);
    /* heats to 0.6 in log(2.5); cools to 0.4 in log(1.5); heats again */
    double t = 1.5 - log(2.5) - log(1.5);
    expect_near(b.last[T], 1.0 - 0.6 * exp(-t), 1e-6);
    expect_near(b.last[on], 1.0, 0);
    close_bench(&b);
}

/* when sample(0, 0.1) then k = pre(k) + 1; der(x) = if time < 0.35 then 1 else -1. */
static void test_time_events(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    expr_graph *g = &b.f.graph;
    uint32_t x = unknown(&b, "x", 0), k = variable(&b, "k", FLAT_DISCRETE, 0);
    expr early = relation(&b, now(&b), EXPR_LT, number(&b, 0.35));
    equation(&b, der(&b, x), expr_if(g, early, number(&b, 1), number(&b, -1)));
    b.samples[b.f.n_samples++] = (flat_sample){.start = number(&b, 0), .interval = number(&b, 0.1)};
    expr fire = fires(&b, "w", expr_variable(g, flat_symbol(FLAT_SAMPLE, 0)));
    assign(&b, k, expr_if(g, fire, expr_add(g, pre(&b, k), number(&b, 1)), pre(&b, k)));
    ready(&b);
    assert_int_equal(simulate(&b, 1.0, 1e-6), DAEDAL_OK);
    expect_near(b.last[k], 11.0, 0); /* at 0, 0.1, ..., 1 */
    expect_near(b.last[x], 0.35 - 0.65, 1e-9);
    close_bench(&b);
}

/* No continuous unknown at all; a chain of discrete values. */
static void test_discrete_only(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    expr_graph *g = &b.f.graph;
    uint32_t p = variable(&b, "p", FLAT_DISCRETE, 0), q = variable(&b, "q", FLAT_DISCRETE, 0),
             r = variable(&b, "r", FLAT_DISCRETE, 0);
    assign(&b, r, expr_add(g, value(&b, q), number(&b, 1)));
    assign(&b, q, expr_mul(g, number(&b, 2), value(&b, p)));
    assign(&b, p, relation(&b, now(&b), EXPR_GE, number(&b, 0.5)));
    ready(&b);
    assert_int_equal(simulate(&b, 1.0, 1e-6), DAEDAL_OK);
    expect_near(b.last[r], 3.0, 0);
    assert_int_equal(b.before, 1);
    close_bench(&b);
}

/* initial equation der(x) = 0 for der(x) = y - x, y = 3 + 0*...: the start is found. */
static void test_initial_equation(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    expr_graph *g = &b.f.graph;
    uint32_t x = unknown(&b, "x", 0), y = unknown(&b, "y", 1);
    equation(&b, der(&b, x), expr_sub(g, value(&b, y), value(&b, x)));
    equation(&b, expr_mul(g, value(&b, y), value(&b, y)), number(&b, 9));
    b.initials[b.f.n_initials++] = (flat_initial){.left = der(&b, x), .right = number(&b, 0)};
    ready(&b);
    assert_int_equal(simulate(&b, 1.0, 1e-8), DAEDAL_OK);
    expect_near(b.last[x], 3.0, 1e-9);
    close_bench(&b);
}

/* An ideal diode and a resistor at sin(t): v + R i = sin(t); off = s < 0; v = if off then s
 * else 0; i = if off then 0 else s.  The charge after one period is 2/R.        */
static void test_diode(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    expr_graph *g = &b.f.graph;
    uint32_t q = unknown(&b, "q", 0), v = unknown(&b, "v", 0), i = unknown(&b, "i", 0),
             s = unknown(&b, "s", 0), off = variable(&b, "off", FLAT_DISCRETE, 0);
    b.variables[off].type = FLAT_BOOLEAN;
    equation(&b, der(&b, q), value(&b, i));
    equation(&b, expr_add(g, value(&b, v), expr_mul(g, number(&b, 4), value(&b, i))),
             expr_make1(g, EXPR_SIN, now(&b)));
    equation(&b, value(&b, v), expr_if(g, value(&b, off), value(&b, s), number(&b, 0)));
    equation(&b, value(&b, i), expr_if(g, value(&b, off), number(&b, 0), value(&b, s)));
    assign(&b, off, relation(&b, value(&b, s), EXPR_LT, number(&b, 0)));
    ready(&b);
    assert_int_equal(simulate(&b, 4 * acos(-1.0) - 1.0, 1e-8), DAEDAL_OK);
    expect_near(b.last[q], 1.0, 1e-6);
    assert_int_equal(b.before, 3);
    close_bench(&b);
}

/* A parameter found from the start: x = p at the start, der(x) = -p, x(start = 2, fixed). */
static void test_free_parameter(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    expr_graph *g = &b.f.graph;
    uint32_t x = unknown(&b, "x", 2), p = variable(&b, "p", FLAT_PARAMETER, 1),
             twice = variable(&b, "twice", FLAT_PARAMETER, 0);
    b.variables[x].fixed = true;
    b.variables[twice].value = expr_mul(g, number(&b, 2), value(&b, p));
    equation(&b, der(&b, x), expr_neg(g, value(&b, twice)));
    b.initials[b.f.n_initials++] = (flat_initial){.left = value(&b, x), .right = value(&b, p)};
    ready(&b);
    assert_int_equal(simulate(&b, 1.0, 1e-8), DAEDAL_OK);
    expect_near(b.last[p], 2.0, 1e-12);
    expect_near(b.last[twice], 4.0, 1e-12);
    expect_near(b.last[x], -2.0, 1e-7);
    close_bench(&b);
}

static void test_unbalanced(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    uint32_t x = unknown(&b, "x", 0);
    unknown(&b, "lonely", 0);
    equation(&b, der(&b, x), value(&b, x));
    assert_int_equal(model_create(&b.m, &b.f, NULL), DAEDAL_ERR_STRUCTURE);
    expect_text(model_message(&b.m), "1 equations for 2 unknowns; no equation determines lonely");
    close_bench(&b);
}

/* 1/x with x = 0 at t = 0. */
static void test_not_finite(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    expr_graph *g = &b.f.graph;
    uint32_t x = unknown(&b, "x", 0);
    equation(&b, der(&b, x), expr_div(g, number(&b, 1), value(&b, x)));
    ready(&b);
    assert_int_equal(simulate(&b, 1.0, 1e-8), DAEDAL_ERR_START);
    expect_text(model_message(&b.m), "1/x is inf; x = 0");
    close_bench(&b);
}

static void test_high_index(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    uint32_t x = unknown(&b, "x", 0), y = unknown(&b, "y", 0);
    expr_graph *g = &b.f.graph;
    equation(&b, der(&b, x), value(&b, y));
    equation(&b, value(&b, x), expr_make1(g, EXPR_SIN, now(&b)));
    ready(&b);
    assert_int_equal(b.m.reduced->report->index, 2);
    assert_int_equal(b.m.reduced->report->degrees_of_freedom, 0);
    assert_int_equal(simulate(&b, 1.0, 1e-8), DAEDAL_OK);
    expect_near(b.last[x], sin(1.0), 1e-12);
    expect_near(b.last[y], cos(1.0), 1e-7);
    close_bench(&b);
}

/* A thermostat with an initial equation, under an allocator that refuses the k-th time. */
static void test_out_of_memory(void **state)
{
    (void)state;
    bool refused = true;
    for (long k = 1; refused; k++) {
        bench b;
        ledger books;
        ledger_open(&books);
        books.refuse = k;
        open_bench(&b);
        expr_graph *g = &b.f.graph;
        uint32_t T = unknown(&b, "T", 0), a = unknown(&b, "a", 0),
                 on = variable(&b, "on", FLAT_DISCRETE, 1);
        equation(&b, der(&b, T), expr_sub(g, value(&b, on), value(&b, a)));
        equation(&b, expr_make1(g, EXPR_SINH, value(&b, a)),
                 expr_make1(g, EXPR_SINH, value(&b, T)));
        expr cold = relation(&b, value(&b, T), EXPR_LT, number(&b, 0.4));
        assign(&b, on, expr_if(g, cold, number(&b, 1), pre(&b, on)));
        b.initials[b.f.n_initials++] =
            (flat_initial){.left = value(&b, a), .right = number(&b, 0.1)};
        daedal_status status =
            model_create(&b.m, &b.f, &(model_setup){.allocator = &books.allocator});
        if (status == DAEDAL_OK)
            status = simulate(&b, 1.0, 1e-6);
        refused = books.taken >= k;
        close_bench(&b);
        ledger_expect_empty(&books);
        assert_true(status == DAEDAL_OK || (refused && status < 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aliases),       cmocka_unit_test(test_bouncing_ball),
        cmocka_unit_test(test_thermostat),    cmocka_unit_test(test_time_events),
        cmocka_unit_test(test_discrete_only), cmocka_unit_test(test_initial_equation),
        cmocka_unit_test(test_diode),         cmocka_unit_test(test_free_parameter),
        cmocka_unit_test(test_unbalanced),    cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_high_index),    cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
