/* tests/unit/test_output_formats.c - files of the output module: the exact bytes of small tables,
 * round trips, readers that are not ours, damaged files, and everything that can fail.          */
#include "output/result_file.h" /* before cmocka, which has a macro fail */

#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef DAEDAL_TEST_DATA
#define DAEDAL_TEST_DATA "tests/data"
#endif

typedef daedal_status write_fn(sink *to, const trajectory *tr, daedal_diagnosis *why);
typedef daedal_status read_fn(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why);

static const struct format {
    const char *extension;
    write_fn *write;
    read_fn *read;
} formats[] = {{".csv", csv_write, csv_read},
               {".npz", npz_write, npz_read},
               {".mat", mat4_write, mat4_read},
               {".json", result_json_write, result_json_read}};

/* ---- tables ------------------------------------------------------------------------------ */

#define OK(call)                                                                                   \
    do {                                                                                           \
        daedal_status st_ = (call);                                                                \
        if (st_ < 0)                                                                               \
            return st_;                                                                            \
    } while (0)

/* The table of tests/data/output/read_results.py. */
static daedal_status fill_sample(trajectory *tr, daedal_diagnosis *why)
{
    static const column x = {.name = "x", .unit = "m", .description = "position, [old] style"};
    static const column phi = {.name = "phi[\"a,b\"]", .unit = "rad"};
    static const column k = {.name = "k", .kind = COLUMN_INTEGER};
    static const column on = {.name = "on", .kind = COLUMN_BOOLEAN};
    static const column c = {.name = "c", .unit = "kg"}, nc = {.name = "nc", .unit = "kg"};
    static const column nx = {.name = "nx", .unit = "m"};
    static const column warm = {.name = "f\xc3\xb6hn",
                                .unit = "\xc2\xb0"
                                        "C"};
    static const double rows[4][5] = {{0.0, 0.1, 3.141592653589793, 1, 0},
                                      {0.5, 1.0 / 3.0, -0.25, 2, 1},
                                      {0.5, -2e-300, 12345678.9, 3, 0},
                                      {1.0, 1e22, 5e-324, -4, 1}};
    OK(trajectory_add_stored(tr, &x, why));
    OK(trajectory_add_stored(tr, &phi, why));
    OK(trajectory_add_stored(tr, &k, why));
    OK(trajectory_add_stored(tr, &on, why));
    OK(trajectory_add_constant(tr, &c, 2.5, why));
    OK(trajectory_add_alias(tr, &nx, 0, true, why));
    OK(trajectory_add_alias(tr, &nc, 4, true, why));
    OK(trajectory_add_alias(tr, &warm, 1, false, why));
    for (size_t i = 0; i < COUNT(rows); i++)
        OK(trajectory_append(tr, rows[i][0], rows[i] + 1, why));
    return DAEDAL_OK;
}

static daedal_status fill_tiny(trajectory *tr, bool with_others, daedal_diagnosis *why)
{
    column x = {.name = "x", .unit = "m", .description = with_others ? "position" : ""};
    OK(trajectory_add_stored(tr, &x, why));
    if (with_others) {
        OK(trajectory_add_alias(tr, &(column){.name = "nx"}, 0, true, why));
        OK(trajectory_add_constant(tr, &(column){.name = "c", .unit = "kg"}, 2.5, why));
    }
    OK(trajectory_append(tr, 0.0, (double[]){1}, why));
    return trajectory_append(tr, 0.5, (double[]){-2}, why);
}

static void expect_same(const trajectory *a, const trajectory *b)
{
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_columns, b->n_columns);
    for (size_t j = 0; j < a->n_columns; j++)
        assert_string_equal(a->columns[j].name, b->columns[j].name);
    for (size_t i = 0; i < a->n_rows; i++) {
        assert_true(trajectory_time(a, i) == trajectory_time(b, i));
        for (size_t j = 0; j < a->n_columns; j++)
            assert_true(trajectory_value(a, i, j) == trajectory_value(b, i, j));
    }
}

/* ---- exact bytes --------------------------------------------------------------------------- */

static void expect_file(const sink_buffer *got, const char *name)
{
    char path[512], wanted[4096];
    snprintf(path, sizeof path, "%s/output/%s", DAEDAL_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(wanted, 1, sizeof wanted, file);
    fclose(file);
    assert_int_equal(got->n, n);
    assert_memory_equal(got->bytes, wanted, n);
}

static void test_golden_binary(void **state)
{
    (void)state;
    daedal_diagnosis why;
    for (int with_others = 0; with_others < 2; with_others++) {
        trajectory tr;
        sink_buffer b = {.allocator = NULL};
        sink to = sink_to_buffer(&b);
        trajectory_create(&tr, NULL, 0);
        assert_int_equal(fill_tiny(&tr, with_others, &why), DAEDAL_OK);
        assert_int_equal((with_others ? mat4_write : npz_write)(&to, &tr, &why), DAEDAL_OK);
        expect_file(&b, with_others ? "tiny.mat" : "tiny.npz");
        sink_buffer_free(&b);
        trajectory_free(&tr);
    }
}

static void test_golden_text(void **state)
{
    (void)state;
    static const char csv[] =
        "time,x,\"phi[\"\"a,b\"\"]\",k,on,c,nx,nc,f\xc3\xb6hn\n"
        "0,0.1,3.141592653589793,1,0,2.5,-0.1,-2.5,3.141592653589793\n"
        "0.5,0.3333333333333333,-0.25,2,1,2.5,-0.3333333333333333,-2.5,-0.25\n"
        "0.5,-2e-300,12345678.9,3,0,2.5,2e-300,-2.5,12345678.9\n"
        "1,1e+22,4.94065645841247e-324,-4,1,2.5,-1e+22,-2.5,4.94065645841247e-324\n";
    static const char json[] = "{\n"
                               "  \"names\": [\"x\", \"nx\", \"c\"],\n"
                               "  \"units\": [\"m\", \"\", \"kg\"],\n"
                               "  \"descriptions\": [\"position\", \"\", \"\"],\n"
                               "  \"kinds\": [\"real\", \"real\", \"real\"],\n"
                               "  \"time\": [0, 0.5],\n"
                               "  \"columns\": {\n"
                               "    \"x\": [1, -2],\n"
                               "    \"nx\": [-1, 2],\n"
                               "    \"c\": [2.5, 2.5]\n"
                               "  }\n"
                               "}\n";
    for (int k = 0; k < 2; k++) {
        trajectory tr;
        sink_buffer b = {.allocator = NULL};
        sink to = sink_to_buffer(&b);
        trajectory_create(&tr, NULL, 0);
        assert_int_equal(k ? fill_tiny(&tr, true, NULL) : fill_sample(&tr, NULL), DAEDAL_OK);
        assert_int_equal((k ? result_json_write : csv_write)(&to, &tr, NULL), DAEDAL_OK);
        assert_string_equal(b.bytes, k ? json : csv);
        sink_buffer_free(&b);
        trajectory_free(&tr);
    }
}

/* ---- round trips ----------------------------------------------------------------------------- */

static void test_round_trips(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(formats); k++) {
        trajectory tr, back;
        daedal_diagnosis why;
        sink_buffer b = {.allocator = NULL};
        sink to = sink_to_buffer(&b);
        trajectory_create(&tr, NULL, 0);
        trajectory_create(&back, NULL, 0);
        assert_int_equal(fill_sample(&tr, &why), DAEDAL_OK);
        assert_int_equal(formats[k].write(&to, &tr, &why), DAEDAL_OK);
        assert_int_equal(formats[k].read(&back, b.bytes, b.n, &why), DAEDAL_OK);
        expect_same(&tr, &back);
        for (size_t j = 0; k > 0 && j < tr.n_columns; j++) {
            assert_string_equal(tr.columns[j].unit, back.columns[j].unit);
            assert_true(k == 2 || tr.columns[j].kind == back.columns[j].kind);
        }
        if (k == 2) { /* MAT files know aliases and constants */
            assert_int_equal(back.n_slots, tr.n_slots);
            assert_string_equal(back.columns[0].description, tr.columns[0].description);
        }
        sink_buffer_free(&b);
        trajectory_free(&tr);
        trajectory_free(&back);
    }
}

static void test_empty_and_not_finite(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(formats); k++)
        for (int n_rows = 0; n_rows < 2; n_rows++) {
            trajectory tr, back;
            daedal_diagnosis why = {.message = ""};
            sink_buffer b = {.allocator = NULL};
            sink to = sink_to_buffer(&b);
            trajectory_create(&tr, NULL, 0);
            trajectory_create(&back, NULL, 0);
            assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "a"}, &why), 0);
            assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "b"}, &why), 0);
            if (n_rows)
                assert_int_equal(trajectory_append(&tr, 1, (double[]){NAN, -INFINITY}, &why), 0);
            assert_int_equal(formats[k].write(&to, &tr, &why), DAEDAL_OK);
            assert_int_equal(formats[k].read(&back, b.bytes, b.n, &why), DAEDAL_OK);
            assert_int_equal(back.n_rows, n_rows);
            if (n_rows) {
                assert_true(isnan(trajectory_value(&back, 0, 0)));
                double x = trajectory_value(&back, 0, 1); /* JSON has no infinity */
                assert_true(k == 3 ? isnan(x) : x == -INFINITY);
            }
            sink_buffer_free(&b);
            trajectory_free(&tr);
            trajectory_free(&back);
        }
}

/* ---- CSV of others, and cut short --------------------------------------------------------------
 */

static void test_csv_variants(void **state)
{
    (void)state;
    static const struct {
        const char *text, *problem; /* NULL: none */
        size_t n_rows, n_columns;
    } rows[] = {
        {"t,a\n0,1\n", NULL, 1, 1},
        {"\xef\xbb\xbftime , \"a\" \r\n0, 1\r\n\r\n1 ,2\r\n", NULL, 2, 1},
        {"\"time\",\"a \"\"b\"\"\"\n\"0\",\"1\"\n", NULL, 1, 1},
        {"t,a\n0,1\n1,2", NULL, 2, 1},
        {"t,a\n0,1\n1,", NULL, 1, 1}, /* the writer was killed */
        {"t,a\n0,1\n1", NULL, 1, 1},
        {"t\n0\n1\n", NULL, 2, 0},
        {"t,a\n0,x\n", "line 2, column 3: a number is expected for a, not 'x'", 0, 1},
        {"t,a\n0\n1,2\n", "line 2, column 2: the row is too short: 1 of 2 values", 0, 1},
        {"t,a\n0,1,2\n", "line 2, column 4: the row is too long: the first line has 2 columns", 0,
         1},
        {"t,a,a\n", "line 1: fields 2 and 3 have the same name, a", 0, 1},
        {"t,\"a\n", "quotation mark", 0, 0},
        {"", "the file is empty", 0, 0},
        {",a\n0,1\n", "no name", 0, 0},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        trajectory tr;
        daedal_diagnosis why = {.message = ""};
        trajectory_create(&tr, NULL, 0);
        daedal_status st = csv_read(&tr, rows[k].text, strlen(rows[k].text), &why);
        assert_int_equal(st, rows[k].problem ? DAEDAL_ERR_ARGUMENT : DAEDAL_OK);
        expect_text(why.message, rows[k].problem ? rows[k].problem : "");
        assert_int_equal(tr.n_rows, rows[k].n_rows);
        if (!rows[k].problem)
            assert_int_equal(tr.n_columns, rows[k].n_columns);
        trajectory_free(&tr);
    }
}

/* ---- any bytes are safe -------------------------------------------------------------------------
 */

/* Every beginning of a file, and files with one byte changed; read from memory of exact size. */
static void read_damaged(const struct format *format, const sink_buffer *b, size_t n, size_t at,
                         int change)
{
    char *copy = malloc(n ? n : 1);
    trajectory tr;
    daedal_diagnosis why;
    assert_non_null(copy);
    memcpy(copy, b->bytes, n);
    if (at < n)
        copy[at] = (char)(copy[at] ^ change);
    trajectory_create(&tr, NULL, 1 << 24);
    daedal_status st = format->read(&tr, copy, n, &why);
    assert_true(st == DAEDAL_OK || st == DAEDAL_ERR_ARGUMENT || st == DAEDAL_ERR_MEMORY);
    trajectory_free(&tr);
    free(copy);
}

static void test_damaged_files(void **state)
{
    (void)state;
    static const int changes[] = {1, 0x80, 0xff, 0x1c};
    for (size_t k = 0; k < COUNT(formats); k++) {
        trajectory tr;
        sink_buffer b = {.allocator = NULL};
        sink to = sink_to_buffer(&b);
        trajectory_create(&tr, NULL, 0);
        assert_int_equal(fill_sample(&tr, NULL), DAEDAL_OK);
        assert_int_equal(formats[k].write(&to, &tr, NULL), DAEDAL_OK);
        for (size_t n = 0; n < b.n; n++) {
            read_damaged(&formats[k], &b, n, b.n, 0);
            for (size_t c = 0; c < COUNT(changes); c++)
                read_damaged(&formats[k], &b, b.n, n, changes[c]);
        }
        sink_buffer_free(&b);
        trajectory_free(&tr);
    }
}

/* ---- what can fail ------------------------------------------------------------------------------
 */

typedef struct short_sink {
    size_t left;
} short_sink;

static bool take_some(void *user, const void *bytes, size_t n)
{
    short_sink *s = user;
    (void)bytes;
    if (n > s->left)
        return false;
    s->left -= n;
    return true;
}

static void test_failing_sinks(void **state)
{
    (void)state;
    trajectory tr;
    trajectory_create(&tr, NULL, 0);
    assert_int_equal(fill_sample(&tr, NULL), DAEDAL_OK);
    for (size_t k = 0; k < COUNT(formats); k++) {
        sink count = sink_to_nowhere();
        assert_int_equal(formats[k].write(&count, &tr, NULL), DAEDAL_OK);
        for (size_t room = 0; room <= count.count; room++) {
            short_sink s = {room};
            sink to = {.write = take_some, .user = &s};
            daedal_diagnosis why;
            daedal_status st = formats[k].write(&to, &tr, &why);
            assert_int_equal(st, room < count.count ? DAEDAL_ERR_CALLBACK : DAEDAL_OK);
        }
    }
    trajectory_free(&tr);
}

/* Build, write and read with the r-th allocation refused; 0: none. */
static daedal_status whole_way(const struct format *format, ledger *l, long refuse)
{
    trajectory tr, back;
    daedal_diagnosis why;
    ledger_open(l);
    l->refuse = refuse;
    l->refuse_rest = true;
    sink_buffer b = {.allocator = &l->allocator};
    sink to = sink_to_buffer(&b);
    trajectory_create(&tr, &l->allocator, 0);
    trajectory_create(&back, &l->allocator, 0);
    daedal_status st = fill_sample(&tr, &why);
    if (st == DAEDAL_OK)
        st = format->write(&to, &tr, &why);
    if (st == DAEDAL_OK)
        st = format->read(&back, b.bytes, b.n, &why);
    sink_buffer_free(&b);
    trajectory_free(&tr);
    trajectory_free(&back);
    ledger_expect_empty(l);
    return st;
}

static void test_failing_allocators(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(formats); k++) {
        ledger l;
        assert_int_equal(whole_way(&formats[k], &l, 0), DAEDAL_OK);
        long all = l.taken;
        assert_true(all > 4);
        for (long refuse = 1; refuse <= all; refuse++) {
            daedal_status st = whole_way(&formats[k], &l, refuse);
            assert_true(st == DAEDAL_ERR_MEMORY || st == DAEDAL_ERR_CALLBACK);
        }
    }
}

/* ---- files
 * ------------------------------------------------------------------------------------------- */

static void test_open_early(void **state)
{
    (void)state;
    static const struct {
        const char *path, *message;
    } rows[] = {{"result.txt", "extension"},
                {"result", "extension"},
                {"no/such/folder/result.csv", "cannot be written"},
                {"no/such/folder/result.NPZ", "cannot be written"}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        result_file f;
        daedal_diagnosis why;
        assert_int_equal(result_file_open(&f, rows[k].path, &why), DAEDAL_ERR_ARGUMENT);
        expect_text(why.message, rows[k].message);
        expect_text(why.message, rows[k].path);
        assert_int_equal(result_file_close(&f, NULL, &why), DAEDAL_OK);
    }
    trajectory tr;
    daedal_diagnosis why;
    trajectory_create(&tr, NULL, 0);
    assert_int_equal(result_file_read(&tr, "no/such/file.csv", &why), DAEDAL_ERR_ARGUMENT);
    expect_text(why.message, "no/such/file.csv");
    trajectory_free(&tr);
}

/* A run that stops after two rows: the rows are in the file before it is closed. */
static void test_streaming(void **state)
{
    (void)state;
    const char *path = "test_output_stream.csv";
    trajectory tr, back;
    result_file f;
    daedal_diagnosis why;
    trajectory_create(&tr, NULL, 0);
    trajectory_create(&back, NULL, 0);
    assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "x"}, &why), 0);
    assert_int_equal(result_file_open(&f, path, &why), DAEDAL_OK);
    assert_true(result_file_streams(&f));
    assert_int_equal(result_file_begin(&f, &tr, &why), DAEDAL_OK);
    assert_int_equal(result_file_row(&f, &tr, 0, (double[]){1}, &why), DAEDAL_OK);
    assert_int_equal(result_file_row(&f, &tr, 1, (double[]){2}, &why), DAEDAL_OK);
    result_file_flush(&f);
    assert_int_equal(result_file_read(&back, path, &why), DAEDAL_OK);
    assert_int_equal(back.n_rows, 2);
    assert_int_equal(result_file_close(&f, &tr, &why), DAEDAL_OK);
    remove(path);
    trajectory_free(&tr);
    trajectory_free(&back);
}

/* NPZ is written row by row, too: the trajectory has columns only.  Constants and aliases are in
 * the rows of the file; a run without rows gives a valid file.                     */
static void test_streaming_npz(void **state)
{
    (void)state;
    const char *path = "test_output_stream.npz";
    enum { MOST = 1000 };
    static const size_t n_rows[] = {0, 1, MOST};
    for (size_t k = 0; k < COUNT(n_rows); k++) {
        trajectory tr, back;
        result_file f;
        daedal_diagnosis why;
        trajectory_create(&tr, NULL, 0);
        trajectory_create(&back, NULL, 0);
        assert_int_equal(trajectory_add_stored(&tr, &(column){.name = "x"}, &why), 0);
        assert_int_equal(trajectory_add_constant(&tr, &(column){.name = "c"}, 3.5, &why), 0);
        assert_int_equal(trajectory_add_alias(&tr, &(column){.name = "minus"}, 0, true, &why), 0);
        assert_int_equal(result_file_open(&f, path, &why), DAEDAL_OK);
        assert_true(result_file_streams(&f));
        assert_int_equal(result_file_begin(&f, &tr, &why), DAEDAL_OK);
        for (size_t i = 0; i < n_rows[k]; i++)
            assert_int_equal(
                result_file_row(&f, &tr, 0.1 * (double)i, (double[]){sqrt((double)i)}, &why),
                DAEDAL_OK);
        assert_int_equal(result_file_close(&f, &tr, &why), DAEDAL_OK);
        assert_int_equal(tr.n_rows, 0);
        assert_int_equal(result_file_read(&back, path, &why), DAEDAL_OK);
        assert_int_equal(back.n_rows, n_rows[k]);
        assert_int_equal(back.n_columns, 3);
        for (size_t i = 0; i < n_rows[k]; i++) {
            assert_true(trajectory_time(&back, i) == 0.1 * (double)i);
            assert_true(trajectory_value(&back, i, 0) == sqrt((double)i));
            assert_true(trajectory_value(&back, i, 1) == 3.5);
            assert_true(trajectory_value(&back, i, 2) == 0.0 - sqrt((double)i));
        }
        remove(path);
        trajectory_free(&tr);
        trajectory_free(&back);
    }
}

static void test_full_disk(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "wb");
    if (!full) {
        print_message("notice: no /dev/full here\n");
        return;
    }
    trajectory tr;
    daedal_diagnosis why;
    trajectory_create(&tr, NULL, 0);
    assert_int_equal(fill_sample(&tr, &why), DAEDAL_OK);
    result_file f = {
        .stream = full, .to = sink_to_stream(full), .format = RESULT_JSON, .path = "x.json"};
    assert_int_equal(result_file_close(&f, &tr, &why), DAEDAL_ERR_CALLBACK);
    expect_text(why.message, "x.json could not be written completely");
    trajectory_free(&tr);
}

static void remove_all(const char *stem)
{
    for (size_t k = 0; k < COUNT(formats); k++) {
        char path[64];
        snprintf(path, sizeof path, "%s%s", stem, formats[k].extension);
        remove(path);
    }
}

/* Files on disk, read by programs that share nothing with our readers. */
static void test_independent_readers(void **state)
{
    (void)state;
    const char *stem = "test_output_sample";
    trajectory tr;
    daedal_diagnosis why;
    trajectory_create(&tr, NULL, 0);
    assert_int_equal(fill_sample(&tr, &why), DAEDAL_OK);
    for (size_t k = 0; k < COUNT(formats); k++) {
        char path[64];
        result_file f;
        trajectory back;
        snprintf(path, sizeof path, "%s%s", stem, formats[k].extension);
        assert_int_equal(result_file_open(&f, path, &why), DAEDAL_OK);
        assert_int_equal(result_file_begin(&f, &tr, &why), DAEDAL_OK);
        for (size_t i = 0; i < tr.n_rows; i++)
            assert_int_equal(
                result_file_row(&f, &tr, trajectory_time(&tr, i), trajectory_row(&tr, i) + 1, &why),
                0);
        assert_int_equal(result_file_close(&f, &tr, &why), DAEDAL_OK);
        trajectory_create(&back, NULL, 0);
        assert_int_equal(result_file_read(&back, path, &why), DAEDAL_OK);
        expect_same(&tr, &back);
        trajectory_free(&back);
    }
    trajectory_free(&tr);
    if (system("python3 -c pass") != 0)
        print_message("notice: no python3 here, the files were read by our readers only\n");
    else
        assert_int_equal(
            system("python3 -B \"" DAEDAL_TEST_DATA "/output/read_results.py\" test_output_sample"),
            0);
    remove_all(stem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_binary),       cmocka_unit_test(test_golden_text),
        cmocka_unit_test(test_round_trips),         cmocka_unit_test(test_empty_and_not_finite),
        cmocka_unit_test(test_csv_variants),        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_failing_sinks),       cmocka_unit_test(test_failing_allocators),
        cmocka_unit_test(test_open_early),          cmocka_unit_test(test_streaming),
        cmocka_unit_test(test_streaming_npz),       cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_independent_readers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
