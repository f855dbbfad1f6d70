/* cli/suggest.h - the nearest known word.
 *
 * Depends on: libc.                                                             */
#ifndef DAEDAL_CLI_SUGGEST_H
#define DAEDAL_CLI_SUGGEST_H

#include <stddef.h>

typedef const char *suggest_name_fn(const void *list, size_t i);

/* The word of a list that was probably meant, or NULL: fewest letters changed, added, left out or
 * swapped (case does not count), at most a third of them; or the only word that begins so.  */
const char *suggest(const char *word, suggest_name_fn *name, const void *list, size_t n);
#endif
