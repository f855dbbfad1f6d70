/* output/utf8.h - the UTF-8 functions that writers need.
 *
 * Depends on: libc.                                                             */
#ifndef DAEDAL_OUTPUT_UTF8_H
#define DAEDAL_OUTPUT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The number of bytes of the character at text, of which n > 0 bytes exist; 0 if it is invalid. */
size_t utf8_length(const char *text, size_t n);
/* Decode that character; an invalid one gives U+FFFD and one byte. */
uint32_t utf8_decode(const char *text, size_t n, size_t *length);
/* Encode a character and return its number of bytes; an invalid code is encoded as U+FFFD. */
size_t utf8_encode(char bytes[4], uint32_t code);
/* The number of characters of a text. */
size_t utf8_count(const char *text);
#endif
