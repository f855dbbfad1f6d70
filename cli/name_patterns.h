/* cli/name_patterns.h - variables by the names and patterns that a user gives.
 *
 * Responsibility: `x`, a name; `c`, all elements of an array or record c; `c[1:3,2]`, `c[:]`,
 * `c[2:end]`, parts of an array; `*` for any characters and `?` for one of them.  What stands in
 * quotes is taken literally. Depends on: libc. */
#ifndef DAEDAL_CLI_NAME_PATTERNS_H
#define DAEDAL_CLI_NAME_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

/* The names that patterns are compared with. */
typedef struct name_table {
    const void *list;
    size_t n;
    const char *(*name)(const void *list, size_t i);
    bool (*is_minor)(const void *list, size_t i); /* wildcards mean it only if they match nothing
                                                     else; may be NULL                        */
    const char *owner;                            /* whose names they are, for messages */
} name_table;

/* What a pattern stands for: numbers of names, ascending, each once. */
typedef struct name_matches {
    size_t *at, n;
} name_matches;

bool name_has_wildcards(const char *pattern);

/* false after an error message: nothing matches, or the array is smaller.  The pattern is as the
 * user wrote it, for the message, with the part that is compared from `begin` on, `length` bytes.
 * Free the matches in any case.                                                              */
bool name_pattern_find(const name_table *table, const char *pattern, size_t begin, size_t length,
                       name_matches *found);
void name_matches_free(name_matches *found);
#endif
