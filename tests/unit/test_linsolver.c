/* tests/unit/test_linsolver.c - the four solvers behind one interface: every test
 * runs for all of them.                                                         */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "linalg/linsolver.h"
#include "linalg/vector.h"

enum { SOLVERS = 4 };

static const daedal_linsolver *solver(int k)
{
    return linsolver_choose(LINSOLVER_DENSE + k, NULL);
}

/* ---- matrices ------------------------------------------------------------- */

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

typedef struct matrix {
    pattern p;
    double *v;
} matrix;

/* FULL: all entries, no order among their sizes.  BANDED: two below, three above.
 * SPARSE: a permutation plus two more a row, zero diagonal allowed.  CYCLE: the
 * permutation i -> i + 1 alone, so that no diagonal entry exists (n > 1).        */
enum { FULL, BANDED, SPARSE, CYCLE, KINDS };

static bool has_entry(int kind, int32_t n, int32_t i, int32_t j)
{
    switch (kind) {
    case BANDED:
        return i - j <= 2 && j - i <= 3;
    case SPARSE:
        return j == (i + n / 2) % n || j == (3 * i + 1) % n || j == (5 * i + 2) % n;
    case CYCLE:
        return j == (i + 1) % n;
    default:
        return true;
    }
}

static matrix make_matrix(int kind, int32_t n)
{
    matrix m;
    int32_t nnz = 0;
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++)
            nnz += has_entry(kind, n, i, j);
    assert_true(pattern_create(&m.p, n, n, nnz, NULL));
    m.v = malloc((size_t)nnz * sizeof *m.v);
    assert_non_null(m.v);
    nnz = 0;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < n; i++)
            if (has_entry(kind, n, i, j))
                m.p.row[nnz++] = i;
        m.p.start[j + 1] = nnz;
    }
    return m;
}

/* Well conditioned: the entry that carries the kind is large, the rest noise;
 * FULL has no large entries and relies on pivoting.                             */
static void draw_values(matrix *m, int kind)
{
    int32_t n = m->p.view.n_cols;
    for (int32_t j = 0; j < n; j++)
        for (int32_t q = m->p.start[j]; q < m->p.start[j + 1]; q++) {
            int32_t i = m->p.row[q];
            bool carrier = (kind == BANDED && i == j) || (kind == SPARSE && j == (i + n / 2) % n) ||
                           kind == CYCLE;
            m->v[q] = carrier ? uniform(4.0, 6.0) : uniform(-1.0, 1.0);
        }
}

/* From rows of text: digits, '-' for -1, '.' for no entry; rows end with '/'. */
static matrix from_text(const char *text)
{
    int32_t n = (int32_t)strcspn(text, "/"), nnz = 0;
    matrix m;
    assert_true(pattern_create(&m.p, n, n, n * n, NULL));
    m.v = malloc((size_t)n * (size_t)n * sizeof *m.v);
    assert_non_null(m.v);
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < n; i++) {
            char c = text[i * (n + 1) + j];
            if (c == '.')
                continue;
            m.p.row[nnz] = i;
            m.v[nnz++] = c == '-' ? -1.0 : c - '0';
        }
        m.p.start[j + 1] = nnz;
    }
    return m;
}

static void free_matrix(matrix *m)
{
    pattern_free(&m->p);
    free(m->v);
}

/* max |A x - b| / (max|A| max|x| n): a few eps when the solution is stable. */
static double backward_error(const matrix *m, const double *x, const double *b)
{
    int32_t n = m->p.view.n_cols;
    double *r = malloc((size_t)n * sizeof *r);
    assert_non_null(r);
    memcpy(r, b, (size_t)n * sizeof *r);
    for (int32_t j = 0; j < n; j++)
        for (int32_t q = m->p.start[j]; q < m->p.start[j + 1]; q++)
            r[m->p.row[q]] -= m->v[q] * x[j];
    double error = vector_max_abs(r, n);
    error /= vector_max_abs(m->v, pattern_nnz(&m->p.view)) * vector_max_abs(x, n) * n;
    free(r);
    return error;
}

static double factor_and_solve(const daedal_linsolver *s, void *lu, const matrix *m)
{
    int32_t n = m->p.view.n_cols;
    double *x = malloc(2 * (size_t)n * sizeof *x);
    assert_non_null(x);
    assert_int_equal(s->factor(lu, m->v), DAEDAL_OK);
    assert_int_equal(s->singular_column(lu), -1);
    for (int32_t i = 0; i < n; i++)
        x[i] = x[n + i] = uniform(-1.0, 1.0);
    s->solve(lu, x);
    double error = backward_error(m, x, x + n);
    free(x);
    return error;
}

/* ---- tests ---------------------------------------------------------------- */

static void test_many_sizes(void **state)
{
    static const int32_t sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,  15,
                                    16, 17, 18, 19, 20, 21, 31, 32, 33, 50, 64, 99, 128, 200};
    (void)state;
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++)
        for (int kind = 0; kind < KINDS; kind++) {
            matrix m = make_matrix(kind, sizes[c]);
            for (int k = 0; k < SOLVERS; k++) {
                const daedal_linsolver *s = solver(k);
                void *lu;
                assert_int_equal(s->create(&lu, &m.p.view, NULL), DAEDAL_OK);
                /* changed values; KLU may keep pivots that were better once */
                for (int again = 0; again < 3; again++) {
                    draw_values(&m, kind);
                    double error = factor_and_solve(s, lu, &m);
                    if (!(error < (strcmp(s->name, "klu") ? 1e-14 : 1e-10)))
                        fail_msg("%s, n = %d, kind %d: error %g", s->name, (int)sizes[c], kind,
                                 error);
                }
                s->destroy(lu);
            }
            free_matrix(&m);
        }
}

/* The caller's pattern may go after create. */
static void test_pattern_is_copied(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVERS; k++) {
        matrix m = make_matrix(BANDED, 30), gone = make_matrix(BANDED, 30);
        void *lu;
        draw_values(&m, BANDED);
        assert_int_equal(solver(k)->create(&lu, &gone.p.view, NULL), DAEDAL_OK);
        free_matrix(&gone);
        for (int again = 0; again < 2; again++)
            assert_true(factor_and_solve(solver(k), lu, &m) < 1e-14);
        solver(k)->destroy(lu);
        free_matrix(&m);
    }
}

/* Which column is to blame where only one can be; -2 where several are right. */
static void test_singular(void **state)
{
    static const struct {
        const char *text;
        int32_t blame;
    } cases[] = {
        {"0", 0},
        {"10/00", 1},
        {"00/01", 0},
        {"11/11", 1},
        {"100/000/001", 1},
        {"1.0/.10/..0", 2},
        {"1../.../..1", 1},
        {"124/248/111", -2},
        {".1./.2./1.1", -2},
        {"1000000000/0100000000/0010000000/0001000000/0000100000/0000000000/0000001000/"
         "0000000100/0000000010/0000000001",
         5},
        {"110000000000/110000000000/001000000000/000100000000/000010000000/000001000000/"
         "000000100000/000000010000/000000001000/000000000100/000000000010/000000000001",
         -2},
        {"100000000000/010000000000/001000000000/000100000000/000010000000/000001000000/"
         "000000100000/000000010000/000000001000/000000000100/000000000000/000000000001",
         10},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < SOLVERS; k++) {
            const daedal_linsolver *s = solver(k);
            matrix m = from_text(cases[c].text);
            int32_t n = m.p.view.n_cols;
            void *lu;
            assert_int_equal(s->create(&lu, &m.p.view, NULL), DAEDAL_OK);
            daedal_status status = s->factor(lu, m.v);
            int32_t blame = s->singular_column(lu);
            bool right = cases[c].blame == -2 ? blame >= 0 && blame < n : blame == cases[c].blame;
            if (status != DAEDAL_ERR_SINGULAR || !right)
                fail_msg("%s, case %d: status %d, blame %d", s->name, (int)c, (int)status,
                         (int)blame);
            s->destroy(lu);
            free_matrix(&m);
        }
}

/* Singular once must not spoil what follows, whether it was the first or not. */
static void test_recovers_from_singular(void **state)
{
    static const int32_t sizes[] = {1, 4, 12, 40};
    (void)state;
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++)
        for (int k = 0; k < SOLVERS; k++) {
            const daedal_linsolver *s = solver(k);
            int32_t n = sizes[c], nnz;
            matrix m = make_matrix(BANDED, n), zero = make_matrix(BANDED, n);
            void *lu;
            nnz = pattern_nnz(&m.p.view);
            memset(zero.v, 0, (size_t)nnz * sizeof *zero.v);
            assert_int_equal(s->create(&lu, &m.p.view, NULL), DAEDAL_OK);
            for (int again = 0; again < 3; again++) {
                assert_int_equal(s->factor(lu, zero.v), DAEDAL_ERR_SINGULAR);
                assert_in_range(s->singular_column(lu), 0, n - 1);
                draw_values(&m, BANDED);
                assert_true(factor_and_solve(s, lu, &m) < 1e-14);
                assert_true(factor_and_solve(s, lu, &m) < 1e-14);
            }
            s->destroy(lu);
            free_matrix(&m);
            free_matrix(&zero);
        }
}

/* A NaN or Inf anywhere is never taken for a regular matrix. */
static void test_not_finite(void **state)
{
    static const int32_t sizes[] = {1, 2, 3, 8, 9, 17, 30};
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    (void)state;
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++)
        for (int k = 0; k < SOLVERS; k++) {
            const daedal_linsolver *s = solver(k);
            matrix m = make_matrix(FULL, sizes[c]);
            int32_t nnz = pattern_nnz(&m.p.view);
            void *lu;
            assert_int_equal(s->create(&lu, &m.p.view, NULL), DAEDAL_OK);
            for (int32_t q = 0; q < nnz; q += 1 + nnz / 40) {
                draw_values(&m, FULL);
                m.v[q] = bad[q % 3];
                if (s->factor(lu, m.v) != DAEDAL_ERR_SINGULAR)
                    fail_msg("%s, n = %d: %g at %d passed", s->name, (int)sizes[c], m.v[q], (int)q);
                assert_in_range(s->singular_column(lu), 0, sizes[c] - 1);
            }
            s->destroy(lu);
            free_matrix(&m);
        }
}

/* The pivots that were good at first become tiny: an old order must be given up. */
static void test_pivots_go_bad(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVERS; k++) {
        const daedal_linsolver *s = solver(k);
        matrix m = from_text("911.../191.../119.../...911/...191/...119/");
        void *lu;
        assert_int_equal(s->create(&lu, &m.p.view, NULL), DAEDAL_OK);
        assert_true(factor_and_solve(s, lu, &m) < 1e-15);
        for (int step = 0; step < 16; step++) { /* the diagonal of the first block fades */
            for (int32_t j = 0; j < 2; j++)
                m.v[pattern_find(&m.p.view, j, j)] *= 0.1;
            double error = factor_and_solve(s, lu, &m);
            if (!(error < 1e-9))
                fail_msg("%s, step %d: error %g", s->name, step, error);
        }
        m.v[0] = 0.0; /* and vanishes */
        assert_true(factor_and_solve(s, lu, &m) < 1e-12);
        if (strcmp(s->name, "klu") == 0)
            assert_in_range(s->reallocations(lu), 1, 8);
        else
            assert_null(s->reallocations);
        s->destroy(lu);
        free_matrix(&m);
    }
}

/* Rows of very different size are the rule in iteration matrices. */
static void test_bad_scaling(void **state)
{
    static const double sizes[] = {1e-200, 1e-18, 1e18, 1e200};
    (void)state;
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++)
        for (int k = 0; k < SOLVERS; k++) {
            const daedal_linsolver *s = solver(k);
            matrix m = from_text("21/13/");
            double x[2] = {3.0 * sizes[c], 4.0}; /* of [2 s, s; 1, 3] (1, 1) */
            void *lu;
            m.v[0] *= sizes[c];
            m.v[2] *= sizes[c];
            assert_int_equal(s->create(&lu, &m.p.view, NULL), DAEDAL_OK);
            assert_int_equal(s->factor(lu, m.v), DAEDAL_OK);
            s->solve(lu, x);
            assert_true(fabs(x[0] - 1.0) < 1e-14 && fabs(x[1] - 1.0) < 1e-14);
            s->destroy(lu);
            free_matrix(&m);
        }
}

static void test_not_square(void **state)
{
    (void)state;
    pattern p;
    assert_true(pattern_create(&p, 3, 2, 0, NULL));
    for (int k = 0; k < SOLVERS; k++) {
        void *lu = &p;
        assert_int_equal(solver(k)->create(&lu, &p.view, NULL), DAEDAL_ERR_ARGUMENT);
        assert_null(lu);
        solver(k)->destroy(NULL);
    }
    pattern_free(&p);
}

static void test_memory(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVERS; k++) {
        const daedal_linsolver *s = solver(k);
        matrix m = make_matrix(BANDED, 20);
        daedal_status status = DAEDAL_ERR_MEMORY;
        draw_values(&m, BANDED);
        for (long refuse = 1; status == DAEDAL_ERR_MEMORY; refuse++) {
            ledger books;
            void *lu;
            ledger_open(&books);
            books.refuse = refuse;
            status = s->create(&lu, &m.p.view, &books.allocator);
            assert_int_equal(lu == NULL, status != DAEDAL_OK);
            if (lu) { /* factor and solve take nothing */
                books.closed = true;
                assert_true(factor_and_solve(s, lu, &m) < 1e-14);
                s->destroy(lu);
            }
            assert_int_equal(books.forbidden, 0);
            ledger_expect_empty(&books);
        }
        assert_int_equal(status, DAEDAL_OK);
        free_matrix(&m);
    }
}

/* ---- the choice ----------------------------------------------------------- */

static void fill_band(matrix *m, int32_t n, int32_t lower, int32_t upper)
{
    int32_t nnz = 0;
    assert_true(pattern_create(&m->p, n, n, n * (lower + upper + 1), NULL));
    m->v = NULL;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = j - upper; i <= j + lower; i++)
            if (i >= 0 && i < n)
                m->p.row[nnz++] = i;
        m->p.start[j + 1] = nnz;
    }
}

static void test_choice(void **state)
{
    static const struct {
        int32_t n, lower, upper;
        const char *name;
    } cases[] = {
        {1, 0, 0, "dense"},    {5, 1, 1, "dense"},     {16, 15, 15, "dense"},
        {40, 39, 39, "dense"}, {100, 99, 99, "dense"}, {300, 299, 299, "lapack"},
        {60, 1, 1, "band"},    {70, 1, 1, "band"},     {1000, 1, 1, "band"},
        {1000, 2, 2, "band"},  {1000, 30, 30, "band"},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        matrix m;
        fill_band(&m, cases[c].n, cases[c].lower, cases[c].upper);
        assert_string_equal(linsolver_choose(LINSOLVER_AUTO, &m.p.view)->name, cases[c].name);
        free_matrix(&m);
    }
    assert_string_equal(solver(0)->name, "dense");
    assert_string_equal(solver(1)->name, "lapack");
    assert_string_equal(solver(2)->name, "band");
    assert_string_equal(solver(3)->name, "klu");
}

/* All widths around those with loops of their own; a large diagonal keeps rows in their place,
 * without it they are exchanged.                                                       */
static void test_band_widths(void **state)
{
    static const int32_t sizes[] = {1, 2, 5, 9, 30};
    const daedal_linsolver *s = daedal_linsolver_band();
    (void)state;
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++)
        for (int32_t shape = 0; shape < 81; shape++) {
            const int32_t n = sizes[c], lower = shape / 9, upper = shape % 9;
            matrix m;
            void *lu;
            fill_band(&m, n, lower, upper);
            m.v = malloc((size_t)m.p.start[n] * sizeof *m.v);
            assert_non_null(m.v);
            assert_int_equal(s->create(&lu, &m.p.view, NULL), DAEDAL_OK);
            for (int again = 0; again < 4; again++) {
                for (int32_t j = 0; j < n; j++)
                    for (int32_t q = m.p.start[j]; q < m.p.start[j + 1]; q++)
                        m.v[q] = uniform(-1.0, 1.0) +
                                 (m.p.row[q] == j && (again % 2 == 0 || lower == 0) ? 20.0 : 0.0);
                double error = factor_and_solve(s, lu, &m);
                if (!(error < 1e-13))
                    fail_msg("n = %d, %d + %d: error %g", (int)n, (int)lower, (int)upper, error);
            }
            s->destroy(lu);
            free_matrix(&m);
        }
}

/* Several right-hand sides give what each of them gives alone. */
static void check_together(const daedal_linsolver *s, matrix *m, int32_t count)
{
    enum { MOST = 30 * 9 };
    double b[MOST], alone[MOST];
    int32_t n = m->p.view.n_cols;
    void *lu;
    assert_true(n * count <= MOST);
    assert_int_equal(s->create(&lu, &m->p.view, NULL), DAEDAL_OK);
    assert_int_equal(s->factor(lu, m->v), DAEDAL_OK);
    for (int32_t k = 0; k < n * count; k++)
        alone[k] = b[k] = uniform(-1.0, 1.0);
    for (int32_t k = 0; k < count; k++)
        s->solve(lu, alone + k * n);
    linsolver_solve_many(s, lu, b, n, count);
    for (int32_t k = 0; k < n * count; k++)
        if (!(fabs(b[k] - alone[k]) <= 1e-9 * (1.0 + fabs(alone[k]))))
            fail_msg("%s, n = %d, %d together: %.17g is not %.17g", s->name, (int)n, (int)count,
                     b[k], alone[k]);
    s->destroy(lu);
}

static void test_together(void **state)
{
    (void)state;
    for (int32_t shape = 0; shape < 64; shape++) {
        matrix m;
        fill_band(&m, 30, shape / 8, shape % 8);
        m.v = malloc((size_t)m.p.start[30] * sizeof *m.v);
        assert_non_null(m.v);
        draw_values(&m, BANDED); /* a large diagonal; then without it */
        for (int32_t count = 1; count <= 9; count++)
            for (int k = 0; k < SOLVERS; k++)
                check_together(solver(k), &m, count);
        if (shape / 8 > 0 && shape % 8 > 0) {
            draw_values(&m, FULL);
            check_together(daedal_linsolver_band(), &m, 6);
        }
        free_matrix(&m);
    }
}

/* ---- reductions ----------------------------------------------------------- */

static void test_reductions(void **state)
{
    (void)state;
    double v[17], w[17];
    for (int32_t n = 1; n <= 17; n++) {
        double sum = 0.0, largest = 0.0;
        for (int32_t i = 0; i < n; i++) {
            v[i] = uniform(-1.0, 1.0);
            w[i] = uniform(0.1, 10.0);
            sum += v[i] * w[i] * (v[i] * w[i]);
            largest = fmax(largest, fabs(v[i]));
        }
        assert_true(fabs(vector_wrms(v, w, n) - sqrt(sum / n)) <= 4 * DBL_EPSILON * sqrt(sum));
        assert_true(vector_max_abs(v, n) >= largest && vector_max_abs(v, n) <= largest);
        assert_true(vector_all_finite(v, n));
        assert_int_equal(vector_first_not_finite(v, n), -1);
        for (int32_t i = 0; i < n; i++) {
            double kept = v[i];
            static const double bad[] = {NAN, INFINITY, -INFINITY};
            v[i] = bad[i % 3];
            assert_false(vector_all_finite(v, n));
            assert_int_equal(vector_first_not_finite(v, n), i);
            assert_false(vector_wrms(v, w, n) <= DBL_MAX);
            v[i] = kept;
        }
    }
    v[0] = DBL_MAX;
    v[1] = -DBL_MAX;
    assert_true(vector_all_finite(v, 2));
}

/* ---- large sparse matrices ------------------------------------------------------ */

enum { OF_A_LINK = 5, NEIGHBOURS = 3 };

/* Entry (i, j) of the Newton matrix of a chain of rods; 0 is no entry. */
static double chain_entry(int32_t links, int32_t i, int32_t j)
{
    const double c = 100.0, force = 0.3, along[] = {0.6, 0.8};
    int32_t k = i / OF_A_LINK, row = i % OF_A_LINK, of = j / OF_A_LINK - k, col = j % OF_A_LINK;
    double last = k + 1 < links ? 1.0 : 0.0;
    if (row < 2) /* x' = v */
        return of == 0 && col == row ? c : of == 0 && col == row + 2 ? -1.0 : 0.0;
    if (row == 4) /* length */
        return col < 2 && of == 0    ? 2.0 * along[col]
               : col < 2 && of == -1 ? -2.0 * along[col]
                                     : 0.0;
    if (col == 4)
        return of == 0 ? along[row - 2] : of == 1 ? -along[row - 2] : 0.0;
    if (col == row)
        return of == 0 ? c : 0.0;
    if (col != row - 2)
        return 0.0;
    return of == 0 ? force * (1.0 + last) : of == 1 || of == -1 ? -force : 0.0;
}

static void shuffle(int32_t *list, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        list[i] = i;
    for (int32_t i = n - 1; i > 0; i--) {
        int32_t k = (int32_t)uniform(0.0, i + 1.0), old = list[i];
        list[i] = list[k];
        list[k] = old;
    }
}

/* Equations and unknowns in random order. */
static matrix make_chain(int32_t links)
{
    int32_t n = OF_A_LINK * links, nnz = 0;
    int32_t *to = malloc(2 * (size_t)n * sizeof *to), *from = to + n;
    double *dense = malloc((size_t)n * sizeof *dense);
    matrix m;
    assert_true(to && dense && pattern_create(&m.p, n, n, 12 * n, NULL));
    m.v = malloc(12 * (size_t)n * sizeof *m.v);
    assert_non_null(m.v);
    shuffle(to, n);
    shuffle(from, n);
    for (int32_t q = 0; q < n; q++) {
        int32_t j = from[q], first = j / OF_A_LINK - 1;
        memset(dense, 0, (size_t)n * sizeof *dense);
        for (int32_t k = first < 0 ? 0 : first; k < first + NEIGHBOURS && k < links; k++)
            for (int32_t r = 0; r < OF_A_LINK; r++)
                dense[to[OF_A_LINK * k + r]] = chain_entry(links, OF_A_LINK * k + r, j);
        m.p.start[q] = nnz;
        for (int32_t i = 0; i < n; i++)
            if (dense[i] != 0.0) {
                m.p.row[nnz] = i;
                m.v[nnz++] = dense[i];
            }
    }
    m.p.start[n] = nnz;
    free(dense);
    free(to);
    return m;
}

/* |A x - b| / |A| |x| for b = 1, in the norm of the largest entry. */
static double residual_of(const matrix *m, const double *x)
{
    int32_t n = m->p.view.n_cols;
    double *r = malloc((size_t)n * sizeof *r), most = 0.0;
    double size = vector_max_abs(m->v, pattern_nnz(&m->p.view)) * vector_max_abs(x, n);
    assert_non_null(r);
    for (int32_t i = 0; i < n; i++)
        r[i] = -1.0;
    for (int32_t j = 0; j < n; j++)
        for (int32_t q = m->p.start[j]; q < m->p.start[j + 1]; q++)
            r[m->p.row[q]] += m->v[q] * x[j];
    for (int32_t i = 0; i < n; i++)
        most = fmax(most, fabs(r[i]));
    free(r);
    return most / size;
}

/* Small pivots on the diagonal lose two digits in some of these. */
static void klu_keeps_digits(void **state)
{
    (void)state;
    const daedal_linsolver *klu = daedal_linsolver_klu();
    seed = 1;
    for (int k = 0; k < 100; k++) {
        matrix m = make_chain(k % 2 ? 250 : 100);
        int32_t n = m.p.view.n_cols;
        void *factors = NULL;
        double *x = malloc((size_t)n * sizeof *x);
        assert_int_equal(klu->create(&factors, &m.p.view, NULL), DAEDAL_OK);
        assert_int_equal(klu->factor(factors, m.v), DAEDAL_OK);
        for (int32_t i = 0; i < n; i++)
            x[i] = 1.0;
        klu->solve(factors, x);
        expect_near(residual_of(&m, x), 0.0, 5e-15);
        klu->destroy(factors);
        free(x);
        free(m.v);
        pattern_free(&m.p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_sizes),  cmocka_unit_test(test_pattern_is_copied),
        cmocka_unit_test(test_singular),    cmocka_unit_test(test_recovers_from_singular),
        cmocka_unit_test(test_not_finite),  cmocka_unit_test(test_pivots_go_bad),
        cmocka_unit_test(test_bad_scaling), cmocka_unit_test(test_not_square),
        cmocka_unit_test(test_memory),      cmocka_unit_test(test_choice),
        cmocka_unit_test(test_band_widths), cmocka_unit_test(test_together),
        cmocka_unit_test(test_reductions),  cmocka_unit_test(klu_keeps_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
