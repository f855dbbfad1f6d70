/* base/suggest.c - see suggest.h.  The distance is that of optimal string alignment, which is
 * Levenshtein's distance with a swap of neighbours counted as one change.       */
#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 127 };

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Only rows i - 2, i - 1 and i of the table of distances between prefixes are kept. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + !same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                now[j] = least(now[j], earlier[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

static bool begins(const char *text, const char *with)
{
    while (*with && lower(*text) == lower(*with))
        text++, with++;
    return !*with;
}

/* The name that begins with the word, if there is exactly one. */
static const char *completion(const char *word, suggest_name_fn *name, const void *list, size_t n)
{
    const char *found = NULL;
    for (size_t i = 0; i < n; i++)
        if (begins(name(list, i), word)) {
            if (found)
                return NULL;
            found = name(list, i);
        }
    return found;
}

const char *suggest(const char *word, suggest_name_fn *name, const void *list, size_t n)
{
    size_t length = strlen(word);
    if (length == 0 || length > LONGEST)
        return NULL;
    size_t limit = length < 3 ? 1 : (length + 2) / 3, best = limit + 1;
    const char *found = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *candidate = name(list, i);
        size_t m = strlen(candidate);
        if (m > LONGEST || (m > length ? m - length : length - m) >= best)
            continue;
        size_t d = distance(word, length, candidate, m);
        if (d < best && d < length) { /* at least one letter agrees */
            best = d;
            found = candidate;
        }
    }
    return found ? found : completion(word, name, list, n);
}
