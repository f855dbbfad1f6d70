/* tests/conformance/c015_pencil.c - the frozen pencil, and functions of an index above one:
 * C015, C016, C017, C018, C132, C133, C164, C166.                               */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "problems.h"
#include "seeded.h"

enum { LARGEST = 10 };

/* ---- small dense matrices, by columns -------------------------------------------------- */

typedef struct square {
    int32_t n;
    double at[LARGEST * LARGEST];
} square;

static square product(const square *a, const square *b)
{
    square c = {.n = a->n};
    for (int32_t j = 0; j < a->n; j++)
        for (int32_t k = 0; k < a->n; k++)
            for (int32_t i = 0; i < a->n; i++)
                c.at[j * a->n + i] += a->at[k * a->n + i] * b->at[j * a->n + k];
    return c;
}

static square combine(const square *a, double h, const square *b)
{
    square c = {.n = a->n};
    for (int32_t k = 0; k < a->n * a->n; k++)
        c.at[k] = a->at[k] + h * b->at[k];
    return c;
}

static double norm(const square *a)
{
    double sum = 0.0;
    for (int32_t k = 0; k < a->n * a->n; k++)
        sum += a->at[k] * a->at[k];
    return sqrt(sum);
}

static square inverse(const square *a)
{
    int32_t start[LARGEST + 1] = {0}, row[LARGEST * LARGEST];
    for (int32_t k = 0; k < a->n * a->n; k++)
        row[k] = k % a->n;
    for (int32_t j = 0; j < a->n; j++)
        start[j + 1] = (j + 1) * a->n;
    daedal_pattern full = {a->n, a->n, start, row};
    const daedal_linsolver *solver = daedal_linsolver_dense();
    void *self = NULL;
    square x = {.n = a->n};
    assert_int_equal(solver->create(&self, &full, NULL), DAEDAL_OK);
    assert_int_equal(solver->factor(self, a->at), DAEDAL_OK);
    for (int32_t j = 0; j < a->n; j++) {
        x.at[j * a->n + j] = 1.0;
        solver->solve(self, x.at + j * a->n);
    }
    solver->destroy(self);
    return x;
}

static double condition(const square *a)
{
    square x = inverse(a);
    return norm(a) * norm(&x);
}

/* ---- pencils of known index ------------------------------------------------------------ */

typedef struct pencil {
    square a, b; /* A y' + B y */
    int32_t index;
} pencil;

static square random_square(seeded *g, int32_t n)
{
    square p = {.n = n};
    for (int32_t k = 0; k < n * n; k++)
        p.at[k] = seeded_uniform(g, -1.0, 1.0) + (k % (n + 1) == 0 ? 2.5 : 0.0);
    return p;
}

/* P diag(I, N) Q and P diag(C, I) Q with one chain of length nu and three states. */
static pencil random_pencil(seeded *g, int32_t index)
{
    int32_t states = 3, n = states + index;
    square a = {.n = n}, b = {.n = n};
    for (int32_t j = 0; j < states; j++) {
        a.at[j * n + j] = 1.0;
        for (int32_t i = 0; i < states; i++)
            b.at[j * n + i] = seeded_uniform(g, -1.0, 1.0);
    }
    for (int32_t j = states; j < n; j++) {
        b.at[j * n + j] = 1.0;
        if (j > states)
            a.at[j * n + j - 1] = 1.0;
    }
    square p = random_square(g, n), q = random_square(g, n);
    a = product(&p, &a), b = product(&p, &b);
    return (pencil){product(&a, &q), product(&b, &q), index};
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    const pencil *p = user;
    int32_t n = p->a.n;
    for (int32_t i = 0; i < n; i++)
        r[i] = -sin(t + i);
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++)
            r[i] += p->a.at[j * n + i] * yp[j] + p->b.at[j * n + i] * y[j];
    return DAEDAL_CALL_OK;
}

static daedal_analysis analyze(pencil *p, daedal_solver **solver)
{
    const double y[LARGEST] = {0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2};
    daedal_options options = defaults_with(1e-6, 1e-6);
    daedal_system sys = {.n = p->a.n, .residual = residual, .user = p};
    daedal_analysis found;
    *solver = solver_of(&sys, &options);
    expect_status(*solver, daedal_solver_analyze(*solver, 0.2, y, NULL, &found), DAEDAL_OK);
    return found;
}

/* The growth of a quantity from h to h / 10, as a power of h. */
static double power(double at_h, double at_smaller)
{
    return log10(at_smaller / at_h);
}

/* The rows of (A + hB)^-1 grow with the index of their variables. */
static void check_rows(const seeded *g, const pencil *p, const int32_t *variable_index)
{
    int32_t n = p->a.n;
    square wide = combine(&p->a, 1e-5, &p->b), narrow = combine(&p->a, 1e-6, &p->b);
    square x = inverse(&wide), z = inverse(&narrow);
    for (int32_t j = 0; j < n; j++) {
        double at[2] = {0.0, 0.0};
        for (int32_t c = 0; c < n; c++) {
            at[0] = fmax(at[0], fabs(x.at[c * n + j]));
            at[1] = fmax(at[1], fabs(z.at[c * n + j]));
        }
        double seen = power(at[0], at[1]);
        seeded_require(g, fabs(seen - variable_index[j]) < 0.1, "variable %d: %d, not %.2f", (int)j,
                       (int)variable_index[j], seen);
    }
}

/* ---- C015, C016 -------------------------------------------------------------------------- */

/* (A + hB)^-1 grows like h^-nu, (A + hB)^-1 A like h^-(nu-1), the condition like h^-nu; and the
 * same system given as a function has that index, as well as the rows that grow most. */
static void c015_c016_pole_orders(void **state)
{
    (void)state;
    for (int32_t index = 1; index <= 4; index++)
        for (uint32_t k = 0; k < 5; k++) {
            seeded g = seeded_begin(17 * k + (uint32_t)index);
            pencil p = random_pencil(&g, index);
            square wide = combine(&p.a, 1e-2, &p.b), narrow = combine(&p.a, 1e-3, &p.b);
            square x = inverse(&wide), z = inverse(&narrow);
            square xa = product(&x, &p.a), za = product(&z, &p.a);
            seeded_require(&g, fabs(power(norm(&x), norm(&z)) - index) < 0.1, "inverse");
            seeded_require(&g, fabs(power(norm(&xa), norm(&za)) - (index - 1)) < 0.1, "times A");
            seeded_require(&g, fabs(power(condition(&wide), condition(&narrow)) - index) < 0.1,
                           "condition");
            daedal_solver *s;
            daedal_analysis found = analyze(&p, &s);
            seeded_require(&g, found.index == index && found.grade <= 'B', "found %d, grade %c: %s",
                           (int)found.index, found.grade, found.reason);
            if (index <= 2)
                check_rows(&g, &p, found.variable_index);
            daedal_solver_free(s);
        }
}

/* ---- C017, C018 -------------------------------------------------------------------------- */

/* x' = B11 x + B12 z, 0 = B21 x + B22 z with 4 x and 2 z: I/h - B11 ...; index 2 without B22. */
static square newton_matrix(uint32_t seed, double h, bool index_two, bool scaled)
{
    enum { N = 6, STATES = 4 };
    seeded g = seeded_begin(seed);
    square m = random_square(&g, N);
    for (int32_t j = 0; j < N; j++)
        for (int32_t i = 0; i < N; i++) {
            double *v = &m.at[j * N + i];
            *v = i < STATES ? (i == j ? 1.0 : 0.0) - h * *v : h * *v;
            if (i >= STATES && j >= STATES && index_two)
                *v = 0.0;
            if (i >= STATES && scaled)
                *v /= h;
        }
    return m;
}

/* h J of an index-1 system: bounded once its algebraic rows are divided by h, else like 1/h; of an
 * index-2 system like 1/h instead of 1/h^2.                                      */
static void c017_row_scaling(void **state)
{
    (void)state;
    const struct {
        bool index_two, scaled;
        double power;
    } rows[] = {{false, true, 0.0}, {false, false, 1.0}, {true, true, 1.0}, {true, false, 2.0}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        square wide = newton_matrix(3, 1e-4, rows[k].index_two, rows[k].scaled);
        square narrow = newton_matrix(3, 1e-5, rows[k].index_two, rows[k].scaled);
        expect_near(power(condition(&wide), condition(&narrow)), rows[k].power, 0.1);
        if (rows[k].power == 0.0)
            assert_true(condition(&narrow) < 1e3);
    }
}

/* Blocks of (h J)^-1 of index 2: [[1, 1/h], [1/h, 1/h^2]]. */
static void c018_block_orders(void **state)
{
    (void)state;
    enum { N = 6, STATES = 4 };
    square wide = newton_matrix(5, 1e-4, true, false), narrow = newton_matrix(5, 1e-5, true, false);
    square x = inverse(&wide), z = inverse(&narrow);
    double size[2][2][2] = {{{0.0}}};
    for (int32_t j = 0; j < N; j++)
        for (int32_t i = 0; i < N; i++) {
            double *at = size[i >= STATES][j >= STATES];
            at[0] = fmax(at[0], fabs(x.at[j * N + i]));
            at[1] = fmax(at[1], fabs(z.at[j * N + i]));
        }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            expect_near(power(size[i][j][0], size[i][j][1]), i + j, 0.1);
}

/* ---- C132, C133: what a method does with an index ------------------------------------------ */

static const struct {
    const char *problem, *method, *error_test;
    bool takes;
} METHODS[] = {
    {"pendulum_ind2", "bdf", "gated", true},
    {"pendulum_ind2", "bdf", "filtered", true},
    {"pendulum_ind2", "bdf", "differential", true},
    {"pendulum_ind2", "bdf", "plain", false},
    {"pendulum_ind2", "bdf_classic", "plain", false},
    {"pendulum_ind2", "bdf_classic", "differential", true},
    {"pendulum_ind2", "radau", "gated", true},
    {"pendulum_ind3", "bdf", "gated", false},
    {"pendulum_ind3", "bdf_classic", "gated", false},
    {"pendulum_ind3", "bdf", "differential", true},
    {"pendulum_ind3", "radau", "gated", true},
    {"pendulum_ind3", "auto", "gated", true},
};

/* The pendulum of [BCP96] at t = 1, from the index-1 form. */
static const double PENDULUM_X = 0.879548128, PENDULUM_Y = -0.475809916;

static void c132_c133_methods_and_index(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(METHODS); k++) {
        const problem *p = problem_find(METHODS[k].problem);
        daedal_system sys = {.n = p->n, .residual = p->residual};
        daedal_options options = defaults_with(1e-6, 1e-9);
        daedal_options_set(&options, "method", METHODS[k].method);
        daedal_options_set(&options, "error_test", METHODS[k].error_test);
        daedal_solver *s = solver_of(&sys, &options);
        daedal_status status = daedal_solver_start(s, 0.0, p->y0, NULL);
        if (!METHODS[k].takes) {
            expect_status(s, status, DAEDAL_ERR_INDEX);
            const daedal_diagnosis *why = daedal_solver_diagnosis(s);
            expect_text(why->message, strstr(p->name, "ind3") ? "is 3" : "is 2");
            expect_text(why->message, "equation 4 -> y[");
            assert_int_equal(why->equation, 4);
            assert_int_equal(why->variable, 4);
        } else {
            expect_status(s, status, DAEDAL_OK);
            expect_status(s, daedal_solver_advance(s, 1.0), DAEDAL_OK);
            expect_near(daedal_solver_state(s)->y[0], PENDULUM_X, 1e-5);
            expect_near(daedal_solver_state(s)->y[1], PENDULUM_Y, 1e-5);
        }
        daedal_solver_free(s);
    }
}

/* ---- C164, C166: starts ---------------------------------------------------------------------- */

static int masked_sum(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    r[0] = yp[0] + yp[1] + y[0] - (sin(t) + 2.0);
    r[1] = y[1] - (cos(3.0 * t) + t);
    return DAEDAL_CALL_OK;
}

/* (5.3.5) with Y1'(0) given: Y2' = g2', Y1 = g1 - Y1' - g2'. */
static void c164_slope_given(void **state)
{
    (void)state;
    daedal_system sys = {.n = 2, .residual = masked_sum};
    daedal_options options = defaults_with(1e-6, 1e-9);
    daedal_solver *s = solver_of(&sys, &options);
    const double t = 0.25, y0[] = {0.0, 0.0}, yp0[] = {0.7, 0.0};
    const int32_t y_mask[] = {DAEDAL_FREE, DAEDAL_FREE}, yp_mask[] = {DAEDAL_FIXED, DAEDAL_FREE};
    expect_status(s,
                  daedal_solver_start_masked(s, t, y0, yp0, (daedal_ints){y_mask, 2},
                                             (daedal_ints){yp_mask, 2}),
                  DAEDAL_OK);
    const daedal_state *at = daedal_solver_state(s);
    const double slope = 1.0 - 3.0 * sin(3.0 * t);
    expect_near(at->yp[0], 0.7, 0.0);
    expect_near(at->yp[1], slope, 1e-9);
    expect_near(at->y[1], cos(3.0 * t) + t, 1e-12);
    expect_near(at->y[0], sin(t) + 2.0 - 0.7 - slope, 1e-9);
    daedal_solver_free(s);
}

/* Two values of the pendulum held, the others found on all three levels; or nothing held. */
static const struct {
    double y0[5];
    int32_t mask[5];
} STARTS[] = {
    {{0.6, -1.0, 2.0, 0.0, 0.0},
     {DAEDAL_FIXED, DAEDAL_GUESS, DAEDAL_FIXED, DAEDAL_GUESS, DAEDAL_FREE}},
    {{-1.0, 0.8, 0.0, 3.0, 0.0},
     {DAEDAL_GUESS, DAEDAL_FIXED, DAEDAL_GUESS, DAEDAL_FIXED, DAEDAL_FREE}},
    {{1.2, 0.5, 1.0, 1.0, 0.0},
     {DAEDAL_GUESS, DAEDAL_GUESS, DAEDAL_GUESS, DAEDAL_GUESS, DAEDAL_FREE}},
};

static void c166_pendulum_on_all_levels(void **state)
{
    (void)state;
    const int32_t yp_mask[] = {DAEDAL_FREE, DAEDAL_FREE, DAEDAL_FREE, DAEDAL_FREE, DAEDAL_FREE};
    const double zero[5] = {0.0};
    for (size_t k = 0; k < COUNT(STARTS); k++) {
        const problem *p = problem_find("pendulum_ind3");
        daedal_system sys = {.n = 5, .residual = p->residual};
        daedal_options options = defaults_with(1e-6, 1e-9);
        daedal_options_set(&options, "method", "radau");
        daedal_solver *s = solver_of(&sys, &options);
        expect_status(s,
                      daedal_solver_start_masked(s, 0.0, STARTS[k].y0, zero,
                                                 (daedal_ints){STARTS[k].mask, 5},
                                                 (daedal_ints){yp_mask, 5}),
                      DAEDAL_OK);
        const double *y = daedal_solver_state(s)->y;
        for (int j = 0; j < 5; j++)
            if (STARTS[k].mask[j] == DAEDAL_FIXED)
                expect_near(y[j], STARTS[k].y0[j], 0.0);
        expect_near(y[0] * y[0] + y[1] * y[1], 1.0, 1e-12);
        expect_near(y[0] * y[2] + y[1] * y[3], 0.0, 1e-11);
        expect_near(y[2] * y[2] + y[3] * y[3] - y[4] - y[1], 0.0, 1e-9);
        daedal_solver_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c015_c016_pole_orders), cmocka_unit_test(c017_row_scaling),
        cmocka_unit_test(c018_block_orders),     cmocka_unit_test(c132_c133_methods_and_index),
        cmocka_unit_test(c164_slope_given),      cmocka_unit_test(c166_pendulum_on_all_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
