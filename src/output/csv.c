/* output/csv.c - comma-separated values, see formats.h. */
#include <math.h>
#include <string.h>

#include "output/decimal_text.h"
#include "output/formats.h"

/* ---- writing ---- */

/* Quote as in RFC 4180, section 2, rules 5 to 7, and also names that begin or end with blanks,
 * which some readers drop.                                                      */
static bool needs_quotes(const char *text)
{
    size_t n = strlen(text);
    return strpbrk(text, ",\"\r\n") || (n > 0 && (text[0] == ' ' || text[n - 1] == ' '));
}

static void put_field(sink *to, const char *text)
{
    if (!needs_quotes(text)) {
        sink_text(to, text);
        return;
    }
    sink_char(to, '"');
    for (; *text; text++)
        if (*text == '"')
            sink_text(to, "\"\"");
        else
            sink_char(to, *text);
    sink_char(to, '"');
}

void csv_header(sink *to, const trajectory *tr)
{
    put_field(to, tr->time.name);
    for (size_t j = 0; j < tr->n_columns; j++) {
        sink_char(to, ',');
        put_field(to, tr->columns[j].name);
    }
    sink_char(to, '\n');
}

void csv_row(sink *to, const trajectory *tr, double t, const double *stored)
{
    enum { BLOCK = 4096 }; /* one call of the sink for some hundred numbers */
    char text[BLOCK];
    size_t n = decimal_shortest(text, t);
    for (size_t j = 0; j < tr->n_columns; j++) {
        if (n > BLOCK - DECIMAL_TEXT_SIZE - 2) {
            sink_bytes(to, text, n);
            n = 0;
        }
        text[n++] = ',';
        n += decimal_shortest(text + n, column_value(&tr->columns[j], stored));
    }
    text[n++] = '\n';
    sink_bytes(to, text, n);
}

daedal_status csv_write(sink *to, const trajectory *tr, daedal_diagnosis *why)
{
    csv_header(to, tr);
    for (size_t i = 0; i < tr->n_rows && !to->failed; i++)
        csv_row(to, tr, trajectory_time(tr, i), trajectory_row(tr, i) + 1);
    return sink_status(to, "the CSV table", why);
}

/* ---- reading ---- */

typedef struct csv_cursor {
    const char *p, *end;
    const char *line_begin;
    size_t line;
    daedal_diagnosis *why;
    bool is_table; /* there is no column for the time */
} csv_cursor;

static bool at_line_end(const csv_cursor *c)
{
    return c->p == c->end || *c->p == '\n' || *c->p == '\r';
}

static void skip_line_end(csv_cursor *c)
{
    if (c->p < c->end && *c->p == '\r')
        c->p++;
    if (c->p < c->end && *c->p == '\n')
        c->p++;
    c->line++;
    c->line_begin = c->p;
}

static void skip_blanks(csv_cursor *c)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\t'))
        c->p++;
}

/* Move past the comma to the next field; false at the end of the line. */
static bool next_field(csv_cursor *c)
{
    if (c->p == c->end || *c->p != ',')
        return false;
    c->p++;
    return true;
}

static daedal_status read_error(const csv_cursor *c, const char *what)
{
    return fail(c->why, DAEDAL_ERR_ARGUMENT, "line %zu, column %zu: %s", c->line,
                (size_t)(c->p - c->line_begin) + 1, what);
}

/* What stands where a number of a column should be. */
static daedal_status number_error(const csv_cursor *c, const char *name)
{
    enum { SHOWN_MAX = 40 };
    size_t n = 0;
    char what[300];
    while (c->p + n < c->end && n < SHOWN_MAX && !strchr(",\r\n", c->p[n]))
        n++;
    if (n == 0)
        snprintf(what, sizeof what, "the value of %.200s is missing", name);
    else
        snprintf(what, sizeof what, "a number is expected for %.200s, not '%.*s'", name, (int)n,
                 c->p);
    return read_error(c, what);
}

static daedal_status read_quoted(csv_cursor *c, sink *to)
{
    for (c->p++; c->p < c->end; c->p++) {
        if (*c->p == '"' && (c->p + 1 == c->end || c->p[1] != '"')) {
            c->p++;
            return DAEDAL_OK;
        }
        c->p += *c->p == '"'; /* "" is " */
        sink_char(to, *c->p);
    }
    return read_error(c, "a quotation mark is not closed");
}

/* Read a field as text into a buffer, which is emptied first. */
static daedal_status read_field(csv_cursor *c, sink_buffer *text)
{
    text->n = 0;
    sink to = sink_to_buffer(text);
    skip_blanks(c);
    if (c->p < c->end && *c->p == '"') {
        TRY(read_quoted(c, &to));
        skip_blanks(c);
    } else {
        const char *from = c->p;
        while (!at_line_end(c) && *c->p != ',')
            c->p++;
        sink_bytes(&to, from, (size_t)(c->p - from));
    }
    if (to.failed)
        return fail(c->why, DAEDAL_ERR_MEMORY, "out of memory for a field of a CSV table");
    if (!at_line_end(c) && *c->p != ',')
        return read_error(c, "a comma is missing");
    return DAEDAL_OK;
}

static daedal_status read_header(trajectory *tr, csv_cursor *c, sink_buffer *text)
{
    size_t first = c->is_table ? 1 : 2; /* field that is no time */
    TRY(read_field(c, text));
    if (text->n == 0)
        return read_error(c, c->p == c->end ? "the file is empty" : "the first column has no name");
    bool more = c->is_table || next_field(c); /* the time may have any name */
    for (; more; more = next_field(c)) {
        if (tr->n_columns > 0 || !c->is_table)
            TRY(read_field(c, text));
        column new_column = {.name = text->n ? text->bytes : ""};
        int32_t other = text->n ? trajectory_find(tr, text->bytes) : -1;
        if (other >= 0)
            return fail(c->why, DAEDAL_ERR_ARGUMENT,
                        "line 1: fields %zu and %zu have the same name, %.200s",
                        (size_t)other + first, tr->n_columns + first, text->bytes);
        TRY(trajectory_add_stored(tr, &new_column, c->why));
    }
    if (!at_line_end(c))
        return read_error(c, "a comma is missing");
    skip_line_end(c);
    return DAEDAL_OK;
}

static daedal_status read_number(csv_cursor *c, const char *name, double *x)
{
    skip_blanks(c);
    bool quoted = c->p < c->end && *c->p == '"';
    c->p += quoted;
    size_t n = decimal_parse(c->p, (size_t)(c->end - c->p), x);
    c->p += n;
    if (n == 0 || (quoted && (c->p == c->end || *c->p != '"')))
        return number_error(c, name);
    c->p += quoted;
    skip_blanks(c);
    return DAEDAL_OK;
}

/* Nothing stands in a field where gaps are taken. */
static bool is_gap(csv_cursor *c, const trajectory *tr, size_t j)
{
    skip_blanks(c);
    return tr->takes_gaps && j > 0 && (at_line_end(c) || *c->p == ',');
}

/* Read a row; row[0] is the time. */
static daedal_status read_row(csv_cursor *c, const trajectory *tr, double *row)
{
    size_t first = c->is_table ? 1 : 0, n = 1 + tr->n_slots - first;
    char what[80];
    for (size_t j = first; j < first + n; j++) {
        if (j > first && !next_field(c)) {
            snprintf(what, sizeof what, "the row is too short: %zu of %zu values", j - first, n);
            return read_error(c, at_line_end(c) ? what : "a comma is missing");
        }
        if (is_gap(c, tr, j))
            row[j] = NAN;
        else
            TRY(read_number(c, j ? tr->columns[j - 1].name : tr->time.name, &row[j]));
    }
    snprintf(what, sizeof what, "the row is too long: the first line has %zu columns", n);
    if (!at_line_end(c))
        return read_error(c, *c->p == ',' ? what : "a comma is missing");
    skip_line_end(c);
    return DAEDAL_OK;
}

/* Read one row or an empty line.  An incomplete last line, left by a program that was killed, is
 * ignored.                                                                      */
static daedal_status take_row(trajectory *tr, csv_cursor *c, double *row)
{
    if (at_line_end(c)) {
        skip_line_end(c);
        tr->has_blank_lines = true;
        return DAEDAL_OK;
    }
    bool is_last = !memchr(c->p, '\n', (size_t)(c->end - c->p));
    row[0] = (double)tr->n_rows;
    daedal_status st = read_row(c, tr, row);
    if (st == DAEDAL_OK)
        return trajectory_append(tr, row[0], row + 1, c->why);
    if (!is_last || tr->n_rows == 0)
        return st;
    diagnosis_clear(c->why);
    tr->is_cut_off = true;
    c->p = c->end;
    return DAEDAL_OK;
}

static daedal_status read_rows(trajectory *tr, csv_cursor *c)
{
    size_t n = 1 + tr->n_slots;
    double *row = memory_take_array(tr->allocator, n, sizeof *row);
    if (!row)
        return fail(c->why, DAEDAL_ERR_MEMORY, "out of memory for a row of a CSV table");
    daedal_status st = DAEDAL_OK;
    while (st == DAEDAL_OK && c->p < c->end)
        st = take_row(tr, c, row);
    memory_give(tr->allocator, row, n * sizeof *row);
    return st;
}

static daedal_status read_all(trajectory *tr, const char *bytes, size_t n, bool is_table,
                              daedal_diagnosis *why)
{
    csv_cursor c = {bytes, bytes + n, bytes, 1, why, is_table};
    sink_buffer text = {.allocator = tr->allocator};
    if (n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) /* byte order mark */
        c.p += 3;
    daedal_status st = read_header(tr, &c, &text);
    sink_buffer_free(&text);
    return st == DAEDAL_OK ? read_rows(tr, &c) : st;
}

daedal_status csv_read(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why)
{
    return read_all(tr, bytes, n, false, why);
}

daedal_status csv_read_table(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why)
{
    return read_all(tr, bytes, n, true, why);
}
