/* output/npz.c - trajectories as arrays for numpy.load, see formats.h.
 *
 * A member's checksum and size precede its bytes, and a sink cannot go back.  Each member is
 * therefore produced twice, the first time into a sink that only computes these two.  In a file
 * that can go back, the values stand first and are written row by row; only the times are kept.
 * Their headers are completed at the end, when the number of rows is known.      */
#include <string.h>

#include "output/formats.h"
#include "output/npz_parts.h"
#include "output/utf8.h"

#define ARCHIVE_MAX ((uint64_t)UINT32_MAX - 1024) /* bytes in front of the directory */

/* An array of a trajectory. */
typedef struct npz_table {
    npz_member member;
    void (*produce)(sink *to, const trajectory *tr);
} npz_table;

/* ---- .npy ---- */

static void produce_t(sink *to, const trajectory *tr)
{
    npy_put_vector_header(to, "<f8", tr->n_rows);
    for (size_t i = 0; i < tr->n_rows; i++)
        sink_f64(to, trajectory_time(tr, i));
}

static void put_header_of_y(sink *to, size_t n_rows, size_t n_columns)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%zu, %zu", n_rows, n_columns);
    npy_put_header(to, "<f8", shape);
}

static void produce_y(sink *to, const trajectory *tr)
{
    put_header_of_y(to, tr->n_rows, tr->n_columns);
    for (size_t i = 0; i < tr->n_rows && !to->failed; i++)
        for (size_t j = 0; j < tr->n_columns; j++)
            sink_f64(to, trajectory_value(tr, i, j));
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
    npy_put_vector_header(to, type, tr->n_columns);
    for (size_t j = 0; j < tr->n_columns && !to->failed; j++)
        npy_put_text(to, text_of(&tr->columns[j]), width);
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
    npy_put_vector_header(to, "|u1", tr->n_columns);
    for (size_t j = 0; j < tr->n_columns; j++)
        sink_char(to, (char)tr->columns[j].kind);
}

/* ---- .zip ---- */

static daedal_status fail_too_large(daedal_diagnosis *why)
{
    return fail(why, DAEDAL_ERR_ARGUMENT,
                "the result exceeds 4 GiB, the limit of .npz files; use .mat or .csv");
}

static daedal_status put_member(sink *to, npz_table *table, uint64_t origin, const trajectory *tr,
                                daedal_diagnosis *why)
{
    npz_member *m = &table->member;
    uint32_t crc = NPZ_CRC_BEGIN;
    sink dry = {.write = npz_sum_up, .user = &crc};
    table->produce(&dry, tr);
    uint64_t offset = to->count - origin;
    if (dry.count >= ARCHIVE_MAX || offset + dry.count >= ARCHIVE_MAX)
        return fail_too_large(why);
    m->crc = ~crc;
    m->size = (uint32_t)dry.count;
    m->offset = (uint32_t)offset;
    npz_put_local_header(to, m);
    table->produce(to, tr);
    return DAEDAL_OK;
}

static void put_directory(sink *to, const npz_table *tables, size_t n, uint64_t origin)
{
    uint64_t start = to->count - origin;
    for (size_t k = 0; k < n; k++)
        npz_put_entry(to, &tables[k].member);
    npz_put_end(to, n, start, to->count - origin);
}

daedal_status npz_write(sink *to, const trajectory *tr, daedal_diagnosis *why)
{
    npz_table tables[] = {{{.name = "t.npy"}, produce_t},
                          {{.name = "y.npy"}, produce_y},
                          {{.name = "names.npy"}, produce_names},
                          {{.name = "units.npy"}, produce_units},
                          {{.name = "kinds.npy"}, produce_kinds}};
    const size_t n = sizeof tables / sizeof *tables;
    const uint64_t origin = to->count;
    for (size_t k = 0; k < n; k++)
        TRY(put_member(to, &tables[k], origin, tr, why));
    put_directory(to, tables, n, origin);
    return sink_status(to, "the NPZ archive", why);
}

/* ---- row by row ---- */

/* Local header and .npy header of the values. */
static void put_head(sink *to, const npz_stream *s)
{
    npz_put_local_header(to, &s->y);
    put_header_of_y(to, s->times.n_rows, s->n_columns);
}

void npz_begin(npz_stream *s, sink *to, const trajectory *tr)
{
    sink dry = sink_to_nowhere();
    *s = (npz_stream){.y.name = "y.npy", .n_columns = tr->n_columns};
    trajectory_create(&s->times, tr->allocator, 0);
    put_head(to, s);
    s->head = to->count;
    produce_names(&dry, tr);
    produce_units(&dry, tr);
    produce_kinds(&dry, tr);
    s->rest = dry.count + ARCHIVE_MAX / 1024; /* and headers */
}

daedal_status npz_row(npz_stream *s, sink *to, const trajectory *tr, double t, const double *stored,
                      daedal_diagnosis *why)
{
    uint64_t times = (s->times.n_rows + 1) * sizeof t, row = tr->n_columns * sizeof t;
    if (to->count + row + times + s->rest >= ARCHIVE_MAX)
        return fail_too_large(why);
    TRY(trajectory_append(&s->times, t, NULL, why));
    for (size_t j = 0; j < tr->n_columns && !to->failed; j++)
        sink_f64(to, column_value(&tr->columns[j], stored));
    s->y.size = (uint32_t)(to->count - s->head);
    return DAEDAL_OK;
}

/* The checksum of n bytes from here on; false: they cannot be read. */
static bool sum_up_file(FILE *stream, uint64_t n, uint32_t *crc)
{
    char piece[1 << 14];
    *crc = NPZ_CRC_BEGIN;
    while (n > 0) {
        size_t part = n < sizeof piece ? (size_t)n : sizeof piece;
        if (fread(piece, 1, part, stream) != part)
            return false;
        npz_sum_up(crc, piece, part);
        n -= part;
    }
    return true;
}

/* Puts size, checksum and number of rows of the values where zeros stand. */
static bool complete_head(npz_stream *s, FILE *stream)
{
    sink local = sink_to_nowhere(), to = sink_to_stream(stream);
    uint32_t crc = 0;
    npz_put_local_header(&local, &s->y);
    s->y.size += (uint32_t)(s->head - local.count);
    if (fseek(stream, 0, SEEK_SET) != 0)
        return false;
    put_head(&to, s);
    if (to.failed || to.count != s->head || fseek(stream, (long)local.count, SEEK_SET) != 0 ||
        !sum_up_file(stream, s->y.size, &crc) || fseek(stream, 0, SEEK_SET) != 0)
        return false;
    s->y.crc = ~crc;
    put_head(&to, s);
    return !to.failed && fseek(stream, 0, SEEK_END) == 0;
}

daedal_status npz_end(npz_stream *s, FILE *stream, sink *to, const trajectory *tr,
                      daedal_diagnosis *why)
{
    npz_table tables[] = {{{.name = "y.npy"}, NULL},
                          {{.name = "t.npy"}, produce_t},
                          {{.name = "names.npy"}, produce_names},
                          {{.name = "units.npy"}, produce_units},
                          {{.name = "kinds.npy"}, produce_kinds}};
    const size_t n = sizeof tables / sizeof *tables;
    if (to->failed)
        return sink_status(to, "the NPZ archive", why);
    for (size_t k = 1; k < n; k++)
        TRY(put_member(to, &tables[k], 0, k == 1 ? &s->times : tr, why));
    to->failed = to->failed || !complete_head(s, stream);
    tables[0].member = s->y;
    put_directory(to, tables, n, 0);
    return sink_status(to, "the NPZ archive", why);
}

void npz_stream_free(npz_stream *s)
{
    trajectory_free(&s->times);
}
