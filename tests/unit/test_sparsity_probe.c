/* tests/unit/test_sparsity_probe.c - patterns found by calling a function, against the ones
 * it was written with.                                                          */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "index/sparsity_probe.h"

/* A system described by its true patterns: row lists, plus what makes it hard. */
typedef struct model {
    int32_t n;
    pattern y, yp;     /* what F really depends on                              */
    pattern y_t, yp_t; /* their transposes, to evaluate by rows                 */
    int flavour;       /* how entries act, see act()                            */
    int32_t noisy_row; /* -1: none                                              */
    double yp_coefficient;
    int64_t calls, answer_from; /* from this call on give `answer` (0: never)      */
    int answer;
} model;

enum { SMOOTH, ROOTS, LOGS, PRODUCTS };

static double act(const model *m, double v, int32_t k)
{
    switch (m->flavour) {
    case ROOTS:
        return sqrt(v) * (1.0 + 0.1 * k);
    case LOGS:
        return log(v) * (1.0 + 0.1 * k);
    default:
        return v * (1.3 + 0.1 * k) + 0.2 * v * v;
    }
}

static int evaluate_model(double t, const double *y, const double *yp, double *r, void *self)
{
    model *m = self;
    m->calls++;
    if (m->answer_from && m->calls >= m->answer_from)
        return m->answer;
    for (int32_t i = 0; i < m->n; i++) {
        double sum = 0.1 * t, product = 1.0;
        for (int32_t q = m->y_t.start[i]; q < m->y_t.start[i + 1]; q++) {
            sum += act(m, y[m->y_t.row[q]], q % 7);
            product *= y[m->y_t.row[q]];
        }
        r[i] = m->flavour == PRODUCTS ? product : sum;
        for (int32_t q = m->yp_t.start[i]; q < m->yp_t.start[i + 1]; q++)
            r[i] += m->yp_coefficient * yp[m->yp_t.row[q]];
        if (i == m->noisy_row)
            r[i] += 1e-9 * (double)m->calls;
    }
    return DAEDAL_CALL_OK;
}

/* ---- patterns by rule ----------------------------------------------------- */

typedef bool rule(int32_t n, int32_t i, int32_t j);

static bool is_diagonal(int32_t n, int32_t i, int32_t j)
{
    (void)n;
    return i == j;
}

static bool is_diagonal_but_one(int32_t n, int32_t i, int32_t j)
{
    return i == j || (i == n / 3 && j == n - 2);
}

static bool is_shifted(int32_t n, int32_t i, int32_t j)
{
    return (i + 5) % n == j;
}

static bool is_even_diagonal(int32_t n, int32_t i, int32_t j)
{
    (void)n;
    return i == j && i % 2 == 0;
}

static bool is_tridiagonal(int32_t n, int32_t i, int32_t j)
{
    (void)n;
    return abs(i - j) <= 1;
}

static bool is_dense_row(int32_t n, int32_t i, int32_t j)
{
    return abs(i - j) <= 1 || i == n / 3;
}

static bool is_dense_column(int32_t n, int32_t i, int32_t j)
{
    return i == j || j == n / 2;
}

static bool is_full(int32_t n, int32_t i, int32_t j)
{
    (void)n;
    (void)i;
    (void)j;
    return true;
}

static bool is_scattered(int32_t n, int32_t i, int32_t j) /* 4 a row, no order */
{
    uint32_t x = (uint32_t)(i * 7919 + 13);
    if (i == j)
        return true;
    for (int k = 0; k < 3; k++) {
        x = x * 1664525u + 1013904223u;
        if (j == (int32_t)((x >> 8) % (uint32_t)n))
            return true;
    }
    return false;
}

static pattern by_rule(int32_t n, rule *has)
{
    pattern p;
    int32_t nnz = 0;
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++)
            nnz += has(n, i, j);
    assert_true(pattern_create(&p, n, n, nnz, NULL));
    nnz = 0;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t i = 0; i < n; i++)
            if (has(n, i, j))
                p.row[nnz++] = i;
        p.start[j + 1] = nnz;
    }
    return p;
}

static pattern grid_pattern(int32_t side)
{
    pattern p;
    int32_t n = side * side, q = 0;
    assert_true(pattern_create(&p, n, n, 5 * n, NULL));
    for (int32_t j = 0; j < n; j++) {
        int32_t x = j / side, y = j % side;
        if (x > 0)
            p.row[q++] = j - side;
        if (y > 0)
            p.row[q++] = j - 1;
        p.row[q++] = j;
        if (y < side - 1)
            p.row[q++] = j + 1;
        if (x < side - 1)
            p.row[q++] = j + side;
        p.start[j + 1] = q;
    }
    return p;
}

static model make_model(pattern y, pattern yp, int flavour)
{
    model m = {.n = y.view.n_cols, .y = y, .yp = yp, .flavour = flavour, .noisy_row = -1};
    m.yp_coefficient = 1.0;
    assert_true(pattern_transpose(&m.y_t, &y.view, NULL));
    assert_true(pattern_transpose(&m.yp_t, &yp.view, NULL));
    return m;
}

static void free_model(model *m)
{
    pattern_free(&m->y);
    pattern_free(&m->yp);
    pattern_free(&m->y_t);
    pattern_free(&m->yp_t);
}

/* ---- running a probe ------------------------------------------------------ */

typedef struct point {
    double *y, *yp, *y_scale, *yp_scale;
    double t_span;
} point;

static point make_point(int32_t n, double y, double yp, double t_span)
{
    point at = {.t_span = t_span};
    double **all[] = {&at.y, &at.yp, &at.y_scale, &at.yp_scale};
    for (int k = 0; k < 4; k++) {
        *all[k] = malloc((size_t)n * sizeof(double));
        assert_non_null(*all[k]);
    }
    for (int32_t j = 0; j < n; j++) {
        at.y[j] = y;
        at.yp[j] = yp;
        at.y_scale[j] = fmax(fabs(y), 1e-3);
        at.yp_scale[j] = fmax(fabs(yp), at.y_scale[j] / t_span);
    }
    return at;
}

static daedal_status run_probe(model *m, const point *at, pattern *dy, pattern *dyp,
                               const daedal_allocator *a)
{
    probe_target f = {m->n, evaluate_model, m, at->y_scale, at->yp_scale, at->t_span};
    return probe_patterns(&f, 0.5, at->y, at->yp, dy, dyp, a);
}

static void free_point(point *at)
{
    free(at->y);
    free(at->yp);
    free(at->y_scale);
    free(at->yp_scale);
}

static bool equal(const pattern *a, const pattern *b)
{
    int32_t nnz = pattern_nnz(&a->view);
    return a->view.n_cols == b->view.n_cols && nnz == pattern_nnz(&b->view) &&
           !memcmp(a->start, b->start, ((size_t)a->view.n_cols + 1) * sizeof *a->start) &&
           (nnz == 0 || !memcmp(a->row, b->row, (size_t)nnz * sizeof *a->row));
}

static bool contains(const pattern *big, const pattern *small)
{
    for (int32_t j = 0; j < small->view.n_cols; j++)
        for (int32_t q = small->start[j]; q < small->start[j + 1]; q++)
            if (pattern_find(&big->view, small->row[q], j) < 0)
                return false;
    return true;
}

/* ---- tests ---------------------------------------------------------------- */

static void test_exact_patterns(void **state)
{
    static const struct {
        const char *name;
        int32_t n;
        rule *y, *yp;
        int flavour;
        double start, rate; /* y and y' */
        int64_t calls_max;
    } cases[] = {
        {"one variable", 1, is_diagonal, is_diagonal, SMOOTH, 1, 0, 30},
        {"two, one algebraic", 2, is_full, is_even_diagonal, SMOOTH, 1, 0, 30},
        {"tridiagonal, one by one", 40, is_tridiagonal, is_diagonal, SMOOTH, 1, 1, 80},
        {"start at zero", 40, is_tridiagonal, is_diagonal, PRODUCTS, 0, 0, 80},
        {"tridiagonal 65", 65, is_tridiagonal, is_diagonal, SMOOTH, 1, 1, 120},
        {"tridiagonal 200", 200, is_tridiagonal, is_diagonal, SMOOTH, 1, 1, 120},
        {"products at zero", 200, is_tridiagonal, is_even_diagonal, PRODUCTS, 0, 0, 120},
        {"no derivative", 100, is_tridiagonal, is_even_diagonal, SMOOTH, 1, 1, 120},
        {"one derivative more", 200, is_tridiagonal, is_diagonal_but_one, SMOOTH, 1, 1, 200},
        {"derivatives of others", 200, is_tridiagonal, is_shifted, SMOOTH, 1, 1, 200},
        {"coupled derivatives", 200, is_diagonal, is_tridiagonal, SMOOTH, 1, 1, 200},
        {"scattered", 500, is_scattered, is_diagonal, SMOOTH, 1, 1, 900},
        {"dense row", 300, is_dense_row, is_diagonal, SMOOTH, 1, 1, 300},
        {"dense row, 2000", 2000, is_dense_row, is_diagonal, SMOOTH, 1, 1, 400},
        {"dense column", 300, is_dense_column, is_diagonal, SMOOTH, 1, 1, 300},
        {"full", 100, is_full, is_diagonal, SMOOTH, 1, 1, 400},
        {"roots inside", 150, is_tridiagonal, is_diagonal, ROOTS, 1, 1, 150},
        {"roots at their edge", 150, is_tridiagonal, is_diagonal, ROOTS, 0, 1, 300},
        {"logarithms, small", 30, is_tridiagonal, is_diagonal, LOGS, 1e-3, 1, 300},
        {"logarithms", 150, is_tridiagonal, is_diagonal, LOGS, 1e-3, 1, 300},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int32_t n = cases[k].n;
        model m = make_model(by_rule(n, cases[k].y), by_rule(n, cases[k].yp), cases[k].flavour);
        point at = make_point(n, cases[k].start, cases[k].rate, 1.0);
        pattern dy, dyp;
        daedal_status status = run_probe(&m, &at, &dy, &dyp, NULL);
        bool good = status == DAEDAL_OK && equal(&dy, &m.y) && equal(&dyp, &m.yp) &&
                    m.calls <= cases[k].calls_max;
        if (!good)
            fail_msg("%s: status %d, %d and %d entries of %d and %d, %d calls", cases[k].name,
                     (int)status, (int)pattern_nnz(&dy.view), (int)pattern_nnz(&dyp.view),
                     (int)pattern_nnz(&m.y.view), (int)pattern_nnz(&m.yp.view), (int)m.calls);
        pattern_free(&dy);
        pattern_free(&dyp);
        free_point(&at);
        free_model(&m);
    }
}

static void test_grid(void **state)
{
    (void)state;
    model m = make_model(grid_pattern(100), by_rule(1, is_full), SMOOTH);
    pattern_free(&m.yp);
    pattern_free(&m.yp_t);
    assert_true(pattern_create(&m.yp, m.n, m.n, m.n, NULL));
    for (int32_t j = 0; j < m.n; j++)
        m.yp.row[j] = m.yp.start[j] = j;
    m.yp.start[m.n] = m.n;
    assert_true(pattern_transpose(&m.yp_t, &m.yp.view, NULL));
    point at = make_point(m.n, 1, 1, 1);
    pattern dy, dyp;
    assert_int_equal(run_probe(&m, &at, &dy, &dyp, NULL), DAEDAL_OK);
    assert_true(equal(&dy, &m.y));
    assert_true(equal(&dyp, &m.yp));
    assert_in_range(m.calls, 1, 399);
    pattern_free(&dy);
    pattern_free(&dyp);
    free_point(&at);
    free_model(&m);
}

/* A time scale of 1e13: y' is 1e-13 of y, and a thousandth of it below roundoff. */
static void test_slow_derivatives(void **state)
{
    static const int32_t sizes[] = {4, 50, 150};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        model m =
            make_model(by_rule(sizes[k], is_tridiagonal), by_rule(sizes[k], is_diagonal), SMOOTH);
        point at = make_point(sizes[k], 1, 0, 1e13);
        pattern dy, dyp;
        m.yp_coefficient = 1e-3;
        assert_int_equal(run_probe(&m, &at, &dy, &dyp, NULL), DAEDAL_OK);
        assert_true(equal(&dy, &m.y));
        assert_true(equal(&dyp, &m.yp));
        pattern_free(&dy);
        pattern_free(&dyp);
        free_point(&at);
        free_model(&m);
    }
}

static void test_noisy_row_is_full(void **state)
{
    static const int32_t sizes[] = {10, 200};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int32_t n = sizes[k];
        model m = make_model(by_rule(n, is_tridiagonal), by_rule(n, is_diagonal), SMOOTH);
        point at = make_point(n, 1, 1, 1);
        pattern dy, dyp;
        m.noisy_row = 5;
        assert_int_equal(run_probe(&m, &at, &dy, &dyp, NULL), DAEDAL_OK);
        for (int32_t j = 0; j < n; j++) {
            assert_true(pattern_find(&dy.view, 5, j) >= 0);
            assert_true(pattern_find(&dyp.view, 5, j) >= 0);
        }
        assert_true(contains(&dy, &m.y) && contains(&dyp, &m.yp));
        assert_int_equal(pattern_nnz(&dyp.view), 2 * n - 1);
        pattern_free(&dy);
        pattern_free(&dyp);
        free_point(&at);
        free_model(&m);
    }
}

static void test_answers_pass_through(void **state)
{
    static const struct {
        int answer;
        int64_t from;
        daedal_status status;
    } cases[] = {
        {DAEDAL_CALL_FAIL, 1, DAEDAL_ERR_CALLBACK}, {DAEDAL_CALL_FAIL, 20, DAEDAL_ERR_CALLBACK},
        {DAEDAL_CALL_STOP, 1, DAEDAL_STOPPED},      {DAEDAL_CALL_STOP, 2, DAEDAL_STOPPED},
        {DAEDAL_CALL_STOP, 30, DAEDAL_STOPPED},     {DAEDAL_CALL_RETRY, 1, DAEDAL_ERR_NOT_FINITE},
    };
    static const int32_t sizes[] = {20, 200};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t s = 0; s < 2; s++) {
            model m = make_model(by_rule(sizes[s], is_tridiagonal), by_rule(sizes[s], is_diagonal),
                                 SMOOTH);
            point at = make_point(sizes[s], 1, 1, 1);
            pattern dy, dyp;
            m.answer = cases[k].answer;
            m.answer_from = cases[k].from;
            assert_int_equal(run_probe(&m, &at, &dy, &dyp, NULL), cases[k].status);
            assert_null(dy.mem.p);
            assert_null(dyp.mem.p);
            free_point(&at);
            free_model(&m);
        }
}

/* Outside the domain in all directions: assume the worst, but do not fail. */
static int only_here(double t, const double *y, const double *yp, double *r, void *self)
{
    (void)t;
    (void)self;
    for (int32_t i = 0; i < 3; i++) {
        r[i] = yp[i];
        if (y[i] != 1.0)
            return DAEDAL_CALL_RETRY;
    }
    return DAEDAL_CALL_OK;
}

static void test_point_without_neighbourhood(void **state)
{
    (void)state;
    double one[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
    probe_target f = {3, only_here, NULL, one, one, 1.0};
    pattern dy, dyp;
    assert_int_equal(probe_patterns(&f, 0.0, one, zero, &dy, &dyp, NULL), DAEDAL_OK);
    assert_int_equal(pattern_nnz(&dy.view), 9);
    assert_int_equal(pattern_nnz(&dyp.view), 3);
    pattern_free(&dy);
    pattern_free(&dyp);
}

/* Fail every allocation in turn. */
static void test_memory_failures(void **state)
{
    static rule *const rules[] = {is_tridiagonal, is_dense_row, is_full};
    (void)state;
    for (size_t s = 0; s < sizeof rules / sizeof *rules; s++) {
        model m = make_model(by_rule(50, rules[s]), by_rule(50, is_diagonal), SMOOTH);
        point at = make_point(50, 1, 1, 1);
        daedal_status status = DAEDAL_ERR_MEMORY;
        for (long refuse = 1; status == DAEDAL_ERR_MEMORY; refuse++) {
            ledger books;
            pattern dy, dyp;
            ledger_open(&books);
            books.refuse = refuse;
            status = run_probe(&m, &at, &dy, &dyp, &books.allocator);
            pattern_free(&dy);
            pattern_free(&dyp);
            ledger_expect_empty(&books);
        }
        assert_int_equal(status, DAEDAL_OK);
        free_point(&at);
        free_model(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_patterns),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_slow_derivatives),
        cmocka_unit_test(test_noisy_row_is_full),
        cmocka_unit_test(test_answers_pass_through),
        cmocka_unit_test(test_point_without_neighbourhood),
        cmocka_unit_test(test_memory_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
