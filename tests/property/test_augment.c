/* tests/property/test_augment.c - structures that mislead by coefficients that vary.
 *
 * Every system is a plain one, with a known solution, whose equations have multiples of others
 * added: the multipliers depend on time and on the unknowns, so that no constant combination takes
 * them apart.  Index, degrees of freedom and solution are those of the plain system.  */
#include <math.h>

#include "modelling.h"
#include "seeded.h"

typedef struct expected {
    const char *name;
    double (*value)(double t);
} expected;

typedef struct row {
    const char *name, *declarations, *equations;
    int32_t index, structural_index, freedom;
    expected at_end[3];
} row;

static double minus_sin(double t)
{
    return -sin(t);
}

static double minus_cos(double t)
{
    return -cos(t);
}

static double arm_1(double t)
{
    return 1.0 - exp(t);
}

static double arm_3(double t)
{
    return exp(t) - t;
}

static const row ROWS[] = {
    {"one_unknown_in_front",
     "Real x, y;",
     "der(x) = y; (1 + x^2)*(der(x) - y) + x - sin(time) = 0;",
     2,
     1,
     0,
     {{"x", sin}, {"y", cos}}},
    {"chain_of_three",
     "Real x1, x2, u;",
     "der(x1) = x2; der(x2) - u + x1*(der(x1) - x2) = 0;"
     "x1 - sin(time) + (1 + x1^2)*(der(x2) - u) = 0;",
     3,
     1,
     0,
     {{"x1", sin}, {"x2", cos}, {"u", minus_sin}}},
    /* the multiplier has a derivative itself: two rounds */
    {"chain_of_four",
     "Real x1, x2, x3, u;",
     "der(x1) = x2; der(x2) - x3 + cos(x1)*(der(x1) - x2) = 0;"
     "der(x3) - u + x2*(der(x2) - x3) = 0;"
     "x1 - sin(time) + (2 + sin(x3))*(der(x3) - u) = 0;",
     4,
     1,
     0,
     {{"x1", sin}, {"x3", minus_sin}, {"u", minus_cos}}},
    {"of_time",
     "Real x, y, z;",
     "der(x) + exp(-time)*der(y) = z; time*der(x) + time*exp(-time)*der(y) - time*z + x - sin(time)"
     "= 0; y - x*cos(time) = 0;",
     2,
     2,
     0,
     {{"x", sin}}},
    /* no copy gives the proxy with a constant factor: it stays an unknown */
    {"proxy_stays",
     "Real x(start = 0.1), y(start = 1), z;",
     "cos(z)*(der(x) - y) = 0; (2 + cos(z))*(der(x) - y) + x - sin(time) = 0; z = 0.3*time;",
     2,
     1,
     0,
     {{"x", sin}, {"y", cos}}},
    /* nonlinear in the derivatives; something is asked of the start, so that it is repaired */
    {"nonlinear_derivatives",
     "Real x, y(start = 1, fixed = true);",
     "(der(x) + der(y))^3 + der(x) + der(y) = (cos(time) - sin(time))^3 + cos(time) - sin(time)"
     "+ x - sin(time); exp(der(x) + der(y)) = exp(cos(time) - sin(time));",
     1,
     0,
     1,
     {{"x", sin}, {"y", cos}}},
    {"two_in_one_row",
     "Real x, y, u, v;",
     "der(x) = u; der(y) = v + x*(der(x) - u);"
     "x - sin(time) + y*(der(x) - u) + (1 + x^2)*(der(y) - v) = 0;"
     "y - cos(time) + exp(x)*(der(y) - v) - x*(der(x) - u) = 0;",
     2,
     1,
     0,
     {{"x", sin}, {"u", cos}, {"v", minus_sin}}},
    /* C199: the two-link arm with an elastic joint of [CG95], index 5 */
    {"c199_robot_arm",
     "Real x1, x2, x3(start = 1), x4(start = -1), x5, x6, u1, u2, a, b, c, d;",
     "a = 2/(2 - cos(x3)^2); b = cos(x3)/(2 - cos(x3)^2); c = sin(x3)/(2 - cos(x3)^2);"
     "d = cos(x3)*sin(x3)/(2 - cos(x3)^2); der(x1) = x4; der(x2) = x5; der(x3) = x6;"
     "der(x4) = 2*c*(x4 + x6)^2 + x4^2*d + (2*x3 - x2)*(a + 2*b) + a*(u1 - u2);"
     "der(x5) = -2*c*(x4 + x6)^2 - x4^2*d + (2*x3 - x2)*(1 - 3*a - 2*b) - a*u1 + (a + 1)*u2;"
     "der(x6) = -2*c*(x4 + x6)^2 - x4^2*d + (2*x3 - x2)*(a - 9*b) - 2*x4^2*c - d*(x4 + x6)^2"
     "- (a + b)*(u1 - u2);"
     "cos(x1) + cos(x1 + x3) = cos(1 - exp(time)) + cos(1 - time);"
     "sin(x1) + sin(x1 + x3) = sin(1 - exp(time)) + sin(1 - time);",
     5,
     3,
     0,
     {{"x1", arm_1}, {"x3", arm_3}}},
};

static void index_and_solution(void **state)
{
    const row *r = *state;
    const double end = 0.8;
    trial t;
    trial_open(&t, r->declarations, r->equations);
    daedal_model_structure s = trial_structure(&t);
    assert_int_equal(s.structural_index, r->structural_index);
    assert_int_equal(s.index, r->index);
    assert_int_equal(s.degrees_of_freedom, r->freedom);
    trial_run(&t, 0.0, end, "rtol=1e-8");
    for (size_t k = 0; k < COUNT(r->at_end) && r->at_end[k].name; k++)
        trial_expect(&t, r->at_end[k].name, r->at_end[k].value(end), 1e-5);
    trial_close(&t);
}

/* The pendulum with its equations of motion mixed into one another keeps its two degrees of
 * freedom, and runs as the plain one does.                                       */
static void mixed_pendulum(void **state)
{
    (void)state;
    static const char *const FORMS[] = {
        "der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - 9.81; x^2 + y^2 = 1;",
        "der(x) = u; der(y) = v + x*(x^2 + y^2 - 1); der(u) = -F*x;"
        "der(v) + F*y + 9.81 + (2 + x)*(der(u) + F*x) = 0; x^2 + y^2 - 1 + y*(der(u) + F*x) = 0;",
    };
    double x[2];
    for (size_t k = 0; k < COUNT(FORMS); k++) {
        trial t;
        trial_open(&t, "Real x(start = 1), y, u, v, F;", FORMS[k]);
        daedal_model_structure s = trial_structure(&t);
        assert_int_equal(s.index, 3);
        assert_int_equal(s.degrees_of_freedom, 2);
        trial_run(&t, 0.0, 1.0, "rtol=1e-9");
        x[k] = trial_value(&t, "x");
        trial_close(&t);
    }
    expect_near(x[1], x[0], 1e-6);
}

/* ---- random ones ---- */

/* Where a factor of proxies comes near zero the mixed equations have other solutions, too, or end.
 */
enum { SYSTEMS = 60, IMPASSES_MOST = 2 };

/* x_1 = sin(t), x_k = x_{k-1}' and so on, in blocks; row k has multiples of the rows behind it
 * in its block added, which are differentiated less often.                        */
typedef struct mixed {
    seeded random;
    int32_t size; /* of the block */
} mixed;

static void write_plain(written *to, int32_t k)
{
    if (k == 0)
        write_text(to, "(x0 - sin(time))");
    else
        write_text(to, "(der(x%d) - x%d)", (int)k - 1, (int)k);
}

static void write_factor(written *to, mixed *s)
{
    static const char *const FORMS[] = {"(1 + %.2f*x%d^2)", "(%.2f + 0.4*cos(x%d))",
                                        "(%.2f + sin(time + x%d))"};
    double number = seeded_uniform(&s->random, 0.5, 2.0);
    int32_t variable = seeded_int(&s->random, 0, s->size - 1);
    int32_t form = seeded_int(&s->random, 0, 2);
    write_text(to, FORMS[form], number, (int)variable);
}

static void write_mixed(written *declarations, written *equations, mixed *s)
{
    for (int32_t k = 0; k < s->size; k++)
        write_text(declarations, "Real x%d;", (int)k);
    for (int32_t k = 0; k < s->size; k++) {
        write_plain(equations, k);
        for (int32_t j = k + 1; j < s->size; j++)
            if (j == k + 1 || seeded_int(&s->random, 0, 1) == 0) {
                write_text(equations, " + ");
                write_factor(equations, s);
                write_text(equations, "*");
                write_plain(equations, j);
            }
        write_text(equations, " = 0;\n");
    }
}

static double chain_value(int32_t k, double t)
{
    return sin(t + 1.57079632679489662 * k);
}

static bool is_chain(const trial *t, int32_t size)
{
    char name[8] = "x0";
    bool same = true;
    for (int32_t k = 0; k < size; k++) {
        name[1] = (char)('0' + k);
        same = same && fabs(trial_value(t, name) - chain_value(k, 1.0)) < 1e-4;
    }
    return same;
}

static void random_mixtures(void **state)
{
    (void)state;
    int32_t solved = 0;
    for (uint32_t n = 0; n < SYSTEMS; n++) {
        mixed s = {.random = seeded_begin(9000 + n), .size = 2 + (int32_t)n % 3};
        written declarations = {0}, equations = {0};
        trial t;
        write_mixed(&declarations, &equations, &s);
        daedal_status status = trial_read(&t, declarations.text, equations.text);
        seeded_require(&s.random, status == DAEDAL_OK, "refused: %s\n%s", t.message,
                       equations.text);
        daedal_model_structure found = trial_structure(&t);
        seeded_require(&s.random, found.index == s.size && found.degrees_of_freedom == 0,
                       "index %d, freedom %d\n%s", (int)found.index, (int)found.degrees_of_freedom,
                       equations.text);
        solved += trial_try(&t, 0.0, 1.0, 1, "rtol=1e-7 atol=1e-9") >= 0 && is_chain(&t, s.size);
        trial_close(&t);
        written_free(&declarations);
        written_free(&equations);
    }
    assert_true(solved >= SYSTEMS - IMPASSES_MOST);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(ROWS) + 2] = {
        cmocka_unit_test(mixed_pendulum),
        cmocka_unit_test(random_mixtures),
    };
    for (size_t k = 0; k < COUNT(ROWS); k++)
        tests[2 + k] = (struct CMUnitTest){.name = ROWS[k].name,
                                           .test_func = index_and_solution,
                                           .initial_state = (void *)&ROWS[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
