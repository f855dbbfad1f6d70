/* base/intern.c - see intern.h. */
#include "base/intern.h"

#include <string.h>

static uint32_t hash_of(const char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return (uint32_t)(h ^ (h >> 32));
}

static bool resize(intern_table *t, size_t n_slots)
{
    uint32_t *slot = arena_take(t->mem, n_slots, sizeof *slot);
    if (!slot)
        return false;
    for (size_t id = 0; id < t->n; id++) {
        size_t at = t->entry[id].hash & (n_slots - 1);
        while (slot[at])
            at = (at + 1) & (n_slots - 1);
        slot[at] = (uint32_t)id + 1;
    }
    t->slot = slot;
    t->n_slots = n_slots;
    return true;
}

bool intern_create(intern_table *t, arena *mem)
{
    *t = (intern_table){.mem = mem};
    return resize(t, 256);
}

/* The slot where the text stands, or where it would be put. */
static size_t slot_of(const intern_table *t, const char *text, size_t length, uint32_t hash)
{
    size_t at = hash & (t->n_slots - 1);
    for (; t->slot[at]; at = (at + 1) & (t->n_slots - 1)) {
        const intern_entry *e = &t->entry[t->slot[at] - 1];
        if (e->hash == hash && e->length == length && memcmp(e->text, text, length) == 0)
            break;
    }
    return at;
}

int32_t intern_find(const intern_table *t, const char *text, size_t length)
{
    return (int32_t)t->slot[slot_of(t, text, length, hash_of(text, length))] - 1;
}

int32_t intern_add(intern_table *t, const char *text, size_t length)
{
    uint32_t hash = hash_of(text, length);
    size_t at = slot_of(t, text, length, hash);
    if (t->slot[at])
        return (int32_t)t->slot[at] - 1;
    if (2 * (t->n + 1) > t->n_slots) {
        if (!resize(t, 2 * t->n_slots))
            return INTERN_NONE;
        at = slot_of(t, text, length, hash);
    }
    intern_entry *entry = arena_grow(t->mem, t->entry, &t->capacity, t->n + 1, sizeof *entry);
    const char *copy = arena_text(t->mem, text, length);
    if (!entry || !copy || t->n >= INT32_MAX)
        return INTERN_NONE;
    t->entry = entry;
    t->entry[t->n] = (intern_entry){copy, (uint32_t)length, hash};
    t->slot[at] = (uint32_t)t->n + 1;
    return (int32_t)t->n++;
}

enum { NEAR_MAX = 64 }; /* longer texts are not compared */

/* Edit distance, with a row of costs; gives up beyond `most`. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb, size_t most)
{
    size_t row[NEAR_MAX + 1];
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0], least = row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t cost = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = cost < other ? cost : other;
            least = row[j] < least ? row[j] : least;
        }
        if (least > most)
            return most + 1;
    }
    return row[nb];
}

const char *intern_nearest(const intern_table *t, const char *text, size_t length)
{
    const char *best = NULL;
    size_t most = length / 3 + 1;
    if (length > NEAR_MAX)
        return NULL;
    for (size_t id = 0; id < t->n; id++) {
        const intern_entry *e = &t->entry[id];
        size_t apart = e->length > length ? e->length - length : length - e->length;
        if (e->length > NEAR_MAX || apart > most ||
            (e->length == length && !memcmp(e->text, text, length)))
            continue;
        size_t d = distance(text, length, e->text, e->length, most);
        if (d < most || (d == most && !best)) {
            most = d;
            best = e->text;
        }
    }
    return best;
}
