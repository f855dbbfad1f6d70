/* output/result_file.c - see result_file.h. */
#include "output/result_file.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

typedef daedal_status write_fn(sink *to, const trajectory *tr, daedal_diagnosis *why);
typedef daedal_status read_fn(trajectory *tr, const char *bytes, size_t n, daedal_diagnosis *why);

/* The list of formats. */
static const struct format {
    result_format format;
    const char *extension;
    write_fn *write;
    read_fn *read;
} formats[] = {
    {RESULT_CSV, ".csv", csv_write, csv_read},
    {RESULT_NPZ, ".npz", npz_write, npz_read},
    {RESULT_MAT, ".mat", mat4_write, mat4_read},
    {RESULT_JSON, ".json", result_json_write, result_json_read},
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    if (n < m)
        return false;
    for (size_t k = 0; k < m; k++)
        if (tolower((unsigned char)text[n - m + k]) != end[k])
            return false;
    return true;
}

static const struct format *format_for(const char *path)
{
    for (size_t k = 0; k < N_FORMATS; k++)
        if (ends_with(path, formats[k].extension))
            return &formats[k];
    return NULL;
}

result_format result_format_of(const char *path)
{
    const struct format *format = format_for(path);
    return format ? format->format : RESULT_UNKNOWN;
}

static daedal_status unknown_extension(const char *path, daedal_diagnosis *why)
{
    fail(why, DAEDAL_ERR_ARGUMENT, "%s: the format of this extension is unknown", path);
    hint(why, "use .csv, .npz, .mat or .json");
    return DAEDAL_ERR_ARGUMENT;
}

static const char *reason(void)
{
    return errno ? strerror(errno) : "unknown error";
}

/* ---- writing ---- */

daedal_status result_file_open(result_file *f, const char *path, daedal_diagnosis *why)
{
    *f = (result_file){.path = path, .format = result_format_of(path)};
    if (f->format == RESULT_UNKNOWN)
        return unknown_extension(path, why);
    errno = 0;
    f->stream = fopen(path, f->format == RESULT_NPZ ? "w+b" : "wb");
    f->goes_back = f->format == RESULT_NPZ && f->stream && fseek(f->stream, 0, SEEK_END) == 0;
    if (!f->stream && f->format == RESULT_NPZ) /* it may be written, but not read */
        f->stream = fopen(path, "wb");
    if (!f->stream)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s cannot be written: %s", path, reason());
    f->to = sink_to_stream(f->stream);
    return DAEDAL_OK;
}

void result_file_to_sink(result_file *f, sink to)
{
    *f = (result_file){.path = "the output", .format = RESULT_CSV, .to = to};
}

static daedal_status write_status(const result_file *f, daedal_diagnosis *why)
{
    if (!f->to.failed)
        return DAEDAL_OK;
    if (errno == 0)
        errno = f->error; /* found when the file was last flushed */
    return fail(why, DAEDAL_ERR_CALLBACK, "%s could not be written completely: %s", f->path,
                reason());
}

daedal_status result_file_begin(result_file *f, const trajectory *tr, daedal_diagnosis *why)
{
    f->begun = true;
    errno = 0;
    if (f->goes_back)
        npz_begin(&f->npz, &f->to, tr);
    else if (result_file_streams(f))
        csv_header(&f->to, tr);
    return write_status(f, why);
}

daedal_status result_file_row(result_file *f, const trajectory *tr, double t, const double *stored,
                              daedal_diagnosis *why)
{
    errno = 0;
    if (f->goes_back)
        TRY(npz_row(&f->npz, &f->to, tr, t, stored, why));
    else if (result_file_streams(f))
        csv_row(&f->to, tr, t, stored);
    return write_status(f, why);
}

void result_file_flush(result_file *f)
{
    if (f->stream && fflush(f->stream) != 0) {
        f->to.failed = true;
        f->error = errno;
    }
}

static daedal_status write_all(result_file *f, const trajectory *tr, daedal_diagnosis *why)
{
    const struct format *format = format_for(f->path);
    if (!result_file_streams(f))
        return format->write(&f->to, tr, why);
    if (!f->begun)
        TRY(result_file_begin(f, tr, why));
    return f->goes_back ? npz_end(&f->npz, f->stream, &f->to, tr, why) : write_status(f, why);
}

daedal_status result_file_close(result_file *f, const trajectory *tr, daedal_diagnosis *why)
{
    errno = 0;
    daedal_status st = tr ? write_all(f, tr, why) : DAEDAL_OK;
    if (f->stream && fclose(f->stream) != 0)
        f->to.failed = true;
    f->stream = NULL;
    npz_stream_free(&f->npz);
    return f->to.failed ? write_status(f, why) : st;
}

/* ---- reading ---- */

static daedal_status load(sink_buffer *content, const char *path, daedal_diagnosis *why)
{
    char piece[1 << 14];
    size_t n;
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s cannot be read: %s", path, reason());
    sink to = sink_to_buffer(content);
    while (!to.failed && (n = fread(piece, 1, sizeof piece, stream)) > 0)
        sink_bytes(&to, piece, n);
    bool broken = ferror(stream) != 0;
    fclose(stream);
    if (to.failed)
        return fail(why, DAEDAL_ERR_MEMORY, "%s does not fit in memory", path);
    if (broken)
        return fail(why, DAEDAL_ERR_ARGUMENT, "%s cannot be read: %s", path, reason());
    return DAEDAL_OK;
}

/* Put the name of the file in front of a message about its contents. */
static daedal_status name_file(daedal_status st, const char *path, daedal_diagnosis *why)
{
    if (st >= 0 || !why)
        return st;
    daedal_diagnosis before = *why;
    fail(why, st, "%s: ", path);
    size_t n = strlen(why->message);
    snprintf(why->message + n, sizeof why->message - n, "%.*s", (int)(sizeof why->message - n - 1),
             before.message);
    memcpy(why->hint, before.hint, sizeof why->hint);
    return st;
}

static daedal_status read_by(read_fn *read, trajectory *tr, const char *path, daedal_diagnosis *why)
{
    sink_buffer content = {.allocator = tr->allocator};
    daedal_status st = load(&content, path, why);
    if (st == DAEDAL_OK)
        st = name_file(read(tr, content.bytes ? content.bytes : "", content.n, why), path, why);
    sink_buffer_free(&content);
    return st;
}

daedal_status result_file_read(trajectory *tr, const char *path, daedal_diagnosis *why)
{
    const struct format *format = format_for(path);
    return format ? read_by(format->read, tr, path, why) : unknown_extension(path, why);
}

daedal_status result_table_read(trajectory *tr, const char *path, daedal_diagnosis *why)
{
    return read_by(csv_read_table, tr, path, why);
}
