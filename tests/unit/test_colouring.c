/* tests/unit/test_colouring.c - no two columns of a colour share a row, and few
 * colours are used.                                                             */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/colouring.h"

/* ---- patterns ------------------------------------------------------------- */

typedef struct shape {
    enum { BAND, ARROW, EMPTY_ROWS_AND_COLUMNS, FULL, GRID, SCATTERED } kind;
    int32_t n, lower, upper; /* GRID: side = lower; SCATTERED: lower entries a row  */
} shape;

static bool scattered(int32_t n, int32_t i, int32_t j, int32_t count)
{
    uint32_t x = (uint32_t)(i * 7919 + 13);
    for (int32_t k = 0; k < count; k++) {
        x = x * 1664525u + 1013904223u;
        if (j == (int32_t)((x >> 8) % (uint32_t)n))
            return true;
    }
    return i == j;
}

static bool has_entry(const shape *s, int32_t i, int32_t j)
{
    switch (s->kind) {
    case BAND:
        return i - j <= s->lower && j - i <= s->upper;
    case ARROW:
        return i == j || i == 0 || j == 0;
    case EMPTY_ROWS_AND_COLUMNS:
        return i == j && i % 3 == 0;
    case GRID:
        return abs(i - j) == s->lower || (abs(i - j) <= 1 && i / s->lower == j / s->lower);
    case SCATTERED:
        return scattered(s->n, i, j, s->lower);
    default:
        return true;
    }
}

static pattern make(const shape *s)
{
    pattern p;
    int32_t nnz = 0;
    for (int32_t j = 0; j < s->n; j++)
        for (int32_t i = 0; i < s->n; i++)
            nnz += has_entry(s, i, j);
    assert_true(pattern_create(&p, s->n, s->n, nnz, NULL));
    nnz = 0;
    for (int32_t j = 0; j < s->n; j++) {
        for (int32_t i = 0; i < s->n; i++)
            if (has_entry(s, i, j))
                p.row[nnz++] = i;
        p.start[j + 1] = nnz;
    }
    return p;
}

/* ---- checks --------------------------------------------------------------- */

/* Every column that is not empty once, ascending within its colour, and no row
 * twice in a colour.                                                            */
static bool is_valid(const colouring *c, const pattern *A, const pattern *B)
{
    int32_t n = A->view.n_cols, total = 0, all = B ? 2 * n : n;
    int32_t *last = malloc((size_t)A->view.n_rows * sizeof *last);
    int32_t *seen = calloc((size_t)all, sizeof *seen);
    assert_non_null(last);
    assert_non_null(seen);
    memset(last, -1, (size_t)A->view.n_rows * sizeof *last);
    bool valid = c->start[0] == 0 && c->start[c->n_colours] == c->n_columns;
    for (int32_t k = 0; k < c->n_colours; k++)
        for (int32_t q = c->start[k]; q < c->start[k + 1]; q++) {
            int32_t j = c->column[q];
            const pattern *p = j < n ? A : B;
            valid = valid && j >= 0 && j < all && !seen[j]++;
            valid = valid && (q == c->start[k] || j > c->column[q - 1]);
            for (int32_t e = p->start[j % n]; valid && e < p->start[j % n + 1]; e++) {
                valid = last[p->row[e]] != k;
                last[p->row[e]] = k;
            }
        }
    for (int32_t j = 0; j < all; j++) {
        const pattern *p = j < n ? A : B;
        total += p->start[j % n + 1] > p->start[j % n];
    }
    free(last);
    free(seen);
    return valid && total == c->n_columns;
}

static const struct {
    const char *name;
    shape first, second; /* second.n == 0: only one pattern */
    int32_t least, most; /* colours */
} cases[] = {
    {"one column", {BAND, 1, 0, 0}, {0}, 1, 1},
    {"diagonal", {BAND, 50, 0, 0}, {0}, 1, 1},
    {"tridiagonal", {BAND, 50, 1, 1}, {0}, 3, 3},
    {"bidiagonal below", {BAND, 50, 1, 0}, {0}, 2, 2},
    {"pentadiagonal", {BAND, 200, 2, 2}, {0}, 5, 5},
    {"lopsided band", {BAND, 100, 1, 6}, {0}, 8, 8},
    {"band wider than a word", {BAND, 300, 40, 39}, {0}, 80, 80},
    {"arrow", {ARROW, 100, 0, 0}, {0}, 100, 100},
    {"full", {FULL, 70, 0, 0}, {0}, 70, 70},
    {"full, more than two words", {FULL, 130, 0, 0}, {0}, 130, 130},
    {"holes", {EMPTY_ROWS_AND_COLUMNS, 20, 0, 0}, {0}, 1, 1},
    {"tridiagonal with identity", {BAND, 60, 1, 1}, {BAND, 60, 0, 0}, 4, 4},
    {"full with identity", {FULL, 30, 0, 0}, {BAND, 30, 0, 0}, 31, 31},
    {"diagonal twice", {BAND, 9, 0, 0}, {BAND, 9, 0, 0}, 2, 2},
    {"holes with identity", {EMPTY_ROWS_AND_COLUMNS, 20, 0, 0}, {BAND, 20, 0, 0}, 2, 2},
    {"grid", {GRID, 400, 20, 0}, {0}, 5, 7},
    {"grid with identity", {GRID, 400, 20, 0}, {BAND, 400, 0, 0}, 6, 8},
    {"scattered 3", {SCATTERED, 300, 3, 0}, {0}, 4, 12},
    {"scattered 10", {SCATTERED, 300, 10, 0}, {0}, 10, 60},
    {"scattered with itself", {SCATTERED, 300, 4, 0}, {SCATTERED, 300, 4, 0}, 8, 25},
};

static void test_table(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bool joint = cases[k].second.n > 0;
        pattern A = make(&cases[k].first), B = {0};
        if (joint)
            B = make(&cases[k].second);
        colouring c;
        assert_true(colouring_create(&c, &A.view, joint ? &B.view : NULL, NULL));
        if (!is_valid(&c, &A, joint ? &B : NULL))
            fail_msg("%s: columns of one colour share a row", cases[k].name);
        if (c.n_colours < cases[k].least || c.n_colours > cases[k].most)
            fail_msg("%s: %d colours", cases[k].name, (int)c.n_colours);
        colouring_free(&c);
        pattern_free(&A);
        pattern_free(&B);
    }
}

/* ---- wanted entries --------------------------------------------------------- */

enum { WANTED_N = 60 };

static int32_t colour_of(const colouring *c, int32_t column)
{
    for (int32_t k = 0; k < c->n_colours; k++)
        for (int32_t p = c->start[k]; p < c->start[k + 1]; p++)
            if (c->column[p] == column)
                return k;
    return -1;
}

/* Whether row i has an entry of another column of the same colour. */
static bool is_disturbed(const colouring *c, const pattern *A, int32_t i, int32_t j)
{
    for (int32_t k = 0; k < WANTED_N; k++)
        if (k != j && colour_of(c, k) == colour_of(c, j) && pattern_find(&A->view, i, k) >= 0)
            return true;
    return false;
}

/* Each wanted entry is alone in its row, among the columns of its colour; columns without any have
 * no colour.                                                                        */
static int32_t check_wanted(const pattern *A, const bool *wanted)
{
    colouring c;
    assert_true(
        colouring_create_for(&c, &A->view, NULL, (const bool *const[2]){wanted, NULL}, NULL));
    for (int32_t j = 0; j < WANTED_N; j++) {
        bool any = false;
        for (int32_t q = A->start[j]; q < A->start[j + 1]; q++) {
            any = any || wanted[q];
            assert_false(wanted[q] && is_disturbed(&c, A, A->row[q], j));
        }
        assert_int_equal(colour_of(&c, j) >= 0, any);
    }
    int32_t n_colours = c.n_colours;
    colouring_free(&c);
    return n_colours;
}

static void test_wanted_entries(void **state)
{
    (void)state;
    const shape arrow = {ARROW, WANTED_N, 0, 0}, mixed = {SCATTERED, WANTED_N, 6, 0};
    pattern A = make(&arrow), B = make(&mixed);
    bool wanted[WANTED_N * WANTED_N];
    for (int32_t j = 0; j < WANTED_N; j++) /* the diagonal without its head: one colour is enough */
        for (int32_t q = A.start[j]; q < A.start[j + 1]; q++)
            wanted[q] = A.row[q] == j && j > 0;
    assert_int_equal(check_wanted(&A, wanted), 1);
    for (uint32_t seed = 1; seed <= 10; seed++) {
        uint32_t x = seed;
        for (int32_t q = 0; q < pattern_nnz(&B.view); q++) {
            x = x * 1664525u + 1013904223u;
            wanted[q] = (x >> 16) % 10 < seed;
        }
        check_wanted(&B, wanted);
    }
    pattern_free(&A);
    pattern_free(&B);
}

static void test_no_entries(void **state)
{
    (void)state;
    pattern A;
    colouring c;
    assert_true(pattern_create(&A, 5, 5, 0, NULL));
    assert_true(colouring_create(&c, &A.view, NULL, NULL));
    assert_int_equal(c.n_colours, 0);
    assert_int_equal(c.n_columns, 0);
    colouring_free(&c);
    pattern_free(&A);
}

/* A full row of 100 000 columns: n^2 would be felt. */
static void test_long_row_is_quick(void **state)
{
    (void)state;
    enum { N = 100000 };
    pattern A;
    colouring c;
    assert_true(pattern_create(&A, N, N, 2 * N, NULL));
    for (int32_t j = 0; j < N; j++) {
        int32_t q = A.start[j];
        A.row[q++] = 0;
        if (j > 0)
            A.row[q++] = j;
        A.start[j + 1] = q;
    }
    assert_true(colouring_create(&c, &A.view, NULL, NULL));
    assert_int_equal(c.n_colours, N);
    colouring_free(&c);
    pattern_free(&A);
}

static void *refuse(void *p, size_t old_size, size_t size, void *user)
{
    int *left = user;
    (void)old_size;
    if (size > 0 && (*left)-- == 0)
        return NULL;
    if (size > 0)
        return realloc(p, size);
    free(p);
    return NULL;
}

static void test_memory_failures(void **state)
{
    (void)state;
    pattern A = make(&cases[2].first);
    bool done = false;
    for (int k = 0; !done; k++) {
        int left = k;
        daedal_allocator a = {refuse, &left};
        colouring c;
        done = colouring_create(&c, &A.view, NULL, &a);
        colouring_free(&c);
        assert_true(k < 10);
    }
    pattern_free(&A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),           cmocka_unit_test(test_wanted_entries),
        cmocka_unit_test(test_no_entries),      cmocka_unit_test(test_long_row_is_quick),
        cmocka_unit_test(test_memory_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
