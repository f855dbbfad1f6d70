/* tests/unit/test_plot_kinds.c - tables made for plots, pictures, and maps. */
#include "plot/curves_html.h" /* before cmocka, which has a macro fail */
#include "plot/curves_svg.h"
#include "plot/derived_tables.h"
#include "plot/heat_map.h"

#include "support/harness.h"

#include <math.h>
#include <string.h>

/* x = 2 t and a switch, in rows at the given times. */
static void fill(trajectory *tr, const double *times, size_t n, const char *unit)
{
    trajectory_create(tr, NULL, 0);
    assert_int_equal(trajectory_add_stored(tr, &(column){.name = "x", .unit = unit}, NULL), 0);
    column on = {.name = "on", .kind = COLUMN_BOOLEAN};
    assert_int_equal(trajectory_add_stored(tr, &on, NULL), 0);
    for (size_t i = 0; i < n; i++) {
        double row[] = {2.0 * times[i], i % 2 == 1};
        assert_int_equal(trajectory_append(tr, times[i], row, NULL), 0);
    }
}

static void expect_row(const trajectory *tr, size_t i, double t, double a, double b)
{
    assert_true(trajectory_time(tr, i) == t);
    double x = trajectory_value(tr, i, 0), y = trajectory_value(tr, i, 1);
    assert_true(x == a || (isnan(x) && isnan(a)));
    assert_true(y == b || (isnan(y) && isnan(b)));
}

static void test_join(void **state)
{
    (void)state;
    static const double first[] = {0, 1, 1, 3}, second[] = {0.5, 2, 4};
    trajectory a, b, out;
    fill(&a, first, 4, "m");
    fill(&b, second, 3, "");
    const table_column columns[] = {{&a, 0, "a.csv"}, {&b, 0, "b.csv"}};
    assert_int_equal(table_join(&out, columns, 2, NULL), DAEDAL_OK);
    assert_int_equal(out.n_rows, 7); /* 0, 0.5, 1, 1, 2, 3, 4 */
    assert_string_equal(out.columns[1].name, "x (b.csv)");
    assert_string_equal(out.columns[1].unit, "m"); /* as that of the same name */
    expect_row(&out, 0, 0.0, 0.0, NAN);
    expect_row(&out, 1, 0.5, 1.0, 1.0);
    expect_row(&out, 2, 1.0, 2.0, 2.0);
    expect_row(&out, 3, 1.0, 2.0, 2.0);
    expect_row(&out, 4, 2.0, 4.0, 4.0);
    expect_row(&out, 5, 3.0, 6.0, 6.0);
    expect_row(&out, 6, 4.0, NAN, 8.0);
    trajectory_free(&out);
    const table_column switches[] = {{&a, 1, "a"}, {&b, 1, "b"}};
    assert_int_equal(table_join(&out, switches, 2, NULL), DAEDAL_OK);
    expect_row(&out, 4, 2.0, 0.0, 1.0); /* a switch keeps its value until the next row */
    trajectory_free(&out);
    trajectory_free(&a);
    trajectory_free(&b);
    static const double back[] = {0, 2, 1};
    daedal_diagnosis why;
    fill(&a, back, 3, "");
    assert_int_equal(table_join(&out, (table_column[]){{&a, 0, "back"}}, 1, &why),
                     DAEDAL_ERR_ARGUMENT);
    expect_text(why.message, "back do not ascend (row 3)");
    trajectory_free(&out);
    trajectory_free(&a);
}

static void test_against(void **state)
{
    (void)state;
    static const double times[] = {0, 1, 2};
    trajectory a, b, out;
    fill(&a, times, 3, "m");
    fill(&b, times, 2, "m");
    const table_column columns[] = {{&a, 1, "a"}, {&b, 1, "b"}};
    const int32_t x[] = {0, 0};
    assert_int_equal(table_against(&out, columns, x, 2, NULL), DAEDAL_OK);
    assert_string_equal(out.time.name, "x");
    assert_string_equal(out.time.unit, "m");
    assert_int_equal(out.n_rows, 7); /* a gap behind each */
    expect_row(&out, 2, 4.0, 0.0, NAN);
    assert_true(isnan(trajectory_time(&out, 3)));
    expect_row(&out, 5, 2.0, NAN, 1.0);
    plot_request r = {.data = &out, .columns = (int32_t[]){0, 1}, .n_columns = 2, .is_path = true};
    plot_layout l;
    size_t rows[20];
    plot_arrange(&l, &r, 1);
    assert_int_equal(plot_thin(&r, &l, 0, 100, rows, 20), 5); /* a path, the gap, and the end */
    trajectory_free(&out);
    trajectory_free(&a);
    trajectory_free(&b);
}

enum { N_ELEMENTS = 5 };

/* T[k] = k t from T[3] on. */
static void fill_array(trajectory *tr, int first)
{
    char name[20];
    trajectory_create(tr, NULL, 0);
    for (int k = 0; k < N_ELEMENTS; k++) {
        snprintf(name, sizeof name, "T[%d]", first + k);
        assert_int_equal(trajectory_add_stored(tr, &(column){.name = name, .unit = "K"}, NULL), 0);
    }
    for (int i = 0; i <= 10; i++) {
        double row[N_ELEMENTS];
        for (int k = 0; k < N_ELEMENTS; k++)
            row[k] = (first + k) * i;
        assert_int_equal(trajectory_append(tr, i, row, NULL), 0);
    }
}

static void test_profile(void **state)
{
    (void)state;
    static const int32_t elements[] = {0, 1, 2, 3, 4};
    trajectory tr, out;
    fill_array(&tr, 3);
    table_array array = {&tr, elements, N_ELEMENTS, "T"};
    const size_t rows[] = {1, 10};
    assert_int_equal(table_profile(&out, &array, rows, 2, NULL), DAEDAL_OK);
    assert_int_equal(out.n_rows, N_ELEMENTS);
    assert_string_equal(out.time.name, "subscript of T");
    assert_string_equal(out.columns[1].name, "time = 10 s");
    expect_row(&out, 0, 3.0, 3.0, 30.0);
    expect_row(&out, 4, 7.0, 7.0, 70.0);
    trajectory_free(&out);
    array.elements = (int32_t[]){4, 1}; /* no sequence: they are counted */
    array.n = 2;
    assert_int_equal(table_first_subscript(&array), 1);
    trajectory_free(&tr);
}

static void test_map(void **state)
{
    (void)state;
    static const int32_t elements[] = {0, 1, 2, 3, 4};
    trajectory tr;
    fill_array(&tr, 1);
    heat_map m = {.array = {&tr, elements, N_ELEMENTS, "T"}, .title = "A & B", .footer = "note"};
    sink_buffer b = {.allocator = NULL};
    sink to = sink_to_buffer(&b);
    assert_int_equal(heat_map_svg(&to, &m, NULL), DAEDAL_OK);
    expect_text(b.bytes, "A &#38; B");
    expect_text(b.bytes, "T [K]");
    expect_text(b.bytes, ">note</text>");
    assert_int_equal(count_parts(b.bytes, "</svg>"), 1);
    assert_true(count_parts(b.bytes, "#440154") > 0 && count_parts(b.bytes, "#fde725") > 0);
    sink_buffer_free(&b);
    b = (sink_buffer){.allocator = NULL};
    to = sink_to_buffer(&b);
    plot_terminal_style style = {48, 14, true, false};
    assert_int_equal(heat_map_terminal(&to, &m, &style, NULL), DAEDAL_OK);
    /* highest in the corner at the top right, lowest at the left */
    expect_text(b.bytes, "     5 |   ");
    expect_text(b.bytes, "@\n");
    expect_text(b.bytes, "T [K]: 0 ' .:-=+*#%@' 50");
    sink_buffer_free(&b);
    m.array.n = 0;
    to = sink_to_nowhere();
    assert_int_equal(heat_map_svg(&to, &m, NULL), DAEDAL_ERR_ARGUMENT);
    trajectory_free(&tr);
}

/* Numbers beside the axis make room for themselves, and what is not positive is left out. */
static void test_picture(void **state)
{
    (void)state;
    trajectory tr;
    trajectory_create(&tr, NULL, 0);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "a<b"}, NULL), 0);
    for (int i = 0; i <= 4; i++)
        assert_int_equal(trajectory_append(&tr, i, (double[]){1.0 + 1e-9 * i}, NULL), 0);
    plot_request r = {.data = &tr, .columns = (int32_t[]){0}, .n_columns = 1, .title = "t"};
    sink_buffer b = {.allocator = NULL};
    sink to = sink_to_buffer(&b);
    assert_int_equal(plot_svg(&to, &r, NULL), DAEDAL_OK);
    expect_text(b.bytes, "1.000000004</text>");
    expect_text(b.bytes, "a&#60;b</text>");
    expect_text(b.bytes, "<path class=\"grid\" d=\"M126.0 "); /* 12 characters of 8, and 30 */
    sink_buffer_free(&b);
    r.log_time = r.log_values = true;
    assert_true(isnan(plot_time(&r, 0.0)) && plot_time(&r, 100.0) == 2.0);
    b = (sink_buffer){.allocator = NULL};
    to = sink_to_buffer(&b);
    assert_int_equal(plot_html(&to, &r, NULL), DAEDAL_OK);
    expect_text(b.bytes, "\"logv\":true");
    sink_buffer_free(&b);
    trajectory_free(&tr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join), cmocka_unit_test(test_against), cmocka_unit_test(test_profile),
        cmocka_unit_test(test_map),  cmocka_unit_test(test_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
