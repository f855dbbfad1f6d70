/* output/number_text.c - see number_text.h.
 *
 * The C library prints and reads with the decimal point of the locale.  Which one that is, is
 * seen in what it prints for 0.5: no call of localeconv, whose result other threads may change.  */
#include "output/number_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whatever stands among digits, signs and the exponent is the point. */
static size_t with_point(char *text)
{
    size_t n = 0;
    for (const char *p = text; *p;) {
        if (isdigit((unsigned char)*p) || strchr("+-e", *p)) {
            text[n++] = *p++;
            continue;
        }
        text[n++] = '.';
        while (*p && !isdigit((unsigned char)*p))
            p++;
    }
    text[n] = '\0';
    return n;
}

static size_t put(char *text, const char *what)
{
    size_t n = strlen(what);
    memcpy(text, what, n + 1);
    return n;
}

static size_t put_not_finite(char *text, double x)
{
    if (isnan(x))
        return put(text, "NaN");
    return put(text, x > 0 ? "Infinity" : "-Infinity");
}

size_t number_digits(char text[NUMBER_TEXT_SIZE], double x, int digits)
{
    if (!isfinite(x))
        return put_not_finite(text, x);
    snprintf(text, NUMBER_TEXT_SIZE, "%.*g", digits, x);
    return with_point(text);
}

/* An integer below 2^53 in plain digits: the commonest number in a table, and the cheapest. */
static size_t put_integer(char *text, double x)
{
    char reversed[20];
    size_t n = 0, length = 0;
    unsigned long long k = (unsigned long long)fabs(x);
    do {
        reversed[n++] = (char)('0' + k % 10);
        k /= 10;
    } while (k);
    if (signbit(x))
        text[length++] = '-';
    while (n)
        text[length++] = reversed[--n];
    text[length] = '\0';
    return length;
}

size_t number_shortest(char text[NUMBER_TEXT_SIZE], double x)
{
    if (!isfinite(x))
        return put_not_finite(text, x);
    if (fabs(x) < 1e15 && x == floor(x))
        return put_integer(text, x);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT_SIZE, "%.*g", digits, x);
        if (digits == 17 || strtod(text, NULL) == x)
            break;
    }
    return with_point(text);
}

/* ---- reading ---------------------------------------------------------------- */

static bool is_word(const char *text, size_t n, const char *word)
{
    size_t length = strlen(word);
    if (n < length)
        return false;
    for (size_t k = 0; k < length; k++)
        if (tolower((unsigned char)text[k]) != word[k])
            return false;
    return true;
}

static size_t parse_word(const char *text, size_t n, double *x)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"infinity", INFINITY}, {"inf", INFINITY}, {"nan", NAN}};
    size_t sign = n > 0 && (*text == '-' || *text == '+');
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is_word(text + sign, n - sign, words[k].word)) {
            *x = *text == '-' ? -words[k].value : words[k].value;
            return sign + strlen(words[k].word);
        }
    return 0;
}

static size_t count_digits(const char *text, size_t n)
{
    size_t k = 0;
    while (k < n && isdigit((unsigned char)text[k]))
        k++;
    return k;
}

/* The extent of a decimal number, and where its point is (or its length). */
static size_t measure(const char *text, size_t n, size_t *point)
{
    size_t k = n > 0 && (*text == '-' || *text == '+');
    size_t whole = count_digits(text + k, n - k), broken = 0;
    k += whole;
    *point = k;
    if (k < n && text[k] == '.') {
        broken = count_digits(text + k + 1, n - k - 1);
        k += 1 + broken;
    }
    if (whole + broken == 0)
        return 0;
    if (k < n && (text[k] == 'e' || text[k] == 'E')) {
        size_t sign = k + 1 < n && (text[k + 1] == '-' || text[k + 1] == '+');
        size_t exponent = count_digits(text + k + 1 + sign, n - k - 1 - sign);
        if (exponent)
            k += 1 + sign + exponent;
    }
    return k;
}

size_t number_parse(const char *text, size_t n, double *x)
{
    char copy[512], sample[16];
    size_t point, length = measure(text, n, &point);
    if (length == 0)
        return parse_word(text, n, x);
    if (length > sizeof copy - sizeof sample)
        return 0;
    snprintf(sample, sizeof sample, "%.1f", 0.5); /* 0, the point, 5 */
    size_t width = strlen(sample) - 2;
    memcpy(copy, text, point);
    if (point < length && text[point] == '.') {
        memcpy(copy + point, sample + 1, width);
        memcpy(copy + point + width, text + point + 1, length - point - 1);
        copy[length + width - 1] = '\0';
    } else {
        memcpy(copy + point, text + point, length - point);
        copy[length] = '\0';
    }
    *x = strtod(copy, NULL);
    return length;
}
