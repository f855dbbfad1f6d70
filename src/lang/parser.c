/* lang/parser.c - see parser.h: tokens, errors and recovery, memory, and the file as a whole.
 *
 * The parser is a recursive descent with one token of lookahead. The grammar of a function stands
 * above it: [x] is optional, {x} is repeated, x % "," is a list separated by commas. */
#include "lang/parser_core.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* ---- compilation ---- */

bool compilation_create(compilation *c, const daedal_allocator *allocator, size_t limit)
{
    *c = (compilation){0};
    arena_create(&c->mem, allocator, limit);
    sources_create(&c->sources, &c->mem);
    return intern_create(&c->names, &c->mem) && lexer_keywords(&c->names);
}

void compilation_free(compilation *c)
{
    arena_free(&c->mem);
    *c = (compilation){0};
}

/* ---- tokens ---- */

static void stop(parser *p)
{
    p->stopped = true;
    p->has_ahead = false;
    p->token.kind = p->offender.kind = TOKEN_END;
}

void parser_found_components(parser *p)
{
    p->c->has_components = true;
    stop(p);
}

void parser_advance(parser *p)
{
    if (p->stopped || p->panic)
        return;
    p->last_end = p->token.end;
    p->last_kind = p->token.kind;
    if (p->has_ahead) {
        p->token = p->ahead;
        p->has_ahead = false;
        return;
    }
    lexer_next(&p->lexer, &p->token);
    if (p->lexer.no_memory)
        stop(p);
}

token_kind parser_peek(parser *p)
{
    if (p->panic || p->stopped)
        return TOKEN_END;
    if (!p->has_ahead)
        lexer_next(&p->lexer, &p->ahead);
    p->has_ahead = true;
    return p->ahead.kind;
}

bool parser_at_word(const parser *p, const char *word)
{
    return parser_at(p, TOKEN_NAME) && !p->token.quoted &&
           strcmp(intern_text(&p->c->names, p->token.name), word) == 0;
}

/* ---- errors ---- */

uint32_t parser_line(const parser *p, source_at at)
{
    return sources_place(&p->c->sources, at).line;
}

const char *parser_name_text(const parser *p, int32_t name)
{
    return name < 0 ? "" : intern_text(&p->c->names, name);
}

static void enter_panic(parser *p)
{
    p->panic = true;
    p->offender = p->token;
    if (p->c->sources.n_errors - p->old_errors >= SOURCE_ERRORS_MAX)
        stop(p);
    else
        p->token.kind = TOKEN_BAD;
}

void parser_error(parser *p, source_at at, const char *format, ...)
{
    if (p->panic || p->stopped)
        return;
    if (!parser_at(p, TOKEN_BAD)) { /* a bad token was reported by the lexer */
        va_list args;
        va_start(args, format);
        source_error_list(&p->c->sources, at, format, args);
        va_end(args);
    }
    enter_panic(p);
}

/* Whether there is a line break between the last token and the current one. */
static bool on_new_line(const parser *p)
{
    size_t length = 0;
    const char *gap = source_stretch(&p->c->sources, p->last_end, p->token.at, &length);
    return gap && memchr(gap, '\n', length);
}

enum { SHOWN_MAX = 60 }; /* bytes of a token in a message */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* 1,5: the token is the comma or the number behind it. */
static bool at_decimal_comma(const parser *p)
{
    size_t length = 0;
    source_at from = p->token.at - (parser_at(p, TOKEN_COMMA) ? 1u : 2u);
    const char *text = source_stretch(&p->c->sources, from, from + 3u, &length);
    return text && length == 3 && is_digit(text[0]) && text[1] == ',' && is_digit(text[2]);
}

/* 2 pi, 2x, 3(a + b), (a + b)(c + d): a product as it is written on paper, where a sign
 * should stand and no keyword, as in `if x > 1 the`. */
static bool lacks_product_sign(const parser *p, const char *expected)
{
    if (on_new_line(p) || !ispunct((unsigned char)expected[1]))
        return false;
    if (p->last_kind == TOKEN_INTEGER || p->last_kind == TOKEN_REAL)
        return parser_at(p, TOKEN_NAME) || parser_at(p, TOKEN_LPAREN);
    return p->last_kind == TOKEN_RPAREN && parser_at(p, TOKEN_LPAREN);
}

void parser_unexpected(parser *p, const char *what)
{
    size_t length = 0;
    if (at_decimal_comma(p)) {
        parser_error(p, p->token.at, "numbers are written with a decimal point: 1.5, not 1,5");
        return;
    }
    const char *text = source_stretch(&p->c->sources, p->token.at, p->token.end, &length);
    if (parser_at(p, TOKEN_END) || !text) {
        parser_error(p, p->token.at, "expected %s, but the text ends here", what);
        return;
    }
    const char *more = length > SHOWN_MAX ? "..." : "";
    const char *quote = p->token.quoted || parser_at(p, TOKEN_STRING) ? "" : "'";
    const char *cure =
        lacks_product_sign(p, what) ? "a product is written with '*'" : parser_cure(p, what);
    parser_error(p, p->token.at, "expected %s, found %s%.*s%s%s%s%s", what, quote,
                 (int)(length > SHOWN_MAX ? SHOWN_MAX : length), text, more, quote,
                 cure ? ": " : "", cure ? cure : "");
}

bool parser_expect(parser *p, token_kind kind)
{
    if (parser_accept(p, kind))
        return true;
    if (kind == TOKEN_SEMICOLON && !parser_at(p, TOKEN_BAD) && on_new_line(p)) {
        parser_error(p, p->last_end, "';' is missing here");
        p->panic = false; /* a missing token is assumed to be there */
        p->token = p->offender;
        return true;
    }
    if (kind == TOKEN_SEMICOLON && parser_at(p, TOKEN_BECOMES)) {
        parser_error(p, p->token.at, "':=' belongs to algorithms; an equation is written with '='");
        return false;
    }
    char what[32] = "'";
    strncat(what, token_text(kind), sizeof what - 3);
    strcat(what, "'");
    parser_unexpected(p, kind == TOKEN_NAME ? token_text(kind) : what);
    return false;
}

/* `end` that closes something, unlike the one in subscripts. */
static bool at_closing_end(parser *p)
{
    if (!parser_at(p, KEY_END))
        return false;
    switch (parser_peek(p)) {
    case TOKEN_NAME:
    case KEY_IF:
    case KEY_FOR:
    case KEY_WHEN:
    case KEY_WHILE:
        return true;
    default:
        return false;
    }
}

void parser_recover(parser *p, token_kind target)
{
    if (!p->panic)
        return;
    p->panic = false;
    p->in_annotation = false;
    p->subscripts = 0;
    p->token = p->offender;
    while (!parser_at(p, target) && !parser_at(p, TOKEN_END) && !at_closing_end(p) &&
           !parse_at_section(p)) {
        if (parser_accept(p, TOKEN_SEMICOLON))
            return;
        parser_advance(p);
    }
}

bool parser_enter(parser *p)
{
    if (++p->depth <= PARSER_DEPTH_MAX)
        return true;
    parser_error(p, p->token.at, "the text is nested more than %d levels deep (PARSER_DEPTH_MAX)",
                 (int)PARSER_DEPTH_MAX);
    return false;
}

/* ---- nodes and lists ---- */

static void out_of_memory(parser *p)
{
    if (!p->stopped)
        source_error(&p->c->sources, p->token.at, "out of memory while reading the model");
    stop(p);
}

void *parser_node(parser *p, size_t size)
{
    void *node = arena_take(&p->c->mem, 1, size);
    if (node)
        return node;
    assert(size <= sizeof p->sink);
    out_of_memory(p);
    return memset(&p->sink, 0, sizeof p->sink);
}

void parser_add(parser *p, const void *item, size_t size)
{
    if (p->scratch_n + size > p->scratch_capacity) {
        char *more =
            arena_grow(&p->c->mem, p->scratch, &p->scratch_capacity, p->scratch_n + size, 1);
        if (!more) {
            out_of_memory(p);
            return;
        }
        p->scratch = more;
    }
    memcpy(p->scratch + p->scratch_n, item, size);
    p->scratch_n += size;
}

void *parser_take_list(parser *p, size_t mark, size_t size, int32_t *n)
{
    size_t bytes = p->scratch_n - mark;
    p->scratch_n = mark;
    *n = 0;
    void *list = bytes ? arena_take(&p->c->mem, 1, bytes) : NULL;
    if (!list) {
        if (bytes)
            out_of_memory(p);
        return NULL;
    }
    *n = (int32_t)(bytes / size);
    return memcpy(list, p->scratch + mark, bytes);
}

/* ---- the file ---- */

/* The version of a first line `//! base 0.1.0`, or NULL. */
static const char *base_version(const source *f, arena *mem)
{
    static const char mark[] = "//! base ";
    if (strncmp(f->text, mark, sizeof mark - 1) != 0)
        return NULL;
    const char *version = f->text + sizeof mark - 1;
    return arena_text(mem, version, strcspn(version, " \t\r\n"));
}

/* "within" [name] ";" */
static void parse_within(parser *p, ast_file *file)
{
    if (!parser_accept(p, KEY_WITHIN))
        return;
    file->has_within = true;
    if (!parser_at(p, TOKEN_SEMICOLON))
        file->within = parse_ref(p, false);
    parser_expect(p, TOKEN_SEMICOLON);
    parser_recover(p, TOKEN_END);
}

static void skip_to_class(parser *p)
{
    parser_recover(p, TOKEN_END);
    while (!parse_at_class(p) && !parser_at(p, TOKEN_END))
        parser_advance(p);
}

/* file := [ "within" [name] ";" ] { classdef ";" } EOF */
static void parse_classes(parser *p, ast_file *file)
{
    ast_class **tail = &file->classes;
    while (!parser_at(p, TOKEN_END)) {
        if (!parse_at_class(p)) {
            parser_unexpected(p, "a class such as 'model Name ... end Name;'");
            skip_to_class(p);
            continue;
        }
        *tail = parse_class(p);
        tail = &(*tail)->next;
        parser_expect(p, TOKEN_SEMICOLON);
        if (p->panic)
            skip_to_class(p);
    }
}

/* A file that is not text, such as a picture, gets one message and not one for each bad byte. */
static bool is_text(compilation *c, const source *f)
{
    const char *nul = memchr(f->text, '\0', f->length);
    return !nul || source_error(&c->sources, f->base + (source_at)(nul - f->text),
                                "the text contains a NUL byte; this may not be a text file");
}

static ast_file *parse_source(compilation *c, const source *f, bool is_library)
{
    c->has_components = false;
    if (!is_text(c, f))
        return NULL;
    parser p = {.c = c, .old_errors = c->sources.n_errors, .is_library = is_library};
    bool failed_before = c->mem.failed;
    lexer_open(&p.lexer, &c->sources, &c->names, f);
    p.last_end = p.token.end = f->base;
    ast_file *file = parser_node(&p, sizeof *file);
    file->source = f;
    file->base_version = base_version(f, &c->mem);
    parser_advance(&p);
    if (parser_at(&p, TOKEN_END))
        parser_error(&p, p.token.at, "empty file");
    parse_within(&p, file);
    parse_classes(&p, file);
    if (c->mem.failed && !failed_before)
        out_of_memory(&p);
    return c->sources.n_errors > p.old_errors || c->has_components ? NULL : file;
}

ast_file *parse_library_text(compilation *c, const source *f)
{
    return parse_source(c, f, true);
}

bool parse_unread_class(compilation *c, ast_class *skipped)
{
    parser p = {.c = c, .old_errors = c->sources.n_errors, .is_library = true};
    lexer_open(&p.lexer, &c->sources, &c->names, skipped->unread);
    p.lexer.p += skipped->from;
    p.last_end = p.token.end = skipped->unread->base + skipped->from;
    parser_advance(&p);
    ast_class *next = skipped->next, *read = parse_class(&p);
    if (c->sources.n_errors > p.old_errors || p.stopped)
        return false;
    *skipped = *read;
    skipped->next = next;
    return true;
}

ast_file *parse_text(compilation *c, const char *name, const char *text, size_t length)
{
    const source *f = sources_add_text(&c->sources, name, text, length);
    return f ? parse_source(c, f, false) : NULL;
}

ast_file *parse_file(compilation *c, const char *path)
{
    const source *f = sources_add_file(&c->sources, path);
    return f ? parse_source(c, f, false) : NULL;
}
