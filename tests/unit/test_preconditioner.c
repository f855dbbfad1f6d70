/* tests/unit/test_preconditioner.c - incomplete factors, and all kinds of preconditioners. */
#include "krylov/preconditioner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "krylov/ilu.h"
#include "seeded.h"

enum { N_MAX = 64 };

typedef struct sparse {
    pattern p;
    double value[N_MAX * N_MAX];
} sparse;

/* Keep the entries of a dense matrix, by rows, that are not NAN. */
static void collect(sparse *m, int32_t n, const double *dense)
{
    int32_t count = 0;
    assert_true(pattern_create(&m->p, n, n, n * n, NULL));
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < n; i++)
            if (!isnan(dense[i * n + j])) {
                m->p.row[count] = i;
                m->value[count++] = dense[i * n + j];
            }
        m->p.start[j + 1] = count;
    }
}

static void multiply(const sparse *m, const double *x, double *out)
{
    const daedal_pattern *p = &m->p.view;
    memset(out, 0, (size_t)p->n_rows * sizeof *out);
    for (int32_t j = 0; j < p->n_cols; j++)
        for (int32_t q = p->start[j]; q < p->start[j + 1]; q++)
            out[p->row[q]] += m->value[q] * x[j];
}

/* The largest |x - P^-1 A x| of a random x. */
static double distance(const sparse *m, preconditioner *p, seeded *s)
{
    double x[N_MAX], b[N_MAX], most = 0.0;
    int32_t n = m->p.view.n_cols;
    seeded_fill(s, x, n, 1.0);
    multiply(m, x, b);
    assert_int_equal(preconditioner_solve(p, b), DAEDAL_CALL_OK);
    for (int32_t i = 0; i < n; i++)
        most = fmax(most, fabs(b[i] - x[i]));
    return most;
}

static preconditioner *made(const sparse *m, int32_t kind, int32_t width)
{
    preconditioner *p = NULL;
    preconditioner_choice choice = {kind, width, NULL};
    assert_int_equal(preconditioner_create(&p, &m->p.view, &choice, NULL), DAEDAL_OK);
    preconditioner_point at = {.values = m->value};
    assert_int_equal(preconditioner_setup(p, &at), DAEDAL_OK);
    return p;
}

/* Tridiagonal, as a chain; `shift` moves the diagonal off its place by a cycle of the rows. */
static void chain(sparse *m, int32_t n, int32_t shift, seeded *s)
{
    double dense[N_MAX * N_MAX];
    for (int32_t i = 0; i < n * n; i++)
        dense[i] = NAN;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++)
            dense[((i + shift) % n) * n + j] =
                i == j ? 3.0 + seeded_uniform(s, 0.0, 1.0) : seeded_uniform(s, -1.0, 1.0);
    collect(m, n, dense);
}

/* A tridiagonal matrix has no fill: incomplete factors are complete, for any order of the rows. */
static void test_exact_without_fill(void **state)
{
    (void)state;
    static const int32_t kinds[] = {PRECONDITIONER_ILU, PRECONDITIONER_ILUT, PRECONDITIONER_LU};
    for (uint32_t seed = 1; seed <= 12; seed++)
        for (size_t k = 0; k < COUNT(kinds); k++) {
            seeded s = seeded_begin(seed);
            static sparse m;
            chain(&m, seeded_int(&s, 2, N_MAX), seeded_int(&s, 0, 5), &s);
            preconditioner *p = made(&m, kinds[k], 0);
            double off = distance(&m, p, &s);
            /* ILUT drops a thousandth of each row */
            double most = kinds[k] == PRECONDITIONER_ILUT ? 1e-2 : 1e-11;
            seeded_require(&s, off <= most, "kind %d: %g", (int)kinds[k], off);
            preconditioner_free(p);
            pattern_free(&m.p);
        }
}

/* The diagonal, the blocks and the band are exact for matrices that are so. */
static void test_exact_parts(void **state)
{
    (void)state;
    static const struct {
        int32_t kind, width, size; /* size: of the blocks of the matrix */
    } cases[] = {{PRECONDITIONER_DIAGONAL, 0, 1},
                 {PRECONDITIONER_BLOCK, 3, 3},
                 {PRECONDITIONER_BLOCK, 0, 4},
                 {PRECONDITIONER_BAND, 0, 3},
                 {PRECONDITIONER_BAND, 7, 8}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        seeded s = seeded_begin((uint32_t)c + 1);
        static sparse m;
        double dense[24 * 24];
        for (int i = 0; i < 24; i++)
            for (int j = 0; j < 24; j++)
                dense[i * 24 + j] = i / cases[c].size != j / cases[c].size
                                        ? NAN
                                        : seeded_uniform(&s, -1.0, 1.0) + (i == j ? 5.0 : 0.0);
        collect(&m, 24, dense);
        preconditioner *p = made(&m, cases[c].kind, cases[c].width);
        double off = distance(&m, p, &s);
        seeded_require(&s, off <= 1e-12, "case %d: %g", (int)c, off);
        preconditioner_free(p);
        pattern_free(&m.p);
    }
}

/* The five-point Laplacian: the more is kept, the nearer is P to A. */
static void test_order_of_kinds(void **state)
{
    (void)state;
    enum { SIDE = 8 };
    static const int32_t kinds[] = {PRECONDITIONER_DIAGONAL, PRECONDITIONER_ILU,
                                    PRECONDITIONER_ILUT, PRECONDITIONER_LU};
    double dense[N_MAX * N_MAX], before = INFINITY;
    static sparse m;
    for (int i = 0; i < N_MAX; i++)
        for (int j = 0; j < N_MAX; j++) {
            int rows = abs(i / SIDE - j / SIDE), cols = abs(i % SIDE - j % SIDE);
            dense[i * N_MAX + j] = i == j ? 4.2 : rows + cols == 1 ? -1.0 : NAN;
        }
    collect(&m, N_MAX, dense);
    for (size_t k = 0; k < COUNT(kinds); k++) {
        seeded s = seeded_begin(1);
        preconditioner *p = made(&m, kinds[k], 0);
        double off = distance(&m, p, &s);
        seeded_require(&s, off < 0.7 * before, "kind %d: %g after %g", (int)kinds[k], off, before);
        before = off;
        preconditioner_free(p);
    }
    pattern_free(&m.p);
}

/* Rows of any scale: P^-1 A stays the same. */
static void test_scaled_rows(void **state)
{
    (void)state;
    static const int32_t kinds[] = {PRECONDITIONER_DIAGONAL, PRECONDITIONER_ILU,
                                    PRECONDITIONER_ILUT};
    static sparse m, scaled;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        seeded s = seeded_begin(7);
        double x[N_MAX], a[N_MAX], b[N_MAX], factor[N_MAX];
        chain(&m, N_MAX, 0, &s);
        chain(&scaled, N_MAX, 0, &s);
        for (int i = 0; i < N_MAX; i++)
            factor[i] = seeded_ratio(&s, 1e-6, 1e6);
        for (int q = 0; q < m.p.start[N_MAX]; q++)
            scaled.value[q] = factor[m.p.row[q]] * m.value[q];
        seeded_fill(&s, x, N_MAX, 1.0);
        preconditioner *p = made(&m, kinds[k], 0), *ps = made(&scaled, kinds[k], 0);
        multiply(&m, x, a);
        multiply(&scaled, x, b);
        preconditioner_solve(p, a);
        preconditioner_solve(ps, b);
        for (int i = 0; i < N_MAX; i++)
            expect_near(a[i], b[i], 1e-9);
        preconditioner_free(p);
        preconditioner_free(ps);
        pattern_free(&m.p);
        pattern_free(&scaled.p);
    }
}

/* A diagonal that is there but zero: rows are paired anew, by size. */
static void test_zero_diagonal(void **state)
{
    (void)state;
    static const double dense[] = {0.0, 2.0, NAN, 3.0, 0.0, 1.0, NAN, 1.0, 4.0};
    static sparse m;
    ilu *f = NULL;
    ilu_kind kind = {0.0, -1};
    double x[] = {1.0, 2.0, 3.0}, b[3];
    collect(&m, 3, dense);
    assert_int_equal(ilu_create(&f, &m.p.view, &kind, NULL), DAEDAL_OK);
    assert_int_equal(ilu_factor(f, m.value), DAEDAL_OK);
    assert_int_equal(ilu_pairings(f), 1);
    multiply(&m, x, b);
    ilu_solve(f, b);
    for (int i = 0; i < 3; i++)
        expect_near(b[i], x[i], 1e-12);
    ilu_free(f);
    pattern_free(&m.p);
}

static void test_singular(void **state)
{
    (void)state;
    static const double no_row[] = {1.0, NAN, NAN, NAN}, zero_row[] = {1.0, 1.0, 0.0, 0.0};
    static sparse m;
    ilu *f = NULL;
    ilu_kind kind = {0.0, -1};
    collect(&m, 2, no_row);
    assert_int_equal(ilu_create(&f, &m.p.view, &kind, NULL), DAEDAL_ERR_SINGULAR);
    assert_null(f);
    pattern_free(&m.p);
    collect(&m, 2, zero_row);
    assert_int_equal(ilu_create(&f, &m.p.view, &kind, NULL), DAEDAL_OK);
    assert_int_equal(ilu_factor(f, m.value), DAEDAL_ERR_SINGULAR);
    ilu_free(f);
    preconditioner *p = NULL;
    preconditioner_choice choice = {PRECONDITIONER_DIAGONAL, 0, NULL};
    preconditioner_point at = {.values = m.value};
    assert_int_equal(preconditioner_create(&p, &m.p.view, &choice, NULL), DAEDAL_OK);
    assert_int_equal(preconditioner_setup(p, &at), DAEDAL_ERR_SINGULAR);
    preconditioner_free(p);
    pattern_free(&m.p);
}

static int refuse(double t, const double *y, const double *yp, double c, const double *values,
                  void *user)
{
    (void)t, (void)y, (void)yp, (void)c, (void)values;
    return *(int *)user;
}

static int halve(double *b, void *user)
{
    (void)user;
    b[0] *= 0.5;
    return DAEDAL_CALL_OK;
}

static void test_own(void **state)
{
    (void)state;
    static const double dense[] = {2.0};
    static const struct {
        int answer;
        daedal_status status;
    } cases[] = {{DAEDAL_CALL_OK, DAEDAL_OK},
                 {DAEDAL_CALL_RETRY, DAEDAL_ERR_RETRY},
                 {DAEDAL_CALL_STOP, DAEDAL_STOPPED},
                 {DAEDAL_CALL_FAIL, DAEDAL_ERR_CALLBACK}};
    static sparse m;
    collect(&m, 1, dense);
    for (size_t c = 0; c < COUNT(cases); c++) {
        int answer = cases[c].answer;
        daedal_preconditioner own = {"half", refuse, halve, &answer};
        preconditioner_choice choice = {PRECONDITIONER_ILU, 0, &own};
        preconditioner *p = NULL;
        preconditioner_point at = {.values = m.value};
        double b = 1.0;
        assert_int_equal(preconditioner_create(&p, &m.p.view, &choice, NULL), DAEDAL_OK);
        assert_string_equal(preconditioner_name(p), "half");
        assert_int_equal(preconditioner_setup(p, &at), cases[c].status);
        assert_int_equal(preconditioner_solve(p, &b), DAEDAL_CALL_OK);
        assert_true(b == 0.5);
        preconditioner_free(p);
    }
    pattern_free(&m.p);
}

static void test_memory(void **state)
{
    (void)state;
    static sparse m;
    seeded s = seeded_begin(2);
    chain(&m, 20, 1, &s);
    for (int32_t kind = PRECONDITIONER_NONE; kind < PRECONDITIONER_LU; kind++) {
        daedal_status status = DAEDAL_ERR_MEMORY;
        for (long k = 1; status == DAEDAL_ERR_MEMORY; k++) {
            ledger books;
            ledger_open(&books);
            books.refuse = k;
            preconditioner *p = NULL;
            preconditioner_choice choice = {kind, 0, NULL};
            status = preconditioner_create(&p, &m.p.view, &choice, &books.allocator);
            assert_true((p != NULL) == (status == DAEDAL_OK));
            preconditioner_free(p);
            ledger_expect_empty(&books);
        }
        assert_int_equal(status, DAEDAL_OK);
    }
    pattern_free(&m.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_without_fill),
        cmocka_unit_test(test_exact_parts),
        cmocka_unit_test(test_order_of_kinds),
        cmocka_unit_test(test_scaled_rows),
        cmocka_unit_test(test_zero_diagonal),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_own),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
