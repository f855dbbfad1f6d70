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
    intern_entry *entry = arena_enlarge(t->mem, t->entry, &t->capacity, t->n + 1, sizeof *entry);
    t->entry = entry ? entry : t->entry;
    const char *copy = arena_text(t->mem, text, length);
    if (!entry || !copy || t->n >= INT32_MAX)
        return INTERN_NONE;
    t->entry[t->n] = (intern_entry){copy, (uint32_t)length, hash};
    t->slot[at] = (uint32_t)t->n + 1;
    return (int32_t)t->n++;
}
