/* cli/final_texts.c - see final_texts.h. */
#include "final_texts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "variations.h"

/* The sign of the equation: no part of ==, <=, >= and <>, outside of brackets; NULL: none. */
static const char *find_equals(const char *text)
{
    int depth = 0;
    for (const char *c = text; *c; c++) {
        depth += (*c == '(' || *c == '[' || *c == '{') - (*c == ')' || *c == ']' || *c == '}');
        if (*c == '=' && depth == 0 && c[1] != '=' && (c == text || !strchr("=<>", c[-1])))
            return c;
    }
    return NULL;
}

static bool is_blank(const char *from, const char *end)
{
    while (from < end && isspace((unsigned char)*from))
        from++;
    return from == end;
}

bool final_is_equation(const char *text)
{
    const char *equals = find_equals(text);
    if (equals && !is_blank(text, equals) && !is_blank(equals + 1, text + strlen(text)))
        return true;
    print_error("--final needs NAME=VALUE or an equation, not '%s'", text);
    return false;
}

char *final_name(const char *text, double *value)
{
    const char *equals = find_equals(text), *from = text, *end = equals;
    while (isspace((unsigned char)*from))
        from++;
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    const char *right = equals + 1;
    while (isspace((unsigned char)*right))
        right++;
    bool is_name = end > from && !isdigit((unsigned char)*from);
    for (const char *c = from; c < end; c++)
        is_name = is_name && (isalnum((unsigned char)*c) || strchr("_.[],'", *c));
    return is_name && number_read(right, value) ? must_copy(from, (size_t)(end - from)) : NULL;
}

daedal_binding *finals_definitions(const final_arguments *all, int32_t *n)
{
    daedal_binding *list = must_resize(NULL, (size_t)all->n + 1, sizeof *list);
    *n = 0;
    for (int32_t k = 0; k < all->n; k++) {
        const char *text = all->texts[k], *equals = find_equals(text);
        double value;
        char *name = final_name(text, &value);
        if (!name) {
            size_t size = strlen(text) + sizeof "() - ()";
            char *difference = must_resize(NULL, size, 1);
            snprintf(difference, size, "(%.*s) - (%s)", (int)(equals - text), text, equals + 1);
            list[(*n)++] = (daedal_binding){text, difference};
        }
        free(name);
    }
    return list;
}

void finals_free_definitions(daedal_binding *list, int32_t n)
{
    for (int32_t k = 0; k < n; k++)
        free((char *)(uintptr_t)list[k].expression);
    free(list);
}
