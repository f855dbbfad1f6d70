/* tests/unit/test_expr_graph.c - expr/: folding and normal forms, row by row; text; who is to
 * blame; deep chains; incidence; running out of memory at every allocation.       */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/derive.h"
#include "expr/emit_c.h"
#include "expr/print.h"
#include "expr/walk.h"
#include "tape_values.h"

/* ---- a reader of prefix notation, so that rows can be texts ------------------------- */

/* "+ x * 2 y": variables x y z b (indices 0 1 2 3), numbers, operation names, f for a call of
 * function 7 with one argument and two outputs, g for its second output.          */
static expr read_prefix(expr_graph *g, const char **text);

static expr read_operation(expr_graph *g, const char *word, const char **text)
{
    if (strcmp(word, "f") == 0 || strcmp(word, "g") == 0) {
        expr arg = read_prefix(g, text);
        return expr_call(g, (expr_function){7, 2, word[0] == 'g'}, &arg, 1);
    }
    if (strcmp(word, "if") == 0) {
        expr c = read_prefix(g, text), yes = read_prefix(g, text);
        return expr_if(g, c, yes, read_prefix(g, text));
    }
    if (strcmp(word, "neg") == 0)
        return expr_neg(g, read_prefix(g, text));
#define X(name, arity, symbol)                                                                     \
    if (strcmp(word, symbol) == 0) {                                                               \
        expr a = read_prefix(g, text);                                                             \
        return (arity) == 1 ? expr_make1(g, EXPR_##name, a)                                        \
                            : expr_make2(g, EXPR_##name, a, read_prefix(g, text));                 \
    }
    EXPR_OP_LIST(X)
#undef X
    fail_msg("unknown word %s", word);
    return EXPR_NONE;
}

static expr read_prefix(expr_graph *g, const char **text)
{
    char word[32];
    int length;
    assert_int_equal(sscanf(*text, "%31s%n", word, &length), 1);
    *text += length;
    static const char letters[] = "xyzb";
    const char *letter = strchr(letters, word[0]);
    if (letter && word[1] == '\0')
        return expr_variable(g, (uint32_t)(letter - letters));
    char *end;
    double value = strtod(word, &end);
    return *end == '\0' && end != word ? expr_constant(g, value) : read_operation(g, word, text);
}

static expr from_prefix(expr_graph *g, const char *text)
{
    return read_prefix(g, &text);
}

static const char *variable_name(void *user, uint32_t index)
{
    static const char *const names[] = {"x", "y", "z", "b"};
    (void)user;
    return index < COUNT(names) ? names[index] : NULL;
}

static const expr_names names = {variable_name, NULL, NULL};

/* ---- rows -------------------------------------------------------------------------- */

static const struct {
    const char *made, *printed;
} rows[] = {
    /* constants fold to finite values only */
    {"+ 1 2", "3"},
    {"sin 0", "0"},
    {"neg 0", "0"},
    {"log -1", "log(-1)"},
    {"/ 1 0", "1/0"},
    {"sqrt -4", "sqrt(-4)"},
    {"+ 1 / 1 0", "1/0 + 1"},
    {"mod -7 3", "2"},
    {"rem -7 3", "-1"},
    {"div -7 3", "-2"},
    {"integer -1.5", "-2"},
    {"sign -3", "-1"},
    {"min 2 3", "2"},
    {"< 1 2", "1"},
    {"<> 1 1", "0"},
    {"/ 1 3", "0.3333333333333333"},
    /* neutral elements */
    {"+ x 0", "x"},
    {"+ 0 x", "x"},
    {"- x 0", "x"},
    {"- 0 x", "-x"},
    {"* 1 x", "x"},
    {"* x -1", "-x"},
    {"/ x 1", "x"},
    {"/ x -1", "-x"},
    {"^ x 1", "x"},
    /* signs */
    {"neg neg x", "x"},
    {"neg - x y", "y - x"},
    {"+ x neg y", "x - y"},
    {"+ neg x y", "y - x"},
    {"+ neg x neg y", "-(x + y)"},
    {"- x neg y", "x + y"},
    {"- neg x y", "-(x + y)"},
    {"+ x -3", "x - 3"},
    {"- x -3", "x + 3"},
    {"+ x * -2 y", "x - 2*y"},
    {"+ * -2 x y", "y - 2*x"},
    {"- x * -2 y", "x + 2*y"},
    {"* neg x y", "-x*y"},
    {"* neg x neg y", "x*y"},
    {"/ neg x y", "-x/y"},
    {"/ x neg y", "-x/y"},
    {"neg * 2 x", "-2*x"},
    {"neg / 2 x", "-2/x"},
    {"* 3 neg x", "-3*x"},
    /* equal operands */
    {"+ x x", "2*x"},
    {"- x x", "0"},
    {"/ x x", "x/x"},
    {"- f x f x", "f7(x) - f7(x)"},
    {"min x x", "x"},
    {"< x x", "x < x"},
    /* zero */
    {"* 0 log x", "0"},
    {"* 0 f x", "0*f7(x)"},
    {"/ 0 x", "0"},
    {"/ 0 0", "0/0"},
    /* powers and multiples */
    {"^ x 2", "x*x"},
    {"^ neg x 2", "x*x"},
    {"^ x 3", "x*x*x"},
    {"^ x -1", "1/x"},
    {"^ x -2", "1/(x*x)"},
    {"^ x 0.5", "sqrt(x)"},
    {"^ x 0", "1"},
    {"^ x 2.5", "x^2.5"},
    {"^ x 5", "x^5"},
    {"* 2 * 3 x", "6*x"},
    {"* 1e300 * 1e300 x", "1e+300*1e+300*x"},
    {"/ x 4", "0.25*x"},
    {"/ x 3", "x/3"},
    {"- + x 1 1", "x + 1 - 1"},
    {"abs neg x", "abs(x)"},
    {"abs abs x", "abs(x)"},
    {"cos neg x", "cos(x)"},
    /* order of operands */
    {"+ y x", "x + y"},
    {"* y x", "x*y"},
    {"+ 2 x", "x + 2"},
    {"* x 2", "2*x"},
    {"max y x", "max(x, y)"},
    {"- y x", "y - x"},
    /* logic */
    {"not not b", "b"},
    {"and b 1", "b"},
    {"and b 0", "0"},
    {"and 1 b", "b"},
    {"or b 1", "1"},
    {"or 0 b", "b"},
    {"and b b", "b"},
    {"and b > f x 0", "if b then f7(x) > 0 else 0"},
    {"or b > f x 0", "if b then 1 else f7(x) > 0"},
    {"and > f x 0 0", "f7(x) > 0 and 0"},
    {"if 1 x y", "x"},
    {"if 0 x y", "y"},
    {"if b x x", "x"},
    {"if not b x y", "if b then y else x"},
    {"if > f x 0 y y", "if f7(x) > 0 then y else y"},
    /* printing */
    {"* + x y z", "z*(x + y)"},
    {"- x + y z", "x - (y + z)"},
    {"+ x - y z", "x + y - z"},
    {"- - x y z", "x - y - z"},
    {"/ x * y z", "x/(y*z)"},
    {"* x / y z", "x*y/z"},
    {"^ + x y z", "(x + y)^z"},
    {"^ x ^ y z", "x^(y^z)"},
    {"^ ^ x y z", "(x^y)^z"},
    {"^ x neg y", "x^(-y)"},
    {"^ -2 x", "(-2)^x"},
    {"neg + x y", "-(x + y)"},
    {"+ x if b y z", "x + (if b then y else z)"},
    {"if and > x 0 or b < y 2 x neg y", "if x > 0 and (b or y < 2) then x else -y"},
    {"not > x y", "not x > y"},
    {"atan2 x + y 1", "atan2(x, y + 1)"},
    {"+ f x g x", "f7(x) + f7[2](x)"},
    {"* 1e-5 x", "1e-05*x"},
    {"* 0.1 x", "0.1*x"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(rows); k++) {
        expr_graph g;
        char text[200];
        assert_true(expr_graph_create(&g, NULL, 0));
        for (uint32_t v = 0; v < 4; v++)
            expr_variable(&g, v);
        expr e = from_prefix(&g, rows[k].made);
        expr_print(&g, e, &names, text, sizeof text);
        if (strcmp(text, rows[k].printed) != 0)
            fail_msg("%s became %s, not %s", rows[k].made, text, rows[k].printed);
        assert_int_equal(from_prefix(&g, rows[k].made), e); /* the same again */
        expr_graph_free(&g);
    }
}

static void test_sharing(void **state)
{
    (void)state;
    expr_graph g;
    assert_true(expr_graph_create(&g, NULL, 0));
    for (uint32_t v = 0; v < 4; v++)
        expr_variable(&g, v);
    assert_int_equal(from_prefix(&g, "+ * x y z"), from_prefix(&g, "+ z * y x"));
    expr a = from_prefix(&g, "f + x y"), b = from_prefix(&g, "g + y x");
    assert_int_equal(g.node[b].a, a); /* two outputs of one call */
    assert_int_equal(g.n_pool, 1);
    assert_true(expr_has(&g, b, EXPR_HAS_CALL) && !expr_has(&g, b, EXPR_HAS_IF));
    for (uint32_t e = 1; e < g.n; e++) {
        const expr *operands;
        uint32_t n = expr_operands(&g, e, &operands);
        for (uint32_t k = 0; k < n; k++)
            assert_true(operands[k] < e);
    }
    assert_int_equal(expr_constant(&g, -0.0), expr_constant(&g, 0.0));
    assert_int_equal(expr_constant(&g, (double)NAN), expr_constant(&g, -(double)NAN));
    expr_graph_free(&g);
}

static void test_growth(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    expr_graph g;
    assert_true(expr_graph_create(&g, NULL, 0));
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t k = 0; k < MANY; k++)
            assert_int_equal(expr_variable(&g, k * 7919u), k + 1);
    expr_graph_free(&g);
}

/* After a rest the same expressions are found again: variables, constants, live ones, calls. */
static void test_rest(void **state)
{
    (void)state;
    expr_graph g;
    expr before[5] = {0};
    assert_true(expr_graph_create(&g, NULL, 0));
    for (int round = 0; round < 3; round++) {
        expr x = expr_variable(&g, 3), p = expr_variable(&g, 9);
        expr made[] = {x, expr_constant(&g, 2.5), expr_live_constant(&g, 7.0 + round, p),
                       expr_add(&g, x, p), expr_call(&g, (expr_function){4, 1, 0}, &x, 1)};
        for (size_t k = 0; k < COUNT(made); k++) {
            assert_int_not_equal(made[k], EXPR_NONE);
            if (round > 0)
                assert_int_equal(made[k], before[k]);
            before[k] = made[k];
        }
        expr_graph_rest(&g);
    }
    expr_graph_free(&g);
}

/* ---- text of bounded length ----------------------------------------------------------- */

static void test_bounded_text(void **state)
{
    (void)state;
    enum { TERMS = 100000 };
    expr_graph g;
    char text[64];
    assert_true(expr_graph_create(&g, NULL, 0));
    expr left = expr_variable(&g, 0), right = left, ifs = left;
    for (uint32_t k = 1; k < TERMS; k++) {
        expr v = expr_variable(&g, k);
        left = expr_add(&g, left, v);
        right = expr_make2(&g, EXPR_POW, v, right);
        ifs = expr_if(&g, v, left, ifs);
    }
    const expr deep[] = {left, right, ifs};
    for (size_t k = 0; k < COUNT(deep); k++)
        for (size_t size = 1; size <= sizeof text; size++) {
            memset(text, '?', sizeof text);
            expr_print(&g, deep[k], NULL, text, size);
            assert_true(strlen(text) < size);
            assert_true(size < 8 || strcmp(text + strlen(text) - 3, "...") == 0);
        }
    expr_graph_free(&g);
}

/* ---- who is to blame -------------------------------------------------------------------- */

static double value_of(void *user, uint32_t index)
{
    return ((const double *)user)[index];
}

static const struct {
    const char *expression;
    double x, y;
    const char *culprit;
} blames[] = {
    {"+ y sqrt - x 3", 1.0, 0.0, "sqrt(x - 3)"},
    {"* y / 1 - x 1", 1.0, 2.0, "1/(x - 1)"},
    {"if > x 0 log y sqrt x", 1.0, -1.0, "log(y)"},
    {"if > x 0 log y sqrt x", -1.0, 1.0, "sqrt(x)"},
    {"+ x y", (double)NAN, 1.0, "x"},
    {"exp * x y", 1e3, 1e3, "exp(x*y)"},
    {"sin exp * x y", 1e3, 1e3, "exp(x*y)"},
    {"+ x y", 1.0, 1.0, ""},
    {"and > log x 0 b", -1.0, 1.0, ""},
};

static void test_blame(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(blames); k++) {
        expr_graph g;
        char text[100] = "";
        double v[4] = {blames[k].x, blames[k].y, 0.0, 0.0}, value;
        assert_true(expr_graph_create(&g, NULL, 0));
        for (uint32_t i = 0; i < 4; i++)
            expr_variable(&g, i);
        expr_source from = {value_of, NULL, v};
        expr e = expr_blame(&g, from_prefix(&g, blames[k].expression), &from, &value);
        if (e)
            expr_print(&g, e, &names, text, sizeof text);
        assert_string_equal(text, blames[k].culprit);
        expr_graph_free(&g);
    }
}

/* ---- incidence ---------------------------------------------------------------------------- */

static void test_depends(void **state)
{
    (void)state;
    expr_graph g;
    expr_walker w;
    assert_true(expr_graph_create(&g, NULL, 0));
    for (uint32_t i = 0; i < 4; i++)
        expr_variable(&g, i);
    expr e = from_prefix(&g, "+ if > x 0 y 2 * 3 < z 1");
    expr_walker_create(&w, &g);
    assert_true(expr_depends(&w, e, EXPR_ALL));
    assert_int_equal(w.n_found, 3);
    assert_true(expr_depends(&w, e, EXPR_ALL)); /* seen already */
    assert_int_equal(w.n_found, 0);
    expr_walker_forget(&w);
    assert_true(expr_depends(&w, e, EXPR_INCIDENCE));
    assert_int_equal(w.n_found, 1);
    assert_int_equal(expr_index(&g, w.found[0]), 1);
    expr_walker_forget(&w);
    assert_true(expr_walk(&w, e, EXPR_ALL));
    assert_int_equal(w.found[w.n_found - 1], e);
    expr_walker_free(&w);
    expr_graph_free(&g);
}

/* ---- chains of 1e5 links -------------------------------------------------------------------- */

static expr image(void *user, uint32_t index)
{
    return index == 0 ? *(expr *)user : EXPR_NONE;
}

static void test_deep_chains(void **state)
{
    (void)state;
    enum { LINKS = 100000 };
    expr_graph g;
    assert_true(expr_graph_create(&g, NULL, 0));
    expr x = expr_variable(&g, 0), sum = x, ifs = x, half = expr_constant(&g, 0.5);
    for (uint32_t k = 1; k < LINKS; k++) {
        sum = expr_add(&g, expr_mul(&g, sum, half), expr_variable(&g, k));
        expr above = expr_make2(&g, EXPR_GT, expr_mul(&g, x, x), expr_constant(&g, k));
        ifs = expr_if(&g, above, expr_make1(&g, EXPR_SQRT, expr_variable(&g, k)), ifs);
    }
    double *v = calloc(LINKS, sizeof *v), out[2], value;
    for (uint32_t k = 0; k < LINKS; k++)
        v[k] = 1.0;
    v[0] = 0.5;
    expr roots[] = {sum, ifs};
    tape *t;
    tape_setup setup = {.g = &g, .roots = roots, .n_roots = 2, .inputs = {.n = LINKS}};
    assert_int_equal(tape_create(&t, &setup), DAEDAL_OK);
    double *work = malloc(tape_measure(t).work * sizeof *work);
    tape_prepare(t, work);
    assert_int_equal(tape_evaluate(t, v, work, out, NULL), 0);
    assert_true(out[0] == 2.0 && out[1] == 0.5);
    expr_source from = {value_of, NULL, v};
    assert_int_equal(expr_evaluate(&g, ifs, &from, &value), 0);
    assert_true(value == 0.5);
    expr few[] = {sum, ifs};
    expr_substituter with;
    expr_substituter_create(&with, &g);
    assert_true(expr_substitute_few(&with, few + 1, 1, image, &half));
    assert_true(expr_substitute_few(&with, few, 1, image, &half));
    expr_substituter_free(&with);
    assert_true(expr_substitute(&g, &g, roots, 2, image, &half));
    assert_int_equal(roots[1], half); /* all conditions are known now */
    assert_int_equal(few[0], roots[0]);
    assert_int_equal(few[1], roots[1]);
    free(work);
    free(v);
    tape_free(t);
    expr_graph_free(&g);
}

/* ---- out of memory ------------------------------------------------------------------------------
 */

static bool wants(void *user, uint32_t variable)
{
    (void)user;
    return variable < 3;
}

static bool swallow(void *user, const char *text, size_t length)
{
    (void)text;
    *(size_t *)user += length;
    return true;
}

static expr slope_of(void *user, expr_graph *g, uint32_t index)
{
    (void)user;
    return index == 0 ? expr_constant(g, 1.0) : EXPR_NONE;
}

/* Everything once; true if nothing failed. */
static bool use_everything(expr_graph *g)
{
    static const char text[] = "+ * x if > y z sqrt + x y * max x y sin z / exp f x + 1 ^ y x";
    for (uint32_t i = 0; i < 600; i++)
        expr_neg(g, expr_variable(g, i));
    expr e = from_prefix(g, text), slope = EXPR_NONE;
    if (!e)
        return false;
    const expr_selection selection = {.wants = wants};
    const expr_direction direction = {.variable = slope_of};
    expr_deriver *d = expr_deriver_create(g, &selection);
    expr_differ *f = expr_differ_create(g, &direction);
    expr_gradient gradient;
    expr plain = from_prefix(g, "+ * x if > y z sqrt + x y * max x y sin z / exp x + 1 ^ y x");
    bool done = plain && d && f && expr_gradient_of(d, plain, &gradient, NULL) == EXPR_OK &&
                expr_differ_of(f, plain, &slope, NULL) == EXPR_OK;
    expr roots[] = {e, plain ? plain : e, slope ? slope : e};
    tape *t = NULL;
    tape_setup setup = {
        .g = g, .roots = roots, .n_roots = 3, .inputs = {.n = 600}, .allocator = g->allocator};
    done = done && tape_create(&t, &setup) == DAEDAL_OK;
    size_t length = 0;
    emit_setup emission = {.g = g,
                           .roots = roots + 1,
                           .n_roots = 2,
                           .name = "f",
                           .write = swallow,
                           .user = &length,
                           .allocator = g->allocator};
    done = done && emit_c_function(&emission) == EXPR_OK;
    expr half = expr_constant(g, 0.5);
    expr_substituter with;
    expr_substituter_create(&with, g);
    expr few[3] = {roots[0], roots[1], roots[2]};
    done = done && half && expr_substitute_few(&with, few, 3, image, &half);
    done = done && expr_substitute_few(&with, few, 3, image, &half);
    expr_substituter_free(&with);
    done = done && expr_substitute(g, g, roots, 3, image, &half);
    double v[600] = {0.3, 0.4, 0.5}, value;
    expr_source from = {value_of, NULL, v};
    done = done && expr_evaluate(g, plain, &from, &value) == 0;
    tape_free(t);
    expr_deriver_free(d);
    expr_differ_free(f);
    return done && !g->failed;
}

static void test_memory(void **state)
{
    (void)state;
    bool done = false;
    for (long k = 1; !done; k++) {
        ledger l;
        ledger_open(&l);
        l.refuse = k;
        expr_graph g;
        done = expr_graph_create(&g, &l.allocator, 0) && use_everything(&g);
        assert_true(done == (l.taken < k));
        expr_graph_free(&g);
        ledger_expect_empty(&l);
        assert_true(k < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),         cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_growth),       cmocka_unit_test(test_rest),
        cmocka_unit_test(test_bounded_text), cmocka_unit_test(test_blame),
        cmocka_unit_test(test_depends),      cmocka_unit_test(test_deep_chains),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
