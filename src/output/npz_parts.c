/* output/npz_parts.c - see npz_parts.h. */
#include "output/npz_parts.h"

#include <string.h>

#include "output/utf8.h"

/* ---- .npy ---- */

void npy_put_header(sink *to, const char *type, const char *shape)
{
    enum { PREFIX = 10, UNIT = 64 };
    char dictionary[256];
    int n = snprintf(dictionary, sizeof dictionary,
                     "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    int blanks = UNIT - 1 - (PREFIX + n) % UNIT;
    sink_bytes(to, "\x93NUMPY\x01\x00", 8);
    sink_u16(to, (uint32_t)(n + blanks + 1));
    sink_text(to, dictionary);
    sink_repeat(to, " ", blanks);
    sink_char(to, '\n');
}

void npy_put_vector_header(sink *to, const char *type, size_t n)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%zu,", n);
    npy_put_header(to, type, shape);
}

void npy_put_text(sink *to, const char *text, size_t width)
{
    size_t left = strlen(text), n = 0, length;
    for (; left; left -= length, text += length, n++)
        sink_u32(to, utf8_decode(text, left, &length));
    for (; n < width; n++)
        sink_u32(to, 0);
}

/* ---- .zip ---- */

/* CRC-32 of ISO 3309, reflected polynomial 0xedb88320, four bits at a time. */
bool npz_sum_up(void *user, const void *bytes, size_t n)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                       0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = *(uint32_t *)user;
    const unsigned char *p = bytes;
    for (size_t k = 0; k < n; k++) {
        crc = table[(crc ^ p[k]) & 15] ^ (crc >> 4);
        crc = table[(crc ^ (p[k] >> 4)) & 15] ^ (crc >> 4);
    }
    *(uint32_t *)user = crc;
    return true;
}

/* The part that local and central headers share: "version needed" to the length of the name. */
static void put_common_header(sink *to, const npz_member *m)
{
    enum { VERSION = 20, STORED = 0, NEW_YEAR_1980 = 0x21 };
    sink_u16(to, VERSION);
    sink_u16(to, 0);
    sink_u16(to, STORED);
    sink_u16(to, 0);
    sink_u16(to, NEW_YEAR_1980);
    sink_u32(to, m->crc);
    sink_u32(to, m->size);
    sink_u32(to, m->size);
    sink_u16(to, (uint32_t)strlen(m->name));
    sink_u16(to, 0);
}

void npz_put_local_header(sink *to, const npz_member *m)
{
    sink_bytes(to, "PK\x03\x04", 4);
    put_common_header(to, m);
    sink_text(to, m->name);
}

void npz_put_entry(sink *to, const npz_member *m)
{
    sink_bytes(to, "PK\x01\x02", 4);
    sink_u16(to, 20);
    put_common_header(to, m);
    for (int zeros = 0; zeros < 5; zeros++) /* comment, disk, attributes */
        sink_u16(to, 0);
    sink_u32(to, m->offset);
    sink_text(to, m->name);
}

void npz_put_end(sink *to, size_t n, uint64_t start, uint64_t end)
{
    sink_bytes(to, "PK\x05\x06\0\0\0\0", 8);
    sink_u16(to, (uint32_t)n);
    sink_u16(to, (uint32_t)n);
    sink_u32(to, (uint32_t)(end - start));
    sink_u32(to, (uint32_t)start);
    sink_u16(to, 0);
}
