/* lang/source.h - model texts, positions in them, and messages about them.
 *
 * Responsibility: keep the texts of a compilation, turn positions into file, line and column,
 * collect messages and format them with the source line and a caret.
 * Invariant: a position (source_at) is one number for file and offset together; it is valid as
 * long as the `sources` it came from. Texts carry a NUL behind their last byte, have no byte-order
 * mark, and may contain any other bytes.
 * Depends on: base/. */
#ifndef DAEDAL_LANG_SOURCE_H
#define DAEDAL_LANG_SOURCE_H

#include <stdarg.h>

#include "base/arena.h"
#include "base/status.h"

typedef uint32_t source_at; /* base of a text + offset in it */

#define SOURCE_NOWHERE ((source_at)0)
#define SOURCE_MOST ((size_t)1 << 30) /* bytes of all texts together, at most */

typedef struct source {
    const char *name; /* as in messages: the path that was given */
    const char *text; /* without byte-order mark; length bytes and a NUL */
    uint32_t length;
    source_at base;       /* position of text[0]; text[length] has a position too */
    uint32_t *line_start; /* n_lines offsets; lines end in LF or CR LF, or all in CR */
    uint32_t n_lines;
} source;

typedef enum source_severity { SOURCE_ERROR, SOURCE_WARNING } source_severity;

typedef struct source_message {
    source_at at; /* SOURCE_NOWHERE: the whole text, or none */
    source_severity severity;
    const char *text; /* one or two sentences, no position, no newline */
} source_message;

enum { SOURCE_ERRORS_MAX = 20, SOURCE_WARNINGS_MAX = 20 };

typedef struct sources {
    arena *mem;
    source **source; /* n of them, by ascending base */
    size_t n, capacity;
    source_message message[SOURCE_ERRORS_MAX + SOURCE_WARNINGS_MAX]; /* in order of discovery */
    int32_t n_messages;
    int32_t n_errors, n_warnings; /* found, also those beyond the two limits */
} sources;

void sources_create(sources *s, arena *mem);

/* Take a copy of a text, or of a file.  On failure NULL, with a message: out of memory,
 * too large, not readable.                                                      */
source *sources_add_text(sources *s, const char *name, const char *text, size_t length);
source *sources_add_file(sources *s, const char *path);

/* Line and column count from 1, the column in characters (a tab is one, a UTF-8 sequence
 * is one).                                                                      */
typedef struct source_place {
    const source *source; /* NULL: the position is SOURCE_NOWHERE or unknown */
    uint32_t offset, line, column;
} source_place;

source_place sources_place(const sources *s, source_at at);

/* Add a message.  What is over the limit is counted only.  source_error returns false, so
 * that callers can write `return source_error(...)`.                            */
bool source_error(sources *s, source_at at, const char *format, ...) PRINTF_LIKE(3, 4);
bool source_error_list(sources *s, source_at at, const char *format, va_list args);
/* The same, but not shown again if the text was given before, wherever that was. */
bool source_error_once(sources *s, source_at at, const char *format, ...) PRINTF_LIKE(3, 4);
void source_warning(sources *s, source_at at, const char *format, ...) PRINTF_LIKE(3, 4);

/* sources_rewind removes the messages that were added since the mark, for attempts whose failure
 * is not an error. */
typedef struct source_mark {
    int32_t n_messages, n_errors, n_warnings;
} source_mark;
source_mark sources_mark(const sources *s);
void sources_rewind(sources *s, source_mark to);
/* Give the messages since the mark that lie in a text the place `to`, because the user does not see
 * that text.                                                                     */
void sources_move_messages(sources *s, source_mark since, const source *text, source_at to);

/* `file:line:column: message`, the source line (a window of it around the position if it is
 * long) and a line with a caret, separated by newlines, none at the end.  Like snprintf:
 * returns the full length, writes at most `size` bytes with a NUL.              */
size_t source_format(const sources *s, const source_message *m, char *buffer, size_t size);

/* The bytes of a stretch of one text, `length` of them; NULL if it is not one.  For
 * messages that quote an equation.                                              */
const char *source_stretch(const sources *s, source_at from, source_at to, size_t *length);
#endif
