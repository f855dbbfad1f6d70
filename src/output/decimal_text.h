/* output/decimal_text.h - numbers as text and back, the same in every locale.
 *
 * Depends on: libc.                                                             */
#ifndef DAEDAL_OUTPUT_DECIMAL_TEXT_H
#define DAEDAL_OUTPUT_DECIMAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { DECIMAL_TEXT_SIZE = 40 };

/* Write the fewest of 15, 16 or 17 significant digits that read back as the same number.
 * Integers below 1e15 have no exponent; others are "NaN", "Infinity", "-Infinity". */
size_t decimal_shortest(char text[DECIMAL_TEXT_SIZE], double x);

/* Write as %.<digits>g does, with a point in every locale. */
size_t decimal_digits(char text[DECIMAL_TEXT_SIZE], double x, int digits);

/* Read the number at `text`, of at most `n` bytes; returns its length, 0 if there is none.  Reads
 * what decimal_shortest writes, and nan, inf, infinity in upper or lower case with a sign. */
size_t decimal_parse(const char *text, size_t n, double *x);
#endif
