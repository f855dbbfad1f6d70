/* tests/unit/test_lexer.c - lang/lexer.c and lang/source.c: every row of a table is a test. */
#include "ast_text.h"
#include "lang/lexer.h"
#include "lang/parser.h"

#include "harness.h" /* last: cmocka defines fail() as a macro */

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ----------------------------------------------------------------------- */

static void append(char *to, size_t size, const char *text)
{
    size_t n = strlen(to);
    snprintf(to + n, size - n, "%s%s", n > 0 ? " " : "", text);
}

/* One token: its text; names in <>, quoted ones in <''>, numbers as %g, strings in "". */
static void describe(const compilation *c, const token *t, char *to, size_t size)
{
    if (t->kind == TOKEN_NAME)
        snprintf(to, size, t->quoted ? "<'%s'>" : "<%s>", intern_text(&c->names, t->name));
    else if (t->kind == TOKEN_INTEGER)
        snprintf(to, size, "%lldi", (long long)t->integer);
    else if (t->kind == TOKEN_REAL)
        snprintf(to, size, "%.17g", t->real);
    else if (t->kind == TOKEN_STRING)
        snprintf(to, size, "\"%s\"", t->text);
    else
        snprintf(to, size, "%s", t->kind == TOKEN_BAD ? "BAD" : token_text(t->kind));
}

static void tokens_of(compilation *c, const char *text, size_t length, char *to, size_t size)
{
    const source *f = sources_add_text(&c->sources, "t", text, length);
    lexer l;
    token t;
    assert_non_null(f);
    lexer_open(&l, &c->sources, &c->names, f);
    to[0] = '\0';
    for (lexer_next(&l, &t); t.kind != TOKEN_END; lexer_next(&l, &t)) {
        char one[200];
        describe(c, &t, one, sizeof one);
        append(to, size, one);
    }
}

static const struct {
    const char *text, *tokens;
} token_rows[] = {
    {"", ""},
    {" \t\r\n // x\n/* * / ** */ /**/", ""},
    {"a_1 _ B der end e5", "<a_1> <_> <B> der end <e5>"},
    {"'a.b[1].c' 'it\\'s' 'end' '\"'", "<'a.b[1].c'> <'it's'> <'end'> <'\"'>"},
    {"1 007 9223372036854775807", "1i 7i 9223372036854775807i"},
    {"9223372036854775808", "9.2233720368547758e+18"},
    {"1. 1.5 .5 1e3 1E+3 1.e-3 .5e1", "1 1.5 0.5 1000 1000 0.001 5"},
    {"3.*x", "3 * <x>"},
    {"x.*y x .* y x.^2 x./y x.+y x.-y", "<x> .* <y> <x> .* <y> <x> .^ 2i <x> ./ <y> "
                                        "<x> .+ <y> <x> .- <y>"},
    {"a.b .c", "<a> . <b> . <c>"},
    {"1:2:3 x[1:end]", "1i : 2i : 3i <x> [ 1i : end ]"},
    {"< <= > >= == <> = := : ;", "< <= > >= == <> = := : ;"},
    {"( ) [ ] { } , @ + - * / ^", "( ) [ ] { } , @ + - * / ^"},
    {"\"a\\\"b\\\\c\\n\"", "\"a\"b\\c\n\""},
    {"\"two\nlines\" \"\"", "\"two\nlines\" \"\""},
    {"\"\\q\"", "\"\\q\""},
    {"#EMPTY# #EMPTY#x", "#EMPTY# #EMPTY# <x>"},
    {"true false not", "true false not"},
    {"a//b\rc", "<a> <c>"},
    {"\"\xC3\xA4\" '\xC3\xA4'", "\"\xC3\xA4\" <'\xC3\xA4'>"},
};

static void tokens_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(token_rows); i++) {
        compilation c;
        char found[500];
        assert_true(compilation_create(&c, NULL, 0));
        tokens_of(&c, token_rows[i].text, strlen(token_rows[i].text), found, sizeof found);
        assert_string_equal(found, token_rows[i].tokens);
        assert_int_equal(c.sources.n_errors, 0);
        compilation_free(&c);
    }
}

static void a_mark_at_the_beginning_is_skipped(void **state)
{
    (void)state;
    compilation c;
    char found[500];
    assert_true(compilation_create(&c, NULL, 0));
    tokens_of(&c, "\xEF\xBB\xBFx", 4, found, sizeof found);
    assert_string_equal(found, "<x>");
    assert_int_equal(sources_place(&c.sources, c.sources.source[0]->base).column, 1);
    compilation_free(&c);
}

/* ---- what is no token ------------------------------------------------------------------ */

static const struct {
    const char *text;
    size_t length; /* 0: strlen */
    const char *tokens, *message;
} error_rows[] = {
    {"x \"abc", 0, "<x> BAD", "t:1:3: this string is not closed"},
    {"'ab\ncd'", 0, "BAD <cd> BAD", "t:1:1: this quoted name is not closed"},
    {"x ''", 0, "<x> BAD", "t:1:3: a quoted name cannot be empty"},
    {"/* x", 0, "BAD", "t:1:1: this comment is not closed: '*/' is missing"},
    {"a\0b", 3, "<a> BAD <b>", "t:1:2: the text contains a NUL byte; this may not be a text file"},
    {"\"a\0b\"", 5, "BAD", "t:1:3: there is a NUL byte in a string"},
    {"\xC3\xA4x", 0, "BAD <x>", "t:1:1: U+00E4 is allowed only in strings"},
    {"x\n\xFF\xFE", 0, "<x> BAD", "t:2:1: the byte 0xFF is not valid here"},
    {"2x", 0, "BAD", "t:1:2: a name follows a number"},
    {"0x1F", 0, "BAD", "t:1:2: a name follows a number"},
    {"1e999", 0, "BAD", "t:1:1: this number is too large for a Real"},
    {"a ? b", 0, "<a> BAD <b>", "t:1:3: '?' has no meaning here"},
    {"#UNKNOWN STATEMENT# x", 0, "BAD <x>", "t:1:1: '#': the program that exported"},
    {"\"\\", 0, "BAD", "t:1:1: this string is not closed"},
    {"'\\", 0, "BAD", "t:1:1: this quoted name is not closed"},
};

static void the_rest_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(error_rows); i++) {
        compilation c;
        char found[500], message[500];
        size_t n = error_rows[i].length ? error_rows[i].length : strlen(error_rows[i].text);
        assert_true(compilation_create(&c, NULL, 0));
        tokens_of(&c, error_rows[i].text, n, found, sizeof found);
        assert_string_equal(found, error_rows[i].tokens);
        assert_non_null(sources_first_error(&c.sources));
        source_format(&c.sources, sources_first_error(&c.sources), message, sizeof message);
        expect_text(message, error_rows[i].message);
        compilation_free(&c);
    }
}

/* ---- numbers ------------------------------------------------------------------------------ */

/* Around halves between doubles, the ends of the range, many digits. */
static const struct {
    const char *text;
    double value;
} number_rows[] = {
    {"0.1", 0.1},
    {"3.141592653589793", 3.141592653589793},
    {"9007199254740993.", 9007199254740992.0},
    {"9007199254740993.00000000000000000000000000000000001", 9007199254740994.0},
    {"1.7976931348623157e308", 1.7976931348623157e308},
    {"4.9406564584124654e-324", 4.9406564584124654e-324},
    {"2.4703282292062327e-324", 0.0},
    {"2.4703282292062328e-324", 4.9406564584124654e-324},
    {"2.2250738585072011e-308", 2.2250738585072011e-308},
    {"0.000000000000000000000000000000000000000000000000000000000000001e63", 1.0},
    {"0e999999999999999999999", 0.0},
    {"1e-999999999999999999999", 0.0},
    {"123456789012345678901234567890", 123456789012345678901234567890.0},
    {"1e22", 1e22},
    {"1e23", 1e23},
    {"8.5e-23", 8.5e-23},
};

static void numbers_are_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(number_rows); i++) {
        const char *text = number_rows[i].text;
        double value = lexer_real(text, text + strlen(text));
        if (value != number_rows[i].value)
            fail_msg("%s gives %.17g, not %.17g", text, value, number_rows[i].value);
    }
}

static uint64_t next_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static void numbers_agree_with_strtod(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        char text[80];
        uint64_t a = next_random(&x), b = next_random(&x);
        int digits = (int)(b % 19), exponent = (int)(b >> 32) % 340 - (int)(i % 2) * 20;
        snprintf(text, sizeof text, "%llu.%0*llue%d", (unsigned long long)(a >> (b & 63)), digits,
                 (unsigned long long)(a & 0xFFFF), exponent - 330 * (i % 3 == 0));
        double wanted = strtod(text, NULL), value = lexer_real(text, text + strlen(text));
        if (value != wanted)
            fail_msg("%s gives %.17g, not %.17g", text, value, wanted);
    }
}

/* More digits than are kept: a midpoint followed by zeros, and by one digit. */
static void very_long_numbers_are_exact(void **state)
{
    (void)state;
    char text[2000] = "9007199254740993.";
    size_t n = strlen(text);
    memset(text + n, '0', sizeof text - n);
    assert_true(lexer_real(text, text + sizeof text) == 9007199254740992.0);
    text[sizeof text - 1] = '7';
    assert_true(lexer_real(text, text + sizeof text) == 9007199254740994.0);
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "de_DE.utf8"};
    for (size_t i = 0; i < COUNT(locales); i++)
        if (setlocale(LC_NUMERIC, locales[i]))
            break;
    numbers_are_exact(NULL);
    setlocale(LC_NUMERIC, "C");
}

/* ---- positions and messages ---------------------------------------------------------------- */

static const struct {
    const char *text;
    uint32_t offset, line, column;
} place_rows[] = {
    {"abc", 0, 1, 1},  {"abc", 3, 1, 4},           {"a\nb", 2, 2, 1},     {"a\r\nb", 3, 2, 1},
    {"a\rb", 2, 2, 1}, {"a\n\n", 3, 3, 1},         {"\tx", 1, 1, 2},      {"\xC3\xA4x", 2, 1, 2},
    {"", 0, 1, 1},     {"\xE2\x82\xACx", 3, 1, 2}, {"a\nbc\nd", 4, 2, 3},
};

static void places_are_found(void **state)
{
    (void)state;
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    for (size_t i = 0; i < COUNT(place_rows); i++) {
        const char *text = place_rows[i].text;
        const source *f = sources_add_text(&c.sources, "t", text, strlen(text));
        source_place at = sources_place(&c.sources, f->base + place_rows[i].offset);
        assert_ptr_equal(at.source, f);
        assert_int_equal(at.line, place_rows[i].line);
        assert_int_equal(at.column, place_rows[i].column);
    }
    assert_null(sources_place(&c.sources, SOURCE_NOWHERE).source);
    assert_null(sources_place(&c.sources, (source_at)-1).source);
    compilation_free(&c);
}

static void messages_show_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t offset;
        const char *shown;
    } rows[] = {
        {"abc", 1, "f:1:2: what\n  abc\n   ^"},
        {"x\r\n\tabc\r\ny", 5, "f:2:3: what\n  \tabc\n  \t ^"},
        {"\xC3\xA4\x01q", 3, "f:1:3: what\n  \xC3\xA4?q\n    ^"},
        {"a\n", 2, "f:2:1: what\n  \n  ^"},
        {"", 0, "f:1:1: what"},
    };
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    for (size_t i = 0; i < COUNT(rows); i++) {
        char shown[300];
        const source *f = sources_add_text(&c.sources, "f", rows[i].text, strlen(rows[i].text));
        source_message m = {f->base + rows[i].offset, SOURCE_ERROR, "what"};
        source_format(&c.sources, &m, shown, sizeof shown);
        assert_string_equal(shown, rows[i].shown);
    }
    compilation_free(&c);
}

static void long_lines_are_shown_in_part(void **state)
{
    (void)state;
    enum { LENGTH = 83000 };
    char *text = malloc(LENGTH), shown[400];
    compilation c;
    memset(text, 'x', LENGTH);
    text[40000] = '!';
    assert_true(compilation_create(&c, NULL, 0));
    const source *f = sources_add_text(&c.sources, "f", text, LENGTH);
    for (uint32_t offset = 0; offset <= LENGTH; offset += 20000) {
        source_message m = {f->base + offset, SOURCE_WARNING, "what"};
        size_t n = source_format(&c.sources, &m, shown, sizeof shown);
        assert_true(n < 300);
        char *line = strchr(shown, '\n') + 1, *caret = strchr(line, '\n') + 1;
        size_t column = strlen(caret) - 1;
        assert_int_equal(caret[column], '^');
        assert_int_equal(line[column], offset == 40000 ? '!' : 'x');
        expect_text(shown, offset > 0 ? "\n  ..." : "\n  xxx");
    }
    assert_true(source_format(&c.sources, &(source_message){f->base, SOURCE_ERROR, "w"}, NULL, 0) >
                90);
    compilation_free(&c);
    free(text);
}

static void messages_are_limited(void **state)
{
    (void)state;
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    for (int i = 0; i < 100; i++) {
        source_error(&c.sources, SOURCE_NOWHERE, "error %d", i);
        source_warning(&c.sources, SOURCE_NOWHERE, "warning %d", i);
    }
    assert_int_equal(c.sources.n_errors, 100);
    assert_int_equal(c.sources.n_warnings, 100);
    assert_int_equal(c.sources.n_messages, SOURCE_ERRORS_MAX + SOURCE_WARNINGS_MAX);
    assert_string_equal(sources_first_error(&c.sources)->text, "error 0");
    compilation_free(&c);
}

static void unreadable_files_are_named(void **state)
{
    (void)state;
    compilation c;
    assert_true(compilation_create(&c, NULL, 0));
    assert_null(sources_add_file(&c.sources, "/nowhere/x.mo"));
    expect_text(sources_first_error(&c.sources)->text, "/nowhere/x.mo: the file cannot be opened");
    compilation_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_read),
        cmocka_unit_test(a_mark_at_the_beginning_is_skipped),
        cmocka_unit_test(the_rest_is_reported),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(numbers_agree_with_strtod),
        cmocka_unit_test(very_long_numbers_are_exact),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(places_are_found),
        cmocka_unit_test(messages_show_the_line),
        cmocka_unit_test(long_lines_are_shown_in_part),
        cmocka_unit_test(messages_are_limited),
        cmocka_unit_test(unreadable_files_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
