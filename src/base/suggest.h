/* base/suggest.h - finds the most similar word of a list, for "did you mean".
 *
 * Depends on: libc.                                                             */
#ifndef DAEDAL_BASE_SUGGEST_H
#define DAEDAL_BASE_SUGGEST_H

#include <stddef.h>

typedef const char *suggest_name_fn(const void *list, size_t i);

/* The word of a list that was probably meant, or NULL.  It is the one with the fewest letters
 * changed, added, left out or swapped, ignoring case, at most a third of them; or else the only
 * word that begins with the given one.                                          */
const char *suggest(const char *word, suggest_name_fn *name, const void *list, size_t n);
#endif
