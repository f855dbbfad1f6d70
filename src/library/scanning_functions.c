/* library/scanning_functions.c - see function_table.h: Modelica.Utilities.Strings.Advanced, which
 * reads a token of a constant text.  A character is a byte; white space before the token is passed
 * over; if there is no such token the index stays where it was.                     */
#include "library/function_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where reading begins. */
typedef struct scan {
    const char *text;
    size_t from; /* the index that was given, from 0 */
    size_t at;   /* behind white space            */
} scan;

static bool scan_begin(library_site *s, scan *c)
{
    int64_t start = 1;
    c->text = library_text(s, 0);
    if (!c->text || !library_integer(s, 1, &start))
        return false;
    size_t length = strlen(c->text);
    c->from = start < 1 ? 0 : (size_t)(start - 1);
    c->at = c->from < length ? c->from : length;
    while (isspace((unsigned char)c->text[c->at]))
        c->at++;
    return true;
}

static bool result_index(library_site *s, size_t index)
{
    return library_result(s, value_number(s->in, T_INTEGER, (double)index + 1.0));
}

static bool result_text(library_site *s, const char *text, size_t length)
{
    return library_result(
        s, value_text(s->in, context_text(s->in, "%.*s", (int)length, length ? text : "")));
}

static size_t digits(const char *text)
{
    size_t n = 0;
    while (isdigit((unsigned char)text[n]))
        n++;
    return n;
}

/* The length of a number, 0 if there is none: [sign] digits [. [digits]] [e [sign] digits] */
static size_t number_length(const char *text, bool is_unsigned, bool is_real)
{
    size_t sign = !is_unsigned && (text[0] == '+' || text[0] == '-');
    size_t n = digits(text + sign);
    if (n == 0)
        return 0;
    n += sign;
    if (!is_real)
        return n;
    if (text[n] == '.')
        n += 1 + digits(text + n + 1);
    if (text[n] == 'e' || text[n] == 'E') {
        size_t more = 1 + (size_t)(text[n + 1] == '+' || text[n + 1] == '-');
        size_t exponent = digits(text + n + more);
        n += exponent ? more + exponent : 0;
    }
    return n;
}

/* scanReal and scanInteger */
static bool run_scan_number(library_site *s)
{
    scan c;
    int64_t is_unsigned = 0;
    bool is_real = s->entry->what == 1;
    if (!scan_begin(s, &c) || !library_integer(s, 2, &is_unsigned))
        return false;
    size_t n = number_length(c.text + c.at, is_unsigned != 0, is_real);
    bool goes_on = !is_real && n > 0 &&
                   (c.text[c.at + n] == '.' || c.text[c.at + n] == 'e' ||
                    c.text[c.at + n] == 'E'); /* that is a Real number */
    n = goes_on ? 0 : n;
    double number = n ? strtod(c.text + c.at, NULL) : 0.0;
    return result_index(s, n ? c.at + n : c.from) &&
           library_result(s, value_number(s->in, is_real ? T_REAL : T_INTEGER, number));
}

static bool run_scan_string(library_site *s)
{
    scan c;
    if (!scan_begin(s, &c))
        return false;
    const char *text = c.text + c.at;
    size_t n = 1;
    while (text[0] == '"' && text[n] && text[n] != '"')
        n += text[n] == '\\' && text[n + 1] ? 2 : 1;
    bool is_found = text[0] == '"' && text[n] == '"';
    return result_index(s, is_found ? c.at + n + 1 : c.from) &&
           result_text(s, text + 1, is_found ? n - 1 : 0);
}

static bool run_scan_identifier(library_site *s)
{
    scan c;
    if (!scan_begin(s, &c))
        return false;
    const char *text = c.text + c.at;
    size_t n = 0;
    while (isalpha((unsigned char)text[0]) && (isalnum((unsigned char)text[n]) || text[n] == '_'))
        n++;
    return result_index(s, n ? c.at + n : c.from) && result_text(s, text, n);
}

static bool run_skip_space(library_site *s)
{
    scan c;
    return scan_begin(s, &c) && result_index(s, c.at > c.from ? c.at : c.from);
}

#define ADVANCED "Modelica.Utilities.Strings.Advanced."

const library_entry library_scanning[] = {
    {ADVANCED "scanReal", "string startIndex=1 unsigned=false", .run = run_scan_number, .what = 1},
    {ADVANCED "scanInteger", "string startIndex=1 unsigned=false", .run = run_scan_number},
    {ADVANCED "scanString", "string startIndex=1", .run = run_scan_string},
    {ADVANCED "scanIdentifier", "string startIndex=1", .run = run_scan_identifier},
    {ADVANCED "skipWhiteSpace", "string startIndex=1", .run = run_skip_space},
};
const size_t n_library_scanning = sizeof library_scanning / sizeof *library_scanning;
