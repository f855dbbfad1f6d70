/* tests/unit/test_output_trajectory.c - output/trajectory.c and output/decimal_text.c. */
#include "output/decimal_text.h"
#include "output/trajectory.h" /* before cmocka, which has a macro fail */

#include "support/harness.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_columns_and_rows(void **state)
{
    (void)state;
    ledger l;
    ledger_open(&l);
    trajectory tr;
    daedal_diagnosis why;
    trajectory_create(&tr, &l.allocator, 0);
    assert_int_equal(trajectory_find(&tr, "x"), -1);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "x", .unit = "m"}, &why), 0);
    assert_int_equal(trajectory_add_constant(&tr, &(column){.name = "c"}, 3.0, &why), 0);
    assert_int_equal(trajectory_add_alias(&tr, &(column){.name = "nx"}, 0, true, &why), 0);
    assert_int_equal(trajectory_add_alias(&tr, &(column){.name = "nnx"}, 2, true, &why), 0);
    assert_int_equal(trajectory_add_alias(&tr, &(column){.name = "nc"}, 1, true, &why), 0);
    assert_int_equal(trajectory_add_alias(&tr, &(column){.name = "nnc"}, 4, true, &why), 0);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "y"}, &why), 0);
    assert_int_equal(tr.n_slots, 2);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(trajectory_append(&tr, i, (double[]){i, -i}, &why), 0);
    static const double factors[] = {7, 3, -7, 7, -3, 3, -7};
    for (size_t j = 0; j < COUNT(factors); j++)
        assert_true(trajectory_value(&tr, 7, j) == factors[j]);
    assert_false(signbit(trajectory_value(&tr, 0, 2))); /* the negative of 0 is written 0 */
    assert_int_equal(tr.columns[3].of, 0);
    assert_int_equal(trajectory_find(&tr, "nnc"), 5);
    assert_string_equal(tr.columns[0].unit, "m");
    assert_string_equal(tr.columns[1].unit, "");
    trajectory_free(&tr);
    trajectory_free(&tr);
    ledger_expect_empty(&l);
}

static void test_refusals(void **state)
{
    (void)state;
    trajectory tr;
    daedal_diagnosis why;
    trajectory_create(&tr, NULL, 0);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = ""}, &why), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "x"}, &why), 0);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "x"}, &why), DAEDAL_ERR_ARGUMENT);
    expect_text(why.message, "name x");
    column b = {.name = "b", .kind = COLUMN_BOOLEAN};
    assert_int_equal(trajectory_add_alias(&tr, &b, 0, true, &why), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(trajectory_append(&tr, 0.0, (double[]){1}, &why), 0);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "y"}, &why),
                     DAEDAL_ERR_CALL_SEQUENCE);
    assert_int_equal(tr.n_columns, 1);
    trajectory_free(&tr);
}

static void test_byte_limit(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 18 };
    ledger l;
    ledger_open(&l);
    trajectory tr;
    daedal_diagnosis why;
    trajectory_create(&tr, &l.allocator, LIMIT);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "x"}, &why), 0);
    daedal_status st = DAEDAL_OK;
    for (int i = 0; st == DAEDAL_OK; i++)
        st = trajectory_append(&tr, i, (double[]){2.0 * i}, &why);
    assert_int_equal(st, DAEDAL_ERR_MEMORY);
    expect_text(why.message, "does not fit in memory");
    expect_text(why.hint, "fewer");
    assert_true(l.bytes <= LIMIT + 64);
    assert_true(tr.n_rows > LIMIT / 32); /* the limit is used, and what was stored is there */
    assert_true(trajectory_value(&tr, tr.n_rows - 1, 0) == 2.0 * (double)(tr.n_rows - 1));
    trajectory_free(&tr);
    ledger_expect_empty(&l);
}

/* ---- numbers ------------------------------------------------------------------------- */

static const struct {
    double x;
    const char *text;
} numbers[] = {
    {0.0, "0"},
    {-0.0, "-0"},
    {1.0, "1"},
    {-17.0, "-17"},
    {1e14, "100000000000000"},
    {1e15, "1e+15"},
    {0.1, "0.1"},
    {1.0 / 3.0, "0.3333333333333333"},
    {-2.5, "-2.5"},
    {1e-5, "1e-05"},
    {0.00012, "0.00012"},
    {1.5e-7, "1.5e-07"},
    {123456.789, "123456.789"},
    {5e-324, "4.94065645841247e-324"},
    {1.7976931348623157e308, "1.7976931348623157e+308"},
    {2.220446049250313e-16, "2.220446049250313e-16"},
    {0.5, "0.5"},
    {INFINITY, "Infinity"},
    {-INFINITY, "-Infinity"},
    {NAN, "NaN"},
};

static void test_number_table(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(numbers); k++) {
        char text[DECIMAL_TEXT_SIZE];
        double back;
        size_t n = decimal_shortest(text, numbers[k].x);
        assert_int_equal(n, strlen(text));
        assert_string_equal(text, numbers[k].text);
        assert_int_equal(decimal_parse(text, n, &back), n);
        assert_true(back == numbers[k].x || (isnan(back) && isnan(numbers[k].x)));
    }
}

/* The plain way, in the C locale: the fewest of 15, 16, 17 digits that are read back. */
static void try_digits(char text[DECIMAL_TEXT_SIZE], double x)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, DECIMAL_TEXT_SIZE, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            return;
    }
}

static uint64_t next_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

static double random_number(uint64_t *s)
{
    uint64_t bits = next_random(s);
    double x;
    if (bits & 1) { /* few digits */
        double scale = pow(10.0, (double)(next_random(s) % 20));
        return (double)(int64_t)(bits >> 32) / scale;
    }
    uint64_t exponent = bits & 2 ? (bits >> 52) & 0x7ff : 1023 - 45 + next_random(s) % 105;
    bits = (bits & 0x800fffffffffffffu) | exponent << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void test_numbers_at_random(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int k = 0; k < 60000; k++) {
        char text[DECIMAL_TEXT_SIZE], wanted[DECIMAL_TEXT_SIZE];
        double x = random_number(&seed), back;
        if (!isfinite(x) || (x == floor(x) && fabs(x) < 1e15))
            continue;
        size_t n = decimal_shortest(text, x);
        try_digits(wanted, x);
        assert_string_equal(text, wanted);
        assert_int_equal(decimal_parse(text, n, &back), n);
        assert_true(back == x);
    }
}

/* A locale with a comma, if the system has one; the numbers are the same. */
static void test_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    const char *set = NULL;
    for (size_t k = 0; k < COUNT(names) && !set; k++)
        set = setlocale(LC_NUMERIC, names[k]);
    if (!set)
        print_message("notice: no locale with a decimal comma here\n");
    char text[DECIMAL_TEXT_SIZE];
    double back;
    decimal_shortest(text, 1.25e-300);
    assert_string_equal(text, "1.25e-300");
    decimal_digits(text, 1234.5, 6);
    assert_string_equal(text, "1234.5");
    assert_int_equal(decimal_parse("1.25e-300,7", 11, &back), 9);
    assert_true(back == 1.25e-300);
    setlocale(LC_NUMERIC, "C");
}

static void test_parse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        double x;
    } rows[] = {{"12,3", 2, 12},
                {".5", 2, 0.5},
                {"5.", 2, 5},
                {"1e5x", 3, 1e5},
                {"1e", 1, 1},
                {"+7", 2, 7},
                {"-", 0, 0},
                {"", 0, 0},
                {".", 0, 0},
                {"abc", 0, 0},
                {"-INF", 4, -INFINITY},
                {"infinity", 8, INFINITY},
                {"e5", 0, 0},
                {"1e+", 1, 1},
                {"0x10", 1, 0}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        double x = 0.0;
        assert_int_equal(decimal_parse(rows[k].text, strlen(rows[k].text), &x), rows[k].n);
        assert_true(x == rows[k].x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_and_rows),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_byte_limit),
        cmocka_unit_test(test_number_table),
        cmocka_unit_test(test_numbers_at_random),
        cmocka_unit_test(test_locale),
        cmocka_unit_test(test_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
