/* tests/unit/test_pattern.c - base/pattern.c: complaints, and the operations on
 * patterns written as text, rows separated by '/'.                              */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/pattern.h"

enum { TEXT = 64 };

static bool at(const char *text, int32_t n_cols, int32_t i, int32_t j)
{
    return text[i * (n_cols + 1) + j] == 'x';
}

static pattern from_text(const char *text)
{
    pattern p;
    int32_t n_cols = (int32_t)strcspn(text, "/"), nnz = 0;
    int32_t n_rows = ((int32_t)strlen(text) + 1) / (n_cols + 1);
    for (const char *c = text; *c; c++)
        nnz += *c == 'x';
    assert_true(pattern_create(&p, n_rows, n_cols, nnz, NULL));
    nnz = 0;
    for (int32_t j = 0; j < n_cols; j++) {
        for (int32_t i = 0; i < n_rows; i++)
            if (at(text, n_cols, i, j))
                p.row[nnz++] = i;
        p.start[j + 1] = nnz;
    }
    return p;
}

static void to_text(const pattern *p, char *text)
{
    for (int32_t i = 0; i < p->view.n_rows; i++) {
        for (int32_t j = 0; j < p->view.n_cols; j++)
            *text++ = pattern_find(&p->view, i, j) >= 0 ? 'x' : '.';
        *text++ = i + 1 < p->view.n_rows ? '/' : '\0';
    }
}

static void test_complaints(void **state)
{
    static const struct {
        int32_t start[4], row[4];
        const char *complaint;
    } cases[] = {
        {{0, 1, 2, 3}, {0, 1, 2}, NULL},
        {{0, 0, 0, 0}, {0}, NULL},
        {{0, 2, 2, 3}, {0, 2, 1}, NULL},
        {{1, 1, 2, 3}, {0, 1, 2}, "start[0] is 1, not 0"},
        {{0, 2, 1, 3}, {0, 1, 2}, "column 1: start decreases"},
        {{0, 1, 2, 3}, {0, 3, 2}, "column 1: row 3 is out of range"},
        {{0, 1, 2, 3}, {0, 1, -1}, "column 2: row -1 is out of range"},
        {{0, 2, 2, 3}, {1, 0, 2}, "column 0: rows are not ascending at row 0"},
        {{0, 2, 2, 3}, {1, 1, 2}, "column 0: rows are not ascending at row 1"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char buffer[80];
        daedal_pattern p = {3, 3, cases[k].start, cases[k].row};
        const char *found = pattern_complaint(&p, buffer, sizeof buffer);
        if (!cases[k].complaint)
            assert_null(found);
        else
            assert_string_equal(found, cases[k].complaint);
    }
}

static void test_missing_arrays(void **state)
{
    static const int32_t start[] = {0, 1};
    (void)state;
    char buffer[80];
    daedal_pattern no_start = {1, 1, NULL, start}, no_row = {1, 1, start, NULL};
    assert_string_equal(pattern_complaint(&no_start, buffer, sizeof buffer),
                        "start or row is NULL");
    assert_string_equal(pattern_complaint(&no_row, buffer, sizeof buffer), "start or row is NULL");
}

static void test_union_and_transpose(void **state)
{
    static const struct {
        const char *x, *y, *both, *transposed; /* of both */
    } cases[] = {
        {"x", ".", "x", "x"},
        {".", ".", ".", "."},
        {"x../.x./..x", ".x./..x/x..", "xx./.xx/x.x", "x.x/xx./.xx"},
        {"xx/xx", "xx/xx", "xx/xx", "xx/xx"},
        {"xx/../x.", "../.x/x.", "xx/.x/x.", "x.x/xx."},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[TEXT], buffer[80];
        pattern x = from_text(cases[k].x), y = from_text(cases[k].y), both, turned;
        assert_true(pattern_union(&both, &x.view, &y.view, NULL));
        assert_null(pattern_complaint(&both.view, buffer, sizeof buffer));
        to_text(&both, text);
        assert_string_equal(text, cases[k].both);
        assert_true(pattern_transpose(&turned, &both.view, NULL));
        assert_null(pattern_complaint(&turned.view, buffer, sizeof buffer));
        to_text(&turned, text);
        assert_string_equal(text, cases[k].transposed);
        pattern *all[] = {&x, &y, &both, &turned};
        for (int i = 0; i < 4; i++)
            pattern_free(all[i]);
    }
}

static void test_band_and_count(void **state)
{
    static const struct {
        const char *text;
        int32_t nnz, lower, upper;
    } cases[] = {
        {"x", 1, 0, 0},           {".", 0, 0, 0},           {"xx/xx", 4, 1, 1},
        {"..x/x../.x.", 3, 1, 2}, {"x../.x./x.x", 4, 2, 0}, {".x/..", 1, 0, 1},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pattern p = from_text(cases[k].text);
        int32_t lower, upper;
        pattern_band(&p.view, &lower, &upper);
        assert_int_equal(pattern_nnz(&p.view), cases[k].nnz);
        assert_int_equal(lower, cases[k].lower);
        assert_int_equal(upper, cases[k].upper);
        pattern_free(&p);
    }
}

static void test_find(void **state)
{
    (void)state;
    pattern p = from_text("x.x/.../xx./x..");
    static const struct {
        int32_t row, col, where;
    } cases[] = {{0, 0, 0},  {2, 0, 1},  {3, 0, 2},  {2, 1, 3}, {0, 2, 4},
                 {1, 0, -1}, {0, 1, -1}, {3, 2, -1}, {3, 1, -1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(pattern_find(&p.view, cases[k].row, cases[k].col), cases[k].where);
    pattern_free(&p);
}

static void test_locate(void **state)
{
    (void)state;
    pattern all = from_text("xx./.x./x.x"), some = from_text("x.x/.../x.x");
    const int32_t want[] = {0, 1, -1, 4};
    int32_t at[4] = {-2, -2, -2, -2};
    pattern_locate(&all.view, &some.view, at);
    assert_memory_equal(at, want, sizeof want);
    pattern_free(&all);
    pattern_free(&some);
}

static void test_copy_and_full(void **state)
{
    (void)state;
    char text[TEXT];
    pattern p = from_text("x.x/.../xx."), copy, full;
    assert_true(pattern_copy(&copy, &p.view, NULL));
    pattern_free(&p);
    to_text(&copy, text);
    assert_string_equal(text, "x.x/.../xx.");
    assert_true(pattern_full(&full, 3, NULL));
    to_text(&full, text);
    assert_string_equal(text, "xxx/xxx/xxx");
    pattern_free(&copy);
    pattern_free(&full);
    assert_null(full.view.start);
    assert_false(pattern_full(&full, 50000, NULL)); /* more entries than an int32 counts */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_missing_arrays),
        cmocka_unit_test(test_union_and_transpose),
        cmocka_unit_test(test_band_and_count),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_locate),
        cmocka_unit_test(test_copy_and_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
