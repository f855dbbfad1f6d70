/* output/decimal_text.c - see decimal_text.h.
 *
 * The C library prints and reads numbers with the decimal point of the locale.  The point is found
 * by printing 0.5; localeconv is not called, because other threads may change its result.        */
#include "output/decimal_text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every character that is no digit, sign or exponent belongs to the decimal point. */
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

size_t decimal_digits(char text[DECIMAL_TEXT_SIZE], double x, int digits)
{
    if (!isfinite(x))
        return put_not_finite(text, x);
    snprintf(text, DECIMAL_TEXT_SIZE, "%.*g", digits, x);
    return with_point(text);
}

/* Write an integer below 2^53 in plain digits: the most frequent case in a table. */
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

/* ---- the fast method -------------------------------------------------------------------
 *
 * x = m 2^e with a 53-bit integer m.  Its first n digits are x 10^k with k = n - 1 - E, E the
 * decimal exponent, and x 10^k = V / 2^s with V = m 5^k and s = -(e + k).  For 10^-10 <= x < 10^15
 * we have 0 <= k <= 26, so that V is an exact product of two 64-bit numbers, and 0 < s < 64:
 * quotient and remainder give the digits, rounded correctly, and how far they are from x.  Numbers
 * nearer than half a unit of m, 5^k / 2 in the measure of V, are read back as x.  This is about
 * eight times as fast as trying with snprintf and strtod, which are used for all other numbers;
 * the unit test compares both.                                                  */

enum { E_LEAST = -10, E_MOST = 14 };

typedef struct decimal {
    uint64_t digits;
    int n, exponent; /* digits before trimming; decimal exponent of the first */
} decimal;

static const uint64_t power_of_five[] = {
    /* 0 to 26 */
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
};

static const uint64_t power_of_ten[] = {/* 14 to 17 */
                                        100000000000000u, 1000000000000000u, 10000000000000000u,
                                        100000000000000000u};

/* The upper and lower half of the product of two 64-bit numbers. */
static void multiply(uint64_t a, uint64_t b, uint64_t *hi, uint64_t *lo)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32), cross = a0 * b1 + (uint32_t)mid;
    *hi = a1 * b1 + (mid >> 32) + (cross >> 32);
    *lo = cross << 32 | (uint32_t)low;
}

/* The n digits nearest to m 2^e; true if they are read back as the same number. */
static bool round_to_digits(decimal *d, uint64_t m, int e)
{
    uint64_t hi, lo, five = power_of_five[d->n - 1 - d->exponent];
    int s = -(e + d->n - 1 - d->exponent);
    multiply(m, five, &hi, &lo);
    uint64_t rest = lo & (((uint64_t)1 << s) - 1), half = (uint64_t)1 << (s - 1);
    d->digits = hi << (64 - s) | lo >> s;
    bool up = rest > half || (rest == half && (d->digits & 1));
    d->digits += up;
    uint64_t off = up ? 2 * half - rest : rest;
    return 2 * off < five; /* never equal: five is odd */
}

/* The shortest decimal; false where the fast method does not apply. */
static bool find_shortest(decimal *d, double x)
{
    int e;
    double fraction = frexp(x, &e);
    uint64_t m = (uint64_t)ldexp(fraction, 53);
    e -= 53;
    d->exponent = (int)floor(log10(x));
    if (d->exponent < E_LEAST || d->exponent > E_MOST || fraction == 0.5)
        return false; /* a power of two has a nearer neighbour on one side */
    for (d->n = 15; d->n <= 17; d->n++) {
        bool same = round_to_digits(d, m, e);
        if (d->digits < power_of_ten[d->n - 15] || d->digits >= power_of_ten[d->n - 14])
            return false; /* the exponent was misjudged, or rounding carried over */
        if (same)
            return true;
    }
    return false;
}

/* Write as %g would: without exponent from -4 to n - 1, and without trailing zeros. */
static size_t put_decimal(char *text, decimal d)
{
    char digits[20];
    size_t length = 0;
    int n = d.n, point = d.exponent < -4 ? 1 : d.exponent + 1;
    for (int k = n; k-- > 0; d.digits /= 10)
        digits[k] = (char)('0' + d.digits % 10);
    while (n > 1 && n > point && digits[n - 1] == '0')
        n--;
    if (point <= 0) {
        memcpy(text, "0.0000", 6);
        length = (size_t)(2 - point);
    }
    for (int k = 0; k < n; k++) {
        if (k == point && point > 0)
            text[length++] = '.';
        text[length++] = digits[k];
    }
    if (d.exponent < -4)
        length += (size_t)snprintf(text + length, 8, "e-%02d", -d.exponent);
    text[length] = '\0';
    return length;
}

static size_t put_by_trying(char *text, double x)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, DECIMAL_TEXT_SIZE, "%.*g", digits, x);
        if (digits == 17 || strtod(text, NULL) == x)
            break;
    }
    return with_point(text);
}

size_t decimal_shortest(char text[DECIMAL_TEXT_SIZE], double x)
{
    decimal d;
    if (x == 0.0 && !signbit(x)) { /* the most frequent value in tables of large models */
        text[0] = '0';
        text[1] = '\0';
        return 1;
    }
    if (!isfinite(x))
        return put_not_finite(text, x);
    if (fabs(x) < 1e15 && x == floor(x))
        return put_integer(text, x);
    if (!find_shortest(&d, fabs(x)))
        return put_by_trying(text, x);
    text[0] = '-';
    return (size_t)(x < 0.0) + put_decimal(text + (x < 0.0), d);
}

/* ---- reading ---- */

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

/* The length of a decimal number, and the position of its point (its length if it has none). */
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

/* A number of at most 15 digits and a small power of ten, without an exponent: both are doubles, so
 * that one division rounds as strtod does ([Cli90]).  false: it is none of these.        */
static bool parse_short(const char *text, size_t length, double *x)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    enum { DIGITS = 15 };
    uint64_t whole = 0;
    size_t digits = 0, behind = 0;
    bool negative = text[0] == '-', point = false;
    for (size_t i = text[0] == '-' || text[0] == '+'; i < length; i++) {
        if (text[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9' || ++digits > DIGITS)
            return false;
        whole = 10 * whole + (uint64_t)(text[i] - '0');
        behind += point;
    }
    double size = (double)whole / power[behind];
    *x = negative ? -size : size;
    return true;
}

size_t decimal_parse(const char *text, size_t n, double *x)
{
    char copy[512], sample[16];
    size_t point, length = measure(text, n, &point);
    if (length == 0)
        return parse_word(text, n, x);
    if (parse_short(text, length, x))
        return length;
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
