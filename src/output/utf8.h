/* output/utf8.h - the little of UTF-8 that writers need.
 *
 * Depends on: libc.                                                             */
#ifndef DAEDAL_OUTPUT_UTF8_H
#define DAEDAL_OUTPUT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at text (n > 0 of them are there); 0: not valid UTF-8. */
size_t utf8_length(const char *text, size_t n);
/* That character; U+FFFD and one byte where it is not valid. */
uint32_t utf8_decode(const char *text, size_t n, size_t *length);
/* The other way; returns how many bytes, U+FFFD for what is no character. */
size_t utf8_encode(char bytes[4], uint32_t code);
/* Characters of a text. */
size_t utf8_count(const char *text);
#endif
