/* output/utf8.c - see utf8.h. */
#include "output/utf8.h"

#include <string.h>

enum { REPLACEMENT = 0xfffd };

static size_t announced(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

static uint32_t assemble(const char *text, size_t length)
{
    static const unsigned char mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)text[0] & mask[length];
    for (size_t k = 1; k < length; k++)
        code = code << 6 | ((unsigned char)text[k] & 0x3f);
    return code;
}

size_t utf8_length(const char *text, size_t n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = announced((unsigned char)*text);
    if (length == 0 || length > n)
        return 0;
    for (size_t k = 1; k < length; k++)
        if (((unsigned char)text[k] & 0xc0) != 0x80)
            return 0;
    uint32_t code = assemble(text, length);
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    return length;
}

uint32_t utf8_decode(const char *text, size_t n, size_t *length)
{
    size_t valid = utf8_length(text, n);
    *length = valid ? valid : 1;
    return valid ? assemble(text, valid) : REPLACEMENT;
}

size_t utf8_encode(char bytes[4], uint32_t code)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        code = REPLACEMENT;
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t k = n; k-- > 1; code >>= 6)
        bytes[k] = (char)(0x80 | (code & 0x3f));
    bytes[0] = (char)(lead[n] | code);
    return n;
}

size_t utf8_count(const char *text)
{
    size_t count = 0, left = strlen(text), length;
    for (; left; left -= length, text += length, count++)
        utf8_decode(text, left, &length);
    return count;
}
