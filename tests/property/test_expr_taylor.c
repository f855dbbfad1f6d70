/* tests/property/test_expr_taylor.c - Taylor coefficients (C212): polynomials exactly, every
 * operation and random expressions against repeated symbolic derivatives, sin(y1 y2) to order 8
 * against its closed form, partial derivatives with respect to derivatives, branches, calls,
 * powers at zero, a deep graph, memory.                                         */
#include "test_expr_random.h"

#include <float.h>
#include <stdlib.h>

#include "expr/derive.h"
#include "expr/print.h"
#include "expr/taylor.h"

enum { ORDER = 8, STRIDE = 16, VARIABLES = EXPRESSIONS_VARIABLES, SEEDS = 300 };

/* ---- helpers --------------------------------------------------------------------- */

/* Variable STRIDE j + r of the graph is the r-th derivative of y_j; the path knows y_j. */
typedef struct jets {
    double c[VARIABLES][ORDER + 1]; /* Taylor coefficients */
    long asked;
} jets;

static double factorial(int32_t n)
{
    return n < 2 ? 1.0 : n * factorial(n - 1);
}

static void coefficients(void *user, uint32_t index, double *c)
{
    jets *y = user;
    y->asked++;
    memcpy(c, y->c[index / STRIDE], sizeof y->c[0]);
}

static double derivative(void *user, uint32_t index)
{
    const jets *y = user;
    int32_t r = (int32_t)(index % STRIDE);
    return y->c[index / STRIDE][r] * factorial(r);
}

static expr next_derivative(void *user, expr_graph *g, uint32_t index)
{
    (void)user;
    return expr_variable(g, index + 1);
}

static const expr_direction in_time = {.variable = next_derivative};

static double value_of(const expr_graph *g, expr e, const jets *y)
{
    expr_source from = {derivative, NULL, (void *)(uintptr_t)y};
    double value = (double)NAN;
    assert_int_equal(expr_evaluate(g, e, &from, &value), 0);
    return value;
}

static void expand(const expr_graph *g, expr e, jets *y, double c[ORDER + 1])
{
    const expr_path path = {coefficients, ORDER, y};
    y->asked = 0;
    assert_int_equal(expr_taylor(g, e, &path, c, NULL), EXPR_OK);
}

static expr y_of(expr_graph *g, uint32_t j)
{
    return expr_variable(g, STRIDE * j);
}

/* ---- polynomials ------------------------------------------------------------------ */

static void multiply_exactly(const int64_t *u, const int64_t *v, int64_t *w)
{
    int64_t product[ORDER + 1] = {0};
    for (int k = 0; k <= ORDER; k++)
        for (int j = 0; j <= k; j++)
            product[k] += u[j] * v[k - j];
    memcpy(w, product, sizeof product);
}

/* One term: coefficient times powers of the variables, as expression and in integers. */
static expr random_term(expr_graph *g, seeded *s, int64_t (*y)[ORDER + 1], int64_t *sum)
{
    int64_t term[ORDER + 1] = {seeded_int(s, -5, 5)};
    expr e = expr_constant(g, (double)term[0]);
    for (uint32_t j = 0; j < 3; j++) {
        int32_t power = seeded_int(s, 0, 3);
        for (int32_t k = 0; k < power; k++)
            multiply_exactly(term, y[j], term);
        e = expr_mul(g, e, expr_pow(g, y_of(g, j), expr_constant(g, power)));
    }
    for (int k = 0; k <= ORDER; k++)
        sum[k] += term[k];
    return e;
}

static void test_polynomials(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        seeded s = seeded_begin(seed);
        expr_graph g;
        jets y = {0};
        int64_t whole[3][ORDER + 1], sum[ORDER + 1] = {0};
        for (int j = 0; j < 3; j++)
            for (int k = 0; k <= ORDER; k++) /* a base of zero, too */
                y.c[j][k] = (double)(whole[j][k] = seeded_int(&s, -3, 3));
        assert_true(expr_graph_create(&g, NULL, 0));
        expr e = expr_constant(&g, 0.0);
        for (int k = 0; k < 6; k++)
            e = expr_add(&g, e, random_term(&g, &s, whole, sum));
        double c[ORDER + 1];
        expand(&g, e, &y, c);
        for (int k = 0; k <= ORDER; k++)
            seeded_require(&s, c[k] == (double)sum[k], "coefficient %d is %.17g, not %ld", k, c[k],
                           (long)sum[k]);
        assert_true(y.asked <= 3);
        expr_graph_free(&g);
    }
}

/* ---- against symbolic derivatives -------------------------------------------------- */

static long n_compared;

/* The largest error over the orders, in units of eps times the size of the series so far. */
static double compare(expr_graph *g, expr e, jets *y, int32_t order)
{
    double c[ORDER + 1], size = 0.0, worst = 0.0;
    expr_differ *d = expr_differ_create(g, &in_time);
    expand(g, e, y, c);
    for (int32_t m = 0; m <= order; m++) {
        double wanted = value_of(g, e, y) / factorial(m);
        if (!isfinite(wanted))
            break;
        size = fmax(size, fabs(wanted));
        double error = fabs(c[m] - wanted);
        if (error > 0.0 || isnan(error))
            worst = isnan(error) ? INFINITY : fmax(worst, error / (DBL_EPSILON * size));
        n_compared++;
        assert_int_equal(expr_differ_of(d, e, &e, NULL), EXPR_OK);
    }
    assert_false(g->failed);
    expr_differ_free(d);
    return worst;
}

static double worst_rule;

static void check_rule(expr_op op, int arity, double a, double b)
{
    seeded s = seeded_begin(7);
    expr_graph g;
    jets y = {0};
    for (int j = 0; j < 2; j++)
        for (int k = 0; k <= ORDER; k++)
            y.c[j][k] = seeded_uniform(&s, -0.5, 0.5);
    y.c[0][0] = a;
    y.c[1][0] = b;
    assert_true(expr_graph_create(&g, NULL, 0));
    expr u = y_of(&g, 0), v = y_of(&g, 1);
    double worst =
        compare(&g, arity == 1 ? expr_make1(&g, op, u) : expr_make2(&g, op, u, v), &y, ORDER);
    worst_rule = fmax(worst_rule, worst);
    if (!(worst <= 50.0)) /* measured: 2 */
        fail_msg("%s at (%g, %g): wrong by %g eps", expr_op_text(op), a, b, worst);
    expr_graph_free(&g);
}

static void test_rules(void **state)
{
    (void)state;
    static const expr_op anywhere[] = {EXPR_SIN,  EXPR_COS,  EXPR_ATAN, EXPR_TANH, EXPR_ABS,
                                       EXPR_SINH, EXPR_COSH, EXPR_EXP,  EXPR_ASIN, EXPR_TAN};
    static const expr_op two[] = {EXPR_DIV, EXPR_ATAN2, EXPR_MOD, EXPR_REM, EXPR_MIN, EXPR_MAX};
#define X(name, arity, text)                                                                       \
    if (((arity) == 1 || (arity) == 2) && EXPR_##name != EXPR_OUTPUT) {                            \
        check_rule(EXPR_##name, arity, 0.7, 1.3);                                                  \
        check_rule(EXPR_##name, arity, 0.45, 0.31);                                                \
    }
    EXPR_OP_LIST(X)
#undef X
    for (size_t k = 0; k < COUNT(anywhere); k++)
        check_rule(anywhere[k], 1, -0.6, 0.0);
    for (size_t k = 0; k < COUNT(two); k++)
        check_rule(two[k], 2, -2.3, 0.9);
    print_message("%ld coefficients of rules: within %.0f eps\n", n_compared, worst_rule);
}

/* Constant exponents of every kind, with bases of either sign. */
static void test_powers(void **state)
{
    (void)state;
    static const double exponents[] = {-3.0, -1.0, -0.5, 0.5, 1.0, 2.5, 3.0, 7.0, 65.0, 100.0};
    static const double bases[] = {1.3, 0.4, -0.7};
    for (size_t i = 0; i < COUNT(exponents); i++)
        for (size_t j = 0; j < COUNT(bases); j++) {
            expr_graph g;
            jets y = {.c = {{bases[j], 0.2, -0.1, 0.3, 0.0, -0.2, 0.1, 0.1, -0.3}}};
            if (bases[j] < 0.0 && exponents[i] != floor(exponents[i]))
                continue;
            assert_true(expr_graph_create(&g, NULL, 0));
            expr e = expr_pow(&g, y_of(&g, 0), expr_constant(&g, exponents[i]));
            double worst = compare(&g, e, &y, ORDER);
            if (!(worst <= 100.0)) /* measured: 4 */
                fail_msg("%g^%g: wrong by %g eps", bases[j], exponents[i], worst);
            expr_graph_free(&g);
        }
}

/* Where the coefficients are known by hand: powers and roots of zero. */
static void test_powers_of_zero(void **state)
{
    (void)state;
    static const struct {
        double base[4], exponent, wanted[4]; /* NaN: not finite */
    } rows[] = {
        {{0, 1, 0, 0}, 3.0, {0, 0, 0, 1}},          {{0, 1, 2, 0}, 2.0, {0, 0, 1, 4}},
        {{0, 1, 0, 0}, 2.5, {0, 0, 0, NAN}},        {{0, 0, 1, 0}, 1.2, {0, 0, 0, NAN}},
        {{0, 1, 0, 0}, 0.5, {0, NAN, NAN, NAN}},    {{0, 0, 0, 0}, 0.5, {0, 0, 0, 0}},
        {{0, 0, 1, 0}, 0.5, {0, NAN, NAN, NAN}}, /* abs(s) */
        {{0, 1, 1, 1}, 100.0, {0, 0, 0, 0}},        {{0, 1, 0, 0}, -1.0, {NAN, NAN, NAN, NAN}},
        {{0, 1, 5, 7}, 1.0, {0, 1, 5, 7}},          {{0, 1, 5, 7}, 0.0, {1, 0, 0, 0}},
        {{-1, 1, 0, 0}, 0.5, {NAN, NAN, NAN, NAN}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        expr_graph g;
        jets y = {0};
        double c[ORDER + 1];
        assert_true(expr_graph_create(&g, NULL, 0));
        memcpy(y.c[0], rows[i].base, sizeof rows[i].base);
        y.c[1][0] = rows[i].exponent; /* a variable that stands still: no simplification */
        expand(&g, expr_pow(&g, y_of(&g, 0), y_of(&g, 1)), &y, c);
        for (int k = 0; k < 4; k++)
            if (isnan(rows[i].wanted[k]) ? isfinite(c[k]) : c[k] != rows[i].wanted[k])
                fail_msg("row %zu: coefficient %d is %g, not %g", i, k, c[k], rows[i].wanted[k]);
        expr_graph_free(&g);
    }
}

/* Variable j of random expressions becomes y_j. */
static expr image_of(void *user, uint32_t variable)
{
    expressions *x = user;
    return y_of(&x->g, variable);
}

static void fill_jets(expressions *x, jets *y)
{
    *y = (jets){0};
    for (int j = 0; j < VARIABLES; j++) {
        y->c[j][0] = x->values[j];
        for (int k = 1; k <= ORDER && j > 0; k++) /* the first is a Boolean */
            y->c[j][k] = seeded_uniform(&x->random, -1.0, 1.0);
    }
}

static double worst_random;

static void check_random(expressions *x, expr e, jets *y)
{
    char text[300];
    double c[ORDER + 1];
    expand(&x->g, e, y, c);
    double value = value_of(&x->g, e, y);
    seeded_require(&x->random, expressions_same(c[0], value), "%a, not %a", c[0], value);
    double worst = compare(&x->g, e, y, 3);
    worst_random = fmax(worst_random, worst);
    seeded_require(&x->random, worst <= 1e3, "wrong by %g eps: %s", worst,
                   expr_print(&x->g, e, NULL, text, sizeof text));
}

static void test_random(void **state)
{
    (void)state;
    n_compared = 0;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        expressions x;
        jets y;
        expressions_make(&x, seed, false, seed % 2);
        assert_true(expr_substitute(&x.g, &x.g, x.roots, EXPRESSIONS_ROOTS, image_of, &x));
        fill_jets(&x, &y);
        for (int32_t k = 0; k < EXPRESSIONS_ROOTS; k++)
            check_random(&x, x.roots[k], &y);
        expr_graph_free(&x.g);
    }
    print_message("%ld coefficients of random expressions: within %.0f eps\n", n_compared,
                  worst_random);
    assert_true(n_compared > 3 * SEEDS * EXPRESSIONS_ROOTS / 2); /* not all exist */
}

/* ---- C212 --------------------------------------------------------------------------- */

/* y1 = exp(t), y2 = t exp(-t) at t = 0.3: y1 y2 = t. */
static jets exact_jets(void)
{
    jets y = {0};
    for (int32_t r = 0; r <= ORDER; r++) {
        y.c[1][r] = exp(0.3) / factorial(r);
        y.c[2][r] = (r % 2 ? -1.0 : 1.0) * exp(-0.3) * (0.3 - r) / factorial(r);
    }
    return y;
}

static void test_sine_of_product(void **state)
{
    (void)state;
    expr_graph g;
    jets y = exact_jets();
    double c[ORDER + 1], worst = 0.0;
    assert_true(expr_graph_create(&g, NULL, 0));
    expr e = expr_make1(&g, EXPR_SIN, expr_mul(&g, y_of(&g, 1), y_of(&g, 2)));
    expand(&g, e, &y, c);
    for (int32_t m = 0; m <= ORDER; m++) {
        double got = c[m] * factorial(m), wanted = sin(0.3 + m * 1.5707963267948966);
        worst = fmax(worst, fabs(got - wanted));
        expect_near(got, wanted, 1e-12); /* measured: 4e-14 */
    }
    print_message("d^m/dt^m sin(y1 y2), m <= %d: within %.1e\n", ORDER, worst);
    expr_graph_free(&g);
}

static bool wants_all(void *user, uint32_t variable)
{
    (void)user, (void)variable;
    return true;
}

/* The symbolic derivative of order m: its gradient with respect to y_j^(r) is m!/r! times
 * coefficient m - r of the partial derivative of e with respect to y_j.           */
static void check_partials(expr_graph *g, expr_deriver *d, expr total, int32_t m,
                           double slopes[3][ORDER + 1])
{
    expr_gradient gradient;
    jets y = exact_jets();
    long found = 0;
    assert_int_equal(expr_gradient_of(d, total, &gradient, NULL), EXPR_OK);
    for (size_t k = 0; k < gradient.n; k++) {
        uint32_t j = gradient.entry[k].variable / STRIDE;
        int32_t r = (int32_t)(gradient.entry[k].variable % STRIDE);
        double wanted = value_of(g, gradient.entry[k].derivative, &y);
        double got = slopes[j][m - r] * factorial(m) / factorial(r);
        expect_near(got, wanted, 1e-11 * (1.0 + fabs(wanted)));
        found++;
    }
    assert_int_equal(found, 2 * (m + 1));
}

static void test_partials(void **state)
{
    (void)state;
    expr_graph g;
    jets y = exact_jets();
    double slopes[3][ORDER + 1] = {{0}};
    const expr_selection all = {.wants = wants_all};
    assert_true(expr_graph_create(&g, NULL, 0));
    expr e = expr_make1(&g, EXPR_SIN, expr_mul(&g, y_of(&g, 1), y_of(&g, 2)));
    expr_deriver *d = expr_deriver_create(&g, &all);
    expr_differ *f = expr_differ_create(&g, &in_time);
    expr_gradient gradient;
    assert_int_equal(expr_gradient_of(d, e, &gradient, NULL), EXPR_OK);
    for (size_t k = 0; k < gradient.n; k++)
        expand(&g, gradient.entry[k].derivative, &y, slopes[gradient.entry[k].variable / STRIDE]);
    for (int32_t m = 0; m <= ORDER; m++) {
        check_partials(&g, d, e, m, slopes);
        assert_int_equal(expr_differ_of(f, e, &e, NULL), EXPR_OK);
    }
    expr_differ_free(f);
    expr_deriver_free(d);
    expr_graph_free(&g);
}

/* ---- branches and calls ---------------------------------------------------------------- */

static void test_branches_and_calls(void **state)
{
    (void)state;
    expr_graph g;
    jets y = {.c = {{-1.0, 2.0, 3.0}}};
    double c[ORDER + 1] = {5.0};
    assert_true(expr_graph_create(&g, NULL, 0));
    expr x = y_of(&g, 0), zero = expr_constant(&g, 0.0), culprit = EXPR_NONE;
    expr call = expr_call(&g, (expr_function){1, 3, 2}, &x, 1);
    expr positive = expr_make2(&g, EXPR_GT, x, zero);
    expand(&g, expr_if(&g, positive, call, expr_mul(&g, x, x)), &y, c);
    assert_true(c[0] == 1.0 && c[1] == -4.0 && c[2] == -2.0 && c[3] == 12.0);
    const expr_path path = {coefficients, ORDER, &y};
    expr taken = expr_add(&g, x, expr_if(&g, positive, x, call));
    assert_int_equal(expr_taylor(&g, taken, &path, c, &culprit), EXPR_NOT_DIFFERENTIABLE);
    assert_int_equal(culprit, call);
    assert_true(c[0] == 1.0 && c[3] == 12.0);
    assert_int_equal(expr_taylor(&g, taken, &path, c, NULL), EXPR_NOT_DIFFERENTIABLE);
    expr_graph_free(&g);
}

/* ---- size --------------------------------------------------------------------------------- */

/* x -> x + 1, then halved by a shared use: deep, and exponentially many ways through it. */
static expr deep_expression(expr_graph *g, int32_t depth)
{
    expr e = y_of(g, 0), half = expr_constant(g, 0.5);
    for (int32_t k = 0; k < depth; k++)
        e = expr_make1(g, EXPR_SIN, expr_add(g, expr_mul(g, half, e), expr_make1(g, EXPR_ATAN, e)));
    return e;
}

static void test_depth(void **state)
{
    (void)state;
    enum { DEPTH = 50000 };
    expr_graph g;
    jets y = {.c = {{0.3, 1.0, 0.5}}};
    double c[ORDER + 1];
    assert_true(expr_graph_create(&g, NULL, 0));
    expand(&g, deep_expression(&g, DEPTH), &y, c);
    assert_true(isfinite(c[0]) && isfinite(c[ORDER]));
    assert_int_equal(y.asked, 1);
    expr_graph_free(&g);
}

static void test_memory(void **state)
{
    (void)state;
    ledger books;
    expr_graph g;
    jets y = {.c = {{0.3, 1.0, 0.5}}};
    const expr_path path = {coefficients, ORDER, &y};
    double c[ORDER + 1];
    ledger_open(&books);
    assert_true(expr_graph_create(&g, &books.allocator, 0));
    expr e = deep_expression(&g, 100);
    size_t blocks = books.blocks, bytes = books.bytes;
    long before = books.taken;
    assert_int_equal(expr_taylor(&g, e, &path, c, NULL), EXPR_OK);
    long needed = books.taken - before;
    assert_true(needed > 3);
    for (long k = 1; k <= needed; k++) {
        books.refuse = books.taken + k;
        assert_int_equal(expr_taylor(&g, e, &path, c, NULL), EXPR_NO_MEMORY);
        assert_true(books.blocks == blocks && books.bytes == bytes);
    }
    books.refuse = 0;
    assert_false(g.failed);
    expr_graph_free(&g);
    ledger_expect_empty(&books);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomials), cmocka_unit_test(test_rules),
        cmocka_unit_test(test_powers),      cmocka_unit_test(test_powers_of_zero),
        cmocka_unit_test(test_random),      cmocka_unit_test(test_sine_of_product),
        cmocka_unit_test(test_partials),    cmocka_unit_test(test_branches_and_calls),
        cmocka_unit_test(test_depth),       cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
