/* tests/unit/test_relation_corners.c - corners in the operands of relations (hybrid/corners.c). */
#include <stdio.h>

#include "hybrid/corners.h"

#include "harness.h"
#include "loaded_model.h"

static const struct {
    const char *condition;
    int n;        /* corners that are searched beside the relation */
    double at[4]; /* their operands where x = -2, y = 3            */
} ROWS[] = {
    {"x > 1", 0, {0}},
    {"abs(x) > 1", 1, {-2, 0}},
    {"1 < abs(x)", 1, {-2, 0}},
    {"x > abs(y)", 1, {3, 0}},
    {"abs(x) > abs(y)", 2, {-2, 0, 3, 0}},
    {"x > max(y, 2 * x)", 1, {3, -4}},
    {"min(x, 7) > y", 1, {-2, 7}},
    {"x > abs(x)", 1, {-2, 0}},
    {"abs(x) + y > abs(x)", 1, {-2, 0}},
    {"time > abs(time - 2)", 1, {-2, 0}},
    {"time > abs(k)", 0, {0}},
    {"x > abs(k)", 0, {0}},
};

static void test_relations(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(ROWS); k++) {
        char text[500];
        loaded_model l;
        snprintf(text, sizeof text,
                 "model M\n  parameter Real k = 3;\n"
                 "  Real x(start = -2, fixed = true), y(start = 3, fixed = true);\n"
                 "  discrete Real n(start = 0, fixed = true);\nequation\n"
                 "  der(x) = y; der(y) = -x;\n  when %s then n = pre(n) + 1; end when;\nend M;\n",
                 ROWS[k].condition);
        loaded_model_open_text(&l, text);
        loaded_model_start(&l);
        discrete_part *m = l.m.discrete;
        assert_int_equal(discrete_count_silent(m), ROWS[k].n);
        if (ROWS[k].n > 0) {
            assert_int_equal(program_run(m->compiled, m->events, 0.0, NULL, NULL), 0);
            const double *operand = m->events->out + 2 * m->n_relation_events;
            for (int i = 0; i < 2 * ROWS[k].n; i++)
                expect_near(operand[i], ROWS[k].at[i], 1e-12);
        }
        loaded_model_close(&l);
    }
}

/* Corners of equations without events, wherever they stand in an equation and among them. */
static const struct {
    const char *equations;
    bool exist;
} EQUATIONS[] = {
    {"der(x) = -x; y = 2 * x + z * z; z = sin(y) + 3", false},
    {"der(x) = -x; max(y, x) = 0; z = sin(y) + y", true},
    {"der(x) = -abs(x); y = 2 * x + z * z; z = sin(y) + 3", true},
    {"der(x) = -x; y = 2 * x + z * z; z = sin(y) + min(x, z)", true},
    {"der(x) = -x; y = 2 * x + z * z; z = sin(y) + noEvent(if x > 1 then y else 2 * y)", true},
    {"der(x) = -x; y = 2 * x + z * z; z = sin(y) + abs(k)", false},
};

static void test_existence(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(EQUATIONS); k++) {
        char text[400];
        loaded_model l;
        snprintf(text, sizeof text,
                 "model M parameter Real k = 3; Real x(start = 1, fixed = true), y, z;\nequation\n"
                 "  %s;\nend M;\n",
                 EQUATIONS[k].equations);
        loaded_model_open_text(&l, text);
        assert_int_equal(corners_exist(l.m.discrete), EQUATIONS[k].exist);
        loaded_model_close(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_relations),
                                       cmocka_unit_test(test_existence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
