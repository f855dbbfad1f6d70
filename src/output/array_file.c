/* output/array_file.c - see array_file.h. */
#include "output/array_file.h"

#include <errno.h>
#include <string.h>

enum { PIECE = 1 << 16, HEADER_MAX = 512, NAME_OFFSET = 30 };

static const char *reason(int error)
{
    return error ? strerror(error) : "an unknown reason";
}

/* ---- layout ---- */

size_t array_item_size(const file_array *a)
{
    switch (a->type) {
    case ARRAY_DOUBLE:
        return sizeof(double);
    case ARRAY_INT:
        return sizeof(int32_t);
    case ARRAY_BYTE:
        return 1;
    case ARRAY_TEXT:
        break;
    }
    return sizeof(uint32_t) * a->width;
}

/* The number of items. */
static uint64_t array_count(const file_array *a)
{
    uint64_t n = 1;
    for (int k = 0; k < a->n_dimensions; k++)
        n *= a->shape[k];
    return n;
}

static char byte_order(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one ? '<' : '>';
}

static void put_npy_header(sink *to, const file_array *a)
{
    char type[32], shape[96];
    size_t n = 0;
    switch (a->type) {
    case ARRAY_DOUBLE:
        snprintf(type, sizeof type, "%cf8", byte_order());
        break;
    case ARRAY_INT:
        snprintf(type, sizeof type, "%ci4", byte_order());
        break;
    case ARRAY_BYTE:
        snprintf(type, sizeof type, "|u1");
        break;
    case ARRAY_TEXT:
        snprintf(type, sizeof type, "<U%zu", a->width);
    }
    for (int k = 0; k < a->n_dimensions; k++)
        n += (size_t)snprintf(shape + n, sizeof shape - n, "%s%llu%s", k ? ", " : "",
                              (unsigned long long)a->shape[k], a->n_dimensions == 1 ? "," : "");
    npy_put_header(to, type, shape);
}

/* Both headers, in a buffer of HEADER_MAX bytes. */
typedef struct header_bytes {
    char at[HEADER_MAX];
    size_t n;
} header_bytes;

static bool keep_bytes(void *user, const void *bytes, size_t n)
{
    header_bytes *h = user;
    if (n > sizeof h->at - h->n)
        return false;
    memcpy(h->at + h->n, bytes, n);
    h->n += n;
    return true;
}

static header_bytes headers_of(const file_array *a)
{
    header_bytes h = {.n = 0};
    sink to = {.write = keep_bytes, .user = &h};
    npz_put_local_header(&to, &a->member);
    put_npy_header(&to, a);
    return h;
}

/* Where everything stands; false: the archive would exceed 4 GiB. */
static bool place_arrays(array_file *f)
{
    const uint64_t most = UINT32_MAX - (1u << 20); /* the directory is smaller than 1 MiB */
    uint64_t at = 0;
    for (size_t k = 0; k < f->n; k++) {
        file_array *a = &f->arrays[k];
        sink dry = sink_to_nowhere();
        put_npy_header(&dry, a);
        double bytes = (double)array_item_size(a);
        for (int d = 0; d < a->n_dimensions; d++)
            bytes *= (double)a->shape[d];
        if (!((double)at + bytes < (double)most))
            return false;
        a->head = dry.count;
        a->member = (npz_member){
            .name = a->name, .size = (uint32_t)(a->head + (uint64_t)bytes), .offset = (uint32_t)at};
        a->place = at + NAME_OFFSET + strlen(a->name) + a->head;
        at = a->place + (uint64_t)bytes;
    }
    return at < most;
}

static daedal_status place_or_fail(array_file *f, daedal_diagnosis *why)
{
    if (place_arrays(f))
        return DAEDAL_OK;
    return fail(why, DAEDAL_ERR_ARGUMENT,
                "the results exceed 4 GiB, the limit of .npz files; keep fewer variables or output "
                "points");
}

/* ---- items ---- */

static bool seek(array_file *f, uint64_t place)
{
    return fseek(f->stream, (long)place, SEEK_SET) == 0;
}

static void note_error(array_file *f)
{
    if (f->error == 0)
        f->error = errno ? errno : EIO;
}

static void write_at(array_file *f, uint64_t place, const void *bytes, size_t n)
{
    errno = 0;
    if (n > 0 && f->error == 0 && (!seek(f, place) || fwrite(bytes, 1, n, f->stream) != n))
        note_error(f);
}

void array_file_write(array_file *f, size_t k, uint64_t first, const void *items, size_t n)
{
    size_t size = array_item_size(&f->arrays[k]);
    write_at(f, f->arrays[k].place + first * size, items, n * size);
}

bool array_file_read(array_file *f, size_t k, uint64_t first, void *items, size_t n)
{
    size_t size = array_item_size(&f->arrays[k]);
    return n == 0 ||
           (seek(f, f->arrays[k].place + first * size) && fread(items, size, n, f->stream) == n);
}

void array_file_write_texts(array_file *f, size_t k, const char *const *texts, size_t n)
{
    errno = 0;
    if (f->error != 0 || !seek(f, f->arrays[k].place))
        return;
    sink to = sink_to_stream(f->stream);
    for (size_t i = 0; i < n; i++)
        npy_put_text(&to, texts[i], f->arrays[k].width);
    if (to.failed)
        note_error(f);
}

/* ---- opening ---- */

static daedal_status open_stream(array_file *f, const char *mode, daedal_diagnosis *why)
{
    errno = 0;
    f->stream = f->path ? fopen(f->path, mode) : tmpfile();
    if (!f->stream)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s cannot be opened for writing: %s",
                    f->path ? f->path : "a temporary file", reason(errno));
    if (fseek(f->stream, 0, SEEK_END) == 0)
        return DAEDAL_OK;
    array_file_abandon(f);
    return fail(why, DAEDAL_ERR_ARGUMENT, "%s is no ordinary file", f->path);
}

static void write_header(array_file *f, const file_array *a)
{
    header_bytes h = headers_of(a);
    write_at(f, a->member.offset, h.at, h.n);
}

/* The file is as long as its arrays from the beginning. The first header is left to
 * array_file_mark_begun: until then the file begins with zeros, or is empty.            */
static void write_headers(array_file *f)
{
    for (size_t k = 0; k < f->n; k++) {
        const file_array *a = &f->arrays[k];
        if (k > 0)
            write_header(f, a);
        uint64_t bytes = array_count(a) * array_item_size(a);
        if (bytes > 0)
            write_at(f, a->place + bytes - 1, "", 1);
    }
}

daedal_status array_file_create(array_file *f, const char *path, file_array *arrays, size_t n,
                                daedal_diagnosis *why)
{
    *f = (array_file){.path = path, .arrays = arrays, .n = n};
    TRY(place_or_fail(f, why));
    TRY(open_stream(f, "w+b", why));
    write_headers(f);
    if (f->error == 0)
        return DAEDAL_OK;
    array_file_abandon(f);
    return fail(why, DAEDAL_ERR_ARGUMENT, "%s cannot be written: %s",
                path ? path
                     : "a temporary "
                       "file",
                reason(f->error));
}

void array_file_mark_begun(array_file *f)
{
    errno = 0;
    write_header(f, &f->arrays[0]);
    if (f->error == 0 && fflush(f->stream) != 0)
        note_error(f);
}

bool array_file_has_begun(FILE *stream)
{
    int first = fseek(stream, 0, SEEK_SET) == 0 ? fgetc(stream) : EOF;
    return first != EOF && first != 0;
}

/* Whether the headers in the file are those of the array, the checksum left aside. */
static bool is_there(array_file *f, const file_array *a)
{
    enum { CRC = 14, AFTER_CRC = 18 };
    header_bytes h = headers_of(a), found = {.n = 0};
    if (!seek(f, a->member.offset) || fread(found.at, 1, h.n, f->stream) != h.n)
        return false;
    return memcmp(h.at, found.at, CRC) == 0 &&
           memcmp(h.at + AFTER_CRC, found.at + AFTER_CRC, h.n - AFTER_CRC) == 0;
}

/* In bytes; -1: the file has none. */
static int64_t length_of(array_file *f)
{
    return fseek(f->stream, 0, SEEK_END) == 0 ? (int64_t)ftell(f->stream) : -1;
}

static daedal_status check_arrays(array_file *f, daedal_diagnosis *why)
{
    for (size_t k = 0; k < f->n; k++) {
        const file_array *a = &f->arrays[k];
        if (!is_there(f, a))
            return fail(why, DAEDAL_ERR_ARGUMENT, "%s does not have the array %.*s of this shape",
                        f->path, (int)(strlen(a->name) - strlen(".npy")), a->name);
    }
    return DAEDAL_OK;
}

daedal_status array_file_reopen(array_file *f, const char *path, file_array *arrays, size_t n,
                                daedal_diagnosis *why)
{
    *f = (array_file){.path = path, .arrays = arrays, .n = n};
    TRY(place_or_fail(f, why));
    TRY(open_stream(f, "r+b", why));
    daedal_status status = check_arrays(f, why);
    if (status < 0)
        array_file_abandon(f);
    return status;
}

static daedal_status create_or_check(array_file *f, bool *is_new, daedal_diagnosis *why)
{
    int64_t bytes = length_of(f);
    if (bytes < 0)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s is no ordinary file", f->path);
    *is_new = bytes == 0;
    if (!*is_new)
        return check_arrays(f, why);
    write_headers(f);
    if (f->error == 0)
        return DAEDAL_OK;
    return fail(why, DAEDAL_ERR_ARGUMENT, "%s cannot be written: %s", f->path, reason(f->error));
}

daedal_status array_file_attach(array_file *f, FILE *stream, const char *path, file_array *arrays,
                                size_t n, bool *is_new, daedal_diagnosis *why)
{
    *f = (array_file){.stream = stream, .path = path, .arrays = arrays, .n = n};
    daedal_status status = place_or_fail(f, why);
    if (status >= 0)
        status = create_or_check(f, is_new, why);
    if (status < 0)
        array_file_abandon(f);
    return status;
}

/* ---- closing ---- */

static void sum_member(array_file *f, file_array *a)
{
    char piece[PIECE];
    uint32_t crc = NPZ_CRC_BEGIN;
    uint64_t left = a->member.size;
    errno = 0;
    if (!seek(f, a->place - a->head))
        note_error(f);
    while (left > 0 && f->error == 0) {
        size_t n = left < PIECE ? (size_t)left : PIECE;
        if (fread(piece, 1, n, f->stream) != n)
            note_error(f);
        npz_sum_up(&crc, piece, n);
        left -= n;
    }
    a->member.crc = ~crc;
    write_header(f, a);
}

/* Where the directory begins. */
static uint64_t end_of_arrays(const array_file *f)
{
    const file_array *last = &f->arrays[f->n - 1];
    return last->place - last->head + last->member.size;
}

static void put_directory(sink *to, const array_file *f)
{
    uint64_t start = end_of_arrays(f);
    for (size_t k = 0; k < f->n; k++)
        npz_put_entry(to, &f->arrays[k].member);
    npz_put_end(to, f->n, start, start + to->count);
}

bool array_file_is_closed(array_file *f)
{
    sink dry = sink_to_nowhere();
    put_directory(&dry, f);
    return length_of(f) == (int64_t)(end_of_arrays(f) + dry.count);
}

static void write_directory(array_file *f)
{
    errno = 0;
    if (f->error != 0 || !seek(f, end_of_arrays(f)))
        return;
    sink to = sink_to_stream(f->stream);
    put_directory(&to, f);
    if (to.failed)
        note_error(f);
}

daedal_status array_file_close(array_file *f, daedal_diagnosis *why)
{
    for (size_t k = 0; k < f->n && f->error == 0; k++)
        sum_member(f, &f->arrays[k]);
    write_directory(f);
    errno = 0;
    if (fclose(f->stream) != 0)
        note_error(f);
    f->stream = NULL;
    if (f->error == 0)
        return DAEDAL_OK;
    return fail(why, DAEDAL_ERR_CALLBACK, "%s could not be written completely: %s",
                f->path ? f->path : "a temporary file", reason(f->error));
}

void array_file_abandon(array_file *f)
{
    if (f->stream)
        fclose(f->stream);
    f->stream = NULL;
}
