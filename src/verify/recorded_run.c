/* verify/recorded_run.c - see recorded_run.h. */
#include "verify/recorded_run.h"

#include <string.h>

#include "base/ascending.h"

#define ROWS_VALUES_MAX ((size_t)1 << 26) /* half a gigabyte */

void recorded_create(recorded_run *r, int32_t n, const daedal_allocator *a)
{
    *r = (recorded_run){.allocator = a, .n = n};
}

void recorded_free(recorded_run *r)
{
    size_t room = (size_t)r->room;
    memory_give(r->allocator, r->t, room * sizeof *r->t);
    memory_give(r->allocator, r->kind, room * sizeof *r->kind);
    memory_give(r->allocator, r->values, room * (size_t)r->n * sizeof *r->values);
    recorded_create(r, r->n, r->allocator);
}

void recorded_clear(recorded_run *r)
{
    r->n_rows = 0;
    r->is_full = r->has_failed = false;
}

/* A copy of the first `used` of `count` bytes with more room; NULL: out of memory. */
static void *grown(const recorded_run *r, void *old, size_t count, size_t used)
{
    void *more = memory_take(r->allocator, count > 0 ? count : 1);
    if (more && used > 0)
        memcpy(more, old, used);
    return more;
}

/* Twice the room. */
static bool grow(recorded_run *r)
{
    size_t rows = (size_t)r->n_rows, n = (size_t)r->n, room = r->room ? 2 * (size_t)r->room : 512;
    recorded_run more = *r;
    more.room = (int32_t)room;
    more.t = grown(r, r->t, room * sizeof *r->t, rows * sizeof *r->t);
    more.kind = grown(r, r->kind, room * sizeof *r->kind, rows * sizeof *r->kind);
    more.values = grown(r, r->values, room * n * sizeof *r->values, rows * n * sizeof *r->values);
    bool fine = more.t && more.kind && more.values;
    recorded_run gone = fine ? *r : more;
    recorded_free(&gone);
    if (fine)
        *r = more;
    r->has_failed = !fine;
    return fine;
}

void recorded_add(recorded_run *r, daedal_row_kind kind, double t, const double *values,
                  const int32_t *which)
{
    size_t n = (size_t)r->n;
    r->is_full = r->is_full || ((size_t)r->n_rows + 1) * (n + 1) > ROWS_VALUES_MAX;
    if (r->is_full || r->has_failed || (r->n_rows == r->room && !grow(r)))
        return;
    double *row = r->values + (size_t)r->n_rows * n;
    for (size_t i = 0; i < n; i++)
        row[i] = values[which ? which[i] : (int32_t)i];
    r->t[r->n_rows] = t;
    r->kind[r->n_rows++] = (unsigned char)kind;
}

int32_t recorded_find(const recorded_run *r, double t)
{
    return (int32_t)ascending_below(r->t, (size_t)r->n_rows, t);
}
