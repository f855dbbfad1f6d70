/* expr/print.h - expressions in the modeller's notation, for messages.
 *
 * Responsibility: text of bounded length with as few parentheses as the grammar allows.
 * Depends on: expr/expression.h.                                                     */
#ifndef DAEDAL_EXPR_PRINT_H
#define DAEDAL_EXPR_PRINT_H

#include "expr/expression.h"

/* Names for variables and functions; a NULL function or a NULL answer: v7, f7.    */
typedef struct expr_names {
    const char *(*variable)(void *user, uint32_t index);
    const char *(*function)(void *user, uint32_t id);
    void *user;
} expr_names;

/* Write e into text (size bytes with the NUL); what does not fit, or lies deeper than
 * some hundred levels, is "...".  names may be NULL.  Returns text.               */
char *expr_print(const expr_graph *g, expr e, const expr_names *names, char *text, size_t size);
#endif
