/* tests/unit/test_lowering.c - the size of the system to which a model of higher index is lowered:
 * equations of the form x' = v name derivatives, which then need no variables of their own. */
#include "initial/model.h"

#include "harness.h"
#include "loaded_model.h"

static const struct {
    const char *what, *text;
    int unknowns, constraints;
} models[] = {
    {"a pendulum: its position, velocity and force; two constraints",
     "model M Real x(start = 1), y, u, v, f;\n"
     "equation der(x) = u; der(y) = v; der(u) = -f * x; der(v) = -f * y - 1; x^2 + y^2 = 1; end M;",
     5, 2},
    {"the same, its equations the other way round",
     "model M Real x(start = 1), y, u, v, f;\n"
     "equation u = der(x); v = der(y); der(u) = -f * x; der(v) = -f * y - 1; x^2 + y^2 = 1; end M;",
     5, 2},
    {"a velocity in another unit is a variable beside der(x): x, der(x), y, v, f and the "
     "constraints "
     "of x and of v",
     "model M Real x(start = 1), y, u, v, f;\n"
     "equation 2 * der(x) = u; der(y) = v; der(u) = -f * x; der(v) = -f * y - 1; x^2 + y^2 = 1;\n"
     "end M;",
     6, 3},
    {"three derivatives of a path, each the velocity of the one before; the last is output only",
     "model M Real x, v, a, j;\n"
     "equation der(x) = v; der(v) = a; der(a) = j; x + x^3 = time; end M;",
     3, 3},
    {"two names of one velocity: the second is tied to the first by an equation and a constraint",
     "model M Real x(start = 1), y, u, w, v, f;\n"
     "equation der(x) = u; der(x) = w; der(y) = v; der(u) + der(w) = -f * x; der(v) = -f * y - 1;\n"
     "x^2 + y^2 = 1; end M;",
     6, 3},
    {"an equation that is not differentiated stays as it is",
     "model M Real x, v; equation der(x) = v; der(v) = -x; end M;", 2, 0},
};

static void named_derivatives_are_no_variables(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(models); k++) {
        loaded_model l;
        loaded_model_open_text(&l, models[k].text);
        print_message("%s: %d and %d\n", models[k].what, (int)l.m.reduced->n,
                      (int)l.m.reduced->n_constraints);
        assert_int_equal(l.m.reduced->n, models[k].unknowns);
        assert_int_equal(l.m.reduced->n_constraints, models[k].constraints);
        assert_int_equal(l.m.reduced->index_left, 1 - (models[k].constraints == 0));
        loaded_model_close(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(named_derivatives_are_no_variables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
