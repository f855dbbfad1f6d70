/* symbolic/context.c - see context.h: messages, names, memory, limits. */
#include "symbolic/context.h"

#include <stdio.h>
#include <string.h>

value context_error(context *in, source_at at, const char *format, ...)
{
    if (!in->is_numeric) {
        va_list args;
        va_start(args, format);
        source_error_list(&in->c->sources, at, format, args);
        va_end(args);
    }
    return bad_value;
}

bool context_work(context *in, size_t n)
{
    effort *w = &in->work;
    if (w->is_over || in->c->sources.n_errors >= SOURCE_ERRORS_MAX)
        return false;
    w->is_over = n > w->left;
    w->left -= w->is_over ? 0 : n;
    if (w->is_over && !w->in_simulation)
        source_error(&in->c->sources, w->at,
                     "the model is too large: its loops, arrays and calls take more than %zu "
                     "evaluations to work out",
                     w->limit);
    return !w->is_over;
}

const char *context_name(const context *in, int32_t id)
{
    return id == INTERN_NONE ? "?" : intern_text(in->names, id);
}

int32_t context_intern(context *in, const char *text)
{
    return intern_add(in->names, text, strlen(text));
}

char *context_text(context *in, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *text = n < 0 ? NULL : arena_take(in->mem, (size_t)n + 1, 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

void *context_push(context *in, void *array, size_t n, size_t *capacity, size_t size)
{
    return arena_grow(&in->c->mem, array, capacity, n + 1, size);
}

void context_give_up(context *in, source_at at, const char *why)
{
    in->obstacle = (obstacle){.is_met = true, .why = why, .at = at};
}

int64_t context_object_add(context *in, int kind, void *data)
{
    context_object *list =
        context_push(in, in->object, in->n_objects, &in->object_capacity, sizeof *list);
    if (!list)
        return 0;
    in->object = list;
    list[in->n_objects++] = (context_object){.kind = kind, .data = data};
    return (int64_t)in->n_objects;
}
