/* tests/unit/test_elimination_list.c - lists of operations in place of full elimination: right
 * answers whatever becomes of the matrix, few operations where it is sparse, and the same bits
 * again. */
#include "linalg/elimination_list.h"

#include <math.h>
#include <string.h>

#include "harness.h"
#include "linalg/complex_solver.h"
#include "linalg/linsolver.h"
#include "seeded.h"

enum { N_MAX = 64 };
#define FADED 1e-7

/* All entries are stored, few are not zero: a permutation plus `more` a row. */
typedef struct matrix {
    int32_t n;
    pattern p;
    double re[N_MAX * N_MAX], im[N_MAX * N_MAX]; /* by columns */
} matrix;

static void draw(matrix *m, seeded *random)
{
    for (int32_t q = 0; q < m->n * m->n; q++) {
        m->re[q] = m->re[q] == 0.0 ? 0.0 : seeded_uniform(random, 0.5, 1.0);
        m->im[q] = m->im[q] == 0.0 ? 0.0 : seeded_uniform(random, -1.0, 1.0);
    }
    for (int32_t i = 0; i < m->n; i++)
        m->re[(i + 1) % m->n * m->n + i] = seeded_uniform(random, 4.0, 5.0);
}

static void add_entry(matrix *m, int32_t i, int32_t j)
{
    m->re[j * m->n + i] = m->im[j * m->n + i] = 1.0;
}

static void make(matrix *m, seeded *random, int32_t n, int32_t more)
{
    *m = (matrix){.n = n};
    assert_true(pattern_full(&m->p, n, NULL));
    for (int32_t i = 0; i < n; i++) {
        add_entry(m, i, (i + 1) % n);
        for (int32_t k = 0; k < more; k++)
            add_entry(m, i, (int32_t)seeded_uniform(random, 0.0, n - 0.001));
    }
    draw(m, random);
}

/* The largest difference between what comes out and what went in. */
static double error_of(const matrix *m, void *real, void *complex_one)
{
    double re[N_MAX], im[N_MAX], worst = 0.0;
    for (int32_t i = 0; i < m->n; i++) { /* b = A x, x_j = 1 + j - 2i, or its real part */
        re[i] = im[i] = 0.0;
        for (int32_t j = 0; j < m->n; j++) {
            double a = m->re[j * m->n + i], b = real ? 0.0 : m->im[j * m->n + i];
            re[i] += a * (1.0 + j) + 2.0 * b;
            im[i] += b * (1.0 + j) - 2.0 * a;
        }
    }
    if (real)
        daedal_linsolver_dense()->solve(real, re);
    else
        complex_dense.solve(complex_one, re, im);
    for (int32_t j = 0; j < m->n; j++)
        worst = fmax(worst, fabs(re[j] - (1.0 + j)) + (real ? 0.0 : fabs(im[j] + 2.0)));
    return worst / m->n;
}

/* Factor and solve by both; an entry that has faded may be what the condition depends on. */
static void check(seeded *random, const matrix *m, void *real, void *complex_one)
{
    double most = m->re[m->n] == FADED ? 1e-7 : 1e-11;
    assert_int_equal(daedal_linsolver_dense()->factor(real, m->re), DAEDAL_OK);
    assert_int_equal(complex_dense.factor(complex_one, m->re, m->im), DAEDAL_OK);
    double error = error_of(m, real, NULL), complex_error = error_of(m, NULL, complex_one);
    seeded_require(random, error < most, "n = %d: off by %.3g", (int)m->n, error);
    seeded_require(random, complex_error < most, "n = %d, complex: off by %.3g", (int)m->n,
                   complex_error);
}

static void create(const matrix *m, void **real, void **complex_one)
{
    const daedal_linsolver *s = daedal_linsolver_dense();
    assert_int_equal(s->create(real, &m->p.view, NULL), DAEDAL_OK);
    assert_int_equal(complex_dense.create(complex_one, s, *real, &m->p.view, NULL), DAEDAL_OK);
}

static void destroy(matrix *m, void *real, void *complex_one)
{
    complex_dense.destroy(complex_one);
    daedal_linsolver_dense()->destroy(real);
    pattern_free(&m->p);
}

/* New values, new entries, and pivots that fade: never a wrong answer. */
static void test_changing_matrices(void **state)
{
    static const int32_t sizes[] = {5, 7, 8, 13, 20, 40, 63, 64};
    static matrix m;
    (void)state;
    for (size_t c = 0; c < COUNT(sizes); c++)
        for (int32_t more = 0; more < 4; more++) {
            seeded random = seeded_begin((uint32_t)(10 * c) + (uint32_t)more + 1);
            void *real, *complex_one;
            make(&m, &random, sizes[c], more);
            create(&m, &real, &complex_one);
            for (int round = 0; round < 120; round++) {
                draw(&m, &random);
                if (round % 40 == 10)
                    add_entry(&m, round % m.n, (7 * round + 3) % m.n);
                if (round % 30 > 20) /* one that was chosen for a pivot */
                    m.re[m.n] = m.im[m.n] = FADED;
                check(&random, &m, real, complex_one);
            }
            destroy(&m, real, complex_one);
        }
}

static void lay_out_list(void *object, layout *l)
{
    elimination_list_lay_out(object, l);
}

/* A list is used where it is short, and only there. */
static void test_use(void **state)
{
    static const struct {
        int32_t n, more;
        bool listed;
    } cases[] = {{6, 1, false}, {8, 1, true}, {15, 1, true}, {64, 1, true}, {64, 40, false}};
    static matrix m;
    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        seeded random = seeded_begin((uint32_t)c + 1);
        elimination_list list;
        block mem = {0};
        bool is_listed = false;
        make(&m, &random, cases[c].n, cases[c].more);
        elimination_list_begin(&list, &m.p.view, false, NULL);
        assert_true(block_create(&mem, NULL, lay_out_list, &list));
        elimination_list_describe(&list, &m.p.view);
        for (int round = 0; round < 4; round++) {
            is_listed = elimination_list_factor(&list, m.re, NULL);
            draw(&m, &random);
        }
        assert_int_equal(is_listed, cases[c].listed);
        block_free(&mem);
        pattern_free(&m.p);
    }
}

/* Solve for a fixed right-hand side. */
static void answer(void *real, int32_t n, double *x)
{
    for (int32_t i = 0; i < n; i++)
        x[i] = 1.0 / (i + 1.0);
    daedal_linsolver_dense()->solve(real, x);
}

/* A copy goes on like the original, and what has forgotten begins like a new one. */
static void test_same_bits(void **state)
{
    static matrix m;
    (void)state;
    seeded random = seeded_begin(5);
    void *first, *second, *copy, *complex_one;
    double x[N_MAX], y[N_MAX];
    const daedal_linsolver *s = daedal_linsolver_dense();
    make(&m, &random, 20, 2);
    create(&m, &first, &complex_one);
    assert_int_equal(s->create(&second, &m.p.view, NULL), DAEDAL_OK);
    assert_int_equal(s->create(&copy, &m.p.view, NULL), DAEDAL_OK);
    for (int round = 0; round < 7; round++) {
        draw(&m, &random);
        check(&random, &m, first, complex_one);
    }
    dense_copy(copy, first);
    for (int round = 0; round < 10; round++) {
        answer(first, m.n, x);
        answer(copy, m.n, y);
        assert_memory_equal(x, y, (size_t)m.n * sizeof *x);
        draw(&m, &random);
        assert_int_equal(s->factor(first, m.re), DAEDAL_OK);
        assert_int_equal(s->factor(copy, m.re), DAEDAL_OK);
    }
    dense_forget(first);
    for (int round = 0; round < 10; round++) {
        draw(&m, &random);
        assert_int_equal(s->factor(first, m.re), DAEDAL_OK);
        assert_int_equal(s->factor(second, m.re), DAEDAL_OK);
        answer(first, m.n, x);
        answer(second, m.n, y);
        assert_memory_equal(x, y, (size_t)m.n * sizeof *x);
    }
    s->destroy(second);
    s->destroy(copy);
    destroy(&m, first, complex_one);
}

/* Singular, or not a number, after lists were made. */
static void test_failures(void **state)
{
    static matrix m, spoilt;
    (void)state;
    seeded random = seeded_begin(9);
    void *real, *complex_one;
    const daedal_linsolver *s = daedal_linsolver_dense();
    make(&m, &random, 12, 1);
    create(&m, &real, &complex_one);
    for (int round = 0; round < 40; round++) {
        draw(&m, &random);
        check(&random, &m, real, complex_one);
        spoilt = m;
        for (int32_t i = 0; i < m.n; i++)
            spoilt.re[3 * m.n + i] = spoilt.im[3 * m.n + i] = 0.0;
        if (round % 2)
            spoilt.re[5 * m.n + round % 12] = NAN;
        assert_int_equal(s->factor(real, spoilt.re), DAEDAL_ERR_SINGULAR);
        assert_in_range(s->singular_column(real), 0, m.n - 1);
        assert_int_equal(complex_dense.factor(complex_one, spoilt.re, spoilt.im),
                         DAEDAL_ERR_SINGULAR);
    }
    destroy(&m, real, complex_one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changing_matrices),
        cmocka_unit_test(test_use),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
