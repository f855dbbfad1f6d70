/* output/json_writer.h - writes JSON directly, without building a tree.
 *
 * Responsibility: commas, indentation, escapes.  Numbers have the fewest digits that identify them;
 * NaN and infinities are written as null, because JSON cannot express them.  Bytes that are not
 * UTF-8 become U+FFFD.  The calls must nest; assertions check it.  Failures of the sink are
 * recorded in the sink.
 *
 *     json_writer w = json_to(&s, JSON_PRETTY);
 *     json_open_object(&w);
 *     json_key(&w, "steps");  json_integer(&w, 12);
 *     json_close(&w);
 * Depends on: output/sink.h.                                                    */
#ifndef DAEDAL_OUTPUT_JSON_WRITER_H
#define DAEDAL_OUTPUT_JSON_WRITER_H

#include "output/sink.h"

enum { JSON_DEPTH_MAX = 32 };

typedef enum json_style {
    JSON_COMPACT, /* one line                                                  */
    JSON_PRETTY,  /* two spaces a level; arrays of numbers stay on one line       */
    JSON_IN_HTML  /* compact, and safe inside <script>: no '<', '>', '&'          */
} json_style;

typedef struct json_writer {
    sink *to;
    json_style style;
    int depth;
    bool after_key;
    bool is_object[JSON_DEPTH_MAX], is_empty[JSON_DEPTH_MAX], is_flat[JSON_DEPTH_MAX];
} json_writer;

json_writer json_to(sink *to, json_style style);

void json_open_object(json_writer *w);
void json_open_array(json_writer *w);
void json_open_flat_array(json_writer *w); /* on one line in every style */
void json_close(json_writer *w); /* closes the innermost; in JSON_PRETTY the last ends the line */

void json_key(json_writer *w, const char *name);
void json_string(json_writer *w, const char *text); /* NULL: null */
void json_number(json_writer *w, double x);
void json_number_digits(json_writer *w, double x, int digits); /* rounded, for plots */
void json_integer(json_writer *w, int64_t k);
void json_boolean(json_writer *w, bool b);
void json_null(json_writer *w);

/* A key with its value. */
void json_string_member(json_writer *w, const char *name, const char *text);
void json_number_member(json_writer *w, const char *name, double x);
void json_integer_member(json_writer *w, const char *name, int64_t k);
#endif
