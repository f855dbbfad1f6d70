/* tests/unit/test_output_plot.c - plots: ticks, panels, thinning, the exact picture of a small
 * table in the terminal, and what must and must not stand in an HTML page.               */
#include "output/utf8.h"
#include "plot/curves_html.h" /* before cmocka, which has a macro fail */
#include "plot/curves_terminal.h"

#include "support/harness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ticks ------------------------------------------------------------------------------ */

static void test_ticks(void **state)
{
    (void)state;
    static const struct {
        double low, high;
        int wanted;
        double least;
        const char *texts;
    } rows[] = {
        {0, 10, 5, 0, "0 2 4 6 8 10"},
        {-1, 1, 4, 0, "-1 -0.5 0 0.5 1"},
        {0, 0.3, 3, 0, "0 0.1 0.2 0.3"},
        {0, 3e-5, 3, 0, "0 1e-5 2e-5 3e-5"},
        {0, 4e6, 4, 0, "0 1e6 2e6 3e6 4e6"},
        {1000.0001, 1000.0004, 3, 0, "1000.0001 1000.0002 1000.0003 1000.0004"},
        {-0.04, 1.04, 5, 1, "0 1"},
        {0.1, 0.2, 1, 0, "0.1 0.2"},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        plot_ticks ticks;
        char all[512] = "";
        plot_ticks_linear(&ticks, (plot_range){rows[k].low, rows[k].high}, rows[k].wanted,
                          rows[k].least);
        for (int i = 0; i < ticks.n; i++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "",
                     ticks.text[i]);
        assert_string_equal(all, rows[k].texts);
    }
}

static void test_log_ticks(void **state)
{
    (void)state;
    plot_ticks ticks;
    plot_ticks_log(&ticks, (plot_range){-6, 11}, 6);
    assert_int_equal(ticks.n, 6);
    assert_string_equal(ticks.text[0], "1e-6");
    assert_string_equal(ticks.text[2], "1");
    plot_ticks_log(&ticks, (plot_range){0.1, 0.4}, 6); /* 1.26 to 2.51 */
    assert_int_equal(ticks.n, 3);
    assert_string_equal(ticks.text[0], "1.5");
    assert_true(fabs(ticks.at[1] - log10(2.0)) < 1e-12);
    plot_ticks_log(&ticks, (plot_range){-0.5, 1.5}, 8); /* 0.32 to 32 */
    assert_int_equal(ticks.n, 6);
    assert_string_equal(ticks.text[0], "0.5");
    assert_string_equal(ticks.text[5], "20");
    plot_ticks_log(&ticks, (plot_range){-INFINITY, 1.0}, 8);
    assert_int_equal(ticks.n, 0);
}

/* ---- panels and thinning ------------------------------------------------------------------- */

static const int32_t first_columns[] = {0, 1, 2, 3, 4, 5, 6, 7};

static void test_panels(void **state)
{
    (void)state;
    static const column columns[] = {{.name = "x", .unit = "m"},
                                     {.name = "F", .unit = "N"},
                                     {.name = "y", .unit = "m"},
                                     {.name = "tiny", .unit = "m"},
                                     {.name = "on", .unit = "N", .kind = COLUMN_BOOLEAN}};
    trajectory tr;
    plot_layout l;
    trajectory_create(&tr, NULL, 0);
    for (size_t j = 0; j < COUNT(columns); j++)
        assert_int_equal(trajectory_add_stored(&tr, &columns[j], NULL), 0);
    for (int i = 0; i <= 10; i++)
        assert_int_equal(
            trajectory_append(&tr, i, (double[]){i, 100 - i, -i, 1e-5 * i, i % 2}, NULL), 0);
    plot_request r = {&tr, first_columns, 5, NULL, NULL, false, false, false, false};
    plot_arrange(&l, &r, 6);
    assert_int_equal(l.n_panels, 4); /* x y, F, tiny, on */
    assert_int_equal(l.panels[0].n, 2);
    assert_int_equal(l.panels[0].columns[1], 2);
    assert_int_equal(l.panels[0].colours[1], 2);
    assert_true(l.panels[3].least_step == 1.0);
    plot_arrange(&l, &r, 1);
    assert_int_equal(l.n_panels, 1);
    assert_int_equal(l.panels[0].n, 5);
    assert_string_equal(l.panels[0].unit, "");
    int32_t chosen[8];
    assert_int_equal(plot_choose(&tr, chosen, 8), 5);
    assert_int_equal(plot_choose(&tr, chosen, 3), 3);
    trajectory_free(&tr);
}

static void test_thinning(void **state)
{
    (void)state;
    enum { N = 20000, BINS = 100, ROOM = 5 * (BINS + 1) };
    static size_t rows[ROOM];
    trajectory tr;
    plot_layout l;
    trajectory_create(&tr, NULL, 0);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "x"}, NULL), 0);
    for (int i = 0; i < N; i++) {
        double x = i == 7777 ? 50.0 : i == 12345 ? -60.0 : i == 15000 ? NAN : sin(0.01 * i);
        assert_int_equal(trajectory_append(&tr, i, &x, NULL), 0);
    }
    plot_request r = {&tr, first_columns, 1, NULL, NULL, false, false, false, false};
    plot_arrange(&l, &r, 1);
    size_t n = plot_thin(&r, &l, 0, BINS, rows, ROOM);
    bool high = false, low = false, missing = false;
    assert_true(n <= ROOM && n > 2 * BINS);
    assert_int_equal(rows[0], 0);
    assert_int_equal(rows[n - 1], N - 1);
    for (size_t k = 0; k < n; k++) {
        assert_true(k == 0 || rows[k] > rows[k - 1]);
        high |= rows[k] == 7777;
        low |= rows[k] == 12345;
        missing |= rows[k] == 15000;
    }
    assert_true(high && low && missing);
    assert_true(l.panels[0].range.high == 50.0 && l.panels[0].range.low == -60.0);
    trajectory_free(&tr);
}

/* ---- the terminal ------------------------------------------------------------------------------
 */

static void fill_jump(trajectory *tr)
{
    static const double rows[][3] = {{0, 0, 4}, {1, 2, 3}, {1, -2, 3}, {2, 0, 2}};
    assert_int_equal(trajectory_add_stored(tr, &(column){.name = "x", .unit = "m"}, NULL), 0);
    assert_int_equal(trajectory_add_stored(tr, &(column){.name = "</script>", .unit = "m"}, NULL),
                     0);
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(trajectory_append(tr, rows[i][0], rows[i] + 1, NULL), 0);
}

static void test_terminal_picture(void **state)
{
    (void)state;
    static const char wanted[] = "    Jump\n"
                                 "    * x [m]   o </script> [m]\n"
                                 " 4 +ooooooooo\n"
                                 "   |         oooooooooooooo\n"
                                 "   |                       oooooooo\n"
                                 " 2 +               ****            ooooo\n"
                                 "   |         ******   *\n"
                                 "   |   ******         *\n"
                                 " 0 +***               *              ***\n"
                                 "   |                  *        ******\n"
                                 "   |                  *  ******\n"
                                 "-2 +                  ***\n"
                                 "   ++-----------------+----------------+\n"
                                 "    0                 1                2\n"
                                 "                  time [s]\n"
                                 "12 steps\n";
    trajectory tr;
    sink_buffer b = {.allocator = NULL};
    sink to = sink_to_buffer(&b);
    trajectory_create(&tr, NULL, 0);
    fill_jump(&tr);
    plot_request r = {&tr, first_columns, 2, "Jump", "12 steps\n", false, false, false, false};
    plot_terminal_style style = {40, 16, true, false};
    assert_int_equal(plot_terminal(&to, &r, &style, NULL), DAEDAL_OK);
    assert_string_equal(b.bytes, wanted);
    sink_buffer_free(&b);
    trajectory_free(&tr);
}

/* Every line within the width, no blanks at its end, as many lines as asked for. */
static void check_lines(const char *text, int width, int height)
{
    int lines = 0;
    for (const char *p = text; *p; lines++) {
        size_t n = strcspn(p, "\n");
        char line[2048];
        assert_true(n < sizeof line && p[n] == '\n');
        memcpy(line, p, n);
        line[n] = '\0';
        assert_true((int)utf8_count(line) <= width);
        assert_true(n == 0 || line[n - 1] != ' ');
        p += n + 1;
    }
    assert_true(lines <= height);
}

static void test_terminal_sizes(void **state)
{
    (void)state;
    static const int sizes[][2] = {{40, 14}, {80, 24}, {81, 25}, {200, 60}};
    trajectory tr;
    trajectory_create(&tr, NULL, 0);
    fill_jump(&tr);
    plot_request r = {
        &tr,      first_columns, 2,     "A title that is much longer than forty characters",
        "footer", false,         false, false,
        false};
    for (size_t k = 0; k < COUNT(sizes); k++)
        for (int ascii = 0; ascii < 2; ascii++) {
            sink_buffer b = {.allocator = NULL};
            sink to = sink_to_buffer(&b);
            plot_terminal_style style = {sizes[k][0], sizes[k][1], ascii, false};
            assert_int_equal(plot_terminal(&to, &r, &style, NULL), DAEDAL_OK);
            check_lines(b.bytes, sizes[k][0], sizes[k][1]);
            for (const char *p = b.bytes; ascii && *p; p++)
                assert_true((unsigned char)*p < 0x80);
            sink_buffer_free(&b);
        }
    trajectory_free(&tr);
}

/* ---- the page
 * ------------------------------------------------------------------------------------- */

static void test_page(void **state)
{
    (void)state;
    static const char *const absent[] = {"http:", "https:", "src=", "@import", "url(h", "<link"};
    trajectory tr;
    sink_buffer b = {.allocator = NULL};
    sink to = sink_to_buffer(&b);
    trajectory_create(&tr, NULL, 0);
    fill_jump(&tr);
    plot_request r = {&tr,   first_columns, 2,    "A <b> & \"c\"", "12 steps\n3 & 4", false,
                      false, false,         false};
    assert_int_equal(plot_html(&to, &r, NULL), DAEDAL_OK);
    for (size_t k = 0; k < COUNT(absent); k++) /* nothing is fetched */
        assert_int_equal(count_parts(b.bytes, absent[k]), 0);
    assert_int_equal(count_parts(b.bytes, "</script>"), 2); /* ours alone */
    assert_int_equal(count_parts(b.bytes, "<section class=\"panel\">"), 1);
    assert_int_equal(count_parts(b.bytes, "<title>A &#60;b&#62; &#38; &#34;c&#34;</title>"), 1);
    assert_int_equal(count_parts(b.bytes, "<p>3 &#38; 4</p>"), 1);
    /* x from 62 to 1026: the event is at 544, broken there, and joined by a jump */
    assert_int_equal(count_parts(b.bytes, "class=\"jump k0\" d=\"M544.0"), 1);
    assert_int_equal(count_parts(b.bytes, "class=\"jump k1\" d=\"M544.0"), 1);
    assert_int_equal(count_parts(b.bytes, "\"t\":[0,1,1,2],\"v\":[0,2,-2,0]"), 1);
    expect_text(b.bytes, "time [s]");
    sink_buffer_free(&b);
    trajectory_free(&tr);
}

/* A table with more columns than curves lists all of them, with their values, to choose from. */
static void test_page_choice(void **state)
{
    (void)state;
    trajectory tr;
    trajectory_create(&tr, NULL, 0);
    fill_jump(&tr);
    for (int32_t n = 1; n <= 2; n++) {
        sink_buffer b = {.allocator = NULL};
        sink to = sink_to_buffer(&b);
        plot_request r = {&tr, first_columns, n, "choice", NULL, false, false, false, false};
        int is_offered = n < (int32_t)tr.n_columns;
        assert_int_equal(plot_html(&to, &r, NULL), DAEDAL_OK);
        assert_int_equal(count_parts(b.bytes, "<details id=\"tree\" hidden>"), is_offered);
        assert_int_equal(count_parts(b.bytes, "<section class=\"panel\" id=\"chosen\" hidden>"),
                         is_offered);
        assert_int_equal(count_parts(b.bytes, "\"choice\":[{\"name\":"), is_offered);
        /* of the first column: once drawn, once to choose */
        assert_int_equal(count_parts(b.bytes, "\"t\":[0,1,1,2],\"v\":[0,2,-2,0]"), 1 + is_offered);
        sink_buffer_free(&b);
    }
    assert_int_equal(tr.n_columns, 2);
    trajectory_free(&tr);
}

static void test_page_size(void **state)
{
    (void)state;
    trajectory tr;
    trajectory_create(&tr, NULL, 0);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "x"}, NULL), 0);
    for (int i = 0; i < 300000; i++) {
        double x = sin(1e-3 * i) + 0.1 * sin(i);
        assert_int_equal(trajectory_append(&tr, i, &x, NULL), 0);
    }
    plot_request r = {&tr, first_columns, 1, NULL, NULL, false, false, false, false};
    sink to = sink_to_nowhere();
    assert_int_equal(plot_html(&to, &r, NULL), DAEDAL_OK);
    assert_true(to.count < 250000);
    trajectory_free(&tr);
}

/* ---- odd tables
 * ----------------------------------------------------------------------------------- */

static void draw_both(const trajectory *tr, int32_t n, bool log_time)
{
    plot_request r = {tr, first_columns, n, "odd", NULL, log_time, false, false, false};
    for (int k = 0; k < 3; k++) {
        sink to = sink_to_nowhere();
        plot_terminal_style style = {60, 20, k == 1, k == 2};
        assert_int_equal(plot_terminal(&to, &r, &style, NULL), DAEDAL_OK);
    }
    sink to = sink_to_nowhere();
    assert_int_equal(plot_html(&to, &r, NULL), DAEDAL_OK);
}

static void test_odd_tables(void **state)
{
    (void)state;
    static const double tables[][4][3] = {
        {{0, 1, 1}, {1, 1, 1}, {2, 1, 1}, {3, 1, 1}},
        {{0, NAN, 1}, {1, NAN, INFINITY}, {2, NAN, -INFINITY}, {3, NAN, 2}},
        {{0, DBL_MAX, -DBL_MAX}, {1, -DBL_MAX, 1}, {2, 0, DBL_MIN}, {3, 1, 5e-324}},
        {{5, 1, 2}, {5, 2, 3}, {5, 3, 4}, {5, 4, 5}},
        {{3, 1, 2}, {2, 2, 3}, {1, 3, 4}, {0, 4, 5}},
        {{0, 1, 2}, {3, 2, 3}, {1, 3, 4}, {2, 4, 5}},
        {{NAN, 1, 2}, {INFINITY, 2, 3}, {1, 3, 4}, {2, 4, 5}},
        {{NAN, 1, 2}, {NAN, 2, 3}, {NAN, 3, 4}, {NAN, 4, 5}},
        {{-DBL_MAX, 1, 2}, {0, 2, 3}, {1, 3, 4}, {DBL_MAX, 4, 5}},
        {{1e9, 1, 1 + 1e-15}, {1e9 + 1e-6, 1, 1 - 1e-15}, {1e9 + 2e-6, 1, 1}, {1e9 + 3e-6, 1, 1}},
        {{0, 5e-324, 1e-320}, {5e-324, 0, 0}, {1e-323, 0, 0}, {2e-323, 0, 1e-323}}};
    for (size_t k = 0; k < COUNT(tables); k++)
        for (size_t n_rows = 1; n_rows <= 4; n_rows++) {
            trajectory tr;
            trajectory_create(&tr, NULL, 0);
            assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "a"}, NULL), 0);
            assert_int_equal(
                trajectory_add_stored(&tr, &(column){.name = "\xff\x01 odd", .unit = "\xc3"}, NULL),
                0);
            for (size_t i = 0; i < n_rows; i++)
                assert_int_equal(trajectory_append(&tr, tables[k][i][0], tables[k][i] + 1, NULL),
                                 0);
            draw_both(&tr, 2, false);
            draw_both(&tr, 2, true);
            trajectory_free(&tr);
        }
}

static void test_nothing_to_draw(void **state)
{
    (void)state;
    trajectory tr;
    daedal_diagnosis why;
    sink to = sink_to_nowhere();
    plot_terminal_style style = {60, 20, false, false};
    trajectory_create(&tr, NULL, 0);
    plot_request r = {&tr, first_columns, 0, NULL, NULL, false, false, false, false};
    assert_int_equal(plot_terminal(&to, &r, &style, &why), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(plot_html(&to, &r, &why), DAEDAL_ERR_ARGUMENT);
    trajectory_free(&tr);
}

/* ---- what can fail
 * ------------------------------------------------------------------------------------ */

static bool take_some(void *user, const void *bytes, size_t n)
{
    size_t *left = user;
    (void)bytes;
    if (n > *left)
        return false;
    *left -= n;
    return true;
}

static void test_failures(void **state)
{
    (void)state;
    ledger l;
    ledger_open(&l);
    trajectory tr;
    daedal_diagnosis why;
    plot_terminal_style style = {60, 20, false, true};
    trajectory_create(&tr, &l.allocator, 0);
    fill_jump(&tr);
    plot_request r = {&tr, first_columns, 2, "t", "f", false, false, false, false};
    sink all = sink_to_nowhere();
    assert_int_equal(plot_html(&all, &r, &why), DAEDAL_OK);
    for (size_t room = 0; room < all.count; room += 37) {
        size_t left = room;
        sink to = {.write = take_some, .user = &left};
        assert_int_equal(plot_html(&to, &r, &why), DAEDAL_ERR_CALLBACK);
        left = room % 300;
        to = (sink){.write = take_some, .user = &left};
        assert_int_equal(plot_terminal(&to, &r, &style, &why), DAEDAL_ERR_CALLBACK);
    }
    l.refuse = l.taken + 1;
    l.refuse_rest = true;
    all = sink_to_nowhere();
    assert_int_equal(plot_html(&all, &r, &why), DAEDAL_ERR_MEMORY);
    assert_int_equal(plot_terminal(&all, &r, &style, &why), DAEDAL_ERR_MEMORY);
    trajectory_free(&tr);
    ledger_expect_empty(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_log_ticks),
        cmocka_unit_test(test_panels),
        cmocka_unit_test(test_thinning),
        cmocka_unit_test(test_terminal_picture),
        cmocka_unit_test(test_terminal_sizes),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_page_choice),
        cmocka_unit_test(test_page_size),
        cmocka_unit_test(test_odd_tables),
        cmocka_unit_test(test_nothing_to_draw),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
