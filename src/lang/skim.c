/* lang/skim.c - see parser_core.h: finds the ends of classes and annotations without reading them.
 *
 * Only words, brackets, texts, quoted names and comments are told apart. Inside brackets no class
 * begins or ends, so words matter outside of them alone. */
#include "lang/parser_core.h"

#include <string.h>

typedef struct skimmer {
    const char *p, *stop;
    const char *word; /* the last word, [word, p) */
} skimmer;

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_quoted(skimmer *s, char quote)
{
    s->p++;
    while (s->p < s->stop && *s->p != quote)
        s->p += *s->p == '\\' && s->p + 1 < s->stop ? 2 : 1;
    s->p += s->p < s->stop;
}

/* Skips a comment; false: there is none here. */
static bool skip_comment(skimmer *s)
{
    if (s->p[0] != '/' || s->p + 1 >= s->stop || (s->p[1] != '/' && s->p[1] != '*'))
        return false;
    bool is_line = s->p[1] == '/';
    s->p += 2;
    while (s->p < s->stop &&
           (is_line ? *s->p != '\n' : !(s->p[0] == '*' && s->p + 1 < s->stop && s->p[1] == '/')))
        s->p++;
    s->p += s->p < s->stop ? (is_line ? 1 : 2) : 0;
    return true;
}

/* The next item: 'w' a word (also a quoted name), a bracket, '=', ',', or another byte; 0 at the
 * end. */
static char skim_next(skimmer *s)
{
    while (s->p < s->stop) {
        char c = *s->p;
        if (is_word_byte(c)) {
            s->word = s->p;
            while (s->p < s->stop && is_word_byte(*s->p))
                s->p++;
            return 'w';
        }
        if (c == '\'') {
            s->word = s->p;
            skip_quoted(s, '\'');
            return 'w';
        }
        if (c == '"') {
            skip_quoted(s, '"');
            continue;
        }
        if (skip_comment(s))
            continue;
        s->p++;
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            return c;
    }
    return 0;
}

static bool word_is(const skimmer *s, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(s->p - s->word) == n && memcmp(s->word, text, n) == 0;
}

static bool is_one_of(const skimmer *s, const char *const *list)
{
    for (; *list; list++)
        if (word_is(s, *list))
            return true;
    return false;
}

/* Behind the word of a class: whether a long form follows. */
static bool long_form_follows(skimmer *s)
{
    if (skim_next(s) != 'w')
        return false;
    if (word_is(s, "extends"))
        return true;
    const char *here = s->p;
    char next = skim_next(s);
    s->p = here;
    return next != '=';
}

static bool begins_class(skimmer *s)
{
    static const char *const kinds[] = {"model", "class",     "block",   "record", "function",
                                        "type",  "connector", "package", NULL};
    static const char *const more[] = {"function", "record", NULL};
    if (is_one_of(s, kinds))
        return long_form_follows(s);
    if (!word_is(s, "operator"))
        return false;
    skimmer ahead = *s;
    if (skim_next(&ahead) == 'w' && is_one_of(&ahead, more))
        return false; /* that word begins it */
    return long_form_follows(s);
}

/* Behind `end`: whether a class ends. */
static bool ends_class(skimmer *s)
{
    static const char *const others[] = {"if", "for", "when", "while", NULL};
    return skim_next(s) == 'w' && !is_one_of(s, others);
}

const char *skim_class(const char *from, const char *stop)
{
    skimmer s = {.p = from, .stop = stop};
    int depth = 0, level = 1;
    for (char c; (c = skim_next(&s)) != 0;) {
        if (c == '(' || c == '[' || c == '{')
            depth++;
        else if (c == ')' || c == ']' || c == '}')
            depth--;
        else if (c == 'w' && depth == 0 && word_is(&s, "end"))
            level -= ends_class(&s);
        else if (c == 'w' && depth == 0)
            level += begins_class(&s);
        if (level == 0)
            return s.p;
    }
    return NULL;
}

const char *skim_annotation(const char *from, const char *stop, bool *is_needed)
{
    static const char *const needed[] = {
        "Evaluate", "experiment",  "derivative",          "inverse",        "uses",    "version",
        "Inline",   "smoothOrder", "missingInnerMessage", "GenerateEvents", "Library", "__daedal",
        NULL};
    skimmer s = {.p = from, .stop = stop};
    int depth = 0;
    bool begins = true; /* a name of an annotation follows */
    *is_needed = false;
    for (char c; (c = skim_next(&s)) != 0;) {
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (c == 'w' && begins && depth == 1)
            *is_needed = *is_needed || is_one_of(&s, needed);
        begins = c == '(' || c == ',';
        if (depth == 0)
            return s.p;
    }
    return NULL;
}
