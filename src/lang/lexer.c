/* lang/lexer.c - see lexer.h.
 *
 * The lexer reads one NUL-terminated text without buffers and looks at every byte about once.
 * Plain names and quoted names without escapes are interned straight from the text. */
#include "lang/lexer.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

static const char *const texts[TOKEN_KINDS] = {
#define X(token, text) [token] = text,
    TOKEN_KEYWORD_LIST(X)
#undef X
#define X(token, text, op) [token] = text,
        TOKEN_SIGN_LIST(X)
#undef X
            [TOKEN_NAME] = "a name",
    [TOKEN_INTEGER] = "an integer",
    [TOKEN_REAL] = "a number",
    [TOKEN_STRING] = "a string",
    [TOKEN_EMPTY] = "#EMPTY#",
    [TOKEN_BAD] = "something else",
    [TOKEN_END] = "the end of the text",
};

static const uint8_t ops[TOKEN_KINDS] = {
#define X(token, text, op) [token] = op,
    TOKEN_SIGN_LIST(X)
#undef X
        [KEY_OR] = AST_OR,
    [KEY_AND] = AST_AND,
    [KEY_NOT] = AST_NOT,
};

const char *token_text(token_kind kind)
{
    return texts[kind];
}

ast_op token_op(token_kind kind)
{
    return (ast_op)ops[kind];
}

bool lexer_keywords(intern_table *names)
{
    for (int32_t i = 0; i < TOKEN_KEYWORDS; i++)
        if (intern_add(names, texts[i], strlen(texts[i])) != i)
            return false;
    return true;
}

void lexer_open(lexer *l, sources *s, intern_table *names, const source *f)
{
    *l = (lexer){.sources = s,
                 .names = names,
                 .mem = names->mem,
                 .start = f->text,
                 .p = f->text,
                 .stop = f->text + f->length,
                 .base = f->base};
}

/* ---- characters ---- */

static bool is_letter(char c)
{
    return (unsigned)((c | 0x20) - 'a') < 26 || c == '_';
}

static bool is_digit(char c)
{
    return (unsigned)(c - '0') < 10;
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static source_at position(const lexer *l, const char *p)
{
    return l->base + (source_at)(p - l->start);
}

static void give_up(lexer *l)
{
    if (!l->no_memory)
        source_error(l->sources, position(l, l->p), "out of memory while reading the model");
    l->no_memory = true;
    l->p = l->stop;
}

/* ---- blanks and comments ---- */

/* Moves behind a comment that begins at l->p; false, with a message, if the comment does not
 * end. */
static bool skip_comment(lexer *l)
{
    const char *p = l->p + 2;
    if (l->p[1] == '/') {
        while (p < l->stop && *p != '\n' && *p != '\r')
            p++;
        l->p = p;
        return true;
    }
    for (; p + 1 < l->stop; p++)
        if (p[0] == '*' && p[1] == '/') {
            l->p = p + 2;
            return true;
        }
    source_error(l->sources, position(l, l->p), "this comment is not closed: '*/' is missing");
    l->p = l->stop;
    return false;
}

static bool skip_blanks(lexer *l)
{
    for (;;) {
        while (is_blank(*l->p))
            l->p++;
        if (l->p[0] != '/' || (l->p[1] != '/' && l->p[1] != '*'))
            return true;
        if (!skip_comment(l))
            return false;
    }
}

/* ---- names and strings ---- */

/* The character an escape stands for, or 0. */
static char escaped(char c)
{
    static const char written[] = "'\"?\\abfnrtv", meant[] = "'\"?\\\a\b\f\n\r\t\v";
    const char *found = c ? strchr(written, c) : NULL;
    return found ? meant[found - written] : '\0';
}

/* Copy [p, end) to `to` without backslashes; returns the new end.                */
static char *decode(lexer *l, const char *p, const char *end, char *to)
{
    while (p < end) {
        if (*p != '\\') {
            *to++ = *p++;
            continue;
        }
        char c = escaped(p[1]);
        if (c) {
            *to++ = c;
        } else { /* as OpenModelica: the backslash stands for itself */
            source_warning(l->sources, position(l, p),
                           "unknown escape sequence, read as two characters");
            *to++ = p[0];
            *to++ = p[1];
        }
        p += 2;
    }
    return to;
}

/* The next byte that matters inside quotes. */
static const char *special(const char *p)
{
    static const bool matters[256] = {
        ['\0'] = true, ['\''] = true, ['"'] = true, ['\\'] = true, ['\n'] = true, ['\r'] = true};
    while (!matters[(unsigned char)*p])
        p++;
    return p;
}

/* Where the text that began at l->p ends in `quote`; NULL, with a message, if it does not.
 * A quoted name ends on its line.                                               */
static const char *closing(lexer *l, char quote, bool *escapes)
{
    const char *what = quote == '"' ? "string" : "quoted name", *p = special(l->p + 1);
    for (; *p != quote; p = special(p + 1)) {
        if (*p == '\\') {
            *escapes = true;
            p += p + 1 < l->stop;
        }
        if (p >= l->stop || (quote == '\'' && (*p == '\n' || *p == '\r'))) {
            bool is_prime =
                quote == '\'' && l->p > l->start && (is_letter(l->p[-1]) || is_digit(l->p[-1]));
            source_error(l->sources, position(l, l->p), "this %s is not closed%s", what,
                         is_prime ? ": the derivative of x is written der(x)" : "");
            l->p = p;
            return NULL;
        }
        if (*p == '\0') {
            source_error(l->sources, position(l, p), "there is a NUL byte in a %s", what);
            l->p = l->stop;
            return NULL;
        }
    }
    return p;
}

static token_kind quoted_name(lexer *l, token *t)
{
    bool escapes = false;
    const char *from = l->p + 1, *end = closing(l, '\'', &escapes);
    if (!end)
        return TOKEN_BAD;
    if (end == from) {
        source_error(l->sources, position(l, l->p), "a quoted name cannot be empty");
        l->p = end + 1;
        return TOKEN_BAD;
    }
    l->p = end + 1;
    if (escapes) {
        char *copy = arena_take(l->mem, (size_t)(end - from), 1);
        if (!copy)
            return TOKEN_NAME; /* name stays INTERN_NONE */
        end = decode(l, from, end, copy);
        from = copy;
    }
    t->quoted = true;
    t->name = intern_add(l->names, from, (size_t)(end - from));
    return TOKEN_NAME;
}

static token_kind plain_name(lexer *l, token *t)
{
    const char *from = l->p, *p = from + 1;
    while (is_letter(*p) || is_digit(*p))
        p++;
    l->p = p;
    t->name = intern_add(l->names, from, (size_t)(p - from));
    if (t->name >= 0 && t->name < TOKEN_KEYWORDS)
        return (token_kind)t->name;
    return TOKEN_NAME;
}

static token_kind string(lexer *l, token *t)
{
    bool escapes = false;
    const char *from = l->p + 1, *end = closing(l, '"', &escapes);
    if (!end)
        return TOKEN_BAD;
    l->p = end + 1;
    char *copy = arena_take(l->mem, (size_t)(end - from) + 1, 1);
    if (!copy) {
        give_up(l);
        return TOKEN_END;
    }
    t->text = copy;
    if (escapes) {
        t->length = (uint32_t)(decode(l, from, end, copy) - copy);
    } else {
        t->length = (uint32_t)(end - from);
        memcpy(copy, from, t->length);
    }
    return TOKEN_STRING;
}

/* ---- numbers ---- */

static int64_t read_exponent(const char *p, const char *end)
{
    const int64_t most =
        (int64_t)1 << 40; /* far beyond the range of a double, and sums of it cannot overflow */
    bool negative = p < end && *p == '-';
    int64_t e = 0;
    for (p += p < end && (*p == '-' || *p == '+'); p < end; p++)
        if (e < most)
            e = 10 * e + (*p - '0');
    return negative ? -e : e;
}

/* The exact cases: a mantissa below 2^53 multiplied or divided by a power of ten that is a double.
 * It is one operation, so that the result is correctly rounded. */
static bool fast_real(uint64_t mantissa, int64_t exponent, double *value)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (FLT_EVAL_METHOD != 0 || mantissa > (uint64_t)1 << 53 || exponent < -22 || exponent > 22)
        return false;
    double m = (double)mantissa;
    *value = exponent < 0 ? m / ten[-exponent] : m * ten[exponent];
    return true;
}

enum { DIGITS_MAX = 800 }; /* more digits cannot change the rounding of a double */

/* Calls strtod on `digits e exponent`: without a decimal point the locale does not matter. Digits
 * that do not fit are replaced by a single 1 if one of them is not 0. */
static double slow_real(const char *p, const char *end, int64_t exponent)
{
    char buffer[DIGITS_MAX + 32];
    size_t n = 0;
    bool point = false, rest = false;
    for (; p < end; p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        exponent -= point;
        if (n < DIGITS_MAX && (n > 0 || *p != '0')) {
            buffer[n++] = *p;
        } else if (n == DIGITS_MAX) {
            rest = rest || *p != '0';
            exponent++;
        }
    }
    if (n == 0)
        return 0.0;
    if (rest) {
        buffer[n++] = '1';
        exponent--;
    }
    const int64_t most = 99999;
    exponent = exponent > most ? most : exponent < -most ? -most : exponent;
    snprintf(buffer + n, sizeof buffer - n, "e%d", (int)exponent);
    return strtod(buffer, NULL);
}

double lexer_real(const char *text, const char *end)
{
    uint64_t mantissa = 0;
    int64_t shift = 0;
    int n = 0;
    bool point = false;
    const char *p = text;
    for (; p < end && (*p | 0x20) != 'e'; p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        mantissa = 10 * mantissa + (uint64_t)(*p - '0');
        n += mantissa > 0;
        shift -= point;
        if (n > 18)
            break;
    }
    const char *mark = p;
    while (mark < end && (*mark | 0x20) != 'e')
        mark++;
    int64_t exponent = mark < end ? read_exponent(mark + 1, end) : 0;
    double value;
    if (n <= 18 && fast_real(mantissa, exponent + shift, &value))
        return value;
    return slow_real(text, mark, exponent);
}

static bool small_integer(const char *p, const char *end, int64_t *value)
{
    uint64_t v = 0;
    for (; p < end; p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (v > ((uint64_t)INT64_MAX - digit) / 10)
            return false;
        v = 10 * v + digit;
    }
    *value = (int64_t)v;
    return true;
}

/* Behind the number that begins at p; *real: it has a point or an exponent.      */
static const char *number_end(const char *p, bool *real)
{
    while (is_digit(*p))
        p++;
    if (*p == '.') { /* 3.*x is 3. times x */
        *real = true;
        for (p++; is_digit(*p);)
            p++;
    }
    if ((*p | 0x20) == 'e') {
        const char *e = p + 1 + (p[1] == '+' || p[1] == '-');
        if (is_digit(*e)) {
            *real = true;
            for (p = e; is_digit(*p);)
                p++;
        }
    }
    return p;
}

static token_kind number(lexer *l, token *t)
{
    bool real = false;
    const char *from = l->p, *end = number_end(from, &real);
    l->p = end;
    if (is_letter(*end)) {
        source_error(l->sources, position(l, end),
                     "a name follows a number; an operator is missing");
        while (is_letter(*l->p) || is_digit(*l->p))
            l->p++;
        return TOKEN_BAD;
    }
    if (!real && small_integer(from, end, &t->integer))
        return TOKEN_INTEGER;
    t->real = lexer_real(from, end);
    if (isfinite(t->real))
        return TOKEN_REAL;
    source_error(l->sources, position(l, from), "this number is too large for a Real");
    return TOKEN_BAD;
}

/* ---- everything else ---- */

/* Code point of the UTF-8 sequence at p (NUL ends it), or 0 if it is not valid.  */
static uint32_t code_point(const char *p)
{
    unsigned char c = (unsigned char)*p;
    int more = c >= 0xF0 && c < 0xF5 ? 3 : c >= 0xE0 ? 2 : c >= 0xC2 ? 1 : 0;
    if (more == 0 || c >= 0xF5)
        return 0;
    uint32_t code = c & (0x3Fu >> more);
    while (more-- > 0) {
        c = (unsigned char)*++p;
        if ((c & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (c & 0x3F);
    }
    return code;
}

static bool is_strange(char c)
{
    return (unsigned char)c >= 0x7F || ((unsigned char)c < 0x20 && !is_blank(c));
}

/* What to write instead of a character of another language; NULL: it is not known. */
static const char *character_cure(const char *p)
{
    switch (*p) {
    case '%':
        return "a comment begins with '//', and the remainder of a division is mod(x, y)";
    case '&':
        return "write 'and'";
    case '|':
        return "write 'or'";
    case '!':
        return p[1] == '=' ? "write '<>'" : "write 'not'";
    case '?':
        return "write 'if condition then a else b'";
    case '~':
        return "write 'not', or '<>' for '~='";
    default:
        return NULL;
    }
}

static const char *symbol_cure(uint32_t code)
{
    switch (code) {
    case 0x2212: /* minus sign */
    case 0x2013: /* en dash */
        return ": write '-'";
    case 0x00D7: /* multiplication sign */
    case 0x00B7: /* middle dot */
    case 0x22C5: /* dot operator */
        return ": write '*'";
    case 0x00F7: /* division sign */
        return ": write '/'";
    case 0x2264:
        return ": write '<='";
    case 0x2265:
        return ": write '>='";
    case 0x2260:
        return ": write '<>'";
    case 0x201C: /* typographic quotes */
    case 0x201D:
        return ": write '\"'";
    default:
        return "";
    }
}

/* Bytes that begin no token: one message for a run of them. */
static token_kind strange(lexer *l)
{
    const char *p = l->p;
    source_at at = position(l, p);
    uint32_t code = code_point(p);
    if (*p == '\0')
        source_error(l->sources, at, "the text contains a NUL byte; this may not be a text file");
    else if (code)
        source_error_once(l->sources, at,
                          "U+%04X is allowed only in strings, comments and 'quoted names'%s",
                          (unsigned)code, symbol_cure(code));
    else if (is_strange(*p))
        source_error(l->sources, at, "the byte 0x%02X is not valid here", (unsigned char)*p);
    else if (character_cure(p))
        source_error_once(l->sources, at, "'%c' has no meaning here: %s", *p, character_cure(p));
    else
        source_error_once(l->sources, at, "'%c' has no meaning here", *p);
    bool run = is_strange(*p);
    if ((*p == '&' || *p == '|') && p[1] == *p)
        l->p++;
    for (l->p++; run && l->p < l->stop && is_strange(*l->p);)
        l->p++;
    return TOKEN_BAD;
}

/* #EMPTY#, or something else that an exporter prints where it failed to write an expression. */
static token_kind hash(lexer *l)
{
    static const char empty[] = "#EMPTY#";
    if (strncmp(l->p, empty, sizeof empty - 1) == 0) {
        l->p += sizeof empty - 1;
        return TOKEN_EMPTY;
    }
    if (l->p[1] == '(' || (l->p[1] >= 'A' && l->p[1] <= 'Z')) /* as exporters write it */
        source_error(l->sources, position(l, l->p),
                     "'#': the program that exported this model failed here");
    else
        source_error_once(l->sources, position(l, l->p),
                          "'#' has no meaning here: a comment begins with '//'");
    for (l->p++; *l->p && *l->p != '#' && *l->p != ';' && *l->p != '\n';)
        l->p++;
    l->p += *l->p == '#';
    return TOKEN_BAD;
}

static token_kind take(lexer *l, int n, token_kind kind)
{
    l->p += n;
    return kind;
}

static token_kind dotted(lexer *l, token *t)
{
    switch (l->p[1]) {
    case '+':
        return take(l, 2, TOKEN_DOT_PLUS);
    case '-':
        return take(l, 2, TOKEN_DOT_MINUS);
    case '*':
        return take(l, 2, TOKEN_DOT_TIMES);
    case '/':
        return take(l, 2, TOKEN_DOT_SLASH);
    case '^':
        return take(l, 2, TOKEN_DOT_POWER);
    default:
        return is_digit(l->p[1]) ? number(l, t) : take(l, 1, TOKEN_DOT);
    }
}

static token_kind compared(lexer *l)
{
    char next = l->p[1];
    if (*l->p == '<')
        return next == '='   ? take(l, 2, TOKEN_LE)
               : next == '>' ? take(l, 2, TOKEN_NE)
                             : take(l, 1, TOKEN_LT);
    if (*l->p == '>')
        return next == '=' ? take(l, 2, TOKEN_GE) : take(l, 1, TOKEN_GT);
    return next == '=' ? take(l, 2, TOKEN_EQ) : take(l, 1, TOKEN_EQUAL);
}

static token_kind scan(lexer *l, token *t)
{
    switch (*l->p) {
    case '\'':
        return quoted_name(l, t);
    case '"':
        return string(l, t);
    case '(':
        return take(l, 1, TOKEN_LPAREN);
    case ')':
        return take(l, 1, TOKEN_RPAREN);
    case '[':
        return take(l, 1, TOKEN_LBRACKET);
    case ']':
        return take(l, 1, TOKEN_RBRACKET);
    case '{':
        return take(l, 1, TOKEN_LBRACE);
    case '}':
        return take(l, 1, TOKEN_RBRACE);
    case ',':
        return take(l, 1, TOKEN_COMMA);
    case ';':
        return take(l, 1, TOKEN_SEMICOLON);
    case ':':
        return l->p[1] == '=' ? take(l, 2, TOKEN_BECOMES) : take(l, 1, TOKEN_COLON);
    case '.':
        return dotted(l, t);
    case '<':
    case '>':
    case '=':
        return compared(l);
    case '+':
        return take(l, 1, TOKEN_PLUS);
    case '-':
        return take(l, 1, TOKEN_MINUS);
    case '*':
        return take(l, 1, TOKEN_TIMES);
    case '/':
        return take(l, 1, TOKEN_SLASH);
    case '^':
        return take(l, 1, TOKEN_POWER);
    case '@':
        return take(l, 1, TOKEN_AT);
    case '#':
        return hash(l);
    case '\0':
        return l->p == l->stop ? TOKEN_END : strange(l);
    default:
        return is_letter(*l->p) ? plain_name(l, t) : is_digit(*l->p) ? number(l, t) : strange(l);
    }
}

void lexer_next(lexer *l, token *t)
{
    bool clean = skip_blanks(l);
    t->at = position(l, l->p);
    t->name = INTERN_NONE;
    t->quoted = false;
    t->kind = clean ? scan(l, t) : TOKEN_BAD;
    if (t->kind == TOKEN_NAME && t->name == INTERN_NONE) {
        give_up(l);
        t->kind = TOKEN_END;
    }
    t->end = position(l, l->p);
}
