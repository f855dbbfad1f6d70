/* fuzz/token_mutator.c - see token_mutator.h. */
#include "token_mutator.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { TRIES = 4 }; /* changes in a row, at most */

/* What replaces a token or is put in front of one. */
static const char *const words[] = {"0",
                                    "1",
                                    "2",
                                    "-1",
                                    "3.5",
                                    "1e300",
                                    "1e-300",
                                    "1e400",
                                    "9223372036854775807",
                                    "2147483648",
                                    "1000000000",
                                    "true",
                                    "false",
                                    "\"s\"",
                                    "time",
                                    "x",
                                    "y",
                                    "der",
                                    "der(x)",
                                    "pre(x)",
                                    "pre",
                                    "sin",
                                    "log",
                                    "sqrt",
                                    "exp",
                                    "min",
                                    "max",
                                    "abs",
                                    "sum",
                                    "product",
                                    "size",
                                    "fill",
                                    "zeros",
                                    "ones",
                                    "identity",
                                    "cat",
                                    "transpose",
                                    "array",
                                    "if",
                                    "then",
                                    "else",
                                    "elseif",
                                    "when",
                                    "elsewhen",
                                    "for",
                                    "in",
                                    "loop",
                                    "while",
                                    "break",
                                    "return",
                                    "end",
                                    "end if",
                                    "end for",
                                    "end when",
                                    "initial()",
                                    "sample(0, 0.1)",
                                    "edge",
                                    "change",
                                    "reinit",
                                    "reinit(x, 0);",
                                    "assert(x > 0, \"no\");",
                                    "terminate(\"end\");",
                                    "noEvent",
                                    "smooth(1, x)",
                                    "homotopy",
                                    "delay(x, 0.1)",
                                    "semiLinear",
                                    "integer",
                                    "floor",
                                    "ceil",
                                    "div",
                                    "mod",
                                    "rem",
                                    "sign",
                                    "Real",
                                    "Integer",
                                    "Boolean",
                                    "String",
                                    "parameter",
                                    "constant",
                                    "discrete",
                                    "input",
                                    "output",
                                    "function",
                                    "record",
                                    "model",
                                    "equation",
                                    "algorithm",
                                    "initial equation",
                                    "initial algorithm",
                                    "protected",
                                    "(",
                                    ")",
                                    "[",
                                    "]",
                                    "{",
                                    "}",
                                    "[1]",
                                    "[:]",
                                    "[3]",
                                    "[0]",
                                    "[2, 2]",
                                    "[end]",
                                    ":=",
                                    "=",
                                    "==",
                                    "<",
                                    ">",
                                    "<=",
                                    ">=",
                                    "<>",
                                    "+",
                                    "-",
                                    "*",
                                    "/",
                                    "^",
                                    ".*",
                                    "./",
                                    ".^",
                                    "and",
                                    "or",
                                    "not",
                                    ",",
                                    ";",
                                    ":",
                                    "1:3",
                                    "3:-1:1",
                                    ".",
                                    "{1, 2, 3}",
                                    "{i for i in 1:3}",
                                    "x = y;",
                                    "0 = x;",
                                    "x := y;",
                                    "enumeration(a, b)",
                                    "start",
                                    "fixed",
                                    "(start = 1, fixed = true)",
                                    "nominal",
                                    "each",
                                    "annotation",
                                    "extends",
                                    "redeclare",
                                    "type",
                                    "external \"C\"",
                                    "String(x)",
                                    "cross",
                                    "vector",
                                    "matrix",
                                    "scalar",
                                    "ndims",
                                    "atan2"};

static uint64_t state;

static size_t below(size_t limit)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return limit ? (size_t)((state * 0x2545F4914F6CDD1Du) >> 33) % limit : 0;
}

typedef struct stretch {
    size_t at, n;
} stretch;

static bool in_word(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '.';
}

/* The token at or behind a place: a word, a number, or one character. */
static stretch token_near(const uint8_t *bytes, size_t size, size_t at)
{
    while (at > 0 && at < size && in_word(bytes[at]) && in_word(bytes[at - 1]))
        at--;
    while (at < size && isspace(bytes[at]))
        at++;
    size_t end = at;
    while (end < size && in_word(bytes[end]))
        end++;
    return (stretch){at, end > at ? end - at : at < size};
}

/* The line around a place, with its end. */
static stretch line_near(const uint8_t *bytes, size_t size, size_t at)
{
    while (at > 0 && bytes[at - 1] != '\n')
        at--;
    size_t end = at;
    while (end < size && bytes[end] != '\n')
        end++;
    return (stretch){at, end - at + (end < size)};
}

typedef struct document {
    uint8_t *bytes;
    size_t size, room;
} document;

/* Put `n` bytes in the place of a stretch; bytes and piece must not overlap. */
static void replace(document *d, stretch old, const void *piece, size_t n)
{
    if (d->size - old.n + n > d->room)
        return;
    memmove(d->bytes + old.at + n, d->bytes + old.at + old.n, d->size - old.at - old.n);
    memcpy(d->bytes + old.at, piece, n);
    d->size = d->size - old.n + n;
}

static stretch pick(const document *d, bool lines)
{
    size_t at = below(d->size + 1);
    return lines ? line_near(d->bytes, d->size, at) : token_near(d->bytes, d->size, at);
}

/* Copy one stretch in front of another, or over it. */
static void copy(document *d, bool lines, bool over)
{
    uint8_t piece[512];
    stretch from = pick(d, lines), to = pick(d, lines);
    if (from.n > sizeof piece)
        return;
    memcpy(piece, d->bytes + from.at, from.n);
    if (!over)
        to.n = 0;
    replace(d, to, piece, from.n);
}

static void put_word(document *d, bool over)
{
    char piece[64] = " ";
    const char *word = words[below(sizeof words / sizeof *words)];
    stretch to = pick(d, false);
    if (!over)
        to.n = 0;
    strcat(piece, word);
    strcat(piece, " ");
    replace(d, to, piece, strlen(piece));
}

static void change(document *d)
{
    bool lines = below(3) == 0;
    switch (below(6)) {
    case 0:
        replace(d, pick(d, lines), "", 0);
        break;
    case 1:
        copy(d, lines, false);
        break;
    case 2:
        copy(d, lines, true);
        break;
    case 3:
        put_word(d, false);
        break;
    default:
        put_word(d, true);
        break;
    }
}

size_t tokens_mutate(uint8_t *bytes, size_t size, size_t room, uint64_t seed)
{
    document d = {bytes, size, room};
    state = seed * 0x9E3779B97F4A7C15u + 1;
    for (size_t k = 1 + below(TRIES); k > 0; k--)
        change(&d);
    return d.size;
}
