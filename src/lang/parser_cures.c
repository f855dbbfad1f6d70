/* lang/parser_cures.c - see parser_core.h: what to write instead of what other languages have.
 *
 * New users write what they know from elsewhere.  Where it is no syntax here, the message about the
 * token that does not fit says how the same thing is written.                              */
#include "lang/parser_core.h"

#include <string.h>

typedef struct token_cure {
    const char *expected; /* how the words behind `expected` begin */
    token_kind found;
    const char *text;
} token_cure;

static const char ROWS[] = "elements of a row are separated by commas, and rows by ';'";

static const token_cure TOKENS[] = {
    {"'loop'", TOKEN_EQUAL, "write 'for i in 1:n loop'"},
    {"'loop'", TOKEN_COLON, "write 'for i in 1:n loop'"},
    {"'then'", TOKEN_EQUAL,
     "the condition ends with 'then', not with ':', and '==' compares numbers that are equal"},
    {"'then'", TOKEN_COLON, "the condition ends with 'then', not with ':'"},
    {"']'", TOKEN_INTEGER, ROWS},
    {"']'", TOKEN_REAL, ROWS},
    {"']'", TOKEN_NAME, ROWS},
    {"'}'", TOKEN_INTEGER, "elements are separated by commas"},
    {"'}'", TOKEN_REAL, "elements are separated by commas"},
    {"')'", TOKEN_BECOMES, "a modifier is written with '='"},
    {"':='", TOKEN_PLUS, "write n := n + 1"},
    {"':='", TOKEN_MINUS, "write n := n - 1"},
    {"a declaration", KEY_INITIAL, "write 'initial equation'"},
    {"a declaration", TOKEN_LBRACE, "a class has no braces: model M ... end M;"},
};

/* Words with which other languages begin a function. */
static bool at_foreign_function(const parser *p)
{
    return parser_at_word(p, "def") || parser_at_word(p, "func") || parser_at_word(p, "fn") ||
           parser_at_word(p, "procedure") || parser_at_word(p, "subroutine");
}

const char *parser_cure(const parser *p, const char *expected)
{
    for (size_t k = 0; k < sizeof TOKENS / sizeof *TOKENS; k++)
        if (parser_at(p, TOKENS[k].found) &&
            strncmp(expected, TOKENS[k].expected, strlen(TOKENS[k].expected)) == 0)
            return TOKENS[k].text;
    if (strncmp(expected, "a class", 7) == 0 && at_foreign_function(p))
        return "a function is written 'function f ... end f;'";
    return NULL;
}
