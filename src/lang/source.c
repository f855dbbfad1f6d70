/* lang/source.c - see source.h. */
#include "lang/source.h"

#include <stdio.h>
#include <string.h>

void sources_create(sources *s, arena *mem)
{
    *s = (sources){.mem = mem};
}

/* ---- texts ---- */

static bool find_lines(source *f, arena *mem)
{
    const char *stop = f->text + f->length;
    int mark = memchr(f->text, '\n', f->length) ? '\n' : '\r';
    uint32_t n = 1;
    for (const char *p = f->text; (p = memchr(p, mark, (size_t)(stop - p))); p++)
        n++;
    f->line_start = arena_take(mem, n, sizeof *f->line_start);
    if (!f->line_start)
        return false;
    f->n_lines = 1; /* the first begins at 0 */
    for (const char *p = f->text; (p = memchr(p, mark, (size_t)(stop - p))); p++)
        f->line_start[f->n_lines++] = (uint32_t)(p + 1 - f->text);
    return true;
}

static source_at next_base(const sources *s)
{
    if (s->n == 0)
        return SOURCE_NOWHERE + 1;
    const source *last = s->source[s->n - 1];
    return last->base + last->length + 1;
}

static source *no_memory(sources *s)
{
    source_error(s, SOURCE_NOWHERE, "out of memory while reading the model");
    return NULL;
}

/* Register a text that lies in the arena already, with a NUL behind it. */
static source *adopt(sources *s, const char *name, const char *text, size_t length)
{
    source **list = arena_grow(s->mem, s->source, &s->capacity, s->n + 1, sizeof *list);
    s->source = list ? list : s->source;
    source *f = arena_take(s->mem, 1, sizeof *f);
    char *own_name = arena_text(s->mem, name, strlen(name));
    if (!list || !f || !own_name)
        return no_memory(s);
    bool marked = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    *f = (source){.name = own_name,
                  .text = text + (marked ? 3 : 0),
                  .length = (uint32_t)(length - (marked ? 3 : 0)),
                  .base = next_base(s)};
    if (!find_lines(f, s->mem))
        return no_memory(s);
    s->source[s->n++] = f;
    return f;
}

static bool too_large(sources *s, const char *name, size_t length)
{
    if (length < SOURCE_MOST - next_base(s))
        return false;
    source_error(s, SOURCE_NOWHERE, "%s: the text is larger than %zu bytes", name, SOURCE_MOST);
    return true;
}

source *sources_add_text(sources *s, const char *name, const char *text, size_t length)
{
    if (too_large(s, name, length))
        return NULL;
    char *copy = arena_text(s->mem, text, length);
    return copy ? adopt(s, name, copy, length) : no_memory(s);
}

/* The number of bytes in a file, 0 if it is not known. */
static size_t size_hint(FILE *stream)
{
    long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : 0;
    rewind(stream);
    return size > 0 && (size_t)size < SOURCE_MOST ? (size_t)size : 0;
}

/* The rest of a stream; *length bytes and a NUL, or NULL with a message. */
static char *read_all(sources *s, FILE *stream, const char *path, size_t *length)
{
    const size_t piece = (size_t)1 << 14;
    char *text = NULL;
    size_t capacity = 0, n = 0, got = 0, wanted = size_hint(stream) + piece;
    do {
        text = arena_grow(s->mem, text, &capacity, wanted, 1);
        if (!text) {
            no_memory(s);
            return NULL;
        }
        got = fread(text + n, 1, capacity - n - 1, stream);
        n += got;
        wanted = n + piece;
        if (too_large(s, path, n))
            return NULL;
    } while (got > 0);
    text[n] = '\0';
    *length = n;
    return text;
}

source *sources_add_file(sources *s, const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        source_error(s, SOURCE_NOWHERE, "%s: the file cannot be opened", path);
        return NULL;
    }
    size_t length = 0;
    char *text = read_all(s, stream, path, &length);
    bool bad = ferror(stream) != 0;
    fclose(stream);
    if (!text)
        return NULL;
    if (bad) {
        source_error(s, SOURCE_NOWHERE, "%s: the file cannot be read", path);
        return NULL;
    }
    return adopt(s, path, text, length);
}

/* ---- positions ---- */

static const source *source_of(const sources *s, source_at at)
{
    for (size_t i = s->n; i-- > 0;)
        if (s->source[i]->base <= at)
            return at - s->source[i]->base <= s->source[i]->length ? s->source[i] : NULL;
    return NULL;
}

/* Index of the line that holds the offset. */
static uint32_t line_of(const source *f, uint32_t offset)
{
    uint32_t low = 0, high = f->n_lines;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (f->line_start[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether a character begins here. Continuation bytes of UTF-8 belong to the one before. */
static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

source_place sources_place(const sources *s, source_at at)
{
    const source *f = source_of(s, at);
    if (!f)
        return (source_place){0};
    source_place place = {.source = f, .offset = at - f->base, .column = 1};
    place.line = line_of(f, place.offset);
    for (uint32_t i = f->line_start[place.line] + 1; i <= place.offset; i++)
        place.column += begins_character(f->text[i]);
    place.line++;
    return place;
}

const char *source_stretch(const sources *s, source_at from, source_at to, size_t *length)
{
    const source *f = source_of(s, from);
    if (!f || to < from || to - f->base > f->length)
        return NULL;
    *length = to - from;
    return f->text + (from - f->base);
}

/* ---- messages ---- */

static const char *message_text(sources *s, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : arena_take(s->mem, (size_t)length + 1, 1);
    if (!text)
        return strchr(format, '%') ? "out of memory" : format;
    vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

/* A message that was given already, of the same place in the same words, is not repeated. */
static void add_message(sources *s, source_message m)
{
    for (int32_t i = 0; i < s->n_messages; i++)
        if (s->message[i].at == m.at && m.at != SOURCE_NOWHERE &&
            strcmp(s->message[i].text, m.text) == 0)
            return;
    s->message[s->n_messages++] = m;
}

bool source_error_list(sources *s, source_at at, const char *format, va_list args)
{
    if (s->n_errors++ < SOURCE_ERRORS_MAX)
        add_message(s, (source_message){at, SOURCE_ERROR, message_text(s, format, args)});
    return false;
}

bool source_error(sources *s, source_at at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    source_error_list(s, at, format, args);
    va_end(args);
    return false;
}

static bool is_told(const sources *s, const char *text)
{
    for (int32_t i = 0; i < s->n_messages; i++)
        if (strcmp(s->message[i].text, text) == 0)
            return true;
    return false;
}

bool source_error_once(sources *s, source_at at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = message_text(s, format, args);
    va_end(args);
    if (s->n_errors++ < SOURCE_ERRORS_MAX && !is_told(s, text))
        add_message(s, (source_message){at, SOURCE_ERROR, text});
    return false;
}

void source_warning(sources *s, source_at at, const char *format, ...)
{
    if (s->n_warnings++ >= SOURCE_WARNINGS_MAX)
        return;
    va_list args;
    va_start(args, format);
    add_message(s, (source_message){at, SOURCE_WARNING, message_text(s, format, args)});
    va_end(args);
}

source_mark sources_mark(const sources *s)
{
    return (source_mark){s->n_messages, s->n_errors, s->n_warnings};
}

void sources_rewind(sources *s, source_mark to)
{
    s->n_messages = to.n_messages;
    s->n_errors = to.n_errors;
    s->n_warnings = to.n_warnings;
}

void sources_move_messages(sources *s, source_mark since, const source *text, source_at to)
{
    for (int32_t i = since.n_messages; i < s->n_messages; i++)
        if (sources_place(s, s->message[i].at).source == text)
            s->message[i].at = to;
}

/* ---- messages as text ---- */

/* Writes like snprintf: counts everything, stores what fits. */
typedef struct writer {
    char *buffer;
    size_t size, n;
} writer;

static void put(writer *w, char c)
{
    if (w->n + 1 < w->size)
        w->buffer[w->n] = c;
    w->n++;
}

static void put_text(writer *w, const char *text)
{
    while (*text)
        put(w, *text++);
}

static void put_number(writer *w, uint32_t number)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%u", (unsigned)number);
    put_text(w, digits);
}

/* Bytes of the UTF-8 sequence at p, or 0 if there is no valid one before `end`. */
static int sequence_length(const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;
    int n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : 0;
    if (c >= 0xF0 && c < 0xF5)
        n = 4;
    for (int i = 1; i < n; i++)
        if (p + i >= end || begins_character(p[i]))
            return 0;
    return n;
}

/* One character as it may be shown on a terminal; returns where the next begins. */
static const char *put_shown(writer *w, const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;
    int n = sequence_length(p, end);
    bool control = (c < 0x20 && c != '\t') || c == 0x7F || (c == 0xC2 && (p[1] & 0x60) == 0);
    if (n > 0 && !control) {
        for (int i = 0; i < n; i++)
            put(w, p[i]);
        return p + n;
    }
    put(w, '?');
    do
        p++;
    while (p < end && !begins_character(*p));
    return p;
}

/* The part of a long line that is shown: characters before the caret and in all. */
enum { SHOWN_WHOLE = 100, SHOWN_BEFORE = 50, SHOWN_BEHIND = 45 };

static const char *back(const char *p, const char *start, int count)
{
    while (p > start && count > 0)
        count -= begins_character(*--p);
    return p;
}

static const char *forth(const char *p, const char *end, int count)
{
    for (; p < end; p++)
        if (begins_character(*p) && count-- == 0)
            break;
    return p;
}

static void put_caret_line(writer *w, const char *from, const char *caret, bool cut)
{
    put_text(w, cut ? "\n     " : "\n  ");
    for (const char *p = from; p < caret; p++)
        if (begins_character(*p))
            put(w, *p == '\t' ? '\t' : ' ');
    put(w, '^');
}

static void put_line(writer *w, const source_place *at)
{
    const source *f = at->source;
    const char *start = f->text + f->line_start[at->line - 1], *end = start;
    const char *stop = f->text + f->length, *caret = f->text + at->offset;
    while (end < stop && *end != '\n' && *end != '\r')
        end++;
    const char *from = start, *to = end;
    if (forth(start, end, SHOWN_WHOLE) < end) {
        from = back(caret < end ? caret : end, start, SHOWN_BEFORE);
        to = forth(from, end, SHOWN_BEFORE + SHOWN_BEHIND);
    }
    put_text(w, from > start ? "\n  ..." : "\n  ");
    for (const char *p = from; p < to;)
        p = put_shown(w, p, to);
    put_text(w, to < end ? "..." : "");
    put_caret_line(w, from, caret, from > start);
}

size_t source_format(const sources *s, const source_message *m, char *buffer, size_t size)
{
    writer w = {buffer, size, 0};
    source_place at = sources_place(s, m->at);
    if (at.source) {
        put_text(&w, at.source->name);
        put(&w, ':');
        put_number(&w, at.line);
        put(&w, ':');
        put_number(&w, at.column);
        put_text(&w, ": ");
    }
    if (m->severity == SOURCE_WARNING)
        put_text(&w, "warning: ");
    const char *stop = m->text + strlen(m->text);
    for (const char *p = m->text; p < stop;)
        p = put_shown(&w, p, stop);
    if (at.source && at.source->length > 0)
        put_line(&w, &at);
    if (size > 0)
        buffer[w.n < size ? w.n : size - 1] = '\0';
    return w.n;
}
