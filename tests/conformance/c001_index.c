/* tests/conformance/c001_index.c - index and degrees of freedom of the systems of [BCP96]
 * chapters 1, 2 and 6 and [HW96] VII.1: C001, C003, C006, C007, C009, C014, C019, C020, C022 ..
 * C025, C028, C030, C032, C033, C036, C037, C040, C041, C169, C176.                           */
#include <string.h>

#include "modelling.h"
#include "seeded.h"

typedef struct row {
    const char *name, *declarations, *equations;
    int32_t index, freedom;
} row;

#define PENDULUM "der(x) = u; der(y) = v; der(u) = -F*x; der(v) = -F*y - 9.81; x^2 + y^2 = 1;"
#define LQ_STATES "der(x1) = 0.1*x1 + x2; der(x2) = -0.5*x1 + 0.2*x2 + u;"
#define REACTOR "der(C) = 1 - C - R; der(T) = 1.5 - T + 2*R - 0.5*(T - Tc); R = 10*exp(-3/T)*C;"
#define FOUR_RESISTORS                                                                             \
    "-G1*v1 + (G1 + G2)*v2 - G2*v3 = 0; -G2*v2 + (G2 + G4)*v3 - G4*v4 + io = 0;"                   \
    "-G4*v3 + (G3 + G4)*v4 = 0; v2 - v4 = 0;"

static const row ROWS[] = {
    /* A nonsingular: 0; N = 0: 1; det(lambda A + B) constant: no finite modes */
    {"c003_nonsingular", "Real x, y;", "2*der(x) + der(y) = x; der(x) + der(y) = y;", 0, 2},
    {"c003_nilpotency_one", "Real x, y;", "x + y = sin(time); x - y = time;", 1, 0},
    {"c003_constant_determinant", "Real x, y;", "der(y) + x = sin(time); y = cos(time);", 2, 0},
    {"c006_chain", "Real x1, x2, x3;",
     "der(x1) + x3 = sin(time); der(x2) + x1 = cos(2*time); x2 = exp(-time);", 3, 0},
    {"c007_4_3_33", "Real x, y;", "der(x) - time*der(y) + x - (1 + time)*y = 0; y = sin(time);", 1,
     1},
    /* (4.3.33) and the constant form of example 2.4.1 behind P(t), Q(t) */
    {"c009_4_3_33_rows", "Real x, y;",
     "der(x) - time*der(y) + x - (1 + time)*y + sin(time)*(y - sin(time)) = 0; y = sin(time);", 1,
     1},
    {"c009_4_3_33_variables", "Real x, y;",
     "der(x) + y + time*der(y) - time*der(y) + x + time*y - (1 + time)*y = 0; y = sin(time);", 1,
     1},
    {"c009_2_4_1_constant", "Real x, y;", "x + der(y) = sin(time); y = cos(time);", 2, 0},
    {"c009_2_4_1_rows", "Real x, y;",
     "x + der(y) + sin(time)*(y - cos(time)) = sin(time); y = cos(time);", 2, 0},
    {"c009_2_4_1_variables", "Real x, y;", "x + time*y + der(y) = sin(time); y = cos(time);", 2, 0},
    {"c020_pendulum", "Real x(start = 1), y, u, v, F;", PENDULUM, 3, 2},
    {"c020_reactor_a_to_d", "Real C(start = 0.5), T(start = 1.2), R(start = 0.4), Tc;",
     REACTOR "C = 0.5 + 0.1*sin(time);", 3, 0},
    {"c022_reactor_a_to_c",
     "parameter Real Tc = 1; Real C(start = 0.5), T(start = 1.2), R(start = 0.4);", REACTOR, 1, 2},
    {"c023_lq_weighted", "Real x1, x2, p1, p2, u;",
     LQ_STATES "der(p1) = -x1 - 0.1*p1 + 0.5*p2; der(p2) = -x2 - p1 - 0.2*p2; u + p2 = 0;", 1, 4},
    {"c023_lq_cheap", "Real x1, x2, p1, p2, u;",
     LQ_STATES "der(p1) = -x1 - 0.1*p1 + 0.5*p2; der(p2) = -x2 - p1 - 0.2*p2; p2 = 0;", 3, 2},
    {"c023_lq_cheap_and_blind", "Real x1, x2, p1, p2, u;",
     LQ_STATES "der(p1) = -x1 - 0.1*p1 + 0.5*p2; der(p2) = -p1 - 0.2*p2; p2 = 0;", 5, 0},
    {"c024_hazony", "Real v1, v2, i3;",
     "2*v2 + i3 = sin(time); 2*v1 + 0.5*v2 - i3 = 0; 3*der(v1) - i3 = 0;", 1, 1},
    {"c024_hazony_parasitics", "Real v1, v2, i3;",
     "0.1*der(v1) + 0.2*v1 + 2*v2 + i3 = sin(time); 0.15*der(v2) + 2*v1 + 0.7*v2 - i3 = 0;"
     "3*der(v1) - 0.15*der(v2) + 0.1*v1 - 0.1*v2 - i3 = 0;",
     1, 2},
    {"c025_capacitor",
     "parameter Real C = 1, G1 = 1, G2 = 2, G3 = 3, G4 = 4; Real v1, v2, v3, v4, io;",
     "C*der(v1) + G1*v1 - G1*v2 = 0;" FOUR_RESISTORS, 1, 1},
    {"c028_lubich", "Real y1, y2, y3;",
     "der(y1) - y3*der(y2) + y2*der(y3) = 0; y2 = 0.01*sin(10*time); y3 = 0.01*cos(10*time);", 1,
     1},
    {"c030_steering_wheel", "Real y1(start = 1), y2, z;",
     "der(y1) = 0.7*y2 + sin(2.5*z); der(y2) = 1.4*y1 + cos(2.5*z); y1^2 + y2^2 = 1;", 2, 1},
    /* y' = z, F(t, y, z) = 0 is one higher; (3.4.12) is not */
    {"c032_4_3_33_enlarged", "Real x, y, a, b;",
     "der(x) = a; der(y) = b; a - time*b + x - (1 + time)*y = 0; y = sin(time);", 2, 1},
    {"c032_pendulum_enlarged", "Real x(start = 1), y, u, v, F, a, b, c, d, e;",
     "der(x) = a; der(y) = b; der(u) = c; der(v) = d; der(F) = e; a = u; b = v; c = -F*x;"
     "d = -F*y - 9.81; x^2 + y^2 = 1;",
     4, 2},
    {"c032_two_variables_enlarged", "Real x1, x2, y1, y2;",
     "der(x1) = y1; der(x2) = y2; y1 - x1 = 0; x2 = 0;", 2, 1},
    {"c032_with_projector", "Real x1, x2, y1, y2;", "der(x1) = y1; y2 = 0; y1 - x1 = 0; x2 = 0;", 1,
     1},
    {"c033_chain", "Real x1, x2, x3;",
     "der(x2) = x1 + sin(time); der(x3) = x2 + cos(time); 0 = x3 + exp(-time);", 3, 0},
    {"c033_chain_integrated", "Real z1, x2, x3;",
     "der(x2) - der(z1) = sin(time); der(x3) = x2 + cos(time); 0 = x3 + exp(-time);", 2, 1},
    {"c033_pendulum_integrated", "Real x(start = 1), y, u, v, s;",
     "der(x) = u; der(y) = v; der(u) = -der(s)*x; der(v) = -der(s)*y - 9.81; x^2 + y^2 = 1;", 2, 3},
    /* the pendulum, linearized along a motion: x = cos(t), y = sin(t) */
    {"c034_linearized_pendulum", "Real x, y, u, v, F;",
     "der(x) = u; der(y) = v; der(u) = -(1 + sin(time))*x - cos(time)*F;"
     "der(v) = -(1 + sin(time))*y - sin(time)*F; cos(time)*x + sin(time)*y = 0;",
     3, 2},
    {"c037_square_root", "Real y(start = 1);", "y^2 = time + 1;", 1, 0},
    {"c040_source_r_c", "Real v, i, vR;", "2*i = vR; 3*der(v) = i; vR + v = sin(time);", 1, 1},
    {"c040_source_beside_capacitor", "Real vC, iC, iE;",
     "3*der(vC) = iC; vC = sin(time); iE + iC = 0;", 2, 0},
    {"c040_source_before_inductor", "Real iL, vL;", "3*der(iL) = vL; iL = sin(time);", 2, 0},
    {"c041_three_differentiators", "Real v0, v1, v2, v3;",
     "v0 = sin(time); v1 = -0.5*der(v0); v2 = -2*der(v1); v3 = -3*der(v2);", 4, 0},
    {"c176_ggl", "Real x(start = 1), y, u, v, l, m;",
     "der(x) = u - m*x; der(y) = v - m*y; der(u) = -l*x; der(v) = -l*y - 1; x^2 + y^2 = 1;"
     "x*u + y*v = 0;",
     2, 2},
};

static void index_and_freedom(void **state)
{
    const row *r = *state;
    trial t;
    trial_open(&t, r->declarations, r->equations);
    daedal_model_structure s = trial_structure(&t);
    assert_int_equal(s.index, r->index);
    assert_int_equal(s.structural_index, r->index);
    assert_int_equal(s.degrees_of_freedom, r->freedom);
    trial_close(&t);
}

/* The constraint is differentiated twice, x' = u and y' = v once: [Pan88]. */
static void c169_pantelides(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "Real x(start = 1), y, u, v, F;", PENDULUM);
    assert_int_equal(trial_structure(&t).n_differentiated, 3);
    trial_close(&t);
}

/* Boundary values are abbreviations, which do not count in `index`; here they do. */
static void c020_heat(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "parameter Integer n = 10; Real u[n + 1];",
               "u[1] = 0; u[n + 1] = 0;"
               "for i in 2:n loop der(u[i]) = n^2*(u[i-1] - 2*u[i] + u[i+1]); end for;");
    daedal_model_structure s = trial_structure(&t);
    assert_int_equal(s.structural_index, 1);
    assert_int_equal(s.degrees_of_freedom, 9);
    trial_close(&t);
}

/* ---- random Hessenberg forms ---- */

enum { SIZE_MOST = 4, BLOCK_MOST = 4, FORMS = 30 };

typedef struct hessenberg {
    seeded random;
    int32_t size, dim[SIZE_MOST]; /* of x_1 .. x_size; the last is the multiplier */
} hessenberg;

/* A random linear form in blocks first .. last. */
static void write_form(written *to, hessenberg *h, int32_t first, int32_t last)
{
    for (int32_t j = first; j <= last; j++)
        for (int32_t k = 1; k <= h->dim[j]; k++)
            write_text(to, " + (%.3f)*x%d[%d]",
                       seeded_sign(&h->random) * seeded_uniform(&h->random, 0.2, 1.0), (int)j,
                       (int)k);
}

/* x_1' = F_1(x_1 .. x_r), x_i' = F_i(x_{i-1} .. x_{r-1}), 0 = F_r(x_{r-1}). */
static void write_hessenberg(written *declarations, written *equations, hessenberg *h)
{
    int32_t last = h->size - 1;
    for (int32_t i = 0; i <= last; i++)
        write_text(declarations, "Real x%d[%d];", (int)i, (int)h->dim[i]);
    for (int32_t i = 0; i < last; i++)
        for (int32_t k = 1; k <= h->dim[i]; k++) {
            write_text(equations, "der(x%d[%d]) = sin(time)", (int)i, (int)k);
            write_form(equations, h, i > 0 ? i - 1 : 0, i > 0 ? last - 1 : last);
            write_text(equations, ";");
        }
    for (int32_t k = 0; k < h->dim[last]; k++) {
        write_text(equations, "0 = cos(time)");
        write_form(equations, h, last - 1, last - 1);
        write_text(equations, ";");
    }
}

/* Index r, and a constraint takes a degree of freedom on each of r - 1 levels. */
static void c014_hessenberg(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < FORMS; k++) {
        hessenberg h = {.random = seeded_begin(k + 1), .size = 2 + (int32_t)k % 3};
        int32_t last = h.size - 1, freedom = 0;
        h.dim[last] = seeded_int(&h.random, 1, 2);
        for (int32_t i = 0; i < last; i++)
            freedom += h.dim[i] = seeded_int(&h.random, h.dim[last], BLOCK_MOST);
        written declarations = {0}, equations = {0};
        write_hessenberg(&declarations, &equations, &h);
        trial t;
        trial_open(&t, declarations.text, equations.text);
        daedal_model_structure s = trial_structure(&t);
        seeded_require(&h.random, s.index == h.size, "index %d, not %d", (int)s.index, (int)h.size);
        seeded_require(&h.random, s.degrees_of_freedom == freedom - last * h.dim[last],
                       "%d degrees of freedom", (int)s.degrees_of_freedom);
        trial_close(&t);
        written_free(&declarations);
        written_free(&equations);
    }
}

/* ---- values that the structure does not see ---- */

/* The structure says 0; the matrix of the derivatives is singular. */
static void c019_structural_index_too_low(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "Real x, y;",
               "der(x) + der(y) + x + y = cos(time); der(x) + der(y) + x + 2*y = time;");
    daedal_model_structure s = trial_structure(&t);
    assert_int_equal(s.structural_index, 0);
    assert_int_equal(s.index, 1);
    trial_close(&t);
}

/* (6.4.3) is singular if and only if R1 R4 = R2 R3: G3 = 2 here. */
static void c025_four_resistors(void **state)
{
    (void)state;
    const double G3[] = {1.9, 2.0, 2.1, 3.0};
    for (size_t k = 0; k < COUNT(G3); k++) {
        written declarations = {0};
        write_text(&declarations,
                   "parameter Real G1 = 1, G2 = 2, G3 = %g, G4 = 4; Real v1, v2, v3, v4, iE, io;",
                   G3[k]);
        trial t;
        daedal_status status = trial_read(
            &t, declarations.text, "G1*v1 - G1*v2 + iE = 0;" FOUR_RESISTORS "v1 = sin(time);");
        assert_int_equal(status, G3[k] == 2.0 ? DAEDAL_ERR_STRUCTURE : DAEDAL_OK);
        if (status == DAEDAL_OK)
            trial_run(&t, 0.0, 1.0, "");
        trial_close(&t);
        written_free(&declarations);
    }
}

/* det(lambda A + B) = 0 for all lambda: example 2.4.1 frozen at t. */
static void c001_singular_pencil(void **state)
{
    (void)state;
    static const char *const FROZEN[] = {
        "der(x) + 0.3*der(y) = sin(time); x + 0.3*y = cos(time);",
        "der(x) + 0.7*der(y) = sin(time); x + 0.7*y = cos(time);",
    };
    for (size_t k = 0; k < COUNT(FROZEN); k++) {
        trial t;
        assert_int_equal(trial_read(&t, "Real x, y;", FROZEN[k]), DAEDAL_ERR_STRUCTURE);
        trial_close(&t);
    }
}

typedef struct contradicted_structure {
    const char *declarations, *equations;
    int32_t index, freedom;
} contradicted_structure;

/* Structures that say something else: a constraint that does not see the multiplier (C014), a
 * loop in which only the difference of two unknowns has a derivative, systems of [BCP96] that are
 * the same after a change of variables or rows that depends on time.             */
static void c007_c009_c014_c029_misled(void **state)
{
    (void)state;
    static const contradicted_structure CASES[] = {
        {"Real x, y;", "der(x) + time*der(y) = sin(time); x + time*y = cos(time);", 2, 0},
        {"Real x, y;", "x - time*y = exp(-time); der(x) - time*der(y) = sin(time);", 2, 0},
        {"Real x, y;",
         "der(x) + (2*time)*der(y) + y + sin(time)*(x + 2*time*y) = sin(time);"
         "x + 2*time*y = cos(time);",
         2, 0},
        {"Real x, y, z;", "der(x) = x + z; der(y) = 2*y + z; x - y = 0;", 3, 0},
        {"Real x, y, z, w;", "der(x) = x + z + w; der(y) = 2*y + z + w; x - y = 0; w = x^3 + y;", 3,
         0},
        /* two capacitors in a loop with a source: their voltages have one derivative */
        {"Real x, y, i;", "der(x) - der(y) = i - x; x - y = 2*i + sin(time); x + 3*i = cos(time);",
         1, 1},
        {"Real x, y, z;", "der(x) + der(y) = z; der(x) + der(y) + x - y = 2*z; x + 2*y = time;", 1,
         1},
        /* Campbell and Gear: y_m N y' + y = 0 determines y and y' at once */
        {"Real y1, y2;", "y2*der(y2) + y1 = 0; y2 = 0*time;", 1, 0},
    };
    for (size_t k = 0; k < COUNT(CASES); k++) {
        trial t;
        trial_open(&t, CASES[k].declarations, CASES[k].equations);
        daedal_model_structure s = trial_structure(&t);
        if (s.index != CASES[k].index || s.degrees_of_freedom != CASES[k].freedom)
            fail_msg("%s: index %d, freedom %d", CASES[k].equations, (int)s.index,
                     (int)s.degrees_of_freedom);
        trial_close(&t);
    }
}

/* With a product that is singular it is no Hessenberg form, whatever it looks like. */
static void c014_singular_product(void **state)
{
    (void)state;
    trial t;
    trial_open(&t, "Real x, y, z;", "der(x) = x + z; der(y) = 2*y + z; x - y = 0;");
    daedal_model_structure s = trial_structure(&t);
    assert_int_equal(s.structural_index, 2);
    assert_null(strstr(s.class_name, "Hessenberg"));
    trial_close(&t);
    assert_int_equal(trial_read(&t, "Real x, y, z;", "der(x) = x + z; der(y) = y + z; x - y = 0;"),
                     DAEDAL_ERR_STRUCTURE);
    assert_non_null(strstr(t.message, "singular"));
    trial_close(&t);
}

/* Index 2 without freedom, where the structure says less: example 2.4.2 frozen at t, a matrix
 * that is nilpotent but not structurally, (3.1.13), (6.4.4) with G1 G4 = G2 G3.    */
static void c001_c007_c025_c036_nilpotent(void **state)
{
    (void)state;
    static const struct {
        const char *declarations, *equations;
    } CASES[] = {
        {"Real x, y;",
         "-0.3*der(x) + 0.09*der(y) + x = sin(time); -der(x) + 0.3*der(y) + y = cos(time);"},
        {"Real x, y;",
         "-0.7*der(x) + 0.49*der(y) + x = sin(time); -der(x) + 0.7*der(y) + y = cos(time);"},
        {"Real x, y;", "der(x) + der(y) + x = sin(time); -der(x) - der(y) + y = cos(time);"},
        {"Real x, y;", "x - 0.25*time*y = exp(-time); der(x) - 0.25*time*der(y) + 0.75*y = 0;"},
        {"parameter Real C = 1, G1 = 1, G2 = 2, G3 = 2, G4 = 4; Real v1, v2, v3, v4, io;",
         "C*der(v1) + G1*v1 - G1*v2 = 0;" FOUR_RESISTORS},
    };
    for (size_t k = 0; k < COUNT(CASES); k++) {
        trial t;
        trial_open(&t, CASES[k].declarations, CASES[k].equations);
        daedal_model_structure s = trial_structure(&t);
        assert_in_range(s.structural_index, 0, 1);
        assert_int_equal(s.index, 2);
        assert_int_equal(s.degrees_of_freedom, 0);
        trial_close(&t);
    }
}

int main(void)
{
    struct CMUnitTest tests[COUNT(ROWS) + 9] = {
        cmocka_unit_test(c001_singular_pencil),
        cmocka_unit_test(c001_c007_c025_c036_nilpotent),
        cmocka_unit_test(c007_c009_c014_c029_misled),
        cmocka_unit_test(c014_hessenberg),
        cmocka_unit_test(c014_singular_product),
        cmocka_unit_test(c019_structural_index_too_low),
        cmocka_unit_test(c020_heat),
        cmocka_unit_test(c025_four_resistors),
        cmocka_unit_test(c169_pantelides),
    };
    for (size_t k = 0; k < COUNT(ROWS); k++)
        tests[9 + k] = (struct CMUnitTest){.name = ROWS[k].name,
                                           .test_func = index_and_freedom,
                                           .initial_state = (void *)&ROWS[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
