/* cli/final_texts.h - the texts of --final: NAME=VALUE, or an equation between expressions.
 *
 * Responsibility: what a text means.  An equation LEFT = RIGHT becomes a definition of a variable,
 * with the text as its name and LEFT - (RIGHT) as its value, which is to be zero.
 * Depends on: arguments.h.                                                      */
#ifndef DAEDAL_CLI_FINAL_TEXTS_H
#define DAEDAL_CLI_FINAL_TEXTS_H

#include "arguments.h"

/* Whether the text is an equation; else a message was printed. */
bool final_is_equation(const char *text);

/* The name in NAME=VALUE, for the caller to free, and the value; NULL: it is another equation. */
char *final_name(const char *text, double *value);

/* The definitions for all texts that need one, n of them. */
daedal_binding *finals_definitions(const final_arguments *all, int32_t *n);
void finals_free_definitions(daedal_binding *list, int32_t n);
#endif
