/* tables/mat_reader.c - see matrix_file.h: MAT files of the versions 4, 6 and 7.
 *
 * A file of version 4 is a list of matrices with a head of five numbers each. Versions 6 and 7 have
 * a head of 128 bytes and a list of elements, each a type, a number of bytes and these bytes; a
 * matrix is an element that contains others, and in version 7 it is compressed by zlib. Version 7.3
 * is HDF5, which is refused. Numbers are read in the byte order of the file. */
#include "tables/matrix_file.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { HEAD_5 = 128, HEAD_4 = 20, NESTING_MOST = 8 };

/* Types of elements. */
enum {
    MI_INT8 = 1,
    MI_UINT8,
    MI_INT16,
    MI_UINT16,
    MI_INT32,
    MI_UINT32,
    MI_SINGLE,
    MI_DOUBLE = 9,
    MI_INT64 = 12,
    MI_UINT64,
    MI_MATRIX,
    MI_COMPRESSED
};

/* Classes of arrays. */
enum { MX_STRUCT = 2, MX_CHAR = 4, MX_DOUBLE = 6, MX_LAST_NUMBER = 15, MX_COMPLEX = 0x0800 };

typedef struct stretch {
    const char *at;
    size_t n;
} stretch;

typedef struct mat_file {
    const matrix_bytes *b;
    bool is_big_endian;
    bool is_found;
} mat_file;

static bool damaged(const mat_file *f, const char *at, const char *what)
{
    bool is_inside = at >= f->b->at && at <= f->b->at + f->b->n;
    if (!is_inside)
        return table_reject(f->b->why, "%s is damaged in a compressed part: %s", f->b->shown, what);
    return table_reject(f->b->why, "%s is damaged at byte %zu: %s", f->b->shown,
                        (size_t)(at - f->b->at), what);
}

/* ---- numbers ---- */

static uint64_t bits_at(const char *p, size_t width, bool is_big_endian)
{
    uint64_t value = 0;
    for (size_t k = 0; k < width; k++)
        value = value << 8 | (unsigned char)p[is_big_endian ? k : width - 1 - k];
    return value;
}

static size_t width_of(uint64_t type)
{
    static const unsigned char width[] = {
        [MI_INT8] = 1,   [MI_UINT8] = 1,  [MI_INT16] = 2,  [MI_UINT16] = 2, [MI_INT32] = 4,
        [MI_UINT32] = 4, [MI_SINGLE] = 4, [MI_DOUBLE] = 8, [MI_INT64] = 8,  [MI_UINT64] = 8};
    return type < sizeof width ? width[type] : 0;
}

static double real_at(const char *p, uint64_t type, bool is_big_endian)
{
    uint64_t bits = bits_at(p, width_of(type), is_big_endian);
    uint32_t half = (uint32_t)bits;
    float single;
    double real;
    switch (type) {
    case MI_INT8:
        return (int8_t)bits;
    case MI_INT16:
        return (int16_t)bits;
    case MI_INT32:
        return (int32_t)bits;
    case MI_INT64:
        return (double)(int64_t)bits;
    case MI_SINGLE:
        memcpy(&single, &half, sizeof single);
        return (double)single;
    case MI_DOUBLE:
        memcpy(&real, &bits, sizeof real);
        return real;
    default:
        return (double)bits;
    }
}

/* Columns of numbers of one type into rows. */
static bool numbers_copy(const mat_file *f, stretch from, uint64_t type, table_matrix *m)
{
    size_t width = width_of(type);
    if (width == 0)
        return damaged(f, from.at, "unknown type of numbers");
    if (!matrix_fits(f->b, m->n_rows, m->n_columns, from.n / width))
        return false;
    m->e = arena_take(f->b->mem, m->n_rows * m->n_columns + 1, sizeof *m->e);
    for (size_t j = 0; m->e && j < m->n_columns; j++)
        for (size_t i = 0; i < m->n_rows; i++)
            m->e[i * m->n_columns + j] =
                real_at(from.at + (i + j * m->n_rows) * width, type, f->is_big_endian);
    return m->e != NULL;
}

/* ---- version 4 ---- */

typedef struct head_4 {
    uint64_t type, rows, columns, imaginary, name_length;
} head_4;

static head_4 head_at(const char *p, bool is_big_endian)
{
    return (head_4){.type = bits_at(p, 4, is_big_endian),
                    .rows = bits_at(p + 4, 4, is_big_endian),
                    .columns = bits_at(p + 8, 4, is_big_endian),
                    .imaginary = bits_at(p + 12, 4, is_big_endian),
                    .name_length = bits_at(p + 16, 4, is_big_endian)};
}

/* The type is MOPT in decimal: M byte order, O zero, P kind of numbers, T kind of matrix. */
static bool is_head(const head_4 *h, bool is_big_endian)
{
    return h->type / 1000 == (is_big_endian ? 1 : 0) && h->type / 100 % 10 == 0 &&
           h->type / 10 % 10 <= 5 && h->type % 10 <= 2 && h->imaginary <= 1 && h->name_length >= 1;
}

static bool is_version_4(const matrix_bytes *b, bool *is_big_endian)
{
    for (int big = 0; b->n >= HEAD_4 && big < 2; big++) {
        head_4 h = head_at(b->at, big);
        *is_big_endian = big;
        if (is_head(&h, big) && h.name_length < 256)
            return true;
    }
    return false;
}

static bool matrix_4_read(mat_file *f, const head_4 *h, stretch numbers, table_matrix *m)
{
    static const unsigned char types[] = {MI_DOUBLE, MI_SINGLE, MI_INT32,
                                          MI_INT16,  MI_UINT16, MI_UINT8};
    m->n_rows = (size_t)h->rows;
    m->n_columns = (size_t)h->columns;
    if (h->type % 10 != 0)
        return table_reject(f->b->why, "the matrix in %s is a text or sparse", f->b->shown);
    f->is_found = true;
    return numbers_copy(f, numbers, types[h->type / 10 % 10], m);
}

/* The matrix at *at; moves *at behind it. */
static bool item_4_read(mat_file *f, const char *name, size_t *at, table_matrix *m)
{
    static const unsigned char widths[] = {8, 4, 4, 2, 2, 1};
    const char *p = f->b->at + *at;
    size_t left = f->b->n - *at;
    if (left < HEAD_4)
        return damaged(f, p, "the file breaks off");
    head_4 h = head_at(p, f->is_big_endian);
    if (!is_head(&h, f->is_big_endian))
        return damaged(f, p, "this is not the head of a matrix");
    left -= HEAD_4;
    size_t width = widths[h.type / 10 % 10] * (size_t)(1 + h.imaginary);
    if (h.name_length > left || p[HEAD_4 + h.name_length - 1] != '\0')
        return damaged(f, p + HEAD_4, "the name of a matrix breaks off");
    left -= (size_t)h.name_length;
    if (!matrix_fits(f->b, h.rows, h.columns, left / width))
        return false;
    stretch numbers = {p + HEAD_4 + h.name_length, (size_t)(h.rows * h.columns) * width};
    *at += HEAD_4 + (size_t)h.name_length + numbers.n;
    return strcmp(p + HEAD_4, name) != 0 || matrix_4_read(f, &h, numbers, m);
}

static bool version_4_read(mat_file *f, const char *name, table_matrix *m)
{
    for (size_t at = 0; at < f->b->n && !f->is_found;)
        if (!item_4_read(f, name, &at, m))
            return false;
    return true;
}

/* ---- versions 6 and 7 ---- */

typedef struct element {
    uint64_t type;
    stretch data;
} element;

/* Takes the next element from a stretch. Short ones have their number of bytes and up to four
 * bytes in the place of the head; others fill up to a multiple of eight. */
static bool element_next(const mat_file *f, stretch *from, element *e)
{
    if (from->n < 8)
        return damaged(f, from->at, "an element breaks off");
    uint64_t first = bits_at(from->at, 4, f->is_big_endian);
    bool is_short = first >> 16 != 0;
    uint64_t n = is_short ? first >> 16 : bits_at(from->at + 4, 4, f->is_big_endian);
    size_t head = is_short ? 4 : 8;
    e->type = first & 0xffff;
    if ((is_short && n > 4) || n > from->n - head)
        return damaged(f, from->at, "an element breaks off");
    e->data = (stretch){from->at + head, (size_t)n};
    size_t whole = head + (size_t)n;
    if (e->type != MI_COMPRESSED)
        whole = (whole + 7) / 8 * 8;
    whole = whole < from->n ? whole : from->n;
    from->at += whole;
    from->n -= whole;
    return true;
}

void *matrix_zlib_take(void *mem, unsigned count, unsigned size)
{
    return arena_take(mem, count, size);
}

void matrix_zlib_give(void *mem, void *piece)
{
    (void)mem, (void)piece;
}

/* Deflate makes a text at most 1032 times as short. */
static bool inflated(const mat_file *f, stretch packed, stretch *whole)
{
    enum { RATIO_MOST = 1032, HEAD = 8 };
    char head[HEAD];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)packed.at,
                  .avail_in = (uInt)packed.n,
                  .zalloc = matrix_zlib_take,
                  .zfree = matrix_zlib_give,
                  .opaque = f->b->mem};
    if (inflateInit(&z) != Z_OK)
        return false;
    z.next_out = (Bytef *)head;
    z.avail_out = HEAD;
    int code = inflate(&z, Z_SYNC_FLUSH);
    uint64_t n = bits_at(head + 4, 4, f->is_big_endian);
    bool ok = (code == Z_OK || code == Z_STREAM_END) && z.avail_out == 0 &&
              n <= (uint64_t)RATIO_MOST * packed.n + RATIO_MOST;
    char *bytes = ok ? arena_take(f->b->mem, (size_t)n + HEAD, 1) : NULL;
    if (bytes) {
        memcpy(bytes, head, HEAD);
        z.next_out = (Bytef *)bytes + HEAD;
        z.avail_out = (uInt)n;
        code = n > 0 ? inflate(&z, Z_FINISH) : Z_STREAM_END;
        ok = z.avail_out == 0 && (code == Z_STREAM_END || code == Z_OK || code == Z_BUF_ERROR);
    }
    inflateEnd(&z);
    if (!ok)
        return damaged(f, packed.at, "a part cannot be decompressed");
    *whole = (stretch){bytes, (size_t)n + HEAD};
    return bytes != NULL;
}

/* What every array begins with. */
typedef struct array_head {
    uint64_t class, flags, rows, columns;
    stretch name;
} array_head;

static bool array_head_read(const mat_file *f, stretch *from, array_head *h)
{
    element flags, sizes, name;
    if (!element_next(f, from, &flags) || !element_next(f, from, &sizes) ||
        !element_next(f, from, &name))
        return false;
    if (flags.type != MI_UINT32 || flags.data.n < 4 || sizes.type != MI_INT32 || sizes.data.n < 8)
        return damaged(f, flags.data.at, "this is not the head of an array");
    uint64_t bits = bits_at(flags.data.at, 4, f->is_big_endian);
    h->class = bits & 0xff;
    h->flags = bits & ~(uint64_t)0xff;
    h->rows = bits_at(sizes.data.at, 4, f->is_big_endian);
    h->columns = bits_at(sizes.data.at + 4, 4, f->is_big_endian);
    h->name = name.data;
    for (size_t k = 8; k + 4 <= sizes.data.n; k += 4) /* further dimensions must be 1 */
        if (bits_at(sizes.data.at + k, 4, f->is_big_endian) != 1)
            h->class = 0;
    return true;
}

/* The length of the first part of a name with dots. */
static size_t part_length(const char *name)
{
    return strcspn(name, ".");
}

static bool is_named(stretch name, const char *wanted, size_t n)
{
    return (name.n == n || (name.n > n && name.at[n] == '\0')) && memcmp(name.at, wanted, n) == 0;
}

static bool array_read(mat_file *f, const char *name, const array_head *h, stretch rest, int depth,
                       table_matrix *m);

/* Fields of a structure of one element: the length of names, the names, then one array each. */
static bool struct_read(mat_file *f, const char *name, stretch rest, int depth, table_matrix *m)
{
    element width, names, one;
    size_t wanted = part_length(name);
    if (!element_next(f, &rest, &width) || !element_next(f, &rest, &names))
        return false;
    uint64_t step = width.data.n >= 4 ? bits_at(width.data.at, 4, f->is_big_endian) : 0;
    if (step == 0 || step > names.data.n)
        return damaged(f, names.data.at, "the names of fields break off");
    for (size_t k = 0; k < names.data.n / step && !f->is_found; k++) {
        array_head h;
        if (!element_next(f, &rest, &one))
            return false;
        stretch field = {names.data.at + k * step, (size_t)step};
        if (!is_named(field, name, wanted))
            continue;
        if (!array_head_read(f, &one.data, &h))
            return false;
        return array_read(f, name, &h, one.data, depth + 1, m);
    }
    return true;
}

/* An array whose name is the first part of `name`; f->is_found stays false if it is a structure
 * without the member that is wanted. */
static bool array_read(mat_file *f, const char *name, const array_head *h, stretch rest, int depth,
                       table_matrix *m)
{
    size_t part = part_length(name);
    element numbers;
    if (name[part] == '.') {
        bool is_struct = h->class == MX_STRUCT && h->rows == 1 && h->columns == 1;
        return !is_struct || depth >= NESTING_MOST ||
               struct_read(f, name + part + 1, rest, depth, m);
    }
    if (h->class < MX_DOUBLE || h->class > MX_LAST_NUMBER)
        return table_reject(f->b->why, "'%s' in %s is not a matrix of numbers", name, f->b->shown);
    if (h->flags & MX_COMPLEX)
        return table_reject(f->b->why, "'%s' in %s is complex", name, f->b->shown);
    m->n_rows = (size_t)h->rows;
    m->n_columns = (size_t)h->columns;
    f->is_found = true;
    return element_next(f, &rest, &numbers) && numbers_copy(f, numbers.data, numbers.type, m);
}

static bool item_read(mat_file *f, const char *name, element e, table_matrix *m)
{
    array_head h;
    stretch whole;
    if (e.type == MI_COMPRESSED) {
        if (!inflated(f, e.data, &whole) || !element_next(f, &whole, &e))
            return false;
    }
    if (e.type != MI_MATRIX)
        return true;
    if (!array_head_read(f, &e.data, &h))
        return false;
    return !is_named(h.name, name, part_length(name)) || array_read(f, name, &h, e.data, 0, m);
}

static bool version_5_read(mat_file *f, const char *name, table_matrix *m)
{
    stretch rest = {f->b->at + HEAD_5, f->b->n - HEAD_5};
    f->is_big_endian = f->b->at[126] == 'M'; /* "MI", or "IM" where bytes are swapped */
    while (rest.n > 0 && !f->is_found) {
        element e;
        if (!element_next(f, &rest, &e) || !item_read(f, name, e, m))
            return false;
    }
    return true;
}

/* ---- all versions ---- */

static bool is_version_5(const matrix_bytes *b)
{
    return b->n >= HEAD_5 &&
           (memcmp(b->at + 126, "IM", 2) == 0 || memcmp(b->at + 126, "MI", 2) == 0);
}

/* HDF5 begins with these bytes, in files of MATLAB behind 512 others. */
static bool is_hdf5(const matrix_bytes *b)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    size_t n = sizeof signature - 1;
    return (b->n >= n && memcmp(b->at, signature, n) == 0) ||
           (b->n >= 512 + n && memcmp(b->at + 512, signature, n) == 0);
}

bool mat_is_known(const matrix_bytes *b)
{
    bool is_big_endian = false;
    return is_hdf5(b) || is_version_5(b) || is_version_4(b, &is_big_endian);
}

bool mat_read(const matrix_bytes *b, const char *name, table_matrix *m)
{
    mat_file f = {.b = b};
    if (is_hdf5(b))
        return table_reject(b->why,
                            "%s is a MAT file of version 7.3 (HDF5), which cannot be read: save it "
                            "as version 7",
                            b->shown);
    bool ok = is_version_5(b) ? version_5_read(&f, name, m)
                              : is_version_4(b, &f.is_big_endian) && version_4_read(&f, name, m);
    if (ok && !f.is_found)
        return table_reject(b->why, "%s has no matrix '%s'", b->shown, name);
    return ok;
}
