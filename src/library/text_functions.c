/* library/text_functions.c - see function_table.h: functions of Modelica.Utilities on constant
 * texts, and the streams.  A character is a byte.                                */
#include "library/function_table.h"

#include <ctype.h>
#include <string.h>

enum { REPEATED_MOST = 1 << 20 }; /* bytes of one text */

const char *library_text(library_site *s, int32_t k)
{
    value v = s->arg[k];
    if (v.type.base == T_STRING && v.n == 1 && value_is_constant(s->in, v)) {
        const char *text = context_name(s->in, (int32_t)expr_value(s->g, v.e[0]));
        bool is_message = strncmp(s->entry->name, "Modelica.Utilities.Streams.", 27) == 0;
        if (is_message || !strstr(text, TEXT_OF_VARIABLE))
            return text;
    }
    context_error(s->in, s->call->at, "argument %d of %s must be a constant text", (int)k + 1,
                  s->entry->name);
    return NULL;
}

static bool result_number(library_site *s, base_type base, double number)
{
    return library_result(s, value_number(s->in, base, number));
}

static bool is_true(library_site *s, int32_t k)
{
    int64_t number = 1;
    return library_integer(s, k, &number) && number != 0;
}

/* The order of two texts, or of their first n bytes. */
static int compared(const char *a, const char *b, size_t n, bool is_case_sensitive)
{
    for (size_t i = 0; i < n; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        int order = is_case_sensitive ? x - y : tolower(x) - tolower(y);
        if (order != 0 || x == 0)
            return order;
    }
    return 0;
}

static bool run_text_length(library_site *s)
{
    const char *text = library_text(s, 0);
    return text && result_number(s, T_INTEGER, (double)strlen(text));
}

static bool run_is_empty(library_site *s)
{
    const char *text = library_text(s, 0);
    return text && result_number(s, T_BOOLEAN, text[strspn(text, " \t\r\n")] == '\0');
}

/* The hash of Arash Partow, as the library has it: even and odd bytes are mixed in differently. */
static bool run_hash(library_site *s)
{
    const char *text = library_text(s, 0);
    uint32_t hash = 0xAAAAAAAAu;
    for (size_t i = 0; text && text[i]; i++) {
        uint32_t c = (unsigned char)text[i];
        uint32_t even = hash << 7 ^ c * (hash >> 3), odd = ~((hash << 11) + (c ^ hash >> 5));
        hash ^= i % 2 == 0 ? even : odd;
    }
    double number = hash > INT32_MAX ? (double)hash - 4294967296.0 : (double)hash;
    return text && result_number(s, T_INTEGER, number);
}

static bool run_substring(library_site *s)
{
    const char *text = library_text(s, 0);
    int64_t from = 0, to = 0;
    if (!text || !library_integer(s, 1, &from) || !library_integer(s, 2, &to))
        return false;
    int64_t length = (int64_t)strlen(text);
    from = from < 1 ? 1 : from;
    to = to > length ? length : to;
    int count = to >= from ? (int)(to - from + 1) : 0;
    return library_result(
        s, value_text(s->in, context_text(s->in, "%.*s", count, count ? text + from - 1 : "")));
}

static bool run_repeat(library_site *s)
{
    const char *text = is_bad(s->arg[1]) ? " " : library_text(s, 1);
    int64_t n = 0;
    if (!text || !library_integer(s, 0, &n))
        return false;
    size_t length = strlen(text);
    if (n > REPEATED_MOST || (size_t)(n < 0 ? 0 : n) * length > REPEATED_MOST)
        return context_error(s->in, s->call->at, "Strings.repeat makes a text that is too long").n;
    size_t count = n < 0 ? 0 : (size_t)n;
    char *all = arena_take(s->in->mem, count * length + 1, 1);
    for (size_t i = 0; all && i < count; i++)
        memcpy(all + i * length, text, length);
    return all && library_result(s, value_text(s->in, all));
}

static bool run_text_equal(library_site *s)
{
    const char *a = library_text(s, 0), *b = a ? library_text(s, 1) : NULL;
    return b && result_number(s, T_BOOLEAN, compared(a, b, strlen(a) + 1, is_true(s, 2)) == 0);
}

/* An enumeration of the library: Less, Equal, Greater. */
static bool run_compare(library_site *s)
{
    const char *a = library_text(s, 0), *b = a ? library_text(s, 1) : NULL;
    int32_t kind =
        enumeration_named(s->in, context_intern(s->in, "Modelica.Utilities.Types.Compare"));
    if (!b)
        return false;
    if (kind < 0)
        return context_error(s->in, s->call->at, "Modelica.Utilities.Types.Compare is not declared")
            .n;
    int order = compared(a, b, strlen(a) + 1, is_true(s, 2));
    value v = value_number(s->in, T_ENUM, order < 0 ? 1 : order > 0 ? 3 : 2);
    v.type.info = kind;
    return library_result(s, v);
}

typedef struct finding {
    const char *text, *wanted;
    size_t length, width;
    int64_t start; /* counted from 1; 0 means the end in findLast */
    bool is_case_sensitive;
} finding;

static bool finding_read(library_site *s, finding *x, int32_t start, int32_t is_case_sensitive)
{
    x->text = library_text(s, 0);
    x->wanted = x->text ? library_text(s, 1) : NULL;
    if (!x->wanted || !library_integer(s, start, &x->start))
        return false;
    x->length = strlen(x->text);
    x->width = strlen(x->wanted);
    x->is_case_sensitive = is_true(s, is_case_sensitive);
    return true;
}

static bool matches(const finding *x, size_t at)
{
    return x->width > 0 && at + x->width <= x->length &&
           compared(x->text + at, x->wanted, x->width, x->is_case_sensitive) == 0;
}

/* find, findLast and count by variant 0, 1, 2. */
static bool run_find_text(library_site *s)
{
    finding x;
    int variant = s->entry->what;
    double first = 0.0, last = 0.0, count = 0.0;
    if (!finding_read(s, &x, 2, 3))
        return false;
    size_t from = variant == 1 || x.start < 1 ? 0 : (size_t)x.start - 1;
    size_t to = variant == 1 && x.start > 0 ? (size_t)x.start : x.length;
    for (size_t i = from; i < to; i++)
        if (matches(&x, i)) {
            first = first == 0.0 ? (double)i + 1.0 : first;
            last = (double)i + 1.0;
            count += 1.0;
            i += variant == 2 ? x.width - 1 : 0;
        }
    return result_number(s, T_INTEGER, variant == 0 ? first : variant == 1 ? last : count);
}

static bool run_replace(library_site *s)
{
    finding x;
    const char *by = library_text(s, 2);
    if (!by || !finding_read(s, &x, 3, 5))
        return false;
    bool is_all = is_true(s, 4), is_done = false;
    size_t n = 0, width = strlen(by);
    char *r = arena_take(s->in->mem, (x.length + 1) * (width + 1), 1);
    for (size_t i = 0; r && i < x.length; i++) {
        if (!is_done && (int64_t)i + 1 >= x.start && matches(&x, i)) {
            memcpy(r + n, by, width);
            n += width;
            i += x.width - 1;
            is_done = !is_all;
        } else {
            r[n++] = x.text[i];
        }
    }
    return r && library_result(s, value_text(s->in, r));
}

/* ---- streams ---- */

/* Nothing is printed, and the arguments are not evaluated: they may be known only at run time. */
static bool run_print(library_site *s)
{
    (void)s;
    return true;
}

/* Acts as assert(false, text). */
static bool run_error(library_site *s)
{
    ast_expr *never = library_node(s, AST_BOOLEAN); /* 0 */
    if (!never || !builtin_args(s->in, s->call, "string", 1, s->given))
        return false;
    library_assert(s, never, s->call->arg[0].value);
    return true;
}

#define STRINGS "Modelica.Utilities.Strings."
#define STREAMS "Modelica.Utilities.Streams."

const library_entry library_texts[] = {
    {STRINGS "length", "string", .run = run_text_length},
    {STRINGS "isEmpty", "string", .run = run_is_empty},
    {STRINGS "substring", "string startIndex endIndex", .run = run_substring},
    {STRINGS "repeat", "n=1 string=?", .run = run_repeat},
    {STRINGS "isEqual", "string1 string2 caseSensitive=true", .run = run_text_equal},
    {STRINGS "compare", "string1 string2 caseSensitive=true", .run = run_compare},
    {STRINGS "find", "string searchString startIndex=1 caseSensitive=true", .run = run_find_text},
    {STRINGS "findLast", "string searchString startIndex=0 caseSensitive=true",
     .run = run_find_text, .what = 1},
    {STRINGS "count", "string searchString startIndex=1 caseSensitive=true", .run = run_find_text,
     .what = 2},
    {STRINGS "replace",
     "string searchString replaceString startIndex=1 replaceAll=true caseSensitive=true",
     .run = run_replace},
    {STRINGS "hashString", "string", .run = run_hash},
    {"Modelica.Math.Random.Utilities.automaticLocalSeed", "path", .run = run_hash},
    {STREAMS "print", NULL, .run = run_print},
    {STREAMS "close", NULL, .run = run_print},
    {STREAMS "error", NULL, .run = run_error},
};
const size_t n_library_texts = sizeof library_texts / sizeof *library_texts;
