/* output/sink.h - destinations of output bytes.
 *
 * Responsibility: everything the module writes goes through a sink, a callback that records
 * failures: after the first refused write nothing more is written, and `failed` is set.  Writers
 * therefore check for errors only once, at the end.  There are sinks for memory, for an open
 * stream, and for counting.
 * Depends on: base/.                                                            */
#ifndef DAEDAL_OUTPUT_SINK_H
#define DAEDAL_OUTPUT_SINK_H

#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"

/* Write n bytes; false if they cannot be written. */
typedef bool sink_write_fn(void *user, const void *bytes, size_t n);

typedef struct sink {
    sink_write_fn *write;
    void *user;
    bool failed;    /* some write was refused             */
    uint64_t count; /* bytes written so far               */
} sink;

void sink_bytes(sink *s, const void *bytes, size_t n);
void sink_text(sink *s, const char *text);
void sink_char(sink *s, char c);
void sink_repeat(sink *s, const char *text, int times);
/* Write at most 1 kB.  Do not use %f or %g, whose decimal point depends on the locale; see
 * decimal_text.h.                                                               */
void sink_format(sink *s, const char *format, ...) PRINTF_LIKE(2, 3);
/* Write numbers in little-endian order on every machine. */
void sink_u16(sink *s, uint32_t value);
void sink_u32(sink *s, uint32_t value);
void sink_f64(sink *s, double value);

/* DAEDAL_OK, or DAEDAL_ERR_CALLBACK with "<what> could not be written". */
daedal_status sink_status(const sink *s, const char *what, daedal_diagnosis *why);

/* A sink to a stream that the caller opened; after a failure errno holds the reason. */
sink sink_to_stream(FILE *stream);

/* A sink that only counts. */
sink sink_to_nowhere(void);

/* Bytes in memory, always followed by a NUL.  Initialise with zeros and the allocator. */
typedef struct sink_buffer {
    const daedal_allocator *allocator;
    char *bytes; /* NULL while empty */
    size_t n, capacity;
} sink_buffer;

sink sink_to_buffer(sink_buffer *b);
void sink_buffer_free(sink_buffer *b);
#endif
