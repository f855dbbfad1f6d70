/* tables/matrix_text.c - see matrix_file.h: tables in text files.
 *
 * A file of the Modelica library begins with #1. A matrix is declared as `double name(rows,
 * columns)` and followed by its numbers row by row, separated by blanks, commas, semicolons and
 * ends of lines; # begins a comment. A line of CSV is a row. */
#include "tables/matrix_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/decimal_text.h"

typedef struct cursor {
    const matrix_bytes *b;
    size_t at, line, line_start;
} cursor;

static bool fails_at(const cursor *c, const char *what)
{
    return table_reject(c->b->why, "%s:%zu:%zu: %s", c->b->shown, c->line,
                        c->at - c->line_start + 1, what);
}

static char here(const cursor *c)
{
    return c->at < c->b->n ? c->b->at[c->at] : '\0';
}

static void step(cursor *c)
{
    if (here(c) == '\n') {
        c->line++;
        c->line_start = c->at + 1;
    }
    c->at++;
}

static void line_skip(cursor *c)
{
    while (c->at < c->b->n && here(c) != '\n')
        step(c);
}

/* Blanks, comments and whatever `more` contains. */
static void gap_skip(cursor *c, const char *more)
{
    while (c->at < c->b->n) {
        if (here(c) == '#')
            line_skip(c);
        else if (isspace((unsigned char)here(c)) || (here(c) != '\0' && strchr(more, here(c))))
            step(c);
        else
            return;
    }
}

static bool number_read(cursor *c, double *x)
{
    size_t n = decimal_parse(c->b->at + c->at, c->b->n - c->at, x);
    if (n == 0)
        return fails_at(c, c->at < c->b->n ? "this is not a number" : "the file ends in a table");
    c->at += n;
    return true;
}

/* ---- the text format of the Modelica library ---- */

static bool is_word_char(char x)
{
    return isalnum((unsigned char)x) || x == '_' || x == '.';
}

static size_t word_length(const cursor *c)
{
    size_t n = 0;
    while (c->at + n < c->b->n && is_word_char(c->b->at[c->at + n]))
        n++;
    return n;
}

static bool word_is(const cursor *c, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(c->b->at + c->at, word, n) == 0;
}

static bool mark_expect(cursor *c, char mark)
{
    gap_skip(c, "");
    if (here(c) != mark)
        return fails_at(c, "expected: double name(rows,columns)");
    step(c);
    return true;
}

static bool size_read(cursor *c, size_t *size)
{
    double x = 0.0;
    gap_skip(c, "");
    if (!isdigit((unsigned char)here(c)) || !number_read(c, &x) || !(x < 1e9) ||
        x != (double)(size_t)x)
        return fails_at(c, "this is not a size");
    *size = (size_t)x;
    return true;
}

/* `double name(rows,columns)`; is_wanted: it is the one that is looked for. */
static bool head_read(cursor *c, const char *name, table_matrix *m, bool *is_wanted)
{
    size_t n = word_length(c);
    if (!word_is(c, n, "double") && !word_is(c, n, "float"))
        return fails_at(c, "expected: double name(rows,columns)");
    c->at += n;
    gap_skip(c, "");
    n = word_length(c);
    *is_wanted = word_is(c, n, name);
    if (n == 0)
        return fails_at(c, "the table has no name");
    c->at += n;
    return mark_expect(c, '(') && size_read(c, &m->n_rows) && mark_expect(c, ',') &&
           size_read(c, &m->n_columns) && mark_expect(c, ')');
}

/* Numbers that follow are rows or columns that the sizes do not count. */
static bool end_check(cursor *c, const table_matrix *m)
{
    char what[120];
    double x;
    gap_skip(c, ",;");
    if (isalpha((unsigned char)here(c)) ||
        decimal_parse(c->b->at + c->at, c->b->n - c->at, &x) == 0)
        return true;
    snprintf(what, sizeof what,
             "more numbers follow than the sizes of the table say: %zu times %zu", m->n_rows,
             m->n_columns);
    return fails_at(c, what);
}

/* Every number takes a byte and a separator, so a file cannot hold more than half its bytes. */
static bool body_read(cursor *c, table_matrix *m, bool is_wanted)
{
    uint64_t left = c->b->n - c->at;
    if (!matrix_fits(c->b, m->n_rows, m->n_columns, left / 2 + 1))
        return false;
    size_t n = m->n_rows * m->n_columns;
    double skipped = 0.0;
    m->e = is_wanted ? arena_take(c->b->mem, n + 1, sizeof *m->e) : &skipped;
    for (size_t i = 0; m->e && i < n; i++) {
        gap_skip(c, ",;");
        if (!number_read(c, is_wanted ? &m->e[i] : &skipped))
            return false;
        if (is_word_char(here(c)))
            return fails_at(c, "a number is followed by something else");
    }
    return m->e && end_check(c, m);
}

/* The bytes EF BB BF before the text, with which some editors mark UTF-8. */
static size_t mark_length(const matrix_bytes *b)
{
    return b->n >= 3 && memcmp(b->at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

bool matrix_text_read(const matrix_bytes *b, const char *name, table_matrix *m)
{
    cursor c = {.b = b, .at = mark_length(b), .line = 1};
    bool is_wanted = false;
    if (b->n - c.at < 2 || memcmp(b->at + c.at, "#1", 2) != 0)
        return table_reject(
            b->why, "%s:1:1: this is neither a MAT file nor a text file, which begins with #1",
            b->shown);
    for (;;) {
        gap_skip(&c, ",;");
        if (c.at >= b->n)
            return table_reject(b->why, "%s has no table '%s'", b->shown, name);
        if (!head_read(&c, name, m, &is_wanted) || !body_read(&c, m, is_wanted))
            return false;
        if (is_wanted)
            return true;
    }
}

/* ---- CSV ---- */

static void blanks_skip(cursor *c)
{
    while (here(c) == ' ' || here(c) == '\t' || here(c) == '\r')
        step(c);
}

static bool line_is_empty(const cursor *c)
{
    cursor ahead = *c;
    blanks_skip(&ahead);
    return ahead.at >= c->b->n || here(&ahead) == '\n' || here(&ahead) == '#';
}

/* The numbers of one line; `to` NULL: they are counted. */
static bool row_read(cursor *c, char delimiter, double *to, size_t *count)
{
    double x = 0.0;
    for (*count = 0;;) {
        blanks_skip(c);
        if (*count > 0 && (c->at >= c->b->n || here(c) == '\n'))
            return true; /* a delimiter at the end of a line */
        bool is_quoted = here(c) == '"';
        c->at += is_quoted;
        if (!number_read(c, &x))
            return false;
        c->at += is_quoted && here(c) == '"';
        if (to)
            to[*count] = x;
        (*count)++;
        blanks_skip(c);
        if (c->at >= c->b->n || here(c) == '\n')
            return true;
        if (here(c) != delimiter)
            return fails_at(c, "a number is followed by something else than the delimiter");
        step(c);
    }
}

static bool csv_fill(cursor c, char delimiter, table_matrix *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->n_rows; line_skip(&c), step(&c)) {
        if (line_is_empty(&c))
            continue;
        if (!row_read(&c, delimiter, m->e + i * m->n_columns, &count))
            return false;
        i++;
    }
    return true;
}

bool matrix_csv_read(const matrix_bytes *b, const matrix_source *from, table_matrix *m)
{
    cursor c = {.b = b, .at = mark_length(b), .line = 1};
    char delimiter = from->delimiter && *from->delimiter ? *from->delimiter : ',';
    size_t count = 0;
    for (int64_t i = 0; i < from->n_headers && c.at < b->n; i++, step(&c))
        line_skip(&c);
    const cursor first = c;
    for (; c.at < b->n; line_skip(&c), step(&c)) {
        if (line_is_empty(&c))
            continue;
        if (!row_read(&c, delimiter, NULL, &count))
            return false;
        if (m->n_rows > 0 && count != m->n_columns)
            return table_reject(b->why, "%s:%zu: the line has %zu numbers, those before have %zu",
                                b->shown, c.line, count, m->n_columns);
        m->n_columns = count;
        m->n_rows++;
    }
    m->e = arena_take(b->mem, m->n_rows * m->n_columns + 1, sizeof *m->e);
    return m->e && csv_fill(first, delimiter, m);
}
