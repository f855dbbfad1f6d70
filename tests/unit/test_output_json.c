/* tests/unit/test_output_json.c - output/json_writer.c and output/utf8.c. */
#include "output/json_writer.h" /* before cmocka, which has a macro fail */
#include "output/utf8.h"

#include "support/harness.h"

#include <math.h>
#include <string.h>

static void write_sample(json_writer *w)
{
    json_open_object(w);
    json_key(w, "status");
    json_string(w, "solved");
    json_key(w, "steps");
    json_integer(w, -9007199254740993);
    json_key(w, "t");
    json_number(w, 0.1);
    json_key(w, "missing");
    json_number(w, NAN);
    json_key(w, "none");
    json_string(w, NULL);
    json_key(w, "flags");
    json_open_flat_array(w);
    json_boolean(w, true);
    json_boolean(w, false);
    json_null(w);
    json_close(w);
    json_key(w, "moved");
    json_open_object(w);
    json_close(w);
    json_key(w, "list");
    json_open_array(w);
    json_number_digits(w, 3.14159265, 3);
    json_open_array(w);
    json_close(w);
    json_close(w);
    json_close(w);
}

static void test_styles(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "{\"status\":\"solved\",\"steps\":-9007199254740993,\"t\":0.1,\"missing\":null,"
        "\"none\":null,\"flags\":[true,false,null],\"moved\":{},\"list\":[3.14,[]]}",
        "{\n  \"status\": \"solved\",\n  \"steps\": -9007199254740993,\n  \"t\": 0.1,\n"
        "  \"missing\": null,\n  \"none\": null,\n  \"flags\": [true, false, null],\n"
        "  \"moved\": {},\n  \"list\": [\n    3.14,\n    []\n  ]\n}\n"};
    for (int style = JSON_COMPACT; style <= JSON_PRETTY; style++) {
        sink_buffer b = {.allocator = NULL};
        sink to = sink_to_buffer(&b);
        json_writer w = json_to(&to, (json_style)style);
        write_sample(&w);
        assert_string_equal(b.bytes, wanted[style]);
        assert_int_equal(w.depth, 0);
        sink_buffer_free(&b);
    }
}

static void test_escapes(void **state)
{
    (void)state;
    static const struct {
        json_style style;
        const char *text, *wanted;
    } rows[] = {
        {JSON_COMPACT, "a\"b\\c/", "\"a\\\"b\\\\c/\""},
        {JSON_COMPACT, "\n\r\t\x01\x1f\x7f", "\"\\n\\r\\t\\u0001\\u001f\\u007f\""},
        {JSON_COMPACT, "a < b & c", "\"a < b & c\""},
        {JSON_IN_HTML, "</script>&", "\"\\u003c/script\\u003e\\u0026\""},
        {JSON_COMPACT, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
         "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
        {JSON_COMPACT, "\xff\xc3", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {JSON_COMPACT, "\xed\xa0\x80",
         "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},               /* a surrogate */
        {JSON_COMPACT, "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""}, /* too long */
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        sink_buffer b = {.allocator = NULL};
        sink to = sink_to_buffer(&b);
        json_writer w = json_to(&to, rows[k].style);
        json_string(&w, rows[k].text);
        assert_string_equal(b.bytes, rows[k].wanted);
        sink_buffer_free(&b);
    }
}

static void test_utf8(void **state)
{
    (void)state;
    static const uint32_t codes[] = {0x41, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff};
    for (size_t k = 0; k < COUNT(codes); k++) {
        char bytes[4];
        size_t length, n = utf8_encode(bytes, codes[k]);
        assert_int_equal(utf8_decode(bytes, n, &length), codes[k]);
        assert_int_equal(length, n);
        if (n > 1)
            assert_int_equal(utf8_length(bytes, n - 1), 0); /* cut short */
    }
    char bytes[4];
    assert_int_equal(utf8_encode(bytes, 0xd800), 3); /* U+FFFD */
    assert_int_equal(utf8_encode(bytes, 0x110000), 3);
    assert_int_equal(utf8_count("a\xc3\xa9\xff"), 3);
}

static bool refuse(void *user, const void *bytes, size_t n)
{
    (void)bytes, (void)n;
    return --*(int *)user >= 0;
}

static void test_failing_sink(void **state)
{
    (void)state;
    for (int writes = 0; writes < 10; writes++) {
        int left = writes;
        sink to = {.write = refuse, .user = &left};
        json_writer w = json_to(&to, JSON_PRETTY);
        write_sample(&w);
        assert_true(to.failed);
        assert_int_equal(left, -1); /* nothing is tried after the first refusal */
        daedal_diagnosis why;
        assert_int_equal(sink_status(&to, "it", &why), DAEDAL_ERR_CALLBACK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_styles),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_failing_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
