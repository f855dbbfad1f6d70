/* output/npz_read.c - reads arrays of numpy.savez, see formats.h.
 *
 * Only uncompressed members are read (not those of savez_compressed), of little-endian doubles and
 * UTF-32 texts.                                                                 */
#include <stdlib.h>
#include <string.h>

#include "output/formats.h"
#include "output/little_endian.h"
#include "output/utf8.h"

typedef struct npz_file {
    const char *bytes;
    size_t n;
    const char *directory;
    size_t n_members;
    daedal_diagnosis *why;
} npz_file;

typedef struct npz_array {
    char type;    /* 'f' doubles, 'U' UTF-32, 'u' bytes */
    size_t width; /* bytes of an element               */
    size_t n_rows, n_columns;
    bool by_columns;
    const char *data;
} npz_array;

enum { END_RECORD = 22, CENTRAL_HEADER = 46, LOCAL_HEADER = 30 };

static daedal_status read_error(const npz_file *f, const char *what)
{
    return fail(f->why, DAEDAL_ERR_ARGUMENT, "%s", what);
}

static daedal_status find_directory(npz_file *f)
{
    if (f->n < END_RECORD)
        return read_error(f, "the file is not a ZIP archive");
    const char *end = f->bytes + f->n - END_RECORD;
    while (end > f->bytes && memcmp(end, "PK\x05\x06", 4) != 0)
        end--;
    if (memcmp(end, "PK\x05\x06", 4) != 0)
        return read_error(f, "the file is not a ZIP archive, or it is incomplete");
    uint64_t start = little_endian(end + 16, 4);
    if (start > f->n)
        return read_error(f, "the directory of the ZIP archive is damaged");
    f->n_members = (size_t)little_endian(end + 10, 2);
    f->directory = f->bytes + start;
    return DAEDAL_OK;
}

/* The bytes of a member, given its entry in the directory. */
static daedal_status open_member(const npz_file *f, const char *entry, const char **data, size_t *n)
{
    uint64_t offset = little_endian(entry + 42, 4), size = little_endian(entry + 24, 4);
    if (little_endian(entry + 10, 2) != 0)
        return read_error(f, "the arrays are compressed; save them with numpy.savez");
    if (offset + LOCAL_HEADER > f->n)
        return read_error(f, "the ZIP archive is damaged");
    const char *local = f->bytes + offset;
    offset += LOCAL_HEADER + little_endian(local + 26, 2) + little_endian(local + 28, 2);
    if (offset + size > f->n)
        return read_error(f, "the ZIP archive is incomplete");
    *data = f->bytes + offset;
    *n = (size_t)size;
    return DAEDAL_OK;
}

/* Find a member by name; DAEDAL_OK with *data NULL when there is no such member. */
static daedal_status find_member(const npz_file *f, const char *name, const char **data, size_t *n)
{
    const char *entry = f->directory, *end = f->bytes + f->n;
    *data = NULL;
    *n = 0;
    for (size_t k = 0; k < f->n_members; k++) {
        if (end - entry < CENTRAL_HEADER || memcmp(entry, "PK\x01\x02", 4) != 0)
            return read_error(f, "the directory of the ZIP archive is damaged");
        size_t length = (size_t)little_endian(entry + 28, 2);
        size_t all = CENTRAL_HEADER + length + (size_t)little_endian(entry + 30, 2) +
                     (size_t)little_endian(entry + 32, 2);
        if ((size_t)(end - entry) < all)
            return read_error(f, "the directory of the ZIP archive is damaged");
        if (length == strlen(name) && memcmp(entry + CENTRAL_HEADER, name, length) == 0)
            return open_member(f, entry, data, n);
        entry += all;
    }
    return DAEDAL_OK;
}

/* The text behind a key of the dictionary, or NULL. */
static const char *find_key(const char *dictionary, const char *key)
{
    const char *at = strstr(dictionary, key);
    if (!at)
        return NULL;
    at += strlen(key);
    return at + strspn(at, ": '(");
}

static bool read_type(npz_array *a, const char *type)
{
    a->type = type[1];
    a->width = strtoul(type + 2, NULL, 10) * (a->type == 'U' ? 4 : 1);
    bool is_known = (a->type == 'f' && a->width == 8) || (a->type == 'u' && a->width == 1) ||
                    (a->type == 'U' && a->width < 1u << 20);
    return is_known && (type[0] == '<' || type[0] == '|');
}

static void read_shape(npz_array *a, const char *shape)
{
    char *rest;
    a->n_rows = strtoul(shape, &rest, 10);
    rest += strspn(rest, ", ");
    a->n_columns = *rest == ')' ? 1 : strtoul(rest, NULL, 10);
}

static bool read_dictionary(npz_array *a, const char *text, size_t n)
{
    char dictionary[512];
    if (n >= sizeof dictionary)
        return false;
    memcpy(dictionary, text, n);
    dictionary[n] = '\0';
    const char *type = find_key(dictionary, "'descr'"), *shape = find_key(dictionary, "'shape'");
    const char *order = find_key(dictionary, "'fortran_order'");
    if (!type || !shape || !order || strlen(type) < 3 || !read_type(a, type))
        return false;
    a->by_columns = *order == 'T';
    read_shape(a, shape);
    return true;
}

static daedal_status read_array(const npz_file *f, const char *name, npz_array *a)
{
    const char *data;
    size_t n;
    *a = (npz_array){.data = NULL};
    TRY(find_member(f, name, &data, &n));
    if (!data)
        return DAEDAL_OK;
    if (n < 12 || memcmp(data, "\x93NUMPY", 6) != 0)
        return fail(f->why, DAEDAL_ERR_ARGUMENT, "%s is not a NumPy array", name);
    size_t prefix = data[6] == 1 ? 10 : 12; /* version 1: two bytes of length, later four */
    size_t length = (size_t)little_endian(data + 8, prefix - 8);
    if (length > n - prefix || !read_dictionary(a, data + prefix, length))
        return fail(f->why, DAEDAL_ERR_ARGUMENT,
                    "%s has an unsupported type; save float64 numbers and texts", name);
    size_t room = n - prefix - length;
    if (a->n_columns && a->n_rows > room / a->n_columns / (a->width ? a->width : 1))
        return fail(f->why, DAEDAL_ERR_ARGUMENT, "%s is incomplete", name);
    a->data = data + prefix + length;
    return DAEDAL_OK;
}

/* ---- the table ---- */

static daedal_status get_text(const npz_array *a, size_t j, sink_buffer *text)
{
    char bytes[4];
    text->n = 0;
    sink to = sink_to_buffer(text);
    for (size_t k = 0; a->data && k < a->width; k += 4) {
        uint32_t code = (uint32_t)little_endian(a->data + j * a->width + k, 4);
        if (code == 0)
            break;
        sink_bytes(&to, bytes, utf8_encode(bytes, code));
    }
    if (text->n == 0)
        sink_bytes(&to, "\0", 1); /* so that there are bytes */
    return to.failed ? DAEDAL_ERR_MEMORY : DAEDAL_OK;
}

typedef struct npz_table {
    npz_array t, y, names, units, kinds;
} npz_table;

static daedal_status check_table(const npz_file *f, const npz_table *x)
{
    if (!x->t.data || !x->y.data || !x->names.data)
        return read_error(f, "one of the arrays t, y, names is missing");
    if (x->t.type != 'f' || x->y.type != 'f' || x->names.type != 'U')
        return read_error(f, "the arrays t and y must be float64, and names must be texts");
    if (x->t.n_rows != x->y.n_rows || x->names.n_rows != x->y.n_columns)
        return read_error(f, "the shapes of t, y and names do not match");
    return DAEDAL_OK;
}

static bool fits(const npz_array *a, char type, const npz_table *x)
{
    return a->data && a->type == type && a->n_rows == x->y.n_columns;
}

static daedal_status add_columns(trajectory *tr, const npz_file *f, npz_table *x)
{
    sink_buffer name = {.allocator = tr->allocator}, unit = {.allocator = tr->allocator};
    daedal_status st = DAEDAL_OK;
    if (!fits(&x->units, 'U', x))
        x->units.data = NULL;
    for (size_t j = 0; j < x->y.n_columns && st == DAEDAL_OK; j++) {
        if (get_text(&x->names, j, &name) < 0 || get_text(&x->units, j, &unit) < 0) {
            st = fail(f->why, DAEDAL_ERR_MEMORY, "out of memory for the names of columns");
            break;
        }
        column c = {.name = name.bytes, .unit = unit.bytes};
        if (fits(&x->kinds, 'u', x))
            c.kind = (column_kind)(x->kinds.data[j] & 3);
        st = trajectory_add_stored(tr, &c, f->why);
    }
    sink_buffer_free(&name);
    sink_buffer_free(&unit);
    return st;
}

static daedal_status add_rows(trajectory *tr, const npz_file *f, const npz_table *x)
{
    const size_t n = x->y.n_rows, m = x->y.n_columns;
    double *row = memory_take_array(tr->allocator, m, sizeof *row);
    if (!row)
        return fail(f->why, DAEDAL_ERR_MEMORY, "out of memory for a row");
    daedal_status st = DAEDAL_OK;
    for (size_t i = 0; i < n && st == DAEDAL_OK; i++) {
        for (size_t j = 0; j < m; j++)
            row[j] = little_endian_f64(x->y.data + 8 * (x->y.by_columns ? i + j * n : i * m + j));
        st = trajectory_append(tr, little_endian_f64(x->t.data + 8 * i), row, f->why);
    }
    memory_give(tr->allocator, row, m * sizeof *row);
    return st;
}

daedal_status npz_read(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why)
{
    npz_file f = {.bytes = bytes, .n = n, .why = why};
    npz_table x;
    TRY(find_directory(&f));
    TRY(read_array(&f, "t.npy", &x.t));
    TRY(read_array(&f, "y.npy", &x.y));
    TRY(read_array(&f, "names.npy", &x.names));
    TRY(read_array(&f, "units.npy", &x.units));
    TRY(read_array(&f, "kinds.npy", &x.kinds));
    TRY(check_table(&f, &x));
    TRY(add_columns(tr, &f, &x));
    return add_rows(tr, &f, &x);
}
