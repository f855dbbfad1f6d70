/* tests/unit/test_complex_solver.c - the complex counterparts of the linear solvers: every
 * test runs for all of them, and for a user's solver on the doubled matrix.       */
#include "linalg/complex_solver.h"

#include <math.h>

#include "harness.h"
#include "seeded.h"

enum { N_MAX = 40 };

static const daedal_linsolver *real_solver(int k)
{
    static daedal_linsolver own;
    own = *daedal_linsolver_klu(); /* another address: a user's own */
    const daedal_linsolver *all[] = {daedal_linsolver_dense(), daedal_linsolver_lapack(),
                                     daedal_linsolver_band(), daedal_linsolver_klu(), &own};
    return all[k];
}
enum { SOLVERS = 5 };

/* A sparse matrix with a dominant entry in each row that is not on the diagonal. */
typedef struct matrix {
    pattern p;
    double re[16 * N_MAX], im[16 * N_MAX];
} matrix;

static bool has_entry(int32_t n, int32_t i, int32_t j)
{
    return j == (i + 1) % n || j == i || j == (3 * i + 1) % n;
}

static void make(matrix *m, seeded *random, int32_t n)
{
    assert_true(pattern_create(&m->p, n, n, 3 * n, NULL));
    int32_t count = 0;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < n; i++)
            if (has_entry(n, i, j))
                m->p.row[count++] = i;
        m->p.start[j + 1] = count;
    }
    for (int32_t j = 0; j < n; j++)
        for (int32_t q = m->p.start[j]; q < m->p.start[j + 1]; q++) {
            bool large = j == (m->p.row[q] + 1) % n;
            m->re[q] = seeded_uniform(random, -1.0, 1.0) + (large ? 3.0 : 0.0);
            m->im[q] = seeded_uniform(random, -1.0, 1.0) * (large ? 4.0 : 1.0);
        }
}

/* b = A x */
static void multiply(const matrix *m, const double *x, const double *y, double *re, double *im)
{
    for (int32_t i = 0; i < m->p.view.n_rows; i++)
        re[i] = im[i] = 0.0;
    for (int32_t j = 0; j < m->p.view.n_cols; j++)
        for (int32_t q = m->p.start[j]; q < m->p.start[j + 1]; q++) {
            re[m->p.row[q]] += m->re[q] * x[j] - m->im[q] * y[j];
            im[m->p.row[q]] += m->re[q] * y[j] + m->im[q] * x[j];
        }
}

static void check_solution(const complex_solver *s, void *self, const matrix *m, seeded *random)
{
    double x[N_MAX], y[N_MAX], re[N_MAX], im[N_MAX];
    int32_t n = m->p.view.n_cols;
    seeded_fill(random, x, n, 1.0);
    seeded_fill(random, y, n, 1.0);
    multiply(m, x, y, re, im);
    s->solve(self, re, im);
    for (int32_t i = 0; i < n; i++)
        seeded_require(random, fabs(re[i] - x[i]) + fabs(im[i] - y[i]) < 1e-9,
                       "n = %d: entry %d is off by %.3g", (int)n, (int)i,
                       fabs(re[i] - x[i]) + fabs(im[i] - y[i]));
}

static void test_solves(void **state)
{
    (void)state;
    static const int32_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 27, 40};
    for (int k = 0; k < SOLVERS; k++)
        for (size_t i = 0; i < COUNT(sizes); i++) {
            seeded random = seeded_begin((uint32_t)(100 * k) + (uint32_t)i + 1);
            const complex_solver *s = complex_solver_of(real_solver(k));
            matrix m;
            void *self;
            make(&m, &random, sizes[i]);
            assert_int_equal(s->create(&self, real_solver(k), NULL, &m.p.view, NULL), DAEDAL_OK);
            for (int round = 0; round < 3; round++) { /* new values, the same pattern */
                assert_int_equal(s->factor(self, m.re, m.im), DAEDAL_OK);
                check_solution(s, self, &m, &random);
                check_solution(s, self, &m, &random);
                for (int32_t q = 0; q < m.p.start[sizes[i]]; q++)
                    m.re[q] += seeded_uniform(&random, -0.2, 0.2);
            }
            s->destroy(self);
            pattern_free(&m.p);
        }
}

static void make_band(matrix *m, int32_t n, int32_t lower, int32_t upper)
{
    assert_true(pattern_create(&m->p, n, n, n * (lower + upper + 1), NULL));
    int32_t count = 0;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = j - upper; i <= j + lower; i++)
            if (i >= 0 && i < n)
                m->p.row[count++] = i;
        m->p.start[j + 1] = count;
    }
}

/* With a large diagonal rows stay in their place; the second time neighbours change places. */
static void test_band_widths(void **state)
{
    (void)state;
    const daedal_linsolver *real = daedal_linsolver_band();
    const complex_solver *s = complex_solver_of(real);
    for (int32_t shape = 0; shape < 64; shape++) {
        seeded random = seeded_begin((uint32_t)shape + 1);
        const int32_t n = 30, lower = shape / 8, upper = shape % 8;
        matrix m;
        void *self;
        make_band(&m, n, lower, upper);
        assert_int_equal(s->create(&self, real, NULL, &m.p.view, NULL), DAEDAL_OK);
        for (int32_t round = 0; round < 2; round++) {
            const bool swaps = round == 1 && lower > 0 && upper > 0;
            for (int32_t j = 0; j < n; j++)
                for (int32_t q = m.p.start[j]; q < m.p.start[j + 1]; q++) {
                    const bool large = m.p.row[q] == (swaps ? j ^ 1 : j);
                    m.re[q] = seeded_uniform(&random, -1.0, 1.0);
                    m.im[q] = seeded_uniform(&random, -1.0, 1.0) + (large ? 20.0 : 0.0);
                }
            assert_int_equal(s->factor(self, m.re, m.im), DAEDAL_OK);
            check_solution(s, self, &m, &random);
        }
        s->destroy(self);
        pattern_free(&m.p);
    }
}

/* A column of zeros, and NaN: singular, and well again with other values. */
static void test_singular(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVERS; k++)
        for (int32_t n = 3; n <= 12; n += 3) {
            seeded random = seeded_begin((uint32_t)(50 * k + n));
            const complex_solver *s = complex_solver_of(real_solver(k));
            matrix m;
            void *self;
            make(&m, &random, n);
            assert_int_equal(s->create(&self, real_solver(k), NULL, &m.p.view, NULL), DAEDAL_OK);
            matrix spoilt = m;
            for (int32_t q = m.p.start[1]; q < m.p.start[2]; q++)
                spoilt.re[q] = spoilt.im[q] = 0.0;
            assert_int_equal(s->factor(self, spoilt.re, spoilt.im), DAEDAL_ERR_SINGULAR);
            spoilt = m;
            spoilt.im[m.p.start[2]] = NAN;
            assert_int_equal(s->factor(self, spoilt.re, spoilt.im), DAEDAL_ERR_SINGULAR);
            assert_int_equal(s->factor(self, m.re, m.im), DAEDAL_OK);
            check_solution(s, self, &m, &random);
            s->destroy(self);
            pattern_free(&m.p);
        }
}

/* The full pattern, which LAPACK reads in another way. */
static void test_full(void **state)
{
    (void)state;
    double re[16], im[16];
    for (int k = 0; k < SOLVERS; k++) {
        const complex_solver *s = complex_solver_of(real_solver(k));
        pattern full;
        void *self;
        assert_true(pattern_full(&full, 4, NULL));
        for (int q = 0; q < 16; q++) {
            re[q] = 1.0 / (1.0 + q % 4 + q / 4) + (q % 5 == 0);
            im[q] = q % 4 - q / 4.0;
        }
        assert_int_equal(s->create(&self, real_solver(k), NULL, &full.view, NULL), DAEDAL_OK);
        assert_int_equal(s->factor(self, re, im), DAEDAL_OK);
        double x[4] = {0.0}, y[4] = {0.0}; /* b = A (1 + 2i, ...) */
        for (int q = 0; q < 16; q++) {
            x[q % 4] += re[q] - 2.0 * im[q];
            y[q % 4] += 2.0 * re[q] + im[q];
        }
        s->solve(self, x, y);
        for (int i = 0; i < 4; i++) {
            expect_near(x[i], 1.0, 1e-12);
            expect_near(y[i], 2.0, 1e-12);
        }
        s->destroy(self);
        pattern_free(&full);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves),
        cmocka_unit_test(test_band_widths),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
