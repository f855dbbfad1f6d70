/* lang/lexer.h - from bytes to tokens.
 *
 * Responsibility: skip blanks and comments, decode names, strings and numbers, and report bytes
 * that form no token. Any text ends in TOKEN_END after finitely many tokens.
 * Invariant: the intern table begins with the keywords (lexer_keywords), so that the id of a plain
 * name says whether it is one.
 * Depends on: base/intern.h, lang/ast.h, lang/source.h. */
#ifndef DAEDAL_LANG_LEXER_H
#define DAEDAL_LANG_LEXER_H

#include "lang/ast.h"

/* X(token, text) */
#define TOKEN_KEYWORD_LIST(X)                                                                      \
    X(KEY_ALGORITHM, "algorithm")                                                                  \
    X(KEY_AND, "and")                                                                              \
    X(KEY_ANNOTATION, "annotation")                                                                \
    X(KEY_BLOCK, "block")                                                                          \
    X(KEY_BREAK, "break")                                                                          \
    X(KEY_CLASS, "class")                                                                          \
    X(KEY_CONNECTOR, "connector")                                                                  \
    X(KEY_CONSTANT, "constant")                                                                    \
    X(KEY_CONSTRAINEDBY, "constrainedby")                                                          \
    X(KEY_DER, "der")                                                                              \
    X(KEY_DISCRETE, "discrete")                                                                    \
    X(KEY_EACH, "each")                                                                            \
    X(KEY_ELSE, "else")                                                                            \
    X(KEY_ELSEIF, "elseif")                                                                        \
    X(KEY_ELSEWHEN, "elsewhen")                                                                    \
    X(KEY_ENCAPSULATED, "encapsulated")                                                            \
    X(KEY_END, "end")                                                                              \
    X(KEY_ENUMERATION, "enumeration")                                                              \
    X(KEY_EQUATION, "equation")                                                                    \
    X(KEY_EXPANDABLE, "expandable")                                                                \
    X(KEY_EXTENDS, "extends")                                                                      \
    X(KEY_EXTERNAL, "external")                                                                    \
    X(KEY_FALSE, "false")                                                                          \
    X(KEY_FINAL, "final")                                                                          \
    X(KEY_FLOW, "flow")                                                                            \
    X(KEY_FOR, "for")                                                                              \
    X(KEY_FUNCTION, "function")                                                                    \
    X(KEY_IF, "if")                                                                                \
    X(KEY_IMPORT, "import")                                                                        \
    X(KEY_IMPURE, "impure")                                                                        \
    X(KEY_IN, "in")                                                                                \
    X(KEY_INITIAL, "initial")                                                                      \
    X(KEY_INNER, "inner")                                                                          \
    X(KEY_INPUT, "input")                                                                          \
    X(KEY_LOOP, "loop")                                                                            \
    X(KEY_MODEL, "model")                                                                          \
    X(KEY_NOT, "not")                                                                              \
    X(KEY_OPERATOR, "operator")                                                                    \
    X(KEY_OR, "or")                                                                                \
    X(KEY_OUTER, "outer")                                                                          \
    X(KEY_OUTPUT, "output")                                                                        \
    X(KEY_PACKAGE, "package")                                                                      \
    X(KEY_PARAMETER, "parameter")                                                                  \
    X(KEY_PARTIAL, "partial")                                                                      \
    X(KEY_PROTECTED, "protected")                                                                  \
    X(KEY_PUBLIC, "public")                                                                        \
    X(KEY_PURE, "pure")                                                                            \
    X(KEY_RECORD, "record")                                                                        \
    X(KEY_REDECLARE, "redeclare")                                                                  \
    X(KEY_REPLACEABLE, "replaceable")                                                              \
    X(KEY_RETURN, "return")                                                                        \
    X(KEY_STREAM, "stream")                                                                        \
    X(KEY_THEN, "then")                                                                            \
    X(KEY_TRUE, "true")                                                                            \
    X(KEY_TYPE, "type")                                                                            \
    X(KEY_WHEN, "when")                                                                            \
    X(KEY_WHILE, "while")                                                                          \
    X(KEY_WITHIN, "within")

/* X(token, text, operator) */
#define TOKEN_SIGN_LIST(X)                                                                         \
    X(TOKEN_LPAREN, "(", AST_NO_OP)                                                                \
    X(TOKEN_RPAREN, ")", AST_NO_OP)                                                                \
    X(TOKEN_LBRACKET, "[", AST_NO_OP)                                                              \
    X(TOKEN_RBRACKET, "]", AST_NO_OP)                                                              \
    X(TOKEN_LBRACE, "{", AST_NO_OP)                                                                \
    X(TOKEN_RBRACE, "}", AST_NO_OP)                                                                \
    X(TOKEN_COMMA, ",", AST_NO_OP)                                                                 \
    X(TOKEN_SEMICOLON, ";", AST_NO_OP)                                                             \
    X(TOKEN_COLON, ":", AST_NO_OP)                                                                 \
    X(TOKEN_DOT, ".", AST_NO_OP)                                                                   \
    X(TOKEN_AT, "@", AST_NO_OP)                                                                    \
    X(TOKEN_BECOMES, ":=", AST_NO_OP)                                                              \
    X(TOKEN_EQUAL, "=", AST_NO_OP)                                                                 \
    X(TOKEN_LT, "<", AST_LT)                                                                       \
    X(TOKEN_LE, "<=", AST_LE)                                                                      \
    X(TOKEN_GT, ">", AST_GT)                                                                       \
    X(TOKEN_GE, ">=", AST_GE)                                                                      \
    X(TOKEN_EQ, "==", AST_EQ)                                                                      \
    X(TOKEN_NE, "<>", AST_NE)                                                                      \
    X(TOKEN_PLUS, "+", AST_ADD)                                                                    \
    X(TOKEN_MINUS, "-", AST_SUB)                                                                   \
    X(TOKEN_TIMES, "*", AST_MUL)                                                                   \
    X(TOKEN_SLASH, "/", AST_DIV)                                                                   \
    X(TOKEN_POWER, "^", AST_POW)                                                                   \
    X(TOKEN_DOT_PLUS, ".+", AST_EL_ADD)                                                            \
    X(TOKEN_DOT_MINUS, ".-", AST_EL_SUB)                                                           \
    X(TOKEN_DOT_TIMES, ".*", AST_EL_MUL)                                                           \
    X(TOKEN_DOT_SLASH, "./", AST_EL_DIV)                                                           \
    X(TOKEN_DOT_POWER, ".^", AST_EL_POW)

typedef enum token_kind {
#define X(token, text) token,
    TOKEN_KEYWORD_LIST(X) /* first: a keyword's token is the id of its name */
#undef X
    TOKEN_KEYWORDS,
    TOKEN_NAME = TOKEN_KEYWORDS,
    TOKEN_INTEGER,
    TOKEN_REAL,
    TOKEN_STRING,
    TOKEN_EMPTY, /* #EMPTY# */
#define X(token, text, op) token,
    TOKEN_SIGN_LIST(X)
#undef X
        TOKEN_BAD, /* reported already */
    TOKEN_END,
    TOKEN_KINDS
} token_kind;

typedef struct token {
    token_kind kind;
    int32_t name; /* TOKEN_NAME and keywords */
    bool quoted;
    source_at at, end;
    union {
        int64_t integer;
        double real;
        struct {
            const char *text; /* decoded, NUL-terminated */
            uint32_t length;
        };
    };
} token;

typedef struct lexer {
    sources *sources;
    intern_table *names;
    arena *mem;
    const char *start, *p, *stop; /* text, next byte, behind the last byte (a NUL) */
    source_at base;
    bool no_memory; /* the arena refused; all further tokens are TOKEN_END */
} lexer;

/* Put the keywords into an empty table; false: out of memory.                   */
bool lexer_keywords(intern_table *names);

void lexer_open(lexer *l, sources *s, intern_table *names, const source *f);
void lexer_next(lexer *l, token *t);

const char *token_text(token_kind kind); /* "end", ":=", "a name" */
ast_op token_op(token_kind kind);

/* The value of digits [. digits] [e [sign] digits], correctly rounded whatever the locale;
 * infinity if it is too large.                                                  */
double lexer_real(const char *text, const char *end);
#endif
