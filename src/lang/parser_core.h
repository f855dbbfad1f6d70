/* lang/parser_core.h - what the files of the parser share.
 *
 * How errors are handled: the first error of a construct is recorded, then the parser is in panic
 * mode. The current token reads as TOKEN_BAD, so that nothing matches, every function returns soon
 * and further errors are not recorded, until a list of elements, equations or statements calls
 * parser_recover. Nodes are therefore never NULL unless the grammar says so; those made in panic
 * mode or without memory are thrown away with the tree.
 * Depends on: lang/parser.h, lang/lexer.h. */
#ifndef DAEDAL_LANG_PARSER_CORE_H
#define DAEDAL_LANG_PARSER_CORE_H

#include "lang/lexer.h"
#include "lang/parser.h"

/* `import alias = part.part`: references that begin with the alias are expanded where they are
 * read. */
typedef struct parser_import {
    struct parser_import *next;
    int32_t alias;
    ast_expr *target; /* AST_REF */
    source_at at;
} parser_import;

typedef struct parser {
    compilation *c;
    lexer lexer;
    token token;          /* the current one                                            */
    token ahead;          /* the one behind it, if has_ahead                            */
    token offender;       /* in panic mode: the token that did not match */
    source_at last_end;   /* end of the token before the current one                    */
    token_kind last_kind; /* and what it is */
    bool has_ahead, panic;
    bool stopped; /* too many errors, or no memory: only TOKEN_END follows      */
    bool in_annotation;
    bool is_library;        /* object-oriented Modelica, see parse_library_text */
    bool is_inside;         /* a class that is read: nested ones are skipped */
    int32_t depth;          /* of nesting, at most PARSER_DEPTH_MAX                       */
    int32_t subscripts;     /* how many brackets of subscripts are open                   */
    int32_t old_errors;     /* before this text                                           */
    parser_import *imports; /* of the class and of those around it                        */
    char *scratch;          /* items of unfinished lists                                  */
    size_t scratch_n, scratch_capacity;
    union {
        ast_class largest;
        char bytes[sizeof(ast_class) + 64];
    } sink; /* stands in for nodes when there is no memory */
} parser;

/* ---- tokens ---- */

static inline bool parser_at(const parser *p, token_kind kind)
{
    return p->token.kind == kind;
}

void parser_advance(parser *p);
token_kind parser_peek(parser *p); /* kind of the token behind the current one */

/* Take the token if it is of that kind. */
static inline bool parser_accept(parser *p, token_kind kind)
{
    if (p->token.kind != kind)
        return false;
    parser_advance(p);
    return true;
}

/* Takes the token, or reports an error. */
bool parser_expect(parser *p, token_kind kind);

/* Whether the current token is this plain name (a word that is a keyword only in certain
 * places). */
bool parser_at_word(const parser *p, const char *word);

/* ---- errors ---- */

void parser_error(parser *p, source_at at, const char *format, ...) PRINTF_LIKE(3, 4);
/* expected `what`, found the current token */
void parser_unexpected(parser *p, const char *what);
/* parser_cures.c: what to write instead of the current token, or NULL */
const char *parser_cure(const parser *p, const char *expected);
/* Leaves panic mode: skips to `target` or behind the next ';', but not beyond `end X`, a section
 * keyword or the end of the text. */
void parser_recover(parser *p, token_kind target);
uint32_t parser_line(const parser *p, source_at at);
const char *parser_name_text(const parser *p, int32_t name); /* for messages; "" if none */

/* One level deeper; false, with an error, if that is too deep.  Call parser_leave in any
 * case.                                                                         */
bool parser_enter(parser *p);
static inline void parser_leave(parser *p)
{
    p->depth--;
}

/* ---- nodes and lists ---- */

void *parser_node(parser *p, size_t size); /* zeroed, never NULL */

/* Lists of unknown length: remember parser_list, add items, then take them as one array.
 * Lists may nest.                                                               */
static inline size_t parser_list(const parser *p)
{
    return p->scratch_n;
}
void parser_add(parser *p, const void *item, size_t size);
void *parser_take_list(parser *p, size_t mark, size_t size, int32_t *n);

/* ---- expressions (parser_expressions.c) ---- */

ast_expr *parse_expr(parser *p);        /* with if */
ast_expr *parse_simple_expr(parser *p); /* without if at its front */
ast_expr *parse_primary(parser *p);
ast_expr *parse_ref(parser *p, bool with_subscripts);
/* An error where the name of an import is declared. */
void refuse_imported_name(parser *p);
ast_list parse_dims(parser *p); /* "[" ... "]"; none if there is no '[' */
ast_list parse_values(parser *p, token_kind closing);
ast_iterator *parse_iterators(parser *p, int32_t *n);

/* ---- equations and statements (parser_clauses.c) ---- */

ast_clause *parse_clauses(parser *p, bool statements);
bool parse_at_section(parser *p); /* equation, algorithm, or initial one of them */
ast_section *parse_section(parser *p);
bool parse_at_partition(parser *p);
ast_partition *parse_partition(parser *p);

/* ---- declarations (parser_declarations.c) ---- */

/* A declared name: dots and literal subscripts become part of it; the last subscripts go to
 * *dims, or are an error if dims is NULL.                                       */
typedef struct declared_name {
    int32_t name;
    bool quoted;
    source_at at;
} declared_name;
declared_name parse_declared_name(parser *p, ast_list *dims);

ast_mod *parse_mods(parser *p);
ast_mod *parse_annotation(parser *p); /* NULL if there is none */
const char *parse_description(parser *p);
ast_comment parse_comment(parser *p);
int32_t parse_decoration(parser *p);
ast_element *parse_element(parser *p, uint32_t prefixes, int32_t decoration);
ast_element *parse_extends(parser *p);
/* A declaration of one component, as in redeclarations. */
ast_element *parse_one_component(parser *p, uint32_t prefixes);
/* `redeclare` or `replaceable` and what follows them, in modifiers. */
ast_element *parse_redeclaration(parser *p, bool *is_each);
bool parse_at_element(const parser *p);

/* ---- skipping text (skim.c) ---- */

/* Behind the `end NAME` that closes the class whose body begins at `from`; NULL: there is none. */
const char *skim_class(const char *from, const char *stop);
/* Behind the ')' that closes the '(' at `from`; NULL: there is none. *is_needed: one of the
 * annotations in it has a meaning for a simulation. */
const char *skim_annotation(const char *from, const char *stop, bool *is_needed);

/* ---- classes (parser_classes.c) ---- */

bool parse_at_class(const parser *p);
ast_class *parse_class(parser *p);
/* The text has parts that flat models do not have: reading ends here. */
void parser_found_components(parser *p);
#endif
