/* output/npz.c - arrays for numpy.load, see formats.h.
 *
 * A .npz file is a ZIP archive (PKWARE APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.16) of .npy files
 * (numpy/lib/format.py: magic, version 1.0, a Python dictionary padded with blanks so that the data
 * begin at a multiple of 64).  Members are stored without compression.  A member's checksum and
 * size precede its bytes, and a sink cannot go back.  Each member is therefore produced twice, the
 * first time into a sink that only computes these two.                          */
#include <string.h>

#include "output/formats.h"
#include "output/utf8.h"

typedef struct npz_member {
    const char *name;
    void (*produce)(sink *to, const trajectory *tr);
    uint32_t crc, size, offset;
} npz_member;

/* ---- .npy ---- */

static void put_npy_header(sink *to, const char *type, const char *shape)
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

static void put_vector_header(sink *to, const char *type, size_t n)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%zu,", n);
    put_npy_header(to, type, shape);
}

static void produce_t(sink *to, const trajectory *tr)
{
    put_vector_header(to, "<f8", tr->n_rows);
    for (size_t i = 0; i < tr->n_rows; i++)
        sink_f64(to, trajectory_time(tr, i));
}

static void produce_y(sink *to, const trajectory *tr)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%zu, %zu", tr->n_rows, tr->n_columns);
    put_npy_header(to, "<f8", shape);
    for (size_t i = 0; i < tr->n_rows && !to->failed; i++)
        for (size_t j = 0; j < tr->n_columns; j++)
            sink_f64(to, trajectory_value(tr, i, j));
}

/* Texts of equal width, in UTF-32, padded with zeros. */
static void put_text(sink *to, const char *text, size_t width)
{
    size_t left = strlen(text), n = 0, length;
    for (; left; left -= length, text += length, n++)
        sink_u32(to, utf8_decode(text, left, &length));
    for (; n < width; n++)
        sink_u32(to, 0);
}

static const char *name_of(const column *c)
{
    return c->name;
}

static const char *unit_of(const column *c)
{
    return c->unit;
}

static void produce_texts(sink *to, const trajectory *tr, const char *(*text_of)(const column *))
{
    size_t width = 1;
    char type[32];
    for (size_t j = 0; j < tr->n_columns; j++) {
        size_t n = utf8_count(text_of(&tr->columns[j]));
        width = n > width ? n : width;
    }
    snprintf(type, sizeof type, "<U%zu", width);
    put_vector_header(to, type, tr->n_columns);
    for (size_t j = 0; j < tr->n_columns && !to->failed; j++)
        put_text(to, text_of(&tr->columns[j]), width);
}

static void produce_names(sink *to, const trajectory *tr)
{
    produce_texts(to, tr, name_of);
}

static void produce_units(sink *to, const trajectory *tr)
{
    produce_texts(to, tr, unit_of);
}

static void produce_kinds(sink *to, const trajectory *tr)
{
    put_vector_header(to, "|u1", tr->n_columns);
    for (size_t j = 0; j < tr->n_columns; j++)
        sink_char(to, (char)tr->columns[j].kind);
}

/* ---- .zip ---- */

/* CRC-32 of ISO 3309, reflected polynomial 0xedb88320, four bits at a time. */
static bool sum_up(void *user, const void *bytes, size_t n)
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
    sink_u16(to, 0); /* no time stamp, so that the same run gives the same file */
    sink_u16(to, NEW_YEAR_1980);
    sink_u32(to, m->crc);
    sink_u32(to, m->size);
    sink_u32(to, m->size);
    sink_u16(to, (uint32_t)strlen(m->name));
    sink_u16(to, 0);
}

static daedal_status put_member(sink *to, npz_member *m, uint64_t origin, const trajectory *tr,
                                daedal_diagnosis *why)
{
    uint32_t crc = UINT32_MAX;
    sink dry = {.write = sum_up, .user = &crc};
    m->produce(&dry, tr);
    uint64_t offset = to->count - origin;
    if (dry.count >= UINT32_MAX - 1024 || offset + dry.count >= UINT32_MAX - 1024)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the result exceeds 4 GiB, the limit of .npz files; use .mat or .csv");
    m->crc = ~crc;
    m->size = (uint32_t)dry.count;
    m->offset = (uint32_t)offset;
    sink_bytes(to, "PK\x03\x04", 4);
    put_common_header(to, m);
    sink_text(to, m->name);
    m->produce(to, tr);
    return DAEDAL_OK;
}

static void put_directory(sink *to, const npz_member *members, size_t n, uint64_t origin)
{
    uint32_t start = (uint32_t)(to->count - origin);
    for (size_t k = 0; k < n; k++) {
        sink_bytes(to, "PK\x01\x02", 4);
        sink_u16(to, 20);
        put_common_header(to, &members[k]);
        for (int zeros = 0; zeros < 5; zeros++) /* comment, disk, attributes */
            sink_u16(to, 0);
        sink_u32(to, members[k].offset);
        sink_text(to, members[k].name);
    }
    uint32_t end = (uint32_t)(to->count - origin);
    sink_bytes(to, "PK\x05\x06\0\0\0\0", 8);
    sink_u16(to, (uint32_t)n);
    sink_u16(to, (uint32_t)n);
    sink_u32(to, end - start);
    sink_u32(to, start);
    sink_u16(to, 0);
}

daedal_status npz_write(sink *to, const trajectory *tr, daedal_diagnosis *why)
{
    npz_member members[] = {{.name = "t.npy", .produce = produce_t},
                            {.name = "y.npy", .produce = produce_y},
                            {.name = "names.npy", .produce = produce_names},
                            {.name = "units.npy", .produce = produce_units},
                            {.name = "kinds.npy", .produce = produce_kinds}};
    const size_t n = sizeof members / sizeof *members;
    const uint64_t origin = to->count;
    for (size_t k = 0; k < n; k++)
        TRY(put_member(to, &members[k], origin, tr, why));
    put_directory(to, members, n, origin);
    return sink_status(to, "the NPZ archive", why);
}
