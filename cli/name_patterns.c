/* cli/name_patterns.c - see name_patterns.h.
 *
 * A pattern is a list of tokens.  Each of them but `*` takes a known number of characters, so that
 * the usual comparison, which returns to the last `*` where it fails, needs no recursion.  All
 * subscripts are accepted at first; the ranges are compared with those of the names that match, so
 * that a range that goes beyond an array can be told.                                           */
#include "name_patterns.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "messages.h"
#include "output/utf8.h"

/* ---- tokens ---- */

enum { DIMENSIONS_MAX = 8, SUBSCRIPTS_MAX = 8 };

typedef enum token_kind { TOKEN_TEXT, TOKEN_ONE, TOKEN_ANY, TOKEN_SUBSCRIPTS } token_kind;

typedef struct subscript_range {
    long low, step, high; /* high LONG_MAX: to the end */
} subscript_range;

typedef struct subscripts {
    int n;
    subscript_range range[DIMENSIONS_MAX];
    long least[DIMENSIONS_MAX], most[DIMENSIONS_MAX]; /* of the names that match otherwise */
} subscripts;

typedef struct token {
    token_kind kind;
    char byte;
    int place; /* of the subscripts */
} token;

typedef struct name_pattern {
    token *token;
    size_t n;
    bool has_wildcards;
    int n_subscripts;
    subscripts subscripts[SUBSCRIPTS_MAX];
    long value[SUBSCRIPTS_MAX][DIMENSIONS_MAX]; /* of the last name */
} name_pattern;

bool name_has_wildcards(const char *pattern)
{
    bool quoted = false;
    for (; *pattern; pattern++) {
        quoted ^= *pattern == '\'';
        if (!quoted && (*pattern == '*' || *pattern == '?'))
            return true;
    }
    return false;
}

static bool read_end(const char **at, long *value)
{
    if (strncmp(*at, "end", 3) == 0) {
        *at += 3;
        *value = LONG_MAX;
        return true;
    }
    char *after;
    *value = strtol(*at, &after, 10);
    bool read = after > *at;
    *at = after;
    return read;
}

/* "3", "1:10", "1:2:9", "2:end", ":", "*": one subscript; false: it is something else. */
static bool read_range(const char **at, subscript_range *r)
{
    *r = (subscript_range){LONG_MIN, 1, LONG_MAX};
    if (**at == '*') {
        ++*at;
        return true;
    }
    bool first = read_end(at, &r->low);
    r->low = first ? r->low : LONG_MIN;
    if (**at != ':') {
        r->high = r->low;
        return first;
    }
    ++*at;
    bool second = read_end(at, &r->high);
    r->high = second ? r->high : LONG_MAX;
    if (**at != ':')
        return true;
    ++*at;
    r->step = r->high;
    return first && second && r->step > 0 && read_end(at, &r->high);
}

/* The subscripts at a bracket; 0: they are no ranges of numbers, else their length. */
static size_t read_subscripts(const char *text, subscripts *s)
{
    const char *at = text;
    *s = (subscripts){0};
    do {
        at++;
        if (s->n == DIMENSIONS_MAX || !read_range(&at, &s->range[s->n]))
            return 0;
        s->least[s->n] = LONG_MAX;
        s->most[s->n++] = LONG_MIN;
    } while (*at == ',');
    return *at == ']' ? (size_t)(at + 1 - text) : 0;
}

static void pattern_create(name_pattern *p, const char *text, size_t length)
{
    bool quoted = false;
    *p = (name_pattern){.token = must_resize(NULL, length + 1, sizeof *p->token)};
    for (size_t i = 0; i < length;) {
        if (text[i] == '\'') { /* quotes are no part of a name */
            quoted = !quoted;
            i++;
            continue;
        }
        size_t taken = 0;
        if (text[i] == '[' && !quoted && p->n_subscripts < SUBSCRIPTS_MAX)
            taken = read_subscripts(text + i, &p->subscripts[p->n_subscripts]);
        if (taken > 0) {
            p->token[p->n++] = (token){TOKEN_SUBSCRIPTS, 0, p->n_subscripts++};
            i += taken;
            continue;
        }
        token_kind kind = quoted           ? TOKEN_TEXT
                          : text[i] == '*' ? TOKEN_ANY
                          : text[i] == '?' ? TOKEN_ONE
                                           : TOKEN_TEXT;
        p->has_wildcards |= kind != TOKEN_TEXT;
        p->token[p->n++] = (token){kind, text[i++], 0};
    }
}

/* ---- comparison ---- */

/* The first n subscripts of a name at a bracket; 0: there are others or fewer. */
static size_t take_subscripts(const char *name, int n, long *value)
{
    const char *at = name;
    for (int k = 0; k < n; k++) {
        char *after;
        if (*at != (k ? ',' : '['))
            return 0;
        value[k] = strtol(at + 1, &after, 10);
        if (after == at + 1)
            return 0;
        at = after;
    }
    if (*at == ',') /* m[1] is the first row of a matrix */
        at += strcspn(at, "]");
    return *at == ']' ? (size_t)(at + 1 - name) : 0;
}

/* How many bytes of the name the token takes; 0: it does not match. */
static size_t take(name_pattern *p, const token *t, const char *name)
{
    size_t length;
    switch (t->kind) {
    case TOKEN_TEXT:
        return *name == t->byte;
    case TOKEN_SUBSCRIPTS:
        return take_subscripts(name, p->subscripts[t->place].n, p->value[t->place]);
    default:
        break;
    }
    if (*name)
        utf8_decode(name, strlen(name), &length);
    return *name ? length : 0;
}

/* The pattern of an array or record matches its elements. */
static bool is_end(const char *name)
{
    return *name == '\0' || *name == '[' || *name == '.';
}

static bool matches(name_pattern *p, const char *name)
{
    const char *star_name = NULL; /* where the last `*` ends now */
    size_t star = 0, k = 0;
    for (;;) {
        if (k == p->n && (is_end(name) || strcmp(name, "'") == 0))
            return true;
        name += *name == '\''; /* some files have the quotes */
        size_t taken = 0;
        if (k < p->n && p->token[k].kind == TOKEN_ANY) {
            star = ++k;
            star_name = name;
            continue;
        }
        if (k < p->n)
            taken = take(p, &p->token[k], name);
        if (taken > 0) {
            name += taken;
            k++;
        } else if (star_name && *star_name) {
            name = ++star_name;
            k = star;
        } else {
            return false;
        }
    }
}

/* Whether the subscripts of the name that has just matched lie in the ranges. */
static bool is_in_range(name_pattern *p)
{
    bool inside = true;
    for (int i = 0; i < p->n_subscripts; i++) {
        subscripts *s = &p->subscripts[i];
        for (int k = 0; k < s->n; k++) {
            long value = p->value[i][k];
            const subscript_range *r = &s->range[k];
            s->least[k] = value < s->least[k] ? value : s->least[k];
            s->most[k] = value > s->most[k] ? value : s->most[k];
            inside &= value >= r->low && value <= r->high &&
                      (r->low == LONG_MIN || (value - r->low) % r->step == 0);
        }
    }
    return inside;
}

/* ---- messages ---- */

/* Names, and behind them the names of arrays without their subscripts. */
typedef struct known_names {
    const name_table *table;
    char **stems;
} known_names;

static const char *known_name(const void *list, size_t i)
{
    const known_names *k = list;
    return i < k->table->n ? k->table->name(k->table->list, i) : k->stems[i - k->table->n];
}

static bool tell_unknown(const name_table *table, const char *pattern, const char *name)
{
    known_names known = {table, must_resize(NULL, table->n + 1, sizeof *known.stems)};
    for (size_t i = 0; i < table->n; i++) {
        const char *full = table->name(table->list, i);
        known.stems[i] = must_copy(full, strcspn(full, "["));
    }
    const char *nearest = suggest(name, known_name, &known, 2 * table->n);
    if (name_has_wildcards(pattern))
        print_error("no variable of %s matches %s", table->owner, pattern);
    else if (nearest)
        print_error("%s has no variable %s; did you mean %s?", table->owner, pattern, nearest);
    else
        print_error("%s has no variable %s", table->owner, pattern);
    for (size_t i = 0; i < table->n; i++)
        free(known.stems[i]);
    free(known.stems);
    return false;
}

/* false after a message: a range leaves the array. */
static bool check_ranges(const name_pattern *p, const char *pattern)
{
    for (int i = 0; i < p->n_subscripts; i++)
        for (int k = 0; k < p->subscripts[i].n; k++) {
            const subscripts *s = &p->subscripts[i];
            const subscript_range *r = &s->range[k];
            bool known = s->least[k] <= s->most[k];
            if (known && ((r->low != LONG_MIN && (r->low < s->least[k] || r->low > s->most[k])) ||
                          (r->high != LONG_MAX && r->high > s->most[k]))) {
                print_error("%s: subscript %d goes from %ld to %ld", pattern, k + 1, s->least[k],
                            s->most[k]);
                return false;
            }
        }
    return true;
}

/* ---- all names ---- */

static void find_all(const name_table *table, name_pattern *p, bool minor, name_matches *found)
{
    for (size_t i = 0; i < table->n; i++) {
        bool is_minor = p->has_wildcards && table->is_minor && table->is_minor(table->list, i);
        if (is_minor == minor && matches(p, table->name(table->list, i)) && is_in_range(p))
            found->at[found->n++] = i;
    }
}

bool name_pattern_find(const name_table *table, const char *pattern, size_t begin, size_t length,
                       name_matches *found)
{
    char *name = must_copy(pattern + begin, length);
    *found = (name_matches){must_resize(NULL, table->n + 1, sizeof *found->at), 0};
    for (size_t i = 0; i < table->n && found->n == 0; i++)
        if (strcmp(table->name(table->list, i), name) == 0)
            found->at[found->n++] = i;
    bool fine = found->n > 0;
    if (!fine) {
        name_pattern p;
        pattern_create(&p, name, length);
        find_all(table, &p, false, found);
        if (found->n == 0)
            find_all(table, &p, true, found);
        fine = check_ranges(&p, pattern) && (found->n > 0 || tell_unknown(table, pattern, name));
        free(p.token);
    }
    free(name);
    return fine;
}

void name_matches_free(name_matches *found)
{
    free(found->at);
    *found = (name_matches){0};
}
