/* tests/conformance/c210_classes.c - the report of `analyze` for each kind of system: C210.
 *
 * Class, index, degrees of freedom and the index of every variable, x1 first.     */
#include <string.h>

#include "modelling.h"

enum { VARIABLES = 5, LAST = -2 };

typedef struct row {
    const char *name, *declarations, *equations, *class_begins;
    int32_t index, freedom, variable_index[VARIABLES + 1]; /* LAST ends the list */
} row;

static const row ROWS[] = {
    {"c210_ode", "Real x1, x2;", "der(x1) = x2; der(x2) = -x1;", "ODE", 0, 2, {0, 0, LAST}},
    {"c210_implicit_ode",
     "Real x1, x2;",
     "2*der(x1) + der(x2) = x1; der(x1) + der(x2) = x2^3;",
     "implicit ODE",
     0,
     2,
     {0, 0, LAST}},
    {"c210_semi_explicit",
     "Real x1, x2;",
     "der(x1) = x2; x2^3 + x2 + x1 = 0;",
     "semi-explicit index 1",
     1,
     1,
     {0, 1, LAST}},
    {"c210_hessenberg_2",
     "Real x1(start = 1), x2, x3;",
     "der(x1) = 0.7*x2 + sin(2.5*x3); der(x2) = 1.4*x1 + cos(2.5*x3); x1^2 + x2^2 = 1;",
     "Hessenberg of size 2",
     2,
     1,
     {1, 1, 2, LAST}},
    {"c210_hessenberg_3",
     "Real x1(start = 1), x2, x3, x4, x5;",
     "der(x1) = x3; der(x2) = x4; der(x3) = -x5*x1; der(x4) = -x5*x2 - 9.81; x1^2 + x2^2 = 1;",
     "Hessenberg of size 3",
     3,
     2,
     {1, 1, 2, 2, 3, LAST}},
    {"c210_triangular_chain",
     "Real x1(start = 0.5), x2(start = 1.2), x3(start = 0.4), x4;",
     "der(x1) = 1 - x1 - x3; der(x2) = 1.5 - x2 + 2*x3 - 0.5*(x2 - x4);"
     "x3 = 10*exp(-3/x2)*x1; x1 = 0.5 + 0.1*sin(time);",
     "triangular chain of index 3",
     3,
     0,
     {1, 2, 2, 3, LAST}},
    {"c210_fully_implicit_of_time",
     "Real x1, x2;",
     "der(x1) - time*der(x2) + x1 - (1 + time)*x2 = 0; x2 = sin(time);",
     "fully implicit index 1, linear with coefficients of time",
     1,
     1,
     {1, 1, LAST}},
};

static void expect_variable_indices(const trial *t, const daedal_model_structure *s,
                                    const int32_t *wanted)
{
    int32_t at = 0;
    for (int32_t k = 0; k < t->info->n_variables; k++)
        if (!t->info->variables[k].is_constant) {
            assert_int_not_equal(wanted[at], LAST);
            assert_int_equal(s->variable_index[k], wanted[at++]);
        }
    assert_int_equal(wanted[at], LAST);
}

static void analysis_tells(void **state)
{
    const row *r = *state;
    trial t;
    trial_open(&t, r->declarations, r->equations);
    daedal_model_structure s = trial_structure(&t);
    if (strncmp(s.class_name, r->class_begins, strlen(r->class_begins)) != 0)
        fail_msg("class is \"%s\"", s.class_name);
    assert_int_equal(s.index, r->index);
    assert_int_equal(s.degrees_of_freedom, r->freedom);
    expect_variable_indices(&t, &s, r->variable_index);
    trial_close(&t);
}

/* ---- systems that have no index ---- */

typedef struct refusal {
    const char *declarations, *equations, *begins, *tells;
} refusal;

static const refusal REFUSALS[] = {
    {"Real x, y;", "der(x) + 0.3*der(y) = sin(time); x + 0.3*y = cos(time);",
     "singular: ", "are consistent only where"},
    {"Real x, y, z;", "x + y + z = 1; 2*x + y - z = time; 3*x + 2*y = 1 + time;",
     "singular: ", "are redundant"},
    {"Real x, y, z;", "x + y + z = 1; 2*x + y - z = time; 3*x + 2*y = 2 + time;",
     "singular: ", "contradict one another"},
    {"Real x, y;",
     "-time*der(x) + time^2*der(y) + x = sin(time); -der(x) + time*der(y) + y = cos(time);",
     "not solvable, although the matrix pencil is regular: ", "are consistent only where"},
    {"Real x, y, z;", "der(x) = -x; y = 2*x + sin(y); 2*x + sin(y) = y;", "too many equations",
     "of which two are equal; no equation determines z"},
    {"Real x(start = 1), y;",
     "(1 + x^2)*(der(x) + der(y)) = x; exp(x)*(der(x) + der(y)) = "
     "x*exp(x)/(1 + x^2);",
     "not solvable", "are redundant"},
};

static void c210_refusals(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(REFUSALS); k++) {
        const refusal *r = &REFUSALS[k];
        trial t;
        assert_int_equal(trial_read(&t, r->declarations, r->equations), DAEDAL_ERR_STRUCTURE);
        if (!strstr(t.message, r->begins) || !strstr(t.message, r->tells))
            fail_msg("%s: %s", r->equations, t.message);
        trial_close(&t);
    }
}

int main(void)
{
    struct CMUnitTest tests[COUNT(ROWS) + 1] = {[COUNT(ROWS)] = cmocka_unit_test(c210_refusals)};
    for (size_t k = 0; k < COUNT(ROWS); k++)
        tests[k] = (struct CMUnitTest){
            .name = ROWS[k].name, .test_func = analysis_tells, .initial_state = (void *)&ROWS[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
