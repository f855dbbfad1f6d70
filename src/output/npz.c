/* output/npz.c - trajectories as arrays for numpy.load, see formats.h.
 *
 * A member's checksum and size precede its bytes, and a sink cannot go back.  Each member is
 * therefore produced twice, the first time into a sink that only computes these two.  */
#include "output/formats.h"
#include "output/npz_parts.h"
#include "output/utf8.h"

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

static void produce_y(sink *to, const trajectory *tr)
{
    char shape[64];
    snprintf(shape, sizeof shape, "%zu, %zu", tr->n_rows, tr->n_columns);
    npy_put_header(to, "<f8", shape);
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

static daedal_status put_member(sink *to, npz_table *table, uint64_t origin, const trajectory *tr,
                                daedal_diagnosis *why)
{
    npz_member *m = &table->member;
    uint32_t crc = NPZ_CRC_BEGIN;
    sink dry = {.write = npz_sum_up, .user = &crc};
    table->produce(&dry, tr);
    uint64_t offset = to->count - origin;
    if (dry.count >= UINT32_MAX - 1024 || offset + dry.count >= UINT32_MAX - 1024)
        return fail(why, DAEDAL_ERR_ARGUMENT,
                    "the result exceeds 4 GiB, the limit of .npz files; use .mat or .csv");
    m->crc = ~crc;
    m->size = (uint32_t)dry.count;
    m->offset = (uint32_t)offset;
    npz_put_local_header(to, m);
    table->produce(to, tr);
    return DAEDAL_OK;
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
    uint64_t start = to->count - origin;
    for (size_t k = 0; k < n; k++)
        npz_put_entry(to, &tables[k].member);
    npz_put_end(to, n, start, to->count - origin);
    return sink_status(to, "the NPZ archive", why);
}
