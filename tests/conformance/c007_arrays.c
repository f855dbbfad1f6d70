/* tests/conformance/c007_arrays.c - derivative arrays of linear systems with coefficients of time
 * ([BCP96] section 2.4): C007, C009, C034.
 *
 * Taylor coefficients of A and B at an instant are written down; nothing is evaluated. */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "index/constant_pencil.h"
#include "index/derivative_array.h"

enum { ORDER = 4, MOST = 3 };

/* A matrix as a power series in the time from an instant: coefficient k by rows. */
typedef struct series {
    int32_t n;
    double c[ORDER + 1][MOST * MOST];
} series;

typedef struct linear {
    series a, b;
} linear;

/* ---- the systems at time t ---- */

/* Example 2.4.1: the pencil is singular at every instant. */
static linear example_1(double t)
{
    return (linear){{2, {{1, t, 0, 0}, {0, 1, 0, 0}}}, {2, {{0, 0, 1, t}, {0, 0, 0, 1}}}};
}

/* Example 2.4.2: the pencil is regular at every instant. */
static linear example_2(double t)
{
    return (linear){{2, {{-t, t * t, -1, t}, {-1, 2 * t, 0, 1}, {0, 1, 0, 0}}},
                    {2, {{1, 0, 0, 1}}}};
}

/* (3.1.13) with eta = -1 */
static linear singular_eta(double t)
{
    return (linear){{2, {{0, 0, 1, -t}, {0, 0, 0, -1}}}, {2, {{1, -t, 0, 0}, {0, -1, 0, 0}}}};
}

/* (4.3.33) */
static linear index_one(double t)
{
    return (linear){{2, {{1, -t, 0, 0}, {0, -1, 0, 0}}}, {2, {{1, -(1 + t), 0, 1}, {0, -1, 0, 0}}}};
}

/* (2.3.7) */
static linear chain(double t)
{
    (void)t;
    return (linear){{3, {{1, 0, 0, 0, 1, 0, 0, 0, 0}}}, {3, {{0, 0, 1, 1, 0, 0, 0, 1, 0}}}};
}

/* The constant form of example 2.4.1: N y' + y. */
static linear constant_form(double t)
{
    (void)t;
    return (linear){{2, {{0, 1, 0, 0}}}, {2, {{1, 0, 0, 1}}}};
}

/* ---- ranks ---- */

static derivative_array array_of(const linear *s)
{
    derivative_array d;
    size_t size = (size_t)s->a.n * (size_t)s->a.n;
    assert_true(derivative_array_create(&d, s->a.n, ORDER, NULL));
    for (size_t k = 0; k <= ORDER; k++) {
        memcpy(d.a + k * size, s->a.c[k], size * sizeof(double));
        memcpy(d.b + k * size, s->b.c[k], size * sizeof(double));
    }
    return d;
}

typedef struct row {
    linear (*system)(double t);
    int32_t blocks, rank, corank;
    bool one_full, full_rows;
} row;

static const row TABLE[] = {
    {example_1, 1, 1, 1, false, true},  {example_1, 2, 2, 2, false, true},
    {example_1, 3, 4, 2, true, true},   {example_2, 2, 2, 2, false, false},
    {example_2, 3, 3, 3, false, false}, {singular_eta, 3, 4, 2, true, true},
    {index_one, 2, 3, 1, true, true},   {chain, 4, 9, 3, true, true},
};

static const double TIMES[] = {0.3, 0.7};

static void c007_ranks(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(TABLE); k++)
        for (size_t i = 0; i < COUNT(TIMES); i++) {
            const row *r = &TABLE[k];
            linear s = r->system(TIMES[i]);
            derivative_array d = array_of(&s);
            array_ranks found;
            assert_true(derivative_array_ranks(&d, r->blocks, &found, NULL));
            assert_int_equal(found.rank, r->rank);
            assert_int_equal(found.corank, r->corank);
            assert_int_equal(found.one_full, r->one_full);
            assert_int_equal(found.full_rows, r->full_rows);
            assert_true(found.clear);
            derivative_array_free(&d);
        }
}

static void expect_judged(const linear *s, array_verdict verdict, int32_t index, int32_t freedom)
{
    derivative_array d = array_of(s);
    array_finding found = {0};
    assert_int_equal(derivative_array_judge(&d, &found, NULL), verdict);
    assert_int_equal(found.index, index);
    assert_int_equal(found.freedom, freedom);
    derivative_array_free(&d);
}

/* Index, and the dimension of consistent initial values (C034). */
static void c007_index_and_freedom(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(TIMES); i++) {
        double t = TIMES[i];
        linear s[] = {example_1(t), singular_eta(t), index_one(t),
                      chain(t),     example_2(t),    constant_form(t)};
        expect_judged(&s[0], ARRAY_SOLVABLE, 2, 0);
        expect_judged(&s[1], ARRAY_SOLVABLE, 2, 0);
        expect_judged(&s[2], ARRAY_SOLVABLE, 1, 1);
        expect_judged(&s[3], ARRAY_SOLVABLE, 3, 0);
        expect_judged(&s[4], ARRAY_NOT_SOLVABLE, 0, 0);
        expect_judged(&s[5], ARRAY_SOLVABLE, 2, 0);
    }
}

/* ---- invariance ---- */

static series product(const series *x, const series *y)
{
    series z = {.n = x->n};
    for (int32_t k = 0; k <= ORDER; k++)
        for (int32_t q = 0; q <= k; q++)
            for (int32_t i = 0; i < z.n; i++)
                for (int32_t j = 0; j < z.n; j++)
                    for (int32_t l = 0; l < z.n; l++)
                        z.c[k][i * z.n + j] += x->c[q][i * z.n + l] * y->c[k - q][l * z.n + j];
    return z;
}

static series slope(const series *x)
{
    series z = {.n = x->n};
    for (int32_t k = 0; k < ORDER; k++)
        for (int32_t i = 0; i < MOST * MOST; i++)
            z.c[k][i] = (k + 1) * x->c[k + 1][i];
    return z;
}

static series sum(series x, const series *y)
{
    for (int32_t k = 0; k <= ORDER; k++)
        for (int32_t i = 0; i < MOST * MOST; i++)
            x.c[k][i] += y->c[k][i];
    return x;
}

/* P A Q y' + P (A Q' + B Q) y with P = [[1, sin t], [0, 1]] and Q = [[1, t], [0, 1]]. */
static linear transformed(linear s, double t)
{
    series p = {2,
                {{1, sin(t), 0, 1},
                 {0, cos(t), 0, 0},
                 {0, -sin(t) / 2, 0, 0},
                 {0, -cos(t) / 6, 0, 0},
                 {0, sin(t) / 24, 0, 0}}};
    series q = {2, {{1, t, 0, 1}, {0, 1, 0, 0}}}, dq = slope(&q);
    series pa = product(&p, &s.a), pb = product(&p, &s.b);
    series padq = product(&pa, &dq), pbq = product(&pb, &q);
    return (linear){product(&pa, &q), sum(padq, &pbq)};
}

static pencil_finding pencil_of(const linear *s)
{
    pencil_finding found;
    assert_true(constant_pencil_judge(s->a.c[0], s->b.c[0], s->a.n, &found, NULL));
    return found;
}

/* The index stays; that of the pencil of one instant does not: example 2.4.1 and its constant
 * form are the same system, one pencil is singular, the other has index 2.       */
static void c009_invariance(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(TIMES); i++) {
        double t = TIMES[i];
        linear one = transformed(example_1(t), t), two = transformed(index_one(t), t);
        linear plain = example_1(t), constant = constant_form(t);
        expect_judged(&one, ARRAY_SOLVABLE, 2, 0);
        expect_judged(&two, ARRAY_SOLVABLE, 1, 1);
        assert_false(pencil_of(&plain).regular);
        assert_true(pencil_of(&constant).regular);
        assert_int_equal(pencil_of(&constant).index, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c007_ranks),
        cmocka_unit_test(c007_index_and_freedom),
        cmocka_unit_test(c009_invariance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
