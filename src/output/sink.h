/* output/sink.h - where bytes go.
 *
 * Responsibility: everything the module writes goes through a sink, a callback with a memory of
 * failure: after the first refused write nothing more is tried, and `failed` says so.  Writers
 * therefore write straight on and look once, at the end.  Sinks for memory, for an open stream, and
 * for counting are here. Depends on: base/. */
#ifndef DAEDAL_OUTPUT_SINK_H
#define DAEDAL_OUTPUT_SINK_H

#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"

/* Take n bytes; false: they cannot be taken. */
typedef bool sink_write_fn(void *user, const void *bytes, size_t n);

typedef struct sink {
    sink_write_fn *write;
    void *user;
    bool failed;    /* some write was refused             */
    uint64_t count; /* bytes taken so far                 */
} sink;

void sink_bytes(sink *s, const void *bytes, size_t n);
void sink_text(sink *s, const char *text);
void sink_char(sink *s, char c);
void sink_repeat(sink *s, const char *text, int times);
/* At most 1 kB; the decimal point follows the locale: no %f, %g here, see decimal_text.h. */
void sink_format(sink *s, const char *format, ...) PRINTF_LIKE(2, 3);
/* Little-endian, whatever the machine. */
void sink_u16(sink *s, uint32_t value);
void sink_u32(sink *s, uint32_t value);
void sink_f64(sink *s, double value);

/* DAEDAL_OK, or DAEDAL_ERR_CALLBACK with "<what> could not be written". */
daedal_status sink_status(const sink *s, const char *what, daedal_diagnosis *why);

/* A stream that the caller opened; errno tells why after a failure. */
sink sink_to_stream(FILE *stream);

/* Counts, keeps nothing. */
sink sink_to_nowhere(void);

/* Bytes in memory, always with a NUL behind them.  Zero-initialise but for the allocator. */
typedef struct sink_buffer {
    const daedal_allocator *allocator;
    char *bytes; /* NULL while empty */
    size_t n, capacity;
} sink_buffer;

sink sink_to_buffer(sink_buffer *b);
void sink_buffer_free(sink_buffer *b);
#endif
