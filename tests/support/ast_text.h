/* ast_text.h - syntax trees compared, the first error: for the tests of the parser. */
#ifndef DAEDAL_TESTS_AST_TEXT_H
#define DAEDAL_TESTS_AST_TEXT_H

#include "lang/ast_print.h"

/* Whether two trees are the same apart from positions.  Both have names of the same table. */
bool ast_equal(const ast_file *a, const ast_file *b);

/* The first error, or NULL. */
static inline const source_message *sources_first_error(const sources *s)
{
    for (int32_t i = 0; i < s->n_messages; i++)
        if (s->message[i].severity == SOURCE_ERROR)
            return &s->message[i];
    return NULL;
}
#endif
