/* output/result_json_read.c - the JSON tables of result_json.c, see formats.h.
 *
 * No tree is built.  A first pass finds where each array begins; then one cursor for each array
 * moves along, and the values they point at form a row.                         */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "output/decimal_text.h"
#include "output/formats.h"
#include "output/utf8.h"

typedef struct json_cursor {
    const char *p, *end;
} json_cursor;

typedef struct json_table {
    const char *start;                                     /* of the file, for positions */
    json_cursor units, descriptions, kinds, time, columns; /* at their '[' or '{'; p NULL: none */
    json_cursor *column;                                   /* of each column, in its array */
    size_t n_columns, capacity;
    daedal_diagnosis *why;
} json_table;

static daedal_status read_error(const json_table *x, const json_cursor *c, const char *what)
{
    size_t line = 1;
    for (const char *p = x->start; p < c->p; p++)
        line += *p == '\n';
    return fail(x->why, DAEDAL_ERR_ARGUMENT, "line %zu: %s", line, what);
}

static char look(json_cursor *c)
{
    while (c->p < c->end && strchr(" \t\r\n", *c->p) && *c->p)
        c->p++;
    return c->p < c->end ? *c->p : '\0';
}

static bool take(json_cursor *c, char wanted)
{
    if (look(c) != wanted || c->p == c->end)
        return false;
    c->p++;
    return true;
}

/* ---- strings ---- */

static bool take_hex(json_cursor *c, uint32_t *code)
{
    static const char digits[] = "0123456789abcdef";
    *code = 0;
    for (int k = 0; k < 4; k++) {
        if (c->p == c->end || !isxdigit((unsigned char)*c->p))
            return false;
        const char *at = strchr(digits, tolower((unsigned char)*c->p++));
        *code = *code << 4 | (uint32_t)(at - digits);
    }
    return true;
}

static bool take_code(json_cursor *c, sink *to)
{
    uint32_t code, low;
    char bytes[4];
    if (!take_hex(c, &code))
        return false;
    bool is_high = code >= 0xd800 && code < 0xdc00;
    if (is_high && c->end - c->p >= 6 && c->p[0] == '\\' && c->p[1] == 'u') {
        c->p += 2;
        if (!take_hex(c, &low))
            return false;
        if (low >= 0xdc00 && low < 0xe000)
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    sink_bytes(to, bytes, utf8_encode(bytes, code));
    return true;
}

static bool take_escape(json_cursor *c, sink *to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    if (c->p == c->end)
        return false;
    char letter = *c->p++;
    const char *at = letter ? strchr(from, letter) : NULL;
    if (letter == 'u')
        return take_code(c, to);
    if (at)
        sink_char(to, into[at - from]);
    return at != NULL;
}

/* Read a string into a sink; false if there is no valid string. */
static bool take_string(json_cursor *c, sink *to)
{
    if (!take(c, '"'))
        return false;
    while (c->p < c->end && *c->p != '"') {
        if (*c->p != '\\')
            sink_char(to, *c->p++);
        else if (c->p++, !take_escape(c, to))
            return false;
    }
    return take(c, '"');
}

static daedal_status read_text(json_table *x, json_cursor *c, sink_buffer *text)
{
    text->n = 0;
    sink to = sink_to_buffer(text);
    if (!take_string(c, &to))
        return read_error(x, c, "a string is expected");
    if (text->n == 0)
        sink_bytes(&to, "\0", 1); /* so that there are bytes */
    if (to.failed)
        return fail(x->why, DAEDAL_ERR_MEMORY, "out of memory for a string");
    return DAEDAL_OK;
}

/* ---- values ---- */

/* Skip a value of any kind; brackets are counted, not matched one by one. */
static bool skip_value(json_cursor *c)
{
    sink nowhere = sink_to_nowhere();
    size_t depth = 0;
    do {
        char next = look(c);
        if (next == '"') {
            if (!take_string(c, &nowhere))
                return false;
            continue;
        }
        if (c->p == c->end)
            return false;
        depth += next == '[' || next == '{';
        if (next == ']' || next == '}') {
            if (depth == 0)
                return false;
            depth--;
        }
        bool is_word = isalnum((unsigned char)next) || strchr("+-.", next);
        c->p++;
        while (is_word && c->p < c->end && (isalnum((unsigned char)*c->p) || strchr("+-.", *c->p)))
            c->p++;
    } while (depth > 0);
    return true;
}

/* Read a number, or null for one that JSON cannot express. */
static bool take_number(json_cursor *c, double *value)
{
    look(c);
    size_t left = (size_t)(c->end - c->p);
    if (left >= 4 && memcmp(c->p, "null", 4) == 0) {
        *value = NAN;
        c->p += 4;
        return true;
    }
    size_t n = decimal_parse(c->p, left, value);
    c->p += n;
    return n > 0;
}

static json_cursor *place_for(json_table *x, const char *key)
{
    const struct {
        const char *key;
        json_cursor *to;
    } places[] = {{"units", &x->units},
                  {"descriptions", &x->descriptions},
                  {"kinds", &x->kinds},
                  {"time", &x->time},
                  {"columns", &x->columns}};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (strcmp(key, places[k].key) == 0)
            return places[k].to;
    return NULL;
}

static daedal_status read_key(json_table *x, json_cursor *c, sink_buffer *key)
{
    TRY(read_text(x, c, key));
    return take(c, ':') ? DAEDAL_OK : read_error(x, c, "a colon is expected");
}

/* Find where the arrays of the outermost object begin. */
static daedal_status find_arrays(json_table *x, json_cursor c, sink_buffer *key)
{
    if (!take(&c, '{'))
        return read_error(x, &c, "a JSON object is expected");
    do {
        TRY(read_key(x, &c, key));
        look(&c);
        json_cursor *to = place_for(x, key->bytes);
        if (to)
            *to = c;
        if (!skip_value(&c))
            return read_error(x, &c, "a value is damaged, or the file is incomplete");
    } while (take(&c, ','));
    if (!take(&c, '}'))
        return read_error(x, &c, "a comma or the end of the object is expected");
    if (!x->time.p || !x->columns.p || !take(&x->time, '[') || !take(&x->columns, '{'))
        return read_error(x, &c, "the file is not a simulation result: time or columns is missing");
    return DAEDAL_OK;
}

/* ---- the table ---- */

/* Read the next text of an array that is parallel to the columns, "" when there is none. */
static daedal_status next_text(json_table *x, json_cursor *c, bool first, sink_buffer *text)
{
    if (c->p && !take(c, first ? '[' : ','))
        c->p = NULL;
    if (c->p)
        return read_text(x, c, text);
    text->n = 0;
    sink to = sink_to_buffer(text);
    sink_bytes(&to, "\0", 1);
    return to.failed ? fail(x->why, DAEDAL_ERR_MEMORY, "out of memory for a string") : DAEDAL_OK;
}

static column_kind kind_named(const char *name)
{
    for (int kind = COLUMN_REAL; kind <= COLUMN_ENUMERATION; kind++)
        if (strcmp(name, column_kind_name((column_kind)kind)) == 0)
            return (column_kind)kind;
    return COLUMN_REAL;
}

/* name, unit, description, kind */
typedef struct json_texts {
    sink_buffer name, unit, description, kind;
} json_texts;

static daedal_status add_column(trajectory *tr, json_table *x, json_texts *s)
{
    bool first = x->n_columns == 0;
    TRY(read_key(x, &x->columns, &s->name));
    TRY(next_text(x, &x->units, first, &s->unit));
    TRY(next_text(x, &x->descriptions, first, &s->description));
    TRY(next_text(x, &x->kinds, first, &s->kind));
    column c = {s->name.bytes,
                s->unit.bytes,
                s->description.bytes,
                kind_named(s->kind.bytes),
                COLUMN_STORED,
                false,
                -1,
                -1,
                0.0};
    TRY(trajectory_add_stored(tr, &c, x->why));
    json_cursor *room =
        arena_grow(&tr->texts, x->column, &x->capacity, x->n_columns + 1, sizeof *room);
    if (!room)
        return fail(x->why, DAEDAL_ERR_MEMORY, "out of memory for the columns");
    x->column = room;
    look(&x->columns);
    x->column[x->n_columns++] = x->columns;
    return skip_value(&x->columns) ? DAEDAL_OK : read_error(x, &x->columns, "an array is damaged");
}

static daedal_status add_columns(trajectory *tr, json_table *x, json_texts *s)
{
    if (take(&x->columns, '}'))
        return DAEDAL_OK;
    do
        TRY(add_column(tr, x, s));
    while (take(&x->columns, ','));
    return DAEDAL_OK;
}

/* Read the next number of every array; each must have one. */
static daedal_status read_row(json_table *x, bool first, double *t, double *row)
{
    if (!take_number(&x->time, t))
        return read_error(x, &x->time, "a number is expected");
    for (size_t j = 0; j < x->n_columns; j++)
        if (!take(&x->column[j], first ? '[' : ',') || !take_number(&x->column[j], &row[j]))
            return read_error(x, &x->column[j], "an array is shorter than time, or has no numbers");
    return DAEDAL_OK;
}

static daedal_status add_rows(trajectory *tr, json_table *x, double *row)
{
    bool first = true;
    double t;
    if (take(&x->time, ']'))
        return DAEDAL_OK;
    do {
        TRY(read_row(x, first, &t, row));
        TRY(trajectory_append(tr, t, row, x->why));
        first = false;
    } while (take(&x->time, ','));
    return take(&x->time, ']') ? DAEDAL_OK : read_error(x, &x->time, "a comma is expected");
}

static daedal_status fill(trajectory *tr, json_table *x, json_texts *s)
{
    TRY(add_columns(tr, x, s));
    size_t n = x->n_columns;
    double *row = memory_take_array(tr->allocator, n, sizeof *row);
    if (!row)
        return fail(x->why, DAEDAL_ERR_MEMORY, "out of memory for a row");
    daedal_status st = add_rows(tr, x, row);
    memory_give(tr->allocator, row, n * sizeof *row);
    return st;
}

daedal_status result_json_read(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why)
{
    json_table x = {.start = bytes, .why = why};
    const daedal_allocator *a = tr->allocator;
    json_texts s = {{.allocator = a}, {.allocator = a}, {.allocator = a}, {.allocator = a}};
    daedal_status st = find_arrays(&x, (json_cursor){bytes, bytes + n}, &s.name);
    if (st == DAEDAL_OK)
        st = fill(tr, &x, &s);
    sink_buffer_free(&s.name);
    sink_buffer_free(&s.unit);
    sink_buffer_free(&s.description);
    sink_buffer_free(&s.kind);
    return st;
}
