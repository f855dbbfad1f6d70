/* tables/mat_writer.c - see matrix_file.h: writes MAT files; mat_reader.c describes them.
 *
 * Where a matrix is appended, the others of the file are kept as they are; one of the same name is
 * left out. */
#include "tables/matrix_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "output/sink.h"

enum { HEAD_5 = 128, HEAD_4 = 20, MI_INT8 = 1, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9 };
enum { MI_MATRIX = 14, MI_COMPRESSED = 15, MX_DOUBLE = 6 };

/* ---- one matrix ---- */

static void columns_write(sink *s, const table_matrix *m)
{
    for (size_t j = 0; j < m->n_columns; j++)
        for (size_t i = 0; i < m->n_rows; i++)
            sink_f64(s, m->e[i * m->n_columns + j]);
}

static void matrix_4_write(sink *s, const char *name, const table_matrix *m)
{
    size_t length = strlen(name) + 1;
    sink_u32(s, 0); /* little-endian, full, double */
    sink_u32(s, (uint32_t)m->n_rows);
    sink_u32(s, (uint32_t)m->n_columns);
    sink_u32(s, 0); /* real */
    sink_u32(s, (uint32_t)length);
    sink_bytes(s, name, length);
    columns_write(s, m);
}

static size_t padded(size_t n)
{
    return (n + 7) / 8 * 8;
}

static void tag_write(sink *s, uint32_t type, size_t n)
{
    sink_u32(s, type);
    sink_u32(s, (uint32_t)n);
}

static void matrix_5_write(sink *s, const char *name, const table_matrix *m)
{
    static const char zeros[8] = "";
    size_t length = strlen(name), numbers = 8 * m->n_rows * m->n_columns;
    tag_write(s, MI_MATRIX, 16 + 16 + 8 + padded(length) + 8 + numbers);
    tag_write(s, MI_UINT32, 8);
    sink_u32(s, MX_DOUBLE);
    sink_u32(s, 0);
    tag_write(s, MI_INT32, 8);
    sink_u32(s, (uint32_t)m->n_rows);
    sink_u32(s, (uint32_t)m->n_columns);
    tag_write(s, MI_INT8, length);
    sink_bytes(s, name, length);
    sink_bytes(s, zeros, padded(length) - length);
    tag_write(s, MI_DOUBLE, numbers);
    columns_write(s, m);
}

static bool deflated(arena *mem, const sink_buffer *plain, char *packed, size_t *n)
{
    z_stream z = {.next_in = (Bytef *)plain->bytes,
                  .avail_in = (uInt)plain->n,
                  .next_out = (Bytef *)packed,
                  .avail_out = (uInt)*n,
                  .zalloc = matrix_zlib_take,
                  .zfree = matrix_zlib_give,
                  .opaque = mem};
    bool ok = deflateInit(&z, Z_DEFAULT_COMPRESSION) == Z_OK;
    ok = ok && deflate(&z, Z_FINISH) == Z_STREAM_END;
    *n = z.total_out;
    deflateEnd(&z);
    return ok;
}

static bool matrix_7_write(arena *mem, sink *s, const char *name, const table_matrix *m)
{
    sink_buffer plain = {.allocator = mem->allocator};
    sink to = sink_to_buffer(&plain);
    matrix_5_write(&to, name, m);
    size_t n = compressBound((uLong)plain.n);
    char *packed = to.failed ? NULL : arena_take(mem, n, 1);
    bool ok = packed && deflated(mem, &plain, packed, &n);
    sink_buffer_free(&plain);
    if (ok) {
        tag_write(s, MI_COMPRESSED, n);
        sink_bytes(s, packed, n);
    }
    return ok;
}

static void head_5_write(sink *s)
{
    static const char text[] = "MATLAB 5.0 MAT-file, written by daedal";
    sink_text(s, text);
    sink_repeat(s, " ", HEAD_5 - 4 - (int)(sizeof text - 1));
    sink_u16(s, 0x0100);
    sink_text(s, "IM");
}

/* ---- what is kept of an old file ---- */

static uint32_t u32_at(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The bytes of the matrix at p; 0: it is damaged. */
static size_t item_4_size(const char *p, size_t left)
{
    static const unsigned char widths[] = {8, 4, 4, 2, 2, 1};
    if (left < HEAD_4 || u32_at(p) >= 60)
        return 0;
    uint64_t width = widths[u32_at(p) / 10 % 10] * (uint64_t)(1 + u32_at(p + 12));
    uint64_t rows = u32_at(p + 4), columns = u32_at(p + 8), length = u32_at(p + 16);
    bool is_long = length > left || width > 16 || (rows && columns > left / rows);
    uint64_t n = is_long ? UINT64_MAX : HEAD_4 + length + rows * columns * width;
    return n <= left && length > 0 && p[HEAD_4 + length - 1] == '\0' ? (size_t)n : 0;
}

static bool kept_4(const matrix_bytes *old, const char *name, sink *s)
{
    for (size_t at = 0; at < old->n;) {
        const char *p = old->at + at;
        size_t n = item_4_size(p, old->n - at);
        if (n == 0)
            return table_reject(old->why,
                                "%s is not a file of version 4 to which a matrix can be appended",
                                old->shown);
        if (strcmp(p + HEAD_4, name) != 0)
            sink_bytes(s, p, n);
        at += n;
    }
    return true;
}

/* Whether one element of a file of version 6 or 7 is the matrix of this name: it is read as if it
 * were the only one. */
static bool is_matrix_5(const matrix_bytes *old, const char *p, size_t n, const char *name)
{
    table_matrix m;
    table_why unused;
    char *alone = arena_take(old->mem, HEAD_5 + n + 1, 1);
    if (!alone)
        return false;
    memcpy(alone, old->at, HEAD_5);
    memcpy(alone + HEAD_5, p, n);
    matrix_bytes b = {
        .shown = old->shown, .at = alone, .n = HEAD_5 + n, .mem = old->mem, .why = &unused};
    return mat_read(&b, name, &m);
}

static bool kept_5(const matrix_bytes *old, const char *name, sink *s)
{
    bool is_usual = old->n >= HEAD_5 && memcmp(old->at + 126, "IM", 2) == 0;
    for (size_t at = HEAD_5; is_usual && at < old->n;) {
        const char *p = old->at + at;
        size_t left = old->n - at;
        uint64_t n = left < 8 ? UINT64_MAX : 8 + (uint64_t)u32_at(p + 4);
        if (left >= 8 && u32_at(p) != MI_COMPRESSED)
            n = (n + 7) / 8 * 8;
        is_usual = left >= 8 && u32_at(p) >> 16 == 0 && n <= left;
        if (is_usual && !is_matrix_5(old, p, (size_t)n, name))
            sink_bytes(s, p, (size_t)n);
        at += is_usual ? (size_t)n : 0;
    }
    return is_usual || table_reject(old->why,
                                    "%s is not a file of version 6 or 7 to which a matrix can be "
                                    "appended",
                                    old->shown);
}

/* ---- files ---- */

static bool old_load(const matrix_target *to, matrix_bytes *old)
{
    FILE *stream = fopen(to->path, "rb");
    if (!stream)
        return true; /* there is none */
    fclose(stream);
    if (!matrix_bytes_load(to->path, old))
        return false;
    return old->n == 0 || mat_is_known(old) ||
           table_reject(old->why, "%s exists and is not a MAT file: it is not written over",
                        old->shown);
}

static bool contents_write(sink *s, const matrix_target *to, const table_matrix *m,
                           const matrix_bytes *old)
{
    bool keeps = to->is_appended && old->n > 0;
    if (to->version == 4) {
        if (keeps && !kept_4(old, to->name, s))
            return false;
        matrix_4_write(s, to->name, m);
        return true;
    }
    head_5_write(s);
    if (keeps && !kept_5(old, to->name, s))
        return false;
    if (to->version == 7)
        return matrix_7_write(old->mem, s, to->name, m);
    matrix_5_write(s, to->name, m);
    return true;
}

static bool place_write(const matrix_target *to, const sink_buffer *bytes, const char *beside,
                        table_why *why)
{
    FILE *stream = fopen(beside, "wb");
    bool ok = stream && fwrite(bytes->bytes, 1, bytes->n, stream) == bytes->n;
    if (stream && fclose(stream) != 0)
        ok = false;
    if (ok && rename(beside, to->path) == 0)
        return true;
    int reason = errno;
    if (stream)
        remove(beside);
    return table_reject(why, "%s could not be written: %s", to->path, strerror(reason));
}

bool matrix_file_write(arena *mem, const matrix_target *to, const table_matrix *m, table_why *why)
{
    matrix_bytes old = {.shown = to->path, .at = "", .mem = mem, .why = why};
    sink_buffer bytes = {.allocator = mem->allocator};
    sink s = sink_to_buffer(&bytes);
    size_t length = strlen(to->path);
    char *beside = arena_take(mem, length + 8, 1);
    why->text[0] = '\0';
    bool ok = beside && old_load(to, &old) && contents_write(&s, to, m, &old) && !s.failed;
    if (ok) {
        snprintf(beside, length + 8, "%s.part", to->path);
        ok = place_write(to, &bytes, beside, why);
    }
    sink_buffer_free(&bytes);
    return ok;
}
