/* tests/property/test_expr_tape.c - random expressions: the tape and the direct
 * evaluation give the same bits as a recursive walk written here; substitution, printing and
 * rebuilding in another graph keep values.                                        */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/print.h"
#include "expr/walk.h"
#include "tape_values.h"
#include "test_expr_random.h"

enum {
    VARIABLES = EXPRESSIONS_VARIABLES,
    ROOTS = EXPRESSIONS_ROOTS,
    SEEDS = 400,
};

typedef expressions scene;

static void make_scene(scene *sc, uint32_t seed)
{
    expressions_make(sc, seed, seed % 2 == 1, seed % 4 == 0);
}

/* ---- the reference ----------------------------------------------------------------- */

static double walk(const scene *sc, expr e, const double *v);

static double walk_call(const scene *sc, expr e, const double *v)
{
    double args[3], outputs[3];
    expr_function f = expr_function_of(&sc->g, e);
    const expr *operands;
    expr call = expr_op_of(&sc->g, e) == EXPR_OUTPUT ? sc->g.node[e].a : e;
    uint32_t n = expr_operands(&sc->g, call, &operands);
    for (uint32_t k = 0; k < n; k++)
        args[k] = walk(sc, operands[k], v);
    expressions_function(NULL, f.id, args, outputs);
    return outputs[f.output];
}

static double low(double x, double y)
{
    return isnan(x) || x < y ? x : y;
}

static double high(double x, double y)
{
    return isnan(x) || x > y ? x : y;
}

/* Written independently of expr/kernels.h. */
static double operate(expr_op op, double x, double y)
{
    switch (op) {
    case EXPR_ADD:
        return x + y;
    case EXPR_SUB:
        return x - y;
    case EXPR_MUL:
        return x * y;
    case EXPR_DIV:
        return x / y;
    case EXPR_NEG:
        return -x;
    case EXPR_POW:
        return pow(x, y);
    case EXPR_SIN:
        return sin(x);
    case EXPR_COS:
        return cos(x);
    case EXPR_TAN:
        return tan(x);
    case EXPR_ASIN:
        return asin(x);
    case EXPR_ACOS:
        return acos(x);
    case EXPR_ATAN:
        return atan(x);
    case EXPR_ATAN2:
        return atan2(x, y);
    case EXPR_SINH:
        return sinh(x);
    case EXPR_COSH:
        return cosh(x);
    case EXPR_TANH:
        return tanh(x);
    case EXPR_EXP:
        return exp(x);
    case EXPR_LOG:
        return log(x);
    case EXPR_LOG10:
        return log10(x);
    case EXPR_SQRT:
        return sqrt(x);
    case EXPR_ABS:
        return fabs(x);
    case EXPR_SIGN:
        return isnan(x) || x == 0 ? x : (x > 0) - (x < 0);
    case EXPR_MIN:
        return low(x, y);
    case EXPR_MAX:
        return high(x, y);
    case EXPR_FLOOR:
    case EXPR_INTEGER:
        return floor(x);
    case EXPR_CEIL:
        return ceil(x);
    case EXPR_IDIV:
        return trunc(x / y);
    case EXPR_MOD:
        return x - floor(x / y) * y;
    case EXPR_REM:
        return x - trunc(x / y) * y;
    case EXPR_LT:
        return x < y;
    case EXPR_LE:
        return x <= y;
    case EXPR_GT:
        return x > y;
    case EXPR_GE:
        return x >= y;
    case EXPR_EQ:
        return x == y;
    case EXPR_NE:
        return x != y;
    case EXPR_AND:
        return x != 0 && y != 0;
    case EXPR_OR:
        return x != 0 || y != 0;
    case EXPR_NOT:
        return x == 0;
    default:
        fail_msg("operation %d", (int)op);
        return 0;
    }
}

static double walk(const scene *sc, expr e, const double *v)
{
    const expr_node *n = &sc->g.node[e];
    switch ((expr_op)n->op) {
    case EXPR_CONST:
        return expr_value_now(&sc->g, e);
    case EXPR_VAR:
        return v[n->a];
    case EXPR_IF:
        return walk(sc, n->a, v) != 0 ? walk(sc, n->b, v) : walk(sc, n->c, v);
    case EXPR_CALL:
    case EXPR_OUTPUT:
        return walk_call(sc, e, v);
    default: {
        const expr *operands;
        uint32_t arity = expr_operands(&sc->g, e, &operands);
        double x = walk(sc, operands[0], v);
        return operate((expr_op)n->op, x, arity > 1 ? walk(sc, operands[1], v) : 0);
    }
    }
}

static void require_same(const scene *sc, int32_t k, double got, double wanted, const char *what)
{
    char text[300];
    seeded_require(&sc->random, expressions_same(got, wanted),
                   "%s: root %d is %.17g, not %.17g: %s", what, k, got, wanted,
                   expr_print(&sc->g, sc->roots[k], NULL, text, sizeof text));
}

static double variable(void *user, uint32_t index)
{
    const scene *sc = user;
    return sc->values[index];
}

static int call_function(void *user, uint32_t id, const double *args, double *outputs)
{
    (void)user;
    return expressions_function(NULL, id, args, outputs);
}

/* ---- tests --------------------------------------------------------------------------- */

static tape *tape_of(const scene *sc)
{
    tape *t;
    tape_setup setup = {
        .g = &sc->g, .roots = sc->roots, .n_roots = ROOTS, .inputs = {.n = VARIABLES}};
    assert_int_equal(tape_create(&t, &setup), DAEDAL_OK);
    return t;
}

static void check_tape(const scene *sc)
{
    tape *t = tape_of(sc);
    double out[ROOTS], *work = malloc(tape_measure(t).work * sizeof *work);
    tape_calls calls = {.call = expressions_function};
    tape_prepare(t, work);
    for (int repeat = 0; repeat < 2; repeat++) {
        assert_int_equal(tape_evaluate(t, sc->values, work, out, &calls), 0);
        for (int32_t k = 0; k < ROOTS; k++)
            require_same(sc, k, out[k], walk(sc, sc->roots[k], sc->values), "tape");
    }
    free(work);
    tape_free(t);
}

static void check_direct(scene *sc)
{
    expr_source from = {variable, call_function, sc};
    for (int32_t k = 0; k < ROOTS; k++) {
        double value, culprit_value;
        assert_int_equal(expr_evaluate(&sc->g, sc->roots[k], &from, &value), 0);
        require_same(sc, k, value, walk(sc, sc->roots[k], sc->values), "evaluate");
        expr culprit = expr_blame(&sc->g, sc->roots[k], &from, &culprit_value);
        seeded_require(&sc->random, (culprit == EXPR_NONE) == (bool)isfinite(value),
                       "blame of root %d", k);
        seeded_require(&sc->random, !culprit || !isfinite(culprit_value), "blame value");
    }
}

static void test_values(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        scene sc;
        make_scene(&sc, seed);
        check_tape(&sc);
        check_direct(&sc);
        expr_graph_free(&sc.g);
    }
}

/* Levels: what depends on seldom changing inputs is kept from the last full run. */
static uint32_t level_of(void *user, uint32_t index)
{
    (void)user;
    return index % TAPE_LEVELS;
}

static void test_levels(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        scene sc;
        make_scene(&sc, seed);
        tape *t;
        tape_setup setup = {.g = &sc.g,
                            .roots = sc.roots,
                            .n_roots = ROOTS,
                            .inputs = {.n = VARIABLES, .level = level_of}};
        assert_int_equal(tape_create(&t, &setup), DAEDAL_OK);
        double out[ROOTS], *work = malloc(tape_measure(t).work * sizeof *work);
        tape_calls calls = {.call = expressions_function};
        tape_prepare(t, work);
        tape_evaluate(t, sc.values, work, out, &calls);
        for (uint32_t level = TAPE_LEVELS; level-- > 0;) {
            for (uint32_t i = level; i < VARIABLES; i += TAPE_LEVELS)
                work[i] = sc.values[i] = seeded_uniform(&sc.random, -3.0, 3.0);
            tape_run(t, work, out, level, &calls);
            for (int32_t k = 0; k < ROOTS; k++)
                require_same(&sc, k, out[k], walk(&sc, sc.roots[k], sc.values), "level");
        }
        free(work);
        tape_free(t);
        expr_graph_free(&sc.g);
    }
}

/* Substituting values for some variables, in the same graph and into another one. */
typedef struct replacement {
    scene *sc;
    expr_graph *to;
} replacement;

static expr image(void *user, uint32_t index)
{
    replacement *r = user;
    return index % 2 ? expr_constant(r->to, r->sc->values[index]) : EXPR_NONE;
}

static bool close_to(double x, double y)
{
    return expressions_same(x, y) || fabs(x - y) <= 1e-9 * (fabs(x) + fabs(y)) || !isfinite(x) ||
           !isfinite(y);
}

static void check_substitution(scene *sc, expr_graph *to)
{
    replacement r = {sc, to};
    expr roots[ROOTS];
    double plain[ROOTS], value;
    for (int32_t k = 0; k < ROOTS; k++)
        plain[k] = walk(sc, sc->roots[k], sc->values);
    memcpy(roots, sc->roots, sizeof roots);
    assert_true(expr_substitute(&sc->g, to, roots, ROOTS, image, &r));
    expr_source from = {variable, call_function, sc};
    expr_walker w;
    expr_walker_create(&w, to);
    for (int32_t k = 0; k < ROOTS; k++) {
        assert_int_equal(expr_evaluate(to, roots[k], &from, &value), 0);
        if (sc->smooth)
            seeded_require(&sc->random, close_to(value, plain[k]), "root %d: %g became %g", k,
                           plain[k], value);
        assert_true(expr_depends(&w, roots[k], EXPR_ALL));
        for (size_t i = 0; i < w.n_found; i++)
            assert_int_equal(expr_index(to, w.found[i]) % 2, 0);
    }
    expr_walker_free(&w);
}

static void test_substitution(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        scene sc;
        expr_graph other;
        make_scene(&sc, seed);
        assert_true(expr_graph_create(&other, NULL, 0));
        check_substitution(&sc, &other);
        check_substitution(&sc, &sc.g);
        expr_graph_free(&other);
        expr_graph_free(&sc.g);
    }
}

/* A branch not taken is never evaluated: every call stands in a branch that is not. */
static void test_lazy_calls(void **state)
{
    (void)state;
    expr_graph g;
    assert_true(expr_graph_create(&g, NULL, 0));
    expr x = expr_variable(&g, 0), y = expr_variable(&g, 1), zero = expr_constant(&g, 0.0);
    expr off = expr_make2(&g, EXPR_GT, x, zero);
    expr c1 = expr_call(&g, (expr_function){1, 3, 0}, &x, 1);
    expr c2 = expr_call(&g, (expr_function){1, 3, 2}, &y, 1);
    expr shared = expr_add(&g, c1, expr_make1(&g, EXPR_SQRT, x));
    expr roots[] = {
        expr_if(&g, off, shared, y),
        expr_if(&g, off, expr_mul(&g, shared, shared), expr_if(&g, off, c2, x)),
        expr_make2(&g, EXPR_AND, off, expr_make2(&g, EXPR_GT, c2, zero)),
        expr_make2(&g, EXPR_OR, expr_make1(&g, EXPR_NOT, off), expr_make2(&g, EXPR_GT, c1, zero)),
    };
    tape *t;
    tape_setup setup = {.g = &g, .roots = roots, .n_roots = COUNT(roots), .inputs = {.n = 2}};
    assert_int_equal(tape_create(&t, &setup), DAEDAL_OK);
    double v[] = {-1.0, 2.0}, out[COUNT(roots)],
           *work = malloc(tape_measure(t).work * sizeof *work);
    long n_calls = 0;
    tape_calls calls = {.call = expressions_function, .user = &n_calls};
    tape_prepare(t, work);
    tape_evaluate(t, v, work, out, &calls);
    assert_int_equal(n_calls, 0);
    assert_true(out[0] == 2.0 && out[1] == -1.0 && out[2] == 0.0 && out[3] == 1.0);
    v[0] = 4.0;
    tape_evaluate(t, v, work, out, &calls);
    assert_true(n_calls > 0 && out[0] == 0.5 * 5.0 + 2.0);
    free(work);
    tape_free(t);
    expr_graph_free(&g);
}

static double grid_variable(void *user, uint32_t index)
{
    return ((const double *)user)[index];
}

/* Equations of a grid: long stretches where sources advance with destinations. */
static expr grid_cell(expr_graph *g, uint32_t i)
{
    expr u = expr_variable(g, i), left = expr_variable(g, i - 1), right = expr_variable(g, i + 1);
    expr mean = expr_mul(g, expr_constant(g, 0.5), expr_add(g, left, right));
    expr slope = expr_sub(g, right, left), size = expr_add(g, u, expr_constant(g, 3.5));
    expr flux = expr_neg(g, expr_mul(g, mean, slope));
    expr part = expr_div(g, expr_constant(g, 2.5), expr_mul(g, size, size));
    return expr_sub(g, expr_add(g, flux, part), expr_div(g, u, expr_variable(g, i + 40)));
}

static void check_grid(const expr_graph *g, const tape *t, const expr *roots, size_t n)
{
    enum { N = 500, POINTS = 4 };
    double v[N], out[N];
    double *work = malloc(tape_measure(t).work * sizeof *work);
    seeded random = seeded_begin(7);
    tape_prepare(t, work);
    for (int point = 0; point < POINTS; point++) {
        seeded_fill(&random, v, N, 1.0);
        expr_source from = {grid_variable, NULL, v};
        assert_int_equal(tape_evaluate(t, v, work, out, NULL), 0);
        for (size_t k = 0; k < n; k++) {
            double wanted;
            assert_int_equal(expr_evaluate(g, roots[k], &from, &wanted), 0);
            assert_true(expressions_same(out[k], wanted));
        }
    }
    free(work);
}

static void test_grid(void **state)
{
    enum { CELLS = 400 };
    (void)state;
    expr_graph g;
    expr roots[CELLS];
    assert_true(expr_graph_create(&g, NULL, 0));
    for (uint32_t i = 0; i < CELLS; i++)
        roots[i] = grid_cell(&g, i + 1);
    tape *t;
    tape_setup setup = {.g = &g, .roots = roots, .n_roots = CELLS, .inputs = {.n = 500}};
    assert_int_equal(tape_create(&t, &setup), DAEDAL_OK);
    assert_true(tape_measure(t).bytes < 4 * tape_measure(t).ops); /* it did roll */
    check_grid(&g, t, roots, CELLS);
    tape_free(t);
    expr_graph_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),       cmocka_unit_test(test_levels),
        cmocka_unit_test(test_substitution), cmocka_unit_test(test_lazy_calls),
        cmocka_unit_test(test_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
