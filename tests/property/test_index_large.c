/* tests/property/test_index_large.c - systems of 10 000 equations: index 3 of mechanical chains is
 * found and lowered, misleading blocks are repaired.  The time limit of the tests is the only
 * clock: what grows like n^2 would not come back. */
#include "modelling.h"

enum {
    SHARE = SANITIZED ? 10 : 1,
    GEARS = 3333 / SHARE,
    PENDULA = 2000 / SHARE,
    PAIRS = 3000 / SHARE
};

typedef struct chain {
    const char *name, *declarations, *equations;
    int32_t n, unknowns, freedom, index, combined;
} chain;

#define KINEMATICS "for i in 1:n loop der(x[i]) = u[i]; der(y[i]) = v[i]; end for;"

static const chain CHAINS[] = {
    /* shafts coupled by stiff gears: n - 1 couplings leave one angle and one speed */
    {"gears", "Real a[n], w[n], m[n + 1];",
     "m[1] = sin(time); m[n + 1] = 0;"
     "for i in 1:n loop"
     "  der(a[i]) = w[i]; (1 + 0.1*sin(i))*der(w[i]) = m[i] - 1.001*m[i + 1] - 0.1*w[i];"
     "end for;"
     "for i in 1:n - 1 loop a[i + 1] = 1.001*a[i]; end for;",
     GEARS, 3 * GEARS + 1, 2, 3, 0},
    /* every rod hangs on the mass before: one block of all equations */
    {"hanging_pendula",
     "Real x[n](start = {i for i in 1:n}), y[n], u[n], v[n], F[n](each start = 1);",
     KINEMATICS "der(u[1]) = -F[1]*x[1] + F[2]*(x[2] - x[1]);"
                "der(v[1]) = -F[1]*y[1] + F[2]*(y[2] - y[1]) - 9.81;"
                "for i in 2:n - 1 loop"
                "  der(u[i]) = -F[i]*(x[i] - x[i - 1]) + F[i + 1]*(x[i + 1] - x[i]);"
                "  der(v[i]) = -F[i]*(y[i] - y[i - 1]) + F[i + 1]*(y[i + 1] - y[i]) - 9.81;"
                "end for;"
                "der(u[n]) = -F[n]*(x[n] - x[n - 1]);"
                "der(v[n]) = -F[n]*(y[n] - y[n - 1]) - 9.81;"
                "x[1]^2 + y[1]^2 = 1;"
                "for i in 2:n loop (x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 = 1; end for;",
     PENDULA, 5 * PENDULA, 2 * PENDULA, 3, 0},
    /* pendula side by side, with springs: many small blocks */
    {"coupled_pendula", "Real x[n](each start = 1), y[n], u[n], v[n], F[n];",
     KINEMATICS "for i in 1:n loop"
                "  der(u[i]) = -F[i]*x[i] + (if i > 1 then x[max(i - 1, 1)] - x[i] else 0);"
                "  der(v[i]) = -F[i]*y[i] - 9.81; x[i]^2 + y[i]^2 = 1;"
                "end for;",
     PENDULA, 5 * PENDULA, 2 * PENDULA, 3, 0},
    /* each pair has one derivative; the sources before it stand in both equations */
    {"misleading_pairs", "Real x[n], y[n], z[n];",
     "for i in 1:n loop"
     "  z[i] + sin(z[i]) = 0.1*sin(i*time);"
     "  der(x[i]) + der(y[i]) + x[i] + y[i] = cos(time);"
     "  der(x[i]) + der(y[i]) + x[i] + 2*y[i] = time + z[i];"
     "end for;",
     PAIRS, 3 * PAIRS, PAIRS, 1, PAIRS},
    /* the same with factors that vary: y is cos(t) */
    {"misleading_by_factors", "Real x[n], y[n];",
     "for i in 1:n loop"
     "  der(x[i]) = y[i];"
     "  (1 + x[i]^2)*(der(x[i]) - y[i]) + x[i] - sin(time) = 0;"
     "end for;",
     PAIRS, 2 * PAIRS, 0, 2, PAIRS},
};

static void large_chain(void **state)
{
    const chain *c = *state;
    written declarations = {0};
    trial t;
    write_text(&declarations, "parameter Integer n = %d; %s", (int)c->n, c->declarations);
    trial_open(&t, declarations.text, c->equations);
    daedal_model_structure s = trial_structure(&t);
    assert_int_equal(s.unknowns, c->unknowns);
    assert_int_equal(s.index, c->index);
    assert_int_equal(s.n_combined, c->combined);
    assert_int_equal(s.degrees_of_freedom, c->freedom);
    trial_close(&t);
    written_free(&declarations);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(CHAINS)];
    for (size_t k = 0; k < COUNT(CHAINS); k++)
        tests[k] = (struct CMUnitTest){
            .name = CHAINS[k].name, .test_func = large_chain, .initial_state = (void *)&CHAINS[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
