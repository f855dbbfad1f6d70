/* tests/unit/test_incidence.c - the incidence of equations and unknowns as the API gives it, and
 * what must and must not stand in its pictures.                                  */
#include "plot/incidence_html.h" /* before cmocka, which has a macro fail */
#include "plot/incidence_terminal.h"

#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static daedal_model *parse(const char *text)
{
    daedal_model *m = NULL;
    char message[1024];
    if (daedal_model_parse(&m, "m.mo", text, strlen(text), NULL, message, sizeof message) < 0)
        fail_msg("%s", message);
    return m;
}

static const char circuit[] = "model C\n Real u, i, v(start = 0);\nequation\n u + v = 1;\n"
                              " u = 2*i;\n 3*der(v) = i;\nend C;\n";

static void test_entries(void **state)
{
    (void)state;
    static const daedal_incidence_entry wanted[] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {1, 1, 0, 1},
                                                    {2, 1, 0, 1}, {0, 2, 0, 0}, {2, 2, 1, 1}};
    daedal_model *m = parse(circuit);
    daedal_incidence a, b;
    assert_int_equal(daedal_model_incidence(m, &a, NULL), DAEDAL_OK);
    assert_int_equal(a.n, 3);
    assert_string_equal(a.equations[2], "3*der(v) = i");
    assert_int_equal(a.lines[2], 6);
    assert_string_equal(a.variables[1], "i");
    assert_int_equal(a.n_entries, COUNT(wanted));
    assert_memory_equal(a.entries, wanted, sizeof wanted);
    assert_int_equal(daedal_model_incidence(m, &b, NULL), DAEDAL_OK);
    assert_ptr_equal(a.entries, b.entries); /* not computed twice */
    assert_int_equal(daedal_model_incidence(NULL, &a, NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(daedal_model_incidence(m, NULL, NULL), DAEDAL_ERR_ARGUMENT);
    daedal_model_free(m);
}

static int32_t *inverse(const int32_t *order, int32_t n)
{
    int32_t *at = malloc((size_t)n * sizeof *at);
    for (int32_t k = 0; k < n; k++)
        at[k] = -1;
    for (int32_t k = 0; k < n; k++) {
        assert_int_equal(at[order[k]], -1);
        at[order[k]] = k;
    }
    return at;
}

/* What is essential stands in a block or left of it. */
static void expect_triangular(const daedal_incidence *a)
{
    int32_t *row_at = inverse(a->equation_order, a->n), *col_at = inverse(a->variable_order, a->n);
    assert_int_equal(a->block_start[0], 0);
    assert_int_equal(a->block_start[a->n_blocks], a->n);
    for (int32_t q = 0; q < a->n_entries; q++) {
        const daedal_incidence_entry *e = &a->entries[q];
        int32_t b = 0;
        while (a->block_start[b + 1] <= row_at[e->equation])
            b++;
        if (e->is_essential)
            assert_true(col_at[e->variable] < a->block_start[b + 1]);
    }
    free(row_at);
    free(col_at);
}

static void test_models(void **state)
{
    (void)state;
    static const char *const names[] = {"pendulum", "cavity_flow", "transistor_amplifier",
                                        "slider_crank", "rectifier_ideal"};
    for (size_t k = 0; k < COUNT(names); k++) {
        char path[512], message[1024];
        snprintf(path, sizeof path, "%s/%s.mo", DAEDAL_TEST_MODELS, names[k]);
        daedal_model *m = NULL;
        if (daedal_model_read(&m, path, NULL, message, sizeof message) < 0)
            fail_msg("%s", message);
        daedal_incidence a;
        daedal_model_structure s;
        assert_int_equal(daedal_model_incidence(m, &a, NULL), DAEDAL_OK);
        assert_int_equal(daedal_model_analyze(m, &s, NULL), DAEDAL_OK);
        assert_int_equal(a.n, s.equations);
        expect_triangular(&a);
        daedal_model_free(m);
    }
}

static void test_unusual(void **state)
{
    (void)state;
    daedal_incidence a;
    daedal_model *m = parse("model N parameter Real p = 1; end N;");
    assert_int_equal(daedal_model_incidence(m, &a, NULL), DAEDAL_OK);
    assert_int_equal(a.n + a.n_entries + a.n_blocks, 0);
    sink to = sink_to_nowhere();
    assert_int_equal(incidence_html(&to, &a, "", NULL), DAEDAL_ERR_ARGUMENT);
    assert_int_equal(incidence_terminal(&to, &a, 80, NULL), DAEDAL_ERR_ARGUMENT);
    daedal_model_free(m);
    m = parse("model I input Real u(start = 2); Real x; equation der(x) = u; end I;");
    assert_int_equal(daedal_model_incidence(m, &a, NULL), DAEDAL_OK);
    assert_string_equal(a.equations[0], "u = its start value");
    daedal_model_free(m);
}

static void test_terminal(void **state)
{
    (void)state;
    static const struct {
        int width;
        const char *picture;
    } rows[] = {{40, "  [x]  .   u  u + v = 1\n"
                     "   x[x]    i  u = 2*i\n"
                     "     x[D]  v  3*der(v) = i\n"},
                {22, "  [x]  .   u  u + v...\n"},
                {21, "  [x]  .\n"
                     "   x[x]\n"
                     "     x[D]\n"}};
    daedal_model *m = parse(circuit);
    daedal_incidence a;
    assert_int_equal(daedal_model_incidence(m, &a, NULL), DAEDAL_OK);
    for (size_t k = 0; k < COUNT(rows); k++) {
        sink_buffer b = {.allocator = NULL};
        sink to = sink_to_buffer(&b);
        assert_int_equal(incidence_terminal(&to, &a, rows[k].width, NULL), DAEDAL_OK);
        expect_text(b.bytes, rows[k].picture);
        sink_buffer_free(&b);
    }
    sink to = sink_to_nowhere();
    assert_int_equal(incidence_terminal(&to, &a, 8, NULL), DAEDAL_ERR_ARGUMENT);
    daedal_model_free(m);
}

/* ---- pages ---- */

/* n equations in one block, entries spread over the matrix; texts that need care. */
typedef struct invented {
    daedal_incidence data;
    const char **texts;
    int32_t *numbers, starts[2];
    daedal_incidence_entry *entries;
} invented;

static invented invent(int32_t n, int32_t n_entries, const char *text)
{
    size_t size = (size_t)n;
    invented v = {.starts = {0, n}};
    v.texts = malloc(size * sizeof *v.texts);
    v.numbers = malloc(size * sizeof *v.numbers);
    v.entries = malloc((size_t)n_entries * sizeof *v.entries);
    for (int32_t k = 0; k < n; k++) {
        v.texts[k] = text;
        v.numbers[k] = k;
    }
    uint64_t random = 1; /* MMIX, Knuth */
    for (int32_t q = 0; q < n_entries; q++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        v.entries[q] = (daedal_incidence_entry){(int32_t)((random >> 33) % (uint32_t)n),
                                                (int32_t)((random >> 13) % (uint32_t)n),
                                                (random >> 60) == 0, (random >> 59) & 1};
    }
    v.data = (daedal_incidence){n,         v.texts, v.numbers, v.texts,   n_entries,
                                v.entries, 1,       NULL,      v.numbers, v.numbers};
    return v;
}

static void invented_free(invented *v)
{
    free(v->texts);
    free(v->numbers);
    free(v->entries);
}

static void test_size(void **state)
{
    (void)state;
    char text[400];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    static const int32_t rows[][2] = {{1, 1},           {30, 900},    {400, 8000},   {400, 60000},
                                      {401, 401},       {5000, 5000}, {1000, 30000}, {3000, 100000},
                                      {100000, 300000}, {100, 10000}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        invented v = invent(rows[k][0], rows[k][1], text);
        v.data.block_start = v.starts;
        sink to = sink_to_nowhere();
        assert_int_equal(incidence_html(&to, &v.data, "t", NULL), DAEDAL_OK);
        if (to.count > 360000)
            fail_msg("%d equations, %d entries: %d bytes", (int)rows[k][0], (int)rows[k][1],
                     (int)to.count);
        invented_free(&v);
    }
}

/* Cells of a density that all differ from their neighbours: nothing can be drawn as one line. */
static void test_worst_density(void **state)
{
    (void)state;
    enum { CELLS = 128, ROWS = 4 * CELLS, MOST = CELLS * CELLS };
    char text[400];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    invented v = invent(ROWS, MOST, text);
    v.data.block_start = v.starts;
    for (int32_t q = 0; q < MOST; q++) {
        int32_t row = q / CELLS, col = q % CELLS;
        v.entries[q] = (daedal_incidence_entry){4 * row, 4 * col, (row + col) % 2, 1};
    }
    sink to = sink_to_nowhere();
    assert_int_equal(incidence_html(&to, &v.data, "t", NULL), DAEDAL_OK);
    assert_in_range(to.count, 300000, 360000); /* the worst indeed, and small enough */
    invented_free(&v);
}

static void test_escapes(void **state)
{
    (void)state;
    static const int32_t sizes[] = {3, 500};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        invented v = invent(sizes[k], 9, "</script><b>&\"'\xff\xc3\xa4");
        v.data.block_start = v.starts;
        sink_buffer b = {.allocator = NULL};
        sink to = sink_to_buffer(&b);
        assert_int_equal(incidence_html(&to, &v.data, "<b>", NULL), DAEDAL_OK);
        assert_null(strstr(b.bytes, "<b>"));
        assert_null(strstr(b.bytes, "\xff"));
        assert_null(strstr(b.bytes, "http"));
        expect_text(b.bytes, "</html>");
        sink_buffer_free(&b);
        invented_free(&v);
    }
}

static bool refuse(void *user, const void *bytes, size_t n)
{
    (void)user, (void)bytes;
    return n == 0;
}

static void test_refusing_sink(void **state)
{
    (void)state;
    invented v = invent(3, 9, "x");
    v.data.block_start = v.starts;
    sink to = {.write = refuse}, also = {.write = refuse};
    assert_int_equal(incidence_html(&to, &v.data, "t", NULL), DAEDAL_ERR_CALLBACK);
    assert_int_equal(incidence_terminal(&also, &v.data, 80, NULL), DAEDAL_ERR_CALLBACK);
    invented_free(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries), cmocka_unit_test(test_models),
        cmocka_unit_test(test_unusual), cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_size),    cmocka_unit_test(test_worst_density),
        cmocka_unit_test(test_escapes), cmocka_unit_test(test_refusing_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
