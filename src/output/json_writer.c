/* output/json_writer.c - see json_writer.h. */
#include "output/json_writer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "output/decimal_text.h"
#include "output/utf8.h"

json_writer json_to(sink *to, json_style style)
{
    return (json_writer){.to = to, .style = style};
}

static void start_line(json_writer *w)
{
    if (w->style != JSON_PRETTY)
        return;
    sink_char(w->to, '\n');
    sink_repeat(w->to, "  ", w->depth);
}

/* Write what separates the items of an array or an object. */
static void separate(json_writer *w)
{
    int at = w->depth - 1;
    if (w->depth == 0)
        return;
    if (!w->is_empty[at])
        sink_text(w->to, w->is_flat[at] && w->style == JSON_PRETTY ? ", " : ",");
    w->is_empty[at] = false;
    if (!w->is_flat[at])
        start_line(w);
}

static void begin_value(json_writer *w)
{
    assert(w->depth == 0 || w->is_object[w->depth - 1] == w->after_key);
    if (!w->after_key)
        separate(w);
    w->after_key = false;
}

static void open(json_writer *w, bool is_object, bool is_flat)
{
    begin_value(w);
    assert(w->depth < JSON_DEPTH_MAX);
    sink_char(w->to, is_object ? '{' : '[');
    w->is_object[w->depth] = is_object;
    w->is_flat[w->depth] = is_flat;
    w->is_empty[w->depth] = true;
    w->depth++;
}

void json_open_object(json_writer *w)
{
    open(w, true, false);
}

void json_open_array(json_writer *w)
{
    open(w, false, false);
}

void json_open_flat_array(json_writer *w)
{
    open(w, false, true);
}

void json_close(json_writer *w)
{
    assert(w->depth > 0 && !w->after_key);
    w->depth--;
    if (!w->is_empty[w->depth] && !w->is_flat[w->depth])
        start_line(w);
    sink_char(w->to, w->is_object[w->depth] ? '}' : ']');
    if (w->depth == 0 && w->style == JSON_PRETTY)
        sink_char(w->to, '\n');
}

/* ---- texts ---- */

static const char *short_escape(unsigned char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    }
    return NULL;
}

static bool must_escape(const json_writer *w, unsigned char c)
{
    return c < 0x20 || c == 0x7f || (w->style == JSON_IN_HTML && strchr("<>&", c));
}

static void put_string(json_writer *w, const char *text)
{
    size_t left = strlen(text);
    sink_char(w->to, '"');
    while (left) {
        unsigned char c = (unsigned char)*text;
        size_t n = utf8_length(text, left);
        if (short_escape(c))
            sink_text(w->to, short_escape(c));
        else if (must_escape(w, c))
            sink_format(w->to, "\\u%04x", c);
        else if (n == 0)
            sink_text(w->to, "\xef\xbf\xbd");
        else
            sink_bytes(w->to, text, n);
        text += n ? n : 1;
        left -= n ? n : 1;
    }
    sink_char(w->to, '"');
}

void json_key(json_writer *w, const char *name)
{
    assert(w->depth > 0 && w->is_object[w->depth - 1] && !w->after_key);
    separate(w);
    put_string(w, name);
    sink_text(w->to, w->style == JSON_PRETTY ? ": " : ":");
    w->after_key = true;
}

void json_string(json_writer *w, const char *text)
{
    if (!text) {
        json_null(w);
        return;
    }
    begin_value(w);
    put_string(w, text);
}

/* ---- other values ---- */

static void put_word(json_writer *w, const char *word)
{
    begin_value(w);
    sink_text(w->to, word);
}

void json_number(json_writer *w, double x)
{
    char text[DECIMAL_TEXT_SIZE];
    decimal_shortest(text, x);
    put_word(w, isfinite(x) ? text : "null");
}

void json_number_digits(json_writer *w, double x, int digits)
{
    char text[DECIMAL_TEXT_SIZE];
    decimal_digits(text, x, digits);
    put_word(w, isfinite(x) ? text : "null");
}

void json_integer(json_writer *w, int64_t k)
{
    begin_value(w);
    sink_format(w->to, "%lld", (long long)k);
}

void json_boolean(json_writer *w, bool b)
{
    put_word(w, b ? "true" : "false");
}

void json_null(json_writer *w)
{
    put_word(w, "null");
}

void json_string_member(json_writer *w, const char *name, const char *text)
{
    json_key(w, name);
    json_string(w, text);
}

void json_number_member(json_writer *w, const char *name, double x)
{
    json_key(w, name);
    json_number(w, x);
}

void json_integer_member(json_writer *w, const char *name, int64_t k)
{
    json_key(w, name);
    json_integer(w, k);
}
