/* tests/unit/test_matrix_file.c - matrices in text files, CSV and MAT files, whole and damaged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tables/matrix_file.h"

#include "harness.h"

static const char path[] = "test_matrix_file.tmp", csv_path[] = "test_matrix_file.csv";

static void file_put(const char *to, const char *bytes, size_t n)
{
    FILE *stream = fopen(to, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, n, stream), n);
    fclose(stream);
}

static size_t file_get(const char *from, char *bytes, size_t most)
{
    FILE *stream = fopen(from, "rb");
    assert_non_null(stream);
    size_t n = fread(bytes, 1, most, stream);
    fclose(stream);
    return n;
}

typedef struct reading {
    arena mem;
    table_matrix m;
    table_why why;
    bool ok;
} reading;

static void read_from(reading *r, const char *from, const char *name, int headers)
{
    matrix_source source = {
        .path = from, .shown = from, .name = name, .delimiter = ";", .n_headers = headers};
    arena_create(&r->mem, NULL, 0);
    r->ok = matrix_file_read(&r->mem, &source, &r->m, &r->why);
}

static void expect_reading(const char *from, const char *text, const char *name, const char *why)
{
    reading r;
    file_put(from, text, strlen(text));
    read_from(&r, from, name, 1);
    if (why && (r.ok || !strstr(r.why.text, why)))
        fail_msg("expected '%s', got '%s'", why, r.ok ? "success" : r.why.text);
    if (!why && !r.ok)
        fail_msg("%s", r.why.text);
    for (size_t i = 0; !why && i < r.m.n_rows * r.m.n_columns; i++)
        expect_near(r.m.e[i], (double)i, 0.0);
    arena_free(&r.mem);
}

static void texts(void **state)
{
    (void)state;
    expect_reading(path, "#1\ndouble other(1,1)\n9\nfloat a(2, 3) # comment\n0 1,2 # row\n3;4\n\n5",
                   "a", NULL);
    expect_reading(path, "\xEF\xBB\xBF#1\ndouble a(1,2)\n0 1\n", "a", NULL);
    expect_reading(path, "#1\ndouble a(1,2)\n0 1\n", "b", "has no table 'b'");
    expect_reading(path, "#1\ndouble a(2,2)\n0 1\n2", "a", ".tmp:4:2: the file ends in a table");
    expect_reading(path, "#1\ndouble a(1,2)\n0 1\n2 3\n", "a",
                   ".tmp:4:1: more numbers follow than the sizes of the table say: 1 times 2");
    expect_reading(path, "#1\ndouble a(1,3)\n0 1 2, -3\ndouble b(1,1)\n4\n", "b",
                   ".tmp:3:8: more numbers follow");
    expect_reading(path, "#1\ndouble a(2,2)\n0 1\n2 x", "a", ".tmp:4:3: this is not a number");
    expect_reading(path, "#1\ndouble a(1,2)\n0 1x", "a",
                   ".tmp:3:4: a number is followed by something");
    expect_reading(path, "#1\ndouble a(2)\n0 1", "a",
                   ".tmp:2:11: expected: double name(rows,columns)");
    expect_reading(path, "#1\nint a(2,2)\n0 1", "a", ".tmp:2:1: expected: double");
    expect_reading(path, "#1\ndouble a(99999,99999)\n0 1", "a", "breaks off");
    expect_reading(path, "0 1 2", "a", ".tmp:1:1: this is neither");
    expect_reading(path, "", "a", ".tmp:1:1: this is neither");
}

static void comma_separated(void **state)
{
    (void)state;
    expect_reading(csv_path, "x;y\n0;1\n\n 2 ; 3\r\n\"4\";5;\n", "", NULL);
    expect_reading(csv_path, "x;y\n0;1\n2\n", "", ".csv:3: the line has 1 numbers");
    expect_reading(csv_path, "x;y\n0;1\n2;z\n", "", ".csv:3:3: this is not a number");
    expect_reading(csv_path, "x;y\n0;1\n2,3\n", "",
                   ".csv:3:2: a number is followed by something else");
    expect_reading(csv_path, "x;y", "", NULL);
}

static const double numbers[] = {0, 1, 2, 3, 4, 5};

static bool write_to(const char *name, int version, bool is_appended, table_why *why)
{
    arena mem;
    table_matrix m = {.n_rows = 2, .n_columns = 3, .e = (double *)(uintptr_t)numbers};
    matrix_target to = {.path = path, .name = name, .version = version, .is_appended = is_appended};
    arena_create(&mem, NULL, 0);
    bool ok = matrix_file_write(&mem, &to, &m, why);
    arena_free(&mem);
    return ok;
}

static void expect_matrix(const char *name, bool is_there)
{
    reading r;
    read_from(&r, path, name, 0);
    assert_int_equal(r.ok, is_there);
    if (is_there) {
        assert_int_equal(r.m.n_rows, 2);
        assert_int_equal(r.m.n_columns, 3);
        for (size_t i = 0; i < 6; i++)
            expect_near(r.m.e[i], numbers[i], 0.0);
    } else {
        assert_non_null(strstr(r.why.text, "has no matrix"));
    }
    arena_free(&r.mem);
}

static void versions_are_read_as_written(void **state)
{
    static const int versions[] = {4, 6, 7};
    (void)state;
    for (int k = 0; k < 3; k++) {
        table_why why;
        remove(path);
        assert_true(write_to("first", versions[k], false, &why));
        assert_true(write_to("second_matrix", versions[k], true, &why));
        assert_true(write_to("first", versions[k], true, &why));
        expect_matrix("first", true);
        expect_matrix("second_matrix", true);
        expect_matrix("third", false);
        char before[2048], after[2048];
        size_t n = file_get(path, before, sizeof before);
        assert_true(write_to("first", versions[k], true, &why)); /* replaced, not added */
        assert_int_equal(file_get(path, after, sizeof after), n);
        assert_true(write_to("first", versions[k], false, &why));
        expect_matrix("second_matrix", false);
        assert_false(write_to("x", versions[k] == 4 ? 6 : 4, true, &why));
        assert_non_null(strstr(why.text, "to which a matrix can be appended"));
    }
    table_why why;
    file_put(path, "precious", 8);
    assert_false(write_to("x", 4, false, &why));
    assert_non_null(strstr(why.text, "not written over"));
}

/* A matrix of 16-bit integers with the bytes in the other order. */
static void other_byte_order(void **state)
{
    static const char bytes[] = "\0\0\x04\x06\0\0\0\1\0\0\0\2\0\0\0\0\0\0\0\2a\0\xff\xfe\0\1";
    reading r;
    (void)state;
    file_put(path, bytes, sizeof bytes - 1);
    read_from(&r, path, "a", 0);
    assert_true(r.ok);
    expect_near(r.m.e[0], -2.0, 0.0);
    expect_near(r.m.e[1], 1.0, 0.0);
    arena_free(&r.mem);
}

static void version_7_3_is_refused(void **state)
{
    static const char head[] = "\x89HDF\r\n\x1a\n and more";
    reading r;
    (void)state;
    file_put(path, head, sizeof head - 1);
    read_from(&r, path, "a", 0);
    assert_false(r.ok);
    assert_non_null(strstr(r.why.text, "version 7.3"));
    arena_free(&r.mem);
}

/* From a copy that ends where the bytes end, so that reading beyond them is noticed. */
static void read_damaged(const char *bytes, size_t n)
{
    table_matrix m = {0};
    table_why why = {""};
    arena mem;
    arena_create(&mem, NULL, 0);
    char *copy = malloc(n + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    copy[n] = '\0';
    matrix_bytes b = {.shown = "bytes", .at = copy, .n = n, .mem = &mem, .why = &why};
    bool ok = mat_is_known(&b) ? mat_read(&b, "second_matrix", &m)
                               : matrix_text_read(&b, "second_matrix", &m);
    assert_true(ok || strlen(why.text) > 0);
    free(copy);
    arena_free(&mem);
}

/* Files that are cut anywhere, or in which bytes are changed, are told or read, without a crash. */
static void damaged_files(void **state)
{
    static const char text[] =
        "#1\ndouble b(1,1)\n7\ndouble second_matrix(2,3) # x\n0 1 2\n3 4 5e0\n";
    uint64_t seed = 11;
    (void)state;
    for (int version = 3; version <= 7; version++) {
        char bytes[2048], changed[2048];
        table_why why;
        size_t n = sizeof text - 1;
        remove(path);
        if (version == 3) {
            memcpy(bytes, text, n);
        } else {
            if (version == 5)
                continue;
            assert_true(write_to("b", version, false, &why));
            assert_true(write_to("second_matrix", version, true, &why));
            n = file_get(path, bytes, sizeof bytes);
        }
        for (size_t cut = 0; cut < n; cut++)
            read_damaged(bytes, cut);
        for (int run = 0; run < 400; run++) {
            memcpy(changed, bytes, n);
            for (int k = 0; k < 1 + run % 4; k++)
                changed[random_next(&seed) % n] = (char)random_next(&seed);
            read_damaged(changed, n);
        }
    }
}

static int clean_up(void **state)
{
    (void)state;
    remove(path);
    remove(csv_path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(comma_separated),
        cmocka_unit_test(versions_are_read_as_written),
        cmocka_unit_test(other_byte_order),
        cmocka_unit_test(version_7_3_is_refused),
        cmocka_unit_test(damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, clean_up);
}
