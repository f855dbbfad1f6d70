/* tables/matrix_file.c - see matrix_file.h: files as a whole. */
#include "tables/matrix_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "output/sink.h"

enum { FILE_MOST = 1 << 30 }; /* bytes */

static bool stream_read(FILE *stream, matrix_bytes *b)
{
    sink_buffer bytes = {.allocator = b->mem->allocator};
    sink s = sink_to_buffer(&bytes);
    char part[1 << 14];
    for (size_t n; (n = fread(part, 1, sizeof part, stream)) > 0 && bytes.n < FILE_MOST;)
        sink_bytes(&s, part, n);
    b->n = bytes.n;
    b->at = bytes.n > 0 ? arena_text(b->mem, bytes.bytes, bytes.n) : "";
    sink_buffer_free(&bytes);
    return !s.failed && b->at;
}

bool matrix_bytes_load(const char *path, matrix_bytes *b)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return table_reject(b->why, "%s could not be opened: %s", b->shown, strerror(errno));
    bool ok = stream_read(stream, b);
    if (ok && ferror(stream))
        ok = table_reject(b->why, "%s could not be read: %s", b->shown, strerror(errno));
    if (ok && b->n >= FILE_MOST)
        ok = table_reject(b->why, "%s has more than 1 GB", b->shown);
    fclose(stream);
    return ok;
}

static bool ends_with(const char *path, const char *extension)
{
    size_t n = strlen(path), k = strlen(extension);
    if (n < k)
        return false;
    for (size_t i = 0; i < k; i++)
        if (tolower((unsigned char)path[n - k + i]) != extension[i])
            return false;
    return true;
}

bool matrix_fits(const matrix_bytes *b, uint64_t rows, uint64_t columns, uint64_t most)
{
    if (rows == 0 || columns <= most / rows)
        return true;
    return table_reject(b->why, "%s breaks off: it has no room for %llu times %llu numbers",
                        b->shown, (unsigned long long)rows, (unsigned long long)columns);
}

bool matrix_file_read(arena *mem, const matrix_source *from, table_matrix *m, table_why *why)
{
    matrix_bytes b = {.shown = from->shown, .mem = mem, .why = why};
    why->text[0] = '\0';
    *m = (table_matrix){0};
    if (!matrix_bytes_load(from->path, &b))
        return false;
    if (ends_with(from->path, ".csv"))
        return matrix_csv_read(&b, from, m);
    return mat_is_known(&b) ? mat_read(&b, from->name, m) : matrix_text_read(&b, from->name, m);
}
