/* tests/property/test_expr_derive.c - derivatives against Richardson-extrapolated central
 * differences (C212, C213), the rules one by one, ifs whose other branch has no value, time
 * derivatives to order 8 against an exact solution, long sums in linear time.      */
#include "test_expr_random.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "expr/derive.h"
#include "expr/print.h"
#include "tape_values.h"

enum { VARIABLES = EXPRESSIONS_VARIABLES, SEEDS = 400 };

/* ---- helpers --------------------------------------------------------------------- */

static bool wants_all(void *user, uint32_t variable)
{
    (void)user;
    return variable > 0; /* the first is a Boolean */
}

/* Arguments of functions: output o is (o + 0.5)(1 + sum (k + 1) arg_k). */
static expr partial(void *user, expr_graph *g, expr call, uint32_t k)
{
    (void)user;
    return expr_constant(g, (k + 1.0) * (expr_function_of(g, call).output + 0.5));
}

static const expr_selection everything = {.wants = wants_all, .partials = {.of = partial}};

static double variable(void *user, uint32_t index)
{
    return ((const double *)user)[index];
}

static int function(void *user, uint32_t id, const double *args, double *outputs)
{
    (void)user;
    return expressions_function(NULL, id, args, outputs);
}

static double value_at(const expr_graph *g, expr e, double *v)
{
    expr_source from = {variable, function, v};
    double value = (double)NAN;
    assert_int_equal(expr_evaluate(g, e, &from, &value), 0);
    return value;
}

/* Central differences with steps h, h/2, h/4, h/8, extrapolated; *error: how far the last
 * two columns differ. */
static double difference(const expr_graph *g, expr e, double *v, uint32_t j, double *error)
{
    double table[4], x = v[j], h = 1e-3 * (1.0 + fabs(x)), before = 0.0;
    for (int i = 0; i < 4; i++, h /= 2.0) {
        v[j] = x + h;
        double up = value_at(g, e, v);
        v[j] = x - h;
        double down = value_at(g, e, v);
        table[i] = (up - down) / (2.0 * h);
    }
    for (int k = 1; k < 4; k++) {
        double factor = pow(4.0, k);
        before = table[3];
        for (int i = 3; i >= k; i--)
            table[i] = (factor * table[i] - table[i - 1]) / (factor - 1.0);
    }
    v[j] = x;
    *error = fabs(table[3] - before);
    return table[3];
}

static double entry_of(const expr_graph *g, const expr_gradient *gradient, uint32_t j, double *v)
{
    for (size_t k = 0; k < gradient->n; k++)
        if (gradient->entry[k].variable == j)
            return value_at(g, gradient->entry[k].derivative, v);
    return 0.0;
}

/* ---- gradients of random expressions ------------------------------------------------- */

static long n_compared, n_undefined;

static void check_entry(expressions *x, expr e, const expr_gradient *gradient, uint32_t j)
{
    char text[300];
    double error, wanted = difference(&x->g, e, x->values, j, &error);
    double got = entry_of(&x->g, gradient, j, x->values), size = fabs(wanted) + 1e-3;
    double rounding = 1e-11 * fabs(value_at(&x->g, e, x->values)); /* about eps f/h */
    if (!(error + rounding < 1e-7 * size)) /* a pole or noise: nothing to compare with */
        return;
    n_compared++;
    n_undefined += !isfinite(got); /* 0*inf, as in d sqrt(b*x)/dx for b = 0 */
    bool noise = fabs(got) < 1e-4 && fabs(wanted) < 1e-4; /* large terms cancel */
    if (!isfinite(got) || noise)
        return;
    seeded_require(&x->random, fabs(got - wanted) <= 1e-5 * size, "d/dv%u = %.10g, not %.10g: %s",
                   j, got, wanted, expr_print(&x->g, e, NULL, text, sizeof text));
}

static void test_gradients(void **state)
{
    (void)state;
    n_compared = n_undefined = 0;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        expressions x;
        expressions_make(&x, seed, seed % 2 == 1, true);
        expr_deriver *d = expr_deriver_create(&x.g, &everything);
        for (int32_t k = 0; k < EXPRESSIONS_ROOTS; k++) {
            expr_gradient gradient;
            expr culprit;
            assert_int_equal(expr_gradient_of(d, x.roots[k], &gradient, &culprit), EXPR_OK);
            for (size_t i = 0; i < gradient.n; i++)
                assert_true(i == 0 || gradient.entry[i - 1].variable < gradient.entry[i].variable);
            for (uint32_t j = 1; j < VARIABLES; j++)
                check_entry(&x, x.roots[k], &gradient, j);
        }
        expr_deriver_free(d);
        expr_graph_free(&x.g);
    }
    assert_true(n_compared > 3000);
    assert_true(n_undefined < n_compared / 100);
}

/* C212: all partial derivatives cost at most five times the function. */
static size_t count_ops(const expr_graph *g, const expr *roots, size_t n)
{
    tape *t;
    tape_setup setup = {.g = g, .roots = roots, .n_roots = n, .inputs = {.n = VARIABLES}};
    assert_int_equal(tape_create(&t, &setup), DAEDAL_OK);
    size_t ops = tape_measure(t).ops;
    tape_free(t);
    return ops;
}

static void test_cost(void **state)
{
    (void)state;
    size_t ops = 0, gradient_ops = 0;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        expressions x;
        expr all[VARIABLES + 1];
        expr_gradient gradient;
        expressions_make(&x, seed, false, true);
        expr_deriver *d = expr_deriver_create(&x.g, &everything);
        assert_int_equal(expr_gradient_of(d, x.roots[0], &gradient, NULL), EXPR_OK);
        all[0] = x.roots[0];
        for (size_t k = 0; k < gradient.n; k++)
            all[k + 1] = gradient.entry[k].derivative;
        ops += count_ops(&x.g, all, 1);
        gradient_ops += count_ops(&x.g, all, gradient.n + 1);
        expr_deriver_free(d);
        expr_graph_free(&x.g);
    }
    assert_true(gradient_ops <= 5 * ops);
}

/* ---- every rule ------------------------------------------------------------------------ */

static void check_rule(expr_op op, int arity, double a, double b)
{
    expr_graph g;
    assert_true(expr_graph_create(&g, NULL, 0));
    double v[] = {0.0, a, b}, error;
    expr x = expr_variable(&g, 1), y = expr_variable(&g, 2);
    expr e = arity == 1 ? expr_make1(&g, op, x) : expr_make2(&g, op, x, y);
    expr_deriver *d = expr_deriver_create(&g, &everything);
    expr_gradient gradient;
    assert_int_equal(expr_gradient_of(d, e, &gradient, NULL), EXPR_OK);
    for (uint32_t j = 1; j <= (uint32_t)arity; j++) {
        double wanted = difference(&g, e, v, j, &error), got = entry_of(&g, &gradient, j, v);
        if (!(fabs(got - wanted) <= 1e-9 * (1.0 + fabs(wanted))))
            fail_msg("%s by operand %u: %.17g, not %.17g", expr_op_text(op), (unsigned)j, got,
                     wanted);
    }
    expr_deriver_free(d);
    expr_graph_free(&g);
}

static void test_rules(void **state)
{
    (void)state;
#define X(name, arity, text)                                                                       \
    if (((arity) == 1 || (arity) == 2) && EXPR_##name != EXPR_OUTPUT) {                            \
        check_rule(EXPR_##name, arity, 0.7, 1.3);                                                  \
        check_rule(EXPR_##name, arity, 0.45, 0.31);                                                \
    }
    EXPR_OP_LIST(X)
#undef X
    static const expr_op anywhere[] = {EXPR_SIN,  EXPR_COS,  EXPR_ATAN, EXPR_TANH, EXPR_ABS,
                                       EXPR_SINH, EXPR_COSH, EXPR_EXP,  EXPR_ASIN, EXPR_TAN};
    static const expr_op two[] = {EXPR_DIV, EXPR_ATAN2, EXPR_MOD, EXPR_REM, EXPR_MIN, EXPR_MAX};
    for (size_t k = 0; k < COUNT(anywhere); k++)
        check_rule(anywhere[k], 1, -0.6, 0.0);
    for (size_t k = 0; k < COUNT(two); k++)
        check_rule(two[k], 2, -2.3, 0.9);
}

/* ---- branches not taken ------------------------------------------------------------------- */

/* x < 0 everywhere here: every sqrt, log and pow stands in the branch not taken. */
static void check_finite(expr_graph *g, expr e, double wanted_dx)
{
    double v[] = {1.0, -1.0, 2.0};
    expr_deriver *d = expr_deriver_create(g, &everything);
    expr_gradient gradient;
    char text[400];
    assert_int_equal(expr_gradient_of(d, e, &gradient, NULL), EXPR_OK);
    for (uint32_t j = 1; j <= 2; j++) {
        double got = entry_of(g, &gradient, j, v);
        if (!isfinite(got) || (j == 1 && fabs(got - wanted_dx) > 1e-12))
            fail_msg("d/dv%u = %g: %s", (unsigned)j, got,
                     expr_print(g, e, NULL, text, sizeof text));
    }
    tape *t;
    expr roots[3];
    double out[3], work[400];
    for (size_t k = 0; k < gradient.n; k++)
        roots[k] = gradient.entry[k].derivative;
    tape_setup setup = {.g = g, .roots = roots, .n_roots = gradient.n, .inputs = {.n = 3}};
    assert_int_equal(tape_create(&t, &setup), DAEDAL_OK);
    assert_true(tape_measure(t).work <= COUNT(work));
    tape_prepare(t, work);
    assert_int_equal(tape_evaluate(t, v, work, out, NULL), 0);
    for (size_t k = 0; k < gradient.n; k++)
        assert_true(isfinite(out[k]));
    tape_free(t);
    expr_deriver_free(d);
}

static void test_branches(void **state)
{
    (void)state;
    expr_graph g;
    assert_true(expr_graph_create(&g, NULL, 0));
    expr x = expr_variable(&g, 1), y = expr_variable(&g, 2), zero = expr_constant(&g, 0.0);
    expr positive = expr_make2(&g, EXPR_GT, x, zero);
    expr root = expr_make1(&g, EXPR_SQRT, x), logarithm = expr_make1(&g, EXPR_LOG, x);
    expr safe = expr_if(&g, positive, root, zero);
    check_finite(&g, expr_sub(&g, y, safe), 0.0);
    check_finite(&g, expr_mul(&g, y, expr_if(&g, positive, logarithm, x)), 2.0);
    check_finite(&g, expr_make1(&g, EXPR_SIN, expr_if(&g, positive, expr_pow(&g, x, y), y)), 0.0);
    expr nested = expr_if(&g, positive, logarithm, expr_if(&g, positive, root, expr_mul(&g, x, x)));
    check_finite(&g, expr_mul(&g, nested, expr_add(&g, safe, y)), -4.0);
    /* the root of a branch that is 0: the outer slope is infinite, the inner 0 */
    check_finite(&g, expr_add(&g, y, expr_make1(&g, EXPR_SQRT, expr_if(&g, positive, x, zero))),
                 0.0);
    /* a choice by max: sqrt(max(x, 0)) with its operand shared */
    check_finite(&g, expr_add(&g, expr_make2(&g, EXPR_MAX, expr_mul(&g, x, y), x), safe), 1.0);
    expr_graph_free(&g);
}

/* Each stage uses the last one in both branches: 2^STAGES ways, linear work. */
static void test_nested_ifs(void **state)
{
    (void)state;
    enum { STAGES = 200 };
    expr_graph g;
    double v[] = {1.0, 0.5}, error;
    assert_true(expr_graph_create(&g, NULL, 0));
    expr u = expr_variable(&g, 1);
    for (int k = 0; k < STAGES; k++)
        u = expr_if(&g, expr_make2(&g, EXPR_GT, u, expr_constant(&g, k % 3 ? 9.0 : -9.0 - k)),
                    expr_mul(&g, expr_constant(&g, 0.9), u),
                    expr_make1(&g, EXPR_SIN, expr_mul(&g, expr_constant(&g, 1.2), u)));
    expr_deriver *d = expr_deriver_create(&g, &everything);
    expr_gradient gradient;
    assert_int_equal(expr_gradient_of(d, u, &gradient, NULL), EXPR_OK);
    assert_true(g.n < 40 * STAGES);
    double wanted = difference(&g, u, v, 1, &error);
    expect_near(entry_of(&g, &gradient, 1, v), wanted, 1e-6 * fabs(wanted) + 1e-12);
    expr_deriver_free(d);
    expr_graph_free(&g);
}

/* ---- sums of 1e5 terms ------------------------------------------------------------------- */

static void test_long_sum(void **state)
{
    (void)state;
    enum { TERMS = 100000 };
    expr_graph g;
    assert_true(expr_graph_create(&g, NULL, 0));
    expr sum = expr_constant(&g, 0.0), zero = expr_constant(&g, 0.0);
    for (uint32_t k = 1; k <= TERMS; k++) {
        expr x = expr_variable(&g, k);
        expr term = k % 10 ? expr_mul(&g, x, x)
                           : expr_if(&g, expr_make2(&g, EXPR_GT, x, zero),
                                     expr_make1(&g, EXPR_SQRT, x), zero);
        sum = expr_add(&g, sum, term);
    }
    uint32_t before = g.n;
    expr_deriver *d = expr_deriver_create(&g, &everything);
    expr_gradient gradient;
    assert_int_equal(expr_gradient_of(d, sum, &gradient, NULL), EXPR_OK);
    assert_int_equal(gradient.n, TERMS);
    assert_true(g.n - before < 3 * TERMS);
    double *v = calloc(TERMS + 1, sizeof *v);
    for (uint32_t k = 1; k <= TERMS; k++)
        v[k] = k % 20 ? 2.0 : -1.0;
    expect_near(value_at(&g, sum, v), 4.0 * 90000 + sqrt(2.0) * 5000, 1e-6);
    assert_true(value_at(&g, gradient.entry[0].derivative, v) == 4.0);
    assert_true(value_at(&g, gradient.entry[9].derivative, v) == 0.5 / sqrt(2.0));
    assert_true(value_at(&g, gradient.entry[19].derivative, v) == 0.0);
    free(v);
    expr_deriver_free(d);
    expr_graph_free(&g);
}

/* ---- calls that cannot be differentiated ------------------------------------------------- */

static void test_culprit(void **state)
{
    (void)state;
    const expr_selection without = {.wants = wants_all};
    expr_graph g;
    assert_true(expr_graph_create(&g, NULL, 0));
    expr x = expr_variable(&g, 1), b = expr_variable(&g, 0), culprit;
    expr call = expr_call(&g, (expr_function){1, 3, 2}, &x, 1);
    expr idle = expr_call(&g, (expr_function){1, 3, 2}, &b, 1);
    expr inside = expr_if(&g, b, call, x);
    expr roots[] = {expr_mul(&g, call, x), inside, expr_add(&g, inside, x)};
    expr_deriver *d = expr_deriver_create(&g, &without);
    expr_gradient gradient;
    for (size_t k = 0; k < COUNT(roots); k++) {
        assert_int_equal(expr_gradient_of(d, roots[k], &gradient, &culprit),
                         EXPR_NOT_DIFFERENTIABLE);
        assert_int_equal(culprit, call);
    }
    assert_int_equal(expr_gradient_of(d, expr_mul(&g, idle, x), &gradient, &culprit), EXPR_OK);
    assert_int_equal(gradient.n, 1);
    assert_int_equal(gradient.entry[0].derivative, idle);
    expr_deriver_free(d);
    expr_graph_free(&g);
}

/* ---- time derivatives ---------------------------------------------------------------------- */

/* Variables 10 j + r stand for the r-th derivative of y_j; 1000 is time. */
static expr next_derivative(void *user, expr_graph *g, uint32_t index)
{
    (void)user;
    if (index == 1000)
        return expr_constant(g, 1.0);
    return index >= 10 ? expr_variable(g, index + 1) : EXPR_NONE;
}

static double jet(void *user, uint32_t index)
{
    (void)user; /* y1 = exp(t), y2 = exp(-t) t at t = 0.3: y1 y2 = t, sin(y1 y2) = sin(t) */
    double t = 0.3;
    uint32_t r = index % 10;
    if (index == 1000)
        return t;
    if (index / 10 == 1)
        return exp(t);
    return (r % 2 ? -1.0 : 1.0) * exp(-t) * (t - r);
}

static void test_time_derivatives(void **state)
{
    (void)state;
    enum { ORDER = 8 };
    expr_graph g;
    assert_true(expr_graph_create(&g, NULL, 0));
    expr y1 = expr_variable(&g, 10), y2 = expr_variable(&g, 20), e;
    e = expr_make1(&g, EXPR_SIN, expr_mul(&g, y1, y2));
    const expr_direction direction = {.variable = next_derivative};
    expr_differ *d = expr_differ_create(&g, &direction);
    expr_source from = {jet, NULL, NULL};
    for (int m = 1; m <= ORDER; m++) {
        double value;
        expr culprit;
        assert_int_equal(expr_differ_of(d, e, &e, &culprit), EXPR_OK);
        assert_int_equal(expr_evaluate(&g, e, &from, &value), 0);
        expect_near(value, sin(0.3 + m * 1.5707963267948966), 1e-12 * pow(4.0, m));
    }
    expr t = expr_variable(&g, 1000), p = expr_variable(&g, 3), slope;
    assert_int_equal(expr_differ_of(d, expr_mul(&g, p, expr_mul(&g, t, t)), &slope, NULL), EXPR_OK);
    char text[100];
    assert_string_equal(expr_print(&g, slope, NULL, text, sizeof text), "v3*2*v1000");
    expr_differ_free(d);
    expr_graph_free(&g);
}

/* The direction e_j gives the j-th entry of the gradient. */
static expr unit_direction(void *user, expr_graph *g, uint32_t index)
{
    return index == *(uint32_t *)user ? expr_constant(g, 1.0) : EXPR_NONE;
}

static void test_forward_is_reverse(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        expressions x;
        expressions_make(&x, seed, true, seed % 2);
        uint32_t j = 1 + seed % (VARIABLES - 1);
        const expr_direction direction = {
            .variable = unit_direction, .user = &j, .partials = {.of = partial}};
        expr_deriver *r = expr_deriver_create(&x.g, &everything);
        expr_differ *f = expr_differ_create(&x.g, &direction);
        for (int32_t k = 0; k < EXPRESSIONS_ROOTS; k++) {
            expr_gradient gradient;
            expr slope;
            assert_int_equal(expr_gradient_of(r, x.roots[k], &gradient, NULL), EXPR_OK);
            double a = entry_of(&x.g, &gradient, j, x.values);
            assert_int_equal(expr_differ_of(f, x.roots[k], &slope, NULL), EXPR_OK);
            double b = value_at(&x.g, slope, x.values);
            bool close = fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-12;
            seeded_require(&x.random, close || !isfinite(a) || !isfinite(b), "root %d: %g and %g",
                           k, a, b);
        }
        expr_deriver_free(r);
        expr_differ_free(f);
        expr_graph_free(&x.g);
    }
}

/* ---- substitution ---- */

static expr shifted(void *user, uint32_t variable)
{
    expressions *x = user;
    return variable % 3 == 1
               ? expr_make1(&x->g, EXPR_SIN, x->made[(variable + 2) % EXPRESSIONS_VARIABLES])
               : EXPR_NONE;
}

/* Root by root, in an order of its own, and again: the same expressions as all at once. */
static void test_few_as_all(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 200; seed++) {
        expressions x;
        expr all[EXPRESSIONS_ROOTS], few[EXPRESSIONS_ROOTS];
        expressions_make(&x, seed, true, false);
        memcpy(all, x.roots, sizeof all);
        memcpy(few, x.roots, sizeof few);
        expr_substituter with;
        expr_substituter_create(&with, &x.g);
        for (int32_t k = EXPRESSIONS_ROOTS; k-- > 0;)
            assert_true(expr_substitute_few(&with, few + k, 1, shifted, &x));
        expr_substituter_free(&with);
        assert_true(expr_substitute(&x.g, &x.g, all, EXPRESSIONS_ROOTS, shifted, &x));
        for (int32_t k = 0; k < EXPRESSIONS_ROOTS; k++)
            seeded_require(&x.random, few[k] == all[k], "root %d differs", (int)k);
        expr_graph_free(&x.g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_nested_ifs),
        cmocka_unit_test(test_long_sum),
        cmocka_unit_test(test_culprit),
        cmocka_unit_test(test_time_derivatives),
        cmocka_unit_test(test_forward_is_reverse),
        cmocka_unit_test(test_few_as_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
