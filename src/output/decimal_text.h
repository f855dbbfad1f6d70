/* output/decimal_text.h - numbers as text and back, the same in every locale.
 *
 * Depends on: libc.                                                             */
#ifndef DAEDAL_OUTPUT_DECIMAL_TEXT_H
#define DAEDAL_OUTPUT_DECIMAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { DECIMAL_TEXT_SIZE = 40 };

/* The fewest of 15, 16, 17 significant digits that read back as the same number.
 * Integers below 1e15 have no exponent; "NaN", "Infinity", "-Infinity".         */
size_t decimal_shortest(char text[DECIMAL_TEXT_SIZE], double x);

/* %.<digits>g with a point. */
size_t decimal_digits(char text[DECIMAL_TEXT_SIZE], double x, int digits);

/* The number at `text` (at most `n` bytes), its length; 0: none.  Reads what decimal_shortest
 * writes, and nan, inf, infinity in any case with a sign.                       */
size_t decimal_parse(const char *text, size_t n, double *x);
#endif
