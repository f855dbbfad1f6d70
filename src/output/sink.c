/* output/sink.c - see sink.h. */
#include "output/sink.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

void sink_bytes(sink *s, const void *bytes, size_t n)
{
    if (s->failed || n == 0)
        return;
    if (s->write(s->user, bytes, n))
        s->count += n;
    else
        s->failed = true;
}

void sink_text(sink *s, const char *text)
{
    sink_bytes(s, text, strlen(text));
}

void sink_char(sink *s, char c)
{
    sink_bytes(s, &c, 1);
}

void sink_repeat(sink *s, const char *text, int times)
{
    for (int k = 0; k < times; k++)
        sink_text(s, text);
}

void sink_format(sink *s, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sink_text(s, text);
}

static void put_little_endian(sink *s, uint64_t value, size_t n)
{
    unsigned char bytes[8];
    for (size_t k = 0; k < n; k++)
        bytes[k] = (unsigned char)(value >> (8 * k));
    sink_bytes(s, bytes, n);
}

void sink_u16(sink *s, uint32_t value)
{
    put_little_endian(s, value, 2);
}

void sink_u32(sink *s, uint32_t value)
{
    put_little_endian(s, value, 4);
}

void sink_f64(sink *s, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_little_endian(s, bits, 8);
}

daedal_status sink_status(const sink *s, const char *what, daedal_diagnosis *why)
{
    if (!s->failed)
        return DAEDAL_OK;
    return fail(why, DAEDAL_ERR_CALLBACK, "%s could not be written completely", what);
}

/* ---- kinds of sinks ---- */

static bool write_stream(void *user, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, user) == n;
}

sink sink_to_stream(FILE *stream)
{
    return (sink){.write = write_stream, .user = stream};
}

static bool write_nowhere(void *user, const void *bytes, size_t n)
{
    (void)user, (void)bytes, (void)n;
    return true;
}

sink sink_to_nowhere(void)
{
    return (sink){.write = write_nowhere};
}

enum { BUFFER_FIRST = 256 };

static bool grow(sink_buffer *b, size_t wanted)
{
    size_t room = b->capacity ? b->capacity : BUFFER_FIRST;
    while (room < wanted)
        room += room;
    if (room == b->capacity)
        return true;
    const daedal_allocator *a = b->allocator ? b->allocator : &memory_default;
    char *bytes = a->resize(b->bytes, b->capacity, room, a->user);
    if (!bytes)
        return false;
    b->bytes = bytes;
    b->capacity = room;
    return true;
}

static bool write_buffer(void *user, const void *bytes, size_t n)
{
    sink_buffer *b = user;
    if (n > SIZE_MAX / 4 - b->n || !grow(b, b->n + n + 1))
        return false;
    memcpy(b->bytes + b->n, bytes, n);
    b->n += n;
    b->bytes[b->n] = '\0';
    return true;
}

sink sink_to_buffer(sink_buffer *b)
{
    return (sink){.write = write_buffer, .user = b};
}

void sink_buffer_free(sink_buffer *b)
{
    memory_give(b->allocator, b->bytes, b->capacity);
    b->bytes = NULL;
    b->n = b->capacity = 0;
}
