/* cli/messages.c - see messages.h. */
#include "messages.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char last[1024];

int print_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(last, sizeof last, format, args);
    va_end(args);
    fflush(stdout);
    fprintf(stderr, "daedal: %s\n", last);
    return CLI_USAGE;
}

const char *last_error(void)
{
    return last;
}

void print_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("warning: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

int print_diagnosis(const daedal_diagnosis *why)
{
    print_error("%s", why->message);
    if (why->hint[0])
        fprintf(stderr, "  hint: %s\n", why->hint);
    return CLI_USAGE;
}

int exit_status(daedal_status status)
{
    switch (status) {
    case DAEDAL_ERR_ARGUMENT:
        return CLI_USAGE;
    case DAEDAL_ERR_MODEL:
        return CLI_TEXT;
    case DAEDAL_ERR_STRUCTURE:
        return CLI_SINGULAR;
    case DAEDAL_ERR_START:
    case DAEDAL_ERR_INCONSISTENT:
        return CLI_NO_START;
    default:
        return status < 0 ? CLI_FAILED : CLI_SOLVED;
    }
}

void status_word(daedal_status status, char *word, size_t size)
{
    const char *name = daedal_status_name(status);
    const char *prefixes[] = {"DAEDAL_ERR_", "DAEDAL_"};
    for (size_t k = 0; k < 2; k++)
        if (strncmp(name, prefixes[k], strlen(prefixes[k])) == 0) {
            name += strlen(prefixes[k]);
            break;
        }
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++)
        word[i] = (char)tolower((unsigned char)name[i]);
    word[i] = '\0';
}

void *must_resize(void *p, size_t count, size_t size)
{
    void *q = count <= SIZE_MAX / size ? realloc(p, count ? count * size : 1) : NULL;
    if (!q) {
        print_error("out of memory");
        exit(CLI_FAILED);
    }
    return q;
}

char *must_copy(const char *text, size_t n)
{
    char *copy = must_resize(NULL, n + 1, 1);
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}
