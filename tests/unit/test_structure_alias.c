/* tests/unit/test_structure_alias.c - equal and constant unknowns, incidence, index: rows of
 * small systems.  Symbol 2 j is unknown j, 2 j + 1 its derivative, 1000 is a known value. */
#include <math.h>
#include <string.h>

#include "reduce/alias.h"
#include "reduce/analysis.h"

#include "harness.h"

enum { KNOWN = 1000, UNKNOWNS = 6 };

static equations_place place_of(void *user, uint32_t symbol)
{
    (void)user;
    if (symbol >= KNOWN)
        return (equations_place){EQUATIONS_KNOWN, 0};
    return (equations_place){(int32_t)(symbol / 2), (int32_t)(symbol % 2)};
}

static uint32_t symbol_of(void *user, int32_t unknown, int32_t order)
{
    (void)user;
    return (uint32_t)(2 * unknown + order);
}

/* A term of an equation: factor times unknown, or times its derivative, or a constant. */
typedef struct term {
    double factor;
    int32_t unknown, order; /* unknown -1: a constant, -2: the known value */
} term;

typedef struct expected_alias {
    int32_t root;
    double value; /* the factor, or the constant */
} expected_alias;

typedef struct example {
    const char *name;
    int32_t n, n_unknowns;
    term row[UNKNOWNS][4]; /* factor 0 ends a row */
    int32_t kept, removed, idle, empty;
    expected_alias of[UNKNOWNS];
    int32_t index; /* of the system as it stands, before elimination; -1: singular */
} example;

static const example examples[] = {
    {.name = "x = y, x = -z",
     .n = 3,
     .n_unknowns = 3,
     .row = {{{1, 0, 1}, {1, 0, 0}}, {{1, 0, 0}, {-1, 1, 0}}, {{2, 0, 0}, {2, 2, 0}}},
     .kept = 1,
     .removed = 2,
     .idle = -1,
     .empty = -1,
     .of = {{0, 1}, {0, 1}, {0, -1}},
     .index = 1},
    {.name = "constants travel",
     .n = 3,
     .n_unknowns = 3,
     .row = {{{1, 0, 0}, {1, 1, 0}, {-1, 2, 0}},
             {{2, 1, 0}, {-6, -1, 0}},
             {{1, 2, 0}, {-5, -1, 0}}},
     .kept = 0,
     .removed = 3,
     .idle = -1,
     .empty = -1,
     .of = {{ALIAS_CONSTANT, 2}, {ALIAS_CONSTANT, 3}, {ALIAS_CONSTANT, 5}},
     .index = 1},
    {.name = "a known value is no constant",
     .n = 1,
     .n_unknowns = 1,
     .row = {{{1, 0, 0}, {1, -2, 0}}},
     .kept = 1,
     .removed = 0,
     .idle = -1,
     .empty = -1,
     .of = {{0, 1}},
     .index = 1},
    {.name = "said twice",
     .n = 2,
     .n_unknowns = 2,
     .row = {{{1, 0, 0}, {-1, 1, 0}}, {{3, 1, 0}, {-3, 0, 0}}},
     .kept = 0,
     .removed = 1,
     .idle = 1,
     .empty = -1,
     .of = {{0, 1}, {0, 1}},
     .index = 1},
    {.name = "contradiction",
     .n = 2,
     .n_unknowns = 2,
     .row = {{{1, 0, 0}, {-1, 1, 0}}, {{1, 1, 0}, {-1, 0, 0}, {1, -1, 0}}},
     .kept = 0,
     .removed = 1,
     .idle = -1,
     .empty = 1,
     .of = {{0, 1}, {0, 1}},
     .index = 1},
    {.name = "x' = y, x known: index 2",
     .n = 2,
     .n_unknowns = 2,
     .row = {{{1, 0, 1}, {-1, 1, 0}}, {{1, 0, 0}, {1, -2, 0}}},
     .kept = 2,
     .removed = 0,
     .idle = -1,
     .empty = -1,
     .of = {{0, 1}, {1, 1}},
     .index = 2},
    {.name = "two equations for x, none for y",
     .n = 2,
     .n_unknowns = 2,
     .row = {{{1, 0, 1}, {1, 0, 0}}, {{1, 0, 0}, {1, -2, 0}}},
     .kept = 2,
     .removed = 0,
     .idle = -1,
     .empty = -1,
     .of = {{0, 1}, {1, 1}},
     .index = -1},
};

static expr build_row(expr_graph *g, const term *terms)
{
    expr sum = expr_constant(g, 0.0);
    for (int k = 0; k < 4 && terms[k].factor != 0.0; k++) {
        int32_t u = terms[k].unknown;
        uint32_t symbol = u == -2 ? KNOWN : symbol_of(NULL, u, terms[k].order);
        expr part = u == -1 ? expr_constant(g, 1.0) : expr_variable(g, symbol);
        sum = expr_add(g, sum, expr_mul(g, expr_constant(g, terms[k].factor), part));
    }
    return sum;
}

static void check_index(const example *e, const equations *system)
{
    analysis a;
    daedal_status status = analysis_create(&a, system, NULL);
    assert_int_equal(status, e->index < 0 ? DAEDAL_ERR_STRUCTURE : DAEDAL_OK);
    if (e->index >= 0)
        assert_int_equal(a.index, e->index);
    analysis_free(&a);
}

static void check_aliases(const example *e, equations *system)
{
    int32_t preference[UNKNOWNS] = {0};
    arena mem;
    arena_create(&mem, NULL, 0);
    alias_task task = {
        .system = system, .preference = preference, .symbol = symbol_of, .mem = &mem};
    alias_outcome out;
    assert_true(alias_eliminate(&out, &task));
    assert_int_equal(out.n_kept, e->kept);
    assert_int_equal(out.removed, e->removed);
    assert_int_equal(out.idle, e->idle);
    assert_int_equal(out.empty, e->empty);
    for (int32_t j = 0; j < e->n_unknowns; j++) {
        assert_int_equal(out.of[j].root, e->of[j].root);
        alias got = out.of[j];
        bool is_constant = got.root == ALIAS_CONSTANT;
        expect_near(is_constant ? alias_constant(system->g, got) : got.factor, e->of[j].value, 0);
    }
    arena_free(&mem);
}

static void test_examples(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(examples); k++) {
        const example *e = &examples[k];
        expr_graph g;
        expr rows[UNKNOWNS];
        assert_true(expr_graph_create(&g, NULL, 10));
        for (int32_t i = 0; i < e->n; i++)
            rows[i] = build_row(&g, e->row[i]);
        equations system = {&g, rows, e->n, e->n_unknowns, EXPR_INCIDENCE, place_of, NULL};
        print_message("%s\n", e->name);
        check_index(e, &system);
        check_aliases(e, &system);
        expr_graph_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
